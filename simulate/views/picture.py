"""What every picture knows of itself, and the choices of players settled before it is drawn."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from typing import Any

from potshare import __version__
from potshare.errors import PotshareError
from potshare.evaluator.cards import card_name
from potshare.simulate.answer import board_names
from potshare.simulate.spot import Spot
from potshare.simulate.variants import SHOWDOWNS, Variant


@dataclass(frozen=True)
class Picture:
    """What is common to all: the question, whether it was counted, and how well it is known.

    `method` is exact or monte-carlo; `policy` says how cards were drawn or discarded (None where nobody does),
    `stderr` is the greatest standard error of a sampled number (0 when counted).
    """

    game: str
    method: str
    board: tuple[str, ...]
    dead: tuple[str, ...]
    policy: str | None
    seed: int | None
    stderr: float
    seconds: float

    def head(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "schema": 1,
            "version": __version__,
            "game": self.game,
            "method": self.method,
            "board": list(self.board),
            "dead": list(self.dead),
            **({} if self.policy is None else {"policy": self.policy}),
            "seed": self.seed,
            "stderr": self.stderr,
            "seconds": self.seconds,
        }


def about(
    question: Spot, started: float, *, counted: bool, seed: int | None, policy: str | None, stderr: float = 0.0
) -> dict[str, Any]:
    """The fields of a `Picture`; `started` is a time of the performance counter."""
    return {
        "game": question.variant.name,
        "method": "exact" if counted else "monte-carlo",
        "board": board_names(question),
        "dead": tuple(card_name(c) for c in question.dead),
        "policy": policy,
        "seed": None if counted else seed,
        "stderr": 0.0 if counted else stderr,
        "seconds": clock.perf_counter() - started,
    }


def cards_come_to_hands(variant: Variant) -> bool:
    """Whether cards come street by street to the players' hands and stay there, as in stud."""
    return not variant.choices and not variant.board_cards and variant.showdown == SHOWDOWNS[0]


def check_picture(picture: str, variant: Variant) -> None:
    """Raises `PotshareError` that says why a game has no such picture (`runouts`, `streets`, `grid`), and what to ask
    instead. Every game has categories."""
    why = ""
    if picture == "grid" and (variant.hole_cards != 2 or variant.ordered):
        why = (
            f"{variant.name} is not a game of two hole cards; ask for the equity of the hands that you want to "
            "compare, one by one or as ranges"
        )
    if picture == "runouts" and variant.boards > 1:
        why = (
            f"{variant.name} deals the next cards to two boards at once; ask for the equity with each pair of boards "
            "that you want to compare, as in -b Qh7h2c3d/Ad3s9s5c"
        )
    if picture in ("runouts", "streets") and not variant.board_cards and not cards_come_to_hands(variant):
        if variant.showdown != SHOWDOWNS[0]:
            why = f"{variant.name} deals no card after the first bet; ask for the equity of the cards turned up so far"
        elif variant.ordered:
            why = (
                f"players of {variant.name} push, exchange or throw away cards, so that the next one may not stay; ask "
                "for the equity with the card added to the hand, or for --categories"
            )
        else:
            why = (
                f"players of {variant.name} choose the cards that are replaced; ask for every discard with: potshare "
                f"draw HAND -g {variant.name}, or for --categories"
            )
    if why:
        what = {"grid": "a grid", "runouts": "the next cards", "streets": "equity by street"}[picture]
        raise PotshareError(f"{what} cannot be shown: {why}")


def settle(question: Spot, policy: str | None, seed: int, threads: int) -> tuple[Spot, str, str | None]:
    """The question with the choices that the policy `best` makes once, the policy of all other choices, and the words
    for both; None where nobody chooses. Raises `PotshareError` for a policy that the game does not have."""
    variant = question.variant
    if not variant.choices:
        if policy is not None and not question.decided:
            raise PotshareError(f"nobody draws or discards in {variant.name}; leave out the policy")
        return question, "standard", question.decided or None
    rules = "standard" if policy is None else policy
    if rules == "best":
        from potshare.simulate.drawing.search import settle_best

        question, words = settle_best(question, seed, threads)
        return question, "best", words
    if rules != "pat":
        variant.policy(rules)
    return question, rules, rules

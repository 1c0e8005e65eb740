"""Equity after every next card, or every next two, and equity street by street.

On a board the next cards are the board's; in stud they are those of the first player. Every next card is a question
of its own, asked through the same front door. Whether all of them are counted or all are sampled is decided once,
from the sizes of the ranges, so that a picture never mixes the two and the same seed always gives the same picture.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, permutations
from typing import Any

import numpy as np

from potshare.errors import NoDealError, PotshareError
from potshare.evaluator.cards import card_name, format_cards
from potshare.simulate.answer import Equity
from potshare.simulate.equity import check_rules, equity, new_seed
from potshare.simulate.exact.joint import combo_masks
from potshare.simulate.sampling import choice, lanes
from potshare.simulate.sampling.general import down_mask
from potshare.simulate.spot import Cards, Hand, Holding, Spot, spot
from potshare.simulate.variants import Variant
from potshare.simulate.views.picture import Picture, about, cards_come_to_hands, check_picture, settle
from potshare.simulate.work import thread_count

SAMPLES = {1: 1_000_000, 2: 50_000}
"""Deals for each next card, and for each next two, unless a stop rule is given."""

_SCALAR = 20
"""So many times fewer where deals are not made in vectors, which takes as many times as long."""

BINS = 10
"""Parts of the histogram of equities."""

_COUNTED_CHOICES = 2_000

_CHOICES = 1 << 17
"""Choices of hands that tell how likely each card is where it is not counted: to half a per cent of its likelihood."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Runout:
    """What comes and what it makes: the equity of each player with its standard error; `weight` is its probability."""

    cards: tuple[str, ...]
    equities: tuple[float, ...]
    weight: float
    stderrs: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "cards": list(self.cards),
            "equities": list(self.equities),
            "weight": self.weight,
            "stderrs": list(self.stderrs),
        }


@dataclass(frozen=True)
class Runouts(Picture):
    """Every next card (`ahead` 1) or pair of them (`ahead` 2), in ascending order of cards: `on` is `board`, or `hand`
    where they come to the first player."""

    hands: tuple[str, ...]
    ahead: int
    on: str
    cells: tuple[Runout, ...]

    def best(self, number: int = 3, player: int = 0) -> tuple[Runout, ...]:
        """The runouts on which a player stands best."""
        return tuple(sorted(self.cells, key=lambda cell: -cell.equities[player])[:number])

    def worst(self, number: int = 3, player: int = 0) -> tuple[Runout, ...]:
        """The runouts on which a player stands worst, the worst first."""
        return tuple(sorted(self.cells, key=lambda cell: cell.equities[player])[:number])

    def histogram(self, player: int = 0) -> tuple[float, ...]:
        """How likely a player's equity ends in each tenth, from 0-10 % to 90-100 %."""
        found = [0.0] * BINS
        for cell in self.cells:
            found[min(BINS - 1, int(cell.equities[player] * BINS + 1e-9))] += cell.weight
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            **self.head(),
            "ahead": self.ahead,
            "on": self.on,
            "best": [cell.to_dict() for cell in self.best()],
            "worst": [cell.to_dict() for cell in self.worst()],
            "histogram": list(self.histogram()),
            "cells": [cell.to_dict() for cell in self.cells],
        }


def _to_come(question: Spot, ahead: int) -> None:
    variant = question.variant
    cards = "card" if ahead == 1 else "two cards"
    if cards_come_to_hands(variant):
        first = question.ranges[0]
        if not isinstance(first, Holding):
            raise PotshareError(
                f"the next {cards} of the first player can be shown for written cards, not for '{first.text}'"
            )
        left = variant.hole_cards - len(first.cards)
        what = f"the hand {first.text}"
    else:
        left = variant.board_cards - len(question.board)
        what = f"the board {format_cards(question.board)}"
    if left < ahead:
        state = "is complete" if left == 0 else f"has room for {left} more"
        raise PotshareError(f"there is no next {cards}: {what} {state}")


def _next_cards(question: Spot, ahead: int) -> list[tuple[int, ...]]:
    # Cards that somebody surely holds cannot come.
    held = {int(c) for r in question.ranges if not r.is_random and len(r) == 1 for c in r.combos[0]}
    cards = [c for c in question.live if c not in held]
    first = question.ranges[0]
    if cards_come_to_hands(question.variant) and isinstance(first, Holding):
        facing = down_mask(question.variant) >> len(first.cards) & (1 << ahead) - 1
        if 0 < facing < (1 << ahead) - 1 and any(h.selection == "down cards" for h in question.variant.halves):
            # Which of the two lies face down matters.
            return list(permutations(cards, ahead))
    return list(combinations(cards, ahead))


def _after(question: Spot, cards: tuple[int, ...]) -> Spot:
    if not cards_come_to_hands(question.variant):
        board = (*question.board, *cards)
        return replace(question, board=board, boards=(board,))
    first = question.ranges[0]
    assert isinstance(first, Holding)
    return replace(question, ranges=(Holding(first.text, (*first.cards, *cards)), *question.ranges[1:]))


def _is_counted(question: Spot, method: str) -> bool:
    if method != "auto":
        return method == "exact"
    choices = math.prod(len(r) for r in question.ranges)
    to_come = question.variant.board_cards - len(question.board)
    swept = to_come <= 3 and question.players == 2 and question.variant.hole_cards == 2
    return question.variant.is_flop_game and (choices <= _COUNTED_CHOICES if not swept else to_come <= 2 or choices < 4)


def runouts(
    hands: Sequence[Hand],
    ahead: int = 1,
    *,
    game: str | Variant = "holdem",
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    stderr: float | None = None,
    deals: int | None = None,
    time: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    policy: str | None = None,
    draws: int | None = None,
    progress: Progress | None = None,
) -> Runouts:
    """The equities of all players after every next card (`ahead` 1) or every next two (2).

    Other arguments as for `equity`; `stderr` and `deals` are those of each runout where they are sampled, `time` that
    of all of them. Raises `PotshareError` where no such card is to come.
    """
    started = clock.perf_counter()
    if ahead not in SAMPLES:
        raise PotshareError(f"runouts are shown one or two cards ahead, not {ahead}")
    check_rules(method, stderr, deals, time, seed)
    question = spot(hands, game, board, dead, draws)
    check_picture("runouts", question.variant)
    _to_come(question, ahead)
    ruled = stderr is not None or deals is not None or time is not None
    counted = _is_counted(question, method)
    seed = new_seed() if seed is None else seed
    asked, rules, words = settle(question, policy, seed, thread_count(threads))
    coming = _next_cards(question, ahead)
    how: dict[str, Any] = {"method": "exact"}
    if not counted:
        sample = None if ruled else SAMPLES[ahead] // (1 if lanes.form_of(asked) else _SCALAR)
        each = None if time is None else time / len(coming)
        how = {"method": "monte-carlo", "deals": deals or sample, "stderr": stderr, "time": each, "seed": seed}
        if asked.variant.choices:
            how["policy"] = rules
    cells: list[tuple[tuple[int, ...], Equity]] = []
    for done, cards in enumerate(coming):
        after = _after(asked, cards)
        try:
            answer = equity(
                *after.ranges, game=after.variant, board=after.board, dead=_dead(after), threads=threads, **how
            )
        except NoDealError:
            # A card that every hand of a range needs cannot come either.
            continue
        cells.append((cards, answer))
        if progress:
            progress((done + 1) / len(coming))
    if not cells:
        raise PotshareError("no next card is possible with these hands")
    if counted:
        weights = [_mass(asked, cards, answer) for cards, answer in cells]
    else:
        weights = _likelihoods(asked, [cards for cards, _ in cells], seed)
    total = sum(weights)
    return Runouts(
        **about(
            question, started, counted=counted, seed=seed, policy=words,
            stderr=max(p.stderr for _, answer in cells for p in answer.players),
        ),
        hands=tuple(r.text for r in question.ranges),
        ahead=ahead,
        on="hand" if cards_come_to_hands(question.variant) else "board",
        cells=tuple(
            Runout(
                tuple(card_name(c) for c in cards), tuple(p.equity for p in answer.players), weight / total,
                tuple(p.stderr for p in answer.players),
            )
            for (cards, answer), weight in zip(cells, weights, strict=True)
        ),
    )  # fmt: skip


def _mass(question: Spot, cards: tuple[int, ...], answer: Equity) -> float:
    # How many (weighted) deals have these cards. The last hand that is left of a range is counted with weight 1.
    mass = float(sum(answer.players[0].counts.values()))
    for i in question.ranged:
        live = question.ranges[i].weights[~np.isin(question.ranges[i].combos, cards).any(axis=1)]
        if len(live) == 1:
            mass *= float(live[0])
    return mass


def _likelihoods(question: Spot, coming: Sequence[tuple[int, ...]], seed: int) -> list[float]:
    # How likely cards are to come: all alike, but for those that players may hold whose hands are ranges.
    if not question.ranged:
        return [1.0] * len(coming)
    hands = [question.rows(i) for i in question.ranged]
    # No exchange of suits leaves all suits alone: the cards themselves are asked for.
    suits = tuple((suit,) for suit in range(4))
    choices = choice.prepare(range(len(hands)), [c for c, _ in hands], [w for _, w in hands], suits, seed)
    held = choice.joint_masks(choices, _CHOICES, seed)
    return [float(((held & cards) == 0).mean()) for cards in combo_masks(np.array(coming, np.uint8))]


def _dead(question: Spot) -> Cards:
    # As it is asked again: unseen cards have no number.
    return format_cards(question.dead) + "??" * question.unseen if question.unseen else question.dead


# -- streets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StreetEquity:
    """A street, the board on it (`/` between two), the players' cards so far where they come street by street, and the
    answer there."""

    street: str
    board: tuple[str, ...]
    answer: Equity

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "street": self.street,
            "board": list(self.board),
            "hands": [p.hand for p in self.answer.players],
            "method": self.answer.method,
            "equities": [p.equity for p in self.answer.players],
            "stderrs": [p.stderr for p in self.answer.players],
        }


_STREETS = ("preflop", "flop", "turn", "river")


def _boards_by_street(question: Spot) -> Iterator[tuple[str, str]]:
    # The name of each street and the boards on it as text.
    sizes = [0, *accumulate(question.variant.board_streets)]
    most = max(map(len, question.boards))
    named = dict(zip(sizes, _STREETS if sizes == [0, 3, 4, 5] else map(str, sizes), strict=False))
    for size in [*(size for size in sizes if size < most), most]:
        boards = "/".join(format_cards(cards[:size]) for cards in question.boards)
        yield named.get(size, f"{size} cards"), boards if size else ""


def _hands_by_street(question: Spot) -> Iterator[tuple[str, list[Hand]]]:
    # The name of each street and what the players hold on it.
    dealt = 0
    most = max((len(r.cards) for r in question.ranges if isinstance(r, Holding)), default=0)
    for street in question.variant.streets:
        dealt += street.down + street.up
        held: list[Hand] = [
            Holding(format_cards(r.cards[:dealt]), r.cards[:dealt]) if isinstance(r, Holding) else r
            for r in question.ranges
        ]
        yield street.name, held
        if dealt >= most:
            return


def streets(
    hands: Sequence[Hand], *, game: str | Variant = "holdem", board: Cards = "", dead: Cards = "",
    draws: int | None = None, **options: Any,
) -> tuple[StreetEquity, ...]:  # fmt: skip
    """The equities before the board and after each street of it, up to the given board; in stud, those on each street
    up to the cards that the hands have.

    Ranges keep on each street every hand that the board so far allows. Options as for `equity`. Raises
    `PotshareError` for games that are not dealt street by street.
    """
    question = spot(hands, game, board, dead, draws)
    variant = question.variant
    check_picture("streets", variant)
    found = []
    if cards_come_to_hands(variant):
        for name, held in _hands_by_street(question):
            answer = equity(*held, game=variant, board=board, dead=dead, **options)
            found.append(StreetEquity(name, answer.board, answer))
    else:
        for name, cards in _boards_by_street(question):
            answer = equity(*hands, game=variant, board=cards, dead=dead, **options)
            found.append(StreetEquity(name, answer.board, answer))
    return tuple(found)

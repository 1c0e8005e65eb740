"""Equity after every next card, or every next two, and equity street by street.

Every next card is a question of its own, asked through the same front door. Whether all of them are counted or
all are sampled is decided once, from the sizes of the ranges, so that a picture never mixes the two and the same
seed always gives the same picture.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Any

import numpy as np

from potshare.errors import PotshareError
from potshare.evaluator.cards import card_name, format_cards
from potshare.simulate.equity import Equity, equity
from potshare.simulate.spot import Cards, Hand, Spot, spot
from potshare.simulate.variants import Variant

SAMPLES = {1: 100_000, 2: 10_000}
"""Deals for each next card, and for each next two."""

BINS = 10
"""Parts of the histogram of equities."""

_COUNTED_CHOICES = 2_000

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Runout:
    """What comes and what it makes: the equity of each player; `weight` is its probability."""

    cards: tuple[str, ...]
    equities: tuple[float, ...]
    weight: float

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {"cards": list(self.cards), "equities": list(self.equities), "weight": self.weight}


@dataclass(frozen=True)
class Runouts:
    """Every next card (`ahead` 1) or pair of them (`ahead` 2), in ascending order of cards."""

    game: str
    method: str
    board: tuple[str, ...]
    dead: tuple[str, ...]
    hands: tuple[str, ...]
    ahead: int
    seed: int | None
    seconds: float
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
            "ahead": self.ahead,
            "method": self.method,
            "seed": self.seed,
            "seconds": self.seconds,
            "best": [cell.to_dict() for cell in self.best()],
            "worst": [cell.to_dict() for cell in self.worst()],
            "histogram": list(self.histogram()),
            "cells": [cell.to_dict() for cell in self.cells],
        }


def _to_come(question: Spot, ahead: int) -> None:
    variant = question.variant
    if not variant.board_cards or variant.boards > 1:
        raise PotshareError(f"{variant.name} has no board, or more than one, on which a next card could be shown")
    left = variant.board_cards - len(question.board)
    if left < ahead:
        cards = "card" if ahead == 1 else "two cards"
        state = "is complete" if left == 0 else f"has room for {left} more"
        raise PotshareError(f"there is no next {cards}: the board {format_cards(question.board)} {state}")


def _next_cards(question: Spot, ahead: int) -> list[tuple[int, ...]]:
    # Cards that somebody surely holds cannot come.
    held = {int(c) for r in question.ranges if not r.is_random and len(r) == 1 for c in r.combos[0]}
    return list(combinations([c for c in question.live if c not in held], ahead))


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
    deals: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Runouts:
    """The equities of all players after every next card (`ahead` 1) or every next two (2).

    Other arguments as for `equity`; `deals` are those of each runout where they are sampled. Raises `PotshareError`
    where no such card is to come.
    """
    started = clock.perf_counter()
    if ahead not in SAMPLES:
        raise PotshareError(f"runouts are shown one or two cards ahead, not {ahead}")
    question = spot(hands, game, board, dead)
    _to_come(question, ahead)
    counted = _is_counted(question, method) and deals is None
    if not counted and seed is None:
        seed = int.from_bytes(np.random.default_rng().bytes(6), "little")
    coming = _next_cards(question, ahead)
    cells: list[tuple[tuple[int, ...], Equity]] = []
    for done, cards in enumerate(coming):
        table = (*question.board, *cards)
        try:
            answer = equity(
                *question.ranges, game=question.variant, board=table, dead=question.dead,
                method="exact" if counted else "monte-carlo", threads=threads,
                deals=None if counted else deals or SAMPLES[ahead], seed=None if counted else seed,
            )  # fmt: skip
        except PotshareError:
            # A card that every hand of a range needs cannot come either.
            continue
        cells.append((cards, answer))
        if progress:
            progress((done + 1) / len(coming))
    if not cells:
        raise PotshareError("no next card is possible with these hands")
    # How often a card comes is how many (weighted) deals have it; sampled, all cards count alike.
    weights = [float(answer.tally[0].sum()) if counted else 1.0 for _, answer in cells]
    total = sum(weights)
    return Runouts(
        game=question.variant.name,
        method="exact" if counted else "monte-carlo",
        board=tuple(card_name(c) for c in question.board),
        dead=tuple(card_name(c) for c in question.dead),
        hands=tuple(r.text for r in question.ranges),
        ahead=ahead,
        seed=None if counted else seed,
        seconds=clock.perf_counter() - started,
        cells=tuple(
            Runout(tuple(card_name(c) for c in cards), tuple(p.equity for p in answer.players), weight / total)
            for (cards, answer), weight in zip(cells, weights, strict=True)
        ),
    )


# -- streets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StreetEquity:
    """A street, the board on it, and the answer there."""

    street: str
    board: tuple[str, ...]
    answer: Equity

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "street": self.street,
            "board": list(self.board),
            "method": self.answer.method,
            "equities": [p.equity for p in self.answer.players],
            "stderrs": [p.stderr for p in self.answer.players],
        }


_STREETS = ("preflop", "flop", "turn", "river")


def streets(
    hands: Sequence[Hand], *, game: str | Variant = "holdem", board: Cards = "", dead: Cards = "", **options: Any
) -> tuple[StreetEquity, ...]:
    """The equities before the board and after each street of it, up to the given board.

    Ranges keep on each street every hand that the board so far allows. Options as for `equity`. Raises
    `PotshareError` for games without a board.
    """
    question = spot(hands, game, board, dead)
    variant = question.variant
    if not variant.board_cards or variant.boards > 1:
        raise PotshareError(f"{variant.name} has no board, or more than one, that could be shown street by street")
    sizes = [0, *accumulate(variant.board_streets)]
    shown = [size for size in sizes if size < len(question.board)] + [len(question.board)]
    named = dict(zip(sizes, _STREETS if sizes == [0, 3, 4, 5] else map(str, sizes), strict=False))
    found = []
    for size in shown:
        cards = question.board[:size]
        answer = equity(*hands, game=variant, board=cards, dead=question.dead, **options)
        texts = tuple(card_name(c) for c in cards)
        found.append(StreetEquity(named.get(size, f"{size} cards"), texts, answer))
    return tuple(found)

"""Ladders: every value of a ranking from the worst to the best, as plain data.

A rung is a category and the ranks that decide, in the order in which they are compared and spoken: the rung
of a full house, nines over tens, is `("full house", (7, 8))`. A strength is a rung's place on the ladder,
counted from 1. Everything else about a ranking (values of rank multisets, of flushes, categories, words)
is derived from its ladder, so a new five-card ranking is a new ladder and nothing more.

Tuples compare as the rules do: category first, then the ranks in turn, and a hand with an extra kicker
beats the same hand without it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

Ranks = tuple[int, ...]


class Rung(NamedTuple):
    """One value of a ranking: the index of its category and the ranks that decide, most important first."""

    category: int
    ranks: Ranks


@dataclass(frozen=True)
class Ladder:
    """All values of a ranking. `categories` and `rungs` run from the worst to the best."""

    categories: tuple[str, ...]
    rungs: tuple[Rung, ...]

    def places(self) -> dict[Rung, int]:
        """The strength of each rung: 1 for the worst."""
        return {rung: i + 1 for i, rung in enumerate(self.rungs)}

    def starts(self) -> tuple[int, ...]:
        """For each category the strength of its first rung (also where the category is empty)."""
        return tuple(
            1 + sum(rung.category < category for rung in self.rungs) for category in range(len(self.categories))
        )


HIGH_CATEGORIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip

STRAIGHTS: dict[Ranks, int] = {tuple(range(top, top - 5, -1)): top for top in range(12, 3, -1)} | {(12, 3, 2, 1, 0): 3}
"""Five ranks, highest first, to the rank that names the straight; the wheel is five high."""


def groups(ranks: Iterable[int]) -> tuple[Ranks, Ranks]:
    """How often each rank occurs and the ranks themselves, both by (count, rank), greatest first.

    Tens full of twos: `((3, 2), (8, 0))`.
    """
    ordered = sorted(ranks, reverse=True)
    found = sorted(((ordered.count(r), r) for r in set(ordered)), reverse=True)
    return tuple(c for c, _ in found), tuple(r for _, r in found)


_BY_SHAPE = {1: "high card", 2: "pair", 3: "three of a kind", 4: "four of a kind"}


def shape_name(counts: Ranks) -> str:
    """The name of a hand by its pairs alone: `(2, 2, 1)` is two pair."""
    if counts[:2] == (2, 2):
        return "two pair"
    if counts[:2] == (3, 2):
        return "full house"
    return _BY_SHAPE[counts[0]]


def high_rung(
    ranks: Iterable[int],
    flush: bool,
    categories: tuple[str, ...] = HIGH_CATEGORIES,
    straights: dict[Ranks, int] = STRAIGHTS,
) -> Rung:
    """The rung of one to five cards under the order of `categories`; straights and flushes need five."""
    counts, deciding = groups(ranks)
    top = straights.get(deciding) if sum(counts) == 5 else None
    if top is not None:
        return Rung(categories.index("straight flush" if flush else "straight"), (top,))
    if flush and len(deciding) == 5:
        return Rung(categories.index("flush"), deciding)
    return Rung(categories.index(shape_name(counts)), deciding)


def rank_hands(size: int, ranks: Iterable[int] = range(13)) -> Iterable[Ranks]:
    """Every rank multiset of `size` cards, at most four a rank, highest rank first."""
    down = sorted(ranks, reverse=True)
    for hand in itertools.combinations_with_replacement(down, size):
        if all(hand[i] != hand[i + 4] for i in range(size - 4)):
            yield hand


def build(categories: tuple[str, ...], rungs: Iterable[Rung]) -> Ladder:
    """The ladder of all distinct rungs, worst first."""
    return Ladder(categories, tuple(sorted(set(rungs))))


def high() -> Ladder:
    """Five cards, 7,462 values."""
    offsuit = (high_rung(hand, False) for hand in rank_hands(5))
    suited = (high_rung(hand, True) for hand in itertools.combinations(range(13), 5))
    return build(HIGH_CATEGORIES, itertools.chain(offsuit, suited))


def high_partial() -> Ladder:
    """One to five cards in one order, 9,841 values; straights and flushes only with five cards."""
    partial = (high_rung(hand, False) for size in range(1, 5) for hand in rank_hands(size))
    return build(HIGH_CATEGORIES, itertools.chain(partial, high().rungs))


LADDERS: dict[str, Callable[[], Ladder]] = {"high": high, "high-partial": high_partial}

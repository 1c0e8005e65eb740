"""Ladders: every value of a ranking from the worst to the best, as plain data.

A rung is a category and the ranks that decide, in the order in which they are compared and spoken: the rung
of a full house, nines over tens, is `("full house", (7, 8))`, that of a wheel `("straight", (3, 2, 1, 0, 12))`.
A strength is a rung's place on the ladder, counted from 1. Everything else about a ranking (values of rank
multisets, of flushes, categories, words, best cards) is derived from its ladder, so a new ranking of rank
multisets and flushes is a new ladder and nothing more.

A ladder is made by a function that names the rung of a few cards from their ranks and whether they are of one
suit; the rungs are those of all hands, sorted. High rungs sort as tuples do: category first, then the ranks in
turn, and a hand with an extra kicker beats the same hand without it. Low rungs sort the other way round within
a category, the ace counted low or high as the game has it, and the longer hand with the same beginning is the
worse low.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

Ranks = tuple[int, ...]


class Rung(NamedTuple):
    """One value of a ranking: the index of its category and the ranks that decide, most important first."""

    category: int
    ranks: Ranks


RungOf = Callable[[Ranks, bool], Rung | None]
"""The rung of ranks (highest first) that are suited or not; None where there is no such hand."""


@dataclass(frozen=True)
class Ladder:
    """All values of a ranking. `categories` and `rungs` run from the worst to the best.

    `rung` names the rung of `sizes` cards (of more cards the best count), `suited` says whether suits matter,
    `ranks` are those of the deck.
    """

    categories: tuple[str, ...]
    rungs: tuple[Rung, ...]
    rung: RungOf
    sizes: range
    suited: bool = True
    ranks: range = range(13)

    def places(self) -> dict[Rung, int]:
        """The strength of each rung: 1 for the worst."""
        return {rung: i + 1 for i, rung in enumerate(self.rungs)}

    def starts(self) -> tuple[int, ...]:
        """For each category the strength of its first rung (also where the category is empty)."""
        return tuple(
            1 + sum(rung.category < category for rung in self.rungs) for category in range(len(self.categories))
        )


COUNTS: dict[str, Ranks] = {
    "pair": (2, 1, 1, 1),
    "two pair": (2, 2, 1),
    "three of a kind": (3, 1, 1),
    "full house": (3, 2),
    "four of a kind": (4, 1),
    "five of a kind": (5,),
    "pair of sevens": (2,),
}
"""How often each deciding rank occurs in the hand, by category; once in every other category."""

_SHAPES = {counts: name for name, counts in COUNTS.items()} | {(2,): "pair", (2, 1): "pair", (2, 1, 1): "pair"}
_SHAPES |= {(2, 2): "two pair", (3,): "three of a kind", (3, 1): "three of a kind", (4,): "four of a kind"}


def rank_hands(size: int, ranks: Iterable[int] = range(13)) -> Iterable[Ranks]:
    """Every rank multiset of `size` cards, at most four a rank, highest rank first."""
    down = sorted(ranks, reverse=True)
    for hand in itertools.combinations_with_replacement(down, size):
        if all(hand[i] != hand[i + 4] for i in range(size - 4)):
            yield hand


def groups(ranks: Iterable[int]) -> tuple[Ranks, Ranks]:
    """How often each rank occurs and the ranks themselves, both by (count, rank), greatest first.

    Tens full of twos: `((3, 2), (8, 0))`.
    """
    ordered = sorted(ranks, reverse=True)
    if len(set(ordered)) == len(ordered):
        return (1,) * len(ordered), tuple(ordered)
    found = sorted(((ordered.count(r), r) for r in set(ordered)), reverse=True)
    return tuple(c for c, _ in found), tuple(r for _, r in found)


def low(rank: int) -> int:
    """A rank with the ace lowest: 0 for the ace, 12 for the king."""
    return (rank + 1) % 13


def _low_ranks(ranks: Iterable[int]) -> Ranks:
    return tuple(low(r) for r in ranks)


def runs(length: int, ranks: range = range(13), wheel: bool = True) -> dict[Ranks, Ranks]:
    """Every straight of a deck: its ranks, highest first, to its ranks as spoken (a wheel ends with the ace)."""
    found = {}
    for top in range(ranks[-1], ranks[0] + length - 2, -1):
        spoken = tuple(range(top, top - length, -1))
        found[spoken] = spoken
    if wheel:
        spoken = (*range(ranks[0] + length - 2, ranks[0] - 1, -1), ranks[-1])
        found[tuple(sorted(spoken, reverse=True))] = spoken
    return found


def _ladder(
    categories: tuple[str, ...],
    rung: RungOf,
    sizes: range,
    *,
    suited: bool = True,
    ranks: range = range(13),
    worst_first: Callable[[Rung], Any] = lambda rung: rung,
) -> Ladder:
    hands = [rung(hand, False) for size in sizes for hand in rank_hands(size, ranks)]
    if suited:
        hands += [rung(hand[::-1], True) for hand in itertools.combinations(ranks, sizes[-1])]
    rungs = tuple(sorted({found for found in hands if found is not None}, key=worst_first))
    return Ladder(categories, rungs, rung, sizes, suited, ranks)


# High hands. A ranking is an order of categories and a set of straights.

HIGH_CATEGORIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip
_SHORT_DECK_CATEGORIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "full house", "flush", "four of a kind",
    "straight flush",
)  # fmt: skip
_SHORT_DECK_TRIPS_CATEGORIES = (
    "high card", "pair", "two pair", "straight", "three of a kind", "full house", "flush", "four of a kind",
    "straight flush",
)  # fmt: skip
_THREE_CARD_CATEGORIES = ("high card", "pair", "straight", "flush", "three of a kind", "straight flush")
_CASINO_CATEGORIES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
_SHORT_RANKS = range(4, 13)


def _high_rung(categories: tuple[str, ...], straights: dict[Ranks, Ranks], size: int) -> RungOf:
    """Rungs of high hands; straights and flushes need `size` cards."""
    index = {name: i for i, name in enumerate(categories)}

    def rung(ranks: Ranks, suited: bool) -> Rung:
        spoken = straights.get(ranks)
        if spoken is not None:
            return Rung(index["straight flush" if suited else "straight"], spoken)
        counts, deciding = groups(ranks)
        if suited and len(deciding) == size:
            return Rung(index["flush"], deciding)
        return Rung(index[_SHAPES.get(counts, "high card")], deciding)

    return rung


def _high(categories: tuple[str, ...], sizes: range, ranks: range = range(13)) -> Ladder:
    size = sizes[-1]
    return _ladder(categories, _high_rung(categories, runs(size, ranks), size), sizes, ranks=ranks)


def high() -> Ladder:
    """Five cards, 7,462 values."""
    return _high(HIGH_CATEGORIES, range(5, 6))


def high_partial() -> Ladder:
    """One to five cards in one order, 9,841 values; straights and flushes only with five cards."""
    return _high(HIGH_CATEGORIES, range(1, 6))


def short_deck() -> Ladder:
    """Five cards of 36, flush over full house, 1,404 values."""
    return _high(_SHORT_DECK_CATEGORIES, range(5, 6), _SHORT_RANKS)


def short_deck_trips() -> Ladder:
    """Short deck with trips over straight, 1,404 values."""
    return _high(_SHORT_DECK_TRIPS_CATEGORIES, range(5, 6), _SHORT_RANKS)


def three_card() -> Ladder:
    """Three cards, trips over flush over straight, 741 values."""
    return _high(_THREE_CARD_CATEGORIES, range(3, 4))


def three_card_casino() -> Ladder:
    """Three cards, straight over flush, 741 values."""
    return _high(_CASINO_CATEGORIES, range(3, 4))


# Low hands.

LOW_CATEGORIES = ("four of a kind", "full house", "three of a kind", "two pair", "pair", "no pair")
EIGHT_CATEGORIES = ("eight low", "seven low", "six low", "five low")
DEUCE_CATEGORIES = (
    "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind", "two pair", "pair",
    "no pair",
)  # fmt: skip


class _Down(tuple[int, ...]):
    """Ranks that compare the other way round: the greater, and the longer with the same beginning, is less."""

    __slots__ = ()

    def __lt__(self, other: tuple[int, ...]) -> bool:
        return tuple(self) > tuple(other)


def _ace_low(rung: Rung) -> tuple[int, Ranks]:
    return (rung.category, _Down(_low_ranks(rung.ranks)))


def _ace_high(rung: Rung) -> tuple[int, Ranks]:
    return (rung.category, _Down(rung.ranks))


def _ace_to_five_rung(ranks: Ranks, suited: bool) -> Rung:
    counts, deciding = groups(_low_ranks(ranks))
    return Rung(LOW_CATEGORIES.index(_SHAPES.get(counts, "no pair")), tuple((r - 1) % 13 for r in deciding))


def ace_to_five() -> Ladder:
    """Five cards for low, the ace low, straights and flushes ignored, 6,175 values."""
    return _ladder(LOW_CATEGORIES, _ace_to_five_rung, range(5, 6), suited=False, worst_first=_ace_low)


def ace_to_five_partial() -> Ladder:
    """One to five cards for low in one order, 8,554 values: every rank multiset has its own."""
    return _ladder(LOW_CATEGORIES, _ace_to_five_rung, range(1, 6), suited=False, worst_first=_ace_low)


def _eight_rung(ranks: Ranks, suited: bool) -> Rung | None:
    lows = sorted((low(r) for r in ranks), reverse=True)
    if len(set(lows)) < 5 or lows[0] > 7:
        return None
    return Rung(7 - lows[0], tuple((r - 1) % 13 for r in lows))


def eight_or_better() -> Ladder:
    """Five different ranks of eight or lower, 56 values."""
    return _ladder(EIGHT_CATEGORIES, _eight_rung, range(5, 6), suited=False, worst_first=_ace_low)


_DEUCE_STRAIGHTS = runs(5, wheel=False)
_deuce_high = _high_rung(HIGH_CATEGORIES, _DEUCE_STRAIGHTS, 5)


def _deuce_rung(ranks: Ranks, suited: bool) -> Rung:
    found = _deuce_high(ranks, suited)
    assert found is not None
    return Rung(len(HIGH_CATEGORIES) - 1 - found.category, found.ranks)


def deuce_to_seven() -> Ladder:
    """The order of high turned round, the ace only high, 7,462 values."""
    return _ladder(DEUCE_CATEGORIES, _deuce_rung, range(5, 6), worst_first=_ace_high)


BADUGI_CATEGORIES = ("one card", "two cards", "three cards", "badugi")


def _badugi_rung(ranks: Ranks, suited: bool) -> Rung | None:
    lows = sorted((low(r) for r in ranks), reverse=True)
    if len(set(lows)) < len(lows):
        return None
    return Rung(len(lows) - 1, tuple((r - 1) % 13 for r in lows))


def badugi() -> Ladder:
    """One to four cards of different ranks (and suits, which ranks do not show), 1,092 values."""
    return _ladder(BADUGI_CATEGORIES, _badugi_rung, range(1, 5), suited=False, worst_first=_ace_low)


# Two cards and one card.

_MURDER_HIGH_CATEGORIES = ("high card", "pair", "pair of sevens")
_MURDER_LOW_CATEGORIES = ("pair", "no pair", "pair of sevens")
_SEVENS = (5, 5)


def _murder_rung(categories: tuple[str, ...], unpaired: str) -> RungOf:
    def rung(ranks: Ranks, suited: bool) -> Rung:
        if ranks == _SEVENS:
            return Rung(2, ranks[:1])
        paired = ranks[0] == ranks[1]
        return Rung(categories.index("pair" if paired else unpaired), ranks[:1] if paired else ranks)

    return rung


def two_card_high() -> Ladder:
    """Two cards, pairs over no pair, aces high, sevens over everything, 91 values."""
    rung = _murder_rung(_MURDER_HIGH_CATEGORIES, "high card")
    return _ladder(_MURDER_HIGH_CATEGORIES, rung, range(2, 3), suited=False)


def two_card_low() -> Ladder:
    """Two cards for low, aces high, no pair over pairs, sevens over everything, 91 values."""
    return _ladder(
        _MURDER_LOW_CATEGORIES,
        _murder_rung(_MURDER_LOW_CATEGORIES, "no pair"),
        range(2, 3),
        suited=False,
        worst_first=_ace_high,
    )


def high_spade() -> Ladder:
    """The rank of a spade, 13 values."""
    return _ladder(("high spade",), lambda ranks, suited: Rung(0, ranks), range(1, 2))


# Wild cards.


def with_five_of_a_kind(ladder: Ladder, ranks: Iterable[int]) -> Ladder:
    """A ladder of high hands with five of a kind of these ranks on top; every other strength stays as it is."""
    top = len(ladder.categories)
    rungs = (*ladder.rungs, *(Rung(top, (rank,)) for rank in sorted(ranks)))
    categories = (*ladder.categories, "five of a kind")
    return Ladder(categories, rungs, ladder.rung, ladder.sizes, ladder.suited, ladder.ranks)


LADDERS: dict[str, Callable[[], Ladder]] = {
    "high": high,
    "high-partial": high_partial,
    "ace-to-five": ace_to_five,
    "ace-to-five-partial": ace_to_five_partial,
    "eight-or-better": eight_or_better,
    "deuce-to-seven": deuce_to_seven,
    "badugi": badugi,
    "short-deck": short_deck,
    "short-deck-trips": short_deck_trips,
    "three-card": three_card,
    "three-card-casino": three_card_casino,
    "two-card-high": two_card_high,
    "two-card-low": two_card_low,
    "high-spade": high_spade,
}

"""Tables of a ranking with wild cards, derived from the ranking's own.

A hand with w wild cards is worth the best of the hands with w - 1 in which one of them has become a real rank.
So from the values of rank multisets without wild cards come those with one, from these those with two, and so
on: thirteen look-ups an entry and never a substitution of cards. Five of a kind, where it is ranked, is added
where a rank and the wild cards make five. Flushes go the same way over the 13-bit mask of a suit: a wild card
becomes a rank that the suit does not have yet (so there is no double-ace flush), and straight flushes come out
of the same step.

The bug is an ace, or completes a straight, a flush or a straight flush: its one step admits an ace, and other
ranks only where the outcome is a straight.

A wild card adds no rank and no suit to a hand's sum, only one to a counter at bit 40. Ranks that are wild are
taken out of the suit masks when the flush table is made, so the mask of a hand needs no care.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from potshare.tables import RankTables, rank_hash
from potshare.tables.ladders import Ladder

WILD_SHIFT = 40
PLANE_BITS = 17
"""Each number of wild cards has 2 ** 17 entries of `value`, room for every rank multiset."""
MOST_WILDS = 5
"""More wild cards than these add nothing to a hand of five; hands with more are read as if they had five."""

_RANK_BITS = np.uint64(0xFFFFFFFF)
_ACE = 12


@dataclass(frozen=True)
class Wilds:
    """Which cards are wild: every card of some ranks, and the deck's jokers: up to two fully wild, or one bug."""

    ranks: tuple[int, ...] = ()
    jokers: int = 0
    bug: bool = False

    @property
    def most(self) -> int:
        """How many wild cards a hand of seven can hold."""
        return min(7, 4 * len(self.ranks) + self.jokers)

    def cards(self) -> tuple[int, ...]:
        """The numbers of the wild cards."""
        return tuple(4 * rank + suit for rank in self.ranks for suit in range(4)) + tuple(range(52, 52 + self.jokers))


def wild_tables(base: RankTables, ladder: Ladder, wilds: Wilds, flushes: bool) -> RankTables:
    """The tables of a ranking of five to seven cards with `wilds`, whose ladder without wild cards is `base`'s.

    `value` holds a plane of 2 ** 17 entries for each number of wild cards. Where `flushes` count for a
    hand, `flush` holds a plane of 8192 likewise; else planes of 16384, the first as deuce-to-seven has it.
    `ladder` is the wild ranking's; its five of a kind, if any, stand above the base's rungs.
    """
    planes = 1 + min(MOST_WILDS, wilds.most)
    key = base.key.copy()
    key[list(wilds.cards())] = np.uint64(1 << WILD_SHIFT)

    multiplier = (base.key[:52:4] & _RANK_BITS).astype(np.int64)
    straights = _category(ladder, "straight") if wilds.bug else range(0)
    quints = {
        rung.ranks[0]: place
        for place, rung in enumerate(ladder.rungs, 1)
        if ladder.categories[rung.category] == "five of a kind"
    }
    sets = {size: rank_hash.multisets(size) for size in range(rank_hash.MAX_CARDS + 1)}
    places = {
        size: rank_hash.places(counts.astype(np.int64) @ multiplier, base.offset) for size, counts in sets.items()
    }
    value = np.zeros((planes, 1 << PLANE_BITS), np.uint16)
    value[0, : base.value.size] = base.value
    for w in range(1, planes):
        for size in range(max(0, 5 - w), 8 - w):
            counts, here = sets[size], places[size]
            best = np.zeros(len(here), np.uint16)
            for rank in range(13):
                room = counts[:, rank] < 4
                more = counts[room].astype(np.int64)
                more[:, rank] += 1
                found = value[w - 1][rank_hash.places(more @ multiplier, base.offset)]
                if wilds.bug and rank != _ACE:
                    found = np.where((found >= straights.start) & (found < straights.stop), found, 0)
                best[room] = np.maximum(best[room], found)
                if rank in quints:
                    full = counts[:, rank] + w >= 5
                    best[full] = np.maximum(best[full], quints[rank])
            value[w][here] = best

    if flushes:
        flush = _flush_planes(base.flush, planes, wilds)
    else:
        # Where suits do not count for a hand they matter only without wild cards, as far as they matter at all.
        flush = np.zeros(planes << 14, np.uint16)
        if base.flush.size == 1 << 14:
            flush[: 1 << 14] = base.flush
    return RankTables(key, base.offset, value.ravel(), flush)


def _flush_planes(flush: NDArray[np.uint16], planes: int, wilds: Wilds) -> NDArray[np.uint16]:
    masks = np.arange(1 << 13)
    natural = masks.copy()
    for rank in wilds.ranks:
        natural &= ~(1 << rank)
    made = flush
    found = [made[natural]]
    for _ in range(1, planes):
        before, made = made, np.zeros(1 << 13, np.uint16)
        for rank in range(13):
            free = masks[masks >> rank & 1 == 0]
            made[free] = np.maximum(made[free], before[free | 1 << rank])
        found.append(made[natural])
    return np.concatenate(found)


def _category(ladder: Ladder, name: str) -> range:
    starts = (*ladder.starts(), len(ladder.rungs) + 1)
    index = ladder.categories.index(name)
    return range(starts[index], starts[index + 1])

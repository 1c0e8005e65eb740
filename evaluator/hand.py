"""A hand as one 64-bit sum and one 64-bit mask, and the look-ups that read them.

Sum: the rank multipliers of the cards in the low 32 bits, the number of wild cards from bit 40, and from bit 48
a four-bit counter for each suit, started at three so that its top bit is set exactly when the suit has five
cards or more (at most twelve fit). Mask: the ranks present in each suit, sixteen bits a suit. Both grow by one
operation a card, so partial hands (a board, a pair of hole cards) are summed once and merged.

Every ranking is read from these two numbers by one of six leaves, which a plain integer names (`Ranking.kind`),
and from four arrays (`Ranking.tables`). `strength_of` is all six; in a kernel that closes over the integer the
other five are pruned before compiling. Where a ranking's flush needs three cards instead of five only the sum
of no cards differs: it is `key[63]`, equal to `START` for flushes of five.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import leaf
from potshare.tables.wild import PLANE_BITS

START = np.uint64(0x3333 << 48)
"""The sum of a hand without cards."""

RANKS = 0
"""Only rank multisets count: `rank_value`."""
FLUSHES = 1
"""The greater of ranks and flush: `hand_value`."""
FORCED = 2
"""Flushes count against the hand (deuce-to-seven): `forced_value`."""
BADUGI = 3
"""Different ranks and suits: `badugi_value`."""
SPADES = 4
"""Spades alone: `spade_value`."""
WILD = 5
"""Ranks and flushes with wild cards: `wild_value`."""
WILD_LOW = 6
"""Lows with wild cards: `wild_low_value`."""

_FIVE_SUITED = np.uint64(0x8888 << 48)
_RANK_BITS = np.uint64(0xFFFFFFFF)
_CLUBS = np.uint64(1 << 51)
_DIAMONDS = np.uint64(1 << 55)
_HEARTS = np.uint64(1 << 59)
_BUT_LOWEST = np.uint64(0x1FFE1FFE1FFE1FFE)
_LOWEST = np.uint64(0x0001000100010001)


@leaf
def card_mask(card):  # type: ignore[no-untyped-def]
    """The mask of one card: bit `16 * suit + rank`."""
    return np.uint64(1) << np.uint64(((card & 3) << 4) + (card >> 2))


@leaf
def rank_place(total, offset):  # type: ignore[no-untyped-def]
    """Where a sum's rank multiset has its entry in every array that was packed with `offset`."""
    key = np.int64(total & _RANK_BITS)
    return (key >> 13) + offset[key & 8191]


@leaf
def rank_value(total, offset, value):  # type: ignore[no-untyped-def]
    """The strength of a sum's ranks, flushes apart."""
    return value[rank_place(total, offset)]


@leaf
def suit_ranks(mask, suit):  # type: ignore[no-untyped-def]
    """The 13-bit rank mask of one suit."""
    return np.int64((mask >> np.uint64(16 * suit)) & np.uint64(8191))


@leaf
def top_suit(counters):  # type: ignore[no-untyped-def]
    """The first suit whose counter has its top bit set; 3 when no other has."""
    if counters & _CLUBS:
        return 0
    if counters & _DIAMONDS:
        return 1
    if counters & _HEARTS:
        return 2
    return 3


@leaf
def flush_ranks(total, mask):  # type: ignore[no-untyped-def]
    """The rank mask of the suit with five cards or more, 0 when there is none."""
    if not total & _FIVE_SUITED:
        return np.int64(0)
    return suit_ranks(mask, top_suit(total))


@leaf
def hand_value(total, mask, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of five to seven cards under a ranking whose flushes stand by themselves."""
    suited = flush_ranks(total, mask)
    ranks = rank_value(total, offset, value)
    if suited:
        # Of seven cards with a flush none makes quads or a full house under `high`, yet under other
        # orders the ranks may still be worth more; the greater of the two holds for every order.
        return max(flush[suited], ranks)
    return ranks


@leaf
def count_bits(mask):  # type: ignore[no-untyped-def]
    """The number of bits set in a uint64; LLVM makes one instruction of this loop."""
    n = 0
    while mask:
        mask &= mask - np.uint64(1)
        n += 1
    return n


@leaf
def card_of(bit):  # type: ignore[no-untyped-def]
    """The card of a mask of one card."""
    place = count_bits(bit - np.uint64(1))
    return ((place & 15) << 2) + (place >> 4)


@leaf
def _best_unsuited(total, mask, key, offset, value):  # type: ignore[no-untyped-def]
    # The best five of five, six or seven cards that are not all of one suit, 0 when there are none.
    spare = count_bits(mask) - 5
    best = np.int64(0)
    rest = mask
    while spare > 0 and rest:
        lowest = rest & (~rest + np.uint64(1))
        rest ^= lowest
        less = total - key[card_of(lowest)]
        if spare == 1:
            if not less & _FIVE_SUITED:
                best = max(best, np.int64(rank_value(less, offset, value)))
            continue
        others = rest
        while others:
            lowest = others & (~others + np.uint64(1))
            others ^= lowest
            five = less - key[card_of(lowest)]
            if not five & _FIVE_SUITED:
                best = max(best, np.int64(rank_value(five, offset, value)))
    return best


@leaf
def _forced_flush(total, mask, key, offset, value, flush):  # type: ignore[no-untyped-def]
    # Five or more cards of a suit that alone hold the best five ranks: another card may stand in for one of them.
    suit = top_suit(total)
    best = np.int64(flush[suit_ranks(mask, suit)])
    return max(best, _best_unsuited(total, mask, key, offset, value))


@leaf
def forced_value(total, mask, key, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of five to seven cards where a flush counts against the hand.

    `flush[m]` is the best five of a suit's ranks as a flush, `flush[8192 + m]` as if they were of mixed suits.
    """
    ranks = rank_value(total, offset, value)
    suited = flush_ranks(total, mask)
    # The best five ranks stand unless the suit alone makes them.
    if suited and ranks == flush[8192 + suited]:
        return _forced_flush(total, mask, key, offset, value, flush)
    return np.int64(ranks)


@leaf
def badugi_value(mask, flush):  # type: ignore[no-untyped-def]
    """The strength of at most four cards in different ranks and suits; `flush` is by rank mask, ace lowest.

    One card of each suit, whichever, makes a set of different suits, worth its different ranks. With the lowest
    of each suit that is the best, unless two of them pair; then one suit gives its second lowest instead. Suits
    never need to do so both at a time, nor their third lowest: four cards are too few.
    """
    low = ((mask << np.uint64(1)) & _BUT_LOWEST) | ((mask >> np.uint64(12)) & _LOWEST)
    c, d, h, s = suit_ranks(low, 0), suit_ranks(low, 1), suit_ranks(low, 2), suit_ranks(low, 3)
    c1, d1, h1, s1 = c & -c, d & -d, h & -h, s & -s
    c, d, h, s = c ^ c1, d ^ d1, h ^ h1, s ^ s1
    cd, hs = c1 | d1, h1 | s1
    best = flush[cd | hs]
    best = max(best, flush[(c & -c) | d1 | hs])
    best = max(best, flush[(d & -d) | c1 | hs])
    best = max(best, flush[(h & -h) | s1 | cd])
    return max(best, flush[(s & -s) | h1 | cd])


@leaf
def spade_value(mask, flush):  # type: ignore[no-untyped-def]
    """The strength of the spades of a mask."""
    return flush[suit_ranks(mask, 3)]


@leaf
def wild_count(total, planes):  # type: ignore[no-untyped-def]
    """How many wild cards a sum has, at most those that the tables have planes for."""
    return min(np.int64((total >> np.uint64(40)) & np.uint64(15)), planes - 1)


@leaf
def wild_value(total, mask, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of five to seven cards, some of them wild: planes of `value` and `flush` by their number."""
    wilds = wild_count(total, flush.size >> 13)
    best = value[(wilds << PLANE_BITS) + rank_place(total, offset)]
    for suit in range(4):
        best = max(best, flush[(wilds << 13) + suit_ranks(mask, suit)])
    return best


@leaf
def wild_low_value(total, mask, key, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of a low of five to seven cards, some of them wild.

    With a wild card in the hand a flush can always be avoided without changing the ranks.
    """
    wilds = wild_count(total, flush.size >> 14)
    ranks = value[(wilds << PLANE_BITS) + rank_place(total, offset)]
    suited = flush_ranks(total, mask)
    if wilds == 0 and suited and ranks == flush[8192 + suited]:
        return _forced_flush(total, mask, key, offset, value, flush)
    return np.int64(ranks)


@leaf
def strength_of(kind, total, mask, key, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of a hand, given as sum and mask, under a ranking of a kind with its tables."""
    if kind == RANKS:
        return rank_value(total, offset, value)
    if kind == FLUSHES:
        return hand_value(total, mask, offset, value, flush)
    if kind == FORCED:
        return forced_value(total, mask, key, offset, value, flush)
    if kind == BADUGI:
        return badugi_value(mask, flush)
    if kind == SPADES:
        return spade_value(mask, flush)
    if kind == WILD:
        return wild_value(total, mask, offset, value, flush)
    return wild_low_value(total, mask, key, offset, value, flush)

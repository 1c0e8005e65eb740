"""Tables of Omaha's selection: exactly two hole cards with exactly three of the board.

What a board of three, four or five cards can do with two hole ranks depends, flushes apart, only on the
board's rank multiset (455 + 1,820 + 6,175 of them) and on the pair of hole ranks (91). So `best[multiset][pair]`
holds the strength of the best such five cards, and a hand of four, five or six hole cards is the greatest of 6,
10 or 15 entries of one row. A flush needs three board cards and two hole cards of one suit, which at most one
suit of a board has; `suited[ranks of that suit on the board][pair]` holds its strength, straight flushes too.

Filled from a ranking's own tables when first used, which takes NumPy about ten milliseconds: three board ranks
and a pair are a five-card hand; a board of four is worth the best of its four boards of three, one of five the
best of its boards of four.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.tables import RankTables, load, rank_hash

STRIDE = 96
"""Entries a row: 91 pairs of ranks, filled up to whole cache lines."""

_RANK_BITS = np.uint64(0xFFFFFFFF)


class TwoPlusThreeTables(NamedTuple):
    """`key` and `offset` as in `RankTables`, and what they lead to.

    `row` (n,) uint16: the row of a board's rank multiset, found where its value would live. `pair` (256,) uint8:
    the column of two hole ranks, index `16 * a + b`; it is `a * (a + 1) // 2 + b` for a >= b. `best` (rows, 96)
    uint16: the strength without a flush. `suited_row` (8192,) uint16: the row of the ranks of a suit on the
    board, three or more. `suited` (rows, 96) uint16: the strength of a flush with two hole ranks of the suit.
    """

    key: NDArray[np.uint64]
    offset: NDArray[np.int32]
    row: NDArray[np.uint16]
    pair: NDArray[np.uint8]
    best: NDArray[np.uint16]
    suited_row: NDArray[np.uint16]
    suited: NDArray[np.uint16]


def build(tables: RankTables) -> TwoPlusThreeTables:
    """The tables of this selection for a ranking of rank multisets and flushes."""
    multiplier = (tables.key[:52:4] & _RANK_BITS).astype(np.int64)
    pairs = np.array([(b, a) for a in range(13) for b in range(a + 1)], np.intp)
    column = np.arange(len(pairs))
    pair = np.zeros((16, 16), np.uint8)
    pair[pairs[:, 0], pairs[:, 1]] = pair[pairs[:, 1], pairs[:, 0]] = column

    hands = {size: rank_hash.hands(size) for size in (3, 4, 5)}
    keys = {size: multiplier[ranks].sum(axis=1) for size, ranks in hands.items()}
    places = {size: rank_hash.places(key, tables.offset) for size, key in keys.items()}
    row = np.zeros(tables.value.size, np.uint16)
    first = {3: 0, 4: len(keys[3]), 5: len(keys[3]) + len(keys[4])}
    for size, place in places.items():
        row[place] = first[size] + np.arange(len(place))

    best = np.zeros((first[5] + len(keys[5]), STRIDE), np.uint16)
    five = keys[3][:, None] + multiplier[pairs].sum(axis=1)
    # Five of a rank are no hand, and their key need not lie in the table.
    counts = (hands[3][:, None, :, None] == pairs[None, :, None, :]).sum(axis=(2, 3))
    real = counts < 6
    where = np.where(real, rank_hash.places(np.where(real, five, five[0, -1]), tables.offset), 0)
    best[: first[4], : len(pairs)] = np.where(real, tables.value[where], 0)
    for size in (4, 5):
        block = best[first[size] : first[size] + len(keys[size])]
        for card in range(size):
            fewer = keys[size] - multiplier[hands[size][:, card]]
            np.maximum(block, best[row[rank_hash.places(fewer, tables.offset)]], out=block)

    suited_row = np.zeros(1 << 13, np.uint16)
    masks = np.array(
        [sum(1 << r for r in ranks) for size in (3, 4, 5) for ranks in itertools.combinations(range(13), size)],
        np.intp,
    )
    suited_row[masks] = np.arange(len(masks))
    suited = np.zeros((len(masks), STRIDE), np.uint16)
    pair_mask = np.bitwise_or.reduce(1 << pairs, axis=1)
    apart = (pairs[:, 0] != pairs[:, 1]) & (masks[:286, None] & pair_mask == 0)
    suited[:286, : len(pairs)] = np.where(apart, tables.flush[masks[:286, None] | pair_mask], 0)
    for size, start, end in ((4, 286, 1001), (5, 1001, 2288)):
        block, rest = suited[start:end], masks[start:end].copy()
        for _ in range(size):
            lowest = rest & -rest
            np.maximum(block, suited[suited_row[masks[start:end] ^ lowest]], out=block)
            rest ^= lowest
    return TwoPlusThreeTables(tables.key, tables.offset, row, pair.ravel(), best, suited_row, suited)


class LowTables(NamedTuple):
    """Lows of eight or better by masks of low ranks: ace to eight are bits 0 to 7. 0 for no low.

    `five` (256,) uint8: of all the ranks in a mask. `split` (256, 256) uint8: of three ranks in the board's mask
    (first index) and two in the hand's.
    """

    five: NDArray[np.uint8]
    split: NDArray[np.uint8]


@cache
def low_tables() -> LowTables:
    """The tables of eight-or-better lows, loaded on first use."""
    return LowTables(load("eight-or-better.five"), load("eight-or-better.split"))

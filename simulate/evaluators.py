"""A variant's halves as the tables and plain integers that the engines' kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from potshare.evaluator.hand import card_mask, hand_value
from potshare.kernel import leaf
from potshare.simulate.variants import Variant
from potshare.tables import rank_tables

BEST_FIVE = 0
TWO_PLUS_THREE = 1

_RANK_BITS = np.uint64(0xFFFFFFFF)


class Evaluators(NamedTuple):
    """What a kernel needs to evaluate the halves of a flop game: see `tables.RankTables` for the high half.

    `selection` is 0 for the best five of all cards and 1 for two hole cards plus three of the board, `has_low` 1
    when a half goes to an eight-or-better low. Two plus three: `place[(k >> 13) + offset[k & 8191]]` is the row of
    a board's ranks in `best_pair`, whose columns are `a * (a + 1) // 2 + b` for hole ranks a >= b; flushes apart.
    Lows: `low_five` (256,) by the mask of all low ranks, `low_split` (256, 256) by the board's and the hole cards'
    (bit 0 the ace, bit 7 the eight). Arrays that a game does not use have one element.
    """

    selection: int
    has_low: int
    key: NDArray[np.uint64]
    offset: NDArray[np.int32]
    value: NDArray[np.uint16]
    flush: NDArray[np.uint16]
    place: NDArray[np.uint16]
    best_pair: NDArray[np.uint16]
    low_five: NDArray[np.uint16]
    low_split: NDArray[np.uint16]


@leaf
def bits(mask):  # type: ignore[no-untyped-def]
    """The number of bits set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@leaf
def flush_of(selection, ours, shared, flush):  # type: ignore[no-untyped-def]
    """The best flush from a player's ranks and the board's ranks in one suit, 0 for none."""
    if selection != TWO_PLUS_THREE:
        return np.int64(flush[ours | shared])
    best = np.int64(0)
    first = ours
    while first:
        a = first & -first
        first ^= a
        second = first
        while second:
            b = second & -second
            second ^= b
            third = shared
            while third:
                x = third & -third
                third ^= x
                fourth = third
                while fourth:
                    y = fourth & -fourth
                    fourth ^= y
                    fifth = fourth
                    while fifth:
                        z = fifth & -fifth
                        fifth ^= z
                        best = max(best, np.int64(flush[a | b | x | y | z]))
    return best


@leaf
def high_of(selection, hole, board_sum, board_mask, key, offset, value, flush, place, best_pair):  # type: ignore[no-untyped-def]
    """The high strength of hole cards with a complete board, given as its sum and mask."""
    if selection != TWO_PLUS_THREE:
        total = board_sum
        mask = board_mask
        for c in range(hole.shape[0]):
            total += key[hole[c]]
            mask |= card_mask(hole[c])
        return np.int64(hand_value(total, mask, offset, value, flush))
    board_key = np.int64(board_sum & _RANK_BITS)
    row = place[(board_key >> 13) + offset[board_key & 8191]]
    best = np.int64(0)
    for c in range(hole.shape[0]):
        for d in range(c):
            a = max(hole[c] >> 2, hole[d] >> 2)
            b = min(hole[c] >> 2, hole[d] >> 2)
            best = max(best, np.int64(best_pair[row, a * (a + 1) // 2 + b]))
    for s in range(4):
        shared = np.int64((board_mask >> np.uint64(16 * s)) & np.uint64(8191))
        if bits(shared) >= 3:
            ours = np.int64(0)
            for c in range(hole.shape[0]):
                if hole[c] & 3 == s:
                    ours |= 1 << np.int64(hole[c] >> 2)
            best = max(best, flush_of(selection, ours, shared, flush))
    return best


@leaf
def low_ranks(card):  # type: ignore[no-untyped-def]
    """The bit of a card's rank among those that count for an eight-or-better low, or 0."""
    rank = np.int64(card) >> 2
    if rank == 12:
        return 1
    return (2 << rank) if rank < 7 else 0


@leaf
def low_of(selection, hole, board_low, low_five, low_split):  # type: ignore[no-untyped-def]
    """The eight-or-better strength of hole cards with a complete board, given as the mask of its low ranks."""
    mask = 0
    for c in range(hole.shape[0]):
        mask |= low_ranks(hole[c])
    if selection != TWO_PLUS_THREE:
        return np.int64(low_five[board_low | mask])
    return np.int64(low_split[board_low, mask])


def evaluators(variant: Variant) -> Evaluators:
    """The tables of a flop game."""
    high = variant.halves[0]
    tables = rank_tables(high.ranking)
    return Evaluators(
        0,
        0,
        *tables,
        np.zeros(1, np.uint16),
        np.zeros((1, 1), np.uint16),
        np.zeros(1, np.uint16),
        np.zeros((1, 1), np.uint16),
    )

"""A variant's halves as the tables and plain integers that the engines' kernels read."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import FLUSHES, card_mask, hand_value, rank_place, suit_ranks
from potshare.evaluator.omaha import pairs_value, suited_value
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import leaf
from potshare.simulate.variants import Variant
from potshare.tables.two_plus_three import low_tables

BEST_FIVE = 0
TWO_PLUS_THREE = 1
SELECTIONS = ("best five", "two plus three")
"""Selections in the order of their integers."""


class Evaluators(NamedTuple):
    """What a kernel needs to evaluate the halves of a flop game.

    `selection` is 0 for the best five of all cards and 1 for two hole cards plus three of the board, `has_low` 1
    when a half goes to an eight-or-better low. The arrays are those of `tables.RankTables` and, for two plus
    three, of `tables.two_plus_three`; arrays that a game does not use have one element.
    """

    selection: int
    has_low: int
    key: NDArray[np.uint64]
    offset: NDArray[np.int32]
    value: NDArray[np.uint16]
    flush: NDArray[np.uint16]
    row: NDArray[np.uint16]
    pair: NDArray[np.uint8]
    best: NDArray[np.uint16]
    suited_row: NDArray[np.uint16]
    suited: NDArray[np.uint16]
    low_five: NDArray[np.uint8]
    low_split: NDArray[np.uint8]


@leaf
def bits(mask):  # type: ignore[no-untyped-def]
    """The number of bits set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@leaf
def flush_of(selection, ours, shared, flush, pair, suited_row, suited):  # type: ignore[no-untyped-def]
    """The best flush from a player's ranks and the board's ranks in one suit, as rank masks; 0 for none."""
    if selection != TWO_PLUS_THREE:
        return np.int64(flush[ours | shared])
    best = np.int64(0)
    row = suited_row[shared]
    a = 0
    while ours >> a:
        if (ours >> a) & 1:
            for b in range(a):
                if (ours >> b) & 1:
                    best = max(best, np.int64(suited[row, pair[(a << 4) | b]]))
        a += 1
    return best


@leaf
def high_of(  # type: ignore[no-untyped-def]
    selection, holes, p, board_sum, board_mask, key, offset, value, flush, row, pair, best, suited_row, suited
):  # fmt: skip
    """The high strength of the hole cards `holes[p]` with a complete board, given as its sum and mask."""
    if selection != TWO_PLUS_THREE:
        total = board_sum
        mask = board_mask
        for c in range(holes.shape[1]):
            total += key[holes[p, c]]
            mask |= card_mask(holes[p, c])
        return np.int64(hand_value(total, mask, offset, value, flush))
    found = pairs_value(holes, p, holes.shape[1], row[rank_place(board_sum, offset)], pair, best)
    for s in range(4):
        shared = suit_ranks(board_mask, s)
        if bits(shared) >= 3:
            found = max(found, suited_value(holes, p, holes.shape[1], s, shared, pair, suited_row, suited))
    return found


@leaf
def low_ranks(card):  # type: ignore[no-untyped-def]
    """The bit of a card's rank among those that count for an eight-or-better low, or 0."""
    rank = np.int64(card) >> 2
    if rank == 12:
        return 1
    return (2 << rank) if rank < 7 else 0


@leaf
def low_of(selection, holes, p, board_low, low_five, low_split):  # type: ignore[no-untyped-def]
    """The eight-or-better strength of `holes[p]` with a complete board, given as the mask of its low ranks."""
    mask = 0
    for c in range(holes.shape[1]):
        mask |= low_ranks(holes[p, c])
    if selection != TWO_PLUS_THREE:
        return np.int64(low_five[board_low | mask])
    return np.int64(low_split[board_low, mask])


def is_flop_game(variant: Variant) -> bool:
    """Whether the engines of flop games can play a variant: a board of five, private cards face down, a high half
    of rank multisets and flushes, and at most an eight-or-better low beside it, both by the same selection."""
    return variant.is_flop_game and find_ranking(variant.halves[0].ranking).kind == FLUSHES


@cache
def evaluators(variant: Variant) -> Evaluators:
    """The tables of a flop game (see `is_flop_game`)."""
    high = variant.halves[0]
    ranking = find_ranking(high.ranking)
    selection = SELECTIONS.index(high.selection)
    has_low = len(variant.halves) > 1
    split: tuple[NDArray[Any], ...] = (
        np.zeros(1, np.uint16), np.zeros(1, np.uint8), np.zeros((1, 1), np.uint16), np.zeros(1, np.uint16),
        np.zeros((1, 1), np.uint16),
    )  # fmt: skip
    if selection == TWO_PLUS_THREE:
        split = ranking.two_plus_three[2:]
    lows = low_tables() if has_low else (np.zeros(1, np.uint8), np.zeros((1, 1), np.uint8))
    return Evaluators(selection, int(has_low), *ranking.tables, *split, *lows)

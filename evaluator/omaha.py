"""Two hole cards plus three of the board, from the tables of `tables.two_plus_three`.

An engine that keeps a board while hands change looks up the board's row once (`rank_place` of its sum in `row`)
and takes `pairs_value` of each hand's pairs of ranks; `suited_value` is needed only where a suit has three
cards on the board and two in the hand. The general leaf for other rankings tries every five cards.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from potshare.evaluator.hand import card_mask, rank_place, strength_of, suit_ranks, top_suit
from potshare.kernel import kernel, leaf

BOARD_START = np.uint64(0x5555 << 48)
"""The sum of a board without cards: a suit's counter has its top bit set from three cards."""
HOLE_START = np.uint64(0x6666 << 48)
"""The sum of hole cards without cards: a suit's counter has its top bit set from two cards."""
_TOP_BITS = np.uint64(0x8888 << 48)


@leaf
def pairs_value(holes, hand, size, row, pair, best):  # type: ignore[no-untyped-def]
    """The greatest entry of a row of `best` over the pairs of ranks of a hand: `size` cards in a row of `holes`."""
    found = np.int64(0)
    for a in range(1, size):
        rank = (np.int64(holes[hand, a]) >> 2) << 4
        for b in range(a):
            found = max(found, np.int64(best[row, pair[rank | (np.int64(holes[hand, b]) >> 2)]]))
    return found


@leaf
def suited_value(holes, hand, size, suit, board_ranks, pair, suited_row, suited):  # type: ignore[no-untyped-def]
    """The best flush of two hole cards of a suit with three of the board's ranks in it."""
    found = np.int64(0)
    row = suited_row[board_ranks]
    for a in range(1, size):
        if holes[hand, a] & 3 != suit:
            continue
        rank = (np.int64(holes[hand, a]) >> 2) << 4
        for b in range(a):
            if holes[hand, b] & 3 == suit:
                found = max(found, np.int64(suited[row, pair[rank | (np.int64(holes[hand, b]) >> 2)]]))
    return found


@leaf
def low_ranks(mask):  # type: ignore[no-untyped-def]
    """The eight low ranks of a 13-bit rank mask: bit 0 the ace, bit 7 the eight."""
    return ((mask << 1) & 0xFE) | (mask >> 12 & 1)


@cache
def two_plus_three(size: int) -> Any:
    """The kernel for `size` hole cards: (n,) strengths of hands with boards, `i * step` the board of hand i.

    It is made for its number of hole cards, so that the loops over their pairs are unrolled.
    """

    @kernel
    def pairs_with_boards(holes, boards, step, key, offset, row, pair, best, suited_row, suited, out):  # type: ignore[no-untyped-def]
        for i in range(holes.shape[0]):
            total = BOARD_START
            mask = np.uint64(0)
            for j in range(boards.shape[1]):
                card = boards[i * step, j]
                total += key[card]
                mask |= card_mask(card)
            counters = HOLE_START
            for j in range(size):
                counters += key[holes[i, j]]
            found = pairs_value(holes, i, size, row[rank_place(total, offset)], pair, best)
            both = total & counters & _TOP_BITS
            if both:
                suit = top_suit(both)
                ranks = suit_ranks(mask, suit)
                found = max(found, suited_value(holes, i, size, suit, ranks, pair, suited_row, suited))
            out[i] = found

    return pairs_with_boards


@kernel
def two_plus_three_low(holes, boards, step, split, out):  # type: ignore[no-untyped-def]
    """(n,) eight-or-better lows of hole cards with boards, two and three of them; 0 for none."""
    for i in range(holes.shape[0]):
        board = 0
        for j in range(boards.shape[1]):
            board |= 1 << (np.int64(boards[i * step, j]) >> 2)
        hand = 0
        for j in range(holes.shape[1]):
            hand |= 1 << (np.int64(holes[i, j]) >> 2)
        out[i] = split[low_ranks(board), low_ranks(hand)]


@kernel
def two_plus_three_any(kind, holes, boards, step, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
    """The same for a ranking of any kind, by trying every two hole cards with every three of the board."""
    n = holes.shape[1]
    m = boards.shape[1]
    for i in range(holes.shape[0]):
        found = np.int64(0)
        at = i * step
        for a in range(1, n):
            for b in range(a):
                for x in range(2, m):
                    for y in range(1, x):
                        for z in range(y):
                            total = key[63]
                            mask = np.uint64(0)
                            for card in (holes[i, a], holes[i, b], boards[at, x], boards[at, y], boards[at, z]):
                                total += key[card]
                                mask |= card_mask(card)
                            strength = strength_of(kind, total, mask, key, offset, value, flush)
                            found = max(found, np.int64(strength))
        out[i] = found

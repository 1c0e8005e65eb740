"""A hand as one 64-bit sum and one 64-bit mask, and the look-ups that read them.

Sum: the rank multipliers of the cards in the low 32 bits, and from bit 48 a four-bit counter for each suit,
started at three so that its top bit is set exactly when the suit has five cards or more (at most twelve fit).
Mask: the ranks present in each suit, sixteen bits a suit. Both grow by one operation a card, so partial hands
(a board, a pair of hole cards) are summed once and merged.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import leaf

START = np.uint64(0x3333 << 48)
"""The sum of a hand without cards."""

_FIVE_SUITED = np.uint64(0x8888 << 48)
_RANK_BITS = np.uint64(0xFFFFFFFF)
_CLUBS = np.uint64(1 << 51)
_DIAMONDS = np.uint64(1 << 55)
_HEARTS = np.uint64(1 << 59)


@leaf
def card_mask(card):  # type: ignore[no-untyped-def]
    """The mask of one card: bit `16 * suit + rank`."""
    return np.uint64(1) << np.uint64(((card & 3) << 4) + (card >> 2))


@leaf
def rank_value(total, offset, value):  # type: ignore[no-untyped-def]
    """The strength of a sum's ranks, flushes apart."""
    key = np.int64(total & _RANK_BITS)
    return value[(key >> 13) + offset[key & 8191]]


@leaf
def flush_ranks(total, mask):  # type: ignore[no-untyped-def]
    """The rank mask of the suit with five cards or more, 0 when there is none."""
    if not total & _FIVE_SUITED:
        return np.int64(0)
    if total & _CLUBS:
        shift = np.uint64(0)
    elif total & _DIAMONDS:
        shift = np.uint64(16)
    elif total & _HEARTS:
        shift = np.uint64(32)
    else:
        shift = np.uint64(48)
    return np.int64((mask >> shift) & np.uint64(8191))


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

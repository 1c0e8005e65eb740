"""Exact equity of a few two-card hands against a weighted range on a board, kind of hand by kind of hand.

As in `rank_sweep` a kind is a pair of ranks, and flushes apart the board's ranks say which of the 91 kinds a given
hand beats and which it ties. Their weights are added up once for all boards of the same ranks. What then remains for a
board is to take away the hands that hold its cards: thirteen kinds a card, less the hands of two such cards, which
were taken away twice. Where the board has three cards of a suit or more, the hands that make a flush are compared
once more by their flushes. Hands that share a card with the given one are left out from the start, so no inclusion
and exclusion over its cards is needed, and a board costs some forty additions instead of a thousand comparisons.

All sums are float64. With integer weights every partial sum is an integer below 2**53 (checked by the caller), so the
result is exact. Memory: 22 KB, 10 KB a thread, and 13 bytes a set of cards to come.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import card_mask, suit_ranks
from potshare.kernel import kernel, leaf
from potshare.simulate.evaluators import Evaluators, bits
from potshare.simulate.exact.rank_sweep import KINDS, RANK_BITS, kind_keys, kind_ranks, kind_strengths, pair_weights

MOST_HANDS = 12
"""Hands of the smaller range up to which this is faster than a sweep."""

SECONDS = 1e-7
"""For a hand and a board, roughly, as measured on one core."""

PIECE = 40_000
"""Boards that are well under a quarter of a second's work."""


@leaf
def _leave_out(weight, x, y, whole, drops):  # type: ignore[no-untyped-def]
    # The opposing weight by kind, and by card and rank of the other card, without hands that hold x or y.
    for c in range(KINDS):
        whole[c] = 0.0
    for d in range(52):
        for b in range(13):
            drops[d, b] = 0.0
    c = 0
    for a in range(13):
        for b in range(a + 1):
            for d in range(4 * a, 4 * a + 4):
                for e in range(4 * b, min(d, 4 * b + 4)):
                    w = weight[d, e]
                    if d == x or d == y or e == x or e == y:
                        w = 0.0
                    whole[c] += w
                    drops[d, b] += w
                    drops[e, a] += w
            c += 1


@leaf
def _compare(mine, floor, strength, whole, below, level, sums):  # type: ignore[no-untyped-def]
    # Which kinds are worth less than `mine`, which as much, as zeros and ones by both ranks, and what they weigh.
    sums[0] = 0.0
    sums[1] = 0.0
    c = 0
    for a in range(13):
        for b in range(a + 1):
            s = max(floor, np.int64(strength[c]))
            less = 1.0 if s < mine else 0.0
            same = 1.0 if s == mine else 0.0
            below[a, b] = less
            below[b, a] = less
            level[a, b] = same
            level[b, a] = same
            sums[0] += less * whole[c]
            sums[1] += same * whole[c]
            c += 1


@leaf
def _again(w, a, b, flushed, mine, below, level, sums):  # type: ignore[no-untyped-def]
    # Hands of two ranks that were compared by these are compared by their flush.
    sums[2] += w * ((1.0 if flushed < mine else 0.0) - below[a, b])
    sums[3] += w * ((1.0 if flushed == mine else 0.0) - level[a, b])


@leaf
def _flushes(  # type: ignore[no-untyped-def]
    m, suit, many, board_mask, hand_mask, cards, weight, drops, flush, mine, below, level, sums
):  # fmt: skip
    # Corrects the sums by the hands that make a flush with a board that has `many` cards of a suit, of ranks m; of
    # the board `cards` came last.
    out = board_mask | hand_mask
    for a in range(13):
        d = 4 * a + suit
        if out & card_mask(d):
            continue
        for b in range(a):
            e = 4 * b + suit
            if not out & card_mask(e):
                _again(weight[d, e], a, b, flush[m | (1 << a) | (1 << b)], mine, below, level, sums)
        if many > 3:
            # With any card of another suit: all that remain, less those of the suit and those on the board.
            flushed = flush[m | (1 << a)]
            for b in range(13):
                e = 4 * b + suit
                w = drops[d, b] - (0.0 if hand_mask & card_mask(e) else weight[d, e])
                _again(w, a, b, flushed, mine, below, level, sums)
            for j in range(cards.shape[0]):
                e = np.int64(cards[j])
                if e & 3 != suit:
                    _again(-weight[d, e], a, e >> 2, flushed, mine, below, level, sums)


@kernel
def _duel(  # type: ignore[no-untyped-def]
    few, own, weight, base, boards, times, key, offset, value, flush, ranks, keys, counts, strength, whole, drops,
    below, level, sums, out,
):  # fmt: skip
    # few (h, 2) hands with weights own (h,), against weight (52, 52) by both cards. out (2,): the weight that the few
    # win, and tie; a board counts as often as `times` says.
    base_key = np.int64(0)
    base_mask = np.uint64(0)
    for j in range(base.shape[0]):
        base_key += np.int64(key[base[j]] & RANK_BITS)
        base_mask |= card_mask(base[j])
    for f in range(few.shape[0]):
        x = np.int64(few[f, 0])
        y = np.int64(few[f, 1])
        hand_key = np.int64(key[x] & RANK_BITS) + np.int64(key[y] & RANK_BITS)
        hand_mask = card_mask(x) | card_mask(y)
        _leave_out(weight, x, y, whole, drops)
        known = np.int64(-1)
        compared = np.int64(-1)
        won = 0.0
        tied = 0.0
        for i in range(boards.shape[0]):
            board_key = base_key
            board_mask = base_mask
            for j in range(boards.shape[1]):
                board_key += np.int64(key[boards[i, j]] & RANK_BITS)
                board_mask |= card_mask(boards[i, j])
            if hand_mask & board_mask:
                continue
            if board_key != known:
                kind_strengths(board_key, board_mask, offset, value, ranks, keys, counts, strength)
                known = board_key
                compared = -1
            total = board_key + hand_key
            mine = np.int64(value[(total >> 13) + offset[total & 8191]])
            suit = 0
            suited = np.int64(0)
            many = 0
            floor = np.int64(0)
            for s in range(4):
                m = suit_ranks(board_mask, s)
                n = bits(m)
                if n >= 3:
                    suit = s
                    suited = m
                    many = n
                    mine = max(mine, np.int64(flush[suit_ranks(board_mask | hand_mask, s)]))
                    floor = np.int64(flush[m])
            if compared != (mine << 16) | floor:
                _compare(mine, floor, strength, whole, below, level, sums)
                compared = (mine << 16) | floor
            less = sums[0]
            same = sums[1]
            for j in range(boards.shape[1]):
                d = np.int64(boards[i, j])
                for b in range(13):
                    less -= drops[d, b] * below[d >> 2, b]
                    same -= drops[d, b] * level[d >> 2, b]
                for h in range(j):
                    e = np.int64(boards[i, h])
                    less += weight[d, e] * below[d >> 2, e >> 2]
                    same += weight[d, e] * level[d >> 2, e >> 2]
            if many:
                sums[2] = 0.0
                sums[3] = 0.0
                _flushes(
                    suited, suit, many, board_mask, hand_mask, boards[i], weight, drops, flush, mine, below, level,
                    sums,
                )  # fmt: skip
                less += sums[2]
                same += sums[3]
            won += times[i] * less
            tied += times[i] * same
        out[0] += own[f] * won
        out[1] += own[f] * tied


class Duel:
    """A few hands against many on a board, ready for slices of the boards to come; threads may share it.

    `few` (h, 2) and `many` (n, 2) uint8 with weights `own` (h,) and `their` (n,) float64; none holds a card of the
    board so far, `base`.
    """

    def __init__(
        self,
        few: NDArray[np.uint8],
        own: NDArray[np.float64],
        many: NDArray[np.uint8],
        their: NDArray[np.float64],
        base: NDArray[np.uint8],
        evaluators: Evaluators,
    ) -> None:
        e = evaluators
        self._given = (few, own, pair_weights(many, their), base)
        self._tables = (e.key, e.offset, e.value, e.flush, kind_ranks(), kind_keys(e))

    def over(self, boards: NDArray[np.uint8], times: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weight that the few win, and tie, over completions of the board.

        `boards` (b, k) uint8 are the cards to come, `times` (b,) how often each counts. Returns (2,).
        """
        out = np.zeros(2)
        few, own, weight, base = self._given
        _duel(
            few, own, weight, base, boards, times, *self._tables, np.empty(13, np.int64), np.empty(KINDS, np.uint16),
            np.empty(KINDS), np.empty((52, 13)), np.empty((13, 13)), np.empty((13, 13)), np.empty(4), out,
        )  # fmt: skip
        return out

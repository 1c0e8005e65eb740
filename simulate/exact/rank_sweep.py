"""Exact equity of two weighted ranges of two-card hands on a board, by a sweep over pairs of ranks.

Flushes apart, what a hand makes with a board depends on its two ranks only. So a completed board has 91 kinds of
hands, whose order is the same for all boards of the same ranks. Going up the strengths, what the first player's
hands of a kind beat is found from sums over the second player's hands that went before: with S their weight and
S[x] the weight of those that hold card x, a hand (x, y) of weight w beats w * (S - S[x] - S[y]), so the hands of a
kind, which weigh W together and W[x] those with card x, beat W * S less the sum of W[x] * S[x] over at most eight
cards. Asked again after the kinds of the same strength were added, the sum tells what they tie as well; the very
same hand, taken away twice and counted once, is added back.

Hands that share a card with the board must be out of their kinds. What each card brings to each kind is prepared,
so that thirteen vectors are taken away for a card; hands of two such cards were taken away twice and are added back.

Where the board has three cards of a suit, hands that make a flush are out as well and go up by themselves: with
three such cards the hands of two more; with four or five every hand with a card of the suit, those with a card of
another suit together by their card of the suit. No such hand is worth more by its ranks, since five different ranks
make neither a full house nor four of a kind.

All sums are float64. With integer weights every partial sum is an integer below 2**53 (checked by the caller), so
the result is exact. Memory: 270 KB, 20 KB a thread, and 13 bytes a set of cards to come: 34 MB where no board is known
and no suits are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import card_mask, suit_ranks
from potshare.kernel import kernel, leaf
from potshare.simulate.evaluators import Evaluators, bits

KINDS = 91
"""Pairs of ranks: (a, b), a >= b, has number a * (a + 1) // 2 + b."""

SECONDS = 1.5e-6
"""For a board, roughly, as measured on one core."""

PIECE = 40_000
"""Boards that are well under a quarter of a second's work."""

_ITEMS = 13 * 14 // 2
_NONE = 1 << 20

# A kind (a, b), a >= b, has number a * (a + 1) // 2 + b. Its row: the first player's weight by card, four suits of a
# and, unless a = b, of b; from 8 on the second player's; both weights in all; the sum of both weights multiplied.
_OTHER = 8
_WHOLE = 16
_TWIN = 18
_ROW = 19
# Rows by the hands that are left in: all; without those of two cards of a suit (1 to 4); of one (5 to 8).
_SUITED = 1
_SUIT = 5
_STARTS = 9

RANK_BITS = np.uint64(0xFFFFFFFF)


@leaf
def _move(row, x, y, w, v):  # type: ignore[no-untyped-def]
    # Adds a hand x > y, which weighs w for the first and v for the second player, to its kind's row.
    at_x = x & 3
    at_y = (y & 3) + (0 if x >> 2 == y >> 2 else 4)
    row[at_x] += w
    row[at_y] += w
    row[_OTHER + at_x] += v
    row[_OTHER + at_y] += v
    row[_WHOLE] += w
    row[_WHOLE + 1] += v


@leaf
def _kind(x, y):  # type: ignore[no-untyped-def]
    a = max(x, y) >> 2
    return a * (a + 1) // 2 + (min(x, y) >> 2)


@kernel
def _prepare(weight, starts, drops):  # type: ignore[no-untyped-def]
    # weight (2, 52, 52): by both cards. starts (9, 91, row) and drops (52, 13, row), what the hands of a card and any
    # card of a rank bring to their kind, come as zeros.
    for x in range(52):
        for y in range(x):
            w = weight[0, x, y]
            v = weight[1, x, y]
            if w == 0.0 and v == 0.0:
                continue
            c = _kind(x, y)
            for t in range(_STARTS):
                if t < _SUIT:
                    out = t >= _SUITED and x & 3 == t - _SUITED and y & 3 == t - _SUITED
                else:
                    out = x & 3 == t - _SUIT or y & 3 == t - _SUIT
                if not out:
                    _move(starts[t, c], x, y, w, v)
                    starts[t, c, _TWIN] += w * v
            _move(drops[x, y >> 2], x, y, w, v)
            drops[x, y >> 2, _TWIN] += w * v
            _move(drops[y, x >> 2], x, y, w, v)
            drops[y, x >> 2, _TWIN] += w * v


@leaf
def _drop(rows, drops, x, touched):  # type: ignore[no-untyped-def]
    a = x >> 2
    for b in range(13):
        c = a * (a + 1) // 2 + b if a >= b else b * (b + 1) // 2 + a
        touched[c] = 1
        for k in range(_ROW):
            rows[c, k] -= drops[x, b, k]


@leaf
def _add_back(rows, weight, x, y):  # type: ignore[no-untyped-def]
    w = weight[0, x, y]
    v = weight[1, x, y]
    if w != 0.0 or v != 0.0:
        c = _kind(x, y)
        _move(rows[c], max(x, y), min(x, y), w, v)
        rows[c, _TWIN] += w * v


@leaf
def kind_strengths(board_key, board_mask, offset, value, ranks, keys, counts, strength):  # type: ignore[no-untyped-def]
    """What each kind makes with a board by ranks alone; 0 where too few cards of a rank are left for it."""
    for r in range(13):
        counts[r] = 0
    for x in range(52):
        if board_mask & card_mask(x):
            counts[x >> 2] += 1
    for c in range(KINDS):
        a = ranks[c, 0]
        b = ranks[c, 1]
        strength[c] = 0
        if counts[a] < (3 if a == b else 4) and counts[b] < 4:
            total = board_key + keys[c]
            strength[c] = value[(total >> 13) + offset[total & 8191]]


@leaf
def _sort_kinds(strength, order):  # type: ignore[no-untyped-def]
    # The order of the board before is close to that of this one.
    for p in range(1, order.shape[0]):
        c = order[p]
        s = strength[c]
        q = p
        while q > 0 and strength[order[q - 1]] > s:
            order[q] = order[q - 1]
            q -= 1
        order[q] = c


@leaf
def _list_flushes(m, suit, many, weight, flush, items, levels):  # type: ignore[no-untyped-def]
    # What makes a flush with a board that has `many` cards, of ranks m, of a suit, in ascending order: hands x, y, or
    # (y = x) hands of x and a card of another suit. They are found nearly in order. Returns their number.
    n = 0
    for a in range(13):
        if (m >> a) & 1:
            continue
        x = 4 * a + suit
        for b in range(-1, a):
            y = 4 * b + suit
            if b < 0:
                if many == 3:
                    continue
                y = x
                level = np.int64(flush[m | (1 << a)])
            elif (m >> b) & 1 or (weight[0, x, y] == 0.0 and weight[1, x, y] == 0.0):
                continue
            else:
                level = np.int64(flush[m | (1 << a) | (1 << b)])
            q = n
            while q > 0 and levels[q - 1] > level:
                items[q, 0] = items[q - 1, 0]
                items[q, 1] = items[q - 1, 1]
                levels[q] = levels[q - 1]
                q -= 1
            items[q, 0] = x
            items[q, 1] = y
            levels[q] = level
            n += 1
    return n


@leaf
def _ask(row, a, b, sums):  # type: ignore[no-untyped-def]
    # What the hands of a kind meet among those in the sums.
    x = 4 * np.int64(a)
    y = 4 * np.int64(b)
    one = row[0] * sums[x] + row[1] * sums[x + 1]
    two = row[2] * sums[x + 2] + row[3] * sums[x + 3]
    three = row[4] * sums[y] + row[5] * sums[y + 1]
    four = row[6] * sums[y + 2] + row[7] * sums[y + 3]
    return row[_WHOLE] * sums[52] - ((one + two) + (three + four))


@leaf
def _add(row, a, b, sums):  # type: ignore[no-untyped-def]
    # All sums are read before any is written, so that four at a time go into a vector register.
    x = 4 * np.int64(a)
    y = 4 * np.int64(b)
    x0 = sums[x] + row[_OTHER]
    x1 = sums[x + 1] + row[_OTHER + 1]
    x2 = sums[x + 2] + row[_OTHER + 2]
    x3 = sums[x + 3] + row[_OTHER + 3]
    sums[x] = x0
    sums[x + 1] = x1
    sums[x + 2] = x2
    sums[x + 3] = x3
    y0 = sums[y] + row[_OTHER + 4]
    y1 = sums[y + 1] + row[_OTHER + 5]
    y2 = sums[y + 2] + row[_OTHER + 6]
    y3 = sums[y + 3] + row[_OTHER + 7]
    sums[y] = y0
    sums[y + 1] = y1
    sums[y + 2] = y2
    sums[y + 3] = y3
    sums[52] += row[_WHOLE + 1]


@leaf
def _ask_flush(weight, x, y, others, sums):  # type: ignore[no-untyped-def]
    if y != x:
        return weight[0, x, y] * (sums[52] - sums[x] - sums[y])
    whole = 0.0
    shared = 0.0
    for z in range(52):
        w = weight[0, x, z] * others[z]
        whole += w
        shared += w * sums[z]
    return whole * (sums[52] - sums[x]) - shared


@leaf
def _add_flush(weight, x, y, others, sums):  # type: ignore[no-untyped-def]
    # Returns the sum of both weights multiplied.
    if y != x:
        v = weight[1, x, y]
        sums[x] += v
        sums[y] += v
        sums[52] += v
        return v * weight[0, x, y]
    whole = 0.0
    twins = 0.0
    for z in range(52):
        v = weight[1, x, z] * others[z]
        sums[z] += v
        whole += v
        twins += v * weight[0, x, z]
    sums[x] += whole
    sums[52] += whole
    return twins


@partial(kernel, straight_line=True)
def _rank_sweep(  # type: ignore[no-untyped-def]
    weight, starts, drops, base, boards, times, key, offset, value, flush, ranks, keys, rows, touched, counts,
    strength, order, sums, others, items, levels, out,
):  # fmt: skip
    # out (2,): the weight that the first player wins, and ties; a board counts as often as `times` says. `order` has
    # the kinds that either player holds; `touched` comes as zeros.
    base_key = np.int64(0)
    base_mask = np.uint64(0)
    for j in range(base.shape[0]):
        base_key += np.int64(key[base[j]] & RANK_BITS)
        base_mask |= card_mask(base[j])
    known = np.int64(-1)
    start = -1
    held = order.shape[0]
    for i in range(boards.shape[0]):
        board_key = base_key
        board_mask = base_mask
        for j in range(boards.shape[1]):
            board_key += np.int64(key[boards[i, j]] & RANK_BITS)
            board_mask |= card_mask(boards[i, j])
        suit = 0
        suited = np.int64(0)
        many = 0
        for s in range(4):
            m = suit_ranks(board_mask, s)
            n = bits(m)
            if n >= 3:
                suit = s
                suited = m
                many = n
        if board_key != known:
            kind_strengths(board_key, board_mask, offset, value, ranks, keys, counts, strength)
            _sort_kinds(strength, order)
            known = board_key

        # The kinds without hands that cannot be held or make a flush.
        before = start
        start = 0 if many == 0 else (_SUITED if many == 3 else _SUIT) + suit
        for c in range(KINDS):
            if touched[c] or start != before:
                for k in range(_ROW):
                    rows[c, k] = starts[start, c, k]
                touched[c] = 0
        for j in range(boards.shape[1]):
            x = np.int64(boards[i, j])
            if many > 3 and x & 3 == suit:
                continue
            _drop(rows, drops, x, touched)
            for h in range(j):
                y = np.int64(boards[i, h])
                if many < 3 or (many == 3 and not (x & 3 == suit and y & 3 == suit)) or y & 3 != suit:
                    _add_back(rows, weight, x, y)
            if (many == 3 and x & 3 == suit) or many > 3:
                for r in range(13):
                    _add_back(rows, weight, x, 4 * r + suit)
        flushes = 0
        floor = np.int64(0)
        if many:
            flushes = _list_flushes(suited, suit, many, weight, flush, items, levels)
            if many > 3:
                for z in range(52):
                    others[z] = 0.0 if z & 3 == suit or board_mask & card_mask(z) else 1.0
            if many == 5:
                floor = np.int64(flush[suited])

        for k in range(53):
            sums[k] = 0.0
        beaten = 0.0
        reached = 0.0
        p = 0
        f = 0
        while p < held or f < flushes:
            level = np.int64(_NONE)
            if p < held:
                level = max(floor, np.int64(strength[order[p]]))
            if f < flushes:
                level = min(level, np.int64(levels[f]))
            q = p
            while q < held and max(floor, np.int64(strength[order[q]])) == level:
                c = order[q]
                if rows[c, _WHOLE] != 0.0:
                    beaten += _ask(rows[c], ranks[c, 0], ranks[c, 1], sums)
                q += 1
            g = f
            while g < flushes and levels[g] == level:
                beaten += _ask_flush(weight, items[g, 0], items[g, 1], others, sums)
                g += 1
            for n in range(p, q):
                c = order[n]
                if rows[c, _WHOLE + 1] != 0.0:
                    _add(rows[c], ranks[c, 0], ranks[c, 1], sums)
                    reached += rows[c, _TWIN]
            for n in range(f, g):
                reached += _add_flush(weight, items[n, 0], items[n, 1], others, sums)
            for n in range(p, q):
                c = order[n]
                if rows[c, _WHOLE] != 0.0:
                    reached += _ask(rows[c], ranks[c, 0], ranks[c, 1], sums)
            for n in range(f, g):
                reached += _ask_flush(weight, items[n, 0], items[n, 1], others, sums)
            p = q
            f = g
        out[0] += times[i] * beaten
        out[1] += times[i] * (reached - beaten)


@cache
def kind_ranks() -> NDArray[np.uint8]:
    """(91, 2) uint8: both ranks of each kind, the higher first."""
    return np.array([(a, b) for a in range(13) for b in range(a + 1)], np.uint8)


def kind_keys(evaluators: Evaluators) -> NDArray[np.int64]:
    """(91,) int64: what the ranks of each kind add to a rank key."""
    multipliers = (evaluators.key[:52:4] & RANK_BITS).astype(np.int64)
    keys: NDArray[np.int64] = multipliers[kind_ranks()].sum(axis=1)
    return keys


def pair_weights(combos: NDArray[np.uint8], weights: NDArray[Any]) -> NDArray[Any]:
    """(52, 52) in the dtype of `weights`: those of hands, (n, 2) uint8, by both cards in either order; else 0."""
    found = np.zeros((52, 52), weights.dtype)
    found[combos[:, 0], combos[:, 1]] = weights
    found[combos[:, 1], combos[:, 0]] = weights
    return found


def meetings(one: tuple[NDArray[np.uint8], NDArray[Any]], two: tuple[NDArray[np.uint8], NDArray[Any]]) -> Any:
    """The weight of all pairs of hands without a common card, of two ranges as in `RankSweep`.

    A Python integer for weights of int64, which must stay below 2**62 when multiplied, else a float.
    """
    first, second = pair_weights(*one), pair_weights(*two)
    shared = (first.sum(axis=0) * second.sum(axis=0)).sum() - (first * np.tril(second)).sum()
    return (one[1].sum() * two[1].sum() - shared).item()


class RankSweep:
    """Two ranges on a board, ready for slices of the boards to come; threads may share it.

    Each is (hands (n, 2) uint8, weights (n,) float64), without hands that hold a card of the board so far, `base`.
    """

    def __init__(
        self,
        ranges: Sequence[tuple[NDArray[np.uint8], NDArray[np.float64]]],
        base: NDArray[np.uint8],
        evaluators: Evaluators,
    ) -> None:
        weight = np.stack([pair_weights(*held) for held in ranges])
        starts = np.zeros((_STARTS, KINDS, _ROW))
        drops = np.zeros((52, 13, _ROW))
        _prepare(weight, starts, drops)
        e = evaluators
        self._given = (weight, starts, drops, base)
        self._held = np.flatnonzero(starts[0, :, _WHOLE] + starts[0, :, _WHOLE + 1]).astype(np.uint8)
        self._tables = (e.key, e.offset, e.value, e.flush, kind_ranks(), kind_keys(e))

    def over(self, boards: NDArray[np.uint8], times: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weight that the first player wins, and ties, over completions of the board.

        `boards` (b, k) uint8 are the cards to come, `times` (b,) how often each counts. Returns (2,).
        """
        out = np.zeros(2)
        _rank_sweep(
            *self._given, boards, times, *self._tables, np.empty((KINDS, _ROW)), np.zeros(KINDS, np.uint8),
            np.empty(13, np.int64), np.empty(KINDS, np.uint16), self._held.copy(), np.empty(53), np.empty(52),
            np.empty((_ITEMS, 2), np.uint8), np.empty(_ITEMS, np.uint16), out,
        )  # fmt: skip
        return out

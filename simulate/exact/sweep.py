"""Exact equity of two or three weighted hold'em ranges on a board of three cards or more, by sorted sweep.

On each completed board every live combo is evaluated once and the combos are sorted by strength. Going up the
strengths, the weight of the opponent's combos below a combo (x, y) that share no card with it is
S - C[x] - C[y], where S is the running total of the opponent's weights and C[x] the part of it that holds card
x: no combo below can be (x, y) itself, since that one stands level. Among the level combos the same holds after
adding back the opponent's weight of (x, y), which the two subtractions removed twice. So a board costs
O(n log n) instead of O(n^2).

With three players a combo (x, y) needs the weight of disjoint pairs of opponents' combos, each below or level.
Let m[k] be the weight of an opponent's combos that hold card k but neither x nor y. The product of the two
opponents' totals counts pairs that share a card; taking away the sum over k of m[k] * m'[k] removes these, and
removes twice the pairs of identical combos (which share two cards): those are added back. They exist only when
both opponents stand in the same relation. That is fifty multiplications for each combo and relation.

All sums are float64. With integer weights every partial sum is an integer below 2**53 (checked by the caller),
so the result is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import START, card_mask, hand_value
from potshare.kernel import kernel, leaf
from potshare.simulate.evaluators import Evaluators


@leaf
def _sorted_live(  # type: ignore[no-untyped-def]
    combos, base, boards, b, key, offset, value, flush, strength, order, spare, counts
):  # fmt: skip
    # Evaluates the combos that board b leaves alive and sorts their indices by strength into `order`; returns
    # their number. Two passes of a counting sort on seven bits each: strengths stay below 2**14.
    board_sum = START
    board_mask = np.uint64(0)
    for j in range(base.shape[0]):
        board_sum += key[base[j]]
        board_mask |= card_mask(base[j])
    for j in range(boards.shape[1]):
        board_sum += key[boards[b, j]]
        board_mask |= card_mask(boards[b, j])
    live = 0
    for i in range(combos.shape[0]):
        x = combos[i, 0]
        y = combos[i, 1]
        mask = card_mask(x) | card_mask(y)
        if mask & board_mask:
            continue
        strength[i] = hand_value(board_sum + key[x] + key[y], board_mask | mask, offset, value, flush)
        order[live] = i
        live += 1
    for k in range(256):
        counts[k] = 0
    for i in range(live):
        s = strength[order[i]]
        counts[s & 127] += 1
        counts[128 + (s >> 7)] += 1
    low = 0
    high = 0
    for k in range(128):
        low, counts[k] = low + counts[k], low
        high, counts[128 + k] = high + counts[128 + k], high
    for i in range(live):
        k = strength[order[i]] & 127
        spare[counts[k]] = order[i]
        counts[k] += 1
    for i in range(live):
        k = 128 + (strength[spare[i]] >> 7)
        order[counts[k]] = spare[i]
        counts[k] += 1
    return live


@kernel
def _sweep_two(  # type: ignore[no-untyped-def]
    combos, weights, base, boards, key, offset, value, flush, strength, order, spare, counts, below, level, out
):  # fmt: skip
    # out (3,): the weight that the first player wins, the second wins, and ties. below and level are indexed by
    # [player, card], the total at card 52.
    for b in range(boards.shape[0]):
        live = _sorted_live(combos, base, boards, b, key, offset, value, flush, strength, order, spare, counts)
        for p in range(2):
            for c in range(53):
                below[p, c] = 0.0
                level[p, c] = 0.0
        first_wins = 0.0
        second_wins = 0.0
        ties = 0.0
        i = 0
        while i < live:
            j = i
            s = strength[order[i]]
            while j < live and strength[order[j]] == s:
                c = order[j]
                for p in range(2):
                    w = weights[p, c]
                    level[p, combos[c, 0]] += w
                    level[p, combos[c, 1]] += w
                    level[p, 52] += w
                j += 1
            for q in range(i, j):
                c = order[q]
                x = combos[c, 0]
                y = combos[c, 1]
                w0 = weights[0, c]
                w1 = weights[1, c]
                first_wins += w0 * (below[1, 52] - below[1, x] - below[1, y])
                second_wins += w1 * (below[0, 52] - below[0, x] - below[0, y])
                ties += w0 * (level[1, 52] - level[1, x] - level[1, y] + w1)
            for q in range(i, j):
                c = order[q]
                for p in range(2):
                    w = weights[p, c]
                    below[p, combos[c, 0]] += w
                    below[p, combos[c, 1]] += w
                    below[p, 52] += w
                    level[p, combos[c, 0]] = 0.0
                    level[p, combos[c, 1]] = 0.0
            level[0, 52] = 0.0
            level[1, 52] = 0.0
            i = j
        out[0] += first_wins
        out[1] += second_wins
        out[2] += ties


@leaf
def _add_combo(cards, pairs, products, weights, c, x, y, sign):  # type: ignore[no-untyped-def]
    # Adds a combo's weights to (or takes them from) the sums of one relation.
    for p in range(3):
        w = sign * weights[p, c]
        cards[p, x] += w
        cards[p, y] += w
        cards[p, 52] += w
        pairs[p, x, y] += w
        pairs[p, y, x] += w
        twin = sign * weights[(p + 1) % 3, c] * weights[(p + 2) % 3, c]
        products[p, x] += twin
        products[p, y] += twin
        products[p, 52] += twin


@kernel
def _sweep_three(  # type: ignore[no-untyped-def]
    combos, weights, base, boards, key, offset, value, flush, strength, order, spare, counts, cards, pairs, products,
    others, out,
):  # fmt: skip
    # out (3, 4): for each player the weight of deals that he wins alone, ties with one other, ties with both; [3]
    # is unused. Relations: 0 below, 1 level. cards[r, p, card] and products[r, p, card] have the total at 52,
    # pairs[r, p, x, y] is the weight of the combo x, y where it stands in relation r; products are those of the
    # two opponents of p. others[r, p, k] is the m[k] of the module's text.
    for b in range(boards.shape[0]):
        live = _sorted_live(combos, base, boards, b, key, offset, value, flush, strength, order, spare, counts)
        for p in range(3):
            for c in range(53):
                for r in range(2):
                    cards[r, p, c] = 0.0
                    products[r, p, c] = 0.0
            for c in range(52):
                for d in range(52):
                    pairs[0, p, c, d] = 0.0
                    pairs[1, p, c, d] = 0.0
        i = 0
        while i < live:
            j = i
            s = strength[order[i]]
            while j < live and strength[order[j]] == s:
                c = order[j]
                _add_combo(cards[1], pairs[1], products[1], weights, c, combos[c, 0], combos[c, 1], 1.0)
                j += 1
            for q in range(i, j):
                c = order[q]
                x = combos[c, 0]
                y = combos[c, 1]
                if weights[0, c] + weights[1, c] + weights[2, c] == 0.0:
                    continue
                for r in range(2):
                    for p in range(3):
                        for k in range(52):
                            others[r, p, k] = cards[r, p, k] - pairs[r, p, x, k] - pairs[r, p, y, k]
                        others[r, p, x] = 0.0
                        others[r, p, y] = 0.0
                for a in range(3):
                    w = weights[a, c]
                    if w == 0.0:
                        continue
                    p = (a + 1) % 3
                    t = (a + 2) % 3
                    for rp in range(2):
                        sp = cards[rp, p, 52] - cards[rp, p, x] - cards[rp, p, y] + pairs[rp, p, x, y]
                        for rt in range(2):
                            st = cards[rt, t, 52] - cards[rt, t, x] - cards[rt, t, y] + pairs[rt, t, x, y]
                            both = sp * st
                            if both == 0.0:
                                continue
                            shared = 0.0
                            for k in range(52):
                                shared += others[rp, p, k] * others[rt, t, k]
                            both -= shared
                            if rp == rt:
                                both += products[rp, a, 52] - products[rp, a, x] - products[rp, a, y]
                                if rp == 1:
                                    both += weights[p, c] * weights[t, c]
                            out[a, rp + rt] += w * both
            for q in range(i, j):
                c = order[q]
                x = combos[c, 0]
                y = combos[c, 1]
                _add_combo(cards[0], pairs[0], products[0], weights, c, x, y, 1.0)
                for p in range(3):
                    pairs[1, p, x, y] = 0.0
                    pairs[1, p, y, x] = 0.0
            for p in range(3):
                for c in range(53):
                    cards[1, p, c] = 0.0
                    products[1, p, c] = 0.0
            i = j


def sweep(
    combos: NDArray[np.uint8],
    weights: NDArray[np.float64],
    base: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    evaluators: Evaluators,
) -> NDArray[np.float64]:
    """The weight of outcomes over the given completions of the board.

    `combos` (n, 2) uint8 are all live combos, `weights` (players, n) float64 each player's weight of them (0 for
    not in the range), two or three players; `base` the board so far, `boards` (b, k) uint8 the cards to come.
    Returns (players, players + 1): what each player wins with j sharers (index j; index 0 is left 0).
    """
    n = len(combos)
    players = len(weights)
    e = evaluators
    work = (np.empty(n, np.uint16), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(256, np.int64))
    found = np.zeros((players, players + 1))
    if players == 2:
        out = np.zeros(3)
        _sweep_two(
            combos, weights, base, boards, e.key, e.offset, e.value, e.flush, *work, np.empty((2, 53)),
            np.empty((2, 53)), out,
        )  # fmt: skip
        found[:, 1] = out[:2]
        found[:, 2] = out[2]
        return found
    three = np.zeros((3, 4))
    _sweep_three(
        combos, weights, base, boards, e.key, e.offset, e.value, e.flush, *work, np.empty((2, 3, 53)),
        np.empty((2, 3, 52, 52)), np.empty((2, 3, 53)), np.empty((2, 3, 52)), three,
    )  # fmt: skip
    found[:, 1:] = three[:, :3]
    return found

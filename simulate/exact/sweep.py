"""Exact equity of two weighted hold'em ranges on a board of three cards or more, by sorted sweep.

On each completed board every live combo is evaluated once and the combos are sorted by strength. Going up the
strengths, the weight of the opponent's combos below a combo (x, y) that share no card with it is
S - C[x] - C[y], where S is the running total of the opponent's weights and C[x] the part of it that holds card
x: no combo below can be (x, y) itself, since that one stands level. Among the level combos the same holds after
adding back the opponent's weight of (x, y), which the two subtractions removed twice. So a board costs
O(n log n) instead of O(n^2).

All sums are float64. With integer weights every partial sum is an integer below 2**53 (checked by the caller),
so the result is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from potshare.evaluator.hand import START, card_mask, hand_value
from potshare.kernel import kernel
from potshare.simulate.evaluators import Evaluators


@kernel
def _sweep_boards(  # type: ignore[no-untyped-def]
    combos, weights, base, boards, key, offset, value, flush, strength, order, spare, counts, below, level, out
):  # fmt: skip
    # combos (n, 2) uint8; weights (2, n): both ranges over the same combos; boards (b, k) the cards to come on top
    # of base. out (3,) float64 collects the weight that the first player wins, the second wins, and ties.
    n = combos.shape[0]
    for b in range(boards.shape[0]):
        board_sum = START
        board_mask = np.uint64(0)
        for j in range(base.shape[0]):
            board_sum += key[base[j]]
            board_mask |= card_mask(base[j])
        for j in range(boards.shape[1]):
            board_sum += key[boards[b, j]]
            board_mask |= card_mask(boards[b, j])
        live = 0
        for i in range(n):
            x = combos[i, 0]
            y = combos[i, 1]
            mask = card_mask(x) | card_mask(y)
            if mask & board_mask:
                continue
            strength[i] = hand_value(board_sum + key[x] + key[y], board_mask | mask, offset, value, flush)
            spare[live] = i
            live += 1
        # Two passes of a counting sort on seven bits each: strengths stay below 2**14.
        for shift in (0, 7):
            for k in range(129):
                counts[k] = 0
            for i in range(live):
                counts[((strength[spare[i]] >> shift) & 127) + 1] += 1
            for k in range(128):
                counts[k + 1] += counts[k]
            for i in range(live):
                k = (strength[spare[i]] >> shift) & 127
                order[counts[k]] = spare[i]
                counts[k] += 1
            spare, order = order, spare
        # `spare` holds the sorted combos. below and level: [player, card], the total at card 52.
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
            s = strength[spare[i]]
            while j < live and strength[spare[j]] == s:
                c = spare[j]
                for p in range(2):
                    w = weights[p, c]
                    level[p, combos[c, 0]] += w
                    level[p, combos[c, 1]] += w
                    level[p, 52] += w
                j += 1
            for q in range(i, j):
                c = spare[q]
                x = combos[c, 0]
                y = combos[c, 1]
                w0 = weights[0, c]
                w1 = weights[1, c]
                first_wins += w0 * (below[1, 52] - below[1, x] - below[1, y])
                second_wins += w1 * (below[0, 52] - below[0, x] - below[0, y])
                ties += w0 * (level[1, 52] - level[1, x] - level[1, y] + w1)
            for q in range(i, j):
                c = spare[q]
                for p in range(2):
                    w = weights[p, c]
                    below[p, combos[c, 0]] += w
                    below[p, combos[c, 1]] += w
                    below[p, 52] += w
                    level[p, combos[c, 0]] = 0.0
                    level[p, combos[c, 1]] = 0.0
            for p in range(2):
                level[p, 52] = 0.0
            i = j
        out[0] += first_wins
        out[1] += second_wins
        out[2] += ties


def sweep(
    combos: NDArray[np.uint8],
    weights: NDArray[np.float64],
    base: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    evaluators: Evaluators,
) -> NDArray[np.float64]:
    """Weight of (first wins, second wins, ties) over the given completions of the board: (3,) float64.

    `combos` (n, 2) uint8 are all live combos, `weights` (2, n) float64 each player's weight of them (0 for not in
    the range), `base` the board so far, `boards` (b, k) uint8 the cards to come.
    """
    n = len(combos)
    out = np.zeros(3)
    e = evaluators
    _sweep_boards(
        combos, weights, base, boards, e.key, e.offset, e.value, e.flush, np.empty(n, np.uint16), np.empty(n, np.int64),
        np.empty(n, np.int64), np.empty(129, np.int64), np.empty((2, 53)), np.empty((2, 53)), out,
    )  # fmt: skip
    return out

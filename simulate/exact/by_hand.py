"""What every single hand of hold'em makes against one weighted range on a board, all in one sweep.

As `sweep` for two players, except that the sums are kept for each hand instead of for the whole range: going up
the strengths, the opponent's weight so far without a card in common is what a hand beats, taken again after its
level group what it beats or ties, and at the end what it meets at all.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from potshare.kernel import kernel
from potshare.simulate.evaluators import Evaluators
from potshare.simulate.exact.sweep import apart, parts_of, sorted_live
from potshare.simulate.work import in_order

_PIECE = 500_000


@kernel
def _sweep_each(  # type: ignore[no-untyped-def]
    combos, parts, weights, base, boards, selection, key, offset, value, flush, row, pair, best, suited_row, suited,
    table, strength, order, spare, counts, sums, beaten, out,
):  # fmt: skip
    # out (n, 3): the opponent's weight that each hand beats, ties, and meets, over all boards.
    for b in range(boards.shape[0]):
        live = sorted_live(
            combos, 2, base, boards, b, selection, key, offset, value, flush, row, pair, best, suited_row, suited,
            table, strength, order, spare, counts,
        )  # fmt: skip
        for k in range(sums.shape[1]):
            sums[0, k] = 0.0
        i = 0
        while i < live:
            j = i
            s = strength[order[i]]
            while j < live and strength[order[j]] == s:
                beaten[j] = apart(sums, 0, parts, order[j], 2, 0)
                out[order[j], 0] += beaten[j]
                j += 1
            for q in range(i, j):
                c = order[q]
                w = weights[c]
                sums[0, 0] += w
                sums[0, parts[c, 0]] += w
                sums[0, parts[c, 1]] += w
            for q in range(i, j):
                c = order[q]
                # The very same hand was taken away twice and counted once.
                out[c, 1] += apart(sums, 0, parts, c, 2, 0) - beaten[q] + weights[c]
            i = j
        for q in range(live):
            c = order[q]
            out[c, 2] += apart(sums, 0, parts, c, 2, 0) + weights[c]


def seconds(hands: int, boards: int) -> float:
    """What it takes on one core, roughly, as measured."""
    return 3e-8 * hands * boards


def against(
    combos: NDArray[np.uint8],
    weights: NDArray[np.float64],
    board: NDArray[np.uint8],
    live: tuple[int, ...],
    tables: Evaluators,
    threads: int,
) -> NDArray[np.float64]:
    """Beaten, tied and met opposing weight of each hand of `combos` (n, 2) over every completion of the board.

    `weights` (n,) float64 is the opponent's weight of the same hands, 0 for one not in the range; `live` are the
    cards that may come.
    """
    n = len(combos)
    parts, _, entries = parts_of(combos)
    boards = np.array(list(combinations(live, 5 - len(board))), np.uint8)
    step = max(1, _PIECE // n)
    e = tables
    given = (e.selection, e.key, e.offset, e.value, e.flush, e.row, e.pair, e.best, e.suited_row, e.suited)

    def do(first: int) -> NDArray[np.float64]:
        out = np.zeros((n, 3))
        _sweep_each(
            combos, parts, weights, board, np.ascontiguousarray(boards[first : first + step]), *given,
            np.empty(52 * 52, np.uint16), np.empty(n, np.uint16), np.empty(n, np.int64), np.empty(n, np.int64),
            np.empty(256, np.int64), np.empty((1, entries)), np.empty(n), out,
        )  # fmt: skip
        return out

    return sum(in_order(do, range(0, len(boards), step), threads), np.zeros((n, 3)))

"""Exact equity of a few hold'em hands against a range on a board: no sorting, every hand compared with each.

A board is merged with the suit masks of all opposing hands in vector registers, which gives their strengths at a
fraction of a nanosecond each; then each of the few hands goes once through the strengths, again in vectors. With
one hand against everything that is twenty times as fast as the sweep, and level with it at some fifty hands.

Weights are integers small enough for 32-bit sums (checked by the caller), so everything is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator import llvm
from potshare.evaluator.hand import START, card_mask, hand_value
from potshare.evaluator.lanes import merged_strengths
from potshare.kernel import kernel
from potshare.simulate.evaluators import Evaluators
from potshare.simulate.exact.joint import combo_masks

MOST_HANDS = 40
"""Hands of the smaller range up to which this is faster than a sweep."""

MOST_WEIGHT = 1 << 20
"""The greatest weight: 1,326 of them stay below 2**31."""

FAST = llvm.FAST


@kernel
def _duel(few, own, masks, step, against, base, boards, key, offset, value, flush, strength, out):  # type: ignore[no-untyped-def]
    # few (h, 2) uint8 with weights own (h,) int64; masks: four rows of `step` uint16 suit masks, flat; against
    # (h, n) int32: the opposing weights, 0 where a card is shared. out (3,) int64: won, lost, tied.
    n = against.shape[1]
    for b in range(boards.shape[0]):
        board_sum = START
        board_mask = np.uint64(0)
        for j in range(base.shape[0]):
            board_sum += key[base[j]]
            board_mask |= card_mask(base[j])
        for j in range(boards.shape[1]):
            board_sum += key[boards[b, j]]
            board_mask |= card_mask(boards[b, j])
        c = np.uint16(board_mask)
        d = np.uint16(board_mask >> np.uint64(16))
        h = np.uint16(board_mask >> np.uint64(32))
        s = np.uint16(board_mask >> np.uint64(48))
        for at in range(0, n, 32):
            merged_strengths(masks, at, step, c, d, h, s, strength, at)
        # Hands that the board makes impossible get the strength 0, which no comparison below counts.
        for i in range(n):
            shared = (masks[i] & c) | (masks[step + i] & d) | (masks[2 * step + i] & h) | (masks[3 * step + i] & s)
            strength[i] = strength[i] if shared == 0 else np.uint16(0)
        for f in range(few.shape[0]):
            x = few[f, 0]
            y = few[f, 1]
            mask = card_mask(x) | card_mask(y)
            if mask & board_mask:
                continue
            mine = np.uint16(hand_value(board_sum + key[x] + key[y], board_mask | mask, offset, value, flush))
            won = np.int32(0)
            tied = np.int32(0)
            met = np.int32(0)
            for i in range(n):
                v = strength[i]
                w = against[f, i]
                # Numba widens sums of 32-bit numbers; cast back, they stay in twice as many lanes.
                met = np.int32(met + (w if v != 0 else np.int32(0)))
                tied = np.int32(tied + (w if v == mine else np.int32(0)))
                won = np.int32(
                    won + (w if np.uint16(v - np.uint16(1)) < np.uint16(mine - np.uint16(1)) else np.int32(0))
                )
            out[0] += own[f] * won
            out[1] += own[f] * (met - won - tied)
            out[2] += own[f] * tied


class Duel:
    """A few hands against many on a board, ready for slices of the boards to come; threads may share it.

    `few` (h, 2) and `many` (n, 2) uint8 with integer weights `own` (h,) and `their` (n,) float64.
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
        step = -(-len(many) // 32) * 32
        packed = np.zeros(step, np.uint64)
        packed[: len(many)] = combo_masks(many)
        self._masks = np.concatenate([(packed >> np.uint64(16 * s)).astype(np.uint16) for s in range(4)])
        against = np.zeros((len(few), step), np.int32)
        against[:, : len(many)] = np.where(
            combo_masks(few)[:, None] & combo_masks(many)[None, :], 0, their.astype(np.int32)[None, :]
        )
        e = evaluators
        self._given = (few, own.astype(np.int64), self._masks, step, against, base)
        self._tables = (e.key, e.offset, e.value, e.flush)
        self._step = step

    def over(self, boards: NDArray[np.uint8]) -> tuple[int, int, int]:
        """The weight that the few win, lose and tie over completions of the board, (b, k) uint8 cards to come."""
        out = np.zeros(3, np.int64)
        few, own, masks, step, against, base = self._given
        strength = np.zeros(step, np.uint16)
        _duel(few, own, masks, step, against, base, boards, *self._tables, strength, out)
        won, lost, tied = out.tolist()
        return won, lost, tied

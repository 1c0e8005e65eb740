"""Monte Carlo dealing of flop games: hands from tables or from the deck, the rest of the board, the showdown.

One kernel for every flop game, driven by the variant's tables and plain integers. Blocks of deals have their own
random state, so a run is a set of block numbers: the order and the threads in which they are dealt do not show
in the counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError
from potshare.evaluator.hand import START, card_mask
from potshare.kernel import kernel
from potshare.simulate.evaluators import Evaluators, high_of, low_of, low_ranks
from potshare.simulate.outcomes import COUNTED_BITS, best_of, spread, spread_all
from potshare.simulate.sampling.choice import TOO_RARE, TRIES, Choices, draw_joint
from potshare.simulate.sampling.random import below, seed_block

BLOCK = 4096
"""Deals in a block."""


@kernel
def _deal_blocks(  # type: ignore[no-untyped-def]
    seed, first, blocks, deals, taken, board, hole_cards, free, live, members, member_starts, row_starts, cards, masks,
    keep, other, selection, has_low, key, offset, value, flush, row, pair, best, suited_row, suited, low_five,
    low_split, holes, table, highs, lows, rows, state, counter, tally,
):  # fmt: skip
    # Deals `blocks` blocks of BLOCK deals from number `first` on, none beyond deal number `deals`. `board` holds
    # the known board cards, `free` the players dealt from the deck, `live` the deck's cards as a list. Returns
    # the number of deals made, or -1 when no compatible choice of hands turned up.
    players = holes.shape[0]
    width = players * 2 if has_low else players
    counted = width <= COUNTED_BITS
    groups = row_starts.shape[0] - 1
    to_come = 5 - board.shape[0]
    for j in range(board.shape[0]):
        table[j] = board[j]
    made = 0
    for block in range(first, first + blocks):
        seed_block(state, seed, block)
        todo = min(BLOCK, deals - block * BLOCK)
        for _ in range(todo):
            used = draw_joint(state, taken, row_starts, masks, keep, other, rows, TRIES)
            if groups and not used:
                return -1
            for g in range(groups):
                column = 0
                for i in range(member_starts[g], member_starts[g + 1]):
                    for c in range(hole_cards):
                        holes[members[i], c] = cards[rows[g], column]
                        column += 1
            if not groups:
                used = taken
            for i in range(free.shape[0] * hole_cards + to_come):
                while True:
                    card = live[below(state, live.shape[0])]
                    bit = card_mask(card)
                    if not used & bit:
                        break
                used |= bit
                if i < to_come:
                    table[board.shape[0] + i] = card
                else:
                    i -= to_come
                    holes[free[i // hole_cards], i % hole_cards] = card
            board_sum = START
            board_mask = np.uint64(0)
            board_low = 0
            for j in range(5):
                board_sum += key[table[j]]
                board_mask |= card_mask(table[j])
                board_low |= low_ranks(table[j])
            for p in range(players):
                highs[p] = high_of(
                    selection, holes, p, board_sum, board_mask, key, offset, value, flush, row, pair, best,
                    suited_row, suited,
                )  # fmt: skip
            outcome = best_of(highs, players)
            if has_low:
                for p in range(players):
                    lows[p] = low_of(selection, holes, p, board_low, low_five, low_split)
                outcome |= best_of(lows, players) << players
            if counted:
                counter[outcome] += 1
            else:
                spread(tally, players, outcome, 1)
        made += todo
    if counted:
        spread_all(tally, players, counter, width)
    return made


class Dealer:
    """Deals blocks of one question: `deal` may be called from several threads at once."""

    block = BLOCK
    chunk = 8

    def __init__(
        self,
        players: int,
        hole_cards: int,
        board: NDArray[np.uint8],
        dead: tuple[int, ...],
        live: tuple[int, ...],
        free: tuple[int, ...],
        choices: Choices,
        evaluators: Evaluators,
        seed: int,
    ) -> None:
        self.players = players
        self.acceptance = choices.acceptance
        self._hole_cards = hole_cards
        self._seed = np.uint64(seed)
        gone = [*board.tolist(), *dead]
        self._fixed = (
            np.uint64(sum(1 << (16 * (c & 3) + (c >> 2)) for c in gone)), board, hole_cards, np.array(free, np.int64),
            np.array(live, np.uint8), choices.members, choices.member_starts, choices.row_starts, choices.cards,
            choices.masks, choices.keep, choices.other, *evaluators,
        )  # fmt: skip

    def deal(self, first: int, blocks: int, deals: int) -> NDArray[np.int64]:
        """The tally of `blocks` blocks from number `first` on, none beyond deal number `deals`."""
        tally = np.zeros((self.players, self.players + 1, self.players + 2), np.int64)
        made = _deal_blocks(
            self._seed, first, blocks, deals, *self._fixed, np.zeros((self.players, self._hole_cards), np.uint8),
            np.zeros(5, np.uint8), np.zeros(self.players, np.int64), np.zeros(self.players, np.int64),
            np.zeros(self.players, np.int64), np.zeros(4, np.uint64), np.zeros(1 << COUNTED_BITS, np.int64), tally,
        )  # fmt: skip
        if made < 0:
            raise NoDealError(TOO_RARE)
        return tally

"""Exact equity of two or three weighted ranges on a board of three cards or more, by sorted sweep.

Two ranges of two cards have a faster sweep of their own, `rank_sweep`; tests compare both.

On each completed board every live hand is evaluated once and the hands are sorted by strength. Going up the
strengths, the weight of the opponent's hands so far that share no card with a hand is found by inclusion and
exclusion over the hand's cards: with S[A] the running weight of the opponent's hands that hold all cards of the
set A, it is the sum of (-1)^|A| S[A] over the subsets A of the hand. Two cards need S - S[x] - S[y]; the term of
the whole hand is left out, since it is the weight of the very same hand, which is not there below and known when
level. Omaha needs singles, pairs and triples. Asked before a level group is added the sum tells what the hand
beats, asked afterwards what it ties as well. So a board costs O(n log n) instead of O(n^2).

With three players (two cards each) a hand (x, y) needs the weight of disjoint pairs of opponents' hands, each
below or level. Let m[k] be the weight of an opponent's hands that hold card k but neither x nor y. The product of
the two opponents' totals counts pairs that share a card; taking away the sum over k of m[k] * m'[k] removes
these, and removes twice the pairs of identical hands (which share two cards): those are added back. They exist
only when both opponents stand in the same relation. That is fifty multiplications for each hand and relation.

Boards that differ only by an exchange of suits that changes neither the board so far nor the ranges are swept once
(`suit_turns`, `boards_to_come`).

All sums are float64. With integer weights every partial sum is an integer below 2**53 (checked by the caller),
so the result is exact. Memory: fourteen 32-bit numbers a hand in Omaha, 15 MB for all 270,725.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import START, card_mask, hand_value, rank_place, suit_ranks
from potshare.kernel import kernel, leaf
from potshare.simulate.evaluators import TWO_PLUS_THREE, Evaluators, bits
from potshare.simulate.exact.joint import combo_masks


@leaf
def _pair_values(board_sum, board_mask, key, offset, row, pair, best, suited_row, suited, table):  # type: ignore[no-untyped-def]
    # table[52 * a + b]: what two hole cards make with three of the board, flushes included.
    at = row[rank_place(board_sum, offset)]
    flush_suit = -1
    shared = np.int64(0)
    for s in range(4):
        ranks = suit_ranks(board_mask, s)
        if bits(ranks) >= 3:
            flush_suit = s
            shared = ranks
    for a in range(52):
        for b in range(a):
            column = pair[(a >> 2 << 4) | (b >> 2)]
            v = best[at, column]
            if a & 3 == flush_suit and b & 3 == flush_suit:
                v = max(v, suited[suited_row[shared], column])
            table[52 * a + b] = v
            table[52 * b + a] = v


@leaf
def sorted_live(  # type: ignore[no-untyped-def]
    combos, cards, base, boards, b, selection, key, offset, value, flush, row, pair, best, suited_row, suited, table,
    strength, order, spare, counts,
):  # fmt: skip
    """Evaluates the hands that board b leaves alive and sorts their indices by strength into `order`.

    Returns their number. Two passes of a counting sort on seven bits each: strengths stay below 2**14.
    """
    board_sum = START
    board_mask = np.uint64(0)
    for j in range(base.shape[0]):
        board_sum += key[base[j]]
        board_mask |= card_mask(base[j])
    for j in range(boards.shape[1]):
        board_sum += key[boards[b, j]]
        board_mask |= card_mask(boards[b, j])
    if selection == TWO_PLUS_THREE:
        _pair_values(board_sum, board_mask, key, offset, row, pair, best, suited_row, suited, table)
    live = 0
    for i in range(combos.shape[0]):
        mask = np.uint64(0)
        for c in range(cards):
            mask |= card_mask(combos[i, c])
        if mask & board_mask:
            continue
        if selection == TWO_PLUS_THREE:
            v = np.uint16(0)
            for c in range(1, cards):
                for d in range(c):
                    v = max(v, table[52 * np.int64(combos[i, c]) + combos[i, d]])
            strength[i] = v
        else:
            total = board_sum
            for c in range(cards):
                total += key[combos[i, c]]
            strength[i] = hand_value(total, board_mask | mask, offset, value, flush)
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


@leaf
def apart(sums, p, parts, c, singles, doubles):  # type: ignore[no-untyped-def]
    """The weight in sums[p] that shares no card with hand c.

    Parts of one and three cards come before those of two; the first entry of sums is the total.
    """
    found = sums[p, 0]
    for j in range(singles):
        found -= sums[p, parts[c, j]]
    for j in range(singles, singles + doubles):
        found += sums[p, parts[c, j]]
    return found


@cache
def _sweep_two(cards: int) -> Any:
    """The sweep of two players with so many cards each; loops over constants are twice as fast for two cards."""
    singles = cards + comb(cards, 3)
    doubles = comb(cards, 2) if cards > 2 else 0
    # What inclusion and exclusion makes of the very same hand without the term of the whole hand.
    own = 1.0 if cards % 2 == 0 else -1.0

    @kernel
    def sweep_two(  # type: ignore[no-untyped-def]
        combos, parts, weights, base, boards, times, selection, key, offset, value, flush, row, pair, best, suited_row,
        suited, table, strength, order, spare, counts, sums, beaten, out,
    ):  # fmt: skip
        # out (3,): the weight that the first player wins, the second wins, and ties.
        for b in range(boards.shape[0]):
            live = sorted_live(
                combos, cards, base, boards, b, selection, key, offset, value, flush, row, pair, best, suited_row,
                suited, table, strength, order, spare, counts,
            )  # fmt: skip
            for p in range(2):
                for k in range(sums.shape[1]):
                    sums[p, k] = 0.0
            first_wins = 0.0
            second_wins = 0.0
            ties = 0.0
            i = 0
            while i < live:
                j = i
                s = strength[order[i]]
                while j < live and strength[order[j]] == s:
                    c = order[j]
                    beaten[j] = apart(sums, 1, parts, c, singles, doubles)
                    first_wins += weights[0, c] * beaten[j]
                    second_wins += weights[1, c] * apart(sums, 0, parts, c, singles, doubles)
                    j += 1
                for q in range(i, j):
                    c = order[q]
                    for p in range(2):
                        w = weights[p, c]
                        if w != 0.0:
                            sums[p, 0] += w
                            for k in range(singles + doubles):
                                sums[p, parts[c, k]] += w
                for q in range(i, j):
                    c = order[q]
                    w = weights[0, c]
                    if w != 0.0:
                        ties += w * (apart(sums, 1, parts, c, singles, doubles) - beaten[q] + own * weights[1, c])
                i = j
            out[0] += times[b] * first_wins
            out[1] += times[b] * second_wins
            out[2] += times[b] * ties

    return sweep_two


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
    combos, weights, base, boards, times, selection, key, offset, value, flush, row, pair, best, suited_row, suited,
    table, strength, order, spare, counts, cards, pairs, products, others, out,
):  # fmt: skip
    # out (3, 4): for each player the weight of deals that he wins alone, ties with one other, ties with both; [3]
    # is unused. Relations: 0 below, 1 level. cards[r, p, card] and products[r, p, card] have the total at 52,
    # pairs[r, p, x, y] is the weight of the combo x, y where it stands in relation r; products are those of the
    # two opponents of p. others[r, p, k] is the m[k] of the module's text.
    for b in range(boards.shape[0]):
        live = sorted_live(
            combos, 2, base, boards, b, selection, key, offset, value, flush, row, pair, best, suited_row, suited,
            table, strength, order, spare, counts,
        )  # fmt: skip
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
                            out[a, rp + rt] += times[b] * w * both
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


MOST_CARDS = 4
"""Hole cards that can be swept."""


def parts_of(combos: NDArray[np.uint8]) -> tuple[NDArray[np.int32], int, int]:
    """Where the sums of each hand's sets of cards stand, sets of one and three cards before those of two.

    Returns (n, 2 ** cards - 2) int32, the number of sets of one and three, and the number of entries in all. Entry
    0 is the empty set; a set of k cards has its place in the combinatorial number system after the smaller sets.
    """
    cards = combos.shape[1]
    ascending = np.sort(combos, axis=1).astype(np.int64)
    choose = np.array([[comb(c, k) for k in range(MOST_CARDS + 1)] for c in range(53)], np.int64)
    starts = np.cumsum([0] + [comb(52, k) for k in range(cards)])
    sizes = [k for k in (1, 3) if k < cards] + [k for k in (2,) if k < cards]
    columns = []
    for k in sizes:
        for chosen in combinations(range(cards), k):
            place = sum(choose[ascending[:, c], i + 1] for i, c in enumerate(chosen))
            columns.append(starts[k] + place)
    singles = sum(comb(cards, k) for k in (1, 3) if k < cards)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32)), singles, int(starts[-1])


def suit_turns(
    fixed: Sequence[Sequence[int]], ranges: Sequence[tuple[NDArray[np.uint8], NDArray[np.float64]] | None]
) -> NDArray[np.uint8]:
    """The exchanges of suits that change nothing, a group: (g, 4) uint8, the new suit of each suit.

    An exchange changes nothing when it maps each of the sets of cards `fixed` (the board so far, dead cards) to itself
    and every range, (hands, weights), to the same hands with the same weights. None stands for a range of all hands
    without the fixed cards, which every exchange that leaves those alone leaves alone.
    """
    held = [[{c >> 2 for c in cards if c & 3 == suit} for cards in fixed] for suit in range(4)]
    alike = [held.index(own) for own in held]
    turns = [turn for turn in permutations(range(4)) if all(alike[a] == alike[b] for a, b in enumerate(turn))]
    for given in ranges:
        if given is None or len(turns) == 1:
            continue
        hands, weights = given
        masks = combo_masks(hands)
        order = np.argsort(masks)
        masks, weights = masks[order], weights[order]
        kept = []
        for turn in turns:
            turned = combo_masks((hands[order] & 0xFC) | np.array(turn, np.uint8)[hands[order] & 3])
            order_turned = np.argsort(turned)
            if np.array_equal(turned[order_turned], masks) and np.array_equal(weights[order_turned], weights):
                kept.append(turn)
        turns = kept
    return np.array(turns, np.uint8)


@kernel
def _list_boards(size, live, turns, ranks, suits, boards, times):  # type: ignore[no-untyped-def]
    # All sets of `size` cards of the mask `live`, ranks by ranks; of sets that the turns of suits make alike the one
    # with the least mask, and how many they are. Returns the number of sets listed.
    for j in range(size):
        ranks[j] = 0
    n = 0
    while True:
        # Every choice of suits, ascending within a rank.
        depth = 0
        suits[0] = 0
        while depth >= 0:
            s = suits[depth]
            if s == 4:
                depth -= 1
                if depth >= 0:
                    suits[depth] += 1
                continue
            if not (live >> np.uint64(16 * s + ranks[depth])) & np.uint64(1):
                suits[depth] += 1
                continue
            if depth < size - 1:
                depth += 1
                suits[depth] = s + 1 if ranks[depth] == ranks[depth - 1] else 0
                continue
            mask = np.uint64(0)
            for j in range(size):
                mask |= np.uint64(1) << np.uint64(16 * suits[j] + ranks[j])
            fixing = 0
            for t in range(turns.shape[0]):
                turned = np.uint64(0)
                for k in range(4):
                    turned |= ((mask >> np.uint64(16 * k)) & np.uint64(8191)) << np.uint64(16 * turns[t, k])
                if turned < mask:
                    fixing = 0
                    break
                if turned == mask:
                    fixing += 1
            if fixing:
                for j in range(size):
                    boards[n, j] = 4 * ranks[j] + suits[j]
                # The orbit of a set under a group: the exchanges over those that leave it alone.
                times[n] = turns.shape[0] // fixing
                n += 1
            suits[depth] += 1
        j = size - 1
        while j >= 0 and ranks[j] == 12:
            j -= 1
        if j < 0:
            return n
        ranks[j] += 1
        for k in range(j + 1, size):
            ranks[k] = ranks[j]


def boards_to_come(
    live: Sequence[int], size: int, turns: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Every set of `size` of the cards `live`, up to exchanges of suits, boards of the same ranks side by side.

    Returns (b, size) uint8 and (b,) int64, how many sets each stands for; without cards to come one empty board.
    """
    boards = np.zeros((comb(len(live), size), size), np.uint8)
    times = np.ones(len(boards), np.int64)
    if size:
        mask = sum(1 << (16 * (c & 3) + (c >> 2)) for c in live)
        n = _list_boards(
            size, np.uint64(mask), turns, np.empty(size, np.int64), np.empty(size, np.int64), boards, times
        )
        boards, times = boards[:n], times[:n]
    return boards, times


def seconds(hands: int, cards: int, players: int, boards: int) -> float:
    """What a sweep takes on one core, roughly, as measured."""
    return boards * hands * (2.5e-7 if players == 3 else 2e-8 if cards == 2 else 5e-8)


class Sweep:
    """Two or three ranges on a board, ready for slices of the boards to come; threads may share it.

    `combos` (n, cards) uint8 are all live hands, `weights` (players, n) float64 each player's weight of them (0 for
    not in the range); `base` is the board so far. Three players only with two cards each.
    """

    def __init__(
        self, combos: NDArray[np.uint8], weights: NDArray[np.float64], base: NDArray[np.uint8], evaluators: Evaluators
    ) -> None:
        self._players = len(weights)
        e = evaluators
        self._combos = combos
        self._given = (weights, base)
        self._tables = (e.selection, e.key, e.offset, e.value, e.flush, e.row, e.pair, e.best, e.suited_row, e.suited)
        self._parts, _, self._entries = parts_of(combos)

    def over(self, boards: NDArray[np.uint8], times: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weight of outcomes over completions of the board.

        `boards` (b, k) uint8 are the cards to come, `times` (b,) how often each counts. Returns
        (players, players + 1): what each player wins with j sharers (index j; index 0 is left 0).
        """
        n = len(self._combos)
        weights, base = self._given
        work = (
            np.empty(52 * 52, np.uint16), np.empty(n, np.uint16), np.empty(n, np.int64), np.empty(n, np.int64),
            np.empty(256, np.int64),
        )  # fmt: skip
        found = np.zeros((self._players, self._players + 1))
        if self._players == 2:
            out = np.zeros(3)
            _sweep_two(self._combos.shape[1])(
                self._combos, self._parts, weights, base, boards, times, *self._tables, *work,
                np.empty((2, self._entries)), np.empty(n), out,
            )  # fmt: skip
            found[:, 1] = out[:2]
            found[:, 2] = out[2]
        else:
            three = np.zeros((3, 4))
            _sweep_three(
                self._combos, weights, base, boards, times, *self._tables, *work, np.empty((2, 3, 53)),
                np.empty((2, 3, 52, 52)), np.empty((2, 3, 53)), np.empty((2, 3, 52)), three,
            )  # fmt: skip
            found[:, 1:] = three[:, :3]
        return found

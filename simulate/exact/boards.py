"""Every run-out of games with boards that are no plain flop games: two boards, wild cards, any hands and rankings.

The cards of one board are gone through one by one and the outcome of each set is kept. With two boards a deal is a set
for each, no card in both. How many deals have outcome a on the first board and b on the second is counted without
going through them: by inclusion and exclusion over the cards that both sets could share,

    deals(a, b) = sum over U of (-1)^|U| A(U) B(U),

where A(U) is how many sets for the first board have outcome a and contain U, B(U) the same for b and the second. A of
one size of U comes from A of the next. Both boards of hold'em before the flop are 1,712,304 sets and
1.6e12 deals. All counts are integers.

Sets of cards stand in colexicographic order: the place of one is the sum of C(card, position).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.kernel import kernel
from potshare.simulate.drawing.best import CHOOSE
from potshare.simulate.drawing.decide import cards_value, split_value
from potshare.simulate.exact.completions import MOST_DEALS, Plan, TooManyError
from potshare.simulate.outcomes import best_of
from potshare.simulate.sampling.general import plan as steps_of
from potshare.simulate.variants import SELECTIONS, Variant

BOARD = 5

_MOST_SETS = 2_600_000
_PIECE = 200_000
_SECONDS_PER_VALUE = (6e-8, 1e-7)
_SECONDS_TO_START = 2e-4
_SECONDS_PER_SUM = 4e-9


@cache
def _evaluator(split_hands: int) -> Any:
    SPLIT = split_hands  # noqa: N806

    @kernel
    def outcomes(  # type: ignore[no-untyped-def]
        first, last, at, known, live, choose, hands, size, board, number, halves, key, offset, value, flush, key2,
        offset2, value2, flush2, row, pair, best, suited_row, suited, split, boards, strength, out,
    ):  # fmt: skip
        # The outcomes on one board of the sets of live cards number `first` to `last`, of which `at` is the first.
        players = hands.shape[0]
        one = np.int64(1)
        zero = one - 1
        full = (one << size) - 1
        cards = np.int64(boards.shape[1])
        to_come = cards - known
        for i in range(first, last):
            for j in range(to_come):
                boards[board, known + j] = live[at[j]]
            outcome = zero
            if halves[0, 2] == board:
                for p in range(players):
                    if SPLIT:
                        strength[p] = split_value(
                            halves, zero, hands, p, size, boards, key, offset, value, flush, row, pair, best,
                            suited_row, suited, split,
                        )  # fmt: skip
                    else:
                        strength[p] = cards_value(
                            halves, zero, hands, p, size, full, boards, cards, key, offset, value, flush
                        )
                outcome |= best_of(strength, players)
            if number == 2 and halves[1, 2] == board:
                for p in range(players):
                    if SPLIT:
                        strength[p] = split_value(
                            halves, one, hands, p, size, boards, key2, offset2, value2, flush2, row, pair, best,
                            suited_row, suited, split,
                        )  # fmt: skip
                    else:
                        strength[p] = cards_value(
                            halves, one, hands, p, size, full, boards, cards, key2, offset2, value2, flush2
                        )
                outcome |= best_of(strength, players) << players
            out[i] = outcome
            j = 0
            while j < to_come - 1 and at[j] + 1 == at[j + 1]:
                at[j] = j
                j += 1
            if to_come:
                at[j] += 1

    return outcomes


@kernel
def _spread_down(first, last, at, size, choose, outcome, sums, below, out):  # type: ignore[no-untyped-def]
    # Adds what sets number `first` to `last` of a size hold to each of their subsets with one card less: one for the
    # outcome of the set, or the sums of all outcomes. `at` is the first set, `below` where the smaller sets begin.
    for i in range(first, last):
        place = np.int64(0)
        for j in range(1, size):
            place += choose[at[j], j]
        for j in range(size):
            if outcome.shape[0]:
                out[outcome[i], below + place] += 1
            else:
                for a in range(out.shape[0]):
                    out[a, below + place] += sums[a, i]
            place += choose[at[j], j + 1]
            if j + 1 < size:
                place -= choose[at[j + 1], j + 1]
        j = 0
        while j < size - 1 and at[j] + 1 == at[j + 1]:
            at[j] = j
            j += 1
        at[j] += 1


def _set_at(place: int, size: int) -> NDArray[np.int64]:
    # The set of a place, ascending.
    at = np.zeros(8, np.int64)
    for j in range(size - 1, -1, -1):
        card = j
        while comb(card + 1, j + 1) <= place:
            card += 1
        at[j] = card
        place -= comb(card, j + 1)
    return at


class _Board:
    # The sets of cards that complete one board: `kinds` different outcomes, `kind` (sets,) of each set.

    def __init__(self, cards: int, to_come: int, outcomes: NDArray[np.int64]) -> None:
        self.cards, self.to_come = cards, to_come
        self.kinds, kind = np.unique(outcomes, return_inverse=True)
        self.kind = kind.astype(np.int32)

    def sums(self) -> list[NDArray[np.int64]]:
        """For each size of U, up to all of the cards but one, (kinds, sets of that size): A(U)."""
        found: list[NDArray[np.int64]] = []
        nobody, nothing = np.zeros(0, np.int32), np.zeros((0, 0), np.int64)
        for size in range(self.to_come, 0, -1):
            total = comb(self.cards, size)
            out = np.zeros((len(self.kinds), comb(self.cards, size - 1)), np.int64)
            above = found[0] if found else nothing
            for first in range(0, total, _PIECE):
                _spread_down(
                    first, min(total, first + _PIECE), _set_at(first, size), size, CHOOSE,
                    nobody if found else self.kind, above, 0, out,
                )  # fmt: skip
            # A set of the size before was reached through each card that it lacks.
            found.insert(0, out // (self.to_come - size + 1))
        return found


def _together(one: _Board, two: _Board) -> NDArray[np.int64]:
    # (kinds, kinds) int64: how many deals have an outcome on the first board and one on the second.
    if one.to_come > two.to_come:
        return _together(two, one).T
    total = np.zeros((len(one.kinds), len(two.kinds)), np.int64)
    first, second = one.sums(), two.sums()
    for size in range(one.to_come):
        total += (-1) ** size * (first[size] @ second[size].T)
    k = one.to_come
    sign = (-1) ** k
    if k == two.to_come:
        both = np.bincount(one.kind.astype(np.int64) * len(two.kinds) + two.kind, minlength=total.size)
        return np.asarray(total + sign * both.reshape(total.shape))
    for a in range(len(one.kinds)):
        total[a] += sign * second[k][:, one.kind == a].sum(axis=1)
    return total


def prepare(
    variant: Variant,
    held: Sequence[Sequence[int]],
    boards: Sequence[Sequence[int]],
    dead: Sequence[int] = (),
) -> Plan:
    """The plan of counting every run-out of one or two boards, given complete hands; `Plan.seconds` is an estimate.

    Raises `completions.TooManyError` for questions beyond counting.
    """
    players = len(held)
    known = [tuple(b) for b in boards]
    gone = {*dead, *(c for b in known for c in b), *(c for hand in held for c in hand)}
    live = np.array([c for c in variant.deck if c not in gone], np.uint8)
    to_come = [variant.board_cards - len(b) for b in known]
    sets = [comb(len(live), k) for k in to_come]
    deals = sets[0]
    if len(known) == 2:
        deals *= comb(max(0, len(live) - to_come[0]), to_come[1])
    width = players * len(variant.halves)
    if max(sets) > _MOST_SETS or deals >= MOST_DEALS or width > 20:
        raise TooManyError
    split = any(h.selection == SELECTIONS[1] for h in variant.halves)
    played = [sum(h.board == b + 1 for h in variant.halves) for b in range(len(known))]
    seconds = _SECONDS_TO_START + sum(
        n * (players * _SECONDS_PER_VALUE[split] * p + (k * _SECONDS_PER_SUM if len(known) == 2 else 0.0))
        for n, p, k in zip(sets, played, to_come, strict=True)
    )
    if len(known) == 2:
        # The product of the sums, over the outcomes that may occur.
        outcomes = min(2**players - 1, 64)
        smaller = sum(comb(len(live), size) for size in range(min(to_come)))
        seconds += 2e-9 * smaller * outcomes * outcomes

    def counters(threads: int) -> Iterator[tuple[float, NDArray[np.int64]]]:
        tables = steps_of(variant, "standard", False)
        hands = np.array([tuple(hand) for hand in held], np.uint8)
        evaluate = _evaluator(int(split))
        counter = np.zeros(1 << width, np.int64)
        found: list[NDArray[np.int64]] = []
        for board, cards in enumerate(known):
            if board and known[0] == known[1] and _alike(variant):
                # Nothing tells the boards apart: what is high on the one is low on the other.
                found.append(found[0] << players)
                continue
            out = np.zeros(sets[board], np.int64)
            scratch = np.zeros((len(known), variant.board_cards), np.uint8)
            scratch[board, : len(cards)] = cards
            for first in range(0, len(out), _PIECE):
                last = min(len(out), first + _PIECE)
                evaluate(
                    first, last, _set_at(first, to_come[board]), len(cards), live, CHOOSE, hands, hands.shape[1], board,
                    len(variant.halves), tables.halves, *tables.tables, scratch, np.zeros(players, np.int64), out,
                )  # fmt: skip
                # Nothing is counted yet; between the pieces Ctrl-C is heard.
                yield (board + 0.9 * last / len(out)) / len(known), np.zeros_like(counter)
            found.append(out)
        if len(found) == 1:
            np.add.at(counter, found[0], 1)
        else:
            one, two = (_Board(len(live), k, out) for k, out in zip(to_come, found, strict=True))
            np.add.at(counter, one.kinds[:, None] | two.kinds[None, :], _together(one, two))
        yield 1.0, counter

    return Plan(deals, players, len(variant.halves), seconds, counters)


def _alike(variant: Variant) -> bool:
    # Whether the first half is played on the first board and the second, by the same ranking, on the second.
    if len(variant.halves) < 2:
        return False
    one, two = variant.halves
    return (one.ranking, one.selection, one.board, two.board) == (two.ranking, two.selection, 1, 2)

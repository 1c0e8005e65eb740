"""The compiled settlement against `showdown.settle`, row by row."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.simulate.scoring import pots
from potshare.simulate.showdown import money_layers, settle


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[int], list[bool], list[list[int]], list[int]]:
    """Contributions, folds, strengths and the order of odd chips; a pot can always be won."""
    seats = draw(st.integers(1, 9))
    chips = draw(st.lists(st.integers(0, 12) | st.integers(0, 10**6), min_size=seats, max_size=seats))
    folded = draw(st.lists(st.booleans(), min_size=seats, max_size=seats).filter(lambda f: not all(f)))
    high = draw(st.lists(st.integers(1, 4), min_size=seats, max_size=seats))
    low = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    order = draw(st.permutations(range(seats)))
    return chips, folded, [high, low], list(order)


Hand = tuple[list[int], list[bool], list[list[int]], list[int]]


def _settle_rows(rows: list[Hand], halves: int) -> dict[str, np.ndarray]:
    n, width = len(rows), max(len(r[0]) for r in rows)
    money, keys = np.zeros((n, width), np.int64), np.zeros((n, width), np.int64)
    folded = np.zeros((n, width), np.uint8)
    strengths = np.zeros((n, halves, width), np.uint16)
    seats = np.array([len(r[0]) for r in rows])
    for i, (chips, out, values, order) in enumerate(rows):
        k = len(chips)
        money[i, :k], folded[i, :k] = chips, out
        strengths[i, :, :k] = values[:halves]
        keys[i, order] = np.arange(k)
    found = {
        "paid": np.zeros((n, width), np.int64),
        "halves_paid": np.zeros((n, halves, width), np.int64),
        "returned": np.zeros((n, width), np.int64),
        "wins": np.zeros((n, halves), np.int64),
        "num": np.zeros((n, width), np.int64),
        "den": np.ones(n, np.int64),
        "bad": np.zeros(n, np.uint8),
    }
    known = np.full(n, pots.CONTRIBUTIONS, np.int64)
    pots.settle_rows(money, known, seats, folded, strengths, keys, *found.values())
    return found


@given(st.lists(hands(), min_size=1, max_size=30), st.sampled_from([1, 2]))
@settings(max_examples=60, deadline=None)
def test_rows_are_settled_as_by_the_slow_settlement(rows: list[Hand], halves: int) -> None:
    found = _settle_rows(rows, halves)
    assert not found["bad"].any()
    for i, (chips, out, values, order) in enumerate(rows):
        k = len(chips)
        slow = settle(chips, out, values[:halves], order)
        assert tuple(found["paid"][i, :k]) == slow.payouts
        assert tuple(found["returned"][i, :k]) == slow.returned
        for h in range(halves):
            assert found["halves_paid"][i, h, :k].tolist() == [
                sum(award[h][s] for award in slow.awards) for s in range(k)
            ]
        assert found["paid"][i].sum() == sum(chips)
        shares = [Fraction(int(n), int(found["den"][i])) for n in found["num"][i, :k]]
        assert sum(shares) == 1
        if sum(chips) > sum(slow.returned):
            assert shares == _shares(chips, out, values[:halves], slow.returned)


def _shares(chips: list[int], out: list[bool], values: list[list[int]], returned: tuple[int, ...]) -> list[Fraction]:
    # The shares of what was called, pot by pot.
    shares = [Fraction(0)] * len(chips)
    for layer in money_layers(chips, out):
        if len(layer.eligible) == 1:
            shares[layer.eligible[0]] += layer.amount - returned[layer.eligible[0]]
            continue
        tops = [max(half[s] for s in layer.eligible) for half in values]
        open_halves = sum(top > 0 for top in tops)
        for half, top in zip(values, tops, strict=True):
            winners = [s for s in layer.eligible if top and half[s] == top]
            for s in winners:
                shares[s] += Fraction(layer.amount, open_halves * len(winners))
    total = sum(chips) - sum(returned)
    return [share / total for share in shares]


def test_a_pot_that_nobody_can_win_is_marked() -> None:
    found = _settle_rows([([5, 5], [False, False], [[0, 0]], [0, 1])], 1)
    assert found["bad"].tolist() == [2]

"""The compiled functions under pytest-benchmark, by size and rival: `pytest bench --benchmark-enable`.

Not part of the test suite, which has no timing in it. The rate is in each result's `extra_info`.
"""

from __future__ import annotations

import numpy as np
import pytest

from potshare.bench import rivals
from potshare.bench.throughput import random_hands
from potshare.evaluator import lanes, omaha_lanes
from potshare.evaluator.arrays import strengths

SIZES = (100, 10_000, 1 << 20)


def note_rate(benchmark, hands):
    if benchmark.enabled:
        benchmark.extra_info["millions of hands a second"] = round(hands / benchmark.stats.stats.min / 1e6, 2)


def lowest_card(ranking):
    return 16 if ranking.startswith("short-deck") else 0


@pytest.mark.parametrize("hands", SIZES)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_high_from_arrays(benchmark, size, hands):
    cards = random_hands(hands, size)
    benchmark(strengths, cards, "high")
    note_rate(benchmark, hands)


@pytest.mark.parametrize(("ranking", "size"), lanes.FORMS)
def test_lanes(benchmark, ranking, size):
    cards = random_hands(1 << 18, size, lowest_card(ranking))
    out = np.empty(len(cards), np.uint16)
    benchmark(lanes.strengths_batch, cards, ranking, out)
    note_rate(benchmark, len(cards))


def test_all_seven_card_hands_in_order(benchmark):
    benchmark(lanes.in_order)
    note_rate(benchmark, lanes.HANDS7)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_omaha(benchmark, size):
    cards = random_hands(1 << 18, 5 + size)
    board, hole = np.ascontiguousarray(cards[:, :5]), np.ascontiguousarray(cards[:, 5:])
    benchmark(strengths, hole, "high", board, selection="two plus three")
    note_rate(benchmark, len(cards))


@pytest.mark.parametrize(("ranking", "size"), omaha_lanes.FORMS)
def test_omaha_lanes(benchmark, ranking, size):
    cards = random_hands(1 << 18, 5 + size)
    board, hole = np.ascontiguousarray(cards[:, :5]), np.ascontiguousarray(cards[:, 5:])
    out = np.empty(len(cards), np.uint16)
    benchmark(omaha_lanes.two_plus_three_batch, hole, board, ranking, out)
    note_rate(benchmark, len(cards))


@pytest.mark.parametrize("hands", [1_000, 100_000])
@pytest.mark.parametrize("rival", rivals.HIGH_RIVALS, ids=lambda rival: rival.name)
def test_rivals(benchmark, rival, hands):
    try:
        run = rival.prepare(random_hands(hands, 7))
    except ImportError as error:
        pytest.skip(str(error))
    benchmark(run)
    note_rate(benchmark, hands)

"""The measurements measure the right thing: hands, checksums and comparisons with rivals. No timing is asserted."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from potshare.bench import rivals, startup, throughput
from potshare.errors import PotshareError


def test_random_hands_are_the_same_everywhere():
    hands = throughput.random_hands(100_000, 7)
    assert hands.shape == (100_000, 7)
    assert hands.dtype == np.uint8
    assert hands[0].tolist() == [8, 29, 16, 19, 6, 10, 30]
    np.testing.assert_array_equal(throughput.random_hands(200_000, 7)[:100_000], hands)


@pytest.mark.parametrize(("size", "lowest"), [(3, 0), (7, 0), (7, 16), (11, 0)])
def test_random_hands_are_uniform_and_hold_no_card_twice(size, lowest):
    hands = throughput.random_hands(200_000, size, lowest)
    assert hands.min() == lowest
    assert hands.max() == 51
    ordered = np.sort(hands, axis=1)
    assert (ordered[:, 1:] > ordered[:, :-1]).all()
    for column in hands.T:
        counts = np.bincount(column, minlength=52)[lowest:]
        expected = len(hands) / (52 - lowest)
        # Chi squared with 51 or 35 degrees of freedom: beyond 100 about once in 20,000 columns.
        assert ((counts - expected) ** 2 / expected).sum() < 100


def test_checksums_depend_on_the_order():
    strengths = np.array([5, 7, 9], np.uint16)
    assert throughput.checksum(strengths) == 5 + 14 + 27
    assert throughput.checksum(strengths[::-1].copy()) == 9 + 14 + 15


@pytest.mark.parametrize("workload", throughput.WORKLOADS, ids=lambda workload: workload.name)
def test_every_workload_has_its_checksum(workload):
    row = throughput.measure(dataclasses.replace(workload, rivals=()), repeats=1, seconds=0)
    assert row.correct
    assert row.checksum == workload.checksum
    assert row.hands >= 100_000
    assert row.rate == row.hands / row.seconds
    assert row.repeats == 1
    assert row.rivals == ()


def test_names_are_different():
    names = [workload.name for workload in throughput.WORKLOADS]
    assert len(set(names)) == len(names)


def test_a_wrong_checksum_shows():
    workload = dataclasses.replace(throughput.select(["high-5"])[0], checksum=1, rivals=())
    assert not throughput.measure(workload, repeats=1, seconds=0).correct


def test_run_reports_each_row():
    seen = []
    rows = throughput.run(["badugi-4", "high-7-in-order"], repeats=2, seconds=0, report=seen.append)
    assert rows == seen
    assert [row.name for row in rows] == ["badugi-4", "high-7-in-order"]
    assert all(row.repeats == 2 for row in rows)


def test_an_unknown_workload_is_refused():
    with pytest.raises(PotshareError, match="no workload 'high-8'; workloads are high-7-in-order, high-7"):
        throughput.run(["high-8"])


RIVALS = [(workload.name, rival) for workload in throughput.WORKLOADS for rival in workload.rivals]


@pytest.mark.parametrize(("name", "rival"), RIVALS, ids=[f"{name}-{rival.name}" for name, rival in RIVALS])
def test_rivals_order_the_hands_alike(name, rival, monkeypatch):
    workload = throughput.select([name])[0]
    try:
        rival.prepare(throughput.random_hands(1, rival.sizes[-1]))
    except ImportError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(throughput, "RIVAL_HANDS", 300)
    row = throughput.measure(dataclasses.replace(workload, rivals=(rival,)), repeats=1, seconds=0)
    (result,) = row.rivals
    assert result.name == rival.name
    assert result.agrees
    assert 200 <= result.hands <= row.hands
    assert result.ratio == row.rate / result.rate


def test_a_rival_that_is_missing_is_left_out():
    def missing(cards):
        raise ImportError("not here")

    workload = dataclasses.replace(throughput.select(["high-7"])[0], rivals=(rivals.Rival("nobody", missing),))
    assert throughput.measure(workload, repeats=1, seconds=0).rivals == ()


def test_a_rival_that_errs_is_found_out():
    def reversed_order(cards):
        return lambda: -cards[:, 0].astype(np.int64)

    workload = dataclasses.replace(throughput.select(["high-7"])[0], rivals=(rivals.Rival("wrong", reversed_order),))
    (result,) = throughput.measure(workload, repeats=1, seconds=0).rivals
    assert not result.agrees


@pytest.mark.parametrize(
    ("values", "same"),
    [([1, 2, 2, 9], True), ([-5, 0, 0, 1], True), ([1, 2, 3, 9], False), ([1, 2, 2, 2], False), ([9, 2, 2, 1], False)],
)
def test_same_order(values, same):
    strengths = np.array([10, 20, 20, 30], np.uint16)
    assert throughput.same_order(strengths, values, True) == same
    assert throughput.same_order(strengths, [-value for value in values], False) == same


def test_startup_measures_processes():
    seen = []
    processes = [
        startup.Process("nothing", (sys.executable, "-c", "pass")),
        startup.Process("nothing kept", (sys.executable, "-c", "pass"), cold=True),
    ]
    timings = startup.run(processes, runs=2, report=seen.append)
    assert timings == seen
    assert [timing.runs for timing in timings] == [2, 1]
    for timing in timings:
        assert 0 < timing.minimum <= timing.median
        assert len(startup.line(timing)) == len(startup.HEADER)
        assert timing.name in startup.line(timing)


def test_startup_gives_cold_processes_an_empty_cache(tmp_path):
    probe = (
        "import os, pathlib; p = pathlib.Path(os.environ['POTSHARE_CACHE_DIR'], 'x'); assert not p.exists(); p.touch()"
    )
    cold = startup.Process("cold", (sys.executable, "-c", probe), cold=True)
    assert startup.measure(cold, 2, tmp_path).runs == 2
    with pytest.raises(subprocess.CalledProcessError):
        startup.measure(dataclasses.replace(cold, cold=False), 2, tmp_path)


def test_bench_imports_neither_numba_nor_numpy():
    code = "import sys, potshare.bench, potshare.bench.startup; assert not {'numba', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

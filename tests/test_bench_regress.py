"""Comparing rates with recorded ones: the arithmetic and the files, with made-up rates. No timing is asserted."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from potshare.bench import regress
from potshare.bench.regress import Measure, Rate, Record
from potshare.errors import PotshareError

NAMES = ("fast", "slow", "slow, more")
FAKES = [Measure(name, "hands", lambda stack: (1, lambda: None)) for name in NAMES]


class Time:
    """A clock that only the calls move."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def taking(self, *seconds: float) -> Any:
        """A call that takes so long, each time the next of `seconds` and at last the last of them."""
        left = list(seconds)

        def call() -> None:
            self.now += left.pop(0) if len(left) > 1 else left[0]

        return call


def test_the_reference_is_what_it_was() -> None:
    table = [(i * 2654435761 % 2**32 >> 16) % 2**16 for i in range(1 << 12)]
    state, found = 88172645463325252, 0
    for _ in range(5_000):
        state ^= state << 13 & 0xFFFF_FFFF_FFFF_FFFF
        state ^= state >> 7
        state ^= state << 17 & 0xFFFF_FFFF_FFFF_FFFF
        found += table[state >> 52]
    assert int(regress._reference(np.array(table, np.uint16), 5_000)) == found
    steps, run = regress.reference()
    assert run() == run()
    assert steps == 1 << 21


def test_a_reference_that_computes_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regress, "_STEPS", 1000)
    with pytest.raises(PotshareError, match="the reference kernel gives 0x"):
        regress.reference()


def test_a_ratio_is_best_against_best(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    monkeypatch.setattr(regress, "reference", lambda: (1000, clock.taking(0.5, 0.25, 0.5)))
    # The first call compiles, the second tells how long a call takes.
    one = Measure("one", "hands", lambda stack: (300, clock.taking(9, 1, 0.5, 0.25, 0.125, 0.5)))
    found = regress.measure(one, repeats=5, seconds=0, clock=clock)
    assert found == Rate(300 / 0.125, 300 / 0.125 / (1000 / 0.25))


def test_short_calls_are_repeated_and_measuring_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    calls = []
    monkeypatch.setattr(regress, "reference", lambda: (1000, clock.taking(0.01)))
    step = clock.taking(0.001)
    one = Measure("one", "hands", lambda stack: (300, lambda: (calls.append(1), step())))
    found = regress.measure(one, repeats=1, seconds=1, clock=clock)
    assert found.ratio == pytest.approx(300 / 0.001 / (1000 / 0.01))
    # Two calls before, then 5 in turn with the reference: 15 ms a round, 67 rounds a second.
    assert len(calls) == 2 + 5 * 67


def test_what_a_measure_opens_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr(regress, "reference", lambda: (1, lambda: None))

    def prepare(stack: ExitStack) -> Any:
        stack.callback(closed.append, True)
        return 1, lambda: None

    regress.measure(Measure("one", "hands", prepare), repeats=1, seconds=0)
    assert closed == [True]


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(100, "same"), (91, "same"), (90.1, "same"), (89.9, "slower"), (1, "slower"), (110, "same"), (112, "faster")],
)
def test_verdicts(ratio: float, said: str) -> None:
    assert regress.verdict(ratio, Record(100, 0.1)) == said
    assert regress.verdict(ratio, None) == "new"


def test_noise_is_the_spread_of_the_passes() -> None:
    assert regress.summed_up([100, 101, 99, 100, 102]) == Record(100, regress.NOISE)
    assert regress.summed_up([1, 0.9, 1.1, 1, 1.2]) == Record(1, 0.3)
    assert regress.summed_up([1.23456e-7]).ratio == 1.235e-7


def taking(**ratios: list[float]) -> Any:
    """A stand-in for measuring: the ratios of each measure in turn."""
    return lambda one: Rate(1e6, ratios[one.name].pop(0))


def test_what_seems_slower_is_measured_again() -> None:
    records = {"fast": Record(10, 0.1), "slow": Record(10, 0.1)}
    lines: list[str] = []
    take = taking(fast=[5, 7, 9.5], slow=[5, 7, 8])
    assert regress.compare(FAKES[:2], records, take, lines.append) == ["slow"]
    assert [line.split()[-1] for line in lines] == ["same", "slower"]
    assert "-20.0 % of ±10 %" in lines[1]
    # What is not slower is measured once.
    assert regress.compare(FAKES[:2], {"fast": Record(10, 0.1)}, taking(fast=[10], slow=[3]), lines.append) == []
    assert lines[-1].split()[-1] == "new"


def test_records_are_kept_beside_those_of_other_machines(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    with pytest.raises(PotshareError, match=r"no record for this kind of machine \(here\).*--record"):
        regress.read(file, "here")
    regress.write(file, "here", {"fast": Record(1.5, 0.1), "slow": Record(2.5, 0.2)})
    regress.write(file, "there", {"fast": Record(3.5, 0.1)})
    regress.write(file, "here", {"slow": Record(4.5, 0.3)})
    assert regress.read(file, "here") == {"fast": Record(1.5, 0.1), "slow": Record(4.5, 0.3)}
    assert regress.read(file, "there") == {"fast": Record(3.5, 0.1)}
    whole = json.loads(file.read_text("utf-8"))
    assert whole["schema"] == 1
    assert {"version", "python", "numba", "numpy", "reference"} < set(whole["machines"]["here"])
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name]


def test_records_of_another_reference_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "records.json"
    regress.write(file, "here", {"fast": Record(1.5, 0.1)})
    monkeypatch.setattr(regress, "REFERENCE", "other")
    with pytest.raises(PotshareError, match="another reference"):
        regress.read(file, "here")
    regress.write(file, "here", {"slow": Record(2.5, 0.1)})
    assert regress.read(file, "here") == {"slow": Record(2.5, 0.1)}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"machines"'])
def test_a_file_that_is_none_of_records(text: str, tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text(text)
    with pytest.raises(PotshareError, match="is no file of records"):
        regress.read(file, "here")


def test_names_select_by_their_beginning() -> None:
    assert [one.name for one in regress.select([], FAKES)] == list(NAMES)
    assert [one.name for one in regress.select(["slow"], FAKES)] == ["slow", "slow, more"]
    with pytest.raises(PotshareError, match="no measure begins with 'x'; measures are fast; slow; slow, more"):
        regress.select(["fast", "x"], FAKES)
    names = [one.name for one in regress.MEASURES]
    assert len(set(names)) == len(names)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "records.json"
    now = {"fast": 10.0, "slow": 1.0, "slow, more": 3.0}
    monkeypatch.setattr(regress, "MEASURES", tuple(FAKES))
    monkeypatch.setattr(regress, "machine", lambda: "here")
    monkeypatch.setattr(regress, "reference", lambda: (1, lambda: None))
    fake = lambda one: Rate(1e6, now[one.name])  # noqa: E731
    monkeypatch.setattr(regress.compare, "__defaults__", (fake, *regress.compare.__defaults__[1:]))
    monkeypatch.setattr(regress.record, "__defaults__", (fake, *regress.record.__defaults__[1:]))

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(regress.main, [*arguments, "--file", str(file)])
        return result.exit_code, result.output

    assert run()[0] == 2
    assert "no record for this kind of machine (here)" in run()[1]
    assert not file.exists()
    code, said = run("--record")
    assert (code, said.count("pass ")) == (0, regress.PASSES)
    code, said = run()
    assert (code, said.count("  same\n")) == (0, 3)
    now["slow"] = 0.5
    code, said = run()
    assert code == 1
    assert "slower than recorded: slow\n" in said
    assert run("fast")[0] == 0
    assert run("nothing")[0] == 2
    now["slow"] = 2.0
    assert "faster" in run("slow")[1]
    monkeypatch.setattr(regress, "MEASURES", tuple(FAKES[:2]))
    code, said = run()
    assert (code, "no longer measured: slow, more" in said) == (0, True)


@pytest.mark.parametrize(
    "name",
    ["badugi-4", "exact, two hands", "sampled, hold'em, two hands", "score, csv", "score, parquet", "start, help"],
)
def test_one_measure_of_each_kind(name: str) -> None:
    one = next(one for one in regress.MEASURES if one.name == name)
    with ExitStack() as stack:
        units, run = one.prepare(stack)
        run()
    assert units >= 1


def test_the_machine_is_named_by_what_chooses_the_code() -> None:
    kind = regress.machine()
    assert kind == regress.machine()
    assert len(kind.split()) >= 2
    before = regress.used()
    sum(range(1_000_000))
    assert regress.used() > before

"""Rates beside those of the last recorded run: `python -m potshare.bench.regress`.

Every rate is divided by that of a fixed reference kernel, which runs in turns with what is measured, best of many
against best of many, in processor time, on one thread: what else the machine does drops out, and so does the speed of
its clock. The ratios are compared with those that `--record` kept in `records.json`, one set for each kind of machine;
on a kind that has none there is nothing to compare with, which is an error.

A rate counts as changed when it differs by more than its noise: what recording saw it vary by, at least a tenth. What
seems slower is measured twice more and the best counts. The exit status is 1 when something is slower, 2 when nothing
can be compared.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import numpy as np

from potshare import __version__
from potshare.bench import equities, sampling, startup, throughput
from potshare.errors import PotshareError
from potshare.kernel import kernel
from potshare.simulate.equity import equity

RECORDS = Path(__file__).with_name("records.json")

NOISE = 0.1
"""The least change of a ratio that counts."""

PASSES = 3
"""Times that `--record` measures everything."""

_ENOUGH = 0.005
"""Seconds that a timed call should take; shorter ones are repeated within it."""

# -- the reference --------------------------------------------------------------------------------------------------

REFERENCE = "xorshift-1"
"""Names what the reference kernel does. Records of another reference cannot be compared."""

_STEPS = 1 << 21
_KNOWN = 0x80BA


@kernel
def _reference(table, steps):  # type: ignore[no-untyped-def]
    # Numbers of G. Marsaglia's xorshift (2003), each read from a table that fits into the nearest memory: integer
    # work and loads, as in the kernels that are measured. It must never change, or every record is void.
    state, found = np.uint64(88172645463325252), np.uint64(0)
    for _ in range(steps):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        found += table[state >> np.uint64(52)]
    return found


def reference() -> tuple[int, Callable[[], object]]:
    """The steps of the reference and a call that does them."""
    table = (np.arange(1 << 12, dtype=np.uint32) * np.uint32(2654435761) >> np.uint32(16)).astype(np.uint16)

    def run() -> int:
        return int(_reference(table, _STEPS))

    if run() & 0xFFFF != _KNOWN:
        raise PotshareError(f"the reference kernel gives {run() & 0xFFFF:#06x} instead of {_KNOWN:#06x}")
    return _STEPS, run


# -- what is measured -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """A rate: how many of `unit` a call does, and the call. What it opens, `prepare` leaves to the stack."""

    name: str
    unit: str
    prepare: Callable[[ExitStack], tuple[int, Callable[[], object]]]


def _evaluator(name: str) -> Measure:
    def prepare(stack: ExitStack) -> tuple[int, Callable[[], object]]:
        job = throughput.select([name])[0].prepare()
        return job.hands, job.run

    return Measure(name, "hands", prepare)


def _exact(q: equities.Question) -> Measure:
    def ask() -> object:
        return equity(*q.hands, game=q.game, board=q.board, dead=q.dead, method="exact", threads=1)

    return Measure(f"exact, {q.name}", "questions", lambda stack: (1, ask))


def _sampled(q: sampling.Question) -> Measure:
    deals = 1 << 18

    def ask() -> object:
        return equity(*q.hands, game=q.game, method="monte-carlo", deals=deals, seed=1, threads=1)

    return Measure(f"sampled, {q.name}", "deals", lambda stack: (deals, ask))


def _scoring(kind: str, rows: int = 100_000) -> Measure:
    def prepare(stack: ExitStack) -> tuple[int, Callable[[], object]]:
        import polars as pl

        from potshare.bench.score import deals
        from potshare.simulate.scoring.run import score

        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        texts = deals(rows)
        table = pl.DataFrame({"board": [t[0] for t in texts], "hands": [f"{t[1]},{t[2]}" for t in texts]})
        source, target = folder / f"in.{kind}", folder / f"out.{kind}"
        table.write_csv(source) if kind == "csv" else table.write_parquet(source)
        return rows, lambda: score([str(source)], str(target), workers=1)

    return Measure(f"score, {kind}", "rows", prepare)


def _start(name: str, *arguments: str) -> Measure:
    def prepare(stack: ExitStack) -> tuple[int, Callable[[], object]]:
        environment = dict(os.environ)
        return 1, lambda: startup.run_once([sys.executable, "-m", "potshare", *arguments], environment)

    return Measure(f"start, {name}", "starts", prepare)


EVALUATORS = (
    "high-7-in-order", "high-7", "high-6", "high-5", "short-deck-7", "ace-to-five-7", "eight-or-better-7",
    "deuce-to-seven-7", "badugi-4", "high:joker-7", "omaha-4", "omaha-6", "omaha-4-hi-lo",
)  # fmt: skip
"""Workloads of the throughput bench."""

_TOO_LONG = ("three times all, flop", "all against all, flop", "all against all, suited flop")
"""Questions of which a run is too long to be the best of many."""

MEASURES: tuple[Measure, ...] = (
    *map(_evaluator, EVALUATORS),
    *(_exact(q) for q in equities.QUESTIONS if q.name not in _TOO_LONG),
    *map(_sampled, sampling.QUESTIONS),
    _scoring("csv"),
    _scoring("parquet"),
    _start("help", "--help"),
    _start("a flop", "equity", "AcAs", "KhKd", "-b", "Th9h2c"),
)
"""What is measured; a new one is an entry here and a new record."""


# -- measuring ------------------------------------------------------------------------------------------------------

Clock = Callable[[], float]


def used() -> float:
    """Seconds of processor time that this process and its children that have ended used so far."""
    spent = time.process_time()
    if sys.platform != "win32":
        import resource

        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent += children.ru_utime + children.ru_stime
    return spent


@dataclass(frozen=True)
class Rate:
    """What was measured: `rate` a second, and `ratio` to the reference's steps a second."""

    rate: float
    ratio: float


def _seconds(run: Callable[[], object], times: int, clock: Clock) -> float:
    before = clock()
    for _ in range(times):
        run()
    return (clock() - before) / times


def measure(
    one: Measure, repeats: int = 7, seconds: float = 0.5, clock: Clock = used
) -> Rate:  # fmt: skip
    """A rate and its ratio: call and reference in turns, at least `repeats` times and for `seconds`."""
    steps, standard = reference()
    with ExitStack() as stack:
        units, run = one.prepare(stack)
        run()  # compiles
        times = max(1, round(_ENOUGH / max(_seconds(run, 1, clock), 1e-9)))
        end = clock() + seconds
        best = ours = float("inf")
        done = 0
        while done < repeats or clock() < end:
            best = min(best, _seconds(standard, 1, clock))
            ours = min(ours, _seconds(run, times, clock))
            done += 1
    return Rate(units / ours, units / ours / (steps / best))


# -- records --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """The ratio that was recorded and how far a run may be from it, as a share of it."""

    ratio: float
    noise: float


def machine() -> str:
    """The kind of this machine: what it is called, and the features that choose the code."""
    from llvmlite import binding

    has = binding.get_host_cpu_features()
    features = [name for name in ("avx2", "avx512bw", "avx512vbmi", "avx512bitalg") if has.get(name)]
    return " ".join([platform.machine(), binding.get_host_cpu_name(), *features])


def read(file: Path, kind: str) -> dict[str, Record]:
    """The records of a kind of machine.

    Raises `PotshareError` where there are none, or none that can be compared.
    """
    found = _whole(file).get(kind)
    if found is None:
        raise PotshareError(f"no record for this kind of machine ({kind}) in {file}; make one with --record")
    if found["reference"] != REFERENCE:
        raise PotshareError(f"the record is of another reference ({found['reference']}); make a new one with --record")
    return {name: Record(**entry) for name, entry in found["rates"].items()}


def _whole(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))["machines"]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:
        raise PotshareError(f"{file} is no file of records: {error!r}; delete it and --record anew") from None
    return found


def write(file: Path, kind: str, records: dict[str, Record]) -> None:
    """Keeps records, beside those of other machines and of what was not measured; the file is whole at any time."""
    known = _whole(file)
    old = known.get(kind, {})
    rates = old["rates"] if old.get("reference") == REFERENCE else {}
    known[kind] = {
        "reference": REFERENCE,
        "version": __version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": np.__version__,
        "rates": rates | {name: asdict(record) for name, record in records.items()},
    }
    beside = file.with_name(file.name + ".new")
    beside.write_text(json.dumps({"schema": 1, "machines": known}, indent=1, sort_keys=True) + "\n", "utf-8")
    beside.replace(file)


def summed_up(ratios: Sequence[float]) -> Record:
    """What to record of several passes: the median, and as noise the whole spread of the passes, at least `NOISE`."""
    middle = statistics.median(ratios)
    return Record(float(f"{middle:.4g}"), round(max(NOISE, (max(ratios) - min(ratios)) / middle), 3))


def verdict(ratio: float, record: Record | None) -> str:
    """`slower`, `faster` or `same`, or `new` where nothing was recorded."""
    if record is None:
        return "new"
    if ratio < record.ratio * (1 - record.noise):
        return "slower"
    # The same factor the other way round.
    return "faster" if ratio * (1 - record.noise) > record.ratio else "same"


# -- the command ----------------------------------------------------------------------------------------------------


def select(names: Iterable[str], measures: Sequence[Measure] | None = None) -> list[Measure]:
    """The measures whose names begin with one of `names`, all for none. Raises `PotshareError` if one fits nothing."""
    measures = MEASURES if measures is None else measures
    wanted = tuple(names)
    for name in wanted:
        if not any(one.name.startswith(name) for one in measures):
            raise PotshareError(f"no measure begins with '{name}'; measures are {'; '.join(m.name for m in measures)}")
    return [one for one in measures if not wanted or one.name.startswith(wanted)]


def compare(
    measures: Sequence[Measure],
    records: dict[str, Record],
    take: Callable[[Measure], Rate] = measure,
    report: Callable[[str], object] = click.echo,
) -> list[str]:
    """Measures and reports line by line; returns the names of what is slower."""
    slower = []
    for one in measures:
        found, record = take(one), records.get(one.name)
        for _ in range(2):
            if verdict(found.ratio, record) == "slower":
                found = max(found, take(one), key=lambda rate: rate.ratio)
        said = verdict(found.ratio, record)
        if said == "slower":
            slower.append(one.name)
        change = f"{100 * (found.ratio / record.ratio - 1):+6.1f} % of ±{100 * record.noise:.0f} %" if record else ""
        report(f"{one.name:<32}{_amount(found.rate):>9} {one.unit + '/s':<12}{found.ratio:>11.3e}  {change}  {said}")
    return slower


def record(
    measures: Sequence[Measure],
    take: Callable[[Measure], Rate] = measure,
    report: Callable[[str], object] = click.echo,
) -> dict[str, Record]:
    """Measures everything `PASSES` times over, far from each other in time; what is to be recorded."""
    passes: dict[str, list[float]] = {one.name: [] for one in measures}
    for number in range(PASSES):
        for one in measures:
            passes[one.name].append(take(one).ratio)
        report(f"pass {number + 1} of {PASSES}")
    found = {name: summed_up(ratios) for name, ratios in passes.items()}
    for name, entry in found.items():
        report(f"{name:<32}{entry.ratio:>11.3e}  ±{100 * entry.noise:.0f} %")
    return found


def _amount(rate: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g} {unit}"
    return f"{rate:.3g}"


@click.command(help=__doc__)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--record", "keep", is_flag=True, help="Keep the ratios as the ones to compare with.")
@click.option("--file", type=click.Path(path_type=Path), default=RECORDS, help="Where they are kept.")
def main(names: tuple[str, ...], keep: bool, file: Path) -> None:
    """Command line of this module."""
    try:
        measures = select(names)
        if keep:
            _whole(file)  # before minutes of measuring
            write(file, machine(), record(measures))
            return
        known = read(file, machine())
        slower = compare(measures, known)
    except PotshareError as error:
        raise click.UsageError(str(error)) from None
    if not names and (gone := sorted(set(known) - {one.name for one in measures})):
        click.echo(f"recorded and no longer measured: {', '.join(gone)}")
    if slower:
        raise click.ClickException(f"slower than recorded: {', '.join(slower)}")


if __name__ == "__main__":
    main()

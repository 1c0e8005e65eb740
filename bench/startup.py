"""Whole processes: what a user waits for, from an empty Python to a first answer, and what memory it takes.

`python -m potshare.bench.startup [RUNS]` prints a table. Every process is started afresh; the cache of compiled
code is a temporary folder, filled before the warm measurements and empty in each cold one. Bytecode is kept, as it is
where a package is installed, whatever the environment says.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

RUNS = 9

_POTSHARE = (sys.executable, "-m", "potshare")
_QUERY = (*_POTSHARE, "equity", "AcAs", "KhKd")
_FLOP = (*_QUERY, "-b", "Th9h2c")


@dataclass(frozen=True)
class Process:
    """A command to measure. `cold`: each run finds an empty cache, so it compiles; otherwise a filled one."""

    name: str
    command: tuple[str, ...]
    cold: bool = False


PROCESSES = (
    Process("python -c pass", (sys.executable, "-c", "pass")),
    Process("python -c 'import numpy'", (sys.executable, "-c", "import numpy")),
    Process("python -c 'import numba'", (sys.executable, "-c", "import numba")),
    Process("potshare --help", (*_POTSHARE, "--help")),
    Process("potshare evaluate AcAsKhKdKs", (*_POTSHARE, "evaluate", "AcAsKhKdKs")),
    Process("potshare equity AcAs KhKd", _QUERY),
    Process("potshare equity AcAs KhKd -b Th9h2c", _FLOP),
    Process("... -b Th9h2c, empty cache", _FLOP, cold=True),
)


@dataclass(frozen=True)
class Timing:
    """Seconds of wall time of `runs` runs of a process, and the greatest memory of any (bytes; 0 if unknown)."""

    name: str
    runs: int
    minimum: float
    median: float
    peak: int


def run_once(command: Sequence[str], environment: dict[str, str]) -> tuple[float, int]:
    """Wall time in seconds and peak memory in bytes of one run. Raises `CalledProcessError` when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    peak = 0
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    else:
        process.wait()
    taken = time.perf_counter() - started
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return taken, peak


def measure(process: Process, runs: int, filled: Path) -> Timing:
    """One process, run `runs` times. `filled` is the folder of the warm cache."""
    times, peaks = [], []
    for i in range(runs if process.cold else runs + 1):
        with tempfile.TemporaryDirectory() as empty:
            environment = os.environ | {
                "POTSHARE_CACHE_DIR": empty if process.cold else str(filled / "code"),
                "PYTHONPYCACHEPREFIX": str(filled / "bytecode"),
            }
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            taken, peak = run_once(process.command, environment)
        if process.cold or i:  # the first warm run fills the cache
            times.append(taken)
            peaks.append(peak)
    return Timing(process.name, len(times), min(times), statistics.median(times), max(peaks))


def run(
    processes: Iterable[Process] = PROCESSES,
    *,
    runs: int = RUNS,
    report: Callable[[Timing], None] = lambda timing: None,
) -> list[Timing]:
    """Measures processes one after another; cold ones a third as often. `report` is given each as it is there."""
    timings = []
    with tempfile.TemporaryDirectory() as folder:
        for process in processes:
            timing = measure(process, max(1, runs // 3) if process.cold else runs, Path(folder))
            report(timing)
            timings.append(timing)
    return timings


def line(timing: Timing) -> str:
    """A timing as a line of a table."""
    peak = f"{timing.peak / 2**20:8.0f} MB" if timing.peak else f"{'?':>8}   "
    return f"{timing.name:<42}{timing.minimum * 1e3:10.0f} ms{timing.median * 1e3:10.0f} ms{peak}{timing.runs:6}"


HEADER = f"{'process':<42}{'minimum':>13}{'median':>13}{'peak':>11}{'runs':>6}"


def main(arguments: Sequence[str]) -> None:
    """Prints the table."""
    runs = int(arguments[0]) if arguments else RUNS
    print(HEADER)
    run(runs=runs, report=lambda timing: print(line(timing), flush=True))


if __name__ == "__main__":
    main(sys.argv[1:])

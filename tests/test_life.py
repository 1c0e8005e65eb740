"""Hostile places to live in, each provoked for real: signals, closed pipes, full disks, damage, threads, forks.

Every process here is one that a person could start; nothing is patched inside it.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import potshare as ps
from potshare import tables
from potshare.errors import TableError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and permissions of POSIX")

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "potshare"]
QUESTION = ["equity", "AcAs", "KhKd", "-b", "Th9h2c", "-f", "json"]
WINS = 848
SAMPLED = ["equity", "AsKs", "random", "random", "--deals", "2000", "--seed", "1", "-f", "json"]
PATIENCE = 600
"""Seconds after which a process counts as hanging; a loaded machine may take long."""

READY = (
    "import sys\n"
    "from potshare import cli\n"
    "sys.stderr.write('ready\\n')\n"
    "sys.stderr.flush()\n"
    "cli.main()\n"
)  # fmt: skip


STARTED: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def _no_process_outlives_its_test() -> Iterator[None]:
    yield
    while STARTED:
        process = STARTED.pop()
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.wait()


def start(*arguments: str, ready: bool = False, limits: Callable[[], None] | None = None, **environment: str) -> Any:
    """The program as a process; with `ready` it says on standard error when it is about to begin."""
    command = [sys.executable, "-c", READY, *arguments] if ready else [*COMMAND, *arguments]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/",
        env={**os.environ, **environment}, preexec_fn=limits,
    )  # fmt: skip
    STARTED.append(process)
    if ready:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
    return process


def finish(process: Any) -> tuple[str, str]:
    """What a process prints until it ends."""
    out, err = process.communicate(timeout=PATIENCE)
    return out.decode(), err.decode()


def wins(out: str) -> int:
    """The main question's answer."""
    return int(json.loads(out)["players"][0]["counts"]["win"])


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of many showdowns."""
    file = tmp_path_factory.mktemp("rows") / "rows.csv"
    row = '2c7h9dJsKc,"AhAd,QsQd,Tc8c",100\n'
    file.write_text("board,hands,pot\n" + row * 400_000, "utf-8")
    return file


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two sampled answers to one question, of different deals."""
    folder = tmp_path_factory.mktemp("runs")
    for seed in ("1", "2"):
        answer = ps.equity("AsKs", "random", "random", method="monte-carlo", deals=2000, seed=int(seed))
        (folder / seed).write_text(json.dumps(answer.to_dict()))
    return folder / "1", folder / "2"


LONG = {
    "sampling": ["equity", "AsKs", "random", "random", "--stderr", "1e-7", "--time", "60", "-f", "json"],
    "counting": ["equity", "-g", "omaha", "random", "random", "-b", "Qh7d2c", "-m", "exact"],
    "stud": ["equity", "-g", "razz", "As2s3d", "random", "random", "--stderr", "1e-7", "--time", "60"],
    "draws": ["equity", "-g", "triple-draw", "2s3s4d7c", "random", "--stderr", "1e-7", "--time", "60"],
    "evaluate": ["evaluate", "AhAd", "7c6c", "-b", "8c9cTc2d2h"],
    "discards": ["draw", "8s8d8cKd4h"],
    "games": ["games", "omaha8"],
    "range": ["range", "*!AA", "-g", "omaha"],
    "score": ["score", "ROWS"],
    "bench": ["bench", "high-7", "--seconds", "30"],
    "merge": ["merge", "RUN1", "RUN2"],
    "categories": ["equity", "-g", "stud", "AcAs2d3d4h5h", "KhKd", "--categories", "--stderr", "1e-7"],
    "runouts": [
        "equity",
        "AcAs",
        "KhKd",
        "-b",
        "Qh7d2c",
        "--runouts",
        "2",
        "-m",
        "monte-carlo",
        "--deals",
        "40000000000",
    ],
    "streets": ["equity", "AcAs", "random", "random", "-b", "Qh7d2c3c4h", "--streets", "--stderr", "1e-7"],
    "grid": ["equity", "-g", "holdem8", "random", "random", "--grid", "--deals", "40000000000"],
    "stream": ["equity", "--stream"],
    "selfcheck": ["selfcheck", "evaluators", "equities"],
    "warm": ["warm"],
}


PICTURES = {"categories", "runouts", "streets", "grid"}
ENDLESS = {"sampling", "counting", "stud", "draws", "bench", "stream", "selfcheck", "warm", *PICTURES}
"""What takes much longer than a signal is waited for."""
STREAMED = '{"hands": ["AsKs", "random", "random"], "stderr": 1e-7, "time": 60}\n' * 3


def asked(name: str, rows: Path, runs: tuple[Path, Path]) -> list[str]:
    """The words of a command, with the files that it reads."""
    files = {"ROWS": str(rows), "RUN1": str(runs[0]), "RUN2": str(runs[1])}
    return [files.get(word, word) for word in LONG[name]]


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_at_any_moment(name: str, rows: Path, runs: tuple[Path, Path], tmp_path: Path) -> None:
    rng = random.Random(name)
    out = tmp_path / "out.csv"
    arguments = asked(name, rows, runs)
    if name == "score":
        arguments += ["-o", str(out)]
    if name == "warm":
        environment = {"POTSHARE_CACHE_DIR": str(tmp_path / "cache")}
    else:
        environment = {}
    for delay in (rng.uniform(0, 0.1), rng.uniform(0.1, 0.5), rng.uniform(0.5, 1.5)):
        process = start(*arguments, ready=True, **environment)
        if name == "stream":
            process.stdin.write(STREAMED.encode())
            process.stdin.flush()
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        shown, said = finish(process)
        told = f"{delay:.3f} s: {process.returncode} {said}"
        assert process.returncode in (130, 0), told
        assert "Traceback" not in said, told
        assert "Exception ignored" not in said, told
        if process.returncode == 0:
            assert name not in ENDLESS, told
        elif name == "score":
            assert not list(tmp_path.iterdir()), told
        elif shown and name == "sampling":
            assert json.loads(shown)["stop"] == "interrupted"
        elif name in PICTURES:
            # The equity of the hands is not lost with a picture that was not to be waited for.
            assert said.strip() == (f"interrupted; not shown: {name}" if shown else "interrupted"), told
        elif name == "stream":
            assert (shown, said.strip()) == ("", "interrupted"), told
    # What a stopped process left behind does no harm.
    done = subprocess.run([*COMMAND, *QUESTION], capture_output=True, cwd="/", env={**os.environ, **environment})
    assert wins(done.stdout.decode()) == WINS, done.stderr


LOSSES = """
import os, signal, sys, time, weakref
from potshare import cli

def press():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)

def turned():
    try:
        press()
    except KeyboardInterrupt:
        raise TypeError("no common type") from None

def ignored():
    class Thing:
        pass

    thing = Thing()
    known = weakref.ref(thing, lambda gone: press())
    del thing
    for _ in range(500):
        time.sleep(0.01)

def imported():
    with open("swallow.py", "w") as file:
        file.write("import os, signal, time; os.kill(os.getpid(), signal.SIGINT)\\ntry: time.sleep(0.2)\\n")
        file.write("except KeyboardInterrupt: pass\\n")
    sys.path.insert(0, ".")
    import swallow
    for _ in range(500):
        time.sleep(0.01)

def wrong():
    raise TypeError("no common type")

cli.cli.main = lambda *arguments, **options: globals()[sys.argv[1]]()
cli.main()
"""


@pytest.mark.parametrize("how", ["turned", "ignored", "imported", "wrong"])
def test_ctrl_c_that_somebody_else_caught(how: str, tmp_path: Path) -> None:
    # NumPy turns it into an error of its own where it compares structures, and passes over it in an import; callbacks
    # only write about it. An error that nobody's Ctrl-C led to is told as it is.
    done = subprocess.run([sys.executable, "-c", LOSSES, how], capture_output=True, cwd=tmp_path, text=True)
    last = done.stderr.strip().splitlines()[-1]
    if how == "wrong":
        assert (done.returncode, last) == (1, "TypeError: no common type")
    else:
        assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "interrupted")


def test_ctrl_c_while_a_file_is_awaited(runs: tuple[Path, Path]) -> None:
    for arguments in (["merge", str(runs[0]), "-"], ["score", "-"], ["equity", "--stream"]):
        process = start(*arguments, ready=True)
        # Standard input stays open and empty, so that no delay is too long.
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130, arguments
        shown, said = finish(process)
        assert (shown, said.strip()) == ("", "interrupted"), arguments


@pytest.mark.parametrize("question", [QUESTION, SAMPLED], ids=["counting", "sampling"])
def test_ctrl_c_while_compiling(question: list[str], tmp_path: Path) -> None:
    rng = random.Random(3)
    environment = {"POTSHARE_CACHE_DIR": str(tmp_path)}
    for _ in range(3):
        process = start(*question, ready=True, **environment)
        time.sleep(rng.uniform(0.3, 2.0))
        process.send_signal(signal.SIGINT)
        shown, said = finish(process)
        assert process.returncode in (0, 130), said
        assert "Traceback" not in said
        if process.returncode == 0:
            assert json.loads(shown)["stop"] in ("complete", "deals")
        elif not shown:
            assert said.strip() == "interrupted"
    # What was half compiled is compiled anew, with the answer that this process gives.
    shown, said = finish(start(*question, **environment))
    if question is QUESTION:
        assert wins(shown) == WINS, said
    else:
        known = ps.equity("AsKs", "random", "random", method="monte-carlo", deals=2000, seed=1)
        assert json.loads(shown)["players"] == known.to_dict()["players"], said


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_leaves_nothing_half_written(
    how: signal.Signals, kind: str, rows: Path, tmp_path: Path
) -> None:  # fmt: skip
    rng = random.Random(int(how))
    cache, out = tmp_path / "cache", tmp_path / "out" / f"out.{kind}"
    out.parent.mkdir()
    out.write_text("what was there before\n")
    for _ in range(2):
        process = start(*QUESTION, ready=True, POTSHARE_CACHE_DIR=str(cache))
        time.sleep(rng.uniform(0.5, 2.0))
        process.send_signal(how)
        _, said = finish(process)
        assert process.returncode in (-how, 0), said
        assert "Traceback" not in said
    shown, said = finish(start(*QUESTION, POTSHARE_CACHE_DIR=str(cache)))
    assert wins(shown) == WINS, said
    for delay in (0.1, 0.4):
        out.write_text("what was there before\n")
        process = start("score", str(rows), "-o", str(out), ready=True)
        time.sleep(delay)
        process.send_signal(how)
        _, said = finish(process)
        assert "Traceback" not in said
        assert [file.name for file in out.parent.iterdir()] == [out.name]
        if out.read_bytes() != b"what was there before\n":
            # It was done before it was killed: the new file is whole.
            found = pl.read_csv(out) if kind == "csv" else pl.read_parquet(out)
            assert found.height == 400_000


@pytest.mark.parametrize("name", LONG)
def test_sigterm_ends_every_command(name: str, rows: Path, runs: tuple[Path, Path], tmp_path: Path) -> None:
    process = start(*asked(name, rows, runs), ready=True, POTSHARE_CACHE_DIR=str(tmp_path))
    time.sleep(0.3)
    process.terminate()
    shown, said = finish(process)
    # Into an empty cache nothing is done so soon, but for what needs no compiled code.
    assert process.returncode == -signal.SIGTERM or (process.returncode == 0 and name not in ENDLESS), said
    assert "Traceback" not in said
    if name == "sampling":
        assert shown == ""


def test_sigterm_ends_the_processes_of_a_command_too(rows: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "score", str(rows), "-o", str(tmp_path / "out.csv"), "--workers", "2"], start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    STARTED.append(process)

    def others() -> list[str]:
        found = []
        for folder in Path("/proc").iterdir():
            with suppress(OSError, ValueError, IndexError):
                # Behind the name in parentheses: the state, the parent, the group, the session.
                state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(session) == process.pid and state != "Z" and int(folder.name) != process.pid:
                    found.append(folder.name)
        return found

    if not Path("/proc/self/stat").exists():
        pytest.skip("no list of processes")
    started = time.monotonic()
    while not others() and process.poll() is None and time.monotonic() - started < PATIENCE:
        time.sleep(0.05)
    process.terminate()
    process.wait(PATIENCE)
    while others() and time.monotonic() - started < PATIENCE:
        time.sleep(0.05)
    assert others() == []
    assert list(tmp_path.iterdir()) == [] or process.returncode == 0


UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
"""As Python is by default, and as it often is in containers, where it takes no notice of writes that are cut short."""


@UNBUFFERED
@pytest.mark.parametrize("name", ["score", "range", "order", "runouts"])
def test_the_reader_of_a_pipe_has_seen_enough(
    name: str, unbuffered: str, rows: Path, runs: tuple[Path, Path]
) -> None:  # fmt: skip
    more = {
        "order": ["range", "--order", "-g", "omaha"],
        "range": ["range", "*!AA", "-g", "omaha", "-f", "csv"],
        "runouts": ["equity", "AcAs", "KhKd", "-b", "Qh7d2c", "--runouts", "2", "-f", "csv"],
    }
    process = start(*(more.get(name) or asked(name, rows, runs)), ready=True, PYTHONUNBUFFERED=unbuffered)
    assert process.stdout.readline().count(b",") >= 1  # as `head -1` does
    process.stdout.close()
    _, raw = process.communicate(timeout=PATIENCE)
    assert raw == b""
    # What was written whole before the pipe was closed has its status.
    assert process.returncode in (141, 1) or (process.returncode == 0 and name == "runouts")


@pytest.mark.parametrize("name", sorted((LONG.keys() - ENDLESS) | PICTURES | {"bench"}))
def test_a_closed_pipe_is_quiet(name: str, rows: Path, runs: tuple[Path, Path]) -> None:
    arguments = asked(name, rows, runs)
    if name == "bench":
        arguments = ["bench", "high-7", "--seconds", "0.1"]
    if name in PICTURES:
        arguments += ["--deals", "2000"]
    process = start(*arguments, ready=True)
    process.stdout.close()
    _, raw = process.communicate(timeout=PATIENCE)
    said = raw.decode()
    assert said == "", said
    assert process.returncode in (141, 1), process.returncode


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_from_the_start(closed: tuple[int, ...]) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    process = start("equity", "AcAs", "KhKd", limits=close)
    shown, said = finish(process)
    assert "Traceback" not in said
    if 1 not in closed:
        assert "81.26%" in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("name", ["evaluate", "games", "range", "score", "sampling", "merge"])
def test_a_full_disk_behind_standard_output(name: str, runs: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "few.csv"
    file.write_text('board,hands,pot\n2c7h9dJsKc,"AhAd,QsQd",100\n', "utf-8")
    arguments = asked(name, file, runs)
    if name == "sampling":
        arguments += ["--deals", "1000"]
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, cwd="/")
    assert done.returncode in (1, 2)
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@UNBUFFERED
@pytest.mark.parametrize("name", ["score", "range", "order"])
def test_a_disk_that_becomes_full(
    name: str, unbuffered: str, rows: Path, runs: tuple[Path, Path], tmp_path: Path
) -> None:  # fmt: skip
    more = {"order": ["range", "--order", "-g", "omaha"], "range": ["range", "*!AA", "-g", "omaha", "-f", "csv"]}
    arguments = more.get(name) or asked(name, rows, runs)
    with open(tmp_path / "out", "wb") as file:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=file, stderr=subprocess.PIPE, text=True, cwd="/",
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered}, preexec_fn=small_files(100_000),
        )  # fmt: skip
    assert (tmp_path / "out").stat().st_size <= 100_000
    assert done.returncode in (1, 2), done.stderr
    assert "too large" in done.stderr
    assert "Traceback" not in done.stderr


def small_files(size: int) -> Callable[[], None]:
    """Limits the size of any file, as a full disk does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 1_000, 30_000])
def test_no_room_for_compiled_code(size: int, tmp_path: Path) -> None:
    process = start(*QUESTION, limits=small_files(size), POTSHARE_CACHE_DIR=str(tmp_path))
    shown, said = finish(process)
    assert wins(shown) == WINS, said
    assert "Traceback" not in said
    shown, said = finish(start(*QUESTION, POTSHARE_CACHE_DIR=str(tmp_path)))
    assert (wins(shown), said) == (WINS, "")


@pytest.mark.parametrize("kind", ["csv", "ndjson", "parquet"])
def test_no_room_for_the_output(kind: str, rows: Path, tmp_path: Path) -> None:
    out = tmp_path / f"out.{kind}"
    out.write_text("before")
    process = start("score", str(rows), "-o", str(out), limits=small_files(100_000))
    _, said = finish(process)
    assert process.returncode in (1, 2), said
    assert "Traceback" not in said
    assert said.strip()
    assert out.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


# -- damaged tables ---------------------------------------------------------------------------------------------------

DAMAGE: dict[str, Callable[[bytes], bytes | None]] = {
    "missing": lambda raw: None,
    "empty": lambda raw: b"",
    "truncated": lambda raw: raw[: len(raw) // 2],
    "one bit": lambda raw: raw[: len(raw) // 2] + bytes([raw[len(raw) // 2] ^ 1]) + raw[len(raw) // 2 + 1 :],
    "longer": lambda raw: raw + b"\0",
}
DATA = sorted(file.stem for file in tables.DATA.glob("*.npy"))


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_damaged_table_is_found(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(tables.DATA, folder)
    for name in DATA:
        file = folder / f"{name}.npy"
        raw = file.read_bytes()
        changed = DAMAGE[damage](raw)
        file.unlink()
        if changed is not None:
            file.write_bytes(changed)
        with pytest.raises(TableError, match="reinstall"):
            tables.load(name, folder)
        file.write_bytes(raw)
        assert tables.load(name, folder).size


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"files": 3}', b'{"files": {}}', b"\xff\xfe", None])
def test_a_damaged_list_of_tables_is_found(raw: bytes | None, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(tables.DATA, folder)
    (folder / tables.MANIFEST).unlink()
    if raw is not None:
        (folder / tables.MANIFEST).write_bytes(raw)
    with pytest.raises(TableError, match="reinstall"):
        tables.load(DATA[0], folder)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package to spoil, in a folder for the import path."""
    site = tmp_path_factory.mktemp("site")
    ignored = shutil.ignore_patterns(".*", "build", "tests", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, site / "potshare", ignore=ignored)
    return site


# A question that reads each file; none needs compiled code before it reads.
READERS = {
    "tables/data/high.value.npy": ["equity", "AhKh", "QsQd", "-b", "7c6d2s"],
    "tables/data/card_key.npy": ["evaluate", "AhKhQhJhTh"],
    "tables/data/manifest.json": ["evaluate", "AhKhQhJhTh"],
    "simulate/exact/data/matchups.npy.zlib": ["equity", "22+", "A2+"],
    "simulate/exact/data/manifest.json": ["equity", "22+", "A2+"],
    "simulate/ranges/data/standard-high.npy": ["range", "15%"],
    "simulate/ranges/data/standard-high-eight.npy": ["range", "15%", "-g", "holdem8"],
    "simulate/ranges/data/short-deck.npy": ["range", "15%", "-g", "short-deck"],
    "simulate/ranges/data/short-deck-trips.npy": ["range", "15%", "-g", "short-deck-trips"],
    "simulate/ranges/data/four-high.npy": ["range", "15%", "-g", "omaha"],
    "simulate/ranges/data/four-high-eight.npy": ["range", "15%", "-g", "omaha8"],
    "simulate/ranges/data/five-high.npy": ["range", "15%", "-g", "omaha5"],
    "simulate/ranges/data/five-high-eight.npy": ["range", "15%", "-g", "big-o"],
    "simulate/ranges/data/badugi.npy": ["range", "15%", "-g", "badugi"],
    "simulate/ranges/data/irish.npy": ["range", "15%", "-g", "irish"],
    "simulate/ranges/data/murder.npy": ["range", "15%", "-g", "murder"],
    "simulate/ranges/data/manifest.json": ["range", "15%"],
    "simulate/games/omaha.toml": ["games", "omaha"],
}


def test_every_file_of_data_has_a_reader() -> None:
    kept = {str(file.relative_to(ROOT)) for file in (ROOT / "simulate").rglob("data/*")}
    assert kept <= set(READERS)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("damage", ["missing", "truncated", "one bit"])
def test_a_damaged_file_is_an_error_and_never_an_answer(name: str, damage: str, copied: Path) -> None:
    if name.endswith((".toml", ".json")) and damage == "one bit":
        pytest.skip("text of which another text may be right")
    file = copied / "potshare" / name
    raw = file.read_bytes()
    changed = DAMAGE[damage](raw)
    if name.endswith("toml") and damage == "truncated":
        changed = raw + b"\n[[half"
    file.unlink()
    try:
        if changed is not None:
            file.write_bytes(changed)
        shown, said = finish(process := start(*READERS[name], PYTHONPATH=str(copied)))
    finally:
        file.write_bytes(raw)
    assert process.returncode == 2, said
    assert shown == ""
    assert "Traceback" not in said
    assert len(said.strip()) > 20


@pytest.mark.parametrize("year", [1971, 2099])
def test_a_changed_clock(year: int, copied: Path, tmp_path: Path) -> None:
    stamp = (year - 1970) * 31_556_952
    environment = {"PYTHONPATH": str(copied), "POTSHARE_CACHE_DIR": str(tmp_path)}
    for _ in range(3):
        for file in [*copied.rglob("*"), *tmp_path.rglob("*")]:
            os.utime(file, (stamp, stamp))
        shown, said = finish(start(*QUESTION, **environment))
        assert (wins(shown), said) == (WINS, "")


LEAPS = """
import random, time
clock, leap = time.time, random.Random(5)
time.time = lambda: clock() + leap.uniform(-4e7, 4e7)
from potshare import cli
cli.main()
"""


@pytest.mark.parametrize(
    "rule", [["--time", "0.5"], ["--deals", "20000"], ["--time", "0.5", "--runouts"], ["--time", "0.5", "--categories"]]
)
def test_a_clock_that_leaps_while_deals_are_sampled(rule: list[str]) -> None:
    question = ["equity", "AsKs", "QdQh", "random", "-b", "Js7d2c", "-m", "monte-carlo", "-f", "json", *rule]
    done = subprocess.run([sys.executable, "-c", LEAPS, *question], capture_output=True, cwd="/", timeout=PATIENCE)
    found = json.loads(done.stdout)
    assert found["stop"] == ("time" if "--time" in rule else "deals"), done.stderr
    assert found["deals"] > 0
    assert 0 < found["seconds"] < PATIENCE
    assert found["rate"] > 0


# -- threads and processes --------------------------------------------------------------------------------------------

QUESTIONS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("AcAs", "KhKd"), {}),
    (("AA", "QQ", "AKo"), {}),
    (("AA", "QQ", "AKo"), {"dead": "AsTs"}),
    (("22+", "A2s+"), {}),
    (("AhKh", "random"), {"board": "QhJh2c"}),
    (("AsAh2c3d", "KsKhQdJc"), {"game": "omaha8", "board": "7d4c3h"}),
    (("AsKs", "random", "random"), {"method": "monte-carlo", "deals": 20_000, "seed": 4}),
    (("As2s3d", "9s8d7c"), {"game": "razz", "method": "monte-carlo", "deals": 20_000, "seed": 4}),
    (("9s8d6h4c3s/", "2c3d4h7s/Kd"), {"game": "deuce-to-seven"}),
]


def ask(place: int) -> Any:
    hands, options = QUESTIONS[place % len(QUESTIONS)]
    return ps.equity(*hands, **options).players


def test_many_threads_at_once() -> None:
    known = [ask(i) for i in range(len(QUESTIONS))]
    cards = np.random.default_rng(2).permuted(np.tile(np.arange(52, dtype=np.uint8), (30_000, 1)), axis=1)[:, :7]
    cards = np.ascontiguousarray(cards)
    worth = {name: ps.strengths(cards, name) for name in ("high", "ace-to-five", "eight-or-better")}
    wrong: list[Any] = []
    barrier = threading.Barrier(8)

    def work(seed: int) -> None:
        rng = random.Random(seed)
        barrier.wait()
        for _ in range(12):
            place = rng.randrange(len(QUESTIONS))
            if ask(place) != known[place]:
                wrong.append(QUESTIONS[place])
            name = rng.choice(sorted(worth))
            if not np.array_equal(ps.strengths(cards, name, threads=rng.choice([1, 2, None])), worth[name]):
                wrong.append(name)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert not wrong


FIRST = """
import threading
from concurrent.futures import ThreadPoolExecutor
barrier = threading.Barrier(6)
def first(i):
    barrier.wait()
    import potshare
    if i % 2:
        return potshare.evaluate("AhKhQhJhTh2c3d").strength
    return potshare.equity("AcAs", "KhKd", board="Th9h2c").players[0].counts["win"]
with ThreadPoolExecutor(6) as pool:
    print(*pool.map(first, range(6)))
"""


def test_many_threads_for_the_first_time(tmp_path: Path) -> None:
    for _ in range(2):  # once compiling, once loading
        done = subprocess.run(
            [sys.executable, "-c", FIRST], capture_output=True, text=True, cwd="/", timeout=PATIENCE,
            env={**os.environ, "POTSHARE_CACHE_DIR": str(tmp_path)},
        )  # fmt: skip
        assert done.stdout.split() == [str(WINS), "7462"] * 3, done.stderr


CHILDREN = """
import multiprocessing, os, sys, warnings
import numpy as np
import potshare as ps
warnings.simplefilter("ignore")

def answers(_=0):
    cards = np.arange(7 * 60_000).reshape(-1, 7) * 11 % 52
    cards = cards.astype(np.uint8)
    return (ps.equity("AcAs", "KhKd", board="Th9h2c").players[0].counts["win"],
            int(ps.strengths(cards, threads=2).sum()),
            ps.equity("AsKs", "random", "random", method="monte-carlo", deals=50_000, seed=1).players[0].equity)

if __name__ == "__main__":
    here = answers()
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            assert pool.map(answers, range(2)) == [here] * 2, method
    assert answers() == here
    print("good", here[0])
"""


def test_fork_and_spawn_after_threads(tmp_path: Path) -> None:
    file = tmp_path / "children.py"
    file.write_text(CHILDREN)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, cwd="/", timeout=PATIENCE)
    assert done.stdout.split() == ["good", str(WINS)], done.stderr


def test_answers_travel_between_processes() -> None:
    import pickle

    values = (
        ps.equity("AcAs", "KhKd"),
        ps.evaluate("AhKhQhJhTh"),
        ps.settle([5, 5], [], [[1, 2]]),
        ps.Range("QQ+"),
    )
    for value in values:
        again = pickle.loads(pickle.dumps(value))
        assert again == value
    for error in (ps.TextError("AhZz", 2, 3, "no", "yes"), ps.PotshareError("no")):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error)

"""Consoles of every kind: narrow terminals, no colours, old code pages, and the line that tells how long it takes."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from potshare import cli
from potshare.simulate.answer import Report

MERGED = ["AKs", "QQ", "random", "random", "--deals", "20000"]
COMMANDS = {
    "equity": ["equity", "AcAs", "KhKd"],
    "sampled": ["equity", *MERGED, "--seed", "1"],
    "split": ["equity", "-g", "omaha8", "AsAh2c3d", "KsKhQdJc", "-b", "2h3h4c9d"],
    "long range": ["equity", "AKs", ",".join(f"A{r}s" for r in "23456789T") + ",KQo"],
    "categories": ["equity", "AhKh", "QcQd", "JsTs", "-b", "Qh7h2c", "--categories"],
    "streets": ["equity", "AhKh", "QcQd", "-b", "Qh7h2c3h", "--streets"],
    "runouts": ["equity", "AhKh", "QcQd", "-b", "Qh7h2c", "--runouts"],
    "grid": ["equity", "QQ+", "--grid"],
    "evaluate": ["evaluate", "AhAd", "7c6c", "KdQs", "-b", "8c9cTc2d2h"],
    "draw": ["draw", "2c3d4h7sKd", "-g", "deuce-to-seven", "--against", "9s8d6h4c3s/"],
    "range": ["range", "QQ+,AKs", "--grid"],
    "shapes": ["range", "AA:ds", "-g", "omaha"],
    "games": ["games"],
    "rules": ["games", "razz"],
    "score": ["score", "--example"],
    "merge": ["merge", "one.json", "two.json"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `merge` finds its files."""
    made = tmp_path_factory.mktemp("runs")
    for name, seed in (("one.json", "1"), ("two.json", "2")):
        (made / name).write_text(in_pipe(["equity", *MERGED, "--seed", seed, "-f", "json"], made), "utf-8")
    return made


def in_pipe(arguments: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "potshare", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(environment.get("PYTHONIOENCODING", "utf-8"))


def on_terminal(arguments: list[str], folder: Path, columns: int, **environment: str) -> str:
    pty, termios, fcntl = (pytest.importorskip(name) for name in ("pty", "termios", "fcntl"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    known = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "potshare", *arguments],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=folder,
        env={**known, "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not part:
            break
        found += part
    os.close(ours)
    assert process.wait() == 0, found
    # The line of progress is written over.
    return re.sub(r"[^\n]*\r", "", found.decode("utf-8").replace("\r\n", "\n"))


ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([a-zA-Z])")


def numbers(text: str) -> list[str]:
    """The words with a digit, times and rates apart."""
    text = re.sub(r"[\d.]+ (ms|s|M deals/s)\b", "", text)
    return re.findall(r"[\w%.,/:]*\d[\w%.,/:]*", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_narrow_terminal_without_colours_loses_nothing(name: str, folder: Path) -> None:
    shown = on_terminal(COMMANDS[name], folder, 40, NO_COLOR="1")
    styles = {style for style, end in ESCAPE.findall(shown) if end == "m"}
    assert styles <= {"0", "1", "2"}, "only bold and faint are left"
    plain = ESCAPE.sub("", shown)
    if name in ("grid", "runouts"):
        # Squares are rounded to what fits.
        assert all(len(line) <= 40 for line in plain.splitlines())
        return
    if name not in ("range", "shapes", "score"):  # prose and rows, which the terminal folds
        assert all(len(line) <= 40 for line in plain.splitlines())
    seen = re.sub(r"\s+", "", plain)
    missing = [word for word in numbers(in_pipe(COMMANDS[name], folder)) if word not in seen]
    if name == "range":
        missing = [word for word in missing if not re.fullmatch(r"[AKQJT2-9]{2}[so]?", word)]
    # Only the text of a range may be cut.
    assert [word for word in missing if "," not in word] == []


def test_colours_where_there_are_colours(folder: Path) -> None:
    shown = on_terminal(COMMANDS["grid"], folder, 80, COLORTERM="truecolor")
    assert any("48;2;" in style for style, _ in ESCAPE.findall(shown))
    bars = on_terminal(COMMANDS["split"], folder, 100)
    assert "\u2588" in bars
    # Where there is no room for bars they go before anything is cut.
    assert "\u2588" not in on_terminal(COMMANDS["split"], folder, 60)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("name", COMMANDS)
def test_old_code_pages(name: str, encoding: str, folder: Path) -> None:
    shown = in_pipe(COMMANDS[name], folder, PYTHONIOENCODING=encoding)
    assert shown.isascii()
    assert "?" not in shown or name == "rules"


def test_merging_prints_what_one_run_prints(folder: Path) -> None:
    merged = json.loads(in_pipe(["merge", "one.json", "two.json", "-f", "json"], folder))
    assert merged["deals"] == 40_000
    lines = in_pipe(COMMANDS["merge"], folder).splitlines()
    assert lines[0].split() == ["Hand", "Equity", "Error", "Win", "Tie"]
    assert "2 seeds, merged, 40,000 deals" in lines[-1]


def test_rate_and_time_left_do_not_count_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(cli.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(cli.sys.stderr, "isatty", lambda: True, raising=False)
    written: list[str] = []
    live = cli._Live()
    monkeypatch.setattr(live, "_write", written.append)
    now[0] += 20.0  # compiling
    live(Report(0.1, (0.5, 0.5), 0.01, 1_000_000))
    now[0] += 0.5
    live(Report(0.2, (0.6, 0.4), 0.008, 101_000_000))
    assert "M deals/s" not in written[0]
    assert "left" not in written[0]
    # 100 million in half a second; a tenth of the work took as long, eight tenths are left.
    assert written[1] == " 20 %  60.00% 40.00%  +/- 0.800%  200.0 M deals/s  4 s left"
    # A picture that follows has a clock of its own.
    live.restart()
    now[0] += 1.0
    live.done(0.5)
    now[0] += 1.0
    live.done(0.75)
    assert written[-1] == " 75 %  1 s left"


def test_the_line_of_a_real_run(folder: Path) -> None:
    arguments = ["equity", "AKs", "QQ", "random", "--time", "3", "-m", "monte-carlo", "--seed", "1", "-f", "csv"]
    on_terminal(arguments, folder, 100)  # compiles
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "potshare", *arguments[:-1], "json"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, cwd=folder,
    )  # fmt: skip
    os.close(theirs)
    answer = json.loads(process.communicate()[0])
    line = os.read(ours, 65536).decode()
    os.close(ours)
    rates = [float(rate) for rate in re.findall(r"([\d.]+) M deals/s", line)]
    assert rates
    # The rate of the run as a whole, on a machine with other work to do.
    assert answer["rate"] / 1e6 / 4 < rates[-1] < 4 * answer["rate"] / 1e6
    assert re.search(r"\d s left", line)

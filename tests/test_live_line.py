"""The line on a terminal while something takes long, with a clock of its own, and silence elsewhere."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from potshare import cli, late
from potshare.simulate.answer import Report
from potshare.simulate.scoring.run import Progress


class Terminal(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def line(self) -> str:
        """What a person sees: the last text after a return of the carriage."""
        return self.getvalue().rpartition("\r")[2].strip()


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the line; the test sets its only element."""
    now = [100.0]
    monkeypatch.setattr(cli.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(cli, "_terminal_width", lambda: 90)
    return now


def begun(monkeypatch: pytest.MonkeyPatch, stream: Any) -> Any:
    monkeypatch.setattr(sys, "stderr", stream)
    return cli._Live()


def test_a_question_tells_how_far_it_is(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    live = begun(monkeypatch, terminal := Terminal())
    live(Report(0.1, (0.5,)))
    assert terminal.getvalue() == ""  # a quick answer needs no line
    seconds[0] = 102.0
    # Fifteen hundredths took the two seconds since the first report; what came before it was compiling.
    live(Report(0.25, (0.8125, 0.1875), 0.0012, 5_000_000))
    assert terminal.line() == "25 %  81.25% 18.75%  +/- 0.120%  2.5 M deals/s  10 s left"
    seconds[0] = 102.05
    live(Report(0.26))
    assert "26 %" not in terminal.getvalue()  # ten times a second are enough
    seconds[0] = 103.0
    live(Report(1.0))
    assert terminal.line() == "100 %"  # what was longer is written over
    assert terminal.getvalue().endswith(" ")
    live.close()
    assert terminal.line() == ""
    shown = terminal.getvalue()
    live.close()
    assert terminal.getvalue() == shown


def test_a_picture_counts_its_own_time(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    live = begun(monkeypatch, terminal := Terminal())
    seconds[0] = 110.0
    live.restart()
    live.done(0.4)
    assert terminal.getvalue() == ""
    seconds[0] = 112.0
    live.done(0.5)
    assert terminal.line() == "50 %  10 s left"


def test_a_table_tells_rows(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    live = begun(monkeypatch, terminal := Terminal())
    seconds[0] = 102.0
    live.rows(Progress(3_000, None))
    assert terminal.line() == "3,000 rows  1,500 rows/s"
    seconds[0] = 104.0
    live.rows(Progress(8_000, 0.5))
    assert terminal.line() == "[##########          ]  50 %  8,000 rows  2,000 rows/s  4 s left"
    seconds[0] = 104.05
    live.rows(Progress(9_000, 0.6))
    assert "9,000" not in terminal.getvalue()


def test_a_narrow_terminal_gets_what_fits(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    live = begun(monkeypatch, terminal := Terminal())
    monkeypatch.setattr(cli, "_terminal_width", lambda: 12)
    seconds[0] = 102.0
    live(Report(0.25, (0.8125, 0.1875), 0.0012))
    assert terminal.line() == "25 %  81.2"


def test_compiling_is_said_when_nothing_is_kept(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "WHEN_COLD", [])
    begun(monkeypatch, terminal := Terminal()).compiling()
    (tell,) = late.WHEN_COLD
    tell()
    assert terminal.line() == "compiling, once on this machine ..."


def test_elsewhere_nothing_is_written(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "WHEN_COLD", [])
    live = begun(monkeypatch, pipe := io.StringIO())
    live.compiling()
    seconds[0] = 200.0
    live(Report(0.5, (0.5,)))
    live.done(0.5)
    live.rows(Progress(5, 0.5))
    live.close()
    assert pipe.getvalue() == ""
    assert late.WHEN_COLD == []

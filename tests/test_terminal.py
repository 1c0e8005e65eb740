"""What a terminal shows, whose width and colours are the test's: no number is ever cut, colours only repeat numbers."""

from __future__ import annotations

import csv
import io
import re
import signal
import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner

import potshare as ps
from potshare import cli
from potshare.simulate.sampling import run as sampling

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Prints a command on a terminal of so many columns; what it wrote, with or without the signs for colours."""

    def show(columns: int, *arguments: str, colours: bool = False) -> str:
        for name in ("NO_COLOR", "FORCE_COLOR", "LINES"):
            monkeypatch.delenv(name, raising=False)
        for name, value in (("COLUMNS", str(columns)), ("TERM", "xterm-256color"), ("COLORTERM", "truecolor")):
            monkeypatch.setenv(name, value)
        terminal = Terminal()
        with monkeypatch.context() as here:
            here.setattr(sys, "stdout", terminal)
            with pytest.raises(SystemExit) as ended:
                cli.main(arguments)
        assert ended.value.code == 0
        text = terminal.getvalue()
        assert all(len(line) <= columns for line in COLOURS.sub("", text).splitlines())
        return text if colours else COLOURS.sub("", text)

    return show


def piped(*arguments: str, status: int = 0, given: bytes = b"") -> str:
    result = CliRunner().invoke(cli.cli, arguments, input=given)
    assert result.exit_code == status, result.output
    return result.stdout


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"[\d,.]+%", text))


@pytest.mark.parametrize("columns", [120, 60, 40, 24])
def test_no_number_is_cut(columns: int, shown: Any) -> None:
    question = ["equity", "-g", "omaha8", "AsAh2c3d", "KsKhQdJc", "-b", "2h3h4c9d"]
    assert numbers(shown(columns, *question)) == numbers(piped(*question))


def test_a_long_range_is_cut_before_anything_is_stacked(shown: Any) -> None:
    long = ",".join(f"A{r}s" for r in "23456789T") + ",KQo"
    question = ["equity", "AKs", long, "-b", "Qh7d2c"]
    whole = shown(200, *question).splitlines()
    heads = whole[0].split()
    cut = shown(50, *question).splitlines()
    assert cut[0].split() == heads
    assert not any(long in line for line in cut)
    assert numbers("\n".join(cut)) == numbers(piped(*question))
    # Where less than ten letters of it would be left, every cell gets a line of its own: its column, then the cell.
    stacked = shown(26, *question).splitlines()
    for head in heads:
        assert sum(line.split()[:1] == [head] for line in stacked) == 2


def test_categories_with_bars_as_long_as_their_shares(shown: Any) -> None:
    question = ["equity", "KsQs", "-b", "KdKh2s", "--categories"]
    rows = {line.split("  ")[0]: line for line in shown(80, *question).splitlines()}
    found = {r["category"]: float(r["share"]) for r in csv.DictReader(io.StringIO(piped(*question, "-f", "csv")))}
    for name, share in found.items():
        if share:
            bar = rows[name].split()[-1]
            assert (len(bar) if set(bar) == {"#"} else 0) == round(20 * share), name
    assert rows["three of a kind"].split()[-1] == "#" * 12  # 675 of 1,081
    assert "##" not in shown(50, *question)
    assert "##" not in piped(*question)


def test_next_cards_in_colours_say_what_the_numbers_say(shown: Any) -> None:
    question = ["equity", "AhKh", "QcQd", "-b", "Qh7h2c3s", "--runouts"]
    text = shown(100, *question, colours=True)
    # Hearts give the flush unless the board pairs: nine less the pairing ones; light green and light red backgrounds.
    assert "48;2;128;208;150m" in text
    assert "48;2;244;165;150m" in text
    rows = list(csv.DictReader(io.StringIO(piped(*question, "-f", "csv"))))
    assert len(rows) == 44
    assert {r["cards"] for r in rows if float(r["equity1"]) == 1.0} == {"4h", "5h", "6h", "8h", "9h", "Th", "Jh"}
    assert sum(float(r["weight"]) for r in rows) == pytest.approx(1)
    assert all(float(r["equity1"]) + float(r["equity2"]) == pytest.approx(1) for r in rows)


def test_two_next_cards_are_all_there_is_to_name() -> None:
    held = ["AhAd", "KhKd"]
    board, live = "Qs7c2d3s", {"Kc", "4c"}
    known = {c for text in (*held, board) for c in re.findall("..", text)}
    dead = "".join(r + s for r in "23456789TJQKA" for s in "cdhs" if r + s not in known | live)
    text = piped("equity", *held, "-b", board, "-d", dead, "--runouts").splitlines()
    assert "best   4c 100.00%, Kc 0.00%" in text
    assert "worst  Kc 0.00%, 4c 100.00%" in text


def test_streets_in_a_table_and_in_rows() -> None:
    question = ["equity", "AhKh", "QcQd", "-b", "Qh7h2c3s", "--streets"]
    text = piped(*question)
    rows = list(csv.DictReader(io.StringIO(piped(*question, "-f", "csv"))))
    assert [(r["street"], r["board"]) for r in rows] == [("preflop", ""), ("flop", "Qh7h2c"), ("turn", "Qh7h2c3s")]
    for row in rows:
        alone = ps.equity("AhKh", "QcQd", board=row["board"], method="exact").players
        assert [float(row["equity1"]), float(row["equity2"])] == [p.equity for p in alone]
        line = next(line for line in text.splitlines() if line.split()[:2] == [row["street"], row["board"] or "-"])
        assert line.split()[2:] == [f"{100 * p.equity:.2f}%" for p in alone]
    assert "~" not in text
    sampled = piped(*question, "-m", "monte-carlo", "--deals", "640", "--seed", "1")
    assert re.search(r"turn +Qh7h2c3s +~\d+\.\d\d% +~\d+\.\d\d%", sampled)
    assert re.search(r"~ sampled, standard error up to \d\.\d{3}%", sampled)


def test_games_on_a_narrow_terminal_say_the_same(shown: Any) -> None:
    assert shown(40, "games").split() == piped("games").split()


# -- the ends of a command ------------------------------------------------------------------------------------------


def test_the_script_ends_deaf_to_ctrl_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["potshare", "--version"])
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.value.code == 0
    assert ps.__version__ in capsys.readouterr().out


def test_suit_symbols_become_letters_where_they_cannot_be_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert cli._run(["equity", "A♠A♥", "KhKd", "-b", "Qs7c2d"]) == 0
    text = out.buffer.getvalue().decode("ascii")
    assert "AsAh" in text
    assert "?" not in text


def test_no_arguments_give_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    cli._run([])
    said = "".join(capsys.readouterr())
    assert "Usage: potshare [OPTIONS] COMMAND" in said
    assert "Error" not in said


def test_a_usage_error_from_nowhere_points_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    cli._show(click.UsageError("Something is wrong."))
    assert capsys.readouterr().err == "Error: something is wrong\n"


def test_an_interrupted_answer_is_printed_and_has_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_part(*arguments: Any) -> Any:
        yield next(parts(*arguments))
        raise KeyboardInterrupt

    parts = sampling.in_order
    monkeypatch.setattr(sampling, "in_order", in_part)
    question = ["equity", "AsKs", "QQ", "random", "-m", "monte-carlo", "--seed", "1", "--deals", "10000000"]
    text = piped(*question, status=cli.INTERRUPTED)
    assert "stopped by interrupted" in text
    assert len(numbers(text)) > 3


def test_an_interrupt_before_the_first_deal_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*arguments: Any) -> Any:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(sampling, "in_order", nothing)
    with pytest.raises(KeyboardInterrupt):
        ps.equity("AsKs", "QQ", "random", method="monte-carlo", deals=640, seed=1)


def test_a_policy_is_named_below_its_picture() -> None:
    text = piped("equity", "2s3d4h7cKd", "-g", "deuce-to-seven", "--categories", "--deals", "640", "--seed", "1")
    assert "policy standard" in text


def test_a_bad_line_of_a_stream_does_not_end_it() -> None:
    lines = b'{"hands": ["AhAd", "KhKd"], "board": "Qs7c2d3s"}\nnonsense\n{"hands": ["AhAd", "KhKd"]}\n'
    answers = piped("equity", "--stream", status=1, given=lines).splitlines()
    assert ['"error"' in line for line in answers] == [False, True, False]


def test_scored_rows_are_reported_to_a_person_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for stream, told in ((Terminal(), True), (io.StringIO(), False)):
        with monkeypatch.context() as here:
            here.setattr(sys, "stderr", stream)
            with pytest.raises(SystemExit) as ended:
                cli.main(["score", "--example", "-o", str(tmp_path / "scored.csv")])
        rows = len(list(csv.DictReader(io.StringIO((tmp_path / "scored.csv").read_text("utf-8")))))
        assert ended.value.code == 0
        assert (f"{rows:,} rows scored in" in stream.getvalue()) == told

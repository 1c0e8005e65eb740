"""Arguments that mean nothing are refused at the front door, in Python as on the command line; no option is ignored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import potshare as ps
from potshare import PotshareError, cli
from potshare.simulate import stream
from potshare.simulate.exact import completions
from potshare.simulate.variants import games

CARDS = np.array([[0, 1, 2, 3, 4, 5, 6]], np.uint8)

WRONG: dict[str, tuple[Any, str]] = {
    "no game": (lambda: ps.equity("AA", "KK", game=None), "a game is named by text"),  # type: ignore[arg-type]
    "a number for a game": (lambda: ps.find_variant(1), "a game is named by text"),  # type: ignore[arg-type]
    "no ranking": (lambda: ps.evaluate("AhKh", None), "a ranking is named by text"),  # type: ignore[arg-type]
    "a number for a ranking": (lambda: ps.find_ranking(1), "a ranking is named by text"),  # type: ignore[arg-type]
    "a number for a range": (lambda: ps.Range(5), "a range is text"),  # type: ignore[arg-type]
    "bytes for a range": (lambda: ps.Range(b"AA"), "a range is text"),  # type: ignore[arg-type]
    "a number for text": (lambda: ps.parse_cards(5), "cards are read from text"),  # type: ignore[arg-type]
    "a list for text": (lambda: ps.parse_cards([51]), "cards are read from text"),  # type: ignore[arg-type]
    "text for numbers": (lambda: ps.format_cards("AhKh"), "no card numbers"),  # type: ignore[arg-type]
    "parts of cards": (lambda: ps.format_cards([1.7]), "no card numbers"),  # type: ignore[list-item]
    "truth for cards": (lambda: ps.evaluate([True, False]), "is no card"),
    "a set for a board": (lambda: ps.equity("AA", "KK", board={1, 2, 3}), "has no order"),  # type: ignore[arg-type]
    "a dictionary for a board": (lambda: ps.equity("AA", "KK", board={}), "has no order"),  # type: ignore[arg-type]
    "half a deal": (lambda: ps.equity("AA", "KK", deals=1.5), "deals must be a whole number"),  # type: ignore[arg-type]
    "deals as text": (lambda: ps.equity("AA", "KK", deals="9"), "deals must be a whole number"),  # type: ignore[arg-type]
    "too many deals": (lambda: ps.equity("AA", "KK", method="monte-carlo", deals=10**29), "at most 2**60"),
    "time as text": (lambda: ps.equity("AA", "KK", time="1"), "time must be a number"),  # type: ignore[arg-type]
    "a time without end": (lambda: ps.equity("AA", "KK", time=float("inf")), "time must be greater than 0, not inf"),
    "no error at all": (lambda: ps.equity("AA", "KK", stderr=float("nan")), "stderr must be greater than 0, not nan"),
    "half a seed": (lambda: ps.equity("AA", "KK", seed=1.9), "the seed must be a whole number"),  # type: ignore[arg-type]
    "seeds": (lambda: ps.equity("AA", "KK", seed=np.array([1])), "the seed must be a whole number"),  # type: ignore[arg-type]
    "half a block": (lambda: ps.equity("AA", "KK", first_block=1.5), "first block must be a whole"),  # type: ignore[arg-type]
    "a block to count": (
        lambda: ps.equity("AA", "KK", first_block=2, method="exact"),
        "the first block is for sampling",
    ),
    "threads as text": (lambda: ps.equity("AA", "KK", threads="2"), "threads must be a whole number"),  # type: ignore[arg-type]
    "half a thread": (lambda: ps.strengths(CARDS, threads=1.5), "threads must be a whole number"),  # type: ignore[arg-type]
    "a number for a selection": (lambda: ps.strengths(CARDS, selection=3), "a selection is named by text"),  # type: ignore[arg-type]
    "one opponent": (lambda: ps.best_discards("8s8d8cKd4h", against="random"), "a list with an entry for each"),
    "no opponents": (lambda: ps.best_discards("8s8d8cKd4h", against=None), "a list with an entry for each"),  # type: ignore[arg-type]
    "no effort": (lambda: ps.best_discards("8s8d8cKd4h", effort=0), "effort must be greater than 0"),
    "endless effort": (
        lambda: ps.best_discards("8s8d8cKd4h", effort=float("inf")),
        "effort must be greater than 0 and at most",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_nonsense_is_refused_in_python(case: str) -> None:
    question, message = WRONG[case]
    with pytest.raises(PotshareError) as caught:
        question()
    assert message in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    found = ps.equity(
        "AA", "KK", method="monte-carlo", deals=np.int64(500), seed=np.uint8(3), threads=np.int32(1), time=np.float32(9)
    )  # fmt: skip
    assert found.players == ps.equity("AA", "KK", method="monte-carlo", deals=500, seed=3).players


def run(*arguments: str, text: str | None = None) -> Any:
    return CliRunner().invoke(cli.cli, list(arguments), input=text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["equity", "AA", "KK", "--runouts", "3"], "--runouts shows the next card or the next 2, not 3"),
        (["equity", "2s3s4d7c", "random", "-g", "triple-draw", "--policy", ""], "triple-draw has no policy ''"),
        (["score", "--example", "-o", ""], "the answer needs a file name"),
        (["equity", "AA", "KK", "-d", "As", "-d", "Ah"], "-d is given 2 times; write it once: -d AsAh"),
        (["equity", "AA", "KK", "-b", "AhKhQh", "--board", "2c3c4c"], "-b is given 2 times"),
        (["equity", "AA", "KK", "-g", "holdem", "-g", "omaha"], "-g is given 2 times"),
        (["evaluate", "AhKh", "-g", "holdem", "-g", "omaha"], "-g is given 2 times"),
        (["draw", "AhKhQhJh9h", "-g", "draw", "-g", "27"], "-g is given 2 times"),
        (["range", "AA", "-b", "2c3c4c5c6c7c"], "the board 2c3c4c5c6c7c has 6 cards"),
        (["range", "AA", "-b", "As2c3c", "-d", "As"], "As is on the board and among the dead cards"),
        (["range", "AA", "-g", "stud", "-b", "2c3c"], "the board 2c3c has 2 cards"),
        (["equity", "AA", "KK", "-m", "exact", "--first-block", "3"], "the first block is for sampling"),
        (["equity", "AA", "KK", "--html", ""], "--html needs the name of a file"),
        (["equity", "--stream", "--grid"], "leave out --grid"),
        (["equity", "--stream", "--runouts=1"], "leave out --runouts"),
        (["equity", "--stream", "--html", "x.html"], "leave out --html"),
        (["equity", "--stream", "-f", "csv"], "leave out -f csv"),
        (["range", "--order", "QQ"], "leave out TEXT"),
        (["range", "--order", "-d", "As"], "leave out --dead"),
        (["range", "--order", "--grid"], "leave out --grid"),
        (["range", "AA", "--convert", "pio", "-f", "json"], "leave out -f json"),
        (["range", "AA", "--convert", "pio", "--grid"], "leave out --grid"),
        (["range", "AA", "--convert", ""], "there is no spelling"),
        (["range", "AA", "--grid", "-f", "json"], "leave out -f json"),
        (["range", "AA", "--grid", "-g", "omaha"], "the picture shows hands of two cards"),
        (["bench", "high-7", "--seconds", "nan"], "--seconds must be 0 or more"),
        (["bench", "high-7", "--seconds", "-1"], "--seconds must be 0 or more"),
        (["draw", "AhKh", "-g", "holdem"], "nobody draws or discards in holdem"),
        (["draw", "AhKhQd2c", "-g", "irish", "-b", "2h3h4h5h6h"], "discard before the board has 5 cards"),
        (["draw", "AhKhQd", "-g", "pineapple", "-b", "2h3h4h"], "discard before the board has 3 cards"),
        (
            ["equity", "AhKhQd2c", "random", "-g", "irish", "-b", "3h4h5h6c", "--policy", "best"],
            "cards that came later",
        ),
    ],
)
def test_no_option_is_ignored(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code != 0
    said = done.output if isinstance(done.exception, SystemExit) else f"{done.output}{done.exception}"
    assert message in said
    assert done.stdout == "" or message in done.stdout


def test_a_hand_of_digits_may_follow_runouts_elsewhere() -> None:
    assert run("equity", "AhKh", "QcQd", "-b", "Qh7h2c", "--runouts").exit_code == 0
    assert run("equity", "--runouts", "2", "AhKh", "QcQd", "-b", "Qh7h2c").exit_code == 0


# -- counting that turns out to take too much --------------------------------------------------------------------------


def test_what_fills_memory_is_sampled_or_refused() -> None:
    # Two hands of two cards in stud: nine ways out of ten counted, but for the memory.
    found = ps.equity("AcAd", "KcKd", game="stud", deals=2000, seed=1)
    assert (found.method, found.deals) == ("monte-carlo", 2000)
    with pytest.raises(PotshareError, match="sample it with --method monte-carlo"):
        ps.equity("AcAd", "KcKd", game="stud", method="exact")


@pytest.mark.parametrize("game", ["stud", "razz", "deuce-to-seven", "five-card-stud", "draw"])
def test_every_game_that_is_counted_may_turn_out_too_large(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completions, "MOST_TERMS", 10)
    size = {"stud": 6, "razz": 6, "five-card-stud": 4}.get(game, 4)
    deck = [c for c in games()[game].deck if c < 52]
    hands = [ps.format_cards(deck[i * size : (i + 1) * size]) for i in range(2)]
    assert ps.equity(*hands, game=game, deals=500, seed=1).method in ("monte-carlo", "exact")
    if game in ("draw", "deuce-to-seven"):
        whole = ps.format_cards(deck[:5])
        values = ps.best_discards(whole, game, against=[ps.format_cards(deck[5:10]) + "/"], effort=0.05)
        assert len(values) == 32


def test_a_fault_does_not_end_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*hands: Any, **options: Any) -> Any:
        raise RuntimeError("out of luck")

    lines = ['{"hands": ["AA", "KK"], "id": 1}\n', '{"hands": ["AA", "KK"], "id": 2}\n']
    with monkeypatch.context() as patch:
        patch.setattr(stream, "equity", broken)
        (first, fine), _ = stream.answers(lines, {})
    assert not fine
    assert json.loads(first) == {
        "id": 1,
        "error": "this should not happen, please report it: RuntimeError('out of luck')",
    }
    assert [fine for _, fine in stream.answers(lines, {})] == [True, True]


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_quotation_that_never_ends(tmp_path: Path) -> None:
    head, row = "hands;board;pot;note\n", "AhAd,KhKd;2c7h9dJsKc;100;"
    file = tmp_path / "a.csv"
    quoted = '"a ""b"" c"'
    for number, rows in enumerate((['"open', "", ""], [quoted, '"open ""', quoted], ["", quoted, '"open']), 2):
        file.write_text(head + "".join(f"{row}{note}\n" for note in rows))
        done = run("score", str(file))
        assert done.exit_code == 2
        assert f"ends within a quotation that begins in line {number}" in done.output
        assert "100" not in done.stdout
    # A mark within a cell, pairs of marks and line breaks in quotes are text.
    for note in ('5" tall', '"a ""b"" c\nd"'):
        file.write_text(head + f"{row}{note}\n{row}\n")
        done = run("score", str(file))
        assert done.exit_code == 0, done.output
        assert done.stdout.count("2,0;1,0;100") == 2


def test_an_answer_is_not_scored_again(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("hands;board;pot\nAhAd,KhKd;2c7h9dJsKc;100\n")
    out = str(tmp_path / "out.csv")
    assert run("score", str(tmp_path), "-o", out).exit_code == 0
    before = Path(out).read_bytes()
    done = run("score", str(tmp_path), "-o", out)
    assert done.exit_code == 2
    assert "lies in a folder that is scored" in done.output
    assert Path(out).read_bytes() == before
    # A file that is named is written over when it has been read.
    assert run("score", out, "-o", out).exit_code == 0

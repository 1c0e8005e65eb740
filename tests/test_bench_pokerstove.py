"""The comparison with PokerStove. With POKERSTOVE, the folder of a built checkout, it is run."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from potshare.bench import pokerstove
from potshare.evaluator.cards import parse_cards
from potshare.simulate.equity import equity


def test_a_folder_without_its_libraries_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(pokerstove.main, [str(tmp_path)])
    assert done.exit_code == 1
    assert "libpenum.a is missing: build PokerStove first" in done.output


def test_which_lows_are_compared() -> None:
    hands = ["5h5d5cKsKhKdAh", "KcKs4dKhKd2dAd", "2c3c4c5d6d7hKs"]
    cards = np.array([parse_cards(hand) for hand in hands], np.uint8)
    assert pokerstove._asked("ace-to-five", cards).tolist() == [False, False, True]
    assert pokerstove._asked("high", cards).all()


@pytest.mark.skipif("POKERSTOVE" not in os.environ, reason="POKERSTOVE does not name a built checkout")
def test_both_agree() -> None:
    library = pokerstove.build(Path(os.environ["POKERSTOVE"]))
    assert len(list(pokerstove.hands_a_second(library, 0.01))) == len(pokerstove.KINDS)
    names = [name for name, _, _ in pokerstove.seconds_a_question(library, 0.01)]
    assert {"two hands", "hand against all, flop", "Omaha hi-lo, two hands"} <= set(names)


class Borrowed:
    """The compiled functions of PokerStove as they should answer: their numbers are borrowed from potshare."""

    def __init__(self, wrong: bool = False) -> None:
        self.wrong = wrong

    def values(self, source: Any, number: Any, size: int, kind: int, target: Any) -> None:
        cards = np.frombuffer(ctypes.string_at(source, number.value * size), np.uint8).reshape(-1, size)
        (ranking,) = {ranking for ranking, cards_of, k in pokerstove.KINDS if (k, cards_of) == (kind, size)}
        found = pokerstove._own(ranking, cards)().astype(np.int32)
        ctypes.memmove(target, (-found if self.wrong else found).ctypes.data, found.nbytes)

    def first_equity(self, game: bytes, hands: Any, number: int, board: bytes) -> float:
        names = {short: name for name, short in pokerstove._GAMES.items()}
        texts = [hands[i].decode() or "random" for i in range(number)]
        found = equity(*texts, game=names[game.decode()], board=board.decode(), method="exact")
        return found.players[0].equity + (0.01 if self.wrong else 0)


def test_rows_of_the_comparison(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pokerstove, "HANDS", 1 << 9)
    monkeypatch.setattr(pokerstove, "build", lambda folder: Borrowed())
    done = CliRunner().invoke(pokerstove.main, [str(tmp_path), "--seconds", "0.001"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split("  ")[0] for line in lines[: len(pokerstove.KINDS)]] == [
        f"{ranking}, {size} cards" for ranking, size, _ in pokerstove.KINDS
    ]
    assert all("times as slow" in line for line in lines[: len(pokerstove.KINDS)])
    questions = [line.split("  ")[0] for line in lines[len(pokerstove.KINDS) :]]
    assert {"two hands", "hand against all, flop", "Omaha hi-lo, two hands"} <= set(questions)
    # Ranges, stud and two unknown hands are not asked.
    assert not {"two ranges", "all against all", "stud, fifth street"} & set(questions)


def test_other_answers_stop_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pokerstove, "HANDS", 1 << 9)
    wrong: Any = Borrowed(wrong=True)
    with pytest.raises(ValueError, match=r"high, 7 cards: PokerStove orders the hands differently"):
        list(pokerstove.hands_a_second(wrong, 0.001))
    with pytest.raises(ValueError, match=r"two hands: PokerStove says"):
        list(pokerstove.seconds_a_question(wrong, 0.001))


def test_what_the_compiler_says_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("penum", "peval"):
        library = tmp_path / "build" / "lib" / f"lib{name}.a"
        library.parent.mkdir(parents=True, exist_ok=True)
        library.touch()

    def compiler(command: list[str], **options: Any) -> Any:
        assert command[0] == "c++"
        assert {str(tmp_path / "build" / "lib" / f"lib{name}.a") for name in ("penum", "peval")} <= set(command)
        return subprocess.CompletedProcess(command, 1, b"", b"no such header")

    monkeypatch.setattr(subprocess, "run", compiler)
    done = CliRunner().invoke(pokerstove.main, [str(tmp_path)])
    assert done.exit_code == 1
    assert "no such header" in done.output

"""The comparison with PokerStove. With POKERSTOVE, the folder of a built checkout, it is run."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from potshare.bench import pokerstove
from potshare.evaluator.cards import parse_cards


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

"""Boards: fixed cards, and patterns with ordered turn and river."""

from __future__ import annotations

import itertools
import math

import pytest

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import parse_cards
from potshare.simulate.ranges import parse_board


@pytest.mark.parametrize("text", ["AhKd2c", "Ah Kd 2c", "Ah,Kd,2c", "AhKd2c3s", "AhKd2c3s4h", "A♥ K♦ 2♣"])
def test_fixed_boards(text: str) -> None:
    board = parse_board(text)
    assert board.pattern is None
    assert board.cards == parse_cards("AhKd2c3s4h")[: board.size]
    assert parse_board(list(board.cards)).cards == board.cards


def test_patterns() -> None:
    flops = [set(f) for f in itertools.combinations(range(52), 3)]
    wanted = {
        "**2h": lambda f: 2 in f,
        "As": lambda f: 51 in f,
        "xxx": lambda f: len({c & 3 for c in f}) == 1,
        "xyz": lambda f: len({c & 3 for c in f}) == 3,
        "RRN": lambda f: len({c >> 2 for c in f}) == 2,
        "AAA": lambda f: all(c >> 2 == 12 for c in f),
        "AKQ": lambda f: {c >> 2 for c in f} == {12, 11, 10},
        # An ace or king and two other spades.
        "[A,K]ss": lambda f: any(c >> 2 >= 11 and all(d & 3 == 3 for d in f - {c}) for c in f),
    }
    for text, fits in wanted.items():
        board = parse_board(text)
        assert board.cards == ()
        assert board.size == 3
        assert board.pattern is not None
        assert {frozenset(map(int, row)) for row in board.pattern.combos} == {frozenset(f) for f in flops if fits(f)}


def test_turn_and_river_stand_in_order() -> None:
    board = parse_board("AsKs2d*h")
    assert board.size == 4
    assert board.pattern is not None
    assert len(board.pattern) == 13
    assert board.pattern.contains("KsAs2d5h")
    assert not board.pattern.contains("AsKs5h2d")
    turn = parse_board("****h").pattern
    assert turn is not None
    assert len(turn) == math.comb(51, 3) * 13
    river = parse_board("AsKs2d*A").pattern
    assert river is not None
    assert len(river) == 3 * 48
    assert parse_board("A*s", "courchevel").pattern is not None


def test_weights_and_dead_cards() -> None:
    pattern = parse_board("AKQ,22R@50", dead="As").pattern
    assert pattern is not None
    assert set(pattern.weights) == {0.5, 1.0}
    assert not (pattern.combos == 51).any()


def test_errors() -> None:
    for text in ("AhKd2c3c4c5c", "15%", "$ds", "AA/KK", "AhAh2c"):
        with pytest.raises(TextError):
            parse_board(text)
    with pytest.raises(PotshareError, match="among the dead"):
        parse_board("AhKd2c", dead="Kd")
    with pytest.raises(PotshareError, match="has no board"):
        parse_board("AhKd2c", "stud")
    impossible = parse_board("AAAs", dead="As").pattern
    assert impossible is not None
    with pytest.raises(PotshareError, match="none of its 3 boards is left once As is out"):
        len(impossible)
    assert parse_board("").size == 0

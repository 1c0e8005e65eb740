"""One hand's text."""

from __future__ import annotations

import pytest

from potshare.errors import TextError
from potshare.evaluator.cards import parse_cards
from potshare.simulate.ranges import parse_hand


def test_cards_in_the_order_written() -> None:
    assert parse_hand("AhKd").kept == parse_cards("AhKd")
    assert parse_hand("Kd, ah").kept == parse_cards("KdAh")
    assert parse_hand("10s Jd").kept == parse_cards("TsJd")
    assert parse_hand("AsKs4c", "stud").kept == parse_cards("AsKs4c")
    assert parse_hand("As??4c", "stud").unknown == 1


def test_kept_and_discarded() -> None:
    hand = parse_hand("2c3d4h7s/Kd", "triple-draw")
    assert hand.kept == parse_cards("2c3d4h7s")
    assert hand.discarded == parse_cards("Kd")
    assert hand.cards == parse_cards("2c3d4h7sKd")
    assert parse_hand("9s8d6h4c3s/", "triple-draw").discarded == ()
    assert parse_hand("9s8d6h4c3s", "triple-draw").discarded is None
    assert parse_hand("/9s8d6h4c3s", "triple-draw").kept == ()


@pytest.mark.parametrize(
    ("text", "game", "caret"),
    [
        ("AhAh", "holdem", 2),
        ("AhKdQc", "holdem", 4),
        ("Ah/Kd", "holdem", 2),
        ("2c3d4h/Kd", "triple-draw", 0),
        ("2c3d4h7s/Kd/", "triple-draw", 11),
        ("A", "holdem", 0),
        ("", "holdem", 0),
        ("2c3c", "short-deck", 0),
        ("6\u0441Tc", "holdem", 1),
        ("2c3d4h7s/??", "triple-draw", 9),
    ],
)
def test_errors(text: str, game: str, caret: int) -> None:
    with pytest.raises(TextError) as caught:
        parse_hand(text, game)
    assert caught.value.start == caret

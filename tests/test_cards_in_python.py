"""Cards given to Python functions: text, numbers, names, and what is none of these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare.errors import PotshareError
from potshare.evaluator.cards import UNKNOWN, as_cards


@pytest.mark.parametrize(
    "cards",
    ["AsKh", "As Kh", ("As", "Kh"), ["As", 46], (51, 46), [np.uint8(51), np.int64(46)], np.array([51, 46], np.uint8)],
    ids=repr,
)
def test_every_way_to_give_two_cards(cards: Any) -> None:
    assert as_cards(cards) == (51, 46)
    assert all(type(card) is int for card in as_cards(cards))
    known = ps.equity("AsKh", "QdQc", board="2c7d9h")
    assert ps.equity(cards, "QdQc", board=["2c", "7d", "9h"]).players[0].counts == known.players[0].counts
    assert ps.equity("QdQc", "2c2d", dead=cards).deals == ps.equity("QdQc", "2c2d", dead="AsKh").deals


def test_what_is_returned_can_be_given() -> None:
    found = ps.evaluate("AhKhQhJhTh2c3d")
    assert ps.evaluate(found.best).strength == found.strength
    answer = ps.equity("AsKh", "QdQc", board="2c7d9h", dead="3s")
    assert ps.equity("AsKh", "QdQc", board=answer.board, dead=answer.dead).players == answer.players


def test_jokers_and_unknown_cards_where_they_are_known() -> None:
    assert as_cards(["??", "As"], unknown=True) == (UNKNOWN, 51)
    assert as_cards([52, "As"], jokers=True) == (52, 51)
    with pytest.raises(PotshareError, match=r"52 is not a card of this deck: cards are 0\.\.51"):
        as_cards([52])


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ([1.5, 2], r"1\.5 is no card: write a number 0\.\.51 or a name such as 'Ah'"),
        ([None], "None is no card"),
        (["AsKs", "Qd"], "'AsKs' is no card"),
        ([""], "'' is no card"),
        (["Zs"], "Z"),
        (["As", 51], "the card As is given twice"),
        ([-1], "-1 is not a card"),
        (np.array([1.0, 2.0]), "is no card"),
        (None, "None is no hand: write text such as 'AhKh'"),
        (5, "5 is no hand"),
        ([[1, 2]], r"\[1, 2\] is no card"),
    ],
    ids=repr,
)
def test_what_is_no_card_is_refused(cards: Any, words: str) -> None:
    with pytest.raises(PotshareError, match=words):
        as_cards(cards)
    with pytest.raises(PotshareError, match=words):
        ps.evaluate(cards)
    with pytest.raises(PotshareError):
        ps.equity("QdQc", "2c2d", dead=cards)

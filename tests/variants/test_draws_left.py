"""Asking in the middle of a game with several draws: how many are still to come."""

from __future__ import annotations

import pytest

from potshare import PotshareError, equity
from potshare.simulate.variants import find_variant


def test_the_last_draw_of_badugi_is_counted() -> None:
    answer = equity("Ac2d3h/Kh", "As4d6c/Qd", game="badugi", draws=1, method="exact")
    assert (answer.method, answer.deals) == ("exact", 1_892)
    assert sum(p.equity for p in answer.players) == pytest.approx(1.0)


def test_the_last_draw_of_triple_draw_is_single_draw() -> None:
    hands = ("9s8d6h4c3s/", "2c3d4h7s/Kd")
    last = equity(*hands, game="triple-draw", draws=1)
    single = equity(*hands, game="deuce-to-seven")
    assert [p.fraction for p in last.players] == [p.fraction for p in single.players] == ["29/42", "13/42"]


def test_streets_before_are_gone() -> None:
    two = find_variant("badugi").with_draws_left(2)
    assert [s.name for s in two.streets] == ["deal", "second draw", "third draw"]


@pytest.mark.parametrize(
    ("game", "draws", "message"),
    [
        ("badugi", 4, "only 1 to 3"),
        ("badugi", 0, "only 1 to 3"),
        ("deuce-to-seven", 2, "only 1"),
        ("holdem", 1, "nobody draws"),
    ],
)
def test_impossible_numbers_are_refused(game: str, draws: int, message: str) -> None:
    with pytest.raises(PotshareError, match=message):
        equity("random", "random", game=game, draws=draws)

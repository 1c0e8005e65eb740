"""Orderings: exact counts against known ones, symmetry, percentages that part all hands."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import potshare as ps
from potshare.errors import PotshareError
from potshare.evaluator.cards import format_cards, parse_cards
from potshare.simulate.ranges import Range
from potshare.simulate.ranges import build_orderings as orderings
from potshare.simulate.ranges.orderings import places
from potshare.simulate.variants import find_variant, read_variant
from potshare.tables import load

TWO_CARD = ["standard-high", "standard-high-eight", "short-deck", "short-deck-trips"]


def test_aces_against_a_random_hand() -> None:
    # 1,781,508,418 wins and 11,402,312 ties in 2,097,572,400 deals.
    points = load("standard-high", orderings.FOLDER)[13 * 12 + 12]
    assert points == 2 * (2 * 1_781_508_418 + 11_402_312)
    assert dict(Range.ordering())["AA"] == pytest.approx((1_781_508_418 + 11_402_312 / 2) / 2_097_572_400, abs=1e-12)


@pytest.mark.parametrize("name", TWO_CARD)
def test_all_hands_together_win_half(name: str) -> None:
    points = load(name, orderings.FOLDER)
    cards = 36 if name.startswith("short") else 52
    sizes = np.where(points > 0, orderings.class_sizes(), 0)
    assert sizes.sum() == math.comb(cards, 2)
    deals = math.comb(cards, 2) * math.comb(cards - 2, 2) * math.comb(cards - 4, 5)
    assert int((points * sizes).sum()) * 2 == orderings.POINTS * deals


@pytest.mark.parametrize("name", ["short-deck", "short-deck-trips"])
def test_counted_data_are_what_is_built(name: str) -> None:
    assert np.array_equal(orderings.BUILDERS[name](), load(name, orderings.FOLDER))


def test_sampled_data_are_near_another_sample() -> None:
    for name, cards, low in (
        ("four-high", 4, ""),
        ("four-high-eight", 4, "eight-or-better"),
        ("five-high", 5, ""),
        ("five-high-eight", 5, "eight-or-better"),
    ):
        stored = load(name, orderings.FOLDER) / 65_535
        equity, error = orderings.sample_split(cards, "high", low, boards=400)
        _, sizes, _ = orderings.classes(cards)
        assert len(stored) == len(sizes) == {4: 16_432, 5: 134_459}[cards]
        assert (np.abs(equity - stored) < 6 * error + 0.003).mean() > 0.999
        assert float((stored * sizes).sum()) / sizes.sum() == pytest.approx(0.5, abs=0.003)


def suits_turned(hands: np.ndarray) -> np.ndarray:
    return (hands & 0xFC) | ((hands + 1) & 3)


@pytest.mark.parametrize("game", orderings.PLAYED_GAMES)
def test_played_data_are_near_what_the_engine_deals(game: str) -> None:
    # The engine deals both players from one deck; the builder plays them apart.
    order = Range.ordering(game)
    for place in (0, len(order) // 7, len(order) // 2, len(order) - 1):
        name, stored = order[place]
        hand = name if len(name) > 3 else f"{name[0]}s{name[1]}{'s' if name.endswith('s') else 'h'}"
        found = ps.equity(hand, "random", game=game, method="monte-carlo", deals=60_000, seed=place).players[0]
        assert abs(found.equity - stored) < 5 * found.stderr + 0.016, (game, hand)


@pytest.mark.parametrize("game", orderings.PLAYED_GAMES)
def test_played_data_are_near_another_sample(game: str) -> None:
    stored = dict(Range.ordering(game))
    rows = [name for name in list(stored) if len(name) > 3] or ["7s7h", "As2h", "KsQh", "9s8h"]
    hands = np.array([parse_cards(name) for name in rows], np.uint8)[:: max(1, len(rows) // 400)]
    equity, error = orderings.play_out(hands, game, 300, seed=5)
    # The name of a class is one of its hands, and any change of suits must do as well.
    again, _ = orderings.play_out(suits_turned(hands), game, 300, seed=6)
    assert (np.abs(equity - again) < 6 * error + 0.02).mean() > 0.99
    if len(rows) > 4:
        wanted = np.array([stored[name] for name in rows])[:: max(1, len(rows) // 400)]
        assert (np.abs(equity - wanted) < 6 * error + 0.02).mean() > 0.99
        sizes = orderings.classes(4)[1]
        every = np.array([stored[format_cards(hand)] for hand in orderings.classes(4)[0]])
        assert float((every * sizes).sum()) / sizes.sum() == pytest.approx(0.5, abs=0.01)
    else:
        assert stored["77"] > 0.999
        assert stored["AKs"] == stored["AKo"]


def test_every_game_of_two_or_four_cards_and_board_games_of_five_have_an_ordering() -> None:
    checked = []
    for name, variant in ps.games().items():
        if variant.hole_cards not in ((2, 4, 5) if variant.family == "flop" else (2, 4)):
            continue
        every = len(Range("*", name))
        found = Range("15%", name)
        assert len(found) / every == pytest.approx(0.15, abs=0.01), name
        assert Range(found.canonical(), name) == found
        assert len(Range.ordering(name)) in (81, 169, 16_432, 134_459)
        assert "equity against a random hand" in found.explain()[0]
        checked.append(name)
    some = {"holdem", "omaha", "omaha8", "irish", "badugi", "murder", "double-board-omaha", "omaha5", "big-o"}
    assert some <= set(checked)


def test_an_ordering_belongs_to_how_a_game_is_played(tmp_path: Path) -> None:
    same = tmp_path / "my-badugi.toml"
    same.write_text('like = "badugi"\ntitle = "Mine"\nsummary = "The same."\n')
    assert Range.ordering(read_variant(same)) == Range.ordering("badugi")
    fewer = find_variant("badugi").with_draws_left(1)
    with pytest.raises(PotshareError, match="no ordering of its hands with other draws"):
        Range("15%", fewer)


@pytest.mark.parametrize("cards", [4, 5])
def test_classes_of_hands_are_numbered_alike(cards: int) -> None:
    from potshare.simulate.ranges.orderings import _suit_classes

    for ours, theirs in zip(_suit_classes(cards), orderings.classes(cards), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize(
    "game", ["holdem", "holdem8", "short-deck", "short-deck-trips", "omaha", "omaha8", "double-board-omaha", "omaha5"]
)
def test_percentages_part_all_hands(game: str) -> None:
    every = len(Range("*", game))
    cuts = [0, 3, 12.5, 40, 90, 100]
    parts = [Range(f"{a}%-{b}%", game) for a, b in pairwise(cuts)]
    assert sum(map(len, parts)) == every
    for part, (low, high) in zip(parts, pairwise(cuts), strict=True):
        assert len(part) / every == pytest.approx((high - low) / 100, abs=0.01)
        assert Range(part.canonical(), game) == part
    assert Range("0%-40%", game) == parts[0] | parts[1] | parts[2]
    assert places(find_variant(game)).max() < 1


def test_the_published_order() -> None:
    order = Range.ordering("holdem")
    assert [name for name, _ in order[:3]] == ["AA", "KK", "QQ"]
    assert order[-1][0] == "32o"
    assert len(order) == 169
    assert len(Range.ordering("short-deck")) == 81
    assert len(Range.ordering("omaha")) == 16_432
    # The middle one of five cards is worth half a pot, the worst nothing but itself.
    five = Range.ordering("omaha5")
    assert sorted(five[-1][0][::2]) == ["2"] * 4 + [five[-1][0][::2].strip("2")]
    equities = [equity for _, equity in order]
    assert equities == sorted(equities, reverse=True)
    assert Range("0.3%") == Range("AA")
    assert "32o" not in Range("99%").canonical()
    with pytest.raises(PotshareError, match="no ordering"):
        Range.ordering("omaha6")
    assert [name for name, _ in Range.ordering("badugi")[:2]] == ["Ac4d3h2s", "Ac5d3h2s"]
    assert [name for name, _ in Range.ordering("murder")[:1]] == ["77"]

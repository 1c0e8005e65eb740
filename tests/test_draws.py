"""Exact counting of draw games: known counts, a slow twin, invariances, jokers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import exact_twins as slow  # type: ignore[import-not-found]
import numpy as np
import pytest

from potshare import PotshareError, best_discards, equity
from potshare.evaluator.cards import as_cards, format_cards
from potshare.simulate.exact import completions, draws
from potshare.simulate.exact.completions import TooManyError

HALVES = {
    "draw": ("high",),
    "deuce-to-seven": ("deuce-to-seven",),
    "badugi": ("badugi",),
    "substitution": ("high", "ace-to-five"),
    "draw-deuces-wild": ("high:2",),
    "big-squeeze": ("high",),
}
DATA = Path(__file__).parent / "data" / "equity_truth.json"
CASES = [case for case in json.loads(DATA.read_text("utf-8")) if case["game"] in HALVES]
DECK = range(52)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_known_counts(case: dict[str, Any]) -> None:
    kept = [as_cards(hand) for hand in case["hands"]]
    tally, deals = draws.count(kept, case["draws"], HALVES[case["game"]], DECK, as_cards(case.get("dead", "")))
    assert deals == case["total"]
    slow.known_counts(tally, case)


GAMES = [
    (("high",), 5, 9),
    (("deuce-to-seven",), 5, 9),
    (("ace-to-five",), 5, 9),
    (("badugi",), 4, 10),
    (("badugi", "ace-to-five"), 5, 8),
    (("badugi", "deuce-to-seven"), 5, 8),
    (("high", "eight-or-better"), 5, 9),
    (("high:2",), 5, 8),
    (("high",), 6, 8),
]


@pytest.mark.parametrize(("halves", "size", "live"), GAMES, ids=[f"{'+'.join(g[0])} of {g[1]}" for g in GAMES])
def test_every_replacement_one_by_one(halves: tuple[str, ...], size: int, live: int) -> None:
    rng = random.Random(f"{halves}{size}")
    for _ in range(24):
        players = rng.choice((2, 2, 3, 4))
        while True:
            to_draw = [rng.choice((0, 1, 1, 2, 3, 4)) for _ in range(players)]
            if sum(to_draw) <= live and completions.deals_of(live, to_draw) <= 2500:
                break
        kept, cards = slow.random_spot(rng, players, size, to_draw, live)
        if sum(to_draw) > len(cards):
            continue
        dead = [c for c in DECK if c not in cards and not any(c in hand for hand in kept)]
        tally, deals = draws.count(kept, to_draw, halves, DECK, dead)
        assert int(tally[0].sum()) == deals
        np.testing.assert_array_equal(tally, slow.joint(kept, to_draw, cards, halves))


def test_jokers() -> None:
    # With both jokers and all deuces wild, five of a kind is near; a joker is worth a deuce.
    deck = range(54)
    kept = [as_cards("AsAhAd"), as_cards("KsKh5d")]
    tally, deals = draws.count(kept, [2, 2], ["high:2,jokers"], deck)
    assert deals == completions.deals_of(48, [2, 2]) == int(tally[0].sum())
    swapped = [c for c in deck if c not in (0, 1)]
    fewer, _ = draws.count(kept, [2, 2], ["high:2,jokers"], swapped)
    same, _ = draws.count(kept, [2, 2], ["high:2,jokers"], [c for c in deck if c not in (52, 53)])
    np.testing.assert_array_equal(fewer, same)


@pytest.mark.parametrize(
    "halves", [("high",), ("deuce-to-seven",), ("badugi",), ("badugi", "ace-to-five")], ids="+".join
)
def test_seats_suits_and_ways_do_not_matter(halves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    size = 4 if halves == ("badugi",) else 5
    for to_draw in ([2, 3], [1, 2, 2], [3, 1, 0], [1, 1, 1, 2]):
        deck = list(DECK)
        rng.shuffle(deck)
        players = len(to_draw)
        kept = [deck[6 * i : 6 * i + size - k] for i, k in enumerate(to_draw)]
        live = [c for c in deck[6 * players :] if rng.random() < 0.9]
        expected = completions.plan(kept, to_draw, live, halves).count()
        seats = rng.sample(range(players), players)
        suits = rng.sample(range(4), 4)
        moved = [[c & ~3 | suits[c & 3] for c in kept[s]] for s in seats]
        tally = completions.plan(
            moved, [to_draw[s] for s in seats], [c & ~3 | suits[c & 3] for c in live], halves
        ).count(2)
        np.testing.assert_array_equal(tally, expected[seats])
        with monkeypatch.context() as patch:
            patch.setattr(completions, "_alike", lambda held, to_draw, live, halves: [[c] for c in sorted(live)])
            np.testing.assert_array_equal(completions.plan(kept, to_draw, live, halves).count(), expected)


def test_refusals() -> None:
    with pytest.raises(TooManyError):  # the stub does not suffice
        draws.prepare([[0, 1], [4, 5]], [3, 3], ["high"], range(12), [2, 3, 6])
    with pytest.raises(PotshareError, match="ranks hands of 1 to 5 cards"):
        draws.prepare([[0, 4, 8], [1, 5, 9]], [3, 3], ["badugi"], DECK)


@pytest.mark.parametrize(
    ("game", "hand", "other", "board"),
    [("pineapple", "AhKhQd", "2c2d/7h", ""), ("irish", "AhKhQd2c", "9c9d/7h8h", "Th9h3c")],
)
def test_discards_before_the_rest_of_a_board_are_sorted(game: str, hand: str, other: str, board: str) -> None:
    found = best_discards(hand, game, against=[other], board=board)
    assert {value.method for value in found} == {"exact"}
    values = [value.equity for value in found]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]
    for value in found:
        text = f"{format_cards(value.kept)}/{format_cards(value.thrown)}"
        assert equity(text, other, game=game, board=board, method="exact").players[0].equity == value.equity

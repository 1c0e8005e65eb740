"""Exact counting of stud: known counts, a slow twin, invariances, and agreement of different ways to count."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import exact_twins as slow  # type: ignore[import-not-found]
import numpy as np
import pytest

from potshare import PotshareError
from potshare.evaluator.arrays import strengths
from potshare.evaluator.cards import as_cards
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import KERNELS
from potshare.simulate.exact import completions, runouts
from potshare.simulate.exact.completions import Half, TooManyError

HALVES = {
    "stud": ("high",),
    "stud8": ("high", "eight-or-better"),
    "stud-hilo": ("high", "ace-to-five"),
    "razz": ("ace-to-five",),
    "five-card-stud": ("high",),
    "three-card-stud": ("three-card",),
}
SIZE = {"five-card-stud": 5, "three-card-stud": 3}
DATA = Path(__file__).parent / "data" / "equity_truth.json"
CASES = [case for case in json.loads(DATA.read_text("utf-8")) if case["game"] in HALVES]
DECK = range(52)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_known_counts(case: dict[str, Any]) -> None:
    held = [as_cards(hand) for hand in case["hands"]]
    tally, deals = runouts.count(
        held, SIZE.get(case["game"], 7), HALVES[case["game"]], DECK, as_cards(case.get("dead", ""))
    )
    assert deals == case["total"]
    slow.known_counts(tally, case)


GAMES = [
    (("high",), 7, 8),
    (("ace-to-five",), 7, 8),
    (("high", "eight-or-better"), 7, 8),
    (("high", "ace-to-five"), 7, 7),
    (("high",), 5, 9),
    (("ace-to-five",), 5, 9),
    (("high", "ace-to-five"), 5, 9),
    (("three-card",), 3, 9),
    (("two-card-high", "two-card-low"), 2, 9),
]


def draws_of(rng: random.Random, players: int, size: int, live: int) -> list[int]:
    """Cards to come for each player, few enough to go through all deals."""
    while True:
        to_draw = [rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(players)]
        if sum(to_draw) <= live and max(to_draw) <= size and completions.deals_of(live, to_draw) <= 3000:
            return to_draw


@pytest.mark.parametrize(("halves", "size", "live"), GAMES, ids=[f"{'+'.join(g[0])} of {g[1]}" for g in GAMES])
def test_every_deal_one_by_one(halves: tuple[str, ...], size: int, live: int) -> None:
    rng = random.Random(f"{halves}{size}")
    for _ in range(24):
        players = rng.choice((2, 2, 3, 4))
        to_draw = draws_of(rng, players, size, live)
        held, cards = slow.random_spot(rng, players, size, to_draw, live)
        if sum(to_draw) > len(cards):
            continue
        planned = completions.plan(held, to_draw, cards, halves)
        tally = planned.count()
        assert int(tally[0].sum()) == planned.deals
        np.testing.assert_array_equal(tally, slow.joint(held, to_draw, cards, halves))


@pytest.mark.parametrize("halves", [("high",), ("ace-to-five",), ("high", "eight-or-better")], ids="+".join)
def test_the_community_river(halves: tuple[str, ...]) -> None:
    rng = random.Random(3)
    for players in (2, 3, 4, 6):
        held, cards = slow.random_spot(rng, players, 6, [0] * players, 4)
        tally, deals = runouts.count(held, 6, halves, DECK, [c for c in DECK if c not in cards], shared=1)
        assert deals == 4
        np.testing.assert_array_equal(tally, slow.joint(held, [0] * players, cards, halves, shared=1))
        # A community card with private cards to come as well.
        held = [hand[:5] for hand in held[:2]]
        tally, deals = runouts.count(held, 6, halves, DECK, [c for c in DECK if c not in cards], shared=1)
        assert deals == 24
        np.testing.assert_array_equal(tally, slow.joint(held, [1, 1], cards, halves, shared=1))
        # One that lies there already.
        board = cards[:1]
        tally, deals = runouts.count(held, 6, halves, DECK, [c for c in DECK if c not in cards], board=board)
        assert deals == 6
        hands = [[*hand, *board] for hand in held]
        np.testing.assert_array_equal(tally, slow.joint(hands, [1, 1], cards[1:], halves))


def test_a_short_deck() -> None:
    rng = random.Random(6)
    for _ in range(12):
        deck = list(range(16, 52))
        rng.shuffle(deck)
        held, live = [deck[:4], deck[4:7], deck[7:11]], sorted(deck[12:20])
        tally, _ = runouts.count(held, 5, ["short-deck"], range(16, 52), [c for c in deck[11:] if c not in live])
        np.testing.assert_array_equal(tally, slow.joint(held, [1, 2, 1], live, ["short-deck"]))


def test_cards_that_count_in_one_half_only() -> None:
    spade = find_ranking("high-spade")
    rng = random.Random(11)
    for _ in range(20):
        # Five-card stud: the one hole card. Seven cards: two in the hole and the last one to come.
        held, cards = slow.random_spot(rng, 3, 5, [1, 2, 1], 8)
        hole = tuple((hand[0],) for hand in held)
        tally = completions.plan(held, [1, 2, 1], cards, [Half(find_ranking("high")), Half(spade, hole, False)]).count()
        twin = slow.joint(held, [1, 2, 1], cards, ("high", "high-spade"), counted=[(None, True), (hole, False)])
        np.testing.assert_array_equal(tally, twin)
        held, cards = slow.random_spot(rng, 3, 7, [1, 1, 1], 9)
        hole = tuple(tuple(hand[:2]) for hand in held)
        tally = completions.plan(held, [1, 1, 1], cards, [Half(find_ranking("high")), Half(spade, hole)]).count()
        twin = slow.joint(held, [1, 1, 1], cards, ("high", "high-spade"), counted=[(None, True), (hole, True)])
        np.testing.assert_array_equal(tally, twin)


# -- different ways to count the same -------------------------------------------------------------------------------


def by_pairs(held: list[list[int]], to_draw: list[int], live: list[int], halves: tuple[str, ...]) -> Any:
    """Two players, every pair of completions side by side, strengths from the batch evaluator."""
    masks, values = [], []
    for hand, k in zip(held, to_draw, strict=True):
        more = np.array(list(combinations(live, k)), np.uint8).reshape(comb(len(live), k), k)
        cards = np.concatenate([np.tile(np.array(hand, np.uint8), (len(more), 1)), more], axis=1)
        masks.append(np.bitwise_or.reduce(np.uint64(1) << more.astype(np.uint64), axis=1))
        values.append([strengths(cards, half).astype(np.int64) for half in halves])
    apart = (masks[0][:, None] & masks[1][None, :]) == 0
    signs = [np.sign(a[:, None] - b[None, :]) for a, b in zip(*values, strict=True)]
    none = apart & False
    if len(halves) == 2:
        none = (values[0][1][:, None] == 0) & (values[1][1][None, :] == 0)
    tally = np.zeros((2, 3, 4), np.int64)
    for high in (-1, 0, 1):
        here = apart & (signs[0] == high)
        lows: Iterator[tuple[int | None, Any]] = (
            iter([(None, here)])
            if len(halves) == 1
            else iter([(None, here & none), *((low, here & ~none & (signs[1] == low)) for low in (-1, 0, 1))])
        )
        for low, deals in lows:
            n = int(deals.sum())
            for p, sign in ((0, 1), (1, -1)):
                a = {1: 1, 0: 2, -1: 0}[high * sign]
                b = 3 if low is None else {1: 1, 0: 2, -1: 0}[low * sign]
                tally[p, a, b] += n
    return tally


@pytest.mark.parametrize("halves", [*HALVES.values()][:4], ids="+".join)
def test_whole_decks_pair_by_pair(halves: tuple[str, ...]) -> None:
    rng = random.Random(5)
    for to_draw in ([2, 2], [2, 1], [1, 1], [0, 2]):
        for _ in range(4):
            deck = list(DECK)
            rng.shuffle(deck)
            held = [deck[: 7 - to_draw[0]], deck[7 : 14 - to_draw[1]]]
            live = [c for c in deck if c not in held[0] and c not in held[1]]
            tally = completions.plan(held, to_draw, live, halves).count()
            np.testing.assert_array_equal(tally, by_pairs(held, to_draw, live, halves))


def third_street(rng: random.Random, players: int, cards: int) -> tuple[list[list[int]], list[int], list[int]]:
    deck = list(DECK)
    rng.shuffle(deck)
    held = [deck[cards * i : cards * (i + 1)] for i in range(players)]
    return held, [7 - cards] * players, deck[cards * players :]


@pytest.mark.parametrize("halves", [*HALVES.values()][:4], ids="+".join)
def test_every_pair_of_players_can_be_swept(halves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(8)
    for players, cards in ((2, 4), (3, 5), (4, 6)):
        held, to_draw, live = third_street(rng, players, cards)
        expected = completions.plan(held, to_draw, live, halves).count()
        for x in range(players):
            for y in range(players):
                if x == y:
                    continue

                def chosen(self: Any, a: int, b: int, x: int = x, y: int = y) -> tuple[float, float]:
                    return 1.0, float((a, b) != (x, y))

                with monkeypatch.context() as patch:
                    patch.setattr(completions._Sweep, "_work", chosen)
                    tally = completions.plan(held, to_draw, live, halves).count()
                np.testing.assert_array_equal(tally, expected)


@pytest.mark.parametrize("halves", [*HALVES.values()][:4], ids="+".join)
def test_cards_alike_or_one_by_one(halves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(9)
    for players, cards in ((2, 4), (2, 5), (3, 5), (4, 6)):
        held, to_draw, live = third_street(rng, players, cards)
        expected = completions.plan(held, to_draw, live, halves).count()
        with monkeypatch.context() as patch:
            patch.setattr(completions, "_alike", lambda held, to_draw, live, halves: [[c] for c in sorted(live)])
            tally = completions.plan(held, to_draw, live, halves).count()
        np.testing.assert_array_equal(tally, expected)


def test_razz_from_third_street_by_ranks_and_by_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    held, to_draw, live = third_street(random.Random(4), 2, 3)
    tally, deals = runouts.count(held, 7, ["ace-to-five"], DECK)
    assert deals == int(tally[0].sum()) == 163_185 * 111_930
    with monkeypatch.context() as patch:
        patch.setattr(completions, "_alike", lambda held, to_draw, live, halves: [[c] for c in sorted(live)])
        np.testing.assert_array_equal(completions.plan(held, to_draw, live, ["ace-to-five"]).count(), tally)


@pytest.mark.parametrize("halves", [*HALVES.values()][:4], ids="+".join)
def test_seats_and_suits_do_not_matter(halves: tuple[str, ...]) -> None:
    rng = random.Random(10)
    for players, cards in ((2, 4), (3, 5), (4, 6)):
        held, to_draw, live = third_street(rng, players, cards)
        expected = completions.plan(held, to_draw, live, halves).count()
        for _ in range(3):
            seats = rng.sample(range(players), players)
            suits = rng.sample(range(4), 4)
            moved = [[c & ~3 | suits[c & 3] for c in held[s]] for s in seats]
            tally = completions.plan(moved, to_draw, [c & ~3 | suits[c & 3] for c in live], halves).count()
            np.testing.assert_array_equal(tally, expected[seats])


@pytest.mark.parametrize("halves", [("high",), ("high", "eight-or-better")], ids="+".join)
def test_pieces_and_threads_change_nothing(halves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(12)
    for players, cards in ((2, 4), (3, 5)):
        held, to_draw, live = third_street(rng, players, cards)
        expected = completions.plan(held, to_draw, live, halves).count()
        for seconds in (1e-3, 2e-5):
            with monkeypatch.context() as patch:
                patch.setattr(completions, "_SERIAL_SECONDS", 0.0)
                patch.setattr(completions, "_PIECE_SECONDS", seconds)
                for threads in (1, 2, 3):
                    heard: list[float] = []
                    tally = completions.plan(held, to_draw, live, halves).count(threads, heard.append)
                    np.testing.assert_array_equal(tally, expected)
                    assert len(heard) > 1
                    assert heard == sorted(heard)
                    assert heard[-1] == 1.0


def test_a_symmetric_spot_has_symmetric_counts() -> None:
    held = [as_cards("As2d3c4h"), as_cards("Ah2c3d4s")]
    tally, _ = runouts.count(held, 7, ["high", "eight-or-better"], DECK)
    np.testing.assert_array_equal(tally[0], tally[1])


# -- limits -----------------------------------------------------------------------------------------------------------


def test_the_cost_is_known_before() -> None:
    quick = runouts.prepare([as_cards("As2d3c4h5s"), as_cards("KsKdKc7h8s")], 7, ["high"], DECK)
    slow_one = runouts.prepare([as_cards("As2d3c"), as_cards("KsKdKc"), as_cards("7h8s9d")], 7, ["high"], DECK)
    assert quick.seconds < 0.01
    assert slow_one.seconds > 60
    assert slow_one.deals == completions.deals_of(43, [4, 4, 4])


def test_refusals() -> None:
    with pytest.raises(TooManyError):  # more deals than can be counted
        runouts.prepare([as_cards(h) for h in ("As", "Ks", "Qs", "Js", "Ts")], 7, ["ace-to-five"], DECK)
    with pytest.raises(TooManyError):  # too many completions of one player
        runouts.prepare([as_cards("As2d3c"), ()], 7, ["high"], DECK)
    with pytest.raises(PotshareError, match="only 3 are left"):
        completions.plan([[0, 1, 2], [4, 5, 6]], [2, 2], [8, 9, 10], ["three-card"])
    with pytest.raises(PotshareError, match="hand 2 has 8 cards"):
        runouts.prepare([range(7), range(8, 16)], 7, ["high"], DECK)
    with pytest.raises(PotshareError, match="ranks hands of 5 to 7 cards"):
        runouts.prepare([range(6), range(6, 12)], 8, ["high"], DECK)


def test_one_signature_for_each_kernel() -> None:
    ours = [k for k in KERNELS if k.py_func.__module__ == completions.__name__]
    assert len(ours) >= 6
    for kernel in ours:
        assert len(kernel.signatures) <= 1, kernel.py_func.__name__

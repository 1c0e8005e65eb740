"""Dealing by the rules: known results, the reshuffle, the community river, partial information, ranges."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from potshare import kernel
from potshare.errors import PotshareError
from potshare.evaluator.cards import parse_cards
from potshare.simulate.answer import Equity
from potshare.simulate.equity import equity
from potshare.simulate.sampling.general import Dealer
from potshare.simulate.spot import Spot, spot
from potshare.simulate.table_rules import seven_stud_river
from potshare.simulate.variants import find_variant, games

TRUTH = json.loads((Path(__file__).parents[1] / "data" / "equity_truth.json").read_text("utf-8"))
CASES = [case for case in TRUTH if not find_variant(case["game"]).is_flop_game]
SIX_WITHOUT_DISCARDS = ["2c3c4c5c7d", "2d3d4d5d7h", "2h3h4h5h7s"]


def _question(case: dict[str, Any]) -> tuple[list[str], str, str | None]:
    # Hands as KEPT/DISCARDED where the case has a draw, and the cards that are dead besides.
    variant = find_variant(case["game"])
    dead = case.get("dead", "")
    hands = list(case["hands"])
    if "discards" in case:
        hands = [f"{kept}/{gone}" for kept, gone in zip(hands, case["discards"], strict=True)]
        thrown = set(parse_cards("".join(case["discards"])))
        dead = "".join(dead[i : i + 2] for i in range(0, len(dead), 2) if parse_cards(dead[i : i + 2])[0] not in thrown)
    later = len(variant.choices) > 1 or any(s.swap for s in variant.streets)
    return hands, dead, "pat" if later else None


def _share(player: dict[str, Any], total: int) -> Fraction:
    return sum((Fraction(share) * n for share, n in player["shares"].items()), Fraction(0)) / total


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_counted_exactly(case: dict[str, Any]) -> None:
    hands, dead, policy = _question(case)
    answer = equity(*hands, game=case["game"], dead=dead, policy=policy, method="exact")
    assert answer.deals == case["total"]
    for found, player in zip(answer.players, case["players"], strict=True):
        assert found.fraction is not None
        assert Fraction(found.fraction) == _share(player, case["total"])
        assert found.counts["win"] == player["shares"].get("1/1", 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_sampled_within_errors(case: dict[str, Any]) -> None:
    hands, dead, policy = _question(case)
    answer = equity(*hands, game=case["game"], dead=dead, policy=policy, method="monte-carlo", deals=60_000, seed=11)
    assert answer.deals == 60_000
    for found, player in zip(answer.players, case["players"], strict=True):
        assert abs(found.equity - float(_share(player, case["total"]))) <= 4 * found.stderr
    assert sum(p.equity for p in answer.players) == pytest.approx(1, abs=1e-12)


OTHERS = sorted(name for name, variant in games().items() if not variant.is_flop_game)


@pytest.mark.parametrize("name", OTHERS)
def test_symmetric_spots_are_symmetric(name: str) -> None:
    variant = find_variant(name)
    answer = equity("random", "random", "random", game=name, method="monte-carlo", deals=40_000, seed=5)
    assert sum(p.equity for p in answer.players) == pytest.approx(1, abs=1e-12)
    assert set(answer.players[0].halves) == {half.name for half in variant.halves}
    assert (answer.policy is None) == (not variant.choices)
    # A pushed card reaches the left, and ties in a game of beating go to who led first: seats differ there.
    seats_differ = "push" in variant.choices
    for player in answer.players:
        assert abs(player.equity - 1 / 3) <= (0.02 if seats_differ else 4 * player.stderr)


def test_threads_do_not_show() -> None:
    one = equity("random", "AsAh", game="draw", deals=30_000, seed=3, threads=1, method="monte-carlo")
    two = equity("random", "AsAh", game="draw", deals=30_000, seed=3, threads=2, method="monte-carlo")
    assert np.array_equal(one.tally, two.tally)


# -- the stub -------------------------------------------------------------------------------------------------------


def _deal(question: Spot, deals: int = 50) -> Any:
    dealer = Dealer(question, "pat", 0)
    rng = np.random.default_rng(7)
    order = rng.permuted(np.tile(dealer.deck, (deals, 1)), axis=1)
    every = np.array(question.variant.deck, np.uint8)
    return dealer.deal_orders(order, rng.permuted(np.tile(every, (deals, 1)), axis=1))


def test_the_worked_reshuffle() -> None:
    """Eight dealt in, two folded: the stub has 12 cards, then 7, 3, and 18 of the 19 that were shuffled."""
    hands = ["/6c6d6h6s8c", "8d/9c9d9h9s", "8h/TcTdThTs", *SIX_WITHOUT_DISCARDS]
    question = spot(hands, "draw", dead="??" * 10)
    found = _deal(question)
    for events in found.events.tolist():
        assert events[0] == [5, 12, 0, 7]
        assert events[1] == [4, 7, 0, 3]
        assert events[2] == [4, 3, 1, 18]
        assert events[3:6] == [[0, 18, 0, 18]] * 3
    own = set(parse_cards("TcTdThTs"))
    mine = found.hands[:, 2, :5]
    assert not own & set(mine.ravel().tolist())
    first = set(parse_cards("6c6d6h6s8c9c9d9h9s"))
    assert first & set(mine.ravel().tolist()), "what others threw away may come"


def test_the_reshuffle_with_a_known_muck() -> None:
    muck = "JcJdJhJsQcQdQhQsKcKd"
    hands = ["/6c6d6h6s8c", "8d/9c9d9h9s", "8h/TcTdThTs", *SIX_WITHOUT_DISCARDS]
    found = _deal(spot(hands, "draw", dead=muck), 200)
    assert found.events[0, 2].tolist() == [4, 3, 1, 18]
    assert set(parse_cards(muck)) & set(found.hands[:, 2, :5].ravel().tolist())
    assert not set(parse_cards(muck)) & set(found.hands[:, :2, :5].ravel().tolist())


def test_a_reshuffle_for_one_card() -> None:
    """Six dealt in, one folded, draws of 5, 5, 5, 4, 4: the fifth gets 3 from the stub and 1 of 24 shuffled."""
    hands = ["/2c3c4c5c7d", "/2d3d4d5d7h", "/2h3h4h5h7s", "2s/3s4s5s7c", "8c/9c9d9h9s"]
    found = _deal(spot(hands, "draw", dead="??" * 5))
    assert found.events[0, :5].tolist() == [[5, 22, 0, 17], [5, 17, 0, 12], [5, 12, 0, 7], [4, 7, 0, 3], [4, 3, 1, 23]]


def test_no_card_twice_and_none_lost() -> None:
    for name in ("triple-draw", "badugi", "double-draw", "pig-stud", "push", "substitution"):
        variant = find_variant(name)
        dealer = Dealer(spot(["random"] * variant.seats, variant), "standard", 0)
        rng = np.random.default_rng(2)
        order = rng.permuted(np.tile(dealer.deck, (300, 1)), axis=1)
        found = dealer.deal_orders(order, rng.permuted(order, axis=1))
        for hands in found.hands.tolist():
            held = [c for hand in hands for c in hand if c != 255]
            assert len(held) == len(set(held)) == variant.seats * variant.kept_cards


@pytest.mark.parametrize(
    ("live", "folded", "shared"),
    [(8, [], True), (7, [3], False), (7, [4], True), (7, [5], True), (6, [4, 4], False), (5, [6, 6, 6], True),
     (4, [6, 6, 6, 6], False)],
)  # fmt: skip
@pytest.mark.parametrize("name", ["stud", "stud8", "stud-hilo", "razz"])
def test_the_community_river(name: str, live: int, folded: list[int], shared: bool) -> None:
    question = spot(["random"] * live, name, dead="??" * sum(folded))
    assert question.community == shared
    assert (seven_stud_river(live + len(folded), folded).mode == "community") == shared
    found = _deal(question, 20)
    assert int((found.hands[0, 0] != 255).sum()) == (6 if shared else 7)


def test_a_river_on_the_table() -> None:
    six = ("AsAh2c7d9hJc", "KsKh3c8dTh4c")
    exact = equity(*six, game="stud", board="Kd")
    assert exact.players[1].equity == 1.0
    sampled = equity(*six, game="stud", board="Kd", method="monte-carlo", deals=1000, seed=1)
    assert sampled.players[1].equity == 1.0
    with pytest.raises(PotshareError, match="one community card at most"):
        spot(["random", "random"], "razz", board="AsKs")
    with pytest.raises(PotshareError, match="hand 1 has 7 cards"):
        spot(["AsAh2c7d9hJcQc", "random"], "stud", board="Kd")


# -- partial information --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "hands", "dead"),
    [
        ("stud", ["AsAh", "KsKh7d"], ""),
        ("razz", ["As2d3h4c5d", "random"], "6c6d"),
        ("stud8", ["AsAhKd7c", "2s3h4d5c"], ""),
    ],
)
def test_fewer_cards_than_are_dealt(game: str, hands: list[str], dead: str) -> None:
    asked = [hand or "random" for hand in hands]
    exact = equity(*asked, game=game, dead=dead, method="exact")
    found = equity(*asked, game=game, dead=dead, method="monte-carlo", deals=60_000, seed=8)
    for one, other in zip(exact.players, found.players, strict=True):
        assert abs(one.equity - other.equity) <= 4 * other.stderr


def test_kept_cards_need_no_slash() -> None:
    plain = equity("2c3d4h7s", "9s8d6h4c3s/", game="27sd", dead="Kd")
    slash = equity("2c3d4h7s/Kd", "9s8d6h4c3s pat", game="27sd")
    assert plain.deals == slash.deals == 42
    assert plain.players[0].counts == slash.players[0].counts == {"win": 13, "tie": 0, "lose": 29}
    assert plain.players[0].equity == pytest.approx(0.30952380952380953)
    sampled = equity("2c3d4h7s", "9s8d6h4c3s/", game="27sd", dead="Kd", method="monte-carlo", deals=50_000, seed=1)
    assert abs(sampled.players[0].equity - 13 / 42) <= 4 * sampled.players[0].stderr


def test_ranges_are_drawn_in_proportion() -> None:
    weighted = equity("As2d3c@25, KsQsJs", "4s5d6h", game="razz", method="monte-carlo", deals=150_000, seed=2)
    parts = [equity(hand, "4s5d6h", game="razz").players[0].equity for hand in ("As2d3c", "KsQsJs")]
    truth = 0.2 * parts[0] + 0.8 * parts[1]
    assert abs(weighted.players[0].equity - truth) <= 4 * weighted.players[0].stderr
    pat = equity(
        "AsAd2c3c4c@50, 7s8s9sTs2h", "KsKd2d3d4d", game="draw", policy="pat", method="monte-carlo", deals=90_000
    )
    assert abs(pat.players[0].equity - 1 / 3) <= 4 * pat.players[0].stderr


def test_which_card_lies_down_is_open_in_a_range() -> None:
    # In Chicago the hole card decides half of the pot; a range does not say which of two cards was dealt first.
    ranged = equity("AsKh, 2c2d", "3c3d", game="chicago", method="monte-carlo", deals=150_000, seed=4)
    parts = [
        equity(hand, "3c3d", game="chicago", method="monte-carlo", deals=300_000, seed=5).players[0].equity
        for hand in ("AsKh", "KhAs", "2c2d", "2d2c")
    ]
    assert abs(ranged.players[0].equity - sum(parts) / 4) <= 0.006


def test_boards_of_a_double_board_game() -> None:
    won: Equity = equity("AsAh", "KsKh", game="db-holdem", board="AcAd2c3d4h / KcKd5c6d7h")
    assert [p.equity for p in won.players] == [0.5, 0.5]
    assert won.board[5] == "/"
    one = equity("AsAh", "KsKh", game="db-holdem", board="AcAd2c3d4h")
    assert one.players[0].halves["first board"].equity == 1.0
    whole = equity("AcAs", "KhKd", game="db-holdem", method="monte-carlo", deals=200_000, seed=1)
    assert abs(whole.players[0].equity - 1391341 / 1712304) <= 4 * whole.players[0].stderr
    omaha = equity("AsAhKsKh", "QcQdJcJd", game="db-omaha", method="monte-carlo", deals=100_000, seed=1)
    single = equity("AsAhKsKh", "QcQdJcJd", game="omaha")
    assert abs(omaha.players[0].equity - single.players[0].equity) <= 4 * omaha.players[0].stderr
    with pytest.raises(PotshareError, match="2 boards, not 3"):
        spot(["AsAh", "KsKh"], "db-holdem", board="Ac/Kc/Qc")


def test_decided_discards_make_a_flop_game() -> None:
    found = equity("AsKs/2d", "QhQd/3c", game="crazy-pineapple")
    same = equity("AsKs", "QhQd", game="holdem", dead="2d3c")
    assert [p.equity for p in found.players] == [p.equity for p in same.players]
    assert (found.method, found.policy, found.players[0].hand) == ("exact", "given", "AsKs/2d")


def test_the_choice_comes_with_the_cards_known_then() -> None:
    # On this flop the ace goes, whatever the turn and river on the table say.
    for board in ("7s7d2c", "7s7d2cAhAd"):
        question = spot(["7h7cAs", "random"], "crazy-pineapple", board=board)
        assert set(_deal(question, 5).hands[0, 0].tolist()) - {255} == set(parse_cards("7h7c"))


@pytest.mark.parametrize(
    ("hands", "game", "board", "dead", "words"),
    [
        (["AsAh", "AsKd"], "stud", "", "", "As is in hand 1 and in hand 2"),
        (["AsAh", "KsKd"], "stud", "", "Ks", "Ks is in hand 2 and among the dead cards"),
        (["AsAh", "KsKd"], "stud", "", "AcAc", "written twice"),
        (["AsAhAdAcKsKhKdKc", "random"], "stud", "", "", "8 cards; stud deals 7"),
        (["AsAh/Kd", "random"], "draw", "", "", "that makes 3 cards"),
        (["As/2h3h4h5h", "random"], "draw-hoyle", "", "", "at most 3"),
        (["Ks/2h3h4h5h", "random"], "draw-home", "", "", "at most 3"),
        (["As/KdQd", "random"], "pineapple", "", "", "exactly 1"),
        (["AsKd/", "random"], "stud", "", "", "nobody draws"),
        (["AsKd/Qd/", "random", "random"], "pineapple", "", "", "one '/'"),
        (["random"] * 9, "stud", "", "", "too many: the deck has cards for 8"),
        (["random"] * 9, "draw", "", "", "played by 8 at most"),
        (["random"] * 7, "draw", "", "??" * 18, "too many"),
        (["Jk2s3s4s5s", "random"], "draw", "", "", "no joker"),
        (["AsKd", "random"], "stud", "AsKd", "", "one community card"),
        (["AsKd", "random"], "draw", "2c", "", "no community cards"),
    ],
)
def test_refusals(hands: list[str], game: str, board: str, dead: str, words: str) -> None:
    with pytest.raises(PotshareError, match=words):
        spot(hands, game, board, dead)


def test_four_may_go_when_an_ace_stays() -> None:
    assert spot(["As/2h3h4h5h", "random"], "draw-home").holdings[0] is not None


def test_one_signature_for_each_kernel() -> None:
    assert all(len(k.signatures) <= 1 for k in kernel.KERNELS if k.py_func.__name__ == "deal_blocks")

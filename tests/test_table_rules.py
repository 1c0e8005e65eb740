"""Table rules: openers, limits, the river of stud, draws and their reshuffle."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.errors import PotshareError
from potshare.evaluator.cards import parse_cards
from potshare.simulate import table_rules as rules
from potshare.simulate.table_rules import BetRange, DrawTable, Replacement, River, replace_cards

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


def shown(*cards: str) -> dict[int, str]:
    """Up cards of seats 1, 2, ...; an empty text is a folded seat."""
    return {seat: text for seat, text in enumerate(cards, 1) if text}


# Who opens and who acts first.


@pytest.mark.parametrize(
    ("game", "cards", "seat"),
    [
        (rules.STUD, ["2h", "2c", "3c"], 2),
        (rules.STUD, ["As", "Ac", "Kd"], 3),
        (rules.STUD, ["As", "Ac", "Ad"], 2),
        (rules.STUD, ["", "7s", "7h", "7d"], 4),
        (rules.STUD_HILO, ["Ac", "9s", "9h"], 3),
        (rules.STUD_HILO, ["Ac", "2s"], 2),
        (rules.RAZZ, ["Kh", "Ks", "Qs"], 2),
        (rules.RAZZ, ["As", "Ad"], 1),
        (rules.RAZZ, ["As", "2c"], 2),
        (rules.FIVE_CARD_STUD, ["Td", "4h", "4c", "9s"], 3),
        (rules.LOWBALL_STUD, ["Td", "Kc", "Kd"], 3),
    ],
)
def test_bring_in(game: rules.StudRules, cards: list[str], seat: int) -> None:
    door = shown(*cards)
    assert rules.bring_in_seat(door, game.bring_in, ace_low=game.ace_low) == seat
    numbers = {s: parse_cards(text)[0] for s, text in door.items()}
    assert rules.bring_in_seat(numbers, game.bring_in, ace_low=game.ace_low) == seat


def test_bring_in_order_of_all_cards() -> None:
    deck = dict(enumerate(range(52)))
    low, high = [], []
    for _ in range(52):
        low.append(rules.bring_in_seat({c: c for c in deck if c not in low}))
        high.append(rules.bring_in_seat({c: c for c in deck if c not in high}, "high card", ace_low=True))
    assert low[:5] == list(parse_cards("2c2d2h2s3c"))
    assert low[-1:] == list(parse_cards("As"))
    assert high[:5] == list(parse_cards("KsKhKdKcQs"))
    assert high[-1:] == list(parse_cards("Ac"))


@pytest.mark.parametrize(
    ("game", "cards", "seat"),
    [
        (rules.STUD, ["KsQd", "3h3c", "AsTd"], 2),
        (rules.STUD, ["", "AsKd", "", "AhKc", "QsQc"], 5),
        (rules.STUD, ["", "AsKd9c", "", "AhKc9d"], 2),
        (rules.STUD, ["5s6d7c8h", "", "2s2d3c4c"], 3),
        (rules.STUD, ["AhKhQhJh", "2s2d3c4c"], 2),
        (rules.STUD, ["KsKdAcQh", "AsAd2c3h", "9s9d8c8h"], 3),
        (rules.STUD, ["9s9d9c2h", "AsAdKcKh", "3s3d3c3h"], 3),
        (rules.STUD, ["9s9dAc", "9c9hKc"], 1),
        (rules.STUD_HILO, ["As2d", "3h3c"], 2),
        (rules.FIVE_CARD_STUD, ["AsKd", "AcQd", "KcQs"], 1),
        (rules.RAZZ, ["8s7d", "8c6d", "", "8h6c"], 2),
        (rules.RAZZ, ["AsAd", "KsQd"], 2),
        (rules.RAZZ, ["KsAd", "Kd2c"], 1),
        (rules.RAZZ, ["2s3d4c5h", "As3c4d6h"], 1),
        (rules.RAZZ, ["AsAd2c3h", "KsKd2d3c"], 1),
        (rules.RAZZ, ["AsAd2c2h", "KsKdQdJc"], 2),
        (rules.RAZZ, ["AsAdAc2h", "KsKdQdQc"], 2),
        (rules.LOWBALL_STUD, ["3s", "2s", "As"], 3),
    ],
)
def test_first_to_act(game: rules.StudRules, cards: list[str], seat: int) -> None:
    assert rules.first_to_act(shown(*cards), game.first, ace_low=game.ace_low) == seat


def test_board_ties_go_round_from_the_dealer() -> None:
    boards = {1: "AsKd", 2: "AhKc", 5: "QsQc", 3: "QdQh"}
    assert rules.first_to_act(boards) == 3
    assert rules.first_to_act(boards, order=[4, 5, 0, 1, 2, 3]) == 5
    assert rules.first_to_act(boards, "lowest board", order=[2, 3, 4, 5, 1]) == 2
    with pytest.raises(PotshareError, match=r"must name every seat once; missing: \[3\]"):
        rules.first_to_act(boards, order=[1, 2, 5])


def test_an_ace_counts_high_in_deuce_to_seven_boards() -> None:
    boards = shown("As2d", "Ks3d")
    assert rules.first_to_act(boards, "lowest board") == 2
    assert rules.first_to_act(boards, "lowest board", ace_low=True) == 1


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("K", "K2", -1), ("A", "22", -1), ("22", "A", 1), ("K2", "K2", 0), ("K3", "2K", 1),
        ("5678", "22", -1), ("2233", "AAK", 1), ("222", "AAKK", 1), ("2222", "AAA", 1), ("AAK", "AA", 1),
        ("KsQsJsTs", "AdQd", -1), ("AA", "KKQJ", 1), ("KKQQ", "AA", 1), ("333", "222A", 1),
    ],
)  # fmt: skip
def test_showing_hands(a: str, b: str, result: int) -> None:
    assert rules.compare_partial(a, b) == result
    assert rules.compare_partial(b, a) == -result


def test_cards_that_are_refused() -> None:
    with pytest.raises(PotshareError, match="the card 2h lies before seat 1 and seat 2"):
        rules.bring_in_seat({1: "2h", 2: "2h"})
    with pytest.raises(PotshareError, match="seat 2 has 2 door cards, 3h4h"):
        rules.bring_in_seat({1: "2h", 2: "3h4h"})
    with pytest.raises(PotshareError, match=r"the up cards of seat 2: .*not a suit"):
        rules.first_to_act({1: "2h", 2: "3x"})
    with pytest.raises(PotshareError, match="seat 1 shows no card: leave out seats that have folded"):
        rules.first_to_act({1: "", 2: "3h"})
    with pytest.raises(PotshareError, match="no live seat"):
        rules.first_to_act({})
    with pytest.raises(PotshareError, match="no live seat"):
        rules.bring_in_seat({})
    with pytest.raises(PotshareError, match="rule is 'lowest': write 'low card' or 'high card'"):
        rules.bring_in_seat({1: "2h"}, "lowest")  # type: ignore[arg-type]
    with pytest.raises(PotshareError, match="first is 'high'"):
        rules.first_to_act({1: "2h"}, "high")  # type: ignore[arg-type]
    for hand in ("", "23456"):
        with pytest.raises(PotshareError, match="not a showing hand"):
            rules.compare_partial(hand, "A")


def test_turn_order_in_button_games() -> None:
    assert rules.next_seat(3, {0, 1, 5}) == 5
    assert rules.next_seat(5, {0, 1, 5}) == 0
    assert rules.next_seat(5, {5}) == 5
    assert rules.next_seat(2, {7, 4}, order=[4, 2, 9, 7]) == 7
    assert rules.next_seat(7, {7, 4}, order=[4, 2, 9, 7]) == 4
    assert rules.blind_seats(2, [0, 1, 2, 3]) == (3, 0)
    assert rules.blind_seats(1, [0, 1]) == (1, 0)
    assert rules.blind_seats(1, [0, 1], heads_up_button_small=False) == (0, 1)
    assert rules.next_seat(rules.blind_seats(2, [0, 1, 2, 3])[1], [0, 1, 2, 3]) == 1
    with pytest.raises(PotshareError, match="no seat left"):
        rules.next_seat(1, [])
    with pytest.raises(PotshareError, match="missing"):
        rules.next_seat(3, [1, 2], order=[1, 2])
    with pytest.raises(PotshareError, match="two players"):
        rules.blind_seats(0, [0])


# Forced bets.


@pytest.mark.parametrize(
    ("min_bet", "unit", "cents", "blind"),
    [(4, 1, 100, 2), (3, 1, 100, 1), (5, 1, 100, 2), (5, 1, 1, 3), (10, 1, 1, 5), (5, 5, 1, 3),
     (30, 10, 1, 10), (1, 1, 100, 0), (1, 1, 5, 0)],
)  # fmt: skip
def test_small_blind(min_bet: int, unit: int, cents: int, blind: int) -> None:
    assert rules.small_blind(min_bet, unit, cents_per_chip=cents) == blind


def test_short_blinds() -> None:
    assert [rules.counts_as_full_blind(stack, 10) for stack in (1, 4, 5, 9, 10)] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert rules.counts_as_full_blind(3, 5)
    assert not rules.counts_as_full_blind(2, 5)
    with pytest.raises(PotshareError, match="stack is 0; the least is 1"):
        rules.counts_as_full_blind(0, 5)


def test_bring_in_amounts() -> None:
    assert rules.bring_in_amounts(2) == (1, 2)
    assert rules.bring_in_amounts(5) == (2, 5)
    assert rules.bring_in_amounts(1) == (1,)
    assert rules.bring_in_amounts(50, unit=10) == (20, 50)


def test_completing_the_bring_in() -> None:
    assert rules.bring_in_levels(2, 1) == (1, 2, 4, 6, 8)
    assert rules.bring_in_levels(2, 1, completion_is_raise=True) == (1, 2, 4, 6)
    for counted in (False, True):
        assert rules.bring_in_levels(2, 2, completion_is_raise=counted) == (2, 4, 6, 8)
    assert rules.bring_in_levels(10, 3) == (3, 10, 20, 30, 40)
    with pytest.raises(PotshareError, match="bring_in is 3, above the lower limit 2"):
        rules.bring_in_levels(2, 3)


def test_structured_first_round() -> None:
    assert rules.structured_openings(1, 2) == (1, 2)
    assert rules.structured_openings(1, 2, bet=1) == (2,)
    assert rules.structured_openings(1, 2, bet=2) == (4,)
    assert rules.structured_openings(2, 2) == (2,)


# Limits.


def test_pot_limit() -> None:
    assert rules.pot_limit_most(100, [100, 100], 100) == 500
    assert rules.pot_limit_range(100, [100, 100], 100, 100, 10) == BetRange(200, 500)
    assert rules.pot_limit_range(10, [5], 5, 5, 2) == BetRange(10, 25)
    assert rules.pot_limit_range(10, [], 0, 0, 2) == BetRange(2, 10)
    assert rules.pot_limit_range(10, [], 0, 0, 20) == BetRange(20, 20)
    # Before the flop: the small blind may raise to three big blinds.
    assert rules.pot_limit_range(0, [5, 10], 5, 10, 10) == BetRange(15, 25)
    assert rules.pot_limit_range(10, [5], 5, 5, 2, stack=20) == BetRange(10, 20)
    assert rules.pot_limit_range(10, [5], 5, 5, 2, stack=7) == BetRange(7, 7)
    assert rules.pot_limit_range(10, [5], 5, 5, 2, stack=5) is None


def test_no_limit() -> None:
    assert rules.no_limit_range(1000, 0, 0, 10) == BetRange(10, 1000)
    assert rules.no_limit_range(1000, 30, 20, 10) == BetRange(50, 1000)
    assert rules.no_limit_range(1000, 5, 0, 10) == BetRange(15, 1000)
    assert rules.no_limit_range(40, 30, 20, 10) == BetRange(40, 40)
    assert rules.no_limit_range(30, 30, 20, 10) is None
    assert rules.no_limit_range(8, 0, 0, 10) == BetRange(8, 8)


def test_spread_limit() -> None:
    assert rules.spread_limit_range(1, 5) == BetRange(1, 5)
    assert rules.spread_limit_range(1, 5, to_call=3, last_raise=3) == BetRange(6, 8)
    assert rules.spread_limit_range(1, 5, to_call=3, last_raise=3, stack=5) == BetRange(5, 5)
    assert rules.spread_limit_range(1, 5, to_call=3, last_raise=3, stack=3) is None
    with pytest.raises(PotshareError, match="wrong way round"):
        rules.spread_limit_range(5, 1)
    with pytest.raises(PotshareError, match="last_raise is 6, above the limit 5"):
        rules.spread_limit_range(1, 5, 6, 6)


def test_fixed_limit() -> None:
    assert rules.fixed_limit_levels(3) == (3, 6, 9, 12)
    assert rules.fixed_limit_levels(3, cap=5) == (3, 6, 9, 12, 15)
    assert [rules.round_unit(n, 3, 6) for n in (1, 2, 3, 4)] == [3, 3, 6, 6]
    assert [rules.round_unit(n, 3, 6, upper_from=2) for n in (1, 2)] == [3, 6]
    assert rules.fixed_limit_range(3, 1, 5, to_call=3) == BetRange(6, 6)
    assert rules.fixed_limit_range(3, 0, 5) == BetRange(3, 3)
    assert rules.fixed_limit_range(3, 4, 5, to_call=3) is None
    assert rules.fixed_limit_range(3, 4, 2, to_call=3) == BetRange(6, 6)
    assert rules.fixed_limit_range(3, 1, 5, to_call=3, stack=5) == BetRange(5, 5)
    assert rules.fixed_limit_range(3, 1, 5, to_call=3, stack=3) is None


def test_the_cap_and_two_players() -> None:
    assert [rules.may_raise_at_limit(bets, 3) for bets in range(6)] == [True] * 4 + [False] * 2
    assert [rules.may_raise_at_limit(bets, 2) for bets in (3, 4, 40)] == [True] * 3
    assert [rules.may_raise_at_limit(bets, 2, heads_up_capped=True) for bets in (3, 4)] == [True, False]
    assert not rules.may_raise_at_limit(4, 2, capped_before=True)
    assert rules.may_raise_at_limit(4, 3, cap=5)


@pytest.mark.parametrize(
    ("bet", "all_in", "unit", "plain", "half_bet"),
    [
        (10, 18, 10, (18, 20), (18, 28)),
        (10, 15, 10, (15, 20), (15, 25)),
        (10, 14, 10, (14, 20), (14, 20)),
        (10, 20, 10, (20, 30), (20, 30)),
        (10, 10, 10, (10, 20), (10, 20)),
        (10, 7, 10, (10, 20), (10, 20)),
        (0, 4, 10, (4, 10), (4, 10)),
        (0, 6, 10, (6, 10), (6, 16)),
        (20, 28, 10, (28, 30), (28, 38)),
    ],
)
def test_short_all_in(bet: int, all_in: int, unit: int, plain: tuple[int, int], half_bet: tuple[int, int]) -> None:
    assert rules.after_short_all_in(bet, all_in, unit) == plain
    assert rules.after_short_all_in(bet, all_in, unit, half_bet_rule=True) == half_bet


def test_amounts_that_are_refused() -> None:
    with pytest.raises(PotshareError, match="more than a raise of 10 over the bet of 10"):
        rules.after_short_all_in(10, 21, 10)
    with pytest.raises(PotshareError, match=r"min_bet is 0\.05; chips are whole numbers"):
        rules.small_blind(0.05)  # type: ignore[arg-type]
    with pytest.raises(PotshareError, match=r"bets\[1\] is 2\.5"):
        rules.pot_limit_most(10, [5, 2.5], 5)  # type: ignore[list-item]
    with pytest.raises(PotshareError, match="to_call is -1"):
        rules.no_limit_range(10, -1, 0, 2)
    with pytest.raises(PotshareError, match="unit is 0; the least is 1"):
        rules.fixed_limit_levels(0)
    with pytest.raises(PotshareError, match="bets is True"):
        rules.may_raise_at_limit(True, 3)


def test_fourth_street() -> None:
    assert rules.fourth_street_bets(2, 4, open_pair=True) == (2, 4)
    assert rules.fourth_street_bets(2, 4, open_pair=True, higher_used=True) == (4,)
    assert rules.fourth_street_bets(2, 4, open_pair=False) == (2,)
    for game in (rules.STUD_HILO, rules.RAZZ):
        assert rules.fourth_street_bets(2, 4, True, game) == (2,)
    other_house = rules.StudRules(open_pair_doubles=True)
    assert rules.fourth_street_bets(2, 4, True, other_house) == (2, 4)
    with pytest.raises(PotshareError, match="without an open pair"):
        rules.fourth_street_bets(2, 4, False, higher_used=True)
    assert rules.has_open_pair(shown("AsKd", "7c7d"))
    assert not rules.has_open_pair(shown("AsKd", "AdKc"))


# Running out of cards.


@pytest.mark.parametrize(
    ("dealt_in", "folds", "mode", "left", "live"),
    [
        (8, [], "community", 4, 8),
        (8, [3], "individual", 7, 7),
        (8, [4], "community", 6, 7),
        (8, [5], "community", 5, 7),
        (8, [6], "community", 4, 7),
        (8, [4, 4], "individual", 8, 6),
        (8, [5, 5], "individual", 6, 6),
        (8, [6, 5], "community", 5, 6),
        (8, [6, 6, 6], "community", 4, 5),
        (8, [6, 6, 6, 6], "individual", 4, 4),
        (7, [], "individual", 10, 7),
        (2, [], "individual", 40, 2),
    ],
)
def test_river_of_seven_card_stud(dealt_in: int, folds: list[int], mode: Any, left: int, live: int) -> None:
    assert rules.seven_stud_river(dealt_in, folds) == River(mode, left, live)


def test_river_with_burns_and_impossible_tables() -> None:
    assert rules.seven_stud_river(7, burns=4).mode == "community"
    assert rules.seven_stud_river(7, [6], burns=4).mode == "individual"
    assert rules.seven_stud_river(4, deck=32).cards_left == 8
    for folds, message in (
        ([2], "least is 3"),
        ([7], "three to six"),
        ([3] * 8, "at least one must be left"),
    ):
        with pytest.raises(PotshareError, match=message):
            rules.seven_stud_river(8, folds)
    with pytest.raises(PotshareError, match="2 cards are missing"):
        rules.seven_stud_river(9)


@pytest.mark.parametrize(
    ("rule", "kept", "most"),
    [
        ("hoyle", "", 3), ("hoyle", "As", 3), ("home", "", 3), ("home", "As", 4), ("home", "Ks", 3),
        ("home", "Jk", 4), ("home", "AsKs", 3), ("online", "", 5), ("online", "Ks", 5),
    ],
)  # fmt: skip
def test_draw_limits(rule: Any, kept: str, most: int) -> None:
    assert rules.most_discards(rule, kept) == most
    assert [rules.draw_allowed(rule, n, kept) for n in range(7)] == [n <= most for n in range(7)]


def test_draw_limits_with_wild_cards_and_unknown_rules() -> None:
    assert rules.most_discards("home", "2s", wild_ranks=[0]) == 4
    assert rules.most_discards("home", "3s", wild_ranks=[0]) == 3
    with pytest.raises(PotshareError, match="rule is 'casino': write 'hoyle' or 'home' or 'online'"):
        rules.most_discards("casino")  # type: ignore[arg-type]


def no_shuffle(cards: list[int]) -> None:
    """Leaves the cards as they lie."""


def throw(table: DrawTable, seat: int, count: int, **options: Any) -> Replacement:
    return replace_cards(table, seat, table.hands[seat][:count], options.pop("shuffle", no_shuffle), **options)


def test_reshuffle_of_the_full_table() -> None:
    table = DrawTable.deal(range(52), range(1, 9))
    assert len(table.stub) == 12
    table.fold(7)
    table.fold(8)
    assert throw(table, 1, 5) == Replacement((40, 41, 42, 43, 44), 5, 0, 0)
    assert len(table.stub) == 7
    throw(table, 2, 4)
    assert len(table.stub) == 3
    own = set(table.hands[3][:4])
    got = throw(table, 3, 4)
    assert (got.from_stub, got.shuffled, got.from_shuffle) == (3, 19, 1)
    assert got.cards[:3] == (49, 50, 51)
    assert len(table.stub) == 18
    assert not own & set(table.stub)
    assert set(table.discards) == own
    assert sum(map(len, table.hands.values())) == 30


def test_reshuffle_for_the_fifth_of_five() -> None:
    table = DrawTable.deal(range(52), range(1, 7))
    table.fold(6)
    assert len(table.stub) == 22
    draws = [5, 5, 5, 4, 4]
    assert sum(draws) == 23
    got = [throw(table, seat, count) for seat, count in enumerate(draws, 1)]
    assert [(g.from_stub, g.shuffled, g.from_shuffle) for g in got] == [(n, 0, 0) for n in draws[:4]] + [(3, 24, 1)]
    assert len(table.stub) == 23


def test_houses_shuffle_different_cards() -> None:
    def third(rule: rules.Reshuffle) -> tuple[Replacement, int]:
        table = DrawTable.deal(range(52), range(1, 9))
        table.fold(7)
        table.fold(8)
        throw(table, 1, 5)
        throw(table, 2, 4)
        return throw(table, 3, 4, rule=rule), len(table.stub)

    got, left = third("stub joins")
    assert (got.from_stub, got.shuffled, got.from_shuffle, left) == (0, 22, 4, 18)
    got, left = third("folded first")
    assert (got.from_stub, got.shuffled, got.from_shuffle, left) == (3, 10, 1, 9)

    # Folded hands that do not suffice: the discards are shuffled too.
    table = DrawTable([50, 51], {0: [0, 1, 2, 3, 4], 1: [5, 6, 7, 8, 9]}, muck=[20], discards=[30, 31, 32])
    got = throw(table, 0, 5, rule="folded first")
    assert (got.cards, got.from_stub, got.shuffled, got.from_shuffle) == ((50, 51, 20, 30, 31), 2, 4, 3)
    assert table.stub == [32]
    with pytest.raises(PotshareError, match="'stub first' or 'stub joins' or 'folded first'"):
        throw(table, 0, 1, rule="stars")


def test_own_discards_in_the_stub_are_passed_over() -> None:
    # The second player's shuffle brings the first one's discards into the stub.
    table = DrawTable([], {0: [0, 1, 2, 3, 4], 1: [5, 6, 7, 8, 9]}, muck=[20, 21])
    assert throw(table, 0, 2).cards == (20, 21)
    assert throw(table, 1, 1) == Replacement((0,), 0, 2, 1)
    assert (table.stub, table.discards) == ([1], [5])
    # He gets the other's discard by a shuffle of his own; his cards wait in the discards.
    assert throw(table, 0, 1) == Replacement((5,), 0, 1, 1)
    assert (table.stub, sorted(table.discards)) == ([], [1, 2])
    # A card thrown by one, dealt to another and thrown again is barred for both.
    assert replace_cards(table, 1, [0], no_shuffle).cards == (2,)
    assert (table.stub, table.discards) == ([1], [0])
    assert 0 in table.thrown[0] & table.thrown[1]
    with pytest.raises(PotshareError, match="wants 4 cards, but only 0 are left that it did not throw away"):
        throw(table, 0, 4)


def test_a_refused_draw_changes_nothing() -> None:
    table = DrawTable.deal(range(10), [0, 1])
    before = repr(table)
    for seat, cards, message in (
        (2, [0], "seat 2 has no hand; seats in play: 0, 1"),
        (0, [1], "seat 0 cannot throw away 2d: each discard must be one of 2c2h3c3h4c, once"),
        (0, [0, 0], "cannot throw away 2c"),
        (0, [0], "wants 1 cards, but only 0 are left"),
    ):
        with pytest.raises(PotshareError, match=message):
            replace_cards(table, seat, cards, no_shuffle)
    assert repr(table) == before
    assert replace_cards(table, 0, [], no_shuffle) == Replacement((), 0, 0, 0)
    for deck, seats, message in (
        ([1, 1], [0], "a card twice"),
        (range(52), [0, 0], "name a seat twice"),
        (range(52), range(11), "need more than the 52"),
    ):
        with pytest.raises(PotshareError, match=message):
            DrawTable.deal(deck, seats)


def test_dealing_goes_round() -> None:
    table = DrawTable.deal([10, 11, 12, 13, 14, 15, 16], [3, 1, 2], cards=2)
    assert table.hands == {3: [10, 13], 1: [11, 14], 2: [12, 15]}
    assert table.stub == [16]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_draws_keep_the_cards_and_never_give_back(data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    rule: rules.Reshuffle = data.draw(st.sampled_from(["stub first", "stub joins", "folded first"]))
    players = data.draw(st.integers(2, 8))
    rounds = data.draw(st.integers(1, 3 if players <= 6 else 2))
    deck = list(range(52))
    rng.shuffle(deck)
    table = DrawTable.deal(deck, range(players))
    thrown: dict[int, set[int]] = {seat: set() for seat in range(players)}
    for _ in range(rounds):
        for seat in sorted(table.hands):
            if len(table.hands) > 1 and rng.random() < 0.15:
                table.fold(seat)
                continue
            discards = rng.sample(table.hands[seat], rng.choice([0, 1, 2, 3, 4, 5, 5]))
            kept = [c for c in table.hands[seat] if c not in discards]
            stub = list(table.stub)
            thrown[seat] |= set(discards)
            got = replace_cards(table, seat, discards, rng.shuffle, rule)
            assert len(got.cards) == len(discards) == got.from_stub + got.from_shuffle
            assert not thrown[seat] & set(got.cards)
            assert table.hands[seat] == [*kept, *got.cards]
            fit = [c for c in stub if c not in thrown[seat]]
            if len(fit) >= len(discards):
                # In the order of the deck, and nothing is shuffled while it suffices.
                assert list(got.cards) == fit[: len(discards)]
                assert got.shuffled == 0
            elif rule != "stub joins":
                assert list(got.cards[: got.from_stub]) == fit
            piles = [table.stub, table.muck, table.discards, *table.hands.values()]
            assert sorted(c for pile in piles for c in pile) == list(range(52))


def test_what_the_first_throws_away_may_reach_the_third() -> None:
    reached: Counter[int] = Counter()
    for seed in range(400):
        table = DrawTable.deal(range(52), range(8))
        table.fold(6)
        table.fold(7)
        throw(table, 0, 5)
        throw(table, 1, 4)
        got = throw(table, 2, 4, shuffle=random.Random(seed).shuffle)
        reached[got.cards[-1]] += 1
    # Nineteen cards, about 21 times each: folded hands and both players' discards alike.
    first = {seat + 8 * i for seat, cards in ((0, 5), (1, 4)) for i in range(cards)}
    folded = {seat + 8 * i for seat in (6, 7) for i in range(5)}
    assert set(reached) == first | folded
    assert max(reached.values()) < 45


# The project's reference cases, where they are at hand.


def run(kind: str, given_: dict[str, Any]) -> Any:
    """The answer to a reference case in the form in which it is written."""
    boards = {int(s): text for key in ("door", "up", "boards") for s, text in given_.get(key, {}).items()}
    games = {"stud": rules.STUD, "stud_high": rules.STUD, "stud_hilo": rules.STUD_HILO, "razz": rules.RAZZ}
    if kind.startswith("bring_in_") and kind != "bring_in_amounts":
        game = games[kind.removeprefix("bring_in_")]
        return {"seat": rules.bring_in_seat(boards, game.bring_in, ace_low=game.ace_low)}
    if kind == "open_five_card_stud":
        return {"seat": rules.bring_in_seat(boards, rules.FIVE_CARD_STUD.bring_in)}
    if kind.startswith("first_to_act_"):
        game = rules.STUD if kind.endswith("high") else rules.RAZZ
        return {"seat": rules.first_to_act(boards, game.first, ace_low=game.ace_low)}
    if kind == "seven_stud_river":
        river = rules.seven_stud_river(given_["dealt_in"], given_["fold_after_street"])
        return {"mode": river.mode, "cards_left": river.cards_left, "live": river.live}
    if kind == "draw_limit":
        return {"legal": rules.draw_allowed(given_["rule"], given_["discards"], given_.get("kept", ""))}
    if kind == "pot_limit_max_total":
        return {"max_total": rules.pot_limit_most(given_["pot"], given_["bets"], given_["to_call"])}
    if kind == "small_blind":
        if isinstance(given_["min_bet"], float):
            return {"sb": rules.small_blind(round(given_["min_bet"] * 100), cents_per_chip=1) / 100}
        return {"sb": rules.small_blind(given_["min_bet"])}
    if kind == "short_all_in_limit":
        half = given_["rule"] == "half_bet"
        options = rules.after_short_all_in(given_["bet"], given_["all_in"], given_["unit"], half_bet_rule=half)
        return {"options": list(options)}
    if kind == "bring_in_amounts":
        answer: dict[str, Any] = {"bring_in": list(rules.bring_in_amounts(given_["lo"]))}
        for amount in answer["bring_in"]:
            raise_to = rules.bring_in_levels(given_["lo"], amount)[1]
            answer[f"after_{amount}"] = ["fold", f"call {amount}", f"raise to {raise_to}"]
        return answer
    if kind == "fourth_street_limits":
        game = games[given_["game"]]
        return {"bet": list(rules.fourth_street_bets(given_["lo"], given_["hi"], given_["open_pair"], game))}
    if kind == "partial_compare":
        return {"winner": {1: "a", 0: "tie", -1: "b"}[rules.compare_partial(given_["a"], given_["b"])]}
    if kind == "draw_reshuffle":
        return None
    pytest.fail(f"no such kind of case: {kind}")


ELSEWHERE = {
    "side_pots", "hilo_split", "chicago", "compare_three_card_stud", "murder_high", "murder_low",
    "omaha_high", "omaha_low_qualifies", "low_order_a5", "low_order_27",
}  # fmt: skip


def reference_cases() -> list[Any]:
    path = SHARED / "truth" / "rule_cases.json"
    return json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []


CASES = [case for case in reference_cases() if case["kind"] not in ELSEWHERE]


@pytest.mark.skipif(not CASES, reason="the reference cases are not here")
def test_reference_table_rules() -> None:
    for case in CASES:
        answer = run(case["kind"], case["input"])
        if answer is not None:
            assert answer == case["expected"], case


@pytest.mark.skipif(not CASES, reason="the reference cases are not here")
def test_reference_reshuffles() -> None:
    for case in (case for case in CASES if case["kind"] == "draw_reshuffle" and "draws" in case["input"]):
        given_, expected = case["input"], case["expected"]
        table = DrawTable.deal(range(52), range(given_["players"]))
        for seat in range(given_["players"] - given_["folds"], given_["players"]):
            table.fold(seat)
        before = len(table.stub)
        got = [throw(table, seat, count) for seat, count in enumerate(given_["draws"])]
        found = {
            "stub_before": before,
            "needed": sum(given_["draws"]),
            "shuffled": got[-1].shuffled,
            "stub_after": len(table.stub),
        }
        assert {key: found[key] for key in found.keys() & expected.keys()} == {
            key: expected[key] for key in found.keys() & expected.keys()
        }, case
        last = {key: value for key, value in expected.items() if "gets_from" in key}
        for key, value in last.items():
            assert value == (got[-1].from_stub if key.endswith("stub") else got[-1].from_shuffle), case

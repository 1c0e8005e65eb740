"""The pictures: categories, next cards, streets and grids against known integers and slow twins."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import potshare as ps
from potshare import cli
from potshare.errors import NoDealError, PotshareError
from potshare.evaluator.cards import as_cards, format_cards
from potshare.evaluator.evaluate import evaluate
from potshare.simulate.sampling.general import Dealer, half_ranking
from potshare.simulate.spot import spot
from potshare.simulate.variants import Variant, find_variant, games
from potshare.simulate.views import grid as grids
from potshare.simulate.views import runouts as views
from potshare.simulate.views.categories import categories, combinations_of
from potshare.simulate.views.page import colour, page, write_page
from potshare.simulate.views.runouts import runouts, streets

DECK = [r + s for r in "23456789TJQKA" for s in "cdhs"]


def ask(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(cli.cli, ["equity", *arguments])
    assert result.exit_code == status, result.output
    return result


def ask_json(*arguments: str):
    return json.loads(ask(*arguments, "-f", "json").stdout)


def counts(found, player: int = 0, half: str = "high") -> dict[str, float]:
    return {name: share.count for name, share in found.players[player].halves[half].items() if share.count}


# -- categories -------------------------------------------------------------------------------------------------------


def test_categories_of_one_hand() -> None:
    found = categories(["KsQs"], board="KdKh2s")
    assert (found.method, found.deals) == ("exact", 1081)
    assert counts(found) == {"full house": 315, "four of a kind": 46, "three of a kind": 675, "flush": 45}


def test_the_last_card_with_opponents_agrees_with_a_slow_twin() -> None:
    ranges = [["AhKh", "QcQd"], ["9s9c", "AhAd", "7c6c"]]
    weights = {"QcQd": 0.5}
    board, wanted = "Qh7d9h2c", [Counter(), Counter()]
    for one, two in itertools.product(*ranges):
        if {one[:2], one[2:]} & {two[:2], two[2:]}:
            continue
        for card in DECK:
            if card in one + two + board:
                continue
            for player, hand in enumerate((one, two)):
                category = evaluate(hand + board + card).category
                wanted[player][category] += weights.get(one, 1.0)
    found = categories(["AhKh,QcQd@50", "9s9c,AhAd,7c6c"], board=board)
    assert found.method == "exact"
    for player in (0, 1):
        assert counts(found, player) == pytest.approx(wanted[player])


def test_all_seven_card_hands() -> None:
    # Two given cards and every board, over all starting hands, are all seven-card hands: 21 ways each.
    total: Counter[str] = Counter()
    for name, number in (("AA", 6), ("AKs", 4), ("72o", 12)):
        found = categories([name])
        assert found.method == "exact"
        assert found.deals == number * 2_118_760
        assert sum(counts(found).values()) == found.deals
        total.update(counts(found))
    assert total["straight flush"] > 0


def test_low_halves_have_their_own_table() -> None:
    found = categories(["AsAh2c3d"], "omaha8", board="4c5c9dTh")
    assert sum(counts(found, half="low").values()) == found.deals == 44
    # One of the 6, 7, 8 makes a low, or another 4, 5 none: ranks already there pair.
    lows = counts(found, half="low")
    assert lows["no low"] == 44 - sum(n for name, n in lows.items() if name != "no low")
    assert lows["six low"] == 4


def test_sampled_categories_agree_with_counted_ones() -> None:
    hands = ["AsAh", "KcQs"]
    exact = categories(hands, board="Ks7d2s")
    sampled = categories(hands, board="Ks7d2s", method="monte-carlo", deals=200_000, seed=1)
    assert sampled.seed == 1
    for name, share in exact.players[1].halves["high"].items():
        assert sampled.players[1].halves["high"][name].share == pytest.approx(share.share, abs=0.005)
    again = categories(hands, board="Ks7d2s", method="monte-carlo", deals=200_000, seed=1, threads=2)
    assert again.players == sampled.players


def test_categories_of_other_games_are_dealt() -> None:
    found = categories(["AhAdAc", "random"], "stud", deals=20_000, seed=3)
    assert found.method == "monte-carlo"
    assert not set(counts(found)) & {"high card", "pair", "two pair"}
    # Four of 49 cards are to come: quads with the last ace.
    assert found.players[0].halves["high"]["four of a kind"].share == pytest.approx(4 / 49, abs=0.01)


def test_categories_on_the_command_line() -> None:
    out = ask("KsQs", "-b", "KdKh2s", "--categories").stdout
    assert out.splitlines()[0].split() == ["High", "KsQs", "Deals"]
    assert any(line.split() == ["full", "house", "29.14%", "315"] for line in out.splitlines())
    answer = ask_json("AhAd", "KK", "-b", "Kd7c2s", "--categories")
    assert answer["schema"] == 1
    assert len(answer["players"]) == 2
    shares = answer["categories"]["players"][1]["halves"]["high"]
    assert sum(s["share"] for s in shares.values()) == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO(ask("KsQs", "-b", "KdKh2s", "--categories", "-f", "csv").stdout)))
    assert {r["category"]: int(r["count"]) for r in rows}["full house"] == 315


def test_choices_of_some_numbers() -> None:
    for n, size in ((5, 0), (1, 1), (6, 3), (9, 7)):
        wanted = list(itertools.combinations(range(n), size))
        assert [tuple(row) for row in combinations_of(n, size).tolist()] == wanted


def test_a_drawn_card_is_counted() -> None:
    # Of 47 cards three of each of the four ranks pair.
    found = categories(["2c3d4h7s/Kd"], "deuce-to-seven")
    assert (found.method, found.deals, found.policy) == ("exact", 47, "given")
    assert counts(found, half="low") == {"no pair": 35, "pair": 12}
    # The same of two players, and of discards that nobody names.
    found = categories(["2c3d4h7s", "AcKcQcJc/2d"], "deuce-to-seven")
    assert found.deals == 52 - 9
    assert counts(found, 1, "low") == {"straight flush": 1, "flush": 7, "straight": 3, "pair": 12, "no pair": 20}


def test_cards_to_come_in_stud_agree_with_a_slow_twin() -> None:
    hands, dead = ["AsKsQsJs2d", "2c2h3c4d9h"], "Ts"
    gone = {card[i : i + 2] for card in [*hands, dead] for i in range(0, len(card), 2)}
    live = [card for card in DECK if card not in gone]
    found = categories(hands, "stud", dead=dead)
    assert (found.method, found.deals) == ("exact", len(live) * (len(live) - 1) // 2)
    for player, hand in enumerate(hands):
        wanted = Counter(evaluate(hand + one + two).category for one, two in itertools.combinations(live, 2))
        assert counts(found, player) == wanted


def test_a_card_for_all_is_part_of_every_hand() -> None:
    # Eight players of seven-card stud need a community card. Four of 49 cards are to come to three aces.
    found = categories(["AhAdAc", *["random"] * 7], "stud", deals=40_000, seed=3)
    assert found.players[0].halves["high"]["four of a kind"].share == pytest.approx(4 / 49, abs=0.007)
    assert sum(counts(found, 7).values()) == 40_000


def test_two_boards_are_counted_each_without_the_cards_of_the_other() -> None:
    boards = ["Qh7h2c", "Ad3d9s"]
    found = categories(["AhKh"], "double-board-holdem", board="/".join(boards))
    for half, board, other in (("first board", *boards), ("second board", *reversed(boards))):
        alone = categories(["AhKh"], board=board, dead=other)
        assert counts(found, half=half) == counts(alone)
    for game, hands in (("double-board-holdem", ["AhKh", "QcJc"]), ("double-board-omaha", ["AhKhQs9c", "8c8d7c6d"])):
        exact = categories(hands, game, board="Ts7h2c/Ad3d9s")
        sampled = categories(hands, game, board="Ts7h2c/Ad3d9s", method="monte-carlo", deals=50_000, seed=2)
        assert (exact.method, sampled.method) == ("exact", "monte-carlo")
        for player in (0, 1):
            for half, table in exact.players[player].halves.items():
                for name, share in table.items():
                    about = sampled.players[player].halves[half][name]
                    assert abs(about.share - share.share) <= 5 * about.stderr, (game, half, name)


def test_discards_are_made_as_for_the_equity() -> None:
    exact = categories(["AhKhQd", "7c7d2s"], "pineapple")
    assert (exact.method, exact.policy) == ("exact", "standard")
    given = categories(["AhKh/Qd", "7c7d/2s"], "pineapple")
    assert exact.players[0].halves == given.players[0].halves
    sampled = categories(["AhKhQd", "7c7d2s"], "pineapple", method="monte-carlo", deals=100_000, seed=4)
    for player in (0, 1):
        for name, share in exact.players[player].halves["high"].items():
            about = sampled.players[player].halves["high"][name]
            assert abs(about.share - share.share) <= 5 * about.stderr, name
    best = categories(["2c3d4h7sKd", "random"], "deuce-to-seven", policy="best", deals=20_000, seed=1)
    assert best.policy is not None
    assert best.policy.startswith("best: hand 1 2c3d4h7s/Kd")
    assert best.players[0].halves["low"]["no pair"].share == pytest.approx(35 / 47, abs=0.02)
    pat = categories(["2c3d4h7sKd", "random"], "deuce-to-seven", policy="pat", deals=20_000, seed=1)
    assert pat.players[0].halves["low"]["no pair"].share == 1
    with pytest.raises(PotshareError, match="leave out the policy"):
        categories(["AhKh"], policy="pat")


@pytest.mark.parametrize("name", ["badacey", "chicago", "murder", "substitution", "draw-deuces-wild", "no-peek"])
def test_strengths_of_dealt_hands_agree_with_a_slow_twin(name: str) -> None:
    variant = find_variant(name)
    dealt = Dealer(spot(["random"] * 3, variant), "standard", 5).dealt(2, 60)
    for hands, worth in zip(dealt.hands.tolist(), dealt.worth.tolist(), strict=True):
        held = [[c for c in hand if c != 255] for hand in hands]
        if name == "no-peek":
            held = turned_up(held)
        for h, half in enumerate(variant.halves):
            ranking = half_ranking(variant, h).name
            for p, cards in enumerate(held):
                # Chicago: one card lies face down.
                counted = cards[:1] if half.selection == "down cards" else cards
                assert worth[h][p] == slow_strength(counted, ranking), (name, half.name, counted)


def slow_strength(cards: list[int], ranking: str) -> int:
    if ranking == "badugi" and len(cards) == 5:
        return max(slow_strength(cards[:i] + cards[i + 1 :], ranking) for i in range(5))
    return evaluate(format_cards(cards), ranking).strength


def turned_up(hands: list[list[int]]) -> list[list[int]]:
    shown, leader, best, turn, idle = [0] * len(hands), -1, 0, 0, 0
    while idle < len(hands):
        idle += 1
        if turn != leader:
            while shown[turn] < len(hands[turn]):
                shown[turn] += 1
                strength = slow_strength(hands[turn][: shown[turn]], "high-partial")
                if strength > best:
                    best, leader, idle = strength, turn, 1
                    break
        turn = (turn + 1) % len(hands)
    return [hand[:n] for hand, n in zip(hands, shown, strict=True)]


def test_sampling_stops_at_the_error_asked_for() -> None:
    found = categories(["AsAh", "random"], method="monte-carlo", stderr=0.001, seed=1)
    assert 0 < found.stderr <= 0.001
    assert max(s.stderr for p in found.players for s in p.halves["high"].values()) == found.stderr
    assert found.deals < 1_000_000
    rate = found.players[0].halves["high"]["two pair"]
    assert rate.stderr == pytest.approx((rate.share * (1 - rate.share) / found.deals) ** 0.5, rel=1e-3)


# -- next cards -------------------------------------------------------------------------------------------------------


def test_runouts_are_the_questions_after_each_card() -> None:
    found = runouts(["AhKh", "QcQd"], board="Qh7h2c")
    assert len(found.cells) == 45
    assert found.method == "exact"
    for cell in found.cells[::7]:
        answer = ps.equity("AhKh", "QcQd", board="Qh7h2c" + cell.cards[0])
        assert cell.equities == tuple(p.equity for p in answer.players)
    assert {cell.cards[0] for cell in found.cells if cell.equities[0] == 0} == {
        "2d",
        "2h",
        "2s",
        "7c",
        "7d",
        "7s",
        "Qs",
    }
    assert found.worst(1)[0].equities == (0.0, 1.0)
    mean = sum(cell.weight * cell.equities[0] for cell in found.cells)
    assert mean == pytest.approx(ps.equity("AhKh", "QcQd", board="Qh7h2c").players[0].equity)


def test_runouts_of_ranges_are_weighted_by_how_often_they_come() -> None:
    found = runouts(["AhKh,AA", "QQ@50,KJs"], board="Qh7h2c")
    mean = sum(cell.weight * cell.equities[0] for cell in found.cells)
    assert mean == pytest.approx(ps.equity("AhKh,AA", "QQ@50,KJs", board="Qh7h2c").players[0].equity)


def test_sampled_runouts_are_weighted_by_how_often_they_come() -> None:
    # Half of all pairs of aces or of kings hold a given one of these; 41 other cards are held by nobody.
    found = runouts(["AA", "KK"], board="Qh7h2c", method="monte-carlo", deals=300, seed=1)
    for cell in found.cells:
        likely = 0.5 if cell.cards[0][0] in "AK" else 1.0
        # Six standard errors: beyond them once in ten million sets of cards.
        assert abs(cell.weight * 45 - likely) < 6 * 0.5 / 2**8.5


@pytest.mark.parametrize(
    ("hands", "ahead"),
    [
        (("AA,KQs", "22@50,A2s"), 2),  # of the second range one hand may be left, with another weight
        (("AA,KQs@30", "22@33.333333%,A2s"), 1),  # weights that are no small fractions
        (("AKs@50,AcAd", "KK,QQ"), 1),  # without the aces all weights are halves
        (("AA", "AA,AKs"), 1),  # hands that collide so often that they are listed
    ],
)
def test_how_often_cards_come_is_the_sum_over_all_hands(hands: tuple[str, str], ahead: int) -> None:
    board = as_cards("Qh7h2c")
    masses: Counter[tuple[int, ...]] = Counter()
    one, two = (ps.Range(text, board=board) for text in hands)
    deck = [c for c in range(52) if c not in board]
    for (x, v), (y, w) in itertools.product(
        zip(one.combos.tolist(), one.weights, strict=True), zip(two.combos.tolist(), two.weights, strict=True)
    ):
        if not {*x} & {*y}:
            for cards in itertools.combinations([c for c in deck if c not in x and c not in y], ahead):
                masses[cards] += v * w
    total = sum(masses.values())
    counted = runouts(hands, ahead, board=board, method="exact")
    sampled = runouts(hands, ahead, board=board, method="monte-carlo", deals=300, seed=2)
    for found, within in ((counted, 1e-9), (sampled, 0.03)):
        assert {tuple(sorted(as_cards(cell.cards))) for cell in found.cells} == set(masses)
        for cell in found.cells:
            assert cell.weight == pytest.approx(masses[tuple(sorted(as_cards(cell.cards)))] / total, rel=within)
    mean = sum(cell.weight * cell.equities[0] for cell in counted.cells)
    assert mean == pytest.approx(ps.equity(*hands, board=board).players[0].equity)


def test_pictures_leave_out_only_what_no_deal_goes_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_aces(*hands: object, board: object = "", **options: object) -> ps.Equity:
        if "AA" in str(hands[0]) or any(c >> 2 == 12 for c in as_cards(board)):
            raise NoDealError
        raise PotshareError("the disk is full")

    def none(*hands: object, **options: object) -> ps.Equity:
        raise NoDealError

    for module in (grids, views):
        monkeypatch.setattr(module, "equity", without_aces)
    for ask_picture in (lambda: runouts(["KK", "QQ"], board="7h7d2c"), lambda: grids.grid(["KK", "QQ"], deals=9)):
        with pytest.raises(PotshareError, match="the disk is full"):
            ask_picture()
    for module in (grids, views):
        monkeypatch.setattr(module, "equity", none)
    with pytest.raises(PotshareError, match="no next card is possible with these hands"):
        runouts(["KK", "QQ"], board="7h7d2c")
    assert {cell.equity for row in grids.grid(["KK", "QQ"], deals=9).rows for cell in row} == {None}


def test_two_cards_ahead() -> None:
    found = runouts(["AhKh", "QcQd"], 2, board="Qh7h2c")
    assert len(found.cells) == 990
    assert sum(found.histogram()) == pytest.approx(1)
    whole = ps.equity("AhKh", "QcQd", board="Qh7h2c").players[0]
    assert sum(cell.equities[0] for cell in found.cells) == pytest.approx(whole.equity * 990)
    assert found.histogram()[9] == pytest.approx(whole.win)


def test_next_cards_come_to_the_first_hand_in_stud() -> None:
    found = runouts(["AsKsQsJs9c", "2c2h3c4d9h"], game="stud", seed=1, deals=20_000)
    assert (found.on, found.ahead, len(found.cells)) == ("hand", 1, 42)
    for cell in found.cells[::9]:
        exact = ps.equity("AsKsQsJs9c" + cell.cards[0], "2c2h3c4d9h", game="stud").players[0].equity
        assert abs(cell.equities[0] - exact) <= 5 * cell.stderrs[0]
    assert found.best(1)[0].cards == ("Ts",)
    assert 0 < found.stderr == max(error for cell in found.cells for error in cell.stderrs)
    assert "after his next card" in ask("AsKs2d", "random", "-g", "stud", "--runouts", "--deals", "2000").stdout
    with pytest.raises(PotshareError, match="written cards"):
        runouts(["random", "2c2h3c"], game="stud")
    with pytest.raises(PotshareError, match="hand 2c2h3c4d9hTdJd is complete"):
        runouts(["2c2h3c4d9hTdJd", "random"], game="stud")


def test_which_of_two_next_cards_lies_face_down_matters() -> None:
    # In seven-card Chicago the seventh card is dealt face down, the sixth face up.
    found = runouts(["2c3c4d5d9h", "KdQd8d7h7c"], 2, game="seven-card-chicago", seed=1, deals=2_000)
    by_cards = {cell.cards: cell.equities[0] for cell in found.cells}
    assert len(by_cards) == 42 * 41
    assert by_cards["Kc", "As"] > by_cards["As", "Kc"] + 0.1


def test_runouts_follow_the_policy() -> None:
    hands = ["AhKhQd2c", "random"]
    own = find_variant("irish")
    one = runouts(hands, game=own, board="Qh7h2d", seed=1, deals=3_000)
    assert one.policy == "standard"
    two = runouts(hands, game=own, board="Qh7h2d", seed=1, deals=3_000, policy="best")
    assert two.policy is not None
    assert two.policy.startswith("best: hand 1")
    with pytest.raises(PotshareError, match="leave out the policy"):
        runouts(["AhKh", "QcQd"], board="Qh7h2c", policy="pat")


def test_no_card_is_left() -> None:
    with pytest.raises(PotshareError, match="no next card"):
        runouts(["AhKh", "QcQd"], board="Qh7h2c3d4d")
    with pytest.raises(PotshareError, match="no next two cards"):
        runouts(["AhKh", "QcQd"], 2, board="Qh7h2c3d")
    with pytest.raises(PotshareError, match="potshare draw HAND -g draw"):
        runouts(["AhAdKcQc2d", "random"], game="draw")


def test_runouts_on_the_command_line() -> None:
    out = ask("--runouts", "AhKh", "QcQd", "-b", "Qh7h2c").stdout
    lines = out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    assert [line[0] for line in lines[head + 1 : head + 5]] == list("shdc")
    assert lines[head + 6].startswith("worst  2d 2h 2s and 4 more 0.00%")
    assert "after the next two cards" in ask("AhKh", "QcQd", "--runouts", "2", "-b", "Qh7h2c").stdout
    assert len(ask_json("AhKh", "QcQd", "-b", "Qh7h2c", "--runouts")["runouts"]["cells"]) == 45
    assert "no next card" in str(ask("AhKh", "QcQd", "-b", "Qh7h2c3d4d", "--runouts", status=2).output)


def test_streets() -> None:
    found = streets(["AhKh", "QcQd"], board="Qh7h2c3h")
    assert [s.street for s in found] == ["preflop", "flop", "turn"]
    assert found[0].answer.players[0].equity == pytest.approx(ps.equity("AhKh", "QcQd").players[0].equity)
    answer = ask_json("AhKh", "QcQd", "-b", "Qh7h2c3h", "--streets")
    assert [s["board"] for s in answer["streets"]] == [[], ["Qh", "7h", "2c"], ["Qh", "7h", "2c", "3h"]]
    assert answer["streets"][-1]["equities"][0] == answer["players"][0]["equity"]
    with pytest.raises(PotshareError, match="players of draw choose"):
        streets(["AhAdKcQc2d", "random"], game="draw")


def test_streets_of_stud_are_those_of_the_hands() -> None:
    found = streets(["As2d3h9c", "4h5d7sKd"], game="razz")
    assert [s.street for s in found] == ["third street", "fourth street"]
    assert [p.hand for p in found[0].answer.players] == ["As2d3h", "4h5d7s"]
    assert found[0].answer.players[0].equity == ps.equity("As2d3h", "4h5d7s", game="razz").players[0].equity
    lines = ask("As2d3h9c", "4h5d7sKd", "-g", "razz", "--streets").stdout.splitlines()
    assert any(line.split()[:4] == ["third", "street", "As2d3h", "4h5d7s"] for line in lines)


def test_streets_of_two_boards() -> None:
    found = streets(["AhKh", "QcQd"], game="double-board-holdem", board="Qh7h2c3s/Ad3d9s5c", deals=20_000, seed=1)
    assert [s.street for s in found] == ["preflop", "flop", "turn"]
    assert found[1].board == ("Qh", "7h", "2c", "/", "Ad", "3d", "9s")


# -- every game -------------------------------------------------------------------------------------------------------

BOARD_GAMES = {
    "big-o", "courchevel", "courchevel8", "crazy-pineapple", "holdem", "holdem8", "irish", "omaha", "omaha5", "omaha6",
    "omaha6-8", "omaha8", "pineapple", "short-deck", "short-deck-trips",
}  # fmt: skip
TWO_BOARDS = {"double-board-holdem", "double-board-omaha"}
STUD_GAMES = {
    "chicago", "five-card-stud", "last-card-down", "lowball-stud", "mexican-rollover", "razz",
    "seven-card-chicago", "stud", "stud-hilo", "stud8", "three-card-stud",
}  # fmt: skip
SHOWN = {
    "categories": set(games()),
    "runouts": BOARD_GAMES | STUD_GAMES,
    "streets": BOARD_GAMES | TWO_BOARDS | STUD_GAMES,
    "grid": {"holdem", "holdem8", "short-deck", "short-deck-trips", "double-board-holdem"},
}
"""Which games have which picture; every other one is refused with what to ask instead."""


def some_hand(variant: Variant) -> str:
    deck = [r + s for r in "AKQJT9876" for s in "cdhs"]
    size = 2 if variant.name in STUD_GAMES else variant.hole_cards
    return "".join(deck[3 : 3 + 3 * size : 3])


@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_has_its_pictures_or_says_why_not(name: str) -> None:
    variant = find_variant(name)
    hands = [some_hand(variant), "random"]
    # Late in the deal, so that little is left to deal; Irish and crazy pineapple discard on the flop.
    board = {1: "9s8s7d", 2: "9s8s7d/9c8c6h"}[variant.boards] if variant.board_cards else ""
    pictures = {
        "categories": lambda: categories(hands, name, board=board, deals=2_000, seed=1),
        "runouts": lambda: runouts(hands, game=name, board=board, deals=300, seed=1),
        "streets": lambda: streets(hands, game=name, board=board, deals=300, seed=1),
        "grid": lambda: grids.grid(["random"], game=name, board=board, deals=300, seed=1),
    }
    for picture, draw in pictures.items():
        if name not in SHOWN[picture]:
            with pytest.raises(PotshareError, match=f"cannot be shown: .*{name}.*; ask for"):
                draw()
            continue
        found = draw()
        if picture == "categories":
            assert [list(p.halves) for p in found.players] == [[half.name for half in variant.halves]] * 2
            for player in found.players:
                for table in player.halves.values():
                    assert sum(s.share for s in table.values()) == pytest.approx(1)
        elif picture == "streets":
            assert all(sum(p.equity for p in s.answer.players) == pytest.approx(1) for s in found)
        elif picture == "runouts":
            assert all(sum(cell.equities) == pytest.approx(1) for cell in found.cells)
        else:
            assert sum(c.combos for row in found.rows for c in row) > 300
            assert all(0 <= c.equity <= 1 for row in found.rows for c in row if c.equity is not None)


def test_a_picture_that_there_is_not_is_refused_before_anything_is_computed() -> None:
    result = ask("random", "random", "-g", "triple-draw", "--runouts", "--time", "1000", status=2)
    assert "cannot be shown" in result.output


def test_one_seed_gives_all_pictures_again() -> None:
    arguments = ["AhKh", "QQ+", "random", "-b", "Qh7h2c", "--categories", "--runouts", "--deals", "3000"]
    first = ask_json(*arguments, "-m", "monte-carlo")
    assert first["seed"] == first["categories"]["seed"] == first["runouts"]["seed"]
    again = ask_json(*arguments, "-m", "monte-carlo", "--seed", str(first["seed"]))
    assert again["categories"]["players"] == first["categories"]["players"]
    assert again["runouts"]["cells"] == first["runouts"]["cells"]


# -- grids ------------------------------------------------------------------------------------------------------------


def cell(found: grids.EquityGrid, name: str) -> grids.GridCell:
    return next(c for row in found.rows for c in row if c.name == name)


@pytest.mark.parametrize(("board", "dead"), [("", ""), ("AhKd2c", ""), ("AhKd2c7h", "Qs"), ("AhKd2c7h9s", "")])
def test_grid_cells_are_equities(board: str, dead: str) -> None:
    found = grids.grid(["QQ+,AKs@50,76s"], board=board, dead=dead)
    assert found.method == "exact"
    assert found.ranks == "AKQJT98765432"
    assert [c.name for c in found.rows[1][:3]] == ["AKo", "KK", "KQs"]
    for name in ("AA", "AKo", "KQs", "72o", "22"):
        answer = ps.equity(name, "QQ+,AKs@50,76s", board=board, dead=dead)
        assert cell(found, name).equity == pytest.approx(answer.players[0].equity), name
        assert cell(found, name).combos == answer.players[0].combos


def test_grid_against_several_is_sampled() -> None:
    found = grids.grid(["KK", "random"], deals=2_000, seed=1)
    assert (found.method, found.seed) == ("monte-carlo", 1)
    assert cell(found, "AA").equity == pytest.approx(0.67, abs=0.06)
    assert found.rows == grids.grid(["KK", "random"], deals=2_000, seed=1).rows
    with pytest.raises(PotshareError, match="not a game of two hole cards"):
        grids.grid(["AsAhKsKh"], game="omaha")


def test_grid_without_a_possible_hand() -> None:
    found = grids.grid(["KsKh"], board="AsAhAd", dead="Ac")
    assert cell(found, "AKs").equity is None
    assert cell(found, "AKs").combos == 0
    assert "." in ask("KsKh", "--grid", "-b", "AsAhAd", "-d", "Ac").stdout


def test_grid_on_the_command_line() -> None:
    lines = ask("random", "QQ", "--grid").stdout.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    rows = lines[head + 1 : head + 14]
    assert [row.split()[0] for row in rows] == list("AKQJT98765432")
    assert rows[2].split()[3] == "50.0"
    assert max(map(len, lines[head:])) <= 80
    answer = ask_json("QQ", "--grid")  # one hand is the opponent
    assert answer["grid"]["against"] == ["QQ"]
    assert answer["grid"]["grid"][0][0]["equity"] == pytest.approx(0.8155, abs=1e-4)
    rows = list(csv.DictReader(io.StringIO(ask("QQ", "--grid", "-f", "csv").stdout)))
    assert len(rows) == 169
    assert "csv prints one table" in ask("QQ", "--grid", "--categories", "-f", "csv", status=2).output


# -- the page ---------------------------------------------------------------------------------------------------------


def test_page_needs_nothing_else_and_can_be_read_aloud() -> None:
    text = page(grids.grid(["QQ+"], board="AhKd2c"))
    assert "http" not in text
    assert "<script" not in text
    assert '<html lang="en">' in text
    assert text.count('scope="col"') == text.count('scope="row"') == 13
    assert text.count("<td style=") + text.count('<td class="none"><b>') == 169


def test_text_in_cells_has_contrast() -> None:
    def luminance(rgb: tuple[int, int, int]) -> float:
        parts = [c / 255 for c in rgb]
        r, g, b = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for i in range(101):
        ratio = (luminance(colour(i / 100)) + 0.05) / (luminance((17, 17, 17)) + 0.05)
        assert ratio > 7, i


def test_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    found = grids.grid(["QQ+"])
    write_page(tmp_path / "grid.html", found)
    assert [p.name for p in tmp_path.iterdir()] == ["grid.html"]
    with pytest.raises(PotshareError, match="cannot be written"):
        write_page(tmp_path / "missing" / "grid.html", found)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(PotshareError, match="cannot be written"):
        write_page(tmp_path / "folder.html", found)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.html", "grid.html"]


BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), ""
)


@pytest.mark.skipif(not BROWSER, reason="no headless browser here")
def test_a_real_browser_shows_it(tmp_path: Path) -> None:
    file, picture = tmp_path / "grid.html", tmp_path / "grid.png"
    ask("random", "QQ+,AKs", "--html", str(file))
    common = [BROWSER, "--headless", "--disable-gpu", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    dumped = subprocess.run(
        [*common, "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=60, env=environment
    ).stdout
    assert dumped.count("<td") == 170
    assert "Equity of every starting hand against QQ+,AKs" in dumped
    subprocess.run(
        [*common, f"--screenshot={picture}", "--window-size=1000,900", file.as_uri()],
        capture_output=True, timeout=60, env=environment, check=True,
    )  # fmt: skip
    raw = picture.read_bytes()
    assert raw.startswith(b"\x89PNG")
    assert len(raw) > 20_000  # an empty page compresses to a tenth of that

"""Exact equity of flop games: known counts, agreement of the methods, and a slow twin."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import slow

from potshare import PotshareError, equity
from potshare.evaluator.cards import format_cards
from potshare.simulate.answer import share
from potshare.simulate.evaluators import evaluators
from potshare.simulate.exact import counting as engine
from potshare.simulate.spot import spot

DATA = Path(__file__).parents[1] / "data" / "equity_truth.json"
FLOP = ("holdem", "short-deck", "omaha", "omaha5", "omaha6", "omaha8", "big-o", "omaha6-8")
CASES = [case for case in json.loads(DATA.read_text("utf-8")) if case["game"] in FLOP]


def share_counts(tally: Any, players: int) -> dict[Fraction, int]:
    """How many deals gave a player which share of the pot."""
    found: Counter[Fraction] = Counter()
    for a in range(players + 1):
        for b in range(players + 2):
            if tally[a, b]:
                found[share(a, b, players)] += int(tally[a, b])
    return dict(found)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_counts_are_the_known_ones(case: dict[str, Any]) -> None:
    answer = equity(
        *case["hands"], game=case["game"], board=case.get("board", ""), dead=case.get("dead", ""), method="exact"
    )
    players = len(case["hands"])
    assert (answer.method, answer.stop, answer.deals) == ("exact", "complete", case["total"])
    for i, known in enumerate(case["players"]):
        tally = answer.tally[i]
        assert int(sum(tally[1])) == known["win"]
        assert {str(k): int(sum(tally[k])) for k in range(2, players + 1) if sum(tally[k])} == known["tie"]
        if "win_low" in known:
            assert int(sum(tally[:, 1])) == known["win_low"]
        assert share_counts(tally, players) == {Fraction(k): v for k, v in known["shares"].items()}
        exact = sum(Fraction(k) * v for k, v in known["shares"].items()) / case["total"]
        assert answer.players[i].equity == float(exact)
        assert Fraction(answer.players[i].fraction or 0) == exact
        assert answer.players[i].stderr == 0.0
    # Equities sum to one to the last unit.
    assert sum(Fraction(p.fraction or 0) for p in answer.players) == 1


def algorithms(hands: list[str], board: str = "", dead: str = "", game: str = "holdem") -> dict[str, Any]:
    """The tally of every exact method that can answer, by name."""
    question = spot(hands, game, board, dead)
    tables = evaluators(question.variant)
    weights, scale = engine.integer_weights([r.weights for r in question.ranges])
    whole = scale > 0
    counted = engine._count_classes(question, tables, weights, 1e9, 1e12, 1, None, whole)
    assert counted is not None
    found = {"class-count": counted}
    cards = question.variant.hole_cards
    swept = cards == 2 or (cards == 4 and len(hands) == 2)
    if len(hands) <= 3 and len(question.board) >= 3 and swept and not tables.has_low:
        with patch.object(engine, "_in_pairs", lambda *_: False):
            found["sweep"] = engine._sweep(question, tables, weights, 1, None, whole)
    if engine._in_pairs(question, tables) and (len(question.board) >= 3 or len(question.ranges[0]) < 20):
        for name, most in (("rank-sweep", -1), ("duel", 1326)):
            with patch.object(engine.duel, "MOST_HANDS", most):
                found[name] = engine._sweep(question, tables, weights, 1, None, whole)
    if len(hands) == 2 and not board and not dead and game == "holdem":
        found["matchup-table"] = engine._matchups(question, weights, whole)
    return found


def random_range(rng: np.random.Generator, gone: list[int], weighted: bool, low: int = 0) -> str:
    """A text of a few random hands, some with weights."""
    cards = [c for c in range(low, 52) if c not in gone]
    items = []
    for _ in range(int(rng.integers(1, 6))):
        hand = format_cards(rng.choice(cards, 2, replace=False))
        items.append(hand + (f"@{rng.integers(1, 100)}" if weighted else ""))
    return ",".join(dict.fromkeys(items))


@pytest.mark.parametrize("seed", range(60))
def test_every_exact_method_gives_the_same_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = "short-deck" if seed % 5 == 4 else "holdem"
    low = 16 if game == "short-deck" else 0
    players = int(rng.integers(2, 4))
    board_cards = [0, 3, 4, 5][int(rng.integers(4))]
    deck = rng.permutation(np.arange(low, 52))
    board = format_cards(deck[:board_cards])
    gone = deck[:board_cards].tolist()
    dead = format_cards(deck[board_cards : board_cards + 2]) if seed % 3 == 0 else ""
    gone += deck[board_cards : board_cards + 2].tolist() if dead else []
    hands = [random_range(rng, gone, seed % 2 == 0, low) for _ in range(players)]
    try:
        found = algorithms(hands, board, dead, game)
    except PotshareError:
        pytest.skip("this draw of ranges collides in every deal")
    first_tally, first_deals = found.pop("class-count")
    for name, (tally, deals) in found.items():
        assert deals == first_deals, name
        assert np.array_equal(tally.astype(object), np.asarray(first_tally).astype(object)), name


@pytest.mark.parametrize("seed", range(20))
def test_methods_agree_in_omaha(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    deck = rng.permutation(52)
    known = 3 + seed % 3
    # Hands of few ranks, so that ranges overlap and tie.
    pool = deck[known : known + 12]
    hands = []
    for _ in range(2):
        items = {format_cards(sorted(rng.choice(pool, 4, replace=False))) for _ in range(int(rng.integers(1, 30)))}
        hands.append(",".join(f"{item}@{rng.integers(1, 100)}" if seed % 2 else item for item in sorted(items)))
    try:
        found = algorithms(hands, format_cards(deck[:known]), "", "omaha")
    except PotshareError:
        pytest.skip("this draw of ranges collides in every deal")
    (one, deals), (two, other) = found["class-count"], found["sweep"]
    assert deals == other
    assert np.array_equal(np.asarray(one).astype(object), two.astype(object))


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["random", "QQ+,AKs"], "AhKdJc", ""),
        (["22+,A2s+", "random"], "", ""),
        (["55-22,A5s-A2s", "T9s,QJo@30"], "", ""),
        (["random", "random", "AA"], "2h3d4c5s", "As"),
        (["KQ", "TT+", "65s,76s@20"], "9d8d2c", "7c7d"),
        (["random", "random"], "6h7h8h9hTh", ""),
        (["AA", "KK,QQ"], "", ""),
        (["AKs", "22,QJo"], "", "7c7d7h7s"),
    ],
)
def test_methods_agree_on_wide_ranges(hands: list[str], board: str, dead: str) -> None:
    found = algorithms(hands, board, dead)
    assert len(found) > 1
    first_tally, first_deals = found.pop("class-count")
    for name, (tally, deals) in found.items():
        assert deals == first_deals, name
        assert np.array_equal(tally.astype(object), np.asarray(first_tally).astype(object)), name


SLOW = [
    ("holdem", ["AhKh", "QQ@25,JTs"], "Qh7h2c3d", ""),
    ("holdem", ["AA", "KK@10,AKs@40", "99"], "Kd9c2s2h", "As"),
    ("holdem", ["6c5c,7d7h", "Ah2h@50,T9o"], "8h7c6d2d9s", ""),
    ("holdem8", ["Ah2c,3c3d", "5s6s,KdKh@20"], "4d7c8hKs", "2d"),
    ("short-deck", ["AhKh,6c7c@30", "QQ"], "8s9dTdQc", ""),
    ("omaha", ["AhAdKhQd", "9s8s7c6c"], "TsJd2c3h", ""),
    ("omaha8", ["Ah2cKd9d", "Ac2dTh8h", "3s4s5d6h"], "7d4c3hKs", ""),
    ("omaha6-8", ["Ah2cKd9dTs3c", "Ac2dTh8h7s7h"], "5d4h3hKs", ""),
    ("big-o", ["Ah2cKd9dTs", "Ac2dTh8h7s"], "5d4c3hKs8s", ""),
]


@pytest.mark.parametrize(("game", "hands", "board", "dead"), SLOW)
def test_slow_twin_agrees(game: str, hands: list[str], board: str, dead: str) -> None:
    question = spot(hands, game, board, dead)
    # Weights are written in percent; the twin takes them as exact fractions.
    ranges = [
        {
            tuple(map(int, combo)): Fraction(round(weight * 100), 100)
            for combo, weight in zip(r.combos, r.weights, strict=True)
        }
        for r in question.ranges
    ]
    wanted, deals = slow.equity(game, ranges, question.board, question.dead)
    answer = equity(*hands, game=game, board=board, dead=dead, method="exact")
    assert answer.deals == deals
    assert [p.equity for p in answer.players] == [float(w) for w in wanted]


def test_players_may_change_places() -> None:
    hands = ["AhKh", "QQ", "76s@40,T9s"]
    one = equity(*hands, dead="2c")
    two = equity(*hands[::-1], dead="2c")
    assert [p.equity for p in one.players] == [p.equity for p in two.players[::-1]]


def test_suits_may_change_names() -> None:
    turn = str.maketrans("cdhs", "hscd")
    hands, board = ["AhKd", "QcQs", "7h6h"], "Th9h2c"
    one = equity(*hands, board=board)
    two = equity(*(h.translate(turn) for h in hands), board=board.translate(turn))
    assert [p.counts for p in one.players] == [p.counts for p in two.players]


def test_threads_do_not_show() -> None:
    for hands, board in ((["AKs", "QQ", "76s"], ""), (["random", "QQ+"], "Ah7d2c"), (["AK", "QJ", "TT+"], "Qd7c2c")):
        answers = [equity(*hands, board=board, threads=n) for n in (1, 2, 4)]
        assert answers[0].method == "exact"
        assert all(a.players == answers[0].players and a.deals == answers[0].deals for a in answers)


def test_calls_do_not_remember_each_other() -> None:
    plain = [p.equity for p in equity("AA", "QQ", "AKo").players]
    assert plain == pytest.approx([0.76134672, 0.18741988, 0.0512334], abs=5e-9)
    dead = [p.equity for p in equity("AA", "QQ", "AKo", dead="AsTs").players]
    assert dead == pytest.approx([0.73495479, 0.21030257, 0.05474264], abs=5e-9)
    assert [p.equity for p in equity("AA", "QQ", "AKo").players] == plain


def test_complete_board_is_one_deal() -> None:
    answer = equity("AhKd", "QcQs", board="Ad7c2s9h3d")
    assert (answer.method, answer.deals) == ("exact", 1)
    assert [p.equity for p in answer.players] == [1.0, 0.0]


def test_weights_are_relative_and_exact() -> None:
    assert equity("AA", "QQ:0.01,22").players[0].equity == pytest.approx(0.82210108, abs=5e-9)
    assert equity("AA", "QQ:0.99,22").players[0].equity == pytest.approx(0.8188358, abs=5e-9)
    one = equity("AA", "KK@1,QQ@2")
    two = equity("AA", "KK@50,QQ@100")
    assert [p.equity for p in one.players] == [p.equity for p in two.players]


def test_wins_ties_and_losses_add_up() -> None:
    answer = equity("5s4h", "random", board="KsJhTh8h8c")
    hero = answer.players[0]
    assert hero.counts == {"win": 0, "tie": 259, "lose": 731}
    assert hero.win == 0.0
    assert hero.tie == pytest.approx(259 / 990)
    assert hero.equity == pytest.approx(259 / 1980)


@pytest.mark.parametrize(
    ("hands", "board", "deals", "wins", "ties"),
    [
        (["AsTh", "random"], "AhKdJc", 1_070_190, (896_263, 115_355), 58_572),
        (["AcAh", "random"], "", 2_097_572_400, (1_781_508_418, 304_661_670), 11_402_312),
        (["Jc5c", "QdTd"], "", 1_712_304, (600_384, 1_096_118), 15_802),
        (["AsKd", "AhKc"], "", 1_712_304, (37_210, 37_210), 1_637_884),
    ],
)
def test_two_player_counts(hands: list[str], board: str, deals: int, wins: tuple[int, int], ties: int) -> None:
    answer = equity(*hands, board=board, method="exact")
    assert answer.deals == deals
    assert tuple(p.counts["win"] for p in answer.players) == wins
    assert {p.counts["tie"] for p in answer.players} == {ties}


def test_the_losers_of_a_split_pot_get_nothing() -> None:
    answer = equity("AhKd", "AsKc", "QhQd", board="Ad7c7s2h3c")
    assert [p.equity for p in answer.players] == [0.5, 0.5, 0.0]


def test_more_hole_cards_count() -> None:
    four = equity("2s2d2h2c", "3s3d3h3c", game="omaha")
    assert (four.deals, [p.equity for p in four.players]) == (1_086_008, [0.0, 1.0])
    six = equity("2s2d2h2cAsAd", "3s3d3h3c8s8d", game="omaha6")
    assert six.deals == 658_008
    assert [p.counts["win"] for p in six.players] == [539_640, 118_368]


def test_a_single_card_stands_for_any_hand_with_it() -> None:
    answer = equity("Ah", "KdKc", board="2c7d9h")
    assert answer.players[0].combos == 48  # the ace with any card but itself and the board
    assert answer.method == "exact"


def test_table_of_matchups_is_what_counting_gives() -> None:
    from potshare.simulate.exact import class_count, matchups

    rng = np.random.default_rng(5)
    tables = evaluators(spot(["AA", "KK"]).variant)
    holes = []
    while len(holes) < 40:
        four = rng.choice(52, 4, replace=False).astype(np.uint8)
        holes.append([sorted(four[:2], reverse=True), sorted(four[2:], reverse=True)])
    array = np.array(holes, np.uint8)
    counted = class_count.count(array, np.zeros(0, np.uint8), tuple(range(52)), tables)
    for hand, tally in zip(array, counted, strict=True):
        won, tied, met, number = matchups.versus(hand[:1], hand[1:], np.ones(1, np.int64))[0]
        assert (won, tied, met, number) == (tally[0, 1, 3], tally[0, 2, 3], 1, 1)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("AsAh,AsKs,7h2c", "random"),
        ("QQ,9s8s", "AKs@30,JJ@20,9c8c"),
        ("T9s", "AhKh,2c2d@5,T9s"),
        ("AhKh", "AhQd,KsKc"),
    ],
)
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_sums_over_the_table_are_its_matchups(one: str, two: str, kind: type) -> None:
    from potshare.simulate.exact import matchups

    first, second = spot([one, two]).ranges
    weights = np.rint(100 * second.weights).astype(kind) / (1 if kind is np.int64 else 8)
    weights = weights.astype(kind)
    found = matchups.versus(first.combos, second.combos, weights)
    for hand, row in zip(first.combos.tolist(), found.tolist(), strict=True):
        apart = [
            (matchups.pair(tuple(hand), tuple(other)), w)
            for other, w in zip(second.combos.tolist(), weights.tolist(), strict=True)
            if not set(hand).intersection(other)
        ]
        won, tied = (sum(w * boards[i] for boards, w in apart) for i in range(2))
        assert row == [won, tied, sum(w for _, w in apart), len(apart)]


@pytest.mark.parametrize(
    ("hands", "board", "dead", "fewer"),
    [
        (("random", "QQ+,AK"), "2h7h9h", "", True),
        (("random", "22+"), "2h7h9c", "", True),
        (("random", "AdKd,AsKs"), "2h7h9c", "", True),
        (("random", "AhKs,QQ"), "2h7h9c", "", False),
        (("random", "22+"), "2h7h9c", "3d", False),
        (("random", "22+"), "2h7d9c", "", False),
    ],
)
def test_boards_alike_are_swept_once(hands: tuple[str, str], board: str, dead: str, fewer: bool) -> None:
    from potshare.simulate.exact import sweep

    question = spot(hands, "holdem", board, dead)
    ranges = [(r.combos, r.weights) for r in question.ranges]
    turns = sweep.suit_turns((question.board, question.dead), ranges)
    boards, times = sweep.boards_to_come(question.live, 2, turns)
    assert int(times.sum()) == math.comb(len(question.live), 2)
    assert (len(boards) < int(times.sum())) == fewer
    found = algorithms(list(hands), board, dead)
    assert np.array_equal(found["sweep"][0].astype(object), np.asarray(found["class-count"][0]).astype(object))


def test_what_takes_too_long_says_how_long() -> None:
    with pytest.raises(PotshareError, match=r"would take about .* years"):
        equity(*["random"] * 5, method="exact")
    with pytest.raises(PotshareError, match=r"would take about .* (hours|days)"):
        equity("random", "random", "random", board="2c", method="exact")


def test_too_many_choices_of_hands_say_so() -> None:
    with pytest.raises(PotshareError, match=r"too much memory, for more than [\d,]+ different choices"):
        equity("22+", "A2+", "K2+", "Q2+", board="2c7dJh9s3c", method="exact")


def test_classes_are_counted_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ("QQ,AK@30", "55+", "A2s+", "22-44,T9")
    whole = equity(*hands, board="KhQs7d2c3c", method="exact")
    monkeypatch.setattr(engine, "_TALLY_BYTES", 20_000)
    pieces = equity(*hands, board="KhQs7d2c3c", method="exact", threads=2)
    assert whole.algorithm == pieces.algorithm == "class-count"
    assert [p.counts for p in pieces.players] == [p.counts for p in whole.players]

"""What went wrong in other programs of this field, and must not here: reported faults, each with its near relations.

`data/field_cases.json` holds the values: hands, equities, ranges, refusals and pots, in groups. Everything goes through
the public interface, as a process where the fault was one of a program. The frequency tables of whole decks, wild
cards and the short deck, which belong here too, are in `evaluator/test_frequencies.py`.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare import PotshareError

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "data" / "field_cases.json").read_text("utf-8")
)
RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SYMBOLS = str.maketrans("cdhs", "♣♦♥♠")


def each(group: str) -> Any:
    """A test for each case of a group."""
    return pytest.mark.parametrize("case", CASES[group], ids=[case["id"] for case in CASES[group]])


def potshare(*arguments: str, status: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a process, away from the checkout."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "potshare", *arguments],
        capture_output=True, text=True, encoding="utf-8", timeout=120, cwd=Path(__file__).anchor,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def respelled(cards: str) -> list[str]:
    """The same cards as other people write them."""
    spaced = " ".join(ps.format_cards([c]) for c in ps.parse_cards(cards))
    return [
        cards.lower(),
        cards.upper(),
        cards.swapcase(),
        spaced,
        spaced.replace(" ", ", "),
        spaced.replace("T", "10"),
        spaced.translate(SYMBOLS),
        spaced.replace(" ", "").translate(SYMBOLS).replace("T", "10"),
    ]


def renamed_suits(cards: str, suits: tuple[str, ...]) -> str:
    """Cards with their suits exchanged; jokers stay."""
    return re.sub(r"([2-9TJQKA])([cdhs])", lambda m: m[1] + suits[SUITS.index(m[2])], cards)


ALL_SUITS = list(itertools.permutations(SUITS))


# -- one hand ---------------------------------------------------------------------------------------------------------


@each("values")
def test_value_of_a_hand(case: dict[str, Any]) -> None:
    found = ps.evaluate(case["cards"], case["ranking"])
    assert found.text == case["text"]
    if "strength" in case:
        assert found.strength == case["strength"]
    if "best" in case:
        assert " ".join(found.best) == case["best"]
    assert all(ps.evaluate(worse, case["ranking"]).strength < found.strength for worse in case.get("over", ()))
    assert all(ps.evaluate(better, case["ranking"]).strength > found.strength for better in case.get("under", ()))


@each("values")
def test_no_suit_and_no_order_is_special(case: dict[str, Any]) -> None:
    found = ps.evaluate(case["cards"], case["ranking"])
    plain = case["cards"].replace("10", "T").replace(" ", "")
    for suits in ALL_SUITS:
        assert ps.evaluate(renamed_suits(plain, suits), case["ranking"]).strength == found.strength
    numbers = ps.evaluate(plain, case["ranking"]).cards
    for turn in range(len(numbers)):
        assert ps.evaluate("".join(numbers[turn:] + numbers[:turn]), case["ranking"]).strength == found.strength


@pytest.mark.parametrize("case", [c for c in CASES["values"] if "Jk" not in c["cards"]], ids=lambda case: case["id"])
def test_every_spelling_is_the_same_hand(case: dict[str, Any]) -> None:
    found = ps.evaluate(case["cards"], case["ranking"])
    for text in respelled(case["cards"]):
        assert ps.evaluate(text, case["ranking"]).to_dict() == found.to_dict() | {
            "cards": list(ps.evaluate(text, case["ranking"]).cards)
        }


STRAIGHTS = {
    # What the lowest straight is in each ranking that has straights, and what it beats and loses to.
    "high": ("5432A", "straight", "AAAKQ", "65432"),
    "high-partial": ("5432A", "straight", "AAAKQ", "65432"),
    "short-deck": ("9876A", "straight", "AAAKQ", "T9876"),
    "short-deck-trips": ("9876A", "straight", "AAKKQ", "T9876"),
    "high:2": ("543A", "straight", "AAAKQ", "76543"),
    "high:joker": ("5432A", "straight", "AAAKQ", "65432"),
    "high:bug": ("5432A", "straight", "AAAKQ", "65432"),
    "three-card": ("32A", "straight", "AAK", "432"),
    "three-card-casino": ("32A", "straight", "AAK", "432"),
}


def dealt(ranks: str, suits: str = "cdhs") -> str:
    """Cards of ranks, in suits that go round so that five are never of one suit."""
    seen: dict[str, int] = {}
    cards = []
    for place, rank in enumerate(ranks):
        used = seen.get(rank, place)
        cards.append(rank + suits[used % len(suits)])
        seen[rank] = used + 1
    return "".join(cards)


@pytest.mark.parametrize("ranking", STRAIGHTS)
def test_the_lowest_straight_of_every_ranking(ranking: str) -> None:
    low, category, worse, better = STRAIGHTS[ranking]
    text = dealt(low) + ("2s" if ranking == "high:2" else "")  # the wild deuce fills the wheel
    found = ps.evaluate(text, ranking)
    assert found.category == category
    assert ps.evaluate(dealt(worse), ranking).strength < found.strength
    assert ps.evaluate(dealt(better), ranking).strength > found.strength
    # And of one suit, in each suit.
    for suit in SUITS:
        suited = "".join(rank + suit for rank in low) + ("2" + SUITS[SUITS.index(suit) - 1] if ":2" in ranking else "")
        assert ps.evaluate(suited, ranking).category == "straight flush"


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("top", range(3, 13))
def test_every_straight_counts_its_own_top_card(size: int, top: int) -> None:
    ranks = [RANKS[r] for r in range(top, top - 5, -1)]  # rank -1 is the ace below the deuce
    others = [r for r in RANKS if r not in ranks and abs(RANKS.index(r) - top) > 1][: size - 5]
    name = RANK_NAMES[top]
    found = ps.evaluate(dealt("".join(ranks) + "".join(others)))
    assert found.text == f"straight, {name} high"
    for suit in SUITS:
        suited = "".join(r + suit for r in ranks) + "".join(r + SUITS[SUITS.index(suit) - 1] for r in others)
        assert ps.evaluate(suited).text == ("royal flush" if top == 12 else f"straight flush, {name} high")


@pytest.mark.parametrize("ranks", ["32AKQ", "432AK", "2AKQJ", "9876K", "87A9Q"])
def test_no_straight_goes_round_the_ace(ranks: str) -> None:
    for ranking in ("high", *(("short-deck",) if min(map(RANKS.index, ranks)) >= 4 else ())):
        assert ps.evaluate(dealt(ranks), ranking).category == "high card"


def test_the_low_rankings_know_no_wheel_but_their_own() -> None:
    wheel, suited = dealt("5432A"), "5c4c3c2cAc"
    assert ps.evaluate(wheel, "ace-to-five").strength == ps.find_ranking("ace-to-five").values
    assert ps.evaluate(suited, "ace-to-five").strength == ps.find_ranking("ace-to-five").values
    assert ps.evaluate(wheel, "eight-or-better").strength == ps.find_ranking("eight-or-better").values
    assert ps.evaluate(wheel, "deuce-to-seven").text == "A-5-4-3-2 low"
    assert ps.evaluate("7c5d4h3s2c", "deuce-to-seven").strength == ps.find_ranking("deuce-to-seven").values
    assert ps.evaluate("6c5d4h3s2c", "deuce-to-seven").category == "straight"


@pytest.mark.parametrize("trips", RANKS)
def test_trips_with_two_more_pairs_take_the_higher(trips: str) -> None:
    name = (
        ps.evaluate(dealt(trips * 3 + "".join(r for r in "AKQ" if r != trips)[:2])).text.split(", ")[1].split(" (")[0]
    )
    for one, two in itertools.combinations([r for r in RANKS if r != trips], 2):
        found = ps.evaluate(dealt(trips * 3 + one * 2 + two * 2))
        higher = (
            ps.evaluate(dealt(two * 3 + "".join(r for r in "AKQ" if r != two)[:2])).text.split(", ")[1].split(" (")[0]
        )
        assert found.text == f"full house, {name} over {higher}"


@pytest.mark.parametrize("suit", SUITS)
def test_a_flush_is_its_five_highest_cards(suit: str) -> None:
    other = SUITS[SUITS.index(suit) - 1]
    for ranks in itertools.islice(itertools.combinations(reversed(RANKS), 7), 0, None, 17):
        for suited in (5, 6, 7):
            cards = [r + suit for r in ranks[:suited]] + [r + other for r in ranks[suited:]]
            found = ps.evaluate("".join(cards))
            if found.category == "flush":
                assert found.best == tuple(cards[:5])


@pytest.mark.parametrize("ranking", [name for name in ps.rankings() if not name.endswith("partial")])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 8, 12])
def test_too_few_and_too_many_cards_are_ranked_or_refused(ranking: str, size: int) -> None:
    order = ps.find_ranking(ranking)
    cards = list(range(51, 51 - size, -1))
    least = 1 if order.partial else order.fewest
    if least <= size <= order.most:
        scale = order if size >= order.fewest else ps.find_ranking(order.partial)
        assert 0 <= ps.evaluate(cards, ranking).strength <= scale.values
    else:
        with pytest.raises(PotshareError, match=r"cards"):
            ps.evaluate(cards, ranking)


# -- several hands ----------------------------------------------------------------------------------------------------


def compared(case: dict[str, Any], **changes: Any) -> Any:
    """The answer of the command for a case, in Python and in JSON."""
    case = case | changes
    by_game = "game" in case and not case.get("apart")
    if by_game:
        from potshare.simulate.variants import find_variant

        half = find_variant(case["game"]).halves[0]
        return ps.compare(
            case["hands"], half.ranking, board=case.get("board", ""), selection=half.selection, one_deal=True
        )
    ranking = "ace-to-five" if case.get("game") == "razz" else case["ranking"]
    return ps.compare(case["hands"], ranking, board=case.get("board", ""))


@each("deals")
def test_hands_against_each_other(case: dict[str, Any]) -> None:
    found = compared(case)
    assert list(found.winners) == case["winners"]
    assert found.tie is (len(case["winners"]) > 1)
    for name in ("categories", "texts", "strength"):
        key = {"categories": "category", "texts": "text", "strength": "strength"}[name]
        if name in case:
            assert [getattr(hand, key) for hand in found.hands] == case[name]
    if "order" in case:
        assert [list(group) for group in found.order] == case["order"]


@each("deals")
def test_players_and_suits_may_be_exchanged(case: dict[str, Any]) -> None:
    found = compared(case)
    for order in itertools.permutations(range(len(case["hands"]))):
        turned = compared(case, hands=[case["hands"][i] for i in order])
        assert sorted(order[i] for i in turned.winners) == sorted(found.winners)
    if any(c in str(case) for c in "♣♦♥♠"):
        return
    for suits in ALL_SUITS:
        changed = compared(
            case,
            hands=[renamed_suits(hand, suits) for hand in case["hands"]],
            board=renamed_suits(case.get("board", ""), suits),
        )
        assert changed.winners == found.winners
        assert [hand.strength for hand in changed.hands] == [hand.strength for hand in found.hands]


@each("deals")
def test_the_command_names_the_winner(case: dict[str, Any]) -> None:
    if case.get("apart"):
        order = ["-r", "ace-to-five"]
    else:
        order = ["-g", case["game"]] if "game" in case else ["-r", case["ranking"]]
    # A few through processes; the others through the same function in this one.
    from click.testing import CliRunner

    from potshare.cli import cli

    arguments = ["evaluate", *case["hands"], *order, "-b", case.get("board", ""), "-f", "json"]
    (half,) = json.loads(CliRunner().invoke(cli, arguments, catch_exceptions=False).output)["halves"]
    assert half["winners"] == case["winners"]


def test_larger_is_better_in_every_ranking() -> None:
    # The first hand wins in each; in lows too the winner's number is the larger.
    better = {
        "high": ("AcAdKhQsJc", "KcKdAhQsJc"),
        "ace-to-five": ("5c4d3h2sAc", "6c4d3h2sAc"),
        "eight-or-better": ("8c4d3h2sAc", "9c4d3h2sAc"),
        "deuce-to-seven": ("7c5d4h3s2c", "8c5d4h3s2c"),
        "badugi": ("4c3d2hAs", "4c3d2hAh"),
        "short-deck": ("AcKcJcTc8c", "AcAdAhKcKd"),
        "three-card": ("AcKcJc", "4c3d2h"),
        "three-card-casino": ("4c3d2h", "AcKcJc"),
        "two-card-high": ("7c7d", "AcAd"),
        "two-card-low": ("7c7d", "3c2d"),
        "high-spade": ("As2c", "Ks3c"),
    }
    for ranking, (one, two) in better.items():
        assert ps.evaluate(one, ranking).strength > ps.evaluate(two, ranking).strength, ranking
        assert ps.compare([two, one], ranking).winners == (1,), ranking


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha8", "short-deck"])
def test_any_number_may_tie(players: int, game: str) -> None:
    # The board plays, or each of the players makes the same hand of it.
    if game in ("holdem", "short-deck"):
        board = "AsKsQsJsTs"
        low = "23456789" if game == "holdem" else "6789"
        pool = [r + s for r in low for s in "cdh"]
    else:
        board = "AsAhKsKhKc"
        pool = [r + s for r in "QJT9" for s in "cdhs"]
    size = 2 if game in ("holdem", "short-deck") else 4
    hands: list[str] = []
    if size == 2:
        hands = ["".join(pool[i : i + 2]) for i in range(0, 2 * players, 2)]
    else:
        # One of each rank: in Omaha nobody has a pair, and queen-jack plays for all but that a fifth queen is missing.
        if players > 4:
            pytest.skip("there are four queens")
        hands = ["".join(r + s for r in "QJT9") for s in "cdhs"[:players]]
    found = ps.equity(*hands, game=game, board=board)
    assert [Fraction(p.fraction or 0) for p in found.players] == [Fraction(1, players)] * players
    assert [p.counts for p in found.players] == [{"win": 0, "tie": 1, "lose": 0}] * players


# -- equities ---------------------------------------------------------------------------------------------------------


def check_equity(case: dict[str, Any], answer: dict[str, Any]) -> None:
    assert answer["method"] == "exact"
    players = answer["players"]
    assert [p["equity"] for p in players] == pytest.approx(case["equity"], abs=6e-9 if "deals" in case else 6e-7)
    if "deals" in case:
        assert answer["deals"] == case["deals"]
    if "wins" in case:
        assert [p["counts"]["win"] for p in players] == case["wins"]
    for player in players:
        if "ties" in case:
            assert player["counts"]["tie"] == case["ties"]
        if "tie" in case:
            assert player["tie"] == pytest.approx(case["tie"], abs=6e-9)
        assert player["win"] + player["tie"] + player["lose"] == pytest.approx(1, abs=1e-12)
    if "win" in case:
        assert [p["win"] for p in players] == pytest.approx(case["win"], abs=6e-9)
    for half, shares in case.get("halves", {}).items():
        assert [p["halves"][half]["equity"] for p in players] == shares
    if all(p["fraction"] for p in players):
        assert sum(Fraction(p["fraction"]) for p in players) == 1
    assert sum(p["equity"] for p in players) == pytest.approx(1, abs=1e-12)


def asked(case: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = ps.equity(*case["hands"], game=case["game"], board=case.get("board", ""), dead=case.get("dead", ""), **more)
    return found.to_dict()


@each("equities")
def test_equity(case: dict[str, Any]) -> None:
    check_equity(case, asked(case))
    turned = case | {
        name: case[name][::-1] for name in ("hands", "equity", "wins", "win") if name in case
    } | {"halves": {name: shares[::-1] for name, shares in case.get("halves", {}).items()}}  # fmt: skip
    check_equity(turned, asked(turned))


@each("equities")
def test_sampling_agrees_with_the_equity(case: dict[str, Any]) -> None:
    found = asked(case, method="monte-carlo", deals=20_000, seed=11)
    for player, equity in zip(found["players"], case["equity"], strict=True):
        assert abs(player["equity"] - equity) < 5 * player["stderr"] + 1e-9
    again = asked(case, method="monte-carlo", deals=20_000, seed=11, threads=2)
    assert again["players"] == found["players"]


def test_no_answer_depends_on_what_was_asked_before() -> None:
    cases = {case["id"]: case for case in CASES["equities"]}
    some = [
        cases["three-ranges"], cases["three-ranges-dead"], cases["board-plays"], cases["omaha-river"],
        cases["quartered"], cases["pat-nine"], cases["loser-of-three"],
    ]  # fmt: skip
    for order in itertools.islice(itertools.permutations(some), 0, None, 240):
        for case in order:
            check_equity(case, asked(case))
    same = ps.Range("AA"), ps.Range("QQ"), ps.Range("AKo")
    for name in ("three-ranges", "three-ranges-dead", "three-ranges", "three-ranges-dead"):
        found = ps.equity(*same, dead=cases[name].get("dead", ""))
        check_equity(cases[name], found.to_dict())
    assert [len(r) for r in same] == [6, 6, 12]


@pytest.mark.parametrize("name", ["three-ranges", "three-ranges-dead", "aces-against-anything", "pat-nine"])
def test_a_fresh_process_says_the_same(name: str) -> None:
    (case,) = (case for case in CASES["equities"] if case["id"] == name)
    out = potshare(
        "equity", *case["hands"], "-g", case["game"], "-d", case.get("dead", ""), "-b", case.get("board", ""),
        "-f", "json",
    ).stdout  # fmt: skip
    check_equity(case, json.loads(out))


REMOVED = [
    # A game, hands, a card that one of them could use, and the same hands without it.
    ("holdem", ["AA", "KK"], "As", 3, 6),
    ("short-deck", ["AA", "KK"], "As", 3, 6),
    ("holdem", ["AKs", "QQ"], "Ks", 3, 6),
]


@pytest.mark.parametrize(("game", "hands", "gone", "one", "two"), REMOVED)
def test_dead_and_board_cards_leave_the_ranges(game: str, hands: list[str], gone: str, one: int, two: int) -> None:
    found = ps.equity(*hands, game=game, dead=gone)
    assert [p.combos for p in found.players] == [one, two]
    board = gone + "7c8d"
    assert [p.combos for p in ps.equity(*hands, game=game, board=board).players] == [one, two]


FOLDED = {
    "holdem": ["AhKh", "QsQd"], "short-deck": ["AhKh", "QsQd"], "holdem8": ["AhKh", "QsQd"],
    "omaha": ["AhKhQcJc", "9s9d8s8d"], "omaha8": ["Ah2hQcJc", "9s9d8s8d"], "omaha5": ["AhKhQcJc2c", "9s9d8s8d3d"],
    "big-o": ["AhKhQcJc2c", "9s9d8s8d3d"], "omaha6": ["AhKhQcJc2c3c", "9s9d8s8d3d4d"],
    "courchevel": ["AhKhQcJc2c", "9s9d8s8d3d"],
    "stud": ["AhKhQcJcTs", "9s9d8s8d2d"], "stud8": ["AhKhQcJcTs", "9s9d8s8d2d"],
    "stud-hilo": ["AhKhQcJcTs", "9s9d8s8d2d"], "razz": ["Ah2h3c4cTs", "9s8d7s6d2d"],
    "five-card-stud": ["AhKhQc", "9s9d8s"], "chicago": ["AhKhQc", "9s9d8s"], "lowball-stud": ["Ah2h3c", "9s8d7s"],
    "draw": ["AhKhQcJc/2c", "9s9d/8s7d2d"], "deuce-to-seven": ["2h3h4c7c/Kc", "9s8d6s4d/Ad"],
    "ace-to-five": ["Ah2h3c4c/Kc", "9s8d6s5d/Kd"],
}  # fmt: skip


@pytest.mark.parametrize("game", FOLDED)
def test_no_dead_card_is_ever_dealt(game: str) -> None:
    # All but a few cards are dead: the answer must be the one that those few give, and say so.
    hands = FOLDED[game]
    from potshare.simulate.variants import find_variant

    variant = find_variant(game)
    held = {c for hand in hands for c in ps.parse_cards(hand.replace("/", ""))}
    rest = [c for c in variant.deck if c not in held]
    rng = np.random.default_rng(7)
    kept = 9
    dead = rng.permutation(rest)[kept:].tolist()
    exact = ps.equity(*hands, game=game, dead=ps.format_cards(dead), method="exact")
    sampled = ps.equity(*hands, game=game, dead=ps.format_cards(dead), method="monte-carlo", deals=20_000, seed=3)
    for one, two in zip(exact.players, sampled.players, strict=True):
        assert abs(one.equity - two.equity) < 5 * two.stderr + 1e-9
    assert sum(Fraction(p.fraction or 0) for p in exact.players) == 1


def test_category_odds_of_one_hand() -> None:
    # The same odds as counts of every last pair of cards.
    board, hand = ps.parse_cards("KdKh2s"), ps.parse_cards("KsQs")
    rest = [c for c in range(52) if c not in board + hand]
    last = np.array(list(itertools.combinations(rest, 2)), np.uint8)
    cards = np.concatenate([np.tile(np.array(board + hand, np.uint8), (len(last), 1)), last], axis=1)
    codes = ps.categories(ps.strengths(cards, "high"), "high")
    names = ps.find_ranking("high").categories
    found = {names[code]: int(n) for code, n in enumerate(np.bincount(codes, minlength=len(names))) if n}
    assert found == {"three of a kind": 675, "flush": 45, "full house": 315, "four of a kind": 46}
    assert sum(found.values()) == 1081


def test_two_unknown_opponents_are_sampled_until_the_asked_error() -> None:
    found = ps.equity("AsKs", "random", "random", stderr=0.001, seed=4)
    assert (found.method, found.stop) == ("monte-carlo", "stderr")
    assert max(p.stderr for p in found.players) <= 0.001
    assert abs(found.players[0].equity - 0.50714) < 5 * found.players[0].stderr
    limited = ps.equity("AsKs", "random", "random", method="monte-carlo", deals=5_000, seed=4)
    assert (limited.stop, limited.deals) == ("deals", 5_000)


@pytest.mark.parametrize("game", ["holdem", "omaha", "razz", "deuce-to-seven"])
def test_a_seed_fixes_the_deals_whatever_the_threads(game: str) -> None:
    hero = {"holdem": "AsKs", "omaha": "AsKsQdJd", "razz": "As2s3d", "deuce-to-seven": "2s3d4h7c"}[game]

    def ask(seed: int, threads: int) -> Any:
        return ps.equity(
            hero, "random", game=game, method="monte-carlo", deals=100_000, seed=seed, threads=threads
        ).players

    first = ask(1, 1)
    assert all(ask(1, threads) == first for threads in (1, 2, 4))
    assert ask(2, 2) != first


# -- text -------------------------------------------------------------------------------------------------------------


@each("ranges")
def test_range(case: dict[str, Any]) -> None:
    found = ps.Range(case["text"], board=case.get("board", ""))
    assert len(found) == case["combos"]
    weights = {frozenset(map(int, combo)): weight for combo, weight in found}
    assert len(weights) == case["combos"]
    assert all(len(combo) == 2 for combo in weights)

    def of(hand: str) -> float:
        return weights.get(frozenset(ps.parse_cards(hand)), 0.0)

    assert all(of(hand) > 0 for hand in case.get("holds", ()))
    assert all(of(hand) == 0 for hand in case.get("lacks", ()))
    assert all(of(hand) == weight for hand, weight in case.get("weights", {}).items())
    if "weight" in case:
        assert sum(weights.values()) == case["weight"]
    if "ratio" in case:
        more, less, percent = case["ratio"]
        assert 100 * of(more) / of(less) == percent


@each("same_equities")
def test_texts_that_mean_the_same(case: dict[str, Any]) -> None:
    answers = [[p.equity for p in ps.equity(text, case["against"]).players] for text in case["ranges"]]
    assert all(answer == pytest.approx(answers[0], abs=1e-12) for answer in answers)


@pytest.mark.parametrize("pair", RANKS)
def test_every_pair_is_six_hands(pair: str) -> None:
    assert {tuple(sorted(map(int, c))) for c in ps.Range(pair * 2).combos} == set(
        itertools.combinations([4 * RANKS.index(pair) + s for s in range(4)], 2)
    )


@pytest.mark.parametrize(("high", "low"), list(itertools.combinations(reversed(RANKS), 2)))
def test_every_two_ranks_as_range(high: str, low: str) -> None:
    top = RANKS.index(high)
    steps = top - RANKS.index(low)
    assert [len(ps.Range(high + low + kind)) for kind in ("s", "o", "")] == [4, 12, 16]
    assert [len(ps.Range(high + low + kind + "+")) for kind in ("s", "o")] == [4 * steps, 12 * steps]
    assert len(ps.Range((high + low).lower() + "s")) == 4
    assert ps.Range(f"{low}{high}s") == ps.Range(f"{high}{low}s")


@each("refused")
def test_refused_with_a_reason(case: dict[str, Any]) -> None:
    done = potshare(*case["arguments"], status=2)
    assert done.stdout == ""
    for part in case["says"]:
        assert part in done.stderr, done.stderr


# Letters of other alphabets that look like the letters of cards.
LOOKALIKES = {
    "с": "c", "ѕ": "s", "һ": "h", "ԁ": "d", "А": "A", "К": "K", "Т": "T", "Ј": "J", "Α": "A", "Κ": "K", "Τ": "T",
    "Ａ": "A", "ｈ": "h", "２": "2", "𝐊": "K",
}  # fmt: skip


@pytest.mark.parametrize("foreign", LOOKALIKES)
def test_foreign_letters_are_named(foreign: str) -> None:
    meant = LOOKALIKES[foreign]
    text = f"Qd{foreign}h" if meant in RANKS else f"QdA{foreign}"
    for read in (ps.parse_cards, ps.evaluate, ps.Range):
        with pytest.raises(ps.TextError) as error:
            read(text)
        assert f"U+{ord(foreign):04X}" in str(error.value)
        assert text[error.value.start] == foreign
        assert f"'{meant}'" in str(error.value)


@pytest.mark.parametrize("number", range(52))
def test_every_spelling_of_every_card(number: int) -> None:
    name = ps.format_cards([number])
    rank, suit = name
    symbol = suit.translate(SYMBOLS)
    spellings = {name, name.lower(), name.upper(), rank.lower() + suit.upper(), rank + symbol, rank + symbol + "\ufe0f"}
    if rank == "T":
        spellings |= {"10" + suit, "10" + suit.upper(), "10" + symbol}
    for text in spellings:
        assert ps.parse_cards(text) == (number,)
        assert ps.parse_cards(f" {text} ,") == (number,)
        assert len(ps.Range(text, "omaha")) > 0
    for bad in (f"{name}{name}", f"{name} {name.lower()}", f"{name},{rank}{symbol}"):
        with pytest.raises(ps.TextError, match=name):
            ps.parse_cards(bad)
    for bad in (rank, f"1{suit}", f"0{suit}", f"{suit}{rank}", f"{rank}{suit}{rank}", f"100{suit}", f"{rank}z"):
        with pytest.raises(ps.TextError):
            ps.parse_cards(bad)


PLACES = {
    "two hands": (["AhKh", "AhQs"], "", ""),
    "hand and board": (["AhKh", "QsQd"], "Ah7c2d", ""),
    "hand and dead": (["AhKh", "QsQd"], "", "Ah"),
    "board and dead": (["AcKc", "QsQd"], "Ah7c2d", "Ah"),
    "in a hand": (["AhAh", "QsQd"], "", ""),
    "on the board": (["AcKc", "QsQd"], "Ah7cAh", ""),
    "among the dead": (["AcKc", "QsQd"], "", "AhAh"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("game", ["holdem", "omaha", "short-deck"])
def test_a_card_is_in_one_place_only(place: str, game: str) -> None:
    hands, board, dead = PLACES[place]
    if game == "omaha":
        hands = [hand + more for hand, more in zip(hands, ("TcTd", "JcJd"), strict=True)]
    board = board.replace("2d", "8d").replace("7c", "7c")
    for method in ("auto", "exact", "monte-carlo"):
        with pytest.raises(PotshareError, match="Ah"):
            ps.equity(*hands, game=game, board=board, dead=dead, method=method)


# -- pots -------------------------------------------------------------------------------------------------------------


def strengths_of(case: dict[str, Any]) -> list[list[int]]:
    """The halves of a case: written, or found from its cards (0 for a hand that nobody shows)."""
    if "game" not in case:
        return case["halves"]
    from potshare.simulate.variants import find_variant

    halves = []
    for half in find_variant(case["game"]).halves:
        values = [
            0 if hand is None else ps.evaluate(
                hand, half.ranking, board=case.get("board", ""), selection=half.selection
            ).strength
            for hand in case["hands"]
        ]  # fmt: skip
        halves.append(values)
    return halves


@each("pots")
def test_pots(case: dict[str, Any]) -> None:
    paid = ps.settle(case["contributions"], case["folded"], strengths_of(case), case.get("order"))
    assert list(paid.payouts) == case["payouts"]
    assert list(paid.net) == [p - c for p, c in zip(case["payouts"], case["contributions"], strict=True)]
    assert [[pot.amount, list(pot.eligible)] for pot in paid.layers] == case["layers"]
    assert sum(paid.payouts) == sum(case["contributions"])
    if "returned" in case:
        assert list(paid.returned) == case["returned"]
    if "board" in case and "game" not in case:
        shown = [i for i, hand in enumerate(case["hands"]) if hand and i not in case["folded"]]
        values = [ps.evaluate(case["hands"][i], board=case["board"]).strength for i in shown]
        written = [case["halves"][0][i] for i in shown]
        assert [sorted(set(values)).index(v) for v in values] == [sorted(set(written)).index(w) for w in written]


@each("pots")
def test_pots_whatever_the_seats(case: dict[str, Any]) -> None:
    seats = len(case["contributions"])
    halves = strengths_of(case)
    order = case.get("order") or list(range(seats))
    for turn in itertools.permutations(range(seats)):
        place = {seat: turn.index(seat) for seat in range(seats)}
        paid = ps.settle(
            [case["contributions"][s] for s in turn],
            [place[s] for s in case["folded"]],
            [[half[s] for s in turn] for half in halves],
            [place[s] for s in order],
        )
        assert [paid.payouts[place[s]] for s in range(seats)] == case["payouts"]


@each("pots")
def test_pots_in_bulk(case: dict[str, Any], tmp_path: Path) -> None:
    if case["id"] in ("odd-chip-other-order",) or "hands" not in case:
        pytest.skip("the rows of a table have cards")
    from potshare.cli import cli

    if "score" not in cli.commands:
        pytest.skip("there is no command `potshare score` yet")
    hands = ",".join(hand or "" for hand in case["hands"])
    if len(case["hands"]) < len(case["contributions"]):
        hands += "," * (len(case["contributions"]) - len(case["hands"]))
    row = {
        "hands": hands, "board": case.get("board", ""), "contributions": ",".join(map(str, case["contributions"])),
        "folded": ",".join(str(s + 1) for s in case["folded"]), "game": case.get("game", "holdem"),
    }  # fmt: skip
    file = tmp_path / "rows.ndjson"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    out = tmp_path / "out.ndjson"
    potshare("score", str(file), "-o", str(out), "-g", row["game"])
    (found,) = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert found.get("error") in (None, ""), found
    payouts = found["payouts"]
    payouts = [int(p) for p in re.split(r"[,;]", payouts)] if isinstance(payouts, str) else payouts
    assert payouts == case["payouts"]


def test_a_bad_row_is_named_and_the_others_are_scored(tmp_path: Path) -> None:
    from potshare.cli import cli

    if "score" not in cli.commands:
        pytest.skip("there is no command `potshare score` yet")
    rows = [("AhKhQh2c3d", "AsAd,2s2d"), ("AhKhQh", "AsAs,2c2d"), ("AhKhQh2c3d", "2s2d,AsAd")]
    file = tmp_path / "rows.csv"
    file.write_text("board,hands,pot\n" + "".join(f'{b},"{h}",10\n' for b, h in rows), "utf-8")
    done = potshare("score", str(file), "--output-format", "ndjson", status=1)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 3
    assert "As" in found[1]["error"]
    assert "row 2" in found[1]["error"]
    assert "As" in done.stderr
    assert not found[0].get("error")
    assert not found[2].get("error")
    winners = [str(row["winners"]).strip("[]") for row in found]
    assert (winners[0], winners[2]) == ("1", "2")


# -- the program ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "arguments",
    ["equity A♠K♠ Q♥Q♦ -b 2♣7♦9♥", "evaluate A♠K♠Q♥Q♦2♣", "range A♠K♠,QQ --grid", "games omaha8", "equity --help"],
)
def test_every_console_prints_it(encoding: str, arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8=0", "-m", "potshare", *shlex.split(arguments)],
        capture_output=True, timeout=120, cwd="/",
        env={**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # Click takes ASCII for a console that was set up wrong, and prints UTF-8.
    assert done.stdout.decode("utf-8" if encoding == "ascii" else encoding)
    assert b"UnicodeEncodeError" not in done.stderr


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_importing_everything_stays_small() -> None:
    code = (
        "import {};\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )  # fmt: skip

    def peak(modules: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", code.format(modules)], capture_output=True, text=True, cwd="/", check=True
        )
        return int(done.stdout)

    base = peak("numpy, numba, click, numba.core.registry")
    assert peak("potshare") < base
    assert peak("potshare.simulate.equity, potshare.evaluator.evaluate") < base + 50_000

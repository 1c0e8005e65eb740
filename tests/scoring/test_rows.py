"""Rows: known cases, what is refused and in which words, and the compiled reading against the one in Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.errors import PotshareError
from potshare.evaluator.cards import card_name
from potshare.simulate.scoring.batch import Columns, Wanted, score_columns
from potshare.simulate.scoring.files import Block
from potshare.simulate.scoring.reading import read_row
from potshare.simulate.variants import find_variant

Row = dict[str, Any]


def score(rows: Sequence[Row], game: str = "holdem", **wanted: bool) -> list[Row]:
    """The answers of rows, as they come in NDJSON."""
    block = Block(len(rows), records=[dict(r) for r in rows])
    return score_columns(block.columns(), find_variant(game), Wanted(**wanted)).to_dicts()


def one(game: str = "holdem", /, **row: Any) -> Row:
    """The answer of one row."""
    return score([row], game, words=True, halves=True, pots=True)[0]


BOARD = "4d7s6sJdJh"
LADDER = ["AcAd", "KcKh", "QcQh", "TcTh", "9c9h"]
"""Hands for the board in falling order."""


def ranked(strengths: Sequence[int]) -> list[str]:
    """Hands with the order, and the ties, of given strengths."""
    levels = sorted(set(strengths), reverse=True)
    used: dict[int, int] = {}
    pairs = {0: ("AcKd", "AhKs"), 1: ("QcTd", "QhTs"), 2: ("9c8d", "9h8s"), 3: ("5c3d", "5h3s")}
    third = {0: "AdKh", 1: "QdTh"}
    hands = []
    for s in strengths:
        level = levels.index(s)
        n = used.get(level, 0)
        used[level] = n + 1
        hands.append((*pairs[level], third.get(level, ""))[n])
    return hands


CASES = [
    # chips, live seats, strengths, payouts, contested pots (amount, eligible from 1)
    ([100, 80, 20], [0, 1, 2], [10, 2, 10], [170, 0, 30], [(60, [1, 2, 3]), (120, [1, 2])]),
    ([100, 80, 20], [0, 1, 2], [2, 10, 2], [20, 180, 0], [(60, [1, 2, 3]), (120, [1, 2])]),
    ([40, 80, 80], [0, 1, 2], [3, 2, 1], [120, 80, 0], [(120, [1, 2, 3]), (80, [2, 3])]),
    ([100, 100, 300, 300], [0, 1], [2, 1, 9, 9], [800, 0, 0, 0], [(800, [1, 2])]),
    ([120360, 200, 89820, 89820], [0, 2, 3], [3, 0, 1, 1], [300200, 0, 0, 0], [(269660, [1, 3, 4])]),
    ([50, 100, 150], [0, 1, 2], [7, 7, 7], [50, 100, 150], [(150, [1, 2, 3]), (100, [2, 3])]),
    ([100, 100, 100], [1, 2], [9, 5, 3], [0, 300, 0], [(300, [2, 3])]),
    ([34, 34, 33], [0, 1], [5, 5, 0], [51, 50, 0], [(101, [1, 2])]),
    ([10000, 10000, 10000, 100, 200], [0, 1, 2], [5, 5, 5, 0, 0], [10100, 10100, 10100, 0, 0], [(30300, [1, 2, 3])]),
]


def check_case(
    chips: list[int], live: list[int], strengths: list[int], paid: list[int], pots: Sequence[tuple[int, list[int]]]
) -> None:
    """Scores a case whose strengths are given, with hands that have them."""
    folded = [s for s in range(len(chips)) if s not in live]
    hands = iter(ranked([strengths[s] for s in live]))
    texts = [next(hands) if s in live else "-" for s in range(len(chips))]
    answer = one(board=BOARD, hands=texts, contributions=chips, folded=[s + 1 for s in folded])
    assert answer["error"] is None
    assert answer["payouts"] == paid
    assert answer["net"] == [p - c for p, c in zip(paid, chips, strict=True)]
    contested = [(p["amount"], p["eligible"]) for p in answer["pots"] if p["half"] == "high"]
    assert contested == list(pots)
    assert sum(map(Fraction, answer["shares"])) == 1


@pytest.mark.parametrize(("chips", "live", "strengths", "paid", "pots"), CASES)
def test_known_pots(
    chips: list[int], live: list[int], strengths: list[int], paid: list[int], pots: list[tuple[int, list[int]]]
) -> None:
    check_case(chips, live, strengths, paid, pots)


def test_the_odd_chip_goes_left_of_the_button() -> None:
    row: Row = {"board": BOARD, "hands": ["AcKd", "AhKs"], "pot": 101}
    assert one(**row)["payouts"] == [51, 50]
    assert one(**row, button=1)["payouts"] == [50, 51]
    assert one(**row, button=2)["payouts"] == [51, 50]


def test_three_way_tie_with_real_cards() -> None:
    answer = one(board=BOARD, hands="ThAc,AdTd,TsAs", contributions="10000,10000,10000,100,200", folded="4,5")
    assert answer["payouts"] == [10100, 10100, 10100, 0, 0]
    assert answer["words"][:3] == ["pair of jacks (A T 7)"] * 3
    assert answer["words"][3:] == [None, None]
    assert answer["shares"] == ["1/3", "1/3", "1/3", "0", "0"]


def test_the_uncalled_part_goes_back() -> None:
    hands = ["6dJc", "folded", "8c4d", "5d4h"]
    answer = one(board="3hAsJsQdKd", hands=hands, contributions=[120360, 200, 89820, 89820])
    assert answer["payouts"] == [300200, 0, 0, 0]
    assert answer["pots"][-1] == {
        "amount": 30540,
        "eligible": [1],
        "half": "returned",
        "winners": [1],
        "payouts": [30540, 0, 0, 0],
    }
    assert answer["shares"] == ["1", "0", "0", "0"]


def test_no_qualifying_low_gives_all_to_the_high() -> None:
    answer = one("omaha8", board="KsQd9hTc2d", hands="As2s3c4h,KdKhJdJc", pot=101)
    assert answer["payouts"] == [0, 101]
    assert answer["halves"][1] == {"half": "low", "winners": [], "payouts": [0, 0]}


def test_high_and_low_are_decided_for_each_pot() -> None:
    hands = ["AsAdAc2h7s9dKc", "KsKhQdQc3s4d8c", "2s3d4h6c8hTdJc"]
    answer = one("stud8", hands=hands, contributions=[30, 90, 90])
    assert answer["payouts"] == [45, 60, 105]
    assert [(p["amount"], p["half"], p["winners"]) for p in answer["pots"]] == [
        (90, "high", [1]),
        (90, "low", [3]),
        (120, "high", [2]),
        (120, "low", [3]),
    ]


def test_quarters() -> None:
    hands = ["AsKs2d3c", "AdQc2h8h", "Ac9d2sTh"]
    answer = one("omaha8", board="KhKd4c5h7s", hands=hands, pot=1200)
    assert answer["payouts"] == [800, 200, 200]
    assert answer["shares"] == ["2/3", "1/6", "1/6"]


def test_every_batch_case_beside_the_checkout(shared: Path) -> None:
    cases = [c for c in json.loads((shared / "cases/field_cases.json").read_text("utf-8")) if c["job"] == "batch"]
    assert cases
    for case in cases:
        given, wanted = case["input"], case["expected"]
        if "game" in given:
            row = {k: given[k] for k in ("board", "hands", "contributions", "pot") if k in given}
            assert one(given["game"], **row)["payouts"] == wanted["received"], case["id"]
        elif "contributions" in given:
            live = given["not_folded"]
            pots = [(p["amount"], [s + 1 for s in p["eligible"]]) for p in wanted["pots"] if len(p["eligible"]) > 1]
            check_case(given["contributions"], live, given["strength (higher wins)"], wanted["received"], pots)
            if "cards" in wanted:
                hands = list(wanted["cards"]["hands"])
                hands += [""] * (len(given["contributions"]) - len(hands))
                out = [s + 1 for s in range(len(hands)) if s not in live]
                answer = one(
                    board=wanted["cards"]["board"], hands=hands, contributions=given["contributions"], folded=out
                )
                assert answer["payouts"] == wanted["received"], case["id"]


GAMES = [
    ("short-deck", "6h7h8hKcKd", ["9hTh", "KsKh"], [1]),
    ("omaha", "2h3h4h5hKs", ["AhKdKcQc", "6hTh9c9d"], [2]),
    ("razz", "", ["As2d3c4h5sKdKc", "Ah2h3h4d6sQcQd"], [1]),
    ("stud", "2c", ["AsAdKc4h5s9d", "QhQsKh4d6sJc"], [1]),
    ("deuce-to-seven", "", ["7s5d4c3h2s", "7d5h4h3c2c"], [1, 2]),
    ("badugi", "", ["As2d3c4h", "Ah2h3h4d"], [1]),
    ("badacey", "", ["As2d3c4h5s", "Ah2h3h4d6s"], [1]),
    ("chicago", "", ["As2d3c4h6d", "KsKdKc4s6s"], [1, 2]),
    ("double-board-holdem", "AhKhQh2c3c/4d5d6d7c8c", ["JhTh", "9c9d"], [1, 2]),
    ("draw-joker", "", ["JkAsAdAcKs", "KdKhKcQsQd"], [1]),
    ("murder", "", ["7s7d", "3c2h"], [1]),
    ("three-card-stud", "", ["AsKsQs", "2c2d2h"], [1]),
]


@pytest.mark.parametrize(("game", "board", "hands", "winners"), GAMES)
def test_games_of_every_kind(game: str, board: str, hands: list[str], winners: list[int]) -> None:
    answer = one(game, board=board, hands=hands, pot=90)
    assert answer["error"] is None
    assert answer["winners"] == winners
    assert sum(answer["payouts"]) == 90
    assert None not in answer["words"]


def test_rows_of_several_games_stay_in_order() -> None:
    rows = [{"game": g, "board": b, "hands": h, "pot": 60} for g, b, h, _ in GAMES] * 2
    rows.insert(3, {"game": "hold-em-all", "hands": "AhAd,KhKd"})
    rows.insert(5, {"game": "../games/holdem.toml", "hands": "AhAd,KhKd"})
    answers = score(rows)
    assert "there is no game 'hold-em-all'" in answers[3]["error"]
    assert "is a path" in answers[5]["error"]
    del answers[5], answers[3]
    assert [a["winners"] for a in answers] == [w for *_, w in GAMES] * 2


REFUSED = [
    ({"hands": "AsAs,2c2d", "board": "AhKhQhJh2h"}, "hands: hand 1: the card As is written twice"),
    ({"hands": "AsAd,2c2d", "board": "AsKhQhJh2h"}, "hands: hand 1: the card As is also in board"),
    ({"hands": "AsAd,2cAd", "board": "3sKhQhJh2h"}, "hands: hand 2: the card Ad is also in hands: hand 1"),
    ({"hands": "AsXd,2c2d", "board": "3sKhQhJh2h"}, "hands: hand 1: 'X' at position 3 is not a card rank"),
    ({"hands": "AsАd,2c2d", "board": "3sKhQhJh2h"}, "CYRILLIC"),
    ({"hands": "AsA,2c2d", "board": "3sKhQhJh2h"}, "hands: hand 1: 'A' has no suit"),
    ({"hands": "As,2c2d", "board": "3sKhQhJh2h"}, "hands: hand 1 has 1 card, As; at a showdown of holdem it is 2"),
    ({"hands": "AsAd,2c2d", "board": "KhQhJh"}, "board has 3 cards; at a showdown of holdem it is 5"),
    ({"hands": "AsAd,2c2d", "board": "KhKhJh2h3h"}, "board: the card Kh is written twice"),
    ({"hands": "AsAd,2c2d"}, "board is missing; at a showdown of holdem it is 5"),
    ({"hand1": "AsAd", "hand2": "QhQh", "board": "3sKhTh7h2h"}, "hand2: the card Qh is written twice"),
    ({"hand1": "AsAd", "hand3": "QhQc", "board": "3sKhTh7h2h"}, "hand2 is missing, and seat 2 is not among the folded"),
    ({"hands": "AsAd,??", "board": "3sKhTh7h2h"}, "hands: hand 2: ?? is an unknown card"),
    ({"hands": "AsAd,QhQc", "hand1": "AsAd", "board": "3sKhTh7h2h"}, "hands: there are hands both here and in hand1"),
    ({"board": "3sKhTh7h2h"}, "hands is missing"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "pot": 12.5}, "pot is 12.5; chips are whole numbers"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "pot": "-5"}, "pot is -5; amounts are 0 to 999999999999999"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "pot": 10**16}, "amounts are 0 to"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "contributions": "1,x"}, "contributions[2] is 'x'"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "contributions": [1]}, "contributions has 1 amounts for 2 seats"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "contributions": [5, 5], "pot": 11}, "contributions add up to 10"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "folded": "0"}, "folded names seat 0"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "folded": "1,1"}, "folded names seat 1 twice"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "folded": "1,2"}, "every seat has folded"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "folded": ["true"]}, "folded has 1 flags for 2 seats"),
    ({"hands": "AsAd,QhQc", "board": "3sKhTh7h2h", "button": 3}, "button is 3; write the seat that has it, 1 to 2"),
    ({"hands": [1, 2], "board": "3sKhTh7h2h"}, "hands: hand 1: 1 is not cards"),
    ({"hands": "AsAd,QhQc", "board": 7}, "board: 7 is not cards"),
]


@pytest.mark.parametrize(("row", "message"), REFUSED)
def test_a_bad_row_names_field_and_card(row: Row, message: str) -> None:
    good = {"hands": "AsAd,QhQc", "board": "3sKhTh7h2h"}
    before, bad, after = score([good, row, good])
    assert message in bad["error"]
    assert "\n" not in bad["error"]
    assert bad["winners"] is bad["payouts"] is None
    assert before == after
    assert before["winners"] == [2]


SAME = [
    "AhAd,KhKd", "AhAd;KhKd", "Ah Ad, Kh Kd", "Ah,Ad;Kh,Kd", "AhAd KhKd", "ahad,khkd", "AHAD,KHKD", "A♥A♦,K♥K♦",
    '["AhAd","KhKd"]', ["AhAd", "KhKd"], [["Ah", "Ad"], ["Kh", "Kd"]], "A_h".replace("_", "") + "Ad,KhKd;".strip(";"),
]  # fmt: skip


@pytest.mark.parametrize("hands", SAME)
def test_spellings_of_the_same_hands(hands: Any) -> None:
    answer = one(board="10s Jd,2c_3c 4h", hands=hands, pot="100")
    assert answer["error"] is None
    assert answer["payouts"] == [100, 0]


def test_one_player_left_shows_nothing() -> None:
    answer = one(hands="", contributions=[50, 20, 0], folded=[2, 3])
    assert answer["payouts"] == [70, 0, 0]
    assert answer["winners"] == [1]
    assert answer["shares"] == ["1", "0", "0"]


def test_shares_that_are_too_fine_for_the_kernel_are_still_exact() -> None:
    chips = [999_999_999_999_989, 999_999_999_999_877, 999_999_999_999_767, 7]
    answer = one(board="AhKhQhJhTh", hands=["2c3c", "4c5c", "6c7c", "8c9c"], contributions=chips)
    assert sum(answer["payouts"]) == sum(chips)
    assert sum(map(Fraction, answer["shares"])) == 1
    assert answer["winners"] == [1, 2, 3, 4]


# -- the kernels against Python -------------------------------------------------------------------------------------

CELL = st.text(alphabet='AKQJT98765432cdhsCH10 ,;_-x/[]"?é', max_size=24)
CARD = st.integers(0, 51).map(card_name)
CARDS = st.lists(CARD, min_size=0, max_size=5).map("".join)
HANDS = st.lists(CARDS, min_size=1, max_size=4).map(lambda h: ",".join(h))
NUMBERS = st.lists(st.integers(0, 200).map(str), max_size=5).map(",".join)
RANDOM_ROW = st.fixed_dictionaries(
    {
        "hands": CELL | HANDS,
        "board": CELL | CARDS,
        "pot": st.sampled_from(["", "10", "x", " 7 ", "1,2", "9999999999999999"]),
        "contributions": st.sampled_from(["", "5,5", "[5, 10]", "1;2;3"]) | NUMBERS,
        "folded": st.sampled_from(["", "1", "2", "true,false", "p1", "9"]),
        "button": st.sampled_from(["", "1", "2", "0"]),
    }
)


def _columns(rows: Sequence[Mapping[str, str]], spoil: str) -> Columns:
    text: dict[str, pl.Series | None] = {
        name: pl.Series([row[name] + spoil for row in rows], dtype=pl.String) for name in rows[0]
    }
    return Columns(len(rows), text, lambda i: rows[i])


@given(st.lists(RANDOM_ROW, min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_compiled_reading_agrees_with_python(rows: list[dict[str, str]]) -> None:
    variant = find_variant("holdem")
    fast = score_columns(_columns(rows, ""), variant, Wanted()).to_dicts()
    # A byte that the kernels refuse sends every row to Python.
    slow = score_columns(_columns(rows, "\x01"), variant, Wanted()).to_dicts()
    assert fast == slow


@st.composite
def deals(draw: st.DrawFn) -> dict[str, str]:
    """A row that can be scored."""
    seats = draw(st.integers(2, 6))
    cards = draw(st.permutations(range(52)))
    hands = [cards[2 * s] for s in range(seats)], [cards[2 * s + 1] for s in range(seats)]
    folded = draw(st.sets(st.integers(1, seats), max_size=seats - 1))
    chips = draw(st.lists(st.integers(0, 40), min_size=seats, max_size=seats))
    mark = draw(st.sampled_from([",", ";", " ", ", "]))
    return {
        "hands": mark.join(card_name(a) + card_name(b) for a, b in zip(*hands, strict=True)),
        "board": draw(st.sampled_from(["", " ", ","])).join(map(card_name, cards[40:45])),
        "contributions": ";".join(map(str, chips)),
        "folded": ",".join(map(str, sorted(folded))),
        "pot": "",
        "button": draw(st.sampled_from(["", "1", "2"])),
    }


@given(st.lists(deals(), min_size=1, max_size=20))
@settings(max_examples=40, deadline=None)
def test_good_rows_are_scored_alike_and_conserve_chips(rows: list[dict[str, str]]) -> None:
    variant = find_variant("holdem")
    fast = score_columns(_columns(rows, ""), variant, Wanted(halves=True, words=True)).to_dicts()
    slow = score_columns(_columns(rows, "\x01"), variant, Wanted(halves=True, words=True)).to_dicts()
    assert fast == slow
    for row, answer in zip(rows, fast, strict=True):
        assert answer["error"] is None
        chips = [int(c) for c in row["contributions"].split(";")]
        assert sum(answer["payouts"]) == sum(chips)
        assert sum(answer["net"]) == 0
        assert sum(map(Fraction, answer["shares"])) == 1
        assert [s + 1 for s, share in enumerate(answer["shares"]) if share != "0"] == answer["winners"]
    # Each row by itself, and in the other order: the same.
    assert score_columns(_columns(rows[::-1], ""), variant, Wanted(halves=True, words=True)).to_dicts()[::-1] == fast


def test_the_order_of_seats_does_not_matter() -> None:
    hands, chips = ["AcAd", "KcKh", "QcQh", "AhTs"], [100, 60, 60, 20]
    first = one(board="2s3s8dJd9c", hands=hands, contributions=chips)["payouts"]
    turned = one(board="2s3s8dJd9c", hands=hands[::-1], contributions=chips[::-1])["payouts"]
    assert turned[::-1] == first


def test_reading_a_row_by_itself() -> None:
    row = read_row({"hands": "AhAd,KhKd", "board": "2c3c4c5c7d", "pot": "5"}, find_variant("holdem"))
    assert len(row.hands) == 2
    with pytest.raises(PotshareError, match="hands is missing"):
        read_row({}, find_variant("holdem"))

"""Hold'em shorthand: counts that are known, spellings that mean the same, and errors that point at the place."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import RANKS, format_cards, parse_cards
from potshare.simulate.ranges import Range, parse_range


def hands(text: str, **more: object) -> set[str]:
    return {format_cards(row) for row, _ in Range(text, **more)}  # type: ignore[arg-type]


COUNTS = {
    "22": 6, "AKs": 4, "AKo": 12, "AK": 16, "AsKh": 1, "22+": 78, "A2s+": 48, "T8s+": 8, "AJo+": 36, "66-": 30,
    "A5s-": 16, "88-55": 24, "A5s-A2s": 16, "JTs-76s": 20, "54s-T9s": 24, "AXs": 48, "KX": 198, "AX": 198, "AXo": 150,
    "XX": 1326, "XXs": 312, "XXo": 1014, "random": 1326, "*": 1326, "**": 1326, "100%": 1326, "AA!AsAh": 5,
    "22+!77": 72, "KK+,A2s+": 60, "JJ+, A2s+": 72, "AKs-87s,A2s+": 72, "77+,ATs+,KTs+,QJs,AJo+,KQo": 128,
    "99-22,AQs-A8s,A5s-A4s,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,AQo-AJo,KQo": 176, "6c5c,AQo+": 25, "QQ:0.99,22": 12,
    "AQs-A9s,As8s,Ad8d,Ah8h,A5s-A4s,K9s+,Q9s+,J9s+,T9s,Ts8s,Td8d,Th8h,66-22,7s7d,7s7h,7d7h,8s8d,8s8h,8d8h,99,65s,"
    "7s6s,7d6d,7h6h,8s7s,8d7d,8h7h,9s8s,9d8d,9h8h,9s7s,9d7d,9h7h,AQo-AJo,KQo": 164,
    "AhX": 51, "Ah": 51, "AhXh": 12, "xx": 312, "xy": 1014, "RR": 78, "RN": 1248, "A": 198, "A*": 198, "h": 585,
    "h*": 585, "hh": 78, "T+": 830, "[A,K]": 380, "[As,Kd]": 101, "A[K,Q]": 32, "A[s,h]": 101, "$np": 1248, "$op": 78,
    "$0g": 192, "$1g": 176, "$2g": 160, "$ss": 312, "$ns": 1014, "$B$B": 120, "$Z": 830, "AK:xx": 4, "AA:22": None,
    "22+:[A,K]": 12, "(AA,KK)!AsAh": 11, "AA:(As,Ah)": 5, "*!A": 1128, "AhJh+": 3, "AhKh-ThJh": 4, "9h-7h": 150,
    "A2o+": 144, "98s-": 28, "AK-A2": 192, "K2s-K5s": 16, "AKo-AKo": 12,
}  # fmt: skip


@pytest.mark.parametrize(("text", "count"), [(t, n) for t, n in COUNTS.items() if n is not None])
def test_counts(text: str, count: int) -> None:
    found = Range(text)
    assert len(found) == found.total == count
    assert (found.combos[:, 0] > found.combos[:, 1]).all()
    assert len({tuple(row) for row in found.combos.tolist()}) == count


SAME = [
    ["AKs", "aks", "AKS", "aKS", "KAs", "AxKx", "KxAx", "AK:xx", "AsKs,AhKh,AdKd,AcKc", "A♠K♠;A♥K♥;A♦K♦;A♣K♣",
     "AK!AKo", "AKs-AKs", "AK!xy"],
    ["AKo", "ako", "AKO", "KAo", "AxKy", "AK:xy", "AK!xx", "AK!AKs"],
    ["TT", "tt", "1010", "T10", "10T", "tT", "TT-TT", "[T]T", "TxTy"],
    ["T9s", "109s", "10x9x", "Tx9x", "9Ts"],
    ["22+", "22-AA", "AA-22", "AA-", "RR", "RxRy", "NN", "$op", "aa-22", "22 - AA", "22+,55", "22+;22"],
    ["AA,KK", "AA;KK", "AA\nKK", "AA KK", "AA,KK,", " AA , KK ", "KK+", "AA-KK", "AA\r\nKK", "(AA,KK)",
     "((AA),(KK))", "AA,KK,AsAh", "AA\u00a0KK", "AA\tKK"],
    ["A2s+", "AXs", "Axs", "AKs-A2s", "A2s-AKs", "axs", "AKs-", "Ax*x", "Axx", "AsXs,AhXh,AdXd,AcXc"],
    ["A5s-A2s", "A2s-A5s", "A5s-", "A5s,A4s,A3s,A2s", "A[5-2]:xx"],
    ["JTs-76s", "76s-JTs", "JTs,T9s,98s,87s,76s", "JxTx-7x6x", "7x6x-JxTx"],
    ["random", "Random", "RANDOM", "XX", "*", "**", "100%", "0%-100%", "*,AA", "AA,*", "*,AA@50", "X*", "R,*", "??"],
    ["AhKh", "KhAh", "Ah Kh", "Ah,Kh", "Kh, Ah", "AH KH", "ahkh", "A♥K♥", "A\u2665\ufe0fK\u2665\ufe0f", "(AhKh)",
     "AhKh-AhKh", "Ah_Kh"],
    ["10s9d", "Ts9d", "10S 9D", "ts 9d"],
    ["AA@50", "AA:0.5", "AA@50%", "AA@0.5", "50%(AA)", "0.5(AA)", ".5(AA)", "[50]AA[/50]", "(AA)@50", "AA:50%",
     "AA : 0.5", "AA @ 50", "[ 50 ]AA[/ 50 ]", "AA@50,AA@20", "AA@5e1%", "AA:5e-1", "50(AA)", "[50%]AA[/50%]",
     "(AA@50)", "(AA)@50:*", "AA:50", "AA@50.0%", "AA@+50"],
    ["50%(AA,AK)", "0.5(AA,AK)", "[50]AA,AK[/50]", "AA@50,AK@50", "(AA,AK)@50", "(AA,AK):0.5", "AK:0.5,AA:0.5"],
    ["AA@25", "0.5(AA@50)", "(AA@50)@50", "[50]AA@50[/50]"],
    ["KhQh:1.0,AKs:0.5,QQ", "KhQh,AKs@50,QQ", "QQ KhQh 50%(AKs)", "QQ@100,KhQh@100%,AKs@0.5", "KhQh:1,AKs:0.5,QQ:1",
     "[100]QQ,KhQh[/100],[50]AKs[/50]"],
    ["22+!77", "22-66,88+", "22+ ! 77", "(22+)!77", "22+!(77)", "66-,88+"],
    ["22+:A", "AA", "AA:22+", "AA:(22+)", "A:RR", "RR!(KK-22)"],
    ["15%", "top 15%", "Top 15%", "0%-15%", "15%-0%", "0-15%", "top15%", "15 %"],
    ["5%-15%", "15%-5%", "5-15%", "15%!5%"],
    ["AA@0,KK", "KK", "KK,0%(AA)", "KK,AA:0", "KK,AA:0.0"],
    ["AQ+", "AK-AQ", "AQ-AK", "AK,AQ", "A[K,Q]", "A[K-Q]"],
    ["AKs,AKo", "AK", "KA", "AK,KA"],
]  # fmt: skip


@pytest.mark.parametrize("spellings", SAME, ids=lambda s: s[0])
def test_spellings_that_mean_the_same(spellings: list[str]) -> None:
    first = Range(spellings[0])
    for other in spellings[1:]:
        assert Range(other) == first, other


def test_every_class_in_every_spelling() -> None:
    for a, b in itertools.combinations(reversed(RANKS), 2):
        suited = {f"{a}{s}{b}{s}" for s in "cdhs"}
        offsuit = {f"{a}{s}{b}{t}" for s in "cdhs" for t in "cdhs" if s != t}
        for name in (a + b, b + a, (a + b).lower()):
            assert hands(name + "s") == hands(name + "S") == suited
            assert hands(name + "o") == hands(name + "O") == offsuit
            assert hands(name) == suited | offsuit
    for a in RANKS:
        assert len(hands(a + a)) == 6


def test_runs_both_ways_and_by_hand() -> None:
    for high in range(1, 13):
        for low in range(high):
            run = f"{RANKS[high] * 2}-{RANKS[low] * 2}"
            assert hands(run) == set().union(*(hands(RANKS[r] * 2) for r in range(low, high + 1)))
            for kind in ("s", "o", ""):
                top, kicker = RANKS[high], RANKS[low]
                up = set().union(*(hands(top + RANKS[r] + kind) for r in range(low, high)))
                down = set().union(*(hands(top + RANKS[r] + kind) for r in range(low + 1)))
                assert (
                    hands(f"{top}{kicker}{kind}+") == up == hands(f"{top}{RANKS[high - 1]}{kind}-{top}{kicker}{kind}")
                )
                assert hands(f"{top}{kicker}{kind}-") == down == hands(f"{top}2{kind}-{top}{kicker}{kind}")
                gap = high - low
                for step in range(0, 13 - high, 3):
                    end = RANKS[high + step] + RANKS[low + step] + kind
                    wanted = set().union(
                        *(hands(RANKS[low + gap + i] + RANKS[low + i] + kind) for i in range(step + 1))
                    )
                    assert hands(f"{top}{kicker}{kind}-{end}") == wanted == hands(f"{end}-{top}{kicker}{kind}")


BAD = [  # text, offset of the caret, what the message says, what it suggests
    ("AA-QT", 0, "neither the same top card nor the same gap", "AA-QQ"),
    ("KJs-87s", 0, "neither", "KJs-86s"),
    ("QQ,K5s-85s", 3, "neither", "K5s,85s"),
    ("99s", 0, "cannot be suited", "99"),
    ("99o", 0, "marked offsuit", "99"),
    ("AKs-AJo", 0, "not both suited or both offsuit", "AKs-AJs"),
    ("AKs-QQ", 0, "", ""),
    ("AsAs", 2, "As is written twice", ""),
    ("AhKhQh", 4, "3 cards", "[Ah,Kh,Qh]"),
    ("Ah,Kh,Qh", 6, "3 cards", "[Ah,Kh,Qh]"),
    ("AA,,KK", 3, "nothing before", ""),
    (",AA", 0, "nothing before", ""),
    ("", 0, "no hand", ""),
    ("  \n", 0, "no hand", ""),
    ("AA)", 2, "closes nothing", ""),
    ("(AA", 0, "never closed", ")"),
    ("()", 0, "nothing between", ""),
    ("AA]", 2, "closes nothing", ""),
    ("[A,K", 0, "never closed", "]"),
    ("[]A", 1, "alternative is missing", ""),
    ("[AK]", 0, "commas", "[A,K]"),
    ("A K", 0, "stand apart", "AK"),
    ("Q Ks", 0, "stand apart", "QKs"),
    ("AA-22-33", 5, "cannot follow", ""),
    ("AA++", 3, "cannot follow", ""),
    ("AXs+", 0, "X stands for every rank", ""),
    ("+AA", 0, "no hand before", ""),
    ("@50", 0, "no hand before", ""),
    ("!AA", 0, "nothing to take hands away from", "*!"),
    ("AA!", 2, "nothing to take away", ""),
    ("AA:", 2, "nothing to intersect with", ""),
    ("AA@", 3, "weight is missing", "@50"),
    ("AA@-1", 3, "negative", "0"),
    ("AA:-0.5", 3, "negative", ""),
    ("AA@nan", 3, "not a weight", ""),
    ("AA@inf", 3, "not a weight", ""),
    ("AA:nan", 3, "", ""),
    ("AA@101", 3, "more than 100%", ""),
    ("AA:1.5", 3, "fraction", "1.5%"),
    ("AA@1e999", 3, "too large or too small", ""),
    ("AA@1e-99", 3, "too small", ""),
    ("AA:5e388", 3, "too large or too small", ""),
    ("AA:99999999999999999999e100", 3, "fraction, at most 1", ""),
    ("AA@50@50", 2, "second weight", ""),
    ("AA@50:xx", 2, "weight ends an item", ""),
    ("AA:0,5", 3, "two items", "0.5"),
    ("[50]AA", 0, "never closed", "[/50]"),
    ("[50]AA[/25]", 6, "closed by another tag", "[/50]"),
    ("[50][/50]", 0, "no hand between", ""),
    ("AA[/50]", 2, "", ""),
    ("15.5", 0, "number is not a hand", ""),
    ("AA(50)", 2, "right after a hand", "@50"),
    ("15%6h", 3, "not expected", ""),
    ("101%", 0, "more than all hands", ""),
    ("0%", 0, "0% of all hands", ""),
    ("top AA", 0, "needs a percentage", "top 15%"),
    ("AA/KK", 2, "'/'", ""),
    ("AA foo", 3, "not a card", ""),
    ("all", 0, "not known", "random"),
    ("1", 0, "not a rank", "T or 10"),
    ("A1", 1, "", ""),
    ("AA,ZZ!", 5, "nothing to take away", ""),
    ("AAA", 0, "more cards", ""),
    ("$q", 0, "macro", "$ds"),
    ("QQ- 55", 2, "run or as", ""),
    ("6\u0441Tc", 1, "U+0441", "'c'"),
    ("\uff21K", 0, "U+FF21", "'A'"),
    ("22\u201355", 2, "U+2013", "'-'"),
    ("AK\u200bs", 2, "U+200B", ""),
    ("A\x00", 1, "U+0000", ""),
    ("(" * 60 + "AA" + ")" * 60, 41, "parentheses inside each other", ""),
    ("AA," * 40_000, 100_000, "characters", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "caret", "reason", "hint"), BAD, ids=lambda v: repr(v)[:30])
def test_errors_point_at_the_place(text: str, caret: int, reason: str, hint: str) -> None:
    with pytest.raises(TextError) as caught:
        Range(text)
    assert caught.value.start == caret
    assert reason in caught.value.reason
    assert hint in caught.value.hint
    assert "^" in str(caught.value)


def test_suggested_runs_can_be_read() -> None:
    for a, b, c, d in itertools.product(range(0, 13, 2), repeat=4):
        text = f"{RANKS[max(a, b)]}{RANKS[min(a, b)]}-{RANKS[max(c, d)]}{RANKS[min(c, d)]}"
        try:
            Range(text)
        except TextError as error:
            suggestions = error.hint.removeprefix("did you mean ").removeprefix("for two hands write ").rstrip("?")
            for form in suggestions.split(" or "):
                assert len(Range(form)) > 0


def test_weights_are_relative_and_the_largest_wins() -> None:
    one, two = Range("AA@1,KK@2"), Range("AA@50,KK@100")
    assert (one.combos == two.combos).all()
    assert one.weights / one.weights.max() == pytest.approx(two.weights / two.weights.max())
    assert dict(Range("AA@0.5,KK"))[tuple(parse_cards("AsAh"))] == 0.5
    assert set(Range("AA@50%,AA").weights) == {1.0}
    assert set(Range("AA,AA@50%").weights) == {1.0}
    mixed = Range("KhQh:1.0,AKs:0.5,QQ")
    assert len(mixed) == 11
    assert mixed.weights.sum() == 9.0
    assert mixed.weight("KhQh") == 1.0
    assert mixed.weight("AhKh") == 0.5
    assert mixed.weight("QhQd") == 1.0
    assert mixed.weight("QhJd") == 0.0
    assert Range("QQ:0.01,22").weight("QsQh") == 0.01
    assert Range("AKs:xx@50").weight("AsKs") == 0.5
    assert set(Range("(AA@50,KK):22+").weights) == {0.5, 1.0}
    assert Range("AA@33%").weight("AsAh") == 0.33
    assert Range("[12.5]AA[/12.5]").weight("AsAh") == 0.125
    assert Range("[0.5]AA[/0.5]").weight("AsAh") == 0.005


def test_offsuit_plus() -> None:
    found = hands("AJo+")
    assert {"AhQs", "AdKc", "AsJh"} <= found
    assert not {"AhQh", "AsTh"} & found


def test_removal() -> None:
    live = Range("A8s", board="As8d2c")
    assert hands("A8s", board="As8d2c") == {"Ah8h", "Ac8c"}
    assert len(live) == 2
    assert live.total == 4
    assert Range("A8s").without("As").without([25]) == Range("A8s", dead=[51, 25])
    with pytest.raises(PotshareError, match=r"A8s.*4 hands.*As 8d 8h Ac"):
        Range("A8s", board="As8d2c", dead="8h Ac".replace(" ", ""))
    with pytest.raises(PotshareError, match=r"As8s.*8s is out of the deck"):
        Range("As8s", board="AcKdKs8s3s")
    with pytest.raises(PotshareError, match="twice"):
        Range("AA", board="AcAc")
    with pytest.raises(PotshareError, match="names no hand"):
        Range("AA@0")
    with pytest.raises(PotshareError, match="names no hand"):
        Range("AA:KK")


def test_short_deck_ranges_stay_in_their_deck() -> None:
    assert len(Range("random", "short-deck")) == len(Range("66+,XXs,XXo", "short-deck")) == 630
    assert len(Range("AX", "short-deck")) == 134
    assert len(Range("77-", "short-deck")) == 12
    assert len(Range("A9s-", "short-deck")) == 16
    assert len(Range("$Z", "short-deck")) == 4 * 32 + 6
    for text in ("22", "A2s+", "5h", "AA-22", "[A-5]", "2d3d"):
        with pytest.raises(TextError, match="deck starts at the six"):
            Range(text, "short-deck")


def test_explanations_say_which_plus_was_meant() -> None:
    assert "hold'em way" in Range("AJ+").explain()[0]
    assert "AJ, AQ, AK" in Range("AJ+").explain()[0]
    omaha = Range("AJ+", "omaha").explain()[0]
    assert "generic way" in omaha
    assert "AQ" not in omaha
    lines = Range("QQ:0.01,22!2s2h,15%,AXs", dead="Kd").explain()
    assert "weight 0.01" in lines[0]
    assert "but not" in lines[1]
    assert "all-in equity" in lines[2]
    assert "Kd" in lines[-1]


def test_a_hand_is_known_as_one() -> None:
    assert Range("AhKd").hand == parse_cards("AhKd")
    assert Range("Kd Ah").hand == parse_cards("KdAh")
    assert Range("AK").hand is None
    assert Range("AhKd,AA").hand is None
    assert Range("AsKs,QsJs").hand is None
    assert len(Range("AsKs,QsJs")) == len(Range("AsKs QsJs")) == 2
    assert len(Range("AA,Ks Qs")) == 7


def test_parsing_needs_no_compiler() -> None:
    code = (
        "import sys; from potshare.simulate.ranges import Range; r = Range('22+,A2s+!AsKs,KQo@50'); r.canonical();"
        "r.explain(); Range('15%'); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_function_and_the_class_agree() -> None:
    assert parse_range("QQ+", "holdem", board="Qs7d2c", dead="Ah") == Range("QQ+", board="Qs7d2c", dead="Ah")

"""`Range`: arrays, set operations, removal, canonical text, one hand at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import RANKS, parse_cards
from potshare.simulate.ranges import Range

COMPILED = settings(max_examples=60, deadline=None)


def test_arrays() -> None:
    for text, game in (("22+,A2s+,KhQh@30", "holdem"), ("AA:xxyy,KK@20", "omaha"), ("$0g$ds", "omaha5")):
        found = Range(text, game)
        combos, weights = found.combos, found.weights
        assert combos.dtype == np.uint8
        assert weights.dtype == np.float64
        assert combos.flags.c_contiguous
        assert combos.flags.writeable
        assert weights.flags.c_contiguous
        assert combos.shape == (len(weights), found.variant.hole_cards)
        assert (combos[:, :-1] > combos[:, 1:]).all()
        assert (weights > 0).all()
        keys = [tuple(row) for row in combos.tolist()]
        assert keys == sorted(set(keys))
        assert [cards for cards, _ in found] == keys
        assert len(found) == len(keys)


def test_set_operations() -> None:
    for game in ("holdem", "omaha"):
        aces, kings, pairs = Range("AA", game), Range("KK@50", game), Range("RR", game)
        assert (aces | kings) == Range("AA,KK@50", game)
        assert (pairs & kings) == Range("RR:(KK@50)", game)
        assert (pairs - aces) == Range("RR!AA", game)
        assert (aces | aces) == aces
        assert (pairs.without("As") | aces) == Range("(RR!As),AA", game)
        with pytest.raises(PotshareError, match="names no hand"):
            len(aces - pairs)
    with pytest.raises(PotshareError, match="cannot be combined"):
        Range("AA") | Range("AA", "omaha")
    assert Range("AA") != Range("AA", "omaha")
    assert Range("AA") != "AA"


def test_many_operations_in_a_row() -> None:
    found = Range("22")
    for _ in range(300):
        found = (found | Range("AKs")) - Range("33")
    assert found == Range("22,AKs")
    large = Range("AA", "omaha")
    for _ in range(80):
        large = (large | Range("AsKsQsJs", "omaha")) & Range("*", "omaha")
    assert large == Range("AA,AsKsQsJs", "omaha")


def test_random_is_known_without_listing() -> None:
    for text in ("random", "*", "****", "**", "*,AA", "100%", "(*)@50", "50%(random)"):
        found = Range(text, "omaha6")
        assert found.is_random
        assert len(found) == 20_358_520
    assert Range("AA,KK").is_random is False
    assert Range("*,AA@50").is_random
    assert not Range("*@50,AA").is_random
    assert not Range("*!AA", "omaha").is_random
    dead = Range("*", "omaha", dead="As")
    assert len(dead) == 249_900
    assert dead.total == 270_725
    assert dead.fraction == 1.0
    assert Range("*", "short-deck", dead="As").total == 630


def test_fraction() -> None:
    assert Range("AA").fraction == 6 / 1326
    assert Range("AA@50,KK").fraction == 9 / 1326
    assert Range("AA", dead="As").fraction == 3 / 1275


def test_from_combos() -> None:
    rows = np.array([[0, 51], [51, 0], [50, 49]])
    found = Range.from_combos(rows, [1.0, 3.0, 1.5])
    assert found.combos.tolist() == [[50, 49], [51, 0]]
    assert found.weights.tolist() == [0.5, 1.0]
    assert Range.from_combos(Range("22+").combos) == Range("22+")
    omaha = Range("AA:xxyy@40,KKQQ", "omaha")
    again = Range.from_combos(omaha.combos, omaha.weights, "omaha")
    assert again == omaha
    assert again.contains(omaha.combos[5].tolist())
    assert Range(again.canonical(), "omaha") == omaha
    for bad, weights in (
        ([[1, 1]], None),
        ([[1, 60]], None),
        ([[1, 2, 3]], None),
        ([[1, 2]], [-1.0]),
        ([[1, 2]], [float("nan")]),
        ([[1, 2]], [0.0]),
        ([[1, 2]], [1.0, 2.0]),
        ([1, 2], None),
        ([[0.5, 1.0]], None),
    ):
        with pytest.raises(PotshareError):
            Range.from_combos(bad, weights)
    with pytest.raises(PotshareError, match="outside the deck"):
        Range.from_combos([[0, 51]], game="short-deck")


def test_one_hand_at_a_time() -> None:
    found = Range("AA,KK@50", dead="As")
    assert found.weight("AhAd") == 1.0
    assert found.weight("KhKd") == 0.5
    assert found.weight("AsAd") == 0.0
    assert "AhAd" in found
    assert parse_cards("KsKh") in found
    assert "QhQd" not in found
    assert Range("XX", "short-deck").weight("2c3c") == 0.0
    with pytest.raises(PotshareError, match="2 cards"):
        found.weight("AhAdAc")


def test_the_compiled_program_agrees_with_the_listing() -> None:
    from potshare.simulate.ranges.filters import weigh
    from potshare.simulate.ranges.program import new_scratch

    for text in ("AA,KK@50,AhKh@20,22+!77,XXs:A@10", "15%,72o@30", "5%-15%"):
        found = Range(text)
        wanted = dict(iter(found))
        program = found.program()
        scratch = new_scratch(program)
        for high in range(52):
            for low in range(high):
                cards = np.array([high, low], np.int64)
                assert weigh(cards, *program, *scratch) == wanted.get((high, low), 0.0)


def test_jokers_fit_no_variable() -> None:
    found = Range("Jk", "draw-joker")
    assert found.contains([52, 1, 2, 3, 4])
    assert not found.contains([9, 1, 2, 3, 4])
    assert Range("AAAAJk", "draw-joker").combos.tolist() == [[52, 51, 50, 49, 48]]
    assert not Range("xxxxx", "draw-joker").contains([52, 0, 4, 8, 12])
    assert not Range("RRRRR", "draw-joker").contains([52, 48, 49, 50, 51])
    assert Range("[Jk,As]", "draw-joker").contains([52, 0, 4, 8, 12])
    assert Range("random", "draw-joker").total == 2_869_685


# -------------------------------------------------------------------------------- canonical text, round trip

ranks = st.sampled_from(RANKS)
cards = st.builds(str.__add__, ranks, st.sampled_from("cdhs"))
classes = st.one_of(
    st.builds(lambda a, b, k: a + b + (k if a != b else ""), ranks, ranks, st.sampled_from(["", "s", "o"])),
    st.builds(
        lambda a, b, k, sign: a + b + (k if a != b else "") + sign,
        ranks, ranks, st.sampled_from(["", "s"]), st.sampled_from("+-"),
    ),
    st.builds(lambda a, k: a + "X" + k, ranks, st.sampled_from(["", "s", "o"])),
    st.builds(str.__add__, cards, cards).filter(lambda t: t[:2] != t[2:]),
    st.sampled_from(["xx", "xy", "RR", "15%", "5%-40%", "$1g", "[A-T]", "h"]),
)  # fmt: skip
weights = st.sampled_from(["", "@50", "@33%", ":0.125", "@7", ":1e-3", "@0.999"])


def ranges(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.builds(str.__add__, terms, weights)
    deeper = st.one_of(
        st.builds(lambda a, b: f"{a}!{b}", terms, terms),
        st.builds(lambda a, b, w: f"({a},{b}){w}", terms, terms, weights),
        st.builds(lambda a, b: f"({a}):({b})", terms, terms),
    )
    return st.lists(st.one_of(items, deeper), min_size=1, max_size=6).map(",".join)


def listed(text: str, game: str, dead: str = "") -> Range | None:
    try:
        found = Range(text, game, dead=dead)
        len(found)
    except PotshareError as error:
        if "names no hand" in str(error) or "is empty" in str(error):
            return None
        raise
    return found


@settings(max_examples=300, deadline=None)
@given(ranges(classes), st.sampled_from(["", "As", "AhKd7c"]))
def test_canonical_two_card_text_reads_back(text: str, dead: str) -> None:
    found = listed(text, "holdem", dead)
    if found is not None:
        again = Range(found.canonical())
        assert np.array_equal(again.combos, found.combos)
        assert np.array_equal(again.weights, found.weights)
        assert again.canonical() == found.canonical()


specs = st.one_of(
    ranks,
    cards,
    st.sampled_from(["R", "N", "x", "y", "*", "s", "[A,K]", "[s,h]", "[As,Kd]", "[A-T]", "$B", "Rx", "Ry", "*x"]),
    st.sampled_from(["[K,7s]", "[AK-JT]"]),
)  # fmt: skip


def _no_card_twice(parts: list[str]) -> bool:
    return len({p for p in parts if len(p) == 2}) == len([p for p in parts if len(p) == 2])


terms = st.one_of(
    st.lists(specs, min_size=1, max_size=3).filter(_no_card_twice).map("*".join).filter(lambda t: len(t) < 16),
    st.lists(ranks, min_size=1, max_size=4).map("".join),
    st.sampled_from(["AA", "98+", "KQJ-", "AK-JT", "$ds", "AA$ss", "$np", "xxyy", "RRON", "10%", "AsKsQsJs", "22"]),
)


@COMPILED
@given(ranges(terms), st.sampled_from(["", "As", "AhKd7c"]))
def test_canonical_four_card_text_reads_back(text: str, dead: str) -> None:
    try:
        found = listed(text, "omaha", dead)
    except TextError as error:
        # A few joined specs are more than four cards, or name one card twice.
        if "more cards" in str(error) or "twice" in str(error):
            return
        raise
    if found is not None:
        again = Range(found.canonical(), "omaha")
        assert np.array_equal(again.combos, found.combos)
        assert np.array_equal(again.weights, found.weights)
        assert len(found.explain()) >= 1


def test_canonical_of_ordered_hands() -> None:
    for text in ("AAK", "**A", "sx*x", "R*R", "[A,K]*h"):
        found = Range(text, "stud")
        assert Range(found.canonical(), "stud") == found


def test_kernels_have_one_signature_after_use() -> None:
    from potshare.simulate.ranges import filters

    for game in ("holdem", "omaha", "stud"):
        found = Range("AA,KK@50", game)
        assert len(found)
        assert found.contains([51, 50, 0, 1][: found.cards])
        found.program()
    Range.from_combos(Range("AA", "omaha").combos, game="omaha").without("As").contains("AhAdKsKh")
    assert len(filters.collect.signatures) == 1
    assert len(filters.weigh.signatures) <= 1

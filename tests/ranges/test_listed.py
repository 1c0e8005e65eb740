"""Long lists of written hands: every set of hands of a size that text can hold is read back as it was."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import format_cards
from potshare.simulate.ranges import Range
from potshare.simulate.ranges.listed import LONGEST_LIST, SHORTEST_LIST
from potshare.simulate.variants import find_variant


def random_hands(n: int, game: str, seed: int, cards: int = 0) -> np.ndarray:
    """(n, cards) uint8 random hands of a game's deck, some of them perhaps the same."""
    variant = find_variant(game)
    rng = np.random.default_rng(seed)
    deck = np.array(variant.deck, np.uint8)
    keys = rng.random((n, len(deck)))
    return deck[np.argsort(keys, axis=1)[:, : cards or variant.hole_cards]]


def check(found: Range, game: str) -> str:
    """Reads a range's text back; returns the text."""
    text = found.canonical()
    again = Range(text, game)
    assert np.array_equal(again.combos, found.combos)
    assert np.array_equal(again.weights, found.weights)
    return text


@pytest.mark.parametrize(
    ("game", "n"), [("omaha", 100_000), ("omaha", 30_000), ("omaha5", 90_000), ("omaha6", 60_000), ("draw", 2_000)]
)
def test_a_hundred_thousand_random_hands_read_back(game: str, n: int) -> None:
    rows = random_hands(n, game, n)
    found = Range.from_combos(rows, game=game)
    assert {frozenset(row) for row in found.combos.tolist()} == {frozenset(row) for row in rows.tolist()}
    text = check(found, game)
    assert len(text) <= LONGEST_LIST
    levels = np.random.default_rng(1).choice([0.25, 0.5, 1 / 3, 1.0], n)
    check(Range.from_combos(rows, levels, game), game)


def test_nearly_all_hands_are_written_as_all_but_a_few() -> None:
    every = Range("*", "omaha").combos
    rng = np.random.default_rng(4)
    for gone in (1, 3, 5_000, 100_000):
        keep = np.ones(len(every), bool)
        keep[rng.choice(len(every), gone, replace=False)] = False
        found = Range.from_combos(every[keep], np.full(keep.sum(), 0.5), "omaha")
        assert check(found, "omaha").startswith("*!(")
    assert check(Range.from_combos(every, game="omaha"), "omaha") == "*"


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["omaha", "omaha5", "badugi", "short-deck", "holdem", "stud", "crazy-pineapple", "omaha6"]),
    st.integers(0, 2**31), st.integers(0, 5), st.sampled_from([1, 2, 7, 10_000]), st.sampled_from(["", "As", "AhKd7c"]),
)  # fmt: skip
def test_any_set_of_hands_reads_back(game: str, seed: int, size: int, weights: int, dead: str) -> None:
    n = (1, 3, 40, 900, 9_000, 40_000)[size]
    rng = np.random.default_rng(seed)
    cards = 3 if game == "stud" else 0
    rows = random_hands(n, game, seed, cards)
    found = Range.from_combos(rows, rng.integers(1, weights + 1, n) / weights, game)
    if dead:
        try:
            found = found.without(dead)
            len(found)
        except PotshareError as error:
            assert "is empty" in str(error)  # noqa: PT017
            return
    try:
        check(found, game)
    except PotshareError as error:
        assert "more text than can be read back" in str(error)  # noqa: PT017
        assert n == 40_000


def test_what_is_too_long_to_be_written_says_so() -> None:
    found = Range.from_combos(random_hands(160_000, "omaha6", 2), game="omaha6")
    with pytest.raises(PotshareError, match=r"these 159,\d+ hands would be more text.*keep them as arrays"):
        found.canonical()
    assert found.explain() == [f"(from arrays): {len(found):,} written hands"]
    weights = np.random.default_rng(3).random(80_000)
    with pytest.raises(PotshareError, match="more text than can be read back"):
        Range.from_combos(random_hands(80_000, "omaha", 5), weights, "omaha").canonical()


def test_set_operations_with_arrays() -> None:
    rows = random_hands(20_000, "omaha", 8)
    found = Range.from_combos(rows, game="omaha")
    aces = Range("AA@50", "omaha")
    for made in (found | aces, found & aces, aces - found, found - aces, (found | aces).without("Kd")):
        check(made, "omaha")
    hands = {frozenset(row) for row in rows.tolist()}
    assert {frozenset(row) for row, _ in found & aces} == {h for h in hands if sum(c >> 2 == 12 for c in h) >= 2}
    assert found.contains(rows[7].tolist())
    assert found.without([0]).combos.tolist() == [row for row in found.combos.tolist() if 0 not in row]
    stud = Range.from_combos(random_hands(500, "stud", 1, 3), game="stud")
    assert stud.cards == 3
    both = stud | Range("AAKQ", "stud")
    assert all(both.contains([*row, *(c for c in range(4) if c not in row)][:4]) for row in stud.combos.tolist())


def test_pasted_lists_of_hands() -> None:
    rows = random_hands(6_000, "omaha", 9)
    names = [format_cards(row) for row in rows.tolist()]
    wanted = Range.from_combos(rows, game="omaha")
    for text in (",".join(names), ", ".join(names), "\n".join(names), ";".join(names) + ";", ",\n".join(names) + "\n"):
        assert len(text) > SHORTEST_LIST
        assert Range(text, "omaha") == wanted
    assert Range("(" + ",".join(names) + ")@50", "omaha").weights.max() == 0.5
    halves = Range(",".join(name + "@50" for name in names) + ",AsAhAdAc", "omaha")
    assert halves.weight("AsAhAdAc") == 1.0
    assert halves.weight(rows[0].tolist()) == 0.5
    started = time.process_time()
    long = ",".join(names * 18)
    assert 900_000 < len(long) < LONGEST_LIST
    assert Range(long, "omaha") == wanted
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("text", "game", "reason"),
    [
        ("AsKsQsJs," * 15_000 + "AA", "omaha", "only a list of written hands may have more than 100,000"),
        ("AsKsQsJs," * 15_000 + "AsKsQsJ", "omaha", "only a list of written hands"),
        ("AsKsQsJs," * 15_000 + "AsKsQs", "omaha", "a hand of omaha has 4 cards"),
        ("AsKsQsJs," * 15_000 + "AsKsQsAs", "omaha", "the card As is written twice in a hand"),
        ("AsKsQsJs," * 15_000 + "AsKs[QsJs,QsQs]", "omaha", "the card Qs is written twice in a hand"),
        ("AsKsQsJs," * 15_000 + "AsKsQsJs@101", "omaha", "only a list of written hands"),
        ("(" * 200_000, "omaha", "only a list of written hands"),
        (" " * 200_000 + "x", "omaha", "only a list of written hands"),
        ("AsKsQsJs," * 150_000, "omaha", "at most 999,999 are read"),
        ("AsKs," * 150_000, "holdem", "at most 100,000 are read"),
        ("AsKsQsJs," * 1_000 + "AsKsQsAs", "omaha", "the card As is written twice"),
    ],
)  # fmt: skip
def test_long_text_that_is_no_list_is_refused_soon(text: str, game: str, reason: str) -> None:
    started = time.process_time()
    with pytest.raises(TextError) as caught:
        Range(text, game)
    assert reason in caught.value.reason
    assert caught.value.start <= len(text)
    assert time.process_time() - started < 1.0

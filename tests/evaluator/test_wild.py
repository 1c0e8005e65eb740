"""Wild cards against every substitution: a wild card becomes any of the 52 cards, also one already there."""

import itertools

import numpy as np
import pytest
import twins

import potshare as ps
from potshare.errors import PotshareError

STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8
CARDS = np.arange(52, dtype=np.uint8)


@pytest.fixture(scope="module")
def high():
    return twins.Twin(twins.high, five_alike=True)


@pytest.fixture(scope="module")
def deuce():
    # Five alike would be the worst of all lows, and no one makes them.
    return twins.Twin(twins.deuce_to_seven, five_alike=True)


def substitutions(hand, wild, twin):
    """The strength of the best five of a hand over everything that its wild cards can become."""
    naturals = [c for c in hand if c not in wild]
    w = len(hand) - len(naturals)
    every = list(itertools.combinations_with_replacement(CARDS, w))
    stand_ins = np.array(every, np.uint8).reshape(len(every), w)
    rows = np.concatenate([np.tile(np.array(naturals, np.uint8), (len(stand_ins), 1)), stand_ins], axis=1)
    return int(twin.best(rows).max())


def deals(n, size, wild, at_least, seed, jokers=0):
    """Random hands with at least some wild cards, and no more than two or three so that trying all ends."""
    found = []
    for hand in twins.random_hands(40_000, size, seed, range(52 + jokers)).tolist():
        if at_least <= sum(c in wild for c in hand) <= max(at_least, 2):
            found.append(hand)
            if len(found) == n:
                return found
    raise AssertionError("too few hands")


DEUCES = range(4)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize(("least", "n"), [(1, 150), (2, 40), (3, 3)])
def test_deuces_wild(size, least, n, high):
    hands = deals(n, size, DEUCES, least, seed=size)
    found = ps.strengths(np.array(hands, np.uint8), "high:2")
    assert found.tolist() == [substitutions(hand, DEUCES, high) for hand in hands]


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize(("name", "jokers"), [("high:joker", 1), ("high:jokers", 2)])
def test_jokers(size, name, jokers, high):
    hands = deals(60, size, (52, 53), jokers, size, jokers)
    found = ps.strengths(np.array(hands, np.uint8), name)
    assert found.tolist() == [substitutions(hand, (52, 53), high) for hand in hands]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_deuces_and_jacks_and_a_joker(size, high):
    wild = (*range(4), *range(36, 40), 52)
    hands = deals(40, size, wild, 2, size, 1)
    found = ps.strengths(np.array(hands, np.uint8), "high:2J,joker")
    assert found.tolist() == [substitutions(hand, wild, high) for hand in hands]


def bug(hand, twin):
    """Every five cards: the joker an ace, or any card that completes a straight, a flush or both."""
    values = {s: k for k, s in twin.places.items() if k is not None}
    best = 0
    naturals = [c for c in hand if c != 52]
    for five in itertools.combinations(naturals, 5):
        best = max(best, int(twin.exactly(np.array([five], np.uint8))[0]))
    for four in itertools.combinations(naturals, 4):
        rows = np.concatenate([np.tile(np.array(four, np.uint8), (52, 1)), CARDS[:, None]], axis=1)
        for stand_in, strength in zip(CARDS.tolist(), twin.exactly(rows).tolist(), strict=True):
            completes = values[strength][0] in (STRAIGHT, FLUSH, STRAIGHT_FLUSH)
            if stand_in // 4 == twins.ACE or completes:
                best = max(best, strength)
    return best


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_bug(size, high):
    hands = deals(120, size, (52,), 1, size, 1)
    # Five aces are the only five of a kind, so above four aces the twin's places run on to another end.
    hands += [[48, 49, 50, 51, 52, 0, 1][:size], [44, 45, 46, 47, 52, 0, 1][:size], [16, 20, 24, 29, 52, 0, 1][:size]]
    found = ps.strengths(np.array(hands, np.uint8), "high:bug").tolist()
    aces = ps.find_ranking("high:bug").values
    wanted = [min(bug(hand, high), aces) for hand in hands]
    assert found == wanted
    assert found[-3] == aces == 7463


def lowest_unpaired(hand, wild, key):
    """Low by the rule: each wild card of every five becomes the lowest rank, ace first, that is not there yet."""
    best = None
    for five in itertools.combinations(hand, 5):
        ranks = [c // 4 for c in five if c not in wild]
        for _ in range(5 - len(ranks)):
            ranks.append(next(r for r in (12, *range(12)) if r not in ranks))
        found = key(ranks, False)
        if found is not None and (best is None or best < found):
            best = found
    return best


@pytest.mark.parametrize(
    ("name", "key"), [("ace-to-five", twins.ace_to_five), ("eight-or-better", twins.eight_or_better)]
)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_lows_with_wild_cards(name, key, size):
    wild = (*range(20, 24), 52)
    places = twins.Twin(key).places
    hands = deals(250, size, wild, 1, size, 1) + deals(100, size, wild, 0, size + 10, 1)
    found = ps.strengths(np.array(hands, np.uint8), f"{name}:7,joker")
    assert found.tolist() == [places[lowest_unpaired(hand, wild, key)] for hand in hands]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_deuce_to_seven_with_a_joker(size, deuce):
    # Thirteen values of five alike lie below everything in the twin's places.
    hands = deals(100, size, (52,), 1, size, 1) + deals(100, size, (52,), 0, size + 20, 1)
    hands += [[0, 4, 8, 12, 52, 51, 50][:size], [1, 5, 9, 13, 21, 25, 29][:size]]
    found = ps.strengths(np.array(hands, np.uint8), "deuce-to-seven:joker")
    assert found.tolist() == [substitutions(hand, (52,), deuce) - 13 for hand in hands]


@pytest.mark.parametrize("name", ["high", "ace-to-five", "eight-or-better", "deuce-to-seven"])
def test_hands_without_wild_cards_keep_their_strength(name):
    hands = twins.random_hands(100_000, 7, 12)
    assert np.array_equal(ps.strengths(hands, name), ps.strengths(hands, f"{name}:joker"))


def test_all_wild():
    wild = [0, 1, 2, 3, 4, 5, 6]
    for size in (5, 6, 7):
        hand = np.array([wild[:size]], np.uint8)
        assert ps.strengths(hand, "high:23").tolist() == [7475]
        assert ps.strengths(hand, "ace-to-five:23").tolist() == [6175]
        assert ps.strengths(hand, "eight-or-better:23").tolist() == [56]
        assert ps.strengths(hand, "deuce-to-seven:23").tolist() == [7462]


def test_omaha_with_a_joker():
    holes = np.array([[52, 0, 5, 10]], np.uint8)
    board = [48, 49, 50, 20, 25]
    assert (
        ps.strengths(holes, "high:joker", board, selection="two plus three")[0]
        == ps.strengths(np.array([[48, 49, 50, 51, 10]], np.uint8))[0]
    )


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("deuces-wild", "high:2"),
        ("joker-wild", "high:joker"),
        ("two-jokers-wild", "high:jokers"),
        ("bug", "high:bug"),
        ("high:deuces", "high:2"),
        ("high:sevens,2", "high:27"),
        ("high:joker,joker", "high:jokers"),
        ("ace-to-five:bug", "ace-to-five:joker"),
        ("2-7:joker", "deuce-to-seven:joker"),
    ],
)
def test_names(name, other):
    hands = twins.random_hands(2000, 5, 3)
    assert np.array_equal(ps.strengths(hands, name), ps.strengths(hands, other))
    assert ps.find_ranking(name).wilds == ps.find_ranking(other).wilds


def test_a_ranking_with_wilds_says_so():
    ranking = ps.rankings()["high"].with_wilds("2", jokers=1)
    assert ranking.name == "high:2,joker"
    assert ranking.categories[-1] == "five of a kind"
    assert ranking.values == 7475
    assert "wild" in ranking.title
    assert "five of a kind" in ranking.rules
    assert ps.rankings()["high"].with_wilds() == ps.rankings()["high"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("badugi:joker", "not played with wild cards"),
        ("high:x", "no wild card"),
        ("high:", "no wild card"),
        ("high:jokers,joker", "up to two jokers, not 3"),
        ("high:bug,joker", "only wild card"),
        ("high:bug,2", "only wild card"),
    ],
)
def test_refusals(name, said):
    with pytest.raises(PotshareError, match=said):
        ps.find_ranking(name)


def test_a_joker_where_none_is():
    with pytest.raises(PotshareError, match="joker"):
        ps.strengths(np.array([[52, 1, 2, 3, 4]], np.uint8), "high")
    with pytest.raises(PotshareError, match="joker"):
        ps.strengths(np.array([[53, 1, 2, 3, 4]], np.uint8), "high:joker")

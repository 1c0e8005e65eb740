"""Exactly two hole cards with exactly three of the board: tables against every five cards."""

import itertools

import numpy as np
import pytest
import twins

import potshare as ps
from potshare.errors import PotshareError
from potshare.tables.two_plus_three import low_tables

RANKINGS = {
    "high": twins.high,
    "eight-or-better": twins.eight_or_better,
    "ace-to-five": twins.ace_to_five,
    "deuce-to-seven": twins.deuce_to_seven,
}


@pytest.fixture(scope="module")
def of():
    return {name: twins.Twin(key) for name, key in RANKINGS.items()}


def deal(n, hole, board, seed, deck=range(52)):
    cards = twins.random_hands(n, hole + board, seed, deck)
    return np.ascontiguousarray(cards[:, :hole]), np.ascontiguousarray(cards[:, hole:])


@pytest.mark.parametrize("board", [3, 4, 5])
@pytest.mark.parametrize("hole", [2, 3, 4, 5, 6])
def test_high_and_low_against_every_five(hole, board, of):
    holes, boards = deal(12_000, hole, board, seed=10 * hole + board)
    for name in ("high", "eight-or-better"):
        found = ps.strengths(holes, name, boards, selection="two plus three")
        assert np.array_equal(found, of[name].two_plus_three(holes, boards)), name


@pytest.mark.parametrize("name", ["ace-to-five", "deuce-to-seven"])
def test_other_rankings(name, of):
    holes, boards = deal(3000, 4, 5, seed=1)
    found = ps.strengths(holes, name, boards, selection="two plus three")
    assert np.array_equal(found, of[name].two_plus_three(holes, boards))


def test_short_deck():
    holes, boards = deal(5000, 4, 5, 2, range(16, 52))
    twin = twins.Twin(twins.short_deck, ranks=range(4, 13))
    found = ps.strengths(holes, "short-deck", boards, selection="two plus three")
    assert np.array_equal(found, twin.two_plus_three(holes, boards))


def test_flushes_where_many_cards_are_suited(of):
    rng = np.random.default_rng(3)
    suited = np.argsort(rng.random((6000, 13)), axis=1)
    holes, boards = deal(6000, 6, 5, 4)
    # Overwrite hole and board cards with spades until five to nine of them are there.
    n_hole, n_board = rng.integers(2, 7, 6000), rng.integers(3, 6, 6000)
    for j in range(6):
        holes[:, j] = np.where(j < n_hole, 4 * suited[:, j] + 3, holes[:, j])
    for j in range(5):
        boards[:, j] = np.where(j < n_board, 4 * suited[:, 6 + j] + 3, boards[:, j])
    whole = np.concatenate([holes, boards], axis=1)
    different = np.array([len(set(row)) == 11 for row in whole.tolist()])
    holes, boards = holes[different], boards[different]
    assert len(holes) > 500
    found = ps.strengths(holes, "high", boards, selection="two plus three")
    assert np.array_equal(found, of["high"].two_plus_three(holes, boards))


def test_every_pair_of_low_masks():
    # Masks by their definition: ace to eight are bits 0 to 7.
    def places(size):
        return [(some, sum(1 << r for r in some)) for some in itertools.combinations(range(8), size)]

    lows = sorted((tuple(sorted(some, reverse=True)) for some, _ in places(5)), reverse=True)
    strength = {low: i for i, low in enumerate(lows, 1)}
    masks = np.arange(256)
    split, five = np.zeros((256, 256), int), np.zeros(256, int)
    for some, mask in places(5):
        holds = (masks & mask) == mask
        five[holds] = np.maximum(five[holds], strength[tuple(sorted(some, reverse=True))])
    for three, board in places(3):
        for two, hole in places(2):
            if board & hole:
                continue
            worth = strength[tuple(sorted(three + two, reverse=True))]
            cells = np.ix_((masks & board) == board, (masks & hole) == hole)
            split[cells] = np.maximum(split[cells], worth)
    assert np.array_equal(low_tables().five, five)
    assert np.array_equal(low_tables().split, split)


def test_one_board_for_all_hands():
    holes, boards = deal(500, 4, 5, 5)
    each = ps.strengths(holes, "high", np.repeat(boards[:1], 500, axis=0), selection="two-plus-three")
    for board in (boards[0], boards[:1], boards[0].tolist()):
        shared = ps.strengths(holes, "high", board, selection="two-plus-three")
        assert np.array_equal(shared, each)
    plain = ps.strengths(np.ascontiguousarray(holes[:, :2]), "high", boards[0])
    joined = ps.strengths(np.concatenate([holes[:, :2], np.repeat(boards[:1], 500, axis=0)], axis=1), "high")
    assert np.array_equal(plain, joined)


@pytest.mark.parametrize(
    ("hole", "board", "ranking", "said"),
    [
        (4, 2, "high", "2 to 6 hole cards and a board of 3 to 5"),
        (7, 5, "high", "2 to 6 hole cards and a board of 3 to 5"),
        (1, 5, "high", "2 to 6 hole cards"),
        (4, 5, "badugi", "does not rank"),
        (4, 5, "three-card", "does not rank"),
    ],
)
def test_refusals(hole, board, ranking, said):
    holes, boards = deal(3, hole, board, 6)
    with pytest.raises(PotshareError, match=said):
        ps.strengths(holes, ranking, boards, selection="two plus three")


def test_missing_board():
    with pytest.raises(PotshareError, match="board of 3 to 5"):
        ps.strengths(deal(3, 4, 0, 1)[0], selection="two plus three")


def test_one_row_of_boards_too_few():
    holes, boards = deal(4, 4, 5, 7)
    with pytest.raises(PotshareError, match="one for each"):
        ps.strengths(holes, "high", boards[:3], selection="two plus three")

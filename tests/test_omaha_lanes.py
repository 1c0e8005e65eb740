"""Two plus three in lanes against the tables, and against every two with every three of the ladder."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from potshare.evaluator import lanes, llvm, omaha, omaha_lanes
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import kernel
from potshare.tables.two_plus_three import low_tables

FORMS = omaha_lanes.FORMS


def deals(n, size, deck, seed):
    """Different random cards of a deck: hole cards and boards of five."""
    rng = np.random.default_rng(seed)
    deck = np.array(deck, np.uint8)
    places = np.argpartition(rng.random((n, len(deck)), np.float32), 5 + size - 1, axis=1)[:, : 5 + size]
    cards = np.take(deck, rng.permuted(places, axis=1))
    return np.ascontiguousarray(cards[:, 5:]), np.ascontiguousarray(cards[:, :5])


def decks():
    """Small decks, where what is rare with 52 cards is frequent."""
    rng = np.random.default_rng(11)
    for ranks in (3, 4, 5, 7):
        for _ in range(12):
            chosen = rng.permutation(13)[:ranks]
            yield [4 * r + s for r in chosen for s in range(4)]  # pairs, full houses, quads
    for first in range(-1, 8):
        yield [4 * (r % 13) + s for r in range(first, first + 7) for s in (0, 2)]  # straights, straight flushes
    for suit in range(4):
        yield [4 * r + suit for r in range(13)]  # flushes
        yield [4 * r + s for r in range(13) for s in (suit, (suit + 1) % 4)]


@cache
def all_deals(size):
    parts = [deals(200_000, size, range(52), seed=size)]
    parts += [deals(3_000, size, deck, seed) for seed, deck in enumerate(decks()) if len(deck) >= 5 + size]
    holes, boards = (np.concatenate(cards) for cards in zip(*parts, strict=True))
    return holes, boards


def by_tables(holes, boards, ranking):
    out = np.empty(len(holes), np.uint16)
    if ranking == "eight-or-better":
        omaha.two_plus_three_low(holes, boards, 1, low_tables().split, out)
    else:
        omaha.two_plus_three(holes.shape[1])(holes, boards, 1, *find_ranking(ranking).two_plus_three, out)
    return out


def by_lanes(holes, boards, ranking):
    out = np.full(len(holes), 60_000, np.uint16)
    assert omaha_lanes.two_plus_three_batch(holes, boards, ranking, out)
    return out


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    # The code is correct on every processor, also where it does not pay.
    monkeypatch.setattr(llvm, "FAST", True)


@pytest.mark.parametrize(("ranking", "size"), FORMS)
def test_strengths_are_those_of_the_tables(ranking, size):
    holes, boards = all_deals(size)
    np.testing.assert_array_equal(by_lanes(holes, boards, ranking), by_tables(holes, boards, ranking))


@pytest.mark.parametrize(("ranking", "size"), FORMS)
def test_every_two_with_every_three_say_the_same(ranking, size):
    ladder = find_ranking(ranking).ladder
    places = ladder.places()
    parts = [deals(60, size, range(52), seed=4)]
    parts += [deals(6, size, deck, seed) for seed, deck in enumerate(decks()) if len(deck) >= 5 + size]
    holes, boards = (np.concatenate(cards) for cards in zip(*parts, strict=True))

    def slowly(hole, board):
        best = 0
        for two in itertools.combinations(hole, 2):
            for three in itertools.combinations(board, 3):
                cards = two + three
                ranks = tuple(sorted((card >> 2 for card in cards), reverse=True))
                rung = ladder.rung(ranks, ladder.suited and len({card & 3 for card in cards}) == 1)
                best = max(best, 0 if rung is None else places[rung])
        return best

    expected = [slowly(tuple(hole), tuple(board)) for hole, board in zip(holes.tolist(), boards.tolist(), strict=True)]
    assert by_lanes(holes, boards, ranking).tolist() == expected


def test_numbers_of_hands_around_a_group(monkeypatch):
    monkeypatch.setattr(lanes, "LEAST", 0)
    for size in (4, 6):
        holes, boards = deals(6 * llvm.ROWS, size, range(52), seed=2)
        expected = by_tables(holes, boards, "high")
        for n in [groups * llvm.ROWS + more for groups in (0, 1, 2, 5) for more in (-2, -1, 0, 1, 2, 13, 14)][2:]:
            around = np.full(n + 2, 60_000, np.uint16)
            assert omaha_lanes.two_plus_three_batch(holes[:n], boards[:n], "high", around[1:-1])
            assert around[0] == around[-1] == 60_000
            np.testing.assert_array_equal(around[1:-1], expected[:n])


def test_what_is_left_to_the_tables(monkeypatch):
    out = np.full(lanes.LEAST, 7, np.uint16)
    holes, boards = deals(lanes.LEAST, 6, range(52), seed=2)
    five = np.ascontiguousarray(holes[:, :2])
    batch = omaha_lanes.two_plus_three_batch
    assert not batch(holes[:-1], boards[:-1], "high", out[:-1])
    assert not batch(five, boards, "high", out)
    assert not batch(holes, boards[:1], "high", out)
    assert not batch(holes, np.ascontiguousarray(boards[:, :4]), "high", out)
    assert not batch(holes, boards, "short-deck", out)
    monkeypatch.setattr(llvm, "FAST", False)
    assert not batch(holes, boards, "high", out)
    assert (out == 7).all()


@kernel
def compare(hole, board, first, second):  # type: ignore[no-untyped-def]
    for i in range(first.size):
        first[i], second[i] = omaha_lanes.omaha_high(
            hole[0, i], hole[1, i], hole[2, i], hole[3, i], board[0, i], board[1, i], board[2, i], board[3, i]
        )


def masks_of(cards):
    masks = np.zeros((4, len(cards)), np.uint16)
    for column in cards.T:
        for suit in range(4):
            masks[suit] |= np.where(column & 3 == suit, 1 << (column >> 2).astype(np.uint16), 0).astype(np.uint16)
    return masks


@pytest.mark.parametrize("size", [4, 6])
def test_engines_compare_as_the_tables_do(size):
    holes, boards = all_deals(size)
    first, second = np.zeros((2, len(holes)), np.uint16)
    compare(masks_of(holes), masks_of(boards), first, second)
    numbers = first.astype(np.int64) << 16 | second
    both = np.unique(np.stack([numbers, by_tables(holes, boards, "high").astype(np.int64)]), axis=1)
    assert (np.diff(both, axis=1) > 0).all()

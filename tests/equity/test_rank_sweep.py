"""Two ranges of two cards, kind of hand by kind of hand: the kernels against slow twins written from the rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
import slow
from numpy.typing import NDArray

from potshare import PotshareError, equity
from potshare.evaluator.cards import parse_cards
from potshare.evaluator.hand import FLUSHES
from potshare.evaluator.rankings import rankings
from potshare.simulate.evaluators import evaluators
from potshare.simulate.exact import duel, rank_sweep, sweep
from potshare.simulate.variants import find_variant
from potshare.tables import rank_tables

Weights = dict[tuple[int, int], float]


def arrays(hands: Weights) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The hands as a range of the kernels."""
    return np.array(list(hands), np.uint8).reshape(-1, 2), np.array(list(hands.values()))


def twin(one: Weights, two: Weights, boards: Sequence[Sequence[int]], short: bool) -> tuple[float, float]:
    """The weight that the first range wins, and ties, hand by hand and board by board."""
    won = tied = 0.0
    for board in boards:
        values = {
            hand: slow.best_high([*hand, *board], short) for hand in {*one, *two} if not set(hand).intersection(board)
        }
        for hand, w in one.items():
            for other, v in two.items():
                if hand in values and other in values and not set(hand).intersection(other):
                    won += w * v * (values[hand] > values[other])
                    tied += w * v * (values[hand] == values[other])
    return won, tied


def ranges(rng: np.random.Generator, deck: Sequence[int]) -> tuple[Weights, Weights]:
    """Two ranges of a few hands with whole weights, some hands in both."""
    pairs = list(itertools.combinations(sorted(deck, reverse=True), 2))
    found = []
    for _ in range(2):
        chosen = rng.choice(len(pairs), min(len(pairs), int(rng.integers(1, 30))), replace=False)
        found.append({pairs[i]: float(rng.integers(1, 9)) for i in chosen})
    found[1].update(dict.fromkeys(list(found[0])[::3], 3.0))
    return found[0], found[1]


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_are_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    short = seed % 4 == 3
    deck = list(range(16 if short else 0, 52))
    known = [5, 4, 3, 3, 0][seed % 5]
    # Many boards of one suit, and of few ranks.
    liked = [c for c in deck if c & 3 == seed % 3] if seed % 2 else [c for c in deck if c >> 2 in (4, 5, 7, 11)]
    base = [int(c) for c in rng.choice(liked, min(known, len(liked)), replace=False)]
    pool = [c for c in deck if c not in base]
    held = [c for c in pool if c in liked or rng.random() < 0.3]
    one, two = ranges(rng, held)
    more = [list(map(int, rng.choice(pool, 5 - len(base), replace=False))) for _ in range(12)]
    more += [
        list(map(int, rng.choice([c for c in liked if c not in base], 5 - len(base), replace=False))) for _ in range(6)
    ]
    times = rng.integers(1, 5, len(more))
    boards = [[*base, *cards] for cards, n in zip(more, times, strict=True) for _ in range(n)]
    wanted = twin(one, two, boards, short)
    tables = evaluators(find_variant("short-deck" if short else "holdem"))
    to_come = np.array(more, np.uint8).reshape(len(more), 5 - len(base))
    start = np.array(base, np.uint8)
    swept = rank_sweep.RankSweep((arrays(one), arrays(two)), start, tables).over(to_come, times)
    assert tuple(swept) == wanted
    few = duel.Duel(*arrays(one), *arrays(two), start, tables).over(to_come, times)
    assert tuple(few) == wanted


@pytest.mark.parametrize("seed", range(20))
def test_meetings_are_pairs_without_a_common_card(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = ranges(rng, range(40, 52))
    if seed % 2:
        two = {hand: w / 8 for hand, w in two.items()}
    wanted = sum(w * v for a, w in one.items() for b, v in two.items() if not set(a).intersection(b))
    assert rank_sweep.meetings(arrays(one), arrays(two)) == wanted
    whole = tuple((hands, (8 * weights).astype(np.int64)) for hands, weights in (arrays(one), arrays(two)))
    found = rank_sweep.meetings(*whole)
    assert isinstance(found, int)
    assert found == 64 * wanted


def test_flushes_beat_what_their_ranks_can_make() -> None:
    # What both kernels rely on: with five different ranks no ranking makes anything better than a flush.
    held = [
        counts
        for distinct in (5, 6, 7)
        for chosen in itertools.combinations(range(13), distinct)
        for counts in itertools.combinations_with_replacement(chosen, 7 - distinct)
        for counts in [(*chosen, *counts)]
    ]
    multiplier = (rank_tables("high").key[:52:4] & np.uint64(0xFFFFFFFF)).astype(np.int64)
    keys = multiplier[np.array(held)].sum(axis=1)
    checked = 0
    for ranking in rankings().values():
        if ranking.kind != FLUSHES or not ranking.selectable:
            continue
        tables = ranking.tables
        low = ranking.lowest >> 2
        fits = np.array([min(ranks) >= low for ranks in held])
        ranked = tables.value[(keys >> 13) + tables.offset[keys & 8191]][fits]
        assert tables.flush[tables.flush > 0].min() > ranked.max() > 0, ranking.name
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("seed", range(12))
def test_boards_to_come_are_every_board_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gone = [int(c) for c in rng.choice(52, [0, 1, 3, 30][seed % 4], replace=False)]
    if seed % 3 == 0:
        gone = [c for c in range(52) if c >> 2 in {g >> 2 for g in gone}]
    live = tuple(c for c in range(52) if c not in gone)
    turns = sweep.suit_turns((gone,), [])
    size = seed % 4
    boards, times = sweep.boards_to_come(live, size, turns)
    seen: dict[frozenset[int], int] = {}
    for cards in itertools.combinations(live, size):
        images = {frozenset(c & 0xFC | int(turn[c & 3]) for c in cards) for turn in turns}
        seen.setdefault(min(images, key=sorted), 0)
        seen[min(images, key=sorted)] += 1
    assert len(boards) == len(seen)
    for cards, n in zip(boards.tolist(), times.tolist(), strict=True):
        images = {frozenset(c & 0xFC | int(turn[c & 3]) for c in cards) for turn in turns}
        assert seen.pop(min(images, key=sorted)) == n
    ranks = [tuple(sorted(c >> 2 for c in cards)) for cards in boards.tolist()]
    assert len(list(itertools.groupby(ranks))) == len(set(ranks))


def test_known_numbers_of_boards() -> None:
    turns = sweep.suit_turns(((), ()), [None, None])
    for size, number in ((3, 1_755), (5, 134_459)):
        boards, times = sweep.boards_to_come(tuple(range(52)), size, turns)
        assert (len(boards), int(times.sum())) == (number, math.comb(52, size))


@pytest.mark.parametrize("seed", range(12))
def test_suit_turns_are_those_that_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    suits = [[0, 1], [1, 2, 3], [0, 1, 2, 3]][seed % 3]
    gone = [4 * int(r) + s for r in rng.choice(13, 2, replace=False) for s in suits[: 1 + seed % 2]]
    hands = {
        tuple(sorted((4 * a + s, 4 * b + t), reverse=True)): 1.0 + (seed % 2 and s == 2)
        for a, b in itertools.combinations(range(4), 2)
        for s in suits
        for t in suits
    }
    given = arrays(hands)  # type: ignore[arg-type]
    wanted = {
        turn
        for turn in itertools.permutations(range(4))
        if {c & 0xFC | turn[c & 3] for c in gone} == set(gone)
        and {tuple(sorted((c & 0xFC | turn[c & 3] for c in hand), reverse=True)): w for hand, w in hands.items()}
        == hands
    }
    found = sweep.suit_turns((gone,), [given])
    assert {tuple(turn) for turn in found.tolist()} == wanted
    assert found[0].tolist() == [0, 1, 2, 3]
    # All hands that leave those cards alone are changed by no such exchange.
    free = sweep.suit_turns((gone,), [None])
    assert {tuple(turn) for turn in free.tolist()} == {
        turn for turn in itertools.permutations(range(4)) if {c & 0xFC | turn[c & 3] for c in gone} == set(gone)
    }


def test_two_unknown_hands_without_the_table() -> None:
    # A dead card forbids the table of match-ups; both players have the same range, so that they share evenly.
    answer = equity("random", "random", dead="2c", method="exact")
    assert (answer.algorithm, answer.stop) == ("sweep", "complete")
    assert answer.deals == math.comb(51, 2) * math.comb(49, 2) * math.comb(47, 5)
    assert answer.players[0].counts == answer.players[1].counts
    assert answer.players[0].equity == 0.5
    counts = answer.players[0].counts
    assert counts["win"] + counts["tie"] + counts["lose"] == answer.deals


def test_every_thread_count_gives_the_same_counts_without_a_board() -> None:
    answers = [equity("random", "55+,A2s+@40", dead="2c2d", threads=n, method="exact") for n in (1, 2, 3)]
    assert answers[0].algorithm == "sweep"
    assert all(a.players == answers[0].players and a.deals == answers[0].deals for a in answers)


def test_great_weights_stay_exact() -> None:
    # Weights of ten thousandths: what a board counts comes near to what a float can hold.
    hands = [f"{name}@{weight}%" for name, weight in (("AA", "99.99"), ("KK", ".01"), ("QQ", "33.33"), ("JTs", "7.77"))]
    board = "AhKdQc"
    answer = equity(",".join(hands), ",".join(hands[::-1]), board=board, method="exact")
    assert answer.players[0].equity == answer.players[1].equity == 0.5
    numbers = parse_cards(board)
    one = {
        (a, b): float(w)
        for name, w in (("AA", 9999), ("KK", 1), ("QQ", 3333))
        for a, b in itertools.combinations(range(4 * "23456789TJQKA".index(name[0]) + 3, -1, -1), 2)
        if a >> 2 == b >> 2 == "23456789TJQKA".index(name[0]) and a not in numbers and b not in numbers
    }
    one |= {(4 * 9 + s, 4 * 8 + s): 777.0 for s in range(4)}
    met = sum(w * v for a, w in one.items() for b, v in one.items() if not set(a).intersection(b))
    total = sum(answer.players[0].counts.values())
    assert total == pytest.approx(met * math.comb(45, 2) / 1e8, rel=1e-15)


def test_ranges_that_always_collide_are_refused() -> None:
    with pytest.raises(PotshareError, match="no deal is possible"):
        equity("AhKh,AhQh,AhJh,AhTh,Ah9h,Ah8h,Ah7h", "Ah6h,Ah5h,Ah4h,Ah3h,Ah2h,AhKs,AhQs,AhJs", board="2c3c4c")

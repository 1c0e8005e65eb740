"""The vector engine of Monte Carlo: its random numbers and deals against slow twins, its results against counting.

The twins deal from a list of cards and evaluate from the rules of the games; they must give the same deals, winners
and tallies one by one. Statistical tests have fixed seeds and fail by chance once in 150,000 or less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from potshare import PotshareError, equity, strengths
from potshare.evaluator.cards import format_cards
from potshare.evaluator.slow import best_key, best_split_key
from potshare.simulate.answer import tally_equity
from potshare.simulate.evaluators import evaluators
from potshare.simulate.sampling import flop, general, lanes
from potshare.simulate.spot import Spot, spot
from potshare.simulate.variants import find_variant

TOLERANCE = 4.5
MASK = (1 << 64) - 1


# -- twins ------------------------------------------------------------------------------------------------------------


def splitmix(x: int) -> Iterator[int]:
    """SplitMix64 from a state."""
    while True:
        x = (x + 0x9E3779B97F4A7C15) & MASK
        z = x
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


class Xoshiro:
    """xoshiro256++ in plain Python."""

    def __init__(self, state: list[int]) -> None:
        self.state = state

    def word(self) -> int:
        s0, s1, s2, s3 = self.state
        total = (s0 + s3) & MASK
        result = (((total << 23) | (total >> 41)) + s0) & MASK
        t = (s1 << 17) & MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        self.state = [s0, s1, s2, ((s3 << 45) | (s3 >> 19)) & MASK]
        return result


def generators(seed: int, block: int) -> tuple[Xoshiro, list[Xoshiro]]:
    """The single generator of a block and its eight lanes."""
    start = next(splitmix(seed)) ^ ((block * 0xD1342543DE82EF95) & MASK)
    words = splitmix(start)
    return Xoshiro([next(words) for _ in range(4)]), [Xoshiro([next(words) for _ in range(4)]) for _ in range(8)]


def deal_slowly(seed: int, block: int, deck: list[int], drawn: int, deals: int) -> Iterator[list[int]]:
    """The cards drawn in the deals of a block, each taken out of a list of the deck."""
    single, eight = generators(seed, block)
    for _ in range(-(-deals // 64)):
        quads = [lane.word() for _ in range(2 * drawn) for lane in eight]
        words = [quad >> shift & 0xFFFF for quad in quads for shift in (0, 16, 32, 48)]
        numbers: list[list[int]] = []
        for k in range(drawn):
            n = len(deck) - k
            column = []
            for word in words[64 * k : 64 * k + 64]:
                # 16 bits, and 32 more where they could still make it the next card.
                value, bits = word, 16
                if (word * n & 0xFFFF) + n > 1 << 16:
                    value, bits = word << 32 | single.word() >> 32, 48
                column.append(value * n >> bits)
            # Even deals, then odd ones.
            numbers.append([column[i // 2 + 32 * (i % 2)] for i in range(64)])
        for i in range(64):
            left = list(deck)
            yield [left.pop(numbers[k][i]) for k in range(drawn)]


def dealer(question: Spot, seed: int = 1) -> lanes.Dealer:
    found = lanes.dealer(question, seed)
    assert found is not None
    return found


def winners_slowly(question: Spot, cards: list[int]) -> int:
    """The outcome of a deal from the rules; see `simulate.outcomes`."""
    n, own = question.players, question.variant.hole_cards - int(question.community)
    board = cards[n * own :]
    outcome = 0
    for h, half in enumerate(question.variant.halves):
        keys = []
        for p in range(n):
            hand = cards[p * own : (p + 1) * own]
            split = half.selection == "two plus three"
            keys.append(best_split_key(hand, board, half.ranking) if split else best_key([*hand, *board], half.ranking))
        if max(keys) != ():
            outcome |= sum(1 << p for p in range(n) if keys[p] == max(keys)) << (h * n)
    return outcome


def winners(question: Spot, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The outcomes of many deals from the tables."""
    n, own = question.players, question.variant.hole_cards - int(question.community)
    board = np.ascontiguousarray(cards[:, n * own :])
    found = np.zeros(len(cards), np.int64)
    for h, half in enumerate(question.variant.halves):
        values = []
        for p in range(n):
            hand = np.ascontiguousarray(cards[:, p * own : (p + 1) * own])
            if half.selection == "two plus three":
                values.append(strengths(hand, half.ranking, board, selection=half.selection))
            else:
                values.append(strengths(np.ascontiguousarray(np.hstack([hand, board])), half.ranking))
        best = np.max(values, axis=0)
        for p in range(n):
            found |= np.where((values[p] == best) & (best > 0), np.int64(1) << (h * n + p), 0)
    return found


def tally_of(outcomes: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """The tally of outcomes, counted one by one."""
    tally = np.zeros((n, n + 1, n + 2), np.int64)
    for outcome, deals in zip(*np.unique(outcomes, return_counts=True), strict=True):
        high, low = int(outcome) & ((1 << n) - 1), int(outcome) >> n
        for p in range(n):
            a = high.bit_count() if high >> p & 1 else 0
            b = (low.bit_count() if low >> p & 1 else 0) if low else n + 1
            tally[p, a, b] += deals
    return tally


def deviate(seen: NDArray[Any], want: float) -> float:
    """The normal deviate of a chi-square value over cells of equal expectation (Wilson and Hilferty)."""
    freedom = seen.size - 1
    chi = float(np.sum((seen - want) ** 2) / want)
    return ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))


QUESTIONS: list[tuple[str, list[str], str, str]] = [
    ("holdem", ["AhAd", "KsKc"], "", ""),
    ("holdem", ["random", "random"], "", ""),
    ("holdem", ["AhAd", "random", "random"], "Kd7c", "2c2d"),
    ("holdem", ["random"] * 9, "", ""),
    ("holdem", ["TT+", "AJ+", "random"], "Jh8h5c", ""),
    ("holdem", ["AKs@30,QQ", "AKo,JJ@70", "AhKh"], "", "As"),
    ("holdem", ["AA,KK", "AA", "AA,QQ"], "", ""),
    ("holdem", ["random"] * 16, "", ""),
    ("holdem8", ["Ah2h", "KK", "random"], "", ""),
    ("short-deck", ["AhKh", "JJ", "random"], "", "6c"),
    ("short-deck-trips", ["random", "random"], "AsKsQs", ""),
    ("omaha", ["AhAdKhKd", "random"], "", ""),
    ("omaha8", ["Ah2cKd9d", "Ac2dTh8h", "random"], "7d4c3h", ""),
    ("omaha5", ["AhAdKhKd5c", "random"], "", "2c"),
    ("omaha6", ["random"] * 3, "", ""),
    ("big-o", ["random"] * 2, "", ""),
    ("stud", ["AhAd9c", "KsKc2h", "random"], "", "2c3c"),
    ("stud", ["random"] * 8, "", ""),
    ("stud8", ["AhAdKs9c2d", "QhQd8s7c6d", "random"], "", ""),
    ("stud-hilo", ["2h3d", "random"], "", ""),
    ("razz", ["Ah2d3s9c", "4h5d8s7c", "random"], "", ""),
    ("five-card-stud", ["AhAd", "random", "random"], "", ""),
]
NAMES = [f"{game} {' '.join(hands[:3])} x{len(hands)}" for game, hands, _, _ in QUESTIONS]


# -- random numbers and deals -----------------------------------------------------------------------------------------


def test_lanes_are_xoshiro() -> None:
    """The words and the states of every lane are those of the plain generator, known answers included."""
    known = Xoshiro([1, 2, 3, 4])
    assert [known.word() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]
    question = spot(["random"] * 2)
    for seed, block in ((1, 0), (2**62 + 12345, 10**9)):
        cards, _ = dealer(question, seed).dealt(block, 200)
        for row, drawn in zip(cards.tolist(), deal_slowly(seed, block, list(range(52)), 9, 200), strict=False):
            assert row == drawn


def test_a_whole_block_is_dealt_as_from_a_list() -> None:
    """More than two hundred draws of this block are decided by further bits."""
    question = spot(["AhAd", "KsKc"], dead="2c")
    live = [c for c in range(52) if format_cards([c]) not in ("Ah", "Ad", "Ks", "Kc", "2c")]
    deals = 40_000
    cards, _ = dealer(question, 77).dealt(3, deals)
    for row, drawn in zip(cards[:, 4:].tolist(), deal_slowly(77, 3, live, 5, deals), strict=False):
        assert row == drawn
    assert (cards[:, :4] == cards[0, :4]).all()


def test_states_of_lanes_differ() -> None:
    seen = set()
    for seed in range(10):
        for block in range(20):
            single, eight = generators(seed, block)
            seen |= {tuple(g.state) for g in (single, *eight)}
    assert len(seen) == 10 * 20 * 9


@pytest.fixture(scope="module")
def random_deals() -> NDArray[np.uint8]:
    """Eight blocks of nine cards: two hands and a board."""
    one = dealer(spot(["random"] * 2), 5)
    return np.stack([one.dealt(block, lanes.BLOCK)[0] for block in range(8)])


def test_cards_are_uniform_at_every_position(random_deals: NDArray[np.uint8]) -> None:
    for position in range(9):
        seen = np.bincount(random_deals[:, :, position].ravel(), minlength=52)
        assert abs(deviate(seen, random_deals[:, :, 0].size / 52)) < TOLERANCE


def test_pairs_of_cards_are_uniform(random_deals: NDArray[np.uint8]) -> None:
    for one in range(9):
        for two in range(one):
            pairs = random_deals[:, :, one].astype(np.int64) * 52 + random_deals[:, :, two]
            seen = np.bincount(pairs.ravel(), minlength=52 * 52).reshape(52, 52)
            assert not seen.diagonal().any()
            assert abs(deviate(seen[~np.eye(52, dtype=bool)], random_deals[:, :, 0].size / (52 * 51))) < TOLERANCE


def test_deals_do_not_depend_on_each_other(random_deals: NDArray[np.uint8]) -> None:
    """Pairs of first cards: of neighbours, of a lane in turn, of lanes of one generator, of blocks and of seeds."""
    first = random_deals[:, :, 4].astype(np.int64)
    other = dealer(spot(["random"] * 2), 6).dealt(0, lanes.BLOCK)[0][:, 4].astype(np.int64)
    apart = [(first[:, :-step], first[:, step:]) for step in (1, 2, 8, 16, 64, 128)]
    for one, two in [*apart, (first[:-1], first[1:]), (first[0], other)]:
        seen = np.bincount((one * 52 + two).ravel(), minlength=52 * 52)
        assert abs(deviate(seen, one.size / 52**2)) < TOLERANCE


def test_sets_of_cards_are_uniform() -> None:
    """All C(12, 4) sets that a player can be dealt from the twelve cards that nobody knows."""
    dead = format_cards([c for c in range(40) if c not in (0, 1)])
    question = spot(["Ah", "Kh"], "five-card-stud", dead=dead)
    assert len(question.live) == 14
    cards, _ = dealer(question, 3).dealt(0, lanes.BLOCK)
    held = np.sort(cards[:, 1:5], axis=1).astype(np.int64)
    sets = np.unique(held @ (100 ** np.arange(4)), return_counts=True)[1]
    assert len(sets) == math.comb(len(question.live) - 2, 4)
    assert abs(deviate(sets, lanes.BLOCK / len(sets))) < TOLERANCE


def test_ranges_are_drawn_by_the_product_of_their_weights() -> None:
    question = spot(["AhKh,AdKd@10,QhQd", "AhKh@30,AsKs,QhQc"])
    cards, _ = dealer(question, 4).dealt(0, lanes.BLOCK)
    weights = [{(int(a), int(b)): w for (a, b), w in zip(r.combos, r.weights, strict=True)} for r in question.ranges]
    want = {
        (*one, *two): v * w for one, v in weights[0].items() for two, w in weights[1].items() if not set(one) & set(two)
    }
    seen = dict.fromkeys(want, 0)
    for row in cards[:, :4].tolist():
        seen[tuple(row)] += 1
    total = sum(want.values())
    parts = [(seen[k], lanes.BLOCK * w / total) for k, w in want.items()]
    chi = sum((s - e) ** 2 / e for s, e in parts)
    freedom = len(want) - 1
    assert ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom)) < TOLERANCE
    # The board does not show what the hands are.
    board = np.bincount(cards[:, 4:].ravel(), minlength=52)
    low = board[:40].astype(float)
    assert abs(deviate(low, float(low.mean()))) < TOLERANCE


# -- showdowns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "hands", "board", "dead"), QUESTIONS, ids=NAMES)
def test_deals_and_winners_by_the_rules(game: str, hands: list[str], board: str, dead: str) -> None:
    question = spot(hands, game, board, dead)
    slow = 30 if question.players > 4 else 130
    cards, outcomes = dealer(question, 2).dealt(0, slow)
    own = question.variant.hole_cards - int(question.community)
    live = set(question.variant.deck) - set(question.dead)
    known = [set(h.cards) if h is not None else set() for h in question.holdings]
    for row, outcome in zip(cards.tolist(), outcomes.tolist(), strict=True):
        assert len(set(row)) == len(row)
        assert set(row) <= live
        assert row[question.players * own :][: len(question.board)] == list(question.board)
        for p, written in enumerate(known):
            assert written <= set(row[p * own : (p + 1) * own])
        for p in question.ranged:
            combos = {frozenset(combo) for combo in question.ranges[p].combos.tolist()}
            assert frozenset(row[p * own : p * own + question.row_size(p)]) in combos
        assert outcome == winners_slowly(question, row)


@pytest.mark.parametrize(("game", "hands", "board", "dead"), QUESTIONS, ids=NAMES)
def test_tally_of_a_block_by_the_tables(game: str, hands: list[str], board: str, dead: str) -> None:
    question = spot(hands, game, board, dead)
    one = dealer(question, 9)
    deals = lanes.BLOCK if question.players < 4 else 20_001
    cards, outcomes = one.dealt(2, deals)
    assert (outcomes == winners(question, cards)).all()
    tally = one.deal(2, 1, 2 * lanes.BLOCK + deals)
    assert (tally == tally_of(outcomes, question.players)).all()


@pytest.mark.parametrize("deals", [1, 2, 31, 63, 64, 65, 127, 1000])
def test_any_number_of_deals(deals: int) -> None:
    for question in (spot(["AhAd", "KsKc"]), spot(["AA", "KK", "random"]), spot(["random"] * 2, "omaha8")):
        one = dealer(question, 8)
        _, outcomes = one.dealt(0, 1000)
        assert (one.deal(0, 1, deals) == tally_of(outcomes[:deals], question.players)).all()
        # Over the end of a block, and several blocks in one call.
        both = one.deal(0, 2, lanes.BLOCK + deals)
        assert (both == one.deal(0, 1, 1 << 60) + one.deal(1, 1, lanes.BLOCK + deals)).all()


# -- answers ----------------------------------------------------------------------------------------------------------

SPOTS: list[tuple[str, list[str], str, str]] = [
    ("holdem", ["AcAs", "KhKd"], "", ""),
    ("holdem", ["AcAs", "KhKd"], "", "AhAdKs"),
    ("holdem", ["AsKs", "QhQd", "7c6c"], "", ""),
    ("holdem", ["AsAh", "KsKd", "QcQd", "JhTh", "9c8c", "7s2d"], "", ""),
    ("holdem", ["AhAd", "random"], "KsQc7d", ""),
    ("holdem", ["random", "random"], "AhKdJc", "As"),
    ("holdem", ["QQ+,AKs", "22+,A2s+,K9s+"], "", ""),
    ("holdem", ["AA", "AA"], "", ""),
    ("holdem", ["AK", "KQ", "QJ"], "Kd7c2s", "Qs"),
    ("holdem", ["TT+", "AJ+", "random"], "Jh8h5c", ""),
    ("holdem", ["AA,KhKd", "AhAd,KK", "AcAs,KsKc"], "", ""),
    ("holdem8", ["Ah2h", "KsKd"], "", ""),
    ("short-deck", ["AhKh", "JcJd"], "", ""),
    ("short-deck-trips", ["AhKh", "JcJd", "9s8s"], "", "6c6d"),
    ("omaha", ["AhAdKhKd", "JsTs9c8c"], "", ""),
    ("omaha8", ["Ah2cKd9d", "Ac2dTh8h", "3s4s5d6h"], "7d4c3h", ""),
    ("omaha5", ["AhAdKhKd5c", "JsTs9c8c2d"], "", "AcAs"),
    ("omaha6", ["AhAdKhKd5c6c", "JsTs9c8c2d3d"], "Qs7h2c", ""),
    ("big-o", ["AhAd2c3d9s", "KhKdQsJs4c"], "", ""),
    ("stud", ["AhAdKs9c2d", "QhQd8s7c6d"], "", ""),
    ("stud", ["AhAdKs9c2d4d", "QhQd8s7c6d6c", "2h3h4h5h7d9s"], "", "Ac"),
    ("stud8", ["AhAdKs9c2d", "QhQd8s7c6d"], "", "2c3c"),
    ("razz", ["Ah2d3s9c7h", "4h5d8s7c2c"], "", ""),
    ("razz", ["Ah2d3s9c7hTd", "4h5d8s7c2cJd", "KcQcJc3h4c6d"], "", ""),
    ("stud-hilo", ["Ah2d3s9c7hTd", "4h5d8s7c2cJd"], "", ""),
    ("five-card-stud", ["AhKd9c", "QsQc2h"], "", ""),
]


@pytest.mark.parametrize(("game", "hands", "board", "dead"), SPOTS)
def test_agrees_with_counting(game: str, hands: list[str], board: str, dead: str) -> None:
    assert lanes.form_of(spot(hands, game, board, dead)) is not None
    exact = equity(*hands, game=game, board=board, dead=dead, method="exact")
    sampled = equity(*hands, game=game, board=board, dead=dead, method="monte-carlo", deals=500_000, seed=11)
    for p, q in zip(sampled.players, exact.players, strict=True):
        assert abs(p.equity - q.equity) <= TOLERANCE * p.stderr
        assert abs(p.win - q.win) <= TOLERANCE * math.sqrt(q.win * (1 - q.win) / sampled.deals) + 1e-5
        for name, half in p.halves.items():
            assert abs(half.equity - q.halves[name].equity) <= TOLERANCE * 0.5 / math.sqrt(sampled.deals)


@pytest.mark.parametrize("seed", range(30))
def test_agrees_with_counting_on_random_spots(seed: int) -> None:
    rng = np.random.default_rng(500 + seed)
    deck = rng.permutation(52)
    known, dead = (0, 3, 4, 5)[seed % 4], int(rng.integers(0, 8))
    board, gone = format_cards(deck[:known]), format_cards(deck[known : known + dead])
    hands = [format_cards(deck[at : at + 2]) for at in range(20, 20 + 2 * int(rng.integers(2, 7)), 2)]
    exact = equity(*hands, board=board, dead=gone, method="exact")
    sampled = equity(*hands, board=board, dead=gone, method="monte-carlo", deals=300_000, seed=seed)
    for p, q in zip(sampled.players, exact.players, strict=True):
        assert abs(p.equity - q.equity) <= TOLERANCE * p.stderr


def test_stderr_covers() -> None:
    """Of 400 runs the 95 % interval covers the exact value in 92 to 98 % (by chance outside: 1 in 200)."""
    for hands, board in ((["AhKd", "QcQd"], "Qh7d2h"), (["AhKd", "QcQs@50,JTs", "98s"], "Qd7c2h")):
        question = spot(hands, board=board)
        exact = equity(*hands, board=board, method="exact").players[0].equity
        covered = 0
        for seed in range(400):
            tally = dealer(question, seed).deal(0, 1, 4_000)
            found, error = tally_equity(tally, question.players)[0]
            covered += abs(found - exact) <= 1.96 * error
        assert 368 <= covered <= 392


@pytest.mark.parametrize(("game", "hands"), [("holdem", ["AKs", "random", "random"]), ("omaha8", ["random", "random"])])
def test_scalar_engines_agree(game: str, hands: list[str]) -> None:
    """Two-sample chi-square of the first player's outcomes; the engines draw different deals."""
    question = spot(hands, game)
    free = tuple(i for i, r in enumerate(question.ranges) if r.is_random)
    from potshare.simulate.sampling.run import flop_dealer

    scalar = flop_dealer(question, evaluators(question.variant), 3)
    assert free
    one = scalar.deal(0, 50, 1 << 60)[0].ravel()
    two = dealer(question, 4).deal(0, 10, 1 << 60)[0].ravel()
    both = one + two
    cells = both > 50
    chi = sum(
        float(np.sum((x[cells] - both[cells] * (x.sum() / both.sum())) ** 2 / (both[cells] * (x.sum() / both.sum()))))
        for x in (one, two)
    )
    freedom = int(cells.sum()) - 1
    assert abs((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) < TOLERANCE * math.sqrt(2 / (9 * freedom))


def test_general_engine_agrees() -> None:
    question = spot(["AhAd9c", "KsKc2h"], "stud8")
    one = tally_equity(general.Dealer(question, "standard", 1).deal(0, 60, 1 << 60), 2)
    two = tally_equity(dealer(question, 2).deal(0, 10, 1 << 60), 2)
    for (x, e), (y, f) in zip(one, two, strict=True):
        assert abs(x - y) < TOLERANCE * math.hypot(e, f)


def test_threads_and_prefixes() -> None:
    for game, hands in (("holdem", ["AhAd", "random"]), ("holdem", ["AA,KK", "QQ,AKs"]), ("stud8", ["random"] * 2)):
        runs = [equity(*hands, game=game, method="monte-carlo", deals=1_500_001, seed=1, threads=n) for n in (1, 2, 4)]
        assert all(run.players == runs[0].players for run in runs)
        assert runs[0].deals == 1_500_001
        timed = equity(*hands, game=game, method="monte-carlo", time=0.05, seed=1, threads=2)
        again = equity(*hands, game=game, method="monte-carlo", deals=timed.deals, seed=1, threads=1)
        assert (timed.stop, again.players) == ("time", timed.players)


def test_what_lanes_leave_to_the_scalar_engines() -> None:
    assert lanes.form_of(spot(["random"] * 16)) is not None
    assert lanes.form_of(spot(["random"] * 17)) is None
    assert lanes.form_of(spot(["random"] * 23)) is None
    for game in ("badugi", "draw", "pineapple", "chicago", "push", "murder", "deuce-to-seven"):
        assert lanes.form_of(spot(["random"] * 2, game)) is None
    assert lanes.form_of(spot(["random"] * 2, find_variant("stud").with_wilds("2"))) is None
    answer = equity(*["random"] * 23, method="monte-carlo", deals=20_000, seed=1)
    assert sum(p.equity for p in answer.players) == pytest.approx(1.0, abs=1e-9)
    assert answer.sampling is not None
    assert answer.sampling.sources[0].blocks == -(-20_000 // flop.BLOCK)


def test_discards_that_are_all_made_are_dealt_in_lanes() -> None:
    answer = equity("AhKd", "QsQc", game="pineapple", dead="2c", method="monte-carlo", deals=400_000, seed=1)
    exact = equity("AhKd", "QsQc", game="pineapple", dead="2c", method="exact")
    assert answer.sampling is not None
    assert answer.sampling.sources[0].blocks == -(-400_000 // lanes.BLOCK)
    for p, q in zip(answer.players, exact.players, strict=True):
        assert abs(p.equity - q.equity) <= TOLERANCE * p.stderr


def test_ranges_that_written_cards_empty() -> None:
    with pytest.raises(PotshareError, match="range 'AhAd,AhAc' is empty"):
        equity("AhKh", "AhAd,AhAc", "random", method="monte-carlo", deals=10)


def test_ranges_of_which_written_cards_leave_a_part() -> None:
    exact = equity("AhKh", "AA,QQ@40", method="exact")
    sampled = equity("AhKh", "AA,QQ@40", method="monte-carlo", deals=500_000, seed=2)
    for p, q in zip(sampled.players, exact.players, strict=True):
        assert abs(p.equity - q.equity) <= TOLERANCE * p.stderr


def test_acceptance_is_told() -> None:
    none = equity("AhKh", "random", method="monte-carlo", deals=1000, seed=1)
    some = equity("AA,KK", "AA,QQ", method="monte-carlo", deals=1000, seed=1)
    assert none.sampling is not None
    assert some.sampling is not None
    assert none.sampling.acceptance is None
    # Of 144 joint draws those of two pairs of aces that share a card collide: 36 less 6.
    assert some.sampling.acceptance == pytest.approx(114 / 144, abs=0.005)
    assert "acceptance" in some.to_dict()
    assert some.sampling.rate > 0

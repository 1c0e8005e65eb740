"""Two boards, unusual boards and ranges, counted: every deal one by one, and hand by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import twin  # type: ignore[import-not-found]

from potshare import PotshareError, equity
from potshare.simulate.exact import boards
from potshare.simulate.exact.completions import TooManyError
from potshare.simulate.exact.plans import MOST_CHOICES, counting_plan
from potshare.simulate.spot import spot
from potshare.simulate.variants import find_variant, read_variant

Key = Callable[[Sequence[int]], Any]


def by_hand(
    keys: Sequence[tuple[Key, int, bool]], hands: Sequence[Sequence[int]], known: Sequence[Sequence[int]],
    live: Sequence[int], size: int = 5,
) -> tuple[np.ndarray, int]:  # fmt: skip
    """The tally of every deal, one by one. `keys`: for each half its key, its board, whether two play with three."""
    players = len(hands)
    tally = np.zeros((players, players + 1, players + 2), np.int64)
    deals = 0
    sets: list[list[tuple[int, ...]]] = [list(itertools.combinations(live, size - len(board))) for board in known]

    def winners(half: int, board: Sequence[int]) -> list[int]:
        key, _, split = keys[half]
        if split:
            found = [twin.two_plus_three(key, hand, board) for hand in hands]
        else:
            found = [key([*hand, *board]) for hand in hands]
        there = [f for f in found if f is not None]
        return [p for p, f in enumerate(found) if there and f is not None and f == max(there)]

    by_set = [
        {
            new: [winners(half, [*known[b], *new]) if keys[half][1] == b else [] for half in range(len(keys))]
            for new in sets[b]
        }
        for b in range(len(known))
    ]
    for chosen in itertools.product(*sets):
        if len({c for new in chosen for c in new}) < sum(len(new) for new in chosen):
            continue
        deals += 1
        shared = [by_set[keys[half][1]][chosen[keys[half][1]]][half] for half in range(len(keys))]
        for p in range(players):
            a = len(shared[0]) if p in shared[0] else 0
            b = players + 1
            if len(keys) == 2 and shared[1]:
                b = len(shared[1]) if p in shared[1] else 0
            tally[p, a, b] += 1
    return tally, deals


HOLDEM = [(twin.high, 0, False), (twin.high, 1, False)]
OMAHA = [(twin.high, 0, True), (twin.high, 1, True)]


@pytest.mark.parametrize(
    ("game", "keys", "players", "known", "live"),
    [
        ("double-board-holdem", HOLDEM, 2, (3, 3), 14),
        ("double-board-holdem", HOLDEM, 3, (3, 3), 12),
        ("double-board-holdem", HOLDEM, 4, (4, 4), 20),
        ("double-board-holdem", HOLDEM, 2, (0, 0), 11),
        ("double-board-holdem", HOLDEM, 2, (3, 0), 10),
        ("double-board-holdem", HOLDEM, 3, (0, 4), 9),
        ("double-board-holdem", HOLDEM, 2, (5, 4), 16),
        ("double-board-holdem", HOLDEM, 2, (5, 5), 8),
        ("double-board-omaha", OMAHA, 2, (3, 3), 9),
        ("double-board-omaha", OMAHA, 3, (4, 3), 9),
    ],
)
def test_two_boards_one_by_one(game: str, keys: Any, players: int, known: tuple[int, int], live: int) -> None:
    rng = random.Random(f"{game}{players}{known}")
    variant = find_variant(game)
    for _ in range(3):
        deck = rng.sample(range(52), 52)
        hands = [[deck.pop() for _ in range(variant.hole_cards)] for _ in range(players)]
        on = [[deck.pop() for _ in range(n)] for n in known]
        rest, dead = deck[:live], deck[live:]
        plan = boards.prepare(variant, hands, on, dead)
        tally, deals = by_hand(keys, hands, on, rest)
        assert plan.deals == deals
        np.testing.assert_array_equal(plan.count(), tally)


def test_one_board_with_wild_cards_one_by_one() -> None:
    rng = random.Random(4)
    variant = find_variant("holdem:joker")

    def best_five(cards: Sequence[int]) -> Any:
        return max(twin.wild_high(five, {52}) for five in itertools.combinations(cards, 5))

    for known in (3, 2):
        deck = [*rng.sample(range(52), 30), 52]
        rng.shuffle(deck)
        hands = [[deck.pop() for _ in range(2)] for _ in range(2)]
        on = [deck.pop() for _ in range(known)]
        rest = deck[:8]
        dead = [c for c in variant.deck if c not in rest and c not in on and not any(c in h for h in hands)]
        plan = boards.prepare(variant, hands, [on], dead)
        tally, deals = by_hand([(best_five, 0, False)], hands, [on], rest)
        assert plan.deals == deals
        np.testing.assert_array_equal(plan.count(), tally)


def test_a_low_of_ones_own_on_one_board(tmp_path: Any) -> None:
    path = tmp_path / "lowball.toml"
    path.write_text(
        'like = "holdem"\ntitle = "Lowball hold\'em"\n[[half]]\nname = "low"\nranking = "ace-to-five"\n'
        '[[half]]\nname = "high"\nranking = "high"\n'
    )
    variant = read_variant(path)
    rng = random.Random(9)
    for _ in range(3):
        deck = rng.sample(range(52), 52)
        hands = [[deck.pop() for _ in range(2)] for _ in range(3)]
        on = [deck.pop() for _ in range(3)]
        rest, dead = deck[:9], deck[9:]
        keys = [(twin.ace_to_five, 0, False), (twin.high, 0, False)]
        tally, deals = by_hand(keys, hands, [on], rest)
        plan = boards.prepare(variant, hands, [on], dead)
        assert plan.deals == deals
        np.testing.assert_array_equal(plan.count(), tally)


def test_seats_and_boards_do_not_matter() -> None:
    one = equity("AhKh", "QcQd", game="double-board-holdem", board="2c3d4h/5c6d7h", method="exact")
    two = equity("QcQd", "AhKh", game="double-board-holdem", board="5c6d7h/2c3d4h", method="exact")
    assert one.players[0].fraction == two.players[1].fraction
    assert one.players[0].win == two.players[1].win
    assert one.players[0].halves["first board"] == two.players[1].halves["second board"]


def test_both_boards_before_the_flop_are_each_hold_em() -> None:
    # Each board alone is a board of hold'em.
    both = equity("AhKh", "QcQd", game="double-board-holdem", method="exact")
    one = equity("AhKh", "QcQd", method="exact")
    assert both.deals == 1_712_304 * 962_598  # C(48, 5) C(43, 5)
    for player, alone in zip(both.players, one.players, strict=True):
        assert Fraction(player.fraction or "0") == Fraction(alone.fraction or "0")
        assert player.win + player.tie + player.lose == pytest.approx(1.0)
        for half in player.halves.values():
            assert half.win == pytest.approx(alone.win, abs=1e-12)


def test_sampling_agrees_with_counting() -> None:
    hands = ("AhKhQcJc", "8d8s7d6s", "random")
    counted = equity(*hands[:2], game="double-board-omaha", board="2c3d4h/5c6d7h", method="exact")
    sampled = equity(
        *hands[:2], game="double-board-omaha", board="2c3d4h/5c6d7h", method="monte-carlo", deals=100_000, seed=1
    )
    for exact, other in zip(counted.players, sampled.players, strict=True):
        assert abs(exact.equity - other.equity) < 4 * other.stderr
        assert abs(exact.win - other.win) < 0.01


def weighted(game: str, ranges: Sequence[str], **options: Any) -> tuple[list[Fraction], int]:
    """The equities of ranges by asking for every pair of hands, and the number of deals."""
    question = spot(ranges, game, options.get("board", ""), options.get("dead", ""))
    rows = [
        question.rows(i) if i in question.ranged or "board" in options else (question.ranges[i].combos, np.ones(1))
        for i in range(question.players)
    ]
    total = Fraction(0)
    deals = 0
    shares = [Fraction(0)] * question.players
    for chosen in itertools.product(*(range(len(cards)) for cards, _ in rows)):
        hands = [tuple(cards[i].tolist()) for (cards, _), i in zip(rows, chosen, strict=True)]
        if len({c for hand in hands for c in hand}) < sum(map(len, hands)):
            continue
        answer = equity(*hands, game=game, method="exact", **options)
        weight = Fraction(1)
        for (_, weights), i in zip(rows, chosen, strict=True):
            weight *= Fraction(float(weights[i])).limit_denominator(10_000)
        # Each pair of hands is dealt as often as any other; those that clash with a third player's are fewer.
        weight *= answer.deals
        total += weight
        deals += answer.deals
        for p, player in enumerate(answer.players):
            shares[p] += weight * Fraction(player.fraction or "0")
    return [share / total for share in shares], deals


@pytest.mark.parametrize(
    ("game", "ranges", "options"),
    [
        ("stud", ("AdAs2h3h4c,AhAc2h3h4c,KhKd3h4c5c@50", "QhQd9s8d7c"), {}),
        ("stud8", ("AA234", "KhKdQs7d8d"), {}),
        ("razz", ("AdAs2h3h4c,2c3c4c5d9d", "KK234"), {"dead": "Kc"}),
        ("three-card-stud", ("TT", "99"), {}),
        ("five-card-stud", ("AK,QQ@25", "9h9d8s"), {}),
        ("badugi", ("A23K", "Kc9d8h7s/"), {"policy": "pat"}),
        ("deuce-to-seven", ("9h8h5c3c2d,9h8h4c3c2d@10", "AsKs9d9c2h/"), {"policy": "pat"}),
        ("double-board-holdem", ("AA", "KK,QQ@50"), {"board": "2c3d4h5s/5c6d7h8h"}),
    ],
)
def test_ranges_are_the_weighted_sum_of_their_hands(game: str, ranges: Sequence[str], options: dict[str, Any]) -> None:
    answer = equity(*ranges, game=game, method="exact", **options)
    expected, deals = weighted(game, ranges, **options)
    assert answer.deals == deals
    for player, share in zip(answer.players, expected, strict=True):
        assert player.equity == pytest.approx(float(share), abs=1e-12)
        if player.fraction is not None:
            assert Fraction(player.fraction) == share


def test_ranges_that_draw_by_rules_are_counted_and_sampled_alike() -> None:
    hands = ("2c3d4h7sKd,2c3d4h8sKd", "AsKs9d9c2h/")
    counted = equity(*hands, game="deuce-to-seven", method="exact")
    sampled = equity(*hands, game="deuce-to-seven", method="monte-carlo", deals=200_000, seed=2)
    assert counted.method == "exact"
    for exact, other in zip(counted.players, sampled.players, strict=True):
        assert abs(exact.equity - other.equity) < 4 * other.stderr


def test_an_unknown_hand_beside_boards_is_a_range() -> None:
    counted = equity("AhKh", "random", game="double-board-holdem", board="2c3d4h/5c6d7h", method="exact")
    assert counted.deals == 946 * 861 * 780  # C(44, 2) hands, C(42, 2) C(40, 2) run-outs
    sampled = equity(
        "AhKh", "random", game="double-board-holdem", board="2c3d4h/5c6d7h", method="monte-carlo", deals=200_000, seed=5
    )
    assert abs(counted.players[0].equity - sampled.players[0].equity) < 4 * sampled.players[0].stderr


def test_what_cannot_be_counted_says_why() -> None:
    for hands, game, options, words in (
        (("random", "random"), "no-peek", {}, "cards are turned up in turn"),
        (("Ah", "KhQd"), "double-board-holdem", {}, "hand 1 lacks cards"),
        (("2c3d4h7sKd", "random"), "27sd", {}, "the draw of hand 2 follows keep rules"),
        (("23456", "random"), "triple-draw", {}, "later draws follow keep rules"),
        (("AhKh", "QdQc"), "double-board-holdem", {"dead": "??"}, "nobody knows"),
    ):
        with pytest.raises(PotshareError, match=words):
            equity(*hands, game=game, method="exact", **options)
    with pytest.raises(TooManyError):
        counting_plan(spot(["random", "random"], "double-board-holdem"), "standard")
    assert MOST_CHOICES < 1326 * 1225

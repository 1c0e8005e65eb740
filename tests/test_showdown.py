"""Settlement: known cases, a chip-by-chip twin, and what must hold for every hand."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.errors import PotshareError
from potshare.simulate.showdown import (
    Pot,
    Settlement,
    money_layers,
    settle,
    spade_strength,
    split_evenly,
    stud_odd_chip_order,
)

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


class Known(NamedTuple):
    """A hand with its settlement. `layers` are (amount, eligible)."""

    name: str
    chips: list[int]
    folded: list[int]
    halves: list[list[int]]
    paid: list[int]
    layers: list[tuple[int, tuple[int, ...]]]
    order: list[int] | None = None
    returned: dict[int, int] = {}  # noqa: RUF012


KNOWN = [
    Known(
        "short all-in ties for best",
        [100, 80, 20], [], [[10, 2, 10]], [170, 0, 30], [(60, (0, 1, 2)), (120, (0, 1)), (20, (0,))],
        returned={0: 20},
    ),
    Known(
        "middle stack wins, the big stack takes back what nobody called",
        [100, 80, 20], [], [[2, 10, 2]], [20, 180, 0], [(60, (0, 1, 2)), (120, (0, 1)), (20, (0,))],
        returned={0: 20},
    ),
    Known(
        "main pot to the short stack, side pot to the second best",
        [40, 80, 80], [], [[3, 2, 1]], [120, 80, 0], [(120, (0, 1, 2)), (80, (1, 2))],
    ),
    Known(
        "an exact three-way split leaves no odd chip",
        [10000, 10000, 10000, 100, 200], [3, 4], [[5, 5, 5, 0, 0]], [10100, 10100, 10100, 0, 0],
        [(30300, (0, 1, 2))],
    ),
    Known(
        "folded money above every live contribution stays in the pot",
        [100, 100, 300, 300], [2, 3], [[2, 1, 9, 9]], [800, 0, 0, 0], [(800, (0, 1))],
    ),
    Known(
        "several all-ins, nets add up to zero",
        [120360, 200, 89820, 89820], [1], [[3, 0, 1, 1]], [300200, 0, 0, 0],
        [(269660, (0, 2, 3)), (30540, (0,))], returned={0: 30540},
    ),
    Known(
        "three different all-ins, all tied",
        [50, 100, 150], [], [[7, 7, 7]], [50, 100, 150], [(150, (0, 1, 2)), (100, (1, 2)), (50, (2,))],
        returned={2: 50},
    ),
    Known(
        "the best cards were folded", [100, 100, 100], [0], [[9, 5, 3]], [0, 300, 0], [(300, (1, 2))],
    ),
    Known("odd chip, first seat", [34, 34, 33], [2], [[5, 5, 0]], [51, 50, 0], [(101, (0, 1))], [0, 1, 2]),
    Known("odd chip, other seat", [34, 34, 33], [2], [[5, 5, 0]], [50, 51, 0], [(101, (0, 1))], [1, 0, 2]),
    Known("nobody has a low", [51, 50], [], [[1, 2], [0, 0]], [1, 100], [(100, (0, 1)), (1, (0,))],
          returned={0: 1}),
    Known(
        "high and low are decided for each pot",
        [30, 90, 90], [], [[3, 2, 1], [0, 0, 1]], [45, 60, 105], [(90, (0, 1, 2)), (120, (1, 2))],
    ),
    Known(
        "three layers, one folded",
        [50, 120, 200, 200, 30], [4], [[1, 2, 3, 4, 9]], [0, 0, 0, 600, 0],
        [(230, (0, 1, 2, 3)), (210, (1, 2, 3)), (160, (2, 3))],
    ),
    Known(
        "uncalled part returned", [100, 300, 100], [], [[2, 1, 1]], [300, 200, 0],
        [(300, (0, 1, 2)), (200, (1,))], returned={1: 200},
    ),
    Known(
        "called by a player who folded later: won, not returned",
        [40, 100, 100], [2], [[2, 1, 9]], [120, 120, 0], [(120, (0, 1)), (120, (1,))],
    ),
    Known("everybody else folds", [10, 20, 5], [0, 2], [], [0, 35, 0], [(35, (1,))], returned={1: 10}),
    Known("two lows are quartered", [34, 33, 33], [], [[2, 1, 1], [1, 5, 5]], [51, 25, 24],
          [(99, (0, 1, 2)), (1, (0,))], returned={0: 1}),
    Known("high takes all of it twice", [50, 50], [], [[5, 5], [0, 0]], [50, 50], [(100, (0, 1))]),
    Known("a player wins one half and ties the other", [400, 400, 400], [], [[3, 2, 1], [4, 4, 4]],
          [800, 200, 200], [(1200, (0, 1, 2))]),
    Known("hi-lo odd chip to the high", [51, 50], [0], [[0, 1], [0, 1]], [0, 101], [(101, (1,))]),
    Known("pot of 101 in halves", [50, 50, 1], [2], [[2, 1, 0], [1, 2, 0]], [51, 50, 0], [(101, (0, 1))]),
    Known("pot of 101, three tied lows", [25, 25, 25, 26], [], [[1, 1, 1, 9], [5, 5, 5, 1]], [17, 17, 16, 51],
          [(100, (0, 1, 2, 3)), (1, (3,))], returned={3: 1}),
    Known("antes alone, no live money", [0, 0, 5], [2], [[1, 2, 0]], [0, 5, 0], [(5, (0, 1))]),
    Known("a seat that put in nothing wins nothing", [0, 7, 7], [], [[9, 2, 1]], [0, 14, 0], [(14, (1, 2))]),
    Known("no chips at all", [0, 0], [], [[1, 2]], [0, 0], []),
]  # fmt: skip


def check_sums(done: Settlement, put: list[int]) -> None:
    assert sum(done.payouts) == sum(put)
    assert sum(done.net) == 0
    assert sum(layer.amount for layer in done.layers) == sum(put)
    assert done.pots == tuple(layer for layer in done.layers if len(layer.eligible) > 1)
    for pot, award in zip(done.pots, done.awards, strict=True):
        assert sum(map(sum, award)) == pot.amount
    for seat, paid in enumerate(done.payouts):
        won = sum(half[seat] for award in done.awards for half in award)
        assert paid == done.returned[seat] + done.uncontested[seat] + won
        assert done.net[seat] == paid - put[seat]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_known_settlements(known: Known) -> None:
    done = settle(known.chips, known.folded, known.halves, known.order)
    assert list(done.payouts) == known.paid
    assert [(pot.amount, pot.eligible) for pot in done.layers] == known.layers
    assert done.layers == money_layers(known.chips, known.folded)
    assert {seat: back for seat, back in enumerate(done.returned) if back} == known.returned
    check_sums(done, known.chips)
    flags = [seat in known.folded for seat in range(len(known.chips))]
    assert settle(known.chips, flags, known.halves, known.order) == done
    assert twin(known.chips, flags, known.halves, known.order) == known.paid


def test_awards_say_who_got_which_half() -> None:
    done = settle([30, 90, 90], [], [[3, 2, 1], [0, 0, 1]])
    assert done.pots == (Pot(90, (0, 1, 2)), Pot(120, (1, 2)))
    assert done.awards == (((45, 0, 0), (0, 0, 45)), ((0, 60, 0), (0, 0, 60)))
    assert done.uncontested == (0, 0, 0)
    assert settle([40, 100, 100], [2], [[2, 1, 9]]).uncontested == (0, 120, 0)


@pytest.mark.parametrize(
    ("amount", "winners", "order", "paid"),
    [
        (50, [0, 1, 2], [0, 1, 2], (17, 17, 16)),
        (51, [1, 2], [2, 1, 0], (0, 25, 26)),
        (2, [0, 1, 2], [1, 2, 0], (0, 1, 1)),
        (5, [1], [0, 1, 2], (0, 5, 0)),
    ],
)
def test_split_evenly(amount: int, winners: list[int], order: list[int], paid: tuple[int, ...]) -> None:
    assert split_evenly(amount, winners, order, 3) == paid


def test_an_order_for_each_half_and_unnamed_seats_last() -> None:
    halves = [[5, 5, 1, 0], [4, 4, 1, 0]]
    # 79 chips: 40 for the high, 39 for the low, whose odd chip is the only one.
    assert settle([26, 26, 26, 1], [3], halves).payouts == (40, 39, 0, 0)
    assert settle([26, 26, 26, 1], [3], halves, [1]).payouts == (39, 40, 0, 0)
    assert settle([26, 26, 26, 1], [3], halves, [[0], [1, 0]]).payouts == (39, 40, 0, 0)
    assert settle([25, 25, 25, 3], [3], halves, [[1], [0]]).awards == (((19, 20, 0, 0), (20, 19, 0, 0)),)


def test_two_boards_played_high_low() -> None:
    halves = [[2, 1, 0], [0, 0, 0], [1, 2, 0], [1, 2, 0]]
    # The low that nobody has goes to the high of its own board, not to all other parts.
    done = settle([50, 50, 3], [2], halves, groups=(2, 2))
    assert done.awards == (((52, 0, 0), (0, 0, 0), (0, 26, 0), (0, 25, 0)),)
    flat = settle([50, 50, 3], [2], halves)
    assert flat.awards == (((35, 0, 0), (0, 0, 0), (0, 34, 0), (0, 34, 0)),)
    # A board on which nobody has anything leaves the pot to the other.
    empty = settle([50, 50], [], [[0, 0], [0, 0], [1, 2], [1, 2]], groups=(2, 2))
    assert empty.payouts == (0, 100)


def test_dead_chips_go_to_the_main_pot_and_never_back() -> None:
    done = settle([0, 40, 100], [], [[9, 2, 1]], dead=[0, 0, 30])
    assert done.layers == (Pot(110, (1, 2)), Pot(60, (2,)))
    assert done.payouts == (0, 110, 60)
    assert done.net == (0, 70, -70)
    assert done.returned == (0, 0, 60)
    # All-in on the ante alone: only the dead money can be won.
    done = settle([0, 40, 40], [], [[9, 2, 1]], dead=[10, 10, 10])
    assert done.layers == (Pot(30, (0, 1, 2)), Pot(80, (1, 2)))
    assert done.payouts == (30, 80, 0)
    assert settle([20, 40], [0], [], dead=[0, 5]).uncontested == (0, 45)


def test_stud_odd_chips_go_by_the_highest_card() -> None:
    assert stud_odd_chip_order(["AhKd9c4s2d", "AsKc9d4h2c", "AdKh9s4d2h"]) == (1, 0, 2)
    assert stud_odd_chip_order(["KsQd", "", "AcQs"]) == (2, 0, 1)
    # The community card is in both hands: the next card decides.
    assert stud_odd_chip_order(["Ah9c", "Ah9d"]) == (1, 0)
    assert stud_odd_chip_order(["Ah9c", "Ah9c"]) == (0, 1)
    lows = ["8s6d4c3h2d", "8c6h4d3s2c", "8d6s4h3cAs"]
    assert stud_odd_chip_order(lows) == (2, 0, 1)
    assert stud_odd_chip_order(lows, ace_low=True) == (0, 2, 1)
    assert stud_odd_chip_order(lows[:2], "lowest") == (1, 0)
    assert stud_odd_chip_order(["7c5h4s3d2c", "7d5s4h3cAd"], "lowest", ace_low=True) == (1, 0)
    assert stud_odd_chip_order(["7c5h4s3d2c", "7d5s4h3cAd"], "lowest") == (0, 1)
    assert stud_odd_chip_order(["7c5h4s3d2c", "7d5s4h3cAd"], ace_low=True) == (1, 0)
    with pytest.raises(PotshareError, match="'highest' or 'lowest'"):
        stud_odd_chip_order(["As"], "middle")  # type: ignore[arg-type]


def test_the_spade_half_counts_cards_in_the_hole_only() -> None:
    assert [spade_strength(down) for down in ("AsKs", "Ks", "2sAd", "AdKh", "")] == [13, 12, 1, 0, 0]

    def pay(*down: str) -> tuple[int, ...]:
        hands = [int(seat == 1) + 1 for seat in range(len(down))]
        chips = [50 if seat < 2 else 0 for seat in range(len(down))]
        return settle(chips, [], [hands, [spade_strength(d) for d in down]]).payouts

    assert pay("Ks", "Ad") == (50, 50)
    assert pay("2s", "Ad") == (50, 50)
    assert pay("Kc", "Ad") == (0, 100)
    assert pay("Kc", "As") == (0, 100)


def test_arrays_are_taken_as_lists() -> None:
    halves = np.array([[10, 2, 10]], dtype=np.uint16)
    chips = np.array([100, 80, 20], dtype=np.int64)
    done = settle(chips, np.array([False, False, False]), halves)  # type: ignore[arg-type]
    assert done == settle([100, 80, 20], [], [[10, 2, 10]])
    assert all(type(paid) is int for paid in done.payouts)
    assert settle([100, 80, 20], [], [halves[0]], np.array([0, 1, 2])) == done  # type: ignore[arg-type, list-item]
    assert settle([100, 80, 20], [], list(halves), [np.array([0, 1, 2])]) == done  # type: ignore[arg-type]
    mixed = settle([np.int64(5), 5], [np.bool_(True), np.bool_(False)], [])  # type: ignore[list-item]
    assert mixed.payouts == (0, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([10.0, 10], [], [[1, 2]]), r"contributions\[0\] is 10\.0; chips are whole numbers.*cents"),
        (([10, True], [], [[1, 2]]), r"contributions\[1\] is True"),
        (([10, "5"], [], [[1, 2]]), r"contributions\[1\] is '5'"),
        (([10, Fraction(5)], [], [[1, 2]]), r"contributions\[1\] is Fraction"),
        (([10, -5], [], [[1, 2]]), r"contributions\[1\] is -5; the least is 0"),
        ((np.array([1.5, 1.5]), [], [[1, 2]]), r"contributions\[0\] is 1\.5"),
        ((10, [], [[1, 2]]), "contributions is 10: write a sequence"),
        (("10", [], [[1, 2]]), "contributions is '10': write a sequence"),
        (([], [], []), "there are no seats"),
        (([10, 10], [True], [[1, 2]]), "folded has 1 flags for 2 seats"),
        (([10, 10, 10], [0, 0, 1], [[1, 2, 3]]), r"folded names seat 0 twice.*True and False"),
        (([10, 10], [2], [[1, 2]]), r"folded\[0\] is seat 2, but the seats are 0\.\.1"),
        (([10, 10], [-1], [[1, 2]]), r"folded\[0\] is -1"),
        (([10, 10], [True, 1], [[1, 2]]), r"folded\[0\] is True.*True or False for every seat"),
        (([10, 10], [0, 1], [[1, 2]]), "every seat has folded"),
        (([10, 10], [True, True], [[1, 2]]), "every seat has folded"),
        (([10, 10], [], [1, 2]), r"one sequence of strengths per half.*\[\[10, 2, 10\]\]"),
        (([10, 10], [], [[1, 2, 3]]), r"halves\[0\] has 3 strengths for 2 seats"),
        (([10, 10], [], [[1, 0.5]]), r"halves\[0\]\[1\] is 0\.5; a strength is a whole number"),
        (([10, 10], [], [[1, -1]]), r"halves\[0\]\[1\] is -1"),
        (([10, 10], [], [[0, 0]]), r"nobody can win the pot of 20: seats 0, 1.*mucked"),
        (([10, 10], [], []), "nobody can win the pot of 20"),
        (([10, 10], [], [[1, 2]], [2]), r"odd_chip_order\[0\] is seat 2"),
        (([10, 10], [], [[1, 2]], [0, 0]), "odd_chip_order names seat 0 twice"),
        (([10, 10], [], [[1, 2]], [[0], [1]]), "odd_chip_order has 2 entries for 1 halves"),
        (([10, 10], [], [[1, 2], [1, 2]], [[0], 1]), "one order per half"),
        (([10, 10], [], [[1, 2]], [0.0]), r"odd_chip_order\[0\] is 0\.0; write seat numbers"),
    ],
)
def test_questions_that_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(PotshareError, match=message):
        settle(*arguments)


def test_refused_groups_and_dead_chips() -> None:
    with pytest.raises(PotshareError, match="name 3 halves, but there are 2"):
        settle([1, 1], [], [[1, 2], [1, 2]], groups=(2, 1))
    with pytest.raises(PotshareError, match=r"groups\[0\] is 0; the least is 1"):
        settle([1, 1], [], [[1, 2]], groups=(0, 1))
    with pytest.raises(PotshareError, match="dead has 1 amounts for 2 seats"):
        settle([1, 1], [], [[1, 2]], dead=[1])
    with pytest.raises(PotshareError, match=r"dead\[1\] is 0\.5"):
        settle([1, 1], [], [[1, 2]], dead=[0, 0.5])  # type: ignore[list-item]


# A slow twin, written from the rules: every chip is a thing that is handed to somebody.


def twin(
    chips: list[int],
    folded: list[bool],
    halves: list[list[int]],
    order: list[int] | None = None,
    sizes: tuple[int, ...] | None = None,
) -> list[int]:
    seats = range(len(chips))
    live = [s for s in seats if not folded[s]]
    top = max(chips[s] for s in live)
    if top:
        live = [s for s in live if chips[s]]
    piles: dict[tuple[int, ...], int] = {}
    for height in range(1, max(chips) + 1):
        # The chips that lie at this height, and the live players who also have a chip there.
        players = tuple(s for s in live if chips[s] >= min(height, top))
        piles[players] = piles.get(players, 0) + sum(chips[s] >= height for s in seats)
    queue = [*(order or []), *(s for s in seats if s not in (order or []))]
    groups: list[list[int]] = []
    for size in sizes or (len(halves),):
        start = sum(map(len, groups))
        groups.append(list(range(start, start + size)))
    paid = [0 for _ in seats]
    for players, amount in piles.items():
        if len(players) == 1:
            paid[players[0]] += amount
            continue
        playing = [[h for h in group if any(halves[h][s] for s in players)] for group in groups]
        playing = [group for group in playing if group]
        tied = {
            h: [s for s in queue if s in players and halves[h][s] == max(halves[h][t] for t in players)]
            for group in playing
            for h in group
        }
        got = {group[0]: 0 for group in playing}
        for chip in range(amount):
            got[playing[chip % len(playing)][0]] += 1
        for group in playing:
            per_half = dict.fromkeys(group, 0)
            for chip in range(got[group[0]]):
                per_half[group[chip % len(group)]] += 1
            for h in group:
                for chip in range(per_half[h]):
                    paid[tied[h][chip % len(tied[h])]] += 1
    return paid


class Hand(NamedTuple):
    chips: list[int]
    folded: list[bool]
    halves: list[list[int]]
    order: list[int]
    sizes: tuple[int, ...]


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    seats = draw(st.integers(2, 7))
    # Few different amounts, so that layers and ties are frequent.
    amounts = draw(st.lists(st.integers(0, 60), min_size=1, max_size=3))
    amount = st.one_of(st.sampled_from(amounts), st.integers(0, 60))
    chips = draw(st.lists(amount, min_size=seats, max_size=seats))
    folded = draw(st.lists(st.booleans(), min_size=seats, max_size=seats).filter(lambda f: not all(f)))
    sizes = draw(st.sampled_from([(1,), (2,), (3,), (2, 2), (1, 2), (4,)]))
    high = st.lists(st.integers(1, 3), min_size=seats, max_size=seats)
    low = st.lists(st.integers(0, 2), min_size=seats, max_size=seats)
    halves = [draw(high if place == 0 else low) for place in range(sum(sizes))]
    return Hand(chips, folded, halves, draw(st.permutations(range(seats))), sizes)


def settled(hand: Hand) -> Settlement:
    return settle(hand.chips, hand.folded, hand.halves, hand.order, groups=hand.sizes)


@settings(max_examples=300, deadline=None)
@given(hands())
def test_agrees_with_the_twin_and_keeps_every_chip(hand: Hand) -> None:
    done = settled(hand)
    assert list(done.payouts) == twin(*hand)
    check_sums(done, hand.chips)


@settings(max_examples=200, deadline=None)
@given(hands())
def test_nobody_wins_more_than_he_can(hand: Hand) -> None:
    done = settled(hand)
    live = [seat for seat, out in enumerate(hand.folded) if not out]
    top = max(hand.chips[seat] for seat in live)
    for seat, chips in enumerate(hand.chips):
        if hand.folded[seat]:
            assert done.payouts[seat] == 0
        elif chips < top:
            assert done.payouts[seat] <= sum(min(other, chips) for other in hand.chips)
        assert 0 <= done.returned[seat] <= done.payouts[seat]
    for pot, award in zip(done.pots, done.awards, strict=True):
        for strengths, half in zip(hand.halves, award, strict=True):
            best = max(strengths[seat] for seat in pot.eligible)
            paid = {half[seat] for seat in pot.eligible if best and strengths[seat] == best}
            assert max(paid, default=0) - min(paid, default=0) <= 1
            assert sum(half) == sum(half[s] for s in pot.eligible if strengths[s] == best)


@settings(max_examples=200, deadline=None)
@given(hands(), st.randoms(use_true_random=False))
def test_seats_may_be_numbered_in_any_way(hand: Hand, rng: Any) -> None:
    new_seat = list(range(len(hand.chips)))
    rng.shuffle(new_seat)
    old_seat = [new_seat.index(s) for s in range(len(new_seat))]

    def moved(values: list[Any]) -> list[Any]:
        return [values[old] for old in old_seat]

    other = Hand(
        moved(hand.chips),
        moved(hand.folded),
        [moved(strengths) for strengths in hand.halves],
        [new_seat[s] for s in hand.order],
        hand.sizes,
    )
    done, same = settled(hand), settled(other)
    assert moved(list(done.payouts)) == list(same.payouts)
    assert moved(list(done.returned)) == list(same.returned)
    assert [pot.amount for pot in done.layers] == [pot.amount for pot in same.layers]


@settings(max_examples=100, deadline=None)
@given(hands(), st.integers(2, 10**30))
def test_large_amounts_are_exact(hand: Hand, factor: int) -> None:
    done = settled(hand._replace(chips=[c * factor + c for c in hand.chips]))
    check_sums(done, [c * factor + c for c in hand.chips])


def test_importing_needs_no_compiler() -> None:
    code = (
        "import sys, potshare.simulate.showdown, potshare.simulate.table_rules;"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# The project's reference cases, where they are at hand.


def shared_cases(name: str) -> list[Any]:
    path = SHARED / name
    if not path.exists():
        return []
    data = json.loads(path.read_text("utf-8"))
    return list(data["cases"] if isinstance(data, dict) else data)


RULE_CASES = [c for c in shared_cases("truth/rule_cases.json") if c["kind"] in ("side_pots", "hilo_split", "chicago")]
FIELD_CASES = [
    c for c in shared_cases("cases/field_cases.json") if c["job"] == "batch" and "strength (higher wins)" in c["input"]
]


@pytest.mark.skipif(not RULE_CASES, reason="the reference cases are not here")
def test_reference_pots() -> None:
    for case in RULE_CASES:
        given_, expected = case["input"], case["expected"]
        if case["kind"] == "side_pots":
            names = list(given_["in"])
            done = settle(
                list(given_["in"].values()),
                [names.index(n) for n in given_["folded"]],
                [list(range(1, len(names) + 1))],
            )

            def named(pots: tuple[Pot, ...], names: list[str] = names) -> list[Any]:
                return [[pot.amount, [names[s] for s in pot.eligible]] for pot in pots]

            assert named(done.pots) == expected["pots"], case
            assert named(done.layers) == expected.get("layers", named(done.layers)), case
            if "layers" not in expected:
                assert {names[s]: c for s, c in enumerate(done.returned) if c} == expected.get("returned", {}), case
        elif case["kind"] == "hilo_split":
            names = sorted({*given_["high"], *given_["low"], *expected, *given_.get("order_from_button", [])})
            # The pot is put in by a player who folded.
            halves = [[int(n in given_[half]) for n in names] + [0] for half in ("high", "low")]
            chips = [1] * len(names) + [given_["pot"] - len(names)]
            order = [names.index(n) for n in given_.get("order_from_button", names)]
            paid = settle(chips, [len(names)], halves, order).payouts[:-1]
            assert {n: c for n, c in zip(names, paid, strict=True) if c} == expected, case
        else:
            seats = sorted(given_["down"])
            best = [int(int(s) == given_["best_hand"]) + 1 for s in seats]
            spades = [spade_strength(given_["down"][s]) for s in seats]
            chips = [1] * len(seats) + [given_["pot"] - len(seats)]
            paid = settle(chips, [len(seats)], [[*best, 0], [*spades, 0]]).payouts[:-1]
            assert {s: c for s, c in zip(seats, paid, strict=True) if c} == expected, case


@pytest.mark.skipif(not FIELD_CASES, reason="the reference cases are not here")
def test_reference_hands() -> None:
    for case in FIELD_CASES:
        given_, expected = case["input"], case["expected"]
        chips = given_["contributions"]
        folded = [seat for seat in range(len(chips)) if seat not in given_["not_folded"]]
        done = settle(chips, folded, [given_["strength (higher wins)"]], given_.get("odd_chip_order"))
        assert list(done.payouts) == expected["received"], case
        assert list(done.net) == expected["net"], case
        pots = [{"amount": p.amount, "eligible": list(p.eligible)} for p in done.layers]
        assert pots == expected["pots"], case
        if "uncalled_returned_to_seat0" in expected:
            assert done.returned[0] == expected["uncalled_returned_to_seat0"], case

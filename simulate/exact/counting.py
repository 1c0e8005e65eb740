"""Counting in flop games: the method that is expected to take least, and how long that will be.

The match-up table answers two ranges of hold'em before the flop; sweeps two or three ranges; class counting
everything else, a choice of hands at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError, PotshareError
from potshare.late import Late
from potshare.simulate.answer import Equity, Progress, Report, answer_of
from potshare.simulate.exact import matchups
from potshare.simulate.spot import Holding, Spot
from potshare.simulate.work import in_order

if TYPE_CHECKING:
    from potshare.simulate import evaluators as engines
    from potshare.simulate.evaluators import Evaluators
    from potshare.simulate.exact import class_count, duel, joint, rank_sweep, sweep
else:
    engines = Late("potshare.simulate.evaluators")
    class_count, duel, joint, rank_sweep, sweep = (
        Late(f"potshare.simulate.exact.{name}") for name in ("class_count", "duel", "joint", "rank_sweep", "sweep")
    )

AUTO_SECONDS = 3.0
"""`auto` counts when it expects to be done within this time."""

EXACT_SECONDS = 3600.0
"""`exact` refuses a question that it expects to take longer."""

# What the classes of joint holdings may take, and the tallies of those that are counted at a time.
_GATHER_BYTES = 300_000_000
_TALLY_BYTES = 16_000_000
_AUTO_LOOKS = 3e7
_EXACT_LOOKS = 2e10
# Sums of weights below this are exact, and so is the sum of two of them.
_EXACT_FLOAT = 2.0**52
_SWEEP_PIECE = 500_000
_SWEEP_START = 1e-4
_GATHER_SECONDS = 3e-7


def integer_weights(ranges: Sequence[NDArray[np.float64]]) -> tuple[list[NDArray[np.float64]], int]:
    """Weights as integers where all are multiples of one of a few units, and the factor of a whole joint choice.

    The factor is 0 when they are not. One hand weighs 1: its weight is relative to nothing.
    """
    scale = 1
    scaled = []
    for weights in ranges:
        if len(weights) == 1:
            scaled.append(np.ones(1))
            continue
        for unit in (1, 2, 10, 100, 1_000, 10_000):
            times = weights * unit
            if np.all(np.abs(times - np.rint(times)) < 1e-9 * unit):
                scaled.append(np.rint(times))
                scale *= unit
                break
        else:
            return [np.ones(1) if len(weights) == 1 else weights for weights in ranges], 0
    return scaled, scale


def _seconds_per_class(spot_: Spot, tables: Evaluators) -> float:
    # Measured on one core, with some room: grows with the cards to come and the players.
    to_come = spot_.variant.board_cards - len(spot_.board)
    base = (2e-7, 3e-7, 1e-6, 6e-6, 3e-5, 1e-4)[to_come]
    slower = tables.selection != engines.BEST_FIVE or tables.has_low
    return base * (0.4 + 0.3 * spot_.players) * (3.0 if slower else 1.0)


def _most_classes(spot_: Spot, tables: Evaluators, budget: float, threads: int) -> int:
    # How many classes of joint holdings can be counted in `budget` seconds.
    return int(min(_room(spot_), max(1, budget * threads / _seconds_per_class(spot_, tables))))


def _room(spot_: Spot) -> int:
    # How many classes there is memory for.
    return _GATHER_BYTES // (64 + spot_.players * (8 + spot_.variant.hole_cards))


def _unlistable(spot_: Spot, tables: Evaluators, budget: float, threads: int) -> bool:
    # Whether the unknown hands alone make more classes than can be counted. Known before they are listed, which
    # takes gigabytes in six-card Omaha.
    cards, free = spot_.variant.hole_cards, sum(r.is_random for r in spot_.ranges)
    least = joint.least_classes(len(spot_.live), cards, free, (spot_.players - free) * cards)
    return least > _most_classes(spot_, tables, budget, threads)


def too_long(seconds: float | None) -> PotshareError:
    """The error that says how long counting would take; None where that is not known but too long."""
    expected = "more than an hour"
    if seconds is not None and seconds > 3600:
        for size, name in ((86_400 * 365, "years"), (86_400, "days"), (3_600, "hours")):
            if seconds >= 2 * size or name == "hours":
                expected = f"about {seconds / size:,.0f} {name}" if seconds < 1e6 * size else f"millions of {name}"
                break
    return PotshareError(f"counting this exactly would take {expected}; sample it with --method monte-carlo")


def _not_counted(spot_: Spot, tables: Evaluators, product: int, budget: float, threads: int) -> PotshareError:
    seconds = _class_seconds(spot_, tables, product, threads)
    if seconds < budget and _most_classes(spot_, tables, budget, threads) == _room(spot_):
        return PotshareError(
            f"counting this exactly would take too much memory, for more than {_room(spot_):,} different choices of "
            "hands; sample it with --method monte-carlo"
        )
    return too_long(seconds)


def _class_seconds(spot_: Spot, tables: Evaluators, product: int, threads: int) -> float:
    # About how long it would take to find and count every class of joint holdings one by one.
    fixed = (spot_.board, spot_.dead)
    suits = {tuple(sum(1 << (c >> 2) for c in cards if c & 3 == s) for cards in fixed) for s in range(4)}
    alike = (24, 6, 2, 1)[len(suits) - 1]
    return product * (_GATHER_SECONDS + _seconds_per_class(spot_, tables) / alike / threads)


def _count_classes(
    spot_: Spot, tables: Evaluators, weights: list[NDArray[np.float64]], budget: float, looks: float, threads: int,
    progress: Progress | None, whole: bool,
) -> tuple[Any, int] | None:  # fmt: skip
    # The weighted tally and the number of deals, or None when it would take more than `budget` seconds.
    most = _most_classes(spot_, tables, budget, threads)
    try:
        classes = joint.gather(
            [r.combos for r in spot_.ranges],
            weights,
            (tuple(sorted(spot_.board)), tuple(sorted(spot_.dead))),
            most,
            looks,
        )
    except joint.TooManyError:
        return None
    if not len(classes.holes):
        raise NoDealError
    live = tuple(c for c in spot_.variant.deck if c not in spot_.dead)
    each = 8 * spot_.players * (spot_.players + 1) * (spot_.players + 2)
    step = max(1, int(min(0.1 / _seconds_per_class(spot_, tables), _TALLY_BYTES / each)))
    pieces = [slice(at, min(len(classes.holes), at + step)) for at in range(0, len(classes.holes), step)]
    total: Any = 0
    boards = 0
    numbers = classes.number

    def do(piece: slice) -> Any:
        counted = class_count.count(classes.holes[piece], spot_.board_array, live, tables)
        if whole:
            factor = classes.weight[piece].astype(np.int64)
            top = float(np.max(classes.weight[piece])) * float(np.max(counted)) * len(counted)
            if top >= 2.0**62:
                return np.tensordot(factor.astype(object), counted.astype(object), 1), counted[0, 0].sum()
            return np.tensordot(factor, counted, 1).astype(object), counted[0, 0].sum()
        return np.tensordot(classes.weight[piece], counted.astype(np.float64), 1), counted[0, 0].sum()

    for k, (part, deals) in enumerate(in_order(do, pieces, threads)):
        total = total + part
        boards = int(deals)  # every joint holding has as many boards
        if progress:
            progress(Report((k + 1) / len(pieces)))
    return total, boards * int(numbers.sum())


def _sweep(
    spot_: Spot,
    tables: Evaluators,
    weights: list[NDArray[np.float64]],
    threads: int,
    progress: Progress | None,
    whole: bool,
) -> tuple[Any, int]:
    # The weighted tally and the number of deals of two or three ranges.
    players = spot_.players
    to_come = spot_.variant.board_cards - len(spot_.board)
    mass = math.prod(float(w.sum()) for w in weights)
    turns = _suit_turns(spot_, weights)
    if whole and mass * len(turns) >= _EXACT_FLOAT:
        turns = turns[:1]  # the identity: what alike boards weigh together would not be exact
    boards, times = sweep.boards_to_come(spot_.live, to_come, turns)
    pairs = _in_pairs(spot_, tables)
    first = int(pairs and len(weights[1]) < len(weights[0]))
    do, step = _pair_sweeper(spot_, tables, weights, first) if pairs else _sweeper(spot_, tables, weights)
    if whole:
        # The sums of a piece must stay exact in float64.
        step = max(1, min(step, int(_EXACT_FLOAT / (mass * len(turns)))))
    pieces = [slice(at, at + step) for at in range(0, len(boards), step)]

    def sweep_piece(piece: slice) -> Any:
        found = do(boards[piece], times[piece])
        return found.astype(np.int64).astype(object) if whole else found.astype(object)

    sums: Any = 0
    for k, part in enumerate(in_order(sweep_piece, pieces, threads)):
        sums = sums + part
        if progress:
            progress(Report((k + 1) / len(pieces)))
    left = math.comb(len(spot_.live) - players * spot_.variant.hole_cards, to_come)
    if pairs:
        hands = [(r.combos, w.astype(np.int64) if whole else w) for r, w in zip(spot_.ranges, weights, strict=True)]
        met = rank_sweep.meetings(*hands)
        deals = rank_sweep.meetings(*((combos, np.ones(len(combos), np.int64)) for combos, _ in hands)) * left
        won, tied = sums
        sums = np.zeros((2, 3), object)
        sums[first, 1], sums[1 - first, 1], sums[:, 2] = won, met * left - won - tied, tied
    else:
        deals = _compatible([r.combos for r in spot_.ranges]) * left
    if not deals:
        raise NoDealError
    # Every deal has one winner, or is counted by each of those who tie.
    total = sum((Fraction(s) / j for row in sums for j, s in enumerate(row) if j and s), Fraction(0))
    tally = np.zeros((players, players + 1, players + 2), object)
    tally[:, :, players + 1] = sums
    for i in range(players):
        tally[i, 0, players + 1] = (int(total) if whole else float(total)) - sum(sums[i])
    return tally, deals


def _suit_turns(spot_: Spot, weights: list[NDArray[np.float64]]) -> NDArray[np.uint8]:
    ranges = [None if r.is_random else (r.combos, w) for r, w in zip(spot_.ranges, weights, strict=True)]
    return sweep.suit_turns((spot_.board, spot_.dead), ranges)


def _in_pairs(spot_: Spot, tables: Evaluators) -> bool:
    # Whether what hands make depends on two ranks, and on a flush.
    return spot_.players == 2 and spot_.variant.hole_cards == 2 and tables.selection == engines.BEST_FIVE


def _pair_sweeper(
    spot_: Spot, tables: Evaluators, weights: list[NDArray[np.float64]], first: int
) -> tuple[Callable[..., NDArray[np.float64]], int]:
    # What finds how much the player `first` wins and ties on a piece of the boards, and how many boards make a piece.
    ranges = [(r.combos, w) for r, w in zip(spot_.ranges, weights, strict=True)]
    one, two = ranges[first], ranges[1 - first]
    if len(one[1]) <= duel.MOST_HANDS:
        return duel.Duel(*one, *two, spot_.board_array, tables).over, duel.PIECE
    return rank_sweep.RankSweep((one, two), spot_.board_array, tables).over, rank_sweep.PIECE


def _sweeper(
    spot_: Spot, tables: Evaluators, weights: list[NDArray[np.float64]]
) -> tuple[Callable[..., NDArray[np.float64]], int]:
    # What sweeps a piece of the boards, and how many boards make a piece.
    players = spot_.players
    starts = np.cumsum([0] + [len(r) for r in spot_.ranges])
    every = np.concatenate([r.combos for r in spot_.ranges])
    _, index, at = np.unique(joint.combo_masks(every), return_index=True, return_inverse=True)
    combos = np.ascontiguousarray(every[index])
    together = np.zeros((players, len(combos)))
    for i, own in enumerate(weights):
        together[i, at[starts[i] : starts[i + 1]]] = own
    step = max(1, _SWEEP_PIECE // len(combos) // (1 if players == 2 else 20))
    return sweep.Sweep(combos, together, spot_.board_array, tables).over, step


def _compatible(ranges: list[NDArray[np.uint8]]) -> int:
    # Choices of a hand from each of two or three ranges without a common card: inclusion and exclusion as in the
    # sweep, over unweighted hands that all stand level.
    if len(ranges) == 2:
        sets = [sweep.parts_of(combos) for combos in ranges]
        counts = []
        for parts, _, entries in sets:
            counts.append(np.bincount(parts.ravel(), minlength=entries).astype(np.int64))
            counts[-1][0] = len(parts)
        parts, singles, _ = sets[0]
        cards = ranges[0].shape[1]
        apart = counts[1][0] - counts[1][parts[:, :singles]].sum(axis=1) + counts[1][parts[:, singles:]].sum(axis=1)
        both = np.concatenate([np.unique(joint.combo_masks(combos)) for combos in ranges])
        same = len(both) - len(np.unique(both))
        return int(apart.sum()) + (same if cards % 2 == 0 else -same)
    holds = np.zeros((len(ranges), 54, 54), np.int64)
    for i, combos in enumerate(ranges):
        holds[i, combos[:, 0], combos[:, 1]] = holds[i, combos[:, 1], combos[:, 0]] = 1
    found = 0
    for x, y in ranges[0]:
        # What is left of the other two without the cards x and y.
        rest = holds[1:].copy()
        rest[:, (x, y), :] = 0
        rest[:, :, (x, y)] = 0
        by_card = rest.sum(axis=2)
        total = by_card.sum(axis=1) // 2
        found += int(total[0] * total[1] - by_card[0] @ by_card[1] + (rest[0] * rest[1]).sum() // 2)
    return found


def in_table(spot_: Spot) -> bool:
    """Whether the table of match-ups answers: two ranges of hold'em, nothing else known."""
    variant = spot_.variant
    plain = len(variant.deck) == 52 and variant.hole_cards == 2 and variant.halves[0].ranking == "high"
    return spot_.players == 2 and plain and len(variant.halves) == 1 and not spot_.board and not spot_.dead


def _matchups(spot_: Spot, weights: list[NDArray[np.float64]], whole: bool) -> tuple[Any, int]:
    one, two = spot_.ranges
    kind: type = np.int64 if whole else np.float64
    found = matchups.versus(one.combos, two.combos, weights[1].astype(kind)).astype(object)
    won, tied, met, pairs = weights[0].astype(kind).astype(object) @ found
    pairs = int(found[:, 3].sum())
    if not pairs:
        raise NoDealError
    boards = met * matchups.BOARDS
    tally = np.zeros((2, 3, 4), object)
    tally[0, :, 3] = (boards - won - tied, won, tied)
    tally[1, :, 3] = (won, boards - won - tied, tied)
    return tally, pairs * matchups.BOARDS


def _sweeps(spot_: Spot, tables: Evaluators) -> bool:
    # Whether there is a sweep: one half, two ranges or three of two cards; two of two cards at any time, others on a
    # flop at least.
    players, cards = spot_.players, spot_.variant.hole_cards
    to_come = spot_.variant.board_cards - len(spot_.board)
    many = players == 2 or (players == 3 and cards == 2)
    return many and not tables.has_low and cards <= sweep.MOST_CARDS and (to_come <= 2 or _in_pairs(spot_, tables))


def _sweep_seconds(spot_: Spot, tables: Evaluators, weights: list[NDArray[np.float64]], threads: int) -> float:
    # About how long a sweep takes.
    to_come = spot_.variant.board_cards - len(spot_.board)
    boards = math.comb(len(spot_.live), to_come)
    if not _in_pairs(spot_, tables):
        cards = spot_.variant.hole_cards
        hands = min(sum(len(w) for w in weights), math.comb(len(spot_.live), cards))
        return sweep.seconds(hands, cards, spot_.players, boards) / threads + _SWEEP_START
    if to_come > 2:
        boards //= len(_suit_turns(spot_, weights))
    few = min(len(w) for w in weights)
    return boards * (few * duel.SECONDS if few <= duel.MOST_HANDS else rank_sweep.SECONDS) / threads + _SWEEP_START


def count_given(spot_: Spot, started: float) -> Equity:
    """Counts where every hand is given: one class of joint holdings, and nothing that could take long."""
    hands = [r.cards if isinstance(r, Holding) else tuple(r.combos[0].tolist()) for r in spot_.ranges]
    if in_table(spot_):
        won, tied = matchups.pair(*hands)
        tally = np.zeros((2, 3, 4), np.int64)
        tally[:, :, 3] = (matchups.BOARDS - won - tied, won, tied), (won, matchups.BOARDS - won - tied, tied)
        algorithm, deals = "matchup-table", matchups.BOARDS
    else:
        gone = spot_.dead
        live = tuple(c for c in spot_.variant.deck if c not in gone) if gone else spot_.variant.deck
        tally = class_count.count(
            np.array([hands], np.uint8), spot_.board_array, live, engines.evaluators(spot_.variant)
        )[0]
        algorithm, deals = "class-count", int(tally[0].sum())
    return answer_of(
        spot_, tally, method="exact", algorithm=algorithm, deals=deals, seed=None, stop="complete", started=started
    )


def count(
    spot_: Spot, tables: Evaluators, auto: bool, threads: int, progress: Progress | None, started: float
) -> Equity | None:
    """The answer of a flop game, None where `auto` would take too long.

    Raises `PotshareError` where no deal is possible, and otherwise for what would take too long or too much memory.
    """
    sizes = [len(r) for r in spot_.ranges]
    product = math.prod(sizes)
    if product == 1:
        return count_given(spot_, started)
    budget = AUTO_SECONDS if auto else EXACT_SECONDS
    listed = in_table(spot_) or _sweeps(spot_, tables)
    if not listed and _unlistable(spot_, tables, budget, threads):
        if auto:
            return None
        raise _not_counted(spot_, tables, product, budget, threads)
    weights, scale = integer_weights([r.weights for r in spot_.ranges])
    whole = scale > 0 and math.prod(float(w.sum()) for w in weights) < _EXACT_FLOAT
    unscale = scale if scale > 1 else 1
    if in_table(spot_):
        tally, deals = _matchups(spot_, weights, whole)
        algorithm = "matchup-table"
    elif _sweeps(spot_, tables) and (
        _sweep_seconds(spot_, tables, weights, threads) < min(budget, _class_seconds(spot_, tables, product, threads))
    ):
        tally, deals = _sweep(spot_, tables, weights, threads, progress, whole)
        algorithm = "sweep"
    else:
        counted = _count_classes(
            spot_, tables, weights, budget, _AUTO_LOOKS if auto else _EXACT_LOOKS, threads, progress, whole
        )
        if counted is None:
            if auto:
                return None
            raise _not_counted(spot_, tables, product, budget, threads)
        tally, deals = counted
        algorithm = "class-count"
    return answer_of(
        spot_, tally, method="exact", algorithm=algorithm, deals=deals, seed=None, stop="complete", started=started,
        scale=unscale,
    )  # fmt: skip

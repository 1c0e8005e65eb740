"""The front door: a question in, a method chosen by its cost, an `Equity` out.

Exact methods come first, the cheapest that can answer. `auto` counts when the estimated time is within a few
seconds and samples otherwise; `exact` and `monte-carlo` insist. What was done is part of the answer.
"""

from __future__ import annotations

import hashlib
import math
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from potshare import __version__
from potshare.errors import PotshareError
from potshare.evaluator.cards import card_name
from potshare.late import Late
from potshare.simulate.exact import matchups
from potshare.simulate.ranges import Range
from potshare.simulate.spot import Cards, Hand, Holding, Spot, spot
from potshare.simulate.variants import Variant
from potshare.simulate.work import in_order, thread_count

if TYPE_CHECKING:
    from potshare.simulate import evaluators as engines
    from potshare.simulate.evaluators import Evaluators
    from potshare.simulate.exact import class_count, duel, joint, rank_sweep, sweep
    from potshare.simulate.sampling import choice, flop, general, lanes
else:
    engines = Late("potshare.simulate.evaluators")
    class_count, duel, joint, rank_sweep, sweep = (
        Late(f"potshare.simulate.exact.{name}") for name in ("class_count", "duel", "joint", "rank_sweep", "sweep")
    )
    choice, flop, general, lanes = (
        Late(f"potshare.simulate.sampling.{name}") for name in ("choice", "flop", "general", "lanes")
    )

METHODS = ("auto", "exact", "monte-carlo")
DEFAULT_STDERR = 0.0005
DEFAULT_SECONDS = 10.0

AUTO_SECONDS = 3.0
"""`auto` counts when it expects to be done within this time."""

EXACT_SECONDS = 3600.0
"""`exact` refuses a question that it expects to take longer."""

_CHUNK_BLOCKS = 8
_SMALL_BLOCKS = 64
_FIRST_CHECK = 131_072
_GATHER_BYTES = 300_000_000
_TALLY_BYTES = 16_000_000
# What the classes of joint holdings may take, and the tallies of those that are counted at a time.
_AUTO_LOOKS = 3e7
_EXACT_LOOKS = 2e10
_EXACT_FLOAT = 2.0**52
# Sums of weights below this are exact, and so is the sum of two of them.
_SWEEP_PIECE = 500_000
_SWEEP_START = 1e-4
_GATHER_SECONDS = 3e-7


@dataclass(frozen=True)
class HalfEquity:
    """A player's part in one half of the pot: expected share of it, how often won alone, how often tied."""

    equity: float
    win: float
    tie: float

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {"equity": self.equity, "win": self.win, "tie": self.tie}


@dataclass(frozen=True)
class PlayerEquity:
    """What a player can expect.

    `equity` is the expected share of the pot with its standard error `stderr` (0 when counted); `win` the
    probability of taking the whole pot, `tie` of a part of it, `lose` of nothing. `counts` are deals, or
    weighted sums when the ranges have weights. `fraction` is the exact equity where it was counted without
    weights. `combos` and `weight` describe the live range.
    """

    hand: str
    equity: float
    stderr: float
    win: float
    tie: float
    lose: float
    counts: dict[str, int | float]
    fraction: str | None
    halves: dict[str, HalfEquity]
    combos: int
    weight: float
    tally: tuple[tuple[int, int, int], ...] | None = None
    """Of sampled deals: how many ended with the high shared by so many players, and the low (see `outcomes`)."""

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "hand": self.hand,
            "equity": self.equity,
            "stderr": self.stderr,
            "win": self.win,
            "tie": self.tie,
            "lose": self.lose,
            "counts": dict(self.counts),
            "fraction": self.fraction,
            "halves": {name: half.to_dict() for name, half in self.halves.items()},
            "combos": self.combos,
            "weight": self.weight,
            **({} if self.tally is None else {"tally": [list(cell) for cell in self.tally]}),
        }


@dataclass(frozen=True)
class Source:
    """Where sampled deals come from: the blocks from number `first_block` on of a seed."""

    seed: int
    first_block: int
    blocks: int

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {"seed": self.seed, "first_block": self.first_block, "blocks": self.blocks}


@dataclass(frozen=True)
class Sampling:
    """What is known of a sampled answer besides the equities.

    `rate` is deals per second, `acceptance` the share of draws from ranges in which no two hands collided (None
    where they cannot), `sources` the blocks that were dealt, and `question` a short hash of
    all that was asked, which runs must share to be merged.
    """

    rate: float
    acceptance: float | None
    sources: tuple[Source, ...]
    question: str

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "rate": self.rate,
            **({} if self.acceptance is None else {"acceptance": self.acceptance}),
            "sources": [source.to_dict() for source in self.sources],
            "question": self.question,
        }


@dataclass(frozen=True)
class Equity:
    """An answer. `method` is exact or monte-carlo, `algorithm` how, `stop` why it ended."""

    game: str
    method: str
    algorithm: str
    board: tuple[str, ...]
    dead: tuple[str, ...]
    deals: int
    seed: int | None
    stop: str
    seconds: float
    players: tuple[PlayerEquity, ...]
    tally: Any = field(repr=False, compare=False)
    policy: str | None = None
    """By which rules cards were drawn, discarded, swapped or pushed; None in games without such choices."""
    sampling: Sampling | None = None
    """Of a sampled answer: its rate, its seeds and blocks."""

    def merge(self, *others: Equity) -> Equity:
        """One answer from runs of the same question, of other seeds or other blocks; see `simulate.merge`."""
        from potshare.simulate.merge import merge

        return merge(self, *others)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the command line (schema 1)."""
        return {
            "schema": 1,
            "version": __version__,
            "game": self.game,
            "method": self.method,
            "algorithm": self.algorithm,
            "board": list(self.board),
            "dead": list(self.dead),
            "deals": self.deals,
            "seed": self.seed,
            "stop": self.stop,
            "seconds": self.seconds,
            **({} if self.policy is None else {"policy": self.policy}),
            **({} if self.sampling is None else self.sampling.to_dict()),
            "players": [p.to_dict() for p in self.players],
        }


@dataclass
class Report:
    """What a long question tells while it runs: the share done, the equities so far, their greatest error."""

    done: float
    equities: tuple[float, ...] = ()
    stderr: float | None = None
    deals: int = 0


Progress = Callable[[Report], None]


# -- from a tally to an answer ------------------------------------------------------------------------------------


@cache
def _units(players: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    # The share of the pot when `a` share the high and `b` the low (see `simulate.outcomes`), as a number of units
    # [a][b], and the units of a whole pot.
    pot = 2 * math.lcm(*range(1, players + 1))

    def part(sharing: int) -> int:
        return pot // sharing if sharing else 0

    rows = [
        tuple((part(a) + part(b)) // 2 if b <= players else part(a) for b in range(players + 2))
        for a in range(players + 1)
    ]
    return tuple(rows), pot


def _share(a: int, b: int, players: int) -> Fraction:
    units, pot = _units(players)
    return Fraction(units[a][b], pot)


def _player(tally: Any, hand: str, spot_: Spot, i: int, sampled: bool, scale: int) -> PlayerEquity:
    # `tally` (players + 1, players + 2) of this player; `scale` divides integer-scaled weights back.
    cells = [(a, b, n) for a, row in enumerate(tally.tolist()) for b, n in enumerate(row) if n]
    live = spot_.ranges[i]
    names = [half.name for half in spot_.variant.halves]
    return player_equity(cells, spot_.players, hand, names, len(live), _total_weight(live), sampled, scale)


def player_equity(
    cells: Sequence[tuple[int, int, Any]], players: int, hand: str, halves_: Sequence[str], combos: int,
    weight: float, sampled: bool, scale: int = 1,
) -> PlayerEquity:  # fmt: skip
    """A player's part from the cells of his tally: high shared by so many, low shared by so many, deals."""
    units, pot = _units(players)
    total = sum(n for _, _, n in cells)
    whole = isinstance(total, int)
    won = sum(n for a, b, n in cells if units[a][b] == pot)
    lost = sum(n for a, b, n in cells if units[a][b] == 0)
    owned = sum(units[a][b] * n for a, b, n in cells)
    equity = owned / (total * pot)
    fraction = None
    if whole and scale == 1 and not sampled:
        # Over the number of deals, or the least multiple of it that does.
        common = math.gcd(owned, pot)
        fraction = f"{owned // common}/{total * (pot // common)}"
    stderr = 0.0
    if sampled:
        square = sum(units[a][b] ** 2 * n for a, b, n in cells) / (total * pot * pot)
        # The added 1 keeps the error honest when every deal so far ended alike.
        stderr = math.sqrt(max(0.0, square - equity * equity) * total + 1.0) / total
    halves = {name: _half(cells, which, total, players) for which, name in enumerate(halves_[:2])}
    counts: dict[str, Any] = {"win": won, "tie": total - won - lost, "lose": lost}
    if scale != 1:
        counts = {name: n / scale for name, n in counts.items()}
    return PlayerEquity(
        hand=hand,
        equity=equity,
        stderr=stderr,
        win=won / total,
        tie=(total - won - lost) / total,
        lose=lost / total,
        counts=counts,
        fraction=fraction,
        halves=halves,
        combos=combos,
        weight=weight,
        tally=tuple(cells) if sampled else None,
    )


def _total_weight(live: Range | Holding) -> float:
    if isinstance(live, Holding):
        return 1.0
    # A range of all hands is not listed only to be added up.
    return len(live) * live.fraction if live.is_random else float(np.sum(live.weights))


def _half(cells: Sequence[tuple[int, int, Any]], half: int, total: Any, players: int) -> HalfEquity:
    equity = 0.0
    alone = 0.0
    shared = 0.0
    for cell in cells:
        sharing, n = cell[half], float(cell[2])
        if sharing == 0 or (half == 1 and sharing == players + 1):
            continue
        equity += n / sharing
        if sharing == 1:
            alone += n
        else:
            shared += n
    return HalfEquity(equity / float(total), alone / float(total), shared / float(total))


def _answer(
    spot_: Spot, tally: Any, *, method: str, algorithm: str, deals: int, seed: int | None, stop: str, started: float,
    scale: int = 1, policy: str | None = None, sampling: Sampling | None = None,
) -> Equity:  # fmt: skip
    sampled = method == "monte-carlo"
    return Equity(
        game=spot_.variant.name,
        method=method,
        algorithm=algorithm,
        board=board_names(spot_),
        dead=tuple(card_name(c) for c in spot_.dead),
        deals=deals,
        seed=seed,
        stop=stop,
        seconds=clock.perf_counter() - started,
        players=tuple(_player(tally[i], r.text, spot_, i, sampled, scale) for i, r in enumerate(spot_.ranges)),
        tally=tally,
        policy=spot_.decided or policy,
        sampling=sampling,
    )


def board_names(spot_: Spot) -> tuple[str, ...]:
    """The board's cards; two boards are parted by a slash."""
    if len(spot_.boards) < 2 or not spot_.board:
        return tuple(card_name(c) for c in spot_.board)
    one, two = (tuple(card_name(c) for c in board) for board in spot_.boards)
    return (*one, "/", *two)


@cache
def _shares(players: int) -> NDArray[np.float64]:
    return np.array([[float(_share(a, b, players)) for b in range(players + 2)] for a in range(players + 1)])


def tally_equity(tally: Any, players: int) -> list[tuple[float, float]]:
    """Each player's expected share of the pot by a tally, with its standard error if the deals were sampled."""
    shares = _shares(players)
    total = int(tally[0].sum())
    means = np.tensordot(tally, shares, 2) / total
    squares = np.tensordot(tally, shares * shares, 2) / total
    errors = np.sqrt(np.maximum(0.0, squares - means * means) * total + 1.0) / total
    return [(float(m), float(e)) for m, e in zip(means, errors, strict=True)]


# -- exact ----------------------------------------------------------------------------------------------------------


def _integer_weights(ranges: Sequence[NDArray[np.float64]]) -> tuple[list[NDArray[np.float64]], int]:
    # Weights as integers where all are multiples of one of a few units, and the factor of a whole joint choice;
    # factor 0 when they are not.
    scale = 1
    scaled = []
    for weights in ranges:
        if len(weights) == 1:
            # One hand: its weight is relative to nothing.
            scaled.append(np.ones(1))
            continue
        for unit in (1, 2, 10, 100, 1_000, 10_000):
            times = weights * unit
            if np.all(np.abs(times - np.rint(times)) < 1e-9 * unit):
                scaled.append(np.rint(times))
                scale *= unit
                break
        else:
            return list(ranges), 0
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


def _too_long(seconds: float | None) -> PotshareError:
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
    return _too_long(seconds)


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
        raise PotshareError("no deal is possible: in every choice of hands two players would hold the same card")
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
        raise PotshareError("no deal is possible: in every choice of hands two players would hold the same card")
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
    combos, at = np.unique(np.concatenate([r.combos for r in spot_.ranges]), axis=0, return_inverse=True)
    combos = np.ascontiguousarray(combos)
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


def _in_table(spot_: Spot) -> bool:
    # Whether the table of match-ups answers: two ranges of hold'em, nothing else known.
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
        raise PotshareError("no deal is possible: in every choice of hands two players would hold the same card")
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
        hands = sum(len(w) for w in weights)
        return sweep.seconds(hands, spot_.variant.hole_cards, spot_.players, boards) / threads + _SWEEP_START
    if to_come > 2:
        boards //= len(_suit_turns(spot_, weights))
    few = min(len(w) for w in weights)
    return boards * (few * duel.SECONDS if few <= duel.MOST_HANDS else rank_sweep.SECONDS) / threads + _SWEEP_START


def _given(spot_: Spot, started: float) -> Equity:
    # Every hand is given: one class of joint holdings, no weights, and nothing that could take long.
    hands = [r.cards if isinstance(r, Holding) else tuple(r.combos[0].tolist()) for r in spot_.ranges]
    if _in_table(spot_):
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
    return _answer(
        spot_, tally, method="exact", algorithm=algorithm, deals=deals, seed=None, stop="complete", started=started
    )


def _exact(
    spot_: Spot, tables: Evaluators, auto: bool, threads: int, progress: Progress | None, started: float
) -> Equity | None:
    sizes = [len(r) for r in spot_.ranges]
    product = math.prod(sizes)
    if product == 1:
        return _given(spot_, started)
    budget = AUTO_SECONDS if auto else EXACT_SECONDS
    listed = _in_table(spot_) or _sweeps(spot_, tables)
    if not listed and _unlistable(spot_, tables, budget, threads):
        if auto:
            return None
        raise _not_counted(spot_, tables, product, budget, threads)
    weights, scale = _integer_weights([r.weights for r in spot_.ranges])
    whole = scale > 0 and math.prod(float(w.sum()) for w in weights) < _EXACT_FLOAT
    unscale = scale if scale > 1 else 1
    if _in_table(spot_):
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
    return _answer(
        spot_, tally, method="exact", algorithm=algorithm, deals=deals, seed=None, stop="complete", started=started,
        scale=unscale,
    )  # fmt: skip


# -- Monte Carlo ----------------------------------------------------------------------------------------------------


def _largest_error(tally: NDArray[np.int64], players: int) -> tuple[tuple[float, ...], float]:
    found = tally_equity(tally, players)
    return tuple(mean for mean, _ in found), max(error for _, error in found)


def _dealer(spot_: Spot, policy: str, seed: int) -> flop.Dealer | general.Dealer | lanes.Dealer:
    found = lanes.dealer(spot_, seed)
    if found is not None:
        return found
    if spot_.variant.is_flop_game:
        return flop_dealer(spot_, engines.evaluators(spot_.variant), seed)
    return general.Dealer(spot_, policy, seed)


def flop_dealer(spot_: Spot, tables: Evaluators, seed: int) -> flop.Dealer:
    """The scalar engine of flop games."""
    free = tuple(i for i, r in enumerate(spot_.ranges) if r.is_random)
    held = [i for i in range(spot_.players) if i not in free]
    fixed = (tuple(sorted(spot_.board)), tuple(sorted(spot_.dead)))
    choices = choice.prepare(
        held, [spot_.ranges[i].combos for i in held], [spot_.ranges[i].weights for i in held], fixed, seed
    )
    return flop.Dealer(
        spot_.players,
        spot_.variant.hole_cards,
        spot_.board_array,
        spot_.dead,
        spot_.live,
        free,
        choices,
        tables,
        seed,
    )


def _question(spot_: Spot, policy: str | None) -> str:
    # A short hash of all that an answer depends on but for the deals.
    variant = spot_.variant
    digest = hashlib.blake2b(digest_size=8)
    for part in (
        variant.name, variant.deck, variant.streets, variant.halves, variant.boards, variant.wild, variant.when_short,
        variant.showdown, variant.policies, sorted(spot_.dead), [sorted(board) for board in spot_.boards],
        spot_.unseen, spot_.community, policy,
    ):  # fmt: skip
        digest.update(repr(part).encode())
    for held in spot_.ranges:
        digest.update(b"random" if held.is_random else repr(held).encode() if isinstance(held, Holding) else b"range")
        if isinstance(held, Range) and not held.is_random:
            digest.update(held.combos.tobytes())
            digest.update(held.weights.tobytes())
    return digest.hexdigest()


Elsewhere = Callable[[Iterator[tuple[int, int]], int], Iterator[NDArray[np.int64]]]
"""Deals chunks of blocks, none beyond a number of deals, and gives their tallies in order."""


def _elsewhere(cluster: Any, spot_: Spot, policy: str, seed: int, processes: int) -> Elsewhere | None:
    if cluster is None:
        return None
    from potshare.simulate.sampling.elsewhere import Question, dealt

    return partial(dealt, Question(spot_, policy, seed), cluster, processes)


def _sample(
    spot_: Spot, dealer: flop.Dealer | general.Dealer | lanes.Dealer, *, stderr: float | None, deals: int | None,
    seconds: float | None, seed: int, threads: int, progress: Progress | None, started: float, first_block: int,
    policy: str | None = None, elsewhere: Elsewhere | None = None,
) -> Equity:  # fmt: skip
    most = first_block * dealer.block + deals if deals is not None else 1 << 62
    last = -(-most // dealer.block)

    def chunks() -> Iterator[tuple[int, int]]:
        # Small ones first, for answers that are soon good enough.
        at = first_block
        while at < last:
            size = min(_CHUNK_BLOCKS if at - first_block < _SMALL_BLOCKS else dealer.chunk, last - at)
            yield at, size
            at += size

    def do(piece: tuple[int, int]) -> NDArray[np.int64]:
        return dealer.deal(*piece, most)

    tally = np.zeros((spot_.players, spot_.players + 1, spot_.players + 2), np.int64)
    stop = "deals"
    check = max(1, _FIRST_CHECK // (_CHUNK_BLOCKS * dealer.block))
    chunk = 0
    # Where nothing compiled is kept yet, compiling is not part of the time to sample.
    if elsewhere is None:
        dealer.deal(0, 1, 1)
        results = in_order(do, chunks(), threads)
    else:
        results = elsewhere(chunks(), most)
    begun = clock.perf_counter()
    try:
        for part in results:
            tally += part
            chunk += 1
            elapsed = clock.perf_counter() - begun
            if chunk >= check:
                # Checks come at fixed numbers of deals, so that where it stops does not depend on the threads.
                check += max(1, check // 8)
                means, error = _largest_error(tally, spot_.players)
                if progress:
                    done = [(stderr / error) ** 2] if stderr else []
                    done += [int(tally[0].sum()) / deals] if deals is not None else []
                    done += [elapsed / seconds] if seconds is not None else []
                    progress(Report(min(1.0, max(done, default=0.0)), means, error, int(tally[0].sum())))
                if stderr is not None and error <= stderr:
                    stop = "stderr"
                    break
            if seconds is not None and elapsed >= seconds:
                stop = "time"
                break
    except KeyboardInterrupt:
        if not tally.any():
            raise
        stop = "interrupted"
    finally:
        results.close()  # type: ignore[attr-defined]
    total = int(tally[0].sum())
    sampling = Sampling(
        rate=total / max(clock.perf_counter() - begun, 1e-9),
        acceptance=dealer.acceptance if dealer.acceptance < 1 else None,
        sources=(Source(seed, first_block, -(-total // dealer.block)),),
        question=_question(spot_, policy),
    )
    return _answer(
        spot_, tally, method="monte-carlo", algorithm="monte-carlo", deals=total, seed=seed, stop=stop,
        started=started, policy=policy, sampling=sampling,
    )  # fmt: skip


def check_rules(
    method: str, stderr: float | None, deals: int | None, time: float | None, seed: int | None
) -> None:  # fmt: skip
    """Raises `PotshareError` for a method, a stop rule or a seed that there is not."""
    if method not in METHODS:
        raise PotshareError(f"there is no method '{method}'; methods are {', '.join(METHODS)}")
    for name, value in (("stderr", stderr), ("deals", deals), ("time", time)):
        if value is not None and not (value > 0 and math.isfinite(value)):
            raise PotshareError(f"{name} must be greater than 0, not {value}")
        if value is not None and method == "exact":
            raise PotshareError(f"{name} is a rule for sampling; leave it out, or leave out the method exact")
    if seed is not None and not 0 <= seed < 2**63:
        raise PotshareError(f"the seed must be between 0 and 2**63 - 1, not {seed}")


def equity(
    *hands: Hand,
    game: str | Variant = "holdem",
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    stderr: float | None = None,
    deals: int | None = None,
    time: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    policy: str | None = None,
    draws: int | None = None,
    first_block: int = 0,
    cluster: Any = None,
    progress: Progress | None = None,
) -> Equity:
    """The expected share of the pot of each player.

    `hands` are range text, `Range`s or card numbers; `board` and `dead` cards as text or numbers. `method` is
    `auto`, `exact` or `monte-carlo`. Monte Carlo stops at a standard error of every equity (`stderr`), a number of
    deals, or a time in seconds, whichever comes first; by default at 0.0005 or 10 seconds. The same `seed` gives
    the same answer for any number of `threads` (default: all cores), time limits apart. `policy` says how cards are
    drawn, discarded, swapped or pushed in games with such choices: `standard` (default; the keep rules of the game),
    `pat`, `best`, or one of the game's own; `draws` is how many draws are still to come (default: all).
    `first_block` begins the deals of a seed further on, behind those of another run (its first block plus its
    blocks), so that both can be merged. `cluster` spreads sampling over dask.distributed with the same answer: the
    address of a scheduler, `local` for as many processes here as `threads`, or a `Client`; what is counted is counted
    here. `progress` is called with a `Report` now and then. Raises `PotshareError` for a question that cannot be
    answered as asked.
    """
    started = clock.perf_counter()
    check_rules(method, stderr, deals, time, seed)
    if cluster is not None and method == "exact":
        raise PotshareError("a cluster is for sampling; leave it out, or leave out the method exact")
    if not 0 <= first_block < 2**40:
        raise PotshareError(f"the first block must be between 0 and 2**40 - 1, not {first_block}")
    question = spot(hands, game, board, dead, draws)
    workers = thread_count(threads)
    if policy is not None and not (question.variant.choices or question.decided):
        raise PotshareError(f"nobody draws or discards in {question.variant.name}; leave out the policy")
    if not question.variant.is_flop_game:
        return _other_games(
            question,
            policy or "standard",
            method,
            stderr,
            deals,
            time,
            seed,
            workers,
            progress,
            started,
            first_block,
            cluster,
        )
    if method != "monte-carlo" and _in_table(question) and all(isinstance(r, Holding) for r in question.ranges):
        # A look-up, for which nothing compiled is loaded.
        return _given(question, started)
    tables = engines.evaluators(question.variant)
    if method != "monte-carlo":
        answer = _exact(question, tables, method == "auto", workers, progress, started)
        if answer is not None:
            return answer
    if stderr is None and deals is None and time is None:
        stderr, time = DEFAULT_STDERR, DEFAULT_SECONDS
    if seed is None:
        seed = new_seed()
    return _sample(
        question, _dealer(question, "", seed), stderr=stderr, deals=deals, seconds=time, seed=seed,
        threads=workers, progress=progress, started=started, first_block=first_block,
        elsewhere=_elsewhere(cluster, question, "", seed, workers),
    )  # fmt: skip


def count_decided(question: Spot, threads: int) -> Equity | None:
    """The exact answer to a game of discards that are all made, or None when it takes more than a few seconds."""
    return _exact(question, engines.evaluators(question.variant), True, threads, None, clock.perf_counter())


def new_seed() -> int:
    """A seed of 48 bits from the system."""
    return int.from_bytes(np.random.default_rng().bytes(6), "little")


def _other_games(
    question: Spot, policy: str, method: str, stderr: float | None, deals: int | None, seconds: float | None,
    seed: int | None, threads: int, progress: Progress | None, started: float, first_block: int, cluster: Any,
) -> Equity:  # fmt: skip
    from potshare.simulate.drawing.search import settle_best, settle_rules
    from potshare.simulate.exact.plans import TooManyError, UncountableError, counting_plan

    if seed is None:
        seed = new_seed()
    variant = question.variant
    words: str | None = None
    if variant.choices:
        words = policy
        if policy == "best":
            question, words = settle_best(
                question, seed, threads, (lambda done: progress(Report(done))) if progress else None
            )
        elif policy != "pat":
            variant.policy(policy)
    if method != "monte-carlo":
        budget = AUTO_SECONDS if method == "auto" else EXACT_SECONDS
        settled = question if question.decided else settle_rules(question, policy)
        if settled.decided:
            answer = _exact(settled, engines.evaluators(settled.variant), method == "auto", threads, progress, started)
            if answer is not None:
                return answer
        try:
            plan = counting_plan(settled, policy)
            if plan.seconds > budget * threads:
                raise TooManyError
        except UncountableError as reason:
            if method == "exact":
                raise PotshareError(
                    f"this question of {variant.name} cannot be counted, because {reason}; "
                    "sample it with --method monte-carlo"
                ) from None
        except TooManyError:
            if method == "exact":
                raise _too_long(None) from None
        else:
            if settled is question and words == policy != "pat":
                words = "given"  # every draw was written out
            found = plan.count(threads, (lambda done: progress(Report(done))) if progress else None)
            return _answer(
                question, found, method="exact", algorithm="draws" if variant.choices else "runouts", deals=plan.deals,
                seed=None, stop="complete", started=started, scale=plan.scale, policy=words,
            )  # fmt: skip
    if stderr is None and deals is None and seconds is None:
        stderr, seconds = DEFAULT_STDERR, DEFAULT_SECONDS
    return _sample(
        question, _dealer(question, policy, seed), stderr=stderr, deals=deals, seconds=seconds, seed=seed,
        threads=threads, progress=progress, started=started, first_block=first_block, policy=words,
        elsewhere=_elsewhere(cluster, question, policy, seed, threads),
    )  # fmt: skip

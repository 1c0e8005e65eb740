"""The equity of every starting hand against given opponents: the square of two-card hands as numbers.

Against one range before the flop the table of match-ups answers, on a board one sweep that keeps what each hand
wins. Everything else (more opponents, short decks before the flop, lows) is sampled, hand class by hand class.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError
from potshare.evaluator.cards import RANKS
from potshare.simulate.equity import check_rules, equity, new_seed
from potshare.simulate.evaluators import evaluators
from potshare.simulate.exact import by_hand, matchups
from potshare.simulate.ranges.pairs import all_pairs, pair_index
from potshare.simulate.sampling import lanes
from potshare.simulate.spot import Cards, Hand, Spot, spot
from potshare.simulate.variants import Variant
from potshare.simulate.views.picture import Picture, about, check_picture, settle
from potshare.simulate.work import thread_count

AUTO_SECONDS = 5.0
"""Counted when that is expected to be done within this time."""

SAMPLE = 500_000
"""Deals for each class of hands where they are sampled: a standard error below 0.1 %."""

_SCALAR_SAMPLE = 50_000
"""The same where deals are not made in vectors."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class GridCell:
    """A class of hands (AKs), how many hands of it are possible, and its equity; None where none is."""

    name: str
    combos: int
    equity: float | None
    stderr: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {"hand": self.name, "combos": self.combos, "equity": self.equity, "stderr": self.stderr}


@dataclass(frozen=True)
class EquityGrid(Picture):
    """Rows of a square, aces first; suited hands above the diagonal, offsuit ones below it."""

    against: tuple[str, ...]
    rows: tuple[tuple[GridCell, ...], ...]

    @property
    def ranks(self) -> str:
        """The ranks of rows and columns."""
        return "".join(row[i].name[0] for i, row in enumerate(self.rows))

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            **self.head(),
            "against": list(self.against),
            "grid": [[cell.to_dict() for cell in row] for row in self.rows],
        }


def class_name(high: int, low: int, suited: bool) -> str:
    """The name of a class of hands by its ranks: AA, AKs, AKo."""
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")


def _live_pairs(question: Spot) -> NDArray[np.uint8]:
    pairs = all_pairs()
    return np.ascontiguousarray(pairs[np.isin(pairs, question.live).all(axis=1)])


def _counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]] | None:
    # The hands that the first player may have, and what each beats, ties and meets; None where sampling is the way.
    variant = question.variant
    tables = evaluators(variant) if variant.is_flop_game else None
    if tables is None or question.players != 2 or tables.has_low:
        return None
    pairs = _live_pairs(question)
    foe = question.ranges[1]
    if not question.board and not question.dead and len(variant.deck) == 52 and variant.halves[0].ranking == "high":
        # Whole weights as integers: floats would compile the sums once more.
        kind: type = np.int64 if np.all(foe.weights == np.rint(foe.weights)) else np.float64
        found = matchups.versus(pairs, foe.combos, foe.weights.astype(kind))[:, :3].astype(np.float64)
        return pairs, found * np.array([1.0, 1.0, matchups.BOARDS])
    boards = math.comb(len(question.live), 5 - len(question.board))
    if by_hand.seconds(len(pairs), boards) > budget * threads:
        return None
    index = {pair_index(int(x), int(y)): i for i, (x, y) in enumerate(pairs)}
    weights = np.zeros(len(pairs))
    for (x, y), weight in zip(foe.combos.tolist(), foe.weights.tolist(), strict=True):
        weights[index[pair_index(x, y)]] = weight
    return pairs, by_hand.against(pairs, weights, question.board_array, question.live, tables, threads)


def _names(question: Spot) -> list[list[tuple[str, int]]]:
    # The square of class names, with the number of possible hands of each.
    live = set(question.live)
    ranks = sorted({c >> 2 for c in question.variant.deck if c < 52}, reverse=True)
    rows = []
    for row in ranks:
        cells = []
        for column in ranks:
            high, low, suited = max(row, column), min(row, column), row > column
            suits = [(a, b) for a in range(4) for b in range(4) if (a < b if high == low else (a == b) == suited)]
            number = sum(4 * high + a in live and 4 * low + b in live for a, b in suits)
            cells.append((class_name(high, low, suited), number))
        rows.append(cells)
    return rows


def _by_class(pairs: NDArray[np.uint8], found: NDArray[np.float64]) -> dict[str, tuple[float, float]]:
    sums: dict[str, tuple[float, float]] = {}
    for (x, y), (beaten, tied, met) in zip(pairs.tolist(), found.tolist(), strict=True):
        name = class_name(max(x, y) >> 2, min(x, y) >> 2, x & 3 == y & 3)
        owned, total = sums.get(name, (0.0, 0.0))
        sums[name] = (owned + beaten + tied / 2, total + met)
    return sums


def grid(
    others: Sequence[Hand],
    *,
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
    progress: Progress | None = None,
) -> EquityGrid:
    """The equity of each class of two-card hands against the other players.

    Arguments as for `equity`; `stderr` and `deals` are those of each class where they are sampled, `time` that of all
    of them. Raises `PotshareError` for games whose hands have another number of cards, or cards face up.
    """
    started = clock.perf_counter()
    check_rules(method, stderr, deals, time, seed)
    question = spot(("random", *others), game, board, dead, draws)
    variant = question.variant
    check_picture("grid", variant)
    workers = thread_count(threads)
    names = _names(question)
    found = None
    ruled = stderr is not None or deals is not None or time is not None
    if method != "monte-carlo":
        found = _counted(question, workers, AUTO_SECONDS if method == "auto" else 3600.0)
    seed = new_seed() if seed is None else seed
    asked, rules, words = settle(question, policy, seed, workers)
    if found is not None:
        sums = _by_class(*found)

        def cell(name: str, number: int) -> GridCell:
            owned, total = sums.get(name, (0.0, 0.0))
            return GridCell(name, number, owned / total if total else None)

    else:
        how: dict[str, Any] = {"method": "exact"}
        if method != "exact":
            sample = None if ruled else (SAMPLE if lanes.form_of(asked) else _SCALAR_SAMPLE)
            each = None if time is None else time / len(names) ** 2
            how = {"method": "monte-carlo", "deals": deals or sample, "stderr": stderr, "time": each, "seed": seed}
        if variant.choices:
            how["policy"] = rules

        def cell(name: str, number: int) -> GridCell:
            try:
                answer = equity(name, *asked.ranges[1:], game=variant, board=board, dead=dead, threads=threads, **how)
            except NoDealError:
                # None of its hands goes with the cards of the others.
                return GridCell(name, number, None)
            return GridCell(name, number, answer.players[0].equity, answer.players[0].stderr)

    rows = []
    for done, row in enumerate(names):
        rows.append(tuple(cell(name, number) if number else GridCell(name, 0, None) for name, number in row))
        if progress:
            progress((done + 1) / len(names))
    return EquityGrid(
        **about(
            question, started, counted=found is not None or method == "exact", seed=seed, policy=words,
            stderr=max(one.stderr for row in rows for one in row),
        ),
        against=tuple(r.text for r in question.ranges[1:]),
        rows=tuple(rows),
    )  # fmt: skip

"""What is known of a question: an `Equity`, from the tally of its deals (see `outcomes`)."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare import __version__
from potshare.evaluator.cards import card_name
from potshare.simulate.ranges import Range
from potshare.simulate.spot import Holding, Spot


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


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while deals were sampled. `answer` is what is known from those that were made; its `stop` says
    `interrupted`.

    An exception of its own rather than an answer, because whoever asks many questions in a row means all of them.
    """

    def __init__(self, answer: Equity) -> None:
        super().__init__(answer)
        self.answer = answer

    def __str__(self) -> str:
        return f"interrupted after {self.answer.deals:,} deals"


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


def share(a: int, b: int, players: int) -> Fraction:
    """The part of the pot of a player who shares the high with `a`, and the low with `b`, counted as in `outcomes`."""
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


def answer_of(
    spot_: Spot, tally: Any, *, method: str, algorithm: str, deals: int, seed: int | None, stop: str, started: float,
    scale: int = 1, policy: str | None = None, sampling: Sampling | None = None,
) -> Equity:  # fmt: skip
    """The answer to a question, from its tally; `started` is a time of the performance counter."""
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
    return np.array([[float(share(a, b, players)) for b in range(players + 2)] for a in range(players + 1)])


def tally_equity(tally: Any, players: int) -> list[tuple[float, float]]:
    """Each player's expected share of the pot by a tally, with its standard error if the deals were sampled."""
    shares = _shares(players)
    total = int(tally[0].sum())
    means = np.tensordot(tally, shares, 2) / total
    squares = np.tensordot(tally, shares * shares, 2) / total
    errors = np.sqrt(np.maximum(0.0, squares - means * means) * total + 1.0) / total
    return [(float(m), float(e)) for m, e in zip(means, errors, strict=True)]

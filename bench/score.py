"""Bulk scoring in rows a second, beside loops of other libraries that do the same job in the same run.

The job: hold'em showdowns of two players as text, board and hands, to the winners. This program reads a file and
writes one; the loops of the rivals are given the texts in memory and write nothing. One core for all of them:

    python -m potshare.bench.score [ROWS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from potshare.evaluator.cards import card_name

ROWS = 1_000_000
RIVAL_ROWS = {"eval7": 50_000, "treys": 20_000, "pokerkit": 500}
"""Rows that each rival's loop does."""

_REPEATS = 3
Texts = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Rate:
    """Rows a second of one way to do the job; `agrees` whether the winners are those of this program."""

    name: str
    rows: int
    seconds: float
    agrees: bool

    @property
    def rate(self) -> float:
        """Rows a second."""
        return self.rows / self.seconds


def deals(rows: int, seed: int = 20_240_229) -> Texts:
    """Random boards and pairs of hands as text."""
    random = np.random.default_rng(seed)
    names = np.array([card_name(card) for card in range(52)])
    found: Texts = []
    for at in range(0, rows, 1 << 16):
        size = min(1 << 16, rows - at)
        cards = names[np.argpartition(random.random((size, 52)), 9, axis=1)[:, :9]]
        found += [("".join(r[:5]), "".join(r[5:7]), "".join(r[7:])) for r in cards.tolist()]
    return found


# -- rivals ---------------------------------------------------------------------------------------------------------


def _cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def _outcome(one: float, two: float) -> int:
    # 1 or 2 for the winner, 3 for both; larger wins.
    return 1 if one > two else 2 if two > one else 3


def _eval7() -> Callable[[Texts], list[int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eval7 = import_module("eval7")
    card, evaluate = eval7.Card, eval7.evaluate

    def run(texts: Texts) -> list[int]:
        found = []
        for board, one, two in texts:
            shared = [card(c) for c in _cards(board)]
            a, b = (evaluate(shared + [card(c) for c in _cards(hand)]) for hand in (one, two))
            found.append(_outcome(a, b))
        return found

    return run


def _treys() -> Callable[[Texts], list[int]]:
    treys = import_module("treys")
    new, evaluate = treys.Card.new, treys.Evaluator().evaluate

    def run(texts: Texts) -> list[int]:
        found = []
        for board, one, two in texts:
            shared = [new(c) for c in _cards(board)]
            a, b = (evaluate(shared, [new(c) for c in _cards(hand)]) for hand in (one, two))
            found.append(_outcome(-a, -b))
        return found

    return run


def _pokerkit() -> Callable[[Texts], list[int]]:
    hand_type = import_module("pokerkit").StandardHighHand

    def run(texts: Texts) -> list[int]:
        found = []
        for board, one, two in texts:
            a, b = hand_type.from_game(one, board), hand_type.from_game(two, board)
            found.append(1 if a > b else 2 if b > a else 3)
        return found

    return run


_RIVALS = {"eval7": _eval7, "treys": _treys, "pokerkit": _pokerkit}


# -- measuring ------------------------------------------------------------------------------------------------------


def _best(run: Callable[[], object], repeats: int = _REPEATS) -> float:
    best = float("inf")
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
    return best


def measure(rows: int = ROWS) -> Iterator[Rate]:
    """The rates of every format, then of every rival that is installed."""
    import polars as pl

    from potshare.simulate.scoring.run import score

    texts = deals(rows)
    with tempfile.TemporaryDirectory() as folder:
        table = pl.DataFrame(
            {"board": [t[0] for t in texts], "hands": [f"{t[1]},{t[2]}" for t in texts], "pot": [100] * rows}
        )
        table.write_parquet(Path(folder, "in.parquet"))
        table.write_csv(Path(folder, "in.csv"))
        table.head(rows // 4).write_ndjson(Path(folder, "in.ndjson"))
        del table
        wanted: list[int] = []
        for source, target, size in (
            ("in.parquet", "out.parquet", rows), ("in.parquet", "out.csv", rows), ("in.csv", "out.csv", rows),
            ("in.csv", "out.parquet", rows), ("in.ndjson", "out.ndjson", rows // 4),
        ):  # fmt: skip
            paths = str(Path(folder, source)), str(Path(folder, target))
            score([paths[0]], paths[1], workers=1)
            seconds = _best(lambda paths=paths: score([paths[0]], paths[1], workers=1))  # type: ignore[misc]
            if not wanted:
                winners = pl.read_parquet(paths[1])["winners"].to_list()
                wanted = [3 if len(w) == 2 else w[0] for w in winners]
            yield Rate(f"{source[3:]} to {target[4:]}", size, seconds, True)
    for name, make in _RIVALS.items():
        some = texts[: RIVAL_ROWS[name]]
        try:
            run = make()
        except ImportError:
            continue
        found = run(some)
        yield Rate(name, len(some), _best(lambda run=run, some=some: run(some), 1), found == wanted[: len(some)])  # type: ignore[misc]


def main(rows: int = ROWS) -> None:
    """Prints the rates, one core for all."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    first = 0.0
    for rate in measure(rows):
        first = first or rate.rate
        beside = f"   potshare from Parquet is {first / rate.rate:,.0f} times as fast" if rate.name in _RIVALS else ""
        agrees = "" if rate.agrees else "   DIFFERENT WINNERS"
        print(f"{rate.name:<20} {rate.rate:>12,.0f} rows/s{beside}{agrees}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)

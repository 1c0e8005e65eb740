"""Exact equities beside rivals in the same run: `python -m potshare.bench.equities`.

Each question is asked of potshare and of every installed rival that can answer it, on one thread, through their
Python interfaces, best of several runs; the answers must agree. Times are processor time, which other programs on the
machine disturb least. OMPEval comes compiled in the wheel of pokerfast. With `--slow` rivals are also asked, once, what
takes them minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import click

from potshare.simulate.equity import equity


@dataclass(frozen=True)
class Question:
    """What is asked: a name, hands, a board, a game, dead cards, whether rivals can answer, and whether that takes
    minutes."""

    name: str
    hands: tuple[str, ...]
    board: str = ""
    game: str = "holdem"
    rivals: bool = True
    dead: str = ""
    slow: bool = False


QUESTIONS = (
    Question("two hands", ("AhAd", "KsKc")),
    Question("three hands", ("AsKs", "QhQd", "7c6c")),
    Question("six hands", ("AsAh", "KsKd", "QcQd", "JhTh", "9c8c", "7s2d")),
    Question("two ranges", ("QQ+,AKs", "22+,A2s+,K9s+")),
    Question("hand against all", ("AhAd", "random")),
    Question("all against all", ("random", "random"), slow=True),
    Question("two hands, a dead card", ("AhAd", "KsKc"), dead="2c"),
    Question("all against all, a dead card", ("random", "random"), dead="2c", slow=True),
    Question("hand against all, flop", ("AhAd", "random"), "KsQc7d"),
    Question("hand against all, suited flop", ("AhAd", "random"), "KsQs7s"),
    Question("two ranges, flop", ("QQ+,AKs", "22+,A2s+,K9s+"), "KsQc7d"),
    Question("all against all, flop", ("random", "random"), "AhKdJc"),
    Question("all against all, suited flop", ("random", "random"), "AhKhJh"),
    Question("three times all, flop", ("random", "random", "random"), "AhKdJc", rivals=False),
    Question("Omaha, two hands", ("AhAdKhKd", "JsTs9c8c"), game="omaha"),
    Question("Omaha hi-lo, two hands", ("AhAd2c3d", "KhKsQdJc"), game="omaha8"),
    Question("stud, fifth street", ("AsKs9d4h2c", "QhQdJcTd8s"), game="stud"),
    Question("razz, fifth street", ("As2d3h9cKd", "4h5d7sTcQh"), game="razz"),
    Question("razz, third street", ("As2d3h", "4h5d7s"), game="razz", rivals=False),
)


@dataclass(frozen=True)
class Result:
    """The best time of a program for a question in seconds, and the first player's equity."""

    question: str
    program: str
    seconds: float
    equity: float


def _best(run: Callable[[], float], repeats: int, limit: float) -> tuple[float, float]:
    run()
    return _measure(run, repeats, limit)


def _measure(run: Callable[[], float], repeats: int, limit: float) -> tuple[float, float]:
    best = float("inf")
    started = time.process_time()
    answer = 0.0
    for _ in range(repeats):
        before = time.process_time()
        answer = run()
        best = min(best, time.process_time() - before)
        if time.process_time() - started > limit:
            break
    return best, answer


def _potshare(q: Question) -> Callable[[], float]:
    def ask() -> float:
        return equity(*q.hands, game=q.game, board=q.board, dead=q.dead, method="exact", threads=1).players[0].equity

    return ask


def _ompeval(q: Question) -> Callable[[], float] | None:
    if q.game != "holdem" or not q.rivals or find_spec("pokerfast") is None:
        return None
    module = import_module("pokerfast.equity")
    return lambda: float(module.equity(list(q.hands), board=q.board, dead=q.dead, exact=True, threads=1)[0])


_POKER_EQUITY = {"holdem": "holdem", "omaha": "omaha", "omaha8": "omaha_hi_lo", "stud": "stud", "razz": "razz"}


def _poker_equity(q: Question) -> Callable[[], float] | None:
    # Asked for given hands only: of ranges it counts none.
    ranges = any("," in hand or hand == "random" for hand in q.hands)
    if q.game not in _POKER_EQUITY or not q.rivals or ranges or q.dead or find_spec("poker_equity") is None:
        return None
    module = import_module("poker_equity")
    variant = _POKER_EQUITY[q.game]
    return lambda: float(module.exact_from_text(variant, list(q.hands), q.board)["players"][0]["equity"])


RIVALS: tuple[tuple[str, Callable[[Question], Callable[[], float] | None]], ...] = (
    ("OMPEval", _ompeval),
    ("poker-equity", _poker_equity),
)


def run(
    questions: Sequence[Question] = QUESTIONS, repeats: int = 20, limit: float = 2.0, *, slow: bool = False
) -> Iterator[Result]:
    """Asks every question of every program; yields results as they come. Raises `ValueError` when answers differ.

    Each is asked up to `repeats` times within `limit` seconds, rivals with minutes to go only if `slow`, and once.
    """
    for q in questions:
        seconds, answer = _best(_potshare(q), repeats, limit)
        yield Result(q.name, "potshare", seconds, answer)
        for name, rival in RIVALS:
            ask = rival(q)
            if ask is None or (q.slow and not slow):
                continue
            its, other = _measure(ask, 1, 0.0) if q.slow else _best(ask, repeats, limit)
            if abs(other - answer) > 1e-6:
                raise ValueError(f"{q.name}: {name} says {other}, potshare {answer}")
            yield Result(q.name, name, its, other)


@click.command(help=__doc__)
@click.option("--repeats", default=20, show_default=True, help="Runs; the best one counts.")
@click.option("--slow", is_flag=True, help="Ask rivals also what takes them minutes.")
def main(repeats: int, slow: bool) -> None:
    """Command line of this module."""
    own = 0.0
    for result in run(repeats=repeats, slow=slow):
        if result.program == "potshare":
            own = result.seconds
            click.echo(f"{result.question:<30}{1e3 * own:>10.2f} ms  equity {result.equity:.6f}")
        else:
            click.echo(
                f"{'':<30}{1e3 * result.seconds:>10.2f} ms  {result.program}, {result.seconds / own:,.1f} times as long"
            )


if __name__ == "__main__":
    main()

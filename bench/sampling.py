"""Monte Carlo beside rivals in the same run: `python -m potshare.bench.sampling`.

Each question is sampled by potshare and by every installed rival that can, on one thread, through their Python
interfaces; deals a second, best of several runs in turns. All answers must agree within five standard errors.
OMPEval comes compiled in the wheel of pokerfast.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import click

from potshare.simulate.equity import equity


@dataclass(frozen=True)
class Question:
    """What is asked: a name, hands, and the game."""

    name: str
    hands: tuple[str, ...]
    game: str = "holdem"


_ANY = ("random",)
QUESTIONS = (
    Question("hold'em, two hands", ("AhAd", "KsKc")),
    Question("hold'em, 2 random hands", _ANY * 2),
    Question("hold'em, 6 random hands", _ANY * 6),
    Question("hold'em, 9 random hands", _ANY * 9),
    Question("hold'em, two ranges", ("QQ+,AKs", "22+,A2s+,K9s+")),
    Question("Omaha, two hands", ("AhAdKhKd", "JsTs9c8c"), "omaha"),
    Question("Omaha, 2 random hands", _ANY * 2, "omaha"),
    Question("Omaha hi-lo, two hands", ("AhAd2c3d", "KhKsQdJc"), "omaha8"),
    Question("Omaha hi-lo, 2 random hands", _ANY * 2, "omaha8"),
    Question("stud, 2 random hands", _ANY * 2, "stud"),
    Question("stud hi-lo, 2 random hands", _ANY * 2, "stud8"),
    Question("razz, 2 random hands", _ANY * 2, "razz"),
    Question("razz, third street", ("As2d3h", "4h5d7s"), "razz"),
)


@dataclass(frozen=True)
class Sample:
    """One run: deals, seconds, the first player's equity. A rival's deals may depend on each other."""

    deals: int
    seconds: float
    equity: float


Run = Callable[[float, int], Sample]
"""Samples for about so many seconds, with a seed."""


def _potshare(q: Question) -> Run:
    def run(seconds: float, seed: int) -> Sample:
        before = time.perf_counter()
        found = equity(*q.hands, game=q.game, method="monte-carlo", time=seconds, seed=seed, threads=1)
        return Sample(found.deals, time.perf_counter() - before, found.players[0].equity)

    return run


def _ompeval(q: Question) -> Run | None:
    if q.game != "holdem" or len(q.hands) > 6 or find_spec("pokerfast") is None:
        return None
    # Its Python function does not tell the number of deals; the compiled one below it does.
    library = import_module("pokerfast.equity")._load()
    hands = (ctypes.c_char_p * len(q.hands))(*(hand.encode() for hand in q.hands))
    shares, deals = (ctypes.c_double * len(q.hands))(), ctypes.c_uint64()

    def run(seconds: float, seed: int) -> Sample:
        before = time.perf_counter()
        library.pf_equity(hands, len(q.hands), b"", b"", 0, 1e-9, 1, seconds, shares, ctypes.byref(deals))
        return Sample(deals.value, time.perf_counter() - before, shares[0])

    return run


_POKER_EQUITY = {
    "holdem": ("holdem", 2), "omaha": ("omaha", 4), "omaha8": ("omaha_hi_lo", 4), "stud": ("stud", 7),
    "stud8": ("stud_hi_lo", 7), "razz": ("razz", 7),
}  # fmt: skip
"""Its name of a game, and the cards of a hand."""


def _poker_equity(q: Question) -> Run | None:
    if q.game not in _POKER_EQUITY or any("+" in hand for hand in q.hands) or find_spec("poker_equity") is None:
        return None
    module = import_module("poker_equity")
    game, cards = _POKER_EQUITY[q.game]
    hands = ["*" * cards if hand == "random" else hand for hand in q.hands]

    def run(seconds: float, seed: int) -> Sample:
        deals = max(1000, int(1e6 * seconds))
        before = time.perf_counter()
        found = module.chunk_from_text(game, hands, samples=deals, seed=seed, threads=1)
        return Sample(deals, time.perf_counter() - before, float(found["players"][0]["equity"]))

    return run


PROGRAMS: tuple[tuple[str, Callable[[Question], Run | None]], ...] = (
    ("potshare", _potshare),
    ("OMPEval", _ompeval),
    ("poker-equity", _poker_equity),
)


@dataclass(frozen=True)
class Result:
    """The best rate of a program for a question in deals a second, and the first player's equity."""

    question: str
    program: str
    rate: float
    equity: float


def run(questions: Sequence[Question] = QUESTIONS, repeats: int = 5, seconds: float = 0.4) -> Iterator[Result]:
    """Asks every question of every program; yields results as they come. Raises `ValueError` when answers differ."""
    for q in questions:
        asked = [(name, found) for name, make in PROGRAMS if (found := make(q)) is not None]
        samples: dict[str, list[Sample]] = {name: [] for name, _ in asked}
        asked[0][1](0.01, 0)  # compiles
        for seed in range(1, repeats + 1):
            for name, ask in asked:
                samples[name].append(ask(seconds, seed))
        answers = []
        for name, runs in samples.items():
            deals = sum(s.deals for s in runs)
            mean = sum(s.equity * s.deals for s in runs) / deals
            answers.append((mean, deals))
            if abs(mean - answers[0][0]) > 5 * 0.5 * math.sqrt(1 / deals + 1 / answers[0][1]):
                raise ValueError(f"{q.name}: {name} says {mean}, potshare {answers[0][0]}")
            yield Result(q.name, name, max(s.deals / s.seconds for s in runs), mean)


@click.command(help=__doc__)
@click.option("--repeats", default=5, show_default=True, help="Runs; the best one counts.")
@click.option("--seconds", default=0.4, show_default=True, help="Time of a run.")
def main(repeats: int, seconds: float) -> None:
    """Command line of this module."""
    own = 0.0
    for result in run(repeats=repeats, seconds=seconds):
        rate = f"{result.rate / 1e6:>10.1f} M deals/s"
        if result.program == "potshare":
            own = result.rate
            click.echo(f"{result.question:<28}{rate}  equity {result.equity:.5f}")
        else:
            click.echo(f"{'':<28}{rate}  {result.program}, {own / result.rate:,.1f} times as slow")


if __name__ == "__main__":
    main()

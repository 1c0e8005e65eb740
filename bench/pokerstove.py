"""PokerStove beside potshare in the same run: `python -m potshare.bench.pokerstove FOLDER`.

FOLDER is a checkout of PokerStove that was built in its folder `build` (`cmake -DCMAKE_BUILD_TYPE=Release ..`, `make
ps-eval`). A few lines of C++ that call its library are compiled with the system's `c++ -O3 -march=native`, as it is to
be called from Python: arrays of hands, and questions for its `ShowdownEnumerator`. Hands must come out in the same
order, and equities must agree. One thread, the time of its processor, best of several runs.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from potshare.bench.equities import QUESTIONS, Question
from potshare.bench.throughput import random_hands, same_order
from potshare.evaluator.arrays import strengths
from potshare.simulate.equity import equity

_SOURCE = """
#include <pokerstove/peval/CardSet.h>
#include <pokerstove/peval/OmahaHighHandEvaluator.h>
#include <pokerstove/penum/ShowdownEnumerator.h>
using namespace pokerstove;

static CardSet set_of(const unsigned char *cards, int k) {
    uint64_t mask = 0;
    for (int i = 0; i < k; i++) mask |= 1ull << ((cards[i] & 3) * 13 + (cards[i] >> 2));
    return CardSet(mask);
}

extern "C" void values(const unsigned char *cards, size_t n, int k, int kind, int *out) {
    OmahaHighHandEvaluator omaha;
    for (size_t i = 0; i < n; i++, cards += k) {
        CardSet hand = set_of(cards, k);
        switch (kind) {
            case 0: out[i] = hand.evaluateHigh().code(); break;
            case 1: out[i] = hand.evaluateLowA5().code(); break;
            case 2: out[i] = hand.evaluate8LowA5().code(); break;
            case 3: out[i] = hand.evaluateLow2to7().code(); break;
            case 4: out[i] = hand.evaluateBadugi().code(); break;
            default: out[i] = omaha.evaluateHand(set_of(cards + 5, k - 5), set_of(cards, 5)).high().code();
        }
    }
}

extern "C" double first_equity(const char *game, const char **hands, int n, const char *board) {
    auto evaluator = PokerHandEvaluator::alloc(game);
    std::vector<CardDistribution> held(n);
    for (int i = 0; i < n; i++) {
        if (hands[i][0]) held[i].parse(hands[i]);
        else held[i].fill(evaluator->handSize());
    }
    auto found = ShowdownEnumerator().calculateEquity(held, CardSet(board), evaluator);
    double total = 0;
    for (auto &one : found) total += one.winShares + one.tieShares;
    return (found[0].winShares + found[0].tieShares) / total;
}
"""

KINDS = (
    ("high", 7, 0), ("high", 5, 0), ("ace-to-five", 7, 1), ("eight-or-better", 7, 2), ("deuce-to-seven", 5, 3),
    ("badugi", 4, 4), ("omaha", 9, 5),
)  # fmt: skip
"""Ranking, cards of a hand, and the number of PokerStove's function above; Omaha is five cards of a board and four."""

_GAMES = {"holdem": "h", "omaha": "o", "omaha8": "o8", "stud": "s", "razz": "r"}
HANDS = 1 << 18


def build(folder: Path) -> ctypes.CDLL:
    """The library of the lines above. Raises `ClickException` where it cannot be built."""
    built = [folder / "build" / "lib" / f"lib{name}.a" for name in ("penum", "peval")]
    missing = [str(path) for path in built if not path.exists()]
    if missing:
        raise click.ClickException(f"{missing[0]} is missing: build PokerStove first, see --help")
    with tempfile.TemporaryDirectory() as work:
        source, target = Path(work) / "calls.cpp", Path(work) / "calls.so"
        source.write_text(_SOURCE, "utf-8")
        command = ["c++", "-O3", "-march=native", "-std=c++14", "-fPIC", "-shared", f"-I{folder / 'src' / 'lib'}"]
        done = subprocess.run([*command, str(source), *map(str, built), "-o", str(target)], capture_output=True)
        if done.returncode:
            raise click.ClickException(done.stderr.decode(errors="replace"))
        library = ctypes.CDLL(str(target))
    library.first_equity.restype = ctypes.c_double
    return library


def _best(run: Callable[[], Any], seconds: float) -> float:
    # Seconds of this thread's processor time; other processes do not count.
    best = float("inf")
    end = time.perf_counter() + seconds
    while best == float("inf") or time.perf_counter() < end:
        started = time.thread_time()
        run()
        best = min(best, time.thread_time() - started)
    return best


def _own(ranking: str, cards: NDArray[np.uint8]) -> Callable[[], Any]:
    if ranking != "omaha":
        return lambda: strengths(cards, ranking)
    board, hole = np.ascontiguousarray(cards[:, :5]), np.ascontiguousarray(cards[:, 5:])
    return lambda: strengths(hole, "high", board, selection="two plus three")


def _asked(ranking: str, cards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    # Its ace-to-five low gives hands of fewer than five ranks that tie different codes (QhQdQsQcKhJhTd and
    # QhQdKhKsKcJdTc); the order of all others is compared.
    ranks = np.sort(cards >> 2, axis=1)
    return np.asarray((ranks[:, 1:] != ranks[:, :-1]).sum(axis=1) >= (4 if ranking == "ace-to-five" else 0))


def hands_a_second(library: ctypes.CDLL, seconds: float) -> Iterator[tuple[str, float, float]]:
    """For each of `KINDS` its name and the hands a second of both. Raises `ValueError` when the orders differ."""
    for ranking, size, kind in KINDS:
        cards = random_hands(HANDS, size)
        out = np.zeros(HANDS, np.int32)
        source, target = cards.ctypes.data_as(ctypes.c_char_p), out.ctypes.data_as(ctypes.c_void_p)

        def theirs(source: Any = source, target: Any = target, size: int = size, kind: int = kind) -> None:
            library.values(source, ctypes.c_size_t(HANDS), size, kind, target)

        ours = _own(ranking, cards)
        found = ours()
        theirs()
        asked = _asked(ranking, cards)
        if not same_order(found[asked], out[asked], larger_wins=True):
            raise ValueError(f"{ranking}, {size} cards: PokerStove orders the hands differently")
        yield f"{ranking}, {size} cards", HANDS / _best(ours, seconds), HANDS / _best(theirs, seconds)


def _their_equity(library: ctypes.CDLL, q: Question) -> Callable[[], float]:
    hands = ["" if hand == "random" else hand for hand in q.hands]
    given = (ctypes.c_char_p * len(hands))(*(hand.encode() for hand in hands))
    game, board = _GAMES[q.game].encode(), q.board.encode()
    return lambda: float(library.first_equity(game, given, len(hands), board))


def seconds_a_question(library: ctypes.CDLL, limit: float) -> Iterator[tuple[str, float, float]]:
    """For each question of `bench.equities` that PokerStove counts its name and the seconds of both.

    Raises `ValueError` when the equities differ.
    """
    for q in QUESTIONS:
        # It reads no ranges in this spelling, counts no cards to come in stud, and of unknown hands only one.
        if q.game in ("stud", "razz") or any("," in hand for hand in q.hands) or not q.rivals:
            continue
        if q.hands.count("random") > 1 or (q.hands.count("random") and not q.board):
            continue
        ask = _their_equity(library, q)

        def ours(q: Question = q) -> float:
            return equity(*q.hands, game=q.game, board=q.board, method="exact", threads=1).players[0].equity

        answer, other = ours(), ask()
        if abs(answer - other) > 1e-6:
            raise ValueError(f"{q.name}: PokerStove says {other}, potshare {answer}")
        yield q.name, _best(ours, limit), _best(ask, limit)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--seconds", default=1.0, show_default=True, help="Time for each row.")
def main(folder: Path, seconds: float) -> None:
    """Command line of this module."""
    library = build(folder)
    for name, one, two in hands_a_second(library, seconds):
        own, other = f"{one / 1e6:9,.0f} M/s", f"{two / 1e6:9,.1f} M/s"
        click.echo(f"{name:<26}{own}   PokerStove {other}, {one / two:,.1f} times as slow")
    for name, one, two in seconds_a_question(library, seconds):
        own, other = f"{1e3 * one:9.2f} ms", f"{1e3 * two:9.1f} ms"
        click.echo(f"{name:<26}{own}    PokerStove {other},  {two / one:,.1f} times as long")


if __name__ == "__main__":
    main()

"""A small question for every engine. Also run with `NUMBA_DISABLE_JIT=1`, where the kernels are plain Python, and
with `NUMBA_BOUNDSCHECK=1`, where they check every index.

Compiled code and plain Python must agree: arithmetic that wraps or widens differently shows here. Code for vector
registers (`evaluator/llvm.py`) exists compiled only, and its loads are not checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare import kernel

# Hashes and random numbers wrap on purpose; NumPy's scalars say so.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

COUNTED: dict[str, tuple[list[str], dict[str, Any], str]] = {
    "class-count, river": (["AhKh", "QsQd"], {"board": "Qh7c2d9s3c"}, "0/1"),
    "class-count, turn": (["AhKh", "QsQd"], {"board": "Qh7h2d9s"}, "7/44"),
    "class-count, flop, three players": (["AhKh", "QsQd", "8c8d"], {"board": "Qh7c2d"}, "43/903"),
    "hi-lo": (["AhKhQcJc", "9s9d8s8d"], {"game": "omaha8", "board": "Qh7c2d2s"}, "34/40"),
    "runouts, razz": (["As2s3d4c8h9h", "2h3h5d6cTcKs"], {"game": "razz"}, ""),
    "runouts, stud hi-lo": (["As2s3d4c8h9h", "2h3h5d6cTcKs"], {"game": "stud8"}, ""),
    "draws": (["9s8d6h4c3s/", "2c3d4h7s/Kd"], {"game": "deuce-to-seven"}, "29/42"),
}


@pytest.mark.parametrize("name", COUNTED)
def test_counted(name: str) -> None:
    hands, options, known = COUNTED[name]
    found = ps.equity(*hands, method="exact", **options)
    if known:
        assert found.players[0].fraction == known
    sampled = ps.equity(*hands, method="monte-carlo", deals=400, seed=1, **options)
    for one, two in zip(found.players, sampled.players, strict=True):
        assert abs(one.equity - two.equity) < 5 * two.stderr


def test_sweep() -> None:
    found = ps.equity("QQ+,AKs", "22+,A9s+", board="Qh7c2d9s3c", method="exact")
    assert found.algorithm == "sweep"
    one = [ps.equity(hand, "22+,A9s+", board="Qh7c2d9s3c", method="exact").players[0] for hand in ("KhKd", "AsKs")]
    assert 0 < one[1].equity < one[0].equity < 1
    assert sum(p.equity for p in found.players) == pytest.approx(1)


SAMPLED = {
    "holdem": ["AhKh", "random"], "omaha8": ["AhKhQcJc", "random"], "razz": ["As2s3d", "random"],
    "triple-draw": ["2s3d4h7c", "random"], "badugi": ["As2d3h", "random"], "pineapple": ["AhKhQh", "random"],
    "stud8": ["As2s3d", "random"], "push": ["random", "random"], "murder": ["random", "random"],
}  # fmt: skip


@pytest.mark.parametrize("game", SAMPLED)
def test_sampled(game: str) -> None:
    found = ps.equity(*SAMPLED[game], game=game, method="monte-carlo", deals=40, seed=1)
    assert found.deals == 40
    assert sum(p.equity for p in found.players) == pytest.approx(1)


@pytest.mark.parametrize("ranking", sorted(ps.rankings()))
def test_rankings(ranking: str) -> None:
    order = ps.find_ranking(ranking)
    cards = [51 - 5 * i if order.lowest else 51 - 7 * i for i in range(order.most)]
    strength = ps.evaluate(cards, ranking).strength
    assert 0 <= strength <= order.values
    assert ps.evaluate(cards[::-1], ranking).strength == strength


def test_ranges() -> None:
    assert len(ps.Range("QQ+,AKs,A5s@50", dead="AsKs")) == 18
    assert len(ps.Range("15%")) > 150


@kernel.leaf
def _read(numbers, place):  # type: ignore[no-untyped-def]
    return numbers[place]


@kernel.kernel
def _read_many(numbers, place):  # type: ignore[no-untyped-def]
    return _read(numbers, place) + numbers[place]


def test_indexes_are_checked_where_that_is_asked_for() -> None:
    # Without this the run with checks could check nothing and pass.
    numbers = np.arange(8)
    assert _read_many(numbers, 3) == 6
    if kernel.config.DISABLE_JIT or kernel.config.BOUNDSCHECK:
        with pytest.raises(IndexError):
            _read_many(numbers, 8)
    # The folder of kept code is another one for other checks, and none where nothing is compiled.
    assert bool(kernel.CACHE) != bool(kernel.config.DISABLE_JIT)
    if kernel.CACHE:
        assert kernel.CACHE.endswith(kernel.sources_digest())

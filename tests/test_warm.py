"""`potshare warm` compiles what questions need, so that none compiles anything afterwards."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import potshare as ps
from potshare.simulate import warm

AFTERWARDS = r"""
import io
from potshare.kernel import KERNELS
from potshare.simulate.warm import warm_all

said = []
number = warm_all(said.append)
ready = {k: set(k.signatures) for k in KERNELS}
assert number == sum(bool(s) for s in ready.values()), number
assert len(said) > 100

import potshare as ps
from potshare.simulate.drawing.search import best_discards
from potshare.simulate.scoring.run import EXAMPLE, score
from potshare.simulate.views.categories import categories
from potshare.simulate.views.grid import grid
from potshare.simulate.views.runouts import runouts, streets

sampled = dict(method="monte-carlo", deals=500, seed=1)
for hands, options in (
    (("AcAs", "KhKd"), {}), (("AA", "QQ", "AKo"), {}), (("22+", "A2s+"), {}), (("AhKh", "random"), {"board": "QhJh2c"}),
    (("AA", "KK", "QQ"), {"board": "QhJh2c"}), (("AsAh2c3d", "KsKhQdJc"), {"game": "omaha8", "board": "7d4c3h"}),
    (("AsAh", "KsKh"), {"game": "short-deck"}), (("As2s3d4c8h9h", "2h3h5d6cTcKs"), {"game": "razz"}),
    (("9s8d6h4c3s/", "2c3d4h7s/Kd"), {"game": "deuce-to-seven"}), (("AsKs", "QQ", "random"), sampled),
    (("As2s3d", "random"), {"game": "stud8"} | sampled), (("2s3d4h7c", "random"), {"game": "badacey"} | sampled),
    (("random", "random"), {"game": "badugi", "policy": "best"} | sampled),
    (("AhAd", "KsKc"), {"game": "double-board-holdem"}), (("AhAd", "KsKc"), {"game": "holdem:2"}),
    (("random", "random"), {"game": "murder"} | sampled), (("AA", "random"), {"game": "omaha5"} | sampled),
):
    ps.equity(*hands, **options)
for name in ps.rankings():
    ranking = ps.rankings()[name]
    cards = list(range(51, 51 - ranking.most, -1))
    ps.evaluate(cards, name)
ps.Range("15%"), ps.Range("AA:xxyy", "omaha")
categories(["AhKh", "QQ"], board="Kd7c2c")
grid(["QQ+"], board="Kd7c2c9h")
runouts(["AhKh", "QsQd"], 1, board="Qh7c2d")
streets(["AhKh", "QsQd"], board="Qh7c2d")
best_discards("9s8d6h4c3s", "deuce-to-seven", "", ("2c3d4h7s/Kd",))
score(["-"], None, form="csv", stdin=io.BytesIO(EXAMPLE), stdout=io.BytesIO())
late = sorted(f"{k.__module__}.{k.__name__}{s}" for k in KERNELS for s in set(k.signatures) - ready.get(k, set()))
assert not late, late
print("nothing more to compile")
"""


def test_nothing_is_compiled_afterwards() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", AFTERWARDS], capture_output=True, text=True, cwd="/", timeout=900
    )
    assert done.stdout == "nothing more to compile\n", done.stderr


def test_every_ranking_and_game_is_in_it() -> None:
    tasks = [*warm._rankings(), *warm._games(), *warm._pictures(), *warm._scoring()]
    names = [name for name, _ in tasks]
    for game in ps.games():
        assert f"{game}, sampled" in names
    for ranking in ps.rankings().values():
        for size in range(ranking.fewest, ranking.most + 1):
            assert names.count(f"{ranking.name}, {size} cards") == 2  # few hands and many
    assert all(callable(task) for _, task in tasks)


def test_each_is_told_and_done_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[Any] = []
    for part in ("_rankings", "_games", "_pictures", "_scoring"):
        monkeypatch.setattr(warm, part, lambda part=part: [(part, lambda: log.append("done"))])
    known = sum(bool(k.signatures) for k in warm.kernel.KERNELS)
    assert warm.warm_all(log.append) == known
    assert log == ["_rankings", "done", "_games", "done", "_pictures", "done", "_scoring", "done"]

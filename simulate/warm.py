"""Compiling everything in advance: a small question for every kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from potshare import kernel
from potshare.evaluator.arrays import BATCH, strengths
from potshare.evaluator.rankings import find_ranking, rankings
from potshare.simulate.equity import equity
from potshare.simulate.exact.completions import strengths_with
from potshare.simulate.ranges import Range
from potshare.simulate.variants import games

Task = tuple[str, Callable[[], object]]


def _rankings() -> Iterator[Task]:
    deck = np.arange(51, -1, -1, dtype=np.uint8)
    for ranking in rankings().values():
        for size in range(ranking.fewest, ranking.most + 1):
            hand = deck[None, :size].copy()
            for hands in (1, BATCH):
                many = np.repeat(hand, hands, axis=0)
                yield f"{ranking.name}, {size} cards", lambda many=many, name=ranking.name: strengths(many, name)  # type: ignore[misc]
    for size in (4, 5, 6):
        for hands in (1, BATCH):
            holes = np.repeat(deck[None, :size], hands, axis=0)
            boards = np.repeat(deck[None, size : size + 5], hands, axis=0)
            for name in ("high", "eight-or-better"):
                yield (
                    f"two plus three, {name}, {size} cards",
                    lambda h=holes, b=boards, n=name: strengths(h, n, b, selection="two plus three"),  # type: ignore[misc]
                )


def _games() -> Iterator[Task]:
    for name in games():
        yield (
            f"{name}, sampled",
            lambda name=name: equity("random", "random", game=name, method="monte-carlo", deals=64, seed=1),  # type: ignore[misc]
        )
    for name in ("holdem", "holdem8", "short-deck", "omaha", "omaha8", "omaha5", "omaha6", "big-o"):
        yield (
            f"{name}, sampled ranges",
            lambda name=name: equity("AA,KK@50", "random", game=name, method="monte-carlo", deals=64, seed=1),  # type: ignore[misc]
        )
    for name in ("high", "ace-to-five", "deuce-to-seven", "badugi", "high:2", "ace-to-five:2"):
        cards = np.arange(4 if name == "badugi" else 5, dtype=np.uint8)[None, :].copy()
        yield (
            f"{name}, cards to come",
            lambda name=name, cards=cards: strengths_with(find_ranking(name), (), cards),  # type: ignore[misc]
        )
    for name in ("murder", "push"):
        yield (
            f"{name}, sampled, best choices",
            lambda name=name: equity(  # type: ignore[misc]
                "random", "random", game=name, policy="best", method="monte-carlo", deals=64, seed=1
            ),
        )
    yield "a crowd, sampled", lambda: equity(*["random"] * 20, method="monte-carlo", deals=64, seed=1)
    for game, hands, board in (
        ("holdem", ("AhAd", "KsKc"), "2h7h9d"),
        ("holdem", ("AhAd", "KsKc", "QQ"), "2h7h9d"),
        ("holdem", ("22+", "A2s+,K9o"), ""),
        ("holdem", ("22+", "random"), "AhKd2c"),
        ("holdem", ("AhAd", "random"), "Kd7c2c"),
        ("holdem", ("22+", "AK", "random"), "Kd7c2c"),
        ("omaha8", ("AhAd2c3c", "KsKcQhJh"), ""),
        ("omaha8", ("AhAd2c3c", "KsKcQhJh", "8s7s6d5d"), "2h7h9d"),
        ("omaha", ("AA$ds", "KK"), "Kd7c2c9h"),
        ("stud", ("AhAdKs9c2d", "QhQd8s7c6d"), ""),
        ("stud8", ("AhAdKs9c2d", "QhQd8s7c6d"), ""),
        ("razz", ("Ah2d3s9c", "4h5d8s7c"), ""),
        ("draw", ("AhAd/Ks9c2d", "QhQd8s7c/6d"), ""),
        ("deuce-to-seven", ("9s8d6h4c3s/", "2c3d4h7s/Kd"), ""),
        ("double-board-holdem", ("AhAd", "KsKc"), "2h7h9d/4s6c5d"),
        ("double-board-omaha", ("AhAd2c3c", "KsKcQhJh"), "2h7h9d/4s6c5d"),
    ):
        yield f"{game}, counted", lambda g=game, h=hands, b=board: equity(*h, game=g, board=b, method="exact")  # type: ignore[misc]
    yield "ranges", lambda: len(Range("AA:xxyy,[A-J][T-8]", "omaha"))
    yield "ranges of six cards, foreseen", lambda: Range("AA", "omaha6").about()
    yield "a hand in a range", lambda: Range("AA", "omaha").contains("AsAhKsKh")


def _pictures() -> Iterator[Task]:
    from potshare.simulate.views.categories import categories
    from potshare.simulate.views.grid import grid

    yield "categories, counted", lambda: categories(["AhKh"], board="Kd7c2c")
    yield "categories, sampled", lambda: categories(["AhKh"], method="monte-carlo", deals=64, seed=1)
    yield "grid", lambda: grid(["QQ+"], board="Kd7c2c9h")


def _scoring() -> Iterator[Task]:
    from potshare.simulate.scoring.batch import Wanted, score_columns
    from potshare.simulate.scoring.files import Block
    from potshare.simulate.variants import find_variant

    for game, row in (
        ("holdem", {"hands": "AhAd,KhKd", "board": "2c3c4d5d9s", "contributions": "2,2", "folded": "2"}),
        ("stud8", {"hands": "AhAdKs9c2d3d4d,QhQd8s7c6d5d4s", "pot": "4"}),
    ):
        block = Block(1, records=[row])
        yield (
            f"scoring, {game}",
            lambda b=block, g=game: score_columns(b.columns(), find_variant(g), Wanted()),  # type: ignore[misc]
        )


def warm_all(report: Callable[[str], object]) -> int:
    """Compiles every kernel that questions use; `report` is told what comes next. Returns how many are compiled."""
    for what, task in (*_rankings(), *_games(), *_pictures(), *_scoring()):
        report(what)
        task()
    return sum(bool(k.signatures) for k in kernel.KERNELS)

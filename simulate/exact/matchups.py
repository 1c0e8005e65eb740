"""Two hold'em ranges before the flop, from a table of every match-up.

A first hand is one of 169 up to suits. The change of suits that turns it into its class's representative turns
the second hand into another hand, so a table of 169 x 1,326 entries holds the result of every match-up: how
many of the 1,712,304 boards the first hand wins, and how many are ties. `build` counts each match-up that is
different up to suits once (93,769 of them, by `class_count`), in about ten seconds on two cores. Ranges are then
a weighted sum. The table knows no dead cards: with any, boards are missing and it does not apply. It takes 1.8 MB of
memory, and 300 KB more for a sum.

`python -m potshare.simulate.exact.matchups` rebuilds the data; `--check` compares them with what it builds.
"""

from __future__ import annotations

import io
import itertools
import json
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.errors import TableError
from potshare.tables import digest

FOLDER = Path(__file__).resolve().parent / "data"
NAME = "matchups.npy.zlib"
BOARDS = 1_712_304
"""Boards that can follow two hands."""


class Suits(NamedTuple):
    """Hands by number `x * (x - 1) // 2 + y` for cards x > y, and how suits move them.

    `kind` (1326,) int64: the class of a hand; `change` (1326,) int64: which exchange of suits turns it into its
    class's representative; `moved` (24, 1326) int64: the hand that each exchange makes of a hand.
    """

    kind: NDArray[np.int64]
    change: NDArray[np.int64]
    moved: NDArray[np.int64]


@cache
def hands() -> NDArray[np.uint8]:
    """(1326, 2) uint8: every hand by number, the higher card first."""
    return np.array([(x, y) for x in range(52) for y in range(x)], np.uint8)


def hand_numbers(combos: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The numbers of hands, (n,) int64."""
    x = combos.max(axis=1).astype(np.int64)
    y = combos.min(axis=1).astype(np.int64)
    numbers: NDArray[np.int64] = x * (x - 1) // 2 + y
    return numbers


@cache
def suits() -> Suits:
    """How exchanges of suits move hands."""
    every = hands()
    rank, suit = every >> 2, every & 3
    exchanges = np.array(list(itertools.permutations(range(4))), np.uint8)
    moved = np.stack([hand_numbers((rank << 2) | exchange[suit]) for exchange in exchanges])
    # The representative is the least of the hands that the exchanges make.
    change = moved.argmin(axis=0)
    least = moved[change, np.arange(len(every))]
    _, kind = np.unique(least, return_inverse=True)
    return Suits(kind.astype(np.int64), change.astype(np.int64), moved)


@cache
def results() -> NDArray[np.uint32]:
    """(2, 169, 1326) uint32: boards that the first hand wins, and ties. Raises `TableError` for damaged data."""
    try:
        raw = (FOLDER / NAME).read_bytes()
        known = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["files"][NAME]
    except (OSError, ValueError, KeyError) as error:
        raise TableError(f"the table of match-ups in {FOLDER} cannot be read ({error}); reinstall potshare") from error
    if digest(raw) != known:
        raise TableError(
            f"the table {FOLDER / NAME} is damaged: its checksum is not the recorded one; reinstall potshare"
        )
    loaded = np.load(io.BytesIO(zlib.decompress(raw)), allow_pickle=False)
    return np.ascontiguousarray(loaded.astype(np.uint32))


def versus(one: NDArray[np.uint8], two: NDArray[np.uint8], weights: NDArray[Any]) -> NDArray[Any]:
    """What each hand of `one` makes against the weighted hands of `two`.

    Hands are (n, 2) uint8. Returns (n, 4) in the dtype of `weights`, int64 or float64: weighted boards won and
    tied, the weight of the compatible hands, and their number.
    """
    out = np.zeros((len(one), 4), weights.dtype)
    from potshare.simulate.exact.matchup_sums import sum_matchups

    first, second = hand_numbers(one), hand_numbers(two)
    kind = weights.dtype
    sum_matchups(
        first, np.argsort(suits().kind[first], kind="stable"), second, weights, *suits(), hands(), results(),
        np.zeros((2, 1326), kind), np.zeros((24, 1326), kind), np.empty(24, np.int64), np.empty(24, np.int64),
        np.empty((2, 24), kind), np.zeros((2, 53), kind), out,
    )  # fmt: skip
    return out


def pair(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, int]:
    """The boards that hand `one` wins against hand `two`, and ties: two look-ups and no compiled code."""
    every = suits()
    a, b = (max(hand) * (max(hand) - 1) // 2 + min(hand) for hand in (one, two))
    kind, turned = every.kind[a], every.moved[every.change[a], b]
    table = results()
    return int(table[0, kind, turned]), int(table[1, kind, turned])


def build() -> NDArray[np.uint32]:
    """(2, 169, 1326) uint32: the table, counted anew."""
    from potshare.simulate.evaluators import evaluators
    from potshare.simulate.exact.class_count import count
    from potshare.simulate.variants import find_variant
    from potshare.simulate.work import in_order, thread_count

    tables = evaluators(find_variant("holdem"))
    every, moves = hands(), suits()
    table = np.zeros((2, 169, len(every)), np.uint32)
    least = moves.moved.min(axis=0)
    representatives = np.unique(least)
    board = np.zeros(0, np.uint8)

    def fill(k: int) -> None:
        # One representative against every hand, counted once for hands that the suits left free make alike.
        own = representatives[k]
        mine = every[own]
        free = np.array([not set(map(int, h)) & set(map(int, mine)) for h in every])
        fixing = [row for row in moves.moved if row[own] == own]
        like = np.min(np.stack(fixing), axis=0)
        numbers = np.flatnonzero(free)
        chosen, back = np.unique(like[numbers], return_inverse=True)
        holes = np.stack([np.broadcast_to(mine, (len(chosen), 2)), every[chosen]], axis=1)
        tally = count(np.ascontiguousarray(holes), board, tuple(range(52)), tables)
        table[0, k, numbers] = tally[back, 0, 1, 3]
        table[1, k, numbers] = tally[back, 0, 2, 3]

    for _ in in_order(fill, range(169), thread_count(None)):
        pass
    return table


def main(arguments: list[str]) -> int:
    """Rebuilds the data, or with `--check` compares them; returns the exit status."""
    table = build()
    if arguments == ["--check"]:
        same = np.array_equal(table, results())
        print("the table of match-ups is as committed" if same else "the table of match-ups is NOT as committed")
        return 0 if same else 1
    buffer = io.BytesIO()
    np.save(buffer, table)
    raw = zlib.compress(buffer.getvalue(), 9)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / NAME).write_bytes(raw)
    (FOLDER / "manifest.json").write_text(json.dumps({"format": 1, "files": {NAME: digest(raw)}}, indent=1) + "\n")
    print(f"{len(raw):,} bytes written to {FOLDER / NAME}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

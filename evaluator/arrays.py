"""Batches: strengths and categories of arrays of hands, checked once at the edge, threaded, GIL released."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.hand import START, card_mask, hand_value
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel, leaf
from potshare.tables import rank_tables

SERIAL = 100_000
"""Below this many hands threads cost more than they bring."""

_SLICE = 1 << 20


@kernel
def _first_bad(cards, limit):  # type: ignore[no-untyped-def]
    # The flat index of the first number that is no card, or -1.
    flat = cards.ravel()
    for i in range(flat.size):
        if flat[i] >= limit:
            return i
    return -1


@kernel
def _first_twice(cards):  # type: ignore[no-untyped-def]
    # The first row that holds a card twice, or -1.
    for i in range(cards.shape[0]):
        seen = np.uint64(0)
        for j in range(cards.shape[1]):
            bit = np.uint64(1) << np.uint64(cards[i, j])
            if seen & bit:
                return i
            seen |= bit
    return -1


@leaf
def sum_hand(cards, row, key):  # type: ignore[no-untyped-def]
    """The sum and the mask of one row of cards."""
    total = START
    mask = np.uint64(0)
    for j in range(cards.shape[1]):
        total += key[cards[row, j]]
        mask |= card_mask(cards[row, j])
    return total, mask


@kernel
def _rank_strengths(cards, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
    for i in range(cards.shape[0]):
        total, mask = sum_hand(cards, i, key)
        out[i] = hand_value(total, mask, offset, value, flush)


def check_cards(cards: Any, limit: int = 52, what: str = "cards") -> NDArray[np.uint8]:
    """`cards` as a C-contiguous (n, k) uint8 array of known cards. Raises `PotshareError`."""
    array = np.asarray(cards)
    if array.dtype != np.uint8:
        if array.dtype.kind not in "iu":
            raise PotshareError(f"{what} must be an array of integers (uint8), not {array.dtype}")
        if array.size and (int(array.min()) < 0 or int(array.max()) >= limit):
            wrong = int(array.min()) if int(array.min()) < 0 else int(array.max())
            raise PotshareError(f"{what} hold {wrong}, which is not a card: cards are 0..{limit - 1}")
        array = array.astype(np.uint8)
    if array.ndim != 2:
        raise PotshareError(f"{what} must have two dimensions, a hand a row, not shape {array.shape}")
    array = np.ascontiguousarray(array)
    if not array.flags.writeable:
        array = array.copy()
    bad = _first_bad(array, limit)
    if bad >= 0:
        row, column = divmod(int(bad), array.shape[1])
        raise PotshareError(
            f"{what} row {row} column {column} holds {array[row, column]}, which is not a card: cards are 0..{limit - 1}"
        )
    return array


def available_threads() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def in_slices(run: Callable[[slice], None], n: int, threads: int | None) -> None:
    """Calls `run` for consecutive slices of `n` rows, over `threads` threads when there is enough to do."""
    wanted = available_threads() if threads is None else threads
    if wanted < 1:
        raise PotshareError(f"threads must be at least 1, not {threads}")
    slices = [slice(start, min(n, start + _SLICE)) for start in range(0, n, _SLICE)]
    if wanted == 1 or n < SERIAL:
        for piece in slices:
            run(piece)
        return
    if len(slices) < wanted:
        step = -(-n // wanted)
        slices = [slice(start, min(n, start + step)) for start in range(0, n, step)]
    with ThreadPoolExecutor(wanted) as pool:
        list(pool.map(run, slices))


def strengths(
    cards: Any, ranking: str | Ranking = "high", *, threads: int | None = 1, duplicates: bool = False
) -> NDArray[np.uint16]:
    """The strength of each row of cards.

    `cards` is (n, k) uint8, k from the ranking's fewest to its most cards; of more than five the best five count.
    Returns (n,) uint16: larger wins, equal ties. Hands of fewer than five cards are on the scale of the
    ranking's partial order (`high-partial`), comparable among themselves. `threads` is a number, or None for all
    cores; `duplicates=True` also looks for rows that hold a card twice. Raises `PotshareError` for wrong shapes,
    types and card numbers.
    """
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    array = check_cards(cards)
    n, k = array.shape
    if chosen.partial and k < chosen.fewest:
        chosen = find_ranking(chosen.partial)
    if not chosen.fewest <= k <= chosen.most:
        raise PotshareError(f"{chosen.name} ranks {chosen.fewest} to {chosen.most} cards, not {k}")
    if duplicates:
        row = int(_first_twice(array))
        if row >= 0:
            raise PotshareError(f"cards row {row} holds a card twice: {array[row].tolist()}")
    out = np.empty(n, np.uint16)
    tables = rank_tables(chosen.name)

    def run(piece: slice) -> None:
        _rank_strengths(array[piece], *tables, out[piece])

    in_slices(run, n, threads)
    return out


def categories(strengths: Any, ranking: str | Ranking = "high") -> NDArray[np.uint8]:
    """The category of each strength: (n,) uint8, an index into the ranking's `categories`; 255 for no hand."""
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    array = np.asarray(strengths)
    if array.dtype.kind not in "iu":
        raise PotshareError(f"strengths must be integers, not {array.dtype}")
    if array.size and (int(array.min()) < 0 or int(array.max()) > chosen.values):
        raise PotshareError(f"strengths of {chosen.name} are 0..{chosen.values}")
    return (np.searchsorted(np.array(chosen.starts), array, side="right") - 1).astype(np.uint8)

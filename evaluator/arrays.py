"""Batches: strengths and categories of arrays of hands, checked once at the edge, threaded, GIL released."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError, whole_number
from potshare.evaluator import omaha
from potshare.evaluator.cards import card_name
from potshare.evaluator.hand import FLUSHES, RANKS, card_mask, strength_of
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel, leaf
from potshare.tables.two_plus_three import low_tables

SERIAL = 100_000
"""Below this many hands threads cost more than they bring."""

BATCH = 2_000
"""Below this many hands the vectorised form is not worth loading."""

_SLICE = 1 << 20


@kernel
def _first_twice(cards, boards, step):  # type: ignore[no-untyped-def]
    # The first row that holds a card twice, in the hand and its board together, or -1.
    for i in range(cards.shape[0]):
        seen = np.uint64(0)
        for j in range(cards.shape[1] + boards.shape[1]):
            card = cards[i, j] if j < cards.shape[1] else boards[i * step, j - cards.shape[1]]
            bit = np.uint64(1) << np.uint64(card)
            if seen & bit:
                return i
            seen |= bit
    return -1


@leaf
def add_cards(total, mask, cards, row, size, key):  # type: ignore[no-untyped-def]
    """The sum and the mask of a hand with `size` cards of a row added."""
    for j in range(size):
        total += key[cards[row, j]]
        mask |= card_mask(cards[row, j])
    return total, mask


@cache
def _best(kind: int, size: int) -> Any:
    # The kernel of a kind of ranking and a number of cards: the other kinds are pruned (one kernel for all would
    # not inline them), and the loop over the cards is unrolled (twice the speed).
    @kernel
    def best(cards, boards, step, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
        # Every card counts; board i * step belongs to hand i and may have no cards.
        for i in range(cards.shape[0]):
            total, mask = add_cards(key[63], np.uint64(0), boards, i * step, boards.shape[1], key)
            total, mask = add_cards(total, mask, cards, i, size, key)
            out[i] = strength_of(kind, total, mask, key, offset, value, flush)

    return best


def _foreign(number: int, ranking: Ranking | None) -> str:
    # What is wrong with a number that is no card of the ranking's deck, up to the numbers that are.
    if 0 <= number < 52 and ranking is not None:
        return f"{number} ({card_name(number)}), which is not in the deck of {ranking.name}; its cards are"
    if number in (52, 53):
        return f"{number}, which is a joker that is not in this deck, whose cards are"
    return f"{number}, which is not a card; cards are"


def check_cards(cards: Any, ranking: Ranking | None = None, what: str = "cards") -> NDArray[np.uint8]:
    """`cards` as a C-contiguous, writable (n, k) uint8 array of cards that a ranking knows.

    Without a ranking: of the 52 cards. Raises `PotshareError`.
    """
    lowest = 0 if ranking is None else ranking.lowest
    limit = 52 if ranking is None else 52 + ranking.wilds.jokers
    array = np.asarray(cards)
    if array.dtype.kind not in "iu":
        raise PotshareError(f"{what} must be an array of integers (uint8), not {array.dtype}")
    if array.ndim != 2:
        raise PotshareError(f"{what} must have two dimensions, a hand a row, not shape {array.shape}")
    unsigned = array.dtype == np.uint8 and lowest == 0
    if array.size and (int(array.max()) >= limit or (not unsigned and int(array.min()) < lowest)):
        bad = int(np.flatnonzero((array < lowest) | (array >= limit))[0])
        row, column = divmod(bad, array.shape[1])
        number = int(array[row, column])
        raise PotshareError(f"{what} row {row} column {column} holds {_foreign(number, ranking)} {lowest}..{limit - 1}")
    array = np.ascontiguousarray(array, np.uint8)
    # Read-only arrays are another type to Numba, and would compile every kernel once more.
    return array if array.flags.writeable else array.copy()


def available_threads() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def in_slices(run: Callable[[slice], None], n: int, threads: int | None) -> None:
    """Calls `run` for consecutive slices of `n` rows, over `threads` threads when there is enough to do."""
    wanted = available_threads() if threads is None else whole_number("threads", threads)
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


SELECTIONS = ("best five", "two plus three")


def find_selection(name: str | None) -> str:
    """A selection by its name, with spaces or hyphens; None is the best five of all cards."""
    if name is None:
        return SELECTIONS[0]
    if not isinstance(name, str):
        raise PotshareError(f"a selection is named by text, such as 'two plus three', not by {name!r}")
    wanted = name.strip().lower().replace("-", " ").replace("_", " ")
    if wanted not in SELECTIONS:
        raise PotshareError(f"there is no selection '{name}'; selections are {' and '.join(SELECTIONS)}")
    return wanted


def _boards_for(boards: Any, hands: int, ranking: Ranking) -> NDArray[np.uint8]:
    # (m, b) cards with m = hands, or 1 for a board that all hands share; no cards where there is no board.
    if boards is None:
        return np.zeros((1, 0), np.uint8)
    array = np.asarray(boards)
    if array.ndim == 1:
        array = array[None, :]
    array = check_cards(array, ranking, "boards")
    if array.shape[0] not in (1, hands):
        raise PotshareError(f"boards have {array.shape[0]} rows for {hands} hands: give one for each, or one for all")
    return array


def strengths(
    cards: Any,
    ranking: str | Ranking = "high",
    boards: Any = None,
    *,
    selection: str | None = None,
    threads: int | None = 1,
    duplicates: bool = False,
) -> NDArray[np.uint16]:
    """The strength of each row of cards, with a board where one is given.

    `cards` is (n, k) uint8 and `boards` (n, b), or (1, b) or (b,) for a board that all hands share. Selection `best
    five` (the default): the best of the k + b cards count, as many as the ranking ranks. `two plus three`: exactly
    two of 2 to 6 hole cards with exactly three of 3 to 5 board cards (Omaha). Returns (n,) uint16: larger wins,
    equal ties, 0 for no hand (no qualifying low). Hands of too few cards are on the scale of the ranking's partial
    order (`high-partial`), comparable among themselves. `threads` is a number, or None for all cores;
    `duplicates=True` also looks for rows that hold a card twice. Raises `PotshareError` for wrong shapes, types and
    card numbers.
    """
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    selected = find_selection(selection)
    array = check_cards(cards, chosen)
    n, k = array.shape
    board = _boards_for(boards, n, chosen)
    b = board.shape[1]
    if selected == SELECTIONS[1]:
        if not chosen.selectable:
            raise PotshareError(f"{chosen.name} does not rank hands of two plus three cards")
        if not (2 <= k <= 6 and 3 <= b <= 5):
            raise PotshareError(f"two plus three takes 2 to 6 hole cards and a board of 3 to 5, not {k} and {b}")
    else:
        chosen = for_size(chosen, k + b)
    if duplicates:
        row = int(_first_twice(array, board, _step(board)))
        if row >= 0:
            held = [*array[row].tolist(), *board[row * _step(board)].tolist()]
            raise PotshareError(f"cards row {row} holds a card twice: {held}")
    out = np.empty(n, np.uint16)
    if n:
        in_slices(_runner(chosen, selected, array, board, out), n, threads)
    return out


def for_size(ranking: Ranking, size: int) -> Ranking:
    """The ranking, or its partial order where `size` cards are too few. Raises `PotshareError`."""
    if ranking.partial and size < ranking.fewest:
        ranking = find_ranking(ranking.partial)
    if not ranking.fewest <= size <= ranking.most:
        span = f"{ranking.fewest} to {ranking.most}" if ranking.fewest < ranking.most else f"exactly {ranking.most}"
        raise PotshareError(f"{ranking.name} ranks {span} cards, not {size}")
    return ranking


def _step(boards: NDArray[np.uint8]) -> int:
    return 0 if boards.shape[0] == 1 else 1


def _vectors(hands: int) -> Callable[[NDArray[np.uint8], str, NDArray[np.uint16]], bool] | None:
    # The vectorised form for many hands. It is imported late: most questions never come here.
    if hands < BATCH:
        return None
    from potshare.evaluator.lanes import strengths_batch

    return strengths_batch


def _vectors_with_boards(hands: int) -> Callable[..., bool]:
    # The same for two plus three; imported late as well.
    if hands < BATCH:
        return lambda *_: False
    from potshare.evaluator.omaha_lanes import two_plus_three_batch

    return two_plus_three_batch


def _runner(
    ranking: Ranking, selection: str, cards: NDArray[np.uint8], boards: NDArray[np.uint8], out: NDArray[np.uint16]
) -> Callable[[slice], None]:
    step = _step(boards)

    def board_of(piece: slice) -> NDArray[np.uint8]:
        return boards[piece] if step else boards

    if selection == SELECTIONS[0]:
        best, all_tables = _best(ranking.kind, cards.shape[1]), ranking.tables
        vectors = _vectors(cards.shape[0]) if boards.shape[1] == 0 else None

        def run(piece: slice) -> None:
            if vectors is None or not vectors(cards[piece], ranking.name, out[piece]):
                best(cards[piece], board_of(piece), step, *all_tables, out[piece])

    elif ranking.name == "eight-or-better":
        split = low_tables().split
        with_boards = _vectors_with_boards(cards.shape[0])

        def run(piece: slice) -> None:
            if not with_boards(cards[piece], board_of(piece), ranking.name, out[piece]):
                omaha.two_plus_three_low(cards[piece], board_of(piece), step, split, out[piece])

    elif ranking.kind in (RANKS, FLUSHES):
        pairs, tables = omaha.two_plus_three(cards.shape[1]), ranking.two_plus_three
        with_boards = _vectors_with_boards(cards.shape[0])

        def run(piece: slice) -> None:
            if not with_boards(cards[piece], board_of(piece), ranking.name, out[piece]):
                pairs(cards[piece], board_of(piece), step, *tables, out[piece])

    else:
        any_tables = ranking.tables

        def run(piece: slice) -> None:
            omaha.two_plus_three_any(ranking.kind, cards[piece], board_of(piece), step, *any_tables, out[piece])

    return run


def categories(strengths: Any, ranking: str | Ranking = "high") -> NDArray[np.uint8]:
    """The category of each strength: (n,) uint8, an index into the ranking's `categories`; 255 for no hand."""
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    array = np.asarray(strengths)
    if array.dtype.kind not in "iu":
        raise PotshareError(f"strengths must be integers, not {array.dtype}")
    if array.size and (int(array.min()) < 0 or int(array.max()) > chosen.values):
        raise PotshareError(f"strengths of {chosen.name} are 0..{chosen.values}")
    found: NDArray[np.uint8] = chosen.category_codes[array]
    return found

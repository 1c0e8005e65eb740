"""The additive perfect hash of rank multisets.

Give each rank a multiplier so that the sum over any hand of at most seven cards, at most four of a rank, is
different for different rank multisets, whatever their size. The sum is then a key that grows card by card:
adding a card adds a number, removing one subtracts it, and two partial hands merge by adding.

* `multipliers()` finds the smallest such numbers greedily: rank by rank, the first number that makes no two
  sums equal. There are 76,155 sums, the largest 18,393,157.
* `displace()` packs those sparse keys into a dense array. A key's low 13 bits name its row, the rest its
  column; each row is slid to the first position where its entries meet only holes, fullest rows first (row
  displacement: Tarjan and Yao, "Storing a sparse table", CACM 22 (11), 1979). A look-up is then
  `values[(key >> 13) + offset[key & 8191]]`: two loads, no comparison, since only keys of real hands are
  looked up. Rows by the low bits, because the small multipliers crowd the keys into a few high rows: by high
  bits the same keys need 244,304 entries, by low bits 85,245 for 76,155 keys.

The rank multisets, the multipliers and the offsets serve every ranking that depends on rank multisets; a
ranking adds only its own `values`. The search is compiled: in plain Python it took minutes.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from potshare.kernel import kernel

MAX_CARDS = 7
ROW_BITS = 13
ROW_MASK = (1 << ROW_BITS) - 1
_KEY_LIMIT = 1 << 25


@kernel
def _search_multipliers(max_cards, used, sums, sizes, found):  # type: ignore[no-untyped-def]
    # sums[:n] are the keys of all multisets over the ranks so far, sizes[:n] their numbers of cards.
    n = 1
    used[0] = 1
    last = 0
    for rank in range(13):
        candidate = last + 1
        while True:
            free = True
            m = n
            for copies in range(1, 5):
                for i in range(n):
                    if sizes[i] + copies > max_cards:
                        continue
                    total = sums[i] + copies * candidate
                    if total >= used.shape[0]:
                        return -1
                    if used[total]:
                        free = False
                        break
                    used[total] = 1
                    sums[m] = total
                    sizes[m] = sizes[i] + copies
                    m += 1
                if not free:
                    break
            if free:
                n = m
                found[rank] = candidate
                last = candidate
                break
            for i in range(n, m):
                used[sums[i]] = 0
            candidate += 1
    return n


def multipliers() -> NDArray[np.int64]:
    """(13,) int64: the multiplier of each rank, found greedily."""
    found = np.zeros(13, np.int64)
    room = 1 + sum(len(multisets(n)) for n in range(1, MAX_CARDS + 1))
    used = np.zeros(_KEY_LIMIT, np.uint8)
    n = _search_multipliers(MAX_CARDS, used, np.zeros(room, np.int64), np.zeros(room, np.int64), found)
    if n != room:
        raise AssertionError("the search for rank multipliers left its bounds")
    return found


def hands(size: int) -> NDArray[np.int64]:
    """(n, size) int64: the ranks of every multiset of `size` cards, at most four a rank, ascending."""
    every = list(itertools.combinations_with_replacement(range(13), size))
    found = np.array(every, np.int64).reshape(len(every), size)
    for i in range(size - 4):
        found = found[found[:, i] != found[:, i + 4]]
    return found


def multisets(size: int) -> NDArray[np.int8]:
    """(n, 13) int8: for each multiset of `size` cards, at most four a rank, how many of each rank."""
    ranks = hands(size)
    counts = np.zeros((len(ranks), 13), np.int8)
    for column in ranks.T:
        counts[np.arange(len(ranks)), column] += 1
    return counts


@kernel
def _displace(order, starts, columns, used, shift):  # type: ignore[no-untyped-def]
    top = 0
    first_hole = 0
    for row in order:
        begin = starts[row]
        end = starts[row + 1]
        if begin == end:
            continue
        while used[first_hole]:
            first_hole += 1
        at = first_hole - columns[begin]
        while True:
            free = True
            for i in range(begin, end):
                place = at + columns[i]
                if place < 0 or used[place]:
                    free = False
                    break
            if free:
                break
            at += 1
        for i in range(begin, end):
            used[at + columns[i]] = 1
            top = max(top, at + columns[i] + 1)
        shift[row] = at
    return top


def displace(keys: NDArray[np.int64]) -> tuple[NDArray[np.int32], int]:
    """Offsets and array length for `keys`: entry `key` lives at `(key >> ROW_BITS) + offset[key & ROW_MASK]`.

    `keys` is (n,) int64, all different. Returns (2 ** ROW_BITS,) int32 and the length of the dense array.
    """
    sequence = np.lexsort((keys >> ROW_BITS, keys & ROW_MASK))
    rows, columns = keys[sequence] & ROW_MASK, keys[sequence] >> ROW_BITS
    starts = np.searchsorted(rows, np.arange(ROW_MASK + 2)).astype(np.int64)
    order = np.argsort(-np.diff(starts), kind="stable").astype(np.int64)
    offset = np.zeros(ROW_MASK + 1, np.int64)
    used = np.zeros(4 * len(keys) + int(columns.max()) + 2, np.uint8)
    length = _displace(order, starts, columns, used, offset)
    return offset.astype(np.int32), int(length)


def places(keys: NDArray[np.int64], offset: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where the values of these keys live in a dense array that was packed with `offset`."""
    found: NDArray[np.int64] = (keys >> ROW_BITS) + offset[keys & ROW_MASK]
    return found

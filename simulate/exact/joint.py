"""Joint holdings of the players' ranges, up to suits.

Two joint holdings that differ only by exchanging suits which look alike on the board and among the dead cards
have the same equities. Going through every compatible choice of one hand a player, this module keeps one
representative of each class with the number and the total weight of its members.

A class is named by sorting, within each set of interchangeable suits, the suits by the ranks that the players
hold in them. That is a canonical form: any exchange of such suits permutes what is sorted.

Memory: at most 64 bytes a class and for each player 8 more and one a card, of the classes asked for or of joint
choices, whichever is less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from potshare.kernel import kernel

_BUDGET = 1 << 21
_WALKS = 64
_BRANCHES = 256
_DOUBT = 4


@dataclass(frozen=True)
class Joint:
    """Classes of joint holdings: `holes` (m, players, cards) uint8, `number` and `weight` of members (m,)."""

    holes: NDArray[np.uint8]
    number: NDArray[np.int64]
    weight: NDArray[np.float64]


@kernel
def _gather(  # type: ignore[no-untyped-def]
    masks, weights, starts, group, slots, rows, number, weight, state, taken, product, order, suits, budget
):  # fmt: skip
    # Walks the tree of compatible choices depth first. `state` holds, between calls, the number of classes, the
    # depth, and the position of each player; at most `budget` choices are looked at in a call. Returns 0 when
    # all choices have been seen, 1 when the budget ran out, 2 when there is no room for another class.
    players = starts.shape[0] - 1
    position = state[2 : 2 + players]
    found = state[0]
    depth = state[1]
    taken[0] = 0
    product[0] = 1.0
    for p in range(depth):
        taken[p + 1] = taken[p] | masks[position[p]]
        product[p + 1] = product[p] * weights[position[p]]
    looked = 0
    size = slots.shape[0]
    while depth >= 0:
        if position[depth] == starts[depth + 1]:
            position[depth] = starts[depth]
            depth -= 1
            if depth >= 0:
                position[depth] += 1
            continue
        if looked >= budget:
            state[0] = found
            state[1] = depth
            return 1
        looked += 1
        at = position[depth]
        if masks[at] & taken[depth]:
            position[depth] += 1
            continue
        if depth + 1 < players:
            taken[depth + 1] = taken[depth] | masks[at]
            product[depth + 1] = product[depth] * weights[at]
            depth += 1
            continue
        for s in range(4):
            order[s] = s
            for p in range(players):
                suits[s, p] = (masks[position[p]] >> np.uint64(16 * s)) & np.uint64(8191)
        for i in range(1, 4):
            j = i
            while j > 0 and group[order[j]] == group[order[j - 1]]:
                less = False
                for p in range(players):
                    x = suits[order[j], p]
                    y = suits[order[j - 1], p]
                    if x != y:
                        less = x < y
                        break
                if not less:
                    break
                order[j], order[j - 1] = order[j - 1], order[j]
                j -= 1
        if found == rows.shape[0]:
            state[0] = found
            state[1] = depth
            return 2
        # The candidate is written to the next free row; it stays there when it is new.
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for p in range(players):
            row = np.uint64(0)
            for i in range(4):
                row |= suits[order[i], p] << np.uint64(16 * i)
            rows[found, p] = row
            mixed = (mixed ^ row) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & np.uint64(size - 1))
        while True:
            known = slots[slot]
            if known < 0:
                slots[slot] = found
                known = found
                found += 1
                break
            same = True
            for p in range(players):
                same = same and rows[known, p] == rows[found, p]
            if same:
                break
            slot = (slot + 1) & (size - 1)
        number[known] += 1
        weight[known] += product[depth] * weights[at]
        position[depth] += 1
    state[0] = found
    state[1] = depth
    return 0


def _suit_groups(fixed: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    # Suits that every fixed set of cards treats alike. Sorting exchanges neighbours only, so suits of a group
    # must stand next to each other: `_suit_order` sees to that.
    masks = [tuple(sum(1 << (c >> 2) for c in cards if c & 3 == s) for cards in fixed) for s in range(4)]
    return np.array([masks.index(m) for m in masks], np.int64)


class TooManyError(Exception):
    """There are more classes than were asked for."""


def combo_masks(combos: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """(n,) uint64: each row of cards as a mask of sixteen bits a suit."""
    # Card by card: all shifts at once would take fifty bytes a hand.
    masks = np.zeros(len(combos), np.uint64)
    for column in combos.T:
        masks |= np.uint64(1) << ((column & 3) * 16 + (column >> 2)).astype(np.uint64)
    return masks


@kernel
def _list_cards(masks, order, holes):  # type: ignore[no-untyped-def]
    # holes (m, players, cards): the cards of each mask, the highest first, with suit order[s] for s.
    for i in range(masks.shape[0]):
        for p in range(masks.shape[1]):
            n = 0
            for rank in range(12, -1, -1):
                for s in range(3, -1, -1):
                    if (masks[i, p] >> np.uint64(16 * s + rank)) & np.uint64(1):
                        holes[i, p, n] = 4 * rank + order[s]
                        n += 1


def least_classes(live: int, cards: int, free: int, held: int) -> int:
    """A number of classes that there are at least when of `live` cards `held` are taken and `free` players can hold
    any `cards` of the others: every way to deal them, over the exchanges of four suits."""
    ways = 1
    for _ in range(free):
        ways *= math.comb(max(0, live - held), cards)
        held += cards
    return ways // 24


def _surely_more(masks: NDArray[np.uint64], starts: NDArray[np.int64], most: int, looks: float) -> bool:
    # Whether there are more than `most` classes, or more than `looks` to look at. Random walks down the tree of
    # compatible choices tell its size: the product of the branches on the way is right on average (Knuth, Math. Comp.
    # 29, 1975, 121-136), so where half of the walks find more than a number, there are at least half as many. A class
    # has 24 members at most. Whatever is left in doubt is walked through.
    limit = _DOUBT * 24.0 * most
    sizes = np.diff(starts)
    if math.prod(sizes.tolist()) <= limit:
        return False
    rng = np.random.default_rng(1)
    taken = np.zeros((_WALKS, 1), np.uint64)
    found = np.ones(_WALKS)
    looked = np.zeros(_WALKS)
    for start, size in zip(starts[:-1], sizes, strict=True):
        branches = masks[start + rng.integers(0, size, (_WALKS, _BRANCHES))]
        free = branches & taken == 0
        looked += found * size
        found *= free.mean(axis=1) * size
        taken |= np.take_along_axis(branches, free.argmax(axis=1)[:, None], axis=1)
    return bool(np.median(found) > limit or np.median(looked) > _DOUBT * looks)


def gather(
    combos: Sequence[NDArray[np.uint8]],
    weights: Sequence[NDArray[np.float64]],
    fixed: tuple[tuple[int, ...], ...],
    most: int,
    looks: float = float("inf"),
) -> Joint:
    """The classes of compatible joint holdings of the players' live combos.

    `combos` and `weights` hold each player's hands; `fixed` the sets of cards that a change of suits must leave
    alone (board by street, dead cards). Raises `TooManyError` for more than `most` classes, or when more than
    `looks` partial choices would have to be looked at.
    """
    group = _suit_groups(fixed)
    # Put interchangeable suits side by side.
    order = np.argsort(group, kind="stable")
    place = np.argsort(order)
    moved = [((c >> 2) << 2 | place[c & 3].astype(np.uint8)).astype(np.uint8) for c in combos]
    masks = np.concatenate([combo_masks(c) for c in moved])
    starts = np.cumsum([0] + [len(c) for c in combos]).astype(np.int64)
    players = len(combos)
    product = 1.0
    for c in combos:
        product *= len(c)
    if _surely_more(masks, starts, most, looks):
        raise TooManyError
    room = int(min(product, most)) + 1
    slots = np.full(1 << max(4, (2 * room).bit_length()), -1, np.int64)
    rows = np.empty((room, players), np.uint64)
    number = np.zeros(room, np.int64)
    weight = np.zeros(room, np.float64)
    state = np.zeros(2 + players, np.int64)
    state[2:] = starts[:-1]
    flat = np.concatenate(weights)
    # Room for the walk: a kernel that allocates drags half of numba in when it is loaded.
    room_for = (
        np.zeros(players + 1, np.uint64), np.zeros(players + 1), np.zeros(4, np.int64),
        np.zeros((4, players), np.uint64),
    )  # fmt: skip
    given = (masks, flat, starts, group[order], slots, rows, number, weight, state, *room_for)
    while (code := _gather(*given, _BUDGET)) == 1:
        looks -= _BUDGET
        if looks < 0:
            raise TooManyError
    found = int(state[0])
    if code == 2 or found > most:
        raise TooManyError
    holes = np.empty((found, players, combos[0].shape[1]), np.uint8)
    _list_cards(rows[:found], order, holes)
    return Joint(holes, number[:found].copy(), weight[:found].copy())

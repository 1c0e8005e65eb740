"""Exact equity of given hands in flop games by counting classes of boards instead of boards.

Flushes apart, what every player makes depends only on the ranks of the board. So the 1,712,304 boards of a
heads-up hold'em match-up fall into at most 6,175 rank multisets, each worth as many boards as the remaining
cards can form it. That count is wrong exactly on boards with three or more cards of one suit in which somebody
holds enough to make a flush; for each such suit the boards are gone through again by (ranks in the suit,
rank multiset of the other cards), the true result is added and the flush-less one taken away. A board of
five cards has three of at most one suit, so no board is corrected twice. Everything is an integer. Which class each
of these is does not depend on the hands and is listed once for each number of cards to come.

The same holds for any number of players and hole cards, for two plus three, for a low half (which never
depends on suits), for short decks, dead cards and started boards; only the cards to come are classes.

Suits that look alike (same cards gone, same holdings of every player) are counted once and multiplied.

Memory: 180 KB for the classes, 120 KB a thread, and the tallies of the holdings that are counted at a time.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.kernel import kernel, leaf
from potshare.simulate.evaluators import TWO_PLUS_THREE, Evaluators, bits, flush_of
from potshare.simulate.outcomes import COUNTED_BITS, spread, spread_all
from potshare.tables import rank_tables

BOARD = 5

_UNIT = 65
"""The slot that multiplies by one."""

_CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.int64)
_RANK_BITS = np.uint64(0xFFFFFFFF)


class Classes(NamedTuple):
    """The rank multisets of a number of cards.

    `slots` (n, 5) uint8: for each different rank of a multiset `5 * rank + count`, padded with 65, so that the
    number of ways is a product of table entries. `keys` (n,) int64 are the rank keys, and `lows` (n,) uint8 the masks
    of ranks that count for an eight-or-better low (bit 0 the ace, bit 7 the eight).

    For boards with cards of one suit apart: the sets of d ranks are `masks[first[d] : first[d + 1]]`, (8192,) uint16
    and (8,) int64. With the at most two cards that are then still to come, of any ranks, each is a class: its index
    is in `together`, uint16, from `starts[d]` on, set by set; the other cards, none, 13 or 91, as in `_rests`.
    """

    slots: NDArray[np.uint8]
    keys: NDArray[np.int64]
    lows: NDArray[np.uint8]
    masks: NDArray[np.uint16]
    first: NDArray[np.int64]
    together: NDArray[np.uint16]
    starts: NDArray[np.int64]


@leaf
def _place(total, offset):  # type: ignore[no-untyped-def]
    return (total >> 13) + offset[total & 8191]


@kernel
def _list_classes(size, key, offset, ranks, slots, keys, lows, place):  # type: ignore[no-untyped-def]
    for j in range(size):
        ranks[j] = 0
    n = 0
    while True:
        valid = True
        for j in range(4, size):
            if ranks[j] == ranks[j - 4]:
                valid = False
        if valid:
            total = np.int64(0)
            low = 0
            used = 0
            j = 0
            while j < size:
                rank = ranks[j]
                count = 0
                while j < size and ranks[j] == rank:
                    total += np.int64(key[4 * rank] & _RANK_BITS)
                    count += 1
                    j += 1
                slots[n, used] = 5 * rank + count
                used += 1
                if rank == 12:
                    low |= 1
                elif rank < 7:
                    low |= 2 << rank
            for k in range(used, slots.shape[1]):
                slots[n, k] = 65
            keys[n] = total
            lows[n] = low
            place[_place(total, offset)] = n
            n += 1
        j = size - 1
        while j >= 0 and ranks[j] == 12:
            j -= 1
        if j < 0:
            return n
        ranks[j] += 1
        for k in range(j + 1, size):
            ranks[k] = ranks[j]


@kernel
def _list_together(size, key, offset, place, masks, first, together, starts):  # type: ignore[no-untyped-def]
    n = 0
    for d in range(size + 1):
        first[d] = n
        for mask in range(8192):
            if bits(mask) == d:
                masks[n] = mask
                n += 1
    first[size + 1] = n
    n = 0
    for d in range(size + 1):
        starts[d] = n
        if size - d > 2:
            continue
        for m in range(first[d], first[d + 1]):
            total = np.int64(0)
            for r in range(13):
                if (masks[m] >> r) & 1:
                    total += np.int64(key[4 * r] & _RANK_BITS)
            if d == size:
                together[n] = place[_place(total, offset)]
                n += 1
                continue
            for a in range(13):
                one = total + np.int64(key[4 * a] & _RANK_BITS)
                if d == size - 1:
                    together[n] = place[_place(one, offset)]
                    n += 1
                    continue
                for b in range(a + 1):
                    two = one + np.int64(key[4 * b] & _RANK_BITS)
                    together[n] = place[_place(two, offset)]
                    n += 1


@cache
def classes(size: int) -> Classes:
    """The rank multisets of `size` cards, 0 to 5 of them, at most four a rank."""
    tables = rank_tables("high")
    n = comb(12 + size, size) - (13 if size == 5 else 0)
    slots = np.empty((n, BOARD), np.uint8)
    keys = np.empty(n, np.int64)
    lows = np.empty(n, np.uint8)
    place = np.zeros(len(tables.value), np.uint16)
    found = _list_classes(size, tables.key, tables.offset, np.zeros(BOARD, np.int64), slots, keys, lows, place)
    assert found == n
    others = sum(comb(13, d) * (1, 13, 91)[size - d] for d in range(max(0, size - 2), size + 1))
    made = Classes(
        slots, keys, lows, np.empty(8192, np.uint16), np.zeros(8, np.int64), np.empty(others, np.uint16),
        np.zeros(8, np.int64),
    )  # fmt: skip
    _list_together(size, tables.key, tables.offset, place, made.masks, made.first, made.together, made.starts)
    return made


@leaf
def _rests(size, left, ways):  # type: ignore[no-untyped-def]
    # In how many ways each rank multiset of up to two cards can come from `left` cards of each rank, the higher rank
    # first. Returns the number of multisets.
    if size == 0:
        ways[0] = 1
        return 1
    n = 0
    for a in range(13):
        if size == 1:
            ways[n] = left[a]
            n += 1
            continue
        for b in range(a):
            ways[n] = left[a] * left[b]
            n += 1
        ways[n] = left[a] * (left[a] - 1) // 2
        n += 1
    return n


class _Space(NamedTuple):
    # Room for a thread's work. Passed as single arrays: a named tuple takes Numba 0.2 ms a call to recognise.
    multiplier: NDArray[np.int64]
    factor: NDArray[np.int64]
    left: NDArray[np.int64]
    others: NDArray[np.int64]
    suit_left: NDArray[np.int64]
    suit_board: NDArray[np.int64]
    rest_ways: NDArray[np.int64]
    counter: NDArray[np.int64]
    hole_key: NDArray[np.int64]
    hole_low: NDArray[np.int64]
    tops: NDArray[np.uint16]
    ways: NDArray[np.int32]
    outcomes: NDArray[np.int64]
    suit_held: NDArray[np.int64]
    hole_pairs: NDArray[np.int64]


def _space(n: int, players: int, size: int) -> _Space:
    def room(length: int) -> NDArray[np.int64]:
        return np.zeros(length, np.int64)

    return _Space(
        *(room(13), room(66), room(13), room(13), room(4), room(4), room(91), room(1 << COUNTED_BITS)),
        *(room(players), room(players), np.zeros(n, np.uint16), np.zeros(n, np.int32), room(n)),
        np.zeros((4, players), np.int64),
        np.zeros((players, size * (size - 1) // 2), np.int64),
    )


@leaf
def _tell(tally, players, counter, counted, outcome, weight):  # type: ignore[no-untyped-def]
    if counted:
        counter[outcome] += weight
    else:
        spread(tally, players, outcome, weight)


@cache
def _counter(selection: int, known: int) -> Any:
    """The counting for a selection and two players, or, with `known` 0, any number: constants save a third."""

    @kernel
    def count_matchups(  # type: ignore[no-untyped-def]
        holes, board, deck, has_low, slots, keys, lows, masks, first, together, starts, key, offset, value, flush, row,
        pair, best, suited_row, suited, low_five, low_split, choose, multiplier, factor, left, others, suit_left,
        suit_board, rest_ways, counter, hole_key, hole_low, tops, ways, outcomes, suit_held, hole_pairs, out,
    ):  # fmt: skip
        # Adds to `out` (m, players, players + 1, players + 2) the outcomes of each row of `holes` (m, players, cards)
        # over every board that completes `board`; `deck` holds the cards that may come apart from hands and board.
        players = known if known else holes.shape[1]
        size = holes.shape[2]
        to_come = 5 - board.shape[0]
        n = keys.shape[0]
        pairs = size * (size - 1) // 2
        for r in range(13):
            multiplier[r] = np.int64(key[4 * r] & _RANK_BITS)
        width = players * 2 if has_low else players
        counted = width <= COUNTED_BITS
        low_part = ~((np.int64(1) << players) - 1)
        board_key = np.int64(0)
        board_low = np.int64(0)
        for s in range(4):
            suit_board[s] = 0
        for j in range(board.shape[0]):
            rank = np.int64(board[j]) >> 2
            board_key += multiplier[rank]
            suit_board[board[j] & 3] |= 1 << rank
            if rank == 12:
                board_low |= 1
            elif rank < 7:
                board_low |= 2 << rank

        for m in range(holes.shape[0]):
            tally = out[m]
            # What is left to come, and what the players hold in each suit.
            for s in range(4):
                suit_left[s] = np.int64((deck >> np.uint64(16 * s)) & np.uint64(8191)) & ~suit_board[s]
                for p in range(players):
                    suit_held[s, p] = 0
            for p in range(players):
                hole_key[p] = board_key
                hole_low[p] = 0
                for c in range(size):
                    rank = np.int64(holes[m, p, c]) >> 2
                    suit = holes[m, p, c] & 3
                    hole_key[p] += multiplier[rank]
                    suit_left[suit] &= ~(1 << rank)
                    suit_held[suit, p] |= 1 << rank
                    if rank == 12:
                        hole_low[p] |= 1
                    elif rank < 7:
                        hole_low[p] |= 2 << rank
                i = 0
                for c in range(size):
                    for d in range(c):
                        if selection == TWO_PLUS_THREE:
                            hole_pairs[p, i] = pair[(holes[m, p, c] >> 2 << 4) | (holes[m, p, d] >> 2)]
                        i += 1
            for r in range(13):
                left[r] = 0
                for s in range(4):
                    left[r] += (suit_left[s] >> r) & 1
                for k in range(5):
                    factor[5 * r + k] = choose[left[r], k]
            factor[65] = 1

            # Every rank multiset of the cards to come, as if there were no flushes.
            for i in range(n):
                way = factor[slots[i, 0]]
                for k in range(1, to_come):
                    way *= factor[slots[i, k]]
                ways[i] = way
            for i in range(n):
                if ways[i] == 0:
                    continue
                top = np.int64(0)
                outcome = np.int64(0)
                board_total = board_key + keys[i]
                if selection == TWO_PLUS_THREE:
                    at = row[(board_total >> 13) + offset[board_total & 8191]]
                for p in range(players):
                    if selection == TWO_PLUS_THREE:
                        v = np.int64(best[at, hole_pairs[p, 0]])
                        for k in range(1, pairs):
                            v = max(v, np.int64(best[at, hole_pairs[p, k]]))
                    else:
                        total = hole_key[p] + keys[i]
                        v = np.int64(value[(total >> 13) + offset[total & 8191]])
                    bit = np.int64(1) << p
                    outcome = bit if v > top else (outcome | bit if v == top else outcome)
                    top = max(top, v)
                tops[i] = top
                if has_low:
                    top = np.int64(0)
                    winners = np.int64(0)
                    for p in range(players):
                        if selection == TWO_PLUS_THREE:
                            v = np.int64(low_split[board_low | lows[i], hole_low[p]])
                        else:
                            v = np.int64(low_five[board_low | lows[i] | hole_low[p]])
                        bit = np.int64(1) << (players + p)
                        winners = bit if v > top else (winners | bit if v == top else winners)
                        top = max(top, v)
                    if top:
                        outcome |= winners
                outcomes[i] = outcome

            # Suit by suit, the boards on which somebody can make a flush.
            for s in range(4):
                alike = 1
                counts = True
                for t in range(4):
                    if t == s:
                        continue
                    same = suit_left[t] == suit_left[s] and suit_board[t] == suit_board[s]
                    for p in range(players):
                        same = same and suit_held[t, p] == suit_held[s, p]
                    if same:
                        alike += 1
                        counts = counts and t > s
                if not counts:
                    continue
                on_board = bits(suit_board[s])
                most_held = 0
                for p in range(players):
                    held = bits(suit_held[s, p])
                    if selection == TWO_PLUS_THREE:
                        # Two of the hole cards and three of the board, or no flush at all.
                        held = 2 if held >= 2 else -9
                    most_held = max(most_held, held)
                for drawn in range(max(0, 3 - on_board), to_come + 1):
                    if on_board + drawn + most_held < 5:
                        continue
                    for r in range(13):
                        others[r] = left[r] - ((suit_left[s] >> r) & 1)
                    rests = _rests(to_come - drawn, others, rest_ways)
                    for k in range(first[drawn], first[drawn + 1]):
                        mask = np.int64(masks[k])
                        if mask & ~suit_left[s]:
                            continue
                        # Flushes and other hands never tie, so what matters is whether the best flush is above the best
                        # of the rest, and who has it.
                        top = np.int64(0)
                        winners = np.int64(0)
                        for p in range(players):
                            v = flush_of(
                                selection, suit_held[s, p], suit_board[s] | mask, flush, pair, suited_row, suited
                            )
                            bit = np.int64(1) << p
                            winners = bit if v > top else (winners | bit if v == top else winners)
                            top = max(top, v)
                        if top == 0:
                            continue
                        # Boards are moved from their class to the flush; those of a class without lows all go alike.
                        at = starts[drawn] + (k - first[drawn]) * rests
                        if has_low:
                            for q in range(rests):
                                i = together[at + q]
                                if top > tops[i] and rest_ways[q]:
                                    w = rest_ways[q] * alike
                                    ways[i] -= w
                                    _tell(tally, players, counter, counted, (outcomes[i] & low_part) | winners, w)
                        else:
                            moved = np.int64(0)
                            for q in range(rests):
                                i = together[at + q]
                                w = rest_ways[q] if top > tops[i] else np.int64(0)
                                ways[i] -= w * alike
                                moved += w
                            _tell(tally, players, counter, counted, winners, moved * alike)

            for i in range(n):
                if ways[i]:
                    _tell(tally, players, counter, counted, outcomes[i], np.int64(ways[i]))
            if counted:
                spread_all(tally, players, counter, width)

    return count_matchups


@lru_cache(maxsize=1024)
def deck_mask(cards: tuple[int, ...]) -> np.uint64:
    """A set of cards as a mask of sixteen bits a suit."""
    mask = 0
    for card in cards:
        mask |= 1 << (16 * (card & 3) + (card >> 2))
    return np.uint64(mask)


def count(
    holes: NDArray[np.uint8], board: NDArray[np.uint8], live: tuple[int, ...], evaluators: Evaluators
) -> NDArray[np.int64]:
    """The outcomes of each joint holding over every completion of the board.

    `holes` (m, players, cards) uint8, `board` (b,) uint8 with b up to five, `live` the cards of the deck that are
    not dead. Returns tallies (m, players, players + 1, players + 2) int64.
    """
    m, players, size = holes.shape
    out = np.zeros((m, players, players + 1, players + 2), np.int64)
    c = classes(BOARD - len(board))
    room = _space(len(c.keys), players, size)
    selection, has_low, *arrays = evaluators
    count_matchups = _counter(selection, players if players == 2 else 0)
    count_matchups(holes, board, deck_mask(live), has_low, *c, *arrays, _CHOOSE, *room, out)
    return out

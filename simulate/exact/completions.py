"""Every way to complete the players' hands from one deck, counted without going through the joint deals.

Each player holds cards and is dealt some more; a deal is a choice of cards for each player, no card twice. Two
facts keep the count far below the number of deals.

Cards alike. Suits in which nobody can make a flush do not tell cards apart, and in games without suits none
does. Cards of a rank that no hand can tell apart are one *symbol* that is there several times; in stud from fifth
street on most suits fall away, in razz all. A player's completion is a multiset of symbols, evaluated once.

Two players at a time. Let symbol s be there a_s times. Beside a completion x of one player, a completion y of
another can be dealt in prod C(a_s - x_s, y_s) ways. By Vandermonde's identity for upper index -x,

    C(a - x, y) = sum over j of (-1)^j C(x + j - 1, j) C(a, y - j),

the ways are a sum over sub-multisets J of y of a factor that only y and J know, times one that only x and J know:

    ways(y | x) = sum over J of [(-1)^|J| prod C(a_s, y_s - j_s)] [prod C(x_s + j_s - 1, j_s)],

where only J made of symbols of x count. So go through all completions by strength, add the first factor of each y
to entry J of a table, and ask for x the sum of the second factor over the entries: the ways of all weaker y at
once, after which the level ones are added and asked for. With a_s = 1 throughout this is inclusion and exclusion
over shared cards, 2^k terms for k cards. A joint deal of 4 + 4 cards (1.8e10 of them) costs 163,185 completions of
16 terms each.

More players. Go through the joint completions of all but two players and sweep those two, with the strength to
beat as a floor: whatever is weaker is alike.

A second half of the pot. For each strength in it of the one player (few different ones occur) the table has three
columns: completions of the other that are weaker, level and stronger in that half.

All counts are integers: at most the number of deals, which is kept below 2**62; entries of the table are bounded
by the completions of one player and fit 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, log2, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.hand import BADUGI, RANKS, SPADES, badugi_value, card_mask, strength_of
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel, leaf
from potshare.simulate.work import in_order

MOST_DEALS = 1 << 62
"""More deals would not fit the integers that count them."""

MOST_ITEMS = 2_000_000
"""More completions of one player are not listed."""

MOST_TERMS = 50_000_000
"""More table entries of one player's completions are not listed."""

_PIECE_SECONDS = 0.1
_SERIAL_SECONDS = 0.004
_SECONDS_PER_STEP = 1e-9
_SECONDS_TO_START = 1e-4
_NEAR = 32_000

_FEW = 4
_MOST_BADUGI = 5

_RANK_PART = (1 << 48) - 1
_CHOOSE = np.array([[comb(n, k) for k in range(16)] for n in range(64)], np.int64)


class Half(NamedTuple):
    """A part of the pot.

    `hole`: for each player the cards held that count in it, all of them by default; `coming`: whether the cards to
    come count too.
    """

    ranking: Ranking
    hole: tuple[tuple[int, ...], ...] | None = None
    coming: bool = True


# -- kernels ------------------------------------------------------------------------------------------------------


@kernel
def _list_items(k, available, copies, used, at, symbols, counts, different, masks, cards):  # type: ignore[no-untyped-def]
    # The multisets of k symbols, as different symbols and how often, and as the cards that stand for them.
    m = available.shape[0]
    for s in range(m):
        used[s] = 0
    n = 0
    t = 0
    at[0] = 0
    while t >= 0:
        if k == 0:
            different[0] = 0
            masks[0] = 0
            return 1
        s = at[t]
        if s >= m:
            t -= 1
            if t >= 0:
                used[at[t]] -= 1
                at[t] += 1
            continue
        if used[s] >= available[s]:
            at[t] += 1
            continue
        if t < k - 1:
            used[s] += 1
            t += 1
            at[t] = s
            continue
        d = -1
        mask = np.uint64(0)
        for j in range(k):
            c = at[j]
            if j == 0 or c != at[j - 1]:
                d += 1
                symbols[n, d] = c
                counts[n, d] = 0
                mask |= np.uint64(1) << np.uint64(c)
            cards[n, j] = copies[c, counts[n, d]]
            counts[n, d] += 1
        different[n] = d + 1
        masks[n] = mask
        n += 1
        at[t] += 1
    return n


@cache
def _evaluator(kind: int) -> Any:
    # The kernel of a kind of ranking; the other kinds are pruned before compiling.
    @kernel
    def evaluate(total, mask, held, cards, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
        # The strength of `held` cards, given as sum and mask, with each row of cards.
        k = cards.shape[1]
        for i in range(cards.shape[0]):
            t = total
            m = mask
            for j in range(k):
                t += key[cards[i, j]]
                m |= card_mask(cards[i, j])
            if kind == BADUGI and held + k > _FEW:
                # Four of the five cards.
                best = np.int64(0)
                rest = m
                while rest:
                    card = rest & (~rest + np.uint64(1))
                    rest ^= card
                    best = max(best, np.int64(badugi_value(m ^ card, flush)))
                out[i] = best
            else:
                out[i] = strength_of(kind, t, m, key, offset, value, flush)

    return evaluate


@kernel
def _added_terms(symbols, counts, different, most, step, size, kinds, start, place):  # type: ignore[no-untyped-def]
    # For each completion the entries of its sub-multisets of at most `most` different symbols. With room for
    # no entry they are counted only.
    filling = place.shape[0] > 0
    p = 0
    for i in range(different.shape[0]):
        start[i] = p
        n = 1
        size[0] = 0
        kinds[0] = 0
        if filling:
            place[p] = 0
        for t in range(different[i]):
            s = symbols[i, t]
            before = n
            for j in range(1, counts[i, t] + 1):
                for e in range(before):
                    if kinds[e] < most:
                        if filling:
                            place[p + n] = place[p + e] + step[size[e], j, s]
                        size[n] = size[e] + j
                        kinds[n] = kinds[e] + 1
                        n += 1
        p += n
    start[different.shape[0]] = p
    return p


@kernel
def _asked_terms(symbols, counts, different, available, most, step, choose, size, start, place, factor):  # type: ignore[no-untyped-def]
    # For each completion the entries of multisets of its symbols of at most `most` cards, with their factors.
    # With room for no entry they are counted only.
    filling = place.shape[0] > 0
    p = 0
    for i in range(different.shape[0]):
        start[i] = p
        n = 1
        size[0] = 0
        if filling:
            place[p] = 0
            factor[p] = 1
        for t in range(different[i]):
            s = symbols[i, t]
            c = counts[i, t]
            before = n
            for e in range(before):
                for j in range(1, min(available[s], most - size[e]) + 1):
                    if filling:
                        place[p + n] = place[p + e] + step[size[e], j, s]
                        factor[p + n] = factor[p + e] * choose[c + j - 1, j]
                    size[n] = size[e] + j
                    n += 1
        p += n
    start[different.shape[0]] = p
    return p


@leaf
def _fix(joint, firsts, fixed, halves, ways, rest, choose):  # type: ignore[no-untyped-def]
    # Deals the joint completion of that number to the fixed players. Leaves what is left of each symbol in
    # `rest`; returns the ways, and for both halves the strength to beat and the fixed players who hold it.
    # Zero ways where the cards do not suffice.
    symbols, counts, different, high, low, seats = fixed
    floor = np.int64(0)
    holders = np.int64(0)
    low_floor = np.int64(0)
    low_holders = np.int64(0)
    for f in range(seats.shape[0]):
        size = firsts[f + 1] - firsts[f]
        i = firsts[f] + joint % size
        joint //= size
        for t in range(different[i]):
            s = symbols[i, t]
            c = counts[i, t]
            ways *= choose[rest[s], c]
            rest[s] -= c
            if ways == 0:
                return np.int64(0), floor, holders, low_floor, low_holders
        seat = np.int64(1) << seats[f]
        v = np.int64(high[i])
        if v > floor:
            floor = v
            holders = seat
        elif v == floor and v > 0:
            holders |= seat
        if halves == 2:
            v = np.int64(low[i])
            if v > low_floor:
                low_floor = v
                low_holders = seat
            elif v == low_floor and v > 0:
                low_holders |= seat
    return ways, floor, holders, low_floor, low_holders


@leaf
def _outcomes(strength, floor, holders, one, two):  # type: ignore[no-untyped-def]
    # Who shares the half when the second player stands below and level with the greater of strength and floor.
    if strength > floor:
        return one, one | two
    if floor == 0:
        return np.int64(0), np.int64(0)
    if strength == floor:
        return holders | one, holders | one | two
    return holders, holders | two


@leaf
def _weigh(x, rest, taken, whole, ways, choose, out):  # type: ignore[no-untyped-def]
    # The ways to deal each completion from what is left, times the ways so far.
    symbols, counts, different, masks = x
    for i in range(different.shape[0]):
        if whole:
            out[i] = 0 if masks[i] & taken else ways
            continue
        w = ways
        for t in range(different[i]):
            w *= choose[rest[symbols[i, t]], counts[i, t]]
        out[i] = w


@leaf
def _factors(y, start, most, rest, taken, whole, choose, size, kinds, live, factor):  # type: ignore[no-untyped-def]
    # Which completions can be dealt from what is left, and, unless every symbol is there once, the factors of
    # their sub-multisets, in the order of `_added_terms`.
    symbols, counts, different, masks = y
    for i in range(different.shape[0]):
        if whole:
            live[i] = (masks[i] & taken) == 0
            continue
        enough = True
        for t in range(different[i]):
            enough = enough and rest[symbols[i, t]] >= counts[i, t]
        live[i] = enough
        if not enough:
            continue
        p = start[i]
        n = 1
        size[0] = 0
        kinds[0] = 0
        factor[p] = 1
        for t in range(different[i]):
            a = rest[symbols[i, t]]
            c = counts[i, t]
            before = n
            for j in range(1, c + 1):
                sign = -1 if j & 1 else 1
                for e in range(before):
                    if kinds[e] < most:
                        factor[p + n] = factor[p + e] * sign * choose[a, c - j]
                        kinds[n] = kinds[e] + 1
                        n += 1
            for e in range(before):
                factor[p + e] *= choose[a, c]


@leaf
def _taken(available, rest):  # type: ignore[no-untyped-def]
    # The symbols of which some are gone, as a mask.
    mask = np.uint64(0)
    for s in range(rest.shape[0]):
        if rest[s] != available[s]:
            mask |= np.uint64(1) << np.uint64(s)
    return mask


@kernel
def _sweep_one(  # type: ignore[no-untyped-def]
    joints, slots, whole, available, rest, firsts, fixed, x, y, x_terms, y_terms, x_sorted, y_sorted, seat_one,
    seat_two, most, beside, choose, size, kinds, weight, live, table, counter,
):  # fmt: skip
    # One half. joints, slots: ranges of joint completions of the fixed players and of the first player's
    # completions by strength. beside: the ways to deal the second player beside the others.
    x_start, x_place, x_factor = x_terms
    y_start, y_place, y_factor = y_terms
    x_order, x_strength = x_sorted
    y_order, y_strength = y_sorted
    one = np.int64(1) << seat_one
    two = np.int64(1) << seat_two
    last = slots[1]
    for joint in range(joints[0], joints[1]):
        for s in range(rest.shape[0]):
            rest[s] = available[s]
        ways, floor, holders, _low_floor, _low_holders = _fix(joint, firsts, fixed, 1, np.int64(1), rest, choose)
        if ways == 0:
            continue
        taken = _taken(available, rest)
        _weigh(x, rest, taken, whole, ways, choose, weight)
        _factors(y, y_start, most, rest, taken, whole, choose, size, kinds, live, y_factor)
        for q in range(table.shape[0]):
            table[q] = 0
        i = slots[0]
        j = 0
        while i < last:
            level = max(np.int64(x_strength[i]), floor)
            end = i
            while end < last and np.int64(x_strength[end]) <= level:
                end += 1
            # First everything below the level is in the table, then everything up to it.
            for upto in range(2):
                while j < y_order.shape[0] and np.int64(y_strength[j]) < level + upto:
                    b = y_order[j]
                    j += 1
                    if live[b]:
                        p = y_start[b]
                        shift = -p if whole else np.int64(0)
                        for q in range(p, y_start[b + 1]):
                            table[y_place[q]] += y_factor[q + shift]
                apart = j < y_order.shape[0] and np.int64(y_strength[j]) == level
                for r in range(i, end):
                    a = x_order[r]
                    w = weight[a]
                    if w == 0:
                        continue
                    found = np.int64(0)
                    if whole:
                        for q in range(x_start[a], x_start[a + 1]):
                            found += table[x_place[q]]
                    else:
                        for q in range(x_start[a], x_start[a + 1]):
                            found += np.int64(x_factor[q]) * table[x_place[q]]
                    found *= w
                    won, tied = _outcomes(np.int64(x_strength[r]), floor, holders, one, two)
                    if upto == 0:
                        counter[won] += found
                        counter[tied] -= found
                        counter[two] += w * beside
                    if upto == 1 or not apart:
                        counter[tied] += found
                        counter[two] -= found
                if not apart:
                    break
            i = end


@kernel
def _sweep_two(  # type: ignore[no-untyped-def]
    joints, groups, whole, available, rest, firsts, fixed, x, y, x_terms, y_terms, x_sorted, y_sorted, lows, seat_one,
    seat_two, shift, low_shift, most, choose, size, kinds, weight, live, chosen, table, counter,
):  # fmt: skip
    # Two halves. groups: range of the first player's strengths in the second half, 0 for all up to the floor and
    # g + 1 for lows[g]. The table's columns: weaker, level and stronger than that in the second half. An outcome is
    # who shares the first half, shifted by `shift`, and who shares the second, by `low_shift`.
    x_start, x_place, x_factor = x_terms
    y_start, y_place, y_factor = y_terms
    x_order, x_strength, x_low = x_sorted
    y_order, y_strength, y_low = y_sorted
    one = np.int64(1) << seat_one
    two = np.int64(1) << seat_two
    for joint in range(joints[0], joints[1]):
        for s in range(rest.shape[0]):
            rest[s] = available[s]
        ways, floor, holders, low_floor, low_holders = _fix(joint, firsts, fixed, 2, np.int64(1), rest, choose)
        if ways == 0:
            continue
        taken = _taken(available, rest)
        _weigh(x, rest, taken, whole, ways, choose, weight)
        _factors(y, y_start, most, rest, taken, whole, choose, size, kinds, live, y_factor)
        for group in range(groups[0], groups[1]):
            border = low_floor if group == 0 else np.int64(lows[group - 1])
            if group > 0 and border <= low_floor:
                continue
            last = 0
            for r in range(x_order.shape[0]):
                low = np.int64(x_low[r])
                if (low <= border if group == 0 else low == border) and weight[x_order[r]] != 0:
                    chosen[last] = r
                    last += 1
            if last == 0:
                continue
            for q in range(table.shape[0]):
                table[q, 0] = 0
                table[q, 1] = 0
                table[q, 2] = 0
            i = 0
            j = 0
            while i <= last:
                # The last round, i == last, asks all for the whole table.
                level = np.int64(1 << 16)
                end = last
                begin = 0
                if i < last:
                    level = max(np.int64(x_strength[chosen[i]]), floor)
                    begin = i
                    end = i
                    while end < last and np.int64(x_strength[chosen[end]]) <= level:
                        end += 1
                for upto in range(2):
                    while j < y_order.shape[0] and np.int64(y_strength[j]) < level + upto:
                        b = y_order[j]
                        if live[b]:
                            low = np.int64(y_low[j])
                            column = (1 if low == border else 0) + (2 if low > border else 0)
                            p = y_start[b]
                            back = -p if whole else np.int64(0)
                            for q in range(p, y_start[b + 1]):
                                table[y_place[q], column] += y_factor[q + back]
                        j += 1
                    apart = j < y_order.shape[0] and np.int64(y_strength[j]) == level
                    for c in range(begin, end):
                        r = chosen[c]
                        a = x_order[r]
                        w = weight[a]
                        found0 = np.int64(0)
                        found1 = np.int64(0)
                        found2 = np.int64(0)
                        if whole:
                            for q in range(x_start[a], x_start[a + 1]):
                                e = x_place[q]
                                found0 += table[e, 0]
                                found1 += table[e, 1]
                                found2 += table[e, 2]
                        else:
                            for q in range(x_start[a], x_start[a + 1]):
                                e = x_place[q]
                                f = np.int64(x_factor[q])
                                found0 += f * table[e, 0]
                                found1 += f * table[e, 1]
                                found2 += f * table[e, 2]
                        found0 *= w
                        found1 *= w
                        found2 *= w
                        won, tied = _outcomes(np.int64(x_strength[r]), floor, holders, one, two)
                        low_won, low_tied = _outcomes(np.int64(x_low[r]), low_floor, low_holders, one, two)
                        won <<= shift
                        tied <<= shift
                        lost = two << shift
                        low_won <<= low_shift
                        low_tied <<= low_shift
                        low_lost = two << low_shift
                        if i == last:
                            counter[lost | low_won] += found0
                            counter[lost | low_tied] += found1
                            counter[lost | low_lost] += found2
                            continue
                        if upto == 0:
                            counter[won | low_won] += found0
                            counter[won | low_tied] += found1
                            counter[won | low_lost] += found2
                            counter[tied | low_won] -= found0
                            counter[tied | low_tied] -= found1
                            counter[tied | low_lost] -= found2
                        if upto == 1 or not apart:
                            counter[tied | low_won] += found0
                            counter[tied | low_tied] += found1
                            counter[tied | low_lost] += found2
                            counter[lost | low_won] -= found0
                            counter[lost | low_tied] -= found1
                            counter[lost | low_lost] -= found2
                    if not apart:
                        break
                if i == last:
                    break
                i = end


# -- what tells cards apart -----------------------------------------------------------------------------------------


class _Reader(NamedTuple):
    # What is needed to know of a ranking: the numbers of its cards, how many make a flush (0: suits do not
    # matter), and the suits that always count.
    key: list[int]
    flush: int
    suits: tuple[int, ...]


_readers: dict[str, _Reader] = {}


def _reader(ranking: Ranking) -> _Reader:
    if ranking.name not in _readers:
        tables = ranking.tables
        key = [int(x) for x in tables.key.tolist()]
        suits: tuple[int, ...] = ()
        flush = 0
        if ranking.kind == BADUGI:
            suits = (0, 1, 2, 3)
        elif ranking.kind == SPADES:
            suits = (3,)
        elif ranking.kind != RANKS and bool(tables.flush.any()):
            flush = 8 - (key[63] >> 48 & 15)
        _readers[ranking.name] = _Reader(key, flush, suits)
    return _readers[ranking.name]


def _suits_that_count(
    held: Sequence[Sequence[int]], to_draw: Sequence[int], halves: Sequence[Half]
) -> tuple[bool, ...]:
    # A suit counts when some player who draws can still make a flush in it, with wild cards if there are any.
    counts = [False] * 4
    for half in halves:
        reader = _reader(half.ranking)
        for suit in reader.suits:
            counts[suit] = True
        if not reader.flush:
            continue
        key = reader.key
        for cards, k in zip(half.hole or held, to_draw, strict=True):
            if k == 0:
                continue
            have = [k] * 4
            for card in cards:
                if key[card] >> 40 & 15:
                    have = [n + 1 for n in have]
                else:
                    have[card & 3] += 1
            for suit in range(4):
                counts[suit] = counts[suit] or have[suit] >= reader.flush
    return tuple(counts)


def _alike(
    held: Sequence[Sequence[int]], to_draw: Sequence[int], live: Sequence[int], halves: Sequence[Half]
) -> list[list[int]]:
    # The live cards, those that no completion of any hand can tell apart put together.
    keys = [_reader(half.ranking).key for half in halves]
    if not keys:
        return [[card] for card in live]
    counting = _suits_that_count(held, to_draw, halves)
    symbols: dict[tuple[int, ...], list[int]] = {}
    for card in live:
        name = [key[card] & _RANK_PART for key in keys]
        wild = all(key[card] >> 40 & 15 for key in keys)
        name.append(-1 if wild or not counting[card & 3] else card & 3)
        symbols.setdefault(tuple(name), []).append(card)
    return sorted(symbols.values())


# -- completions ----------------------------------------------------------------------------------------------------


class _Items(NamedTuple):
    # The completions with a number of cards: different symbols and how often each, how many, as a mask, as cards.
    k: int
    symbols: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    different: NDArray[np.int64]
    masks: NDArray[np.uint64]
    cards: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.different)

    @property
    def pools(self) -> tuple[Any, ...]:
        return self.symbols, self.counts, self.different, self.masks


def number_of_items(available: Sequence[int], k: int) -> int:
    """How many multisets of `k` symbols there are."""
    ways = [1] + [0] * k
    for a in available:
        ways = [sum(ways[n - j] for j in range(min(a, n) + 1)) for n in range(k + 1)]
    return ways[k]


class _Deck:
    # The symbols of the live cards.

    def __init__(self, symbols: list[list[int]]) -> None:
        self.symbols = symbols
        self.available = np.array([len(cards) for cards in symbols], np.int64)
        self.whole = max((len(cards) for cards in symbols), default=1) == 1
        self.copies = np.zeros((len(symbols), max((len(cards) for cards in symbols), default=1)), np.uint8)
        for s, cards in enumerate(symbols):
            self.copies[s, : len(cards)] = cards
        self._items: dict[int, _Items] = {}

    def items(self, k: int) -> _Items:
        if k not in self._items:
            n = number_of_items(self.available.tolist(), k)
            m = len(self.symbols)
            room = max(n, 1)
            width = max(k, 1)
            symbols = np.zeros((room, width), np.uint8)
            counts = np.zeros((room, width), np.uint8)
            different = np.zeros(room, np.int64)
            masks = np.zeros(room, np.uint64)
            cards = np.zeros((room, k), np.uint8)
            found = _list_items(
                k, self.available, self.copies, np.zeros(m, np.int64), np.zeros(width, np.int64), symbols, counts,
                different, masks, cards,
            )  # fmt: skip
            assert found == n
            self._items[k] = _Items(k, symbols, counts, different, masks, cards)
        return self._items[k]


def strengths_with(ranking: Ranking, held: Sequence[int], cards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strength of the cards held with each row of cards; of five cards for badugi the best four."""
    key = _reader(ranking).key
    total = key[63] + sum(key[card] for card in held)
    mask = sum(1 << (16 * (card & 3) + (card >> 2)) for card in held)
    out = np.empty(len(cards), np.uint16)
    _evaluator(ranking.kind)(np.uint64(total), np.uint64(mask), len(held), cards, *ranking.tables, out)
    return out


@cache
def _steps(m: int, most: int, whole: bool) -> tuple[NDArray[np.int32], int]:
    # step[size, j, s]: what adding j times symbol s to a sub-multiset of `size` smaller symbols adds to its entry,
    # and the number of entries. Entries are in order of size, within a size colexicographic.
    step = np.zeros((most + 1, most + 1, max(m, 1)), np.int32)
    base = [0]
    for size in range(most + 1):
        base.append(base[-1] + comb(m if whole else max(0, m + size - 1), size))
    for size in range(most):
        for j in range(1, (1 if whole else most - size) + 1):
            for s in range(m):
                climb = sum(comb(s if whole else s + size + i - 1, size + i) for i in range(1, j + 1))
                step[size, j, s] = climb + base[size + j] - base[size]
    return step, base[-1]


class _Terms(NamedTuple):
    # The factors asked with fit 16 bits (at most C(13, 7)), those added with do not.
    start: NDArray[np.int64]
    place: NDArray[np.int32]
    factor: NDArray[np.int16] | NDArray[np.int32]


_BUFFER = 1 << 13


def _added(items: _Items, most: int, step: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    start = np.empty(len(items) + 1, np.int64)
    buffers = np.empty(_BUFFER, np.int64), np.empty(_BUFFER, np.int64)
    pools = items.symbols, items.counts, items.different, most, step, *buffers, start
    n = _added_terms(*pools, np.empty(0, np.int32))
    _check_terms(n)
    place = np.empty(n, np.int32)
    _added_terms(*pools, place)
    return start, place


def _asked(items: _Items, available: NDArray[np.int64], most: int, step: NDArray[np.int32]) -> _Terms:
    start = np.empty(len(items) + 1, np.int64)
    pools = (
        items.symbols,
        items.counts,
        items.different,
        available,
        most,
        step,
        _CHOOSE,
        np.empty(_BUFFER, np.int64),
        start,
    )
    n = _asked_terms(*pools, np.empty(0, np.int32), np.empty(0, np.int16))
    _check_terms(n)
    place = np.empty(n, np.int32)
    factor = np.empty(n, np.int16)
    _asked_terms(*pools, place, factor)
    return _Terms(start, place, factor)


def _check_terms(n: int) -> None:
    if n > MOST_TERMS:
        raise TooManyError


class TooManyError(Exception):
    """There are too many deals or completions to count."""


# -- the plan -------------------------------------------------------------------------------------------------------


@dataclass
class Plan:
    """A count that is ready to start: `deals` in all, and about how many `seconds` it takes on one core.

    Weighted counts are `scale` times too great, and not `whole` where they are not integers.
    """

    deals: int
    players: int
    halves: int
    seconds: float
    counters: Callable[[int], Iterator[tuple[float, NDArray[Any]]]]
    scale: int = 1
    whole: bool = True

    def count(self, threads: int = 1, progress: Callable[[float], None] | None = None) -> NDArray[Any]:
        """(players, players + 1, players + 2) int64 or float64: the tally, see `simulate.outcomes`."""
        total = np.zeros(1 << (self.players * self.halves), np.int64 if self.whole else np.float64)
        for done, counter in self.counters(threads):
            total += counter
            if progress:
                progress(done)
        return _tally(total, self.players)


def _tally(counter: NDArray[Any], players: int) -> NDArray[Any]:
    tally = np.zeros((players, players + 1, players + 2), counter.dtype)
    for outcome in np.flatnonzero(counter).tolist():
        high, low = outcome & ((1 << players) - 1), outcome >> players
        for p in range(players):
            a = high.bit_count() if high >> p & 1 else 0
            b = (low.bit_count() if low >> p & 1 else 0) if low else players + 1
            tally[p, a, b] += counter[outcome]
    return tally


class _Player(NamedTuple):
    items: _Items
    strengths: tuple[NDArray[np.uint16], ...]  # by half, in the order of the items


def deals_of(cards: int, to_draw: Sequence[int]) -> int:
    """The number of ways to deal so many cards to each player from so many."""
    deals = 1
    for k in to_draw:
        deals *= comb(cards, k)
        cards -= k
    return deals


def plan(
    held: Sequence[Sequence[int]],
    to_draw: Sequence[int],
    live: Sequence[int],
    halves: Sequence[Half | Ranking | str],
) -> Plan:
    """Prepares the count of every way to deal player i `to_draw[i]` of the `live` cards on top of `held[i]`.

    `live` are the cards that can come: neither held nor dead. `halves` are one or two rankings by which the pot is
    shared. Raises `TooManyError` when the count does not fit this method, `PotshareError` when the cards do not
    suffice.
    """
    parts = [_as_half(half) for half in halves]
    players = len(held)
    if sum(to_draw) > len(live):
        raise PotshareError(f"{sum(to_draw)} cards are to come, but only {len(live)} are left in the deck")
    deals = deals_of(len(live), to_draw)
    if deals >= MOST_DEALS or players * len(parts) > 20:
        raise TooManyError
    deck = _Deck(_alike(held, to_draw, live, [part for part in parts if part.coming]))
    for k in set(to_draw):
        if number_of_items(deck.available.tolist(), k) > MOST_ITEMS:
            raise TooManyError
    dealt: list[_Player] = []
    for p in range(players):
        items = deck.items(to_draw[p])
        strengths = []
        for part in parts:
            own = held[p] if part.hole is None else part.hole[p]
            come = to_draw[p] if part.coming else 0
            _check_size(part.ranking, len(own) + come)
            if part.coming:
                strengths.append(strengths_with(part.ranking, own, items.cards))
            else:
                alone = strengths_with(part.ranking, own, np.zeros((1, 0), np.uint8))
                strengths.append(np.full(len(items), alone[0], np.uint16))
        dealt.append(_Player(items, tuple(strengths)))
    return _Sweep(deck, dealt, len(live)).plan(deals)


def shared_cards(
    held: Sequence[Sequence[int]],
    to_draw: Sequence[int],
    live: Sequence[int],
    halves: Sequence[Half | Ranking | str],
    shared: int,
) -> Iterable[tuple[tuple[int, ...], int]]:
    """The different ways to add `shared` cards to every hand, and how many sets of live cards are alike to each."""
    parts = [part for part in map(_as_half, halves) if part.coming]
    deck = _Deck(_alike(held, [k + shared for k in to_draw], live, parts))
    items = deck.items(shared)
    for i in range(len(items)):
        ways = 1
        for t in range(int(items.different[i])):
            ways *= comb(int(deck.available[items.symbols[i, t]]), int(items.counts[i, t]))
        yield tuple(items.cards[i].tolist()), ways


def _as_half(half: Half | Ranking | str) -> Half:
    if isinstance(half, str):
        return Half(find_ranking(half))
    return Half(half) if isinstance(half, Ranking) else half


def _check_size(ranking: Ranking, cards: int) -> None:
    most = _MOST_BADUGI if ranking.kind == BADUGI else ranking.most
    if not ranking.fewest <= cards <= most:
        raise PotshareError(f"{ranking.name} ranks hands of {ranking.fewest} to {most} cards, not of {cards}")


class _Sweep:
    # Chooses the two players to sweep and cuts the work into pieces.

    def __init__(self, deck: _Deck, dealt: list[_Player], cards: int) -> None:
        self.deck = deck
        self.dealt = dealt
        self.cards = cards
        self.halves = len(dealt[0].strengths)
        self.different = [[len(np.unique(s)) for s in p.strengths] for p in dealt] if self.halves == 2 else []
        pairs = [(x, y) for x in range(len(dealt)) for y in range(len(dealt)) if x != y]
        self.x, self.y = min(pairs, key=lambda pair: self._work(*pair)[1])

    def _work(self, x: int, y: int) -> tuple[float, float]:
        # About how many seconds a joint completion of the others takes, and all of them with the preparation.
        # Measured on one core: a table entry costs the more the less of the table fits the near caches.
        one, two = self.dealt[x].items, self.dealt[y].items
        k, most = one.k, two.k
        if self.deck.whole:
            asked = float(sum(comb(k, t) for t in range(min(k, most) + 1)))
            added = float(sum(comb(most, t) for t in range(min(k, most) + 1)))
        else:
            asked = 0.7 * comb(k + most, k) + 0.3
            added = 2.0**most
        entries = len(two)
        if self.halves == 1:
            steps = 2 * len(one) * (asked + 3) + len(two) * (added + 5) + entries / 4
        else:
            groups = min(self.different[x])
            steps = 4 * len(one) * (asked + 3) + groups * (len(one) + len(two) * (added + 3) + entries)
        each = (
            steps * _SECONDS_PER_STEP * (1 + 0.45 * max(0.0, log2(entries * (4 if self.halves == 1 else 16) / _NEAR)))
        )
        joints = prod(len(p.items) for i, p in enumerate(self.dealt) if i not in (x, y))
        listing = (len(one) * (asked + 6) + len(two) * (added + 6)) * 2 * _SECONDS_PER_STEP
        return each, joints * (each + 50 * _SECONDS_PER_STEP) + listing + _SECONDS_TO_START

    def plan(self, deals: int) -> Plan:
        """The plan of the cheapest pair."""
        return Plan(deals, len(self.dealt), self.halves, self._work(self.x, self.y)[1], self.counters)

    @cached_property
    def fixed(self) -> list[int]:
        """The players who are not swept."""
        return [p for p in range(len(self.dealt)) if p not in (self.x, self.y)]

    def counters(self, threads: int) -> Iterator[tuple[float, NDArray[np.int64]]]:
        """The outcomes of each piece, with the share of the work that is then done."""
        deck, x, y = self.deck, self.dealt[self.x], self.dealt[self.y]
        m = len(deck.symbols)
        whole = deck.whole
        most = min(x.items.k, y.items.k) if whole else y.items.k
        step, entries = _steps(m, most, whole)
        start, place = _added(y.items, x.items.k, step)
        y_terms = _Terms(start, place, np.empty(0 if whole else len(place), np.int32))
        if whole:
            sizes = [0]
            for _ in range(y.items.k):
                sizes += [size + 1 for size in sizes if size < x.items.k]
            y_terms = y_terms._replace(factor=np.array([-1 if size & 1 else 1 for size in sizes], np.int32))
            if x.items.k == y.items.k:
                x_terms = _Terms(start, place, np.empty(0, np.int16))
            else:
                x_terms = _Terms(*_added(x.items, y.items.k, step), np.empty(0, np.int16))
        else:
            x_terms = _asked(x.items, deck.available, y.items.k, step)

        fixed = [self.dealt[p] for p in self.fixed]
        firsts = np.cumsum([0] + [len(p.items) for p in fixed]).astype(np.int64)
        joints = prod(len(p.items) for p in fixed)
        # Which half the groups are of.
        grouped = int(np.argmin(self.different[self.x])) if self.halves == 2 else 1
        first = 1 - grouped
        fixed_pools = (
            _stack([p.items.symbols for p in fixed], np.uint8),
            _stack([p.items.counts for p in fixed], np.uint8),
            _join([p.items.different for p in fixed], np.int64),
            _join([p.strengths[first] for p in fixed], np.uint16),
            _join([p.strengths[grouped] for p in fixed] if self.halves == 2 else [], np.uint16),
            np.array(self.fixed, np.int64),
        )
        left = self.cards - sum(p.items.k for p in fixed) - x.items.k
        x_order = np.argsort(x.strengths[first], kind="stable")
        y_order = np.argsort(y.strengths[first], kind="stable")
        sweeping = (first, grouped) if self.halves == 2 else (0,)
        x_sorted = (x_order, *(x.strengths[h][x_order] for h in sweeping))
        y_sorted = (y_order, *(y.strengths[h][y_order] for h in sweeping))
        lows = np.unique(x.strengths[grouped]) if self.halves == 2 else np.empty(0, np.uint16)
        parts = len(x_order) if self.halves == 1 else len(lows) + 1
        width = len(self.dealt) * self.halves

        def do(piece: tuple[int, int, int, int]) -> NDArray[np.int64]:
            counter = np.zeros(1 << width, np.int64)
            shared = (
                np.array(piece[:2], np.int64), np.array(piece[2:], np.int64), whole, deck.available,
                np.empty(m, np.int64), firsts, fixed_pools, x.items.pools, y.items.pools, x_terms,
                y_terms if whole else y_terms._replace(factor=np.empty_like(y_terms.factor)), x_sorted, y_sorted,
            )  # fmt: skip
            buffers = (
                x.items.k, comb(left, y.items.k), _CHOOSE, np.empty(_BUFFER, np.int64), np.empty(_BUFFER, np.int64),
                np.empty(len(x.items), np.int64), np.empty(len(y.items), np.bool_),
            )  # fmt: skip
            if self.halves == 1:
                _sweep_one(*shared, self.x, self.y, *buffers, np.empty(entries, np.int32), counter)
            else:
                n = len(self.dealt)
                _sweep_two(
                    *shared, lows, self.x, self.y, first * n, grouped * n, buffers[0], *buffers[2:],
                    np.empty(len(x.items), np.int64), np.empty((entries, 4), np.int32), counter,
                )  # fmt: skip
            return counter

        pieces = _pieces(joints, parts, *self._work(self.x, self.y))
        for n, counter in enumerate(in_order(do, pieces, threads)):
            yield (n + 1) / len(pieces), counter


def _stack(arrays: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    width = max((a.shape[1] for a in arrays), default=1)
    rows = [np.pad(a, ((0, 0), (0, width - a.shape[1]))) for a in arrays]
    return np.ascontiguousarray(np.concatenate(rows), kind) if rows else np.zeros((0, width), kind)


def _join(arrays: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.ascontiguousarray(np.concatenate(arrays), kind) if arrays else np.zeros(0, kind)


def _pieces(joints: int, parts: int, each: float, seconds: float) -> list[tuple[int, int, int, int]]:
    # Ranges of joint completions, or of parts of a sweep where one takes long.
    if seconds < _SERIAL_SECONDS:
        return [(0, joints, 0, parts)]
    if each > _PIECE_SECONDS or joints == 1:
        split = min(parts, max(2, round(each / _PIECE_SECONDS)))
        edges = [parts * i // split for i in range(split + 1)]
        return [(j, j + 1, edges[i], edges[i + 1]) for j in range(joints) for i in range(split)]
    split = min(joints, max(2, round(seconds / _PIECE_SECONDS)))
    edges = [joints * i // split for i in range(split + 1)]
    return [(edges[i], edges[i + 1], 0, parts) for i in range(split)]

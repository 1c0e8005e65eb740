"""Monte Carlo in vector registers: 64 deals at a time, in mask form from the deal to the comparison.

One engine for every game that deals each player the same number of cards, and perhaps one board, and compares
the hands at the end: flop games and stud. Everything a question knows (whole or partial hands, ranges, the board,
dead cards) is data; a kernel is compiled for the numbers of cards and the rankings alone.

* Random words: eight xoshiro256++ generators side by side, one a 64-bit lane, their states derived from the seed
  and the block's number (`sampling.random`), so that results do not depend on who deals a block.
* A draw from n cards takes 16 bits w: the card is the upper half of w * n (D. Lemire, "Fast random integer generation
  in an interval", ACM TOMACS 29 (1), 2019). Where the lower half is so great that further bits could make it the next
  card, and only there, 32 more bits decide. The probability of a card is thus off from 1 / n by less than 2**-48.
* No draw is rejected: the number drawn counts the cards that are left. Of the cards dealt so far, sorted as
  s[0] < s[1] < ..., the numbers t[j] = s[j] - j are kept; draw c is then card c plus the number of t[j] <= c, and
  inserting it makes t[j] into min(t[j], max(c, t[j - 1] - 1)).
* Cards that are known to everybody are left out of the deck: a table of 64 bytes maps what was drawn to cards.
* Every deal is a new one: to count all last cards of a deal would divide the variance of a share by 1.7 (two random
  hands of hold'em) to 2.4 (nine), for 44 to 30 times the comparisons.
* Hands from ranges are drawn deal by deal from the tables of `sampling.choice`, with words of the same lanes, and all
  of them again where two collide; everything else is vectors.

The same code serves every processor, so that a seed gives the same answer on all of them; even with the vectors of
the oldest 64-bit processors it is several times as fast as the scalar engine.

Deal i of a group stands in byte i of every column of cards; as 16-bit lanes are used from there on, the even bytes
go together, then the odd ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError
from potshare.evaluator import llvm
from potshare.evaluator.lanes import (
    HIGH,
    SHORT_DECK,
    SHORT_DECK_TRIPS,
    Suits,
    ace_to_five_compared,
    eight_or_better_compared,
    suit_levels,
)
from potshare.evaluator.llvm import Code, Lane, Memory
from potshare.evaluator.omaha_lanes import high_compared, low_compared
from potshare.kernel import kernel, leaf
from potshare.simulate.outcomes import COUNTED_BITS, spread, spread_all
from potshare.simulate.sampling.choice import TOO_RARE, TRIES, prepare
from potshare.simulate.sampling.random import next_word, seed_lanes
from potshare.simulate.variants import SELECTIONS, SHOWDOWNS

if TYPE_CHECKING:
    from potshare.simulate.spot import Spot

GROUP = llvm.ROWS
"""Deals at a time."""

BLOCK = 65536
"""Deals in a block."""

MOST_PLAYERS = 16
"""Winners are a mask of 16 bits."""

_HALF = GROUP // 2
_SET = 4 * GROUP
_POOL = 512
_HASTY = 0.4
_ALWAYS = 2.0**64 - 2048

RANKINGS = ("high", "short-deck", "short-deck-trips", "ace-to-five", "eight-or-better")
"""The rankings that lanes can compare: the best five of five to seven cards."""

SPLIT_RANKINGS = ("high", "eight-or-better")
"""Those for two hole cards plus three of the board."""


# -- what kernels are built of --------------------------------------------------------------------------------------


@llvm.built
def fill(code: Code, state: Memory, out: Memory, count: Lane) -> None:
    """Writes `count` times eight words, one of each lane, to `out`; `state` (32,) is that of `seed_lanes`."""
    a, b, c, d = cells = [code.cell(state.load("quads", 8 * w)) for w in range(4)]
    with code.loop(count) as i:
        s0, s1, s2, s3 = (cell.get() for cell in cells)
        out.store((s0 + s3).rotated(23) + s0, i * 8)
        t = s1 << 17
        s2, s3 = s2 ^ s0, s3 ^ s1
        b.set(s1 ^ s2)
        a.set(s0 ^ s3)
        c.set(s2 ^ t)
        d.set(s3.rotated(45))
    for w, cell in enumerate(cells):
        state.store(cell.get(), 8 * w)


@llvm.built
def draw(code: Code, words: Memory, count: Lane, left: Lane, draws: Memory) -> Lane:
    """Makes 64 words of 16 bits each into draws from `left`, `left - 1`, ... cards, as bytes.

    Returns a bit for each of the `count` columns of draws in which some word does not decide alone.
    """
    undecided = code.cell(code.number(0))
    with code.loop(count) as k:
        cards = (left - k).spread("words")
        even, low_even = words.load("words", k * GROUP).times(cards)
        odd, low_odd = words.load("words", k * GROUP + _HALF).times(cards)
        draws.store(even | (odd << 8), k * GROUP)
        more = (low_even.most(low_odd) > -cards).any()
        undecided.set(undecided.get() | (more << k))
    return undecided.get()


@leaf
def decide(undecided, words, left, draws, state):  # type: ignore[no-untyped-def]
    """Takes 32 more bits for every draw whose word does not decide."""
    k = 0
    while undecided >> k:
        if (undecided >> k) & 1:
            n = np.uint64(left - k)
            for i in range(GROUP):
                low = (np.uint64(words[k * GROUP + i]) * n) & np.uint64(0xFFFF)
                if low + n > np.uint64(0x10000):
                    more = ((next_word(state) >> np.uint64(32)) * n) >> np.uint64(32)
                    if low + more >= np.uint64(0x10000):
                        draws[k * GROUP + 2 * (i & (_HALF - 1)) + i // _HALF] += 1
        k += 1


def _insert(code: Code, passed: Memory, held: Lane, draw: Lane) -> Lane:
    # Inserts a draw among the `held` numbers of the cards dealt; returns the card.
    card = code.cell(draw)
    before = code.cell(code.lanes("bytes", 0))
    with code.loop(held) as j:
        now = passed.load("bytes", j * GROUP)
        found = card.get()
        card.set((now > draw).pick(found, found + 1))
        passed.store(now.least(draw.most(before.get().less(1))), j * GROUP)
        before.set(now)
    passed.store(draw.most(before.get().less(1)), held * GROUP)
    return card.get()


@llvm.built
def hold(code: Code, cards: Memory, count: Lane, passed: Memory, names: Memory, where: Memory, columns: Memory) -> None:
    """Counts `count` columns of cards, given by their place in the deck, as dealt; see `deal` for the others."""
    with code.loop(count) as k:
        card = cards.load("bytes", k * GROUP)
        columns.store(names.look_up(card), where.load("number", k) * GROUP)
        place = code.cell(card)
        with code.loop(k) as j:
            below = passed.load("bytes", j * GROUP) + j.spread("bytes")
            found = place.get()
            place.set((card > below).pick(found - 1, found))
        _insert(code, passed, k, place.get())


@llvm.built
def deal(
    code: Code, draws: Memory, passed: Memory, held: Lane, count: Lane, names: Memory, where: Memory, columns: Memory
) -> None:
    """Deals `count` columns of draws, `held` cards being dealt before; writes cards by `names` to columns `where`."""
    with code.loop(count) as k:
        card = _insert(code, passed, held + k, draws.load("bytes", k * GROUP))
        columns.store(names.look_up(card), where.load("number", k) * GROUP)


@llvm.built
def collect(code: Code, size: int, columns: Memory, first: Lane, masks: Memory, to: Lane) -> None:
    """The suit masks of `size` columns of cards from column `first` on: 4 suits by 32 even, then odd deals.

    Cards are bytes `16 * rank + suit`. As they differ, parities are enough (see `evaluator.lanes.suit_masks`).
    """
    for half in range(2):
        every = odd = upper = spades = code.lanes("words", 0)
        for i in range(size):
            card = columns.load("words", (first + i) * GROUP)
            bit = code.lanes("words", 1) << ((card >> 12) if half else ((card >> 4) & 15))
            one, two = ((card & (suit << (8 * half))).some() for suit in (1, 2))
            every = every ^ bit
            odd = one.pick(odd ^ bit, odd)
            upper = two.pick(upper ^ bit, upper)
            spades = (one & two).pick(spades ^ bit, spades)
        d, h = odd ^ spades, upper ^ spades
        for suit, mask in enumerate((every ^ d ^ h ^ spades, d, h, spades)):
            masks.store(mask, to + (half * 4 + suit) * _HALF)


def _compared(ranking: str, size: int, suits: Suits) -> tuple[Lane, ...]:
    if ranking == "ace-to-five":
        return ace_to_five_compared(suit_levels(*suits))
    if ranking == "eight-or-better":
        return (eight_or_better_compared(suit_levels(*suits)),)
    order = {"high": HIGH, "short-deck": SHORT_DECK, "short-deck-trips": SHORT_DECK_TRIPS}[ranking]
    return order.compared(size, suits)


def _split_compared(ranking: str, hole: Suits, board: Suits) -> tuple[Lane, ...]:
    return high_compared(hole, board) if ranking == "high" else (low_compared(hole, board),)


class _Winners:
    # The players with the best numbers so far, in a loop over players.
    def __init__(self, code: Code, numbers: int) -> None:
        self._best = [code.cell(code.lanes("words", 0)) for _ in range(numbers)]
        self._mask = code.cell(code.lanes("words", 0))

    def meet(self, numbers: Sequence[Lane], bit: Lane) -> None:
        best = [cell.get() for cell in self._best]
        above, level = numbers[-1] > best[-1], numbers[-1].equals(best[-1])
        for number, other in zip(numbers[-2::-1], best[-2::-1], strict=True):
            same = number.equals(other)
            above, level = (number > other) | (same & above), same & level
        mask = self._mask.get()
        self._mask.set(above.pick(bit, level.pick(mask | bit, mask)))
        for cell, number, other in zip(self._best, numbers, best, strict=True):
            cell.set(above.pick(number, other))

    def mask(self) -> Lane:
        # Nobody wins with nothing.
        some = self._best[0].get()
        for cell in self._best[1:]:
            some = some | cell.get()
        return some.some().pick(self._mask.get(), 0)


@llvm.built
def showdown(
    code: Code, split: int, size: int, table: int, first: int, second: int, hands: Memory, board: Memory,
    players: Lane, winners: Memory, lows: Memory,
) -> None:  # fmt: skip
    """Who wins each half of the pot, as masks of players: 32 of even deals, then of odd ones.

    `first` and `second` are places in `RANKINGS` or, with `split`, in `SPLIT_RANKINGS`; `second` is -1 for an undivided
    pot. `table` says whether there is a board.
    """
    names = [(SPLIT_RANKINGS if split else RANKINGS)[i] for i in (first, second) if i >= 0]
    with code.loop(2) as half:
        at = half * (4 * _HALF)
        found = [_Winners(code, 1 if name == "eight-or-better" else 2) for name in names]
        bit = code.cell(code.lanes("words", 1))
        with code.loop(players) as p:
            hand = _suits(hands, p * _SET + at)
            shared = _suits(board, at) if table else hand
            if table and not split:
                c, d, h, s = (ours | other for ours, other in zip(hand, shared, strict=True))
                hand = c, d, h, s
            for name, winner in zip(names, found, strict=True):
                numbers = _split_compared(name, hand, shared) if split else _compared(name, size, hand)
                winner.meet(numbers, bit.get())
            bit.set(bit.get() << 1)
        for winner, out in zip(found, (winners, lows), strict=False):
            out.store(winner.mask(), half * _HALF)


def _suits(masks: Memory, at: Lane) -> Suits:
    c, d, h, s = (masks.load("words", at + suit * _HALF) for suit in range(4))
    return c, d, h, s


@llvm.built
def count_two(code: Code, winners: Memory, sums: Memory) -> None:
    """Adds the wins of two players to 32 sums for each; at most 32767 times."""
    for player in range(2):
        total = sums.load("words", player * _HALF)
        for half in range(2):
            mask = winners.load("words", half * _HALF)
            total = total + ((mask >> 1) if player else (mask & 1))
        sums.store(total, player * _HALF)


# -- the kernel -----------------------------------------------------------------------------------------------------


@cache
def _kernel(own: int, table: int, split: int, first: int, second: int, ranged: int) -> Any:
    # The kernel for hands of `own` cards with a board of `table` ones. It closes over plain integers.
    OWN, TABLE, SPLIT, FIRST, SECOND, RANGED = own, table, split, first, second, ranged  # noqa: N806
    SIZE, HAS_TABLE = own + table, int(table > 0)  # noqa: N806

    @kernel
    def deal_blocks(  # type: ignore[no-untyped-def]
        seed, first, blocks, deals, players, left, names, drawn, dealt_to, row_starts, row_counts, row_bits, masks,
        keep, other, row_places, row_sizes, row_columns, hasty, quads, words, draws, passed, held_cards, pool, rows,
        columns, hands, board, winners, lows, sums, state, lanes, counter, tally, record, outcomes,
    ):  # fmt: skip
        # Deals `blocks` blocks of BLOCK deals from number `first` on, none beyond deal number `deals`. `left` cards
        # are in the deck that `names` names, `drawn` columns are dealt from it, and the hands of `dealt_to` change
        # from deal to deal. Ranges are groups of players with alias tables of `row_counts` rows from `row_starts` on;
        # a row has `row_sizes` cards, as places in the deck in `row_places`, for the next ones of the columns
        # `row_columns`. A draw is broken off at the first collision if `hasty`. Where they have rows, `record` and
        # `outcomes` get the columns and the winners of all deals in turn. Returns the number of deals made, or -1 when
        # no compatible choice of hands turned up.
        width = players * 2 if SECOND >= 0 else players
        counted = width <= COUNTED_BITS
        pairs = players == 2 and SECOND < 0
        groups = row_starts.shape[0]
        fresh = drawn.shape[0]
        held = held_cards.shape[0] // GROUP
        made = 0
        for block in range(first, first + blocks):
            seed_lanes(state, lanes, seed, block)
            todo = min(BLOCK, deals - block * BLOCK)
            at_word = _POOL
            whole = 0
            for at in range(0, todo, GROUP):
                here = min(GROUP, todo - at)
                fill(lanes, quads, 2 * fresh)
                undecided = draw(words, fresh, left - held, draws)
                if undecided:
                    decide(undecided, words, left - held, draws, state)
                if RANGED:
                    i = 0
                    tries = 0
                    while i < here:
                        if at_word + groups > _POOL:
                            fill(lanes, pool, _POOL // 8)
                            at_word = 0
                        used = np.uint64(0)
                        apart = np.uint64(0)
                        for g in range(groups):
                            # The row of the alias table that the word times the number of rows stands for; what is
                            # left of the product decides between the row and its alias.
                            bits = row_bits[g]
                            product = (pool[np.uint64(at_word + g)] >> bits) * row_counts[g]
                            row = row_starts[g] + (product >> (np.uint64(64) - bits))
                            alias = other[row]
                            row = row if product << bits < keep[row] else alias
                            apart |= masks[row] & used
                            used |= masks[row]
                            rows[np.uint64(g * GROUP + i)] = row
                            if hasty and apart:
                                break
                        at_word += groups
                        # A draw in which hands collide is written over.
                        i += np.int64(apart == 0)
                        tries += 1
                        if tries > TRIES:
                            return -1
                    number = 0
                    for g in range(groups):
                        for c in range(row_sizes[g]):
                            for i in range(here):
                                row = rows[np.uint64(g * GROUP + i)]
                                held_cards[np.uint64(number * GROUP + i)] = row_places[row, np.uint64(c)]
                            number += 1
                    hold(held_cards, held, passed, names, row_columns, columns)
                deal(draws, passed, held, fresh, names, drawn, columns)
                for i in range(dealt_to.shape[0]):
                    collect(OWN, columns, dealt_to[i] * OWN, hands, dealt_to[i] * _SET)
                if TABLE:
                    collect(TABLE, columns, players * OWN, board, 0)
                showdown(SPLIT, SIZE, HAS_TABLE, FIRST, SECOND, hands, board, players, winners, lows)
                if pairs and here == GROUP:
                    count_two(winners, sums)
                    whole += GROUP
                else:
                    for i in range(here):
                        lane = (i & 1) * _HALF + (i >> 1)
                        outcome = np.int64(winners[lane])
                        if SECOND >= 0:
                            outcome |= np.int64(lows[lane]) << players
                        if counted:
                            counter[outcome] += 1
                        else:
                            spread(tally, players, outcome, 1)
                if record.shape[0]:
                    start = (block - first) * BLOCK + at
                    for i in range(here):
                        for c in range(record.shape[1]):
                            record[start + i, c] = columns[c * GROUP + i]
                        lane = (i & 1) * _HALF + (i >> 1)
                        outcomes[start + i] = winners[lane]
                        if SECOND >= 0:
                            outcomes[start + i] |= np.int64(lows[lane]) << players
            if whole:
                one = 0
                two = 0
                for i in range(_HALF):
                    one += sums[i]
                    two += sums[_HALF + i]
                    sums[i] = 0
                    sums[_HALF + i] = 0
                counter[3] += one + two - whole
                counter[1] += whole - two
                counter[2] += whole - one
            made += todo
        if counted:
            spread_all(tally, players, counter, width)
        return made

    return deal_blocks


def _aligned(size: int, kind: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    # Zeros that begin where a vector does not cross two lines of the cache.
    room = np.zeros(size * np.dtype(kind).itemsize + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + size * np.dtype(kind).itemsize].view(kind)


# -- from a spot to columns -----------------------------------------------------------------------------------------


class Form(NamedTuple):
    """What a kernel is compiled for: cards of a hand, of the board, whether hands take two of the one and three of
    the other, and the places of the halves' rankings (-1: no second half)."""

    own: int
    table: int
    split: int
    first: int
    second: int


def form_of(spot: Spot) -> Form | None:
    """The form of a question, None where the scalar engines must deal."""
    variant = spot.variant
    halves = variant.halves
    own, table = variant.hole_cards - int(spot.community), variant.board_cards + int(spot.community)
    selections = {half.selection for half in halves}
    if (
        not llvm.WORKS
        or spot.players > MOST_PLAYERS
        or variant.choices
        or variant.wild
        or variant.boards > 1
        or variant.showdown != SHOWDOWNS[0]
        or len(halves) > 2
        or len(selections) > 1
        or halves[0].ranking == "eight-or-better"
    ):
        return None
    split = selections == {SELECTIONS[1]}
    fits = (table == 5 and 2 <= own <= 6) if split else (selections == {SELECTIONS[0]} and 5 <= own + table <= 7)
    known = SPLIT_RANKINGS if split else RANKINGS
    if not fits or any(half.ranking not in known for half in halves):
        return None
    first, *second = (known.index(half.ranking) for half in halves)
    return Form(own, table, int(split), first, *(second or [-1]))


class Dealer:
    """Deals blocks of one question: `deal` may be called from several threads at once."""

    block = BLOCK

    def __init__(self, spot: Spot, form: Form, seed: int) -> None:
        self.players = players = spot.players
        self._form = form
        self._seed = np.uint64(seed)
        own, table = form.own, form.table
        # Whole or partial hands that are known, and ranges of several hands without the cards of those.
        known = [tuple(h.cards) if h is not None else () for h in spot.holdings]
        ranged = []
        for p in spot.ranged:
            if len(spot.ranges[p]) == 1:
                known[p] = tuple(spot.ranges[p].combos[0].tolist())
            else:
                ranged.append(p)
        written = {c for hand in known for c in hand}
        gone = {*spot.board, *spot.dead, *written}
        found = [_compatible(spot, p, written) for p in ranged]
        choices = prepare(
            ranged, [cards for cards, _ in found], [weights for _, weights in found],
            (tuple(sorted(spot.board)), tuple(sorted(spot.dead)), *(tuple(sorted(h)) for h in known if h)), seed,
        )  # fmt: skip
        self.acceptance = choices.acceptance
        # Blocks that a thread deals at a time: some milliseconds.
        self.chunk = 8 if ranged else max(8, 64 // players)

        deck = [c for c in spot.variant.deck if c not in gone]
        # In games of two plus three masks run from the ace down.
        self._codes = np.array([((12 - (c >> 2)) if form.split else c >> 2) << 4 | c & 3 for c in range(52)], np.uint8)
        names = np.zeros(64, np.uint8)
        names[: len(deck)] = self._codes[deck]
        places = np.zeros(256, np.uint8)
        places[deck] = np.arange(len(deck))

        columns = np.full(players * own + table, -1, np.int64)
        for p, hand in enumerate(known):
            columns[p * own : p * own + len(hand)] = hand
        columns[players * own : players * own + len(spot.board)] = spot.board
        sizes = {p: cards.shape[1] for p, (cards, _) in zip(ranged, found, strict=True)}
        self._held = sum(sizes.values())
        starts = choices.member_starts.tolist()
        groups = [choices.members[a:b].tolist() for a, b in pairwise(starts)]
        row_columns = np.array([p * own + c for members in groups for p in members for c in range(sizes[p])], np.int64)
        row_sizes = np.array([sum(sizes[p] for p in members) for members in groups], np.int64)
        from_rows = set(row_columns.tolist())
        drawn = np.array([i for i, c in enumerate(columns) if c < 0 and i not in from_rows], np.int64)
        self._columns = np.repeat(np.where(columns >= 0, self._codes[columns], 0).astype(np.uint8), GROUP)
        dealt_to = np.array([p for p, hand in enumerate(known) if len(hand) < own], np.int64)
        self._fresh = len(drawn)
        self._hands = np.zeros((players, 2, 4, _HALF), np.uint16)
        for p, hand in enumerate(known):
            for c in hand:
                code = int(self._codes[c])
                self._hands[p, :, code & 3] |= np.uint16(1 << (code >> 4))
        self._kernel = _kernel(*form, int(bool(ranged)))
        # An alias table in whole numbers. A word of 64 - bits bits chooses among the rows, so that their probabilities
        # are right to the number of rows over 2**(64 - bits).
        first = choices.row_starts[:-1]
        counts = np.diff(choices.row_starts)
        bits = np.array([max(1, int(n - 1).bit_length()) for n in counts], np.uint64)
        keep = np.minimum(choices.keep * 2.0**64, _ALWAYS).astype(np.uint64)
        self._fixed = (
            players, len(deck), names, drawn, dealt_to, first.astype(np.uint64), counts.astype(np.uint64), bits,
            choices.masks, keep, (choices.other + np.repeat(first, counts)).astype(np.uint64), places[choices.cards],
            row_sizes, row_columns, int(choices.acceptance < _HASTY),
        )  # fmt: skip

    def _run(
        self, first: int, blocks: int, deals: int, record: NDArray[np.uint8], outcomes: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        players, fresh, held = self.players, self._fresh, self._held
        tally = np.zeros((players, players + 1, players + 2), np.int64)
        # One vector more than is drawn, so that nothing is empty.
        quads = _aligned(16 * (fresh + 1), np.uint64)
        columns, hands = _aligned(self._columns.size, np.uint8), _aligned(self._hands.size, np.uint16)
        columns[:] = self._columns
        hands[:] = self._hands.reshape(-1)
        made = self._kernel(
            self._seed, first, blocks, deals, *self._fixed, quads, quads.view(np.uint16),
            _aligned(GROUP * (fresh + 1), np.uint8), _aligned(GROUP * (fresh + held + 1), np.uint8),
            _aligned(GROUP * held, np.uint8), _aligned(_POOL, np.uint64),
            np.zeros(held * GROUP, np.uint64), columns, hands, _aligned(_SET, np.uint16),
            _aligned(GROUP, np.uint16), _aligned(GROUP, np.uint16), _aligned(GROUP, np.uint16),
            np.zeros(4, np.uint64), _aligned(32, np.uint64), np.zeros(1 << COUNTED_BITS, np.int64), tally, record,
            outcomes,
        )  # fmt: skip
        if made < 0:
            raise NoDealError(TOO_RARE)
        return tally

    def deal(self, first: int, blocks: int, deals: int) -> NDArray[np.int64]:
        """The tally of `blocks` blocks from number `first` on, none beyond deal number `deals`."""
        return self._run(first, blocks, deals, np.zeros((0, 0), np.uint8), np.zeros(0, np.int64))

    def dealt(self, first: int, deals: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The cards and the outcomes of the first deals of block `first`, for twins that evaluate them again.

        (deals, cards) uint8, each player's cards in turn and then the board, and (deals,) int64 (see
        `simulate.outcomes`).
        """
        record = np.zeros((deals, self._columns.size // GROUP), np.uint8)
        outcomes = np.zeros(deals, np.int64)
        self._run(first, 1, first * BLOCK + deals, record, outcomes)
        cards = np.zeros(256, np.uint8)
        cards[self._codes] = np.arange(52)
        return cards[record], outcomes


def _compatible(spot: Spot, player: int, written: set[int]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    # A range's hands without the written cards of other players, and their weights.
    combos, weights = spot.rows(player)
    free = ~np.isin(combos, list(written)).any(axis=1)
    if not free.any():
        text = spot.ranges[player].text
        raise NoDealError(f"the range '{text}' is empty: other players hold the cards of all its hands")
    return np.ascontiguousarray(combos[free]), np.ascontiguousarray(weights[free])


def dealer(spot: Spot, seed: int) -> Dealer | None:
    """A dealer for a question, None where lanes cannot deal it."""
    form = form_of(spot)
    return None if form is None else Dealer(spot, form, seed)

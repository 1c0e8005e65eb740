"""Strengths in vector registers: hands classified by bit operations on suit masks, 32 hands at a time.

A suit mask has bit r set for a card of rank r (deuce 0, ace 12). From the four of a hand, `and` and `or` give the
ranks held at least once, twice, three and four times; shifted `and`s find straights; clearing the lowest bit
drops the lowest kicker. What decides a hand is then a *shape* (a small number for its category), the ranks that
are paired or tripled (`primary`) and its kickers (`kickers`), both as rank masks.

* Kernels that compare hands in their own loops call `high7` and its like: from suit masks to two numbers that
  compare as the hands do, the first before the second. They are intrinsics of plain 16-bit code, which LLVM
  vectorises within the calling loop.
* `strengths_batch` gives the ranking's own strengths of rows of cards. The place of a set of n ranks among all
  such sets, in the order in which kickers compare, is the sum of C(p, i) over the i-th lowest rank p (the
  combinatorial number system: D. E. Knuth, TAOCP 4A, 7.2.1.3), p counted among the ranks that are not primary;
  the binomials come from permutations of constants. No table in memory is read, but for the few deuce-to-seven
  hands whose best ranks make a flush.
* `in_order` goes over all C(52, 7) hands.

Every form gives exactly the strengths of the ranking's tables; `tests/test_lanes.py` compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator import llvm
from potshare.evaluator.hand import card_mask, forced_value
from potshare.evaluator.llvm import Flag, Lane
from potshare.kernel import kernel
from potshare.tables import rank_tables

Suits = tuple[Lane, Lane, Lane, Lane]
"""The masks of clubs, diamonds, hearts and spades."""

Levels = tuple[Lane, Lane, Lane, Lane]
"""The ranks held at least once, twice, three times, four times."""

Parts = tuple[Lane, Lane, Lane]
"""Shape, primary, kickers."""


# Cards to masks.


def suit_masks(*cards: Lane) -> Suits:
    """The suit masks of cards given by number (`4 * rank + suit`).

    Cards differ, so parities are enough: of all cards of a rank, of those in odd suits, in the upper two suits,
    in spades. They cost less than a comparison with every suit.
    """
    every = odd = upper = spades = cards[0].constant(0)
    for card in cards:
        bit = card.constant(1) << (card >> 2)
        is_odd = -(card & 1)
        is_upper = -((card >> 1) & 1)
        every = every ^ bit
        odd = odd ^ (bit & is_odd)
        upper = upper ^ (bit & is_upper)
        spades = spades ^ (bit & is_odd & is_upper)
    d, h = odd ^ spades, upper ^ spades
    return every ^ d ^ h ^ spades, d, h, spades


def card_levels(*cards: Lane) -> Levels:
    """How often ranks occur in cards given by number."""
    one = two = three = four = cards[0].constant(0)
    for card in cards:
        bit = card.constant(1) << (card >> 2)
        four = four | (three & bit)
        three = three | (two & bit)
        two = two | (one & bit)
        one = one | bit
    return one, two, three, four


def suit_levels(c: Lane, d: Lane, h: Lane, s: Lane) -> Levels:
    """How often ranks occur in suit masks."""
    both, either = c & d, c | d
    both2, either2 = h & s, h | s
    two = both | both2 | (either & either2)
    return either | either2, two, (both & either2) | (both2 & either), both & both2


def _drop_lowest(mask: Lane) -> Lane:
    return mask & (mask - 1)


def _drop_lowest_where(mask: Lane, flag: Flag) -> Lane:
    return mask & (mask - flag.number(mask))


def _lowest(mask: Lane) -> Lane:
    return mask & -mask


def _top(mask: Lane, most: int) -> Lane:
    # The highest of at most `most` bits.
    for _ in range(most - 1):
        rest = _drop_lowest(mask)
        mask = rest.some().pick(rest, mask)
    return mask


# Places of rank sets, and strengths from them.


@dataclass(frozen=True)
class Scale:
    """From parts to strengths: `start[shape] + step[shape] * place of primary + place of kickers`.

    `five` is the binomial of the fifth kicker, less the straights below a set with that highest rank.
    """

    start: tuple[int, ...]
    step: tuple[int, ...]
    five: tuple[int, ...]

    def strength(self, shape: Lane, primary: Lane, kickers: Lane) -> Lane:
        """The place of the parts, counted from the first shape's `start`."""
        below = primary.less(1)
        second = _drop_lowest(primary)
        place = (below & ~primary).popcount() + second.less(1).popcount().look_up(_CHOOSE[2])
        total = shape.look_up(self.start) + shape.look_up(self.step) * place
        free = ~primary
        # An empty set has place 0: its rank comes out as 0 for the first kicker, as 14 to 16 for the others,
        # whose binomials count as 0.
        below = kickers.less(1)
        total = total + (below & ~kickers & free).popcount()
        for table in (_CHOOSE[2], _CHOOSE[3], _CHOOSE[4], self.five):
            kickers = kickers & below
            below = kickers - 1
            total = total + (below & ~kickers & free).popcount().look_up(table)
        return total


_CHOOSE = [tuple(comb(p, n) if p < 13 else 0 for p in range(16)) for n in range(6)]

# The shape of a high hand is `pairs + 3 * trips + 5 * quads`, each counting the better ones too, or one of three for
# straights and flushes.
_QUADS = 5
_FLUSH, _STRAIGHT, _STRAIGHT_FLUSH = 11, 12, 14
_SHAPES = {
    0: "high card", 1: "pair", 2: "two pair", 3: "two pair", 4: "three of a kind",
    5: "full house", 6: "full house", 8: "full house",
    9: "four of a kind", 10: "four of a kind", 13: "four of a kind",
    _FLUSH: "flush", _STRAIGHT: "straight", _STRAIGHT_FLUSH: "straight flush",
}  # fmt: skip
SHAPE_OF = {category: shape for shape, category in _SHAPES.items()}
"""A shape of each category."""


def _low_shapes() -> dict[int, str]:
    # The shape of a low hand: its number of ranks, plus 8 with two pairs or more.
    shapes = {ranks + more: "no pair" for ranks in (5, 6, 7) for more in (0, 8)}
    return shapes | {4: "pair", 12: "pair", 11: "two pair", 3: "three of a kind", 10: "full house", 2: "four of a kind"}


def _scale(shapes: dict[int, str], order: tuple[str, ...], ranks: int, straights: int, first: int = 1) -> Scale:
    # The scale of the categories of `order` over so many ranks. Straights are left out of the sets of five: the
    # runs below a set are those with a lower top, and the wheel where the set has the ace.
    wheel = straights > ranks - 4
    five = [comb(p, 5) - (max(p - 4, 0) + (wheel and p == ranks - 1) if straights else 0) for p in range(ranks)]
    unpaired = comb(ranks, 5) - straights
    step = {
        "pair": comb(ranks - 1, 3), "two pair": ranks - 2, "three of a kind": comb(ranks - 1, 2),
        "full house": ranks - 1, "four of a kind": ranks - 1, "straight": 1, "straight flush": 1,
    }  # fmt: skip
    places = {"two pair": comb(ranks, 2), "straight": straights, "straight flush": straights}
    start = {}
    for category in order:
        start[category] = first
        first += step[category] * places.get(category, ranks) if category in step else unpaired
    table = [shapes.get(shape, "") for shape in range(16)]
    return Scale(
        tuple(start.get(name, 0) for name in table),
        tuple(step.get(name, 0) for name in table),
        (*five, *[0] * (16 - ranks)),
    )


# High hands.


@dataclass(frozen=True)
class HighOrder:
    """An order of high hands: `order` of the categories, worst first, over the top `ranks` ranks."""

    order: tuple[str, ...]
    ranks: int = 13
    wheel: bool = True

    @property
    def trips_first(self) -> bool:
        """Whether three of a kind beats a straight."""
        return self.order.index("three of a kind") > self.order.index("straight")

    @property
    def scale(self) -> Scale:
        """The scale of strengths."""
        return _scale(_SHAPES, self.order, self.ranks, self.ranks - 4 + self.wheel)

    def _parts(self, size: int, suits: Suits, name: Callable[..., Lane]) -> Parts:
        """The parts of the best five of `size` cards (5 to 7); `name` makes a shape of what was found.

        No hand of at most seven cards with a flush has a full house or quads, so their mutual order is free. In
        a straight, `primary` is its lowest rank, counted from the ace below.
        """
        c, d, h, s = (suit >> (13 - self.ranks) for suit in suits) if self.ranks < 13 else suits
        one, two, three, four = suit_levels(c, d, h, s)
        pairs, trips, quads = two.popcount(), three.popcount(), four.some()
        flush_ranks = (c.popcount() > 4).pick(c, 0)
        for suit in (d, h, s):
            flush_ranks = (suit.popcount() > 4).pick(suit, flush_ranks)
        flush = flush_ranks.some()

        run = flush.pick(flush_ranks, three.some().pick(0, one) if self.trips_first else one)
        if self.wheel:
            run = (run << 1) | (run >> (self.ranks - 1))
        twos = run & (run >> 1)
        starts = twos & (twos >> 2) & (run >> 4)
        straight = starts.some()

        # Without a flush size - 5 kickers drop out, one less if the lowest of three pairs becomes a kicker; of
        # a flush so many ranks as it has more than five.
        third_pair = pairs > 2
        primary = _drop_lowest_where(two, third_pair) if size > 5 else two
        kickers = flush.pick(flush_ranks, one ^ primary)
        suited = flush_ranks.popcount() - 5
        for gone in range(1, size - 4):
            drops = suited > gone - 1
            kickers = _drop_lowest_where(kickers, drops if gone < size - 5 else drops & ~third_pair)
        # The starts of a long straight are neighbours; the highest has none above it.
        primary = straight.pick(starts & ~(starts >> 1), flush.pick(0, primary))
        kickers = straight.pick(0, kickers)

        full = (trips.some() & (pairs > 1)) | quads
        triple = quads.pick(four, _drop_lowest_where(three, trips > 1) if size > 5 else three)
        primary = full.pick(triple, primary)
        kickers = full.pick(_top(quads.pick(one, two) ^ triple, size - 4), kickers)
        return name(pairs, trips, quads, full, flush, straight), primary, kickers

    def strength(self, size: int, suits: Suits) -> Lane:
        """The strength of the best five of `size` cards."""
        return self.scale.strength(*self._parts(size, suits, _high_shape))

    def compared(self, size: int, suits: Suits) -> tuple[Lane, Lane]:
        """Two numbers that compare as the best five of `size` cards do, the first before the second."""
        shape, primary, kickers = self._parts(size, suits, self._word)
        return shape | primary, kickers

    @property
    def words(self) -> dict[str, int]:
        """Categories as numbers that, with the bits of `primary`, compare as the hands do.

        The place in the order in the upper three bits; a straight flush adds a bit to the best quads.
        """
        return {category: i << 13 for i, category in enumerate(self.order)} | {"straight flush": 0xF000}

    def _word(self, pairs: Lane, trips: Lane, quads: Flag, full: Flag, flush: Flag, straight: Flag) -> Lane:
        at = self.words
        word = trips.some().pick(at["three of a kind"], pairs.least(2) << 13)
        word = flush.pick(at["flush"], word)
        word = straight.pick(flush.pick(pairs.constant(at["straight flush"]), at["straight"]), word)
        return full.pick(quads.pick(pairs.constant(at["four of a kind"]), at["full house"]), word)


def _high_shape(pairs: Lane, trips: Lane, quads: Flag, full: Flag, flush: Flag, straight: Flag) -> Lane:
    shape = flush.pick(_FLUSH, pairs + trips * 3 + quads.pick(pairs.constant(_QUADS), 0))
    return straight.pick(flush.pick(pairs.constant(_STRAIGHT_FLUSH), _STRAIGHT), shape)


_ORDER = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip


def _swapped(order: tuple[str, ...], one: str, other: str) -> tuple[str, ...]:
    return tuple({one: other, other: one}.get(category, category) for category in order)


HIGH = HighOrder(_ORDER)
SHORT_DECK = HighOrder(_swapped(_ORDER, "flush", "full house"), ranks=9)
SHORT_DECK_TRIPS = HighOrder(_swapped(SHORT_DECK.order, "straight", "three of a kind"), ranks=9)
_ACE_HIGH = HighOrder(_ORDER, wheel=False)


# Low hands of any suits. Sets of ranks count the ace below the deuce.


def _ace_below(levels: Levels) -> Levels:
    one, two, three, four = map(_ace_below_bit, levels)
    return one, two, three, four


def _ace_below_bit(mask: Lane) -> Lane:
    return ((mask << 1) & 0x1FFF) | (mask >> 12)


_LOW_SHAPES = _low_shapes()
_LOW_ORDER = ("no pair", "pair", "two pair", "three of a kind", "full house", "four of a kind")
_LOW = _scale(_LOW_SHAPES, _LOW_ORDER, 13, 0, first=0)
_LOW_VALUES = 6175


def _low_primary(levels: Levels) -> tuple[Lane, Lane, Lane]:
    """Number of ranks, two pairs or more, primary of the best low of five to seven cards; straights apart.

    Five different ranks beat everything. With four, one is paired: the lowest possible. With three, two are
    paired, the lowest two, unless all pairs are of one rank. With two, the lower possible trips are full; five
    cards may be quads. The kickers are all the other ranks.
    """
    one, two, three, _ = levels
    ranks = one.popcount()
    pairs = _drop_lowest(two)
    primary = ranks.equals(3).pick(two ^ _drop_lowest(pairs), _lowest(two))
    primary = ranks.equals(2).pick(_lowest(three), primary)
    return ranks, pairs, (ranks > 4).pick(0, primary)


def ace_to_five(levels: Levels) -> Lane:
    """The strength of the best ace-to-five low of five to seven cards."""
    levels = _ace_below(levels)
    ranks, pairs, primary = _low_primary(levels)
    shape = ranks + pairs.some().pick(ranks.constant(8), 0)
    return -_LOW.strength(shape, primary, levels[0] ^ primary) + _LOW_VALUES


def _five_lowest(mask: Lane) -> Lane:
    rest = mask
    for _ in range(5):
        rest = _drop_lowest(rest)
    return mask ^ rest


def ace_to_five_compared(levels: Levels) -> tuple[Lane, Lane]:
    """Two numbers that compare as the best ace-to-five lows do, the first before the second."""
    levels = _ace_below(levels)
    ranks, pairs, primary = _low_primary(levels)
    word = (ranks > 4).pick(ranks.constant(0), 0x2000)
    word = ranks.equals(3).pick(pairs.some().pick(ranks.constant(0x4000), 0x6000), word)
    word = ranks.equals(2).pick(pairs.some().pick(ranks.constant(0x8000), 0xA000), word)
    return ~(word | primary), ~_five_lowest(levels[0] ^ primary)


def _eight(one: Lane) -> Lane:
    # Ace to eight, the ace as bit 0.
    return ((one << 1) & 0xFF) | (one >> 12)


def low_bit(card: Lane) -> Lane:
    """The rank of a card as a bit, ace to eight as bits 0 to 7; 0 for higher ranks."""
    return _eight(card.constant(1) << (card >> 2))


def low_set_strength(low: Lane) -> Lane:
    """The strength of a low by the mask of its ranks (of more than five the lowest count), ace to eight."""
    return -_LOW.strength(low.constant(5), low.constant(0), low) + comb(8, 5)


def eight_or_better(levels: Levels) -> Lane:
    """The strength of the best low of eight or better, 0 where there is none."""
    low = _eight(levels[0])
    return (low.popcount() > 4).pick(low_set_strength(low), 0)


def eight_or_better_compared(levels: Levels) -> Lane:
    """A number that compares as the best low of eight or better does, 0 where there is none."""
    low = _eight(levels[0])
    return (low.popcount() > 4).pick(_five_lowest(low) ^ 0xFF, 0)


def deuce_to_seven(size: int, suits: Suits) -> Lane:
    """The strength of the best deuce-to-seven low of five to seven cards, 0 where `redone` must say it.

    The ranks alone decide unless the best five are of one suit and no other cards have the same ranks: then 0,
    about one hand in two hundred. Five low ranks that are a straight give up their highest for the next rank, or
    where there is none a kicker for a pair.
    """
    if size == 5:
        return -_ACE_HIGH.strength(5, suits) + (_DEUCE_VALUES + 1)
    levels = suit_levels(*suits)
    one, two, _, _ = levels
    ranks, pairs, primary = _low_primary(levels)
    five = _five_lowest(one)
    runs = five & (five >> 1)
    straight = (runs & (runs >> 2) & (five >> 4)).some()
    top = five & ~(five >> 1)
    paired = straight & ranks.equals(5)
    five = straight.pick((five ^ top) | _lowest(one ^ five), five)
    primary = paired.pick(_lowest(two), primary)
    others = one ^ primary
    four_others = paired.pick(_drop_lowest(_drop_lowest(_drop_lowest(others))), 0)
    plain = primary.equals(0)
    kickers = plain.pick(five, others ^ four_others)

    shape = (ranks > 3).pick(
        plain.pick(primary.constant(SHAPE_OF["high card"]), SHAPE_OF["pair"]),
        pairs.some().pick(two.constant(SHAPE_OF["two pair"]), SHAPE_OF["three of a kind"]),
    )
    shape = ranks.equals(2).pick(SHAPE_OF["full house"], shape)
    strength = -_ACE_HIGH.scale.strength(shape, primary, kickers) + (_DEUCE_VALUES + 1)
    alike = (two & five).equals(0) & plain
    forced = (suits[0] & five).equals(five)
    for suit in suits[1:]:
        forced = forced | (suit & five).equals(five)
    return (alike & forced).pick(0, strength)


_DEUCE_VALUES = 7462


def badugi_compared(*cards: Lane) -> Lane:
    """A number that compares as badugis of one to four cards do: the size, then the ranks turned round.

    The best set of cards of which no two share a rank or a suit; all sets are tried.
    """
    bits = [_ace_below_bit(card.constant(1) << (card >> 2)) for card in cards]
    apart = {
        (i, j): (bits[i] ^ bits[j]).some() & ((cards[i] ^ cards[j]) & 3).some()
        for i, j in combinations(range(len(cards)), 2)
    }
    best = cards[0].constant(0)
    for size in range(1, 1 + len(cards)):
        for chosen in combinations(range(len(cards)), size):
            mask = bits[chosen[0]]
            for i in chosen[1:]:
                mask = mask | bits[i]
            value = (mask ^ 0x1FFF) | (size << 13)
            for pair in combinations(chosen, 2):
                value = apart[pair].pick(value, 0)
            best = best.most(value)
    return best


def badugi(*cards: Lane) -> Lane:
    """The strength of the best badugi of four cards."""
    best = badugi_compared(*cards)
    values = [sum(comb(13, n) for n in range(1, size + 1)) if size < 5 else 0 for size in range(16)]
    place = _LOW.strength(best.constant(5), best.constant(0), ~best & 0x1FFF)
    return (best >> 13).look_up(values) - place


# For kernels, in their own loops: suit masks (uint16) in; of two numbers the first compares before the second.


@llvm.scalar(2)
def high5(c: Any, d: Any, h: Any, s: Any) -> Any:
    """Five cards, `high`."""
    return HIGH.compared(5, (c, d, h, s))


@llvm.scalar(2)
def high6(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best five of six cards, `high`."""
    return HIGH.compared(6, (c, d, h, s))


@llvm.scalar(2)
def high7(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best five of seven cards, `high`."""
    return HIGH.compared(7, (c, d, h, s))


@llvm.scalar(2)
def short_deck7(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best five of seven cards, `short-deck`."""
    return SHORT_DECK.compared(7, (c, d, h, s))


@llvm.scalar(2)
def short_deck_trips7(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best five of seven cards, `short-deck-trips`."""
    return SHORT_DECK_TRIPS.compared(7, (c, d, h, s))


@llvm.scalar(2)
def ace_to_five_low(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best five of five to seven cards, `ace-to-five`."""
    return ace_to_five_compared(suit_levels(c, d, h, s))


@llvm.scalar()
def eight_or_better_low(c: Any, d: Any, h: Any, s: Any) -> Any:
    """The best low of any number of cards, `eight-or-better`; one number, 0 for none."""
    return eight_or_better_compared(suit_levels(c, d, h, s))


@llvm.scalar()
def badugi4(one: Any, two: Any, three: Any, four: Any) -> Any:
    """Four cards by number, `badugi`; one number."""
    return badugi_compared(one, two, three, four)


# Batches.

Form = Callable[..., Lane]
"""From cards to strength."""


def _of_suits(strength: Callable[[Suits], Lane]) -> Form:
    return lambda *cards: strength(suit_masks(*cards))


def _of_levels(strength: Callable[[Levels], Lane]) -> Form:
    return lambda *cards: strength(card_levels(*cards))


def _of_high(order: HighOrder, size: int) -> Form:
    return _of_suits(lambda suits: order.strength(size, suits))


def _of_deuce(size: int) -> Form:
    return _of_suits(lambda suits: deuce_to_seven(size, suits))


FORMS: dict[tuple[str, int], Form] = {
    **{("high", size): _of_high(HIGH, size) for size in (5, 6, 7)},
    **{("short-deck", size): _of_high(SHORT_DECK, size) for size in (5, 6, 7)},
    **{("short-deck-trips", size): _of_high(SHORT_DECK_TRIPS, size) for size in (5, 6, 7)},
    **{("ace-to-five", size): _of_levels(ace_to_five) for size in (5, 6, 7)},
    **{("eight-or-better", size): _of_levels(eight_or_better) for size in (5, 6, 7)},
    **{("deuce-to-seven", size): _of_deuce(size) for size in (5, 6, 7)},
    ("badugi", 4): badugi,
}
"""The rankings and numbers of cards that have a vector form."""

_PLACES = {which: i for i, which in enumerate(FORMS)}

GROUP = llvm.ROWS
"""Hands that are evaluated at a time."""

LEAST = 4 * GROUP
"""Below this many hands other ways are as fast and need no compiling."""

_group_strengths = llvm.rows([(size, form) for (_, size), form in FORMS.items()])
merged_strengths = llvm.merged(lambda *suits: HIGH.strength(7, suits))
"""For kernels: seven-card high strengths of 32 hole hands with one board; see `llvm.merged` for the arguments."""


@cache
def _kernel(form: int) -> Any:
    # One compiled function a form: it specialises on a plain integer, as the compiler's cache needs.
    @kernel
    def group_strengths(cards, groups, out):  # type: ignore[no-untyped-def]
        for group in range(groups):
            _group_strengths(form, cards, group, out)

    return group_strengths


REST = 2 * GROUP
"""Room for the rows after the last group that can be read where it stands."""


def padded_rows(flat: NDArray[np.uint8], done: int, width: int) -> NDArray[np.uint8]:
    """The rows from `done` on, fewer than `REST`, in an array that vectors may read beyond."""
    rest = np.zeros(REST * width + llvm.BEYOND, np.uint8)
    rest[: flat.size - done * width] = flat[done * width :]
    return rest


def strengths_batch(cards: NDArray[np.uint8], ranking: str, out: NDArray[np.uint16]) -> bool:
    """Writes the strengths of rows of cards to `out`; False, and nothing written, where this way does not pay.

    `cards` is (n, k) uint8, C-contiguous, of valid different cards (others give meaningless numbers), and `out`
    (n,) uint16, C-contiguous. It pays from `LEAST` hands on, for the rankings and numbers of cards that have a
    vector form, on processors with 256-bit integer vectors or more. The strengths are those of the ranking's
    tables. Releases the GIL.
    """
    n, size = cards.shape
    form = _PLACES.get((ranking, size))
    if form is None or n < LEAST or not llvm.FAST:
        return False
    group_strengths = _kernel(form)
    flat = cards.reshape(-1)
    groups = max(0, (flat.size - llvm.BEYOND) // (GROUP * size))
    group_strengths(flat, groups, out)
    done = groups * GROUP
    if done < n:
        found = np.empty(REST, np.uint16)
        group_strengths(padded_rows(flat, done, size), REST // GROUP, found)
        out[done:] = found[: n - done]
    if ranking == "deuce-to-seven":
        redone(cards, *rank_tables(ranking), out)
    return True


@kernel
def redone(cards, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
    """Fills in the strengths that `deuce_to_seven` left at 0, from the tables."""
    for i in range(cards.shape[0]):
        if out[i] == 0:
            total = key[63]
            mask = np.uint64(0)
            for j in range(cards.shape[1]):
                total += key[cards[i, j]]
                mask |= card_mask(cards[i, j])
            out[i] = forced_value(total, mask, key, offset, value, flush)


@kernel
def _greatest(cards):  # type: ignore[no-untyped-def]
    greatest = np.uint8(0)
    for i in range(cards.size):
        card = cards[i]
        greatest = card if card > greatest else greatest
    return greatest


def greatest_card(cards: NDArray[np.uint8]) -> int:
    """The greatest number in a C-contiguous uint8 array, 0 for an empty one."""
    return int(_greatest(cards.reshape(-1)))


# All hands in order.

HANDS7 = comb(52, 7)

IN_ORDER_SUM = 450_468_187_308
IN_ORDER_MIXED = 14_720_237_218_272_099_708
"""What `in_order` returns."""


@cache
def _triples() -> tuple[NDArray[np.uint16], int]:
    """The suit masks of all three-card sets, and how many there are to a suit.

    Sets are in colexicographic order (by the highest card, then the next), so those below any card come first.
    """
    cards = np.array(sorted(combinations(range(52), 3), key=lambda three: three[::-1]), np.int64)
    step = len(cards) + llvm.WIDTH
    masks = np.zeros((4, step), np.uint16)
    rows = np.repeat(np.arange(len(cards)), 3)
    np.bitwise_or.at(masks, (cards.ravel() & 3, rows), (1 << (cards.ravel() >> 2)).astype(np.uint16))
    return masks.reshape(-1), step


@kernel
def _in_order(triples, step, scratch, sums):  # type: ignore[no-untyped-def]
    for top in range(6, 52):
        first = card_mask(top)
        for second in range(5, top):
            two = first | card_mask(second)
            for third in range(4, second):
                three = two | card_mask(third)
                for fourth in range(3, third):
                    four = three | card_mask(fourth)
                    c, d = np.uint16(four), np.uint16(four >> np.uint64(16))
                    h, s = np.uint16(four >> np.uint64(32)), np.uint16(four >> np.uint64(48))
                    n = fourth * (fourth - 1) * (fourth - 2) // 6
                    for at in range(0, n, _STRIDE):
                        merged_strengths(triples, at, step, c, d, h, s, scratch, at)
                    here = np.uint32(0)
                    mixed = np.uint32(0)
                    for i in range(n):
                        here = np.uint32(here + np.uint32(scratch[i]))
                        mixed = np.uint32(mixed + np.uint32(np.uint32(scratch[i]) * np.uint32(i)))
                    sums[0] += np.uint64(here)
                    sums[1] = sums[1] * np.uint64(31) + np.uint64(mixed)


_STRIDE = llvm.WIDTH


def in_order() -> tuple[int, int]:
    """The strengths of all C(52, 7) hands in colexicographic order, as two checksums.

    The first is their sum. The second depends on the order: for the hands that share their four highest cards,
    the sum of each strength times its place among them, modulo 2**32; over these sums in turn `m = 31 * m + sum`
    modulo 2**64. Takes about 50 ms.
    """
    triples, step = _triples()
    sums = np.zeros(2, np.uint64)
    _in_order(triples, step, np.zeros(step, np.uint16), sums)
    return int(sums[0]), int(sums[1])

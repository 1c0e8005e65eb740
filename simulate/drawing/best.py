"""The best discard of every hand with so many draws left: the table behind the policy `best`.

Backward induction. With no draw left a hand is worth its expected share of the pot against opponents whose final
hands are independent of it; with k draws left it is worth the most that a legal discard brings, the mean of the
worth with k - 1 left over every way to replace the discards from the cards that the player has not seen in this
hand. The opponents follow the table too: their final hands come from the table of the round before, until
following a new one gains less than `GAIN` of the pot. What is left out: cards of the opponents that the player holds
himself, how many cards they drew, and cards thrown away in earlier draws.

All means at once. For a set of cards K let S(K) be the worth of all hands that contain K, summed; S of one size comes
from S of the next. Hands that keep K and get none of the discards D back are counted by inclusion and exclusion,
the sum over T of D of (-1)^|T| S(K + T): for all subsets K of one hand together that is a Möbius transform of 2^n
numbers. The distribution of what becomes of hands is the transposed computation.

Suits that no ranking tells apart are interchangeable: all is computed for one set of cards of each class under
renaming of suits (134,459 of the 2,598,960 hands of five). A set of cards is found by its place in colexicographic
order, the sum of C(card, position).
"""

from __future__ import annotations

import contextlib
import hashlib
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from potshare import kernel as kernels
from potshare.errors import PotshareError
from potshare.evaluator.arrays import for_size
from potshare.evaluator.hand import SPADES
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import kernel, leaf
from potshare.simulate.exact.completions import strengths_with
from potshare.simulate.output import Target
from potshare.simulate.variants import SHOWDOWNS, Variant

GAIN = 1e-5
"""The opponents' policy is good enough when the best answer to it gains less than this share of the pot."""

MOST_ROUNDS = 40
"""Rounds of answering the policy of the round before, at most."""

MOST_HANDS = 30_000_000
"""No table is made for games with more hands."""

CHOOSE: NDArray[np.int64] = np.array([[comb(n, k) for k in range(9)] for n in range(64)], np.int64)
"""C(n, k), by which a set of cards is found."""

_EVEN = 1e-12
_PIECE = 16_384


@leaf
def place_of(cards, row, size, choose):  # type: ignore[no-untyped-def]
    """The place of a row of `size` ascending cards among the sets of that size."""
    place = np.int64(0)
    for j in range(size):
        place += choose[cards[row, j], j + 1]
    return place


@leaf
def kept_of(hands, p, n, lowest, choose, table, row):  # type: ignore[no-untyped-def]
    """The positions that a player keeps by a row of `Table.masks`; `lowest` is the first card of the deck."""
    place = np.int64(0)
    order = np.int64(0)
    for j in range(n):
        rank = np.int64(0)
        for i in range(n):
            if hands[p, i] < hands[p, j]:
                rank += 1
        place += choose[hands[p, j] - lowest, rank + 1]
        order |= rank << (4 * j)
    found = np.int64(table[row, place])
    kept = np.int64(0)
    for j in range(n):
        kept |= ((found >> ((order >> (4 * j)) & 15)) & 1) << j
    return kept


@leaf
def _rename(at, size, plain, moved):  # type: ignore[no-untyped-def]
    # The set of ascending cards `at` with its suits renamed into the order of their ranks, ascending, in row 0 of
    # `moved`, and in row 1 where each card went.
    ranks = np.int64(0)  # 13 bits a suit
    for j in range(size):
        if at[j] < plain:
            ranks |= np.int64(1) << (13 * (at[j] & 3) + (at[j] >> 2))
    for j in range(size):
        card = at[j]
        if card < plain:
            suit = card & 3
            own = (ranks >> (13 * suit)) & 8191
            name = np.int64(0)
            for t in range(4):
                other = (ranks >> (13 * t)) & 8191
                if other > own or (other == own and t < suit):
                    name += 1
            card = (card & ~3) | name
        to = j
        while to > 0 and moved[0, to - 1] > card:
            moved[0, to] = moved[0, to - 1]
            to -= 1
        moved[0, to] = card
        for i in range(j):
            if moved[1, i] >= to:
                moved[1, i] += 1
        moved[1, j] = to


@kernel
def _class_places(first, last, size, plain, symmetric, choose, at, moved, out):  # type: ignore[no-untyped-def]
    # For the sets number `first` to `last` of a size the place of the set that stands for their class.
    _unrank(first, size, choose, at)
    for i in range(first, last):
        if symmetric:
            _rename(at, size, plain, moved)
            out[i] = place_of(moved, 0, size, choose)
        else:
            out[i] = i
        _next(at, size)


@leaf
def _unrank(place, size, choose, at):  # type: ignore[no-untyped-def]
    card = 63
    for j in range(size - 1, -1, -1):
        while choose[card, j + 1] > place:
            card -= 1
        at[j] = card
        place -= choose[card, j + 1]


@leaf
def _next(at, size):  # type: ignore[no-untyped-def]
    # The next set in colexicographic order.
    j = 0
    while j < size - 1 and at[j] + 1 == at[j + 1]:
        at[j] = j
        j += 1
    if size:
        at[j] += 1


@kernel
def _members(places, size, choose, at, out):  # type: ignore[no-untyped-def]
    # The cards of the sets of those places.
    for i in range(places.shape[0]):
        _unrank(places[i], size, choose, at)
        for j in range(size):
            out[i, j] = at[j]


@kernel
def _sum_down(first, last, size, n, cards, choose, base, classes, members, sums):  # type: ignore[no-untyped-def]
    # S of the classes `first` to `last`, sets of `size` cards, from S of sets with one more.
    for i in range(first, last):
        before = np.int64(0)
        after = np.int64(0)
        for j in range(size):
            after += choose[members[i, j], j + 2]
        j = 0
        total = 0.0
        for card in range(cards):
            if j < size and members[i, j] == card:
                after -= choose[card, j + 2]
                before += choose[card, j + 1]
                j += 1
                continue
            total += sums[classes[base + before + choose[card, j + 1] + after]]
        sums[i] = total / (n - size)


@kernel
def _sum_up(first, last, size, n, choose, base, classes, members, mass):  # type: ignore[no-untyped-def]
    # The transposed step: to classes `first` to `last`, sets of `size` cards, from sets with one less.
    for i in range(first, last):
        before = np.int64(0)
        after = np.int64(0)
        for j in range(1, size):
            after += choose[members[i, j], j]
        total = 0.0
        for j in range(size):
            total += mass[classes[base + before + after]]
            before += choose[members[i, j], j + 1]
            if j + 1 < size:
                after -= choose[members[i, j + 1], j + 1]
        mass[i] += total / (n - size + 1)


@kernel
def _best_kept(  # type: ignore[no-untyped-def]
    first, last, start, n, most, to_ace, free, masks, counts, ways, choose, base, classes, members, sums, subset, worth,
    kept,
):  # fmt: skip
    # For the hands `first` to `last` (of the classes from `start` on) the best mask of kept cards, and its worth.
    full = (1 << n) - 1
    for i in range(first, last):
        row = start + i
        for mask in range(full + 1):
            place = base[counts[mask]]
            k = 1
            for j in range(n):
                if (mask >> j) & 1:
                    place += choose[members[row, j], k]
                    k += 1
            subset[mask] = sums[classes[place]]
        for j in range(n):
            for mask in range(full + 1):
                if not (mask >> j) & 1:
                    subset[mask] -= subset[mask | (1 << j)]
        best = -1.0
        for m in range(full + 1):
            mask = masks[m]
            thrown = n - counts[mask]
            legal = thrown <= most
            if not legal and counts[mask] == 1 and thrown <= to_ace:
                for j in range(n):
                    if (mask >> j) & 1:
                        legal = free[members[row, j]]
            if not legal or ways[thrown] == 0:
                continue
            value = subset[mask] / ways[thrown]
            # Of discards that are worth the same, the one of fewest cards.
            if value > best + _EVEN:
                best = value
                kept[i] = mask
        worth[i] = best


@kernel
def _spread(start, n, counts, ways, choose, base, classes, members, mass, kept, out):  # type: ignore[no-untyped-def]
    # What becomes of hands: the mass of each class of hands goes to the sets K + T, T of the discards, with signs.
    for i in range(mass.shape[0]):
        keep = np.int64(kept[i])
        thrown = ((1 << n) - 1) ^ keep
        each = mass[i] / ways[n - counts[keep]]
        row = start + i
        some = thrown
        while True:
            mask = keep | some
            place = base[counts[mask]]
            k = 1
            for j in range(n):
                if (mask >> j) & 1:
                    place += choose[members[row, j], k]
                    k += 1
            if counts[some] & 1:
                out[classes[place]] -= each
            else:
                out[classes[place]] += each
            if some == 0:
                break
            some = (some - 1) & thrown


@kernel
def _to_hands(first, last, n, plain, symmetric, choose, classes, kept, at, moved, out):  # type: ignore[no-untyped-def]
    # The masks of the hands number `first` to `last` from those of their classes.
    _unrank(first, n, choose, at)
    for i in range(first, last):
        found = np.int64(kept[classes[i]])
        if symmetric:
            _rename(at, n, plain, moved)
            mask = np.int64(0)
            for j in range(n):
                mask |= ((found >> moved[1, j]) & 1) << j
            found = mask
        out[i] = found
        _next(at, n)


# -- classes of sets of cards ---------------------------------------------------------------------------------------


class _Sets:
    # The sets of up to `n` cards of a deck, by classes under renaming of suits. `base[s]` is where the sets of size s
    # begin in `classes`, which has the number of the class of each, `start[s]` the first class of that size.

    def __init__(self, cards: int, plain: int, n: int, symmetric: bool) -> None:
        self.cards, self.plain, self.n, self.symmetric = cards, plain, n, symmetric
        sizes = [comb(cards, s) for s in range(n + 1)]
        self.base = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.classes = np.empty(int(self.base[-1]), np.int32)
        self.start = [0]
        members, orbits = [], []
        at = np.zeros(8, np.int64)
        for s, total in enumerate(sizes):
            places = np.empty(total, np.int32)
            for first in range(0, total, 1 << 20):
                last = min(total, first + (1 << 20))
                _class_places(first, last, s, plain, symmetric, CHOOSE, at, np.zeros((2, 8), np.int64), places)
            own = np.flatnonzero(places == np.arange(total, dtype=np.int32))
            number = np.zeros(total, np.int32)
            number[own] = np.arange(len(own), dtype=np.int32)
            found = number[places]
            self.classes[self.base[s] : self.base[s + 1]] = found + self.start[-1]
            row = np.zeros((len(own), n), np.uint8)
            _members(own, s, CHOOSE, at, row)
            members.append(row)
            orbits.append(np.bincount(found, minlength=len(own)))
            self.start.append(self.start[-1] + len(own))
        self.members = np.concatenate(members)
        self.orbits = np.concatenate(orbits).astype(np.float64)

    @property
    def hands(self) -> slice:
        """The classes of whole hands."""
        return slice(self.start[self.n], self.start[self.n + 1])

    def sums(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """S of every class."""
        found = np.zeros(self.start[-1])
        found[self.hands] = worth
        for s in range(self.n - 1, -1, -1):
            _sum_down(
                self.start[s], self.start[s + 1], s, self.n, self.cards, CHOOSE, self.base[s + 1], self.classes,
                self.members, found,
            )  # fmt: skip
        return found

    def gather(self, mass: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mass of each class of hands from that of the classes of its subsets."""
        found = mass / self.orbits
        for s in range(1, self.n + 1):
            _sum_up(
                self.start[s], self.start[s + 1], s, self.n, CHOOSE, self.base[s - 1], self.classes, self.members, found
            )
        return np.asarray(found[self.hands] * self.orbits[self.hands])


# -- from a variant to its table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exchange:
    """One draw: how many cards may go, and how many when the one kept is an ace or wild (0: no exception)."""

    most: int
    to_ace: int = 0


def exchanges(variant: Variant) -> tuple[Exchange, ...]:
    """The draws and swaps of a game that a table decides, the first one first; none for games without a table.

    A table needs hands that are complete before the first draw and are all that counts at the showdown.
    """
    choices = [i for i, s in enumerate(variant.streets) if s.draw or s.swap]
    if (
        not choices
        or any(s.discard for s in variant.streets)
        or any(s.down + s.up for s in variant.streets[choices[0] :])
        or variant.board_cards
        or variant.showdown != SHOWDOWNS[0]
        or any(h.selection != "best five" for h in variant.halves)
        or comb(len(variant.deck), variant.hole_cards) > MOST_HANDS
    ):
        return ()
    found: list[Exchange] = []
    for i in choices:
        street = variant.streets[i]
        to_ace = street.draw_to_ace if street.draw_to_ace > street.draw else 0
        found += [Exchange(street.draw, to_ace)] if street.draw else [Exchange(1)] * street.swap
    return tuple(found)


@dataclass(frozen=True)
class Table:
    """The best discards of a game.

    `masks` (draws, hands) uint8: row k for k + 1 draws left, bit i for keeping the i-th lowest card; hands stand in
    colexicographic order of their cards. `rounds` were computed, the last of which gained `gain` of the pot.
    """

    masks: NDArray[np.uint8]
    rounds: int
    gain: float


def shares(mass: NDArray[np.float64], strengths: Sequence[NDArray[np.uint16]], opponents: int) -> NDArray[np.float64]:
    """The expected share of the pot of each hand against opponents who have one with probability `mass` each.

    `strengths` has an array for each half of the pot; a second half that nobody has goes to the first.
    """
    whole = _half_shares(mass, strengths[0], opponents)
    if len(strengths) == 1:
        return whole
    none = strengths[1] == 0
    second = np.where(none, 0.0, _half_shares(mass, strengths[1], opponents))
    if none.any():
        second += np.where(none, _half_shares(np.where(none, mass, 0.0), strengths[0], opponents), 0.0)
    return (whole + second) / 2


def _half_shares(mass: NDArray[np.float64], strengths: NDArray[np.uint16], opponents: int) -> NDArray[np.float64]:
    # With b the probability of a weaker hand and a of one that is no better, opponents n: the mean of 1 / (1 + level
    # ones) where none is better is the sum over j = 0..n of a^j b^(n - j), divided by n + 1.
    by_strength = np.bincount(strengths, weights=mass, minlength=int(strengths.max()) + 1)
    level = np.cumsum(by_strength)
    weaker = level - by_strength
    found = np.zeros(len(level))
    for j in range(opponents + 1):
        found += level**j * weaker ** (opponents - j)
    found[0] = 0.0
    return np.asarray(found[strengths] / (opponents + 1))


_MOST_KEPT = 8
_known: dict[str, Table] = {}
_MAGIC = b"PSDRAW1\0"
_HEAD = struct.Struct("<8sIIQdI")


def table(variant: Variant, players: int, progress: Callable[[float], None] | None = None) -> Table:
    """The table of a game for so many players; see `exchanges` for which games have one.

    It is made on first use, in a second or two (hands of six cards: ten), and kept with the compiled code.
    """
    key = (variant.deck, variant.hole_cards, exchanges(variant), [h.ranking for h in variant.halves], players, GAIN)
    name = hashlib.blake2b(repr(key).encode(), digest_size=8).hexdigest()
    found = _known.get(name)
    if found is None:
        path = Path(kernels.CACHE, f"discards-{name}.bin") if kernels.CACHE else None
        found = _read(path) if path else None
        if found is None:
            found = _solve(variant, players, progress)
            if path:
                _write(path, found)
        while len(_known) >= _MOST_KEPT:
            del _known[next(iter(_known))]
        _known[name] = found
    return found


def _read(path: Path) -> Table | None:
    # The table of a file; None where it is missing or damaged.
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    if len(raw) < _HEAD.size:
        return None
    magic, draws, rounds, hands, gain, check = _HEAD.unpack_from(raw)
    masks = np.frombuffer(raw, np.uint8, offset=_HEAD.size)
    if magic != _MAGIC or len(masks) != draws * hands or zlib.crc32(masks.data) != check:
        return None
    # Read-only arrays are another type to Numba.
    return Table(masks.reshape(draws, hands).copy(), rounds, gain)


def _write(path: Path, found: Table) -> None:
    draws, hands = found.masks.shape
    # What cannot be kept is made again.
    with contextlib.suppress(PotshareError, OSError), Target(path) as target:
        target.file.write(_HEAD.pack(_MAGIC, draws, found.rounds, hands, found.gain, zlib.crc32(found.masks.data)))
        target.file.write(found.masks.data)


def _solve(variant: Variant, players: int, progress: Callable[[float], None] | None) -> Table:
    n, deck = variant.hole_cards, variant.deck
    lowest = deck[0]
    steps = exchanges(variant)[::-1]
    rankings = [find_ranking(half.ranking) for half in variant.halves]
    symmetric = lowest % 4 == 0 and all(r.kind != SPADES for r in rankings)
    sets = _Sets(len(deck), len(deck) - variant.jokers, n, symmetric)
    hands = sets.members[sets.hands] + np.uint8(lowest)
    strengths = [strengths_with(r if r.name == "badugi" else for_size(r, n), (), hands) for r in rankings]

    counts = np.array([mask.bit_count() for mask in range(1 << n)], np.int64)
    masks = np.array(sorted(range(1 << n), key=lambda mask: (-mask.bit_count(), mask)), np.int64)
    ways = np.array([comb(len(deck) - n, thrown) for thrown in range(n + 1)], np.float64)
    free = np.array([c >> 2 == 12 or c in variant.wild_cards for c in deck])
    dealt = sets.orbits[sets.hands] / comb(len(deck), n)
    start, number = sets.start[n], len(hands)

    def best(step: Exchange, worth: NDArray[np.float64], kept: NDArray[np.uint8]) -> NDArray[np.float64]:
        sums = sets.sums(worth)
        found = np.empty(number)
        for first in range(0, number, _PIECE):
            _best_kept(
                first, min(number, first + _PIECE), start, n, step.most, step.to_ace, free, masks, counts, ways, CHOOSE,
                sets.base, sets.classes, sets.members, sums, np.empty(1 << n), found, kept,
            )  # fmt: skip
        return found

    def after(mass: NDArray[np.float64], kept: NDArray[np.uint8]) -> NDArray[np.float64]:
        out = np.zeros(sets.start[-1])
        _spread(start, n, counts, ways, CHOOSE, sets.base, sets.classes, sets.members, mass, kept, out)
        return np.maximum(sets.gather(out), 0.0)

    kept = np.full((len(steps), number), (1 << n) - 1, np.uint8)
    gain, rounds = 1.0, 0
    while gain > GAIN and rounds < MOST_ROUNDS:
        final = dealt
        for k in range(len(steps) - 1, -1, -1):
            final = after(final, kept[k])
        worth = shares(final, strengths, players - 1)
        for k, step in enumerate(steps):
            worth = best(step, worth, kept[k])
        rounds += 1
        # Everybody following the same policy gets an equal part.
        gain = float(np.dot(dealt, worth)) - 1 / players
        if progress:
            progress(rounds / MOST_ROUNDS)
    out = np.empty((len(steps), comb(len(deck), n)), np.uint8)
    at, moved = np.zeros(8, np.int64), np.zeros((2, 8), np.int64)
    of_hands = sets.classes[sets.base[n] :] - np.int32(start)
    for k in range(len(steps)):
        for first in range(0, out.shape[1], 1 << 20):
            last = min(out.shape[1], first + (1 << 20))
            _to_hands(first, last, n, sets.plain, symmetric, CHOOSE, of_hands, kept[k], at, moved, out[k])
    return Table(out, rounds, gain)

"""Category counts over whole domains, up to all 133,784,560 hands of seven cards, against known frequencies."""

from collections import Counter
from functools import cache
from math import comb

import frequencies as known
import numpy as np
import pytest
import twins

import potshare as ps
from potshare.evaluator.hand import card_mask, count_bits, strength_of
from potshare.kernel import kernel, leaf


@cache
def counting(kind):
    @kernel
    def count(size, lowest, limit, at, totals, masks, key, offset, value, flush, histogram):
        depth = 0
        at[0] = lowest
        totals[0] = key[63]
        masks[0] = np.uint64(0)
        while depth >= 0:
            card = at[depth]
            if card > limit - size + depth:
                depth -= 1
            elif depth < size - 1:
                totals[depth + 1] = totals[depth] + key[card]
                masks[depth + 1] = masks[depth] | card_mask(card)
                at[depth + 1] = card + 1
                depth += 1
                continue
            else:
                total, mask = totals[depth], masks[depth]
                for last in range(card, limit):
                    more = total + key[last]
                    histogram[strength_of(kind, more, mask | card_mask(last), key, offset, value, flush)] += 1
                depth -= 1
            if depth >= 0:
                at[depth] += 1

    return count


@cache
def histogram(name, size):
    """(values + 1,) int64: how many hands of `size` cards of the ranking's deck have each strength."""
    ranking = ps.find_ranking(name)
    found = np.zeros(ranking.values + 1, np.int64)
    counting(ranking.kind)(
        size, ranking.lowest, 52 + ranking.wilds.jokers, np.zeros(8, np.int64), np.zeros(8, np.uint64),
        np.zeros(8, np.uint64), *ranking.tables, found,
    )  # fmt: skip
    assert found.sum() == comb(52 + ranking.wilds.jokers - ranking.lowest, size)
    return found


def by_category(name, counts):
    ranking = ps.find_ranking(name)
    bounds = (*ranking.starts, ranking.values + 1)
    return {
        category: int(counts[start:end].sum())
        for category, start, end in zip(ranking.categories, bounds, bounds[1:], strict=False)
    }


def by_top(name, category, counts, ace):
    """Hands of a category by their top card, the ace counted as `ace`."""
    ranking = ps.find_ranking(name)
    found = Counter()
    for strength in range(1, ranking.values + 1):
        rung = ranking.rung(strength)
        if category is None or ranking.categories[rung.category] == category:
            found[ace if rung.ranks[0] == 12 else rung.ranks[0] + 2] += int(counts[strength])
    return {top: n for top, n in found.items() if n}


def without(row, *names):
    return {name: n for name, n in row.items() if name not in names}


@pytest.mark.parametrize("size", [5, 6, 7])
def test_high(size):
    counts = histogram("high", size)
    assert by_category("high", counts) == without(known.HIGH[size], "royal flush")
    assert counts[-1] == known.HIGH[size]["royal flush"]


@pytest.mark.parametrize("size", [5, 6])
def test_high_values(size):
    assert by_category("high", histogram("high", size) > 0) == without(known.HIGH_VALUES[size], "distinct")


@pytest.mark.parametrize(("name", "size"), known.VALUES)
def test_number_of_values(name, size):
    assert np.count_nonzero(histogram(name, size)[1:]) == known.VALUES[name, size]


@pytest.mark.parametrize("size", [5, 7])
def test_ace_to_five(size):
    categories, tops = known.ACE_TO_FIVE[size]
    counts = histogram("ace-to-five", size)
    assert by_category("ace-to-five", counts) == categories
    assert by_top("ace-to-five", "no pair", counts, 1) == tops


@pytest.mark.parametrize("size", [6, 7])
def test_eight_or_better(size):
    counts = histogram("eight-or-better", size)
    assert by_top("eight-or-better", None, counts, 1) == known.EIGHT_OR_BETTER[size]
    names = ("five low", "six low", "seven low", "eight low")
    by_name = dict(zip(names, known.EIGHT_OR_BETTER[size].values(), strict=True))
    assert by_category("eight-or-better", counts) == by_name
    assert counts[0] == comb(52, size) - sum(by_name.values())


def test_deuce_to_seven():
    categories, tops = known.DEUCE_TO_SEVEN
    counts = histogram("deuce-to-seven", 5)
    assert by_category("deuce-to-seven", counts) == categories
    assert by_top("deuce-to-seven", "no pair", counts, 14) == tops


def test_badugi():
    counts = histogram("badugi", 4)
    names = {"one card": 1, "two cards": 2, "three cards": 3, "badugi": 4}
    assert {names[c]: n for c, n in by_category("badugi", counts).items()} == known.BADUGI_SIZES
    for name, size in names.items():
        assert by_top("badugi", name, counts, 1) == known.BADUGI_TOPS[size]


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", ["short-deck", "short-deck-trips"])
def test_short_deck(name, size):
    found = by_category(name, histogram(name, size))
    if name == "short-deck" or size == 5:
        assert found == without(known.SHORT_DECK[size], "royal flush")
    if size == 7:
        assert histogram(name, size)[-1] == known.SHORT_DECK[size]["royal flush"]
    assert by_category(name, histogram(name, 5) > 0) == known.SHORT_DECK_VALUES


@pytest.mark.parametrize("name", ["three-card", "three-card-casino"])
def test_three_cards(name):
    counts = histogram(name, 3)
    found = by_category(name, counts)
    assert found == known.THREE_CARD
    # Without A-2-3 the four suited ones were flushes and the sixty others high cards.
    ranking = ps.rankings()[name]
    wheel = {
        category: ranking.starts[ranking.categories.index(category)] for category in ("straight", "straight flush")
    }
    straights, flushes = int(counts[wheel["straight"]]), int(counts[wheel["straight flush"]])
    moved = {
        "straight": -straights, "high card": straights, "straight flush": -flushes, "flush": flushes,
    }  # fmt: skip
    assert {c: n + moved.get(c, 0) for c, n in found.items()} == known.THREE_CARD_WITHOUT_WHEEL


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_partial_hands(size):
    found = {c: n for c, n in by_category("high-partial", histogram("high-partial", size)).items() if n}
    assert found == known.PARTIAL[size]


def test_two_cards():
    high, low = histogram("two-card-high", 2), histogram("two-card-low", 2)
    assert high.sum() == low.sum() == known.MURDER["total"]
    for name, counts, unpaired in (("two-card-high", high, "high card"), ("two-card-low", low, "no pair")):
        found = by_category(name, counts)
        assert found["pair of sevens"] == counts[-1] == known.MURDER["pair of sevens"]
        assert found["pair"] + found["pair of sevens"] == known.MURDER["pairs"]
        assert found[unpaired] == known.MURDER["no pair"]
    assert np.count_nonzero(high) == known.MURDER["high distinct"]
    assert np.count_nonzero(low) == known.MURDER["low distinct"]


@pytest.mark.parametrize("name", known.WILD)
def test_wild_cards(name):
    counts = histogram(name, 5)
    row = known.WILD[name]
    assert by_category(name, counts) == without(row, "natural royal", "wild royal")
    if "wild royal" in row:
        royal = ps.find_ranking("high").values
        assert counts[royal] == row["natural royal"] + row["wild royal"]
        assert histogram("high", 5)[royal] == row["natural royal"]


def test_deuces_wild_by_number_of_deuces():
    hands = twins.all_hands(5)
    strengths = ps.strengths(hands, "high:2")
    deuces = (hands < 4).sum(axis=1)
    codes = ps.categories(strengths, "high:2")
    names = ps.find_ranking("high:2").categories
    found = {name: [int(((codes == i) & (deuces == n)).sum()) for n in range(5)] for i, name in enumerate(names)}
    assert found == known.DEUCES


@pytest.mark.parametrize("size", [5, 7])
def test_five_of_a_kind(size):
    found = tuple(by_category(name, histogram(name, size))["five of a kind"] for name in ("high:2", "high:27"))
    assert found == known.FIVE_ALIKE[size]


@leaf
def lowest_bit(mask):
    return mask & (~mask + np.uint64(1))


@leaf
def fours(adjacent, n):
    """How many sets of four of n cards have every pair adjacent."""
    found = 0
    for a in range(n):
        first = adjacent[a]
        while first:
            bit = lowest_bit(first)
            first ^= bit
            third = first & adjacent[count_bits(bit - np.uint64(1))]
            while third:
                bit = lowest_bit(third)
                third ^= bit
                found += count_bits(third & adjacent[count_bits(bit - np.uint64(1))])
    return found


@kernel
def count_hands(grades, weights, n, every, adjacent, of_grade, out):
    # A hand's grade is that of its best pair: hands up to a grade are the fours among pairs up to it.
    for i in range(grades.shape[0]):
        of_grade[:] = 0
        for pair in range(grades.shape[1]):
            of_grade[grades[i, pair]] += 1
        adjacent[:] = 0
        before = 0
        left = grades.shape[1]
        for grade in range(of_grade.size):
            if of_grade[grade] == 0:
                continue
            left -= of_grade[grade]
            upto = every
            if left:
                pair = 0
                for a in range(n):
                    for b in range(a + 1, n):
                        if grades[i, pair] == grade:
                            adjacent[a] |= np.uint64(1) << np.uint64(b)
                        pair += 1
                upto = fours(adjacent, n)
            out[grade] += weights[i] * (upto - before)
            before = upto


def test_every_omaha_hand_with_every_board():
    # All 463,563,500,400: every pair of hole cards with one board of each suit class, then hands by pairs.
    boards = twins.all_hands(5)
    first, inverse = twins.suit_classes(boards)
    weights = np.bincount(inverse)
    assert len(first) == known.SUIT_CLASSES[5]

    royal = ps.rankings()["high"].values
    high_grade = ps.rankings()["high"].category_codes.copy()
    high_grade[[0, royal]] = 0, 9
    low_grade = np.array([0, *(ps.rankings()["eight-or-better"].category_codes[1:] + 1)], np.uint8)
    high, low = np.zeros(10, np.int64), np.zeros(5, np.int64)
    one, two = np.triu_indices(47, 1)
    for start in range(0, len(first), 2000):
        some, weight = boards[first[start : start + 2000]], weights[start : start + 2000]
        free = np.ones((len(some), 52), bool)
        np.put_along_axis(free, some.astype(np.intp), False, axis=1)
        stub = np.nonzero(free)[1].reshape(-1, 47).astype(np.uint8)
        holes = np.stack([stub[:, one], stub[:, two]], axis=2).reshape(-1, 2)
        each = np.repeat(some, len(one), axis=0)
        for name, grade, out in (("high", high_grade, high), ("eight-or-better", low_grade, low)):
            strengths = ps.strengths(holes, name, each, selection="two plus three")
            grades = grade[strengths].reshape(len(some), -1)
            scratch = np.zeros(47, np.uint64), np.zeros(len(out), np.int64)
            count_hands(grades, weight, 47, comb(47, 4), *scratch, out)
    names = (*ps.rankings()["high"].categories[:8], "straight flush other", "royal flush")
    assert dict(zip(names, high.tolist(), strict=True)) == known.OMAHA_HIGH
    assert dict(zip((0, 8, 7, 6, 5), low.tolist(), strict=True)) == known.OMAHA_LOW


def test_omaha_hands():
    hands = twins.all_hands(4)
    suits = np.sort(np.stack([(hands % 4 == s).sum(axis=1) for s in range(4)], axis=1), axis=1)[:, ::-1]
    patterns = Counter(tuple(n for n in row if n) for row in suits.tolist())
    assert patterns == known.OMAHA_SUITS
    low = sum(((hands // 4) == r).any(axis=1).astype(int) for r in (0, 1, 2, 3, 4, 5, 6, 12))
    assert Counter(low.tolist()) == known.OMAHA_LOW_RANKS


def test_suit_classes():
    # Burnside: the average over the 24 renamings of the suits of the hands that each leaves alone.
    renamings = {(1, 1, 1, 1): 1, (2, 1, 1): 6, (2, 2): 3, (3, 1): 8, (4,): 6}
    for size, classes in known.SUIT_CLASSES.items():
        fixed = 0
        for cycles, number in renamings.items():
            ways = [1] + [0] * size
            for cycle in cycles * 13:
                for k in range(size, cycle - 1, -1):
                    ways[k] += ways[k - cycle]
            fixed += number * ways[size]
        assert fixed == 24 * classes
    # Four cards by their classes: the strength is a function of the class.
    hands = twins.all_hands(4)
    first, inverse = twins.suit_classes(hands)
    assert len(first) == known.SUIT_CLASSES[4]
    for name in ("high-partial", "badugi"):
        strengths = ps.strengths(hands, name).astype(np.int64)
        assert np.array_equal(strengths, strengths[first][inverse])

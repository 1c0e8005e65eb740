"""Lanes against the tables and against the ladders' own definition of a best hand."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from potshare.evaluator import lanes, llvm
from potshare.evaluator.hand import card_mask, strength_of
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import kernel
from potshare.tables import rank_hash

FORMS = sorted(lanes.FORMS)
SHORT = range(16, 52)


@kernel
def table_strengths(kind, cards, key, offset, value, flush, out):  # type: ignore[no-untyped-def]
    for i in range(cards.shape[0]):
        total = key[63]
        mask = np.uint64(0)
        for j in range(cards.shape[1]):
            total += key[cards[i, j]]
            mask |= card_mask(cards[i, j])
        out[i] = strength_of(kind, total, mask, key, offset, value, flush)


def by_tables(cards, ranking):
    found = find_ranking(ranking)
    out = np.empty(len(cards), np.uint16)
    table_strengths(found.kind, cards, *found.tables, out)
    return out


def by_lanes(cards, ranking):
    out = np.full(len(cards), 60_000, np.uint16)
    assert lanes.strengths_batch(cards, ranking, out)
    return out


def deck_of(ranking):
    return SHORT if ranking.startswith("short") else range(52)


def random_hands(n, size, deck=range(52), seed=1):
    """Rows of different cards: a row whose draws hold a card twice is left out."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(deck[0], deck[-1] + 1, (n, size), np.uint8)
    ordered = np.sort(drawn, axis=1)
    return np.ascontiguousarray(drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)])


@cache
def all_hands(size, deck=range(52)):
    flat = itertools.chain.from_iterable(itertools.combinations(deck, size))
    return np.fromiter(flat, np.uint8).reshape(-1, size)


@cache
def nasty_hands(size):
    """Every rank multiset in random suits, and every set of five or more suited ranks with random other cards."""
    rng = np.random.default_rng(size)
    rows = []
    for counts in rank_hash.multisets(size):
        rows.append([4 * r + s for r in np.flatnonzero(counts) for s in rng.permutation(4)[: counts[r]]])
    for suited in range(5, size + 1):
        for ranks in itertools.combinations(range(13), suited):
            suit = int(rng.integers(4))
            others = [card for card in range(52) if card & 3 != suit]
            rows.append([4 * r + suit for r in ranks] + list(rng.permutation(others)[: size - suited]))
    return np.array(rows, np.uint8)


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    # The code is correct on every processor, also where it does not pay.
    monkeypatch.setattr(llvm, "FAST", True)


@pytest.mark.parametrize(("ranking", "size"), FORMS)
def test_random_hands_have_the_strengths_of_the_tables(ranking, size):
    n = 3_300_000 if ranking == "high" and size > 5 else 400_000
    cards = random_hands(n, size, deck_of(ranking))
    np.testing.assert_array_equal(by_lanes(cards, ranking), by_tables(cards, ranking))


@pytest.mark.parametrize("ranking", ["high", "ace-to-five", "eight-or-better", "deuce-to-seven"])
def test_all_five_card_hands(ranking):
    cards = all_hands(5)
    assert len(cards) == 2_598_960
    np.testing.assert_array_equal(by_lanes(cards, ranking), by_tables(cards, ranking))


@pytest.mark.parametrize("ranking", ["short-deck", "short-deck-trips"])
def test_all_five_card_hands_of_the_short_deck(ranking):
    cards = all_hands(5, SHORT)
    found = by_lanes(cards, ranking)
    np.testing.assert_array_equal(found, by_tables(cards, ranking))
    assert len(np.unique(found)) == find_ranking(ranking).values


def test_all_badugis():
    cards = all_hands(4)
    found = by_lanes(cards, "badugi")
    np.testing.assert_array_equal(found, by_tables(cards, "badugi"))
    assert len(np.unique(found)) == 1_092


@pytest.mark.parametrize(("ranking", "size"), [form for form in FORMS if form[1] > 5])
def test_every_rank_multiset_and_every_flush(ranking, size):
    cards = nasty_hands(size)
    if ranking.startswith("short"):
        cards = np.ascontiguousarray(cards[(cards >= 16).all(axis=1)])
    np.testing.assert_array_equal(by_lanes(cards, ranking), by_tables(cards, ranking))


def slowly(hand, ranking):
    """The best five of a hand, by the ladder."""
    ladder, places = slow_ladder(ranking)
    best = 0
    for five in itertools.combinations(hand, 5):
        ranks = tuple(sorted((int(card) >> 2 for card in five), reverse=True))
        rung = ladder.rung(ranks, len({card & 3 for card in five}) == 1 and ladder.suited)
        best = max(best, 0 if rung is None else places[rung])
    return best


@cache
def slow_ladder(ranking):
    ladder = find_ranking(ranking).ladder
    return ladder, ladder.places()


@pytest.mark.parametrize(("ranking", "size"), [form for form in FORMS if form[1] > 4])
def test_the_ladder_says_the_same(ranking, size):
    random = random_hands(400, size, deck_of(ranking), seed=3)
    nasty = nasty_hands(size)
    nasty = nasty[(nasty >= deck_of(ranking)[0]).all(axis=1)]
    cards = np.concatenate([random, nasty[:: max(1, len(nasty) // 150)]])
    assert by_lanes(cards, ranking).tolist() == [slowly(hand, ranking) for hand in cards]


HANDS = [
    ("2c 3c 4c 5c Ac Kh Kd", "straight flush"),
    ("Ac Kc Qc Jc Tc 9c 8c", "straight flush"),
    ("9c 8c 7c 6c 5c Ac Kc", "straight flush"),
    ("9c 8c 7c 6c 5d 4d 3d", "straight"),
    ("9c 8c 7c 6c 5d Ac Kd", "flush"),
    ("9c 8c 7c 6c 4c Kc Kh", "flush"),
    ("9c 9d 9h 9s 8c 8d 8h", "four of a kind"),
    ("9c 9d 9h 9s 8c 8d 2h", "four of a kind"),
    ("9c 9d 9h 8c 8d 8h 2s", "full house"),
    ("9c 9d 9h 8c 8d 7h 7s", "full house"),
    ("9c 9d 8h 8c 7d 7h As", "two pair"),
    ("9c 9d 8h 8c 7d 7h 6s", "two pair"),
    ("Ac 2d 3h 4s 5c 5d 5h", "straight"),
    ("Ac Kd Qh Js 9c 3d 2h", "high card"),
]


@pytest.mark.parametrize(("hand", "category"), HANDS)
def test_hands_that_are_easily_taken_for_another(hand, category):
    cards = np.array([["23456789TJQKA".index(c[0]) * 4 + "cdhs".index(c[1]) for c in hand.split()]], np.uint8)
    found = by_lanes(np.repeat(cards, lanes.LEAST, axis=0), "high")
    ranking = find_ranking("high")
    assert ranking.categories[ranking.rung(int(found[0])).category] == category
    assert (found == slowly(cards[0], "high")).all()


def test_numbers_of_hands_around_a_group(monkeypatch):
    monkeypatch.setattr(lanes, "LEAST", 0)
    group = lanes.GROUP
    cards = random_hands(9 * group, 7)
    for n in [groups * group + more for groups in (0, 1, 2, 5) for more in (-2, -1, 0, 1, 2, 7)][2:]:
        for size in (4, 5, 6, 7):
            ranking = "badugi" if size == 4 else "high"
            some = np.ascontiguousarray(cards[:n, :size])
            around = np.full(n + 2, 60_000, np.uint16)
            assert lanes.strengths_batch(some, ranking, around[1:-1])
            assert around[0] == around[-1] == 60_000
            np.testing.assert_array_equal(around[1:-1], by_tables(some, ranking))


def test_what_is_left_to_the_tables(monkeypatch):
    out = np.full(lanes.LEAST, 7, np.uint16)
    assert not lanes.strengths_batch(random_hands(400, 7)[: lanes.LEAST - 1], "high", out[:-1])
    assert not lanes.strengths_batch(np.zeros((lanes.LEAST, 4), np.uint8), "high", out)
    assert not lanes.strengths_batch(np.zeros((lanes.LEAST, 3), np.uint8), "three-card", out)
    monkeypatch.setattr(llvm, "FAST", False)
    assert not lanes.strengths_batch(np.zeros((lanes.LEAST, 7), np.uint8), "high", out)
    assert (out == 7).all()


# The forms for engines: suit masks to numbers that compare as the hands do.


def engine_kernel(which):
    @kernel
    def compared(masks, high, low):  # type: ignore[no-untyped-def]
        for i in range(high.size):
            c, d, h, s = masks[0, i], masks[1, i], masks[2, i], masks[3, i]
            if which == 0:
                high[i], low[i] = lanes.high5(c, d, h, s)
            elif which == 1:
                high[i], low[i] = lanes.high6(c, d, h, s)
            elif which == 2:
                high[i], low[i] = lanes.high7(c, d, h, s)
            elif which == 3:
                high[i], low[i] = lanes.short_deck7(c, d, h, s)
            elif which == 4:
                high[i], low[i] = lanes.short_deck_trips7(c, d, h, s)
            elif which == 5:
                high[i], low[i] = lanes.ace_to_five_low(c, d, h, s)
            else:
                high[i] = lanes.eight_or_better_low(c, d, h, s)
                low[i] = 0

    return compared


def masks_of(cards):
    masks = np.zeros((4, len(cards)), np.uint16)
    for column in cards.T:
        for suit in range(4):
            masks[suit] |= np.where(column & 3 == suit, 1 << (column >> 2).astype(np.uint16), 0).astype(np.uint16)
    return masks


def assert_same_order(numbers, strengths):
    """Equal numbers for equal strengths, greater ones for greater."""
    both = np.unique(np.stack([numbers.astype(np.int64), strengths.astype(np.int64)]), axis=1)
    assert (np.diff(both, axis=1) > 0).all()


@pytest.mark.parametrize(
    ("which", "ranking", "size"),
    [
        (0, "high", 5),
        (1, "high", 6),
        (2, "high", 7),
        (3, "short-deck", 7),
        (4, "short-deck-trips", 7),
        (5, "ace-to-five", 5),
        (5, "ace-to-five", 6),
        (5, "ace-to-five", 7),
        (6, "eight-or-better", 7),
    ],
)
def test_engines_compare_as_the_tables_do(which, ranking, size):
    deck = deck_of(ranking)
    cards = all_hands(5) if which == 0 else random_hands(300_000, size, deck, seed=5)
    nasty = nasty_hands(size)
    cards = np.concatenate([cards, nasty[(nasty >= deck[0]).all(axis=1)]])
    high, low = np.zeros((2, len(cards)), np.uint16)
    engine_kernel(which)(masks_of(cards), high, low)
    assert_same_order(high.astype(np.uint32) << 16 | low, by_tables(cards, ranking))


def test_eight_or_better_is_zero_for_none():
    cards = random_hands(10_000, 7, seed=9)
    high, low = np.zeros((2, len(cards)), np.uint16)
    engine_kernel(6)(masks_of(cards), high, low)
    np.testing.assert_array_equal(high == 0, by_tables(cards, "eight-or-better") == 0)


@kernel
def compare_badugis(cards, out):  # type: ignore[no-untyped-def]
    for i in range(out.size):
        out[i] = lanes.badugi4(
            np.uint16(cards[i, 0]), np.uint16(cards[i, 1]), np.uint16(cards[i, 2]), np.uint16(cards[i, 3])
        )


def test_badugis_compare_as_the_tables_do():
    cards = all_hands(4)
    out = np.zeros(len(cards), np.uint16)
    compare_badugis(cards, out)
    assert_same_order(out, by_tables(cards, "badugi"))


# All hands in order.


@kernel
def in_order_by_tables(key, offset, value, flush, sums):  # type: ignore[no-untyped-def]
    for g in range(6, 52):
        for f in range(5, g):
            for e in range(4, f):
                for d in range(3, e):
                    total4 = key[63] + key[d] + key[e] + key[f] + key[g]
                    mask4 = card_mask(d) | card_mask(e) | card_mask(f) | card_mask(g)
                    place = 0
                    mixed = np.uint64(0)
                    for c in range(2, d):
                        for b in range(1, c):
                            total2 = total4 + key[c] + key[b]
                            mask2 = mask4 | card_mask(c) | card_mask(b)
                            for a in range(b):
                                total = total2 + key[a]
                                strength = strength_of(1, total, mask2 | card_mask(a), key, offset, value, flush)
                                sums[0] += np.uint64(strength)
                                mixed += np.uint64(strength) * np.uint64(place)
                                place += 1
                    sums[1] = sums[1] * np.uint64(31) + (mixed & np.uint64(0xFFFFFFFF))


def test_all_seven_card_hands_in_order():
    sums = np.zeros(2, np.uint64)
    in_order_by_tables(*find_ranking("high").tables, sums)
    assert lanes.in_order() == tuple(sums.tolist()) == (lanes.IN_ORDER_SUM, lanes.IN_ORDER_MIXED)


def test_greatest_card():
    assert lanes.greatest_card(np.zeros((0, 7), np.uint8)) == 0
    cards = random_hands(1_000, 7)
    assert lanes.greatest_card(cards) == cards.max()
    cards[-1, -1] = 200
    assert lanes.greatest_card(cards) == 200

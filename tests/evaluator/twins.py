"""Slow evaluators written from the rules of the games, not from the package.

A key is a tuple that compares as the rules compare hands: greater wins. Keys are written for plain ranks (0..12
for deuce to ace) and "all of one suit"; `Twin` turns them into dense strengths over all five-card hands and
evaluates arrays by looking at every five cards of a hand. Nothing here knows of hashes, masks or wild planes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

Key = tuple

ACE = 12


def _tally(ranks):
    # Ranks by how often they occur, then by rank, greatest first: [(count, rank), ...]
    return sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)


def _straight_top(ranks, wheel):
    distinct = sorted(set(ranks))
    if len(distinct) != len(ranks):
        return None
    if distinct[-1] - distinct[0] == len(ranks) - 1:
        return distinct[-1]
    if wheel is not None and distinct == wheel:
        return distinct[-2]
    return None


def _grade(counts):
    # The worth of a pattern of equal ranks, five cards or fewer, in the usual order of high hands.
    if counts[0] == 5:
        return 9
    if counts[0] == 4:
        return 7
    if counts[0] == 3:
        return 6 if len(counts) > 1 and counts[1] == 2 else 3
    if counts[0] == 2:
        return 2 if len(counts) > 1 and counts[1] == 2 else 1
    return 0


def high(ranks, suited, wheel=(0, 1, 2, 3, ACE), order=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)) -> Key:
    """High hands; grades 4, 5 and 8 are straight, flush and straight flush, `order[grade]` their worth."""
    ranks = list(ranks)
    tally = _tally(ranks)
    decide = tuple(r for _, r in tally)
    distinct = len(decide) == len(ranks) == 5
    top = _straight_top(ranks, list(wheel) if wheel else None) if distinct else None
    if top is not None:
        return (order[8 if suited else 4], (top,))
    if suited and distinct:
        return (order[5], decide)
    return (order[_grade([c for c, _ in tally])], decide)


def short_deck(ranks, suited) -> Key:
    return high(ranks, suited, wheel=(4, 5, 6, 7, ACE), order=(0, 1, 2, 3, 4, 6, 5, 7, 8, 9))


def short_deck_trips(ranks, suited) -> Key:
    return high(ranks, suited, wheel=(4, 5, 6, 7, ACE), order=(0, 1, 2, 4, 3, 6, 5, 7, 8, 9))


class _Worse:
    # Turns an order round: the greater the wrapped tuple, the worse.
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other.value < self.value

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)


def ace_to_five(ranks, suited) -> Key:
    """The ace is one, straights and flushes do not exist, every pair makes a low worse."""
    ones = [1 if r == ACE else r + 2 for r in ranks]
    tally = _tally(ones)
    return (_Worse((_grade([c for c, _ in tally]), tuple(r for _, r in tally))),)


def eight_or_better(ranks, suited) -> Key | None:
    ones = sorted((1 if r == ACE else r + 2 for r in ranks), reverse=True)
    if len(set(ones)) < 5 or ones[0] > 8:
        return None
    return (_Worse(tuple(ones)),)


def deuce_to_seven(ranks, suited) -> Key:
    """The worst high hand wins, and the ace is never low."""
    return (_Worse(high(ranks, suited, wheel=None)),)


def three_card(ranks, suited, flush_over_straight=True) -> Key:
    ranks = list(ranks)
    tally = _tally(ranks)
    top = _straight_top(ranks, [0, 1, ACE])
    decide = tuple(r for _, r in tally)
    if top is not None:
        return (5, (top,)) if suited else (2 if flush_over_straight else 3, (top,))
    if len(decide) == 1:
        return (4, decide)
    if suited and len(decide) == 3:
        return (3 if flush_over_straight else 2, decide)
    return (1 if len(decide) == 2 else 0, decide)


def three_card_casino(ranks, suited) -> Key:
    return three_card(ranks, suited, flush_over_straight=False)


def two_card_high(ranks, suited) -> Key:
    a, b = sorted(ranks, reverse=True)
    if a == b:
        return (2 if a == 5 else 1, (a,))
    return (0, (a, b))


def two_card_low(ranks, suited) -> Key:
    a, b = sorted(ranks, reverse=True)
    if a == b == 5:
        return (2, _Worse(()))
    return (0, _Worse((a,))) if a == b else (1, _Worse((a, b)))


def high_partial(ranks, suited) -> Key:
    """Pairs and kickers for fewer than five cards; tuples put the hand with an extra kicker first."""
    return high(ranks, suited)


def ace_to_five_partial(ranks, suited) -> Key:
    return ace_to_five(ranks, suited)


def badugi(cards) -> Key:
    """The most cards of different ranks and suits, then the lowest from the top."""
    best = None
    for size in range(1, len(cards) + 1):
        for some in itertools.combinations(cards, size):
            if len({c % 4 for c in some}) < size or len({c // 4 for c in some}) < size:
                continue
            ones = sorted((1 if c // 4 == ACE else c // 4 + 2 for c in some), reverse=True)
            key = (size, _Worse(tuple(ones)))
            if best is None or best < key:
                best = key
    return best


def high_spade(cards) -> int:
    """The rank of the highest spade, from 1; 0 for none."""
    return max([c // 4 + 1 for c in cards if c % 4 == 3], default=0)


def dense(keys) -> dict:
    """The place of each key among all of them, worst first, from 1. None is no hand: 0."""
    places = {None: 0}
    ordered = sorted({k for k in keys if k is not None})
    places.update((k, i) for i, k in enumerate(ordered, 1))
    return places


class Twin:
    """A ranking by the ranks and the suitedness of `size` cards, as a table over all such hands.

    `five_alike` also knows five cards of one rank, which wild cards can make.
    """

    def __init__(self, key: Callable, size: int = 5, ranks=range(13), five_alike=False):
        self.size = size
        hands = [
            hand
            for hand in itertools.combinations_with_replacement(ranks, size)
            if five_alike or size < 5 or len(set(hand)) > 1
        ]
        keys = {(hand, suited): key(hand, suited) for hand in hands for suited in (False, True)}
        # A suited hand with a pair cannot be dealt and gets no key of its own: it is worth its ranks.
        self.places = dense(keys.values())
        self.values = len(self.places) - 1
        self.table = np.zeros((2, 13**size), np.uint16)
        for (hand, suited), found in keys.items():
            self.table[int(suited), self.code(np.array([hand]))[0]] = self.places[found]

    def code(self, ranks):
        """One number for each row of ascending ranks."""
        weights = 13 ** np.arange(self.size)
        return (ranks.astype(np.int64) * weights).sum(axis=1)

    def exactly(self, cards):
        """(n,) strengths of (n, size) cards."""
        cards = np.sort(cards, axis=1)
        suits = cards & 3
        suited = (suits == suits[:, :1]).all(axis=1)
        return self.table[suited.astype(np.intp), self.code(cards >> 2)]

    def best(self, cards):
        """(n,) strengths of the best `size` of each row's cards."""
        found = np.zeros(len(cards), np.uint16)
        for columns in itertools.combinations(range(cards.shape[1]), self.size):
            found = np.maximum(found, self.exactly(cards[:, columns]))
        return found

    def two_plus_three(self, holes, boards):
        """(n,) strengths of the best two hole cards with three board cards."""
        found = np.zeros(len(holes), np.uint16)
        for two in itertools.combinations(range(holes.shape[1]), 2):
            for three in itertools.combinations(range(boards.shape[1]), 3):
                five = np.concatenate([holes[:, two], boards[:, three]], axis=1)
                found = np.maximum(found, self.exactly(five))
        return found


def all_hands(size, deck=range(52)):
    """(n, size) uint8: every hand of a deck."""
    flat = itertools.chain.from_iterable(itertools.combinations(deck, size))
    return np.fromiter(flat, np.uint8).reshape(-1, size)


def suit_classes(hands):
    """Hands that differ only in the names of the suits are of one class.

    Returns the index of a hand of each class, and for each hand the number of its class.
    """
    suits = [np.where(hands % 4 == s, 1 << (hands // 4).astype(np.int64), 0).sum(axis=1) for s in range(4)]
    names = np.sort(np.stack(suits), axis=0)
    codes = (names << np.array([[39], [26], [13], [0]])).sum(axis=0)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return first, inverse


def random_hands(n, size, seed, deck=range(52)):
    """(n, size) uint8: random hands of different cards, in random order."""
    rng = np.random.default_rng(seed)
    hands = np.array(deck, np.uint8)[np.argsort(rng.random((n, len(deck)), np.float32), axis=1)[:, :size]]
    return np.ascontiguousarray(hands)

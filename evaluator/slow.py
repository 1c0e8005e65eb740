"""Small slow evaluators written from the rules of the games, for `potshare selfcheck`.

They share nothing with the tables and kernels: no hashes, no masks, no ladders. A key is a tuple that compares as
the rules compare hands, the greater one winning; cards are numbers, 4 * rank + suit. Every hand of more cards than
count is the best of all choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

Key = tuple[Any, ...]

_ACE = 12


def _groups(ranks: Sequence[int]) -> list[tuple[int, int]]:
    # (how often, rank), most frequent first, then by rank.
    return sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)


def _run(ranks: Sequence[int], wheel: Sequence[int]) -> int:
    # The top of a straight, 0 for none: all ranks different and next to each other, or the lowest straight with an ace.
    ordered = sorted(ranks)
    if ordered == sorted([*wheel, _ACE]):
        return max(wheel)
    return ordered[-1] if all(b - a == 1 for a, b in pairwise(ordered)) else 0


_PATTERNS = {
    (4, 1): "four of a kind", (3, 2): "full house", (3, 1, 1): "three of a kind", (2, 2, 1): "two pair",
    (2, 1, 1, 1): "pair", (3,): "three of a kind", (2, 1): "pair",
}  # fmt: skip

_USUAL = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip
_SHORT = (
    "high card", "pair", "two pair", "three of a kind", "straight", "full house", "flush", "four of a kind",
    "straight flush",
)  # fmt: skip
_SHORT_TRIPS = (
    "high card", "pair", "two pair", "straight", "three of a kind", "full house", "flush", "four of a kind",
    "straight flush",
)  # fmt: skip
_THREE = ("high card", "pair", "straight", "flush", "three of a kind", "straight flush")
_THREE_CASINO = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")


def category(cards: Sequence[int], wheel: Sequence[int] = (0, 1, 2, 3)) -> str:
    """The category of a high hand of exactly the cards that count."""
    ranks = [c >> 2 for c in cards]
    suited = len({c & 3 for c in cards}) == 1
    if len(set(ranks)) == len(ranks):
        straight = _run(ranks, wheel) > 0
        return {(True, True): "straight flush", (True, False): "straight", (False, True): "flush"}.get(
            (straight, suited), "high card"
        )
    return _PATTERNS[tuple(n for n, _ in _groups(ranks))]


def _high(order: Sequence[str], wheel: Sequence[int]) -> Callable[[Sequence[int]], Key]:
    def key(cards: Sequence[int]) -> Key:
        name = category(cards, wheel)
        ranks = [c >> 2 for c in cards]
        decide = (_run(ranks, wheel),) if "straight" in name else tuple(r for _, r in _groups(ranks))
        return (order.index(name), decide)

    return key


def _ace_to_five(cards: Sequence[int]) -> Key:
    # Straights and flushes do not count, the ace is low; fewer equal ranks are better, then lower ones.
    groups = _groups([((c >> 2) + 1) % 13 for c in cards])
    return (tuple(-n for n, _ in groups), tuple(-r for _, r in groups))


def _eight_or_better(cards: Sequence[int]) -> Key:
    ranks = sorted((((c >> 2) + 1) % 13 for c in cards), reverse=True)
    if len(set(ranks)) < 5 or ranks[0] > 7:
        return ()  # no low: less than any other key
    return tuple(-r for r in ranks)


def _deuce_to_seven(cards: Sequence[int]) -> Key:
    # The worst high hand wins; the ace is high only, so that A-2-3-4-5 is no straight.
    name = category(cards, wheel=(-1, -1, -1, -1))
    return (-_USUAL.index(name), tuple(-r for _, r in _groups([c >> 2 for c in cards])))


def _badugi(cards: Sequence[int]) -> Key:
    best: Key = ()
    for size in range(1, 5):
        for chosen in combinations(cards, size):
            ranks = {((c >> 2) + 1) % 13 for c in chosen}
            if len(ranks) == size and len({c & 3 for c in chosen}) == size:
                best = max(best, (size, tuple(-r for r in sorted(ranks, reverse=True))))
    return best


_KEYS: dict[str, tuple[int, Callable[[Sequence[int]], Key]]] = {
    "high": (5, _high(_USUAL, (0, 1, 2, 3))),
    "ace-to-five": (5, _ace_to_five),
    "eight-or-better": (5, _eight_or_better),
    "deuce-to-seven": (5, _deuce_to_seven),
    "short-deck": (5, _high(_SHORT, (4, 5, 6, 7))),
    "short-deck-trips": (5, _high(_SHORT_TRIPS, (4, 5, 6, 7))),
    "three-card": (3, _high(_THREE, (0, 1))),
    "three-card-casino": (3, _high(_THREE_CASINO, (0, 1))),
    "badugi": (0, _badugi),
}

RANKINGS = tuple(_KEYS)
"""The rankings that have a slow evaluator here."""


def best_key(cards: Sequence[int], ranking: str = "high") -> Key:
    """The key of the best hand in the cards; `()` is no hand."""
    size, key = _KEYS[ranking]
    return max(key(chosen) for chosen in combinations(cards, size)) if size else key(cards)


def best_split_key(hole: Sequence[int], board: Sequence[int], ranking: str = "high") -> Key:
    """The key of the best hand of exactly two of `hole` and three of `board`."""
    _, key = _KEYS[ranking]
    return max(key((*two, *three)) for two in combinations(hole, 2) for three in combinations(board, 3))

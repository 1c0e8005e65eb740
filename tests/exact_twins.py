"""Slow twins of exact counting: every joint deal gone through one by one, hands read from the rules.

Nothing here comes from the package but the numbering of cards.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import twins  # type: ignore[import-not-found]
from numpy.typing import NDArray


def _five(key: Any, cards: Sequence[int]) -> Any:
    found = [
        key([c >> 2 for c in five], len({c & 3 for c in five}) == 1)
        for five in itertools.combinations(cards, min(5, len(cards)))
    ]
    return max((k for k in found if k is not None), default=None)


def deuces_wild(cards: Sequence[int]) -> Any:
    """The best of five to seven cards, every deuce being any rank of any suit."""
    best = None
    for five in itertools.combinations(cards, 5):
        plain = [c for c in five if c >> 2]
        suited = len({c & 3 for c in plain}) <= 1
        for taken in itertools.combinations_with_replacement(range(13), 5 - len(plain)):
            ranks = [*(c >> 2 for c in plain), *taken]
            # A flush names every rank once.
            key = twins.high(ranks, suited and len(set(ranks)) == 5)
            best = key if best is None or key > best else best
    return best


RULES: dict[str, Any] = {
    "high": lambda cards: _five(twins.high, cards),
    "ace-to-five": lambda cards: _five(twins.ace_to_five, cards),
    "eight-or-better": lambda cards: _five(twins.eight_or_better, cards),
    "deuce-to-seven": lambda cards: _five(twins.deuce_to_seven, cards),
    "short-deck": lambda cards: _five(twins.short_deck, cards),
    "three-card": lambda cards: twins.three_card([c >> 2 for c in cards], len({c & 3 for c in cards}) == 1),
    "two-card-high": lambda cards: twins.two_card_high([c >> 2 for c in cards], False),
    "two-card-low": lambda cards: twins.two_card_low([c >> 2 for c in cards], False),
    "badugi": twins.badugi,
    "high-spade": lambda cards: twins.high_spade(cards) or None,
    "high:2": deuces_wild,
}


def joint(
    held: Sequence[Sequence[int]],
    to_draw: Sequence[int],
    live: Sequence[int],
    rankings: Sequence[str],
    shared: int = 0,
    counted: Sequence[tuple[Sequence[Sequence[int]] | None, bool]] = (),
) -> NDArray[np.int64]:
    """The tally of every deal. `counted` by half: which cards held count (None: all), and whether those to come do."""
    players = len(held)
    tally = np.zeros((players, players + 1, players + 2), np.int64)
    known: dict[Any, Any] = {}
    counted = counted or [(None, True)] * len(rankings)

    def value(half: int, player: int, more: tuple[int, ...]) -> Any:
        place = (half, player, more)
        if place not in known:
            hole, coming = counted[half]
            own = held[player] if hole is None else hole[player]
            known[place] = RULES[rankings[half]]([*own, *(more if coming else ())])
        return known[place]

    def deal(player: int, rest: Sequence[int], got: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> None:
        if player < players:
            for more in itertools.combinations(rest, to_draw[player]):
                deal(player + 1, [c for c in rest if c not in more], (*got, more), board)
            return
        winners = []
        for half in range(len(rankings)):
            values = [value(half, p, (*got[p], *board)) for p in range(players)]
            made = [v for v in values if v is not None]
            winners.append([p for p in range(players) if made and values[p] is not None and values[p] == max(made)])
        for p in range(players):
            a = len(winners[0]) if p in winners[0] else 0
            b = players + 1
            if len(winners) == 2 and winners[1]:
                b = len(winners[1]) if p in winners[1] else 0
            tally[p, a, b] += 1

    for board in itertools.combinations(live, shared):
        deal(0, [c for c in live if c not in board], (), board)
    return tally


def known_counts(tally: NDArray[np.int64], case: dict[str, Any]) -> None:
    """Asserts that a tally has the counts of a case of the reference data."""
    players = len(case["hands"])
    assert int(tally[0].sum()) == case["total"]
    if "no_low" in case:
        assert int(tally[0, :, players + 1].sum()) == case["no_low"]
    for i, known in enumerate(case["players"]):
        own = tally[i]
        assert int(own[1].sum()) == known["win"]
        assert {str(k): int(own[k].sum()) for k in range(2, players + 1) if own[k].any()} == known["tie"]
        shares: dict[Fraction, int] = {}
        for a in range(players + 1):
            for b in range(players + 2):
                if own[a, b]:
                    high = Fraction(1, a) if a else Fraction(0)
                    share = high if b == players + 1 else (high + (Fraction(1, b) if b else 0)) / 2
                    shares[share] = shares.get(share, 0) + int(own[a, b])
        assert shares == {Fraction(k): v for k, v in known["shares"].items()}
        if "win_low" in known:
            assert int(own[:, 1].sum()) == known["win_low"]
            assert {str(k): int(own[:, k].sum()) for k in range(2, players + 1) if own[:, k].any()} == known["tie_low"]
            assert shares.get(Fraction(1), 0) == known["scoop"]


def small_deck(rng: random.Random, size: int, out: Sequence[int] = ()) -> list[int]:
    """A few live cards: any, of few ranks (many cards alike), or of few suits (many flushes)."""
    kind = rng.randrange(3)
    ranks = rng.sample(range(13), 5) if kind == 1 else range(13)
    suits = rng.sample(range(4), 2) if kind == 2 else range(4)
    cards = [4 * r + s for r in ranks for s in suits if 4 * r + s not in out]
    return sorted(rng.sample(cards, min(size, len(cards))))


def random_spot(
    rng: random.Random, players: int, size: int, to_draw: Sequence[int], live: int
) -> tuple[list[list[int]], list[int]]:
    """Hands that lack `to_draw` cards of `size`, and `live` cards that can come."""
    kind = rng.randrange(3)
    deck = list(range(52))
    if kind == 1:
        suits = rng.sample(range(4), 3)
        deck = [c for c in deck if c & 3 in suits]
    elif kind == 2:
        low = rng.randrange(4)
        deck = [c for c in deck if low <= c >> 2 < low + 10]
    rng.shuffle(deck)
    held = []
    for k in to_draw:
        held.append(deck[: size - k])
        deck = deck[size - k :]
    assert len(held) == players
    return held, small_deck(rng, live, [c for cards in held for c in cards])

"""Slow, obviously right hold'em: ranks five cards from the rules, enumerates every deal in plain Python.

Written from the rules of the game and from nothing in the package but the numbering of cards.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

Key = tuple[int, ...]


def five_high(cards: Sequence[int], short: bool = False) -> Key:
    """A key that orders five-card high hands; `short` for short deck (flush over full house, A-6-7-8-9)."""
    ranks = sorted((c >> 2 for c in cards), reverse=True)
    flush = len({c & 3 for c in cards}) == 1
    low = [12, 7, 6, 5, 4] if short else [12, 3, 2, 1, 0]
    straight = 0
    if len(set(ranks)) == 5 and (ranks[0] - ranks[4] == 4 or ranks == low):
        straight = low[1] if ranks == low else ranks[0]
    by_count = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    counts = [n for _, n in by_count]
    order = [r for r, _ in by_count]
    flush_place, house_place = (6, 5) if short else (5, 6)
    if flush and straight:
        return (8, straight)
    if counts[0] == 4:
        return (7, *order)
    if counts[:2] == [3, 2]:
        return (house_place, *order)
    if flush:
        return (flush_place, *ranks)
    if straight:
        return (4, straight)
    if counts[0] == 3:
        return (3, *order)
    if counts[:2] == [2, 2]:
        return (2, *order)
    if counts[0] == 2:
        return (1, *order)
    return (0, *ranks)


def best_high(cards: Sequence[int], short: bool = False) -> Key:
    """The best five of any number of cards."""
    return max(five_high(five, short) for five in itertools.combinations(cards, 5))


def omaha_high(hole: Sequence[int], board: Sequence[int]) -> Key:
    """Exactly two hole cards with exactly three of the board."""
    return max(
        five_high(two + three) for two in itertools.combinations(hole, 2) for three in itertools.combinations(board, 3)
    )


def _low(cards: Iterable[int]) -> Key | None:
    ranks = sorted({(c >> 2) + 2 if c >> 2 < 12 else 1 for c in cards}, reverse=True)
    if len(ranks) != 5 or ranks[0] > 8:
        return None
    return tuple(-r for r in ranks)


def best_low(cards: Sequence[int]) -> Key | None:
    """The best eight-or-better low of any five of the cards."""
    lows = [key for five in itertools.combinations(cards, 5) if (key := _low(five)) is not None]
    return max(lows, default=None)


def omaha_low(hole: Sequence[int], board: Sequence[int]) -> Key | None:
    """The best eight-or-better low of exactly two hole cards and three of the board."""
    lows = [
        key
        for two in itertools.combinations(hole, 2)
        for three in itertools.combinations(board, 3)
        if (key := _low(two + three)) is not None
    ]
    return max(lows, default=None)


def values(game: str, hole: Sequence[int], board: Sequence[int]) -> list[Key | None]:
    """The value of each half of the pot for a hand of a flop game."""
    if game.startswith("omaha") or game == "big-o":
        high: list[Key | None] = [omaha_high(hole, board)]
        return high + ([omaha_low(hole, board)] if game in ("omaha8", "big-o", "omaha6-8") else [])
    cards = [*hole, *board]
    return [best_high(cards, game == "short-deck"), *([best_low(cards)] if game == "holdem8" else [])]


def shares(game: str, holes: Sequence[Sequence[int]], board: Sequence[int]) -> list[Fraction]:
    """What each player gets of a pot of one."""
    found = [values(game, hole, board) for hole in holes]
    paid = [Fraction(0)] * len(holes)
    halves = []
    for half in zip(*found, strict=True):
        made = [v for v in half if v is not None]
        if made:
            halves.append([i for i, v in enumerate(half) if v == max(made)])
    for winners in halves:
        for i in winners:
            paid[i] += Fraction(1, len(halves) * len(winners))
    return paid


def equity(
    game: str,
    ranges: Sequence[dict[tuple[int, ...], Fraction]],
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
) -> tuple[list[Fraction], int]:
    """Exact equities of weighted ranges by going through every deal, and the number of deals."""
    deck = [c for c in range(16 if game == "short-deck" else 0, 52) if c not in board and c not in dead]
    total = [Fraction(0)] * len(ranges)
    mass = Fraction(0)
    deals = 0
    for holes in itertools.product(*ranges):
        used = [c for hole in holes for c in hole]
        if len({*used, *board, *dead}) < len(used) + len(board) + len(dead):
            continue
        weight = Fraction(1)
        for hole, known in zip(holes, ranges, strict=True):
            weight *= known[hole]
        rest = [c for c in deck if c not in used]
        for more in itertools.combinations(rest, 5 - len(board)):
            deals += 1
            mass += weight
            for i, share in enumerate(shares(game, holes, [*board, *more])):
                total[i] += weight * share
    return [t / mass for t in total], deals

"""Every way to deal the cards to come in stud: razz, hi-lo, five-card and three-card stud, the community river.

The mathematics is that of `completions`. Here a question of stud is turned into it: each player lacks some cards of
his hand; when the deck is too short for a river each, one card in the middle is everyone's (`shared`), and the
count goes through the different such cards, those that nobody's hand can tell apart only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.rankings import Ranking
from potshare.simulate.exact.completions import MOST_DEALS, Half, Plan, TooManyError, deals_of, plan, shared_cards

_MOST_SHARED = 2


def prepare(
    held: Sequence[Sequence[int]],
    size: int | Sequence[int],
    halves: Sequence[Half | Ranking | str],
    deck: Sequence[int],
    dead: Sequence[int] = (),
    shared: int = 0,
    board: Sequence[int] = (),
) -> Plan:
    """The plan of counting every deal of the cards to come; `Plan.seconds` says how long it would take.

    `held`: the cards of each player, up and down. `size`: how many private cards make a hand, for all or for each.
    `halves`: one or two rankings (or names), see `completions.Half`. `deck`: the cards of the game; `dead`: folded,
    burned or exposed cards. `shared`: how many community cards are still to come, `board` those that lie there.
    Raises `completions.TooManyError` for questions beyond counting, `PotshareError` for cards that do not fit.
    """
    sizes = [size] * len(held) if isinstance(size, int) else list(size)
    to_draw = [n - len(cards) for n, cards in zip(sizes, held, strict=True)]
    if min(to_draw) < 0:
        player = min(range(len(held)), key=to_draw.__getitem__)
        raise PotshareError(f"hand {player + 1} has {len(held[player])} cards; a full hand has {sizes[player]}")
    gone = {*dead, *board, *(card for cards in held for card in cards)}
    live = [card for card in deck if card not in gone]
    hands = [(*cards, *board) for cards in held]
    if shared == 0:
        return plan(hands, to_draw, live, halves)
    return _with_shared(hands, to_draw, live, halves, shared)


def _with_shared(
    hands: list[tuple[int, ...]],
    to_draw: list[int],
    live: list[int],
    halves: Sequence[Half | Ranking | str],
    shared: int,
) -> Plan:
    if shared > _MOST_SHARED:
        raise TooManyError
    if sum(to_draw) + shared > len(live):
        raise PotshareError(f"{sum(to_draw) + shared} cards are to come, but only {len(live)} are left in the deck")
    deals = comb(len(live), shared) * deals_of(len(live) - shared, to_draw)
    if deals >= MOST_DEALS:
        raise TooManyError
    parts: list[tuple[int, Plan]] = []
    for cards, ways in shared_cards(hands, to_draw, live, halves, shared):
        rest = [card for card in live if card not in cards]
        parts.append((ways, plan([(*hand, *cards) for hand in hands], to_draw, rest, halves)))
    first = parts[0][1]

    def counters(threads: int) -> Iterator[tuple[float, NDArray[np.int64]]]:
        for n, (ways, part) in enumerate(parts):
            for done, counter in part.counters(threads):
                yield (n + done) / len(parts), ways * counter

    return Plan(deals, first.players, first.halves, sum(part.seconds for _, part in parts), counters)


def count(
    held: Sequence[Sequence[int]],
    size: int | Sequence[int],
    halves: Sequence[Half | Ranking | str],
    deck: Sequence[int],
    dead: Sequence[int] = (),
    shared: int = 0,
    board: Sequence[int] = (),
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> tuple[NDArray[np.int64], int]:
    """The tally (players, players + 1, players + 2) int64 of every deal (`simulate.outcomes`), and how many.

    Arguments as for `prepare`.
    """
    planned = prepare(held, size, halves, deck, dead, shared, board)
    return planned.count(threads, progress), planned.deals

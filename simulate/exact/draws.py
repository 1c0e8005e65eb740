"""Every way to replace the discards in a draw game: five-card draw, deuce-to-seven, ace-to-five, badugi, wild cards.

The mathematics is that of `completions`. Here a question of draw is turned into it: each player keeps some cards,
throws some away and gets others for them. Players draw in turn from one deck that nobody sees, so every way to
give each player his number of the unseen cards is equally likely, whatever the order. That holds while the
stub suffices; where discards have to be shuffled back in, the question is left to sampling. One draw is counted: in
games of several, the last one, or one after which everybody stands pat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.rankings import Ranking
from potshare.simulate.exact.completions import Half, Plan, TooManyError, plan


def prepare(
    kept: Sequence[Sequence[int]],
    to_draw: Sequence[int],
    halves: Sequence[Half | Ranking | str],
    deck: Sequence[int],
    dead: Sequence[int] = (),
) -> Plan:
    """The plan of counting every replacement; `Plan.seconds` says how long it would take.

    `kept`: the cards each player keeps. `to_draw`: how many each is dealt. `halves`: one or two rankings (or names),
    see `completions.Half`. `deck`: the cards of the game; `dead`: the discards and all other cards that cannot
    come. Raises `completions.TooManyError` for questions beyond counting, one where the deck runs out among them.
    """
    gone = {*dead, *(card for cards in kept for card in cards)}
    live = [card for card in deck if card not in gone]
    if sum(to_draw) > len(live):
        raise TooManyError
    return plan(kept, to_draw, live, halves)


def count(
    kept: Sequence[Sequence[int]],
    to_draw: Sequence[int],
    halves: Sequence[Half | Ranking | str],
    deck: Sequence[int],
    dead: Sequence[int] = (),
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> tuple[NDArray[np.int64], int]:
    """The tally (players, players + 1, players + 2) int64 of every replacement (`simulate.outcomes`), and how many.

    Arguments as for `prepare`.
    """
    planned = prepare(kept, to_draw, halves, deck, dead)
    return planned.count(threads, progress), planned.deals

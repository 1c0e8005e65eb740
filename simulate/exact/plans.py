"""From a checked question of stud or draw to the plan of its exact count, where there is one.

What can be counted: hands of written cards (also none), the rest of the deal, one community river, and one draw
of decided discards. Keep rules, ranges, several boards and reshuffles are left to sampling.
"""

from __future__ import annotations

from potshare.evaluator.arrays import for_size
from potshare.evaluator.rankings import find_ranking
from potshare.simulate.exact import draws, runouts
from potshare.simulate.exact.completions import Half, Plan, TooManyError
from potshare.simulate.spot import Holding, Spot
from potshare.simulate.variants import SHOWDOWNS

__all__ = ["Plan", "TooManyError", "UncountableError", "counting_plan"]


class UncountableError(Exception):
    """Why a question cannot be counted, as a clause."""


def _halves(spot: Spot, size: int) -> list[Half]:
    variant = spot.variant
    down = variant.down_positions
    found = []
    for half in variant.halves:
        ranking = find_ranking(half.ranking)
        if half.selection == "two plus three":
            raise UncountableError("its hands are made of two cards and three of a board")
        if half.selection == "best five":
            found.append(Half(ranking if ranking.name == "badugi" else for_size(ranking, size)))
            continue
        held = [h.cards if isinstance(h, Holding) else () for h in spot.ranges]
        hole = tuple(tuple(c for i, c in enumerate(cards) if down >> i & 1) for cards in held)
        coming = {bool(down >> i & 1) for cards in held for i in range(len(cards), variant.hole_cards)}
        if len(coming) > 1:
            raise UncountableError("cards to come lie partly up and partly down, and only those down count")
        found.append(Half(ranking, hole, coming == {True}))
    return found


def counting_plan(spot: Spot, policy: str) -> Plan:
    """The plan of counting a question exactly.

    Raises `UncountableError` where sampling is the only way, `TooManyError` where there is too much to count.
    """
    variant = spot.variant
    if spot.ranged:
        raise UncountableError("it has a range of several hands")
    if variant.board_cards or variant.boards > 1 or variant.showdown != SHOWDOWNS[0]:
        raise UncountableError("its boards or its showdown depend on more than the cards of each player")
    size = variant.hole_cards
    held = [h.cards if isinstance(h, Holding) else () for h in spot.ranges]
    if not variant.choices:
        shared = int(spot.community and not spot.board)
        return runouts.prepare(
            held, size - int(spot.community), _halves(spot, size), variant.deck, spot.dead, shared, spot.board
        )
    return _draw_plan(spot, policy)


def _draw_plan(spot: Spot, policy: str) -> Plan:
    variant = spot.variant
    exchanges = [i for i, s in enumerate(variant.streets) if s.draw or s.swap]
    if len(exchanges) < len(variant.choices):
        raise UncountableError("cards are pushed or thrown away by keep rules")
    if any(s.down + s.up for s in variant.streets[exchanges[0] :]):
        raise UncountableError("cards are dealt after the draw")
    rounds = sum(variant.streets[i].swap or 1 for i in exchanges)
    if rounds > 1 and policy != "pat":
        raise UncountableError("later draws follow keep rules")
    kept: list[tuple[int, ...]] = []
    thrown: list[int] = []
    wanted = []
    taken = 0
    size = variant.hole_cards
    for i, h in enumerate(spot.ranges):
        if isinstance(h, Holding) and (h.kept is not None or h.waits):
            stays = h.cards if h.kept is None else h.cards[: h.kept]
            taken += size - len(stays)
            thrown += h.discards
        elif policy == "pat":
            stays = h.cards if isinstance(h, Holding) else ()
        else:
            raise UncountableError(
                f"the draw of hand {i + 1} follows keep rules; write it as KEPT/DISCARDED to count it"
            )
        kept.append(stays)
        wanted.append(size - len(stays))
    waiting = sum(size - len(h.cards) for h in spot.ranges if isinstance(h, Holding) and h.waits)
    stub = len(variant.deck) - size * spot.players - spot.unseen - max(0, len(spot.dead) - waiting)
    if taken > stub:
        raise UncountableError("the deck runs out and discards are shuffled again")
    return draws.prepare(kept, wanted, _halves(spot, size), variant.deck, (*spot.dead, *thrown))

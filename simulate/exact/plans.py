"""From a checked question of stud, draw, or unusual boards to the plan of its exact count, where there is one.

What can be counted: hands of written cards (also none) and the rest of the deal, one community river, one draw of
decided discards, one or two boards beside complete hands. Ranges are counted hand by hand while there are few.
Keep rules in several draws and reshuffles are left to sampling.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.arrays import for_size
from potshare.evaluator.hand import SPADES
from potshare.evaluator.rankings import find_ranking
from potshare.simulate.exact import draws, runouts
from potshare.simulate.exact.completions import MOST_DEALS, Half, Plan, TooManyError
from potshare.simulate.spot import Holding, Spot
from potshare.simulate.variants import SELECTIONS, SHOWDOWNS
from potshare.simulate.work import in_order

__all__ = ["Plan", "TooManyError", "UncountableError", "counting_plan"]

MOST_CHOICES = 20_000
"""Ranges are not counted when there are more choices of a hand for each player."""

_SECONDS_PER_CHOICE = 3e-4, 1e-3
"""To prepare the count of one choice of hands beside a board, and elsewhere."""


class UncountableError(Exception):
    """Why a question cannot be counted, as a clause."""


def _halves(spot: Spot, size: int) -> list[Half]:
    variant = spot.variant
    down = variant.down_positions
    found = []
    for half in variant.halves:
        ranking = find_ranking(half.ranking)
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
    if variant.showdown != SHOWDOWNS[0]:
        raise UncountableError("cards are turned up in turn")
    if variant.board_cards and variant.choices:
        raise UncountableError("players choose cards by keep rules and then see more of the board")
    # Beside a board every hand has to be complete; elsewhere the cards of an unknown hand are part of the deal.
    several = [
        i for i, r in enumerate(spot.ranges) if not isinstance(r, Holding) and (variant.board_cards or not r.is_random)
    ]
    return _ranged_plan(spot, policy, several) if several else _plan(spot, policy)


def _plan(spot: Spot, policy: str) -> Plan:
    variant = spot.variant
    size = variant.hole_cards
    held = [h.cards if isinstance(h, Holding) else () for h in spot.ranges]
    if variant.board_cards:
        return _board_plan(spot, held)
    if not variant.choices:
        shared = int(spot.community and not spot.board)
        return runouts.prepare(
            held, size - int(spot.community), _halves(spot, size), variant.deck, spot.dead, shared, spot.board
        )
    return _draw_plan(spot, policy)


def _board_plan(spot: Spot, held: Sequence[Sequence[int]]) -> Plan:
    from potshare.simulate.exact import boards

    for i, cards in enumerate(held):
        if len(cards) < spot.variant.hole_cards:
            raise UncountableError(f"hand {i + 1} lacks cards and there is a board; write {spot.variant.hole_cards}")
    if spot.unseen:
        raise UncountableError("cards are out of play that nobody knows")
    return boards.prepare(spot.variant, held, spot.boards, spot.dead)


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


# -- ranges ---------------------------------------------------------------------------------------------------------


def _ranged_plan(spot: Spot, policy: str, several: Sequence[int]) -> Plan:
    # The weighted sum of the counts of every choice of a hand for each player, choices alike by suits counted once.
    from potshare.simulate.drawing.search import settle_rules
    from potshare.simulate.exact.counting import integer_weights

    if prod(len(spot.ranges[i]) for i in several) > MOST_CHOICES:
        raise TooManyError
    rows = [spot.rows(i) for i in several]
    if prod(len(cards) for cards, _ in rows) > MOST_CHOICES:
        raise TooManyError
    weights, scale = integer_weights([w for _, w in rows])
    choices = _choices(spot, several, [cards for cards, _ in rows], weights)
    if not choices:
        raise UncountableError("no two hands of the ranges go together")

    def part(chosen: tuple[int, ...]) -> Plan:
        ranges = list(spot.ranges)
        for i, (cards, _), row in zip(several, rows, chosen, strict=True):
            ranges[i] = Holding(spot.ranges[i].text, tuple(cards[row].tolist()))
        return _plan(settle_rules(dataclasses.replace(spot, ranges=tuple(ranges)), policy), policy)

    first = part(choices[0][0])
    total = sum(weight for _, weight, _ in choices)
    whole = scale > 0 and total * first.deals < MOST_DEALS

    def counters(threads: int) -> Iterator[tuple[float, NDArray[np.int64] | NDArray[np.float64]]]:
        def do(choice: tuple[tuple[int, ...], float, int]) -> tuple[int, NDArray[np.int64] | NDArray[np.float64]]:
            chosen, weight, number = choice
            counted = part(chosen)
            counter = sum(counter for _, counter in counted.counters(1))
            return counted.deals * number, np.asarray(counter * (int(weight) if whole else weight))

        found.deals = 0
        for n, (deals, counter) in enumerate(in_order(do, choices, threads)):
            found.deals += deals
            yield (n + 1) / len(choices), counter

    each = _SECONDS_PER_CHOICE[not spot.variant.board_cards]
    found = Plan(
        first.deals * sum(number for *_, number in choices), first.players, first.halves,
        len(choices) * (first.seconds + each), counters, max(scale, 1), whole,
    )  # fmt: skip
    return found


def _choices(
    spot: Spot, several: Sequence[int], rows: Sequence[NDArray[np.uint8]], weights: Sequence[NDArray[np.float64]]
) -> list[tuple[tuple[int, ...], float, int]]:
    # A row for each of the players whose hands share no card, the weight of all choices that renaming suits makes
    # of it, and their number.
    names = _suit_names(spot, several)
    masks = [
        [[sum(1 << (c if c >= 52 else c & ~3 | name[c & 3]) for c in row) for name in names] for row in cards.tolist()]
        for cards in rows
    ]
    found: dict[tuple[int, ...], tuple[tuple[int, ...], float, int]] = {}
    for chosen in product(*(range(len(cards)) for cards in rows)):
        hands = [of[row] for of, row in zip(masks, chosen, strict=True)]
        taken = 0
        for hand in hands:
            if taken & hand[0]:
                break
            taken |= hand[0]
        else:
            weight = prod(float(w[row]) for w, row in zip(weights, chosen, strict=True))
            key = min(zip(*hands, strict=True))
            before = found.get(key)
            found[key] = (chosen, weight, 1) if before is None else (before[0], before[1] + weight, before[2] + 1)
    return list(found.values())


def _suit_names(spot: Spot, several: Sequence[int]) -> list[tuple[int, ...]]:
    # The renamings of suits that change nothing but the hands of the ranges.
    variant = spot.variant
    nothing = (0, 1, 2, 3)
    if (
        variant.choices
        or any(h.selection == SELECTIONS[2] or find_ranking(h.ranking).kind == SPADES for h in variant.halves)
        or len(variant.deck) - variant.jokers != 4 * len({c >> 2 for c in variant.deck if c < 52})
    ):
        # Keep rules go by the order of the deal where cards are worth the same.
        return [nothing]
    fixed = [{*board} for board in spot.boards] + [{*spot.dead}]
    fixed += [{*h.cards} for i, h in enumerate(spot.ranges) if isinstance(h, Holding) and i not in several]
    return [
        name
        for name in permutations(range(4))
        if all({c if c >= 52 else c & ~3 | name[c & 3] for c in cards} == cards for cards in fixed)
    ]

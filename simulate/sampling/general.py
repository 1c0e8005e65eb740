"""Monte Carlo dealing of every game that `flop` does not cover: stud, draw, several boards, discards, home games.

One kernel runs a small program of steps, data made from the variant: deal so many cards, deal to the boards,
draw, discard, push. Players draw in turn and the stub is a real one: when it runs out, the mucked hands and the
discards so far are shuffled, without what the drawing player threw away himself. Choices follow keep rules
(`drawing.rules`), the table of best discards (`drawing.best`), or the decision that a hand was given with.

The deck is an array that is shuffled as it is dealt: a card is drawn from what is left and swapped to the front.
With `orders` the cards come in a given order instead, so that a twin can deal the same ones.

Cards are masked as everywhere (`evaluator.hand.card_mask`): bit 16 * suit + rank, so that the jokers, 52 and 53,
are bit 13 of the first two suits, which no leaf of a ranking reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError
from potshare.evaluator.arrays import for_size
from potshare.evaluator.hand import FLUSHES, RANKS, card_mask
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel, leaf
from potshare.simulate.drawing.best import CHOOSE, exchanges, kept_of, table
from potshare.simulate.drawing.decide import (
    ANY_CARDS,
    DOWN_CARDS,
    LOW_TABLE,
    PAIR_ANY,
    PAIR_TABLE,
    cards_value,
    decide,
    ones,
    split_value,
)
from potshare.simulate.drawing.rules import ace_is_low, is_low, read_rules
from potshare.simulate.outcomes import COUNTED_BITS, best_of, spread, spread_all
from potshare.simulate.sampling.choice import TOO_RARE, TRIES, Choices, draw_joint, prepare
from potshare.simulate.sampling.random import below, seed_block
from potshare.simulate.variants import SELECTIONS, SHOWDOWNS, Variant
from potshare.tables.two_plus_three import low_tables

if TYPE_CHECKING:
    from potshare.simulate.spot import Spot

BLOCK = 2048
"""Deals in a block."""

DEAL, BOARD, DRAW, DISCARD, PUSH = range(5)
"""Steps: (step, cards, cards when one ace is kept, first rule, one after the last rule, draws left, cards held)."""

BOARDS, HALVES, ORDER_LOW, LEFT, LOWEST = range(5)
"""Places in the settings of a program: LEFT is the number of cards in the stub before the deal, LOWEST the first card
of the whole deck."""

RULES, TABLE, BOTH = 1, 2, 3
"""How cards are chosen: by keep rules, by the table of best discards, or some by these and some by that; 0: there is
nothing to choose."""

_TOP, _STUB, _SHUFFLES, _HEAD, _END, _BIN, _EVENTS = range(7)


@leaf
def _next_card(state, pile, at, used, random):  # type: ignore[no-untyped-def]
    # The next card of the deck, cards of `used` passed over.
    n = pile.shape[0]
    while True:
        i = at[_TOP]
        card = pile[i]
        if random:
            j = i + below(state, n - i)
            card = pile[j]
            pile[j] = pile[i]
            pile[i] = card
        at[_TOP] = i + 1
        if not used & card_mask(card):
            at[_STUB] -= 1
            return card


@leaf
def _shuffle(pile, at, used, bin_, pool, priority, barred):  # type: ignore[no-untyped-def]
    # Makes a new stub of all that was thrown away or mucked, except what this player threw away himself.
    kept = 0
    end = 0
    left = at[_END] - at[_HEAD]
    for i in range(left):
        pool[i] = pool[at[_HEAD] + i]
    # What is left of an older stub may not go to this player; it waits among the discards.
    for i in range(left):
        bin_[at[_BIN]] = pool[i]
        at[_BIN] += 1
    if at[_SHUFFLES] == 0:
        # Cards that nobody has seen, thrown away or folded, are those that the deck has beyond its stub.
        for i in range(at[_TOP], pile.shape[0]):
            if not used & card_mask(pile[i]):
                bin_[at[_BIN]] = pile[i]
                at[_BIN] += 1
        at[_TOP] = pile.shape[0]
    for i in range(at[_BIN]):
        if barred & card_mask(bin_[i]):
            bin_[kept] = bin_[i]
            kept += 1
        else:
            pool[end] = bin_[i]
            end += 1
    at[_BIN] = kept
    if priority.shape[0]:
        # An explicit order: the cards stand as in `priority`.
        mask = np.uint64(0)
        for i in range(end):
            mask |= card_mask(pool[i])
        end = 0
        for i in range(priority.shape[0]):
            if mask & card_mask(priority[i]):
                pool[end] = priority[i]
                end += 1
    at[_HEAD] = 0
    at[_END] = end
    at[_SHUFFLES] += 1


@leaf
def _draw_card(state, pile, at, used, random, bin_, pool, priority, barred):  # type: ignore[no-untyped-def]
    # A card for a player who may not get those of `barred`.
    if at[_SHUFFLES] == 0:
        if at[_STUB] > 0:
            return _next_card(state, pile, at, used, random)
        _shuffle(pile, at, used, bin_, pool, priority, barred)
    for attempt in range(3):
        head = at[_HEAD]
        end = at[_END]
        eligible = 0
        for i in range(head, end):
            if not barred & card_mask(pool[i]):
                eligible += 1
        if eligible:
            number = below(state, eligible) if random else 0
            for i in range(head, end):
                if not barred & card_mask(pool[i]):
                    if number == 0:
                        card = pool[i]
                        for j in range(i, end - 1):
                            pool[j] = pool[j + 1]
                        at[_END] = end - 1
                        return card
                    number -= 1
        # A last resort that full tables of many draws could reach: the player's own discards go in as well.
        _shuffle(pile, at, used, bin_, pool, priority, barred if attempt == 0 else np.uint64(0))
        if attempt == 1:
            barred = np.uint64(0)
    return np.uint8(255)


@leaf
def _roll(hands, count, shown, boards, halves, key, offset, value, flush):  # type: ignore[no-untyped-def]
    # Cards are turned up in turn until they beat the leader's; who runs out of cards is out. `shown` is scratch.
    players = hands.shape[0]
    for p in range(players):
        shown[p] = 0
    leader = -1
    leading = np.int64(0)
    zero = np.int64(0)
    p = np.int64(0)
    idle = 0
    while idle < players:
        idle += 1
        if p != leader:
            while shown[p] < count[p]:
                shown[p] += 1
                strength = cards_value(
                    halves, zero, hands, p, shown[p], (1 << shown[p]) - 1, boards, zero, key, offset, value, flush
                )  # fmt: skip
                if strength > leading:
                    leading = strength
                    leader = p
                    idle = 1
                    break
        p = p + 1 if p + 1 < players else 0
    return np.int64(1) << leader


class _Needs(NamedTuple):
    # What a deal needs: how cards are chosen, discards without replacement, draws, pushes, cards dealt after a draw,
    # hands of two plus three, cards turned up in turn.
    choices: int
    discards: bool
    draws: bool
    pushes: bool
    late: bool
    split: bool
    rolled: bool


@cache
def _kernel(needs: _Needs) -> Any:
    # The kernel closes over plain integers, so that what a game does not need is pruned before compiling.
    CHOICES, DISCARDS, DRAWS, PUSHES, LATE, SPLIT, ROLLED = (int(n) for n in needs)  # noqa: N806

    @kernel
    def deal_blocks(  # type: ignore[no-untyped-def]
        seed, first, blocks, deals, taken, settings, steps, rules, have, given, waits, start, known_boards, known,
        deck, muck, members, member_starts, row_starts, row_size, cards, masks, keep, other, wild, halves, key,
        offset, value, flush, key2, offset2, value2, flush2, row, pair, best, suited_row, suited, split, choose,
        discards, tabled, orders, priorities, rows, hands, count, boards, pile, bin_, pool, thrown, at, a, state,
        counter, outcomes, finals, events, worth, tally,
    ):  # fmt: skip
        # Deals `blocks` blocks of BLOCK deals from number `first` on, none beyond deal number `deals`. With `orders`
        # (deals, cards) deal i takes the cards of row i, and the shuffles of row i of `priorities`. Where they have
        # rows, `outcomes`, `finals` (deals, players, 8), `events` (deals, draws, 4) and `worth` (deals, halves,
        # players), strengths, get what happened. Returns the number of deals made, -1 when no compatible choice of
        # hands turned up.
        players = hands.shape[0]
        width = players * settings[HALVES]
        counted = width <= COUNTED_BITS
        groups = row_starts.shape[0] - 1
        random = orders.shape[0] == 0
        cards_in_deck = deck.shape[0]
        priority = priorities[0]
        # A literal among the arguments of a leaf would compile it once more.
        one = np.int64(1)
        zero = one - 1
        nobody = np.uint64(0)
        made = 0
        for block in range(first, first + blocks):
            seed_block(state, seed, block)
            for i in range(cards_in_deck):
                pile[i] = deck[i]
            todo = min(BLOCK, deals - block * BLOCK)
            for d in range(todo):
                number = (block - first) * BLOCK + d
                used = np.uint64(0)
                at[_TOP] = 0
                at[_STUB] = settings[LEFT]
                at[_SHUFFLES] = 0
                at[_HEAD] = 0
                at[_END] = 0
                at[_EVENTS] = 0
                at[_BIN] = muck.shape[0]
                if not random:
                    priority = priorities[number]
                    for i in range(cards_in_deck):
                        pile[i] = orders[number, i]
                for i in range(muck.shape[0]):
                    bin_[i] = muck[i]
                if groups:
                    used = draw_joint(state, taken, row_starts, masks, keep, other, rows, TRIES)
                    if not used:
                        return -1
                    for g in range(groups):
                        column = 0
                        for i in range(member_starts[g], member_starts[g + 1]):
                            for c in range(row_size[members[i]]):
                                hands[members[i], c] = cards[rows[g], column]
                                column += 1
                    used ^= taken
                for p in range(players):
                    count[p] = 0
                    thrown[p] = 0
                    if start[p, 0] != 255:
                        for c in range(have[p]):
                            hands[p, c] = start[p, c]
                for j in range(settings[BOARDS]):
                    for c in range(known[j]):
                        boards[j, c] = known_boards[j, c]
                on_board = np.int64(0)
                decided = False
                for s in range(steps.shape[0]):
                    step, cards_now = steps[s, 0], steps[s, 1]
                    if step == DEAL:
                        for _ in range(cards_now):
                            for p in range(players):
                                place = count[p]
                                if place >= have[p]:
                                    if waits[p]:
                                        continue
                                    if LATE:
                                        hands[p, place] = _draw_card(
                                            state, pile, at, used, random, bin_, pool, priority, thrown[p]
                                        )  # fmt: skip
                                    else:
                                        hands[p, place] = _next_card(state, pile, at, used, random)
                                count[p] = place + 1
                    elif step == BOARD:
                        for j in range(settings[BOARDS]):
                            for c in range(cards_now):
                                if on_board + c >= known[j]:
                                    if LATE:
                                        boards[j, on_board + c] = _draw_card(
                                            state, pile, at, used, random, bin_, pool, priority, nobody
                                        )  # fmt: skip
                                    else:
                                        boards[j, on_board + c] = _next_card(state, pile, at, used, random)
                        on_board += cards_now
                    elif CHOICES:
                        # A pushed card is offered on; the pusher's new one comes as a draw does.
                        offered = np.uint8(255)
                        pushing = PUSHES and step == PUSH
                        for p in range(players):
                            n = count[p]
                            least = n - cards_now
                            most = least if step == DISCARD else n
                            if PUSHES and pushing:
                                count[p] = n + 1
                                if n < have[p]:
                                    continue
                                if offered == 255:
                                    hands[p, n] = _draw_card(
                                        state, pile, at, used, random, bin_, pool, priority, nobody
                                    )
                                else:
                                    hands[p, n] = offered
                                n += 1
                                least = zero
                                most = n
                            if not decided and waits[p] and not pushing:
                                kept = (one << n) - 1
                            elif not decided and given[p] >= 0 and not pushing:
                                kept = given[p]
                            elif CHOICES == TABLE or (CHOICES == BOTH and tabled[p] and not pushing):
                                kept = kept_of(hands, p, n, settings[LOWEST], choose, discards, steps[s, 5] - 1)
                            else:
                                kept = decide(
                                    hands, p, n, boards, on_board, least, most, steps[s, 2], steps[s, 5], rules,
                                    steps[s, 3], steps[s, 4], wild, settings[ORDER_LOW], halves, key, offset, value,
                                    flush, key2, offset2, value2, flush2,
                                )  # fmt: skip
                            if pushing:
                                offered = np.uint8(255)
                                kept |= (one << (n - 1)) - 1
                                if not (kept >> (n - 1)) & 1:
                                    offered = hands[p, n - 1]
                            else:
                                for c in range(n):
                                    if not (kept >> c) & 1:
                                        bin_[at[_BIN]] = hands[p, c]
                                        at[_BIN] += 1
                                        thrown[p] |= card_mask(hands[p, c])
                            if DISCARDS and step == DISCARD:
                                place = 0
                                for c in range(n):
                                    if (kept >> c) & 1:
                                        hands[p, place] = hands[p, c]
                                        place += 1
                                count[p] = place
                                continue
                            if DRAWS:
                                stub = at[_STUB] if at[_SHUFFLES] == 0 else at[_END] - at[_HEAD]
                                shuffles = at[_SHUFFLES]
                                if waits[p] and not decided and not pushing:
                                    n = steps[s, 6]
                                    count[p] = n
                                for c in range(n):
                                    if not (kept >> c) & 1:
                                        hands[p, c] = _draw_card(
                                            state, pile, at, used, random, bin_, pool, priority, thrown[p]
                                        )  # fmt: skip
                                if events.shape[0] and not pushing:
                                    event = at[_EVENTS]
                                    events[number, event, 0] = n - ones(kept)
                                    events[number, event, 1] = stub
                                    events[number, event, 2] = at[_SHUFFLES] - shuffles
                                    events[number, event, 3] = at[_STUB] if at[_SHUFFLES] == 0 else at[_END] - at[_HEAD]
                                    at[_EVENTS] = event + 1
                        if pushing:
                            if offered != 255:
                                bin_[at[_BIN]] = offered
                                at[_BIN] += 1
                        else:
                            decided = True
                if ROLLED:
                    outcome = _roll(hands, count, a, boards, halves, key, offset, value, flush)
                    if worth.shape[0]:
                        # What a player has turned up is his hand.
                        for p in range(players):
                            worth[number, 0, p] = cards_value(
                                halves, zero, hands, p, a[p], (one << a[p]) - 1, boards, zero, key, offset, value, flush
                            )  # fmt: skip
                else:
                    for p in range(players):
                        full = (one << count[p]) - 1
                        if SPLIT:
                            a[p] = split_value(
                                halves, zero, hands, p, count[p], boards, key, offset, value, flush, row, pair, best,
                                suited_row, suited, split,
                            )  # fmt: skip
                        else:
                            a[p] = cards_value(
                                halves, zero, hands, p, count[p], full, boards, on_board, key, offset, value, flush
                            )
                    outcome = best_of(a, players)
                    if worth.shape[0]:
                        for p in range(players):
                            worth[number, 0, p] = a[p]
                    if settings[HALVES] == 2:
                        for p in range(players):
                            full = (one << count[p]) - 1
                            if SPLIT:
                                a[p] = split_value(
                                    halves, one, hands, p, count[p], boards, key2, offset2, value2, flush2, row, pair,
                                    best, suited_row, suited, split,
                                )  # fmt: skip
                            else:
                                a[p] = cards_value(
                                    halves, one, hands, p, count[p], full, boards, on_board, key2, offset2, value2,
                                    flush2,
                                )  # fmt: skip
                        outcome |= best_of(a, players) << players
                        if worth.shape[0]:
                            for p in range(players):
                                worth[number, 1, p] = a[p]
                if counted:
                    counter[outcome] += 1
                else:
                    spread(tally, players, outcome, 1)
                if outcomes.shape[0]:
                    outcomes[number] = outcome
                    for p in range(players):
                        for c in range(hands.shape[1]):
                            finals[number, p, c] = hands[p, c] if c < count[p] else 255
            made += todo
        if counted:
            spread_all(tally, players, counter, width)
        return made

    return deal_blocks


# -- from a spot to a program ---------------------------------------------------------------------------------------


class HalfTables(NamedTuple):
    """A half of the pot for kernels: its numbers (kind, selection, board, down mask) and its ranking's tables."""

    numbers: tuple[int, int, int, int]
    key: NDArray[np.uint64]
    offset: NDArray[np.int32]
    value: NDArray[np.uint16]
    flush: NDArray[np.uint16]


def half_ranking(variant: Variant, h: int) -> Ranking:
    """The ranking on whose scale a half's strengths are: its partial order where hands have too few cards for it."""
    half = variant.halves[h]
    ranking = find_ranking(half.ranking)
    size = variant.kept_cards + variant.board_cards
    if half.selection == SELECTIONS[0] and variant.showdown == SHOWDOWNS[0] and size <= ranking.most:
        return for_size(ranking, size)
    return ranking


def _half_tables(variant: Variant, h: int, down: int) -> HalfTables:
    half = variant.halves[h]
    ranking = half_ranking(variant, h)
    how = ANY_CARDS
    if half.selection == "down cards":
        how = DOWN_CARDS
    elif half.selection == "two plus three":
        first = find_ranking(variant.halves[0].ranking)
        if ranking.name == "eight-or-better":
            how = LOW_TABLE
        elif ranking.name == first.name and ranking.kind in (RANKS, FLUSHES):
            how = PAIR_TABLE
        else:
            how = PAIR_ANY
    return HalfTables((ranking.kind, how, half.board - 1, down), *ranking.tables)


def down_mask(variant: Variant) -> int:
    """The positions of a hand that lie face down at the showdown, in dealing order."""
    mask = variant.down_positions
    if any(s.draw and s.facing == "down" for s in variant.streets):
        # Players take up their cards to draw, and nothing lies face up any more.
        mask = (1 << variant.hole_cards) - 1
    return mask


@dataclass(frozen=True)
class Plan:
    """A variant and a policy as the arrays that the kernel runs."""

    steps: NDArray[np.int64]
    rules: NDArray[np.int64]
    halves: NDArray[np.int64]
    tables: tuple[NDArray[Any], ...]
    wild: np.uint64
    order_low: int


def plan(variant: Variant, policy: str, community: bool) -> Plan:
    """The plan of a deal. `community`: the last private card is one for all, on the board. What the policies `pat` and
    `best` leave open is chosen by the rules of `standard`."""
    chosen = variant.policy("standard" if policy in ("pat", "best") else policy) if variant.choices else None
    steps: list[tuple[int, int, int, int, int, int, int]] = []
    rules: list[tuple[int, ...]] = []
    rounds = sum(s.swap or 1 for s in variant.streets if s.draw or s.swap)
    held = 0
    for i, street in enumerate(variant.streets):
        down, up = street.down, street.up
        if community and not any(s.down + s.up for s in variant.streets[i + 1 :]) and down + up:
            down, up = 0, 0
            steps.append((BOARD, 1, 0, 0, 0, 0, 0))
        first = len(rules)
        if street.choice and chosen is not None:
            texts: Sequence[str] = chosen.of(street.choice)
            if policy == "pat" and not street.discard:
                texts = ("keep everything",)
            rules += read_rules(texts, variant)
        last = len(rules)
        if street.push:
            steps.append((PUSH, 1, 0, first, last, 0, 0))
            held += 1
            continue
        if down + up:
            steps.append((DEAL, down + up, 0, 0, 0, 0, 0))
            held += down + up
        if street.board:
            steps.append((BOARD, street.board, 0, 0, 0, 0, 0))
        if street.discard:
            steps.append((DISCARD, street.discard, 0, first, last, 0, held))
            held -= street.discard
        for _ in range(street.swap):
            steps.append((DRAW, 1, 0, first, last, rounds, held))
            rounds -= 1
        if street.draw:
            to_ace = street.draw_to_ace if street.draw_to_ace > street.draw else 0
            steps.append((DRAW, street.draw, to_ace, first, last, rounds, held))
            rounds -= 1
    down_cards = down_mask(variant)
    halves = [_half_tables(variant, h, down_cards) for h in range(len(variant.halves))]
    two = halves if len(halves) == 2 else [*halves, *halves]
    ranking = find_ranking(variant.halves[0].ranking)
    if any(h.numbers[1] == PAIR_TABLE for h in halves):
        _, _, row, pair, best, suited_row, suited = ranking.two_plus_three
    else:
        row, pair = np.zeros(1, np.uint16), np.zeros(1, np.uint8)
        best, suited_row, suited = np.zeros((1, 1), np.uint16), np.zeros(1, np.uint16), np.zeros((1, 1), np.uint16)
    split = low_tables().split if any(h.numbers[1] == LOW_TABLE for h in halves) else np.zeros((1, 1), np.uint8)
    low = 0
    if is_low(variant.halves[0].ranking):
        low = 2 if ace_is_low(variant.halves[0].ranking) else 1
    return Plan(
        steps=np.array(steps, np.int64).reshape(-1, 7),
        rules=np.array([*rules, (0, 0, 0, 0, 0)], np.int64),
        halves=np.array([h.numbers for h in two], np.int64),
        tables=(*two[0][1:], *two[1][1:], row, pair, best, suited_row, suited, split),
        wild=np.uint64(sum(1 << (16 * (c & 3) + (c >> 2)) for c in variant.wild_cards)),
        order_low=low,
    )


def _needs(steps: NDArray[np.int64], choosing: int, variant: Variant) -> _Needs:
    kinds = steps[:, 0].tolist()
    exchanges_at = [i for i, kind in enumerate(kinds) if kind in (DRAW, PUSH)]
    dealt_at = [i for i, kind in enumerate(kinds) if kind in (DEAL, BOARD)]
    return _Needs(
        choosing,
        discards=DISCARD in kinds,
        draws=bool(exchanges_at),
        pushes=PUSH in kinds,
        late=bool(exchanges_at and dealt_at) and min(exchanges_at) < max(dealt_at),
        split=any(h.selection == SELECTIONS[1] for h in variant.halves),
        rolled=variant.showdown == SHOWDOWNS[1],
    )


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << (16 * (c & 3) + (c >> 2)) for c in cards)


@dataclass(frozen=True)
class Dealt:
    """Deals from given orders: outcome masks, the cards at the showdown (255: none), what each draw took.

    `events` (deals, draws, 4): for each draw in turn the cards asked for, the stub before it, how many shuffles
    it took, and the stub after it. `worth` (deals, halves, players): the strengths at the showdown, on the scales of
    `half_ranking`.
    """

    outcomes: NDArray[np.int64]
    hands: NDArray[np.uint8]
    events: NDArray[np.int64]
    worth: NDArray[np.int64]


class Dealer:
    """Deals blocks of one question: `deal` may be called from several threads at once.

    With the policy `best` draws are looked up in the table of best discards, where the game has one
    (`drawing.best.exchanges`), but for the players of `by_rules`, who follow the policy `standard`.
    """

    block = BLOCK
    chunk = 8

    def __init__(self, spot: Spot, policy: str, seed: int, by_rules: Sequence[int] = ()) -> None:
        variant = spot.variant
        self.players = spot.players
        self._plan = plan(variant, policy, spot.community)
        choosing = RULES if variant.choices else 0
        discards = np.zeros((1, 1), np.uint8)
        if policy == "best" and exchanges(variant):
            discards = table(variant, spot.players).masks
            choosing = BOTH if by_rules or "push" in variant.choices else TABLE
        tabled = np.array([p not in by_rules for p in range(spot.players)])
        self._kernel = _kernel(_needs(self._plan.steps, choosing, variant))
        self._seed = np.uint64(seed)
        players = spot.players
        have = np.zeros(players, np.int64)
        given = np.full(players, -1, np.int64)
        waits = np.zeros(players, np.int64)
        start = np.full((players, 8), 255, np.uint8)
        held: list[int] = []
        fixed = spot.fixed_cards
        for p, holding in enumerate(spot.holdings):
            if holding is None:
                continue
            have[p] = len(holding.cards)
            start[p, : len(holding.cards)] = holding.cards
            if not len(holding.cards):
                start[p, 0] = 254
            if holding.kept is not None:
                given[p] = (1 << holding.kept) - 1
            waits[p] = int(holding.waits)
        sizes = np.zeros(players, np.int64)
        for p in spot.ranged:
            held.append(p)
            sizes[p] = have[p] = spot.row_size(p)
        gone = tuple(sorted({*fixed, *spot.board, *spot.dead}))
        found = [spot.rows(p) for p in held]
        choices: Choices = prepare(
            held, [cards for cards, _ in found], [weights for _, weights in found],
            (tuple(sorted(spot.board)), tuple(sorted(spot.dead)), *(tuple(sorted(h)) for h in spot.fixed_hands)), seed,
        )  # fmt: skip
        self.acceptance = choices.acceptance
        deck = np.array([c for c in variant.deck if c not in gone], np.uint8)
        in_rows = int(sizes.sum())
        self._boards = max(1, variant.boards)
        on = np.zeros((self._boards, 5), np.uint8)
        known = np.zeros(self._boards, np.int64)
        for j, board in enumerate(spot.boards):
            known[j] = len(board)
            on[j, : len(board)] = board
        settings = np.zeros(8, np.int64)
        settings[BOARDS] = self._boards
        settings[HALVES] = len(variant.halves)
        settings[ORDER_LOW] = self._plan.order_low
        settings[LEFT] = len(deck) - in_rows - spot.phantoms
        settings[LOWEST] = variant.deck[0]
        self.deck = deck
        self._halves = len(variant.halves)
        self._draws = max(1, sum(int(s[0] == DRAW) for s in self._plan.steps)) * players
        self._fixed = (
            np.uint64(_mask(gone)), settings, self._plan.steps, self._plan.rules, have, given, waits, start, on, known,
            deck, np.array(spot.dead, np.uint8), choices.members, choices.member_starts, choices.row_starts, sizes,
            choices.cards, choices.masks, choices.keep, choices.other, self._plan.wild, self._plan.halves,
            *self._plan.tables, CHOOSE, discards, tabled,
        )  # fmt: skip

    def _run(
        self, first: int, blocks: int, deals: int, orders: NDArray[np.uint8], priorities: NDArray[np.uint8],
        found: Dealt, tally: NDArray[np.int64],
    ) -> None:  # fmt: skip
        n = self.players
        made = self._kernel(
            self._seed, first, blocks, deals, *self._fixed, orders, priorities, np.zeros(n, np.int64),
            np.zeros((n, 8), np.uint8), np.zeros(n, np.int64), np.zeros((self._boards, 5), np.uint8),
            np.zeros(len(self.deck), np.uint8), np.zeros(256, np.uint8), np.zeros(128, np.uint8),
            np.zeros(n, np.uint64), np.zeros(8, np.int64), np.zeros(n, np.int64), np.zeros(4, np.uint64),
            np.zeros(1 << COUNTED_BITS, np.int64), found.outcomes, found.hands, found.events, found.worth, tally,
        )  # fmt: skip
        if made < 0:
            raise NoDealError(TOO_RARE)

    def _record(self, deals: int) -> Dealt:
        return Dealt(
            np.zeros(deals, np.int64), np.zeros((deals, self.players, 8), np.uint8),
            np.zeros((deals, self._draws, 4), np.int64), np.zeros((deals, self._halves, self.players), np.int64),
        )  # fmt: skip

    def deal(self, first: int, blocks: int, deals: int) -> NDArray[np.int64]:
        """The tally of `blocks` blocks from number `first` on, none beyond deal number `deals`."""
        tally = np.zeros((self.players, self.players + 1, self.players + 2), np.int64)
        nobody = np.zeros((0, 0), np.uint8), np.zeros((1, 0), np.uint8)
        self._run(first, blocks, deals, *nobody, self._record(0), tally)
        return tally

    def dealt(self, first: int, deals: int) -> Dealt:
        """What happens in the first deals of block `first`: the same deals that `deal` counts."""
        found = self._record(deals)
        tally = np.zeros((self.players, self.players + 1, self.players + 2), np.int64)
        nobody = np.zeros((0, 0), np.uint8), np.zeros((1, 0), np.uint8)
        self._run(first, 1, first * BLOCK + deals, *nobody, found, tally)
        return found

    def deal_orders(self, orders: NDArray[np.uint8], priorities: NDArray[np.uint8]) -> Dealt:
        """Deals the cards of `deck` in the order of each row of `orders`; spots without ranges only.

        A shuffled pile of discards is dealt in the order in which its cards stand in the row of `priorities`.
        """
        deals = len(orders)
        found = self._record(deals)
        tally = np.zeros((self.players, self.players + 1, self.players + 2), np.int64)
        self._run(
            0, -(-deals // BLOCK), deals, np.ascontiguousarray(orders), np.ascontiguousarray(priorities), found, tally
        )
        return found

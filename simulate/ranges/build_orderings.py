"""Orderings of starting hands: all-in equity against a random hand, counted or sampled.

Two-card games are counted exactly: every board up to a change of suits (134,459 of 2,598,960 in a full deck) with its
number of copies; on each, every pair of hole cards against every other. One pass over the hands in order of strength
gives for each the number of hands it beats and ties; those that share a card with it are taken out by counts kept
for each card (a hand that holds both cards is the hand itself). In split pots the same pass runs for the low half, and
once more among the hands without a low where only they contest nothing.

Games of four and five cards are sampled: boards and opponents from a fixed seed, the same ones for every class of
hands, so that most of the sampling error is common to all and the order is better than each figure. The generator of
random numbers is written out here (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014), so that the data can be rebuilt bit by bit on any machine.

Games in which players draw or discard are sampled likewise, every player following the standard policy that
`potshare games NAME` prints, through the steps that `sampling.general` makes of a game.

`python -m potshare.simulate.ranges.build_orderings [--check] [NAME...]` rebuilds the data.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.hand import card_mask, rank_place, strength_of, suit_ranks, top_suit
from potshare.evaluator.omaha import BOARD_START, HOLE_START, low_ranks
from potshare.evaluator.rankings import find_ranking
from potshare.kernel import kernel, leaf
from potshare.simulate.drawing.decide import cards_value, decide
from potshare.simulate.sampling import general
from potshare.simulate.sampling.general import BOARD, DISCARD, DRAW
from potshare.simulate.variants import find_variant
from potshare.tables import MANIFEST, digest, two_plus_three

FOLDER = Path(__file__).resolve().parent / "data"

CLASSES = 169
POINTS = 4
"""A whole pot in counted scores, so that ties of a half stay integers."""

_TOP_BITS = np.uint64(0x8888 << 48)
_ONE = np.uint64(1)


# ------------------------------------------------------------------------------------------ two cards, counted


@leaf
def _add_points(strength, include, n, first, second, head, following, less, level, points):  # type: ignore[no-untyped-def]
    """Adds to `points` for each included hand 2 for every included hand it beats and 1 for every tie.

    Hands that share a card are left out. `head` (buckets,) must be all -1 and is left so; `less` and `level` are
    scratch by card.
    """
    for card in range(52):
        less[card] = 0
        level[card] = 0
    for i in range(n):
        if include[i]:
            following[i] = head[strength[i]]
            head[strength[i]] = i
    below = 0
    for bucket in range(head.shape[0]):
        i = head[bucket]
        if i < 0:
            continue
        size = 0
        while i >= 0:
            size += 1
            level[first[i]] += 1
            level[second[i]] += 1
            i = following[i]
        i = head[bucket]
        while i >= 0:
            a = first[i]
            b = second[i]
            beaten = below - less[a] - less[b]
            tied = size - level[a] - level[b] + 1
            points[i] += 2 * beaten + tied
            i = following[i]
        i = head[bucket]
        while i >= 0:
            a = first[i]
            b = second[i]
            less[a] += level[a]
            less[b] += level[b]
            level[a] = 0
            level[b] = 0
            i = following[i]
        below += size
        head[bucket] = -1


@kernel
def _count_boards(  # type: ignore[no-untyped-def]
    boards, copies, lowest, halves, kind, key, offset, value, flush,
    low_kind, low_key, low_offset, low_value, low_flush,
    strength, include, first, second, head, following, less, level, points, total,
):  # fmt: skip
    """Adds to `total` (169,) int64 the points of every hand on every board, times the board's copies."""
    for row in range(boards.shape[0]):
        board_sum = key[63]
        low_sum = low_key[63]
        mask = np.uint64(0)
        used = np.uint64(0)
        for j in range(5):
            card = boards[row, j]
            board_sum += key[card]
            low_sum += low_key[card]
            mask |= card_mask(card)
            used |= _ONE << np.uint64(card)
        n = 0
        for a in range(4 * lowest, 52):
            if (used >> np.uint64(a)) & _ONE:
                continue
            for b in range(4 * lowest, a):
                if (used >> np.uint64(b)) & _ONE:
                    continue
                first[n] = a
                second[n] = b
                include[n] = 1
                points[n] = 0
                strength[n] = strength_of(
                    kind, board_sum + key[a] + key[b], mask | card_mask(a) | card_mask(b), key, offset, value, flush
                )
                n += 1
        _add_points(strength, include, n, first, second, head, following, less, level, points)
        if halves == 1:
            for i in range(n):
                points[i] *= 2
        else:
            # Without a low the low half goes with the high one: among hands without a low its points count twice.
            for i in range(n):
                include[i] = 1
                low = strength_of(
                    low_kind, low_sum + low_key[first[i]] + low_key[second[i]],
                    mask | card_mask(first[i]) | card_mask(second[i]), low_key, low_offset, low_value, low_flush,
                )  # fmt: skip
                strength[n + i] = low
            for i in range(n):
                include[i] = strength[n + i] == 0
            _add_points(strength, include, n, first, second, head, following, less, level, points)
            for i in range(n):
                strength[i] = strength[n + i]
                include[i] = 1
                points[n + i] = 0
            _add_points(strength, include, n, first, second, head, following, less, level, points[n:])
            for i in range(n):
                if strength[i]:
                    points[i] += points[n + i]
        for i in range(n):
            a = first[i] >> 2
            b = second[i] >> 2
            suited = (first[i] & 3) == (second[i] & 3)
            place = a * 13 + b if suited else b * 13 + a
            total[place] += points[i] * copies[row]


def boards_up_to_suits(lowest: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(n, 5) uint8 boards of a deck from rank `lowest`, one of each kind up to a change of suits; (n,) int64 copies."""
    deck = range(4 * lowest, 52)
    n = math.comb(len(deck), 5)
    flat = itertools.chain.from_iterable(itertools.combinations(deck, 5))
    every = np.fromiter(flat, np.uint8, 5 * n).reshape(n, 5)
    _, index, copies = np.unique(suit_free_key(every), return_index=True, return_counts=True)
    return np.ascontiguousarray(every[index]), copies.astype(np.int64)


def suit_free_key(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(n,) int64: a number that hands have in common exactly when a change of suits turns one into the other.

    The four suits' rank masks in descending order, thirteen bits each.
    """
    masks = np.zeros((len(hands), 4), np.int64)
    for column in hands.T:
        masks[np.arange(len(hands)), column & 3] |= np.int64(1) << (column >> 2).astype(np.int64)
    masks.sort(axis=1)
    key: NDArray[np.int64] = (masks[:, 3] << 39) | (masks[:, 2] << 26) | (masks[:, 1] << 13) | masks[:, 0]
    return key


def count_pairs(lowest: int, high: str, low: str = "") -> NDArray[np.int64]:
    """(169,) int64: for each two-card class the points of one of its hands against every hand on every board.

    `lowest` is the lowest rank of the deck; `high` and `low` name rankings. A class is `13 * a + b` for ranks
    a >= b suited or paired, and `13 * b + a` offsuit; classes outside the deck have 0. A pot is `POINTS` points.
    """
    boards, copies = boards_up_to_suits(lowest)
    high_ranking = find_ranking(high)
    low_ranking = find_ranking(low or high)
    total = np.zeros(CLASSES, np.int64)
    room = 2 * 1326
    buckets = 1 + int(max(high_ranking.tables.value.max(), high_ranking.tables.flush.max()))
    _count_boards(
        boards, copies, lowest, 2 if low else 1, high_ranking.kind, *high_ranking.tables,
        low_ranking.kind, *low_ranking.tables,
        np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64),
        np.full(buckets, -1, np.int64), np.zeros(room, np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64),
        np.zeros(room, np.int64), total,
    )  # fmt: skip
    hands = class_sizes()
    return total // hands


def class_sizes() -> NDArray[np.int64]:
    """(169,) int64: the number of hands of each two-card class."""
    place = np.arange(CLASSES)
    a, b = place // 13, place % 13
    return np.where(a == b, 6, np.where(a > b, 4, 12)).astype(np.int64)


# ----------------------------------------------------------------------------------- four or five cards, sampled

BOARDS = 200_000
"""Boards sampled for an ordering of hands of four or five cards."""
SHUFFLES = 6
"""Of the 47 cards that are not on a board, each cut into random hands to be met (66 of four cards, 54 of five)."""
SEED = 20_240_601


@leaf
def _next(state):  # type: ignore[no-untyped-def]
    # splitmix64
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@leaf
def _below(state, n):  # type: ignore[no-untyped-def]
    # A number 0..n-1 from the top 32 bits; the bias, n / 2**32, is far below the sampling error.
    return np.int64(((_next(state) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@leaf
def _split_high(holes, i, total, mask, key, place, pair, best, suited_row, suited):  # type: ignore[no-untyped-def]
    found = np.int64(0)
    counters = HOLE_START
    size = holes.shape[1]
    for j in range(size):
        counters += key[holes[i, j]]
        rank = (np.int64(holes[i, j]) >> 2) << 4
        for k in range(j):
            found = max(found, np.int64(best[place, pair[rank | (np.int64(holes[i, k]) >> 2)]]))
    both = total & counters & _TOP_BITS
    if both:
        suit = top_suit(both)
        flush = suited_row[suit_ranks(mask, suit)]
        for j in range(1, size):
            if holes[i, j] & 3 != suit:
                continue
            rank = (np.int64(holes[i, j]) >> 2) << 4
            for k in range(j):
                if holes[i, k] & 3 == suit:
                    found = max(found, np.int64(suited[flush, pair[rank | (np.int64(holes[i, k]) >> 2)]]))
    return found


@leaf
def _split_low(holes, i, board_low, split):  # type: ignore[no-untyped-def]
    ranks = np.int64(0)
    for j in range(holes.shape[1]):
        ranks |= 1 << (np.int64(holes[i, j]) >> 2)
    return np.int64(split[board_low, low_ranks(ranks)])


@kernel
def _sample_boards(  # type: ignore[no-untyped-def]
    boards, halves, state, hands, held, deck, rivals, rival_held, rival_high, rival_low,
    key, offset, row, pair, best, suited_row, suited, split, total, squares, met,
):  # fmt: skip
    """Adds to `total`, `squares` (n,) float64 each hand's share against the rivals of a board, and to `met` (n,)
    int64."""
    size = hands.shape[1]
    per_shuffle = 47 // size
    for _ in range(boards):
        for j in range(5):
            k = j + _below(state, 52 - j)
            deck[j], deck[k] = deck[k], deck[j]
        sum_ = BOARD_START
        mask = np.uint64(0)
        used = np.uint64(0)
        ranks = np.int64(0)
        for j in range(5):
            card = np.int64(deck[j])
            sum_ += key[card]
            mask |= card_mask(card)
            used |= _ONE << np.uint64(card)
            ranks |= 1 << (card >> 2)
        board_low = low_ranks(ranks)
        place = row[rank_place(sum_, offset)]
        for shuffle in range(rivals.shape[0] // per_shuffle):
            for j in range(size * per_shuffle):
                k = j + _below(state, 47 - j)
                deck[5 + j], deck[5 + k] = deck[5 + k], deck[5 + j]
            for h in range(per_shuffle):
                i = shuffle * per_shuffle + h
                rival_held[i] = np.uint64(0)
                for j in range(size):
                    rivals[i, j] = deck[5 + size * h + j]
                    rival_held[i] |= _ONE << np.uint64(rivals[i, j])
                rival_high[i] = _split_high(rivals, i, sum_, mask, key, place, pair, best, suited_row, suited)
                rival_low[i] = _split_low(rivals, i, board_low, split) if halves == 2 else 0
        for i in range(hands.shape[0]):
            if held[i] & used:
                continue
            high = _split_high(hands, i, sum_, mask, key, place, pair, best, suited_row, suited)
            low = _split_low(hands, i, board_low, split) if halves == 2 else 0
            points = 0
            count = 0
            for r in range(rivals.shape[0]):
                if held[i] & rival_held[r]:
                    continue
                count += 1
                gain = (high > rival_high[r]) * 2 + (high == rival_high[r])
                points += gain
                if low == 0 and rival_low[r] == 0:
                    points += gain
                else:
                    points += (low > rival_low[r]) * 2 + (low == rival_low[r])
            if count:
                share = points / (4.0 * count)
                total[i] += share
                squares[i] += share * share
                met[i] += 1


def classes(cards: int) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """One hand of each class of hands up to a change of suits, the number of hands of each, the class of every hand.

    (m, cards) uint8 in descending order; (m,) int64; (n,) int64, hands numbered by the sum of C(card, place) over
    their cards in ascending order. There are 16,432 classes of four cards and 134,459 of five.
    """
    n = math.comb(52, cards)
    ascending = np.fromiter(
        itertools.chain.from_iterable(itertools.combinations(range(52), cards)), np.uint8, cards * n
    ).reshape(n, cards)
    descending = ascending[:, ::-1]
    descending = descending[np.lexsort(descending.T[::-1])]
    _, index, inverse, sizes = np.unique(
        suit_free_key(descending), return_index=True, return_inverse=True, return_counts=True
    )
    return np.ascontiguousarray(descending[index]), sizes.astype(np.int64), inverse.reshape(-1).astype(np.int64)


def sample_split(
    cards: int, high: str, low: str = "", boards: int = BOARDS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) float64 equity of each class of hands of four or five cards against a random hand, and its standard error.

    Two hole cards and three of the board; `low` is `eight-or-better` or empty.
    """
    hands, _, _ = classes(cards)
    rivals = SHUFFLES * (47 // cards)
    tables = two_plus_three.build(find_ranking(high).tables)
    split = two_plus_three.low_tables().split
    held = np.zeros(len(hands), np.uint64)
    for column in hands.T:
        held |= np.uint64(1) << column.astype(np.uint64)
    total, squares, met = np.zeros(len(hands)), np.zeros(len(hands)), np.zeros(len(hands), np.int64)
    _sample_boards(
        boards, 2 if low else 1, np.array([SEED], np.uint64), hands, held, np.arange(52, dtype=np.uint8),
        np.zeros((rivals, cards), np.uint8), np.zeros(rivals, np.uint64), np.zeros(rivals, np.int64),
        np.zeros(rivals, np.int64), *tables, split, total, squares, met,
    )  # fmt: skip
    mean = total / met
    return mean, np.sqrt(np.maximum(squares / met - mean * mean, 0.0) / met)


# ------------------------------------------------------------------------------ draws and discards, played by policy

PLAYED_GAMES = {"badugi": 6_000, "irish": 8_000, "murder": 200_000}
"""Games in which players draw or discard, by name, with the deals that each class of hands plays."""
PLAYED_RIVALS = 64
"""Random hands met in each deal."""


@leaf
def _play(  # type: ignore[no-untyped-def]
    hands, p, n, pile, used, boards, steps, rules, wild, order_low, halves, key, offset, value, flush, key2, offset2,
    value2, flush2,
):  # fmt: skip
    # Plays one hand through the steps of `sampling.general`, cards drawn from the pile in order without those used.
    # Returns the mask of all cards that it had, how many it drew, and how many it holds.
    top = np.int64(0)
    drawn = np.int64(0)
    on_board = np.int64(0)
    for s in range(steps.shape[0]):
        step, number = steps[s, 0], steps[s, 1]
        if step == BOARD:
            on_board += number
        if step != DRAW and step != DISCARD:
            continue
        least = n - number
        most = least if step == DISCARD else n
        kept = decide(
            hands, p, n, boards, on_board, least, most, steps[s, 2], steps[s, 5], rules, steps[s, 3], steps[s, 4], wild,
            order_low, halves, key, offset, value, flush, key2, offset2, value2, flush2,
        )  # fmt: skip
        place = np.int64(0)
        for c in range(n):
            if (kept >> c) & 1:
                if step == DISCARD:
                    hands[p, place] = hands[p, c]
                    place += 1
            elif step == DRAW:
                while (used >> np.uint64(pile[top])) & _ONE:
                    top += 1
                hands[p, c] = pile[top]
                used |= _ONE << np.uint64(pile[top])
                drawn += 1
        if step == DISCARD:
            n = place
    return used, drawn, n


@kernel
def _play_games(  # type: ignore[no-untyped-def]
    deals, state, classes, board_cards, deck, pile, own, rivals, rival_used, rival_drawn, worth, factor, boards, steps,
    rules, halves, key, offset, value, flush, key2, offset2, value2, flush2, wild, order_low, two, total, squares, met,
):  # fmt: skip
    """Adds to `total`, `squares` (n,) float64 each hand's share against the rivals of a deal, and to `met` (n,) int64.

    The hand and its rivals are played apart and compared where they had no card in common. That comes about in other
    proportions than at one table: `factor[a, b]` sets right a hand that drew `a` cards and a rival that had `b`.
    """
    size = classes.shape[1]
    one = np.int64(1)
    zero = one - 1
    for _ in range(deals):
        for j in range(board_cards):
            k = j + _below(state, 52 - j)
            deck[j], deck[k] = deck[k], deck[j]
            boards[0, j] = deck[j]
        left = 52 - board_cards
        common = np.uint64(0)
        for j in range(board_cards):
            common |= _ONE << np.uint64(deck[j])
        for r in range(rivals.shape[0] + 1):
            # The last shuffle is the pile from which every class draws.
            for j in range(left - 1):
                k = j + _below(state, left - j)
                deck[board_cards + j], deck[board_cards + k] = deck[board_cards + k], deck[board_cards + j]
            for j in range(left):
                pile[j] = deck[board_cards + j]
            if r == rivals.shape[0]:
                break
            used = np.uint64(0)
            for j in range(size):
                rivals[r, j] = pile[j]
                used |= _ONE << np.uint64(pile[j])
            used, drawn, n = _play(
                rivals, r, np.int64(size), pile, used, boards, steps, rules, wild, order_low, halves, key, offset,
                value, flush, key2, offset2, value2, flush2,
            )  # fmt: skip
            full = (one << n) - 1
            rival_used[r] = used
            rival_drawn[r] = size + drawn
            worth[r, 0] = cards_value(halves, zero, rivals, r, n, full, boards, board_cards, key, offset, value, flush)
            if two:
                worth[r, 1] = cards_value(
                    halves, one, rivals, r, n, full, boards, board_cards, key2, offset2, value2, flush2
                )
        for i in range(classes.shape[0]):
            used = np.uint64(0)
            for j in range(size):
                own[0, j] = classes[i, j]
                used |= _ONE << np.uint64(classes[i, j])
            if used & common:
                continue
            used, drawn, n = _play(
                own, zero, np.int64(size), pile, used, boards, steps, rules, wild, order_low, halves, key, offset,
                value, flush, key2, offset2, value2, flush2,
            )  # fmt: skip
            full = (one << n) - 1
            high = cards_value(halves, zero, own, zero, n, full, boards, board_cards, key, offset, value, flush)
            low = zero
            if two:
                low = cards_value(halves, one, own, zero, n, full, boards, board_cards, key2, offset2, value2, flush2)
            weight = 0.0
            gain = 0.0
            for r in range(rivals.shape[0]):
                if used & rival_used[r]:
                    continue
                each = factor[drawn, rival_drawn[r]]
                points = (high > worth[r, 0]) * 2 + (high == worth[r, 0])
                if two:
                    points += (low > worth[r, 1]) * 2 + (low == worth[r, 1])
                else:
                    points *= 2
                weight += each
                gain += each * points
            total[i, 0] += gain / 4.0
            total[i, 1] += weight
            squares[i, 0] += gain * gain / 16.0
            squares[i, 1] += gain * weight / 4.0
            squares[i, 2] += weight * weight
            met[i] += 1


def play_out(
    classes: NDArray[np.uint8], game: str, deals: int, seed: int = SEED
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) float64 equity of each hand of (n, cards) against a random hand, and its standard error.

    Both draw or discard by the standard policy of the game, and neither looks at the other's cards or draws.
    """
    variant = find_variant(game)
    plan = general.plan(variant, "standard", False)
    board_cards, size = variant.board_cards, variant.hole_cards
    stub = 52 - board_cards - size
    # One hand draws a cards of the stub and the other has b cards of all: at one table both come from the stub.
    factor = np.zeros((64, 64))
    for a in range(stub):
        for b in range(min(64, stub - a)):
            factor[a, b] = math.perm(stub, a) * math.perm(52 - board_cards, b) / math.perm(stub, a + b)
    n = len(classes)
    total, squares, met = np.zeros((n, 2)), np.zeros((n, 3)), np.zeros(n, np.int64)
    tables = plan.tables[:8]
    _play_games(
        deals, np.array([seed], np.uint64), classes, board_cards, np.arange(52, dtype=np.uint8), np.zeros(52, np.uint8),
        np.zeros((1, 8), np.uint8), np.zeros((PLAYED_RIVALS, 8), np.uint8), np.zeros(PLAYED_RIVALS, np.uint64),
        np.zeros(PLAYED_RIVALS, np.int64), np.zeros((PLAYED_RIVALS, 2), np.int64), factor, np.zeros((1, 5), np.uint8),
        plan.steps, plan.rules, plan.halves, *tables, plan.wild, plan.order_low, len(variant.halves) == 2, total,
        squares, met,
    )  # fmt: skip
    mean = total[:, 0] / total[:, 1]
    # The error of a ratio of two means.
    spread = squares[:, 0] - 2 * mean * squares[:, 1] + mean * mean * squares[:, 2]
    return mean, np.sqrt(np.maximum(spread, 0.0)) / total[:, 1]


def played_game(game: str) -> NDArray[np.generic]:
    """The equities of a game's classes: 16,432 of four cards, or 169 of two cards whose suits do not count."""
    deals = PLAYED_GAMES[game]
    if find_variant(game).hole_cards == 4:
        return quantised(play_out(classes(4)[0], game, deals)[0])
    pairs = [(a, b) for a in range(13) for b in range(a + 1)]
    equity = play_out(np.array([(4 * a, 4 * b + 1) for a, b in pairs], np.uint8), game, deals)[0]
    # Most hands of murder are worth nearly the same: finer steps than those of four cards.
    table = np.zeros(CLASSES, np.uint32)
    for (a, b), found in zip(pairs, np.rint(equity * (2**32 - 1)).astype(np.uint32), strict=True):
        table[[13 * a + b, 13 * b + a]] = found
    return table


def quantised(equity: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Equities as uint16 parts of 65,535: finer than the sampling error."""
    return np.rint(equity * 65_535).astype(np.uint16)


BUILDERS: dict[str, Callable[[], NDArray[np.generic]]] = {
    "standard-high": lambda: count_pairs(0, "high"),
    "standard-high-eight": lambda: count_pairs(0, "high", "eight-or-better"),
    "short-deck": lambda: count_pairs(4, "short-deck"),
    "short-deck-trips": lambda: count_pairs(4, "short-deck-trips"),
    "four-high": lambda: quantised(sample_split(4, "high")[0]),
    "four-high-eight": lambda: quantised(sample_split(4, "high", "eight-or-better")[0]),
    "five-high": lambda: quantised(sample_split(5, "high")[0]),
    "five-high-eight": lambda: quantised(sample_split(5, "high", "eight-or-better")[0]),
    **{game: partial(played_game, game) for game in PLAYED_GAMES},
}
"""Every ordering's data by name."""


def encode(table: NDArray[np.generic]) -> bytes:
    """A table as the bytes of its file."""
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(table), allow_pickle=False)
    return buffer.getvalue()


@click.command(help=__doc__)
@click.argument("names", nargs=-1)
@click.option("--check", is_flag=True, help="Compare with the committed data and write nothing.")
@click.option(
    "--folder", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="Where the data are."
)
def main(names: tuple[str, ...], check: bool, folder: Path) -> None:
    """Command line of this module."""
    manifest_file = folder / MANIFEST
    known: dict[str, str] = json.loads(manifest_file.read_text("utf-8"))["files"] if manifest_file.exists() else {}
    wrong = False
    for name in names or tuple(BUILDERS):
        started = time.perf_counter()
        raw = encode(BUILDERS[name]())
        took = f"{name}: {len(raw):,} bytes, {time.perf_counter() - started:.1f} s"
        if check:
            same = known.get(name) == digest(raw)
            wrong = wrong or not same
            click.echo(f"{took}: {'as committed' if same else 'NOT as committed'}")
            continue
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.npy").write_bytes(raw)
        known[name] = digest(raw)
        manifest_file.write_text(json.dumps({"format": 1, "files": dict(sorted(known.items()))}, indent=1) + "\n")
        click.echo(f"{took}: written to {folder}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

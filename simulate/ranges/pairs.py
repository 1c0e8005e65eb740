"""Two-card ranges as 1,326 weights: evaluation of a tree without compiled code, and canonical text.

Two-card hands are numbered `high * (high - 1) / 2 + low` for cards `high > low`, which is also the order of `.combos`.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.cards import RANKS, format_cards
from potshare.simulate.ranges.reader import weight_text
from potshare.simulate.ranges.tree import (
    DIFFERENT,
    DOUBLE_SUITED,
    NO_GAP,
    NO_PAIR,
    NO_TRIPS,
    ONE_GAP,
    ONE_PAIR,
    RAINBOW,
    SAME,
    SINGLE_SUITED,
    TWO_GAPS,
    TWO_PAIR,
    Both,
    Everything,
    Join,
    Layout,
    Listed,
    Minus,
    Node,
    Scaled,
    Shape,
    Terms,
    Top,
    rank_tie,
    suit_tie,
)

Weights = NDArray[np.float64]
Flags = NDArray[np.bool_]

HANDS = 1326
_ROWS = [(high, low) for high in range(52) for low in range(high)]


@cache
def all_pairs() -> NDArray[np.uint8]:
    """(1326, 2) uint8: every two-card hand, the higher card first, in order."""
    return np.array(_ROWS, np.uint8)


@cache
def _columns() -> tuple[NDArray[np.intp], NDArray[np.intp], Flags, Flags]:
    high, low = all_pairs().T.astype(np.intp)
    return high, low, (high >> 2) == (low >> 2), (high & 3) == (low & 3)


def pair_index(a: int, b: int) -> int:
    """The number of the hand of two cards."""
    high, low = (a, b) if a > b else (b, a)
    return high * (high - 1) // 2 + low


def _fits(mask: int) -> Flags:
    return np.array([bool(mask >> card & 1) for card in range(52)], np.bool_)


@lru_cache(maxsize=512)
def _fits_pair(mask: int) -> tuple[Flags, Flags]:
    high, low, _, _ = _columns()
    fits = _fits(mask)
    return fits[high], fits[low]


def _property(bit: int) -> Flags:
    high, low, paired, suited = _columns()
    gap = (high >> 2) - (low >> 2)
    found: dict[int, Flags] = {
        DOUBLE_SUITED: np.zeros(HANDS, np.bool_),
        SINGLE_SUITED: suited,
        RAINBOW: ~suited,
        NO_PAIR: ~paired,
        ONE_PAIR: paired,
        TWO_PAIR: np.zeros(HANDS, np.bool_),
        NO_TRIPS: np.ones(HANDS, np.bool_),
        NO_GAP: gap == 1,
        ONE_GAP: gap == 2,
        TWO_GAPS: gap == 3,
    }
    return found[bit]


@lru_cache(maxsize=8192)
def shape_hands(shape: Shape) -> NDArray[np.intp]:
    """The numbers of the two-card hands that have a shape of at most two slots."""
    slots = shape.slots
    if len(slots) == 2 and all(slot.mask.bit_count() == 1 for slot in slots):
        # One written hand: the commonest item of long pasted ranges.
        a, b = (slot.mask.bit_length() - 1 for slot in slots)
        if not shape.needs and a != b and rank_tie(*slots) == suit_tie(*slots) == 0:
            return np.array([pair_index(a, b)], np.intp)
    found = np.ones(HANDS, np.bool_)
    if len(slots) == 1:
        high, low = _fits_pair(slots[0].mask)
        found = high | low
    elif len(slots) == 2:
        first, second = _fits_pair(slots[0].mask), _fits_pair(slots[1].mask)
        found = (first[0] & second[1]) | (first[1] & second[0])
        _, _, paired, suited = _columns()
        for tie, same in ((rank_tie(*slots), paired), (suit_tie(*slots), suited)):
            if tie == SAME:
                found &= same
            elif tie == DIFFERENT:
                found &= ~same
    for bit in range(10):
        if shape.needs >> bit & 1:
            found = found & _property(1 << bit)
    return np.flatnonzero(found)


def pair_weights(node: Node, layout: Layout) -> Weights:
    """(1326,) float64: the weight of every two-card hand, 0 where the text does not name it."""
    weights = _evaluate(node, layout)
    if layout.deck.bit_count() < 52:
        high, low, _, _ = _columns()
        fits = _fits(layout.deck)
        weights = np.where(fits[high] & fits[low], weights, 0.0)
    return weights


def _evaluate(node: Node, layout: Layout) -> Weights:
    if isinstance(node, Terms):
        weights = np.zeros(HANDS)
        for shape in node.shapes:
            weights[shape_hands(shape)] = 1.0
        return weights
    if isinstance(node, Everything):
        return np.ones(HANDS)
    if isinstance(node, Listed):
        weights = np.zeros(HANDS)
        high, low = node.rows.T.astype(np.intp)
        weights[high * (high - 1) // 2 + low] = node.weights
        return weights
    if isinstance(node, Scaled):
        return _evaluate(node.child, layout) * node.weight
    if isinstance(node, Join):
        weights = np.zeros(HANDS)
        for child in node.children:
            # Most children are small; writing their few hands is cheaper than a maximum over all.
            factor = 1.0
            while isinstance(child, Scaled):
                factor *= child.weight
                child = child.child
            if isinstance(child, Terms):
                for shape in child.shapes:
                    at = shape_hands(shape)
                    weights[at] = np.maximum(weights[at], factor)
            else:
                np.maximum(weights, _evaluate(child, layout) * factor, out=weights)
        return weights
    if isinstance(node, Both):
        return _evaluate(node.left, layout) * _evaluate(node.right, layout)
    if isinstance(node, Minus):
        return np.where(_evaluate(node.right, layout) > 0.0, 0.0, _evaluate(node.left, layout))
    if isinstance(node, Top):
        from potshare.simulate.ranges.orderings import places

        share = places(layout.variant)
        return ((share > node.low) & (share <= node.high)).astype(np.float64)
    raise TypeError(f"{type(node).__name__} has no hands")


# ----------------------------------------------------------------------------------------- canonical text


@cache
def _class_members() -> dict[tuple[int, int, str], tuple[int, ...]]:
    members: dict[tuple[int, int, str], list[int]] = {}
    for number, (high, low) in enumerate(_ROWS):
        a, b = high >> 2, low >> 2
        kind = "" if a == b else "s" if (high & 3) == (low & 3) else "o"
        members.setdefault((a, b, kind), []).append(number)
    return {key: tuple(value) for key, value in members.items()}


def _runs(values: list[int]) -> list[tuple[int, int]]:
    """Ascending runs of consecutive numbers as (first, last)."""
    runs: list[tuple[int, int]] = []
    for value in sorted(values):
        if runs and runs[-1][1] == value - 1:
            runs[-1] = (runs[-1][0], value)
        else:
            runs.append((value, value))
    return runs


def _run_text(first: str, last: str, top: bool, single: bool) -> str:
    if single:
        return first
    return f"{first}+" if top else f"{last}-{first}"


def canonical_pairs(weights: Weights, layout: Layout) -> str:
    """Hold'em shorthand for exactly these weights: whole classes in runs, broken ones hand by hand.

    Weight groups come largest first; within one, pairs, then suited, offsuit and both kinds by top card.
    """
    lowest = layout.lowest_rank
    deck = layout.deck
    whole: dict[float, set[tuple[int, int, str]]] = {}
    single: dict[float, list[int]] = {}
    for key, numbers in _class_members().items():
        if key[1] < lowest:
            continue
        values = {float(weights[n]) for n in numbers if deck >> _ROWS[n][0] & 1 and deck >> _ROWS[n][1] & 1}
        if len(values) == 1:
            value = values.pop()
            if value > 0.0:
                whole.setdefault(value, set()).add(key)
            continue
        for n in numbers:
            if weights[n] > 0.0:
                single.setdefault(float(weights[n]), []).append(n)
    items: list[str] = []
    for weight in sorted({*whole, *single}, reverse=True):
        classes = whole.get(weight, set())
        texts = _class_texts(classes, lowest)
        texts += [format_cards(_ROWS[n]) for n in reversed(single.get(weight, []))]
        # The two-card dialects write weights behind a colon.
        mark = "" if weight == 1.0 else weight_text(weight).replace("@", ":")
        items += [text + mark for text in texts]
    return ",".join(items)


def _class_texts(classes: set[tuple[int, int, str]], lowest: int) -> list[str]:
    texts: list[str] = []
    for first, last in reversed(_runs([a for a, b, _ in classes if a == b])):
        texts.append(_run_text(RANKS[first] * 2, RANKS[last] * 2, last == 12, first == last))
    for kind in ("", "s", "o"):
        for top in range(12, lowest - 1, -1):
            suited = {b for a, b, k in classes if a == top and k == "s"}
            offsuit = {b for a, b, k in classes if a == top and k == "o"}
            both = suited & offsuit
            kickers = both if kind == "" else (suited if kind == "s" else offsuit) - both
            for first, last in reversed(_runs(list(kickers))):
                name = RANKS[top] + RANKS[first] + kind
                end = RANKS[top] + RANKS[last] + kind
                texts.append(_run_text(name, end, last == top - 1, first == last))
    return texts

"""A range tree as flat arrays that compiled code can run: the plan by which a sampler accepts or refuses a hand.

The tree becomes a postfix program over weights. One union of plain terms becomes one instruction that stops at the
first shape that fits; written hands become a sorted list, looked up by bisection.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.simulate.ranges.tree import (
    ALL_CARDS,
    Both,
    Everything,
    Join,
    Layout,
    Minus,
    Node,
    Scaled,
    Shape,
    Slot,
    Terms,
    Top,
    rank_tie,
    suit_tie,
)

ANY, SHAPES, LISTED, SHARE, MAX, TIMES, UNLESS, SCALE, SKIP = range(9)
"""Instructions: push 1; push whether a shape of a run fits; push a written hand's weight; push whether the hand's place
in the ordering lies between two shares; the larger of two; their product; the left one unless the right one; times a
factor; and go to another line if the top is 0 (the right side of `:` and `!` is idle then)."""

WIDEST = 8
"""Room for the cards of a hand in scratch arrays."""
_STACK = 512

CARDS, NEEDS_PROPERTIES, LINES, SHAPES_AT, SLOTS_AT, LISTED_AT, LISTED_WEIGHTS_AT, SHARES_AT, HEADER = range(9)
"""Places of the header in `Program.plan`."""
LINE_SIZE, SHAPE_SIZE, SLOT_SIZE = 3, 5, 4
PROFILE_SHIFT = 12
"""Where the profile begins in a hand's properties: the sizes of its suits, then of its ranks, four bits each."""


class Program(NamedTuple):
    """What `filters` runs: three arrays, always of these dtypes, so that every kernel has one signature.

    `plan` int64: the header; from `HEADER` the instructions, three numbers each; from `plan[SHAPES_AT]` the shapes,
    five numbers each (first slot, one after the last, needed hand properties, needed profile, whether these say all);
    from `plan[SLOTS_AT]` the slots, four numbers each (first position, one after the last, rank ties and suit ties to
    the shape's earlier slots, two bits each). `numbers` float64: factors and shares; from `plan[LISTED_WEIGHTS_AT]`
    the weights of written hands; from `plan[SHARES_AT]` each hand's place in the ordering, by number of the hand.
    `masks` uint64: the slots' cards; from `plan[LISTED_AT]` the written hands, ascending within each list; at the end
    a 0 and a 1 (typed constants).
    """

    plan: NDArray[np.int64]
    numbers: NDArray[np.float64]
    masks: NDArray[np.uint64]


class Scratch(NamedTuple):
    """Working memory of one thread: the matcher's choices (int64) and the program's stack (float64)."""

    choice: NDArray[np.int64]
    stack: NDArray[np.float64]


def new_scratch() -> Scratch:
    """Working memory for one thread."""
    return Scratch(np.zeros(2 * WIDEST, np.int64), np.zeros(_STACK, np.float64))


@dataclass
class _Builder:
    layout: Layout

    def __post_init__(self) -> None:
        self.code: list[tuple[int, int, int]] = []
        self.number: list[float] = []
        self.made: list[tuple[int, int, int, int, int]] = []
        self.slots: list[tuple[int, int, int, int]] = []
        self.masks: list[int] = []
        self.hands: list[tuple[int, float]] = []
        self.share = np.zeros(0, np.float64)

    def shapes(self, shapes: tuple[Shape, ...]) -> None:
        first = len(self.made)
        for shape in dict.fromkeys(shapes):
            self._shape(shape)
        self.code.append((SHAPES, first, len(self.made)))

    def _shape(self, shape: Shape) -> None:
        size = self.layout.size
        bounds = self.layout.bounds
        placed = [(slot, bounds[i]) for i, slot in enumerate(shape.slots) if not slot.is_free]
        # Slots that few cards fill come first: most hands fail at once.
        placed.sort(key=lambda entry: (entry[0].mask & self.layout.deck).bit_count())
        first = len(self.slots)
        for i, (slot, (low, high)) in enumerate(placed):
            ranks = sum(rank_tie(slot, placed[j][0]) << (2 * j) for j in range(i))
            suits = sum(suit_tie(slot, placed[j][0]) << (2 * j) for j in range(i))
            self.slots.append((low, min(high, size), ranks, suits))
            self.masks.append(slot.mask)
        slots = [slot for slot, _ in placed]
        self.made.append((first, len(self.slots), shape.needs, _profile(slots), _says_all(slots, self.layout)))

    def listed(self, hands: dict[int, float]) -> None:
        first = len(self.hands)
        self.hands += sorted(hands.items())
        self.code.append((LISTED, first, len(self.hands)))

    def scale(self, weight: float) -> None:
        if weight != 1.0:
            self.code.append((SCALE, len(self.number), 0))
            self.number.append(weight)

    def visit(self, node: Node) -> None:
        if isinstance(node, Everything):
            self.code.append((ANY, 0, 0))
        elif isinstance(node, Terms):
            self.join((node,))
        elif isinstance(node, Top):
            from potshare.simulate.ranges.orderings import places

            self.share = places(self.layout.variant)
            self.code.append((SHARE, len(self.number), 0))
            self.number += [node.low, node.high]
        elif isinstance(node, Scaled):
            self.visit(node.child)
            self.scale(node.weight)
        elif isinstance(node, Join):
            self.join(node.children)
        elif isinstance(node, Both | Minus):
            self.visit(node.left)
            skip = len(self.code)
            self.code.append((SKIP, 0, 0))
            self.visit(node.right)
            self.code.append((TIMES if isinstance(node, Both) else UNLESS, 0, 0))
            self.code[skip] = (SKIP, len(self.code), 0)

    def join(self, children: tuple[Node, ...]) -> None:
        # Children that are plain terms are gathered by weight; written hands into one list.
        hands: dict[int, float] = {}
        shapes: dict[float, list[Shape]] = {}
        rest: list[Node] = []
        for child in children:
            factor = 1.0
            node = child
            while isinstance(node, Scaled):
                factor *= node.weight
                node = node.child
            if not isinstance(node, Terms):
                rest.append(child)
                continue
            for shape in node.shapes:
                written = self._written(shape)
                if written:
                    hands[written] = max(hands.get(written, 0.0), factor)
                else:
                    shapes.setdefault(factor, []).append(shape)
        pushed = 0
        if hands:
            self.listed(hands)
            pushed += 1
        for factor, group in shapes.items():
            self.shapes(tuple(group))
            self.scale(factor)
            pushed += 1
            if pushed > 1:
                self.code.append((MAX, 0, 0))
        for node in rest:
            self.visit(node)
            pushed += 1
            if pushed > 1:
                self.code.append((MAX, 0, 0))

    def _written(self, shape: Shape) -> int:
        # A full hand of written cards, in a layout without order; 0 otherwise.
        if shape.needs or len(shape.slots) != self.layout.size or len(self.layout.groups) > 1:
            return 0
        mask = 0
        for slot in shape.slots:
            if slot.mask.bit_count() != 1 or slot.rank_var or slot.suit_var:
                return 0
            mask |= slot.mask
        return mask if mask.bit_count() == self.layout.size else 0


def _profile(slots: list[Slot]) -> int:
    """How many cards of one suit, of a second suit and so on, and then of ranks, a hand needs for these slots.

    Different variables and written suits are different suits, so the sizes of a hand's suits in descending order must
    reach those of the slots; ranks likewise. 0 where no variable stands: the masks refuse faster then.
    """
    if not any(slot.suit_var or slot.rank_var for slot in slots):
        return 0
    suits = Counter(slot.suit_var or str(slot.suit) for slot in slots if slot.suit_var or slot.suit >= 0)
    ranks = Counter(slot.rank_var or str(slot.rank) for slot in slots if slot.rank_var or slot.rank >= 0)
    profile = sum(n << (4 * i) for i, (_, n) in enumerate(suits.most_common()[:4]))
    return profile + sum(n << (16 + 4 * i) for i, (_, n) in enumerate(ranks.most_common()[:8]))


def _says_all(slots: list[Slot], layout: Layout) -> bool:
    """Whether a hand with the profile always fits: suit variables alone, or rank variables alone, in any order."""
    if len(layout.groups) > 1 or not slots or any(slot.has_rank or slot.has_suit for slot in slots):
        return False
    suits = sum(bool(slot.suit_var) for slot in slots)
    ranks = sum(bool(slot.rank_var) for slot in slots)
    distinct = len({slot.suit_var for slot in slots})
    return (suits == len(slots) and ranks == 0 and distinct <= 4) or (ranks == len(slots) and suits == 0)


def compile_tree(node: Node, layout: Layout) -> Program:
    """The program that gives a hand of `layout` its weight."""
    builder = _Builder(layout)
    builder.visit(node)
    shapes_at = HEADER + LINE_SIZE * len(builder.code)
    slots_at = shapes_at + SHAPE_SIZE * len(builder.made)
    weights_at = len(builder.number)
    plan = np.zeros(slots_at + SLOT_SIZE * len(builder.slots), np.int64)
    plan[CARDS] = layout.size
    plan[NEEDS_PROPERTIES] = any(needs or profile for _, _, needs, profile, _ in builder.made)
    plan[LINES] = len(builder.code)
    plan[SHAPES_AT], plan[SLOTS_AT] = shapes_at, slots_at
    plan[LISTED_AT] = len(builder.masks)
    plan[LISTED_WEIGHTS_AT] = weights_at
    plan[SHARES_AT] = weights_at + len(builder.hands)
    plan[HEADER:shapes_at] = np.array(builder.code, np.int64).ravel()
    plan[shapes_at:slots_at] = np.array(builder.made, np.int64).ravel()
    plan[slots_at:] = np.array(builder.slots, np.int64).ravel()
    numbers = np.array([*builder.number, *(weight for _, weight in builder.hands)], np.float64)
    masks = np.array([*builder.masks, *(hand for hand, _ in builder.hands), 0, 1], np.uint64)
    return Program(plan, np.concatenate([numbers, builder.share]), masks)


def position_masks(node: Node, layout: Layout) -> list[int]:
    """For each position a mask of the cards that any hand of the tree can have there; the enumeration starts from
    it."""
    size = layout.size
    deck = layout.deck
    full = [deck] * size
    if isinstance(node, Terms):
        masks = [0] * size
        for shape in node.shapes:
            row = list(full)
            first = 0
            for group in layout.groups:
                slots: tuple[Slot, ...] = shape.slots[first : first + group]
                if len(slots) == group:
                    union = 0
                    for slot in slots:
                        union |= slot.mask
                    row[first : first + group] = [union & deck] * group
                first += group
            masks = [a | b for a, b in zip(masks, row, strict=True)]
        return masks
    if isinstance(node, Join):
        masks = [0] * size
        for child in node.children:
            masks = [a | b for a, b in zip(masks, position_masks(child, layout), strict=True)]
        return masks
    if isinstance(node, Both):
        left, right = position_masks(node.left, layout), position_masks(node.right, layout)
        return [a & b for a, b in zip(left, right, strict=True)]
    if isinstance(node, Minus):
        return position_masks(node.left, layout)
    if isinstance(node, Scaled):
        return position_masks(node.child, layout) if node.weight > 0.0 else [0] * size
    return [mask & ALL_CARDS for mask in full]

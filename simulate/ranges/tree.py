"""What range text means: slots for cards, shapes of slots, and a tree of set operations over shapes.

A *slot* asks for one card: a mask of the cards that may fill it, and the variables that tie it to other slots. A
*shape* is a row of slots; a hand has the shape when some assignment of its different cards to the slots exists. Every
construct of the grammar, hold'em shorthand included, becomes shapes, so that one matcher serves every game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.cards import RANKS, SUITS
from potshare.simulate.variants import Variant

RANK_MASK = tuple(0xF << (4 * rank) for rank in range(13))
SUIT_MASK = tuple(sum(1 << (4 * rank + suit) for rank in range(13)) for suit in range(4))
ALL_CARDS = (1 << 54) - 1

FREE, SAME, DIFFERENT = 0, 1, 2
"""How the ranks (or the suits) of two slots are tied."""

# Properties of a whole hand that a macro can demand; a shape keeps the set of those it needs.
DOUBLE_SUITED, SINGLE_SUITED, RAINBOW = 1, 2, 4
NO_PAIR, ONE_PAIR, TWO_PAIR, NO_TRIPS = 8, 16, 32, 64
NO_GAP, ONE_GAP, TWO_GAPS = 128, 256, 512

HAND_MACROS = {
    "ds": DOUBLE_SUITED, "ss": SINGLE_SUITED, "ns": RAINBOW, "np": NO_PAIR, "op": ONE_PAIR, "tp": TWO_PAIR,
    "nt": NO_TRIPS, "0g": NO_GAP, "1g": ONE_GAP, "2g": TWO_GAPS,
}  # fmt: skip
MACRO_WORDS = {
    "ds": "exactly two suits held twice or more",
    "ss": "exactly one suit held twice, none more often",
    "ns": "no suit held twice",
    "np": "no two cards of a rank",
    "op": "exactly one pair and no trips",
    "tp": "exactly two pairs and no trips",
    "nt": "no three cards of a rank",
    "0g": "ranks in a row without a gap (ace high)",
    "1g": "ranks in a row but for one missing rank (ace high)",
    "2g": "ranks in a row but for two missing ranks (ace high)",
}
RANK_MACROS = {
    "B": "AKQJ", "R": "AKQJT", "F": "KQJ", "M": "T987", "Z": "65432", "L": "A8765432", "N": "KQJT9", "W": "A5432",
}  # fmt: skip
RANK_VARIABLES = "BEFGILMNOPRUV"
SUIT_VARIABLES = "wxyz"


@dataclass(frozen=True, slots=True)
class Slot:
    """One card of a shape: `mask` of the cards that fit; `rank`, `suit` where one is written (else -1);
    `rank_var`, `suit_var` where a variable stands; `has_rank`, `has_suit` when the text says which ranks (suits)
    fit, so that a variable of the same shape must differ from the card's."""

    mask: int
    rank: int = -1
    suit: int = -1
    rank_var: str = ""
    suit_var: str = ""
    has_rank: bool = False
    has_suit: bool = False

    @property
    def is_free(self) -> bool:
        """Whether any card fits, whatever the others are."""
        return not (self.rank_var or self.suit_var or self.has_rank or self.has_suit)


def rank_tie(a: Slot, b: Slot) -> int:
    """How the ranks of the cards in two slots of one shape are tied."""
    if a.rank_var and b.rank_var:
        return SAME if a.rank_var == b.rank_var else DIFFERENT
    if (a.rank_var and b.has_rank) or (b.rank_var and a.has_rank):
        return DIFFERENT
    return FREE


def suit_tie(a: Slot, b: Slot) -> int:
    """How the suits of the cards in two slots of one shape are tied."""
    if a.suit_var and b.suit_var:
        return SAME if a.suit_var == b.suit_var else DIFFERENT
    if (a.suit_var and b.has_suit) or (b.suit_var and a.has_suit):
        return DIFFERENT
    return FREE


@dataclass(frozen=True, slots=True)
class Shape:
    """Slots that different cards of a hand must fill, and the hand properties (bits) it must have."""

    slots: tuple[Slot, ...]
    needs: int = 0

    @property
    def is_free(self) -> bool:
        """Whether every hand has this shape."""
        return not self.needs and all(slot.is_free for slot in self.slots)


@dataclass(frozen=True)
class Layout:
    """How the cards of a hand (or board) stand: sizes of the groups within which order does not matter.

    `(4,)` is an Omaha hand, `(2, 1, 1, 1, 1, 1)` a stud hand, `(3, 1, 1)` a flop, turn and river. `shorthand` says that
    hold'em shorthand is read. `what` is `hand` or `board`.
    """

    variant: Variant
    groups: tuple[int, ...]
    shorthand: bool
    what: str

    @cached_property
    def size(self) -> int:
        """The number of cards in all."""
        return sum(self.groups)

    @cached_property
    def deck(self) -> int:
        """The mask of the deck."""
        return sum(1 << card for card in self.variant.deck)

    @cached_property
    def lowest_rank(self) -> int:
        """The lowest rank of the deck."""
        return min(self.variant.deck) >> 2

    @cached_property
    def bounds(self) -> tuple[tuple[int, int], ...]:
        """For each position the first position of its group and the one after its last."""
        found: list[tuple[int, int]] = []
        for size in self.groups:
            first = len(found)
            found += [(first, first + size)] * size
        return tuple(found)

    def cut(self, slots: int) -> Layout:
        """The layout of the first `slots` cards, rounded up to a whole group."""
        groups: list[int] = []
        for size in self.groups:
            if sum(groups) >= max(slots, 1):
                break
            groups.append(size)
        return self if tuple(groups) == self.groups else Layout(self.variant, tuple(groups), self.shorthand, self.what)


def hand_layout(variant: Variant) -> Layout:
    """The layout of a player's cards: in dealing order for stud, the first two apart, else unordered."""
    n = variant.hole_cards
    if variant.ordered and n > 2:
        return Layout(variant, (2, *[1] * (n - 2)), False, "hand")
    return Layout(variant, (n,), n == 2, "hand")


def board_layout(variant: Variant) -> Layout:
    """The layout of the community cards: the streets in order."""
    return Layout(variant, variant.board_streets, False, "board")


# ---------------------------------------------------------------------------------------------- the tree


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the text, from `start` to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Everything(Node):
    """Any hand."""


@dataclass(frozen=True, slots=True)
class Terms(Node):
    """The hands that have one of `shapes`. `how` says which reading made the shapes of what was written."""

    shapes: tuple[Shape, ...]
    how: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Listed(Node):
    """Written hands, too many for shapes: (n, cards) uint8 in the order of `.combos`, each once, and (n,) float64
    weights greater than 0. In stud they may be the first cards of hands."""

    rows: NDArray[np.uint8]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Top(Node):
    """The hands between two shares (0..1) of the game's ordering, best first."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Join(Node):
    """Union; a hand in several children has its largest weight."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Both(Node):
    """Intersection; weights multiply."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Minus(Node):
    """The hands of `left` that are not in `right`, whatever their weight there."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Scaled(Node):
    """The hands of `child` with their weights multiplied."""

    child: Node
    weight: float


def walk(node: Node) -> Iterator[Node]:
    """The node and every node under it."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, Join):
            todo.extend(reversed(node.children))
        elif isinstance(node, Both | Minus):
            todo += [node.right, node.left]
        elif isinstance(node, Scaled):
            todo.append(node.child)


def height(node: Node) -> int:
    """How many nodes stand upon each other, the top included."""
    tallest = 0
    todo = [(node, 1)]
    while todo:
        part, level = todo.pop()
        tallest = max(tallest, level)
        if isinstance(part, Join):
            todo += [(child, level + 1) for child in part.children]
        elif isinstance(part, Both | Minus):
            todo += [(part.left, level + 1), (part.right, level + 1)]
        elif isinstance(part, Scaled):
            todo.append((part.child, level + 1))
    return tallest


def longest_shape(node: Node) -> int:
    """The largest number of slots of any shape in the tree."""
    longest = 0
    for part in walk(node):
        if isinstance(part, Terms):
            longest = max(longest, *(len(shape.slots) for shape in part.shapes))
        elif isinstance(part, Listed):
            longest = max(longest, part.rows.shape[1])
    return longest


def uniform_weight(node: Node) -> float | None:
    """The weight of every hand where the text plainly means any hand alike, else None."""
    if isinstance(node, Everything):
        return 1.0
    if isinstance(node, Terms):
        return 1.0 if any(shape.is_free for shape in node.shapes) else None
    if isinstance(node, Top):
        return 1.0 if node.low <= 0.0 and node.high >= 1.0 else None
    if isinstance(node, Scaled):
        inner = uniform_weight(node.child)
        return None if inner is None or node.weight == 0.0 else inner * node.weight
    if isinstance(node, Join):
        found = [uniform_weight(child) for child in node.children]
        largest = max((w for w in found if w is not None), default=None)
        if largest is None or any(
            w is None and heaviest(c) > largest for w, c in zip(found, node.children, strict=True)
        ):
            return None
        return largest
    if isinstance(node, Both):
        left, right = uniform_weight(node.left), uniform_weight(node.right)
        return None if left is None or right is None else left * right
    return None


def heaviest(node: Node) -> float:
    """An upper bound of the weights of a tree's hands."""
    if isinstance(node, Scaled):
        return node.weight * heaviest(node.child)
    if isinstance(node, Join):
        return max((heaviest(child) for child in node.children), default=0.0)
    if isinstance(node, Both):
        return heaviest(node.left) * heaviest(node.right)
    if isinstance(node, Minus):
        return heaviest(node.left)
    if isinstance(node, Listed):
        return float(node.weights.max())
    return 1.0


def slot_text(slot: Slot) -> str:
    """A slot as the grammar writes it, for messages."""
    if slot.rank >= 0:
        head = RANKS[slot.rank]
    else:
        head = slot.rank_var
    if slot.suit >= 0:
        return head + SUITS[slot.suit]
    return (head + slot.suit_var) or "*"

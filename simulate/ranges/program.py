"""A range tree as flat arrays that compiled code can run: what weighs one hand, and what walks over all of them.

A union becomes a run of *items*, heaviest first, so that the first one that fits decides. An item is a shape that the
hand must have (its gate) and lines that then change its weight: factors, places in the ordering, written hands, and
other unions that it must (or must not) be in as well. Written hands become a sorted list, looked up by bisection.
Gates can be judged while a hand is still being dealt, so that a walk over all hands carries along only the items that
are still possible: thousands of shapes cost little more than a few.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.simulate.ranges import tree
from potshare.simulate.ranges.tree import Layout, Node, Shape, Slot, rank_tie, suit_tie

SCALE, WITHIN, WITHOUT, SHARE, LISTED = range(5)
"""Lines: times a number; times the weight in another union; nothing if in that union; nothing unless the hand's place
in the ordering lies between two shares; times the weight of a written hand."""

WIDEST = 8
"""Room for the cards of a hand in scratch arrays."""
_DEEPEST = 256

(
    CARDS, NEEDS_PROPERTIES, ORDERED, UNIONS, ITEMS, MOST_TRIED, UNIONS_AT, ITEMS_AT, SLOTS_AT, LINES_AT, LISTS_AT,
    REACH_AT, HANDS_AT, LISTED_AT, BOUNDS_AT, SHARES_AT, HEADER,
) = range(17)  # fmt: skip
"""Places of the header in `Program.plan`."""
ITEM_SIZE, SLOT_SIZE, LINE_SIZE, LIST_SIZE = 8, 4, 3, 3
PROFILE_SHIFT = 12
"""Where the profile begins in a hand's properties: the sizes of its suits, then of its ranks, four bits each."""
KEY_BITS = 6
"""Bits of a card in the key of a hand whose cards stand in order."""


class Program(NamedTuple):
    """What `filters` runs: three arrays, always of these dtypes, so that every kernel has one signature.

    `plan` int64 begins with the header and holds from `plan[UNIONS_AT]` where the items of each union begin (union 0
    is the whole range); from `plan[ITEMS_AT]` the items, eight numbers each (first slot, one after the last, needed
    hand properties, needed profile, whether these say all, cards that need not fit a slot, first line, one after the
    last); from `plan[SLOTS_AT]` the slots, four numbers each (first position, one after the last, rank ties and suit
    ties to the item's earlier slots, two bits each); from `plan[LINES_AT]` the lines, three numbers each; from
    `plan[LISTS_AT]` the lists of written hands, three numbers each (first hand, one after the last, cards).

    `numbers` float64: factors and shares; from `plan[LISTED_AT]` the weights of written hands; from `plan[BOUNDS_AT]`
    the greatest weight that each item can give; from `plan[SHARES_AT]` each hand's place in the ordering, by number
    of the hand. `masks` uint64: the slots' cards; from `plan[REACH_AT]` all cards of each item's slots; from
    `plan[HANDS_AT]` the written hands' keys, ascending within each list; at the end a 0 and a 1 (typed constants).
    """

    plan: NDArray[np.int64]
    numbers: NDArray[np.float64]
    masks: NDArray[np.uint64]

    @property
    def most_tried(self) -> int:
        """How many items one hand is compared with at most."""
        return int(self.plan[MOST_TRIED])


class Scratch(NamedTuple):
    """Working memory of one thread.

    `prefix` (9,) uint64: the cards before each position. `alive` (8, items) int64 and `starts` (8, unions + 1) int64:
    for each number of cards dealt the items that are still possible, union by union; with none dealt all are.
    `choice` (16,) int64: the matcher's. `frames` (n, 6) int64 and `values` (n, 3) float64, n at least 256 and the
    number of unions: unions within unions, and what is known of each; `frames[0, 4]` counts the items that were tried.
    """

    prefix: NDArray[np.uint64]
    alive: NDArray[np.int64]
    starts: NDArray[np.int64]
    choice: NDArray[np.int64]
    frames: NDArray[np.int64]
    values: NDArray[np.float64]


def new_scratch(program: Program) -> Scratch:
    """Working memory for one thread that runs a program."""
    plan = program.plan
    alive = np.zeros((WIDEST, int(plan[ITEMS])), np.int64)
    alive[0] = np.arange(plan[ITEMS])
    starts = np.zeros((WIDEST, int(plan[UNIONS]) + 1), np.int64)
    starts[0] = plan[plan[UNIONS_AT] : plan[ITEMS_AT]]
    rows = max(_DEEPEST, int(plan[UNIONS]))
    return Scratch(
        np.zeros(WIDEST + 1, np.uint64), alive, starts, np.zeros(2 * WIDEST, np.int64), np.zeros((rows, 6), np.int64),
        np.zeros((rows, 3), np.float64),
    )  # fmt: skip


Line = tuple[int, float, float]
"""One line before numbers are gathered: the instruction and what it takes."""


@dataclass(frozen=True)
class _Item:
    shape: Shape
    lines: tuple[Line, ...]
    bound: float


_FREE = Shape(())


class _Builder:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.unions: list[tuple[_Item, ...]] = []
        self.known: dict[tuple[_Item, ...], int] = {}
        self.lists: list[tuple[NDArray[np.uint64], NDArray[np.float64], int]] = []
        self.ordering = np.zeros(0, np.float64)

    # -- tree to unions -----------------------------------------------------------------------------------

    def union(self, node: Node) -> int:
        """The number of the union of a tree; trees that say the same share one."""
        items: dict[tuple[Shape, tuple[Line, ...]], _Item] = {}
        hands: dict[tuple[Line, ...], dict[int, float]] = {}
        todo: list[tuple[Node, tuple[Line, ...]]] = [(node, ())]
        while todo:
            part, lines = todo.pop()
            if isinstance(part, tree.Terms):
                for shape in part.shapes:
                    written = self._written(shape)
                    if written:
                        # The nearest factor goes into the list, so that one list serves hands of any weights.
                        factor, rest = (lines[0][1], lines[1:]) if lines and lines[0][0] == SCALE else (1.0, lines)
                        listed = hands.setdefault(rest, {})
                        listed[written] = max(listed.get(written, 0.0), factor)
                    else:
                        self._add(items, shape, lines)
            elif isinstance(part, tree.Everything):
                self._add(items, _FREE, lines)
            elif isinstance(part, tree.Listed):
                keys = hand_keys(part.rows, self.layout)
                order = np.argsort(keys)
                line = self._list(keys[order], part.weights[order], part.rows.shape[1])
                self._add(items, _FREE, (line, *lines), float(part.weights.max()))
            elif isinstance(part, tree.Top):
                from potshare.simulate.ranges.orderings import places

                self.ordering = places(self.layout.variant)
                self._add(items, _FREE, ((SHARE, part.low, part.high), *lines))
            elif isinstance(part, tree.Scaled):
                scale: tuple[Line, ...] = ((SCALE, part.weight, 0),) if part.weight != 1.0 else ()
                if part.weight > 0.0:
                    todo.append((part.child, (*scale, *lines)))
            elif isinstance(part, tree.Join):
                todo += [(child, lines) for child in part.children]
            elif isinstance(part, tree.Both):
                todo.append((part.left, ((WITHIN, self.union(part.right), 0), *lines)))
            elif isinstance(part, tree.Minus):
                todo.append((part.left, ((WITHOUT, self.union(part.right), 0), *lines)))
        for rest, listed in hands.items():
            keys = np.array(sorted(listed), np.uint64)
            line = self._list(keys, np.array([listed[k] for k in keys.tolist()]), self.layout.size)
            self._add(items, _FREE, (line, *rest), max(listed.values()))
        run = tuple(sorted(items.values(), key=lambda item: (-item.bound, len(item.lines))))
        if run not in self.known:
            self.known[run] = len(self.unions)
            self.unions.append(run)
        return self.known[run]

    def _add(
        self, items: dict[tuple[Shape, tuple[Line, ...]], _Item], shape: Shape, lines: tuple[Line, ...],
        bound: float = 1.0,
    ) -> None:  # fmt: skip
        for what, a, _ in lines:
            if what == SCALE:
                bound *= a
            elif what == WITHIN:
                bound *= max((item.bound for item in self.unions[int(a)]), default=0.0)
        if bound > 0.0:
            plain = _plainly(shape)
            items.setdefault((plain, lines), _Item(plain, lines, bound))

    def _list(self, keys: NDArray[np.uint64], weights: NDArray[np.float64], cards: int) -> Line:
        self.lists.append((keys, weights, cards))
        return LISTED, len(self.lists) - 1, 0

    def _written(self, shape: Shape) -> int:
        # The key of a full hand of written cards, in a layout without order; 0 otherwise.
        if shape.needs or len(shape.slots) != self.layout.size or len(self.layout.groups) > 1:
            return 0
        mask = 0
        for slot in shape.slots:
            if slot.mask.bit_count() != 1 or slot.rank_var or slot.suit_var:
                return 0
            mask |= slot.mask
        return mask if mask.bit_count() == self.layout.size else 0

    # -- unions to arrays ---------------------------------------------------------------------------------

    def program(self, root: int) -> Program:
        """The arrays; `root` becomes union 0."""
        order = [root, *(u for u in range(len(self.unions)) if u != root)]
        number_of = {u: i for i, u in enumerate(order)}
        numbers: list[float] = []
        lines: list[tuple[int, int, int]] = []
        line_at: dict[tuple[Line, ...], int] = {}
        made: list[tuple[int, ...]] = []
        slots: list[tuple[int, int, int, int]] = []
        masks: list[int] = []
        reach: list[int] = []
        bounds: list[float] = []
        starts = [0]
        for u in order:
            for item in self.unions[u]:
                if item.lines not in line_at:
                    line_at[item.lines] = len(lines)
                    for what, a, b in item.lines:
                        if what in (SCALE, SHARE):
                            lines.append((what, len(numbers), 0))
                            numbers += [a, b]
                        else:
                            lines.append((what, number_of[int(a)] if what in (WITHIN, WITHOUT) else int(a), 0))
                first = line_at[item.lines]
                placed = self._placed(item.shape)
                begin = len(slots)
                slots += _ties(placed)
                masks += [slot.mask for slot, _ in placed]
                plain = [slot for slot, _ in placed]
                # Where cards stand in order one of them may be out of a slot's reach although it would fit.
                spare = self.layout.size - len(placed) if len(self.layout.groups) == 1 else WIDEST
                made.append((
                    begin, len(slots), item.shape.needs, _profile(plain), _says_all(plain, self.layout), spare, first,
                    first + len(item.lines),
                ))  # fmt: skip
                union = 0
                for slot in plain:
                    union |= slot.mask
                reach.append(union)
                bounds.append(item.bound)
            starts.append(len(made))
        lists, hands, weights = self._lists()
        sections = (starts, made, slots, lines, lists)
        flat = [np.array(section, np.int64).ravel() for section in sections]
        places = HEADER + np.concatenate([[0], np.cumsum([len(part) for part in flat])])
        head = np.zeros(HEADER, np.int64)
        head[CARDS] = self.layout.size
        head[NEEDS_PROPERTIES] = any(row[2] or row[3] for row in made)
        head[ORDERED] = len(self.layout.groups) > 1
        head[UNIONS], head[ITEMS] = len(order), len(made)
        head[MOST_TRIED] = min(self._most_tried(root), 1 << 62)
        head[UNIONS_AT], head[ITEMS_AT], head[SLOTS_AT], head[LINES_AT], head[LISTS_AT] = places[:5]
        head[REACH_AT], head[HANDS_AT] = len(masks), len(masks) + len(reach)
        head[LISTED_AT] = len(numbers)
        head[BOUNDS_AT] = len(numbers) + len(weights)
        head[SHARES_AT] = head[BOUNDS_AT] + len(bounds)
        return Program(
            np.concatenate([head, *flat]),
            np.concatenate([np.array(numbers, np.float64), weights, np.array(bounds, np.float64), self.ordering]),
            np.concatenate([np.array([*masks, *reach], np.uint64), hands, np.array([0, 1], np.uint64)]),
        )

    def _most_tried(self, root: int) -> int:
        most: list[int] = []
        for run in self.unions:
            # Unions within others are numbered before them.
            inner = {int(a) for item in run for what, a, _ in item.lines if what in (WITHIN, WITHOUT)}
            most.append(len(run) + sum(most[u] for u in inner))
        return most[root]

    def _placed(self, shape: Shape) -> list[tuple[Slot, tuple[int, int]]]:
        # Slots that few cards fill come first: most hands fail at once.
        bounds = self.layout.bounds
        placed = [(slot, bounds[i]) for i, slot in enumerate(shape.slots) if not slot.is_free]
        return sorted(placed, key=lambda entry: (entry[0].mask & self.layout.deck).bit_count())

    def _lists(self) -> tuple[list[tuple[int, int, int]], NDArray[np.uint64], NDArray[np.float64]]:
        ends = np.cumsum([0, *(len(keys) for keys, _, _ in self.lists)]).tolist()
        lists = [(ends[i], ends[i + 1], cards) for i, (_, _, cards) in enumerate(self.lists)]
        keys = np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _, _ in self.lists)])
        return lists, keys, np.concatenate([np.zeros(0), *(weights for _, weights, _ in self.lists)])


def hand_keys(rows: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint64]:
    """(n,) uint64: a number for each row of cards, another one for every hand: the mask of its cards, or where they
    stand in order the cards after one another, the first lowest."""
    keys = np.zeros(len(rows), np.uint64)
    for i, column in enumerate(rows.T):
        if len(layout.groups) > 1:
            keys |= column.astype(np.uint64) << np.uint64(KEY_BITS * i)
        else:
            keys |= np.uint64(1) << column.astype(np.uint64)
    return keys


def _plainly(shape: Shape) -> Shape:
    """The same shape with its variables named in the order in which they stand, so that likes are known as such."""
    names: dict[str, str] = {}
    slots: list[Slot] = []
    for slot in shape.slots:
        if not (slot.rank_var or slot.suit_var):
            slots.append(slot)
            continue
        renamed = [v and names.setdefault(v, f"v{len(names)}") for v in (slot.rank_var, slot.suit_var)]
        slots.append(replace(slot, rank_var=renamed[0], suit_var=renamed[1]))
    return Shape(tuple(slots), shape.needs)


def _ties(placed: list[tuple[Slot, tuple[int, int]]]) -> list[tuple[int, int, int, int]]:
    rows: list[tuple[int, int, int, int]] = []
    for i, (slot, (low, high)) in enumerate(placed):
        ranks = suits = 0
        for j in range(i):
            rank, suit = rank_tie(slot, placed[j][0]), suit_tie(slot, placed[j][0])
            ranks |= rank << (2 * j)
            suits |= suit << (2 * j)
        rows.append((low, high, ranks, suits))
    return rows


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
    return builder.program(builder.union(node))


def position_masks(node: Node, layout: Layout) -> list[int]:
    """For each position a mask of the cards that any hand of the tree can have there; the enumeration starts from
    it."""
    size = layout.size
    deck = layout.deck
    full = [deck] * size
    if isinstance(node, tree.Terms):
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
    if isinstance(node, tree.Listed):
        masks = list(full)
        first = 0
        for group in layout.groups:
            if first < node.rows.shape[1]:
                held = sum(1 << int(card) for card in np.unique(node.rows[:, first : first + group]))
                masks[first : first + group] = [held & deck] * group
            first += group
        return masks
    if isinstance(node, tree.Join):
        masks = [0] * size
        for child in node.children:
            masks = [a | b for a, b in zip(masks, position_masks(child, layout), strict=True)]
        return masks
    if isinstance(node, tree.Both):
        left, right = position_masks(node.left, layout), position_masks(node.right, layout)
        return [a & b for a, b in zip(left, right, strict=True)]
    if isinstance(node, tree.Minus):
        return position_masks(node.left, layout)
    if isinstance(node, tree.Scaled):
        return position_masks(node.child, layout) if node.weight > 0.0 else [0] * size
    return [mask & tree.ALL_CARDS for mask in full]

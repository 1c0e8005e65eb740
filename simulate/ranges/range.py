"""`Range`: weighted hands of one player, from text, from arrays, or from other ranges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from potshare.errors import NoDealError, PotshareError
from potshare.evaluator.cards import as_cards, card_name, format_cards
from potshare.simulate.ranges.listed import LONGEST_LIST, in_order, listed_text, unique_hands, written_hands
from potshare.simulate.ranges.pairs import all_pairs, canonical_pairs, pair_index, pair_weights
from potshare.simulate.ranges.parser import parse
from potshare.simulate.ranges.reader import LONGEST_TEXT, weight_text
from potshare.simulate.ranges.tree import (
    Both,
    Everything,
    Join,
    Layout,
    Listed,
    Minus,
    Node,
    Shape,
    Slot,
    Terms,
    hand_layout,
    height,
    longest_shape,
    uniform_weight,
    walk,
)
from potshare.simulate.variants import Variant, find_variant

if TYPE_CHECKING:
    from potshare.simulate.ranges.program import Program

MOST_COMBOS = 25_000_000
"""A range that names more hands is not listed."""
MOST_TRIED = 2_000_000_000
"""How often shapes may be compared with hands in one listing: some ten seconds on a free processor."""
FEW_HANDS = 3_000_000
"""Listing so many hands takes a second or so, and is not thought over beforehand."""
_SLICE = 1 << 17
_TESTS = 2_000_000
_SAMPLE = 4096


def _variant(game: str | Variant) -> Variant:
    return game if isinstance(game, Variant) else find_variant(game)


class Range:
    """Weighted hands of one player in one game.

    `text` is read by the grammar of range text (hold'em shorthand in two-card games, the generic syntax everywhere);
    `board` and `dead` are cards that the hands cannot hold. Two-card ranges are listed at once; larger ones stay
    symbolic until `combos` or `len` is asked for. Raises `TextError` for text that cannot be read, and `PotshareError`
    where no hand is left.
    """

    def __init__(
        self,
        text: str,
        game: str | Variant = "holdem",
        *,
        board: str | Sequence[int] = (),
        dead: str | Sequence[int] = (),
    ) -> None:
        if not isinstance(text, str):
            raise PotshareError(
                f"a range is text, such as 'QQ+,AKs', not {text!r}; hands as arrays are for from_combos"
            )
        variant = _variant(game)
        layout = hand_layout(variant)
        tree, hand = parse(text, layout)
        if len(layout.groups) > 1:
            layout = layout.cut(longest_shape(tree))
        gone = tuple(dict.fromkeys((*as_cards(board, jokers=True), *as_cards(dead, jokers=True))))
        self._set(text, layout, tree, gone, hand)

    def _set(
        self, text: str, layout: Layout, tree: Node, gone: tuple[int, ...], hand: tuple[int, ...] | None = None
    ) -> None:
        self._text = text
        self._layout = layout
        self._tree = tree
        self._gone = gone
        self._hand = hand
        self._combos: NDArray[np.uint8] | None = None
        self._weights: NDArray[np.float64] | None = None
        self._total: int | None = None
        self._program: Program | None = None
        self._all: NDArray[np.float64] | None = None
        self._uniform = uniform_weight(tree)
        if layout.size == 2 and len(layout.groups) == 1 and layout.deck >> 52 == 0:
            self._list_pairs()

    @classmethod
    def of_tree(cls, text: str, layout: Layout, tree: Node, gone: tuple[int, ...] = ()) -> Range:
        """A range from a tree that was read elsewhere (a board pattern), without the cards `gone`."""
        made = cls.__new__(cls)
        made._set(text, layout, tree, gone)
        return made

    # -- other ways to make one ---------------------------------------------------------------------------

    @classmethod
    def from_combos(
        cls, combos: ArrayLike, weights: ArrayLike | None = None, game: str | Variant = "holdem", *, text: str = ""
    ) -> Range:
        """A range from arrays: `combos` (n, cards) card numbers in any order, `weights` (n,) not negative.

        A hand named twice keeps its larger weight; weights above 1 are scaled so that the largest is 1. Raises
        `PotshareError` for cards outside the deck, a card twice in a hand, or weights that are no numbers.
        """
        variant = _variant(game)
        layout = hand_layout(variant)
        rows = np.asarray(combos)
        if rows.ndim != 2 or rows.shape[1] < 1 or rows.shape[1] > layout.size or rows.dtype.kind not in "iu":
            raise PotshareError(
                f"combos must be a table of card numbers, {layout.size} a row, not of shape {rows.shape}"
            )
        if len(layout.groups) > 1:
            layout = layout.cut(rows.shape[1])
        if rows.shape[1] != layout.size:
            raise PotshareError(f"each hand must have {layout.size} cards, not {rows.shape[1]}")
        values = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
        if values.shape != (len(rows),):
            raise PotshareError(f"{len(rows)} hands need {len(rows)} weights, not an array of shape {values.shape}")
        if not np.isfinite(values).all() or (values < 0).any():
            raise PotshareError("weights must be finite numbers and not negative")
        deck = np.zeros(256, np.bool_)
        deck[list(variant.deck)] = True
        if ((rows < 0) | (rows > 255)).any() or not deck[rows.astype(np.intp)].all():
            raise PotshareError(f"a card number lies outside the deck of {variant.name}")
        table = in_order(np.ascontiguousarray(rows, np.uint8), layout)
        ordered = np.sort(table, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            raise PotshareError("a hand holds the same card twice")
        table, values = unique_hands(table, values)
        if not len(table):
            raise PotshareError("these arrays name no hand with a weight")
        if values.max() > 1.0:
            values = values / values.max()
        made = cls.__new__(cls)
        made._set(text or "(from arrays)", layout, Listed(0, 0, table, values), ())
        return made

    def without(self, cards: str | Sequence[int]) -> Range:
        """The same range with hands that hold any of these cards removed as well."""
        more = as_cards(cards, jokers=True)
        made = Range.of_tree(self._text, self._layout, self._tree, tuple(dict.fromkeys((*self._gone, *more))))
        made._hand = self._hand
        return made

    def _joined(self, other: Range, sign: str) -> Range:
        if self.variant.name != other.variant.name:
            raise PotshareError(f"a range of {self.variant.name} and one of {other.variant.name} cannot be combined")
        layout = self._layout if self._layout.size >= other._layout.size else other._layout
        left, right = self._operand(), other._operand()
        tree: Node
        if sign == ",":
            tree = Join(0, 0, (*_branches(left), *_branches(right)))
        elif sign == ":":
            tree = Both(0, 0, left, right)
        else:
            tree = Minus(0, 0, left, right)
        return Range.of_tree(f"({self._text}){sign}({other._text})", layout, tree, ())

    def _operand(self) -> Node:
        # A tree that has grown tall by many operations is replaced by its hands.
        if height(self._tree) > 60:
            return Listed(0, 0, self.combos, self.weights)
        return _with_removal(self._tree, self._gone)

    def __or__(self, other: Range) -> Range:
        """Union: a hand in both keeps its larger weight."""
        return self._joined(other, ",")

    def __and__(self, other: Range) -> Range:
        """Intersection: weights multiply. Raises `PotshareError` when nothing is left."""
        return self._joined(other, ":")

    def __sub__(self, other: Range) -> Range:
        """Difference: the hands of this range that the other does not hold at all."""
        return self._joined(other, "!")

    # -- what it holds --------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The text it was made from."""
        return self._text

    @property
    def tree(self) -> Node:
        """The set operations and shapes that the text was read as."""
        return self._tree

    @property
    def layout(self) -> Layout:
        """How the cards of its hands stand."""
        return self._layout

    @property
    def variant(self) -> Variant:
        """The game."""
        return self._layout.variant

    @property
    def removed(self) -> tuple[int, ...]:
        """The board and dead cards that its hands cannot hold."""
        return self._gone

    @property
    def cards(self) -> int:
        """The number of cards that each listed hand has; in stud it may be fewer than the game deals."""
        return self._layout.size

    @property
    def hand(self) -> tuple[int, ...] | None:
        """The cards in the order written, where the text is one hand (complete or not); else None."""
        return self._hand

    @property
    def is_random(self) -> bool:
        """Whether the text means any hand, all alike, so that a sampler may deal it freely."""
        return self._uniform is not None

    @property
    def combos(self) -> NDArray[np.uint8]:
        """(n, cards) uint8, C-contiguous: the hands left after removal, in ascending order, each once.

        Cards stand in descending order within a row (in stud within the first two, then in dealing order).
        """
        self._expand()
        assert self._combos is not None
        return self._combos

    @property
    def weights(self) -> NDArray[np.float64]:
        """(n,) float64: the weight of each hand of `combos`, more than 0 and at most 1."""
        self._expand()
        assert self._weights is not None
        return self._weights

    @property
    def total(self) -> int:
        """The number of hands before board and dead cards are removed."""
        if self._total is None:
            if self._uniform is not None:
                self._total = _hands_of(self._layout, 0)
            elif not self._gone:
                self._expand()
            else:
                self._total = len(Range.of_tree(self._text, self._layout, self._tree, ()))
        assert self._total is not None
        return self._total

    def __len__(self) -> int:
        if self._combos is None and self._uniform is not None:
            return _hands_of(self._layout, sum(1 << card for card in self._gone))
        return len(self.combos)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], float]]:
        for row, weight in zip(self.combos.tolist(), self.weights.tolist(), strict=True):
            yield tuple(row), weight

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        if self.variant.name != other.variant.name:
            return False
        if self.cards != other.cards:
            return False
        if self._uniform is not None and self._uniform == other._uniform and set(self._gone) == set(other._gone):
            return True
        return np.array_equal(self.combos, other.combos) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash((self.variant.name, self.cards))

    def __repr__(self) -> str:
        removed = f", dead={format_cards(self._gone)!r}" if self._gone else ""
        return f"Range({self._text!r}, {self.variant.name!r}{removed})"

    @property
    def total_weight(self) -> float:
        """The weights of all hands together; a range of any hands is not listed for it."""
        if self._combos is None and self._uniform is not None:
            return len(self) * self._uniform
        return float(np.sum(self.weights))

    @property
    def fraction(self) -> float:
        """The weighted share of all hands that the remaining deck can deal."""
        every = _hands_of(self._layout, sum(1 << card for card in self._gone))
        return self.total_weight / every

    # -- one hand at a time -----------------------------------------------------------------------------------

    def weight(self, cards: str | Sequence[int]) -> float:
        """The weight of a hand, 0.0 where the range does not hold it. No listing is needed."""
        given = as_cards(cards, jokers=True)
        size = self._layout.size
        if len(given) != size:
            raise PotshareError(f"a hand of this range has {size} cards, not {len(given)}")
        row = in_order(np.array([given], np.uint8), self._layout)[0]
        if any(not self._layout.deck >> int(card) & 1 for card in row) or set(given) & set(self._gone):
            return 0.0
        if self._uniform is not None:
            return self._uniform
        if self._all is not None:
            return float(self._all[pair_index(int(row[0]), int(row[1]))])
        from potshare.simulate.ranges.filters import weigh
        from potshare.simulate.ranges.program import new_scratch

        program = self.program()
        return float(weigh(row.astype(np.int64), *program, *new_scratch(program)))

    def contains(self, cards: str | Sequence[int]) -> bool:
        """Whether the range holds a hand with a weight. No listing is needed."""
        return self.weight(cards) > 0.0

    __contains__ = contains

    def program(self) -> Program:
        """The arrays that `filters.hand_weight` runs to weigh one hand inside a kernel.

        Removal of board and dead cards is not in it: who deals never deals those.
        """
        if self._program is None:
            from potshare.simulate.ranges.program import compile_tree

            self._program = compile_tree(self._tree, self._layout)
        return self._program

    # -- listing ------------------------------------------------------------------------------------------

    def _list_pairs(self) -> None:
        self._all = pair_weights(self._tree, self._layout)
        self._total = int(np.count_nonzero(self._all))
        if self._total == _hands_of(self._layout, 0) and self._all.max() == self._all[self._all > 0.0].min():
            self._uniform = float(self._all.max())
        live = self._all > 0.0
        if self._gone:
            gone = np.zeros(256, np.bool_)
            gone[list(self._gone)] = True
            live &= ~gone[all_pairs()].any(axis=1)
        self._combos = np.ascontiguousarray(all_pairs()[live])
        self._weights = self._all[live]
        self._refuse_empty()

    def _refuse_empty(self) -> None:
        assert self._combos is not None
        if len(self._combos):
            return
        if self._total:
            raise self._emptied()
        raise PotshareError(f"the range '{_short(self._text)}' names no {self._layout.what} of {self.variant.name}")

    def _emptied(self) -> NoDealError:
        # Name only the cards that did it, where that can be said.
        tree_cards = [card for card in self._gone if self._total and self._names(card)]
        shown = " ".join(card_name(card) for card in (tree_cards or self._gone))
        what = self._layout.what + "s" * (self._total != 1)
        which = f"the range '{_short(self._text)}' is empty: none of its {self._total} {what} is left"
        return NoDealError(f"{which} once {shown} {'is' if len(tree_cards) == 1 else 'are'} out of the deck")

    def _names(self, card: int) -> bool:
        if self._all is not None:
            return bool((all_pairs()[self._all > 0.0] == card).any())
        return bool((Range.of_tree(self._text, self._layout, self._tree, ()).combos == card).any())

    def _expand(self) -> None:
        if self._combos is not None:
            return
        rows, weights = self._enumerate(self._gone)
        if not len(rows) and self._gone:
            self._total = len(self._enumerate(())[0])
        elif not self._gone:
            self._total = len(rows)
        if not len(rows):
            self._combos = rows
            try:
                self._refuse_empty()
            finally:
                self._combos = None
        self._combos, self._weights = rows, weights

    def _enumerate(self, gone: tuple[int, ...]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        tree, layout = self._tree, self._layout
        if isinstance(tree, Listed) and tree.rows.shape[1] == layout.size:
            live = ~np.isin(tree.rows, gone).any(axis=1) if gone else np.s_[:]
            return np.ascontiguousarray(tree.rows[live]), np.ascontiguousarray(tree.weights[live])
        ahead = _Walk(tree, layout, gone)
        if ahead.hands > FEW_HANDS or ahead.hands * self.program().most_tried > MOST_TRIED:
            self._refuse_endless(ahead)
        rows, weights = ahead.collect(self.program())
        if len(rows) > MOST_COMBOS:
            raise self._endless()
        return rows, weights

    def _refuse_endless(self, ahead: _Walk) -> None:
        if ahead.hands > 40 * MOST_COMBOS:
            raise self._endless()
        found, tried = ahead.foresee(self.program())
        if found > MOST_COMBOS:
            raise self._endless()
        if tried > MOST_TRIED:
            raise PotshareError(
                f"the range '{_short(self._text)}' has too many different shapes: about {tried / 1e9:,.0f} thousand "
                f"million comparisons would be needed to list it, and at most {MOST_TRIED // 10**9} are made; "
                "use fewer shapes, or give the hands as arrays"
            )

    def _endless(self) -> PotshareError:
        return PotshareError(
            f"the range '{_short(self._text)}' names too many hands to list: at most {MOST_COMBOS:,}; "
            "name fewer, or write random for any hand"
        )

    def about(self) -> int:
        """About how many hands it holds; exact where that is known or soon found, otherwise from a sample of hands.

        Says without listing them what an answer about this range will cost.
        """
        if self._combos is not None or self._uniform is not None or isinstance(self._tree, Listed):
            return len(self)
        ahead = _Walk(self._tree, self._layout, self._gone)
        if ahead.hands <= FEW_HANDS:
            return len(self)
        if ahead.hands > 40 * MOST_COMBOS:
            return int(ahead.hands)
        return int(ahead.foresee(self.program())[0])

    # -- words ------------------------------------------------------------------------------------------------

    def canonical(self) -> str:
        """Text that reads back as the same range (without its removed cards being named again).

        Raises `PotshareError` where that would be more text than is read (a million characters), which takes some
        hundred thousand hands without a pattern.
        """
        if self._uniform == 1.0 and not self._gone:
            return "random"
        if self._all is not None:
            gone = set(self._gone)
            weights = self._all.copy()
            if gone:
                held = np.isin(all_pairs(), list(gone)).any(axis=1)
                weights[held] = 0.0
            return canonical_pairs(weights, self._layout)
        if not isinstance(self._tree, Listed):
            from potshare.simulate.ranges.words import unparse

            if not any(isinstance(node, Listed) for node in walk(self._tree)):
                text = unparse(_with_removal(self._tree, self._gone))
                if len(text) <= LONGEST_TEXT:
                    return text
        return self._written()

    def _written(self) -> str:
        """Every hand written out, or where they are fewer every hand that is missing."""
        rows, weights = self.combos, self.weights
        layout = self._layout
        every = _hands_of(layout, 0)
        if len(layout.groups) == 1 and len(rows) > every / 2 and weights.min() == weights.max():
            missing = Range.of_tree("", layout, Minus(0, 0, Everything(0, 0), Listed(0, 0, rows, weights)))
            weight = float(weights[0])
            mark = "" if weight == 1.0 else weight_text(weight)
            if len(rows) == every:
                return f"*{mark}"
            return f"*!({written_hands(missing.combos, LONGEST_LIST - 30)}){mark}"
        return listed_text(rows, weights)

    def explain(self) -> list[str]:
        """What was understood, in words, a line for each item of the text."""
        from potshare.simulate.ranges.words import explain

        return explain(self)

    @staticmethod
    def ordering(game: str | Variant = "holdem") -> list[tuple[str, float]]:
        """The game's ordering, best first: each class of hands with its equity against a random hand.

        Raises `PotshareError` for a game that has none.
        """
        from potshare.simulate.ranges.orderings import ordering

        return ordering(_variant(game))


def parse_range(
    text: str,
    game: str | Variant = "holdem",
    *,
    board: str | Sequence[int] = (),
    dead: str | Sequence[int] = (),
) -> Range:
    """The range of a text; the same as `Range(text, game, board=..., dead=...)`."""
    return Range(text, game, board=board, dead=dead)


# ------------------------------------------------------------------------------------------------- helpers


def _short(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _hands_of(layout: Layout, gone: int) -> int:
    """How many hands the deck without these cards can deal."""
    left = (layout.deck & ~gone).bit_count()
    total = 1
    for group in layout.groups:
        total *= math.comb(left, group)
        left -= group
    return total


def _removal(cards: Iterable[int]) -> Terms:
    shapes = tuple(Shape((Slot(1 << c, c >> 2, c & 3, has_rank=True, has_suit=True),)) for c in cards)
    return Terms(0, 0, shapes)


def _with_removal(tree: Node, gone: tuple[int, ...]) -> Node:
    return Minus(0, 0, tree, _removal(gone)) if gone else tree


def _branches(node: Node) -> tuple[Node, ...]:
    return node.children if isinstance(node, Join) else (node,)


class _Walk:
    """All hands that a tree could hold by the cards that each position may take, to be gone through."""

    def __init__(self, tree: Node, layout: Layout, gone: tuple[int, ...]) -> None:
        from potshare.simulate.ranges.program import WIDEST, position_masks

        dead = sum(1 << card for card in gone)
        masks = [mask & ~dead for mask in position_masks(tree, layout)]
        self.layout = layout
        self.allowed = np.zeros(WIDEST, np.uint64)
        self.allowed[: layout.size] = masks
        self.fresh = np.zeros(WIDEST, np.int64)
        self.fresh[[first for first, _ in layout.bounds]] = 1
        self.hands = 1.0
        first = 0
        for group in layout.groups:
            self.hands *= math.comb(masks[first].bit_count(), group)
            first += group

    def foresee(self, program: Program) -> tuple[float, float]:
        """About how many of the hands have a weight, and how often items will be tried, from a sample of hands."""
        from potshare.simulate.ranges.filters import probe
        from potshare.simulate.ranges.program import ITEMS, new_scratch

        sample = int(max(256, min(_SAMPLE, 2e6 / max(1, program.plan[ITEMS]))))
        rows = self._sample(sample)
        if not len(rows):
            return 0.0, 0.0
        scratch = new_scratch(program)
        found = probe(rows, self.fresh, len(self.layout.groups) == 1, *program, *scratch)
        each = self.hands / len(rows)
        return found * each, float(scratch.frames[0, 4]) * each

    def _sample(self, n: int) -> NDArray[np.int64]:
        # Random hands by random keys: the smallest keys among the cards that a group may take, and that are not used.
        rng = np.random.default_rng(0)
        used = np.zeros((n, 54), np.bool_)
        rows = np.zeros((n, self.layout.size), np.int64)
        first = 0
        for group in self.layout.groups:
            mask = int(self.allowed[first])
            barred = np.array([not mask >> card & 1 for card in range(54)])
            keys = rng.random((n, 54))
            keys[used | barred] = 2.0
            chosen = np.argpartition(keys, group, axis=1)[:, :group]
            good = (np.take_along_axis(keys, chosen, 1) < 2.0).all(axis=1)
            rows[:, first : first + group] = -np.sort(-chosen, axis=1)
            np.put_along_axis(used, chosen, True, 1)
            rows, used, n = rows[good], used[good], int(good.sum())
            first += group
        return np.ascontiguousarray(rows)

    def collect(self, program: Program) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """The hands with a weight, in order, and their weights; it stops soon after `MOST_COMBOS`."""
        from potshare.simulate.ranges.filters import collect
        from potshare.simulate.ranges.program import WIDEST, new_scratch

        size = self.layout.size
        scratch = new_scratch(program)
        cards = np.full(WIDEST, -1, np.int64)
        state = np.zeros(1, np.int64)
        out = np.zeros((_SLICE, size), np.uint8)
        values = np.zeros(_SLICE, np.float64)
        slices: list[tuple[NDArray[np.uint8], NDArray[np.float64]]] = []
        count = 0
        single = len(self.layout.groups) == 1
        while state[0] >= 0 and count <= MOST_COMBOS:
            found = collect(cards, state, self.fresh, self.allowed, single, *program, *scratch, _TESTS, out, values)
            if found:
                slices.append((out[:found].copy(), values[:found].copy()))
                count += found
        # Slices are given up one by one, so that twenty million hands are not held twice.
        rows, weights = np.zeros((count, size), np.uint8), np.zeros(count, np.float64)
        while slices:
            part, own = slices.pop()
            rows[count - len(part) : count], weights[count - len(part) : count] = part, own
            count -= len(part)
        return rows, weights

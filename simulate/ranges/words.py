"""A range tree back as text and in words: canonical text for any game, and what each item was understood to mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from potshare.evaluator.cards import RANK_NAMES, RANK_PLURALS, RANKS, SUIT_NAMES, SUITS, card_name, format_cards
from potshare.simulate.ranges.listed import listed_text
from potshare.simulate.ranges.orderings import meaning
from potshare.simulate.ranges.reader import weight_text
from potshare.simulate.ranges.tree import (
    HAND_MACROS,
    MACRO_WORDS,
    RANK_MASK,
    SUIT_MASK,
    Both,
    Everything,
    Join,
    Layout,
    Listed,
    Minus,
    Node,
    Scaled,
    Shape,
    Slot,
    Terms,
    Top,
    walk,
)

if TYPE_CHECKING:
    from potshare.simulate.ranges.range import Range

_SHOWN = 14
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")


# ---------------------------------------------------------------------------------------------- as text


def _slot(slot: Slot) -> str:
    # A `*` before a lone suit keeps it from binding to the rank before it.
    if slot.rank >= 0 or slot.rank_var:
        head = RANKS[slot.rank] if slot.rank >= 0 else slot.rank_var
    elif slot.has_rank or slot.mask.bit_count() < 52:
        if slot.suit < 0 or slot.has_rank:
            return _list(slot) + slot.suit_var
        head = "*"
    else:
        head = "*"
    return head + (SUITS[slot.suit] if slot.suit >= 0 else slot.suit_var)


def _list(slot: Slot) -> str:
    if not slot.has_suit:
        return "[" + ",".join(RANKS[r] for r in range(12, -1, -1) if slot.mask & RANK_MASK[r]) + "]"
    if not slot.has_rank:
        return "[" + ",".join(SUITS[s] for s in range(3, -1, -1) if slot.mask & SUIT_MASK[s]) + "]"
    cards = [c for c in range(53, -1, -1) if slot.mask >> c & 1]
    return "[" + ",".join(map(card_name, cards)) + "]" if len(cards) > 1 else card_name(cards[0])


def shape_text(shape: Shape, shorthand: bool = False) -> str:
    """A shape as text: `AKs` in two-card games where it is a class, otherwise its specs in a row."""
    slots = shape.slots
    if shorthand and len(slots) == 2 and not shape.needs and all(s.rank >= 0 and s.suit < 0 for s in slots):
        a, b = (s.suit_var for s in slots)
        if (a == "") == (b == ""):
            return RANKS[slots[0].rank] + RANKS[slots[1].rank] + ("" if a == "" else "s" if a == b else "o")
    macros = "".join("$" + name for name, bit in HAND_MACROS.items() if shape.needs & bit)
    return "".join(map(_slot, slots)) + macros


def unparse(node: Node) -> str:
    """Generic text with the meaning of a tree."""
    if isinstance(node, Everything):
        return "*"
    if isinstance(node, Terms):
        return ",".join(dict.fromkeys(map(shape_text, node.shapes)))
    if isinstance(node, Top):
        return f"{node.low * 100:.12g}%-{node.high * 100:.12g}%"
    if isinstance(node, Listed):
        return listed_text(node.rows, node.weights)
    if isinstance(node, Join):
        return ",".join(map(unparse, node.children))
    if isinstance(node, Both):
        return f"{_operand(node.left)}:{_operand(node.right)}"
    if isinstance(node, Minus):
        return f"{_operand(node.left)}!{_operand(node.right)}"
    if isinstance(node, Scaled):
        weight = "" if node.weight == 1.0 else weight_text(node.weight)
        return f"({unparse(node.child)}){weight}"
    raise TypeError(f"{type(node).__name__} has no text")


def _count_words(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _operand(node: Node) -> str:
    text = unparse(node)
    simple = isinstance(node, Everything) or (isinstance(node, Terms) and len(node.shapes) == 1)
    # A number after a colon (a percentage, digits alone) could be read as a weight; parentheses leave no doubt.
    return text if simple and not text.isdigit() else f"({text})"


# ---------------------------------------------------------------------------------------------- in words


def _article(word: str) -> str:
    return ("an " if word[0] in "ae" else "a ") + word


def _slot_words(slot: Slot) -> str:
    if slot.rank >= 0 and slot.suit >= 0:
        return f"the {RANK_NAMES[slot.rank]} of {SUIT_NAMES[slot.suit]}"
    if slot.rank >= 0:
        head = _article(RANK_NAMES[slot.rank])
    elif slot.rank_var:
        head = f"a card of rank {slot.rank_var}"
    elif slot.is_free:
        return "any card"
    elif slot.has_rank and not slot.has_suit:
        head = f"one of {_list(slot)}"
    elif slot.suit < 0 and not slot.suit_var:
        return f"one of {_list(slot)}"
    else:
        head = "a card"
    if slot.suit >= 0:
        return f"{head} of {SUIT_NAMES[slot.suit]}" if head != "a card" else _article(SUIT_NAMES[slot.suit][:-1])
    return f"{head} of suit {slot.suit_var}" if slot.suit_var else head


def _shape_words(shape: Shape, layout: Layout) -> str:
    plain: dict[int, int] = {}
    parts: list[str] = []
    ordered = len(layout.groups) > 1
    for slot in shape.slots:
        lone = slot.rank >= 0 and slot.suit < 0 and not slot.suit_var
        if lone and not ordered:
            plain[slot.rank] = plain.get(slot.rank, 0) + 1
        else:
            parts.append(_slot_words(slot))
    ranks = [
        _article(RANK_NAMES[rank]) if n == 1 else f"{_COUNTS[n] if n < len(_COUNTS) else n} {RANK_PLURALS[rank]}"
        for rank, n in plain.items()
    ]
    merged: list[str] = []
    for part in parts:
        if ordered or part not in merged:
            merged.append(part)
    if not ordered:
        merged = [_several(part, parts.count(part)) if parts.count(part) > 1 else part for part in merged]
    words = ", ".join(ranks + merged)
    if shape.slots and ordered:
        words = "in order: " + words
    left = layout.size - len(shape.slots)
    if shape.slots and left:
        words += f", and {_COUNTS[left] if left < len(_COUNTS) else left} free card{'s' * (left != 1)}"
    needs = [MACRO_WORDS[name] for name, bit in HAND_MACROS.items() if shape.needs & bit]
    return "; ".join(([words] if words else []) + needs)


def _variables_words(shapes: tuple[Shape, ...]) -> str:
    slots = [slot for shape in shapes for slot in shape.slots]
    parts: list[str] = []
    for what, letters, written in (
        ("suit", {s.suit_var for s in slots if s.suit_var}, any(s.has_suit for s in slots)),
        ("rank", {s.rank_var for s in slots if s.rank_var}, any(s.has_rank for s in slots)),
    ):
        if letters and written:
            parts.append(f"{what} letters differ from each other and from the written {what}s")
        elif len(letters) > 1:
            parts.append(f"{what} letters differ from each other")
    return f" ({', '.join(parts)})" if parts else ""


def _several(part: str, n: int) -> str:
    """`n` times what `_slot_words` says of one card."""
    count = _COUNTS[n] if n < len(_COUNTS) else str(n)
    if part == "any card":
        return f"any {count} cards"
    if part.startswith("a card "):
        return f"{count} cards{part[6:]}"
    if part[2:] + "s" in SUIT_NAMES:
        return f"{count} {part[2:]}s"
    return f"{count} times {part}"


def _class_words(shape: Shape) -> str:
    first, second = shape.slots
    a, b = first.suit_var, second.suit_var
    how = "" if not a else ", suited" if a == b else ", offsuit"
    if first.rank == second.rank >= 0:
        return f"a pair of {RANK_PLURALS[first.rank]}"
    if first.rank < 0:
        return f"any two cards{how}"
    top = _article(RANK_NAMES[first.rank])
    if second.rank < 0:
        pair = "" if how == ", suited" else f" (a pair of {RANK_PLURALS[first.rank]} too)"
        return f"{top} and any card{how}{pair}"
    return f"{top} and {_article(RANK_NAMES[second.rank])}{how or ', suited or not'}"


_WAYS = {
    "pair up": "+ the hold'em way, the pair rises",
    "pair down": "- the hold'em way, the pair falls",
    "kicker up": "+ the hold'em way, the kicker rises to just under the top card",
    "kicker down": "- the hold'em way, the kicker falls",
    "run": "a run of hands",
    "up": "+ the generic way, the whole shape rises to the ace",
    "down": "- the generic way, the whole shape falls to the lowest rank",
    "span": "every shape from one end to the other",
}


def _terms_words(node: Terms, layout: Layout) -> str:
    shapes = node.shapes
    if node.how == "hand":
        cards = format_cards(shape_cards(shapes[0]))
        left = layout.size - len(shapes[0].slots)
        return f"the hand {cards}" if not left else f"a hand that holds {cards}; the other {left} free"
    if node.how == "class":
        return _class_words(shapes[0])
    if node.how in _WAYS:
        shown = [shape_text(shape, layout.shorthand) for shape in shapes[:_SHOWN]]
        more = f", ... ({len(shapes)} in all)" if len(shapes) > _SHOWN else ""
        return f"{_WAYS[node.how]}: {', '.join(shown)}{more}"
    words = " or ".join(_shape_words(shape, layout) for shape in shapes[:4])
    more = f" or one of {len(shapes) - 4} more shapes" if len(shapes) > 4 else ""
    return words + more + _variables_words(shapes)


def shape_cards(shape: Shape) -> list[int]:
    """The written cards of a shape, in order."""
    return [4 * slot.rank + slot.suit for slot in shape.slots]


def node_words(node: Node, layout: Layout) -> str:
    """A tree in words."""
    if isinstance(node, Everything):
        return f"any {layout.what}"
    if isinstance(node, Terms):
        return _terms_words(node, layout)
    if isinstance(node, Top):
        ends = f"the best {node.high:.6%}" if node.low <= 0 else f"from {node.low:.6%} to {node.high:.6%}"
        return f"{_trim(ends)} of hands by {meaning(layout.variant)}"
    if isinstance(node, Listed):
        return _count_words(len(node.rows), "written hand")
    if isinstance(node, Join):
        shown = [node_words(child, layout) for child in node.children[:6]]
        more = f", or {len(node.children) - 6} more" if len(node.children) > 6 else ""
        return ", or ".join(shown) + more
    if isinstance(node, Both):
        return f"{_inner(node.left, layout)}, and at once {_inner(node.right, layout)}"
    if isinstance(node, Minus):
        return f"{_inner(node.left, layout)}, but not {_inner(node.right, layout)}"
    if isinstance(node, Scaled):
        if node.weight == 0.0:
            return f"{_inner(node.child, layout)}, removed by its weight 0"
        return f"{_inner(node.child, layout)}, with weight {node.weight:.12g}"
    raise TypeError(f"{type(node).__name__} has no words")


def _trim(text: str) -> str:
    parts = [p[:-1].rstrip("0").rstrip(".") + "%" if p.endswith("%") and "." in p else p for p in text.split()]
    return " ".join(parts)


def _inner(node: Node, layout: Layout) -> str:
    words = node_words(node, layout)
    return f"({words})" if isinstance(node, Join | Both | Minus) else words


_MOST_LINES = 200
_LONGEST_SHOWN = 200


def _unparsed(node: Node) -> str:
    return "(from arrays)" if any(isinstance(part, Listed) for part in walk(node)) else unparse(node)


def explain(range_: Range) -> list[str]:
    """What was understood of a range's text: a line for each item, then what holds for the whole."""
    layout, tree, text = range_.layout, range_.tree, range_.text
    items = tree.children if isinstance(tree, Join) else (tree,)
    lines: list[str] = []
    for item in items[:_MOST_LINES]:
        shown = " ".join(text[item.start : item.end].split()) if item.end > item.start else _unparsed(item)
        if len(shown) > _LONGEST_SHOWN:
            shown = shown[:_LONGEST_SHOWN] + "..."
        words = node_words(item, layout)
        if layout.shorthand:
            from potshare.simulate.ranges.pairs import pair_weights

            n = int(np.count_nonzero(pair_weights(item, layout)))
            words += f" [{_count_words(n, 'hand')}]"
        lines.append(f"{shown}: {words}")
    if len(items) > _MOST_LINES:
        lines.append(f"... and {len(items) - _MOST_LINES:,} more items")
    if len(items) > 1:
        lines.append("a hand that several items name has its largest weight")
    if range_.removed:
        lines.append(f"without hands that hold {' '.join(map(card_name, range_.removed))}")
    return lines

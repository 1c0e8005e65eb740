"""Long lists of written hands as text: `AsKsQdJc,AsKs[QdJc,9h8h],(KsKhQsQh,7s6s5s4s)@0.5`, `*!(...)` for all but these.

What arrays of hands become, and what other programs write. Hands that begin with the same cards share them, as the
grammar of lists allows; such text is read in one pass, so that it may be ten times as long as other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import RANKS, SUITS, card_name
from potshare.simulate.ranges.reader import LONGEST_TEXT, Reader, weight_text
from potshare.simulate.ranges.tree import Everything, Layout, Listed, Minus, Node, Scaled

LONGEST_LIST = 999_999
"""How many characters a text may have that is nothing but a list of written hands."""

SHORTEST_LIST = 4_000
"""Shorter text is read as any other is, item by item."""

Hands = tuple[NDArray[np.uint8], NDArray[np.float64]]

_CARD = "[2-9TJQKA][cdhs]"
_PIECE = re.compile(rf"((?:{_CARD}){{1,8}}+)(?:\[((?:{_CARD}|,)++)\])?+")
_WEIGHT = re.compile(r"@[0-9.eE+%-]++")
_NAMES = [r + s for r in RANKS for s in SUITS]
_NUMBERS = np.full(1 << 16, 255, np.uint8)
_NUMBERS[np.frombuffer("".join(_NAMES).encode(), "<u2")] = np.arange(52)


def unique_hands(rows: NDArray[np.uint8], weights: NDArray[np.float64]) -> Hands:
    """Sorted rows without repeats or zero weights; a repeated row keeps its largest weight."""
    keep = weights > 0.0
    rows, weights = rows[keep], weights[keep]
    order = np.lexsort((-weights, *rows.T[::-1]))
    rows, weights = rows[order], weights[order]
    first = np.ones(len(rows), np.bool_)
    if len(rows) > 1:
        first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return np.ascontiguousarray(rows[first]), np.ascontiguousarray(weights[first])


def in_order(rows: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    """Rows with each group's cards in descending order."""
    table = rows.copy()
    first = 0
    for group in layout.groups:
        if group > 1:
            table[:, first : first + group] = np.sort(rows[:, first : first + group], axis=1)[:, ::-1]
        first += group
    return table


# ------------------------------------------------------------------------------------------------------ reading


class _ListReader:
    """Reads a list of hands as strings of names, their weights and the places where they stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.hands: list[str] = []
        self.counts: list[int] = []
        self.weights: list[float] = []
        self.known: dict[str, float] = {}

    def weight(self) -> float | None:
        """The weight that stands here, 1 for none; None for what is no weight."""
        if self.text[self.at : self.at + 1] != "@":
            return 1.0
        found = _WEIGHT.match(self.text, self.at)
        if found is None:
            return None
        if found.group() not in self.known:
            reader = Reader(found.group())
            reader.at = 1
            try:
                self.known[found.group()] = reader.weight()
            except TextError:
                return None
            if reader.at < len(reader.text):
                return None
        self.at = found.end()
        return self.known[found.group()]

    def piece(self) -> bool:
        """Reads one hand, or hands that begin alike; False where none stands."""
        found = _PIECE.match(self.text, self.at)
        if found is None:
            return False
        begin, rest = found.groups()
        self.at = found.end()
        weight = self.weight()
        if weight is None:
            return False
        more = [begin + end for end in rest.split(",")] if rest else [begin]
        self.hands += more
        self.counts.append(len(more))
        self.weights.append(weight)
        return True

    def pieces(self, nested: bool = True) -> bool:
        """Reads pieces, and in parentheses pieces with one weight, as far as they go; False where it stops amid one."""
        while True:
            if nested and self.text[self.at : self.at + 1] == "(":
                self.at += 1
                first = len(self.weights)
                if not self.pieces(nested=False) or self.text[self.at : self.at + 1] != ")":
                    return False
                self.at += 1
                weight = self.weight()
                if weight is None:
                    return False
                self.weights[first:] = [own * weight for own in self.weights[first:]]
            elif not self.piece():
                return False
            if self.text[self.at : self.at + 1] != ",":
                return True
            self.at += 1

    def place(self, hand: int) -> tuple[int, int]:
        """Where the piece of a hand stands: offsets in the text."""
        piece = int(np.searchsorted(np.cumsum(self.counts), hand, side="right"))
        found = next(m for i, m in enumerate(_PIECE.finditer(self.text)) if i == piece)
        return found.start(), found.end()


def read_listed(text: str, layout: Layout) -> Node | None:
    """The tree of a text that is a long list of written hands; None for any other text that the parser may read.

    Raises `TextError` for text that is too long, and in text too long for the parser for what is no hand.
    """
    if len(text) > LONGEST_LIST:
        reason = f"this text has {len(text):,} characters; at most {LONGEST_LIST:,} are read"
        raise TextError(text, LONGEST_LIST, LONGEST_LIST + 1, reason, "give the hands as arrays")
    lines = (line.strip(" \t\r,;") for line in text.split("\n"))
    plain = ",".join(line for line in lines if line).replace(";", ",").replace(", ", ",")
    reader = _ListReader(plain)
    without = plain.startswith("*!(")
    reader.at = 3 if without else 0
    good = reader.pieces(nested=not without)
    scale: float | None = 1.0
    if good and without:
        good = plain[reader.at : reader.at + 1] == ")"
        reader.at += 1
        scale = reader.weight()
    if not good or scale is None or reader.at < len(plain):
        if len(text) > LONGEST_TEXT:
            reason = (
                f"this text has {len(text):,} characters; only a list of written hands may have more than "
                f"{LONGEST_TEXT:,}, and here stands something else"
            )
            raise TextError(plain, reader.at, reader.at + 1, reason, "split it, or give the hands as arrays")
        return None
    rows = _rows(reader, layout, len(text) > LONGEST_TEXT)
    if rows is None:
        return None
    rows, weights = unique_hands(rows, np.repeat(reader.weights, reader.counts))
    end = len(text)
    node: Node = Listed(0, end, rows, weights) if len(rows) else Scaled(0, end, Everything(0, end), 0.0)
    if without:
        node = Minus(0, end, Everything(0, end), node)
    return node if scale == 1.0 else Scaled(0, end, node, scale)


def _rows(reader: _ListReader, layout: Layout, strict: bool) -> NDArray[np.uint8] | None:
    if len(layout.groups) > 1:
        # Of hands in dealing order the first cards may be written.
        layout = layout.cut(len(reader.hands[0]) // 2)
    size = layout.size
    wrong: tuple[int, str] | None = None
    lengths = np.fromiter(map(len, reader.hands), np.int64, len(reader.hands))
    if (lengths != 2 * size).any():
        at = int((lengths != 2 * size).argmax())
        wrong = at, f"a hand of {layout.variant.name} has {size} cards"
    else:
        named = np.frombuffer("".join(reader.hands).encode(), "<u2")
        rows = in_order(_NUMBERS[named].reshape(-1, size), layout)
        deck = np.zeros(256, np.bool_)
        deck[list(layout.variant.deck)] = True
        ordered = np.sort(rows, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        absent = ~deck[rows].all(axis=1)
        if twice.any():
            at = int(twice.argmax())
            cards = rows[at].tolist()
            wrong = at, f"the card {card_name(next(c for c in cards if cards.count(c) > 1))} is written twice in a hand"
        elif absent.any():
            at = int(absent.argmax())
            card = next(c for c in rows[at].tolist() if not deck[c])
            wrong = at, f"{card_name(card)} is not in the deck of {layout.variant.name}"
    if wrong is None:
        return rows
    if strict:
        raise TextError(reader.text, *reader.place(wrong[0]), wrong[1])
    return None  # the parser says it with the place of the card


# ------------------------------------------------------------------------------------------------------ writing


def _lengths(rows: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """For each number of shared first cards (0: none) the length of the text of sorted rows, and that number."""
    n, size = rows.shape
    found = [(n * (2 * size + 1), 0)]
    for shared in range(1, size):
        new = np.ones(n, np.bool_)
        new[1:] = (rows[1:, :shared] != rows[:-1, :shared]).any(axis=1)
        starts = np.flatnonzero(new)
        counts = np.diff(np.append(starts, n))
        lone = int((counts == 1).sum())
        many = len(counts) - lone
        brackets = many * (2 * shared + 2) + (n - lone) * (2 * (size - shared) + 1)
        found.append((lone * (2 * size + 1) + brackets, shared))
    return found


def _pieces(rows: NDArray[np.uint8], shared: int) -> Iterator[str]:
    names = np.array(_NAMES)[rows]
    if not shared:
        yield from map("".join, names.tolist())
        return
    begin: list[str] | None = None
    ends: list[str] = []
    for hand in names.tolist():
        if hand[:shared] != begin:
            if begin is not None:
                yield _piece("".join(begin), ends)
            begin, ends = hand[:shared], []
        ends.append("".join(hand[shared:]))
    assert begin is not None
    yield _piece("".join(begin), ends)


def _piece(begin: str, ends: list[str]) -> str:
    return begin + ends[0] if len(ends) == 1 else f"{begin}[{','.join(ends)}]"


def written_hands(rows: NDArray[np.uint8], most: int) -> str:
    """The shortest list of hands in sorted order. Raises `PotshareError` where it has more than `most` characters."""
    length, shared = min(_lengths(rows))
    if length > most + 1:
        raise _too_long(len(rows))
    return ",".join(_pieces(rows, shared))


def listed_text(rows: NDArray[np.uint8], weights: NDArray[np.float64]) -> str:
    """Text for exactly these hands and weights, in the order of `.combos`, the heaviest first.

    Raises `PotshareError` where it would be longer than what is read.
    """
    order = np.argsort(-weights, kind="stable")
    rows, weights = rows[order], weights[order]
    ends = np.append(np.flatnonzero(np.diff(weights)) + 1, len(weights)).tolist()
    left = LONGEST_LIST
    parts: list[str] = []
    first = 0
    for end in ends:
        weight = float(weights[first])
        text = written_hands(rows[first:end], left)
        if weight != 1.0:
            text = (text if end - first == 1 else f"({text})") + weight_text(weight)
        parts.append(text)
        left -= len(text) + 1
        first = end
        if left < -1:
            raise _too_long(len(rows))
    return ",".join(parts)


def _too_long(hands: int) -> PotshareError:
    return PotshareError(
        f"written out, these {hands:,} hands would be more text than can be read back ({LONGEST_LIST:,} characters); "
        "keep them as arrays (.combos and .weights)"
    )

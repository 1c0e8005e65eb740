"""What a range looks like: the 13 x 13 grid of two-card classes, the shapes of bigger hands, other tools' spellings."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.cards import format_cards
from potshare.simulate.ranges.range import Range
from potshare.simulate.ranges.terms import class_name

_PIECE = 1 << 18

SPELLINGS = ("potshare", "pokerstove", "pio", "gto+", "combos")
"""Names of the spellings that `convert` writes."""


@dataclass(frozen=True)
class Cell:
    """A class of two-card hands: its name, its hands in the deck that are live, and their total weight."""

    name: str
    live: int
    weight: float

    @property
    def share(self) -> float:
        """The mean weight of the class's live hands, 0 to 1."""
        return self.weight / self.live if self.live else 0.0


def _class_of(x: int, y: int) -> str:
    """The class of two cards."""
    return class_name(x >> 2, y >> 2, "s" if x & 3 == y & 3 else "o")


def grid(range_: Range) -> list[list[Cell]]:
    """The classes of a two-card range as rows of a square, aces first; suited above the diagonal.

    Raises `PotshareError` for hands of another size.
    """
    if range_.cards != 2:
        raise PotshareError(f"a grid shows hands of two cards; {range_.variant.name} has {range_.cards}")
    gone = set(range_.removed)
    ranks = sorted({c >> 2 for c in range_.variant.deck}, reverse=True)
    live: Counter[str] = Counter()
    deck = [c for c in range_.variant.deck if c not in gone]
    for i, x in enumerate(deck):
        for y in deck[:i]:
            live[_class_of(x, y)] += 1
    held: dict[str, float] = defaultdict(float)
    for (x, y), weight in range_:
        held[_class_of(x, y)] += weight
    rows = []
    for row in ranks:
        names = [class_name(row, column, "s" if row > column else "o") for column in ranks]
        rows.append([Cell(name, live[name], held[name]) for name in names])
    return rows


def _pattern(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    # Rows of counts as numbers such as 2110: the counts sorted, greatest first.
    ordered = -np.sort(-counts, axis=1)
    width = min(4, ordered.shape[1])
    numbers: NDArray[np.int64] = ordered[:, :width] @ (10 ** np.arange(width - 1, -1, -1))
    return numbers


_RANK_WORDS = {
    1111: "no pair", 2110: "one pair", 2111: "one pair", 2200: "two pair", 2210: "two pair", 2211: "two pair",
    2220: "three pair", 3100: "trips", 3110: "trips", 3111: "trips", 3200: "full house", 3210: "trips and a pair",
    3300: "two trips", 4000: "quads", 4100: "quads", 4110: "quads", 4200: "quads and a pair",
}  # fmt: skip


def shapes(range_: Range) -> list[tuple[str, str, int, float]]:
    """How a range of bigger hands divides by pairs and suits, most weight first.

    Rows of (ranks in words, suits such as `2-2`, number of hands, total weight).
    """
    hands: Counter[int] = Counter()
    held: defaultdict[int, float] = defaultdict(float)
    for first in range(0, len(range_), _PIECE):
        combos = range_.combos[first : first + _PIECE]
        n = len(combos)
        # Jokers have no rank and no suit; they go to places that are not looked at.
        ranks = np.zeros((n, 14), np.int64)
        suits = np.zeros((n, 5), np.int64)
        at = np.arange(n)
        for column in combos.T:
            ranks[at, column >> 2] += 1
            suits[at, np.where(column < 52, column & 3, 4)] += 1
        kinds, back = np.unique(_pattern(ranks[:, :13]) * 10_000 + _pattern(suits[:, :4]), return_inverse=True)
        numbers = np.bincount(back).tolist()
        weights = np.bincount(back, weights=range_.weights[first : first + _PIECE]).tolist()
        for kind, number, weight in zip(kinds.tolist(), numbers, weights, strict=True):
            hands[kind] += number
            held[kind] += weight
    found = []
    for kind, number in sorted(hands.items()):
        weight = held[kind]
        rank_pattern, suit_pattern = divmod(kind, 10_000)
        suits_text = "-".join(d for d in f"{suit_pattern:04d}" if d != "0")
        found.append((_RANK_WORDS.get(rank_pattern, f"{rank_pattern:04d}"), suits_text, number, weight))
    return sorted(found, key=lambda row: -row[3])


def _weight(weight: float, factor: float = 1.0) -> str:
    return f"{weight * factor:.6g}"


def convert(range_: Range, spelling: str) -> str:
    """A range in the spelling of another tool (see `SPELLINGS`).

    `pokerstove` has no weights, `pio` writes them as `AKs:0.5`, `gto+` as `[50]AKs[/50]`, `combos` names every hand.
    Raises `PotshareError` for an unknown spelling and for a range that it cannot say.
    """
    if spelling not in SPELLINGS:
        raise PotshareError(f"there is no spelling '{spelling}'; spellings are {', '.join(SPELLINGS)}")
    if spelling == "potshare":
        return range_.canonical()
    if spelling == "combos":
        return ",".join(
            format_cards(combo) + ("" if weight == 1.0 else f":{_weight(weight)}") for combo, weight in range_
        )
    items: list[tuple[str, float]] = []
    single: dict[str, list[tuple[str, float]]] = {}
    for combo, weight in range_:
        x, y = max(combo), min(combo)
        single.setdefault(_class_of(x, y), []).append((format_cards((x, y)), weight))
    for row in grid(range_):
        for cell in row:
            hands = single.pop(cell.name, [])
            size = {"": 6, "s": 4, "o": 12}[cell.name[2:]]
            whole = len(hands) == size and len({weight for _, weight in hands}) == 1
            items += [(cell.name, hands[0][1])] if whole else hands
    if spelling == "pokerstove":
        if any(weight != 1.0 for _, weight in items):
            raise PotshareError("this range has weights, which the pokerstove spelling cannot say; use pio or gto+")
        return ",".join(name for name, _ in items)
    if spelling == "pio":
        return ",".join(name + ("" if weight == 1.0 else f":{_weight(weight)}") for name, weight in items)
    parts = []
    for weight, members in groupby(sorted(items, key=lambda item: -item[1]), key=lambda item: item[1]):
        names = ",".join(name for name, _ in members)
        parts.append(names if weight == 1.0 else f"[{_weight(weight, 100)}]{names}[/{_weight(weight, 100)}]")
    return ",".join(parts)

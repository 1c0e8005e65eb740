"""The catalogue of rankings: what each compares, its values, its words.

A strength is a uint16: larger wins, equal ties, 0 means no such hand (no qualifying low). The direction is the
same for lows: the better low is larger. Each ranking has one dense scale, 1 for its worst hand.

A new ranking is a ladder (`tables.ladders`), its built values (`tables.build`), and an entry here.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from potshare.errors import PotshareError
from potshare.evaluator import words
from potshare.tables.ladders import LADDERS, Ladder, Rung


@dataclass(frozen=True)
class Ranking:
    """An ordering of hands.

    `fewest` and `most` cards can be ranked; `counted` is how many of them make the hand. `partial` names the
    ranking that also orders hands of fewer cards.
    """

    name: str
    title: str
    rules: str
    fewest: int
    most: int
    counted: int
    describe: Callable[[Ladder, Rung], str]
    partial: str = ""

    @cached_property
    def ladder(self) -> Ladder:
        """Every value, worst first."""
        return LADDERS[self.name]()

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the categories, worst first; `categories()` gives their indices."""
        return self.ladder.categories

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first strength of each category."""
        return self.ladder.starts()

    @property
    def values(self) -> int:
        """The number of different strengths."""
        return len(self.ladder.rungs)

    def rung(self, strength: int) -> Rung:
        """The category and deciding ranks of a strength of at least 1."""
        return self.ladder.rungs[strength - 1]

    def words(self, strength: int) -> str:
        """A strength in words."""
        return self.describe(self.ladder, self.rung(strength)) if strength else "no hand"


_HIGH_RULES = (
    "Straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, pair, high card; "
    "the ace is high, and low in A-2-3-4-5."
)

_CATALOGUE = (
    Ranking("high", "High", _HIGH_RULES, 5, 7, 5, words.high_words, partial="high-partial"),
    Ranking(
        "high-partial",
        "High, one to seven cards in one order",
        "As high with five cards or more. Fewer cards rank by pairs, two pair, trips, quads and kickers only, and a "
        "hand with an extra kicker beats the same hand without it.",
        1,
        7,
        5,
        words.high_words,
    ),
)


def rankings() -> dict[str, Ranking]:
    """Every ranking by name."""
    return {ranking.name: ranking for ranking in _CATALOGUE}


def find_ranking(name: str) -> Ranking:
    """The ranking of a name. Raises `PotshareError` with the nearest names."""
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    known = rankings()
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; rankings are {', '.join(known)}"
    raise PotshareError(f"there is no ranking '{name}'{hint}")

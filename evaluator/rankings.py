"""The catalogue of rankings: what each compares, its values, its words.

A strength is a uint16: larger wins, equal ties, 0 means no such hand (no qualifying low). The direction is the
same for lows: the better low is larger. Each ranking has one dense scale, 1 for its worst hand.

A new ranking is a ladder (`tables.ladders`), its built values (`tables.build`), and an entry here.

How an engine evaluates a hand. A hand is a sum and a mask: begin with `tables.key[63]` and 0, add `key[card]`
and `card_mask(card)` for each card (add and remove cards, merge partial hands, as you like), then

    strength_of(kind, total, mask, *tables)        # evaluator.hand; tables = (key, offset, value, flush)

`kind` is `ranking.kind` and `tables` is `ranking.tables`; the arrays have the same types for every ranking, so
a kernel that takes them as arguments has one signature. In a kernel made by a factory that closes over the plain
integer `kind` the branches of other kinds are pruned before compiling and the rest is cached. What is read:

    kind      leaf                 reads                                       rankings
    RANKS     rank_value           rank multiset of the sum                    ace-to-five, eight-or-better, two-card-*
    FLUSHES   hand_value           the sum; the mask where a suit has five     high, short-deck*, three-card*
    FORCED    forced_value         the sum; the mask where a suit has five     deuce-to-seven
    BADUGI    badugi_value         the mask                                    badugi
    SPADES    spade_value          the mask                                    high-spade
    WILD      wild_value           sum and mask; wild cards add to bits 40-43  high with wild cards
    WILD_LOW  wild_low_value       the sum; the mask where nothing is wild     lows with wild cards

Two plus three: `tables.two_plus_three.build(ranking.tables)` for kinds RANKS and FLUSHES, read by the leaves of
`evaluator.omaha`; lows of eight or better by `two_plus_three.low_tables()`.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator import hand, words
from potshare.evaluator.cards import RANK_NAMES, RANK_PLURALS, RANKS
from potshare.tables import RankTables, rank_tables, two_plus_three
from potshare.tables.ladders import LADDERS, Ladder, Rung, with_five_of_a_kind
from potshare.tables.wild import Wilds, wild_tables

NO_WILDS = Wilds()


@dataclass(frozen=True)
class Ranking:
    """An ordering of hands.

    `fewest` and `most` cards can be ranked; `counted` is how many of them make the hand. `kind` names the leaf
    that reads `tables`. `partial` names the ranking that also orders hands of fewer cards, `nothing` says strength
    0 in words, `lowest` is the lowest card of the deck, `wilds` are the wild cards.
    """

    name: str
    title: str
    rules: str
    fewest: int
    most: int
    counted: int
    kind: int
    describe: Callable[[Ladder, Rung], str]
    partial: str = ""
    nothing: str = "no hand"
    lowest: int = 0
    wilds: Wilds = NO_WILDS
    base: str = ""

    @cached_property
    def ladder(self) -> Ladder:
        """Every value, worst first."""
        if self.base:
            ladder = find_ranking(self.base).ladder
            if self.kind != hand.WILD:
                return ladder
            return with_five_of_a_kind(ladder, (12,) if self.wilds.bug else range(13))
        return LADDERS[self.name]()

    @cached_property
    def tables(self) -> RankTables:
        """The arrays that kernels read, loaded or derived on first use."""
        if self.base:
            return wild_tables(find_ranking(self.base).tables, self.ladder, self.wilds, self.kind == hand.WILD)
        return rank_tables(self.name)

    @cached_property
    def two_plus_three(self) -> two_plus_three.TwoPlusThreeTables:
        """The arrays for two hole cards plus three of the board; kinds RANKS and FLUSHES only."""
        return two_plus_three.build(self.tables)

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

    @property
    def selectable(self) -> bool:
        """Whether a hand can be made of two hole cards and three of the board."""
        return self.fewest <= 5 <= self.most and self.counted == 5

    @cached_property
    def category_codes(self) -> NDArray[np.uint8]:
        """(values + 1,) uint8: the index of the category of each strength, 255 for strength 0."""
        return np.array([255, *(rung.category for rung in self.ladder.rungs)], np.uint8)

    def rung(self, strength: int) -> Rung:
        """The category and deciding ranks of a strength of at least 1."""
        return self.ladder.rungs[strength - 1]

    def category(self, strength: int) -> str:
        """The name of a strength's category."""
        return self.categories[self.rung(strength).category] if strength else self.nothing

    def words(self, strength: int) -> str:
        """A strength in words."""
        return self.describe(self.ladder, self.rung(strength)) if strength else self.nothing

    def with_wilds(self, ranks: str = "", jokers: int = 0, bug: bool = False) -> Ranking:
        """This ranking with wild cards: ranks such as `"2"` or `"27"`, up to two jokers or one bug.

        Strengths of hands without five of a kind are those of the ranking itself. Raises `PotshareError` where
        the ranking knows no wild cards.
        """
        numbers = tuple(sorted({RANKS.index(r) for r in ranks}))
        if self.name not in _WILD_BASES:
            raise PotshareError(f"{self.name} is not played with wild cards here; {', '.join(_WILD_BASES)} are")
        if not 0 <= jokers <= 2:
            raise PotshareError(f"a deck has up to two jokers, not {jokers}")
        if bug and (jokers or numbers):
            raise PotshareError("the bug is the only wild card of its deck: leave out other wild ranks and jokers")
        if not numbers and not jokers and not bug:
            return self
        return _with_wilds(self.name, Wilds(numbers, 1 if bug else jokers, bug and self.kind == hand.FLUSHES))


_WILD_BASES = ("high", "ace-to-five", "eight-or-better", "deuce-to-seven")


@cache
def _with_wilds(base: str, wilds: Wilds) -> Ranking:
    ranking = _PLAIN[base]
    parts = ["".join(RANKS[r] for r in wilds.ranks)] if wilds.ranks else []
    spoken = ["deuces" if r == 0 else RANK_PLURALS[r] for r in wilds.ranks]
    if wilds.jokers:
        parts.append("bug" if wilds.bug else ("joker", "jokers")[wilds.jokers - 1])
        spoken.append("the bug" if wilds.bug else ("a joker", "two jokers")[wilds.jokers - 1])
    high = ranking.kind == hand.FLUSHES
    if wilds.bug:
        rule = "The joker is an ace, or completes a straight, a flush or a straight flush."
    elif high:
        rule = "A wild card stands for any card; five of a kind beats everything."
    else:
        rule = "A wild card is the lowest rank that does not pair."
    if high:
        rule += " In a flush it is the highest rank not there yet. Natural and wild hands of a value tie."
    return dataclasses.replace(
        ranking,
        name=f"{base}:{','.join(parts)}",
        title=f"{ranking.title}, {' and '.join(spoken)} wild" if not wilds.bug else f"{ranking.title}, with the bug",
        rules=f"{ranking.rules} {rule}",
        kind=hand.WILD if high else hand.WILD_LOW,
        partial="",
        wilds=wilds,
        base=base,
    )


_HIGH_RULES = (
    "Straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, pair, high card; "
    "the ace is high, and low in A-2-3-4-5."
)
_SHORT_DECK_RULES = (
    "36 cards, six to ace. As high, but a flush beats a full house, and A-6-7-8-9 is the lowest straight"
)
_A5_RULES = "The lowest hand wins, compared from the top card down; the ace is low, straights and flushes are ignored"

_CATALOGUE = (
    Ranking("high", "High", _HIGH_RULES, 5, 7, 5, hand.FLUSHES, words.high_words, partial="high-partial"),
    Ranking(
        "high-partial",
        "High, one to seven cards in one order",
        "As high with five cards or more. Fewer cards rank by pairs, two pair, trips, quads and kickers only, and a "
        "hand with an extra kicker beats the same hand without it.",
        1,
        7,
        5,
        hand.FLUSHES,
        words.high_words,
    ),
    Ranking(
        "ace-to-five",
        "Ace-to-five low",
        f"{_A5_RULES}. No pair beats pair, two pair, three of a kind, full house, four of a kind, in this order.",
        5,
        7,
        5,
        hand.RANKS,
        words.low_words,
        partial="ace-to-five-partial",
    ),
    Ranking(
        "ace-to-five-partial",
        "Ace-to-five low, one to seven cards in one order",
        "As ace-to-five; of two hands with the same beginning the longer is the worse low.",
        1,
        7,
        5,
        hand.RANKS,
        words.low_words,
    ),
    Ranking(
        "eight-or-better",
        "Eight-or-better low",
        f"{_A5_RULES}. Only five different ranks of eight or lower are a low; any other hand has none.",
        5,
        7,
        5,
        hand.RANKS,
        words.low_words,
        nothing="no low",
    ),
    Ranking(
        "deuce-to-seven",
        "Deuce-to-seven low",
        "The order of high turned round: the lowest hand wins, the ace is always high, straights and flushes count "
        "against the hand. 7-5-4-3-2 of mixed suits is the best.",
        5,
        7,
        5,
        hand.FORCED,
        words.low_words,
    ),
    Ranking(
        "badugi",
        "Badugi",
        "The most cards of different ranks and suits count, up to four; more cards win, then the lowest from the "
        "top card down. The ace is low.",
        1,
        4,
        4,
        hand.BADUGI,
        words.badugi_words,
    ),
    Ranking(
        "short-deck",
        "Short deck, straight over trips",
        f"{_SHORT_DECK_RULES}.",
        5,
        7,
        5,
        hand.FLUSHES,
        words.high_words,
        lowest=16,
    ),
    Ranking(
        "short-deck-trips",
        "Short deck, trips over straight",
        f"{_SHORT_DECK_RULES}; three of a kind beats a straight.",
        5,
        7,
        5,
        hand.FLUSHES,
        words.high_words,
        lowest=16,
    ),
    Ranking(
        "three-card",
        "Three cards, flush over straight",
        "Straight flush, three of a kind, flush, straight, pair, high card; A-2-3 is the lowest straight. One and two "
        "cards rank by pairs and kickers.",
        3,
        3,
        3,
        hand.FLUSHES,
        words.high_words,
        partial="high-partial",
    ),
    Ranking(
        "three-card-casino",
        "Three cards, straight over flush",
        "Straight flush, three of a kind, straight, flush, pair, high card; A-2-3 is the lowest straight. One and two "
        "cards rank by pairs and kickers.",
        3,
        3,
        3,
        hand.FLUSHES,
        words.high_words,
        partial="high-partial",
    ),
    Ranking(
        "two-card-high",
        "Two cards, high",
        "Pairs beat no pair, aces are high, straights and flushes are ignored; a pair of sevens beats everything.",
        2,
        2,
        2,
        hand.RANKS,
        words.high_words,
    ),
    Ranking(
        "two-card-low",
        "Two cards, low",
        "No pair beats any pair, the lower hand wins, aces are high: 3-2 is the best; but a pair of sevens beats "
        "everything.",
        2,
        2,
        2,
        hand.RANKS,
        words.low_words,
    ),
    Ranking(
        "high-spade",
        "Highest spade",
        "The highest spade among the hole cards, the ace high; no spade is no hand.",
        1,
        7,
        1,
        hand.SPADES,
        words.spade_words,
        nothing="no spade",
    ),
)

_ALIASES = {
    "ace-to-five-low": "ace-to-five", "a-5": "ace-to-five", "a5": "ace-to-five", "razz": "ace-to-five",
    "8-or-better": "eight-or-better", "low8": "eight-or-better",
    "2-7": "deuce-to-seven", "27": "deuce-to-seven", "deuce-to-seven-low": "deuce-to-seven",
    "deuces-wild": "high:2", "joker-wild": "high:joker", "two-jokers-wild": "high:jokers", "bug": "high:bug",
}  # fmt: skip


_PLAIN = {ranking.name: ranking for ranking in _CATALOGUE}


def rankings() -> dict[str, Ranking]:
    """Every ranking by name, with the usual wild cards.

    Any others are made by name, `find_ranking("high:27,joker")`, or by `Ranking.with_wilds`.
    """
    high = _PLAIN["high"]
    wild = high.with_wilds("2"), high.with_wilds(jokers=1), high.with_wilds(jokers=2), high.with_wilds(bug=True)
    return _PLAIN | {ranking.name: ranking for ranking in wild}


_WILD_RANKS = {name: rank for rank, names in enumerate(zip(RANK_NAMES, RANK_PLURALS, strict=True)) for name in names}
_WILD_RANKS |= {"deuce": 0, "deuces": 0, "trey": 1, "treys": 1}


def _read_wilds(name: str, base: Ranking, text: str) -> Ranking:
    ranks, jokers, bug = "", 0, False
    for word in text.replace("+", ",").split(","):
        part = word.strip("- ")
        if part in ("joker", "jokers"):
            jokers += 1 if part == "joker" else 2
        elif part == "bug":
            bug = True
        elif part in _WILD_RANKS:
            ranks += RANKS[_WILD_RANKS[part]]
        elif part and all(r in RANKS for r in part.upper()):
            ranks += part.upper()
        else:
            raise PotshareError(
                f"'{part}' in '{name}' is no wild card: write ranks, joker, jokers (two) or bug, as in "
                f"{base.name}:2 or {base.name}:2,joker"
            )
    return base.with_wilds(ranks, jokers, bug)


def find_ranking(name: str) -> Ranking:
    """The ranking of a name, an alias, or a name with wild cards after a colon.

    `high:2` (deuces wild), `high:27`, `high:joker`, `high:jokers` (two), `high:bug`, `high:2,joker`,
    `ace-to-five:joker`; aliases are `deuces-wild`, `joker-wild`, `two-jokers-wild`, `bug`. Raises `PotshareError`
    with the nearest names.
    """
    if not isinstance(name, str):
        raise PotshareError(f"a ranking is named by text, such as 'high', not by {name!r}")
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    wanted = _ALIASES.get(wanted, wanted)
    if wanted in _PLAIN:
        return _PLAIN[wanted]
    base, colon, wilds = wanted.partition(":")
    base = _ALIASES.get(base, base)
    if colon and base in _PLAIN:
        return _read_wilds(name, _PLAIN[base], wilds)
    near = difflib.get_close_matches(base, [*_PLAIN, *_ALIASES], n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; rankings are {', '.join(_PLAIN)}"
    raise PotshareError(f"there is no ranking '{name}'{hint}")

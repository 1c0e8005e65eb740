"""Keep rules: what a player keeps of his cards, as short sentences that are both printed and played.

A policy is a list of rules; the first that fits a hand decides. Cards that the chosen rule does not name are
thrown away, except that wild cards are always kept, and that where fewer may go (or more must go) the highest
cards stay, in low games the lowest.

    stand pat on a straight or better          any category of the game's rankings
    stand pat on an eight low or better        lows and badugis by their highest card
    keep four of a kind / three of a kind / two pair / a pair
    keep a pair of jacks or better
    keep four to a flush / to a straight flush / to an open straight / to a straight
    keep the two highest cards[, ten or better]
    keep [up to] four low cards, eight or lower        of different ranks
    keep [up to] three badugi cards, eight or lower    of different ranks and suits
    keep the best hand[, a pair or better]             of as many cards as stay; discards with a board
    keep everything / keep nothing

Any rule may begin with `last draw:`, `two draws left:` or `three draws left:`. A wild card counts as whatever a
rule lacks.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import NamedTuple

from potshare.errors import PotshareError
from potshare.evaluator.cards import RANK_NAMES, RANK_PLURALS
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.simulate.variants import Variant

ALL, NONE, PAT, SET, FLUSH, STRAIGHT, HIGH, LOW, BADUGI, BEST = range(10)
"""What a rule does: see `read_rule` for its numbers."""

TWO_PAIR = 22

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_RANKS = {name: i for i, name in enumerate(RANK_NAMES)} | {name: i for i, name in enumerate(RANK_PLURALS)}
_RANKS |= {"deuce": 0, "trey": 1} | {r: i for i, r in enumerate("23456789")} | {"10": 8}
_LOWS = ("ace-to-five", "ace-to-five-partial", "eight-or-better", "deuce-to-seven", "badugi", "two-card-low")
_ACE_LOW = ("ace-to-five", "ace-to-five-partial", "eight-or-better", "badugi")

_WHEN = re.compile(r"(last draw|two draws left|three draws left)\s*:\s*")
_WHEN_LEFT = {"last draw": 1, "two draws left": 2, "three draws left": 3}

_RANK = r"(\w+)"
_PATTERNS = {
    "pat": re.compile(r"stand pat on (?:an? )?(.+?)(?: or better)?"),
    "set": re.compile(r"keep (?:an? )?(four of a kind|three of a kind|two pair|pair)(?: of (\w+) or better)?"),
    "to": re.compile(r"keep (three|four|five|two) to an? (flush|straight flush|open straight|straight)"),
    "high": re.compile(rf"keep the (?:(two|three|four) highest cards|highest card)(?:, (?:an? )?{_RANK} or better)?"),
    "low": re.compile(rf"keep (up to )?(one|two|three|four|five) (low|badugi) cards?, (?:an? )?{_RANK} or lower"),
    "best": re.compile(r"keep the best hand(?:, (?:an? )?(.+) or better)?"),
    "all": re.compile(r"keep everything|stand pat"),
    "none": re.compile(r"keep nothing"),
}
_EXAMPLES = (
    "stand pat on a straight or better", "keep three of a kind", "keep two pair", "keep a pair",
    "keep a pair of jacks or better", "keep four to a flush", "keep four to a straight flush",
    "keep four to an open straight", "keep the two highest cards, ten or better", "keep the highest card",
    "keep up to four low cards, eight or lower", "keep up to three badugi cards, eight or lower",
    "keep the best hand", "keep everything", "keep nothing",
)  # fmt: skip


class Rule(NamedTuple):
    """A rule as plain integers: `op`, its numbers `a`, `b`, `c`, and how many draws must be left (0: any).

    PAT: a the least strength, b the half. SET: a cards of a rank (22: two pair), b the lowest rank. FLUSH: a
    cards, b 1 where they must also be close enough for a straight. STRAIGHT: a cards, b 1 for open. HIGH: a cards,
    b the lowest rank. LOW, BADUGI: a cards at most, b the highest rank (as counted), c 0 or 1 + whether the ace
    is low: LOW adds 2 where all a cards are needed. BEST: a the least strength.
    """

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    left: int = 0


def is_low(ranking: str) -> bool:
    """Whether the lower cards are the better under a ranking."""
    return ranking.partition(":")[0] in _LOWS


def ace_is_low(ranking: str) -> bool:
    """Whether the ace counts below the two under a ranking."""
    return ranking.partition(":")[0] in _ACE_LOW


def _rank(word: str, text: str) -> int:
    if word not in _RANKS:
        near = difflib.get_close_matches(word, _RANKS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else "ranks are two to ten, jack, queen, king, ace"
        raise PotshareError(f"'{word}' in the rule '{text}' is no rank; {hint}")
    return _RANKS[word]


def _rankings(variant: Variant) -> list[Ranking]:
    return [find_ranking(h.ranking) for h in variant.halves]


def _strength(variant: Variant, words: str, text: str) -> tuple[int, int]:
    # The least strength that the words name, and the half whose ranking has it.
    rankings = _rankings(variant)
    for half, ranking in enumerate(rankings):
        if words in ranking.categories:
            return ranking.starts[ranking.categories.index(words)], half
    named = re.fullmatch(r"(\w+) (low|badugi)", words)
    if named:
        top = _rank(named[1], text)
        for half, ranking in enumerate(rankings):
            category = "badugi" if named[2] == "badugi" else "no pair"
            if category not in ranking.categories or not is_low(ranking.name):
                continue
            shift = 1 if ace_is_low(ranking.name) else 0
            index = ranking.categories.index(category)
            fitting = [
                s
                for s, rung in enumerate(ranking.ladder.rungs, 1)
                if rung.category == index and max((r + shift) % 13 for r in rung.ranks) <= (top + shift) % 13
            ]
            if fitting:
                return min(fitting), half
    known = [c for r in rankings for c in r.categories]
    near = difflib.get_close_matches(words, known, n=1)
    raise PotshareError(
        f"'{words}' in the rule '{text}' is no hand of {variant.name}; "
        + (f"did you mean '{near[0]}'?" if near else f"hands are {', '.join(known)}, and lows such as 'eight low'")
    )


def read_rule(text: str, variant: Variant) -> Rule:
    """A rule from its sentence. Raises `PotshareError` that quotes the nearest sentence."""
    line = " ".join(text.lower().split())
    when = _WHEN.match(line)
    left = _WHEN_LEFT[when[1]] if when else 0
    body = line[when.end() :] if when else line
    for name, pattern in _PATTERNS.items():
        found = pattern.fullmatch(body)
        if found is None:
            continue
        if name == "all":
            return Rule(ALL, left=left)
        if name == "none":
            return Rule(NONE, left=left)
        if name == "pat":
            a, half = _strength(variant, found[1], text)
            return Rule(PAT, a, half, left=left)
        if name == "set":
            need = {"four of a kind": 4, "three of a kind": 3, "two pair": TWO_PAIR, "pair": 2}[found[1]]
            return Rule(SET, need, _rank(found[2], text) if found[2] else 0, left=left)
        if name == "to":
            if "straight" in found[2] and "flush" not in found[2]:
                return Rule(STRAIGHT, _NUMBERS[found[1]], int(found[2] == "open straight"), left=left)
            return Rule(FLUSH, _NUMBERS[found[1]], int(found[2] == "straight flush"), left=left)
        if name == "high":
            return Rule(
                HIGH, _NUMBERS[found[1]] if found[1] else 1, _rank(found[2], text) if found[2] else 0, left=left
            )
        if name == "low":
            lows = [h.ranking for h in variant.halves if is_low(h.ranking)]
            shift = int(not lows or ace_is_low(lows[-1])) if found[3] == "low" else 1
            top = (_rank(found[4], text) + shift) % 13
            exact = 0 if found[1] else 2
            return Rule(LOW if found[3] == "low" else BADUGI, _NUMBERS[found[2]], top, shift + exact, left)
        if name == "best":
            return Rule(BEST, _strength(variant, found[1], text)[0] if found[1] else 1, left=left)
    near = difflib.get_close_matches(body, _EXAMPLES, n=1, cutoff=0.4)
    raise PotshareError(f"the keep rule '{text}' is not understood; write it as '{near[0] if near else _EXAMPLES[0]}'")


def read_rules(texts: Iterable[str], variant: Variant) -> tuple[Rule, ...]:
    """Rules from their sentences, in order."""
    return tuple(read_rule(text, variant) for text in texts)

"""A rung of a ladder in words: `full house, nines over tens`, `pair of sevens (A T 8)`, `8-7-3-2-A low`.

The words name the category and the deciding ranks; kickers follow in parentheses.
"""

from __future__ import annotations

from potshare.evaluator.cards import RANK_NAMES, RANK_PLURALS, RANKS
from potshare.tables.ladders import COUNTS, Ladder, Rung


def spoken(ladder: Ladder, rung: Rung) -> tuple[int, ...]:
    """The rank of every card of a hand in the order in which it is spoken: trips first, then the kickers."""
    counts = COUNTS.get(ladder.categories[rung.category])
    if counts is None:
        return rung.ranks
    return tuple(rank for rank, count in zip(rung.ranks, counts, strict=False) for _ in range(count))


def _kickers(ranks: tuple[int, ...]) -> str:
    return f" ({' '.join(RANKS[r] for r in ranks)})" if ranks else ""


def _dashes(ranks: tuple[int, ...]) -> str:
    return "-".join(RANKS[r] for r in ranks)


def high_words(ladder: Ladder, rung: Rung) -> str:
    """The words of a high hand."""
    category = ladder.categories[rung.category]
    first, rest = rung.ranks[0], rung.ranks[1:]
    match category:
        case "straight flush" if rung.ranks[:5] == (12, 11, 10, 9, 8):
            return "royal flush"
        case "straight flush" | "straight":
            return f"{category}, {RANK_NAMES[first]} high"
        case "flush":
            return f"flush, {RANK_NAMES[first]} high{_kickers(rest)}"
        case "full house":
            return f"full house, {RANK_PLURALS[first]} over {RANK_PLURALS[rest[0]]}"
        case "two pair":
            return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[rest[0]]}{_kickers(rest[1:])}"
        case "pair" | "pair of sevens":
            return f"pair of {RANK_PLURALS[first]}{_kickers(rest)}"
        case "high card":
            return f"{RANK_NAMES[first]} high{_kickers(rest)}"
        case _:
            return f"{category}, {RANK_PLURALS[first]}{_kickers(rest)}"


def low_words(ladder: Ladder, rung: Rung) -> str:
    """The words of a low: its ranks from the top, or the category that the hand is forced to be."""
    category = ladder.categories[rung.category]
    if category == "no pair" or category.endswith(" low"):
        return f"{_dashes(rung.ranks)} low"
    return high_words(ladder, rung)


def badugi_words(ladder: Ladder, rung: Rung) -> str:
    """The words of a badugi hand: the cards that count, from the top."""
    category = ladder.categories[rung.category]
    ranks = _dashes(rung.ranks)
    return f"{ranks} badugi" if category == "badugi" else f"{category}, {ranks}"


def spade_words(ladder: Ladder, rung: Rung) -> str:
    """The words of a spade."""
    return f"{RANK_NAMES[rung.ranks[0]]} of spades"

"""A rung of a ladder in words: `full house, nines over tens`, `pair of sevens (A T 8)`.

The words name the category and the deciding ranks; kickers follow in parentheses.
"""

from __future__ import annotations

from potshare.evaluator.cards import RANK_NAMES, RANK_PLURALS, RANKS
from potshare.tables.ladders import Ladder, Rung


def _kickers(ranks: tuple[int, ...]) -> str:
    return f" ({' '.join(RANKS[r] for r in ranks)})" if ranks else ""


def high_words(ladder: Ladder, rung: Rung) -> str:
    """The words of a high hand."""
    category = ladder.categories[rung.category]
    first, rest = rung.ranks[0], rung.ranks[1:]
    match category:
        case "straight flush" if first == 12:
            return "royal flush"
        case "straight flush" | "straight":
            return f"{category}, {RANK_NAMES[first]} high"
        case "flush":
            return f"flush, {RANK_NAMES[first]} high{_kickers(rest)}"
        case "full house":
            return f"full house, {RANK_PLURALS[first]} over {RANK_PLURALS[rest[0]]}"
        case "two pair":
            return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[rest[0]]}{_kickers(rest[1:])}"
        case "pair":
            return f"pair of {RANK_PLURALS[first]}{_kickers(rest)}"
        case "high card":
            return f"{RANK_NAMES[first]} high{_kickers(rest)}"
        case _:
            return f"{category}, {RANK_PLURALS[first]}{_kickers(rest)}"

"""potshare: what poker hands are worth and what share of the pot each player can expect.

Importing the package imports neither numba nor numpy: every name below is found on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_EXPORTS = {
    "NoDealError": "errors",
    "PotshareError": "errors",
    "TextError": "errors",
    "format_cards": "evaluator.cards",
    "parse_cards": "evaluator.cards",
    "Comparison": "evaluator.evaluate",
    "Evaluation": "evaluator.evaluate",
    "compare": "evaluator.evaluate",
    "evaluate": "evaluator.evaluate",
    "categories": "evaluator.arrays",
    "strengths": "evaluator.arrays",
    "Ranking": "evaluator.rankings",
    "find_ranking": "evaluator.rankings",
    "rankings": "evaluator.rankings",
    "Equity": "simulate.answer",
    "Interrupted": "simulate.answer",
    "equity": "simulate.equity",
    "best_discards": "simulate.drawing.search",
    "merge": "simulate.merge",
    "Range": "simulate.ranges",
    "score": "simulate.scoring.run",
    "Settlement": "simulate.showdown",
    "settle": "simulate.showdown",
    "find_variant": "simulate.variants",
    "games": "simulate.variants",
}

__all__ = ["__version__", *_EXPORTS]


def __getattr__(name: str) -> Any:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module 'potshare' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"potshare.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from potshare.errors import NoDealError as NoDealError
    from potshare.errors import PotshareError as PotshareError
    from potshare.errors import TextError as TextError
    from potshare.evaluator.arrays import categories as categories
    from potshare.evaluator.arrays import strengths as strengths
    from potshare.evaluator.cards import format_cards as format_cards
    from potshare.evaluator.cards import parse_cards as parse_cards
    from potshare.evaluator.evaluate import Comparison as Comparison
    from potshare.evaluator.evaluate import Evaluation as Evaluation
    from potshare.evaluator.evaluate import compare as compare
    from potshare.evaluator.evaluate import evaluate as evaluate
    from potshare.evaluator.rankings import Ranking as Ranking
    from potshare.evaluator.rankings import find_ranking as find_ranking
    from potshare.evaluator.rankings import rankings as rankings
    from potshare.simulate.answer import Equity as Equity
    from potshare.simulate.answer import Interrupted as Interrupted
    from potshare.simulate.drawing.search import best_discards as best_discards
    from potshare.simulate.equity import equity as equity
    from potshare.simulate.merge import merge as merge
    from potshare.simulate.ranges import Range as Range
    from potshare.simulate.scoring.run import score as score
    from potshare.simulate.showdown import Settlement as Settlement
    from potshare.simulate.showdown import settle as settle
    from potshare.simulate.variants import find_variant as find_variant
    from potshare.simulate.variants import games as games

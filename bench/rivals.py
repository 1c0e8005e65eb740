"""Other libraries that evaluate hands, behind one interface. Each is imported when it is asked for.

A rival is prepared with rows of cards, so that making its own card objects is not timed, and then called: once a
hand in a Python loop where it has no call for arrays. The comparison is of what a Python program gets.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Run = Callable[[], Any]
"""Evaluates the prepared hands and returns a value for each, in order."""


@dataclass(frozen=True)
class Rival:
    """A library: `prepare` takes rows of cards, raises `ImportError` where it is not installed.

    `sizes` are the numbers of cards it evaluates, `larger_wins` the direction of its values, `compiled` whether one
    call evaluates an array.
    """

    name: str
    prepare: Callable[[NDArray[np.uint8]], Run]
    sizes: tuple[int, ...] = (5, 6, 7)
    larger_wins: bool = True
    compiled: bool = False


_NONE = -(10**6)
RANKS = "23456789TJQKA"
SUITS = "cdhs"


def _texts(cards: NDArray[np.uint8]) -> list[list[str]]:
    names = [rank + suit for rank in RANKS for suit in SUITS]
    return [[names[card] for card in row] for row in cards.tolist()]


def _eval7(cards: NDArray[np.uint8]) -> Run:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its range parser, which is not used here
        eval7 = import_module("eval7")
    evaluate = eval7.evaluate
    hands = [[eval7.Card(text) for text in row] for row in _texts(cards)]
    return lambda: [evaluate(hand) for hand in hands]


def _phevaluator(cards: NDArray[np.uint8]) -> Run:
    evaluate_cards = import_module("phevaluator").evaluate_cards
    hands = cards.tolist()
    return lambda: [evaluate_cards(*hand) for hand in hands]


def _phevaluator_omaha(cards: NDArray[np.uint8]) -> Run:
    evaluate_omaha_cards = import_module("phevaluator").evaluate_omaha_cards
    hands = cards.tolist()  # the board first
    return lambda: [evaluate_omaha_cards(*hand) for hand in hands]


def _treys(cards: NDArray[np.uint8]) -> Run:
    treys = import_module("treys")
    evaluate = treys.Evaluator().evaluate
    hands = [[treys.Card.new(text) for text in row] for row in _texts(cards)]
    return lambda: [evaluate(hand[:2], hand[2:]) for hand in hands]


def _pokerkit(game: str) -> Callable[[NDArray[np.uint8]], Run]:
    def prepare(cards: NDArray[np.uint8]) -> Run:
        pokerkit = import_module("pokerkit")
        make = getattr(pokerkit, game).from_game_or_none
        hands = [tuple(pokerkit.Card.parse("".join(row))) for row in _texts(cards)]

        def strength(hand: Any) -> int:
            found = make(hand)
            if found is None:
                return _NONE
            # Its entries are numbered from the worst to the best hand, of lows from the best.
            return -int(found.entry.index) if found.low else int(found.entry.index)

        return lambda: [strength(hand) for hand in hands]

    return prepare


def _ompeval(cards: NDArray[np.uint8]) -> Run:
    # OMPEval, compiled into the wheel of pokerfast; called with the bytes of all hands at once. Its suits are in
    # another order, which changes no strength.
    library = import_module("pokerfast.equity")._load()
    rows = np.ascontiguousarray(cards)
    out = np.empty(len(rows), np.uint16)
    source = rows.ctypes.data_as(ctypes.c_char_p)
    target = out.ctypes.data_as(ctypes.POINTER(ctypes.c_uint16))

    def run() -> Any:
        if library.pf_evaluate(source, len(rows), rows.shape[1], target):
            raise RuntimeError("OMPEval refused the hands")
        return out

    return run


def _poker_equity(kernel: str) -> Callable[[NDArray[np.uint8]], Run]:
    def prepare(cards: NDArray[np.uint8]) -> Run:
        score = import_module("poker_equity").score_batch
        hands = ["".join(row) for row in _texts(cards)]
        return lambda: score(kernel, hands)

    return prepare


EVAL7 = Rival("eval7", _eval7)
PHEVALUATOR = Rival("phevaluator", _phevaluator, larger_wins=False)
PHEVALUATOR_OMAHA = Rival("phevaluator", _phevaluator_omaha, sizes=(9,), larger_wins=False)
TREYS = Rival("treys", _treys, larger_wins=False)
OMPEVAL = Rival("pokerfast", _ompeval, compiled=True)
POKER_EQUITY = {
    ranking: Rival("poker-equity", _poker_equity(kernel), sizes=sizes, larger_wins=False, compiled=True)
    for ranking, kernel, sizes in (
        ("high", "high", (5, 6, 7)), ("short-deck", "short_deck", (5, 6, 7)), ("ace-to-five", "low_a5", (5, 6, 7)),
        ("deuce-to-seven", "deuce_seven", (5,)), ("badugi", "badugi", (4,)),
    )
}  # fmt: skip
HIGH_RIVALS = (OMPEVAL, EVAL7, POKER_EQUITY["high"], PHEVALUATOR, TREYS)
POKERKIT = {
    "short-deck": Rival("pokerkit", _pokerkit("ShortDeckHoldemHand")),
    "ace-to-five": Rival("pokerkit", _pokerkit("RegularLowHand")),
    "eight-or-better": Rival("pokerkit", _pokerkit("EightOrBetterLowHand")),
    "deuce-to-seven": Rival("pokerkit", _pokerkit("StandardLowHand")),
    "badugi": Rival("pokerkit", _pokerkit("BadugiHand"), sizes=(4,)),
}

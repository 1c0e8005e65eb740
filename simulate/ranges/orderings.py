"""Orderings of all hands by equity against a random hand, for `15%` and `5%-15%`.

The figures are built by `build_orderings`: counted for two-card games, sampled for those of four and five cards
(standard error below 0.001). Where players draw or discard, both play by the game's standard policy, and the figures
are sampled (standard error about 0.004, in murder 0.00001). Percentages take whole classes: a class belongs to the best
x% when the middle of its share of all hands lies there, so that `0%-5%`, `5%-15%` and `15%-100%` part the hands without
overlap.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.cards import format_cards
from potshare.simulate.ranges.terms import class_name
from potshare.simulate.variants import Variant, find_variant
from potshare.tables import load

_FOLDER = Path(__file__).resolve().parent / "data"
_POINTS = 4
# What an ordering depends on: the deck, the private cards, and the halves of the pot.
_ORDERINGS: dict[tuple[object, ...], str] = {
    ("standard", 2, (("high", "best five"),)): "standard-high",
    ("standard", 2, (("high", "best five"), ("eight-or-better", "best five"))): "standard-high-eight",
    ("short", 2, (("short-deck", "best five"),)): "short-deck",
    ("short", 2, (("short-deck-trips", "best five"),)): "short-deck-trips",
    ("standard", 4, (("high", "two plus three"),)): "four-high",
    ("standard", 4, (("high", "two plus three"), ("eight-or-better", "two plus three"))): "four-high-eight",
    ("standard", 5, (("high", "two plus three"),)): "five-high",
    ("standard", 5, (("high", "two plus three"), ("eight-or-better", "two plus three"))): "five-high-eight",
}
_CLASSES = {16_432: 4, 134_459: 5}
"""Cards of a hand by the number of classes."""


_PLAYED = ("badugi", "irish", "murder")
"""Games whose ordering depends on how cards are drawn or discarded; each is the name of its ordering."""


def _plays_alike(variant: Variant, game: str) -> bool:
    # A variant of another name, such as a player's own file, has the game's ordering where it changes no play.
    known = find_variant(game)
    return all(
        getattr(variant, part) == getattr(known, part)
        for part in ("deck", "streets", "halves", "boards", "wild", "showdown", "policies")
    )


def _name(variant: Variant) -> str:
    # Several boards with the same halves are worth what one of them is.
    halves = [
        tuple((h.ranking, h.selection) for h in variant.halves if h.board == b + 1) for b in range(variant.boards)
    ]
    plain = variant.family == "flop" and variant.board_cards == 5 and variant.kept_cards == variant.hole_cards
    if not plain or variant.wild or len(set(halves)) != 1:
        return next((game for game in _PLAYED if _plays_alike(variant, game)), "")
    return _ORDERINGS.get((variant.deck_name, variant.hole_cards, halves[0]), "")


def check_ordering(variant: Variant) -> str:
    """Why this game has no ordering, or an empty string."""
    if _name(variant):
        return ""
    changed = " with other draws or rules" if variant.name in _PLAYED else ""
    return f"{variant.name} has no ordering of its hands{changed}, so a percentage means nothing"


def meaning(variant: Variant) -> str:
    """What the game's hands are ordered by, in words."""
    if _name(variant) in _PLAYED:
        return "equity against a random hand, both by the standard policy"
    return "all-in equity against a random hand"


def _class_place(a: int, b: int, suited: bool) -> int:
    return 13 * a + b if a == b or suited else 13 * b + a


@cache
def _classes(name: str) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Equity of each class, its number of hands, and the class of every hand in the order of `.combos` numbers."""
    data = load(name, _FOLDER)
    if len(data) in _CLASSES:
        _, sizes, of_hand = _suit_classes(_CLASSES[len(data)])
        return data.astype(np.float64) / 65_535, sizes, of_hand
    ranks = 9 if name.startswith("short") else 13
    cards = 4 * ranks
    deals = math.comb(cards - 2, 2) * math.comb(cards - 4, 5)
    pairs = [(a, b) for a in range(52) for b in range(a)]
    of_hand = np.array([_class_place(a >> 2, b >> 2, a & 3 == b & 3) for a, b in pairs], np.int64)
    low = 52 - cards
    dealt = np.array([b >= low for _, b in pairs])
    sizes = np.bincount(of_hand[dealt], minlength=169).astype(np.int64)
    whole = np.iinfo(data.dtype).max if data.dtype.kind == "u" else _POINTS * deals
    return data.astype(np.float64) / whole, sizes, of_hand


@cache
def _suit_classes(cards: int) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """One hand of each class of four or five cards, class sizes, the class of every hand (`build_orderings` numbers
    them alike).

    The four suits' rank masks in order name a class: a change of suits only reorders them.
    """
    rows = np.zeros((1, 0), np.uint8)
    for size in range(1, cards + 1):
        # Under each highest card the hands of one card less that are below it, which come first.
        below = [math.comb(top, size - 1) for top in range(52)]
        rows = np.concatenate(
            [np.column_stack([np.full(n, top, np.uint8), rows[:n]]) for top, n in enumerate(below) if n]
        )
    masks = np.zeros((len(rows), 4), np.int64)
    every = np.arange(len(rows))
    for column in rows.T:
        masks[every, column & 3] |= np.int64(1) << (column >> 2).astype(np.int64)
    masks.sort(axis=1)
    key = (masks[:, 3] << 39) | (masks[:, 2] << 26) | (masks[:, 1] << 13) | masks[:, 0]
    _, index, inverse, sizes = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return rows[index], sizes.astype(np.int64), inverse.reshape(-1).astype(np.int64)


@cache
def _order(name: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Classes with hands, best first (equal ones by number), and for each class the middle of its share of all
    hands."""
    equity, sizes, _ = _classes(name)
    order = np.lexsort((np.arange(len(equity)), -equity))
    order = order[sizes[order] > 0]
    share = sizes[order] / sizes.sum()
    middle = np.zeros(len(equity), np.float64)
    middle[order] = np.cumsum(share) - share / 2
    return order, middle


@cache
def _places(name: str) -> NDArray[np.float64]:
    _, middle = _order(name)
    return middle[_classes(name)[2]]


def places(variant: Variant) -> NDArray[np.float64]:
    """(n,) float64: for each hand, by number, the middle of its class's share of all hands, best first.

    Hands are numbered by the sum of C(card, place) over their cards in ascending order. Raises `PotshareError`
    where the game has no ordering.
    """
    problem = check_ordering(variant)
    if problem:
        raise PotshareError(problem)
    return _places(_name(variant))


def ordering(variant: Variant) -> list[tuple[str, float]]:
    """The game's classes of hands, best first, with their equity against a random hand (see `meaning`).

    A two-card class is named as shorthand (`AKs`), a longer one by one of its hands, whose suits may be changed.
    """
    problem = check_ordering(variant)
    if problem:
        raise PotshareError(problem)
    name = _name(variant)
    order, _ = _order(name)
    equity = _classes(name)[0]
    if len(equity) in _CLASSES:
        hands = _suit_classes(_CLASSES[len(equity)])[0]
        return [(format_cards(hands[i]), float(equity[i])) for i in order]
    ranks = [(*divmod(int(i), 13), float(equity[i])) for i in order]
    return [(class_name(a, b, "s" if a > b else "o"), value) for a, b, value in ranks]

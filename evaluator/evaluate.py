"""One hand, or a few to compare, as a person asks: strength, category, words, and the cards that make the hand.

Everything is found through the array functions, so what is printed is what the kernels compute: the best cards
are the first of all candidate cards (every five of seven, every two plus three) that are worth the whole hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from potshare.errors import PotshareError
from potshare.evaluator.arrays import SELECTIONS, find_selection, for_size, strengths
from potshare.evaluator.cards import as_cards, card_name, format_cards
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.evaluator.words import spoken

Cards = str | Sequence[int]


@dataclass(frozen=True)
class Evaluation:
    """What a hand is worth under a ranking.

    `strength`: larger wins, equal ties, 0 for no hand (no qualifying low); for lows too. `category` and `text` are
    its words, `best` the cards that make it in the order in which they are spoken: trips before kickers, a wheel
    as 5-4-3-2-A, a wild card in the place that it fills. `ranking` is the order that the strength belongs to
    (`high-partial` for fewer than five cards), `cards` the hand without the board.
    """

    strength: int
    category: str
    text: str
    best: tuple[str, ...]
    ranking: str
    cards: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data for JSON."""
        return {
            "ranking": self.ranking,
            "cards": list(self.cards),
            "strength": self.strength,
            "category": self.category,
            "text": self.text,
            "best": list(self.best),
        }


@dataclass(frozen=True)
class Comparison:
    """Several hands ranked against each other.

    `hands` are in the order given, on one scale. `order` groups their indices, best first, equal hands together;
    `winners` is the first group, empty where no hand qualifies.
    """

    hands: tuple[Evaluation, ...]
    order: tuple[tuple[int, ...], ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The indices of the best hands; more than one when they tie."""
        best = self.order[0]
        return best if self.hands[best[0]].strength else ()

    @property
    def tie(self) -> bool:
        """Whether the best hands share."""
        return len(self.winners) > 1

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data for JSON."""
        return {
            "hands": [hand.to_dict() for hand in self.hands],
            "order": [list(group) for group in self.order],
            "winners": list(self.winners),
            "tie": self.tie,
        }


def _read(cards: Cards, ranking: Ranking, what: str) -> tuple[int, ...]:
    numbers = as_cards(cards, jokers=ranking.wilds.jokers > 0)
    for number in numbers:
        if number < ranking.lowest:
            raise PotshareError(
                f"{what} {format_cards(numbers)} holds {card_name(number)}, which is not in the deck of "
                f"{ranking.name}: its lowest rank is {card_name(ranking.lowest)[0]}"
            )
        if number >= 52 + ranking.wilds.jokers:
            raise PotshareError(f"{what} holds a second joker, but {ranking.name} has one")
    return numbers


def _check_sizes(ranking: Ranking, selection: str, hole: int, board: int) -> Ranking:
    if not hole:
        raise PotshareError("there are no cards to evaluate")
    if selection == SELECTIONS[0]:
        return for_size(ranking, hole + board)
    return ranking


def _no_duplicates(groups: Sequence[tuple[str, tuple[int, ...]]]) -> None:
    holder: dict[int, str] = {}
    for name, cards in groups:
        for card in cards:
            if card in holder:
                raise PotshareError(f"the card {card_name(card)} is both in {holder[card]} and in {name}")
            holder[card] = name


def _candidates(hole: tuple[int, ...], board: tuple[int, ...], selection: str, size: int) -> list[tuple[int, ...]]:
    if selection == SELECTIONS[0]:
        return list(itertools.combinations(hole + board, size))
    return [two + three for two in itertools.combinations(hole, 2) for three in itertools.combinations(board, 3)]


def _in_order(cards: tuple[int, ...], ranks: tuple[int, ...], ranking: Ranking) -> tuple[int, ...]:
    # Each rank as spoken takes a natural card of that rank, or else a wild one.
    wild = [c for c in cards if c in ranking.wilds.cards()]
    natural = sorted((c for c in cards if c not in wild), key=lambda c: -c)
    ordered = []
    for rank in ranks:
        fitting = [c for c in natural if c >> 2 == rank]
        source = natural if fitting else wild
        chosen = fitting[0] if fitting else wild[0]
        source.remove(chosen)
        ordered.append(chosen)
    return tuple(ordered)


def _evaluate(hole: tuple[int, ...], board: tuple[int, ...], ranking: Ranking, selection: str) -> Evaluation:
    hand = np.array([hole], np.uint8)
    strength = int(strengths(hand, ranking, np.array(board, np.uint8), selection=selection)[0])
    best: tuple[int, ...] = ()
    if strength:
        ranks = spoken(ranking.ladder, ranking.rung(strength))
        candidates = _candidates(hole, board, selection, len(ranks))
        worth = strengths(np.array(candidates, np.uint8), ranking)
        best = _in_order(candidates[int(np.argmax(worth == strength))], ranks, ranking)
    return Evaluation(
        strength=strength,
        category=ranking.category(strength),
        text=ranking.words(strength),
        best=tuple(card_name(c) for c in best),
        ranking=ranking.name,
        cards=tuple(card_name(c) for c in hole),
    )


def evaluate(
    cards: Cards, ranking: str | Ranking = "high", *, board: Cards = "", selection: str | None = None
) -> Evaluation:
    """What cards are worth under a ranking, with a board where there is one.

    `cards` and `board` are text (`"AhKh"`) or card numbers; jokers are `Jk` and `Jk2`. `selection` is `best five`
    (the default: the best of all cards) or `two plus three` (exactly two of `cards` and three of `board`). Fewer
    cards than the ranking needs are ranked by its partial order where it has one. Raises `PotshareError` for cards
    that are no cards, are given twice or not in the deck, and for too few or too many.
    """
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    selected = find_selection(selection)
    hole, shared = _read(cards, chosen, "the hand"), _read(board, chosen, "the board")
    _no_duplicates([("the hand", hole), ("the board", shared)])
    return _evaluate(hole, shared, _check_sizes(chosen, selected, len(hole), len(shared)), selected)


def compare(
    hands: Sequence[Cards],
    ranking: str | Ranking = "high",
    *,
    board: Cards = "",
    selection: str | None = None,
    one_deal: bool = False,
) -> Comparison:
    """Several hands evaluated on one scale and ranked against each other.

    As `evaluate`; with `one_deal` a card may be in one hand only. Hands of different sizes compare on the partial
    order of the smallest. Raises `PotshareError`, also where there is no hand.
    """
    chosen = ranking if isinstance(ranking, Ranking) else find_ranking(ranking)
    selected = find_selection(selection)
    if not hands:
        raise PotshareError("there are no hands to compare")
    holes = [_read(cards, chosen, f"hand {i}") for i, cards in enumerate(hands, 1)]
    shared = _read(board, chosen, "the board")
    for i, hole in enumerate(holes, 1):
        _no_duplicates([(f"hand {i}", hole), ("the board", shared)])
    if one_deal:
        _no_duplicates([(f"hand {i}", hole) for i, hole in enumerate(holes, 1)])
    scale = _check_sizes(chosen, selected, min(len(hole) for hole in holes), len(shared))
    found = tuple(
        _evaluate(hole, shared, _check_sizes(scale, selected, len(hole), len(shared)), selected) for hole in holes
    )
    by_strength: dict[int, list[int]] = {}
    for i, hand in enumerate(found):
        by_strength.setdefault(hand.strength, []).append(i)
    order = tuple(tuple(by_strength[strength]) for strength in sorted(by_strength, reverse=True))
    return Comparison(found, order)

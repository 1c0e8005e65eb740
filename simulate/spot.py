"""A checked question: variant, a range per player, board, dead cards. All checking of a question ends here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from potshare.errors import PotshareError
from potshare.evaluator.cards import as_cards, card_name, format_cards
from potshare.simulate.ranges import Range
from potshare.simulate.variants import Variant, find_variant

Cards = str | Sequence[int]
Hand = str | Range | Sequence[int]


@dataclass(frozen=True)
class Spot:
    """What is known before the rest is dealt. Build it with `spot`."""

    variant: Variant
    ranges: tuple[Range, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.ranges)

    @cached_property
    def live(self) -> tuple[int, ...]:
        """The cards of the deck that are neither dead nor on the board."""
        gone = {*self.board, *self.dead}
        return tuple(c for c in self.variant.deck if c not in gone)

    @cached_property
    def board_array(self) -> NDArray[np.uint8]:
        """(b,) uint8: the board."""
        return np.array(self.board, np.uint8)


def _check_known(variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> None:
    if len(board) > variant.board_cards:
        raise PotshareError(
            f"the board {format_cards(board)} has {len(board)} cards; {variant.name} has at most {variant.board_cards}"
        )
    for what, cards in (("board", board), ("dead cards", dead)):
        for c in cards:
            if c not in variant.deck:
                raise PotshareError(f"{card_name(c)} ({what}) is not in the deck of {variant.name}")
    both = set(board) & set(dead)
    if both:
        raise PotshareError(f"{card_name(min(both))} is on the board and among the dead cards")


def _hand_range(hand: Hand, variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> Range:
    if isinstance(hand, Range):
        if hand.variant.hole_cards != variant.hole_cards or hand.variant.deck != variant.deck:
            raise PotshareError(f"the range '{hand.text}' was made for {hand.variant.name}, not for {variant.name}")
        return hand.without((*board, *dead))
    if not isinstance(hand, str):
        hand = format_cards(as_cards(hand))
    return Range(hand, variant, board=board, dead=dead)


def spot(hands: Sequence[Hand], game: str | Variant = "holdem", board: Cards = "", dead: Cards = "") -> Spot:
    """Checks a question. Raises `PotshareError` (`TextError` with a caret for text) that says what to change."""
    variant = game if isinstance(game, Variant) else find_variant(game)
    board_cards = as_cards(board)
    dead_cards = as_cards(dead)
    _check_known(variant, board_cards, dead_cards)
    if len(hands) < 2:
        given = "no hand is" if not hands else "only one hand is"
        raise PotshareError(f"{given} given; an equity needs two players or more (use 'random' for an unknown hand)")
    room = len(variant.deck) - len(dead_cards) - variant.board_cards
    most = room // variant.hole_cards
    if len(hands) > most:
        raise PotshareError(
            f"{len(hands)} players are too many: the deck has cards for {most} in {variant.name}"
            + (f" with {len(dead_cards)} dead" if dead_cards else "")
        )
    ranges = tuple(_hand_range(hand, variant, board_cards, dead_cards) for hand in hands)
    fixed = [(i, set(map(int, r.combos[0]))) for i, r in enumerate(ranges) if not r.is_random and len(r) == 1]
    for (i, one), (j, two) in combinations(fixed, 2):
        if one & two:
            raise PotshareError(f"{card_name(max(one & two))} is in hand {i + 1} and in hand {j + 1}")
    return Spot(variant, ranges, board_cards, dead_cards)

"""Board text: fixed cards, or a pattern that stands for a weighted set of boards.

A board is read by the grammar of hands: `AhKd2c`, `[A,K]ss`, `**2h`, `AsKs2d*h`. The first street's cards stand in
any order, the later streets' in order. A pattern is then part of what is dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from potshare.errors import PotshareError
from potshare.evaluator.cards import as_cards, card_name, format_cards
from potshare.simulate.ranges.parser import parse
from potshare.simulate.ranges.range import Range
from potshare.simulate.ranges.tree import board_layout, longest_shape
from potshare.simulate.variants import Variant, find_variant


@dataclass(frozen=True)
class Board:
    """A board as it was written.

    `cards` are the fixed cards in dealing order, and `pattern` is None, where every card is written; otherwise
    `cards` is empty and `pattern` holds the boards: its `combos` are (n, `size`) cards, the first street's in
    descending order, with their `weights`. `size` is how many cards the board has so far, 0 for an empty text.
    """

    variant: Variant
    text: str
    cards: tuple[int, ...]
    pattern: Range | None

    @property
    def size(self) -> int:
        """How many cards the board has so far."""
        return len(self.cards) if self.pattern is None else self.pattern.cards


def parse_board(text: str | Sequence[int], game: str | Variant = "holdem", *, dead: str | Sequence[int] = ()) -> Board:
    """The board of a text, or of card numbers.

    Fewer cards than a street has are a pattern with free cards (`As`: any flop with the ace of spades). Raises
    `TextError` for text that cannot be read, `PotshareError` for a game without a board, and for a board that dead
    cards make impossible.
    """
    variant = game if isinstance(game, Variant) else find_variant(game)
    text = text if isinstance(text, str) else format_cards(as_cards(text))
    if not text.strip():
        return Board(variant, text, (), None)
    layout = board_layout(variant)
    if not layout.groups:
        raise PotshareError(f"{variant.name} has no board")
    gone = as_cards(dead)
    tree, hand = parse(text, layout)
    cut = layout.cut(len(hand) if hand is not None else longest_shape(tree))
    if hand is not None and cut.size == len(hand):
        both = [card for card in hand if card in gone]
        if both:
            raise PotshareError(f"{card_name(both[0])} is on the board and among the dead cards")
        return Board(variant, text, hand, None)
    return Board(variant, text, (), Range.of_tree(text, cut, tree, gone))

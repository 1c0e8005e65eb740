"""One hand's text: written cards in dealing order, unknown cards, and in draw games what is kept and what is thrown
away."""

from __future__ import annotations

from dataclasses import dataclass

from potshare.errors import TextError
from potshare.evaluator.cards import UNKNOWN, card_name, read_card
from potshare.simulate.variants import Variant, find_variant

_SEPARATORS = " ,;\t\r\n\u00a0_"


@dataclass(frozen=True)
class Hand:
    """The cards of one hand.

    `kept` and `discarded` in the order written; `discarded` is None where the text has no slash, so that the policy
    decides (or, with fewer cards than the game deals, the missing cards are drawn), and empty where the hand stands
    pat. `unknown` is how many cards were written `??`.
    """

    variant: Variant
    text: str
    kept: tuple[int, ...]
    discarded: tuple[int, ...] | None
    unknown: int = 0

    @property
    def cards(self) -> tuple[int, ...]:
        """Every known card, kept ones first."""
        return self.kept + (self.discarded or ())


def parse_hand(text: str, game: str | Variant = "holdem") -> Hand:
    """The hand of a text such as `AhKd`, `10s Jd ??`, or `KEPT/DISCARDED` in a draw game: `2c3d4h7s/Kd`, `9s8d6h4c3s/`.

    Raises `TextError` with the place for anything else, for a card that is written twice or is not in the deck, and for
    more cards than the game deals; a hand with a slash must name all its cards.
    """
    variant = game if isinstance(game, Variant) else find_variant(game)
    size = variant.hole_cards
    jokers = any(card >= 52 for card in variant.deck)
    sides: list[list[int]] = [[]]
    seen: set[int] = set()
    slash = -1
    at = 0
    while at < len(text):
        character = text[at]
        if character in _SEPARATORS:
            at += 1
            continue
        if character == "/":
            if variant.family != "draw":
                hint = "it parts kept from discarded cards in draw games"
                raise TextError(text, at, at + 1, f"a '/' has no meaning in {variant.name}", hint)
            if slash >= 0:
                raise TextError(text, at, at + 1, "a second '/' in one hand", "write KEPT/DISCARDED")
            slash = at
            sides.append([])
            at += 1
            continue
        start = at
        card, at = read_card(text, at, jokers=jokers, unknown=slash < 0)
        if card != UNKNOWN and card not in variant.deck:
            raise TextError(text, start, at, f"{card_name(card)} is not in the deck of {variant.name}")
        if card in seen and card != UNKNOWN:
            raise TextError(text, start, at, f"the card {card_name(card)} is written twice")
        seen.add(card)
        sides[-1].append(card)
        if sum(map(len, sides)) > size:
            raise TextError(text, start, at, f"more cards than {variant.name} deals: a hand has {size}")
    count = sum(map(len, sides))
    if not count:
        raise TextError(text, 0, 1, "there is no hand here", "write its cards, such as AhKd")
    if slash >= 0 and count != size:
        reason = f"kept and discarded cards together must be {size}, not {count}"
        raise TextError(text, 0, len(text), reason, "write every card, or leave the slash out")
    if slash >= 0 and UNKNOWN in seen:
        raise TextError(text, 0, len(text), "an unknown card cannot stand in a hand with a slash")
    kept = tuple(card for card in sides[0] if card != UNKNOWN)
    discarded = tuple(sides[1]) if slash >= 0 else None
    return Hand(variant, text, kept, discarded, sides[0].count(UNKNOWN))

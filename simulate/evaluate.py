"""Hands as a game ranks them at its showdown: every half of the pot, with the cards and boards that count for it.

Hands and boards that are not complete yet are ranked by what is there; what the game never deals is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from potshare.errors import PotshareError
from potshare.evaluator.cards import as_cards, format_cards
from potshare.evaluator.evaluate import Comparison, Evaluation, compare
from potshare.evaluator.rankings import find_ranking
from potshare.simulate.sampling.general import down_mask
from potshare.simulate.spot import read_boards
from potshare.simulate.variants import Half, Variant

Hand = tuple[int, ...]


@dataclass(frozen=True)
class HalfComparison:
    """The hands ranked for one half of the pot."""

    half: Half
    comparison: Comparison


def compare_in_game(hands: Sequence[str | Sequence[int]], variant: Variant, board: str = "") -> list[HalfComparison]:
    """Each half of the pot with the hands ranked for it.

    Hands are text or card numbers, in dealing order where cards lie face up; boards of a game with two are parted by
    `/`. Raises `PotshareError` for cards that the game does not deal or that are there twice.
    """
    jokers = any(c >= 52 for c in variant.deck)
    held = [as_cards(hand, jokers=jokers) for hand in hands]
    boards = read_boards(variant, board)
    for i, hand in enumerate(held, 1):
        _check_size(i, hand, variant)
    found = []
    for half in variant.halves:
        on = boards[half.board - 1]
        if half.selection == "two plus three" and len(on) < 3:
            raise PotshareError(
                f"a hand of {variant.name} takes three cards of the board; give the flop, as in -b Qh7d2c"
            )
        counted = [_counting(hand, half, variant) for hand in held]
        selection = "two plus three" if half.selection == "two plus three" else None
        comparison = compare(counted, half.ranking, board=on, selection=selection, one_deal=True)
        found.append(HalfComparison(half, comparison))
    return found


def _check_size(number: int, hand: Hand, variant: Variant) -> None:
    most = variant.kept_cards
    shown = format_cards(hand)
    if len(hand) > most:
        if len(hand) <= variant.hole_cards:
            raise PotshareError(
                f"hand {number} ({shown}) has {len(hand)} cards; of {variant.hole_cards} a player of {variant.name} "
                f"keeps {most}: write those"
            )
        raise PotshareError(f"hand {number} ({shown}) has {len(hand)} cards; a hand of {variant.name} has {most}")
    if variant.board_cards and len(hand) < most:
        raise PotshareError(f"hand {number} ({shown}) has {len(hand)} cards; a hand of {variant.name} has {most}")


def _counting(hand: Hand, half: Half, variant: Variant) -> Hand:
    # The cards of a hand that count for a half.
    if half.selection == "down cards":
        mask = down_mask(variant)
        down = tuple(c for i, c in enumerate(hand) if mask >> i & 1)
        if not down:
            raise PotshareError(f"no card of {format_cards(hand)} lies face down; write the hand as it was dealt")
        return down
    most = find_ranking(half.ranking).most
    if len(hand) > most and half.selection == "best five" and not variant.board_cards:
        # Of five cards for badugi the best four.
        parts = list(combinations(hand, most))
        best: Evaluation = max(compare(parts, half.ranking).hands, key=lambda one: one.strength)
        return as_cards(best.cards)
    return hand

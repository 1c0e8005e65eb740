"""The engine against a plain Python dealer, deal for deal from the same cards."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import twin  # type: ignore[import-not-found]

from potshare.simulate.sampling.general import Dealer
from potshare.simulate.spot import spot
from potshare.simulate.variants import find_variant, games

DEALS = int(os.environ.get("POTSHARE_TWIN_DEALS", "1500"))
"""Deals a variant; 20000 and more for a thorough run."""


def orders(deals: int, cards: list[int], seed: int) -> np.ndarray:
    """(deals, cards) uint8: random orders of the cards."""
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.array(cards, np.uint8), (deals, 1)), axis=1)


def test_every_game_has_a_twin() -> None:
    others = {name for name, variant in games().items() if not variant.is_flop_game}
    assert others == set(twin.GAMES)


@pytest.mark.parametrize("name", sorted(twin.GAMES))
def test_deal_for_deal(name: str) -> None:
    variant = find_variant(name)
    game = twin.GAMES[name]
    rules = dict(variant.policies[0].rules) if variant.choices else {}
    assert len(variant.deck) == game.cards
    for players, deals, seed in (
        (2, DEALS * 2 // 3, 1),
        (min(4, game.seats), DEALS // 4, 2),
        (game.seats, DEALS // 12, 3),
    ):
        dealer = Dealer(spot(["random"] * players, variant), "standard", 0)
        order = orders(deals, dealer.deck.tolist(), seed)
        again = orders(deals, list(variant.deck), seed + 10)
        found = dealer.deal_orders(order, again)
        for d in range(deals):
            winners, hands, _ = twin.play(game, players, order[d].tolist(), again[d].tolist(), rules)
            dealt = [[c for c in hand if c != 255] for hand in found.hands[d].tolist()]
            assert dealt == hands, (name, players, d)
            outcome = sum(mask << (players * h) for h, mask in enumerate(winners))
            assert int(found.outcomes[d]) == outcome, (name, players, d, hands)

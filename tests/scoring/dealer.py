"""Random hands of every PHH variant played by pokerkit, for comparison and for the fixtures of this folder."""

from __future__ import annotations

import random
import warnings
from typing import Any

CODES = ("FT", "NT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
STUD = ("F7S", "F7S/8", "FR")


def _game(code: str, rng: random.Random, players: int) -> Any:
    from pokerkit import Automation, HandHistory

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
        Automation.CARD_BURNING,
    )
    game = HandHistory.game_types[code]
    trimmed = rng.random() < 0.5
    antes: Any = rng.choice([0, 0, 1, {1: 3}]) if code not in STUD else rng.choice([0, 1, 2])
    if code in STUD:
        return game(automations, trimmed, antes, 2, 4, 8)
    blinds: Any = rng.choice([(2, 4), (2, 4, 8), (1, 4)]) if players > 2 else (2, 4)
    least = 8 if len(blinds) == 3 else 4
    limits = (least, 2 * least) if code[0] == "F" else (least,)
    return game(automations, trimmed, antes, blinds, *limits)


def play(code: str, seed: int) -> Any:
    """A finished state of pokerkit with its history: `(state, history)`."""
    from pokerkit import HandHistory

    rng = random.Random(f"{code} {seed}")
    random.seed(f"{code} {seed} deck")
    players = rng.randint(2, 6) if code not in STUD else rng.randint(2, 7)
    game = _game(code, rng, players)
    stacks = [rng.choice([200, 200, 60, 30, 9, 5, 2, 1]) for _ in range(players)]
    state = game(stacks, players)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while state.status:
            _step(state, rng)
    history = HandHistory.from_game_state(game, state)
    history.ante_trimming_status = state.ante_trimming_status
    return state, history


def _step(state: Any, rng: random.Random) -> None:
    if state.can_deal_hole():
        state.deal_hole()
    elif state.can_deal_board():
        state.deal_board()
    elif state.can_stand_pat_or_discard():
        hand = list(state.hole_cards[state.stand_patter_or_discarder_index])
        state.stand_pat_or_discard(rng.sample(hand, rng.randint(0, len(hand) - 1)))
    elif state.can_post_bring_in():
        state.post_bring_in()
    else:
        _act(state, rng)


def _act(state: Any, rng: random.Random) -> None:
    chance = rng.random()
    if chance < 0.35 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        state.complete_bet_or_raise_to(rng.choice([least, most, rng.randint(least, most)]))
    elif chance < 0.45 and state.can_fold():
        state.fold()
    else:
        state.check_or_call()

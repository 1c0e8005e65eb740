"""All-in luck: what each player could expect when the betting was over and cards were still to come.

The money is cut into pots as at the showdown, and each pot goes by the equities of the players who can win it; the
hands of everybody else are known to be out of the deck, as are known discards. Recorded draws are taken as they
were made; later ones follow the standard keep rules of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from potshare.errors import PotshareError
from potshare.evaluator.cards import UNKNOWN, format_cards
from potshare.simulate.scoring.phh import Replay
from potshare.simulate.showdown import money_layers

SEED = 1
DEALS = 400_000
"""Seed and deals of what cannot be counted, so that every run gives the same answer; the error is below 0.001."""


@dataclass(frozen=True)
class Luck:
    """Expected payouts in chips, per seat, and how they were found: `exact` or `monte-carlo`."""

    expected: tuple[Fraction, ...]
    method: str


def _at_the_moment(played: Replay, seat: int) -> tuple[int, ...]:
    # A player's cards when betting ended, with what was shown later filled in. UNKNOWN where that cannot be told.
    cards = played.last.hands[seat]
    if UNKNOWN not in cards:
        return cards
    if played.hand.variant.draws:
        return cards
    # In other games cards are only added, so the shown hand begins with those that were held; unless it was shown in
    # another order, and hidden cards came later too.
    if not played.told[seat] and len(cards) < len(played.cards[seat]):
        return cards
    return tuple(played.cards[seat][: len(cards)])


def _drawn_hand(played: Replay, seat: int) -> str:
    cards = _at_the_moment(played, seat)
    thrown = played.thrown.get(seat)
    if thrown is None or UNKNOWN in thrown:
        return format_cards(cards)
    kept = [c for c in cards if c not in thrown]
    return f"{format_cards(kept)}/{format_cards(thrown)}" if thrown else f"{format_cards(cards)} pat"


def luck(played: Replay, threads: int = 1) -> Luck | None:
    """The expected payouts of a replayed hand, or None where the cards were over before the betting was.

    Counted exactly where `equity` can within seconds. Raises `PotshareError` where a hand is unknown.
    """
    from potshare.simulate.equity import equity

    live = played.live
    if len(live) < 2 or not played.after:
        return None
    variant, moment = played.hand.variant, played.last
    layers = money_layers(played.put, played.folded, played.dead)
    hands = {seat: _at_the_moment(played, seat) for seat in range(played.hand.seats)}
    contenders = sorted({seat for layer in layers if len(layer.eligible) > 1 for seat in layer.eligible})
    unknown = [f"p{seat + 1}" for seat in contenders if UNKNOWN in hands[seat] or not hands[seat]]
    if unknown:
        raise PotshareError(f"no expected payouts: the cards of {', '.join(unknown)} are unknown")
    drawing = variant.draws
    left = sum(1 for street in variant.streets if street.draw) - moment.draws if drawing else None
    expected = [Fraction(0)] * played.hand.seats
    method = "exact"
    known: dict[tuple[int, ...], tuple[list[Fraction], str]] = {}
    for layer in layers:
        if len(layer.eligible) == 1:
            expected[layer.eligible[0]] += layer.amount
            continue
        if layer.eligible not in known:
            others = [c for s, cards in hands.items() if s not in layer.eligible for c in cards]
            texts = [_drawn_hand(played, s) if drawing else format_cards(hands[s]) for s in layer.eligible]
            dead = [c for c in (*others, *moment.gone) if c != UNKNOWN]
            answer = equity(
                *texts, game=variant, board=format_cards(moment.board), dead=format_cards(dict.fromkeys(dead)),
                draws=left, seed=SEED, deals=DEALS, threads=threads,
            )  # fmt: skip
            shares = [Fraction(p.fraction) if p.fraction else Fraction(p.equity) for p in answer.players]
            known[layer.eligible] = shares, answer.method
        shares, how = known[layer.eligible]
        if how != "exact":
            method = how
        for seat, share in zip(layer.eligible, shares, strict=True):
            expected[seat] += layer.amount * share
    return Luck(tuple(expected), method)


def as_numbers(expected: Sequence[Fraction]) -> list[float]:
    """Expected payouts as numbers to print."""
    return [float(e) for e in expected]

"""The value of every discard, and the best one: by counting where that is possible, else by a stated search.

The first decision of a hand that is written out is searched against the opponents as they are named; hands that are
not known, and all draws after the first, follow the table of best discards (`drawing.best`) under the policy `best`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from potshare.errors import PotshareError, real_number
from potshare.evaluator.cards import format_cards
from potshare.simulate.drawing.best import exchanges, table
from potshare.simulate.exact.plans import TooManyError, UncountableError, counting_plan
from potshare.simulate.sampling.general import Dealer
from potshare.simulate.spot import Cards, Hand, Holding, Spot, after_discards, decision, least_kept, spot
from potshare.simulate.variants import Variant, find_variant
from potshare.simulate.work import in_order, thread_count

if TYPE_CHECKING:
    from potshare.simulate.answer import Equity

COUNT_SECONDS = 4.0
"""All discards are counted when that is expected to take no longer."""

FIRST_LOOK = 16_384
SECOND_LOOK = 262_144
"""Deals for each discard, and for those that may be the best after the first look."""

MOST_EFFORT = 1e6
_CONTENDERS = 8
_ERRORS = 4.0


@dataclass(frozen=True)
class DiscardValue:
    """A discard and its expected share of the pot, with the standard error (0 when counted)."""

    kept: tuple[int, ...]
    thrown: tuple[int, ...]
    equity: float
    stderr: float
    method: str
    deals: int

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "kept": format_cards(self.kept),
            "discarded": format_cards(self.thrown),
            "equity": self.equity,
            "stderr": self.stderr,
            "method": self.method,
            "deals": self.deals,
        }


def legal_discards(cards: Sequence[int], variant: Variant) -> list[Holding]:
    """Every decision that the first draw of a game allows for a full hand, most cards kept first."""
    street, held = decision(variant)
    if len(cards) != held:
        raise PotshareError(
            f"{format_cards(cards)} has {len(cards)} cards; a player of {variant.name} draws with {held}"
        )
    found = []
    for size in range(held, -1, -1):
        for kept in combinations(cards, size):
            least = least_kept(street, kept, held, variant)
            if size < least or (street.discard and size > least):
                continue
            thrown = tuple(c for c in cards if c not in kept)
            text = f"{format_cards(kept)}/{format_cards(thrown)}"
            found.append(Holding(text, (*kept, *thrown), kept=size))
    return found


def _sampled(question: Spot, policy: str, deals: int, seed: int, threads: int, player: int) -> tuple[float, float]:
    # The equity of one player and its standard error.
    from potshare.simulate.answer import tally_equity

    dealer = Dealer(question, policy, seed)
    blocks = -(-deals // dealer.block)
    step = 4
    parts = in_order(
        lambda first: dealer.deal(first, min(step, blocks - first), deals), range(0, blocks, step), threads
    )
    return tally_equity(sum(parts), question.players)[player]


def discard_values(
    question: Spot, player: int, policy: str, seed: int, threads: int, effort: float = 1.0
) -> list[DiscardValue]:
    """The value of every legal discard of a player's full hand, best first, the others as the question has them."""
    from potshare.simulate.answer import tally_equity

    own = question.ranges[player]
    assert isinstance(own, Holding)
    question = settle_rules(question, policy, player)
    spots = []
    for choice in legal_discards(own.cards, question.variant):
        ranges = (*question.ranges[:player], choice, *question.ranges[player + 1 :])
        spots.append((choice, dataclasses.replace(question, ranges=ranges)))
    counted = _counted_boards([asked for _, asked in spots], policy, threads)
    if counted:
        found = [
            _value(choice, answer.players[player].equity, 0.0, "exact", answer.deals)
            for (choice, _), answer in zip(spots, counted, strict=True)
        ]
        return sorted(found, key=lambda v: (-v.equity, len(v.thrown)))
    found = []
    try:
        plans = []
        for _, asked in spots:
            plans.append(counting_plan(asked, policy))
            if sum(p.seconds for p in plans) > COUNT_SECONDS * effort * threads:
                raise TooManyError
        for (choice, _), plan in zip(spots, plans, strict=True):
            share, _ = tally_equity(plan.count(threads), question.players)[player]
            found.append(_value(choice, share, 0.0, "exact", plan.deals))
    except (UncountableError, TooManyError):
        found = []
        first = max(2048, int(FIRST_LOOK * effort))
        second = max(2048, int(SECOND_LOOK * effort))
        looked = [(c, a, *_sampled(a, policy, first, seed, threads, player)) for c, a in spots]
        looked.sort(key=lambda look: -look[2])
        top = looked[0][2] - _ERRORS * looked[0][3]
        for place, (choice, asked, share, error) in enumerate(looked):
            deals = first
            if place < _CONTENDERS and share + _ERRORS * error >= top:
                share, error = _sampled(asked, policy, second, seed + 1, threads, player)
                deals = second
            found.append(_value(choice, share, error, "monte-carlo", deals))
    return sorted(found, key=lambda v: (-v.equity, len(v.thrown)))


def _counted_boards(asked: Sequence[Spot], policy: str, threads: int) -> list[Equity]:
    # The answers where discards are all that is decided and the rest is a flop game; empty where it is not.
    from potshare.simulate.equity import count_decided

    found = []
    for question in asked:
        after = after_discards(question, policy)
        answer = count_decided(after, threads) if after.decided else None
        if answer is None:
            return []
        found.append(answer)
    return found


def _value(choice: Holding, share: float, error: float, method: str, deals: int) -> DiscardValue:
    assert choice.kept is not None
    return DiscardValue(choice.cards[: choice.kept], choice.discards, share, error, method, deals)


def best_discards(
    hand: Hand,
    game: str | Variant = "draw",
    dead: Cards = "",
    against: Sequence[Hand] = ("random",),
    *,
    board: Cards = "",
    policy: str = "standard",
    seed: int = 1,
    threads: int | None = None,
    effort: float = 1.0,
) -> list[DiscardValue]:
    """Every legal discard of a full hand with its expected share against the named opponents, best first.

    `against` holds an entry for each opponent, as for `equity`; by default one unknown hand. Opponents who have not
    decided draw by `policy`, and so does everybody in later draws (`best`: by the table of best discards). Exact when
    all of them can be counted within a few seconds; else sampled: all discards briefly, those that may be the best at
    length (`effort` scales both). Raises `PotshareError` for a hand that is not full, a game without a draw, or a board
    that players do not see yet when they discard.

    >>> found = best_discards("8s8d8cKd4h", "draw", against=["9h9d9c2s/5d"])
    >>> found[0].to_dict()["kept"], found[0].method
    ('8s8d8c', 'exact')
    """
    variant = game if isinstance(game, Variant) else find_variant(game)
    decision(variant)
    if isinstance(against, str) or not isinstance(against, Sequence):
        raise PotshareError(f"against is a list with an entry for each opponent, such as ['random'], not {against!r}")
    if not 0 < real_number("effort", effort) <= MOST_EFFORT:
        raise PotshareError(f"effort must be greater than 0 and at most {MOST_EFFORT:g}, not {effort}")
    if policy not in ("pat", "best"):
        variant.policy(policy)
    question = spot([hand, *against], variant, board, dead)
    if _unseen_board(question) < 0:
        raise PotshareError(
            f"players of {variant.name} discard before the board has {_on_board(question)} cards; give --board as far "
            "as they see it, or write KEPT/DISCARDED and ask for the equity"
        )
    if _unseen_board(question):
        raise PotshareError(
            f"in {variant.name} players discard when they have seen {_unseen_board(question)} more board cards; "
            "give them with --board"
        )
    if not isinstance(question.ranges[0], Holding) or question.ranges[0].kept is not None:
        raise PotshareError("write the hand before the draw, all its cards and no '/': each discard is tried in turn")
    return discard_values(question, 0, policy, seed, thread_count(threads), effort)


def _on_board(question: Spot) -> int:
    return max(map(len, question.boards), default=0)


def _unseen_board(question: Spot) -> int:
    # How many board cards players see before they decide that the question does not give; below 0 for how many it
    # gives that they do not see.
    variant = question.variant
    street, _ = decision(variant)
    seen = sum(s.board for s in variant.streets[: variant.streets.index(street)])
    return seen - min((len(board) for board in question.boards), default=0)


def settle_rules(question: Spot, policy: str, but: int = -1) -> Spot:
    """The question with the first decision of every written full hand (except player `but`) made by the keep rules,
    where they see nothing that is not known yet and decide only once; else the same question.

    What follows from the rules is then a matter of counting.
    """
    variant = question.variant
    undecided = [
        i
        for i, h in enumerate(question.ranges)
        if i != but and isinstance(h, Holding) and h.kept is None and not h.waits
    ]
    rounds = sum(s.swap or 1 for s in variant.streets if s.choice)
    if question.ranged or policy == "pat" or rounds != 1 or "push" in variant.choices or not undecided:
        return question
    _, held = decision(variant)
    full = [i for i in undecided if len(question.ranges[i].combos[0]) == held]
    if not full or _unseen_board(question) > 0:
        return question
    dealer = Dealer(question, policy, 0)
    dealt = dealer.deal_orders(dealer.deck[None, :], np.array([variant.deck], np.uint8)).hands[0]
    ranges = list(question.ranges)
    for i in full:
        own = question.ranges[i]
        assert isinstance(own, Holding)
        # Nobody gets back a card that he threw away.
        kept = tuple(c for c in own.cards if c in dealt[i].tolist())
        ranges[i] = Holding(own.text, (*kept, *(c for c in own.cards if c not in kept)), kept=len(kept))
    return after_discards(dataclasses.replace(question, ranges=tuple(ranges)), policy)


def others_by(variant: Variant) -> str:
    """How choices are made under the policy `best` where they are not searched, as a clause."""
    if not exchanges(variant):
        return "other and later choices by standard"
    pushes = ", pushes by standard" if "push" in variant.choices else ""
    return f"other and later draws by the table of best discards{pushes}"


def _undecided(own: Hand, held: int) -> bool:
    # Whether a hand is written out with all the cards of which some are discarded.
    return isinstance(own, Holding) and own.kept is None and not own.waits and len(own.cards) == held


def settle_best(
    question: Spot, seed: int, threads: int, progress: Callable[[float], None] | None = None
) -> tuple[Spot, str]:
    """The question with each undecided full hand given its best discard against the others' best draws (standard ones
    where the game has no table of them), and the words that say so. All other choices are left to the policy `best`
    of `sampling.general.Dealer`."""
    variant = question.variant
    if exchanges(variant):
        table(variant, question.players, progress)
    try:
        _, held = decision(variant)
    except PotshareError:
        return question, "best: nobody draws or discards, all choices by standard"
    if _unseen_board(question) < 0 and any(_undecided(r, held) for r in question.ranges):
        raise PotshareError(
            f"players of {variant.name} discard before the board has {_on_board(question)} cards, and the best discard "
            "would be chosen with cards that came later; write KEPT/DISCARDED, or leave the choice to the keep rules"
        )
    if _unseen_board(question) > 0:
        return question, "best: the board that players see before they discard is not known, all choices by standard"
    ranges = list(question.ranges)
    words = []
    for i, own in enumerate(question.ranges):
        if not _undecided(own, held):
            continue
        assert isinstance(own, Holding)
        values = discard_values(question, i, "best", seed, threads, 0.5)
        best = values[0]
        text = f"{format_cards(best.kept)}/{format_cards(best.thrown)}"
        ranges[i] = Holding(own.text, (*best.kept, *best.thrown), kept=len(best.kept))
        how = "counted" if best.method == "exact" else f"searched with {best.deals:,} deals each"
        words.append(f"hand {i + 1} {text} ({how})")
    found = ", ".join(words) if words else "no hand is written out before its draw"
    spoken = f"best: {found}; {others_by(variant)}"
    return after_discards(dataclasses.replace(question, ranges=tuple(ranges)), spoken), spoken

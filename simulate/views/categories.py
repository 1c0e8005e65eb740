"""How often each player ends with each category of hand, in every half of the pot.

Flop games are counted: every compatible choice of hands, up to suits, with every completion of the board, one
evaluation a player. What would take too long, and every other game, is dealt at random. One hand without
opponents is a question too.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.arrays import categories as category_codes
from potshare.evaluator.arrays import for_size, strengths
from potshare.evaluator.cards import card_name
from potshare.evaluator.hand import START, card_mask
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel
from potshare.simulate.evaluators import TWO_PLUS_THREE, Evaluators, evaluators, high_of, low_of, low_ranks
from potshare.simulate.exact.joint import Joint, TooManyError, combo_masks, gather
from potshare.simulate.sampling.choice import draw_joint, prepare
from potshare.simulate.sampling.random import below, seed_block
from potshare.simulate.spot import Cards, Hand, Spot, spot
from potshare.simulate.variants import SHOWDOWNS, Variant
from potshare.simulate.work import in_order, thread_count

AUTO_SECONDS = 3.0
"""Counted when that is expected to be done within this time."""

SAMPLE = 1 << 20
"""Deals that are sampled unless a number is asked for."""

_MOST_JOINT = 200_000
_LOOKS = 3e7
_BLOCK = 4096
_CODES = 16
_NOTHING = _CODES - 1
_TRIES = 100_000_000


@dataclass(frozen=True)
class CategoryShare:
    """How often a category is the final one: `share` of the deals, and `count` of them (weighted, with weights)."""

    share: float
    count: float


@dataclass(frozen=True)
class PlayerCategories:
    """A player's categories by half of the pot, best first; one that cannot be reached has the share 0."""

    hand: str
    halves: dict[str, dict[str, CategoryShare]]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "hand": self.hand,
            "halves": {
                half: {name: {"share": found.share, "count": found.count} for name, found in table.items()}
                for half, table in self.halves.items()
            },
        }


@dataclass(frozen=True)
class Categories:
    """The answer: `method` is exact or monte-carlo, `deals` how many deals were counted or made."""

    game: str
    method: str
    board: tuple[str, ...]
    dead: tuple[str, ...]
    deals: int
    seed: int | None
    seconds: float
    players: tuple[PlayerCategories, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "schema": 1,
            "game": self.game,
            "method": self.method,
            "board": list(self.board),
            "dead": list(self.dead),
            "deals": self.deals,
            "seed": self.seed,
            "seconds": self.seconds,
            "players": [p.to_dict() for p in self.players],
        }


# -- counted ----------------------------------------------------------------------------------------------------------


@kernel
def _count(  # type: ignore[no-untyped-def]
    holes, masks, weight, base, live, at, boards, selection, has_low, key, offset, value, flush, row, pair, best,
    suited_row, suited, low_five, low_split, high_code, low_code, out,
):  # fmt: skip
    # Over `boards` completions of the board from the choice `at` of `live` cards on (indices, ascending; moved on):
    # out[p, half, category] += the weight of the joint holdings that the board leaves possible.
    joint = holes.shape[0]
    players = holes.shape[1]
    size = at.shape[0]
    n = live.shape[0]
    for _ in range(boards):
        board_sum = START
        board_mask = np.uint64(0)
        board_low = 0
        for j in range(base.shape[0]):
            board_sum += key[base[j]]
            board_mask |= card_mask(base[j])
            board_low |= low_ranks(base[j])
        for j in range(size):
            card = live[at[j]]
            board_sum += key[card]
            board_mask |= card_mask(card)
            board_low |= low_ranks(card)
        for m in range(joint):
            if masks[m] & board_mask:
                continue
            w = weight[m]
            for p in range(players):
                v = high_of(
                    selection, holes[m], p, board_sum, board_mask, key, offset, value, flush, row, pair, best,
                    suited_row, suited,
                )  # fmt: skip
                out[p, 0, high_code[v]] += w
                if has_low:
                    out[p, 1, low_code[low_of(selection, holes[m], p, board_low, low_five, low_split)]] += w
        j = size - 1
        while j >= 0 and at[j] == n - size + j:
            j -= 1
        if j < 0:
            return
        at[j] += 1
        for k in range(j + 1, size):
            at[k] = at[k - 1] + 1


def _codes(variant: Variant) -> list[NDArray[np.uint8]]:
    # For each half the category of each strength, no hand as the last code.
    found = []
    for half in variant.halves[:2]:
        codes = find_ranking(half.ranking).category_codes.copy()
        codes[codes == 255] = _NOTHING
        found.append(codes)
    return found if len(found) == 2 else [*found, found[0]]


def _combination(rank: int, n: int, size: int) -> NDArray[np.int64]:
    # The indices of choice number `rank` of `size` out of n, in lexicographic order.
    found = []
    low = 0
    for left in range(size, 0, -1):
        while (block := math.comb(n - low - 1, left - 1)) <= rank:
            rank -= block
            low += 1
        found.append(low)
        low += 1
    return np.array(found, np.int64)


def _seconds(joint: int, boards: int, players: int, tables: Evaluators) -> float:
    each = 6e-9 if tables.selection != TWO_PLUS_THREE else 4e-8
    return boards * joint * players * each * (2 if tables.has_low else 1)


def _joint(question: Spot) -> Joint | None:
    try:
        found = gather(
            [r.combos for r in question.ranges],
            [r.weights if len(r) > 1 else np.ones(1) for r in question.ranges],
            (tuple(sorted(question.board)), tuple(sorted(question.dead))),
            _MOST_JOINT,
            _LOOKS,
        )
    except TooManyError:
        return None
    if not len(found.holes):
        raise PotshareError("no deal is possible: in every choice of hands two players would hold the same card")
    return found


def _counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.float64], int] | None:
    variant = question.variant
    if any(r.is_random and len(r) > _MOST_JOINT for r in question.ranges):
        return None
    joint = _joint(question)
    if joint is None:
        return None
    tables = evaluators(variant)
    live = [c for c in question.live if len(joint.holes) > 1 or c not in joint.holes[0]]
    to_come = variant.board_cards - len(question.board)
    boards = math.comb(len(live), to_come)
    if _seconds(len(joint.holes), boards, question.players, tables) > budget * threads:
        return None
    cards = np.array(live, np.uint8)
    masks = combo_masks(joint.holes.reshape(len(joint.holes), -1))
    holes = np.ascontiguousarray(joint.holes)
    codes = _codes(variant)
    step = max(1, int(0.1 / _seconds(len(holes), 1, question.players, tables)))

    def do(first: int) -> NDArray[np.float64]:
        out = np.zeros((question.players, 2, _CODES))
        _count(
            holes, masks, joint.weight, question.board_array, cards, _combination(first, len(cards), to_come),
            min(step, boards - first), *tables, *codes, out,
        )  # fmt: skip
        return out

    found = sum(in_order(do, range(0, boards, step), threads), np.zeros((question.players, 2, _CODES)))
    held = question.players * variant.hole_cards
    return found, int(joint.number.sum()) * math.comb(len(question.live) - held, to_come)


# -- sampled ----------------------------------------------------------------------------------------------------------


@kernel
def _sample(  # type: ignore[no-untyped-def]
    seed, first, blocks, deals, taken, board, free, live, members, member_starts, row_starts, cards, masks, keep, other,
    selection, has_low, key, offset, value, flush, row, pair, best, suited_row, suited, low_five, low_split, high_code,
    low_code, holes, rows, state, out,
):  # fmt: skip
    # Deals blocks of a flop game as `sampling.flop` does, and counts categories. Returns -1 when no choice of hands
    # turned up.
    players = holes.shape[0]
    hole_cards = holes.shape[1]
    groups = row_starts.shape[0] - 1
    to_come = 5 - board.shape[0]
    for block in range(first, first + blocks):
        seed_block(state, seed, block)
        for _ in range(min(4096, deals - block * 4096)):
            used = draw_joint(state, taken, row_starts, masks, keep, other, rows, _TRIES)
            if groups and not used:
                return -1
            for g in range(groups):
                column = 0
                for i in range(member_starts[g], member_starts[g + 1]):
                    for c in range(hole_cards):
                        holes[members[i], c] = cards[rows[g], column]
                        column += 1
            if not groups:
                used = taken
            board_sum = START
            board_mask = np.uint64(0)
            board_low = 0
            for j in range(board.shape[0]):
                board_sum += key[board[j]]
                board_mask |= card_mask(board[j])
                board_low |= low_ranks(board[j])
            for i in range(free.shape[0] * hole_cards + to_come):
                while True:
                    card = live[below(state, live.shape[0])]
                    bit = card_mask(card)
                    if not used & bit:
                        break
                used |= bit
                if i < to_come:
                    board_sum += key[card]
                    board_mask |= bit
                    board_low |= low_ranks(card)
                else:
                    i -= to_come
                    holes[free[i // hole_cards], i % hole_cards] = card
            for p in range(players):
                v = high_of(
                    selection, holes, p, board_sum, board_mask, key, offset, value, flush, row, pair, best, suited_row,
                    suited,
                )  # fmt: skip
                out[p, 0, high_code[v]] += 1.0
                if has_low:
                    out[p, 1, low_code[low_of(selection, holes, p, board_low, low_five, low_split)]] += 1.0
    return 0


def _sampled(question: Spot, deals: int, seed: int, threads: int) -> NDArray[np.float64]:
    variant = question.variant
    free = [i for i, r in enumerate(question.ranges) if r.is_random]
    held = [i for i in range(question.players) if i not in free]
    fixed = (tuple(sorted(question.board)), tuple(sorted(question.dead)))
    ranges = [question.ranges[i] for i in held]
    choices = prepare(held, [r.combos for r in ranges], [r.weights for r in ranges], fixed, seed)
    gone = sum(1 << (16 * (c & 3) + (c >> 2)) for c in (*question.board, *question.dead))
    tables, codes = evaluators(variant), _codes(variant)

    def do(first: int) -> NDArray[np.float64]:
        out = np.zeros((question.players, 2, _CODES))
        code = _sample(
            np.uint64(seed), first, 8, deals, np.uint64(gone), question.board_array, np.array(free, np.int64),
            np.array(question.live, np.uint8), choices.members, choices.member_starts, choices.row_starts,
            choices.cards, choices.masks, choices.keep, choices.other, *tables, *codes,
            np.zeros((question.players, variant.hole_cards), np.uint8), np.zeros(question.players, np.int64),
            np.zeros(4, np.uint64), out,
        )  # fmt: skip
        if code < 0:
            raise PotshareError("no deal turned up in which the players' hands do not collide; narrow the ranges")
        return out

    blocks = range(0, -(-deals // _BLOCK), 8)
    return sum(in_order(do, blocks, threads), np.zeros((question.players, 2, _CODES)))


def _dealt(question: Spot, policy: str, deals: int, seed: int) -> NDArray[np.float64]:
    # Every other game without a board: hands as they stand at the showdown, evaluated in bulk.
    from potshare.simulate.sampling import general

    variant = question.variant
    dealer = general.Dealer(question, policy, seed)
    random = np.random.default_rng(seed)
    out = np.zeros((question.players, 2, _CODES))
    down = general.down_mask(variant)
    for start in range(0, deals, 1 << 16):
        number = min(1 << 16, deals - start)
        orders = random.permuted(np.tile(dealer.deck, (number, 1)), axis=1)
        priorities = random.permuted(np.tile(np.array(variant.deck, np.uint8), (number, 1)), axis=1)
        hands = dealer.deal_orders(orders, priorities).hands
        for h, half in enumerate(variant.halves[:2]):
            for p in range(question.players):
                out[p, h] += _tallied(hands[:, p], half.selection == "down cards", down, find_ranking(half.ranking))
    return out


def _tallied(hands: NDArray[np.uint8], hidden: bool, down: int, ranking: Ranking) -> NDArray[np.float64]:
    if hidden:
        hands = hands[:, [c for c in range(hands.shape[1]) if down >> c & 1]]
    found = np.zeros(_CODES)
    size = (hands != 255).sum(axis=1)
    for cards in np.unique(size).tolist():
        # Cards stand first in a row.
        rows = np.ascontiguousarray(hands[size == cards][:, :cards])
        codes = category_codes(strengths(rows, ranking), for_size(ranking, cards))
        found += np.bincount(np.where(codes == 255, _NOTHING, codes), minlength=_CODES)
    return found


# -- the front door ---------------------------------------------------------------------------------------------------


def _halves(variant: Variant, counts: NDArray[np.float64], whole: bool) -> dict[str, dict[str, CategoryShare]]:
    found = {}
    for half, row in zip(variant.halves[:2], counts.tolist(), strict=False):
        ranking = find_ranking(half.ranking)
        total = sum(row)
        named = [*reversed(list(zip(ranking.categories, row, strict=False)))]
        if row[_NOTHING]:
            named.append((ranking.nothing, row[_NOTHING]))
        found[half.name] = {name: CategoryShare(n / total, int(n) if whole else n) for name, n in named}
    return found


def _texts(question: Spot) -> Iterator[str]:
    for live in question.ranges:
        yield live.text


def _check(question: Spot) -> None:
    variant = question.variant
    if variant.board_cards and not variant.is_flop_game:
        raise PotshareError(f"categories of {variant.name} are known once every discard is written (KEPT/DISCARDED)")
    if variant.showdown != SHOWDOWNS[0]:
        raise PotshareError(f"in {variant.name} cards are turned up one by one; hands have no final category")


def categories(
    hands: Sequence[Hand],
    game: str | Variant = "holdem",
    *,
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    deals: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    policy: str | None = None,
    draws: int | None = None,
) -> Categories:
    """How often each player ends with each category of hand, whoever wins. One hand alone will do.

    Arguments as for `equity`; sampled answers are of `deals` deals, a million unless said otherwise. Raises
    `PotshareError` for a question that cannot be answered as asked.
    """
    started = clock.perf_counter()
    question = spot(hands, game, board, dead, draws, fewest=1)
    workers = thread_count(threads)
    _check(question)
    found = None
    if method != "monte-carlo" and question.variant.is_flop_game:
        found = _counted(question, workers, AUTO_SECONDS if method == "auto" else 3600.0)
    if found is None and method == "exact":
        raise PotshareError("these categories cannot be counted in time; sample them with --method monte-carlo")
    if found is not None:
        counts, number = found
        seed = None
    else:
        number = deals or SAMPLE
        seed = int.from_bytes(np.random.default_rng().bytes(6), "little") if seed is None else seed
        if question.variant.is_flop_game:
            counts = _sampled(question, number, seed, workers)
        else:
            number = deals or SAMPLE // 4
            counts = _dealt(question, policy or "standard", number, seed)
    whole = bool(np.all(counts == np.rint(counts)))
    return Categories(
        game=question.variant.name,
        method="monte-carlo" if found is None else "exact",
        board=tuple(card_name(c) for c in question.board),
        dead=tuple(card_name(c) for c in question.dead),
        deals=number,
        seed=seed,
        seconds=clock.perf_counter() - started,
        players=tuple(
            PlayerCategories(text, _halves(question.variant, counts[i], whole))
            for i, text in enumerate(_texts(question))
        ),
    )

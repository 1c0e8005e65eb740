"""How often each player ends with each category of hand, in every half of the pot, whoever wins.

Three ways to count. Flop games: every compatible choice of hands, up to suits, with every completion of the board,
one evaluation a player; two boards are two such questions, each with the cards of the other board dead. Cards dealt
or drawn to written hands: every set of cards that a player can get, since what the others get makes none of them
likelier. What neither can do, or not in time, is dealt at random by the engines that sample equities, players
discarding and drawing as they do there. One hand without opponents is a question too.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError, PotshareError
from potshare.evaluator.arrays import categories as category_codes
from potshare.evaluator.arrays import for_size, strengths
from potshare.evaluator.hand import START, card_mask
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.kernel import kernel
from potshare.simulate.equity import check_rules, new_seed
from potshare.simulate.evaluators import TWO_PLUS_THREE, Evaluators, evaluators, high_of, low_of, low_ranks
from potshare.simulate.exact.joint import Joint, TooManyError, combo_masks, gather
from potshare.simulate.sampling import general, lanes
from potshare.simulate.spot import Cards, Hand, Holding, Spot, spot
from potshare.simulate.variants import SELECTIONS, SHOWDOWNS, Variant
from potshare.simulate.views.picture import Picture, about, settle
from potshare.simulate.work import in_order, thread_count

AUTO_SECONDS = 3.0
"""Counted when that is expected to be done within this time."""

SAMPLE = 1 << 20
"""Deals that are sampled unless a stop rule is given."""

_SCALAR_SAMPLE = 1 << 18
_MOST_JOINT = 200_000
_LOOKS = 3e7
_CODES = 16
_NOTHING = _CODES - 1
_COMPLETIONS_A_SECOND = 4e6
_LEAST = 1 << 16

Progress = Callable[[float], None]


@dataclass(frozen=True)
class CategoryShare:
    """How often a category is the final one: `share` of the deals with its standard error (0 when counted), and
    `count` of them (weighted, with weights)."""

    share: float
    count: float
    stderr: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {"share": self.share, "count": self.count, "stderr": self.stderr}


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
                half: {name: found.to_dict() for name, found in table.items()} for half, table in self.halves.items()
            },
        }


@dataclass(frozen=True)
class Categories(Picture):
    """The answer. `deals` is how many deals were made, or counted for each player and half."""

    deals: int
    players: tuple[PlayerCategories, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {**self.head(), "deals": self.deals, "players": [p.to_dict() for p in self.players]}


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


def _codes(ranking: Ranking) -> NDArray[np.uint8]:
    # The category of each strength, no hand as the last code.
    return np.where(ranking.category_codes == 255, _NOTHING, ranking.category_codes).astype(np.uint8)


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
        raise NoDealError
    return found


def _boards_counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.float64], int] | None:
    # A flop game.
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
    codes = [_codes(find_ranking(half.ranking)) for half in (variant.halves[0], variant.halves[-1])]
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


def _each_board_counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.float64], int] | None:
    # Two boards: of the other one only the known cards matter.
    variant = question.variant
    if any(r.combos.shape[1] != variant.hole_cards for r in question.ranges if not r.is_random):
        return None
    sizes = {len(board) for board in question.boards}
    if len(variant.halves) != variant.boards or len(sizes) > 1:
        return None
    whole = np.zeros((question.players, 2, _CODES))
    number = 0
    for h, half in enumerate(variant.halves):
        part = replace(variant, boards=1, halves=(replace(half, board=1),))
        board = question.boards[half.board - 1]
        others = tuple(c for c in question.board if c not in board)
        if not part.is_flop_game:
            return None
        asked = replace(question, variant=part, board=board, dead=(*question.dead, *others), boards=(board,))
        found = _boards_counted(asked, threads, budget / variant.boards)
        if found is None:
            return None
        whole[:, h] = found[0][:, 0]
        number = found[1]
    return whole, number


def combinations_of(n: int, size: int) -> NDArray[np.uint8]:
    """(C(n, size), size) uint8: the choices of `size` of the numbers below n, in ascending order."""
    found = np.zeros((1, 0), np.uint8)
    for k in range(size):
        last = found[:, -1].astype(np.int64) if k else np.full(1, -1)
        ways = n - size + k - last
        rows = np.repeat(np.arange(len(found)), ways)
        place = np.arange(len(rows)) - np.repeat(np.cumsum(ways) - ways, ways)
        found = np.concatenate([found[rows], (last[rows] + 1 + place).astype(np.uint8)[:, None]], axis=1)
    return found


def _known(question: Spot) -> list[tuple[int, ...]] | None:
    # The cards that each player surely ends with, where all others are dealt or drawn from the deck.
    variant = question.variant
    drawn = variant.choices == ("draw",)
    if question.ranged or (variant.choices and not drawn):
        return None
    found: list[tuple[int, ...]] = []
    for held in question.ranges:
        decided = isinstance(held, Holding) and (held.waits or held.kept is not None)
        if drawn and not decided:
            return None
        cards = held.cards if isinstance(held, Holding) else ()
        found.append(cards[: held.kept] if isinstance(held, Holding) and held.kept is not None else cards)
    return found


def _completions_counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.float64], int] | None:
    variant = question.variant
    known = _known(question)
    if known is None or variant.boards > 1 or variant.showdown != SHOWDOWNS[0]:
        return None
    size = variant.hole_cards + variant.board_cards
    halves = [(h, find_ranking(half.ranking)) for h, half in enumerate(variant.halves)]
    if any(half.selection != SELECTIONS[0] for half in variant.halves) or any(size > r.most for _, r in halves):
        return None
    live = np.array([c for c in question.live if c not in question.fixed_cards], np.uint8)
    missing = {size - len(cards) - len(question.board) for cards in known}
    to_come = max(missing)
    # Who draws from a deck that runs out gets what others have thrown away.
    stub = len(live) - question.phantoms
    if len(missing) > 1 or (variant.choices and to_come * question.players > stub):
        return None
    number = math.comb(len(live), to_come)
    if question.players * number > _COMPLETIONS_A_SECOND * min(budget, AUTO_SECONDS):
        return None
    dealt = live[combinations_of(len(live), to_come)]
    found = np.zeros((question.players, 2, _CODES))
    for p, cards in enumerate(known):
        fixed = np.tile(np.array([*cards, *question.board], np.uint8), (number, 1))
        rows = np.concatenate([fixed, dealt], axis=1)
        for h, ranking in halves:
            found[p, h] = _tallied(strengths(rows, ranking, threads=threads), for_size(ranking, size))
    return found, number


def _tallied(values: NDArray[Any], ranking: Ranking) -> NDArray[np.float64]:
    codes = category_codes(values, ranking)
    return np.bincount(np.where(codes == 255, _NOTHING, codes), minlength=_CODES).astype(np.float64)


def _counted(question: Spot, threads: int, budget: float) -> tuple[NDArray[np.float64], int] | None:
    # What each player ends with, and of how many deals; None where sampling is the way.
    if question.variant.is_flop_game:
        return _boards_counted(question, threads, budget)
    if question.variant.boards > 1:
        return _each_board_counted(question, threads, budget)
    return _completions_counted(question, threads, budget)


# -- sampled ----------------------------------------------------------------------------------------------------------


class _Lanes:
    # Categories of what `sampling.lanes` deals.

    def __init__(self, question: Spot, dealer: lanes.Dealer) -> None:
        self.dealer, self.sample = dealer, SAMPLE
        self.rankings = [find_ranking(half.ranking) for half in question.variant.halves]
        self._players = question.players
        self._own = question.variant.hole_cards - int(question.community)
        self._selection = question.variant.halves[0].selection

    def counts(self, block: int, deals: int) -> NDArray[np.float64]:
        cards, _ = self.dealer.dealt(block, deals)
        hands, board = np.split(cards, [self._players * self._own], axis=1)
        found = np.zeros((self._players, 2, _CODES))
        for p in range(self._players):
            own = np.ascontiguousarray(hands[:, p * self._own : (p + 1) * self._own])
            on = np.ascontiguousarray(board) if board.shape[1] else None
            for h, ranking in enumerate(self.rankings):
                found[p, h] = _tallied(strengths(own, ranking, on, selection=self._selection), ranking)
        return found


class _Scalar:
    # Categories of what `sampling.general` deals.

    def __init__(self, question: Spot, dealer: general.Dealer) -> None:
        self.dealer, self.sample = dealer, _SCALAR_SAMPLE
        self.rankings = [general.half_ranking(question.variant, h) for h in range(len(question.variant.halves))]
        self._players = question.players

    def counts(self, block: int, deals: int) -> NDArray[np.float64]:
        worth = self.dealer.dealt(block, deals).worth
        found = np.zeros((self._players, 2, _CODES))
        for p in range(self._players):
            for h, ranking in enumerate(self.rankings):
                found[p, h] = _tallied(worth[:, h, p], ranking)
        return found


def _sampled(
    question: Spot, policy: str, deals: int | None, stderr: float | None, seconds: float | None, seed: int,
    threads: int, progress: Progress | None,
) -> tuple[NDArray[np.float64], int]:  # fmt: skip
    quick = lanes.dealer(question, seed)
    engine = _Lanes(question, quick) if quick is not None else _Scalar(question, general.Dealer(question, policy, seed))
    if deals is None and stderr is None and seconds is None:
        deals = engine.sample
    most = deals or 1 << 62
    block = engine.dealer.block

    def do(number: int) -> NDArray[np.float64]:
        return engine.counts(number, min(block, most - number * block))

    found = np.zeros((question.players, 2, _CODES))
    made = 0
    # Compiling is not part of the time to sample.
    engine.counts(0, 1)
    started = clock.perf_counter()
    results = in_order(do, range(-(-most // block)), threads)
    try:
        for part in results:
            found += part
            made = min(most, made + block)
            spent = clock.perf_counter() - started
            error = _error(found, made)
            if (stderr is not None and made >= _LEAST and error <= stderr) or (seconds is not None and spent > seconds):
                break
            if progress:
                done = [made / most, (stderr / error) ** 2 if stderr else 0.0, spent / seconds if seconds else 0.0]
                progress(min(1.0, max(done)))
    finally:
        results.close()  # type: ignore[attr-defined]
    return found, made


def _share_error(count: float, deals: int) -> float:
    # The added 1 keeps the error honest when every deal, or none, was of the category.
    share = count / deals
    return math.sqrt(share * (1 - share) * deals + 1.0) / deals


def _error(counts: NDArray[np.float64], deals: int) -> float:
    # The greatest standard error of a share: that of the one nearest to a half.
    nearest = counts.flat[np.argmin(np.abs(counts - deals / 2))]
    return _share_error(float(nearest), deals)


# -- the front door ---------------------------------------------------------------------------------------------------


def _halves(
    variant: Variant, counts: NDArray[np.float64], whole: bool, deals: int | None
) -> dict[str, dict[str, CategoryShare]]:
    # `deals` where they were sampled.
    found = {}
    for h, (half, row) in enumerate(zip(variant.halves, counts.tolist(), strict=False)):
        ranking = general.half_ranking(variant, h)
        total = sum(row)
        named = [*reversed(list(zip(ranking.categories, row, strict=False)))]
        if row[_NOTHING]:
            named.append((ranking.nothing, row[_NOTHING]))
        found[half.name] = {
            name: CategoryShare(n / total, int(n) if whole else n, _share_error(n, deals) if deals else 0.0)
            for name, n in named
        }
    return found


def categories(
    hands: Sequence[Hand],
    game: str | Variant = "holdem",
    *,
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    stderr: float | None = None,
    deals: int | None = None,
    time: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    policy: str | None = None,
    draws: int | None = None,
    progress: Progress | None = None,
) -> Categories:
    """How often each player ends with each category of hand, whoever wins. One hand alone will do.

    In a game where cards are turned up until they beat the leader's, a player's hand is what he has turned up.
    Arguments as for `equity`. Without a stop rule a million deals are sampled, a quarter of that where they are
    not made in vectors. Raises `PotshareError` for a question that cannot be answered as asked.
    """
    started = clock.perf_counter()
    check_rules(method, stderr, deals, time, seed)
    question = spot(hands, game, board, dead, draws, fewest=1)
    workers = thread_count(threads)
    seed = new_seed() if seed is None else seed
    asked, rules, words = settle(question, policy, seed, workers)
    found = None
    if method != "monte-carlo":
        if asked.variant.choices:
            from potshare.simulate.drawing.search import settle_rules

            asked = settle_rules(asked, rules)
        found = _counted(asked, workers, AUTO_SECONDS if method == "auto" else 3600.0)
        if found is not None and asked.variant.choices and words == rules:
            words = "given" if asked is question and rules != "pat" else words
    if found is None and method == "exact":
        raise PotshareError("these categories cannot be counted in time; sample them with --method monte-carlo")
    counts, number = found or _sampled(asked, rules, deals, stderr, time, seed, workers, progress)
    sampled = number if found is None else None
    whole = bool(np.all(counts == np.rint(counts)))
    return Categories(
        **about(
            question, started, counted=found is not None, seed=seed, policy=words,
            stderr=_error(counts[:, : len(asked.variant.halves)], number),
        ),
        deals=number,
        players=tuple(
            PlayerCategories(live.text, _halves(asked.variant, counts[i], whole, sampled))
            for i, live in enumerate(asked.ranges)
        ),
    )  # fmt: skip

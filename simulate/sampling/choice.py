"""Joint choices of hands: how players' ranges are turned into tables that a dealing kernel can draw from.

A joint choice must come up in proportion to the product of its weights over all compatible choices. Drawing
every player's hand by itself and starting over with all of them when two collide does exactly that. (Drawing
again only the hand that collided does not.) Players who may hold anything need no table: given the others'
cards every holding of theirs is equally likely, so they are dealt from the rest of the deck.

When nearly every draw collides (several players on the same few hands) the compatible choices are listed
once, up to suits, and drawn as wholes. Both are one mechanism: groups of players, each with a table of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError, PotshareError
from potshare.kernel import kernel, leaf
from potshare.simulate.exact.joint import TooManyError, combo_masks, gather
from potshare.simulate.sampling.random import fraction, seed_block

LOW_ACCEPTANCE = 0.02
"""Below this share of accepted draws the compatible choices are listed instead, when there are few enough."""

HOPELESS = 1e-6
_LISTED = 2_000_000
_LOOKS = 5e7
_PILOT = 200_000
TRIES = 100_000_000
"""Joint draws that may collide one after another before a dealer gives up."""

TOO_RARE = "no deal turned up in which the players' hands do not collide; narrow the ranges"


@dataclass(frozen=True)
class Choices:
    """Tables of hands to draw from.

    Group g covers the players `members[member_starts[g] : member_starts[g + 1]]` and has the rows
    `row_starts[g]` to `row_starts[g + 1]` of the other arrays: `cards` (rows, most cards of a row) uint8,
    `masks` (rows,) uint64, and an alias table `keep` float64 and `other` int64. `acceptance` is the share of
    joint draws in which no two groups collide.
    """

    members: NDArray[np.int64]
    member_starts: NDArray[np.int64]
    row_starts: NDArray[np.int64]
    cards: NDArray[np.uint8]
    masks: NDArray[np.uint64]
    keep: NDArray[np.float64]
    other: NDArray[np.int64]
    acceptance: float


@kernel
def _pair_off(keep, other, small, large):  # type: ignore[no-untyped-def]
    # Rows below their share (1) are filled up by rows above it; `small` and `large` (n,) are scratch for their numbers.
    few = 0
    many = 0
    for i in range(keep.shape[0]):
        if keep[i] < 1.0:
            small[few] = i
            few += 1
        else:
            large[many] = i
            many += 1
    while few and many:
        few -= 1
        i = small[few]
        j = large[many - 1]
        other[i] = j
        keep[j] -= 1.0 - keep[i]
        if keep[j] < 1.0:
            many -= 1
            small[few] = j
            few += 1
    # What is left over differs from 1 by rounding only.
    for k in range(few):
        keep[small[k]] = 1.0
    for k in range(many):
        keep[large[k]] = 1.0


def alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Walker's alias table, built as Vose does (IEEE TSE 17 (9), 1991).

    A draw takes a row i at random and keeps it with probability `keep[i]`, else takes `other[i]`.
    """
    n = len(weights)
    other = np.arange(n, dtype=np.int64)
    if weights.min() == weights.max():
        return np.ones(n), other
    keep = np.asarray(weights, np.float64) * (n / float(np.sum(weights)))
    _pair_off(keep, other, np.zeros(n, np.int64), np.zeros(n, np.int64))
    return keep, other


@leaf
def draw_row(state, g, row_starts, keep, other):  # type: ignore[no-untyped-def]
    """A row of group g, in proportion to its weight."""
    first = row_starts[g]
    n = row_starts[g + 1] - first
    if n == 1:
        return first
    x = fraction(state) * n
    i = np.int64(x)
    # The fraction within the row decides between the row and its alias: no second random number.
    return first + (i if x - i < keep[first + i] else other[first + i])


@leaf
def draw_joint(state, taken, row_starts, masks, keep, other, rows, most):  # type: ignore[no-untyped-def]
    """Draws a compatible row for every group into `rows`; returns the mask of all cards, or 0 after `most` tries."""
    groups = row_starts.shape[0] - 1
    for _ in range(most):
        used = taken
        clash = False
        for g in range(groups):
            row = draw_row(state, g, row_starts, keep, other)
            if masks[row] & used:
                clash = True
                break
            used |= masks[row]
            rows[g] = row
        if not clash:
            return used
    return np.uint64(0)


@kernel
def _pilot(seed, tries, taken, row_starts, masks, keep, other, rows, state):  # type: ignore[no-untyped-def]
    seed_block(state, seed, 0)
    accepted = 0
    for _ in range(tries):
        if draw_joint(state, taken, row_starts, masks, keep, other, rows, 1):
            accepted += 1
    return accepted


@kernel
def _draw_all(seed, row_starts, masks, keep, other, most, rows, state, out):  # type: ignore[no-untyped-def]
    # Fills `out` with the cards of joint draws; False when none turned up in `most` tries.
    seed_block(state, seed, 0)
    for i in range(out.shape[0]):
        out[i] = draw_joint(state, np.uint64(0), row_starts, masks, keep, other, rows, most)
        if not out[i]:
            return False
    return True


def joint_masks(choices: Choices, number: int, seed: int) -> NDArray[np.uint64]:
    """(number,) uint64: the cards of joint draws, as masks (see `exact.joint.combo_masks`).

    Raises `NoDealError` when hands that do not collide are too rare.
    """
    out = np.zeros(number, np.uint64)
    tables = (choices.row_starts, choices.masks, choices.keep, choices.other)
    groups = len(choices.row_starts) - 1
    if not _draw_all(seed, *tables, TRIES, np.zeros(groups, np.int64), np.zeros(4, np.uint64), out):
        raise NoDealError(TOO_RARE)
    return out


def _assemble(
    groups: Sequence[tuple[Sequence[int], NDArray[np.uint8], NDArray[np.float64]]], acceptance: float
) -> Choices:
    # Filled in place: a range of twenty million hands is not held twice.
    width = max((cards.shape[1] for _, cards, _ in groups), default=1)
    starts = np.cumsum([0] + [len(cards) for _, cards, _ in groups]).astype(np.int64)
    total = int(starts[-1])
    made = Choices(
        members=np.array([p for members, _, _ in groups for p in members], np.int64),
        member_starts=np.cumsum([0] + [len(members) for members, _, _ in groups]).astype(np.int64),
        row_starts=starts,
        cards=np.full((total, width), 255, np.uint8),
        masks=np.zeros(total, np.uint64),
        keep=np.zeros(total),
        other=np.zeros(total, np.int64),
        acceptance=acceptance,
    )
    for first, last, (_, cards, weights) in zip(starts, starts[1:], groups, strict=False):
        made.cards[first:last, : cards.shape[1]] = cards
        made.masks[first:last] = combo_masks(cards)
        made.keep[first:last], made.other[first:last] = alias_table(weights)
    return made


def prepare(
    players: Sequence[int],
    combos: Sequence[NDArray[np.uint8]],
    weights: Sequence[NDArray[np.float64]],
    fixed: tuple[tuple[int, ...], ...],
    seed: int,
) -> Choices:
    """The tables for `players` with the given live hands, `fixed` being the board and the dead cards.

    Raises `PotshareError` when no joint choice is compatible, or so few that they could be neither listed nor met.
    """
    single = [((p,), c, w) for p, c, w in zip(players, combos, weights, strict=True)]
    choices = _assemble(single, 1.0)
    if len(single) < 2:
        return choices
    state = np.zeros(4, np.uint64)
    rows = np.zeros(len(single), np.int64)
    tables = (choices.row_starts, choices.masks, choices.keep, choices.other)
    accepted = _pilot(seed, _PILOT, np.uint64(0), *tables, rows, state)
    acceptance = accepted / _PILOT
    choices = replace(choices, acceptance=acceptance)
    if acceptance >= LOW_ACCEPTANCE:
        return choices
    try:
        joint = gather(list(combos), list(weights), fixed, _LISTED, _LOOKS)
    except TooManyError:
        if acceptance < HOPELESS:
            raise PotshareError(
                "the ranges collide in nearly every deal, and there are too many joint holdings to list; "
                "narrow the ranges or leave out a player"
            ) from None
        return choices
    if not len(joint.holes):
        raise NoDealError
    together = joint.holes.reshape(len(joint.holes), -1)
    return _assemble([(tuple(players), together, joint.weight)], 1.0)

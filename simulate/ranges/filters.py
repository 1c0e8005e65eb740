"""Compiled filters: the weight of one hand, and the enumeration of all hands of a range.

`hand_weight` is a leaf for samplers: it runs a `program.Program` on the cards of one hand. `collect` walks over all
hands in order and keeps those with a weight, in slices, so that the caller can stop it.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import kernel, leaf
from potshare.simulate.ranges.program import (
    ANY,
    CARDS,
    HEADER,
    LINE_SIZE,
    LINES,
    LISTED,
    LISTED_AT,
    LISTED_WEIGHTS_AT,
    MAX,
    NEEDS_PROPERTIES,
    PROFILE_SHIFT,
    SCALE,
    SHAPE_SIZE,
    SHAPES,
    SHAPES_AT,
    SHARE,
    SHARES_AT,
    SKIP,
    SLOT_SIZE,
    SLOTS_AT,
    TIMES,
)

_TOPS = 0x888888888888


@leaf
def hand_properties(cards, n):  # type: ignore[no-untyped-def]
    """The bits of `tree.DOUBLE_SUITED` and its like that hold for `n` cards, and the hand's profile above them.

    Jokers have no rank and no suit.
    """
    suits = 0  # four bits a suit
    ranks = 0  # three bits a rank: up to four of each
    mask = 0
    known = 0
    for i in range(n):
        card = cards[i]
        if card < 52:
            suits += 1 << (4 * (card & 3))
            ranks += 1 << (3 * (card >> 2))
            mask |= 1 << (card >> 2)
            known += 1
    twice = 0
    most = 0
    profile = 0
    for suit in range(4):
        held = suits >> (4 * suit) & 15
        most = max(most, held)
        if held >= 2:
            twice += 1
    place = PROFILE_SHIFT
    for size in range(most, 0, -1):
        for suit in range(4):
            if suits >> (4 * suit) & 15 == size:
                profile |= size << place
                place += 4
    pairs = 0
    trips = 0
    quads = 0
    distinct = 0
    lowest = -1
    highest = -1
    for rank in range(13):
        held = ranks >> (3 * rank) & 7
        if held >= 1:
            distinct += 1
            highest = rank
            if lowest < 0:
                lowest = rank
        if held == 2:
            pairs += 1
        if held >= 3:
            trips += 1
            if held == 4:
                quads += 1
    place = PROFILE_SHIFT + 16
    for i in range(distinct):
        size = 4 if i < quads else 3 if i < trips else 2 if i < trips + pairs else 1
        profile |= size << place
        place += 4
    found = profile
    if twice == 2:
        found |= 1
    if twice == 1 and most == 2:
        found |= 2
    if twice == 0:
        found |= 4
    if distinct == known:
        found |= 8
    if trips == 0:
        found |= 64
        if pairs == 1:
            found |= 16
        if pairs == 2:
            found |= 32
    if distinct == n:
        missing = highest - lowest + 1 - n
        if missing <= 2:
            found |= 128 << missing
    return found


@leaf
def _fits(cards, first, last, plan, masks, choice):  # type: ignore[no-untyped-def]
    # Backtracking over the slots first..last: choice[d] is the position that slot first + d takes.
    slots_at = plan[SLOTS_AT]
    depth = 0
    used = 0
    choice[0] = plan[slots_at + SLOT_SIZE * first] - 1
    while depth >= 0:
        slot = first + depth
        record = slots_at + SLOT_SIZE * slot
        at = choice[depth]
        if at >= plan[record]:
            used &= ~(1 << at)
        at += 1
        end = plan[record + 1]
        ranks = plan[record + 2]
        suits = plan[record + 3]
        placed = False
        while at < end:
            if used >> at & 1 == 0 and (masks[slot] >> np.uint64(cards[at])) & np.uint64(1) == 1:
                fine = True
                for d in range(depth):
                    other = choice[d]
                    tie = ranks >> (2 * d) & 3
                    if tie != 0 and ((cards[at] >> 2) == (cards[other] >> 2)) != (tie == 1):
                        fine = False
                        break
                    tie = suits >> (2 * d) & 3
                    if tie != 0 and ((cards[at] & 3) == (cards[other] & 3)) != (tie == 1):
                        fine = False
                        break
                if fine:
                    placed = True
                    break
            at += 1
        if not placed:
            depth -= 1
            continue
        choice[depth] = at
        used |= 1 << at
        if slot == last - 1:
            return True
        depth += 1
        choice[depth] = plan[record + SLOT_SIZE] - 1
    return False


@leaf
def _combination(cards, n):  # type: ignore[no-untyped-def]
    # The number of a hand in descending order among all hands: sum of C(card, cards left).
    total = 0
    for i in range(n):
        k = n - i
        term = 1
        for j in range(k):
            term = term * (cards[i] - j) // (j + 1)
        total += term
    return total


@leaf
def hand_weight(cards, held, plan, numbers, masks, choice, stack):  # type: ignore[no-untyped-def]
    """The weight of one hand, 0.0 where the range does not hold it.

    `cards` int64, in dealing order (groups without order in any order, descending where the text has percentages);
    `held` uint64, their mask; `plan`, `numbers`, `masks` of a `Program`; `choice`, `stack` of a `Scratch`.
    """
    # Three arrays and no tuple: unpacking a tuple of arrays in here costs more than most ranges do.
    n = plan[CARDS]
    properties = 0
    if plan[NEEDS_PROPERTIES] != 0:
        properties = hand_properties(cards, n)
    top = -1
    line = 0
    while line < plan[LINES]:
        at = HEADER + LINE_SIZE * line
        line += 1
        what = plan[at]
        begin = plan[at + 1]
        end = plan[at + 2]
        if what == SHAPES:
            value = 0.0
            for shape in range(begin, end):
                record = plan[SHAPES_AT] + SHAPE_SIZE * shape
                first = plan[record]
                last = plan[record + 1]
                needs = plan[record + 2]
                if needs & properties != needs:
                    continue
                profile = plan[record + 3]
                if profile != 0:
                    # Every field of the hand's profile must reach the shape's: no field then borrows its top bit.
                    if (((properties >> PROFILE_SHIFT) | _TOPS) - profile) & _TOPS != _TOPS:
                        continue
                    if plan[record + 4] != 0:
                        value = 1.0
                        break
                possible = True
                for slot in range(first, last):
                    if masks[slot] & held == 0:
                        possible = False
                        break
                if possible and (first == last or _fits(cards, first, last, plan, masks, choice)):
                    value = 1.0
                    break
            top += 1
            stack[top] = value
        elif what == LISTED:
            listed = plan[LISTED_AT]
            stop = end
            while begin < end:
                middle = (begin + end) // 2
                if masks[listed + middle] < held:
                    begin = middle + 1
                else:
                    end = middle
            top += 1
            stack[top] = 0.0
            if begin < stop and masks[listed + begin] == held:
                stack[top] = numbers[plan[LISTED_WEIGHTS_AT] + begin]
        elif what == SKIP:
            if stack[top] == 0.0:
                line = begin
        elif what == ANY:
            top += 1
            stack[top] = 1.0
        elif what == SHARE:
            place = numbers[plan[SHARES_AT] + _combination(cards, n)]
            top += 1
            stack[top] = 0.0
            if place > numbers[begin] and place <= numbers[begin + 1]:
                stack[top] = 1.0
        elif what == SCALE:
            stack[top] *= numbers[begin]
        elif what == MAX:
            top -= 1
            stack[top] = max(stack[top], stack[top + 1])
        elif what == TIMES:
            top -= 1
            stack[top] *= stack[top + 1]
        else:
            top -= 1
            if stack[top + 1] > 0.0:
                stack[top] = 0.0
    return stack[0]


@kernel
def weigh(cards, plan, numbers, masks, choice, stack):  # type: ignore[no-untyped-def]
    """The weight of one hand; `cards` (n,) int64."""
    held = masks[-2]
    for i in range(plan[CARDS]):
        held |= masks[-1] << np.uint64(cards[i])
    return hand_weight(cards, held, plan, numbers, masks, choice, stack)


@kernel
def collect(  # type: ignore[no-untyped-def]
    cards, prefix, state, fresh, allowed, plan, numbers, masks, choice, stack, tests, out, weights
):
    """Continues the walk over all hands; returns how many it wrote to `out` and `weights`.

    `cards` (8,) int64 and `prefix` (9,) uint64 (masks of the cards before each position) hold the walk between calls,
    `state` (1,) int64 its depth, -1 at the end. `fresh` (8,) int64 marks positions that begin a group, `allowed` (8,)
    uint64 the cards a position may take. It returns when `out` (m, n) uint8 is full or after about `tests` hands.
    """
    n = plan[CARDS]
    room = out.shape[0]
    found = 0
    tested = 0
    depth = state[0]
    while depth >= 0:
        card = cards[depth] + 1
        limit = 54
        if fresh[depth] == 0:
            limit = cards[depth - 1]
        while card < limit and (allowed[depth] & ~prefix[depth]) >> np.uint64(card) & np.uint64(1) == 0:
            card += 1
        if card >= limit:
            depth -= 1
            continue
        cards[depth] = card
        bit = np.uint64(1) << np.uint64(card)
        held = prefix[depth] | (allowed[depth] & bit)
        if depth < n - 1:
            prefix[depth + 1] = held
            depth += 1
            cards[depth] = -1
            continue
        tested += 1
        weight = hand_weight(cards, held, plan, numbers, masks, choice, stack)
        if weight > 0.0:
            for i in range(n):
                out[found, i] = cards[i]
            weights[found] = weight
            found += 1
            if found == room:
                break
        if tested >= tests:
            break
    state[0] = depth
    return found

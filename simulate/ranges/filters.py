"""Compiled filters: the weight of one hand, and the enumeration of all hands of a range.

`hand_weight` runs a `program.Program` on the cards of one hand. `collect` walks over all hands in order and keeps those
with a weight, in slices, so that the caller can stop it; with every card it drops the items that no hand can have any
more. `probe` does the same for a few hands of a sample, to say beforehand what the walk will cost.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import kernel, leaf
from potshare.simulate.ranges.program import (
    BOUNDS_AT,
    CARDS,
    HANDS_AT,
    ITEM_SIZE,
    ITEMS_AT,
    KEY_BITS,
    LINE_SIZE,
    LINES_AT,
    LIST_SIZE,
    LISTED,
    LISTED_AT,
    LISTS_AT,
    NEEDS_PROPERTIES,
    ORDERED,
    PROFILE_SHIFT,
    REACH_AT,
    SCALE,
    SHARE,
    SHARES_AT,
    SLOT_SIZE,
    SLOTS_AT,
    UNIONS,
    WITHIN,
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
def _place_in(masks, first, last, key):  # type: ignore[no-untyped-def]
    # Where a key stands among ascending ones, -1 where it is none of them.
    begin = first
    end = last
    while begin < end:
        middle = (begin + end) // 2
        if masks[middle] < key:
            begin = middle + 1
        else:
            end = middle
    return begin if begin < last and masks[begin] == key else -1


@leaf
def _listed_weight(cards, held, which, plan, numbers, masks):  # type: ignore[no-untyped-def]
    record = plan[LISTS_AT] + LIST_SIZE * which
    hands = plan[HANDS_AT]
    key = held
    if plan[ORDERED] != 0:
        # A list may name only the first cards.
        key = masks[-2]
        for i in range(plan[record + 2]):
            key |= np.uint64(cards[i]) << np.uint64(KEY_BITS * i)
    at = _place_in(masks, hands + plan[record], hands + plan[record + 1], key)
    return numbers[plan[LISTED_AT] + at - hands] if at >= 0 else 0.0


@leaf
def _passes(cards, held, properties, record, plan, masks, choice):  # type: ignore[no-untyped-def]
    # Whether a hand has the shape of the item at `record`.
    needs = plan[record + 2]
    if needs & properties != needs:
        return False
    profile = plan[record + 3]
    if profile != 0:
        # Every field of the hand's profile must reach the shape's: no field then borrows its top bit.
        if (((properties >> PROFILE_SHIFT) | _TOPS) - profile) & _TOPS != _TOPS:
            return False
        if plan[record + 4] != 0:
            return True
    first = plan[record]
    last = plan[record + 1]
    for slot in range(first, last):
        if masks[slot] & held == 0:
            return False
    return first == last or _fits(cards, first, last, plan, masks, choice)


@leaf
def hand_weight(cards, held, alive, starts, plan, numbers, masks, choice, frames, values):  # type: ignore[no-untyped-def]
    """The weight of one hand, 0.0 where the range does not hold it.

    `cards` int64, in dealing order, descending within each group that has no order; `held` uint64, their mask; `alive`,
    `starts` one row of those of a `Scratch`; `plan`, `numbers`, `masks` of a `Program`; the rest of a `Scratch`.
    """
    # Three arrays and no tuple: unpacking a tuple of arrays in here costs more than most ranges do.
    n = plan[CARDS]
    properties = 0
    if plan[NEEDS_PROPERTIES] != 0:
        properties = hand_properties(cards, n)
    bounds = plan[BOUNDS_AT]
    tried = 0
    # A frame for each union within a union: union, next place in `alive`, current line (-1: no item), line after the
    # item's last. Its values: the best weight so far, the current item's. And for each union, since many items share
    # one: the number of the hand that it was last asked about, and its weight there.
    serial = frames[1, 4] + 1
    frames[1, 4] = serial
    depth = 0
    frames[0, 0] = 0
    frames[0, 1] = starts[0]
    frames[0, 2] = -1
    values[0, 0] = 0.0
    found = 0.0
    while True:
        if frames[depth, 2] < 0:
            # The next item that the hand has the shape of, heaviest first.
            end = starts[frames[depth, 0] + 1]
            at = frames[depth, 1]
            best = values[depth, 0]
            item = -1
            while at < end:
                number = alive[at]
                if numbers[bounds + number] <= best:
                    break
                at += 1
                tried += 1
                record = plan[ITEMS_AT] + ITEM_SIZE * number
                if _passes(cards, held, properties, record, plan, masks, choice):
                    if plan[record + 6] != plan[record + 7]:
                        item = number
                        break
                    # No lines: this one weighs 1, and none weighs more.
                    best = 1.0
            frames[depth, 1] = at
            values[depth, 0] = best
            if item >= 0:
                record = plan[ITEMS_AT] + ITEM_SIZE * item
                frames[depth, 2] = plan[record + 6]
                frames[depth, 3] = plan[record + 7]
                values[depth, 1] = 1.0
            else:
                found = best
                frames[frames[depth, 0], 5] = serial
                values[frames[depth, 0], 2] = found
                depth -= 1
                if depth < 0:
                    break
        value = values[depth, 1]
        at = frames[depth, 2]
        end = frames[depth, 3]
        inner = -1
        while at < end and value > 0.0:
            line = plan[LINES_AT] + LINE_SIZE * at
            what = plan[line]
            a = plan[line + 1]
            if what == SCALE:
                value *= numbers[a]
            elif what == LISTED:
                value *= _listed_weight(cards, held, a, plan, numbers, masks)
            elif what == SHARE:
                place = numbers[plan[SHARES_AT] + _combination(cards, n)]
                if place <= numbers[a] or place > numbers[a + 1]:
                    value = 0.0
            elif frames[a, 5] != serial:
                inner = a
                break
            elif what == WITHIN:
                value *= values[a, 2]
            elif values[a, 2] > 0.0:
                value = 0.0
            at += 1
        values[depth, 1] = value
        frames[depth, 2] = at
        if inner >= 0:
            # The line is gone through again when that union is known.
            depth += 1
            frames[depth, 0] = inner
            frames[depth, 1] = starts[inner]
            frames[depth, 2] = -1
            values[depth, 0] = 0.0
        else:
            values[depth, 0] = max(values[depth, 0], value)
            frames[depth, 2] = -1
    frames[0, 4] += tried
    return found


@leaf
def narrow(prefix, count, below, later, alive, starts, plan, masks):  # type: ignore[no-untyped-def]
    """Writes to row `count` of `alive` and `starts` the items of the row before that `count` cards leave possible.

    `prefix` (9,) uint64 as in `Scratch`, set up to `count`; `below` uint64 are the cards that may still come to the
    group that the next card belongs to, `later` those that may come to the groups behind it.
    """
    held = prefix[count]
    left = plan[CARDS] - count
    number = 0
    for union in range(plan[UNIONS]):
        starts[count, union] = number
        for at in range(starts[count - 1, union], starts[count - 1, union + 1]):
            item = alive[count - 1, at]
            record = plan[ITEMS_AT] + ITEM_SIZE * item
            missing = 0
            possible = True
            for slot in range(plan[record], plan[record + 1]):
                place = plan[SLOTS_AT] + SLOT_SIZE * slot
                first = min(plan[place], count)
                last = min(plan[place + 1], count)
                mask = masks[slot]
                if mask & prefix[last] & ~prefix[first]:
                    continue
                missing += 1
                coming = later
                if first < count:
                    coming = below
                if missing > left or plan[place + 1] <= count or mask & coming == 0:
                    possible = False
                    break
            if possible and plan[record + 5] < count:
                # More cards than need not fit a slot are out of reach of all of them.
                idle = 0
                rest = held & ~masks[plan[REACH_AT] + item]
                while rest:
                    rest &= rest - masks[-1]
                    idle += 1
                possible = idle <= plan[record + 5]
            if possible:
                alive[count, number] = item
                number += 1
    starts[count, plan[UNIONS]] = number


@kernel
def weigh(cards, plan, numbers, masks, prefix, alive, starts, choice, frames, values):  # type: ignore[no-untyped-def]
    """The weight of one hand; `cards` (n,) int64."""
    held = masks[-2]
    for i in range(plan[CARDS]):
        held |= masks[-1] << np.uint64(cards[i])
    return hand_weight(cards, held, alive[0], starts[0], plan, numbers, masks, choice, frames, values)


@kernel
def collect(  # type: ignore[no-untyped-def]
    cards, state, fresh, allowed, single, plan, numbers, masks, prefix, alive, starts, choice, frames, values, tests,
    out, weights,
):  # fmt: skip
    """Continues the walk over all hands; returns how many it wrote to `out` and `weights`.

    `cards` (8,) int64, `state` (1,) int64 (the depth, -1 at the end) and a `Scratch` hold the walk between calls.
    `fresh` (8,) int64 marks positions that begin a group, `allowed` (8,) uint64 the cards a position may take; `single`
    says that there is one group. It returns when `out` (m, n) uint8 is full or after about `tests` hands.
    """
    n = plan[CARDS]
    room = out.shape[0]
    found = 0
    tested = 0
    depth = state[0]
    none = masks[-2]
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
        held = prefix[depth] | bit
        prefix[depth + 1] = held
        if depth < n - 1:
            tested += 1
            later = none if single else ~held
            below = later
            if fresh[depth + 1] == 0:
                below = (bit - masks[-1]) & ~held
            narrow(prefix, depth + 1, below, later, alive, starts, plan, masks)
            if starts[depth + 1, 1] > 0:
                depth += 1
                cards[depth] = -1
            elif tested >= tests:
                break
            continue
        tested += 1
        weight = hand_weight(cards, held, alive[depth], starts[depth], plan, numbers, masks, choice, frames, values)
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


@kernel
def probe(  # type: ignore[no-untyped-def]
    rows, fresh, single, plan, numbers, masks, prefix, alive, starts, choice, frames, values
):
    """How many of the hands of `rows` (m, n) int64 have a weight; `frames[0, 4]` grows by the items that were tried."""
    n = plan[CARDS]
    none = masks[-2]
    found = 0
    for i in range(rows.shape[0]):
        level = 0
        for depth in range(n):
            bit = masks[-1] << np.uint64(rows[i, depth])
            prefix[depth + 1] = prefix[depth] | bit
            if depth < n - 1:
                later = none if single else ~prefix[depth + 1]
                below = later
                if fresh[depth + 1] == 0:
                    below = (bit - masks[-1]) & ~prefix[depth + 1]
                level = depth + 1
                narrow(prefix, level, below, later, alive, starts, plan, masks)
        weight = hand_weight(
            rows[i], prefix[n], alive[level], starts[level], plan, numbers, masks, choice, frames, values
        )
        if weight > 0.0:
            found += 1
    return found

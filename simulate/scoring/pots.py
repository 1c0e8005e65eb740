"""Settlement of many hands in compiled code; `simulate.showdown.settle` is the slow check.

A row has up to 24 seats, so that sets of seats are bit masks. The levels of the live contributions are found by
looking for the next greater one, which needs no sorting and no memory of its own.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import kernel, leaf

NOTHING, POT, CONTRIBUTIONS = range(3)
"""What is known about the money of a row: nothing, the pot alone, or what each seat put in."""

_LARGE = 4e18


@leaf
def _gcd(a, b):  # type: ignore[no-untyped-def]
    while b:
        a, b = b, a % b
    return a


@leaf
def _best(strengths, i, h, eligible, seats):  # type: ignore[no-untyped-def]
    # The eligible seats with the greatest strength, as a mask; 0 where nobody has any.
    best = 0
    mask = np.int64(0)
    for s in range(seats):
        if (eligible >> s) & 1:
            v = strengths[i, h, s]
            if v > best:
                best = v
                mask = np.int64(1) << s
            elif v == best and best:
                mask |= np.int64(1) << s
    return mask


@leaf
def _bits(mask):  # type: ignore[no-untyped-def]
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@leaf
def _pay(i, h, amount, winners, sharing, seats, keys, paid, halves_paid):  # type: ignore[no-untyped-def]
    # An amount shared by the winners; odd chips go one each to those with the least keys.
    base = amount // sharing
    odd = amount - base * sharing
    for s in range(seats):
        if (winners >> s) & 1:
            paid[i, s] += base
            halves_paid[i, h, s] += base
    left = winners
    while odd:
        first = -1
        for s in range(seats):
            if (left >> s) & 1 and (first < 0 or keys[i, s] < keys[i, first]):
                first = s
        paid[i, first] += 1
        halves_paid[i, h, first] += 1
        left ^= np.int64(1) << first
        odd -= 1


@leaf
def _share(i, amount, parts, winners, sharing, seats, num, den):  # type: ignore[no-untyped-def]
    # Adds amount / (parts * sharing) to the winners' exact shares; False when that leaves 63 bits.
    more = np.int64(parts * sharing)
    common = den[i] // _gcd(den[i], more) * more
    if common != den[i]:
        times = common // den[i]
        for s in range(seats):
            if np.float64(num[i, s]) * times > _LARGE:
                return False
            num[i, s] *= times
        den[i] = common
    part = common // more
    if np.float64(amount) * part > _LARGE:
        return False
    for s in range(seats):
        if (winners >> s) & 1:
            num[i, s] += amount * part
            if num[i, s] > _LARGE:
                return False
    return True


@leaf
def _layer(i, amount, eligible, seats, strengths, keys, paid, halves_paid, wins, num, den):  # type: ignore[no-untyped-def]
    # Pays a layer of the money. 0 is well, 1 nobody can win it, 2 the shares are too fine for 63 bits.
    weight = max(amount, np.int64(1)) if amount else np.int64(1)
    sharing = _bits(eligible)
    if sharing == 1:
        for s in range(seats):
            if (eligible >> s) & 1:
                paid[i, s] += amount
        return 0 if _share(i, weight, 1, eligible, 1, seats, num, den) else 2
    halves = strengths.shape[1]
    parts = 0
    for h in range(halves):
        if _best(strengths, i, h, eligible, seats):
            parts += 1
    if parts == 0:
        return 1
    base = amount // parts
    odd = amount - base * parts
    exact = True
    for h in range(halves):
        mask = _best(strengths, i, h, eligible, seats)
        if mask:
            wins[i, h] |= mask
            _pay(i, h, base + (1 if odd > 0 else 0), mask, _bits(mask), seats, keys, paid, halves_paid)
            odd -= 1
            if not _share(i, weight, parts, mask, _bits(mask), seats, num, den):
                exact = False
    return 0 if exact else 2


@leaf
def _reduce(i, seats, total, num, den):  # type: ignore[no-untyped-def]
    # The shares as fractions of the whole, in lowest terms for all seats together.
    if np.float64(den[i]) * total > _LARGE:
        return False
    common = den[i] * total
    g = common
    for s in range(seats):
        g = _gcd(g, num[i, s])
    for s in range(seats):
        num[i, s] //= g
    den[i] = common // g
    return True


@kernel
def settle_rows(money, known, seats, folded, strengths, keys, paid, halves_paid, returned, wins, num, den, bad):  # type: ignore[no-untyped-def]
    """Pots, halves, ties and odd chips of every row whose `bad` is 0.

    `money` (n, S) int64 by `known`: contributions, the pot in column 0, or nothing. `strengths` (n, H, S) uint16,
    `keys` (n, S) int64 with the least first to get an odd chip. Fills `paid` and `returned` (n, S), `halves_paid`
    (n, H, S), `wins` (n, H) masks of those who win in a contested pot, and `num` (n, S) over `den` (n,): the exact
    shares of all that was in the middle. `bad` becomes 2 where nobody can win a pot, 3 where the shares are too
    fine for 63 bits (all else is then right). All outputs begin as 0, `den` as 1.
    """
    for i in range(seats.shape[0]):
        if bad[i]:
            continue
        n = seats[i]
        live = np.int64(0)
        for s in range(n):
            if not folded[i, s]:
                live |= np.int64(1) << s
        if known[i] != CONTRIBUTIONS:
            amount = money[i, 0] if known[i] == POT else np.int64(0)
            code = _layer(i, amount, live, n, strengths, keys, paid, halves_paid, wins, num, den)
            if code == 0 and not _reduce(i, n, max(amount, np.int64(1)), num, den):
                code = 2
            if code:
                bad[i] = 1 + code
            continue
        top = np.int64(0)
        second = np.int64(0)
        leader = 0
        total = np.int64(0)
        playing = np.int64(0)
        for s in range(n):
            chips = money[i, s]
            total += chips
            if chips > top:
                second = top
                top = chips
                leader = s
            elif chips > second:
                second = chips
            if chips and (live >> s) & 1:
                playing |= np.int64(1) << s
        if not playing:
            # Only folded seats put anything in: somebody must win it.
            playing = live
        back = np.int64(0)
        if (playing >> leader) & 1 and top > second:
            back = top - second
            returned[i, leader] = back
            paid[i, leader] += back
        below = np.int64(0)
        highest = np.int64(0)
        for s in range(n):
            if (playing >> s) & 1:
                highest = max(highest, money[i, s])
        code = 0
        while True:
            level = highest
            eligible = np.int64(0)
            for s in range(n):
                if (playing >> s) & 1 and money[i, s] > below and money[i, s] < level:
                    level = money[i, s]
            amount = np.int64(0)
            for s in range(n):
                chips = money[i, s]
                amount += min(chips, level) - min(chips, below)
                if level == highest and chips > highest:
                    amount += chips - highest
                if (playing >> s) & 1 and chips >= level:
                    eligible |= np.int64(1) << s
            if level == highest:
                amount -= back
            if amount:
                code = max(code, _layer(i, amount, eligible, n, strengths, keys, paid, halves_paid, wins, num, den))
            if level == highest:
                break
            below = level
        middle = total - back
        if middle == 0:
            # Nobody put anything in that was called: the hands alone decide the shares.
            code = _layer(i, np.int64(0), live, n, strengths, keys, paid, halves_paid, wins, num, den)
            middle = np.int64(1)
        if code == 0 and not _reduce(i, n, middle, num, den):
            code = 2
        if code:
            bad[i] = 1 + code

"""Keep rules in compiled form: which of a player's cards stay.

A decision is a mask over the positions of a hand. The leaves read cards as `hands[p, :n]` and boards as
`boards[b, :size]`; rules are rows of `rules.Rule` as int64. `wild` is the mask of wild cards.
"""

from __future__ import annotations

import numpy as np

from potshare.evaluator.hand import BADUGI as BADUGI_KIND
from potshare.evaluator.hand import badugi_value, card_mask, rank_place, strength_of, suit_ranks, top_suit
from potshare.evaluator.omaha import BOARD_START, HOLE_START, low_ranks, pairs_value, suited_value
from potshare.kernel import leaf
from potshare.simulate.drawing.rules import ALL, BADUGI, BEST, FLUSH, HIGH, LOW, NONE, PAT, SET, STRAIGHT, TWO_PAIR

ANY_CARDS, DOWN_CARDS, PAIR_TABLE, LOW_TABLE, PAIR_ANY = range(5)
"""How a half selects cards: all, those face down, two plus three by tables (high, eight or better), by trying."""

_TOP_BITS = np.uint64(0x8888 << 48)
_ACE = 12


@leaf
def ones(mask):  # type: ignore[no-untyped-def]
    """The number of bits set in a small mask."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@leaf
def _pairs_with_board(hands, p, n, boards, at, key, offset, row, pair, best, suited_row, suited):  # type: ignore[no-untyped-def]
    total = BOARD_START
    mask = np.uint64(0)
    for j in range(5):
        total += key[boards[at, j]]
        mask |= card_mask(boards[at, j])
    counters = HOLE_START
    for j in range(n):
        counters += key[hands[p, j]]
    found = pairs_value(hands, p, n, row[rank_place(total, offset)], pair, best)
    both = total & counters & _TOP_BITS
    if both:
        suit = top_suit(both)
        found = max(found, suited_value(hands, p, n, suit, suit_ranks(mask, suit), pair, suited_row, suited))
    return np.int64(found)


@leaf
def _any_pair_with_board(kind, hands, p, n, boards, at, key, offset, value, flush):  # type: ignore[no-untyped-def]
    found = np.int64(0)
    for a in range(1, n):
        for b in range(a):
            for skip in range(4):
                for other in range(skip + 1, 5):
                    total = key[63] + key[hands[p, a]] + key[hands[p, b]]
                    mask = card_mask(hands[p, a]) | card_mask(hands[p, b])
                    for j in range(5):
                        if j != skip and j != other:
                            total += key[boards[at, j]]
                            mask |= card_mask(boards[at, j])
                    found = max(found, np.int64(strength_of(kind, total, mask, key, offset, value, flush)))
    return found


@leaf
def cards_value(halves, h, hands, p, n, kept, boards, size, key, offset, value, flush):  # type: ignore[no-untyped-def]
    """The strength of a player's cards for half h of the pot: `halves[h]` is (kind, selection, board, down mask).

    Only positions in `kept` count. `size` is the number of cards on the board.
    """
    kind = halves[h, 0]
    if halves[h, 1] == DOWN_CARDS:
        kept &= halves[h, 3]
        size = np.int64(0)
    total = key[63]
    mask = np.uint64(0)
    number = 0
    for j in range(n):
        if (kept >> j) & 1:
            total += key[hands[p, j]]
            mask |= card_mask(hands[p, j])
            number += 1
    for j in range(size):
        total += key[boards[halves[h, 2], j]]
        mask |= card_mask(boards[halves[h, 2], j])
    if kind == BADUGI_KIND and number > 4:
        # The best four of five: one card is left out.
        found = np.int64(0)
        for j in range(n):
            if (kept >> j) & 1:
                less = mask & ~card_mask(hands[p, j])
                found = max(found, np.int64(badugi_value(less, flush)))
        return found
    return np.int64(strength_of(kind, total, mask, key, offset, value, flush))


@leaf
def split_value(  # type: ignore[no-untyped-def]
    halves, h, hands, p, n, boards, key, offset, value, flush, row, pair, best, suited_row, suited, split
):
    """The same with a complete board where two hole cards play with three of the board."""
    how = halves[h, 1]
    at = halves[h, 2]
    if how == PAIR_TABLE:
        return _pairs_with_board(hands, p, n, boards, at, key, offset, row, pair, best, suited_row, suited)
    if how == LOW_TABLE:
        ours = 0
        shared = 0
        for j in range(n):
            ours |= 1 << (np.int64(hands[p, j]) >> 2)
        for j in range(5):
            shared |= 1 << (np.int64(boards[at, j]) >> 2)
        return np.int64(split[low_ranks(shared), low_ranks(ours)])
    if how == PAIR_ANY:
        return _any_pair_with_board(halves[h, 0], hands, p, n, boards, at, key, offset, value, flush)
    full = (np.int64(1) << n) - 1
    return cards_value(halves, h, hands, p, n, full, boards, np.int64(5), key, offset, value, flush)


@leaf
def _wild_positions(hands, p, n, wild):  # type: ignore[no-untyped-def]
    found = np.int64(0)
    if wild:
        for i in range(n):
            if wild & card_mask(hands[p, i]):
                found |= 1 << i
    return found


@leaf
def _of_rank(hands, p, n, rank, but):  # type: ignore[no-untyped-def]
    # The positions with cards of a rank, wild cards (`but`) apart.
    found = np.int64(0)
    for i in range(n):
        if hands[p, i] >> 2 == rank and not (but >> i) & 1:
            found |= 1 << i
    return found


@leaf
def _keep_set(hands, p, n, wilds, need, lowest):  # type: ignore[no-untyped-def]
    # The most cards of one rank, then the highest (two pair: of two ranks), -1 for none. Wild cards make up what
    # is missing.
    spare = ones(wilds)
    best = -1
    most = 0
    pairs = 0
    for rank in range(12, lowest - 1, -1):
        found = _of_rank(hands, p, n, rank, wilds)
        count = ones(found)
        if need == TWO_PAIR:
            if count >= 2:
                if pairs:
                    return pairs | found
                pairs = found
        elif count > most and count + spare >= need:
            most = count
            best = found
    return best


@leaf
def _spread(hands, p, n, found):  # type: ignore[no-untyped-def]
    # The highest less the lowest rank of some positions, the ace counted as suits it.
    high = -1
    low = 13
    high_low = -1
    low_low = 13
    for i in range(n):
        if (found >> i) & 1:
            rank = np.int64(hands[p, i] >> 2)
            high = max(high, rank)
            low = min(low, rank)
            lower = (rank + 1) % 13
            high_low = max(high_low, lower)
            low_low = min(low_low, lower)
    return min(high - low, high_low - low_low)


@leaf
def _highest(hands, p, n, among, number, lowest):  # type: ignore[no-untyped-def]
    # Up to `number` of the highest cards among some positions, none below a rank.
    kept = np.int64(0)
    for _ in range(number):
        best = -1
        at = -1
        for i in range(n):
            if (among >> i) & 1 and not (kept >> i) & 1:
                rank = np.int64(hands[p, i] >> 2)
                if rank >= lowest and rank > best:
                    best = rank
                    at = i
        if at < 0:
            break
        kept |= 1 << at
    return kept


@leaf
def _keep_flush(hands, p, n, boards, size, wilds, need, straight, most):  # type: ignore[no-untyped-def]
    best = -1
    longest = 0
    spare = ones(wilds)
    for suit in range(4):
        found = 0
        for i in range(n):
            if hands[p, i] & 3 == suit and not (wilds >> i) & 1:
                found |= 1 << i
        shared = 0
        for j in range(size):
            if boards[0, j] & 3 == suit:
                shared += 1
        if not found:
            continue
        count = min(ones(found), most) + shared + spare
        if count < need or count <= longest:
            continue
        if straight and _spread(hands, p, n, found) > 4:
            continue
        longest = count
        best = _highest(hands, p, n, found, most, np.int64(0))
    return best


@leaf
def _keep_straight(hands, p, n, boards, size, wilds, need, open_ended, most):  # type: ignore[no-untyped-def]
    # Ranks as places 0..13, the ace at both ends; windows of four with room at both ends, or of five.
    spare = ones(wilds)
    ours = 0
    for i in range(n):
        if not (wilds >> i) & 1:
            rank = np.int64(hands[p, i] >> 2)
            ours |= (2 << rank) | (rank // 12)
    shared = 0
    for j in range(size):
        rank = np.int64(boards[0, j] >> 2)
        shared |= (2 << rank) | (rank // 12)
    width = 4 if open_ended else 5
    bottom = 1 if open_ended else 0
    for low in range(9, bottom - 1, -1):
        window = ((1 << width) - 1) << low
        if ones((ours | shared) & window) + spare < need:
            continue
        wanted = ours & window & ~shared
        if not wanted or ones(wanted) > most:
            continue
        kept = np.int64(0)
        for place in range(14):
            if (wanted >> place) & 1:
                found = _of_rank(hands, p, n, (place + 12) % 13, wilds)
                kept |= found & -found
        return kept
    return -1


@leaf
def _keep_low(hands, p, n, wilds, number, highest, ace_low, exact):  # type: ignore[no-untyped-def]
    # `where` has four bits for the position of each low rank, the first one dealt.
    mask = np.int64(0)
    where = np.int64(0)
    for i in range(n - 1, -1, -1):
        if (wilds >> i) & 1:
            continue
        rank = np.int64(hands[p, i] >> 2)
        low = (rank + 1) % 13 if ace_low else rank
        if low <= highest:
            mask |= 1 << low
            where = (where & ~(15 << (4 * low))) | (i << (4 * low))
    kept = np.int64(0)
    held = ones(wilds)
    for low in range(highest + 1):
        if held >= number:
            break
        if (mask >> low) & 1:
            kept |= 1 << ((where >> (4 * low)) & 15)
            held += 1
    if exact and held < number:
        return -1
    return kept


@leaf
def _keep_badugi(hands, p, n, number, highest, exact):  # type: ignore[no-untyped-def]
    # The most cards of different ranks and suits, then the lowest: greater rank masks have a higher top card. `clash`
    # has eight bits for each position: those of the same rank or suit, or its own where it is too high. `fine` has
    # a bit for each set of positions without a clash.
    clash = np.int64(0)
    for i in range(n):
        for j in range(n):
            if i == j:
                bad = (np.int64(hands[p, i] >> 2) + 1) % 13 > highest
            else:
                bad = hands[p, i] >> 2 == hands[p, j] >> 2 or hands[p, i] & 3 == hands[p, j] & 3
            if bad:
                clash |= 1 << (8 * i + j)
    fine = np.uint64(1)
    best = np.int64(0)
    most = 0
    lowest = 0
    for kept in range(1, 1 << n):
        first = 0
        while not (kept >> first) & 1:
            first += 1
        rest = kept & (kept - 1)
        if not (fine >> np.uint64(rest)) & np.uint64(1) or (clash >> (8 * first)) & kept:
            continue
        fine |= np.uint64(1) << np.uint64(kept)
        count = ones(kept)
        if count < most or count > number:
            continue
        ranks = 0
        for i in range(n):
            if (kept >> i) & 1:
                ranks |= 1 << ((np.int64(hands[p, i] >> 2) + 1) % 13)
        if count > most or ranks < lowest:
            best = np.int64(kept)
            most = count
            lowest = ranks
    if exact and most < number:
        return -1
    return best


@leaf
def _fill(hands, p, n, kept, wilds, least, order_low):  # type: ignore[no-untyped-def]
    # Adds cards until `least` are kept: the highest first, or the lowest of ranks that are not kept.
    while ones(kept) < least:
        best = -100
        at = -1
        for i in range(n):
            if (kept >> i) & 1:
                continue
            rank = np.int64(hands[p, i] >> 2)
            worth = rank
            if order_low:
                worth = -((rank + 1) % 13) if order_low == 2 else -rank
                for j in range(n):
                    if (kept >> j) & 1 and hands[p, j] >> 2 == rank:
                        worth -= 20
                        break
            if worth > best:
                best = worth
                at = i
        kept |= 1 << at
    return kept


@leaf
def _drop(hands, p, n, kept, wilds, most, order_low):  # type: ignore[no-untyped-def]
    # Takes cards away until `most` are kept, wild cards last.
    while ones(kept) > most:
        worst = 100
        at = -1
        for i in range(n):
            if not (kept >> i) & 1:
                continue
            rank = np.int64(hands[p, i] >> 2)
            worth = rank
            if order_low:
                worth = -((rank + 1) % 13) if order_low == 2 else -rank
            if (wilds >> i) & 1:
                worth = 50
            if worth < worst:
                worst = worth
                at = i
        kept &= ~(1 << at)
    return kept


@leaf
def decide(  # type: ignore[no-untyped-def]
    hands, p, n, boards, size, least, most, to_ace, left, rules, first, last, wild, order_low, halves, key, offset,
    value, flush, key2, offset2, value2, flush2,
):  # fmt: skip
    """The positions that a player keeps by the rules `first` to `last`, at least `least` and at most `most`.

    `to_ace`: when the one card kept is an ace or wild, so many others may go. `left` is the number of draws left,
    this one included. The tables are those of each half's ranking. `order_low` is 0 in high games, 1 in
    low games, 2 where the ace is low.
    """
    full = (1 << n) - 1
    # A literal among the arguments of a leaf would compile it once more.
    one = np.int64(1)
    zero = one - 1
    wilds = _wild_positions(hands, p, n, wild)
    # How many cards have a rank, a suit at most: sets and flushes are looked for only where there can be some.
    alike = np.int64(0)
    suits = np.int64(0)
    for i in range(n):
        same = 0
        for j in range(n):
            if hands[p, i] >> 2 == hands[p, j] >> 2:
                same += 1
        alike = max(alike, same)
        suits += 1 << (8 * np.int64(hands[p, i] & 3))
    suited = max(max(suits & 255, (suits >> 8) & 255), max((suits >> 16) & 255, suits >> 24))
    kept = wilds
    for r in range(first, last):
        op, a, b, c = rules[r, 0], rules[r, 1], rules[r, 2], rules[r, 3]
        if rules[r, 4] and rules[r, 4] != left:
            continue
        found = -1
        if op == ALL:
            found = full
        elif op == NONE:
            found = np.int64(0)
        elif op == PAT or op == BEST:
            # One call for all cards and for every set of as many as stay: it is long when compiled.
            top = np.int64(a - 1)
            if op == PAT and b == 1:
                if cards_value(halves, one, hands, p, n, full, boards, size, key2, offset2, value2, flush2) > top:
                    found = full
            else:
                mask = full if op == PAT else one
                while mask <= full:
                    if op == PAT or ones(mask) == most:
                        strength = cards_value(halves, zero, hands, p, n, mask, boards, size, key, offset, value, flush)
                        if strength > top:
                            top = strength
                            found = mask
                    mask += 1
        elif op == SET:
            if alike >= min(a, 2 if a == TWO_PAIR else 4) or wilds:
                found = _keep_set(hands, p, n, wilds, a, b)
        elif op == FLUSH:
            if suited >= a or size or wilds:
                found = _keep_flush(hands, p, n, boards, size, wilds, a, b, most)
        elif op == STRAIGHT:
            found = _keep_straight(hands, p, n, boards, size, wilds, a, b, most)
        elif op == HIGH:
            found = _highest(hands, p, n, full & ~wilds, a, b)
            if ones(found) < a:
                found = -1
        elif op == LOW:
            found = _keep_low(hands, p, n, wilds, a, b, c & 1, c & 2)
        elif op == BADUGI:
            found = _keep_badugi(hands, p, n, a, b, c & 2)
        if found >= 0:
            kept = found | wilds
            break
    if ones(kept) > most:
        kept = _drop(hands, p, n, kept, wilds, most, order_low)
    if ones(kept) < least:
        if to_ace and ones(kept) == 1 and n - 1 <= to_ace:
            for i in range(n):
                if (kept >> i) & 1 and (hands[p, i] >> 2 == _ACE or (wilds >> i) & 1):
                    return kept
        kept = _fill(hands, p, n, kept, wilds, least, order_low)
    return kept

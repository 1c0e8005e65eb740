"""Two hole cards plus three of the board in vector registers, without trying combinations.

What 2 to 6 hole cards and a board of 3 to 5 make is read from masks of the ranks held once, twice and three times
in the hand (h1, h2) and on the board (b1, b2, b3), and of the ranks on both sides (`both`). The categories are
gone through from the bottom up; each may take for granted that no better one is possible, since that would
replace it:

* Quads: a pair on each side, or one in the hand with trips on the board.
* Full house: trips of two from the hand with a pair of the board, of one from the hand with another rank on both
  sides, or of three from the board with a pair in the hand. No rank is in two of these cases without being quads.
* Trips, and a single pair: the highest rank that can be had. It takes as many cards from the hand as the hand has
  of it, and the kickers are the highest of what is left to take on each side.
* Two pair: the highest of the pairs in the hand (if the board has a pair) and of the ranks on both sides goes with
  the best partner: after a pair in the hand the board's pair, else that or another rank on both sides. Only a rank
  on both sides with a pair of the board leaves the kicker to the hand.
* A flush takes the two highest of the hand and the three highest of the board; no two suits can have three cards
  on the board. A straight needs two of its ranks in the hand, three on the board, and all five between them.

Their masks run from the ace down (bit 0 the ace, bit 12 the deuce), so that the highest rank is the lowest bit.
Lows of eight or better do go through the pairs of hole cards: the best three of the board for each are the lowest.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator import lanes, llvm
from potshare.evaluator.lanes import HIGH, SHAPE_OF, Parts, Suits, low_bit, low_set_strength, suit_levels, suit_masks
from potshare.evaluator.llvm import Flag, Lane
from potshare.kernel import kernel


def _top(mask: Lane) -> Lane:
    return mask & -mask


def _drop(mask: Lane) -> Lane:
    return mask & (mask - 1)


def _tops(mask: Lane, most: int) -> list[Lane]:
    # The highest ranks: none of them, one, ... `most`.
    rest = mask
    found = [mask.constant(0)]
    for _ in range(most):
        rest = _drop(rest)
        found.append(mask ^ rest)
    return found


def _in(rank: Lane, mask: Lane) -> Flag:
    return (rank & mask).some()


def _window(mask: Lane, least: int) -> Lane:
    # Where at least two or three of five neighbours are set, the lowest at this bit: two full adders.
    a, b, c, d, e = (mask >> i if i else mask for i in range(5))
    ones = a ^ b ^ c
    twos = (a & b) | (c & (a | b))
    ones, twos2 = ones ^ d ^ e, (ones & d) | (e & (ones | d))
    return (twos & twos2) | ((twos | twos2) & ones) if least == 3 else twos | twos2


def _straights(hole: Lane, board: Lane) -> Lane:
    # The highest rank of each straight of two hole cards and three of the board; the wheel ends with the ace.
    hole, board = hole | (hole << 13), board | (board << 13)
    every = hole | board
    twos = every & (every >> 1)
    return twos & (twos >> 2) & (every >> 4) & _window(hole, 2) & _window(board, 3) & 0x3FF


def _high_parts(hole: Suits, board: Suits, code: dict[str, int]) -> Parts:
    """What decides the best high hand: the `code` of its category, primary and kickers.

    Suit masks are from the ace down; primary and kickers are from the deuce up.
    """
    h1, h2, _, _ = suit_levels(*hole)
    b1, b2, b3, _ = suit_levels(*board)
    both = h1 & b1
    none = h1.constant(0)
    board_pair = _top(b2)

    # No pair, a pair, trips.
    trips = _top((h2 & b1) | (h1 & b2) | b3)
    is_trips = trips.some()
    primary = is_trips.pick(trips, _top(h2 | both | b2))
    is_pair = primary.some()
    two_held, held = _in(primary, h2), _in(primary, h1)
    from_hole = _tops(h1 & ~primary, 2)
    from_board = _tops(b1 & ~primary, 3)
    hole_kickers = two_held.pick(0, held.pick(from_hole[1], from_hole[2]))
    pair_kickers = two_held.pick(from_board[3], held.pick(from_board[2], from_board[1]))
    trips_kickers = two_held.pick(from_board[2], held.pick(from_board[1], none))
    board_kickers = is_pair.pick(is_trips.pick(trips_kickers, pair_kickers), from_board[3])
    kickers = hole_kickers | board_kickers
    name = is_pair.pick(none + code["pair"], code["high card"])
    name = is_trips.pick(code["three of a kind"], name)

    # Two pair.
    first = _top(both | board_pair.some().pick(h2, 0))
    first_held = _in(first, h2)
    second = _top(first_held.pick(0, both & ~first) | b2)
    pairs = first | second
    kicker = (~first_held & _in(second, b2)).pick(_top(h1 & ~pairs), _top(b1 & ~pairs))
    two_pair = first.some() & second.some() & ~is_trips
    name = two_pair.pick(code["two pair"], name)
    primary = two_pair.pick(pairs, primary)
    kickers = two_pair.pick(kicker, kickers)

    # Straight and flush.
    suited_board = suited_hole = none
    for hole_suit, board_suit in zip(hole, board, strict=True):
        many = board_suit.popcount() > 2
        suited_board = many.pick(board_suit, suited_board)
        suited_hole = many.pick(hole_suit, suited_hole)
    flush = _drop(suited_hole).some()
    starts = _top(_straights(flush.pick(suited_hole, h1), flush.pick(suited_board, b1)))
    straight = starts.some()
    suited = _tops(suited_hole, 2)[2] | _tops(suited_board, 3)[3]
    name = straight.pick(code["straight"], flush.pick(code["flush"], name))
    primary = straight.pick(starts << 3, flush.pick(0, primary))
    kickers = straight.pick(0, flush.pick(suited, kickers))
    straight_flush = straight & flush

    # Full house and quads.
    triple = _top(board_pair.some().pick(h2 & b1, 0) | _drop(both).some().pick(h1 & b2, 0) | h2.some().pick(b3, 0))
    of_both = _top(both & ~triple)
    pair = _in(triple, h2).pick(board_pair, _in(triple, h1).pick(of_both, _top(h2)))
    four = _top((h2 & b2) | (h1 & b3))
    quads = four.some()
    fourth = _in(four, b3).pick(_top(h1 & ~four), _top(b1 & ~four))
    full = (triple | four).some() & ~straight_flush
    name = full.pick(quads.pick(none + code["four of a kind"], code["full house"]), name)
    primary = full.pick(quads.pick(four, triple), primary)
    kickers = full.pick(quads.pick(fourth, pair), kickers)
    name = straight_flush.pick(code["straight flush"], name)
    return name, _turned(primary), _turned(kickers)


def _low_strength(*cards: Lane) -> Lane:
    # The best low of eight or better, by every pair of hole cards: it goes with the three lowest other ranks of the
    # board. Low ranks are bits 0 (ace) to 7, and the lower set is the smaller number.
    bits = [low_bit(card) for card in cards]
    on_board = bits[-BOARD]
    for bit in bits[1 - BOARD :]:
        on_board = on_board | bit
    best = on_board.constant(0xFFFF)
    for one, other in combinations(bits[:-BOARD], 2):
        pair = one | other
        left = on_board & ~pair
        third = _drop(_drop(left))
        rest = _drop(third)
        best = (third.some() & pair.popcount().equals(2)).pick(best.least(pair | (left ^ rest)), best)
    return best.equals(0xFFFF).pick(0, low_set_strength(best))


def _turned(mask: Lane) -> Lane:
    # From the ace down to from the deuce up, and back.
    return mask.reversed() >> 3


def _high_strength(*cards: Lane) -> Lane:
    # Cards turned round: rank 12 - r, and the suits in another order, which changes nothing.
    turned = [card.constant(51) - card for card in cards]
    hole, board = suit_masks(*turned[:-BOARD]), suit_masks(*turned[-BOARD:])
    return HIGH.scale.strength(*_high_parts(hole, board, SHAPE_OF))


@llvm.scalar(2)
def omaha_high(hc: Any, hd: Any, hh: Any, hs: Any, bc: Any, bd: Any, bh: Any, bs: Any) -> Any:
    """Two of the hole cards and three of the board, `high`: from eight suit masks to two numbers.

    The numbers compare as the hands do, the first before the second; see `lanes`.
    """
    hole = _turned(hc), _turned(hd), _turned(hh), _turned(hs)
    board = _turned(bc), _turned(bd), _turned(bh), _turned(bs)
    word, primary, kickers = _high_parts(hole, board, HIGH.words)
    return word | primary, kickers


def high_compared(hole: Suits, board: Suits) -> tuple[Lane, Lane]:
    """Two numbers that compare as the best two plus three do, `high`; the masks run from the ace down."""
    word, primary, kickers = _high_parts(hole, board, HIGH.words)
    return word | primary, kickers


def low_compared(hole: Suits, board: Suits) -> Lane:
    """A number that compares as the best two plus three do, `eight-or-better`, 0 for none; masks from the ace down.

    Sets of ranks of which at most two are only in the hand, at most three only on the board, and at most five in
    all, are the independent sets of a matroid (a truncated partition). So taking the lowest rank that still fits,
    over and over, gives the best low (J. Edmonds, "Matroids and the greedy algorithm", 1971): the lowest five of
    the lowest two only in the hand, the lowest three only on the board, and all ranks on both sides.
    """
    ours, theirs = (_eight_low(suits[0] | suits[1] | suits[2] | suits[3]) for suits in (hole, board))
    low = ours & theirs
    for only, most in ((ours ^ low, 2), (theirs ^ low, 3)):
        low = low | _tops(only, most)[most]
    return (low.popcount() > 4).pick(_tops(low, 5)[5] ^ 0xFF, 0)


def _eight_low(ranks: Lane) -> Lane:
    # From the ace down (bit 0 the ace, bit 12 the deuce) to ace to eight as bits 0 to 7.
    return ((_turned(ranks) << 1) & 0xFE) | (ranks & 1)


BOARD = 5
FORMS = [(ranking, size) for ranking in ("high", "eight-or-better") for size in (4, 5, 6)]
"""The rankings and numbers of hole cards that have a vector form, with boards of five."""

_PLACES = {which: i for i, which in enumerate(FORMS)}
_group_strengths = llvm.paired_rows(
    [(size, BOARD, _high_strength if ranking == "high" else _low_strength) for ranking, size in FORMS]
)


@cache
def _kernel(form: int) -> Any:
    @kernel
    def group_strengths(holes, boards, groups, out):  # type: ignore[no-untyped-def]
        for group in range(groups):
            _group_strengths(form, holes, boards, group, out)

    return group_strengths


def two_plus_three_batch(
    holes: NDArray[np.uint8], boards: NDArray[np.uint8], ranking: str, out: NDArray[np.uint16]
) -> bool:
    """Writes the strengths of hands with their boards to `out`; False, and nothing written, where it does not pay.

    `holes` is (n, k) and `boards` (n, 5), both uint8 and C-contiguous, of valid different cards (others give
    meaningless numbers), `out` (n,) uint16, C-contiguous. As `lanes.strengths_batch` otherwise.
    """
    n, size = holes.shape
    form = _PLACES.get((ranking, size))
    if form is None or n < lanes.LEAST or boards.shape != (n, BOARD) or not llvm.FAST:
        return False
    group_strengths = _kernel(form)
    flat = holes.reshape(-1), boards.reshape(-1)
    widths = size, BOARD
    groups = max(
        0, min((cards.size - llvm.BEYOND) // (llvm.ROWS * width) for cards, width in zip(flat, widths, strict=True))
    )
    group_strengths(*flat, groups, out)
    done = groups * llvm.ROWS
    if done < n:
        rest = [lanes.padded_rows(cards, done, width) for cards, width in zip(flat, widths, strict=True)]
        found = np.empty(lanes.REST, np.uint16)
        group_strengths(*rest, lanes.REST // llvm.ROWS, found)
        out[done:] = found[: n - done]
    return True

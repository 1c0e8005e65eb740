"""Cards, chips and seats out of the bytes of text columns, in compiled code.

A column is a buffer of bytes and the offsets of its rows. The kernels read what is plain ASCII and certain; a
row with anything else (suit symbols, jokers, JSON, words, mistakes) is only marked, and `reading.read_row` looks
at it in Python, where the exact message is made. So the kernels may refuse what is right, but never the reverse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from potshare.evaluator.cards import RANKS, SUITS
from potshare.kernel import kernel, leaf

MOST_SEATS = 24
"""Seats of a row at most; no deck serves more."""
MOST_CARDS = 7
"""Private cards of a hand at most."""

SEAT_MARK = 0x1F
"""Parts the hands of a list, where `,` and `;` may stand between the cards of a hand."""

_SKIP, _TEN, _OTHER = 64, 65, 127


def _classes() -> NDArray[np.uint8]:
    # What a byte is: 0..12 a rank, 16 + suit, a separator, the 1 of a ten.
    table = np.full(256, _OTHER, np.uint8)
    for rank, letter in enumerate(RANKS):
        table[ord(letter)] = table[ord(letter.lower())] = rank
    for suit, letter in enumerate(SUITS):
        table[ord(letter)] = table[ord(letter.upper())] = 16 + suit
    for letter in " ,;_\t\r\n":
        table[ord(letter)] = _SKIP
    table[ord("1")] = _TEN
    return table


CLASSES = _classes()
"""(256,) uint8: what each byte can be in a card; for the kernels of this module."""


@leaf
def _card_at(data, at, end, classes):  # type: ignore[no-untyped-def]
    # The card at a place that is no separator, and the place after it; -1 where there is none for certain.
    rank = np.int64(classes[data[at]])
    at += 1
    if rank == _TEN:
        if at >= end or data[at] != 48:
            return np.int64(-1), at
        rank = np.int64(8)
        at += 1
    elif rank > 12:
        return np.int64(-1), at
    if at >= end:
        return np.int64(-1), at
    suit = np.int64(classes[data[at]]) - 16
    if suit < 0 or suit > 3:
        return np.int64(-1), at
    return 4 * rank + suit, at + 1


@kernel
def read_cards(data, offsets, classes, out, counts, bad):  # type: ignore[no-untyped-def]
    """The cards of each row into `out` (n, most), their number into `counts`; marks rows that it cannot read."""
    for i in range(counts.shape[0]):
        at, end = offsets[i], offsets[i + 1]
        n = 0
        while at < end:
            if classes[data[at]] == _SKIP:
                at += 1
                continue
            card, at = _card_at(data, at, end, classes)
            if card < 0 or n == out.shape[1]:
                bad[i] = 1
                break
            out[i, n] = card
            n += 1
        counts[i] = n


@leaf
def _seat_mark(data, at, end):  # type: ignore[no-untyped-def]
    # The byte that parts the hands of a row.
    best = 32
    for k in range(at, end):
        byte = data[k]
        if byte == 31:
            return 31
        if byte == 59:
            best = 59
        elif byte == 44 and best == 32:
            best = 44
    return best


@kernel
def count_hands(data, offsets):  # type: ignore[no-untyped-def]
    """The greatest number of hands that a row may have."""
    most = 0
    for i in range(offsets.shape[0] - 1):
        at, end = offsets[i], offsets[i + 1]
        mark = _seat_mark(data, at, end)
        n = 1
        for k in range(at, end):
            if data[k] == mark:
                n += 1
        most = max(most, n)
    return most


@kernel
def read_hands(data, offsets, classes, out, counts, seats, folded, bad):  # type: ignore[no-untyped-def]
    """The hands of each row: cards into `out` (n, seats, cards), their number into `counts` (n, seats).

    `seats` is how many there are up to the last that is not empty; a hand written `-` is marked in `folded`.
    """
    for i in range(seats.shape[0]):
        at, end = offsets[i], offsets[i + 1]
        mark = _seat_mark(data, at, end)
        seat = 0
        last = 0
        n = 0
        while at < end:
            byte = data[at]
            if byte == mark:
                # Spaces part hands only where they stand between them.
                if mark != 32 or n or folded[i, seat]:
                    counts[i, seat] = n
                    seat += 1
                    n = 0
                    if seat == out.shape[1]:
                        rest = at + 1
                        while rest < end and classes[data[rest]] == _SKIP:
                            rest += 1
                        at = rest
                        if rest < end:
                            bad[i] = 1
                        break
                at += 1
                continue
            if classes[byte] == _SKIP:
                at += 1
                continue
            last = seat + 1
            if byte == 45:
                if n or folded[i, seat]:
                    bad[i] = 1
                    break
                folded[i, seat] = 1
                at += 1
                continue
            card, at = _card_at(data, at, end, classes)
            if card < 0 or n == out.shape[2] or folded[i, seat]:
                bad[i] = 1
                break
            out[i, seat, n] = card
            n += 1
        if seat < out.shape[1]:
            counts[i, seat] = n
        seats[i] = last


@kernel
def count_numbers(data, offsets):  # type: ignore[no-untyped-def]
    """The greatest number of runs of digits and points in a row."""
    most = 0
    for i in range(offsets.shape[0] - 1):
        n = 0
        inside = False
        for k in range(offsets[i], offsets[i + 1]):
            digit = 48 <= data[k] <= 57 or data[k] == 46
            if digit and not inside:
                n += 1
            inside = digit
        most = max(most, n)
    return most


@leaf
def _number_at(data, at, end, decimals, unit):  # type: ignore[no-untyped-def]
    # The number whose first digit is at a place, in units, and the place after it; -1 where it is none for certain.
    value = np.int64(0)
    digits = 0
    while at < end and 48 <= data[at] <= 57:
        value = 10 * value + (data[at] - 48)
        digits += 1
        if digits + decimals > 17:
            return np.int64(-1), at
        at += 1
    behind = 0
    if at < end and data[at] == 46:
        at += 1
        start = at
        while at < end and 48 <= data[at] <= 57:
            if behind < decimals:
                value = 10 * value + (data[at] - 48)
                behind += 1
            elif data[at] != 48:
                return np.int64(-1), at
            at += 1
        if at == start:
            return np.int64(-1), at
    while behind < decimals:
        value *= 10
        behind += 1
    if value % unit:
        return np.int64(-1), at
    return value // unit, at


@kernel
def read_numbers(data, offsets, decimals, unit, out, counts, bad):  # type: ignore[no-untyped-def]
    """The numbers of each row into `out` (n, most) int64, parted by `,` `;`, spaces or the seat mark.

    A number is a multiple of `unit` over 10 to the power of `decimals`, and is counted in this.
    """
    for i in range(counts.shape[0]):
        n = 0
        at, end = offsets[i], offsets[i + 1]
        while at < end and data[at] == 32:
            at += 1
        while at < end and data[end - 1] == 32:
            end -= 1
        # Brackets stand around a list.
        if at < end and data[at] == 91:
            at += 1
        if at < end and data[end - 1] == 93:
            end -= 1
        while at < end:
            byte = data[at]
            if 48 <= byte <= 57:
                value, at = _number_at(data, at, end, decimals, unit)
                if value < 0 or n == out.shape[1]:
                    bad[i] = 1
                    break
                out[i, n] = value
                n += 1
                # Two numbers stand apart.
                if at < end and data[at] == 46:
                    bad[i] = 1
                    break
            elif byte == 44 or byte == 59 or byte == 32 or byte == 31:
                at += 1
            else:
                bad[i] = 1
                break
        counts[i] = n


@kernel
def mark_seats(numbers, counts, seats, folded, bad):  # type: ignore[no-untyped-def]
    """Marks the seats, from 1, that a list names; a seat that is not there or is named twice is left to Python."""
    for i in range(counts.shape[0]):
        for k in range(counts[i]):
            seat = numbers[i, k] - 1
            if seat < 0 or seat >= folded.shape[1] or folded[i, seat]:
                bad[i] = 1
                break
            folded[i, seat] = 1
            seats[i] = max(seats[i], seat + 1)


@kernel
def check_hands(hands, counts, seats, folded, boards, board_counts, size, board_size, lowest, bad):  # type: ignore[no-untyped-def]
    """Marks rows where a live hand or the board has the wrong number of cards, or a card is foreign or twice.

    Where one player is left nothing needs to be shown. `board_size` is the number of community cards of all boards.
    """
    for i in range(seats.shape[0]):
        if bad[i]:
            continue
        seen = np.uint64(0)
        live = 0
        full = True
        for s in range(seats[i]):
            if not folded[i, s]:
                live += 1
                if counts[i, s] != size:
                    full = False
            for c in range(counts[i, s]):
                card = hands[i, s, c]
                bit = np.uint64(1) << np.uint64(card)
                if seen & bit or card < lowest:
                    bad[i] = 1
                seen |= bit
        for c in range(board_counts[i]):
            card = boards[i, c]
            bit = np.uint64(1) << np.uint64(card)
            if seen & bit or card < lowest:
                bad[i] = 1
            seen |= bit
        if live == 0 or (live > 1 and not full) or (live > 1 and board_counts[i] != board_size):
            bad[i] = 1
        if board_counts[i] > board_size:
            bad[i] = 1


@kernel
def gather_hands(hands, seats, folded, bad, size, boards, first, board_size, out, rows, places):  # type: ignore[no-untyped-def]
    """The hands that are compared, each with its board: cards into `out` (m, size + board_size), where they come from
    into `rows` and `places`. Returns m; rows with one live player compare nothing."""
    m = 0
    for i in range(seats.shape[0]):
        if bad[i]:
            continue
        live = 0
        for s in range(seats[i]):
            live += not folded[i, s]
        if live < 2:
            continue
        for s in range(seats[i]):
            if folded[i, s]:
                continue
            for c in range(size):
                out[m, c] = hands[i, s, c]
            for c in range(board_size):
                out[m, size + c] = boards[i, first + c]
            rows[m] = i
            places[m] = s
            m += 1
    return m


@kernel
def scatter(found, rows, places, half, strengths):  # type: ignore[no-untyped-def]
    """Puts the strengths of gathered hands into `strengths` (n, halves, seats) uint16."""
    for k in range(found.shape[0]):
        strengths[rows[k], half, places[k]] = found[k]


@kernel
def suit_keys(hands, counts, seats, keys):  # type: ignore[no-untyped-def]
    """Stud's odd chips: a key for each seat, least for the highest card (by suit when the ranks are equal)."""
    for i in range(seats.shape[0]):
        for s in range(seats[i]):
            # The cards as digits in descending order: insertion into a number, lowest digit last.
            key = np.int64(0)
            used = np.uint64(0)
            for c in range(counts[i, s]):
                used |= np.uint64(1) << np.uint64(hands[i, s, c])
            digits = 0
            for card in range(63, -1, -1):
                if used & (np.uint64(1) << np.uint64(card)):
                    key = (key << 6) + card + 1
                    digits += 1
            while digits < 8:
                key <<= 6
                digits += 1
            keys[i, s] = -key

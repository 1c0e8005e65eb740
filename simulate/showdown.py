"""What happens to the chips at a showdown: side pots, halves, ties, odd chips.

Everything is whole chips, the smallest the table has. Shares as fractions look simpler and lose money: they
must be rounded somewhere, and then the sum paid is not the sum put in. So a pot is divided by integer
division, and what is left over goes out chip by chip in an order that the rules fix.

Each pot is decided on its own, hand by hand: who is the best, who has a low at all, who gets the odd chip.
A half of the pot that nobody can win in the main pot may well be won in a side pot, and the reverse.
Strengths come from outside (larger wins, 0 is no qualifying hand), so this module knows no cards and no game;
the only cards in it are those of two helpers, for the order of odd chips in stud and for the spade half.

`settle` does one hand. A compiled settlement of many hands needs the same three steps without the objects:
sort the live contributions, fill one amount and one bit mask of eligible seats per layer, and for each layer
and half find the bit mask of the best; the functions here are then the slow check.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from potshare.errors import PotshareError
from potshare.evaluator.cards import as_cards

WHOLE = "chips are whole numbers: count in the smallest chip, cents for instance"


@dataclass(frozen=True)
class Pot:
    """Chips that are won together: `amount` in chips, and the seats that may win them, ascending."""

    amount: int
    eligible: tuple[int, ...]


@dataclass(frozen=True)
class Settlement:
    """Who got what. All amounts are chips; sequences named "per seat" have one entry for each seat.

    - `pots`: the contested pots (two or more eligible seats), main pot first.
    - `layers`: all layers of the money, the one with a single eligible seat included; they add up to all the
      chips put in.
    - `payouts`, `net` per seat: what the seat is paid in all, its returned bet included, and that less what
      it put in. The payouts add up to the chips put in, the nets to zero.
    - `returned` per seat: the part of its bet that nobody called. It was never at risk.
    - `uncontested` per seat: others' chips, and its own that they had called, in a layer for which it was the
      only one left (everybody else folded).
    - `awards[pot][half][seat]`: what the seat was paid from a half of a contested pot.

    For every seat `payouts` is `returned` plus `uncontested` plus its `awards`.
    """

    pots: tuple[Pot, ...]
    payouts: tuple[int, ...]
    net: tuple[int, ...]
    returned: tuple[int, ...]
    uncontested: tuple[int, ...]
    layers: tuple[Pot, ...]
    awards: tuple[tuple[tuple[int, ...], ...], ...]


# What callers may hand in. Lists and tuples are the plain case; arrays are taken through `tolist`, which
# gives Python numbers without this module importing NumPy.
def _listed(values: object, where: str) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)):
        raise PotshareError(f"{where} is {values!r}: write a sequence with one entry per seat")
    to_list: Callable[[], Any] | None = getattr(values, "tolist", None)
    try:
        found = list(values) if to_list is None else list(to_list())  # type: ignore[call-overload]
    except TypeError:
        raise PotshareError(f"{where} is {values!r}: write a sequence with one entry per seat") from None
    return [value.item() if getattr(value, "ndim", None) == 0 else value for value in found]


def whole_number(value: object, where: str, least: int = 0, hint: str = WHOLE) -> int:
    """`value` as an integer of at least `least`.

    `where` names the value in messages. Raises `PotshareError` for floats (10.0 too: a float somewhere in the
    chain is how chips get lost), bools, text, and for smaller numbers.
    """
    if isinstance(value, bool):
        raise PotshareError(f"{where} is {value}, a yes or no; {hint}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise PotshareError(f"{where} is {value!r}; {hint}") from None
    if number < least:
        raise PotshareError(f"{where} is {number}; the least is {least}")
    return number


def _chip_list(values: object, where: str) -> list[int]:
    return [whole_number(v, f"{where}[{seat}]") for seat, v in enumerate(_listed(values, where))]


def _folded_flags(folded: object, seats: int) -> list[bool]:
    values = _listed(folded, "folded")
    if all(isinstance(v, bool) for v in values) and values:
        if len(values) != seats:
            raise PotshareError(f"folded has {len(values)} flags for {seats} seats: write one per seat")
        return list(values)
    flags = [False] * seats
    for place, value in enumerate(values):
        seat = whole_number(
            value,
            f"folded[{place}]",
            hint="write True or False for every seat, or the numbers of the folded seats",
        )
        if seat >= seats:
            raise PotshareError(f"folded[{place}] is seat {seat}, but the seats are 0..{seats - 1}")
        if flags[seat]:
            raise PotshareError(
                f"folded names seat {seat} twice: it takes seat numbers, or True and False for every seat (not 1 and 0)"
            )
        flags[seat] = True
    return flags


def _order(order: Sequence[int] | None, seats: int, where: str) -> tuple[int, ...]:
    """All seats in the order in which they get odd chips: the named ones, then the others by number."""
    named: list[int] = []
    for place, value in enumerate(() if order is None else _listed(order, where)):
        seat = whole_number(value, f"{where}[{place}]", hint="write seat numbers, first to get an odd chip first")
        if seat >= seats:
            raise PotshareError(f"{where}[{place}] is seat {seat}, but the seats are 0..{seats - 1}")
        if seat in named:
            raise PotshareError(f"{where} names seat {seat} twice")
        named.append(seat)
    return (*named, *(seat for seat in range(seats) if seat not in named))


def _orders(
    order: Sequence[int] | Sequence[Sequence[int]] | None, halves: int, seats: int
) -> tuple[tuple[int, ...], ...]:
    """The odd-chip order of each half."""
    if order is None:
        return (tuple(range(seats)),) * halves
    values = _listed(order, "odd_chip_order")
    nested = [isinstance(v, Iterable) for v in values]
    if not any(nested):
        return (_order(values, seats, "odd_chip_order"),) * halves
    if not all(nested) or len(values) != halves:
        raise PotshareError(
            f"odd_chip_order has {len(values)} entries for {halves} halves: write one order of seats for all "
            f"halves, or one order per half"
        )
    return tuple(_order(v, seats, f"odd_chip_order[{half}]") for half, v in enumerate(values))


def _half_lists(halves: object, seats: int) -> tuple[tuple[int, ...], ...]:
    found = []
    for half, values in enumerate(_listed(halves, "halves")):
        if not isinstance(values, Iterable):
            raise PotshareError(
                f"halves[{half}] is {values!r}: write one sequence of strengths per half, also "
                f"where there is only one: [[10, 2, 10]]"
            )
        strengths = tuple(
            whole_number(v, f"halves[{half}][{seat}]", hint="a strength is a whole number, 0 for no qualifying hand")
            for seat, v in enumerate(_listed(values, f"halves[{half}]"))
        )
        if len(strengths) != seats:
            raise PotshareError(f"halves[{half}] has {len(strengths)} strengths for {seats} seats: write one per seat")
        found.append(strengths)
    return tuple(found)


def _group_sizes(groups: Sequence[int] | None, halves: int) -> tuple[int, ...]:
    if groups is None:
        return (halves,)
    sizes = tuple(
        whole_number(size, f"groups[{place}]", 1, "write how many halves each board has")
        for place, size in enumerate(_listed(groups, "groups"))
    )
    if sum(sizes) != halves:
        raise PotshareError(f"groups {sizes} name {sum(sizes)} halves, but there are {halves}")
    return sizes


def money_layers(
    contributions: Sequence[int],
    folded: Sequence[bool] | Sequence[int] = (),
    dead: Sequence[int] | None = None,
) -> tuple[Pot, ...]:
    """The layers of the money, main pot first: who put in how much, and who may win it.

    The distinct contributions of the live seats are the levels. A layer holds what everybody, folded seats
    too, put in between two levels, and may be won by the live seats that reached the upper one. Folded money
    above the highest level goes to the top layer. The last layer may have a single eligible seat.

    Parameters as in `settle`. Raises `PotshareError` for anything but whole chips, and when everybody folded.
    """
    chips = _chip_list(contributions, "contributions")
    flags = _folded_flags(folded, len(chips))
    extra = _dead_chips(dead, len(chips))
    return _layers(chips, flags, extra)


def _dead_chips(dead: Sequence[int] | None, seats: int) -> list[int]:
    extra = [0] * seats if dead is None else _chip_list(dead, "dead")
    if len(extra) != seats:
        raise PotshareError(f"dead has {len(extra)} amounts for {seats} seats: write one per seat")
    return extra


def _layers(chips: list[int], folded: list[bool], dead: list[int]) -> tuple[Pot, ...]:
    live = [seat for seat, out in enumerate(folded) if not out]
    if not folded:
        raise PotshareError("there are no seats: contributions needs one amount per seat")
    if not live:
        raise PotshareError("every seat has folded: at least one must be left to win the pot")
    # A seat that put nothing in plays for nothing, unless no live seat put anything in: somebody must win it.
    live = [seat for seat in live if chips[seat] + dead[seat]] or live
    levels = sorted({chips[seat] for seat in live})
    layers = []
    below = 0
    for level in levels:
        amount = sum(min(c, level) - min(c, below) for c in chips)
        if level == levels[0]:
            amount += sum(dead)
        if level == levels[-1]:
            amount += sum(max(c - level, 0) for c in chips)
        if amount:
            layers.append(Pot(amount, tuple(seat for seat in live if chips[seat] >= level)))
        below = level
    return tuple(layers)


def split_evenly(amount: int, winners: Sequence[int], order: Sequence[int], seats: int) -> tuple[int, ...]:
    """`amount` chips shared by tied `winners`: per seat what it gets.

    The odd chips go one each to the first winners of `order`, so nobody gets more than one.
    """
    base, odd = divmod(amount, len(winners))
    paid = [0] * seats
    for place, seat in enumerate(seat for seat in order if seat in winners):
        paid[seat] = base + (place < odd)
    return tuple(paid)


def _part_amounts(amount: int, open_parts: Sequence[bool]) -> list[int]:
    """`amount` shared by the parts that somebody can win; odd chips go to the first of them (the high)."""
    base, odd = divmod(amount, sum(open_parts))
    amounts = []
    for can_win in open_parts:
        amounts.append(base + (odd > 0) if can_win else 0)
        odd -= can_win
    return amounts


def _award(
    pot: Pot,
    halves: tuple[tuple[int, ...], ...],
    orders: tuple[tuple[int, ...], ...],
    sizes: tuple[int, ...],
    seats: int,
) -> tuple[tuple[int, ...], ...]:
    best = [max((strengths[seat] for seat in pot.eligible), default=0) for strengths in halves]
    if not any(best):
        seats_named = ", ".join(map(str, pot.eligible))
        raise PotshareError(
            f"nobody can win the pot of {pot.amount}: seats {seats_named} have no strength above 0 in any "
            f"half; give the strength of each hand shown, and name in `folded` the seats that mucked"
        )
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    slices = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    amounts: list[int] = []
    for group_amount, part in zip(_part_amounts(pot.amount, [any(best[part]) for part in slices]), slices, strict=True):
        wanted = [value > 0 for value in best[part]]
        amounts += _part_amounts(group_amount, wanted) if any(wanted) else [0] * len(wanted)
    paid = []
    for half, amount in enumerate(amounts):
        if best[half]:
            winners = [seat for seat in pot.eligible if halves[half][seat] == best[half]]
            paid.append(split_evenly(amount, winners, orders[half], seats))
        else:
            paid.append((0,) * seats)
    return tuple(paid)


def settle(
    contributions: Sequence[int],
    folded: Sequence[bool] | Sequence[int],
    halves: Sequence[Sequence[int]],
    odd_chip_order: Sequence[int] | Sequence[Sequence[int]] | None = None,
    *,
    groups: Sequence[int] | None = None,
    dead: Sequence[int] | None = None,
) -> Settlement:
    """Settles a hand: pots, who wins each half of each, and what everybody is paid.

    - `contributions`: chips that each seat put in during the whole hand; seat 0 is the first left of the
      button.
    - `folded`: True or False for every seat, or the numbers of the seats that folded (an empty sequence:
      nobody). 1 and 0 in place of True and False are refused.
    - `halves`: for each half of the pot, the high first, a strength per seat: larger wins, equal ties, 0 is
      no qualifying hand. Strengths of folded seats are ignored. With one live seat it may be empty. A half
      that nobody eligible qualifies for goes to the other halves, for each pot separately.
    - `odd_chip_order`: seats in the order in which tied hands get odd chips, one order for all halves or one
      per half; seats that it leaves out follow by number. By default the order of seats, which is the button
      game's rule; `stud_odd_chip_order` gives the one of stud. A half's own odd chip goes to the earlier
      half.
    - `groups`: how many consecutive halves belong together, `(2, 2)` for two boards played high-low. The pot
      is first divided among the groups, so that a low that nobody has goes to the high of the same board.
    - `dead`: chips per seat that count for no bet, such as a big-blind ante: they go to the main pot and are
      never returned. Contributions do not include them.

    Raises `PotshareError` for amounts or strengths that are not whole numbers, sequences of different
    lengths, unknown seats, when everybody folded, and when a contested pot has no hand in any half.
    """
    chips = _chip_list(contributions, "contributions")
    seats = len(chips)
    flags = _folded_flags(folded, seats)
    extra = _dead_chips(dead, seats)
    strengths = _half_lists(halves, seats)
    orders = _orders(odd_chip_order, len(strengths), seats)
    sizes = _group_sizes(groups, len(strengths))
    layers = _layers(chips, flags, extra)

    returned = [0] * seats
    top = max(range(seats), key=lambda seat: chips[seat])
    if not flags[top]:
        returned[top] = chips[top] - max((c for seat, c in enumerate(chips) if seat != top), default=0)
    uncontested = [0] * seats
    for layer in layers:
        if len(layer.eligible) == 1:
            seat = layer.eligible[0]
            uncontested[seat] = layer.amount - returned[seat]
    pots = tuple(layer for layer in layers if len(layer.eligible) > 1)
    awards = tuple(_award(pot, strengths, orders, sizes, seats) for pot in pots)
    payouts = tuple(
        returned[seat] + uncontested[seat] + sum(half[seat] for pot in awards for half in pot) for seat in range(seats)
    )
    return Settlement(
        pots=pots,
        payouts=payouts,
        net=tuple(paid - put - lost for paid, put, lost in zip(payouts, chips, extra, strict=True)),
        returned=tuple(returned),
        uncontested=tuple(uncontested),
        layers=layers,
        awards=awards,
    )


def stud_odd_chip_order(
    hands: Sequence[str | Sequence[int]],
    card: Literal["highest", "lowest"] = "highest",
    *,
    ace_low: bool = False,
) -> tuple[int, ...]:
    """The seats in the order of stud's odd chips: by the highest card, suits spades, hearts, diamonds, clubs.

    `hands` has for each seat the cards that decide, as text or card numbers: the five that play, or all. An
    empty hand (folded) comes last. `card="lowest"` orders by the lowest card instead, clubs first: one of the
    two rules in use for the low half (give it as that half's order to `settle`); `ace_low` counts the ace
    below the two. Hands that share the deciding card (a community card) go by their next one, then by seat.

    Raises `PotshareError` for an unknown rule and for cards that cannot be read.
    """
    if card not in ("highest", "lowest"):
        raise PotshareError(f"card is {card!r}: write 'highest' or 'lowest'")

    def key(seat: int) -> tuple[bool, list[tuple[int, int]], int]:
        cards = [((c >> 2) if not ace_low or c < 48 else -1, c & 3) for c in as_cards(hands[seat])]
        if card == "highest":
            return not cards, [(-rank, -suit) for rank, suit in sorted(cards, reverse=True)], seat
        return not cards, sorted(cards), seat

    return tuple(sorted(range(len(hands)), key=key))


def spade_strength(down: str | Sequence[int]) -> int:
    """The strength of a player's face-down cards for the spade half of the pot in Chicago.

    13 for the ace of spades down to 1 for the two, 0 without a spade. Cards face up must not be given: they
    do not count. If no live player has a spade, `settle` gives the whole pot to the best hand.
    """
    return max(((c >> 2) + 1 for c in as_cards(down) if c & 3 == 3), default=0)

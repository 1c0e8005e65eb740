"""Who opens, who acts first, what may be bet, when the deck runs short, and how draws are dealt.

Plain functions of what is on the table: they know rules, not games. A game says which rules it has in a few
words (`STUD`, `RAZZ` and so on are such statements for stud games), because the same rule serves many games
and the same game is played by different rules in different rooms. Where two answers are in real use there is
a parameter, and its default is this project's decision.

Seats are numbers. Where a rule speaks of the dealer's left, the seats are taken in ascending order (seat 1,
or 0, sits left of the dealer) unless `order` lists them clockwise from there. Seats that have folded are
left out. Amounts are whole chips, as in `potshare.simulate.showdown`; a `BetRange` is what the player puts in
with this action, the call included, and "raise to" is what he then has in for the round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from potshare.errors import PotshareError
from potshare.evaluator.cards import JOKER, RANKS, as_cards, card_name, format_cards
from potshare.simulate.showdown import whole_number

COUNT = "write a whole number"

BringIn = Literal["low card", "high card"]
First = Literal["highest board", "lowest board"]


@dataclass(frozen=True)
class StudRules:
    """How a stud game opens: who brings in, whose board acts first, whether an open pair doubles the limit.

    `ace_low` counts the ace below the two, for the bring-in and for low boards. `open_pair_doubles`: with a
    pair in sight on fourth street the higher limit may be bet.
    """

    bring_in: BringIn = "low card"
    first: First = "highest board"
    ace_low: bool = False
    open_pair_doubles: bool = False


STUD = StudRules(open_pair_doubles=True)
STUD_HILO = StudRules()
"""High-low, with or without a qualifier. Some rooms give the option of the higher limit here too."""
RAZZ = StudRules("high card", "lowest board", ace_low=True)
FIVE_CARD_STUD = StudRules()
LOWBALL_STUD = RAZZ
"""Five-card stud for low: opened as razz. To some the worst board, which acts first, is the highest."""


def _choice(value: str, choices: Collection[str], where: str) -> None:
    if value not in choices:
        raise PotshareError(f"{where} is {value!r}: write {' or '.join(repr(c) for c in choices)}")


def _count(value: object, where: str, least: int = 0) -> int:
    return whole_number(value, where, least, COUNT)


def _chips(value: object, where: str, least: int = 0) -> int:
    return whole_number(value, where, least)


def _clockwise(seats: Collection[int], order: Sequence[int] | None) -> list[int]:
    """The seats from the dealer's left."""
    if not seats:
        raise PotshareError("there is no live seat: give at least one seat with its cards")
    if order is None:
        return sorted(seats)
    missing = [seat for seat in seats if seat not in order]
    if missing or len(set(order)) != len(order):
        raise PotshareError(f"order {tuple(order)} must name every seat once; missing: {missing or 'none'}")
    return [seat for seat in order if seat in seats]


def _boards(boards: Mapping[int, str | Sequence[int]]) -> dict[int, tuple[int, ...]]:
    found = {}
    owner: dict[int, int] = {}
    for seat, shown in boards.items():
        try:
            cards = as_cards(shown)
        except PotshareError as error:
            raise PotshareError(f"the up cards of seat {seat}: {error}") from error
        if not cards:
            raise PotshareError(f"seat {seat} shows no card: leave out seats that have folded")
        for c in cards:
            if c in owner:
                raise PotshareError(f"the card {card_name(c)} lies before seat {owner[c]} and seat {seat}")
            owner[c] = seat
        found[seat] = cards
    return found


# Who opens and who acts first.


def bring_in_seat(door: Mapping[int, str | int], rule: BringIn = "low card", *, ace_low: bool = False) -> int:
    """The seat that must bring in: the lowest or the highest door card, equal ranks by suit.

    `door` has one card per seat. Suits rank clubs, diamonds, hearts, spades, so with "low card" the two of
    clubs always opens, and with "high card" and `ace_low` (razz) the king of spades. Also the opener of
    five-card stud; where that is opened by the highest card and nobody is forced, ask `first_to_act`.

    Raises `PotshareError` for an unknown rule, unreadable or repeated cards, and a seat with several cards.
    """
    _choice(rule, ("low card", "high card"), "rule")
    cards = _boards({seat: shown if isinstance(shown, str) else (shown,) for seat, shown in door.items()})
    _clockwise(cards, None)
    for seat, shown in cards.items():
        if len(shown) != 1:
            raise PotshareError(
                f"seat {seat} has {len(shown)} door cards, {format_cards(shown)}: give the one that decides"
            )

    def height(seat: int) -> tuple[int, int]:
        c = cards[seat][0]
        return (-1 if ace_low and c >> 2 == 12 else c >> 2), c & 3

    return min(cards, key=height) if rule == "low card" else max(cards, key=height)


def board_key(ranks: Iterable[int], *, ace_low: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What up cards are worth: compare the keys of two boards, the larger is the higher board.

    `ranks` are 0..12 for two to ace. Only pairs, two pair, trips, quads and high cards count, never straights
    or flushes. A board with an extra kicker is higher than the same without it. The lowest board for low is
    the least key, with `ace_low` where the ace is low.
    """
    lowered = [-1 if ace_low and r == 12 else r for r in ranks]
    groups = sorted(((lowered.count(r), r) for r in set(lowered)), reverse=True)
    # Single cards stay out of the shape: boards of different sizes must differ by what they make alone.
    return tuple(count for count, _ in groups if count > 1), tuple(r for _, r in groups)


def compare_partial(a: str | Sequence[int], b: str | Sequence[int]) -> int:
    """Compares two showing hands for high: 1 if `a` is higher, -1 if `b` is, 0 if equal.

    The hands are one to four cards (text or numbers) or ranks alone as text, `K2`. By `board_key`: a pair
    beats an ace, and K-2 beats a lone king. Raises `PotshareError` for more cards: with five, straights and
    flushes count, and the ranking of whole hands is the one to ask.
    """
    keys = [board_key(_ranks_of(hand)) for hand in (a, b)]
    return (keys[0] > keys[1]) - (keys[0] < keys[1])


def _ranks_of(hand: str | Sequence[int]) -> list[int]:
    if isinstance(hand, str) and all(c in RANKS for c in hand):
        ranks = [RANKS.index(c) for c in hand]
    else:
        ranks = [c >> 2 for c in as_cards(hand)]
    if not 1 <= len(ranks) <= 4:
        raise PotshareError(f"{len(ranks)} cards are not a showing hand: give one to four")
    return ranks


def first_to_act(
    boards: Mapping[int, str | Sequence[int]],
    first: First = "highest board",
    *,
    ace_low: bool = False,
    order: Sequence[int] | None = None,
) -> int:
    """The seat that acts first by the up cards: the highest board, or the lowest for low games.

    `boards` has the up cards of each live seat, players all-in included. Boards compare by `board_key`; of
    equal boards the one nearest the dealer's left acts, suits never decide. If that player is all-in,
    `next_seat` of those who can act goes on. On a river dealt as a community card the boards are those of
    sixth street, and so is the answer.

    Raises `PotshareError` for an unknown rule and for unreadable, missing or repeated cards.
    """
    _choice(first, ("highest board", "lowest board"), "first")
    cards = _boards(boards)
    seats = _clockwise(cards, order)
    keys = {seat: board_key((c >> 2 for c in cards[seat]), ace_low=ace_low) for seat in seats}
    best = max(keys.values()) if first == "highest board" else min(keys.values())
    return next(seat for seat in seats if keys[seat] == best)


def next_seat(after: int, seats: Collection[int], order: Sequence[int] | None = None) -> int:
    """The next of `seats` clockwise after a seat, which need not be one of them.

    `next_seat(button, live)` acts first in button games after the first round, and draws first; pass the
    seats that can still act. Without `order` the seats go round by number. Raises `PotshareError` without
    seats.
    """
    if not seats:
        raise PotshareError("there is no seat left to act")
    if order is None:
        return min((seat for seat in seats if seat > after), default=min(seats))
    _clockwise({*seats, after}, order)
    at = list(order).index(after)
    return next(seat for seat in (*order[at + 1 :], *order[: at + 1]) if seat in seats)


def blind_seats(button: int, dealt_in: Collection[int], *, heads_up_button_small: bool = True) -> tuple[int, int]:
    """The seats of the small and the big blind: the two seats left of the button.

    With two players the button has the small blind and acts first before the flop, as nearly everywhere;
    `heads_up_button_small=False` keeps the order of a full table. The first round is opened by
    `next_seat(big_blind, live)`. Raises `PotshareError` for fewer than two seats.
    """
    if len(set(dealt_in)) < 2:
        raise PotshareError("blinds need two players: name the seats that are dealt in")
    small = next_seat(button, dealt_in)
    if len(set(dealt_in)) == 2 and button in dealt_in and heads_up_button_small:
        small = button
    return small, next_seat(small, dealt_in)


# Forced bets.


def small_blind(min_bet: int, unit: int = 1, *, cents_per_chip: int = 100) -> int:
    """The small blind in chips: half the minimum bet, rounded down to `unit` (the smallest amount in use).

    One exception: where the minimum bet is five cents the small blind is three cents. It needs to be known
    what a chip is worth, a dollar unless `cents_per_chip` says otherwise; `small_blind(5, cents_per_chip=1)`
    is 3. Raises `PotshareError` for amounts that are not whole chips.
    """
    least = _chips(min_bet, "min_bet", 1)
    step = _chips(unit, "unit", 1)
    cents = _count(cents_per_chip, "cents_per_chip", 1)
    if least * cents == 5 and 3 % cents == 0:
        return 3 // cents
    return least // 2 // step * step


def counts_as_full_blind(stack: int, blind: int) -> bool:
    """Whether a stack too short for the blind still counts as having posted it: from half a blind on.

    With less (at least one chip) the player gets a hand, the next player takes the blind, and he cannot have
    the button.
    """
    return 2 * _chips(stack, "stack", 1) >= _chips(blind, "blind", 1)


def bring_in_amounts(lo: int, unit: int = 1) -> tuple[int, ...]:
    """What the bring-in may be, ascending: half the lower limit (rounded down to `unit`) or all of it."""
    full = _chips(lo, "lo", 1)
    step = _chips(unit, "unit", 1)
    half = full // 2 // step * step
    return (half, full) if half else (full,)


def bring_in_levels(lo: int, bring_in: int, *, cap: int = 4, completion_is_raise: bool = False) -> tuple[int, ...]:
    """What the bets of the first stud round amount to, the bring-in first: at 2-4 with half, 1, 2, 4, 6, 8.

    The first raise over a half bring-in completes it to the lower limit, and every further one adds the lower
    limit. `cap` is one bet and the raises allowed. By default completing is not a raise, so that the raises
    are counted from the full bet; `completion_is_raise` counts it, and the round ends at 6 in the example.
    The second entry is what the next player may raise to. Raises `PotshareError` for a bring-in above `lo`.
    """
    full = _chips(lo, "lo", 1)
    opened = _chips(bring_in, "bring_in", 1)
    bets = _count(cap, "cap", 1)
    if opened > full:
        raise PotshareError(f"bring_in is {opened}, above the lower limit {full}: the bring-in is at most that")
    if opened == full:
        return tuple(full * (i + 1) for i in range(bets))
    completed = bets - 1 if completion_is_raise else bets
    return (opened, *(full * (i + 1) for i in range(completed)))


# What may be bet.


@dataclass(frozen=True)
class BetRange:
    """The chips that a bet or raise may put in with this action, the call included: `least` to `most`.

    A stack below the regular least may go in whole; then both are the stack.
    """

    least: int
    most: int


def _range(least: int, most: int, to_call: int, stack: int | None) -> BetRange | None:
    """The range that is left to a stack; None where it can only call."""
    if stack is None:
        return BetRange(least, most)
    if _chips(stack, "stack") <= to_call:
        return None
    return BetRange(min(least, stack), min(most, stack))


def no_limit_range(stack: int, to_call: int, last_raise: int, big_blind: int) -> BetRange | None:
    """What may be bet or raised at no limit: at least the last raise and the big blind, at most the stack.

    `to_call` is what a call costs (0: nobody has bet), `last_raise` the size of the last full bet or raise of
    the round, 0 if there was none. None if the stack only suffices to call.
    """
    call = _chips(to_call, "to_call")
    step = max(_chips(last_raise, "last_raise"), _chips(big_blind, "big_blind", 1))
    return _range(call + step, max(_chips(stack, "stack"), call + step), call, stack)


def pot_limit_range(
    pot: int, bets: Sequence[int], to_call: int, last_raise: int, big_blind: int, stack: int | None = None
) -> BetRange | None:
    """What may be bet or raised at pot limit: a raise of at most the pot after calling.

    `pot` is the pot before this round, `bets` all bets of the round on the table (the player's own included).
    The most is the call plus `pot`, `bets` and the call once more: pot 100, bets of 100 and 100, to call 100:
    500. The least as in `no_limit_range`; it is allowed even where the pot is smaller than that. None if the
    stack only suffices to call.
    """
    call = _chips(to_call, "to_call")
    least = call + max(_chips(last_raise, "last_raise"), _chips(big_blind, "big_blind", 1))
    return _range(least, max(least, pot_limit_most(pot, bets, to_call)), call, stack)


def pot_limit_most(pot: int, bets: Sequence[int], to_call: int) -> int:
    """The most that a player may put in at pot limit, the call included; parameters as `pot_limit_range`."""
    call = _chips(to_call, "to_call")
    on_table = sum(_chips(bet, f"bets[{i}]") for i, bet in enumerate(bets))
    return call + _chips(pot, "pot") + on_table + call


def spread_limit_range(
    lo: int, hi: int, to_call: int = 0, last_raise: int = 0, stack: int | None = None
) -> BetRange | None:
    """What may be bet or raised at spread limit: `lo` to `hi`, and a raise no less than the last one.

    `last_raise` is the size of the last bet or raise of the round, 0 if there was none. None if the stack
    only suffices to call. Raises `PotshareError` for limits the wrong way round or a raise above them.
    """
    call = _chips(to_call, "to_call")
    low = _chips(lo, "lo", 1)
    high = _chips(hi, "hi", 1)
    if low > high:
        raise PotshareError(f"the limits {low} to {high} are the wrong way round")
    least = max(low, _chips(last_raise, "last_raise"))
    if least > high:
        raise PotshareError(f"last_raise is {least}, above the limit {high}")
    return _range(call + least, call + high, call, stack)


def structured_openings(forced: int, lo: int, bet: int = 0) -> tuple[int, ...]:
    """What the bets of the first round of structured-limit stud may amount to next.

    Until the full lower limit has been bet, the forced amount and the lower limit are open to everybody, as
    far as they are above the present `bet`; then bets go up by the lower limit.
    """
    small = _chips(forced, "forced", 1)
    full = _chips(lo, "lo", 1)
    now = _chips(bet, "bet")
    return tuple(sorted({a for a in (small, full) if a > now})) if now < full else (now + full,)


def round_unit(betting_round: int, lo: int, hi: int, upper_from: int = 3) -> int:
    """The unit of a fixed-limit betting round, counted from 1: the higher limit from round `upper_from` on.

    3 for hold'em, Omaha and seven-card stud; 2 for draw, where the round after the draw is the larger.
    """
    low, high = _chips(lo, "lo", 1), _chips(hi, "hi", 1)
    return high if _count(betting_round, "betting_round", 1) >= upper_from else low


def fixed_limit_levels(unit: int, cap: int = 4) -> tuple[int, ...]:
    """What the bets of a fixed-limit round amount to, up to the cap: at 3, it is 3, 6, 9, 12."""
    return tuple(_chips(unit, "unit", 1) * (i + 1) for i in range(_count(cap, "cap", 1)))


def may_raise_at_limit(
    bets: int, players: int, cap: int = 4, *, heads_up_capped: bool = False, capped_before: bool = False
) -> bool:
    """Whether one more bet or raise is allowed in a fixed-limit round.

    `bets` counts bets and raises so far (the big blind is one); `cap` is one bet and three raises. `players`
    are those in contention: with two there is no cap, unless `heads_up_capped` says that the house has no
    such exemption, or `capped_before` that the cap was reached in this round while there were more.
    """
    made = _count(bets, "bets")
    limit = _count(cap, "cap", 1)
    if _count(players, "players", 1) <= 2 and not heads_up_capped and not capped_before:
        return True
    return made < limit and not capped_before


def fixed_limit_range(
    unit: int,
    bets: int,
    players: int,
    to_call: int = 0,
    stack: int | None = None,
    cap: int = 4,
    *,
    heads_up_capped: bool = False,
    capped_before: bool = False,
) -> BetRange | None:
    """The bet or raise of a fixed-limit round, exactly one unit over the call, or None where none is allowed.

    Parameters as in `may_raise_at_limit`; after a short all-in `after_short_all_in` says what is next.
    """
    call = _chips(to_call, "to_call")
    total = call + _chips(unit, "unit", 1)
    if not may_raise_at_limit(bets, players, cap, heads_up_capped=heads_up_capped, capped_before=capped_before):
        return None
    return _range(total, total, call, stack)


def after_short_all_in(bet: int, all_in: int, unit: int, *, half_bet_rule: bool = False) -> tuple[int, int]:
    """What the next player may do at fixed limit after an all-in for less than a raise: (call, raise to).

    `bet` is the bet before the all-in (0: the all-in opened), `all_in` what the all-in player has in. Less
    than a full raise is action only: the next player may call it or complete the raise (bet 10, all-in 18:
    18 or 20). With `half_bet_rule`, half a unit or more counts as a full raise and the next one goes a unit
    above it (18 or 28). An all-in that does not reach the bet changes nothing.

    Raises `PotshareError` for an all-in of more than a unit above the bet.
    """
    before = _chips(bet, "bet")
    into = _chips(all_in, "all_in", 1)
    step = _chips(unit, "unit", 1)
    over = into - before
    if over > step:
        raise PotshareError(f"all_in is {into}, more than a raise of {step} over the bet of {before}")
    if over <= 0:
        return before, before + step
    if over == step or (half_bet_rule and 2 * over >= step):
        return into, into + step
    return into, before + step


def has_open_pair(boards: Mapping[int, str | Sequence[int]]) -> bool:
    """Whether any of the boards shows a pair."""
    return any(len({c >> 2 for c in cards}) < len(cards) for cards in _boards(boards).values())


def fourth_street_bets(
    lo: int, hi: int, open_pair: bool, rules: StudRules = STUD, *, higher_used: bool = False
) -> tuple[int, ...]:
    """The units that may be bet or raised on fourth street of a fixed-limit stud game.

    The lower limit; with an open pair in sight and rules under which that matters (`open_pair_doubles`: stud
    high, by default not high-low and razz), either limit, and only the higher once that has been bet.
    """
    low, high = _chips(lo, "lo", 1), _chips(hi, "hi", 1)
    if not (open_pair and rules.open_pair_doubles):
        if higher_used:
            raise PotshareError("the higher limit cannot have been bet on fourth street without an open pair")
        return (low,)
    return (high,) if higher_used else (low, high)


# When the deck runs short.


@dataclass(frozen=True)
class River:
    """How the last card of seven-card stud is dealt: `mode`, cards left before it, live players."""

    mode: Literal["individual", "community"]
    cards_left: int
    live: int


def seven_stud_river(dealt_in: int, folded_with: Sequence[int] = (), *, burns: int = 0, deck: int = 52) -> River:
    """Whether everybody gets his own seventh card or one card lies in the middle for all.

    `dealt_in` players started; `folded_with` has for each that folded how many cards he had then (3 to 6).
    Players all-in are live. If fewer cards are left than live players, one community card is dealt: nothing
    is reshuffled in stud. `burns` counts burn cards up to and including the one before the river.

    Raises `PotshareError` for impossible numbers of players or cards.
    """
    started = _count(dealt_in, "dealt_in", 1)
    held = [_count(cards, f"folded_with[{i}]", 3) for i, cards in enumerate(folded_with)]
    for i, cards in enumerate(held):
        if cards > 6:
            raise PotshareError(f"folded_with[{i}] is {cards}: before the river a player has three to six cards")
    live = started - len(held)
    if live < 1:
        raise PotshareError(f"{len(held)} of {started} players have folded: at least one must be left")
    left = _count(deck, "deck", 1) - sum(held) - 6 * live - _count(burns, "burns")
    if left < 0:
        raise PotshareError(f"{started} players cannot be dealt to sixth street: {-left} cards are missing")
    return River("individual" if left >= live else "community", left, live)


DrawLimit = Literal["hoyle", "home", "online"]


def most_discards(rule: DrawLimit, kept: str | Sequence[int] = (), wild_ranks: Collection[int] = ()) -> int:
    """How many of five cards a player may throw away: `hoyle` 3, `online` 5, `home` 3.

    At home four may go if the one card kept is an ace or wild (a joker, or of `wild_ranks`, 0..12), so there
    the answer depends on `kept`, as text or card numbers. Raises `PotshareError` for an unknown rule.
    """
    _choice(rule, ("hoyle", "home", "online"), "rule")
    cards = as_cards(kept, jokers=True)
    if rule == "online":
        return 5
    if rule == "home" and len(cards) == 1:
        c = cards[0]
        return 4 if c >= JOKER or c >> 2 == 12 or c >> 2 in wild_ranks else 3
    return 3


def draw_allowed(
    rule: DrawLimit, discards: int, kept: str | Sequence[int] = (), wild_ranks: Collection[int] = ()
) -> bool:
    """Whether a player may throw away so many cards; standing pat is 0. Parameters as in `most_discards`."""
    return _count(discards, "discards") <= most_discards(rule, kept, wild_ranks)


Reshuffle = Literal["stub first", "stub joins", "folded first"]


@dataclass
class DrawTable:
    """The cards of a draw game in play: every card of the deck is in exactly one of the piles.

    - `stub`: what is left of the deck, the next card first.
    - `hands`: the cards of each live seat.
    - `muck`: the cards of folded hands.
    - `discards`: cards thrown away in draws that have not been shuffled again.
    - `thrown`: for each seat every card it has thrown away in this deal, wherever that card is now.
    """

    stub: list[int]
    hands: dict[int, list[int]]
    muck: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    thrown: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def deal(cls, deck: Sequence[int], seats: Sequence[int], cards: int = 5) -> DrawTable:
        """Deals `cards` to each seat, one at a time in the order of `seats`, from the top of `deck`.

        Raises `PotshareError` for a repeated card or seat and for more cards than the deck has.
        """
        each = _count(cards, "cards", 1)
        if len(set(deck)) != len(deck):
            raise PotshareError("the deck holds a card twice")
        if len(set(seats)) != len(seats):
            raise PotshareError(f"seats {tuple(seats)} name a seat twice")
        if each * len(seats) > len(deck):
            raise PotshareError(f"{len(seats)} players with {each} cards need more than the {len(deck)} of the deck")
        used = each * len(seats)
        hands = {seat: list(deck[place : used : len(seats)]) for place, seat in enumerate(seats)}
        return cls(list(deck[used:]), hands)

    def fold(self, seat: int) -> None:
        """Mucks a hand. Raises `PotshareError` if the seat has none."""
        self.muck.extend(self._hand(seat))
        del self.hands[seat]

    def _hand(self, seat: int) -> list[int]:
        if seat not in self.hands:
            raise PotshareError(f"seat {seat} has no hand; seats in play: {', '.join(map(str, sorted(self.hands)))}")
        return self.hands[seat]


@dataclass(frozen=True)
class Replacement:
    """What a draw gave: the cards, how many of them came from the stub and how many after a shuffle, and the
    number of cards that were shuffled (0: the stub sufficed)."""

    cards: tuple[int, ...]
    from_stub: int
    shuffled: int
    from_shuffle: int


def replace_cards(
    table: DrawTable,
    seat: int,
    discards: Sequence[int],
    shuffle: Callable[[list[int]], Any],
    rule: Reshuffle = "stub first",
) -> Replacement:
    """Throws away a seat's `discards` and deals as many cards to it; `table` is changed.

    Call it for each live player in turn: what the first throws away may reach the third. If the stub cannot
    fill the request, the player gets what is left of it, then the folded hands and the discards so far are
    shuffled by `shuffle` (in place, as `random.Random(7).shuffle`) and become the stub. A player is never
    dealt a card that he threw away in this deal, in this draw or an earlier one: such cards stay out of his
    shuffle, and where another's shuffle brought one into the stub, it is passed over and left to the next.

    `rule` says what is shuffled: "stub first" as above; "stub joins": the rest of the stub is shuffled in
    before dealing; "folded first": the folded hands alone, and the discards only when these do not suffice.

    Raises `PotshareError`, and changes nothing, if the seat is not in play, does not hold a discard, or if
    there are not enough cards that it may get (with eight players that takes three draws).
    """
    _choice(rule, ("stub first", "stub joins", "folded first"), "rule")
    hand = table._hand(seat)
    wanted = len(discards)
    for c in discards:
        if c not in hand or list(discards).count(c) > 1:
            raise PotshareError(
                f"seat {seat} cannot throw away {format_cards([c])}: each discard must be one of "
                f"{format_cards(hand)}, once"
            )
    barred = table.thrown.get(seat, set()) | set(discards)
    there = sum(c not in barred for c in (*table.stub, *table.muck, *table.discards))
    if there < wanted:
        raise PotshareError(
            f"seat {seat} wants {wanted} cards, but only {there} are left that it did not throw away itself: "
            f"play with fewer seats"
        )
    table.thrown[seat] = barred
    hand[:] = [c for c in hand if c not in discards]
    table.discards.extend(discards)

    if rule == "stub joins" and sum(c not in barred for c in table.stub) < wanted:
        table.discards.extend(table.stub)
        table.stub.clear()
    dealt = _take(table.stub, wanted, barred)
    from_stub, shuffled = len(dealt), 0
    for piles in ((table.muck,), (table.discards,)) if rule == "folded first" else ((table.muck, table.discards),):
        if len(dealt) == wanted:
            break
        # Only cards that this player may not get are left in the stub; they wait for another's shuffle.
        pool = [c for pile in piles for c in pile if c not in barred]
        for pile in piles:
            pile[:] = [c for c in pile if c in barred]
        table.discards.extend(table.stub)
        shuffle(pool)
        table.stub[:] = pool
        shuffled += len(pool)
        dealt += _take(table.stub, wanted - len(dealt), barred)
    hand.extend(dealt)
    return Replacement(tuple(dealt), from_stub, shuffled, wanted - from_stub)


def _take(stub: list[int], count: int, barred: Collection[int]) -> list[int]:
    """Takes the first `count` cards off the stub that are not barred; barred ones stay where they are."""
    taken = [c for c in stub if c not in barred][:count]
    stub[:] = [c for c in stub if c not in taken]
    return taken

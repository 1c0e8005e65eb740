"""Poker Hand History files (`.phh` one hand, `.phhs` numbered hands): reading, replay, settlement, verification.

The format is the public standard of the University of Toronto Computer Poker Student Research Group: TOML with
antes, blinds or a bring-in, starting stacks and a list of actions. Replaying needs no betting rules: every action
says who puts in how much, and a street of betting ends where cards are dealt or discarded. What the replay refuses
is what no table allows: chips that a player does not have, actions of folded players, a card in two places.

Chips may be written with decimals. They are counted in the smallest unit that a hand uses, or in a given chip, so that
nothing is rounded.

Two rules of the format: with two players, the antes and blinds are written small blind first although p1 is the
big blind; and untrimmed antes (`ante_trimming_status = false`) are dead money that is never returned.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import UNKNOWN, card_name, format_cards, parse_cards
from potshare.simulate.scoring.batch import half_strengths
from potshare.simulate.scoring.chips import MOST_DECIMALS, Chip
from potshare.simulate.scoring.reading import one_line
from potshare.simulate.showdown import Settlement, settle, stud_odd_chip_order
from potshare.simulate.streams import lines as lines_of
from potshare.simulate.variants import Variant, find_variant

GAMES = {
    "FT": "holdem",
    "NT": "holdem",
    "NS": "short-deck",
    "PO": "omaha",
    "FO/8": "omaha8",
    "F7S": "stud",
    "F7S/8": "stud8",
    "FR": "razz",
    "N2L1D": "deuce-to-seven",
    "F2L3D": "triple-draw",
    "FB": "badugi",
}
"""The game of each variant code."""

LARGEST_HAND = 1 << 20
"""Bytes that one recorded hand may have."""

_MOST_PLAYERS = 24
_SECTION = re.compile(rb"\s*\[\s*(\d+)\s*\]\s*(#.*)?$")
_PLAYER = re.compile(r"p(\d+)")


@dataclass(frozen=True)
class HandHistory:
    """A recorded hand. Amounts are counted in `chip`; a stack of None is unlimited."""

    code: str
    variant: Variant
    trimmed: bool
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    bring_in: int
    starting: tuple[int | None, ...]
    finishing: tuple[int, ...] | None
    actions: tuple[str, ...]
    players: tuple[str, ...]
    chip: Decimal

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.starting)


@dataclass
class Moment:
    """The cards when betting ended for the time being: each hand, the board, the discards so far, the draws made."""

    hands: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    gone: tuple[int, ...]
    draws: int


@dataclass
class Replay:
    """What the actions of a hand came to. All sequences are per seat, from 0.

    `put` are contributions, bets that nobody called included, `dead` untrimmed antes. `mucked` players reached the
    showdown and did not show. `last` is the moment of the last bet, call, check or fold, `after` says whether cards
    came after it; `thrown` are then the discards of the draw that followed. `told` is False where a hand was shown in
    another order than it was dealt, so that it is not known which hidden card came when.
    """

    hand: HandHistory
    put: list[int]
    dead: list[int]
    folded: list[bool]
    mucked: list[bool]
    shown: list[bool]
    cards: list[list[int]]
    board: list[int]
    stacks: list[int | None]
    last: Moment
    after: bool = False
    thrown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    told: list[bool] = field(default_factory=list)

    @property
    def live(self) -> list[int]:
        """The seats that did not fold."""
        return [seat for seat, out in enumerate(self.folded) if not out]


# -- reading --------------------------------------------------------------------------------------------------------


def hands_of(path: str, stream: Any = None) -> Iterator[tuple[str, bytes | str]]:
    """Each hand of a `.phh` or `.phhs` file, its label and its text.

    Only one hand is held in memory. In place of a text that is too large or stands outside of a section there is
    a message (str). Raises `PotshareError` where the file cannot be read.
    """
    name = "standard input" if stream is not None else path
    try:
        if stream is not None:
            yield from _split(stream, name)
            return
        with open(path, "rb") as file:
            yield from _split(file, name)
    except OSError as error:
        raise PotshareError(f"{name} cannot be read: {error.strerror or error}") from None


def _split(file: Any, name: str) -> Iterator[tuple[str, bytes | str]]:
    label = name
    lines: list[bytes] = []
    size = 0
    sections = 0
    for line in lines_of(file, LARGEST_HAND + 1):
        match = _SECTION.fullmatch(line.rstrip(b"\r\n"))
        if match:
            if sections or any(text.strip() and not text.lstrip().startswith(b"#") for text in lines):
                yield label, _text(lines, size)
            sections += 1
            label = f"{name}[{int(match[1])}]"
            lines, size = [], 0
            continue
        size += len(line)
        if size <= LARGEST_HAND:
            lines.append(line)
    if sections or any(text.strip() for text in lines):
        yield label, _text(lines, size)


def _text(lines: list[bytes], size: int) -> bytes | str:
    if size > LARGEST_HAND:
        return f"the hand has {size:,} bytes; no more than {LARGEST_HAND:,} are read"
    return b"".join(re.sub(rb"^(\s*\[\s*)\d+\s*\.\s*", rb"\1", line) if b"[" in line[:20] else line for line in lines)


def files_of(path: str) -> list[str]:
    """The files of hands at a path: the file itself, or all `.phh` and `.phhs` files below a folder, in order.

    Numbers in names count as numbers. Raises `PotshareError` for a folder without any.
    """
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, _, names in os.walk(path):
        found += [os.path.join(folder, n) for n in names if n.lower().endswith((".phh", ".phhs"))]
    if not found:
        raise PotshareError(f"the folder {path} holds no .phh or .phhs files")
    return sorted(found, key=natural)


def natural(path: str) -> list[tuple[int, int, str]]:
    """A key by which numbers in names count as numbers."""
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", path)]


def read_hand(text: bytes | str, chip: Chip | None = None) -> HandHistory:
    """A hand from the text of a `.phh` file or of a section, counted in `chip`, or the smallest unit that it uses.

    Raises `PotshareError` that names the field.
    """
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        data = tomllib.loads(plain, parse_float=Decimal)
    except UnicodeDecodeError:
        raise PotshareError("the hand is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PotshareError(f"the hand is not valid TOML: {error}") from None
    code = data.get("variant")
    if not isinstance(code, str) or code not in GAMES:
        near = "is missing" if code is None else f"is {code!r}"
        raise PotshareError(f"variant {near}; variants are {', '.join(GAMES)}")
    starting = _amounts(data, "starting_stacks")
    seats = len(starting)
    if not 2 <= seats <= _MOST_PLAYERS:
        raise PotshareError(f"starting_stacks has {seats} entries; a hand has 2 to {_MOST_PLAYERS} players")
    antes = _amounts(data, "antes", seats)
    blinds = _amounts(data, "blinds_or_straddles", seats)
    finishing = _amounts(data, "finishing_stacks", seats) if "finishing_stacks" in data else None
    bring_in = _amount(data.get("bring_in", 0), "bring_in")
    actions = data.get("actions")
    if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
        raise PotshareError("actions is missing or not a list of texts")
    names = data.get("players")
    if isinstance(names, list) and len(names) == seats and all(isinstance(n, str) for n in names):
        players = tuple(names)
    else:
        players = tuple(f"p{i + 1}" for i in range(seats))
    every = [*starting, *antes, *blinds, *(finishing or ()), bring_in, *_bets(actions)]
    decimals = max((-_exponent(a) for a in every if a is not None), default=0)
    decimals = max(0, decimals)
    if decimals > MOST_DECIMALS:
        raise PotshareError(f"an amount has {decimals} decimals; chips have at most {MOST_DECIMALS}")
    unit = Decimal(1).scaleb(-decimals) if chip is None else chip.unit
    uneven = next((a for a in every if a is not None and a % unit), None)
    if uneven is not None:
        raise PotshareError(f"the amount {uneven} is not a multiple of the chip {unit:f}")

    def count(amount: Decimal | None) -> int:
        return 0 if amount is None else int(amount / unit)

    if finishing is not None and None in finishing:
        finishing = None
    return HandHistory(
        code=code,
        variant=find_variant(GAMES[code]),
        trimmed=bool(data.get("ante_trimming_status", False)),
        antes=tuple(abs(count(a)) for a in antes),
        blinds=tuple(abs(count(a)) for a in blinds),
        bring_in=count(bring_in),
        starting=tuple(None if a is None else count(a) for a in starting),
        finishing=None if finishing is None else tuple(count(a) for a in finishing),
        actions=tuple(actions),
        players=players,
        chip=unit,
    )


def _exponent(amount: Decimal) -> int:
    # Of the last digit that is not 0; `normalize` would round.
    _, digits, exponent = amount.as_tuple()
    assert isinstance(exponent, int)
    zeros = next((n for n, digit in enumerate(reversed(digits)) if digit), None)
    return 0 if zeros is None else exponent + zeros


def _amount(value: Any, where: str) -> Decimal | None:
    # None is an unlimited amount.
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise PotshareError(f"{where} is {value!r}; write a number of chips")
    amount = Decimal(value)
    if amount.is_infinite() and amount > 0:
        return None
    if not amount.is_finite() or abs(amount) >= 10**15:
        raise PotshareError(f"{where} is {value}; write a number of chips")
    return amount


def _amounts(data: dict[str, Any], name: str, seats: int | None = None) -> list[Decimal | None]:
    values = data.get(name)
    if values is None and seats is not None:
        return [Decimal(0)] * seats
    if not isinstance(values, list):
        raise PotshareError(f"{name} is missing or not a list")
    if seats is not None and len(values) != seats:
        raise PotshareError(f"{name} has {len(values)} entries for {seats} players")
    found = [_amount(v, f"{name}[{i + 1}]") for i, v in enumerate(values)]
    if name in ("starting_stacks", "antes") and any(a is not None and a < 0 for a in found):
        raise PotshareError(f"{name} holds a negative amount")
    return found


def _bet(word: str) -> Decimal:
    try:
        amount = Decimal(word)
    except ArithmeticError:
        raise PotshareError(f"'{word}' is not a number of chips") from None
    if not amount.is_finite() or not 0 <= amount < 10**15:
        raise PotshareError(f"'{word}' is not a number of chips")
    return amount


def _bets(actions: Sequence[str]) -> list[Decimal]:
    found = []
    for action in actions:
        words = action.split("#")[0].split()
        if len(words) == 3 and words[1] == "cbr":
            found.append(_bet(words[2]))
    return found


# -- replay ---------------------------------------------------------------------------------------------------------


class _Table:
    """The state of a hand while it is replayed."""

    def __init__(self, hand: HandHistory) -> None:
        n = hand.seats
        self.hand = hand
        # With two players p1 is the big blind.
        antes = hand.antes[::-1] if n == 2 else hand.antes
        blinds = hand.blinds[::-1] if n == 2 else hand.blinds
        self.stacks = list(hand.starting)
        self.put = [0] * n
        self.street = [0] * n
        self.dead = [0] * n
        self.folded = [False] * n
        self.mucked = [False] * n
        self.shown = [False] * n
        self.told = [True] * n
        self.cards: list[list[int]] = [[] for _ in range(n)]
        self.board: list[int] = []
        self.gone: list[int] = []
        self.draws = 0
        self.bet_here = False
        self.drawing = False
        self.after = False
        self.thrown: dict[int, tuple[int, ...]] = {}
        effective = [self._most(seat, antes[seat]) for seat in range(n)]
        # A blind comes out of what the ante leaves, also where the ante is trimmed.
        blinds = tuple(
            blind if stack is None else min(blind, stack - ante)
            for blind, stack, ante in zip(blinds, self.stacks, effective, strict=True)
        )
        if hand.trimmed:
            called = sorted(effective)[-2]
            effective = [min(a, called) for a in effective]
        for seat, ante in enumerate(effective):
            self._take(seat, ante)
            (self.put if hand.trimmed else self.dead)[seat] += ante
        for seat, blind in enumerate(blinds):
            self._bet(seat, blind)
        self.last = self._moment()

    def _most(self, seat: int, amount: int) -> int:
        stack = self.stacks[seat]
        return amount if stack is None else min(amount, stack)

    def _take(self, seat: int, amount: int) -> None:
        stack = self.stacks[seat]
        if stack is None:
            return
        if amount > stack:
            raise PotshareError(f"p{seat + 1} puts in {self._shown(amount)} with {self._shown(stack)} behind")
        self.stacks[seat] = stack - amount

    def _shown(self, amount: int) -> str:
        return f"{amount * self.hand.chip:f}"

    def _bet(self, seat: int, amount: int) -> None:
        self._take(seat, amount)
        self.put[seat] += amount
        self.street[seat] += amount

    def _moment(self) -> Moment:
        return Moment(tuple(map(tuple, self.cards)), tuple(self.board), tuple(self.gone), self.draws)

    def _acted(self) -> None:
        self.bet_here = True
        self.drawing = False
        self.after = False
        self.thrown.clear()
        self.last = self._moment()

    def _new_street(self) -> None:
        if self.bet_here:
            self.street = [0] * self.hand.seats
            self.bet_here = False

    def _seat(self, word: str, *, acting: bool = True) -> int:
        match = _PLAYER.fullmatch(word)
        seat = int(match[1]) - 1 if match else -1
        if not 0 <= seat < self.hand.seats:
            raise PotshareError(f"'{word}' is not a player; players are p1 to p{self.hand.seats}")
        if acting and self.folded[seat]:
            raise PotshareError(f"{word} has folded")
        return seat

    def _parse(self, text: str) -> list[int]:
        try:
            cards = list(parse_cards(text, unknown=True))
        except TextError as error:
            raise PotshareError(one_line(error)) from None
        for card in cards:
            if card != UNKNOWN and card not in self.hand.variant.deck:
                raise PotshareError(f"{card_name(card)} is not in the deck of {self.hand.variant.name}")
        return cards

    def _new_cards(self, text: str) -> list[int]:
        cards = self._parse(text)
        for card in cards:
            if card == UNKNOWN:
                continue
            if card in self.board:
                raise PotshareError(f"{card_name(card)} is already on the board")
            for seat, held in enumerate(self.cards):
                # What folded players held may be shuffled into the deck of a draw game again.
                if card in held and not (self.folded[seat] and self.hand.variant.draws):
                    raise PotshareError(f"{card_name(card)} is already in the hand of p{seat + 1}")
        return cards

    def do(self, action: str) -> None:
        """Plays one action."""
        words = action.split("#")[0].split()
        match words:
            case []:
                return
            case "d", "db", text:
                self._new_street()
                self.after = True
                self.board += self._new_cards(text)
            case "d", "dh", player, text:
                seat = self._seat(player)
                self._new_street()
                cards = self._new_cards(text)
                self.after = True
                self.drawing = False
                self.cards[seat] += cards
            case player, "sd":
                self._discard(self._seat(player), [])
            case player, "sd", text:
                self._discard(self._seat(player), self._parse(text))
            case player, "pb":
                self._bet(seat := self._seat(player), self._most(seat, self.hand.bring_in))
                self._acted()
            case player, "f":
                self.folded[self._seat(player)] = True
                self._acted()
            case player, "cc":
                seat = self._seat(player)
                self._bet(seat, self._most(seat, max(self.street) - self.street[seat]))
                self._acted()
            case player, "cbr", word:
                seat = self._seat(player)
                amount = int(_bet(word) / self.hand.chip)
                if amount <= max(self.street):
                    there = self._shown(max(self.street))
                    raise PotshareError(f"a bet of {word} is no raise: {there} lie there already")
                self._bet(seat, amount - self.street[seat])
                self._acted()
            case player, "sm":
                self.mucked[self._seat(player)] = True
            case player, "sm", "-":
                self.shown[self._seat(player)] = True
            case player, "sm", text:
                self._show(self._seat(player), text)
            case _:
                raise PotshareError("it is no action of the format")

    def _discard(self, seat: int, cards: list[int]) -> None:
        if not self.hand.variant.draws:
            raise PotshareError(f"nobody discards in {self.hand.variant.name}")
        self._new_street()
        if not self.drawing:
            self.drawing = True
            self.draws += 1
        held = self.cards[seat]
        for card in cards:
            if card in held:
                held.remove(card)
            elif UNKNOWN in held:
                held.remove(UNKNOWN)
            elif card == UNKNOWN and held:
                raise PotshareError(f"p{seat + 1} discards an unknown card, but all cards of the hand are known")
            else:
                raise PotshareError(f"p{seat + 1} discards {card_name(card)}, which is not in the hand")
        self.thrown.setdefault(seat, tuple(cards))
        self.gone += [c for c in cards if c != UNKNOWN]

    def _show(self, seat: int, text: str) -> None:
        cards = self._parse(text)
        # Where no deal was recorded, what is shown is all there is.
        held = self.cards[seat] or [UNKNOWN] * len(cards)
        if len(cards) != len(held):
            raise PotshareError(f"p{seat + 1} shows {format_cards(cards)}, but holds {len(held)} cards")
        missing = [c for c in held if c != UNKNOWN and c not in cards]
        if missing and UNKNOWN not in cards:
            raise PotshareError(
                f"p{seat + 1} shows {format_cards(cards)}, but was dealt {format_cards(held)} ({card_name(missing[0])})"
            )
        others = {c for s, hand in enumerate(self.cards) if s != seat and not self.folded[s] for c in hand} - {UNKNOWN}
        for card in cards:
            if card in others or card in self.board:
                raise PotshareError(f"p{seat + 1} shows {card_name(card)}, which lies elsewhere")
        # Known places stay, so that cards keep the order of the deal; the others are filled in.
        self.told[seat] = all(was in (UNKNOWN, now) for was, now in zip(held, cards, strict=True))
        new = [c for c in cards if c not in held and c != UNKNOWN]
        self.cards[seat] = [new.pop(0) if c == UNKNOWN and new else c for c in held]
        self.shown[seat] = True


def replay(hand: HandHistory) -> Replay:
    """Plays the actions of a hand. Raises `PotshareError` that names the action that cannot be."""
    table = _Table(hand)
    for number, action in enumerate(hand.actions, 1):
        try:
            table.do(action)
        except PotshareError as error:
            raise PotshareError(f"action {number}, '{action}': {error}") from None
    return Replay(
        hand, table.put, table.dead, table.folded, table.mucked, table.shown, table.cards, table.board, table.stacks,
        table.last, table.after, dict(table.thrown), table.told,
    )  # fmt: skip


# -- settlement -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """A settled hand: `payouts` (returned bets included) and `stacks` per seat, None where a stack is unlimited.

    `strengths` of each half per seat are 0 for hands that nobody had to compare.
    """

    settlement: Settlement
    strengths: tuple[tuple[int, ...], ...]
    payouts: tuple[int, ...]
    returned: tuple[int, ...]
    stacks: tuple[int | None, ...]
    winners: tuple[int, ...]
    notes: tuple[str, ...]


def uncalled(put: Sequence[int], folded: Sequence[bool]) -> list[int]:
    """Per seat the part of its bet that nobody called."""
    back = [0] * len(put)
    top = max(range(len(put)), key=put.__getitem__)
    if not folded[top]:
        back[top] = put[top] - max(c for seat, c in enumerate(put) if seat != top)
    return back


def outcome(played: Replay) -> Outcome:
    """Settles a replayed hand.

    Players who mucked win nothing. Raises `PotshareError` where a live hand is unknown and was not shown, and
    where the record ends before the showdown.
    """
    hand, variant = played.hand, played.hand.variant
    n = hand.seats
    live = played.live
    if not live:
        raise PotshareError("every player has folded")
    # What nobody called goes back also to a player who then mucks, whom the settlement counts as folded.
    back = [b if m else 0 for b, m in zip(uncalled(played.put, played.folded), played.mucked, strict=True)]
    chips = [put - b for put, b in zip(played.put, back, strict=True)]
    notes = [f"p{seat + 1} mucked" for seat in live if played.mucked[seat]]
    playing = [seat for seat in live if not played.mucked[seat]]
    if not playing:
        raise PotshareError("nobody shows: every player who is left mucks")
    out = [seat not in playing for seat in range(n)]
    strengths = [[0] * n for _ in variant.halves]
    orders: list[Sequence[int]] = [range(n)] * len(variant.halves)
    if len(playing) > 1:
        _check_showdown(played, playing)
        rows = np.array([played.cards[seat] + played.board for seat in playing], np.uint8)
        for h, half in enumerate(variant.halves):
            for seat, strength in zip(playing, half_strengths(variant, half, rows).tolist(), strict=True):
                strengths[h][seat] = strength
        if variant.family == "stud":
            shown = [tuple(played.cards[seat]) if seat in playing else () for seat in range(n)]
            orders = [stud_odd_chip_order(shown)] * len(variant.halves)
    settled = settle(chips, out, strengths, orders, dead=played.dead)
    payouts = tuple(paid + b for paid, b in zip(settled.payouts, back, strict=True))
    stacks = tuple(None if s is None else s + paid for s, paid in zip(played.stacks, payouts, strict=True))
    winners = tuple(seat for seat in range(n) if settled.payouts[seat] - settled.returned[seat] > 0)
    returned = tuple(r + b for r, b in zip(settled.returned, back, strict=True))
    return Outcome(settled, tuple(map(tuple, strengths)), payouts, returned, stacks, winners, tuple(notes))


def _check_showdown(played: Replay, playing: Sequence[int]) -> None:
    variant = played.hand.variant
    shared = variant.when_short == "community" and len(played.board) == 1
    board = 1 if shared else variant.board_cards
    if len(played.board) != board:
        raise PotshareError(
            f"the record ends before the showdown: the board has {len(played.board)} of {board} cards, and "
            f"{len(playing)} players are left"
        )
    if UNKNOWN in played.board:
        raise PotshareError("the board has an unknown card")
    size = variant.kept_cards - int(shared)
    for seat in playing:
        cards = played.cards[seat]
        if len(cards) != size:
            raise PotshareError(f"p{seat + 1} holds {len(cards)} cards at the showdown; {variant.name} has {size}")
    unknown = [f"p{seat + 1}" for seat in playing if UNKNOWN in played.cards[seat]]
    if unknown:
        what = "did not show" if not any(played.shown[int(p[1:]) - 1] for p in unknown) else "did not show every card"
        raise PotshareError(f"{', '.join(unknown)} {what}: the cards of the showdown are unknown")


def differences(hand: HandHistory, found: Outcome) -> list[str]:
    """Where the stacks differ from `finishing_stacks`; empty where they agree. None of a hand without a record."""
    if hand.finishing is None:
        return []
    return [
        f"p{seat + 1} {(have or 0) * hand.chip:f}, recorded {recorded * hand.chip:f}"
        for seat, (have, recorded) in enumerate(zip(found.stacks, hand.finishing, strict=True))
        if have is not None and have != recorded
    ]

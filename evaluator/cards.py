"""Cards as integers and as text.

A card is `4 * rank + suit`: rank 0..12 for 2..A, suit 0..3 for clubs, diamonds, hearts, spades; the two
jokers are 52 and 53. Text is read leniently where the meaning is certain (`10d`, `aH`, suit symbols, spaces
and commas between cards) and refused, with the position, where it is not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from operator import index
from typing import SupportsIndex

from potshare.errors import PotshareError, TextError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
RANK_PLURALS = tuple(name + ("es" if name == "six" else "s") for name in RANK_NAMES)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

JOKER = 52
SECOND_JOKER = 53
UNKNOWN = 255
"""Stands for a face-down card (`??`) where a hand history leaves it unknown."""

_RANK_OF = {c: i for i, c in enumerate(RANKS)} | {c.lower(): i for i, c in enumerate(RANKS)}
_SUIT_OF = {c: i for i, c in enumerate(SUITS)} | {c.upper(): i for i, c in enumerate(SUITS)}
# Filled and outlined suit symbols, as pasted from web pages; U+FE0F may follow them.
_SUIT_OF |= dict(zip("♣♦♥♠♧♢♡♤", (0, 1, 2, 3, 0, 1, 2, 3), strict=True))
_VARIATION_SELECTOR = "\ufe0f"
_SEPARATORS = frozenset(" ,;\t\r\n\u00a0_")


def card(rank: int, suit: int) -> int:
    """The card of a rank 0..12 and a suit 0..3."""
    return 4 * rank + suit


def card_name(number: int) -> str:
    """The two-letter text of a card (`Ah`), `Jk` and `Jk2` for the jokers, `??` for an unknown card."""
    if 0 <= number < 52:
        return RANKS[number >> 2] + SUITS[number & 3]
    if number == JOKER:
        return "Jk"
    if number == SECOND_JOKER:
        return "Jk2"
    if number == UNKNOWN:
        return "??"
    raise PotshareError(f"{number} is not a card: cards are 0..51, jokers 52 and 53")


def format_cards(numbers: Iterable[int]) -> str:
    """Cards as text without separators, in the order given: `AhKd`. Raises `PotshareError` for what are no numbers."""
    try:
        return "".join(card_name(index(n)) for n in numbers)
    except TypeError:
        raise PotshareError(f"{numbers!r} are no card numbers; text is read by parse_cards") from None


def describe_character(character: str) -> str:
    """A character with its code point, for messages about look-alikes: `'с' (U+0441 CYRILLIC SMALL LETTER ES)`."""
    name = unicodedata.name(character, "")
    return f"'{character}' (U+{ord(character):04X}{' ' + name if name else ''})"


def lookalike(character: str) -> str:
    """The ASCII letter or digit that a foreign character stands in for, or an empty string."""
    folded = unicodedata.normalize("NFKD", character)[:1]
    if folded.isascii() and folded.isalnum():
        return folded
    return _LOOKALIKES.get(character, "")


# Letters of other alphabets that are drawn like the letters of cards.
_LOOKALIKES = {
    "с": "c", "С": "C", "А": "A", "а": "a", "К": "K", "к": "k", "Т": "T", "т": "t", "Ј": "J", "ј": "j",
    "ѕ": "s", "Ѕ": "S", "һ": "h", "Н": "H", "ԁ": "d", "Α": "A", "Κ": "K", "κ": "k", "Τ": "T", "τ": "t", "о": "o",
    "О": "O", "х": "x", "Х": "X", "Ο": "O", "ο": "o", "Χ": "X", "χ": "x", "Ϲ": "C", "ϲ": "c", "Ԛ": "Q", "ԛ": "q",
    "＋": "+", "–": "-", "—": "-", "−": "-",
}  # fmt: skip


def _bad_character(text: str, at: int, wanted: str) -> TextError:
    character = text[at]
    if not character.isascii():
        twin = lookalike(character)
        reason = f"{describe_character(character)} at position {at + 1} is not {wanted}"
        return TextError(text, at, at + 1, reason, f"did you mean '{twin}'?" if twin else "")
    return TextError(text, at, at + 1, f"'{character}' at position {at + 1} is not {wanted}", _hint_for(wanted))


def _hint_for(wanted: str) -> str:
    if wanted == "a suit":
        return "suits are c d h s, as in Ah"
    return "a card is a rank and a suit: ranks 2 3 4 5 6 7 8 9 T J Q K A, suits c d h s, as in Ah"


def read_card(text: str, at: int, *, jokers: bool = False, unknown: bool = False) -> tuple[int, int]:
    """Reads one card at offset `at` of `text`; returns the card and the offset after it.

    Raises `TextError` with the position when there is no card there.
    """
    start = at
    if unknown and text.startswith("??", at):
        return UNKNOWN, at + 2
    if text[at : at + 2].lower() == "jk":
        if not jokers:
            hint = "leave the joker out, or name a game that uses one"
            raise TextError(text, at, at + 2, "this deck has no joker", hint)
        if text.startswith("2", at + 2) and not (at + 3 < len(text) and text[at + 3] in _SUIT_OF):
            return SECOND_JOKER, at + 3
        return JOKER, at + 2
    if text.startswith("10", at):
        rank, at = 8, at + 2
    elif text[at] in _RANK_OF:
        rank, at = _RANK_OF[text[at]], at + 1
    else:
        raise _bad_character(text, at, "a card rank")
    if at >= len(text) or text[at] in _SEPARATORS:
        hint = f"write the suit too, as in {RANKS[rank]}h or {RANKS[rank]}s"
        raise TextError(text, start, at, f"'{text[start:at]}' has no suit", hint)
    if text[at] not in _SUIT_OF:
        raise _bad_character(text, at, "a suit")
    suit = _SUIT_OF[text[at]]
    at += 1
    if at < len(text) and text[at] == _VARIATION_SELECTOR:
        at += 1
    return card(rank, suit), at


def parse_cards(text: str, *, jokers: bool = False, unknown: bool = False) -> tuple[int, ...]:
    """The cards of a text such as `AhKd`, `10s Jd`, `6♦,T♦`, in the order written.

    `jokers` allows `Jk` and `Jk2`, `unknown` allows `??` (returned as `UNKNOWN`). Raises `TextError` with the
    position for anything else, and for a card that is written twice.
    """
    if not isinstance(text, str):
        raise PotshareError(f"cards are read from text such as 'AhKh', not from {text!r}")
    cards: list[int] = []
    seen: set[int] = set()
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        start = at
        number, at = read_card(text, at, jokers=jokers, unknown=unknown)
        if number in seen and number != UNKNOWN:
            raise TextError(text, start, at, f"the card {card_name(number)} is written twice")
        seen.add(number)
        cards.append(number)
    return tuple(cards)


def _number(card: object, jokers: bool, unknown: bool) -> int:
    if isinstance(card, str):
        found = parse_cards(card, jokers=jokers, unknown=unknown)
        if len(found) == 1:
            return found[0]
    elif isinstance(card, SupportsIndex) and not isinstance(card, bool):
        return index(card)
    raise PotshareError(f"{card!r} is no card: write a number 0..51 or a name such as 'Ah'")


def as_cards(cards: str | Sequence[int | str], *, jokers: bool = False, unknown: bool = False) -> tuple[int, ...]:
    """Cards from text, or from card numbers or names one by one, checked: known cards and no duplicates.

    Raises `PotshareError` for anything else.
    """
    if isinstance(cards, str):
        return parse_cards(cards, jokers=jokers, unknown=unknown)
    if isinstance(cards, (Set, Mapping)):
        raise PotshareError(f"{cards!r} has no order: write a list of cards, or text such as 'AhKh'")
    try:
        numbers = tuple(c if type(c) is int else _number(c, jokers, unknown) for c in cards)
    except TypeError:
        raise PotshareError(f"{cards!r} is no hand: write text such as 'AhKh', or card numbers 0..51") from None
    top = SECOND_JOKER if jokers else 51
    for n in numbers:
        if not (0 <= n <= top or (unknown and n == UNKNOWN)):
            raise PotshareError(f"{n} is not a card of this deck: cards are 0..{top}")
    known = [n for n in numbers if n != UNKNOWN]
    if len(set(known)) != len(known):
        twice = next(n for n in known if known.count(n) > 1)
        raise PotshareError(f"the card {card_name(twice)} is given twice")
    return numbers

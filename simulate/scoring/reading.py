"""One row read in Python: the definition of what the columns may hold, and of every message about a row.

`cells` reads the plain rows in compiled code; whatever it leaves comes here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import UNKNOWN, card_name, parse_cards
from potshare.simulate.scoring.cells import MOST_SEATS
from potshare.simulate.scoring.chips import ONE, Chip
from potshare.simulate.scoring.pots import CONTRIBUTIONS, NOTHING, POT
from potshare.simulate.variants import Variant

FIELDS = ("game", "board", "hands", "pot", "contributions", "folded", "button")
"""The columns that mean something, besides `hand1` and so on; all others are passed through."""

_FOLDED = ("-", "folded", "fold", "muck", "mucked")
_YES_NO = {"true": True, "false": False}
_NUMBER = re.compile(r"\d+")


@dataclass
class Row:
    """A row that can be settled, its money in chips. Seats are numbered from 0; `hands` of folded ones may be empty."""

    hands: list[tuple[int, ...]]
    board: tuple[int, ...]
    folded: list[bool]
    known: int
    money: list[int]
    button: int | None
    shared: tuple[int, ...] = ()
    """The community card that stands for everybody's last in stud."""


def one_line(error: PotshareError) -> str:
    """The message of an error without its picture."""
    if isinstance(error, TextError):
        return f"{error.reason} in '{error.text.strip()}'" + (f"; {error.hint}" if error.hint else "")
    return " ".join(str(error).split())


def _plain(value: Any) -> Any:
    # A cell as text or list; JSON lists in text are read.
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("["):
            try:
                return json.loads(text)
            except ValueError:
                return text
        return text
    return value


def _cards(value: Any, field: str, variant: Variant) -> tuple[int, ...]:
    if isinstance(value, (list, tuple)):
        if not all(isinstance(v, str) for v in value):
            raise PotshareError(f"{field}: {value!r} is not a list of cards; write text such as AhKd")
        value = " ".join(value)
    if not isinstance(value, str):
        raise PotshareError(f"{field}: {value!r} is not cards; write text such as AhKd")
    try:
        cards = parse_cards(value, jokers=variant.jokers > 0, unknown=True)
    except TextError as error:
        raise PotshareError(f"{field}: {one_line(error)}") from None
    for card in cards:
        if card != UNKNOWN and card not in variant.deck:
            raise PotshareError(f"{field}: {card_name(card)} is not in the deck of {variant.name}")
    return cards


def split_hands(text: str) -> list[str]:
    """The hands of a text: parted by `;`, else by `,`, else by spaces."""
    for mark in ";,":
        if mark in text:
            return text.split(mark)
    return text.split()


def _hand_texts(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    # Field name and value of each hand, empty ones at the end left out.
    found: list[tuple[str, Any]] = []
    columns = sorted((int(k[4:]), k) for k in values if re.fullmatch(r"hand\d+", k))
    together = _plain(values.get("hands"))
    if together not in (None, "", []):
        if any(_plain(values[k]) not in (None, "") for _, k in columns):
            raise PotshareError("hands: there are hands both here and in hand1, hand2 ...; fill one of them")
        if isinstance(together, str):
            together = split_hands(together)
        if not isinstance(together, (list, tuple)):
            raise PotshareError(f"hands: {together!r} is not a list of hands; write AhAd,KhKd")
        found = [(f"hands: hand {i}", value) for i, value in enumerate(together, 1)]
    else:
        number = 0
        for number, key in columns:
            while len(found) < number - 1:
                found.append((f"hand{len(found) + 1}", ""))
            found.append((key, values[key]))
    while found and _plain(found[-1][1]) in (None, "", []):
        found.pop()
    if len(found) > MOST_SEATS:
        raise PotshareError(f"hands: {len(found)} hands are more than {MOST_SEATS}")
    return found


def _listed(value: Any, field: str) -> list[Any]:
    if isinstance(value, str):
        return [part for part in re.split(r"\s*[,;]\s*|\s+", value.strip().strip("[]").strip()) if part]
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [value]
    raise PotshareError(f"{field} is {value!r}; write a list with one entry per seat")


def _money(values: Mapping[str, Any], chip: Chip) -> tuple[int, list[int]]:
    pot, chips = _plain(values.get("pot")), _plain(values.get("contributions"))
    amounts: list[int] = []
    if chips not in (None, "", []):
        amounts = [chip.count(v, f"contributions[{i}]") for i, v in enumerate(_listed(chips, "contributions"), 1)]
        if len(amounts) > MOST_SEATS:
            raise PotshareError(f"contributions: {len(amounts)} amounts are more than {MOST_SEATS}")
    if pot in (None, ""):
        return (CONTRIBUTIONS, amounts) if amounts else (NOTHING, [])
    total = chip.count(pot, "pot")
    if amounts and total != sum(amounts):
        raise PotshareError(f"pot is {chip.shown(total)}, but contributions add up to {chip.shown(sum(amounts))}")
    return (CONTRIBUTIONS, amounts) if amounts else (POT, [total])


def _folded(value: Any, seats: int) -> list[int]:
    # The seats, from 0, that a cell names.
    value = _plain(value)
    if value in (None, "", []):
        return []
    entries = _listed(value, "folded")
    flags = [_YES_NO.get(str(v).lower()) for v in entries]
    if all(flag is not None for flag in flags):
        if len(flags) != seats:
            raise PotshareError(f"folded has {len(flags)} flags for {seats} seats: write one per seat")
        return [i for i, flag in enumerate(flags) if flag]
    found: list[int] = []
    for entry in entries:
        text = str(entry).strip().lower().removeprefix("p")
        if isinstance(entry, bool) or not _NUMBER.fullmatch(text):
            raise PotshareError(f"folded names {entry!r}; write seat numbers, from 1")
        seat = int(text)
        if not 1 <= seat <= MOST_SEATS:
            raise PotshareError(f"folded names seat {seat}; seats are numbered from 1")
        if seat - 1 in found:
            raise PotshareError(f"folded names seat {seat} twice")
        found.append(seat - 1)
    return found


def _board(value: Any, variant: Variant) -> tuple[int, ...]:
    value = _plain(value)
    if value in (None, "", []):
        return ()
    if isinstance(value, (list, tuple)) and any(isinstance(v, (list, tuple)) for v in value):
        value = [" ".join(v) if isinstance(v, (list, tuple)) else v for v in value]
        value = "/".join(map(str, value))
    parts = value.split("/") if isinstance(value, str) else [value]
    if len(parts) > variant.boards:
        raise PotshareError(f"board: {variant.name} has {variant.boards} board(s), not {len(parts)}")
    found: tuple[int, ...] = ()
    for part in parts:
        cards = _cards(part, "board", variant)
        if UNKNOWN in cards:
            raise PotshareError("board: ?? is an unknown card; a showdown needs every card of the board")
        if len(parts) > 1 and len(cards) != variant.board_cards:
            raise PotshareError(f"board: a board has {variant.board_cards} cards, not {len(cards)}")
        found += cards
    return found


def read_row(values: Mapping[str, Any], variant: Variant, chip: Chip = ONE) -> Row:
    """The row of a mapping from field to cell, checked. Raises `PotshareError` that names the field and the card."""
    texts = _hand_texts(values)
    known, money = _money(values, chip)
    given = len(money) if known == CONTRIBUTIONS else 0
    named = _folded(values.get("folded"), max(len(texts), given))
    seats = max(len(texts), given, max(named, default=-1) + 1)
    if not seats:
        raise PotshareError("hands is missing: write a hand for every seat, as AhAd,KhKd")
    if given and given < seats:
        raise PotshareError(f"contributions has {given} amounts for {seats} seats: write one per seat")
    if known == CONTRIBUTIONS and given > seats:
        raise PotshareError(f"contributions has {given} amounts for {seats} hands")
    folded = [seat in named for seat in range(seats)]
    hands: list[tuple[int, ...]] = []
    for seat, (field, value) in enumerate(texts):
        cell = _plain(value)
        if isinstance(cell, str) and cell.lower() in _FOLDED:
            folded[seat] = True
            cell = ""
        hands.append(_cards(cell, field, variant) if cell not in (None, "", []) else ())
    hands += [()] * (seats - len(hands))
    board = _board(values.get("board"), variant)
    fields = [texts[s][0] if s < len(texts) else f"hands: hand {s + 1}" for s in range(seats)]
    _apart(hands, board, fields)
    row = Row(hands, board, folded, known, money, _button(values.get("button"), seats))
    _complete(row, fields, variant)
    return row


def _button(value: Any, seats: int) -> int | None:
    value = _plain(value)
    if value in (None, ""):
        return None
    text = str(value).strip()
    if isinstance(value, bool) or not _NUMBER.fullmatch(text) or not 1 <= int(text) <= seats:
        raise PotshareError(f"button is {value!r}; write the seat that has it, 1 to {seats}")
    return int(text) - 1


def _apart(hands: Sequence[tuple[int, ...]], board: tuple[int, ...], fields: Sequence[str]) -> None:
    places = {}
    for card in board:
        if card in places:
            raise PotshareError(f"board: the card {card_name(card)} is written twice")
        places[card] = "board"
    for field, hand in zip(fields, hands, strict=True):
        for card in hand:
            if card in places:
                raise PotshareError(f"{field}: the card {card_name(card)} is also in {places[card]}")
            if card != UNKNOWN:
                places[card] = field


def _complete(row: Row, fields: Sequence[str], variant: Variant) -> None:
    live = [seat for seat, out in enumerate(row.folded) if not out]
    if not live:
        raise PotshareError("folded: every seat has folded; at least one must be left to win the pot")
    board_size = variant.board_cards * variant.boards
    shared = 1 if variant.when_short == "community" and len(row.board) == 1 else 0
    if len(row.board) > max(board_size, shared):
        raise PotshareError(f"board has {_number(len(row.board))}; {variant.name} has {board_size}")
    if len(live) == 1:
        return
    size = variant.kept_cards - shared
    for seat in live:
        hand = row.hands[seat]
        if not hand:
            raise PotshareError(f"{fields[seat]} is missing, and seat {seat + 1} is not among the folded")
        if UNKNOWN in hand:
            raise PotshareError(f"{fields[seat]}: ?? is an unknown card; name the seat in folded if it did not show")
        if len(hand) != size:
            has = f"{fields[seat]} has {_number(len(hand))}, {''.join(map(card_name, hand))}"
            hint = "; part the hands by ';' where their cards stand apart" if len(hand) == 1 else ""
            raise PotshareError(f"{has}; at a showdown of {variant.name} it is {size}{hint}")
    if shared:
        if any(half.selection == "down cards" for half in variant.halves):
            raise PotshareError(f"board: a community card cannot be scored in {variant.name}")
        row.shared = row.board
        row.board = ()
    elif len(row.board) != board_size:
        has = "is missing" if not row.board else f"has {_number(len(row.board))}"
        raise PotshareError(f"board {has}; at a showdown of {variant.name} it is {board_size}")


def _number(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"

"""Reading one term: a hand in hold'em shorthand, or a row of card specs, with lists, spans, `+` and `-`.

In two-card games `+`, `-` and runs are read the hold'em way (a pair moves as a whole, otherwise the kicker moves
under a fixed top card); in every other layout the whole shape moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from potshare.errors import TextError
from potshare.evaluator.cards import JOKER, RANK_PLURALS, RANKS, SECOND_JOKER, card_name
from potshare.simulate.ranges.reader import SPACES
from potshare.simulate.ranges.tree import (
    ALL_CARDS,
    HAND_MACROS,
    RANK_MACROS,
    RANK_MASK,
    RANK_VARIABLES,
    SUIT_MASK,
    SUIT_VARIABLES,
    Everything,
    Layout,
    Node,
    Shape,
    Slot,
    Terms,
    slot_text,
)

if TYPE_CHECKING:
    from potshare.simulate.ranges.reader import Reader

MOST_SHAPES = 4_096
"""How many shapes one term may stand for, and how many all lists of a text may."""

_RANK_OF = {c: i for i, c in enumerate(RANKS)} | {c.lower(): i for i, c in enumerate(RANKS)}
_SUIT_OF = dict(zip("cdhsCDHS♣♦♥♠♧♢♡♤", (0, 1, 2, 3) * 4, strict=True))
_SUIT_VAR_OF = {c: c for c in SUIT_VARIABLES} | {c.upper(): c for c in SUIT_VARIABLES if c != "x"}
_R = r"(?:10|[2-9TJQKAtjqka])"
_SHORT = re.compile(rf"({_R}|[Xx])({_R}|[Xx])([soSO]?)(?![A-Za-z0-9*$?♣♦♥♠♧♢♡♤]|\[(?!/))")
_TOKEN = re.compile(r"(?:\[[^\[\]\n]{0,200}\]|[^\s,;:!@()\[\]/])+")
_BEGINS = re.compile(r"[A-Za-z0-9*$?♣♦♥♠♧♢♡♤]|\[(?!/)")
_MACRO = re.compile(r"\$(ds|ss|ns|np|op|tp|nt|[012]g|[BRFMZLNW])", re.I)

Alternatives = tuple[tuple[Slot, ...], ...]
"""What may stand at one place of a term: rows of slots, all of one length."""


_RANK_SLOTS = tuple(Slot(RANK_MASK[rank], rank=rank, has_rank=True) for rank in range(13))


def rank_slot(rank: int) -> Slot:
    """A slot for any card of a rank."""
    return _RANK_SLOTS[rank]


FREE_SLOT = Slot(ALL_CARDS)
_NO_JOKERS = (1 << 52) - 1


def with_suit(slot: Slot, suit: int) -> Slot:
    """The slot with a suit written after its rank."""
    return Slot(slot.mask & SUIT_MASK[suit], slot.rank, suit, slot.rank_var, "", slot.has_rank, True)


def tied(slot: Slot, variable: str) -> Slot:
    """The slot with a suit variable after its rank."""
    return Slot(slot.mask & _NO_JOKERS, slot.rank, -1, slot.rank_var, variable, slot.has_rank, False)


@lru_cache(maxsize=4096)
def short_shape(a: int, b: int, kind: str) -> Shape:
    """The shape of a two-card class: ranks `a`, `b` (-1 for any), kind `s`, `o` or empty for both."""
    slots = [rank_slot(r) if r >= 0 else FREE_SLOT for r in (a, b)]
    if kind:
        slots = [tied(slots[0], "x"), tied(slots[1], "x" if kind == "s" else "y")]
    return Shape(tuple(slots))


def class_name(a: int, b: int, kind: str) -> str:
    """`AKs` from two ranks and a kind."""
    high, low = max(a, b), min(a, b)
    return RANKS[high] + RANKS[low] + ("" if high == low else kind)


class TermReader:
    """Reads terms at the place of a reader."""

    def __init__(self, reader: Reader, layout: Layout) -> None:
        self.reader = reader
        self.layout = layout
        self.shapes_made = 0
        self.known: dict[str, tuple[tuple[Shape, ...], str]] = {}
        """Terms that were read before: long pasted texts repeat themselves."""

    # -- words for messages -------------------------------------------------------------------------------

    def size_words(self) -> str:
        """`the 2 of a holdem hand`."""
        article = "an" if self.layout.variant.name[0] in "aeiou" else "a"
        return f"the {self.layout.size} of {article} {self.layout.variant.name} {self.layout.what}"

    def not_in_deck(self, start: int, end: int) -> TextError:
        """The error for a rank or card that the deck does not hold."""
        shown = self.reader.text[start:end]
        lowest = self.layout.lowest_rank
        reason = f"{self.layout.variant.name} has no {shown}: its deck starts at the {RANK_PLURALS[lowest]}"
        return self.reader.error(reason, f"ranks are {RANKS[lowest:]}", start, end)

    def _check_rank(self, rank: int, start: int, end: int) -> int:
        if rank < self.layout.lowest_rank:
            raise self.not_in_deck(start, end)
        return rank

    # -- a term -------------------------------------------------------------------------------------------

    def read(self) -> Node:
        """The term at the place; the place moves behind it."""
        reader = self.reader
        start = reader.at
        token = _TOKEN.match(reader.text, start)
        written = token.group() if token is not None else ""
        known = self.known.get(written)
        if known is not None and reader.next_visible(start + len(written)) not in ("+", "-"):
            reader.at = start + len(written)
            return Terms(start, reader.at, *known)
        node = self._read(start)
        if isinstance(node, Terms) and reader.at == start + len(written):
            self.known[written] = node.shapes, node.how
        return node

    def _read(self, start: int) -> Node:
        if self.layout.shorthand:
            node = self._shorthand()
            if node is not None:
                return node
        row, needs = self._row(start)
        return self._moved(start, row, needs)

    # -- hold'em shorthand ----------------------------------------------------------------------------------

    def _class_at(self) -> tuple[int, int, str] | None:
        reader = self.reader
        match = _SHORT.match(reader.text, reader.at)
        if match is None:
            return None
        a, b, kind = match.groups()
        if a in "Xx" and b in "Xx" and (a == "x" or b == "x"):
            return None
        ranks = [-1 if c in "Xx" else 8 if c == "10" else _RANK_OF[c] for c in (a, b)]
        for rank, group in zip(ranks, (1, 2), strict=True):
            if rank >= 0:
                self._check_rank(rank, match.start(group), match.end(group))
        reader.at = match.end()
        kind = kind.lower()
        if ranks[0] == ranks[1] >= 0 and kind:
            name = class_name(ranks[0], ranks[1], "")
            word = "suited" if kind == "s" else "marked offsuit"
            raise reader.error(f"a pair cannot be {word}", f"write {name}", match.start(), match.end())
        return ranks[0], ranks[1], kind

    def _shorthand(self) -> Node | None:
        reader = self.reader
        start = reader.at
        found = self._class_at()
        if found is None:
            return None
        a, b, kind = found
        sign = self._sign()
        if sign == "":
            if a == b == -1 and not kind:
                return Everything(start, reader.at)
            return Terms(start, reader.at, (short_shape(max(a, b), min(a, b), kind),), "class")
        if -1 in (a, b):
            hint = "write the rank, or name the hands"
            shown = "+" if sign == "up" else "-"
            raise reader.error(f"X stands for every rank and cannot take '{shown}'", hint, start, reader.at)
        a, b = max(a, b), min(a, b)
        if sign == "run":
            other_start = reader.at
            other = self._class_at()
            if other is None or -1 in other[:2]:
                if other is None:
                    self._row(other_start)
                raise self._unlike(start, other_start, class_name(a, b, kind))
            c, d, other_kind = max(other[:2]), min(other[:2]), other[2]
            if kind != other_kind:
                name = class_name(c, d, kind if kind else other_kind)
                first = class_name(a, b, kind if kind else other_kind)
                reason = "the two ends of this run are not both suited or both offsuit"
                raise reader.error(reason, f"write {first}-{name}", start, reader.at)
            self._no_more_signs()
            pairs = list(self._run_ranks((a, b), (c, d)))
            if not pairs:
                ends = f"{class_name(a, b, kind)} and {class_name(c, d, kind)}"
                raise reader.error(
                    f"{ends} have neither the same top card nor the same gap",
                    self._run_hint((a, b), (c, d), kind),
                    start,
                    reader.at,
                )
            how = "run"
        else:
            self._no_more_signs()
            pairs = list(self._moves(a, b, sign == "up"))
            how = "pair " + sign if a == b else "kicker " + sign
        return Terms(start, reader.at, tuple(short_shape(x, y, kind) for x, y in pairs), how)

    def _unlike(self, start: int, other: int, name: str) -> TextError:
        shown = self.reader.text[other : self.reader.at]
        reason = f"{name} and {shown} do not make a run"
        return self.reader.error(reason, "both ends are written alike: A5s-A2s, KhQh-ThJh", start, self.reader.at)

    def _moves(self, a: int, b: int, up: bool) -> Iterable[tuple[int, int]]:
        lowest = self.layout.lowest_rank
        if a == b:
            return [(r, r) for r in (range(a, 13) if up else range(lowest, a + 1))]
        return [(a, r) for r in (range(b, a) if up else range(lowest, b + 1))]

    @staticmethod
    def _run_ranks(one: tuple[int, int], two: tuple[int, int]) -> list[tuple[int, int]]:
        (a, b), (c, d) = sorted((one, two))
        if c - d == a - b:
            return [(a + i, b + i) for i in range(c - a + 1)]
        if a == c and b != a and d != c:
            return [(a, r) for r in range(b, d + 1)]
        return []

    def _run_hint(self, one: tuple[int, int], two: tuple[int, int], kind: str) -> str:
        # The nearest runs that exist: the same gap ending at the other top card, the same top card with the other
        # kicker.
        (a, b), (c, d) = one, two
        ends: list[tuple[int, int]] = []
        if self.layout.lowest_rank <= c - (a - b):
            ends.append((c, c - (a - b)))
        if d < a and a != b:
            ends.append((a, d))
        forms = [f"{class_name(a, b, kind)}-{class_name(*end, kind)}" for end in ends if end != (a, b)]
        if forms:
            return f"did you mean {' or '.join(forms)}?"
        return f"for two hands write {class_name(a, b, kind)},{class_name(c, d, kind)}"

    # -- signs behind a term ------------------------------------------------------------------------------

    def _sign(self) -> str:
        """Reads what follows a shape: `up`, `down`, `run` (then the other end follows), or nothing."""
        reader = self.reader
        place = reader.at
        after = reader.after_spaces()
        character = reader.text[after : after + 1]
        broken = any(c in "\r\n" for c in reader.text[place:after])
        if broken or character not in ("+", "-"):
            return ""
        if character == "+":
            reader.at = after + 1
            return "up"
        following = reader.after_spaces(after + 1)
        begins = _BEGINS.match(reader.text, following) is not None
        if any(c in "\r\n" for c in reader.text[after + 1 : following]):
            begins = False
        if not begins:
            reader.at = after + 1
            return "down"
        if after == place and following > after + 1 and self.layout.shorthand:
            reason = "this dash can be read as a run or as 'and downward'"
            raise reader.error(reason, "write it without spaces for a run, or a comma after it", after)
        reader.at = following
        return "run"

    def _no_more_signs(self) -> None:
        if self.reader.here in ("+", "-"):
            shown = self.reader.here
            raise self.reader.error(f"'{shown}' cannot follow here", "a hand takes one +, - or run")

    # -- a row of specs -------------------------------------------------------------------------------------

    def _row(self, start: int) -> tuple[list[Alternatives], int]:
        """Reads specs until something else stands there; refuses more than the hand has cards."""
        reader = self.reader
        places: list[Alternatives] = []
        needs = 0
        cards = 0
        seen: set[int] = set()
        while not reader.text.startswith("[/", reader.at):
            before = reader.at
            if reader.here == "$":
                macro, found = self._macro()
                if found is None:
                    needs |= macro
                    continue
            else:
                found = self._list() if reader.here == "[" else self._spec()
            if found is None:
                break
            cards += len(found[0])
            if cards > self.layout.size:
                reason = f"more cards are written here than {self.size_words()}"
                raise reader.error(reason, "", start, reader.at)
            if len(found) == 1 and found[0][0].rank >= 0 and found[0][0].suit >= 0:
                number = 4 * found[0][0].rank + found[0][0].suit
                if number in seen:
                    raise reader.error(f"the card {card_name(number)} is written twice", "", before, reader.at)
                seen.add(number)
            places.append(found)
        if not places and not needs:
            raise self._no_term()
        return places, needs

    def _no_term(self) -> TextError:
        reader = self.reader
        character = reader.here
        if character == "":
            return reader.error("a hand is missing at the end")
        if character in RANK_VARIABLES.lower():
            # The `o` of `AKo` ends up here in games of other sizes.
            hint = f"rank variables are capital letters ({RANK_VARIABLES})"
            return reader.error(f"'{character}' is not a card", hint)
        if character in "01":
            return reader.error(f"'{character}' is not a rank", "ranks are A K Q J T 9 ... 2; ten is T or 10")
        if character in (")", "]", "/", "("):
            return reader.error(f"'{character}' is not expected here")
        return reader.error(f"'{character}' is not a card", "a card is a rank (AKQJT98765432) and a suit (cdhs)")

    def _rank(self) -> int | None:
        """Reads a written rank, if one stands here."""
        reader = self.reader
        start = reader.at
        if reader.text.startswith("10", start):
            reader.at += 2
            return self._check_rank(8, start, reader.at)
        rank = _RANK_OF.get(reader.here)
        if rank is None:
            return None
        reader.at += 1
        return self._check_rank(rank, start, reader.at)

    def _suit(self, slot: Slot) -> tuple[Slot, bool]:
        """The slot with the suit or suit variable that stands here, and whether one did."""
        reader = self.reader
        character = reader.here
        suit = _SUIT_OF.get(character)
        if suit is not None:
            reader.at += 1
            if reader.here == "\ufe0f":
                reader.at += 1
            return with_suit(slot, suit), True
        variable = _SUIT_VAR_OF.get(character)
        if variable is not None:
            reader.at += 1
            return tied(slot, variable), True
        return slot, False

    def _spec(self) -> Alternatives | None:
        """One card spec, or None where none stands here."""
        reader = self.reader
        character = reader.here
        if character == "":
            return None
        joker = self._joker()
        if joker is not None:
            return ((joker,),)
        rank = self._rank()
        if rank is not None:
            return ((self._suit(rank_slot(rank))[0],),)
        if character in RANK_VARIABLES:
            reader.at += 1
            return ((self._suit(Slot(_NO_JOKERS, rank_var=character))[0],),)
        if character == "*" or reader.text.startswith("??", reader.at):
            reader.at += 1 if character == "*" else 2
            return ((self._suit(FREE_SLOT)[0],),)
        if character == "X":
            if not self.layout.shorthand:
                raise reader.error("a capital X has no meaning here", "write * for any card, or x for a suit variable")
            reader.at += 1
            return ((self._suit(FREE_SLOT)[0],),)
        slot, found = self._suit(FREE_SLOT)
        return ((slot,),) if found else None

    def _joker(self) -> Slot | None:
        """Reads `Jk` or `Jk2` where the deck has jokers; there it does not mean a jack and a king."""
        reader = self.reader
        deck = self.layout.deck
        if not deck >> JOKER & 1 or reader.text[reader.at : reader.at + 2] not in ("Jk", "jk"):
            return None
        second = reader.peek(2) == "2" and deck >> SECOND_JOKER & 1 == 1
        reader.at += 3 if second else 2
        return Slot(1 << (SECOND_JOKER if second else JOKER), has_rank=True, has_suit=True)

    def _macro(self) -> tuple[int, Alternatives | None]:
        reader = self.reader
        match = _MACRO.match(reader.text, reader.at)
        if match is None:
            known = " ".join("$" + name for name in (*HAND_MACROS, *RANK_MACROS))
            shown = re.compile(r"\$\w*").match(reader.text, reader.at)
            end = shown.end() if shown is not None else reader.at + 1
            raise reader.error(f"the macro {reader.text[reader.at : end]} is not known", f"macros are {known}", end=end)
        reader.at = match.end()
        name = match.group(1)
        bits = HAND_MACROS.get(name.lower())
        if bits is not None:
            if self.layout.what == "board":
                reader.at = match.start()
                raise reader.error(f"${name} describes a hand, not a board", end=match.end())
            return bits, None
        mask = sum(RANK_MASK[_RANK_OF[c]] for c in RANK_MACROS[name.upper()])
        return 0, ((Slot(mask, has_rank=True),),)

    # -- lists ----------------------------------------------------------------------------------------------

    def _list(self) -> Alternatives:
        """A bracket: alternatives of ranks, suits or cards, or spans of shapes."""
        reader = self.reader
        opening = reader.at
        reader.at += 1
        rows: list[tuple[Slot, ...]] = []
        spanned = False
        while True:
            reader.skip_spaces()
            begun = reader.at
            if reader.here in ("", "]", ","):
                if reader.here == "":
                    raise reader.error("this bracket is never closed", "write ] after the last alternative", opening)
                raise reader.error("an alternative is missing here", "a list is written [A,K,5] or [A-J]")
            row = self._alternative(begun)
            sign = self._sign()
            spanned = spanned or sign != ""
            if sign == "run":
                end = self._alternative(reader.at)
                rows += self._span(row, end, begun)
            elif sign:
                rows += self._shift_all(row, sign == "up", begun)
            else:
                rows.append(row)
            self._no_more_signs()
            if len(rows) > MOST_SHAPES:
                raise reader.error("this list is too long", "", opening, reader.at)
            reader.skip_spaces()
            if reader.here == ",":
                reader.at += 1
                continue
            if reader.here == "]":
                reader.at += 1
                break
            if reader.here == "":
                raise reader.error("this bracket is never closed", "write ] after the last alternative", opening)
            hint = "alternatives are parted by commas: [A,K,5]; variables and macros stand outside lists"
            raise reader.error(f"'{reader.here}' is not expected in a list", hint)
        if len({len(row) for row in rows}) > 1:
            reason = "the alternatives of this list have different numbers of cards"
            raise reader.error(reason, "write them as hands in parentheses: (AA,K)", opening, reader.at)
        if len(rows[0]) > 1 and not spanned and len(rows) == 1:
            parts = ",".join(slot_text(slot) for slot in rows[0])
            raise reader.error("a list needs commas between alternatives", f"write [{parts}]", opening, reader.at)
        return _grouped(rows)

    def _alternative(self, start: int) -> tuple[Slot, ...]:
        reader = self.reader
        row: list[Slot] = []
        while reader.here not in ("", ",", "]", "-", "+") and reader.here not in SPACES:
            character = reader.here
            joker = self._joker()
            if joker is not None:
                row.append(joker)
                continue
            rank = self._rank()
            if rank is not None:
                slot = rank_slot(rank)
                suit = _SUIT_OF.get(reader.here)
                if suit is not None:
                    slot, _ = self._suit(slot)
                row.append(slot)
                continue
            if character in _SUIT_OF:
                row.append(self._suit(FREE_SLOT)[0])
                continue
            hint = "a list holds ranks, suits and cards: [A,K,5], [s,h], [As,Kd]"
            raise reader.error(f"'{character}' is not expected in a list", hint)
        if not row:
            raise reader.error("an alternative is missing here", "a list is written [A,K,5] or [A-J]")
        if len(row) > self.layout.size:
            raise reader.error(f"more cards are written here than {self.size_words()}", "", start, reader.at)
        return tuple(row)

    # -- moving a shape -----------------------------------------------------------------------------------

    def _moved(self, start: int, row: list[Alternatives], needs: int) -> Node:
        """The term with its `+`, `-` or other end, if any."""
        reader = self.reader
        sign = self._sign()
        if sign == "":
            shapes = self._expand(row, needs, start)
            return Terms(start, reader.at, shapes)
        plain = tuple(place[0][0] for place in row if len(place) == 1 and len(place[0]) == 1)
        if len(plain) != len(row) or needs or any(slot.has_rank and slot.rank < 0 for slot in plain):
            reason = "a term with a list or a macro cannot be moved up or down or run to another"
            raise reader.error(reason, "write the span inside the brackets: [A-J]", start, reader.at)
        if not any(slot.rank >= 0 for slot in plain):
            reader.at = reader.at if sign != "run" else reader.at - 1
            raise reader.error("there is no rank here to move up or down", "", start, reader.at)
        if sign == "run":
            other_start = reader.at
            other, other_needs = self._row(other_start)
            if other_needs or any(len(place) > 1 or len(place[0]) > 1 for place in other):
                raise reader.error("the end of a run cannot hold a list or a macro", "", other_start, reader.at)
            end = tuple(place[0][0] for place in other)
            self._no_more_signs()
            rows = self._span(plain, end, start)
            how = "span"
        else:
            self._no_more_signs()
            rows = self._shift_all(plain, sign == "up", start)
            how = sign
            if self._two_ranks(plain) is not None:
                how = ("pair " if plain[0].rank == plain[1].rank else "kicker ") + sign
        self._count(len(rows), start)
        if any(slot.suit >= 0 for slot in plain):
            for made in rows:
                self._refuse_twice(made, start)
        return Terms(start, reader.at, tuple(Shape(made, needs) for made in rows), how)

    def _refuse_twice(self, row: tuple[Slot, ...], start: int) -> None:
        cards = [4 * s.rank + s.suit for s in row if s.rank >= 0 and s.suit >= 0]
        if len(set(cards)) < len(cards):
            twice = next(c for c in cards if cards.count(c) > 1)
            raise self.reader.error(
                f"the card {card_name(twice)} comes up twice in this run", "", start, self.reader.at
            )

    def _two_ranks(self, row: tuple[Slot, ...]) -> tuple[int, int] | None:
        """Places of the higher and the lower rank where the hold'em way of moving applies, else None."""
        if not self.layout.shorthand or len(row) != 2 or row[0].rank < 0 or row[1].rank < 0:
            return None
        return (0, 1) if row[0].rank >= row[1].rank else (1, 0)

    def _shift_all(self, row: tuple[Slot, ...], up: bool, start: int) -> list[tuple[Slot, ...]]:
        two = self._two_ranks(row)
        if two is not None and row[0].rank != row[1].rank:
            top, kicker = row[two[0]].rank, row[two[1]].rank
            return [
                tuple(_at_rank(s, r) if i == two[1] else s for i, s in enumerate(row))
                for _, r in self._moves(top, kicker, up)
            ]
        ranks = [slot.rank for slot in row if slot.rank >= 0]
        if not ranks:
            raise self.reader.error("there is no rank here to move up or down", "", start, self.reader.at)
        if up:
            deltas: Iterable[int] = range(13 - max(ranks))
        else:
            deltas = range(0, self.layout.lowest_rank - min(ranks) - 1, -1)
        return [_shifted(row, delta) for delta in deltas]

    def _span(self, one: tuple[Slot, ...], two: tuple[Slot, ...], start: int) -> list[tuple[Slot, ...]]:
        reader = self.reader
        pairing = self._two_ranks(one), self._two_ranks(two)
        for left, right in ((one, two), (_by_rank(one), _by_rank(two))):
            if len(left) != len(right) or not all(map(_alike, left, right)):
                continue
            deltas = {b.rank - a.rank for a, b in zip(left, right, strict=True) if a.rank >= 0}
            if len(deltas) == 1:
                delta = deltas.pop()
                step = 1 if delta >= 0 else -1
                return [_shifted(left, d) for d in range(0, delta + step, step)]
            if pairing[0] is not None and pairing[1] is not None:
                places = self._two_ranks(left)
                if places is None or self._two_ranks(right) != places:
                    continue
                top, kicker = places
                ends = sorted((left[kicker].rank, right[kicker].rank))
                if left[top].rank == right[top].rank and ends[1] < left[top].rank:
                    return [
                        tuple(_at_rank(s, r) if i == kicker else s for i, s in enumerate(left))
                        for r in range(ends[0], ends[1] + 1)
                    ]
        raise reader.error(
            f"{_text(one)} and {_text(two)} do not have the same number of ranks, gaps and suits",
            self._span_hint(one, two), start, reader.at,
        )  # fmt: skip

    def _span_hint(self, one: tuple[Slot, ...], two: tuple[Slot, ...]) -> str:
        ranks = [s.rank for s in one if s.rank >= 0]
        others = [s.rank for s in two if s.rank >= 0]
        if not ranks or not others:
            return "both ends of a span need ranks"
        delta = max(others) - max(ranks)
        if min(ranks) + delta < self.layout.lowest_rank:
            delta = self.layout.lowest_rank - min(ranks)
        if delta == 0:
            moving = f"[{RANKS[max(ranks[-1], others[-1])]}-{RANKS[min(ranks[-1], others[-1])]}]"
            return f"a span moves every rank; to move one card write it as a list, such as {moving}"
        return f"did you mean {_text(one)}-{_text(_shifted(one, delta))}?"

    def _count(self, shapes: int, start: int) -> None:
        self.shapes_made += shapes
        if shapes > MOST_SHAPES or self.shapes_made > 10 * MOST_SHAPES:
            reason = "the lists and spans of this text have too many combinations"
            raise self.reader.error(reason, "use fewer or shorter ones", start, self.reader.at)

    # -- shapes -----------------------------------------------------------------------------------------------

    def _expand(self, row: list[Alternatives], needs: int, start: int) -> tuple[Shape, ...]:
        """Every choice of one alternative at each place, as shapes."""
        variables = any(slot.rank_var or slot.suit_var for place in row for slot in place[0])
        # A list of ranks only, or suits only, is one wide slot; where no variable looks at it, any list is.
        places = [_widened(place) if not variables else place for place in row]
        count = 1
        for place in places:
            count *= len(place)
        self._count(count, start)
        return tuple(Shape(tuple(slot for part in choice for slot in part), needs) for choice in product(*places))


def _alike(a: Slot, b: Slot) -> bool:
    return (a.rank >= 0) == (b.rank >= 0) and (a.suit, a.suit_var, a.rank_var) == (b.suit, b.suit_var, b.rank_var)


def _at_rank(slot: Slot, rank: int) -> Slot:
    mask = RANK_MASK[rank] & SUIT_MASK[slot.suit] if slot.suit >= 0 else RANK_MASK[rank]
    return Slot(mask, rank, slot.suit, "", slot.suit_var, True, slot.has_suit)


def _shifted(row: tuple[Slot, ...], delta: int) -> tuple[Slot, ...]:
    return tuple(slot if slot.rank < 0 else _at_rank(slot, slot.rank + delta) for slot in row)


def _by_rank(row: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(sorted(row, key=lambda slot: -slot.rank))


def _text(row: tuple[Slot, ...]) -> str:
    return "".join(map(slot_text, row))


def _kind(row: tuple[Slot, ...]) -> tuple[bool, bool]:
    return row[0].has_rank, row[0].has_suit


def _grouped(rows: list[tuple[Slot, ...]]) -> Alternatives:
    """Single-card alternatives of one kind (ranks, suits, cards) become one wide slot each."""
    if len(rows[0]) > 1:
        return tuple(dict.fromkeys(rows))
    masks: dict[tuple[bool, bool], int] = {}
    for row in rows:
        masks[_kind(row)] = masks.get(_kind(row), 0) | row[0].mask
    if len(rows) == 1:
        return (rows[0],)
    return tuple((Slot(mask, has_rank=kind[0], has_suit=kind[1]),) for kind, mask in masks.items())


def _widened(place: Alternatives) -> Alternatives:
    if len(place) == 1 or len(place[0]) > 1:
        return place
    mask = 0
    for row in place:
        mask |= row[0].mask
    return ((Slot(mask, has_rank=True, has_suit=True),),)

"""Range text to tree: one recursive reader for hold'em shorthand and the generic syntax, with positions.

    items  = item, separated by , ; newline (in two-card games also a space)
    item   = 50%(items)  |  [50]items[/50]  |  part {(: | !) part} [weight]
    part   = (items) [weight]  |  15%  |  5%-15%  |  top 15%  |  random  |  term
    weight = @number  |  :number

Terms are read by `terms`. A colon before a number is a weight, before anything else an intersection.
"""

from __future__ import annotations

import re

from potshare.errors import TextError
from potshare.evaluator.cards import card_name, read_card
from potshare.simulate.ranges.listed import SHORTEST_LIST, read_listed
from potshare.simulate.ranges.reader import NUMBER, SPACES, Reader
from potshare.simulate.ranges.terms import TermReader
from potshare.simulate.ranges.tree import (
    RANK_VARIABLES,
    Both,
    Everything,
    Join,
    Layout,
    Minus,
    Node,
    Scaled,
    Shape,
    Slot,
    Terms,
    Top,
)

DEEPEST = 40
"""How many parentheses may stand inside each other."""
MOST_ITEMS = 20_000
"""How many items a text may name."""
TALLEST = 150
"""How deep a tree may grow: what walks over it goes one call deeper with each level."""

_CARD = r"(?:10|[2-9TJQKA])[cdhs♣♦♥♠♧♢♡♤]\ufe0f?"
_CARD_TOKEN = re.compile(_CARD, re.I)
_CARDS_ONLY = re.compile(rf"(?:{_CARD})+", re.I)
_SPACED_CARDS = re.compile(rf"(?:{_CARD})+(?:[ \t\u00a0]+(?:{_CARD})+)+", re.I)
_WORD = re.compile(r"[A-Za-z]+")
_PERCENTILE = re.compile(rf"({NUMBER.pattern})\s*+(?:%\s*+)?-\s*+({NUMBER.pattern})\s*+%")
_PERCENT = re.compile(rf"({NUMBER.pattern})\s*+%")
_TOP = re.compile(r"(top|best)(?![A-Za-z])\s*", re.I)
_FACTOR = re.compile(rf"({NUMBER.pattern})\s*+(%?)\s*+\(")
_OPEN_TAG = re.compile(rf"\[\s*+({NUMBER.pattern})\s*+%?\s*+\]")
_CLOSE_TAG = re.compile(rf"\[/\s*+({NUMBER.pattern})?\s*+%?\s*+\]")
_ANY_WORDS = {"any", "all", "anything", "everything", "any2", "anytwo"}


class Parser(Reader):
    """One text being read for one layout."""

    def __init__(self, text: str, layout: Layout) -> None:
        super().__init__(text)
        self.layout = layout
        self.terms = TermReader(self, layout)
        self.depth = 0
        self.items_read = 0
        self.height = 0
        self.last_closing = text.rfind("[/")
        self.hand: tuple[int, ...] | None = None
        """The cards, in the order written, where the text is one hand and nothing else."""

    def parse(self) -> Node:
        """The tree of the whole text."""
        if not self.text.strip(SPACES):
            raise self.error(f"there is no {self.layout.what} here", "write a hand such as AhKh, or random")
        whole = self._whole_hand()
        if whole is not None:
            return whole
        node = self._items()
        if self.at < len(self.text):
            raise self._unexpected()
        return node

    # -- one hand ---------------------------------------------------------------------------------------

    def _whole_hand(self) -> Node | None:
        # Cards may stand apart (`Ah Kh`, `Ah, Kh`): text that is nothing but single cards is one hand.
        pieces = list(re.finditer(r"[^\s,;_\u00a0]+", self.text))
        if not 0 < len(pieces) <= 60 or not all(_CARDS_ONLY.fullmatch(m.group()) for m in pieces):
            return None
        single = all(_CARD_TOKEN.fullmatch(m.group()) for m in pieces)
        cards = [(m.start() + t.start(), m.start() + t.end()) for m in pieces for t in _CARD_TOKEN.finditer(m.group())]
        spaced = not any(c in self.text for c in ",;\n") and len(cards) == self.layout.size
        if not (single or spaced or len(pieces) == 1):
            return None
        return self._hand(cards)

    def _hand(self, spans: list[tuple[int, int]]) -> Terms:
        found: list[int] = []
        slots: list[Slot] = []
        for start, end in spans:
            number, _ = read_card(self.text, start)
            if not self.layout.deck >> number & 1:
                raise self.terms.not_in_deck(start, end)
            if number in found:
                raise self.error(f"the card {card_name(number)} is written twice", "", start, end)
            found.append(number)
            slots.append(Slot(1 << number, number >> 2, number & 3, has_rank=True, has_suit=True))
        if len(slots) > self.layout.size:
            start, end = spans[self.layout.size]
            listed = ",".join(card_name(n) for n in found)
            reason = f"{len(slots)} cards are more than {self.terms.size_words()}"
            raise self.error(reason, f"for a choice of cards write [{listed}]", start, spans[-1][1])
        self.at = len(self.text) if spans[-1][1] == len(self.text.rstrip(SPACES + ",;_")) else spans[-1][1]
        self.hand = tuple(found)
        return Terms(spans[0][0], spans[-1][1], (Shape(tuple(slots)),), "hand")

    # -- items --------------------------------------------------------------------------------------------

    def _unexpected(self) -> TextError:
        character = self.here
        if character == ")":
            return self.error("this parenthesis closes nothing", "remove it, or open one before")
        if character == "]":
            return self.error("this bracket closes nothing", "remove it, or open one before")
        if character == "/":
            return self.error(
                "a '/' has no meaning in a range", "it parts kept from discarded cards in one hand of a draw game"
            )
        if character == "(":
            return self.error(
                "a parenthesis cannot stand right after a hand", "write a comma before it; weights are @50 or :0.5"
            )
        hint = "put a comma between hands"
        if character in RANK_VARIABLES.lower() and not self.layout.shorthand:
            hint = "rank variables are capital letters; marks such as AKo are read for two-card hands only"
        return self.error(f"'{character}' is not expected here", hint)

    def _items(self) -> Node:
        start = self.at
        children: list[Node] = []
        height = 0
        self.skip_spaces()
        while True:
            if self.here in (",", ";"):
                raise self.error("there is nothing before this separator", "remove it")
            children.append(self._item())
            height = max(height, self.height)
            end = self.at
            broken = self.skip_spaces()
            if self._closed():
                break
            if self.here in (",", ";"):
                self.at += 1
                self.skip_spaces()
                if self._closed():
                    break
                continue
            if self.at == end:
                raise self._unexpected()
            if broken:
                continue
            if not self.layout.shorthand:
                hint = "write a comma between alternatives, or join the cards of one hand"
                raise self.error("a space does not part hands in this game", hint, end, self.at)
            self._refuse_loose_ranks(children[-1], end)
        self.height = height + (len(children) > 1)
        return children[0] if len(children) == 1 else Join(start, end, tuple(children))

    def _closed(self) -> bool:
        return self.at >= len(self.text) or self.here == ")" or self.text.startswith("[/", self.at)

    def _refuse_loose_ranks(self, last: Node, end: int) -> None:
        # `A K` would be any hand with an ace or a king; it is more likely a torn `AK`.
        torn = isinstance(last, Terms) and len(last.shapes[0].slots) == 1 and last.how == ""
        following = re.compile(r"(?:10|[2-9TJQKAcdhs])[cdhs]?(?=[\s,;)]|$)", re.I).match(self.text, self.at)
        if torn or following is not None:
            stop = following.end() if following is not None else self.at
            joined = "".join(self.text[last.start : stop].split())
            hint = f"write {joined} for one hand, or a comma between two"
            raise self.error("parts of a hand stand apart here", hint, last.start, stop)

    def _item(self) -> Node:
        self.items_read += 1
        if self.items_read > MOST_ITEMS:
            raise self.error(f"more than {MOST_ITEMS:,} items", "give so many hands as arrays")
        if self.here == "[":
            tagged = self._tagged()
            if tagged is not None:
                return tagged
        return self._chain()

    def _grow(self, height: int) -> None:
        self.height = height + 1
        if self.height > TALLEST:
            raise self.error(f"more than {TALLEST} operations upon each other", "gather hands: *!(AA,KK) for *!AA!KK")

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} parentheses inside each other")

    def _tagged(self) -> Node | None:
        start = self.at
        tag = _OPEN_TAG.match(self.text, start)
        if tag is None:
            return None
        if self.last_closing < tag.end():
            if set(tag.group(1)) <= set("23456789"):
                return None
            hint = f"write [/{tag.group(1)}] after the last hand of this weight"
            raise self.error("this weight tag is never closed", hint, start, tag.end())
        self.at = self.after_spaces(start + 1)
        weight = self.weight(percent_only=True)
        self.at = tag.end()
        self._enter()
        self.skip_spaces()
        if self.text.startswith("[/", self.at):
            raise self.error("there is no hand between these weight tags", "", start, self.at)
        inner = self._items()
        self.depth -= 1
        close = _CLOSE_TAG.match(self.text, self.at)
        if close is None:
            reason = "the weight tag is not closed here"
            raise self.error(reason, f"write [/{tag.group(1)}]", self.at)
        if close.group(1) is not None and float(close.group(1)) != float(tag.group(1)):
            hint = f"write [/{tag.group(1)}]"
            raise self.error(f"[{tag.group(1)}] is closed by another tag", hint, close.start(), close.end())
        self.at = close.end()
        self._grow(self.height)
        return Scaled(start, self.at, inner, weight)

    def _chain(self) -> Node:
        start = self.at
        node = self._part()
        while True:
            place = self.at
            self.skip_spaces()
            character = self.here
            if character == "@" or (character == ":" and self._weight_follows()):
                grouped = self.text[place - 1] == ")"
                node = self._weighted(node, start, grouped)
                self._grow(self.height)
                if self.next_visible() not in (":", "!"):
                    return node
                continue
            if character not in (":", "!"):
                self.at = place
                return node
            self.at += 1
            self.skip_spaces()
            if self.at >= len(self.text) or self.here in ",;)":
                word = "intersect with" if character == ":" else "take away"
                raise self.error(f"there is nothing to {word} after '{character}'", "", place, self.at)
            height = self.height
            right = self._part()
            self._grow(max(height, self.height))
            kind = Both if character == ":" else Minus
            node = kind(start, self.at, node, right)

    def _weight_follows(self) -> bool:
        return self.is_colon_weight(self.after_spaces(self.at + 1), self.layout.shorthand)

    def _weighted(self, node: Node, start: int, grouped: bool) -> Node:
        colon = self.here == ":"
        sign = self.at
        self.at = self.after_spaces(self.at + 1)
        begun = self.at
        weight = self.weight()
        if colon and self.text[begun : self.at] in ("1", "+1"):
            weight = 1.0
        place = self.at
        self.skip_spaces()
        if self.here == "@" or (self.here == ":" and self._weight_follows()):
            raise self.error("a second weight for the same hands", "keep one of the two", sign, self.at + 1)
        if self.here in (":", "!") and self.here and not grouped:
            hint = "put the weight last, or parentheses around the weighted hands"
            raise self.error("a weight ends an item", hint, sign, self.at + 1)
        if self.at == place and not self._closed() and self.here not in (",", ";", ":", "!"):
            raise self.error(f"'{self.here}' is not expected after a weight", "put a comma between items")
        self.at = place
        return Scaled(start, place, node, weight)

    def _part(self) -> Node:
        start = self.at
        character = self.here
        if character == "(":
            return self._group(start)
        self.height = 1
        if character == "!":
            raise self.error("there is nothing to take hands away from", "write *! for all hands but these")
        if character in ("@", ":"):
            raise self.error(f"there is no hand before '{character}'")
        node: Node | None = None
        if character.isdigit() or character == ".":
            node = self._number()
        elif character.isalpha():
            node = self._word()
        if node is not None:
            return node
        if character in ("+", "-"):
            raise self.error(f"there is no hand before '{character}'")
        if character == "/":
            raise self._unexpected()
        return self._spaced_hand() or self.terms.read()

    def _spaced_hand(self) -> Node | None:
        # One hand with spaces between its cards, among other items: `AA, Ks Qs`.
        start = self.at
        spaced = _SPACED_CARDS.match(self.text, start)
        if spaced is None:
            return None
        after = self.after_spaces(spaced.end())
        if not (after == len(self.text) or self.text[after] in ",;:!@)[" or "\n" in self.text[spaced.end() : after]):
            return None
        spans = [(start + t.start(), start + t.end()) for t in _CARD_TOKEN.finditer(spaced.group())]
        single = len(spaced.group().split()) == len(spans)
        if len(spans) != self.layout.size and not (single and len(spans) < self.layout.size):
            return None
        node = self._hand(spans)
        self.at, self.hand = spaced.end(), None
        return node

    def _group(self, start: int, factor: float | None = None) -> Node:
        opening = self.at
        self.at += 1
        self._enter()
        self.skip_spaces()
        if self.here == ")":
            raise self.error("there is nothing between these parentheses", "", opening, self.at + 1)
        inner = self._items()
        self.depth -= 1
        if self.here != ")":
            raise self.error("this parenthesis is never closed", "write ) after the last hand", opening)
        self.at += 1
        if factor is None:
            return inner
        self._grow(self.height)
        return Scaled(start, self.at, inner, factor)

    def _number(self) -> Node | None:
        start = self.at
        span = _PERCENTILE.match(self.text, start)
        if span is not None:
            self.at = span.end()
            low, high = sorted((self._share(span.group(1), start), self._share(span.group(2), start)))
            return self._top(start, low, high)
        factor = _FACTOR.match(self.text, start)
        if factor is not None and (factor.group(2) or set(factor.group(1)) & set("01.")):
            weight = self.weight()
            self.at = factor.end() - 1
            return self._group(start, weight)
        percent = _PERCENT.match(self.text, start)
        if percent is not None:
            self.at = percent.end()
            return self._top(start, 0.0, self._share(percent.group(1), start))
        number = NUMBER.match(self.text, start)
        if number is not None and "." in number.group():
            hint = "a weight stands after the hands (AA@50, AA:0.5) or before parentheses (50%(AA,KK))"
            raise self.error("a number is not a hand", hint, start, number.end())
        return None

    def _share(self, number: str, start: int) -> float:
        share = float(number) / 100
        if not 0.0 <= share <= 1.0:
            raise self.error(f"{number}% is more than all hands", "percentages run from 0% to 100%", start, self.at)
        return share

    def _top(self, start: int, low: float, high: float) -> Node:
        if self.layout.what != "hand":
            raise self.error("a percentage of hands has no meaning on a board", "", start, self.at)
        if low >= high:
            raise self.error("this is 0% of all hands", "", start, self.at)
        if low <= 0.0 and high >= 1.0:
            return Everything(start, self.at)
        from potshare.simulate.ranges.orderings import check_ordering

        problem = check_ordering(self.layout.variant)
        if problem:
            raise self.error(problem, "name the hands instead", start, self.at)
        return Top(start, self.at, low, high)

    def _word(self) -> Node | None:
        start = self.at
        word = _WORD.match(self.text, start)
        if word is None:
            return None
        top = _TOP.match(self.text, start)
        if top is not None:
            percent = _PERCENT.match(self.text, top.end())
            if percent is None:
                raise self.error("'top' needs a percentage", "write top 15%", start, top.end())
            self.at = percent.end()
            return self._top(start, 0.0, self._share(percent.group(1), start))
        lower = word.group().lower()
        if lower == "random":
            self.at = word.end()
            return Everything(start, self.at)
        if lower in _ANY_WORDS:
            raise self.error(f"the word '{word.group()}' is not known", "write random or *", start, word.end())
        return None


def parse(text: str, layout: Layout) -> tuple[Node, tuple[int, ...] | None]:
    """The tree of a range text, and its cards in the order written where the text is one hand.

    Raises `TextError` with the place of the first thing that cannot be read.
    """
    if len(text) > SHORTEST_LIST and layout.what == "hand" and not layout.shorthand:
        listed = read_listed(text, layout)
        if listed is not None:
            return listed, None
    parser = Parser(text, layout)
    return parser.parse(), parser.hand

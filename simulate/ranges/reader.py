"""Walking along range text: characters, numbers and weights, each error with its place."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from potshare.errors import TextError
from potshare.evaluator.cards import describe_character, lookalike

LONGEST_TEXT = 100_000
"""Longer text is refused before it is read: the work must stay bounded. (Lists of written hands: see `listed`.)"""

SPACES = " \t\r\n\u00a0"
# Bounded and possessive, so that no text makes matching slow.
NUMBER = re.compile(r"(?:\d{1,20}+(?:\.\d{0,400}+)?+|\.\d{1,400}+)(?!\d)")
WEIGHT = re.compile(rf"([+-]?)({NUMBER.pattern})((?:[eE][+-]?\d{{1,4}}(?!\d))?)[ \t]*+(%?)")
SMALLEST_WEIGHT = 1e-12
_ALLOWED = set(map(chr, range(32, 127))) | set("\t\r\n\u00a0♣♦♥♠♧♢♡♤\ufe0f")
_RANK_DIGITS = set("23456789")
_SPEC = re.compile(r"[A-Za-z0-9*+$?♣♦♥♠♧♢♡♤-]|\[(?!/)")


class Reader:
    """A text and a place in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        if len(text) > LONGEST_TEXT:
            reason = f"this text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read"
            raise TextError(text, LONGEST_TEXT, LONGEST_TEXT + 1, reason, "split it, or give the hands as arrays")
        if not text.isascii() or not text.isprintable():
            self._check_characters()

    def _check_characters(self) -> None:
        for at, character in enumerate(self.text):
            if character in _ALLOWED:
                continue
            twin = lookalike(character)
            reason = f"{describe_character(character)} at position {at + 1} has no meaning here"
            raise TextError(self.text, at, at + 1, reason, f"did you mean '{twin}'?" if twin else "")

    # -- the place ------------------------------------------------------------------------------------

    @property
    def here(self) -> str:
        """The character at the place, or an empty string at the end."""
        return self.text[self.at : self.at + 1]

    def peek(self, ahead: int = 1) -> str:
        """The character so many places further on."""
        return self.text[self.at + ahead : self.at + ahead + 1]

    def skip_spaces(self) -> bool:
        """Moves over white space; returns whether there was a line break in it."""
        text, at, n = self.text, self.at, len(self.text)
        while at < n and text[at] in SPACES:
            at += 1
        broken = "\n" in text[self.at : at] or "\r" in text[self.at : at]
        self.at = at
        return broken

    def after_spaces(self, at: int | None = None) -> int:
        """Where the next character that is not white space stands."""
        at = self.at if at is None else at
        while at < len(self.text) and self.text[at] in SPACES:
            at += 1
        return at

    def next_visible(self, at: int | None = None) -> str:
        """The next character that is not white space, or an empty string at the end."""
        at = self.after_spaces(at)
        return self.text[at : at + 1]

    def error(self, reason: str, hint: str = "", start: int | None = None, end: int | None = None) -> TextError:
        """An error at the place, or over the span given."""
        start = self.at if start is None else start
        return TextError(self.text, start, start + 1 if end is None else end, reason, hint)

    # -- numbers --------------------------------------------------------------------------------------

    def is_colon_weight(self, at: int, shorthand: bool) -> bool:
        """Whether a weight stands at `at`, after a colon, and not a term such as `:22`.

        Digits 2-9 alone are ranks in games of other sizes; two-card dialects write weights after colons.
        """
        match = WEIGHT.match(self.text, at)
        if match is None:
            return False
        sign, digits, exponent, percent = match.groups()
        if sign or exponent or percent or "." in digits:
            return True
        if _SPEC.match(self.text, match.end()):
            # The digits are ranks: `:22+`, `:98s`, `:10h`.
            return False
        return shorthand or not _RANK_DIGITS.issuperset(digits)

    def weight(self, percent_only: bool = False) -> float:
        """Reads a weight; returns it as a fraction of one.

        A whole number is a percentage, except 0 and, after a colon, 1 (the caller's business); a number with a
        decimal point is a fraction of one; `%` says percentage. `percent_only` is the dialect of `[50]` tags,
        where every number is a percentage.
        """
        start = self.at
        match = WEIGHT.match(self.text, start)
        if match is None:
            word = re.compile(r"[+-]?[A-Za-z]+|.?", re.S).match(self.text, start)
            shown = word.group() if word is not None else ""
            reason = f"'{shown}' is not a weight" if shown else "a weight is missing here"
            hint = "a weight is a number: @50 or @50% for half, or :0.5"
            raise self.error(reason, hint, start, start + max(1, len(shown)))
        sign, digits, exponent, percent = match.groups()
        self.at = match.end()
        if percent == "" and match.group().endswith((" ", "\t")):
            self.at = match.start() + len(match.group().rstrip())
        if sign == "-":
            raise self.error("a weight cannot be negative", "write 0 to remove hands, or !hands", start, self.at)
        text = match.group()
        decimal = "." in digits or exponent != ""
        value = Fraction(digits) if exponent == "" else _scientific(digits, exponent)
        if value is None:
            raise self.error("this weight is too large or too small to mean anything", "", start, self.at)
        if percent_only or percent:
            value /= 100
        elif decimal:
            if value > 1:
                hint = f"write {digits}% for a percentage, or {float(value) / 100:g} for a fraction"
                raise self.error("a weight with a decimal point is a fraction, at most 1", hint, start, self.at)
        else:
            value /= 100
        if value > 1:
            raise self.error(
                f"the weight {text.strip()} is more than 100%", "weights run from 0 to 100, or from 0.0 to 1.0",
                start, self.at,
            )  # fmt: skip
        number = float(value)
        if not math.isfinite(number) or (value > 0 and number < SMALLEST_WEIGHT):
            raise self.error("this weight is too small to mean anything", "write 0 to remove the hands", start, self.at)
        self._refuse_decimal_comma(start, digits + exponent + percent)
        return number

    def _refuse_decimal_comma(self, start: int, written: str) -> None:
        # `0,5` would be the weight 0 and then any hand with a five: nobody means that.
        match = re.compile(r",\d+(?=[\s,;)]|$)").match(self.text, self.at) if written == "0" else None
        if match is not None:
            shown = self.text[start : match.end()]
            hint = f"write {shown.replace(',', '.')} for the weight, or put a space after the comma"
            raise self.error(f"{shown} can be read as a weight or as two items", hint, start, match.end())


def weight_text(weight: float) -> str:
    """A weight as `@` text that reads back as the same number."""
    # repr is the shortest decimal that does; a point keeps it a fraction, not a percentage.
    text = repr(weight)
    return "@" + (text if "." in text or "e" in text else text + ".0")


def _scientific(digits: str, exponent: str) -> Fraction | None:
    # Bounded before the power is taken: 1e9999 must not cost anything, and what is left is a float.
    power = int(exponent[1:])
    if len(digits) > 400 or abs(power) > 100:
        return None
    return Fraction(digits) * Fraction(10) ** power

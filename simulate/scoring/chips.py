"""Amounts of money: decimal text to whole numbers of the smallest chip, and back. Nothing is rounded anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from potshare.errors import PotshareError

MOST_CHIPS = 10**15
"""Chips of one amount at most, so that sums stay within 63 bits."""

MOST_DECIMALS = 8
DIGITS = 17
"""Digits of an amount at most, those behind the point of the chip included; sums over a table then fit 63 bits."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")


@dataclass(frozen=True)
class Chip:
    """The smallest chip that is paid out, in the unit in which amounts are written: 1, 0.01, 25."""

    unit: Decimal

    @cached_property
    def decimals(self) -> int:
        """Digits behind the point that amounts are written with."""
        exponent = self.unit.normalize().as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0

    @cached_property
    def scaled(self) -> int:
        """The unit without its point."""
        return int(self.unit.scaleb(self.decimals))

    def shown(self, chips: int) -> str:
        """A number of chips as an amount."""
        sign, whole = "-" if chips < 0 else "", abs(chips) * self.scaled
        if not self.decimals:
            return f"{sign}{whole}"
        return f"{sign}{whole // 10**self.decimals}.{whole % 10**self.decimals:0{self.decimals}}"

    def amount(self, chips: int) -> int | str:
        """A number of chips as it stands in an answer: a number where amounts are whole ones, else text."""
        return self.shown(chips) if self.decimals else chips * self.scaled

    def count(self, value: Any, where: str) -> int:
        """The chips of an amount. Raises `PotshareError` that says `where` for anything else."""
        number = _number(value, where)
        if number < 0 or number >= Decimal(10) ** (DIGITS - self.decimals) or number >= self.unit * MOST_CHIPS:
            most = min(Decimal(10) ** (DIGITS - self.decimals), self.unit * MOST_CHIPS) - self.unit
            raise PotshareError(f"{where} is {value}; amounts are 0 to {most:f}")
        chips = Fraction(number) / Fraction(self.unit)
        if chips.denominator != 1:
            if self.unit == 1:
                raise PotshareError(
                    f"{where} is {value}; chips are whole numbers: for decimals name the smallest chip, as --chip 0.01"
                )
            raise PotshareError(f"{where} is {value}, which is not a multiple of the chip {self.unit:f}")
        return chips.numerator


def _number(value: Any, where: str) -> Decimal:
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, bool) or not isinstance(text, (int, float, Decimal, str)):
        raise PotshareError(f"{where} is {value!r}; write a number of chips")
    if isinstance(text, float):
        # The shortest decimal that stands for it: what was written.
        text = repr(text)
    if isinstance(text, str) and not _NUMBER.fullmatch(text.removeprefix("-")):
        shown = "missing" if not text else f"'{text}'"
        raise PotshareError(f"{where} is {shown}; write a number of chips")
    return Decimal(text)


ONE = Chip(Decimal(1))
"""Amounts are chips."""


def as_chip(value: str | int | float | Decimal | Chip | None) -> Chip:
    """The chip of an option, None for amounts that are chips. Raises `PotshareError`."""
    if value is None:
        return ONE
    if isinstance(value, Chip):
        return value
    unit = _number(value, "the chip")
    if not 0 < unit <= MOST_CHIPS:
        raise PotshareError(f"the chip is {value}; write the smallest amount that is paid out, as 0.01")
    # Without the zeros at its end, which would make other chips of equal ones.
    chip = Chip(Decimal(f"{unit.normalize():f}"))
    if chip.decimals > MOST_DECIMALS:
        raise PotshareError(f"the chip {value} has {chip.decimals} decimals; it may have {MOST_DECIMALS}")
    return chip

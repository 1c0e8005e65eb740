"""The errors a caller can meet: what is wrong, where, and what to write instead.

All of them are `PotshareError`, which is a `ValueError`. The command line prints the message and exits
with status 2; nothing else in the package prints.
"""

from __future__ import annotations

import math
from numbers import Real
from operator import index
from typing import Any


class PotshareError(ValueError):
    """A question that cannot be answered as it was asked."""


class TextError(PotshareError):
    """Text that could not be read, with the place where reading stopped.

    Attributes: `text`, the whole input; `start` and `end`, the offending span (offsets into `text`);
    `reason`, what is wrong; `hint`, what to write instead (may be empty).
    """

    def __init__(self, text: str, start: int, end: int, reason: str, hint: str = "") -> None:
        self.text = text
        self.start = max(0, min(start, len(text)))
        self.end = max(self.start + 1, end)
        self.reason = reason
        self.hint = hint
        super().__init__(self._message())

    def __reduce__(self) -> tuple[type[TextError], tuple[str, int, int, str, str]]:
        # By default an exception travels between processes as its class and its message.
        return type(self), (self.text, self.start, self.end, self.reason, self.hint)

    def _message(self) -> str:
        # Long text is shown as a window around the place, so that the caret stays on the screen.
        left = max(0, self.start - 40)
        right = min(len(self.text), max(self.end, self.start + 1) + 30)
        head = "..." if left else ""
        tail = "..." if right < len(self.text) else ""
        window = "".join(c if c.isprintable() else " " for c in self.text[left:right])
        width = max(1, min(self.end, right) - self.start)
        caret = " " * (len(head) + self.start - left) + "^" * width
        lines = [self.reason, f"  {head}{window}{tail}", f"  {caret}"]
        if self.hint:
            lines.append(self.hint)
        return "\n".join(lines)


class NoDealError(PotshareError):
    """Nothing is wrong with each part of a question, but no deal goes with all of them."""

    def __init__(
        self, reason: str = "no deal is possible: in every choice of hands two players would hold the same card"
    ) -> None:
        super().__init__(reason)


class TableError(PotshareError):
    """Built table data that are missing, damaged, or of another version."""


def whole_number(name: str, value: Any) -> int:
    """An argument as an integer. Raises `PotshareError` for what is none; numbers with a part behind the point too."""
    try:
        if type(value) is not bool:
            return index(value)
    except TypeError:
        pass
    raise PotshareError(f"{name} must be a whole number, not {value!r}")


def real_number(name: str, value: Any) -> float:
    """An argument as a number, which may be infinite or none. Raises `PotshareError` for what is of another kind."""
    if type(value) is bool or not isinstance(value, Real):
        raise PotshareError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        return math.inf

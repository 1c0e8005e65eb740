"""Reading from pipes and terminals part by part, so that Ctrl-C is heard.

`read(size)`, `readline` and `for line in file` wait for all they want within the interpreter's C code: a signal that
comes between two parts of it is seen only when the next part comes, which may be never. `read1` gives what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

_PART = 1 << 16


def part(file: IO[bytes], size: int = _PART) -> bytes:
    """What is there, up to `size` bytes; nothing at the end."""
    # A raw file has no `read1`, and its `read` is one.
    read = getattr(file, "read1", None) or file.read
    return read(size) or b""


def read(file: IO[bytes], size: int | None = None) -> bytes:
    """`size` bytes, or fewer where the file ends before; all of it for None."""
    parts = []
    left = size
    while left is None or left:
        more = part(file, _PART if left is None else left)
        if not more:
            break
        parts.append(more)
        if left is not None:
            left -= len(more)
    return b"".join(parts)


def lines(file: IO[bytes], most: int | None = None) -> Iterator[bytes]:
    """The lines with their ends, as soon as they are there; one of more than `most` bytes comes in parts."""
    waiting: list[bytes] = []
    size = 0
    while more := part(file):
        first, *others = more.split(b"\n")
        for following in [*others, None]:
            waiting.append(first)
            size += len(first)
            if following is None:
                break
            yield b"".join(waiting) + b"\n"
            waiting, size, first = [], 0, following
        if most is not None and size >= most:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)

"""Bounds of time and memory for one case of many: what hangs or grows is stopped and named, and the others go on."""

from __future__ import annotations

import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HANGS = 300
"""Seconds on the clock after which a case is stopped: it waits for something, or will never end."""

MEMORY = 1 << 30
"""Bytes by which a case may raise the most that the process ever had, with room for the kernels it loads."""

SPACE = 8 << 30
"""Bytes of addresses that a case may add: no more can be asked for, so that the machine survives what grows."""


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def bounded(seconds: float, what: Any) -> Iterator[None]:
    """Raises `AssertionError` naming `what` when more than `seconds` of the processor are used in the context, or more
    memory than `MEMORY`, or when it takes `HANGS`."""

    def hangs(number: int, frame: object) -> None:
        raise AssertionError(f"hangs: {what!r}")

    limits = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS)
    most = _most_memory()
    started = time.process_time()
    try:
        if sys.platform == "linux":
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + SPACE, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    took = time.process_time() - started
    assert took < seconds, f"{took:.1f} s for {what!r}"
    grown = _most_memory() - most
    assert grown < MEMORY, f"{grown >> 20} MB for {what!r}"

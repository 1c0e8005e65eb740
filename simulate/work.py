"""Pieces of work over threads or processes, their results in order.

Every engine cuts its work into pieces of well under a quarter of a second and combines the results in the
order of the pieces, so that answers do not depend on the number of threads, Ctrl-C is heard in time, and
progress can be shown. Kernels release the GIL, so plain threads are enough, and none outlives a question.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from potshare.errors import PotshareError, whole_number

Piece = TypeVar("Piece")
Result = TypeVar("Result")

Progress = Callable[[float], None]
"""Is told the share of the work that is done, 0 to 1."""


def thread_count(threads: int | None) -> int:
    """The number asked for, or the cores that this process may use. Raises `PotshareError` below one."""
    if threads is None:
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # macOS, Windows
            return os.cpu_count() or 1
    if whole_number("threads", threads) < 1:
        raise PotshareError(f"threads must be at least 1, not {threads}")
    return threads


@contextmanager
def deaf_processes() -> Iterator[None]:
    """Processes and threads that this thread starts in the context do not hear Ctrl-C: they are told to stop.

    A terminal sends the signal to every process of a program, and each would write about it. One that comes in the
    meantime is heard afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    # The tracker would let the signal through again where it is started with the first process.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def over_processes(do: Callable[[Piece], Result], pieces: Iterable[Piece], processes: int) -> Iterator[Result]:
    """`do(piece)` for each piece, in order, over new processes; `do` is a function of a module, or a partial of one.

    A closed iterator leaves nothing running.
    """
    # Few questions need processes, whose modules take a while to import.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    waiting: deque[Future[Result]] = deque()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            for piece in pieces:
                with deaf_processes():
                    waiting.append(pool.submit(do, piece))
                if len(waiting) >= 3 * processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            # Nobody waits for what they are at.
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def in_order(do: Callable[[Piece], Result], pieces: Iterable[Piece], threads: int) -> Iterator[Result]:
    """`do(piece)` for each piece, in order. A closed iterator leaves nothing running."""
    pieces = iter(pieces)
    first = list(islice(pieces, 2))
    if threads == 1 or len(first) < 2:
        # One piece, or one thread: no pool, and no start-up for it.
        for piece in first:
            yield do(piece)
        for piece in pieces:
            yield do(piece)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for piece in first:
                waiting.append(pool.submit(do, piece))
            for piece in islice(pieces, 2 * threads - 2):
                waiting.append(pool.submit(do, piece))
            while waiting:
                result = waiting.popleft().result()
                for piece in islice(pieces, 1):
                    waiting.append(pool.submit(do, piece))
                yield result
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

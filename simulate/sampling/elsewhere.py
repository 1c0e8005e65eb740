"""Blocks of deals dealt by the workers of a cluster, in order and to the last bit as one process deals them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.simulate.cluster import Workers, workers_of
from potshare.simulate.spot import Spot

Chunk = tuple[int, int]
"""The number of its first block, and how many blocks."""

_MOST_CHUNKS = 8
_GROWING = 8


class Question:
    """What is dealt. A worker keeps it with the dealer that it made."""

    def __init__(self, spot: Spot, policy: str, seed: int) -> None:
        self.spot = spot
        self.policy = policy
        self.seed = seed

    @cached_property
    def dealer(self) -> Any:
        """Who deals it."""
        from potshare.simulate.sampling.run import dealer_of

        return dealer_of(self.spot, self.policy, self.seed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "dealer"}


def deal(piece: tuple[list[Chunk], int], question: Question) -> list[NDArray[np.int64]]:
    """The tally of each chunk of blocks, none beyond a number of deals. Runs on a worker."""
    chunks, most = piece
    return [question.dealer.deal(first, blocks, most) for first, blocks in chunks]


def _pieces(chunks: Iterable[Chunk], most: int) -> Iterator[tuple[list[Chunk], int]]:
    # A task costs about a millisecond, so they grow from a chunk, for the first answers, to several.
    together: list[Chunk] = []
    tasks = 0
    for chunk in chunks:
        together.append(chunk)
        if len(together) >= min(_MOST_CHUNKS, 1 + tasks // _GROWING):
            yield together, most
            together = []
            tasks += 1
    if together:
        yield together, most


def dealt(
    question: Question, cluster: Any, processes: int, chunks: Iterable[Chunk], most: int
) -> Iterator[NDArray[np.int64]]:
    """The tally of each chunk, none beyond deal number `most`, in order. Returns when the workers can deal.

    `cluster` and `processes` are those of `cluster.workers_of`; a closed iterator disconnects.
    """
    found = _dealt(question, cluster, processes, chunks, most)
    next(found)
    return found  # type: ignore[return-value]


def _dealt(
    question: Question, cluster: Any, processes: int, chunks: Iterable[Chunk], most: int
) -> Iterator[NDArray[np.int64] | None]:
    with workers_of(cluster, processes) as workers:
        _load(workers, question)
        yield None
        for tallies in workers.in_order(deal, _pieces(chunks, most), question):
            yield from tallies


def _load(workers: Workers, question: Question) -> None:
    # Loading or compiling the kernels is not part of the time to sample.
    for _ in workers.in_order(deal, [([(0, 1)], 1)] * max(1, workers.threads()), question):
        pass

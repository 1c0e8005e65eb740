"""A sampled answer: who deals a question, and when there are deals enough."""

from __future__ import annotations

import hashlib
import time as clock
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from potshare.late import Late
from potshare.simulate.answer import Equity, Interrupted, Progress, Report, Sampling, Source, answer_of, tally_equity
from potshare.simulate.ranges import Range
from potshare.simulate.spot import Holding, Spot
from potshare.simulate.work import in_order

if TYPE_CHECKING:
    from potshare.simulate import evaluators as engines
    from potshare.simulate.evaluators import Evaluators
    from potshare.simulate.sampling import choice, flop, general, lanes
else:
    engines = Late("potshare.simulate.evaluators")
    choice, flop, general, lanes = (
        Late(f"potshare.simulate.sampling.{name}") for name in ("choice", "flop", "general", "lanes")
    )

_CHUNK_BLOCKS = 8
_SMALL_BLOCKS = 64
_FIRST_CHECK = 131_072


def _largest_error(tally: NDArray[np.int64], players: int) -> tuple[tuple[float, ...], float]:
    found = tally_equity(tally, players)
    return tuple(mean for mean, _ in found), max(error for _, error in found)


def dealer_of(spot_: Spot, policy: str, seed: int) -> flop.Dealer | general.Dealer | lanes.Dealer:
    """The fastest engine that can deal a question."""
    found = lanes.dealer(spot_, seed)
    if found is not None:
        return found
    if spot_.variant.is_flop_game:
        return flop_dealer(spot_, engines.evaluators(spot_.variant), seed)
    return general.Dealer(spot_, policy, seed)


def flop_dealer(spot_: Spot, tables: Evaluators, seed: int) -> flop.Dealer:
    """The scalar engine of flop games."""
    free = tuple(i for i, r in enumerate(spot_.ranges) if r.is_random)
    held = [i for i in range(spot_.players) if i not in free]
    fixed = (tuple(sorted(spot_.board)), tuple(sorted(spot_.dead)))
    choices = choice.prepare(
        held, [spot_.ranges[i].combos for i in held], [spot_.ranges[i].weights for i in held], fixed, seed
    )
    return flop.Dealer(
        spot_.players,
        spot_.variant.hole_cards,
        spot_.board_array,
        spot_.dead,
        spot_.live,
        free,
        choices,
        tables,
        seed,
    )


def _question(spot_: Spot, policy: str | None) -> str:
    # A short hash of all that an answer depends on but for the deals.
    variant = spot_.variant
    digest = hashlib.blake2b(digest_size=8)
    for part in (
        variant.name, variant.deck, variant.streets, variant.halves, variant.boards, variant.wild, variant.when_short,
        variant.showdown, variant.policies, sorted(spot_.dead), [sorted(board) for board in spot_.boards],
        spot_.unseen, spot_.community, policy,
    ):  # fmt: skip
        digest.update(repr(part).encode())
    for held in spot_.ranges:
        digest.update(b"random" if held.is_random else repr(held).encode() if isinstance(held, Holding) else b"range")
        if isinstance(held, Range) and not held.is_random:
            digest.update(held.combos.tobytes())
            digest.update(held.weights.tobytes())
    return digest.hexdigest()


Elsewhere = Callable[[Iterator[tuple[int, int]], int], Iterator[NDArray[np.int64]]]
"""Deals chunks of blocks, none beyond a number of deals, and gives their tallies in order."""


def spread_over(cluster: Any, spot_: Spot, policy: str, seed: int, processes: int) -> Elsewhere | None:
    """What deals on a cluster; None without one."""
    if cluster is None:
        return None
    from potshare.simulate.sampling.elsewhere import Question, dealt

    return partial(dealt, Question(spot_, policy, seed), cluster, processes)


def sample(
    spot_: Spot, dealer: flop.Dealer | general.Dealer | lanes.Dealer, *, stderr: float | None, deals: int | None,
    seconds: float | None, seed: int, threads: int, progress: Progress | None, started: float, first_block: int,
    policy: str | None = None, elsewhere: Elsewhere | None = None,
) -> Equity:  # fmt: skip
    """Deals until a rule stops it, here or elsewhere; `seconds` count from the first deal, `started` is the question's
    own start. Ctrl-C raises `Interrupted` with what is known so far."""
    most = first_block * dealer.block + deals if deals is not None else 1 << 62
    last = -(-most // dealer.block)

    def chunks() -> Iterator[tuple[int, int]]:
        # Small ones first, for answers that are soon good enough.
        at = first_block
        while at < last:
            size = min(_CHUNK_BLOCKS if at - first_block < _SMALL_BLOCKS else dealer.chunk, last - at)
            yield at, size
            at += size

    def do(piece: tuple[int, int]) -> NDArray[np.int64]:
        return dealer.deal(*piece, most)

    tally = np.zeros((spot_.players, spot_.players + 1, spot_.players + 2), np.int64)
    stop = "deals"
    check = max(1, _FIRST_CHECK // (_CHUNK_BLOCKS * dealer.block))
    chunk = 0
    # Where nothing compiled is kept yet, compiling is not part of the time to sample.
    if elsewhere is None:
        dealer.deal(0, 1, 1)
        results = in_order(do, chunks(), threads)
    else:
        results = elsewhere(chunks(), most)
    begun = clock.perf_counter()
    try:
        for part in results:
            tally += part
            chunk += 1
            elapsed = clock.perf_counter() - begun
            if chunk >= check:
                # Checks come at fixed numbers of deals, so that where it stops does not depend on the threads.
                check += max(1, check // 8)
                means, error = _largest_error(tally, spot_.players)
                if progress:
                    done = [(stderr / error) ** 2] if stderr else []
                    done += [int(tally[0].sum()) / deals] if deals is not None else []
                    done += [elapsed / seconds] if seconds is not None else []
                    progress(Report(min(1.0, max(done, default=0.0)), means, error, int(tally[0].sum())))
                if stderr is not None and error <= stderr:
                    stop = "stderr"
                    break
            if seconds is not None and elapsed >= seconds:
                stop = "time"
                break
    except KeyboardInterrupt:
        if not tally.any():
            raise
        stop = "interrupted"
    finally:
        results.close()  # type: ignore[attr-defined]
    total = int(tally[0].sum())
    sampling = Sampling(
        rate=total / max(clock.perf_counter() - begun, 1e-9),
        acceptance=dealer.acceptance if dealer.acceptance < 1 else None,
        sources=(Source(seed, first_block, -(-total // dealer.block)),),
        question=_question(spot_, policy),
    )
    answer = answer_of(
        spot_, tally, method="monte-carlo", algorithm="monte-carlo", deals=total, seed=seed, stop=stop,
        started=started, policy=policy, sampling=sampling,
    )  # fmt: skip
    if stop == "interrupted":
        raise Interrupted(answer)
    return answer

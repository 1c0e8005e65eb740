"""The front door: a question in, a method chosen by its cost, an `Equity` out.

Exact methods come first, the cheapest that can answer. `auto` counts when the estimated time is within a few
seconds and samples otherwise; `exact` and `monte-carlo` insist. What was done is part of the answer.
"""

from __future__ import annotations

import math
import time as clock
from typing import TYPE_CHECKING, Any

import numpy as np

from potshare.errors import PotshareError, real_number, whole_number
from potshare.late import Late
from potshare.simulate.answer import Equity, Progress, Report, answer_of
from potshare.simulate.exact.counting import AUTO_SECONDS, EXACT_SECONDS, count, count_given, in_table, too_long
from potshare.simulate.sampling.run import dealer_of, sample, spread_over
from potshare.simulate.spot import Cards, Hand, Holding, Spot, spot
from potshare.simulate.variants import Variant
from potshare.simulate.work import thread_count

if TYPE_CHECKING:
    from potshare.simulate import evaluators as engines
else:
    engines = Late("potshare.simulate.evaluators")

MOST_DEALS = 2**60
METHODS = ("auto", "exact", "monte-carlo")
DEFAULT_STDERR = 0.0005
DEFAULT_SECONDS = 10.0


def check_rules(
    method: str, stderr: float | None, deals: int | None, time: float | None, seed: int | None
) -> None:  # fmt: skip
    """Raises `PotshareError` for a method, a stop rule or a seed that there is not."""
    if method not in METHODS:
        raise PotshareError(f"there is no method '{method}'; methods are {', '.join(METHODS)}")
    for name, value in (("stderr", stderr), ("deals", deals), ("time", time)):
        if value is None:
            continue
        given = whole_number(name, value) if name == "deals" else real_number(name, value)
        if not 0 < given < math.inf:
            raise PotshareError(f"{name} must be greater than 0, not {value}")
        if method == "exact":
            raise PotshareError(f"{name} is a rule for sampling; leave it out, or leave out the method exact")
    if deals is not None and deals > MOST_DEALS:
        raise PotshareError(f"deals must be at most 2**60, not {deals}; nobody lives to see them")
    if seed is not None and not 0 <= whole_number("the seed", seed) < 2**63:
        raise PotshareError(f"the seed must be between 0 and 2**63 - 1, not {seed}")


def equity(
    *hands: Hand,
    game: str | Variant = "holdem",
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    stderr: float | None = None,
    deals: int | None = None,
    time: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    policy: str | None = None,
    draws: int | None = None,
    first_block: int = 0,
    cluster: Any = None,
    progress: Progress | None = None,
) -> Equity:
    """The expected share of the pot of each player.

    `hands` are range text, `Range`s or card numbers; `board` and `dead` cards as text or numbers. `method` is
    `auto`, `exact` or `monte-carlo`. Monte Carlo stops at a standard error of every equity (`stderr`), a number of
    deals, or a time in seconds, whichever comes first; by default at 0.0005 or 10 seconds. The same `seed` gives
    the same answer for any number of `threads` (default: all cores), time limits apart. `policy` says how cards are
    drawn, discarded, swapped or pushed in games with such choices: `standard` (default; the keep rules of the game),
    `pat`, `best`, or one of the game's own; `draws` is how many draws are still to come (default: all).
    `first_block` begins the deals of a seed further on, behind those of another run (its first block plus its
    blocks), so that both can be merged. `cluster` spreads sampling over dask.distributed with the same answer: the
    address of a scheduler, `local` for as many processes here as `threads`, or a `Client`; what is counted is counted
    here. `progress` is called with a `Report` now and then. Raises `PotshareError` for a question that cannot be
    answered as asked, and `Interrupted` with what is known so far when Ctrl-C ends the sampling.
    """
    started = clock.perf_counter()
    check_rules(method, stderr, deals, time, seed)
    if first_block and method == "exact":
        raise PotshareError("the first block is for sampling; leave it out, or leave out the method exact")
    if cluster is not None and method == "exact":
        raise PotshareError("a cluster is for sampling; leave it out, or leave out the method exact")
    if not 0 <= whole_number("the first block", first_block) < 2**40:
        raise PotshareError(f"the first block must be between 0 and 2**40 - 1, not {first_block}")
    question = spot(hands, game, board, dead, draws)
    workers = thread_count(threads)
    if policy is not None and not (question.variant.choices or question.decided):
        raise PotshareError(f"nobody draws or discards in {question.variant.name}; leave out the policy")
    if not question.variant.is_flop_game:
        return _other_games(
            question, "standard" if policy is None else policy, method, stderr, deals, time, seed, workers, progress,
            started, first_block, cluster,
        )  # fmt: skip
    if method != "monte-carlo" and in_table(question) and all(isinstance(r, Holding) for r in question.ranges):
        # A look-up, for which nothing compiled is loaded.
        return count_given(question, started)
    tables = engines.evaluators(question.variant)
    if method != "monte-carlo":
        answer = count(question, tables, method == "auto", workers, progress, started)
        if answer is not None:
            return answer
    if stderr is None and deals is None and time is None:
        stderr, time = DEFAULT_STDERR, DEFAULT_SECONDS
    if seed is None:
        seed = new_seed()
    return sample(
        question, dealer_of(question, "", seed), stderr=stderr, deals=deals, seconds=time, seed=seed,
        threads=workers, progress=progress, started=started, first_block=first_block,
        elsewhere=spread_over(cluster, question, "", seed, workers),
    )  # fmt: skip


def count_decided(question: Spot, threads: int) -> Equity | None:
    """The exact answer to a game of discards that are all made, or None when it takes more than a few seconds."""
    return count(question, engines.evaluators(question.variant), True, threads, None, clock.perf_counter())


def new_seed() -> int:
    """A seed of 48 bits from the system."""
    return int.from_bytes(np.random.default_rng().bytes(6), "little")


def _other_games(
    question: Spot, policy: str, method: str, stderr: float | None, deals: int | None, seconds: float | None,
    seed: int | None, threads: int, progress: Progress | None, started: float, first_block: int, cluster: Any,
) -> Equity:  # fmt: skip
    from potshare.simulate.drawing.search import settle_best, settle_rules
    from potshare.simulate.exact.plans import TooManyError, UncountableError, counting_plan

    if seed is None:
        seed = new_seed()
    variant = question.variant
    words: str | None = None
    if variant.choices:
        words = policy
        if policy == "best":
            question, words = settle_best(
                question, seed, threads, (lambda done: progress(Report(done))) if progress else None
            )
        elif policy != "pat":
            variant.policy(policy)
    if method != "monte-carlo":
        budget = AUTO_SECONDS if method == "auto" else EXACT_SECONDS
        settled = question if question.decided else settle_rules(question, policy)
        if settled.decided:
            counted = count(settled, engines.evaluators(settled.variant), method == "auto", threads, progress, started)
            if counted is not None:
                return counted
        try:
            plan = counting_plan(settled, policy)
            if plan.seconds > budget * threads:
                raise TooManyError
            # Only now may it turn out that it would take too much memory.
            found = plan.count(threads, (lambda done: progress(Report(done))) if progress else None)
        except UncountableError as reason:
            if method == "exact":
                raise PotshareError(
                    f"this question of {variant.name} cannot be counted, because {reason}; "
                    "sample it with --method monte-carlo"
                ) from None
        except TooManyError:
            if method == "exact":
                raise too_long(None) from None
        else:
            if settled is question and words == policy != "pat":
                words = "given"  # every draw was written out
            return answer_of(
                question, found, method="exact", algorithm="draws" if variant.choices else "runouts", deals=plan.deals,
                seed=None, stop="complete", started=started, scale=plan.scale, policy=words,
            )  # fmt: skip
    if stderr is None and deals is None and seconds is None:
        stderr, seconds = DEFAULT_STDERR, DEFAULT_SECONDS
    return sample(
        question, dealer_of(question, policy, seed), stderr=stderr, deals=deals, seconds=seconds, seed=seed,
        threads=threads, progress=progress, started=started, first_block=first_block, policy=words,
        elsewhere=spread_over(cluster, question, policy, seed, threads),
    )  # fmt: skip

"""Hands a second of the compiled functions, with checksums, beside rivals in the same run.

Hands come from a generator written out here, so that a workload is the same on every machine and under every
version of NumPy, and its checksum is a constant. `run` measures; who calls it prints.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.bench import rivals as others
from potshare.bench.rivals import Rival
from potshare.errors import PotshareError

HANDS = 1 << 20
"""Random hands of a workload."""

RIVAL_HANDS = 20_000
"""Random hands that rivals without a call for arrays evaluate at most; compiled ones evaluate all."""

SEED = 20_240_229
"""Of the random hands."""


@dataclass(frozen=True)
class RivalResult:
    """A rival's rate on the first `hands` of the same hands.

    `ratio` is how many times faster this program is, `agrees` whether both put the hands in the same order.
    """

    name: str
    hands: int
    seconds: float
    rate: float
    ratio: float
    agrees: bool


@dataclass(frozen=True)
class Row:
    """One workload's result.

    `seconds` is the best of `repeats` runs over `hands` hands, `rate` hands a second, `checksum` that of the
    strengths, `correct` whether it is the known one.
    """

    name: str
    title: str
    hands: int
    seconds: float
    rate: float
    repeats: int
    checksum: int
    correct: bool
    rivals: tuple[RivalResult, ...] = field(default=())


@dataclass(frozen=True)
class Job:
    """A workload made ready: `run` does it once, and `checksum` reads what it returned.

    Rivals are given `cards`, rows of cards; `strengths` reads from what `run` returned the values of those rows,
    larger the better.
    """

    hands: int
    run: Callable[[], Any]
    checksum: Callable[[Any], int]
    cards: NDArray[np.uint8] | None = None
    strengths: Callable[[Any], NDArray[Any]] | None = None


@dataclass(frozen=True)
class Workload:
    """A row to be measured. `prepare` makes it ready, outside the measured time."""

    name: str
    title: str
    checksum: int
    prepare: Callable[[], Job]
    rivals: tuple[Rival, ...] = ()


# Hands.


def _words(n: int, stream: int) -> NDArray[np.uint64]:
    # The outputs of splitmix64: G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014.
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z += np.uint64(SEED + (stream << 40))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_hands(n: int, size: int, lowest: int = 0) -> NDArray[np.uint8]:
    """(n, size) uint8: `n` random hands of different cards from `lowest` to 51, the same on every machine.

    Rows of independent cards, of which those with a card twice are left out: the rest are uniform.
    """
    rows: list[NDArray[np.uint8]] = []
    found = stream = 0
    while found < n:
        words = _words((1 << 16) * size, stream)
        cards = (lowest + ((words >> np.uint64(32)) * np.uint64(52 - lowest) >> np.uint64(32))).astype(np.uint8)
        drawn = cards.reshape(-1, size)
        ordered = np.sort(drawn, axis=1)
        rows.append(drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)])
        found += len(rows[-1])
        stream += 1
    return np.ascontiguousarray(np.concatenate(rows)[:n])


def checksum(strengths: NDArray[Any]) -> int:
    """A sum of strengths that depends on their order: each times its place from 1, modulo 2**64."""
    places = np.arange(1, len(strengths) + 1, dtype=np.uint64)
    return int((strengths.astype(np.uint64) * places).sum(dtype=np.uint64))


# Workloads.


def _in_order() -> Job:
    from potshare.evaluator import lanes

    return Job(lanes.HANDS7, lanes.in_order, lambda sums: int(sums[0] ^ sums[1]))


def _from_array(ranking: str, size: int) -> Callable[[], Job]:
    def prepare() -> Job:
        from potshare.evaluator.arrays import strengths

        cards = random_hands(HANDS, size, 16 if ranking.startswith("short-deck") else 0)
        return Job(HANDS, lambda: strengths(cards, ranking, threads=1), checksum, cards, lambda out: out)

    return prepare


def _omaha(ranking: str, size: int) -> Callable[[], Job]:
    def prepare() -> Job:
        from potshare.evaluator.arrays import strengths

        hands = HANDS // 4
        cards = random_hands(hands, 5 + size)
        board, hole = np.ascontiguousarray(cards[:, :5]), np.ascontiguousarray(cards[:, 5:])

        def run() -> NDArray[np.uint16]:
            return strengths(hole, ranking, board, selection="two plus three", threads=1)

        return Job(hands, run, checksum, cards, lambda out: out)

    return prepare


def _omaha_split(size: int) -> Callable[[], Job]:
    def prepare() -> Job:
        high, low = _omaha("high", size)(), _omaha("eight-or-better", size)()

        def run() -> tuple[Any, Any]:
            return high.run(), low.run()

        return Job(high.hands, run, lambda both: checksum(both[0]) ^ checksum(both[1]))

    return prepare


def _array_row(ranking: str, size: int, known: int, *rivals: Rival) -> Workload:
    title = f"{ranking}, {size} cards, random, from an array"
    return Workload(f"{ranking}-{size}", title, known, _from_array(ranking, size), rivals)


def _omaha_row(size: int, known: int, *rivals: Rival) -> Workload:
    title = f"Omaha high, {size} hole cards, random hands and boards"
    return Workload(f"omaha-{size}", title, known, _omaha("high", size), rivals)


_POKERKIT, _POKER_EQUITY = others.POKERKIT, others.POKER_EQUITY

WORKLOADS: tuple[Workload, ...] = (
    Workload("high-7-in-order", "high, all C(52, 7) hands in order", 14_720_237_116_817_191_376, _in_order),
    _array_row("high", 7, 1_850_115_972_984_978, *others.HIGH_RIVALS),
    _array_row("high", 6, 1_402_743_381_346_533, *others.HIGH_RIVALS),
    _array_row("high", 5, 1_013_499_583_885_319, *others.HIGH_RIVALS),
    _array_row("short-deck", 7, 415_007_408_135_854, _POKERKIT["short-deck"], _POKER_EQUITY["short-deck"]),
    _array_row("short-deck-trips", 7, 396_093_759_642_549),
    _array_row("ace-to-five", 7, 3_159_739_431_342_622, _POKERKIT["ace-to-five"], _POKER_EQUITY["ace-to-five"]),
    _array_row("eight-or-better", 7, 3_170_118_737_339, _POKERKIT["eight-or-better"]),
    _array_row(
        "deuce-to-seven", 5, 3_090_170_835_907_209, _POKERKIT["deuce-to-seven"], _POKER_EQUITY["deuce-to-seven"]
    ),
    _array_row("deuce-to-seven", 7, 3_865_627_522_521_510, _POKERKIT["deuce-to-seven"]),
    _array_row("badugi", 4, 117_785_886_108_732, _POKERKIT["badugi"], _POKER_EQUITY["badugi"]),
    _array_row("three-card", 3, 114_445_749_475_245),
    _array_row("high", 4, 1_208_157_348_305_155),
    _array_row("ace-to-five", 4, 3_490_420_861_809_669),
    _array_row("three-card-casino", 3, 119_043_103_019_317),
    _array_row("two-card-high", 2, 23_166_603_990_231),
    _array_row("two-card-low", 2, 27_086_827_286_727),
    _array_row("high-spade", 3, 2_458_882_807_950),
    _array_row("high:2", 7, 2_603_314_611_478_433),
    _array_row("high:joker", 7, 1_850_115_972_984_978),
    _array_row("ace-to-five:2", 7, 3_178_529_923_389_339),
    _omaha_row(4, 157_313_025_689_170, others.PHEVALUATOR_OMAHA),
    _omaha_row(5, 173_691_302_161_011),
    _omaha_row(6, 185_692_017_369_537),
    Workload("omaha-4-hi-lo", "Omaha high and eight-or-better, 4 hole cards", 157_558_061_012_744, _omaha_split(4)),
)
"""Every row of `potshare bench`; a new one is an entry here."""


# Measuring.


def best_time(run: Callable[[], Any], repeats: int, seconds: float) -> tuple[float, int]:
    """The shortest time of a call and the number of calls: at least `repeats`, more while `seconds` last."""
    best = float("inf")
    calls = 0
    end = time.perf_counter() + seconds
    while calls < repeats or time.perf_counter() < end:
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
        calls += 1
    return best, calls


def same_order(strengths: NDArray[Any], values: Any, larger_wins: bool) -> bool:
    """Whether `values` order the hands as `strengths` do: equal for equal, and all others the same way round."""
    theirs = np.asarray(values, np.int64)
    pairs = np.unique(np.stack([strengths.astype(np.int64), theirs if larger_wins else -theirs]), axis=1)
    return bool((np.diff(pairs, axis=1) > 0).all())


def _measure_rival(rival: Rival, job: Job, strengths: NDArray[Any], rate: float, seconds: float) -> RivalResult | None:
    assert job.cards is not None
    hands = job.cards if rival.compiled else job.cards[:RIVAL_HANDS]
    if hands.shape[1] not in rival.sizes:
        return None
    try:
        run = rival.prepare(hands[:200])
        first, _ = best_time(run, 2, 0)
        # As many hands as fit into a third of the time, so that it is the best of some runs.
        fit = int(200 * seconds / 3 / max(first, 1e-9))
        hands = hands[: max(200, min(len(hands), fit))]
        run = rival.prepare(hands)
    except (ImportError, AttributeError, OSError):
        return None  # not installed, or too old or new to be called this way
    agrees = same_order(strengths[: len(hands)], run(), rival.larger_wins)
    taken, _ = best_time(run, 2, seconds)
    theirs = len(hands) / taken
    return RivalResult(rival.name, len(hands), taken, theirs, rate / theirs, agrees)


def measure(workload: Workload, repeats: int = 5, seconds: float = 1.0) -> Row:
    """One row, with the rivals that are installed. The first call, which may compile, is not timed."""
    job = workload.prepare()
    result = job.run()
    found = job.checksum(result)
    taken, calls = best_time(job.run, repeats, seconds)
    rate = job.hands / taken
    results: list[RivalResult] = []
    if job.cards is not None and job.strengths is not None:
        strengths = job.strengths(result)
        measured = (_measure_rival(rival, job, strengths, rate, seconds) for rival in workload.rivals)
        results = [one for one in measured if one is not None]
    return Row(
        workload.name, workload.title, job.hands, taken, rate, calls, found, found == workload.checksum, tuple(results)
    )


def select(names: Iterable[str] | None = None) -> list[Workload]:
    """The workloads of these names, all for None. Raises `PotshareError` for a name that is none."""
    if names is None:
        return list(WORKLOADS)
    known = {workload.name: workload for workload in WORKLOADS}
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise PotshareError(f"there is no workload '{name}'; workloads are {', '.join(known)}")
    return [known[name] for name in wanted]


def run(
    names: Sequence[str] | None = None,
    *,
    repeats: int = 5,
    seconds: float = 1.0,
    report: Callable[[Row], None] = lambda row: None,
) -> list[Row]:
    """Measures the workloads of these names (None: all), one after another, on one thread.

    Each is called at least `repeats` times and for at least `seconds`; each rival as long. `report` is given every
    row as soon as it is there. Raises `PotshareError` for a name that is no workload.
    """
    rows = []
    for workload in select(names):
        row = measure(workload, repeats, seconds)
        report(row)
        rows.append(row)
    return rows

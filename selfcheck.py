"""Does this installation compute what it should? Every answer here is known, or found a second way that shares no code.

Committed tables against their generators, evaluators against slow twins written from the rules, counts of all
hands and exact equities against integers that are known, kernels against enumeration in plain Python, sampling
against counting and, deal for deal, against what the same seeds gave elsewhere, and other libraries where they are
installed.
"""

from __future__ import annotations

import difflib
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator import slow
from potshare.evaluator.arrays import categories, strengths
from potshare.evaluator.rankings import find_ranking
from potshare.simulate.equity import equity
from potshare.simulate.views.categories import categories as final_categories

HANDS = 1500
"""Random hands that each evaluator is compared on."""

_SEED = 20240229


@dataclass(frozen=True)
class Check:
    """What was compared, how many things, and what was wrong (empty: nothing)."""

    part: str
    name: str
    compared: int
    problem: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.problem

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "part": self.part,
            "name": self.name,
            "compared": self.compared,
            "passed": self.passed,
            "problem": self.problem,
            "seconds": self.seconds,
        }


Outcome = tuple[int, str]
"""How many things were compared, and what was wrong."""


def random_hands(number: int, size: int, lowest: int = 0, seed: int = _SEED) -> NDArray[np.uint8]:
    """(number, size) uint8: hands of different cards, none below `lowest`.

    A quarter each from the whole deck, from two suits (flushes), from six ranks (everything that pairs), and from
    the aces and lowest ranks of two suits (wheels, straight flushes), since rare hands are where mistakes hide.
    """
    random = np.random.default_rng(seed)
    deck = np.arange(lowest, 52, dtype=np.uint8)
    rank, two_suits = deck >> 2, (deck & 3) < 2
    low = (rank == 12) | (rank < (lowest >> 2) + 6)
    rows = []
    for cards in (deck, deck[two_suits], deck[rank >= 7], deck[low & two_suits]):
        shuffled = random.permuted(np.tile(cards, (-(-number // 4), 1)), axis=1)
        rows.append(shuffled[:, :size])
    return np.ascontiguousarray(np.concatenate(rows)[:number])


def same_order(one: Sequence[Any], two: Sequence[Any]) -> str:
    """Where two valuations of the same hands order them differently; empty where they never do."""
    places = sorted(range(len(one)), key=lambda i: one[i])
    for a, b in pairwise(places):
        if (one[a] == one[b]) != (two[a] == two[b]) or (one[a] < one[b] and not two[a] < two[b]):
            return f"hands {a} and {b} compare differently"
    return ""


# -- tables -----------------------------------------------------------------------------------------------------------


def _tables() -> Outcome:
    from potshare.tables import DATA, build

    files = {f"{name}.npy": build.encode(table) for name, table in build.build()}
    return len(files), "; ".join(build.differences(files, DATA))


def _matchups() -> Outcome:
    # The table is too long to build here; one column in a hundred is counted anew.
    from potshare.simulate.evaluators import evaluators
    from potshare.simulate.exact import class_count, matchups
    from potshare.simulate.variants import find_variant

    tables = evaluators(find_variant("holdem"))
    hands = matchups.hands()
    random = np.random.default_rng(_SEED)
    number = 0
    while number < 200:
        one, two = hands[random.integers(0, 1326, 2)].tolist()
        if set(one) & set(two):
            continue
        number += 1
        tally = class_count.count(np.array([[one, two]], np.uint8), np.zeros(0, np.uint8), tuple(range(52)), tables)[0]
        if matchups.pair(tuple(one), tuple(two)) != (int(tally[0, 1, 3]), int(tally[0, 2, 3])):
            return number, f"the match-up of cards {one} and {two} is not what counting gives"
    return number, ""


# -- evaluators -------------------------------------------------------------------------------------------------------


def _evaluator(ranking: str) -> Callable[[], Outcome]:
    def check() -> Outcome:
        found = find_ranking(ranking)
        compared = 0
        for size in sorted({found.fewest, found.most}):
            hands = random_hands(HANDS if size < 7 else HANDS // 3, size, found.lowest)
            fast = strengths(hands, ranking).tolist()
            twin = [slow.best_key(hand, ranking) for hand in hands.tolist()]
            compared += len(fast)
            problem = same_order(fast, twin) or same_order(twin, fast)
            if problem:
                return compared, f"of {size} cards {problem}"
        return compared, ""

    return check


def _two_plus_three(cards: int, ranking: str) -> Callable[[], Outcome]:
    def check() -> Outcome:
        rows = random_hands(HANDS // 5, cards + 5)
        holes, boards = np.ascontiguousarray(rows[:, :cards]), np.ascontiguousarray(rows[:, cards:])
        fast = strengths(holes, ranking, boards, selection="two-plus-three").tolist()
        twin = [slow.best_split_key(row[:cards], row[cards:], ranking) for row in rows.tolist()]
        return len(fast), same_order(fast, twin) or same_order(twin, fast)

    return check


_FIVE = {
    "high card": 1_302_540, "pair": 1_098_240, "two pair": 123_552, "three of a kind": 54_912, "straight": 10_200,
    "flush": 5_108, "full house": 3_744, "four of a kind": 624, "straight flush": 40,
}  # fmt: skip
_SEVEN = {
    "high card": 23_294_460, "pair": 58_627_800, "two pair": 31_433_400, "three of a kind": 6_461_620,
    "straight": 6_180_020, "flush": 4_047_644, "full house": 3_473_184, "four of a kind": 224_848,
    "straight flush": 41_584,
}  # fmt: skip


def _all_five() -> Outcome:
    stream = combinations(range(52), 5)
    found = np.zeros(9, np.int64)
    values: set[int] = set()
    while chunk := list(islice(stream, 400_000)):
        worth = strengths(np.array(chunk, np.uint8))
        found += np.bincount(categories(worth), minlength=9)
        values.update(np.unique(worth).tolist())
    names = find_ranking("high").categories
    wrong = [name for name, n in zip(names, found.tolist(), strict=True) if _FIVE[name] != n]
    if len(values) != 7462:
        wrong.append(f"{len(values)} different values")
    return int(found.sum()), ", ".join(wrong)


def _all_seven() -> Outcome:
    # Every seven-card hand holds 21 pairs of hole cards: all hole cards with every board meet it 21 times.
    answer = final_categories(["random"], method="exact")
    found = {name: int(share.count) for name, share in answer.players[0].halves["high"].items()}
    wrong = [name for name, n in _SEVEN.items() if found[name] != 21 * n]
    return answer.deals, ", ".join(wrong)


# -- equities ---------------------------------------------------------------------------------------------------------

_KNOWN: tuple[tuple[str, tuple[str, ...], str, str, tuple[int, int, int]], ...] = (
    ("holdem", ("AcAs", "KhKd"), "", "", (1_388_072, 6_538, 317_694)),
    ("holdem", ("AcAs", "KcKs"), "", "", (1_410_336, 9_308, 292_660)),
    ("holdem", ("AsKd", "AhKc"), "", "", (37_210, 1_637_884, 37_210)),
    ("holdem", ("Jc5c", "QdTd"), "", "", (600_384, 15_802, 1_096_118)),
    ("holdem", ("5s4h", "random"), "KsJhTh8h8c", "", (0, 259, 731)),
    ("holdem", ("AsTh", "random"), "AhKdJc", "", (896_263, 58_572, 115_355)),
    ("holdem", ("AcAh", "random"), "", "", (1_781_508_418, 11_402_312, 304_661_670)),
    ("omaha", ("5dQsQc7d", "KdKhAdKs"), "2d5cQhJs", "", (35, 0, 5)),
    ("omaha6", ("2s2d2h2cAsAd", "3s3d3h3c8s8d"), "", "", (539_640, 0, 118_368)),
)


def _known() -> Outcome:
    for done, (game, hands, board, dead, counts) in enumerate(_KNOWN):
        found = equity(*hands, game=game, board=board, dead=dead, method="exact").players[0].counts
        if (found["win"], found["tie"], found["lose"]) != counts:
            return done + 1, f"{' '.join(hands)} in {game}: {found}, not {counts}"
    return len(_KNOWN), ""


def _enumerated(game: str, ranking: str, low: str, cards: int, split: bool) -> Callable[[], Outcome]:
    # Turn boards: every river by the slow evaluators, against whichever exact method answers.
    def check() -> Outcome:
        compared = 0
        lowest = 16 if game == "short-deck" else 0
        for row in random_hands(4, 2 * cards + 4, lowest).tolist():
            holes, board = (row[:cards], row[cards : 2 * cards]), row[2 * cards :]
            owned = 0.0
            rivers = [c for c in range(lowest, 52) if c not in row]
            for river in rivers:
                whole = [*board, river]
                halves = [_winners(holes, whole, ranking, split)]
                if low:
                    lows = _winners(holes, whole, low, split)
                    halves.append(lows if lows else halves[0])
                owned += sum((0 in half) / len(half) for half in halves) / len(halves)
                compared += 1
            found = equity(*holes, game=game, board=board, method="exact").players[0].equity
            if abs(found - owned / len(rivers)) > 1e-12:
                return compared, f"cards {row}: {found}, not {owned / len(rivers)}"
        return compared, ""

    return check


def _winners(holes: Sequence[list[int]], board: list[int], ranking: str, split: bool) -> set[int]:
    keys = [
        slow.best_split_key(hole, board, ranking) if split else slow.best_key([*hole, *board], ranking)
        for hole in holes
    ]
    best = max(keys)
    return {i for i, key in enumerate(keys) if key == best} if best else set()


def _methods() -> Outcome:
    # Ranges on a flop by sweep, and the same hand by hand by counting classes.
    one, two, board = ("AhKh", "QcQd", "7s6s", "AcAd"), "22+,A2s+,KTs+,AJo+", "Qh7d2c"
    owned = total = 0.0
    for hand in one:
        answer = equity(hand, two, board=board, method="exact")
        deals = float(answer.tally[0].sum())
        owned += answer.players[0].equity * deals
        total += deals
    whole = equity(",".join(one), two, board=board, method="exact")
    if abs(whole.players[0].equity - owned / total) > 1e-9:
        return len(one), f"{whole.players[0].equity} by {whole.algorithm}, {owned / total} hand by hand"
    return len(one), ""


_SAMPLED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("holdem", ("AhKh", "QQ", "random"), "Qh7h2c"),
    ("holdem", ("QQ+,AKs", "22+,A2s+"), ""),
    ("omaha8", ("AsAh2c3d", "KsKhQdJc"), ""),
    ("short-deck", ("AhKh", "QcQd"), ""),
    ("razz", ("Ah2c3d4s9h", "5h6c7dKsQs"), ""),
    ("stud8", ("AsAh2c3d9h", "KsKhQdJc8s"), ""),
    ("deuce-to-seven", ("9s8d6h4c3s", "2c3d4h7s/Kd"), ""),
)


def _sampling() -> Outcome:
    for done, (game, hands, board) in enumerate(_SAMPLED):
        options: dict[str, Any] = {"game": game, "board": board}
        if game == "deuce-to-seven":
            options["policy"] = "pat"
        counted = equity(*hands, method="exact", **options)
        sampled = equity(*hands, method="monte-carlo", deals=200_000, seed=7, **options)
        for i, (one, two) in enumerate(zip(counted.players, sampled.players, strict=True)):
            # Beyond five standard errors once in some two million comparisons, and the seed is fixed.
            if abs(one.equity - two.equity) > 5 * two.stderr:
                return done + 1, f"hand {i + 1} of {' '.join(hands)} in {game}: {two.equity}, counted {one.equity}"
    return len(_SAMPLED), ""


_SEEDED: tuple[tuple[str, tuple[str, ...], str, tuple[int, int]], ...] = (
    ("holdem", ("AhKh", "QcQd"), "", (9_223, 69)),
    ("holdem", ("AhKh", "random", "random"), "", (9_925, 384)),
    ("holdem", ("QQ+,AKs", "22+,A2s+@40"), "Qh7h2c", (14_039, 225)),
    ("omaha", ("AsAh2c3d", "KsKhQdJc"), "", (13_239, 0)),
    ("omaha8", ("AsAh2c3d", "random"), "", (11_098, 4_992)),
    ("courchevel8", ("As2h3d4cKc", "random"), "7d", (6_356, 9_271)),
    ("short-deck", ("AhKh", "random"), "", (11_866, 866)),
    ("irish", ("AhKhQhJc", "random"), "", (11_132, 601)),
    ("stud", ("random", "random", "random"), "", (6_605, 3)),
    ("stud8", ("AsAh2c", "random"), "", (13_153, 3_281)),
    ("razz", ("As2s3d", "random"), "", (14_690, 19)),
    ("draw", ("AhAdKc", "random"), "", (15_909, 1)),
    ("draw-joker", ("AhAd", "random"), "", (14_736, 1)),
    ("triple-draw", ("2s3d4h7c", "random"), "", (14_316, 85)),
    ("badugi", ("As2d3h", "random"), "", (15_073, 188)),
)
"""What the first hand wins and ties of 20,000 deals from seed 7: the stream of deals of this version."""


def _seeds() -> Outcome:
    for done, (game, hands, board, expected) in enumerate(_SEEDED):
        for threads in (1, 2):
            options: dict[str, Any] = {"method": "monte-carlo", "deals": 20_000, "seed": 7, "threads": threads}
            counts = equity(*hands, game=game, board=board, **options).players[0].counts
            if (counts["win"], counts["tie"]) != expected:
                return done + 1, f"{' '.join(hands)} in {game} with threads={threads}: {counts}, not {expected}"
    return len(_SEEDED), ""


# -- other libraries --------------------------------------------------------------------------------------------------


def _rival(ranking: str, library: str) -> Callable[[], Outcome | None]:
    def check() -> Outcome | None:
        from potshare.bench import rivals

        if ranking == "high":
            rival = next(r for r in rivals.HIGH_RIVALS if r.name == library)
        else:
            rival = rivals.POKERKIT[ranking]
        lowest = find_ranking(ranking).lowest
        size = max(rival.sizes)
        hands = random_hands(HANDS if library != "pokerkit" else 300, size, lowest)
        try:
            values = [int(v) for v in rival.prepare(hands)()]
        except ImportError:
            return None
        theirs = values if rival.larger_wins else [-v for v in values]
        fast = strengths(hands, ranking).tolist()
        return len(hands), same_order(fast, theirs) or same_order(theirs, fast)

    return check


_ENUMERATED = (
    ("holdem", "high", "", 2, False),
    ("short-deck", "short-deck", "", 2, False),
    ("omaha", "high", "", 4, True),
    ("omaha8", "high", "eight-or-better", 4, True),
    ("omaha5", "high", "", 5, True),
)


def _parts() -> Iterator[tuple[str, str, Callable[[], Outcome | None]]]:
    yield "tables", "as their generators build them", _tables
    yield "tables", "match-ups counted anew", _matchups
    for ranking in slow.RANKINGS:
        yield "evaluators", f"{ranking} against the slow twin", _evaluator(ranking)
    for cards, ranking in ((4, "high"), (5, "high"), (6, "high"), (4, "eight-or-better")):
        yield "evaluators", f"two of {cards} plus three, {ranking}", _two_plus_three(cards, ranking)
    yield "evaluators", "all 2,598,960 five-card hands", _all_five
    yield "evaluators", "all 133,784,560 seven-card hands", _all_seven
    yield "equities", "known integers", _known
    for row in _ENUMERATED:
        yield "equities", f"{row[0]} rivers in plain Python", _enumerated(*row)
    yield "equities", "one method against another", _methods
    yield "equities", "Monte Carlo against counting", _sampling
    yield "equities", "the same seed, the same deals", _seeds
    for library in ("eval7", "phevaluator", "treys"):
        yield "libraries", f"{library}, high", _rival("high", library)
    for ranking in ("short-deck", "ace-to-five", "eight-or-better", "deuce-to-seven", "badugi"):
        yield "libraries", f"pokerkit, {ranking}", _rival(ranking, "pokerkit")


PARTS = ("tables", "evaluators", "equities", "libraries")
"""The parts of a check, in order."""


def selfcheck(parts: Sequence[str] = PARTS, report: Callable[[Check], object] = lambda check: None) -> list[Check]:
    """Runs every check of some parts; `report` is given each when it is done.

    Libraries that are not installed are left out. Raises `PotshareError` for a part that there is not.
    """
    for part in parts:
        if part not in PARTS:
            near = difflib.get_close_matches(part, PARTS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"parts are {', '.join(PARTS)}"
            raise PotshareError(f"there is no part '{part}'; {hint}")
    done = []
    for part, name, run in _parts():
        if part not in parts:
            continue
        started = clock.perf_counter()
        try:
            outcome = run()
        except (PotshareError, ArithmeticError, LookupError, OSError) as error:
            outcome = (0, f"{type(error).__name__}: {error}")
        if outcome is None:
            continue
        check = Check(part, name, *outcome, clock.perf_counter() - started)
        done.append(check)
        report(check)
    return done

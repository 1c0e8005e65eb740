"""One answer from several sampled ones: of other seeds, of other blocks of a seed, of several machines.

An answer carries the tally of its deals and the blocks they came from, so merging adds up whole numbers: the
result is, to the last bit, that of one run over all the blocks. The same block twice would count the same deals
twice, so runs that share one are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from potshare.errors import PotshareError
from potshare.simulate.answer import Equity, Sampling, Source, player_equity

_SAME = {
    "game": "games", "board": "boards", "dead": "dead cards", "policy": "policies",
    "question": "rules of the game, draws to come or hands",
}  # fmt: skip


def _as_dict(run: Equity | Mapping[str, Any], number: int) -> Mapping[str, Any]:
    answer = run.to_dict() if isinstance(run, Equity) else run
    where = f"run {number}"
    if not isinstance(answer, Mapping) or "players" not in answer or "method" not in answer:
        raise PotshareError(f"{where} is not an answer in JSON, as `potshare equity --format json` prints it")
    if answer["method"] != "monte-carlo":
        raise PotshareError(f"{where} was counted exactly: there is nothing to merge")
    if "sources" not in answer or "question" not in answer:
        raise PotshareError(f"{where} does not say which deals it is made of; sample it again with this version")
    return answer


def _sources(answers: Sequence[Mapping[str, Any]]) -> tuple[Source, ...]:
    # All blocks, those of a seed in order and neighbours joined.
    found: list[Source] = []
    every = sorted(
        (int(s["seed"]), int(s["first_block"]), int(s["blocks"]), number)
        for number, answer in enumerate(answers, 1)
        for s in answer["sources"]
    )
    before = 0
    for seed, first, blocks, number in every:
        last = found[-1] if found else None
        if last is not None and last.seed == seed and first < last.first_block + last.blocks:
            runs = f"run {min(before, number)} and run {max(before, number)}"
            raise PotshareError(
                f"{runs} share deals: both have block {first} of seed {seed}; "
                "use another seed, or go on from a run with --first-block"
            )
        if last is not None and last.seed == seed and first == last.first_block + last.blocks:
            found[-1] = Source(seed, last.first_block, last.blocks + blocks)
        else:
            found.append(Source(seed, first, blocks))
        before = number
    return tuple(found)


def _check_same(answers: Sequence[Mapping[str, Any]]) -> None:
    first = answers[0]
    for number, other in enumerate(answers[1:], 2):
        names = [[p["hand"] for p in answer["players"]] for answer in (first, other)]
        if names[0] != names[1]:
            both = " and ".join(" v ".join(hands) for hands in names)
            raise PotshareError(f"run 1 and run {number} answer different questions: the hands are {both}")
        for key, what in _SAME.items():
            if first.get(key) != other.get(key):
                raise PotshareError(f"run 1 and run {number} answer different questions: other {what}")


def merge(*runs: Equity | Mapping[str, Any]) -> Equity:
    """One answer from sampled ones to the same question, given as `Equity` or as the JSON of the command line.

    Raises `PotshareError` for runs that share blocks of deals, that answer different questions, or that were
    counted.
    """
    if not runs:
        raise PotshareError("there is nothing to merge")
    answers = [_as_dict(run, number) for number, run in enumerate(runs, 1)]
    try:
        return _merged(answers)
    except PotshareError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise PotshareError(f"a run is not a whole answer in JSON: {error!r}") from None


def _merged(answers: Sequence[Mapping[str, Any]]) -> Equity:
    _check_same(answers)
    sources = _sources(answers)
    first = answers[0]
    n = len(first["players"])
    tally = np.zeros((n, n + 1, n + 2), np.int64)
    players = []
    for i, player in enumerate(first["players"]):
        cells: Counter[tuple[int, int]] = Counter()
        for answer in answers:
            for high, low, deals in answer["players"][i]["tally"]:
                cells[int(high), int(low)] += int(deals)
        for cell, deals in cells.items():
            tally[i][cell] = deals
        sums = [(high, low, deals) for (high, low), deals in sorted(cells.items())]
        names = list(player["halves"])
        players.append(player_equity(sums, n, player["hand"], names, player["combos"], player["weight"], True))
    seconds = sum(float(answer["seconds"]) for answer in answers)
    spent = sum(float(answer["deals"]) / float(answer["rate"]) for answer in answers)
    deals = sum(int(answer["deals"]) for answer in answers)
    if (tally.sum(axis=(1, 2)) != deals).any():
        raise ValueError("the tallies do not add up to the deals")
    seeds = {source.seed for source in sources}
    return Equity(
        game=first["game"],
        method="monte-carlo",
        algorithm=first["algorithm"],
        board=tuple(first["board"]),
        dead=tuple(first["dead"]),
        deals=deals,
        seed=seeds.pop() if len(seeds) == 1 else None,
        stop="merged" if len(answers) > 1 else first["stop"],
        seconds=seconds,
        players=tuple(players),
        tally=tally,
        policy=first.get("policy"),
        sampling=Sampling(deals / max(spent, 1e-9), first.get("acceptance"), sources, first["question"]),
    )

"""Every part of the self-check finds what is wrong: each thing it compares is spoiled in turn."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from potshare import selfcheck
from potshare.errors import PotshareError
from potshare.simulate.equity import equity
from potshare.simulate.exact import matchups
from potshare.tables import build


def outcome(name: str) -> Any:
    (run,) = [run for _, n, run in selfcheck._parts() if n == name]
    return run()


def spoiled(answer: Any, by: float) -> Any:
    """The answer with the first player's equity off."""
    first, *others = answer.players
    return dataclasses.replace(answer, players=(dataclasses.replace(first, equity=first.equity + by), *others))


def test_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", lambda: [("card_key", np.zeros(3))])
    compared, problem = outcome("as their generators build them")
    assert compared == 1
    assert "card_key.npy differs from what is built; " in problem
    assert "high.value.npy is not built by anything" in problem


def test_match_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchups, "pair", lambda one, two: (7, 7))
    compared, problem = outcome("match-ups counted anew")
    assert compared == 1
    assert problem.endswith("is not what counting gives")


def test_all_five_card_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "strengths", lambda cards: np.full(len(cards), 1, np.uint16))
    compared, problem = outcome("all 2,598,960 five-card hands")
    assert compared == 2_598_960
    assert "straight flush" in problem
    assert problem.endswith("1 different values")


def test_all_seven_card_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {name: SimpleNamespace(count=21 * n) for name, n in selfcheck._SEVEN.items()}
    known = SimpleNamespace(deals=5, players=[SimpleNamespace(halves={"high": counts})])
    monkeypatch.setattr(selfcheck, "final_categories", lambda hands, method: known)
    assert outcome("all 133,784,560 seven-card hands") == (5, "")
    counts["flush"].count += 1
    assert outcome("all 133,784,560 seven-card hands") == (5, "flush")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("known integers", "AcAs KhKd in holdem: {'win': 0,"),
        ("omaha8 rivers in plain Python", "cards ["),
        ("one method against another", "hand by hand"),
        ("Monte Carlo against counting", "hand 1 of AhKh QQ random in holdem: "),
        ("the same seed, the same deals", "AhKh QcQd in holdem with threads=1: {'win': 0,"),
    ],
)
def test_equities(name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*hands: Any, **options: Any) -> Any:
        found = equity(*hands, **options)
        if name in ("known integers", "the same seed, the same deals"):
            first = dataclasses.replace(found.players[0], counts={"win": 0, "tie": 0, "lose": 0})
            return dataclasses.replace(found, players=(first, *found.players[1:]))
        # Only one of the two that are compared is wrong.
        counted_by_hand = name == "one method against another" and "," not in str(hands[0])
        exact = name == "Monte Carlo against counting" and options["method"] == "exact"
        return found if counted_by_hand or exact else spoiled(found, 0.01)

    monkeypatch.setattr(selfcheck, "equity", wrong)
    compared, problem = outcome(name)
    assert problem.startswith(words) or problem.endswith(words), problem
    assert compared >= 1


def test_what_raises_is_reported_and_what_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any, **options: Any) -> Any:
        raise PotshareError("nothing works")

    parts = [("libraries", "broken", broken), ("libraries", "absent", lambda: None), ("tables", "other", broken)]
    monkeypatch.setattr(selfcheck, "_parts", lambda: iter(parts))
    seen: list[Any] = []
    (check,) = selfcheck.selfcheck(["libraries"], seen.append)
    assert seen == [check]
    assert (check.name, check.passed, check.problem) == ("broken", False, "PotshareError: nothing works")


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    from potshare.bench import rivals

    def absent(cards: Any) -> Any:
        raise ImportError("not here")

    (treys,) = [r for r in rivals.HIGH_RIVALS if r.name == "treys"]
    gone = dataclasses.replace(treys, prepare=absent)
    monkeypatch.setattr(rivals, "HIGH_RIVALS", (gone,))
    assert outcome("treys, high") is None

"""The self-check: passes here, and fails when anything is wrong. Its slow evaluators against named hands."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from potshare import cli, selfcheck
from potshare.errors import PotshareError
from potshare.evaluator import slow
from potshare.evaluator.cards import parse_cards


def key(cards: str, ranking: str = "high") -> slow.Key:
    return slow.best_key(parse_cards(cards), ranking)


@pytest.mark.parametrize(
    ("ranking", "better", "worse"),
    [
        ("high", "Ah2d3s4c5h", "AsAdAcKhQd"),  # the wheel is a straight
        ("high", "2h3d4s5c6h", "Ah2d3s4c5h"),
        ("high", "2h2d2s3c3h", "AhJh9h5h3h"),
        ("high", "AhAdAsKsKhKd2c", "AhAdAsQsQhKd2c"),  # two sets of trips
        ("high", "KdAc2h3s5d", "KdQc2h3s5d"),  # nothing wraps round
        ("short-deck", "9h8h7h6hAh", "KhKdKsKc9d"),
        ("short-deck", "AhKh9h8h6h", "AhAdAsKsKh"),
        ("short-deck", "As6h7d8s9c", "AhAdAsKsQh"),
        ("short-deck-trips", "AhAdAsKsQh", "As6h7d8s9c"),
        ("ace-to-five", "2h3d4s5h6cKsQd", "Ah2d3s5c7hKdKc"),
        ("ace-to-five", "KhQdJsTh9c", "AhAd2s3c4h"),
        ("eight-or-better", "Ah2d3s7c8h", "2d3s4c7h8d"),
        ("deuce-to-seven", "KsQd9h8c7s", "Ah2d3s4c6d"),
        ("deuce-to-seven", "Ah2d3s4c5d", "Ah6d7s8c9d"),  # the wheel is no straight
        ("deuce-to-seven", "2h3d4s5c7h", "2h3h4h5h7h"),
        ("badugi", "KsQhJdTc", "As2h3d3c"),
        ("badugi", "Ah2c3d4s", "2h3c4d5s"),
        ("three-card", "2h3d4s", "KhKd2s"),
        ("three-card", "KhJh2h", "2h3d4s"),
        ("three-card-casino", "2h3d4s", "KhJh2h"),
    ],
)
def test_slow_evaluators_know_the_rules(ranking: str, better: str, worse: str) -> None:
    assert key(better, ranking) > key(worse, ranking)


def test_slow_evaluators_know_ties_and_no_hand() -> None:
    assert key("Ah2d3s7c9h", "eight-or-better") == () == key("AhAd3s7c8h", "eight-or-better")
    assert key("2s2hAh3d", "badugi") == key("As2h3d3c", "badugi")
    hole, board = parse_cards("AsAhAdAc"), parse_cards("KsQsJsTs2d")
    assert slow.best_split_key(hole, board)[0] == 1  # a pair: no quads from the hand, no royal with one card


@pytest.mark.parametrize("part", ["libraries", "tables"])
def test_a_part_passes(part: str) -> None:
    checks = selfcheck.selfcheck([part])
    assert checks
    assert [c.name for c in checks if not c.passed] == []
    assert all(c.compared > 0 for c in checks)


@pytest.mark.parametrize("name", [n for p, n, _ in selfcheck._parts() if "slow twin" in n or "plus three" in n])
def test_evaluators_pass(name: str) -> None:
    (run,) = [r for _, n, r in selfcheck._parts() if n == name]
    outcome = run()
    assert outcome is not None
    assert outcome[1] == ""


@pytest.mark.parametrize(
    "name",
    [
        "known integers",
        "one method against another",
        "omaha8 rivers in plain Python",
        "Monte Carlo against counting",
        "the same seed, the same deals",
    ],
)
def test_equities_pass(name: str) -> None:
    (run,) = [r for _, n, r in selfcheck._parts() if n == name]
    outcome = run()
    assert outcome is not None
    assert outcome[1] == ""


def test_orders_are_compared() -> None:
    assert selfcheck.same_order([1, 5, 5, 9], ["a", "c", "c", "d"]) == ""
    assert selfcheck.same_order([1, 5, 5, 9], ["a", "c", "b", "d"])  # a tie that is none
    assert selfcheck.same_order([1, 2], ["b", "a"])
    assert selfcheck.same_order([1, 2], ["a", "a"])


def test_random_hands_hold_rare_ones() -> None:
    hands = selfcheck.random_hands(8000, 5)
    assert (np.sort(hands, axis=1)[:, 1:] != np.sort(hands, axis=1)[:, :-1]).all()
    names = {slow.category(hand) for hand in hands.tolist()}
    assert len(names) == 9


def test_a_wrong_evaluator_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = selfcheck.strengths

    def wrong(*arguments, **options):
        found = right(*arguments, **options)
        found[found == found.max()] = 1
        return found

    monkeypatch.setattr(selfcheck, "strengths", wrong)
    result = CliRunner().invoke(cli.cli, ["selfcheck", "libraries", "-f", "json"])
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert answer["passed"] is False
    assert any("compare differently" in check["problem"] for check in answer["checks"])


def test_command_line() -> None:
    result = CliRunner().invoke(cli.cli, ["selfcheck", "libraries"])
    assert result.exit_code == 0
    assert "WRONG" not in result.stdout
    assert "checks passed" in result.stdout.splitlines()[-1]
    with pytest.raises(PotshareError, match="did you mean 'tables'"):
        selfcheck.selfcheck(["table"])

"""Questions as lines of JSON: answers in order, errors that stop nothing, exit statuses."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import time

import numpy as np
import pytest

import potshare as ps
from potshare.simulate.equity import equity
from potshare.simulate.evaluators import evaluators
from potshare.simulate.exact import class_count
from potshare.simulate.spot import Holding, spot
from potshare.simulate.stream import answers
from potshare.simulate.variants import find_variant

DECK = [r + s for r in "23456789TJQKA" for s in "cdhs"]


def stream(*questions: object) -> list[dict]:
    lines = [q if isinstance(q, str) else json.dumps(q) for q in questions]
    return [json.loads(line) for line, _ in answers(io.BytesIO("\n".join(lines).encode()))]


def test_answers_are_those_of_equity_in_order() -> None:
    questions = [
        {"hands": ["AhKd", "QcQs"], "board": "Ad7c2s", "id": "a"},
        {"hands": ["AA", "KK"], "id": [1, 2]},
        {"hands": ["AsKs", "random", "random"], "deals": 5000, "seed": 3, "method": "monte-carlo"},
        {"hands": ["Ah2cKd9d", "Ac2dTh8h"], "game": "omaha8", "board": "7d4c3hKsJh"},
        {"hands": ["9s8d6h4c3s pat", "2c3d4h7s/Kd"], "game": "deuce-to-seven"},
    ]
    for question, found in zip(questions, stream(*questions), strict=True):
        options = {k: v for k, v in question.items() if k not in ("hands", "id")}
        wanted = equity(*question["hands"], **options).to_dict()
        assert found.get("id") == question.get("id")
        assert found["players"] == json.loads(json.dumps(wanted["players"]))
        assert {k: found[k] for k in ("method", "deals", "seed", "board")} == {
            k: wanted[k] for k in ("method", "deals", "seed", "board")
        }


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("rubbish", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ([1], "an object"),
        ({}, '"hands" must be a list'),
        ({"hands": "AA"}, '"hands" must be a list'),
        ({"hands": ["AA", 3]}, '"hands" must be a list'),
        ({"hands": ["AA", "KK"], "bord": "Ah"}, "did you mean 'board'?"),
        ({"hands": ["AA", "KK"], "deals": 0.5}, '"deals" must be a whole number'),
        ({"hands": ["AA", "KK"], "deals": True}, '"deals" must be a whole number'),
        ({"hands": ["AA", "KK"], "board": ["Ah"]}, '"board" must be a text'),
        ({"hands": ["AA", "KK"], "game": "holdm"}, "holdem"),
        ({"hands": ["AhKh", "AhQh"]}, "hand 1 and in hand 2"),
        ({"hands": ["AhKh"]}, "only one hand"),
    ],
)
def test_a_bad_question_is_answered_with_its_error(question: object, message: str) -> None:
    bad, good = stream(question, {"hands": ["AhKd", "QcQs"]})
    assert message in bad["error"]
    assert "players" in good


def test_errors_keep_the_id() -> None:
    assert stream({"hands": ["Zz", "KK"], "id": 7})[0]["id"] == 7


def test_command_line() -> None:
    text = '{"hands":["AhKd","QcQs"],"id":1}\n\n{"hands":["AhKd","AhQs"],"id":2}\n'
    command = [sys.executable, "-m", "potshare", "equity", "--stream", "-b", "Ad7c2s"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd="/")
    assert (done.returncode, done.stderr) == (1, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["id"], first["board"], second["id"]) == (1, ["Ad", "7c", "2s"], 2)
    assert "error" in second
    good = subprocess.run(command, input=text.splitlines()[0], capture_output=True, text=True, cwd="/")
    assert good.returncode == 0


def test_a_line_is_answered_before_the_next_is_read() -> None:
    asked = 0

    def lines():
        nonlocal asked
        for _ in range(3):
            asked += 1
            yield b'{"hands":["AhKd","QcQs"]}'

    for number, _ in enumerate(answers(lines()), 1):
        assert asked == number


# -- the short ways of given hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha8", "short-deck", "omaha5"])
def test_given_hands_are_counted_as_ranges_are(game: str) -> None:
    variant = find_variant(game)
    names = [DECK[c] for c in variant.deck]
    draw = random.Random(game)
    for board_size in (0, 3, 4, 5):
        for _ in range(4):
            cards = draw.sample(names, 2 * variant.hole_cards + board_size)
            hands = ["".join(cards[i : i + variant.hole_cards]) for i in (0, variant.hole_cards)]
            board = "".join(cards[2 * variant.hole_cards :])
            ranges = [ps.Range(hand, game, board=board) for hand in hands]
            question = spot(hands, game, board)
            assert all(isinstance(r, Holding) for r in question.ranges)
            for holding, live in zip(question.ranges, ranges, strict=True):
                assert holding.combos.tolist() == live.combos.tolist()
            answer = equity(*hands, game=game, board=board)
            holes = np.array([[r.cards for r in question.holdings if r]], np.uint8)
            tally = class_count.count(holes, question.board_array, question.live, evaluators(variant))[0]
            assert answer.tally.tolist() == tally.tolist()
            by_range = equity(*ranges, game=game, board=board)
            assert [p.counts for p in by_range.players] == [p.counts for p in answer.players]
            assert [p.weight for p in by_range.players] == [p.weight for p in answer.players]


@pytest.mark.parametrize(
    ("hand", "board", "dead"),
    [("AhAh", "", ""), ("Ah", "", ""), ("AhKdQc", "", ""), ("AhKx", "", ""), ("AhKd", "Ah7c2s", ""), ("AhKd", "", "Kd"),
     ("ahKD", "", ""), ("10hKd", "", ""), ("Ah Kd", "", ""), ("A♥K♦", "", "")],
)  # fmt: skip
def test_plain_and_other_spellings_say_the_same(hand: str, board: str, dead: str) -> None:
    def outcome(text: object) -> object:
        try:
            return [p.counts for p in equity(text, "QcQs", board=board, dead=dead).players]
        except ps.PotshareError as error:
            return str(error)

    try:
        by_range: object = ps.Range(hand, board=board, dead=dead)
    except ps.PotshareError as error:
        by_range = str(error)
    wanted = by_range if isinstance(by_range, str) else outcome(by_range)
    assert outcome(hand) == wanted


def test_a_small_question_is_quick() -> None:
    lines = [b'{"hands":["AhKd","QcQs"],"board":"Ad7c2s"}'] * 2000
    list(answers(lines[:10]))
    started = time.process_time()
    list(answers(lines))
    # A tenth of what is measured; processor time, which does not depend on what else runs.
    assert 2000 / (time.process_time() - started) > 1000

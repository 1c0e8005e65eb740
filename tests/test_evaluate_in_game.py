"""`evaluate -g`: hands as a game ranks them, and what the game never deals."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner

import potshare as ps
from potshare import cli
from potshare.simulate.scoring.run import score
from potshare.simulate.variants import games


def asked(*arguments: str, status: int = 0) -> Any:
    done = CliRunner().invoke(cli.cli, ["evaluate", *arguments, "-f", "json"])
    assert done.exit_code == status, done.output
    return json.loads(done.output) if status == 0 else done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-g", "holdem", "AhKhQh", "-b", "2h3h4c5d"), "hand 1 (AhKhQh) has 3 cards; a hand of holdem has 2"),
        (("-g", "omaha", "AhKh", "-b", "2h3h4c"), "a hand of omaha has 4"),
        (("-g", "omaha", "AhKh2c3c4c", "-b", "2h3h4d"), "a hand of omaha has 4"),
        (("-g", "omaha", "AhKh2c3c"), "give the flop"),
        (("-g", "draw", "AhKhQhJhTh2c"), "a hand of draw has 5"),
        (("-g", "stud", "AhKhQhJhTh2c3c", "-b", "4c5c"), "the board 4c5c has 2 cards"),
        (("-g", "triple-draw", "AsKh", "-b", "QhJh2c"), "no community cards"),
        (("-g", "pineapple", "AhKhQd", "-b", "2h3h4c"), "of 3 a player of pineapple keeps 2: write those"),
        (("-g", "irish", "AhKhQd2c", "-b", "2h3h4c"), "of 4 a player of irish keeps 2"),
        (("-g", "holdem", "AhKh", "-b", "2h3h4c/5h6h7c"), "one board"),
        (("-g", "holdem", "AhKh", "AhQh"), "Ah is both in hand 1 and in hand 2"),
        (("-g", "holdem", "AhKh", "-b", "2h3h4h5h6h7h"), "has 6 cards"),
    ],
)
def test_what_a_game_never_deals_is_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in asked(*arguments, status=2)


def test_two_boards_down_cards_and_the_best_four_of_five() -> None:
    found = asked("-g", "double-board-holdem", "AhKh", "QsQd", "-b", "QhJhTh/2c3c4c")
    assert found["board"] == ["Qh", "Jh", "Th", "/", "2c", "3c", "4c"]
    assert [half["hands"][0]["text"] for half in found["halves"]] == ["royal flush", "ace high (K 4 3 2)"]
    assert [half["winners"] for half in found["halves"]] == [[0], [1]]
    # In Chicago the first card lies face down.
    found = asked("-g", "chicago", "AsKhQhJh2c", "AdKsQs3s4s")
    assert [hand["text"] for hand in found["halves"][1]["hands"]] == ["ace of spades", "no spade"]
    found = asked("-g", "badacey", "As2d3h4c5c", "KsQsJsTs9s")
    assert [hand["text"] for hand in found["halves"][0]["hands"]] == ["4-3-2-A badugi", "one card, 9"]
    assert asked("-g", "draw-joker", "JkAsAd2c3c")["halves"][0]["hands"][0]["text"] == "three of a kind, aces (3 2)"


@pytest.mark.parametrize("name", sorted(games()))
def test_complete_hands_win_what_they_win_in_a_scored_showdown(name: str, tmp_path: Any) -> None:
    variant = games()[name]
    deck = [c for c in variant.deck if c < 52]
    rng = random.Random(name)
    for _ in range(8):
        rng.shuffle(deck)
        size = variant.kept_cards
        hands = [ps.format_cards(deck[i * size : (i + 1) * size]) for i in range(2)]
        rest = deck[2 * size :]
        boards = [ps.format_cards(rest[i * 5 : i * 5 + variant.board_cards]) for i in range(variant.boards)]
        board = "/".join(boards) if variant.board_cards else ""
        file = tmp_path / "row.ndjson"
        row = {"game": name, "hands": hands, "pot": 1000} | ({"board": board} if board else {})
        file.write_text(json.dumps(row) + "\n")
        out = tmp_path / "out.ndjson"
        score([str(file)], str(out), halves=True)
        scored = json.loads(out.read_text())
        assert not scored["error"]
        found = asked("-g", name, *hands, *(["-b", board] if board else []))
        owned = [0.0, 0.0]
        winners = [half["winners"] for half in found["halves"]]
        for won in [w or winners[0] for w in winners]:
            for i in won:
                owned[i] += 1000 / len(won) / len(winners)
        assert all(abs(a - b) <= 1 for a, b in zip(owned, scored["payouts"], strict=True)), (
            hands,
            board,
            owned,
            scored,
        )

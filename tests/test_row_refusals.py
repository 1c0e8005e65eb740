"""Rows that cannot be scored: each is refused alone, with the reason, and the row beside it is scored."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from potshare.simulate.scoring.run import score

GOOD = {"board": "2c7h9dJsKc", "hands": "AhAd,QsQd", "pot": 100}


def scored(*rows: dict[str, Any], game: str = "holdem") -> list[dict[str, Any]]:
    """The rows as they come out, from lines of JSON to lines of JSON."""
    source = io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())
    out = io.BytesIO()
    score(["-"], None, game=game, form="ndjson", stdin=source, stdout=out, workers=1)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hands": [["Ah", 3], ["Qs", "Qd"]]}, "is not a list of cards; write text such as AhKh|AhKd"),
        ({"hands": {"one": "AhAd"}}, "hands"),
        ({"hands": 7}, "hands"),
        ({"hands": ",".join(f"{r}{s}{r}{t}" for r in "3456T" for s, t in ("cd", "hs"))}, ""),
        ({"hands": "AhAd,QsQd", "contributions": {"a": 1}}, "contributions"),
        ({"hands": "AhAd,QsQd", "contributions": list(range(1, 100))}, "contributions: 99 amounts are more than"),
        ({"hands": "AhAd,QsQd", "contributions": "1,2,3"}, "hand 3 is missing, and seat 3 is not among the folded"),
        ({"board": "2c7h9dJs??"}, r"board: \?\? is an unknown card"),
        ({"board": "2c7h9dJs2c"}, "2c"),
        ({"board": "2c7h9dJsKc/3c4c5c6c7c"}, r"board: holdem has 1 board\(s\), not 2"),
        ({"board": "2c7h9dAhKc"}, "Ah"),
        ({"hands": "AhAd,ZsQd"}, "Z"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_a_row_is_refused_alone(change: dict[str, Any], words: str) -> None:
    row = {k: v for k, v in (GOOD | change).items() if not (k == "pot" and "contributions" in change)}
    wrong, right = scored(row, GOOD)
    if words:
        assert re.search(words, wrong["error"]), wrong["error"]
    else:
        assert wrong["error"] is None
    assert right["error"] is None
    assert right["winners"] in ([1], "1")


@pytest.mark.parametrize(
    ("game", "row", "words"),
    [
        ("short-deck", {"board": "6c7h9dJsKc", "hands": "2h2d,QsQd"}, "2h"),
        ("double-board-holdem", GOOD | {"board": "2c7h9dJsKc/3c4c"}, "a board has 5 cards, not 2"),
        ("double-board-holdem", GOOD | {"board": "2c7h9dJsKc/2c4d5s6h8d"}, "board: the card 2c is written twice"),
        ("omaha", GOOD, "hands|cards"),
        ("chicago", {"hands": "AhAdKs9c,QhQd8s7c", "board": "2d", "pot": 10}, "board has 1 card; chicago has 0"),
    ],
)
def test_rows_of_other_games(game: str, row: dict[str, Any], words: str) -> None:
    (wrong,) = scored(row, game=game)
    assert re.search(words, wrong["error"]), wrong["error"]


def test_other_columns_pass_through() -> None:
    extra = {
        "table": "blue",
        "fast": True,
        "rake": 1.5,
        "players": ["ann", "bob"],
        "about": {"x": [1]},
        "none": None,
    }
    (found,) = scored(GOOD | extra)
    assert found["error"] is None
    assert (found["table"], found["fast"], found["rake"]) == ("blue", True, 1.5)
    assert found["players"] == ["ann", "bob"]
    assert found["about"] == {"x": [1]}
    assert found["none"] is None

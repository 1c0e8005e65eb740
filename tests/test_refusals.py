"""Questions in Python that cannot be answered as asked: why, and what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

import potshare as ps
from potshare.errors import PotshareError

OUT_OF_CARDS = [f"{''.join(f'{r}{s}' for r in ranks[:1])}/{''.join(f'{r}{s}' for r in ranks[1:])}"
                for s, ranks in (("c", "23456"), ("d", "23456"), ("h", "23456"), ("s", "23456"),
                                 ("c", "789TJ"), ("d", "789TJ"))]  # fmt: skip


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        (("As2s3d4s", "random"), {"game": "chicago"}, "cards to come lie partly up and partly down"),
        (("AsAhKd", "2c3d4h"), {"game": "push"}, "cards are pushed or thrown away by keep rules"),
        (OUT_OF_CARDS, {"game": "deuce-to-seven"}, "the deck runs out and discards are shuffled again"),
        (("AsKs", "random"), {"game": "draw"}, "sample it with --method monte-carlo"),
    ],
    ids=lambda value: value.get("game") if isinstance(value, dict) else "",
)
def test_what_cannot_be_counted(hands: list[str], options: dict[str, Any], words: str) -> None:
    with pytest.raises(PotshareError, match=words):
        ps.equity(*hands, method="exact", **options)


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        (("AsKs", ps.Range("AAxx", "omaha")), {}, "the range 'AAxx' was made for omaha, not for holdem"),
        ((["2s", "As"], "KhKd"), {"game": "short-deck"}, "2s"),
        (("AsKs", "QQ"), {"stderr": float("nan")}, "stderr must be greater than 0, not nan"),
        (("AsKs", "QQ"), {"time": -1.0}, r"time must be greater than 0, not -1\.0"),
        (("AsKs", "QQ"), {"deals": 0}, "deals must be greater than 0, not 0"),
        (("AsKs", "QQ"), {"seed": -1}, r"the seed must be between 0 and 2\*\*63 - 1, not -1"),
        (("AsKs", "QQ"), {"threads": 0}, "threads must be at least 1, not 0"),
        (("AsKs", "QQ"), {"method": "guess"}, "there is no method 'guess'; methods are auto, exact, monte-carlo"),
        (("AsKs",), {}, r"only one hand is given; .*\(use 'random' for an unknown hand"),
        (["random"] * 24, {}, "24 players are too many: the deck has cards for 23 in holdem"),
        (["random"] * 23, {"dead": "AsKs"}, "23 players are too many: .* with 2 dead"),
        (("AsKs", "QQ"), {"board": "2c3c4c", "dead": "2c"}, "2c"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, dict) else "",
)
def test_what_is_no_question(hands: list[Any], options: dict[str, Any], words: str) -> None:
    options = {"method": "monte-carlo"} | options if set(options) & {"stderr", "time", "deals", "seed"} else options
    with pytest.raises(PotshareError, match=words):
        ps.equity(*hands, **options)


def test_ranges_and_hands_may_be_mixed() -> None:
    known = ps.equity("AsKs", "QhQd", board="2c7d9h").players[0].counts
    for one, two in (
        (ps.Range("AsKs"), "QhQd"),
        ("AsKs", ps.Range("QhQd")),
        ([51, 47], ps.Range("QhQd")),
        (ps.Range("AsKs"), ps.Range("QhQd")),
    ):
        assert ps.equity(one, two, board="2c7d9h").players[0].counts == known

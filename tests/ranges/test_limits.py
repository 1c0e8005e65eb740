"""Thousands of shapes in one text, and sizes that would explode: an answer, or a reason before anything is spent."""

from __future__ import annotations

import math
import random
import time
import tracemalloc

import pytest

import potshare as ps
from potshare.errors import PotshareError
from potshare.evaluator.cards import RANKS
from potshare.simulate.ranges import Range, parse_board
from potshare.simulate.ranges.summary import shapes
from potshare.simulate.spot import MOST_LISTED, spot

SUITS = ["", "", "x", "y", "s", "h"]


def random_item(rng: random.Random, cards: int) -> str:
    """An item such as Omaha players write: some ranks and suits, a condition, a weight."""
    specs = [rng.choice(RANKS) + rng.choice(SUITS) for _ in range(rng.randint(1, min(3, cards)))]
    term = "".join(dict.fromkeys(specs))
    kind = rng.randrange(6)
    if kind == 0:
        term += ":" + rng.choice(["xxyy", "xxyz", "$ds", "(KK,QQ@50)", "[A-T]", "xx!A"])
    elif kind == 1:
        term += "!" + rng.choice(["xxx", "AA", "(2,3,4h)", "Ks", "RR"])
    elif kind == 2 and len(specs) < cards:
        term += "[A,K,Q,J]"
    return term + rng.choice(["", "", "@50", "@20", f"@{rng.randint(1, 100)}"])


@pytest.mark.parametrize(("game", "items"), [("omaha", 150), ("omaha5", 12), ("stud", 40)])
def test_a_union_is_what_its_items_are(game: str, items: int) -> None:
    # Each item listed by itself is the twin of all of them listed together.
    rng = random.Random(items)
    parts = [random_item(rng, 2 if game == "stud" else 4) for _ in range(items)]
    if game == "stud":
        # A macro describes as many cards as the longest item of the text has.
        parts = [part for part in parts if "$" not in part]
    single = []
    for part in parts:
        try:
            found = Range(part, game)
            len(found)
        except PotshareError as error:
            assert "names no hand" in str(error)  # noqa: PT017
        else:
            single.append(found)
    together = Range(",".join(parts), game)
    size = together.cards
    wanted: dict[tuple[int, ...], float] = {}
    for found in single:
        rows = found.combos
        if rows.shape[1] < size:
            continue
        for row, weight in zip(rows.tolist(), found.weights.tolist(), strict=True):
            wanted[tuple(row)] = max(wanted.get(tuple(row), 0.0), weight)
    if all(found.cards == size for found in single):
        assert dict(iter(together)) == wanted
    else:
        listed = dict(iter(together))
        for row in list(listed)[:: max(1, len(listed) // 300)]:
            assert listed[row] == max(found.weight(row[: found.cards]) for found in single)
    without = Range(f"*!({','.join(parts)})", game) if size < 5 else None
    if without is not None and len(together) < len(Range("*" * size, game)):
        assert len(without) + len(together) == len(Range("*" * size, game))


def test_a_walk_gives_what_each_hand_weighs_alone() -> None:
    rng = random.Random(4)
    for game, size in (("omaha", 4), ("omaha6", 6), ("courchevel", 5)):
        items = [random_item(rng, 4) for _ in range(300)]
        found = Range(",".join(items), game)
        alone = [Range(item, game) for item in items]
        for _ in range(20):
            hand = rng.sample(range(52), size)
            wanted = max((single.weight(hand) for single in alone), default=0.0)
            assert found.weight(hand) == wanted
        if size == 4:
            listed = dict(iter(found))
            for _ in range(3_000):
                hand = sorted(rng.sample(range(52), size), reverse=True)
                assert found.weight(hand) == listed.get(tuple(hand), 0.0)


def test_thousands_of_shapes_are_listed_in_seconds() -> None:
    rng = random.Random(9)
    len(Range("AA", "omaha"))
    for text in (
        ",".join(random_item(rng, 4) for _ in range(4_000)),
        ",".join(f"{a}{b}{c}x:xxyy@{rng.randint(1, 99)}" for a in RANKS for b in RANKS for c in RANKS),
        ",".join(f"{a}x{b}y{c}z" for a in RANKS for b in RANKS for c in RANKS),
    ):
        started = time.process_time()
        assert len(Range(text, "omaha")) > 1_000
        assert time.process_time() - started < 10.0


def refused(call: object, most_seconds: float = 5.0) -> str:
    """The message of a refusal that took little time and memory."""
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(PotshareError) as caught:
            call()  # type: ignore[operator]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - started < most_seconds
    assert peak < 100e6, f"{peak / 1e6:.0f} MB"
    return str(caught.value)


def test_ranges_that_would_fill_the_memory_are_refused_first() -> None:
    len(Range("AA:xxyy", "omaha6").combos)  # everything compiled
    Range("AA,KK", "omaha6").about()
    everything = "*!AsAhAdAc2c3c"
    for hands in ([everything] * 7, ["*!As", "*!Ah"], [everything, "AA"] * 2):
        for method in ("exact", "monte-carlo", "auto"):
            said = refused(lambda hands=hands, method=method: ps.equity(*hands, game="omaha6", method=method))
            assert f"at most {MOST_LISTED:,} are listed for one question" in said
    line = '{"hands": ["*!As", "*!Ah"], "game": "omaha6"}'
    from potshare.simulate.stream import answer

    assert "are listed for one question" in answer(line, {})[0]["error"]
    said = refused(lambda: ps.equity("AA*****", "KK*****", game="stud"))
    assert "too many hands" in said or "are listed for one question" in said
    assert "too many hands to list" in refused(lambda: len(Range("AA*****", "stud")))
    assert "too many hands to list" in refused(lambda: parse_board("*****", "omaha").pattern.combos)


def test_shapes_that_would_take_minutes_are_refused_first() -> None:
    rng = random.Random(1)
    lists = ["".join("[" + ",".join(rng.sample(RANKS, 6)) + "]x" for _ in range(3)) for _ in range(1_400)]
    text = ",".join(f"{term}:(wxyz)@{i % 97 + 1}" for i, term in enumerate(lists))[:99_000].rsplit(",[", 1)[0]
    text = text.rsplit("@", 1)[0]
    found = Range(text, "omaha6")
    assert "too many different shapes" in refused(lambda: len(found), 20.0)


def test_players_with_the_same_text_share_one_range() -> None:
    question = spot(["AA:xxyy", "AA:xxyy", "random", "AA"], "omaha")
    assert question.ranges[0] is question.ranges[1]
    assert question.ranges[0].combos is question.ranges[1].combos
    assert question.ranges[0] is not question.ranges[3]


def test_about() -> None:
    for text in ("AA", "*!As", "$ds", "AA,KK@20", "[A-J][A-J]"):
        found = Range(text, "omaha6")
        near = found.about()
        assert near == pytest.approx(len(found), rel=0.2, abs=20_000)
    assert Range("AA", "omaha").about() == 6961
    assert Range("*", "omaha6").about() == 20_358_520
    assert Range("QQ+").about() == 18


def test_the_shapes_of_big_ranges_add_up() -> None:
    for text, game in (("Jk", "draw-joker"), ("AA@50,KK", "omaha5"), ("$ds", "omaha")):
        found = Range(text, game)
        rows = shapes(found)
        assert sum(number for _, _, number, _ in rows) == len(found)
        assert sum(weight for _, _, _, weight in rows) == pytest.approx(found.total_weight)
    # With the joker four cards of different ranks, two of one suit and two of others.
    number = math.comb(13, 4) * 4 * math.comb(4, 2) * 3 * 2
    assert ("no pair", "2-1-1", number, float(number)) in shapes(Range("Jk", "draw-joker"))

"""Amounts with decimals: read and written exactly, in the fast way and the slow one alike; no chip is lost or made."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import potshare as ps
from potshare.errors import PotshareError
from potshare.simulate.scoring.batch import Columns, Wanted, score_columns
from potshare.simulate.scoring.chips import Chip, as_chip
from potshare.simulate.scoring.files import Block
from potshare.simulate.scoring.reading import read_row
from potshare.simulate.scoring.run import score
from potshare.simulate.variants import find_variant

BOARD = "2c3c4c5d7s"
HOLDEM = find_variant("holdem")
CHIPS = ("1", "0.01", "0.5", "0.25", "0.001", "2", "25", "2.5", "0.00000001")


def scored(frame: pl.DataFrame, chip: Any = None, **wanted: bool) -> list[dict[str, Any]]:
    """The answers of a frame."""
    columns = Block(frame.height, frame).columns()
    return score_columns(columns, HOLDEM, Wanted(**wanted, chip=as_chip(chip))).to_dicts()


def one(chip: Any = None, **cells: Any) -> dict[str, Any]:
    """The answer of one row of two equal hands and a worse one."""
    row = {"board": BOARD, "hands": "AhKd;AdKs;9h8h", **cells}
    return scored(pl.DataFrame({name: [value] for name, value in row.items()}), chip, pots=True, halves=True)[0]


def test_pots_are_shared_down_to_the_chip() -> None:
    assert one("0.01", pot="12.50")["payouts"] == ["6.25", "6.25", "0.00"]
    assert one("0.01", pot="12.51")["payouts"] == ["6.26", "6.25", "0.00"]
    assert one("0.25", pot="12.75")["payouts"] == ["6.50", "6.25", "0.00"]
    assert one("0.5", pot="12.50")["payouts"] == ["6.5", "6.0", "0.0"]
    assert one(25, pot=75)["payouts"] == [50, 25, 0]
    assert one(pot="12.000")["payouts"] == [6, 6, 0]


def test_every_column_is_in_the_same_unit() -> None:
    found = one("0.01", contributions="10.05,10.05,4.01", folded="3")
    assert found["payouts"] == ["12.06", "12.05", "0.00"]
    assert found["net"] == ["2.01", "2.00", "-4.01"]
    assert found["halves"] == [{"half": "high", "winners": [1, 2], "payouts": ["12.06", "12.05", "0.00"]}]
    assert [pot["amount"] for pot in found["pots"]] == ["24.11"]
    found = one("0.01", contributions="1.00,0.50,0.50")
    assert [(pot["amount"], pot["half"]) for pot in found["pots"]] == [("1.50", "high"), ("0.50", "returned")]


def test_without_a_chip_decimals_are_an_error_that_names_the_option() -> None:
    for pot in ("12.50", 12.5, "0.1", Decimal("12.50")):
        error = one(pot=pot)["error"]
        assert error.startswith("pot is ")
        assert error.endswith("chips are whole numbers: for decimals name the smallest chip, as --chip 0.01")
    assert "contributions[2] is 1.5;" in one(contributions="1,1.5,2")["error"]


@pytest.mark.parametrize(
    ("chip", "cells", "message"),
    [
        ("0.01", {"pot": "12.505"}, "pot is 12.505, which is not a multiple of the chip 0.01"),
        ("25", {"contributions": "25,50,60"}, "contributions[3] is 60, which is not a multiple of the chip 25"),
        ("0.01", {"pot": "12."}, "pot is '12.'; write a number of chips"),
        ("0.01", {"pot": ".5"}, "pot is '.5'; write a number of chips"),
        ("0.01", {"pot": "1.5.2"}, "pot is '1.5.2'; write a number of chips"),
        ("0.01", {"pot": "-1.50"}, "pot is -1.50; amounts are 0 to 9999999999999.99"),
        ("0.01", {"pot": "10000000000000"}, "pot is 10000000000000; amounts are 0 to 9999999999999.99"),
        ("1", {"pot": "1000000000000000"}, "amounts are 0 to 999999999999999"),
        ("0.01", {"pot": "9" * 40}, "amounts are 0 to"),
        ("0.01", {"pot": "1." + "0" * 40 + "1"}, "which is not a multiple of the chip 0.01"),
        ("0.01", {"pot": float("nan")}, "pot is 'NaN'; write a number of chips"),
        ("0.01", {"pot": 0.1 + 0.2}, "pot is 0.30000000000000004, which is not a multiple of the chip 0.01"),
        ("0.01", {"pot": "$5"}, "pot is '$5'; write a number of chips"),
        ("0.01", {"pot": "3.00", "contributions": "1,1,1.01"}, "pot is 3.00, but contributions add up to 3.01"),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_said(chip: str, cells: dict[str, Any], message: str) -> None:
    assert message in one(chip, **cells)["error"]


@pytest.mark.parametrize(
    "value", ["12.50", "12.5", "12.5000000", "0012.50", "1.25e1", "125E-1", 12.5, Decimal("12.500"), " 12.50 "]
)
def test_ways_to_write_an_amount(value: Any) -> None:
    assert one("0.01", pot=value)["payouts"] == ["6.25", "6.25", "0.00"]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[0.1, 0.2, 0.3]], dtype=pl.List(pl.Float64)),
        pl.Series([[0.1, 0.2, 0.3]], dtype=pl.List(pl.Float32)),
        pl.Series([[0.1, 0.2, 0.3]], dtype=pl.Array(pl.Float64, 3)),
        pl.Series([["0.1", "0.20", "0.3"]], dtype=pl.List(pl.String)),
        pl.Series([["0.1", "0.2", "0.3"]]).cast(pl.List(pl.Decimal(10, 3))),
        pl.Series(["0.1, 0.2,0.30"]),
        pl.Series(["[0.1,0.2,0.3]"]),
    ],
)
@pytest.mark.parametrize("hands", ["AhKd;AdKs;9h8h", "A♥Kd;AdKs;9h8h"])
def test_columns_of_every_type_in_the_fast_way_and_the_slow(column: pl.Series, hands: str) -> None:
    frame = pl.DataFrame({"board": [BOARD], "hands": [hands], "contributions": column})
    # 0.1 from everybody, 0.1 more from the second and the third; the rest of the third goes back to him.
    assert scored(frame, 0.1)[0]["payouts"] == ["0.2", "0.3", "0.1"]
    assert scored(frame, "0.05")[0]["net"] == ["0.05", "0.15", "-0.20"]


def test_great_numbers_in_few_bits() -> None:
    # 2**24 + 1 has no place in 32 bits, and from 10**8 on the shortest decimal of 32 bits may be another whole number.
    frame = pl.DataFrame(
        {"board": [BOARD], "hands": ["AhKd;9d9s"], "pot": pl.Series([123456789.0], dtype=pl.Float32)}
    )  # fmt: skip
    assert scored(frame)[0]["payouts"] == [int(frame["pot"][0]), 0]


def test_chips_that_are_none() -> None:
    for wrong in (0, -1, "0", "x", "", "1e-9", "1e16", True, [1], float("inf")):
        with pytest.raises(PotshareError, match=r"the chip"):
            as_chip(wrong)
    assert as_chip("0.010") == as_chip(0.01) == as_chip(Decimal("0.01")) == Chip(Decimal("0.01"))
    assert as_chip("1e1") == as_chip(10)


# -- against fractions ----------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[list[str]], list[list[int]]]:
    """A chip, and rows of contributions as text with their numbers of chips."""
    unit = draw(st.sampled_from(CHIPS))
    chip = as_chip(unit)
    counts = draw(
        st.lists(
            st.lists(st.integers(0, 5) | st.integers(0, 10**9 - 1), min_size=3, max_size=3), min_size=1, max_size=6
        )
    )
    texts = []
    for row in counts:
        zeros = draw(st.integers(0, 3)) if chip.decimals else 0
        texts.append([chip.shown(c) + "0" * zeros for c in row])
    return unit, texts, counts


def _frame(texts: list[list[str]], spoiled: str) -> pl.DataFrame:
    hands = ["AhKd;AdKs;9h8h", "9h8h;AdKs;AhKd", "AhKd;9h8h;5s5h"]
    return pl.DataFrame(
        {
            "board": [BOARD + spoiled] * len(texts),
            "hands": [hands[i % 3] for i in range(len(texts))],
            "contributions": [",".join(row) for row in texts],
        }
    )


@given(tables())
@example(("0.01", [["0.00", "0.00", "0.00"]], [[0, 0, 0]]))
@settings(max_examples=60, deadline=None)
def test_chips_are_never_lost_or_invented(table: tuple[str, list[list[str]], list[list[int]]]) -> None:
    unit, texts, counts = table
    in_chips = scored(pl.DataFrame(_frame([[str(c) for c in row] for row in counts], "")))
    found = scored(_frame(texts, ""), unit, pots=True)
    for row, plain, put in zip(found, in_chips, counts, strict=True):
        assert row["error"] is None
        paid = [Fraction(str(amount)) for amount in row["payouts"]]
        assert sum(paid) == sum(put) * Fraction(unit)
        assert paid == [chips * Fraction(unit) for chips in plain["payouts"]]
        net = [Fraction(str(amount)) for amount in row["net"]]
        assert net == [a - b * Fraction(unit) for a, b in zip(paid, put, strict=True)]
        assert sum(Fraction(str(amount)) for pot in row["pots"] for amount in pot["payouts"]) == sum(paid)
        assert row["shares"] == plain["shares"]
    # With a mark in the text that the kernels refuse, every row goes the slow way.
    assert scored(_frame(texts, " \x0b"), unit, pots=True) == found


@given(st.text(alphabet="0123456789.,;[] eE+-", max_size=14), st.sampled_from(CHIPS))
@settings(max_examples=300, deadline=None)
def test_the_kernel_reads_what_python_reads(text: str, unit: str) -> None:
    frame = pl.DataFrame({"board": [BOARD], "hands": ["AhKd;AdKs;9h8h"], "contributions": [text]})
    columns = Block(1, frame).columns()
    fast = score_columns(columns, HOLDEM, Wanted(chip=as_chip(unit))).to_dicts()[0]
    try:
        row = read_row({"board": BOARD, "hands": "AhKd;AdKs;9h8h", "contributions": text}, HOLDEM, as_chip(unit))
    except PotshareError:
        assert fast["error"] is not None
        return
    assert fast["error"] is None
    if row.money:
        assert sum(Fraction(str(p)) for p in fast["payouts"]) == sum(row.money) * Fraction(unit)


# -- whole runs -----------------------------------------------------------------------------------------------------


def run(data: bytes, **options: Any) -> str:
    """What is written to standard output."""
    out = io.BytesIO()
    score("-", stdin=io.BytesIO(data), stdout=out, **options)
    return out.getvalue().decode()


def test_tables_of_every_format(tmp_path: Path) -> None:
    wanted = ["6.25", "6.25"]
    text = run(b"board,hands,pot\n2c3c4c5d7s,AhKd;AdKs,12.50\n", form="csv", chip="0.01")
    assert text.splitlines()[1] == "2c3c4c5d7s,AhKd;AdKs,12.50,1;2,1/2;1/2,6.25;6.25,,"
    line = b'{"board": "2c3c4c5d7s", "hands": "AhKd;AdKs", "pot": 12.50}\n'
    text = run(line, chip=0.01)
    assert json.loads(text)["payouts"] == wanted
    assert text.startswith('{"board": "2c3c4c5d7s", "hands": "AhKd;AdKs", "pot": 12.50,')
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    frame = pl.DataFrame({"board": [BOARD], "hands": ["AhKd;AdKs"], "pot": pl.Series(["12.5"]).cast(pl.Decimal(9, 2))})
    frame.write_parquet(source)
    score(source, target, chip=Decimal("0.01"))
    found = pl.read_parquet(target)
    assert found["payouts"].to_list() == [wanted]
    assert found["pot"].dtype == pl.Decimal(9, 2)


def test_recorded_hands_in_a_chip_of_their_own() -> None:
    hand = b"""\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 101]
actions = ["d dh p1 AhKd", "d dh p2 AdKs", "p2 cbr 101", "p1 cc", "d db 2c3c4c", "d db 5d", "d db 7s"]
"""
    finish = b"finishing_stacks = [%s]\n"

    def ask(stacks: bytes, chip: str | None = None) -> dict[str, Any]:
        text = run(hand + finish % stacks, form="phh", output_format="ndjson", verify=True, chip=chip)
        return json.loads(text)

    assert ask(b"100, 101")["verified"] is True
    assert ask(b"100, 101")["chip"] == "1"
    in_cents = ask(b"100, 101", "0.01")
    assert (in_cents["verified"], in_cents["chip"], in_cents["payouts"]) == (True, "0.01", [10000, 10100])
    assert ask(b"100, 101", "2")["error"] == "the amount 101 is not a multiple of the chip 2"
    # A pot of five splits to the cent only where there are cents.
    odd = (
        hand.replace(b'"p2 cbr 101", "p1 cc", ', b'"p2 cc", "p1 cc", ')
        .replace(b"[0, 0]", b"[1, 0]")
        .replace(b"variant", b"ante_trimming_status = false\nvariant")
    )
    for chip, stacks in ((None, [3, 2]), ("0.01", [250, 250])):
        text = run(odd, form="phh", output_format="ndjson", chip=chip)
        assert sorted(json.loads(text)["payouts"], reverse=True) == stacks


def test_zeros_behind_the_point_are_no_decimals() -> None:
    text = b'variant = "NT"\nantes = [0.00, 0.000]\nblinds_or_straddles = [1.50, 3.00]\nmin_bet = 3\n'
    text += b'starting_stacks = [100.00, 100]\nactions = ["d dh p1 AhKd", "d dh p2 AdKs", "p2 f"]\n'
    found = json.loads(run(text, form="phh", output_format="ndjson"))
    assert (found["chip"], found["payouts"]) == ("0.1", [45, 0])
    text = text.replace(b"100.00", b"100.000000000000000000000000000000000000001")
    assert "an amount has 39 decimals" in run(text, form="phh", output_format="ndjson")


def test_the_example_of_the_docstring_runs() -> None:
    import doctest

    parsed = doctest.DocTestParser().get_doctest(ps.score.__doc__ or "", {}, "score", None, 0)
    assert len(parsed.examples) > 4
    runner = doctest.DocTestRunner()
    runner.run(parsed)
    assert runner.failures == 0


def test_paths_and_no_output(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("board,hands\n2c3c4c5d7s,AhKd;AdKs\n")
    assert ps.score([table], tmp_path / "out.csv").rows == 1
    with pytest.raises(PotshareError, match="name a file for the answer"):
        ps.score(table)


def test_columns_are_taken_with_their_rows() -> None:
    # Two games: the rows of each are taken out of the columns, decimals too.
    frame = pl.DataFrame(
        {
            "game": ["holdem", "omaha", "holdem"],
            "board": [BOARD] * 3,
            "hands": ["AhKd;AdKs", "AhKdQhQd;AdKs9s9h", "AhKd;9d9s"],
            "pot": [0.5, 1.5, 2.5],
        }
    )
    assert [row["payouts"] for row in scored(frame, "0.1")] == [["0.3", "0.2"], ["1.5", "0.0"], ["2.5", "0.0"]]
    assert isinstance(Block(3, frame).columns(), Columns)

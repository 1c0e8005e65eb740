"""Cells of every kind that files can hold: lists, nested lists, yes and no, numbers: read, refused and written."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from potshare.simulate.scoring import files
from potshare.simulate.scoring.files import csv_cell, sniff
from potshare.simulate.scoring.run import score

BOARD = "2c3c4c5d7s"
HANDS = [["AhAd", "KhKd"], ["QhQd", "KhKd"], ["6h6d", "6c6s"]]
WINNERS = [[1], [2], [1, 2]]


def winners(source: Path, folder: Path) -> list[list[int]]:
    target = folder / "out.parquet"
    summary = score([str(source)], str(target))
    assert summary.failed == 0
    return [list(row) for row in pl.read_parquet(target)["winners"]]


@pytest.mark.parametrize(
    "kind", [pl.List(pl.String), pl.Array(pl.String, 2), pl.List(pl.List(pl.String))], ids=["list", "array", "nested"]
)
def test_hands_as_lists_of_parquet(tmp_path: Path, kind: Any) -> None:
    cells: Any = [[[h[:2], h[2:]] for h in row] for row in HANDS] if kind == pl.List(pl.List(pl.String)) else HANDS
    source = tmp_path / "in.parquet"
    pl.DataFrame({"board": [BOARD] * 3, "hands": pl.Series(cells, dtype=kind)}).write_parquet(source)
    assert winners(source, tmp_path) == WINNERS


@pytest.mark.parametrize("nested", [False, True])
def test_hands_as_lists_of_ndjson(tmp_path: Path, nested: bool) -> None:
    source = tmp_path / "in.ndjson"
    rows = [[[h[:2], h[2:]] for h in row] if nested else row for row in HANDS]
    source.write_text("".join(json.dumps({"board": BOARD, "hands": row}) + "\n" for row in rows))
    assert winners(source, tmp_path) == WINNERS


@pytest.mark.parametrize("suffix", ["parquet", "ndjson"])
def test_yes_and_no_are_no_chips(tmp_path: Path, suffix: str) -> None:
    source, target = tmp_path / f"in.{suffix}", tmp_path / "out.ndjson"
    frame = pl.DataFrame({"board": [BOARD] * 2, "hands": ["AhAd;KhKd"] * 2, "pot": [True, None]})
    if suffix == "parquet":
        frame.write_parquet(source)
    else:
        frame.write_ndjson(source)
    summary = score([str(source)], str(target))
    assert (summary.rows, summary.failed) == (2, 1)
    first, second = (json.loads(line) for line in target.read_text().splitlines())
    assert "pot is True" in first["error"]
    assert second["winners"] == [1]


EXTRA: dict[str, list[Any]] = {
    "flag": [True, None, False], "count": [1, None, 3], "share": [1, 0.5, None], "great": [2**70, 1, None],
    "mixed": [1, "two", None], "nested": [{"a": 1}, None, {"a": [2]}], "listed": [["x", 1], [], None],
}  # fmt: skip


def with_extra(path: Path) -> Path:
    rows = [
        {"board": BOARD, "hands": "AhAd;KhKd"} | {name: values[i] for name, values in EXTRA.items()} for i in range(3)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_extra_columns_of_ndjson_keep_their_kind_in_parquet(tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    score([str(with_extra(tmp_path / "in.ndjson"))], str(target))
    found = pl.read_parquet(target)
    kinds = {name: found.schema[name] for name in EXTRA}
    assert kinds == {
        "flag": pl.Boolean, "count": pl.Int64, "share": pl.Float64, "great": pl.Float64, "mixed": pl.String,
        "nested": pl.String, "listed": pl.String,
    }  # fmt: skip
    assert found["flag"].to_list() == [True, None, False]
    assert found["count"].to_list() == [1, None, 3]
    assert found["share"].to_list() == [1.0, 0.5, None]
    assert found["mixed"].to_list() == ["1", "two", None]
    assert found["nested"].to_list() == ['{"a": 1}', None, '{"a": [2]}']


def test_extra_columns_of_ndjson_as_csv(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    score([str(with_extra(tmp_path / "in.ndjson"))], str(target))
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["flag"] for row in rows] == ["true", "", "false"]
    assert [row["mixed"] for row in rows] == ["1", "two", ""]
    assert [row["listed"] for row in rows] == ["x;1", "", ""]


def test_cells_of_csv() -> None:
    assert csv_cell([1, None, "x"]) == "1;;x"
    assert csv_cell([{"a": 1}]) == '[{"a": 1}]'
    assert csv_cell({"a": [1]}) == '{"a": [1]}'
    assert csv_cell(True) == "true"
    assert csv_cell(2.5) == 2.5


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"PAR1\x15\x04", "parquet"), (b' {"hands": []}', "ndjson"), (b"[1]\nvariant = 'NT'", "phh"),
        (b"variant = 'NT'", "phh"), (b"# a hand\n", "phh"), (b"board,hands\n", "csv"), (b"\xef\xbb\xbfhands\n", "csv"),
    ],
)  # fmt: skip
def test_streams_are_told_by_how_they_begin(head: bytes, kind: str) -> None:
    assert sniff(head) == kind


@pytest.mark.parametrize("suffix", ["csv", "ndjson", "parquet"])
def test_pieces_read_where_they_are_needed(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CSV_BYTES", 100)
    monkeypatch.setattr(files, "NDJSON_BYTES", 100)
    monkeypatch.setattr(files, "PARQUET_ROWS", 7)
    frame = pl.DataFrame({"board": [BOARD] * 50, "hands": ["AhAd;KhKd"] * 50, "place": [str(i) for i in range(50)]})
    source = tmp_path / f"in.{suffix}"
    {"csv": frame.write_csv, "ndjson": frame.write_ndjson, "parquet": frame.write_parquet}[suffix](source)
    known = files.Source(str(source), suffix, str(source))
    blocks = [piece.load() for piece in known.pieces(apart=True)]
    assert len(blocks) > 3
    places = []
    for block in blocks:
        if block.frame is not None:
            places += block.frame["place"].to_list()
        else:
            places += [record["place"] for record in block.records or ()]
    assert places == [str(i) for i in range(50)]

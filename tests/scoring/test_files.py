"""Files in and out: round trips, golden outputs, broken input, and outputs that appear whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from potshare.errors import PotshareError
from potshare.simulate.scoring import files, run
from potshare.simulate.scoring.run import StrictError, Summary, score

FIXTURE = Path(__file__).with_name("hands.phhs")

ROWS = [
    {"id": "a", "board": "4d7s6sJdJh", "hands": "ThAc,AdTd,TsAs", "contributions": "100,100,101", "note": 'über, "x"'},
    {"id": "b", "board": "AhKhQh2c3c", "hands": "AsAs,2c2d", "contributions": "", "note": ""},
    {"id": "c", "board": "AhKhQh2c3c", "hands": "JhTh,AdAc", "contributions": "5,7", "note": "two\nlines"},
]

GOLDEN_CSV = '''\
id,board,hands,contributions,note,winners,shares,payouts,net,error
a,4d7s6sJdJh,"ThAc,AdTd,TsAs","100,100,101","über, ""x""",1;2;3,1/3;1/3;1/3,100;100;101,0;0;0,
b,AhKhQh2c3c,"AsAs,2c2d",,,,,,,row 2 (line 3): hands: hand 1: the card As is written twice in 'AsAs'
c,AhKhQh2c3c,"JhTh,AdAc","5,7","two
lines",1,1;0,10;2,5;-5,
'''

GOLDEN_WORDS = {
    "winners": [1],
    "shares": ["1", "0"],
    "payouts": [10, 2],
    "net": [5, -5],
    "categories": ["straight flush", "three of a kind"],
    "words": ["royal flush", "three of a kind, aces (K Q)"],
    "halves": [{"half": "high", "winners": [1], "payouts": [10, 0]}],
    "pots": [
        {"amount": 10, "eligible": [1, 2], "half": "high", "winners": [1], "payouts": [10, 0]},
        {"amount": 2, "eligible": [2], "half": "returned", "winners": [2], "payouts": [0, 2]},
    ],
    "error": None,
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The rows as CSV."""
    path = tmp_path / "rows.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(ROWS)
    return path


def to_text(*paths: Path | str, stdin: bytes | None = None, **options: Any) -> tuple[str, Summary]:
    """What is written to standard output."""
    out = io.BytesIO()
    summary = score([str(p) for p in paths], stdout=out, stdin=None if stdin is None else io.BytesIO(stdin), **options)
    return out.getvalue().decode(), summary


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of an output in any format, nested columns as lists."""
    if path.suffix == ".ndjson":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return pl.read_parquet(path).to_dicts()


def test_golden_csv(table: Path) -> None:
    text, summary = to_text(table)
    # The uncalled chip of seat 3 goes back.
    assert text == GOLDEN_CSV
    assert (summary.rows, summary.failed) == (3, 1)
    assert summary.first_failure.startswith("row 2 (line 3): hands: hand 1: the card As")


def test_golden_ndjson_with_everything(table: Path) -> None:
    text, _ = to_text(table, output_format="ndjson", words=True, halves=True, pots=True)
    third = json.loads(text.splitlines()[2])
    assert third == ROWS[2] | GOLDEN_WORDS
    assert json.loads(text.splitlines()[1])["pots"] is None


@pytest.mark.parametrize("last", ["ndjson", "parquet"])
@pytest.mark.parametrize("middle", ["csv", "ndjson", "parquet"])
def test_round_trips(table: Path, tmp_path: Path, middle: str, last: str) -> None:
    once, twice = tmp_path / f"once.{middle}", tmp_path / f"twice.{last}"
    direct = tmp_path / "direct.ndjson"
    score([str(table)], str(direct), words=True, pots=True)
    score([str(table)], str(once), words=True, pots=True)
    # Old answers are replaced by new ones, and fields are read from what was written.
    summary = score([str(once)], str(twice), words=True, pots=True)
    assert (summary.rows, summary.failed) == (3, 1)
    wanted, found = rows_of(direct), rows_of(twice)
    for row in (*wanted, *found):
        row.pop("error")
        for name in ("contributions", "note"):
            row[name] = row[name] or None
    assert found == wanted


def test_typed_parquet_columns(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "Board": [["4d", "7s", "6s", "Jd", "Jh"]] * 2,
            "Hand 1": ["ThAc", "AcAd"],
            "Hand 2": ["AdTd", None],
            "hand_3": ["TsAs", "KcKd"],
            "contributions": [[100, 100, 101], [5, 5, 5]],
            "folded": [[], [2]],
            "weight": [0.5, None],
            "when": [[1, 2], []],
        }
    )
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    frame.write_parquet(source)
    score([str(source)], str(target))
    found = pl.read_parquet(target)
    assert found["payouts"].to_list() == [[100, 100, 101], [15, 0, 0]]
    assert found.select(frame.columns).equals(frame)
    text, _ = to_text(source)
    assert [line.split(",")[-3] for line in text.splitlines()[1:]] == ["100;100;101", "15;0;0"]


def test_ndjson_keeps_what_it_does_not_know() -> None:
    lines = [
        {"hands": ["AhAd", "KhKd"], "board": "2c3c4c5d7s", "pot": 10, "meta": {"table": [1, 2]}, "big": 2**70},
        {"hands": "AhAd;KhKd", "board": ["2c", "3c", "4c", "5d", "7s"]},
    ]
    text, summary = to_text("-", stdin="\n\n".join(map(json.dumps, lines)).encode())
    found = [json.loads(line) for line in text.splitlines()]
    assert summary.failed == 0
    assert [row["winners"] for row in found] == [[1], [1]]
    assert {k: found[0][k] for k in lines[0]} == lines[0]
    assert "meta" not in found[1]


def test_broken_lines_are_named_and_the_others_scored() -> None:
    good = b'{"hands": "AhAd,KhKd", "board": "2c3c4c5d7s"}\n'
    data = good + b'\n[1]\n{"hands": \n' + good
    text, summary = to_text("-", stdin=data)
    errors = [json.loads(line)["error"] for line in text.splitlines()]
    assert errors[0] is errors[3] is None
    assert errors[1] == "line 3: the line is not JSON: it is not an object"
    assert errors[2].startswith("line 4: the line is not JSON")
    assert summary.failed == 2


def test_three_lines_with_a_duplicate_card_in_the_second() -> None:
    lines = ['{"board": "2c3c4c5d7s", "hands": "AhAd,KhKd"}', '{"board": "AhKhQh", "hands": "AsAs,2c2d"}']
    text, summary = to_text("-", stdin="\n".join([lines[0], lines[1], lines[0]]).encode())
    found = [json.loads(line) for line in text.splitlines()]
    assert [row["winners"] for row in found] == [[1], None, [1]]
    assert found[1]["error"].startswith("line 2: hands: hand 1: the card As is written twice")
    assert summary.failed == 1


CELLS = "board,hands,x\n2c3c4c5d7s,AhAd;KhKd,1\n"


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        (CELLS + "2c3c4c5d7s,AhAd,KhKd,1\n", {1: "the row has 4 cells for 3 columns"}),
        (CELLS + "2c3c4c5d7s\n2c3c4c5d7s,AhAd;KhKd,\n", {1: "hands is missing"}),
        (CELLS + "\n\n2c3c4c5d7s,AhAs;AhKd,1\n", {1: "row 2 (line 5): hands: hand 2: the card Ah"}),
        (CELLS + '"2c,3c\n4c5d7s",AhAd;KhKd,"a\n""b"\n2c3c4c5d7s,AxAd;KhKd,1', {2: "row 3 (line 6): hands"}),
        (CELLS.replace(",", "\t").replace("\n", "\r\n"), {}),
        (CELLS.replace(",", ";").replace("AhAd;KhKd", '"AhAd;KhKd"'), {}),
        ("\ufeff" + CELLS, {}),
        (CELLS.rstrip("\n"), {}),
    ],
)
def test_csv_of_every_kind(data: str, errors: dict[int, str]) -> None:
    text, summary = to_text("-", stdin=data.encode(), form="csv", output_format="ndjson")
    found = [json.loads(line) for line in text.splitlines()]
    assert found[0]["winners"] == [1]
    assert {i for i, row in enumerate(found) if row["error"]} == set(errors)
    assert all(part in found[i]["error"] for i, part in errors.items())
    assert summary.failed == len(errors)


def test_text_that_is_not_utf8_is_said() -> None:
    text, summary = to_text("-", stdin=CELLS.encode() + b"2c3c4c5d7s,AhAd;KhKd,\xff\n", form="csv")
    assert "the row is not UTF-8 text" in text
    assert summary.failed == 1


REFUSED = [
    ("x.csv", b"", "is empty"),
    ("x.csv", b"\n\n", "is empty"),
    ("x.csv", b"board,hands\n", "is empty: it has no rows"),
    ("x.csv", b"AhKhQh2c3c,JhTh;AdAc\n", "no column 'hands'"),
    ("x.csv", b"hands,HANDS\na,b\n", "two columns are 'hands'"),
    ("x.csv", b"hands,x,x\na,b,c\n", "the column 'x' twice"),
    ("x.csv", b"\x00\x01\x02\n", "not a table of text"),
    ("x.csv", b"hands\n" + b'"' + b"a" * (files.LONGEST_LINE + 10), "a quotation mark left open"),
    ("x.ndjson", b"", "is empty"),
    ("x.parquet", b"", "cannot be read as Parquet"),
    ("x.parquet", b"PAR1 not really", "cannot be read as Parquet"),
    ("x.phh", b"", "is empty"),
    ("x.doc", b"?", "does not tell its format"),
]


@pytest.mark.parametrize(("name", "data", "message"), REFUSED)
def test_unreadable_and_empty_input_is_an_error(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path, target = tmp_path / name, tmp_path / "out.csv"
    path.write_bytes(data)
    with pytest.raises(PotshareError, match=message):
        score([str(path)], str(target))
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_other_refusals(tmp_path: Path, table: Path) -> None:
    for paths, output, options, message in [
        ([], None, {}, "name a file"),
        (["nope.csv"], None, {}, "there is no file nope.csv"),
        ([str(table), str(FIXTURE)], None, {}, "scored apart"),
        ([str(table)], None, {"verify": True}, "for recorded hands"),
        ([str(table)], str(tmp_path), {}, "it is a folder"),
        ([str(table)], str(tmp_path / "no" / "x.csv"), {}, "cannot be written: No such file"),
        ([str(table)], str(tmp_path / "x.phh"), {}, "is a table, not a hand history"),
        ([str(table)], None, {"output_format": "parquet"}, "written to a file"),
        ([str(table)], None, {"game": "nothing"}, "there is no game"),
    ]:
        with pytest.raises(PotshareError, match=message):
            score(paths, output, stdout=io.BytesIO(), **options)


def test_strict_stops_and_leaves_nothing(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(StrictError, match="row 2"):
        score([str(table)], str(target), strict=True)
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_existing_output_is_replaced_and_keeps_its_mode(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    score([str(table)], str(link))
    assert link.is_symlink()
    assert target.read_text("utf-8").startswith("id,board")
    assert target.stat().st_mode & 0o777 == 0o640
    # The output may be the input.
    score([str(table)], str(table))
    assert table.read_text("utf-8") == target.read_text("utf-8")


def test_many_small_pieces_give_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["board,hands,pot,note"]
    for i in range(400):
        hands = "AhAd;KhKd" if i % 7 else "AhAd;AhKd"
        lines.append(f'2c3c4c5d7s,{hands},{i},"n{i}\n{"x" * (i % 50)}"')
    source = tmp_path / "in.csv"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    whole, summary = to_text(source)
    monkeypatch.setattr(files, "CSV_BYTES", 997)
    monkeypatch.setattr(files, "NDJSON_BYTES", 1009)
    monkeypatch.setattr(files, "PARQUET_ROWS", 37)
    for workers in (1, 3):
        again, other = to_text(source, workers=workers)
        assert again == whole
        assert (other.rows, other.failed) == (summary.rows, summary.failed) == (400, 58)
    for kind in ("ndjson", "parquet"):
        target = tmp_path / f"out.{kind}"
        score([str(source)], str(target), workers=2)
        assert [row["winners"] for row in rows_of(target)] == [[1] if i % 7 else None for i in range(400)]
        once_more, _ = to_text(target, output_format="csv")
        assert [r["payouts"] for r in csv.DictReader(io.StringIO(once_more))] == [
            f"{i};0" if i % 7 else "" for i in range(400)
        ]
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_several_files_and_a_folder(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("1.csv", "2.csv"):
        (folder / name).write_bytes(table.read_bytes())
    text, summary = to_text(folder)
    assert summary.rows == 6
    assert len(list(csv.reader(io.StringIO(text)))) == 7
    assert f"row 2 (line 3) of {folder / '2.csv'}" in text
    (folder / "3.csv").write_text("hands,other\nAhAd;KhKd,1\n")
    with pytest.raises(PotshareError, match="the columns change on the way"):
        to_text(folder)
    text, _ = to_text(folder, output_format="ndjson")
    assert len(text.splitlines()) == 7


def test_recorded_hands(tmp_path: Path) -> None:
    target = tmp_path / "out.ndjson"
    summary = score([str(FIXTURE)], str(target), verify=True)
    assert (summary.rows, summary.failed, summary.verified, summary.differ) == (11, 0, 11, 0)
    found = rows_of(target)
    assert [row["variant"] for row in found][:2] == ["FT", "NT"]
    assert all(sum(row["net"]) == 0 and row["verified"] for row in found)
    assert all("expected" not in row and "pots" not in row for row in found)
    score([str(FIXTURE)], str(target), words=True, pots=True, halves=True, ev=True)
    for row in rows_of(target):
        assert sum(sum(half["payouts"]) for half in row["pots"]) == sum(row["payouts"])
        assert sum(word is not None for word in row["words"]) >= 2
        assert row["expected"] is None or sum(row["expected"]) == pytest.approx(sum(row["payouts"]))
    wrong = tmp_path / "wrong.phhs"
    wrong.write_text(FIXTURE.read_text("utf-8").replace("stacks = [292,", "stacks = [290,") + "[12]\n")
    summary = score([str(wrong)], str(target), verify=True)
    assert (summary.rows, summary.failed, summary.verified, summary.differ) == (12, 1, 10, 1)
    assert "p1 292, recorded 290" in summary.first_difference
    assert "adds" not in summary.first_failure
    found = rows_of(target)
    assert found[0]["verified"] is False
    assert "the recorded stacks add up to 2 less" in found[0]["note"]
    assert "variant is missing" in found[11]["error"]
    text, _ = to_text("-", stdin=FIXTURE.read_bytes(), form="phh", output_format="csv")
    assert len(text.splitlines()) == 12


def test_hands_over_processes_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_FEW_HANDS", 1)
    monkeypatch.setattr(run, "PHH_HANDS", 4)
    one, _ = to_text(FIXTURE, workers=1, verify=True)
    many, _ = to_text(FIXTURE, workers=2, verify=True)
    assert many == one


def test_progress_is_told(table: Path) -> None:
    told: list[run.Progress] = []
    to_text(table, progress=told.append)
    assert told[-1].rows == 3
    assert told[-1].done == pytest.approx(1.0, abs=0.5)


# -- whole or not at all --------------------------------------------------------------------------------------------


def _large(path: Path, rows: int) -> None:
    columns = {"board": ["2c3c4c5d7s"] * rows, "hands": ["AhAd;KhKd"] * rows, "x": ["y" * 40] * rows}
    pl.DataFrame(columns).write_csv(path)


def _score_in_a_process(source: Path, target: Path, *, limit: int | None = None) -> subprocess.Popen[str]:
    def prepare() -> None:
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "potshare", "score", str(source), "-o", str(target), "--workers", "1"],
        stderr=subprocess.PIPE, text=True, preexec_fn=prepare, cwd="/",
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_full_disk_leaves_nothing(tmp_path: Path, kind: str) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out" / f"out.{kind}"
    target.parent.mkdir()
    target.write_text("old")
    _large(source, 20_000)
    process = _score_in_a_process(source, target, limit=100_000)
    error = process.communicate(timeout=100)[1]
    assert process.returncode == 2, error
    assert "cannot be written" in error
    assert "Traceback" not in error
    assert target.read_text() == "old"
    assert [p.name for p in target.parent.iterdir()] == [target.name]


def _open_in(folder: Path, process: int) -> bool:
    """Whether a process has a file of the folder open, with a name or without."""
    if not Path("/proc/self/fd").is_dir():
        return bool(list(folder.iterdir()))
    for link in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(link).startswith(f"{folder}/"):
                return True
    return False


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "in.fifo.csv", tmp_path / "out" / "out.csv"
    target.parent.mkdir()
    os.mkfifo(source)
    process = _score_in_a_process(source, target)
    try:
        with source.open("w") as pipe:
            # The file is open in the target's folder while more rows are awaited.
            pipe.write("board,hands\n" + "2c3c4c5d7s,AhAd;KhKd\n" * 10)
            pipe.flush()
            for _ in range(600):
                if _open_in(target.parent, process.pid):
                    break
                time.sleep(0.1)
            assert _open_in(target.parent, process.pid)
            assert not target.exists()
            # A signal that comes between Python's look for signals and the system call that waits is heard late.
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            error = process.communicate(timeout=60)[1]
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130, error
    assert list(target.parent.iterdir()) == []


# -- folders --------------------------------------------------------------------------------------------------------


def _partitioned(folder: Path, kind: str) -> None:
    # What other programs write: folders that name a column and its value, parts with numbers, files of their own.
    rows = {"holdem": ["AhAd;KhKd", "AhKd;AdKs"], "omaha8": ["AhAd2s3s;KhKd5s6s", "AhAd2s3s;AcAs2h3h"]}
    number = 0
    for game, hands in rows.items():
        for part in (1, 2, 10):
            here = folder / f"game={game}" / "note=a%20b%2Fc"
            here.mkdir(parents=True, exist_ok=True)
            frame = pl.DataFrame({"id": [number, number + 1], "board": ["2c3c4c5d7s"] * 2, "hands": hands})
            number += 2
            path = here / f"part.{part}.{kind}"
            match kind:
                case "parquet":
                    frame.write_parquet(path)
                case "csv":
                    frame.write_csv(path)
                case _:
                    frame.write_ndjson(path)
    (folder / "_metadata.parquet").write_bytes(b"nothing that can be read")
    (folder / "game=holdem" / ".part.1.parquet.csv").write_bytes(b"nor this")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "part.csv").write_bytes(b"nor this")


@pytest.mark.parametrize("kind", ["parquet", "csv", "ndjson"])
def test_partitioned_tables(kind: str, tmp_path: Path) -> None:
    _partitioned(tmp_path / "parts", kind)
    text, summary = to_text(tmp_path / "parts", output_format="ndjson")
    assert (summary.rows, summary.failed) == (12, 0)
    found = [json.loads(line) for line in text.splitlines()]
    # In the order of the numbers in the names, with the game of the folder.
    assert [int(row["id"]) for row in found] == list(range(12))
    assert [row["game"] for row in found] == ["holdem"] * 6 + ["omaha8"] * 6
    assert {row["note"] for row in found} == {"a b/c"}
    assert [row["winners"] for row in found] == [[1], [1, 2]] * 3 + [[1, 2], [1, 2]] * 3
    many, _ = to_text(tmp_path / "parts", output_format="ndjson", workers=3)
    assert many == text


def test_what_folders_say_and_what_a_file_says(tmp_path: Path) -> None:
    folder = tmp_path / "parts" / "game=razz" / "pot=__HIVE_DEFAULT_PARTITION__" / "nothing"
    folder.mkdir(parents=True)
    # The file has a column of its own, which counts.
    (folder / "part.csv").write_text("game,board,hands\nholdem,2c3c4c5d7s,AhAd;KhKd\n")
    text, _ = to_text(tmp_path / "parts")
    assert text.splitlines() == [
        "game,board,hands,pot,winners,shares,payouts,net,error", "holdem,2c3c4c5d7s,AhAd;KhKd,,1,1;0,,,",
    ]  # fmt: skip
    # What stands above the folder that was named says nothing.
    (folder / "part.csv").write_text("board,hands\n2c3c4c5d7s,AhAd;KhKd\n")
    assert to_text(folder)[0].splitlines()[1] == "2c3c4c5d7s,AhAd;KhKd,1,1;0,,,"


def test_an_empty_file_among_others(tmp_path: Path) -> None:
    paths = [tmp_path / f"{i}.csv" for i in range(4)]
    for path in paths:
        path.write_text("board,hands\n2c3c4c5d7s,AhAd;KhKd\n")
    assert to_text(*paths)[1].rows == 4
    for empty in paths:
        text = empty.read_text()
        empty.write_text("board,hands\n\n")
        for workers in (1, 2):
            with pytest.raises(PotshareError, match=f"{empty} is empty: it has no rows"):
                to_text(*paths, workers=workers)
        empty.write_text(text)

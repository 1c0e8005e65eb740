"""The `score` command: options, exit statuses, what goes to which stream."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from potshare import cli

FIXTURE = Path(__file__).with_name("hands.phhs")
GOOD = "board,hands,pot\n2c3c4c5d7s,AhAd;KhKd,100\n"


def ask(*arguments: str, stdin: str = "") -> Result:
    """Runs the command in this process."""
    return CliRunner().invoke(cli.cli, ["score", *arguments], input=stdin, standalone_mode=True)


def test_help_says_what_a_row_may_hold() -> None:
    found = ask("--help")
    assert found.exit_code == 0
    for word in ("hands", "board", "contributions", "folded", "button", "--verify", "--cluster", "Example:"):
        assert word in found.output


def test_standard_input_to_standard_output() -> None:
    found = ask("-", stdin=GOOD)
    assert found.exit_code == 0
    assert found.stdout == "board,hands,pot,winners,shares,payouts,net,error\n2c3c4c5d7s,AhAd;KhKd,100,1,1;0,100;0,,\n"
    assert found.stderr == ""


def test_bad_rows_are_counted_and_end_with_status_1() -> None:
    found = ask("-", "-f", "csv", stdin=GOOD + "2c3c4c5d7s,AhAd;AhKd,100\n")
    assert found.exit_code == 1
    assert found.stderr.startswith("1 of 2 rows could not be scored; the first is row 2 (line 3): hands: hand 2: the")
    strict = ask("-", "--strict", stdin=GOOD + "2c3c4c5d7s,AhAd;AhKd,100\n")
    assert strict.exit_code == 1
    assert "stopped at the first row that cannot be scored: row 2 (line 3)" in strict.stderr


def test_the_format_goes_where_no_name_tells_it(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(GOOD)
    assert json.loads(ask(str(table), "-f", "jsonl").stdout)["winners"] == [1]
    line = json.dumps({"board": "2c3c4c5d7s", "hands": ["AhAd", "KhKd"]})
    assert json.loads(ask("-", "--input-format", "ndjson", stdin=line).stdout)["shares"] == ["1", "0"]
    assert json.loads(ask("-", stdin=line).stdout)["shares"] == ["1", "0"]


def test_a_bad_question_ends_with_status_2() -> None:
    for arguments in (["nope.csv"], [], ["-", "-g", "nothing"], ["-", "--verify"]):
        assert ask(*arguments, stdin=GOOD).exit_code == 2
    assert ask("-", stdin="").exit_code == 2


def test_games_and_own_games(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('like = "holdem"\ntitle = "Mine"\n')
    assert ask("-", "-g", str(own), stdin=GOOD).exit_code == 0
    found = ask("-", "-g", "omaha8", "--halves", "--words", stdin="board,hands,pot\nKsQd9hTc2d,As2s3c4h;KdKhJdJc,101\n")
    assert "0;101" in found.stdout
    assert "straight, king high / no low" in found.stdout


def test_the_built_in_example() -> None:
    found = ask("--example", "--words", "--output-format", "ndjson")
    assert found.exit_code == 0
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [row["payouts"] for row in rows] == [[101, 101, 101], [60, 120, 20], [120, 0, 0], [800, 200, 200], [40, 0]]
    assert ask("--example", "x.csv").exit_code == 2


def test_verify_and_ev(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    found = ask(str(FIXTURE), "--verify", "-o", str(target), "--workers", "1")
    assert found.exit_code == 0
    assert found.stderr == "11 hands verified, 0 differ\n"
    wrong = tmp_path / "wrong.phhs"
    wrong.write_text(FIXTURE.read_text("utf-8").replace("finishing_stacks = [292,", "finishing_stacks = [290,"))
    found = ask(str(wrong), "--verify", "-o", str(target))
    assert found.exit_code == 1
    assert "10 hands verified, 1 differ; the first that differs is" in found.stderr


def test_the_whole_of_the_shared_hands(shared: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.ndjson"
    found = ask(str(shared / "phh"), "--verify", "-o", str(target))
    assert found.exit_code == 0
    assert found.stderr == "306 hands verified, 0 differ, 5 without finishing_stacks\n"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_help_imports_neither_polars_nor_numba() -> None:
    code = (
        "import sys; from potshare import cli\n"
        "try: cli.main(['score', '--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'polars', 'numba', 'numpy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd="/")
    assert done.returncode == 0, done.stderr

"""The command line: answers, formats, messages, exit statuses. Real processes where a process is the point."""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from potshare import cli

COMMAND = [sys.executable, "-W", "error", "-m", "potshare"]


def run(*arguments: str, status: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a process, away from the checkout."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=Path(__file__).anchor,
        env={**os.environ, **environment},
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def ask(*arguments: str, status: int = 0) -> tuple[str, str]:
    """Runs the program inside this process: standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    saved = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
    finally:
        sys.stdout, sys.stderr = saved
    assert ended.value.code == status, err.getvalue()
    return out.getvalue(), err.getvalue()


def ask_json(*arguments: str) -> Any:
    """The JSON that a command prints."""
    return json.loads(ask(*arguments, "-f", "json")[0])


def test_the_main_job() -> None:
    done = run("equity", "AcAs", "KhKd", "-f", "json")
    answer = json.loads(done.stdout)
    assert done.stderr == ""
    assert answer["schema"] == 1
    assert (answer["game"], answer["method"], answer["stop"]) == ("holdem", "exact", "complete")
    assert (answer["board"], answer["dead"], answer["seed"]) == ([], [], None)
    assert answer["deals"] == 1_712_304
    hero, villain = answer["players"]
    assert hero["counts"] == {"win": 1_388_072, "tie": 6_538, "lose": 317_694}
    assert villain["counts"] == {"win": 317_694, "tie": 6_538, "lose": 1_388_072}
    assert hero["equity"] == pytest.approx(0.8125549, abs=5e-8)
    assert hero["fraction"] == "1391341/1712304"
    assert (hero["stderr"], hero["hand"], hero["combos"]) == (0.0, "AcAs", 1)
    assert hero["halves"]["high"]["tie"] == hero["tie"]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["QQ+,AKs", "22+,A2s+,K9s+"], [0.710383, 0.289617]),
        (["AA", "KK"], [0.819461, 0.180539]),
        (["AA", "QQ", "AKo"], [0.761347, 0.187420, 0.051233]),
        (["AA", "QQ", "AKo", "-d", "AsTs"], [0.734955, 0.210303, 0.054743]),
        (["QhQs", "TT+"], [0.50012509, 0.49987491]),
        (["KcQc", "6c5c,AQo+"], [0.31375731, 0.68624269]),
        (["Ah2cKd9d", "Ac2dTh8h", "-g", "omaha8", "-b", "7d4c3hKsJh"], [0.75, 0.25]),
        (["5dQsQc7d", "KdKhAdKs", "-g", "omaha", "-b", "2d5cQhJs"], [0.875, 0.125]),
    ],
)
def test_exact_answers(arguments: list[str], wanted: list[float]) -> None:
    answer = ask_json("equity", *arguments)
    assert answer["method"] == "exact"
    assert [p["equity"] for p in answer["players"]] == pytest.approx(wanted, abs=6e-7)


def test_table_is_plain_in_a_pipe() -> None:
    out = run("equity", "AcAs", "KhKd").stdout
    lines = out.splitlines()
    assert lines[0].split() == ["Hand", "Equity", "Win", "Tie"]
    assert lines[1].split() == ["AcAs", "81.26%", "81.06%", "0.38%"]
    assert lines[3].startswith("holdem, exact by matchup-table, 1,712,304 deals")
    assert out.isascii()


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "utf-8"])
def test_any_console_can_print_it(encoding: str) -> None:
    out = run("equity", "AKs", ",".join(f"A{r}s" for r in "23456789T") + ",KQo", PYTHONIOENCODING=encoding).stdout
    assert "AKs" in out


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(ask("equity", "AcAs", "KhKd", "-f", "csv")[0])))
    assert [row["hand"] for row in rows] == ["AcAs", "KhKd"]
    assert float(rows[0]["equity"]) + float(rows[1]["equity"]) == 1.0


def test_sampled_answers_tell_their_error_and_seed() -> None:
    answer = ask_json("equity", "AsKs", "QQ", "random", "-m", "monte-carlo", "--deals", "20000", "--seed", "5")
    assert (answer["method"], answer["algorithm"], answer["seed"]) == ("monte-carlo", "monte-carlo", 5)
    assert (answer["stop"], answer["deals"]) == ("deals", 20_000)
    assert all(p["stderr"] > 0 and p["fraction"] is None for p in answer["players"])
    table = ask("equity", "AsKs", "QQ", "random", "-m", "monte-carlo", "--deals", "20000", "--seed", "5")[0]
    assert "Error" in table
    assert "seed 5, stopped by deals" in table


@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_seed_fixes_the_answer_for_any_number_of_threads(threads: str) -> None:
    question = ["equity", "AsKs", "random", "-m", "monte-carlo", "--deals", "100000", "--seed", "1"]
    answer = ask_json(*question, "--threads", threads)
    first = ask_json(*question)
    assert answer["players"] == first["players"]


BAD = [
    (["equity", "Ah1s", "KK"], ["'1'", "Ah1s\n", "^"]),
    (["equity", "6сTc", "KK"], ["U+0441", "position 2", "did you mean 'c'?"]),
    (["equity", "AhAh", "KK"], ["Ah", "twice"]),
    (["equity", "AhKh", "AhQh"], ["Ah", "hand 1", "hand 2"]),
    (["equity", "AhKh", "QQ", "-b", "AhTc2d"], ["Ah"]),
    (["equity", "AhKh", "QQ", "-b", "AcTc2d", "-d", "Tc"], ["Tc", "board", "dead"]),
    (["equity", "AhKh", "QQ", "-b", "AcTc2d3d4d5d"], ["6 cards", "at most 5"]),
    (["equity", "AhKh"], ["only one hand"]),
    (["equity", "AhKhQh", "AA"], ["AhKhQh"]),
    (["equity", "AA", ""], ["hand"]),
    (["equity", "AhAd", "AcAs", "AA"], ["no deal is possible"]),
    (["equity", "AA", "KK", "-d", "AsAhAd"], ["AA", "As"]),
    (["equity", *["random"] * 24], ["24 players", "23"]),
    (["equity", "AA", "KK", "-g", "holdm"], ["no game 'holdm'", "holdem"]),
    (["equity", "AA-QT", "KK"], ["AA-QT", "^"]),
    (["equity", "AA", "KK", "--deals", "0"], ["--deals"]),
    (["equity", "AA", "KK", "--stderr", "-1", "-m", "monte-carlo"], ["stderr", "greater than 0"]),
    (["equity", "AA", "KK", "--time", "nan", "-m", "monte-carlo"], ["time", "greater than 0"]),
    (["equity", "AA", "KK", "-m", "exact", "--deals", "10"], ["deals", "sampling"]),
    (["equity", "AA", "KK", "-f", "xml"], ["'xml'", "table"]),
    (["equity", "AhAd", "KK", "-g", "short-deck", "-b", "5c6c7c"], ["5c", "short-deck"]),
    (["equity", "AA", "KK", "-b", "Zz"], ["Z"]),
    (["evaluate", "AhKhZz"], ["Z", "^"]),
    (["evaluate", "AhAhKd2c3c"], ["Ah", "twice"]),
    (["evaluate", "Ah2h", "Ah3h", "-g", "holdem"], ["Ah", "hand 1", "hand 2"]),
    (["evaluate", "AhKhQh", "-r", "hihg"], ["no ranking 'hihg'", "high"]),
    (["evaluate", "Ah2h3h4h5h6h7h8h"], ["8"]),
    (["evaluate", "AhKh", "-r", "high", "-g", "holdem"], ["not both"]),
    (["evaluat", "AhKh"], ["no command 'evaluat'", "did you mean 'evaluate'"]),
    (["equity", "AA", "KK", "--treads", "2"], ["--treads", "--threads"]),
]


@pytest.mark.parametrize(("arguments", "parts"), BAD, ids=[" ".join(a)[:40] for a, _ in BAD])
def test_a_bad_question_gets_one_clear_message(arguments: list[str], parts: list[str]) -> None:
    out, err = ask(*arguments, status=2)
    assert out == ""
    assert "Traceback" not in err
    for part in parts:
        assert part in err, err


def test_ten_may_be_written_10() -> None:
    one = ask_json("equity", "10h9h", "AA")
    two = ask_json("equity", "Th9h", "AA")
    assert [p["counts"] for p in one["players"]] == [p["counts"] for p in two["players"]]


def test_no_arguments_show_usage() -> None:
    assert run("equity", status=2).stdout == ""
    assert "Usage" in run("--help").stdout
    assert "Usage" in run("equity", "--help").stdout


@pytest.mark.parametrize("command", sorted(cli.cli.commands))
def test_every_command_has_help_with_an_example_that_works(command: str) -> None:
    result = CliRunner().invoke(cli.cli, [command, "--help"])
    assert result.exit_code == 0
    example = shlex.split(next(line for line in result.output.splitlines() if "Example:" in line).split("Example:")[1])
    assert example[0] == "potshare"
    if command in ("warm", "bench", "selfcheck", "merge"):
        return  # these take long, or need files, and have tests of their own
    run(*example[1:])


def test_version() -> None:
    from potshare import __version__

    assert __version__ in run("--version").stdout


def test_evaluate_as_json() -> None:
    answer = ask_json("evaluate", "Ad9c", "6cQs", "-g", "holdem", "-b", "2d3d4d5dKh")
    (half,) = answer["halves"]
    assert [hand["category"] for hand in half["hands"]] == ["straight flush", "straight"]
    assert half["winners"] == [0]
    assert half["tie"] is False
    assert half["hands"][0]["best"] == ["5d", "4d", "3d", "2d", "Ad"]


def test_help_imports_no_numba() -> None:
    code = (
        "import sys\n"
        "from potshare import cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "bad = {'numba', 'numpy', 'rich', 'polars'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd="/")


def test_closed_pipe_is_quiet() -> None:
    process = subprocess.Popen(
        [*COMMAND, "equity", "AA", "KK", "-f", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/"
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err


def interrupted(*arguments: str) -> tuple[str, str, float]:
    """Stops a question with Ctrl-C once it has worked for a while: what it prints, and how long it went on.

    Times are seconds of the processor, so that a loaded machine changes nothing.
    """
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/"
    )

    def used() -> float:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ended() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    try:
        before = ended()
        while process.poll() is None and used() < 4.0:  # loading takes one
            time.sleep(0.05)
        asked = used()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    return out, err, ended() - before - asked


@pytest.mark.skipif(sys.platform != "linux", reason="reads the processor time of another process")
def test_ctrl_c_prints_what_is_known() -> None:
    run("equity", "AsKs", "random", "random", "--deals", "1000")  # compile first
    question = ["equity", "AsKs", "random", "random", "--threads", "1", "--stderr", "1e-7", "--time", "600"]
    out, _, late = interrupted(*question, "-f", "json")
    assert late < 1.0  # half a second, and the end of the process
    answer = json.loads(out)
    assert answer["stop"] == "interrupted"
    assert answer["deals"] > 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads the processor time of another process")
def test_ctrl_c_ends_an_exact_question() -> None:
    run("equity", "AA", "KK", "QQ", "-m", "exact")  # compile first
    out, err, late = interrupted("equity", "random", "random", "AA", "-m", "exact", "--threads", "1")
    assert (out, err.strip()) == ("", "interrupted")
    assert late < 1.0


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["equi"], ["equity"]),
        (["equity", "-g", "omaha"], ["omaha", "omaha5", "omaha6", "omaha6-8", "omaha8"]),
        (["games", "raz"], ["razz"]),
        (["evaluate", "-r", "badu"], ["badugi"]),
        (["draw", "--policy", "p"], ["pat"]),
        (["equity", "--run"], ["--runouts"]),
    ],
)
def test_completion(words: list[str], wanted: list[str]) -> None:
    shown = run(
        _POTSHARE_COMPLETE="bash_complete", COMP_WORDS=" ".join(["potshare", *words]), COMP_CWORD=str(len(words))
    ).stdout
    assert [line.partition(",")[2] for line in shown.splitlines()] == wanted


def test_errors_have_one_voice() -> None:
    for arguments in (["equity", "AA", "KK", "--treads", "2"], ["equity", "AA", "KK", "-f", "xml"], ["equity"]):
        err = ask(*arguments, status=2)[1]
        assert err.startswith("Error: ")
        assert not err[7].isupper()
        assert err.splitlines()[-1] == "see potshare equity --help"


def test_a_preflop_question_loads_no_compiler() -> None:
    code = (
        "import sys, potshare\n"
        "assert potshare.equity('AcAs', 'KhKd').players[0].counts['win'] == 1388072\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd="/")


@pytest.mark.parametrize("picture", ["--categories", "--runouts", "--grid", "--streets"])
@pytest.mark.parametrize("encoding", ["ascii", "cp437", "utf-8"])
def test_pictures_can_be_printed_anywhere(picture: str, encoding: str) -> None:
    out = run("equity", "AhKh", "QcQd", "-b", "Qh7h2c", picture, PYTHONIOENCODING=encoding, COLUMNS="40").stdout
    assert out.isascii()
    assert "\x1b" not in out

"""Scoring and sampling on dask.distributed: the answers of one process, also when workers are killed on the way.

Real clusters, each in a process of its own: dask starts its workers anew from the main module.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

import potshare as ps
from potshare import cli
from potshare.errors import PotshareError
from potshare.simulate.scoring.run import score

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs dask.distributed")

TABLE = ("AhAd;KhKd", "QhQd;KhKd", "AhAd;AhKd", "6h6d;6c6s")


def table(path: Path, rows: int) -> Path:
    """A CSV file in which every fourth row cannot be scored."""
    lines = ["board,hands,pot"] + [f"2c3c4c5d7s,{TABLE[i % 4]},{i}" for i in range(rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def run(script: str, folder: Path, *arguments: str) -> str:
    """What a script prints, in a session of its own; it must be quiet otherwise."""
    file = folder / "script.py"
    file.write_text(script)
    process = subprocess.Popen(
        [sys.executable, "-W", "error::ResourceWarning", str(file), *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True,
    )  # fmt: skip
    try:
        out, said = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, said = process.communicate()
        raise AssertionError(f"it takes too long: {out} {said}") from None
    assert process.returncode == 0, said
    assert said == ""
    return out


# -- without a cluster ----------------------------------------------------------------------------------------------


def test_without_the_extra_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PotshareError, match=r"pip install 'potshare\[cluster\]'"):
        score([table(tmp_path / "t.csv", 3)], stdout=io.BytesIO(), cluster="local")
    with pytest.raises(PotshareError, match=r"pip install 'potshare\[cluster\]'"):
        ps.equity("AhKh", "random", "random", method="monte-carlo", deals=10, cluster="local")


def test_what_is_counted_needs_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert ps.equity("AcAs", "KhKd", cluster="local").method == "exact"
    with pytest.raises(PotshareError, match="a cluster is for sampling"):
        ps.equity("AcAs", "KhKd", method="exact", cluster="local")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AcAs", "KhKd", "-m", "exact"], "a cluster is for sampling; leave it out, or leave out the method exact"),
        (["AcAs", "KhKd", "-b", "Th9h2c", "--runouts", "--streets"], "leave out --runouts and --streets"),
        (["--stream"], "--stream answers on this machine; leave out --cluster"),
    ],
)
def test_options_that_a_cluster_has_nothing_to_do_with(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(cli.cli, ["equity", *arguments, "--cluster", "local"])
    assert done.exit_code == 2
    assert message in done.output


@needs_dask
def test_something_else_than_a_cluster() -> None:
    with pytest.raises(PotshareError, match="a cluster is an address, 'local' or a dask Client, not 7"):
        ps.equity("AhKh", "random", "random", method="monte-carlo", deals=10, cluster=7)


@needs_dask
@pytest.mark.parametrize("address", ["nowhere", "http://x", "tcp://127.0.0.1:1"])
def test_nobody_answers(address: str) -> None:
    arguments = ["equity", "AhKh", "random", "random", "-m", "monte-carlo", "--cluster", address]
    done = subprocess.run(
        [sys.executable, "-m", "potshare", *arguments], capture_output=True, text=True, timeout=120, cwd="/",
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: no cluster answers at '{address}': ")
    assert done.stderr.count("\n") == 1


# -- the same answers -----------------------------------------------------------------------------------------------

SAME = """
import io, os, signal, sys
from pathlib import Path
import polars as pl
import potshare as ps
from potshare.simulate import cluster as here
from potshare.simulate.scoring import files, run
from distributed import Client, LocalCluster

def killer(client, number):
    # As soon as the first answer is here, workers die in the middle of their work.
    client.wait_for_workers(1, timeout=100)
    killed = []
    def kill(progress):
        if number and not killed:
            killed.extend(alive(client)[:number])
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
    return kill, killed

def alive(client):
    return list(client.run(os.getpid, on_error="ignore").values())

def fails(ask, *parts):
    try:
        ask()
    except ps.PotshareError as error:
        assert all(part in str(error) for part in parts), error
    else:
        raise AssertionError(parts)

def scoring(client, source, number, **options):
    one, many = io.BytesIO(), io.BytesIO()
    alone = run.score([source], stdout=one, **options)
    kill, killed = killer(client, number)
    spread = run.score([source], stdout=many, cluster=client, progress=kill, **options)
    assert bool(killed) == bool(number) and not set(killed) & set(alive(client))
    assert many.getvalue() == one.getvalue()
    assert (spread.rows, spread.failed, spread.first_failure) == (alone.rows, alone.failed, alone.first_failure)
    print("rows", spread.rows, spread.failed)

def sampling(client, number, *hands, **options):
    alone = ps.equity(*hands, seed=5, method="monte-carlo", **options)
    kill, killed = killer(client, number)
    spread = ps.equity(*hands, seed=5, method="monte-carlo", cluster=client, progress=kill, **options)
    assert bool(killed) == bool(number)
    assert (spread.tally == alone.tally).all()
    mine, other = spread.to_dict(), alone.to_dict()
    for answer in (mine, other):
        del answer["seconds"], answer["rate"]
    assert mine == other
    print(spread.game, spread.stop)

def block():
    # Nothing of the package was loaded so far.
    sys.modules["potshare"] = None

def unblock():
    del sys.modules["potshare"]

def main():
    files.CSV_BYTES = 2000
    quiet = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": 60}
    with LocalCluster(n_workers=2, **quiet) as local:
        with Client(local) as client:
            ask = lambda: ps.equity("AhKh", "random", method="monte-carlo", deals=10, cluster=client)
            client.run(block)
            fails(ask, "the workers of the cluster at the client's scheduler lack something", ps.__version__)
            client.run(unblock)
            here.__version__ = "0.0.7"
            fails(ask, "a worker of the cluster has potshare " + ps.__version__, "this is 0.0.7")
            here.__version__ = ps.__version__
            scoring(client, sys.argv[1], 1)
            # All at once: nobody is left who knows the question.
            sampling(client, 9, "AhKh", "QQ+,AK", "random", deals=60_000_001)
            sampling(client, 0, "As2s3d", "random", "random", game="razz", stderr=0.0003)
            sampling(client, 0, "2s3s4d7c", "random", game="triple-draw", deals=70_000, first_block=3)
            folder = Path("parts")
            for game in ("holdem", "omaha"):
                (folder / f"game={game}").mkdir(parents=True)
                for part in range(12):
                    hands = ["AhAd;KhKd"] if game == "holdem" else ["AhAd2s3s;KhKd5s6s"]
                    frame = pl.DataFrame({"board": ["2c3c4c5d7s"] * 50, "hands": hands * 50, "id": range(50)})
                    frame.write_parquet(folder / f"game={game}" / f"part.{part}.parquet")
            scoring(client, str(folder), 0, output_format="ndjson")
    with LocalCluster(n_workers=0, **quiet) as local, Client(local) as client:
        here.PATIENCE_SECONDS = here._LOOK_SECONDS = 0.3
        ask = lambda: ps.equity("AhKh", "random", method="monte-carlo", deals=10, cluster=client)
        fails(ask, "has had no worker")

if __name__ == "__main__":
    main()
"""


@needs_dask
def test_killed_workers_change_nothing(tmp_path: Path) -> None:
    said = run(SAME, tmp_path, str(table(tmp_path / "t.csv", 4_000)))
    assert said.splitlines() == [
        "rows 4000 1000", "holdem deals", "razz stderr", "triple-draw deals", "rows 1200 0",
    ]  # fmt: skip


PRESSED = """
import os, signal
import potshare as ps

def main():
    pressed = []
    def press(report):
        # A terminal sends it to all processes of the program.
        if not pressed:
            pressed.append(report.deals)
            os.killpg(0, signal.SIGINT)
    hands = "AhKh", "random", "random"
    try:
        ps.equity(*hands, seed=3, stderr=1e-9, time=100, cluster="local", threads=2, progress=press)
    except ps.Interrupted as early:
        found = early.answer
    assert found.stop == "interrupted" and 0 < pressed[0] <= found.deals
    again = ps.equity(*hands, seed=3, deals=found.deals)
    assert (again.tally == found.tally).all()
    print(found.stop)

if __name__ == "__main__":
    main()
"""


@needs_dask
def test_ctrl_c_keeps_what_was_sampled_and_is_quiet(tmp_path: Path) -> None:
    assert run(PRESSED, tmp_path) == "interrupted\n"


@needs_dask
def test_a_script_without_a_guard_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import potshare as ps\n"
        "ps.equity('AhKh', 'random', method='monte-carlo', deals=10, cluster='local', threads=1)\n"
    )  # fmt: skip
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 1
    assert 'needs the guard if __name__ == "__main__":' in done.stderr


@needs_dask
def test_a_local_cluster_on_the_command_line(tmp_path: Path) -> None:
    def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "potshare", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=240, cwd="/")

    target = tmp_path / "out.parquet"
    done = ask("score", str(table(tmp_path / "t.csv", 100)), "-o", str(target), "--cluster", "local", "--workers", "1")
    assert done.returncode == 1, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.parquet", "t.csv"]
    assert "25 of 100 rows could not be scored" in done.stderr
    question = [
        "equity",
        "AhKh",
        "QQ+",
        "random",
        "-m",
        "monte-carlo",
        "--seed",
        "1",
        "--stderr",
        "0.0002",
        "-f",
        "json",
    ]
    there, here = ask(*question, "--cluster", "local", "--threads", "2"), ask(*question)
    assert (there.stderr, here.stderr) == ("", "")
    answers = [json.loads(done.stdout) for done in (there, here)]
    for answer in answers:
        del answer["seconds"], answer["rate"]
    assert answers[0] == answers[1]

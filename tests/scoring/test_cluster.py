"""Scoring on dask.distributed: the same answers as one process, also when a worker is killed on the way."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from potshare.errors import PotshareError
from potshare.simulate.scoring.run import score


def _table(path: Path, rows: int) -> None:
    lines = ["board,hands,pot"]
    hands = ("AhAd;KhKd", "QhQd;KhKd", "AhAd;AhKd", "6h6d;6c6s")
    lines += [f"2c3c4c5d7s,{hands[i % 4]},{i}" for i in range(rows)]
    path.write_text("\n".join(lines) + "\n")


def test_without_the_extra_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    table = tmp_path / "t.csv"
    _table(table, 3)
    with pytest.raises(PotshareError, match=r"pip install 'potshare\[cluster\]'"):
        score([str(table)], stdout=io.BytesIO(), cluster="local")


SCRIPT = """
import io, os, signal, sys, warnings
from potshare.simulate.scoring import files, run

def main():
    source = sys.argv[1]
    files.CSV_BYTES = 2000
    one = io.BytesIO()
    alone = run.score([source], stdout=one)
    many = io.BytesIO()
    killed = []
    def kill(progress):
        # The first answer is here: one of the workers dies in the middle of its work.
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            spread = run.score([source], stdout=many, cluster=client, progress=kill)
            assert killed and killed[0] not in client.run(os.getpid).values()
    assert many.getvalue() == one.getvalue()
    assert (spread.rows, spread.failed, spread.first_failure) == (alone.rows, alone.failed, alone.first_failure)
    print("same", spread.rows, spread.failed)

if __name__ == "__main__":
    main()
"""


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    table, script = tmp_path / "t.csv", tmp_path / "spread.py"
    _table(table, 4_000)
    script.write_text(SCRIPT)
    # A process of its own: dask starts its workers anew from the main module, and warns about what it likes.
    done = subprocess.run(
        [sys.executable, str(script), str(table)], capture_output=True, text=True, timeout=120, cwd=tmp_path,
        env={**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["same", "4000", "1000"]


def test_a_local_cluster_by_name(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    table, target = tmp_path / "t.csv", tmp_path / "out.parquet"
    _table(table, 100)
    options = ["-o", str(target), "--cluster", "local", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "potshare", "score", str(table), *options], capture_output=True, text=True, timeout=120,
        cwd="/",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert target.exists()
    assert "25 of 100 rows could not be scored" in done.stderr

"""Outputs that appear whole or not at all: with and without names on the way, killed, over files, links and devices."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from potshare.errors import PotshareError
from potshare.simulate import output
from potshare.simulate.output import Target
from potshare.simulate.scoring import files
from potshare.simulate.scoring.run import score

needs_nameless = pytest.mark.skipif(not output.nameless(), reason="files without a name need Linux")


@pytest.fixture(params=["nameless", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to write a file; without /proc or O_TMPFILE it has a name."""
    if request.param == "named":
        for module in (output, files):
            monkeypatch.setattr(module, "nameless", lambda: False)
    elif not output.nameless():
        pytest.skip("files without a name need Linux")
    return request.param


def test_a_new_file_appears_at_the_end(way: str, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    before = os.umask(0o027)
    try:
        with Target(path) as target:
            target.file.write(b"one")
            assert not path.exists()
            assert bool(list(tmp_path.iterdir())) == (way == "named")
    finally:
        os.umask(before)
    assert [file.name for file in tmp_path.iterdir()] == ["out.txt"]
    assert path.read_bytes() == b"one"
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_old_file_is_replaced_at_the_end_and_keeps_its_mode(way: str, tmp_path: Path) -> None:
    path, link = tmp_path / "out.txt", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o604)
    link.symlink_to(path.name)
    number = path.stat().st_ino
    with Target(str(link)) as target:
        target.file.write(b"new")
        assert path.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "out.txt"]
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o604
    assert path.stat().st_ino != number


def test_a_name_as_long_as_names_may_be(way: str, tmp_path: Path) -> None:
    path = tmp_path / ("x" * 251 + ".txt")
    for text in (b"one", b"two"):
        with Target(path) as target:
            target.file.write(text)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {path.name: b"two"}


@pytest.mark.parametrize("old", [None, b"old"])
def test_an_exception_leaves_what_was_there(way: str, old: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    if old is not None:
        path.write_bytes(old)

    def fail() -> None:
        with Target(path) as target:
            target.file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == ({"out.txt": old} if old else {})


def test_a_file_that_comes_in_between_is_replaced(way: str, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with Target(path) as target:
        target.file.write(b"mine")
        path.write_bytes(b"another's")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"out.txt": b"mine"}


def test_what_cannot_be_written_is_said(way: str, tmp_path: Path) -> None:
    with pytest.raises(PotshareError, match="cannot be written: it is a folder"):
        Target(tmp_path)
    with (
        pytest.raises(PotshareError, match=r"none/out\.txt cannot be written: No such file"),
        Target(tmp_path / "none/out.txt"),
    ):
        pass
    with Target(os.devnull) as target:
        target.file.write(b"gone")
        assert target.beside == os.devnull
    assert not Path(os.devnull).is_file()


def test_a_file_system_without_nameless_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As NFS and FAT do.
    make = os.open

    def refuse(path: str, flags: int, *more: int, **named: int) -> int:
        if flags & getattr(os, "O_TMPFILE", 0) == getattr(os, "O_TMPFILE", -1):
            raise OSError(95, "Operation not supported")
        return make(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refuse)
    with Target(tmp_path / "out.txt") as target:
        target.file.write(b"one")
        assert len(list(tmp_path.iterdir())) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["out.txt"]


@pytest.mark.parametrize("most", [1, 2, 100])
def test_parquet_from_any_number_of_parts(way: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_OPEN_PARTS", most)
    monkeypatch.setattr(files, "CSV_BYTES", 200)
    source, target = tmp_path / "in.csv", tmp_path / "out.parquet"
    rows = [f"2c7h9dJsKc,AhAd;QsQd,{i}" for i in range(100)]
    source.write_text("\n".join(["board,hands,pot", *rows]) + "\n")
    assert score(source, target).rows == 100
    found = pl.read_parquet(target)
    assert found["pot"].to_list() == [str(i) for i in range(100)]
    assert found["payouts"].to_list() == [[i, 0] for i in range(100)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.csv", "out.parquet"]


# -- killed ---------------------------------------------------------------------------------------------------------

WRITER = """
import sys, time
import polars as pl
from potshare.simulate.output import Target
from potshare.simulate.scoring.files import Sink
path = sys.argv[1]
kind = path.rpartition(".")[2]
with Target(path) as target:
    sink = Sink(kind, target.file, target.beside, path)
    frame = pl.DataFrame({"a": range(1000)})
    for _ in range(3):
        sink.put(frame if kind == "parquet" else b"row" * 100_000)
    target.file.flush()
    print("written", flush=True)
    time.sleep(60)
"""


@needs_nameless
@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_process_killed_while_it_writes_leaves_nothing(kind: str, old: str | None, tmp_path: Path) -> None:
    path = tmp_path / f"out.{kind}"
    if old:
        path.write_text(old)
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd="/")
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"written\n"
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == ({path.name: old} if old else {})


@needs_nameless
def test_a_process_killed_at_any_moment_leaves_all_or_nothing(tmp_path: Path) -> None:
    # Many small outputs, one after the other, until the process is killed: each is whole.
    code = (
        "import itertools, sys\n"
        "from potshare.simulate.output import Target\n"
        "print('ready', flush=True)\n"
        "for i in itertools.count():\n"
        "    with Target(f'{sys.argv[1]}/{i}.txt') as target:\n"
        "        target.file.write(b'x' * 5000)\n"
    )
    for delay in (0.02, 0.05, 0.11):
        folder = tmp_path / str(delay)
        folder.mkdir()
        process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, cwd="/")
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        found = list(folder.iterdir())
        assert all(file.suffix == ".txt" and file.stat().st_size == 5000 for file in found), found
        names = {int(file.stem) for file in found}
        assert names == set(range(len(names)))

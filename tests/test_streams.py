"""Reading part by part: the same bytes and lines as Python's own reading, and never more waiting than for one part."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from potshare.simulate import streams


class Parts:
    """A pipe that gives what it has, and that nobody may ask for more than one part at a time."""

    def __init__(self, parts: list[bytes]) -> None:
        self.parts = [part for part in parts if part]
        self.asked = 0

    def read1(self, size: int) -> bytes:
        self.asked += 1
        if not self.parts:
            return b""
        first = self.parts[0]
        self.parts[0] = first[size:]
        if not self.parts[0]:
            self.parts.pop(0)
        return first[:size]


some_parts = st.lists(st.text(alphabet="ab\n\r", max_size=12).map(str.encode), max_size=12)


@given(some_parts)
@settings(deadline=None)
def test_lines_are_those_of_python(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    assert list(streams.lines(Parts(parts))) == list(io.BytesIO(whole))  # type: ignore[arg-type]
    assert list(streams.lines(io.BytesIO(whole))) == list(io.BytesIO(whole))


@given(some_parts, st.integers(1, 10))
@settings(deadline=None)
def test_long_lines_come_in_parts(parts: list[bytes], most: int) -> None:
    found = list(streams.lines(Parts(parts), most))  # type: ignore[arg-type]
    assert b"".join(found) == b"".join(parts)
    assert all(part and b"\n" not in part[:-1] for part in found)
    # A part without an end of line has at least so many bytes, but for the last of all.
    assert all(part.endswith(b"\n") or len(part) >= most for part in found[:-1])


@given(some_parts, st.integers(0, 200) | st.none())
@settings(deadline=None)
def test_read_is_that_of_python(parts: list[bytes], size: int | None) -> None:
    whole = b"".join(parts)
    assert streams.read(Parts(parts), size) == io.BytesIO(whole).read(-1 if size is None else size)  # type: ignore[arg-type]


def test_a_line_is_given_before_the_next_part_is_asked_for() -> None:
    pipe = Parts([b"one\ntwo\nth", b"ree\n"])
    found = streams.lines(pipe)  # type: ignore[arg-type]
    assert (next(found), next(found), pipe.asked) == (b"one\n", b"two\n", 1)
    assert (next(found), pipe.asked) == (b"three\n", 2)


HANDS = Path(__file__).with_name("scoring") / "hands.phhs"
WAITING = {
    "rows": (["score", "-", "-f", "csv"], b"board,hands\n2c3c4c5d7s,AhAd;KhKd\n2c3c4c5d7s,Ah"),
    "sniffed": (["score", "-"], b"board,hands\n2c3c4c5d7s,AhAd;KhKd\n"),
    "hands": (["score", "-", "-f", "phh"], HANDS.read_bytes()[:3000]),
    "parquet": (["score", "-", "-f", "parquet"], b"PAR1" + bytes(1000)),
    "questions": (["equity", "--stream"], b'{"hands": ["AcAs", "KhKd"]}\n{"hands": ["Ac'),
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", WAITING)
def test_ctrl_c_while_more_is_awaited(name: str) -> None:
    arguments, begun = WAITING[name]
    process = subprocess.Popen(
        [sys.executable, "-m", "potshare", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd="/",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        for part in (begun[: len(begun) // 2], begun[len(begun) // 2 :]):
            process.stdin.write(part)
            process.stdin.flush()
            time.sleep(0.3)
        _until_it_waits(process)
        process.send_signal(signal.SIGINT)
        # The pipe stays open: nothing but the signal ends it.
        assert process.wait(timeout=60) == 130, process.stderr.read()
        assert process.stderr.read().strip() == b"interrupted"
    finally:
        process.kill()
        process.communicate()


def _until_it_waits(process: subprocess.Popen[bytes]) -> None:
    state = Path(f"/proc/{process.pid}/wchan")
    for _ in range(600):
        if not state.exists():
            time.sleep(5)
            return
        if "pipe" in state.read_text():
            break
        time.sleep(0.1)
    # A signal between Python's look for signals and the system call that waits is heard late.
    time.sleep(0.3)


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors of POSIX")
@pytest.mark.parametrize("arguments", [["score", "-"], ["score", "--example"], ["equity", "--stream"]])
def test_without_standard_input(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "potshare", *arguments], preexec_fn=lambda: os.close(0), capture_output=True, cwd="/",
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert done.returncode == (2 if arguments[-1] == "-" else 0), done.stderr
    assert (b"is empty" in done.stderr) == (arguments[-1] == "-")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("delay", [0.0, 1.5])
def test_ctrl_c_of_a_terminal_with_processes(delay: float, tmp_path: Path) -> None:
    # Every process of the program gets the signal; one voice answers, and nobody is left.
    source = tmp_path / "many.phhs"
    hands = HANDS.read_text("utf-8")
    head, _, rest = hands.partition("[1]")
    parts = re.split(r"(?m)^\[\d+\]\n", rest)[1:]
    with source.open("w") as file:
        file.write(head)
        file.writelines(f"[{i}]\n{parts[i % len(parts)]}" for i in range(20_000))
    process = subprocess.Popen(
        [sys.executable, "-m", "potshare", "score", str(source), "-o", str(tmp_path / "out.csv"), "--workers", "2"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(600):
            if len(_session(process.pid)) > 2:
                break
            time.sleep(0.1)
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        out, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, out, said.strip()) == (130, b"", b"interrupted")
    assert [file.name for file in tmp_path.iterdir()] == ["many.phhs"]
    for _ in range(100):
        if not _session(process.pid):
            break
        time.sleep(0.1)
    assert not _session(process.pid)


def _session(leader: int) -> list[str]:
    # The processes of a session that have not ended.
    listed = subprocess.run(["ps", "-o", "pid=,stat=", "-s", str(leader)], capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if " Z" not in line]

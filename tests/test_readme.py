"""Every command and example of the README is run, and what it prints is what the README shows (times apart).

`python tests/test_readme.py` writes what the commands print now into the README.
"""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
DURATION = re.compile(r"\d+\.\d+ (ms|s)\b")


def printed(command: str) -> str:
    """What a command line prints, errors included."""
    assert command.startswith("$ potshare ")
    arguments = [sys.executable, "-m", "potshare", *shlex.split(command)[2:]]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd="/")
    return done.stdout + done.stderr


@pytest.mark.parametrize("block", CONSOLE, ids=[block.splitlines()[0][2:60] for block in CONSOLE])
def test_console_block(block: str) -> None:
    command, _, wanted = block.partition("\n")
    assert DURATION.sub("TIME", printed(command)).rstrip() == DURATION.sub("TIME", wanted).rstrip()


def test_python_blocks() -> None:
    assert PYTHON
    for block in PYTHON:
        parsed = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
        assert parsed.examples
        runner = doctest.DocTestRunner()
        runner.run(parsed)
        assert runner.failures == 0


def test_commands_are_those_of_ci() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "python -m pytest -n 2" in README
    assert "python -m pytest -n 2" in ci


if __name__ == "__main__":
    for old in CONSOLE:
        first = old.splitlines()[0]
        printed(first)  # once to compile, once to show
        README = README.replace(old, f"{first}\n{printed(first).rstrip()}\n")
    (ROOT / "README.md").write_text(README, "utf-8")

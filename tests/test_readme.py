"""Every command and example of the README and of docs/ is run, and what it prints is what the page shows (times apart).

What a page shows with `cat NAME` is a file for its other commands. `python tests/test_readme.py [PAGE...]` writes what
the commands print now into the pages.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text("utf-8")
CONSOLE_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
CONSOLE = [(page, block) for page in PAGES for block in CONSOLE_BLOCK.findall(page.read_text("utf-8"))]
PYTHON = [(page, "".join(blocks)) for page in PAGES if (blocks := PYTHON_BLOCK.findall(page.read_text("utf-8")))]
DURATION = re.compile(r"\d+\.\d+ (ms|s|M deals/s)\b")


def put_files(page: str, folder: Path) -> None:
    """Writes the files that the text of a page shows."""
    for block in CONSOLE_BLOCK.findall(page):
        command, _, content = block.partition("\n")
        if command.startswith("$ cat "):
            (folder / command.removeprefix("$ cat ")).write_text(content, "utf-8")


def printed(command: str, folder: Path) -> str:
    """What a command line prints in a folder, errors included."""
    if command.startswith("$ cat "):
        return (folder / command.removeprefix("$ cat ")).read_text("utf-8")
    assert command.startswith("$ potshare ")
    arguments, _, source = command.partition(" < ")
    text = (folder / source).read_text("utf-8") if source else ""
    line = [sys.executable, "-m", "potshare", *shlex.split(arguments)[2:]]
    done = subprocess.run(line, input=text, capture_output=True, text=True, cwd=folder)
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("page", "block"), CONSOLE, ids=[f"{page.stem}: {block.splitlines()[0][11:60]}" for page, block in CONSOLE]
)
def test_console_block(page: Path, block: str, tmp_path: Path) -> None:
    command, _, wanted = block.partition("\n")
    put_files(page.read_text("utf-8"), tmp_path)
    assert DURATION.sub("TIME", printed(command, tmp_path)).rstrip() == DURATION.sub("TIME", wanted).rstrip()


@pytest.mark.parametrize(("page", "blocks"), PYTHON, ids=[page.stem for page, _ in PYTHON])
def test_python_blocks(page: Path, blocks: str) -> None:
    # The blocks of a page are one session.
    parsed = doctest.DocTestParser().get_doctest(blocks, {}, page.stem, page.name, 0)
    assert parsed.examples
    runner = doctest.DocTestRunner()
    runner.run(parsed)
    assert runner.failures == 0


def test_commands_are_those_of_ci() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "python -m pytest -n 2" in README
    assert "python -m pytest -n 2" in ci


if __name__ == "__main__":
    for shown in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        text = shown.read_text("utf-8")
        here = Path(tempfile.mkdtemp())
        put_files(text, here)
        for old in CONSOLE_BLOCK.findall(text):
            first = old.splitlines()[0]
            printed(first, here)  # once to compile, once to show
            text = text.replace(f"```console\n{old}```", f"```console\n{first}\n{printed(first, here).rstrip()}\n```")
        shown.write_text(text, "utf-8")
        shutil.rmtree(here)

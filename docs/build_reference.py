"""Writes docs/reference.md from the `--help` of every command; a test compares them.

`python docs/build_reference.py` does it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from potshare.cli import cli

TARGET = Path(__file__).resolve().parent / "reference.md"

_HEAD = """# Reference

Generated from `--help` by `docs/build_reference.py`.
"""


def helps() -> dict[str, str]:
    """The help of the program and of every command, 100 columns wide."""
    found = {}
    settings: dict[str, Any] = {**cli.context_settings, "terminal_width": 100, "max_content_width": 100}
    root = click.Context(cli, info_name="potshare", **settings)
    found["potshare"] = cli.get_help(root)
    for name, command in cli.commands.items():
        found[f"potshare {name}"] = command.get_help(click.Context(command, info_name=name, parent=root, **settings))
    return found


def reference() -> str:
    """The whole page."""
    parts = [_HEAD]
    for name, text in helps().items():
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        parts.append(f"\n## {name}\n\n```text\n{lines}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    TARGET.write_text(reference(), "utf-8")

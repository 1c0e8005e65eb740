"""Writes the pictures of the README, terminals with what commands really print: `python docs/build_pictures.py`."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from unittest.mock import patch

from rich.console import Console

from potshare import cli

HERE = Path(__file__).resolve().parent
PICTURES = {
    "equity.svg": ("equity", "AsKs", "QQ+", "-b", "Qs7s2c"),
    "grid.svg": ("equity", "QQ+,AKs", "--grid"),
}
"""Files and the commands that they show."""

WIDTH = 80

# What rich writes, without the frame of a window and without fonts from the network.
_FORMAT = """<svg viewBox="-12 -8 BOX" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="TITLE">
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
{styles}
</style>
<rect x="-12" y="-8" width="100%" height="100%" rx="8" fill="#292929"/>
<g data-size="{terminal_width} {terminal_height}">
{backgrounds}
</g>
<g class="{unique_id}-matrix">
{matrix}
</g>
</svg>
"""


def picture(name: str) -> str:
    """The SVG of what a command of `PICTURES` prints now."""
    arguments = PICTURES[name]
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False,
        legacy_windows=False, no_color=False,
    )  # fmt: skip
    command = " ".join(("potshare", *arguments))
    console.print(f"$ {command}")
    with patch.object(cli, "_console", lambda: console), patch.object(cli, "_can_print", lambda text: True):
        cli.cli.main(list(arguments), standalone_mode=False)
    shape = _FORMAT.replace("TITLE", f"What {command} prints")
    drawn = console.export_svg(title="", code_format=shape, unique_id=name.partition(".")[0])
    # Lines are as long as what stands on them: no clipping, and no text that is only the end of a line.
    drawn = re.sub(r' clip-path="[^"]*"|<text[^>]*>\n</text>| shape-rendering="[^"]*"', "", drawn)
    size = re.search(r' data-size="([\d.]+) ([\d.]+)"', drawn)
    assert size is not None
    width, height = (float(number) for number in size.groups())
    return drawn.replace(size.group(), "").replace("BOX", f"{width + 24:g} {height + 24:g}")


def main(names: list[str]) -> None:
    """Writes the files, each command run once more before so that nothing is compiled meanwhile."""
    for name in names or PICTURES:
        picture(name)
        (HERE / name).write_text(picture(name), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""A grid of equities as one HTML file that needs nothing else: no network, no script, no fonts to load.

It is a real table with headings for rows and columns, so that a screen reader can walk it; colours only repeat
what the numbers say, the darkest text on the lightest ground (contrast above 7 to 1 everywhere), and a dark
scheme follows the reader's system.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from potshare.simulate.output import Target

if TYPE_CHECKING:
    from potshare.simulate.views.grid import EquityGrid, GridCell

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1a1a1a; --quiet: #555555; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181a; --ink: #eeeeee; --quiet: #aaaaaa; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; }
p { color: var(--quiet); margin: .2rem 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }
th { color: var(--quiet); font-weight: 600; min-width: 1.2rem; padding: 0 .3rem; }
td { border-radius: 4px; color: #111111; min-width: 3.2rem; padding: .35rem .2rem; text-align: center; }
td b { display: block; font-size: .8rem; font-weight: 600; }
td.none { background: transparent; color: var(--quiet); }
svg { display: block; height: auto; margin-top: 1rem; max-width: 24rem; width: 100%; }
svg text { fill: var(--ink); font-size: 11px; }
@media print { td { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
""".strip()

_STOPS = ((0.0, (244, 165, 150)), (0.5, (250, 246, 214)), (1.0, (128, 208, 150)))


def colour(equity: float) -> tuple[int, int, int]:
    """Red, green and blue of an equity: reddish below one half, pale at it, green above; always light."""
    for (low, one), (high, two) in pairwise(_STOPS):
        if equity <= high:
            part = (equity - low) / (high - low)
            r, g, b = (round(x + part * (y - x)) for x, y in zip(one, two, strict=True))
            return r, g, b
    return _STOPS[-1][1]


def _cell(cell: GridCell) -> str:
    if cell.equity is None:
        return f'<td class="none"><b>{cell.name}</b>-</td>'
    red, green, blue = colour(cell.equity)
    title = f"{cell.name}: {100 * cell.equity:.2f} %, {cell.combos} hand{'s' if cell.combos != 1 else ''}"
    style = f"background:rgb({red},{green},{blue})"
    return f'<td style="{style}" title="{title}"><b>{cell.name}</b>{100 * cell.equity:.1f}</td>'


def _legend() -> str:
    bars = []
    for i in range(21):
        red, green, blue = colour(i / 20)
        bars.append(f'<rect x="{i * 18}" y="0" width="18" height="14" fill="rgb({red},{green},{blue})"/>')
    labels = [f'<text x="{x}" y="27" text-anchor="{at}">{t}</text>' for x, at, t in (
        (0, "start", "0 %"), (189, "middle", "50 %"), (378, "end", "100 %"),
    )]  # fmt: skip
    return (
        '<svg viewBox="0 0 378 30" role="img" aria-label="Colours from 0 to 100 per cent">'
        + "".join([*bars, *labels])
        + "</svg>"
    )


def page(grid: EquityGrid) -> str:
    """The whole document."""
    others = escape(", ".join(grid.against))
    known = [escape(grid.game)]
    if grid.board:
        known.append(f"board {escape(' '.join(grid.board))}")
    if grid.dead:
        known.append(f"dead {escape(' '.join(grid.dead))}")
    if grid.policy is not None:
        known.append(f"policy {escape(grid.policy)}")
    error = f"standard error up to {100 * grid.stderr:.2f} %"
    known.append("counted exactly" if grid.method == "exact" else f"Monte Carlo, seed {grid.seed}, {error}")
    heads = "".join(f'<th scope="col">{rank}</th>' for rank in grid.ranks)
    rows = "\n".join(
        f'<tr><th scope="row">{rank}</th>{"".join(map(_cell, row))}</tr>'
        for rank, row in zip(grid.ranks, grid.rows, strict=True)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Equity of every starting hand against {others}</title>
<style>
{_STYLE}
</style>
</head>
<body>
<main>
<h1>Equity of every starting hand against {others}</h1>
<p>{", ".join(known)}. Per cent of the pot; suited hands above the diagonal, offsuit hands below it.</p>
<div class="wide">
<table aria-label="Equity by starting hand">
<thead><tr><td class="none"></td>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
{_legend()}
</main>
</body>
</html>
"""


def write_page(path: str | Path, grid: EquityGrid) -> None:
    """Writes the document, whole or not at all. Raises `PotshareError` where that is impossible."""
    with Target(path) as target:
        target.file.write(page(grid).encode())

"""The pictures of the command line as text: categories, next cards, streets, grids. Rows for CSV as well.

Everything returned is printed by `cli`. Colours repeat what numbers say, so that a pipe or `NO_COLOR` loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from potshare.evaluator.cards import RANKS
from potshare.simulate.views.page import colour

if TYPE_CHECKING:
    from rich.console import Console

    from potshare.simulate.views.categories import Categories
    from potshare.simulate.views.grid import EquityGrid
    from potshare.simulate.views.runouts import Runout, Runouts, StreetEquity

Rows = Iterable[dict[str, Any]]

_NAMED = 3
_BAR = 20


def percent(x: float, digits: int = 2) -> str:
    """A share as a percentage."""
    return f"{100 * x:.{digits}f}%"


_LEAST_NAME = 10
"""A hand or a range in a column that may be cut is cut to no less."""


def excess(table: Table, console: Console) -> int:
    """By how many columns a table is too wide; below 0 where there is room."""
    return Measurement.get(console, console.options.update(max_width=10_000), table).maximum - console.width


def fit(table: Table, console: Console) -> Table:
    """The table as it is where it fits; else with its first column cut, if that has a greatest width, or else one line
    for each cell: no number is ever cut."""
    over = excess(table, console)
    if over <= 0:
        return table
    first = table.columns[0]
    if first.max_width:
        room = console.options.update(max_width=first.max_width)
        left = max(Measurement.get(console, room, cell).maximum for cell in (first.header, *first.cells)) - over
        if left >= _LEAST_NAME:
            first.max_width = left
            return table
    stacked = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    stacked.add_column(no_wrap=True, style="bold")
    stacked.add_column(overflow="fold")
    names = [column.header for column in table.columns]
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for name, cell in zip(names, row, strict=True):
            if name or cell:
                stacked.add_row(name, cell)
        stacked.add_row("", "")
    return stacked


def _table(*columns: str, left: int = 1) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(columns):
        table.add_column(Text(name), no_wrap=True, justify="left" if i < left else "right")
    return table


def _heat(console: Console, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[float | None]]]) -> Iterator[Text]:
    # Numbers in per cent under headings, coloured where the console has colours; as wide as there is room for.
    cell = next((n for n in (6, 4) if console.width >= n * len(heads) + 2), 3)
    digits = 1 if cell == 6 else 0
    most = 99.0 if cell == 3 else 100.0
    coloured = console.is_terminal and not console.no_color
    yield Text("  " + "".join(f"{head:^{cell}}" for head in heads).rstrip(), style="bold", no_wrap=True)
    for label, values in rows:
        line = Text(no_wrap=True)
        line.append(f"{label} ", style="bold")
        for value in values:
            if value is None:
                line.append(f"{'.':^{cell}}", style="dim")
                continue
            text = f"{min(most, 100 * value):>{cell - 1}.{digits}f} "
            line.append(text, style="rgb(17,17,17) on rgb({},{},{})".format(*colour(value)) if coloured else "")
        if not coloured:
            line.rstrip()
        yield line


def _bar(share: float, block: str) -> str:
    return block * round(_BAR * share)


# -- categories -------------------------------------------------------------------------------------------------------


def categories(found: Categories, console: Console, block: str) -> Iterator[Table | Text]:
    """A table for each half of the pot: categories down, players across."""
    for half in found.players[0].halves:
        alone = len(found.players) == 1
        names = list(found.players[0].halves[half])
        names += [n for p in found.players for n in p.halves[half] if n not in names]
        names = list(dict.fromkeys(names))
        bars = alone and console.is_terminal and console.width >= 60
        table = _table(half.capitalize(), *(p.hand for p in found.players), *(["Deals"] if alone else []))
        if bars:
            table.add_column("")
        for name in names:
            shares = [p.halves[half].get(name) for p in found.players]
            if not any(s and s.count for s in shares):
                continue
            cells: list[str | Text] = [name, *(percent(s.share) if s and s.count else "-" for s in shares)]
            if alone and shares[0]:
                cells.append(f"{shares[0].count:,}")
            if bars and shares[0]:
                cells.append(Text(_bar(shares[0].share, block), style="blue"))
            table.add_row(*cells)
        yield table


def category_rows(found: Categories) -> Rows:
    """One row for each player, half and category."""
    for player in found.players:
        for half, table in player.halves.items():
            for name, share in table.items():
                yield {"hand": player.hand, "half": half, "category": name, **share.to_dict()}


# -- next cards and streets -------------------------------------------------------------------------------------------


def _named(cells: Sequence[Runout]) -> str:
    # Runouts in order, those of equal worth together, until three are named.
    parts: list[str] = []
    named = 0
    for value, group in groupby(cells, key=lambda cell: round(cell.equities[0], 6)):
        alike = ["".join(cell.cards) for cell in group]
        more = f" and {len(alike) - _NAMED:,} more" if len(alike) > _NAMED + 1 else ""
        parts.append(f"{' '.join(alike[:_NAMED] if more else alike)}{more} {percent(value)}")
        named += len(alike)
        if named >= _NAMED:
            break
    return ", ".join(parts)


def runouts(found: Runouts, console: Console, block: str) -> Iterator[Table | Text]:
    """One card ahead a grid of ranks by suits, two cards ahead how the equities spread; best and worst named."""
    hero = found.hands[0]
    whose = "his" if found.on == "hand" else "the"
    if found.ahead == 1:
        yield Text(f"Equity of {hero} after {whose} next card", style="bold")
        by_card = {cell.cards[0]: cell.equities[0] for cell in found.cells}
        ranks = [r for r in reversed(RANKS) if any(name[0] == r for name in by_card)]
        rows = [(suit, [by_card.get(rank + suit) for rank in ranks]) for suit in "shdc"]
        yield from _heat(console, ranks, rows)
    else:
        yield Text(f"Equity of {hero} after {whose} next two cards", style="bold")
        for i, share in enumerate(found.histogram()):
            yield Text(f"{f'{10 * i}-{10 * i + 10}%':<8}{percent(share):>7}  {_bar(share, block)}".rstrip())
    yield Text(f"best   {_named(found.best(len(found.cells)))}")
    yield Text(f"worst  {_named(found.worst(len(found.cells)))}")


def runout_rows(found: Runouts) -> Rows:
    """One row for each runout."""
    for cell in found.cells:
        yield {"cards": "".join(cell.cards), "weight": cell.weight} | {
            f"{name}{i + 1}": value
            for i, both in enumerate(zip(cell.equities, cell.stderrs, strict=True))
            for name, value in zip(("equity", "stderr"), both, strict=True)
        }


def streets(found: Sequence[StreetEquity]) -> Iterator[Table | Text]:
    """A row for each street: the board and every equity, marked with ~ where it was sampled. Where hands get their
    cards street by street they stand in the rows."""
    last = found[-1].answer.players
    grown = any(s.answer.players[i].hand != p.hand for s in found for i, p in enumerate(last))
    if grown:
        names = [f"{what} {i + 1}" for what in ("Hand", "Equity") for i in range(len(last))]
        table = _table("Street", *names, left=1 + len(last))
    else:
        table = _table("Street", "Board", *(p.hand for p in last), left=2)
    for street in found:
        about = "~" if street.answer.method != "exact" else ""
        shares = [about + percent(p.equity) for p in street.answer.players]
        cards = [p.hand for p in street.answer.players] if grown else ["".join(street.board) or "-"]
        table.add_row(street.street, *cards, *shares)
    yield table
    errors = [p.stderr for street in found for p in street.answer.players]
    if max(errors) > 0:
        yield Text(f"~ sampled, standard error up to {percent(max(errors), 3)}", style="dim")


def street_rows(found: Sequence[StreetEquity]) -> Rows:
    """One row for each street."""
    for street in found:
        yield {"street": street.street, "board": "".join(street.board), "method": street.answer.method} | {
            f"{name}{i + 1}": value
            for i, p in enumerate(street.answer.players)
            for name, value in (("hand", p.hand), ("equity", p.equity), ("stderr", p.stderr))
        }


# -- grid -------------------------------------------------------------------------------------------------------------


def grid(found: EquityGrid, console: Console) -> Iterator[Table | Text]:
    """The square of starting hands: suited above the diagonal, offsuit below."""
    yield Text(f"Equity of every starting hand against {', '.join(found.against)}", style="bold")
    rows = [(r, [cell.equity for cell in row]) for r, row in zip(found.ranks, found.rows, strict=True)]
    yield from _heat(console, list(found.ranks), rows)
    cells = sorted((c for row in found.rows for c in row if c.equity is not None), key=lambda c: -(c.equity or 0.0))
    yield Text("best   " + ", ".join(f"{c.name} {percent(c.equity or 0.0)}" for c in cells[:_NAMED]))
    yield Text("worst  " + ", ".join(f"{c.name} {percent(c.equity or 0.0)}" for c in cells[: -_NAMED - 1 : -1]))


def grid_rows(found: EquityGrid) -> Rows:
    """One row for each class of hands."""
    for row in found.rows:
        for cell in row:
            yield cell.to_dict()

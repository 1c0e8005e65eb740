"""Rebuilds the tables of `data/` from their generators: `python -m potshare.tables.build [--check]`.

`--check` builds in memory and compares with the committed files, byte by byte; exit status 1 when they differ.
A rank table is filled from a ranking's ladder: the rung of each five-card rank multiset, and for more cards
the best of the multisets with one card taken away. That is the definition of "best five of n" and needs no
evaluator.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from potshare.tables import DATA, MANIFEST, digest, ladders, rank_hash
from potshare.tables.ladders import Ladder, Ranks, Rung

SUIT_SHIFT = 48


class RankBuilder:
    """The shared hash of rank multisets, and the tables of one ranking after another."""

    def __init__(self) -> None:
        self.multiplier = rank_hash.multipliers()
        self.multisets = {n: rank_hash.multisets(n) for n in range(rank_hash.MAX_CARDS + 1)}
        self.keys = {n: m.astype(np.int64) @ self.multiplier for n, m in self.multisets.items()}
        self.offset, self.length = rank_hash.displace(np.concatenate([self.keys[n] for n in self.keys]))

    def card_key(self) -> NDArray[np.uint64]:
        """(64,) uint64: what a card adds to a hand's sum; entries 52..63 are 0."""
        key = np.zeros(64, np.uint64)
        for card in range(52):
            key[card] = int(self.multiplier[card >> 2]) + (1 << (SUIT_SHIFT + 4 * (card & 3)))
        return key

    def places(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the values of these keys live."""
        found: NDArray[np.int64] = (keys >> rank_hash.ROW_BITS) + self.offset[keys & rank_hash.ROW_MASK]
        return found

    def value(self, ladder: Ladder, rung: Callable[[Ranks], Rung | None], first: int = 5) -> NDArray[np.uint16]:
        """(length,) uint16: the strength of every rank multiset of `first` to seven cards, flushes apart.

        `rung` names the rung of one to five ranks (highest first), or None where there is no such hand.
        """
        place = ladder.places()
        value = np.zeros(self.length, np.uint16)
        for n in range(first, 6):
            for row, key in zip(self.multisets[n], self.keys[n], strict=True):
                ranks = tuple(int(r) for r in np.repeat(np.arange(13), row)[::-1])
                found = rung(ranks)
                value[self.places(key)] = 0 if found is None else place[found]
        for n in (6, 7):
            best = np.zeros(len(self.keys[n]), np.uint16)
            for rank in range(13):
                has = self.multisets[n][:, rank] > 0
                fewer = self.keys[n][has] - self.multiplier[rank]
                best[has] = np.maximum(best[has], value[self.places(fewer)])
            value[self.places(self.keys[n])] = best
        return value


def flush_table(ladder: Ladder, rung: Callable[[Ranks], Rung | None]) -> NDArray[np.uint16]:
    """(8192,) uint16: the strength of the best five of the suited ranks in a mask, 0 below five."""
    place = ladder.places()
    table = np.zeros(1 << 13, np.uint16)
    for mask in range(1 << 13):
        ranks = tuple(r for r in range(12, -1, -1) if mask >> r & 1)
        if len(ranks) == 5:
            found = rung(ranks)
            table[mask] = 0 if found is None else place[found]
        elif len(ranks) > 5:
            table[mask] = max(table[mask & ~(1 << r)] for r in ranks)
    return table


def build() -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Every table with its name."""
    builder = RankBuilder()
    yield "card_key", builder.card_key()
    yield "rank_offset", builder.offset
    for name, first in (("high", 5), ("high-partial", 1)):
        ladder = ladders.LADDERS[name]()
        yield f"{name}.value", builder.value(ladder, lambda ranks: ladders.high_rung(ranks, False), first)
        yield f"{name}.flush", flush_table(ladder, lambda ranks: ladders.high_rung(ranks, True))


def encode(table: NDArray[np.generic]) -> bytes:
    """A table as the bytes of its file."""
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(table), allow_pickle=False)
    return buffer.getvalue()


def differences(files: dict[str, bytes], folder: Path) -> Iterable[str]:
    """What in `folder` is not as built, a line each."""
    for name, raw in files.items():
        path = folder / name
        if not path.exists():
            yield f"{name} is missing"
        elif path.read_bytes() != raw:
            yield f"{name} differs from what is built"
    for path in sorted(folder.glob("*.npy")):
        if path.name not in files:
            yield f"{path.name} is not built by anything"


@click.command(help=__doc__)
@click.option("--check", is_flag=True, help="Compare with the committed data and write nothing.")
@click.option("--folder", type=click.Path(path_type=Path), default=DATA, show_default=True, help="Where the data are.")
def main(check: bool, folder: Path) -> None:
    """Command line of this module."""
    started = time.perf_counter()
    tables = {f"{name}.npy": encode(table) for name, table in build()}
    manifest = {"format": 1, "files": {name.removesuffix(".npy"): digest(raw) for name, raw in tables.items()}}
    tables[MANIFEST] = (json.dumps(manifest, indent=1) + "\n").encode()
    took = f"{len(tables) - 1} tables, {sum(map(len, tables.values())):,} bytes, {time.perf_counter() - started:.1f} s"
    if check:
        found = list(differences(tables, folder))
        for line in found:
            click.echo(line, err=True)
        click.echo(f"{took}: {'as committed' if not found else 'NOT as committed'}")
        sys.exit(1 if found else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for name, raw in tables.items():
        (folder / name).write_bytes(raw)
    click.echo(f"{took}: written to {folder}")


if __name__ == "__main__":
    main()

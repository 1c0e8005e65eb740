"""Rebuilds the tables of `data/` from their generators: `python -m potshare.tables.build [--check]`.

`--check` builds in memory and compares with the committed files, byte by byte; exit status 1 when they differ.
A table is filled from a ranking's ladder: the rung of each rank multiset of the ladder's own size, and for
more cards the best of the multisets with one card taken away. That is the definition of "best five of n" and
needs no evaluator.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from potshare.tables import DATA, MANIFEST, START_ENTRY, digest, ladders, rank_hash
from potshare.tables.ladders import Ladder, Ranks, Rung

SUIT_SHIFT = 48


class RankBuilder:
    """The shared hash of rank multisets, and the tables of one ranking after another."""

    def __init__(self) -> None:
        self.multiplier = rank_hash.multipliers()
        self.multisets = {n: rank_hash.multisets(n) for n in range(rank_hash.MAX_CARDS + 1)}
        self.keys = {n: m.astype(np.int64) @ self.multiplier for n, m in self.multisets.items()}
        self.offset, packed = rank_hash.displace(np.concatenate([self.keys[n] for n in self.keys]))
        # A row of cards that holds one twice has a key that belongs to no hand; it must not lead out of the array.
        highest = rank_hash.MAX_CARDS * int(self.multiplier[-1]) >> rank_hash.ROW_BITS
        self.length = max(packed, highest + int(self.offset.max()) + 1)

    def card_key(self, flush_size: int = 5) -> NDArray[np.uint64]:
        """(64,) uint64: what a card adds to a hand's sum; the last entry is the sum of no cards.

        That sum starts the suit counters so that `flush_size` cards of a suit set the counter's top bit.
        """
        key = np.zeros(64, np.uint64)
        key[START_ENTRY] = sum(8 - flush_size << SUIT_SHIFT + 4 * suit for suit in range(4))
        for card in range(52):
            key[card] = int(self.multiplier[card >> 2]) + (1 << (SUIT_SHIFT + 4 * (card & 3)))
        return key

    def places(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the values of these keys live."""
        return rank_hash.places(keys, self.offset)

    def value(self, ladder: Ladder) -> NDArray[np.uint16]:
        """(length,) uint16: the strength of every rank multiset, flushes apart; 0 where there is no such hand.

        A ladder of five cards is extended to six and seven, any other ends with its own size.
        """
        place = ladder.places()
        value = np.zeros(self.length, np.uint16)
        for n in ladder.sizes:
            for row, key in zip(self.multisets[n], self.keys[n], strict=True):
                ranks = tuple(int(r) for r in np.repeat(np.arange(13), row)[::-1])
                value[self.places(key)] = _strength(ladder, place, ranks, False)
        for n in range(6, 1 + rank_hash.MAX_CARDS) if ladder.sizes[-1] == 5 else ():
            best = np.zeros(len(self.keys[n]), np.uint16)
            for rank in range(13):
                has = self.multisets[n][:, rank] > 0
                fewer = self.keys[n][has] - self.multiplier[rank]
                best[has] = np.maximum(best[has], value[self.places(fewer)])
            value[self.places(self.keys[n])] = best
        return value


def _strength(ladder: Ladder, place: dict[Rung, int], ranks: Ranks, suited: bool) -> int:
    if ranks[-1] < ladder.ranks[0]:
        return 0
    found = ladder.rung(ranks, suited)
    return 0 if found is None else place[found]


def mask_table(ladder: Ladder, suited: bool) -> NDArray[np.uint16]:
    """(8192,) uint16: the strength of the best hand of the different ranks in a mask, all suited or as if none were.

    0 where the mask has fewer ranks than the ladder's full hand.
    """
    place = ladder.places()
    size = ladder.sizes[-1]
    table = np.zeros(1 << 13, np.uint16)
    for mask in range(1 << 13):
        ranks = tuple(r for r in range(12, -1, -1) if mask >> r & 1)
        if len(ranks) == size:
            table[mask] = _strength(ladder, place, ranks, suited)
        elif len(ranks) > size:
            table[mask] = max(table[mask & ~(1 << r)] for r in ranks)
    return table


def set_table(ladder: Ladder) -> NDArray[np.uint16]:
    """(8192,) uint16: the strength of each set of different ranks, by their mask with the ace as bit 0."""
    table = np.zeros(1 << 13, np.uint16)
    for strength, rung in enumerate(ladder.rungs, 1):
        table[sum(1 << ladders.low(rank) for rank in rung.ranks)] = strength
    return table


def top_rank() -> NDArray[np.uint16]:
    """(8192,) uint16: the highest rank of a mask, plus one; 0 for the empty mask."""
    return np.frexp(np.arange(1 << 13, dtype=np.float64))[1].astype(np.uint16)


def low_tables(ladder: Ladder) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Lows of eight or better by masks of low ranks: ace to eight are bits 0 to 7.

    (256,) uint8: the best low of all the ranks in a mask. (256, 256) uint8: the best low of three ranks of the
    board's mask (first) and two of the hand's. Filled from small masks to great ones: a mask with a rank too
    many is worth its best part.
    """
    five = np.zeros(256, np.uint8)
    for strength, rung in enumerate(ladder.rungs, 1):
        five[sum(1 << ladders.low(rank) for rank in rung.ranks)] = strength
    masks = np.arange(256)
    bits = np.bitwise_count(masks)
    split = np.zeros((256, 256), np.uint8)
    board, hole = np.meshgrid(masks, masks, indexing="ij")
    whole = (bits[board] == 3) & (bits[hole] == 2) & (board & hole == 0)
    split[whole] = five[(board | hole)[whole]]

    def parts(mask: int) -> list[int]:
        return [mask & ~(1 << r) for r in range(8) if mask >> r & 1]

    for mask in sorted(range(256), key=int.bit_count):
        if bits[mask] > 5:
            five[mask] = max(five[part] for part in parts(mask))
        if bits[mask] > 3:
            split[mask] = np.max([split[part] for part in parts(mask)], axis=0)
    for mask in sorted(range(256), key=int.bit_count):
        if bits[mask] > 2:
            split[:, mask] = np.max([split[:, part] for part in parts(mask)], axis=0)
    return five, split


def build() -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Every table with its name."""
    builder = RankBuilder()
    yield "card_key", builder.card_key()
    yield "rank_offset", builder.offset
    for name, make in ladders.LADDERS.items():
        ladder = make()
        if name == "badugi":
            yield f"{name}.flush", set_table(ladder)
            continue
        if name == "high-spade":
            yield f"{name}.flush", top_rank()
            continue
        yield f"{name}.value", builder.value(ladder)
        if ladder.suited and ladder.sizes[-1] != 5:
            yield f"{name}.key", builder.card_key(ladder.sizes[-1])
        if name == "deuce-to-seven":
            yield f"{name}.flush", np.concatenate([mask_table(ladder, True), mask_table(ladder, False)])
        elif ladder.suited:
            yield f"{name}.flush", mask_table(ladder, True)
        if name == "eight-or-better":
            five, split = low_tables(ladder)
            yield f"{name}.five", five
            yield f"{name}.split", split


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

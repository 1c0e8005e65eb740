"""Where the numbers come from: generators with their reasoning, the built data, and `load`.

Each generator module begins with the reasoning behind its table. `python -m potshare.tables.build` rebuilds
the data of `data/`; `--check` says whether the committed data are what it builds. Loading verifies a
checksum, so that a damaged file is an error and never a wrong answer.
"""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from potshare.errors import TableError

DATA = Path(__file__).resolve().parent / "data"
MANIFEST = "manifest.json"
REBUILD = "reinstall potshare, or rebuild the data with `python -m potshare.tables.build`"


START_ENTRY = 63
"""The entry of `RankTables.key` that is no card: the sum of a hand without cards."""


class RankTables(NamedTuple):
    """The tables of a ranking; `evaluator.hand` reads them, `Ranking.kind` says by which leaf.

    `key` is (64,) uint64: for each card the number to add to a hand's sum, rank multiplier in the low 32 bits,
    a four-bit counter per suit from bit 48; entry 63 is the sum of no cards. `offset` is (8192,) int32 and
    `value` (n,) uint16: the strength of a rank multiset is `value[(k >> 13) + offset[k & 8191]]`, flushes apart.
    `flush` is (8192,) uint16 or a multiple of it: the strength of five or more cards of one suit by their rank
    mask, else 0; all zero where suits do not matter. Rankings that are not of rank multisets use `flush` alone,
    indexed by the rank mask that their leaf makes.
    """

    key: NDArray[np.uint64]
    offset: NDArray[np.int32]
    value: NDArray[np.uint16]
    flush: NDArray[np.uint16]


def digest(raw: bytes) -> str:
    """The checksum that the manifest records of each file."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


@cache
def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
        return dict(manifest["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TableError(f"the list of tables {path} cannot be read ({error}); {REBUILD}") from error


def load(name: str, folder: Path = DATA) -> NDArray[Any]:
    """The array of a table, checked against its recorded checksum.

    Always a new, writable, C-contiguous array: Numba counts read-only arrays as another type and would compile
    every kernel twice. Raises `TableError` for a missing or damaged file.
    """
    expected = _manifest(folder).get(name)
    path = folder / f"{name}.npy"
    if expected is None:
        raise TableError(f"there is no table '{name}' in {folder}; {REBUILD}")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TableError(f"the table {path} cannot be read ({error}); {REBUILD}") from error
    if digest(raw) != expected:
        raise TableError(f"the table {path} is damaged: its checksum is not the recorded one; {REBUILD}")
    return np.ascontiguousarray(np.load(io.BytesIO(raw), allow_pickle=False))


@cache
def _shared() -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    return load("card_key"), load("rank_offset")


@cache
def rank_tables(ranking: str) -> RankTables:
    """The tables of a ranking of the catalogue, loaded on first use."""
    key, offset = _shared()
    built = _manifest(DATA)
    if f"{ranking}.key" in built:
        key = load(f"{ranking}.key")
    value = load(f"{ranking}.value") if f"{ranking}.value" in built else np.zeros(1, np.uint16)
    flush = load(f"{ranking}.flush") if f"{ranking}.flush" in built else np.zeros(1 << 13, np.uint16)
    if f"{ranking}.value" not in built and f"{ranking}.flush" not in built:
        raise TableError(f"there are no tables of '{ranking}' in {DATA}; {REBUILD}")
    return RankTables(key, offset, value, flush)

"""The built tables: as committed, small, checked when loaded, and loaded only when used."""

import json
import subprocess
import sys

import numpy as np
import pytest

import potshare as ps
from potshare import tables
from potshare.errors import TableError
from potshare.tables import build, ladders, rank_hash


def test_small():
    assert sum(path.stat().st_size for path in tables.DATA.iterdir()) < 4_000_000


def test_listed():
    listed = json.loads((tables.DATA / tables.MANIFEST).read_text("utf-8"))["files"]
    assert {f"{name}.npy" for name in listed} == {path.name for path in tables.DATA.glob("*.npy")}


@pytest.fixture(scope="module")
def builder():
    return build.RankBuilder()


def test_as_built(builder):
    # The hash and one ranking of every shape; `python -m potshare.tables.build --check` builds them all.
    assert np.array_equal(tables.load("card_key"), builder.card_key())
    assert np.array_equal(tables.load("rank_offset"), builder.offset)
    for name in ("high", "eight-or-better", "three-card"):
        assert np.array_equal(tables.load(f"{name}.value"), builder.value(ladders.LADDERS[name]()))
    assert np.array_equal(tables.load("three-card.key"), builder.card_key(3))
    assert np.array_equal(tables.load("badugi.flush"), build.set_table(ladders.badugi()))
    assert np.array_equal(tables.load("short-deck.flush"), build.mask_table(ladders.short_deck(), True))


def test_every_key_has_its_own_place(builder):
    keys = np.concatenate(list(builder.keys.values()))
    assert len(np.unique(keys)) == len(keys) == 76_155
    places = rank_hash.places(keys, builder.offset)
    assert len(np.unique(places)) == len(places)
    assert places.min() >= 0
    assert places.max() < builder.length


@pytest.mark.parametrize("name", ladders.LADDERS)
def test_ladders_are_sorted_and_dense(name):
    ladder = ladders.LADDERS[name]()
    assert len(set(ladder.rungs)) == len(ladder.rungs)
    assert [rung.category for rung in ladder.rungs] == sorted(rung.category for rung in ladder.rungs)
    values = tables.rank_tables(name)
    reached = np.union1d(values.value, values.flush[: 1 << 13])
    assert reached.tolist() == list(range(len(ladder.rungs) + 1))


@pytest.mark.parametrize("damage", ["missing", "changed", "no list"])
def test_damage_is_an_error(tmp_path, damage):
    for path in tables.DATA.iterdir():
        if path.name in (tables.MANIFEST, "card_key.npy"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    if damage == "missing":
        (tmp_path / "card_key.npy").unlink()
    elif damage == "changed":
        raw = bytearray((tmp_path / "card_key.npy").read_bytes())
        raw[-1] ^= 1
        (tmp_path / "card_key.npy").write_bytes(bytes(raw))
    else:
        (tmp_path / tables.MANIFEST).write_text("{")
    with pytest.raises(TableError, match="rebuild"):
        tables.load("card_key", tmp_path)


def test_unknown_tables():
    with pytest.raises(TableError, match="no table"):
        tables.load("nonsense")
    with pytest.raises(TableError, match="no tables of"):
        tables.rank_tables("nonsense")


def test_only_what_is_used_is_loaded():
    code = """
import potshare
from potshare import tables
seen = []
load = tables.load
tables.load = lambda name, *rest: seen.append(name) or load(name, *rest)
assert potshare.evaluate("AhKhQhJhTh").strength == 7462
assert sorted(seen) == ["card_key", "high.flush", "high.value", "rank_offset"], seen
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_loaded_arrays_are_all_of_one_type():
    for name in ps.rankings():
        for array in ps.rankings()[name].tables:
            assert array.flags.writeable
            assert array.flags.c_contiguous

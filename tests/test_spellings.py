"""Ranges in the spelling of other tools: as those write them, and read back as the same range."""

from __future__ import annotations

import pytest

import potshare as ps
from potshare.errors import PotshareError
from potshare.simulate.ranges.summary import SPELLINGS, convert

TEXT = "AA,AKs@50,KQs,7c6c"
SPELT = {
    "potshare": "AA,KQs,7c6c,AKs:0.5",
    "pio": "AA,AKs:0.5,KQs,7c6c",
    "gto+": "AA,KQs,7c6c,[50]AKs[/50]",
    "combos": (
        "7c6c,KcQc,KdQd,KhQh,KsQs,AcKc:0.5,AdKd:0.5,AdAc,AhKh:0.5,AhAc,AhAd,AsKs:0.5,AsAc,AsAd,AsAh"
    ),
}  # fmt: skip


def held(text: str) -> dict[tuple[int, ...], float]:
    return {tuple(sorted(combo)): weight for combo, weight in ps.Range(text)}


@pytest.mark.parametrize("spelling", SPELT)
def test_weighted_ranges(spelling: str) -> None:
    found = convert(ps.Range(TEXT), spelling)
    assert found == SPELT[spelling]
    assert held(found) == held(TEXT)


def test_pokerstove_has_no_weights() -> None:
    with pytest.raises(PotshareError, match="has weights, which the pokerstove spelling cannot say; use pio or gto"):
        convert(ps.Range(TEXT), "pokerstove")
    found = convert(ps.Range("QQ+,AKs,7c6c,AhKd"), "pokerstove")
    assert found == "AA,AKs,AhKd,KK,QQ,7c6c"
    assert held(found) == held("QQ+,AKs,7c6c,AhKd")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_class_of_two_weights_is_written_hand_by_hand(spelling: str) -> None:
    if spelling == "pokerstove":
        return
    text = "AsAh@25,AdAc,AsAd,KK"
    found = convert(ps.Range(text), spelling)
    assert held(found) == held(text)
    assert "AA" not in found


def test_unknown_spellings_and_other_games_are_refused() -> None:
    with pytest.raises(PotshareError, match="there is no spelling 'flopzilla'; spellings are potshare, pokerstove"):
        convert(ps.Range("AA"), "flopzilla")
    with pytest.raises(PotshareError, match="a grid shows hands of two cards; omaha has 4"):
        convert(ps.Range("AA", "omaha"), "pio")

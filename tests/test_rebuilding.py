"""The commands that rebuild committed data: they write what is read again, and say when it differs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from potshare import tables
from potshare.errors import TableError
from potshare.simulate.exact import matchups
from potshare.tables import build

FEW = [("one", np.arange(20, dtype=np.uint16)), ("two", np.eye(3, dtype=np.uint8))]


def test_tables_are_written_compared_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", lambda: FEW)
    folder = tmp_path / "data"

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(build.main, [*arguments, "--folder", str(folder)])
        return result.exit_code, result.output

    code, said = run()
    assert code == 0
    assert f"written to {folder}" in said
    for name, table in FEW:
        np.testing.assert_array_equal(tables.load(name, folder), table)
    code, said = run("--check")
    assert (code, said.endswith(": as committed\n")) == (0, True)
    # What is missing, what differs and what nobody builds, each on a line.
    np.save(folder / "one.npy", np.arange(21, dtype=np.uint16))
    (folder / "two.npy").unlink()
    np.save(folder / "three.npy", np.zeros(1))
    before = sorted(folder.iterdir())
    code, said = run("--check")
    assert code == 1
    for line in (
        "one.npy differs from what is built", "two.npy is missing", "three.npy is not built by anything",
        "NOT as committed",
    ):  # fmt: skip
        assert line in said
    assert sorted(folder.iterdir()) == before


def test_match_ups_are_written_compared_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = matchups.results().astype(np.uint32)
    monkeypatch.setattr(matchups, "build", lambda: known)
    assert matchups.main(["--check"]) == 0
    assert "as committed" in capsys.readouterr().out
    wrong = known.copy()
    wrong[0, 5, 7] += 1
    monkeypatch.setattr(matchups, "build", lambda: wrong)
    assert matchups.main(["--check"]) == 1
    assert "NOT as committed" in capsys.readouterr().out
    monkeypatch.setattr(matchups, "FOLDER", tmp_path / "data")
    assert matchups.main([]) == 0
    matchups.results.cache_clear()
    try:
        np.testing.assert_array_equal(matchups.results(), wrong)
        for damage, words in (("files", "cannot be read"), ("digest", "checksum is not the recorded one")):
            file = tmp_path / "data" / "manifest.json"
            listed = json.loads(file.read_text())
            file.write_text(json.dumps({} if damage == "files" else {"files": {matchups.NAME: "0"}}))
            matchups.results.cache_clear()
            with pytest.raises(TableError, match=words):
                matchups.results()
            file.write_text(json.dumps(listed))
    finally:
        monkeypatch.undo()
        matchups.results.cache_clear()
    assert matchups.pair((50, 51), (44, 45)) != (0, 0)


def test_a_line_of_the_match_ups_counted_anew() -> None:
    # A pair of aces against every hand, as the table was built: by counting boards.
    from potshare.simulate.evaluators import evaluators
    from potshare.simulate.exact.class_count import count
    from potshare.simulate.variants import find_variant

    mine = (48, 49)
    others = [h for h in matchups.hands().tolist() if not set(h) & set(mine)][::40]
    holes = np.array([[mine, other] for other in others], np.uint8)
    tally = count(holes, np.zeros(0, np.uint8), tuple(range(52)), evaluators(find_variant("holdem")))
    for other, found in zip(others, tally, strict=True):
        assert matchups.pair(mine, tuple(other)) == (int(found[0, 1, 3]), int(found[0, 2, 3]))

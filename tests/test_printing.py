"""One answer in every form: what a table and CSV say is what the JSON says."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import potshare as ps
from potshare.cli import cli


def printed(*arguments: str, status: int = 0) -> str:
    """What a command prints in this process."""
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.output


def table(*arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(printed(*arguments, "-f", "csv"))))


def facts(*arguments: str) -> Any:
    return json.loads(printed(*arguments, "-f", "json"))


def test_equities_of_a_split_pot() -> None:
    question = ["equity", "AhKhQcJc", "9s9d8s8d", "-g", "omaha8", "-b", "Qh7c2d2s", "-d", "Ts"]
    answer, rows, text = facts(*question), table(*question), printed(*question)
    for player, row in zip(answer["players"], rows, strict=True):
        assert float(row["equity"]) == player["equity"]
        assert float(row["low"]) == player["halves"]["low"]["equity"]
        assert row["deals"] == str(answer["deals"])
        assert f"{100 * player['equity']:.2f}%" in text
    assert text.split("\n")[0].split() == ["Hand", "Equity", "Scoop", "Part", "High", "Low"]
    assert f"omaha8, board Qh7c2d2s, dead Ts, exact by {answer['algorithm']}, {answer['deals']:,} deals" in text


def test_sampled_equities() -> None:
    question = ["equity", "AsKs", "QQ", "random", "--deals", "640", "--seed", "5", "-m", "monte-carlo"]
    answer, text = facts(*question), printed(*question)
    assert text.split("\n")[0].split() == ["Hand", "Equity", "Error", "Win", "Tie"]
    assert f"holdem, Monte Carlo, seed 5, stopped by deals, {answer['deals']:,} deals" in text
    assert "of draws accepted" in printed(
        "equity", "QQ+,AKs", "22+", "--deals", "640", "--seed", "5", "-m", "monte-carlo"
    )
    drawn = printed("equity", "2s3d4h7c", "random", "-g", "deuce-to-seven", "--deals", "64", "--seed", "1")
    assert "policy standard" in drawn


def test_merged_equities(tmp_path: Path) -> None:
    for seed in "12":
        answer = ps.equity("AsKs", "QdQc", method="monte-carlo", deals=640, seed=int(seed))
        (tmp_path / seed).write_text(json.dumps(answer.to_dict()))
    files = ["merge", str(tmp_path / "1"), str(tmp_path / "2")]
    both, rows, text = facts(*files), table(*files), printed(*files)
    assert [float(row["equity"]) for row in rows] == [p["equity"] for p in both["players"]]
    assert f"Monte Carlo, 2 seeds, merged, {both['deals']:,} deals" in text
    (tmp_path / "3").write_text("{")
    assert "3 is not JSON" in printed(*files, str(tmp_path / "3"), status=2)


def test_evaluations() -> None:
    board = ["-b", "8c9cTc2d3h"]
    (alone,) = table("evaluate", "7c6c", *board)
    assert (alone["place"], alone["category"]) == ("1", "straight flush")
    assert printed("evaluate", "7c6c", *board).split("\n")[0].split() == ["Hand", "Text", "Best", "Strength"]
    both = ["evaluate", "AhAd4c5s", "Ac2s7d6c", "-g", "omaha8", *board]
    rows, answer, text = table(*both), facts(*both), printed(*both)
    assert [row["half"] for row in rows] == ["high", "high", "low", "low"]
    strengths = [hand["strength"] for half in answer["halves"] for hand in half["hands"]]
    assert [int(row["strength"]) for row in rows] == strengths
    assert text.split("\n")[0].split() == ["Half", "Hand", "Text", "Best", "Place", "Strength"]
    assert "a game brings its own rankings" in printed(*both, "-r", "high", status=2)


def test_discards() -> None:
    question = ["draw", "9s8d6h4c3s", "-g", "deuce-to-seven", "--against", "2c3d4h7s/Kd"]
    answer, rows, text = facts(*question), table(*question), printed(*question)
    assert [float(row["equity"]) for row in rows] == [d["equity"] for d in answer["discards"]]
    best = max(d["equity"] for d in answer["discards"])
    assert text.split("\n")[0].split() == ["Keep", "Discard", "Equity"]
    assert f"{100 * best:.2f}%" in text.split("\n")[1]
    assert "deuce-to-seven, against 2c3d4h7s/Kd, policy standard, exact" in text


def test_the_list_of_games() -> None:
    text = printed("games")
    listed = facts("games")
    assert [game["name"] for game in listed] == list(ps.games())
    for heading in ("Board games:", "Stud:", "Draw:", "Home games:"):
        assert heading in text
    for game in listed:
        assert f"  {game['name']} " in text
        assert game["title"] in text
    rules, known = printed("games", "razz"), facts("games", "razz")
    assert rules.startswith(f"razz: {known['title']}\n")


def test_ranges() -> None:
    question = ["range", "QQ+,AKs@50,KQo", "-d", "AsKs"]
    answer, rows, text = facts(*question), table(*question), printed(*question)
    assert len(rows) == answer["live"] < answer["combos"]
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(answer["weight"])
    assert f"{answer['combos']:,} hands, {answer['live']:,} after card removal" in text
    assert f"written: {answer['canonical']}" in text
    grid = printed(*question, "--grid").splitlines()
    square = grid[-14:-1]
    assert grid[-1] == "AKs all of it, AKs* a part, . nothing"
    assert square[0].split()[:3] == ["AA", "AKs*", "."]
    assert square[2].split()[:3] == [".", "KQo", "QQ"]
    assert printed("range", "QQ+", "--convert", "combos").count(",") == 17
    assert "a range text is missing" in printed("range", status=2)


def test_ranges_of_bigger_hands() -> None:
    rows = printed("range", "AA$ds", "-g", "omaha").splitlines()
    at = next(i for i, line in enumerate(rows) if line.split()[:1] == ["Ranks"])
    numbers = [int(line.replace(",", "").split()[-2]) for line in rows[at + 1 :]]
    assert sum(numbers) == len(ps.Range("AA$ds", "omaha"))
    assert all("2-2" in line for line in rows[at + 1 :])


def test_orderings() -> None:
    rows, answer = table("range", "--order"), facts("range", "--order")
    assert [row["hands"] for row in rows] == [entry["hands"] for entry in answer["ordering"]]
    assert (rows[0]["place"], rows[0]["hands"]) == ("1", "AA")


def test_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    from potshare.bench import throughput

    known = throughput.select(["badugi-4"])[0]
    alone = dataclasses.replace(known, rivals=())
    monkeypatch.setattr(throughput, "WORKLOADS", (alone,))
    question = ["bench", "badugi-4", "--repeats", "1", "--seconds", "0"]
    (row,) = table(*question)
    assert (row["name"], row["checksum"], row["correct"]) == ("badugi-4", str(known.checksum), "True")
    assert f"checksum {known.checksum:016x}" in printed(*question)
    monkeypatch.setattr(throughput, "WORKLOADS", (dataclasses.replace(alone, checksum=1),))
    said = printed(*question, status=1)
    assert "WRONG CHECKSUM" in said
    assert "wrong results in badugi-4" in said


def test_commands_that_there_are_not() -> None:
    assert "there is no command 'equty'; did you mean 'equity'?" in printed("equty", status=2)
    assert "there is no command 'zzz'; commands are equity, merge, " in printed("zzz", status=2)
    assert "csv prints one table: choose one of --" in printed(
        "equity", "AhKh", "QQ", "-b", "2c7d9h", "--streets", "--runouts", "-f", "csv", status=2
    )
    assert "a hand is missing" in printed("equity", status=2)
    assert "the hands come from standard input" in printed("equity", "AA", "KK", "--stream", status=2)
    assert "name a file to score" in printed("score", status=2)

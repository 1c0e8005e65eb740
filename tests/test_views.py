"""The pictures: categories, next cards, streets and grids against known integers and slow twins."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import potshare as ps
from potshare import cli
from potshare.errors import PotshareError
from potshare.evaluator.evaluate import evaluate
from potshare.simulate.views import grid as grids
from potshare.simulate.views.categories import categories
from potshare.simulate.views.page import colour, page, write_page
from potshare.simulate.views.runouts import runouts, streets

DECK = [r + s for r in "23456789TJQKA" for s in "cdhs"]


def ask(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(cli.cli, ["equity", *arguments])
    assert result.exit_code == status, result.output
    return result


def ask_json(*arguments: str):
    return json.loads(ask(*arguments, "-f", "json").stdout)


def counts(found, player: int = 0, half: str = "high") -> dict[str, float]:
    return {name: share.count for name, share in found.players[player].halves[half].items() if share.count}


# -- categories -------------------------------------------------------------------------------------------------------


def test_categories_of_one_hand() -> None:
    found = categories(["KsQs"], board="KdKh2s")
    assert (found.method, found.deals) == ("exact", 1081)
    assert counts(found) == {"full house": 315, "four of a kind": 46, "three of a kind": 675, "flush": 45}


def test_the_last_card_with_opponents_agrees_with_a_slow_twin() -> None:
    ranges = [["AhKh", "QcQd"], ["9s9c", "AhAd", "7c6c"]]
    weights = {"QcQd": 0.5}
    board, wanted = "Qh7d9h2c", [Counter(), Counter()]
    for one, two in itertools.product(*ranges):
        if {one[:2], one[2:]} & {two[:2], two[2:]}:
            continue
        for card in DECK:
            if card in one + two + board:
                continue
            for player, hand in enumerate((one, two)):
                category = evaluate(hand + board + card).category
                wanted[player][category] += weights.get(one, 1.0)
    found = categories(["AhKh,QcQd@50", "9s9c,AhAd,7c6c"], board=board)
    assert found.method == "exact"
    for player in (0, 1):
        assert counts(found, player) == pytest.approx(wanted[player])


def test_all_seven_card_hands() -> None:
    # Two given cards and every board, over all starting hands, are all seven-card hands: 21 ways each.
    total: Counter[str] = Counter()
    for name, number in (("AA", 6), ("AKs", 4), ("72o", 12)):
        found = categories([name])
        assert found.method == "exact"
        assert found.deals == number * 2_118_760
        assert sum(counts(found).values()) == found.deals
        total.update(counts(found))
    assert total["straight flush"] > 0


def test_low_halves_have_their_own_table() -> None:
    found = categories(["AsAh2c3d"], "omaha8", board="4c5c9dTh")
    assert sum(counts(found, half="low").values()) == found.deals == 44
    # One of the 6, 7, 8 makes a low, or another 4, 5 none: ranks already there pair.
    lows = counts(found, half="low")
    assert lows["no low"] == 44 - sum(n for name, n in lows.items() if name != "no low")
    assert lows["six low"] == 4


def test_sampled_categories_agree_with_counted_ones() -> None:
    hands = ["AsAh", "KcQs"]
    exact = categories(hands, board="Ks7d2s")
    sampled = categories(hands, board="Ks7d2s", method="monte-carlo", deals=200_000, seed=1)
    assert sampled.seed == 1
    for name, share in exact.players[1].halves["high"].items():
        assert sampled.players[1].halves["high"][name].share == pytest.approx(share.share, abs=0.005)
    again = categories(hands, board="Ks7d2s", method="monte-carlo", deals=200_000, seed=1, threads=2)
    assert again.players == sampled.players


def test_categories_of_other_games_are_dealt() -> None:
    found = categories(["AhAdAc", "random"], "stud", deals=20_000, seed=3)
    assert found.method == "monte-carlo"
    assert not set(counts(found)) & {"high card", "pair", "two pair"}
    # Four of 49 cards are to come: quads with the last ace.
    assert found.players[0].halves["high"]["four of a kind"].share == pytest.approx(4 / 49, abs=0.01)


def test_categories_on_the_command_line() -> None:
    out = ask("KsQs", "-b", "KdKh2s", "--categories").stdout
    assert out.splitlines()[0].split() == ["High", "KsQs", "Deals"]
    assert any(line.split() == ["full", "house", "29.14%", "315"] for line in out.splitlines())
    answer = ask_json("AhAd", "KK", "-b", "Kd7c2s", "--categories")
    assert answer["schema"] == 1
    assert len(answer["players"]) == 2
    shares = answer["categories"]["players"][1]["halves"]["high"]
    assert sum(s["share"] for s in shares.values()) == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO(ask("KsQs", "-b", "KdKh2s", "--categories", "-f", "csv").stdout)))
    assert {r["category"]: int(r["count"]) for r in rows}["full house"] == 315


# -- next cards -------------------------------------------------------------------------------------------------------


def test_runouts_are_the_questions_after_each_card() -> None:
    found = runouts(["AhKh", "QcQd"], board="Qh7h2c")
    assert len(found.cells) == 45
    assert found.method == "exact"
    for cell in found.cells[::7]:
        answer = ps.equity("AhKh", "QcQd", board="Qh7h2c" + cell.cards[0])
        assert cell.equities == tuple(p.equity for p in answer.players)
    assert {cell.cards[0] for cell in found.cells if cell.equities[0] == 0} == {
        "2d",
        "2h",
        "2s",
        "7c",
        "7d",
        "7s",
        "Qs",
    }
    assert found.worst(1)[0].equities == (0.0, 1.0)
    mean = sum(cell.weight * cell.equities[0] for cell in found.cells)
    assert mean == pytest.approx(ps.equity("AhKh", "QcQd", board="Qh7h2c").players[0].equity)


def test_runouts_of_ranges_are_weighted_by_how_often_they_come() -> None:
    found = runouts(["AhKh,AA", "QQ@50,KJs"], board="Qh7h2c")
    mean = sum(cell.weight * cell.equities[0] for cell in found.cells)
    assert mean == pytest.approx(ps.equity("AhKh,AA", "QQ@50,KJs", board="Qh7h2c").players[0].equity)


def test_two_cards_ahead() -> None:
    found = runouts(["AhKh", "QcQd"], 2, board="Qh7h2c")
    assert len(found.cells) == 990
    assert sum(found.histogram()) == pytest.approx(1)
    whole = ps.equity("AhKh", "QcQd", board="Qh7h2c").players[0]
    assert sum(cell.equities[0] for cell in found.cells) == pytest.approx(whole.equity * 990)
    assert found.histogram()[9] == pytest.approx(whole.win)


def test_no_card_is_left() -> None:
    with pytest.raises(PotshareError, match="no next card"):
        runouts(["AhKh", "QcQd"], board="Qh7h2c3d4d")
    with pytest.raises(PotshareError, match="no next two cards"):
        runouts(["AhKh", "QcQd"], 2, board="Qh7h2c3d")
    with pytest.raises(PotshareError, match="razz has no board"):
        runouts(["Ah2h3c", "QcQd4d"], game="razz")


def test_runouts_on_the_command_line() -> None:
    out = ask("--runouts", "AhKh", "QcQd", "-b", "Qh7h2c").stdout
    lines = out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    assert [line[0] for line in lines[head + 1 : head + 5]] == list("shdc")
    assert lines[head + 6].startswith("worst  2d 2h 2s and 4 more 0.00%")
    assert "after the next two cards" in ask("AhKh", "QcQd", "--runouts", "2", "-b", "Qh7h2c").stdout
    assert len(ask_json("AhKh", "QcQd", "-b", "Qh7h2c", "--runouts")["runouts"]["cells"]) == 45
    assert "no next card" in str(ask("AhKh", "QcQd", "-b", "Qh7h2c3d4d", "--runouts", status=2).output)


def test_streets() -> None:
    found = streets(["AhKh", "QcQd"], board="Qh7h2c3h")
    assert [s.street for s in found] == ["preflop", "flop", "turn"]
    assert found[0].answer.players[0].equity == pytest.approx(ps.equity("AhKh", "QcQd").players[0].equity)
    answer = ask_json("AhKh", "QcQd", "-b", "Qh7h2c3h", "--streets")
    assert [s["board"] for s in answer["streets"]] == [[], ["Qh", "7h", "2c"], ["Qh", "7h", "2c", "3h"]]
    assert answer["streets"][-1]["equities"][0] == answer["players"][0]["equity"]
    with pytest.raises(PotshareError, match="no board"):
        streets(["Ah2h3c", "QcQd4d"], game="razz")


# -- grids ------------------------------------------------------------------------------------------------------------


def cell(found: grids.EquityGrid, name: str) -> grids.GridCell:
    return next(c for row in found.rows for c in row if c.name == name)


@pytest.mark.parametrize(("board", "dead"), [("", ""), ("AhKd2c", ""), ("AhKd2c7h", "Qs"), ("AhKd2c7h9s", "")])
def test_grid_cells_are_equities(board: str, dead: str) -> None:
    found = grids.grid(["QQ+,AKs@50,76s"], board=board, dead=dead)
    assert found.method == "exact"
    assert found.ranks == "AKQJT98765432"
    assert [c.name for c in found.rows[1][:3]] == ["AKo", "KK", "KQs"]
    for name in ("AA", "AKo", "KQs", "72o", "22"):
        answer = ps.equity(name, "QQ+,AKs@50,76s", board=board, dead=dead)
        assert cell(found, name).equity == pytest.approx(answer.players[0].equity), name
        assert cell(found, name).combos == answer.players[0].combos


def test_grid_against_several_is_sampled() -> None:
    found = grids.grid(["KK", "random"], deals=2_000, seed=1)
    assert (found.method, found.seed) == ("monte-carlo", 1)
    assert cell(found, "AA").equity == pytest.approx(0.67, abs=0.06)
    assert found.rows == grids.grid(["KK", "random"], deals=2_000, seed=1).rows
    with pytest.raises(PotshareError, match="two hole cards"):
        grids.grid(["AsAhKsKh"], game="omaha")


def test_grid_without_a_possible_hand() -> None:
    found = grids.grid(["KsKh"], board="AsAhAd", dead="Ac")
    assert cell(found, "AKs").equity is None
    assert cell(found, "AKs").combos == 0
    assert "." in ask("KsKh", "--grid", "-b", "AsAhAd", "-d", "Ac").stdout


def test_grid_on_the_command_line() -> None:
    lines = ask("random", "QQ", "--grid").stdout.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    rows = lines[head + 1 : head + 14]
    assert [row.split()[0] for row in rows] == list("AKQJT98765432")
    assert rows[2].split()[3] == "50.0"
    assert max(map(len, lines[head:])) <= 80
    answer = ask_json("QQ", "--grid")  # one hand is the opponent
    assert answer["grid"]["against"] == ["QQ"]
    assert answer["grid"]["grid"][0][0]["equity"] == pytest.approx(0.8155, abs=1e-4)
    rows = list(csv.DictReader(io.StringIO(ask("QQ", "--grid", "-f", "csv").stdout)))
    assert len(rows) == 169
    assert "csv prints one table" in ask("QQ", "--grid", "--categories", "-f", "csv", status=2).output


# -- the page ---------------------------------------------------------------------------------------------------------


def test_page_needs_nothing_else_and_can_be_read_aloud() -> None:
    text = page(grids.grid(["QQ+"], board="AhKd2c"))
    assert "http" not in text
    assert "<script" not in text
    assert '<html lang="en">' in text
    assert text.count('scope="col"') == text.count('scope="row"') == 13
    assert text.count("<td style=") + text.count('<td class="none"><b>') == 169


def test_text_in_cells_has_contrast() -> None:
    def luminance(rgb: tuple[int, int, int]) -> float:
        parts = [c / 255 for c in rgb]
        r, g, b = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for i in range(101):
        ratio = (luminance(colour(i / 100)) + 0.05) / (luminance((17, 17, 17)) + 0.05)
        assert ratio > 7, i


def test_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    found = grids.grid(["QQ+"])
    write_page(tmp_path / "grid.html", found)
    assert [p.name for p in tmp_path.iterdir()] == ["grid.html"]
    with pytest.raises(PotshareError, match="cannot be written"):
        write_page(tmp_path / "missing" / "grid.html", found)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(PotshareError, match="cannot be written"):
        write_page(tmp_path / "folder.html", found)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.html", "grid.html"]


BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), ""
)


@pytest.mark.skipif(not BROWSER, reason="no headless browser here")
def test_a_real_browser_shows_it(tmp_path: Path) -> None:
    file, picture = tmp_path / "grid.html", tmp_path / "grid.png"
    ask("random", "QQ+,AKs", "--html", str(file))
    common = [BROWSER, "--headless", "--disable-gpu", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    dumped = subprocess.run(
        [*common, "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=60, env=environment
    ).stdout
    assert dumped.count("<td") == 170
    assert "Equity of every starting hand against QQ+,AKs" in dumped
    subprocess.run(
        [*common, f"--screenshot={picture}", "--window-size=1000,900", file.as_uri()],
        capture_output=True, timeout=60, env=environment, check=True,
    )  # fmt: skip
    raw = picture.read_bytes()
    assert raw.startswith(b"\x89PNG")
    assert len(raw) > 20_000  # an empty page compresses to a tenth of that

"""Merging sampled answers: to the last bit one run over all the blocks, and nothing counted twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import potshare as ps
from potshare import cli
from potshare.simulate.sampling import flop, general, lanes

HANDS = ["AsKs", "QQ,JJ@40", "random"]


def ask(*hands: str, **options: Any) -> ps.Equity:
    return ps.equity(*(hands or HANDS), method="monte-carlo", **options)


@pytest.mark.parametrize(
    ("hands", "game", "block"),
    [
        (HANDS, "holdem", lanes.BLOCK),
        (["random"] * 2, "omaha8", lanes.BLOCK),
        (["random"] * 17, "holdem", flop.BLOCK),
        (["random"] * 2, "badugi", general.BLOCK),
    ],
)
def test_merged_runs_are_one_run(hands: list[str], game: str, block: int) -> None:
    whole = ask(*hands, game=game, seed=5, deals=5 * block + 100)
    parts = [
        ask(*hands, game=game, seed=5, deals=2 * block),
        ask(*hands, game=game, seed=5, deals=3 * block + 100, first_block=2),
    ]
    for runs in (parts, parts[::-1]):
        merged = ps.merge(*runs)
        assert merged.players == whole.players
        assert (merged.tally == whole.tally).all()
        assert (merged.deals, merged.seed, merged.stop, merged.method) == (whole.deals, 5, "merged", "monte-carlo")
        assert merged.sampling is not None
        assert whole.sampling is not None
        assert merged.sampling.sources == whole.sampling.sources
        assert merged.sampling.question == whole.sampling.question
    assert parts[0].merge(parts[1]).players == whole.players


def test_merged_from_json_and_again() -> None:
    runs = [ask(seed=seed, deals=50_000) for seed in (1, 2, 3)]
    texts = [json.loads(json.dumps(run.to_dict())) for run in runs]
    merged = ps.merge(*texts)
    assert merged.players == ps.merge(*runs).players
    assert merged.seed is None
    assert merged.deals == 150_000
    assert [s.seed for s in merged.sampling.sources] == [1, 2, 3]  # type: ignore[union-attr]
    step = ps.merge(json.loads(json.dumps(ps.merge(*texts[:2]).to_dict())), runs[2])
    assert step.players == merged.players
    assert merged.players[0].stderr < min(run.players[0].stderr for run in runs)
    mean = sum(run.players[1].equity for run in runs) / 3
    assert merged.players[1].equity == pytest.approx(mean, abs=1e-12)
    assert merged.players[1].counts["win"] == sum(run.players[1].counts["win"] for run in runs)


def test_what_an_answer_says_of_its_deals() -> None:
    answer = ask(seed=3, deals=3 * lanes.BLOCK - 1, first_block=7).to_dict()
    assert answer["sources"] == [{"seed": 3, "first_block": 7, "blocks": 3}]
    assert answer["rate"] > 0
    for player in answer["players"]:
        assert sum(deals for _, _, deals in player["tally"]) == answer["deals"]


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ({}, {}, "share deals: both have block 0 of seed 1"),
        ({"deals": 200_000}, {"first_block": 3, "deals": 10}, "share deals: both have block 3"),
        ({}, {"seed": 2, "board": "2c3c4c"}, "different questions: other boards"),
        ({}, {"seed": 2, "dead": "2c"}, "different questions: other dead cards"),
        ({}, {"seed": 2, "game": "holdem8"}, "different questions: other games"),
        ({}, {"seed": 2, "hands": ["AsKs", "QQ", "random"]}, "different questions: the hands are AsKs v QQ,JJ@40"),
    ],
)
def test_runs_that_cannot_be_merged(one: dict[str, Any], two: dict[str, Any], message: str) -> None:
    found = [
        ask(
            *options.get("hands", HANDS),
            **{"seed": 1, "deals": 100} | {k: v for k, v in options.items() if k != "hands"},
        )
        for options in (one, two)
    ]
    with pytest.raises(ps.PotshareError, match=message):
        ps.merge(*found)


def test_rules_that_a_name_does_not_tell_apart() -> None:
    one, two = (ask("random", "random", game="triple-draw", draws=n, seed=n, deals=100) for n in (1, 2))
    with pytest.raises(ps.PotshareError, match="draws to come"):
        ps.merge(one, two)


def test_what_is_no_sampled_answer() -> None:
    exact = ps.equity("AA", "KK")
    run = ask(seed=1, deals=100)
    for bad, message in (
        ([exact, run], "run 1 was counted exactly"),
        ([run, {"schema": 1}], "run 2 is not an answer"),
        ([run, []], "run 2 is not an answer"),
        ([run, {k: v for k, v in run.to_dict().items() if k != "sources"}], "run 2 does not say which deals"),
        ([{**run.to_dict(), "players": [{"hand": "AA"}]}], "not a whole answer"),
        ([{**run.to_dict(), "deals": 99}], "do not add up"),
        ([], "nothing to merge"),
    ):
        with pytest.raises(ps.PotshareError, match=message):
            ps.merge(*bad)  # type: ignore[arg-type]


def test_command(tmp_path: Path) -> None:
    files = []
    for block in (0, 2):
        command = ["equity", *HANDS, "-f", "json", "--seed", "4", "--deals", str(2 * lanes.BLOCK), "-m", "monte-carlo"]
        done = CliRunner().invoke(cli.cli, [*command, "--first-block", str(block)])
        assert done.exit_code == 0
        files.append(tmp_path / f"{block}.json")
        files[-1].write_text(done.output)
    names = [str(file) for file in files]
    merged = json.loads(CliRunner().invoke(cli.cli, ["merge", *names, "-f", "json"]).output)
    whole = ask(seed=4, deals=4 * lanes.BLOCK).to_dict()
    assert merged["players"] == whole["players"]
    assert merged["sources"] == [{"seed": 4, "first_block": 0, "blocks": 4}]
    table = CliRunner().invoke(cli.cli, ["merge", *names]).output
    assert "seed 4, merged, 262,144 deals" in table
    assert CliRunner().invoke(cli.cli, ["merge", *names, "-f", "csv"]).output.count("\n") == 4
    marked, nested = tmp_path / "marked", tmp_path / "nested"
    marked.write_text("\ufeff" + files[0].read_text("utf-8"), "utf-8")  # as some editors save it
    assert CliRunner().invoke(cli.cli, ["merge", str(marked), names[1]]).output == table
    nested.write_text("[" * 100_000)
    for bad, message in ((names[:1] * 2, "share deals"), ([__file__], "is not JSON"), ([str(nested)], "is not JSON")):
        done = CliRunner().invoke(cli.cli, ["merge", *bad])
        assert done.exit_code == 2
        assert message in done.output


def test_first_block_is_checked() -> None:
    with pytest.raises(ps.PotshareError, match="first block"):
        ask(seed=1, deals=10, first_block=-1)

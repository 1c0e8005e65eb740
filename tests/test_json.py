"""Every answer in JSON says what made it: the schema, the version, and where chance had a part, the seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import potshare as ps
from potshare.cli import cli
from potshare.simulate.views.categories import categories

SAMPLED = ["-m", "monte-carlo", "--deals", "64"]


def asked(*arguments: str, given: str = "") -> Any:
    """What a command prints, as JSON."""
    result = CliRunner().invoke(cli, [*arguments], input=given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def check(answer: Any) -> None:
    assert answer["schema"] == 1
    assert answer["version"] == ps.__version__


@pytest.mark.parametrize(
    "arguments",
    [
        ["equity", "AcAs", "KhKd", "-f", "json"],
        ["equity", "AhKh", "QsQd", "-b", "Qh7c2d9s", "--streets", "--runouts", "-f", "json"],
        ["equity", "QQ+", "-b", "Kd7c2c9h", "--grid", "-f", "json"],
        ["equity", "AhKh", "-b", "Kd7c2c", "--categories", "-f", "json"],
        ["evaluate", "AhAd", "7c6c", "-b", "8c9cTc2d2h", "-f", "json"],
        ["range", "QQ+", "-f", "json"],
        ["range", "--order", "-f", "json"],
        ["draw", "9s8d6h4c3s", "-g", "deuce-to-seven", "--against", "2c3d4h7s/Kd", "-f", "json"],
        ["games", "razz", "-f", "json"],
        ["selfcheck", "equities", "-f", "json"],
    ],
    ids=lambda arguments: " ".join(arguments[:-2]),
)
def test_the_version_is_in_every_answer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if arguments[0] == "selfcheck":
        from potshare import selfcheck

        monkeypatch.setattr(selfcheck, "selfcheck", lambda parts, report: [])
    check(asked(*arguments))


def test_the_version_is_in_what_python_and_streams_return() -> None:
    check(ps.equity("AcAs", "KhKd").to_dict())
    check(categories(["AhKh"], board="Kd7c2c9h").to_dict())
    check(asked("equity", "--stream", given='{"hands": ["AA", "KK"]}\n'))


def test_a_drawn_seed_gives_the_answer_again(tmp_path: Path) -> None:
    question = ["equity", "AsKs", "random", *SAMPLED, "-f", "json"]
    first, other = asked(*question), asked(*question)
    assert first["seed"] != other["seed"]
    again = asked(*question, "--seed", str(first["seed"]))
    assert again["players"] == first["players"]
    check(again)
    # And merged answers name the seeds of both.
    for name, run in (("one", first), ("two", other)):
        (tmp_path / name).write_text(json.dumps(run))
    both = asked("merge", str(tmp_path / "one"), str(tmp_path / "two"), "-f", "json")
    check(both)
    assert {source["seed"] for source in both["sources"]} == {first["seed"], other["seed"]}


@pytest.mark.parametrize("picture", ["--categories", "--runouts", "--grid"])
def test_a_sampled_picture_can_be_had_again(picture: str) -> None:
    question = ["equity", "2s2c2d7h7c9d", "AsAdKsQd9c8c", "-g", "omaha6", "-b", "Kd7d2h", *SAMPLED, "-f", "json"]
    if picture == "--grid":
        question = ["equity", "AhAd", *SAMPLED, "-f", "json"]
    first = asked(*question, picture)
    name = picture[2:]
    seed = first[name].get("seed", first.get("seed"))
    assert isinstance(seed, int)
    again = asked(*question, picture, "--seed", str(seed))
    for answer in (first, again):
        answer[name].pop("seconds", None)
    assert again[name] == first[name]


def test_the_bench_names_its_hands() -> None:
    from potshare.bench import throughput

    answer = asked("bench", "badugi-4", "--repeats", "1", "--seconds", "0", "-f", "json")
    check(answer)
    assert answer["seed"] == throughput.SEED
    assert answer["workloads"][0]["checksum"] == throughput.select(["badugi-4"])[0].checksum

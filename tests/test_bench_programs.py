"""The measuring programs do the whole job on a little of it: every line is printed and every answer agrees."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from potshare.bench import equities, sampling, score, startup


def test_exact_equities(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [q for q in equities.QUESTIONS if q.name in ("two hands", "two ranges", "stud, fifth street")]
    easy = [dataclasses.replace(q, rivals=q.name != "two ranges") for q in questions]
    found = list(equities.run(easy, repeats=2, limit=0))
    ours = [r for r in found if r.program == "potshare"]
    assert [r.question for r in ours] == [q.name for q in easy]
    assert ours[0].equity == pytest.approx((1_410_336 + 9_308 / 2) / 1_712_304, abs=0.02)
    assert all(r.seconds > 0 for r in found)
    monkeypatch.setattr(equities, "QUESTIONS", easy[:1])
    monkeypatch.setattr(equities.run, "__defaults__", (easy[:1], 2, 0.0))
    printed = CliRunner().invoke(equities.main, ["--repeats", "1"], catch_exceptions=False)
    assert printed.output.startswith("two hands ")
    assert f"equity {ours[0].equity:.6f}" in printed.output


def test_rivals_that_differ_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def wrong(question: equities.Question) -> Any:
        asked.append(question.name)
        return lambda: 0.5

    monkeypatch.setattr(equities, "RIVALS", (("nobody", lambda q: None), ("wrong", wrong)))
    with pytest.raises(ValueError, match=r"two hands: wrong says 0\.5"):
        list(equities.run(equities.QUESTIONS[:1], repeats=1))
    assert asked == ["two hands"]


def test_rivals_are_asked_only_what_they_can_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equities, "find_spec", lambda name: None)
    monkeypatch.setattr(sampling, "find_spec", lambda name: None)
    for _, rival in equities.RIVALS:
        assert all(rival(q) is None for q in equities.QUESTIONS)
    for _, rival in sampling.PROGRAMS[1:]:
        assert all(rival(q) is None for q in sampling.QUESTIONS)


def test_sampling_prints_a_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    other = sampling.Sample(1000, 1.0, 0.81)
    monkeypatch.setattr(sampling, "PROGRAMS", (sampling.PROGRAMS[0], ("other", lambda q: lambda seconds, seed: other)))
    monkeypatch.setattr(sampling.run, "__defaults__", (sampling.QUESTIONS[:1], 1, 0.02))
    printed = CliRunner().invoke(sampling.main, ["--repeats", "1", "--seconds", "0.02"], catch_exceptions=False)
    own, beside = printed.output.splitlines()
    assert own.startswith(sampling.QUESTIONS[0].name)
    assert "equity 0.8" in own
    assert "other, " in beside
    assert beside.endswith(" times as slow")


def test_score_measures_every_format(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "RIVAL_ROWS", {"eval7": 40, "treys": 30, "pokerkit": 20})
    monkeypatch.setattr(score, "_RIVALS", score._RIVALS | {"absent": lambda: (_ for _ in ()).throw(ImportError)})
    monkeypatch.setattr(score, "RIVAL_ROWS", score.RIVAL_ROWS | {"absent": 1})
    affinity = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    monkeypatch.setenv("POLARS_MAX_THREADS", "1")
    try:
        score.main(80)
    finally:
        if affinity is not None:
            os.sched_setaffinity(0, affinity)
    lines = capsys.readouterr().out.splitlines()
    names = ["parquet to parquet", "parquet to csv", "csv to csv", "csv to parquet", "ndjson to ndjson"]
    assert [line[:20].strip() for line in lines[:5]] == names
    assert all("rows/s" in line and "DIFFERENT" not in line for line in lines)
    assert "absent" not in "".join(lines)


def test_a_rival_of_scoring_that_differs_shows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = [score.Rate("parquet to parquet", 100, 0.5, True), score.Rate("eval7", 10, 1.0, False)]
    monkeypatch.setattr(score, "measure", lambda rows: rates)
    monkeypatch.setattr(os, "sched_setaffinity", lambda *arguments: None, raising=False)
    monkeypatch.setenv("POLARS_MAX_THREADS", "1")
    score.main(100)
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["parquet", "to", "parquet", "200", "rows/s"]
    assert second.endswith("potshare from Parquet is 20 times as fast   DIFFERENT WINNERS")


def test_startup_prints_its_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    timing = startup.Timing("a process", 3, 0.010, 0.012, 0)
    seen: list[int] = []

    def fake(*, runs: int, report: Any) -> list[startup.Timing]:
        seen.append(runs)
        report(timing)
        return [timing]

    monkeypatch.setattr(startup, "run", fake)
    startup.main([])
    startup.main(["2"])
    assert seen == [startup.RUNS, 2]
    assert capsys.readouterr().out.splitlines() == [startup.HEADER, startup.line(timing)] * 2
    assert " ? " in startup.line(timing)  # where memory is not known

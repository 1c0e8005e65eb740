"""The comparison of sampling with rivals: every question has an answer, and wrong answers are found."""

from __future__ import annotations

import pytest

from potshare.bench import sampling


def test_every_question_is_sampled() -> None:
    found = list(sampling.run(repeats=1, seconds=0.02))
    assert {r.question for r in found if r.program == "potshare"} == {q.name for q in sampling.QUESTIONS}
    assert all(r.rate > 0 for r in found)


def test_answers_that_differ_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = sampling.Sample(1_000_000, 0.1, 0.5)
    monkeypatch.setattr(sampling, "PROGRAMS", (sampling.PROGRAMS[0], ("other", lambda q: lambda seconds, seed: wrong)))
    with pytest.raises(ValueError, match=r"other says 0\.5"):
        list(sampling.run(sampling.QUESTIONS[:1], repeats=1, seconds=0.02))

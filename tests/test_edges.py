"""Where methods end: weights beyond whole numbers, questions too long to count, hands that cannot meet."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare import selfcheck
from potshare.errors import PotshareError
from potshare.simulate import equity as front
from potshare.simulate.evaluators import evaluators
from potshare.simulate.exact import by_hand, completions
from potshare.simulate.exact import runouts as counted
from potshare.simulate.sampling import lanes
from potshare.simulate.sampling.run import flop_dealer
from potshare.simulate.spot import spot
from potshare.simulate.views import categories as views
from potshare.simulate.views.categories import categories
from potshare.simulate.views.grid import grid
from potshare.simulate.views.page import colour, page
from potshare.simulate.views.runouts import runouts

NO_DEAL = "no deal is possible: in every choice of hands two players would hold the same card"


def shares(*hands: Any, **options: Any) -> list[float]:
    return [p.equity for p in ps.equity(*hands, method="exact", **options).players]


# -- weights --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", ["99.99%", "12.3456789%"])
@pytest.mark.parametrize(
    ("texts", "board"),
    [
        (("{JJ},{QQ},{KK}",) * 3, "2h3h4h"),
        (("{AA},{KK}", "{QQ},{JJ}", "{TT},{99}"), ""),
        (("{AA},{KK}", "{QQ},{JJ}"), "2h3h4h"),
        (("{AA},{KK}", "{QQ},{JJ}"), ""),
    ],
    ids=["three on a flop", "three", "two on a flop", "two"],
)
def test_one_weight_for_all_hands_changes_nothing(texts: tuple[str, ...], board: str, weight: str) -> None:
    plain = [text.replace("{", "").replace("}", "") for text in texts]
    weighted = [text.replace("}", f"@{weight}").replace("{", "") for text in texts]
    assert shares(*weighted, board=board) == pytest.approx(shares(*plain, board=board), abs=1e-12)


@pytest.mark.parametrize("others", [("QcQs",), ("QcQs", "7c6c"), ("QQ,JTs",)], ids=len)
def test_any_weight_mixes_hands_by_their_deals(others: tuple[str, ...]) -> None:
    weight, sums, deals = 0.123456789, 0.0, 0.0
    for hand, times in (("AhAd", weight), ("KhKd", 1.0)):
        alone = ps.equity(hand, *others, board="Qh7d2c", method="exact")
        sums += times * alone.players[0].equity * float(alone.tally[0].sum())
        deals += times * float(alone.tally[0].sum())
    mixed = shares("AhAd@12.3456789%,KhKd", *others, board="Qh7d2c")
    assert mixed[0] == pytest.approx(sums / deals, abs=1e-12)
    assert sum(mixed) == pytest.approx(1)


# -- equities -------------------------------------------------------------------------------------------------------


def test_a_sweep_tells_how_far_it_is() -> None:
    done: list[float] = []
    found = ps.equity("22+,A2s+", "22+,KTs+", board="Qh7d2c", method="exact", progress=lambda r: done.append(r.done))
    assert found.algorithm == "sweep"
    assert done == sorted(done)
    assert done[-1] == 1


@pytest.mark.parametrize("board", ["", "Qd7d2c"])
@pytest.mark.parametrize("hands", [("AhKh,AhQh", "AhJh,AhTh"), ("AhKh,AhQh", "AhJh,AhTh", "22")])
def test_hands_that_never_meet(hands: tuple[str, ...], board: str) -> None:
    with pytest.raises(PotshareError, match=NO_DEAL):
        ps.equity(*hands, board=board, method="exact")
    with pytest.raises(PotshareError, match=NO_DEAL):
        categories(list(hands), board=board, method="exact")


@pytest.mark.parametrize(
    ("hands", "options"),
    [
        (("AhKh,AhQh", "AhJh,AhTh"), {}),
        (("AhKh,AhQh", "AhJh,AhTh"), {"game": "short-deck"}),
        (("AhKhQdJd,AhKhQdTd", "AhQs2c3c,AhQs2c4c"), {"game": "omaha"}),
        (("AhKhQdJd,AhKhQdTd", "AhQs2c3c,AhQs2c4c"), {"game": "omaha8"}),
    ],
    ids=lambda value: value.get("game", "holdem") if isinstance(value, dict) else "",
)
def test_hands_that_never_meet_are_not_dealt_for_ever(hands: tuple[str, ...], options: dict[str, Any]) -> None:
    with pytest.raises(PotshareError, match="no deal"):
        ps.equity(*hands, method="monte-carlo", deals=64, seed=1, **options)
    question = spot(hands, options.get("game", "holdem"))
    tables = evaluators(question.variant)
    with pytest.raises(PotshareError, match="no deal"):
        flop_dealer(question, tables, 1).deal(0, 1, 64)


def test_a_range_whose_hands_all_need_a_card_of_another() -> None:
    with pytest.raises(PotshareError, match=r"the range 'AhKh,AhQh' is empty: other players hold the cards"):
        lanes.dealer(spot(["AhAd", "AhKh,AhQh"]), 1)


def test_without_a_rule_sampling_stops_at_the_default_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "DEFAULT_STDERR", 0.005)
    for hands, game in ((("AsKs", "QQ", "random"), "holdem"), (("2s3d4h7c", "random"), "deuce-to-seven")):
        found = ps.equity(*hands, game=game, method="monte-carlo", seed=1)
        assert found.stop == "stderr"
        assert 0 < max(p.stderr for p in found.players) <= 0.005


@pytest.mark.parametrize(
    ("hands", "game"), [(("random",) * 5, "holdem"), (("random",) * 4, "omaha"), (("random", "random"), "omaha6")]
)
def test_how_long_counting_would_take(hands: tuple[str, ...], game: str) -> None:
    with pytest.raises(PotshareError, match=r"would take (about [\d,]+|millions of) (hours|days|years)"):
        ps.equity(*hands, game=game, method="exact")


# -- bounds of counting ---------------------------------------------------------------------------------------------


def test_run_outs_beyond_counting() -> None:
    hands, live = [(0, 1), (4, 5)], list(range(8, 52))
    with pytest.raises(completions.TooManyError):
        counted._with_shared(hands, [5, 5], live, ["high"], counted._MOST_SHARED + 1)
    with pytest.raises(PotshareError, match="11 cards are to come, but only 10 are left in the deck"):
        counted._with_shared(hands, [5, 5], live[:10], ["high"], 1)
    with pytest.raises(completions.TooManyError):
        counted._with_shared([(0,)] * 6, [6] * 6, live, ["high"], 1)


def test_terms_beyond_memory() -> None:
    completions._check_terms(completions.MOST_TERMS)
    with pytest.raises(completions.TooManyError):
        completions._check_terms(completions.MOST_TERMS + 1)


# -- pictures -------------------------------------------------------------------------------------------------------


def test_choices_by_their_number() -> None:
    for n, size in ((6, 3), (7, 2), (5, 5), (4, 1)):
        found = [
            tuple(views._combination(rank, n, size))
            for rank in range(len(list(itertools.combinations(range(n), size))))
        ]
        assert found == list(itertools.combinations(range(n), size))


@pytest.mark.parametrize(
    ("hands", "game"), [(["22+,A2s+,K2s+,A2o+"] * 3, "holdem"), (["random"], "stud")], ids=["ranges", "deals"]
)
def test_categories_that_take_too_long(hands: list[str], game: str) -> None:
    with pytest.raises(PotshareError, match="these categories cannot be counted in time; sample them with"):
        categories(hands, game, method="exact")


def test_a_grid_too_long_to_count_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "Qh7d2c3s9h"
    exact = grid(["AhAd,KhKd"], board=board)
    monkeypatch.setattr(by_hand, "seconds", lambda hands, boards: float("inf"))
    sampled = grid(["AhAd,KhKd"], board=board, deals=640, seed=1)
    assert (exact.method, sampled.method) == ("exact", "monte-carlo")
    for one, two in zip(itertools.chain(*exact.rows), itertools.chain(*sampled.rows), strict=True):
        assert (one.name, one.combos, one.equity is None) == (two.name, two.combos, two.equity is None)
        if one.equity is not None:
            assert two.equity == pytest.approx(one.equity, abs=6 * two.stderr)


def test_a_grid_against_two_is_counted_class_by_class() -> None:
    board, others = "Qh7d2c3s9h", ["AhAd", "KhKd"]
    found = grid(others, board=board, method="exact")
    cells = {cell.name: cell for row in found.rows for cell in row}
    assert found.method == "exact"
    for name in ("QQ", "72o", "KK"):
        assert cells[name].equity == shares(name, *others, board=board)[0]
    assert (cells["QQ"].equity, cells["KK"].equity) == (1.0, 0.0)


def test_a_page_says_what_is_dead_and_what_cannot_be_held() -> None:
    found = grid(["KhKd"], board="Qh7d2c3s9h", dead="AsAc")
    html = page(found)
    assert "dead As Ac" in html
    assert "policy" not in html
    assert '<td class="none"><b>AA</b>-</td>' not in html  # a pair of aces is left
    assert "policy standard" in page(dataclasses.replace(found, policy="standard"))
    assert '<td class="none"><b>AA</b>-</td>' in page(grid(["KhKd"], board="Qh7d2c3s9h", dead="AsAcAh"))


def test_colours_of_the_ends() -> None:
    assert colour(0.0) == (244, 165, 150)
    assert colour(1.0) == colour(1.0 + 1e-9) == (128, 208, 150)  # a sum of shares may be a bit more than all


def test_next_cards_are_one_or_two() -> None:
    with pytest.raises(PotshareError, match="one or two cards ahead, not 3"):
        runouts(["AhAd", "KhKd"], 3)


# -- questions ------------------------------------------------------------------------------------------------------


def test_what_a_question_may_be_made_of() -> None:
    wanted = shares("AsKs", "QhQd", board="2c7d9h")
    cards = spot(["AsKs", "QhQd"], "holdem").ranges[0]
    assert shares(cards, "QhQd", board="2c7d9h") == wanted
    held = spot(["AsAhKd2c3c4c", "QhQdQc2d3d4d"], "stud").ranges
    board = {"game": "stud"}
    assert shares(*held, **board) == shares("AsAhKd2c3c4c", "QhQdQc2d3d4d", **board)
    written = [ps.Range("2s3d4h7c8c", "deuce-to-seven"), ps.Range("2c3c4c6d9s", "deuce-to-seven")]
    options = {"game": "deuce-to-seven", "policy": "pat"}
    assert shares(*written, **options) == shares("2s3d4h7c8c", "2c3c4c6d9s", **options) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        ((["As", "As", "Kd"], "2c3d4h"), {"game": "stud"}, "As"),
    ],
)
def test_what_is_no_question(hands: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(PotshareError, match=words):
        ps.equity(*hands, **options)


# -- self-check -----------------------------------------------------------------------------------------------------


def outcome(name: str) -> Any:
    (run,) = [run for _, n, run in selfcheck._parts() if n == name]
    return run()


def test_the_self_check_finds_nothing_where_nothing_is_wrong() -> None:
    assert outcome("all 2,598,960 five-card hands") == (2_598_960, "")
    assert outcome("Monte Carlo against counting") == (len(selfcheck._SAMPLED), "")
    compared, problem = outcome("holdem rivers in plain Python")
    assert (compared, problem) == (4 * 44, "")


def test_the_self_check_finds_a_wrong_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "strengths", lambda hands, ranking: np.arange(len(hands)))
    compared, problem = selfcheck._evaluator("high")()
    assert compared > 0
    assert problem.startswith("of ")
    assert problem.endswith("compare differently")

"""Games as data: the list, a player's own files and their mistakes, the printed rules, draws at the command line."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from potshare import cli
from potshare.errors import PotshareError
from potshare.evaluator.cards import parse_cards
from potshare.evaluator.rankings import find_ranking
from potshare.simulate.describe import deal_notation, describe, rules_text, stud_rules
from potshare.simulate.drawing.rules import read_rule, read_rules
from potshare.simulate.drawing.search import best_discards, legal_discards
from potshare.simulate.equity import equity
from potshare.simulate.spot import spot
from potshare.simulate.variants import find_variant, games, read_variant

NAMES = [
    "holdem", "short-deck", "short-deck-trips", "omaha", "omaha8", "omaha5", "big-o", "omaha6", "omaha6-8",
    "courchevel", "courchevel8", "pineapple", "crazy-pineapple", "irish", "holdem8", "stud", "stud8",
    "stud-hilo", "razz", "five-card-stud", "draw", "double-draw", "draw-hoyle", "deuce-to-seven", "triple-draw",
    "ace-to-five", "ace-to-five-triple", "badugi", "badacey", "badeucey", "mexican-rollover", "chicago",
    "no-peek", "last-card-down", "lowball-stud", "substitution", "pig-stud", "english-stud", "murder",
    "three-card-stud", "push", "big-squeeze", "draw-deuces-wild", "draw-joker", "draw-bug",
    "double-board-holdem", "double-board-omaha", "draw-home",
]  # fmt: skip

DEALS = {
    "draw": "DDDDD | X |", "double-draw": "DDDDD | X | X |", "holdem": "DD | BBB | B | B |",
    "omaha": "DDDD | BBB | B | B |", "courchevel": "DDDDDB | BB | B | B |", "stud": "DDU | U | U | U | D |",
    "razz": "DDU | U | U | U | D |", "five-card-stud": "DU | U | U | U |", "chicago": "DU | U | U | U |",
    "last-card-down": "DU | U | U | D |", "mexican-rollover": "DD | D | D | D |", "no-peek": "DDDDD |",
    "pig-stud": "DU | D | U | D | X |", "english-stud": "DDU | U | U | X |", "murder": "D | U | XXX",
    "three-card-stud": "D | U | U |", "big-squeeze": "DU | U | U | U | D | X |", "substitution": "DU | U | U | U | XXX",
    "triple-draw": "DDDDD | X | X | X |", "badugi": "DDDD | X | X | X |", "pineapple": "DDD X | BBB | B | B |",
    "crazy-pineapple": "DDD | BBB | X B | B |", "irish": "DDDD | BBB | X B | B |",
}  # fmt: skip
SEATS = {
    "draw": 8, "double-draw": 8, "omaha": 10, "stud": 8, "stud8": 8, "razz": 8, "five-card-stud": 10, "murder": 10,
    "three-card-stud": 17, "push": 8, "big-squeeze": 7, "no-peek": 10, "substitution": 10,
}  # fmt: skip


def ask(*arguments: str, status: int = 0) -> tuple[str, str]:
    """Runs the program inside this process: standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    saved = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
    finally:
        sys.stdout, sys.stderr = saved
    assert ended.value.code == status, err.getvalue()
    return out.getvalue(), err.getvalue()


def own(folder: Path, text: str, name: str = "mine.toml") -> Path:
    """A game file of a player."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


# -- the games that come with it ------------------------------------------------------------------------------------


def test_every_name_is_there() -> None:
    assert set(NAMES) <= set(games())
    said = [word for variant in games().values() for word in (variant.name, *variant.aliases)]
    assert len(said) == len(set(said))
    for alias, name in {"plo": "omaha", "o8": "omaha8", "27td": "triple-draw", "nlh": "holdem"}.items():
        assert find_variant(alias).name == name


@pytest.mark.parametrize("name", sorted(games()))
def test_a_game_is_sound_and_prints_its_rules(name: str, tmp_path: Path) -> None:
    variant = find_variant(name)
    # The checks of a player's own file hold for the built-in ones.
    assert read_variant(own(tmp_path, f'like = "{name}"\ntitle = "As {name}"')).streets == variant.streets
    facts = describe(variant)
    assert [s["name"] for s in facts["streets"]] == [s.name for s in variant.streets]
    for half in variant.halves:
        assert find_ranking(half.ranking).rules in facts["halves"][half.name]
    text = rules_text(variant)
    assert max(len(line) for line in text.splitlines()) <= 110
    for policy in variant.policies:
        for choice in set(variant.choices):
            assert policy.of(choice)
            assert read_rules(policy.of(choice), variant)
            assert all(rule in " ".join(text.split()) for rule in policy.of(choice))
    if variant.table not in ("", "blinds", "ante"):
        rules = stud_rules(variant)
        assert rules is not None
        assert rules.first in facts["table"]


def test_deals_and_seats_as_the_rules_say() -> None:
    assert {name: deal_notation(find_variant(name)) for name in DEALS} == DEALS
    assert {name: find_variant(name).seats for name in SEATS} == SEATS
    assert find_variant("holdem").most_players == 23
    assert find_variant("stud").most_players == 8


def test_games_at_the_command_line() -> None:
    out, _ = ask("games")
    assert all(name in out for name in NAMES)
    out, _ = ask("games", "razz")
    assert "highest door card brings it in (ace low" in out
    assert "everybody's last card" in out
    listed = json.loads(ask("games", "-f", "json")[0])
    assert {entry["name"] for entry in listed} == set(games())
    one = json.loads(ask("games", "27td", "-f", "json")[0])
    assert one["name"] == "triple-draw"
    assert "stand pat" in one["policies"]["standard"]["draw"][0]
    assert "did you mean razz" in ask("games", "raz", status=2)[1]


def test_wild_cards_of_any_rank() -> None:
    variant = find_variant("draw:7,joker")
    assert variant.halves[0].ranking == "high:7,joker"
    assert len(variant.deck) == 53
    assert set(variant.wild_cards) == {*parse_cards("7c7d7h7s"), 52}
    quints = equity("AsAhAdJk7c/", "KsKhKd7d7h/", game=variant)
    assert quints.players[0].equity == 1.0
    assert find_variant("stud:2").halves[0].ranking == "high:2"
    with pytest.raises(PotshareError, match="no wild card"):
        find_variant("draw:queen-ish")
    with pytest.raises(PotshareError, match="wild cards are known to"):
        find_variant("badugi:2")


# -- a player's own game --------------------------------------------------------------------------------------------

HOME = """
title = "Seven-card low, deuces wild, two exchanges"
wild = ["2"]
when_short = "reshuffle"
seats = 6

[[street]]
name = "deal"
down = 2
up = 2

[[street]]
name = "swap"
swap = 2
facing = "same"

[[street]]
name = "last"
down = 3

[[half]]
name = "low"
ranking = "ace-to-five"

[policies.standard]
swap = ["keep up to four low cards, eight or lower"]

[policies.bold]
swap = ["keep up to three low cards, six or lower"]
"""


def test_an_own_game_is_played_at_once(tmp_path: Path) -> None:
    path = str(own(tmp_path, HOME))
    out = json.loads(ask("equity", "random", "Ks", "-g", path, "--deals", "4000", "--seed", "1", "-f", "json")[0])
    assert (out["game"], out["policy"]) == ("mine", "standard")
    assert out["players"][0]["equity"] > 0.5
    bold = ask("equity", "random", "random", "-g", path, "--deals", "4000", "--policy", "bold", "-f", "json")
    assert json.loads(bold[0])["policy"] == "bold"
    assert "no policy 'timid'" in ask("equity", "random", "random", "-g", path, "--policy", "timid", status=2)[1]
    assert "wild: 2c 2d 2h 2s" in ask("games", path)[0]


def test_an_own_board_game(tmp_path: Path) -> None:
    half = '[[half]]\nname = "low"\nranking = "ace-to-five"\n'
    low = f'like = "omaha"\ntitle = "Omaha low"\n{half}selection = "two plus three"'
    answer = equity("As2s3d4d", "KsKdQhQd", game=str(own(tmp_path, low)), board="5c6c7dJhKh")
    assert answer.players[0].equity == 1.0
    holdem = f'like = "holdem"\ntitle = "Low hold\'em"\n{half}'
    answer = equity("As2s", "KsKd", game=str(own(tmp_path, holdem, "low.toml")), board="5c6c7d", deals=2000)
    assert answer.players[0].equity > 0.9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = 3", r"mine.toml, line 1: 'title' must be a text in quotes, not 3"),
        ('titel = "x"', r"line 1: unknown key 'titel' of a game; did you mean 'title'\?"),
        ('title = "x"', "a game has 1 to 24 streets"),
        ('title = "x\n', r"mine.toml is not valid TOML: .*line 1"),
        (f"{HOME}\n[[street]]\nname='x'\ndwon = 1", r"line 33: unknown key 'dwon' of a street; did you mean 'down'\?"),
        (HOME.replace("down = 3", "down = 9"), r"line 19: 'down' must be 0 to 7, not 9"),
        (HOME.replace("down = 3", "down = 7"), "dealt 11 cards in all"),
        (HOME.replace("seats = 6", "seats = 60"), r"line 5: seats must be 2 to 7"),
        (HOME.replace('"ace-to-five"', '"ace-to-fife"'), r"line 23: there is no ranking .*did you mean ace-to-five"),
        (HOME.replace('"ace-to-five"', '"badugi"'), "badugi ranks 1 to 4 cards, not 7"),
        (HOME.replace('"ace-to-five"', '"high-spade"'), "wild cards are known to"),
        (HOME.replace('["2"]', '["two-eyed"]'), "'two-eyed' is no wild card"),
        (HOME.replace('["2"]', '"2"'), r"line 3: 'wild' must be a list of texts"),
        (
            HOME.replace("keep up to four", "hold on to four"),
            r"line 26: swap: the keep rule .* write it as 'keep up to",
        ),
        (HOME.replace("eight or lower", "ate or lower"), "'ate' in the rule .* is no rank"),
        (HOME.replace("[policies.standard]", "[policies.best]"), "'best' is a policy of every game"),
        (HOME.replace("[policies.standard]", "[policies.other]"), "needs \\[policies.standard\\]"),
        (HOME.replace("swap = 2", "swap = 2\ndown = 1"), "does several things"),
        (HOME.replace("facing", "faceing"), "unknown key 'faceing' of a street; did you mean 'facing'"),
        (HOME.replace('facing = "same"', 'facing = "sideways"'), "facing = 'sideways' is unknown"),
        ('like = "razz"\ntitle = "x"\n[change."sixth stret"]\nup = 2', r"line 3: there is no street 'sixth stret'"),
        ('like = "raz"\ntitle = "x"', r"line 1: like = 'raz': there is no game 'raz'; did you mean razz"),
        ('like = "razz"\ntitle = "x"\nboards = 3', "line 3: boards must be 1 or 2"),
        ('like = "razz"\ntitle = "x"\n[half]\nname = "low"', r"write each half as \[\[half\]\]"),
        ('like = "razz"\ntitle = "x"\n[[half]]\nname = "low"', "line 3: a half needs a ranking"),
        (
            'like = "draw"\ntitle = "x"\n[change.draw]\ndraw = 6',
            "line 4: street 'draw' exchanges 6 cards, but a player has 5",
        ),
        (
            'like = "draw"\ntitle = "x"\n[change.draw]\ndraw = 3\ndraw_to_ace = 6',
            "line 5: street 'draw' exchanges 6 cards, but a player has 5",
        ),
        (
            'like = "draw"\ntitle = "x"\n[[half]]\nname = "h"\nranking = "two-card-high"',
            "two-card-high ranks exactly 2",
        ),
        ('like = "pineapple"\ntitle = "x"\n[change.discard]\ndiscard = 3', "throw away every card"),
    ],
)
def test_mistakes_in_a_file(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PotshareError, match=words):
        read_variant(own(tmp_path, text))


def test_files_that_are_no_games(tmp_path: Path) -> None:
    with pytest.raises(PotshareError, match="cannot be read"):
        find_variant(str(tmp_path / "absent.toml"))
    with pytest.raises(PotshareError, match="larger than 64 KB"):
        read_variant(own(tmp_path, "#" * 70_000))
    path = tmp_path / "binary.toml"
    path.write_bytes(b"title = \xff\xfe")
    with pytest.raises(PotshareError, match="not UTF-8"):
        read_variant(path)
    status = ask("equity", "random", "random", "-g", str(path), status=2)
    assert "Traceback" not in status[1]


def test_rules_are_sentences() -> None:
    draw = find_variant("draw")
    assert read_rule("Keep  a pair of Jacks or better", draw) == read_rule("keep a pair of jacks or better", draw)
    with pytest.raises(PotshareError, match="did you mean 'full house'"):
        read_rule("stand pat on a ful house or better", draw)
    with pytest.raises(PotshareError, match="write it as"):
        read_rule("bluff", draw)


# -- decisions ------------------------------------------------------------------------------------------------------


def test_legal_discards() -> None:
    hand = parse_cards("AsKd9c5h2s")
    assert len(legal_discards(hand, find_variant("draw"))) == 32
    assert len(legal_discards(hand, find_variant("draw-hoyle"))) == 26
    assert len(legal_discards(hand, find_variant("draw-home"))) == 27
    assert len(legal_discards(parse_cards("AsKd9c"), find_variant("pineapple"))) == 3
    assert len(legal_discards(parse_cards("AsKd9c5h"), find_variant("irish"))) == 6
    assert len(legal_discards(parse_cards("As7d"), find_variant("murder"))) == 3


def test_the_best_discard_is_counted_against_decided_hands() -> None:
    values = best_discards("8s8d8cKd4h", "draw", against=["9h9d9c2s/5d", "JhTh7h6h/2d"])
    assert {v.method for v in values} == {"exact"}
    for value in (values[0], values[-1]):
        text = f"{_text(value.kept)}/{_text(value.thrown)}"
        again = equity(text, "9h9d9c2s/5d", "JhTh7h6h/2d", game="draw", method="exact")
        assert again.players[0].equity == pytest.approx(value.equity)
    assert values[0].equity == max(v.equity for v in values)


def _text(cards: tuple[int, ...]) -> str:
    from potshare.evaluator.cards import format_cards

    return format_cards(cards)


def test_the_best_discard_by_search() -> None:
    values = best_discards("8s8d8cKd4h", "draw", effort=0.25)
    assert _text(values[0].kept).startswith("8s8d8c")
    assert values[0].stderr > 0
    pat = next(v for v in values if not v.thrown)
    assert values[0].equity > pat.equity
    low = best_discards("7s5d4c3h7d", "27sd", effort=0.25)
    assert low[0].thrown in (parse_cards("7s"), parse_cards("7d"))


def test_best_settles_the_first_draw() -> None:
    answer = equity("AsAd7c8h2s", "KsKd3h4h5h", game="draw", policy="best")
    assert answer.method == "exact"
    assert answer.policy is not None
    assert "hand 1 AsAd" in answer.policy
    assert answer.policy.endswith("other and later draws by the table of best discards")
    with pytest.raises(PotshareError, match="nobody draws or discards in razz"):
        equity("random", "random", game="razz", policy="best")


def test_policies_change_answers_and_are_named() -> None:
    options: dict[str, Any] = {"game": "draw", "method": "monte-carlo", "deals": 40_000, "seed": 1}
    standard = equity("AsAd7c8h2s", "random", **options)
    pat = equity("AsAd7c8h2s", "random", policy="pat", **options)
    assert (standard.policy, pat.policy) == ("standard", "pat")
    assert standard.to_dict()["policy"] == "standard"
    assert "policy" not in equity("As", "Kd", game="three-card-stud").to_dict()
    truth = equity("AsAd7c8h2s", "random", game="draw", policy="pat", method="exact")
    assert abs(pat.players[0].equity - truth.players[0].equity) <= 4 * pat.players[0].stderr
    assert abs(standard.players[0].equity - pat.players[0].equity) > 0.02


def test_the_draw_command() -> None:
    out = json.loads(ask("draw", "9s8d6h4c3s", "-g", "27sd", "--against", "2c3d4h7s/Kd", "-f", "json")[0])
    assert len(out["discards"]) == 32
    pat = next(d for d in out["discards"] if not d["discarded"])
    assert pat["equity"] == pytest.approx(1 - 0.30952380952380953)
    assert {d["method"] for d in out["discards"]} == {"exact"}
    rows = list(
        csv.DictReader(io.StringIO(ask("draw", "AsKs2d", "-g", "crazy-pineapple", "-b", "QsJs3h", "-f", "csv")[0]))
    )
    assert len(rows) == 3
    assert rows[0]["kept"] == "AsKs"
    text, _ = ask("draw", "7h8h9hAsAd", "--against", "KsKdKcQh2c", "--policy", "pat")
    assert "Keep" in text
    assert "AsAd" in text
    assert "nobody draws or discards" in ask("draw", "AsKs", "-g", "holdem", status=2)[1]
    assert "before the draw" in ask("draw", "AsKs/2d", "-g", "pineapple", status=2)[1]
    assert "draws with 5" in ask("draw", "AsKsQs", "-g", "english-stud", status=2)[1]


def test_an_unknown_hand_may_be_written_in_several_ways() -> None:
    found = spot(["random", "*", "any"], "stud")
    assert all(r.is_random for r in found.ranges)


def test_rules_of_written_hands_are_counted() -> None:
    exact = equity("8s8d8cKd4h", "9h9d9c2s5d", game="draw")
    assert (exact.method, exact.policy) == ("exact", "standard")
    given = equity("8s8d8c/Kd4h", "9h9d9c/2s5d", game="draw")
    assert (given.policy, given.players[0].fraction) == ("given", exact.players[0].fraction)
    options: dict[str, Any] = {"method": "monte-carlo", "deals": 60_000, "seed": 1}
    sampled = equity("8s8d8cKd4h", "9h9d9c2s5d", game="draw", **options)
    assert abs(sampled.players[0].equity - exact.players[0].equity) <= 4 * sampled.players[0].stderr
    flop = equity("AsKs2d", "QhJh9h", game="crazy-pineapple", board="2h3h4d")
    assert (flop.method, flop.policy) == ("exact", "standard")
    again = equity("AsKs2d", "QhJh9h", game="crazy-pineapple", board="2h3h4d", **options)
    assert abs(again.players[0].equity - flop.players[0].equity) <= 4 * again.players[0].stderr
    # Without the flop the discards depend on it.
    assert equity("AsKs2d", "QhJh9h", game="crazy-pineapple", deals=5000, seed=1).method == "monte-carlo"
    best = equity("AsKs2d", "QhJh9h", game="crazy-pineapple", board="2h3h4d", policy="best")
    assert best.players[0].equity >= flop.players[0].equity
    with pytest.raises(PotshareError, match="seen 3 more board cards"):
        best_discards("AsKs2d", "crazy-pineapple")

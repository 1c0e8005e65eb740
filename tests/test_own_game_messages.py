"""Mistakes in a player's own game file: each is said with its place and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import potshare as ps
from potshare.errors import PotshareError
from potshare.simulate.variants import find_variant, read_variant, read_wild

LOW = '[[half]]\nname = "low"\nranking = "ace-to-five"\n'
GAME = f'title = "x"\n[[street]]\ndown = 5\n{LOW}'
SPLIT = 'like = "omaha"\ntitle = "x"\n[[half]]\nname = "{}"\nranking = "{}"\nselection = "two plus three"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('like = "razz"\ntitle = "x"\nchange = 3', r"line 3: write changes as \[change.NAME OF STREET\]"),
        (f"{GAME}[change.deal]\ndown = 3", "line 7: 'change' needs 'like'"),
        (f"{GAME}[[street]]\npush = true\nup = 2", "line 7: street 'street 2': only a single up card can be pushed"),
        (f"{GAME}[[street]]\nname = 'empty'", "line 7: street 'empty' deals nothing; write down, up, board"),
        (
            'like = "draw"\ntitle = "x"\n[change.draw]\ndraw = 4\ndraw_to_ace = 3',
            "line 3: street 'draw': draw_to_ace is less than draw",
        ),
        ('like = "razz"\ntitle = "x"\npolicies = 3', r"line 3: write policies as \[policies.NAME\]"),
        ('like = "razz"', r'a game needs a title: write title = "..."'),
        ('like = "omaha.toml"\ntitle = "x"', "line 1: like = 'omaha.toml': it must name a game that comes with"),
        (GAME + LOW.replace("low", "two") + LOW.replace("low", "three"), "one or two halves, not 3"),
        (GAME + LOW, "two halves have the same name"),
        (GAME.replace("ranking", "board = 2\nranking"), "half 'low' is played on board 2 of 1"),
        (GAME.replace("down = 5", "board = 5"), "each player is dealt 0 cards in all; 1 to 7 can be ranked"),
        (GAME.replace("down = 5", "down = 1\n[[street]]\nboard = 4\n[[street]]\nboard = 3"), "at most 5 cards, not 7"),
        (
            'like = "pineapple"\ntitle = "x"\n[[street]]\ndown = 3\n[[street]]\nname = "away"\ndiscard = 4\n'
            "[[street]]\ndown = 4\n[[street]]\nboard = 4",
            "street 'away' throws away more cards than a player has",
        ),
        (SPLIT.format("high", "badugi"), "line 5: badugi does not rank two cards plus three"),
        (
            SPLIT.format("high", "high") + "[[street]]\ndown = 1\n[[street]]\nboard = 5",
            "two plus three takes 2 to 6 hole cards and a board of 5",
        ),
        (GAME.replace("ace-to-five", "short-deck"), 'line 6: short-deck is for the short deck; write deck = "short"'),
        (
            'like = "draw"\ntitle = "x"\n[[street]]\ndown = 5\n[[street]]\nname = "off"\ndiscard = 1\n'
            "[[street]]\ndown = 1",
            r"\[policies.standard\] has no rules for 'discard'",
        ),
    ],
)
def test_mistakes_are_said(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(PotshareError, match=words):
        read_variant(file)


def test_what_the_mistakes_were_made_in_is_right(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GAME, "utf-8")
    assert ps.equity("As2s3d4d5h", "KsKdQhQd2c", game=str(file)).players[0].equity == 1.0
    file.write_text(SPLIT.format("high", "high"), "utf-8")
    assert ps.equity("AsAh2c3d", "KsKh4c5d", game=str(file), board="Ac7d8h9sJc").players[0].equity == 1.0


def test_wild_cards_in_words() -> None:
    assert read_wild(["Deuces", "10", "a", "deuce", " joker"], "x") == ("2", "T", "A", "joker")
    with pytest.raises(PotshareError, match="x: a deck has a joker, two jokers, or a bug, not several"):
        read_wild(["joker", "bug"], "x")
    assert find_variant("draw:2,joker").wild == ("2", "joker")

"""Expected payouts of hands whose betting ended before the cards did."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from potshare.errors import PotshareError
from potshare.simulate.equity import equity
from potshare.simulate.scoring.luck import Luck, luck
from potshare.simulate.scoring.phh import hands_of, outcome, read_hand, replay


def found(text: str) -> Luck | None:
    """The luck of a hand's text."""
    return luck(replay(read_hand(text)))


def test_side_pots_go_by_their_own_players() -> None:
    text = """
    variant = "NT"
    antes = [0, 0, 0]
    blinds_or_straddles = [1, 2, 0]
    min_bet = 2
    starting_stacks = [100, 40, 80]
    actions = ["d dh p1 AhAd", "d dh p2 QsJs", "d dh p3 KcKd", "d db 2s3s9d", "p3 cbr 80", "p1 cbr 100", "p2 cc",
      "p1 sm AhAd", "p2 sm QsJs", "p3 sm KcKd", "d db 4s", "d db 9c"]
    """
    # The flop lies there from the start here, so that counting is quick.
    answer = found(text)
    assert answer is not None
    assert answer.method == "exact"
    main = [Fraction(p.fraction or 0) for p in equity("AhAd", "QsJs", "KcKd", board="2s3s9d").players]
    side = [Fraction(p.fraction or 0) for p in equity("AhAd", "KcKd", board="2s3s9d", dead="QsJs").players]
    assert answer.expected == (120 * main[0] + 80 * side[0] + 20, 120 * main[1], 120 * main[2] + 80 * side[1])
    assert sum(answer.expected) == 220


def test_stud_all_in_on_sixth_street() -> None:
    text = """
    variant = "FR"
    antes = [1, 1]
    bring_in = 1
    small_bet = 2
    big_bet = 4
    starting_stacks = [5, 5]
    actions = ["d dh p1 ??2cKd", "d dh p2 3c4c5c", "p1 pb", "p2 cc", "d dh p1 4d", "d dh p2 6c", "p2 cbr 2", "p1 cc",
      "d dh p1 5d", "d dh p2 Qd", "p1 cbr 1", "p2 cc", "d dh p1 7d", "d dh p2 Qh", "p1 sm Ad2cKd4d5d7d",
      "p2 sm 3c4c5c6cQdQh", "d dh p1 Kc", "d dh p2 Ac"]
    """
    answer = found(text)
    assert answer is not None
    # The moment is fifth street: two cards each are to come.
    shares = [Fraction(p.fraction or 0) for p in equity("Ad2cKd4d5d", "3c4c5c6cQd", game="razz").players]
    assert answer.expected == (10 * shares[0], 10 * shares[1])


def test_a_recorded_draw_is_taken_as_it_was_made() -> None:
    text = """
    variant = "N2L1D"
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    min_bet = 2
    starting_stacks = [50, 50]
    actions = ["d dh p1 7c5d4h3sKc", "d dh p2 9c8d6h4s2h", "p2 cbr 50", "p1 cc", "p1 sd Kc", "p2 sd", "d dh p1 Ah",
      "p1 sm -", "p2 sm -"]
    """
    answer = found(text)
    assert answer is not None
    assert answer.method == "exact"
    shares = [Fraction(p.fraction or 0) for p in equity("7c5d4h3s/Kc", "9c8d6h4s2h pat", game="deuce-to-seven").players]
    assert answer.expected == (100 * shares[0], 100 * shares[1])
    # 7-5-4-3 beats a nine by any card that makes neither a pair, a straight nor a card above the eight.
    assert Fraction(1, 6) < shares[0] < Fraction(1, 2)


def test_betting_to_the_end_leaves_nothing_to_luck() -> None:
    for label, text in hands_of(str(Path(__file__).with_name("hands.phhs"))):
        played = replay(read_hand(text))
        answer = luck(played)
        if played.after:
            assert answer is not None, label
            assert sum(answer.expected) == pytest.approx(sum(outcome(played).payouts))
        else:
            assert answer is None, label


def test_unknown_cards_are_said() -> None:
    text = """
    variant = "NT"
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    min_bet = 2
    starting_stacks = [50, 50]
    actions = ["d dh p1 AhAd", "d dh p2 ????", "p2 cbr 50", "p1 cc", "d db 2c3c4c", "d db 5c", "d db 6c", "p2 sm"]
    """
    with pytest.raises(PotshareError, match="no expected payouts: the cards of p2 are unknown"):
        found(text)


def test_hidden_stud_cards_shown_in_another_order_are_not_guessed() -> None:
    text = """
    variant = "FR"
    antes = [1, 1]
    bring_in = 1
    small_bet = 2
    big_bet = 4
    starting_stacks = [3, 3]
    actions = ["d dh p1 ????Kd", "d dh p2 3c4c5c", "p1 pb", "p2 cbr 2", "p1 cc", "d dh p1 4d", "d dh p2 6c",
      "d dh p1 5d", "d dh p2 Qd", "d dh p1 7d", "d dh p2 Qh", "d dh p1 ??", "d dh p2 Ac", "p1 sm SHOWN", "p2 sm -"]
    """
    assert found(text.replace("SHOWN", "Ad2cKd4d5d7dKc")) is not None
    with pytest.raises(PotshareError, match="the cards of p1 are unknown"):
        found(text.replace("SHOWN", "KcKd7d5d4d2cAd"))

"""Recorded hands: every variant against pokerkit, real hands, what a record lacks, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from potshare.errors import PotshareError
from potshare.simulate.scoring import phh
from potshare.simulate.scoring.phh import HandHistory, Outcome, Replay, differences, outcome, read_hand, replay

FIXTURE = Path(__file__).with_name("hands.phhs")

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 50]
actions = [
  "d dh p1 AhAd", "d dh p2 ????", "d dh p3 KcKd",
  "p3 cbr 50", "p1 cbr 100", "p2 f # a pity", "p3 sm KcKd",
  "p1 sm AhAd", "d db 2c3c4d", "d db 5h", "d db 9s",
]
finishing_stacks = [152, 98, 0]
"""


def play(text: str) -> tuple[HandHistory, Replay, Outcome]:
    """Read, replayed and settled."""
    hand = read_hand(text)
    played = replay(hand)
    return hand, played, outcome(played)


def verify(text: bytes | str) -> list[str]:
    """Where the stacks of a hand differ from the record."""
    hand = read_hand(text)
    assert hand.finishing is not None
    return differences(hand, outcome(replay(hand)))


def test_a_hand() -> None:
    hand, played, found = play(HAND)
    assert played.put == [100, 2, 50]
    assert found.payouts == (152, 0, 0)
    assert found.returned == (50, 0, 0)
    assert found.stacks == (152, 98, 0)
    assert found.winners == (0,)
    assert differences(hand, found) == []
    assert played.after
    assert played.last.board == ()


def test_fixtures_of_all_eleven_variants_verify() -> None:
    codes = []
    for label, text in phh.hands_of(str(FIXTURE)):
        assert verify(text) == [], label
        codes.append(read_hand(text).code)
    assert codes == list(phh.GAMES)


def test_hands_played_by_pokerkit() -> None:
    pytest.importorskip("pokerkit")
    from dealer import CODES
    from dealer import play as play_by_pokerkit

    assert set(CODES) == set(phh.GAMES)
    compared = split = 0
    for code in CODES:
        for seed in range(25):
            state, history = play_by_pokerkit(code, seed)
            _, _, found = play(history.dumps())
            assert found.settlement is not None
            assert sum(s or 0 for s in found.stacks) == sum(state.starting_stacks)
            compared += 1
            if list(found.stacks) == list(state.stacks):
                continue
            # pokerkit joins side pots once beaten hands are dead, and gives odd chips of stud by seat.
            split += 1
            apart = max(abs((a or 0) - b) for a, b in zip(found.stacks, state.stacks, strict=True))
            shared = any(sum(paid > 0 for paid in half) > 1 for award in found.settlement.awards for half in award)
            low = any(sum(any(half) for half in award) > 1 for award in found.settlement.awards)
            assert shared or low
            assert apart <= 2 * len(found.settlement.pots), (code, seed)
    assert compared == 275
    assert split <= 10


def test_real_hands_verify(shared: Path) -> None:
    recorded = 0
    for file in phh.files_of(str(shared / "phh")):
        for label, text in phh.hands_of(file):
            hand = read_hand(text)
            found = outcome(replay(hand))
            if hand.finishing is not None:
                assert differences(hand, found) == [], label
                recorded += 1
    assert recorded == 306


def test_files_are_split_by_hand_and_in_natural_order(tmp_path: Path) -> None:
    for name in ("b10.phh", "b9.phh", "a.phhs", "notes.txt"):
        (tmp_path / name).write_text(HAND)
    assert [Path(f).name for f in phh.files_of(str(tmp_path))] == ["a.phhs", "b9.phh", "b10.phh"]
    two = io.BytesIO(f"# a file\n\n[3]\n{HAND}\n[10] # ten\n{HAND}[10._note]\nx = 1\n".encode())
    hands = list(phh.hands_of("x.phhs", two))
    assert [label for label, _ in hands] == ["standard input[3]", "standard input[10]"]
    assert all(verify(text) == [] for _, text in hands)
    large = io.BytesIO(b"[1]\n" + b"#" * (phh.LARGEST_HAND + 5) + b"\n[2]\n" + HAND.encode())
    (_, first), (_, second) = phh.hands_of("", large)
    assert isinstance(first, str)
    assert "no more than" in first
    assert verify(second) == []
    with pytest.raises(PotshareError, match=r"holds no \.phh"):
        phh.files_of(str(_empty(tmp_path)))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def test_chips_with_decimals_stay_exact() -> None:
    text = HAND.replace("[100, 100, 50]", "[100.25, 100.10, 50]").replace("[152, 98, 0]", "[152.25, 98.10, 0]")
    hand, _, found = play(text)
    assert str(hand.chip) == "0.01"
    assert found.stacks == (15225, 9810, 0)
    assert differences(hand, found) == []


def test_with_two_players_blinds_and_antes_are_the_other_way_round() -> None:
    text = """
    variant = "NT"
    antes = [0, 3]
    ante_trimming_status = false
    blinds_or_straddles = [1, 2]
    starting_stacks = [100, 100]
    actions = ["d dh p1 AhAd", "d dh p2 KcKd", "p2 f"]
    finishing_stacks = [101, 99]
    """
    hand, played, found = play(text)
    assert played.dead == [3, 0]
    assert played.put == [2, 1]
    assert found.stacks == (101, 99)
    assert differences(hand, found) == []


def test_trimmed_antes_go_back_and_others_do_not() -> None:
    text = """
    variant = "NT"
    antes = [0, 10, 0]
    ante_trimming_status = STATUS
    blinds_or_straddles = [1, 2, 0]
    starting_stacks = [100, 100, 100]
    actions = ["d dh p1 AhAd", "d dh p2 KcKd", "d dh p3 QcQd", "p3 cc", "p1 cc", "p2 f"]
    """
    text += "\n"
    ended = text.replace('"p2 f"]', '"p2 f", "p3 f"]')
    assert play(ended.replace("STATUS", "false"))[2].stacks == (114, 88, 98)
    assert play(ended.replace("STATUS", "true"))[2].stacks == (104, 98, 98)


def test_unlimited_stacks() -> None:
    _, _, found = play(HAND.replace("[100, 100, 50]", "[inf, 100, 50]").replace("[152, 98, 0]", "[0, 98, 0]"))
    assert found.stacks == (None, 98, 0)


def test_a_player_who_mucks_wins_nothing_but_gets_back_what_was_not_called() -> None:
    _, _, found = play(HAND.replace("p1 sm AhAd", "p1 sm"))
    assert found.payouts == (50, 0, 102)
    assert found.notes == ("p1 mucked",)
    with pytest.raises(PotshareError, match="nobody shows"):
        play(HAND.replace("p1 sm AhAd", "p1 sm").replace("p3 sm KcKd", "p3 sm"))


def test_known_hands_speak_without_being_shown() -> None:
    assert play(HAND.replace('"p3 sm KcKd",\n', "\n").replace('"p1 sm AhAd",', ""))[2].payouts == (152, 0, 0)


def test_unknown_cards_and_missing_shows_are_reported() -> None:
    unknown = HAND.replace('"d dh p3 KcKd"', '"d dh p3 ????"')
    assert play(unknown)[2].payouts == (152, 0, 0)
    with pytest.raises(PotshareError, match="p3 did not show: the cards of the showdown are unknown"):
        play(unknown.replace('"p3 sm KcKd",', ""))
    with pytest.raises(PotshareError, match="p3 did not show every card"):
        play(unknown.replace("p3 sm KcKd", "p3 sm Kc??"))
    with pytest.raises(PotshareError, match="the board has 4 of 5 cards"):
        play(HAND.replace(', "d db 9s"', ""))


WRONG = [
    ('"p3 cbr 50"', '"p3 cbr 60"', r"action 4, 'p3 cbr 60': p3 puts in 60 with 50 behind"),
    ('"p3 cbr 50"', '"p3 cbr 2"', "no raise: 2 lie there already"),
    ('"p3 cbr 50"', '"p3 cbr many"', "'many' is not a number of chips"),
    ('"p3 cbr 50"', '"p3 cbr Infinity"', "'Infinity' is not a number of chips"),
    ('"p3 cbr 50"', '"p3 f", "p3 cbr 50"', "p3 has folded"),
    ('"p3 cbr 50"', '"p4 cbr 50"', "'p4' is not a player"),
    ('"p3 cbr 50"', '"p3 raises 50"', "it is no action of the format"),
    ('"p3 cbr 50"', '"p3 sd"', "nobody discards in holdem"),
    ("d db 2c3c4d", "d db 2c3cKd", "Kd is already in the hand of p3"),
    ("d db 5h", "d db 2c", "2c is already on the board"),
    ("d dh p3 KcKd", "d dh p3 KcAh", "Ah is already in the hand of p1"),
    ("p3 sm KcKd", "p3 sm KcKs", "p3 shows KcKs, but was dealt KcKd"),
    ("p3 sm KcKd", "p3 sm Kc", "p3 shows Kc, but holds 2 cards"),
    ("d db 5h", "d db 5x", "'x' at position 2 is not a suit"),
    ('"NT"', '"XX"', "variants are FT, NT"),
    ("[0, 0, 0]", "[0, 0]", "antes has 2 entries for 3 players"),
    ("[100, 100, 50]", "[100, -1, 50]", "starting_stacks holds a negative amount"),
    ("[100, 100, 50]", "[100]", "starting_stacks has 1 entries"),
    ("[100, 100, 50]", '[100, "x", 50]', r"starting_stacks\[2\] is 'x'"),
    ("[100, 100, 50]", "[100, nan, 50]", r"starting_stacks\[2\] is NaN; write a number of chips"),
    ('"NT"', '"NS"', "2c is not in the deck of short-deck"),
    ("min_bet = 2", "min_bet = = 2", "not valid TOML"),
    ("starting_stacks = [100, 100, 50]", "", "starting_stacks is missing"),
    ("actions = [", "actions = 3\nothers = [", "actions is missing"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_wrong_record_is_refused_and_named(old: str, new: str, message: str) -> None:
    assert old in HAND
    with pytest.raises(PotshareError, match=message):
        play(HAND.replace(old, new))


def test_stacks_without_an_end_are_no_record() -> None:
    hand, _, found = play(HAND.replace("[152, 98, 0]", "[152, inf, 0]"))
    assert hand.finishing is None
    assert differences(hand, found) == []


def test_a_wrong_stack_is_found() -> None:
    hand, _, found = play(HAND.replace("[152, 98, 0]", "[150, 98, 2]"))
    assert differences(hand, found) == ["p1 152, recorded 150", "p3 0, recorded 2"]


def test_discards_are_followed() -> None:
    text = """
    variant = "F2L3D"
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    small_bet = 2
    big_bet = 4
    starting_stacks = [50, 50]
    actions = ["d dh p1 7c5d4h3s2c", "d dh p2 ??????????", "p2 cc", "p1 cc", "p1 sd", "p2 sd ????", "d dh p2 ????",
      "p1 cc", "p2 cc", "p1 sd", "p2 sd", "p1 cc", "p2 cc", "p1 sd", "p2 sd Kc", "d dh p2 ??", "p1 cbr 4", "p2 cc",
      "p1 sm 7c5d4h3s2c", "p2 sm KdQd8c6d5h"]
    finishing_stacks = [56, 44]
    """
    assert verify(text) == []
    with pytest.raises(PotshareError, match="p1 discards Ah, which is not in the hand"):
        play(text.replace('"p1 cc", "p1 sd", "p2 sd ????"', '"p1 cc", "p1 sd Ah", "p2 sd ????"'))
    with pytest.raises(PotshareError, match="p1 discards an unknown card, but all cards of the hand are known"):
        play(text.replace('"p1 cc", "p1 sd", "p2 sd ????"', '"p1 cc", "p1 sd ??", "p2 sd ????"'))


def test_the_community_card_of_a_full_stud_table() -> None:
    text = FIXTURE.read_text("utf-8")
    assert "F7S" in text
    hands = ["2c3d4h5s7c8d", "AsAdKcKd9h9s"]
    up = [" ".join(h[i : i + 2] for i in range(0, 12, 2)).split() for h in hands]
    actions: list[Any] = [f"d dh p{p + 1} {''.join(up[p][:3])}" for p in (0, 1)] + ["p1 pb", "p2 cc"]
    for street in (3, 4, 5):
        actions += [f"d dh p{p + 1} {up[p][street]}" for p in (0, 1)] + ["p2 cc", "p1 cc"]
    actions += ["d db 6h", "p2 cc", "p1 cc"]
    text = f"""
    variant = "F7S"
    antes = [1, 1]
    bring_in = 1
    small_bet = 2
    big_bet = 4
    starting_stacks = [20, 20]
    actions = {actions}
    finishing_stacks = [22, 18]
    """
    assert verify(text) == []

"""The same hands through other programs, where they are installed."""

import itertools

import numpy as np
import pytest
import twins

import potshare as ps


def same_order(ours, theirs):
    """Whether greater of ours is greater of theirs, and equal is equal."""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    return all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))


def texts(hand):
    return [ps.format_cards([card]) for card in hand]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator(size):
    evaluate_cards = pytest.importorskip("phevaluator").evaluate_cards
    hands = twins.random_hands(4000, size, size)
    theirs = [7463 - evaluate_cards(*hand) for hand in hands.tolist()]
    assert ps.strengths(hands).tolist() == theirs


def test_phevaluator_omaha():
    evaluate_omaha_cards = getattr(pytest.importorskip("phevaluator"), "evaluate_omaha_cards", None)
    if evaluate_omaha_cards is None:
        pytest.skip("this phevaluator has no Omaha")
    holes, boards = np.split(twins.random_hands(3000, 9, 1), [4], axis=1)
    theirs = [7463 - evaluate_omaha_cards(*b, *h) for h, b in zip(holes.tolist(), boards.tolist(), strict=True)]
    assert ps.strengths(holes, "high", boards, selection="two plus three").tolist() == theirs


@pytest.mark.parametrize("size", [5, 6, 7])
def test_eval7(size):
    eval7 = pytest.importorskip("eval7")
    hands = twins.random_hands(5000, size, 10 + size)
    cards = [eval7.Card(text) for text in texts(range(52))]
    theirs = [eval7.evaluate([cards[c] for c in hand]) for hand in hands.tolist()]
    assert same_order(ps.strengths(hands).tolist(), theirs)


POKERKIT = {
    "high": ("StandardHighHand", 7),
    "ace-to-five": ("RegularLowHand", 7),
    "eight-or-better": ("EightOrBetterLowHand", 7),
    "deuce-to-seven": ("StandardLowHand", 5),
    "badugi": ("BadugiHand", 4),
    "short-deck": ("ShortDeckHoldemHand", 7),
}


@pytest.mark.parametrize("name", POKERKIT)
def test_pokerkit(name):
    pokerkit = pytest.importorskip("pokerkit")
    kind, size = POKERKIT[name]
    reader = getattr(pokerkit, kind)
    hands = twins.random_hands(400, size, 3, range(16, 52) if name == "short-deck" else range(52))
    ours = ps.strengths(hands, name).tolist()
    theirs = [reader.from_game_or_none("".join(texts(hand))) for hand in hands.tolist()]
    assert [s == 0 for s in ours] == [hand is None for hand in theirs]
    known = sorted(((s, hand) for s, hand in zip(ours, theirs, strict=True) if s), key=lambda pair: pair[0])
    for (s, one), (t, other) in itertools.pairwise(known):
        assert one < other if s < t else one == other

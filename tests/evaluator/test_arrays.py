"""Array functions: shapes, types, card numbers, duplicates, threads, categories."""

import subprocess
import sys

import numpy as np
import pytest
import twins

import potshare as ps
from potshare.errors import PotshareError
from potshare.kernel import KERNELS


def test_kinds_of_arrays():
    hands = twins.random_hands(1000, 7, 1)
    wanted = ps.strengths(hands)
    assert wanted.dtype == np.uint16
    assert wanted.shape == (1000,)
    frozen = hands.copy()
    frozen.flags.writeable = False
    for form in (hands.astype(np.int64), hands.tolist(), np.asfortranarray(hands), frozen, hands[::-1][::-1]):
        assert np.array_equal(ps.strengths(form), wanted)
    assert ps.strengths(hands[:0]).shape == (0,)


REFUSED = [
    (np.zeros((2, 5)), "integers"),
    (np.zeros(5, np.uint8), "two dimensions"),
    (np.zeros((1, 5, 2), np.uint8), "two dimensions"),
    (np.array([["As"] * 5]), "integers"),
    (np.array([[0, 1, 2, 3, 52]], np.uint8), "row 0 column 4 holds 52, which is a joker"),
    (np.array([[0, 1, 2, 3, 4], [0, 1, 99, 3, 4]], np.uint8), "row 1 column 2 holds 99"),
    (np.array([[0, 1, 2, 3, -1]]), "holds -1"),
    (np.array([[0, 1, 2, 3, 256]]), "holds 256"),
    (np.zeros((1, 8), np.uint8), "ranks 5 to 7 cards, not 8"),
    (np.zeros((1, 0), np.uint8), "not 0"),
]


@pytest.mark.parametrize(("cards", "said"), REFUSED)
def test_refusals(cards, said):
    with pytest.raises(PotshareError, match=said):
        ps.strengths(cards)


def test_short_deck_refuses_low_cards():
    with pytest.raises(PotshareError, match=r"row 1 column 0 holds 15 \(5s\), .* not in the deck of short-deck"):
        ps.strengths(np.array([[16, 17, 18, 19, 20], [15, 16, 17, 18, 19]], np.uint8), "short-deck")
    with pytest.raises(PotshareError, match="boards row 0"):
        ps.strengths(np.array([[16, 17]], np.uint8), "short-deck", [3, 20, 24])


def test_duplicates_on_request():
    hands = np.array([[0, 1, 2, 3, 4], [5, 6, 7, 8, 5]], np.uint8)
    assert ps.strengths(hands).shape == (2,)
    with pytest.raises(PotshareError, match="row 1 holds a card twice"):
        ps.strengths(hands, duplicates=True)
    with pytest.raises(PotshareError, match="row 0 holds a card twice"):
        ps.strengths(hands[:1, :2], "high", [1, 20, 30], duplicates=True)
    assert ps.strengths(hands[:1], duplicates=True).shape == (1,)


def test_threads_change_nothing():
    hands = twins.random_hands(300_000, 7, 2)
    one = ps.strengths(hands)
    for threads in (2, 3, None):
        assert np.array_equal(ps.strengths(hands, threads=threads), one)
    holes, boards = np.ascontiguousarray(hands[:, :2]), np.ascontiguousarray(hands[:, 2:])
    assert np.array_equal(ps.strengths(holes, "high", boards, threads=2), one)
    omaha = ps.strengths(holes, "high", boards, selection="two plus three")
    assert np.array_equal(ps.strengths(holes, "high", boards, selection="two plus three", threads=2), omaha)
    with pytest.raises(PotshareError, match="threads"):
        ps.strengths(hands, threads=0)


def test_categories():
    ranking = ps.rankings()["high"]
    codes = ps.categories(np.array([0, 1, 1277, 1278, 7462]))
    assert codes.dtype == np.uint8
    assert codes.tolist() == [255, 0, 0, 1, 8]
    assert [ranking.categories[c] for c in codes[1:]] == ["high card", "high card", "pair", "straight flush"]
    with pytest.raises(PotshareError, match=r"0\.\.7462"):
        ps.categories(np.array([7463]))
    with pytest.raises(PotshareError, match="integers"):
        ps.categories(np.array([1.0]))


def test_one_signature_for_each_kernel():
    for name in ("high", "badugi", "high:2", "deuce-to-seven:joker"):
        ps.strengths(twins.random_hands(10, 4 if name == "badugi" else 7, 3), name)
    ours = [kernel for kernel in KERNELS if kernel.__module__.startswith("potshare.evaluator")]
    assert ours
    for kernel in ours:
        assert len(kernel.signatures) <= 1, kernel


def test_importing_the_package_is_light():
    code = "import sys, potshare; assert not {'numba', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

"""Every ranking against a slow twin over its whole domain, and a digest that locks its order."""

import hashlib
import itertools

import numpy as np
import pytest
import twins

import potshare as ps
from potshare.evaluator import arrays

SHORT = range(16, 52)

FIVE_CARDS = {
    "high": (twins.high, 7462),
    "ace-to-five": (twins.ace_to_five, 6175),
    "eight-or-better": (twins.eight_or_better, 56),
    "deuce-to-seven": (twins.deuce_to_seven, 7462),
    "short-deck": (twins.short_deck, 1404),
    "short-deck-trips": (twins.short_deck_trips, 1404),
}
FEWER_CARDS = {
    "three-card": (3, twins.three_card, 741),
    "three-card-casino": (3, twins.three_card_casino, 741),
    "two-card-high": (2, twins.two_card_high, 91),
    "two-card-low": (2, twins.two_card_low, 91),
}
DIGESTS = {
    "ace-to-five": "9b5ba900cf0e017b",
    "ace-to-five-partial": "bbcea74465650cd1",
    "badugi": "7abea3403ed228a8",
    "deuce-to-seven": "e72f0d052b463f49",
    "eight-or-better": "929f1d7851560d7c",
    "high": "26253a121df87ac8",
    "high-partial": "686b77df6bf10418",
    "high-spade": "3cedb8bfbcb7068e",
    "short-deck": "f49e583c2ef2de8b",
    "short-deck-trips": "c0865ffc716cdeb1",
    "three-card": "d9b58e4dd2a96aef",
    "three-card-casino": "6f39ffdfbec70a8b",
    "two-card-high": "fb2e4bdd01d21ed0",
    "two-card-low": "dc92a17f0ca96b32",
    "high:2": "c89d5a2f708d5ac7",
    "high:joker": "b2ad2e5c85d4c1b8",
    "high:jokers": "3f0a2a13b21894bb",
    "high:bug": "ac97881c6e929658",
    "ace-to-five:joker": "37eb7148cf65e6f1",
    "eight-or-better:joker": "3a09b46a61c39805",
    "deuce-to-seven:joker": "c13bfa9488594176",
}
"""The strengths of every hand in lexicographic order, little-endian, by blake2b."""


def strengths(hands, name):
    """The strengths in the vectorised form, which must be those of the form for a few hands."""
    found = ps.strengths(hands, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "BATCH", len(hands) + 1)
        assert np.array_equal(found, ps.strengths(hands, name)), name
    return found


def deck_of(name):
    return SHORT if name.startswith("short") else range(52)


def locked(name, strengths):
    digest = hashlib.blake2b(strengths.astype("<u2").tobytes(), digest_size=8).hexdigest()
    assert digest == DIGESTS[name], f"the order of {name} has changed: {digest}"


@pytest.fixture(scope="module")
def five_card_twins():
    return {
        name: twins.Twin(key, ranks=range(4, 13) if name.startswith("short") else range(13))
        for name, (key, _) in FIVE_CARDS.items()
    }


@pytest.fixture(scope="module")
def five_card_hands():
    return {52: twins.all_hands(5), 36: twins.all_hands(5, SHORT)}


@pytest.mark.parametrize("name", FIVE_CARDS)
def test_every_five_cards(name, five_card_twins, five_card_hands):
    hands = five_card_hands[len(deck_of(name))]
    found = strengths(hands, name)
    twin = five_card_twins[name]
    assert twin.values == ps.rankings()[name].values == FIVE_CARDS[name][1]
    assert np.array_equal(found, twin.exactly(hands))
    locked(name, found)


@pytest.mark.parametrize("size", [6, 7])
def test_two_million_of_more_cards(size, five_card_twins):
    hands = twins.random_hands(2_000_000, size, seed=size)
    ordered = np.sort(hands, axis=1)
    names = [name for name in FIVE_CARDS if not name.startswith("short")]
    best = {name: np.zeros(len(hands), np.uint16) for name in names}
    any_twin = five_card_twins["high"]
    for columns in itertools.combinations(range(size), 5):
        five = ordered[:, columns]
        suited = ((five & 3) == (five[:, :1] & 3)).all(axis=1).astype(np.intp)
        code = any_twin.code(five >> 2)
        for name in names:
            np.maximum(best[name], five_card_twins[name].table[suited, code], out=best[name])
    for name in names:
        assert np.array_equal(strengths(hands, name), best[name]), name


@pytest.mark.parametrize("name", ["short-deck", "short-deck-trips"])
@pytest.mark.parametrize("size", [6, 7])
def test_short_deck_of_more_cards(name, size, five_card_twins):
    hands = twins.random_hands(2_000_000, size, size, SHORT)
    assert np.array_equal(strengths(hands, name), five_card_twins[name].best(hands))


@pytest.mark.parametrize("name", [name for name in FIVE_CARDS if not name.startswith("short")])
@pytest.mark.parametrize("size", [6, 7])
def test_suited_hands_of_more_cards(name, size, five_card_twins):
    # Five and more of a suit are rare among random hands, and where 2-7 has its one trap.
    rng = np.random.default_rng(size)
    suit = rng.integers(0, 4, (200_000, 1))
    ranks = np.argsort(rng.random((200_000, 13)), axis=1)
    hands = (4 * ranks[:, :size] + suit).astype(np.uint8)
    others = rng.integers(0, 3, len(hands))
    for column in range(2):
        moved = others > column
        # Another suit, and sometimes the rank of a suited card: it may pair, or stand in for it.
        shift = rng.integers(1, 4, len(hands))
        rank = np.where(rng.random(len(hands)) < 0.5, ranks[:, column], ranks[:, size - 1 - column])
        card = (4 * rank + (suit[:, 0] + shift) % 4).astype(np.uint8)
        hands[moved, column] = card[moved]
    hands = hands[[len(set(hand)) == size for hand in hands.tolist()]]
    assert len(hands) > 100_000
    assert np.array_equal(strengths(hands, name), five_card_twins[name].best(hands))


@pytest.mark.parametrize("name", FEWER_CARDS)
def test_every_hand_of_fewer_cards(name):
    size, key, values = FEWER_CARDS[name]
    hands = twins.all_hands(size)
    twin = twins.Twin(key, size)
    found = strengths(hands, name)
    assert twin.values == ps.rankings()[name].values == values
    assert np.array_equal(found, twin.exactly(hands))
    locked(name, found)


@pytest.mark.parametrize(
    ("name", "key", "values"),
    [("high-partial", twins.high_partial, 9841), ("ace-to-five-partial", twins.ace_to_five_partial, 8554)],
)
def test_one_to_five_cards_in_one_order(name, key, values):
    # Every rank multiset of one to four cards by one hand of it, and the five-card hands by class.
    hands, keys = [], []
    for size in range(1, 6):
        for ranks in itertools.combinations_with_replacement(range(13), size):
            if size == 5 and len(set(ranks)) == 1:
                continue
            copies = [ranks[:i].count(r) for i, r in enumerate(ranks)]
            suits = [(c + i) % 4 if len(set(ranks)) == size else c for i, c in enumerate(copies)]
            hands.append([4 * r + s for r, s in zip(ranks, suits, strict=True)])
            keys.append(key(ranks, False))
            if size == 5 and len(set(ranks)) == 5:
                hands.append([4 * r for r in ranks])
                keys.append(key(ranks, True))
    places = twins.dense(keys)
    found = np.array([int(ps.strengths(np.array([hand], np.uint8), name)[0]) for hand in hands])
    assert len(places) - 1 == ps.rankings()[name].values == values
    assert found.tolist() == [places[k] for k in keys]
    locked(name, found)


def test_fewer_cards_fall_back_on_the_partial_order():
    hands = twins.random_hands(2000, 4, 4)
    for size in range(1, 5):
        some = np.ascontiguousarray(hands[:, :size])
        assert np.array_equal(strengths(some, "high"), strengths(some, "high-partial"))
        assert np.array_equal(strengths(some, "ace-to-five"), strengths(some, "ace-to-five-partial"))
    upcards = np.ascontiguousarray(hands[:, :2])
    assert np.array_equal(strengths(upcards, "three-card"), strengths(upcards, "high-partial"))


def test_partial_orders_keep_the_order_of_whole_hands():
    hands = twins.random_hands(100_000, 7, 8)
    for name in ("high", "ace-to-five"):
        whole, partial = strengths(hands, name).astype(int), strengths(hands, f"{name}-partial").astype(int)
        pairs = np.unique(np.stack([whole, partial], axis=1), axis=0)
        assert (np.diff(pairs, axis=0) > 0).all()


def test_every_badugi_hand():
    # The twin asks of suits only whether they are equal, so it is asked once for each class of suits.
    found, keys = [], []
    for size in range(1, 5):
        hands = twins.all_hands(size)
        first, inverse = twins.suit_classes(hands)
        of_class = [twins.badugi(hand) for hand in hands[first].tolist()]
        found.append(strengths(hands, "badugi"))
        keys.append((of_class, inverse))
    places = twins.dense([key for of_class, _ in keys for key in of_class])
    assert len(places) - 1 == ps.rankings()["badugi"].values == 1092
    for some, (of_class, inverse) in zip(found, keys, strict=True):
        assert np.array_equal(some, np.array([places[key] for key in of_class])[inverse])
    locked("badugi", np.concatenate(found))


@pytest.mark.parametrize("size", range(1, 8))
def test_spades(size):
    hands = twins.random_hands(3000, size, size)
    found = strengths(hands, "high-spade")
    assert found.tolist() == [twins.high_spade(hand) for hand in hands.tolist()]


@pytest.mark.parametrize("name", ["high:2", "high:joker", "high:jokers", "high:bug", "ace-to-five:joker",
                                  "eight-or-better:joker", "deuce-to-seven:joker"])  # fmt: skip
def test_orders_with_wild_cards_are_locked(name, five_card_hands):
    # The hands with the deuce of clubs, and those with the jokers; their meaning is tested beside other wild cards.
    jokers = ps.find_ranking(name).wilds.jokers
    hands = [five_card_hands[52][:249_900]]
    for n in range(1, jokers + 1):
        naturals = twins.all_hands(5 - n)
        hands.append(
            np.concatenate([naturals, np.tile(np.arange(52, 52 + n, dtype=np.uint8), (len(naturals), 1))], axis=1)
        )
    locked(name, np.concatenate([strengths(some, name) for some in hands]))


def test_every_spade():
    locked("high-spade", strengths(twins.all_hands(1), "high-spade"))


def test_suits_can_be_renamed():
    hands = twins.random_hands(50_000, 7, 77)
    for name in ("high", "deuce-to-seven", "ace-to-five", "high:2", "deuce-to-seven:2"):
        before = strengths(hands, name)
        for suits in ((1, 0, 2, 3), (3, 2, 0, 1)):
            renamed = (hands & ~np.uint8(3)) | np.array(suits, np.uint8)[hands & 3]
            assert np.array_equal(before, strengths(renamed, name)), name


def test_plain_twin_of_seven_cards():
    # The tables of `Twin` are themselves checked here: every five of seven by tuples alone.
    hands = twins.random_hands(300, 7, 5)
    for name, (key, _) in FIVE_CARDS.items():
        deck = deck_of(name)
        dealt = hands if deck == range(52) else twins.random_hands(300, 7, 5, deck)
        keys = [
            max(
                (
                    k
                    for five in itertools.combinations(hand, 5)
                    if (k := key([c // 4 for c in five], len({c % 4 for c in five}) == 1)) is not None
                ),
                default=None,
            )
            for hand in dealt.tolist()
        ]
        found = strengths(dealt, name)
        order = sorted({k for k in keys if k is not None})
        reached = [sorted({int(s) for s, k in zip(found, keys, strict=True) if k == one}) for one in order]
        assert all(len(s) == 1 for s in reached)
        assert reached == sorted(reached)
        assert all((s == 0) == (k is None) for s, k in zip(found, keys, strict=True))

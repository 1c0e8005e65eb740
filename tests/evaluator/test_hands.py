"""Hands that people and programs have got wrong, and rules by example."""

import itertools

import pytest

import potshare as ps
from potshare.errors import PotshareError, TextError

OMAHA = {"selection": "two plus three"}


def best(*args, **kwargs):
    return " ".join(ps.evaluate(*args, **kwargs).best)


def ranks(*args, **kwargs):
    return "".join(card[0] for card in ps.evaluate(*args, **kwargs).best)


HANDS = [
    # cards, ranking, board, selection; category, text, ranks of the best cards
    ("Ah2d3s4c5h", "high", "", None, "straight", "straight, five high", "5432A"),
    ("KdAc2h3s4d", "high", "", None, "high card", "ace high (K 4 3 2)", "AK432"),
    ("AhKhQhJhTh2c3d", "high", "", None, "straight flush", "royal flush", "AKQJT"),
    ("Ad9c", "high", "2d3d4d5dKh", None, "straight flush", "straight flush, five high", "5432A"),
    ("JdAcAd7dQd4dTd", "high", "", None, "flush", "flush, ace high (Q J T 7)", "AQJT7"),
    ("AsAhAdKsKhKd2c", "high", "", None, "full house", "full house, aces over kings", "AAAKK"),
    ("KsKhKdKcAsQh3d", "high", "", None, "four of a kind", "four of a kind, kings (A)", "KKKKA"),
    ("9cThJhQhKh2h3h", "high", "", None, "flush", "flush, king high (Q J T 3)", "KQJT3"),
    ("7s5s", "high", "4d8s4h7d8c", None, "two pair", "two pair, eights and sevens (5)", "88775"),
    ("TsTh2s2h3s3h3d", "high", "", None, "full house", "full house, threes over tens", "333TT"),
    ("9s9h2s2h3s3h3d", "high", "", None, "full house", "full house, threes over nines", "33399"),
    ("Jh6dJd6cJcTsTh", "high", "", None, "full house", "full house, jacks over tens", "JJJTT"),
    ("9h9sKcTs6c9cTh", "high", "", None, "full house", "full house, nines over tens", "999TT"),
    ("9h9sKcTs6c9c", "high", "", None, "three of a kind", "three of a kind, nines (K T)", "999KT"),
    ("9d8d", "high", "", None, "high card", "nine high (8)", "98"),
    ("AhKh", "high", "QhJhTh", None, "straight flush", "royal flush", "AKQJT"),
    ("As", "high", "", None, "high card", "ace high", "A"),
    ("2s2d7h7c", "high", "", None, "two pair", "two pair, sevens and twos", "7722"),
    ("AsKs5d7c", "high", "Ts7d8h4s2c", OMAHA, "pair", "pair of sevens (A T 8)", "77AT8"),
    ("Ks8cJs5c", "high", "3s5hQsQd9h", OMAHA, "two pair", "two pair, queens and fives (K)", "QQ55K"),
    ("AsAhAdAc", "high", "KsQsJsTs2d", OMAHA, "pair", "pair of aces (K Q J)", "AAKQJ"),
    ("AsKdQhJc", "high", "9s5s3s2s7d", OMAHA, "high card", "ace high (K 9 7 5)", "AK975"),
    ("AsAd7h2c", "high", "KsKdKh9c4s", OMAHA, "full house", "full house, kings over aces", "KKKAA"),
    ("4s4dKhQc", "eight-or-better", "As2d3cKdTh", OMAHA, "no low", "no low", ""),
    ("4s5dKhQc", "eight-or-better", "As2d3cKdTh", OMAHA, "five low", "5-4-3-2-A low", "5432A"),
    ("As2d3h7c8sKdKh", "eight-or-better", "", None, "eight low", "8-7-3-2-A low", "8732A"),
    ("As2d3h7c9sKdKh", "eight-or-better", "", None, "no low", "no low", ""),
    ("Ac2d3h4s5c", "deuce-to-seven", "", None, "no pair", "A-5-4-3-2 low", "A5432"),
    ("5s4s3s2sAs", "deuce-to-seven", "", None, "flush", "flush, ace high (5 4 3 2)", "A5432"),
    ("9c8c7c6c5c", "deuce-to-seven", "", None, "straight flush", "straight flush, nine high", "98765"),
    ("5s4s3s2s7s9d", "deuce-to-seven", "", None, "no pair", "9-5-4-3-2 low", "95432"),
    ("5s4s3s2s6sAd", "deuce-to-seven", "", None, "no pair", "A-5-4-3-2 low", "A5432"),
    ("5s4s3s2s6s2d", "deuce-to-seven", "", None, "pair", "pair of twos (5 4 3)", "22543"),
    ("5s4s3s2sAs", "ace-to-five", "", None, "no pair", "5-4-3-2-A low", "5432A"),
    ("9c8c7c6c5c", "ace-to-five", "", None, "no pair", "9-8-7-6-5 low", "98765"),
    ("Ah2d3s5c7hKdKc", "ace-to-five", "", None, "no pair", "7-5-3-2-A low", "7532A"),
    ("2h3d4s5h6cKsQd", "ace-to-five", "", None, "no pair", "6-5-4-3-2 low", "65432"),
    ("AsAdAhKsKdKhKc", "ace-to-five", "", None, "full house", "full house, aces over kings", "AAAKK"),
    ("2s2hAh3d", "badugi", "", None, "three cards", "three cards, 3-2-A", "32A"),
    ("As2h3d4c", "badugi", "", None, "badugi", "4-3-2-A badugi", "432A"),
    ("KsKhKdKc", "badugi", "", None, "one card", "one card, K", "K"),
    ("6sAd", "short-deck", "9c8d7hKsKd", None, "straight", "straight, nine high", "9876A"),
    ("2h7h9h", "three-card", "", None, "flush", "flush, nine high (7 2)", "972"),
    ("AsKsQs", "three-card", "", None, "straight flush", "straight flush, ace high", "AKQ"),
    ("3s2dAh", "three-card-casino", "", None, "straight", "straight, three high", "32A"),
    ("7s7d", "two-card-high", "", None, "pair of sevens", "pair of sevens", "77"),
    ("7s7d", "two-card-low", "", None, "pair of sevens", "pair of sevens", "77"),
    ("3s2d", "two-card-low", "", None, "no pair", "3-2 low", "32"),
    ("AdKs7s", "high-spade", "", None, "high spade", "king of spades", "K"),
    ("AdKd", "high-spade", "", None, "no spade", "no spade", ""),
]


@pytest.mark.parametrize(("cards", "ranking", "board", "selection", "category", "text", "ranks_"), HANDS)
def test_words_and_best_cards(cards, ranking, board, selection, category, text, ranks_):
    found = ps.evaluate(cards, ranking, board=board, **(selection or {}))
    assert (found.category, found.text, "".join(c[0] for c in found.best)) == (category, text, ranks_)


def test_best_cards_are_the_cards_themselves():
    assert best("JdAcAd7dQd4dTd") == "Ad Qd Jd Td 7d"
    assert best("Ah2d3s4c5h") == "5h 4c 3s 2d Ah"
    assert best("AsAd7h2c", board="KsKdKh9c4s", **OMAHA) == "Ks Kh Kd As Ad"
    assert best("2s2hAh3d", "badugi") == "3d 2s Ah"
    assert best("5s4s3s2s6sAd", "deuce-to-seven") == "Ad 5s 4s 3s 2s"


def test_wild_cards_take_the_place_they_fill():
    assert best("5c6h7d9c4d2sTc", "deuces-wild") == "Tc 9c 2s 7d 6h"
    assert ps.evaluate("5c6h7d9c4d2sTc", "deuces-wild").text == "straight, ten high"
    fives = ps.evaluate("AdAsAcTh2dJkJk2", "two-jokers-wild")
    assert (fives.category, fives.text) == ("five of a kind", "five of a kind, aces")
    assert fives.best == ("As", "Ad", "Ac", "Jk", "Jk2")
    assert ps.evaluate("AdAsJcTh2dJkJk2", "two-jokers-wild").text == "four of a kind, aces (J)"
    assert ranks("KdKsQd4sJk", "bug") == "KKJQ4"
    assert ps.evaluate("KdKsQd4sJk", "bug").text == "pair of kings (A Q 4)"
    assert ps.evaluate("9d8s7c6hJk", "bug").text == "straight, ten high"
    assert ps.evaluate("AdKdQd9dJk", "bug").text == "flush, ace high (K Q J 9)"
    assert ps.evaluate("Ad3d2s4cJk", "ace-to-five:joker").text == "5-4-3-2-A low"


RANKED = [
    # ranking, board, hands from best to worst, equal hands together
    ("high", "2d3d4d5dKh", ["Ad9c", "6cQs"]),
    ("high", "KsQsJsTs9d", ["AsAh", "Ac9s"]),
    ("high", "9cKhKd9sAh", [["Qc5h", "5dJd"]]),
    ("high", "2d7h7s2s7c", [["Ks3d", "3hQs"]]),
    ("high", "3h5d5c6hAc", ["Kc8c", "Tc8s"]),
    ("high", "9sJc3cQc8h", ["Qh4h", "9c5h", ["AdKs", "AsKh"]]),
    ("high", "4d8s4h7d8c", ["7s5s", "Kh6s"]),
    ("high", "QdJd9dKc6d", ["Qc7d", "Ah5d"]),
    ("high", "3d6dTdJdAd", [["2d4c", "5sTc"]]),
    ("high", "3♦6♦T♦J♦A♦", [["2♦4♣", "5♠T♣"]]),
    ("high", "4c5d6h7s8c", ["9h2d", ["AhKd", "QcJh"]]),
    ("high", "9hJh7d2sKc", ["7c7h", "Jc5h"]),
    ("high", "", ["2h3d4s5c6h", "Ah2d3s4c5h", "AsAdAcKhQd"]),
    ("high", "", ["TsTh2s3s2h3h3d", "9s9h2s3s2h3h3d"]),
    ("high", "", ["Jh6dJd6cJcTsTh", "Jh6dJd6cJc9s9h"]),
    ("high", "", ["KsKhKdKcAsQh3d", "AsAhAdKsKhKd2c"]),
    ("high", "", ["3h3c", "AsTd", "KsQd"]),
    ("high", "", ["QsQc", ["AsKd", "AhKc"]]),
    ("high", "", ["2s2d3c4c", "5s6d7c8h"]),
    ("high", "", ["2s2d", "As"]),
    ("high", "", ["Ks2d", "Kd"]),
    ("ace-to-five", "", [["8c6d", "8h6c"], "8s7d"]),
    ("ace-to-five", "", ["KsQd", "AsAd"]),
    ("ace-to-five", "", ["Ah", "Ad2c", "KhQd", "Ks2dQh"]),
    ("ace-to-five", "", ["2h3d4s5h6cKsQd", "Ah2d3s5c7hKdKc"]),
    (
        "ace-to-five",
        "",
        ["5s4d3h2cAs", "6s4d3h2cAs", "6s5d4h3c2s", "8s4d3h2cAs", "8s7d5h4cAs", "KsQdJhTc9s", "AsAd2h3c4s"],
    ),
    ("deuce-to-seven", "", ["Kc5d4h3s2c", "Ac2d3h4s5c", "2c2d7h8s9c"]),
    (
        "deuce-to-seven",
        "",
        ["7s5d4h3c2s", "7s6d4h3c2s", "8s5d4h3c2s", "As5d4h3c2s", "2s2d3h4c5s", "6s5d4h3c2s", "7s5s4s3s2s"],
    ),
    ("badugi", "", ["As2h3d4c", "KsQhJdTc", ["2s2hAh3d", "As2h3d3c"]]),
    ("short-deck", "9c8d7hKsKd", ["Tc6h", "6sAd"]),
    ("short-deck", "", ["6h8hThJhKh", "AsAdAhKsKd", "Ts9d8h7c6s", "AsAdAhKsQd"]),
    ("short-deck-trips", "", ["6h8hThJhKh", "AsAdAhKsKd", "AsAdAhKsQd", "Ts9d8h7c6s"]),
    ("three-card", "", ["2s3s4s", "2s2d2h", "2h7h9h", "TsJdQc", "As2d3c", "AsAdKc", "AsKdJc"]),
    ("three-card-casino", "", ["2s3s4s", "2s2d2h", "TsJdQc", "As2d3c", "2h7h9h", "AsAdKc", "AsKdJc"]),
    ("two-card-high", "", [["7s7d", "7h7c"], "AsAd", "2c2d", "AsKs"]),
    ("two-card-low", "", ["7s7d", "2s3d", "2s4d", "AsKh", "2c2d", "KsKd", "AsAd"]),
    ("high-spade", "", ["AsKs", "KsQd", "2s", ["AdKd", "Qh"]]),
]


@pytest.mark.parametrize(("ranking", "board", "order"), RANKED)
def test_comparisons(ranking, board, order):
    groups = [[hands] if isinstance(hands, str) else hands for hands in order]
    best_first = list(itertools.chain.from_iterable(groups))
    hands = best_first[::-1]
    found = ps.compare(hands, ranking, board=board)
    assert [sorted(hands[i] for i in group) for group in found.order] == [sorted(group) for group in groups]
    assert {hands[i] for i in found.winners} == set(groups[0])
    assert found.tie == (len(groups[0]) > 1)
    for group, lower in itertools.pairwise(found.order):
        assert found.hands[group[0]].strength > found.hands[lower[0]].strength


def test_no_one_wins_where_no_hand_qualifies():
    found = ps.compare(["KsQd", "JhTc"], "eight-or-better", board="9s9d8h")
    assert found.winners == ()
    assert not found.tie
    assert found.order == ((0, 1),)


def test_murder_pairs_of_sevens_share():
    assert ps.compare(["7s7d", "7h7c"], "two-card-low").tie


def test_plain_data():
    found = ps.evaluate("AhKh", board="QhJhTh")
    assert found.to_dict() == {
        "ranking": "high",
        "cards": ["Ah", "Kh"],
        "strength": 7462,
        "category": "straight flush",
        "text": "royal flush",
        "best": ["Ah", "Kh", "Qh", "Jh", "Th"],
    }
    both = ps.compare(["Ah", "Kd"]).to_dict()
    assert both["winners"] == [0]
    assert both["order"] == [[0], [1]]


def test_numbers_do_as_well_as_text():
    assert ps.evaluate([50, 46, 42, 38, 34]) == ps.evaluate("AhKhQhJhTh")


ERRORS = [
    ({"cards": "AsAs"}, "written twice"),
    ({"cards": "AsKd", "board": "2c3cAs"}, "the card As is both in the hand and in the board"),
    ({"cards": ""}, "no cards"),
    ({"cards": "2c3c4c5c6c7c8c9c"}, "ranks 5 to 7 cards, not 8"),
    ({"cards": "2c3c4c", "ranking": "two-card-high"}, "exactly 2 cards, not 3"),
    ({"cards": "2c3c4c5c6c", "ranking": "badugi"}, "1 to 4 cards, not 5"),
    ({"cards": "2c3c4c5c", "ranking": "deuce-to-seven"}, "5 to 7 cards, not 4"),
    ({"cards": "2c3c4c5c", "ranking": "three-card"}, "exactly 3 cards, not 4"),
    ({"cards": "5sAd7h8h9h", "ranking": "short-deck"}, "5s, which is not in the deck of short-deck"),
    ({"cards": "JkAd7h8h9h"}, "no joker"),
    ({"cards": "JkJk2Ad7h8h", "ranking": "high:joker"}, "second joker"),
    ({"cards": "AsKsQdJd", "board": "Td9d", **OMAHA}, "board of 3 to 5"),
    ({"cards": "AsKsQdJd", "board": "Td9d8d", "selection": "three plus two"}, "no selection"),
    ({"cards": "AsKs", "ranking": "hihg"}, "did you mean high"),
]


@pytest.mark.parametrize(("question", "said"), ERRORS)
def test_errors(question, said):
    with pytest.raises(PotshareError, match=said):
        ps.evaluate(**question)


def test_comparison_errors():
    with pytest.raises(PotshareError, match="no hands"):
        ps.compare([])
    with pytest.raises(PotshareError, match="the card As is both in hand 1 and in hand 2"):
        ps.compare(["AsKd", "AsQd"], one_deal=True)
    with pytest.raises(TextError):
        ps.compare(["AsKd", "AsX"])


@pytest.mark.parametrize("name", ps.rankings())
def test_every_value_has_words_and_the_catalogue_is_complete(name):
    ranking = ps.rankings()[name]
    assert ranking.rules.endswith(".")
    assert ranking.title
    texts = [ranking.words(s) for s in range(1, ranking.values + 1)]
    assert len(set(texts)) == ranking.values, "two values read the same"
    assert ranking.words(0) == ranking.category(0) == ranking.nothing
    assert {ranking.category(s) for s in range(1, ranking.values + 1)} <= set(ranking.categories)


@pytest.mark.parametrize("text", ["HIGH", "Ace to five", "ace_to_five", "razz", "2-7", "short deck"])
def test_names_are_read_leniently(text):
    assert ps.find_ranking(text).name in ps.rankings()

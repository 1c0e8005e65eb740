"""What must hold for any cards: exchanged suits and players, cards nobody could use, better cards, sums of shares."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import potshare as ps
from potshare import PotshareError
from potshare.simulate.variants import find_variant

few = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
some = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

RANKINGS = sorted(ps.rankings())
FIVES = [name for name in RANKINGS if ps.find_ranking(name).counted == 5]
DECKS = {
    name: [*range(ps.find_ranking(name).lowest, 52), *range(52, 52 + ps.find_ranking(name).wilds.jokers)]
    for name in RANKINGS
}


def cards_of(name: str, least: int = 0, most: int = 9) -> Any:
    """Lists of different cards that a ranking ranks."""
    ranking = ps.find_ranking(name)
    sizes = st.integers(max(least, ranking.fewest), min(most, ranking.most))
    deck = DECKS[name]
    return sizes.flatmap(lambda k: st.permutations(deck).map(lambda cards: cards[:k]))


def worth(cards: list[int], ranking: str) -> int:
    return int(ps.strengths(np.array([cards], np.uint8), ranking)[0])


def exchanged(cards: Any, suits: tuple[int, ...]) -> list[int]:
    return [c if c >= 52 else (c & ~3) | suits[c & 3] for c in cards]


SUITS = list(itertools.permutations(range(4)))


# -- strengths --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranking", RANKINGS)
@some
@given(data=st.data())
def test_order_and_suits_mean_nothing(ranking: str, data: Any) -> None:
    hand = data.draw(cards_of(ranking))
    found = worth(hand, ranking)
    assert worth(data.draw(st.permutations(hand)), ranking) == found
    suits = data.draw(st.sampled_from(SUITS))
    if ranking == "high-spade":
        suits = (1, 2, 0, 3)
    assert worth(exchanged(hand, suits), ranking) == found


@pytest.mark.parametrize("ranking", FIVES)
@few
@given(data=st.data())
def test_a_hand_is_the_best_five_of_its_cards(ranking: str, data: Any) -> None:
    hand = data.draw(cards_of(ranking, least=5))
    fives = [worth(list(five), ranking) for five in itertools.combinations(hand, 5)]
    assert worth(hand, ranking) == max(fives)


# Of lows with fewer than five cards the longer is the worse.
GROWING = [
    name
    for name in RANKINGS
    if ps.find_ranking(name).fewest < ps.find_ranking(name).most
    and name not in ("three-card", "three-card-casino")
    and not (name.endswith("partial") and "ace" in name)
]


@pytest.mark.parametrize("ranking", GROWING)
@few
@given(data=st.data())
def test_one_card_more_is_never_worse(ranking: str, data: Any) -> None:
    order = ps.find_ranking(ranking)
    hand = data.draw(cards_of(ranking, least=order.fewest + 1))
    whole = worth(hand, ranking)
    for left_out in range(len(hand)):
        rest = hand[:left_out] + hand[left_out + 1 :]
        assert worth(rest, ranking) <= whole


@some
@given(st.permutations(range(52)), st.integers(5, 7))
def test_a_higher_kicker_never_hurts_high(deck: list[int], size: int) -> None:
    # In hands without a straight or a flush, before or after, raising the lowest lone card is never worse.
    hand = deck[:size]
    found = ps.evaluate(hand)
    lone = [c for c in hand if sum(d >> 2 == c >> 2 for d in hand) == 1]
    if not lone or found.category in ("straight", "flush", "straight flush"):
        return
    lowest = min(lone)
    free = [c for c in range(lowest + 4, 52, 4) if all(c >> 2 != d >> 2 for d in hand)]
    for better in free:
        raised = ps.evaluate([better if c == lowest else c for c in hand])
        assert raised.strength >= found.strength


@some
@given(st.permutations(range(52)))
def test_a_lower_card_never_hurts_ace_to_five(deck: list[int]) -> None:
    hand = deck[:5]
    if len({c >> 2 for c in hand}) < 5:
        return
    place = [(c >> 2) + 1 if c >> 2 < 12 else 0 for c in hand]
    for i, own in enumerate(place):
        for rank in range(own):
            if rank not in place:
                card = (rank - 1) * 4 if rank else 48
                better = [*hand[:i], card + (hand[i] & 3), *hand[i + 1 :]]
                assert worth(better, "ace-to-five") > worth(hand, "ace-to-five")
                assert worth(better, "eight-or-better") >= worth(hand, "eight-or-better")


@some
@given(st.permutations(range(52)))
def test_the_lows_of_five_are_one_order(deck: list[int]) -> None:
    # Eight or better is ace-to-five with the rest cut off; deuce-to-seven is high turned round, the wheel apart.
    one, two = deck[:5], deck[5:10]
    a, b = worth(one, "ace-to-five"), worth(two, "ace-to-five")
    c, d = worth(one, "eight-or-better"), worth(two, "eight-or-better")
    if c and d:
        assert (a > b, a == b) == (c > d, c == d)
    elif c or d:
        assert (a > b) == (c > d)
    wheel = {0, 1, 2, 3, 12}
    if wheel not in ({x >> 2 for x in one}, {x >> 2 for x in two}):
        high = worth(one, "high"), worth(two, "high")
        low = worth(one, "deuce-to-seven"), worth(two, "deuce-to-seven")
        assert (high[0] > high[1], high[0] == high[1]) == (low[0] < low[1], low[0] == low[1])


@some
@given(st.permutations(range(52)), st.integers(2, 6), st.integers(3, 5))
def test_two_plus_three_is_the_best_of_its_parts(deck: list[int], holes: int, board: int) -> None:
    hole, shared = deck[:holes], deck[holes : holes + board]
    for ranking in ("high", "eight-or-better", "ace-to-five", "deuce-to-seven"):
        found = ps.strengths(
            np.array([hole], np.uint8), ranking, np.array([shared], np.uint8), selection="two plus three"
        )[0]
        parts = [
            worth([*two, *three], ranking)
            for two in itertools.combinations(hole, 2)
            for three in itertools.combinations(shared, 3)
        ]
        assert found == max(parts)


@some
@given(st.permutations(range(52)), st.sampled_from(["5 7", "2 5", "4 5", "6 5"]))
def test_words_and_best_cards_agree_with_the_strength(deck: list[int], sizes: str) -> None:
    holes, board = map(int, sizes.split())
    if holes == 5:
        found = ps.evaluate(deck[:board])
        again = ps.evaluate("".join(found.best))
    else:
        found = ps.evaluate(deck[:holes], board=deck[holes : holes + 5], selection="two plus three")
        again = ps.evaluate("".join(found.best))
    assert (again.strength, again.text, again.category) == (found.strength, found.text, found.category)
    assert len(set(found.best)) == 5
    codes = ps.categories([found.strength], "high")
    assert ps.find_ranking("high").categories[int(codes[0])] == found.category


@some
@given(st.lists(st.permutations(range(52)).map(lambda deck: deck[:7]), min_size=1, max_size=6))
def test_comparison_is_the_order_of_the_strengths(hands: list[list[int]]) -> None:
    found = ps.compare(hands, "high")
    values = [hand.strength for hand in found.hands]
    assert sorted(itertools.chain(*found.order)) == list(range(len(hands)))
    assert [values[group[0]] for group in found.order] == sorted(set(values), reverse=True)
    assert all(len({values[i] for i in group}) == 1 for group in found.order)


@pytest.mark.parametrize("ranking", RANKINGS)
@few
@given(data=st.data())
def test_hands_in_words_and_compared_are_the_same_in_any_order(ranking: str, data: Any) -> None:
    hands = [data.draw(cards_of(ranking)) for _ in range(data.draw(st.integers(1, 4)))]
    found = [ps.evaluate(hand, ranking) for hand in hands]
    strengths = np.array([one.strength for one in found], np.uint16)
    names = [
        ps.find_ranking(ranking).categories[code] if code < 255 else None for code in ps.categories(strengths, ranking)
    ]
    assert names == [one.category if one.strength else None for one in found]
    for hand, one in zip(hands, found, strict=True):
        assert one.strength == worth(hand, ranking)
        mixed = ps.evaluate(data.draw(st.permutations(hand)), ranking)
        assert (mixed.strength, mixed.text, mixed.category) == (one.strength, one.text, one.category)
    order = data.draw(st.permutations(range(len(hands))))
    one, two = ps.compare(hands, ranking), ps.compare([hands[i] for i in order], ranking)
    assert [{order[i] for i in group} for group in two.order] == [set(group) for group in one.order]


@some
@given(st.text(max_size=12))
def test_only_names_name_a_game_or_a_ranking(text: str) -> None:
    for every, find in ((ps.games(), ps.find_variant), (ps.rankings(), ps.find_ranking)):
        for name, known in every.items():
            assert find(name) is known or find(name) == known
        error = refusal(find, text)
        assert str(error).strip() if error else find(text).name.split(":")[0] in every


# -- equities ---------------------------------------------------------------------------------------------------------

GAMES = ("holdem", "short-deck", "short-deck-trips", "omaha", "omaha8", "omaha5", "big-o", "holdem8", "courchevel")
STUD = ("stud", "stud8", "stud-hilo", "razz", "five-card-stud", "chicago", "lowball-stud", "three-card-stud")


@st.composite
def spots(draw: Any, games: Any, known: int = 4) -> dict[str, Any]:
    """Hands with a board of at least `known` cards (fewer cards to come in stud), and the dead cards of a few."""
    game = draw(st.sampled_from(games))
    variant = find_variant(game)
    players = draw(st.integers(2, 4))
    deck = draw(st.permutations(variant.deck))
    hands = []
    held = variant.hole_cards if variant.board_cards else variant.hole_cards - 1
    for _ in range(players):
        hands.append(deck[:held])
        deck = deck[held:]
    board: list[int] = []
    if variant.board_cards:
        board = deck[: draw(st.integers(known, 5))]
        deck = deck[len(board) :]
    dead = deck[: draw(st.integers(0, 2))]
    if not variant.board_cards:
        dead = deck[: max(0, len(deck) - draw(st.integers(players, players + 6)))]
    return {"game": game, "hands": hands, "board": board, "dead": dead}


def ask(spot: dict[str, Any], **changes: Any) -> Any:
    spot = spot | changes
    return ps.equity(*spot["hands"], game=spot["game"], board=spot["board"], dead=spot["dead"], method="exact")


def shares(answer: Any) -> list[Fraction]:
    return [Fraction(p.fraction) for p in answer.players]


def check_sums(answer: Any) -> None:
    assert sum(shares(answer)) == 1
    for player in answer.players:
        assert sum(player.counts.values()) == answer.deals
        assert float(Fraction(player.fraction)) == player.equity
        assert math.isclose(player.win + player.tie + player.lose, 1, abs_tol=1e-12)
    for half in answer.players[0].halves:
        total = sum(p.halves[half].equity for p in answer.players)
        assert total < 1 + 1e-9
        if half != list(answer.players[0].halves)[-1] or len(answer.players[0].halves) == 1:
            assert math.isclose(total, 1, abs_tol=1e-9)
    if len(answer.players) == 2:
        one, two = answer.players
        assert one.counts["win"] == two.counts["lose"]
        assert one.counts["tie"] == two.counts["tie"]


@some
@given(spots(GAMES), st.data())
def test_flop_games_treat_all_alike(spot: dict[str, Any], data: Any) -> None:
    found = ask(spot)
    check_sums(found)
    order = data.draw(st.permutations(range(len(spot["hands"]))))
    turned = ask(spot, hands=[spot["hands"][i] for i in order])
    assert [p.counts for p in turned.players] == [found.players[i].counts for i in order]
    assert shares(turned) == [shares(found)[i] for i in order]
    mixed = spot["hands"]
    if spot["game"] != "courchevel":
        mixed = [data.draw(st.permutations(hand)) for hand in mixed]
    assert shares(ask(spot, hands=mixed)) == shares(found)
    suits = data.draw(st.sampled_from(SUITS))
    named = {key: exchanged(spot[key], suits) for key in ("board", "dead")}
    assert shares(ask(spot, hands=[exchanged(h, suits) for h in spot["hands"]], **named)) == shares(found)


@few
@given(spots(GAMES, known=0), st.data())
def test_flop_games_treat_all_alike_on_every_street(spot: dict[str, Any], data: Any) -> None:
    spot = spot | {"hands": spot["hands"][:2], "board": spot["board"][: data.draw(st.sampled_from([0, 3, 4]))]}
    if spot["game"].startswith("courchevel"):
        spot = spot | {"board": spot["board"] or [spot["dead"].pop()] if spot["dead"] else spot["board"]}
    found = ask(spot)
    check_sums(found)
    assert shares(ask(spot, hands=spot["hands"][::-1])) == shares(found)[::-1]
    suits = data.draw(st.sampled_from(SUITS))
    named = {key: exchanged(spot[key], suits) for key in ("board", "dead")}
    assert shares(ask(spot, hands=[exchanged(h, suits) for h in spot["hands"]], **named)) == shares(found)


DRAWS = ("draw", "draw-hoyle", "draw-deuces-wild", "draw-joker", "draw-bug", "deuce-to-seven", "ace-to-five")


@few
@given(st.sampled_from(DRAWS), st.data())
def test_draws_treat_all_alike(game: str, data: Any) -> None:
    deck = data.draw(st.permutations(range(52)))
    hands = [deck[:5], deck[5:10], deck[10:15]][: data.draw(st.integers(2, 3))]
    kept = [data.draw(st.integers(3 if len(hands) == 2 else 4, 5)) for _ in hands]

    def asked(suits: tuple[int, ...], order: Any) -> list[Fraction]:
        texts = []
        for i in order:
            cards = exchanged(data.draw(st.permutations(hands[i][: kept[i]])), suits)
            texts.append(ps.format_cards(cards) + "/" + ps.format_cards(exchanged(hands[i][kept[i] :], suits)))
        answer = ps.equity(*texts, game=game, method="exact")
        assert sum(shares(answer)) == 1
        assert all(sum(p.counts.values()) == answer.deals for p in answer.players)
        return shares(answer)

    found = asked((0, 1, 2, 3), range(len(hands)))
    order = data.draw(st.permutations(range(len(hands))))
    assert asked(data.draw(st.sampled_from(SUITS)), order) == [found[i] for i in order]


@few
@given(spots(("holdem", "short-deck", "omaha", "omaha8", "holdem8"), known=3), st.data())
def test_ranges_treat_all_alike(spot: dict[str, Any], data: Any) -> None:
    # Every player may hold any of three hands, some of another player's too, with weights.
    hands = [*spot["hands"], *([spot["dead"]] if len(spot["dead"]) == len(spot["hands"][0]) else [])]
    weights = st.integers(1, 100)
    ranges = [
        [(hand, data.draw(weights)) for hand in data.draw(st.permutations(hands))[: data.draw(st.integers(1, 3))]]
        for _ in range(2)
    ]
    if all({*a} & {*b} for a, _ in ranges[0] for b, _ in ranges[1]):
        ranges = [[(hands[0], 1)], [(hands[1], 1)]]

    def asked(suits: tuple[int, ...], order: tuple[int, int]) -> Any:
        texts = [
            ",".join(f"{ps.format_cards(exchanged(hand, suits))}@{weight}" for hand, weight in ranges[i]) for i in order
        ]
        board = exchanged(spot["board"], suits)
        return ps.equity(*texts, game=spot["game"], board=board, method="exact").players

    found = asked((0, 1, 2, 3), (0, 1))
    turned = asked(data.draw(st.sampled_from(SUITS)), (1, 0))
    assert math.isclose(sum(p.equity for p in found), 1, abs_tol=1e-12)
    for one, two in zip(found, turned[::-1], strict=True):
        assert math.isclose(one.equity, two.equity, abs_tol=1e-12)
        assert math.isclose(one.win, two.win, abs_tol=1e-12)
        assert math.isclose(one.tie, two.tie, abs_tol=1e-12)
    if all(p.fraction for p in found):
        assert sum(Fraction(p.fraction) for p in found) == 1
    assert math.isclose(found[0].counts["win"], found[1].counts["lose"], rel_tol=1e-12)


@few
@given(st.permutations(range(52)), st.sampled_from(["draw", "deuce-to-seven", "ace-to-five"]), st.data())
def test_discards_are_worth_the_same_in_other_suits(deck: list[int], game: str, data: Any) -> None:
    hand, other = deck[:5], deck[5:10]

    def asked(suits: tuple[int, ...], cards: list[int]) -> dict[frozenset[int], tuple[float, str]]:
        against = [ps.format_cards(exchanged(other, suits)) + "/"]
        found = ps.best_discards(exchanged(cards, suits), game, against=against)
        assert [value.equity for value in found] == sorted((value.equity for value in found), reverse=True)
        assert all({*value.kept, *value.thrown} == {*exchanged(cards, suits)} for value in found)
        back = {suit: i for i, suit in enumerate(suits)}
        return {frozenset((c & ~3) | back[c & 3] for c in v.kept): (v.equity, v.method) for v in found}

    found = asked((0, 1, 2, 3), hand)
    assert len(found) == 32
    assert asked(data.draw(st.sampled_from(SUITS)), data.draw(st.permutations(hand))) == found
    # What a discard is worth is what the front door says of the hand that is drawn to.
    kept = data.draw(st.sampled_from(sorted(map(sorted, found))))
    thrown = [c for c in hand if c not in kept]
    text = f"{ps.format_cards(kept)}/{ps.format_cards(thrown)}"
    whole = ps.equity(text, ps.format_cards(other) + "/", game=game, method="exact").players[0]
    assert (whole.equity, "exact") == found[frozenset(kept)]


@few
@given(st.permutations(range(52)), st.lists(st.integers(0, 1 << 40), min_size=2, max_size=4, unique=True), st.data())
def test_merged_runs_are_one_run_in_any_order(deck: list[int], seeds: list[int], data: Any) -> None:
    hands = (deck[:2], deck[2:4], "random")
    options: dict[str, Any] = {"board": deck[4:7], "method": "monte-carlo", "deals": 500}
    runs = [ps.equity(*hands, seed=seed, **options) for seed in seeds]
    whole = ps.merge(*runs)
    assert whole.deals == 500 * len(runs)
    for one, *parts in zip(whole.players, *(run.players for run in runs), strict=True):
        assert one.counts == {name: sum(part.counts[name] for part in parts) for name in one.counts}
        assert math.isclose(one.equity, sum(part.equity for part in parts) / len(parts), abs_tol=1e-12)
    assert ps.merge(*data.draw(st.permutations(runs))).players == whole.players
    assert ps.merge(ps.merge(*runs[:-1]) if len(runs) > 2 else runs[0], runs[-1]).players == whole.players


@few
@given(spots(STUD), st.data())
def test_stud_games_treat_all_alike(spot: dict[str, Any], data: Any) -> None:
    found = ask(spot)
    check_sums(found)
    order = data.draw(st.permutations(range(len(spot["hands"]))))
    turned = ask(spot, hands=[spot["hands"][i] for i in order])
    assert shares(turned) == [shares(found)[i] for i in order]
    suits = data.draw(st.sampled_from(SUITS)) if spot["game"] != "chicago" else (2, 0, 1, 3)
    named = {key: exchanged(spot[key], suits) for key in ("board", "dead")}
    assert shares(ask(spot, hands=[exchanged(h, suits) for h in spot["hands"]], **named)) == shares(found)


@few
@given(spots(("holdem", "short-deck", "omaha", "omaha8"), known=4))
def test_equity_is_the_mean_over_the_next_card(spot: dict[str, Any]) -> None:
    if len(spot["board"]) == 5:
        return
    found = ask(spot)
    taken = {*itertools.chain(*spot["hands"]), *spot["board"], *spot["dead"]}
    live = [c for c in find_variant(spot["game"]).deck if c not in taken]
    each = [shares(ask(spot, board=[*spot["board"], c])) for c in live]
    assert [sum(column) / len(live) for column in zip(*each, strict=True)] == shares(found)


@few
@given(spots(("holdem", "short-deck", "omaha", "omaha8"), known=5), st.data())
def test_a_dead_card_changes_nothing_on_the_river(spot: dict[str, Any], data: Any) -> None:
    # All cards are out, so nobody could use it.
    found = shares(ask(spot))
    taken = {*itertools.chain(*spot["hands"]), *spot["board"]}
    free = [c for c in find_variant(spot["game"]).deck if c not in taken]
    assert shares(ask(spot, dead=data.draw(st.lists(st.sampled_from(free), max_size=5, unique=True)))) == found


@few
@given(spots(("holdem", "short-deck", "omaha"), known=3))
def test_a_dead_card_leaves_the_mean_of_the_others(spot: dict[str, Any]) -> None:
    # Each live card dead in turn: every run-out is left out equally often, so the mean is the answer without.
    spot = spot | {"dead": [], "board": spot["board"][:4], "hands": spot["hands"][:2]}
    taken = {*itertools.chain(*spot["hands"]), *spot["board"]}
    live = [c for c in find_variant(spot["game"]).deck if c not in taken]
    each = [shares(ask(spot, dead=[c])) for c in live]
    assert [sum(column) / len(live) for column in zip(*each, strict=True)] == shares(ask(spot))


@few
@given(st.permutations(range(52)), st.sampled_from([0, 3, 4, 5]), st.data())
def test_a_range_is_the_weighted_mean_of_its_hands(deck: list[int], board: int, data: Any) -> None:
    shared, hero = deck[:board], deck[board : board + 2]
    hands = [ps.format_cards(deck[i : i + 2]) for i in range(board + 2, board + 10, 2)]
    weights = data.draw(st.lists(st.integers(1, 100), min_size=4, max_size=4))
    text = ",".join(f"{hand}@{weight}" for hand, weight in zip(hands, weights, strict=True))
    whole = ps.equity(hero, text, board=shared, method="exact").players[0]
    parts = [ps.equity(hero, hand, board=shared, method="exact").players[0] for hand in hands]
    total = sum(weights)
    for name in ("equity", "win", "tie"):
        mean = sum(getattr(p, name) * w for p, w in zip(parts, weights, strict=True)) / total
        assert math.isclose(getattr(whole, name), mean, abs_tol=1e-12)
    again = ps.equity(hero, ",".join(reversed(text.split(","))), board=shared, method="exact").players[0]
    assert again.counts == whole.counts


@few
@given(st.permutations(range(52)), st.integers(2, 6))
def test_the_same_hand_of_other_suits_has_the_same_equity(deck: list[int], players: int) -> None:
    # Players who hold the same two ranks in a rainbow each, on no board: all alike when the suits are.
    rank = deck[0] >> 2
    other = next(c >> 2 for c in deck if c >> 2 != rank)
    hands = [[4 * rank + s, 4 * other + s] for s in range(min(players, 4))]
    found = shares(ps.equity(*hands, method="exact"))
    assert found == [Fraction(1, len(hands))] * len(hands)


@few
@given(st.permutations(range(52)), st.sampled_from(["holdem", "omaha", "omaha8", "razz", "stud8", "badugi", "draw"]))
def test_sampled_shares_sum_to_one(deck: list[int], game: str) -> None:
    size = {"holdem": 2, "omaha": 4, "omaha8": 4, "razz": 3, "stud8": 3, "badugi": 3, "draw": 3}[game]
    found = ps.equity(
        deck[:size], deck[size : 2 * size], "random", game=game, method="monte-carlo", deals=2_000, seed=1
    )
    assert math.isclose(sum(p.equity for p in found.players), 1, abs_tol=1e-9)
    assert all(sum(p.counts.values()) == found.deals == 2_000 for p in found.players)
    again = ps.equity(
        deck[:size], deck[size : 2 * size], "random", game=game, method="monte-carlo", deals=2_000, seed=1, threads=2
    )
    assert again.players == found.players


# -- text -------------------------------------------------------------------------------------------------------------


@some
@given(st.permutations(range(52)), st.integers(0, 52))
def test_cards_survive_being_written(deck: list[int], number: int) -> None:
    cards = tuple(deck[:number])
    text = ps.format_cards(cards)
    assert ps.parse_cards(text) == cards
    assert ps.parse_cards(text.lower()) == cards
    assert ps.parse_cards(" ".join(text[i : i + 2] for i in range(0, len(text), 2))) == cards


@some
@given(st.text(alphabet="AKQJT98765432cdhs10 ,;♠♥♦♣xX+-@:!%()", max_size=24))
def test_any_text_is_read_or_refused_at_a_place(text: str) -> None:
    for read in (ps.parse_cards, ps.Range):
        error = refusal(read, text)
        assert error is None or str(error).strip()
        if isinstance(error, ps.TextError):
            assert 0 <= error.start <= len(text)
            assert error.start < error.end
            assert error.reason


def refusal(read: Any, text: str) -> PotshareError | None:
    """Why a text is not read, if it is not."""
    try:
        read(text)
    except PotshareError as error:
        return error
    return None


@few
@given(
    st.sampled_from(["AKs", "22+", "A2s+,KQo", "15%", "AA@50,KK", "T9s-54s", "random!22+"]), st.permutations(range(52))
)
def test_a_range_without_cards_is_a_part_of_it(text: str, deck: list[int]) -> None:
    whole = dict(zip(map(tuple, ps.Range(text).combos.tolist()), ps.Range(text).weights.tolist(), strict=True))
    gone = deck[:7]
    try:
        left = ps.Range(text, dead=ps.format_cards(gone))
    except PotshareError:
        assert all(set(combo) & set(gone) for combo in whole)
        return
    found = dict(zip(map(tuple, left.combos.tolist()), left.weights.tolist(), strict=True))
    assert found == {combo: w for combo, w in whole.items() if not set(combo) & set(gone)}
    assert ps.Range(left.canonical()).combos.tolist() == left.combos.tolist()

"""The table of best discards: a plain twin on small decks, legal discards, files, and best against standard."""

from __future__ import annotations

import dataclasses
import doctest
import itertools
from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import twin  # type: ignore[import-not-found]

from potshare import PotshareError, equity
from potshare import kernel as kernels
from potshare.evaluator.cards import parse_cards
from potshare.simulate import variants
from potshare.simulate.answer import tally_equity
from potshare.simulate.drawing import best, search
from potshare.simulate.drawing.search import best_discards
from potshare.simulate.sampling.general import Dealer
from potshare.simulate.spot import spot
from potshare.simulate.variants import Variant, find_variant, read_variant

EVEN = 1e-9


# -- a plain twin ---------------------------------------------------------------------------------------------------


class Plain:
    """Backward induction over every hand, discard and replacement, one by one.

    `halves` rank a hand (greater is better, None: no hand). `limits`: for each draw, the first one first, how many
    cards may go and how many when an ace or wild card is kept alone.
    """

    def __init__(
        self, deck: Sequence[int], size: int, halves: Sequence[Callable[[Sequence[int]], Any]],
        limits: Sequence[tuple[int, int]], players: int, wild: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.deck, self.size, self.limits, self.players, self.wild = tuple(deck), size, limits, players, set(wild)
        self.hands = list(itertools.combinations(self.deck, size))
        self.keys = [{hand: key(hand) for hand in self.hands} for key in halves]

    def worth(self, final: dict[Any, float]) -> dict[Any, float]:
        """The share of the pot of each hand against opponents with those hands, one case after the other."""
        by_key: dict[Any, float] = {}
        for hand, chance in final.items():
            key = tuple(keys[hand] for keys in self.keys)
            by_key[key] = by_key.get(key, 0.0) + chance
        worth: dict[Any, float] = {}
        for own in {tuple(keys[hand] for keys in self.keys) for hand in self.hands}:
            worth[own] = 0.0
            for others in itertools.product(by_key.items(), repeat=self.players - 1):
                chance = 1.0
                for _, one in others:
                    chance *= one
                worth[own] += chance * self.share([own, *(key for key, _ in others)])
        return {hand: worth[tuple(keys[hand] for keys in self.keys)] for hand in self.hands}

    @staticmethod
    def share(keys: list[Any]) -> float:
        """The first player's share of the pot."""
        parts = []
        for half in range(len(keys[0])):
            there = [key[half] for key in keys if key[half] is not None]
            if there:
                top = max(there)
                parts.append(sum(key[half] == top for key in keys) ** -1 if keys[0][half] == top else 0.0)
        return sum(parts) / len(parts)

    def discards(self, hand: Sequence[int], limit: tuple[int, int]) -> list[int]:
        """The masks of kept cards that a draw allows, most cards first."""
        found = []
        for mask in sorted(range(1 << self.size), key=lambda m: (-m.bit_count(), m)):
            thrown = self.size - mask.bit_count()
            alone = [c for i, c in enumerate(hand) if mask >> i & 1]
            free = len(alone) == 1 and (alone[0] >> 2 == 12 or alone[0] in self.wild)
            if thrown <= limit[0] or (free and thrown <= limit[1]):
                found.append(mask)
        return found

    def after(self, hand: Sequence[int], mask: int) -> list[tuple[int, ...]]:
        """The hands that a discard can lead to."""
        kept = [c for i, c in enumerate(hand) if mask >> i & 1]
        rest = [c for c in self.deck if c not in hand]
        return [tuple(sorted((*kept, *new))) for new in itertools.combinations(rest, self.size - len(kept))]

    def solve(self) -> tuple[list[dict[Any, dict[int, float]]], int, float]:
        """The worth of every discard of every hand by draws left, the rounds, and the gain of the last one."""
        start = {hand: 1 / len(self.hands) for hand in self.hands}
        chosen = [dict.fromkeys(self.hands, (1 << self.size) - 1) for _ in self.limits]
        rounds, gain = 0, 1.0
        ways = {(h, m): self.after(h, m) for h in self.hands for m in range(1 << self.size)}
        values: list[dict[Any, dict[int, float]]] = []
        while gain > best.GAIN and rounds < best.MOST_ROUNDS:
            final = start
            for choice in reversed(chosen):
                then = dict.fromkeys(self.hands, 0.0)
                for hand, chance in final.items():
                    found = ways[hand, choice[hand]]
                    for new in found:
                        then[new] += chance / len(found)
                final = then
            worth = self.worth(final)
            values = []
            for k, limit in enumerate(reversed(self.limits)):
                values.append({})
                now = {}
                for hand in self.hands:
                    of = {
                        m: sum(worth[new] for new in ways[hand, m]) / len(ways[hand, m])
                        for m in self.discards(hand, limit)
                    }
                    values[k][hand] = of
                    top = max(of.values())
                    chosen[k][hand] = next(m for m, value in of.items() if value > top - EVEN)
                    now[hand] = top
                worth = now
            rounds += 1
            gain = sum(worth.values()) / len(self.hands) - 1 / self.players
        return values, rounds, gain


def small(base: str, low: int, size: int, **changes: Any) -> Variant:
    """A game with the cards from number `low` up and so many of them in a hand."""
    found = find_variant(base)
    streets = tuple(dataclasses.replace(s, down=size) if s.down else s for s in found.streets)
    streets = tuple(dataclasses.replace(s, **({"draw": min(s.draw, size)} | changes)) if s.draw else s for s in streets)
    return dataclasses.replace(found, deck_name=f"from {low}", streets=streets)


SMALL = {
    "high, two draws": (small("double-draw", 40, 5), [twin.high], [(5, 0), (5, 0)], 2),
    "high, three players": (small("draw", 40, 5), [twin.high], [(5, 0)], 3),
    "high, at most two": (small("draw", 40, 5, draw=2), [twin.high], [(2, 0)], 2),
    "high, two, or four to an ace": (small("draw", 40, 5, draw=2, draw_to_ace=4), [twin.high], [(2, 4)], 2),
    "badugi": (small("badugi", 40, 4), [twin.badugi], [(4, 0)] * 3, 2),
    "badugi and low": (small("badacey", 40, 5), [twin.badugi, twin.ace_to_five], [(5, 0)] * 3, 2),
    "deuce-to-seven": (small("triple-draw", 40, 5), [twin.deuce_to_seven], [(5, 0)] * 3, 2),
    "a joker": (small("draw-joker", 40, 5), [lambda c: twin.wild_high(c, {52})], [(5, 0)], 2),
    "swaps": (small("murder", 16, 2), [twin.murder_high, twin.murder_low], [(1, 0)] * 3, 2),
}
DECKS = {f"from {low}": tuple(range(low, 52)) for low in (16, 40)}


@pytest.fixture
def decks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, cards in DECKS.items():
        monkeypatch.setitem(variants.DECKS, name, cards)


@pytest.mark.usefixtures("decks")
@pytest.mark.parametrize("name", SMALL)
def test_every_decision_of_a_small_game(name: str) -> None:
    variant, halves, limits, players = SMALL[name]
    if name == "swaps":
        streets = tuple(s for s in variant.streets if s.swap)
        dealt = dataclasses.replace(variant.streets[0], down=2)
        variant = dataclasses.replace(variant, streets=(dealt, *streets))
    plain = Plain(variant.deck, variant.hole_cards, halves, limits, players, variant.wild_cards)
    values, rounds, gain = plain.solve()
    found = best._solve(variant, players, None)
    assert found.masks.shape == (len(limits), len(plain.hands))
    assert found.rounds == rounds
    assert found.gain == pytest.approx(gain, abs=1e-9)
    places = {hand: sum(comb(c - variant.deck[0], i + 1) for i, c in enumerate(hand)) for hand in plain.hands}
    for k, by_hand in enumerate(values):
        for hand, of in by_hand.items():
            mask = int(found.masks[k, places[hand]])
            assert mask in of, (hand, mask)  # a legal discard
            assert of[mask] == pytest.approx(max(of.values()), abs=1e-9), (k, hand, mask)


@pytest.mark.usefixtures("decks")
def test_suits_that_count_are_not_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The same table without classes of suits.
    variant = SMALL["badugi"][0]
    found = best._solve(variant, 2, None)
    sets = best._Sets

    def plain(cards: int, natural: int, n: int, symmetric: bool) -> Any:
        assert symmetric
        return sets(cards, natural, n, False)

    monkeypatch.setattr(best, "_Sets", plain)
    again = best._solve(variant, 2, None)
    assert (again.rounds, again.gain) == (found.rounds, pytest.approx(found.gain, abs=1e-12))
    # Of two cards of one rank either may be thrown.
    np.testing.assert_array_equal(np.bitwise_count(again.masks), np.bitwise_count(found.masks))


def test_hands_with_none_of_the_second_half_go_by_the_first() -> None:
    # One opponent with hands 1..3 of the first half, the last of which alone has the second.
    first = np.array([1, 2, 3], np.uint16)
    second = np.array([0, 0, 1], np.uint16)
    mass = np.array([0.2, 0.3, 0.5])
    found = best.shares(mass, [first, second], 1)
    assert found[0] == pytest.approx(0.2 * 0.5)
    assert found[1] == pytest.approx(0.2 + 0.3 * 0.5)
    assert found[2] == pytest.approx(0.5 + 0.5 * 0.5)


# -- which games, and what they do ----------------------------------------------------------------------------------


def test_games_with_a_table() -> None:
    have = {name for name, variant in variants.games().items() if best.exchanges(variant)}
    draws = {name for name, variant in variants.games().items() if any(s.draw or s.swap for s in variant.streets)}
    assert have == draws
    assert best.exchanges(find_variant("draw-home")) == (best.Exchange(3, 4),)
    assert best.exchanges(find_variant("murder")) == (best.Exchange(1),) * 3
    assert best.exchanges(find_variant("badugi").with_draws_left(2)) == (best.Exchange(4),) * 2
    for name in ("holdem", "stud", "pineapple", "irish"):
        assert best.exchanges(find_variant(name)) == ()


def choice(game: str, hand: str, left: int, players: int = 2) -> str:
    """What the table keeps of a hand."""
    variant = find_variant(game)
    cards = sorted(parse_cards(hand))
    place = sum(comb(c, i + 1) for i, c in enumerate(cards))
    mask = int(best.table(variant, players).masks[left - 1, place])
    kept = {c for i, c in enumerate(cards) if mask >> i & 1}
    return " ".join(hand[i : i + 2] for i in range(0, len(hand), 2) if parse_cards(hand[i : i + 2])[0] in kept)


@pytest.mark.parametrize(
    ("game", "hand", "left", "kept"),
    [
        ("deuce-to-seven", "JcTd8h6s2c", 1, "Jc Td 8h 6s 2c"),  # a jack is better than a draw to the ten
        ("deuce-to-seven", "Kc7d4h3s2c", 1, "7d 4h 3s 2c"),
        ("triple-draw", "9c7d4h3s2c", 3, "9c 7d 4h 3s 2c"),
        ("triple-draw", "Tc7d4h3s2c", 2, "7d 4h 3s 2c"),  # a ten goes,
        ("triple-draw", "Tc7d4h3s2c", 1, "Tc 7d 4h 3s 2c"),  # but on the last draw it stays
        ("triple-draw", "2c2d3h4s7c", 3, "2c 3h 4s 7c"),
        ("badugi", "Ac2d3hKs", 3, "Ac 2d 3h"),
        ("badugi", "Ac2d3hKs", 1, "Ac 2d 3h Ks"),
        ("draw", "8s8d8cKd4h", 1, "8s 8d 8c"),
        ("draw", "AsAd7h5c2s", 1, "As Ad"),
        ("draw-hoyle", "As9d7h4c2s", 1, "As 9d"),  # three at most
        ("draw-home", "As9d7h4c2s", 1, "As"),  # four to an ace
        ("badugi", "2c4d7hKs", 2, "2c 4d 7h Ks"),
    ],
)
def test_what_the_table_keeps(game: str, hand: str, left: int, kept: str) -> None:
    found = choice(game, hand, left)
    alike = kept.replace("2c 3h", "2d 3h")  # either deuce
    assert found in (kept, alike)


@pytest.mark.parametrize("game", ["draw-hoyle", "draw-home", "murder", "deuce-to-seven"])
def test_no_more_is_thrown_away_than_may_be(game: str) -> None:
    variant = find_variant(game)
    masks = best.table(variant, 2).masks
    n = variant.hole_cards
    (most, to_ace), *_ = [(e.most, e.to_ace) for e in best.exchanges(variant)]
    thrown = n - np.bitwise_count(masks)
    assert thrown.max() <= max(most, to_ace)
    assert (thrown > most).mean() < 0.5
    if game == "deuce-to-seven":
        assert set(np.unique(thrown)) == {0, 1, 2, 3, 4, 5} or thrown.max() >= 3


ALL = [name for name, variant in variants.games().items() if best.exchanges(variant) and variant.hole_cards <= 5]


@pytest.mark.parametrize("game", sorted({*ALL} - {"english-stud"}))  # plays as pig-stud
def test_best_beats_standard(game: str) -> None:
    # Each in either seat: the mean of both takes the seats out.
    shares, errors = [], []
    for by_rules in ((0,), (1,)):
        question = spot(["random", "random"], game)
        dealer = Dealer(question, "best", 11, by_rules)
        tally = dealer.deal(0, 60, 60 * dealer.block)
        share, error = tally_equity(tally, 2)[1 - by_rules[0]]
        shares.append(share)
        errors.append(error)
    mean, error = np.mean(shares), np.hypot(*errors) / 2
    assert error < 0.0011
    assert mean > 0.5 - 3 * error
    if game in ("deuce-to-seven", "triple-draw", "badugi", "ace-to-five", "badacey", "badeucey", "murder"):
        assert mean > 0.5 + 4 * error


def test_the_first_choice_of_the_table_is_the_best_one_found_by_counting() -> None:
    # Deuce-to-seven single draw against an opponent who drew one to a nine.
    values = best_discards("JcTd8h6s2c", "27sd", against=["9s5d4h3s/Kc"], policy="best")
    assert values[0].method == "exact"
    assert len(values[0].kept) == 5


def test_words_say_how_choices_are_made() -> None:
    answer = equity("2c3d4h7sKd", "random", game="27sd", policy="best", deals=4096, seed=1)
    assert answer.policy is not None
    assert answer.policy.startswith("best: hand 1 2c3d4h7s/Kd (")
    assert answer.policy.endswith("other and later draws by the table of best discards")
    push = equity("random", "random", game="push", policy="best", deals=4096, seed=1)
    assert push.policy is not None
    assert push.policy.endswith("table of best discards, pushes by standard")
    other = equity("AsKs2d", "random", game="pineapple", policy="best", deals=4096, seed=1)
    assert other.policy is not None
    assert other.policy.endswith("other and later choices by standard")


def test_same_seed_same_answer_for_any_threads() -> None:
    found = {
        equity("random", "random", game="badugi", policy="best", deals=40_000, seed=3, threads=threads)
        .players[0]
        .equity
        for threads in (1, 2)
    }
    assert len(found) == 1


def test_a_variant_of_ones_own_has_a_table(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text('like = "badugi"\ntitle = "Badugi, two at most"\n[change."first draw"]\ndraw = 2\n')
    variant = read_variant(path)
    assert [e.most for e in best.exchanges(variant)] == [2, 4, 4]
    thrown = 4 - np.bitwise_count(best.table(variant, 2).masks)
    assert thrown[2].max() == 2  # the first draw: three left
    assert thrown[1].max() > 2


# -- files ----------------------------------------------------------------------------------------------------------


def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CACHE", str(tmp_path))
    monkeypatch.setattr(best, "_known", {})


def test_tables_are_kept_and_damaged_ones_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _folder(tmp_path, monkeypatch)
    variant = find_variant("murder")
    made = best.table(variant, 2)
    (path,) = tmp_path.glob("discards-*.bin")
    whole = path.read_bytes()

    solved: list[str] = []
    solve = best._solve
    monkeypatch.setattr(best, "_solve", lambda v, *more: solved.append(v.name) or solve(v, *more))
    best._known.clear()
    again = best.table(variant, 2)
    assert not solved
    assert again.rounds == made.rounds
    assert again.gain == made.gain
    np.testing.assert_array_equal(again.masks, made.masks)
    assert again.masks.flags.writeable

    for damaged in (b"", whole[:20], whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b"X" + whole[1:]):
        path.write_bytes(damaged)
        best._known.clear()
        solved.clear()
        np.testing.assert_array_equal(best.table(variant, 2).masks, made.masks)
        assert solved == ["murder"]
        assert path.read_bytes() == whole
    assert [p.name for p in tmp_path.glob("discards-*")] == [path.name]  # nothing half-written stays


def test_players_and_limits_have_tables_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _folder(tmp_path, monkeypatch)
    one = find_variant("murder")
    fewer = dataclasses.replace(one, streets=tuple(dataclasses.replace(s, swap=min(s.swap, 1)) for s in one.streets))
    for variant, players in ((one, 2), (one, 3), (fewer, 2), (one, 2)):
        best.table(variant, players)
    assert len(list(tmp_path.glob("discards-*.bin"))) == 3


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _folder(tmp_path / "absent", monkeypatch)
    assert best.table(find_variant("murder"), 2).masks.shape == (3, 1326)


def test_the_example_of_its_documentation() -> None:
    assert doctest.testmod(search) == (0, 2)


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(PotshareError, match="there are pat, standard, best"):
        best_discards("8s8d8cKd4h", "draw", policy="worst")

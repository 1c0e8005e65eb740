"""The generic syntax against slow twins that know the grammar only.

Two twins: predicates written by hand for every construct, over all hands of a game; and random terms built from parts,
matched by trying every permutation of a hand's cards, as the grammar defines matching.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from potshare.errors import PotshareError, TextError
from potshare.evaluator.cards import RANKS, SUITS, format_cards, parse_cards
from potshare.simulate.ranges import Range
from potshare.simulate.variants import Street, Variant, find_variant

A, K, Q, J, T = 12, 11, 10, 9, 8
C, D, H, S = range(4)


def variant(cards: int, deck: str = "standard", *, up: bool = False) -> Variant:
    """A game that deals so many cards; with `up`, two down and the rest face up."""
    base = find_variant("omaha")
    streets = (Street("deal", down=2, up=cards - 2),) if up else (Street("deal", down=cards), *base.streets[1:])
    return dataclasses.replace(base, name=f"test{cards}", deck_name=deck, streets=streets)


class Hands:
    """All hands of a game as counts: `r[rank]`, `s[suit]`, `c[rank, suit]`, each (n,) integers."""

    def __init__(self, cards: int, lowest: int) -> None:
        deck = range(4 * lowest, 52)
        n = math.comb(len(deck), cards)
        flat = itertools.chain.from_iterable(itertools.combinations(deck, cards))
        table = np.fromiter(flat, np.uint8, n * cards).reshape(n, cards)[:, ::-1]
        self.table = table[np.lexsort(table.T[::-1])]
        self.size = cards
        held = np.zeros((n, 52), np.uint8)
        held[np.arange(n)[:, None], self.table] = 1
        by_card = held.reshape(n, 13, 4)
        self.c = {(r, s): by_card[:, r, s].astype(bool) for r in range(13) for s in range(4)}
        self.r = by_card.sum(axis=2).T
        self.s = by_card.sum(axis=1).T
        self.counts = np.sort(self.r, axis=0)[::-1]
        self.suits = np.sort(self.s, axis=0)[::-1]

    def any(self, things: object) -> np.ndarray:
        return np.logical_or.reduce(list(things))  # type: ignore[call-overload]

    def of(self, ranks: str) -> np.ndarray:
        return sum(self.r[RANKS.index(c)] for c in ranks)  # type: ignore[return-value]


@cache
def all_hands(cards: int, lowest: int = 0) -> Hands:
    return Hands(cards, lowest)


def others(*taken: int) -> list[int]:
    return [s for s in range(4) if s not in taken]


def two(suits: list[int]) -> list[tuple[int, int]]:
    return list(itertools.permutations(suits, 2))


Predicate = Callable[[Hands], np.ndarray]

RANK_TERMS: dict[str, Predicate] = {
    "A": lambda h: h.r[A] >= 1,
    "AA": lambda h: h.r[A] >= 2,
    "AK": lambda h: (h.r[A] >= 1) & (h.r[K] >= 1),
    "*": lambda h: h.r[A] >= 0,
    "**": lambda h: h.r[A] >= 0,
    "RR": lambda h: h.counts[0] >= 2,
    "RN": lambda h: (h.r > 0).sum(axis=0) >= 2,
    "AR": lambda h: (h.r[A] >= 1) & (h.r[A] < h.size),
    "[A,K,5]": lambda h: h.of("AK5") >= 1,
    "[A-J]": lambda h: h.of("AKQJ") >= 1,
    "[J-A]": lambda h: h.of("AKQJ") >= 1,
    "[Q+]": lambda h: h.of("AKQ") >= 1,
    "[8-]": lambda h: h.of("8765432") >= 1,
    "[A,9-7]": lambda h: h.of("A987") >= 1,
    "A[K,Q]": lambda h: (h.r[A] >= 1) & (h.of("KQ") >= 1),
    "A-J": lambda h: h.of("AKQJ") >= 1,
    "T+": lambda h: h.of("AKQJT") >= 1,
    "4-": lambda h: h.of("432") >= 1,
    "$B": lambda h: h.of("AKQJ") >= 1,
    "$R$R": lambda h: h.of("AKQJT") >= 2,
    "$F": lambda h: h.of("KQJ") >= 1,
    "$M$M": lambda h: h.of("T987") >= 2,
    "$Z": lambda h: h.of("65432") >= 1,
    "$L$L": lambda h: h.of("A8765432") >= 2,
    "$N": lambda h: h.of("KQJT9") >= 1,
    "$W$W": lambda h: h.of("A5432") >= 2,
    "$np": lambda h: h.counts[0] == 1,
    "$op": lambda h: (h.counts[0] == 2) & (h.counts[1] < 2),
    "$tp": lambda h: (h.counts[0] == 2) & (h.counts[1] == 2) & (h.counts[2] < 2),
    "$nt": lambda h: h.counts[0] <= 2,
    "$0g": lambda h: rundown(h, 0),
    "$1g": lambda h: rundown(h, 1),
    "$2g": lambda h: rundown(h, 2),
    "AA,KK": lambda h: (h.r[A] >= 2) | (h.r[K] >= 2),
    "AK!AA": lambda h: (h.r[A] == 1) & (h.r[K] >= 1),
    "*!RR": lambda h: h.counts[0] == 1,
    "(A,K):(Q,J)": lambda h: (h.of("AK") >= 1) & (h.of("QJ") >= 1),
    "A:K!AsKs": lambda h: (h.r[A] >= 1) & (h.r[K] >= 1) & ~(h.c[A, S] & h.c[K, S]),
    "A!K:Q": lambda h: (h.r[A] >= 1) & (h.r[K] == 0) & (h.r[Q] >= 1),
    "A,K!Q": lambda h: (h.r[A] >= 1) | ((h.r[K] >= 1) & (h.r[Q] == 0)),
}  # fmt: skip

SUIT_TERMS: dict[str, Predicate] = {
    "As": lambda h: h.c[A, S],
    "AsKh": lambda h: h.c[A, S] & h.c[K, H],
    "s": lambda h: h.s[S] >= 1,
    "ss": lambda h: h.s[S] >= 2,
    "*h": lambda h: h.s[H] >= 1,
    "xx": lambda h: h.suits[0] >= 2,
    "xy": lambda h: (h.s > 0).sum(axis=0) >= 2,
    "sx": lambda h: (h.s[S] >= 1) & (h.s[S] < h.size),
    "Ax": lambda h: h.r[A] >= 1,
    "AxKx": lambda h: h.any(h.c[A, s] & h.c[K, s] for s in range(4)),
    "AxKy": lambda h: h.any(h.c[A, s] & h.c[K, t] for s, t in two(others())),
    "Axx": lambda h: h.any(h.c[A, s] & (h.s[s] >= 2) for s in range(4)),
    "Asx": lambda h: h.c[A, S] & (h.s[S] < h.size),
    "RxRy": lambda h: h.counts[0] >= 2,
    "RxNx": lambda h: h.suits[0] >= 2,
    "A[s,h]": lambda h: h.any(h.c[A, s] & (h.s[t] - (1 if s == t else 0) >= 1) for s in range(4) for t in (S, H)),
    "[As,Kd,7c]": lambda h: h.c[A, S] | h.c[K, D] | h.c[5, C],
    "[As,Kd]x": lambda h: (h.c[A, S] & (h.s[S] < h.size)) | (h.c[K, D] & (h.s[D] < h.size)),
    "$ds": lambda h: (h.suits[0] >= 2) & (h.suits[1] >= 2) & (h.suits[2] < 2),
    "$ss": lambda h: (h.suits[0] == 2) & (h.suits[1] < 2),
    "$ns": lambda h: h.suits[0] < 2,
    "9s8s-7s6s": lambda h: (h.c[7, S] & h.c[6, S]) | (h.c[6, S] & h.c[5, S]) | (h.c[5, S] & h.c[4, S]),
}  # fmt: skip

BIG_TERMS: dict[str, Predicate] = {
    "AAA": lambda h: h.r[A] >= 3,
    "AAK": lambda h: (h.r[A] >= 2) & (h.r[K] >= 1),
    "AARR": lambda h: (h.r[A] >= 2) & (np.delete(h.r, A, axis=0).max(axis=0) >= 2),
    "RRNN": lambda h: (h.counts[0] >= 2) & (h.counts[1] >= 2),
    "RRR": lambda h: h.counts[0] >= 3,
    "RRON": lambda h: (h.counts[0] >= 2) & ((h.r > 0).sum(axis=0) >= 3),
    "RONP": lambda h: (h.r > 0).sum(axis=0) >= 4,
    "98+": lambda h: h.any((h.r[i] >= 1) & (h.r[i - 1] >= 1) for i in range(7, 13)),
    "AJ+": lambda h: (h.r[A] >= 1) & (h.r[J] >= 1),
    "QQ+": lambda h: h.any(h.r[i] >= 2 for i in range(10, 13)),
    "99-": lambda h: h.any(h.r[i] >= 2 for i in range(8)),
    "T987+": lambda h: h.any(np.logical_and.reduce(h.r[i - 3 : i + 1] >= 1) for i in range(8, 13)),
    "KQJ-": lambda h: h.any(np.logical_and.reduce(h.r[i - 2 : i + 1] >= 1) for i in range(2, 12)),
    "AK-JT": lambda h: h.any((h.r[i] >= 1) & (h.r[i - 1] >= 1) for i in range(9, 13)),
    "JT-AK": lambda h: h.any((h.r[i] >= 1) & (h.r[i - 1] >= 1) for i in range(9, 13)),
    "AKK-QJJ": lambda h: h.any((h.r[i] >= 1) & (h.r[i - 1] >= 2) for i in range(10, 13)),
    "[A-J][T-8]": lambda h: (h.of("AKQJ") >= 1) & (h.of("T98") >= 1),
    "[A-J][A-J]K": lambda h: (h.of("AKQJ") >= 3) & (h.r[K] >= 1),
    "[AK-QJ]": lambda h: h.any((h.r[i] >= 1) & (h.r[i - 1] >= 1) for i in (12, 11, 10)),
    "[A,K]AA": lambda h: (h.r[A] >= 3) | ((h.r[A] >= 2) & (h.r[K] >= 1)),
    "[A,K]RR": lambda h: h.any((h.r[x] >= 1) & (np.delete(h.r, x, axis=0).max(axis=0) >= 2) for x in (A, K)),
    "ssxx": lambda h: (h.s[S] >= 2) & h.any(h.s[t] >= 2 for t in (C, D, H)),
    "sssx": lambda h: (h.s[S] >= 3) & (h.s[S] < h.size),
    "xxyy": lambda h: (h.suits[0] >= 2) & (h.suits[1] >= 2),
    "xxxx": lambda h: h.suits[0] >= 4,
    "xyz": lambda h: (h.s > 0).sum(axis=0) >= 3,
    "wxyz": lambda h: (h.s > 0).sum(axis=0) >= 4,
    "xxyz": lambda h: (h.suits[0] >= 2) & ((h.s > 0).sum(axis=0) >= 3),
    "AAxx": lambda h: h.any((h.r[A] >= 2) & h.c[A, s] & (h.s[s] >= 2) for s in range(4)),
    "AxAyxy": lambda h: h.any(
        h.c[A, s] & h.c[A, t] & (h.s[s] >= 2) & (h.s[t] >= 2) for s, t in two(others())
    ),
    "RxRyOxOy": lambda h: h.any(
        sum((h.c[r, s] & h.c[r, t]).astype(int) for r in range(13)) >= 2 for s, t in two(others())
    ),
    "AsAxx": lambda h: h.c[A, S] & h.any(h.c[A, t] & (h.s[t] >= 2) for t in (C, D, H)),
    "AA$ds": lambda h: (h.r[A] >= 2) & (h.suits[0] >= 2) & (h.suits[1] >= 2) & (h.suits[2] < 2),
    "$np$0g": lambda h: (h.counts[0] == 1) & rundown(h, 0),
    "AA:xxyy, JJ!JJJ, KK": lambda h: (
        ((h.r[A] >= 2) & (h.suits[0] >= 2) & (h.suits[1] >= 2)) | (h.r[J] == 2) | (h.r[K] >= 2)
    ),
    "AA:22": lambda h: (h.r[A] >= 2) & (h.r[0] >= 2),
    "AA!(xxx,KK)": lambda h: (h.r[A] >= 2) & (h.suits[0] < 3) & (h.r[K] < 2),
    "9s8h7s+": lambda h: h.any(h.c[i, S] & h.c[i - 1, H] & h.c[i - 2, S] for i in range(7, 13)),
    "9x8x-7x6x": lambda h: h.any(h.c[i, s] & h.c[i - 1, s] for i in (7, 6, 5) for s in range(4)),
    "R98-R76": lambda h: h.any(
        (h.r[i] >= 1) & (h.r[i - 1] >= 1) & (np.delete(h.r, [i, i - 1], axis=0).max(axis=0) >= 1) for i in (7, 6, 5)
    ),
    "sAK": lambda h: h.any(
        (h.r[A] >= 1) & (h.r[K] >= 1) & (h.s[S] - h.c[A, s] * (s == S) - h.c[K, t] * (t == S) >= 1)
        & h.c[A, s] & h.c[K, t]
        for s in range(4) for t in range(4)
    ),
}  # fmt: skip


def rundown(h: Hands, gaps: int) -> np.ndarray:
    held = h.r > 0
    low = held.argmax(axis=0)
    high = 12 - held[::-1].argmax(axis=0)
    return (h.counts[0] == 1) & (high - low + 1 - h.size == gaps)


def check_all(text: str, game: Variant, hands: Hands, predicate: Predicate) -> None:
    wanted = hands.table[predicate(hands).astype(bool)]
    if not len(wanted):
        with pytest.raises(PotshareError, match="names no hand"):
            len(Range(text, game))
        return
    assert np.array_equal(Range(text, game).combos, wanted), text


# In two-card games a term may be shorthand, or move the hold'em way; those are tested apart.
TWO_CARD_ONLY = {"AA,KK", "AK!AA"}


@pytest.mark.parametrize("text", [*RANK_TERMS, *SUIT_TERMS])
def test_two_cards(text: str) -> None:
    if text in ("9s8s-7s6s",):
        return
    check_all(text, find_variant("holdem"), all_hands(2), (RANK_TERMS | SUIT_TERMS)[text])


@pytest.mark.parametrize("text", [*RANK_TERMS, *SUIT_TERMS, *BIG_TERMS])
def test_four_cards(text: str) -> None:
    check_all(text, find_variant("omaha"), all_hands(4), (RANK_TERMS | SUIT_TERMS | BIG_TERMS)[text])


SHORT_DECK_TERMS = [t for t in (RANK_TERMS | SUIT_TERMS | BIG_TERMS) if not set("2345") & set(t) and t != "4-"]


@pytest.mark.parametrize("text", SHORT_DECK_TERMS)
def test_five_cards_of_a_short_deck(text: str) -> None:
    check_all(text, variant(5, "short"), all_hands(5, 4), (RANK_TERMS | SUIT_TERMS | BIG_TERMS)[text])


def test_counts_of_the_big_games() -> None:
    assert len(Range("*", "omaha")) == 270_725
    assert len(Range("*", "omaha5")) == 2_598_960
    assert len(Range("*", "omaha6")) == 20_358_520
    assert len(Range("AA", "omaha5")) == sum(math.comb(4, k) * math.comb(48, 5 - k) for k in (2, 3, 4))
    assert len(Range("AA!AAA", "omaha6")) == 6 * math.comb(48, 4)
    assert len(Range("xxxxxx", "omaha6")) == 4 * math.comb(13, 6)


# ---------------------------------------------------------------------------------- random terms, permutations

RANK_VARS = "BEFGILMNOPRUV"


def random_term(rng: random.Random, cards: int) -> tuple[list[dict[str, object]], str]:
    """A term as parts and as text. A part has `ranks`, `suits`, `cards` (what fits), and variables."""
    parts: list[dict[str, object]] = []
    text = ""
    ranks = rng.sample(RANKS, 3)
    suits = rng.sample(SUITS, 2)
    rank_vars = rng.sample(RANK_VARS, 2)
    suit_vars = rng.sample("wxyz", 2)
    written: set[str] = set()
    for _ in range(rng.randint(1, cards)):
        part: dict[str, object] = {}
        kind = rng.randrange(8)
        if kind == 0:
            part["ranks"] = rng.choice(ranks)
            text += str(part["ranks"])
        elif kind == 1:
            part["rank_var"] = rng.choice(rank_vars)
            text += str(part["rank_var"])
        elif kind == 2:
            text += "*"
        elif kind == 3:
            chosen = rng.sample(RANKS, rng.randint(2, 4))
            part["ranks"] = "".join(chosen)
            text += "[" + ",".join(chosen) + "]"
        elif kind == 4:
            low, high = sorted(rng.sample(range(13), 2))
            part["ranks"] = RANKS[low : high + 1]
            text += f"[{RANKS[high]}-{RANKS[low]}]"
        elif kind == 5:
            chosen = rng.sample(SUITS, 2)
            part["suits"] = "".join(chosen)
            text += "[" + ",".join(chosen) + "]"
        elif kind == 6:
            chosen = [rng.choice(RANKS) + rng.choice(SUITS) for _ in range(3)]
            part["cards"] = set(chosen)
            text += "[" + ",".join(chosen) + "]"
        else:
            text += "*"
        if kind in (0, 1, 2, 7) and rng.random() < 0.6:
            if rng.random() < 0.5:
                part["suits"] = rng.choice(suits)
                text += str(part["suits"])
            else:
                part["suit_var"] = rng.choice(suit_vars)
                text += str(part["suit_var"])
        name = f"{part.get('ranks', '')}{part.get('suits', '')}" if kind == 0 else ""
        if len(name) == 2 and name in written:
            return random_term(rng, cards)
        written.add(name)
        parts.append(part)
    return parts, text


def fits(parts: list[dict[str, object]], cards: tuple[str, ...]) -> bool:
    """Whether these cards, in this order, fill the parts."""
    rank_of: dict[str, str] = {}
    suit_of: dict[str, str] = {}
    fixed_ranks, fixed_suits = set(), set()
    for part, card in zip(parts, cards, strict=True):
        rank, suit = card
        if "ranks" in part and rank not in str(part["ranks"]):
            return False
        if "suits" in part and suit not in str(part["suits"]):
            return False
        if "cards" in part and card not in part["cards"]:  # type: ignore[operator]
            return False
        if "ranks" in part or "cards" in part:
            fixed_ranks.add(rank)
        if "suits" in part or "cards" in part:
            fixed_suits.add(suit)
        for key, value, known in (("rank_var", rank, rank_of), ("suit_var", suit, suit_of)):
            if key in part and known.setdefault(str(part[key]), value) != value:
                return False
    for known, fixed in ((rank_of, fixed_ranks), (suit_of, fixed_suits)):
        values = list(known.values())
        if len(set(values)) < len(values) or fixed & set(values):
            return False
    return True


def matches(parts: list[dict[str, object]], cards: list[str], ordered: bool) -> bool:
    """The grammar's definition: some assignment of different cards to the parts exists."""
    n = len(parts)
    if not ordered:
        return any(fits(parts, chosen) for chosen in itertools.permutations(cards, n))
    if fits(parts, tuple(cards[:n])):
        return True
    swapped = [cards[1], cards[0], *cards[2:]]
    return fits(parts, tuple(swapped[:n]))


@pytest.mark.parametrize(("cards", "ordered"), [(3, False), (4, False), (5, False), (6, False), (7, True)])
def test_random_terms(cards: int, ordered: bool) -> None:
    rng = random.Random(cards)
    game = variant(cards, up=ordered)
    names = [format_cards([c]) for c in range(52)]
    seen = Counter[bool]()
    for _ in range(120):
        parts, text = random_term(rng, cards)
        found = Range(text, game)
        for _ in range(30):
            hand = rng.sample(names, cards)
            if rng.random() < 0.7:
                # Bend the hand towards the term, or hardly any would fit.
                for i, part in enumerate(parts):
                    options = [
                        n for n in names
                        if n not in hand and n[0] in str(part.get("ranks", RANKS))
                        and n[1] in str(part.get("suits", SUITS)) and n in part.get("cards", names)  # type: ignore[operator]
                    ]  # fmt: skip
                    if options:
                        hand[i] = rng.choice(options)
            given = hand[: found.cards]
            wanted = matches(parts, hand, ordered)
            assert found.contains("".join(given)) == wanted, (text, hand)
            seen[wanted] += 1
    assert min(seen.values()) > 300


def test_lists_of_hands_in_order() -> None:
    stud = variant(7, up=True)
    found = Range("AAK", stud)
    assert found.cards == 3
    assert len(found) == 6 * 4
    assert found.contains("AsAhKd")
    assert not found.contains("AsKdAh")
    assert len(Range("(AK)Q".replace("(", "").replace(")", ""), stud)) == 16 * 4
    assert len(Range("A", stud)) == math.comb(52, 2) - math.comb(48, 2)
    assert Range("KsJhTd", stud) != Range("KsTdJh", stud)
    assert Range("KsJhTd", stud) == Range("JhKsTd", stud)
    assert Range("**A", stud).total == math.comb(51, 2) * 4
    assert len(Range("AA,**K", stud)) == math.comb(4, 2) * 50 + math.comb(51, 2) * 4 - 6 * 4
    with pytest.raises(PotshareError, match="too many hands to list"):
        len(Range("AA*****", stud))
    assert Range("AA*****", stud).contains("AsAh2c3c4c5c6c")


BAD = [
    ("22+33", "omaha", 3, "not expected"),
    ("AA KK", "omaha", 2, "a space does not part hands"),
    ("AAKKQ", "omaha", 0, "more cards"),
    ("AAXX", "omaha", 2, "capital X"),
    ("AKo", "omaha", 2, ""),
    ("rron", "omaha", 0, "not a card"),
    ("AK-QT", "omaha", 0, "same number of ranks"),
    ("AK-Q", "omaha", 0, "same number of ranks"),
    ("AsKs-QhJh", "omaha", 0, "same number of ranks"),
    ("A5-A2", "omaha", 0, "same number of ranks"),
    ("[A,KK]", "omaha", 0, "different numbers"),
    ("[A,x]", "omaha", 3, "not expected in a list"),
    ("[A,K]+", "omaha", 0, "list or a macro"),
    ("$ds+", "omaha", 0, "list or a macro"),
    ("RR+", "omaha", 0, "no rank here"),
    ("AsKsAs", "omaha", 4, "written twice"),
    ("15%", "omaha6", 0, "no ordering"),
    ("AA@50,,KK", "omaha", 6, "nothing before"),
    ("As Kd, Qc Jh", "omaha", 12, ""),
]


@pytest.mark.parametrize(("text", "game", "caret", "reason"), BAD[:-1], ids=lambda v: str(v))
def test_errors(text: str, game: str, caret: int, reason: str) -> None:
    with pytest.raises(TextError) as caught:
        Range(text, game)
    assert (caught.value.start, reason in caught.value.reason) == (caret, True), str(caught.value)


def test_one_hand_in_pieces() -> None:
    for text in ("AsKsQdJd", "As Ks Qd Jd", "As,Ks,Qd,Jd", "AsKs QdJd", "10d AsKs Jd".replace("10d", "Qd")):
        found = Range(text, "omaha")
        assert len(found) == 1
        assert found.hand is not None
    assert Range("As,Ks,Qd", "omaha") == Range("AsKsQd", "omaha")
    assert Range("AsKs QdJd,AA", "omaha") == Range("AsKsQdJd,AA", "omaha")
    assert len(Range("AsKsQdJd,QsJsTd9d", "omaha")) == 2
    assert Range("AsKsQd??", "omaha") == Range("AsKsQd*", "omaha") == Range("AsKsQd", "omaha")


def test_weights_in_big_games() -> None:
    found = Range("AA@50,KK:xxyy@25,AAKK", "omaha")
    assert found.weight("AsAhKsKh") == 1.0
    assert found.weight("AsAh2c3d") == 0.5
    assert found.weight("KsKh2s3h") == 0.25
    assert found.weight("KsKh2s3c") == 0.0
    assert Range("(AA@50,KK):(xxyy@50)", "omaha").weight("AsAh2s3h") == 0.25
    assert Range("AA@0,KK", "omaha") == Range("KK", "omaha")
    assert Range("50%(AA,KK)", "omaha") == Range("(AA,KK)@50", "omaha") == Range("[50]AA,KK[/50]", "omaha")
    with pytest.raises(PotshareError, match="names no hand"):
        len(Range("AA@0", "omaha"))
    with pytest.raises(PotshareError, match=r"none of its 270725 hands|none of its 6961 hands is left"):
        len(Range("AA", "omaha", dead="AsAhAd"))


def test_many_written_hands_are_quick_to_find() -> None:
    rng = random.Random(5)
    rows = [rng.sample(range(52), 4) for _ in range(3000)]
    text = ",".join(format_cards(row) for row in rows)
    found = Range(text, "omaha")
    assert len(found) == len({frozenset(row) for row in rows})
    assert all(found.contains(row) for row in rows[:50])


def test_cards_are_read_back(  # the deck's every card, in every written form
) -> None:
    for c in range(52):
        name = format_cards([c])
        for text in (name, name.lower(), name.upper(), name.replace("T", "10")):
            assert Range(text, "omaha").hand == parse_cards(name)

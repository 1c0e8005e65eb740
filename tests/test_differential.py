"""The same questions by other ways: every exact method against sampling, and other programs where they are installed.

Strengths by scalar code, in vectors and by slow twins are compared in `test_lanes.py`, `test_omaha_lanes.py` and
`evaluator/`, exact methods with each other in `equity/test_exact.py`. Other programs have faults of their own. Those
that are known are listed here with a hand that shows each, so that a difference is either listed or ours.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare.simulate.variants import find_variant


def random_spot(game: str, seed: int, players: int, board: int, held: int, dead: int = 0) -> tuple[list[str], str, str]:
    """Hands, board and dead cards as text, from a deck of a random kind: whole, of few ranks, of few suits."""
    rng = random.Random(f"{game} {seed}")
    deck = list(find_variant(game).deck)
    deck = [c for c in deck if c < 52]
    kind = seed % 3
    needed = players * held + board + dead + 8
    if kind == 1:
        some = [c for c in deck if c & 3 in rng.sample(range(4), 2)]
        deck = some if len(some) >= needed else deck
    elif kind == 2:
        low = rng.randrange(6)
        some = [c for c in deck if low <= c >> 2 < low + 7]
        deck = some if len(some) >= needed else deck
    cards = rng.sample(deck, players * held + board + dead)
    texts = [ps.format_cards([c]) for c in cards]
    hands = ["".join(texts[i * held : (i + 1) * held]) for i in range(players)]
    rest = texts[players * held :]
    return hands, "".join(rest[:board]), "".join(rest[board:])


# -- counted against sampled ------------------------------------------------------------------------------------------

SAMPLED = {
    # Cards held by each player, on the board: few enough to come that every deal is counted.
    "holdem": [(2, 0), (2, 3), (2, 4)],
    "short-deck": [(2, 0), (2, 3)],
    "short-deck-trips": [(2, 0), (2, 3)],
    "holdem8": [(2, 3)],
    "omaha": [(4, 0), (4, 3)],
    "omaha8": [(4, 0), (4, 3)],
    "omaha5": [(5, 3)],
    "big-o": [(5, 3)],
    "omaha6": [(6, 3)],
    "omaha6-8": [(6, 3)],
    "courchevel": [(5, 3)],
    "courchevel8": [(5, 3)],
    "double-board-holdem": [(2, 3)],
    "pineapple": [(3, 4)],
    "crazy-pineapple": [(3, 4)],
    "irish": [(4, 4)],
    "stud": [(5, 0), (6, 0)],
    "stud8": [(5, 0), (6, 0)],
    "stud-hilo": [(6, 0)],
    "razz": [(5, 0), (6, 0)],
    "five-card-stud": [(3, 0), (4, 0)],
    "chicago": [(4, 0)],
    "seven-card-chicago": [(6, 0)],
    "lowball-stud": [(4, 0)],
    "three-card-stud": [(2, 0)],
    "mexican-rollover": [(4, 0)],
    "last-card-down": [(4, 0)],
    "draw": [(5, 0)],
    "draw-hoyle": [(5, 0)],
    "draw-deuces-wild": [(5, 0)],
    "draw-joker": [(5, 0)],
    "draw-bug": [(5, 0)],
    "deuce-to-seven": [(5, 0)],
    "ace-to-five": [(5, 0)],
}
CASES = [(game, held, board, seed) for game, sizes in SAMPLED.items() for held, board in sizes for seed in range(2)]


@pytest.mark.parametrize(("game", "held", "board", "seed"), CASES)
def test_counted_and_sampled(game: str, held: int, board: int, seed: int) -> None:
    players = 2 if find_variant(game).family == "draw" or held > 4 else 2 + seed
    hands, shown, dead = random_spot(game, seed, players, board, held, dead=seed)
    if game == "double-board-holdem":
        shown = ""
        hands = hands[:2]
        dead = ""
    options: dict[str, Any] = {"game": game, "board": shown, "dead": dead}
    exact = ps.equity(*hands, method="exact", **options)
    sampled = ps.equity(*hands, method="monte-carlo", deals=40_000, seed=seed, **options)
    assert exact.method == "exact"
    for one, two in zip(exact.players, sampled.players, strict=True):
        assert abs(one.equity - two.equity) < 5 * two.stderr + 1e-12, (hands, options)
        assert abs(one.win - two.win) < 5 * (0.25 / 40_000) ** 0.5
        for half in one.halves:
            assert abs(one.halves[half].equity - two.halves[half].equity) < 5 * (0.25 / 40_000) ** 0.5
    assert sum(Fraction(p.fraction or 0) for p in exact.players) == 1


# -- poker-equity -----------------------------------------------------------------------------------------------------

POKER_EQUITY = {
    # Its name of a game, cards held and on the board.
    "holdem": ("holdem", [(2, 3), (2, 4), (2, 5)]),
    "short-deck": ("short_deck", [(2, 3), (2, 4)]),
    "omaha": ("omaha", [(4, 3), (4, 4)]),
    "omaha5": ("omaha_five", [(5, 4)]),
    "omaha6": ("omaha_six", [(6, 4)]),
    "omaha8": ("omaha_hi_lo", [(4, 3), (4, 4)]),
    "big-o": ("omaha_five_hi_lo", [(5, 4)]),
    "courchevel": ("courchevel", [(5, 4)]),
    "courchevel8": ("courchevel_hi_lo", [(5, 4)]),
    "stud": ("stud", [(6, 0)]),
    "stud8": ("stud_hi_lo", [(6, 0)]),
    "razz": ("razz", [(6, 0)]),
    "deuce-to-seven": ("deuce_seven", [(4, 0)]),
    "draw": ("five_card_draw", [(4, 0)]),
}


@pytest.mark.parametrize("game", POKER_EQUITY)
@pytest.mark.parametrize("seed", range(12))
def test_poker_equity(game: str, seed: int) -> None:
    exact_from_text = pytest.importorskip("poker_equity").exact_from_text
    theirs_of, sizes = POKER_EQUITY[game]
    compared = 0
    for held, board in sizes:
        players = 2 + (seed % 2 if board or held < 5 else 0)
        if not board:
            players = 2
        hands, shown, dead = random_spot(game, seed, players, board, held, dead=seed % 4)
        if find_variant(game).family == "draw":
            dead = ""
        found = exact_from_text(theirs_of, hands, shown, dead)
        if found is None:
            continue
        ours = ps.equity(*hands, game=game, board=shown, dead=dead, method="exact")
        for one, two in zip(ours.players, found["players"], strict=True):
            assert one.equity == pytest.approx(two["equity"], abs=1e-9), (hands, shown, dead)
        compared += 1
    assert compared


# -- eval7 ------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("seed", range(12))
def test_eval7_hand_against_range(seed: int) -> None:
    eval7 = pytest.importorskip("eval7")
    rng = random.Random(seed)
    text = rng.choice(["QQ+, AKs", "22+, A2s+", "T9s, 98s, 87o", "A2s+, KTo+", "55, 66, 77"])
    cards = rng.sample(range(52), 7)
    names = [ps.format_cards([c]) for c in cards]
    theirs = eval7.py_hand_vs_range_exact(
        [eval7.Card(c) for c in names[:2]], eval7.HandRange(text), [eval7.Card(c) for c in names[2:]]
    )
    ours = ps.equity("".join(names[:2]), text, board="".join(names[2:]), method="exact")
    assert ours.players[0].equity == pytest.approx(theirs, abs=2e-6)


# -- pokerkit and treys -----------------------------------------------------------------------------------------------


def check_order(ours: list[int], theirs: list[Any]) -> None:
    """Whether hands compare alike, and are no hands alike."""
    assert [s == 0 for s in ours] == [hand is None for hand in theirs]
    known = sorted(((s, hand) for s, hand in zip(ours, theirs, strict=True) if s), key=lambda pair: pair[0])
    for (s, one), (t, other) in itertools.pairwise(known):
        assert one < other if s < t else one == other


@pytest.mark.parametrize(
    ("kind", "ranking", "holes"),
    [
        ("OmahaHoldemHand", "high", 4),
        ("OmahaEightOrBetterLowHand", "eight-or-better", 4),
        ("OmahaHoldemHand", "high", 5),
        ("OmahaEightOrBetterLowHand", "eight-or-better", 6),
    ],
)
def test_pokerkit_omaha(kind: str, ranking: str, holes: int) -> None:
    reader = getattr(pytest.importorskip("pokerkit"), kind)
    rng = np.random.default_rng(5)
    dealt = [rng.permutation(52)[: holes + 5].astype(np.uint8) for _ in range(150)]
    hole, board = np.stack([d[:holes] for d in dealt]), np.stack([d[holes:] for d in dealt])
    ours = ps.strengths(hole, ranking, board, selection="two plus three").tolist()
    theirs = [
        reader.from_game_or_none(ps.format_cards(h), ps.format_cards(b)) for h, b in zip(hole, board, strict=True)
    ]
    check_order(ours, theirs)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_treys(size: int) -> None:
    treys = pytest.importorskip("treys")
    evaluator = treys.Evaluator()
    rng = np.random.default_rng(size)
    hands = np.stack([rng.permutation(52)[:size].astype(np.uint8) for _ in range(3000)])
    cards = [treys.Card.new(ps.format_cards([c])) for c in range(52)]
    theirs = [7463 - evaluator.evaluate([cards[c] for c in h[:2]], [cards[c] for c in h[2:]]) for h in hands.tolist()]
    assert ps.strengths(hands).tolist() == theirs


# -- their known faults -----------------------------------------------------------------------------------------------

ACES = ["As"] * 5

FAULTS: dict[str, tuple[str, Callable[[Any], Any], Any, Callable[[], Any], Any]] = {
    # Program; what it is asked and what it answers; what this program is asked and answers. A refusal stands as the
    # name of its exception.
    "one card five times is a full house": (
        "eval7", lambda m: m.handtype(m.evaluate([m.Card(c) for c in ACES])), "Full House",
        lambda: ps.evaluate("".join(ACES)), "TextError",
    ),
    "one card five times is better than a royal flush": (
        "phevaluator", lambda m: m.evaluate_cards(*ACES), 0, lambda: ps.evaluate("".join(ACES)), "TextError",
    ),
    "cards to come are left out of what it calls exact": (
        "eval7", lambda m: m.py_hand_vs_range_exact(
            [m.Card(c) for c in ("7c", "2d")], m.HandRange("AsAh"), [m.Card(c) for c in ("Kd", "7h", "3s")]
        ), 0.0, lambda: ps.equity("7c2d", "AsAh", board="Kd7h3s").players[0].fraction, "182/990",
    ),
    "a ten may not be written 10": (
        "eval7", lambda m: m.Card("10h"), "ValueError", lambda: ps.parse_cards("10h"), (34,),
    ),
    "a run of connectors is refused": (
        "eval7", lambda m: len(m.HandRange("JTs-76s").hands), "RangeStringError", lambda: len(ps.Range("JTs-76s")), 20,
    ),
    "a run of kickers is refused": (
        "pokerkit", lambda m: len(list(m.parse_range("A5s-A2s"))), "ValueError", lambda: len(ps.Range("A5s-A2s")), 16,
    ),
    "a weight with a colon is refused": (
        "pokerkit", lambda m: len(list(m.parse_range("AA:0.5"))), "ValueError", lambda: len(ps.Range("AA:0.5")), 6,
    ),
    "small letters are refused": (
        "pokerkit", lambda m: len(list(m.parse_range("aks"))), "ValueError", lambda: len(ps.Range("aks")), 4,
    ),
}  # fmt: skip


def answer(question: Callable[[], Any]) -> Any:
    """What is answered; for a refusal the name of its exception."""
    try:
        return question()
    except Exception as error:
        return type(error).__name__


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("fault", FAULTS)
def test_known_faults_of_others(fault: str) -> None:
    name, asked, theirs, ours, right = FAULTS[fault]
    assert answer(ours) == right
    module = pytest.importorskip(name)
    if answer(lambda: asked(module)) != theirs:
        pytest.skip(f"this {name} has the fault no more")

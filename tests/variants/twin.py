"""A plain Python dealer and showdown for every variant, written from the rules of play alone.

Cards are numbers 4 * rank + suit (0..51) and 52, 53 for jokers; nothing else is shared with the package but the
sentences of the keep rules, which are read here once more in another way. Ties of a keep rule go to the card that
was dealt first.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Cards = Sequence[int]
Key = Callable[[Cards], Any]

ACE = 12
NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
HIGH = ["high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush", "five of a kind"]  # fmt: skip


# -- hands ----------------------------------------------------------------------------------------------------------


def _runs(ranks: set[int], wheel: bool = True) -> int:
    """The top rank of the best five in a row, -1 for none; the wheel's is 3 (its five)."""
    for top in range(12, 3, -1):
        if all(top - i in ranks for i in range(5)):
            return top
    return 3 if wheel and {ACE, 0, 1, 2, 3} <= ranks else -1


def high(cards: Cards, wheel: bool = True) -> Any:
    """The best five or fewer cards: (category, ranks that decide)."""
    ranks = [c >> 2 for c in cards]
    counts = Counter(ranks)
    suits = Counter(c & 3 for c in cards)
    suit = next((s for s, n in suits.items() if n >= 5), None)
    if suit is not None:
        suited = {c >> 2 for c in cards if c & 3 == suit}
        top = _runs(suited, wheel)
        if top >= 0:
            return (8, top)
    groups = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    first = groups[0]
    if counts[first] == 4:
        rest = [r for r in ranks if r != first]
        return (7, first, *([max(rest)] if rest else []))
    trips = [r for r in counts if counts[r] >= 3]
    if trips:
        best = max(trips)
        pairs = [r for r in counts if counts[r] >= 2 and r != best]
        if pairs:
            return (6, best, max(pairs))
    if suit is not None:
        return (5, *sorted((c >> 2 for c in cards if c & 3 == suit), reverse=True)[:5])
    top = _runs(set(ranks), wheel)
    if top >= 0:
        return (4, top)
    if trips:
        best = max(trips)
        return (3, best, *sorted((r for r in ranks if r != best), reverse=True)[:2])
    pairs = sorted((r for r in counts if counts[r] == 2), reverse=True)
    if len(pairs) >= 2:
        a, b = pairs[:2]
        return (2, a, b, *sorted((r for r in ranks if r not in (a, b)), reverse=True)[:1])
    if pairs:
        return (1, pairs[0], *sorted((r for r in ranks if r != pairs[0]), reverse=True)[:3])
    return (0, *sorted(ranks, reverse=True)[:5])


def _low(rank: int) -> int:
    return (rank + 1) % 13


def ace_to_five(cards: Cards) -> Any:
    """The best low of five of the cards; greater is better."""
    lows = sorted({_low(c >> 2) for c in cards})
    if len(lows) >= 5:
        return (0, *(-r for r in reversed(lows[:5])))
    return max(_five_low(five) for five in itertools.combinations(cards, 5))


def _five_low(cards: Cards) -> Any:
    counts = Counter(_low(c >> 2) for c in cards)
    shape = tuple(sorted(counts.values(), reverse=True))
    worse = [(1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)].index(shape)
    return (-worse, *(-r for r in sorted(counts, key=lambda r: (counts[r], r), reverse=True)))


def eight_or_better(cards: Cards) -> Any:
    """The best low of five different ranks of eight or lower, None for none."""
    lows = sorted({_low(c >> 2) for c in cards if _low(c >> 2) <= 7})[:5]
    return tuple(-r for r in reversed(lows)) if len(lows) == 5 else None


def deuce_to_seven(cards: Cards) -> Any:
    """Five cards for low, the ace high: high turned round."""
    assert len(cards) == 5
    return tuple(-x for x in high(cards, wheel=False))


def badugi(cards: Cards) -> Any:
    """The most cards of different ranks and suits, then the lowest."""
    best: Any = ()
    for size in range(1, 5):
        for some in itertools.combinations(cards, size):
            if len({c >> 2 for c in some}) == size == len({c & 3 for c in some}):
                best = max(best, (size, *(-r for r in sorted((_low(c >> 2) for c in some), reverse=True))))
    return best


def three_card(cards: Cards) -> Any:
    """Three cards: straight flush, trips, flush, straight, pair, high card."""
    ranks = sorted((c >> 2 for c in cards), reverse=True)
    suited = len({c & 3 for c in cards}) == 1
    top = ranks[0] if ranks[0] - ranks[2] == 2 and len(set(ranks)) == 3 else -1
    if ranks == [ACE, 1, 0]:
        top = 1
    if top >= 0:
        return (5, top) if suited else (2, top)
    if ranks[0] == ranks[2]:
        return (4, ranks[0])
    if suited:
        return (3, *ranks)
    if ranks[0] == ranks[1] or ranks[1] == ranks[2]:
        return (1, ranks[1], next((r for r in ranks if r != ranks[1]), -1))
    return (0, *ranks)


def murder_high(cards: Cards) -> Any:
    """Two cards: sevens, pairs, high cards."""
    a, b = sorted((c >> 2 for c in cards), reverse=True)
    return (2,) if a == b == 5 else (1, a) if a == b else (0, a, b)


def murder_low(cards: Cards) -> Any:
    """Two cards for low, aces high: sevens, then no pair, then pairs."""
    a, b = sorted((c >> 2 for c in cards), reverse=True)
    return (2,) if a == b == 5 else (0, -a) if a == b else (1, -a, -b)


def spade(cards: Cards) -> Any:
    """The highest spade, None for none."""
    return max((c >> 2 for c in cards if c & 3 == 3), default=None)


def wild_high(cards: Cards, wild: set[int]) -> Any:
    """Five cards of which those in `wild` stand for any card; in a flush for ranks not there yet."""
    plain = [c for c in cards if c not in wild]
    spare = len(cards) - len(plain)
    if not spare:
        return high(cards)
    best: Any = None
    suited = len({c & 3 for c in plain}) <= 1
    suit = plain[0] & 3 if plain else 0
    for taken in itertools.combinations_with_replacement(range(13), spare):
        ranks = [*(c >> 2 for c in plain), *taken]
        counts = Counter(ranks)
        if max(counts.values()) == 5:
            found: Any = (9, ranks[0])
        elif suited and len(counts) == 5:
            found = high([4 * r + suit for r in ranks])
        else:
            # Suits that make no flush.
            found = high([4 * r + i % 4 for i, r in enumerate(ranks)]) if len(set(ranks)) == 5 else _unsuited(ranks)
        best = found if best is None else max(best, found)
    return best


def _unsuited(ranks: Sequence[int]) -> Any:
    seen: Counter[int] = Counter()
    cards = []
    for r in sorted(ranks):
        cards.append(4 * r + seen[r])
        seen[r] += 1
    return high(cards)


def bug_high(cards: Cards) -> Any:
    """Five cards with the joker as an ace, or to complete a straight, a flush or a straight flush."""
    if 52 not in cards:
        return high(cards)
    plain = [c for c in cards if c != 52]
    if all(c >> 2 == ACE for c in plain):
        return (9, ACE)
    aces = [c for c in range(48, 52) if c not in plain]
    best = max(high([*plain, a]) for a in aces)
    if best[0] in (5, 8) and len({c & 3 for c in plain}) > 1:
        best = _unsuited([*(c >> 2 for c in plain), ACE])
    for c in range(52):
        if c not in plain:
            found = high([*plain, c])
            if found[0] in (4, 5, 8):
                best = max(best, found)
    return best


def two_plus_three(key: Key, hole: Cards, board: Cards) -> Any:
    """The best of two hole cards with three of the board."""
    return max(key([*two, *three]) for two in itertools.combinations(hole, 2)
               for three in itertools.combinations(board, 3))  # fmt: skip


# -- games ----------------------------------------------------------------------------------------------------------


@dataclass
class Half:
    """A half of the pot: its key, and which cards count: all, down (up cards do not), 2+3; and the board."""

    key: Key
    cards: str = "all"
    board: int = 0


@dataclass
class Game:
    """`deal`: letters D, U (to each player), B (to each board), and numbers: X5 draws up to five, T2 throws two
    away, S swaps one, P deals an up card that may be pushed. `low`: 0 high game, 1 low, 2 low with the ace low."""

    deal: str
    halves: list[Half]
    boards: int = 1
    low: int = 0
    short: str = ""
    to_ace: int = 0
    wild: set[int] = field(default_factory=set)
    cards: int = 52
    beat: bool = False
    takes_up: bool = False
    seats: int = 8


_STUD = "DDU U U U D"
_FIVE = "DU U U U"
_DEUCES = {0, 1, 2, 3}

GAMES: dict[str, Game] = {
    "stud": Game(_STUD, [Half(high)], short="community"),
    "stud8": Game(_STUD, [Half(high), Half(eight_or_better)], short="community"),
    "stud-hilo": Game(_STUD, [Half(high), Half(ace_to_five)], short="community"),
    "razz": Game(_STUD, [Half(ace_to_five)], short="community"),
    "seven-card-chicago": Game(_STUD, [Half(high), Half(spade, "down")], short="community"),
    "five-card-stud": Game(_FIVE, [Half(high)], seats=10),
    "lowball-stud": Game(_FIVE, [Half(ace_to_five)], seats=10),
    "chicago": Game(_FIVE, [Half(high), Half(spade, "down")], seats=10),
    "last-card-down": Game("DU U U D", [Half(high)], seats=10),
    "mexican-rollover": Game("DD D D D", [Half(high)], seats=10),
    "no-peek": Game("DDDDD", [Half(high)], beat=True, seats=10),
    "three-card-stud": Game("D U U", [Half(three_card)], seats=17),
    "substitution": Game(f"{_FIVE} S S S", [Half(high), Half(ace_to_five)], short="reshuffle", seats=10),
    "pig-stud": Game("DU D U D X5", [Half(high)], short="reshuffle", seats=9),
    "english-stud": Game("DDU U U X5", [Half(high)], short="reshuffle", seats=9),
    "murder": Game("D U S S S", [Half(murder_high), Half(murder_low)], short="reshuffle", seats=10),
    "push": Game("D P P P P S", [Half(high)], short="reshuffle"),
    "big-squeeze": Game("DU U U U D X1", [Half(high)], short="reshuffle", seats=7),
    "draw": Game("DDDDD X5", [Half(high)], short="reshuffle"),
    "draw-hoyle": Game("DDDDD X3", [Half(high)], short="reshuffle"),
    "draw-home": Game("DDDDD X3", [Half(high)], short="reshuffle", to_ace=4),
    "double-draw": Game("DDDDD X5 X5", [Half(high)], short="reshuffle"),
    "draw-deuces-wild": Game("DDDDD X5", [Half(lambda c: wild_high(c, _DEUCES))], short="reshuffle", wild=_DEUCES),
    "draw-joker": Game("DDDDD X5", [Half(lambda c: wild_high(c, {52}))], short="reshuffle", wild={52}, cards=53),
    "draw-bug": Game("DDDDD X5", [Half(bug_high)], short="reshuffle", wild={52}, cards=53),
    "deuce-to-seven": Game("DDDDD X5", [Half(deuce_to_seven)], low=1, short="reshuffle"),
    "triple-draw": Game("DDDDD X5 X5 X5", [Half(deuce_to_seven)], low=1, short="reshuffle", seats=6),
    "ace-to-five": Game("DDDDD X5", [Half(ace_to_five)], low=2, short="reshuffle"),
    "ace-to-five-triple": Game("DDDDD X5 X5 X5", [Half(ace_to_five)], low=2, short="reshuffle", seats=6),
    "badugi": Game("DDDD X4 X4 X4", [Half(badugi)], low=2, short="reshuffle"),
    "badacey": Game("DDDDD X5 X5 X5", [Half(badugi), Half(ace_to_five)], low=2, short="reshuffle", seats=6),
    "badeucey": Game("DDDDD X5 X5 X5", [Half(badugi), Half(deuce_to_seven)], low=2, short="reshuffle", seats=6),
    "pineapple": Game("DDD T1 BBB B B", [Half(high)], seats=10),
    "crazy-pineapple": Game("DDD BBB T1 B B", [Half(high)], seats=10),
    "irish": Game("DDDD BBB T2 B B", [Half(high)], seats=10),
    "double-board-holdem": Game("DD BBB B B", [Half(high), Half(high, board=1)], boards=2, seats=10),
    "double-board-omaha": Game("DDDD BBB B B", [Half(high, "2+3"), Half(high, "2+3", 1)], boards=2, seats=10),
}
GAMES["pig-stud"].takes_up = True


# -- keep rules -----------------------------------------------------------------------------------------------------


def _rank_named(word: str) -> int:
    singular = {"sixes": "six"}.get(word, word.removesuffix("s"))
    return NAMES.index(singular)


def _size_of_run(ranks: set[int], low: int, width: int) -> set[int]:
    """The ranks of `width` places from `low` on (place 0 is the ace below the two) that a hand has."""
    return {r for r in ranks if any((r + 1 == place) or (r == ACE and place == 0) for place in range(low, low + width))}


class Keeper:
    """Reads the sentences of a policy for one game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def keep(
        self, texts: Sequence[str], hand: Cards, board: Cards, least: int, most: int, left: int, to_ace: int = 0
    ) -> set[int]:
        """The positions that stay."""
        wild = {i for i, c in enumerate(hand) if c in self.game.wild}
        kept: set[int] | None = None
        for text in texts:
            for words, number in (("last draw: ", 1), ("two draws left: ", 2), ("three draws left: ", 3)):
                if text.startswith(words):
                    text = text.removeprefix(words) if number == left else ""
            kept = self.rule(text, hand, board, most, wild) if text else None
            if kept is not None:
                break
        kept = (kept or set()) | wild
        value = {0: lambda i: hand[i] >> 2, 1: lambda i: -(hand[i] >> 2), 2: lambda i: -_low(hand[i] >> 2)}[
            self.game.low
        ]
        while len(kept) > most:
            kept.remove(min(kept, key=lambda i: (i in wild, value(i), i)))
        if len(kept) < least and to_ace and len(kept) == 1 and len(hand) - 1 <= to_ace:
            (only,) = kept
            if only in wild or hand[only] >> 2 == ACE:
                return kept
        while len(kept) < least:
            ranks = {hand[i] >> 2 for i in kept} if self.game.low else set()
            rest = [i for i in range(len(hand)) if i not in kept]
            kept.add(max(rest, key=lambda i: (hand[i] >> 2 not in ranks, value(i), -i)))
        return kept

    def rule(self, text: str, hand: Cards, board: Cards, most: int, wild: set[int]) -> set[int] | None:
        """The positions that one sentence names, None where it does not fit."""
        plain = [i for i in range(len(hand)) if i not in wild]
        by_rank = {r: [i for i in plain if hand[i] >> 2 == r] for r in range(13)}
        words = text.replace(",", "").split()
        if text == "keep nothing":
            return set()
        if text in ("keep everything", "stand pat"):
            return set(range(len(hand)))
        if text.startswith("stand pat on"):
            return set(range(len(hand))) if self.at_least(words[3:], hand) else None
        if text.startswith("keep the best hand"):
            found: tuple[Any, set[int]] | None = None
            for mask in range(1 << len(hand)):
                some = {i for i in range(len(hand)) if mask >> i & 1}
                if len(some) == most:
                    key = self.game.halves[0].key([*(hand[i] for i in sorted(some)), *board])
                    if found is None or key > found[0]:
                        found = key, some
            assert found is not None
            wanted = HIGH.index(text.partition(", ")[2].removesuffix(" or better")) if "," in text else 0
            return found[1] if found[0][0] >= wanted else None
        if "badugi card" in text:
            return self.badugi_cards(words, hand)
        if "low card" in text:
            number = next(NUMBERS[w] for w in words if w in NUMBERS)
            ace_low = self.game.halves[-1].key is not deuce_to_seven and self.game.halves[-1].key is not murder_low
            value: Callable[[int], int] = _low if ace_low else (lambda r: r)
            top = value(_rank_named(words[-3]))
            lows = sorted((r for r in range(13) if by_rank[r] and value(r) <= top), key=value)
            lows = lows[: max(0, number - len(wild))]
            if "up" not in words and len(lows) + len(wild) < number:
                return None
            return {by_rank[r][0] for r in lows}
        if "highest card" in text:
            number = NUMBERS.get(words[2], 1)
            bottom = _rank_named(words[-3]) if "better" in text else 0
            top_first = sorted((i for i in plain if hand[i] >> 2 >= bottom), key=lambda i: (-(hand[i] >> 2), i))
            return set(top_first[:number]) if len(top_first) >= number else None
        if "flush" in words:
            return self.suited(NUMBERS[words[1]], "straight" in words, hand, board, most, plain, len(wild))
        if "straight" in words:
            return self.in_row(NUMBERS[words[1]], "open" in words, hand, board, most, by_rank, len(wild))
        if text == "keep two pair":
            pairs = [r for r in range(12, -1, -1) if len(by_rank[r]) >= 2][:2]
            return {i for r in pairs for i in by_rank[r]} if len(pairs) == 2 else None
        need = 2 if "pair" in words else NUMBERS[words[1]]
        bottom = _rank_named(words[4]) if "better" in words else 0
        sets = [r for r in range(bottom, 13) if by_rank[r] and len(by_rank[r]) + len(wild) >= need]
        return set(by_rank[max(sets, key=lambda r: (len(by_rank[r]), r))]) if sets else None

    def at_least(self, words: list[str], hand: Cards) -> bool:
        """Whether a hand is what "a nine low or better", "a straight or better" says."""
        said = [w for w in words if w not in ("a", "an", "or", "better")]
        if said[-1] == "badugi":
            half = next(h for h in self.game.halves if h.key is badugi)
            key = half.key(hand)
            return bool(key[0] == 4 and -key[1] <= _low(_rank_named(said[0])))
        if said[-1] == "low":
            key_of = next(h.key for h in self.game.halves if h.key in (ace_to_five, deuce_to_seven))
            key = key_of(hand)
            top = _rank_named(said[0])
            return bool(key[0] == 0 and -key[1] <= (_low(top) if key_of is ace_to_five else top))
        if said[:3] == ["pair", "of", "sevens"]:
            return [c >> 2 for c in hand] == [5, 5]
        return bool(self.game.halves[0].key(hand)[0] >= HIGH.index(" ".join(said)))

    def badugi_cards(self, words: list[str], hand: Cards) -> set[int] | None:
        """The most low cards of different ranks and suits, up to a number, then the lowest."""
        number = next(NUMBERS[w] for w in words if w in NUMBERS)
        top = _low(_rank_named(words[-3]))
        best: tuple[Any, set[int]] = ((0, (), 0), set())
        for mask in range(1, 1 << len(hand)):
            some = [i for i in range(len(hand)) if mask >> i & 1]
            lows = sorted((_low(hand[i] >> 2) for i in some), reverse=True)
            if len(some) > number or len(set(lows)) < len(some) or len({hand[i] & 3 for i in some}) < len(some):
                continue
            if lows[0] <= top:
                best = max(best, ((len(some), tuple(-r for r in lows), -mask), set(some)), key=lambda b: b[0])
        return None if "up" not in words and best[0][0] < number else best[1]

    @staticmethod
    def suited(
        need: int, straight: bool, hand: Cards, board: Cards, most: int, plain: list[int], spare: int
    ) -> set[int] | None:
        """The cards of the longest suit, as many as may stay, the highest first."""
        best: tuple[int, set[int]] | None = None
        for suit in range(4):
            own = sorted((i for i in plain if hand[i] & 3 == suit), key=lambda i: -(hand[i] >> 2))
            count = min(len(own), most) + sum(c & 3 == suit for c in board) + spare
            if not own or count < need or (best and count <= best[0]):
                continue
            ranks = [hand[i] >> 2 for i in own]
            lows = [_low(r) for r in ranks]
            if straight and min(max(ranks) - min(ranks), max(lows) - min(lows)) > 4:
                continue
            best = count, set(own[:most])
        return best[1] if best else None

    @staticmethod
    def in_row(
        need: int, open_ended: bool, hand: Cards, board: Cards, most: int, by_rank: dict[int, list[int]], spare: int
    ) -> set[int] | None:
        """Cards of the highest window with enough ranks in a row; open: room for one more at both ends."""
        own = {r for r in range(13) if by_rank[r]}
        shared = {c >> 2 for c in board if c < 52}
        for low in range(9, 0 if open_ended else -1, -1):
            width = 4 if open_ended else 5
            have = _size_of_run(own | shared, low, width)
            if len(have) + spare < need:
                continue
            wanted = have - shared
            if wanted and len(wanted) <= most:
                return {by_rank[r][0] for r in wanted}
        return None


# -- the deal -------------------------------------------------------------------------------------------------------


class NoCardsError(Exception):
    """A player cannot get a card that he did not throw away himself."""


class Stub:
    """The deck being dealt; `again` is the order in which shuffled cards come."""

    def __init__(self, order: Cards, again: Cards) -> None:
        self.cards = list(order)
        self.again = {c: i for i, c in enumerate(again)}
        self.discards: list[int] = []
        self.shuffled: list[int] = []

    def deal(self, barred: set[int] | frozenset[int] = frozenset()) -> int:
        """The next card that may be dealt; shuffles the discards where none is left."""
        for _ in range(2):
            for i, c in enumerate(self.cards):
                if c not in barred:
                    return self.cards.pop(i)
            pool = [c for c in self.discards + self.cards if c not in barred]
            self.discards = [c for c in self.discards + self.cards if c in barred]
            self.cards = sorted(pool, key=self.again.__getitem__)
            self.shuffled.append(len(pool))
        raise NoCardsError


def play(
    game: Game, players: int, order: Cards, again: Cards, policy: dict[str, Sequence[str]], muck: Cards = ()
) -> tuple[list[int], list[list[int]], Stub]:
    """Deals a game out: for each half the mask of the players who share it (0: nobody), the hands, the stub."""
    stub = Stub(order, again)
    stub.discards = list(muck)
    keeper = Keeper(game)
    hands: list[list[int]] = [[] for _ in range(players)]
    down: list[list[bool]] = [[] for _ in range(players)]
    boards: list[list[int]] = [[] for _ in range(game.boards)]
    thrown: list[set[int]] = [set() for _ in range(players)]
    streets = game.deal.split()
    left = sum(s[0] in "XS" for s in streets)
    shared = game.short == "community" and game.cards - len(muck) - players * 6 < players
    for at, street in enumerate(streets):
        if street[0] in "DUB":
            letters = street
            if shared and at == len(streets) - 1:
                letters = "B"
            for b, letter in (
                itertools.product(range(game.boards), letters) if "B" in letters else [(0, x) for x in letters]
            ):
                if letter == "B":
                    boards[b].append(stub.deal())
                    continue
                for p in range(players):
                    hands[p].append(stub.deal())
                    down[p].append(letter == "D")
        elif street == "P":
            passed = None
            for p in range(players):
                card = stub.deal() if passed is None else passed
                passed = None
                hands[p].append(card)
                stays = keeper.keep(policy["push"], hands[p], [], 0, len(hands[p]), 1)
                if len(hands[p]) - 1 not in stays:
                    passed = card
                    hands[p][-1] = stub.deal()
            if passed is not None:
                stub.discards.append(passed)
        else:
            number = int(street[1:] or 1)
            what = {"X": "draw", "S": "swap", "T": "discard"}[street[0]]
            for p in range(players):
                hand = hands[p]
                least = len(hand) - number
                most = least if what == "discard" else len(hand)
                to_ace = game.to_ace if what == "draw" else 0
                stays = keeper.keep(
                    policy[what], hand, boards[0], least, most, left if what != "discard" else 0, to_ace
                )
                goes = [i for i in range(len(hand)) if i not in stays]
                stub.discards += [hand[i] for i in goes]
                thrown[p] |= {hand[i] for i in goes}
                if what == "discard":
                    hands[p] = [hand[i] for i in sorted(stays)]
                else:
                    for i in goes:
                        hand[i] = stub.deal(thrown[p])
            left -= what != "discard"
    winners = []
    for half in game.halves:
        board = boards[half.board]
        keys: list[Any] = []
        for p in range(players):
            if half.cards == "down":
                keys.append(half.key([c for c, d in zip(hands[p], down[p], strict=True) if d]))
            elif half.cards == "2+3":
                keys.append(two_plus_three(half.key, hands[p], board))
            else:
                keys.append(half.key([*hands[p], *board]))
        best = max((k for k in keys if k is not None), default=None)
        winners.append(0 if best is None else sum(1 << p for p, k in enumerate(keys) if k == best))
    if game.beat:
        winners = [1 << last_leader(hands, game.halves[0].key)]
    return winners, hands, stub


def last_leader(hands: Sequence[Cards], key: Key) -> int:
    """Cards are turned up in turn until they beat the leader's; who has none left to turn is out."""
    shown = [0] * len(hands)
    leader, best = 0, None
    live = list(range(len(hands)))
    at = 0
    while len(live) > 1 or best is None:
        p = live[at % len(live)]
        if p == leader and best is not None:
            at = live.index(p) + 1
            continue
        while shown[p] < len(hands[p]):
            shown[p] += 1
            found = key(hands[p][: shown[p]])
            if best is None or found > best:
                leader, best = p, found
                break
        if leader == p:
            at = live.index(p) + 1
        else:
            at = live.index(p)
            live.remove(p)
    return leader

"""A checked question: variant, a range per player, board, dead cards, draw decisions. All checking ends here.

A hand of written cards is a `Holding`: the known cards, in dealing order (in a flop game all of them; elsewhere the
rest is dealt), and in games with draws what is kept of them. Every other hand is a `Range`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from potshare.errors import NoDealError, PotshareError, TextError
from potshare.evaluator.cards import UNKNOWN, as_cards, card_name, format_cards, parse_cards
from potshare.simulate.ranges import Range
from potshare.simulate.variants import Street, Variant, find_variant

Cards = str | Sequence[int]

_ONLY_CARDS = re.compile(r"(?:(?:(?:10|[2-9TJQKA])[cdhs♣♦♥♠♧♢♡♤]\ufe0f?|Jk2?)[\s,;_]*)+", re.IGNORECASE)
_CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs♣♦♥♠♧♢♡♤]|Jk2?", re.IGNORECASE)
_PAT = re.compile(r"[\s,]*\bpat\s*$", re.IGNORECASE)
MOST_LISTED = 25_000_000
"""How many hands the ranges of all players may name together: a hand that is listed and sampled takes some ninety
bytes of memory."""
_ANYTHING = ("random", "*", "any", "??")


@dataclass(frozen=True)
class Holding:
    """One player's written cards: `cards` in dealing order, and for a decided draw how many of them, the first
    `kept`, stay. `waits`: what is missing comes with the draw, not with the deal."""

    text: str
    cards: tuple[int, ...]
    kept: int | None = None
    waits: bool = False

    is_random = False

    @property
    def discards(self) -> tuple[int, ...]:
        """The cards thrown away, where the draw is decided."""
        return () if self.kept is None else self.cards[self.kept :]

    @property
    def combos(self) -> NDArray[np.uint8]:
        """(1, cards) uint8: the known cards."""
        return np.array([self.cards], np.uint8).reshape(1, -1)

    @property
    def weights(self) -> NDArray[np.float64]:
        """(1,) float64: one."""
        return np.ones(1)

    def __len__(self) -> int:
        return 1


Hand = str | Range | Holding | Sequence[int]


@dataclass(frozen=True)
class Spot:
    """What is known before the rest is dealt. Build it with `spot`.

    `boards` are the boards apart where a game has two; `unseen` is the number of cards out of play that nobody
    knows (`??` among the dead), `community` says that the deck is too short for everybody's last card, so that
    one on the table serves all.
    """

    variant: Variant
    ranges: tuple[Range | Holding, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...] = ()
    unseen: int = 0
    community: bool = False
    decided: str = ""
    """Of a game with discards whose players have all made theirs, so that it is a flop game now: by what policy."""

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.ranges)

    @cached_property
    def live(self) -> tuple[int, ...]:
        """The cards of the deck that are neither dead nor on the board."""
        gone = {*self.board, *self.dead}
        return tuple(c for c in self.variant.deck if c not in gone)

    @cached_property
    def board_array(self) -> NDArray[np.uint8]:
        """(b,) uint8: the board."""
        return np.array(self.board, np.uint8)

    @property
    def holdings(self) -> tuple[Holding | None, ...]:
        """Each player's written cards; None for a range or an unknown hand."""
        return tuple(r if isinstance(r, Holding) else None for r in self.ranges)

    @property
    def fixed_hands(self) -> tuple[tuple[int, ...], ...]:
        """The written cards of each player who has any."""
        return tuple(r.cards for r in self.ranges if isinstance(r, Holding) and r.cards)

    @property
    def fixed_cards(self) -> tuple[int, ...]:
        """All written cards of the players."""
        return tuple(c for hand in self.fixed_hands for c in hand)

    @property
    def ranged(self) -> tuple[int, ...]:
        """The players whose cards come from a range of several hands."""
        return tuple(i for i, r in enumerate(self.ranges) if isinstance(r, Range) and not r.is_random)

    @property
    def phantoms(self) -> int:
        """How many cards are out of the stub without being named: unseen ones, and unnamed discards."""
        missing = sum(self.variant.hole_cards - len(h.cards) for h in self.holdings if h is not None and h.waits)
        return self.unseen + max(0, missing - len(self.dead))

    def row_size(self, player: int) -> int:
        """How many cards each hand of a player's range has."""
        return int(self.ranges[player].combos.shape[1])

    def rows(self, player: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """A range's hands in dealing order, those with a written card of another player left out, and weights.

        Where the text leaves open which of the first two cards was dealt first and the deal tells them apart,
        both orders stand with half of the weight.
        """
        live = self.ranges[player]
        combos, weights = live.combos, live.weights
        taken = self.fixed_cards
        if taken:
            free = ~np.isin(combos, taken).any(axis=1)
            combos, weights = combos[free], weights[free]
            if not len(combos):
                raise NoDealError(f"the range '{live.text}' is empty: other players hold the cards of all its hands")
        if self.variant.hand_groups[0] == 1 and combos.shape[1] > 1 and isinstance(live, Range):
            turned = combos.copy()
            turned[:, :2] = combos[:, 1::-1]
            combos, weights = np.concatenate([combos, turned]), np.concatenate([weights, weights]) / 2
        return np.ascontiguousarray(combos), np.ascontiguousarray(weights)


def _check_known(variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> None:
    if len(board) > variant.board_cards:
        raise PotshareError(
            f"the board {format_cards(board)} has {len(board)} cards; {variant.name} has at most {variant.board_cards}"
        )
    _check_deck(variant, board, dead)


def cards_on_table(variant: Variant, board: Cards, dead: Cards) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cards of the boards and the dead cards. Raises `PotshareError` for what the game does not deal."""
    flat = tuple(c for cards in read_boards(variant, board) for c in cards)
    gone = as_cards(dead, jokers=variant.jokers > 0)
    _check_deck(variant, flat, gone)
    return flat, gone


def _check_deck(variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> None:
    for what, cards in (("board", board), ("dead cards", dead)):
        for c in cards:
            if c not in variant.deck:
                raise PotshareError(f"{card_name(c)} ({what}) is not in the deck of {variant.name}")
    both = set(board) & set(dead)
    if both:
        raise PotshareError(f"{card_name(min(both))} is on the board and among the dead cards")


_NUMBERS = {card_name(c): c for c in range(52)}


def _given_hand(hand: Hand, variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> Holding | None:
    # A hand of a flop game written in the plainest way, which is most hands that programs ask about, without the
    # reader of ranges. None for anything else, and for whatever is wrong, which that reader says in words.
    if isinstance(hand, Holding):
        cards: list[int | None] = list(hand.cards)
        text = hand.text
    elif isinstance(hand, str):
        text = hand
        cards = [_NUMBERS.get(hand[i : i + 2]) for i in range(0, len(hand), 2)]
    else:
        return None
    known = {c for c in cards if c is not None}
    if len(known) != len(cards) or len(cards) != variant.hole_cards:
        return None
    if known.intersection(board) or known.intersection(dead) or not known.issubset(variant.deck):
        return None
    return Holding(text, tuple(sorted(known, reverse=True)))


def _hand_range(hand: Hand, variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> Range | Holding:
    given = _given_hand(hand, variant, board, dead)
    if given is not None:
        return given
    if isinstance(hand, Range):
        if hand.variant.hole_cards != variant.hole_cards or hand.variant.deck != variant.deck:
            raise PotshareError(f"the range '{hand.text}' was made for {hand.variant.name}, not for {variant.name}")
        return hand.without((*board, *dead))
    if isinstance(hand, Holding):
        hand = format_cards(hand.cards)
    if not isinstance(hand, str):
        hand = format_cards(as_cards(hand))
    return Range(hand, variant, board=board, dead=dead)


def spot(
    hands: Sequence[Hand], game: str | Variant = "holdem", board: Cards = "", dead: Cards = "",
    draws: int | None = None, *, fewest: int = 2,
) -> Spot:  # fmt: skip
    """Checks a question for at least `fewest` players; `draws` is how many draws are still to come (None: all).

    Raises `PotshareError` (`TextError` with a caret for text) that says what to change.
    """
    variant = game if isinstance(game, Variant) else find_variant(game)
    if draws is not None:
        variant = variant.with_draws_left(draws)
    if not variant.is_flop_game:
        return _general(hands, variant, board, dead, fewest)
    board_cards = as_cards(board)
    dead_cards = as_cards(dead)
    _check_known(variant, board_cards, dead_cards)
    _check_number(hands, fewest)
    room = len(variant.deck) - len(dead_cards) - variant.board_cards
    _check_room(len(hands), room // variant.hole_cards, variant, len(dead_cards))
    ranges = _shared_ranges(hands, lambda hand: _hand_range(hand, variant, board_cards, dead_cards))
    fixed = [
        (i, set(r.cards) if isinstance(r, Holding) else set(map(int, r.combos[0])))
        for i, r in enumerate(ranges)
        if isinstance(r, Holding) or (not r.is_random and len(r) == 1)
    ]
    _check_apart(fixed)
    return Spot(variant, ranges, board_cards, dead_cards, boards=(board_cards,))


def _shared_ranges(hands: Sequence[Hand], read: Callable[[Hand], Range | Holding]) -> tuple[Range | Holding, ...]:
    # Every player's range: a text that several players have is read and listed once. What would fill the memory is
    # refused before anything is listed.
    known: dict[object, Range | Holding] = {}
    ranges: list[Range | Holding] = []
    for hand in hands:
        key = hand if isinstance(hand, str) else id(hand)
        if key not in known:
            known[key] = read(hand)
        ranges.append(known[key])
    sizes = [r.about() if isinstance(r, Range) and not r.is_random else 0 for r in ranges]
    if sum(sizes) > MOST_LISTED:
        listed = sum(n > 0 for n in sizes)
        raise PotshareError(
            f"the ranges of {listed} player{'s' * (listed > 1)} name about {sum(sizes):,} hands, and at most "
            f"{MOST_LISTED:,} are listed for one question; name fewer hands, or write random for a player who may "
            "hold any"
        )
    return tuple(ranges)


def _check_number(hands: Sequence[Hand], fewest: int) -> None:
    if len(hands) < fewest:
        given = "no hand is" if not hands else "only one hand is"
        raise PotshareError(f"{given} given; an equity needs two players or more (use 'random' for an unknown hand)")


def _check_room(players: int, most: int, variant: Variant, dead: int) -> None:
    if players > most:
        raise PotshareError(
            f"{players} players are too many: the deck has cards for {most} in {variant.name}"
            + (f" with {dead} dead" if dead else "")
        )


def _check_apart(fixed: Sequence[tuple[int, set[int]]]) -> None:
    for (i, one), (j, two) in combinations(fixed, 2):
        if one & two:
            raise PotshareError(f"{card_name(max(one & two))} is in hand {i + 1} and in hand {j + 1}")


# -- games that are not flop games ----------------------------------------------------------------------------------


def _general(hands: Sequence[Hand], variant: Variant, board: Cards, dead: Cards, fewest: int) -> Spot:
    jokers = variant.jokers > 0
    gone = as_cards(dead, jokers=jokers, unknown=True)
    dead_cards = tuple(c for c in gone if c != UNKNOWN)
    unseen = len(gone) - len(dead_cards)
    boards = read_boards(variant, board)
    flat = tuple(c for b in boards for c in b)
    _check_deck(variant, flat, dead_cards)
    _check_number(hands, fewest)
    known = (*flat, *dead_cards)
    ranges = _shared_ranges(hands, lambda hand: _holding(hand, variant, flat, dead_cards))
    _check_apart([(i, set(r.cards)) for i, r in enumerate(ranges) if isinstance(r, Holding)])
    for i, r in enumerate(ranges):
        if isinstance(r, Holding):
            for c in r.cards:
                if c in known:
                    where = "on the board" if c in flat else "among the dead cards"
                    raise PotshareError(f"{card_name(c)} is in hand {i + 1} and {where}")
    community = variant.when_short == "community" and _river_is_shared(variant, ranges, flat, len(gone))
    found = Spot(variant, ranges, flat, dead_cards, boards, unseen, community)
    _check_cards(found)
    return after_discards(found, "given")


def after_discards(found: Spot, policy: str) -> Spot:
    """The question with the discards behind it where all are known: a flop game that can be counted."""
    variant = found.variant
    holdings = [r for r in found.ranges if isinstance(r, Holding) and (r.waits or r.kept is not None)]
    if set(variant.choices) != {"discard"} or len(holdings) < found.players:
        return found
    dealt, *others = (s for s in variant.streets if not s.discard)
    streets = (dataclasses.replace(dealt, down=variant.kept_cards), *(s for s in others if s.board))
    after = dataclasses.replace(variant, streets=streets, policies=())
    if not after.is_flop_game:
        return found
    thrown = tuple(c for h in holdings for c in h.discards)
    ranges = tuple(Holding(h.text, h.cards[: variant.kept_cards]) for h in holdings)
    return dataclasses.replace(found, variant=after, ranges=ranges, dead=(*found.dead, *thrown), decided=policy)


def read_boards(variant: Variant, board: Cards) -> tuple[tuple[int, ...], ...]:
    """The boards of a game, each with the cards so far. Raises `PotshareError` for cards that it does not deal."""
    jokers = variant.jokers > 0
    if isinstance(board, str):
        parts = board.split("/")
        if len(parts) > 1:
            parse_cards(board.replace("/", " "), jokers=jokers)  # a card written twice is shown where it stands
        boards = [parse_cards(part, jokers=jokers) for part in parts]
    else:
        boards = [as_cards(board, jokers=jokers)]
    if variant.boards == 1 and len(boards) > 1:
        raise PotshareError(f"{variant.name} has one board, not {len(boards)}")
    if len(boards) > variant.boards:
        raise PotshareError(f"{variant.name} has {variant.boards} boards, not {len(boards)}; part them with one '/'")
    most = 1 if variant.when_short == "community" else variant.board_cards
    for cards in boards:
        if len(cards) > most:
            has = f"has at most {most}" if most else "has no community cards; folded cards go under dead"
            if variant.when_short == "community":
                has = "has one community card at most, the last, when the deck runs short"
            raise PotshareError(f"the board {format_cards(cards)} has {len(cards)} cards; {variant.name} {has}")
    boards += [()] * (variant.boards - len(boards))
    return tuple(boards)


def _river_is_shared(variant: Variant, ranges: Sequence[Range | Holding], board: tuple[int, ...], gone: int) -> bool:
    complete = [i for i, r in enumerate(ranges) if isinstance(r, Holding) and len(r.cards) == variant.hole_cards]
    if board:
        if complete:
            raise PotshareError(
                f"hand {complete[0] + 1} has {variant.hole_cards} cards and there is one on the table; with a "
                f"community card each player has {variant.hole_cards - 1}"
            )
        return True
    left = len(variant.deck) - gone - (variant.hole_cards - 1) * len(ranges)
    return left < len(ranges) and not complete


def _check_cards(found: Spot) -> None:
    variant, players = found.variant, found.players
    dead = len(found.dead) + found.unseen
    if variant.when_short == "reshuffle" and players > variant.seats:
        raise PotshareError(f"{players} players are too many: {variant.name} is played by {variant.seats} at most")
    each = variant.hole_cards - int(found.community)
    shared = 1 if found.community else variant.board_cards * variant.boards
    cards = len(variant.deck)
    # Cards that a player waits for were dealt to him as well, but may be among the dead by now.
    waiting = sum(variant.hole_cards - len(h.cards) for h in found.holdings if h is not None and h.waits)
    needed = each * players + shared + dead - min(waiting, len(found.dead))
    if needed > cards:
        # Without the dead cards that explain what players threw away.
        most = variant.room(cards - dead)
        raise PotshareError(
            f"{players} players are too many: the deck has cards for {most} in {variant.name}"
            + (f" with {dead} dead" if dead else "")
        )


def _holding(hand: Hand, variant: Variant, board: tuple[int, ...], dead: tuple[int, ...]) -> Range | Holding:
    if isinstance(hand, Holding):
        return hand
    if isinstance(hand, Range):
        if hand.hand is not None:
            return _cards_held(hand.text, hand.hand, variant)
        return _hand_range(hand, variant, board, dead)
    if not isinstance(hand, str):
        cards = as_cards(hand, jokers=variant.jokers > 0)
        return _cards_held(format_cards(cards), cards, variant)
    text = hand.strip()
    if "/" in text or _PAT.search(text):
        return _decided(hand, variant)
    if _is_one_hand(text, variant):
        return _cards_held(text, _read(hand, variant), variant)
    if text.lower() in _ANYTHING:
        text = "random"
    return Range(text, variant, board=board, dead=dead)


def _is_one_hand(text: str, variant: Variant) -> bool:
    # Cards may stand apart. A comma between groups of cards parts hands, and so does a space between complete ones.
    if not _ONLY_CARDS.fullmatch(text):
        return False
    pieces = [len(_CARD.findall(piece)) for piece in re.split(r"[\s,;_]+", text) if piece]
    if len(pieces) == 1 or set(pieces) == {1}:
        return True
    return not any(c in text for c in ",;") and set(pieces) != {variant.hole_cards}


def _read(text: str, variant: Variant) -> tuple[int, ...]:
    cards = parse_cards(text, jokers=variant.jokers > 0)
    for c in cards:
        if c not in variant.deck:
            raise PotshareError(f"{card_name(c)} in '{text}' is not in the deck of {variant.name}")
    return cards


def _cards_held(text: str, cards: tuple[int, ...], variant: Variant) -> Holding:
    most = variant.hole_cards
    if len(cards) > most:
        raise PotshareError(f"'{text}' has {len(cards)} cards; {variant.name} deals {most}")
    if len(set(cards)) < len(cards):
        raise PotshareError(f"'{text}' names a card twice")
    if len(cards) < most and (variant.draws or (len(cards) == variant.kept_cards and "discard" in variant.choices)):
        return Holding(text, cards, waits=True)
    return Holding(text, cards)


def decision(variant: Variant) -> tuple[Street, int]:
    """The first street on which players choose cards, and how many cards they hold there.

    Raises `PotshareError` for a game without such a choice.
    """
    held = 0
    for street in variant.streets:
        if street.draw or street.swap or street.discard:
            return street, held
        held += street.down + street.up
    raise PotshareError(f"nobody draws or discards in {variant.name}; ask for the equity of the cards as they are")


def least_kept(street: Street, kept: Sequence[int], held: int, variant: Variant) -> int:
    """How many of `held` cards a player must keep on a street when those that he keeps are `kept`."""
    if street.swap:
        return held - 1
    if street.discard:
        return held - street.discard
    if street.draw_to_ace > street.draw and len(kept) == 1 and (kept[0] >> 2 == 12 or kept[0] in variant.wild_cards):
        return held - street.draw_to_ace
    return held - street.draw


def _decided(text: str, variant: Variant) -> Holding:
    street, held = decision(variant)
    pat = _PAT.search(text)
    kept_text, _, thrown_text = (text[: pat.start()] if pat else text).partition("/")
    if "/" in thrown_text:
        at = text.rindex("/")
        raise TextError(text, at, at + 1, "a hand has one '/'", "write KEPT/DISCARDED, as in 2c3d4h7s/Kd")
    for part in (kept_text, thrown_text):
        if part.strip() and not _ONLY_CARDS.fullmatch(part.strip()):
            parse_cards(part, jokers=variant.jokers > 0)
    kept = parse_cards(kept_text, jokers=variant.jokers > 0)
    cards = _read(f"{kept_text} {thrown_text}", variant)
    thrown = len(cards) - len(kept)
    if len(cards) != held:
        raise PotshareError(
            f"'{text.strip()}' keeps {len(kept)} and throws away {thrown}: that makes {len(cards)} cards, but a player "
            f"of {variant.name} holds {held}; name all of them, or leave out the '/' for cards that are kept"
        )
    least = least_kept(street, kept, held, variant)
    if len(kept) < least or (street.discard and len(kept) > least):
        limit = f"exactly {held - least}" if street.discard else f"at most {held - least}"
        raise PotshareError(f"'{text.strip()}' throws away {thrown} cards; in {variant.name} it may be {limit}")
    return Holding(text.strip(), cards, kept=len(kept))

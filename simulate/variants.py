"""Variants as data: decks, streets, halves of the pot, seats. The engine knows no game by name.

A variant is a TOML file. Those of `simulate/games/` and a player's own file are read by the same loader:

    like = "omaha"                      # start from another game: only what differs is written
    title = "Omaha hi-lo, eight or better"
    family = "flop"
    aliases = ["o8", "plo8"]
    summary = "..."                     # prose, printed by `potshare games omaha8`
    deck = "standard"                   # or "short": 36 cards, six to ace
    wild = ["2", "joker"]               # wild cards: ranks, "joker", "jokers" (two), "bug"
    boards = 1                          # 2: two boards, dealt street by street
    seats = 10
    when_short = "reshuffle"            # or "community": what is done when the deck runs out
    showdown = "best hand"              # or "roll and beat": cards are turned until they beat the leader
    table = "blinds"                    # who opens and acts first: see TABLES
    notes = ["..."]                     # decisions where rules are silent
    [[street]]
    name = "preflop"
    down = 4                            # cards dealt to each player: down, up; board: to each board
    betting = true                      # whether a betting round follows
    [change.flop]                       # with `like`: fields of a street of that game
    board = 3
    [[half]]
    name = "high"
    ranking = "high"
    selection = "two plus three"        # or "best five" (default: the best hand of all cards), "down cards"
    board = 1                           # which board it is played on
    [policies.standard]                 # keep rules, in turn: the first that fits decides (`drawing.rules`)
    draw = ["stand pat on a straight or better", "keep a pair"]

Streets with a choice: `draw = 5` (so many cards may be exchanged; `draw_to_ace = 4` when the one card kept is an
ace or wild), `discard = 1` (thrown away and not replaced), `swap = 3` (rounds of one paid exchange; `prices` in
minimum bets), `push = true` (an up card may be pushed on to the left), `flip = 1` (cards turned up by choice).
`facing` says how replacements lie: "down", or "same" as the cards they replace.

Nothing of a file is executed. Every mistake is a `PotshareError` that names the file, the line where it can be
told, and the nearest right word.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from potshare.errors import PotshareError

GAMES_FOLDER = Path(__file__).resolve().parent / "games"

LARGEST_FILE = 64 * 1024
"""A variant file may have so many bytes."""

_LONGEST_LINE = 4000

DECKS: dict[str, tuple[int, ...]] = {
    "standard": tuple(range(52)),
    "short": tuple(range(16, 52)),
}

SELECTIONS = ("best five", "two plus three", "down cards")
FAMILIES = ("flop", "stud", "draw", "home", "own")
WHEN_SHORT = ("", "community", "reshuffle")
SHOWDOWNS = ("best hand", "roll and beat")
FACINGS = ("down", "same")
TABLES = ("", "blinds", "ante", "stud", "stud-hilo", "razz", "five-card-stud", "lowball-stud")
"""How a table opens: blinds or ante (first left of the button), or the stud rules of `table_rules`."""

_WILDABLE = ("high", "ace-to-five", "eight-or-better", "deuce-to-seven")
_NOT_FLOP_RANKINGS = ("high", "short-deck", "short-deck-trips")


@dataclass(frozen=True)
class Street:
    """One step of a deal: cards dealt, or a choice of the players, and whether a betting round follows."""

    name: str
    down: int = 0
    up: int = 0
    board: int = 0
    draw: int = 0
    draw_to_ace: int = 0
    discard: int = 0
    swap: int = 0
    push: bool = False
    flip: int = 0
    facing: str = "down"
    prices: tuple[int, ...] = ()
    betting: bool = True

    @property
    def choice(self) -> str:
        """The name of the choice that decides cards, or an empty string: draw, discard, swap, push."""
        for name in ("draw", "discard", "swap", "push"):
            if getattr(self, name):
                return name
        return ""


@dataclass(frozen=True)
class Half:
    """A part of the pot and who wins it: the ranking, which cards count, and on which board (from 1)."""

    name: str
    ranking: str
    selection: str = "best five"
    board: int = 1


@dataclass(frozen=True)
class Policy:
    """Keep rules by the name of the choice (`draw`, `discard`, `swap`, `push`), in turn."""

    name: str
    rules: tuple[tuple[str, tuple[str, ...]], ...]

    def of(self, choice: str) -> tuple[str, ...]:
        """The rules of a choice; swaps follow the rules of draws where they have none of their own."""
        found = dict(self.rules)
        return found.get(choice, found.get("draw", ()) if choice == "swap" else ())


@dataclass(frozen=True)
class Variant:
    """Everything the engine needs to know about a game."""

    name: str
    title: str
    family: str
    summary: str
    deck_name: str
    seats: int
    streets: tuple[Street, ...]
    halves: tuple[Half, ...]
    aliases: tuple[str, ...] = ()
    boards: int = 1
    wild: tuple[str, ...] = ()
    when_short: str = ""
    showdown: str = "best hand"
    table: str = ""
    policies: tuple[Policy, ...] = ()
    notes: tuple[str, ...] = ()
    board_streets: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board_streets", tuple(s.board for s in self.streets if s.board))

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the deck; jokers are 52 and 53."""
        return DECKS[self.deck_name] + tuple(range(52, 52 + self.jokers))

    @property
    def jokers(self) -> int:
        """How many jokers the deck has."""
        return sum({"joker": 1, "jokers": 2, "bug": 1}.get(word, 0) for word in self.wild)

    @property
    def wild_cards(self) -> tuple[int, ...]:
        """The cards that are wild."""
        ranks = ["23456789TJQKA".index(word) for word in self.wild if len(word) == 1]
        return tuple(c for c in self.deck if c >= 52 or c >> 2 in ranks)

    @cached_property
    def hole_cards(self) -> int:
        """How many private cards each player is dealt in all; exchanged cards are not counted again."""
        return sum(s.down + s.up for s in self.streets)

    def with_draws_left(self, left: int) -> Variant:
        """The game from the point where so many of its draws are still to come.

        Raises `PotshareError` where nobody draws, or not so often.
        """
        draws = [i for i, s in enumerate(self.streets) if s.draw]
        if not draws:
            raise PotshareError(f"nobody draws in {self.name}; leave out the number of draws")
        if not 1 <= left <= len(draws):
            most = f"1 to {len(draws)}" if len(draws) > 1 else "1"
            raise PotshareError(f"{left} draws cannot be left in {self.name}, only {most}")
        gone = draws[: len(draws) - left]
        return replace(self, streets=tuple(s for i, s in enumerate(self.streets) if i not in gone))

    @cached_property
    def kept_cards(self) -> int:
        """How many private cards a player has at the showdown."""
        return self.hole_cards - sum(s.discard for s in self.streets)

    @cached_property
    def board_cards(self) -> int:
        """How many community cards are dealt in all, on each board."""
        return sum(self.board_streets)

    @property
    def ordered(self) -> bool:
        """Whether the order of a player's cards carries information (cards dealt face up)."""
        return any(s.up for s in self.streets)

    @property
    def hand_groups(self) -> tuple[int, ...]:
        """Sizes of the runs of a player's cards within which their order tells nothing."""
        if not self.ordered:
            return (self.hole_cards,)
        groups: list[int] = []
        for street in self.streets:
            groups += [n for n in (street.down,) if n] + [1] * street.up
        return tuple(groups)

    @property
    def down_positions(self) -> int:
        """A bit for each of a player's cards, in dealing order, that lies face down."""
        mask = at = 0
        for street in self.streets:
            mask |= ((1 << street.down) - 1) << at
            at += street.down + street.up
        return mask

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The choices that decide which cards a player has, in the order of the deal."""
        return tuple(s.choice for s in self.streets if s.choice)

    @property
    def draws(self) -> bool:
        """Whether cards are exchanged in a game whose hands have no order: fewer cards then mean what was kept."""
        return not self.ordered and any(s.draw or s.swap for s in self.streets)

    @cached_property
    def is_flop_game(self) -> bool:
        """Whether it is private cards, one board of five, a high half, and at most an eight-or-better low."""
        return (
            not (self.choices or self.ordered or self.wild)
            and self.boards == 1
            and self.board_cards == 5
            and self.showdown == SHOWDOWNS[0]
            and self.halves[0].ranking in _NOT_FLOP_RANKINGS
            and all(h.ranking == "eight-or-better" for h in self.halves[1:])
            and len({h.selection for h in self.halves}) == 1
            and self.halves[0].selection in SELECTIONS[:2]
            and (self.halves[0].selection == SELECTIONS[1] or self.hole_cards == 2)
            and 2 <= self.hole_cards <= 6
        )

    @property
    def most_players(self) -> int:
        """How many players can be dealt in; `seats` is how many usually play."""
        return self.room(len(self.deck))

    def room(self, cards: int) -> int:
        """How many players `cards` cards can serve."""
        each = self.hole_cards
        cards -= self.board_cards * self.boards
        if self.when_short == "community":
            # One card on the table takes the place of everybody's last.
            return max(cards // each, (cards - 1) // (each - 1))
        if self.when_short == "reshuffle":
            return min(cards // each, self.seats)
        return cards // each

    def policy(self, name: str) -> Policy:
        """The policy of a name. Raises `PotshareError` with the names there are."""
        for policy in self.policies:
            if policy.name == name:
                return policy
        there = ", ".join(["pat", *(p.name for p in self.policies), "best"])
        raise PotshareError(f"{self.name} has no policy '{name}'; there are {there}")

    def with_wilds(self, words: str) -> Variant:
        """The same game with other wild cards, as `"7"`, `"2,joker"` or `"bug"`."""
        wild = read_wild([w.strip() for w in words.split(",")], f"{self.name}:{words}")
        _check_wild(self.halves, wild, f"{self.name}:{words}")
        base = _bare(self.halves)
        return dataclasses.replace(
            self, name=f"{self.name.partition(':')[0]}:{words.replace(' ', '')}", wild=wild,
            title=f"{self.title}, wild: {', '.join(wild)}", halves=_wild_halves(base, wild), aliases=(),
        )  # fmt: skip


def _bare(halves: Collection[Half]) -> tuple[Half, ...]:
    return tuple(dataclasses.replace(h, ranking=h.ranking.partition(":")[0]) for h in halves)


def _wild_halves(halves: Collection[Half], wild: tuple[str, ...]) -> tuple[Half, ...]:
    if not wild:
        return tuple(halves)
    named = ":" + ",".join(wild)
    return tuple(
        dataclasses.replace(h, ranking=h.ranking + named if h.ranking in _WILDABLE else h.ranking) for h in halves
    )


def _check_wild(halves: Collection[Half], wild: tuple[str, ...], where: str) -> None:
    if wild and not any(h.ranking.partition(":")[0] in _WILDABLE for h in halves):
        raise PotshareError(f"{where}: wild cards are known to {', '.join(_WILDABLE)} only")


def read_wild(words: Collection[str], where: str) -> tuple[str, ...]:
    """Wild cards from words, checked: ranks first, then jokers."""
    found: list[str] = []
    for word in words:
        text = word.strip()
        name = text.lower()
        names = {"deuces": "2", "deuce": "2", "10": "T"}
        short = names.get(name, text.upper() if len(text) == 1 else name)
        if short not in (*"23456789TJQKA", "joker", "jokers", "bug"):
            raise PotshareError(
                f"{where}: '{word}' is no wild card: write a rank (2..9, T, J, Q, K, A), joker, jokers or bug"
            )
        if short not in found:
            found.append(short)
    if sum(w in ("joker", "jokers", "bug") for w in found) > 1:
        raise PotshareError(f"{where}: a deck has a joker, two jokers, or a bug, not several of these")
    ranks = sorted((w for w in found if len(w) == 1), key="23456789TJQKA".index)
    return (*ranks, *(w for w in found if len(w) > 1))


# -- the loader -----------------------------------------------------------------------------------------------------


class _Source:
    """A file being read: makes the messages."""

    def __init__(self, label: str, text: str) -> None:
        self.label = label
        self.lines = text.splitlines()

    def error(self, reason: str, *trail: tuple[str, int]) -> PotshareError:
        """`trail` leads to the place: (pattern of a line, how many such lines to pass over) in turn."""
        line = 0
        for pattern, skip in trail:
            rx = re.compile(pattern)
            at = line
            while at < len(self.lines):
                at += 1
                if rx.match(self.lines[at - 1]):
                    if skip == 0:
                        line = at
                        break
                    skip -= 1
            else:
                break
        where = f"{self.label}, line {line}" if line else self.label
        return PotshareError(f"{where}: {reason}")


def _near(word: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(sorted(k for k in known if k))}"


_TEXT, _COUNT, _FLAG, _WORDS, _COUNTS = (
    "a text in quotes",
    "a whole number",
    "true or false",
    "a list of texts",
    "a list of numbers",
)

_TOP: dict[str, str] = {
    "like": _TEXT, "title": _TEXT, "family": _TEXT, "aliases": _WORDS, "summary": _TEXT, "deck": _TEXT, "wild": _WORDS,
    "boards": _COUNT, "seats": _COUNT, "when_short": _TEXT, "showdown": _TEXT, "table": _TEXT, "notes": _WORDS,
}  # fmt: skip
_SECTIONS = ("street", "change", "half", "policies")
_STREET: dict[str, str] = {
    "name": _TEXT, "down": _COUNT, "up": _COUNT, "board": _COUNT, "draw": _COUNT, "draw_to_ace": _COUNT,
    "discard": _COUNT, "swap": _COUNT, "push": _FLAG, "flip": _COUNT, "facing": _TEXT, "prices": _COUNTS,
    "betting": _FLAG,
}  # fmt: skip
_HALF: dict[str, str] = {"name": _TEXT, "ranking": _TEXT, "selection": _TEXT, "board": _COUNT}
_CHOICES = ("draw", "discard", "swap", "push")
_MOST_OF = {"down": 7, "up": 7, "board": 5, "draw": 7, "draw_to_ace": 7, "discard": 6, "swap": 5, "flip": 7}


def _is(value: Any, kind: str) -> bool:
    if kind == _TEXT:
        return isinstance(value, str)
    if kind == _COUNT:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == _FLAG:
        return isinstance(value, bool)
    item = str if kind == _WORDS else int
    return isinstance(value, list) and all(isinstance(v, item) and not isinstance(v, bool) for v in value)


def _checked(
    source: _Source, table: Mapping[str, Any], kinds: Mapping[str, str], what: str, trail: tuple[tuple[str, int], ...]
) -> dict[str, Any]:
    for key, value in table.items():
        place = (*trail, (rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", 0))
        if key not in kinds:
            raise source.error(f"unknown key '{key}' {what}; {_near(key, kinds)}", *place)
        if not _is(value, kinds[key]):
            raise source.error(f"'{key}' must be {kinds[key]}, not {value!r}", *place)
        if kinds[key] == _COUNT and key in _MOST_OF and not 0 <= value <= _MOST_OF[key]:
            raise source.error(f"'{key}' must be 0 to {_MOST_OF[key]}, not {value}", *place)
    return dict(table)


def _word(
    source: _Source, key: str, value: str, known: Collection[str], trail: tuple[tuple[str, int], ...] = ()
) -> str:
    if value not in known:
        raise source.error(f"{key} = '{value}' is unknown; {_near(value, known)}", *trail, (rf"\s*{key}\s*=", 0))
    return value


def _entries(source: _Source, data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(f, dict) for f in found):
        raise source.error(f"write each {key} as [[{key}]] with its keys below", (rf"\s*\[*{key}", 0))
    return found


def _streets(source: _Source, data: Mapping[str, Any], base: Variant | None) -> tuple[Street, ...]:
    streets = list(base.streets) if base else []
    entries = _entries(source, data, "street")
    if entries:
        streets = []
    for i, entry in enumerate(entries):
        trail = ((r"\s*\[\[\s*street", i),)
        values = _checked(source, entry, _STREET, "of a street", trail)
        if "name" not in values:
            values["name"] = f"street {i + 1}"
        streets.append(_street(source, values, trail))
    changes = data.get("change", {})
    if not isinstance(changes, dict) or not all(isinstance(c, dict) for c in changes.values()):
        raise source.error("write changes as [change.NAME OF STREET] with the changed keys below", (r"\s*\[?change", 0))
    if changes and base is None:
        raise source.error("'change' needs 'like': it changes streets of another game", (r"\s*\[change", 0))
    for name, entry in changes.items():
        trail = ((rf"\s*\[\s*change\s*\.\s*[\"']?{re.escape(name)}", 0),)
        places = [i for i, street in enumerate(streets) if street.name == name]
        if not places:
            raise source.error(
                f"there is no street '{name}' to change; {_near(name, [s.name for s in streets])}", *trail
            )
        values = _checked(source, entry, _STREET, "of a street", trail)
        old = dataclasses.asdict(streets[places[0]])
        streets[places[0]] = _street(source, old | values, trail)
    if not 1 <= len(streets) <= 24:
        raise source.error(f"a game has 1 to 24 streets, not {len(streets)}: write [[street]] entries")
    return tuple(streets)


def _street(source: _Source, values: dict[str, Any], trail: tuple[tuple[str, int], ...]) -> Street:
    values = values | {"prices": tuple(values.get("prices", ()))}
    street = Street(**values)
    _word(source, "facing", street.facing, FACINGS, trail)
    kinds = [k for k in _CHOICES if getattr(street, k)]
    dealt = street.down + street.up + street.board
    if len(kinds) > 1 or (kinds and kinds != ["push"] and dealt):
        raise source.error(
            f"street '{street.name}' does several things ({', '.join([*kinds, *(['deals'] if dealt else [])])}); "
            "write one street for each, in order",
            *trail,
        )
    if street.push and (street.up != 1 or street.down or street.board):
        raise source.error(f"street '{street.name}': only a single up card can be pushed (up = 1)", *trail)
    if not kinds and not dealt and not street.flip:
        raise source.error(
            f"street '{street.name}' deals nothing; write down, up, board, draw, discard or swap", *trail
        )
    if street.draw_to_ace and street.draw_to_ace < street.draw:
        raise source.error(f"street '{street.name}': draw_to_ace is less than draw", *trail)
    return street


def _halves(source: _Source, data: Mapping[str, Any], base: Variant | None) -> tuple[Half, ...]:
    entries = _entries(source, data, "half")
    if not entries:
        return _bare(base.halves) if base else ()
    found = []
    for i, entry in enumerate(entries):
        trail = ((r"\s*\[\[\s*half", i),)
        values = _checked(source, entry, _HALF, "of a half", trail)
        for key in ("name", "ranking"):
            if key not in values:
                raise source.error(f"a half needs a {key}", *trail)
        half = Half(**values)
        _word(source, "selection", half.selection, SELECTIONS, trail)
        found.append(half)
    return tuple(found)


def _policies(source: _Source, data: Mapping[str, Any], base: Variant | None) -> tuple[Policy, ...]:
    found = {p.name: dict(p.rules) for p in base.policies} if base else {}
    tables = data.get("policies", {})
    if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
        raise source.error("write policies as [policies.NAME] with lists of rules below", (r"\s*\[?policies", 0))
    for name, table in tables.items():
        trail = ((rf"\s*\[\s*policies\s*\.\s*[\"']?{re.escape(name)}", 0),)
        if name in ("pat", "best"):
            raise source.error(f"'{name}' is a policy of every game; give yours another name", *trail)
        kinds = dict.fromkeys(_CHOICES, _WORDS)
        values = _checked(source, table, kinds, "of a policy", trail)
        found[name] = found.get(name, {}) | {k: tuple(v) for k, v in values.items()}
    return tuple(Policy(name, tuple(rules.items())) for name, rules in found.items())


def _build(source: _Source, name: str, data: Mapping[str, Any], depth: int) -> Variant:
    plain = {k: v for k, v in data.items() if k not in _SECTIONS}
    values = _checked(source, plain, _TOP | dict.fromkeys(_SECTIONS, _TEXT), "of a game", ())
    base = None
    if "like" in values:
        if depth > 5:
            raise source.error("'like' leads from game to game without end", (r"\s*like\s*=", 0))
        try:
            if _is_path(values["like"]):
                raise PotshareError("it must name a game that comes with potshare")
            base = find_variant(values["like"]) if depth == 0 else _load(values["like"], depth + 1)
        except (PotshareError, KeyError) as error:
            raise source.error(f"like = '{values['like']}': {error}", (r"\s*like\s*=", 0)) from None
    for key in ("title",):
        if key not in values:
            raise source.error(f'a game needs a {key}: write {key} = "..."')
    streets = _streets(source, data, base)
    halves = _halves(source, data, base)
    boards = values.get("boards", base.boards if base else 1)
    if boards not in (1, 2):
        raise source.error(f"boards must be 1 or 2, not {boards}", (r"\s*boards\s*=", 0))
    if not 1 <= len(halves) <= 2:
        raise source.error(f"a pot has one or two halves, not {len(halves)}: write [[half]] entries")
    if len({h.name for h in halves}) < len(halves):
        raise source.error("two halves have the same name", (r"\s*\[\[\s*half", 1))
    for i, half in enumerate(halves):
        if not 1 <= half.board <= boards:
            raise source.error(
                f"half '{half.name}' is played on board {half.board} of {boards}", (r"\s*\[\[\s*half", i)
            )
    words = values.get("wild", list(base.wild) if base else [])
    wild = read_wild(words, source.label)
    choices = {k: values.get(k, getattr(base, k) if base else "") for k in ("when_short", "table")}
    _word(source, "when_short", choices["when_short"], WHEN_SHORT)
    _word(source, "table", choices["table"], TABLES)
    variant = Variant(
        name=name,
        title=values["title"],
        family=_word(source, "family", values.get("family", base.family if base else "own"), FAMILIES),
        summary=" ".join(values.get("summary", "").split()),
        deck_name=_word(source, "deck", values.get("deck", base.deck_name if base else "standard"), DECKS),
        seats=0,
        streets=streets,
        halves=_wild_halves(halves, wild),
        aliases=tuple(values.get("aliases", ())),
        boards=boards,
        wild=wild,
        when_short=choices["when_short"],
        showdown=_word(source, "showdown", values.get("showdown", base.showdown if base else SHOWDOWNS[0]), SHOWDOWNS),
        table=choices["table"],
        policies=_policies(source, data, base),
        notes=tuple(values.get("notes", base.notes if base else ())),
    )
    return _seated(source, variant, values.get("seats", base.seats if base else 0), "seats" in values)


def _seated(source: _Source, variant: Variant, seats: int, written: bool) -> Variant:
    hole = variant.hole_cards
    if not 1 <= hole <= 7:
        raise source.error(f"each player is dealt {hole} cards in all; 1 to 7 can be ranked")
    if variant.kept_cards < 1:
        raise source.error("players throw away every card they are dealt")
    if variant.board_cards > 5:
        raise source.error(f"a board has at most 5 cards, not {variant.board_cards}")
    held = discards = 0
    for street in variant.streets:
        held += street.down + street.up - street.discard
        discards += street.discard
        if held < 0 or (street.discard and held < 1):
            raise source.error(f"street '{street.name}' throws away more cards than a player has")
        for key in ("draw", "draw_to_ace"):
            if getattr(street, key) > held:
                raise source.error(
                    f"street '{street.name}' exchanges {getattr(street, key)} cards, but a player has {held}",
                    (rf"\s*{key}\s*=\s*{getattr(street, key)}\b", 0),
                )
    if variant.choices and not any(p.name == "standard" for p in variant.policies):
        raise source.error(
            f"a game with choices ({', '.join(variant.choices)}) needs [policies.standard] with keep rules for them"
        )
    probe = dataclasses.replace(variant, seats=99)
    most = probe.most_players
    if most < 2:
        raise source.error(f"the deck has {len(variant.deck)} cards: not enough for two players")
    if written and not 2 <= seats <= most:
        raise source.error(f"seats must be 2 to {most}: the deck has no cards for more", (r"\s*seats\s*=", 0))
    return dataclasses.replace(variant, seats=min(seats or 10, most))


def _parse(label: str, raw: bytes) -> tuple[_Source, dict[str, Any]]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PotshareError(f"{label} is not UTF-8 text (byte {error.start})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:  # a key of thousands of parts takes gigabytes to read
            raise PotshareError(f"line {number} of {label} has {len(line):,} characters; no variant needs such a line")
    try:
        return _Source(label, text), tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PotshareError(f"{label} is not valid TOML: {error}") from None
    except RecursionError:
        raise PotshareError(f"{label} is not a variant: its values are nested too deeply") from None


def read_variant(path: str | Path) -> Variant:
    """A variant from a player's own TOML file, checked throughout.

    Raises `PotshareError` that names the file, the line where it can be told, and the nearest right word.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PotshareError(f"the game file {path} cannot be read: {error.strerror or error}") from None
    if len(raw) > LARGEST_FILE:
        raise PotshareError(f"the game file {path} is larger than {LARGEST_FILE // 1024} KB; no variant is that long")
    source, data = _parse(path.name, raw)
    variant = _build(source, path.stem, data, 0)
    _check_rankings(source, variant)
    return variant


def _check_rankings(source: _Source, variant: Variant) -> None:
    # Only for files that no test of this package has read: it loads the rankings.
    from potshare.evaluator.arrays import for_size
    from potshare.evaluator.rankings import find_ranking
    from potshare.simulate.drawing.rules import read_rules

    for i, half in enumerate(variant.halves):
        place = ((r"\s*\[\[\s*half", i), (r"\s*ranking\s*=", 0))
        try:
            ranking = find_ranking(half.ranking)
        except PotshareError as error:
            raise source.error(str(error), *place) from None
        hole, board = variant.kept_cards, variant.board_cards
        if half.selection == "two plus three":
            if not ranking.selectable:
                raise source.error(f"{ranking.name} does not rank two cards plus three", *place)
            if not (2 <= hole <= 6 and board == 5):
                raise source.error("two plus three takes 2 to 6 hole cards and a board of 5", *place)
            continue
        size = variant.down_positions.bit_count() if half.selection == "down cards" else hole + board
        if ranking.name == "badugi" and size == 5:
            continue
        try:
            for_size(ranking, size)
        except PotshareError as error:
            raise source.error(f"half '{half.name}': {error}", *place) from None
        if min(variant.deck) < ranking.lowest:
            raise source.error(f'{ranking.name} is for the short deck; write deck = "short"', *place)
    _check_wild(variant.halves, variant.wild, source.label)
    for policy in variant.policies:
        trail = ((rf"\s*\[\s*policies\s*\.\s*[\"']?{re.escape(policy.name)}", 0),)
        for choice, texts in policy.rules:
            try:
                read_rules(texts, variant)
            except PotshareError as error:
                raise source.error(f"{choice}: {error}", *trail, (rf"\s*{choice}\s*=", 0)) from None
    for choice in variant.choices:
        if not variant.policy("standard").of(choice):
            raise source.error(f"[policies.standard] has no rules for '{choice}'")


@cache
def _file_of() -> dict[str, Path]:
    return {path.stem: path for path in sorted(GAMES_FOLDER.glob("*.toml"))}


@cache
def _load(name: str, depth: int = 1) -> Variant:
    path = _file_of()[name]
    source, data = _parse(path.name, path.read_bytes())
    return _build(source, name, data, depth)


@cache
def games() -> dict[str, Variant]:
    """Every built-in variant by name."""
    return {name: _load(name) for name in _file_of()}


def _is_path(name: str) -> bool:
    return name.lower().endswith(".toml") or "/" in name or "\\" in name


def find_variant(name: str) -> Variant:
    """The variant of a name or an alias, of a TOML file, or of a name with wild cards after a colon (`draw:7`).

    Raises `PotshareError` with the nearest names.
    """
    if not isinstance(name, str):
        raise PotshareError(f"a game is named by text, such as 'holdem', not by {name!r}")
    if _is_path(name):
        return read_variant(name.strip())
    wanted, colon, wilds = name.strip().lower().replace("_", "-").replace(" ", "-").partition(":")
    if wanted in _file_of():
        found = _load(wanted)
        return found.with_wilds(wilds) if colon else found
    by_alias = {alias: variant for variant in games().values() for alias in variant.aliases}
    if wanted in by_alias:
        found = by_alias[wanted]
        return found.with_wilds(wilds) if colon else found
    near = difflib.get_close_matches(wanted, [*games(), *by_alias], n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise PotshareError(f"there is no game '{name}'{hint} (`potshare games` lists them)")

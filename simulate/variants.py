"""Variants as data: decks, streets, halves of the pot, seats. The engine knows no game by name.

A variant is a TOML file. Those of `simulate/games/` and a player's own file are read by the same loader:

    title = "Omaha hi-lo, eight or better"
    family = "flop"
    aliases = ["o8", "plo8"]
    summary = "..."                     # prose, printed by `potshare games omaha8`
    deck = "standard"                   # or "short": 36 cards, six to ace
    seats = 10
    [[street]]
    name = "preflop"
    down = 4
    [[street]]
    name = "flop"
    board = 3
    [[half]]
    name = "high"
    ranking = "high"
    selection = "two plus three"        # or "best five" (default)
    [[half]]
    name = "low"
    ranking = "eight-or-better"
    selection = "two plus three"
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from potshare.errors import PotshareError

GAMES_FOLDER = Path(__file__).resolve().parent / "games"

DECKS: dict[str, tuple[int, ...]] = {
    "standard": tuple(range(52)),
    "short": tuple(range(16, 52)),
}

SELECTIONS = ("best five", "two plus three")


@dataclass(frozen=True)
class Street:
    """One round of the deal: private cards face down and up, community cards."""

    name: str
    down: int = 0
    up: int = 0
    board: int = 0


@dataclass(frozen=True)
class Half:
    """A part of the pot and who wins it: the ranking, and which cards count."""

    name: str
    ranking: str
    selection: str = "best five"


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
    board_streets: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board_streets", tuple(s.board for s in self.streets if s.board))

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards of the deck."""
        return DECKS[self.deck_name]

    @property
    def hole_cards(self) -> int:
        """How many private cards each player is dealt in all."""
        return sum(s.down + s.up for s in self.streets)

    @property
    def board_cards(self) -> int:
        """How many community cards are dealt in all."""
        return sum(self.board_streets)

    @property
    def ordered(self) -> bool:
        """Whether the order of a player's cards carries information (cards dealt face up)."""
        return any(s.up for s in self.streets)

    @property
    def most_players(self) -> int:
        """How many players the deck can serve; `seats` is how many usually play."""
        return (len(self.deck) - self.board_cards) // self.hole_cards


def _read(path: Path) -> Variant:
    data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return Variant(
        name=path.stem,
        title=data["title"],
        family=data["family"],
        summary=" ".join(data["summary"].split()),
        deck_name=data.get("deck", "standard"),
        seats=data["seats"],
        streets=tuple(Street(**street) for street in data["street"]),
        halves=tuple(Half(**half) for half in data["half"]),
        aliases=tuple(data.get("aliases", ())),
    )


@cache
def _file_of() -> dict[str, Path]:
    return {path.stem: path for path in sorted(GAMES_FOLDER.glob("*.toml"))}


@cache
def _load(name: str) -> Variant:
    return _read(_file_of()[name])


@cache
def games() -> dict[str, Variant]:
    """Every built-in variant by name."""
    return {name: _load(name) for name in _file_of()}


def find_variant(name: str) -> Variant:
    """The variant of a name or an alias. Raises `PotshareError` with the nearest names."""
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in _file_of():
        return _load(wanted)
    by_alias = {alias: variant for variant in games().values() for alias in variant.aliases}
    if wanted in by_alias:
        return by_alias[wanted]
    near = difflib.get_close_matches(wanted, [*games(), *by_alias], n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise PotshareError(f"there is no game '{name}'{hint} (`potshare games` lists them)")

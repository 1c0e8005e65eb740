"""A batch of rows: text columns to arrays, strengths by half, settlement, and the columns of the answer.

Each game of a batch is one group. Within a group everything is arrays of one shape, filled by the kernels of
`cells` and, for the rows that those leave, by `reading.read_row`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from potshare.errors import PotshareError
from potshare.evaluator.arrays import for_size, strengths
from potshare.evaluator.rankings import Ranking, find_ranking
from potshare.simulate.scoring import cells, pots
from potshare.simulate.scoring.cells import CLASSES, MOST_CARDS, MOST_SEATS, SEAT_MARK
from potshare.simulate.scoring.chips import MOST_CHIPS, ONE, Chip
from potshare.simulate.scoring.pots import CONTRIBUTIONS, NOTHING, POT
from potshare.simulate.scoring.reading import Row, one_line, read_row
from potshare.simulate.showdown import Settlement, money_layers, settle
from potshare.simulate.variants import Half, Variant, find_variant

Array = NDArray[Any]
CellsOf = Callable[[int], Mapping[str, Any]]
"""Gives the cells of a row of the batch by field, for the rows that are read in Python."""

_STUD_TABLES = ("stud", "stud-hilo", "razz", "five-card-stud", "lowball-stud")
_FINE = 3


@dataclass(frozen=True)
class Wanted:
    """What the answer tells besides winners, shares and chips."""

    words: bool = False
    halves: bool = False
    pots: bool = False
    chip: Chip = ONE


def _kinds(amount: Any) -> dict[str, Any]:
    seats, amounts = pl.List(pl.Int64), pl.List(amount)
    half: dict[str, Any] = {"half": pl.String, "winners": seats, "payouts": amounts}
    pot: dict[str, Any] = {"amount": amount, "eligible": seats, "half": pl.String, "winners": seats, "payouts": amounts}
    return {
        "winners": seats,
        "shares": pl.List(pl.String),
        "payouts": amounts,
        "net": amounts,
        "categories": pl.List(pl.String),
        "words": pl.List(pl.String),
        "halves": pl.List(pl.Struct(half)),
        "pots": pl.List(pl.Struct(pot)),
        "error": pl.String,
    }


RESULTS = _kinds(pl.Int64)
"""The columns of an answer with their types. Seats are numbered from 1; lists have an entry for each seat.

Amounts of a chip with decimals are text.
"""

_IN_DECIMALS = _kinds(pl.String)


def _kinds_of(chip: Chip) -> dict[str, Any]:
    return _IN_DECIMALS if chip.decimals else RESULTS


def result_columns(wanted: Wanted) -> dict[str, Any]:
    """The columns that a batch is answered with."""
    left_out = set()
    if not wanted.words:
        left_out |= {"categories", "words"}
    if not wanted.halves:
        left_out.add("halves")
    if not wanted.pots:
        left_out.add("pots")
    kinds = _kinds_of(wanted.chip)
    return {name: kind for name, kind in kinds.items() if name not in left_out}


# -- columns to arrays ----------------------------------------------------------------------------------------------


def buffer(column: pl.Series) -> tuple[Array, Array]:
    """The bytes of a text column, missing cells as empty ones, and the (n + 1,) int64 offsets of its rows."""
    filled = column.fill_null("")
    offsets = np.zeros(len(filled) + 1, np.int64)
    np.cumsum(filled.str.len_bytes().to_numpy(), out=offsets[1:])
    text = filled.str.join("").item() if len(filled) else ""
    # Read-only arrays are another type to the kernels; and an array of no bytes cannot be looked at.
    data = np.frombuffer(bytearray(text.encode() or b" "), np.uint8)
    return data, offsets


@dataclass
class Columns:
    """The fields of a batch as text columns, missing ones None; `hands` may be joined by `SEAT_MARK`.

    `cells` gives the cells of a row as they were; `broken` are rows that could not even be parted into cells.
    """

    size: int
    text: Mapping[str, pl.Series | None]
    cells: CellsOf
    broken: Mapping[int, str] = field(default_factory=dict)

    def rows(self, where: Array) -> Columns:
        """Some of the rows."""
        taken = {name: None if c is None else c.gather(where) for name, c in self.text.items()}
        places = {int(old): new for new, old in enumerate(where)}
        broken = {places[i]: text for i, text in self.broken.items() if i in places}
        return Columns(len(where), taken, lambda i: self.cells(int(where[i])), broken)


class Group:
    """The rows of one game as arrays, money in chips. `bad` is 0 where a row can be settled, `errors` says why not."""

    def __init__(self, variant: Variant, columns: Columns, chip: Chip = ONE) -> None:
        self.variant = variant
        self.chip = chip
        self.size = n = columns.size
        self.errors: dict[int, str] = dict(columns.broken)
        self.bad = np.zeros(n, np.uint8)
        for i in columns.broken:
            self.bad[i] = 1
        self.board_size = variant.board_cards * variant.boards
        self._read(columns)
        self._check()
        self._read_slowly(columns)

    def _column(self, columns: Columns, name: str) -> tuple[Array, Array]:
        column = columns.text.get(name)
        return (np.zeros(1, np.uint8), np.zeros(self.size + 1, np.int64)) if column is None else buffer(column)

    def _numbers(self, columns: Columns, name: str, chip: Chip = ONE) -> tuple[Array, Array]:
        data, offsets = self._column(columns, name)
        most = min(int(cells.count_numbers(data, offsets)), MOST_SEATS)
        out, counts = np.zeros((self.size, max(1, most)), np.int64), np.zeros(self.size, np.int64)
        cells.read_numbers(data, offsets, chip.decimals, chip.scaled, out, counts, self.bad)
        return out, counts

    def _read(self, columns: Columns) -> None:
        n = self.size
        data, offsets = self._column(columns, "hands")
        chips, chip_counts = self._numbers(columns, "contributions", self.chip)
        out, out_counts = self._numbers(columns, "folded")
        seats = int(cells.count_hands(data, offsets)) if n else 1
        named = int(out.max()) if n and out.size else 0
        seats = min(MOST_SEATS, max(seats, int(chip_counts.max()) if n else 1, min(named, MOST_SEATS)))
        self.hands: Array = np.zeros((n, seats, MOST_CARDS), np.uint8)
        self.counts: Array = np.zeros((n, seats), np.int64)
        self.seats = np.zeros(n, np.int64)
        self.folded: Array = np.zeros((n, seats), np.uint8)
        cells.read_hands(data, offsets, CLASSES, self.hands, self.counts, self.seats, self.folded, self.bad)
        data, offsets = self._column(columns, "board")
        self.boards = np.zeros((n, max(1, self.board_size)), np.uint8)
        self.board_counts = np.zeros(n, np.int64)
        cells.read_cards(data, offsets, CLASSES, self.boards, self.board_counts, self.bad)
        self.seats = np.maximum(self.seats, chip_counts)
        cells.mark_seats(out, out_counts, self.seats, self.folded, self.bad)
        pot, pot_counts = self._numbers(columns, "pot", self.chip)
        self.known = np.where(chip_counts > 0, CONTRIBUTIONS, np.where(pot_counts > 0, POT, NOTHING))
        self.money: Array = np.zeros((n, seats), np.int64)
        self.money[:, : chips.shape[1]] = chips[:, :seats]
        only_pot = self.known == POT
        self.money[only_pot, 0] = pot[only_pot, 0]
        self.bad[(pot_counts > 1) | (self.known == CONTRIBUTIONS) & (chip_counts != self.seats)] = 1
        self.bad[(chip_counts > 0) & (pot_counts > 0) & (pot[:, 0] != chips.sum(axis=1))] = 1
        if pot_counts.any() or chip_counts.any():
            self.bad[(self.money >= MOST_CHIPS).any(axis=1)] = 1
        button, button_counts = self._numbers(columns, "button")
        self.buttons = np.where(button_counts > 0, button[:, 0] - 1, self.seats - 1)
        self.bad[(button_counts > 1) | (self.buttons < 0) | (self.buttons >= self.seats)] = 1

    def _check(self) -> None:
        cells.check_hands(
            self.hands, self.counts, self.seats, self.folded, self.boards, self.board_counts,
            self.variant.kept_cards, self.board_size, self.variant.deck[0], self.bad,
        )  # fmt: skip

    def _read_slowly(self, columns: Columns) -> None:
        found: dict[int, Row] = {}
        for i in np.flatnonzero(self.bad).tolist():
            if i in self.errors:
                continue
            try:
                found[i] = read_row(columns.cells(i), self.variant, self.chip)
            except PotshareError as error:
                self.errors[i] = one_line(error)
        if not found:
            return
        more = max(len(row.hands) for row in found.values()) - self.hands.shape[1]
        if more > 0:
            self.hands = np.pad(self.hands, ((0, 0), (0, more), (0, 0)))
            self.counts, self.folded, self.money = (
                np.pad(a, ((0, 0), (0, more))) for a in (self.counts, self.folded, self.money)
            )
        for i, row in found.items():
            self._put(i, row)

    def _put(self, i: int, row: Row) -> None:
        seats = len(row.hands)
        self.bad[i] = 0
        self.seats[i] = seats
        self.folded[i] = 0
        self.folded[i, :seats] = row.folded
        self.counts[i] = 0
        for seat, hand in enumerate(row.hands):
            # Unknown cards of folded hands count nowhere.
            cards = [c for c in (*hand, *row.shared) if c < 64] if hand else []
            self.counts[i, seat] = len(cards[:MOST_CARDS])
            self.hands[i, seat, : len(cards[:MOST_CARDS])] = cards[:MOST_CARDS]
        self.boards[i, : len(row.board)] = row.board
        self.board_counts[i] = len(row.board)
        self.known[i] = row.known
        self.money[i] = 0
        self.money[i, : len(row.money)] = row.money
        self.buttons[i] = seats - 1 if row.button is None else row.button

    # -- strengths and settlement --

    def evaluate(self) -> None:
        """Strengths of all compared hands, by half."""
        variant = self.variant
        n, seats = self.folded.shape
        self.strengths = np.zeros((n, len(variant.halves), seats), np.uint16)
        size = variant.kept_cards
        for h, half in enumerate(variant.halves):
            first = (half.board - 1) * variant.board_cards
            most = n * seats
            flat = np.zeros((most, size + variant.board_cards), np.uint8)
            rows, places = np.zeros(most, np.int64), np.zeros(most, np.int64)
            m = int(
                cells.gather_hands(
                    self.hands, self.seats, self.folded, self.bad, size, self.boards, first, variant.board_cards,
                    flat, rows, places,
                )
            )  # fmt: skip
            if m:
                found = half_strengths(variant, half, flat[:m])
                cells.scatter(found, rows[:m], places[:m], h, self.strengths)

    def settle(self) -> None:
        """Pays every row that can be settled."""
        n, seats = self.folded.shape
        halves = len(self.variant.halves)
        keys = np.zeros((n, seats), np.int64)
        if self.variant.table in _STUD_TABLES:
            cells.suit_keys(self.hands, self.counts, self.seats, keys)
        else:
            keys = (np.arange(seats)[None, :] - self.buttons[:, None] - 1) % np.maximum(self.seats, 1)[:, None]
        self.keys = keys
        self.paid, self.returned, self.num = (np.zeros((n, seats), np.int64) for _ in range(3))
        self.halves_paid = np.zeros((n, halves, seats), np.int64)
        self.wins = np.zeros((n, halves), np.int64)
        self.den = np.ones(n, np.int64)
        pots.settle_rows(
            self.money, self.known, self.seats, self.folded, self.strengths, keys, self.paid, self.halves_paid,
            self.returned, self.wins, self.num, self.den, self.bad,
        )  # fmt: skip
        for i in np.flatnonzero(self.bad == 2).tolist():
            self.errors[i] = "hands: nobody can win the pot: no live hand counts in any half"

    def settled(self, i: int) -> Settlement:
        """A row with contributions once more by `showdown.settle`, for what the kernel does not keep."""
        seats = int(self.seats[i])
        out = [bool(f) for f in self.folded[i, :seats]]
        money = self.money[i, :seats].tolist()
        order = np.argsort(self.keys[i, :seats], kind="stable").tolist()
        hands = self.strengths[i, :, :seats].tolist()
        return settle(money, out, hands, order)


@cache
def _down_positions(variant: Variant) -> tuple[int, ...]:
    return tuple(p for p in range(variant.kept_cards) if variant.down_positions >> p & 1)


def half_strengths(variant: Variant, half: Half, cards: Array) -> NDArray[np.uint16]:
    """(m,) strengths of hands (m, private + board) under a half of the pot."""
    ranking = find_ranking(half.ranking)
    size = variant.kept_cards
    if half.selection == "two plus three":
        hole, board = np.ascontiguousarray(cards[:, :size]), np.ascontiguousarray(cards[:, size:])
        return strengths(hole, ranking, board, selection=half.selection)
    if half.selection == "down cards":
        return strengths(np.ascontiguousarray(cards[:, _down_positions(variant)]), ranking)
    if cards.shape[1] > ranking.most:
        # Badugi of five cards: the best four of them.
        best = np.zeros(len(cards), np.uint16)
        for places in combinations(range(cards.shape[1]), ranking.most):
            np.maximum(best, strengths(np.ascontiguousarray(cards[:, places]), ranking), out=best)
        return best
    return strengths(cards, ranking)


def half_ranking(variant: Variant, half: Half) -> Ranking:
    """The order that the strengths of a half belong to."""
    ranking = find_ranking(half.ranking)
    if half.selection == "two plus three":
        return ranking
    size = len(_down_positions(variant)) if half.selection == "down cards" else variant.kept_cards + variant.board_cards
    return ranking if size > ranking.most else for_size(ranking, size)


# -- arrays to columns ----------------------------------------------------------------------------------------------


def _lists(values: Array, seats: Array, valid: Array) -> pl.Series:
    # (n, S) integers as lists of so many as there are seats; null where not valid.
    sizes = np.where(valid, seats, 0)
    counts = np.unique(sizes)
    if len(counts) == 1 and counts[0]:
        return pl.Series(np.ascontiguousarray(values[:, : counts[0]])).arr.to_list()
    parts, places = [], []
    for count in counts.tolist():
        where = np.flatnonzero(sizes == count)
        places.append(where)
        if count:
            parts.append(pl.Series(np.ascontiguousarray(values[where, :count])).arr.to_list())
        else:
            parts.append(pl.Series([None], dtype=pl.List(pl.Int64)).gather([0] * len(where)))
    back = np.argsort(np.concatenate(places), kind="stable")
    return pl.concat(parts).gather(back)


def _pattern(*columns: Array) -> tuple[Array, Array]:
    # Distinct rows of several integer columns: one row of each, and which of them every row is.
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64)
        mixed ^= mixed >> np.uint64(29)
    first: Array
    _, first, which = np.unique(mixed, return_index=True, return_inverse=True)
    if all(np.array_equal(column, column[first][which]) for column in columns):
        return first, which
    _, first, which = np.unique(np.stack(columns, 1), axis=0, return_index=True, return_inverse=True)
    return first, which.ravel()


def _exact_shares(group: Group, i: int) -> list[Fraction]:
    # The shares of a row by fractions, where they are too fine for the kernel.
    seats = int(group.seats[i])
    out = [bool(f) for f in group.folded[i, :seats]]
    shares = [Fraction(0)] * seats
    middle = 0
    for layer in money_layers(group.money[i, :seats].tolist(), out):
        back = sum(int(group.returned[i, s]) for s in layer.eligible) if len(layer.eligible) == 1 else 0
        amount = layer.amount - back
        middle += amount
        best = [max(int(half[s]) for s in layer.eligible) for half in group.strengths[i]]
        if len(layer.eligible) == 1:
            shares[layer.eligible[0]] += amount
            continue
        for half, top in zip(group.strengths[i], best, strict=True):
            winners = [s for s in layer.eligible if top and half[s] == top]
            for s in winners:
                shares[s] += Fraction(amount, sum(b > 0 for b in best) * len(winners))
    return [share / middle for share in shares]


def _answers(group: Group, wanted: Wanted) -> pl.DataFrame:
    n = group.size
    valid = (group.bad == 0) | (group.bad == _FINE)
    seats, num = group.seats, group.num
    first, which = _pattern(np.where(valid, seats, 0), group.den, *num.T)
    exact = {i: _exact_shares(group, i) for i in np.flatnonzero(group.bad == _FINE).tolist()}
    winners: list[list[int] | None] = []
    shares: list[list[str] | None] = []
    for i in first.tolist():
        if not valid[i]:
            winners.append(None)
            shares.append(None)
            continue
        fractions = [Fraction(int(num[i, s]), int(group.den[i])) for s in range(seats[i])]
        winners.append([s + 1 for s, part in enumerate(fractions) if part])
        shares.append([str(part) for part in fractions])
    columns = {
        "winners": pl.Series(winners, dtype=RESULTS["winners"]).gather(which),
        "shares": pl.Series(shares, dtype=RESULTS["shares"]).gather(which),
    }
    for i, fractions in exact.items():
        columns["winners"][i] = pl.Series([s + 1 for s, part in enumerate(fractions) if part])
        columns["shares"][i] = pl.Series([str(part) for part in fractions])
    if not (group.known[valid] != NOTHING).any():
        columns["payouts"] = columns["net"] = pl.Series([None], dtype=RESULTS["net"]).gather(np.zeros(n, np.int64))
    else:
        columns["payouts"] = _lists(group.paid, seats, valid & (group.known != NOTHING))
        columns["net"] = _lists(group.paid - group.money, seats, valid & (group.known == CONTRIBUTIONS))
    if wanted.words:
        columns |= _words(group, valid)
    if wanted.halves:
        columns["halves"] = _halves(group, valid)
    if wanted.pots:
        columns["pots"] = _pots(group, valid)
    if group.chip != ONE:
        columns |= {name: _amounts(columns[name], group.chip) for name in ("payouts", "net")}
    error = pl.Series([None], dtype=pl.String).gather(np.zeros(n, np.int64))
    if group.errors:
        places = sorted(group.errors)
        error = error.scatter(places, [group.errors[i] for i in places])
    columns["error"] = error
    kinds = result_columns(wanted)
    return pl.DataFrame({name: columns[name].cast(kind) for name, kind in kinds.items()})


def _amounts(column: pl.Series, chip: Chip) -> pl.Series:
    # Lists of chips as lists of amounts; see `Chip.amount`.
    whole = pl.element() * chip.scaled
    if not chip.decimals:
        return column.list.eval(whole)
    point = 10**chip.decimals
    sign = pl.when(pl.element() < 0).then(pl.lit("-")).otherwise(pl.lit(""))
    before = (whole.abs() // point).cast(pl.String)
    behind = (whole.abs() % point).cast(pl.String).str.zfill(chip.decimals)
    return column.list.eval(pl.concat_str(sign, before, pl.lit("."), behind))


def _texts(ranking: Ranking, values: Array) -> tuple[list[str], list[str], Array]:
    distinct, which = np.unique(values, return_inverse=True)
    return [ranking.category(int(v)) for v in distinct], [ranking.words(int(v)) for v in distinct], which.ravel()


def _words(group: Group, valid: Array) -> dict[str, pl.Series]:
    halves = group.variant.halves
    n, width = group.folded.shape
    shown = (valid[:, None] & (group.folded == 0) & (np.arange(width) < group.seats[:, None])).ravel()
    # A hand that nobody had to show has no strength in any half.
    shown &= group.strengths.any(axis=1).ravel()
    texts: list[list[Any]] = [[], []]
    for h, half in enumerate(halves):
        found = _texts(half_ranking(group.variant, half), group.strengths[:, h].ravel())
        for text, names in zip(texts, found[:2], strict=True):
            text.append([names[k] for k in found[2].tolist()])
    answer = {}
    for name, parts in zip(("categories", "words"), texts, strict=True):
        flat = [" / ".join(t) if see else None for t, see in zip(zip(*parts, strict=True), shown.tolist(), strict=True)]
        rows = [flat[i * width : i * width + int(group.seats[i])] if valid[i] else None for i in range(n)]
        answer[name] = pl.Series(rows, dtype=RESULTS[name])
    return answer


def _members(mask: int) -> list[int]:
    return [s + 1 for s in range(MOST_SEATS) if mask >> s & 1]


def _halves(group: Group, valid: Array) -> pl.Series:
    rows: list[list[dict[str, Any]] | None] = []
    for i in range(group.size):
        if not valid[i]:
            rows.append(None)
            continue
        rows.append(
            [
                {
                    "half": half.name,
                    "winners": _members(int(group.wins[i, h])),
                    "payouts": [group.chip.amount(c) for c in group.halves_paid[i, h, : group.seats[i]].tolist()]
                    if group.known[i]
                    else None,
                }
                for h, half in enumerate(group.variant.halves)
            ]
        )
    return pl.Series(rows, dtype=_kinds_of(group.chip)["halves"])


def pot_rows(settlement: Settlement, halves: Sequence[str]) -> list[dict[str, Any]]:
    """Every pot of a settlement by half, main pot first, then what a single player got back or won uncontested."""
    found: list[dict[str, Any]] = []
    for pot, awards in zip(settlement.pots, settlement.awards, strict=True):
        eligible = [s + 1 for s in pot.eligible]
        for half, paid in zip(halves, awards, strict=True):
            winners = [s + 1 for s in range(len(paid)) if paid[s]]
            known = {"amount": pot.amount, "eligible": eligible, "half": half}
            found.append(known | {"winners": winners, "payouts": list(paid)})
    for layer in settlement.layers:
        if len(layer.eligible) == 1:
            seat = layer.eligible[0]
            back = settlement.returned[seat] == layer.amount
            found.append(
                {
                    "amount": layer.amount,
                    "eligible": [seat + 1],
                    "half": "returned" if back else "uncontested",
                    "winners": [seat + 1],
                    "payouts": [layer.amount if s == seat else 0 for s in range(len(settlement.payouts))],
                }
            )
    return found


def hand_words(variant: Variant, strengths: Sequence[Sequence[int]]) -> tuple[list[str | None], list[str | None]]:
    """Category and words of each seat's hand, all halves; None for hands that were not compared."""
    orders = [half_ranking(variant, half) for half in variant.halves]
    categories: list[str | None] = []
    words: list[str | None] = []
    for seat in zip(*strengths, strict=True):
        known = any(seat)
        categories.append(" / ".join(o.category(v) for o, v in zip(orders, seat, strict=True)) if known else None)
        words.append(" / ".join(o.words(v) for o, v in zip(orders, seat, strict=True)) if known else None)
    return categories, words


def _one_pot(group: Group, i: int) -> list[dict[str, Any]]:
    seats = int(group.seats[i])
    eligible = [s + 1 for s in range(seats) if not group.folded[i, s]]
    known = {"amount": int(group.money[i, 0]), "eligible": eligible}
    if len(eligible) == 1:
        return [known | {"half": "uncontested", "winners": eligible, "payouts": group.paid[i, :seats].tolist()}]
    return [
        known | {"half": half.name, "winners": _members(int(group.wins[i, h])),
                 "payouts": group.halves_paid[i, h, :seats].tolist()}
        for h, half in enumerate(group.variant.halves)
    ]  # fmt: skip


def _pots(group: Group, valid: Array) -> pl.Series:
    rows: list[list[dict[str, Any]] | None] = []
    for i in range(group.size):
        if not valid[i] or not group.known[i]:
            rows.append(None)
            continue
        if group.known[i] == POT:
            rows.append(_one_pot(group, i))
            continue
        rows.append(pot_rows(group.settled(i), [half.name for half in group.variant.halves]))
    for pot in (pot for row in rows for pot in row or ()):
        pot |= {"amount": group.chip.amount(pot["amount"]), "payouts": [group.chip.amount(c) for c in pot["payouts"]]}
    return pl.Series(rows, dtype=_kinds_of(group.chip)["pots"])


# -- a batch --------------------------------------------------------------------------------------------------------


def score_group(variant: Variant, columns: Columns, wanted: Wanted) -> pl.DataFrame:
    """The answers of rows that are all of one game."""
    group = Group(variant, columns, wanted.chip)
    group.evaluate()
    group.settle()
    return _answers(group, wanted)


@cache
def _game(name: str) -> Variant | str:
    # A row names a game; it does not open files.
    try:
        if name.lower().endswith(".toml") or "/" in name or "\\" in name:
            raise PotshareError(f"'{name}' is a path; name your own game with --game")
        return find_variant(name)
    except PotshareError as error:
        return f"game: {one_line(error)}"


def score_columns(columns: Columns, game: Variant, wanted: Wanted) -> pl.DataFrame:
    """The answers of a batch in the order of its rows; rows that name no game are of `game`."""
    names = columns.text.get("game")
    if names is None:
        return score_group(game, columns, wanted)
    cleaned = names.fill_null("").str.strip_chars()
    distinct = cleaned.unique(maintain_order=True).to_list()
    by_variant: dict[Variant | str, list[str]] = {}
    for name in distinct:
        by_variant.setdefault(_game(name) if name else game, []).append(name)
    if len(by_variant) == 1 and isinstance(only := next(iter(by_variant)), Variant):
        return score_group(only, columns, wanted)
    parts, places = [], []
    for variant, used in by_variant.items():
        where = np.flatnonzero(cleaned.is_in(used).to_numpy())
        some = columns.rows(where)
        if isinstance(variant, str):
            broken = {i: columns.broken.get(int(where[i]), variant) for i in range(len(where))}
            some, variant = Columns(some.size, {}, some.cells, broken), game
        parts.append(score_group(variant, some, wanted))
        places.append(where)
    back = np.argsort(np.concatenate(places), kind="stable")
    return pl.concat(parts)[back]


def joined(parts: Sequence[pl.Series]) -> pl.Series:
    """The columns `hand1`, `hand2` ... as one column of hands."""
    return pl.select(
        pl.concat_str([part.fill_null("") for part in parts], separator=chr(SEAT_MARK)).alias("hands")
    ).to_series()

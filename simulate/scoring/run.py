"""The front door of bulk scoring: inputs, options and an output in; a summary out.

Pieces of the input go through `work` one by one, in this process, over threads, over processes (hands in PHH are
replayed in Python) or over a cluster, and come back in order; the answer does not depend on where it was found.
"""

from __future__ import annotations

import contextlib
import io
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import IO, Any

import polars as pl

from potshare.errors import PotshareError
from potshare.simulate.output import Target, cannot
from potshare.simulate.scoring.batch import RESULTS, Wanted, hand_words, pot_rows, result_columns, score_columns
from potshare.simulate.scoring.chips import Chip, as_chip
from potshare.simulate.scoring.files import (
    FORMATS,
    Block,
    Piece,
    Sink,
    Source,
    encode,
    format_of,
    partition,
    sniff,
    whole_frame,
)
from potshare.simulate.scoring.phh import (
    HandHistory,
    Outcome,
    Replay,
    differences,
    files_of,
    hands_of,
    natural,
    outcome,
    read_hand,
    replay,
)
from potshare.simulate.scoring.reading import one_line
from potshare.simulate.streams import read
from potshare.simulate.variants import Variant, find_variant
from potshare.simulate.work import in_order, over_processes, thread_count

EXAMPLE = b"""\
id,game,board,hands,pot,contributions,folded
tie,holdem,4d7s6sJdJh,"ThAc,AdTd,TsAs",303,,
side pots,holdem,2c3c4d9hTs,"AhAd,KhKd,QhQd",,"20,80,100",
folded,holdem,2c3c4d9hTs,"AhAd,-,QhQd",,"50,20,50",2
high and low,omaha8,KhKd4c5h7s,AsKs2d3c;AdQc2h8h;Ac9d2sTh,1200,,
razz,razz,,"As2d3c4h5sKdKc,Ah2h3h4d6sQcQd",40,,
"""
"""A small table to try."""

PHH_HANDS = 64
"""Hands of a piece of PHH."""
_FEW_HANDS = 2_000
"""Below this many hands other processes cost more than they bring."""

HAND_COLUMNS: dict[str, Any] = {
    "id": pl.String,
    "variant": pl.String,
    "game": pl.String,
    "chip": pl.String,
    "players": pl.List(pl.String),
    "board": pl.String,
    "hands": pl.List(pl.String),
    "contributions": pl.List(pl.Int64),
    "folded": pl.List(pl.Int64),
    "winners": pl.List(pl.Int64),
    "payouts": pl.List(pl.Int64),
    "net": pl.List(pl.Int64),
    "stacks": pl.List(pl.Int64),
    "verified": pl.Boolean,
    "categories": RESULTS["categories"],
    "words": RESULTS["words"],
    "halves": RESULTS["halves"],
    "pots": RESULTS["pots"],
    "expected": pl.List(pl.Float64),
    "expected_method": pl.String,
    "note": pl.String,
    "error": pl.String,
}
"""The columns of scored PHH hands. Amounts are in units of `chip`; `stacks` are those after the hand."""


@dataclass(frozen=True)
class Options:
    """What to do with each piece."""

    game: Variant
    wanted: Wanted
    kind: str
    verify: bool = False
    ev: bool = False
    chip: Chip | None = None


@dataclass
class Summary:
    """What was done. `failed` rows could not be scored, `differ` hands were recorded with other stacks."""

    rows: int = 0
    failed: int = 0
    first_failure: str = ""
    verified: int = 0
    differ: int = 0
    unrecorded: int = 0
    first_difference: str = ""
    seconds: float = 0.0
    output: str = ""
    stopped: bool = False


@dataclass
class Progress:
    """Rows so far, and the share of the input that is done where it is known."""

    rows: int
    done: float | None


@dataclass
class Done:
    """A scored piece. `again` is what is needed to number the rows of its errors, where it has any."""

    size: int
    weight: int
    names: list[str]
    data: bytes | pl.DataFrame
    failed: list[int]
    again: tuple[Block, pl.DataFrame] | None = None
    verdicts: list[tuple[int, bool | None, str]] = field(default_factory=list)
    lines: int = 0


@dataclass
class HandsPiece:
    """A few recorded hands: label and text of each."""

    hands: list[tuple[str, bytes | str]]
    place: int = 0
    files: int = 0

    @property
    def weight(self) -> int:
        """Files completed with this piece."""
        return self.files

    def load(self) -> Block:
        """Hands are not rows."""
        raise NotImplementedError


# -- the work of a piece --------------------------------------------------------------------------------------------


def work(piece: Piece | HandsPiece, options: Options) -> Done:
    """Scores a piece; a pure function, which may run anywhere."""
    if isinstance(piece, HandsPiece):
        return _score_hands(piece, options)
    block = piece.load()
    results = score_columns(block.columns(), options.game, options.wanted)
    failed = results["error"].is_not_null().arg_true().to_list()
    names = [] if options.kind == "ndjson" else _names(block, results)
    return Done(
        block.size, piece.weight, names, b"" if failed else encode(block, results, options.kind), failed,
        (block, results) if failed else None, lines=block.lead + block.span,
    )  # fmt: skip


def _names(block: Block, results: pl.DataFrame) -> list[str]:
    if block.frame is not None:
        return [*(n for n in block.frame.columns if n not in results.columns), *results.columns]
    return whole_frame(block, results).columns


def _score_hands(piece: HandsPiece, options: Options) -> Done:
    rows = []
    verdicts = []
    failed = []
    for k, (label, text) in enumerate(piece.hands):
        row, verdict = _score_hand(label, text, options)
        rows.append(row)
        if row["error"] is not None:
            failed.append(k)
        if verdict is not None:
            verdicts.append((k, *verdict))
    kinds = {n: t for n, t in HAND_COLUMNS.items() if _asked(n, options)}
    frame = pl.DataFrame({n: pl.Series([r[n] for r in rows], dtype=t) for n, t in kinds.items()})
    block = Block(len(rows), frame.drop("error"))
    data = encode(block, frame.select("error"), options.kind)
    again = (block, frame.select("error")) if failed else None
    return Done(len(rows), piece.weight, frame.columns, data, failed, again, verdicts)


def _asked(column: str, options: Options) -> bool:
    if column == "verified":
        return options.verify
    if column in RESULTS and column not in result_columns(options.wanted):
        return False
    return options.ev or not column.startswith("expected")


def _score_hand(
    label: str, text: bytes | str, options: Options
) -> tuple[dict[str, Any], tuple[bool | None, str] | None]:
    row: dict[str, Any] = dict.fromkeys(HAND_COLUMNS) | {"id": label}
    try:
        if isinstance(text, str):
            raise PotshareError(text)
        hand = read_hand(text, options.chip)
        row |= {
            "variant": hand.code,
            "game": hand.variant.name,
            "chip": f"{hand.chip:f}",
            "players": list(hand.players),
        }
        played = replay(hand)
        _describe(row, played)
        found = outcome(played)
        _describe_outcome(row, played, found)
        verdict = _verdict(label, hand, found, row) if options.verify else None
        if options.ev:
            _add_luck(row, played)
        return row, verdict
    except PotshareError as error:
        row["error"] = one_line(error)
        return row, None


def _describe(row: dict[str, Any], played: Replay) -> None:
    from potshare.evaluator.cards import format_cards

    row |= {
        "board": format_cards(played.board),
        "hands": [format_cards(cards) for cards in played.cards],
        "contributions": [a + b for a, b in zip(played.put, played.dead, strict=True)],
        "folded": [seat + 1 for seat, out in enumerate(played.folded) if out],
    }


def _describe_outcome(row: dict[str, Any], played: Replay, found: Outcome) -> None:
    row |= {
        "winners": [seat + 1 for seat in found.winners],
        "payouts": list(found.payouts),
        "net": [paid - put for paid, put in zip(found.payouts, row["contributions"], strict=True)],
        "stacks": list(found.stacks),
    }
    halves = [half.name for half in played.hand.variant.halves]
    row["pots"] = pot_rows(found.settlement, halves)
    row["halves"] = [
        {
            "half": name,
            "winners": [s + 1 for s in found.winners if any(award[h][s] for award in found.settlement.awards)],
            "payouts": [sum(award[h][s] for award in found.settlement.awards) for s in range(len(found.payouts))],
        }
        for h, name in enumerate(halves)
    ]
    row["categories"], row["words"] = hand_words(played.hand.variant, found.strengths)
    if found.notes:
        row["note"] = "; ".join(found.notes)


def _note(row: dict[str, Any], text: str) -> None:
    row["note"] = f"{row['note']}; {text}" if row["note"] else text


def _verdict(label: str, hand: HandHistory, found: Outcome, row: dict[str, Any]) -> tuple[bool | None, str]:
    if hand.finishing is None:
        _note(row, "no finishing_stacks to compare with")
        return None, ""
    apart = differences(hand, found)
    row["verified"] = not apart
    if not apart:
        return True, ""
    lost = sum(s for s in hand.starting if s is not None) - sum(hand.finishing)
    if lost:
        apart.append(f"the recorded stacks add up to {abs(lost) * hand.chip:f} {'less' if lost > 0 else 'more'}")
    _note(row, "stacks differ: " + ", ".join(apart))
    return False, f"{label}: {', '.join(apart)}"


def _add_luck(row: dict[str, Any], played: Replay) -> None:
    from potshare.simulate.scoring.luck import as_numbers, luck

    try:
        found = luck(played)
    except PotshareError as error:
        _note(row, one_line(error))
        return
    if found is not None:
        row |= {"expected": as_numbers(found.expected), "expected_method": found.method}


# -- inputs ---------------------------------------------------------------------------------------------------------


def _source(path: str, form: str | None, insist: str | None, stdin: IO[bytes] | None) -> Source:
    if path == "-":
        stream = stdin
        if stream is None:
            raise PotshareError("there is no standard input to read")
        kind = insist or form
        if kind is None:
            buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[type-var]
            kind = sniff(buffered.peek(4096)[:4096])
            stream = buffered
        if kind == "parquet":
            # Parquet is read from its end, so a stream of it is taken whole.
            return Source("standard input", kind, None, io.BytesIO(read(stream)))
        return Source("standard input", kind, None, stream)
    if not os.path.exists(path):
        raise PotshareError(f"there is no file {path}")
    if os.path.isdir(path):
        return Source(path, insist or "phh", path)
    kind = insist or format_of(path) or form
    if kind is None:
        raise PotshareError(f"the name {path} does not tell its format; name it: -f {', '.join(FORMATS)}")
    return Source(path, kind, path)


def _table_files(path: str) -> list[str]:
    # A folder of partitioned Parquet, CSV or NDJSON.
    found = []
    for folder, inside, names in os.walk(path):
        inside[:] = [name for name in inside if not _is_hidden(name)]
        tables = [name for name in names if format_of(name) not in (None, "phh") and not _is_hidden(name)]
        found += [os.path.join(folder, name) for name in tables]
    return sorted(found, key=natural)


def _is_hidden(name: str) -> bool:
    # Other programs leave such files beside those of a table.
    return name.startswith((".", "_"))


def _sources(
    paths: Sequence[str], form: str | None, insist: str | None, stdin: IO[bytes] | None
) -> tuple[list[Source], bool]:
    # The inputs one by one, and whether they are recorded hands.
    if not paths:
        raise PotshareError("name a file to score, or - for standard input")
    if paths.count("-") > 1:
        raise PotshareError("standard input can be read once")
    found: list[Source] = []
    for path in paths:
        inside = _table_files(path) if path != "-" and os.path.isdir(path) else []
        if inside and (insist or form) != "phh":
            if any(n.lower().endswith((".phh", ".phhs")) for _, _, names in os.walk(path) for n in names):
                raise PotshareError(f"the folder {path} holds tables and hands; name one kind of files")
            for file in inside:
                source = _source(file, form, insist, None)
                source.said = partition(os.path.dirname(os.path.relpath(file, path)))
                found.append(source)
        else:
            found.append(_source(path, form, insist, stdin))
    kinds = {source.kind == "phh" for source in found}
    if len(kinds) > 1:
        raise PotshareError("tables and recorded hands (PHH) are scored apart: their columns differ")
    return found, kinds == {True}


def _hand_pieces(sources: Sequence[Source]) -> Iterator[HandsPiece]:
    waiting: list[tuple[str, bytes | str]] = []
    files = place = 0
    for source in sources:
        for file in [source.name] if source.path is None else files_of(source.path):
            any_here = False
            for hand in hands_of(file, source.stream if source.path is None else None):
                any_here = True
                waiting.append(hand)
                if len(waiting) == PHH_HANDS:
                    yield HandsPiece(waiting, place, files)
                    place += len(waiting)
                    waiting, files = [], 0
            if not any_here:
                raise PotshareError(f"{file} is empty: it holds no hand")
            files += 1
    if waiting or files:
        yield HandsPiece(waiting, place, files)


def _row_pieces(sources: Sequence[Source], apart: bool, places: deque[int]) -> Iterator[Piece]:
    # The pieces of all tables in one row, so that small files keep all workers busy; `places` tells whose each is.
    for number, source in enumerate(sources):
        for piece in source.pieces(apart):
            places.append(number)
            yield piece


def _check_rows(sources: Sequence[Source], first: int) -> None:
    # All of the sources are done, and the first of them came to row number `first`.
    for source in sources:
        if first == 1:
            raise PotshareError(f"{source.name} is empty: it has no rows")
        first = 1


# -- running --------------------------------------------------------------------------------------------------------

Runner = Callable[[Iterable[Any], Options], Iterator[Done]]


def _local(pieces: Iterable[Any], options: Options, workers: int, processes: bool) -> Iterator[Done]:
    if not processes or workers == 1:
        return in_order(lambda piece: work(piece, options), pieces, 1 if processes else workers)
    # A few hands are done before other processes have started.
    pieces = iter(pieces)
    first: list[Any] = []
    for piece in pieces:
        first.append(piece)
        if sum(len(p.hands) for p in first) >= _FEW_HANDS:
            break
    else:
        return (work(piece, options) for piece in first)
    return over_processes(partial(work, options=options), chain(first, pieces), workers)


AnyPath = str | os.PathLike[str]


def score(
    paths: AnyPath | Sequence[AnyPath],
    output: AnyPath | None = None,
    *,
    game: str | Variant = "holdem",
    form: str | None = None,
    input_format: str | None = None,
    output_format: str | None = None,
    words: bool = False,
    halves: bool = False,
    pots: bool = False,
    verify: bool = False,
    ev: bool = False,
    chip: str | int | float | Decimal | None = None,
    strict: bool = False,
    workers: int | None = 1,
    cluster: Any = None,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """Scores showdowns in bulk and writes one row for each, in order.

    `paths` are CSV, NDJSON or Parquet tables, folders of them, PHH files or folders, or `-` for `stdin`. The answer
    goes to `output`, which appears whole or not at all, or to `stdout`. `form` is the format of whatever has no name
    that tells it; `input_format` and `output_format` overrule names. `game` is the game of rows that name none.
    `words`, `halves` and `pots` add columns; `verify` compares PHH hands with their recorded stacks and `ev` adds
    expected payouts of all-in hands. `chip` is the smallest chip, for amounts with decimals (text such as 0.01):
    amounts are read and written in the same unit, and never rounded. `strict` stops at the first row that cannot be
    scored, with nothing written to `output`. `workers` is a number or None for all cores; `cluster` an address of a
    dask scheduler, `local`, or a client of dask. `progress` is called with a `Progress` after each piece.

    Rows that cannot be scored have an `error`, and are counted in the `Summary`. Raises `PotshareError` for inputs
    that cannot be read or are empty, and outputs that cannot be written.

    >>> import io, potshare
    >>> table = io.BytesIO(b"board,hands,pot\\n2c7h9dJsKc,AhAd;Qs7d,12.50\\n2c7h9dJsKc,AhQd;AdQs,0.05\\n")
    >>> answer = io.BytesIO()
    >>> summary = potshare.score("-", form="csv", stdin=table, stdout=answer, chip="0.01")
    >>> summary.rows, summary.failed
    (2, 0)
    >>> print(answer.getvalue().decode(), end="")
    board,hands,pot,winners,shares,payouts,net,error
    2c7h9dJsKc,AhAd;Qs7d,12.50,1,1;0,12.50;0.00,,
    2c7h9dJsKc,AhQd;AdQs,0.05,1;2,1/2;1/2,0.03;0.02,,
    """
    started = time.monotonic()
    named = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    output = None if output is None else os.fspath(output)
    if output is None and stdout is None:
        raise PotshareError("name a file for the answer, or give stdout")
    variant = game if isinstance(game, Variant) else find_variant(game)
    if output == "":
        raise PotshareError("the answer needs a file name; leave out the output, or give stdout")
    sources, recorded = _sources(named, form, input_format, stdin)
    if output and os.path.exists(output):
        found = [source.path for source in sources if source.path and source.path not in named]
        if any(os.path.samefile(path, output) for path in found):
            raise PotshareError(f"the answer {output} lies in a folder that is scored; write it elsewhere")
    if (verify or ev) and not recorded:
        raise PotshareError("--verify and --ev are for recorded hands (PHH); tables have neither stacks nor bets")
    kind = output_format or (format_of(output) if output else None) or form
    if kind is None or kind == "phh":
        kind = sources[0].kind if not output and sources[0].kind in ("csv", "ndjson") else "csv"
        if output and format_of(output) == "phh":
            raise PotshareError(f"the answer {output} is a table, not a hand history: name it .csv, .ndjson, .parquet")
    if kind == "parquet" and not output:
        raise PotshareError("Parquet is written to a file: name it with -o")
    unit = None if chip is None else as_chip(chip)
    options = Options(variant, Wanted(words, halves, pots, as_chip(unit)), kind, verify, ev, unit)
    many = thread_count(workers)
    total = _total(sources, recorded)
    summary = Summary(output=output or "")

    with contextlib.ExitStack() as stack:
        run: Callable[[Iterable[Any]], Any] = partial(_local, options=options, workers=many, processes=recorded)
        if cluster is not None:
            from potshare.simulate.cluster import workers_of

            run = partial(stack.enter_context(workers_of(cluster, many)).in_order, work, common=options)
        if output:
            target = stack.enter_context(Target(output))
            sink = Sink(kind, target.file, target.beside, output)
        else:
            assert stdout is not None
            sink = Sink(kind, stdout, None, "standard output")
        stack.callback(sink.close)
        done_weight = 0
        first = line = 1
        here = 0
        places: deque[int] = deque()
        results = run(_hand_pieces(sources) if recorded else _row_pieces(sources, cluster is not None, places))
        with contextlib.closing(results):
            for done in results:
                if not recorded and (place := places.popleft()) != here:
                    _check_rows(sources[here:place], first)
                    here, first, line = place, 1, 1
                name = sources[here].name if len(sources) > 1 and not recorded else ""
                _take(done, (first, line), name, sink, options, summary, recorded, strict)
                first += done.size
                line += done.lines
                done_weight += done.weight
                if progress:
                    progress(Progress(summary.rows, min(1.0, done_weight / total) if total else None))
        if not recorded:
            _check_rows(sources[here:], first)
        sink.finish()
    summary.seconds = time.monotonic() - started
    return summary


class StrictError(PotshareError):
    """A row could not be scored, and the run was to stop at the first."""


def _take(
    done: Done, at: tuple[int, int], name: str, sink: Sink, options: Options, summary: Summary, recorded: bool,
    strict: bool,
) -> None:  # fmt: skip
    data = done.data
    if done.again is not None:
        block, results = done.again
        errors = results["error"].to_list()
        if not recorded:
            errors = [None if e is None else f"{_place(block, i, at, name)}: {e}" for i, e in enumerate(errors)]
            results = results.with_columns(pl.Series("error", errors, dtype=pl.String))
            data = encode(block, results, options.kind)
        if not summary.failed:
            worst = done.failed[0]
            named = f"{block.frame['id'][worst]}: " if recorded and block.frame is not None else ""
            summary.first_failure = named + errors[worst]
            if strict:
                raise StrictError(summary.first_failure)
        summary.failed += len(done.failed)
    if isinstance(data, pl.DataFrame) or sink.kind == "csv":
        sink.check_names(done.names)
    sink.put(data)
    summary.rows += done.size
    for _, verdict, text in done.verdicts:
        summary.verified += verdict is True
        summary.unrecorded += verdict is None
        if verdict is False:
            summary.differ += 1
            summary.first_difference = summary.first_difference or text


def _place(block: Block, i: int, at: tuple[int, int], name: str) -> str:
    # Where a row is, as a person finds it: by its line in a text file, by its number in a table.
    row, line = at
    where = f" of {name}" if name else ""
    if not block.span:
        return f"row {row + i}{where}"
    number = line + block.lead + (i if block.lines is None else block.lines[i])
    return f"line {number}{where}" if block.records is not None else f"row {row + i} (line {number}){where}"


def _total(sources: Sequence[Source], recorded: bool) -> int | None:
    if recorded:
        return sum(len(files_of(s.path)) for s in sources if s.path is not None) or None
    totals = []
    for source in sources:
        try:
            total = source.total()
        except OSError as error:
            raise cannot("read", source.name, error) from None
        except pl.exceptions.PolarsError as error:
            reason = str(error).splitlines()[0][:200]
            raise PotshareError(f"{source.name} cannot be read as Parquet: {reason}") from None
        if total is None:
            return None
        totals.append(total)
    return sum(totals)


__all__ = ["FORMATS", "RESULTS", "Options", "Progress", "StrictError", "Summary", "result_columns", "score", "work"]

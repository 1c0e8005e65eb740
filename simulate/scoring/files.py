"""Tables in and out: CSV, NDJSON and Parquet, in pieces of bounded size.

A source gives pieces in order. A piece knows how to load itself, so that threads and other machines can do it; it
becomes a `Block`: the columns as they came, and the fields among them as text for the kernels.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import unquote

import polars as pl

from potshare.errors import PotshareError
from potshare.simulate.output import cannot, nameless, path_of
from potshare.simulate.scoring.batch import RESULTS, Columns, joined
from potshare.simulate.scoring.cells import SEAT_MARK
from potshare.simulate.scoring.reading import FIELDS
from potshare.simulate.streams import read

FORMATS = ("csv", "ndjson", "parquet", "phh")
SUFFIXES = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "ndjson",
    ".parquet": "parquet", ".pq": "parquet", ".phh": "phh", ".phhs": "phh",
}  # fmt: skip

CSV_BYTES = 4 << 20
"""Bytes of a piece of CSV."""
NDJSON_BYTES = 1 << 20
PARQUET_ROWS = 1 << 17

LONGEST_LINE = 1 << 24
"""Bytes that a line, or a cell with line breaks, may have."""

_OPEN_PARTS = 100
"""Parts of a Parquet file that are kept open."""

_HAND = re.compile(r"hand[ _]?(\d+)")
_REPLACED = "\ufffd"


def format_of(name: str) -> str | None:
    """The format that a file name tells, or None."""
    return SUFFIXES.get(Path(name).suffix.lower())


# -- blocks ---------------------------------------------------------------------------------------------------------


@dataclass
class Block:
    """Rows as they came in. `records` are the rows of NDJSON, whose columns differ; `frame` those of anything else.

    `raw` are the lines of the records. `broken` says of rows that could not even be parted into cells why not. `lines`
    are the places of the rows among the `span` lines of a text file, None where every line is a row; `lead` lines
    stand before the piece (a header).
    """

    size: int
    frame: pl.DataFrame | None = None
    records: list[dict[str, Any]] | None = None
    raw: list[bytes] = field(default_factory=list)
    broken: dict[int, str] = field(default_factory=dict)
    lines: list[int] | None = None
    span: int = 0
    lead: int = 0

    def names(self) -> list[str]:
        """The columns, in order."""
        if self.frame is not None:
            return self.frame.columns
        return list(dict.fromkeys(name for record in self.records or () for name in record))

    def columns(self) -> Columns:
        """The fields among the columns."""
        places = field_columns(self.names())
        text: dict[str, pl.Series | None] = {}
        if self.frame is not None:
            columns = {f: _decimals_as_text(self.frame[name]) for f, name in places.items()}
            found = {f: as_text(column) for f, column in columns.items()}

            def cells(i: int) -> Mapping[str, Any]:
                return {f: _python(column[i]) for f, column in columns.items()}

        else:
            records = self.records or []
            found = {f: pl.Series([_text(r.get(n)) for r in records], dtype=pl.String) for f, n in places.items()}

            def cells(i: int) -> Mapping[str, Any]:
                return {f: records[i].get(name) for f, name in places.items()}

        numbered = sorted((f for f in found if f.startswith("hand") and f != "hands"), key=lambda f: int(f[4:]))
        text.update({f: c for f, c in found.items() if f not in numbered})
        if numbered:
            _put_hands(text, found, numbered)
        return Columns(self.size, text, cells, self.broken)


def _put_hands(text: dict[str, pl.Series | None], found: Mapping[str, pl.Series], numbered: Sequence[str]) -> None:
    together = joined([found[f] for f in numbered])
    # A missing number in the middle, or both ways of writing hands, is left to Python: it is spoiled here.
    if [int(f[4:]) for f in numbered] != list(range(1, len(numbered) + 1)):
        together = together + "\x01"
    if "hands" in found:
        one = found["hands"].fill_null("")
        bare = together.str.strip_chars(chr(SEAT_MARK))
        together = (
            pl.DataFrame({"one": one, "several": together, "bare": bare})
            .select(
                pl.when(pl.col("bare") == "").then(pl.col("one"))
                .when(pl.col("one") == "").then(pl.col("several"))
                .otherwise(pl.lit("\x01"))
            )
            .to_series()
        )  # fmt: skip
    text["hands"] = together


def _python(value: Any) -> Any:
    return value.to_list() if isinstance(value, pl.Series) else value


def _text(value: Any) -> str:
    # A cell of NDJSON for the kernels; what they do not read becomes something that they refuse.
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "\x01"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        parts = [_text(" ".join(v) if isinstance(v, list) and all(isinstance(c, str) for c in v) else v) for v in value]
        return chr(SEAT_MARK).join(parts)
    return "\x01"


def _decimals_as_text(column: pl.Series) -> pl.Series:
    # A number with decimals is what it is written as: the shortest decimal that a floating-point number stands for.
    kind = column.dtype
    if isinstance(kind, pl.Array):
        column = column.arr.to_list()
        kind = column.dtype
    single = kind.inner if isinstance(kind, pl.List) else kind
    if not (single.is_float() or single.is_decimal()):
        return column
    number = pl.element() if isinstance(kind, pl.List) else pl.col(column.name)
    text = number.cast(pl.String)
    if single == pl.Float32:
        # From here on they are whole, and the shortest decimal may be another whole number.
        text = pl.when(number.abs() < 2.0**24).then(text).otherwise(number.cast(pl.Float64).cast(pl.String))
    return column.list.eval(text) if isinstance(kind, pl.List) else column.to_frame().select(text).to_series()


def as_text(column: pl.Series) -> pl.Series:
    """A column as text for the kernels: numbers as digits, lists joined by the seat mark."""
    kind = column.dtype
    if kind == pl.String:
        return column
    if isinstance(kind, (pl.List, pl.Array)):
        if isinstance(kind, pl.Array):
            column = column.arr.to_list()
        inner = kind.inner
        if isinstance(inner, (pl.List, pl.Array)):
            column = column.cast(pl.List(pl.List(pl.String)))
            column = column.list.eval(pl.element().list.join(" ").fill_null(""))
        else:
            column = column.cast(pl.List(pl.String)).list.eval(pl.element().fill_null(""))
        return column.list.join(chr(SEAT_MARK))
    if kind == pl.Boolean or kind.is_nested() or kind == pl.Binary:
        return pl.Series([None if v is None else "\x01" for v in column], dtype=pl.String)
    return column.cast(pl.String)


def field_columns(names: Sequence[str]) -> dict[str, str]:
    """Which column holds each field: by name, whatever its case. Raises `PotshareError` where two would."""
    found: dict[str, str] = {}
    for name in names:
        plain = name.strip().lower()
        match = _HAND.fullmatch(plain)
        known = f"hand{int(match[1])}" if match else plain if plain in FIELDS else ""
        if not known:
            continue
        if known in found:
            raise PotshareError(f"two columns are '{known}': '{found[known]}' and '{name}'")
        found[known] = name
    return found


def check_names(names: Sequence[str], what: str) -> None:
    """Raises `PotshareError` where no column can hold hands."""
    found = field_columns(names)
    if not any(f.startswith("hand") or f == "contributions" for f in found):
        shown = ", ".join(n if n.isprintable() else repr(n) for n in names[:8])[:200]
        raise PotshareError(
            f"{what} has no column 'hands' (nor hand1, hand2 ...); its columns are: {shown}. The first line names the "
            "columns: board,hands,pot for instance"
        )


# -- pieces ---------------------------------------------------------------------------------------------------------


class Piece(Protocol):
    """A part of an input that can load itself."""

    def load(self) -> Block:
        """Reads the rows."""
        ...

    @property
    def weight(self) -> int:
        """How much of the input it is, in the units of its source's `total`."""
        ...


@dataclass
class CsvPiece:
    """Lines of a CSV file: their bytes, or where in a file they are."""

    names: list[str]
    delimiter: str
    data: bytes | None
    path: str = ""
    start: int = 0
    stop: int = 0
    lead: int = 0

    @property
    def weight(self) -> int:
        """Bytes."""
        return self.stop - self.start

    def load(self) -> Block:
        """The rows; all cells are text."""
        data = self.data
        if data is None:
            data = _read_part(self.path, self.start, self.stop)
        data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
        try:
            frame = pl.read_csv(
                data, has_header=False, separator=self.delimiter, schema=dict.fromkeys(self.names, pl.String),
                quote_char='"', n_rows=None, truncate_ragged_lines=False,
            )  # fmt: skip
        except pl.exceptions.PolarsError:
            return self._slowly(data)
        if frame.height != data.count(b"\n") + (not data.endswith(b"\n")):
            # Blank lines, quoted line breaks, or a surplus that was passed over: the slow way is sure.
            return self._slowly(data)
        if b"\x00" in data or b"\n\n" in data or data.startswith(b"\n"):
            return self._slowly(data)
        return Block(frame.height, frame, span=frame.height, lead=self.lead)

    def _slowly(self, data: bytes) -> Block:
        rows: list[list[str | None]] = []
        lines: list[int] = []
        broken: dict[int, str] = {}
        width = len(self.names)
        csv.field_size_limit(LONGEST_LINE)
        text = data.decode("utf-8", "replace")
        try:
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter)
            before = 0
            for cells in reader:
                line, before = before, reader.line_num
                if not cells:
                    continue
                lines.append(line)
                if len(cells) > width:
                    broken[len(rows)] = (
                        f"the row has {len(cells)} cells for {width} columns; put cells that hold '{self.delimiter}' "
                        "in quotes"
                    )
                elif len(cells) < width:
                    broken[len(rows)] = f"the row has {len(cells)} cells for {width} columns"
                elif any(_REPLACED in cell for cell in cells) and _REPLACED.encode() not in data:
                    broken[len(rows)] = "the row is not UTF-8 text"
                rows.append([cell or None for cell in cells[:width]] + [None] * (width - len(cells)))
        except csv.Error as error:
            raise PotshareError(f"the file cannot be read as CSV after {len(rows)} rows of a piece: {error}") from None
        columns = {n: pl.Series([row[k] for row in rows], dtype=pl.String) for k, n in enumerate(self.names)}
        span = text.count("\n") + (not text.endswith("\n"))
        return Block(len(rows), pl.DataFrame(columns), broken=broken, lines=lines, span=span, lead=self.lead)


@dataclass
class JsonPiece:
    """Lines of an NDJSON file."""

    data: bytes | None
    path: str = ""
    start: int = 0
    stop: int = 0

    @property
    def weight(self) -> int:
        """Bytes."""
        return self.stop - self.start

    def load(self) -> Block:
        """The rows, an object a line; a line that is none is a broken row."""
        data = _read_part(self.path, self.start, self.stop) if self.data is None else self.data
        records: list[dict[str, Any]] = []
        raw: list[bytes] = []
        broken: dict[int, str] = {}
        lines: list[int] = []
        for number, line in enumerate(data.split(b"\n")):
            if not line.strip():
                continue
            lines.append(number)
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError("it is not an object")
            except (ValueError, RecursionError) as error:
                broken[len(records)] = f"the line is not JSON: {error}"
                record = {"line": line.decode("utf-8", "replace").strip()[:200]}
                line = json.dumps(record).encode()
            records.append(record)
            raw.append(line.strip())
        span = data.count(b"\n") + (not data.endswith(b"\n"))
        return Block(len(records), records=records, raw=raw, broken=broken, lines=lines, span=span)


@dataclass
class ParquetPiece:
    """Rows of a Parquet file: as a frame, or where in a file they are."""

    frame: pl.DataFrame | None
    path: str = ""
    start: int = 0
    stop: int = 0

    @property
    def weight(self) -> int:
        """Rows."""
        return self.stop - self.start

    def load(self) -> Block:
        """The rows."""
        frame = self.frame
        if frame is None:
            frame = pl.scan_parquet(self.path, glob=False).slice(self.start, self.stop - self.start).collect()
        return Block(frame.height, frame)


@dataclass
class PartitionPiece:
    """Rows of a file whose folders say more about it, as `game=omaha8/part.0.parquet` does."""

    piece: Piece
    said: dict[str, str | None]

    @property
    def weight(self) -> int:
        """That of the piece."""
        return self.piece.weight

    def load(self) -> Block:
        """The rows, with a column for each thing said that the file has no column for."""
        block = self.piece.load()
        if block.frame is not None:
            new = [pl.lit(v, pl.String).alias(n) for n, v in self.said.items() if n not in block.frame.columns]
            block.frame = block.frame.with_columns(new)
        for i, record in enumerate(block.records or ()):
            if not self.said.keys() <= record.keys():
                record |= {n: v for n, v in self.said.items() if n not in record}
                block.raw[i] = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return block


def partition(folders: str) -> dict[str, str | None]:
    """What the folders of a partitioned table say: `year=2024/game=razz` is the year and the game."""
    pairs = (part.partition("=") for part in folders.split(os.sep) if "=" in part)
    return {unquote(n): None if v == "__HIVE_DEFAULT_PARTITION__" else unquote(v) for n, _, v in pairs if n}


def _read_part(path: str, start: int, stop: int) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(start)
            return file.read(stop - start)
    except OSError as error:
        raise cannot("read", path, error) from None


# -- sources --------------------------------------------------------------------------------------------------------


@dataclass
class Source:
    """One input: its pieces in order. `total` is in bytes or rows, None where it cannot be known.

    With `apart` the pieces carry places in the file instead of their content, for other processes to read. `said` is
    what the folders of a partitioned table say.
    """

    name: str
    kind: str
    path: str | None
    stream: IO[bytes] | None = None
    said: dict[str, str | None] = field(default_factory=dict)

    def total(self) -> int | None:
        """The weight of all pieces."""
        if self.path is None:
            return None
        if self.kind == "parquet":
            return int(self._parquet().select(pl.len()).collect().item())
        return os.stat(self.path).st_size

    def _parquet(self) -> pl.LazyFrame:
        assert self.path is not None
        return pl.scan_parquet(self.path, glob=False)

    def pieces(self, apart: bool = False) -> Iterator[Piece]:
        """The pieces. Raises `PotshareError` for what cannot be read."""
        for piece in self._pieces(apart):
            yield PartitionPiece(piece, self.said) if self.said else piece

    def _pieces(self, apart: bool) -> Iterator[Piece]:
        apart = apart and self.path is not None
        if self.kind == "parquet":
            yield from self._parquet_pieces(apart)
            return
        try:
            with contextlib.ExitStack() as stack:
                file = self.stream
                if file is None:
                    assert self.path is not None
                    file = stack.enter_context(open(self.path, "rb"))
                yield from (self._csv(file, apart) if self.kind == "csv" else self._json(file, apart))
        except OSError as error:
            raise cannot("read", self.name, error) from None

    def _parquet_pieces(self, apart: bool) -> Iterator[Piece]:
        try:
            check_names(self._parquet().collect_schema().names(), self.name)
            if apart:
                rows = self.total() or 0
                for at in range(0, rows, PARQUET_ROWS):
                    yield ParquetPiece(None, self.path or "", at, min(rows, at + PARQUET_ROWS))
                return
            at = 0
            for frame in self._parquet().collect_batches(chunk_size=PARQUET_ROWS, maintain_order=True):
                if frame.height:
                    yield ParquetPiece(frame, start=at, stop=at + frame.height)
                    at += frame.height
        except OSError as error:
            raise cannot("read", self.name, error) from None
        except pl.exceptions.PolarsError as error:
            raise PotshareError(f"{self.name} cannot be read as Parquet: {_first_line(error)}") from None

    def _csv(self, file: IO[bytes], apart: bool) -> Iterator[Piece]:
        lines = _blocks(file, CSV_BYTES, self.name, quotes=True)
        head = next(lines, None)
        if head is None:
            raise PotshareError(f"{self.name} is empty")
        start = 3 if head.startswith(b"\xef\xbb\xbf") else 0
        while head[start : start + 1] in (b"\r", b"\n"):
            start += 1
        end = start
        while True:
            end = head.find(b"\n", end)
            end = len(head) if end < 0 else end + 1
            if end == len(head) or head.count(b'"', start, end) % 2 == 0:
                break
        names, delimiter = _header(head[start:end], self.name)
        at = end
        rest = head[end:]
        place = 0
        lead = head.count(b"\n", 0, end)
        while True:
            stop = place + at + len(rest) if place == 0 else place + len(rest)
            begin = at if place == 0 else place
            if rest.strip():
                data = None if apart else rest
                yield CsvPiece(names, delimiter, data, self.path or "", begin, stop, lead)
                lead = 0
            else:
                lead += rest.count(b"\n")
            place = stop
            block = next(lines, None)
            if block is None:
                return
            rest = block

    def _json(self, file: IO[bytes], apart: bool) -> Iterator[Piece]:
        at = 0
        for block in _blocks(file, NDJSON_BYTES, self.name, quotes=False):
            data = block[3:] if at == 0 and block.startswith(b"\xef\xbb\xbf") else block
            if block:
                stop = at + len(block)
                yield JsonPiece(None if apart and data is block else data, self.path or "", at, stop)
            at += len(block)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:200]


def _header(line: bytes, name: str) -> tuple[list[str], str]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise PotshareError(f"{name} is not UTF-8 text") from None
    if "\x00" in text or not text.strip():
        raise PotshareError(f"{name} is not a table of text" if text.strip() else f"{name} is empty")
    delimiter = next((mark for mark in ",\t;" if mark in text), ",")
    try:
        names = [cell.strip() for cell in next(csv.reader([text.strip("\r\n")], delimiter=delimiter))]
    except csv.Error as error:
        raise PotshareError(f"the header of {name} cannot be read: {error}") from None
    for k, column in enumerate(names):
        if not column:
            names[k] = f"column_{k + 1}"
    twice = next((n for k, n in enumerate(names) if n in names[:k]), None)
    if twice is not None:
        raise PotshareError(f"{name} names the column '{twice}' twice")
    check_names(names, name)
    return names, delimiter


def _blocks(file: IO[bytes], size: int, name: str, quotes: bool) -> Iterator[bytes]:
    # Whole lines, about `size` bytes at a time; with `quotes` no line break within quotes ends a block.
    rest = b""
    lines = 1
    while True:
        more = read(file, size)
        if not more:
            break
        data = rest + more
        end = data.rfind(b"\n") + 1
        while quotes and end and data.count(b'"', 0, end) % 2:
            end = data.rfind(b"\n", 0, end - 1) + 1
        if end:
            lines += data.count(b"\n", 0, end)
            yield data[:end]
        rest = data[end:]
        if len(rest) > LONGEST_LINE:
            hint = "; is a quotation mark left open?" if quotes and b'"' in rest else ""
            raise PotshareError(f"{name} has a line of more than {LONGEST_LINE >> 20} MB{hint}")
    if quotes and rest.count(b'"') % 2 and (open_at := _left_open(rest)) >= 0:
        line = lines + rest.count(b"\n", 0, open_at)
        raise PotshareError(
            f"{name} ends within a quotation that begins in line {line}; close it, or write '\"\"' for one"
        )
    if rest:
        yield rest


def _left_open(data: bytes) -> int:
    # Where a quoted cell begins that never ends, or whose quotation ends within the cell; -1 where none does. A mark
    # within a cell that is not quoted is text.
    edges = (b"", b",", b";", b"\t", b"|", b"\n", b"\r")
    at = 0
    while (begin := data.find(b'"', at)) >= 0:
        at = begin + 1
        if begin and data[begin - 1 : begin] not in edges:
            continue
        while True:
            end = data.find(b'"', at)
            if end < 0:
                return begin
            at = end + 1
            if data[at : at + 1] in edges:
                break
            if data[at : at + 1] != b'"':
                return begin
            at += 1
    return -1


def sniff(head: bytes) -> str:
    """The format of a stream that has no name, by its first bytes."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"PAR1"):
        return "parquet"
    if text.startswith(b"{"):
        return "ndjson"
    if re.match(rb"(\[\d+\]|[A-Za-z_]+\s*=|#)", text):
        return "phh"
    return "csv"


# -- outputs --------------------------------------------------------------------------------------------------------


def csv_cell(value: Any) -> Any:
    """A nested value as text of a CSV cell: plain lists joined by `;`, others as JSON."""
    if isinstance(value, list):
        if all(v is None or isinstance(v, (int, str)) for v in value):
            return ";".join("" if v is None else str(v) for v in value)
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    return value


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame without nested columns, for CSV."""
    columns = []
    for column in frame:
        kind = column.dtype
        if isinstance(kind, pl.List) and not kind.inner.is_nested():
            column = column.cast(pl.List(pl.String)).list.eval(pl.element().fill_null("")).list.join(";")
        elif kind.is_nested():
            column = pl.Series(column.name, [csv_cell(_python(v)) for v in column], dtype=pl.String)
        columns.append(column)
    return pl.DataFrame(columns)


def encode(block: Block, results: pl.DataFrame, kind: str) -> bytes | pl.DataFrame:
    """A scored block as bytes of CSV (without a header) or NDJSON, or as a frame for Parquet."""
    if kind == "ndjson" and block.records is not None:
        return b"".join(_spliced(block.records, block.raw, results))
    frame = whole_frame(block, results)
    if kind == "parquet":
        return frame
    sink = io.BytesIO()
    if kind == "csv":
        flat(frame).write_csv(sink, include_header=False)
    else:
        frame.write_ndjson(sink)
    return sink.getvalue()


def _spliced(records: list[dict[str, Any]], raw: list[bytes], results: pl.DataFrame) -> Iterator[bytes]:
    # Lines of NDJSON as they came, with the answers added at their end; older answers are taken out first.
    sink = io.BytesIO()
    results.write_ndjson(sink)
    names = set(results.columns)
    for record, line, answer in zip(records, raw, sink.getvalue().split(b"\n"), strict=False):
        if not names.isdisjoint(record):
            kept = {name: value for name, value in record.items() if name not in names}
            line = json.dumps(kept, ensure_ascii=False).encode("utf-8", "surrogatepass")
            record = kept
        yield line[:-1] + (b"," if record else b"") + answer[1:] + b"\n"


def whole_frame(block: Block, results: pl.DataFrame) -> pl.DataFrame:
    """The columns that came in, and the answers beside them; older answers of the same name are replaced."""
    if block.frame is not None:
        frame = block.frame
    else:
        names = [n for n in block.names() if n not in RESULTS]
        frame = pl.DataFrame([_loose(n, [r.get(n) for r in block.records or ()]) for n in names])
    kept = [c for c in frame if c.name not in results.columns]
    return pl.DataFrame([*kept, *results])


def _loose(name: str, values: list[Any]) -> pl.Series:
    # A column of JSON values by one type, or as text.
    kinds = {type(v) for v in values if v is not None}
    if kinds <= {bool}:
        return pl.Series(name, values, dtype=pl.Boolean if kinds else pl.String)
    if kinds == {int} and all(v is None or -(2**63) <= v < 2**63 for v in values):
        return pl.Series(name, values, dtype=pl.Int64)
    if kinds <= {int, float}:
        return pl.Series(name, [None if v is None else float(v) for v in values], dtype=pl.Float64)
    return pl.Series(name, [None if v is None else str(csv_cell(v)) for v in values], dtype=pl.String)


class Sink:
    """Takes encoded blocks in order. Columns must stay the same in CSV and Parquet."""

    def __init__(self, kind: str, file: IO[bytes], beside: str | None, name: str) -> None:
        self.kind = kind
        self.file = file
        self.name = name
        self._beside = beside
        self._names: list[str] | None = None
        self._schema: dict[str, Any] = {}
        self._parts: _Parts | None = None

    def check_names(self, names: Sequence[str]) -> None:
        """Fixes the columns by the first block. Raises `PotshareError` where a later one has others."""
        if self.kind == "ndjson":
            return
        if self._names is None:
            self._names = list(names)
            if self.kind == "csv":
                buffer = io.StringIO()
                csv.writer(buffer, lineterminator="\n").writerow(self._names)
                self.put(buffer.getvalue().encode())
        elif list(names) != self._names:
            new = [n for n in names if n not in self._names] or [n for n in self._names if n not in names]
            raise PotshareError(
                f"the columns change on the way ({', '.join(new[:5]) or 'their order'}), and {self.kind} has one set "
                "of columns; write NDJSON (-o name.ndjson)"
            )

    def put(self, data: bytes | pl.DataFrame) -> None:
        """Writes a block. Raises `PotshareError` when the system refuses."""
        try:
            if isinstance(data, pl.DataFrame):
                self._put_frame(data)
            else:
                self.file.write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot("written", self.name, error) from None
        except pl.exceptions.PolarsError as error:
            raise PotshareError(f"{self.name} cannot be written: {_first_line(error)}") from None

    def _put_frame(self, frame: pl.DataFrame) -> None:
        # Parquet is written at the end from parts, since a frame at a time cannot be added to a file.
        if not self._schema:
            self._schema = dict(frame.schema)
        elif dict(frame.schema) != self._schema:
            changed = [n for n, kind in frame.schema.items() if kind != self._schema[n]]
            try:
                frame = frame.cast(pl.Schema(self._schema))
            except pl.exceptions.PolarsError:
                raise PotshareError(
                    f"the values of column '{changed[0]}' change their type on the way; write NDJSON or CSV"
                ) from None
        if self._parts is None:
            self._parts = _Parts(os.path.dirname(os.path.realpath(self.name)))
        self._parts.add(frame)

    def finish(self) -> None:
        """Completes the output."""
        try:
            if self._parts is not None:
                assert self._beside is not None
                self._parts.scan().sink_parquet(
                    self._beside, maintain_order=True, statistics=False, compression_level=1
                )
            self.file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot("written", self.name, error) from None
        except pl.exceptions.PolarsError as error:
            raise PotshareError(f"{self.name} cannot be written: {_first_line(error)}") from None

    def close(self) -> None:
        """Removes what was written on the way."""
        if self._parts is not None:
            self._parts.close()


class _Parts:
    """Frames kept in a folder until they are made one Parquet file, without names where the system allows it."""

    def __init__(self, folder: str) -> None:
        self._old: list[IO[bytes]] = []
        self._new: list[IO[bytes]] = []
        self._place = folder
        self._folder = "" if nameless() else tempfile.mkdtemp(prefix=".", suffix=".parts", dir=folder)
        self._count = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Keeps the next frame."""
        if self._folder:
            path = os.path.join(self._folder, f"{self._count:08}.parquet")
            frame.write_parquet(path, compression="uncompressed", statistics=False)
            self._count += 1
            return
        if len(self._new) == _OPEN_PARTS:
            # A process may not have many files open.
            together = tempfile.TemporaryFile(dir=self._place)  # noqa: SIM115
            self._old.append(together)
            _scan(self._new).sink_parquet(path_of(together), maintain_order=True, statistics=False, compression_level=1)
            _close(self._new)
        file = tempfile.TemporaryFile(dir=self._place)  # noqa: SIM115
        self._new.append(file)
        frame.write_parquet(path_of(file), compression="uncompressed", statistics=False)

    def scan(self) -> pl.LazyFrame:
        """All frames."""
        if self._folder:
            return pl.scan_parquet(os.path.join(self._folder, "*.parquet"))
        return _scan(self._old + self._new)

    def close(self) -> None:
        """Removes them."""
        _close(self._old)
        _close(self._new)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _scan(files: Sequence[IO[bytes]]) -> pl.LazyFrame:
    return pl.scan_parquet([path_of(file) for file in files], glob=False)


def _close(files: list[IO[bytes]]) -> None:
    while files:
        files.pop().close()

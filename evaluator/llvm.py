"""Lanes: branch-free integer code written once, compiled for one 16-bit number or for 32 of them at a time.

Numba has no vector types, and whether LLVM's loop vectoriser accepts a loop of scalar code hangs on details (a
call that is inlined late, one shift in 64 bits, one branch). So code for vector registers is emitted directly:
a `Lane` is a value under construction, its operators emit LLVM instructions on `i16` or on `<32 x i16>`, and a
function over lanes becomes something that kernels call in one of these ways:

* `scalar(f)`: numbers in, numbers out. The instructions land in the calling loop itself, where LLVM vectorises
  them together with what stands around them.
* `rows(forms)`: from 64 rows of cards to 64 results, transposed and computed in vector registers.
* `merged(f)`: from 32 sets of suit masks, each merged with the same given masks, to 32 results.
* `built(f)`: whatever `f` builds from arrays and numbers, with loops over vectors in registers.

Only plain LLVM instructions and portable intrinsics are emitted, so the code is correct on every processor. It is
fast where 16-bit lanes have a population count, a variable shift and a permutation (AVX-512 with BW, BITALG and
VBMI); `FAST` says whether this is such a processor.

Besides `kernel` this is the only module that imports numba: intrinsics are part of the compiler, not code that
it compiles.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

WIDTH = 32
"""Lanes in a vector."""

ROWS = 2 * WIDTH
"""Rows that `rows` takes at a time: 64 bytes of every column."""

BEYOND = 64
"""Bytes after its rows that `rows` may read: eight rows are loaded as 64 bytes."""

_I8 = ir.IntType(8)
_I16 = ir.IntType(16)
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_BYTES = ir.VectorType(_I8, ROWS)
_WORDS = ir.VectorType(_I16, WIDTH)
_QUADS = ir.VectorType(_I64, 8)
KINDS = {"bytes": _BYTES, "words": _WORDS, "quads": _QUADS, "number": _I64}
"""Kinds of lanes: 64 of 8 bits, 32 of 16 bits, 8 of 64 bits, and one number of 64 bits."""


def _has(feature: str) -> bool:
    # Whether code is compiled for a processor with a feature.
    if config.CPU_FEATURES is not None:
        return f"+{feature}" in config.CPU_FEATURES.split(",")
    return bool(binding.get_host_cpu_features().get(feature, False))


FAST = _has("avx2") and not config.DISABLE_JIT
"""Whether lanes pay on this processor."""

WORKS = not config.DISABLE_JIT
"""Whether there are lanes at all: the functions of this module exist in compiled code only."""

_PERMUTES_WORDS = _has("avx512bw")
_PERMUTES_BYTES = _has("avx512vbmi")


class Flag:
    """A condition, or 32 of them, in code under construction."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def __and__(self, other: Flag) -> Flag:
        return Flag(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Flag) -> Flag:
        return Flag(self.builder, self.builder.or_(self.value, other.value))

    def __invert__(self) -> Flag:
        return Flag(self.builder, self.builder.not_(self.value))

    def number(self, like: Lane) -> Lane:
        """1 where the condition holds, elsewhere 0, as a lane of the kind of `like`."""
        return Lane(self.builder, self.builder.zext(self.value, like.value.type))

    def pick(self, yes: Lane | int, no: Lane | int) -> Lane:
        """`yes` where the condition holds, elsewhere `no`; one of them is a lane."""
        like = yes if isinstance(yes, Lane) else no
        assert isinstance(like, Lane)
        return Lane(self.builder, self.builder.select(self.value, like.lift(yes), like.lift(no)))

    def any(self) -> Lane:
        """1 if the condition holds in some lane, else 0, as a number."""
        together = self.builder.bitcast(self.value, ir.IntType(self.value.type.count))
        some = self.builder.icmp_unsigned("!=", together, ir.Constant(together.type, 0))
        return Lane(self.builder, self.builder.zext(some, _I64))


class Lane:
    """An unsigned 16-bit number, or 32 of them, in code under construction. Plain integers mix in.

    In functions for `built` also one of the other `KINDS`.
    """

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def lift(self, other: Lane | int) -> Any:
        """The LLVM value of a lane, or of a number in every lane."""
        if isinstance(other, Lane):
            return other.value
        kind = self.value.type
        if isinstance(kind, ir.VectorType):
            return ir.Constant(kind, [other & ((1 << kind.element.width) - 1)] * kind.count)
        return ir.Constant(kind, other & ((1 << kind.width) - 1))

    def constant(self, number: int) -> Lane:
        """A number in every lane."""
        return Lane(self.builder, self.lift(number))

    def _make(self, value: Any) -> Lane:
        return Lane(self.builder, value)

    def _call(self, name: str, *others: Lane | int) -> Lane:
        kind = self.value.type
        signature = ir.FunctionType(kind, [kind] * (1 + len(others)))
        suffix = f"v{kind.count}i{kind.element.width}" if isinstance(kind, ir.VectorType) else f"i{kind.width}"
        module = self.builder.module
        full = f"llvm.{name}.{suffix}"
        function = module.globals.get(full) or ir.Function(module, signature, full)
        return self._make(self.builder.call(function, [self.value, *map(self.lift, others)]))

    def __and__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.and_(self.value, self.lift(other)))

    def __or__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.or_(self.value, self.lift(other)))

    def __xor__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.xor(self.value, self.lift(other)))

    def __add__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.add(self.value, self.lift(other)))

    def __sub__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.sub(self.value, self.lift(other)))

    def __mul__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.mul(self.value, self.lift(other)))

    def __lshift__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.shl(self.value, self.lift(other)))

    def __rshift__(self, other: Lane | int) -> Lane:
        return self._make(self.builder.lshr(self.value, self.lift(other)))

    def __invert__(self) -> Lane:
        return self._make(self.builder.not_(self.value))

    def __neg__(self) -> Lane:
        return self._make(self.builder.neg(self.value))

    def __gt__(self, other: Lane | int) -> Flag:
        return Flag(self.builder, self.builder.icmp_unsigned(">", self.value, self.lift(other)))

    def equals(self, other: Lane | int) -> Flag:
        """Where both are equal."""
        return Flag(self.builder, self.builder.icmp_unsigned("==", self.value, self.lift(other)))

    def some(self) -> Flag:
        """Where the number is not zero."""
        return Flag(self.builder, self.builder.icmp_unsigned("!=", self.value, self.lift(0)))

    def popcount(self) -> Lane:
        """The number of bits set."""
        return self._call("ctpop")

    def reversed(self) -> Lane:
        """The bits in the opposite order."""
        return self._call("bitreverse")

    def less(self, other: Lane | int) -> Lane:
        """The difference, at least 0."""
        return self._call("usub.sat", other)

    def most(self, other: Lane | int) -> Lane:
        """The greater of both."""
        return self._call("umax", other)

    def least(self, other: Lane | int) -> Lane:
        """The smaller of both."""
        return self._call("umin", other)

    def rotated(self, bits: int) -> Lane:
        """The bits moved up in a circle."""
        return self._call("fshl", self, bits)

    def times(self, other: Lane) -> tuple[Lane, Lane]:
        """The upper and the lower half of the product with a lane of the same kind, 16 bits wide."""
        builder = self.builder
        wide = ir.VectorType(_I32, WIDTH)
        product = builder.mul(builder.zext(self.value, wide), builder.zext(other.value, wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, [16] * WIDTH)), _WORDS)
        return self._make(upper), self * other

    def spread(self, kind: str) -> Lane:
        """A number in every lane of a kind, its upper bits left off."""
        vector = KINDS[kind]
        number = self.value
        if number.type != vector.element:
            number = self.builder.trunc(number, vector.element)
        one = self.builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(_I32, 0))
        return self._make(_shuffle(self.builder, one, one, [0] * vector.count))

    def like(self, kind: str) -> Lane:
        """The same bits as lanes of another kind."""
        return self._make(self.builder.bitcast(self.value, KINDS[kind]))

    def look_up(self, table: Sequence[int]) -> Lane:
        """`table[x & 15]` of a table of 16 numbers, for x below 32."""
        builder = self.builder
        if isinstance(self.value.type, ir.VectorType) and _PERMUTES_WORDS:
            # Such a permutation takes an index modulo 32 as it is.
            return self._make(_permuted(builder, [*table, *table], (self & 31).value))
        index = self & 15
        if not isinstance(self.value.type, ir.VectorType):
            entries = ir.Constant(ir.VectorType(_I16, 16), table)
            return self._make(builder.extract_element(entries, builder.zext(index.value, _I32)))
        # By bytes: the lower and, where there are any, the upper ones of the entries.
        narrow = builder.trunc(index.value, ir.VectorType(_I8, WIDTH))
        halves = [_shuffle(builder, narrow, narrow, range(i, i + 16)) for i in range(0, WIDTH, 16)]
        found = self.constant(0)
        for shift in (0, 8):
            entries = [entry >> shift & 0xFF for entry in table]
            if any(entries):
                parts = [_permuted(builder, entries, half) for half in halves]
                joined = _shuffle(builder, parts[0], parts[1], range(WIDTH))
                found = found | (self._make(builder.zext(joined, _WORDS)) << shift)
        return found


def _permuted(builder: Any, table: Sequence[int], index: Any) -> Any:
    # LLVM has no permutation by a variable in its portable language, and knows this chain as one.
    entries = ir.Constant(index.type, table)
    found = ir.Constant(index.type, ir.Undefined)
    for i in range(index.type.count):
        at = builder.zext(builder.extract_element(index, ir.Constant(_I32, i)), _I32)
        found = builder.insert_element(found, builder.extract_element(entries, at), ir.Constant(_I32, i))
    return found


LaneFunction = Callable[..., Any]
"""A function from lanes to a lane or a tuple of lanes."""


def _address(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    # The address of element `at` of a C-contiguous array.
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _load(builder: Any, address: Any, kind: Any, skip: int = 0) -> Any:
    # `skip` elements of the array after the address, at no particular alignment.
    place = builder.gep(address, [ir.Constant(_I32, skip)]) if skip else address
    return builder.load(builder.bitcast(place, kind.as_pointer()), align=1)


def _store(builder: Any, value: Any, address: Any) -> None:
    builder.store(value, builder.bitcast(address, value.type.as_pointer()), align=1)


def _shuffle(builder: Any, one: Any, two: Any, places: Sequence[int]) -> Any:
    # Elements of `one` and `two`, counted through both.
    mask = [ir.Constant(_I32, place) for place in places]
    return builder.shuffle_vector(one, two, ir.Constant(ir.VectorType(_I32, len(mask)), mask))


def _columns(builder: Any, address: Any, width: int) -> list[Any]:
    """The columns of 64 rows of `width` bytes (4 to 8), as vectors of 64 bytes.

    Eight rows a load; then two loads into one vector with 16 bytes of each of four columns, two of those into
    one with 32 bytes of each of two columns, and two of those into a column.
    """
    loads = [_load(builder, address, _BYTES, 8 * width * i) for i in range(8)]
    columns = []
    for first in range(0, width, 4):
        quarter = [_from_rows(first, width, part) for part in (0, 64)]
        level = [
            _shuffle(builder, loads[i], loads[i + 1], [x for c in range(4) for part in quarter for x in part[c]])
            for i in range(0, 8, 2)
        ]
        for half in range(min(2, -(-(width - first) // 2))):
            places = [part + 32 * half + 16 * c + i for c in range(2) for part in (0, 64) for i in range(16)]
            pair = [_shuffle(builder, level[i], level[i + 1], places) for i in (0, 2)]
            for c in range(min(2, width - first - 2 * half)):
                places = [part + 32 * c + i for part in (0, 64) for i in range(32)]
                columns.append(_shuffle(builder, pair[0], pair[1], places))
    return columns


def _from_rows(first: int, width: int, part: int) -> list[list[int]]:
    # Where four columns from `first` on stand in a load of eight rows.
    return [[part + width * row + c if c < width else 0 for row in range(8)] for c in range(first, first + 4)]


def _widened(builder: Any, column: Any, half: int) -> Lane:
    part = _shuffle(builder, column, column, range(WIDTH * half, WIDTH * half + WIDTH))
    return Lane(builder, builder.zext(part, _WORDS))


def scalar(outputs: int = 1) -> Callable[[LaneFunction], Any]:
    """Decorates a function over lanes: uint16 numbers in, a uint16 or a tuple of `outputs` of them out."""

    def decorate(function: LaneFunction) -> Any:
        answer = types.uint16 if outputs == 1 else types.UniTuple(types.uint16, outputs)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            numbers = [builder.extract_value(values[0], i) for i in range(signature.args[0].count)]
            results = function(*(Lane(builder, number) for number in numbers))
            if outputs == 1:
                return results.value
            return context.make_tuple(builder, answer, [result.value for result in results])

        def typed(typing: Any, *arguments: Any) -> Any:
            return answer(types.StarArgTuple.from_types([types.uint16] * len(arguments))), generate

        return intrinsic(_named(typed, function))

    return decorate


def rows(forms: Sequence[tuple[int, LaneFunction]]) -> Any:
    """An intrinsic for functions of cards, one lane a card: `f(form, cards, group, out)`.

    `form`, an integer known when the kernel is compiled, picks from `forms`, each the width of a row and the
    function. `cards` and `out` are one-dimensional arrays of uint8 and uint16. Reads the 64 rows of group number
    `group`, and up to `BEYOND` bytes after them, and writes 64 results.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        width, function = forms[signature.args[0].literal_value]
        _, cards, group, out = values
        at = builder.mul(group, ir.Constant(group.type, ROWS * width))
        columns = _columns(builder, _address(context, builder, signature.args[1], cards, at), width)
        _write_group(context, builder, function, columns, signature.args[3], out, group)
        return context.get_dummy_value()

    def typed(typing: Any, form: Any, cards: Any, group: Any, out: Any) -> Any:
        if not isinstance(form, types.IntegerLiteral):
            return None
        return types.void(form, cards, types.intp, out), generate

    return intrinsic(prefer_literal=True)(typed)


def paired_rows(forms: Sequence[tuple[int, int, LaneFunction]]) -> Any:
    """An intrinsic for functions of hole cards and a board: `f(form, holes, boards, group, out)`.

    As `rows`, with rows of two arrays; `forms` holds both widths, and a function of the cards of both in turn.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        *widths, function = forms[signature.args[0].literal_value]
        _, *arrays, group, out = values
        columns = []
        for kind, array, width in zip(signature.args[1:], arrays, widths, strict=False):
            at = builder.mul(group, ir.Constant(group.type, ROWS * width))
            columns += _columns(builder, _address(context, builder, kind, array, at), width)
        _write_group(context, builder, function, columns, signature.args[4], out, group)
        return context.get_dummy_value()

    def typed(typing: Any, form: Any, holes: Any, boards: Any, group: Any, out: Any) -> Any:
        if not isinstance(form, types.IntegerLiteral):
            return None
        return types.void(form, holes, boards, types.intp, out), generate

    return intrinsic(prefer_literal=True)(typed)


def _write_group(
    context: Any, builder: Any, function: LaneFunction, columns: Sequence[Any], kind: Any, out: Any, group: Any
) -> None:
    to = builder.mul(group, ir.Constant(group.type, ROWS))
    for half in range(2):
        result = function(*(_widened(builder, column, half) for column in columns))
        target = builder.add(to, ir.Constant(group.type, WIDTH * half))
        _store(builder, result.value, _address(context, builder, kind, out, target))


def merged(function: LaneFunction) -> Any:
    """Decorates a function of four suit masks: `f(masks, at, step, c, d, h, s, out, to)`.

    Reads 32 masks of each suit, at `at`, `at + step`, ... of the one-dimensional uint16 array `masks`, merges
    them with `c`, `d`, `h` and `s`, and writes 32 results to the uint16 array `out` from `to` on.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        masks, at, step, *given, out, to = values
        suits = []
        for value in given:
            place = _address(context, builder, signature.args[0], masks, at)
            spread = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), value, ir.Constant(_I32, 0))
            spread = _shuffle(builder, spread, spread, [0] * WIDTH)
            suits.append(Lane(builder, builder.or_(_load(builder, place, _WORDS), spread)))
            at = builder.add(at, step)
        result = function(*suits)
        _store(builder, result.value, _address(context, builder, signature.args[7], out, to))
        return context.get_dummy_value()

    def typed(typing: Any, masks: Any, at: Any, step: Any, c: Any, d: Any, h: Any, s: Any, out: Any, to: Any) -> Any:
        mask, place = types.uint16, types.intp
        return types.void(masks, place, place, mask, mask, mask, mask, out, place), generate

    return intrinsic(typed)


class Memory:
    """An array, one-dimensional and C-contiguous, in code under construction."""

    __slots__ = ("builder", "data")

    def __init__(self, builder: Any, data: Any) -> None:
        self.builder = builder
        self.data = data

    def _at(self, kind: Any, at: Lane | int) -> Any:
        place = at.value if isinstance(at, Lane) else ir.Constant(_I64, at)
        return self.builder.bitcast(self.builder.gep(self.data, [place]), kind.as_pointer())

    def load(self, kind: str, at: Lane | int) -> Lane:
        """The lanes from element `at` of the array on."""
        return Lane(self.builder, self.builder.load(self._at(KINDS[kind], at), align=1))

    def store(self, lane: Lane, at: Lane | int) -> None:
        """Writes lanes from element `at` of the array on."""
        self.builder.store(lane.value, self._at(lane.value.type, at), align=1)

    def look_up(self, index: Lane) -> Lane:
        """Elements of a table of 64 bytes, by indexes in bytes, all below 64."""
        builder = self.builder
        if _PERMUTES_BYTES:
            # LLVM knows this chain as one permutation.
            entries = builder.load(self._at(_BYTES, 0), align=1)
        found = ir.Constant(_BYTES, ir.Undefined)
        for i in range(ROWS):
            place = ir.Constant(_I32, i)
            at = builder.extract_element(index.value, place)
            if _PERMUTES_BYTES:
                entry = builder.extract_element(entries, builder.zext(at, _I32))
            else:
                entry = builder.load(builder.gep(self.data, [builder.zext(at, _I64)]))
            found = builder.insert_element(found, entry, place)
        return Lane(builder, found)


class Cell:
    """A variable: lanes that change in a loop."""

    __slots__ = ("builder", "place")

    def __init__(self, builder: Any, first: Lane) -> None:
        self.builder = builder
        self.place = cgutils.alloca_once(builder, first.value.type)
        self.set(first)

    def get(self) -> Lane:
        """What it holds."""
        return Lane(self.builder, self.builder.load(self.place))

    def set(self, lane: Lane) -> None:
        """Holds something else from here on."""
        self.builder.store(lane.value, self.place)


class Code:
    """Code under construction, for functions that `built` decorates."""

    __slots__ = ("builder",)

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def number(self, value: int) -> Lane:
        """A constant number."""
        return Lane(self.builder, ir.Constant(_I64, value))

    def lanes(self, kind: str, value: int) -> Lane:
        """A constant in every lane of a kind."""
        vector = KINDS[kind]
        return Lane(self.builder, ir.Constant(vector, [value] * vector.count))

    def cell(self, first: Lane) -> Cell:
        """A variable that holds `first`."""
        return Cell(self.builder, first)

    @contextmanager
    def loop(self, count: Lane | int) -> Iterator[Lane]:
        """What is built inside runs `count` times, with the numbers from 0 on."""
        times = count.value if isinstance(count, Lane) else ir.Constant(_I64, count)
        with cgutils.for_range(self.builder, times) as loop:
            yield Lane(self.builder, loop.index)


def built(function: Callable[..., Lane | None]) -> Any:
    """Decorates a function that builds code: `f(code, ...)` becomes `f(...)` for kernels.

    It gets arrays as `Memory`, numbers as `Lane`s of 64 bits, and numbers that are known when the kernel is compiled
    as plain integers. What it returns, a number or nothing, the kernel gets as an int64.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        given: list[Any] = []
        for kind, value in zip(signature.args, values, strict=True):
            if isinstance(kind, types.Array):
                given.append(Memory(builder, context.make_array(kind)(context, builder, value).data))
            elif isinstance(kind, types.IntegerLiteral):
                given.append(kind.literal_value)
            else:
                given.append(Lane(builder, value))
        result = function(Code(builder), *given)
        return context.get_dummy_value() if result is None else result.value

    def typed(typing: Any, *arguments: Any) -> Any:
        kinds = []
        for kind in arguments:
            if isinstance(kind, types.Array) and (kind.ndim != 1 or kind.layout != "C"):
                return None
            plain = isinstance(kind, types.Integer) and not isinstance(kind, types.IntegerLiteral)
            kinds.append(types.int64 if plain else kind)
        return (types.void if returns is None else types.int64)(*kinds), generate

    parameters = inspect.signature(function)
    returns = None if parameters.return_annotation in (None, "None") else int
    typed.__signature__ = parameters  # type: ignore[attr-defined]
    return intrinsic(prefer_literal=True)(_named(typed, function))


def _named(typed: Any, function: LaneFunction) -> Any:
    typed.__name__ = typed.__qualname__ = function.__name__
    typed.__module__ = function.__module__
    typed.__doc__ = function.__doc__
    return typed

"""What `kernel.py` does to Numba: leaves are only linked into kernels, and still answer when Python calls them."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from numba import config

from potshare import kernel as kernels
from potshare.kernel import kernel, leaf

compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


@leaf
def _square(x):  # type: ignore[no-untyped-def]
    return x * x


@leaf
def _sum_of_squares(values):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    for i in range(values.shape[0]):
        total += _square(values[i])
    return total


@kernel
def _entry(values, out):  # type: ignore[no-untyped-def]
    out[0] = _sum_of_squares(values)
    out[1] = max(_square(values[0]), np.int64(7))


def test_leaves_in_kernels_and_alone() -> None:
    values, out = np.array([3, 4, 5], np.int64), np.zeros(2, np.int64)
    assert _sum_of_squares(values) == 50  # before a kernel has it
    _entry(values, out)
    assert out.tolist() == [50, 9]
    assert _sum_of_squares(values) == 50  # and after
    assert _square(np.int64(12)) == 144
    assert _square(1.5) == 2.25


@compiled_only
def test_a_leaf_is_not_optimised_by_itself() -> None:
    @leaf
    def twice(x):  # type: ignore[no-untyped-def]
        return x + x

    @kernel
    def entry(out):  # type: ignore[no-untyped-def]
        out[0] = twice(out[0])

    out = np.array([21], np.int64)
    entry(out)
    assert out[0] == 42
    assert kernels._CAN_LINK
    library: Any = next(iter(twice.overloads.values())).library
    assert isinstance(library, kernels._LinkedLibrary)
    assert library.get_pointer_to_function(library.name) == 0
    own: Any = next(iter(entry.overloads.values())).library
    assert not isinstance(own, kernels._LinkedLibrary)
    # What was in force before is in force again.
    codegen = kernels.cpu_target.target_context.codegen()
    assert codegen._library_class is not kernels._LinkedLibrary


@compiled_only
def test_another_numba_compiles_leaves_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_CAN_LINK", False)

    @leaf
    def thrice(x):  # type: ignore[no-untyped-def]
        return 3 * x

    @kernel
    def entry(out):  # type: ignore[no-untyped-def]
        out[0] = thrice(out[0])

    out = np.array([5], np.int64)
    entry(out)
    assert out[0] == 15
    assert not isinstance(next(iter(thrice.overloads.values())).library, kernels._LinkedLibrary)


@compiled_only
@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_as_before(collecting: bool) -> None:
    seen = []

    @leaf
    def same(x):  # type: ignore[no-untyped-def]
        return x

    @kernel
    def entry(out):  # type: ignore[no-untyped-def]
        out[0] = same(out[0])

    make = same.compile
    same.compile = lambda signature: seen.append(gc.isenabled()) or make(signature)
    before = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        entry(np.zeros(1))
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if before else gc.disable)()
    assert set(seen) == {False}


@compiled_only
def test_threads_may_compile_at_once() -> None:
    @leaf
    def half(x):  # type: ignore[no-untyped-def]
        return x / 2

    made = []
    for _ in range(4):

        @kernel
        def entry(out):  # type: ignore[no-untyped-def]
            out[0] = half(out[0])

        made.append(entry)
    outs = [np.array([float(i)]) for i in range(4)]
    threads = [threading.Thread(target=run, args=(out,)) for run, out in zip(made, outs, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [float(out[0]) for out in outs] == [0.0, 0.5, 1.0, 1.5]

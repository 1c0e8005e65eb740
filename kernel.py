"""The one place that configures Numba.

`@kernel` marks a compiled entry point: it is cached on disk, releases the GIL, and takes tables as
arguments (globals would be baked into the cached object). `@leaf` marks a helper that only kernels call;
it is compiled into its callers and cached with them. No other module imports numba.

Why the cache needs care, all of it measured:

* Numba keys a cached function on its own source file only. A cached caller would keep the old code of an
  edited callee, so the cache folder's name carries a hash of every source file of the package.
* Where the folder cannot be written Numba raises at import. Here that means no cache and one warning.
* A damaged cache entry (a killed process, a full disk) would raise at the first call. Here the entry counts
  as missing, and a failed write as not made.
* Passing one compiled function to another, or closing over one, makes it recompile in every process.
  Kernels therefore call leaves by global name and specialise on plain integers.

What compiling costs, measured on the kernel that deals draw games (10 s on one core): a leaf was optimised and made
executable by itself, with all that it calls, and then once more in every caller. Here leaves are only linked into
kernels, which are optimised as a whole (-38 %), and the collector of garbage rests meanwhile (-10 %).

Environment: `POTSHARE_CACHE_DIR` names the folder to use (default: the user's cache folder).
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba import config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from potshare import late

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False}
_PACKAGE = Path(__file__).resolve().parent
_SOURCE_FOLDERS = ("", "tables", "evaluator", "simulate")

KERNELS: list[Any] = []
"""Every entry point, in order of definition; tests check that each has one signature after use."""


class CacheWarning(UserWarning):
    """Compiled code cannot be kept; every process compiles anew."""


def sources_digest() -> str:
    """A short hash of every source file of the package and of the flags that change compiled code."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in _SOURCE_FOLDERS:
        root = _PACKAGE / folder
        files = sorted(root.glob("*.py") if folder == "" else root.rglob("*.py"))
        for file in files:
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    flags = (numba.__version__, config.BOUNDSCHECK, config.OPT, config.DEBUG, sys.version_info[:2])
    digest.update(repr(flags).encode())
    return digest.hexdigest()


def user_cache_folder() -> Path:
    """The folder that holds this program's caches; it may not exist yet."""
    chosen = os.environ.get("POTSHARE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "potshare"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _find_cache() -> str:
    if config.DISABLE_JIT:
        return ""
    folder = user_cache_folder() / f"kernels-{sources_digest()}"
    if _writable(folder):
        return str(folder)
    warnings.warn(
        f"compiled code cannot be kept in {folder.parent}, so every run compiles anew; "
        "set POTSHARE_CACHE_DIR to a folder that can be written",
        CacheWarning,
        stacklevel=2,
    )
    return ""


CACHE = _find_cache()
"""The folder of compiled code, or an empty string where nothing can be kept."""


def is_cold() -> bool:
    """Whether nothing compiled is kept yet for these sources, so that the next question compiles first."""
    return not CACHE or not any(Path(CACHE).rglob("*.nbi"))


if late.WHEN_COLD and is_cold():
    for tell in late.WHEN_COLD:
        tell()


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """A file of compiled code with its digest: code that is not what was written is not run.

    A damaged index counts as empty; else nothing could be written beside it, and every process would compile.
    """

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:
            return {}

    def _save_data(self, name: str, data: Any) -> None:
        raw = self._dump(data)
        super()._save_data(name, (_digest(raw), raw))

    def _load_data(self, name: str) -> Any:
        digest, raw = super()._load_data(name)
        if digest != _digest(raw):
            raise ValueError(f"{name} is damaged")
        return pickle.loads(raw)


def _digest(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, digest_size=16).digest()


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's function cache, except that a damaged entry counts as missing and a failed write as not made."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Numba would first set up everything that compiling needs, which takes 80 ms or more. Code that is loaded
        # needs its run time only.
        try:
            rtsys.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:
            return


@contextmanager
def _interrupted_after() -> Iterator[None]:
    # Ctrl-C waits for the end of the block. LLVM calls back into Python while it compiles and while compiled code is
    # loaded; an exception there is printed and lost, and the program goes on as if nobody had pressed the keys.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, lambda *seen: pressed.append(seen))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            before(*pressed[0])


@contextmanager
def _no_collections() -> Iterator[None]:
    # Compiling makes millions of objects that stay, and the collector goes through them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def _vectors_for_straight_lines(wanted: bool) -> Iterator[None]:
    # Numba leaves this pass of LLVM off; it costs compile time, and most kernels gain nothing by it.
    before = config.SLP_VECTORIZE
    config.SLP_VECTORIZE = int(wanted or before)
    try:
        yield
    finally:
        config.SLP_VECTORIZE = before


def kernel(function: Callable[..., Any], straight_line: bool = False) -> Callable[..., Any]:
    """Compiles an entry point on first call; keeps the compiled code on disk for later processes.

    `straight_line`: neighbouring operations outside of loops are put together in vector registers too.
    """
    compiled: Any = numba.njit(nogil=True, **_OPTIONS)(function)
    if config.DISABLE_JIT:
        KERNELS.append(compiled)
        return compiled  # type: ignore[no-any-return]
    make = compiled.compile

    def make_uninterrupted(signature: Any) -> Any:
        with _interrupted_after(), _no_collections(), _vectors_for_straight_lines(straight_line):
            return make(signature)

    compiled.compile = make_uninterrupted
    if CACHE:
        before = config.CACHE_DIR
        config.CACHE_DIR = CACHE
        try:
            compiled._cache = _Cache(function)
        finally:
            config.CACHE_DIR = before
    KERNELS.append(compiled)
    return compiled  # type: ignore[no-any-return]


class _Unset:
    """The code generator for a leaf, whose environment has no address: only Python calls need one."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, env: Any) -> None:
        """Nothing to set."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a leaf: linked into kernels and optimised there, neither optimised nor made executable here."""

    def _optimize_final_module(self) -> None:
        """Left to the kernels."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No address: nothing is executable."""
        return 0

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _Unset(self._codegen)


_CAN_LINK = all(
    hasattr(JITCodeLibrary, name)
    for name in ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals", "codegen")
) and hasattr(JITCPUCodegen, "_library_class")
"""Whether this Numba is built as `_LinkedLibrary` expects; another one compiles leaves by themselves, only slower."""


@contextmanager
def _only_linked() -> Iterator[None]:
    # Functions compiled in the block are for linking. Libraries are made under the lock only.
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        before = codegen._library_class
        codegen._library_class = _LinkedLibrary
        try:
            yield
        finally:
            codegen._library_class = before


def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiles a helper that only kernels call.

    A leaf allocates nothing, so it is compiled without Numba's reference counting: counting the tables up and
    down, atomically, at every call of a leaf with a loop cost sixty nanoseconds, ten times the leaf's own work.
    Called from Python, as tests do, it is compiled once more, by itself.
    """
    if config.DISABLE_JIT or not _CAN_LINK:
        return numba.njit(_nrt=False, **_OPTIONS)(function)  # type: ignore[no-any-return]
    compiled: Any = numba.njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    make = compiled.compile
    alone: list[Any] = []

    def make_to_link(signature: Any) -> Any:
        with _only_linked():
            return make(signature)

    def call_alone(*args: Any, **names: Any) -> Any:
        if not alone:
            alone.append(numba.njit(_nrt=False, **_OPTIONS)(function))
        return alone[0]._compile_for_args(*args, **names)

    compiled.compile = make_to_link
    # What is not executable may not be found by a call from Python.
    compiled._insert = lambda *_, **__: None
    compiled._compile_for_args = call_alone
    return compiled  # type: ignore[no-any-return]

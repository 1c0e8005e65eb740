"""Where compiled code is kept, on every system, and what happens where it cannot be."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from potshare import kernel

pytestmark = pytest.mark.skipif(bool(kernel.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"POTSHARE_CACHE_DIR": "/chosen", "XDG_CACHE_HOME": "/xdg"}, "/chosen"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/potshare"),
        ("linux", {}, "/home/me/.cache/potshare"),
        ("darwin", {"XDG_CACHE_HOME": "/xdg"}, "/home/me/Library/Caches/potshare"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/potshare"),
        ("win32", {}, "/home/me\\AppData\\Local/potshare"),
    ],
)
def test_the_folder_of_each_system(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("POTSHARE_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(kernel.os.path, "expanduser", lambda path: path.replace("~", "/home/me"))
    monkeypatch.setattr(kernel.sys, "platform", platform)
    assert kernel.user_cache_folder() == Path(folder)


def test_a_folder_that_cannot_be_written_is_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("POTSHARE_CACHE_DIR", str(blocked))
    with pytest.warns(kernel.CacheWarning, match="set POTSHARE_CACHE_DIR"):
        assert kernel._find_cache() == ""
    monkeypatch.setenv("POTSHARE_CACHE_DIR", str(tmp_path / "new"))
    found = Path(kernel._find_cache())
    assert found.parent == tmp_path / "new"
    assert list(found.iterdir()) == []


def test_code_of_other_flags_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel.sources_digest()
    assert kernel.sources_digest() == before
    monkeypatch.setattr(kernel.config, "BOUNDSCHECK", 0 if kernel.config.BOUNDSCHECK else 1)
    assert kernel.sources_digest() != before
    monkeypatch.setattr(kernel.config, "DISABLE_JIT", 1)
    assert kernel._find_cache() == ""


def test_cold_is_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "CACHE", "")
    assert kernel.is_cold()
    monkeypatch.setattr(kernel, "CACHE", str(tmp_path))
    assert kernel.is_cold()
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "x.nbi").touch()
    assert not kernel.is_cold()


def twice(x):  # type: ignore[no-untyped-def]
    """What the tests compile."""
    return 2 * x


def test_kernels_work_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "CACHE", "")
    monkeypatch.setattr(kernel, "KERNELS", [])
    compiled = kernel.kernel(twice)
    (listed,) = kernel.KERNELS
    assert listed is compiled
    assert compiled(21) == 42
    assert not compiled.stats.cache_path


def test_code_that_cannot_be_written_or_read_counts_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "CACHE", str(tmp_path))
    monkeypatch.setattr(kernel, "KERNELS", [])
    compiled = kernel.kernel(twice)

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(kernel.FunctionCache, "save_overload", full)
        assert compiled(21) == 42
    assert not list(tmp_path.rglob("*.nbi"))
    assert kernel.kernel(twice)(21) == 42
    kept = list(tmp_path.rglob("*.nb?"))
    assert len(kept) == 2
    for file in kept:
        file.write_bytes(b"rubbish")
    again = kernel.kernel(twice)
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 0


# -- Ctrl-C -----------------------------------------------------------------------------------------------------------


def test_ctrl_c_waits_for_the_end() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), kernel._interrupted_after():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with kernel._interrupted_after():
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_leave_signals_alone() -> None:
    seen = SimpleNamespace(handler=None)

    def work() -> None:
        with kernel._interrupted_after():
            seen.handler = signal.getsignal(signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen.handler is signal.default_int_handler

"""Modules that are imported when they are first used, so that a question loads only what answers it.

Numba alone takes a quarter of a second to import, and most engines are not needed for most questions.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

WHEN_COLD: list[Callable[[], object]] = []
"""Called once, before anything is compiled, when no compiled code is kept for these sources yet."""


class Late:
    """Stands for a module until one of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        # The next look-up finds it here.
        setattr(self, name, value)
        return value

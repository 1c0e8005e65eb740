"""The pictures of the README are what the commands print now (times apart), and need nothing from the network."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
DURATION = re.compile(r'textLength="[\d.]+">[^<]*[\d.]+&#160;m?s</text>')


def builder() -> ModuleType:
    found = importlib.util.spec_from_file_location("build_pictures", DOCS / "build_pictures.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def without_times(text: str) -> str:
    # The line with the time is as long as the time is.
    return DURATION.sub(lambda line: re.sub(r'textLength="[\d.]+"|[\d.]+&#160;m?s', "TIME", line.group()), text)


@pytest.mark.parametrize("name", ["equity.svg", "grid.svg"])
def test_pictures_are_current(name: str) -> None:
    kept = (DOCS / name).read_text("utf-8")
    assert without_times(builder().picture(name)) == without_times(kept), "run: python docs/build_pictures.py"


def test_pictures_are_small_and_complete() -> None:
    module = builder()
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    for name in module.PICTURES:
        text = (DOCS / name).read_text("utf-8")
        assert len(text) < 40_000
        assert text.count("http") == 1, "only the name of the format"
        root = ElementTree.fromstring(text)
        assert root.get("aria-label", "").startswith("What potshare equity")
        assert "".join(root.itertext()).replace("\xa0", " ").count("$ potshare equity") == 1
        assert f"](docs/{name})" in readme

"""The documentation: the reference is what `--help` says, links lead somewhere, every command is written about."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from potshare import cli

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def test_reference_is_what_help_says() -> None:
    spec = spec_from_file_location("build_reference", DOCS / "build_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (DOCS / "reference.md").read_text("utf-8")
    assert written == module.reference(), "run: python docs/build_reference.py"


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_exist(page: Path) -> None:
    for name in re.findall(r"`((?:tables|evaluator|simulate|bench)/[\w/.-]*)`", page.read_text("utf-8")):
        assert (ROOT / name).exists(), name


def test_every_page_is_reached_from_the_start() -> None:
    start = (DOCS / "start.md").read_text("utf-8")
    for page in PAGES:
        assert page.name == "start.md" or f"({page.name})" in start, page.name
    assert "docs/start.md" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(cli.cli.commands))
def test_every_command_is_written_about(name: str) -> None:
    text = "".join(page.read_text("utf-8") for page in [ROOT / "README.md", *PAGES] if page.name != "reference.md")
    assert f"potshare {name}" in text


def test_completion_knows_the_rankings() -> None:
    from potshare.evaluator.rankings import rankings

    assert set(rankings()) == set(cli.RANKINGS)

"""Compiled code of the tests is kept apart from the user's, so that a test run neither uses nor spoils it."""

import os
import signal
import tempfile
from pathlib import Path

import pytest

# Before anything imports the package: its cache folder is chosen at import. The folder is shared by all runs of one
# checkout, since compiling everything takes minutes; its name carries the hash of the sources anyway.
os.environ.setdefault("POTSHARE_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"potshare-tests-{os.getuid()}"))

# A shell ignores Ctrl-C for what it starts in the background, and with it all processes that tests start and stop.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of test data."""
    return DATA


@pytest.fixture(scope="session")
def shared() -> Path:
    """A folder of reference data beside the checkout; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("no reference data beside the checkout")
    return SHARED

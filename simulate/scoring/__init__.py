"""Showdowns in bulk: rows of tables and recorded hands in, winners, shares and chips out."""

import signal

import polars  # noqa: F401

if hasattr(signal, "siginterrupt"):
    # polars puts a handler of its own before Python's, by which the system takes up a call again that Ctrl-C has
    # interrupted: whoever waits for a pipe would not hear it.
    signal.siginterrupt(signal.SIGINT, True)

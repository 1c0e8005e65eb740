"""Outcomes of a showdown and their tallies, shared by every engine.

An outcome is a mask: the players who share the high half, and above them those who share the low half. A tally
is (players, players + 1, players + 2) int64: for each player how many deals ended with the high shared by so
many (0: without him), and the low shared by so many (0: without him; players + 1: no low was made). Every
number that is reported, standard errors included, follows from the tally.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import leaf
from potshare.simulate.evaluators import bits

COUNTED_BITS = 12
"""Outcomes of at most so many bits are counted by their mask and spread over the players at the end."""


@leaf
def best_of(values, players):  # type: ignore[no-untyped-def]
    """The players who hold the greatest of the values, as a mask; 0 when all values are 0."""
    best = values[0]
    mask = np.int64(1)
    for p in range(1, players):
        v = values[p]
        bit = np.int64(1) << p
        mask = bit if v > best else (mask | bit if v == best else mask)
        best = max(best, v)
    return mask if best else np.int64(0)


@leaf
def spread(tally, players, outcome, weight):  # type: ignore[no-untyped-def]
    """Adds `weight` deals of an outcome to a tally."""
    low = outcome >> players
    high = outcome & ((np.int64(1) << players) - 1)
    sharing = bits(high)
    sharing_low = bits(low)
    for p in range(players):
        a = sharing if (high >> p) & 1 else 0
        b = (sharing_low if (low >> p) & 1 else 0) if low else players + 1
        tally[p, a, b] += weight


@leaf
def spread_all(tally, players, counter, width):  # type: ignore[no-untyped-def]
    """Adds a counter of outcomes to a tally and clears it."""
    for outcome in range(1 << width):
        if counter[outcome]:
            spread(tally, players, np.int64(outcome), counter[outcome])
            counter[outcome] = 0

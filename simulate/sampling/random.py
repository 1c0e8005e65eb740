"""Random numbers for kernels: xoshiro256++, one state for each block of deals.

The generator is xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
47 (4), 2021), its state filled by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) as its authors advise. The
state of a block depends on the seed and the block's number alone, so any thread, process or machine may deal
any block, and merged results do not depend on who dealt what.
"""

from __future__ import annotations

import numpy as np

from potshare.kernel import leaf

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BLOCK_STEP = np.uint64(0xD1342543DE82EF95)  # odd, so that block numbers map to different starting points


@leaf
def _mix(x):  # type: ignore[no-untyped-def]
    # The output function of SplitMix64.
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@leaf
def seed_block(state, seed, block):  # type: ignore[no-untyped-def]
    """Fills `state` (4,) uint64 for a block of a seed."""
    x = _mix(np.uint64(seed) + _GOLDEN) ^ (np.uint64(block) * _BLOCK_STEP)
    for i in range(4):
        x += _GOLDEN
        state[i] = _mix(x)


@leaf
def seed_lanes(state, lanes, seed, block):  # type: ignore[no-untyped-def]
    """Fills `state` as `seed_block` does, and `lanes` (32,) uint64 with eight more states for the same block.

    Word w of the state of lane i is `lanes[8 * w + i]`; all come from the same run of SplitMix64.
    """
    x = _mix(np.uint64(seed) + _GOLDEN) ^ (np.uint64(block) * _BLOCK_STEP)
    for i in range(4):
        x += _GOLDEN
        state[i] = _mix(x)
    for i in range(32):
        x += _GOLDEN
        lanes[8 * (i & 3) + (i >> 2)] = _mix(x)


@leaf
def _rotate(x, k):  # type: ignore[no-untyped-def]
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@leaf
def next_word(state):  # type: ignore[no-untyped-def]
    """The next 64 random bits."""
    result = _rotate(state[0] + state[3], 23) + state[0]
    t = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= t
    state[3] = _rotate(state[3], 45)
    return result


@leaf
def below(state, n):  # type: ignore[no-untyped-def]
    """A random integer in [0, n), n below 1024: off from uniform by less than n / 2**53."""
    return np.int64(((next_word(state) >> np.uint64(11)) * np.uint64(n)) >> np.uint64(53))


@leaf
def fraction(state):  # type: ignore[no-untyped-def]
    """A random float64 in [0, 1), a multiple of 2**-53."""
    return np.float64(next_word(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)

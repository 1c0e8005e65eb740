"""Any text gives an answer or one clear error, and soon.

`POTSHARE_FUZZ=1000000` runs so many texts and says which was the slowest; `POTSHARE_FUZZ_SEED` chooses other ones.
"""

from __future__ import annotations

import contextlib
import os
import random
import time

import pytest
from bounds import bounded

from potshare.errors import PotshareError
from potshare.simulate.ranges import Range, parse_board

TEXTS = int(os.environ.get("POTSHARE_FUZZ", "12000"))
SEED = int(os.environ.get("POTSHARE_FUZZ_SEED", "20"))
LIMIT = 3.0
"""Seconds of the processor for a text. It takes less than one on a quiet machine; tracers and neighbours cost more."""
LISTED = 40
"""Of so many texts about a hand of four cards one is listed as well, and written out."""

SEEDS = [
    "77+,ATs+,KTs+,QJs,AJo+,KQo", "KhQh:1.0,AKs:0.5,QQ", "[50]AA,AK[/50],22-55", "0.5(AA,AK),top 15%",
    "5%-15%!AsAh", "AA:xxyy, JJ!JJJ, KK@30", "[A-J][T-8]$ds", "T987+,98-76", "(AA,KK):(xx,yy)!AsKs@20", "AXs,KX!K2",
    "RRON,RxRyOxOy", "**2h,[A,K]ss", "A♠K♠,10h9h", "22+ 33 AhKd", "random!72o", "$0g,$1g:$np",
    "AsKs[QdJc,Td9c],(AsKsQsJs,AhKhQhJh)@0.5", "*!(2c3c4c5c,2d3d4d5d)",
]  # fmt: skip
TOKENS = [
    *"AKQJT98765432cdhswxyz+-:!,;@%()[]*$.01BEFGRON \n/?X", "10", "AA", "AKs", "22+", "[50]", "[/50]", "@50", ":0.5",
    "15%", "random", "top ", "$ds", "$B", "é", "с", "\ufe0f", "♠", "1e5", "-1", "nan", "??", "\x00", "1010", "[A,K]",
    "xxyy",
]  # fmt: skip


def mutated(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return "".join(rng.choice(TOKENS) for _ in range(rng.randint(1, 14)))
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + rng.choice(TOKENS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        elif kind == 2:
            other = rng.choice(SEEDS)
            text = text[:at] + other[rng.randint(0, len(other)) :]
        else:
            text = text[:at] + text[at : at + 3] * rng.randint(2, 5) + text[at + 3 :]
    return text


def answer(text: str, game: str, *, listed: bool = False) -> tuple[bool, float]:
    """Whether the text is a range, and how many seconds of the processor it took to say so."""
    started = time.process_time()
    with bounded(LIMIT, f"{text[:80]!r} in {game}"):
        try:
            found = Range(text, game)
            found.explain()
            if listed:
                assert Range(found.canonical(), game) == found, text
            good = True
        except PotshareError as error:
            good = False
            said = str(error)
            if not said.strip():
                raise AssertionError("an error without a message") from error
    return good, time.process_time() - started


def test_random_and_mutated_texts(capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(SEED)
    games = ("holdem", "holdem", "omaha", "omaha5", "stud", "short-deck", "badugi", "murder")
    len(Range("AA", "omaha"))
    good = 0
    slowest = (0.0, "", "")
    for i in range(TEXTS):
        text = mutated(rng)
        game = games[i % len(games)]
        four = game in ("omaha", "badugi") and rng.randrange(LISTED) == 0
        fine, took = answer(text, game, listed=game in ("holdem", "murder") or four)
        good += fine
        slowest = max(slowest, (took, text, game))
        if i % 10 == 0:
            with contextlib.suppress(PotshareError):
                parse_board(text)
    assert good > TEXTS // 50
    if "POTSHARE_FUZZ" in os.environ:
        with capsys.disabled():
            print(
                f"\n{TEXTS:,} texts of seed {SEED}, {good:,} of them ranges; the slowest took {slowest[0]:.3f} s of "
                f"the processor: {slowest[1]!r} in {slowest[2]}"
            )


N = 99_000
CLASSES = [a + b + s for a in "AKQJT98765432" for b in "AKQJT98765432" for s in ("s", "o", "+")]
HOSTILE = {
    "digits": "5" * N,
    "dots": "." * N,
    "spaces": " " * N + "AA",
    "number and spaces": "5" + " " * N + "x",
    "number, spaces, dash": ("5 %" + " " * 500 + "-") * 150,
    "open tags": "[5]" * (N // 3),
    "tags": "[50]" * (N // 4) + "[/50]",
    "parentheses": "(" * N,
    "brackets": "[" * N,
    "chain": "AA" + "!KK" * (N // 3),
    "colons": "AA" + ":*" * (N // 2),
    "pairs": "AA," * (N // 3),
    "combos": "AsKs," * (N // 5),
    "weights": "AA@1," * (N // 5),
    "cards": "As" * (N // 2),
    "single cards": "As " * (N // 3),
    "hands": "AsKsQsJs," * (N // 9),
    "stars": "*" * N,
    "macros": "$ds" * (N // 3),
    "lists": "[A,K,Q]" * (N // 7),
    "long list": "[" + "A," * (N // 2) + "K]",
    "variables": "R" * N,
    "mixed lists": "[A,s,Kd]x" * 4,
    "three kinds": "[As,K,h][Qs,J,d][Ts,9,c]x",
    "spans": ",".join(["[A-2][A-2]"] * (N // 11)),
    "runs": "22-AA," * (N // 6),
    "plus": "22" + "+" * N,
    "at": "AA" + "@" * N,
    "minus": "-" * N,
    "percent": "1%," * (N // 3),
    "newlines": "AA\n" * (N // 3),
    "nested": "(" * 39 + "AA" + ")@99" * 39,
    "nested unions": "(AA," * 39 + "KK" + ")" * 39,
    "zero": "AA:0," * (N // 5),
    "long number": "AA:0." + "1" * N,
    "exponent": "AA:1e" + "9" * N,
    "letters": "z" * N,
    "tail": "AA " * 9000 + "@",
    "different": ",".join(c + w for c in CLASSES for w in ("", "@50")),
    "union of spans": ",".join(f"[{a}-2]{b}" for a in "AKQJ" for b in "AKQJT9876") * 40,
    "too long": "AA," * 400_000,
    "nothing": ",;\n,",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha6"])
def test_hostile_texts_end_soon(name: str, game: str) -> None:
    answer(HOSTILE[name], game)

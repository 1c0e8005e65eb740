"""Hostile input at every entrance: any text or file gives an answer or one clear error, within bounds.

Each fuzzer runs a fixed number of cases; `POTSHARE_FUZZ_SECONDS=300` runs each for so long with a new seed, and prints
the seed. Range texts have a fuzzer of their own in `ranges/test_fuzz.py`. Questions that would need more memory or time
than anybody has are asked in a process with little of both.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from bounds import bounded
from click.testing import CliRunner

import potshare as ps
from potshare import cli, tables
from potshare.errors import PotshareError, TableError
from potshare.simulate import stream
from potshare.simulate.describe import describe, rules_text
from potshare.simulate.scoring.run import score
from potshare.simulate.variants import games, read_variant

SECONDS = float(os.environ.get("POTSHARE_FUZZ_SECONDS", "0"))
LIMIT = 20.0
"""Seconds of processor time for a case, with room for compiling what it is the first to need."""

CARDS = [r + s for r in "23456789TJQKA" for s in "cdhs"]
PIECES = [
    *"AKQJT98765432cdhswxyz+-:!,;@%()[]{}*$.0BEFGRON \n\t/?X\"'=#\\", "10", "AhKd", "AA", "22+", "random", "Jk", "Jk2",
    "??", "@50", "15%", "♠", "♥\ufe0f", "с", "é", "\x00", "\u202e", "😀", "1e309", "-1", "nan", "inf", "true", "null",
    "9" * 30, "0x10", "[[", "]]", "\r\n", "\ufeff", "\u2028", "pat", "/", "..", "~", "$(x)", "`", "%s", "{0}",
]  # fmt: skip


def cases(number: int, name: str) -> Iterator[random.Random]:
    """A generator for each case: a fixed number of them, or as many as the given time allows."""
    if not SECONDS:
        for i in range(number):
            yield random.Random(f"{name} {i}")
        return
    seed = random.SystemRandom().randrange(1 << 30)
    until = time.monotonic() + SECONDS
    i = 0
    while time.monotonic() < until:
        yield random.Random(f"{name} {seed} {i}")
        i += 1
    print(f"\n{name}: {i} cases with seed {seed}")


def mutated(rng: random.Random, text: str, times: int = 3) -> str:
    """A text with pieces put in, taken out, doubled and exchanged."""
    for _ in range(rng.randint(0, times)):
        at = rng.randint(0, len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 8) :]
        elif kind == 2:
            other = rng.randint(0, len(text))
            text = text[:at] + text[other : other + rng.randint(1, 20)] + text[at:]
        elif kind == 3:
            text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
        else:
            text = text[:at] + text[at : at + 5] * rng.randint(2, 4) + text[at + 5 :]
    return text


def answered(question: Callable[[], Any], what: Any) -> Any:
    """The answer, or None for a refusal with a message. Anything else raised is a fault."""
    refused = ""
    found = None
    with bounded(LIMIT, what):
        try:
            found = question()
        except PotshareError as error:
            refused = str(error)
    assert found is not None or refused.strip(), what
    return found


def dealt(rng: random.Random, number: int) -> str:
    return "".join(rng.sample(CARDS, number))


# -- cards ------------------------------------------------------------------------------------------------------------


def test_cards() -> None:
    rankings = sorted(ps.rankings())
    good = 0
    for rng in cases(800, "cards"):
        text = mutated(rng, dealt(rng, rng.randint(0, 9)))
        read = answered(lambda text=text: ps.parse_cards(text, jokers=True, unknown=True), text)
        if read is not None:
            assert all(0 <= c <= 53 or c == 255 for c in read)
        ranking = rng.choice([*rankings, mutated(rng, rng.choice(rankings))])
        board = mutated(rng, dealt(rng, rng.choice([0, 0, 3, 5])))
        selection = rng.choice([None, "two plus three", "best five", mutated(rng, "best five")])
        found = answered(
            lambda t=text, r=ranking, b=board, s=selection: ps.evaluate(t, r, board=b, selection=s),
            (text, ranking, board, selection),
        )
        if found is not None:
            good += 1
            assert found.text
        numbers = [
            rng.choice([0, 51, 52, 53, 54, 255, -1, 10**30, rng.randrange(52)]) for _ in range(rng.randint(0, 8))
        ]
        answered(lambda n=numbers: ps.evaluate(n), numbers)
    assert good > 20


# -- equities ---------------------------------------------------------------------------------------------------------

HANDS = [
    "AhKd", "QQ+", "random", "22", "AhKdQcJs", "2c3d4h7s/Kd", "9s8d6h4c3s/", "As2s3d", "AA:0.5,KK", "AA:xxyy", "15%",
    "*", "2s3d4h", "AhKdQcJs9c", "8s8d8c", "9s8d6h4c3s pat", "??", "",
]  # fmt: skip


def random_question(rng: random.Random, names: list[str]) -> tuple[list[str], dict[str, Any]]:
    hands = [mutated(rng, rng.choice(HANDS), 1) for _ in range(rng.choice([2, 2, 2, 3, 4, 1]))]
    options: dict[str, Any] = {"game": rng.choice(names) if rng.random() < 0.95 else mutated(rng, rng.choice(names))}
    if rng.random() < 0.4:
        options["board"] = mutated(rng, dealt(rng, rng.choice([3, 4, 5])), 1)
    if rng.random() < 0.3:
        options["dead"] = mutated(rng, dealt(rng, rng.randint(1, 4)), 1)
    if rng.random() < 0.1:
        options["policy"] = mutated(rng, rng.choice(["pat", "standard"]), 1)
    return hands, options


def test_questions() -> None:
    names = sorted(games())
    good = 0
    for rng in cases(150, "questions"):
        hands, options = random_question(rng, names)
        options |= {"method": "monte-carlo", "deals": 64, "seed": rng.randrange(1 << 40)}
        found = answered(lambda h=hands, o=options: ps.equity(*h, **o), (hands, options))
        if found is not None:
            good += 1
            assert abs(sum(p.equity for p in found.players) - 1) < 1e-9
    assert good > 10


def test_stream() -> None:
    names = sorted(games())
    defaults = {"method": "monte-carlo", "deals": 64}
    odd: list[Any] = [None, True, -1, 0, 1.5, 10**40, "x", [], {}, [[]], float("inf"), "AhKd", ["AA"], {"a": [1]}]
    good = 0
    for rng in cases(150, "stream"):
        hands, options = random_question(rng, names)
        question: Any = {"hands": hands, "id": rng.choice(odd), **options}
        for _ in range(rng.choice([0, 0, 1, 2])):
            key = rng.choice([*question, "seed", "deals", "time", "stderr", "threads", "draws", "hand", "x"])
            question[key] = rng.choice(odd)
            if key in ("deals", "time", "stderr") and isinstance(question[key], (int, float)) and question[key] > 1:
                question[key] = 2  # not to wait for it
        line = json.dumps(question)
        if rng.random() < 0.3:
            line = mutated(rng, line)
        raw = line.encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            raw = raw[: rng.randint(0, len(raw))] + bytes([rng.randrange(256)]) + raw[rng.randint(0, len(raw)) :]
        with bounded(LIMIT, line):
            for shown, fine in stream.answers([raw], defaults):
                text = json.loads(shown)
                assert fine is ("error" not in text)
                good += fine
    assert good > 1


# -- variants ---------------------------------------------------------------------------------------------------------

FOLDER = Path(ps.__file__).parent / "simulate" / "games"


def test_variant_files(tmp_path: Path) -> None:
    texts = [file.read_text("utf-8") for file in sorted(FOLDER.glob("*.toml"))]
    words = sorted({word for text in texts for word in text.replace("=", " = ").split()})
    good = 0
    for i, rng in enumerate(cases(250, "variants")):
        lines = rng.choice(texts).split("\n")
        for _ in range(rng.choice([0, 1, 1, 2, 4])):
            at = rng.randrange(len(lines))
            kind = rng.randrange(5)
            if kind == 0:
                lines[at] = mutated(rng, lines[at])
            elif kind == 1:
                lines.pop(at)
                lines = lines or [""]
            elif kind == 2:
                lines.insert(at, rng.choice(rng.choice(texts).split("\n")))
            elif kind == 3:
                parts = lines[at].split(" ")
                parts[rng.randrange(len(parts))] = rng.choice(words)
                lines[at] = " ".join(parts)
            else:
                key = lines[at].split("=")[0]
                lines[at] = (
                    f"{key}= {rng.choice(['-1', '0', '1', '99', '10000000000', '[]', 'true', '1.5', '[[1]]', '{}'])}"
                )
        file = tmp_path / f"game{i % 7}.toml"
        text = "\n".join(lines)
        file.write_text(text, "utf-8")
        found = answered(lambda f=file: read_variant(f), text)
        if found is None:
            continue
        good += 1
        assert describe(found)
        assert rules_text(found, 80)
        question = lambda f=found: ps.equity("random", "random", game=f, method="monte-carlo", deals=16)  # noqa: E731
        answered(question, text)
    assert good > 20


# -- files ------------------------------------------------------------------------------------------------------------


def scored(raw: bytes, form: str, **options: Any) -> list[Any] | None:
    out = io.BytesIO()
    found = answered(
        lambda: score(["-"], stdin=io.BytesIO(raw), stdout=out, form=form, output_format="ndjson", **options),
        raw[:2000],
    )
    if found is None:
        return None
    rows = [json.loads(line) for line in out.getvalue().split(b"\n") if line]
    assert len(rows) == found.rows
    return rows


def random_row(rng: random.Random) -> dict[str, Any]:
    names = rng.sample(CARDS, 20)
    players = rng.randint(2, 4)
    row: dict[str, Any] = {
        "hands": ",".join("".join(names[2 * i : 2 * i + 2]) for i in range(players)),
        "board": "".join(names[10:15]),
        "pot": rng.choice([0, 1, 100, 10**9, 10**18, -5, "x", None, 1.5]),
    }
    if rng.random() < 0.4:
        row["contributions"] = ",".join(str(rng.choice([0, 1, 20, 10**12])) for _ in range(players))
        row.pop("pot")
    if rng.random() < 0.2:
        row["folded"] = rng.choice(["1", "9", "1,1", "x", "1,2,3,4", ""])
    if rng.random() < 0.2:
        row["button"] = rng.choice([0, 1, 99, -1, "x"])
    if rng.random() < 0.2:
        row["game"] = rng.choice(["omaha", "razz", "holdm", "", "stud"])
    for key in rng.sample(list(row), min(len(row), rng.choice([0, 0, 1]))):
        if isinstance(row[key], str):
            row[key] = mutated(rng, row[key], 1)
    return row


def test_tables() -> None:
    good = 0
    for rng in cases(150, "tables"):
        rows = [random_row(rng) for _ in range(rng.randint(1, 6))]
        form = rng.choice(["csv", "ndjson"])
        if form == "csv":
            names = list(dict.fromkeys(key for row in rows for key in row))
            lines = [",".join(names)]
            lines += [",".join('"{}"'.format(str(row.get(n, "")).replace('"', '""')) for n in names) for row in rows]
            text = "\n".join(lines) + rng.choice(["", "\n"])
        else:
            text = "\n".join(json.dumps(row) for row in rows)
        plain = text
        if rng.random() < 0.5:
            text = mutated(rng, text)
        raw = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            at = rng.randint(0, len(raw))
            raw = raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
        found = scored(raw, form, words=rng.random() < 0.2, pots=rng.random() < 0.2, halves=rng.random() < 0.2)
        if raw == plain.encode():
            assert found is not None, text
            assert len(found) == len(rows), text
        for row in found or ():
            if not row.get("error"):
                good += 1
    assert good > 20


PHH = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 2
starting_stacks = [110, 420, 80]
actions = [
  "d dh p1 7h6h", "d dh p2 AsKd", "d dh p3 QcQd",
  "p3 cbr 12", "p1 f", "p2 cc",
  "d db 8d2c9s", "p2 cc", "p3 cbr 20", "p2 cc",
  "d db Qs", "p2 cc", "p3 cbr 48", "p2 cc",
  "d db 3h", "p2 sm AsKd", "p3 sm QcQd",
]
finishing_stacks = [108, 340, 162]
"""


def test_hand_histories() -> None:
    assert scored(PHH.encode(), "phh", verify=True)
    for rng in cases(150, "hand histories"):
        lines = PHH.split("\n")
        for _ in range(rng.choice([0, 1, 2, 3])):
            at = rng.randrange(len(lines))
            kind = rng.randrange(4)
            if kind == 0:
                lines[at] = mutated(rng, lines[at])
            elif kind == 1:
                lines.pop(at)
                lines = lines or [""]
            elif kind == 2:
                lines.insert(at, rng.choice(lines))
            else:
                parts = lines[at].split(" ")
                parts[rng.randrange(len(parts))] = rng.choice(PIECES)
                lines[at] = " ".join(parts)
        raw = "\n".join(lines).encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            at = rng.randint(0, len(raw))
            raw = raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
        scored(raw, "phh", verify=True, ev=rng.random() < 0.3)


# -- sizes that would explode -----------------------------------------------------------------------------------------

MEGABYTE = 1 << 20

HUGE: dict[str, tuple[list[str], dict[str, str]]] = {
    # Arguments, and files to be written first; the file "-" is standard input.
    "twenty ranges, exact": (["equity", *["22+"] * 20, "-m", "exact"], {}),
    "unknown hands, exact": (["equity", *["random"] * 9, "-m", "exact"], {}),
    "a hand and three unknown, exact": (["equity", "AsKs", *["random"] * 3, "-m", "exact"], {}),
    "six-card Omaha, exact": (["equity", "-g", "omaha6", *["random"] * 7, "-m", "exact"], {}),
    "six-card Omaha on a flop, exact": (["equity", "-g", "omaha6", *["random"] * 3, "-b", "2c7d9h", "-m", "exact"], {}),
    "ranges of six-card Omaha, exact": (["equity", "-g", "omaha6", *["AAxx"] * 4, "-m", "exact"], {}),
    "more players than cards": (["equity", *["random"] * 500], {}),
    "triple draw, exact": (["equity", "-g", "triple-draw", "random", "random", "random", "-m", "exact"], {}),
    "stud, exact": (["equity", "-g", "stud", *["random"] * 7, "-m", "exact"], {}),
    "nested parentheses": (["range", "(" * 100_000 + "AA"], {}),
    "a chain of parentheses": (["range", "(" * 20_000 + "AA" + ")" * 20_000], {}),
    "brackets": (["range", "[" * 100_000], {}),
    "many cards": (["evaluate", "As" * 60_000], {}),
    "many hands": (["evaluate", *["AsKs"] * 3000, "-g", "holdem"], {}),
    "a TOML of a megabyte": (["games", "big.toml"], {"big.toml": "# x\n" * (MEGABYTE // 4)}),
    "a nested TOML": (["games", "deep.toml"], {"deep.toml": "x = " + "[" * 30_000}),
    "a dotted TOML": (["games", "dots.toml"], {"dots.toml": "a" + ".a" * 30_000 + " = 1"}),
    "a TOML like itself": (["games", "self.toml"], {"self.toml": 'like = "self.toml"\n'}),
    "a TOML of many streets": (
        ["equity", "-g", "long.toml", "random", "random", "--deals", "10"],
        {"long.toml": 'title = "x"\nfamily = "home"\nseats = 2\n' + "[[street]]\ndown = 1\n" * 3000},
    ),
    "deep JSON": (["score", "deep.ndjson"], {"deep.ndjson": '{"hands":' + "[" * 200_000 + "\n"}),
    "a line of JSON without end": (["score", "long.ndjson"], {"long.ndjson": '{"hands": "' + "AsKs," * 200_000}),
    "a cell without end": (["score", "long.csv"], {"long.csv": "hands,board\n" + '"' + "AsKs," * 200_000}),
    "very many columns": (["score", "wide.csv"], {"wide.csv": ",".join(f"c{i}" for i in range(5000)) + "\n1\n"}),
    "deep TOML in a hand history": (["score", "deep.phh"], {"deep.phh": "x = " + "[" * 30_000}),
    "a hand history of many actions": (
        ["score", "long.phh"],
        {"long.phh": 'variant = "NT"\nactions = [' + '"d dh p1 7h6h", ' * 100_000 + "]\n"},
    ),
    "a range of megabytes": (
        ["equity", "--stream"],
        {"-": json.dumps({"hands": ["(" + "AKs,QQ+,72o@5," * 300_000 + "AA)", "KK"]}) + "\n"},
    ),
    "a question of many hands": (["equity", "--stream"], {"-": json.dumps({"hands": ["22+"] * 200_000}) + "\n"}),
    "a question of many keys": (
        ["equity", "--stream"],
        {"-": json.dumps({"hands": ["AA", "KK"]} | {f"k{i}": 1 for i in range(100_000)}) + "\n"},
    ),
    "a question without an end": (["equity", "--stream"], {"-": '{"hands": ["' + "AA," * (3 * MEGABYTE)}),
    "a deep question": (["equity", "--stream"], {"-": "[" * 1_000_000 + "\n"}),
    "a deep run to merge": (["merge", "deep.json", "deep.json"], {"deep.json": "[" * 1_000_000}),
}


def little() -> None:
    """Two gigabytes of memory and some seconds."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
@pytest.mark.parametrize("name", HUGE)
def test_sizes_that_would_explode(name: str, tmp_path: Path) -> None:
    arguments, files = HUGE[name]
    for file, text in files.items():
        (tmp_path / file).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "potshare", *arguments], capture_output=True, text=True, timeout=600, cwd=tmp_path,
        preexec_fn=little, env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "2"},
        input=files.get("-", ""),
    )  # fmt: skip
    assert done.returncode in (1, 2), (done.returncode, done.stderr[-2000:])
    assert "Traceback" not in done.stderr
    # A stream says what is wrong in its answer.
    said = json.loads(done.stdout)["error"] if "--stream" in arguments else done.stderr
    assert said.strip()
    assert len(said) < 4000
    assert "MemoryError" not in said + done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
@pytest.mark.parametrize(
    "arguments",
    [
        ["equity", "-g", "omaha6", *["random"] * 7, "--deals", "1000"],
        ["equity", *["22+"] * 10, "--deals", "1000"],
        ["equity", *["random"] * 23, "--deals", "1000"],
        ["equity", "-g", "omaha6", "AAxx", "KKxx", "random", "--deals", "1000"],
        ["equity", "-g", "big-o", *["*!AA"] * 3, "--deals", "1000"],
    ],
    ids=lambda arguments: " ".join(arguments)[:50],
)
def test_large_questions_are_sampled(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "potshare", *arguments, "-f", "json"], capture_output=True, text=True, timeout=600,
        cwd=tmp_path, preexec_fn=little, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert abs(sum(p["equity"] for p in json.loads(done.stdout)["players"]) - 1) < 1e-9


# -- nothing is executed ----------------------------------------------------------------------------------------------


class Trap:
    """What makes a file when it is unpickled."""

    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self) -> Any:
        return Path.touch, (self.made,)


def test_no_content_of_a_file_is_executed(tmp_path: Path) -> None:
    made = tmp_path / "made"
    words = [
        f"$(touch {made})", f"`touch {made}`", f"; touch {made}", f"| touch {made}", f"=cmd|'/c touch {made}'!A1",
        f"__import__('pathlib').Path('{made}').touch()", f"{{{{open('{made}', 'w')}}}}", f"%(open('{made}','w'))s",
        f"!!python/object/apply:os.system ['touch {made}']", f"file://{made}", f"<(touch {made})",
    ]  # fmt: skip
    folder = tmp_path / "files"
    folder.mkdir()
    asked: list[tuple[list[str], str]] = []
    for i, word in enumerate(words):
        quoted = '"' + word.replace('"', '""') + '"'
        (folder / f"{i}.csv").write_text(f"board,hands,pot,game\n{quoted},{quoted},{quoted},{quoted}\n")
        (folder / f"{i}.ndjson").write_text(json.dumps(dict.fromkeys(("board", "hands", "pot", "game"), word)) + "\n")
        (folder / f"{i}.phh").write_text(f"variant = {json.dumps(word)}\nactions = [{json.dumps(word)}]\n")
        (folder / f"{i}.toml").write_text(f"like = {json.dumps(word)}\ntitle = {json.dumps(word)}\n")
        (folder / f"{i}.json").write_text(json.dumps({"schema": 1, "game": word, "players": [word]}))
        for ending in ("csv", "ndjson", "phh"):
            asked.append((["score", f"{i}.{ending}"], ""))
        asked.append((["merge", f"{i}.json", f"{i}.json"], ""))
        asked.append((["games", f"{i}.toml"], ""))
        asked.append((["equity", word, word, "-g", word, "-b", word], ""))
        asked.append((["range", word], ""))
        asked.append((["evaluate", word], ""))
        asked.append((["equity", "--stream"], json.dumps({"hands": [word, word], "game": word, "board": word}) + "\n"))
    for ending in ("parquet", "csv", "json", "phh", "toml"):
        (folder / f"trap.{ending}").write_bytes(pickle.dumps(Trap(made)))
    asked += [(["score", f"trap.{ending}"], "") for ending in ("parquet", "csv", "phh")]
    asked += [(["merge", "trap.json", "trap.json"], ""), (["games", "trap.toml"], "")]
    before = sorted(folder.iterdir())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for arguments, text in asked:
            done = CliRunner().invoke(cli.cli, arguments, input=text)
            assert done.exit_code != 0, arguments
            assert done.exception is None or isinstance(
                done.exception, (SystemExit, PotshareError, click.ClickException)
            ), (arguments, done.exception)
    assert not made.exists()
    assert sorted(folder.iterdir()) == before
    # The trap is one.
    pickle.loads((folder / "trap.json").read_bytes())
    assert made.exists()


def test_a_table_is_not_unpickled(tmp_path: Path) -> None:
    made = tmp_path / "made"
    folder = tmp_path / "data"
    shutil.copytree(tables.DATA, folder)
    file = folder / "high.value.npy"
    file.unlink()
    np.save(file, np.array([Trap(made)], object), allow_pickle=True)
    with pytest.raises(TableError, match="reinstall"):
        tables.load("high.value", folder)
    assert not made.exists()

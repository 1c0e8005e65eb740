"""Questions and answers as lines of JSON, so that a program pays the start-up once.

A question is an object such as `{"hands": ["AhKd", "QQ+"], "board": "Qh7d2c", "id": 7}`; every key but `hands` may
be left out: `game`, `board`, `dead`, `method`, `stderr`, `deals`, `time`, `seed`, `first_block`, `threads`, `policy`,
`draws`, and `id`, which comes back with the answer. An answer is the JSON of `equity`, or
`{"id": ..., "error": "..."}`.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from potshare.errors import PotshareError
from potshare.simulate.equity import equity

_TEXT, _WHOLE, _NUMBER = (str,), (int,), (int, float)
_WORDS = {_TEXT: "a text", _WHOLE: "a whole number", _NUMBER: "a number"}
_KEYS: dict[str, tuple[type, ...]] = {
    "game": _TEXT, "board": _TEXT, "dead": _TEXT, "method": _TEXT, "stderr": _NUMBER, "deals": _WHOLE, "time": _NUMBER,
    "seed": _WHOLE, "first_block": _WHOLE, "threads": _WHOLE, "policy": _TEXT, "draws": _WHOLE,
}  # fmt: skip
_encode = json.JSONEncoder(separators=(",", ":")).encode


def _check(question: Any) -> tuple[list[str], dict[str, Any]]:
    if not isinstance(question, dict):
        raise PotshareError('a question is an object, as in {"hands": ["AA", "KK"]}')
    hands = question.pop("hands", None)
    if not isinstance(hands, list) or not all(isinstance(hand, str) for hand in hands):
        raise PotshareError('"hands" must be a list of texts, as in {"hands": ["AA", "KK"]}')
    for key, value in question.items():
        kinds = _KEYS.get(key)
        if kinds is None:
            near = difflib.get_close_matches(key, [*_KEYS, "hands", "id"], n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"keys are hands, {', '.join(_KEYS)} and id"
            raise PotshareError(f"there is no key '{key}'; {hint}")
        if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise PotshareError(f'"{key}" must be {_WORDS[kinds]}')
    return hands, {key: value for key, value in question.items() if value is not None}


def answer(line: bytes | str, defaults: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The answer to one line, and whether it is one: otherwise it says what is wrong with the question."""
    name: dict[str, Any] = {}
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"this line is not JSON: {error}"}, False
    if isinstance(question, dict) and "id" in question:
        name["id"] = question.pop("id")
    try:
        hands, options = _check(question)
        return name | equity(*hands, **{**defaults, **options}).to_dict(), True
    except PotshareError as error:
        return name | {"error": str(error)}, False
    except Exception as error:
        # A fault of this program; the questions that follow are answered all the same.
        return name | {"error": f"this should not happen, please report it: {error!r}"}, False


def answers(lines: Iterable[bytes | str], defaults: Mapping[str, Any] | None = None) -> Iterator[tuple[bytes, bool]]:
    """A line of JSON for each line of questions, in order, and whether it is an answer; empty lines are passed over.

    `defaults` are the arguments of `equity` where a question has none of its own. A question that fails does not
    stop the others. A line is answered before the next one is read.
    """
    chosen = {key: value for key, value in (defaults or {}).items() if value is not None}
    for line in lines:
        if line.strip():
            found, good = answer(line, chosen)
            yield (_encode(found) + "\n").encode(), good

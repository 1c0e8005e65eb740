"""The command line: parse, call, print. Everything that computes lives below and never prints.

Heavy modules are imported inside the commands, so that `--help` and completion import neither numba nor numpy.
Exit status: 0 with an answer, 2 for a bad question (one message on standard error), 130 after Ctrl-C.
"""

from __future__ import annotations

import _thread
import codecs
import csv
import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from potshare import __version__
from potshare.errors import PotshareError

if TYPE_CHECKING:
    from types import FrameType

    from rich.table import Table

    from potshare.bench.throughput import Row as BenchRow
    from potshare.evaluator.evaluate import Comparison
    from potshare.simulate.answer import Equity, Report
    from potshare.simulate.ranges import Range
    from potshare.simulate.scoring.run import Progress, Summary

F = Callable[..., Any]

INTERRUPTED = 130


class _Group(click.Group):
    """Prints errors of the package as one message, knows near names of commands, keeps help order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and self.get_command(ctx, name) is None and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, self.commands, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"commands are {', '.join(self.commands)}"
            raise click.UsageError(f"there is no command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PotshareError as error:
            raise _Refusal(str(error)) from error


class _Refusal(click.ClickException):
    """A bad question: one message, exit status 2."""

    exit_code = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the `potshare` script and of `python -m potshare`."""
    if arguments is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _press)
        sys.unraisablehook = _ignored
    code = _run(None if arguments is None else list(arguments))
    if arguments is None:
        # All is said: Ctrl-C while the interpreter goes down would only make it complain.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


_pressed: list[int] = []


def _press(number: int, frame: FrameType | None) -> None:
    # In an import the exception may get lost (some extension modules of numpy pass over it), or become another one.
    # Libraries that call back into Python may turn it into one of their own, too.
    _pressed.append(number)
    while frame is not None and frame.f_code is not main.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            _press_again()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _press_again() -> None:
    # Soon, when what does not hear it may be over.
    def wait() -> None:
        time.sleep(0.01)
        _thread.interrupt_main()

    _thread.start_new_thread(wait, ())


def _ignored(lost: sys.UnraisableHookArgs) -> None:
    # In callbacks and finalizers an exception is only written about and then lost.
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _press_again()
    else:
        sys.__unraisablehook__(lost)


@contextmanager
def _whole_writes() -> Iterator[None]:
    # Python unbuffered (PYTHONUNBUFFERED, as in many containers) takes no notice of a write that was cut short by a
    # full disk or by a reader who has left.
    before = sys.stdout
    raw = getattr(before, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        yield
        return
    buffer = io.BufferedWriter(raw)
    whole = sys.stdout = io.TextIOWrapper(buffer, before.encoding, before.errors)
    try:
        yield
    finally:
        _flush(whole)
        whole.detach()
        buffer.detach()
        sys.stdout = before


def _flush(file: IO[str]) -> None:
    try:
        file.flush()
    except OSError:
        # It has been told.
        _drop_output()
        file.flush()


def _run(arguments: list[str] | None) -> int:
    with _whole_writes():
        _print_anything()
        code = _status(arguments)
        _flush(sys.stdout)
        return code


def _status(arguments: list[str] | None) -> int:
    # Runs a command; what went wrong is told.
    try:
        try:
            code = cli.main(args=arguments, prog_name="potshare", standalone_mode=False)
        except SystemExit as ended:
            code = ended.code
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        click.echo(f"Error: {error}", err=True)
        return 1
    except Exception:
        if not _pressed:
            raise
        click.echo("interrupted", err=True)
        return INTERRUPTED


def _drop_output() -> None:
    # Nothing more can be written: the reader of a pipe has left, or the disk is full. Python would complain once
    # more when it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_anything() -> None:
    # Streams that are closed at the start are None. And a console without suit symbols shows the cards that somebody
    # wrote with them in letters.
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115

    def letters(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        found = error.object[error.start : error.end].translate(_LETTERS)
        return "".join(c if c.isascii() else "?" for c in found), error.end

    codecs.register_error("potshare", letters)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="potshare")


_LETTERS = str.maketrans("\u2663\u2666\u2665\u2660\u2667\u2662\u2661\u2664", "cdhscdhs", "\ufe0f")


def _show(error: click.ClickException) -> None:
    # One voice: what click finds wrong is said as the package says what it finds wrong.
    if error.format_message().startswith("Usage:"):  # no arguments: the help
        error.show()
        return
    text = error.format_message().rstrip(".").replace(". Did you", "; did you").replace(". (Did you", " (did you")
    if isinstance(error, click.UsageError):
        text = text[:1].lower() + text[1:]
        if error.ctx is not None:
            text += f"\nsee {error.ctx.command_path} --help"
    click.echo(f"Error: {text}", err=True)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example:  potshare equity AKs QQ+ --board Th9c2d",
)
@click.version_option(__version__, "-V", "--version", prog_name="potshare")
def cli() -> None:
    """Poker equities and hand values: exact where they can be counted, sampled with an honest error otherwise."""


# -- completion -----------------------------------------------------------------------------------------------------

RANKINGS = (
    "high", "high-partial", "ace-to-five", "ace-to-five-partial", "eight-or-better", "deuce-to-seven", "badugi",
    "short-deck", "short-deck-trips", "three-card", "three-card-casino", "two-card-high", "two-card-low", "high-spade",
    "high:2", "high:joker", "high:jokers", "high:bug",
)  # fmt: skip
"""The names of `evaluator.rankings`, whose import takes too long for a shell that waits for the tab key."""


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simulate", "games")
    return _begin(sorted(name.removesuffix(".toml") for name in os.listdir(folder)), incomplete)


def _complete_ranking(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return _begin(RANKINGS, incomplete)


def _complete_policy(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from potshare.simulate.variants import find_variant

    try:
        own = [policy.name for policy in find_variant(ctx.params.get("game") or "draw").policies]
    except PotshareError:
        own = []
    return _begin(dict.fromkeys(["standard", "pat", "best", *own]), incomplete)


# -- shared options -------------------------------------------------------------------------------------------------


def _format_option(*names: str) -> Callable[[F], F]:
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="How to print it.",
    )


class _Once(click.Option):
    """An option that is given once or not at all: of several values the parser would take the last without a word."""

    def __init__(self, names: Sequence[str], default: str | None = None, **options: Any) -> None:
        super().__init__(names, multiple=True, default=(), **options)
        self._absent = default

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The one value, or the default."""
        found = super().process_value(ctx, value)
        if len(found) > 1:
            joined = f": {self.opts[0]} {''.join(found)}" if self.opts[0] in ("-b", "-d") else ""
            raise click.UsageError(f"{self.opts[0]} is given {len(found)} times; write it once{joined}", ctx)
        return found[0] if found else self._absent


def _game_option(function: F) -> F:
    return click.option(
        "-g",
        "--game",
        cls=_Once,
        default="holdem",
        metavar="GAME",
        shell_complete=_complete_game,
        help="The variant; see `potshare games`.  [default: holdem]",
    )(function)


def _board_options(function: F) -> F:
    dead = click.option("-d", "--dead", cls=_Once, default="", metavar="CARDS", help="Cards known to be out of play.")
    return click.option("-b", "--board", cls=_Once, default="", metavar="CARDS", help="Community cards so far.")(
        dead(function)
    )


_threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Threads to use.  [default: all cores]"
)

_policy_option = click.option(
    "--policy",
    metavar="P",
    shell_complete=_complete_policy,
    help="How cards are drawn or discarded: standard, pat, best; see `potshare games NAME`.",
)


# -- printing -------------------------------------------------------------------------------------------------------


def _console(**options: Any) -> Any:
    from rich.console import Console

    # What goes into a pipe is as wide as it needs to be; rich would fold and cut it at 80 columns.
    width = None if sys.stdout.isatty() else 10_000
    return Console(width=width, highlight=False, soft_wrap=False, **options)


def _print_table(table: Table) -> Any:
    from potshare.pictures import fit

    console = _console()
    console.print(fit(table, console))
    return console


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _write_csv(rows: Iterable[dict[str, Any]]) -> None:
    rows = list(rows)
    buffer = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(buffer, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(buffer.getvalue(), nl=False)


def _write_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=1))


def _percent(x: float, digits: int = 2) -> str:
    return f"{100 * x:.{digits}f}%"


class _Live:
    """One line on standard error while a question takes long; silent unless that is a terminal."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._last = self._started + 0.3  # a quick answer needs no line
        self._width = 0
        self._first: tuple[float, float, int] | None = None

    def compiling(self) -> None:
        """Says that compiled code is not in the cache yet."""
        if self._terminal:
            from potshare.late import WHEN_COLD

            WHEN_COLD.append(lambda: self._write("compiling, once on this machine ..."))

    def __call__(self, report: Report) -> None:
        now = time.monotonic()
        if self._first is None:
            # What came before, compiling above all, says nothing about what is left.
            self._first = now, report.done, report.deals
        if not self._terminal or now - self._last < 0.1:
            return
        self._last = now
        since, done, deals = self._first
        spent = now - since
        parts = [f"{100 * report.done:3.0f} %"]
        if report.equities:
            parts.append(" ".join(_percent(e) for e in report.equities[:8]))
        if report.stderr is not None:
            parts.append(f"+/- {_percent(report.stderr, 3)}")
        if report.deals > deals and spent > 0:
            parts.append(f"{(report.deals - deals) / spent / 1e6:.1f} M deals/s")
        if done < report.done < 1:
            parts.append(f"{spent * (1 - report.done) / (report.done - done):.0f} s left")
        self._write("  ".join(parts))

    def restart(self) -> None:
        """Something else begins, whose time is counted anew."""
        self._started = time.monotonic()
        self._last = self._started + 0.3
        self._first = None

    def done(self, share: float) -> None:
        """The line of a picture that takes long."""
        if self._terminal:
            from potshare.simulate.answer import Report

            self(Report(share))

    def rows(self, progress: Progress) -> None:
        """The line of a long table: rows, rate, time left."""
        now = time.monotonic()
        if not self._terminal or now - self._last < 0.1:
            return
        self._last = now
        spent = now - self._started
        parts = [f"{progress.rows:,} rows", f"{progress.rows / spent:,.0f} rows/s"]
        if progress.done:
            bar = "#" * round(20 * progress.done)
            parts = [f"[{bar:<20}] {100 * progress.done:3.0f} %", *parts]
            parts.append(f"{spent * (1 - progress.done) / progress.done:.0f} s left")
        self._write("  ".join(parts))

    def _write(self, text: str) -> None:
        columns = _terminal_width()
        text = text[: columns - 1]
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        """Clears the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


# -- equity ---------------------------------------------------------------------------------------------------------


class _EquityCommand(click.Command):
    """`--runouts` without a number means one card: click would take the next hand for the number."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        for i in [i for i, word in enumerate(options) if word == "--runouts"]:
            following = args[i + 1 : i + 2]
            if following and following[0].isdigit() and following[0] not in ("1", "2"):
                raise click.UsageError(f"--runouts shows the next card or the next 2, not {following[0]}", ctx)
            if following not in (["1"], ["2"]):
                args = [*args[:i], "--runouts=1", *args[i + 1 :]]
        return super().parse_args(ctx, args)


@cli.command(cls=_EquityCommand, epilog="Example:  potshare equity AcAs KhKd -b Qh7d2c")
@click.argument("hands", nargs=-1, metavar="HAND HAND...")
@_game_option
@_board_options
@click.option(
    "-m", "--method", type=click.Choice(["auto", "exact", "monte-carlo"]), default="auto", show_default=True,
    help="Count, sample, or whichever fits.",
)  # fmt: skip
@click.option("--stderr", type=float, metavar="X", help="Sample until every equity's standard error is at most X.")
@click.option("--deals", type=click.IntRange(min=1), metavar="N", help="Sample N deals.")
@click.option("--time", "seconds", type=float, metavar="S", help="Sample for at most S seconds.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of the sampling.  [default: a new one]")
@click.option(
    "--first-block", type=click.IntRange(min=0), default=0, metavar="N",
    help="Go on behind another run of the seed, at its first block plus its blocks; see `potshare merge`.",
)  # fmt: skip
@_threads_option
@click.option(
    "--cluster", metavar="ADDRESS|local",
    help="Sample on a dask.distributed cluster, with the same answer; what can be counted is counted here.",
)  # fmt: skip
@_policy_option
@click.option("--draws", type=click.IntRange(min=1), metavar="N", help="Draws still to come.  [default: all]")
@click.option("--categories", is_flag=True, help="How often each player ends with each category; one HAND will do.")
@click.option(
    "--runouts", type=click.IntRange(1, 2), metavar="[1|2]", help="Equity after every next card, or the next two."
)
@click.option("--streets", is_flag=True, help="Equity street by street up to the board.")
@click.option("--grid", is_flag=True, help="Equity of every starting hand in place of the first HAND (or against one).")
@click.option("--html", metavar="FILE", help="Write the grid as a web page that needs nothing else.")
@click.option("--stream", is_flag=True, help="Answer questions from standard input, a JSON object a line.")
@_format_option("table", "json", "csv")
def equity(
    hands: tuple[str, ...], game: str, board: str, dead: str, method: str, stderr: float | None, deals: int | None,
    seconds: float | None, seed: int | None, first_block: int, threads: int | None, cluster: str | None,
    policy: str | None, draws: int | None, categories: bool, runouts: int | None, streets: bool, grid: bool,
    html: str | None, stream: bool, form: str,
) -> None:  # fmt: skip
    """The share of the pot each player can expect.

    A HAND is one holding (AhKd), a range (QQ+,AKs), or `random`. In games with a draw it may be written
    KEPT/DISCARDED (2c3d4h7s/Kd); fewer cards than are dealt are what was kept.
    """
    common: dict[str, Any] = {
        "game": game, "board": board, "dead": dead, "method": method, "deals": deals, "seed": seed, "threads": threads,
    }  # fmt: skip
    more: dict[str, Any] = {"stderr": stderr, "time": seconds, "policy": policy, "draws": draws}
    if html == "":
        raise click.UsageError("--html needs the name of a file")
    if stream:
        pictures_wanted = {
            "--categories": categories, "--runouts": runouts, "--streets": streets, "--grid": grid, "--html": html,
        }  # fmt: skip
        for option, given in pictures_wanted.items():
            if given:
                raise click.UsageError(f"--stream answers with equities alone; leave out {option}")
        if form == "csv":
            raise click.UsageError("--stream answers in JSON, a line each; leave out -f csv")
        if cluster:
            raise click.UsageError("--stream answers on this machine; leave out --cluster")
        _stream(hands, common | more | {"first_block": first_block})
        return
    if not hands:
        raise click.UsageError("a hand is missing, as in: potshare equity AcAs KhKd")
    chosen = {"categories": categories, "runouts": bool(runouts), "streets": streets, "grid": grid or html is not None}
    wanted = [name for name, on in chosen.items() if on]
    if form == "csv" and len(wanted) > 1:
        raise click.UsageError(f"csv prints one table: choose one of --{' and --'.join(wanted)}")
    if cluster and wanted:
        raise click.UsageError(f"--cluster is for the equity of the hands alone; leave out --{' and --'.join(wanted)}")
    live = _Live()
    live.compiling()
    answer: Equity | None = None
    pictures: dict[str, Any] = {}
    if wanted:
        from potshare.simulate.variants import find_variant
        from potshare.simulate.views.picture import check_picture

        for name in wanted:
            check_picture(name, find_variant(game))
    try:
        # Categories and the grid need no opponent.
        if len(hands) > 1 or not (categories or chosen["grid"]) or runouts or streets:
            from potshare.simulate.answer import Interrupted
            from potshare.simulate.equity import equity as ask

            try:
                answer = ask(*hands, **common, **more, first_block=first_block, cluster=cluster, progress=live)
            except Interrupted as early:
                answer = early.answer
        if wanted and seed is None:
            from potshare.simulate.equity import new_seed

            # One seed for all, so that it gives all of them again.
            common["seed"] = new_seed() if answer is None or answer.seed is None else answer.seed
        if answer is None or answer.stop != "interrupted":
            for name, found in _ask_pictures(hands, wanted, runouts, common, more, live):
                pictures[name] = found
    except KeyboardInterrupt:
        # What is done is shown all the same.
        if form == "csv" or (answer is None and not pictures):
            raise
    finally:
        live.close()
    missing = [name for name in wanted if name not in pictures]
    if html and "grid" in pictures:
        from potshare.simulate.views.page import write_page

        write_page(html, pictures["grid"])
    if form == "json":
        _write_json(_with_pictures(answer, pictures) | ({"missing": missing} if missing else {}))
    elif form == "csv":
        _write_csv(_picture_rows(pictures) if pictures else _equity_rows(answer) if answer else [])
    else:
        if answer is not None:
            _print_equity(answer)
        _print_pictures(pictures, first=answer is None)
    if missing:
        click.echo(f"interrupted; not shown: {', '.join(missing)}", err=True)
    if missing or (answer is not None and answer.stop == "interrupted"):
        sys.exit(INTERRUPTED)


def _ask_pictures(
    hands: tuple[str, ...], wanted: Sequence[str], ahead: int | None, common: dict[str, Any], more: dict[str, Any],
    live: _Live,
) -> Iterator[tuple[str, Any]]:  # fmt: skip
    if "categories" in wanted:
        from potshare.simulate.views.categories import categories

        live.restart()
        yield "categories", categories(hands, **common, **more, progress=live.done)
    if "runouts" in wanted:
        from potshare.simulate.views.runouts import runouts

        live.restart()
        yield "runouts", runouts(hands, ahead or 1, **common, **more, progress=live.done)
    if "streets" in wanted:
        from potshare.simulate.views.runouts import streets

        yield "streets", streets(hands, **common, **more)
    if "grid" in wanted:
        from potshare.simulate.views.grid import grid

        # One hand alone stands for the opponent.
        live.restart()
        yield "grid", grid(hands[1:] or hands, **common, **more, progress=live.done)


def _with_pictures(answer: Equity | None, pictures: dict[str, Any]) -> dict[str, Any]:
    heads = ("schema", "version", "game", "board", "dead")
    known: dict[str, Any] = {
        name: [part.to_dict() for part in found] if name == "streets" else found.to_dict()
        for name, found in pictures.items()
    }
    whole: dict[str, Any] = answer.to_dict() if answer else {k: next(iter(known.values()))[k] for k in heads}
    for name, value in known.items():
        whole[name] = value if isinstance(value, list) else {k: v for k, v in value.items() if k not in heads}
    return whole


def _picture_rows(pictures: dict[str, Any]) -> Iterable[dict[str, Any]]:
    from potshare import pictures as draw

    ((name, found),) = pictures.items()
    rows: dict[str, Callable[[Any], Iterable[dict[str, Any]]]] = {
        "categories": draw.category_rows, "runouts": draw.runout_rows, "streets": draw.street_rows,
        "grid": draw.grid_rows,
    }  # fmt: skip
    return rows[name](found)


def _print_pictures(pictures: dict[str, Any], first: bool) -> None:
    if not pictures:
        return
    from rich.table import Table

    from potshare import pictures as draw

    console = _console()
    block = "\u2588" if console.is_terminal and _can_print("\u2588") else "#"
    for name, found in pictures.items():
        if not first:
            console.print()
        first = False
        if name == "categories":
            parts = draw.categories(found, console, block)
        elif name == "runouts":
            parts = draw.runouts(found, console, block)
        elif name == "streets":
            parts = draw.streets(found)
        else:
            parts = draw.grid(found, console)
        for part in parts:
            console.print(draw.fit(part, console) if isinstance(part, Table) else part)
        if name != "streets":
            console.print(f"[dim]{_escape(_picture_line(found))}[/]")


def _picture_line(found: Any) -> str:
    parts = [found.game]
    if found.board:
        parts.append("board " + "".join(found.board))
    if found.dead:
        parts.append("dead " + "".join(found.dead))
    if found.policy is not None:
        parts.append(f"policy {found.policy}")
    parts.append("exact" if found.method == "exact" else f"Monte Carlo, seed {found.seed}")
    if hasattr(found, "deals"):
        parts.append(f"{found.deals:,} deals")
    if found.method != "exact":
        parts.append(f"standard error up to {_percent(found.stderr, 3)}")
    return ", ".join([*parts, _duration(found.seconds)])


def _stream(hands: tuple[str, ...], defaults: dict[str, Any]) -> None:
    if hands:
        raise click.UsageError('with --stream the hands come from standard input, as in: {"hands": ["AA", "KK"]}')
    from potshare.simulate.stream import answers
    from potshare.simulate.streams import lines

    failed = False
    out = sys.stdout.buffer
    for line, good in answers(lines(sys.stdin.buffer), defaults):
        failed = failed or not good
        out.write(line)
        # Whoever asks line by line waits for the answer.
        out.flush()
    if failed:
        sys.exit(1)


def _equity_rows(answer: Equity) -> Iterable[dict[str, Any]]:
    for player in answer.players:
        row: dict[str, Any] = {
            "hand": player.hand,
            "equity": player.equity,
            "stderr": player.stderr,
            "win": player.win,
            "tie": player.tie,
            "lose": player.lose,
            "deals": answer.deals,
            "method": answer.method,
        }
        if len(player.halves) > 1:
            row |= {name: half.equity for name, half in player.halves.items()}
        yield row


def _print_equity(answer: Equity) -> None:
    from potshare import pictures as draw

    console = _console()
    table = _equity_table(answer, bars=console.is_terminal)
    if draw.excess(table, console) > 0:
        table = _equity_table(answer, bars=False)
    console.print(draw.fit(table, console))
    known = []
    if answer.board:
        known.append("board " + "".join(answer.board))
    if answer.dead:
        known.append("dead " + "".join(answer.dead))
    how = [f"exact by {answer.algorithm}"]
    deals = [f"{answer.deals:,} deals"]
    if answer.sampling is not None:
        seeds = [str(seed) for seed in dict.fromkeys(source.seed for source in answer.sampling.sources)]
        seed = f"seed {seeds[0]}" if len(seeds) == 1 else f"{len(seeds)} seeds"
        how = ["Monte Carlo", seed, answer.stop if answer.stop == "merged" else f"stopped by {answer.stop}"]
        if answer.sampling.acceptance is not None:
            deals.append(f"{_percent(answer.sampling.acceptance)} of draws accepted")
        deals.append(f"{answer.sampling.rate / 1e6:.1f} M deals/s")
    if answer.policy is not None:
        known.append(f"policy {answer.policy}")
    line = ", ".join([answer.game, *known, *how, *deals, _duration(answer.seconds)])
    console.print(f"[dim]{_escape(line)}[/]")


def _equity_table(answer: Equity, bars: bool) -> Table:
    from rich.table import Table

    sampled = answer.method == "monte-carlo"
    split = len(answer.players[0].halves) > 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Hand", overflow="ellipsis" if _can_print("\u2026") else "crop", max_width=44, no_wrap=True)
    for name in [
        "Equity",
        *(["Error"] if sampled else []),
        "Scoop" if split else "Win",
        "Tie" if not split else "Part",
    ]:
        table.add_column(name, justify="right", no_wrap=True)
    if split:
        for name in answer.players[0].halves:
            table.add_column(name.capitalize(), justify="right", no_wrap=True)
    if bars:
        table.add_column("")
    block = "\u2588" if _can_print("\u2588") else "#"
    best = max(p.equity for p in answer.players)
    for player in answer.players:
        cells = [player.hand, f"[bold]{_percent(player.equity)}[/]"]
        if sampled:
            cells.append(_percent(player.stderr, 3))
        cells += [_percent(player.win), _percent(player.tie)]
        if split:
            cells += [_percent(half.equity) for half in player.halves.values()]
        if bars:
            colour = "green" if player.equity == best else "blue"
            cells.append(f"[{colour}]{block * round(20 * player.equity)}[/]")
        table.add_row(*[_escape(cells[0]), *cells[1:]])
    return table


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _duration(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


# -- merge ----------------------------------------------------------------------------------------------------------


@cli.command(epilog="Example:  potshare merge monday.json tuesday.json")
@click.argument("files", nargs=-1, required=True, type=click.File("rb"), metavar="FILE FILE...")
@_format_option("table", "json", "csv")
def merge(files: tuple[IO[bytes], ...], form: str) -> None:
    """One answer from sampled ones to the same question.

    A FILE is what `potshare equity --format json` printed: of another seed, of other blocks of deals (see
    `--first-block`), or of another machine. The answer is that of one run over all the deals.
    """
    from potshare.simulate.streams import read

    runs = []
    for file in files:
        try:
            runs.append(json.loads(read(file)))
        except (ValueError, RecursionError) as error:
            raise PotshareError(f"{file.name} is not JSON: {error}") from None
    from potshare.simulate.merge import merge as merged

    answer = merged(*runs)
    if form == "json":
        _write_json(answer.to_dict())
    elif form == "csv":
        _write_csv(_equity_rows(answer))
    else:
        _print_equity(answer)


# -- evaluate -------------------------------------------------------------------------------------------------------


@cli.command(
    short_help="What cards are worth, alone and against each other.",
    epilog="Example:  potshare evaluate AhAd 7c6c -b 8c9cTc2d2h",
)
@click.argument("hands", nargs=-1, required=True, metavar="CARDS...")
@click.option(
    "-r", "--ranking", metavar="RANKING", shell_complete=_complete_ranking,
    help="Rank the cards by this order, such as ace-to-five.",
)  # fmt: skip
@click.option(
    "-g",
    "--game",
    cls=_Once,
    metavar="GAME",
    shell_complete=_complete_game,
    help="Rank the cards as this game does, every half of the pot.",
)
@click.option("-b", "--board", cls=_Once, default="", metavar="CARDS", help="Community cards.")
@_format_option("table", "json", "csv")
def evaluate(hands: tuple[str, ...], ranking: str | None, game: str | None, board: str, form: str) -> None:
    """What cards are worth; several hands are also ranked against each other.

    Without a ranking or a game, cards are ranked as high hands.
    """
    if ranking and game:
        raise PotshareError("name a ranking or a game, not both: a game brings its own rankings")
    found: list[tuple[str, str, str | None, Comparison]]
    if game:
        from potshare.simulate.evaluate import compare_in_game
        from potshare.simulate.variants import find_variant

        halves = compare_in_game(hands, find_variant(game), board)
        found = [(each.half.name, each.half.ranking, each.half.selection, each.comparison) for each in halves]
    else:
        from potshare.evaluator.evaluate import compare

        order = ranking or "high"
        found = [(order, order, None, compare(hands, order, board=board))]
    if form == "json":
        keys = ("name", "ranking", "selection")
        _write_json(
            {
                "schema": 1,
                "version": __version__,
                "game": game,
                "board": _card_texts(board),
                "halves": [dict(zip(keys, row[:3], strict=True)) | row[3].to_dict() for row in found],
            }
        )
        return
    rows = [
        {
            "half": name,
            "hand": hands[i],
            "place": next(k + 1 for k, group in enumerate(comparison.order) if i in group),
            "strength": hand.strength,
            "category": hand.category,
            "text": hand.text,
            "best": " ".join(hand.best),
        }
        for name, _, _, comparison in found
        for i, hand in enumerate(comparison.hands)
    ]
    if form == "csv":
        _write_csv(rows)
    else:
        _print_evaluations(rows, several=len(hands) > 1, split=len(found) > 1)


def _card_texts(text: str) -> list[str]:
    from potshare.evaluator.cards import card_name, parse_cards

    first, *others = ([card_name(c) for c in parse_cards(part, jokers=True)] for part in text.split("/"))
    return [*first, *(name for part in others for name in ("/", *part))]


def _print_evaluations(rows: list[dict[str, Any]], several: bool, split: bool) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    columns = [*(["half"] if split else []), "hand", "text", "best", *(["place"] if several else []), "strength"]
    for name in columns:
        table.add_column(
            name.capitalize(), justify="right" if name in ("place", "strength") else "left", no_wrap=name != "text"
        )
    for row in rows:
        best = several and row["place"] == 1 and row["strength"] > 0
        cells = [_escape(str(row[name])) for name in columns]
        table.add_row(*([f"[bold]{cell}[/]" if cell else cell for cell in cells] if best else cells))
    _print_table(table)


# -- draw -----------------------------------------------------------------------------------------------------------


@cli.command(
    short_help="Every discard with its expected share, best first.",
    epilog="Example:  potshare draw 8s8d8cKd4h --against 9h9d9c2s5d",
)
@click.argument("hand")
@click.option(
    "-g",
    "--game",
    cls=_Once,
    default="draw",
    metavar="GAME",
    shell_complete=_complete_game,
    help="The variant; see `potshare games`.  [default: draw]",
)
@_board_options
@click.option(
    "--against", multiple=True, metavar="HAND",
    help="An opponent: a hand, KEPT/DISCARDED, a range, or `random`; once for each.  [default: random]",
)  # fmt: skip
@_policy_option
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N", help="Seed of the sampling."
)
@_threads_option
@_format_option("table", "json", "csv")
def draw(
    hand: str, game: str, board: str, dead: str, against: tuple[str, ...], policy: str | None, seed: int,
    threads: int | None, form: str,
) -> None:  # fmt: skip
    """Every discard of a hand with its expected share of the pot, best first.

    HAND is a full hand before the draw. Opponents who have not decided draw by the policy. Counted where that
    takes a few seconds, else sampled.
    """
    live = _Live()
    live.compiling()
    from potshare.evaluator.cards import format_cards
    from potshare.simulate.drawing.search import best_discards, others_by
    from potshare.simulate.variants import find_variant

    chosen = "standard" if policy is None else policy
    try:
        values = best_discards(
            hand, game, dead, against or ("random",), board=board, policy=chosen, seed=seed, threads=threads
        )
    finally:
        live.close()
    rows = [value.to_dict() for value in values]
    if chosen == "best":
        chosen = f"best: {others_by(find_variant(game))}"
    if form == "json":
        _write_json(
            {"schema": 1, "version": __version__, "game": game, "hand": hand, "against": list(against or ("random",)),
             "policy": chosen, "seed": seed, "discards": rows}
        )  # fmt: skip
        return
    if form == "csv":
        _write_csv(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    sampled = any(value.stderr for value in values)
    for name in ("Keep", "Discard", "Equity", *(["Error"] if sampled else [])):
        table.add_column(name, no_wrap=True, justify="left" if name in ("Keep", "Discard") else "right")
    for value in values:
        cells = [format_cards(value.kept) or "-", format_cards(value.thrown) or "pat", _percent(value.equity)]
        table.add_row(*cells, *([_percent(value.stderr, 3)] if sampled else []))
    console = _print_table(table)
    how = f"Monte Carlo, seed {seed}" if sampled else "exact"
    others = " ".join(against) or "random"
    console.print(f"[dim]{_escape(f'{game}, against {others}, policy {chosen}, {how}')}[/]")


# -- games ----------------------------------------------------------------------------------------------------------


@cli.command(short_help="The variants, or the rules of one.", epilog="Example:  potshare games razz")
@click.argument("name", required=False, shell_complete=_complete_game)
@_format_option("table", "json")
def games(name: str | None, form: str) -> None:
    """The variants, or the rules of one, generated from the data that the engine plays by.

    NAME is a game, an alias, or your own TOML file.
    """
    from potshare.simulate import variants

    if name is not None:
        variant = variants.find_variant(name)
        from potshare.simulate.describe import describe, rules_text

        if form == "json":
            _write_json(describe(variant))
        else:
            click.echo(rules_text(variant, min(100, _terminal_width()) if sys.stdout.isatty() else 100))
        return
    found = variants.games()
    if form == "json":
        _write_json(
            [{"name": v.name, "title": v.title, "family": v.family, "aliases": list(v.aliases), "seats": v.seats}
             for v in found.values()]
        )  # fmt: skip
        return
    width = max(len(n) for n in found)
    titles = {"flop": "Board games", "stud": "Stud", "draw": "Draw", "home": "Home games"}
    for family, title in titles.items():
        click.echo(f"{title}:")
        for variant in found.values():
            if variant.family == family:
                also = f"  ({', '.join(variant.aliases)})" if variant.aliases else ""
                click.echo(_wrapped(f"  {variant.name:<{width}}  ", variant.title + also))
    click.echo()
    click.echo(
        _wrapped(
            "", "A name with a colon adds wild cards (draw:7, stud:2,joker); a path reads your own game (my_game.toml)."
        )
    )


def _wrapped(name: str, text: str) -> str:
    # A line of a list; on a terminal that is too narrow for it the text goes on below, beside the name or under it.
    columns = _terminal_width() if sys.stdout.isatty() else 1000
    if len(name) + len(text) <= columns:
        return name + text
    import textwrap

    beside = columns - len(name) >= 30
    indent = " " * (len(name) if beside else 4)
    lines = textwrap.wrap(text, columns - len(indent), break_on_hyphens=False)
    lines = [indent + line for line in lines]
    return "\n".join([name + lines[0].strip(), *lines[1:]] if beside else [name.rstrip(), *lines])


# -- range ----------------------------------------------------------------------------------------------------------


@cli.command(
    "range",
    short_help="What a range text means, its hands and weights.",
    epilog="Example:  potshare range 'QQ+,AKs,A5s@50' -d AsKs --grid",
)
@click.argument("text", required=False, metavar="TEXT")
@_game_option
@_board_options
@click.option("--grid", "grid_wanted", is_flag=True, help="A 13 x 13 picture of a two-card range.")
@click.option("--order", is_flag=True, help="Print the ordering that percentages like 15% use.")
@click.option("--convert", metavar="SPELLING", help="Print the range as potshare, pokerstove, pio, gto+ or combos.")
@_format_option("table", "json", "csv")
def range_command(
    text: str | None, game: str, board: str, dead: str, grid_wanted: bool, order: bool, convert: str | None, form: str
) -> None:  # fmt: skip
    """What a range text means: what was understood, its hands, their number and weights."""
    from potshare.simulate.ranges import Range
    from potshare.simulate.ranges.range import FEW_HANDS

    given = {"TEXT": text, "--board": board, "--dead": dead, "--grid": grid_wanted, "--convert": convert}
    if order and any(given.values()):
        what = next(name for name, value in given.items() if value)
        raise click.UsageError(f"--order prints the ordering of a whole game; leave out {what}")
    if convert is not None and (grid_wanted or form != "table"):
        raise click.UsageError(
            f"--convert prints one line of text; leave out {'--grid' if grid_wanted else '-f ' + form}"
        )
    if grid_wanted and form != "table":
        raise click.UsageError(f"--grid is a picture for people; leave out -f {form}")
    if order:
        rows = _ordering_rows(Range.ordering(game))
        if form == "json":
            _write_json({"schema": 1, "version": __version__, "game": game, "ordering": rows})
        else:
            _write_csv(rows)
        return
    if text is None:
        raise click.UsageError("a range text is missing, as in: potshare range 'QQ+,AKs'")
    from potshare.simulate.spot import cards_on_table
    from potshare.simulate.variants import find_variant

    variant = find_variant(game)
    on_board, gone = cards_on_table(variant, board, dead)
    found = Range(text, variant, board=on_board, dead=gone)
    if grid_wanted and found.cards != 2:
        raise PotshareError(
            f"the picture shows hands of two cards, and {found.variant.name} has others; leave out --grid"
        )
    if convert is not None:
        from potshare.simulate.ranges.summary import convert as spell

        click.echo(spell(found, convert))
        return
    if form == "csv":
        from potshare.evaluator.cards import format_cards

        _write_csv({"hand": format_cards(combo), "weight": weight} for combo, weight in found)
        return
    known: dict[str, Any] = {
        "text": text,
        "combos": found.total,
        "live": len(found),
        "weight": found.total_weight,
        "fraction": found.fraction,
        "canonical": None,
        "explain": found.explain(),
    }
    try:
        known["canonical"] = written = found.canonical()
    except PotshareError as reason:
        written = f"not as text; {reason}"
    if form == "json":
        _write_json({"schema": 1, "version": __version__, "game": found.variant.name, **known})
        return
    for line in found.explain():
        click.echo(line)
    removed = f", {known['live']:,} after card removal" if known["live"] != known["combos"] else ""
    click.echo(
        f"{known['combos']:,} hands{removed}, total weight {known['weight']:g}, {_percent(found.fraction)} of all hands"
    )
    click.echo(f"written: {written}")
    if grid_wanted:
        _print_grid(found)
    elif found.cards > 2 and not (found.is_random and len(found) > FEW_HANDS):
        _print_shapes(found)


def _ordering_rows(ordering: list[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"place": i + 1, "hands": name, "equity": value} for i, (name, value) in enumerate(ordering)]


def _print_grid(found: Range) -> None:
    from potshare.simulate.ranges.summary import grid

    console = _console()
    rows = grid(found)
    if console.width < 5 * len(rows):
        _print_small_grid(rows, console)
        return
    for row in rows:
        cells = []
        for cell in row:
            if console.is_terminal and not console.no_color:
                # The share of the class that is in the range, as brightness.
                level = round(200 * cell.share)
                colour = f"black on rgb({220 - level},220,{220 - level})" if cell.share else "dim"
                cells.append(f"[{colour}]{cell.name:^4}[/]")
            else:
                shown = cell.name if cell.share > 0.999 else f"{cell.name}*" if cell.share else "."
                cells.append(f"{shown:<4}")
        console.print(" ".join(cells).rstrip())
    if not console.is_terminal:
        console.print("AKs all of it, AKs* a part, . nothing")


def _print_small_grid(rows: Sequence[Sequence[Any]], console: Any) -> None:
    # A sign for each class, for consoles too narrow for their names.
    ranks = [row[i].name[0] for i, row in enumerate(rows)]
    console.print("  " + " ".join(ranks))
    for rank, row in zip(ranks, rows, strict=True):
        signs = ["#" if cell.share > 0.999 else "+" if cell.share else "." for cell in row]
        console.print(f"{rank} {' '.join(signs)}")
    console.print("# all of it, + a part, . nothing; suited above the diagonal, offsuit below")


def _print_shapes(found: Range) -> None:
    from rich.table import Table

    from potshare.simulate.ranges.summary import shapes

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("Ranks", "Suits"):
        table.add_column(name)
    for name in ("Hands", "Weight"):
        table.add_column(name, justify="right")
    for ranks, suits, number, weight in shapes(found):
        table.add_row(ranks, suits, f"{number:,}", f"{weight:g}")
    _print_table(table)


# -- score ----------------------------------------------------------------------------------------------------------


_TABLES = click.Choice(["csv", "ndjson", "jsonl", "parquet"])
_INPUTS = click.Choice(["csv", "ndjson", "jsonl", "parquet", "phh", "phhs"])


@cli.command(short_help="Settle showdowns in bulk: who wins what.", epilog="Example:  potshare score --example")
@click.argument("files", nargs=-1, metavar="FILE|-...")
@_game_option
@click.option("-o", "--output", metavar="FILE", help="Where the answer goes, whole or not at all.  [default: stdout]")
@click.option("-f", "--format", "form", type=_INPUTS, help="The format of what has no name that tells it.")
@click.option("--input-format", type=_INPUTS, help="The format of the input, whatever its name.")
@click.option("--output-format", type=_TABLES, help="The format of the output, whatever its name.")
@click.option("--words", is_flag=True, help="Add the category and the words of each hand.")
@click.option("--halves", is_flag=True, help="Add winners and payouts of each half of the pot.")
@click.option("--pots", is_flag=True, help="Add every pot with its amount, its players and its winners.")
@click.option("--verify", is_flag=True, help="Compare PHH hands with their finishing_stacks.")
@click.option("--ev", is_flag=True, help="Add expected payouts of PHH hands that were all-in before the last card.")
@click.option(
    "--chip", metavar="UNIT",
    help="The smallest chip, for amounts with decimals: 0.01.  [default: 1; in PHH what each hand uses]",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Stop at the first row that cannot be scored.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Workers to use.  [default: all cores]")
@click.option("--cluster", metavar="ADDRESS|local", help="Score on a dask.distributed cluster.")
@click.option("--example", is_flag=True, help="Score a few rows that are built in.")
def score(
    files: tuple[str, ...], game: str, output: str | None, form: str | None, input_format: str | None,
    output_format: str | None, words: bool, halves: bool, pots: bool, verify: bool, ev: bool, chip: str | None,
    strict: bool, workers: int | None, cluster: str | None, example: bool,
) -> None:  # fmt: skip
    """Settle showdowns in bulk: who wins what, with side pots, halves and odd chips.

    FILE is CSV, NDJSON or Parquet with the columns `hands` (AhAd,KhKd) or `hand1`, `hand2` ..., `board`, `pot` or
    `contributions` (100,80,20), `folded` (seat numbers from 1), `button` and `game`; other columns are passed
    through. Or it is a hand history in PHH (.phh, .phhs), a folder of either, or - for standard input.

    A row that cannot be scored gets an `error`, and the exit status is 1. With files of your own: `potshare score
    hands.csv -o scored.csv`, or `potshare score folder-of-phh --verify --ev`.
    """
    if example == bool(files):
        raise click.UsageError("name a file to score, - for standard input, or --example alone")
    live = _Live()
    live.compiling()
    from potshare.simulate.scoring.run import EXAMPLE, StrictError
    from potshare.simulate.scoring.run import score as score_files

    named = {"jsonl": "ndjson", "phhs": "phh"}
    form, input_format, output_format = (named.get(f, f) if f else None for f in (form, input_format, output_format))
    try:
        source = io.BytesIO(EXAMPLE) if example else sys.stdin.buffer
        summary = score_files(
            files or ["-"], output, game=game, form=form, input_format=input_format, output_format=output_format,
            words=words, halves=halves, pots=pots, verify=verify, ev=ev, chip=chip, strict=strict, workers=workers,
            cluster=cluster, stdin=source, stdout=sys.stdout.buffer, progress=live.rows,
        )  # fmt: skip
    except StrictError as error:
        raise _Failure(f"stopped at the first row that cannot be scored: {error}") from None
    finally:
        live.close()
    _print_summary(summary, verify)
    if summary.failed or summary.differ:
        sys.exit(1)


def _print_summary(summary: Summary, verify: bool) -> None:
    parts = []
    if verify:
        parts.append(f"{summary.verified:,} hands verified, {summary.differ:,} differ")
        if summary.unrecorded:
            parts[0] += f", {summary.unrecorded:,} without finishing_stacks"
    if summary.differ:
        parts.append(f"the first that differs is {summary.first_difference}")
    if summary.failed:
        parts.append(f"{summary.failed:,} of {summary.rows:,} rows could not be scored")
        parts.append(f"the first is {summary.first_failure}")
    elif summary.output and sys.stderr.isatty():
        parts.append(f"{summary.rows:,} rows scored in {_duration(summary.seconds)}, written to {summary.output}")
    if parts:
        click.echo("; ".join(parts), err=True)


# -- bench ----------------------------------------------------------------------------------------------------------


@cli.command(short_help="Hands a second, beside installed rivals.", epilog="Example:  potshare bench high-7")
@click.argument("names", nargs=-1, metavar="[WORKLOAD]...")
@click.option("--repeats", type=click.IntRange(min=1), default=5, show_default=True, help="Runs; the best one counts.")
@click.option("--seconds", type=float, default=1.0, show_default=True, help="Time for each workload and each rival.")
@_format_option("table", "json", "csv")
def bench(names: tuple[str, ...], repeats: int, seconds: float, form: str) -> None:
    """Hands a second on one thread, with a checksum of what was computed, beside installed rivals.

    Without a WORKLOAD all are run. A rival's figure says how many times faster potshare was in the same run.
    """
    from dataclasses import asdict

    from potshare.bench.throughput import SEED, Row, run

    def show(row: Row) -> None:
        if form == "table":
            click.echo(_bench_line(row))

    if not 0 <= seconds < 1e6:
        raise click.UsageError(f"--seconds must be 0 or more, not {seconds:g}")
    rows = run(names or None, repeats=repeats, seconds=seconds, report=show)
    if form == "json":
        _write_json({"schema": 1, "version": __version__, "seed": SEED, "workloads": [asdict(row) for row in rows]})
    elif form == "csv":
        _write_csv(
            {k: v for k, v in asdict(row).items() if k != "rivals"} | {r.name: r.ratio for r in row.rivals}
            for row in rows
        )
    wrong = [row.name for row in rows if not row.correct or not all(r.agrees for r in row.rivals)]
    if wrong:
        raise _Failure(f"wrong results in {', '.join(wrong)}")


def _bench_line(row: BenchRow) -> str:
    rivals = "".join(f"  {r.name} x{r.ratio:,.1f}" for r in row.rivals)
    verdict = "" if row.correct else "  WRONG CHECKSUM"
    return f"{row.name:<18}{row.rate / 1e6:>9,.0f} M/s  checksum {row.checksum:016x}{verdict}{rivals}"


class _Failure(click.ClickException):
    """Something computed wrong: exit status 1."""


# -- selfcheck ------------------------------------------------------------------------------------------------------


@cli.command(short_help="Compare what is computed with slow twins.", epilog="Example:  potshare selfcheck")
@click.argument("parts", nargs=-1, metavar="[PART]...")
@_format_option("table", "json")
def selfcheck(parts: tuple[str, ...], form: str) -> None:
    """Compare what this installation computes with slow twins, known numbers and other libraries.

    A PART is tables, evaluators, equities or libraries (those of pokerkit, eval7, phevaluator and treys that are
    installed); all of them take about a minute. The exit status is 1 when anything differs.
    """
    live = _Live()
    live.compiling()
    from potshare.selfcheck import PARTS, Check
    from potshare.selfcheck import selfcheck as run

    def show(check: Check) -> None:
        live.close()
        if form == "table":
            verdict = "ok" if check.passed else f"WRONG: {check.problem}"
            click.echo(f"{check.part:<11}{check.name:<46}{check.compared:>15,}  {verdict}")

    started = time.monotonic()
    checks = run(parts or PARTS, show)
    wrong = [check for check in checks if not check.passed]
    if form == "json":
        _write_json(
            {"schema": 1, "version": __version__, "passed": not wrong, "checks": [check.to_dict() for check in checks]}
        )
    else:
        passed = len(checks) - len(wrong)
        click.echo(f"{passed} of {len(checks)} checks passed, {_duration(time.monotonic() - started)}")
    if wrong:
        raise _Failure(f"{len(wrong)} checks failed; please report what is printed above")


# -- warm -----------------------------------------------------------------------------------------------------------


@cli.command(short_help="Compile every kernel, so that commands start at once.", epilog="Example:  potshare warm")
def warm() -> None:
    """Compile every kernel and keep the code, so that later commands start at once."""
    from potshare import kernel
    from potshare.simulate.warm import warm_all

    started = time.monotonic()
    number = warm_all(lambda what: click.echo(f"{what}", err=True) if sys.stderr.isatty() else None)
    where = f"kept in {kernel.CACHE}" if kernel.CACHE else "not kept: no folder can be written"
    click.echo(f"{number} kernels compiled in {time.monotonic() - started:.1f} s, {where}")


if __name__ == "__main__":
    main()

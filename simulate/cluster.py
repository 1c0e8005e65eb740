"""Pieces of work over dask.distributed, their results in order: `work.in_order` for more than one machine.

A task is a pure function of its piece and of what all pieces have in common, so that one that was lost with its worker
is done again elsewhere and the answer stays the same. What pieces have in common (a question, options) is the result
of a task too: sent once, kept by the workers, and made again where it was lost. Pieces of files carry places, not
content: every worker must see the files under the same names (one machine, or a shared folder).

Installed by the extra `cluster`.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from potshare import __version__
from potshare.errors import PotshareError
from potshare.simulate.work import deaf_processes

Piece = TypeVar("Piece")
Result = TypeVar("Result")

WAITING = 4
"""Pieces that wait for each thread of the workers, so that memory stays bounded."""

CONNECT_SECONDS = 10
PATIENCE_SECONDS = 120.0
"""A cluster may be without workers for so long: a lost one comes back, and some clusters grow with the work."""

_LOOK_SECONDS = 2.0
_GRAPH_LIMIT = "distributed.admin.large-graph-warning-threshold"


def check_version(version: str) -> None:
    """Raises `PotshareError` on a worker of another version than `version`, the client's."""
    if version != __version__:
        raise PotshareError(
            f"a worker of the cluster has potshare {__version__}, and this is {version}; install one version everywhere"
        )


def _tasks() -> tuple[Callable[..., Any], Callable[..., Any]]:
    # Functions within a function are sent as code, and what they do as bytes: a worker without potshare can say so.
    # One that fails to read a task at all is closed by dask, one after the other.
    def potshare_common(version: str, packed: bytes) -> Any:
        import pickle

        from potshare.simulate.cluster import check_version

        check_version(version)
        return pickle.loads(packed)

    def potshare_piece(packed: bytes, common: Any) -> Any:
        import pickle

        do, piece = pickle.loads(packed)
        return do(piece, common)

    return potshare_common, potshare_piece


class Workers:
    """The workers of a cluster that is connected; see `workers_of`."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self._name = name

    def threads(self) -> int:
        """How many pieces the workers do at the same time, as far as they are there."""
        return sum(self._client.nthreads().values())

    def in_order(
        self, do: Callable[[Piece, Any], Result], pieces: Iterable[Piece], common: Any
    ) -> Iterator[Result]:  # fmt: skip
        """`do(piece, common)` for each piece, in order; `do` is a function of a module.

        A closed iterator cancels what is waiting. Raises what `do` raises, and `PotshareError` where the cluster
        cannot do the work.
        """
        import dask

        waiting: deque[Any] = deque()
        try:
            common_task, piece_task = _tasks()
            with dask.config.set({_GRAPH_LIMIT: "1TB"}):
                shared = self._client.submit(common_task, __version__, pickle.dumps(common), pure=False)
            most = self._most()
            for number, piece in enumerate(pieces, 1):
                # `pure=False`: pieces with the same content are different rows, or nobody else's deals.
                packed = pickle.dumps((do, piece), pickle.HIGHEST_PROTOCOL)
                waiting.append(self._client.submit(piece_task, packed, shared, pure=False))
                if number % WAITING == 0:
                    most = self._most()  # workers come and go
                if len(waiting) >= most:
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())
        except OSError as error:
            if not _of_dask(error):
                raise
            raise PotshareError(f"the cluster at {self._name} is gone: {_first_line(error)}") from error
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(waiting))

    def _most(self) -> int:
        return WAITING * max(1, self.threads())

    def _awaited(self, future: Any) -> Any:
        # In turns, to look whether anybody is there to do it; and Ctrl-C is heard in between.
        alone = time.monotonic()
        while True:
            try:
                return future.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                if future.done():  # just now, or the work has said so
                    return future.result()
            if self.threads():
                alone = time.monotonic()
            elif time.monotonic() - alone > PATIENCE_SECONDS:
                raise PotshareError(f"the cluster at {self._name} has had no worker for {PATIENCE_SECONDS:.0f} s")

    def _result(self, future: Any) -> Any:
        try:
            return self._awaited(future)
        except PotshareError:
            raise
        except ModuleNotFoundError as error:
            raise PotshareError(
                f"the workers of the cluster at {self._name} lack something ({error}); install potshare {__version__} "
                "there"
            ) from error
        except Exception as error:
            if _of_dask(error) or future.cancelled():
                raise PotshareError(
                    f"the cluster at {self._name} lost a piece of work: {_first_line(error)}"
                ) from error
            raise


def _of_dask(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] == "distributed"


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


@contextlib.contextmanager
def workers_of(cluster: Any, processes: int) -> Iterator[Workers]:
    """The workers of a cluster, for the time of a context.

    `cluster` is the address of a dask scheduler, `local` for `processes` processes on this machine that live as
    long as the context, a `Client` of dask, or `Workers`, which stay connected. Raises `PotshareError` without
    dask.distributed, and where no cluster answers.
    """
    if isinstance(cluster, Workers):
        yield cluster
        return
    if not isinstance(cluster, str):
        if not callable(getattr(cluster, "submit", None)) or not callable(getattr(cluster, "nthreads", None)):
            raise PotshareError(f"a cluster is an address, 'local' or a dask Client, not {cluster!r}")
        if getattr(cluster, "asynchronous", False):
            raise PotshareError("an asynchronous Client cannot be waited for here; give an address, or another Client")
        yield Workers(cluster, "the client's scheduler")
        return
    try:
        from distributed import Client
        from distributed.comm import resolve_address
    except ImportError:
        raise PotshareError("a cluster needs dask.distributed: pip install 'potshare[cluster]'") from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(_silence("distributed"))
        if cluster == "local":
            where: Any = _started(processes)
            stack.callback(_quietly, where.close)
        else:
            where = cluster
        try:
            if where is cluster:
                # A client that is given no address at all complains about itself when it is thrown away.
                resolve_address(cluster)
            client = Client(where, timeout=f"{CONNECT_SECONDS}s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise PotshareError(
                f"no cluster answers at '{cluster}': {_first_line(error)}; write the address of a dask scheduler, as "
                "tcp://10.0.0.1:8786, or local"
            ) from None
        stack.callback(_quietly, client.close)
        yield Workers(client, cluster)


def _started(processes: int) -> Any:
    # From a thread of its own, which does not hear Ctrl-C either, while this one waits for it with open ears.
    from distributed import LocalCluster

    made: list[Any] = []
    failed: list[Exception] = []
    left = threading.Event()

    def start() -> None:
        try:
            with deaf_processes():
                cluster = LocalCluster(
                    n_workers=processes, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )  # fmt: skip
        except Exception as error:
            failed.append(error)
            return
        made.append(cluster)
        if left.is_set():
            _quietly(cluster.close)

    starting = threading.Thread(target=start, daemon=True)
    starting.start()
    try:
        while starting.is_alive():
            starting.join(0.2)
    except BaseException:
        left.set()
        raise
    if failed:
        raise PotshareError(
            f"no workers could be started here: {_first_line(failed[0])}; a script that asks for them needs the "
            'guard if __name__ == "__main__":'
        ) from failed[0]
    return made[0]


@contextlib.contextmanager
def _silence(name: str) -> Iterator[None]:
    # A lost worker is no reason to write into somebody's terminal, since its work is done again; and what goes wrong
    # comes as an exception. All of its loggers share their handlers.
    before = [(handler, handler.level) for handler in logging.getLogger(name).handlers]
    for handler, _ in before:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in before:
            handler.setLevel(level)


def _quietly(close: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        close()

"""The same work on dask.distributed: each piece is a task, the answers come back in order.

Tasks are pure functions of their piece, so that one that was lost with its worker is done again elsewhere and the
answer stays the same. Pieces of files carry places, not content: every worker must see the files under the same
names (one machine, or a shared folder). Installed by the extra `cluster`.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from potshare.errors import PotshareError

WAITING = 4
"""Tasks that wait for each worker, so that memory stays bounded."""


def _connect(address: str, workers: int) -> tuple[Any, Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise PotshareError("--cluster needs dask.distributed: pip install 'potshare[cluster]'") from None
    if address == "local":
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
        return Client(cluster), cluster
    try:
        return Client(address, timeout="10s"), None
    except (OSError, TimeoutError, ValueError) as error:
        raise PotshareError(f"no cluster answers at {address}: {error}") from None


def over_cluster(pieces: Iterable[Any], options: Any, address: Any, workers: int) -> Iterator[Any]:
    """`work(piece, options)` for each piece on a cluster, in order.

    `address` is that of a scheduler, `local` for one of `workers` processes on this machine, or a `Client`.
    """
    if not isinstance(address, str):
        yield from _through(address, pieces, options)
        return
    client, cluster = _connect(address, workers)
    try:
        yield from _through(client, pieces, options)
    finally:
        with contextlib.suppress(Exception):
            client.close()
        if cluster is not None:
            with contextlib.suppress(Exception):
                cluster.close()


def _through(client: Any, pieces: Iterable[Any], options: Any) -> Iterator[Any]:
    from potshare.simulate.scoring.run import work

    waiting: deque[Any] = deque()
    most = max(2, WAITING * len(client.scheduler_info()["workers"]))
    try:
        for piece in pieces:
            # `pure=False`: pieces with the same content are different rows.
            waiting.append(client.submit(work, piece, options, pure=False, retries=3))
            if len(waiting) >= most:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    finally:
        for future in waiting:
            with contextlib.suppress(Exception):
                future.cancel()


def _result(future: Any) -> Any:
    try:
        return future.result()
    except PotshareError:
        raise
    except Exception as error:
        if type(error).__module__.startswith("distributed"):
            raise PotshareError(f"the cluster lost a piece of work: {error}") from error
        raise

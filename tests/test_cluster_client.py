"""What is asked of a dask client, and what is made of its answers: with a client of the tests' own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

import potshare as ps
from potshare import __version__
from potshare.errors import PotshareError
from potshare.simulate import cluster
from potshare.simulate.cluster import Workers, check_version, workers_of
from potshare.simulate.sampling import elsewhere
from potshare.simulate.sampling.elsewhere import Question
from potshare.simulate.spot import spot

distributed = pytest.importorskip("distributed")


class Future:
    """A task that is done at once, after so many waits in vain."""

    def __init__(self, answer: Callable[[], Any], waits: Iterable[bool] = ()) -> None:
        self.answer = answer
        self.waits = iter(waits)
        self.lost = False

    def result(self, timeout: float | None = None) -> Any:
        if timeout is not None and next(self.waits, False):
            raise TimeoutError
        return self.answer()

    def done(self) -> bool:
        return False

    def cancelled(self) -> bool:
        return self.lost


class Client:
    """Does what is submitted in this process."""

    def __init__(self, threads: int = 2, waits: Iterable[bool] = ()) -> None:
        self.count = threads
        self.waits = list(waits)
        self.submitted = 0
        self.cancelled: list[Any] = []
        self.most = 0
        self.taken = 0

    def nthreads(self) -> dict[str, int]:
        return {"one": self.count} if self.count else {}

    def submit(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Future:
        assert options["pure"] is False
        self.submitted += 1

        def answer() -> Any:
            given = [a.answer() if isinstance(a, Future) else a for a in arguments]
            return function(*given)

        return Future(answer, self.waits)

    def cancel(self, futures: list[Any]) -> None:
        self.cancelled += futures


def add(piece: int, common: int) -> int:
    return piece + common


def fail(piece: int, common: Any) -> int:
    raise common


def fail_late(piece: int, common: type[Exception]) -> int:
    if piece > 2:
        raise common("gone")
    return piece


def test_results_come_in_order_and_a_few_pieces_wait() -> None:
    client = Client(threads=1)
    results = Workers(client, "here").in_order(add, itertools.count(), 100)
    assert list(itertools.islice(results, 9)) == list(range(100, 109))
    # What all have in common is one task; four pieces wait for the thread.
    assert client.submitted == 1 + 9 + cluster.WAITING - 1
    results.close()  # type: ignore[attr-defined]
    assert len(client.cancelled) == cluster.WAITING - 1
    assert list(Workers(client, "here").in_order(add, range(5), 10)) == [10, 11, 12, 13, 14]


def test_more_pieces_wait_when_workers_come() -> None:
    client = Client(threads=1)

    def pieces() -> Iterable[int]:
        yield from range(4)
        client.count = 5
        yield from range(4, 100)

    results = Workers(client, "here").in_order(add, pieces(), 0)
    assert list(itertools.islice(results, 30)) == list(range(30))
    assert client.submitted == 1 + 30 + cluster.WAITING * 5 - 1


def test_waiting_in_vain_while_there_are_workers_is_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", -1.0)
    assert list(Workers(Client(waits=[True] * 3), "here").in_order(add, range(2), 1)) == [1, 2]


def test_without_workers_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(PotshareError, match="the cluster at here has had no worker for 0 s"):
        list(Workers(Client(threads=0, waits=[True] * 3), "here").in_order(add, range(2), 1))


class Down(OSError):
    """A connection of dask that broke."""

    def __reduce__(self) -> Any:
        return down, self.args


def down(text: str) -> Down:
    return Down(text)


Down.__module__ = "distributed.comm"


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (PotshareError("as it was"), PotshareError, "^as it was$"),
        (
            ModuleNotFoundError("no polars"),
            PotshareError,
            r"workers .* lack something \(no polars\)",
        ),
        (ZeroDivisionError("own"), ZeroDivisionError, "own"),
        (OSError("a file of the work"), OSError, "a file of the work"),
        (Down("broken"), PotshareError, "the cluster at here lost a piece of work: broken"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_what_goes_wrong_there_is_said_here(error: Exception, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        list(Workers(Client(), "here").in_order(fail, range(3), error))


def test_a_scheduler_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()

    def submit(*arguments: Any, **options: Any) -> Any:
        raise Down("closed\nand more")

    monkeypatch.setattr(client, "submit", submit)
    with pytest.raises(PotshareError, match=r"the cluster at here is gone: closed$"):
        list(Workers(client, "here").in_order(add, range(3), 0))

    def broken(*arguments: Any, **options: Any) -> Any:
        raise OSError("not of dask")

    monkeypatch.setattr(client, "submit", broken)
    with pytest.raises(OSError, match="not of dask"):
        list(Workers(client, "here").in_order(add, range(3), 0))


def test_a_piece_that_was_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Future, "cancelled", lambda self: True)
    with pytest.raises(PotshareError, match="lost a piece of work: gone"):
        list(Workers(Client(), "here").in_order(fail_late, range(9), RuntimeError))


def test_versions_must_be_the_same() -> None:
    check_version(__version__)
    with pytest.raises(PotshareError, match=f"a worker of the cluster has potshare {__version__}, and this is 0.0"):
        check_version("0.0")


def test_what_is_no_cluster() -> None:
    for wrong in (7, object(), None):
        with (
            pytest.raises(PotshareError, match="a cluster is an address, 'local' or a dask Client"),
            workers_of(wrong, 1),
        ):
            pass
    waiting: Any = Client()
    waiting.asynchronous = True
    with pytest.raises(PotshareError, match="an asynchronous Client cannot be waited for"), workers_of(waiting, 1):
        pass
    with workers_of(Client(3), 1) as workers:
        assert workers.threads() == 3
        with workers_of(workers, 1) as same:
            assert same is workers


@pytest.mark.parametrize("deals", [100, 70_000, 1_000_000])
def test_deals_of_a_client_are_those_of_one_process(deals: int) -> None:
    hands = ("AsKs", "QQ", "random")
    client: Any = Client()
    there = ps.equity(*hands, method="monte-carlo", deals=deals, seed=5, cluster=client)
    here = ps.equity(*hands, method="monte-carlo", deals=deals, seed=5)
    np.testing.assert_array_equal(there.tally, here.tally)
    assert there.deals == deals


def test_tasks_grow_with_the_work() -> None:
    chunks = [(8 * i, 8) for i in range(1000)]
    tasks = list(elsewhere._pieces(chunks, 99))
    assert [chunk for task, _ in tasks for chunk in task] == chunks
    sizes = [len(task) for task, _ in tasks]
    assert sizes[0] == 1
    assert sizes[:-1] == sorted(sizes[:-1])
    assert max(sizes) == elsewhere._MOST_CHUNKS


def test_a_question_travels_without_its_dealer() -> None:
    question = Question(spot(["AsKs", "random"]), "standard", 1)
    tally = question.dealer.deal(0, 1, 64)
    assert "dealer" in vars(question)
    state = question.__getstate__()
    assert set(state) == {"spot", "policy", "seed"}
    np.testing.assert_array_equal(elsewhere.deal(([(0, 1)], 64), question)[0], tally)

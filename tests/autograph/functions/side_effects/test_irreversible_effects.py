"""Irreversible effects happen once in a call, also where a trace is repeated."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import (
    ContainerMutationError,
    RetracingWarning,
    StagingError,
    TraceEffectWarning,
)

ONE = rt.constant(1.0)


def counting(effect: Callable[[], object]) -> Callable[[Any], Any]:
    """Return a function with an effect, and with state that a second try finds out of."""
    state = SimpleNamespace(n=0)

    @ag.function
    def f(x: Any) -> Any:
        effect()
        state.n += 1
        return x * float(state.n)

    return f


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


@pytest.mark.parametrize("opening", ["open", "Path.open", "write_text"])
def test_a_file_is_written_once_in_a_call(opening: str, tmp_path: Path) -> None:
    path = tmp_path / "log"

    def with_open() -> None:
        with open(path, "a") as file:
            file.write("traced\n")

    def with_path() -> None:
        with path.open("a") as file:
            file.write("traced\n")

    def with_text() -> None:
        path.write_text((path.read_text() if path.exists() else "") + "traced\n")

    f = counting({"open": with_open, "Path.open": with_path, "write_text": with_text}[opening])
    with pytest.warns(TraceEffectWarning, match=r"f has an effect .*log"):
        assert 1.0 == float(f(ONE))
    assert 1 == lines(path)
    assert [2.0, 3.0, 4.0] == [float(f(ONE)) for _ in range(3)]
    assert 2 == lines(path)


@pytest.mark.filterwarnings("error::autograph.errors.TraceEffectWarning")
@pytest.mark.parametrize("kind", [queue.Queue, queue.SimpleQueue, queue.LifoQueue])
def test_an_item_is_put_into_a_queue_in_each_call(kind: Any) -> None:
    items = kind()
    f = counting(lambda: items.put(1))
    assert [1.0, 2.0, 3.0] == [float(f(ONE)) for _ in range(3)]
    assert 3 == items.qsize()


@pytest.mark.filterwarnings("error::autograph.errors.TraceEffectWarning")
def test_a_semaphore_is_acquired_in_each_call() -> None:
    semaphore = threading.Semaphore(2)
    f = counting(lambda: semaphore.acquire(timeout=5))
    assert [1.0, 2.0] == [float(f(ONE)) for _ in range(2)]
    assert not semaphore.acquire(blocking=False)


def test_each_call_is_traced_with_a_warning() -> None:
    items: queue.Queue[int] = queue.Queue()
    f = counting(lambda: items.put(1))
    with pytest.warns(RetracingWarning, match=r"changed '.*items', which no call of a graph"):
        assert 15.0 == sum(float(f(ONE)) for _ in range(5))


def test_a_thread_is_started_once_in_a_call() -> None:
    started: list[int] = []
    f = counting(lambda: threading.Thread(target=started.append, args=(1,)).start())
    with pytest.warns(TraceEffectWarning, match=r"Thread\.start\(\)"):
        assert 1.0 == float(f(ONE))
    assert [1] == started


def test_a_symbolic_tensor_does_not_leak_into_a_queue() -> None:
    items: queue.Queue[Any] = queue.Queue()

    @ag.function
    def f(x: Any) -> Any:
        items.put(x)
        return x

    with pytest.raises(StagingError, match="'items' is left holding a tensor of the graph"):
        f(ONE)


def test_a_queue_in_a_branch_is_refused() -> None:
    items: queue.Queue[int] = queue.Queue()

    @ag.function
    def f(x: Any) -> Any:
        if x > 0.0:
            items.put(1)
        return x

    with pytest.raises(ContainerMutationError, match="'items'.* or in an rt.py_function"):
        f(ONE)


def test_a_folder_is_created_once_in_a_call(tmp_path: Path) -> None:
    f = counting(lambda: os.mkdir(tmp_path / str(len(os.listdir(tmp_path)))))
    with pytest.warns(TraceEffectWarning, match=r"os\.mkdir"):
        assert 1.0 == float(f(ONE))
    assert ["0"] == os.listdir(tmp_path)


def test_an_open_file_and_the_environment_are_changed_in_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRAPH_COUNT", "0")
    with open(tmp_path / "log", "w") as file:

        def effect() -> None:
            file.write("traced\n")
            os.environ["AUTOGRAPH_COUNT"] = str(int(os.environ["AUTOGRAPH_COUNT"]) + 1)

        f = counting(effect)
        with warnings.catch_warnings():
            warnings.simplefilter("error", TraceEffectWarning)
            assert [1.0, 2.0, 3.0] == [float(f(ONE)) for _ in range(3)]
    assert 3 == lines(tmp_path / "log")
    assert "3" == os.environ["AUTOGRAPH_COUNT"]


def test_reading_is_no_effect(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("1")
    items: queue.Queue[int] = queue.Queue()

    def effect() -> None:
        with open(path) as file:
            file.read()
        items.qsize()
        path.exists()

    f = counting(effect)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        assert [1.0, 2.0] == [float(f(ONE)) for _ in range(2)]


def test_output_redirected_to_a_file_is_written_once(tmp_path: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        f = counting(lambda: print("traced"))
        assert [1.0, 2.0] == [float(f(ONE)) for _ in range(2)]
    assert "traced\n" == out.getvalue()


def test_an_effect_without_state_happens_once_in_all_calls(tmp_path: Path) -> None:
    path = tmp_path / "log"

    @ag.function
    def f(x: Any) -> Any:
        with open(path, "a") as file:
            file.write("traced\n")
        return x + 1.0

    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        assert [2.0, 2.0] == [float(f(ONE)) for _ in range(2)]
    assert 1 == lines(path)

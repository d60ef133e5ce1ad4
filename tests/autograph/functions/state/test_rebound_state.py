"""State of unsupported types: strings and numbers of subclasses, bytes, paths, contexts."""

from __future__ import annotations

import array
import contextvars
import functools
import io
import pathlib
import re
import threading
import uuid
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import RetracingWarning

ONE = rt.constant(1.0)
LOCAL = threading.local()
VARIABLE = contextvars.ContextVar("variable", default=0)


class Whole(int):
    pass


class Text(str):
    pass


class OfThread(threading.local):
    n = 0


# For each kind: its first value, the next one, and a number that tells it.
KINDS: dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "bytearray": (bytearray(), lambda v: v + b"x", len),
    "array": (array.array("i", [1]), lambda v: v + array.array("i", [1]), len),
    "memoryview": (memoryview(b"x"), lambda v: memoryview(bytes(v) + b"x"), len),
    "path": (pathlib.Path("a"), lambda v: v / "x", lambda v: len(v.parts)),
    "partial": (
        functools.partial(pow, 2),
        lambda v: functools.partial(pow, v.args[0] + 1),
        lambda v: v(2),
    ),
    "int of a class": (Whole(1), lambda v: Whole(v + 1), int),
    "text of a class": (Text("a"), lambda v: Text(v + "a"), len),
    "slice": (slice(0, 1), lambda v: slice(0, v.stop + 1), lambda v: v.stop),
    "exception": (ValueError(1), lambda v: ValueError(v.args[0] + 1), lambda v: v.args[0]),
    "pattern": (re.compile("a"), lambda v: re.compile(v.pattern + "a"), lambda v: len(v.pattern)),
    "uuid": (uuid.UUID(int=1), lambda v: uuid.UUID(int=v.int + 1), lambda v: v.int),
    "texts of NumPy's": (np.array(["a"]), lambda v: np.append(v, "a"), len),
    "file": (io.BytesIO(b"x"), lambda v: io.BytesIO(v.getvalue() + b"x"), lambda v: v.tell() + 1),
    "iterator": (iter([1]), lambda v: iter([1] * (len([*v]) + 1)), lambda v: v.__length_hint__()),
    "in a tuple": ((bytearray(b"x"),), lambda v: (v[0] + b"x",), lambda v: len(v[0])),
    "in a list": ([pathlib.Path("x")], lambda v: [v[0] / "x"], lambda v: len(v[0].parts)),
    "in a dict": ({"a": Whole(1)}, lambda v: {"a": Whole(v["a"] + 1)}, lambda v: int(v["a"])),
    "view": ({}.keys(), lambda v: dict.fromkeys(range(len(v) + 1)).keys(), len),
    "shape": (rt.TensorShape([1]), lambda v: rt.TensorShape([v[0] + 1]), lambda v: v[0]),
    "spec": (rt.TensorSpec([1]), lambda v: rt.TensorSpec([v.shape[0] + 1]), lambda v: v.shape[0]),
    "dtype": (
        rt.float32,
        lambda v: rt.float64 if v is rt.float32 else rt.float32,
        lambda v: v.size,
    ),
    "ellipsis": (..., lambda v: NotImplemented if v is ... else ..., lambda v: float(v is ...)),
}


def called(function: Callable[[Any], Any]) -> list[float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RetracingWarning)
        return [float(function(ONE)) for _ in range(4)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_counted", [False, True])
def test_an_attribute_assigned_in_each_call(kind: str, is_counted: bool) -> None:
    first, following, number = KINDS[kind]

    def making() -> Callable[[Any], Any]:
        holder = SimpleNamespace(value=first, n=0)

        def f(x: Any) -> Any:
            holder.value = following(holder.value)
            if is_counted:
                holder.n += 1
            return x * float(number(holder.value)) + float(holder.n)

        return f

    if kind == "iterator":
        first = iter([1])
    expected = called(making())
    if kind == "iterator":
        first = iter([1])
    assert expected == called(ag.function(making()))


def test_an_object_created_on_demand_is_created_once() -> None:
    holder = SimpleNamespace(value=None)

    @ag.function
    def f(x: Any) -> Any:
        if holder.value is None:
            holder.value = bytearray(b"abc")
        return x * float(len(holder.value))

    assert [3.0] * 4 == called(f)
    assert 2 == f.experimental_get_tracing_count()


def test_an_object_created_in_each_call_warns() -> None:
    holder = SimpleNamespace(value=b"")

    @ag.function
    def f(x: Any) -> Any:
        holder.value = memoryview(bytes(holder.value) + b"x")
        return x * float(len(holder.value))

    with pytest.warns(RetracingWarning, match=r"changed 'holder\.value', which no call"):
        found = [float(f(ONE)) for _ in range(6)]
    assert [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] == found


# -- values of threads and contexts ----------------------------------------------------------------


def test_attributes_of_a_thread() -> None:
    LOCAL.n = 0

    @ag.function
    def f(x: Any) -> Any:
        LOCAL.n = LOCAL.n + 1
        return x * float(LOCAL.n)

    assert [1.0, 2.0, 3.0, 4.0] == called(f)
    assert 4 == LOCAL.n


def test_each_thread_counts_for_itself() -> None:
    counter = OfThread()

    @ag.function
    def f(x: Any) -> Any:
        counter.n += 1
        return x * float(counter.n)

    found: list[list[float]] = []
    thread = threading.Thread(target=lambda: found.append(called(f)))
    assert [1.0, 2.0, 3.0, 4.0] == called(f)
    thread.start()
    thread.join()
    assert [[1.0, 2.0, 3.0, 4.0]] == found
    assert 4 == counter.n


def test_a_tensor_of_a_thread_in_a_branch() -> None:
    holder = SimpleNamespace(local=threading.local())
    holder.local.total = rt.constant(0.0)

    @ag.function
    def f(x: Any) -> Any:
        if x > 0.0:
            holder.local.total = holder.local.total + x
        return holder.local.total

    assert [1.0, 2.0, 3.0, 4.0] == called(f)


@pytest.mark.parametrize("default", [(), (0,)])
def test_a_variable_of_contexts(default: tuple[int, ...]) -> None:
    options = {"default": default[0]} if default else {}
    variable: contextvars.ContextVar[int] = contextvars.ContextVar("variable", **options)

    @ag.function
    def f(x: Any) -> Any:
        variable.set((variable.get() if default else variable.get(0)) + 1)
        return x * float(variable.get())

    assert [1.0, 2.0, 3.0, 4.0] == contextvars.copy_context().run(called, f)


def test_a_variable_of_contexts_that_the_caller_sets() -> None:
    @ag.function
    def f(x: Any) -> Any:
        return x * float(VARIABLE.get())

    found = list[float]()
    for value in (1, 2, 1):
        token = VARIABLE.set(value)
        found.append(float(f(ONE)))
        VARIABLE.reset(token)
    assert [1.0, 2.0, 1.0] == found


def test_a_variable_of_contexts_in_a_branch_and_a_loop() -> None:
    variable = contextvars.ContextVar("variable", default=0.0)

    @ag.function
    def f(x: Any) -> Any:
        if x > 0.0:
            variable.set(variable.get() + 1.0)
        for _ in rt.range(2):
            variable.set(variable.get() + 10.0)
        return x * variable.get()

    assert [21.0, 42.0, 63.0, 84.0] == contextvars.copy_context().run(called, f)


def test_a_variable_of_contexts_that_is_reset() -> None:
    variable = contextvars.ContextVar("variable", default=1)
    holder = SimpleNamespace(n=0)

    @ag.function
    def f(x: Any) -> Any:
        token = variable.set(5)
        holder.n += variable.get()
        variable.reset(token)
        return x * float(holder.n + variable.get())

    assert [6.0, 11.0, 16.0, 21.0] == called(f)
    assert 1 == variable.get()

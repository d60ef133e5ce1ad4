"""Generators and coroutines: driven step by step, converted ones answer as Python's own do."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import types
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError
from runtime.graph.graph import Graph

Steps = list[tuple[str, Any]]
LOG: list[object] = []


class Odd(Exception):
    """The exception that the tests throw in."""


def noted(value: Any) -> Any:
    LOG.append(value)
    return value


class Pause:
    """Awaiting one hands `value` to the driver and gives the value that the driver sends."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __await__(self) -> Generator[object, Any, Any]:
        return (yield self.value)


class Room:
    async def __aenter__(self) -> Any:
        return await Pause(noted("enter"))

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        noted(("exit", kind))
        return kind is Odd


def echo(n: int) -> Generator[int, Any, str]:
    """Values sent in come back; exceptions thrown in are counted."""
    total = 0
    for i in range(n):
        try:
            got = yield total if i % 2 else -total
            if got is not None and got > 1:
                total += got
            else:
                total += 1
        except Odd as error:
            noted(error.args)
            total += 100
        finally:
            noted(i)
    if total > 5:
        return f"high {total}"
    return f"low {total}"


def delegating(n: int) -> Generator[Any, Any, Any]:
    try:
        first = yield from echo(n)
        second = yield from [n, n + 1]
    except Odd:
        return "thrown"
    return first, second


def stubborn(n: int) -> Iterator[Any]:
    try:
        while n > 0 and noted(n) < 10:
            yield n
            n -= 1
    finally:
        if n:
            yield "not yet"
        noted("done")


def stopping(n: int) -> Iterator[int]:
    yield n
    if n:
        raise StopIteration(n)


async def waiting(n: int) -> Any:
    if n == 0:
        return "nothing"
    async with Room() as entered:
        values = [await Pause(noted(i)) for i in range(n)]
        for value in values:
            if value is None:
                continue
            return value, entered
        return values
    return "swallowed"


async def streaming(n: int) -> AsyncIterator[Any]:
    i = 0
    while i < n:
        got = yield await Pause(i)
        i += 1 if got is None else got
        if i > 5:
            return


async def reading(n: int) -> Any:
    total = 0
    async for value in streaming(n):
        if value == "stop":
            break
        total += value or 1
    else:
        total = -total
    return total, [v async for v in streaming(n) if v is not None and v > 0]


FUNCTIONS = (echo, delegating, stubborn, stopping, waiting, streaming, reading)
SCRIPTS: tuple[Steps, ...] = (
    [("send", None)] * 9,
    [("send", None), ("send", 3), ("send", 4), ("send", 1), ("send", None), ("send", 5)],
    [("send", None), ("throw", Odd), ("send", 2), ("throw", Odd), ("send", "stop")],
    [("send", None), ("send", 2), ("close", None), ("send", None)],
    [("throw", Odd), ("send", None)],
    [("send", 3), ("close", None), ("close", None)],
    [("send", None), ("throw", GeneratorExit), ("send", None)],
)


def after_step(step: Callable[[], object]) -> tuple[object, ...]:
    try:
        return ("gave", step())
    except BaseException as error:
        cause, context = type(error.__cause__), type(error.__context__)
        return ("raised", type(error), error.args, cause, context)


def driven(function: Callable[[int], Any], steps: Steps) -> list[object]:
    """Take a generator or coroutine through the steps; return all there is to see."""
    LOG.clear()
    suspended = function(3)
    if inspect.isasyncgen(suspended):
        suspended = aiter_all(suspended)
    seen: list[object] = [suspended.__name__, suspended.__qualname__]
    for name, value in steps:
        arguments = () if name == "close" else (value,)
        step = getattr(suspended, name)
        seen.append(after_step(lambda step=step, arguments=arguments: step(*arguments)))
        seen.append(place(suspended))
    with contextlib.suppress(RuntimeError):
        suspended.close()
    return [*seen, *LOG]


async def aiter_all(stream: Any) -> list[object]:
    return [value async for value in stream]


def place(suspended: Any) -> object:
    frame = suspended.gi_frame if inspect.isgenerator(suspended) else suspended.cr_frame
    return frame and (frame.f_lineno, frame.f_code.co_name, frame.f_locals.get("total"))


@pytest.mark.parametrize("steps", SCRIPTS, ids=range(len(SCRIPTS)))
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("tracing", [False, True], ids=["idle", "tracing"])
def test_every_step_agrees_with_python(
    function: Callable[[int], Any], steps: Steps, tracing: bool
) -> None:
    expected = driven(function, steps)
    converted = ag.to_graph(function)
    with Graph("probe").recording() if tracing else contextlib.nullcontext():
        assert expected == driven(converted, steps)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("convert", [ag.to_graph, ag.convert])
def test_converted_generators_are_recognised_by_inspect(function: Any, convert: Any) -> None:
    converted = convert(function)
    for question in (
        *(inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction),
        *(inspect.signature, inspect.getdoc),
    ):
        assert question(function) == question(converted)
    for name in ("__name__", "__qualname__", "__module__", "__annotations__"):
        assert getattr(function, name) == getattr(converted, name)
    started, original = converted(2), function(2)
    assert type(original) is type(started)
    assert repr(original).partition(" at ")[0] == repr(started).partition(" at ")[0]
    for each in (started, original):
        getattr(each, "close", lambda: None)()


def test_generators_called_from_converted_code_are_converted() -> None:
    def parts(x: Any) -> Iterator[Any]:
        if x > 0:
            y = x
        else:
            y = -x
        yield y

    async def whole(x: Any) -> Any:
        return next(parts(x)) if x < 100 else 0

    @ag.function
    def both(x: Any) -> Any:
        try:
            whole(x).send(None)
        except StopIteration as stop:
            return stop.value + sum(parts(x - 10))

    assert [12, 30, 90] == [int(both(rt.constant(x))) for x in (-1, 20, 100)]


def test_a_generator_continues_after_the_end_of_a_trace() -> None:
    converted = ag.to_graph(echo)
    expected = [*echo(5)]
    begun_outside, begun_inside = converted(5), None
    outside = [next(begun_outside)]
    with Graph("probe").recording():
        begun_inside = converted(5)
        inside = [next(begun_inside)]
        outside.append(next(begun_outside))
    assert expected == [*outside, *begun_outside] == [*inside, *begun_inside]


def test_a_generator_with_values_of_a_trace_cannot_be_kept() -> None:
    kept: list[Iterator[Any]] = []

    def doubled(x: Any) -> Iterator[Any]:
        yield x
        yield x * 2

    @ag.function
    def begin(x: Any) -> Any:
        kept.append(doubled(x))
        return next(kept[0])

    with pytest.raises(StagingError, match="left holding a generator with a tensor"):
        begin(rt.constant(3))
    assert kept == []


def test_an_event_loop_runs_converted_coroutines() -> None:
    async def part(n: int) -> int:
        total = 0
        for i in range(n):
            await asyncio.sleep(0)
            if i % 2 == 0:
                total += i
        return total

    async def all_parts() -> tuple[list[int], int]:
        async with asyncio.Lock():
            gathered = await asyncio.gather(*(part(n) for n in range(4)))
        return gathered, await asyncio.ensure_future(part(5))

    def main() -> Any:
        return asyncio.run(all_parts())

    with Graph("probe").recording():
        assert ([0, 0, 0, 2], 6) == ag.to_graph(main)() == main()


def test_an_awaitable_generator_stays_awaitable() -> None:
    @types.coroutine
    def pause(value: int) -> Generator[int, Any, Any]:
        return (yield value)

    async def twice() -> Any:
        first: Awaitable[Any] = pause(1)
        return await first, await pause(2)

    assert inspect.isawaitable(ag.to_graph(pause)(1))
    with Graph("probe").recording():
        coroutine = ag.to_graph(twice)()
        assert [1, 2] == [coroutine.send(None), coroutine.send("a")]
        with pytest.raises(StopIteration) as stopped:
            coroutine.send("b")
    assert ("a", "b") == stopped.value.value

"""Names available to generated programs: a log of side effects, and objects that write to it.

Every name listed in `__all__` is a global of each program. The functions and classes are user code
like the programs themselves, so they are converted when converted code calls them.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
from tests.parity.differential.spelling import spelled

TRACE: list[Any] = []
_MOST_ENTRIES, _MOST_ROUNDS, _MOST_TICKS = 400, 40, 200
_ticks = [0]
_spelled = ag.do_not_convert(spelled)


class OutOfFuel(BaseException):
    """A program that goes on for too long is stopped."""


class Oops(Exception):
    """An error with attributes of its own and a constructor of two arguments."""

    def __init__(self, code: object, detail: object = None) -> None:
        super().__init__(code)
        self.detail = detail


class Worse(Oops):
    """A more special error."""


def reset() -> None:
    """Begin a new run."""
    TRACE.clear()
    _ticks[0] = 0


def log(tag: object, value: Any = None) -> Any:
    """Leave a trace and return the value."""
    if len(TRACE) >= _MOST_ENTRIES:
        raise OutOfFuel("trace")
    TRACE.append((_spelled(tag), _spelled(value)))
    return value


def fuel() -> bool:
    """Tell whether loops may go on: every `while` asks."""
    _ticks[0] += 1
    if _ticks[0] > _MOST_TICKS:
        raise OutOfFuel("rounds")
    return _ticks[0] < _MOST_ROUNDS


def bounded(items: Any, most: int = 7) -> Iterator[Any]:
    """Iterate over a container that may grow meanwhile, but not for ever."""
    for place, item in enumerate(items):
        if place == most:
            return
        yield item


def fail(code: object, kind: type[BaseException] = Oops) -> Any:
    """Raise."""
    raise kind(code)


def spread(*args: Any, k: Any = 0, **more: Any) -> int:
    """Take whatever comes, and log it."""
    log("spread", (args, k, more))
    return len(args) + len(more)


def strict(p: Any, q: Any = 2, /, r: Any = 3, *, t: Any = 4) -> Any:
    """Take arguments of every kind and return them."""
    return log("strict", (p, q, r, t))[0]


class Box:
    """A number whose operators leave a trace."""

    kind = "box"

    def __init__(self, v: Any = 0) -> None:
        self.v = v

    def __add__(self, other: Any) -> Any:
        log("add", (self.v, other))
        if isinstance(other, str):
            return NotImplemented
        return Box(self.v + (other.v if isinstance(other, Box) else other))

    def __radd__(self, other: Any) -> Any:
        log("radd", (self.v, other))
        return Box(other + self.v)

    def __iadd__(self, other: Any) -> Box:
        self.v = log("iadd", self.v + int(other))
        return self

    def __sub__(self, other: Any) -> Any:
        return Box(log("sub", self.v) - int(other))

    def __neg__(self) -> Box:
        return Box(-log("neg", self.v))

    def __int__(self) -> int:
        return int(log("int", self.v))

    def __index__(self) -> int:
        return int(log("index", self.v))

    def __lt__(self, other: Any) -> Any:
        return log("lt", self.v < int(other))

    def __gt__(self, other: Any) -> Any:
        # Comparisons need not give a bool.
        return log("gt", Box(int(self.v > int(other))))

    def __eq__(self, other: object) -> Any:
        log("eq", (self.v, other))
        return isinstance(other, Box) and self.v == other.v

    def __hash__(self) -> int:
        log("hash", self.v)
        return 7

    def __bool__(self) -> bool:
        # In nests such as `(o or x) and y`, versions of Python ask once or twice in a row.
        if not TRACE or TRACE[-1] != (_spelled("bool"), _spelled(self.v)):
            log("bool", self.v)
        return bool(self.v)

    def __len__(self) -> int:
        return int(log("len", 3))

    def __iter__(self) -> Iterator[Any]:
        log("iter", self.v)
        yield self.v
        for more in (1, 2):
            if more > self.v:
                break
            yield self.v + more

    def __getitem__(self, index: Any) -> Any:
        return log("getitem", (index, self.v))[1]

    def __setitem__(self, index: Any, value: Any) -> None:
        log("setitem", (index, value))
        self.v = value

    def __delitem__(self, index: Any) -> None:
        log("delitem", index)

    def __contains__(self, item: object) -> Any:
        # `in` makes a bool of this.
        return log("contains", (item, self.v))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        log("call", (args, kwargs))
        if args and args[0] == 3:
            raise Oops(3, "called with 3")
        return self.v

    def __format__(self, spec: str) -> str:
        return f"<{log('format', spec)}:{self.v}>"

    def __repr__(self) -> str:
        return f"Box({self.v!r})"

    def __enter__(self) -> Box:
        log("enter", self.v)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        log("exit", (self.v, kind))

    @property
    def twice(self) -> Any:
        """A property with an `if`."""
        log("twice", self.v)
        if self.v == 4:
            raise AttributeError("four")
        return self.v * 2 if abs(self.v) < 1000 else 0

    @twice.setter
    def twice(self, value: Any) -> None:
        self.v = log("twice=", value // 2)

    @functools.cached_property
    def once(self) -> Any:
        """Computed once."""
        return log("once", self.v)

    @classmethod
    def of(cls, value: Any) -> Box:
        """Another way to make one."""
        return cls(log("of", value))

    @staticmethod
    def plus(left: Any, right: Any) -> Any:
        """No method at all."""
        return log("plus", left) + right

    def step(self, by: Any = 1) -> Any:
        """Change and return the number."""
        while fuel() and self.v < by:
            self.v += 1
            if self.v == 5:
                return log("five", self.v)
        self.v -= by
        return self.v


class Guard:
    """A context manager that raises or swallows as it is told."""

    def __init__(self, tag: object, swallow: Any = (), enters: Any = None, exits: Any = None):
        self.tag, self.swallow, self.enters, self.exits = tag, swallow, enters, exits

    def __enter__(self) -> Any:
        log("enter", self.tag)
        if self.enters is not None:
            raise self.enters
        return self.tag

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        log("exit", (self.tag, kind, error))
        if self.exits is not None:
            raise self.exits
        return kind is not None and issubclass(kind, self.swallow)


@contextlib.contextmanager
def guarded(tag: object, swallow: Any = ()) -> Iterator[Any]:
    """A context manager written as a generator."""
    log("begin", tag)
    try:
        yield tag
    except swallow as error:
        log("swallowed", error)
    finally:
        log("end", tag)


def traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate: leave a trace around every call."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        log("before", (args, kwargs))
        try:
            return function(*args, **kwargs)
        finally:
            log("after", function.__name__)

    return wrapper


def repeated(times: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate with an argument: call several times, return the last result."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            result = None
            for _ in range(times):
                result = function(*args, **kwargs)
            return result

        return wrapper

    return decorate


class Pause:
    """Something to `await`: gives its value to the driver, and returns the value it is sent."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __await__(self) -> Any:
        sent = yield log("pause", self.value)
        return self.value if sent is None else log("sent", sent)


class Ticks:
    """Something for `async for`, and for `async with`."""

    def __init__(self, most: int, swallow: Any = ()) -> None:
        self.most, self.swallow, self.at = most, swallow, 0

    def __aiter__(self) -> Ticks:
        return self

    async def __anext__(self) -> Any:
        self.at += 1
        if self.at > min(self.most, 4):
            raise StopAsyncIteration
        return await Pause(self.at)

    async def __aenter__(self) -> int:
        return await Pause(log("aenter", self.most))

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        log("aexit", kind)
        return kind is not None and issubclass(kind, self.swallow)


def drive(suspended: Any, script: Any = ()) -> list[Any]:
    """Run a generator or coroutine by hand; each step of the script is sent, or thrown."""
    seen: list[Any] = []
    steps = [None, *script, *[None] * 6]
    try:
        for step in steps:
            if step == "close":
                seen.append(suspended.close())
                break
            if isinstance(step, BaseException):
                seen.append(suspended.throw(step))
            elif seen:
                seen.append(suspended.send(step))
            else:
                seen.append(suspended.send(None))
    except StopIteration as stop:
        seen.append(("done", stop.value))
    return log("driven", seen)


def exc_names() -> Any:
    """Return the contents of `sys.exc_info()`: the types of the exception and of its context."""
    kind, error, traceback = sys.exc_info()
    context = None if error is None else type(error.__context__).__name__
    return (None if kind is None else kind.__name__, context, traceback is not None)


__all__ = [
    *("OutOfFuel", "Oops", "Worse", "log", "fuel", "bounded", "fail", "spread", "strict"),
    *("Box", "Guard", "guarded", "traced", "repeated", "Pause", "Ticks", "drive", "exc_names"),
    *("functools", "contextlib", "sys"),
]

"""Generators of the user's that loops consume: the loop is the generator, its body at each `yield`.

    def evens(n):                           for v in evens(n): total += v
        for i in range(n):
            if i % 2 == 0: yield i      ->  evens(n, take_=body), with `if not take_(i): return`

A generator goes on step by step, which no loop of a graph can do. Its function can be part of it.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from autograph.backends.protocol import Backends, Thunk
from autograph.backends.sieve import Sieve
from autograph.operators import generators_in_python as in_python
from autograph.operators.called import Origin, has_values, origin_of, tell
from autograph.operators.state import State
from autograph.operators.taking import Filling
from runtime.weak_tables import IdentityTable

Consuming = Callable[[FunctionType], "tuple[FunctionType, str] | None"]
_USING_UP = frozenset(
    "dict frozenset list math.fsum math.prod max min reduce set sorted sum tuple".split()
)


_PLAIN = (
    *(bool, int, float, complex, str, bytes, bytearray, range, slice, type, type(...)),
    *(BaseException, BuiltinFunctionType, ModuleType),
)
# Packages whose objects may be, or stand for, what a graph knows.
_OWNERS = ("autograph", "numpy", "runtime")
_DEEPEST = 6


# Generators that a loop went over which a tensor may have ended.
_LEFT: IdentityTable[Any, bool] = IdentityTable()


class Generators:
    """What is gone over in the place of generators.

    Args:
        backends: who may be recording.
        consuming: takes a converted generator function to what hands over all that it yields, and
            the name of the parameter that takes it; to None if that cannot be.
    """

    def __init__(self, backends: Backends, consuming: Consuming) -> None:
        self._backends, self._consuming = backends, consuming

    def gone_over(self, generator: Any) -> Any:
        """Return what stands for a generator, which nobody has begun with, in loops."""
        recorder = self._backends.recorder()
        if recorder is None:
            return generator
        check_left(self._backends, generator)
        origin = origin_of(generator)
        if origin is None or not _is_new(generator):
            return generator
        if not has_values(recorder) and not _sees_more_than_python(origin, _DEEPEST, set()):
            return generator
        found = self._consuming(origin.made)
        if found is None:
            return generator
        return Consumed(self._backends, generator, origin, *found, self._consuming)


class Consumed(Sieve):
    """A generator that is called with what takes its items.

    Args:
        backends: who may own what tells that a loop is over.
        generator: the one that this stands for.
        origin: the call that made it.
        function: what is called in the place of that.
        parameter: takes what takes the items.
        consuming: as `Generators` has it.
    """

    _backends: Backends
    _consuming: Consuming
    _generator: Any
    _call: Callable[..., object]

    def __new__(
        cls,
        backends: Backends,
        generator: Any,
        origin: Origin,
        function: FunctionType,
        parameter: str,
        consuming: Consuming,
    ) -> Consumed:
        """Return one; Python goes over the generator itself."""
        made = super().__new__(cls, None, generator)
        made._backends, made._generator, made._consuming = backends, generator, consuming

        def call(take: Callable[[Any], object]) -> None:
            tell(function)
            function(*origin.args, **origin.kwargs, **{parameter: take})

        made._call = call
        return made

    def __iter__(self) -> Consumed:
        return self

    def __next__(self) -> Any:
        return next(self._generator)

    def go_over(self, goes_on: Thunk | None, body: Callable[[object], None], state: State) -> None:
        """Run `body(item)` for each item, while `goes_on()` holds."""
        self._generator.close()
        if goes_on is not None:
            _LEFT.put(self._generator, True)
        # A variable without a value holds what says so: what is called may give it one.
        state.set(state.get())
        raised: list[Any] = [None, None]
        take: Callable[[object], object]
        # What a comprehension makes is in no variable that is seen to change: a list has it.
        values = [*state.get()]
        fills = getattr(state.get, "__module__", "") == Filling.__module__
        if fills:
            take = partial(_take_with, values, state, partial(_run, body, raised), goes_on)
        else:
            take = partial(_take, partial(_run, body, raised), body, goes_on)
        try:
            self._call(take)
        except BaseException as error:
            if error is raised[0]:
                # Python's own loop runs its body in no frame of the generator's.
                raise error.with_traceback(raised[1])  # noqa: B904
            raise
        if fills:
            state.set(tuple(values))

    def listed(self) -> list[Any]:
        """Return a list of the items."""
        filling = Filling(self._backends, "generator", [])
        filling.over(self, _each)
        made: list[Any] = filling.made
        return made

    def builtin(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        again: Callable[..., object] | None,
    ) -> object:
        """Return what a builtin gives where this is an argument."""
        if name == "isinstance":
            return isinstance(self._generator, args[1])
        if name in (*_USING_UP, "any", "all"):
            using_up: Any = again or getattr(builtins, name)
            given = (each.listed() if isinstance(each, Sieve) else each for each in args)
            return using_up(*given, **kwargs)
        standing = self.standing_in(name, args, kwargs)
        if standing is not None:
            return standing
        python: Any = getattr(builtins, name, None) or again
        return python(*map(_itself, args), **kwargs)

    def standing_in(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Sieve | None:
        """Return what stands for an iterator that a builtin makes of this one, if there is one.

        In the arguments what is made of this one may stand, such as a generator expression.
        """
        if name == "enumerate":
            return self._of(in_python.enumerated, *args, **kwargs)
        if name in ("filter", "map") and len(args) == 2:
            return self._of(in_python.mapped if name == "map" else in_python.filtered, *args)
        others = [each for each in args[1:] if isinstance(each, (list, tuple, range))]
        if name == "zip" and others and len(others) == len(args) - 1:
            return self._of(in_python.zipped, args[0], others)
        return None

    def _of(self, function: Any, *args: Any, **kwargs: Any) -> Consumed | None:
        found = self._consuming(function)
        origin = Origin(function, args, kwargs)
        made = function(*args, **kwargs)
        if found is None:
            return None
        return Consumed(self._backends, made, origin, *found, self._consuming)


def _is_new(generator: Any) -> bool:
    """Tell whether nobody has begun with a generator.

    `inspect.getgeneratorstate` tells it as well, in lines that a debugger would step through.
    """
    if generator.gi_frame is None or generator.gi_running:
        return False
    if sys.version_info < (3, 11):
        return bool(generator.gi_frame.f_lasti == -1)
    return not generator.gi_suspended


def _sees_more_than_python(value: Any, depth: int, seen: set[int]) -> bool:
    """Tell whether a value is, holds or sees anything but plain values of Python's.

    What cannot be looked into counts as more.
    """
    if value is None or isinstance(value, _PLAIN) or id(value) in seen:
        return False
    if not depth:
        return True
    seen.add(id(value))
    inside = partial(_sees_more_than_python, depth=depth - 1, seen=seen)
    if isinstance(value, Origin):
        return any(map(inside, (value.made, *value.args, *value.kwargs.values())))
    if isinstance(value, GeneratorType):
        origin = origin_of(value)
        return origin is None or inside(origin)
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return any(map(inside, value))
    if isinstance(value, dict):
        return any(map(inside, (*value, *value.values())))
    if isinstance(value, MethodType):
        return inside(value.__self__) or inside(value.__func__)
    if isinstance(value, FunctionType):
        return any(map(inside, _seen_by(value)))
    kind = type(value)
    if kind.__module__.partition(".")[0] in _OWNERS or not hasattr(value, "__dict__"):
        return True
    return any(map(inside, vars(value).values()))


def _seen_by(function: FunctionType) -> Iterator[Any]:
    """Yield what is in the closure of a function, its defaults and the globals it names."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # It is empty.
            yield cell.cell_contents
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    names = function.__code__.co_names
    yield from (function.__globals__[name] for name in names if name in function.__globals__)


def check_left(backends: Backends, generator: object) -> None:
    """Refuse to go on with a generator after a loop over it that a tensor may have ended."""
    backend: Any = backends.recording()
    if type(generator) is GeneratorType and _LEFT.get(generator) and backend is not None:
        raise backend.refused_iteration(
            "what is left in this generator is known only when the graph runs, since a loop over "
            "it has a `break` or `return`: go over it once, or make a list of its items first"
        )


def drawing(backends: Backends) -> Callable[..., object]:
    """Return what does as `next`, and refuses a generator of which only a run knows what is left.

    >>> drawing(Backends(()))(iter([3]))
    3
    """

    def draw(*args: Any, **kwargs: Any) -> object:
        check_left(backends, args[0] if args else None)
        return next(*args, **kwargs)

    return draw


def _run(body: Callable[[object], None], raised: list[Any], item: object) -> None:
    """Run the body of a loop; note what it raises, with the frames inside of it."""
    try:
        body(item)
    except BaseException as error:
        raised[:] = error, error.__traceback__ and error.__traceback__.tb_next
        raise


def _take(
    run: Callable[[object], None],
    body: Callable[[object], None],
    goes_on: Thunk | None,
    item: object,
) -> object:
    tell(body)
    run(item)
    return True if goes_on is None else goes_on()


def _take_with(
    values: list[Any],
    state: State,
    body: Callable[[object], None],
    goes_on: Thunk | None,
    item: object,
) -> object:
    state.set(tuple(values))
    body(item)
    values[:] = state.get()
    return True if goes_on is None else goes_on()


def _each(items: Any, take: Any) -> Iterator[None]:
    for item in items:
        yield take(partial(_same, item))


def _same(value: Any) -> Any:
    return value


def _itself(value: Any) -> Any:
    return value._generator if isinstance(value, Consumed) else value

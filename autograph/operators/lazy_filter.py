"""Lazy filters: `filter` and conditional generators over Python values, with tensors as conditions.

    for v in filter(lambda v: v > n, [1, 2, 3]):      each iteration runs under its item's condition
        ...

As long as the conditions are Python values, a lazy filter works as Python's iterator.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Backends, Thunk
from autograph.operators.comprehension_sinks import (
    AnyAllSink,
    CollectSink,
    ElementSink,
    NextSink,
    Over,
)
from autograph.operators.state import State

_NOTHING: Any = object()
# The types that pickle and `copy` know, by the name of the lazy filter; those of generators do not.
_PICKLED: Mapping[str, Any] = {"filter": filter, "map": map, "filterfalse": itertools.filterfalse}
# An iterator of the type that the user's code expects, by the name of the lazy filter.
_KINDS: Mapping[str, Any] = {
    "filter": filter(None, ()),
    "map": map(abs, ()),
    "filterfalse": itertools.filterfalse(None, ()),
    "generator": (each for each in ""),
}


class FilteredIterator(LazyIterator):
    """An iterator over Python items that pass tests, which may give tensors.

    Args:
        backends: the possible owners of a test's result.
        name: Python's name of such an iterator.
        iterated: the iterable, which may be another lazy filter.
        over: for each item, calls `take(element, *tests)` with thunks of the element and the tests.
        function: the function that Python's iterator calls with each item, for `pickle`.
    """

    def __new__(
        cls, backends: Backends, name: str, iterated: Any, over: Over, function: Any = None
    ) -> FilteredIterator:
        """Create the iterator. As a `filter`, its source is the innermost iterator."""
        items = iterated if isinstance(iterated, FilteredIterator) else iter(iterated)
        below = items._below if isinstance(items, FilteredIterator) else items
        made = super().__new__(cls, None, below)
        made._name, made._backends, made._items, made._over = name, backends, items, over
        is_lazy = isinstance(items, LazyIterator)
        made.like, made.operands = _KINDS[name], items.operands if is_lazy else ()
        made.functions = (over, *(items.functions if is_lazy else ()))
        made._below, made._rest_is_staged, made._function = below, False, function
        return made

    _name: str
    _backends: Backends
    _items: Iterator[Any]
    _below: Iterator[Any]
    _over: Over
    _rest_is_staged: bool
    _function: Any

    def __reduce__(self) -> tuple[Any, ...]:
        """Return Python's iterator of the remaining items, as `pickle` and `copy` take it apart."""
        self.refuse_staged_rest()
        if self._name not in _PICKLED:
            raise TypeError(f"cannot pickle '{self._name}' object")
        return _PICKLED[self._name], (self._function, self._items)

    def __iter__(self) -> FilteredIterator:
        return self

    def __next__(self) -> Any:
        found = self._next()
        if self._rest_is_staged:
            raise self._refused(
                "Python iterates over it here, and which items it leaves is known only when the "
                "graph runs: make a list of it first, or iterate over it with a `for` statement of "
                "converted code"
            )
        if not found:
            raise StopIteration
        return found[0]

    def for_each(self, goes_on: Thunk | None, body: Callable[[object], None], state: State) -> None:
        """Run `body(item)` for each remaining item, while `goes_on()` holds."""
        self.refuse_staged_rest()
        sink = LoopBodySink(self._backends, goes_on, body, state)
        sink.over(self._items, self._over)
        self._rest_is_staged = sink.may_have_ended

    def listed(self, most: int | None = None) -> list[Any]:
        """Return a list of the remaining items, or of at most `most`."""
        if most is not None:
            taken: Any = self._backends.lazy_builtin("islice", (self, most), {})
            return self.listed() if taken is None else taken.listed()
        self.refuse_staged_rest()
        sink = CollectSink(self._backends, self._name, [])
        sink.over(self._iterable(), self._over)
        return sink.made

    def lazy_builtin(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> object | None:
        """Return the lazy iterator that a builtin makes of this one; None for other builtins."""
        if name in ("filter", "map") and len(args) == 2:
            over = (filter_by if name == "filter" else map_by)(args[0])
            return FilteredIterator(self._backends, name, self, over, args[0])
        return self._backends.lazy_builtin(name, args, kwargs)

    def _next(self) -> list[Any]:
        """Return a list of the next item, or an empty list; a staged list if a tensor decides."""
        self.refuse_staged_rest()
        found = NextSink(self._backends).found(self._iterable(), self._over)
        self._rest_is_staged |= self._backends.of(self._backends.operand(found)) is not None
        return found

    def next_or(self, *default: Any) -> object:
        """Return the next item, else the default; StopIteration if there is no default."""
        found: Any = self._backends.operand(self._next())
        backend = self._backends.of(found)
        if backend is not None:
            items = backend.call("iter", (found,), {})
            return backend.call("next", (items, *default), {})
        return next(iter(found), *default)

    def decided(self, by: bool) -> object:
        """Return whether any item is true (`by` True), or whether all are."""
        self.refuse_staged_rest()
        answer = AnyAllSink(self._backends, by).decided(self._iterable(), self._over)
        self._rest_is_staged |= self._backends.of(answer) is not None
        return answer

    def holds(self, test: Callable[[object], object]) -> object:
        """Return whether an item passes the test; the items after it remain."""
        return FilteredIterator(self._backends, "map", self, map_by(test)).decided(True)

    def _iterable(self) -> Iterator[Any]:
        """Return the source of the items."""
        return self._items

    def mark_rest_staged(self) -> None:
        if isinstance(self._items, FilteredIterator):
            self._items.mark_rest_staged()
            self._rest_is_staged = True

    def copied(self) -> FilteredIterator:
        if not isinstance(self._items, FilteredIterator):
            return self
        items = self._items.copied()
        return FilteredIterator(self._backends, self._name, items, self._over, self._function)

    def refuse_staged_rest(self) -> None:
        """Raise a StagingError if only the graph knows the remaining items."""
        if self._rest_is_staged:
            raise self._refused(
                "its remaining items are known only when the graph runs, since a tensor decided "
                "how many were used: make a list of its items first, and iterate over that"
            )

    def _refused(self, why: str) -> Exception:
        backend: Any = self._backends.recording()
        return backend.refusal(f"this {self._name} depends on a tensor: {why}", iterating=True)


class _StopOfBody(BaseException):
    """Carries a StopIteration of a loop's body through the generator of the items."""

    def __init__(self, error: StopIteration) -> None:
        self.error = error


class LoopBodySink(ElementSink):
    """Runs the body of a `for` statement with each element.

    Args:
        backends: as in `ElementSink`.
        goes_on: returns, before each item, whether the loop goes on; None if it always does.
        body: the body of the statement.
        state: the variables of the statement.
    """

    def __init__(
        self,
        backends: Backends,
        goes_on: Thunk | None,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        super().__init__(backends, "for", None)
        self._test, self._body, self._variables = goes_on, body, state
        self._goes_on: Any = True
        self.may_have_ended = False

    def __call__(self, element: Thunk, *tests: Thunk) -> None:
        """Run the body with an element if the conditions hold."""
        body = self._body  # In a cell of the lambda, so that the objects it reaches are watched.
        stops: list[StopIteration] = []
        try:
            self._when(tests, lambda: _run_body(body, element(), stops))
        except StopIteration as error:
            if any(error is each for each in stops):
                raise _StopOfBody(error) from None
            raise

    def over(self, iterated: Any, over: Over) -> None:
        """Run the body for each item that `over` keeps."""
        stopped = None
        try:
            if not self._is_over():
                super().over(iterated, over)
        except _StopOfBody as stop:
            stopped = stop.error
        if stopped is not None:
            raise stopped

    def _items(self, iterated: Any) -> Iterator[Any]:
        return self._consumed_items(iterated, lambda: self._goes_on)

    def _iteration(self, over: Over) -> Callable[[object], None]:
        return functools.partial(_run_iteration, super()._iteration(over), self._body)

    def _is_over(self) -> bool:
        self._goes_on = True if self._test is None else self._test()
        is_staged = self._of(self._goes_on) is not None
        self.may_have_ended = self.may_have_ended or is_staged
        return not is_staged and not self._goes_on

    def _when(self, tests: tuple[Thunk, ...], action: Thunk) -> None:
        goes_on, self._goes_on = self._goes_on, True
        backend = self._of(goes_on)
        if backend is None:
            super()._when(tests, action)
        else:
            further = self._further(tests, action)
            backend.cond(goes_on, further, _do_nothing, self._variables)

    def _loop(self, backend: Any, iterated: Any, over: Over) -> None:
        self.may_have_ended = self._test is not None
        backend.for_loop(iterated, self._test, self._iteration(over), self._variables, {})

    def _state(self) -> State:
        return self._variables


def filter_overload(backends: Backends) -> Callable[..., object]:
    """Return a `filter` for iterables that no backend owns.

    >>> list(filter_overload(Backends(()))(None, [0, 1]))
    [1]
    """

    def filtered(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is None or len(args) != 2 or kwargs:
            return filter(*args, **kwargs)
        return FilteredIterator(backends, "filter", args[1], filter_by(args[0]), args[0])

    return filtered


def filterfalse_overload(backends: Backends) -> Callable[..., object]:
    """Return an `itertools.filterfalse` whose predicate may return tensors.

    >>> list(filterfalse_overload(Backends(()))(None, [0, 1]))
    [0]
    """

    def left_out(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is None or len(args) != 2 or kwargs:
            return itertools.filterfalse(*args, **kwargs)
        function, values = args

        def is_kept(item: Any) -> object:
            answer = item if function is None else function(item)
            backend = backends.of(answer)
            return not answer if backend is None else backend.logical_not(answer)

        backend = backends.of(values)
        if backend is not None:
            return backend.call("filter", (is_kept, values), {})
        return FilteredIterator(backends, "filterfalse", values, filter_by(is_kept), function)

    return left_out


def filter_by(function: Callable[[Any], object] | None) -> Over:
    """Return the `over` of a filter by a predicate; None keeps true items."""

    def over(items: Iterable[Any], take: Any) -> Iterator[None]:
        for item in items:
            element = functools.partial(_itself, item)
            test = element if function is None else functools.partial(_called, function, item)
            try:
                take(element, test)
            except StopIteration:
                return  # The predicate raised it: Python takes it for the end.
            yield

    return over


def map_by(function: Callable[[Any], object]) -> Over:
    """Return the `over` of a map: it takes `function(item)` for each item."""

    def over(items: Iterable[Any], take: Any) -> Iterator[None]:
        for item in items:
            yield take(functools.partial(_called, function, item))

    return over


def _run_iteration(iteration: Callable[[object], None], body: object, item: object) -> None:
    """Run an iteration. The body is an argument so that the objects it reaches are watched."""
    iteration(item)


def _run_body(body: Callable[[object], None], item: object, stops: list[StopIteration]) -> None:
    """Run an iteration, and note the StopIteration that it raises."""
    try:
        body(item)
    except StopIteration as error:
        stops.append(error)
        raise


def _called(function: Callable[[Any], object], item: Any) -> object:
    """Return `function(item)`; the error where it is not callable is that of the call."""
    return function(item)


def _itself(value: Any) -> Any:
    return value


def _do_nothing() -> None:
    return None

"""Consumers of comprehension elements: collect, short-circuit `any` and `all`, or yield them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from autograph.backends.protocol import Backend, Backends, Thunk
from autograph.operators.iteration import user_iterator
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.state import State

# `over(items, take)` runs the user's comprehension over items; it calls `take` for each element.
Over = Callable[..., Iterable[Any]]


class ElementSink:
    """The `take` callback of a comprehension that may be staged.

    Args:
        backends: the possible owners of the iterables and conditions.
        what: the name of the result in errors.
        made: the result so far.
    """

    def __init__(self, backends: Backends, what: str, made: Any) -> None:
        self._of = backends.of
        special = SpecialMethodOperators(backends)
        self._truth_value, self._iterable = special.truth_value, special.iterable
        self._name = f"the value of this {what}"
        self.made = made

    def __call__(self, element: Thunk, *tests: Thunk) -> None:
        """Take an element if the conditions hold."""
        self._when(tests, lambda: self._add(element()))

    def each(self, iterated: Thunk, over: Over, *tests: Thunk) -> None:
        """Iterate over an inner iterable if the conditions hold."""
        self._when(tests, lambda: self.over(self._iterable(iterated()), over))

    def over(self, iterated: Any, over: Over) -> None:
        """Consume the elements of the comprehension over an iterable."""
        backend = self._of(iterated)
        if backend is None:
            for _ in over(self._items(iterated), self):
                if self._is_over():
                    break
        else:
            self._loop(backend, iterated, over)

    def _items(self, iterated: Any) -> Iterable[Any]:
        """Return the iterable for Python."""
        return iterated

    def _consumed_items(self, iterated: Any, decided: Thunk) -> Iterator[Any]:
        """Yield the items. Once a tensor decides whether to go on, only some paths consume them."""
        items = iter(iterated)
        for item in items:
            yield item
            backend = self._of(decided())
            if backend is not None:
                yield from backend.call("consuming", (user_iterator(items),), {})

    def _add(self, element: Any) -> None:
        raise TypeError("a sink defines how it adds an element")

    def _is_over(self) -> bool:
        """Return whether the iteration ends here."""
        return False

    def _loop(self, backend: Backend, iterated: Any, over: Over) -> None:
        backend.for_loop(iterated, None, self._iteration(over), self._state(), {})

    def _iteration(self, over: Over) -> Callable[[object], None]:
        def iteration(item: object) -> None:
            for _ in over([item], self):
                pass

        return iteration

    def _when(self, tests: tuple[Thunk, ...], action: Thunk) -> None:
        for position, test in enumerate(tests):
            value = self._truth_value(test())
            backend = self._of(value)
            if backend is not None:
                further = self._further(tests[position + 1 :], action)
                backend.cond(value, further, _do_nothing, self._state())
                return
            if not value:
                return
        action()

    def _further(self, tests: tuple[Thunk, ...], action: Thunk) -> Callable[[], None]:
        return lambda: self._when(tests, action)

    def _state(self) -> State:
        def put(values: tuple[object, ...]) -> None:
            (self.made,) = values

        return State(lambda: (self.made,), put, (self._name,), 1)


class CollectSink(ElementSink):
    """Collects the elements in a list, set or dict."""

    def _add(self, element: Any) -> None:
        if isinstance(self.made, dict):
            key, value = element
            self.made[key] = value
        elif isinstance(self.made, set):
            self.made.add(element)
        else:
            self.made.append(element)


class AnyAllSink(ElementSink):
    """Computes `any` or `all` of the elements: `made` says whether one has decided.

    Args:
        backends: as in `ElementSink`.
        by: whether a true element decides, as in `any`.
    """

    def __init__(self, backends: Backends, by: bool) -> None:
        super().__init__(backends, "generator expression", False)
        self._by = by

    def decided(self, iterated: Any, over: Over) -> object:
        """Return the builtin's result for all elements."""
        self.over(iterated, over)
        return self.made if self._by else self._not(self.made)

    def _add(self, element: Any) -> None:
        element = self._truth_value(element)
        backend = self._of(element)
        truth = bool(element) if backend is None else backend.call("bool", (element,), {})
        self.made = truth if self._by else self._not(truth)

    def _items(self, iterated: Any) -> Iterator[Any]:
        return self._consumed_items(iterated, lambda: self.made)

    def _not(self, truth: object) -> object:
        backend = self._of(truth)
        return not truth if backend is None else backend.logical_not(truth)

    def _is_over(self) -> bool:
        return self.made is True

    def _when(self, tests: tuple[Thunk, ...], action: Thunk) -> None:
        backend = self._of(self.made)
        if backend is not None:
            others = self._further(tests, action)
            backend.cond(self.made, _do_nothing, others, self._state())
        elif not self.made:
            super()._when(tests, action)

    def _further(self, tests: tuple[Thunk, ...], action: Thunk) -> Callable[[], None]:
        return lambda: super(AnyAllSink, self)._when(tests, action)

    def _loop(self, backend: Backend, iterated: Any, over: Over) -> None:
        exits: Mapping[str, object] = {"exits": {self._name: "break"}}
        goes_on = lambda: self._not(self.made)  # noqa: E731
        backend.for_loop(iterated, goes_on, self._iteration(over), self._state(), exits)


class NextSink(ElementSink):
    """Puts the first element into a list, for `next`, and ends the iteration."""

    def __init__(self, backends: Backends) -> None:
        super().__init__(backends, "generator expression", [])
        self._goes_on: Any = True

    def found(self, iterated: Any, over: Over) -> list[Any]:
        """Return a list of the first element, or of none."""
        self.over(iterated, over)
        return self.made

    def _items(self, iterated: Any) -> Iterator[Any]:
        return self._consumed_items(iterated, lambda: self._goes_on)

    def _add(self, element: Any) -> None:
        self.made.append(element)
        self._goes_on = False

    def _is_over(self) -> bool:
        return self._goes_on is False

    def _when(self, tests: tuple[Thunk, ...], action: Thunk) -> None:
        backend = self._of(self._goes_on)
        if backend is not None:
            backend.cond(self._goes_on, self._further(tests, action), _do_nothing, self._state())
        elif self._goes_on:
            super()._when(tests, action)

    def _further(self, tests: tuple[Thunk, ...], action: Thunk) -> Callable[[], None]:
        return lambda: super(NextSink, self)._when(tests, action)

    def _loop(self, backend: Backend, iterated: Any, over: Over) -> None:
        backend.for_loop(iterated, lambda: self._goes_on, self._iteration(over), self._state(), {})

    def _state(self) -> State:
        def put(values: tuple[object, ...]) -> None:
            self.made, self._goes_on = values

        names = (self._name, "whether it goes on")
        return State(lambda: (self.made, self._goes_on), put, names, 2)


class YieldSink:
    """Yields the elements one at a time, for a generator expression that stays Python's own."""

    def generator(self, iterated: Any, over: Over) -> Iterator[Any]:
        """Return a generator; as in Python, `iter` of its source is called at once."""
        return self._elements(over(iter(iterated), self))

    def __call__(self, element: Thunk, *tests: Thunk) -> Iterable[Any]:
        """Return a tuple of the element if the conditions hold, else an empty tuple."""
        return (element(),) if all(test() for test in tests) else ()

    def each(self, iterated: Thunk, over: Over, *tests: Thunk) -> Iterable[Any]:
        """Return the elements of the inner iterables, if the conditions hold."""
        if not all(test() for test in tests):
            return ()
        return self._elements(over(iterated(), self))

    def _elements(self, taken: Iterable[Any]) -> Iterator[Any]:
        for elements in taken:
            yield from elements


def _do_nothing() -> None:
    return None

"""Methods of lists as generated code calls them, such as `append`, `pop` and `sort`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.comparisons import Comparisons
from autograph.operators.recording_state import RecordingState
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.tracebacks import call_with_user_errors
from autograph.operators.unpacking import make_star_items

# The methods that compare items, or iterate over an argument.
COMPARING = frozenset(("sort", "index", "count", "remove", "extend"))
# The methods that take an index, which may be a tensor.
PLACING = frozenset(("insert", "pop"))
_SORT_OPTIONS = frozenset(("key", "reverse"))
TAKING_TENSORS = COMPARING | PLACING


class ListOperators:
    """The operators for methods of lists: objects of other types get a converted call."""

    def __init__(self, call_method: Callable[..., object]) -> None:
        self._call_method = call_method

    def list_append(self, target: object, item: object) -> object:
        """Execute `target.append(item)` and return its result."""
        if type(target) is list:
            return target.append(item)  # type: ignore[func-returns-value]
        return self._call_method(target.append, item)  # type: ignore[attr-defined]

    def list_extend(self, target: object, items: object) -> object:
        """Execute `target.extend(items)` and return its result."""
        return self._call_method(target.extend, items)  # type: ignore[attr-defined]

    def list_pop(self, target: object, *index: object) -> object:
        """Execute `target.pop(*index)` and return its result."""
        if type(target) is list:
            return target.pop(*index)  # type: ignore[arg-type]
        return self._call_method(target.pop, *index)  # type: ignore[attr-defined]


def converting_key(
    sort: Callable[..., object], convert: Callable[[object], object]
) -> Callable[..., object]:
    """Return the `sort` of a stand-in for a list, which converts its key function."""

    def sorting(*args: Any, **options: Any) -> object:
        if "key" in options:
            options["key"] = convert(options["key"])
        return sort(*args, **options)

    return partial(call_with_user_errors, sorting)


def extending(extend: Callable[..., object], backends: Backends) -> Callable[..., object]:
    """Return an `extend` or `extendleft` whose argument may be an iterable of a backend."""
    spread = make_star_items(backends)
    owner = getattr(extend, "__self__", None)

    def extended(*args: Any, **options: Any) -> object:
        if len(args) != 1 or options:
            return extend(*args, **options)
        items = spread(args[0])
        # The number of items that a deque drops depends on the number of those that it takes.
        backend = backends.of(items) if type(owner) is deque else None
        if backend is None:
            return extend(items)
        return backend.call(f"deque.{extend.__name__}", (owner, items), {})

    return partial(call_with_user_errors, extended)


def making_deques(backends: Backends) -> Callable[..., object]:
    """Return a `deque` whose first argument may be an iterable of a backend.

    >>> making_deques(Backends(()))([1, 2, 3], maxlen=2)
    deque([2, 3], maxlen=2)
    """

    def made(iterable: Any = (), *args: Any, **options: Any) -> object:
        if backends.recorder() is None:
            return deque(iterable, *args, **options)
        empty: deque[Any] = deque((), *args, **options)
        extending(empty.extend, backends)(iterable)
        return empty

    return made


class ListMethods:
    """The methods of lists and tuples that compare items, or take an index that may be a tensor.

    Args:
        backends: the possible owners of items and indices.
        order: the replacement of `sorted`.
    """

    def __init__(self, backends: Backends, order: Callable[..., Any]) -> None:
        self._backends, self._order = backends, order
        self._is_staging = RecordingState(backends).staging

    def method(self, f: BuiltinFunctionType) -> Callable[..., object]:
        """Return the replacement of `f`, a bound method of a list or tuple."""
        if not self._is_staging():
            return f
        target: Any = f.__self__
        if f.__name__ == "sort":
            return partial(call_with_user_errors, self._sorting(f, target))
        if f.__name__ == "extend":
            return extending(f, self._backends)
        return partial(call_with_user_errors, self._comparing(f, target))

    def _sorting(self, f: BuiltinFunctionType, target: list[Any]) -> Callable[..., object]:
        def sort(*args: Any, **options: Any) -> None:
            if args or not _SORT_OPTIONS.issuperset(options):
                f(*args, **options)  # Python raises its error.
            target[:] = self._order(target, **options)

        return sort

    def _comparing(
        self, f: BuiltinFunctionType, target: list[Any] | tuple[Any, ...]
    ) -> Callable[..., object]:
        def method(*args: Any, **options: Any) -> object:
            if options:
                return f(*args, **options)
            items = () if f.__name__ in PLACING else target
            values = (*args[:1], *items)
            backend = Comparisons(self._backends).inside(values)
            if backend is None and items and SpecialMethodOperators(self._backends).compare(values):
                backend = self._backends.recording()
            if backend is None:
                return f(*args)
            kind = "tuple" if isinstance(target, tuple) else "list"
            return backend.call(f"{kind}.{f.__name__}", (target, *args), {})

        return method

"""Python's builtin functions: which one a backend answers, by the arguments that it owns.

A call such as `range(n)` stays Python's own unless a backend that is recording owns an argument;
then the result is that of the backend's `builtin("range", (n,), {})`.
"""

from __future__ import annotations

import builtins
import functools
import itertools
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Backends
from autograph.operators.builtin_overloads import must_be_python, python_overload
from autograph.operators.generators import FORMS, form_of_builtin
from autograph.operators.lazy_filter import filterfalse_overload
from autograph.operators.lists import making_deques
from autograph.operators.math_names import OF_ITEMS, OF_NUMBERS, OF_POINTS
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.tracebacks import drop_internal_frames

Arguments = tuple[Any, ...]
Answer = Callable[..., object]
Watch = Callable[[Arguments], Iterable[object]]
Prepare = Callable[[Arguments, dict[str, Any]], Arguments]
Convert = Callable[[object], object]
# The argument of a builtin that is a function: the first one, `key`, or the second one or `func`.
Place = Literal["first", "key", "second"]


def first(args: Arguments) -> Iterable[object]:
    """Watch the first argument only."""
    return args[:1]


def all_of(args: Arguments) -> Iterable[object]:
    """Watch every argument."""
    return args


def second_on(args: Arguments) -> Iterable[object]:
    """Watch the arguments after a function argument."""
    return args[1:]


def second(args: Arguments) -> Iterable[object]:
    """Watch the second argument only."""
    return args[1:2]


def first_and_second(args: Arguments) -> Iterable[object]:
    """Watch the first two arguments."""
    return args[:2]


def items(args: Arguments) -> Iterable[object]:
    """Watch every argument, and the items of a list or tuple that is the only one."""
    alone = args[0] if len(args) == 1 else None
    return (*alone, alone) if isinstance(alone, (list, tuple)) else args


def within(args: Arguments) -> Iterable[object]:
    """Watch every argument, and the items of each that is a list or tuple."""
    lists = [each for each in args if isinstance(each, (list, tuple))]
    return (*args, *itertools.chain.from_iterable(lists))


def none_of(args: Arguments) -> Iterable[object]:
    """Watch nothing."""
    return ()


# For each builtin, a function that returns the arguments that may have a backend.
OVERLOADS: Mapping[Callable[..., object], Watch] = {
    builtins.abs: first,
    builtins.all: items,
    builtins.any: items,
    builtins.ascii: first,
    builtins.bin: first,
    builtins.bool: first,
    builtins.callable: first,
    builtins.chr: first,
    builtins.complex: all_of,
    builtins.divmod: all_of,
    builtins.enumerate: first_and_second,
    builtins.filter: second_on,
    builtins.float: first,
    builtins.format: all_of,
    builtins.frozenset: first,
    builtins.int: all_of,
    builtins.delattr: second,
    builtins.getattr: first_and_second,
    builtins.hasattr: first_and_second,
    builtins.hex: first,
    builtins.id: first,
    builtins.isinstance: all_of,
    builtins.issubclass: all_of,
    builtins.iter: first,
    builtins.len: first,
    builtins.list: first,
    builtins.map: second_on,
    builtins.max: items,
    builtins.min: items,
    builtins.next: first,
    builtins.oct: first,
    builtins.ord: first,
    builtins.pow: all_of,
    builtins.range: all_of,
    builtins.repr: first,
    builtins.reversed: first,
    builtins.round: first_and_second,
    builtins.set: first,
    builtins.setattr: second,
    builtins.sorted: items,
    builtins.str: first,
    builtins.type: first,
    builtins.sum: first,
    builtins.tuple: first,
    builtins.zip: all_of,
    functools.reduce: second_on,
    **dict.fromkeys(OF_NUMBERS, all_of),
    **dict.fromkeys(OF_ITEMS, first),
    **dict.fromkeys(OF_POINTS, within),
}
# The backends' names of builtins whose own name is ambiguous.
_NAMES: Mapping[Callable[..., object], str] = {**OF_NUMBERS, **OF_ITEMS, **OF_POINTS}

# Builtins that iterate and that no backend computes, but for lazy filters and for `dict` of a dict:
# their arguments are checked, since Python would see the stand-in for a list or dict.
_ITERATING: tuple[Callable[..., Any], ...] = (
    dict,
    *(each for each in vars(itertools).values() if isinstance(each, type)),
    *(Counter, OrderedDict, dict.fromkeys, OrderedDict.fromkeys, itertools.chain.from_iterable),
)

# Those that accept a staged list.
_KEEPING = (dict, itertools.repeat)

# Builtins that call their first argument, or `key`. This function is converted.
CALLERS: Mapping[Callable[..., object], Place] = {
    builtins.filter: "first",
    builtins.map: "first",
    builtins.max: "key",
    builtins.min: "key",
    builtins.sorted: "key",
    functools.reduce: "first",
}

# The functions of `itertools` that call an argument, which is converted.
_ITERATING_CALLERS: Mapping[Callable[..., object], Place] = {
    itertools.filterfalse: "first",
    itertools.takewhile: "first",
    itertools.dropwhile: "first",
    itertools.starmap: "first",
    itertools.accumulate: "second",
}


def overload(
    function: Callable[..., object],
    watch: Watch,
    backends: Backends,
    prepare: Prepare | None = None,
) -> Answer:
    """Return a replacement of a builtin: it calls the backend of an argument, or the builtin.

    Args:
        function: the builtin.
        watch: returns the arguments that may have a backend.
        backends: the possible owners of these arguments.
        prepare: converts the arguments first; None if they need no conversion.

    >>> length = overload(len, first, Backends(()))
    >>> length([1, 2, 3])
    3
    """
    name = _NAMES.get(function, function.__name__)
    of, of_any, python = backends.of, backends.of_any, python_overload(function, backends)
    is_pythons = must_be_python(function, backends)
    iterators = SpecialMethodOperators(backends).iterators(name)

    def answer_for_first(*args: Any, **kwargs: Any) -> object:
        try:
            if iterators is not None:
                args = iterators(args)
            backend = of(args[0]) if args else None
            if backend is None:
                return python(*args, **kwargs)
            return backend.call(name, args, kwargs, answer_for_first)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    def answer(*args: Any, **kwargs: Any) -> object:
        try:
            if prepare is not None:
                args = prepare(args, kwargs)
            if iterators is not None:
                args = iterators(args)
            backend = of_any(watch(args)) or (of_any(kwargs.values()) if kwargs else None)
            if backend is None:
                return function(*args, **kwargs) if is_pythons() else python(*args, **kwargs)
            return backend.call(name, args, kwargs, answer)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    alone = watch is first and prepare is None
    return _named_as(function, answer_for_first if alone else answer)


def _named_as(function: Callable[..., object], answer: Answer) -> Answer:
    """Return a replacement with the name of its builtin, for Python's error messages."""
    answer.__module__, answer.__qualname__ = function.__module__, function.__qualname__
    return answer


def refuse_unknown_items(name: str, args: Iterable[object], backends: Backends) -> None:
    """Refuse iteration by Python alone if an argument has items that only a run knows."""
    for each in args:
        backend = backends.of(each) if isinstance(each, (list, deque, dict)) else None
        if backend is not None:
            kind = "dict" if isinstance(each, dict) else "list"
            raise backend.refusal(
                f"{name}() iterates over a {kind} of which only the graph knows the items, and is "
                "not converted: write the loop, as in `for item in items: ...`",
                iterating=True,
            )


def _checked_iteration(function: Callable[..., object], backends: Backends) -> Answer:
    iterable = SpecialMethodOperators(backends).iterable

    def answer(*args: Any, **kwargs: Any) -> object:
        is_recording = bool(args) and backends.recorder() is not None
        if is_recording and function.__name__ in FORMS:
            args = tuple([each if callable(each) else iterable(each) for each in args])
        backend = backends.of_any(args) if is_recording else None
        if backend is not None and any(isinstance(each, LazyIterator) for each in args):
            return backend.call(function.__name__, args, kwargs, function)
        if is_recording and _has_staged_items(function, args, backends):
            return backends.lazy_builtin(function.__name__, args, kwargs)
        if backend is not None and function is dict and isinstance(args[0], dict):
            return backend.call("dict", args, kwargs)
        # These accept any list, but not any dict.
        is_kept = function in _KEEPING and not any(isinstance(each, dict) for each in args[:1])
        if backend is not None and not is_kept:
            refuse_unknown_items(function.__name__, args, backends)
        return function(*args, **kwargs)

    return _named_as(function, answer)


def _checked_bounds(answer: Answer, backends: Backends, convert: Convert) -> Answer:
    """Return an `islice` that checks bounds which only the graph knows when it is called."""

    def sliced(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is not None and backends.of_any(args) is not None:
            check: Any = convert(form_of_builtin("islice.bounds"))
            check(*args[1:])
        return answer(*args, **kwargs)

    return _named_as(itertools.islice, sliced)


def _has_staged_items(function: Callable[..., object], args: Arguments, backends: Backends) -> bool:
    """Return whether only the graph can iterate over an argument, or knows a bound of `islice`."""
    if function.__name__ not in FORMS:
        return False
    if function is itertools.islice and backends.of_any(args[1:]) is not None:
        return True
    if function is itertools.groupby:  # It compares items by `==`.
        within = args[0] if type(args[0]) in (list, tuple) else ()
        return backends.of_any((args[0], *within)) is not None
    is_of_parts = function == itertools.chain.from_iterable and type(args[0]) in (list, tuple)
    owners = [(backends.of(each), each) for each in (args[0] if is_of_parts else args)]
    return any(
        owner is not None and not owner.call("is_iterable_in_python", (each,), {})
        for owner, each in owners
    )


def _as_generator(function: Callable[..., object], backends: Backends, convert: Convert) -> Answer:
    """Return an overload that is a generator in a trace, where tensors may be its tests."""

    def answer(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is None or len(args) != 2 or kwargs:
            return function(*args, **kwargs)
        if _has_staged_items(function, args, backends):
            return backends.lazy_builtin(function.__name__, args, {})
        generator: Any = convert(form_of_builtin(function.__name__))
        return generator(*args)

    return _named_as(function, answer)


def _prepared(function: Answer, prepare: Prepare) -> Answer:
    def answer(*args: Any, **kwargs: Any) -> object:
        try:
            return function(*prepare(args, kwargs), **kwargs)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    return answer


def converting_function(place: Place, convert: Convert) -> Prepare:
    """Return a function that converts the function among a builtin's arguments.

    It returns the new arguments, and changes the keyword arguments in place.
    """

    def by_position(args: Arguments, kwargs: dict[str, Any]) -> Arguments:
        return (convert(args[0]), *args[1:]) if args else args

    def by_key(args: Arguments, kwargs: dict[str, Any]) -> Arguments:
        if kwargs.get("key") is not None:
            kwargs["key"] = convert(kwargs["key"])
        return args

    def by_either(args: Arguments, kwargs: dict[str, Any]) -> Arguments:
        if kwargs.get("func") is not None:
            kwargs["func"] = convert(kwargs["func"])
        return (args[0], convert(args[1]), *args[2:]) if len(args) > 1 else args

    return {"key": by_key, "first": by_position, "second": by_either}[place]


def _next_with_default(
    answer: Answer, has_users_next: Callable[[object], bool], convert: Convert
) -> Answer:
    """Return a `next` that takes a default where the StopIteration of a user's iterator is raised.

    Only the graph may know whether it is raised.
    """

    def taken(*args: Any, **kwargs: Any) -> object:
        if len(args) != 2 or kwargs or not has_users_next(args[0]):
            return answer(*args, **kwargs)
        found: Any = convert(form_of_builtin("next.default"))
        return found(*args)

    return _named_as(builtins.next, taken)


def builtin_replacements(backends: Backends, convert: Convert) -> dict[object, Answer]:
    """Return the replacement of each builtin that has one.

    Args:
        backends: the possible owners of the arguments.
        convert: returns the converted form of a callable, or the callable itself.
    """
    found: dict[object, Answer] = {}
    for function in {**OVERLOADS, **CALLERS}:
        place = CALLERS.get(function)
        prepare = None if place is None else converting_function(place, convert)
        watch = OVERLOADS.get(function, none_of)
        found[function] = overload(function, watch, backends, prepare)
    for kind in _ITERATING:
        found[kind] = _checked_iteration(kind, backends)
    has_users_next = SpecialMethodOperators(backends).has_next
    found[builtins.next] = _next_with_default(found[builtins.next], has_users_next, convert)
    found[deque] = _named_as(deque, making_deques(backends))
    found[itertools.islice] = _checked_bounds(found[itertools.islice], backends, convert)
    found[itertools.filterfalse] = filterfalse_overload(backends)
    for kind in (itertools.takewhile, itertools.dropwhile, itertools.compress):
        found[kind] = _as_generator(kind, backends, convert)
    for kind, place in _ITERATING_CALLERS.items():
        found[kind] = _prepared(found[kind], converting_function(place, convert))
    return found

"""Python's builtin functions on tensors; each has the result that it has for an eager tensor.

Where Python returns an int, float, bool or str, the result is a weak tensor, which adopts other
dtypes as a Python value does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.dynamic_keys import DynamicDict, DynamicSet
from autograph.backends.graph.containers.method_signatures import refuse_as_python
from autograph.backends.graph.containers.staged_dict import StagedDict, has_optional_items, value_or
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.case_dispatch import has_alternatives
from autograph.backends.graph.exceptions.caught_exception import (
    CaughtError,
    CaughtKind,
    attribute_of,
    has_attribute,
)
from autograph.backends.graph.functions.math_functions import MATH_BUILTINS
from autograph.backends.graph.functions.numpy_calls import call_numpy
from autograph.backends.graph.functions.reductions import REDUCTIONS
from autograph.backends.graph.functions.string_formatting import SPELLING_BUILTINS
from autograph.backends.graph.functions.strings import is_text, python_text
from autograph.backends.graph.functions.subscripts import get_or
from autograph.backends.graph.iterators.comprehensions import GeneratorExpression
from autograph.backends.graph.iterators.dynamic_loops import fold, rows, tuple_of_rows
from autograph.backends.graph.iterators.iterator_kinds import (
    StagedEnumerate,
    StagedFilter,
    StagedMap,
    StagedReversed,
    StagedZip,
    zipped_elements,
)
from autograph.backends.graph.iterators.iterator_parts import can_be_indexed, is_tensor
from autograph.backends.graph.iterators.staged_iterators import (
    DatasetIterator,
    RowIterator,
    StagedIterator,
    can_iterate_in_python,
    elements_of,
    staged_list,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.iterables import (
    StagedIterable,
    SymbolicRange,
    as_weak,
    length,
)
from autograph.backends.graph.values.number_builtins import NUMBERS
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.truth import truth
from autograph.backends.graph.values.unknown_key_order import (
    has_unknown_order,
    record_unknown_order,
)
from autograph.errors import StagingError
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.ops.effects.checks import check
from runtime.ops.python.numbers import like_of
from runtime.ops.python.string_methods import text_method

_ITERATING = frozenset(
    "all any enumerate filter iter len list map max min sorted sum tuple zip".split()
)
_CONSUMING = frozenset("all any frozenset list max min reduce set sorted sum tuple".split())
_ANY_ORDER = frozenset("all any len max min sorted sum".split())
# The prefix of NumPy functions in the names of builtins.
_NUMPY = "np."
_OF_DICTS = ("bool", "type", "isinstance", "len")
# Builtins that inspect an object itself, not its contents.
_OF_OBJECTS = frozenset("callable delattr dir getattr hasattr id issubclass setattr vars".split())
# Builtins that take no container, whose errors are Python's.
_OF_NO_CONTAINER = frozenset("abs complex float int next round".split())
Builtin = Callable[..., object]
_NOTHING: Any = object()


def call_builtin(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """Return `name(*args, **kwargs)` where an argument is a tensor.

    Raises:
        StagingError: if the builtin has no meaning on symbolic tensors, or on these.
    """
    if name == "dict":
        return _dict(args, kwargs)
    if name == "update":
        return _update(args, kwargs)
    if name.startswith(_NUMPY):
        return call_numpy(*args, **kwargs)
    if name in _OF_DICTS and any(map(has_optional_items, args)):
        return _dict_result(name, *args)
    any_order = name in _ANY_ORDER and "key" not in kwargs
    if name in _OF_NO_CONTAINER and any(map(_is_container, args)):
        refuse_as_python(name, args, kwargs)
    if name not in _OF_OBJECTS:
        args = [_iterable_argument(name, arg, any_order) for arg in args]
    builtin = BUILTINS.get(name)
    if builtin is None:
        raise StagingError(f"{name}() has no meaning on symbolic tensors", user_location())
    try:
        return builtin(*args, **kwargs)
    except TypeError as error:
        if _is_of_the_call(error):
            refuse_as_python(name, args, kwargs)
        raise


def _is_of_the_call(error: BaseException) -> bool:
    """Return whether a call failed to bind its arguments."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None


def _is_container(value: object) -> bool:
    """Return whether a value stands for a list, deque, dict or set."""
    is_stand_in = isinstance(value, (StagedList, StagedDict, DynamicSet))
    return is_stand_in or is_staged(value) or has_optional_items(value)


def _dict_result(name: str, *args: Any) -> object:
    """Return a builtin's result for a dict with optional items."""
    held = next(StagedDict(arg) for arg in args if has_optional_items(arg))
    if name == "bool":
        return truth(held.user_object)
    if name == "type":
        return type(held.user_object)
    if name == "isinstance":
        return isinstance(*args)
    return held.length()


def _dict(args: Sequence[Any], more: Mapping[str, object]) -> dict[Any, Any]:
    made = dict(StagedDict(*args).copy())
    if has_unknown_order(args[0]):
        record_unknown_order(made)
    StagedDict(made).update(more)
    return made


def _update(args: Sequence[Any], more: Mapping[str, object]) -> object:
    target, *others = args
    return StagedDict(target).update(*others, **more)  # type: ignore[func-returns-value]


def _iterable_argument(name: str, arg: Any, any_order: bool) -> object:
    """Return the iterable that a builtin uses for an argument; for a dict, its keys."""
    if isinstance(arg, (DynamicSet, DynamicDict)):
        return arg if name in ("bool", "len") else arg.as_iterable(any_order)
    if isinstance(arg, (AnyDataset, AnyIterator)) and name in _CONSUMING:
        return elements_of(arg)
    if isinstance(arg, StagedDict) or has_optional_items(arg):
        arg = arg.keys() if isinstance(arg, StagedDict) else StagedDictView(arg, "keys")
    if isinstance(arg, StagedDictView) and name in ("bool", "len"):
        return arg
    if isinstance(arg, StagedDictView) and name not in _ITERATING:
        arg.refuse()
    if isinstance(arg, StagedDictView) and any_order:
        return StagedDictView(arg.user_object, arg.part, any_order)
    return arg


def _range(start: object, stop: object = _NOTHING, step: object = 1) -> object:
    return SymbolicRange(0, start, step) if stop is _NOTHING else SymbolicRange(start, stop, step)


def _iter(values: Any, *sentinel: object) -> object:
    if sentinel:
        return iter(values, *sentinel)
    if isinstance(values, AnyDataset):
        return DatasetIterator(values)
    is_iterator = isinstance(values, (StagedIterator, AnyIterator))
    return values if is_iterator else RowIterator([values])


def _zip(*parts: Any, strict: bool = False) -> object:
    if any(isinstance(part, AnyDataset) for part in parts) and not strict:
        return zipped_elements(parts)
    staged = _staged_only(parts)
    return StagedZip(parts, strict) if staged else zip(*map(_whole, parts), strict=strict)


def _map(function: Any, *parts: Any) -> object:
    if len(parts) > 1 and any(isinstance(part, AnyDataset) for part in parts):
        return StagedMap(lambda items: function(*items), zipped_elements(parts))
    return (
        StagedMap(function, *parts) if _staged_only(parts) else map(function, *map(_whole, parts))
    )


def _enumerate(iterable: Any, start: Any = 0) -> object:
    if (
        isinstance(iterable, StagedIterable)
        or is_tensor(iterable)
        or not can_iterate_in_python(iterable)
    ):
        return StagedEnumerate(iterable, start)
    return ((rt.add(start, k), item) for k, item in enumerate(iterable))


def _filter(function: Any, values: Any) -> object:
    return StagedFilter(function, values)


def _reversed(values: Any) -> object:
    if isinstance(values, StagedIterator):
        raise TypeError(f"'{values.name}' object is not reversible")
    if isinstance(values, AnyDataset):
        raise TypeError("'Dataset' object is not reversible")
    if isinstance(values, AnyIterator):
        raise TypeError("'Iterator' object is not reversible")
    return StagedReversed([values])


def _next(iterator: Any, default: object = _NOTHING) -> object:
    if isinstance(iterator, AnyDataset):
        raise TypeError("'Dataset' object is not an iterator: write iter(dataset)")
    iterator = elements_of(iterator)
    if not isinstance(iterator, StagedIterator):
        raise TypeError("a Tensor is not an iterator: write iter(x)")
    return next(iterator) if default is _NOTHING else iterator.item_or(default)


def _str(value: Any, *decoding: Any) -> object:
    if decoding:
        raise TypeError("decoding to str: need a bytes-like object, Tensor found")
    return python_text(str, value)


def _len(values: Any) -> object:
    if isinstance(values, (DynamicSet, DynamicDict)):
        return values.length()
    if isinstance(values, StagedIterator):
        raise TypeError(f"object of type '{values.name}' has no len()")
    if isinstance(values, AnyDataset):
        return _dataset_len(values)
    if isinstance(values, AnyIterator):
        raise TypeError("object of type 'Iterator' has no len()")
    if isinstance(values, StagedDictView):
        return as_weak(values.number_of_items())
    if is_text(values):
        return text_method(values, "__len__")
    grown = staged_list(values)
    return length(values) if grown is None else grown.length()


def _dataset_len(dataset: AnyDataset) -> object:
    size = dataset.cardinality()
    if isinstance(size, rt.SymbolicTensor) and dataset.plan.size(dataset.tensors) < 0:
        endless = "the dataset is infinite: it has no len()"
        check(rt.not_equal(size, rt.data.INFINITE_CARDINALITY), TypeError, endless)
        unknown = "the length of the dataset is unknown: count it in a loop"
        check(rt.not_equal(size, rt.data.UNKNOWN_CARDINALITY), TypeError, unknown)
        return as_weak(rt.cast(size, rt.int32))
    return len(dataset)


def _ascii(value: Any) -> object:
    if isinstance(value, rt.Tensor) and value.dtype == rt.string:
        raise StagingError("ascii() of a text is known only when the graph runs", user_location())
    return python_text(repr, value)


def _set(kind: Callable[..., object], *values: Any) -> object:
    """Return a set, whose items must be known while tracing."""
    if not all(map(can_iterate_in_python, values)):
        raise StagingError(
            f"{kind.__name__}() tells items apart while tracing, and these are known only when the "
            "graph runs: keep a list, and ask `if v not in values` before each append",
            user_location(),
        )
    return kind(*values)


def _isinstance(value: Any, kinds: Any) -> object:
    """Return `isinstance` for the Python value that a stand-in stands for."""
    if isinstance(value, CaughtError):
        return value.is_a(kinds if isinstance(kinds, tuple) else (kinds,))
    if isinstance(value, StagedIterable):
        return isinstance(_LIKE.get(type(value), value), kinds) or isinstance(value, kinds)
    if isinstance(value, rt.SymbolicTensor) and value.weak and value.shape.rank == 0:
        return isinstance(like_of(value), kinds)
    return isinstance(value, kinds)


def _attribute_result(
    asked: str, function: Builtin, owner: object, name: object, *more: object
) -> object:
    """Return the result of `getattr`, or a similar builtin, for a name that is known."""
    if isinstance(name, rt.Tensor):
        raise StagingError(
            f"{asked}() is given the name of an attribute that is a text of the graph, "
            "known when it runs: choose the attribute instead, as in o.up if way == 'up' else "
            "o.down, or keep the values in a dict",
            user_location(),
        )
    return function(owner, name, *more)


def _id(value: object) -> int:
    if has_alternatives(value):
        raise StagingError(
            "id() of a value that is one of several objects, or None on some paths, is known only "
            "when the graph runs: write `a is b`",
            user_location(),
        )
    return id(value)


def _issubclass(kind: Any, kinds: Any) -> object:
    """Return `issubclass`, also for a class that is selected at run time."""
    if isinstance(kind, CaughtKind):
        return kind.is_subclass(kinds)
    if isinstance(kind, OneOfObjects):
        return kind.python_test(lambda each: issubclass(each, kinds))  # type: ignore[arg-type]
    return issubclass(kind, kinds)


def _type(value: Any, *others: Any) -> object:
    """Return the type of the Python value that a stand-in stands for."""
    if others:
        return type(value, *others)
    if isinstance(value, CaughtError):
        return value.known_type()
    if isinstance(value, rt.SymbolicTensor) and value.weak and value.shape.rank == 0:
        return type(like_of(value))
    return type(value)


def _reduce(function: Any, values: Any, initial: Any = _NOTHING) -> object:
    if can_iterate_in_python(values):
        start = () if initial is _NOTHING else (initial,)
        return functools.reduce(function, rows(values), *start)
    if initial is not _NOTHING:
        return fold(function, values, initial, (function,))
    items = StagedList(rows(values))
    words = "reduce() of empty iterable with no initial value"
    check(rt.greater(items.length(), 0), TypeError, words)
    return fold(function, items[1:], items.item(0), (function,))


_LIKE: Mapping[type, object] = {
    SymbolicRange: range(0),
    StagedZip: zip(),
    StagedEnumerate: enumerate(()),
    StagedMap: map(bool, ()),
    StagedFilter: filter(None, ()),
    StagedReversed: reversed([]),
    RowIterator: iter([]),
}

# Python's error messages name the type of an operand: stand-ins get the names of their types.
for _kind, _word in (
    *((kind, type(like).__name__) for kind, like in _LIKE.items()),
    (GeneratorExpression, "generator"),
    (CaughtError, "Exception"),
):
    _kind.__name__ = _word


def _staged_only(parts: Sequence[Any]) -> bool:
    """Return whether a staged iterator is needed for the parts.

    Python iterates if a part has Python objects as items and all lengths are known.
    """
    return all(map(can_be_indexed, parts)) or not all(map(can_iterate_in_python, parts))


def _whole(part: Any) -> Any:
    return rt.convert_to_tensor(part) if isinstance(part, rt.Variable) else part


BUILTINS: Mapping[str, Builtin] = {
    **NUMBERS,
    **MATH_BUILTINS,
    **REDUCTIONS,
    **SPELLING_BUILTINS,
    "enumerate": _enumerate,
    "filter": _filter,
    "format": partial(python_text, format),
    "frozenset": partial(_set, frozenset),
    "get": get_or,
    "callable": callable,
    "dir": dir,
    "either": lambda value, default: value_or(value, lambda: default),
    "delattr": partial(_attribute_result, "delattr", delattr),
    "getattr": partial(_attribute_result, "getattr", attribute_of),
    "hasattr": partial(_attribute_result, "hasattr", has_attribute),
    "ascii": _ascii,
    "id": _id,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "iter": _iter,
    "len": _len,
    "list": rows,
    "map": _map,
    "next": _next,
    "range": _range,
    "reduce": _reduce,
    "repr": partial(python_text, repr),
    "reversed": _reversed,
    "set": partial(_set, set),
    "setattr": partial(_attribute_result, "setattr", setattr),
    "str": _str,
    "tuple": tuple_of_rows,
    "type": _type,
    "vars": vars,
    "zip": _zip,
}

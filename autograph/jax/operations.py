"""The operations of `JaxBackend.call`: builtins, text, places and comparisons on traced values.

An operation that is missing here has Python's meaning.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograph.backends.python import meaning_of
from autograph.errors import ContainerMutationError, StagedIterationError, StagingError
from autograph.jax.aliases import record_choice
from autograph.jax.conditionals.conditional import chosen, truth
from autograph.jax.forms import form_of, is_array, is_numeric_member, joined_form, scalar
from autograph.jax.growing_lists import Appender, PreallocatedList, StackedList, rows_in
from autograph.jax.heap import Heap
from autograph.jax.internals import SymbolicDimension, Tracer, is_concrete
from autograph.jax.iterables import (
    Range,
    TracedIterable,
    TracedMap,
    TracedReversed,
    TracedZip,
    items_of,
)
from autograph.jax.location import STACKS, location
from autograph.jax.optional_values import TracedOptional, is_none, learn, narrowed, required
from autograph.jax.pytrees import is_placeholder
from autograph.jax.raised_errors import require, uncertain
from autograph.jax.slices import is_traced_slice, part_of, with_part
from autograph.jax.text import marked, print_values, traced_text
from autograph.jax.try_statements import uncatchable

_LISTS = (StackedList, PreallocatedList)
# The operations that accept values that may be None.
_OF_OPTIONAL = ("same", "returned", "compares_parts", "callable_of")
_COMPARED = (list, tuple, dict, *_LISTS)


def operate(
    word: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    again: Callable[..., object] | None = None,
) -> Any:
    """Return the result of an operation; arguments as for `Backend.call`.

    Raises:
        StagingError: the operation has no meaning on traced values.
    """
    if word not in _OF_OPTIONAL:
        args = [each.require() if isinstance(each, TracedOptional) else each for each in args]
    operation = OPERATIONS.get(word)
    if operation is not None:
        return operation(*args, **kwargs)
    if word.startswith("np."):
        return _numpy(word, args, kwargs)
    if word.startswith("math."):
        return _math(word, args, kwargs)
    if word.startswith(("list.", "tuple.", "str.")) and _any_traced(args):
        raise refused(f"{word.partition('.')[2]}() of a {word.partition('.')[0]}")
    return meaning_of(word)(*args, **kwargs)


def refused(what: str) -> StagingError:
    """Return the error for an operation without a meaning on traced values."""
    return StagingError(f"{what} has no meaning on values that only a run knows", location())


def _any_traced(values: Sequence[Any]) -> bool:
    return any(is_traced(value) for value in jax.tree_util.tree_leaves(list(values)))


def is_traced(value: object) -> bool:
    """Return whether only a run knows a value."""
    return isinstance(value, Tracer) and not is_concrete(value)


# -- numbers ---------------------------------------------------------------------------------------


def _number(kind: type, value: Any = 0, *more: Any) -> Any:
    """Return `int(value)`, `float(value)` or `complex(value)`: a number with a weak type."""
    if more or not is_traced(value):
        return kind(value, *more)
    if np.ndim(value):
        raise refused(f"{kind.__name__}() of an array of shape {np.shape(value)}")
    return scalar(value, kind)


def _bool(value: Any = False) -> Any:
    if isinstance(value, _LISTS):
        return value.length > 0 if isinstance(value, PreallocatedList) else len(value) > 0
    return truth(value, "the operand of bool()") if is_traced(value) else bool(value)


def _round(value: Any, digits: Any = None) -> Any:
    if not is_traced(value):
        return round(value) if digits is None else round(value, digits)
    if digits is not None:
        return jnp.round(value, digits)
    return scalar(jnp.round(value), int)


def _len(value: Any) -> Any:
    if isinstance(value, PreallocatedList):
        return value.length
    if isinstance(value, StackedList):
        return rows_in(value.stacked)
    if isinstance(value, jax.Array) and np.ndim(value):
        return np.shape(value)[0]  # `len` would take no symbolic dimension.
    return value.length if isinstance(value, TracedIterable) else len(value)


def _extreme(name: str) -> Callable[..., Any]:
    """Return `max` or `min`. Of two arguments, the first stays unless the second is beyond it."""
    beyond: Callable[[Any, Any], Any] = operator.gt if name == "max" else operator.lt
    of_rows = jnp.max if name == "max" else jnp.min
    python = max if name == "max" else min

    def extreme(*args: Any, key: Any = None, **default: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], StackedList) and _is_open(args[0]):
            args = (jnp.asarray(args[0]),)
        values = _operands(args)
        if values is None:
            if key is not None or np.ndim(args[0]) != 1:
                raise refused(f"{name}() of an array with a key, or of more axes than one,")
            return of_rows(args[0]) if args[0].shape[0] or not default else default["default"]
        if not values:
            return default["default"] if default else python(())
        measures = _measures(values, key, name)
        if not _any_traced(measures):
            return values[python(range(len(values)), key=measures.__getitem__)]
        best, measure = values[0], measures[0]
        for value, other in zip(values[1:], measures[1:]):
            is_beyond = beyond(other, measure)
            best = value if is_beyond is True else _item_where(is_beyond, value, best)
            measure = best if key is None else _where(is_beyond, other, measure)
        record_choice(best, values)
        return best

    return extreme


def _operands(args: tuple[Any, ...]) -> list[Any] | None:
    """Return the values to compare; None for the rows of one array."""
    if len(args) > 1:
        return list(args)
    if isinstance(args[0], (StackedList, PreallocatedList)):
        if isinstance(args[0], StackedList):
            return list(args[0])
        raise refused("max() and min() of a list whose length only a run knows")
    return None if isinstance(args[0], jax.Array) else list(args[0])


def _measures(items: Sequence[Any], key: Any, name: str) -> list[Any]:
    """Return the values by which items are compared."""
    found = list(items) if key is None else [required(key(each)) for each in items]
    if _any_traced(found) and not all(map(is_array, found)):
        raise StagingError(
            f"{name}() compares values here that are no numbers, and only a run knows them: give "
            "it a key= that is one number for each item",
            location(),
        )
    return found


def _item_where(test: Any, one: Any, other: Any) -> Any:
    """Return one of two items of a list: numbers, or structures of arrays."""
    if not is_traced(test) and not np.ndim(test):
        return one if test else other
    try:
        return jax.tree_util.tree_map(lambda a, b: _where(test, a, b), one, other)
    except (TypeError, ValueError):
        raise refused("a choice of items of a list that are no arrays of one form") from None


def _where(test: Any, one: Any, other: Any) -> Any:
    if np.ndim(test):
        raise refused("a comparison of arrays with several elements")
    if not is_traced(test):
        return one if test else other
    dtype = jnp.result_type(one, other)
    if np.shape(one) == np.shape(other) == () and form_of(one).dtype == form_of(other).dtype:
        return lax.select(test, *map(jnp.asarray, (one, other)))
    return jnp.where(test, one, other).astype(dtype)


def _sum(values: Any, start: Any = 0) -> Any:
    items = values.stacked if isinstance(values, StackedList) else values
    if isinstance(values, PreallocatedList):
        items = _filled(values, 0)
    if not isinstance(items, jax.Array):
        return sum(values, start)
    if items.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    total = jnp.sum(items, 0)
    return total if isinstance(start, int) and start == 0 else start + total


def _filled(items: PreallocatedList, value: Any) -> Any:
    """Return the buffer of a list, with a value in the rows that are no items."""
    buffer = jnp.asarray(items.rows())
    is_item = jnp.arange(buffer.shape[0]) < items.length
    where = is_item.reshape(-1, *[1] * (buffer.ndim - 1))
    return jnp.where(where, buffer, jnp.asarray(value, buffer.dtype))


def _all_or_any(name: str) -> Callable[[Any], Any]:
    of_rows, python = (jnp.all, all) if name == "all" else (jnp.any, any)
    both = jnp.logical_and if name == "all" else jnp.logical_or

    def answer(values: Any) -> Any:
        if isinstance(values, PreallocatedList):
            values = _filled(values, name == "all")
        if isinstance(values, jax.Array):
            if values.ndim != 1:
                raise refused(f"{name}() of an array of shape {values.shape}")
            return of_rows(values)
        held = list(values)
        if not _any_traced(held):
            return python(held)
        tests = [truth(each, f"an item of {name}()") for each in held]
        return functools.reduce(both, tests)

    return answer


def _sorted(values: Any, *, key: Any = None, reverse: bool = False) -> Any:
    is_list = not isinstance(values, (jax.Array, StackedList))
    held = list(values) if is_list else []
    measures: Any
    if is_list:
        found = _measures(held, key, "sorted")
        if not _any_traced(found):
            order = sorted(range(len(held)), key=found.__getitem__, reverse=reverse)
            return [held[at] for at in order]
        measures = jnp.stack(found)
    else:
        array = jnp.asarray(values)
        measures = array if key is None else jax.vmap(key)(array)
    if measures.ndim != 1:
        raise refused(f"sorted() by an array of shape {measures.shape}")
    if key is None and not reverse:
        ordered = jnp.sort(measures)
        return list(ordered) if is_list else StackedList(ordered)
    places = jnp.argsort(measures, stable=True, descending=bool(reverse))
    if not is_list:
        return StackedList(array[places])
    rows = _rows_of(held)
    return [_row(rows, at, held) for at in places]


# -- iteration -------------------------------------------------------------------------------------


def _range(*bounds: Any) -> Any:
    if not any(is_traced(each) or isinstance(each, SymbolicDimension) for each in bounds):
        return range(*[int(each) if isinstance(each, jax.Array) else each for each in bounds])
    if len(bounds) == 1:
        return Range(0, *bounds)
    return Range(*bounds)


def _all_items(values: Sequence[Any]) -> list[TracedIterable] | None:
    found = [items_of(value) for value in values]
    return None if None in found or not found else found  # type: ignore[return-value]


def _zip(*values: Any, strict: bool = False) -> Any:
    items = _all_items(values)
    if items is None:
        return zip(*map(_in_python, values), strict=strict)
    if strict and len({each.length for each in items if each.is_bounded}) > 1:
        raise ValueError("zip() arguments have different lengths")
    return TracedZip(items)


def _enumerate(values: Any, start: Any = 0) -> Any:
    items = items_of(values)
    if items is None:
        return enumerate(values, start)
    return TracedZip([Range(start, start + items.length), items])


def _reversed(values: Any) -> Any:
    items = items_of(values)
    return reversed(values) if items is None else TracedReversed(items)


def _map(function: Any, *values: Any) -> Any:
    items = _all_items(values)
    if items is None:
        return map(function, *map(_in_python, values))
    return TracedMap(function, TracedZip(items))


def _filter(function: Any, values: Any) -> Any:
    raise StagedIterationError(
        "filter() gives as many items as only a run knows: write the loop with an `if`",
        location(),
    )


def _display(kind: type, parts: Sequence[Any]) -> Any:
    """Return a list or tuple of the items of several values."""
    roomy = (PreallocatedList, Appender)
    if not any(isinstance(part, roomy) for part in parts):
        return kind([item for part in parts for item in part])
    first, *others = (part if isinstance(part, roomy) else list(part) for part in parts)
    return functools.reduce(operator.add, others, first + [])


def _in_python(value: Any) -> Any:
    return iter(value)


def _listed(value: Any) -> Any:
    """Return a value that Python iterates over: a range of traced bounds raises its error."""
    return list(value) if isinstance(value, (TracedIterable, *_LISTS)) else value


def _unrolled(value: Any) -> Any:
    """Return the items of a value in a list; the value itself if `jax.export` leaves its length."""
    return value if _is_open(value) else list(value)


def _is_open(value: Any) -> bool:
    """Return whether `jax.export` leaves the number of items of a value open."""
    items = items_of(value)
    return items is not None and isinstance(items.length, SymbolicDimension)


# -- comparisons and places ------------------------------------------------------------------------


def _contains(item: Any, container: Any) -> Any:
    if isinstance(container, StackedList):
        container = jnp.asarray(container)
    if isinstance(container, jax.Array):
        return jnp.any(container == item)
    if isinstance(container, range):
        start, stop, step = container.start, container.stop, container.step
        inside = (item >= start) & (item < stop) if step > 0 else (item <= start) & (item > stop)
        return inside & ((item - start) % step == 0)
    if isinstance(container, (list, tuple, set, frozenset)) or (
        isinstance(container, dict) and _any_traced([item])
    ):
        tests = [each == item for each in container]
        if not _any_traced(tests):
            return any(bool(test) for test in tests)
        return functools.reduce(jnp.logical_or, [truth(test, "an item") for test in tests])
    return item in container


def _compare_containers(compare: Any, left: Any, right: Any) -> Any:
    if compare not in (operator.eq, operator.ne):
        raise refused("a comparison of lists or tuples by `<` or `>`")
    is_equal = _equal(left, right)
    if compare is operator.eq:
        return is_equal
    return jnp.logical_not(is_equal) if is_array(is_equal) else not is_equal


def _equal(left: Any, right: Any) -> Any:
    left, right = (list(each) if isinstance(each, _LISTS) else each for each in (left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        left, right = list(left.values()), [right[key] for key in left]
    if type(left) is not type(right) or not isinstance(left, (list, tuple)):
        return left == right
    if len(left) != len(right):
        return False
    tests = [_equal(a, b) for a, b in zip(left, right)]
    if not _any_traced(tests):
        return all(bool(test) for test in tests)
    return functools.reduce(jnp.logical_and, [truth(test, "an item") for test in tests])


def _returned(did_return: Any, value: Any) -> Any:
    if value is None or is_placeholder(value):
        return None
    if not is_traced(did_return):
        return value if did_return else None
    is_missing = jnp.logical_not(did_return)
    if isinstance(value, TracedOptional):
        return TracedOptional(jnp.logical_or(is_missing, value.is_none), value.value)
    return TracedOptional(is_missing, value)


def _either(item: Any, default: Any) -> Any:
    """Return an attribute that exists on some paths, and the argument of `getattr` elsewhere."""
    value = item.value
    return chosen(item.defined, lambda: value, lambda: default, "this `getattr`")


def _same(left: Any, right: Any) -> Any:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, TracedOptional):
            return is_none(one) if other is None else one.require() is narrowed(other)
        if isinstance(one, Tracer) and is_numeric_member(other):
            raise StagingError(
                f"only a run knows whether this member is {type(other).__name__}.{other.name}, and "
                "JAX has its number, not the object: write == in the place of `is`",
                location(),
            )
    return left is right


def _rebinds(target: Any) -> bool:
    return isinstance(target, jax.Array)


def _refuse_rebinding(name: str) -> NoReturn:
    raise StagingError(
        f"an item of '{name}' is assigned, which is an array of JAX, and the variable of a "
        "function further out or of the module: say `nonlocal` or `global` of it, since the "
        "variable gets another array",
        location(),
    )


def _rows_of(items: list[Any]) -> Any:
    """Return the items of a list as the rows of arrays."""
    if not items or not all(is_array(leaf) for leaf in jax.tree_util.tree_leaves(items)):
        raise refused("an item of a list of other objects than arrays, by an index")
    try:
        return jax.tree_util.tree_map(lambda *leaves: jnp.stack(leaves), *items)
    except (TypeError, ValueError):
        raise refused("an item of a list of arrays of different shapes, by an index") from None


def _row(rows: Any, at: Any, items: list[Any]) -> Any:
    """Return the item of a list at a traced index, of the rows that `_rows_of` has made."""
    item = jax.tree_util.tree_map(lambda each: each[at], rows)
    record_choice(item, items)
    return item


def item_of(container: Any, index: Any) -> Any:
    """Return `container[index]` for a traced index into a list or tuple."""
    container, index = required(container), required(index)
    if isinstance(container, (list, tuple)) and isinstance(index, jax.Array):
        items = list(container)
        if items and all(map(callable, items)):
            return ChosenFunction(items, index)
        where = jnp.where(index < 0, index + len(items), index)
        return _row(_rows_of(items), where, items)
    if isinstance(container, dict):
        raise refused("an item of a dict under a key")
    if isinstance(container, np.ndarray):
        container = jnp.asarray(container)
    return part_of(container, index) if is_traced_slice(container, index) else container[index]


def assigned(target: Any, index: Any, value: Any) -> Any:
    """Return the new value of a variable after `target[index] = value`."""
    target, index = required(target), required(index)
    if isinstance(target, jax.Array):
        value = required(value)
    if isinstance(target, jax.Array):
        if is_traced_slice(target, index):
            return with_part(target, index, value)
        if _is_mask(index) and np.ndim(value) <= target.ndim - index.ndim:
            rows = index.reshape(*index.shape, *[1] * (target.ndim - index.ndim))
            return jnp.where(rows, jnp.asarray(value, target.dtype), target)
        return target.at[index].set(value)
    if isinstance(target, list) and is_traced(index):
        return _with_item(target, index, value)
    if (
        isinstance(target, (np.ndarray, list, dict))
        and _any_traced([index])
        or (isinstance(target, np.ndarray))
    ):
        kind = "array of NumPy" if isinstance(target, np.ndarray) else type(target).__name__
        raise StagingError(
            f"an item of this {kind} is assigned with an index or a value that only a run knows: "
            "make it an array of JAX first, by jnp.asarray",
            location(),
        )
    target[index] = value
    return target


def _with_item(target: list[Any], index: Any, value: Any) -> list[Any]:
    """Assign an item of a list under an index that only a run knows: each item may be that one."""
    where = jnp.where(index < 0, index + len(target), index)
    for at, item in enumerate(target):
        is_this = where == at
        target[at] = (
            jnp.where(is_this, value, item)
            if is_array(value) and is_array(item) and joined_form(form_of(value), form_of(item))
            else chosen(is_this, lambda: value, lambda item=item: item, "this assignment")  # type: ignore[misc]
        )
    return target


def _is_mask(index: Any) -> bool:
    return is_traced(index) and index.ndim > 0 and bool(index.dtype == jnp.bool_)


class ChosenFunction:
    """One of several functions, chosen by an index: a call of it is `lax.switch`."""

    def __init__(self, functions: list[Any], index: Any) -> None:
        self.functions, self.index = functions, index

    def __call__(self, *args: Any) -> Any:
        results: list[Any] = []
        branches = [self._branch(function, args, results) for function in self.functions]
        made = lax.switch(self.index, branches)
        record_choice(made, results)
        return made

    @staticmethod
    def _branch(function: Any, args: tuple[Any, ...], results: list[Any]) -> Callable[[], Any]:
        heap = Heap((), {"the function": function, "the argument": args})

        def run() -> Any:
            with uncertain():
                result = function(*args)
            changes = list(heap.changes())
            heap.restore()
            if changes:
                raise ContainerMutationError(
                    f"'{heap.objects[changes[0]].name}' is changed by one of several functions, "
                    "and only a run knows by which: return the new value instead",
                    location(),
                )
            results.append(result)
            return result

        return run


def _callable_of(f: Any, callee: Callable[[Any], Any]) -> Any:
    if isinstance(f, ChosenFunction):
        return ChosenFunction([callee(each) for each in f.functions], f.index)
    return f


# -- text, checks, math ----------------------------------------------------------------------------


def _assert(test: Any, message: Callable[[], object] | None) -> None:
    arguments = () if message is None else (message(),)
    require(truth(test, "the condition of this `assert`"), AssertionError(*arguments))
    learn(test, True)


def _print(*args: Any, **kwargs: Any) -> None:
    for each in STACKS.tries:
        each.printed = True
    print_values(*args, **kwargs)


def _format(template: str, *args: Any, **kwargs: Any) -> Any:
    named = {name: marked(value) for name, value in kwargs.items()}
    return traced_text(template.format(*map(marked, args), **named))


def _percent(template: str, values: Any) -> Any:
    return traced_text(template.replace("%d", "%s").replace("%r", "%s") % marked(values))


def _text_of(value: Any) -> Any:
    return traced_text(f"{marked(value)}") if _any_traced([value]) else str(value)


# Functions of `math` whose result is that of JAX's function, without an error for some numbers.
_MATH = {
    **dict.fromkeys(("sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "atan", "atan2")),
    **dict.fromkeys(("exp", "expm1", "hypot", "copysign", "degrees", "radians", "fabs")),
    **dict.fromkeys(("isnan", "isinf", "isfinite", "erf", "erfc", "cbrt")),
}
_OTHER_NAMES = {"asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2"}
_WHOLE = {"floor": jnp.floor, "ceil": jnp.ceil, "trunc": jnp.trunc}


def _math(word: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    name = word.partition(".")[2]
    if not _any_traced(args):
        return getattr(math, name)(*args, **kwargs)
    if name in _WHOLE:
        return scalar(_WHOLE[name](*args), int)
    if name in ("erf", "erfc"):
        return getattr(jax.scipy.special, name)(*args)
    if name in _MATH:
        return getattr(jnp, _OTHER_NAMES.get(name, name))(*args)
    raise StagingError(
        f"math.{name}() raises for some numbers, and a program of JAX cannot: call "
        f"jnp.{_OTHER_NAMES.get(name, name)}, which returns NaN for them",
        location(),
    )


def _numpy(word: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    function, *operands = args
    if not _any_traced([*operands, *kwargs.values()]):
        return function(*operands, **kwargs)
    name = word.partition(".")[2]
    for package in ("", "linalg.", "fft."):
        of_numpy, of_jax = (_named(package + name, module) for module in (np, jnp))
        if of_numpy is function and of_jax is not None:
            return of_jax(*operands, **kwargs)
    module = str(getattr(function, "__module__", "np")).replace("numpy", "np")
    raise refused(f"{module}.{name}()")


def _named(path: str, module: Any) -> Any:
    """Return the object of a dotted name in a module; None without one."""
    return functools.reduce(lambda each, name: getattr(each, name, None), path.split("."), module)


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "int": functools.partial(_number, int),
    "float": functools.partial(_number, float),
    "complex": functools.partial(_number, complex),
    "bool": _bool,
    "round": _round,
    "len": _len,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sum": _sum,
    "all": _all_or_any("all"),
    "any": _all_or_any("any"),
    "sorted": _sorted,
    "range": _range,
    "zip": _zip,
    "enumerate": _enumerate,
    "reversed": _reversed,
    "map": _map,
    "filter": _filter,
    "star_items": _listed,
    "display": _display,
    "rows_to_unroll": _unrolled,
    "star_arguments": lambda value, text: _listed(value),
    "unpack_items": lambda value, pattern: _listed(value),
    "contains": _contains,
    "compares_parts": lambda left, right: (
        isinstance(left, _COMPARED) and isinstance(right, _COMPARED)
    ),
    "compare_containers": _compare_containers,
    "returned": _returned,
    "either": _either,
    "same": _same,
    "callable_of": _callable_of,
    "rebinds": _rebinds,
    "takes_slice": is_traced_slice,
    "refuse_rebinding": _refuse_rebinding,
    "pattern_test": lambda value: truth(value, "the subject of this `match`"),
    "assert": _assert,
    "print": _print,
    "uncatchable": uncatchable,
    "text": marked,
    "joined": traced_text,
    "str": _text_of,
    "repr": _text_of,
    "format": lambda value, spec="": traced_text(format(marked(value), spec)),
    "str.format": _format,
    "str.__mod__": _percent,
    "str.join": lambda separator, parts: traced_text(
        separator.join(f"{marked(each)}" for each in parts)
    ),
}

"""The parts of JAX that have no public name, for the versions 0.6 to 0.10."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from weakref import ref

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import checkify, config, core
from jax._src.export.shape_poly import _DimExpr
from jax._src.interpreters.batching import BatchTracer
from jax._src.lax.lax import _convert_element_type
from jax.interpreters import mlir

Tracer = core.Tracer
# A dimension that `jax.export` leaves open, such as `2*b`.
SymbolicDimension = _DimExpr
InconclusiveDimensionOperation = core.InconclusiveDimensionOperation
# The most numbers of an array that are read to compare it with another one.
_MOST_COMPARED = 4096


def recorder() -> object | None:
    """Return None outside of a transformation; JAX then computes with arrays of known values."""
    context = core.trace_ctx
    return None if context.is_top_level() else context


def is_concrete(value: object) -> bool:
    """Return whether Python can read the value of an array now, also while it is differentiated."""
    return not isinstance(value, Tracer) or core.is_concrete(value)


def drop_if_unused(*values: Any) -> None:
    """Let a trace forget its latest operations, if only unused values need them.

    JAX leaves out an equation that it holds by a weak reference once no tracer needs it; before
    version 0.7 it keeps all.
    """
    tracers = [_vmapped_rows(each)[0] for each in values]
    frames = (getattr(getattr(each, "_trace", None), "frame", None) for each in tracers)
    equations: Any = getattr(next(filter(None, frames), None), "tracing_eqns", ())
    needed = [getattr(each, "parent", None) for each in tracers]
    for at in reversed(range(len(equations))):
        made = equations[at]
        if not any(made is each for each in needed) or made.effects:
            return
        equations[at] = ref(made)
        needed += [getattr(each, "parent", None) for each in made.in_tracers]


def is_same_operation(one: Any, other: Any, depth: int = 8) -> bool:
    """Return whether two tracers are one operation on the same operands, as `x > 0` twice."""
    one, other = map(_from_outside, (one, other))
    if one is other:
        return True
    if type(one) is not type(other) or not isinstance(one, Tracer) or not depth:
        return _is_same_number(one, other)
    if isinstance(one, BatchTracer) and one.batch_dim == other.batch_dim:
        return is_same_operation(one.val, other.val, depth)
    if hasattr(one, "primal"):  # of a derivative
        return is_same_operation(one.primal, other.primal, depth)
    first: Any = getattr(one, "parent", None)
    second: Any = getattr(other, "parent", None)
    return bool(
        None not in (first, second)
        and first.primitive is second.primitive
        and not first.effects
        and _are_equal(first.params, second.params)
        and len(first.in_tracers) == len(second.in_tracers)
        and _place_of(one, first) == _place_of(other, second)
        and all(
            is_same_operation(*pair, depth - 1) for pair in zip(first.in_tracers, second.in_tracers)
        )
    )


def lower_bound(length: Any, facts: Sequence[tuple[Any, bool]]) -> int:
    """Return a number that a length is not below, from the operations that compute it.

    Args:
        length: an int or a tracer; it is computed from lengths of lists and numbers.
        facts: values of the path, with their truth.
    """
    if isinstance(length, core.Literal):
        return int(length.val)
    length = _from_outside(length)
    if isinstance(length, BatchTracer):
        return lower_bound(length.val, facts)
    if not isinstance(length, Tracer):
        return int(np.asarray(length).min())
    made: Any = getattr(length, "parent", None)
    if made is None:
        found = 0
    else:
        place = _place_of(length, made).index(True)
        operands = made.in_tracers
        found = _least_result(made, place, operands, lambda each: lower_bound(each, facts))
    return max(found, *(_implied_lower_bound(length, fact, holds) for fact, holds in facts), 0)


def _least_result(made: Any, place: int, operands: Any, least: Callable[[Any], int]) -> int:
    name = made.primitive.name
    if name == "add":
        return sum(map(least, operands))
    if name == "convert_element_type":
        return least(operands[0])
    if name != "cond":
        return 0
    branches = (each.jaxpr for each in made.params["branches"])
    return min(_least_in(each, each.outvars[place], operands[1:], least) for each in branches)


def _least_in(jaxpr: Any, var: Any, operands: Sequence[Any], least: Callable[[Any], int]) -> int:
    """Return the least form of a variable of a branch, as `lower_bound` does."""
    if isinstance(var, core.Literal):
        return int(var.val)
    if var in jaxpr.invars:
        return least(operands[jaxpr.invars.index(var)])
    made = next(each for each in jaxpr.eqns if var in each.outvars)
    place = made.outvars.index(var)
    return _least_result(
        made, place, made.invars, lambda each: _least_in(jaxpr, each, operands, least)
    )


_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_COMPARING: dict[str, Any] = {word: getattr(operator, word) for word in _MIRRORED}


class _Comparison(NamedTuple):
    """A comparison of a value with a number, which is at its right.

    Attributes:
        levels: the axes of `vmap` that the value has lost.
    """

    value: Any
    word: str
    number: Any
    levels: tuple[object, ...]

    def holds_for(self, value: Any) -> bool:
        """Return whether another value in its place would pass."""
        return bool(_COMPARING[self.word](value, self.number))


def _comparison_of(test: Any) -> _Comparison | None:
    """Return the comparison with a number that gave a bool; None if another operation did."""
    test, levels = _vmapped_rows(test)
    made: Any = getattr(test, "parent", None)
    if made is None or made.primitive.name not in _MIRRORED:
        return None
    word = made.primitive.name
    left, right = map(_from_outside, made.in_tracers)
    if isinstance(right, Tracer):
        left, right, word = right, left, _MIRRORED[word]
    is_number = not isinstance(right, Tracer) and np.size(right) == 1
    if not isinstance(left, Tracer) or not is_number or not np.isfinite(np.asarray(right)):
        return None
    left, more = _vmapped_rows(left)
    return _Comparison(left, word, np.asarray(right).item(), levels + more)


def _vmapped_rows(value: Any) -> tuple[Any, tuple[object, ...]]:
    """Return the array of which `vmap` takes the rows, and the axes."""
    levels: tuple[object, ...] = ()
    value = _from_outside(value)
    while isinstance(value, BatchTracer) or hasattr(value, "primal"):
        if isinstance(value, BatchTracer):
            levels = (*levels, (value._trace.tag, value.batch_dim))
        value = _from_outside(value.val if isinstance(value, BatchTracer) else value.primal)
    return value, levels


def implied_truth(test: Any, fact: Any, holds: bool) -> bool | None:
    """Return the truth of a bool where another one holds, or does not; None if that tells none.

    Both are comparisons of one value with numbers, as `x > 0` where `x > 1` holds.
    """
    one, other = _comparison_of(fact), _comparison_of(test)
    if one is None or other is None:
        return _implied_in_rows(test, fact, holds)
    if one.levels != other.levels or not is_same_operation(one.value, other.value):
        return None
    cases = (each for each in _samples(one, other) if one.holds_for(each) is holds)
    outcomes = {other.holds_for(each) for each in cases}
    return outcomes.pop() if len(outcomes) == 1 else None


def _implied_in_rows(test: Any, fact: Any, holds: bool) -> bool | None:
    """Return the truth that a bool has in the rows of a `vmap` in which another one holds."""
    one, other = _rows_of(fact), _rows_of(test)
    if one is None or other is None or one[1] != other[1]:
        return None
    outcomes = {*other[0][one[0] == holds].tolist()}
    return True if not outcomes else (outcomes.pop() if len(outcomes) == 1 else None)


def _rows_of(value: Any) -> tuple[Any, tuple[object, ...]] | None:
    """Return the bools of all rows of a `vmap`, and its axes, if Python knows them."""
    value, levels = _vmapped_rows(value)
    if not isinstance(value, Tracer):
        is_few = levels and np.size(value) <= _MOST_COMPARED
        return (np.asarray(value), levels) if is_few else None
    made: Any = getattr(value, "parent", None)
    if made is None or made.primitive.name not in _MIRRORED:
        return None
    operands = [_vmapped_rows(each) for each in made.in_tracers]
    axes = {each for _, each in operands if each}
    if len(axes) != 1 or any(isinstance(each, Tracer) for each, _ in operands):
        return None
    compared = _COMPARING[made.primitive.name](*(np.asarray(each) for each, _ in operands))
    return compared, (*levels, *axes.pop())


def _samples(one: _Comparison, other: _Comparison) -> list[Any]:
    """Return a number for each case of two comparisons: at, between and beyond their numbers."""
    low, high = sorted((one.number, other.number))
    beyond = 1 + abs(low) + abs(high)
    points = [low - beyond, low, high, high + beyond]
    if np.issubdtype(one.value.dtype, np.integer):
        middle = (low + high) // 2
        return [each for each in (*points, middle) if int(each) == each]
    return [*points, (low + high) / 2, np.nan]


def _implied_lower_bound(length: Any, fact: Any, holds: bool) -> int:
    """Return a number that a length is not below, if a fact compares it with a number."""
    if is_same_operation(fact, length):
        return int(holds)
    found = _comparison_of(fact)
    if found is None or not is_same_operation(found.value, length):
        return 0
    number = math.floor(found.number)
    lengths = sorted(each for each in {0, 1, number, number + 1} if each >= 0)
    return next((each for each in lengths if found.holds_for(each) is holds), 0)


def _from_outside(value: Any) -> Any:
    """Return the tracer of a trace further out, or the number, that a tracer stands for."""
    trace: Any = getattr(value, "_trace", None)
    if getattr(value, "parent", None) is not None or not hasattr(trace, "get_const"):
        return value
    known = trace.get_const(value)
    return value if known is None else _from_outside(known)


def _is_same_number(one: Any, other: Any) -> bool:
    numbers = bool, int, float, complex, np.generic, np.ndarray, jax.Array
    is_known = isinstance(one, numbers) and not isinstance(one, Tracer)
    if not is_known or type(one) is not type(other) or np.size(one) > _MOST_COMPARED:
        return False
    try:
        first, second = np.asarray(one), np.asarray(other)
    except TypeError:  # They are keys.
        return False
    return first.dtype == second.dtype and np.array_equal(first, second)


def _are_equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):  # They have arrays.
        return False


def _place_of(result: Any, made: Any) -> list[bool]:
    return [each is result.val for each in made.outvars]


def converted(value: Any, dtype: Any, is_weak: bool) -> Any:
    """Return an array with another dtype, or weak type."""
    return _convert_element_type(value, dtype, weak_type=is_weak)


def varying_axes(value: Any) -> frozenset[Any]:
    """Return the axes of a `shard_map` along which a value differs."""
    aval = core.typeof(value)
    kind = getattr(aval, "manual_axis_type", None)
    found = getattr(aval, "vma", ()) if kind is None else kind.varying
    return frozenset(found or ())


def varying(value: Any, axes: frozenset[Any]) -> Any:
    """Return a value as one that may differ along more axes of a `shard_map`."""
    missing = tuple(sorted(axes - varying_axes(value), key=str))
    if not missing:
        return value
    if hasattr(lax, "pcast"):
        return lax.pcast(value, missing, to="varying")
    return lax.pvary(value, missing)  # type: ignore[attr-defined,unused-ignore]


def unless_checkified(primitive: Any, refuse: Callable[[Any], object]) -> None:
    """Let an operation be a mark that `checkify` removes; compiled without it, refuse it.

    Args:
        refuse: raises the error; its argument is the parameter `where` of the operation.
    """
    effect = checkify.ErrorEffect(checkify.FailedCheckError, ())

    def lowered(context: Any, where: Any) -> list[Any]:
        if not config.xla_runtime_errors.value:
            refuse(where)
        return []

    primitive.multiple_results = True
    primitive.def_impl(lambda where: [])
    primitive.def_effectful_abstract_eval(lambda where: ([], {effect}))
    checkify.error_checks[primitive] = lambda error, enabled, where: (error, [])
    mlir.register_lowering(primitive, lowered)


def check_by_checkify(primitive: Any, message: Callable[..., str]) -> None:
    """Let an operation check its first operand under `checkify`; it returns the other ones.

    Args:
        message: returns the message, from the parameters of the operation.
    """

    def checked(error: Any, enabled: Any, holds: Any, *values: Any, **parameters: Any) -> Any:
        if checkify.FailedCheckError in enabled:
            failed = checkify.FailedCheckError(checkify.get_traceback(), message(**parameters))
            error = checkify.assert_func(error, jnp.logical_not(jnp.all(holds)), failed)
        return error, list(values)

    checkify.error_checks[primitive] = checked

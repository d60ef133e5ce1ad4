"""Ops on padded arrays, the first axis of which only a run knows.

    elementwise              on the arrays; rows that do not count are ones, which fail nowhere
    reductions over rows     rows that do not count are neutral
    softmax over rows        rows that do not count are -inf
    along other axes         on the arrays, as the rows are independent
    gradients of row ops     the transpose of the row op, found by JAX

Other ops are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp
from runtime.executors.jax.rules.shapes import ONLY_ROWS
from runtime.executors.jax.rules.table import RULES, Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.values.forms import lengthened
from runtime.executors.jax.values.pytrees import Padded, is_array, traced

_ELEMENTWISE = frozenset(
    """
    abs acos acosh add add_n angle asin asinh atan atan2 atanh bitcast bitwise_and bitwise_or
    bitwise_xor cast ceil clip_by_value complex conj cos cosh digamma divide divide_no_nan elu
    ensure_shape equal erf erfc erfinv exp expm1 floor floordiv floormod greater greater_equal
    identity imag invert is_finite is_inf is_nan left_shift less less_equal lgamma log log1p
    logical_and logical_not logical_or logical_xor maximum minimum multiply multiply_no_nan
    negative nextafter not_equal ones_like pow python_divide python_int python_math python_operand
    python_power python_round real reciprocal relu relu6 relu_grad right_shift round rsqrt select
    sigmoid sign sin sinh softplus softsign sqrt square squared_difference stop_gradient subtract
    tan tanh truncatediv truncatemod xdivy xlog1py xlogy zeros_like
    """.split()
)
# Ops along other axes; these attributes name them.
_ALONG = frozenset(
    """
    argmax argmin argsort cumprod cumsum count_nonzero expand_dims log_softmax one_hot
    reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod
    reduce_std reduce_sum reduce_variance reverse softmax sort split squeeze unstack
    """.split()
)


def on_padded(run: RunState, node: Any, inputs: Sequence[Any]) -> Any:
    """Trace a node, of whose operands some are padded.

    Raises:
        Unsupported: there is no rule for it.
    """
    name = node.op.name
    for each in inputs:
        if not (is_array(each) or isinstance(each, Padded)):
            raise Unsupported("no rule for lists in it")
    if name in _ELEMENTWISE:
        return _elementwise(run, node, inputs)
    if name in _ALONG and isinstance(inputs[0], Padded) and not _touches_rows(node, inputs[0]):
        return _by_rows(run, node, inputs)
    if name in _PADDED_RULES:
        return _PADDED_RULES[name](run, node, *inputs)
    raise Unsupported("no rule for an array whose length only a run knows")


_PADDED_RULES: dict[str, Callable[..., Any]] = {}


def padded_rule(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that enters a rule for operands of which some are padded.

    >>> @padded_rule("an_example")
    ... def _example(run, node, x):
    ...     return x
    >>> _PADDED_RULES.pop("an_example")(None, None, 5)
    5
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in _PADDED_RULES, name
            _PADDED_RULES[name] = function
        return function

    return enter


def like_node(name: str, **attrs: Any) -> Any:
    """Return a node without outputs for a rule, of an op and attributes."""
    return SimpleNamespace(op=SimpleNamespace(name=name), attrs=attrs, outputs=(), inputs=())


def by_rule(run: RunState, node: Any, *inputs: Any) -> Any:
    """Trace a node on arrays by the rule of its op."""
    return RULES[node.op.name](run, node, *inputs)


def valid(value: Any, filling: Any) -> Any:
    """Return an array with a value in the rows that do not count."""
    return value.filled(filling) if isinstance(value, Padded) else traced(value)


def fixed_rows(run: RunState, value: Any, rows: int) -> Any:
    """Return an array of that many rows; the run fails if the value has another number."""
    if not isinstance(value, Padded):
        run.fail(value.shape[0] != rows)
        return value
    run.fail(value.length != rows)
    return lengthened(value.array, rows)[:rows]


def same_length(run: RunState, values: Sequence[Any]) -> tuple[list[Any], Any]:
    """Return padded arrays with one capacity, and their length; the run fails if lengths differ."""
    first = next(each for each in values if isinstance(each, Padded))
    room = max(each.room for each in values if isinstance(each, Padded))
    arrays = []
    for each in values:
        if isinstance(each, Padded) and each is not first:
            run.fail(each.length != first.length)
        array = each.array if isinstance(each, Padded) else each
        arrays.append(lengthened(array, room) if isinstance(each, Padded) else array)
    return arrays, first.length


def aligned_rows(run: RunState, x: Any, other: Any) -> tuple[Any, Any, Any]:
    """Return two arrays with one number of rows, and which of the rows count.

    The run fails if the values have different numbers of rows.
    """
    if isinstance(x, Padded) and isinstance(other, Padded):
        (array, second), length = same_length(run, [x, other])
        return array, second, jnp.arange(array.shape[0]) < length
    if isinstance(x, Padded):
        x = fixed_rows(run, x, other.shape[0])
    elif isinstance(other, Padded):
        other = fixed_rows(run, other, x.shape[0])
    return traced(x), traced(other), jnp.ones(x.shape[0], np.bool_)


def made_rows(run: RunState, rows: Any, make: Callable[[int], Any]) -> Padded:
    """Return an array with the capacity of lists, of a number of rows that only a run knows."""
    run.fail(rows < 0)
    run.outgrow(rows > run.room)
    return Padded(make(run.room), rows.astype(np.int32))


def _elementwise(run: RunState, node: Any, inputs: Sequence[Any]) -> Any:
    rank = max(np.ndim(each) if is_array(each) else each.ndim for each in inputs)
    fixed = {each.shape[0] for each in inputs if is_array(each) and np.ndim(each) == rank} - {1}
    if any(isinstance(each, Padded) and each.ndim < rank for each in inputs):
        inputs = [_of_known_columns(run, each, inputs, rank) for each in inputs]
        if all(map(is_array, inputs)):
            return by_rule(run, node, *inputs)
    if fixed:
        rows = max(fixed)
        arrays = [fixed_rows(run, x, rows) if isinstance(x, Padded) else x for x in inputs]
        return by_rule(run, node, *arrays)
    if node.op.name not in ("identity", "stop_gradient", "ensure_shape"):
        inputs = [Padded(x.filled(1), x.length) if isinstance(x, Padded) else x for x in inputs]
    arrays, length = same_length(run, inputs)
    return Padded(by_rule(run, node, *arrays), length)


def _of_known_columns(run: RunState, x: Any, inputs: Sequence[Any], rank: int) -> Any:
    """Return an operand as an array, if it is padded along an axis that another one gives."""
    if not isinstance(x, Padded) or x.ndim == rank:
        return x
    sizes = {y.shape[-x.ndim] for y in inputs if is_array(y) and y.ndim >= x.ndim} - {1}
    more = {y.array.shape[-x.ndim] for y in inputs if isinstance(y, Padded) and y.ndim > x.ndim}
    for size in sorted(sizes | (more - {1})):
        return fixed_rows(run, x, size)
    raise Unsupported(ONLY_ROWS)


# -- along axes ------------------------------------------------------------------------------------


def axes_of(node: Any, rank: int) -> tuple[int, ...]:
    """Return the axes that a node names, as numbers from the start."""
    axis = node.attrs.get("axis")
    if axis is None:
        return tuple(range(rank)) if node.op.name != "softmax" else (rank - 1,)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    more = 1 if node.op.name in ("expand_dims", "one_hot") else 0
    return tuple(each % (rank + more) for each in axes)


def _touches_rows(node: Any, x: Padded) -> bool:
    if node.op.name == "one_hot":
        return node.attrs["axis"] == 0
    return 0 in axes_of(node, x.ndim)


def _by_rows(run: RunState, node: Any, inputs: Sequence[Any]) -> Any:
    x, *rest = inputs
    filling = 0 if node.op.name == "one_hot" else 1
    found = by_rule(run, node, x.filled(filling), *rest)
    if isinstance(found, tuple):
        return tuple(Padded(each, x.length) for each in found)
    return Padded(found, x.length)


def lowest(dtype: Any) -> Any:
    """Return the least number of a dtype."""
    return _end(dtype, 0)


def highest(dtype: Any) -> Any:
    """Return the largest number of a dtype."""
    return _end(dtype, 1)


def _end(dtype: Any, which: int) -> Any:
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return (info.min, info.max)[which]
    return bool(which) if dtype.kind == "b" else (-np.inf, np.inf)[which]


_NEUTRAL: dict[str, Callable[[Any], Any]] = {
    "reduce_sum": lambda dtype: 0,
    "reduce_prod": lambda dtype: 1,
    "reduce_max": lowest,
    "reduce_min": highest,
    "reduce_any": lambda dtype: False,
    "reduce_all": lambda dtype: True,
    "count_nonzero": lambda dtype: 0,
    "reduce_logsumexp": lambda dtype: -np.inf,
}


@padded_rule(*_NEUTRAL)
def _reduce(run: RunState, node: Any, x: Padded) -> Any:
    return by_rule(run, node, x.filled(_NEUTRAL[node.op.name](x.dtype)))


def _mean(x: Padded, array: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    others = int(np.prod([array.shape[axis] for axis in axes if axis], dtype=int))
    mask = jnp.where(x.mask(), array, jnp.zeros((), array.dtype))
    return jnp.sum(mask, axis=axes, keepdims=keepdims) / (x.length * others).astype(array.dtype)


@padded_rule("reduce_mean")
def _reduce_mean(run: RunState, node: Any, x: Padded) -> Any:
    if x.dtype.kind not in "f":
        raise Unsupported("no mean of integers whose number only a run knows")
    return _mean(x, x.array, axes_of(node, x.ndim), node.attrs["keepdims"])


@padded_rule("reduce_variance", "reduce_std")
def _reduce_variance(run: RunState, node: Any, x: Padded) -> Any:
    axes = axes_of(node, x.ndim)
    center = _mean(x, x.array, axes, True)
    found = _mean(x, jnp.square(x.array - center), axes, node.attrs["keepdims"])
    return jnp.sqrt(found) if node.op.name == "reduce_std" else found


@padded_rule("argmax", "argmin", "first_extreme")
def _extreme(run: RunState, node: Any, x: Padded, *columns: Any) -> Any:
    if columns:
        raise Unsupported("no extreme of several arrays whose length only a run knows")
    run.fail(x.length == 0)
    largest = node.attrs.get("largest", node.op.name == "argmax")
    return by_rule(run, node, x.filled((lowest if largest else highest)(x.dtype)))


@padded_rule("softmax", "log_softmax")
def _softmax(run: RunState, node: Any, x: Padded) -> Any:
    return Padded(by_rule(run, node, x.filled(-np.inf)), x.length)


@padded_rule("sort", "argsort")
def _sort(run: RunState, node: Any, x: Padded) -> Any:
    last = (lowest if node.attrs["descending"] else highest)(x.dtype)
    return Padded(by_rule(run, node, x.filled(last)), x.length)


@padded_rule("python_order")
def _order(run: RunState, node: Any, *columns: Any) -> Any:
    arrays, length = same_length(run, columns)
    invalid = (jnp.arange(arrays[0].shape[0]) >= length).astype(np.int32)
    if node.attrs["descending"]:
        invalid = -invalid
    return Padded(by_rule(run, node, invalid, *arrays), length)


@padded_rule("cumsum", "cumprod")
def _cumulate(run: RunState, node: Any, x: Padded) -> Any:
    neutral = 0 if node.op.name == "cumsum" else 1
    return Padded(by_rule(run, node, x.filled(neutral)), x.length)


@padded_rule("reverse")
def _reverse(run: RunState, node: Any, x: Padded) -> Any:
    rows = jnp.clip(x.length - 1 - jnp.arange(x.room), 0, max(x.room - 1, 0))
    others = tuple(axis for axis in axes_of(node, x.ndim) if axis)
    return Padded(jnp.flip(x.array[rows], others), x.length)


@padded_rule("roll")
def _roll(run: RunState, node: Any, x: Padded, shift: Any) -> Any:
    axes, array = axes_of(node, x.ndim), x.array
    for axis, by in zip(axes, jnp.broadcast_to(jnp.ravel(shift), (len(axes),)), strict=True):
        if axis:
            array = jnp.roll(array, by, axis)
        else:
            array = array[(jnp.arange(x.room) - by) % jnp.maximum(x.length, 1)]
    return Padded(array, x.length)


@padded_rule(*(f"tensor_scatter_nd_{how}" for how in ("update", "add", "max", "min")))
def _scatter(run: RunState, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    if not isinstance(x, Padded) or not is_array(indices) or not is_array(updates):
        raise Unsupported("no scatter at places of which only a run knows how many there are")
    if indices.shape[-1]:
        run.fail(indices[..., 0] >= x.length)
    return Padded(by_rule(run, node, x.array, indices, updates), x.length)


@padded_rule("unstack")
def _unstack(run: RunState, node: Any, x: Padded) -> Any:
    return by_rule(run, node, fixed_rows(run, x, node.attrs["num"]))


@padded_rule("python_fold")
def _fold(run: RunState, node: Any, x: Any, start: Any) -> Any:
    neutral = 0 if node.attrs["function"] == "sum" else 1
    return by_rule(run, node, valid(x, neutral), start)


# -- several arrays --------------------------------------------------------------------------------


@padded_rule("concat")
def _concat(run: RunState, node: Any, *inputs: Any) -> Any:
    rank = inputs[0].ndim
    if node.attrs["axis"] % rank:
        arrays, length = same_length(run, inputs)
        return Padded(by_rule(run, node, *arrays), length)
    rooms = [x.room if isinstance(x, Padded) else x.shape[0] for x in inputs]
    room = min(sum(rooms), max(run.room, *rooms))
    first = inputs[0].array if isinstance(inputs[0], Padded) else inputs[0]
    total, length = jnp.zeros((room, *first.shape[1:]), first.dtype), jnp.int32(0)
    for each in inputs:
        array = each.array if isinstance(each, Padded) else traced(each)
        if array.shape[1:] != first.shape[1:]:
            run.fail(True)
            break
        own = each.length if isinstance(each, Padded) else array.shape[0]
        at = jnp.arange(array.shape[0])
        to = jnp.where(at < own, at + length, room)
        total, length = total.at[to].set(array, mode="drop"), length + own
    run.outgrow(length > room)
    return Padded(total, length.astype(np.int32))


@padded_rule("stack")
def _stack(run: RunState, node: Any, *inputs: Any) -> Any:
    if node.attrs["axis"] % (inputs[0].ndim + 1) == 0:
        raise Unsupported(ONLY_ROWS)
    arrays, length = same_length(run, inputs)
    return Padded(by_rule(run, node, *arrays), length)


@padded_rule("matmul")
def _matmul(run: RunState, node: Any, a: Any, b: Any) -> Any:
    first, second = node.attrs.get("transpose_a"), node.attrs.get("transpose_b")
    if a.ndim != 2 or b.ndim != 2:
        if isinstance(a, Padded) and a.ndim > 2:
            arrays, length = same_length(run, [a, b])
            return Padded(by_rule(run, node, *arrays), length)
        raise Unsupported("no product of arrays whose lengths only a run knows")
    if isinstance(b, Padded) and second:
        raise Unsupported(ONLY_ROWS)
    if isinstance(a, Padded) and first:
        # The axis that both share: rows that do not count are zeros.
        if not isinstance(b, Padded):
            a = fixed_rows(run, a, b.shape[0])
            return by_rule(run, node, a, b)
        arrays, _ = same_length(run, [Padded(x.filled(0), x.length) for x in (a, b)])
        return by_rule(run, node, *arrays)
    if isinstance(b, Padded):
        inner = a.array if isinstance(a, Padded) else a
        b = fixed_rows(run, b, inner.shape[0 if first else 1])
    if isinstance(a, Padded):
        return Padded(by_rule(run, node, a.array, b), a.length)
    return by_rule(run, node, a, b)


@padded_rule("transpose")
def _transpose(run: RunState, node: Any, x: Padded) -> Any:
    perm = node.attrs.get("perm")
    if x.ndim > 1 and (perm is None or perm[0] != 0):
        raise Unsupported(ONLY_ROWS)
    return Padded(by_rule(run, node, x.array), x.length)


# -- gradients -------------------------------------------------------------------------------------


@padded_rule("broadcast_like")
def _broadcast_like(run: RunState, node: Any, x: Any, like: Any) -> Any:
    if isinstance(x, Padded) and isinstance(like, Padded) and x.ndim == like.ndim:
        (array, other), length = same_length(run, [x, like])
        return Padded(by_rule(run, node, array, other), length)
    if isinstance(x, Padded) or not isinstance(like, Padded):
        raise Unsupported(ONLY_ROWS)
    if np.ndim(x) == like.ndim and x.shape[0] != 1:
        x = lengthened(traced(x), like.room)[: like.room]
    return Padded(by_rule(run, node, x, like.array), like.length)


@padded_rule("spread")
def _spread(run: RunState, node: Any, x: Any, like: Any) -> Any:
    if not isinstance(like, Padded):
        raise Unsupported(ONLY_ROWS)
    if isinstance(x, Padded):
        (array, other), length = same_length(run, [x, like])
        return Padded(by_rule(run, node, array, other), length)
    return Padded(by_rule(run, node, x, like.array), like.length)


@padded_rule("sum_to_like")
def _sum_to_like(run: RunState, node: Any, x: Any, like: Any) -> Any:
    rank = np.ndim(like) if is_array(like) else like.ndim
    if isinstance(x, Padded) and isinstance(like, Padded):
        if x.ndim != rank:
            raise Unsupported(ONLY_ROWS)
        (array, other), length = same_length(run, [x, like])
        return Padded(by_rule(run, node, array, other), length)
    if isinstance(x, Padded):
        if x.ndim == rank and like.shape[0] != 1:
            return by_rule(run, node, fixed_rows(run, x, like.shape[0]), like)
        return by_rule(run, node, x.filled(0), like)
    rows = traced(x)
    run.fail(like.length != rows.shape[0])
    rows = lengthened(rows, like.room)[: like.room]
    return Padded(by_rule(run, node, rows, like.array), like.length)


def transposed(function: Callable[[Any], Any], like: Any, dy: Any) -> Any:
    """Return the gradient of an array at the gradient of a linear function of it."""
    array = like.array if isinstance(like, Padded) else like
    if array.dtype.kind not in "fc":
        raise Unsupported("no gradient of integers")
    example = jnp.zeros(array.shape, array.dtype)
    result, back = jax.vjp(function, example)
    rows = valid(dy, 0)
    if result.ndim:
        rows = lengthened(rows, result.shape[0])[: result.shape[0]]
    (found,) = back(jnp.broadcast_to(rows, result.shape))
    return Padded(found, like.length) if isinstance(like, Padded) else found

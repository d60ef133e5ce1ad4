"""`map_fn`, `foldl`, `foldr`, `scan` and `case`: functions applied row by row.

They use `while_loop`: a Python loop for eager tensors, one node in a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

from runtime import nest
from runtime.core.argument_checks import flag, function, listed, shown
from runtime.core.converter_hooks import staged_once
from runtime.core.dtypes import as_dtype
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from runtime.graph.structured_control_flow import cond, propagating, while_loop
from runtime.ops.arrays.creation import zeros
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import shape
from runtime.ops.containers.lists import list_append, list_new, list_stack
from runtime.ops.convert import to_tensor
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.logic import logical_not
from runtime.state.tensor_array import TensorArray

Result = TypeVar("Result")
Function = Callable[..., Any]


@overload
def map_fn(
    fn: Callable[[Tensor], Result],
    elems: Tensor | Array,
    dtype: object = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> Result: ...
@overload
def map_fn(
    fn: Callable[..., Result],
    elems: object,
    dtype: object = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> Result: ...
def map_fn(
    fn: Callable[..., Result],
    elems: object,
    dtype: object = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> Result:
    """Return the results of `fn` for each row of `elems`, stacked.

    Args:
        fn: takes a row, or a structure of rows if `elems` is a structure.
        elems: a tensor, or a structure of tensors, with as many rows each.
        fn_output_signature, dtype: the structure of dtypes or TensorSpecs of `fn`'s result; by
            default that of `elems`.
        infer_shape: whether all results have the same shape.

        back_prop: False stops the gradients of the result.

    The other arguments are accepted and have no effect.

    Example:
        >>> print(map_fn(lambda x: x * x, to_tensor([1, 2, 3])))
        rt.Tensor([1 4 9], shape=(3,), dtype=int32)
    """
    function(fn, "fn")
    rows = _rows(elems, "map_fn")
    signature = dtype if fn_output_signature is None else fn_output_signature
    like: Any = rows if signature is None else signature
    count, given = _count(rows), nest.flatten(like)
    arrays = [_array(each, count, infer_shape) for each in given]

    def body(i: Any, arrays: list[Any]) -> Any:
        found = staged_once(fn, "map_fn")(_row(rows, i))
        try:
            nest.assert_same_structure(like, found)
        except ArgumentValueError as error:
            advice = "give fn_output_signature=, with a dtype for each result of fn"
            raise ArgumentValueError(f"map_fn: {error.message}: {advice}") from None
        return [i + 1, _write(arrays, i, found)]

    start: list[Any] = [to_tensor(0), arrays]
    _, arrays = while_loop(lambda i, arrays: i < count, body, start)
    return propagating(nest.unflatten(like, [array.stack() for array in arrays]), back_prop)


@overload
def vectorized_map(
    fn: Callable[[Tensor], Result],
    elems: Tensor | Array,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Result: ...
@overload
def vectorized_map(
    fn: Callable[..., Result],
    elems: object,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Result: ...
def vectorized_map(
    fn: Callable[..., Result],
    elems: object,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Result:
    """Return the stacked results of `fn` for each row of `elems`, with inferred dtypes.

    Example:
        >>> print(vectorized_map(lambda x: x > 1, to_tensor([1, 2, 3])))
        rt.Tensor([False  True  True], shape=(3,), dtype=bool)
    """
    function(fn, "fn")
    rows = _rows(elems, "vectorized_map")
    count, found = _count(rows), []

    def body(i: Any, kept: Any) -> Any:
        found.append(_tensors(staged_once(fn, "vectorized_map")(_row(rows, i))))
        return [i + 1, list_append(kept, *nest.flatten(found[-1]))]

    _, kept = while_loop(lambda i, kept: i < count, body, [to_tensor(0), list_new()])
    like = found[-1] if found else _tensors(fn(nest.map_structure(_zero_row, rows)))
    leaves = enumerate(nest.flatten(like))
    return nest.unflatten(like, [list_stack(kept, at, leaf.spec) for at, leaf in leaves])


def foldl(
    fn: Callable[..., Result],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Result:
    """Return the last result of `fn(so_far, row)`, called with one row after the other.

    Args:
        initializer: the value before the first row; by default the first row.

    Example:
        >>> print(foldl(lambda total, x: total * 10 + x, to_tensor([1, 2, 3])))
        rt.Tensor(123, shape=(), dtype=int32)
    """
    return propagating(_fold(fn, elems, initializer, "foldl", backwards=False), back_prop)


def foldr(
    fn: Callable[..., Result],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Result:
    """Return the last result of `fn(so_far, row)`, called with the rows from the last one on.

    Example:
        >>> print(foldr(lambda total, x: total * 10 + x, to_tensor([1, 2, 3])))
        rt.Tensor(321, shape=(), dtype=int32)
    """
    return propagating(_fold(fn, elems, initializer, "foldr", backwards=True), back_prop)


def scan(
    fn: Callable[..., Result],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Result:
    """Return all intermediate results of `foldl`, stacked; with `reverse`, from the last row on.

    Example:
        >>> print(scan(lambda total, x: total + x, to_tensor([1, 2, 3])))
        rt.Tensor([1 3 6], shape=(3,), dtype=int32)
    """
    function(fn, "fn")
    rows = _rows(elems, "scan")
    count, step = _count(rows), -1 if flag(reverse, "reverse") else 1
    start = count - 1 if reverse else to_tensor(0)
    state = _row(rows, start) if initializer is None else _tensors(initializer)
    arrays = [_array(each.dtype, count, infer_shape) for each in nest.flatten(state)]
    if initializer is None:
        arrays, start = _write(arrays, start, state), start + step

    def body(i: Any, state: Any, arrays: list[Any]) -> Any:
        found = staged_once(fn, "scan")(state, _row(rows, i))
        return [i + step, found, _write(arrays, i, found)]

    within = (lambda i, *rest: i >= 0) if reverse else (lambda i, *rest: i < count)
    *_, arrays = while_loop(within, body, [start, state, arrays])
    return propagating(nest.unflatten(state, [array.stack() for array in arrays]), back_prop)


def case(
    pred_fn_pairs: Sequence[tuple[TensorLike, Callable[[], Result]]]
    | Mapping[TensorLike, Callable[[], Result]],
    default: Callable[[], Result] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str | None = None,
) -> Result:
    """Return the result of the function whose condition is the first that is true.

    Args:
        pred_fn_pairs: pairs of a scalar bool and a function without arguments: a list or a dict.
        default: called if no condition is true; without it one must be.
        exclusive: whether several true conditions are an error.
        strict, name: accepted, without effect.

    Raises:
        InvalidArgumentError: no condition is true and there is no default, or several are true
            with `exclusive`.
        DTypeError: a pair is not one of a condition and a function.
        ArgumentValueError: there are no pairs.

    Example:
        >>> print(case([(False, lambda: to_tensor(1))], default=lambda: to_tensor(2)))
        rt.Tensor(2, shape=(), dtype=int32)
    """
    given: Any = pred_fn_pairs
    is_dict = isinstance(given, Mapping)
    pairs = listed(given.items() if is_dict else given, "pred_fn_pairs")
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not callable(pair[1]):
            raise DTypeError(
                f"pred_fn_pairs must hold pairs (condition, function), not {shown(pair)}"
            )
    if not pairs:
        raise ArgumentValueError("case needs at least one pair of a condition and a function")
    preds = [to_tensor(pred) for pred, _ in pairs]
    if flag(exclusive, "exclusive"):
        _check_exclusive(preds)
    if default is None:
        check(_any(preds), InvalidArgumentError, "case: no condition holds")
        default = pairs[-1][1]
    function(default, "default")
    return _first(list(zip(preds, (function for _, function in pairs))), default)


def _first(pairs: Sequence[tuple[Any, Function]], default: Function) -> Any:
    if not pairs:
        return staged_once(default, "case")()
    (pred, function), *others = pairs
    return cond(pred, function, lambda: _first(others, default))


def _any(preds: Sequence[Any]) -> Any:
    found = preds[0]
    for pred in preds[1:]:
        found = found | pred
    return found


def _check_exclusive(preds: Sequence[Any]) -> None:
    before = preds[0]
    for pred in preds[1:]:
        check(logical_not(before & pred), InvalidArgumentError, "case: several conditions hold")
        before = before | pred


def _fold(fn: Function, elems: Any, initializer: Any, what: str, backwards: bool) -> Any:
    function(fn, "fn")
    rows = _rows(elems, what)
    count, step = _count(rows), -1 if backwards else 1
    start = count - 1 if backwards else to_tensor(0)
    state = _row(rows, start) if initializer is None else _tensors(initializer)
    start = start if initializer is not None else start + step

    def body(i: Any, state: Any) -> Any:
        return [i + step, staged_once(fn, what)(state, _row(rows, i))]

    within = (lambda i, state: i >= 0) if backwards else (lambda i, state: i < count)
    return while_loop(within, body, [start, state])[1]


def _tensors(structure: Any) -> Any:
    return nest.map_structure(to_tensor, structure)


def _rows(elems: Any, what: str) -> Any:
    rows = elems if not isinstance(elems, list) or _holds_tensors(elems) else to_tensor(elems)
    rows = _tensors(rows)
    leaves = nest.flatten(rows)
    if not leaves:
        raise ArgumentValueError(f"{what} needs at least one tensor")
    for leaf in leaves:
        if leaf.shape.rank == 0:
            raise ShapeError(f"{what} iterates over rows, and a scalar has none")
        if not leaf.shape[:1].is_compatible_with(leaves[0].shape[:1]):
            raise ShapeError(f"{what}: {leaf.shape} and {leaves[0].shape} differ in their rows")
    return rows


def _holds_tensors(elems: list[Any]) -> bool:
    return any(hasattr(leaf, "shape") for leaf in nest.flatten(elems))


def _count(rows: Any) -> Any:
    return shape(nest.flatten(rows)[0])[0]


def _row(rows: Any, place: Any) -> Any:
    return nest.map_structure(lambda each: gather(each, place), rows)


def _zero_row(rows: Any) -> Any:
    """Return a stand-in for a row where there is none, to infer the specs of its results."""
    return zeros([dim or 0 for dim in rows.shape[1:]], rows.dtype)


def _array(like: Any, count: Any, infer_shape: bool) -> TensorArray:
    element = like.shape if isinstance(like, TensorSpec) else None
    dtype = like.dtype if isinstance(like, (Tensor, TensorSpec)) else as_dtype(like)
    return TensorArray(dtype, count, infer_shape=infer_shape, element_shape=element)


def _write(arrays: Sequence[Any], place: Any, found: Any) -> list[Any]:
    return [array.write(place, leaf) for array, leaf in zip(arrays, nest.flatten(found))]

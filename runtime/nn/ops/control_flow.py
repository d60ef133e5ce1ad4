"""Loops, scans and switches of `keras.ops`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.core.argument_checks import flag, function, listed
from runtime.core.converter_hooks import run, staged_once
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError
from runtime.graph.functional_ops import scan as running
from runtime.graph.structured_control_flow import switch_case, while_calling
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import reverse as reversed_rows
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.constant import cast, constant
from runtime.ops.containers.lists import list_append, list_of, list_stack
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.infer import check_integer

Body = Callable[[Any, Any], Any]


def fori_loop(lower: TensorLike, upper: TensorLike, body_fun: Body, init_val: Any) -> Any:
    """Return a value after `body_fun(number, value)` for each number of a range.

    >>> int(fori_loop(0, 4, lambda number, total: total + number, 0))
    6
    """

    def step(number: Any, value: Any) -> tuple[Any, Any]:
        return number + 1, run(body, number, value)

    body, stop = function(body_fun, "body_fun"), to_tensor(upper)
    check_integer(stop.spec, "upper")
    check_integer(to_tensor(lower).spec, "lower")
    start = cast(to_tensor(lower), stop.dtype)
    _, found = while_calling(body, lambda number, value: number < stop, step, [start, init_val])
    return found


def switch(index: TensorLike, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """Return the result of one of several functions; numbers out of range are clamped.

    >>> switch(1, [lambda x: x, lambda x: x * 2], 3)
    6
    """
    given = [function(each, "branches") for each in listed(branches, "branches")]
    if not given:
        raise ArgumentValueError("switch needs a function in branches")
    if isinstance(index, int):
        return given[min(max(index, 0), len(given) - 1)](*operands)
    place: Any = cast(to_tensor(index), "int32")
    at = cast(greater_equal(place, 0), "int32") * place
    return switch_case(at, [_branch(each, operands) for each in given])


def _branch(chosen: Callable[..., Any], operands: Any) -> Callable[[], Any]:
    return lambda: staged_once(chosen, "switch")(*operands)


def scan(
    f: Any,
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: TensorLike = 1,
) -> Any:
    """Return the last state and all outputs of a function applied to one row after the other.

    Args:
        f: takes the state and a row of `xs`, and returns the next state and an output.
        init: the first state.
        xs: tensors, or a structure of them, iterated over along the first axis; None for `length`
            iterations without any.
        reverse: whether to start with the last row.
        unroll: no effect here.

    >>> rows = constant([1.0, 2.0, 3.0])
    >>> last, all_of = scan(lambda total, x: (total + x, total * x), 0.0, rows)
    >>> float(last), all_of.numpy().tolist()
    (6.0, [0.0, 2.0, 9.0])
    """
    function(f, "f")
    backwards = flag(reverse, "reverse")
    rows = None if xs is None else nest.map_structure(to_tensor, xs)
    if xs is None:
        if length is None:
            raise ArgumentValueError("scan needs xs or length: give one")
        rows = numbers(length)
    at = -1 if backwards else 0
    # The first iteration determines the structure of the outputs.
    first = nest.map_structure(lambda each: each[at], rows)
    others = nest.map_structure(lambda each: each[:-1] if backwards else each[1:], rows)
    state, output = _iteration(f, nest.map_structure(to_tensor, init), first, xs)
    leaves = nest.flatten(output)
    count = sizes_of(nest.flatten(others)[0])[0]

    def iteration(number: Any, held: Any, kept: Any) -> Any:
        place = count - 1 - number if backwards else number
        row = nest.map_structure(lambda each: gather(each, place), others)
        new, found = _iteration(f, held, row, xs)
        nest.assert_same_structure(output, found)
        return [number + 1, new, list_append(kept, *nest.flatten(found))]

    start = [constant(0), state, list_of(*leaves, width=len(leaves))]
    _, state, kept = while_calling(f, lambda number, *rest: number < count, iteration, start)
    outputs = [list_stack(kept, at, leaf.spec) for at, leaf in enumerate(leaves)]
    if backwards:
        outputs = [reversed_rows(each, [0]) for each in outputs]
    return state, nest.unflatten(output, outputs)


def _iteration(f: Any, state: Any, row: Any, xs: Any) -> tuple[Any, Any]:
    """Return the next state and an output as tensors."""
    given = run(f, state, None if xs is None else row)
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ArgumentValueError("f must return two values, the next state and an output")
    carried, output = given
    return nest.map_structure(to_tensor, carried), nest.map_structure(to_tensor, output)


def associative_scan(f: Any, elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Return the running results of an associative function of two arguments.

    >>> associative_scan(lambda a, b: a + b, constant([1, 2, 3])).numpy().tolist()
    [1, 3, 6]
    """
    function(f, "f")
    at = static_int(axis, "axis")

    def first(x: Any) -> Any:
        return of_numpy("moveaxis")(to_tensor(x), at, 0)

    def back(x: Any) -> Any:
        return of_numpy("moveaxis")(x, 0, at)

    rows = nest.map_structure(first, elems)
    found = running(f, rows, reverse=flag(reverse, "reverse"))
    return nest.map_structure(back, found)


__dir__ = own_names(__name__)

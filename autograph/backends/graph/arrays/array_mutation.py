"""Mutation of arrays of the graph: stores, in-place operators, methods and NumPy functions.

a[i] = x                       a tensor holds the elements of `a` from then on
a += 1                         a[...] = a + 1, if the dtype of `a` holds the result
np.put(a, places, values)      a.flat[places] = values
np.add(a, 1, out=b)            b[...] = a + 1
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.staged_array import (
    KINDS,
    KNOWN,
    StagedArray,
    StagedArrayView,
    as_array,
    as_tensor,
    as_tensor_index,
    as_tensor_operand,
    is_array,
    is_from_outside,
    put_elements,
    refuse_stale_view,
    root_of,
    tracked_array,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.errors import ContainerMutationError, StagingError
from runtime.core.lazy_imports import lazy_import
from runtime.graph.capture import TensorAlias
from runtime.ops.convert import adopting, is_weak, strong_cast

# NumPy's functions are a large table.
apply_ufunc = lazy_import("runtime.interop.numpy.ufuncs:apply_ufunc")
recorded_call = lazy_import("runtime.interop.numpy.protocol:recorded_call")
tensor_of = lazy_import("runtime.interop.numpy.conversion:tensor_of")
Change = Callable[..., Any]


def store(array: Any, index: Any, value: Any) -> None:
    """Execute `array[index] = value`, a part of which is known only at run time.

    Raises:
        ContainerMutationError: the array is from outside of the function, is in memory that is not
            its own, or is a stale view.
        ValueError: the array is read-only.
    """
    if type(array) is np.ndarray and (KNOWN.get() is None or is_from_outside(array)):
        raise ContainerMutationError(
            "a NumPy array from outside of the function is assigned an item, and cannot hold a "
            "value that is known only when the graph runs: make it a tensor first, as in z = "
            "rt.constant(z), and assign items of that, or keep the values in a Variable",
            user_location(),
            array,
        )
    if type(array) is np.ndarray and not array.flags.writeable:
        raise ValueError("assignment destination is read-only")
    if type(array) is np.ndarray and root_of(array) is array and not array.flags.owndata:
        raise ContainerMutationError(
            "a NumPy array in memory that is not its own (that of a buffer or of np.nditer) is "
            "assigned an item that is known only when the graph runs: assign items of the array "
            "itself, as in a[i, j] = v",
            user_location(),
        )
    refuse_stale_view(array, "is assigned an item")
    before, root = as_tensor(array), root_of(array)
    (root if isinstance(root, StagedArray) else tracked_array(root)).stores += 1
    put_elements(array, rt.set_item(before, as_tensor_index(index), stored(value, before.dtype)))


def stored(value: Any, dtype: rt.DType) -> Any:
    """Return a value cast to the dtype of the array that stores it, as NumPy casts it.

    Floats stored among integers lose their fractions. Python ints must fit.
    """
    if is_array(value):
        value = as_tensor(value)
    if dtype.kind not in KINDS or isinstance(value, int):
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        if dtype.kind not in "biu":
            return value  # It has all its digits.
        value = np.float64(value)
    if not isinstance(value, (rt.Tensor, rt.Variable, np.ndarray, np.generic)):
        return value
    tensor = rt.convert_to_tensor(value)
    is_cast = tensor.dtype.kind in "biuf" or (tensor.dtype.kind == "c" and dtype.kind == "c")
    if is_weak(tensor) is True and tensor.dtype.is_integer:
        return adopting(tensor, dtype)
    return strong_cast(tensor, dtype) if is_cast else value


def changed_in_place(ufunc: np.ufunc, array: Any, other: Any) -> Any:
    """Execute `array += other` or its like, and return the array.

    Raises:
        TypeError: the array cannot represent the result, as NumPy says.
        ValueError: the result has another shape.
    """
    operand: Any = as_tensor_operand(as_array(other))
    operand = operand.read_value() if isinstance(operand, rt.Variable) else operand
    is_own = isinstance(other, (rt.SymbolicTensor, rt.Variable)) and not is_weak(other)
    if is_own and operand.shape.rank == 0:
        # A scalar of the program's counts as a Python number, which adopts the dtype.
        operand = TensorAlias(operand.graph, operand.node, operand.index, operand.spec, True)
    held = as_tensor(array)
    _put_result(ufunc, array, held, (held, operand))
    return array


def _put_result(
    ufunc: np.ufunc, array: Any, held: Any, operands: Sequence[Any], where: Any = True
) -> None:
    result = as_tensor_operand(apply_ufunc(ufunc, *operands, out=held.dtype.np_dtype))
    # For other functions, a result of fewer dimensions is broadcast.
    if ufunc is np.matmul and not result.shape.is_compatible_with(held.shape):
        raise ValueError(
            f"an array of shape {held.shape} is changed in place, and the result has shape "
            f"{result.shape}"
        )
    store(array, ..., result if where is True else _chosen(where, result, held))


def _chosen(where: Any, values: Any, held: Any) -> Any:
    return rt.where(as_tensor_operand(where), rt.cast(as_tensor_index(values), held.dtype), held)


def flat(array: Any) -> StagedArrayView:
    """Return all elements in one row, which are those of the array however it lies in memory."""
    return StagedArrayView(
        array,
        lambda tensor: rt.reshape(tensor, [-1]),
        lambda tensor, new: rt.reshape(new, rt.shape(tensor)),
    )


def fill(array: Any, value: Any) -> None:
    """Store one value everywhere."""
    store(array, ..., value)


def sort(array: Any, axis: int = -1, **options: Any) -> None:
    """Put the elements in order along an axis."""
    store(array, ..., recorded_call(np.sort, (as_tensor(array),), {"axis": axis}))


def put(array: Any, places: Any, values: Any, mode: str = "raise") -> None:
    """Store values at places among all elements; they begin again where there are too few.

    Raises:
        StagingError: a `mode` is given.
    """
    if mode != "raise":
        raise StagingError(
            f"np.put with mode={mode!r} of an array that is known only when the graph runs: write "
            "places % a.size, or np.clip(places, 0, a.size - 1)",
            user_location(),
        )
    places = rt.reshape(as_tensor_index(places), [-1])
    store(flat(array), places, _cycled(values, rt.range(rt.size(places))))


def _cycled(values: Any, numbers: Any) -> Any:
    """Return values by index in one row, repeated as often as needed."""
    row = rt.reshape(tensor_of(as_tensor_index(values)), [-1])
    return rt.gather(row, numbers % rt.size(row))


def _fill_diagonal(array: Any, value: Any, wrap: bool = False) -> None:
    shape = as_tensor(array).shape.as_list()
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    count = int(np.prod(shape))
    end = shape[1] * shape[1] if len(shape) == 2 and not wrap else count
    step = 1 + int(np.cumprod(shape[:0:-1]).sum())
    put(array, np.arange(count)[:end:step], value)


def _place(array: Any, mask: Any, values: Any) -> None:
    chosen = _flags(mask)
    _putmask(array, mask, values, rt.cumsum(rt.cast(chosen, rt.int32)) - 1)


def _putmask(array: Any, mask: Any, values: Any, numbers: Any = None) -> None:
    chosen, elements = _flags(mask), flat(array)
    numbers = rt.range(rt.size(chosen)) if numbers is None else numbers
    store(elements, ..., _chosen(chosen, _cycled(values, numbers), as_tensor(elements)))


def _flags(mask: Any) -> Any:
    return rt.reshape(rt.cast(as_tensor_index(mask), rt.bool), [-1])


def _copyto(array: Any, values: Any, casting: Any = "same_kind", where: Any = True) -> None:
    held, given = as_tensor(array), as_tensor_index(values)
    given = given if isinstance(given, (rt.Tensor, bool, int, float)) else np.asarray(given)
    dtype = given.dtype.np_dtype if isinstance(given, rt.Tensor) else np.result_type(given)
    if not np.can_cast(dtype, held.dtype.np_dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {dtype!r} to {held.dtype.np_dtype!r} according to the "
            f"rule {casting!r}"
        )
    store(array, ..., given if where is True else _chosen(where, given, held))


def _into(ufunc: np.ufunc) -> Change:
    """Return the change that a ufunc makes with `out=`, which may also be the last argument."""

    def into(*args: Any, out: Any = None, where: Any = True, **options: Any) -> Any:
        array = _first_of_tuple(args[ufunc.nin :] or out)
        if options:
            raise StagingError(
                f"np.{ufunc.__name__} with out= and {', '.join(options)}= takes values that are "
                f"known only when the graph runs: write out[...] = np.{ufunc.__name__}(...)",
                user_location(),
            )
        _put_result(
            ufunc, array, as_tensor(array), [*map(as_tensor_operand, args[: ufunc.nin])], where
        )
        return array

    return into


def _first_of_tuple(values: Any) -> Any:
    return values[0] if isinstance(values, tuple) and values else values


def change_of(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Change | None:
    """Return the staged form of a NumPy function that changes an array, None if it changes none."""
    if isinstance(function, np.ufunc):
        out = _first_of_tuple(args[function.nin :] or kwargs.get("out"))
        return _into(function) if function.nout == 1 and is_array(out) else None
    owner = getattr(function, "__self__", None)
    if is_array(owner) and function.__name__ in _METHODS:
        return lambda *args, **kwargs: _METHODS[function.__name__](owner, *args, **kwargs)
    is_changed = args and is_array(args[0]) and isinstance(function, Hashable)
    return _FUNCTIONS.get(function) if is_changed else None


def refuse_assigning(array: Any, name: str, instead: str) -> NoReturn:
    """Raise ContainerMutationError for an attribute of an array."""
    raise ContainerMutationError(
        f"the {name} of an array is assigned, and its elements are known only when the graph runs: "
        f"write a = {instead}",
        user_location(),
    )


_METHODS: Mapping[str, Change] = {"fill": fill, "put": put, "sort": sort}
_FUNCTIONS: Mapping[Any, Change] = {
    np.copyto: _copyto,
    np.fill_diagonal: _fill_diagonal,
    np.place: _place,
    np.put: put,
    np.putmask: _putmask,
}

"""The tensor that converted code uses for an array whose elements are known only at run time.

a + 1, a[i], a.sum()       the tensor of the elements, with NumPy's operators and methods
a += 1                     changes the array under all its names
row = a[i]                 a view, which reads and writes the elements of the array
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.arrays.array_mutation import (
    changed_in_place,
    fill,
    flat,
    put,
    refuse_assigning,
    sort,
    store,
)
from autograph.backends.graph.arrays.staged_array import (
    KINDS,
    StagedArray,
    StagedArrayView,
    as_array,
    as_tensor,
    as_tensor_index,
    as_tensor_operand,
    elements,
    form_of,
    is_array,
    new_array,
    refuse_stale_view,
    staged_tensor,
)
from runtime.core.context import caller_origin
from runtime.core.lazy_imports import lazy_import
from runtime.errors import MissingMethodError
from runtime.graph.capture import TensorAlias, output_of
from runtime.interop.numpy.operators import UFUNCS
from runtime.ops.arrays.indexing import get_item
from runtime.ops.convert import NUMPYS, strong_cast, weakly

# Imported on first use: NumPy's functions are a large table.
recorded_call = lazy_import("runtime.interop.numpy.protocol:recorded_call")
array_ufunc = lazy_import("runtime.interop.numpy.protocol:array_ufunc")
view_or_copy = lazy_import("autograph.backends.graph.arrays.array_views:view_or_copy")
numpy_view = lazy_import("autograph.backends.graph.arrays.array_views:numpy_view")
# Methods that return a view of an array, by NumPy's names.
_LOOKING = "diagonal ravel reshape squeeze swapaxes transpose view".split()


class ArrayElements(TensorAlias):
    """The current elements of an array.

    Like NumPy's scalars, they adopt the dtype of a tensor beside them.

    Args:
        array: the array.
    """

    __slots__ = ("_then", "array")
    # Error messages show the user's type.
    __module__ = rt.SymbolicTensor.__module__

    def __init__(self, array: Any) -> None:
        refuse_stale_view(array)
        tensor = as_tensor(array)
        weak: Any = NUMPYS if tensor.dtype.kind in KINDS else tensor.weak
        super().__init__(tensor.graph, tensor.node, tensor.index, tensor.spec, weak)
        self.array, self._then = array, elements(array)
        check_contents_of(ArrayElements)

    def __getitem__(self, index: Any) -> Any:
        index, base = as_tensor_index(index), self._now()
        found = get_item(base, index)
        if found.shape.rank == 0:
            return weakly(found, NUMPYS)
        if found.shape.rank is None or _is_copied(index):
            return new_array(found)
        return StagedArrayView(
            self.array,
            lambda tensor: get_item(tensor, index),
            lambda tensor, new: rt.set_item(tensor, index, new),
            (base, found),
            _part_of(form_of(self.array), index),
        )

    def _now(self) -> Any:
        """Return the tensor of the array's current elements."""
        is_as_then = elements(self.array) is self._then
        return output_of(self) if is_as_then else as_tensor(self.array)

    def __setitem__(self, index: Any, value: Any) -> None:
        store(self.array, index, value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Return the result of a NumPy ufunc for this array."""
        return array_ufunc(self, ufunc, method, *map(as_operand, inputs), **options)

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    @property
    def T(self) -> Any:
        """The view with its axes in the other order."""
        return _view_method("transpose")(self)

    @property
    def flat(self) -> Any:
        """All elements in one row, in the order of indices for any memory layout."""
        return flat(self.array)

    @flat.setter
    def flat(self, value: Any) -> None:
        put(self.array, rt.range(rt.size(self)), value)

    @property
    def real(self) -> Any:
        """The array itself; the real parts, if its elements are complex."""
        return new_array(rt.math.real(output_of(self))) if self.dtype.is_complex else self.array

    @real.setter
    def real(self, value: Any) -> None:
        if self.dtype.is_complex:
            refuse_assigning(self, "real", "value + 1j * a.imag")
        store(self.array, ..., value)

    @property
    def imag(self) -> Any:
        """A new array with the imaginary parts."""
        now = output_of(self)
        return new_array(rt.math.imag(now) if self.dtype.is_complex else rt.zeros_like(now))

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element."""
        return self.dtype.size

    @property
    def nbytes(self) -> Any:
        """The number of bytes of all elements."""
        count = self.shape.num_elements()
        return self.itemsize * (rt.size(output_of(self)) if count is None else count)

    def tolist(self) -> list[Any]:
        """Return the elements in lists."""
        rows = [as_tensor_operand(each) for each in self]
        return [
            ArrayElements(new_array(each)).tolist() if each.shape.rank else each for each in rows
        ]

    def item(self, *place: Any) -> Any:
        """Return an element: the only one, or the one at a place."""
        if len(place) == 1 and not isinstance(place[0], tuple):
            return self.flat[place[0]]
        return self[place[0] if len(place) == 1 else place] if place else self.flat[0]

    def copy(self) -> Any:
        """Return a new array with the same elements."""
        return new_array(rt.identity(as_tensor(self.array)))

    flatten = __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy()

    def astype(self, dtype: Any, **options: Any) -> Any:
        """Return a new array with the elements in another dtype."""
        wanted = dtype if isinstance(dtype, rt.DType) else rt.as_dtype(np.dtype(dtype))
        tensor = strong_cast(as_tensor(self.array), wanted)
        return new_array(rt.identity(tensor) if tensor is as_tensor(self.array) else tensor)


ArrayElements.__name__ = ArrayElements.__qualname__ = rt.SymbolicTensor.__name__


def as_operand(value: Any) -> Any:
    """Return the operand for converted code: `ArrayElements` if only a run knows the elements."""
    value = as_array(value)
    is_known = not is_array(value) or staged_tensor(value) is None
    return value if is_known else ArrayElements(value)


def as_numpy_result(result: Any) -> Any:
    """Return the result of an operation on arrays as NumPy's: a new array, or a scalar."""
    is_scalar = type(result) is rt.SymbolicTensor and result.shape.rank == 0
    return weakly(result, NUMPYS) if is_scalar and result.dtype.kind in KINDS else new_array(result)


def _is_instance(array: Any, kinds: Any) -> bool:
    return isinstance(np.empty(0), kinds) or isinstance(ArrayElements(array), kinds)


# Builtins that inspect the array itself.
_OF_ARRAYS: Mapping[str, Callable[..., Any]] = {
    "isinstance": _is_instance,
    "type": lambda array: np.ndarray,
    "id": id,
}


def array_builtin(name: str, array: Any, *others: Any) -> Any:
    """Return a builtin's result for an array itself; `NotImplemented` if it needs the elements."""
    return _OF_ARRAYS[name](array, *others) if name in _OF_ARRAYS else NotImplemented


def _is_copied(index: Any) -> bool:
    """Return whether NumPy copies the elements at an index: it contains an array or a list."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(
        isinstance(each, (list, np.ndarray))
        or (isinstance(each, rt.Tensor) and (each.shape.rank != 0 or each.dtype == rt.bool))
        for each in parts
    )


# -- operators and methods -------------------------------------------------------------------------

_METHODS = "all any argmax argmin argsort clip cumprod cumsum dot max mean min prod".split()
_MORE_METHODS = "repeat round std sum take trace var".split()


def _computing(name: str) -> Any:
    compute = getattr(rt.SymbolicTensor, name)

    def operate(self: ArrayElements, *others: Any) -> Any:
        return compute(self, *map(as_operand, others))

    return operate


def _in_place(ufunc: np.ufunc) -> Any:
    def operate(self: ArrayElements, other: Any) -> Any:
        return changed_in_place(ufunc, self.array, other)

    return operate


def _forwarded(name: str) -> Any:
    def operate(self: StagedArray, *others: Any) -> Any:
        return getattr(ArrayElements(self), name)(*others)

    return operate


def _method(name: str) -> Any:
    function = getattr(np, name)

    def method(self: ArrayElements, *args: Any, **kwargs: Any) -> Any:
        found = recorded_call(
            function, (as_tensor(self.array), *map(as_tensor_operand, args)), kwargs
        )
        return as_numpy_result(found)

    return method


def _changing(change: Any) -> Any:
    return lambda self, *args, **kwargs: change(self.array, *args, **kwargs)


def _refusing(name: str, instead: str) -> Any:
    return lambda self, value: refuse_assigning(self, name, instead)


def _view_method(name: str) -> Any:
    of_arrays, function = getattr(np.ndarray, name), getattr(np, name, np.asarray)

    def method(self: ArrayElements, *args: Any, **kwargs: Any) -> Any:
        given: Any = as_tensor_index(args)
        found = numpy_view(self.array, of_arrays, given, kwargs)
        if found is not NotImplemented:
            return found
        if name in ("reshape", "transpose") and len(given) > 1:
            given = (given,)
        return view_or_copy(self.array, function, given, kwargs)

    return method


def _part_of(form: Any, index: Any) -> Any:
    """Return the memory layout of a part of an array; None if only a run knows it."""
    parts = index if isinstance(index, tuple) else (index,)
    bounds = [
        bound
        for each in parts
        for bound in ((each.start, each.stop, each.step) if isinstance(each, slice) else (each,))
    ]
    is_known = all(each is None or each is ... or isinstance(each, int) for each in bounds)
    return form[index] if form is not None and is_known else None


class AddedOperand:
    """The right operand of `a += x` for a NumPy array: it records the operation."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Record the in-place operation that NumPy would do."""
        (array,) = options["out"]
        return changed_in_place(ufunc, array, self._value)


def in_place_operand(target: Any, value: Any) -> Any:
    """Return the operand of an in-place change of an array.

    Args:
        target: the object that changes.
        value: the right operand.
    """
    if type(target) is not np.ndarray or not is_array(target):
        return value
    is_known = staged_tensor(target) is None and not isinstance(
        as_tensor_operand(value), rt.SymbolicTensor
    )
    return value if is_known else AddedOperand(value)


def _install() -> None:
    for name, ufunc in UFUNCS.items():
        if hasattr(operator, in_place := f"__i{name}__"):
            setattr(ArrayElements, in_place, _in_place(ufunc))
            setattr(StagedArray, in_place, _forwarded(in_place))
    for name in (f"__{side}{name}__" for name in UFUNCS for side in ("", "r")):
        if hasattr(rt.SymbolicTensor, name):
            setattr(ArrayElements, name, _computing(name))
            setattr(StagedArray, name, _forwarded(name))
    for name in (*_METHODS, *_MORE_METHODS):
        setattr(ArrayElements, name, _method(name))
    for change in (fill, put, sort):
        setattr(ArrayElements, change.__name__, _changing(change))
    for name in _LOOKING:
        setattr(ArrayElements, name, _view_method(name))
    for name in ("getitem", "setitem", "iter", "len", "bool"):
        setattr(StagedArray, f"__{name}__", _forwarded(f"__{name}__"))
    for name, instead in _FIXED.items():
        own = getattr(ArrayElements, name, None)
        read = own.fget if isinstance(own, property) else partial(_missing, name=name)
        setattr(ArrayElements, name, property(read, _refusing(name, instead)))
    ArrayElements.__getattr__ = _missing  # type: ignore[attr-defined]
    ArrayElements.__hash__ = rt.SymbolicTensor.__hash__  # type: ignore[method-assign]


_of_tensors: Any = rt.SymbolicTensor.__getattr__  # type: ignore[attr-defined]


def _missing(self: ArrayElements, name: str) -> Any:
    """Return an attribute that tensors have; one that only an array in memory has is an error."""
    if name.startswith("_") or not hasattr(np.ndarray, name):
        return _of_tensors(self, name)
    raise MissingMethodError(
        f"an array that is known only when the graph runs has no .{name}: it has its shape and "
        "dtype, its elements, and the methods that compute or store them",
        caller_origin(),
    )


# Attributes that cannot be assigned, and the remedy.
_FIXED: Mapping[str, str] = {
    "dtype": "a.astype(dtype)",
    "imag": "a.real + 1j * values",
    "shape": "a.reshape(shape)",
    "strides": "np.lib.stride_tricks.as_strided(a, shape, strides)",
}


def _attribute(self: StagedArray, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    return getattr(ArrayElements(self), name)


StagedArray.__getattr__ = _attribute  # type: ignore[attr-defined]
StagedArray.__array_ufunc__ = lambda self, *given, **options: (  # type: ignore[attr-defined]
    ArrayElements(self).__array_ufunc__(*given, **options)
)
StagedArray.__rt_tensor__ = lambda self: ArrayElements(self)  # type: ignore[attr-defined]
_install()

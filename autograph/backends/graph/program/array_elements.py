"""The tensor that converted code meets where an array has elements that only a run knows.

a + 1, a[i], a.sum()       the tensor of what the array holds, with NumPy's operators and methods
a += 1                     changes the array, which all its names show
row = a[i]                 a view, which reads and writes the elements of the array
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.everywhere import look_into
from autograph.backends.graph.program.arrays import (
    KINDS,
    StagedArray,
    StagedView,
    as_array,
    as_tensor,
    elements,
    form_of,
    is_array,
    made_array,
    plain,
    plain_parts,
    refuse_copied,
    staged_tensor,
    store,
)
from runtime.graph.capture import Alias, output_of
from runtime.loading import late
from runtime.ops.convert import NUMPYS, is_weak, strong_cast, weakly
from runtime.ops.indexing import get_item

# NumPy's functions are a large table.
recorded_call = late("runtime.numpy_protocol", "recorded_call")
array_ufunc = late("runtime.numpy_protocol", "array_ufunc")
in_other_form = late("autograph.backends.graph.program.views", "in_other_form")
looked_at = late("autograph.backends.graph.program.views", "looked_at")
# Methods that give a view of an array, by NumPy's names.
_LOOKING = "diagonal ravel reshape squeeze swapaxes transpose view".split()


class ArrayElements(Alias):
    """The elements of an array, as they are now.

    As NumPy's they adopt the dtype of a tensor beside them.

    Args:
        array: the array.
    """

    __slots__ = ("_then", "array")
    # In messages it is what it is for the user.
    __module__ = rt.SymbolicTensor.__module__

    def __init__(self, array: Any) -> None:
        refuse_copied(array)
        tensor = as_tensor(array)
        weak: Any = NUMPYS if tensor.dtype.kind in KINDS else tensor.weak
        super().__init__(tensor.graph, tensor.node, tensor.index, tensor.spec, weak)
        self.array, self._then = array, elements(array)
        look_into(ArrayElements)

    def __getitem__(self, index: Any) -> Any:
        index, base = plain_parts(index), self._now()
        found = get_item(base, index)
        if found.shape.rank == 0:
            return weakly(found, NUMPYS)
        if found.shape.rank is None or _is_copied(index):
            return made_array(found)
        return StagedView(
            self.array,
            lambda tensor: get_item(tensor, index),
            lambda tensor, new: rt.set_item(tensor, index, new),
            (base, found),
            _part_of(form_of(self.array), index),
        )

    def _now(self) -> Any:
        """Return the tensor of what the array holds by now."""
        is_as_then = elements(self.array) is self._then
        return output_of(self) if is_as_then else as_tensor(self.array)

    def __setitem__(self, index: Any, value: Any) -> None:
        store(self.array, index, value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Do what NumPy does for one of its arrays and this one."""
        result = array_ufunc(self, ufunc, method, *map(plain, inputs), **options)
        return made_array(_strong(result)) if all(map(_is_arrays, inputs)) else result

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    @property
    def T(self) -> Any:
        """The view with its axes in the other order."""
        return _look("transpose")(self)

    @property
    def flat(self) -> Any:
        """All elements in one row, which are those of the array however it lies in memory."""
        return StagedView(
            self.array,
            lambda tensor: rt.reshape(tensor, [-1]),
            lambda tensor, new: rt.reshape(new, rt.shape(tensor)),
        )

    @property
    def real(self) -> Any:
        """The array itself, unless its numbers are complex."""
        return made_array(rt.math.real(output_of(self))) if self.dtype.is_complex else self.array

    @property
    def imag(self) -> Any:
        """Another array, with the imaginary parts."""
        now = output_of(self)
        return made_array(rt.math.imag(now) if self.dtype.is_complex else rt.zeros_like(now))

    def sort(self, axis: int = -1, **options: Any) -> None:
        """Put the elements in order along an axis."""
        store(self.array, ..., recorded_call(np.sort, (as_tensor(self.array),), {"axis": axis}))

    def tolist(self) -> list[Any]:
        """Return the elements in lists."""
        rows = [plain(each) for each in self]
        return [
            ArrayElements(made_array(each)).tolist() if each.shape.rank else each for each in rows
        ]

    def item(self, *place: Any) -> Any:
        """Return an element: the only one, or the one at a place."""
        if len(place) == 1 and not isinstance(place[0], tuple):
            return self.flat[place[0]]
        return self[place[0] if len(place) == 1 else place] if place else self.flat[0]

    def fill(self, value: Any) -> None:
        """Store one value everywhere."""
        store(self.array, ..., value)

    def copy(self) -> Any:
        """Return another array that holds the same."""
        return made_array(rt.identity(as_tensor(self.array)))

    flatten = __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy()

    def astype(self, dtype: Any, **options: Any) -> Any:
        """Return another array that holds the same in another dtype."""
        wanted = dtype if isinstance(dtype, rt.DType) else rt.as_dtype(np.dtype(dtype))
        tensor = strong_cast(as_tensor(self.array), wanted)
        return made_array(rt.identity(tensor) if tensor is as_tensor(self.array) else tensor)


ArrayElements.__name__ = ArrayElements.__qualname__ = rt.SymbolicTensor.__name__


def as_met(value: Any) -> Any:
    """Return what converted code computes with: an array's elements, if only a run knows them."""
    value = as_array(value)
    is_known = not is_array(value) or staged_tensor(value) is None
    return value if is_known else ArrayElements(value)


def _is_instance(array: Any, kinds: Any) -> bool:
    return isinstance(np.empty(0), kinds) or isinstance(ArrayElements(array), kinds)


# Builtins that ask the array itself.
_OF_ARRAYS: Mapping[str, Callable[..., Any]] = {
    "isinstance": _is_instance,
    "type": lambda array: np.ndarray,
    "id": id,
}


def asked_of_array(name: str, array: Any, *others: Any) -> Any:
    """Return what a builtin says of an array itself; `NotImplemented` if it asks for elements."""
    return _OF_ARRAYS[name](array, *others) if name in _OF_ARRAYS else NotImplemented


def _is_copied(index: Any) -> bool:
    """Tell whether NumPy copies what an index picks: it has an array or a list in it."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(
        isinstance(each, (list, np.ndarray))
        or (isinstance(each, rt.Tensor) and (each.shape.rank != 0 or each.dtype == rt.bool))
        for each in parts
    )


# -- operators and methods -------------------------------------------------------------------------

_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_COMPARISONS = "lt le gt ge eq ne".split()
_UNARY = "neg pos abs invert".split()
_METHODS = "all any argmax argmin argsort clip cumprod cumsum dot max mean min prod".split()
_MORE_METHODS = "repeat round std sum take trace var".split()


def _is_arrays(value: object) -> bool:
    """Tell whether what meets an array leaves the result NumPy's."""
    return isinstance(value, (ArrayElements, StagedArray, np.ndarray, np.generic, int, float))


def _strong(result: Any) -> Any:
    """Return what was computed; what has several elements has its dtype as arrays have."""
    if is_weak(result) == NUMPYS and result.shape.rank != 0:
        result.weak = False
    return result


def _computing(name: str, of_two: bool) -> Any:
    compute = getattr(rt.SymbolicTensor, name)

    def operate(self: ArrayElements, *others: Any) -> Any:
        result = compute(self, *map(plain, others))
        if result is NotImplemented or (of_two and not all(map(_is_arrays, others))):
            return result
        return made_array(_strong(result))

    return operate


def _in_place(name: str) -> Any:
    compute = getattr(operator, name)

    def operate(self: ArrayElements, other: Any) -> Any:
        store(self.array, ..., compute(self, other))
        return self.array

    return operate


def _through(name: str) -> Any:
    def operate(self: StagedArray, *others: Any) -> Any:
        return getattr(ArrayElements(self), name)(*others)

    return operate


def _method(name: str) -> Any:
    function = getattr(np, name)

    def method(self: ArrayElements, *args: Any, **kwargs: Any) -> Any:
        tensor = as_tensor(self.array)
        return made_array(recorded_call(function, (tensor, *map(plain, args)), kwargs))

    return method


def _look(name: str) -> Any:
    of_arrays, function = getattr(np.ndarray, name), getattr(np, name, np.asarray)

    def method(self: ArrayElements, *args: Any, **kwargs: Any) -> Any:
        given: Any = plain_parts(args)
        found = looked_at(self.array, of_arrays, given, kwargs)
        if found is not NotImplemented:
            return found
        if name in ("reshape", "transpose") and len(given) > 1:
            given = (given,)
        return in_other_form(self.array, function, given, kwargs)

    return method


def _part_of(form: Any, index: Any) -> Any:
    """Return how a part of an array lies in memory; None if only a run knows."""
    parts = index if isinstance(index, tuple) else (index,)
    bounds = [
        bound
        for each in parts
        for bound in ((each.start, each.stop, each.step) if isinstance(each, slice) else (each,))
    ]
    is_known = all(each is None or each is ... or isinstance(each, int) for each in bounds)
    return form[index] if form is not None and is_known else None


class Addend:
    """Return the right side of `a += x` for a NumPy array that the graph knows, or `x`."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Do in the graph what NumPy would do in place."""
        (array,) = options["out"]
        compute = _OF_UFUNCS[ufunc.__name__]
        store(array, ..., compute(ArrayElements(array), self._value))
        return array


_OF_UFUNCS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "left_shift": operator.lshift,
    "matmul": operator.matmul,
    "multiply": operator.mul,
    "power": operator.pow,
    "remainder": operator.mod,
    "right_shift": operator.rshift,
    "subtract": operator.sub,
}


def addend_of_array(target: Any, value: Any) -> Any:
    """Return what an array is changed by in place.

    Args:
        target: what is changed.
        value: what it is changed by.
    """
    if type(target) is not np.ndarray or not is_array(target):
        return value
    is_known = staged_tensor(target) is None and not isinstance(plain(value), rt.SymbolicTensor)
    return value if is_known else Addend(value)


def _install() -> None:
    for name in _OPERATORS:
        setattr(ArrayElements, f"__i{name}__", _in_place(f"__{name}__"))
        setattr(StagedArray, f"__i{name}__", _through(f"__i{name}__"))
    twos = [f"__{side}{name}__" for name in _OPERATORS for side in ("", "r")]
    twos += [f"__{name}__" for name in _COMPARISONS]
    for name in [*twos, *(f"__{name}__" for name in _UNARY)]:
        if hasattr(rt.SymbolicTensor, name):
            setattr(ArrayElements, name, _computing(name, name in twos))
            setattr(StagedArray, name, _through(name))
    for name in (*_METHODS, *_MORE_METHODS):
        setattr(ArrayElements, name, _method(name))
    for name in _LOOKING:
        setattr(ArrayElements, name, _look(name))
    for name in ("getitem", "setitem", "iter", "len", "bool"):
        setattr(StagedArray, f"__{name}__", _through(f"__{name}__"))
    ArrayElements.__hash__ = rt.SymbolicTensor.__hash__  # type: ignore[method-assign]


def _attribute(self: StagedArray, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    return getattr(ArrayElements(self), name)


StagedArray.__getattr__ = _attribute  # type: ignore[attr-defined]
StagedArray.__rt_tensor__ = lambda self: ArrayElements(self)  # type: ignore[attr-defined]
_install()

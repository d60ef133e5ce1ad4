"""The fast path of a call: short keys for common arguments, and runs without a tape.

    f(rt.constant([1., 2.]), 3)    ->    (dtype('float32'), (2,), int, 3)

After one full look-up, a call with such a key takes one look-up in a dict. Tensors, NumPy values of
native dtypes, Python numbers other than complex ones, texts, None and variables have short keys,
also in plain lists, tuples and dicts with texts as keys; all other arguments take the key of
`trace_key`. Tensors and None in plain lists, tuples and dicts are returned by a
function made for the structure of the result; `ResultStructure` builds other results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.functions.arguments.trace_key import Arrays, Key
from autograph.functions.concrete_functions.executable import Executable
from autograph.functions.results.result_structure import NoneResult, ResultStructure, TensorOutput
from runtime.core.array_ownership import ALONE, new_tensor, references, tensor_of_item, tensors_of
from runtime.core.device_tensor import (
    DeviceTensor,
    ToDevice,
    held_array,
    is_device_array,
    tensor_of_result,
)
from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.core.mesh import host_array
from runtime.core.tensor import EagerTensor
from runtime.executors.engine import on_host
from runtime.executors.numpy.runtime_errors import raise_unchanged, translate_error
from runtime.ops.literals import NATIVE
from runtime.state.variable import Variable

# The bytes from which on an engine gets no copy of a NumPy array.
_LARGE = 1 << 14
_LITERALS = frozenset((int, bool, str, bytes, type(None)))
_SCALARS = frozenset(dtype.type for dtype in NATIVE)
_ARRAY = np.ndarray
_new_array = np.array


def short_key(
    values: Iterable[Any],
    arrays: Arrays,
    seen: list[int] | None = None,
    to_device: ToDevice | None = None,
) -> Key | None:
    """Return the short key of a call; None if it takes the full key.

    Args:
        values: one per parameter.
        arrays: a list to which the arrays of the tensors, copies of NumPy's arrays, and the
            variables are appended.
        seen: the identities of the lists, dicts and variables so far. Only the full key shows that
            one occurs twice, or holds itself.
        to_device: for an engine, whose arrays tensors may hold: copies an array to its device. It
            may get the memory of a NumPy argument itself, for the time of the call.

    >>> short_key((3, "sum"), []), short_key(([len],), [])
    ((<class 'int'>, 3, <class 'str'>, 'sum'), None)
    """
    key: list[Any] = []  # appending to a tuple would copy it
    for value in values:
        kind = type(value)
        if kind is EagerTensor or kind is DeviceTensor:
            array = value._array if to_device is None else held_array(value, to_device)
            arrays.append(array)
            key += (array.dtype, array.shape)
        elif kind is float:
            # -0.0 is not 0.0, and nan equals nan.
            key += (kind, value if value and value == value else value.hex())
        elif kind in _LITERALS:
            key += (kind, value)
        elif (kind is _ARRAY and value.dtype in NATIVE) or kind in _SCALARS:
            if to_device is None or value.nbytes < _LARGE:
                array = _new_array(value)
            else:
                # The engine has done with it when the call ends.
                array = value.view()
                array.flags.writeable = False
            arrays.append(array)
            key += (array.dtype, array.shape)
        else:
            if seen is None:
                seen = []
            inside = _inside(kind, value, arrays, seen, to_device)
            if inside is None:
                return None
            key += inside
    return tuple(key)


def _inside(
    kind: type, value: Any, arrays: Arrays, seen: list[int], to_device: ToDevice | None
) -> Key | None:
    """Return the parts that a container or variable adds to a key; None if it has no short key.

    `np.dtype(int) == int`, so the part after a type must never equal a shape.
    """
    values, names = value, ()
    if kind is not tuple:
        if kind is not list and kind is not dict and kind is not Variable:
            if not is_device_array(value):
                return None
            arrays.append(value if to_device is not None else host_array(value))
            return value.dtype, value.shape
        if id(value) in seen:
            return None
        seen.append(id(value))
        if kind is Variable:
            arrays.append(value)
            return Variable, value.dtype, value.shape.dims, value.trainable
        if kind is dict:
            if not all(type(name) is str for name in value):
                return None
            values, names = [value[name] for name in sorted(value)], value
    try:
        parts = short_key(values, arrays, seen, to_device)
    except RecursionError:
        return None
    return None if parts is None else (kind, len(values), *parts, *names)


def fit_unchanged(given: Sequence[Any], fitted: Sequence[Any]) -> bool:
    """Return whether the arrays of a call fit a trace without a cast.

    >>> fit_unchanged([np.zeros(2)], [np.zeros(2)]), fit_unchanged([], [np.zeros(2)])
    (True, False)
    """
    return len(given) == len(fitted) and all(map(_is_like, given, fitted))


def _is_like(given: Any, fitted: Any) -> bool:
    if isinstance(fitted, Variable):
        return given is fitted
    if not isinstance(given, np.ndarray):
        return False
    return given.dtype == fitted.dtype and given.shape == fitted.shape


# -- runs without a tape ---------------------------------------------------------------------------


Make = Callable[[Sequence[Any]], object]


class CallCounter:
    """Counts the calls of a trace. It refers to nothing, so it can outlive the trace."""

    __slots__ = ("calls",)

    def __init__(self) -> None:
        self.calls = 0


def fast_run(
    executable: Executable,
    structure: ResultStructure,
    outputs: int,
    counter: CallCounter,
    on_device: bool = False,
) -> Make:
    """Return a function that runs a graph on the arguments' arrays and returns the result.

    Args:
        executable: runs the graph; its `run` is read at each call.
        structure: builds the result.
        outputs: the number of outputs of the graph.
        counter: counts the calls.
        on_device: whether an engine runs it, whose arrays tensors may hold.
    """
    if on_device:
        return _run_on_device(executable, structure, outputs, counter)
    if outputs == 1 and type(structure.builders) is TensorOutput:
        return _run_of_one_output(executable, counter)
    make = _maker(structure.builders, outputs) or structure.make

    def run(arrays: Sequence[Any]) -> object:
        counter.calls += 1
        return make(executable.run(arrays))

    return run


def _run_of_one_output(executable: Executable, counter: CallCounter) -> Make:
    """Return a function that runs a graph whose only output is the result."""

    def run(arrays: Sequence[Any]) -> object:
        counter.calls += 1
        token = ignore_warnings()
        try:
            (array,) = executable.function(*arrays)
        except BaseException as error:
            translated = translate_error(error)
            if translated is error:
                raise
            raise_unchanged(translated)
        finally:
            restore_warnings(token)
        tensor = new_tensor(EagerTensor)
        tensor._array = array if references(array) <= ALONE else array.view()
        return tensor

    return run


def _run_on_device(
    executable: Executable, structure: ResultStructure, outputs: int, counter: CallCounter
) -> Make:
    """Return a function that runs a graph by an engine; tensors hold its arrays."""
    like = structure.builders
    make = _maker(like, outputs, tensor_of_result)

    def run(arrays: Sequence[Any]) -> object:
        counter.calls += 1
        results = executable.run_on_device(arrays)
        return structure.make(list(map(on_host, results))) if make is None else make(results)

    def run_for_one(arrays: Sequence[Any]) -> object:
        counter.calls += 1
        (array,) = executable.run_on_device(arrays)
        if type(array) is _ARRAY:
            return tensor_of_result(array)
        tensor = new_tensor(DeviceTensor)
        tensor._held = array
        return tensor

    return run_for_one if outputs == 1 and type(like) is TensorOutput else run


def _maker(
    like: Any, outputs: int, tensor_of: Callable[[Any], EagerTensor] = tensor_of_item
) -> Make | None:
    """Return the function that builds a part of a result; None if `ResultStructure` has to."""
    kind = type(like)
    if kind is TensorOutput:
        index = like.index
        return lambda results: tensor_of(results[index])
    if kind is NoneResult:
        return lambda results: None
    if kind not in (list, tuple, dict):
        return None
    items = list(like.values() if kind is dict else like)
    makers = [_maker(item, outputs, tensor_of) for item in items]
    if None in makers:
        return None
    if kind is dict:
        return _dict_maker(tuple(zip(like, makers)))
    is_flat = [getattr(item, "index", None) for item in items] == list(range(outputs))
    if is_flat and tensor_of is tensor_of_item:
        return tensors_of if kind is list else lambda results: tuple(tensors_of(results))
    return lambda results: kind([make(results) for make in makers])  # type: ignore[misc]


def _dict_maker(makers: Any) -> Make:
    return lambda results: {name: make(results) for name, make in makers}

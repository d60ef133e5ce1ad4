"""The fast run of a call: on the arrays of the tensors, without a tape.

Tensors and None in plain lists, tuples and dicts are returned by a function made for the structure
of the result; `ResultStructure` builds other results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.functions.concrete_functions.executable import Executable
from autograph.functions.results.result_structure import NoneResult, ResultStructure, TensorOutput
from runtime.core.array_ownership import ALONE, new_tensor, references, tensor_of_item, tensors_of
from runtime.core.device_tensor import (
    DeviceTensor,
    tensor_of_result,
)
from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.core.tensor import EagerTensor
from runtime.executors.engine import on_host
from runtime.executors.numpy.runtime_errors import raise_unchanged, translate_error

_ARRAY = np.ndarray


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
        on_device: whether an engine runs it, whose arrays tensors may reference.
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
    """Return a function that runs a graph by an engine; tensors reference its arrays."""
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

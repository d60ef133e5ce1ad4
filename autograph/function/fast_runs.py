"""Runs of a graph while no tape is open: what the function returned, by the shortest way there is.

A result of tensors and None in plain lists, tuples and dicts is put together by functions made for
its very form; of any other the structure makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.function.executable import Executable
from autograph.function.results import Nothing, Output, Structure
from runtime.core.array_ownership import ALONE, new_tensor, references, tensor_of_item, tensors_of
from runtime.core.errstate import hush, unhush
from runtime.core.tensor import EagerTensor
from runtime.executors.numpy.failures import raise_as_it_is, told

Arrays = Sequence[Any]
Make = Callable[[Arrays], object]


class Tally:
    """Counts the calls of a trace. It holds nothing, so that it may outlive the trace."""

    __slots__ = ("calls",)

    def __init__(self) -> None:
        self.calls = 0


def quick_run(executable: Executable, structure: Structure, outputs: int, tally: Tally) -> Make:
    """Return what runs a graph on the arrays of the arguments and gives the result.

    Args:
        executable: runs the graph; asked for its `run` at each call.
        structure: the result.
        outputs: how many the graph has.
        tally: counts the calls.
    """
    if outputs == 1 and type(structure.recipes) is Output:
        return _run_to_one(executable, tally)
    make = _maker(structure.recipes, outputs) or structure.make

    def run(arrays: Arrays) -> object:
        tally.calls += 1
        return make(executable.run(arrays))

    return run


def _run_to_one(executable: Executable, tally: Tally) -> Make:
    """Return what runs a graph whose only output is the result."""

    def run(arrays: Arrays) -> object:
        tally.calls += 1
        asked = hush()
        try:
            (array,) = executable.function(*arrays)
        except BaseException as error:
            meant = told(error)
            if meant is error:
                raise
            raise_as_it_is(meant)
        finally:
            unhush(asked)
        tensor = new_tensor(EagerTensor)
        tensor._array = array if references(array) <= ALONE else array.view()
        return tensor

    return run


def _maker(like: Any, outputs: int) -> Make | None:
    """Return what makes a part of a result of all outputs; None where the structure has to."""
    kind = type(like)
    if kind is Output:
        index = like.index
        return lambda results: tensor_of_item(results[index])
    if kind is Nothing:
        return lambda results: None
    if kind not in (list, tuple, dict):
        return None
    items = list(like.values() if kind is dict else like)
    makers = [_maker(item, outputs) for item in items]
    if None in makers:
        return None
    if kind is dict:
        return _dict_maker(tuple(zip(like, makers)))
    if [getattr(item, "index", None) for item in items] == list(range(outputs)):
        return tensors_of if kind is list else lambda results: tuple(tensors_of(results))
    return lambda results: kind([make(results) for make in makers])  # type: ignore[misc]


def _dict_maker(makers: Any) -> Make:
    return lambda results: {name: make(results) for name, make in makers}

"""Comparison of one traced function with passes and without: everything visible must be equal."""

from __future__ import annotations

import contextlib
import io
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import runtime as rt
from autograph.functions.concrete_functions import concrete_function as concrete
from runtime.core.item_list import ItemList
from runtime.core.variant import unboxed
from runtime.executors import interpreter
from runtime.graph import Graph
from runtime.passes import DEFAULT, Pass, optimize
from runtime.passes.prune import prune

# Each pass alone, each left out, and all of them; `dce` shows what the one before has done.
DCE = DEFAULT[-1]
ALONE: dict[str, tuple[Pass, ...]] = {each.name: (each, DCE) for each in DEFAULT[:-1]}
WITHOUT = {f"-{each.name}": tuple(p for p in DEFAULT if p is not each) for each in DEFAULT}
TOGETHER: dict[str, tuple[Pass, ...]] = {"all": DEFAULT}


@contextlib.contextmanager
def run_with(passes: Sequence[Pass] | None) -> Iterator[None]:
    """Let the interpreter run graphs as passes make them; None for those it runs by itself."""
    before = interpreter.prune

    def better(graph: Graph) -> Graph:
        return prune(graph) if passes is None else optimize(graph, passes, checked=True)

    interpreter._program_of.forget()
    interpreter.prune = better  # type: ignore[attr-defined]
    try:
        yield
    finally:
        interpreter.prune = before  # type: ignore[attr-defined]
        interpreter._program_of.forget()


class _Interpreted:
    """An executable that is the interpreter."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def run(self, arrays: Sequence[Any]) -> Sequence[Any]:
        return interpreter.run(self.graph, arrays)

    def function(self, *arrays: Any) -> Sequence[Any]:
        return self.run(arrays)

    __call__ = run


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Let functions that are traced here run by the interpreter."""
    before = concrete.executable_of
    concrete.executable_of = _Interpreted  # type: ignore[attr-defined]
    try:
        yield
    finally:
        concrete.executable_of = before  # type: ignore[attr-defined]


def observed(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return all that the caller of a function sees, spelled out to the last bit."""
    printed, result, error = io.StringIO(), None, None
    rt.random.set_seed(7)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = function(*arguments)
            except KeyboardInterrupt:
                raise
            except BaseException as raised:
                error = raised
    return spelled(result), error_text(error), printed.getvalue(), spelled(arguments)


def error_text(error: BaseException | None) -> Any:
    """Return an error's contents: its class, words, notes, lines, and the error around it."""
    if error is None:
        return None
    # Frames of the library and of tests may differ; those of the user's lines may not.
    lines = [
        (entry.filename, entry.lineno, entry.name)
        for entry in traceback.extract_tb(error.__traceback__)
        if not entry.filename.startswith("<plan ")
        and "/runtime/" not in entry.filename
        and "/autograph/functions/" not in entry.filename
    ]
    notes = getattr(error, "__notes__", None)
    around = None if error.__suppress_context__ else error_text(error.__context__)
    return type(error), str(error), notes, getattr(error, "origin", None), lines, around


def spelled(value: Any) -> Any:
    """Return a value with the bits of all its parts, so that `==` means exactly equal.

    NaN has one form: its sign, which `-a - -b` and `b - a` leave different, is no part of a value.
    """
    if isinstance(value, rt.Tensor):
        return ("tensor", spelled(value.numpy()))
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.kind == "V" and isinstance(held := unboxed(array), ItemList):
            return ("list", spelled(held.items()))
        if array.dtype.kind == "f":
            array = np.where(np.isnan(array), array.dtype.type("nan"), array)
        bits = array.tolist() if array.dtype.kind in "OV" else array.tobytes()
        return (array.dtype.str, array.shape, bits)
    if isinstance(value, float):
        return ("float", spelled(np.float64(value)))
    if isinstance(value, list | tuple):
        return (type(value), [spelled(each) for each in value])
    if isinstance(value, dict):
        return (type(value), [(spelled(key), spelled(each)) for key, each in value.items()])
    if type(value).__eq__ is object.__eq__ and hasattr(value, "__dict__"):
        return (type(value), spelled(vars(value)))
    return (type(value), value)

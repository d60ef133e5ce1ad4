"""A generated program run twice, eagerly and traced, with results and state of each call."""

from __future__ import annotations

import contextlib
import io
import linecache
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from runtime.errors import OpError
from runtime.nn.modules import names
from runtime.nn.seeds import forget_seeds, set_random_seed
from tests.parity.stateful_objects.programs import StatefulProgram

REFUSALS = (AutographError, OpError)
CALLS = (1.0, -2.0, 0.5)


@dataclass(frozen=True)
class Outcome:
    """The result and the effects of one call.

    Attributes:
        result: its result, spelled out.
        state: the values of the program's globals after it, spelled out.
        raised: the exception it raises.
        built: the lines that `build` methods have printed so far.
        runs: how often the function itself has printed.
        traces: how often it was traced.
    """

    result: Any
    state: Any
    raised: BaseException | None
    built: tuple[str, ...]
    runs: int
    traces: int

    @property
    def is_refused(self) -> bool:
        """Whether the program was refused with an error of ours."""
        return isinstance(self.raised, REFUSALS)


def outcomes_of(program: StatefulProgram, is_traced: bool) -> list[Outcome]:
    """Run a program's calls one after the other, until one raises.

    Every run has globals of its own, and random numbers and names from the beginning on.
    """
    names.forget_names()
    set_random_seed(7)
    try:
        return list(_calls(program, is_traced))
    finally:
        forget_seeds()


def _calls(program: StatefulProgram, is_traced: bool) -> Iterator[Outcome]:
    printed = io.StringIO()
    variables = _globals_of(program, not is_traced)
    entry: Callable[..., Any] = variables["entry"]
    is_fitting = program.kind == "fitting"
    staged: Any = ag.function(entry) if is_traced and not is_fitting else entry
    for at, scale in enumerate(CALLS):
        given = at + 1 if is_fitting else rt.constant(scale * _BATCH)
        result, raised = None, None
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = staged(given)
            except Exception as error:
                raised = error
        lines = printed.getvalue().splitlines()
        built = tuple(line for line in lines if line.startswith("build"))
        traces = staged.experimental_get_tracing_count() if staged is not entry else at + 1
        state = None if raised is not None else _state(variables)
        yield Outcome(spelled(result, []), state, raised, built, lines.count("run"), traces)
        if raised is not None:
            return


_BATCH = np.array([[0.5, 1.0, -1.0], [2.0, 0.25, 1.5]], np.float32)


def _globals_of(program: StatefulProgram, is_eager: bool) -> dict[str, Any]:
    lines = program.text.splitlines(keepends=True)
    linecache.cache[program.name] = (len(program.text), None, lines, program.name)
    variables: dict[str, Any] = {"__name__": "stateful_program", "EAGER": is_eager}
    exec(compile(program.text, program.name, "exec", dont_inherit=True), variables)
    return variables


def _state(variables: dict[str, Any]) -> Any:
    unseen = (FunctionType, ModuleType, type)
    held = {
        name: value
        for name, value in variables.items()
        if not (name.startswith("__") or name in ("EAGER", "xs", "ys") or isinstance(value, unseen))
    }
    return spelled(held, [])


# -- values ----------------------------------------------------------------------------------------


def spelled(value: Any, seen: list[Any]) -> Any:
    """Return a value as plain lists, dicts and numbers; an object seen before by its number."""
    if isinstance(value, rt.Variable):
        return ("variable", tuple(value.shape), value.numpy())
    if isinstance(value, rt.SymbolicTensor):
        return "a tensor of a graph"
    if isinstance(value, (rt.Tensor, np.ndarray, np.generic)):
        return np.array(value)
    if value is None or isinstance(value, (bool, int, float, str, np.dtype, rt.DType)):
        return value
    if isinstance(value, (FunctionType, type)):
        return value.__name__
    for number, each in enumerate(seen):
        if each is value:
            return ("seen", number)
    seen.append(value)
    if isinstance(value, dict):
        return {key: spelled(item, seen) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [spelled(item, seen) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return _object(value, seen)


def _object(value: Any, seen: list[Any]) -> Any:
    """Return the visible parts of an object: its attributes, and the variables of a module."""
    own = {name: each for name, each in vars(value).items() if not name.startswith("_")}
    if isinstance(value, rt.nn.layers.Layer):
        weights = {each.path: each for each in value.weights}
        own |= {"built": value.built, "weights": weights, "name": value.name}
    elif isinstance(value, rt.nn.metrics.Metric):
        own |= {"variables": list(value.variables), "name": value.name}
    elif isinstance(value, rt.nn.optimizers.Optimizer):
        own = {"variables": {each.path: each for each in value.variables}}
    elif type(value).__module__.startswith(("runtime", "autograph")):
        return type(value).__name__
    return {"is": type(value).__name__, **{k: spelled(v, seen) for k, v in own.items()}}


def difference(expected: Any, actual: Any, where: str = "result") -> str | None:
    """Tell the first place in which two spelled values differ; None if there is none."""
    if _is_number(expected) and _is_number(actual):
        one, other = np.asarray(expected), np.asarray(actual)
        if one.shape == other.shape and np.allclose(one, other, 1e-4, 1e-5, equal_nan=True):
            return None
        return f"{where}: {expected!r} and {actual!r}"
    if type(expected) is not type(actual):
        return f"{where}: {expected!r} and {actual!r}"
    if isinstance(expected, dict):
        if list(expected) != list(actual):
            return f"{where}: {list(expected)} and {list(actual)}"
        pairs = [(f"{where}.{k}", expected[k], actual[k]) for k in expected]
    elif isinstance(expected, (list, tuple)):
        if len(expected) != len(actual):
            return f"{where}: {expected!r} and {actual!r}"
        pairs = [(f"{where}[{k}]", a, b) for k, (a, b) in enumerate(zip(expected, actual))]
    else:
        are_nan = isinstance(expected, np.generic) and bool(expected != expected)
        are_equal = expected == actual or (are_nan and bool(actual != actual))
        return None if are_equal else f"{where}: {expected!r} and {actual!r}"
    found = (difference(one, other, at) for at, one, other in pairs)
    return next((each for each in found if each is not None), None)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.ndarray)) and not isinstance(value, str)

"""Corpus programs run by TensorFlow: a process that reads names and writes outcomes.

    python tools/tensorflow_worker.py     # reads `theme/name` a line, answers each with one line

A program's `import runtime as rt` gets TensorFlow under the same names. Each outcome is converted
to plain values, so that the parent process needs no TensorFlow.
"""

from __future__ import annotations

import base64
import contextlib
import copy
import importlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

MISSING = "TensorFlow is not installed: pip install 'autograph-py[tensorflow]'"
# Names of ours that are elsewhere in TensorFlow.
_ELSEWHERE = {
    "set_loop_options": "autograph.experimental.set_loop_options",
    "do_not_convert": "autograph.experimental.do_not_convert",
    "shape": "shape",
}


def tensorflow() -> Any:
    """TensorFlow, quiet.

    Raises:
        SystemExit: if it is not installed.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    try:
        tf = importlib.import_module("tensorflow")
    except ImportError:
        raise SystemExit(MISSING) from None
    tf.get_logger().setLevel("CRITICAL")
    tf.autograph.set_verbosity(0)
    return tf


class Stand(ModuleType):
    """A module with our names and TensorFlow's functions."""

    def __init__(self, name: str, tf: Any) -> None:
        super().__init__(name)
        self._tf = tf

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._tf
        for part in _ELSEWHERE.get(name, name).split("."):
            found = getattr(found, part)
        return found


class Side:
    """Runs programs in TensorFlow."""

    def __init__(self) -> None:
        self._tf = tensorflow()
        for name in ("runtime", "autograph"):
            sys.modules[name] = Stand(name, self._tf)
        api = importlib.import_module("tensorflow.python.autograph.impl.api")
        context = importlib.import_module("tensorflow.python.autograph.core.ag_ctx")
        status = context.ControlStatusCtx(status=context.Status.ENABLED)
        self._convert: Callable[..., Any] = lambda function: api.tf_convert(function, status)

    def outcomes(self, program: str) -> list[tuple[Any, ...]]:
        """Return the outcome of each case: result, exception and output, in plain values."""
        module = importlib.import_module(f"tests.programs.{program.replace('/', '.')}")
        function = getattr(module, program.partition("/")[2])
        marks = vars(module)
        plain = "PYTHON_ONLY" in marks
        staged = self._convert(function) if plain else self._tf.function(function)
        static = () if plain else marks.get("STATIC", ())
        cases = marks["CASES"]
        return [
            self._outcome(staged, [v if plain or i in static else self._lifted(v, i, cases)
                                   for i, v in enumerate(copy.deepcopy(case))])
            for case in cases
        ]  # fmt: skip

    def version(self) -> str:
        """TensorFlow's version."""
        return str(self._tf.__version__)

    def _outcome(self, function: Callable[..., Any], arguments: list[Any]) -> tuple[Any, ...]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                return self._told(function(*arguments)), None, printed.getvalue()
            except Exception as error:
                return None, _told_error(error), printed.getvalue()

    def _lifted(self, value: Any, position: int, cases: list[tuple[Any, ...]]) -> Any:
        """Return a tensor; for an empty list one without rows, like those of other cases."""
        if value == []:
            others = [case[position] for case in cases if len(case) > position]
            filled = next((o for o in others if isinstance(o, list) and _is_numeric(o)), None)
            return value if filled is None else self._tf.constant(filled)[:0]
        return self._tf.constant(value) if _is_numeric(value) else value

    def _told(self, value: Any) -> tuple[Any, ...]:
        """A result as plain values: tensors as arrays, containers by their kind."""
        if isinstance(value, (self._tf.Tensor, self._tf.Variable)):
            return ("array", value.numpy() if hasattr(value, "numpy") else repr(value))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ("named", type(value).__name__, [self._told(item) for item in value])
        if type(value) in (list, tuple):
            return (type(value).__name__, [self._told(item) for item in value])
        if type(value) is dict:
            return ("dict", list(value), [self._told(item) for item in value.values()])
        return _told_whole(value)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_is_numeric(item) for item in value)
    return isinstance(value, (bool, int, float))


def _told_whole(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (np.ndarray, np.generic)):
        return ("plain", value)
    if type(value).__module__.startswith("tensorflow"):
        return ("other", repr(value))
    try:
        return ("pickled", pickle.dumps(value))
    except (pickle.PicklingError, AttributeError, TypeError):
        return ("other", repr(value))


def _told_error(error: Exception) -> tuple[list[str], str, tuple[Any, ...]]:
    """The classes of an exception, its text, and its arguments as far as they are plain."""
    names = [kind.__name__ for kind in type(error).__mro__]
    plain = [each for each in error.args if isinstance(each, (str, int, float, bool, type(None)))]
    return names, str(error), tuple(plain)


def serve(lines: Any, answers: Any) -> None:
    """Answer each name with a line; the first line answered is the version."""
    side = Side()
    _answer(answers, side.version())
    for line in lines:
        try:
            _answer(answers, side.outcomes(line.strip()))
        except Exception as error:
            _answer(answers, [(None, _told_error(error), "")])


def _answer(stream: Any, value: object) -> None:
    stream.write(base64.b64encode(pickle.dumps(value)) + b"\n")
    stream.flush()


def read_answer(line: bytes) -> Any:
    """Return the contents of an answer line.

    >>> read_answer(base64.b64encode(pickle.dumps([1])))
    [1]
    """
    return pickle.loads(base64.b64decode(line))


def values_of(told: tuple[Any, ...], names: Mapping[str, Any], tensor: Callable[..., Any]) -> Any:
    """Return the value in an outcome; `tensor` makes tensors, `names` has the named tuples."""
    kind, *rest = told
    if kind == "array":
        return tensor(rest[0])
    if kind in ("list", "tuple"):
        items = [values_of(item, names, tensor) for item in rest[0]]
        return items if kind == "list" else tuple(items)
    if kind == "named":
        return names[rest[0]](*(values_of(item, names, tensor) for item in rest[1]))
    if kind == "dict":
        return dict(zip(rest[0], (values_of(item, names, tensor) for item in rest[1])))
    return pickle.loads(rest[0]) if kind == "pickled" else rest[0]


if __name__ == "__main__":
    # The output of programs and TensorFlow must not mix with the answers.
    private = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin, private)

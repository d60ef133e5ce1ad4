"""SavedModels run by TensorFlow: a process that reads directories with inputs and writes results.

    python tools/saved_model_worker.py     # reads a request a line, answers each with one line

The process has nothing of this project but its tools: TensorFlow alone loads the directories.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.graphdef_worker import Answer, serve_alone
from tools.tensorflow_worker import tensorflow

SIGNATURE = "serving_default"
_OURS = ("autograph", "runtime")


@dataclass(frozen=True)
class Request:
    """A directory to load, and a function of it to call.

    Attributes:
        folder: the directory.
        name: the name of the function, which is an attribute of the loaded object.
        args: its arguments: arrays, and Python values, in lists, tuples and dicts.
        kwargs: its arguments by name.
        named: the arrays for its signature, by name.
    """

    folder: str
    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    named: dict[str, np.ndarray]


class Side:
    """Loads directories in TensorFlow and calls their functions."""

    def __init__(self) -> None:
        self._tf = tensorflow()

    def version(self) -> str:
        """TensorFlow's version."""
        return str(self._tf.__version__)

    def answer(self, request: Request) -> tuple[Answer, Answer]:
        """Load a directory; return the outcomes of the function and of its signature."""
        try:
            loaded = self._tf.saved_model.load(request.folder)
            function, served = getattr(loaded, request.name), loaded.signatures[SIGNATURE]
        except Exception as error:
            failed = Answer([], [], _text(error), is_loaded=False)
            return failed, failed
        if any(name in sys.modules for name in _OURS):
            raise RuntimeError("this process has modules of the project")
        variables = list(getattr(loaded, "captured", ()))
        before = [each.numpy() for each in variables]
        args, kwargs, named = map(self._given, (request.args, request.kwargs, request.named))
        first = self._outcome(lambda: function(*args, **kwargs), variables)
        for variable, value in zip(variables, before):
            variable.assign(value)
        return first, self._outcome(lambda: served(**named), variables)

    def _given(self, value: Any) -> Any:
        """Return arguments with tensors in the place of arrays."""
        if isinstance(value, np.ndarray):
            return self._tf.constant(value)
        if isinstance(value, dict):
            return {key: self._given(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(map(self._given, value))
        return value

    def _outcome(self, call: Callable[[], Any], variables: list[Any]) -> Answer:
        try:
            values, error = [plain(call(), lambda each: each.numpy())], ""
        except Exception as raised:
            values, error = [], _text(raised)
        return Answer(values, [each.numpy() for each in variables], error)


def plain(value: Any, array: Callable[[Any], np.ndarray]) -> Any:
    """Return a result with arrays as leaves; a named tuple or dataclass is a dict of its fields.

    >>> plain([1, None], np.asarray)
    [array(1), None]
    """
    names = getattr(value, "_fields", ())
    if is_dataclass(value):
        names = tuple([field.name for field in fields(value)])
    if names:
        kind = type(value).__name__
        return {f"{kind}.{name}": plain(getattr(value, name), array) for name in names}
    if isinstance(value, dict):
        return {key: plain(each, array) for key, each in value.items()}
    for sequence in (list, tuple):
        if isinstance(value, sequence):
            return sequence([plain(each, array) for each in value])
    return None if value is None else array(value)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    # The other side knows the classes by the name of this module.
    from tools import saved_model_worker

    serve_alone(saved_model_worker.Side)

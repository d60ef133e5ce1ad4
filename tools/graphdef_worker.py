"""GraphDefs run by TensorFlow: a process that reads graphs with inputs and writes results.

    python tools/graphdef_worker.py     # reads a request a line, answers each with one line

The process asking needs no TensorFlow: both sides speak in arrays.
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.tensorflow_worker import tensorflow

Form = Any
"""The name of a dtype; of a list a tuple with the form of each part of an item."""


@dataclass(frozen=True)
class Request:
    """A graph to load and run.

    Attributes:
        graph: the bytes of the file.
        inputs: arrays by the names of placeholders.
        variables: values of variables by the names of their placeholders.
        outputs: the names of the results, in order.
        forms: the form of each value that the results are parts of.
    """

    graph: bytes
    inputs: dict[str, np.ndarray]
    variables: dict[str, np.ndarray]
    outputs: tuple[str, ...]
    forms: tuple[Form, ...]


@dataclass(frozen=True)
class Answer:
    """The outcome: values and the variables after the run, or an error's class and text."""

    values: list[Any]
    variables: list[np.ndarray]
    error: str = ""
    is_loaded: bool = True


class Side:
    """Runs graphs in TensorFlow."""

    def __init__(self) -> None:
        self._tf = tensorflow()

    def version(self) -> str:
        """TensorFlow's version."""
        return str(self._tf.__version__)

    def answer(self, request: Request) -> Answer:
        """Load a graph, run it and return the outcome."""
        tf = self._tf
        variables = {name: tf.Variable(value) for name, value in request.variables.items()}
        try:
            function = self._loaded(request, variables)
        except Exception as error:
            return Answer([], [], f"{type(error).__name__}: {error}", is_loaded=False)
        try:
            found = function(*map(tf.constant, request.inputs.values()))
            values = list(self._values(iter(found), request.forms))
        except Exception as error:
            return Answer([], self._held(variables), f"{type(error).__name__}: {error}")
        return Answer(values, self._held(variables))

    def _held(self, variables: dict[str, Any]) -> list[np.ndarray]:
        return [variable.numpy() for variable in variables.values()]

    def _loaded(self, request: Request, variables: dict[str, Any]) -> Any:
        tf = self._tf
        graph = tf.compat.v1.GraphDef.FromString(request.graph)
        effects = [node.name for node in graph.node if node.op == "NoOp"]
        named = {node.name: node for node in graph.node}

        def imported(*inputs: Any) -> Any:
            given = dict(zip(request.inputs, inputs))
            capture = tf.compat.v1.get_default_graph().capture
            given.update({name: capture(each.handle) for name, each in variables.items()})
            wanted = [*(f"{name}:0" for name in request.outputs), *effects]
            found = tf.graph_util.import_graph_def(
                graph, input_map=given, return_elements=wanted, name=""
            )
            results = found[: len(request.outputs)]
            with tf.control_dependencies(found[len(request.outputs) :]):
                # A graph with effects alone needs a result, too.
                return [*results, tf.constant(0)]

        specs = [
            tf.TensorSpec(named[name].attr["shape"].shape, named[name].attr["dtype"].type)
            for name in request.inputs
        ]
        return tf.compat.v1.wrap_function(imported, specs)

    def _values(self, found: Iterator[Any], forms: Sequence[Form]) -> Iterator[Any]:
        for form in forms:
            if isinstance(form, str):
                yield next(found).numpy()
            else:
                yield self._items([next(found) for _ in form], form)

    def _items(self, parts: Sequence[Any], form: Form) -> list[tuple[Any, ...]]:
        raw = self._tf.raw_ops
        count = int(raw.TensorListLength(input_handle=parts[0]))
        return [
            tuple(self._part(part, at, each) for part, each in zip(parts, form))
            for at in range(count)
        ]

    def _part(self, handle: Any, at: int, form: Form) -> Any:
        tf = self._tf
        dtype = tf.as_dtype(form) if isinstance(form, str) else tf.variant
        item = tf.raw_ops.TensorListGetItem(
            input_handle=handle, index=at, element_shape=-1, element_dtype=dtype
        )
        return item.numpy() if isinstance(form, str) else self._items([item], form)


def serve(side: Any, lines: Any, answers: Any) -> None:
    """Answer each request with a line; the first line answered is the version."""
    _write(answers, side.version())
    for line in lines:
        _write(answers, side.answer(pickle.loads(base64.b64decode(line))))


def _write(stream: Any, value: object) -> None:
    stream.write(base64.b64encode(pickle.dumps(value)) + b"\n")
    stream.flush()


def serve_alone(make: Callable[[], Any]) -> None:
    """Answer the requests of standard input; TensorFlow's output must not mix with the answers."""
    private = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(make(), sys.stdin.buffer, private)


if __name__ == "__main__":
    # The other side knows the classes by the name of this module.
    from tools import graphdef_worker

    graphdef_worker.serve_alone(graphdef_worker.Side)

"""The default graph of sessions, and its placeholders."""

from __future__ import annotations

from typing import Any

from runtime.core.context import caller_origin, current_recorder
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.name_scopes import scoped
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, TensorLike
from runtime.errors import GraphError
from runtime.graph.graph import Graph
from runtime.graph.node_names import checked_name
from runtime.ops.convert import to_tensor
from runtime.ops.gradient_rules import IDENTITY


def get_default_graph() -> Graph:
    """Return the current graph, in which ops are recorded.

    Raises:
        GraphError: there is none; ops run eagerly.

    >>> graph = Graph()
    >>> with graph.as_default():
    ...     get_default_graph() is graph
    True
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError(
            "this needs a graph, and ops are computed at once here: write "
            "`with Graph().as_default() as graph:` around them"
        )
    return recorder


def placeholder(
    dtype: DTypeLike, shape: ShapeLike | None = None, name: str | None = None
) -> SymbolicTensor:
    """Return a new tensor of the current graph that each run of a session feeds.

    Args:
        dtype: the dtype.
        shape: the shape, with None for unknown dimensions; None for any shape.
        name: the name of its node.

    Raises:
        GraphError: there is no current graph, or it is a function or a region.

    >>> with Graph().as_default():
    ...     placeholder("float32", (None, 5), name="x")
    Tensor("x:0", shape=(None, 5), dtype=float32)
    """
    graph = get_default_graph()
    if not graph.runs_by_fetches:
        raise GraphError(
            f"'{graph.name}' takes arguments, not placeholders: make one right in "
            "`with Graph().as_default():`"
        )
    spec = TensorSpec(None if shape is None else as_shape(shape), as_dtype(dtype))
    return graph.add_input(spec, scoped(checked_name(name or "Placeholder")))


def placeholder_with_default(
    input: TensorLike, shape: ShapeLike, name: str | None = None
) -> SymbolicTensor:
    """Return a new tensor of the current graph with a default value, which a run may feed.

    Args:
        input: the default value, convertible to a tensor.
        shape: the shape of fed values, with None for unknown dimensions; None for any shape.
        name: the name of its node.

    Raises:
        GraphError: there is no current graph.
        ShapeError: the value has another shape.

    >>> with Graph().as_default():
    ...     placeholder_with_default([1.0, 2.0], [None], name="x")
    Tensor("x:0", shape=(None,), dtype=float32)
    """
    graph = get_default_graph()
    value = graph.capture(to_tensor(input))
    allowed = as_shape(shape)
    value.shape.merge(allowed)
    spec = TensorSpec(allowed, value.dtype)
    called = scoped(checked_name(name or "PlaceholderWithDefault"))
    node = graph.append(IDENTITY, (value,), {}, (), [spec], called, caller_origin())
    return node.outputs[0]


_DEFAULT: list[Any] = []


def disable_eager_execution() -> None:
    """Record all ops in a graph that sessions run by default, instead of computing them.

    This holds for the current context of `contextvars`, such as a thread.

    >>> import contextvars
    >>> contextvars.copy_context().run(lambda: [disable_eager_execution(), get_default_graph()][1])
    <Graph 'graph': 0 inputs, 0 nodes, 0 outputs>
    """
    recorder = current_recorder()
    if recorder is None:
        reset_default_graph()


def reset_default_graph() -> None:
    """Replace the default graph by a new one, after `disable_eager_execution()`.

    Raises:
        GraphError: inside of `with graph.as_default():` or of a function that is traced.

    >>> with Graph().as_default():
    ...     reset_default_graph()
    Traceback (most recent call last):
    runtime.errors.GraphError: ...
    """
    recorder = current_recorder()
    if recorder is not None and recorder not in _DEFAULT:
        raise GraphError("the graph must not be changed inside of `with graph.as_default():`")
    _DEFAULT[:] = [Graph()]
    _DEFAULT[0].as_default().__enter__()

"""The graph that is written to, and what is made in it to be fed."""

from __future__ import annotations

from typing import Any

from runtime.context import current_recorder
from runtime.dtypes import as_dtype
from runtime.errors import GraphError, UnimplementedError
from runtime.graph.graph import Graph
from runtime.shapes import as_shape
from runtime.spec import TensorSpec
from runtime.tensor import SymbolicTensor


def get_default_graph() -> Graph:
    """Return the graph that ops are recorded in.

    Raises:
        GraphError: there is none; ops are computed at once.

    >>> graph = Graph()
    >>> with graph.as_default():
    ...     get_default_graph() is graph
    True
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError(
            "no graph is written to, ops are computed at once: write "
            "`with Graph().as_default() as graph:` around them"
        )
    return recorder


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SymbolicTensor:
    """Make a tensor of the current graph that is fed when a session runs it.

    Args:
        dtype: its dtype.
        shape: its shape, with None for dimensions that are not known; None for any shape.
        name: what its node is called.

    Raises:
        GraphError: no graph is written to, or a function or region of one.

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
    return graph.add_input(spec, name or "Placeholder")


def disable_eager_execution() -> None:
    """Refuse: nothing changes for the whole program here.

    Raises:
        UnimplementedError: always.
    """
    raise UnimplementedError(
        "ops are computed at once outside of graphs, and that cannot be turned off: write "
        "`with Graph().as_default() as graph:` around the ops, and `Session(graph=graph)`"
    )

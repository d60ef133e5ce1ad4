"""`NodeImport`: one node of a GraphDef on its way into a graph, as the rules of its op see it.

    Sum(x, axis) {keep_dims: true}    ->    %reduce_sum = reduce_sum(%x) {axis=(1,), keepdims=True}

A rule takes a `NodeImport`, records nodes in the current graph, and returns the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import DType
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError, DTypeError, UnimplementedError
from runtime.export.graphdef.importer.attributes import NodeAttributes
from runtime.export.graphdef.importer.static_values import StaticValues
from runtime.export.graphdef.messages import FunctionDef, NodeDef
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.ops.arrays.indexing import get_item
from runtime.ops.op import REGISTRY, apply


class ImportedLibrary(Protocol):
    """The library of a GraphDef, as rules use it."""

    variables: Mapping[str, Any]
    static: StaticValues

    def function(self, name: str) -> FunctionDef:
        """Return a function."""

    def called(self, name: str, values: Sequence[Any]) -> list[Any]:
        """Record a call of a function, and return its results."""

    def recorded(self, name: str, values: Sequence[Any]) -> list[Any]:
        """Record the nodes of a function, and return its results."""

    def returned_parameter(self, name: str, position: int) -> str | None:
        """Return the parameter that a function returns unchanged as a result, if it is one."""

    def count(self, node: NodeDef) -> None:
        """Count a node that is recorded."""


class ImportContext(Protocol):
    """The graph or function that a node is a part of, as rules use it."""

    graph: Graph

    @property
    def functions(self) -> ImportedLibrary:
        """The library."""

    @property
    def static(self) -> StaticValues:
        """The values that are known while importing."""


Rule: TypeAlias = "Callable[[NodeImport], Any]"
"""Records a node; returns its result, a sequence of several, or None."""


class NodeImport:
    """A node of a GraphDef that is being imported.

    Attributes:
        node: the node.
        inputs: its operands: tensors, and variables in place of their handles.
        attrs: its attributes.
        body: the graph or function that it is a part of.
    """

    def __init__(self, node: NodeDef, inputs: Sequence[Outer], body: ImportContext) -> None:
        self.node = node
        self.inputs = inputs
        self.attrs = NodeAttributes(node)
        self.body = body

    @property
    def op(self) -> str:
        """The name of TensorFlow's op."""
        return str(self.node.op)

    def tensor(self, position: int) -> Any:
        """Return an operand; DTypeError if it is a variable."""
        found = self.inputs[position]
        if not isinstance(found, Tensor):
            raise DTypeError(f"input {position} is a variable, where a tensor is expected")
        return found

    def tensors(self, first: int = 0, last: int | None = None) -> list[Any]:
        """Return the operands between two positions."""
        return [self.tensor(at) for at in range(len(self.inputs))[first:last]]

    def variable(self, position: int) -> Any:
        """Return the variable whose handle is an operand; DTypeError if that is a tensor."""
        found = self.inputs[position]
        if isinstance(found, Tensor):
            raise DTypeError(
                f"input {position} is {found.dtype.name}, where a variable is expected"
            )
        return found

    # -- recording ---------------------------------------------------------------------------------

    def record(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        """Record an op of this project; return its result, or a tuple of several."""
        return apply(REGISTRY[name], inputs, **attrs)

    def constant(self, value: Any, dtype: DType) -> Any:
        """Record a constant of a dtype."""
        return apply(REGISTRY["constant"], (), value=ArrayValue(np.array(value, dtype.np_dtype)))

    # -- values that are known while importing -----------------------------------------------------

    def known(self, position: int) -> Array | None:
        """Return the value of an operand if it is known while importing."""
        return self.body.static.whole(self.tensor(position))

    def static(self, position: int, what: str) -> Array:
        """Return the value of an operand that must be known while importing.

        Raises:
            UnimplementedError: it depends on an input, or on a variable.
        """
        found = self.known(position)
        if found is None:
            raise self.unsupported(f"{what} must be constants, and only a run knows them here")
        return found

    def number(self, position: int, what: str) -> int:
        """Return the value of an operand that must be one integer known while importing."""
        found = self.static(position, what)
        if found.size != 1 or found.dtype.kind not in "iu":
            raise ArgumentValueError(f"{what} must be one integer, not {found.tolist()}")
        return int(found.item())

    def numbers(self, position: int, what: str) -> tuple[int, ...]:
        """Return the value of an operand that must be integers known while importing."""
        found = self.static(position, what)
        if found.dtype.kind not in "iu":
            raise ArgumentValueError(f"{what} must be integers, not {found.dtype}")
        return tuple(found.ravel().tolist())

    def sizes(self, position: int) -> Any:
        """Return a vector of sizes for a function that takes a shape: ints as far as known."""
        vector = self.tensor(position)
        partial = self.body.static.partial(vector)
        if not isinstance(partial, list) or all(each is None for each in partial):
            return vector
        return [
            self.element(vector, at) if each is None else int(each)
            for at, each in enumerate(partial)
        ]

    def element(self, vector: Any, at: int) -> Any:
        """Return an element of a vector: the scalar that it was stacked from, if there is one."""
        node = vector.node
        if node.op.name == "stack" and node.graph is self.body.graph:
            return node.inputs[at]
        return get_item(vector, at)

    # -- refusals ----------------------------------------------------------------------------------

    def unsupported(self, reason: str) -> UnimplementedError:
        """Return the error that the node cannot be imported, for a reason."""
        return UnimplementedError(reason)

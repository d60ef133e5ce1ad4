"""The node that is being lowered, as lowering rules receive it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType, int32
from runtime.core.spec import TensorSpec
from runtime.errors import UnimplementedError
from runtime.export.function_body import Body, ValueRef
from runtime.graph.node import Node

if TYPE_CHECKING:
    from runtime.export.region_lowering import Region

Value: TypeAlias = "ValueRef | tuple[ValueRef, ...]"
"""What stands for a value: a result, or for a list one for each part of its items."""

Rule: TypeAlias = "Callable[[NodeLowering], Value | list[Value]]"
"""Adds nodes to the body of a step and returns the value, or the list of all values, of the node.
"""


class NodeLowering:
    """One node being lowered.

    Args:
        region: where its graph is lowered.
        node: the node.
        scope: its name in the file; names of helpers begin with it.
        inputs: what stands for its operands.

    Attributes:
        attrs: the node's attributes.
    """

    def __init__(self, region: Region, node: Node, scope: str, inputs: Sequence[Any]) -> None:
        self.region = region
        self.node = node
        self.scope = scope
        self.inputs = inputs
        self.attrs: Mapping[str, Any] = node.attrs
        self._is_named = False

    @property
    def body(self) -> Body:
        """The body that the nodes are added to."""
        return self.region.body

    def spec(self, position: int) -> TensorSpec:
        """Return the spec of an operand."""
        return self.node.inputs[position].spec

    def rank(self, position: int = 0, why: str = "of any rank") -> int:
        """The rank of an operand, which has to be known."""
        rank = self.spec(position).shape.rank
        if rank is None:
            raise self.unsupported(f"for a tensor {why} TensorFlow has no such node")
        return rank

    @property
    def dtype(self) -> DType:
        """The dtype of the first result."""
        return self.node.outputs[0].dtype

    def last(self, op: str, *inputs: Any, **attrs: Any) -> Any:
        """Add the node that has the scope as its name; return its result or results."""
        assert not self._is_named
        self._is_named = True
        return self._added(op, inputs, attrs, self.scope)

    def add(self, op: str, *inputs: Any, **attrs: Any) -> Any:
        """Add a helper, whose name is in the scope; return its result or results."""
        return self._added(op, inputs, attrs, self.body.names.fresh(f"{self.scope}/{op}"))

    def _added(self, op: str, inputs: Sequence[Any], attrs: Mapping[str, Any], name: str) -> Any:
        found = self.body.add(op, inputs, dict(attrs), name)
        return found[0] if len(found) == 1 else found

    def const(self, value: Any, name: str, dtype: DType = int32) -> ValueRef:
        """Add a constant called `<scope>/<name>`."""
        array = value if isinstance(value, np.ndarray) else np.array(value, dtype.np_dtype)
        full = self.body.names.fresh(f"{self.scope}/{name}")
        return self.body.const(array, full)

    def unsupported(self, reason: str) -> UnimplementedError:
        """Return the error that says why this node has no counterpart."""
        return unsupported(self.node, reason)


def unsupported(node: Node, reason: str) -> UnimplementedError:
    """Return the error that says why a node has no counterpart, and which line it is of."""
    line = node.origin.line_text() if node.origin is not None else ""
    shown = f" (`{line}`)" if line else ""
    return UnimplementedError(
        f"'{node.op.name}'{shown} does not go into a GraphDef: {reason}; leave it outside of the "
        "function that is exported",
        node.origin,
    )


def flat(values: Iterable[Value]) -> Iterator[ValueRef]:
    """Yield the results that stand for several values."""
    for value in values:
        if isinstance(value, ValueRef):
            yield value
        else:
            yield from value

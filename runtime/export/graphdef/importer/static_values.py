"""Values of tensors that are known while a GraphDef is imported: constants and known sizes.

TensorFlow's nodes take axes and sizes as tensors, most of which are constants. A shape with some
unknown sizes is known in part: `shape(x)[1]` is 16 for an `x` of shape (None, 16).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import OpError
from runtime.graph.capture import outermost
from runtime.graph.node import Node
from runtime.ops.op import run_kernel

# The largest tensor that is computed while importing; axes and sizes are small.
_MOST = 1024


class StaticValues:
    """The known values of tensors of one import, each computed once.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec([None, 16], rt.float32), "x")
        >>> with graph.recording():
        ...     sizes = rt.shape(x)
        >>> StaticValues().partial(sizes), StaticValues().whole(sizes)
        ([None, 16], None)
    """

    def __init__(self) -> None:
        self._found: dict[int, tuple[Any, Any]] = {}
        self.broadcast: dict[int, tuple[Any, Any]] = {}
        """The sizes of operands, by the identity of the axes along which they were broadcast."""

    def whole(self, tensor: Any) -> Array | None:
        """Return the value of a tensor; None unless all of it is known."""
        found = self._of(tensor)
        if found is None or found.dtype != object:
            return found
        if any(part is None for part in found.ravel().tolist()):
            return None
        return found.astype(tensor.dtype.np_dtype) if not tensor.dtype.is_string else found

    def partial(self, tensor: Any) -> Any:
        """Return the value of integers as a number or list, with None for unknown ones.

        The value of a tensor of which nothing is known is None.
        """
        found = self._of(tensor)
        return None if found is None else found.tolist()

    def _of(self, value: Any) -> Array | None:
        value = outermost(value)
        if isinstance(value, EagerTensor):
            return value._array
        if not isinstance(value, SymbolicTensor):
            return None
        held = self._found.get(id(value))
        if held is None:
            # The tensor is kept with its value, so that no other one gets its identity.
            held = self._found[id(value)] = value, self._computed(value)
        found: Array | None = held[1]
        return found

    def _computed(self, tensor: SymbolicTensor) -> Array | None:
        node = tensor.node
        if node.op.name == "constant":
            array: Array = node.attrs["value"].array
            return array
        rule = _RULES.get(node.op.name)
        if rule is not None:
            found = rule(self, node)
            if found is not None:
                return found
        return self._folded(tensor)

    def _folded(self, tensor: SymbolicTensor) -> Array | None:
        """Compute a small result of a pure op on known values."""
        node, count = tensor.node, tensor.shape.num_elements()
        op = node.op
        if op.kernel is None or op.effects != "none" or not node.inputs:
            return None
        if count is None or count > _MOST or tensor.dtype.is_variant:
            return None
        known = [self.whole(each) for each in node.inputs]
        if any(each is None or each.size > _MOST for each in known):
            return None
        try:
            return run_kernel(op, [each for each in known if each is not None], node.attrs)[
                tensor.index
            ]
        except OpError:
            return None  # The error is raised when the graph runs.

    # -- shapes that are known in part -------------------------------------------------------------

    def _shape(self, node: Node) -> Array | None:
        dims = node.inputs[0].shape.dims
        return None if dims is None else _parts(dims)

    def _size(self, node: Node) -> Array | None:
        count = node.inputs[0].shape.num_elements()
        return None if count is None else np.array(count, node.outputs[0].dtype.np_dtype)

    def _rank(self, node: Node) -> Array | None:
        rank = node.inputs[0].shape.rank
        return None if rank is None else np.array(rank, np.int32)

    def _item(self, node: Node) -> Array | None:
        sizes = self._of(node.inputs[0])
        if sizes is None or sizes.dtype != object or len(node.inputs) > 1 or sizes.ndim != 1:
            return None
        index: Any = node.attrs["index"]
        try:
            return np.asarray(sizes[index.numpy(())], object)
        except IndexError:
            return None

    def _stack(self, node: Node) -> Array | None:
        parts = [self._of(each) for each in node.inputs]
        if node.attrs["axis"] != 0 or any(tensor.shape.rank != 0 for tensor in node.inputs):
            return None
        return _parts([None if part is None else part.item() for part in parts])

    def _concat(self, node: Node) -> Array | None:
        if any(tensor.shape.rank != 1 or tensor.shape[0] is None for tensor in node.inputs):
            return None
        rows: list[Any] = []
        for each in node.inputs:
            found = self._of(each)
            rows += [None] * int(each.shape[0] or 0) if found is None else found.tolist()
        return _parts(rows)

    def _same(self, node: Node) -> Array | None:
        found = self._of(node.inputs[0])
        is_partial = found is not None and found.dtype == object
        is_whole = node.inputs[0].dtype.is_integer and node.outputs[0].dtype.is_integer
        return found if is_partial and is_whole else None


def _parts(values: Sequence[Any]) -> Array:
    found = np.empty(len(values), object)
    found[:] = values
    return found


_RULES: dict[str, Callable[[StaticValues, Node], Array | None]] = {
    "shape": StaticValues._shape,
    "size": StaticValues._size,
    "rank": StaticValues._rank,
    "strided_slice": StaticValues._item,
    "stack": StaticValues._stack,
    "concat": StaticValues._concat,
    "cast": StaticValues._same,
    "identity": StaticValues._same,
}

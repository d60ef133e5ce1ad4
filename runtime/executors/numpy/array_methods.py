"""Source text of ops whose kernels do little more than call an array method.

    %row = strided_slice(%x, %i) {index=[$0]}       row = x[i]
    %flat = reshape(%x) {shape=(6,)}                flat = x.reshape((6,))
    %a, %b = split(%x) {sizes=2, axis=1}            a, b = x[:, 0:3], x[:, 3:6]

An error of such an expression means nothing to a user, so the kernel is run to raise its own
(`runtime_errors`). Therefore only ops without effects are here, and only for operands of which the
graph knows all that the kernel would check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.core.dtypes import int64, uint64
from runtime.executors.numpy.name_allocation import NameAllocation
from runtime.graph.node import Node
from runtime.ops.arrays.index import ELLIPSIS, WHOLE, HashableSlice, Input
from runtime.ops.arrays.reduction import whole_mean
from runtime.ops.arrays.short_reductions import LINE
from runtime.ops.elementwise.selection import MANY
from runtime.ops.linalg.matmul_kernels import DOTTED, is_large_product


class Operands(Protocol):
    """The operands of a node as source text."""

    def array(self, at: int) -> str:
        """Return an operand as an array."""

    def number(self, at: int) -> str | None:
        """Return an operand as a number; None if it is not a number."""

    def not_negative(self, at: int) -> bool:
        """Return whether an operand is a number that is known to be non-negative."""


Direct: TypeAlias = Callable[[Node, Operands, NameAllocation], "str | None"]


_ADD_REDUCE = np.add.reduce
_REDUCTIONS: dict[str, tuple[str, Any]] = {
    "reduce_sum": ("np_add_reduce", _ADD_REDUCE),
    "reduce_mean": ("np_add_reduce", _ADD_REDUCE),
    "reduce_max": ("np_maximum_reduce", np.maximum.reduce),
    "reduce_min": ("np_minimum_reduce", np.minimum.reduce),
}


def direct_text(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    """Return an expression for a node's result, None if its kernel must be called.

    If the op does not have exactly one result, the expression is a tuple of arrays.
    """
    write = DIRECT.get(node.op.name)
    return None if write is None else write(node, operands, names)


def _shape_of(node: Node, at: int | None = None) -> tuple[int, ...] | None:
    tensor = node.outputs[0] if at is None else node.inputs[at]
    shape = tensor.spec.shape
    return tuple(shape.dims) if shape.is_fully_defined() else None  # type: ignore[arg-type]


def _is_numpy_dtype(node: Node) -> bool:
    """Return whether the dtype of the first operand is NumPy's own."""
    return node.inputs[0].dtype.kind in "biufc" and node.inputs[0].dtype.name != "bfloat16"


def _sliced(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    index = index_text(node, operands, first=1)
    return None if index is None else f"{operands.array(0)}[{index}]"


def index_text(node: Node, operands: Operands, first: int) -> str | None:
    """Return the text of a node's index, None if NumPy would interpret it differently.

    Args:
        node: a node whose operands are an array and the numbers of an index.
        operands: its operands.
        first: the position of the index's first operand.
    """
    index: Any = node.attrs["index"]
    if node.inputs[0].spec.shape.rank is None or not _is_numpy_dtype(node):
        return None
    parts = [_index_part(item, node, operands, first) for item in index.items]
    return None if None in parts else ", ".join(map(str, parts)) or "()"


def _index_part(item: Any, node: Node, operands: Operands, first: int) -> str | None:
    if isinstance(item, Input):
        is_index = node.inputs[first + item.position].dtype.is_integer
        return operands.number(first + item.position) if is_index else None
    if isinstance(item, int):
        return str(item)
    if item is ELLIPSIS:
        return "..."
    if not isinstance(item, HashableSlice):
        return "None"
    if item == WHOLE:
        return ":"
    texts = [_bound(part, operands, first) for part in (item.start, item.stop, item.step)]
    if None in texts:
        return None
    return ":".join(map(str, texts[:2] if item.step is None else texts))


def _bound(part: Any, operands: Operands, first: int) -> str | None:
    if part is None:
        return ""
    return operands.number(first + part.position) if isinstance(part, Input) else str(part)


def _picked(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    attrs, rank = node.attrs, node.inputs[0].spec.shape.rank
    plain = attrs["axis"] == 0 and not attrs.get("batch_dims") and not attrs.get("wrap")
    if (
        not plain
        or rank is None
        or not _is_numpy_dtype(node)
        or node.inputs[1].spec.shape.rank != 0
    ):
        return None
    index = operands.number(1)
    if index is None or not operands.not_negative(1):
        return None
    return f"{operands.array(0)}[{index}]"


def _split(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    shapes = [each.spec.shape for each in node.outputs]
    axis = _axis_of(node)
    if axis is None or not _is_numpy_dtype(node) or any(shape[axis] is None for shape in shapes):
        return None
    if node.inputs[0].spec.shape[axis] is None:
        return None
    before, ends = ":, " * axis, list(accumulate([shape[axis] or 0 for shape in shapes]))
    spans = [f"{before}{start}:{end}" for start, end in zip([0, *ends], ends)]
    return _parts(operands.array(0), spans)


def _unstacked(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    axis = _axis_of(node)
    # Rows of a vector would be NumPy scalars instead of arrays.
    if (
        axis is None
        or not _is_numpy_dtype(node)
        or not all(each.spec.shape.rank for each in node.outputs)
    ):
        return None
    if node.inputs[0].spec.shape[axis] is None:
        return None
    return _parts(operands.array(0), [f"{':, ' * axis}{at}" for at in range(len(node.outputs))])


def _axis_of(node: Node) -> int | None:
    """Return the non-negative axis of a node; None if it is unknown."""
    rank, axis = node.inputs[0].spec.shape.rank, node.attrs["axis"]
    return None if rank is None or not isinstance(axis, int) else axis % rank


def _parts(text: str, indices: Sequence[str]) -> str | None:
    texts = [f"{text}[{index}]" for index in indices]
    return None if not texts else f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts)


def is_product(node: Node) -> bool:
    """Return whether NumPy's product of two matrices is the kernel's, with the same checks."""
    ranks = {each.spec.shape.rank for each in node.inputs}
    return (
        node.op.name == "matmul"
        and ranks == {2}
        and _is_numpy_dtype(node)
        and not _is_integer_product(node)
    )


def _is_integer_product(node: Node) -> bool:
    """Return whether a product is one of integers, which the kernel may compute in floats."""
    shapes = [_shape_of(node, 0), _shape_of(node, 1)]
    if not node.inputs[0].dtype.is_integer:
        return False
    return None in shapes or is_large_product(*_matrices(node, shapes))


def _multiplied(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    shapes = [_shape_of(node, 0), _shape_of(node, 1)]
    if not is_product(node) and (
        None in shapes or not _is_numpy_dtype(node) or _is_integer_product(node)
    ):
        return None
    texts = [operands.array(0), operands.array(1)]
    for at, word in enumerate(("transpose_a", "transpose_b")):
        if node.attrs.get(word):
            if not is_product(node):
                return None
            texts[at] += ".T"
    if is_product(node) and node.inputs[0].dtype.np_dtype.char in DOTTED:
        return f"{texts[0]}.dot({texts[1]})"
    return f"{names.of_object(np.matmul, 'np_matmul')}({', '.join(texts)})"


def _matrices(node: Node, shapes: Sequence[Any]) -> list[Any]:
    """Return the shapes of two matrices after transposition."""
    words = ("transpose_a", "transpose_b")
    return [each[::-1] if node.attrs.get(word) else each for each, word in zip(shapes, words)]


def _reshaped(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    shape, known = _shape_of(node), _shape_of(node, 0)
    if shape is None or known is None or len(node.inputs) > 1:
        return None
    return f"{operands.array(0)}.reshape({shape})"


def _transposed(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    if node.inputs[0].spec.shape.rank is None:
        return None
    perm: Any = node.attrs["perm"]
    axes = "" if perm is None else ", ".join(map(str, perm))
    return f"{operands.array(0)}.transpose({axes})"


def _cast(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    dtype, source = node.outputs[0].dtype, node.inputs[0]
    if not (_plain_number(dtype) and _plain_number(source.dtype)) or not source.spec.shape.rank:
        return None
    return f"{operands.array(0)}.astype({names.of_object(dtype.np_dtype, dtype.name)})"


def _chosen(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    shape = _shape_of(node)
    if not shape or prod(shape) >= MANY:
        return None
    texts = [operands.array(at) for at in range(3)]
    return f"{names.of_object(np.where, 'np_where')}({', '.join(texts)})"


def _summed_to(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    shape, whole = _shape_of(node), _shape_of(node, 0)
    if shape is None or not whole or not _is_numpy_dtype(node) or prod(whole) >= LINE:
        return None
    lead = len(whole) - len(shape)
    axes = (*range(lead), *(at + lead for at, size in enumerate(shape) if size == 1))
    if not axes:
        return operands.array(0)
    total = names.of_object(_ADD_REDUCE, "np_add_reduce")
    dtype = names.of_object(node.outputs[0].dtype.np_dtype, node.outputs[0].dtype.name)
    text = f"{total}({operands.array(0)}, {axes}, {dtype})"
    return text if len(axes) == lead else f"{text}.reshape({shape})"


def _reduced(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    """Return an expression that reduces a few numbers to one.

    The kernel adds larger arrays in an order of its own.
    """
    shape, dtype = _shape_of(node, 0), node.outputs[0].dtype
    if not shape or not 0 < prod(shape) < LINE or not _plain_number(dtype) or dtype.kind == "b":
        return None
    if node.outputs[0].shape.rank != 0:
        return None
    name, reduce = _REDUCTIONS[node.op.name]
    if node.op.name == "reduce_mean" and dtype.is_integer:
        dtype = uint64 if dtype.kind == "u" else int64
    given = [operands.array(0), "None", names.of_object(dtype.np_dtype, dtype.name)]
    return f"{names.of_object(reduce, name)}({', '.join(given)})"


def _mean(node: Node, operands: Operands, names: NameAllocation) -> str | None:
    """Return an expression for the mean of a few numbers, computed as in the kernel."""
    total, shape = _reduced(node, operands, names), _shape_of(node, 0)
    if total is None or shape is None:
        return None
    dtype = names.of_object(node.outputs[0].dtype.np_dtype, node.outputs[0].dtype.name)
    if node.outputs[0].dtype.is_integer:
        return f"{names.of_object(whole_mean, 'whole_mean')}({total}, {prod(shape)}, {dtype})"
    if node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    divide = names.of_object(np.divide, "np_divide")
    return f"{divide}({total}, {prod(shape)}, dtype={dtype})"


def _plain_number(dtype: Any) -> bool:
    return dtype.kind in "biuf" and dtype.name != "bfloat16"


DIRECT: dict[str, Direct] = {
    "strided_slice": _sliced,
    "gather": _picked,
    "matmul": _multiplied,
    "reshape": _reshaped,
    "expand_dims": _reshaped,
    "squeeze": _reshaped,
    "transpose": _transposed,
    "cast": _cast,
    "split": _split,
    "unstack": _unstacked,
    "sum_to_like": _summed_to,
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min"), _reduced),
    "reduce_mean": _mean,
    "select": _chosen,
}

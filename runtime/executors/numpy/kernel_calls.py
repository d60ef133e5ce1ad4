"""Source text of kernel calls; a NumPy function is called directly if it is the whole kernel.

%add = add(%x, %y) : float32[3]          add = np_add(x, y)
%sum = reduce_sum(%x) {axis=(0,)}        sum = array_of(rt_reduce_sum(x, axis=(0,), keepdims=False))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.executors.numpy.name_allocation import NameAllocation, keyword
from runtime.graph.node import Node
from runtime.ops.op import MIXED, NEVER, Op, as_array, check_operands
from runtime.passes.node_traits import kernel_op

# The types of attributes that are printed as they are; other attributes, and strings that are not
# words, get a name.
_PLAIN = (int, float, bool, type(None))
_WORD = re.compile(r"\w*", re.ASCII)
# Ops whose kernel needs no check if the rank of the operand is known.
_BY_RANK = frozenset(
    "expand_dims log_softmax ones_like reduce_all reduce_any reduce_max reduce_mean reduce_min "
    "reduce_prod reduce_sum shape size softmax transpose zeros_like".split()
)
# Repeating short rows pays for results of `_FEW` to `_MOST` elements in rows of up to `_SHORT`.
_FEW, _MOST, _SHORT = 1024, 1 << 20, 32
# Effects of ops whose own kernels make their results.
_OWN_RESULTS = ("none", "read", "random")


def call_text(node: Node, operands: Sequence[str], names: NameAllocation, target: str = "") -> str:
    """Return the call that computes a node: an array, or a tuple of arrays.

    A scalar result may be a NumPy scalar; see `gives_arrays`.

    Args:
        node: the node.
        operands: its operands.
        names: the names of objects.
        target: the text of an array for the result of a ufunc; none by default.
    """
    op = kernel_op(node)
    if is_ufunc(node):
        ufunc, second = _ufunc_of(op)
        texts = [
            *_side_by_side(node, operands, names),
            *second(node, names),
            *([f"out={target}"] if target else []),
        ]
        return f"{names.of_object(ufunc, f'np_{ufunc.__name__}')}({', '.join(texts)})"
    if _is_asked(op, node):
        name = names.of_object(_checked(op), f"checked_{op.name}")
    else:
        name = names.of_object(op.kernel, f"rt_{op.name}")
    return f"{name}({', '.join([*operands, *_attrs_text(node.attrs, names)])})"


def is_ufunc(node: Node) -> bool:
    """Return whether a single ufunc call computes a node, without checks before it."""
    if node.attrs:
        return False
    op = kernel_op(node)
    return _ufunc_of(op)[0] is not None and not _is_asked(op, node)


def _ufunc_of(op: Op) -> tuple[Any, Callable[[Node, NameAllocation], list[str]]]:
    """Return the ufunc that computes an op, None if none does, and its additional operands."""
    if isinstance(op.kernel, np.ufunc):
        return op.kernel, _nothing
    return _UFUNCS.get(op.name, (None, _nothing))


def _side_by_side(node: Node, operands: Sequence[str], names: NameAllocation) -> list[str]:
    """Return operands; one whose short rows broadcast against the other's is `repeated`."""
    result, texts = node.outputs[0].shape, list(operands)
    if len(texts) != 2 or result.rank is None or result.rank < 3:
        return texts
    size, (count, width) = result.num_elements(), (result[-2], result[-1])
    if not (size and count and width and _FEW <= size <= _MOST and 1 < width <= _SHORT):
        return texts
    ends = [each.shape[-2:].dims if each.shape.rank is not None else None for each in node.inputs]
    if count > 1 and {(1, width), (count, width)} == set(ends):
        at = ends.index((1, width))
        name = names.of_object(repeated, "repeated")
        texts[at] = f"{name}({texts[at]}, {count}, {texts[1 - at]})"
    return texts


def repeated(x: Any, count: int, other: Any) -> Any:
    """Return an array with its last axis but one, of size 1, repeated `count` times.

    NumPy starts anew at each broadcast row, but processes contiguous memory in one go. If an
    operand is not contiguous, `x` is returned, since the memory order decides the order of the
    result.

    >>> repeated(np.ones((3, 1, 2)), 4, np.ones((4, 2))).shape
    (3, 4, 2)
    """
    if not (x.flags.c_contiguous and other.flags.c_contiguous):
        return x
    return x.repeat(count, -2)


def _nothing(node: Node, names: NameAllocation) -> list[str]:
    return []


def _zero(node: Node, names: NameAllocation) -> list[str]:
    dtype = node.outputs[0].dtype
    return [names.once(f"zero_{dtype.name}", lambda: np.zeros((), dtype.np_dtype))]


# Ops that a ufunc with an additional constant computes.
_UFUNCS: dict[str, tuple[Any, Callable[[Node, NameAllocation], list[str]]]] = {
    "relu": (np.maximum, _zero)
}


def result_text(node: Node, call: str, names: NameAllocation) -> str:
    """Return the text that converts all results of a call to arrays."""
    if gives_arrays(node) or not node.outputs:
        return call
    if kernel_op(node).n_outputs != 1:
        return f"{names.of_object(_arrays, 'arrays')}({call})"
    return array_text(call, names)


def array_text(text: str, names: NameAllocation) -> str:
    """Return the text that converts a possible NumPy scalar, or a string, to an array."""
    return f"{names.of_object(_array, 'array_of')}({text})"


def gives_arrays(node: Node) -> bool:
    """Return whether the call for a node always returns arrays, never NumPy scalars.

    Results with axes are arrays, unless user code makes them.
    """
    op = kernel_op(node)
    if op.kernel is np.where:
        return True
    return (
        op.effects in _OWN_RESULTS
        and not op.kernel_runs_ops
        and all(each.spec.shape.rank for each in node.outputs)
    )


def _array(result: Any) -> Any:
    return result if type(result) is np.ndarray else as_array(result)


def _arrays(results: Any) -> Any:
    return tuple(map(np.asarray, results))


def _is_asked(op: Op, node: Node) -> bool:
    """Return whether the operands of a node must be checked at run time before its kernel runs."""
    if op.operand_checks is NEVER or not node.inputs:
        return False
    specs = [tensor.spec for tensor in node.inputs]
    if op.operand_checks is MIXED and all(spec.dtype is specs[0].dtype for spec in specs):
        return False
    if op.name in _BY_RANK and all(spec.shape.rank is not None for spec in specs):
        return False
    if op.name == "broadcast_like" and specs[0].shape.rank == 0:
        return False
    return not all(spec.shape.is_fully_defined() for spec in specs)


class _Checked:
    """A kernel with a check of its operands before it."""

    __slots__ = ("_op",)

    def __init__(self, op: Op) -> None:
        self._op = op

    def __call__(self, *arrays: Any, **attrs: Any) -> Any:
        check_operands(self._op, arrays, attrs)
        return self._op.kernel(*arrays, **attrs)  # type: ignore[misc]


_checked_ops: dict[Op, _Checked] = {}


def _checked(op: Op) -> _Checked:
    return _checked_ops.setdefault(op, _Checked(op))


def _attrs_text(attrs: Mapping[str, object], names: NameAllocation) -> list[str]:
    return [f"{keyword(key)}={_attr_text(key, value, names)}" for key, value in attrs.items()]


def _attr_text(key: str, value: object, names: NameAllocation) -> str:
    if _is_plain(value):
        return repr(value)
    return names.of_object(value, key)


def _is_plain(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    if type(value) is str:
        return _WORD.fullmatch(value) is not None
    return type(value) in _PLAIN and (type(value) is not float or np.isfinite(value))

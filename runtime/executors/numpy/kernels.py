"""Calls of kernels as text: NumPy's own function where an op is just that.

%add = add(%x, %y) : float32[3]          add = np_add(x, y)
%sum = reduce_sum(%x) {axis=(0,)}        sum = array_of(rt_reduce_sum(x, axis=(0,)))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.executors.numpy.names import Names
from runtime.graph.node import Node
from runtime.ops.exact import exact
from runtime.ops.op import MIXED, NEVER, Op, as_array
from runtime.ops.operands import check_operands

# Attributes that are printed; others get a name.
_PLAIN = (int, float, str, bytes, bool, type(None))


def op_of(node: Node) -> Op:
    """Return what computes a node; what stands for a Python int must be one that fits."""
    is_python_int = bool(node.outputs) and node.outputs[0].weak and node.outputs[0].dtype.is_integer
    return exact(node.op) if is_python_int else node.op


def call_text(node: Node, operands: Sequence[str], names: Names) -> str:
    """Return the call that computes a node: an array, or a tuple of them.

    A result of one value may come as a scalar of NumPy's; see `gives_scalars`.
    """
    op = op_of(node)
    if is_ufunc(node):
        assert op.kernel is not None
        return f"{names.of_object(op.kernel, f'np_{op.kernel.__name__}')}({', '.join(operands)})"
    if _is_asked(op, node):
        name = names.of_object(_checked(op), f"checked_{op.name}")
    else:
        name = names.of_object(op.kernel, f"rt_{op.name}")
    return f"{name}({', '.join([*operands, *_attrs_text(node.attrs, names)])})"


def is_ufunc(node: Node) -> bool:
    """Return whether one call of a ufunc computes a node, with nothing to look at before."""
    op = op_of(node)
    return isinstance(op.kernel, np.ufunc) and not node.attrs and not _is_asked(op, node)


def result_text(node: Node, call: str, names: Names) -> str:
    """Return what makes arrays of all that a call gives."""
    if op_of(node).n_outputs != 1:
        return f"{names.of_object(_arrays, 'arrays')}({call})"
    return call if gives_arrays(node) else array_text(call, names)


def array_text(text: str, names: Names) -> str:
    """Return what makes an array of what may be a scalar of NumPy's, or a string."""
    return f"{names.of_object(_array, 'array_of')}({text})"


def gives_arrays(node: Node) -> bool:
    """Return whether what computes a node gives an array and never a scalar of NumPy's."""
    kernel = op_of(node).kernel
    if kernel is np.where:
        return True
    if not isinstance(kernel, np.ufunc):
        return False
    ranks = [tensor.spec.shape.rank for tensor in node.inputs]
    return any(ranks) and (None not in ranks)


def _array(result: Any) -> Any:
    return result if type(result) is np.ndarray else as_array(result)


def _arrays(results: Any) -> Any:
    return tuple(map(np.asarray, results))


def _is_asked(op: Op, node: Node) -> bool:
    """Return whether the operands of a node must be looked at before its kernel sees them."""
    if op.asked is NEVER or not node.inputs:
        return False
    specs = [tensor.spec for tensor in node.inputs]
    if op.asked is MIXED and all(spec.dtype is specs[0].dtype for spec in specs):
        return False
    return not all(spec.shape.is_fully_defined() for spec in specs)


class _Checked:
    """A kernel behind a look at its operands."""

    __slots__ = ("_op",)

    def __init__(self, op: Op) -> None:
        self._op = op

    def __call__(self, *arrays: Any, **attrs: Any) -> Any:
        check_operands(self._op, arrays, attrs)
        return self._op.kernel(*arrays, **attrs)  # type: ignore[misc]


_checked_ops: dict[Op, _Checked] = {}


def _checked(op: Op) -> _Checked:
    return _checked_ops.setdefault(op, _Checked(op))


def _attrs_text(attrs: Mapping[str, object], names: Names) -> list[str]:
    return [f"{key}={_attr_text(key, value, names)}" for key, value in attrs.items()]


def _attr_text(key: str, value: object, names: Names) -> str:
    if _is_plain(value):
        return repr(value)
    return names.of_object(value, key)


def _is_plain(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN and (type(value) is not float or np.isfinite(value))

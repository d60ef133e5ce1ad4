"""The cost model: an estimate of how long a node keeps one core busy outside of the GIL.

The estimate comes from shapes. Unknown sizes count as no work, and so do ops that hold the GIL.
The constants are those of a common machine, right to a factor of three.
"""

from __future__ import annotations

import os
from functools import lru_cache

from runtime.core.blas_threads import blas_threads
from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graph
from runtime.graph.node import Node

# A node with less work than this, in nanoseconds, counts as no work.
_MIN_WORK = 2_000
# Nanoseconds per byte of the result of an elementwise op: memory bandwidth is the limit.
_BYTE = 0.12
# The costs of ops as multiples of _BYTE: per byte of the result, and per byte of the operand.
_RESULT_FACTORS = {
    **dict.fromkeys(
        """
        negative abs sign floor ceil round square sqrt exp expm1 log log1p sin cos tan asin acos
        atan sinh cosh tanh add subtract multiply divide maximum minimum less less_equal greater
        greater_equal equal not_equal logical_and logical_or logical_xor logical_not bitwise_and
        bitwise_or bitwise_xor invert relu relu6 reciprocal select cast concat stack tile gather
        """.split(),
        1,
    ),
    **dict.fromkeys(
        "rsqrt relu_grad atan2 pow squared_difference clip_by_value floordiv".split(), 2
    ),
    **dict.fromkeys(
        "sigmoid elu softplus softsign softmax log_softmax floormod sigmoid_cross_entropy".split(),
        4,
    ),
    **dict.fromkeys("sort argsort erf".split(), 25),
}
_OPERAND_FACTORS = {
    **dict.fromkeys("reduce_sum reduce_mean reduce_max reduce_min reduce_prod".split(), 1),
    **dict.fromkeys("reduce_logsumexp reduce_variance reduce_std argmax argmin".split(), 3),
}
# Multiply-adds per nanosecond of a matrix product, with BLAS and without it.
_PRODUCTS = {"float32": 30.0, "float64": 15.0}
_SLOW_PRODUCTS = 0.7
# BLAS computes a product of at most this many multiply-adds on one thread.
_SMALL_PRODUCT = 64**3


def work_of(node: Node) -> float:
    """Return the estimated time of a node without regions, in nanoseconds.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph()
    >>> x = graph.add_input(rt.TensorSpec((1000, 1000), rt.float32), "x")
    >>> with graph.recording():
    ...     y, z = rt.tanh(x), x[0] * 2.0
    >>> round(work_of(y.node)), work_of(z.node)
    (480000, 0)
    """
    called = called_graph(node.attrs)
    if called is not None:
        return sum(map(work_of, called.graph.nodes))
    if node.op.name == "matmul":
        found = _product_work(node)
    elif node.op.name in _RESULT_FACTORS and node.outputs[0].spec.shape.rank:
        found = _bytes_of(node.outputs[0]) * _RESULT_FACTORS[node.op.name] * _BYTE
    elif node.op.name in _OPERAND_FACTORS:
        found = _bytes_of(node.inputs[0]) * _OPERAND_FACTORS[node.op.name] * _BYTE
    elif node.op.name == "convolution":
        found = _convolution_work(node)
    else:
        return 0
    return found if found >= _MIN_WORK else 0


def _bytes_of(tensor: SymbolicTensor) -> int:
    dtype = tensor.dtype
    if dtype.kind not in "biuf" or dtype.name == "bfloat16":
        return 0
    return (tensor.shape.num_elements() or 0) * dtype.np_dtype.itemsize


def _product_work(node: Node) -> float:
    """Return the work of a matrix product; 0 if BLAS runs it on its own threads."""
    first, dims = node.inputs[0], node.inputs[0].shape.dims
    results = node.outputs[0].shape.num_elements()
    if not dims or None in dims or results is None or not _bytes_of(first):
        return 0
    count = results * (dims[-2 if node.attrs.get("transpose_a") else -1] or 0)
    rate = _PRODUCTS.get(first.dtype.name)
    if rate is None:
        return count / _SLOW_PRODUCTS
    rows = node.outputs[0].shape.dims or ()
    per_matrix = count // max(results // max((rows[-1] or 1) * (rows[-2] or 1), 1), 1)
    return count / rate if per_matrix <= _SMALL_PRODUCT or has_one_thread() else 0


def _convolution_work(node: Node) -> float:
    """Return the work of a convolution, which is products of matrices."""
    results, filters = node.outputs[0].shape.num_elements(), node.inputs[1].shape
    if results is None or not filters.is_fully_defined() or not has_one_thread():
        return 0
    per_result = (filters.num_elements() or 0) // max((filters.dims or (1,))[-1] or 1, 1)
    return results * per_result * 2 / _PRODUCTS.get(node.inputs[0].dtype.name, 15.0)


@lru_cache(None)
def has_one_thread() -> bool:
    """Return whether BLAS is configured to use only the calling thread."""
    return blas_threads().threads == 1


def cores() -> int:
    """Return the number of cores that this process may use.

    >>> cores() > 0
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

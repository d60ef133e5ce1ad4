"""Errors that a node may raise at run time, derived from its op and operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.context import Origin, call_path_finder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import (
    ArgumentValueError,
    DivisionByZeroError,
    InvalidArgumentError,
    OutOfBoundsError,
)
from runtime.graph.callee import called_graph
from runtime.ops.op import Op, run_kernel

if TYPE_CHECKING:
    from runtime.graph.node import Node

Kinds = tuple[type[BaseException], ...]
ANYTHING: Kinds = (BaseException,)
_OF_ARGUMENTS: Kinds = (InvalidArgumentError, ArgumentValueError)

# Ops that accept any operand values; their shapes are checked while recording. Those of Python ints
# raise for a result that does not fit, but no `try` catches that refusal.
_TAKE_ANY_VALUE = frozenset(
    """
    abs acos add add_n argmax argmin argsort as_string asin atan atan2 band_part bitwise_and
    bitwise_or bitwise_xor cast ceil clip_by_value concat constant cos cosh count_nonzero cumprod
    cumsum diag divide divide_no_nan einsum elu equal erf exact_cast exp expand_dims expm1 floor
    greater greater_equal identity invert is_finite is_inf is_nan left_shift less less_equal log
    log1p log_softmax logical_and logical_not logical_or logical_xor matmul matrix_transpose
    maximum minimum multiply multiply_no_nan negative not_equal ones_like rank reciprocal reduce_all
    reduce_any reduce_logsumexp reduce_mean reduce_prod reduce_std reduce_sum reduce_variance relu
    relu6 relu_grad right_shift round rsqrt select shape sigmoid sign sin sinh size softmax
    softplus softsign sort sqrt square squared_difference squeeze stack stop_gradient random_shuffle
    regex_full_match regex_replace stateless_key_counter string_format string_join string_length
    string_lower string_strip string_upper subtract sum_to_like tan tanh transpose unstack
    xlogy zeros_like print read_variable assign_variable assign_add_variable assign_sub_variable
    adam_variable new_variable
    convolution max_pool avg_pool max_pool_back max_pool_picked
    note_state leave_try from_exception make_error list_of list_append list_extend
    list_length list_concat python_round python_order dataset_has_item dataset_place_after
    real imag conj angle complex acosh asinh atanh erfc erfinv ndtri lgamma digamma polygamma zeta
    igamma igammac igamma_grad betainc bessel_i0 bessel_i1 bessel_i0e bessel_i1e xdivy xlog1py
    nextafter
    dataset_seeds dataset_store iterator_has_next
    broadcast_like einsum_grad joined_part moved on_diagonal recurrence spread tensordot_grad
    gru_gates gru_gates_grad lstm_gates lstm_gates_grad
    sigmoid_cross_entropy
    diagonals from_diagonals log_matrix_determinant matrix_square_root qr set_diag
    cumulative_logsumexp fourier max_pool_places real_fourier real_from_fourier
    searchsorted timestamp unique_with_counts
    """.split()
)
# Ops that raise for an integer divisor of 0.
_DIVIDE = frozenset(("floordiv", "floormod", "truncatediv", "truncatemod"))
# Ops whose only error is a list index out of range.
_PICK = frozenset(("list_delete", "list_get", "list_pop", "list_set"))
# Ops that raise for plausible values: an index, a divisor, a text to convert, an endless recursion,
# or the inputs of user functions that compute dataset elements.
_REFUSE_VALUES = _DIVIDE | frozenset(
    """
    call dataset_item iterator_next list_delete list_get list_pop list_set power_modulo
    python_divide python_fold python_int python_math python_operand python_power set_item
    strided_slice tensor_array_read tensor_array_write to_number
    """.split()
)
_TELL_CALLS = _REFUSE_VALUES | frozenset("gather gather_nd".split())
# Guards were notified of the nodes inside of these ops; no `try` catches a refusal.
_ASKED = frozenset(("cond", "while_loop", "switch_case", "try_except", "recursion", "refuse"))
_CALL_ANYTHING = frozenset(("py_function", "call", "dataset_item", "iterator_next"))


def raised_by(
    op: Op,
    attrs: Mapping[str, Any],
    specs: Sequence[TensorSpec],
    inputs: Sequence[Any] = (),
) -> Kinds:
    """Return the exception classes that a node of `op` may raise: each error is an instance of one.

    `inputs` are the operands, if they are known: a constant divisor may be known to be nonzero.

    >>> from runtime.ops.op import REGISTRY
    >>> raised_by(REGISTRY["add"], {}, [TensorSpec((), "int32")] * 2)
    ()
    >>> raised_by(REGISTRY["check"], {"error": KeyError}, [])
    (<class 'KeyError'>,)
    """
    if op.name in _ASKED:
        return ()
    if (called := called_graph(attrs)) is not None:
        return called.raises
    if op.name in _CALL_ANYTHING:
        return ANYTHING
    if op.name == "raise":
        return (attrs["exception"].pattern.kind,)
    if op.name == "raise_again":
        return attrs["what"].kinds or ANYTHING
    if op.name in ("check", "assert"):
        return (attrs.get("error", AssertionError),)
    if op.name in _DIVIDE and _shapes_are_known(specs):
        return () if _divides(specs, inputs) else (DivisionByZeroError,)
    if op.name in _PICK:
        return (IndexError,)
    if op.name == "format_values" and attrs["template"].fits_any_value:
        return ()
    if op.name in _TAKE_ANY_VALUE and _shapes_are_known(specs) and not attrs.get("needed"):
        return ()
    if op.name in _TAKE_ANY_VALUE:
        return (*_OF_ARGUMENTS, *op.raises)
    own = DivisionByZeroError if op.name in _DIVIDE else OutOfBoundsError
    return (*_OF_ARGUMENTS, own, *op.raises)


def raised_by_node(node: Node) -> Kinds:
    """Return the exception classes that a node may raise; see `raised_by`."""
    return raised_by(node.op, node.attrs, [tensor.spec for tensor in node.inputs], node.inputs)


def node_shows_failure(node: Node) -> bool:
    """Return whether a node, or the graph that it calls, raises for some plausible values.

    Such an error is visible even if nothing uses the result.
    """
    called = called_graph(node.attrs)
    if called is not None:
        return called.shows_failure
    return refuses_values(node.op, [tensor.spec for tensor in node.inputs])


def refuses_values(op: Op, specs: Sequence[TensorSpec]) -> bool:
    """Return whether a node of `op` raises for some plausible values.

    >>> from runtime.ops.op import REGISTRY
    >>> ints, floats = [TensorSpec((), "int32")] * 2, [TensorSpec((), "float32")] * 2
    >>> [refuses_values(REGISTRY["floordiv"], specs) for specs in (ints, floats)]
    [True, False]
    """
    if op.name in _DIVIDE:
        return specs[0].dtype.is_integer
    if op.name == "strided_slice" and len(specs) == 1 and specs[0].shape.is_fully_defined():
        return False  # Its index was checked while recording.
    return op.name in _REFUSE_VALUES


def with_calls(op: Op, origin: Origin | None) -> Origin | None:
    """Return the user's line of a node, with the calls that led to it if the node may fail.

    Finding the calls takes as long as recording a node, so it is skipped for other nodes.
    """
    if op.effects != "io" and op.name not in _TELL_CALLS:
        return origin
    tell = call_path_finder()
    return origin if origin is None or tell is None else replace(origin, calls=tuple(tell()))


def may_be(kinds: Kinds, wanted: Sequence[type[BaseException]]) -> bool:
    """Return whether an exception of one of `kinds` may be an instance of a wanted class.

    >>> may_be((ArgumentValueError,), (KeyError, ValueError)), may_be((KeyError,), (OSError,))
    (True, False)
    """
    return any(issubclass(a, b) or issubclass(b, a) for a in kinds for b in wanted)


def _divides(specs: Sequence[TensorSpec], inputs: Sequence[Any]) -> bool:
    """Return whether a division never raises: of floats, or by a constant without zeros."""
    if not specs[0].dtype.is_integer:
        return specs[0].dtype.is_floating
    divisor = inputs[1] if len(inputs) == 2 else None
    if isinstance(divisor, EagerTensor):
        return bool(np.all(divisor._array != 0))
    node = divisor.node if isinstance(divisor, SymbolicTensor) else None
    if node is None or node.op.name != "constant":
        return False
    return bool(np.all(run_kernel(node.op, (), node.attrs)[0] != 0))


def _shapes_are_known(specs: Sequence[TensorSpec]) -> bool:
    """Return whether inference has checked the shapes, as all that matter are static."""
    return len(specs) < 2 or all(spec.shape.is_fully_defined() for spec in specs)

"""TensorFlow's functions for devices and control dependencies; effects keep program order."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from runtime.core.argument_checks import listed
from runtime.core.context import current_recorder
from runtime.core.dtypes import DTypeLike, int32
from runtime.core.name_scopes import scoped
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops.arguments import static_value
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import identity
from runtime.ops.convert import to_tensor


def control_dependencies(control_inputs: Iterable[object] | None) -> AbstractContextManager[None]:
    """Return a context manager without effect: effects keep program order anyway.

    In a graph that a session runs, nodes recorded inside run after the given ones.

    Args:
        control_inputs: the nodes that run before; functions among them are called at once.

    >>> with control_dependencies([lambda: print("first")]):
    ...     print("then")
    first
    then
    """
    values = None if control_inputs is None else listed(control_inputs, "control_inputs")
    found = [each() if callable(each) else each for each in values or ()]
    fetch_state: Any = getattr(current_recorder(), "fetch_state", None)
    if fetch_state is None:
        return nullcontext()
    return fetch_state.depending_on(None if values is None else found)


def device(device_name: TensorLike) -> AbstractContextManager[None]:
    """Return a context manager that changes nothing: there is one device.

    >>> with device("/CPU:0"):
    ...     to_tensor(1)
    <rt.Tensor: shape=(), dtype=int32, numpy=1>
    """
    return nullcontext()


def no_op(name: str | None = None) -> Any:
    """Do nothing; in a graph that a session runs, return a group that can be fetched.

    >>> no_op()
    """
    return group(name=name or "NoOp")


def group(*inputs: object, name: str | None = None) -> Any:
    """Do nothing, since effects run in program order.

    Args:
        inputs: in a graph that a session runs: the tensors, nodes and groups that run when the
            returned group is fetched.
        name: the name of the group.

    >>> group(to_tensor(1))
    """
    fetch_state: Any = getattr(current_recorder(), "fetch_state", None)
    return None if fetch_state is None else fetch_state.group(inputs, scoped(name or "group_deps"))


def tuple(
    tensors: Iterable[TensorLike],
    control_inputs: Iterable[object] | None = None,
    name: str | None = None,
) -> list[Any]:
    """Return the tensors as a list; None stays.

    >>> tuple([1, None])
    [<rt.Tensor: shape=(), dtype=int32, numpy=1>, None]
    """
    with control_dependencies(control_inputs):
        return [None if each is None else identity(each) for each in listed(tensors, "tensors")]


def identity_n(input: Iterable[TensorLike], name: str | None = None) -> list[Tensor]:
    """Return tensors of the same values; in a graph the results of other nodes.

    >>> identity_n([1])
    [<rt.Tensor: shape=(), dtype=int32, numpy=1>]
    """
    return builtins.list(map(identity, listed(input, "input")))


def shape_n(
    input: Iterable[TensorLike], out_type: DTypeLike = int32, name: str | None = None
) -> list[Tensor]:
    """Return the shapes of several tensors.

    >>> [found.numpy().tolist() for found in shape_n([[1, 2], 3])]
    [[2], []]
    """
    return [shape(each, out_type) for each in listed(input, "input")]


def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor that the caller declares to be constant.

    >>> guarantee_const(1)
    <rt.Tensor: shape=(), dtype=int32, numpy=1>
    """
    return identity(input)


def get_static_value(tensor: TensorLike, partial: bool = False) -> Array | None:
    """Return the value of a tensor as NumPy data, None if it is only known at run time.

    >>> get_static_value(to_tensor([1, 2]))
    array([1, 2], dtype=int32)
    """
    known: Array | None = static_value(to_tensor(tensor))
    return None if known is None else np.array(known)[()]

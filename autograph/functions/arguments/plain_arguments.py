"""Arguments with which a call inside of a trace can be a node: tensors and plain Python values.

inner(x, [y, 2])   ->   key: (tensor float32, [tensor int32, 2]),  operands: %x, %y
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.errors import AutographError
from autograph.functions.arguments.copies import named_items
from autograph.functions.arguments.key_relations import keys_of, specs_to_tensors
from autograph.functions.arguments.trace_key import CONTAINERS, Key, sharing_of
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.errors import OpError
from runtime.ops.arguments import static_value

_OURS = "autograph.backends."


@dataclass(frozen=True, eq=False)
class PlainArguments:
    """Arguments that are tensors of the graph and Python values.

    Attributes:
        key: the trace key of the call.
        operands: the tensors, in the order of the key.
        objects: the objects compared by identity, and the containers with specs for tensors.
        has_containers: whether there are lists, dicts or objects among them, which may change.
    """

    key: Key
    operands: tuple[SymbolicTensor, ...]
    objects: list[object]
    has_containers: bool


class _NotPlain(Exception):
    """An argument of which a graph of its own would know less than an inline trace."""


def plain_arguments(
    values: tuple[object, ...], unread: Collection[int] = ()
) -> PlainArguments | None:
    """Return the key and operands of a call; None if its arguments are not plain.

    Arguments are not plain if they have a value that only an inline trace knows: constants, weakly
    typed numbers, staged containers, variables, objects with a `__trace_key__`.

    Args:
        values: one per parameter.
        unread: the positions of parameters that the function never reads.

    Example:
        >>> plain_arguments((2, "sum")).key
        (('literal', <class 'int'>, 2), ('literal', <class 'str'>, 'sum'))
    """
    copies: dict[int, Any] = {}
    arrays: list[Any] = []
    objects: list[object] = []
    try:
        specced = [_with_specs(value, copies) for value in values]
        parts = keys_of(specced, unread, arrays, objects)
    except (_NotPlain, AutographError, OpError):
        return None
    if arrays or any(map(_needs_identity, parts)):
        return None
    key = (*map(specs_to_tensors, parts), *sharing_of(objects))
    operands = [t for value, part in zip(values, key) for t in _operands(value, part)]
    return PlainArguments(key, tuple(operands), objects, bool(objects))


def _with_specs(value: Any, copies: dict[int, Any]) -> Any:
    """Return a value with TensorSpecs for tensors; a list that occurs twice stays one list."""
    kind = type(value)
    if kind is SymbolicTensor:
        return _spec_of(value)
    if issubclass(kind, TensorSpec) or kind.__module__.startswith(_OURS):
        raise _NotPlain
    if id(value) in copies:
        return copies[id(value)]
    if kind is list:
        made: list[Any] = []
        copies[id(value)] = made
        made.extend(_with_specs(item, copies) for item in value)
        return made
    if kind is dict:
        entries: dict[Any, Any] = {}
        copies[id(value)] = entries
        entries.update((k, _with_specs(item, copies)) for k, item in value.items())
        return entries
    if kind is tuple:
        return tuple([_with_specs(item, copies) for item in value])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*[_with_specs(item, copies) for item in value])
    return value


def _spec_of(tensor: SymbolicTensor) -> TensorSpec:
    if tensor.weak or tensor.dtype == VARIANT.dtype or static_value(tensor) is not None:
        raise _NotPlain
    return TensorSpec(tensor.shape, tensor.dtype)


def _needs_identity(key: Key) -> bool:
    """Return whether only an inline trace has the objects of a key, and their identities.

    A trace of its own gets variables by their specs, and objects by their `__trace_key__`.
    """
    if key[0] in ("registered", "variable", "keyed") or (
        key[0] == "record" and not issubclass(key[1], tuple)
    ):
        return True
    return key[0] in CONTAINERS and any(map(_needs_identity, key[-1]))


def _operands(value: Any, key: Key) -> Iterator[SymbolicTensor]:
    if key[0] == "tensor":
        yield value
    elif key[0] in CONTAINERS:
        for item, part in zip(named_items(value, key)[1], key[-1]):
            yield from _operands(item, part)

"""Relations of trace keys: whether one covers another, and the narrowest key for two calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from autograph.errors import SignatureError
from autograph.functions.arguments.trace_key import (
    CONTAINERS,
    RULES,
    UNREAD,
    Arrays,
    Key,
    Objects,
    dims_of,
)
from runtime import nest
from runtime.core.dtypes import as_dtype
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.ops.effects.variables import HandleSpec

# The kinds of keys of arguments that are inputs of a graph.
GIVEN = ("tensor", "variable", "dataset")


# The same kinds, and the kinds of their specs.
_INPUTS = frozenset((*GIVEN, "spec", "dataset_spec"))
# The kinds of keys of Python values in state that are inputs of a graph.
_OF_PYTHON = frozenset(("run", "number", "array"))
# The kind of argument that each kind of spec stands for.
_SPECS = {"spec": "tensor", "dataset_spec": "dataset"}


def spec_of(key: Key, name: str | None = None) -> TensorSpec:
    """Return the spec of the input for the key of a tensor, variable or dataset."""
    if key[0] == "dataset":
        return VARIANT
    if key[0] == "variable":
        return HandleSpec(key[2], as_dtype(key[1]), name)
    return TensorSpec(key[2], as_dtype(key[1]), name)


def key_of_spec(spec: TensorSpec) -> Key:
    """Return the key of tensors of exactly this spec."""
    return ("tensor", spec.dtype.np_dtype, dims_of(spec))


def specs_to_tensors(key: Key) -> Key:
    """Return a key with tensors and datasets in place of specs (for `get_concrete_function`)."""
    if key[0] in _SPECS:
        return (_SPECS[key[0]], *key[1:])
    if key[0] in CONTAINERS:
        return (*key[:-1], tuple(specs_to_tensors(part) for part in key[-1]))
    return key


def has_specs(key: Key) -> bool:
    """Return whether a key contains a spec, which is not a value to call with."""
    return key[0] in _SPECS or (key[0] in CONTAINERS and any(map(has_specs, key[-1])))


def refuse_specs(key: Key, called: object) -> None:
    """Raise a SignatureError if the key of a call contains a spec."""
    if any(map(has_specs, key)):
        raise SignatureError(
            f"{called!r} was called with a TensorSpec, which has no value: "
            "pass a tensor, or call get_concrete_function"
        )


def leaves(key: Key) -> Iterator[Key]:
    """Yield the leaves of a key, in order."""
    if key[0] in CONTAINERS:
        for part in key[-1]:
            yield from leaves(part)
    else:
        yield key


def has_python_inputs(held: Iterable[Key]) -> bool:
    """Return whether Python values are inputs of a graph, by the keys of its state."""
    return any(leaf[0] in _OF_PYTHON for part in held for leaf in leaves(part))


def covers(general: Key, special: Key) -> bool:
    """Return whether a trace for the key `general` can serve an argument with the key `special`."""
    if general[0] == "tensor" == special[0]:
        return general[1] == special[1] and _dims_cover(general[2], special[2])
    if general[0] in CONTAINERS and _same_container(general, special):
        return all(map(covers, general[-1], special[-1]))
    return bool(general == special)


def is_open(key: Key) -> bool:
    """Return whether a call's key has an unknown dimension or rank, and so covers other keys.

    >>> is_open((("tensor", "f4", (2, None)),)), is_open((("tensor", "f4", (2,)),))
    (True, False)
    """
    shapes = (leaf[2] for part in key for leaf in leaves(part) if leaf[0] == "tensor")
    return any(dims is None or None in dims for dims in shapes)


def covers_call(general: Key, special: Key) -> bool:
    """Return whether a trace for `general` can serve a call with the key `special`."""
    return len(general) == len(special) and all(map(covers, general, special))


def covering_key(first: Key, second: Key) -> Key | None:
    """Return the narrowest key that covers both; None if they differ in more than shapes."""
    if first == second:
        return first
    if first[0] == "tensor" == second[0] and first[1] == second[1]:
        return ("tensor", first[1], _join_dims(first[2], second[2]))
    if first[0] in CONTAINERS and _same_container(first, second):
        parts = [covering_key(a, b) for a, b in zip(first[-1], second[-1])]
        return None if None in parts else (*first[:-1], tuple(parts))
    return None


def covering_call_key(first: Key, second: Key) -> Key | None:
    """Return the narrowest key that covers two calls; None if they differ in more than shapes."""
    if len(first) != len(second):
        return None
    parts = [covering_key(a, b) for a, b in zip(first, second)]
    return None if None in parts else tuple(parts)


def _dims_cover(general: tuple[Any, ...] | None, special: tuple[Any, ...] | None) -> bool:
    if general is None or general == special:
        return True
    if special is None or len(general) != len(special):
        return False
    return all(a is None or a == b for a, b in zip(general, special))


def _join_dims(
    first: tuple[Any, ...] | None, second: tuple[Any, ...] | None
) -> tuple[Any, ...] | None:
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second))


def _same_container(first: Key, second: Key) -> bool:
    return first[:-1] == second[:-1] and len(first[-1]) == len(second[-1])


def without_values(value: Any) -> Any:
    """Return an argument with the specs of symbolic tensors in their place."""
    leaves = nest.flatten(value)
    if not any(isinstance(leaf, SymbolicTensor) for leaf in leaves):
        return value
    specs = [leaf.spec if isinstance(leaf, SymbolicTensor) else leaf for leaf in leaves]
    return nest.unflatten(value, specs)


def keys_of(
    values: Iterable[Any], unread: Collection[int], arrays: Arrays, objects: Objects
) -> tuple[Key, ...]:
    """Return the keys of arguments.

    An argument that is not read has the key `UNREAD`, unless it holds a tensor: this is an input of
    the graph all the same.

    Args:
        values: one per parameter.
        unread: the positions of the unread ones.
        arrays, objects: as in `key_of`.
    """
    if not unread:
        return tuple([RULES[type(value)](value, arrays, objects) for value in values])
    parts = list[Key]()
    for at, value in enumerate(values):
        inside: Objects = []
        start = len(arrays)
        try:
            part = RULES[type(value)](value, arrays, inside)
        except SignatureError:
            if at not in unread:
                raise
            del arrays[start:]
            part = UNREAD
        if at in unread and not any(leaf[0] in _INPUTS for leaf in leaves(part)):
            part = UNREAD
        else:
            objects += inside
        parts.append(part)
    return tuple(parts)

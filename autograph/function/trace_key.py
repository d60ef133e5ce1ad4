"""What of an argument decides which trace serves a call.

A tensor counts by dtype and shape, a Python number or string by type and value, a list, tuple or
dict leaf by leaf, and any other object by being that very object:

    f(rt.constant([1., 2.]), 3)   ->   (("tensor", float32, (2,)), ("literal", int, 3))

Keys are plain nested tuples whose first item says what the rest is; so they hash fast, and
`covers`, `join` and `rebuild` below can read them.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograph.errors import SignatureError
from runtime import nest
from runtime.dtypes import as_dtype
from runtime.errors import OutOfScopeError
from runtime.ops.constant import convert_to_tensor
from runtime.spec import TensorSpec
from runtime.tensor import EagerTensor, SymbolicTensor


Key = tuple[Any, ...]
Arrays = list[np.ndarray]
Objects = list[object]
Rule = Callable[[Any, Arrays, Objects], Key]

CONTAINERS = frozenset({"list", "tuple", "record", "mapping", "registered"})


def key_of(value: object, arrays: Arrays, objects: Objects) -> Key:
    """Return the key of one argument.

    Args:
        value: any Python value.
        arrays: the arrays of the tensors in `value` are appended here, in key order.
        objects: the objects that count by identity are appended here.

    Raises:
        SignatureError: for a value that can change and cannot be watched.
        OutOfScopeError: for a symbolic tensor, whose graph is finished.

    Example:
        >>> key_of([1, True], [], [])
        ('list', (('literal', <class 'int'>, 1), ('literal', <class 'bool'>, True)))
    """
    return rule_of(type(value))(value, arrays, objects)


@functools.lru_cache(maxsize=4096)
def rule_of(kind: type) -> Rule:
    """Find how values of a type are keyed: by the nearest class in its MRO that has a rule."""
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _record
    for base in kind.__mro__:
        if base in _RULES:
            return _RULES[base]
    return _anything


def is_tensor_key(key: Key) -> bool:
    """Tell whether a key stands for one tensor."""
    return key[0] == "tensor"


def spec_of(key: Key, name: str | None = None) -> TensorSpec:
    """Return the spec that a tensor's key stands for."""
    return TensorSpec(key[2], as_dtype(key[1]), name)


def with_specs_as_tensors(key: Key) -> Key:
    """Let the TensorSpecs of a key stand for tensors (what `get_concrete_function` takes)."""
    if key[0] == "spec":
        return ("tensor", *key[1:])
    if key[0] in CONTAINERS:
        return (*key[:-1], tuple(with_specs_as_tensors(part) for part in key[-1]))
    return key


def has_specs(key: Key) -> bool:
    """Tell whether a key holds a TensorSpec, which is not a value to call with."""
    return key[0] == "spec" or (key[0] in CONTAINERS and any(map(has_specs, key[-1])))


def key_of_spec(spec: TensorSpec) -> Key:
    """Return the key that tensors of exactly this spec have."""
    return ("tensor", spec.dtype.as_numpy_dtype, _dims(spec))


def leaves(key: Key) -> Iterator[Key]:
    """Give the keys below a key that are not containers, in order."""
    if key[0] in CONTAINERS:
        for part in key[-1]:
            yield from leaves(part)
    else:
        yield key


def covers(general: Key, special: Key) -> bool:
    """Tell whether a trace made for `general` can serve a call with key `special`."""
    if general[0] == "tensor" == special[0]:
        return general[1] == special[1] and _dims_cover(general[2], special[2])
    if general[0] in CONTAINERS and _same_container(general, special):
        return all(map(covers, general[-1], special[-1]))
    return bool(general == special)


def join(first: Key, second: Key) -> Key | None:
    """Return the narrowest key that covers both, or None where only shapes may not differ."""
    if first == second:
        return first
    if first[0] == "tensor" == second[0] and first[1] == second[1]:
        return ("tensor", first[1], _join_dims(first[2], second[2]))
    if first[0] in CONTAINERS and _same_container(first, second):
        parts = [join(a, b) for a, b in zip(first[-1], second[-1])]
        return None if None in parts else (*first[:-1], tuple(parts))
    return None


def covers_call(general: Key, special: Key) -> bool:
    """Tell the same of the keys of whole calls, which have one part per parameter."""
    return len(general) == len(special) and all(map(covers, general, special))


def join_calls(first: Key, second: Key) -> Key | None:
    """Join the keys of whole calls."""
    if len(first) != len(second):
        return None
    parts = [join(a, b) for a, b in zip(first, second)]
    return None if None in parts else tuple(parts)


def rebuild(
    value: Any,
    key: Key,
    path: str,
    tensor: Callable[[Key, str, Any], Any],
    other: Callable[[Key, Any], Any],
) -> Any:
    """Make a copy of `value` in which every tensor and every other leaf is replaced.

    Args:
        value: the value `key` was made of.
        key: its key, which says where the leaves are.
        path: the parameter's name; leaves below it get names like `d/a`.
        tensor: called with key, path and value of every tensor.
        other: called with key and value of every other leaf.
    """
    if key[0] == "tensor":
        return tensor(key, path, value)
    if key[0] not in CONTAINERS:
        return other(key, value)
    names, items = items_of(value, key)
    parts = [
        rebuild(item, part, f"{path}/{name}", tensor, other)
        for name, item, part in zip(names, items, key[-1])
    ]
    return refill(value, key, names, parts)


def items_of(value: Any, key: Key) -> tuple[list[Any], list[Any]]:
    """Return the names and the values of a container's parts, in the order of its key."""
    if key[0] == "mapping":
        return list(key[1]), [value[name] for name in key[1]]
    if key[0] == "record":
        return list(key[2]), [getattr(value, name) for name in key[2]]
    if key[0] == "registered":
        return list(key[2]), nest.flatten(value)
    return list(range(len(value))), list(value)


def refill(value: Any, key: Key, names: list[Any], parts: list[Any]) -> Any:
    """Return a container like `value` with other parts."""
    if key[0] == "mapping":
        filled = copy.copy(value)
        for name, part in zip(names, parts):
            filled[name] = part
        return filled
    if key[0] == "record":
        return _refill_record(value, names, parts)
    if key[0] == "registered":
        return nest.unflatten(value, parts)
    return type(value)(parts)


def _refill_record(value: Any, names: list[Any], parts: list[Any]) -> Any:
    if isinstance(value, tuple):
        return type(value)(*parts)
    filled = copy.copy(value)
    for name, part in zip(names, parts):
        object.__setattr__(filled, name, part)  # dataclasses may be frozen
    return filled


def _tensor(value: EagerTensor, arrays: Arrays, objects: Objects) -> Key:
    array = value._array
    arrays.append(array)
    return ("tensor", array.dtype, array.shape)


def _array(value: Any, arrays: Arrays, objects: Objects) -> Key:
    return _tensor(convert_to_tensor(value), arrays, objects)


def _symbolic(value: SymbolicTensor, arrays: Arrays, objects: Objects) -> Key:
    raise OutOfScopeError(
        f"{value} belongs to a graph that is finished; return it from the traced function "
        "to use its value here"
    )


def _spec(value: TensorSpec, arrays: Arrays, objects: Objects) -> Key:
    return ("spec", value.dtype.as_numpy_dtype, _dims(value))


def _literal(value: object, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", type(value), value)


def _float(value: float, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", type(value), value.hex())  # tells -0.0 from 0.0, and nan equals nan


def _complex(value: complex, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", type(value), value.real.hex(), value.imag.hex())


def _list(value: list[Any], arrays: Arrays, objects: Objects) -> Key:
    return ("list", type(value), tuple([key_of(item, arrays, objects) for item in value]))


def _tuple(value: tuple[Any, ...], arrays: Arrays, objects: Objects) -> Key:
    return ("tuple", type(value), tuple([key_of(item, arrays, objects) for item in value]))


def _mapping(value: Mapping[Any, Any], arrays: Arrays, objects: Objects) -> Key:
    names = _sorted_names(value)
    return ("mapping", names, tuple([key_of(value[name], arrays, objects) for name in names]))


def _sorted_names(value: Mapping[Any, Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(value))
    except TypeError:
        return tuple(value)


def _record(value: Any, arrays: Arrays, objects: Objects) -> Key:
    names = _field_names(type(value))
    parts = tuple([key_of(getattr(value, name), arrays, objects) for name in names])
    return ("record", type(value), names, parts)


@functools.lru_cache(maxsize=1024)
def _field_names(kind: type) -> tuple[str, ...]:
    for fields in ("_fields", "__dataclass_fields__"):
        if hasattr(kind, fields):
            return tuple(getattr(kind, fields))
    return tuple(field.name for field in getattr(kind, "__attrs_attrs__", ()))


def _registered(value: Any, arrays: Arrays, objects: Objects) -> Key:
    paths, parts = zip(*nest.flatten_with_paths(value)) if nest.flatten(value) else ((), ())
    keys = tuple([key_of(part, arrays, objects) for part in parts])
    return ("registered", type(value), paths, keys)


def _set(value: frozenset[Any], arrays: Arrays, objects: Objects) -> Key:
    inside: Arrays = []
    members = frozenset(key_of(member, inside, objects) for member in value)
    if inside:
        raise SignatureError("a set passed as an argument must not hold NumPy values")
    return ("set", type(value), members)


def _slice(value: slice, arrays: Arrays, objects: Objects) -> Key:
    inside: Arrays = []
    bounds = (value.start, value.stop, value.step)
    key = ("slice", *(key_of(bound, inside, objects) for bound in bounds))
    if inside:
        raise SignatureError("a slice passed as an argument must hold Python ints, not tensors")
    return key


def _method(value: types.MethodType, arrays: Arrays, objects: Objects) -> Key:
    objects.extend((value.__func__, value.__self__))
    return ("method", id(value.__func__), id(value.__self__))


def _anything(value: object, arrays: Arrays, objects: Objects) -> Key:
    if nest.is_nested(value):
        fields = _field_names(type(value))
        return (_record if fields else _registered)(value, arrays, objects)
    if _can_be_watched(type(value)):
        objects.append(value)
        return ("object", id(value))
    try:
        hash(value)
    except TypeError:
        raise SignatureError(
            f"a value of type {type(value).__name__} cannot be an argument: it can change "
            "unnoticed between calls; pass a tensor, a tuple or an object of a class of yours"
        ) from None
    return ("literal", type(value), value)


@functools.lru_cache(maxsize=4096)
def _can_be_watched(kind: type) -> bool:
    """Tell whether weak references to instances can be made (so that their death is noticed)."""
    return bool(kind.__weakrefoffset__)


def _dims(spec: TensorSpec) -> tuple[int | None, ...] | None:
    dims = spec.shape.dims
    return None if dims is None else tuple(dims)


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


_RULES: dict[type, Rule] = {
    EagerTensor: _tensor,
    SymbolicTensor: _symbolic,
    TensorSpec: _spec,
    np.ndarray: _array,
    np.generic: _array,
    bool: _literal,
    int: _literal,
    str: _literal,
    bytes: _literal,
    type(None): _literal,
    float: _float,
    complex: _complex,
    list: _list,
    tuple: _tuple,
    dict: _mapping,
    set: _set,
    frozenset: _set,
    slice: _slice,
    types.MethodType: _method,
}

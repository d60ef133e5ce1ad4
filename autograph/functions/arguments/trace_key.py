"""Trace keys: the facts about arguments that decide which trace serves a call.

The key of a tensor has its dtype and shape, of a variable its spec, of a dataset the spec of its
elements, of a Python number or string its type and value, of a list, tuple or dict the keys of its
items, and of any other object its identity, or the result of its `__trace_key__()`:

    f(rt.constant([1., 2.]), 3)    ->    (("tensor", float32, (2,)), ("literal", int, 3))

If one mutable container, variable or other object is passed more than once, the last part of the
key says so.

Keys are nested tuples whose first item names their kind. So they hash fast, and `key_relations` and
`copies` can read them.
"""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, time
from enum import Enum
from typing import Any

import numpy as np

from autograph.backends.graph.source.library_boundary import is_library_class
from autograph.errors import SignatureError
from runtime import nest
from runtime.core.device_tensor import as_tensor_if_device_array
from runtime.core.lazy_imports import lazy_import, loaded_classes
from runtime.core.spec import TensorSpec
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.data.base_types import AnyDataset
from runtime.data.element_spec import DatasetSpec, Element
from runtime.errors import OutOfScopeError
from runtime.ops.constant import convert_to_tensor
from runtime.state.variable import Variable

_as_value = lazy_import("runtime.data.graph_inputs:as_value")
_element_of = lazy_import("runtime.data.graph_inputs:element_of")

Key = tuple[Any, ...]
Arrays = list[np.ndarray]
Objects = list[object]
Rule = Callable[[Any, Arrays, Objects], Key]

# The key of an argument without tensors that the function never reads.
UNREAD: Key = ("unread",)
CONTAINERS = frozenset({"list", "tuple", "record", "mapping", "registered"})


def key_of(value: object, arrays: Arrays, objects: Objects) -> Key:
    """Return the key of one argument.

    Args:
        value: any Python value.
        arrays: a list to which the arrays of the tensors in `value`, and the variables, are
            appended, in key order.
        objects: a list to which the objects compared by identity, and the mutable containers and
            variables, are appended.

    Raises:
        SignatureError: it is a tracer of JAX; or
            no key shows all that a trace would depend on: a value can change unnoticed,
            a list, number or text of a user class has attributes, an array has a mask, a set or
            slice holds arrays, or a `__trace_key__()` gives no numbers or texts.
        RecursionError: the value contains itself, or nests too deep.
        OutOfScopeError: a symbolic tensor belongs to a finished graph.

    Example:
        >>> key_of((3, "sum"), [], [])[-1]
        (('literal', <class 'int'>, 3), ('literal', <class 'str'>, 'sum'))
    """
    return RULES[type(value)](value, arrays, objects)


def sharing_of(objects: Objects) -> Key:
    """Return the part of a call's key for objects that occur more than once; () if none does.

    Example:
        >>> one = [1]
        >>> sharing_of([one, [1], one]), sharing_of([one, [1]])
        ((('again', (0, 1, 0)),), ())
    """
    if len({*map(id, objects)}) == len(objects):
        return ()
    numbers: dict[int, int] = {}
    places = tuple([numbers.setdefault(id(each), len(numbers)) for each in objects])
    return (("again", places),)


def has_sharing(key: Key) -> bool:
    """Return whether the key of a call, without state, has a part for repeated objects."""
    return bool(key) and key[-1][0] == "again"


def by_identity(objects: Objects) -> Objects:
    """Return the objects that are compared by identity alone."""
    return [
        each
        for each in objects
        if not (
            nest.is_nested(each)
            or isinstance(each, (Variable, set, np.ndarray))
            or hasattr(type(each), "__trace_key__")
        )
    ]


def rule_of(kind: type) -> Rule:
    """Return the rule for the keys of a type: that of the first class in its MRO with one."""
    if hasattr(kind, "__trace_key__"):
        return _keyed
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _record
    for base in kind.__mro__:
        if base in _RULES:
            return _RULES[base]
    if issubclass(kind, loaded_classes("jax.core:Tracer")):
        return _tracer
    if issubclass(kind, loaded_classes("jax:Array")):
        return _device_array
    return _shown if issubclass(kind, loaded_classes("decimal:Decimal")) else anything


class _Rules(dict[type, Rule]):
    """The rule for each type, found at its first use; a dict makes the look-up fast."""

    def __missing__(self, kind: type) -> Rule:
        if len(self) >= _MOST_TYPES:
            self.clear()
        rule = self[kind] = rule_of(kind)
        return rule


_MOST_TYPES = 4096
RULES = _Rules()


def _tensor(value: EagerTensor, arrays: Arrays, objects: Objects) -> Key:
    array = value._array
    arrays.append(array)
    return ("tensor", array.dtype, array.shape)


def _variable(value: Variable, arrays: Arrays, objects: Objects) -> Key:
    arrays.append(value)  # type: ignore[arg-type]
    objects.append(value)
    dtype = value.dtype.np_dtype
    return ("variable", dtype, dims_of(value.spec), value.trainable)


def _dataset(value: AnyDataset, arrays: Arrays, objects: Objects) -> Key:
    arrays.append(_as_value(value))
    objects.append(value)
    return ("dataset", _element_of(value))


def _dataset_spec(value: DatasetSpec, arrays: Arrays, objects: Objects) -> Key:
    return ("dataset_spec", Element(value.element_spec))


def _array(value: Any, arrays: Arrays, objects: Objects) -> Key:
    if isinstance(value, (np.ma.MaskedArray, np.matrix)):
        raise SignatureError(
            f"a {type(value).__name__} cannot become a tensor, since it computes differently: pass "
            "its data with np.asarray(...), and a mask as an argument of its own"
        )
    tensor = convert_to_tensor(value)
    return key_of(tensor, arrays, objects)


def _device_array(value: Any, arrays: Arrays, objects: Objects) -> Key:
    tensor = as_tensor_if_device_array(value)
    if tensor is value:
        return anything(value, arrays, objects)
    return _tensor(tensor, arrays, objects)


def _tracer(value: Any, arrays: Arrays, objects: Objects) -> Key:
    raise SignatureError(
        "an argument is a tracer of JAX, whose transformations do not go into a Function: take "
        "rt.GradientTape or rt.vectorized_map in the place of jax.grad or jax.vmap; for a program "
        "of JAX, write autograph.jax.convert in the place of ag.function"
    )


def _symbolic(value: SymbolicTensor, arrays: Arrays, objects: Objects) -> Key:
    raise OutOfScopeError(
        f"{value} belongs to a graph that is finished; return it from the traced function "
        "to use its value here"
    )


def _spec(value: TensorSpec, arrays: Arrays, objects: Objects) -> Key:
    return ("spec", value.dtype.np_dtype, dims_of(value))


def _literal(value: object, arrays: Arrays, objects: Objects) -> Key:
    _refuse_own_attributes(value, bool, int, str, bytes)
    return ("literal", type(value), value)


def _shown(value: object, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", type(value), repr(value))  # equal decimals and times may print otherwise


def _float(value: float, arrays: Arrays, objects: Objects) -> Key:
    _refuse_own_attributes(value, float)
    return ("literal", type(value), value.hex())  # -0.0 differs from 0.0, and nan equals nan


def _complex(value: complex, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", type(value), value.real.hex(), value.imag.hex())


def _refuse_own_attributes(value: object, *plain: type) -> None:
    """Refuse a list, number or text of a user class with attributes, which the trace would miss."""
    if type(value) in plain or isinstance(value, Enum):
        return
    attributes = stored_attributes(value)
    if attributes:
        names = ", ".join(map(str, attributes))
        raise SignatureError(
            f"a {type(value).__name__} has attributes of its own ({names}) beside what it "
            "holds, which no trace would see: pass them as arguments of their own, "
            "or keep what it holds in an attribute of a plain object"
        )


def _list(value: list[Any], arrays: Arrays, objects: Objects) -> Key:
    _refuse_own_attributes(value, list)
    objects.append(value)
    return ("list", type(value), tuple([key_of(item, arrays, objects) for item in value]))


def _tuple(value: tuple[Any, ...], arrays: Arrays, objects: Objects) -> Key:
    _refuse_own_attributes(value, tuple)
    return ("tuple", type(value), tuple([key_of(item, arrays, objects) for item in value]))


def _mapping(value: Mapping[Any, Any], arrays: Arrays, objects: Objects) -> Key:
    _refuse_own_attributes(value, dict)
    objects.append(value)
    names = _sorted_names(value)
    parts = tuple([key_of(value[name], arrays, objects) for name in names])
    # The order is part of the key, since code may iterate over the dict; so are the types of the
    # dict's keys, since keys of different types may be equal.
    kind: Key = (type(value),)
    if isinstance(value, defaultdict):
        kind = (type(value), _name_key(value.default_factory, objects))
    order = [n if type(n) is str else _name_key(n, objects) for n in value]
    return ("mapping", names, (kind, *order), parts)


def _name_key(name: object, objects: Objects) -> Key:
    """Return the key for a key of a dict, which is compared by value."""
    if isinstance(name, np.generic):
        return ("literal", type(name), name.tobytes())
    return key_of(name, [], objects)


def _sorted_names(value: Mapping[Any, Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(value))
    except TypeError:
        return tuple(value)


def _record(value: Any, arrays: Arrays, objects: Objects) -> Key:
    if not isinstance(value, tuple):
        objects.append(value)
    names = _field_names(type(value))
    if not isinstance(value, tuple) and hasattr(value, "__dict__"):
        names = (*names, *(name for name in vars(value) if name not in names))
    parts = tuple([key_of(getattr(value, name), arrays, objects) for name in names])
    return ("record", type(value), names, parts)


def _field_names(kind: type) -> tuple[str, ...]:
    for fields in ("_fields", "__dataclass_fields__"):
        if hasattr(kind, fields):
            return tuple(getattr(kind, fields))
    return tuple(field.name for field in getattr(kind, "__attrs_attrs__", ()))


def _registered(value: Any, arrays: Arrays, objects: Objects) -> Key:
    paths, parts = zip(*nest.flatten_with_paths(value)) if nest.flatten(value) else ((), ())
    keys = tuple([key_of(part, arrays, objects) for part in parts])
    return ("registered", nest.form_of(value), paths, keys)


def _set(value: frozenset[Any], arrays: Arrays, objects: Objects) -> Key:
    inside: Arrays = []
    _refuse_own_attributes(value, set, frozenset)
    if type(value) is not frozenset:
        objects.append(value)
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


def _keyed(value: Any, arrays: Arrays, objects: Objects) -> Key:
    """Return the key of an object by its `__trace_key__()`."""
    objects.append(value)
    inside: Arrays = []
    try:
        key = key_of(value.__trace_key__(), inside, objects)
        hash(key)
    except (SignatureError, TypeError) as error:
        raise SignatureError(
            f"{type(value).__name__}.__trace_key__() gives nothing to know the object by: return "
            f"numbers, texts or a tuple of such; {error}"
        ) from None
    if inside:
        raise SignatureError(
            f"{type(value).__name__}.__trace_key__() gives a tensor, whose value no trace knows: "
            "pass that as an argument, or register the class with rt.nest.register"
        )
    return ("keyed", type(value), key)


def anything(value: object, arrays: Arrays, objects: Objects) -> Key:
    """Return the key of a value of a class without a rule.

    Raises:
        SignatureError: the value can change unnoticed, since it has no hash.
    """
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
    if type(value).__eq__ is not object.__eq__ and not is_library_class(type(value)):
        return ("literal", type(value), ByIdentity(value))  # equal ones may differ
    return ("literal", type(value), value)


def _range(value: range, arrays: Arrays, objects: Objects) -> Key:
    return ("literal", range, (value.start, value.stop, value.step))  # equal ones may differ


class ByIdentity:
    """An object in a key, compared by identity. The key keeps it alive."""

    HOLDS_FOR_TRACE = True

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is ByIdentity and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


class MutableDefault:
    """A default that the function changes. It is state of the function, not an argument."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _can_be_watched(kind: type) -> bool:
    """Return whether instances can have weak references, so that their death is noticed."""
    return bool(kind.__weakrefoffset__)


def dims_of(spec: TensorSpec) -> tuple[int | None, ...] | None:
    """Return the dimensions of a spec in the form of a key."""
    dims = spec.shape.dims
    return None if dims is None else tuple(dims)


_RULES: dict[type, Rule] = {
    EagerTensor: _tensor,
    Variable: _variable,
    AnyDataset: _dataset,
    DatasetSpec: _dataset_spec,
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
    datetime: _shown,
    time: _shown,
    complex: _complex,
    list: _list,
    tuple: _tuple,
    dict: _mapping,
    set: _set,
    frozenset: _set,
    slice: _slice,
    range: _range,
    types.MethodType: _method,
    MutableDefault: lambda value, arrays, objects: ("default",),
}

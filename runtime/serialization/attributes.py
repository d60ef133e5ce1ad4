"""Attributes of nodes as data that JSON can hold; arrays go into a table beside it.

3, True, None, "same"              themselves
(1, Span(None, 2))                 {"tuple": [1, {"Span": [null, 2, null]}]}
float32, a constant                {"dtype": "float32"}, {"array": "array/12"}
"""

from __future__ import annotations

import base64
import builtins
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from runtime import errors
from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import BY_NAME, DType
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.diagnostics.exceptions import ExceptionPattern
from runtime.diagnostics.exceptions import PatternHole as ErrorGap
from runtime.errors import GraphError
from runtime.graph.callee import RecursiveRegion
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, HashableSlice, Index, Input, Marker
from runtime.ops.attributes import holds
from runtime.ops.effects.raising import RaiseTemplate
from runtime.ops.effects.try_ops import NotedVariables, Reraise
from runtime.ops.python.formatting import TemplateField, TextTemplate
from runtime.ops.random.graph_seeds import NodeSeeds
from runtime.serialization.typed_fields import text, typed

# Dataclasses of plain fields, by their names in files.
_RECORDS: dict[str, Any] = {
    "Callee": RecursiveRegion,
    "Gap": TemplateField,
    "Index": Index,
    "Input": Input,
    "Marker": Marker,
    "NodeSeeds": NodeSeeds,
    "Noted": NotedVariables,
    "Span": HashableSlice,
    "Wording": TextTemplate,
}
_RECORD_NAMES = {kind: name for name, kind in _RECORDS.items()}
_PLAIN = (bool, int, str, type(None))
# NumPy counts elements in 64 bits.
_LARGEST = 2**63 - 1


class Arrays:
    """The arrays beside the data, by keys; one object is stored once."""

    def __init__(self, table: Mapping[str, Array] | None = None) -> None:
        self.table = dict(table or {})
        self._keys: dict[int, str] = {}
        self._kept: list[object] = []

    def put(self, array: Array) -> str:
        """Store an array, and return its key."""
        key = self._keys.get(id(array))
        if key is None:
            key = self._keys[id(array)] = f"array/{len(self.table)}"
            self.table[key] = array
            self._kept.append(array)
        return key


def attribute_data(value: Any, arrays: Arrays) -> Any:
    """Return an attribute as data.

    Raises:
        GraphError: no file can store an attribute of this kind; the message names it.
    """
    if type(value) in _PLAIN:
        return value
    if (name := _RECORD_NAMES.get(type(value))) is not None:
        parts = [getattr(value, field.name) for field in fields(value)]
        return {name: [attribute_data(each, arrays) for each in parts]}
    if type(value) in (tuple, list):
        return {type(value).__name__: [attribute_data(each, arrays) for each in value]}
    if isinstance(value, Reraise):
        return {"again": attribute_data(value.kinds, arrays)}
    if isinstance(value, RaiseTemplate):
        return {"raised": _raised_data(value, arrays)}
    return {_tag_of(value): _tagged(value, arrays)}


def _raised_data(value: RaiseTemplate, arrays: Arrays) -> list[Any]:
    """Return an exception as data: its class and its arguments, with null for each tensor."""
    kind, args = value.pattern.kind, value.pattern.plain_args
    if kind is BaseException or _class_of(kind.__name__) is not kind:
        raise GraphError(f"an exception of the class {kind.__name__}, which a file cannot name")
    if args is None:
        raise GraphError(
            f"a {kind.__name__} with more to it than texts and tensors, which no file can hold"
        )
    parts = [
        {"weak": each.weak} if isinstance(each, ErrorGap) else attribute_data(each, arrays)
        for each in args
    ]
    return [kind.__name__, value.is_again, parts]


def _tag_of(value: Any) -> str:
    for tag, kind in _TAGS.items():
        if type(value) is kind:
            return tag
    if isinstance(value, type) and _class_of(value.__name__) is value:
        return "class"
    if isinstance(value, type):
        raise GraphError(f"the class {value.__name__}, which a file cannot name")
    raise GraphError(f"a value of type {type(value).__name__}, which no file can hold")


_TAGS: dict[str, type] = {
    "float": float,
    "complex": complex,
    "bytes": bytes,
    "dtype": DType,
    "shape": TensorShape,
    "spec": TensorSpec,
    "array": ArrayValue,
}


def _tagged(value: Any, arrays: Arrays) -> Any:
    if isinstance(value, (float, complex)):
        return repr(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (DType, type)):
        return value.name if isinstance(value, DType) else value.__name__
    if isinstance(value, TensorShape):
        return shape_data(value)
    if isinstance(value, TensorSpec):
        return spec_data(value)
    return arrays.put(value.array)


def raised_of(data: Any, operands: Sequence[Tensor], arrays: Mapping[str, Array]) -> RaiseTemplate:
    """Return the exception template in data, with tensors in its gaps.

    Raises:
        ValueError, KeyError, TypeError: the data is invalid.
    """
    name, is_again, parts = typed(list, data, "a template of an exception")
    kind = _error_class(name)
    if kind is BaseException:
        raise ValueError("a program cannot raise BaseException")
    left = iter(operands)
    args = [
        next(left) if isinstance(each, dict) and "weak" in each else attribute_of(each, arrays)
        for each in parts
    ]
    return RaiseTemplate(
        ExceptionPattern(kind(*args), []), typed(bool, is_again, "whether it is raised again")
    )


def _error_class(name: Any) -> type:
    found = _class_of(text(name, "the name of a class"))
    if found is None:
        raise ValueError(f"{name!r} is not an exception class")
    return found


def attribute_of(data: Any, arrays: Mapping[str, Array]) -> Any:
    """Return the attribute in data.

    Raises:
        ValueError, KeyError, TypeError: the data is invalid.
    """
    if isinstance(data, _PLAIN):
        return data
    ((tag, held),) = typed(dict, data, "an attribute").items()
    if tag in _RECORDS:
        return _record(_RECORDS[tag], [attribute_of(each, arrays) for each in held])
    if tag in ("tuple", "list"):
        parts = [attribute_of(each, arrays) for each in held]
        return tuple(parts) if tag == "tuple" else parts
    if tag == "again":
        return Reraise(attribute_of(held, arrays))
    if tag == "class":
        return _error_class(held)
    return _MAKERS[tag](held, arrays)


_MAKERS: Mapping[str, Any] = {
    "float": lambda held, arrays: float(typed(str, held, "a float")),
    "complex": lambda held, arrays: complex(typed(str, held, "a complex number")),
    "bytes": lambda held, arrays: base64.b64decode(held),
    "dtype": lambda held, arrays: BY_NAME[held],
    "shape": lambda held, arrays: shape_of(held),
    "spec": lambda held, arrays: spec_of(held),
    "array": lambda held, arrays: ArrayValue(arrays[held]),
}


def _record(kind: Any, parts: list[Any]) -> Any:
    made = kind(*parts)
    if not holds(kind, made):
        raise ValueError(f"{made!r:.60} is not a valid {kind.__name__}")
    # Each marker is a single object, compared by identity.
    return next((one for one in (ELLIPSIS, NEWAXIS) if one == made), made)


def _class_of(name: str) -> type | None:
    """Return the class of an exception by its name, ours or Python's.

    Return None for other classes: files may not name exceptions that end the program, except
    BaseException itself, for `except:`.
    """
    found = getattr(errors, name, None) or getattr(builtins, name, None)
    is_exception = isinstance(found, type) and issubclass(found, Exception)
    return found if is_exception or found is BaseException else None


def shape_data(shape: TensorShape) -> list[int | None] | None:
    """Return a shape as data.

    >>> shape_data(TensorShape([None, 2])), shape_data(TensorShape(None))
    ([None, 2], None)
    """
    return None if shape.rank is None else list(shape)


def shape_of(data: Any) -> TensorShape:
    """Return the shape in data."""
    for size in () if data is None else typed(list, data, "a shape"):
        if size is not None and not 0 <= typed(int, size, "a size") <= _LARGEST:
            raise ValueError(f"a size is {size}")
    return TensorShape(data)


def spec_data(spec: TensorSpec) -> list[Any]:
    """Return a TensorSpec as data.

    >>> spec_data(TensorSpec((None,), "int32"))
    [[None], 'int32', None]
    """
    return [shape_data(spec.shape), spec.dtype.name, spec.name]


def spec_of(data: Any) -> TensorSpec:
    """Return the TensorSpec in data."""
    shape, dtype, name = data
    if name is not None:
        text(name, "the name of a spec")
    return TensorSpec(shape_of(shape), BY_NAME[dtype], name)

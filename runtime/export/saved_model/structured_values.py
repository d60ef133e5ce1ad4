"""Structures of arguments and results as messages of a SavedModel.

([spec], {"n": 2})    ->    tuple_value(list_value(tensor_spec_value), dict_value(n: int64_value))
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from inspect import Parameter
from typing import Any

from runtime import nest
from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.errors import DataLossError, GraphError
from runtime.export.graphdef.attribute_values import shape_of_proto, shape_proto
from runtime.export.graphdef.data_types import dtype_of_number, number_of
from runtime.export.saved_model.messages import (
    DictValue,
    ListValue,
    NamedTupleValue,
    NoneValue,
    PairValue,
    StructuredValue,
    TensorSpecProto,
    TupleValue,
)

_WHOLE = 1 << 63


def structured_value(value: Any) -> StructuredValue:
    """Return a structure as a message.

    Args:
        value: lists, tuples, named tuples, dataclasses and dicts of TensorSpecs, dtypes, shapes,
            numbers, texts and None. A dataclass becomes a named tuple.

    Raises:
        GraphError: it has another value.

    >>> structured_of(structured_value([1, {"a": None}]))
    [1, {'a': None}]
    """
    fields = nest.field_names(value)
    if fields is not None:
        named = {name: getattr(value, name) for name in fields}
        return _named_tuple(type(value).__name__, named)
    if isinstance(value, (list, tuple)):
        parts = [structured_value(each) for each in value]
        if isinstance(value, list):
            return StructuredValue(list_value=ListValue(values=parts))
        return StructuredValue(tuple_value=TupleValue(values=parts))
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        items = {key: structured_value(each) for key, each in value.items()}
        return StructuredValue(dict_value=DictValue(fields=items))
    return StructuredValue(**_leaf(value))


def _named_tuple(name: str, fields: Mapping[str, Any]) -> StructuredValue:
    pairs = [PairValue(key=key, value=structured_value(each)) for key, each in fields.items()]
    return StructuredValue(named_tuple_value=NamedTupleValue(name=name, values=pairs))


def _leaf(value: Any) -> dict[str, Any]:
    if value is None:
        return {"none_value": NoneValue()}
    if isinstance(value, bool):
        return {"bool_value": value}
    if isinstance(value, int) and -_WHOLE <= value < _WHOLE:
        return {"int64_value": value}
    if isinstance(value, float):
        return {"float64_value": value}
    if isinstance(value, str):
        return {"string_value": value}
    if isinstance(value, TensorSpec):
        spec = TensorSpecProto(
            name=value.name or "", shape=shape_proto(value.shape), dtype=number_of(value.dtype)
        )
        return {"tensor_spec_value": spec}
    if isinstance(value, DType):
        return {"tensor_dtype_value": number_of(value)}
    if isinstance(value, TensorShape):
        return {"tensor_shape_value": shape_proto(value)}
    if isinstance(value, Mapping):
        raise GraphError(
            f"a dict whose keys are not strings: {list(value)}; use strings as keys, as in "
            "{str(key): value for key, value in d.items()}"
        )
    raise GraphError(f"a {type(value).__name__}, which no file can hold: give a tensor")


def full_argument_spec(parameters: Sequence[Parameter]) -> StructuredValue:
    """Return the parameters of a function as Python's `FullArgSpec`.

    A first parameter `self` is called `self_`, since TensorFlow takes it for an object.
    """
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    plain = [each for each in parameters if each.kind in kinds]
    keyword = [each for each in parameters if each.kind is Parameter.KEYWORD_ONLY]
    rest = {each.kind: each.name for each in parameters}
    names = [each.name for each in plain]
    fields = {
        "args": ["self_", *names[1:]] if names[:1] == ["self"] else names,
        "varargs": rest.get(Parameter.VAR_POSITIONAL),
        "varkw": rest.get(Parameter.VAR_KEYWORD),
        "defaults": tuple(_default(each) for each in plain if each.default is not each.empty),
        "kwonlyargs": [each.name for each in keyword],
        "kwonlydefaults": {
            each.name: _default(each) for each in keyword if each.default is not each.empty
        },
        "annotations": {},
    }
    fields["defaults"] = fields["defaults"] or None
    fields["kwonlydefaults"] = fields["kwonlydefaults"] or None
    return _named_tuple("FullArgSpec", fields)


def _default(parameter: Parameter) -> Any:
    try:
        structured_value(parameter.default)
    except GraphError:
        return None  # A caller has to pass it: no trace has been made for None.
    return parameter.default


# -- reading ---------------------------------------------------------------------------------------


def structured_of(message: StructuredValue) -> Any:
    """Return the structure of a message; a named tuple has a class with the same name and fields.

    Raises:
        DataLossError: it has a value that is not known here, or no field may have such a name.
    """
    for field, value in message.given_fields():
        if field.name in _READERS:
            return _READERS[field.name](value)
    names = ", ".join(field.name for field, _ in message.given_fields()) or "nothing"
    raise DataLossError(f"a structure has {names}, which is not known here")


def _named_tuple_of(name: str, fields: Mapping[str, Any]) -> Any:
    try:
        return _named_tuple_class(name, tuple(fields))(*fields.values())
    except ValueError as error:
        raise DataLossError(f"a structure has no valid named tuple: {error}") from None


@lru_cache(maxsize=1000)
def _named_tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    """Return the class of the named tuples with these names, which have to be identifiers."""
    return namedtuple(name, fields)


def _spec_of(message: TensorSpecProto) -> TensorSpec:
    dtype = dtype_of_number(message.dtype)
    return TensorSpec(shape_of_proto(message.shape), dtype, message.name or None)


_READERS: dict[str, Callable[[Any], Any]] = {
    "none_value": lambda value: None,
    "bool_value": bool,
    "int64_value": int,
    "float64_value": float,
    "string_value": str,
    "tensor_spec_value": _spec_of,
    "tensor_dtype_value": dtype_of_number,
    "tensor_shape_value": shape_of_proto,
    "list_value": lambda value: [structured_of(each) for each in value.values],
    "tuple_value": lambda value: tuple([structured_of(each) for each in value.values]),
    "dict_value": lambda value: {key: structured_of(each) for key, each in value.fields.items()},
    "named_tuple_value": lambda value: _named_tuple_of(
        value.name, {each.key: structured_of(each.value) for each in value.values}
    ),
}

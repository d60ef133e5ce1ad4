"""Structures of arguments and results as messages of a SavedModel.

([spec], {"n": 2})    ->    tuple_value(list_value(tensor_spec_value), dict_value(n: int64_value))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any

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
        value: lists, tuples and dicts of TensorSpecs, dtypes, shapes, numbers, texts and None.

    Raises:
        GraphError: it has another value.

    >>> structured_of(structured_value([1, {"a": None}]))
    [1, {'a': None}]
    """
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        parts = [structured_value(each) for each in value]
        if isinstance(value, list):
            return StructuredValue(list_value=ListValue(values=parts))
        return StructuredValue(tuple_value=TupleValue(values=parts))
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        fields = {key: structured_value(each) for key, each in value.items()}
        return StructuredValue(dict_value=DictValue(fields=fields))
    return StructuredValue(**_leaf(value))


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
    raise GraphError(f"a {type(value).__name__}, which no SavedModel can hold: give a tensor")


def full_argument_spec(parameters: Sequence[Parameter]) -> StructuredValue:
    """Return the parameters of a function as Python's `FullArgSpec`."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    plain = [each for each in parameters if each.kind in kinds]
    keyword = [each for each in parameters if each.kind is Parameter.KEYWORD_ONLY]
    rest = {each.kind: each.name for each in parameters}
    fields = {
        "args": [each.name for each in plain],
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
    pairs = [PairValue(key=key, value=structured_value(each)) for key, each in fields.items()]
    return StructuredValue(named_tuple_value=NamedTupleValue(name="FullArgSpec", values=pairs))


def _default(parameter: Parameter) -> Any:
    try:
        structured_value(parameter.default)
    except GraphError:
        return None  # A caller has to pass it: no trace has been made for None.
    return parameter.default


# -- reading ---------------------------------------------------------------------------------------


def structured_of(message: StructuredValue) -> Any:
    """Return the structure of a message; a named tuple becomes a dict.

    Raises:
        DataLossError: it has a value that is not known here.
    """
    for field, value in message.given_fields():
        if field.name in _READERS:
            return _READERS[field.name](value)
    names = ", ".join(field.name for field, _ in message.given_fields()) or "nothing"
    raise DataLossError(f"a structure has {names}, which is not known here")


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
    "named_tuple_value": lambda value: {
        each.key: structured_of(each.value) for each in value.values
    },
}

"""The declared attributes of an op: their names and the types of their values.

    def _arg_infer(x: TensorSpec, *, axis: int, output_type: DType) -> TensorSpec

declares `axis`, an int, and `output_type`, a DType, and no other attribute. A graph from a file is
checked against these declarations before it runs: names of attributes become keywords of calls. A
string that is a key of a table has an annotation for that: `method: Annotated[str, METHODS]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, signature
from types import FunctionType, NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.errors import GraphError
from runtime.ops.arrays.index import HashableSlice, Index, Input
from runtime.ops.op import Op

# Keyword parameters that the graph passes, which are not attributes.
_REGIONS = "regions"
# Classes whose constructors check their contents.
_WHOLE = (DType, TensorShape, TensorSpec)


@dataclass(frozen=True)
class OpAttribute:
    """A declared attribute of an op.

    Attributes:
        kind: the type of its values; None if it is unknown, so that no value is valid.
        required: whether a node must have it.
    """

    kind: Any
    required: bool


def check_attributes(op: Op, attrs: Mapping[str, object]) -> None:
    """Raise GraphError unless an op declares attributes of these names, with values like these.

    >>> from runtime.ops.op import REGISTRY
    >>> check_attributes(REGISTRY["argmax"], {"axis": "0", "output_type": None})
    Traceback (most recent call last):
    runtime.errors.GraphError: argmax has the attribute axis='0', which is no int
    """
    declared = attributes_of(op)
    for name, value in attrs.items():
        attribute = declared.get(name)
        if attribute is None:
            raise GraphError(f"{op.name} has no attribute {name!r:.60}")
        if not holds(attribute.kind, value):
            wanted = getattr(attribute.kind, "__name__", str(attribute.kind))
            raise GraphError(
                f"{op.name} has the attribute {name}={value!r:.60}, which is not of type {wanted}"
            )
    for name, attribute in declared.items():
        if attribute.required and name not in attrs:
            raise GraphError(f"{op.name} lacks its attribute {name}")


def check_count(op: Op, count: int, attrs: Mapping[str, object]) -> None:
    """Raise GraphError unless an op takes that many operands, counting those in attributes.

    >>> from runtime.ops.op import REGISTRY
    >>> check_count(REGISTRY["add"], 3, {})
    Traceback (most recent call last):
    runtime.errors.GraphError: add takes 2 operands, not 3
    """
    fixed, more = _operands(op)
    if count < fixed or (count > fixed and not more):
        raise GraphError(f"{op.name} takes {fixed}{' or more' * more} operands, not {count}")
    named = [each.position for value in attrs.values() for each in _inputs_in(value)]
    if named and not 0 <= min(named) <= max(named) < count - fixed:
        raise GraphError(f"{op.name} has {count - fixed} numbers for its index")


@cache
def _operands(op: Op) -> tuple[int, bool]:
    """Return the least number of an op's operands, and whether there may be more."""
    if isinstance(op.kernel, np.ufunc):
        return op.kernel.nin, False
    function = op.kernel if isinstance(op.kernel, FunctionType) else op.infer
    attrs, parameters = attributes_of(op), signature(function).parameters.values()
    kinds = [each.kind for each in parameters if each.name not in attrs]
    return kinds.count(Parameter.POSITIONAL_OR_KEYWORD), Parameter.VAR_POSITIONAL in kinds


def _inputs_in(value: object) -> Iterator[Input]:
    if isinstance(value, Input):
        yield value
    elif isinstance(value, (Index, HashableSlice)):
        parts = value.items if isinstance(value, Index) else (value.start, value.stop, value.step)
        for part in parts:
            yield from _inputs_in(part)


@cache
def attributes_of(op: Op) -> Mapping[str, OpAttribute]:
    """Return the attributes an op declares, by name.

    They are the keyword-only parameters of its `infer` if that has no `**attrs`, else those of its
    kernel, else those of both and of the function in `op.keywords`. NumPy functions also have
    keywords that are not attributes.

    >>> from runtime.ops.op import REGISTRY
    >>> dict(attributes_of(REGISTRY["sqrt"])), list(attributes_of(REGISTRY["argmax"]))
    ({}, ['axis', 'output_type'])
    """
    return dict(_declared(op))


def takes_regions(op: Op) -> bool:
    """Return whether nodes of an op may own regions."""
    return _REGIONS in signature(op.infer).parameters


def _declared(op: Op) -> Iterator[tuple[str, OpAttribute]]:
    sources = _sources(op)
    closed = [each for each in sources if each is not op.keywords and not _is_open(each)]
    for function in closed[:1] or sources:
        for name, parameter in signature(function).parameters.items():
            if parameter.kind is Parameter.KEYWORD_ONLY and name != _REGIONS:
                kind = _kind_of(name, sources)
                yield name, OpAttribute(kind, parameter.default is Parameter.empty)


def _sources(op: Op) -> list[Callable[..., Any]]:
    """Return the functions whose signatures declare attributes, the most reliable ones first."""
    kernels = [op.kernel] if isinstance(op.kernel, FunctionType) else []
    return [op.infer, *kernels, *([] if op.keywords is None else [op.keywords])]


def _is_open(function: Callable[..., Any]) -> bool:
    kinds = [each.kind for each in signature(function).parameters.values()]
    return Parameter.VAR_KEYWORD in kinds


def _kind_of(name: str, functions: list[Callable[..., Any]]) -> Any:
    """Return the type in the first annotation of a parameter, None if there is none."""
    for function in functions:
        function = getattr(function, "__wrapped__", function)
        written = getattr(function, "__annotations__", {}).get(name)
        if written is not None:
            return _meant({name: written}, vars(sys.modules[function.__module__])).get(name)
    return None


def _meant(annotations: Mapping[str, Any], space: dict[str, Any]) -> dict[str, Any]:
    """Return annotations as types; an empty dict if names in them exist only for type checkers."""
    written = SimpleNamespace(__annotations__=dict(annotations))
    try:
        return get_type_hints(written, space, include_extras=True)
    except NameError:
        return {}


def holds(kind: Any, value: object) -> bool:
    """Return whether a value, including its items, is of a type.

    Types of numbers and strings must match exactly, so True is no int; but an int is also a float.

    >>> holds(tuple[int, ...] | None, (1, 2)), holds(tuple[int, ...], (1, True)), holds(float, 1)
    (True, False, True)
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(holds(each, value) for each in parts)
    if origin is Annotated:
        return holds(parts[0], value) and all(value in table for table in parts[1:])
    if origin is Literal:
        return any(type(each) is type(value) and each == value for each in parts)
    if origin is tuple:
        return type(value) is tuple and _all_hold(parts, value)
    if origin is list:
        return type(value) is list and all(holds(parts[0], each) for each in value)
    if origin is type:
        return isinstance(value, type) and issubclass(value, parts[0])
    if kind is float:
        return type(value) in (float, int)
    if kind is None or kind is NoneType:
        return kind is NoneType and value is None
    return type(value) is kind and (kind in _WHOLE or _holds_fields(kind, value))


def _all_hold(kinds: tuple[Any, ...], values: tuple[object, ...]) -> bool:
    if len(kinds) == 2 and kinds[1] is ...:
        return all(holds(kinds[0], each) for each in values)
    return len(kinds) == len(values) and all(map(holds, kinds, values))


def _holds_fields(kind: type, value: object) -> bool:
    return all(holds(each, getattr(value, name, None)) for name, each in _fields_of(kind).items())


@cache
def _fields_of(kind: type) -> dict[str, Any]:
    """Return the fields of a record and their types; nothing for other classes."""
    if "__dataclass_fields__" not in dir(kind):
        return {}
    return _meant(kind.__annotations__, vars(sys.modules[kind.__module__]))

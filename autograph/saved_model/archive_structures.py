"""Arguments and results of functions as data of a file: lists, tuples, dicts and leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.tensor import Array
from runtime.errors import GraphError
from runtime.serialization.attributes import Arrays, attribute_data, attribute_of


def structure_data(value: Any, arrays: Arrays) -> Any:
    """Return a structure of TensorSpecs, numbers and strings as data.

    Raises:
        GraphError: it has another value.

    >>> structure_data({"n": [1, 2.5]}, Arrays())
    {'dict': [['n', {'items': [1, {'float': '2.5'}]}]]}
    """
    if type(value) is dict:
        return {"dict": [[key, structure_data(each, arrays)] for key, each in value.items()]}
    if type(value) in (list, tuple):
        tag = "items" if type(value) is list else "tuple"
        return {tag: [structure_data(each, arrays) for each in value]}
    if isinstance(value, tuple):
        raise GraphError(f"a {type(value).__name__}, which no file can hold: give a tuple")
    return attribute_data(value, arrays)


def structure_of(data: Any, arrays: Mapping[str, Array]) -> Any:
    """Return the structure of the data."""
    if isinstance(data, dict) and "dict" in data:
        return {key: structure_of(each, arrays) for key, each in data["dict"]}
    if isinstance(data, dict) and "items" in data:
        return [structure_of(each, arrays) for each in data["items"]]
    if isinstance(data, dict) and "tuple" in data:
        return tuple([structure_of(each, arrays) for each in data["tuple"]])
    return attribute_of(data, arrays)

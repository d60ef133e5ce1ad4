"""Reads archives: objects with variables and traces of functions, in this project's format."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any

from autograph.saved_model.archive_structures import structure_of
from autograph.saved_model.archive_writing import NAME
from autograph.saved_model.restored import (
    LISTED,
    RestoredFunction,
    RestoredObject,
    SignatureFunction,
    checked,
)
from runtime.core.tensor import Array
from runtime.export.traces import FunctionTrace, TracedFunction, input_names
from runtime.serialization.attributes import shape_of
from runtime.serialization.files import FilesAllowed
from runtime.serialization.reading import graphs_of
from runtime.serialization.typed_fields import at, text, typed
from runtime.state.variable import Variable
from runtime.train import archive

Data = Mapping[str, Any]

_KINDS = {
    kind.name: kind
    for kind in (
        Parameter.POSITIONAL_ONLY,
        Parameter.POSITIONAL_OR_KEYWORD,
        Parameter.VAR_POSITIONAL,
        Parameter.KEYWORD_ONLY,
        Parameter.VAR_KEYWORD,
    )
}


def read_archive(path: str, allowed: FilesAllowed) -> Any:
    """Return the object of an archive.

    Args:
        path: the folder.
        allowed: the files that functions may open.

    Raises:
        DataLossError: the file is damaged, or its contents are invalid.
        PermissionDeniedError: a function opens a file that is not allowed.
    """
    prefix = os.path.join(path, NAME)
    data, arrays = archive.read(prefix)
    with archive.intact(f"'{prefix}{archive.SUFFIX}' is damaged"):
        return _ArchiveLoader(data, arrays, allowed).root()


def has_archive(path: str) -> bool:
    """Return whether a folder has an archive.

    >>> has_archive("nowhere")
    False
    """
    return os.path.isfile(os.path.join(path, NAME + archive.SUFFIX))


class _ArchiveLoader:
    def __init__(self, data: Data, arrays: Mapping[str, Array], allowed: FilesAllowed) -> None:
        self._data, self._arrays = data, arrays
        self._objects = objects_of(data["objects"], self._variable)
        self._graphs = graphs_of(data["graphs"], arrays, self._captured_variable)
        for graph in self._graphs:
            allowed.check_graph(graph)

    def root(self) -> Any:
        root = self._objects[0]
        for made, data in zip(self._objects, self._data["objects"]):
            for name, traces in data.get("functions", {}).items():
                if isinstance(made, RestoredObject):
                    vars(made)[function_name(name)] = self._function(traces)
        if isinstance(root, RestoredObject):
            signatures = self._data["signatures"].items()
            root.signatures = {name: self._signature(trace) for name, trace in signatures}
        return root

    def _captured_variable(self, held: Data) -> Variable:
        return typed(
            Variable, at(self._objects, held["object"], "an object"), "a captured variable"
        )

    def _variable(self, data: Data) -> Variable:
        value = self._arrays[data["value"]].copy()
        shape, name = shape_of(data["shape"]), text(data["name"], "the name of a variable")
        trainable = typed(bool, data["trainable"], "whether a variable is trained")
        return Variable(value, trainable=trainable, name=name, shape=shape)

    def _function(self, traces: list[Data]) -> RestoredFunction:
        parameters = [self._parameter(*each) for each in traces[0]["parameters"]]
        name = text(traces[0]["name"], "the name of a function")
        return RestoredFunction(name, parameters, [self._trace(t) for t in traces])

    def _trace(self, data: Data) -> FunctionTrace:
        args, kwargs = structure_of(data["given"], self._arrays)
        result = structure_of(data["result"], self._arrays)
        given = (
            typed(tuple, args, "the positional arguments"),
            typed(dict, kwargs, "the keyword arguments"),
        )
        return checked(FunctionTrace(given, at(self._graphs, data["graph"], "a graph"), result))

    def _parameter(self, name: str, kind: str, *default: Any) -> Parameter:
        values = [structure_of(each, self._arrays) for each in default]
        default_value = values[0] if values else Parameter.empty
        return Parameter(text(name, "a parameter"), _KINDS[kind], default=default_value)

    def _signature(self, data: Data) -> SignatureFunction:
        function = self._function([data])
        traced = TracedFunction(function.name, function.call_signature.parameters, function.traces)
        return SignatureFunction(input_names(traced.parameters, function.traces[0]), function)


# -- the objects of a file -------------------------------------------------------------------------


# Types whose objects may contain themselves, so that they are made first and filled later.
_FILLED_LATER: Mapping[str, Any] = {"list": list, "dict": dict, "object": RestoredObject}
_UNMADE = object()
# The attribute with the internal state of a module, which the class makes.
_OWN = "_own"


def objects_of(data: Any, leaf: Callable[[Data], Any]) -> list[Any]:
    """Return the objects of the data, in which each part is the number of an object.

    Args:
        data: the data of the objects; the first one is the saved object.
        leaf: makes an object without parts of its data: a variable, an asset, or a table.

    Raises:
        ValueError, KeyError: the data is invalid, or a tuple contains itself.
    """
    made = [_created(each, leaf) for each in typed(list, data, "objects")]
    for place, each in enumerate(data):
        if each["kind"] == "tuple":
            _make_tuple(made, data, place)
    for held, each in zip(made, data):
        if isinstance(held, (list, dict, RestoredObject)):
            _fill(held, {name: at(made, part, "a part") for name, part in _parts(each)})
    return made


def _created(data: Data, leaf: Callable[[Data], Any]) -> Any:
    kind = data["kind"]
    if kind in ("variable", "asset", "table"):
        return leaf(data)
    return _UNMADE if kind == "tuple" else _FILLED_LATER[kind]()


def _parts(data: Data) -> list[tuple[str, Any]]:
    return list(typed(dict, data["parts"], "parts").items())


def _make_tuple(made: list[Any], data: Sequence[Data], place: int) -> None:
    """Make a tuple, after the tuples inside it."""
    stack, begun = [place], set[int]()
    while stack:
        place = stack[-1]
        if made[place] is not _UNMADE:
            stack.pop()
            continue
        numbers = [part for _, part in _parts(data[place])]
        parts = [at(made, part, "a part") for part in numbers]
        missing = [part for part, held in zip(numbers, parts) if held is _UNMADE]
        if missing and place in begun:
            raise ValueError("a tuple contains itself")
        begun.add(place)
        if missing:
            stack += missing
        else:
            made[place] = tuple(parts)


def _fill(made: Any, parts: Mapping[str, Any]) -> None:
    if isinstance(made, list):
        made.extend(parts.values())
    elif isinstance(made, dict):
        made.update(parts)
    else:
        for name, part in parts.items():
            if name != _OWN:
                setattr(made, _free_name(attribute_name(name)), part)


def _free_name(name: str) -> str:
    """Return another name for an attribute that a Module computes, such as `variables`."""
    return f"{LISTED}{name}" if isinstance(getattr(RestoredObject, name, None), property) else name


def attribute_name(name: Any) -> str:
    """Return the name of an attribute that a file may set.

    >>> attribute_name("__class__")
    Traceback (most recent call last):
    ValueError: a file cannot set the attribute '__class__'
    """
    found = text(name, "the name of an attribute")
    if found.startswith("__") or found == _OWN:
        raise ValueError(f"a file cannot set the attribute {found!r:.60}")
    return found


def function_name(name: Any) -> str:
    """Return the name of a function that a file may set: an attribute, `__call__` or an operator.

    >>> function_name("__call__"), function_name("__add__")
    ('__call__', '__add__')
    """
    found = text(name, "the name of a function")
    is_operator = found == "__call__" or callable(vars(operator).get(found))
    return found if found.startswith("__") and is_operator else attribute_name(found)

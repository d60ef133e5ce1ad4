"""Loads a saved object from its file."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any

from autograph.saved_model.restored import (
    RestoredFunction,
    SavedObject,
    SignatureFunction,
    Trace,
    checked,
)
from autograph.saved_model.saving import NAME
from autograph.saved_model.structures import structure_of
from runtime import nest
from runtime.core.argument_checks import file_path
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import NotFoundError
from runtime.state.variable import Variable
from runtime.stored.attributes import shape_of
from runtime.stored.files import AllowFiles, FilesAllowed
from runtime.stored.reading import graphs_of
from runtime.stored.typed_fields import at, text, typed
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


class MissingModelError(NotFoundError, OSError):
    """A folder has no saved model; it is an OSError, as in TensorFlow."""


def load(
    export_dir: Any, tags: Any = None, options: Any = None, *, allow_files: AllowFiles = False
) -> Any:
    """Return the object that `save` wrote, with the same attributes.

    Variables have their saved values. Functions take the arguments of their saved traces; they have
    gradients, and other Functions may call them. The file has no code: see SECURITY.md.

    Args:
        export_dir: the folder.
        tags, options: accepted as in TensorFlow; without effect.
        allow_files: the files that functions may open when they run, as in
            `rt.print(..., output_stream="file://PATH")`: a path, or several, of files and folders;
            True for all. By default there are none.

    Raises:
        MissingModelError: the folder has no saved model.
        DataLossError: the file is damaged, or its contents are invalid.
        PermissionDeniedError: a function opens a file that is not among `allow_files`.

    >>> import tempfile, autograph as ag, runtime as rt
    >>> folder = tempfile.mkdtemp()
    >>> module = rt.Module()
    >>> module.double = ag.function(lambda x: x * 2, input_signature=[rt.TensorSpec((), rt.int32)])
    >>> ag.saved_model.save(module, folder)
    >>> int(load(folder).double(rt.constant(3)))
    6
    """
    path = file_path(export_dir, "export_dir")
    prefix = os.path.join(path, NAME)
    if not contains_saved_model(path):
        raise MissingModelError(
            f"there is no saved model in '{path}' (no file '{NAME}{archive.SUFFIX}' in it); "
            "files of TensorFlow's own are not read"
        )
    allowed = FilesAllowed(allow_files)
    data, arrays = archive.read(prefix)
    with archive.intact(f"'{prefix}{archive.SUFFIX}' is damaged"):
        return _Loader(data, arrays, allowed).root()


def contains_saved_model(export_dir: Any) -> bool:
    """Return whether a folder has a saved model.

    >>> contains_saved_model("nowhere")
    False
    """
    folder = file_path(export_dir, "export_dir")
    return os.path.isfile(os.path.join(folder, NAME + archive.SUFFIX))


class _Loader:
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
                if isinstance(made, SavedObject):
                    vars(made)[function_name(name)] = self._function(traces)
        if isinstance(root, SavedObject):
            signatures = self._data["signatures"].items()
            root.signatures = {name: self._signature(trace) for name, trace in signatures}
        return root

    def _captured_variable(self, held: Data) -> Variable:
        return typed(Variable, at(self._objects, held["object"], "an object"), "what is used")

    def _variable(self, data: Data) -> Variable:
        value = self._arrays[data["value"]].copy()
        shape, name = shape_of(data["shape"]), text(data["name"], "the name of a variable")
        trainable = typed(bool, data["trainable"], "whether a variable is trained")
        return Variable(value, trainable=trainable, name=name, shape=shape)

    def _function(self, traces: list[Data]) -> RestoredFunction:
        parameters = [self._parameter(*each) for each in traces[0]["parameters"]]
        name = text(traces[0]["name"], "the name of a function")
        return RestoredFunction(name, parameters, [self._trace(t) for t in traces])

    def _trace(self, data: Data) -> Trace:
        args, kwargs = structure_of(data["given"], self._arrays)
        result = structure_of(data["result"], self._arrays)
        given = typed(tuple, args, "what is given"), typed(dict, kwargs, "what is given by name")
        return checked(Trace(given, at(self._graphs, data["graph"], "a graph"), result))

    def _parameter(self, name: str, kind: str, *default: Any) -> Parameter:
        values = [structure_of(each, self._arrays) for each in default]
        default_value = values[0] if values else Parameter.empty
        return Parameter(text(name, "a parameter"), _KINDS[kind], default=default_value)

    def _signature(self, data: Data) -> SignatureFunction:
        function = self._function([data])
        args, kwargs = function.traces[0].given
        names = [each[0] for each in data["parameters"]]
        found: list[str] = []
        for name, part in (*zip(names, args), *kwargs.items()):
            leaves = [each for each in nest.flatten(part) if isinstance(each, TensorSpec)]
            several = [name] if len(leaves) == 1 else [f"{name}_{n}" for n in range(len(leaves))]
            found += [leaf.name or other for leaf, other in zip(leaves, several)]
        return SignatureFunction(found, function)


# -- the objects of a file -------------------------------------------------------------------------


# Types whose objects may contain themselves, so that they are made first and filled later.
_FILLED_LATER: Mapping[str, Any] = {"list": list, "dict": dict, "object": SavedObject}
_UNMADE = object()
# The attribute with the internal state of a module, which the class makes.
_OWN = "_own"


def objects_of(data: Any, variable: Callable[[Data], Variable]) -> list[Any]:
    """Return the objects of the data, in which each part is the number of an object.

    Args:
        data: the data of the objects; the first one is the saved object.
        variable: makes a variable of its data.

    Raises:
        ValueError, KeyError: the data is invalid, or a tuple contains itself.
    """
    made = [_created(each, variable) for each in typed(list, data, "what should be objects")]
    for place, each in enumerate(data):
        if each["kind"] == "tuple":
            _make_tuple(made, data, place)
    for held, each in zip(made, data):
        if isinstance(held, (list, dict, SavedObject)):
            _fill(held, {name: at(made, part, "a part") for name, part in _parts(each)})
    return made


def _created(data: Data, variable: Callable[[Data], Variable]) -> Any:
    kind = data["kind"]
    if kind == "variable":
        return variable(data)
    return _UNMADE if kind == "tuple" else _FILLED_LATER[kind]()


def _parts(data: Data) -> list[tuple[str, Any]]:
    return list(typed(dict, data["parts"], "what should be parts").items())


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
                setattr(made, attribute_name(name), part)


def attribute_name(name: Any) -> str:
    """Return the name of an attribute that a file may set.

    >>> attribute_name("__class__")
    Traceback (most recent call last):
    ValueError: '__class__' is no attribute that a file may set
    """
    found = text(name, "the name of an attribute")
    if found.startswith("__") or found == _OWN:
        raise ValueError(f"{found!r:.60} is no attribute that a file may set")
    return found


def function_name(name: Any) -> str:
    """Return the name of a function that a file may set: an attribute, `__call__` or an operator.

    >>> function_name("__call__"), function_name("__add__")
    ('__call__', '__add__')
    """
    found = text(name, "the name of a function")
    is_operator = found == "__call__" or callable(vars(operator).get(found))
    return found if found.startswith("__") and is_operator else attribute_name(found)

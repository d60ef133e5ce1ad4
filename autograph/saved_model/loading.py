"""An object made again of the file it was saved in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from inspect import Parameter
from typing import Any

from autograph.saved_model.restored import (
    RestoredFunction,
    SavedObject,
    SignatureFunction,
    Trace,
)
from autograph.saved_model.saving import NAME
from autograph.saved_model.structures import structure_of
from runtime import nest
from runtime.errors import DataLossError, NotFoundError
from runtime.settings import file_path
from runtime.spec import TensorSpec
from runtime.stored.attributes import shape_of
from runtime.stored.reading import graphs_of
from runtime.tensor import Array
from runtime.train import archive
from runtime.variable import Variable

Data = Mapping[str, Any]


class MissingModelError(NotFoundError, OSError):
    """There is no saved model in a folder; TensorFlow's error is an OSError."""


def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Return what `save` has written: an object with the same attributes.

    Variables have the values they had. Functions take the arguments they had been traced with;
    gradients go through them, and other Functions may call them.

    Args:
        export_dir: the folder.
        tags, options: taken as TensorFlow has them; nothing depends on them.

    Raises:
        MissingModelError: nothing was saved there.
        DataLossError: the file is damaged.
    """
    path = file_path(export_dir, "export_dir")
    prefix = os.path.join(path, NAME)
    if not contains_saved_model(path):
        raise MissingModelError(
            f"there is no saved model in '{path}' (no file '{NAME}{archive.SUFFIX}' in it); "
            "files of TensorFlow's own are not read"
        )
    data, arrays = archive.read(prefix)
    try:
        return _Loader(data, arrays).root()
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise DataLossError(f"'{prefix}{archive.SUFFIX}' is damaged: {error}") from None


def contains_saved_model(export_dir: Any) -> bool:
    """Tell whether something was saved in a folder.

    >>> contains_saved_model("nowhere")
    False
    """
    folder = file_path(export_dir, "export_dir")
    return os.path.isfile(os.path.join(folder, NAME + archive.SUFFIX))


class _Loader:
    def __init__(self, data: Data, arrays: Mapping[str, Array]) -> None:
        self._data, self._arrays = data, arrays
        self._objects: Any = data["objects"]
        self._made: dict[int, Any] = {}
        self._graphs = graphs_of(data["graphs"], arrays, lambda held: self._object(held["object"]))

    def root(self) -> Any:
        root = self._object(0)
        for at in range(len(self._objects)):
            self._put_functions(at)
        if isinstance(root, SavedObject):
            asked = self._data["signatures"].items()
            root.signatures = {name: self._signature(trace) for name, trace in asked}
        return root

    def _object(self, at: int) -> Any:
        if at in self._made:
            return self._made[at]
        data = self._objects[at]
        kind = data["kind"]
        if kind == "variable":
            made: Any = self._variable(data)
        elif kind == "tuple":
            made = tuple([self._object(part) for part in data["parts"].values()])
        else:
            made = {"list": list, "dict": dict, "object": SavedObject}[kind]()
        self._made[at] = made
        if kind == "list":
            made.extend(self._object(part) for part in data["parts"].values())
        elif kind == "dict":
            made.update((name, self._object(part)) for name, part in data["parts"].items())
        elif kind == "object":
            for name, part in data["parts"].items():
                setattr(made, name, self._object(part))
        return made

    def _variable(self, data: Data) -> Variable:
        value = self._arrays[data["value"]].copy()
        shape, name = shape_of(data["shape"]), data["name"]
        return Variable(value, trainable=data["trainable"], name=name, shape=shape)

    def _put_functions(self, at: int) -> None:
        data = self._objects[at]
        made = self._object(at)
        for name, traces in data.get("functions", {}).items():
            if isinstance(made, SavedObject):
                vars(made)[name] = self._function(traces)

    def _function(self, traces: list[Data]) -> RestoredFunction:
        parameters = [self._parameter(*each) for each in traces[0]["parameters"]]
        return RestoredFunction(traces[0]["name"], parameters, [self._trace(t) for t in traces])

    def _trace(self, data: Data) -> Trace:
        args, kwargs = structure_of(data["given"], self._arrays)
        result = structure_of(data["result"], self._arrays)
        return Trace((args, kwargs), self._graphs[data["graph"]], result)

    def _parameter(self, name: str, kind: str, *default: Any) -> Parameter:
        values = [structure_of(each, self._arrays) for each in default]
        return Parameter(
            name, getattr(Parameter, kind), default=values[0] if values else Parameter.empty
        )

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

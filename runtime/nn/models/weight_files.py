"""Weight files in the checkpoint format, and the writing of model files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.core.argument_checks import file_path, flag
from runtime.core.files import write_atomically
from runtime.errors import (
    AlreadyExistsError,
    ArgumentValueError,
    DataLossError,
    FailedPreconditionError,
)
from runtime.nn.layers.ownership import layers_below
from runtime.nn.layers.weight_values import give_weights, refuse_in_graph
from runtime.nn.layers.weights import Weighted
from runtime.nn.models.configs import config_of, unwritable
from runtime.nn.models.serialization import serialize_keras_object
from runtime.train import archive


def write_weights(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Write the weights of a model; see `Model.save_weights`.

    Raises:
        AlreadyExistsError: the file exists, and `overwrite` is false.
        FailedPreconditionError: the model has no weights yet.
    """
    refuse_in_graph("save_weights")
    path = file_path(filepath, "filepath")
    if not flag(overwrite, "overwrite") and os.path.exists(path):
        raise AlreadyExistsError(f"the file '{path}' is there already: write overwrite=True")
    weights = list(model.weights)
    if not weights:
        raise FailedPreconditionError(
            f"model {model.name!r} has no weights to save yet: call it, or build it for a shape"
        )
    arrays = {str(at): each.numpy() for at, each in enumerate(weights)}
    arrays.update(stores_of_layers(model))
    paths = [each.path for each in weights]
    write_atomically(path, archive.packed({"kind": "weights", "paths": paths}, arrays))


def read_weights(model: Any, filepath: Any, skip_mismatch: bool = False) -> None:
    """Set the weights of a model from a file; see `Model.load_weights`.

    Raises:
        FailedPreconditionError: the model has no weights yet.
        ArgumentValueError: the file holds another number of weights.
    """
    path = file_path(filepath, "filepath")
    skips = flag(skip_mismatch, "skip_mismatch")
    graph, arrays = archive.read_file(path, path)
    kind = graph.get("kind") if isinstance(graph, dict) else None
    stores = {name: each for name, each in arrays.items() if name.startswith("s")}
    arrays = {name: each for name, each in arrays.items() if name not in stores}
    if kind == "model":
        arrays = {name[1:]: each for name, each in arrays.items() if name.startswith("w")}
    elif kind != "weights":
        raise DataLossError(f"'{path}' is a checkpoint of other things, not of a model's weights")
    weights = list(model.weights)
    if not weights:
        raise FailedPreconditionError(
            f"model {model.name!r} has no weights yet: call it, or build it for a shape"
        )
    if len(weights) != len(arrays):
        raise ArgumentValueError(
            f"model {model.name!r} has {len(weights)} weights, and '{path}' holds {len(arrays)}"
        )
    with archive.intact(f"'{path}' is damaged"):
        values = [arrays[str(at)] for at in range(len(weights))]
    if skips:
        pairs = [(w, v) for w, v in zip(weights, values) if w.shape.contains(v.shape)]
        weights, values = [w for w, _ in pairs], [v for _, v in pairs]
    give_weights(model.name, weights, values)
    restore_stores(model, stores)


# -- values that user layers store beside their weights, by `save_own_variables` -------------------


def stores_of_layers(model: Any) -> dict[str, Any]:
    """Return the arrays in the stores of a model's layers, by numbered names."""
    found: dict[str, Any] = {}
    for prefix, layer in _with_stores(model):
        store: dict[str, Any] = {}
        layer.save_own_variables(store)
        found.update({prefix + key: np.asarray(value) for key, value in store.items()})
    return found


def restore_stores(model: Any, arrays: Mapping[str, Any]) -> None:
    """Restore the stores of a model's layers, if the file has them."""
    for prefix, layer in _with_stores(model):
        starts = [key for key in arrays if key.startswith(prefix)]
        if starts:
            layer.load_own_variables({key.removeprefix(prefix): arrays[key] for key in starts})


def _with_stores(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield the layers whose classes define a store, each with the prefix of its names."""
    for at, layer in enumerate(layers_below(model)):
        kind = type(layer)
        if kind.save_own_variables is not Weighted.save_own_variables:
            yield f"s{at}/", layer


_EXPORTED = ("onnx", "stablehlo", "tflite")


def _check_ending(path: str) -> None:
    """Raise ArgumentValueError for a name that tells other programs to read the file."""
    start, ending = os.path.splitext(path)
    name = os.path.basename(start)
    if ending in (".h5", ".hdf5"):
        raise ArgumentValueError(
            f"save cannot write an HDF5 file such as '{name}{ending}': call it '{name}.keras'"
        )
    if ending[1:] in _EXPORTED:
        raise ArgumentValueError(
            f"save writes a file for this project alone, not '{name}{ending}': "
            f"write ag.export(model, '{name}{ending}')"
        )


def write_model(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Write a model to a file; see `Model.save`.

    Raises:
        AlreadyExistsError: the file exists, and `overwrite` is false.
        ArgumentValueError: a part of the model cannot be saved, or the name is that of a file of
            another kind.
    """
    refuse_in_graph("save")
    path = file_path(filepath, "filepath")
    if not flag(overwrite, "overwrite") and os.path.exists(path):
        raise AlreadyExistsError(f"the file '{path}' is there already: write overwrite=True")
    _check_ending(path)
    graph = {
        "kind": "model",
        "model": config_of(model),
        "build_shape": model._own.build_shape,
        "compiled": serialize_keras_object(model.get_compile_config()),
    }
    arrays = {f"w{at}": each.numpy() for at, each in enumerate(model.weights)}
    arrays.update(stores_of_layers(model))
    steps = getattr(model.optimizer, "variables", ())
    arrays.update({f"o{at}": each.numpy() for at, each in enumerate(steps)})
    try:
        write_atomically(path, archive.packed(graph, arrays))
    except TypeError as error:
        culprit = unwritable(graph["model"]) or f"the arguments of its compile(): {error}"
        raise ArgumentValueError(f"model {model.name!r} cannot be saved for {culprit}") from None

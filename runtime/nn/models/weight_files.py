"""Files of weights: arrays and their paths, in the format of checkpoints, without any code."""

from __future__ import annotations

import os
from typing import Any

from runtime.errors import (
    AlreadyExistsError,
    ArgumentValueError,
    DataLossError,
    FailedPreconditionError,
)
from runtime.files import write_atomically
from runtime.nn.layers.own_stores import give_to_layers, kept_by_layers
from runtime.nn.layers.stored import give_weights, refuse_in_graph
from runtime.settings import file_path, flag
from runtime.train import archive


def write_weights(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Write the weights of a model; see `Model.save_weights`."""
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
    arrays.update(kept_by_layers(model))
    paths = [each.path for each in weights]
    write_atomically(path, archive.packed({"kind": "weights", "paths": paths}, arrays))


def read_weights(model: Any, filepath: Any, skip_mismatch: bool = False) -> None:
    """Give the weights of a model other values; see `Model.load_weights`."""
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
    give_to_layers(model, stores)

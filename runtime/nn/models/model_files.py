"""Files of whole models: their config, their weights, and how far their training has come."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

from runtime.context import recording
from runtime.errors import AlreadyExistsError, ArgumentValueError, DataLossError
from runtime.files import write_atomically
from runtime.nn.layers.arguments import plain
from runtime.nn.layers.layer import specs
from runtime.nn.layers.stored import give_weights
from runtime.nn.models.configs import config_of, layer_of, unwritable
from runtime.settings import by_names, file_path, flag
from runtime.train import archive

_GIVEN = ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics")


def write_model(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Write a model to a file; see `Model.save`."""
    path = file_path(filepath, "filepath")
    if not flag(overwrite, "overwrite") and os.path.exists(path):
        raise AlreadyExistsError(f"the file '{path}' is there already: write overwrite=True")
    graph = {
        "kind": "model",
        "model": config_of(model),
        "build_shape": model._own.build_shape,
        "compiled": _compiled_config(model),
    }
    with recording(None):
        arrays = {f"w{at}": each.numpy() for at, each in enumerate(model.weights)}
        steps = getattr(model.optimizer, "variables", ())
        arrays.update({f"o{at}": each.numpy() for at, each in enumerate(steps)})
    try:
        write_atomically(path, archive.packed(graph, arrays))
    except TypeError as error:
        culprit = unwritable(graph["model"]) or f"what it is compiled with: {error}"
        raise ArgumentValueError(f"model {model.name!r} cannot be saved for {culprit}") from None


def _compiled_config(model: Any) -> Any:
    compiled = model._training_state.compiled
    if compiled is None:
        return None
    return {name: plain(compiled.given[name]) for name in _GIVEN} | {
        "optimizer": plain(compiled.optimizer)
    }


def load_model(
    filepath: Any,
    custom_objects: Mapping[str, Any] | None = None,
    compile: bool = True,
    safe_mode: bool = True,
) -> Any:
    """Return the model that `Model.save` wrote, which goes on training where it was.

    Args:
        custom_objects: classes of layers, activations, losses and metrics, by their names.
        compile: whether the model is compiled as it was. A loss, metric or optimizer of the user's
            own is known if it is among `custom_objects`; else the model is not compiled, with a
            warning.
        safe_mode: says nothing here: no file holds code.

    Raises:
        NotFoundError, DataLossError: there is no such file, or it is damaged.
        ArgumentValueError: a class is not known.
    """
    path = file_path(filepath, "filepath")
    graph, arrays = archive.read_file(path, path)
    if not isinstance(graph, dict) or graph.get("kind") != "model":
        raise DataLossError(f"'{path}' is a checkpoint of other things, not a model")
    model = layer_of(graph["model"], custom_objects)
    given = [arrays[f"w{at}"] for at in range(sum(each.startswith("w") for each in arrays))]
    _build(model, graph.get("build_shape"), len(given))
    give_weights(model.name, list(model.weights), given)
    if flag(compile, "compile") and graph["compiled"] is not None:
        _compile(model, graph["compiled"], by_names(custom_objects, "custom_objects"), arrays)
    return model


def _build(model: Any, shape: Any, count: int) -> None:
    """Build a model whose weights were made by its first call, for inputs of that call's shape.

    Args:
        count: how many weights it had: those that its `build` does not make, a call does.
    """
    if shape is None:
        return
    shape = _shapes(shape)
    if not model.built:
        model.build_for(shape)
    if len(model.weights) < count:
        model._sketched((specs(shape, model._own.dtype),), {})


def _shapes(written: Any) -> Any:
    """Return shapes as tuples, in the lists and dicts they were in before JSON made all lists."""
    if isinstance(written, Mapping):
        return {name: _shapes(each) for name, each in written.items()}
    if any(isinstance(each, (list, Mapping)) for each in written):
        return [_shapes(each) for each in written]
    return tuple(written)


def _compile(
    model: Any, config: Mapping[str, Any], known: Mapping[str, Any], arrays: Mapping[str, Any]
) -> None:
    try:
        model.compile(**{name: _meant(each, known) for name, each in config.items()})
    except ArgumentValueError as error:
        warnings.warn(f"the model is not compiled: {error.message}", stacklevel=4)
        return
    kept = [arrays[f"o{at}"] for at in range(sum(each.startswith("o") for each in arrays))]
    optimizer = model.optimizer
    if len(kept) > len(optimizer.variables):
        optimizer.build(model.trainable_weights)
    give_weights(optimizer.name, optimizer.variables, kept)


def _meant(value: Any, known: Mapping[str, Any]) -> Any:
    """Return what a config means, with the user's own things for their names."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, list):
        return [_meant(each, known) for each in value]
    if isinstance(value, Mapping) and value.get("class_name") in known:
        return known[value["class_name"]](**value["config"])
    if isinstance(value, Mapping) and "class_name" not in value:
        return {name: _meant(each, known) for name, each in value.items()}
    return value

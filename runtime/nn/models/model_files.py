"""Reads model files: config, weights and optimizer state."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import file_path, flag
from runtime.core.context import caller_origin, is_internal_frame
from runtime.core.files import StrPath
from runtime.core.source_names import warn_at
from runtime.errors import (
    ArgumentValueError,
    CustomObjectError,
    DataLossError,
    MissingModelError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
)
from runtime.nn.custom_objects import custom_object_scope
from runtime.nn.layers.layer import specs
from runtime.nn.layers.weight_values import give_weights, no_larger_than
from runtime.nn.models.configs import layer_of
from runtime.nn.models.weight_files import restore_stores
from runtime.serialization.files import AllowFiles, allowing
from runtime.train import archive

if TYPE_CHECKING:
    from runtime.nn.models.model import Model


def load_model(
    filepath: StrPath,
    custom_objects: Mapping[str, Any] | None = None,
    compile: bool = True,
    safe_mode: bool = True,
    *,
    allow_files: AllowFiles = False,
) -> Model:
    """Return the model in a file of `Model.save`, which can continue its training.

    Args:
        custom_objects: classes of layers, activations, losses and metrics, by their names.
        compile: whether to compile the model as before. A user's own loss, metric or optimizer must
            be among `custom_objects`; else the model is not compiled, with a warning.
        safe_mode: no effect here: no file contains code.
        allow_files: the files that operations of the model may open: one or several paths of files
            and folders; True for any. By default there are none.

    Raises:
        MissingModelError: the file does not exist; it is a NotFoundError and a ValueError.
        DataLossError: it is damaged, or not a model.
        CustomObjectError: a user's class is unknown, or cannot be made from its config; it is an
            ArgumentValueError.
        PermissionDeniedError: the model opens a file that is not among `allow_files`.

    >>> import tempfile, runtime as rt
    >>> path = tempfile.mkdtemp() + "/model.keras"
    >>> rt.nn.Sequential([rt.nn.layers.Input((2,)), rt.nn.layers.Dense(1)]).save(path)
    >>> load_model(path)(rt.zeros([3, 2])).shape
    TensorShape([3, 1])
    """
    path = file_path(filepath, "filepath")
    try:
        graph, arrays = archive.read_file(path, path)
    except NotFoundError:
        raise MissingModelError(
            f"there is no model '{path}': give the path of a file that Model.save wrote"
        ) from None
    if not isinstance(graph, dict) or graph.get("kind") != "model":
        raise DataLossError(f"'{path}' is a checkpoint of other things, not a model")
    compiles = flag(compile, "compile")
    with allowing(allow_files), custom_object_scope(custom_objects), _intact(path):
        given = _numbered("w", arrays)
        with no_larger_than(given):
            model: Model = layer_of(graph["model"], custom_objects)
            _build(model, graph.get("build_shape"), len(given))
        give_weights(model.name, list(model.weights), given)
        restore_stores(model, arrays)
        reason = None
        if compiles and graph["compiled"] is not None:
            reason = _compile(model, graph["compiled"], arrays)
    if reason is not None:
        warn_at(caller_origin(), f"the model is not compiled: {reason}", UserWarning)
    return model


@contextmanager
def _intact(path: str) -> Iterator[None]:
    """Raise DataLossError for errors caused by the contents of a file.

    Errors of a user's class, of an unknown class, and of a file that the model may not open pass
    unchanged.
    """
    try:
        yield
    except (CustomObjectError, DataLossError, PermissionDeniedError):
        raise
    except Exception as error:
        if not all(map(_is_ours, walk_tb(error.__traceback__))):
            raise
        reason = error.message if isinstance(error, OpError) else f"{type(error).__name__}: {error}"
        words = f"'{path}' holds no model: {reason}"
        raise DataLossError(words) from error


def _is_ours(entry: tuple[FrameType, int]) -> bool:
    module = str(entry[0].f_globals.get("__name__"))
    return is_internal_frame(entry[0]) or module.partition(".")[0] in sys.stdlib_module_names


def _numbered(letter: str, arrays: Mapping[str, Any]) -> list[Any]:
    return [arrays[f"{letter}{at}"] for at in range(sum(key[:1] == letter for key in arrays))]


def _build(model: Any, shape: Any, count: int) -> None:
    """Create the weights of a model, for inputs of the stored shape.

    Args:
        count: the number of weights: if `build` creates fewer, a call creates the others.
    """
    if shape is None:
        return
    shape = _shapes(shape)
    if not model.built:
        model.build_for(shape)
    if len(model.weights) < count:
        model._sketched((specs(shape, model._own.dtype),), {})


def _shapes(written: Any) -> Any:
    """Return shapes as tuples, in their lists and dicts: JSON has lists in place of tuples."""
    if isinstance(written, Mapping):
        return {name: _shapes(each) for name, each in written.items()}
    if any(isinstance(each, (list, Mapping)) for each in written):
        return [_shapes(each) for each in written]
    return tuple(written)


def _compile(model: Any, config: Mapping[str, Any], arrays: Mapping[str, Any]) -> str | None:
    """Compile a model as it was; return None, or the reason why it cannot be compiled."""
    try:
        model.compile_from_config(config)
    except ArgumentValueError as error:
        return error.message
    kept, optimizer = _numbered("o", arrays), model.optimizer
    if optimizer is None:
        return None
    if len(kept) > len(optimizer.variables):
        optimizer.build(model.trainable_weights)
    give_weights(optimizer.name, optimizer.variables, kept)
    return None

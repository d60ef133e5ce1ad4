"""Loads saved objects: SavedModels, of this project and of TensorFlow, and archives."""

from __future__ import annotations

import os
from typing import Any

from autograph.saved_model.archive_reading import has_archive, read_archive
from autograph.saved_model.reading import read_saved_model
from autograph.saved_model.restored import loading_with
from runtime.core.argument_checks import file_path
from runtime.core.files import StrPath
from runtime.errors import MissingModelError
from runtime.export.saved_model.writer import FILE
from runtime.serialization.files import AllowFiles, FilesAllowed


def load(
    export_dir: StrPath,
    tags: Any = None,
    options: Any = None,
    *,
    allow_files: AllowFiles = False,
    executor: str | None = None,
    fallback: bool = False,
) -> Any:
    """Return the object that `save`, `save_archive` or TensorFlow wrote, with its attributes.

    Variables have their saved values. Functions take the arguments of their saved traces; they have
    gradients, and other Functions may call them. The file has no code: see SECURITY.md.

    Args:
        export_dir: the folder.
        tags: the tags of the graph in a SavedModel, by default those of `save`.
        options: accepted as in TensorFlow; without effect.
        allow_files: the files that functions may open when they run, as in
            `rt.print(..., output_stream="file://PATH")`: a path, or several, of files and folders;
            True for all. By default there are none.
        executor, fallback: the executor that runs its functions, and whether the NumPy executor
            runs those that it cannot run, as in `ag.function`.

    Raises:
        ArgumentValueError: there is no such executor.
        MissingModelError: the folder has no saved model.
        DataLossError: the file is damaged, or its contents are invalid.
        UnimplementedError: a SavedModel has ops that are not known here; the error lists them.
        PermissionDeniedError: a function opens a file that is not among `allow_files`.

    >>> import tempfile, autograph as ag, runtime as rt
    >>> folder = tempfile.mkdtemp()
    >>> module = rt.Module()
    >>> module.double = ag.function(lambda x: x * 2, input_signature=[rt.TensorSpec((), rt.int32)])
    >>> _ = ag.saved_model.save(module, folder)
    >>> int(load(folder).double(rt.constant(3)))
    6
    """
    path = file_path(export_dir, "export_dir")
    allowed = FilesAllowed(allow_files)
    with loading_with(executor, fallback):
        if has_saved_model(path):
            return read_saved_model(path, tags, allowed)
        if has_archive(path):
            return read_archive(path, allowed)
    raise MissingModelError(f"there is no saved model in '{path}' (no file '{FILE}' in it)")


def has_saved_model(path: str) -> bool:
    """Return whether a folder has a SavedModel.

    >>> has_saved_model("nowhere")
    False
    """
    return os.path.isfile(os.path.join(path, FILE))


def contains_saved_model(export_dir: StrPath) -> bool:
    """Return whether a folder has something that `load` reads.

    >>> contains_saved_model("nowhere")
    False
    """
    folder = file_path(export_dir, "export_dir")
    return has_saved_model(folder) or has_archive(folder)

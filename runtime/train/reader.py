"""Reading checkpoints without the objects that were saved, and finding the latest one."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.argument_checks import dict_argument, file_path, plain_text
from runtime.core.dtypes import DType, dtype_of_array
from runtime.core.files import StrPath, write_atomically
from runtime.core.tensor import Array
from runtime.distribute.processes import process_index
from runtime.errors import NotFoundError
from runtime.train import archive

STATE_FILE = "checkpoint"


def latest_checkpoint(checkpoint_dir: StrPath, latest_filename: str | None = None) -> str | None:
    """Return the path of the latest checkpoint in a folder, or None.

    >>> latest_checkpoint("/a/folder/that/is/not/there")
    """
    paths = saved_in(
        file_path(checkpoint_dir, "checkpoint_dir"),
        STATE_FILE if latest_filename is None else file_path(latest_filename, "latest_filename"),
    )
    return paths[-1] if paths and os.path.exists(paths[-1] + archive.SUFFIX) else None


def list_variables(ckpt_dir_or_file: StrPath) -> list[tuple[str, list[int]]]:
    """Return the keys and shapes of the values in a checkpoint, or in a folder's latest one.

    Raises:
        NotFoundError: there is no checkpoint.
        DataLossError: it is damaged.

    >>> import tempfile, runtime as rt
    >>> path = rt.train.Checkpoint(v=rt.Variable([1.0, 2.0])).save(tempfile.mkdtemp() + "/run")
    >>> [(key, shape) for key, shape in list_variables(path) if key.startswith("v")]
    [('v/.ATTRIBUTES/VARIABLE_VALUE', [2])]
    """
    arrays = archive.read(prefix_of(ckpt_dir_or_file))[1]
    return sorted((key, list(array.shape)) for key, array in arrays.items())


def load_variable(ckpt_dir_or_file: StrPath, name: str) -> Any:
    """Return one value of a checkpoint as a NumPy value.

    Args:
        name: a key from `list_variables`, or only its part before `/.ATTRIBUTES`.

    Raises:
        NotFoundError: there is no such checkpoint, or no such name in it.
        DataLossError: it is damaged.

    >>> import tempfile, runtime as rt
    >>> path = rt.train.Checkpoint(v=rt.Variable([1.0, 2.0])).save(tempfile.mkdtemp() + "/run")
    >>> load_variable(path, "v").tolist()
    [1.0, 2.0]
    """
    name = plain_text(name, "name")
    prefix = prefix_of(ckpt_dir_or_file)
    arrays = archive.read(prefix)[1]
    for key in (name, f"{name}/.ATTRIBUTES/VARIABLE_VALUE"):
        if key in arrays:
            return arrays[key] if arrays[key].ndim else arrays[key][()]
    raise NotFoundError(f"'{name}' is not in '{prefix}': it has {', '.join(sorted(arrays))}")


def saved_in(folder: str, filename: str = STATE_FILE) -> list[str]:
    """Return the paths that the file `checkpoint` of a folder names, the latest one last."""
    try:
        with open(os.path.join(folder, filename), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    quoted = re.findall(r'^(\w+): ("(?:[^"\\]|\\.)*")$', text, re.MULTILINE)
    try:
        named = [(word, json.loads(path)) for word, path in quoted]
    except ValueError:
        return []
    latest = [path for word, path in named if word == "model_checkpoint_path"]
    others = [path for word, path in named if word == "all_model_checkpoint_paths"]
    paths = [*(path for path in others if path not in latest), *latest]
    return [path if os.path.isabs(path) else os.path.join(folder, path) for path in paths]


def note_latest(prefix: str, others: Sequence[str] = ()) -> None:
    """Write the latest checkpoint's name to its folder, with the names of `others`."""
    if process_index() > 0:
        return
    folder = os.path.dirname(prefix)
    names = [json.dumps(os.path.relpath(path, folder or ".")) for path in (*others, prefix)]
    lines = [f"model_checkpoint_path: {names[-1]}"]
    lines += [f"all_model_checkpoint_paths: {name}" for name in names]
    write_atomically(os.path.join(folder, STATE_FILE), ("\n".join(lines) + "\n").encode())


def prefix_of(ckpt_dir_or_file: Any) -> str:
    """Return the path of a checkpoint, or of a folder's latest one; else raise NotFoundError."""
    path = file_path(ckpt_dir_or_file, "ckpt_dir_or_file")
    if not os.path.isdir(path) or os.path.exists(path + archive.SUFFIX):
        return path
    latest = latest_checkpoint(path)
    if latest is None:
        raise NotFoundError(f"there is no checkpoint in the folder '{path}'")
    return latest


# -- the values in a checkpoint, for programs without objects for them -----------------------------


@dataclass(frozen=True)
class CheckpointState:
    """The contents of the file `checkpoint` of a folder.

    Attributes:
        model_checkpoint_path: the path of the latest checkpoint.
        all_model_checkpoint_paths: the paths of all that still exist, the latest one last.

    Example:
        >>> import tempfile, runtime as rt
        >>> folder = tempfile.mkdtemp()
        >>> path = rt.train.Checkpoint(v=rt.Variable(1.0)).save(folder + "/run")
        >>> rt.train.get_checkpoint_state(folder).model_checkpoint_path == path
        True
    """

    model_checkpoint_path: str
    all_model_checkpoint_paths: list[str]


def get_checkpoint_state(
    checkpoint_dir: StrPath, latest_filename: str | None = None
) -> CheckpointState | None:
    """Return the checkpoints of a folder; None where no file names any.

    >>> get_checkpoint_state("/a/folder/that/is/not/there")
    """
    name = STATE_FILE if latest_filename is None else file_path(latest_filename, "latest_filename")
    paths = saved_in(file_path(checkpoint_dir, "checkpoint_dir"), name)
    return CheckpointState(paths[-1], paths) if paths else None


class CheckpointReader:
    """The values in a checkpoint by their keys, such as `a/.ATTRIBUTES/VARIABLE_VALUE`.

    >>> CheckpointReader("x", {"a": __import__("numpy").zeros(2)}).get_variable_to_shape_map()
    {'a': [2]}
    """

    def __init__(self, prefix: str, arrays: Mapping[str, Array]) -> None:
        self._prefix, self._arrays = prefix, dict(dict_argument(arrays, "arrays"))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shapes by key."""
        return {key: list(array.shape) for key, array in self._arrays.items()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """Return the dtypes by key."""
        return {key: dtype_of_array(array) for key, array in self._arrays.items()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Return whether there is a value of a key."""
        return plain_text(tensor_str, "tensor_str") in self._arrays

    def get_tensor(self, tensor_str: str) -> Any:
        """Return the NumPy value of a key; NotFoundError if there is none."""
        if not self.has_tensor(tensor_str):
            known = ", ".join(sorted(self._arrays))
            raise NotFoundError(f"'{tensor_str}' is not in '{self._prefix}': it has {known}")
        array = self._arrays[tensor_str]
        return array.copy() if array.ndim else array[()]

    def debug_string(self) -> bytes:
        """Return a line with key, dtype and shape for each value."""
        dtypes, shapes = self.get_variable_to_dtype_map(), self.get_variable_to_shape_map()
        return "\n".join(f"{key} ({dtypes[key].name}) {shapes[key]}" for key in shapes).encode()


def load_checkpoint(ckpt_dir_or_file: StrPath) -> CheckpointReader:
    """Return a reader of a checkpoint, or of the latest one of a folder.

    Raises:
        NotFoundError: there is no checkpoint.
        DataLossError: it is damaged.

    >>> import tempfile
    >>> from runtime.train.checkpoint import Checkpoint
    >>> from runtime.state.variable import Variable
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Checkpoint(a=Variable([1, 2])).save(folder + "/run")
    ...     load_checkpoint(folder).get_tensor("a/.ATTRIBUTES/VARIABLE_VALUE").tolist()
    [1, 2]
    """
    prefix = prefix_of(ckpt_dir_or_file)
    return CheckpointReader(prefix, archive.read(prefix)[1])

"""The values in a checkpoint, and what a folder has of them, for who has no objects for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runtime.core.argument_checks import by_names, file_path, plain_text
from runtime.core.dtypes import DType, dtype_of_array
from runtime.core.tensor import Array
from runtime.errors import NotFoundError
from runtime.train import archive
from runtime.train.reading import STATE_FILE, prefix_of, saved_in


@dataclass(frozen=True)
class CheckpointState:
    """What the file `checkpoint` of a folder says.

    Attributes:
        model_checkpoint_path: of the latest checkpoint.
        all_model_checkpoint_paths: of all that are kept, the latest one last.
    """

    model_checkpoint_path: str
    all_model_checkpoint_paths: list[str]


def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> CheckpointState | None:
    """Return which checkpoints a folder has; None where nothing says so.

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
        self._prefix, self._arrays = prefix, dict(by_names(arrays, "arrays"))

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
        """Return the value of a key as NumPy has it; NotFoundError if there is none."""
        if not self.has_tensor(tensor_str):
            known = ", ".join(sorted(self._arrays))
            raise NotFoundError(f"'{tensor_str}' is not in '{self._prefix}': it has {known}")
        array = self._arrays[tensor_str]
        return array.copy() if array.ndim else array[()]

    def debug_string(self) -> bytes:
        """Return a line with key, dtype and shape for each value."""
        dtypes, shapes = self.get_variable_to_dtype_map(), self.get_variable_to_shape_map()
        return "\n".join(f"{key} ({dtypes[key].name}) {shapes[key]}" for key in shapes).encode()


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """Return what is in a checkpoint, or in the latest one of a folder.

    Raises:
        NotFoundError: there is none.
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

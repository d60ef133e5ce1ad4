"""Assets: files that belong to a saved object, such as a vocabulary."""

from __future__ import annotations

import os
from typing import Any
from weakref import ref

from runtime.core.argument_checks import file_path
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.weak_tables import IdentityTable
from runtime.ops.constant import constant


class Asset:
    """A file that is saved with the object that has it as an attribute.

    Functions use its path as a tensor. Saving copies the file into the directory, and the loaded
    object has the path of the copy.

    Args:
        path: the path of the file.

    Attributes:
        asset_path: the path, a string tensor of shape ().

    Raises:
        InvalidArgumentError: the path is no text.

    Example:
        >>> import pathlib, tempfile
        >>> import autograph as ag, runtime as rt
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "words.txt").write_text("one two")
        >>> module = rt.Module()
        >>> module.words = ag.saved_model.Asset(folder / "words.txt")
        >>> _ = ag.saved_model.save(module, folder / "model")
        >>> loaded = ag.saved_model.load(folder / "model")
        >>> pathlib.Path(loaded.words.path).relative_to(folder.resolve()).as_posix()
        'model/assets/words.txt'
    """

    def __init__(self, path: Any) -> None:
        self.asset_path: Any = constant(file_path(_text(path), "path"))
        _ASSETS.put(self.asset_path, ref(self))

    @property
    def path(self) -> str:
        """The path as text."""
        return os.fsdecode(self.asset_path.numpy())

    def __repr__(self) -> str:
        return f"Asset({self.path!r})"


# The assets by their paths; an asset holds its path, so that the table must not hold it.
_ASSETS: IdentityTable[Tensor, ref[Asset]] = IdentityTable()


def asset_of(held: Any) -> Asset | None:
    """Return the asset whose path a tensor is, or None.

    >>> asset = Asset("words.txt")
    >>> asset_of(asset.asset_path) is asset, asset_of(constant("words.txt"))
    (True, None)
    """
    found = _ASSETS.get(held)
    return None if found is None else found()


def _text(path: Any) -> Any:
    if isinstance(path, EagerTensor):
        path = path.numpy()
    return os.fsdecode(path) if isinstance(path, bytes) else path

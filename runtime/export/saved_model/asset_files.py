"""The folder `assets` of a SavedModel: copies of the files that its functions use."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Mapping, Sequence

from runtime.core.files import file_error
from runtime.state.asset import Asset

ASSETS = "assets"


class AssetFiles:
    """The files of assets under the names of their copies.

    Two assets with equal files of one name share a copy; another file of that name has a number.

    Args:
        assets: the assets.

    Attributes:
        assets: the assets.
        names: the name of the copy of each.
        files: the path of each file that is copied, by the name of its copy.

    Raises:
        NotFoundError, PermissionDeniedError: a file cannot be read.
    """

    def __init__(self, assets: Sequence[Asset]) -> None:
        self.assets = list(assets)
        self.files: dict[str, str] = {}
        self.names = [self._name(each.path) for each in assets]

    def _name(self, path: str) -> str:
        stem, ending = os.path.splitext(os.path.basename(path))
        name, number = stem + ending, 0
        try:
            with open(path, "rb"):
                pass
            while name in self.files and not filecmp.cmp(path, self.files[name], shallow=False):
                number += 1
                name = f"{stem}_{number}{ending}"
        except OSError as error:
            raise file_error(error, path, "read") from None
        self.files.setdefault(name, path)
        return name


def copy_assets(files: Mapping[str, str], folder: str) -> None:
    """Make a folder with copies of files, under the names given."""
    os.mkdir(folder)
    for name, path in files.items():
        try:
            shutil.copyfile(path, os.path.join(folder, name))
        except OSError as error:
            raise file_error(error, path) from None

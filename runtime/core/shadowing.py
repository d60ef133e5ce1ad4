"""The check that an imported `autograph` is the package beside this one."""

from __future__ import annotations

import os
import sys

_NAME = "autograph"
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


def check_autograph() -> None:
    """Compare the file of `autograph`, if it is imported, with the folder of this project.

    A program that imports both finds out here; before, its `ag.function` is an attribute that the
    other module does not have.

    Raises:
        ImportError: another module or package was found under that name.
    """
    file = getattr(sys.modules.get(_NAME), "__file__", None)
    if file is not None and os.path.dirname(file) != os.path.join(_FOLDER, _NAME):
        raise ImportError(
            f"{file} shadows the package `{_NAME}` of this project: rename it, or start Python "
            "where it is not the first of that name on sys.path",
            name=_NAME,
            path=file,
        )

"""The check that `runtime` is the package beside this one, and no other of that name."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from autograph.errors import ShadowingError

_NAME = "runtime"
_FOLDER = os.path.dirname(os.path.dirname(__file__))


def check_runtime() -> None:
    """Import `runtime`.

    Raises:
        ShadowingError: another module or package is found under that name.
    """
    try:
        import_module("runtime")
    except Exception as error:
        if (other := _other_file()) is not None:
            raise _shadowed(other) from error
        raise
    if (other := _other_file()) is not None:
        raise _shadowed(other)


def _other_file() -> str | None:
    """Return the file of a module that shadows ours, None if there is none."""
    module = sys.modules.get(_NAME)
    file = getattr(module, "__file__", None)
    if module is None:
        file = _spec_file()
    elif file is None:
        file = next(iter(getattr(module, "__path__", ())), "a module without a file")
    ours = os.path.join(_FOLDER, _NAME)
    return None if file is None or os.path.dirname(file) == ours else str(file)


def _spec_file() -> str | None:
    """Return the file that an import of the name would execute."""
    for finder in sys.meta_path:
        spec = finder.find_spec(_NAME, None)
        if spec is not None:
            return spec.origin
    return None


def _shadowed(file: str) -> ShadowingError:
    return ShadowingError(
        f"{file} shadows the package `{_NAME}` that autograph is made of: rename it, or start "
        "Python where it is not the first of that name on sys.path"
    )

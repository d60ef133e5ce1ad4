"""The files of this project, whose frames are not reported as the user's frames.

The environment variable `AUTOGRAPH_TRACEBACKS=full` has errors show them all the same.
"""

from __future__ import annotations

import os

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
PACKAGE_PREFIXES = (
    f"{os.path.join(_ROOT, 'autograph')}{os.sep}",
    f"{os.path.join(_ROOT, 'runtime')}{os.sep}",
    # The prefix of the file names of printed functions.
    "<plan ",
)
_SHOW_ALL = os.environ.get("AUTOGRAPH_TRACEBACKS") == "full"


def is_internal_file(filename: str) -> bool:
    """Return whether `filename` is a file of these packages.

    >>> is_internal_file(__file__), is_internal_file("model.py")
    (True, False)
    """
    return filename.startswith(PACKAGE_PREFIXES)


def shows_all_frames() -> bool:
    """Return whether `AUTOGRAPH_TRACEBACKS=full` is set.

    >>> shows_all_frames()
    False
    """
    return _SHOW_ALL

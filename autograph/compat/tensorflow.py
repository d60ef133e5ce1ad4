"""TensorFlow's names: programs for TensorFlow 2 run with one changed import.

    from autograph.compat import tensorflow as tf

The names are those of objects of `runtime` and `autograph`; some functions of `compat.v1` and of
Keras are new, since their arguments have other names. A missing name raises an AttributeError, and
`dir(tf)` lists the names.
"""

from __future__ import annotations

import sys
from typing import Any

import autograph as _autograph
from autograph.compat.import_packages import TreeFinder
from runtime.core.lazy_imports import lazy_import

# The TensorFlow version whose names these are; the text after `+` says that it is not TensorFlow.
__version__ = f"2.21.0+autograph.{_autograph.__version__}"

# Makes this module a package for Python, whose modules `TreeFinder` makes.
__path__: list[str] = []

_tree_of_names = lazy_import("autograph.compat.name_tree:tree_of_names")
_refusal = lazy_import("autograph.compat.name_tree:refusal")
sys.meta_path.append(TreeFinder(__name__, "", is_package=False))


def __getattr__(name: str) -> Any:
    """Look up a name at its first use, which may import a part of the runtime."""
    if name == "_TREE":
        return globals().setdefault(name, _tree_of_names(__version__))
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module {__name__} has no {name}", name=name)
    tree = globals().get("_TREE") or __getattr__("_TREE")
    if name == "__all__":
        return dir(tree)
    if hasattr(tree, name):
        return globals().setdefault(name, getattr(tree, name))
    raise _refusal(name)


def __dir__() -> list[str]:
    return [*dir(globals().get("_TREE") or __getattr__("_TREE")), "__version__"]

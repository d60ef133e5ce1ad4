"""TensorFlow's names: programs for TF 2 run after changing one import.

    from autograph.compat import tensorflow as tf

Only names: everything here is the very object of `runtime` or `autograph`, but for functions of
`compat.v1` and of Keras whose arguments have other names. A name that is not there raises
AttributeError where it is written, and `dir(tf)` lists those that are.
"""

from __future__ import annotations

import sys
from typing import Any

import autograph as _autograph
from autograph.compat.import_packages import TreeFinder
from runtime.core.lazy_imports import lazy_import

# The TensorFlow version of these names and meanings; the text after `+` marks them as ours.
__version__ = f"2.21.0+autograph.{_autograph.__version__}"

# `TreeFinder` makes its modules, for `from autograph.compat.tensorflow.keras import`.
__path__: list[str] = []

_tree_of_names = lazy_import("autograph.compat.name_tree:tree_of_names")
_refusal = lazy_import("autograph.compat.name_tree:refusal")
sys.meta_path.append(TreeFinder(__name__, "", is_package=False))


def __getattr__(name: str) -> Any:
    """Look a name up on first access: it may be the first of its part of the runtime."""
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

"""TensorFlow's names: programs for TF 2 run after changing one import.

    from autograph.compat import tensorflow as tf

Only names: everything here is the very object of `runtime` or `autograph`, but for some of
`compat.v1` whose arguments were others. A name that is not there
yet raises AttributeError where it is written, and `dir(tf)` lists those that are.
"""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import Any

import autograph as _autograph
import runtime as _runtime
from autograph.compat import first_version
from autograph.compat.device_names import ONE_DEVICE
from autograph.compat.keras_names import KERAS
from autograph.compat.keras_spellings import SPELLED
from autograph.compat.namespace import MISSING, Namespace, missing_message, resolve
from autograph.compat.out_of_scope import OUT_OF_SCOPE_SPACES
from autograph.compat.packages import TreeFinder
from autograph.compat.spelling import spelled
from autograph.compat.tensorflow_names import FLAT, MOVED, OTHERWISE, SAME

# The version whose names and meanings these are; what follows `+` says whose they are.
__version__ = f"2.21.0+autograph.{_autograph.__version__}"

# A package, whose modules `TreeFinder` makes, for `from autograph.compat.tensorflow.keras import`.
__path__: list[str] = []

_ROOTS = {"rt": _runtime, "ag": _autograph}


def _same(namespace: str, name: str) -> object:
    """Find `tf.<namespace>.<name>` under the same path, or at the top where that is the same."""
    found = resolve(_runtime, f"{namespace}.{name}") if namespace else MISSING
    return resolve(_runtime, name) if found is MISSING and namespace in FLAT else found


def _elsewhere(path: str, target: str) -> object:
    """Find what a path stands for: a module as a namespace, which knows what is out of scope."""
    root, _, rest = target.partition(".")
    found = resolve(_ROOTS[root], rest)
    return Namespace(f"{__name__}.{path}", found) if isinstance(found, ModuleType) else found


def _spelled(path: str, target: str, spelling: str) -> object:
    """Find a function whose arguments have other names there."""
    found: Any = _elsewhere(path, target)
    return MISSING if found is MISSING else spelled(found, path.rpartition(".")[2], spelling)


def _tree() -> Namespace:
    tree = Namespace(__name__)
    for namespace, names in SAME.items():
        for name in names.split():
            path = f"{namespace}.{name}" if namespace else name
            tree.put_later(path, partial(_same, namespace, name))
    for path, target in {**OTHERWISE, **KERAS, **ONE_DEVICE}.items():
        tree.put_later(path, partial(_elsewhere, path, target))
    for path, (target, spelling) in SPELLED.items():
        tree.put_later(path, partial(_spelled, path, target, spelling))
    first_version.fill(tree)
    for path in OUT_OF_SCOPE_SPACES:
        tree.put(path, Namespace(f"{__name__}.{path}"))
    return tree


_TREE = _tree()
_TREE.put("newaxis", None)
_TREE.put("version.VERSION", __version__)
sys.meta_path.append(TreeFinder(__name__, "", is_package=False))


def __getattr__(name: str) -> Any:
    """Look a name up when it is first asked for: it may be the first of its part of the runtime."""
    if name == "__all__":
        return dir(_TREE)
    if not name.startswith("__") and hasattr(_TREE, name):
        return globals().setdefault(name, getattr(_TREE, name))
    moved = f": write {MOVED[name]}" if name in MOVED else ""
    raise AttributeError(missing_message(__name__, name, name) + moved, name=name)


def __dir__() -> list[str]:
    return [*dir(_TREE), "__version__"]

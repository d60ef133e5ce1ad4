"""Makes the tree of TensorFlow's names of the tables."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import autograph
import runtime
from autograph.compat import v1_names
from autograph.compat.keras_argument_names import RENAMED_ARGUMENTS
from autograph.compat.keras_names import KERAS
from autograph.compat.namespace import MISSING, Namespace, missing_message, resolve
from autograph.compat.out_of_scope import OUT_OF_SCOPE_SPACES
from autograph.compat.renamed_arguments import with_argument_names
from autograph.compat.tensorflow_names import DEVICES, FLAT, MOVED, RENAMED, SAME
from runtime.core.lazy_imports import load_module

_AT = "autograph.compat.tensorflow"
_ROOTS = {"rt": runtime, "ag": autograph}


def _find_same(namespace: str, name: str) -> object:
    """Find the value at the same path, or at the top for a flat namespace."""
    found = resolve(runtime, f"{namespace}.{name}") if namespace else MISSING
    return resolve(runtime, name) if found is MISSING and namespace in FLAT else found


def _find_renamed(path: str, target: str) -> object:
    """Find the value of a target; a module becomes a namespace, which reports missing names."""
    root, _, rest = target.partition(".")
    found = resolve(_ROOTS[root], rest)
    if found is MISSING:
        # The module is not imported yet.
        module, _, name = f"{_ROOTS[root].__name__}.{rest}".rpartition(".")
        found = getattr(load_module(module), name, MISSING) if _is_module(module) else MISSING
    return Namespace(f"{_AT}.{path}", found) if isinstance(found, ModuleType) else found


def _is_module(name: str) -> bool:
    package = name.rpartition(".")[0]
    return not package or _is_module(package) and find_spec(name) is not None


def _find_with_arguments(path: str, target: str, spelling: str) -> object:
    """Find a function, and give Keras's names to its arguments."""
    found: Any = _find_renamed(path, target)
    return (
        MISSING
        if found is MISSING
        else with_argument_names(found, path.rpartition(".")[2], spelling)
    )


def tree_of_names(version: str) -> Namespace:
    """Return the tree of TensorFlow's names.

    Args:
        version: the value of `version.VERSION`.

    >>> tree_of_names("2.21.0").math.exp.__name__
    'exp'
    """
    tree = Namespace(_AT)
    for namespace, names in SAME.items():
        for name in names.split():
            path = f"{namespace}.{name}" if namespace else name
            tree.put_lookup(path, partial(_find_same, namespace, name))
    for path, target in {**RENAMED, **KERAS, **DEVICES}.items():
        tree.put_lookup(path, partial(_find_renamed, path, target))
    for path, (target, spelling) in RENAMED_ARGUMENTS.items():
        tree.put_lookup(path, partial(_find_with_arguments, path, target, spelling))
    v1_names.add_v1_names(tree)
    for path in OUT_OF_SCOPE_SPACES:
        tree.put(path, Namespace(f"{_AT}.{path}"))
    tree.put("newaxis", None)
    tree.put("version.VERSION", version)
    return tree


def refusal(name: str) -> AttributeError:
    """Return the error for a name that is not at the top of the tree.

    >>> str(refusal("assign"))
    'autograph.compat.tensorflow has no assign yet: write variable.assign(value)'
    """
    moved = f": write {MOVED[name]}" if name in MOVED else ""
    return AttributeError(missing_message(_AT, name, name) + moved, name=name)

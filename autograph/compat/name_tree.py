"""Builds the tree of TensorFlow's namespaces from the tables, on first access."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import autograph
import runtime
from autograph.compat import v1_names as first_version
from autograph.compat.keras_argument_names import SPELLED
from autograph.compat.keras_names import KERAS
from autograph.compat.namespace import MISSING, Namespace, missing_message, resolve
from autograph.compat.out_of_scope import OUT_OF_SCOPE_SPACES
from autograph.compat.renamed_arguments import spelled
from autograph.compat.tensorflow_names import FLAT, MOVED, ONE_DEVICE, OTHERWISE, SAME
from runtime.core.lazy_imports import load_module

_AT = "autograph.compat.tensorflow"
_ROOTS = {"rt": runtime, "ag": autograph}


def _same(namespace: str, name: str) -> object:
    """Find `tf.<namespace>.<name>` under the same path, or at the top for a flat namespace."""
    found = resolve(runtime, f"{namespace}.{name}") if namespace else MISSING
    return resolve(runtime, name) if found is MISSING and namespace in FLAT else found


def _elsewhere(path: str, target: str) -> object:
    """Find the value of a path: a module becomes a namespace, which reports names out of scope."""
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


def _spelled(path: str, target: str, spelling: str) -> object:
    """Find a function, and give its arguments the other library's names."""
    found: Any = _elsewhere(path, target)
    return MISSING if found is MISSING else spelled(found, path.rpartition(".")[2], spelling)


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
            tree.put_later(path, partial(_same, namespace, name))
    for path, target in {**OTHERWISE, **KERAS, **ONE_DEVICE}.items():
        tree.put_later(path, partial(_elsewhere, path, target))
    for path, (target, spelling) in SPELLED.items():
        tree.put_later(path, partial(_spelled, path, target, spelling))
    first_version.fill(tree)
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

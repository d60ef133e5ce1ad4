"""Makes trees of names importable, as in `from autograph.compat.tensorflow.keras import layers`.

Python asks a finder for modules without a file. The finder returns a module with the names of the
namespace at a path of the tree; each name is looked up at its first use.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from autograph.errors import ShadowingError
from runtime.core.lazy_imports import lazy_import

_missing_message = lazy_import("autograph.compat.namespace:missing_message")
_resolve = lazy_import("autograph.compat.namespace:resolve")
_find_spec = lazy_import("importlib.util:find_spec")
_OURS = "autograph.compat.tensorflow"
# The packages that `install` provides, and their paths in the tree.
_PROVIDED = {"tensorflow": "", "keras": "keras"}
_NOT_TENSORFLOW = (
    "`import {name}` finds autograph.compat.tensorflow: these are names of TensorFlow 2.21 that "
    "run on this package, and not TensorFlow"
)
_IS_INSTALLED = (
    "TensorFlow is installed, and stays what `import tensorflow` finds: "
    "autograph.compat.install(shadow=True) puts this package in its place"
)


class NamedModule(ModuleType):
    """A module with the names of a namespace."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return [each for each in dir(self) if not each.startswith("_")]
        namespace = self.__dict__["__namespace__"]
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__} has no {name}", name=name)
        return self.__dict__.setdefault(name, getattr(namespace, name))

    def __dir__(self) -> list[str]:
        own = [name for name in self.__dict__ if not name.startswith("_")]
        return sorted({*own, *dir(self.__dict__["__namespace__"])})


class TreeFinder:
    """Finds the modules of a package, with the names of a tree.

    Args:
        package: the name of the package, `keras`.
        path: the path of its names in the tree, "" for the root.
        is_package: whether it finds the package too, not only the submodules.
    """

    def __init__(self, package: str, path: str, is_package: bool) -> None:
        self._package, self._path, self._is_package = package, path, is_package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the tree; None for a module of another package.

        Raises:
            ImportError: the tree has no such namespace; the message has the replacement.
        """
        if fullname != self._package and not fullname.startswith(f"{self._package}."):
            return None
        if fullname == self._package and not self._is_package:
            return None
        if not isinstance(self._namespace(fullname), ModuleType):
            raise self._error(fullname)
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module, whose names are looked up later."""
        made = NamedModule(spec.name, getattr(self._namespace(spec.name), "__doc__", None))
        made.__dict__["__namespace__"] = self._namespace(spec.name)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Warn if the module is a package that `install` provides."""
        if self._is_package and module.__name__ == self._package:
            warnings.warn(_NOT_TENSORFLOW.format(name=self._package), stacklevel=2)

    def _tree_path(self, fullname: str) -> str:
        return ".".join(filter(None, (self._path, fullname[len(self._package) + 1 :])))

    def _namespace(self, fullname: str) -> Any:
        tree, path = importlib.import_module(_OURS), self._tree_path(fullname)
        return _resolve(tree, path) if path else tree

    def _error(self, fullname: str) -> ImportError:
        home, _, name = fullname.rpartition(".")
        if hasattr(self._namespace(home), name):
            instead = f"from {home} import {name}"
            return ImportError(f"{fullname} is not a module: write `{instead}`", name=fullname)
        return ImportError(_missing_message(home, name, self._tree_path(fullname)), name=fullname)


def install(*, shadow: bool = False) -> None:
    """Make `import tensorflow` and `import keras` find the names of this package.

    Their submodules are found too, as in `from tensorflow.keras.layers import Dense`. The first
    import of each package warns that it is not TensorFlow.

    Args:
        shadow: whether to replace an installed TensorFlow or Keras too. By default the installed
            package is imported, and a warning says so.

    Raises:
        ShadowingError: `shadow` is true, and TensorFlow or Keras is imported already.

    Example:
        >>> import autograph.compat
        >>> autograph.compat.install()  # doctest: +SKIP
        >>> import tensorflow as tf  # doctest: +SKIP
    """
    if any(_is_ours(finder) for finder in sys.meta_path):
        return
    installed = [name for name in _PROVIDED if _is_installed(name)]
    loaded = [name for name in installed if name in sys.modules]
    if shadow and loaded:
        raise ShadowingError(
            f"{loaded[0]} is imported already: call autograph.compat.install(shadow=True) first"
        )
    if installed and not shadow:
        warnings.warn(_IS_INSTALLED, stacklevel=2)
    finders = [TreeFinder(name, path, is_package=True) for name, path in _PROVIDED.items()]
    if shadow:
        sys.meta_path[:0] = finders
    else:
        sys.meta_path += finders


def _is_ours(finder: object) -> bool:
    return isinstance(finder, TreeFinder) and finder._is_package


def _is_installed(name: str) -> bool:
    try:
        return name in sys.modules or _find_spec(name) is not None
    except (ImportError, ValueError):
        return False

"""The package `runtime`, under a name that no other package has: `import autograph.runtime as rt`.

It is the same module, and so are its submodules: `autograph.runtime.nn` is `runtime.nn`. The stubs
in this folder are for type checkers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

import runtime

if TYPE_CHECKING:
    from runtime import *  # noqa: F403

_PREFIX = f"{__name__}."


class SubmoduleFinder:
    """Finds the submodules of `runtime` under the names of `autograph.runtime`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a submodule; None for other modules."""
        if not fullname.startswith(_PREFIX):
            return None
        try:
            found = find_spec(fullname.removeprefix("autograph."))
        except ModuleNotFoundError as error:
            message = str(error).replace("'runtime.", f"'{_PREFIX}")
            raise ModuleNotFoundError(message, name=fullname) from None
        if found is None:
            return None
        spec = ModuleSpec(fullname, self, origin=found.origin)  # type: ignore[arg-type]
        spec.submodule_search_locations = found.submodule_search_locations
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make an empty module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the submodule of `runtime` in the place of an empty module."""
        name = module.__name__
        sys.modules[name] = import_module(name.removeprefix("autograph."))


sys.meta_path.insert(0, SubmoduleFinder())  # type: ignore[arg-type,unused-ignore]
sys.modules[__name__] = runtime

"""Lazy imports: `module:name` stands for an object that is imported on first use.

graph_text = lazy_import("runtime.graph.text:graph_text")    a function, imported when it is called

class Graph:                                                 a method that a higher layer implements
    get_operations = lazy_import("runtime.export.graphdef.operations:get_operations")

if TYPE_CHECKING:                                            the names of a package
    from runtime.ops.elementwise.arithmetic import add as add
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__, {"runtime.ops.elementwise.arithmetic": "add"}
    )

Python's import locks make this safe for threads: concurrent first uses get the same object.
`tools/layers.py` counts lazy imports as imports; the body of a class may name a higher layer.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from runtime.core.fork_safety import fork_gate
from runtime.core.garbage_collection import are_objects_set_aside, has_frozen_objects

# Names in a package's namespace that are not public.
_PRIVATE = frozenset(
    ("TYPE_CHECKING", "Any", "annotations", "lazy_attributes", "lazy_import", "load_module")
)


def lazy_import(reference: str) -> Callable[..., Any]:
    """Return a function that imports `module:name` at its first call, and calls it.

    >>> lazy_import("math:sqrt")(9)
    3.0
    """
    target: Callable[..., Any] | None = None

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal target
        if target is None:
            target = load(reference)
        return target(*args, **kwargs)

    return call


def load(reference: str) -> Any:
    """Return the object named by `module:name`.

    >>> load("math:pi")
    3.141592653589793
    """
    module, _, name = reference.partition(":")
    return getattr(load_module(module), name)


def load_module(module: str) -> Any:
    """Import and return a module, with garbage collection off, as the objects of modules stay.

    Forks by other threads wait: Python's lock of a module in import would stay held in the child.

    >>> load_module("math").sqrt(9)
    3.0
    """
    if module in sys.modules:
        return import_module(module)
    with fork_gate:
        if not gc.isenabled():
            return import_module(module)
        gc.disable()
        try:
            return import_module(module)
        finally:
            _promote_to_oldest_generation()
            gc.enable()


_is_frozen = False


def _promote_to_oldest_generation() -> None:
    """Have the next garbage collection leave out all objects, as it does those that are old.

    Not where the program froze objects, which must stay frozen. To count these takes a while where
    there are millions, and so happens once. In a trace nothing tells whether the program did.
    """
    global _is_frozen
    if are_objects_set_aside():
        return
    _is_frozen = _is_frozen or has_frozen_objects()
    if not _is_frozen:
        gc.freeze()
        gc.unfreeze()


def lazy_attributes(
    module: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for a module whose names are lazy imports.

    `dir(module)` has the public names only, those of its `__all__`.

    Args:
        module: the name of the module.
        names: for each module, the names that are imported from it, separated by blanks; `new=old`
            renames one. Names that a package imports from itself are its submodules.

    Submodules that are not listed are imported on first use too.

    >>> getattr_, dir_, all_ = lazy_attributes("shapes", {"math": "pi circle=tau"})
    >>> getattr_("circle")
    6.283185307179586
    """
    table = {
        entry.partition("=")[0]: (source, entry.rpartition("=")[2])
        for source, entries in names.items()
        for entry in entries.split()
    }
    namespace = vars(sys.modules[module]) if module in sys.modules else {}

    def get(name: str) -> Any:
        source, old = table.get(name, (module, name))
        if source != module:
            found = getattr(load_module(source), old)
        elif name in table or _is_submodule(module, namespace, name):
            found = load_module(f"{module}.{old}")
        else:
            raise _missing(module, name, {*namespace, *table})
        return namespace.setdefault(name, found)

    public = [
        name
        for name, value in namespace.items()
        if not name.startswith("_")
        and name not in _PRIVATE
        # A submodule that another one has imported.
        and getattr(value, "__name__", "") != f"{module}.{name}"
    ]
    exported = [*public, *table]
    return get, lambda: sorted({*namespace.get("__all__", exported)}), exported


def public_name(module: str) -> str:
    """Return the name of a module as the program writes it, which may import `autograph.runtime`.

    >>> public_name("math")
    'math'
    """
    is_renamed = module.partition(".")[0] == "runtime" and "autograph.runtime" in sys.modules
    return f"autograph.{module}" if is_renamed else module


def own_names(module: str, *others: str) -> Callable[[], list[str]]:
    """Return `__dir__` for a module: the public names that it defines, and some others.

    >>> "MisspelledModules" in own_names(__name__)(), "Mapping" in own_names(__name__)()
    (True, False)
    """
    namespace = vars(sys.modules[module])
    return lambda: sorted(
        name
        for name, value in namespace.items()
        if name in others
        or (not name.startswith("_") and getattr(value, "__module__", "") == module)
    )


def missing_names(module: str) -> Callable[[str], Any]:
    """Return `__getattr__` for a module: its error has the name to write instead.

    >>> missing_names(__name__)("own_name")
    Traceback (most recent call last):
    AttributeError: module 'runtime.core.lazy_imports' has no attribute 'own_name'; ...
    """
    namespace = vars(sys.modules[module])

    def get(name: str) -> Any:
        raise _missing(module, name, namespace)

    return get


def _missing(module: str, name: str, known: Iterable[str]) -> AttributeError:
    instead = _attribute_suggestion(module, name, known)
    return AttributeError(
        f"module {public_name(module)!r} has no attribute {name!r}{instead}", name=name
    )


def _is_submodule(module: str, namespace: Mapping[str, Any], name: str) -> bool:
    if "__path__" not in namespace or name.startswith("__") or not name.isidentifier():
        return False
    try:
        return _find_spec(f"{module}.{name}") is not None
    except ModuleNotFoundError:  # of `MisspelledModules`
        return False


class MisspelledModules:
    """The last finder of modules: a name like that of a module of these packages is an error.

    Python's own error would not name the module that is meant.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        """Find no module.

        Raises:
            ModuleNotFoundError: a module has a similar name.
        """
        package, _, name = fullname.rpartition(".")
        if package.partition(".")[0] not in ("runtime", "autograph"):
            return
        siblings = [each.name for each in _modules_in(path) if not each.name.startswith("_")]
        instead = _did_you_mean(name, siblings, f"{package}.")
        if instead and not name.startswith("_"):
            raise ModuleNotFoundError(f"No module named {fullname!r}{instead}", name=fullname)


_attribute_suggestion = lazy_import("runtime.core.name_suggestions:attribute_suggestion")
_did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")
_modules_in = lazy_import("pkgutil:iter_modules")
sys.meta_path.append(MisspelledModules)


class _AfterImport:
    """A finder that finds one module where others do, and calls a function after its import."""

    def __init__(self, module: str, then: Callable[[], object]) -> None:
        self._module, self._then = module, then

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of the module, with a loader that calls the function."""
        if fullname != self._module:
            return None
        others = (each for each in sys.meta_path if each is not self)
        specs = (each.find_spec(fullname, path, target) for each in others)
        spec = next((each for each in specs if each is not None), None)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = partial(self._executed, loader.exec_module)
        return spec

    def _executed(self, execute: Callable[[Any], object], module: Any) -> None:
        execute(module)
        self._then()


def after_import(module: str, then: Callable[[], object]) -> None:
    """Call a function now if a module is imported, or when the program imports it.

    >>> after_import("math", lambda: print("there"))
    there
    """
    if module in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _AfterImport(module, then))


_find_spec = lazy_import("importlib.util:find_spec")


def loaded_classes(*references: str) -> tuple[type, ...]:
    """Return those of the classes whose modules are imported; the others have no instances.

    >>> import decimal
    >>> isinstance(decimal.Decimal(1), loaded_classes("decimal:Decimal", "no_such_module:Class"))
    True
    """
    parts = (reference.split(":") for reference in references)
    found = (getattr(sys.modules.get(module), name, None) for module, name in parts)
    return tuple(each for each in found if each is not None)

"""The boundary of library code: its files, its modules and the internals of its objects."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, GeneratorType, MethodType
from typing import Any

from autograph.operators.frames import python_folder
from autograph.operators.user_classes import mro_of, own_attributes
from runtime.core.internal_files import is_internal_file
from runtime.core.stored_attributes import stored_attributes

_LIBRARY = tuple(
    f"{path}{os.sep}" for path in (python_folder("stdlib"), python_folder("platstdlib"))
)
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
# Modules whose classes are containers.
_HOLDERS = (
    *("collections", "types", "weakref", "_weakrefset", "builtins"),
    *("_thread", "_threading_local", "_contextvars", "contextvars"),
)
_HOLDING_CLASSES = (("argparse", "Namespace"), ("optparse", "Values"))


def is_library_class(kind: type) -> bool:
    """Return whether a class is a library's, and no container."""
    module = str(own_attributes(kind).get("__module__", "builtins"))
    if module.partition(".")[0] in _HOLDERS or (module, kind.__name__) in _HOLDING_CLASSES:
        return False
    return is_library_module(module)


def is_library_module(name: str) -> bool:
    """Return whether a module belongs to the standard library or was installed.

    >>> is_library_module("json"), is_library_module("module_of_a_user")
    (True, False)
    """
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return name.partition(".")[0] in sys.stdlib_module_names and name != "__main__"
    return is_library_file(file)


def is_library_file(file: str) -> bool:
    """Return whether a source file is of the standard library, of these packages, or installed."""
    if any(name in file for name in _INSTALLED) or is_internal_file(file):
        return True
    return file.startswith(_LIBRARY) or file.startswith("<frozen ")


# -- what an object of a library holds -------------------------------------------------------------

_CONTAINERS = (dict, list, tuple, set, deque)
_MOST_HELD = 100


def held_by_library(value: object) -> tuple[list[object], list[Any]]:
    """Return the users' objects in an object of a library, and the containers that it holds.

    The search goes through containers inside each other, of 100 items each at most.

    >>> import queue
    >>> from pathlib import Path
    >>> waiting = queue.Queue()
    >>> waiting.put([Path("a")])
    >>> objects, containers = held_by_library(waiting)
    >>> objects, waiting.queue in containers, waiting.queue[0] in containers
    ([], True, True)
    """
    objects: dict[int, object] = {}
    containers: list[Any] = []
    level = [value]
    for _ in range(4):
        inside = [part for each in level for part in _parts_held(each)]
        objects |= {id(part): part for part in inside if _is_of_user(type(part))}
        level = [part for part in inside if type(part) in _CONTAINERS]
        containers += [part for part in level if type(part) is not tuple]
    return [*objects.values()], containers


def _parts_held(value: Any) -> list[Any]:
    if type(value) not in _CONTAINERS:
        attributes = stored_attributes(value)
        if attributes:
            return [*attributes.values()]
        if type(value) is GeneratorType:
            return [] if value.gi_frame is None else [*value.gi_frame.f_locals.values()]
        # A tuple inside of an iterator written in C, as of `zip_longest`, may have holes.
        return [part for part in gc.get_referents(value) if type(part) is not tuple]
    if len(value) > _MOST_HELD:
        return []
    return [*(value.values() if type(value) is dict else value)]


def _is_of_user(kind: type) -> bool:
    module = own_attributes(kind).get("__module__")
    if not isinstance(module, str) or issubclass(kind, type):
        return False
    is_known = module.partition(".")[0] in (*_HOLDERS, "autograph", "runtime", "numpy")
    return not is_known and not is_library_module(module)


# -- attributes that the user gives to objects of these packages -----------------------------------


# Types that contain code, and the attributes that lead to it.
_WITH_CODE = (FunctionType, property, staticmethod, classmethod, functools.cached_property)
_PARTS = ("__wrapped__", "__func__", "fget", "fset", "func", "__code__")


def given_attributes(value: object) -> dict[object, object]:
    """Return the attributes of an object of these packages that its classes do not mention.

    >>> import autograph.runtime as rt
    >>> layer = rt.nn.layers.Dense(1)
    >>> layer.rate = 0.5
    >>> given_attributes(layer)
    {'rate': 0.5}
    """
    held = stored_attributes(value)
    if type(held) is not dict:
        return {}
    kind: Any = type(value)
    known = _names_of(kind)
    return {k: v for k, v in held.items() if k not in known and not str(k).startswith("_")}


@functools.cache
def _names_of(kind: type) -> frozenset[str]:
    """Return all names that the classes and methods of an object mention."""
    names = set[str]()
    for each in mro_of(kind):
        own = own_attributes(each)
        names.update(own, _annotated(own))
        waiting: list[Any] = [*own.values()]
        while waiting:
            part = waiting.pop()
            if type(part) is CodeType:
                names.update(part.co_names)
                waiting += part.co_consts
            elif type(part) in _WITH_CODE:
                waiting += [getattr(part, name, None) for name in _PARTS]
    return frozenset(names)


def _annotated(own: Mapping[str, Any]) -> Mapping[str, Any]:
    found = own.get("__annotations__")
    return found if type(found) is dict else {}


# -- the user's parts of a network -----------------------------------------------------------------

_NETWORKS = ("runtime.nn.", "runtime.nn")
_OURS = ("autograph", "runtime", "numpy", "builtins")
_CALLABLE = (FunctionType, MethodType, functools.partial)
_ITEMS = (list, tuple, set, deque)


def is_network(kind: type) -> bool:
    """Return whether objects of a class are parts of networks that are not the user's.

    >>> import autograph.runtime as rt
    >>> is_network(rt.nn.Sequential), is_network(rt.Variable)
    (True, False)
    """
    return str(own_attributes(kind).get("__module__")).startswith(_NETWORKS)


def users_parts(network: object, visited: dict[int, Any]) -> list[Any]:
    """Return the user's objects and functions in a network, each one once.

    Their own parts are not searched. Parts of the network with attributes that the user has given
    them are among the result.

    Args:
        network: the object to begin with.
        visited: the objects searched before, by identity; newly searched ones are added.

    >>> import autograph.runtime as rt
    >>> class Doubling(rt.nn.layers.Layer):
    ...     __module__ = "model"
    ...     def call(self, x):
    ...         return x * 2
    >>> users_parts(rt.nn.Sequential([Doubling(), rt.nn.layers.Dense(1)]), {})
    [<Doubling name=doubling, built=False>]
    """
    if id(network) in visited or not is_network(type(network)):
        return []
    found: dict[int, Any] = {}
    visited[id(network)] = network
    waiting = [network]
    while waiting:
        for value in _inside(waiting.pop()):
            if _is_searched(type(value)):
                if id(value) not in visited:
                    visited[id(value)] = value
                    waiting.append(value)
                    if is_network(type(value)) and given_attributes(value):
                        found[id(value)] = value
            elif _is_users(value):
                found[id(value)] = value
    return list(found.values())


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        return iter([*value.values()])
    if isinstance(value, _ITEMS):
        return iter([*value])
    return iter([*stored_attributes(value).values()])


def _is_searched(kind: type) -> bool:
    return kind in (dict, *_ITEMS) or is_network(kind)


def _is_users(value: object) -> bool:
    if type(value) is FunctionType:
        return _package(value.__module__) not in _OURS
    if type(value) in _CALLABLE:
        return True
    # Some classes written in C have no `__module__`.
    return _package(own_attributes(type(value)).get("__module__", "builtins")) not in _OURS


def _package(module: object) -> str:
    return str(module).partition(".")[0]

"""The reach of code: the variables it shares or mentions, and the objects in them.

The search runs before the code, so that changes can be detected after it. Objects of library
classes are not watched, unless a local variable holds them: a logger may fill its cache.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from itertools import count
from threading import get_ident
from types import (
    BuiltinFunctionType,
    CellType,
    FrameType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any
from weakref import ProxyTypes

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.staged_array import is_array, roots_of
from autograph.backends.graph.objects.object_contents import (
    LEAF_TYPES,
    ClassVariables,
    Contents,
    Globals,
    Member,
    StoredAttributes,
    contents_of,
    is_indexed,
    users_classes,
    users_classes_of,
    variables_of,
)
from autograph.backends.graph.objects.opaque_state import opaque
from autograph.backends.graph.source.library_boundary import (
    held_by_library,
    is_library_class,
    is_library_file,
    is_library_module,
    is_network,
    users_parts,
)
from autograph.backends.graph.source.name_references import (
    assigned_globals,
    owned_names,
    referenced_names,
)
from autograph.backends.graph.state.object_paths import (
    AccessPath,
    ContentsKeeper,
    WatchedObject,
    decorated_function,
    entry_name,
    function_inside,
    without_cells,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import unwrapped
from autograph.backends.graph.values.value_spec import known_objects
from autograph.operators.call_listeners import is_within, listen, stop_listening
from autograph.operators.user_classes import (
    functions_of,
    implicitly_called,
    is_a,
    own_attributes,
)
from runtime.core.context import current_recorder
from runtime.core.stored_attributes import stored_attributes

# The depth of the search: enough for nested containers. A linked list or a tree is followed
# further, to its 100th node: a step from an object to another one of its class is a small one.
DEEPEST = 8
_SMALL_STEP = 0.08
# In larger containers the items are watched, but not the objects inside the items.
_MOST_ITEMS = 1000
_PLAIN = (int, float, complex, str, bytes, type(None), rt.Tensor)

# Counts the creations of reaches, to order them in time.
TIMES = count(1)


class Reach(list[WatchedObject]):
    """The objects that some code can reach; it grows when the code calls functions.

    Args:
        frames: the functions being traced, innermost first, whose local variables keep their own
            names.
        sees_opaque: whether arrays, iterators and other opaque objects are watched.

    Attributes:
        thread: the thread whose calls are watched.
        recorder: the recorder during these calls.
        time: when watching began.
        aliases: other names of watched objects, with their main name.
        is_lifted: whether lifted code runs: code that is not part of the recorded graph.
        keeper: stores the former contents of watched objects.
        made: the identities of objects that are reached only through changes by lifted code.
        lifted: the places that lifted code has changed, as objects and keys.
        run_once: the identities of functions that only run as lifted code.
        run_in_scopes: the identities of functions that only lifted code has called.
    """

    is_lifted = False
    keeper: ContentsKeeper | None = None

    def __init__(self, frames: list[FrameType], sees_opaque: bool = True) -> None:
        super().__init__()
        self.thread, self.time = get_ident(), next(TIMES)
        self.recorder: Any = current_recorder()
        self._frames = frames
        self._sees_opaque = sees_opaque
        # The attributes of library objects, with their former values: such objects are not watched,
        # but no symbolic tensor may be left in them.
        self.unwatched: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self.library_containers: list[tuple[str, Any, Contents]] = []
        self.aliases: dict[str, str] = {}
        self.made, self.run_once, self.run_in_scopes = set[int](), set[int](), set[int]()
        self.lifted: list[tuple[WatchedObject, object]] = []
        self._at: dict[int, int] = {}
        self._variables = set[tuple[int, str]]()
        self._names: dict[str, int] = {}
        # Kept alive, so that no other object gets the same identity.
        self._searched: dict[int, object] = {}
        self._attributed: dict[int, object] = {}
        self._methods = set[int]()
        self._networks: dict[int, object] = {}
        listen(self)

    def close(self) -> None:
        """End the watching of calls: an exception that the program keeps may keep this alive."""
        stop_listening(self)

    @property
    def functions(self) -> list[FunctionType]:
        """The functions whose code has been searched."""
        return [each for each in self._searched.values() if type(each) is FunctionType]

    def let_go(self) -> Callable[[], None]:
        """Drop all strong references to functions; return a function that restores them."""
        inside = [*self._searched.items()]
        functions = [(key, each) for key, each in inside if type(each) is FunctionType]
        known = [(key, weakref.ref(each), without_cells(each)) for key, each in functions]
        self._searched = {k: each for k, each in inside if type(each) is not FunctionType}

        def take_up() -> None:
            self._searched.update((key, found() or bare) for key, found, bare in known)

        return take_up

    def knows(self, value: object) -> bool:
        """Return whether an object is watched."""
        return id(value) in self._at

    def find(self, value: object) -> WatchedObject | None:
        """Return the entry of a watched object."""
        return self[self._at[id(value)]] if id(value) in self._at else None

    def put(self, value: object, each: WatchedObject) -> None:
        """Add the entry of one object."""
        self._at[id(value)] = len(self)
        self.append(each)
        if self.keeper is not None:
            self.keeper.note(each)

    def note(self, callee: Any) -> None:
        """Watch the objects that a function or class, which is about to be called, mentions."""
        if not (self.is_lifted or is_within(current_recorder(), self.recorder)):
            return None
        if type(callee) is MethodType:
            callee = callee.__func__
        if isinstance(callee, functools.partial):
            return self.note(callee.func)
        if id(callee) in self._searched:
            return None if self.is_lifted else self.run_in_scopes.discard(id(callee))
        if (function := decorated_function(callee)) is not None:
            self.note(function)
        if type(callee) is FunctionType:
            self._searched[id(callee)] = callee
            self.run_in_scopes |= {id(callee)} if self.is_lifted else set()
            self.add_mentioned(callee, DEEPEST)
        elif issubclass(type(callee), type):
            self.add_class(callee, DEEPEST)
        return None

    def record_result(self, name: str, value: object) -> None:
        """Watch the result of the call `name`, which a cache holds as well."""
        if self.is_lifted or is_within(current_recorder(), self.recorder):
            self.add(name, value, DEEPEST, outside=True)

    # -- from code -----------------------------------------------------------------------------

    def name_variables(self, function: FunctionType) -> None:
        """Reserve the names of a body's variables, so that no other variables get them."""
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._names.setdefault(name, id(cell))

    def add_body(self, function: FunctionType) -> None:
        """Watch the objects that a body shares with the functions around it, or mentions."""
        self._searched[id(function)] = function
        self.add_shared(function, DEEPEST)
        space = id(function.__globals__)
        # The variables that it assigns are among the variables of the statement.
        self._variables.update((space, name) for name in assigned_globals(function.__code__))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._add_cell(name, cell, DEEPEST, outside=True)
        self.add_mentioned(function, DEEPEST)

    def add_shared(self, function: FunctionType, depth: float) -> None:
        """Watch the variables a function shares with the functions being traced."""
        owned = owned_names(function.__code__, self._frames)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if name in owned:
                is_here = self._names.get(name, id(cell)) == id(cell)
                here = name if is_here else f"{function.__name__}.{name}"
                self._add_cell(here, cell, depth, outside=False)

    def add_outer(self, function: FunctionType, depth: float, is_traced: bool = False) -> None:
        """Watch the variables, defaults and attributes of a function.

        Its variables keep their own names only if it is the traced function.
        """
        name = function.__qualname__.rpartition("<locals>.")[2]
        if not self._add_attributes(name, function, depth, outside=True):
            return
        for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            full_name = variable if is_traced else f"{name}.{variable}"
            self._add_cell(full_name, cell, depth, outside=True)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.add(f"{name}.__defaults__", default, depth - 1, outside=True)

    def add_mentioned(self, function: FunctionType, depth: float) -> None:
        """Watch the global variables that a function mentions, also those of other modules."""
        if is_library_file(function.__code__.co_filename):
            return
        module = str(function.__globals__.get("__name__", "")).rpartition(".")[2]
        self._add_variables(
            module, function.__globals__, referenced_names(function.__code__), depth
        )

    def _add_variables(
        self, module: str, namespace: dict[str, object], mentioned: frozenset[str], depth: float
    ) -> None:
        space = id(namespace)
        new = [n for n in mentioned if n in namespace and (space, n) not in self._variables]
        self._variables.update((space, name) for name in new)
        if not new:
            return
        variables = Globals(namespace, frozenset(new))
        values = contents_of(variables) or {}
        module = self._unlike_others(module, namespace)
        self.put(variables, WatchedObject(module, variables, values))
        for name, value in values.items():
            if type(value) is ModuleType:
                self._add_module(value, mentioned, depth - 1)
            else:
                path = AccessPath(variables, (name,))
                self.add(f"{module}.{name}", value, depth - 1, outside=True, path=path)

    def _add_module(self, module: ModuleType, mentioned: frozenset[str], depth: float) -> None:
        name = module.__name__
        if depth <= 0 or name.partition(".")[0] in ("runtime", "autograph"):
            return
        if not is_library_module(name):
            self._add_variables(name.rpartition(".")[2], vars(module), mentioned, depth)
            return
        for each in sorted(mentioned & vars(module).keys()):
            value = vars(module)[each]
            if type(value) is ModuleType:
                self._add_module(value, mentioned, depth - 1)
            else:
                self._add_opaque(f"{name}.{each}", getattr(value, "__self__", value))

    def _unlike_others(self, name: str, value: object) -> str:
        """Return a unique name for a value."""
        number, unique = 1, name
        while self._names.setdefault(unique, id(value)) != id(value):
            number, unique = number + 1, f"{name}_{number}"
        return unique

    # -- from values ---------------------------------------------------------------------------

    def add(
        self,
        name: str,
        value: Any,
        depth: float,
        outside: bool = False,
        path: AccessPath | None = None,
    ) -> None:
        """Watch `value` and, down to `depth`, the containers and objects inside it."""
        value = unwrapped(value)
        if type(value) is OneOfObjects:
            for option in value.options:
                self.add(name, option, depth, outside)
            return
        if type(value) is DynamicItems:
            for each in known_objects(value.element):
                self.add(f"{name}[...]", each, depth, outside)
            return
        if type(value) is ModuleType:
            return self._add_module(value, variables_of(value), depth)
        if id(value) in self._at:
            self.aliases.setdefault(name, self[self._at[id(value)]].name)
            return
        if depth <= 0 or is_a(value, _PLAIN):
            return
        if is_array(value) and (not self._sees_opaque or contents_of(value) is not None):
            # An array outside of a function is known by its holder.
            for each in (value, *roots_of(value)) if self._sees_opaque else ():
                if id(each) not in self._at:
                    self.put(each, WatchedObject(name, each, contents_of(each) or {}))
            return
        if type(value) is np.ndarray and value.dtype.hasobject:
            self._add_elements(name, value, depth, outside, path)
        if self._add_callable(name, value, depth, outside) or self._add_opaque(name, value):
            return
        if is_a(value, (tuple, frozenset)):
            self._add_elements(name, value, depth, outside, path)
            return
        for each in users_parts(value, self._networks):
            self.add(self._unlike_others(type(each).__name__, each), each, DEEPEST, outside)
        if is_network(type(value)) or type(value) is rt.Variable:
            self._add_attributes(name, value, depth, outside)
        is_users = is_indexed(value) or type(value) is rt.TensorArray
        is_librarys = is_library_class(type(value)) or _is_pythons_iterator(type(value))
        if outside and not is_users and is_librarys:
            self._add_parts_of_library(name, value, depth)
            return
        self._add_contents(name, value, depth, outside, path)
        if is_indexed(value):
            self._add_attributes(name, value, depth, outside)

    def _add_parts_of_library(self, name: str, value: object, depth: float) -> None:
        """Watch the users' objects in an object of a library; remember its other contents."""
        if id(value) in self._attributed:
            return
        self._attributed[id(value)] = value
        objects, containers = held_by_library(value)
        for each in objects:
            self.add(self._unlike_others(f"{name}.{type(each).__name__}", each), each, depth - 1)
        if not self._sees_opaque:
            attributes = stored_attributes(value)
            if type(attributes) is dict:
                self.unwatched.append((name, attributes, dict(attributes)))
            inside = (each for each in containers if each is not attributes)
            self.library_containers += [(name, each, contents_of(each) or {}) for each in inside]

    def _add_callable(self, name: str, value: Any, depth: float, outside: bool) -> bool:
        """Watch the state of a function or class; return whether the value is one."""
        if type(value) is FunctionType:
            self._add_function(value, depth - 1)
        elif issubclass(type(value), type):
            self.add_class(value, depth - 1)
            self._add_methods(value, depth - 1)
        elif type(value) is MethodType:
            self.add(f"{name}.__self__", value.__self__, depth - 1, outside)
            self.add(name, value.__func__, depth, outside)
        elif type(value) is BuiltinFunctionType and is_indexed(value.__self__):
            # The list's own name is better, if it is known by then.
            self.add(name, value.__self__, depth, outside)
        elif isinstance(value, functools.partial):
            # Nested generators, of any number, call each other in these.
            for part in (value.func, *value.args, *value.keywords.values()):
                self.add(name, part, DEEPEST, outside)
        elif (function := function_inside(value)) is not None:
            self.add(name, function, depth, outside)
        else:
            return False
        return True

    def _add_elements(
        self, name: str, value: Any, depth: float, outside: bool, path: AccessPath | None
    ) -> None:
        """Watch the contents of a tuple, a frozen set, or an array of objects."""
        is_set = is_a(value, (frozenset,))
        items = value.flat if is_a(value, (np.ndarray,)) else value
        for at, item in enumerate(items) if len(items) <= _MOST_ITEMS else ():
            if type(item) not in LEAF_TYPES:
                key = Member(item) if is_set else at
                to_item = None if path is None else path.to(key)
                self.add(f"{name}[{at}]", item, depth - 1, outside, to_item)

    def _add_contents(
        self, name: str, value: object, depth: float, outside: bool, path: AccessPath | None = None
    ) -> None:
        if (contents := contents_of(value)) is None:
            return
        each = WatchedObject(name, value, contents, path=path)
        path = path or AccessPath(value, ())
        self.put(value, each)
        for kind in users_classes(value):
            self.add_class(kind, depth - 1)
        self._add_methods(type(value), depth - 1)
        is_set, has_keys = is_a(value, (set,)), is_a(value, (dict,))
        for key, item in contents.items() if len(contents) <= _MOST_ITEMS else ():
            if type(item) not in LEAF_TYPES:
                to_item = path.to(Member(item) if is_set else key)
                is_small = type(item) is type(value) and not is_indexed(value)
                step = _SMALL_STEP if is_small and len(self) < _MOST_ITEMS else 1
                self.add(entry_name(each, key), item, depth - step, outside, to_item)
            if has_keys and type(key) not in LEAF_TYPES:
                self.add(f"{name}.keys()", key, depth - 1, outside, path.to(Member(key)))

    def _add_attributes(self, name: str, owner: object, depth: float, outside: bool) -> bool:
        """Watch the attributes of a function or container; return whether they are new."""
        if id(owner) in self._attributed:
            return False
        self._attributed[id(owner)] = owner
        self._add_contents(name, StoredAttributes(owner), depth, outside)
        return True

    def _add_function(self, function: FunctionType, depth: float) -> None:
        self.add_shared(function, depth)
        if not is_library_file(function.__code__.co_filename):
            self.add_outer(function, depth)
        elif type(inner := getattr(function, "__wrapped__", None)) is FunctionType and depth > 0:
            self._add_function(inner, depth - 1)  # a library's decorator is around the user's

    def add_class(self, kind: type, depth: float) -> None:
        """Watch the variables of a user class, and the objects that implicit method calls reach."""
        if id(kind) in self._searched or depth <= 0 or is_library_class(kind):
            return
        self._searched[id(kind)] = kind
        if kind not in users_classes_of(kind):
            return
        for base in users_classes_of(kind)[1:]:
            self.add_class(base, depth)
        self._add_contents(kind.__name__, ClassVariables(kind), depth, outside=True)
        if type(kind) is not type:
            self.add_class(type(kind), depth)
        for function in implicitly_called(kind):
            self.note(function)

    def _add_methods(self, kind: type, depth: float) -> None:
        """Watch the closures, defaults and attributes of methods, which few have."""
        for each in users_classes_of(kind):
            if id(each) in self._methods or is_library_class(each):
                continue
            self._methods.add(id(each))
            for function in functions_of(each):
                own = (function.__closure__, function.__defaults__, function.__kwdefaults__)
                if any(own) or vars(function):
                    self._add_function(function, depth - 1)

    def _add_cell(self, name: str, cell: CellType, depth: float, outside: bool) -> None:
        if id(cell) in self._at:
            return
        self.put(cell, WatchedObject(name, cell, contents := contents_of(cell) or {}))
        for value in contents.values():
            self.add(name, value, depth, outside, AccessPath(cell, ("cell",)))

    def _add_opaque(self, name: str, value: Any) -> bool:
        if type(value) in (BuiltinFunctionType, MethodWrapperType):
            value = value.__self__
        watched = opaque(value) if self._sees_opaque else None
        if watched is not None and id(value) not in self._at:
            self.put(value, WatchedObject(name, watched, contents_of(watched) or {}))
        return watched is not None


def _is_pythons_iterator(kind: type) -> bool:
    """Return whether a class is one of Python's own iterators, such as a generator or a `zip`."""
    is_users = "__module__" in own_attributes(kind) or kind in ProxyTypes
    return hasattr(kind, "__next__") and not is_users

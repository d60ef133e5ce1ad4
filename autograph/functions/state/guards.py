"""Guards check before a call that the state a trace has read is still the same.

rate = 2                                  graph f(%x: int32) {
                                            %constant = constant() {value=2: int32}
@ag.function(guards="warn")        ->       ...
def f(x):                                 }
    return x * rate                       with a guard on `rate`: 2

A global variable or attribute in reach counts as read if its name occurs in the code, a closure
variable and the contents of a list, dict or set always, so a guard may be on one that the code does
not read. Shape guards compare attributes, methods and code:

hasattr(o, "cache"), try: o.limit       the attributes of an object that the code names
o.method(x)                             the members of its classes under these names
helper(x)                               the code and the defaults of a function
"""

from __future__ import annotations

import os
import re
import reprlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    StoredAttributes,
    contents_of,
    is_indexed,
    users_classes,
)
from autograph.backends.graph.objects.opaque_state import opaque
from autograph.backends.graph.source.name_references import referenced_names
from autograph.backends.graph.state.object_paths import (
    WatchedObject,
    entry_name,
    function_inside,
)
from autograph.backends.graph.state.reachability import Reach
from autograph.errors import StaleValueWarning
from autograph.functions.effect_analysis.state_uses import read_globals
from autograph.functions.state.places import ABSENT, WHOLE, StatePlace, place_of
from autograph.operators.user_classes import is_a, mro_of, own_attributes
from autograph.syntax.code_comparison import is_same_code
from runtime.core.context import Origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import line_name, warn_at
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import SymbolicTensor


class ShapeGuard(NamedTuple):
    """A guard on the names of attributes, the methods or the code of one object.

    Attributes:
        name: the object as the user writes it.
        owner: a weak reference to the object, class or function.
        identity: a key of the guarded object.
        names: the names that the code mentions.
        seen: the key of the members at the time of the trace.
        text: the text of these members.
    """

    name: str
    owner: weakref.ref[Any]
    identity: object
    names: frozenset[str]
    seen: object
    text: str

    def now(self) -> object:
        """Return a key of the current members, to compare with `seen`; None without an owner."""
        owner = self.owner()
        return None if owner is None else _seen(owner, self.names)

    def now_text(self) -> str:
        """Return the text of the current members."""
        owner = self.owner()
        return "gone" if owner is None else _text(owner, self.names)


def shape_guards(
    reach: Reach, functions: Iterable[FunctionType], names: frozenset[str]
) -> Iterator[ShapeGuard]:
    """Yield shape guards on all objects that code can reach.

    Args:
        reach: the objects it can reach.
        functions: the functions that may run.
        names: the names in their code.
    """
    texts = (each for f in functions for each in _texts(f.__code__))
    names = names.union(texts)
    guarded = dict[int, Any]()
    for each in list(reach):
        owner = _object(each)
        if owner is not None:
            guarded.setdefault(id(owner), (each.name, owner))
            for kind in users_classes(owner):
                guarded.setdefault(id(kind), (kind.__name__, kind))
    for function in functions:
        guarded.setdefault(id(function), (function.__name__, function))
    for name, owner in guarded.values():
        try:
            reference = weakref.ref(owner)
        except TypeError:
            continue
        yield ShapeGuard(
            name=name,
            owner=reference,
            identity=("shape", id(owner)),
            names=names,
            seen=_seen(owner, names),
            text=_text(owner, names),
        )


def _object(each: WatchedObject) -> Any:
    """Return the watched object, if it has attributes."""
    if isinstance(each.value, (StoredAttributes, ClassVariables)):
        return each.value.owner
    is_other = is_indexed(each.value) or isinstance(each.value, (Globals, CellType))
    return None if is_other else each.value


def _texts(code: CodeType) -> Iterator[str]:
    """Yield the strings in code that may be attribute names, as in `hasattr(o, "cache")`."""
    for each in code.co_consts:
        if isinstance(each, str) and each.isidentifier():
            yield each
        elif isinstance(each, CodeType):
            yield from _texts(each)


def _seen(owner: Any, names: frozenset[str]) -> object:
    if isinstance(owner, FunctionType):
        return owner.__code__, guard_key(owner.__defaults__), guard_key(owner.__kwdefaults__, True)
    if isinstance(owner, type):
        return tuple(
            (kind, name, id(own[name]) if hasattr(type(own[name]), "__get__") else None)
            for kind in mro_of(owner)
            for own in [own_attributes(kind)]
            for name in sorted(names & own.keys())
        )
    return type(owner), tuple(sorted(names & (contents_of(owner) or {}).keys()))


def _text(owner: Any, names: frozenset[str]) -> str:
    if isinstance(owner, FunctionType):
        return f"a function of line {owner.__code__.co_firstlineno}"
    if isinstance(owner, type):
        return "a class with other methods"
    had = ", ".join(sorted(names & (contents_of(owner) or {}).keys()))
    return f"a {type(owner).__name__} with {had or 'none of the attributes'}"


# -- guards on values ------------------------------------------------------------------------------


_sha1 = lazy_import("hashlib:sha1")

_ENVIRONMENT = WatchedObject("os.environ", os.environ, {})
_ENVIRONMENT_NAMES = frozenset(("environ", "getenv"))

# The policies that a user gives. "cells" is the default in notebooks: a warning, once for each
# place, by guards that are fast to check.
GivenPolicy = Literal["off", "warn", "retrace"]
Policy = Literal["off", "cells", "warn", "retrace"]
POLICIES: tuple[Policy, ...] = ("off", "cells", "warn", "retrace")

# Types compared by `==`; `guard_key` compares numbers, tuples, arrays and files by their contents,
# and all other objects by identity.
_VALUES = (bool, int, str, bytes, type(None))
_LONGEST = 60
# Arrays up to this size, in bytes, are compared by their bytes, which is faster than a digest; fast
# guards compare larger ones by identity.
_MOST_BYTES = 1 << 16
# Fast guards are on containers of at most so many items.
_MOST_ITEMS = 1000
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


class Guard(NamedTuple):
    """A guard on the value of one place.

    Attributes:
        name: the place as the user writes it.
        place: the place.
        seen: the key of its value at the time of the trace.
        text: the text of that value.
        definition: the definition of that value, if it is a function.
        is_fast: whether large arrays and the state of opaque objects are compared by identity.
    """

    name: str
    place: StatePlace
    seen: object
    text: str
    definition: object = None
    is_fast: bool = False

    @property
    def identity(self) -> object:
        """The identity of the place."""
        return self.place.identity

    def now_text(self) -> str:
        """Return the text of the current value."""
        return text_of_value(self.place.value())

    def now(self) -> object:
        """Return a key of the current value."""
        return guard_key(self.place.value(), self.place.key is WHOLE, self.is_fast)


AnyGuard: TypeAlias = "Guard | ShapeGuard"


def stronger(one: Policy, other: Policy) -> Policy:
    """Return the stronger of two policies: "off" < "cells" < "warn" < "retrace".

    >>> stronger("warn", "off")
    'warn'
    """
    return max(one, other, key=POLICIES.index)


def guards_of(
    reach: Reach, written: Iterable[StatePlace], is_fast: bool = False
) -> tuple[AnyGuard, ...]:
    """Return guards on the state that code reads outside of itself.

    Args:
        reach: the objects it can reach, with their contents before the trace.
        written: the places that it writes, which need no guards: they are part of the trace key.
        is_fast: whether the checks must take next to no time: large arrays are compared by
            identity, and containers only if they are small and the code names what holds them.
    """
    # An `__init__` names all attributes of its object, but reads none from before.
    functions = [each for each in reach.functions if each.__name__ != "__init__"]
    names = frozenset(name for each in functions for name in referenced_names(each.__code__))
    left_out = {_where(place) for place in written}
    by_name = read_globals(functions)
    named_modules = {
        id(vars(part))
        for each in reach
        for part in each.contents.values()
        if type(part) is ModuleType
    }

    def names_in(each: WatchedObject) -> frozenset[str]:
        if type(each.value) is not Globals:
            return names
        space = id(each.value.namespace)
        # The variables of a named module are read as attributes, too.
        return names if space in named_modules else by_name.get(space, names)

    watched = [*reach, *([_ENVIRONMENT] if _ENVIRONMENT_NAMES & names else ())]
    if is_fast:
        unread = _unread(watched, names_in)
        watched = [each for each in watched if not _is_slow(each.value, unread)]
    found = (guard for each in watched for guard in _guards_on(each, names_in(each), is_fast))
    shapes = shape_guards(reach, functions, names)
    return (*(guard for guard in found if _where(guard.place) not in left_out), *shapes)


def _unread(
    watched: Iterable[WatchedObject], names_in: Callable[[WatchedObject], frozenset[str]]
) -> frozenset[int]:
    """Return the identities of the objects that are held only under names not in the code."""
    read, unread = set[int](), set[int]()
    for each in watched:  # holders come first
        is_read = id(each.value) not in unread or id(each.value) in read
        by_name = not (is_indexed(each.value) or type(each.value) is CellType)
        names = names_in(each) if by_name else frozenset[str]()
        for key, value in each.contents.items():
            (read if is_read and (not by_name or str(key) in names) else unread).add(id(value))
    return frozenset(unread - read)


def _is_slow(value: object, unread: frozenset[int]) -> bool:
    """Return whether a container has no fast guard: it is large, or the code does not name it."""
    if not is_indexed(value):
        return False
    return id(value) in unread or len(contents_of(value) or ()) > _MOST_ITEMS


def _where(place: StatePlace) -> object:
    """Return the identity of a place, whether or not it only grows."""
    return place.identity[:-1]


def _guards_on(each: WatchedObject, names: frozenset[str], is_fast: bool) -> Iterator[Guard]:
    if each is _ENVIRONMENT:
        place = place_of(each, WHOLE)
        yield Guard(each.name, place, guard_key(each.value), text_of_value(each.value))
        return
    if is_indexed(each.value):
        now = contents_of(each.value) or {}
        if _same(each.contents, now) and not any(map(_is_of_trace, now.values())):
            yield Guard(
                _name(each),
                place_of(each, WHOLE),
                guard_key(each.value, True, is_fast),
                text_of_value(each.value),
                is_fast=is_fast,
            )
        return
    by_name = type(each.value) is not CellType
    now = contents_of(each.value) or {}
    for key, value in each.contents.items():
        if by_name and str(key) not in names:
            continue
        if now.get(key, ABSENT) is not value or _is_of_trace(value) or is_a(value, (ModuleType,)):
            continue
        name = entry_name(each, key)
        is_variable = type(each.value) is Globals
        yield Guard(
            str(key) if is_variable else _name(each, name),
            place_of(each, key),
            guard_key(value, is_fast=is_fast),
            text_of_value(value),
            _definition_of(value),
            is_fast,
        )


def _name(each: WatchedObject, name: str = "") -> str:
    """Return a watched object as the user writes it; a global variable without its module."""
    is_global = each.path is not None and type(each.path.root) is Globals
    name = name or each.name
    return name.partition(".")[2] if is_global else name


def _same(before: dict[Any, Any], now: dict[Any, Any]) -> bool:
    return list(before) == list(now) and all(now[key] is before[key] for key in before)


def _is_of_trace(value: object) -> bool:
    return isinstance(value, SymbolicTensor)


def guard_key(value: Any, with_items: bool = False, is_fast: bool = False) -> object:
    """Return the key of a value that guards compare: equal keys, the same trace.

    Args:
        value: any value.
        with_items: whether a list, dict or set is compared by its items, not by identity.
        is_fast: whether large arrays and the state of opaque objects are compared by identity.

    >>> guard_key(1) == guard_key(True), guard_key(0.0) == guard_key(-0.0)
    (False, False)
    """
    kind = type(value)
    if kind in _VALUES:
        return kind, value
    if kind in (float, complex):
        return kind, repr(value)
    if kind is tuple:
        return tuple([guard_key(item, False, is_fast) for item in value])
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        is_small = array.nbytes <= _MOST_BYTES
        if array.dtype != object and (is_small or not is_fast):
            data = array.tobytes()
            return kind, array.dtype, array.shape, data if is_small else _sha1(data).digest()
    if (thing := opaque(value)) is not None and thing.kind.is_state:
        parts = () if is_fast else guard_key(thing.snapshot().parts)
        return _IdentityGuard(value), parts
    if with_items and is_indexed(value):
        items = (contents_of(value) or {}).items()
        return kind, tuple([(type(key), key, guard_key(it, False, is_fast)) for key, it in items])
    return _IdentityGuard(value)


def is_guarded_by_identity(value: object, is_fast: bool = False) -> bool:
    """Return whether a value is compared by identity."""
    return type(guard_key(value, is_fast=is_fast)) is _IdentityGuard


class _IdentityGuard:
    """An object compared by identity, held weakly if its type allows it."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, value: object) -> None:
        self._hash = id(value)
        try:
            self._reference: Any = weakref.ref(value)
        except TypeError:
            self._reference = lambda: value

    def __eq__(self, other: object) -> bool:
        if type(other) is not _IdentityGuard:
            return False
        mine = self._reference()
        return mine is not None and mine is other._reference()

    def __hash__(self) -> int:
        return self._hash


def text_of_value(value: object) -> str:
    """Return a short text of a guarded value for a message: one line, cut off if it is long."""
    if (thing := opaque(value)) is not None and thing.kind.is_state:
        return "one with other contents"
    if (code := _code_of(value)) is not None:
        return f"the one of {line_name(code.co_filename, code.co_firstlineno)}"
    text = reprlib.repr(value) if is_indexed(value) else repr(value)
    text = _ADDRESS.sub("", " ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _code_of(value: object) -> CodeType | None:
    """Return the code of a function, also inside of a Function or a decorator; None for others."""
    while (inner := _wrapped_by(value)) is not None:
        value = inner
    return value.__code__ if isinstance(value, FunctionType) else None


def _wrapped_by(value: object) -> object | None:
    """Return the function inside of a Function, or one that `functools.wraps` notes."""
    attributes = stored_attributes(value)
    wrapped = attributes.get("__wrapped__") if type(attributes) is dict else None
    return function_inside(value) or wrapped


def _definition_of(value: object, depth: int = 8) -> object:
    """Return the definition of a function: its code, and keys of its defaults and closure.

    A decorated function has the definitions of the decorator's function and of the one inside it.
    It is None for other objects.
    """
    if depth and isinstance(value, FunctionType):
        shape = _seen(value, frozenset())
        return shape, tuple([_cell_key(cell, depth - 1) for cell in value.__closure__ or ()])
    inner = _wrapped_by(value) if depth else None
    return None if inner is None else (type(value), _definition_of(inner, depth - 1))


def _cell_key(cell: CellType, depth: int) -> object:
    for value in (contents_of(cell) or {}).values():
        return _definition_of(value, depth) or guard_key(value, True, True)
    return ABSENT


def _is_same_definition(one: object, other: object) -> bool:
    """Return whether two definitions, or keys of functions, differ at most in their lines."""
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return is_same_code(one, other)
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(map(_is_same_definition, one, other))
    return one == other


def merged_guards(
    old: Sequence[AnyGuard], seen: Sequence[object], new: Sequence[AnyGuard]
) -> tuple[AnyGuard, ...]:
    """Return the guards of a new trace and those of earlier ones on places that it did not change.

    Args:
        old: the guards of earlier traces.
        seen: the keys of their values before the new trace.
        new: the guards of the new trace.
    """
    known = {guard.identity for guard in new}
    still = (guard for guard, was in zip(old, seen) if guard.now() == was)
    return (*new, *(guard for guard in still if guard.identity not in known))


def values_of(guards: Sequence[AnyGuard]) -> tuple[object, ...]:
    """Return the current keys of guarded values, as a part of a trace key."""
    return tuple([guard.now() for guard in guards])


def warn_of_stale(
    guards: Sequence[AnyGuard],
    warned: set[object],
    function_name: str,
    origin: Origin | None,
    once: bool = False,
    remedy: str = "",
) -> None:
    """Warn at the user's line of guarded places whose values have changed, once for each value.

    Args:
        guards: the guards of the called trace.
        warned: the guards and values that were warned of so far; new ones are added.
        function_name: the name of what was traced.
        origin: the line that calls it.
        once: whether a place is warned of once, whatever its values; each definition of a function
            counts.
        remedy: what to do; by default, what helps a Function.
    """
    for guard in guards:
        seen = guard.now()
        if seen == guard.seen or (isinstance(guard, ShapeGuard) and guard.owner() is None):
            continue  # what has held an object that is gone has a guard, too
        before, now = _definitions(guard)
        is_definition = before is not None and now is not None
        pair = (before, now) if is_definition else (guard.seen, seen)
        if _is_same_definition(*pair):
            continue  # the cell with its definition was run again
        case = (guard.identity, None if once and not is_definition else seen)
        if case in warned:
            continue
        warned.add(case)
        is_definition = is_definition or _is_class(guard)
        text, default = (_definition_warning if is_definition else _value_warning)(
            guard, function_name
        )
        warn_at(origin, f"{text}: {remedy or default}", StaleValueWarning)


def _definitions(guard: AnyGuard) -> tuple[object, object]:
    """Return the definition of a guarded function at the time of the trace, and that of now."""
    if isinstance(guard, ShapeGuard) or guard.definition is None:
        return None, None
    return guard.definition, _definition_of(guard.place.value())


def _is_class(guard: AnyGuard) -> bool:
    return isinstance(guard, Guard) and isinstance(guard.place.value(), type)


def _definition_warning(guard: AnyGuard, function_name: str) -> tuple[str, str]:
    """Return the text about a definition that has changed, and what helps a Function."""
    before, now = guard.text, guard.now_text()
    used = "uses the former one" if _is_class(guard) else "calls the former one"
    if not _is_class(guard) and before != now:
        used = f"calls {before}, not {now}"
    return (
        f"'{guard.name}' was defined anew after {function_name} was traced, which still {used}",
        f"define {function_name} anew, too, or write @ag.function(guards='retrace') above it",
    )


def _value_warning(guard: AnyGuard, function_name: str) -> tuple[str, str]:
    """Return the text about a value that has changed, and what helps a Function."""
    now, before = guard.now_text(), guard.text
    return (
        f"'{guard.name}' was {before if before != now else 'another'} when {function_name} was "
        f"traced and is {now} now, which the trace does not see",
        "pass it as an argument, keep it in an rt.Variable, or use guards='retrace'",
    )

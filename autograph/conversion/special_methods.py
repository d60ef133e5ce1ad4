"""Converts methods that Python calls implicitly: operators, properties, constructors.

Python itself calls `__add__` and the function of a property. So the code of these functions is
replaced by the converted code when an object of the class first occurs in a trace. Outside of a
trace, its eager version runs: other code sees no difference.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograph.conversion.functions import FunctionConversions, is_generated
from autograph.conversion.rules import Verdict
from autograph.conversion.wrappers import wrapped_by
from autograph.errors import AutographError
from autograph.operators.user_classes import mro_of, own_attributes, special_method
from autograph.options import STANDARD
from runtime.core.fork_safety import fork_safe_lock, is_held_by_other, reset_in_child
from runtime.core.weak_tables import weakref_removing

# Methods that are not converted here: Python calls some at any time, or for each object, and
# converted code calls the others itself.
_NOT_CONVERTED = frozenset(
    {"__call__", "__del__", "__getattribute__", "__class_getitem__", "__init_subclass__"}
)


class SpecialMethods:
    """Converts the special methods of classes, each class once.

    Args:
        functions: the conversion of functions.
    """

    def __init__(self, functions: FunctionConversions) -> None:
        self._functions = functions
        self._lock = fork_safe_lock()
        self._known: dict[tuple[int, tuple[str, ...]], weakref.ref[type]] = {}
        reset_in_child(self, SpecialMethods._forget_unfinished)

    def convert_methods(self, kind: type, include: tuple[str, ...] = ()) -> None:
        """Convert the methods of a class, and of its bases, that Python calls.

        For descriptors of `functools`, the functions they call are converted, not the descriptors.

        Args:
            kind: the class.
            include: names of modules whose classes count as the user's own.
        """
        with self._lock:
            for each in mro_of(kind):
                key = (id(each), include)
                if key not in self._known and not _is_of_functools(each):
                    self._known[key] = weakref_removing(each, self._known, key)
                    for function in _called_by_python(each):
                        self._convert(function, include)
                    # The metaclass creates objects, and descriptors compute attributes.
                    for other in (type(each), *map(type, _descriptors_of(each))):
                        self.convert_methods(other, include)

    def _forget_unfinished(self) -> None:
        if is_held_by_other(self._lock):
            self._known.clear()

    def _convert(self, function: FunctionType, include: tuple[str, ...]) -> None:
        if is_generated(function) or wrapped_by(function) is not None:
            return
        of_attrs = function.__code__.co_filename.startswith("<attrs generated")
        if of_attrs and function.__name__ == "__repr__":
            return  # It tests no tensor, and its `try` would be staged.
        if function.__globals__ is vars(functools):
            # The methods that `total_ordering` adds test the results of the user's own methods.
            include = (*include, functools.__name__)
        if self._functions.rule_for(function, include).verdict is Verdict.LEAVE:
            return
        try:
            generated = self._functions.generated(function, replace(STANDARD, include=include))
        except AutographError:
            return  # Python runs it as it is
        if generated.fits(function):
            function.__code__ = generated.code


def _is_of_functools(kind: type) -> bool:
    return own_attributes(kind).get("__module__") == functools.__name__


def _descriptors_of(kind: type) -> Iterator[object]:
    for value in list(own_attributes(kind).values()):
        if any(special_method(value, name) for name in ("__get__", "__set__", "__delete__")):
            yield value


def _called_by_python(kind: type) -> Iterator[FunctionType]:
    for name, value in list(own_attributes(kind).items()):
        for function in _functions_of(name, value):
            if type(function) is FunctionType:
                yield function


def _functions_of(name: str, value: Any) -> tuple[object, ...]:
    # `isinstance` would run the object's code.
    kind = type(value)
    if issubclass(kind, property):
        return (value.fget, value.fset, value.fdel)
    if issubclass(kind, functools.cached_property):
        return (value.func,)
    if not (name.startswith("__") and name.endswith("__")) or name in _NOT_CONVERTED:
        return ()
    return (value.__func__,) if issubclass(kind, (staticmethod, classmethod)) else (value,)

"""Rules that decide which called functions are converted and which run unconverted.

The first rule of the table that applies decides. `conversion_reason` returns its reason.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import os
import sys
import zipimport
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import CodeType, FunctionType
from typing import NamedTuple

from autograph.conversion.included_modules import is_within
from autograph.conversion.library_wrappers import is_library_wrapper
from autograph.conversion.wrappers import LazilyConverted, UnconvertedFunction, wrapped_by
from autograph.operators.calls import method_called
from autograph.operators.frames import python_folder
from autograph.operators.pure_python_modules import is_pure_python_form
from autograph.operators.user_classes import mro_of, own_attributes
from runtime.core.internal_files import is_internal_file


class Verdict(Enum):
    """The decision on a function that converted code calls."""

    CONVERT = "convert"
    LEAVE = "leave"


@dataclass(slots=True, eq=False, repr=False)
class Candidate:
    """A callable with the facts that the rules need.

    Attributes:
        value: the callable.
        function: the Python function that a call of it runs, if any.
        is_generated: whether that function is generated code.
        include: the names of modules and packages that are converted as the user's own.
    """

    value: object
    function: FunctionType | None
    is_generated: bool = False
    include: tuple[str, ...] = ()

    @property
    def code(self) -> CodeType | None:
        """The code of the function."""
        return None if self.function is None else self.function.__code__

    @property
    def filename(self) -> str:
        """The file of the function; empty if there is none."""
        return "" if self.function is None else self.function.__code__.co_filename

    @property
    def is_included(self) -> bool:
        """True if the function is in a module that the user includes."""
        if not self.include or self.function is None:
            return False
        return is_within(self.function.__globals__.get("__name__"), self.include)

    @property
    def package(self) -> str:
        """The top-level name of the function's `__module__`."""
        module = getattr(self.function, "__module__", None)
        return module.partition(".")[0] if isinstance(module, str) else ""


class ConversionRule(NamedTuple):
    """One line of the table.

    Attributes:
        name: the name of the rule.
        applies: returns whether it applies to a candidate.
        verdict: the decision.
        reason: the reason for the user, a clause about "it", the function.
    """

    name: str
    applies: Callable[[Candidate], bool]
    verdict: Verdict
    reason: str


def function_behind(value: object) -> FunctionType | None:
    """Return the Python function behind a callable: through partials, methods and `__call__`.

    >>> import functools, json
    >>> function_behind(functools.partial(json.dumps, indent=2)) is json.dumps
    True
    >>> function_behind(len) is None
    True
    """
    inner: object | None = value
    while inner is not None and not isinstance(inner, FunctionType):
        inner = _step(inner)
    return inner


def _step(value: object) -> object | None:
    if isinstance(value, functools.partial):
        return value.func
    if inspect.ismethod(value):
        return value.__func__
    return method_called(value)


def _folders(*keys: str) -> tuple[str, ...]:
    paths = map(python_folder, keys)
    return tuple(f"{path}{os.sep}" for path in dict.fromkeys(paths) if path)


STANDARD_FOLDERS = _folders("stdlib", "platstdlib")
INSTALLED_FOLDERS = _folders("purelib", "platlib")
INSTALLED_NAMES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
SUSPENDING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def is_staged(value: object) -> bool:
    """Return whether `value` is a Function: an object with an attribute `python_function`.

    No code of the object runs: a mock would have any attribute.
    """
    return inspect.getattr_static(value, "python_function", None) is not None


def _is_generated(subject: Candidate) -> bool:
    return subject.is_generated


def _is_exempt(subject: Candidate) -> bool:
    return isinstance(wrapped_by(subject.function), UnconvertedFunction)


def _is_wrapped(subject: Candidate) -> bool:
    return isinstance(wrapped_by(subject.function), LazilyConverted)


def _is_staged(subject: Candidate) -> bool:
    return is_staged(subject.value)


def _is_class(subject: Candidate) -> bool:
    return isinstance(subject.value, type)


def _is_cached(subject: Candidate) -> bool:
    return isinstance(subject.value, functools._lru_cache_wrapper)


def _is_mock(subject: Candidate) -> bool:
    kinds = mro_of(type(subject.value))
    return any(own_attributes(kind).get("__module__") == "unittest.mock" for kind in kinds)


def _is_native(subject: Candidate) -> bool:
    return subject.function is None


def _is_pure_python(subject: Candidate) -> bool:
    return is_pure_python_form(subject.function)


def _is_internal(subject: Candidate) -> bool:
    return is_internal_file(subject.filename)


def _is_installed(subject: Candidate) -> bool:
    file = subject.filename
    if subject.is_included:
        return False
    return file.startswith(INSTALLED_FOLDERS) or any(name in file for name in INSTALLED_NAMES)


def _is_standard(subject: Candidate) -> bool:
    if subject.is_included:
        return False
    # A user's own `random.py` has a file elsewhere; code that the library generates has none.
    if subject.filename.startswith(STANDARD_FOLDERS):
        return True
    return subject.package in sys.stdlib_module_names and subject.filename.startswith("<")


def _is_library_wrapper_function(subject: Candidate) -> bool:
    fn = subject.function
    return (
        fn is not None
        and is_library_wrapper(fn)
        and (_is_installed(subject) or _is_standard(subject))
    )


def _is_packed(subject: Candidate) -> bool:
    if subject.filename.startswith("<frozen "):
        return True
    loader = subject.function is not None and subject.function.__globals__.get("__loader__")
    return isinstance(loader, zipimport.zipimporter)


def _is_sourceless(subject: Candidate) -> bool:
    assert subject.function is not None
    return not linecache.getlines(subject.filename, subject.function.__globals__)


def _is_included(subject: Candidate) -> bool:
    return subject.is_included


def _always(subject: Candidate) -> bool:
    return True


LEAVE, CONVERT = Verdict.LEAVE, Verdict.CONVERT

RULES: tuple[ConversionRule, ...] = (
    ConversionRule("converted", _is_generated, LEAVE, "it is converted already"),
    ConversionRule("exempt", _is_exempt, LEAVE, "it is marked with `do_not_convert`"),
    ConversionRule("wrapped", _is_wrapped, LEAVE, "it converts itself, by `convert`"),
    ConversionRule("staged", _is_staged, LEAVE, "it is a Function and converts itself"),
    ConversionRule(
        "class", _is_class, LEAVE, "it is a class; if it is yours, its methods are converted"
    ),
    ConversionRule("cached", _is_cached, LEAVE, "it remembers its results (`functools.lru_cache`)"),
    ConversionRule("mock", _is_mock, LEAVE, "it is a mock object"),
    ConversionRule("native", _is_native, LEAVE, "it is not written in Python"),
    ConversionRule("in Python", _is_pure_python, CONVERT, "it stands in for a compiled function"),
    ConversionRule(
        "ours", _is_internal, LEAVE, "it is part of this package, which knows tensors already"
    ),
    ConversionRule(
        "around",
        _is_library_wrapper_function,
        LEAVE,
        "it is a library's, but may call a function that is not",
    ),
    ConversionRule("installed", _is_installed, LEAVE, "it is from an installed package"),
    ConversionRule("standard", _is_standard, LEAVE, "it is from the standard library"),
    ConversionRule("packed", _is_packed, LEAVE, "it is from a frozen or zipped module"),
    ConversionRule("sourceless", _is_sourceless, LEAVE, "its source cannot be found"),
    ConversionRule("included", _is_included, CONVERT, "it is from a module you included"),
    ConversionRule("user", _always, CONVERT, "it is Python code of yours"),
)


def decide(subject: Candidate) -> ConversionRule:
    """Return the first rule that applies.

    >>> import json
    >>> decide(Candidate(json.dumps, json.dumps)).name
    'standard'
    """
    return next(rule for rule in RULES if rule.applies(subject))


def name_of(value: object) -> str:
    """Return the name of `value` in errors: its qualified name in backquotes.

    >>> name_of(len)
    '`len`'
    """
    name = getattr(value, "__qualname__", None)
    if not isinstance(name, str):
        function = function_behind(value)
        name = type(value).__qualname__ if function is None else function.__qualname__
    return f"`{name}`"

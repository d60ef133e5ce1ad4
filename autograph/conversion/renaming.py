"""Gives code objects of generated code the names of the user's functions.

    compiled                                                  after
    <autograph>.<locals>.tf__f                                f
    <autograph>.<locals>.tf__f.<locals>.if_body               f
    <autograph>.<locals>.tf__f.<locals>.if_body.<locals>.g    f.<locals>.g

The code of a body gets the first line of its function, too.

A function is the user's if the user's code has one of that name: synthetic names always differ. A
lambda is the user's if the user's code has one with the same parameters or, without parameters,
with its body at the same position.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any, NamedTuple
from weakref import ref

from autograph.conversion.line_table import with_first_line
from autograph.lowering import Constants, Lowered
from autograph.operators.frames import CodeInfo
from autograph.syntax.code_comparison import is_same_code

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_HAS_QUALIFIED_NAMES = sys.version_info >= (3, 11)


class _Name(NamedTuple):
    """The qualified name of a code object before and after the renaming.

    Attributes:
        before: the name that the compiler gave it.
        after: the new name.
        is_class: whether `<locals>` is left out of the names in it, as in a class.
        function: the unqualified new name.
        first_line: the first line of the function that has the code; None for that of the code.
    """

    before: str
    after: str
    is_class: bool = False
    function: str = ""
    first_line: int | None = None

    def inside(self, name: str) -> tuple[str, str]:
        link = "." if self.is_class else ".<locals>."
        return f"{self.before}{link}{name}", f"{self.after}{link}{name}"


def rename(
    generated: CodeType,
    original: CodeType,
    before: str,
    qualname: str,
    lowered: Lowered,
) -> CodeType:
    """Return `generated` with the names of `original`, the user's code.

    Each code object in the result has its `CodeInfo` as last constant, except those of the eager
    version, which are the user's own.

    Args:
        generated: the compiled function.
        original: the user's own code object.
        before: the qualified name the compiler gave `generated`.
        qualname: the user's qualified name.
        lowered: the lowered form that was compiled.
    """
    first_line = original.co_firstlineno
    name = _Name(before, qualname, function=original.co_name, first_line=first_line)
    renaming = _Renaming(original, lowered.constants)
    own = renaming.own_codes(generated) if lowered.has_both_versions else {}
    part = CodeInfo(_names_in(original), is_body=False, original=ref(original))
    return renaming.apply(generated, name, part, own)


class _Renaming:
    """The renaming of nested code objects, from the inside out."""

    def __init__(self, original: CodeType, constants: Constants) -> None:
        self._original = original
        self._held = constants
        inner = [code for code in code_tree(original) if code is not original]
        self._functions = frozenset(code.co_name for code in inner)
        self._lambdas = frozenset(map(_signature, filter(_is_lambda, (original, *inner))))

    def own_codes(self, code: CodeType) -> dict[int, CodeType]:
        """Return the user's own code for each code object of the eager version, by its identity.

        These come first among the constants, which the compiler numbers in source order.
        """
        return {id(made): own for made, own in zip(_children(code), _children(self._original))}

    def apply(
        self, code: CodeType, name: _Name, part: CodeInfo | None, own: Mapping[int, CodeType]
    ) -> CodeType:
        strings: dict[object, str] = {name.before: name.after}
        inner: dict[int, CodeType] = {}
        for child in _children(code):
            child_name, is_body = self._name_inside(child, name)
            # Before Python 3.11 a synthetic function and a user's may share the constant.
            if is_body:
                strings.setdefault(child_name.before, child_name.after)
            else:
                strings[child_name.before] = child_name.after
            original = own.get(id(child))
            is_own = part is None or original is not None
            inside = None if is_own or part is None else part.inside(is_body)
            made = self.apply(child, child_name, inside, {})
            # The user's own code object, unless an import hook has changed it.
            if original is not None and is_same_code(made, original):
                made = original
            inner[id(child)] = made
        constants = [self._replaced(value, inner, strings) for value in code.co_consts]
        return _with_names(code, (*constants, *([] if part is None else [part])), name)

    def _replaced(
        self, value: object, inner: dict[int, CodeType], strings: dict[object, str]
    ) -> object:
        if isinstance(value, CodeType):
            return inner[id(value)]
        if type(value) is str:
            return strings[value] if value in strings else self._held.replaced(value)
        return value

    def _name_inside(self, child: CodeType, parent: _Name) -> tuple[_Name, bool]:
        label = child.co_name
        before, after = parent.inside(label)
        if _HAS_QUALIFIED_NAMES and child.co_qualname == label:
            before, after = label, label  # a nested function declared `global`
        if self._is_synthetic(child):
            function, first_line = parent.function, parent.first_line
            return _Name(before, parent.after, function=function, first_line=first_line), True
        if label.startswith("<generic parameters of "):
            # The scope of type parameters is in no qualified name.
            return _Name(parent.before, parent.after, parent.is_class, label), True
        is_class = label in _COMPREHENSIONS or not child.co_flags & inspect.CO_OPTIMIZED
        return _Name(before, after, is_class, label, child.co_firstlineno), False

    def _is_synthetic(self, child: CodeType) -> bool:
        if _is_lambda(child):
            return _signature(child) not in self._lambdas
        return not child.co_name.startswith("<") and child.co_name not in self._functions


def _is_lambda(code: CodeType) -> bool:
    return code.co_name == "<lambda>"


def _signature(code: CodeType) -> tuple[object, ...]:
    """Return a key by which a user's lambda is distinguished from a synthetic thunk."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += sum(
        bool(code.co_flags & flag) for flag in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS)
    )
    return code.co_varnames[:count] or _place_of_body(code)


def _place_of_body(code: CodeType) -> tuple[object, ...]:
    """Return the start and end of the expression of a lambda; before Python 3.11 only its line."""
    positions: Iterable[Any] = getattr(code, "co_positions", tuple)()
    known = [place for place in positions if None not in place and place[2:] != (0, 0)]
    if not known:
        return (code.co_firstlineno,)
    start = min((line, column) for line, _, column, _ in known)
    return (*start, *max((line, column) for _, line, _, column in known))


def _with_names(code: CodeType, constants: tuple[object, ...], name: _Name) -> CodeType:
    changes: dict[str, Any] = {"co_name": name.function, "co_consts": constants}
    if _HAS_QUALIFIED_NAMES:
        changes["co_qualname"] = name.after
    first_line = code.co_firstlineno if name.first_line is None else name.first_line
    return with_first_line(code, first_line, **changes)


def _children(code: CodeType) -> Iterator[CodeType]:
    return (value for value in code.co_consts if isinstance(value, CodeType))


def code_tree(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all nested ones."""
    yield code
    for child in _children(code):
        yield from code_tree(child)


def _names_in(original: CodeType) -> frozenset[str]:
    return frozenset(
        name
        for code in code_tree(original)
        for names in (code.co_varnames, code.co_cellvars, code.co_freevars)
        for name in names
    )

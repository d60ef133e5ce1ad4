"""Converts every function of given source files in place, in the running interpreter.

A function keeps its identity: its code object is exchanged for that of its converted form. So
whoever holds the function, be it a class, a decorator, a registry or a closure, holds the
converted one from then on.
"""

from __future__ import annotations

import gc
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType

import autograph as ag
from autograph.errors import AutographError


@dataclass
class Tally:
    """The outcome of each function, counted once for the place it is defined at.

    Attributes:
        converted: the functions that run converted code now.
        refused: the functions that stay as they are, with the reason.
    """

    converted: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)


def convert_in_place(files: Collection[str]) -> Tally:
    """Convert the functions that were defined in `files` and are alive."""
    functions, tally = _functions_of(files), Tally()
    # All are converted before the first one changes: the conversion itself uses some of them.
    made = {id(fn.__code__): (fn.__code__, _converted_code(fn)) for fn in functions}
    for fn in functions:
        place = _place(fn)
        _, code = made[id(fn.__code__)]
        if isinstance(code, CodeType):
            fn.__code__ = code
            tally.converted.add(place)
        elif not _evaluates_types(fn):
            tally.refused[place] = code
    return tally


def _functions_of(files: Collection[str]) -> list[FunctionType]:
    found = [fn for fn in gc.get_objects() if type(fn) is FunctionType]
    return [fn for fn in found if fn.__code__.co_filename in files]


def _evaluates_types(fn: FunctionType) -> bool:
    """Tell whether Python made `fn` itself, to evaluate `int` in `def f[T: int]()` when asked."""
    lazy = ("TypeVar", "ParamSpec", "TypeVarTuple", "TypeAliasType")
    holders = [type(holder) for holder in gc.get_referrers(fn)]
    return any(kind.__module__ == "typing" and kind.__name__ in lazy for kind in holders)


def _place(fn: FunctionType) -> str:
    code = fn.__code__
    return f"{fn.__qualname__} ({Path(code.co_filename).name}:{code.co_firstlineno})"


def _converted_code(fn: FunctionType) -> CodeType | str:
    """Return the code of the converted form of `fn`, or why there is none."""
    try:
        made = ag.to_graph(fn)
    except AutographError as error:
        return str(error).splitlines()[0]
    assert isinstance(made, FunctionType)
    before, after = fn.__code__.co_freevars, made.__code__.co_freevars
    if before != after:
        # Python exchanges code objects only if they take the same cells.
        return f"its free variables were {before} and are {after}"
    return made.__code__

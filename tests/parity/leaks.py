"""Symbolic tensors left behind by tracing and calling a program of the corpus."""

from __future__ import annotations

import gc
import inspect
import types
from collections.abc import Iterator
from typing import Any

import autograph as ag
import runtime as rt
from autograph.backends.possibly_unbound import PossiblyUnbound
from tests.corpus import Program

# What stands between a program and the rest of the world.
_OUTSIDE = (types.ModuleType, types.CodeType, types.FrameType, type(ag.function(abs)))


def reachable(*roots: object) -> Iterator[object]:
    """Yield all that can be reached, other than through modules, frames and Functions."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        value = waiting.pop()
        # Not `isinstance`: it asks objects, and other tests have some that must not be asked.
        if id(value) in seen or issubclass(type(value), _OUTSIDE) or _is_foreign(value):
            continue
        seen.add(id(value))
        yield value
        waiting.extend(gc.get_referents(value))


def _is_foreign(value: Any) -> bool:
    """Tell whether a function or class is of another module than a program's."""
    if not issubclass(type(value), (type, types.FunctionType)):
        return False
    return not (value.__module__ or "").startswith("tests.programs.")


def left_behind(program: Program, arguments: list[Any]) -> list[str]:
    """Return the symbolic tensors that the module of a program or its arguments hold."""
    module = {k: v for k, v in vars(inspect.getmodule(program.function)).items() if k[:2] != "__"}
    return [
        str(value)
        for value in reachable(*module.values(), *arguments)
        if issubclass(type(value), (rt.SymbolicTensor, PossiblyUnbound))
    ]

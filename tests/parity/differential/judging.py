"""The verdict on a program: agreement, or a divergence that can be shown to a person."""

from __future__ import annotations

import gc
import pprint
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import autograph as ag
from autograph.errors import AutographError
from tests.parity.differential import world
from tests.parity.differential.running import (
    ARGUMENTS,
    ENTRY,
    MODES,
    MODULE,
    Entry,
    Outcome,
    Program,
    original,
)
from tests.parity.differential.shrinking import shrunk

Modes = Mapping[str, Callable[[Entry], Entry]]


@dataclass(frozen=True)
class Divergence:
    """Two runs of one program that ought to be the same.

    Attributes:
        program: the program.
        mode: how the converted form was run.
        arguments: what both runs were called with.
        part: the part of the outcomes that differs.
        expected: what Python does.
        actual: what the converted form does.
        modes: all ways to run converted forms that were tried.
    """

    program: Program
    mode: str
    arguments: tuple[Any, ...]
    part: str
    expected: Outcome
    actual: Outcome
    modes: Modes

    def text(self) -> str:
        """Return the program, both outcomes and the converted code."""
        expected, actual = (getattr(each, self.part) for each in (self.expected, self.actual))
        if self.part == "trace":
            expected, actual = _from_first_difference(expected, actual)
        return "\n".join(
            [
                f"{self.part} differs ({self.mode}) for {ENTRY}{self.arguments}",
                self.program.text,
                f"expected: {pprint.pformat(expected, width=96)}",
                f"actual:   {pprint.pformat(actual, width=96)}",
                _converted_text(self.program),
            ]
        )

    def shrunk(self, most: int = 1500) -> Divergence:
        """Return the divergence of a smaller program, in the same part and mode."""
        mode, case = {self.mode: self.modes[self.mode]}, (self.arguments,)

        def same_divergence(text: str) -> Divergence | None:
            program = Program(self.program.name, text)
            try:
                other = divergence(program, mode, case)
            except Exception:
                return None  # what is left of it cannot even be defined, or be converted
            return other if other is not None and other._is_like(self) else None

        text = shrunk(self.program.text, lambda text: same_divergence(text) is not None, most)
        return same_divergence(text) or self

    def _is_like(self, other: Divergence) -> bool:
        same_end = self.actual.is_refused == other.actual.is_refused
        return same_end and self.part == other.part


def _from_first_difference(expected: Any, actual: Any) -> tuple[Any, Any]:
    same = 0
    while same < min(len(expected), len(actual)) and expected[same] == actual[same]:
        same += 1
    return expected[same : same + 4], actual[same : same + 4]


def _converted_text(program: Program) -> str:
    variables = {name: getattr(world, name) for name in world.__all__}
    variables["__name__"] = MODULE
    exec(program.code, variables)
    try:
        return ag.to_code(variables[ENTRY])
    except AutographError as error:
        return f"not converted: {error}"


def divergence(
    program: Program,
    modes: Modes = MODES,
    cases: tuple[tuple[Any, ...], ...] = ARGUMENTS,
) -> Divergence | None:
    """Return the first way in which a program, converted, differs from itself."""
    gc.disable()  # what one run leaves behind must not be finished, and logged, in another
    try:
        return _first_divergence(program, modes, cases)
    finally:
        gc.enable()


def _is_steady(program: Program, arguments: tuple[Any, ...], expected: Outcome) -> bool:
    """Tell whether Python always does the same.

    Python 3.11 gives lines of the same code now this, now that way, once it has specialized it.
    """
    again = (program.run(arguments, original) for _ in range(3))
    return all(expected.difference(outcome) is None for outcome in again)


def _first_divergence(
    program: Program, modes: Modes, cases: tuple[tuple[Any, ...], ...]
) -> Divergence | None:
    for arguments in cases:
        expected = program.run(arguments, original)
        if expected.is_exhausted:
            continue
        for mode, change in modes.items():
            actual = program.run(arguments, change)
            part = expected.difference(actual)
            if part is None or actual.is_exhausted:
                continue
            if _is_steady(program, arguments, expected):
                return Divergence(program, mode, arguments, part, expected, actual, modes)
    return None

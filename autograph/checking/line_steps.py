"""Which variables change at which line, while plain or converted code runs on values."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from types import FrameType
from typing import Any

from autograph.backends.maybe import Maybe
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.checking.differences import difference
from autograph.checking.value_snapshot import Held, held, is_a
from autograph.insight.line_follower import Call, Definition
from runtime.core.tensor import EagerTensor

_MOST_CHANGES = 20_000
_SETTLED = (bool, int, float, complex, str, bytes, type(None), EagerTensor)


@dataclass(frozen=True, eq=False)
class Change:
    """A variable that has another value than before.

    Attributes:
        definition: the function it is a variable of.
        line: the line that ran last.
        name: the variable.
        value: what it is now.
    """

    definition: Definition
    line: int
    name: str
    value: Held


@dataclass(eq=False)
class Steps:
    """A listener that notes the changes of a run.

    Attributes:
        changes: in the order they happened.
        last: the function and line of the outermost call that ran last, where it returned.
        is_full: whether there were more than are kept.
        printed: the functions and lines that wrote to standard output, with the place in the
            output where that ended.
    """

    changes: list[Change] = field(default_factory=list)
    last: tuple[Definition, int] | None = None
    is_full: bool = False
    printed: list[tuple[int, Definition, int]] = field(default_factory=list)
    _known: dict[Call, dict[str, tuple[Any, Held]]] = field(default_factory=dict)
    _lines: dict[FrameType, int] = field(default_factory=dict)

    def entered(self, call: Call) -> None:
        """Note the arguments."""
        self._known[call] = {}
        self._look(call, call.frame, call.definition.line)

    def body_entered(self, call: Call, frame: FrameType) -> None:
        """Do nothing: the body shares the variables of its call."""

    def reached(self, call: Call, frame: FrameType, line: int) -> None:
        """Note what the line before has changed."""
        self._look(call, frame, self._lines.get(frame, call.definition.line))
        self._lines[frame] = line

    def left(self, call: Call, frame: FrameType, given_up: bool) -> None:
        """Note what the last line has changed."""
        line = self._lines.pop(frame, call.definition.line)
        self._look(call, frame, line)
        self.last = call.definition, line

    def _look(self, call: Call, frame: FrameType, line: int) -> None:
        written = sys.stdout.tell() if is_a(sys.stdout, StringIO) else 0
        if written > (self.printed[-1][0] if self.printed else 0):
            self.printed.append((written, call.definition, line))
        if self.is_full:
            return
        known = self._known.setdefault(call, {})
        for name, value in frame.f_locals.items():
            if name in call.names and not is_unbound(value):
                self._note(call, line, name, value, known)
        self.is_full = len(self.changes) > _MOST_CHANGES

    def _note(
        self, call: Call, line: int, name: str, value: Any, known: dict[str, tuple[Any, Held]]
    ) -> None:
        before = known.get(name)
        if before is not None and before[0] is value and is_a(value, _SETTLED):
            return
        now = held(value)
        known[name] = value, now
        if before is None or not is_same(before[1], now):
            self.changes.append(Change(call.definition, line, name, now))


def is_unbound(value: Any) -> bool:
    """Tell whether a variable of converted code only stands for one that is not bound."""
    return is_a(value, (Undefined, UndefinedReturnValue)) and not is_a(value, Maybe)


def is_same(a: Held, b: Held) -> bool:
    """Tell whether a variable has not changed, as far as plain and staged code both can tell."""
    return difference(a, b, staged=True) is None and difference(b, a, staged=True) is None


def filled(value: Held, arrays: Mapping[int, Any]) -> Held:
    """Return a value with arrays where there were holes, by number."""
    if value.kind == "hole":
        return Held("tensor", arrays[value.content])
    if is_a(value.content, dict):
        parts = {name: filled(part, arrays) for name, part in value.content.items()}
        return Held(value.kind, parts, value.has_names)
    return value

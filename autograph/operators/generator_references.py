"""Finds references to a generator that a loop may leave early: they delay its `finally`.

Python closes a generator when its last reference is gone, a graph at the end of the loop. That is
the same if no code with effects runs in between.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import Any, Protocol

from autograph.backends.lazy_iterator import LazyIterator
from autograph.operators.control_flow import ControlFlowOperators
from autograph.operators.frames import code_info_of, is_body, is_internal_code, original_of
from autograph.operators.user_classes import is_made_in_python


class TailLines(Protocol):
    """The tail positions of a function, by line."""

    def is_left(self, line: int) -> bool:
        """Return whether a jump leaves the loop at a line before its end."""

    def operands(
        self, line: int, exits: Collection[str], held: Collection[str]
    ) -> frozenset[str] | None:
        """Return the variables that are operands of operations after a line is left.

        None if other operations follow.

        Args:
            line: the line.
            exits: the kinds of its exits: "jump", "yield", "call" or "end".
            held: the variables that reference the generator.
        """


# Returns the tail positions of a function by its code and globals; None without a source.
TailsOf = Callable[[CodeType, dict[str, Any]], "TailLines | None"]


_FOR = ControlFlowOperators.for_stmt.__code__
_ExitKinds = frozenset[str]


@dataclass(slots=True)
class _Call:
    """A call of a user's function on the stack.

    Attributes:
        frames: its frames, innermost first.
        is_loop: whether it executes a `for` statement.
    """

    frames: list[FrameType]
    is_loop: bool

    @property
    def line(self) -> int:
        """Its current line."""
        return self.frames[0].f_lineno

    @property
    def function(self) -> FrameType:
        """The frame of the function itself, not of the body of a statement in it."""
        return self.frames[-1]

    def variables(self) -> dict[str, Any]:
        """Return the values of the user's variables."""
        found: dict[str, Any] = {}
        for frame in self.frames:
            part, values = code_info_of(frame.f_code), frame.f_locals
            found.update({n: values[n] for n in values if part is None or n in part.names})
        return found


@dataclass(slots=True)
class _GeneratorLevel:
    """A generator, and the loop that iterates over it.

    Attributes:
        generator: the iterable of the loop.
        may_be_left: whether the loop may end before the items do.
        calls: the calls on the stack from that of the loop to the function of the next generator.
    """

    generator: Any
    may_be_left: bool
    calls: list[_Call]


class GeneratorReferences:
    """Tells whether a generator may outlive the loop that iterates over it.

    Args:
        tails_of: finds the operations of the user's functions after a line.
        never_changes: returns whether a value is immutable.
    """

    def __init__(self, tails_of: TailsOf, never_changes: Callable[[Any], bool]) -> None:
        self._tails_of, self._never_changes = tails_of, never_changes

    def outlive(self, frame: FrameType) -> bool:
        """Return whether code may run between the end of a loop and the closing of its generator.

        Args:
            frame: the frame of the function that iterates over the generator, with `self` and
                `goes_on`.
        """
        levels = [*_levels(frame)]
        sought = tuple([level.generator for level in levels])  # A list would be a referrer.
        exits = self._exit_kinds(levels)
        if not exits[0]:
            return False
        calls = [
            (call, exit_kind) for level, exit_kind in zip(levels, exits) for call in level.calls
        ]
        holding = [_names_of(call, sought) for call, _ in calls]
        count = max((at + 1 for at, names in enumerate(holding) if names), default=0)
        ends = [self._ends(*calls[at], holding[at]) for at in range(count)]
        return not all(ends) or _is_kept(sought, frame)

    def _exit_kinds(self, levels: list[_GeneratorLevel]) -> list[_ExitKinds]:
        """Return for each level the kinds of exits from its loop after the first loop is left."""
        by_itself: list[_ExitKinds] = [frozenset()]
        for level in reversed(levels):
            by_itself.insert(0, self._exit_kinds_of(level, bool(by_itself[0])))
        exits = by_itself[:1]
        for of_level in by_itself[1:-1]:
            left = of_level if "yield" in exits[-1] else _ExitKinds()
            exits.append(left | ({"end"} if exits[-1] - {"yield"} else set()))
        return exits

    def _exit_kinds_of(self, level: _GeneratorLevel, is_outer_left: bool) -> _ExitKinds:
        if not level.may_be_left:
            return frozenset()
        call = level.calls[0]
        if not call.is_loop:
            return frozenset({"call"})
        tails = self._tails(call)
        is_yielding = is_outer_left and _is_generator(call)
        jumps = tails is None or tails.is_left(call.line) or not _is_generator(call)
        return frozenset([*["jump"] * jumps, *["yield"] * is_yielding])

    def _ends(self, call: _Call, exits: _ExitKinds, held: Collection[str]) -> bool:
        """Return whether a call has no more effects once its current line is left."""
        tails = self._tails(call)
        left = exits if call.is_loop else ("call",)
        operands = None if tails is None else tails.operands(call.line, left, held)
        if operands is None:
            return False
        values = call.variables()
        return all(self._never_changes(values[name]) for name in operands if name in values)

    def _tails(self, call: _Call) -> TailLines | None:
        return self._tails_of(call.function.f_code, call.function.f_globals)


def _levels(frame: FrameType) -> Iterator[_GeneratorLevel]:
    """Yield the generators whose loops are on the stack, the innermost first."""
    for_each, level, is_loop = frame.f_code, _level(frame), False
    outer = frame.f_back
    while outer is not None:
        code = outer.f_code
        if code is for_each:
            yield level
            level, is_loop = _level(outer), False
        elif is_internal_code(code) and not _is_code_of_generator(code):
            is_loop = is_loop or code is _FOR
        elif level.calls and is_body(level.calls[-1].function.f_code):
            level.calls[-1].frames.append(outer)
            is_loop = False
        else:
            level.calls.append(_Call([outer], is_loop))
            is_loop = False
        outer = outer.f_back
    yield level


def _level(frame: FrameType) -> _GeneratorLevel:
    values = frame.f_locals
    return _GeneratorLevel(values["self"], values["goes_on"] is not None, [])


def _is_generator(call: _Call) -> bool:
    return _is_code_of_generator(call.function.f_code)


def _is_code_of_generator(code: CodeType) -> bool:
    return bool(original_of(code).co_flags & CO_GENERATOR)


def _names_of(call: _Call, sought: tuple[object, ...]) -> frozenset[str]:
    """Return the variables that reference one of the generators."""
    found = call.variables().items()
    return frozenset(name for name, value in found if any(value is each for each in sought))


def _is_kept(sought: tuple[object, ...], frame: FrameType | None) -> bool:
    """Return whether a user's object or container contains one of the generators."""
    views = set[int]()
    while frame is not None:
        views.add(id(frame.f_locals))
        frame = frame.f_back
    referrers = [h for each in sought for h in gc.get_referrers(each) if id(h) not in views]
    return any(map(_is_users, referrers))


def _is_users(referrer: Any) -> bool:
    if type(referrer) is dict:
        # A lazy iterator of this package may hold it in its attributes.
        return not any(isinstance(each, LazyIterator) for each in gc.get_referrers(referrer))
    return type(referrer) is list or (
        is_made_in_python(type(referrer))
        and not isinstance(referrer, (LazyIterator, _GeneratorLevel))
    )

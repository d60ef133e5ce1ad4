"""Finds the bodies of `with init_scope()` in code: they run once a trace, and in no call.

with rt.init_scope():
    self.n = 10          a later call of the graph does not repeat this
if training:
    self.n += 1          but it does repeat this
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from autograph.functions.effect_analysis.resolved_names import OF_LIBRARY, NameUse, instructions_of
from runtime.core.creation_hooks import init_scope
from runtime.core.weak_tables import IdentityTable

_NAME = init_scope.__name__
_ENTERING = ("BEFORE_WITH", "SETUP_WITH")
_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))
_ENDING = ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_ABSOLUTE")
_known = IdentityTable[CodeType, list[tuple[int, int]]]()


def outside_of_init_scopes(uses: Iterable[NameUse]) -> list[NameUse]:
    """Return the uses outside of the bodies of `with init_scope()`.

    A use counts as outside if that is not certain.

    >>> import autograph.runtime as rt
    >>> from autograph.functions.effect_analysis.resolved_names import uses_in
    >>> def f(layer):
    ...     with rt.init_scope():
    ...         layer.n = 10
    ...     layer.m = 1
    >>> {use.name for use in outside_of_init_scopes(uses_in([f])) if use.stores}
    {'m'}
    """
    uses = list(uses)
    scopes = [use for use in uses if use.name == _NAME and use.value in (init_scope, OF_LIBRARY)]
    if not scopes:
        return uses
    bodies = {id(use.code): _bodies(use.code) for use in scopes}
    return [use for use in uses if not _is_within(use, bodies.get(id(use.code), ()))]


def _is_within(use: NameUse, bodies: Iterable[tuple[int, int]]) -> bool:
    offset = use.instructions[use.at].offset
    return any(begin <= offset < end for begin, end in bodies)


def _bodies(code: CodeType) -> list[tuple[int, int]]:
    return _known.get_or_make(code, lambda: list(_ranges(code)))


def _ranges(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield the ranges of instruction offsets of the bodies."""
    instructions = instructions_of(code)
    for at, each in enumerate(instructions[2:], 2):
        call, callee = instructions[at - 1], instructions[at - 2]
        is_call = call.opname.startswith("CALL") and not call.arg
        if each.opname in _ENTERING and is_call and callee.argval == _NAME:
            yield from _ranges_of_body(code, instructions[at:])


def _ranges_of_body(
    code: CodeType, instructions: list[dis.Instruction]
) -> Iterator[tuple[int, int]]:
    if sys.version_info < (3, 11):
        yield from _up_to_the_end_of_a_block(instructions)
        return
    bytecode: Any = dis.Bytecode(code)
    entries = bytecode.exception_entries
    first = instructions[1].offset
    handler = next((e.target for e in entries if e.start <= first < e.end), None)
    inside = {handler}
    while True:
        # The handlers of a `try` in the body are at the end of the code, and belong to the body.
        found = [e for e in entries if e.target in inside]
        more = {e.target for e in entries if any(f.start <= e.target < f.end for f in found)}
        if more <= inside:
            break
        inside |= more
    yield from ((each.start, each.end) for each in found)


def _up_to_the_end_of_a_block(
    instructions: list[dis.Instruction],
) -> Iterator[tuple[int, int]]:
    """Yield the body, followed along its jumps, up to the end of its block on each path."""
    at = {each.offset: number for number, each in enumerate(instructions)}
    waiting, seen = [(1, 0)], set[int]()
    while waiting:
        number, depth = waiting.pop()
        each = instructions[number]
        if number in seen or (each.opname == "POP_BLOCK" and not depth):
            continue
        seen.add(number)
        yield each.offset, each.offset + 1
        if each.opcode in _JUMPS and each.argval in at:
            waiting.append((at[each.argval], depth))
        if each.opname not in _ENDING:
            depth += each.opname.startswith("SETUP_") - (each.opname == "POP_BLOCK")
            waiting.append((number + 1, depth))

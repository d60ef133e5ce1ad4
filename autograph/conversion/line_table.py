"""Line tables of code objects: gives code another first line, while its instructions keep theirs.

The body of a staged loop is code of its own, which begins at the loop:

    1  def f(xs):
    2      total = 0
    3      for x in xs:              the body's first line is 3, and with the function's name 1
    4          total += x

Debuggers and notebooks count lines from the first one to the one that runs, in the source that
begins there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

# Forms of an entry of a table, from Python 3.11 on (CPython's `Objects/locations.md`).
_ONE_LINE, _NO_COLUMNS, _LONG, _NO_LINE = 10, 13, 14, 15
# The largest step of one entry of a table of Python 3.10.
_LONGEST_STEP = 127


def with_first_line(code: CodeType, first_line: int, **changes: Any) -> CodeType:
    """Return a code object with another `co_firstlineno`; the lines of instructions stay.

    Args:
        code: the code object.
        first_line: its new first line.
        changes: other attributes, as `code.replace` takes them.

    >>> moved = with_first_line(with_first_line.__code__, 3)
    >>> moved.co_firstlineno, list(moved.co_lines()) == list(with_first_line.__code__.co_lines())
    (3, True)
    """
    step = code.co_firstlineno - first_line
    if not step:
        return code.replace(**changes)
    table = code.co_linetable
    changed = _stepped(table, step) if sys.version_info >= (3, 11) else _pairs(step) + table
    return code.replace(co_firstlineno=first_line, co_linetable=changed, **changes)


def _pairs(step: int) -> bytes:
    """Return entries without instructions that go `step` lines on."""
    found = b""
    while step:
        part = max(-_LONGEST_STEP, min(step, _LONGEST_STEP))
        found += bytes((0, part % 256))
        step -= part
    return found


def _stepped(table: bytes, step: int) -> bytes:
    """Return a table in which the first entry that has a line goes `step` more lines on."""
    for start, end in _entries(table):
        form = table[start] >> 3 & 15
        if form != _NO_LINE:
            head = bytes((0x80 | (_LONG if form != _NO_COLUMNS else form) << 3 | table[start] & 7,))
            changed = head + _with_step(form, table[start + 1 : end], step)
            return table[:start] + changed + table[end:]
    return table


def _entries(table: bytes) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the entries; the first byte of each has the highest bit set."""
    start = 0
    for end in range(1, len(table)):
        if table[end] & 0x80:
            yield start, end
            start = end
    yield start, len(table)


def _with_step(form: int, rest: bytes, step: int) -> bytes:
    """Return an entry, without its first byte, that goes `step` more lines on, in the long form."""
    if form in (_NO_COLUMNS, _LONG):
        number, length = _number(rest)
        lines = -(number >> 1) if number & 1 else number >> 1
        return _signed(lines + step) + rest[length:]
    if form >= _ONE_LINE:
        lines, first, last = form - _ONE_LINE, rest[0], rest[1]
    else:
        lines, first = 0, form << 3 | rest[0] >> 4
        last = first + (rest[0] & 15)
    return _signed(lines + step) + _varint(0) + _varint(first + 1) + _varint(last + 1)


def _number(data: bytes) -> tuple[int, int]:
    """Return the number at the beginning, in groups of six bits, and the number of its bytes."""
    number = 0
    for at, byte in enumerate(data):
        number |= (byte & 63) << 6 * at
        if not byte & 64:
            return number, at + 1
    raise ValueError("the table ends within a number")


def _signed(number: int) -> bytes:
    return _varint(-number << 1 | 1 if number < 0 else number << 1)


def _varint(number: int) -> bytes:
    found = b""
    while number > 63:
        found += bytes((number & 63 | 64,))
        number >>= 6
    return found + bytes((number,))

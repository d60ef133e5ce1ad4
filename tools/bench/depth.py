"""The depth of recursion before Python raises RecursionError, compared with plain Python."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from tools.bench.lines import Bar, Line, row
from tools.bench.modes import OURS, PLAIN, AnyCall, Mode, all_modes

HALF = Bar(0.5, is_least=True)


def direct(seen: list[int]) -> None:
    """Call itself without end."""
    seen.append(1)
    direct(seen)


def in_statements(seen: list[int]) -> int:
    """Call itself from within a conditional in a loop."""
    total = 0
    for step in range(2):
        if step >= 0:
            seen.append(step)
            total += in_statements(seen)
    return total


def in_expressions(seen: list[int]) -> int:
    """Call itself from within operators that decide."""
    seen.append(1)
    return len(seen) > 0 and (in_expressions(seen) if seen else 0)


def mutual(seen: list[int]) -> None:
    """Call a function that calls this one."""
    seen.append(1)
    _mutual(seen)


def _mutual(seen: list[int]) -> None:
    seen.append(1)
    mutual(seen)


class Tree:
    """Calls its own method, from a method and from an operator."""

    def visit(self, seen: list[int]) -> None:
        """Call itself without end."""
        seen.append(1)
        self.visit(seen)

    def __getitem__(self, seen: list[int]) -> int:
        seen.append(1)
        return self[seen]


def method(seen: list[int]) -> None:
    """Recur through a method."""
    Tree().visit(seen)


def operator(seen: list[int]) -> None:
    """Recur through an operator."""
    Tree()[seen]


def closure(seen: list[int]) -> None:
    """Recur through a local function."""

    def inner() -> None:
        seen.append(1)
        inner()

    inner()


def through_sorted(seen: list[int]) -> int:
    """Recur through a builtin that calls a function."""
    seen.append(1)
    return len(sorted([1], key=lambda _: through_sorted(seen)))


FUNCTIONS: tuple[AnyCall, ...] = (
    direct,
    in_statements,
    in_expressions,
    mutual,
    method,
    operator,
    closure,
    through_sorted,
)


def lines(functions: Sequence[AnyCall] = FUNCTIONS) -> Iterator[Line]:
    """Measure and yield the table."""
    modes = all_modes()[1:]
    yield Line(row("depth of recursion", "plain", *(mode.name for mode in modes)))
    for function in functions:
        yield _line(function, modes)


def _line(function: AnyCall, modes: Sequence[Mode]) -> Line:
    plain = reached(function, PLAIN)
    parts = {mode: reached(function, mode) / plain for mode in modes}
    name = function.__name__.replace("_", " ")
    missed = [t for mode in OURS for t in HALF.missed(f"{name} {mode.name}", parts[mode])]
    cells = (str(plain), *(f"{part:.0%}" for part in parts.values()))
    return Line(row(f"  {name}", *cells), tuple(missed))


def reached(function: AnyCall, mode: Mode) -> int:
    """Return how often `function` calls itself, from near the bottom of a new stack.

    The second time counts: the first one includes the conversion.
    """
    found: list[int] = []

    def run() -> None:
        prepared = mode.prepare(function)
        for _ in range(2):
            seen: list[int] = []
            try:
                with mode.around():
                    prepared(seen)
            except RecursionError:
                found.append(len(seen))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[-1] if found else 0

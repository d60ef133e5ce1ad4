"""Two columns of text in the width of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_SEPARATOR = " | "
_NARROWEST = 20


def side_by_side(rows: Iterable[tuple[str, str]], columns: int) -> Iterator[str]:
    """Lay out pairs of lines; lines too long for their column go on below, indented.

    Args:
        rows: a left and a right line each.
        columns: the width of the terminal.

    Example:
        >>> for line in side_by_side([("x = 1", "y"), ("", "z")], 40):
        ...     print(line)
        x = 1 | y
              | z
    """
    pairs = list(rows)
    left, right = _widths(pairs, columns - len(_SEPARATOR))
    for first, second in pairs:
        firsts, seconds = folded(first, left), folded(second, right)
        for at in range(max(len(firsts), len(seconds))):
            start = firsts[at] if at < len(firsts) else ""
            rest = seconds[at] if at < len(seconds) else ""
            yield f"{start:<{left}}{_SEPARATOR}{rest}".rstrip()


def _widths(pairs: list[tuple[str, str]], columns: int) -> tuple[int, int]:
    """Give the left column what it needs, up to two fifths."""
    needed = max((len(first) for first, _ in pairs), default=0)
    left = max(min(needed, columns * 2 // 5), min(needed, _NARROWEST))
    return left, max(columns - left, _NARROWEST)


def folded(line: str, width: int) -> list[str]:
    """Break a line at spaces so that every piece fits; all but the first are indented further.

    >>> folded("f(a, b)", 5)
    ['f(a,', '  b)']
    """
    pieces = []
    indent = " " * min(len(line) - len(line.lstrip()) + 4, width // 2)
    while len(line) > width:
        cut = line.rfind(" ", len(indent) + 1, width + 1)
        cut = width if cut <= 0 else cut
        pieces.append(line[:cut].rstrip())
        line = indent + line[cut:].lstrip()
    return [*pieces, line]

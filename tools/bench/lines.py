"""The output of the benchmark: lines, and the bars of some of them."""

from __future__ import annotations

from dataclasses import dataclass

_NAME = 42
_CELL = 16


@dataclass(frozen=True)
class Line:
    """One line of the output.

    Attributes:
        text: the line.
        missed: the bars it misses, as text.
        unmeasured: the bars it would be held to, had it been measured.
    """

    text: str
    missed: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.text}   MISSED: {'; '.join(self.missed)}" if self.missed else self.text


@dataclass(frozen=True)
class Bar:
    """The limit of a measured figure.

    >>> Bar(2.0).missed("call", 1.5), Bar(2.0).missed("call", 2.5)
    ((), ('call is 2.50, at most 2',))
    >>> Bar(0.5, is_least=True).missed("depth", 0.25)
    ('depth is 0.25, at least 0.5',)
    """

    limit: float
    is_least: bool = False

    def missed(self, what: str, value: float) -> tuple[str, ...]:
        """Return a message about a figure beyond the limit, else nothing."""
        if value >= self.limit if self.is_least else value <= self.limit:
            return ()
        kind = "at least" if self.is_least else "at most"
        return (f"{what} is {value:.2f}, {kind} {self.limit:g}",)


def row(name: str, *cells: str) -> str:
    """A name and cells in columns, as they head and fill a table.

    >>> row("call", "1.05 x").split()
    ['call', '1.05', 'x']
    """
    return f"{name:<{_NAME}}{''.join(f'{cell:>{_CELL}}' for cell in cells)}".rstrip()


def ratio(value: float) -> str:
    """A ratio as a cell.

    >>> ratio(1.234), ratio(123.4)
    ('1.23 x', '123 x')
    """
    return f"{value:.0f} x" if value >= 100 else f"{value:.3g} x"

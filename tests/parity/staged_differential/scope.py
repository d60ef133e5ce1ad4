"""The position in a generated program, and the variables available there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.parity.differential.writer import Writer, WritingScope

Lines = list[str]


@dataclass(frozen=True)
class Scope(WritingScope):
    """A place of a program over tensors; `numbers` and `targets` are integers.

    Attributes:
        floats, truths, vectors, mixed, optionals: variables of these kinds that are bound here.
        iterated: vectors that a loop around here iterates over.
        results: the kinds of what the function returns, one letter each: "i", "f" or "b".
        staged: whether the statements may run more often, or less, than they are traced.
    """

    floats: list[str] = field(default_factory=list)
    truths: list[str] = field(default_factory=list)
    vectors: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    optionals: list[str] = field(default_factory=list)
    iterated: list[str] = field(default_factory=list)
    results: str = "i"
    staged: bool = False


def expression(w: Writer, p: Scope, kind: str, room: int = 2) -> str:
    """Return an expression of a kind: "int", "float", "truth" or "vector".

    Args:
        room: how deep it may nest.
    """
    nesting, atoms = w.tables[kind]
    if room <= 0 or w.chance(0.3):
        return str(w.choose(atoms, p))
    return str(w.choose(nesting, p.inner(depth=room - 1)))


def integer(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "int", p.depth if room is None else room)


def real(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "float", p.depth if room is None else room)


def truth(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "truth", p.depth if room is None else room)


def condition(w: Writer, p: Scope, room: int = 2) -> str:
    """Return a test: mostly a truth value, sometimes a number or another value with a truth."""
    return str(w.choose(w.tables["condition"][0], p.inner(depth=room)))


def vector(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "vector", p.depth if room is None else room)

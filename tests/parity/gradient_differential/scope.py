"""The position in a generated program, and the floats and vectors available there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.parity.differential.writer import Writer, WritingScope

Lines = list[str]


@dataclass(frozen=True)
class Scope(WritingScope):
    """A place of a program that is differentiated; `numbers` are whole, `targets` are floats.

    Attributes:
        floats, vectors: variables of these kinds that are bound here; vectors have three elements.
        assignable: vectors that may be assigned.
        arrays: TensorArrays of floats, of three elements.
        traced: those of the functions that are Functions, which may be called from Functions.
        staged: whether the statements may run more often, or less, than they are traced.
    """

    floats: list[str] = field(default_factory=list)
    vectors: list[str] = field(default_factory=list)
    assignable: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    traced: list[str] = field(default_factory=list)
    staged: bool = False


def expression(w: Writer, p: Scope, kind: str, room: int) -> str:
    """Return an expression of a kind: "float", "vector", "int" or "truth".

    Args:
        room: how deep it may nest.
    """
    nesting, atoms = w.tables[kind]
    table = atoms if room <= 0 or w.chance(0.25) else nesting
    return str(w.choose(table, p.inner(depth=room - 1)))


def real(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "float", p.depth if room is None else room)


def vector(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "vector", p.depth if room is None else room)


def integer(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "int", p.depth if room is None else room)


def truth(w: Writer, p: Scope, room: int | None = None) -> str:
    return expression(w, p, "truth", p.depth if room is None else room)

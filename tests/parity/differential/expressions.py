"""Random expressions, by the probable type of their value."""

from __future__ import annotations

from dataclasses import replace

from tests.parity.differential.writer import Writer, WritingScope

_ROOM = 3  # how deep an expression may nest


def number(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression for a small number."""
    return _make(w, p, room, "number")


def truth(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression to be tested."""
    return _make(w, p, room, "truth")


def listing(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression for a short list."""
    return _make(w, p, room, "listing")


def mapping(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression for a dictionary."""
    return _make(w, p, room, "mapping")


def text(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression for a string."""
    return _make(w, p, room, "text")


def thing(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return an expression for an object of a class with operators."""
    return _make(w, p, room, "thing")


def anything(w: Writer, p: WritingScope, room: int = _ROOM) -> str:
    """Return any expression."""
    return w.pick((number, number, truth, listing, mapping, text, thing))(w, p, room)


def _make(w: Writer, p: WritingScope, room: int, kind: str) -> str:
    table, atoms = w.tables[kind]
    chosen = atoms if room <= 0 or w.chance(0.35) else table
    made: str = w.choose(chosen, replace(p, depth=room - 1))
    return made


def num(w: Writer, p: WritingScope) -> str:
    """Return a number for a part of an expression at `p`."""
    return number(w, p, p.depth)


def test(w: Writer, p: WritingScope) -> str:
    """Return the test for a part of an expression at `p`."""
    return truth(w, p, p.depth)


def items(w: Writer, p: WritingScope) -> str:
    """Return a list for a part of an expression at `p`."""
    return listing(w, p, p.depth)


def obj(w: Writer, p: WritingScope) -> str:
    """Return an object for a part of an expression at `p`."""
    return thing(w, p, p.depth)

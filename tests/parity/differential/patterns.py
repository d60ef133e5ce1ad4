"""Random patterns for `match`."""

from __future__ import annotations

from tests.parity.differential.writer import Writer, WritingScope


def case(w: Writer, p: WritingScope) -> tuple[list[str], str]:
    """Return the names a pattern binds, and the pattern; it need not match anything."""
    bound: list[str] = []
    written = _pattern(w, p, 2, bound)
    if written.isidentifier() and written not in ("None", "True", "False"):
        # A bare name matches everything and may only stand last.
        return [*bound], f"({written}, *_)"
    return bound, written


def _pattern(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    kinds = [_literal, _literal, _capture, _wildcard, _dotted]
    if room > 0:
        kinds += [_sequence, _sequence, _mapping, _mapping, _class, _class, _either, _named]
    return w.pick(kinds)(w, p, room - 1, bound)


def _literal(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    return w.pick(("0", "1", "2", "5", "-1", "'ab'", "None", "True", "1.5", "'k'", "1 + 2j"))


def _capture(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    known = [name for name in p.targets if name not in bound]
    name = w.pick(known) if known and w.chance(0.5) else w.fresh("c")
    bound.append(name)
    return name


def _wildcard(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    return w.pick(("int()", "str()", "list()", "Box()", "dict()"))


def _dotted(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    return w.pick(("Box.kind", "sys.maxsize", "Box.kind"))


def _sequence(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    parts = [_pattern(w, p, room, bound) for _ in range(w.pick((0, 1, 2)))]
    if w.chance(0.6):
        name = w.fresh("r")
        star = w.pick(("*_", f"*{name}"))
        parts.insert(w.random.randint(0, len(parts)), star)
    return f"[{', '.join(parts)}]"


def _mapping(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    keys = w.pick((("'k'",), ("'k'", "'m'"), ("'absent'",), ()))
    parts = [f"{key}: {_pattern(w, p, room, bound)}" for key in keys]
    if w.chance(0.3):
        parts.append(f"**{w.fresh('rest')}")
    return f"{{{', '.join(parts)}}}"


def _class(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    shape = w.pick(("Box(v={0})", "int({0})", "Box(v={0}, twice={1})", "str({0})", "list({0})"))
    one = _pattern(w, p, room, bound)
    return shape.format(one, _pattern(w, p, room, bound) if "{1}" in shape else "")


def _either(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    return f"({w.pick(('0', '[1]', 'int()'))} | {w.pick(('2', '[]', 'str()'))} | {{}})"


def _named(w: Writer, p: WritingScope, room: int, bound: list[str]) -> str:
    name = w.fresh("c")
    inner = _either(w, p, room, bound) if w.chance(0.3) else _pattern(w, p, room, bound)
    if inner.isidentifier() or " as " in inner:
        inner = f"[*_, {inner}]"
    bound.append(name)
    return f"({inner} as {name})"

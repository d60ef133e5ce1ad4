"""Random expressions for lists, dictionaries, strings and objects."""

from __future__ import annotations

from dataclasses import replace

from tests.parity.differential.expressions import (
    anything,
    items,
    listing,
    mapping,
    num,
    obj,
    test,
    text,
)
from tests.parity.differential.writer import Table, Writer, WritingScope, shapes


def list_variable(w: Writer, p: WritingScope) -> str:
    return w.pick(p.lists) if p.lists else "[1, 2]"


def list_display(w: Writer, p: WritingScope) -> str:
    parts = w.some(lambda: w.pick(("{0}", "{0}", "*{1}[:2]")), 0, 3)
    return f"[{', '.join(parts).format(num(w, p), items(w, p))}]"


_SLICINGS = shapes("""
    {0}[:2]   {0}[1:]   {0}[{1}:]   {0}[::-1]   {0}[{1}:{2}]   {0}[:]
""")


def slicing(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_SLICINGS)
    return shape.format(items(w, p), num(w, p), num(w, p))


_LIST_SHAPES = shapes("""
    [{0} for i in {2}]   [{0} for i in {2} if {1}]   sorted({2})
    list(map(lambda i: {0}, {2}))   list(filter(lambda i: {0}, {2}))   [*range({3} % 4)]
    list({2}[:2]) + [{3}]   [*{{{3}: 1, **{4}}}]   list({4})
    sorted({2}, key=lambda i: {0}, reverse=True)   list(reversed({2}))
    [f() for f in [lambda: {0} for i in {2}]]
    [f() for f in [lambda i=i: {0} for i in {2}]]   [x for x in (yield_ for yield_ in {2})]
""")


def list_constructed(w: Writer, p: WritingScope) -> str:
    inside = p.quiet("i")
    source = listing(w, replace(p, binds=False, suspends=False), p.depth)
    shape = w.pick(_LIST_SHAPES)
    values = (num(w, inside), test(w, inside), source, num(w, p), mapping(w, p, p.depth))
    return shape.format(*values)


def dict_variable(w: Writer, p: WritingScope) -> str:
    return w.pick(p.dicts) if p.dicts else "{'k': 2}"


_DICT_DISPLAYS = shapes("""
    {{'k': {0}}}   {{**{1}, 'k': {0}}}   dict(k={0})   ({1} | {{'m': {0}}})   {{}}
    dict({1}, z={0})   {{log('key', 'k'): log('value', {0})}}
""")


def dict_display(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_DICT_DISPLAYS)
    return shape.format(num(w, p), mapping(w, p, p.depth))


def dict_comprehension(w: Writer, p: WritingScope) -> str:
    inside = p.quiet("i")
    source = listing(w, replace(p, binds=False, suspends=False), p.depth)
    return f"{{str(i): {num(w, inside)} for i in {source}}}"


def string_variable(w: Writer, p: WritingScope) -> str:
    return w.pick(p.strings) if p.strings else "'st'"


def string_literal(w: Writer, p: WritingScope) -> str:
    return w.pick(("'a'", "'k'", "''", "'xyz'"))


_FORMATTEDS = shapes("""
    f'{{{0}}}'   f'{{{0}!r:>4}}-{{({1})}}'   f'{{{0}=}}'   f'{{{2}:x{{{0}}}}}'
    f'{{{0}:{{{0}}}}}'   f'{{{2}!s}}{{{{}}}}'   '{{}}-{{!r}}'.format({0}, {1})
    '%s.%r' % ({0}, {1})   f'{{({0})=!r}}' 'tail'
""")


def formatted(w: Writer, p: WritingScope) -> str:
    values = (num(w, p), anything(w, p, 0), obj(w, p))
    if w.version < (3, 12) and any(mark in "".join(values) for mark in "'\"\\{"):
        values = (w.pick(p.numbers), w.pick(p.numbers), w.pick(p.numbers))
    shape = w.pick(_FORMATTEDS)
    return shape.format(*values)


_STRING_SHAPES = shapes("""
    str({0})   repr({0})   ','.join(map(str, {1}))   ({2} + 'c')[:4]   type({0}).__name__
    {2}.upper()   {2}[::-1]   ''.join(sorted({2}))   {2}.join(['p', 'q'])   sorted({3})[0]
""")


def string_constructed(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_STRING_SHAPES)
    return shape.format(num(w, p), items(w, p), text(w, p, p.depth), mapping(w, p, p.depth))


def object_variable(w: Writer, p: WritingScope) -> str:
    return w.pick(p.objects) if p.objects else "Box(2)"


def new_object(w: Writer, p: WritingScope) -> str:
    return w.pick(("Box({0})", "Box(v={0})", "Box.of({0})")).format(num(w, p))


_OBJECT_ARITHMETICS = shapes("""
    ({0} + {1})   ({1} + {0})   (-{0})   ({0} - {1})   ({0} or {2})   ({0} and {2})
    ({0} if {1} else {2})
""")


def object_arithmetic(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_OBJECT_ARITHMETICS)
    return shape.format(obj(w, p), num(w, p), obj(w, p))


LIST_ATOMS: Table = ((3, list_variable), (1, list_display))
DICT_ATOMS: Table = ((2, dict_variable), (1, dict_display))
STRING_ATOMS: Table = ((1, string_variable), (1, string_literal))
OBJECT_ATOMS: Table = ((2, object_variable), (1, new_object))
LISTS: Table = ((2, list_display), (2, slicing), (4, list_constructed))
DICTS: Table = ((2, dict_display), (2, dict_comprehension))
STRINGS: Table = ((3, formatted), (2, string_constructed))
OBJECTS: Table = ((2, new_object), (2, object_arithmetic))

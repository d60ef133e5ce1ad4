"""Printing `match` statements: the grammar of patterns has few brackets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograph.syntax import parse, print_tree

# Sources apart by a blank line.
SOURCES = """
match a:
 case 1 | -1 | 1.5 | -2j | 1 + 2j | -1.5 - 2j: b

match a, b:
 case _: c

match (a,):
 case (1, 2): b
 case [1]: c
 case (): d
 case []: e
 case (1,): f

match a:
 case [b, *c, d]: e
 case [*_]: f
 case b, *_: g

match a:
 case {'b': c, -1: d, e.f: g, **h}: i
 case {}: j
 case {**k}: l

match a:
 case B(): c
 case b.C(d, E(f), g=h, i=_): j

match a:
 case None | True | False: b
 case 'c' | b'd' | 'e' 'f': g
 case h.i: j

match a:
 case (b as c): d
 case [e, (f | g) as h]: i
 case (1 | 2) as j: k
 case (l): m

match a:
 case b if c: d
 case e if (f := g): h
 case _ if lambda: 0: i

match *a, b:
 case {'c': [1, {'d': (2 | 3) as e}]}: f

match -a:
 case _: pass

match (yield):
 case _: pass

match a := b:
 case _: pass

match a:
 case 1:
  match b:
   case 2: c
""".strip().split("\n\n")


@pytest.mark.parametrize("source", SOURCES)
def test_patterns_parse_to_the_same_tree(source: str, round_trip: Callable[[str], None]) -> None:
    round_trip(source)


PATTERNS = {
    "[1, *_]": "[1, *_]",
    "(1, x)": "[1, x]",
    "-1 | None": "(-1 | None)",
    "1 + 2j": "1 + 2j",
    "{-1: x, **y}": "{-1: x, **y}",
    "a.B(1, c=d)": "a.B(1, c=d)",
    "(1 | 2) as x": "((1 | 2) as x)",
    "x if y > 1": "x if (y > 1)",
    "'a' 'b'": "'ab'",
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_look(pattern: str) -> None:
    printed = print_tree(parse(f"match x:\n case {pattern}: y"))
    assert printed == f"match x:\n    case {PATTERNS[pattern]}:\n        y"

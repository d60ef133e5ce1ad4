"""Printed source parses to its tree, for statements and expressions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

import pytest

from autograph.syntax import parse, print_tree, same_tree
from tests.each import for_each

# One source a line.
LINES = r"""
x[:]
x[::]
x[a:]
x[:b]
x[::c]
x[(a, b)]
x[(a,)]
x[a, :][b]
x[(yield)]
x[y := 1]
x[(y := 1):2]
del x[:, 0]
x[1:2, ::2] = y
x[lambda: 0]
x[a if b else c]
x[{1: 2}]
x[()] += 1
x[..., 0]
x[-1]
f()
f(*a, **k)
f(a, *b, c=1, *d, **e)
f(**a, b=1)
f(x=(yield))
f()(a)[b].c
'a'.join(b)
b'a'.c
1.0.real
1j.imag
1e400
-1e400
1e400j
0xFFFFFFFFFFFFFFFFF
...
... .x
None
(None).x
0x10 .bit_length()
1_000.0
(1, 2).count
().x
a ** -b
(-a) ** b
a ** b ** c
(a ** b) ** c
not not a
- - a
~-+a
a @ b
a // b % c
a << b >> c
a | b ^ c & d
a if b else c if d else e
(a if b else c) if d else e
a is not b not in c
(a, *b)
*a, b = c
[*a] = b
a = b = c
() = a
[a, (b, c)] = d
print(*a or b)
{*a, *b}
{**a, 'b': 1}
{1}
{1: 2}
(a,)
()
[]
lambda a, /, b=1, *c, d, e=2, **f: (a, b)
lambda *, a: a
lambda: (yield)
lambda: lambda: 0
(a := b, c)
[a := 1, b]
a = (b := c)
[a for b in c if d if e for f in g]
{a: b for c in d}
{a for b in c}
(a for b, in c)
[(a := b) for c in d]
[a for b in (lambda: c)()]
[lambda: a for b in c]
async def f(): return [a async for b in c if await d]
async def f(): await (await a)
a: int = 1
a.b: int
a[b]: int = 1
(a): int
a: b = *c, d
a: (yield)
a @= b
a **= yield_
assert a, b
del a, b
del (a, b)
del (), [a]
raise
raise a from b
import a.b as c, d
from tests.autograph.syntax import a
from tests.autograph import a as b
from tests.autograph.syntax.a import *
global a
pass; pass
for a in *b, c: continue
with a: b
with (a, b): c
with ((a, b)): c
with (a, b) as c: d
with (a): b
with (yield a): b
with (a := b): c
with (a, b), c: d
with (a as b, c as d): e
with a as (b, c): d
with (a,) as b: c
with (): a
with a as b.c, d as e[0]: f
with (a for b in c): d
with ((a,)): b
def f(a: int = 1, *b: int, c: int, d=2, **e: int) -> (yield): 'doc'
def f(*, a): return
def f(a, /): return *a, b
def f(): yield *a, b
def f(): x = yield; yield from a
async def f(): pass
class A(B, C, metaclass=D): 'doc'
match = case = type = _ = 1
match(a)
match[a]
type(a)
match.a
print(match, case)
type = type_ = 3
""".strip().split("\n")

# Sources apart by a blank line.
BLOCKS = """
for a, b in c: break
else: pass

while a: b
else: c

if a: pass
else:
    if b: pass
    c

if a:
    pass
else:
    if b: pass

try: a
except: b

try: a
except B as c: d
except (E, F): g
else: h
finally: i

try: a
finally: b

try: a
finally:
    try: b
    except C: d

async def f():
    async with a as b: c
    async for d in e: g
    else: h

def f():
    '''doc
    more'''
    return 1

def f():
    nonlocal a, b

@a.b
@c[0]
@(lambda f: f)
@(d := e)
class A(*b, **c): x: int = 1
""".strip().split("\n\n")

SINCE = {
    (3, 11): """
x[*a]

x[*a, b]

x[*a,]

x[*a, 1:2]

x[1:2, *a] = b

def f(*a: *b): pass

async def f(): return [[b async for b in c] for d in e]

try: a
except* B as c: d
except* (E, F): g
else: h
finally: i

try: a
except* B:
    try: c
    except D: e
    except F: g
except* H: i

try: a
except B:
    try: c
    except* D: e
except F: g
""",
    (3, 12): """
def f[T](a: T) -> T: pass

def f[T: int, *Ts, **P](): pass

async def f[T: (int, str)](): pass

class A[T, *Ts](B[T]): pass

class A[**P]: pass

type A = int

type A[T: int, *Ts, **P] = dict[T, P]
""",
    (3, 13): """
def f[T = int, *Ts = *tuple[int], **P = [int]](): pass

class A[T: int = bool]: pass

type A[T = int] = list[T]
""",
}


def sources_since() -> list[str]:
    """Return the newer sources this Python can parse."""
    texts = [text for version, text in SINCE.items() if sys.version_info >= version]
    return [source for text in texts for source in text.strip().split("\n\n")]


@for_each("source", [*LINES, *BLOCKS, *sources_since()])
def test_printed_source_parses_to_the_same_tree(
    source: str, round_trip: Callable[[str], None]
) -> None:
    round_trip(source)


@pytest.mark.parametrize("operator", ["+", "*", "-", "|", "<<", "and", "or"])
def test_long_chains_stay_within_the_nesting_python_parses(operator: str) -> None:
    source = f" {operator} ".join(f"x{i}" for i in range(240))
    assert same_tree(parse(source), parse(print_tree(parse(source))))


@pytest.mark.parametrize("head", ["not ", "-", "lambda: ", "a if b else "])
def test_long_nests_stay_within_the_nesting_python_parses(head: str) -> None:
    source = head * 150 + "x"
    assert same_tree(ast.parse(source), ast.parse(print_tree(ast.parse(source))))


def test_long_chains_of_mixed_operators() -> None:
    source = "+".join("a*b*c-d" for _ in range(70))
    assert same_tree(parse(source), parse(print_tree(parse(source))))


def test_long_chains_of_calls() -> None:
    source = "x" + ".f(1)[a, :]" * 150
    assert print_tree(parse(source)) == source


def test_chains_start_anywhere() -> None:
    assert print_tree(parse("(a + b).c(d)[e]")) == "(a + b).c(d)[e]"
    assert print_tree(parse("(lambda: 0)()")) == "(lambda : 0)()"

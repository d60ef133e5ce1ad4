"""The printer: one look, and source that parses back to the tree it was given."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

import gast
import pytest

from autograph.syntax import parse, print_tree, same_tree

# The two listings every printed function has to look like.
RELU = """\
def tf__simple_relu(x):
    with ag__.FunctionScope('simple_relu', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            (do_return, retval_) = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = ag__.ld(x)
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = 0
            except:
                do_return = False
                raise
        ag__.if_stmt(ag__.converted_call(ag__.ld(tf).greater, (ag__.ld(x), 0), None, fscope), if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
"""  # noqa: E501

MY_FUNCTION = """\
def tf__my_function(x):
    with ag__.FunctionScope('my_function', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            (do_return, retval_) = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = (ag__.ld(x) * ag__.ld(x))
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = (ag__.ld(x) - 1)
            except:
                do_return = False
                raise
        ag__.if_stmt((ag__.converted_call(ag__.ld(tf).reduce_sum, (ag__.ld(x),), None, fscope) <= 1), if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
"""  # noqa: E501

# What the printer writes for a source, to the letter.
LOOKS = {
    "x[i, :]": "x[i, :]",
    "x[:, 0]": "x[:, 0]",
    "x[1:2,]": "x[1:2,]",
    "x[()]": "x[()]",
    "x[i]": "x[i]",
    "x[i, j]": "x[(i, j)]",
    "x[..., None, ::2]": "x[..., None, ::2]",
    "x[a:b:c]": "x[a:b:c]",
    "-1": "(- 1)",
    "not x": "(not x)",
    "a + b*c": "(a + (b * c))",
    "a < b <= c": "(a < b <= c)",
    "a and b or c": "((a and b) or c)",
    "a if b else c": "(a if b else c)",
    "lambda: 0": "(lambda : 0)",
    "lambda x, *y: x": "(lambda x, *y: x)",
    "a, b = c": "(a, b) = c",
    "f(x for x in y)": "f((x for x in y))",
    "(1).real": "1 .real",
    "1.5.real": "1.5.real",
    "True.real": "True .real",
    "{}": "{}",
    "(y := f(x))": "(y := f(x))",
    "await_ = 1": "await_ = 1",
    "x: int": "x: int",
    "(x): int = 3": "(x): int = 3",
    "x += 1": "x += 1",
    "class A: pass": "class A():\n    pass",
    "class A(B, metaclass=C): pass": "class A(B, metaclass=C):\n    pass",
    "def f(a, /, b=1, *, c: int = 2, **k) -> int: pass": (
        "def f(a, /, b=1, *, c: int=2, **k) -> int:\n    pass"
    ),
    "@d(1)\ndef f(): pass": "@d(1)\ndef f():\n    pass",
    "if a: b\nelif c: d\nelse: e": "if a:\n    b\nelif c:\n    d\nelse:\n    e",
    "with a as b, c: d": "with a as b, c:\n    d",
    'f"it\'s {x}"': 'f"it\'s {x}"',
}

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
from . import a
from .. import a as b
from .a import *
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


@pytest.mark.parametrize("listing", [RELU, MY_FUNCTION], ids=["simple_relu", "my_function"])
def test_the_listings_print_to_the_letter(listing: str) -> None:
    assert listing == print_tree(parse(listing)) + "\n"
    assert listing == print_tree(ast.parse(listing)) + "\n"


@pytest.mark.parametrize("source", LOOKS)
def test_the_look(source: str) -> None:
    assert print_tree(parse(source)) == LOOKS[source]


@pytest.mark.parametrize("source", [*LINES, *BLOCKS, *sources_since()])
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


def test_hundreds_of_elifs() -> None:
    source = "if a: pass\n" + "elif b: pass\n" * 100
    assert print_tree(parse(source)).count("elif") == 100


def test_a_chain_of_sixty_keeps_its_brackets() -> None:
    assert print_tree(parse("+".join("a" * 61))).count("(") == 60
    assert print_tree(parse("+".join("a" * 62))).count("(") == 1


def test_an_empty_set_prints_as_one() -> None:
    assert eval(print_tree(gast.Set([]))) == set()


def test_missing_optional_fields_are_not_needed() -> None:
    function = gast.FunctionDef(
        "f", gast.arguments([], [], None, [], [], None, []), [gast.Pass()], [], None
    )
    assert print_tree(function) == "def f():\n    pass"


def test_a_list_of_statements_prints_as_a_block() -> None:
    assert print_tree(parse("a = 1; b = 2").body) == "a = 1\nb = 2"


def test_nested_definitions_have_one_blank_line_before_and_none_after() -> None:
    source = "def f():\n    def g():\n        pass\n    x = 1\n    class A: pass\n    y = 2"
    assert print_tree(parse(source)) == (
        "def f():\n\n    def g():\n        pass\n    x = 1\n\n"
        "    class A():\n        pass\n    y = 2"
    )

"""The printer: one look, and source that parses back to the tree it was given."""

from __future__ import annotations

import ast
import sys

import gast
import pytest

from autograph.syntax import Template, parse, print_tree, same_tree, to_gast
from autograph.syntax.printer_strings import number_text

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
    "f'a{x}b'": "f'a{x}b'",
    "f'{x!r:>{w}}'": "f'{x!r:>{w}}'",
    "f\"{d['k']}\"": "f\"{d['k']}\"",
    'f"it\'s {x}"': 'f"it\'s {x}"',
    "f'{{{x}}}'": "f'{{{x}}}'",
    "f'a\\n{x}'": "f'a\\n{x}'",
    "'a' 'b'": "'ab'",
    "u'a'": "u'a'",
    "match x:\n    case [1, *_]: y": "match x:\n    case [1, *_]:\n        y",
    "match x:\n    case -1 | None: y": "match x:\n    case (-1 | None):\n        y",
}

EVERYWHERE = [
    # indexing
    "x[:]", "x[::]", "x[a:]", "x[:b]", "x[::c]", "x[(a, b)]", "x[(a,)]", "x[*a]" , "x[*a, b]",
    "x[a, :][b]", "x[(yield)]", "x[y := 1]", "x[(y := 1):2]", "del x[:, 0]", "x[1:2, ::2] = y",
    "x[lambda: 0]", "x[a if b else c]", "x[{1: 2}]", "x[()] += 1", "x[..., 0]", "x[-1]",
    # calls, attributes, constants
    "f()", "f(*a, **k)", "f(a, *b, c=1, *d, **e)", "f(**a, b=1)", "f(x=(yield))", "f()(a)[b].c",
    "'a'.join(b)", "b'a'.c", "1.0.real", "1j.imag", "1e400", "-1e400", "1e400j", "0xFFFFFFFFFFFFFFFFF",
    "...", "... .x", "None", "(None).x", "0x10 .bit_length()", "1_000.0", "(1, 2).count", "().x",
    "'\\ud800'", "'\\x00\\r\\n\\t\\x7f\\u2028'", "'\\N{BULLET}'", "b'\\xff\\''", "'it\\'s \"x\"'",
    # operators
    "a ** -b", "(-a) ** b", "a ** b ** c", "(a ** b) ** c", "not not a", "- - a", "~-+a",
    "a @ b", "a // b % c", "a << b >> c", "a | b ^ c & d", "a if b else c if d else e",
    "(a if b else c) if d else e", "a is not b not in c", "(a, *b)", "*a, b = c", "[*a] = b",
    "a = b = c", "() = a", "[a, (b, c)] = d", "print(*a or b)", "{*a, *b}", "{**a, 'b': 1}",
    "{1}", "{1: 2}", "(a,)", "()", "[]", "lambda a, /, b=1, *c, d, e=2, **f: (a, b)", "lambda *, a: a",
    "lambda: (yield)", "lambda: lambda: 0", "(a := b, c)", "[a := 1, b]", "a = (b := c)",
    # comprehensions
    "[a for b in c if d if e for f in g]", "{a: b for c in d}", "{a for b in c}", "(a for b, in c)",
    "[(a := b) for c in d]", "[a for b in (lambda: c)()]", "[lambda: a for b in c]",
    "async def f(): return [a async for b in c if await d]", "async def f(): await (await a)",
    # statements
    "a: int = 1", "a.b: int", "a[b]: int = 1", "(a): int", "a: b = *c, d", "a: (yield)", "a @= b",
    "a **= yield_", "assert a, b", "del a, b", "del (a, b)", "del (), [a]", "raise", "raise a from b",
    "import a.b as c, d", "from . import a", "from .. import a as b", "from .a import *", "global a",
    "pass; pass", "for a, b in c: break\nelse: pass", "for a in *b, c: continue", "while a: b\nelse: c",
    "if a: pass\nelse:\n    if b: pass\n    c", "if a:\n    pass\nelse:\n    if b: pass",
    "try: a\nexcept: b", "try: a\nexcept B as c: d\nexcept (E, F): g\nelse: h\nfinally: i", "try: a\nfinally: b",
    "try: a\nfinally:\n    try: b\n    except C: d",
    "with a: b", "with (a, b): c", "with ((a, b)): c", "with (a, b) as c: d", "with (a): b", "with (yield a): b",
    "with (a := b): c", "with (a, b), c: d", "with (a as b, c as d): e", "with a as (b, c): d", "with (a,) as b: c",
    "with (): a", "with a as b.c, d as e[0]: f", "with (a for b in c): d",
    "with ((a,)): b",
    "async def f():\n    async with a as b: c\n    async for d in e: g\n    else: h",
    "def f(a: int = 1, *b: int, c: int, d=2, **e: int) -> (yield): 'doc'",
    "def f(*, a): return", "def f(a, /): return *a, b", "def f(): yield *a, b", "def f(): x = yield; yield from a",
    "def f():\n    '''doc\n    more'''\n    return 1", "def f():\n    nonlocal a, b",
    "@a.b\n@c[0]\n@(lambda f: f)\n@(d := e)\nclass A(*b, **c): x: int = 1",
    "async def f(): pass", "class A(B, C, metaclass=D): 'doc'", "match = case = type = _ = 1",
    "match(a)", "match[a]", "type(a)", "match.a", "print(match, case)", "type = type_ = 3",
    # patterns
    "match a:\n case 1 | -1 | 1.5 | -2j | 1 + 2j | -1.5 - 2j: b", "match a, b:\n case _: c",
    "match (a,):\n case (1, 2): b\n case [1]: c\n case (): d\n case []: e\n case (1,): f",
    "match a:\n case [b, *c, d]: e\n case [*_]: f\n case b, *_: g",
    "match a:\n case {'b': c, -1: d, e.f: g, **h}: i\n case {}: j\n case {**k}: l",
    "match a:\n case B(): c\n case b.C(d, E(f), g=h, i=_): j",
    "match a:\n case None | True | False: b\n case 'c' | b'd' | 'e' 'f': g\n case h.i: j",
    "match a:\n case (b as c): d\n case [e, (f | g) as h]: i\n case (1 | 2) as j: k\n case (l): m",
    "match a:\n case b if c: d\n case e if (f := g): h\n case _ if lambda: 0: i",
    "match *a, b:\n case {'c': [1, {'d': (2 | 3) as e}]}: f", "match -a:\n case _: pass",
    "match (yield):\n case _: pass", "match a := b:\n case _: pass",
    "match a:\n case 1:\n  match b:\n   case 2: c",
    # f-strings
    "f''", "f'a'", "f'{a}'", "f'{a!r}{b!s}{c!a}'", "f'{a:>10}'", "f'{a:{b}}'", "f'{a!r:{b}{c!s}}'",
    "f'{{}}'", "f'{{{a}}}'", "f'}}{{'", "f'{a=}'", "f'{a = !r:^20}'", "f'{a=:>5}'", "f\"{a['b']}\"",
    "f'{ {1: 2} }'", "f'{ {a for a in b} }'", "f'{(lambda: 1)}'", "f'{(a := 1)}'", "f'{a != b}'",
    "f'{a if b else c}'", "f'{a, b}'", "f'{*a, b}'", "f'{a:}'", "f'\\'\"{a}'", "f'''{a}'\"'''", "f'\\\\{a}\\\\'",
    "f'\\n\\t\\r\\0{a}'", "f'\\N{BULLET}{a}'", "f'\\\\N{{{a}}}'", "rf'\\d{a}'", "f'{f\"{a}\"}'", "'a' f'{b}' 'c'",
    "f\"{f'{a}'!r}\"", "f'''{f\"{f'{a}'}\"}'''", "f'{a.b[0](c)}'", "f'{\"a\"}{\"b\" \"c\"}'", "f'{a:%H:%M}'",
    "f'{a:{\"b\"}}'", "f'\\ud800{a}'", "f'{b\"a\"}'", "f'{x:{y}-{z}}'", "f'{x:\\x7b\\x7d}'", "f'{await_}'",
    "f'''{'''\n'''}'''" if sys.version_info >= (3, 12) else "f'''{\"\"\"\n\"\"\"}'''",
    "f'''{a:\n}'''" if sys.version_info < (3, 12) else "f'''{a}\n'''",
    "f'{(yield)}'", "f'{x[\"a\"][\"b\"]}{y}'", "f'é{a}ü{b:ñ>5}'", "x = f'{a}' 'b' + f'{c}'",
]  # fmt: skip

SINCE_3_11 = [
    "try: a\nexcept* B as c: d\nexcept* (E, F): g\nelse: h\nfinally: i",
    "try: a\nexcept* B:\n    try: c\n    except D: e\n    except F: g\nexcept* H: i",
    "try: a\nexcept B:\n    try: c\n    except* D: e\nexcept F: g",
    "x[*a, 1:2]",
    "x[1:2, *a] = b",
    "x[*a,]",
    "def f(*a: *b): pass",
    "async def f(): return [[b async for b in c] for d in e]",
]

SINCE_3_12 = [
    "def f[T](a: T) -> T: pass",
    "def f[T: int, *Ts, **P](): pass",
    "async def f[T: (int, str)](): pass",
    "class A[T, *Ts](B[T]): pass",
    "class A[**P]: pass",
    "type A = int",
    "type A[T: int, *Ts, **P] = dict[T, P]",
    "f'{'a'}'",
    "f'{f'{f'{a}'}'}'",
    "f'{'\\n'.join(a)}'",
    "f'{a['b']}' f\"{c[\"d\"]}\"",
    "f'{\"'\"}{'\"'}'",
    "f'{x:{'>'}{'\\n'}}'",
    "f'{'''\n'''}'",
    "f'{a  # why\n}'",
    "f'{\n a\n}'",
    "f'{x!r:\\'}'",
    "f'{lambda_:{1}}{'{'}{'}'}'",
]

SINCE_3_13 = [
    "def f[T = int, *Ts = *tuple[int], **P = [int]](): pass",
    "class A[T: int = bool]: pass",
    "type A[T = int] = list[T]",
]


def known_sources() -> list[str]:
    """Return the cases this Python can parse."""
    sources = list(EVERYWHERE)
    for version, cases in (((3, 11), SINCE_3_11), ((3, 12), SINCE_3_12), ((3, 13), SINCE_3_13)):
        sources += cases if sys.version_info >= version else []
    if sys.version_info < (3, 11):
        sources = [s for s in sources if "x[*a" not in s]
    return sources


@pytest.mark.parametrize("listing", [RELU, MY_FUNCTION], ids=["simple_relu", "my_function"])
def test_the_listings_print_to_the_letter(listing: str) -> None:
    assert listing == print_tree(parse(listing)) + "\n"
    assert listing == print_tree(ast.parse(listing)) + "\n"


@pytest.mark.parametrize("source", LOOKS)
def test_the_look(source: str) -> None:
    assert print_tree(parse(source)) == LOOKS[source]


@pytest.mark.parametrize("source", known_sources())
def test_printed_source_parses_to_the_same_tree(source: str) -> None:
    tree = ast.parse(source)
    printed = print_tree(tree)
    assert same_tree(tree, ast.parse(printed)), printed
    assert printed == print_tree(to_gast(tree))
    assert printed == print_tree(ast.parse(printed))


def test_there_are_enough_cases() -> None:
    assert len(known_sources()) + len(LOOKS) > 250


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


def test_integers_too_long_for_decimal() -> None:
    value = 7**6000
    text = print_tree(gast.Constant(value, None))
    assert text == hex(value)
    assert print_tree(gast.Attribute(gast.Constant(value, None), "real", gast.Load())) == (
        f"{hex(value)} .real"
    )


@pytest.mark.parametrize(
    "value",
    [-1, -1.5, float("inf"), float("-inf"), 1 + 2j, -2j, complex(0.0, -0.0), complex(-0.0, 1.0),
     complex(1, float("inf")), (1, -2), (1,), (), frozenset({1, 2}), frozenset(), True, b"a"],
)  # fmt: skip
def test_constants_that_have_no_literal_keep_their_value(value: object) -> None:
    text = print_tree(gast.Constant(value, None))
    assert repr(eval(text)) == repr(value)


@pytest.mark.parametrize("value", [-1, 1j - 1, float("-inf"), (1, 2)])
def test_constants_that_have_no_literal_can_be_operands(value: object) -> None:
    power = gast.BinOp(gast.Constant(value, None), gast.Pow(), gast.Constant(2, None))
    attribute = gast.Attribute(gast.Constant(value, None), "__class__", gast.Load())
    assert eval(print_tree(attribute)) is type(value)
    if not isinstance(value, tuple):
        assert eval(print_tree(power)) == value**2  # type: ignore[operator]


def test_not_a_number() -> None:
    assert number_text(float("nan")) == "(1e309 - 1e309)"
    assert eval(number_text(float("nan"))) != 0


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
        "def f():\n\n    def g():\n        pass\n    x = 1\n\n    class A():\n        pass\n    y = 2"
    )


def fstring(*values: gast.expr) -> gast.JoinedStr:
    return gast.JoinedStr(list(values))


def braces(
    value: str | gast.expr, conversion: int = -1, spec: object = None
) -> gast.FormattedValue:
    node = value if isinstance(value, gast.AST) else Template(value).expression()
    return gast.FormattedValue(node, conversion, spec)


ODD = ["'", '"', "'''\"\"\"", "\\", "\n", "{", "}", "\r", "\t'\"", "é\u2028", "\\N{DASH}", "\x00"]


@pytest.mark.parametrize("text", ODD)
def test_generated_f_strings_hold_any_text(text: str) -> None:
    node = fstring(gast.Constant(text, None), braces("a"), gast.Constant(text, None))
    assert eval(print_tree(node), {"a": 1}) == f"{text}1{text}"


@pytest.mark.parametrize("text", ODD)
def test_generated_f_strings_hold_any_string_in_the_braces(text: str) -> None:
    node = fstring(gast.Constant("<\\", None), braces(gast.Constant(text, None), ord("r")))
    assert eval(print_tree(node)) == "<\\" + repr(text)


@pytest.mark.parametrize("text", ODD)
def test_generated_f_strings_nest(text: str) -> None:
    inner = fstring(braces(gast.Constant(text, None)), gast.Constant("'", None))
    middle = fstring(gast.Constant('"', None), braces(inner))
    outer = fstring(braces(middle, ord("r")), braces("d['k']"), gast.Constant(text, None))
    assert eval(print_tree(outer), {"d": {"k": 1}}) == repr('"' + text + "'") + "1" + text


def test_generated_f_strings_with_a_spec_and_unquotable_text() -> None:
    spec = fstring(gast.Constant(">", None), braces("w"))
    node = fstring(braces(gast.Constant("\\'\"\n", None), -1, spec))
    assert eval(print_tree(node), {"w": 6}) == "  \\'\"\n"


def test_quotes_of_a_string_in_braces_are_looked_for_before_giving_up() -> None:
    node = fstring(braces("f('a', \"it's\")"))
    text = print_tree(node)
    assert text.startswith("f")
    assert eval(text, {"f": lambda *a: a}) == "('a', \"it's\")"


def test_a_formatted_value_alone_is_an_f_string() -> None:
    assert print_tree(braces("x")) == "f'{x}'"

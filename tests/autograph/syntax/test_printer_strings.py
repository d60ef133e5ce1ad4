"""Printing literals: every string, f-string and number keeps its value."""

from __future__ import annotations

import sys
from collections.abc import Callable

import gast
import pytest

from autograph.syntax import Template, parse, print_tree
from autograph.syntax.printer_strings import number_text
from tests.each import for_each

LOOKS = {
    "f'a{x}b'": "f'a{x}b'",
    "f'{x!r:>{w}}'": "f'{x!r:>{w}}'",
    "f\"{d['k']}\"": "f\"{d['k']}\"",
    "f'{{{x}}}'": "f'{{{x}}}'",
    "f'a\\n{x}'": "f'a\\n{x}'",
    "'a' 'b'": "'ab'",
    "u'a'": "u'a'",
}

# One source a line.
STRINGS = r"""
'\ud800'
'\x00\r\n\t\x7f\u2028'
'\N{BULLET}'
b'\xff\''
'it\'s "x"'
""".strip().split("\n")

F_STRINGS = r"""
f''
f'a'
f'{a}'
f'{a!r}{b!s}{c!a}'
f'{a:>10}'
f'{a:{b}}'
f'{a!r:{b}{c!s}}'
f'{{}}'
f'{{{a}}}'
f'}}{{'
f'{a=}'
f'{a = !r:^20}'
f'{a=:>5}'
f"{a['b']}"
f'{ {1: 2} }'
f'{ {a for a in b} }'
f'{(lambda: 1)}'
f'{(a := 1)}'
f'{a != b}'
f'{a if b else c}'
f'{a, b}'
f'{*a, b}'
f'{a:}'
f'\'"{a}'
f'\\{a}\\'
f'\n\t\r\0{a}'
f'\N{BULLET}{a}'
f'\\N{{{a}}}'
rf'\d{a}'
f'{f"{a}"}'
'a' f'{b}' 'c'
f"{f'{a}'!r}"
f'{a.b[0](c)}'
f'{"a"}{"b" "c"}'
f'{a:%H:%M}'
f'{a:{"b"}}'
f'\ud800{a}'
f'{b"a"}'
f'{x:{y}-{z}}'
f'{x:\x7b\x7d}'
f'{await_}'
f'{(yield)}'
f'{x["a"]["b"]}{y}'
f'é{a}ü{b:ñ>5}'
x = f'{a}' 'b' + f'{c}'
""".strip().split("\n")

TRIPLE_QUOTED = [
    "f'''{a}'\"'''",
    "f'''{f\"{f'{a}'}\"}'''",
    "f'''{a}\n'''",
    'f"""{\n a\n}"""',
    "f'''{\"\"\"\n\"\"\"}'''",
]

# Quotes, backslashes and comments inside the braces.
FREELY_NESTED = [
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
    "f'{x:{1}{'{'}{'}'}}'",
]


def newer_sources() -> list[str]:
    return FREELY_NESTED if sys.version_info >= (3, 12) else []


@pytest.mark.parametrize("source", LOOKS)
def test_the_look(source: str) -> None:
    assert print_tree(parse(source)) == LOOKS[source]


@for_each("source", [*STRINGS, *F_STRINGS, *TRIPLE_QUOTED, *newer_sources()])
def test_strings_parse_to_the_same_tree(source: str, round_trip: Callable[[str], None]) -> None:
    round_trip(source)


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

"""The printer: one style, and source that parses back to the same tree."""

from __future__ import annotations

import ast

import gast
import pytest

from autograph.syntax import parse, print_tree
from tests.reference_listings import MY_FUNCTION, SIMPLE_RELU

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


@pytest.mark.parametrize("listing", [SIMPLE_RELU, MY_FUNCTION], ids=["simple_relu", "my_function"])
def test_the_listings_print_to_the_letter(listing: str) -> None:
    assert listing == print_tree(parse(listing)) + "\n"
    assert listing == print_tree(ast.parse(listing)) + "\n"


@pytest.mark.parametrize("source", LOOKS)
def test_the_look(source: str) -> None:
    assert print_tree(parse(source)) == LOOKS[source]


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

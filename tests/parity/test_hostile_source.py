"""Programs that are too long, too deep or too crowded for code that is not written with care."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.converters.pipeline import convert_function
from autograph.errors import AutographError, ConversionError, StagingError
from autograph.syntax import source_of, to_ast
from runtime.graph.graph import Graph
from tests.parity.hostile import assert_same, compiled_function
from tests.suite_length import IS_LONG, sample


def lines(count: int, line: str) -> str:
    """Return `line` so many times, `{i}` in it being the number of the time."""
    return "".join(line.replace("{i}", str(i)) for i in range(count))


# Long functions: each piece stands for about four lines.

PIECES = {
    "assignments": " a{i} = x + {i}\n x = a{i} - x\n log.append(x % 7)\n x %= 50\n",
    "branches": " if x > {i}:\n  x = x - 1\n else:\n  y = x\n",
    "loops": " for i in range(x % 3):\n  if i > 1: break\n  x = x + 1\n  if x > 40: return x\n",
    "functions": " def g(v):\n  return v if v else x\n x = g(x) + 1\n\n",
    "handlers": " try:\n  x = 10 // (x % 3)\n except ZeroDivisionError as e:\n  x = len(str(e))\n",
    "mixed": " if x and x > {i}: x = [v for v in range(3)][x % 3]\n y = max(x, {i})\n y += x\n\n",
}


def long_function(kind: str, count: int) -> str:
    return f"def f(x):\n y = 0\n{lines(count, PIECES[kind])} return x + y\n"


@pytest.mark.parametrize("kind", sample([*PIECES], 3))
def test_a_long_function_agrees_with_python(kind: str) -> None:
    assert_same(long_function(kind, 25), (3,), (90,))


def calls_to_convert(text: str) -> int:
    """Return how many Python functions are called to convert a text: steps that no clock blurs."""
    function = compiled_function(text)
    calls = 0

    def count(frame: object, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        to_ast(convert_function(source_of(function)))
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("kind", sample(["mixed", "branches"], 2))
def test_conversion_cost_is_linear(kind: str) -> None:
    calls_to_convert(long_function(kind, 20))
    short, long = (calls_to_convert(long_function(kind, count)) for count in (25, 250))
    assert long < 10 * 1.5 * short


def test_ten_thousand_lines_are_converted() -> None:
    text = "def f(x):\n" + lines(2450, " x = x + {i}\n y = x * 2\n x = y - x\n x %= 97\n")
    text += lines(50, " if x > {i}:\n  x = x - 1\n y += x\n\n") + " return x, y\n"
    assert text.count("\n") > 10_000
    convert_function(source_of(compiled_function(text)))


def test_thousands_of_variables() -> None:
    bound = lines(2000, " v{i} = x + {i}\n")
    perhaps_bound = lines(9, " if x > {i}:\n  w{i} = x\n x += 1\n")
    summed = lines(2000, "+ v{i} ")
    text = f"def f(x):\n{bound}{perhaps_bound} g = lambda: v7\n"
    assert_same(f"{text} y = x {summed[:9000]}\n return y, g(), w8\n", (1,), (-90,))


# Deep expressions

DEEP = {
    "sum": "x" + " + x" * 1000,
    "and": "x" + " and x" * 500,
    "or of and": " or ".join(["(x and y)"] * 300),
    "comparison": "x" + " <= x" * 60,
    "not": "not " * 501 + "x",
    "minus": "-" * 500 + "x",
    "parentheses": "(" * 195 + "x" + ")" * 195,
    "lists": "[" * 150 + "x" + "]" * 150,
    "attributes": "me" + ".me" * 500 + ".value",
    "items": "it" + "[0]" * 500 + " is it",
    "calls": "again" + "()" * 500 + " is again",
    "methods": "me" + ".get()" * 250 + ".value",
    "arguments": "abs(" * 95 + "x" + ")" * 95,
    "ternaries": lines(120, "{i} if x == {i} else ") + "x",
    "lambdas": "(lambda: " * 60 + "x" + ")()" * 60,
    "strings": "f'{x}' " * 1000,
    "a list of hundreds": "[" + lines(500, "x + {i}, ") + "]",
    "arguments by hundreds": "max(" + lines(500, "x + {i}, ") + ")",
}
HELPERS = """
class Me:
    value = 5
    def get(self): return self
me = Me.me = Me()
it = []
it.append(it)
def again(): return again
"""


@pytest.mark.parametrize("kind", DEEP)
def test_a_deep_expression_agrees_with_python(kind: str) -> None:
    assert_same(f"{HELPERS}def f(x, y):\n    return {DEEP[kind]}\n", (1, 2), (0, 7))


# Many alternatives

ARMS = {
    "assign": ("if x == -1: y = 0\n{arms}    else: y = -1\n    return y", "y = {i}"),
    "return": ("if x == -1: return 0\n{arms}    return -1", "return {i}"),
    "call": ("if x == -1: pass\n{arms}    return log", "log.append({i})"),
}


@pytest.mark.parametrize(
    ("kind", "arms"),
    [*itertools.product(ARMS, (20, 70) if IS_LONG else (70,)), ("return", 500 if IS_LONG else 80)],
)
def test_a_chain_of_elifs_agrees_with_python(kind: str, arms: int) -> None:
    body, arm = ARMS[kind]
    chain = lines(arms, f"    elif x == {{i}}: {arm}\n")
    assert_same(f"def f(x):\n    {body.replace('{arms}', chain)}\n", (0,), (arms - 1,), (arms,))


def test_a_chain_of_elifs_in_a_loop_agrees_with_python() -> None:
    chain = lines(100, "        elif x == {i}: log.append(x)\n")
    text = f"""
def f(xs):
    for x in xs:
        if x == -1: continue
{chain}        else: break
        log.append("end")
    else:
        return "else"
    return "break"
"""
    assert_same(text, ([-1, 1, 99],), ([-1, 1, 100, 5],))


@pytest.mark.parametrize("count", [20, 150] if IS_LONG else [20, 80])
@pytest.mark.parametrize(
    "guard", sample(["if x == {i}: return {i}", "y = x\n    if y == {i}: return y"], 2)
)
def test_a_series_of_guards_agrees_with_python(guard: str, count: int) -> None:
    guards = lines(count, f"    {guard}\n")
    assert_same(f"def f(x):\n{guards}    return -1\n", (0,), (count - 1,), (count,))


def test_a_match_of_many_cases_agrees_with_python() -> None:
    cases = lines(150, "        case {i}: y = {i}\n")
    text = f"def f(x):\n    match x:\n{cases}        case _: y = -1\n    return y\n"
    assert_same(text, (0,), (149,), (150,))


def test_a_long_chain_is_staged() -> None:
    chain = lines(70, "    elif x == {i}: y = {i}\n")
    function = compiled_function(f"def f(x):\n    if x == -1: y = 0\n{chain}    return y\n")
    assert "nothing in it stays Python" in str(ag.explain(function))
    assert 69 == int(ag.function(function, strict=True)(rt.constant(69)))


def test_too_deeply_nested_statements_have_a_reason() -> None:
    levels = "".join(f"{' ' * (4 + n)}if x > {n}:\n" for n in range(70))
    function = compiled_function(f"def f(x):\n    y = 0\n{levels}{' ' * 80}y = x\n    return y\n")
    assert "levels of `if`, `for`, `while` and `match`" in str(ag.explain(function))
    with pytest.raises(ConversionError, match="levels of `if`, `for`, `while` and `match`"):
        ag.function(function, strict=True)(1)


# Nested blocks: Python takes 20 of them, and 99 levels of indentation.


def nested(count: int, head: str, inside: str, tail: str = "") -> str:
    opened = "".join(f"{' ' * (n + 1)}{head}\n" for n in range(count)).replace("{i}", "i")
    closed = "".join(f"{' ' * (n + 1)}{tail}\n" for n in reversed(range(count))) if tail else ""
    return f"{opened}{' ' * (count + 1)}{inside}\n{closed}"


HEADS = {
    "if": ("if x:", "y = x", ""),
    "for": ("for i in x:", "y += 1", ""),
    "for with break": ("for i in x:", "if y: break", ""),
    "while": ("while x:", "x -= x", ""),
    "with": ("with context():", "y = x", ""),
    "try": ("try:", "y = 1 // x", "except ValueError: pass"),
}


@pytest.mark.parametrize("count", sample([5, 18, 19, 20, 21, 90, 200], 3))
@pytest.mark.parametrize("kind", HEADS)
def test_blocks_nest_as_deep_as_in_python(kind: str, count: int) -> None:
    head, inside, tail = HEADS[kind]
    text = "from contextlib import nullcontext as context\n"
    text += f"def f(x):\n y = 0\n{nested(count, head, inside, tail)} return x, y\n"
    case = ([1],) if kind.startswith("for") else (1,)
    try:
        compiled_function(text)
    except SyntaxError:  # IndentationError is one, too
        assert count > (97 if kind == "if" else 19)
        return
    assert_same(text, case)


def test_a_block_beyond_pythons_limit_is_refused() -> None:
    text = "from contextlib import nullcontext as context\ndef f(x):\n"
    function = compiled_function(
        text + nested(19, "with context():", "if x: return 1") + " return 2\n"
    )
    with pytest.raises(ConversionError, match="too many statically nested blocks"):
        ag.to_graph(function)
    caller = compiled_function("def g(f, x): return f(x)\n", "g")
    with Graph("recording").recording():
        assert 1 == ag.to_graph(caller)(function, 1)


# With hardly any stack left


def test_a_first_call_deep_in_a_recursion() -> None:
    inner = compiled_function(
        "def f(x):\n    if x > 1: return f'{x}'\n    return [y for y in (x,)][0]\n"
    )
    converted = ag.convert(inner)
    limit = sys.getrecursionlimit()

    def at_depth(n: int) -> Any:
        return converted(2) if n == 0 else at_depth(n - 1)

    assert "2" == at_depth(limit - _depth() - 40)
    assert limit == sys.getrecursionlimit()


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return depth


def test_an_unconvertibly_deep_function_is_refused_by_name() -> None:
    function = compiled_function(f"def f(x):\n    return {'x' + ' + x' * 900}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograph.syntax.large_stack._FRAMES", 500)
        with pytest.raises(AutographError, match="f. nests too deeply"):
            ag.to_graph(function)
    assert issubclass(StagingError, AutographError)

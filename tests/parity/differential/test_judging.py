"""The differential test finds wrong conversions and minimizes them."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
from collections.abc import Callable
from typing import Any

import pytest

from tests.parity.differential.judging import Divergence, divergence
from tests.parity.differential.programs import random_program
from tests.parity.differential.rewriting import Rewriting, changes
from tests.parity.differential.running import ENTRY, Entry, Program, original
from tests.suite_length import sample


class MiddleTwice(ast.NodeTransformer):
    """`a < f() < b` asks `f` twice."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
        rest = ast.Compare(copy.deepcopy(node.comparators[0]), node.ops[1:], node.comparators[1:])
        return ast.BoolOp(ast.And(), [first, rest])


class ElseAlways(ast.NodeTransformer):
    """The `else` of a loop runs after `break`, too."""

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        orelse, node.orelse = node.orelse, []
        return [node, *orelse]


class ElseAfterJump(ast.NodeTransformer):
    """`continue` in a `try` runs its `else` clause."""

    def visit_Try(self, node: ast.Try) -> Any:
        self.generic_visit(node)
        for statement in node.body:
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Continue):
                statement.body[-1:] = [*copy.deepcopy(node.orelse), statement.body[-1]]
        return node


class EarlyBinding(ast.NodeTransformer):
    """A lambda sees the loop variable as it was when the lambda was made."""

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        names = [n.id for n in ast.walk(node.body) if isinstance(n, ast.Name)]
        if "i" in names and not node.args.args:
            node.args.kwonlyargs = [ast.arg("i")]
            node.args.kw_defaults = [ast.Name("i", ast.Load())]
        return node


class OperandsSwapped(ast.NodeTransformer):
    """The right operand is evaluated first."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Add):
            return node
        pair = ast.Tuple([node.right, node.left], ast.Load())
        body = ast.parse("(lambda p: p[1] + p[0])()", mode="eval").body
        assert isinstance(body, ast.Call)
        body.args = [pair]
        return body


class CauseLost(ast.NodeTransformer):
    """`raise ... from ...` forgets where it came from."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        node.cause = None
        return node


class LineOff(ast.NodeTransformer):
    """A statement is said to be on another line."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return ast.increment_lineno(node)


class NamesLost(ast.NodeTransformer):
    """A nested function has another name."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        if node.name == ENTRY or node.decorator_list or node.name.startswith("__"):
            return node
        called, node.name = node.name, f"tf__{node.name}"
        naming = ast.Assign([ast.Name(called, ast.Store())], ast.Name(node.name, ast.Load()))
        return [node, naming]


PLANTED = [MiddleTwice, ElseAlways, ElseAfterJump, EarlyBinding, OperandsSwapped, CauseLost]
PLANTED += [LineOff, NamesLost]
FEW_LINES, MOST_TRIALS = 12, 200


@pytest.mark.parametrize("rewriting", sample(PLANTED, 4), ids=lambda rewriting: rewriting.__name__)
def test_a_wrong_conversion_is_found_and_minimized(rewriting: Rewriting) -> None:
    found = _first_divergence(rewriting)
    small = found.shrunk(most=MOST_TRIALS)
    assert small.part == found.part
    text = [line for line in small.program.text.splitlines() if line.strip()]
    assert len(text) <= FEW_LINES, small.program.text
    assert f"{small.part} differs (planted)" in small.text()
    assert "expected:" in small.text() and f"def tf__{ENTRY}" in small.text()


def _first_divergence(rewriting: Rewriting) -> Divergence:
    for seed in range(600):
        program = random_program(seed)
        if not changes(rewriting, program.text):
            continue
        found = divergence(program, {"planted": _planted(rewriting)})
        if found is not None:
            return found
    raise AssertionError("no program shows it")


def _planted(rewriting: Rewriting) -> Callable[[Entry], Entry]:
    """Return a "conversion" that rewrites the text of a program in a wrong way."""

    def change(entry: Entry) -> Entry:
        written: Any = inspect.unwrap(entry)
        filename, variables = written.__code__.co_filename, written.__globals__
        tree = rewriting().visit(ast.parse("".join(linecache.getlines(filename))))
        exec(compile(ast.fix_missing_locations(tree), filename, "exec"), variables)
        return variables[ENTRY]  # type: ignore[no-any-return]

    return change


def test_plain_python_agrees_with_itself() -> None:
    for seed in range(20):
        assert divergence(random_program(seed), {"same": original}) is None


@pytest.mark.parametrize(
    ("part", "one", "other"),
    [
        ("result", "return 1", "return True"),
        ("result", "return [1]", "return (1,)"),
        ("error", "raise Oops(1)", "raise Oops(2)"),
        ("error", "raise Oops(1)", "raise Worse(1)"),
        ("error", "raise Oops(1) from None", "raise Oops(1)"),
        ("error", "raise Oops(1) from KeyError()", "raise Oops(1) from ValueError()"),
        ("trace", "log(1)", "log(1, 2)"),
        ("trace", "log([1])", "log([True])"),
        ("printed", "print(1)", "print(2)"),
        ("arguments", "xs.append(1)", "xs.append(2)"),
        ("variables", "global G; G = 1", "global G; G = 2"),
    ],
)
def test_every_part_of_an_outcome_is_compared(part: str, one: str, other: str) -> None:
    first, second = (_outcome(statement) for statement in (one, other))
    assert first.difference(first) is None
    assert part == first.difference(second)


def _outcome(statement: str) -> Any:
    program = Program("part.py", f"def main(xs):\n    {statement}\n")
    return program.run(([],), original)

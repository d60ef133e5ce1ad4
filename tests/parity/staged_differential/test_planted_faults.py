"""The comparison finds wrongly staged programs and minimizes them."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.backend import GraphBackend
from tests.parity.differential.rewriting import Rewriting, changes
from tests.parity.staged_differential import running
from tests.parity.staged_differential.features import ENABLED
from tests.parity.staged_differential.judging import Verdict, agree, verdict
from tests.parity.staged_differential.programs import CASES, StagedProgram, random_program
from tests.parity.staged_differential.running import ENTRY, Entry, by_signature
from tests.parity.staged_differential.world import plain
from tests.suite_length import sample

FEW_LINES = 20


class ElseDropped(ast.NodeTransformer):
    """The `else` of an `if` does nothing."""

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.orelse = []
        return node


class OnceMore(ast.NodeTransformer):
    """A `for` over a range runs once more."""

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range":
            stop = min(1, len(node.iter.args) - 1)
            node.iter.args[stop] = ast.BinOp(node.iter.args[stop], ast.Add(), ast.Constant(1))
        return node


class ElseAlways(ast.NodeTransformer):
    """The `else` of a loop runs after `break`, too."""

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        orelse, node.orelse = node.orelse, []
        return [node, *orelse]


class BreakIsContinue(ast.NodeTransformer):
    """A `break` of a `for` skips one round only."""

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        for inner in ast.walk(node):
            if isinstance(inner, ast.If) and isinstance(inner.body[-1], ast.Break):
                inner.body[-1] = ast.Continue()
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        return node


class NothingSkipped(ast.NodeTransformer):
    """A `continue` goes on with the rest of the body."""

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return ast.Pass()


class FirstLinkOnly(ast.NodeTransformer):
    """`a < b < c` asks for `a < b`."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        node.ops, node.comparators = node.ops[:1], node.comparators[:1]
        return node


class AssertionsOff(ast.NodeTransformer):
    """No assertion fails."""

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return ast.Pass()


class AttributesOff(ast.NodeTransformer):
    """Attributes keep the values that they were made with."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        return ast.Pass() if isinstance(node.target, ast.Attribute) else node


class ReturnsLater(ast.NodeTransformer):
    """A `return` in a branch of a loop does not leave it."""

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        for inner in ast.walk(node):
            if isinstance(inner, ast.If):
                inner.body = [ast.Pass() if isinstance(s, ast.Return) else s for s in inner.body]
        return node


class LogReversed(ast.NodeTransformer):
    """Of two effects in a row the second comes first."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        logs = [at for at, each in enumerate(node.body) if ast.unparse(each).startswith("log(")]
        for one, two in zip(logs, logs[1:]):
            if two == one + 1:
                node.body[one], node.body[two] = node.body[two], node.body[one]
                break
        return node


PLANTED = [ElseDropped, OnceMore, ElseAlways, BreakIsContinue, NothingSkipped, FirstLinkOnly]
PLANTED += [AssertionsOff, AttributesOff, ReturnsLater, LogReversed]


@pytest.mark.parametrize("rewriting", sample(PLANTED, 5), ids=lambda rewriting: rewriting.__name__)
def test_a_wrong_staging_is_found(rewriting: Rewriting, monkeypatch: pytest.MonkeyPatch) -> None:
    # What does not end has the fault in it.
    monkeypatch.setattr(running, "SECONDS", 1)
    found = _first_divergence(rewriting)
    assert "planted" == found.mode and found.part in ("error", "result", "log", "objects")


@pytest.mark.parametrize("rewriting", sample([ElseDropped, LogReversed], 2))
def test_a_found_fault_is_minimized(rewriting: Rewriting) -> None:
    stage = _planted(rewriting)
    small = _first_divergence(rewriting).shrunk(stage, most=150)
    text = [line for line in small.program.text.splitlines() if line.strip()]
    assert len(text) <= FEW_LINES, small.program.text
    assert "differs (planted)" in small.text() and "expected:" in small.text()


def _first_divergence(rewriting: Rewriting) -> Verdict:
    for seed in range(1200):
        program = random_program(seed)
        if not changes(rewriting, program.text):
            continue
        found = verdict(program, stages={"planted": _planted(rewriting)})
        if found is not None and not found.is_refusal:
            return found
    raise AssertionError("no program shows it")


def _planted(rewriting: Rewriting) -> Callable[[Entry], Entry]:
    """Return a staging of the text of a program after it was rewritten in a wrong way."""

    def stage(entry: Entry) -> Entry:
        written: Any = inspect.unwrap(entry)
        filename, variables = written.__code__.co_filename, written.__globals__
        tree = rewriting().visit(ast.parse("".join(linecache.getlines(filename))))
        text = ast.unparse(ast.fix_missing_locations(tree))
        name = f"planted_{filename}"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec", dont_inherit=True), variables)
        return by_signature(variables[ENTRY])

    return stage


def test_a_backend_that_always_takes_one_branch_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    cond = GraphBackend.cond
    monkeypatch.setattr(
        GraphBackend, "cond", lambda self, t, one, two, s: cond(self, t, one, one, s)
    )
    assert "signature" == _first_divergence_of_ours().mode


def test_a_backend_that_negates_in_loops_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraphBackend, "logical_not", lambda self, value: value)
    assert "signature" == _first_divergence_of_ours().mode


def test_a_kernel_that_truncates_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    floored = rt.floormod
    for kind in (rt.Tensor, *rt.Tensor.__subclasses__()):
        if "__mod__" in vars(kind):
            monkeypatch.setattr(kind, "__mod__", lambda x, y: floored(abs(x), y))
    assert _first_divergence_of_ours().part in ("result", "log", "error")


def _first_divergence_of_ours() -> Verdict:
    for seed in range(60):
        found = verdict(random_program(seed), CASES[:4], {"signature": by_signature})
        if found is not None and not found.is_refusal:
            return found
    raise AssertionError("no program shows it")


@pytest.mark.parametrize(
    ("part", "one", "other"),
    [
        ("result", "return a", "return a + 1"),
        ("result", "return a", "return (a,)"),
        ("result", "return a", "return float(a)"),
        ("result", "return a > 0", "return int(a > 0)"),
        ("result", "return x", "return x * 1.0001"),
        ("result", "return xs", "return rt.concat([xs, xs], 0)"),
        ("result", "return {'k': a}", "return {'m': a}"),
        ("error", "assert a > 9", "assert a > 9, 'more'"),
        ("error", "pass", "assert a > 9"),
        ("log", "log('e', a)", "log('f', a)"),
        ("log", "log('e', a)", "log('e', a); log('e', a)"),
    ],
)
def test_every_part_of_an_outcome_is_compared(part: str, one: str, other: str) -> None:
    program = StagedProgram("part.py", f"def main(a, b, x, xs, t):\n    {one}\n")

    def stage(entry: Entry) -> Entry:
        lines = f"def main(a, b, x, xs, t):\n    {other}\n"
        linecache.cache["other.py"] = (len(lines), None, lines.splitlines(True), "other.py")
        exec(compile(lines, "other.py", "exec", dont_inherit=True), entry.__globals__)
        return ag.function(entry.__globals__[ENTRY])

    assert verdict(program) is None
    found = verdict(program, stages={"other": stage})
    assert found is not None and part == found.part


def test_outer_objects_are_compared() -> None:
    text = "class Box:\n    v = 1\nOUTER = Box()\ndef main(a, b, x, xs, t):\n    OUTER.v = 2\n"
    found = verdict(StagedProgram("outer.py", text), stages={"none": lambda main: lambda *_: None})
    assert found is not None and "objects" == found.part


def test_numbers_agree_to_their_precision() -> None:
    assert agree(plain(0.1), plain(rt.constant(0.1)))
    assert not agree(plain(0.1), plain(rt.constant(0.1002)))
    assert not agree(plain(1), plain(rt.constant(1.0)))
    assert agree(plain(1), plain(rt.constant(1.0)), widens=True)
    assert not agree(plain(1.0), plain(rt.constant(1)), widens=True)
    assert not agree(plain(True), plain(1))


def test_plain_python_agrees_with_itself() -> None:
    for seed in range(40):
        program = random_program(seed, ENABLED - {"item_assignment"})
        assert verdict(program, stages={"same": lambda main: main}) is None

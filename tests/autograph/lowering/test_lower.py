"""Lowering returns one definition and its constants, and changes nothing else."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.converters.pipeline import convert_function
from autograph.lowering import Lowered, lower
from autograph.lowering.synthetic_code import fix_positions
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax import print_tree, source_of, to_ast


class Words:
    """A vocabulary that notes which scopes it is asked for."""

    def __init__(self) -> None:
        self.scopes: list[tuple[str, ConversionOptions]] = []

    def scope(self, name: str, options: ConversionOptions) -> object:
        self.scopes.append((name, options))
        return SimpleNamespace(callee=("callee in", name))

    def __getattr__(self, word: str) -> Any:
        return ("word", word)


def lowered(fn: Callable[..., Any], words: Words, options: ConversionOptions = STANDARD) -> Lowered:
    source = source_of(fn)
    tree = to_ast(convert_function(source, options, {})).body[-1]
    return lower(tree, source.definition, 1, words, options, {})


def branching(x: int, y: int = 2) -> Any:
    """Say something."""
    if x > y:
        for i in range(x):
            y += i
    return len(str(y)), [lambda: y and x]


def outer(x: int) -> Any:
    def inner(y: int) -> Any:
        return abs(y) or str(x)

    return inner(x)


def recording_itself(graph: Any) -> Any:
    with graph.recording():
        return abs(graph)


def unbound_at_first(x: int) -> Any:
    if x > 2:
        y = 1
    return x < 0 or y


def returning_early(x: int) -> Any:
    if x:
        return 1
    return 2


@pytest.mark.parametrize(
    "fn, has_flag",
    [(branching, False), (outer, False), (unbound_at_first, False), (returning_early, True)],
)
def test_a_return_at_the_end_alone_has_no_flag(fn: Callable[..., Any], has_flag: bool) -> None:
    made = lowered(fn, Words())
    names = {node.id for node in ast.walk(made.definition) if isinstance(node, ast.Name)}
    assert has_flag is any(name.startswith("do_return") for name in names)


@pytest.mark.parametrize("fn", [branching, outer])
def test_the_eager_version_is_the_users_definition_unchanged(fn: Callable[..., Any]) -> None:
    definition = source_of(fn).definition
    before = ast.dump(definition, include_attributes=True)
    made = lowered(fn, Words())
    assert before == ast.dump(source_of(fn).definition, include_attributes=True)
    halves = made.definition.body[-1]
    statements = definition.body[bool(ast.get_docstring(definition)) :]
    assert [ast.dump(s) for s in statements] == [ast.dump(s) for s in halves.body]
    assert made.has_both_versions


def test_a_docstring_occurs_once() -> None:
    definition = lowered(branching, Words()).definition
    assert branching.__doc__ == ast.get_docstring(definition)
    assert 1 == ast.unparse(definition).count("Say something")


def test_operators_and_callees_are_constants() -> None:
    words, options = Words(), ConversionOptions(user_requested=True)
    made = lowered(outer, words, options)
    assert [("outer", options), ("inner", options)] == words.scopes
    names = {node.id for node in ast.walk(made.definition) if isinstance(node, ast.Name)}
    assert not names & {"ag__", "fscope", "fscope_1", "lscope"}
    held = set(made.constants.objects.values())
    assert {("callee in", "outer"), ("callee in", "inner"), ("word", "recorder")} <= held


def test_a_lambda_is_an_assignment_of_both_versions() -> None:
    fn = lambda x: x and abs(x)
    made = lowered(fn, Words())
    assert isinstance(made.definition, ast.Assign)
    assert isinstance(made.definition.value, ast.Lambda)
    halves = made.definition.value.body
    assert isinstance(halves, ast.IfExp)
    assert "x and abs(x)" == ast.unparse(halves.body)


def test_a_function_that_may_start_recording_has_no_eager_version() -> None:
    made = lowered(recording_itself, Words())
    assert not made.has_both_versions
    assert "return abs(graph)" not in ast.unparse(made.definition)


def test_every_lowered_tree_compiles() -> None:
    for fn in (branching, outer, recording_itself):
        module = ast.Module([lowered(fn, Words()).definition], [])
        compile(module, "f.py", "exec")
        assert print_tree(module)


def test_every_node_has_a_line_of_the_function_or_none() -> None:
    for fn in (outer, recording_itself):
        source = source_of(fn)
        first, last = source.definition.lineno, source.definition.end_lineno
        tree = to_ast(convert_function(source, STANDARD, {})).body[-1]
        made = lower(tree, source.definition, first + 1, Words(), STANDARD, {})
        fixed = fix_positions(made.definition)
        lines = {node.lineno for node in ast.walk(fixed) if hasattr(node, "lineno")}
        assert lines <= {-1, *range(first, last + 1)}

"""Handlers clean up first; one boundary surrounds the body of a function."""

from __future__ import annotations

import ast

from autograph.lowering.try_statements import with_boundary, with_clean_handlers


def function(text: str) -> ast.FunctionDef:
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made


def nested(depth: int) -> ast.FunctionDef:
    lines = [f"{' ' * (level + 1)}for i in x:" for level in range(depth)]
    return function("\n".join(["def f(x):", *lines, f"{' ' * (depth + 1)}pass"]))


def test_handlers_clean_up_in_synthetic_code() -> None:
    made = with_clean_handlers(
        function("def f():\n try:\n  try: g()\n  except A: h()\n except B as b: pass\n else: h()")
    )
    handlers = [node for node in ast.walk(made) if isinstance(node, ast.ExceptHandler)]
    assert 2 == len(handlers)
    for handler in handlers:
        assert "ag__.drop_frames()" == ast.unparse(handler.body[0])
        assert -1 == handler.body[0].lineno


def test_the_boundary_follows_docstring_and_declarations() -> None:
    made = with_boundary(function("def f():\n 'text'\n global x\n x = 1\n return x"))
    docstring, declaration, around = made.body
    assert isinstance(docstring, ast.Expr) and isinstance(declaration, ast.Global)
    assert isinstance(around, ast.With) and -1 == around.lineno
    assert ["x = 1", "return x"] == [ast.unparse(each) for each in around.body]


def test_a_function_without_statements_has_no_boundary() -> None:
    assert 1 == len(with_boundary(function("def f():\n 'text'")).body)
    made = ast.parse("lambda x: 1", mode="eval").body
    assert "lambda x: 1" == ast.unparse(with_boundary(made))


def test_the_boundary_does_not_exceed_pythons_nesting_limit() -> None:
    for depth in range(21):
        compile(ast.fix_missing_locations(ast.Module([nested(depth)], [])), "<user>", "exec")
        made = with_boundary(nested(depth))
        compile(ast.fix_missing_locations(ast.Module([made], [])), "<ours>", "exec")
        assert isinstance(made.body[0], ast.With) == (depth <= 18)

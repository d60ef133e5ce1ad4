"""Generated code goes under the user's names, and knows which of its parts were lifted out."""

from __future__ import annotations

import types
from typing import Any

from autograph.conversion.renaming import code_tree, rename
from autograph.operators.frames import part_of

ORIGINAL = """
def f(x):
    total = x
    class C:
        def g(self):
            return total
    def h():
        return lambda z: total
    return C, h, [y for y in x]
"""

GENERATED = """
def outer(ag__):
    def tf__f(x):
        def if_body():
            nonlocal total
            class C:
                def g(self):
                    return total
            def h():
                return lambda z: ag__.with_function_scope(lambda lscope: total)
            return C, h, ag__.and_(lambda: x, lambda: total)
        total = x
        return if_body, (y for y in x)
"""


def nested(code: types.CodeType, *path: str) -> types.CodeType:
    for name in path:
        code = next(c for c in code.co_consts if getattr(c, "co_name", None) == name)
    return code


def renamed() -> types.CodeType:
    original = nested(compile(ORIGINAL, "user.py", "exec"), "f")
    generated = nested(compile(GENERATED, "user.py", "exec"), "outer", "tf__f")
    return rename(generated, original, "outer.<locals>.tf__f", "Owner.f")


def run(code: types.CodeType) -> tuple[Any, ...]:
    words = types.SimpleNamespace(and_=lambda *thunks: thunks, with_function_scope=id)
    closure = (types.CellType(words),)
    body, _ = types.FunctionType(code, {}, "f", None, closure)([1])
    made: tuple[Any, ...] = body()
    return made


def test_the_function_and_its_bodies_have_the_users_name() -> None:
    code = renamed()
    assert "f" == code.co_name
    labels = sorted(c.co_name for c in code_tree(code))
    assert ["<genexpr>", "<lambda>", "<lambda>", "C", "f", "f", "f", "f", "g", "h"] == labels


def test_what_the_user_wrote_keeps_its_place_in_the_qualified_names() -> None:
    kind, function, thunks = run(renamed())
    assert "Owner.f.<locals>.C" == kind.__qualname__
    assert "Owner.f.<locals>.C.g" == kind.g.__qualname__
    assert "Owner.f.<locals>.h" == function.__qualname__
    assert "Owner.f.<locals>.h.<locals>.<lambda>" == function().__qualname__
    assert ["Owner.f", "Owner.f"] == [thunk.__qualname__ for thunk in thunks]


def test_only_what_was_lifted_out_is_a_body() -> None:
    parts = [(c.co_name, part_of(c)) for c in code_tree(renamed())]
    assert all(part is not None for _, part in parts)
    bodies = sorted(name for name, part in parts if part is not None and part.is_body)
    # The branch, two thunks of `and_`, and the inner lambda of the user's lambda.
    assert ["<lambda>", "f", "f", "f"] == bodies


def test_the_users_names_are_known_in_every_part() -> None:
    for code in code_tree(renamed()):
        part = part_of(code)
        assert part is not None
        assert {"x", "total", "self", "y"} <= part.names
        assert "ag__" not in part.names


def test_code_that_is_not_generated_has_no_part() -> None:
    assert part_of(renamed.__code__) is None
    assert part_of(compile("", "empty", "exec")) is None

"""Generated code has the user's names and records its extracted parts."""

from __future__ import annotations

import ast
import types
from typing import Any

from autograph.conversion.renaming import code_tree, rename
from autograph.lowering import Constants, Lowered
from autograph.operators.frames import code_info_of, is_body

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
    lowered = Lowered(None, Constants(), has_both_versions=False)
    return rename(generated, original, "outer.<locals>.tf__f", "Owner.f", lowered)


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


def test_user_definitions_keep_their_qualified_names() -> None:
    kind, function, thunks = run(renamed())
    assert "Owner.f.<locals>.C" == kind.__qualname__
    assert "Owner.f.<locals>.C.g" == kind.g.__qualname__
    assert "Owner.f.<locals>.h" == function.__qualname__
    assert "Owner.f.<locals>.h.<locals>.<lambda>" == function().__qualname__
    assert ["Owner.f", "Owner.f"] == [thunk.__qualname__ for thunk in thunks]


def test_only_extracted_parts_are_bodies() -> None:
    parts = [(c.co_name, code_info_of(c)) for c in code_tree(renamed())]
    assert all(part is not None for _, part in parts)
    bodies = sorted(name for name, part in parts if part is not None and part.is_body)
    # The branch, two thunks of `and_`, and the inner lambda of the user's lambda.
    assert ["<lambda>", "f", "f", "f"] == bodies


def test_every_part_lists_the_users_names() -> None:
    for code in code_tree(renamed()):
        part = code_info_of(code)
        assert part is not None
        assert {"x", "total", "self", "y"} <= part.names
        assert "ag__" not in part.names


HALVES = """
def outer(ag__):
    def tf__f(x):
        if ag__ is None:
            total = x
            class C:
                def g(self):
                    return total
            def h():
                return lambda z: total
            return C, h, [y for y in x]
        else:
            def if_body():
                def h():
                    return lambda z: (ag__, total)
                return h
            return if_body
"""


def renamed_halves(original_text: str = ORIGINAL) -> tuple[types.CodeType, types.CodeType]:
    # Statements keep their lines, which code of a class holds as a constant.
    original = nested(compile(f"\n\n{original_text}", "user.py", "exec"), "f")
    generated = nested(compile(HALVES, "user.py", "exec"), "outer", "tf__f")
    lowered = Lowered(None, Constants(), has_both_versions=True)
    return original, rename(generated, original, "outer.<locals>.tf__f", "f", lowered)


def codes_in(code: types.CodeType) -> list[types.CodeType]:
    return [value for value in code.co_consts if isinstance(value, types.CodeType)]


def test_the_eager_version_has_the_users_code() -> None:
    original, made = renamed_halves()
    theirs = codes_in(original)
    assert len(theirs) >= 2
    found = codes_in(made)
    assert all(a is b for a, b in zip(found, theirs))
    (body,) = found[len(theirs) :]
    assert ("f", True) == (body.co_name, is_body(body))
    (function,) = codes_in(body)
    assert "h" == function.co_name
    assert code_info_of(function) is not None and not is_body(function)


def test_code_changed_by_an_import_hook_stays_user_code() -> None:
    added = ORIGINAL.replace("return lambda z: total", "return (note(), lambda z: total)[1]")
    original, made = renamed_halves(added)
    found = codes_in(made)
    assert all(a is not b or a.co_name != "h" for a, b in zip(found, codes_in(original)))
    function = next(code for code in found if code.co_name == "h")
    assert not any(map(code_info_of, code_tree(function)))
    if hasattr(function, "co_qualname"):
        assert "f.<locals>.h" == function.co_qualname


def test_objects_of_ours_take_the_place_of_their_texts() -> None:
    constants = Constants()
    held = object()
    text = str(constants.node(held, ast.parse("0").body[0]).value)
    original = compile("lambda: 1", "user.py", "eval").co_consts[0]
    source = f"lambda: ({text!r}, 'text', {{}}.get({text!r}), (lambda: {text!r})())"
    generated = compile(source, "user.py", "eval").co_consts[0]
    lowered = Lowered(None, constants, has_both_versions=False)
    made = rename(generated, original, "<lambda>", "a.<lambda>", lowered)
    assert (held, "text", None, held) == types.FunctionType(made, {})()


def test_a_comprehension_adds_nothing_to_qualified_names() -> None:
    text = "def f(xs):\n return (lambda: x for x in xs), lambda: (lambda: 1)"
    original = nested(compile(text, "user.py", "exec"), "f")
    generated = nested(compile(text.replace("f(", "tf__f("), "user.py", "exec"), "tf__f")
    lowered = Lowered(None, Constants(), has_both_versions=False)
    made = rename(generated, original, "tf__f", "f", lowered)
    assert names_of(original) == names_of(made)


def names_of(code: types.CodeType) -> list[str]:
    # Before Python 3.11 code has its plain name only.
    return [getattr(each, "co_qualname", each.co_name) for each in code_tree(code)]


def test_code_that_is_not_generated_has_no_part() -> None:
    assert code_info_of(renamed.__code__) is None
    assert code_info_of(compile("", "empty", "exec")) is None

"""Loading joins compiled code with the user's cells, by name, and runs nothing."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from autograph.conversion.loader import GeneratedCode, dress, load
from autograph.conversion.renaming import code_tree
from autograph.errors import ConversionError
from autograph.lowering import Constants, Lowered
from autograph.lowering.constants import with_vocabulary

WORD = "the vocabulary"


def generated(text: str, fn: Callable[..., Any], class_name: str | None = None) -> GeneratedCode:
    """Load the one definition in `text`, where `ag__` stands for `WORD`."""
    assert isinstance(fn, types.FunctionType)
    constants = Constants()
    definition = with_vocabulary(ast.parse(text).body[0], WORD, constants)
    return load(Lowered(definition, constants, has_both_versions=False), fn, class_name)


def loaded(text: str, fn: Callable[..., Any], class_name: str | None = None) -> types.FunctionType:
    assert isinstance(fn, types.FunctionType)
    return generated(text, fn, class_name).instantiate(fn)


def surrounded() -> tuple[Callable[[], Any], Callable[..., Any]]:
    a, z, m = 1, 26, 13

    def look() -> Any:
        return z, a, m

    def change(value: int) -> None:
        nonlocal z
        z = value

    return look, change


def test_cells_are_matched_by_name_wherever_the_new_ones_sort() -> None:
    look, change = surrounded()
    made = loaded("def tf__look():\n return m, ag__, a, z", look)
    assert (13, "the vocabulary", 1, 26) == made()
    change(5)
    assert (13, "the vocabulary", 1, 5) == made()


def test_unread_cells_are_omitted() -> None:
    look, _ = surrounded()
    assert (1,) == loaded("def tf__look():\n return (a,)", look)()
    assert ("the vocabulary", 26) == loaded("def tf__look():\n return ag__, z", look)()
    assert 3 == loaded("def tf__look():\n return 3", look)()


def test_constants_of_the_code_are_no_variables() -> None:
    look, _ = surrounded()
    code = loaded(
        "def tf__look():\n def inner():\n  return ag__, m\n return inner()", look
    ).__code__
    assert ("m",) == code.co_freevars
    for each in code_tree(code):
        names = {*each.co_names, *each.co_varnames, *each.co_cellvars, *each.co_freevars}
        assert names <= {"inner", "m"}


def test_private_names_belong_to_the_given_class() -> None:
    class Owner:
        def look(self, __argument: int) -> int:
            return __argument

    it: Any = Owner()
    it._Owner__x = 5
    text = "def tf__look(self, __argument):\n return lambda: (self.__x, __argument, ag__)"
    made = loaded(text, Owner.look, "Owner")
    assert (5, 3, WORD) == made(it, 3)()
    assert Owner.look.__code__.co_varnames == made.__code__.co_varnames[:2]
    assert Owner.look.__qualname__ == made.__qualname__
    with pytest.raises(AttributeError, match="'Owner' object has no attribute '__x'"):
        loaded(text, Owner.look)(it, 3)()


def test_loading_repeats_no_warning_about_the_users_source() -> None:
    def plain() -> bool: ...

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not loaded("def tf__plain():\n return 3 is None", plain)()


def test_only_functions_that_live_with_their_module_are_kept() -> None:
    look, _ = surrounded()
    assert isinstance(look, types.FunctionType) and isinstance(surrounded, types.FunctionType)
    ours = generated("def tf__look():\n return z", look)
    assert ours.instantiate(look) is not ours.instantiate(look)
    kept = generated("def tf__surrounded():\n return ag__", surrounded)
    assert kept.instantiate(surrounded) is kept.instantiate(surrounded)
    assert kept.fresh(surrounded) is not kept.instantiate(surrounded)


def test_a_cached_instance_is_keyed_by_code_and_defaults() -> None:
    kept = generated("def tf__surrounded():\n return ag__", surrounded)
    made = kept.instantiate(surrounded)  # type: ignore[arg-type]
    assert (surrounded.__code__, None, made, None) == kept.replacements.get(surrounded)  # type: ignore[arg-type]
    by_name = generated("def tf__keywords(*, k):\n return k", keywords)
    made = by_name.instantiate(keywords)  # type: ignore[arg-type]
    assert made is by_name.instantiate(keywords)  # type: ignore[arg-type]
    # Code and defaults do not tell whether those of its keywords have changed.
    assert (None, None, made, None) == by_name.replacements.get(keywords)  # type: ignore[arg-type]


def keywords(*, k: int = 1) -> int:
    return k


def test_a_nested_function_may_write_the_cell() -> None:
    look, _ = surrounded()
    text = "def tf__look():\n def inner():\n  nonlocal z\n  z = 99\n inner()\n return ag__"
    loaded(text, look)()
    assert (99, 1, 13) == look()


def test_loading_evaluates_nothing() -> None:
    def plain(x: int = 5, *, y: int = 6) -> Any:
        return x, y

    text = "@boom\ndef tf__plain(x: boom = boom(), *, y: boom = boom()) -> boom:\n return x, y"
    made = loaded(text, plain)
    assert (5, 6) == made()
    assert (1, 2) == made(1, y=2)


def test_a_lambda_is_extracted_from_its_assignment() -> None:
    fn = lambda x, y=lambda: 3: x + y()
    made = loaded("tf__lambda = lambda x, y=(lambda: boom): x * y()", fn)
    assert 12 == made(4)
    assert "<lambda>" == made.__code__.co_name


def test_future_statements_of_the_users_file_hold() -> None:
    space: dict[str, Any] = {}
    for name, header in (("new", "from __future__ import annotations\n"), ("old", "")):
        flags = compile(f"{header}def f(): pass", "f.py", "exec", dont_inherit=True)
        exec(flags, space)
        made = loaded("def tf__f():\n def g(x: unknown): pass\n return g", space["f"])
        if name == "new":
            assert {"x": "unknown"} == made().__annotations__
        else:
            with pytest.raises(NameError, match="unknown"):
                made().__annotations__


def test_assertions_are_kept_only_in_debug_mode() -> None:
    def plain() -> None: ...

    with pytest.raises(AssertionError):
        loaded("def tf__plain():\n assert False", plain)()


def test_text_without_a_function_definition_is_refused() -> None:
    def plain() -> None: ...

    with pytest.raises(ConversionError, match="expected a converted function"):
        loaded("x = 1", plain)
    with pytest.raises(ConversionError, match="not valid Python"):
        loaded("def tf__plain():\n continue", plain)


def test_dressing_shares_annotations_and_attributes() -> None:
    def plain(x: int) -> str:
        """Words."""
        return str(x)

    made = dress(loaded("def tf__plain(x):\n return ag__", plain), plain)  # type: ignore[arg-type]
    assert "Words." == made.__doc__
    assert plain.__annotations__ == made.__annotations__
    plain.tag = 1  # type: ignore[attr-defined]
    assert 1 == made.tag  # type: ignore[attr-defined]


def test_the_qualified_name_of_the_code_survives_a_rename_of_the_function() -> None:
    def plain() -> None:
        raise KeyError

    plain.__qualname__ = plain.__name__ = "shown"
    made = loaded("def tf__plain(x):\n pass", plain)
    with pytest.raises(TypeError, match=r"^shown\(\) missing"):
        made()
    assert "plain" == made.__code__.co_name

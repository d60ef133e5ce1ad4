"""Signatures as text, and every kind of difference between two."""

from __future__ import annotations

from typing import Any

import pytest

from tools import compare_signatures as compare
from tools.signatures import default_text, differences, signature_text


@pytest.mark.parametrize(
    "theirs, here, expected",
    [
        ("(x, axis=None)", "(x, axis=None)", []),
        ("(x, axis=None)", "(x, axis=None, more=1)", []),
        ("(x, name='Sum')", "(x, name=None)", []),
        ("(x, size=(1, 1))", "(x, size=(1.0, 1))", []),
        ("(x, axis)", "(x, axis=0)", []),
        ("(x, **kwargs)", "(x, name=None)", []),
        ("(*inputs)", "(*inputs, name=None)", []),
        ("(x, axis=None)", "(x)", ["no axis"]),
        ("(x, axis=None)", "(x, axis)", ["axis has to be given"]),
        ("(x, axis=None)", "(x, axis=0)", ["axis=0, not None"]),
        ("(x, a=1, b=2)", "(x, b=2, a=1)", ["a is argument 3, not 2", "b is argument 2, not 3"]),
        ("(x, a=1)", "(x, *, a=1)", ["a by keyword only"]),
        ("(x, a=1)", "(x, **kwargs)", ["a by keyword only"]),
        ("(x)", "(x, y)", ["needs y"]),
        ("(x)", "(y)", ["no x", "needs y"]),
        ("(x, *args, a=1)", "(x, a=1)", ["no *args"]),
    ],
)
def test_differences_are_named(theirs: str, here: str, expected: list[str]) -> None:
    assert expected == list(differences(theirs, here))


def test_a_constructor_has_inherited_parameters() -> None:
    class Base:
        def __init__(self, rate: Any, decay: Any = None, **unknown: Any) -> None: ...

    class Moved(Base):
        def __init__(
            self, rate: Any, momentum: float = 0.9, *more: Any, **options: Any
        ) -> None: ...

    class Named(Base):
        def __init__(self, rate: Any, momentum: float = 0.9, **options: Any) -> None: ...

    for kind in (Base, Moved, Named):
        kind.__module__ = "runtime.test"
    assert "(rate, momentum=0.9, decay=None, **unknown)" == signature_text(Moved)
    assert "(rate, momentum=0.9, *, decay=None, **unknown)" == signature_text(Named)


@pytest.mark.parametrize(
    "value, text",
    [(None, "None"), ((1, 2.0), "(1, 2.0)"), (object(), "..."), (len, "..."), ("|", "'\\x7c'")],
)
def test_defaults_have_texts_that_do_not_change(value: Any, text: str) -> None:
    assert text == default_text(value)


def test_a_page_is_read_as_it_is_written() -> None:
    rows = [compare.Row(("abs", "math.abs"), "(x, name=None)")]
    text = compare.page(rows, ["strings.format"], "2.21.0")
    assert (rows, ["strings.format"], "2.21.0") == compare.stored(text)


def test_unexplained_differences_are_listed() -> None:
    wrong = compare.Row(("abs",), "(x, axis=None)")
    right = compare.Row(("abs",), "(x, name=None)")
    assert ["abs: no axis"] == list(compare.unexplained([wrong], {}))
    assert [] == list(compare.unexplained([wrong], {"abs": "a reason"}))
    assert ["abs: a reason for no difference"] == list(compare.unexplained([right], {"abs": ""}))


def test_checking_does_not_write(monkeypatch, tmp_path, capsys) -> None:
    page = tmp_path / "signatures.md"
    page.write_text("another", encoding="utf-8")
    text = compare.page([compare.Row(("abs",), "(x, name=None)")], [], "2.21.0")
    monkeypatch.setattr(compare, "PAGE", page)
    monkeypatch.setattr(compare, "made", lambda: text)
    monkeypatch.setattr(compare.unexplained, "__defaults__", ({},))
    assert 1 == compare.main(["--check"])
    assert "another" == page.read_text(encoding="utf-8")
    assert 0 == compare.main([])
    assert 0 == compare.main(["--check"])
    assert text == page.read_text(encoding="utf-8")
    assert "the page is another" in capsys.readouterr().out

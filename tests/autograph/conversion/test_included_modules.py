"""`include`: its names, the modules it covers, and the conversion of their functions."""

from __future__ import annotations

import colorsys
import importlib
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.conversion.convert import conversion_reason
from autograph.conversion.included_modules import checked_include, is_within
from autograph.errors import ConversionError
from runtime.errors import SymbolicTensorError
from runtime.graph.graph import Graph


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ((), ()),
        (["textwrap", "json"], ("json", "textwrap")),
        ({"json.decoder"}, ("json.decoder",)),
        (iter(("json", "json")), ("json",)),
    ],
)
def test_names_are_sorted_and_unique(given: Any, names: tuple[str, ...]) -> None:
    assert names == checked_include(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("json", "include takes several names, not 'json': write include=('json', "),
        (3, "include takes several names, not 3: write include="),
        ((json,), "include takes names of modules: write 'json'"),
        ((3,), "include takes names of modules, not 3: write include="),
        (("jsom",), "include: there is no module named 'jsom'; did you mean 'json'?"),
        (("json.decode.more",), "include: there is no module named 'json.decode.more'"),
        (("zzzzqqqq",), "include: there is no module named 'zzzzqqqq'"),
        (("",), "include: there is no module named ''"),
        ((".json",), "include: there is no module named '.json'"),
    ],
)
def test_invalid_module_names_are_refused_in_one_line(given: Any, message: str) -> None:
    with pytest.raises(ConversionError) as refused:
        checked_include(given)
    text = str(refused.value)
    assert text.startswith(message)
    assert "\n" not in text


def test_checking_a_module_name_does_not_import_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_module_of_nobody.py").write_text("raise ValueError('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert ("a_module_of_nobody",) == checked_include(("a_module_of_nobody",))
    assert "a_module_of_nobody" not in sys.modules


def test_a_package_covers_its_submodules() -> None:
    include = ("json", "os.path")
    assert [True, True, False, False, True, False] == [
        is_within(module, include)
        for module in ("json", "json.decoder", "jsonschema", "os", "os.path", None)
    ]


LIBRARY = """
def sign(x):
    if x > 0:
        return 1
    return -1


def twice(x):
    def once(y):
        return sign(y) * y
    return sub(once(x)) + once(x)


from a_library_for_tests.sub import sub
"""
SUB = """
def sub(x):
    if x > 10:
        return x - 10
    return x
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package that looks installed; its functions call each other and branch."""
    folder = tmp_path / "site-packages" / "a_library_for_tests"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(LIBRARY)
    (folder / "sub.py").write_text(SUB)
    monkeypatch.syspath_prepend(str(folder.parent))
    yield importlib.import_module(folder.name)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


def test_an_installed_package_is_converted_when_included(library: ModuleType) -> None:
    def use(x: Any) -> Any:
        return library.twice(x)

    staged = ag.function(use, include=("a_library_for_tests",))
    assert [use(x) for x in (3, -4, 12)] == [int(staged(rt.constant(x))) for x in (3, -4, 12)]
    assert 1 == staged.experimental_get_tracing_count()
    for left in (ag.function(use), ag.function(use, include=("a_library_for_tests.sub",))):
        with pytest.raises(SymbolicTensorError, match="truth value"):
            left(rt.constant(3))


def test_a_name_covers_that_module_only(library: ModuleType) -> None:
    def use(x: Any) -> Any:
        def inner(y: Any) -> Any:
            return library.sub(y)

        return inner(x)

    staged = ag.function(use, include=["a_library_for_tests.sub"])
    assert [2, 3] == [int(staged(rt.constant(x))) for x in (12, 3)]


@pytest.mark.parametrize("convert", [ag.to_graph, ag.convert, ag.function])
def test_all_converting_functions_take_include(library: ModuleType, convert: Any) -> None:
    converted = convert(lambda x: library.sign(x), include=("a_library_for_tests",))
    graph = Graph("outer")
    with graph.recording():
        converted(graph.add_input(rt.TensorSpec((), rt.int32), "x"))
    assert ["cond"] == [node.op.name for node in graph.nodes if node.regions]
    with pytest.raises(ConversionError, match="no module named 'a_library_for_testing'"):
        convert(lambda x: x, include=("a_library_for_testing",))


def test_a_module_of_the_standard_library_is_converted_when_included() -> None:
    @ag.function(include=("colorsys",))
    def to_rgb(h: Any, l: Any, s: Any) -> Any:
        return colorsys.hls_to_rgb(h, l, s)

    for colour in ((0.2, 0.4, 0.6), (0.9, 0.7, 1.0), (0.5, 0.3, 0.0)):
        expected = colorsys.hls_to_rgb(*colour)
        assert expected == pytest.approx(
            [float(part) for part in to_rgb(*map(rt.constant, colour))]
        )
    assert 1 == to_rgb.experimental_get_tracing_count()


def test_text_is_wrapped_by_converted_code_as_by_the_library() -> None:
    converted = ag.to_graph(lambda text: textwrap.shorten(text, 20), include=("textwrap",))
    text = "a few words, of which the last ones are left out"
    with Graph("probe").recording():
        assert textwrap.shorten(text, 20) == converted(text)


def test_reasons_and_listings_name_included_modules() -> None:
    assert "from the standard library" in conversion_reason(textwrap.dedent)
    reason = conversion_reason(textwrap.dedent, include=("textwrap",))
    assert "`dedent` is converted: it is from a module you included" == reason
    listing = ag.to_code(lambda: 0, include=("textwrap",))
    assert "internal_convert_user_code=True, include=('textwrap',))" in listing
    assert "include" not in ag.to_code(lambda: 0)

"""Conversion runs once per code object, also in threads, and is cached while it is needed."""

from __future__ import annotations

import ast
import gc
import linecache
import sys
import threading
import types
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.backends.protocol import Backends
from autograph.conversion.converter import FunctionConverter
from autograph.conversion.functions import names_seen_by
from autograph.converters.pipeline import convert_function
from autograph.errors import ConversionError, SourceError
from autograph.operators.frames import code_info_of
from autograph.options import ConversionOptions
from autograph.syntax import FunctionSource
from tests.autograph.recorded import Active, recorded


class Counting:
    """A pipeline that remembers the names of the functions that it was asked for."""

    def __init__(self) -> None:
        self.sources: list[str] = []

    def __call__(
        self, source: FunctionSource, options: ConversionOptions, names: Mapping[str, object]
    ) -> Any:
        self.sources.append(source.name)
        return convert_function(source, options, names)


@pytest.fixture
def pipeline() -> Counting:
    return Counting()


@pytest.fixture
def converter(pipeline: Counting) -> FunctionConverter:
    """Converted functions take their converted half, since a backend is active."""
    return FunctionConverter(Backends((Active(),)), pipeline)


def leaf(x: int) -> int:
    return x + 1


def caller(x: int) -> int:
    return leaf(x) + leaf(x)


def scaled(scale: int) -> Callable[[int], int]:
    def times(x: int) -> int:
        return x * scale

    return times


def calls_closures(x: int) -> int:
    return sum([scaled(2)(x), scaled(3)(x)])


def test_a_function_called_twice_is_converted_once(
    converter: FunctionConverter, pipeline: Counting
) -> None:
    run = converter.to_graph(caller)
    assert [4, 6] == [run(1), run(2)]
    assert ["caller", "leaf"] == pipeline.sources


def test_closures_of_one_code_share_the_conversion(
    converter: FunctionConverter, pipeline: Counting
) -> None:
    one, two = scaled(2), scaled(3)
    assert (8, 12) == (converter.to_graph(one)(4), converter.to_graph(two)(4))
    assert ["times"] == pipeline.sources


def test_functions_defined_in_generated_code_are_not_converted_again(
    converter: FunctionConverter, pipeline: Counting
) -> None:
    assert 20 == converter.to_graph(calls_closures)(4)
    assert ["calls_closures", "scaled"] == pipeline.sources


def test_callees_are_not_converted_outside_of_a_trace(
    pipeline: Counting,
) -> None:
    run = FunctionConverter(Backends(()), pipeline).to_graph(caller)
    assert [4, 6] == [run(1), run(2)]
    assert ["caller"] == pipeline.sources


def test_each_set_of_options_has_a_conversion(
    converter: FunctionConverter, pipeline: Counting
) -> None:
    converter.to_graph(leaf)
    converter.to_graph(leaf, recursive=False)
    converter.to_graph(leaf)
    assert ["leaf", "leaf"] == pipeline.sources


def test_two_converters_do_not_share_a_vocabulary() -> None:
    converters = [FunctionConverter(Backends(()), convert_function) for _ in range(2)]
    for mine, others in (converters, converters[::-1]):
        held = mine.to_graph(leaf).__code__.co_consts
        assert any(constant is mine.vocabulary.recorder for constant in held)
        assert not any(constant is others.vocabulary.recorder for constant in held)


def test_eight_threads_convert_each_function_once(
    converter: FunctionConverter, pipeline: Counting
) -> None:
    start = threading.Barrier(8)
    results: list[object] = []

    def work() -> None:
        start.wait()
        results.append((converter.to_graph(caller)(1), converter.to_graph(calls_closures)(4)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(4, 20)] * 8 == results
    assert ["caller", "calls_closures", "leaf", "scaled"] == sorted(pipeline.sources)


def from_text(text: str, filename: str) -> dict[str, Any]:
    """Run a module's text, giving linecache its lines, as a notebook does for a cell."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "a_cell"}
    exec(compile(text, filename, "exec"), space)
    return space


CELL = """
def helper(x, y=3):
    return x + y

def run(x):
    def again(n):
        return helper(x) if n == 0 else again(n - 1)
    return again(2)
"""


def test_a_converted_function_is_freed_with_its_owner(converter: FunctionConverter) -> None:
    space = from_text(CELL, "<a cell to drop>")
    assert 4 == converter.to_graph(space["run"])(1)
    watched = [weakref.ref(space["run"]), weakref.ref(space["run"].__code__)]
    watched += [weakref.ref(space["helper"]), weakref.ref(space["helper"].__code__)]
    del space
    gc.collect()
    assert [None] * 4 == [reference() for reference in watched]


def test_a_closure_that_refers_to_itself_is_freed_after_a_call(
    converter: FunctionConverter,
) -> None:
    def make() -> Callable[[int], int]:
        def loop(n: int) -> int:
            return 0 if n == 0 else loop(n - 1)

        return loop

    def call(fn: Callable[[int], int]) -> int:
        return fn(2)

    fn = make()
    assert 0 == converter.to_graph(call)(fn)
    watched = weakref.ref(fn)
    del fn
    gc.collect()
    assert watched() is None


def with_default(x: int = 1) -> int:
    return x


def calls_with_default() -> int:
    return with_default()


def test_defaults_replaced_after_a_call_are_seen_by_the_next(converter: FunctionConverter) -> None:
    run = converter.to_graph(calls_with_default)
    assert 1 == run()
    with_default.__defaults__ = (2,)
    try:
        assert 2 == run() == calls_with_default()
    finally:
        with_default.__defaults__ = (1,)


def test_replaced_code_is_converted_again(converter: FunctionConverter) -> None:
    def before() -> int:
        return 1

    def after() -> int:
        return 2

    def call() -> int:
        return before()

    run = converter.to_graph(call)
    assert 1 == run()
    before.__code__ = after.__code__
    assert 2 == run()


def test_code_replaced_by_a_debugger_or_reloader_in_a_module_is_seen(
    converter: FunctionConverter,
) -> None:
    run = converter.to_graph(caller)
    original = leaf.__code__
    leaf.__code__ = (lambda x: x * 100).__code__
    try:
        assert 200 == run(1) == caller(1)
    finally:
        leaf.__code__ = original


def failing(kind: type[Exception]) -> Callable[..., Any]:
    def pipeline(source: FunctionSource, options: object, names: object) -> Any:
        if source.name == "leaf":
            raise kind("no")
        return convert_function(source, options, names)  # type: ignore[arg-type]

    return pipeline


def test_an_unconvertible_callee_runs_unconverted() -> None:
    converter = FunctionConverter(Backends((Active(),)), failing(ConversionError))
    assert 4 == converter.to_graph(caller)(1)
    assert "`leaf` is left alone: no" == converter.conversion_reason(leaf)
    with pytest.raises(ConversionError, match="no"):
        converter.to_graph(leaf)


def test_a_defect_of_a_converter_is_not_hidden_nor_remembered() -> None:
    converter = FunctionConverter(Backends((Active(),)), failing(KeyError))
    for _ in range(2):
        with pytest.raises(KeyError):
            converter.to_graph(caller)(1)


def test_a_callee_without_source_runs_unconverted(converter: FunctionConverter) -> None:
    space: dict[str, Any] = {}
    exec("def hidden(x): return x + 1", space)
    hidden = space["hidden"]
    assert 3 == converter.to_graph(lambda x: hidden(x))(2)
    with pytest.raises(SourceError):
        converter.to_graph(hidden)


def test_tree_that_is_no_valid_python_is_refused_with_a_reason() -> None:
    def pipeline(source: FunctionSource, options: object, names: object) -> Any:
        return gast.ast_to_gast(ast.parse("def tf__leaf(x):\n    continue")).body[0]

    with pytest.raises(ConversionError, match="not valid Python: 'continue' not properly in loop"):
        FunctionConverter(Backends(()), pipeline).to_graph(leaf)


def test_the_user_may_take_the_name_of_the_vocabulary(converter: FunctionConverter) -> None:
    def clash(ag__: int) -> int:
        if ag__:
            ag__ = ag__ + 1
        return ag__

    made = converter.to_graph(clash)
    assert [0, 4, 4] == [made(0), made(3), recorded(made, ag__=3)]


INSTALLED = """
def entry(x):
    return helper(x)

def helper(x):
    return what_runs(), x
"""


def test_converting_a_library_function_includes_its_package(
    converter: FunctionConverter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "an_installed_package.py").write_text(INSTALLED)
    monkeypatch.syspath_prepend(str(folder))
    module = __import__("an_installed_package")
    monkeypatch.delitem(sys.modules, "an_installed_package")
    module.what_runs = lambda: code_info_of(sys._getframe(1).f_code) is not None
    assert (False, 1) == converter.to_graph(lambda: module.helper(1), recursive=True)()
    assert (True, 1) == converter.to_graph(module.entry)(1)
    # But only for what it calls itself.
    assert (False, 1) == converter.to_graph(lambda: module.helper(1))()


def changing(a: int = 1, *, b: int = 2) -> object:
    return a, b


def changed_to(a: int = 1, *, b: int = 2) -> object:
    return "changed", a, b


def calls_changing() -> object:
    return changing()


def test_a_changed_function_is_converted_again(converter: FunctionConverter) -> None:
    made: Any = converter.to_graph(calls_changing)
    before = (changing.__defaults__, changing.__kwdefaults__, changing.__code__)
    changes: list[tuple[str, Any]] = [
        ("__defaults__", (3,)),
        ("__kwdefaults__", {"b": 4}),
        ("__code__", changed_to.__code__),
    ]
    try:
        assert made() == made() == (1, 2)
        for name, value in changes:
            setattr(changing, name, value)
            assert calls_changing() == made() == made()
        assert made() == ("changed", 3, 4)
    finally:
        changing.__defaults__, changing.__kwdefaults__, changing.__code__ = before


def test_names_seen_are_globals_and_filled_cells() -> None:
    filled = 1

    def look() -> object:
        return filled, empty, sys

    seen = names_seen_by(look)  # type: ignore[arg-type]
    assert (1, sys) == (seen["filled"], seen["sys"])
    assert "empty" not in seen
    empty = 2
    assert 2 == names_seen_by(look)["empty"]  # type: ignore[arg-type]
    assert isinstance(look, types.FunctionType)

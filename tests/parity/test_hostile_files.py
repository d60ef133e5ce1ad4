"""Functions of files that are missing, changed, zipped, or written in unusual ways."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import linecache
import sys
import types
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from autograph.errors import SourceError
from tests.parity.agreement import outcome_of, spelled
from tests.parity.hostile import compiled_function, forced

Write = Callable[..., Any]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write a module to a file and import it; give the module, which knows its file."""
    count = 0

    def write(text: str | bytes, encoding: str = "utf-8") -> Any:
        nonlocal count
        count += 1
        path = tmp_path / f"hostile_{count}.py"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return imported(path)

    return write


def imported(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def assert_converts(function: Callable[..., Any], *arguments: Any) -> None:
    """Assert that a function is converted, and gives the same both ways."""
    expected = outcome_of(function, list(arguments))
    converted = ag.to_graph(function)
    for call in (converted, forced(converted)):
        actual = outcome_of(call, list(arguments))
        assert repr(expected.error) == repr(actual.error)
        assert spelled(expected.result) == spelled(actual.result)


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of converted code that calls a function that may not be convertible."""
    caller = compiled_function(
        "def call(function, arguments):\n    return function(*arguments)\n", "call"
    )
    return forced(ag.to_graph(caller))(function, arguments)


BODY = "def f(x):\n    if x > 1:\n        return 'ä', x\n    return 'ö' * x\n"
FILES: dict[str, bytes] = {
    "latin-1 by cookie": b"# -*- coding: latin-1 -*-\n" + BODY.encode("latin-1"),
    "cookie in the second line": b"#!python\n# vim: set fileencoding=cp1252 :\n"
    + BODY.encode("cp1252"),
    "byte order mark": b"\xef\xbb\xbf" + BODY.encode(),
    "line ends of Windows": BODY.replace("\n", "\r\n").encode(),
    "line ends of old": BODY.replace("\n", "\r").encode(),
    "tabs": BODY.replace("    ", "\t").encode(),
    "tabs and spaces": BODY.replace("        ", "    \t").encode(),
    "form feeds": b"\x0cx = 1\n\x0c\n" + BODY.replace("    if", "\x0c    if").encode(),
    "no line end at the end": BODY.rstrip("\n").encode(),
    "continuations": b"def f(x):\n    if x \\\n  > 1:\n        return \\\n'\xc3\xa4', \\\n x\n"
    b"    return '\xc3\xb6' * x # \\\n",
    "one line": b"def f(x): return ('\xc3\xa4', x) if x > 1 else '\xc3\xb6' * x",
    "several on a line": b"def g(x): return 1\ng, h, f = (lambda x: 1), (lambda x: 2), (lambda x: "
    b"('\xc3\xa4', x) if x > 1 else '\xc3\xb6' * x)",
    "semicolons": b"def f(x): y = x; z = y; return ('\xc3\xa4', z) if x > 1 else '\xc3\xb6' * z",
    "same lambdas on a line": b"f, g = lambda x: x + 1, lambda x: x + 1\n",
    "a backslash in a comment": b"def f(x):\n    # note \\\n    x = x + 1\n    return x\n",
    "a backslash in a raw string": b"def f(x):\n    return r'a\\\nb', x\n",
    "a docstring alone": b"def f(x):\n    'says all'\n",
    "an ellipsis alone": b"def f(x): ...\n",
    "nested strings": b'def f(x):\n    return f\'{x!r:>{x + 4}} {f"{x:{x}d}" + ""}\' '
    b"f'''{\n  x}'''\n",
    "decorators over lines": b"def two(*a, **k):\n    return lambda f: f\n@two(1,\n  b=[\n  2])\n@("
    b"two\n  )()\ndef f(x):\n    if x: return x\n    return 0\n",
    "odd indentation": b"class A:\n     class B:\n          if True:\n"
    b"             def f(self, x):\n                if x: return x\n                return 0\n"
    b"f = A.B().f\n",
    "a lambda in a default": b"def f(x, g=lambda x: x + 1 if x else 0): return g(x)\n",
    "a lambda over lines": b"f = (\n  lambda\n  x\n  :\n  x\n  + 1 if x else (\n  0)\n)\n",
    "a redefinition": b"def f(x): return 1\ndef f(x): return 2 if x else 3\n",
    "definitions in branches": b"if 1 > 0:\n    def f(x): return 2 if x else 3\nelse:\n"
    b"    def f(x): return 4\n",
    "annotations of the future": b"from __future__ import annotations\ndef f(x: Nothing) -> No:\n"
    b"    y: Missing = x\n    return y if y else 0\n",
}


@pytest.mark.parametrize("kind", FILES)
def test_files_of_unusual_layouts(written: Write, kind: str) -> None:
    function = written(FILES[kind]).f
    for x in (0, 1, 3):
        assert_converts(function, x)


# Files that change. Each edit is of FILE; in the first kind `f` still is what it was.

FILE = """import math

def g(x):
    return 0

def f(x):
    if x: return 1
    return 2

end = 3
"""
HARMLESS = {
    "below": FILE + "more = 4\n",
    "another function of the same length": FILE.replace("return 0", "return 9"),
    "a comment": FILE.replace("import math\n", "import math # of numbers\n"),
    "white space": FILE.replace("if x:", "if  x :"),
}
HARMFUL = {
    "inside": FILE.replace("return 1", "return 111"),
    "inside, of the same length": FILE.replace("return 1", "return 7"),
    "gone": FILE.replace("def f(x)", "def h(x)"),
    "another parameter": FILE.replace("def f(x)", "def f(x, y=1)"),
    "not Python any more": FILE.replace("return 2", "return ("),
    "emptied": "",
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_edits_that_leave_the_function_as_it_was(written: Write, kind: str) -> None:
    module = written(FILE)
    Path(module.__file__).write_text(HARMLESS[kind])
    assert_converts(module.f, 0)
    assert_converts(module.f, 1)


@pytest.mark.parametrize("kind", HARMFUL)
def test_edits_of_the_function_are_noticed(written: Write, kind: str) -> None:
    module = written(FILE)
    Path(module.__file__).write_text(HARMFUL[kind])
    with pytest.raises(SourceError, match="'f'"):
        ag.to_graph(module.f)
    assert [2, 1] == [call(module.f, x) for x in (0, 1)]


@pytest.mark.parametrize("kind", HARMFUL)
def test_source_cached_before_the_edit_is_used(written: Write, kind: str) -> None:
    module = written(FILE)
    linecache.getlines(module.__file__)
    Path(module.__file__).write_text(HARMFUL[kind])
    assert [2, 1] == [forced(ag.to_graph(module.f))(x) for x in (0, 1)]


def test_a_function_that_moved_is_found_or_refused(written: Write) -> None:
    module = written(FILE)
    Path(module.__file__).write_text("# one more line\n" + FILE)
    try:
        converted = ag.to_graph(module.f)
    except SourceError as error:
        assert "has changed" in str(error)
    else:
        assert [2, 1] == [forced(converted)(x) for x in (0, 1)]
    assert [2, 1] == [call(module.f, x) for x in (0, 1)]


def test_a_converted_function_ignores_later_edits(written: Write) -> None:
    module = written(FILE)
    before = ag.to_graph(module.f)
    Path(module.__file__).write_text(HARMFUL["inside"])
    again = ag.to_graph(module.f)
    assert [1, 1] == [forced(before)(5), forced(again)(5)]


def test_a_module_loaded_again_is_converted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hostile_reloaded.py"
    path.write_text(FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("hostile_reloaded")
    old = module.f
    assert 1 == forced(ag.to_graph(old))(5)
    path.write_text(HARMFUL["inside, of the same length"])
    importlib.invalidate_caches()
    importlib.reload(module)
    assert 7 == module.f(5) == forced(ag.to_graph(module.f))(5)
    assert 1 == forced(ag.to_graph(old))(5)
    del sys.modules["hostile_reloaded"]


def test_a_deleted_file(written: Write) -> None:
    module = written(FILE)
    Path(module.__file__).unlink()
    with pytest.raises(SourceError, match="no source for 'f'"):
        ag.to_graph(module.f)
    assert 1 == call(module.f, 5)


def test_a_zipped_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("hostile_zipped.py", FILE)
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    module = importlib.import_module("hostile_zipped")
    assert_converts(module.f, 0)
    assert 1 == call(module.f, 5)
    del sys.modules["hostile_zipped"]


# Functions that no file defines


def test_functions_of_exec_have_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    if x: return 1\n    return 2\n", namespace)
    with pytest.raises(SourceError, match="no source for 'f'"):
        ag.to_graph(namespace["f"])
    assert 2 == call(namespace["f"], 0)


@pytest.mark.parametrize("optimize", [0, 1, 2])
def test_code_compiled_with_other_flags(written: Write, optimize: int) -> None:
    text = (
        "def f(x):\n    'says what'\n    assert x, 'no'\n    if __debug__: x += 1\n    return x\n"
    )
    path = Path(written(text).__file__)
    namespace: dict[str, Any] = {}
    exec(compile(text, str(path), "exec", optimize=optimize), namespace)
    function = namespace["f"]
    results = [outcome_of(function, [x]) for x in (0, 5)]
    for expected, x in zip(results, (0, 5)):
        actual = outcome_of(lambda value: call(function, value), [x])
        assert repr(expected.error) == repr(actual.error)
        assert expected.result == actual.result


def test_examples_of_a_docstring() -> None:
    text = """
    >>> import autograph as ag
    >>> def f(x):
    ...     if x > 1:
    ...         return x
    ...     return -x
    >>> ag.to_graph(f)(5), ag.to_graph(lambda x: x + 1 if x else 0)(1)
    (5, 2)
    """
    example = doctest.DocTestParser().get_doctest(text, {}, "hostile", None, None)
    # While it runs examples doctest lends linecache their text.
    runner = doctest.DocTestRunner(verbose=False)
    assert 0 == runner.run(example).failed


def test_functions_with_replaced_code(written: Write) -> None:
    module = written(
        "def f(x):\n    if x: return 1\n    return 2\ndef g(x):\n    return 3 if x else 4\n"
    )
    assert_converts(module.f, 1)
    module.f.__code__ = module.g.__code__
    assert_converts(module.f, 1)
    assert [3, 4] == [forced(ag.to_graph(module.f))(x) for x in (1, 0)]
    module.f.__code__ = module.f.__code__.replace(co_consts=(None, 30, 40))
    assert [30, 40] == [call(module.f, x) for x in (1, 0)]
    with pytest.raises(SourceError):
        ag.to_graph(module.f)


def test_a_function_created_from_a_code_object(written: Write) -> None:
    module = written("k = 1\ndef f(x, y=2):\n    if x: return k, x, y\n    return k\n")
    made_of = types.FunctionType(module.f.__code__, {"k": 7}, "other", (9,))
    assert_converts(made_of, 1)
    assert [(7, 1, 9), 7] == [forced(ag.to_graph(made_of))(x) for x in (1, 0)]
    assert (1, 1, 2) == forced(ag.to_graph(module.f))(1)


def test_a_function_created_from_a_code_object_with_cells(written: Write) -> None:
    text = "def outer(k):\n    def f(x):\n        if x: return k\n        return -k\n    return f\n"
    first, second = (written(text).outer(n) for n in (1, 2))
    mixed = types.FunctionType(first.__code__, {}, "f", None, second.__closure__)
    assert [2, -2] == [forced(ag.to_graph(mixed))(x) for x in (1, 0)]
    assert [1, -1] == [forced(ag.to_graph(first))(x) for x in (1, 0)]


def test_a_module_without_a_name() -> None:
    text = "def f(x):\n    for i in range(x):\n        if i > 2: return i\n    return -1\n"
    function = compiled_function(text)
    del function.__globals__["__name__"]
    nameless = types.FunctionType(function.__code__, function.__globals__)
    assert nameless.__module__ is None
    assert [3, -1] == [forced(ag.to_graph(nameless))(x) for x in (9, 2)]
    assert [3, -1] == [int(ag.function(nameless)(x)) for x in (9, 2)]

"""Programs as users write them: the verdict of mypy and pyright on each line, and its effect.

A line that must be an error ends in `# error`; every other line must be none. `assert_type` states
the type that both checkers must find, and the program runs with a version of it that compares the
type with the value. Lines in error stand in a function that nothing calls.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import NoneType, UnionType
from typing import Any

import pytest
import typing_extensions

from tests.each import for_each

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
HAS_JAX = find_spec("jax") is not None
CHECKED = [each for each in PROGRAMS if HAS_JAX or each.stem != "jax_functions"]
Lines = dict[tuple[str, int], str]


@cache
def _errors(checker: Callable[[], Iterator[tuple[str, int, str]]]) -> Lines:
    return {(Path(file).name, line): message for file, line, message in checker()}


def mypy() -> Iterator[tuple[str, int, str]]:
    """Yield the errors of mypy: files, lines and messages."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-pretty"]
    options = [
        "--no-error-summary",
        "--hide-error-context",
        "--disable-error-code=untyped-decorator",
    ]
    text = _run([*command, *options, f"--cache-dir={os.devnull}", *map(str, CHECKED)])
    for line in text.splitlines():
        place, kind, message = (line.split(": ", 2) + ["", ""])[:3]
        if kind == "error":
            file, _, number = place.rpartition(":")
            yield file, int(number), message


def pyright() -> Iterator[tuple[str, int, str]]:
    """Yield the errors of pyright: files, lines and messages."""
    text = _run(
        [
            sys.executable,
            "-m",
            "pyright",
            "--pythonpath",
            sys.executable,
            "--outputjson",
            *map(str, CHECKED),
        ]
    )
    for each in json.loads(text[text.index("{") :])["generalDiagnostics"]:
        if each["severity"] == "error":
            yield each["file"], each["range"]["start"]["line"] + 1, each["message"]


def _run(command: list[str]) -> str:
    # Outside of the checkout, so that the packages are those of a library and no settings apply.
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "MYPYPATH": ""}
    folder = Path(__file__).parent / "programs"
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def _expected() -> set[tuple[str, int]]:
    return {
        (path.name, number)
        for path in CHECKED
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.endswith("# error")
    }


@pytest.mark.parametrize("checker", [mypy, pyright], ids=lambda each: each.__name__)
def test_a_checker_finds_the_errors_and_no_others(checker: Callable[[], Any]) -> None:
    if checker is pyright:
        pytest.importorskip("pyright", reason="pyright: pip install 'autograph-py[types]'")
    found = _errors(checker)
    assert {} == {place: found[place] for place in found.keys() - _expected()}
    assert set() == _expected() - found.keys()


def test_each_program_has_types_to_check_and_errors_to_find() -> None:
    for path in PROGRAMS:
        text = path.read_text(encoding="utf-8")
        assert 4 <= text.count("# error\n"), path.name
        assert 3 <= text.count("assert_type("), path.name


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_values_have_the_types_that_checkers_see(path: Path, monkeypatch: Any) -> None:
    if path.stem == "jax_functions":
        pytest.importorskip("jax")
    compared = []

    def assert_type(value: Any, kind: Any) -> Any:
        compared.append(kind)
        assert _is_of(value, kind, sys._getframe(1).f_globals), f"{value!r} is no {kind}"
        return value

    monkeypatch.setattr(typing_extensions, "assert_type", assert_type)
    runpy.run_path(str(path))
    assert 3 <= len(compared)


COMPARED = [
    (1, int, str),
    ((1, "a"), tuple[int, str], tuple[int, int]),
    ([1], list[int], list[str]),
    ({"a": 1}, dict[str, int], dict[str, str]),
    (None, "int | None", "int | str"),
]


@for_each("value, right, wrong", COMPARED)
def test_the_comparison_of_a_value_with_a_type_can_fail(value: Any, right: Any, wrong: Any) -> None:
    assert _is_of(value, right, {})
    assert not _is_of(value, wrong, {})


def _is_of(value: Any, kind: Any, space: Mapping[str, Any]) -> bool:
    """Return whether a value is of a type, with the items of tuples, lists and dicts."""
    if isinstance(kind, str):
        kind = eval(kind, {**vars(typing), **space})
    if kind in (Any, object):
        return True
    if kind is None:
        return value is None
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (UnionType, typing.Union):
        return any(_is_of(value, None if each is NoneType else each, space) for each in parts)
    if origin is None:
        return isinstance(value, kind)
    if not isinstance(value, origin):
        return False
    if origin is tuple:
        if parts[-1] is ...:
            return all(_is_of(each, parts[0], space) for each in value)
        return len(parts) == len(value) and all(
            _is_of(each, part, space) for each, part in zip(value, parts)
        )
    if origin is list:
        return all(_is_of(each, parts[0], space) for each in value)
    if origin is dict:
        return all(_is_of(each, parts[1], space) for each in value.values())
    return True

"""Conversion rules, each on a value that it decides."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import linecache
import os
import random
import sys
import types
import unittest.mock
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from autograph.conversion.rules import (
    RULES,
    Candidate,
    ConversionRule,
    Verdict,
    decide,
    function_behind,
    name_of,
)
from autograph.conversion.wrappers import UnconvertedFunction, converting, exempting
from autograph.operators import heap_functions
from autograph.operators.pure_python_modules import pure_python_module


def mine(x: int) -> int:
    return x


class Mine:
    def __call__(self) -> None: ...
    def method(self) -> None: ...


class WithPythonFunction:
    python_function = staticmethod(mine)

    def __call__(self) -> None: ...


def generator() -> Iterator[int]:
    yield 1


async def coroutine() -> None: ...


async def stream() -> object:
    yield 1


@types.coroutine
def awaitable() -> Iterator[int]:
    yield 1


@functools.lru_cache
def remembering() -> None: ...


@dataclasses.dataclass
class Record:
    x: int


def located(filename: str, module: str = "somewhere") -> types.FunctionType:
    """Make a function that seems to stand in a file."""
    space: dict[str, object] = {"__name__": module}
    exec(compile("def f(): pass", filename, "exec"), space)
    found = space["f"]
    assert isinstance(found, types.FunctionType)
    return found


def rule_of(value: object, **known: object) -> ConversionRule:
    return decide(Candidate(value, function_behind(value), **known))  # type: ignore[arg-type]


CASES: list[tuple[str, object]] = [
    ("user", mine),
    ("user", lambda: 0),
    ("user", Mine()),
    ("user", Mine().method),
    ("user", functools.partial(mine, 1)),
    ("exempt", exempting(UnconvertedFunction(mine))),  # type: ignore[arg-type]
    ("wrapped", converting(mine, lambda fn: fn)),
    ("staged", WithPythonFunction()),
    ("class", Mine),
    ("class", int),
    ("cached", remembering),
    ("mock", unittest.mock.MagicMock()),
    ("mock", unittest.mock.Mock(spec=mine)),
    ("native", len),
    ("native", [].append),
    ("native", "".join),
    ("native", np.sin),
    ("native", functools.partial(max, 1)),
    ("native", 3),
    ("user", generator),
    ("user", coroutine),
    ("user", stream),
    ("user", awaitable),
    ("in Python", pure_python_module("heapq").heappush),
    ("in Python", heap_functions.heappop),
    ("ours", decide),
    ("around", contextlib.contextmanager(generator)),
    ("installed", pytest.importorskip),
    ("installed", located("/opt/lib/python3/dist-packages/thing/file.py")),
    ("installed", located("/home/me/venv/lib/site-packages/thing/file.py")),
    ("standard", json.dumps),
    ("standard", random.Random().choice),
    ("standard", os.path.join),
    ("standard", located("<string>", "collections")),
    ("packed", located("<frozen thing>")),
    ("sourceless", located("<string>")),
    ("sourceless", Record.__init__),
    ("sourceless", located("/nowhere/gone.py")),
]


@pytest.mark.parametrize(("name", "value"), CASES, ids=[name for name, _ in CASES])
def test_each_value_is_decided_by_its_rule(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From Python 3.13 on, the text given to `python -c` stands there, as in a process of xdist.
    monkeypatch.delitem(linecache.cache, "<string>", raising=False)
    assert name == rule_of(value).name


def test_every_rule_but_that_of_generated_code_has_a_case() -> None:
    elsewhere = {"converted", "included"}
    assert {rule.name for rule in RULES} == {name for name, _ in CASES} | elsewhere


def test_generated_code_is_left_alone_first() -> None:
    assert "converted" == rule_of(mine, is_generated=True).name


def test_only_three_rules_convert() -> None:
    assert ["in Python", "included", "user"] == [
        rule.name for rule in RULES if rule.verdict is Verdict.CONVERT
    ]


def test_a_user_module_named_like_a_standard_one_is_user_code(tmp_path: Path) -> None:
    file = tmp_path / "random.py"
    file.write_text("def f(): pass\n")
    assert "user" == rule_of(located(str(file), "random")).name


def test_an_included_package_is_user_code(tmp_path: Path) -> None:
    file = tmp_path / "site-packages" / "thing.py"
    file.parent.mkdir()
    file.write_text("def f(): pass\n")
    fn = located(str(file), "thing.inner")
    assert "installed" == rule_of(fn).name
    assert "included" == rule_of(fn, include=("thing",)).name


@pytest.mark.parametrize(
    ("include", "rule"),
    [
        (("thing",), "included"),
        (("thing.inner",), "included"),
        (("thing.other", "thi"), "installed"),
        ((), "installed"),
    ],
)
def test_an_included_package_is_converted(
    tmp_path: Path, include: tuple[str, ...], rule: str
) -> None:
    file = tmp_path / "site-packages" / "thing.py"
    file.parent.mkdir()
    file.write_text("def f(): pass\n")
    assert rule == rule_of(located(str(file), "thing.inner"), include=include).name


def test_included_modules_of_the_standard_library_are_converted() -> None:
    names = [rule_of(json.dumps, include=include).name for include in ((), ("json",), ("js",))]
    assert ["standard", "included", "standard"] == names
    wrapper = functools.wraps(json.dumps)(lambda x: x)
    assert "user" == rule_of(wrapper, include=("json",)).name
    assert "native" == rule_of(len, include=("builtins",)).name


def test_a_function_of_a_zipped_module_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a_packed_module.py", "def f(): pass\n")
    monkeypatch.syspath_prepend(str(archive))
    module = __import__("a_packed_module")
    monkeypatch.delitem(sys.modules, "a_packed_module")
    assert "packed" == rule_of(module.f).name


def test_reasons_read_as_a_sentence_about_it() -> None:
    assert all(rule.reason.startswith(("it ", "its ")) for rule in RULES)
    assert all(not rule.reason.endswith(".") for rule in RULES)


class Plain:
    __call__ = staticmethod(mine)


BEHIND: list[tuple[object, Callable[..., object] | None]] = [
    (mine, mine),
    (functools.partial(functools.partial(mine, 1), 2), mine),
    (Mine().method, Mine.method),
    (Mine(), Mine.__call__),
    (types.MethodType(functools.partial(mine), 3), mine),
    (Mine, None),
    (Plain(), None),
    (len, None),
    (None, None),
]


@pytest.mark.parametrize(("value", "function"), BEHIND)
def test_the_function_behind_a_callable_is_found(
    value: object, function: Callable[..., object] | None
) -> None:
    assert function is function_behind(value)


def test_names_are_those_the_user_gave() -> None:
    assert "`mine`" == name_of(mine)
    assert "`Mine.method`" == name_of(Mine().method)
    assert "`mine`" == name_of(functools.partial(mine, 1))
    assert "`Mine.__call__`" == name_of(Mine())
    assert "`int`" == name_of(3)

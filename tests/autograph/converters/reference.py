"""The meaning of generated code in plain Python, and how to run a program both ways.

The vocabulary here stages nothing, but it is merciless about state: what a statement says is not
needed afterwards is destroyed, and what it says it can save is saved and put back.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType
from typing import Any

import gast

from autograph.converters.pipeline import PIPELINE, convert_function
from autograph.options import STANDARD
from autograph.syntax.tree import parse, to_ast
from tests.autograph.converters.reference_operators import Vocabulary


@dataclass(frozen=True)
class TextSource:
    """The parts of a source that the pipeline needs, made from text."""

    text: str
    node: Any
    name: str
    class_name: str | None = None
    filename: str = "<program>"

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


@dataclass(frozen=True)
class Case:
    """A program, the arguments of its calls, the function to call, and the Python it is for."""

    text: str
    calls: tuple[tuple[object, ...], ...] = ((),)
    path: str = "f"
    since: tuple[int, int] = (3, 10)


@dataclass(frozen=True)
class Outcome:
    """All that can be observed of one run."""

    result: object
    error: str | None
    log: tuple[object, ...]


def shown(value: object) -> str:
    """Return a value as text; messages of exceptions differ between Pythons, and between words."""
    return type(value).__name__ if isinstance(value, Exception) else repr(value)


class Log:
    """The callable by which programs leave a trace: `t(x)` notes x and returns it."""

    def __init__(self) -> None:
        self.entries: list[object] = []

    def __call__(self, value: object = None) -> object:
        self.entries.append(shown(value))
        return value


class Manager:
    """A context manager that notes entry and exit, and swallows or raises on demand."""

    def __init__(self, log: Log, name: str, swallows: bool = False, fails: bool = False) -> None:
        self._log, self._name, self._swallows, self._fails = log, name, swallows, fails

    def __repr__(self) -> str:
        return self._name

    def __enter__(self) -> Manager:
        self._log(f"enter {self._name}")
        return self

    def __exit__(self, kind: Any, *rest: object) -> bool:
        self._log(f"exit {self._name} {kind and kind.__name__}")
        if self._fails:
            raise KeyError(self._name)
        return self._swallows


def namespace(log: Log) -> dict[str, Any]:
    """Return the names that programs may use: t, cm, swallow, failing, shared, o."""

    class Object:
        pass

    o: Any = Object()
    o.v = 1
    return {
        "t": log,
        "cm": lambda name="cm": Manager(log, name),
        "swallow": lambda name="swallow": Manager(log, name, swallows=True),
        "failing": lambda name="failing": Manager(log, name, fails=True),
        "shared": 5,
        "o": o,
        "Boom": type("Boom", (Exception,), {}),
    }


def definition_of(module: gast.Module, path: str) -> Any:
    """Return the function definition called `path` (`f`, `C.m`) in a module."""
    found: Any = module
    for step in path.split("."):
        found = next(s for s in found.body if getattr(s, "name", None) == step)
    return found


def converted_module(text: str, path: str = "f", pipeline: Any = PIPELINE) -> gast.Module:
    """Return the module of a program with the function at `path` converted in its place."""
    module = parse(text)
    *owner, name = path.split(".")
    node = definition_of(module, path)
    place = definition_of(module, ".".join(owner)) if owner else module
    position = place.body.index(node)
    source = TextSource(text, node, name, owner[-1] if owner else None)
    tree: Any = convert_function(source, STANDARD, pipeline=pipeline)
    tree.name = name
    place.body[position] = tree
    return module


def compiled(module: gast.Module) -> CodeType:
    """Return the code of a converted module."""
    return compile(to_ast(module), "<program>", "exec")


def run(
    program: Any,
    args: Iterable[object],
    path: str = "f",
    thorough: bool = False,
    prelude: str = "",
) -> Outcome:
    """Run a program (text or compiled) and call the function at `path`.

    `prelude` is run before it, and is never converted.
    """
    log = Log()
    names = namespace(log)
    exec(prelude, names)
    names["ag__"] = Vocabulary(thorough)
    exec(compile(program, "<program>", "exec") if isinstance(program, str) else program, names)
    function: Any = names
    for step in path.split("."):
        function = function[step] if isinstance(function, dict) else getattr(function(), step)
    result, error = None, None
    try:
        result = _finished(function(*args))
    except Exception as caught:
        error = type(caught).__name__
    after = (names.get("shared", "deleted"), sorted(vars(names["o"]).items(), key=repr))
    return Outcome(shown(result), error, (*log.entries, repr(after)))


def _finished(result: Any) -> object:
    """Run a generator or coroutine to its end."""
    if inspect.isgenerator(result):
        return list(result)
    if inspect.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration as stop:
            return stop.value
        raise AssertionError("the program waits for something")
    return result


def assert_same_behaviour(
    text: str, *calls: tuple[object, ...], path: str = "f", pipeline: Any = PIPELINE
) -> None:
    """Assert that a converted program behaves like the program, for every tuple of arguments."""
    code = compiled(converted_module(text, path, pipeline))
    for args in calls or ((),):
        expected = run(text, args, path)
        for thorough in (False, True):
            assert expected == run(code, args, path, thorough), f"f{args}, {thorough=}"

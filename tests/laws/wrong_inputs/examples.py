"""Valid calls of every public function and method, from the examples in docstrings."""

from __future__ import annotations

import ast
import contextlib
import copy
import doctest
import functools
import importlib
import inspect
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

import runtime as rt

# Programs as values, formats of others, and what only tests use.
APART = {
    "dtypes",
    "errors",
    "export",
    "graph",
    "session",
    "summary",
    "test",
    "array_api",
    "numpy_protocol",
}
# Functions that write on the screen, read files, raise an error that is the user's, or change what
# all later calls do.
_EXAMPLE = {
    *("print", "print_", "load_data", "raise_error", "assert_", "numpy_function"),
    *("register", "set_global_generator", "use_digits", "use_synthetic"),
}


@dataclass
class Call:
    """A call that an example makes, with the parts needed to make it again."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    source: str
    owner: Any = None
    method: str = ""

    def __str__(self) -> str:
        return self.name

    def again(self) -> tuple[Callable[..., Any], Any]:
        """Return the function, bound to an owner of its own, and the owner."""
        if self.owner is None:
            return self.function, None
        owner = copy.deepcopy(self.owner)
        return getattr(owner, self.method), owner


@functools.cache
def public_objects() -> dict[str, Any]:
    """Every function and class that a program finds under `rt`, by its first name."""
    found: dict[int, tuple[str, Any]] = {}
    _gather(rt, "rt", found)
    return dict(found.values())


def _gather(module: ModuleType, name: str, found: dict[int, Any]) -> None:
    """Take the objects that a namespace names: its imports with `as`, and its own definitions."""
    for key in _given(module):
        value = getattr(module, key)
        if inspect.ismodule(value):
            if key in APART or value.__name__.startswith("runtime.ops."):
                continue
            _gather(value, f"{name}.{key}", found)
        elif callable(value) and (getattr(value, "__module__", "") or "").startswith("runtime"):
            found.setdefault(id(value), (f"{name}.{key}", value))


def _given(module: ModuleType) -> Iterator[str]:
    for node in _statements(ast.parse(inspect.getsource(module)).body):
        if isinstance(node, ast.ImportFrom):
            yield from (each.asname for each in node.names if each.asname and each.asname[0] != "_")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name[0] != "_":
            yield node.name


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, and those under a condition: front doors import for type checkers only."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from _statements(node.body)


def documented() -> Iterator[tuple[str, str, ModuleType]]:
    """Yield the docstrings with examples, of public objects and of their methods."""
    for name, value in public_objects().items():
        home = importlib.import_module(value.__module__)
        yield from ((n, doc, home) for n, doc in _docstrings(name, value) if ">>>" in doc)


def _docstrings(name: str, value: Any) -> Iterator[tuple[str, str]]:
    yield name, inspect.getdoc(value) or ""
    if inspect.isclass(value):
        for each in value.__mro__:
            for key, member in sorted(vars(each).items()):
                function = inspect.unwrap(getattr(member, "fget", None) or member)
                if (getattr(each, "__module__", "") or "").startswith("runtime"):
                    doc = getattr(function, "__doc__", None) if callable(function) else None
                    yield f"{name}.{key}", inspect.cleandoc(doc or "")


@functools.cache
def calls() -> tuple[Call, ...]:
    """Every call of a function or method of ours that an example in a docstring makes."""
    recorded: list[Call] = []
    done = set()
    for name, doc, home in documented():
        if doc not in done:
            done.add(doc)
            # A training may have any number of epochs; `network_calls` has one that ends.
            recorded += [call for call in calls_in(name, doc, home) if call.method != "fit"]
    return tuple(recorded)


class _Watched(ast.NodeTransformer):
    """Puts a call of `__called__` in the place of each call."""

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node  # What is in a function is called by others, perhaps while it is traced.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(
            ast.Call(ast.Name("__called__", ast.Load()), [node.func, *node.args], node.keywords),
            node,
        )


def calls_in(name: str, doc: str, home: ModuleType) -> list[Call]:
    """Run the examples of a docstring; return the calls they make."""
    found: list[Call] = []
    names = {key: getattr(home, key) for key in dir(home)}

    def called(function: Any, *args: Any, **kwargs: Any) -> Any:
        if call := _call_of(function, args, kwargs, name):
            found.append(call)
        return function(*args, **kwargs)

    names |= {"__called__": called, "rt": rt, "np": np}
    for example in doctest.DocTestParser().get_examples(doc):
        with contextlib.redirect_stdout(io.StringIO()), _in_a_folder_of_its_own():
            tree = ast.fix_missing_locations(_Watched().visit(ast.parse(example.source)))
            with contextlib.suppress(Exception):
                exec(compile(tree, f"<example of {name}>", "exec"), names)
    return found


@contextlib.contextmanager
def _in_a_folder_of_its_own() -> Iterator[None]:
    old = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(old)


def _call_of(function: Any, args: Any, kwargs: Any, example: str) -> Call | None:
    owner, method = _owner_of(function)
    subject = function if owner is None else type(owner)
    if not _is_public(subject):
        return None
    name = getattr(function, "__name__", "")
    words = name if owner is None else f"{type(owner).__name__}.{method}"
    if name in _EXAMPLE or method == "numpy":
        return None
    try:
        kept = copy.deepcopy((owner, args, kwargs))
    except Exception:
        return None
    return Call(words, function, kept[1], kept[2], example, kept[0], method)


def _owner_of(function: Any) -> tuple[Any, str]:
    owner = getattr(function, "__self__", None)
    if owner is None and not inspect.isroutine(function) and not inspect.isclass(function):
        return function, "__call__"
    if owner is None or inspect.ismodule(owner) or inspect.isclass(owner):
        return None, ""
    return owner, function.__name__


def _is_public(subject: Any) -> bool:
    known = public_objects().values()
    if inspect.isclass(subject):
        return any(inspect.isclass(each) and each in subject.__mro__ for each in known)
    return any(each is subject for each in known)

"""Law: the imports of a package that type checkers read and its lazy ones are the same."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from tests.each import for_each
from tools import layers

SOURCES = layers.sources_under(layers.ROOT)


def _packages() -> dict[str, ast.If]:
    found = {}
    for module, source in SOURCES.items():
        for node in ast.parse(source).body if "lazy_attributes(" in source else ():
            if isinstance(node, ast.If) and "lazy_attributes(" in "".join(
                map(ast.unparse, node.orelse)
            ):
                found[module] = node
    return found


PACKAGES = _packages()


def _read_by_checkers(node: ast.If) -> dict[str, str]:
    named: dict[str, str] = {}
    for each in node.body:
        if isinstance(each, ast.ImportFrom):
            named |= {a.asname or a.name: f"{each.module} {a.name}" for a in each.names}
        elif isinstance(each, ast.Assign):
            of = ast.unparse(each.value)
            named |= {ast.unparse(target): named[of] for target in each.targets}
    return named


def _names_in_source(node: ast.If) -> dict[str, str]:
    calls = [each for part in node.orelse for each in ast.walk(part) if isinstance(each, ast.Call)]
    table = next(
        ast.literal_eval(call.args[1])
        for call in calls
        if "lazy_attributes" == ast.unparse(call.func)
    )
    entries = [
        (home, *entry.split("=")) for home, names in table.items() for entry in names.split()
    ]
    return {name: f"{home} {old[0] if old else name}" for home, name, *old in entries}


def test_packages_with_lazy_attributes_are_found() -> None:
    assert {"autograph", "runtime", "runtime.math", "runtime.nn.layers"} <= set(PACKAGES)


@for_each("module", PACKAGES)
def test_lazy_tables_agree_with_imports(module: str) -> None:
    assert _read_by_checkers(PACKAGES[module]) == _names_in_source(PACKAGES[module])


@for_each("module", PACKAGES)
def test_each_lazy_name_exists_and_is_listed(module: str) -> None:
    package = import_module(module)
    for name, place in _names_in_source(PACKAGES[module]).items():
        home, old = place.split()
        own = import_module(home)
        expected = getattr(own, old) if hasattr(own, old) else import_module(f"{home}.{old}")
        assert expected is getattr(package, name)
        assert name in dir(package)
        assert name in package.__all__


@for_each("module", PACKAGES)
def test_no_name_is_hidden_by_a_submodule(module: str) -> None:
    # Python binds a submodule to its name in the package whenever it is imported.
    for name, place in _names_in_source(PACKAGES[module]).items():
        beside = f"{module}.{name}" in SOURCES
        assert (
            not beside or place == f"{module} {name}" or (module, name) == ("autograph", "function")
        )


def test_a_missing_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module '.*runtime' has no attribute 'no_such'"):
        rt.no_such  # type: ignore[attr-defined]
    assert not hasattr(rt.math, "no_such")


def test_lazily_imported_objects_are_pickled_by_their_names() -> None:
    assert rt.nn.layers.Dense is pickle.loads(pickle.dumps(rt.nn.layers.Dense))
    assert rt.einsum is pickle.loads(pickle.dumps(rt.einsum))


def _run(program: str) -> str:
    path = str(Path(layers.ROOT))
    command = [sys.executable, "-c", program]
    return subprocess.check_output(command, cwd=path, text=True).strip()


def test_a_star_import_includes_lazy_names() -> None:
    assert "True True" == _run("from runtime.math import *\nprint(callable(add), callable(lgamma))")
    assert "True" == _run("from autograph import *\nprint(callable(function))")


def test_the_decorator_stays_under_its_name_when_its_package_is_imported() -> None:
    program = "import autograph.functions.options, autograph as ag\nprint(callable(ag.function))"
    assert "True" == _run(program)
    assert callable(ag.function)


def test_concurrent_threads_get_the_same_lazy_object() -> None:
    program = """
import sys
from concurrent.futures import ThreadPoolExecutor
import runtime as rt
sys.setswitchinterval(1e-6)
with ThreadPoolExecutor(8) as pool:
    kinds = list(pool.map(lambda _: rt.nn.layers.Dense, range(8)))
print(len(set(kinds)))
"""
    assert "1" == _run(program)
    with ThreadPoolExecutor(4) as pool:
        assert 1 == len(set(pool.map(lambda _: rt.einsum, range(4))))

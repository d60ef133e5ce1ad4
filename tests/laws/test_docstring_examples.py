"""Law: the examples in docstrings are true, and every public function and class has one."""

from __future__ import annotations

import doctest
import importlib
import linecache
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograph.compat import tensorflow as tf
from autograph.compat.namespace import Namespace
from tests.each import for_each
from tools import layers
from tools.public_names import MODULES, names_of


class WithoutLines(doctest.DocTestFinder):
    """Finds examples without the lines they stand on: to find a class parses the whole module."""

    def _find_lineno(self, obj: object, source_lines: object) -> None:
        return None


FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
SKIPPED = "  # doctest: +SKIP"
# Packages that a user may leave out; what needs one of them is tested where it is installed.
EXTRAS = ("jax", "llvmlite", "ml_dtypes", "onnx", "onnxruntime", "tensorboard")
SOURCES = layers.sources_under(layers.ROOT)
EXAMPLES = {
    name: sum(not line.endswith(SKIPPED) for line in lines)
    for name, source in SOURCES.items()
    if (lines := [each for each in source.splitlines() if each.lstrip().startswith(">>> ")])
}

# -- the examples are true -------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_module_are_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # Each run makes a debugger, which would look at every file that has been read so far.
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in EXTRAS:
            raise
        pytest.skip(f"{error.name} is not installed")
    finder, runner = WithoutLines(), doctest.DocTestRunner(optionflags=FLAGS)
    for test in finder.find(module, module.__name__):
        if test.examples:
            runner.run(test)
    result = runner.summarize()
    assert not result.failed
    # Some decorators hide a docstring: its examples would be run by nobody.
    # Python 3.13 counts those that are skipped, too.
    assert EXAMPLES[name] == result.attempted - getattr(result, "skipped", 0)


# -- every public function and class has one -------------------------------------------------------


def lacks_example(value: Any) -> bool:
    """Whether this is a function or class of ours without an example; an error needs none."""
    if isinstance(value, ModuleType) or not callable(value):
        return False
    if isinstance(value, type) and issubclass(value, BaseException):
        return False
    home = str(getattr(value, "__module__", ""))
    return home.partition(".")[0] in layers.PACKAGES and ">>> " not in (value.__doc__ or "")


def in_namespace(space: Any, prefix: str = "tf") -> Iterator[tuple[str, Any]]:
    """The values of a namespace of names of another package, and of those inside it."""
    for name in dir(space):
        value = getattr(space, name)
        if isinstance(value, Namespace):
            yield from in_namespace(value, f"{prefix}.{name}")
        elif not name.startswith("_"):
            yield f"{prefix}.{name}", value


@for_each("name", MODULES)
def test_public_functions_and_classes_have_examples(name: str) -> None:
    if name == "autograph.jax":
        pytest.importorskip("jax")
    module = importlib.import_module(name)
    assert [] == [each for each in names_of(module) if lacks_example(getattr(module, each))]


def test_functions_and_classes_under_names_of_tensorflow_have_examples() -> None:
    assert [] == [name for name, value in in_namespace(tf) if lacks_example(value)]


def test_a_function_without_an_example_is_seen() -> None:
    def without() -> None:
        """Do nothing."""

    without.__module__ = "runtime.core"
    assert lacks_example(without)
    without.__doc__ = "Do nothing.\n\n>>> without()"
    assert not lacks_example(without)

"""Law: the examples in docstrings are true, and every public function and class has one."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tools import layers

FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
# Packages that a user may leave out; what needs one of them is tested where it is installed.
EXTRAS = ("jax", "llvmlite", "ml_dtypes", "onnx", "onnxruntime", "tensorboard")
SOURCES = layers.sources_under(layers.ROOT)
SKIPPED = "  # doctest: +SKIP"
EXAMPLES = {
    name: sum(not line.endswith(SKIPPED) for line in lines)
    for name, source in SOURCES.items()
    if (lines := [each for each in source.splitlines() if each.lstrip().startswith(">>> ")])
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in EXTRAS:
            raise
        pytest.skip(f"{error.name} is not installed")
    result = doctest.testmod(module, optionflags=FLAGS)
    assert not result.failed
    # Some decorators hide a docstring: its examples would be run by nobody.
    assert EXAMPLES[name] == result.attempted

"""The examples in the docstrings of the runtime's values and ops, and of its exports."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import runtime.core
import runtime.export
import runtime.ops

# Rules are looked up by the names of ops, and nobody calls them.
_OF_RULES = ("runtime.export.rules.", "runtime.ops.grad.")
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
MODULES = [
    "runtime.errors",
    "runtime.nest",
    *(
        found.name
        for package in (runtime.core, runtime.ops, runtime.export)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.ispkg and not found.name.startswith(_OF_RULES)
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0


OPS_WITH_EXAMPLES = [
    m
    for m in MODULES
    if m.rsplit(".", 1)[1]
    in (
        "arithmetic",
        "combining",
        "comparison",
        "constant",
        "creation",
        "cumulative",
        "einsum",
        "elementwise",
        "gather",
        "linalg",
        "lists",
        "logic",
        "neural",
        "random",
        "reduction",
        "scatter",
        "selection",
        "shape",
        "sorting",
        "strings",
    )
]


@pytest.mark.parametrize("name", OPS_WITH_EXAMPLES)
def test_every_public_function_has_an_example(name: str) -> None:
    module = importlib.import_module(name)
    public = [
        function
        for word, function in vars(module).items()
        if callable(function)
        and not word.startswith("_")
        and not isinstance(function, type)
        and getattr(function, "__module__", "") == name
    ]
    assert public
    assert [
        f.__name__
        for f in public
        if ">>>" not in (f.__doc__ or "") and not f.__name__.endswith(("_operator", "check_rows"))
    ] == []

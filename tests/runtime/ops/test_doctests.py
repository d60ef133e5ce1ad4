"""The examples in the docstrings of the runtime's values and ops, and of its exports."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import runtime
import runtime.export
import runtime.ops

MODULES = [
    *(
        f"runtime.{noun}"
        for noun in (
            "array_value",
            "context",
            "dtypes",
            "errors",
            "item_list",
            "nest",
            "shapes",
            "spec",
            "tensor",
            "variant",
        )
    ),
    *(f"runtime.ops.{found.name}" for found in pkgutil.iter_modules(runtime.ops.__path__)),
    *(f"runtime.export.{found.name}" for found in pkgutil.iter_modules(runtime.export.__path__)),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
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

"""Misspelled names, modules and keywords are answered with the right ones."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.cli.parser import make_parser
from autograph.errors import CommandError, SignatureError
from runtime.core.lazy_imports import public_name
from runtime.core.name_suggestions import (
    OF_ANY_MODULE,
    OF_OTHERS,
    OF_PYTORCH_AND_JAX,
    OF_TENSORFLOW,
    attribute_suggestion,
    nearest,
)


def test_names_of_other_libraries_name_things_that_exist() -> None:
    for name, instead in OF_OTHERS.items():
        places = (np, np.linalg, np.fft)
        known = name in OF_TENSORFLOW or any(hasattr(place, name) for place in places)
        assert known or name == "row_stack"  # of NumPy before 2.5
        assert not hasattr(rt, name)
        named = eval(instead.partition("(")[0], {"rt": rt, "ag": ag})
        assert isinstance(named, (ModuleType, rt.DType)) or callable(named)
        with pytest.raises(AttributeError) as raised:
            getattr(rt, name)
        assert (
            f"module {public_name('runtime')!r} has no attribute {name!r}; write {instead}"
            == str(raised.value)
        )


def test_names_of_pytorch_and_jax_name_things_that_exist() -> None:
    known = {"rt": rt, "ag": ag, "np": np, "tape": rt.GradientTape(), "x": rt.constant(1)}
    known["dataset"] = rt.data.Dataset.range(3)
    for module, names in ((rt, OF_PYTORCH_AND_JAX), (rt.nn, OF_ANY_MODULE)):
        for name, instead in names.items():
            with pytest.raises(AttributeError, match=f"{name}'; write {re.escape(instead)}$"):
                getattr(module, name)
            if not instead.startswith("@"):
                eval(re.split(r"[(,]", instead)[0], known)
    assert not {*OF_PYTORCH_AND_JAX} & {*OF_OTHERS}


@pytest.mark.parametrize(
    "module, name, suggestion",
    [
        (rt.nn.layers, "Relu", "; did you mean 'ReLU'?"),
        (rt.data, "from_tensor_slices", "; write rt.data.Dataset.from_tensor_slices"),
        (rt.linalg, "inverse", "; write rt.linalg.inv"),
        (ag, "jit", "; write ag.function"),
        (rt.nn, "Conv2d", "; write rt.nn.layers.Conv2D"),
        (rt.nn, "MultiheadAttention", "; write rt.nn.layers.MultiHeadAttention"),
        (
            rt.nn.layers,
            "StringLookup",
            "; words become numbers by rt.lookup.StaticHashTable, in Dataset.map",
        ),
        (rt.nn.layers, "annotation", "; did you mean 'activation'?"),
        (rt, "conact", "; did you mean 'concat'?"),
        (rt, "lineal", "; did you mean 'linalg'?"),
        (rt.nn.layers, "Dence", "; did you mean 'Dense'?"),
        (ag, "functoin", "; did you mean 'function'?"),
        (ag, "constant", "; write rt.constant"),
        (rt, "qqqqqq", ""),
        (rt, "__wrapped__", ""),
        (rt.linalg, "sum", "; write rt.array_api.sum"),
        (rt.linalg, "qqqqqq", ""),
        (rt, "trace", "; write rt.linalg.trace"),
        (rt, "percentile", "; write rt.nn.ops.statistics.percentile"),
        (rt, "to_code", "; write ag.to_code"),
        (rt, "Dense", "; write rt.nn.layers.Dense"),
        (ag, "Dense", "; write rt.nn.layers.Dense"),
        (rt.nn, "Layer", "; write rt.nn.layers.Layer"),
        (rt.math, "isnan", "; write rt.array_api.isnan"),
        (rt.random, "randn", "; write rt.random.normal"),
        (rt.random, "unifrom", "; did you mean 'uniform'?"),
        (rt, "ragged", "; rows of several lengths are a list, or padded by padded_batch"),
        (
            rt.linalg,
            "matrix_power",
            "; write np.linalg.matrix_power, or, in a function, "
            "rt.numpy_function(np.linalg.matrix_power, [x], rt.float32)",
        ),
    ],
)
def test_attributes(module: object, name: str, suggestion: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(module, name)
    assert str(raised.value).endswith(f"has no attribute {name!r}{suggestion}")


@pytest.mark.parametrize(
    "name, known, expected",
    [
        ("adma", ["adamax", "adam", "adagrad"], "adam"),
        ("rnu", ["run", "graph"], "run"),
        ("adamx", ["adam", "adamax"], "adamax"),
        ("zzz", ["adam"], None),
    ],
)
def test_swapped_letters_come_first(name: str, known: list[str], expected: str | None) -> None:
    assert expected == nearest(name, known)


def test_modules() -> None:
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module("runtime.lineal")
    message = "No module named 'runtime.lineal'; did you mean 'runtime.linalg'?"
    assert (message, "runtime.lineal") == (str(raised.value), raised.value.name)
    with pytest.raises(ModuleNotFoundError, match="did you mean 'runtime.nn.layers'"):
        importlib.import_module("runtime.nn.layer")
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module("runtime.qqqqqq")
    assert "No module named 'runtime.qqqqqq'" == str(raised.value)
    assert None is importlib.util.find_spec("runtime.qqqqqq")
    assert None is importlib.util.find_spec("runtimes")


def test_keywords() -> None:
    with pytest.raises(rt.errors.ArgumentValueError, match="activaton; did you mean 'activation'"):
        rt.nn.layers.Dense(3, activaton="relu")
    traced = ag.function(lambda x, axis=0: x)
    with pytest.raises(SignatureError, match="'axes'; did you mean 'axis'"):
        traced(1, axes=0)
    with pytest.raises(SignatureError) as raised:
        traced()
    assert "did you mean" not in str(raised.value)


def test_commands() -> None:
    parser = make_parser("0")
    with pytest.raises(CommandError, match="; did you mean 'explain'"):
        parser.parse_args(["explian", "f.py:f"])
    with pytest.raises(CommandError, match="; did you mean 'run'"):
        parser.parse_args(["rnu", "f.py:f"])
    with pytest.raises(CommandError) as raised:
        parser.parse_args(["qqqqqq"])
    assert "did you mean" not in str(raised.value)


def test_each_function_of_numpy_is_answered() -> None:
    """Functions that only change NumPy's own settings and types do not count."""
    functions = [
        name
        for name in dir(np)
        if not name.startswith("_")
        and callable(getattr(np, name))
        and not isinstance(getattr(np, name), type)
    ]
    assert 300 < len(functions)
    unanswered = []
    for name in functions:
        try:
            getattr(rt, name)
        except AttributeError as error:
            if "; write " not in str(error):
                unanswered.append(name)
    assert [] == unanswered


def test_a_name_that_is_written_instead_is_there() -> None:
    for name in sorted({*dir(np), *dir(np.linalg), *dir(rt.math), *dir(rt.nn.layers)}):
        instead = attribute_suggestion("runtime", name, ())
        if instead.startswith("; write rt.") and "(" not in instead and "[" not in instead:
            eval(instead.removeprefix("; write "), {"rt": rt})

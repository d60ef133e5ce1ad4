"""Misspelled names, modules and keywords are answered with the right ones."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.cli.parser import make_parser
from autograph.errors import CommandError, SignatureError
from runtime.core.lazy_imports import public_name
from runtime.core.name_suggestions import OF_OTHERS, OF_TENSORFLOW, nearest


def test_names_of_other_libraries_name_things_that_exist() -> None:
    for name, instead in OF_OTHERS.items():
        assert name in OF_TENSORFLOW or hasattr(np, name) or hasattr(np.linalg, name)
        assert not hasattr(rt, name)
        named = eval(instead.partition("(")[0], {"rt": rt, "ag": ag})
        assert isinstance(named, ModuleType) or callable(named)
        with pytest.raises(AttributeError) as raised:
            getattr(rt, name)
        assert (
            f"module {public_name('runtime')!r} has no attribute {name!r}; write {instead}"
            == str(raised.value)
        )


@pytest.mark.parametrize(
    "module, name, suggestion",
    [
        (rt, "conact", "; did you mean 'concat'?"),
        (rt, "lineal", "; did you mean 'linalg'?"),
        (rt.nn.layers, "Dence", "; did you mean 'Dense'?"),
        (ag, "functoin", "; did you mean 'function'?"),
        (ag, "constant", "; write rt.constant"),
        (rt, "qqqqqq", ""),
        (rt, "__wrapped__", ""),
        (rt.linalg, "sum", ""),
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

"""Which converter is called, the errors without one, and a process that ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from autograph.errors import ExportError
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.export.tflite import converter, converter_process

CONCRETE = ag.function(lambda x: x + 1).get_concrete_function(rt.TensorSpec((), rt.int32))


def having(*packages: str) -> Any:
    return lambda name: object() if name in packages else None


def test_the_converter_that_is_installed_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    find = "find_spec"
    monkeypatch.setattr(converter.importlib.util, find, having("tensorflow", "litert_converter"))
    assert ["litert", "tensorflow"] == [converter.chosen_converter(x) for x in (None, "tensorflow")]
    monkeypatch.setattr(converter.importlib.util, find, having("tensorflow"))
    assert "tensorflow" == converter.chosen_converter(None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (None, r"litert_converter: pip install 'autograph-py\[tflite\]'"),
        ("litert", r"litert_converter: pip install 'autograph-py\[tflite\]'"),
        ("tensorflow", r"tensorflow: pip install 'autograph-py\[tensorflow\]'"),
    ],
)
def test_the_extra_is_named_without_a_package(
    name: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converter.importlib.util, "find_spec", having())
    with pytest.raises(UnimplementedError, match=words) as caught:
        ag.export(CONCRETE, tmp_path / "f.tflite", "tflite", converter=name)
    assert 1 == len(str(caught.value).splitlines())


def test_an_unknown_converter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ArgumentValueError, match="converter must be 'litert' or 'tensorflow', not 'x'"
    ):
        ag.export(CONCRETE, tmp_path / "f.tflite", "tflite", converter="x")


def test_a_program_without_signatures_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converter.importlib.util, "find_spec", having("litert_converter"))
    with pytest.raises(ExportError, match="there is nothing to export"):
        ag.export(rt.Module(), tmp_path / "f.tflite", "tflite", signatures={})


def test_a_process_that_ends_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converter, "_PROGRAM", "this")
    errors = []

    def refused(answer: Any) -> UnimplementedError:
        errors.append(answer)
        return UnimplementedError("refused")

    monkeypatch.setattr(converter.sys, "executable", "/bin/false")
    with pytest.raises(UnimplementedError, match="refused"):
        converter.converted({"folder": "nothing"}, refused)
    assert "ended without an answer" in errors[0]["error"]


def test_an_error_of_the_converter_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litert_converter", None)
    assert "ModuleNotFoundError" in converter_process.answer({"module": ""})["error"]


def test_ops_are_found_in_the_words_of_an_error() -> None:
    words = """error: loc("7"): failed to legalize operation 'tf.TensorListPushBack' that was
    loc("12"): error: 'tf.Svd' op is neither a custom op nor a flex op"""
    assert [(7, "tf.TensorListPushBack"), (12, "tf.Svd")] == converter_process._ops_of(words)


# -- TensorFlow's names ----------------------------------------------------------------------------


def test_the_converter_takes_concrete_functions() -> None:
    make = tf.lite.TFLiteConverter.from_concrete_functions
    with pytest.raises(ExportError, match="get_concrete_function"):
        make([lambda x: x])
    with pytest.raises(ExportError, match="different names"):
        make([CONCRETE, CONCRETE])


def test_options_of_tensorflow_are_refused() -> None:
    made = tf.lite.TFLiteConverter.from_concrete_functions([CONCRETE])
    with pytest.raises(ExportError, match=r"no optimizations here.*saved_model\.save"):
        made.optimizations = ["DEFAULT"]


def test_the_extra_of_the_interpreter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert", None)
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    with pytest.raises(UnimplementedError, match=r"autograph-py\[tflite\]"):
        tf.lite.Interpreter(model_content=b"")


def test_an_error_of_the_converter_has_the_line_of_its_op() -> None:
    from runtime.export.tflite.converter_process import _ops_of

    fused = 'loc(fused["3", "1"]): error: \'tfl.gather\' op operand #0 must be tensor of floats'
    nameless = '<unknown>:0: error: loc("13"): failed to legalize unresolved materialization'
    assert [(3, "tfl.gather"), (13, "")] == _ops_of(f"{fused}\n{nameless}")

"""Texts with values in their gaps, in GraphDefs and ONNX models: those of eager tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError

INT, BOOL, TEXT, FLOAT = (
    rt.TensorSpec((), each) for each in ("int32", "bool", "string", "float32")
)


def plain(n: Any, flag: Any, s: Any) -> Any:
    name = "x" if n > 0 else "none"
    return f"{n} of {name!s}: {n + 1}, {flag}", rt.strings.join([s, f"<{n}>{name}"])


def with_widths(n: Any, flag: Any, s: Any) -> Any:
    percent = "%03d|%4d|%s" % (n, n, n)  # noqa: UP031
    return f"{n:04d}|{n:5}|{n:>3d}|{n:d}|{percent}{flag!s}"


def of_tensors(n: Any, flag: Any, s: Any) -> Any:
    return f"{n!s} {flag}", str(flag) + "%s" % n  # noqa: UP031


def of_a_float(x: Any) -> Any:
    return f"{x} kg"


def of_a_quoted_text(n: Any) -> Any:
    name = "x" if n > 0 else "'"
    return f"{name!r}"


def traced(function: Any, *specs: Any) -> Any:
    return ag.function(function, input_signature=specs)


@pytest.mark.parametrize("function", [plain, with_widths, of_tensors])
def test_a_saved_model_makes_pythons_texts(function: Any, tmp_path: Path) -> None:
    ag.export(traced(function, INT, BOOL, TEXT), tmp_path)
    served = ag.saved_model.load(tmp_path).signatures["serving_default"]
    for n, flag in ((7, True), (-12, False), (123456, True)):
        found = served(n=rt.constant(n), flag=rt.constant(flag), s=rt.constant("s"))
        expected = function(rt.constant(n), rt.constant(flag), rt.constant("s"))
        expected = expected if isinstance(expected, tuple) else (expected,)
        texts = [each if isinstance(each, str) else each.numpy().decode() for each in expected]
        assert texts == [each.numpy().decode() for each in found.values()]


@pytest.mark.parametrize("function", [plain, of_tensors])
def test_an_onnx_model_makes_pythons_texts(function: Any, tmp_path: Path) -> None:
    ort = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    ag.export(traced(function, INT, BOOL, TEXT), tmp_path / "f.onnx", format="onnx")
    session = ort.InferenceSession(tmp_path / "f.onnx")
    for n, flag in ((7, True), (-12, False)):
        given = {"n": np.int32(n), "flag": np.bool_(flag), "s": np.array("s", object)}
        found = session.run(None, {key: np.asarray(each) for key, each in given.items()})
        expected = function(rt.constant(n), rt.constant(flag), rt.constant("s"))
        texts = [each if isinstance(each, str) else each.numpy().decode() for each in expected]
        assert texts == [each.item() for each in found]
    with pytest.raises(UnimplementedError, match="makes texts as Python does"):
        ag.export(traced(with_widths, INT, BOOL, TEXT), tmp_path / "g.onnx", format="onnx")


@pytest.mark.parametrize(("function", "spec"), [(of_a_float, FLOAT), (of_a_quoted_text, INT)])
def test_other_texts_are_refused(function: Any, spec: Any, tmp_path: Path) -> None:
    with pytest.raises(UnimplementedError, match="makes texts as Python does"):
        ag.export(traced(function, spec), tmp_path)

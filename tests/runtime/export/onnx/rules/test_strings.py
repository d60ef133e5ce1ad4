"""Texts in ONNX models: onnxruntime gives the results of here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

WORDS, WORD = rt.TensorSpec((None,), rt.string), rt.TensorSpec((), rt.string)
NAMES = np.array(["Ann B", "élan", "", "a-b-c", "É1", "12"], object)


def compared(path: Path, function: Any, *arrays: Any) -> Any:
    """Return the report of a model, whose results must be those of the function."""
    given = [rt.constant(each) for each in arrays]
    shapes = [[None] * each.shape.rank for each in given]
    specs = [rt.TensorSpec(shape, x.dtype) for shape, x in zip(shapes, given)]
    concrete = ag.function(function).get_concrete_function(*specs)
    report = ag.export(concrete, path, format="onnx")
    session = ort.InferenceSession(str(path))
    named = {each.name: np.asarray(x) for each, x in zip(session.get_inputs(), arrays)}
    (found,) = session.run(None, named)
    expected = np.asarray(function(*given).numpy())
    if expected.dtype.kind in "SO":
        expected = np.vectorize(bytes.decode, otypes=[object])(expected)
    assert expected.shape == found.shape and expected.dtype == found.dtype
    assert expected.tolist() == found.tolist()
    return report


@pytest.mark.parametrize(
    "function",
    [
        rt.strings.lower,
        rt.strings.upper,
        lambda x: rt.strings.join([x, x], ", "),
        lambda x: rt.strings.regex_full_match(x, r"[a-z]+(-\w)*|\d+"),
        lambda x: rt.strings.reduce_join(x, separator=", "),
        lambda x: rt.strings.reduce_join(rt.stack([x, x[::-1]]), 0),
        lambda x: rt.strings.reduce_join(rt.stack([x, x[::-1]]), [-1], separator="é"),
        lambda x: rt.strings.reduce_join(rt.stack([x, x[::-1]]), 1, keepdims=True),
    ],
)
@pytest.mark.parametrize("words", [NAMES, NAMES[:1], NAMES[:0]], ids=["some", "one", "none"])
def test_functions_of_texts(function: Any, words: Any, tmp_path: Path) -> None:
    assert [] == compared(tmp_path / "f.onnx", function, words).omissions


@pytest.mark.parametrize("text", ["", ",", "a,b,,c", "a", ",a--b,"])
@pytest.mark.parametrize("sep, most", [(",", -1), ("--", -1), (",", 1), (",", 0)])
def test_parts_of_a_text(text: str, sep: str, most: int, tmp_path: Path) -> None:
    compared(tmp_path / "f.onnx", lambda x: rt.strings.split(x, sep, most), np.array(text, object))


@pytest.mark.parametrize(
    "values", [np.array([0, -5, 2**31 - 1], np.int32), np.array([200], np.uint8), [True, False]]
)
def test_texts_of_numbers(values: Any, tmp_path: Path) -> None:
    compared(tmp_path / "f.onnx", rt.strings.as_string, np.asarray(values))


@pytest.mark.parametrize(
    "texts, dtype",
    [
        (["1.5", " 2", "-1e3", "0.1", "16777217", "inf"], rt.float32),
        (["0.1", "3 "], rt.float64),
        (["7", "-2147483648"], rt.int32),
        (["+5"], rt.int64),
    ],
)
def test_numbers_of_texts(texts: Any, dtype: Any, tmp_path: Path) -> None:
    numbers = lambda x: rt.strings.to_number(x, dtype)
    report = compared(tmp_path / "f.onnx", numbers, np.array(texts, object))
    assert ["to_number"] == [each.subject for each in report.omissions]


@pytest.mark.parametrize(
    "function, spec, words",
    [
        (rt.strings.split, WORD, "not at tabs and line ends: give sep"),
        (lambda x: rt.strings.lower(x, "utf-8"), WORDS, "the letters of ASCII alone"),
        (rt.strings.as_string, rt.TensorSpec((), rt.float32), "in another form"),
        (int, WORD, "such as 1_000"),
    ],
)
def test_texts_that_engines_treat_otherwise(
    function: Any, spec: Any, words: str, tmp_path: Path
) -> None:
    concrete = ag.function(lambda x: function(x)).get_concrete_function(spec)
    with pytest.raises(UnimplementedError, match=words):
        ag.export(concrete, tmp_path / "f.onnx", format="onnx")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: rt.gather(x, [2, 0]),
        lambda x: rt.gather(x, [[1], [0]], axis=1),
        lambda x: x[1],
        lambda x: x[::-1, 1],
        lambda x: rt.boolean_mask(x, [True, False, True]),
        lambda x: rt.gather_nd(x, [[2], [0]]),
    ],
)
def test_rows_of_texts(function: Any, tmp_path: Path) -> None:
    texts = np.array([["a", "b"], ["c", "d"], ["e", "é"]], object)
    compared(tmp_path / "f.onnx", function, texts)


def test_texts_in_lists(tmp_path: Path) -> None:
    def reordered(x):
        rows = []
        for row in x:
            rows.insert(0, row)
        return rt.stack(rows)

    texts = np.array([["a", "b"], ["c", "d"], ["e", "é"]], object)
    spec = rt.TensorSpec((None, 2), rt.string)
    concrete = ag.function(reordered).get_concrete_function(spec)
    ag.export(concrete, tmp_path / "f.onnx", format="onnx")
    (found,) = ort.InferenceSession(str(tmp_path / "f.onnx")).run(None, {"x": texts})
    assert texts[::-1].tolist() == found.tolist()

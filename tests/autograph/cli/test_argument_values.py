"""Arguments of the command line: literals, files and tensors."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from autograph.cli.argument_values import arguments_of, protect_negative_numbers, value_of
from autograph.errors import CommandError


@pytest.mark.parametrize(
    "text, expected, dtype",
    [
        ("3", 3, "int32"),
        (" -1e-3", -1e-3, "float32"),
        ("True", True, "bool"),
        ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]], "int32"),
        ("['a', 'b']", [b"a", b"b"], "string"),
        ("3000000000", 3000000000, "int64"),
    ],
)
def test_numbers_and_lists_become_tensors(text, expected, dtype):
    value = value_of(text)
    assert isinstance(value, rt.Tensor) and value.dtype.name == dtype
    assert np.array_equal(value.numpy(), np.asarray(expected, value.dtype.as_numpy_dtype))


@pytest.mark.parametrize("text, expected", [("'text'", "text"), ("None", None), ("b'x'", b"x")])
def test_strings_and_none_stay(text, expected):
    assert value_of(text) == expected


def test_dicts_and_tuples_are_structures():
    value = value_of("{'a': (1, None), 'b': 'word'}")
    assert (int(value["a"][0]), value["a"][1], value["b"]) == (1, None, "word")


@pytest.mark.parametrize(
    "text, shape, dtype",
    [
        ("f32[3,4]", (3, 4), rt.float32),
        ("float32[?, 4]", (None, 4), rt.float32),
        ("bf16[None]", (None,), rt.bfloat16),
        ("i64[]", (), rt.int64),
        ("string[ ]", (), rt.string),
        ("bool[0,]", (0,), rt.bool),
        ("c128[...]", None, rt.complex128),
        ("u16[2]", (2,), rt.uint16),
    ],
)
def test_a_shape_with_a_dtype_is_a_spec(text, shape, dtype):
    assert rt.TensorSpec(shape, dtype) == value_of(text)


def test_shapes_are_parts_of_structures():
    spec = rt.TensorSpec([None], rt.float32)
    value = value_of("{'f32[?]': [f32[?], ('f32[?]', 2)]}")
    assert spec == value["f32[?]"][0]
    assert ("f32[?]", 2) == (value["f32[?]"][1][0], int(value["f32[?]"][1][1]))


@pytest.mark.parametrize("dtype", [*rt.dtypes.ALL, rt.bfloat16], ids=lambda dtype: dtype.name)
def test_numbers_of_every_dtype_are_of_the_stated_range(dtype):
    if dtype is rt.bfloat16:
        pytest.importorskip("ml_dtypes")
    (tensor,), _ = arguments_of([f"{dtype.name}[500]"], lambda x: None)
    assert (dtype, (500,)) == (tensor.dtype, tuple(tensor.shape))
    values = tensor.numpy()
    if dtype is rt.string:
        assert {b""} == set(values)
        return
    parts = [values.real, values.imag] if dtype.kind == "c" else [values]
    for part in parts:
        assert 0 == np.floor(np.float64(part.min()))
        assert {"b": 1, "i": 9, "u": 9}.get(dtype.kind, 1) == np.ceil(np.float64(part.max()))


def test_numbers_of_two_arguments_differ():
    (x, y), kwargs = arguments_of(["f32[3]", "f32[3]", "z=f32[3]"], lambda x, y, z: None)
    assert 3 == len({tuple(each.numpy().tolist()) for each in (x, y, kwargs["z"])})


def test_a_file_keeps_its_dtype(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(3, dtype=np.int64))
    assert value_of(str(tmp_path / "x.npy")).dtype == rt.int64


def test_named_arguments_are_keywords():
    args, kwargs = arguments_of(["1", "k='a=b'", "'c==d'"], lambda x, y, k: x)
    assert (int(args[0]), args[1], kwargs) == (1, "c==d", {"k": "a=b"})


@pytest.mark.parametrize("text", ["oops", "1 +", "f(3)", "[1, [2]]", "nowhere.npy", ""])
def test_malformed_arguments_are_refused(text):
    with pytest.raises(CommandError):
        value_of(text)


def test_negative_numbers_are_not_options():
    assert protect_negative_numbers(["run", "-1e-3", "--trace", "-.5", "x"]) == [
        "run", " -1e-3", "--trace", " -.5", "x",
    ]  # fmt: skip

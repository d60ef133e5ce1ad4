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

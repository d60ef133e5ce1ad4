"""`in` with a tensor on the right: parts of strings, elements of everything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, ShapeError, SymbolicTensorError
from tests.each import for_each


def _in(item: Any, values: Any) -> Any:
    return item in values


def _not_in(item: Any, values: Any) -> Any:
    return item not in values


def _membership_functions() -> list[Any]:
    """Return `in` as Python has it, converted, and in a graph."""
    return [_in, ag.convert(_in), ag.function(_in, reduce_retracing=True)]


CONTAINS_FUNCTIONS = _membership_functions()
WORDS = ["a", "bb", "", "Stockholm"]
TEXTS = ["Stockholm", "", "é - a line\nand another", "a.c", "\udcff"]


@for_each("contains", CONTAINS_FUNCTIONS)
@for_each("text", TEXTS)
@for_each("part", ["holm", "", "é", "line\nand", ".", "Stockholm", "xyz", "\udcff"])
def test_a_scalar_string_is_searched_for_a_substring(contains: Any, text: str, part: str) -> None:
    whole, sought = (each.encode("utf-8", "surrogateescape") for each in (text, part))
    expected = sought in whole
    for item in (sought, rt.constant(sought)):
        assert expected == bool(contains(item, rt.constant(whole)))


@pytest.mark.parametrize("contains", CONTAINS_FUNCTIONS)
def test_a_python_string_may_be_a_substring_of_a_tensor(contains: Any) -> None:
    assert contains("holm", rt.constant("Stockholm")) and not contains(
        "Holm", rt.constant("Stockholm")
    )


@pytest.mark.parametrize("contains", CONTAINS_FUNCTIONS)
@pytest.mark.parametrize("item", [*WORDS, "b", "Stock"])
def test_a_vector_of_strings_is_searched_for_an_element(contains: Any, item: str) -> None:
    for sought in (item, item.encode(), rt.constant(item), rt.constant([item])):
        assert (item in WORDS) == bool(contains(sought, rt.constant(WORDS)))
        assert (item in WORDS) == bool(contains(sought, rt.constant([WORDS, WORDS])))


NUMBERS = [
    (2, [1, 2, 3]),
    (9, [1, 2, 3]),
    (2.0, [1, 2, 3]),
    (2.5, [1, 2, 3]),
    (True, [1, 2]),
    (1, [0.5, 1.0]),
    (3, [[1, 2], [3, 4]]),
    (5, [[1, 2], [3, 4]]),
    (np.float32(0.1), np.float64([0.1])),
    (np.int64(2), np.int32([2])),
    (0, np.zeros([0], np.int32)),
    (float("nan"), [float("nan")]),
    (1 + 0j, [1.0]),
]


@pytest.mark.parametrize("contains", CONTAINS_FUNCTIONS)
@pytest.mark.parametrize(("item", "values"), NUMBERS)
def test_membership_of_numbers_agrees_with_numpy(contains: Any, item: Any, values: Any) -> None:
    expected = item in np.asarray(values)
    assert expected == bool(contains(item, rt.constant(values)))
    assert expected == bool(contains(rt.constant(item), rt.constant(values)))


def test_membership_in_a_variable_uses_its_value() -> None:
    text, words, rows = rt.Variable("Stockholm"), rt.Variable(["a", "bb"]), rt.Variable([[1], [2]])
    for function in (lambda: "holm" in text, lambda: "bb" in words, lambda: 2 in rows):
        assert function() and ag.convert(function)() and ag.function(function)()
    for function in (lambda: "Holm" in text, lambda: "b" in words, lambda: 3 in rows):
        assert not function() and not ag.convert(function)() and not ag.function(function)()


def test_not_in_negates_in() -> None:
    for contains in (_not_in, ag.function(_not_in)):
        assert contains("x", rt.constant("abc")) and not contains("b", rt.constant("abc"))
        assert contains(3, rt.constant([1, 2])) and not contains(2, rt.constant([1, 2]))


def test_other_objects_are_not_in_a_tensor() -> None:
    for item in (None, object(), {}):
        assert item not in rt.constant([1, 2]) and item not in rt.constant(["a"])
        assert not ag.function(lambda x, item=item: item in x)(rt.constant([1, 2]))


REFUSED: list[tuple[Any, Any, type[Exception], str]] = [
    (1, "Stockholm", DTypeError, "a part of the string, not for 1"),
    (None, "Stockholm", DTypeError, "a part of the string, not for None"),
    (2, 2, DTypeError, "write x == value"),
    (2.5, 2.5, DTypeError, "write x == value"),
    ("2", [2], DTypeError, "do not mix"),
    ([1, 2], [[1, 2], [3, 4]], ShapeError, "reduce_all"),
    ([1, 9], [[1, 2], [3, 4]], ShapeError, "reduce_all"),
    (["a", "b"], ["a", "b"], ShapeError, "one element"),
]


@pytest.mark.parametrize("contains", CONTAINS_FUNCTIONS)
@pytest.mark.parametrize(("item", "values", "error", "words"), REFUSED)
def test_ambiguous_membership_is_refused_eagerly_and_in_graphs(
    contains: Any, item: Any, values: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        contains(item, rt.constant(values))


def test_the_remedy_for_a_row_works() -> None:
    x, row = rt.constant([[1, 2], [3, 4]]), rt.constant([3, 4])
    assert rt.reduce_any(rt.reduce_all(x == row, axis=-1))
    assert not rt.reduce_any(rt.reduce_all(x == rt.constant([1, 4]), axis=-1))


def test_a_dynamic_rank_is_checked_by_the_run() -> None:
    spec = rt.TensorSpec(None, rt.int32)
    unknown = ag.function(_in, input_signature=[rt.TensorSpec((), rt.int32), spec])
    assert unknown(rt.constant(2), rt.constant([[1, 2]]))
    with pytest.raises(TypeError, match="write x == value"):
        unknown(rt.constant(2), rt.constant(2))


@pytest.mark.parametrize("part", ["holm", "a.b", "line\n", "(", "x y"])
def test_the_remedy_for_unconverted_code_works(part: str) -> None:
    said: list[str] = []

    @ag.do_not_convert
    def plain(x: Any) -> Any:
        try:
            return part in x
        except SymbolicTensorError as error:
            said.append(str(error).split("use ")[1].split("\n")[0])
            return x

    ag.function(plain)(rt.constant("text"))
    for text in ("Stockholm", "acb", "a.b", "a line\nand", "f(x y", part, ""):
        assert (part in text) == bool(eval(said[0], {"rt": rt, "x": rt.constant(text)}))

"""Exception patterns: preserved fields, filled-in values, and constructors that do not run."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.tensor import Tensor
from runtime.diagnostics.exceptions import ExceptionPattern


def symbolic(weak: bool = False, dtype: Any = rt.int32) -> Any:
    return rt.Graph("g").add_input(rt.TensorSpec((), dtype), "x", weak)


def rebuilt(error: BaseException, *arrays: Any) -> BaseException:
    tensors: list[Tensor] = []
    pattern = ExceptionPattern(error, tensors)
    assert len(arrays) == len(tensors)
    return pattern.make([np.asarray(array) for array in arrays])


def text(value: str) -> Any:
    array = np.empty((), object)
    array[()] = value.encode()
    return array


class Counting(ValueError):
    """Takes other arguments than it passes on, and counts its calls."""

    calls = 0

    def __init__(self, what: str, value: Any) -> None:
        type(self).calls += 1
        super().__init__(what)
        self.value = value


class Slotted(Exception):
    __slots__ = ("code",)


def test_tensors_get_the_values_of_the_run() -> None:
    error = rebuilt(ValueError("bad", [symbolic(), {"k": (symbolic(weak=True),)}]), 3, 4)
    word, (first, rest) = error.args
    assert ("bad", 3, 4) == (word, int(first), rest["k"][0])
    assert isinstance(first, rt.Tensor)
    assert type(rest["k"][0]) is int


def test_text_is_a_python_string() -> None:
    error = rebuilt(ValueError(symbolic(dtype=rt.string)), text("bäd"))
    assert ("bäd",) == error.args


def test_the_class_is_not_called_again() -> None:
    before = Counting("low", symbolic())
    calls = Counting.calls
    error = rebuilt(before, 7)
    assert isinstance(error, Counting)
    assert ("low",) == error.args
    assert 7 == int(error.value)
    assert calls == Counting.calls


def test_every_exception_is_a_new_one() -> None:
    original = KeyError("k")
    pattern = ExceptionPattern(original, [])
    first, second = pattern.make([]), pattern.make([])
    assert original is not first is not second
    assert KeyError is type(first)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (SystemExit(3), "code"),
        (StopIteration(3), "value"),
        (OSError(2, "no such file", "a.txt"), "filename"),
        (UnicodeDecodeError("ascii", b"\xff", 0, 1, "ordinal"), "reason"),
        (ImportError("no", name="m"), "name"),
    ],
)
def test_fields_of_builtin_classes_are_kept(error: BaseException, name: str) -> None:
    again = rebuilt(error)
    assert type(error) is type(again)
    assert getattr(error, name) == getattr(again, name)
    assert str(error) == str(again)


def test_slots_are_kept() -> None:
    error = Slotted("a")
    error.code = symbolic()
    again: Any = rebuilt(error, 5)
    assert 5 == int(again.code)


def test_causes_and_contexts_are_filled_too() -> None:
    try:
        try:
            raise KeyError(symbolic(weak=True))
        except KeyError as inner:
            raise ValueError("outer") from inner
    except ValueError as error:
        again = rebuilt(error, 8)
    assert (8,) == again.__cause__.args  # type: ignore[union-attr]
    assert again.__cause__ is again.__context__
    assert again.__suppress_context__


def test_a_cycle_of_exceptions_is_preserved() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    again = rebuilt(first)
    assert again.__cause__.__cause__ is again  # type: ignore[union-attr]


def test_lists_are_new_each_time() -> None:
    pattern = ExceptionPattern(ValueError([1, 2]), [])
    first, second = pattern.make([]).args, pattern.make([]).args
    assert [[1, 2], [1, 2]] == [*first, *second]
    assert first[0] is not second[0]


def test_the_members_of_a_group_are_filled() -> None:
    group: Any = getattr(builtins, "ExceptionGroup", None)  # since Python 3.11
    members = [ValueError(symbolic(weak=True)), KeyError(symbolic(weak=True))]
    if group is None:
        again = [rebuilt(each, 4).args for each in members]
    else:
        again = [each.args for each in rebuilt(group("g", members), 4, 4).exceptions]  # type: ignore[attr-defined]
    assert [(4,), (4,)] == again

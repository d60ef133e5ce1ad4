"""Optional elements."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.data import Dataset, Optional
from runtime.errors import ArgumentValueError


def test_get_next_as_optional_is_empty_at_the_end() -> None:
    iterator = iter(Dataset.range(1).map(lambda n: (n, None)))
    first, second = iterator.get_next_as_optional(), iterator.get_next_as_optional()
    assert bool(first.has_value()) and (0, None) == (int(first.get_value()[0]), None)
    assert not second.has_value()
    assert iterator.element_spec == second.element_spec
    with pytest.raises(ArgumentValueError, match=r"call has_value\(\) first"):
        second.get_value()


def test_a_staged_loop_runs_while_has_value() -> None:
    @ag.function
    def total(iterator: Any) -> Any:
        found = rt.constant(0, rt.int64)
        item = iterator.get_next_as_optional()
        while item.has_value():
            found += item.get_value()
            item = iterator.get_next_as_optional()
        return found

    assert 10 == int(total(iter(Dataset.range(5))))


def test_an_optional_is_created_from_a_value_or_a_spec() -> None:
    some = Optional.from_value({"x": [1, 2]})
    assert [1, 2] == some.get_value()["x"].numpy().tolist()
    assert {"x": rt.TensorSpec((2,), rt.int32)} == some.element_spec
    assert not Optional.empty(rt.TensorSpec(())).has_value()

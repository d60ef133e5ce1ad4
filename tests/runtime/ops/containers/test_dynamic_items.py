"""Lists with dynamic items, as tensors."""

from __future__ import annotations

import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError
from runtime.ops.containers import lists
from runtime.ops.containers.dynamic_items import concatenated_items, holds_dynamic_items, stacked


class Run:
    """Stands for items that are in a runtime list."""

    def __init__(self, *rows):
        self.handle = lists.list_new()
        for row in rows:
            self.handle = lists.list_append(self.handle, rt.constant(row))
        self.spec = rt.TensorSpec(rt.constant(rows[0]).shape, rt.int32)

    def __rt_items__(self):
        return self.handle, self.spec


def test_holds_dynamic_items_recognises_lists():
    assert [True, False, False] == [holds_dynamic_items(v) for v in ([1, Run(2)], [1, 2], Run(1))]


def test_items_around_dynamic_items_are_stacked():
    assert [1, 2, 3, 4] == stacked([1, Run(2, 3), 4], rt.convert_to_tensor).numpy().tolist()


def test_rows_are_joined_one_after_the_other():
    values = [Run([1, 2], [3, 4]), [5, 6]]
    assert [1, 2, 3, 4, 5, 6] == concatenated_items(values, rt.convert_to_tensor).numpy().tolist()


def test_stacking_along_another_axis_names_a_remedy():
    with pytest.raises(InvalidArgumentError, match="rt.transpose"):
        stacked([Run(1)], rt.convert_to_tensor, axis=1)

"""Declared attributes of ops, and the values they accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from runtime.core.dtypes import int32
from runtime.errors import GraphError
from runtime.ops.arrays.index import ELLIPSIS, HashableSlice, Index, Input
from runtime.ops.attributes import (
    attributes_of,
    check_attributes,
    check_count,
    holds,
    takes_regions,
)
from runtime.ops.op import REGISTRY
from tests.each import for_each
from tests.laws.op_samples import SAMPLES, Sample

TABLE: Mapping[str, int] = {"one": 1}

HELD = (
    (int, 1),
    (float, 1),
    (float, 0.5),
    (bool, True),
    (str, "x"),
    (int | None, None),
    (tuple[int, ...], ()),
    (tuple[int, ...], (1, 2)),
    (tuple[int, str], (1, "x")),
    (tuple[tuple[int, int], ...] | None, ((1, 2),)),
    (list[int], [1]),
    (Literal["left", "right"], "left"),
    (Annotated[str, TABLE], "one"),
    (type[ValueError], UnicodeError),
    (Index, Index((1, HashableSlice(None, 2), ELLIPSIS, Input(0)))),
    (type(int32), int32),
)
NOT_HELD = (
    (int, True),
    (int, 1.0),
    (int, np.int64(1)),
    (float, True),
    (bool, 1),
    (str, b"x"),
    (tuple[int, ...], [1]),
    (tuple[int, ...], (1, True)),
    (tuple[int, str], (1,)),
    (list[int], (1,)),
    (Literal["left"], "right"),
    (Literal[1], True),
    (Annotated[str, TABLE], "two"),
    (type[ValueError], KeyError),
    (type[ValueError], ValueError()),
    (Index, Index([1])),  # type: ignore[arg-type]
    (Index, Index((1.5,))),  # type: ignore[arg-type]
    (HashableSlice, HashableSlice("x")),  # type: ignore[arg-type]
    (Any, 1),
    (object, 1),
    (None, 1),
)


@pytest.mark.parametrize("kind, value", HELD, ids=str)
def test_values_of_a_kind(kind: Any, value: Any) -> None:
    assert holds(kind, value)


@pytest.mark.parametrize("kind, value", NOT_HELD, ids=str)
def test_values_of_other_kinds(kind: Any, value: Any) -> None:
    assert not holds(kind, value)


# A dataset and a function of Python's are in no file, and what they hold has no form there.
_LIVE = frozenset(("dataset", "extract", "function", "writer", "rule", "what"))


@for_each("sample", SAMPLES, ids=str)
def test_samples_are_as_their_ops_declare(sample: Sample) -> None:
    op = REGISTRY[sample.op]
    if _LIVE & sample.attrs.keys():
        return
    check_attributes(op, sample.attrs)
    check_count(op, len(sample.inputs), sample.attrs)


def test_an_attribute_may_have_a_default() -> None:
    required = {name: each.required for name, each in attributes_of(REGISTRY["as_string"]).items()}
    assert required["precision"] and not required["width"]


@pytest.mark.parametrize(
    "op, count", [("sqrt", 0), ("sqrt", 2), ("add", 1), ("add", 3), ("where", 2), ("argmax", 2)]
)
def test_ops_take_so_many_operands(op: str, count: int) -> None:
    name = op if op in REGISTRY else "select"
    with pytest.raises(GraphError, match="operands, not"):
        check_count(REGISTRY[name], count, {})


@pytest.mark.parametrize("at", [-1, 1, 5])
def test_an_index_refers_to_existing_operands(at: int) -> None:
    with pytest.raises(GraphError, match="numbers for its index"):
        check_count(REGISTRY["strided_slice"], 2, {"index": Index((HashableSlice(0, Input(at)),))})


def test_ops_with_regions_are_known() -> None:
    owning = {op.name for op in REGISTRY.values() if takes_regions(op)}
    assert {"cond", "while_loop", "switch_case", "try_except", "recursion", "note_state"} == owning

"""Index values: text, hash, and result shapes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.core.shapes import TensorShape
from runtime.errors import InvalidArgumentError
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, WHOLE, HashableSlice, Index, Input


def test_text_and_equality() -> None:
    index = Index(
        (1, HashableSlice(None, 2), ELLIPSIS, NEWAXIS, HashableSlice(Input(0), None, -1), WHOLE)
    )
    assert repr(index) == "[1, :2, ..., newaxis, $0::-1, :]"
    assert index == Index(index.items) and hash(index) == hash(Index(index.items))


@given(
    st.integers(0, 6),
    st.none() | st.integers(-8, 8),
    st.none() | st.integers(-8, 8),
    st.none() | st.integers(-3, 3).filter(bool),
)
def test_the_length_of_a_span_agrees_with_python(
    size: int, start: int, stop: int, step: int
) -> None:
    assert HashableSlice(start, stop, step).length(size) == len(range(size)[start:stop:step])


def test_unknown_index_lengths_and_shapes() -> None:
    assert HashableSlice(Input(0)).length(5) is None and WHOLE.length(None) is None
    assert Index((0, HashableSlice(1))).result_shape(TensorShape([None, None, 3])) == (None, 3)
    assert Index((0,)).result_shape(TensorShape(None)).rank is None
    with pytest.raises(InvalidArgumentError, match="cannot be 0"):
        HashableSlice(step=0).length(5)


def test_result_shapes_of_index_arrays() -> None:
    index = Index((Input(1), HashableSlice(Input(0), None)))
    scalar, vector = np.array(2), np.array([0, 1])
    assert index.numpy([scalar, scalar]) == (2, slice(2, None, None))
    assert index.numpy([scalar, vector])[0] is vector

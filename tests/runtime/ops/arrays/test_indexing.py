"""`x[...]` against NumPy, by hand and by chance; `slice`, `strided_slice`, `set_item`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
part = st.one_of(st.none(), st.integers(-5, 5))
step = st.one_of(st.none(), st.integers(-3, 3).filter(bool))
spans = st.builds(slice, part, part, step)


def item(size: int) -> st.SearchStrategy[Any]:
    return st.one_of(st.integers(-size, size - 1), spans, st.just(Ellipsis), st.none())


@given(st.tuples(item(2), item(3), item(4)).filter(lambda key: key.count(Ellipsis) <= 1))
def test_basic_indices_agree_with_numpy(key: tuple[Any, ...]) -> None:
    try:
        expected = CUBE[key]
    except IndexError:
        with pytest.raises(InvalidArgumentError):
            rt.constant(CUBE)[key]
        return
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((2, 3, 4), rt.int32), "x")
    np.testing.assert_array_equal(rt.constant(CUBE)[key].numpy(), expected)
    with graph.recording():
        assert x[key].shape == expected.shape


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(None, None, -1),
        (0, 1, 2),
        (Ellipsis, 0),
        (None, 1),
        np.int64(1),
        rt.constant(1),
        (slice(rt.constant(1), None), rt.constant(2)),
    ],
)
def test_single_keys(key: Any) -> None:
    plain = eval(repr(key), {"np": np}) if not isinstance(key, (tuple, rt.Tensor)) else None
    if isinstance(key, rt.Tensor):
        plain = int(key)
    elif isinstance(key, tuple):
        plain = (slice(1, None), 2) if isinstance(key[-1], rt.Tensor) else key
    np.testing.assert_array_equal(rt.constant(CUBE)[key].numpy(), CUBE[plain])


def test_out_of_bounds() -> None:
    with pytest.raises(InvalidArgumentError, match="slice index 5 of dimension 0 out of bounds"):
        rt.constant([1, 2])[5]
    with pytest.raises(ShapeError, match=r"too many indices for shape \(2,\)"):
        rt.constant([1, 2])[0, 0]
    with pytest.raises(InvalidArgumentError, match="at most one"):
        rt.constant(CUBE)[..., ...]
    with pytest.raises(DTypeError, match="an index must be ints"):
        rt.constant([1])["a"]
    with pytest.raises(DTypeError, match="an index must be ints"):
        rt.constant([1])[True]


@pytest.mark.parametrize("indices", [[0, 1, 1], [[1], [0]], [-1]])
def test_tensors_of_indices(indices: Any) -> None:
    x = rt.constant(CUBE)
    np.testing.assert_array_equal(x[rt.constant(indices)].numpy(), CUBE[np.array(indices)])
    np.testing.assert_array_equal(x[:, indices].numpy(), CUBE[:, np.array(indices)])
    np.testing.assert_array_equal(x[..., indices].numpy(), CUBE[..., np.array(indices)])
    np.testing.assert_array_equal(x[::-1, indices, 1:].numpy(), CUBE[::-1, np.array(indices), 1:])
    rows = np.array(indices)
    np.testing.assert_array_equal(x[indices, :, indices].numpy(), CUBE[rows, :, rows])


def test_boolean_masks() -> None:
    x = rt.constant(CUBE)
    np.testing.assert_array_equal(x[x > 5].numpy(), CUBE[CUBE > 5])
    mask = np.array([True, False, True])
    np.testing.assert_array_equal(x[:, mask].numpy(), CUBE[:, mask])
    np.testing.assert_array_equal(x[0, mask].numpy(), CUBE[0, mask])
    wide = CUBE[0] % 2 == 0
    np.testing.assert_array_equal(x[..., wide].numpy(), CUBE[..., wide])


def test_symbolic_indices_are_recorded() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((None, 3)), "x")
    i = graph.add_input(rt.TensorSpec((), rt.int32), "i")
    many = graph.add_input(rt.TensorSpec((None,), rt.int32), "many")
    with graph.recording():
        assert x[i].shape == (3,) and x[i:].shape == (None, 3) and x[0, i].shape == ()
        assert x[many].shape == (None, 3) and x[:, many].shape == (None, None)
        assert x[x[:, 0] > 0].shape == (None, 3) and x[:, 1:].shape == (None, 2)


def test_slices_by_begin_and_size() -> None:
    np.testing.assert_array_equal(rt.slice(CUBE, [0, 1, 0], [1, 2, -1]).numpy(), CUBE[:1, 1:3])
    i = rt.constant(1)
    assert rt.slice([1, 2, 3], [i], [2]).numpy().tolist() == [2, 3]
    with pytest.raises(InvalidArgumentError, match=r"Expected begin\[0\] in \[0, 3\], but got 4"):
        rt.slice([1, 2, 3], [4], [1])
    with pytest.raises(InvalidArgumentError, match=r"Expected size\[0\] in \[0, 2\], but got 3"):
        rt.slice([1, 2, 3], [1], [3])


def test_strided_slices_and_their_masks() -> None:
    x = rt.constant(CUBE)
    np.testing.assert_array_equal(
        rt.strided_slice(x, [0, 0], [2, 3], [1, 2]).numpy(), CUBE[:2, :3:2]
    )
    masked = rt.strided_slice(x, [1, 1, 0], [2, 2, 1], begin_mask=1, end_mask=2, shrink_axis_mask=4)
    np.testing.assert_array_equal(masked.numpy(), CUBE[:2, 1:, 0])
    odd = rt.strided_slice(x, [0, 0, 1], [0, 0, 2], ellipsis_mask=1, new_axis_mask=2)
    np.testing.assert_array_equal(odd.numpy(), CUBE[..., None, 1:2])
    assert rt.strided_slice([1, 2, 3], rt.constant([1]), rt.constant([3])).numpy().tolist() == [
        2,
        3,
    ]


@pytest.mark.parametrize(
    "index, value",
    [
        (0, 5),
        ((1, 2), [1, 2, 3, 4]),
        (slice(None, None, 2), 0),
        ((Ellipsis, -1), 7),
        (np.array([0, 1]), 9),
        (CUBE > 10, 0),
        ((slice(None), np.array([0, 2])), 1),
    ],
)
def test_set_item_as_numpy_assigns(index: Any, value: Any) -> None:
    expected = CUBE.copy()
    expected[index] = value
    original = rt.constant(CUBE)
    np.testing.assert_array_equal(rt.set_item(original, index, value).numpy(), expected)
    np.testing.assert_array_equal(original.numpy(), CUBE)


def test_set_item_checks_dtype_and_shape() -> None:
    with pytest.raises(DTypeError, match="set_item: int32 tensor and Python float 1.5"):
        rt.set_item(rt.constant([1, 2]), 0, 1.5)
    with pytest.raises(ShapeError, match=r"a value of shape \(3,\) does not fit a place of \(2,\)"):
        rt.set_item(rt.constant([1, 2]), slice(None), [1, 2, 3])
    with pytest.raises(InvalidArgumentError, match="out of bounds"):
        rt.set_item(rt.constant([1, 2]), 5, 1)


def test_set_item_with_a_symbolic_index() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((3,)), "x")
    i = graph.add_input(rt.TensorSpec((), rt.int32), "i")
    with graph.recording():
        changed = rt.set_item(x, i, 1)
    assert changed.shape == (3,) and changed.node.attrs["index"].items[0].position == 0


def test_an_empty_index_list_selects_nothing() -> None:
    found = rt.constant([[1, 2], [3, 4]])[[]]
    assert (0, 2) == found.shape and rt.int32 is found.dtype


def test_a_value_of_more_dimensions_than_its_place_is_refused_eagerly_as_in_a_graph() -> None:
    x, graph = rt.constant([1, 2, 3]), rt.Graph("f")
    for index, value in ((0, [7]), (slice(0, 2), [[7, 8]])):
        with pytest.raises(rt.errors.ShapeError, match="set_item: a value of shape"):
            rt.set_item(x, index, value)
        with graph.recording(), pytest.raises(rt.errors.ShapeError, match="a value of shape"):
            rt.set_item(x, index, value)

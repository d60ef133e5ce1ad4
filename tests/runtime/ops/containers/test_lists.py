"""Runtime lists agree with Python's: every operation, old handles, errors, copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.executors import run
from runtime.graph.verify import verify
from runtime.ops.containers import lists
from runtime.ops.containers.list_tensors import rows_of
from runtime.ops.containers.lists import list_items

INT = rt.TensorSpec((), rt.int32)
SPECS = (INT,)


def values(handle: rt.Tensor) -> list[Any]:
    """The items of a list with one leaf each, as Python values."""
    return [leaf.tolist() for (leaf,) in list_items(handle)]


small = st.integers(-6, 6)
bound = st.none() | small
some = st.lists(small, max_size=5)

# Each operation twice: what Python's list does to itself, and the same of the runtime's.
Change = tuple[Callable[[list[int]], object], Callable[[rt.Tensor], Any]]


def _assign(target: list[int], key: Any, value: Any) -> None:
    target[key] = value


def _remove(target: list[int], key: Any) -> None:
    del target[key]


def _pop(handle: rt.Tensor, index: int | None) -> tuple[Any, Any]:
    rest, item = lists.list_pop(handle, index, SPECS)
    return rest, item.numpy().item()


CHANGES: dict[str, st.SearchStrategy[Change]] = {
    "append": small.map(lambda v: (lambda p: p.append(v), lambda h: lists.list_append(h, v))),
    "extend": some.map(
        lambda m: (lambda p: p.extend(m), lambda h: lists.list_extend(h, lists.list_of(*m)))
    ),
    "get": small.map(
        lambda k: (lambda p: p[k], lambda h: (h, lists.list_get(h, k, SPECS)[0].numpy().item()))
    ),
    "set": st.tuples(small, small).map(
        lambda kv: (lambda p: _assign(p, *kv), lambda h: lists.list_set(h, *kv))
    ),
    "pop": bound.map(
        lambda k: (lambda p: p.pop() if k is None else p.pop(k), lambda h: _pop(h, k))
    ),
    "insert": st.tuples(small, small).map(
        lambda kv: (lambda p: p.insert(*kv), lambda h: lists.list_insert(h, *kv))
    ),
    "slice": st.tuples(bound, bound, bound).map(
        lambda s: (
            lambda p: _assign(p, slice(None), p[slice(*s)]),
            lambda h: lists.list_slice(h, *s),
        )
    ),
    "set_slice": st.tuples(bound, bound, st.none() | st.sampled_from([1, 2, -1]), some).map(
        lambda s: (
            lambda p: _assign(p, slice(*s[:3]), s[3]),
            lambda h: lists.list_set_slice(h, s[0], s[1], lists.list_of(*s[3]), s[2]),
        )
    ),
    "delete": small.map(lambda k: (lambda p: _remove(p, k), lambda h: lists.list_delete(h, k))),
    "delete_slice": st.tuples(bound, bound, bound).map(
        lambda s: (lambda p: _remove(p, slice(*s)), lambda h: lists.list_delete_slice(h, *s))
    ),
    "reverse": st.just((lambda p: p.reverse(), lists.list_reverse)),
    "repeat": st.integers(-1, 2).map(
        lambda n: (lambda p: _assign(p, slice(None), p * n), lambda h: lists.list_repeat(h, n))
    ),
}


@given(some, st.lists(st.one_of(*CHANGES.values()), max_size=8))
def test_random_list_operations_agree_with_python(start: list[int], changes: list[Change]) -> None:
    python, handle = list(start), lists.list_of(*start)
    history = [(handle, list(python))]
    for in_python, in_runtime in changes:
        expected: Any = _outcome(lambda: in_python(python))
        found: Any = _outcome(lambda: in_runtime(history[-1][0]))
        if isinstance(expected, str):
            assert expected == found
            continue
        handle, item = found if isinstance(found, tuple) else (found, None)
        assert expected == item
        history.append((handle, list(python)))
    assert [values(handle) for handle, _ in history] == [python for _, python in history]
    assert lists.list_length(handle).numpy() == len(python)


def _outcome(action: Callable[[], Any]) -> Any:
    """Return the result of an action; of an error its type and words."""
    try:
        return action()
    except (IndexError, ValueError) as error:
        assert type(error) in (IndexError, ValueError)
        return f"{type(error).__name__}: {error}"


@given(some, st.data())
def test_every_handle_can_be_continued_from(start: list[int], data: st.DataObject) -> None:
    known = [(lists.list_of(*start), list(start))]
    for _ in range(data.draw(st.integers(0, 12))):
        handle, python = data.draw(st.sampled_from(known))
        value = data.draw(small)
        if python and data.draw(st.booleans()):
            known.append((lists.list_pop(handle, None, SPECS)[0], python[:-1]))
        elif data.draw(st.booleans()):
            known.append((lists.list_extend(handle, handle), python + python))
        else:
            known.append((lists.list_append(handle, value), [*python, value]))
    assert [values(handle) for handle, _ in known] == [python for _, python in known]


def test_a_loop_of_appends_copies_nothing() -> None:
    handle = lists.list_new()
    chunks = handle.numpy()._chunks
    for number in range(1000):
        handle = lists.list_append(handle, number)
        assert handle.numpy()._chunks is chunks
    firsts = list(map(id, chunks))
    longer = lists.list_extend(handle, handle)
    assert longer.numpy()._chunks is chunks and firsts == [*map(id, chunks)][: len(firsts)]
    assert lists.list_append(handle, 7).numpy()._chunks is not chunks
    assert [*range(1000), *range(1000)] == values(longer)


def test_an_assignment_copies_one_chunk() -> None:
    handle = lists.list_of(*range(1000))
    changed = lists.list_set(handle, 500, -1)
    before, after = handle.numpy()._chunks, changed.numpy()._chunks
    assert [old is new for old, new in zip(before, after, strict=True)].count(False) == 1
    assert 500 == values(handle)[500] and -1 == values(changed)[500]


def test_items_differ_in_shape_and_have_several_leaves() -> None:
    handle = lists.list_of([1, 2], "a", 3, "b", width=2)
    handle = lists.list_append(handle, [[4]], "c")
    assert "[([1, 2], b'a'), (3, b'b'), ([[4]], b'c')]" == str(handle.numpy())
    specs = (rt.TensorSpec(None, rt.int32), rt.TensorSpec((), rt.string))
    first, letter = lists.list_get(handle, 0, specs)
    assert ([1, 2], b"a") == (first.numpy().tolist(), letter.numpy())
    rest, last, letter = lists.list_pop(handle, None, specs)
    assert ([[4]], b"c") == (last.numpy().tolist(), letter.numpy())
    assert 2 == lists.list_length(rest).numpy()


def test_lists_of_lists() -> None:
    inner = lists.list_of(1, 2)
    outer = lists.list_append(lists.list_of(inner), lists.list_append(inner, 3))
    assert "[[1, 2], [1, 2, 3]]" == str(outer.numpy())
    (found,) = lists.list_get(outer, 0, (rt.TensorSpec((), rt.variant),))
    assert [1, 2] == values(lists.list_append(found, 9))[:2] == values(found)


def test_taking_items_by_their_positions() -> None:
    handle = lists.list_of(5, 6, 7)
    assert [7, 5, 5] == values(lists.list_take(handle, [2, 0, -3]))
    assert [] == values(lists.list_take(handle, []))
    with pytest.raises(IndexError, match="^list index out of range$"):
        lists.list_take(handle, [3])


# -- tensors ---------------------------------------------------------------------------------------


def test_stacking_and_joining() -> None:
    handle = lists.list_of([1, 2], 0.5, [3, 4], 1.5, width=2)
    pair = rt.TensorSpec((2,), rt.int32)
    assert [[1, 2], [3, 4]] == lists.list_stack(handle, 0, pair).numpy().tolist()
    assert [1, 2, 3, 4] == lists.list_concat(handle, 0, pair).numpy().tolist()
    assert [0.5, 1.5] == lists.list_stack(handle, 1, rt.TensorSpec(())).numpy().tolist()


def test_stacking_different_shapes_names_both() -> None:
    handle = lists.list_of([1, 2], [3, 4], [5])
    loose = rt.TensorSpec((None,), rt.int32)
    message = r"^item 0 has shape \(2,\) and item 2 has shape \(1,\): they cannot be stacked$"
    with pytest.raises(InvalidArgumentError, match=message):
        lists.list_stack(handle, 0, loose)
    assert [1, 2, 3, 4, 5] == lists.list_concat(handle, 0, loose).numpy().tolist()
    with pytest.raises(
        InvalidArgumentError, match="item 1 has shape .1, 1.: they cannot be joined"
    ):
        lists.list_concat(lists.list_of([1], [[1]]), 0, rt.TensorSpec(None, rt.int32))
    with pytest.raises(InvalidArgumentError, match="item 0 is a scalar"):
        lists.list_concat(lists.list_of(1), 0, rt.TensorSpec(None, rt.int32))


@pytest.mark.parametrize(
    ("shape", "stacked", "joined"),
    [((), (0,), None), ((None, 3), (0, 0, 3), (0, 3)), ((4,), (0, 4), (0,)), (None, (0,), (0,))],
)
def test_an_empty_list_has_the_shape_of_its_spec(shape: Any, stacked: Any, joined: Any) -> None:
    spec = rt.TensorSpec(shape, rt.int64)
    result = lists.list_stack(lists.list_new(), 0, spec).numpy()
    assert (stacked, np.int64) == (result.shape, result.dtype)
    if joined is not None:
        assert joined == lists.list_concat(lists.list_new(), 0, spec).numpy().shape


@given(st.lists(some, max_size=4))
def test_rows_and_parts_of_tensors(parts: list[list[int]]) -> None:
    flat = rt.constant([value for part in parts for value in part], rt.int32)
    handle = lists.list_from_parts(flat, rt.constant([*map(len, parts)], rt.int32))
    assert parts == values(handle)
    assert flat.numpy().tolist() == values(lists.list_from_rows(flat))
    doubled = lists.list_from_rows(flat, flat * 2)
    assert [(v, 2 * v) for v in flat.numpy()] == [(a, b) for a, b in list_items(doubled)]


def test_lengths_that_do_not_fit() -> None:
    for lengths in ([1, 1], [4], [4, -1]):
        with pytest.raises(InvalidArgumentError, match="do not divide a tensor of 3 rows"):
            lists.list_from_parts([1, 2, 3], lengths)
    with pytest.raises(ShapeError):
        lists.list_from_rows(1)
    with pytest.raises(InvalidArgumentError):
        lists.list_from_rows([1, 2], [1])


# -- errors ----------------------------------------------------------------------------------------


def test_invalid_indices_and_lists_are_refused() -> None:
    handle = lists.list_of(1, 2)
    with pytest.raises(DTypeError, match="list indices must be integers or slices, not float32"):
        lists.list_get(handle, 0.5, SPECS)
    with pytest.raises(ShapeError, match="a list index is a scalar"):
        lists.list_delete(handle, [0, 1])
    with pytest.raises(DTypeError, match="bounds of a slice must be integers or None"):
        lists.list_slice(handle, rt.constant(0.5))
    with pytest.raises(DTypeError, match="list_length works on variant tensors, not on int32"):
        lists.list_length(3)
    with pytest.raises(InvalidArgumentError, match="a list was expected, not 0"):
        lists.list_length(rt.zeros((), rt.variant))
    with pytest.raises(InvalidArgumentError, match="3 tensors cannot be split into items of 2"):
        lists.list_of(1, 2, 3, width=2)


def test_an_item_that_does_not_match_its_spec_is_refused() -> None:
    handle = lists.list_of([1, 2])
    for specs, message in (
        ((rt.TensorSpec((2,), rt.float32),), r"is int32 of shape \(2,\), where float32 of shape"),
        (
            (rt.TensorSpec((3,), rt.int32),),
            r"is int32 of shape \(2,\), where int32 of shape \(3,\)",
        ),
        ((INT, INT), "an item must have 2 tensors, not 1"),
    ):
        with pytest.raises(InvalidArgumentError, match=message):
            lists.list_get(handle, 0, specs)
        with pytest.raises(InvalidArgumentError, match=message):
            lists.list_pop(handle, None, specs)


# -- graphs ----------------------------------------------------------------------------------------


def _squares(count: Any) -> tuple[Any, Any]:
    def body(i: Any, handle: Any) -> tuple[Any, Any]:
        return i + 1, lists.list_append(handle, i * i)

    start = (rt.constant(0), lists.list_new())
    _, handle = rt.while_loop(lambda i, handle: i < count, body, start)
    return lists.list_stack(handle, 0, INT), lists.list_get(handle, 2, SPECS)[0]


@pytest.fixture
def squares() -> rt.Graph:
    graph = rt.Graph("squares")
    count = graph.add_input(INT, "count")
    with graph.recording():
        results = _squares(count)
    graph.set_outputs(results)
    return graph


def test_a_list_is_a_loop_variable(squares: rt.Graph) -> None:
    verify(squares)
    stacked, third = run(squares, [np.array(5, np.int32)])
    assert [0, 1, 4, 9, 16] == stacked.tolist() == _squares(rt.constant(5))[0].numpy().tolist()
    assert 4 == third.item()


def test_pythons_errors_carry_the_users_line(squares: rt.Graph) -> None:
    with pytest.raises(IndexError) as raised:
        run(squares, [np.array(2, np.int32)])
    assert type(raised.value) is IndexError and "list index out of range" == str(raised.value)
    assert "test_lists.py" in raised.value.__notes__[0] and "_squares" in raised.value.__notes__[0]


def test_the_text_of_a_graph_shows_lists(squares: rt.Graph) -> None:
    text = squares.as_text()
    assert "%list_of = list_of() {width=1} : variant" in text
    assert "list_get(%while_loop:1, %constant_1) {specs=(int32,)} : int32" in text


def test_a_branch_returns_a_list_and_unused_ops_do_not_run() -> None:
    graph = rt.Graph("branches")
    flag = graph.add_input(rt.TensorSpec((), rt.bool), "flag")
    with graph.recording():
        start = lists.list_of(1)
        lists.list_take(start, rt.constant([9]))
        chosen = rt.cond(flag, lambda: lists.list_append(start, 2), lambda: start)
    graph.set_outputs([chosen])
    verify(graph)
    found = [list_items(run(graph, [np.array(value)])[0]) for value in (True, False)]
    assert [[1, 2], [1]] == [[item[0].item() for item in items] for items in found]


def test_slices_with_dynamic_bounds() -> None:
    graph = rt.Graph("slices")
    start, step = graph.add_input(INT, "start"), graph.add_input(INT, "step")
    with graph.recording():
        handle = lists.list_of(1, 2, 3, 4)
        cut = lists.list_slice(handle, start, rt.constant(-1))
        patched = lists.list_set_slice(handle, None, start, lists.list_new())
        every = lists.list_slice(handle, start, None, step)
    graph.set_outputs([cut, patched, every])
    assert "list_slice(%list_of, %start) {span=$0:-1} : variant" in graph.as_text()
    found = run(graph, [np.array(1, np.int32), np.array(2, np.int32)])
    assert [[2, 3], [2, 3, 4], [2, 4]] == [[i.item() for (i,) in list_items(x)] for x in found]


def test_only_a_weak_bool_is_an_index() -> None:
    graph = rt.Graph("bools")
    weak = graph.add_input(rt.TensorSpec((), rt.bool), "weak", weak=True)
    strong = graph.add_input(rt.TensorSpec((), rt.bool), "strong")
    with graph.recording():
        (item,) = lists.list_get(lists.list_of(5, 6), weak, SPECS)
        with pytest.raises(DTypeError, match="not bool"):
            lists.list_get(lists.list_of(5, 6), strong, SPECS)
    graph.set_outputs([item])
    assert [6] == run(graph, [np.array(True), np.array(True)])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(2,), (2, 3), (1, 3), (3, 1, 2), (0, 2), ()])
def test_rows_lie_in_memory_as_numpy_stacks_them(shape: Any, order: Any) -> None:
    arrays = [np.asarray(np.random.default_rng(i).random(shape), order=order) for i in range(3)]
    found, expected = rows_of(arrays), np.stack(arrays)
    assert expected.tolist() == found.tolist() and expected.shape == found.shape
    assert expected.flags.c_contiguous == found.flags.c_contiguous
    if expected.flags.f_contiguous == expected.flags.c_contiguous is False:
        assert expected.strides == found.strides

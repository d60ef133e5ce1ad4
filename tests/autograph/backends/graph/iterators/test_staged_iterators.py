# ruff: noqa: C417
"""Iterators over tensors are consumed once, in order, or refused."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagedIterationError

VAGUE = [rt.TensorSpec([None], rt.int32)]
VALUES = [rt.constant([3, -1, 2, 5]), rt.constant([7])]


def both(function, *values):
    """Return a function's results: eager, and staged for vectors of known and unknown length."""
    eager = function(*values)
    specs = VAGUE * len(values)
    return (
        eager,
        ag.function(function)(*values),
        ag.function(function, input_signature=specs)(*values),
    )


def test_an_exhausted_iterator_yields_no_items():
    def f(v):
        pairs, total = zip(v, v), 0
        for a, b in pairs:
            total += a * b
        for _ in pairs:
            total += 100
        return total

    for values in VALUES:
        assert 1 == len({int(result) for result in both(f, values)})


def test_an_iterator_continues_after_a_break():
    def f(v):
        pairs, total = enumerate(v), 0
        for k, a in pairs:
            total += a + k
            if a < 0:
                break
        for k, _ in pairs:
            total += 1000 * k
        return total

    for values in VALUES:
        assert 1 == len({int(result) for result in both(f, values)})


@pytest.mark.parametrize("lengths, word", [((2, 3), "longer"), ((3, 2), "shorter")])
def test_strict_zip_names_the_longer_argument(lengths, word):
    def f(v, w):
        total = 0
        for a, b in zip(v, w, strict=True):
            total += a * b
        return total

    staged = ag.function(f, input_signature=VAGUE * 2)
    assert 14 == staged(rt.range(4), rt.range(4)).numpy()
    for function in (f, staged):
        with pytest.raises(ValueError, match=f"argument 2 is {word} than argument 1"):
            function(*(rt.range(n) for n in lengths))


def test_next_after_the_last_is_stop_iteration_of_the_run():
    staged = ag.function(lambda v: next(iter(v)), input_signature=VAGUE)
    assert 7 == staged(VALUES[1]).numpy()
    with pytest.raises(StopIteration):
        staged(rt.zeros([0], rt.int32))


def inner_loop_over_outer_iterator(v):
    items, total = iter(v), 0
    for _ in range(v[0]):
        for item in items:
            total += item
    return total


def gives_twice(v):
    items = iter(v)
    first, second = zip(items, v), zip(items, v)
    return next(first), next(second)


def resumes_a_consumed_iterator(v):
    items, total = iter(v), 0
    for k, item in enumerate(items):
        total += k * item
    return total + next(items, 0)


def zips_one_iterator_with_itself(v):
    items, total = iter(v), 0
    for a, b in zip(items, items):
        total += a * b
    return total


@pytest.mark.parametrize("values", VALUES)
def test_a_loop_continues_an_outer_iterator(values):
    expected = inner_loop_over_outer_iterator(values.numpy())
    assert (
        expected
        == ag.function(inner_loop_over_outer_iterator, input_signature=VAGUE)(values).numpy()
    )


@pytest.mark.parametrize(
    "function, why",
    [
        (gives_twice, "zip.* over tensors iterates over it already"),
        (resumes_a_consumed_iterator, "enumerate.* over tensors has iterated over it"),
        (zips_one_iterator_with_itself, "takes from it in turns"),
    ],
)
def test_unsupported_iterators_are_refused(function, why):
    with pytest.raises(StagedIterationError, match=why):
        ag.function(function, input_signature=VAGUE)(VALUES[0])


@pytest.mark.parametrize(
    "function, error",
    [
        (lambda v: reversed(zip(v, v)), TypeError),
        (lambda v: len(zip(v, v)), TypeError),
        (lambda v: next(v), TypeError),
        (lambda v: tuple(v), ag.errors.StagingError),
        (lambda v: list(zip(v[0])), TypeError),
    ],
)
def test_iterators_that_python_refuses_are_refused(function, error):
    with pytest.raises(error):
        ag.function(function, input_signature=VAGUE)(VALUES[0])


def test_rows_of_unknown_length_are_counted_when_they_are_unpacked():
    def f(v):
        first, second = v
        return first + second

    assert 3 == ag.function(f)(rt.constant([1, 2])).numpy()
    with pytest.raises(ValueError, match="too many values to unpack"):
        ag.function(f)(rt.constant([1, 2, 3]))
    vague = ag.function(f, input_signature=VAGUE)
    assert 3 == vague(rt.constant([1, 2])).numpy()
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 2, got 1\)"):
        vague(rt.constant([1]))
    with pytest.raises(ValueError, match="too many values to unpack"):
        vague(rt.constant([1, 2, 3]))


@pytest.mark.parametrize("values", VALUES)
def test_a_filtered_iterator_is_mapped_and_enumerated(values):
    def f(v):
        total = 0
        for k, x in enumerate(map(lambda x: x * x, filter(lambda x: x > 0, v)), 1):
            total = total * 100 + k * x
        return total

    assert 1 == len({int(result) for result in both(f, values)})


@pytest.mark.parametrize("values", VALUES)
def test_a_staged_list_of_strings_is_joined(values):
    def f(v):
        texts = []
        for x in v:
            if x > 0:
                texts.append(f"{int(x)}")
        return ", ".join(texts) + "." + "-".join(map(lambda x: f"{int(x)}", v))

    eager, known, unknown = both(f, values)
    assert (eager.encode(), eager.encode()) == (known.numpy(), unknown.numpy())

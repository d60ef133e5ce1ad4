"""Arrays of which only a run knows the number of rows: each op, beside the NumPy executor."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import EngineWarning, UnimplementedError
from runtime.executors.engine import EngineFunction

pytest.importorskip("jax")
pytestmark = pytest.mark.filterwarnings(f"error::{EngineWarning.__module__}.EngineWarning")

VECTOR = np.array([3, -1, 0, 2, 5, -4, 1, 7, 6, -2, 0, 4], np.float32)
MATRIX = np.arange(36, dtype=np.float32).reshape(3, 12)
IDS = np.array([0, 0, 1, 1, 2, 2, 2, 5, 5, 5, 6, 6], np.int32)
FAR = np.array([0, 0, 1, 1, 2, 2, 2, 5, 5, 5, 6, 600], np.int32)
WRONG = np.array([0, 0, 1, 1, 2, 1, 2, 5, 5, 5, 6, 6], np.int32)
NEGATIVE = np.array([-1, 0, 1, 1, 2, 2, 2, 5, 5, 5, 6, 6], np.int32)


def outcome(f: Any, arguments: Any) -> str:
    """Return the results as a text, or the error."""
    try:
        found = f(*map(rt.constant, arguments))
    except UnimplementedError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    leaves = found if isinstance(found, (tuple, list)) else [found]
    return " ".join(f"{x.dtype} {x.shape} {np.round(x.numpy(), 4) + 0}" for x in leaves)


def check(function: Any, *calls: Any, reruns: int = 0) -> None:
    """Compare the outcomes; besides those of errors, so many are of the NumPy executor."""
    by_numpy, by_jax = (ag.function(function, executor=each) for each in ("numpy", "jax"))
    with mock.patch.object(
        EngineFunction, "_by_numpy", autospec=True, side_effect=EngineFunction._by_numpy
    ) as rerun:
        for arguments in calls:
            wanted, found = outcome(by_numpy, arguments), outcome(by_jax, arguments)
            assert found == wanted
            reruns += "Error: " in wanted
    assert rerun.call_count == reruns


def gradient(function: Any) -> Any:
    """Return the gradient of the sum of a function's squares by its first argument."""

    def of(x: Any, *rest: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = rt.reduce_sum(function(x, *rest) ** 2)
        return tape.gradient(y, x)

    return of


SEGMENTS = [getattr(rt.math, f"segment_{how}") for how in ("sum", "mean", "prod", "max", "min")]


@pytest.mark.parametrize("of", SEGMENTS)
def test_segments_of_a_run(of: Any) -> None:
    given = [(VECTOR, ids) for ids in (IDS, FAR, WRONG, NEGATIVE)]
    check(of, *given, (VECTOR.astype(np.int32), IDS), (VECTOR[:0], IDS[:0]))
    check(lambda x, ids, n: of(x[:n], ids[:n]), *[(VECTOR, IDS, n) for n in (0, 3, 12)])
    check(of, (MATRIX, IDS[:3]))
    is_extreme = of.__name__ in ("segment_max", "segment_min")
    check(of, (np.where(VECTOR > 6, np.nan, VECTOR), IDS), reruns=int(is_extreme))
    check(gradient(of), (VECTOR, IDS), (VECTOR, FAR), (MATRIX, IDS[2:5]))


@pytest.mark.parametrize("how", ["sum", "mean", "prod", "max", "min"])
def test_unsorted_segments_of_a_run(how: str) -> None:
    of = getattr(rt.math, f"unsorted_segment_{how}")
    given = [(VECTOR, WRONG, n) for n in (7, 900, 3, -1)]
    check(of, *given, (VECTOR, NEGATIVE, 8), (MATRIX, IDS[2:5], 4))
    check(lambda x, ids, n: of(x[:n], ids[:n], 8), *[(VECTOR, WRONG, n) for n in (0, 3, 12)])
    check(gradient(of), (VECTOR, IDS, 9))


def test_counts_of_a_run() -> None:
    given = [(ids,) for ids in (IDS, FAR, NEGATIVE, IDS[:0])]
    for options in ({}, {"minlength": 9}, {"maxlength": 3}, {"minlength": 4, "maxlength": 4}):
        check(lambda ids, options=options: rt.math.bincount(ids, **options), *given)
    check(lambda ids, x: rt.math.bincount(ids, weights=x), (IDS, VECTOR))
    check(lambda x: rt.histogram_fixed_width(x, [-1.0, 1.0], nbins=4), (VECTOR,))
    assert ag.function(
        lambda x: rt.histogram_fixed_width(x, [-1.0, 1.0], nbins=4)
    ).get_concrete_function(VECTOR).graph.outputs[0].shape == (4,)


def test_repeated_and_tiled_rows() -> None:
    repeats = [(VECTOR, n) for n in (IDS, 3, 0, -1, 200, np.array([2]), NEGATIVE)]
    check(rt.repeat, *repeats, (VECTOR[:0], 3))
    check(gradient(rt.repeat), (VECTOR, IDS), (VECTOR, 3))
    check(lambda x, n: rt.repeat(x, n, axis=0), (MATRIX, IDS[4:7]), (MATRIX, 2))
    check(lambda x, n: rt.repeat(x[:n], 2), (VECTOR, 3), (VECTOR, 0))
    check(lambda x, n: rt.repeat(x[:n], n), (VECTOR, 3), (VECTOR, 0))
    check(lambda x, n: rt.repeat(x[:n], 2, axis=1), (MATRIX, 2))
    check(lambda x, n: rt.tile(x, [n]), *[(VECTOR, n) for n in (3, 0, 100, -1)])
    check(lambda x, n: rt.tile(x, [n, 2]), (MATRIX, 3))
    check(lambda x, n: rt.tile(x[:n], [2, 1]), (MATRIX, 2), (MATRIX, 0))
    check(gradient(lambda x, n: rt.tile(x, [n, 2])), (MATRIX, 3))
    check(gradient(lambda x, n: rt.tile(x[:n], [2])), (VECTOR, 3))


@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "SYMMETRIC"])
def test_padded_rows(mode: str) -> None:
    def ends(x: Any, n: Any) -> Any:
        return rt.pad(x, [[n, 1]], mode)

    def whole(x: Any, n: Any) -> Any:
        return rt.pad(x, [[1, n], [2, 0]], mode)

    def part(x: Any, n: Any) -> Any:
        return rt.pad(x[:n], [[2, 1]], mode)

    check(ends, *[(VECTOR, n) for n in (0, 3, 11, 12, 13, -1)])
    check(whole, (MATRIX, 2), (MATRIX, 0))
    check(part, *[(VECTOR, n) for n in (0, 1, 2, 3, 12)])
    check(gradient(ends), (VECTOR, 3))
    check(gradient(whole), (MATRIX, 2))
    check(gradient(part), (VECTOR, 5))
    check(lambda x, n: rt.pad(x, [[n, 1]], constant_values=7.0), (VECTOR, 3))


def test_slices_with_a_step_of_a_run() -> None:
    steps = (1, 2, 3, -1, -5, 100, 0)
    check(lambda x, n: x[::n], *[(VECTOR, n) for n in steps])
    check(lambda x, n: x[9:2:n], *[(VECTOR, n) for n in steps])
    check(lambda x, n: x[::n], (VECTOR, np.int64(2**32)), (MATRIX, 2))
    check(gradient(lambda x, n: x[::n]), (VECTOR, 3), (VECTOR, -2))

    def changed(x: Any, n: Any, value: Any) -> Any:
        x = x * 1.0
        x[::n] = value
        return x

    check(changed, *[(VECTOR, n, np.float32(9)) for n in steps])
    check(changed, *[(VECTOR, n, VECTOR[:4]) for n in (3, -3, 5)])

    def items(x: Any, n: Any) -> Any:
        xs = list(x)
        return rt.stack(xs[::n])

    check(items, *[(VECTOR, n) for n in steps])


def test_numbers_of_64_bits_are_no_smaller_ones() -> None:
    large = np.int64(2**32 + 1)
    check(lambda x, n: x[:n], (VECTOR, large), (VECTOR, -large))
    check(lambda x, n: x[n:], (VECTOR, large), (VECTOR, -large))
    check(lambda x, n, i: x[:n][i], (VECTOR, 3, large), (VECTOR, 3, -large))


def test_softmax_over_rows_of_a_run() -> None:
    for of in (rt.nn.softmax, rt.nn.log_softmax):
        check(lambda x, n, of=of: of(x[:n]), *[(VECTOR, n) for n in (0, 1, 5)])
        check(lambda x, n, of=of: of(x[:n], axis=0), (MATRIX, 2))
        check(gradient(lambda x, n, of=of: of(x[:n])), (VECTOR, 5))


def test_other_ops_on_rows_of_a_run() -> None:
    check(np.nonzero, (VECTOR,), (MATRIX,))
    check(lambda x, n: rt.roll(x[:n], 2, 0), *[(VECTOR, n) for n in (0, 1, 5)])
    check(lambda x, n: rt.roll(x[:n], [n, 1, 1], [1, 0, 1]), (MATRIX, 2))
    check(lambda x, n: rt.split(x[:n], 3, axis=1), (MATRIX, 2))
    check(lambda x, n: rt.unstack(x[:n], 2), (MATRIX, 2))
    check(lambda n: rt.eye(n, 4), (3,), (0,))
    check(lambda n: rt.eye(3, 4, batch_shape=[n]), (2,))
    check(
        lambda x, n: rt.tensor_scatter_nd_add(x[:n], [[0], [3]], [9.0, 8.0]),
        *[(VECTOR, n) for n in (4, 3)],
    )
    check(lambda x, y, n: x + y[:n], (MATRIX, VECTOR, 12))


def test_sizes_that_the_elements_imply() -> None:
    check(lambda x, n: rt.reshape(x, [n, 4]), *[(VECTOR, n) for n in (3, -1, 2)])
    check(lambda x, n: rt.reshape(x, [n * 4]), (VECTOR, 3))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, n: rt.eye(n),
        lambda x, n: rt.one_hot([0, 1], n),
        lambda x, n: x[:, :n],
        lambda x, n: rt.tile(x, [1, n]),
        lambda x, n: rt.pad(x, [[0, 0], [n, 1]]),
        lambda x, n: rt.reshape(x, [n, -1]),
        lambda x, n: rt.repeat(x, n, axis=1),
        lambda x, n: rt.fill([2, n], 1.0),
    ],
)
def test_another_size_of_a_run_is_refused(function: Any) -> None:
    f = ag.function(function, executor="jax")
    with pytest.raises(UnimplementedError, match="a size, other than the number of its rows"):
        f(rt.constant(MATRIX), rt.constant(3))

"""Gradients of lists and TensorArrays, whose lengths and items only a run knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")


def grown(x):
    out = []
    for row in x:
        if rt.reduce_sum(row) > 0.0:
            out.append(row * row)
        out.append(row * 2.0)
    return rt.reduce_sum(rt.stack(out) ** 2)


def moved(x):
    out = []
    for row in x:
        out.append(row * row)
    out = out[::-1]
    out.insert(1, x[0] * 3.0)
    del out[0]
    out.extend(out[1:])
    weights = rt.range(rt.cast(len(out), rt.float32))[:, rt.newaxis]
    return rt.reduce_sum(rt.stack(out) * weights)


def popped(x):
    out = []
    for row in x:
        out.append(row * row)
    total = rt.constant(0.0)
    while len(out) > 1:
        product = out.pop() * out.pop(0)
        out.append(product)
        total += rt.reduce_sum(out[-1])
    return total


def replaced(x):
    out = []
    for row in x:
        out.append(row * row)
    for i in rt.range(rt.shape(x)[0] - 1):
        out[i + 1] = out[i] * x[i]
    return rt.reduce_sum(out[-1])


def pairs(x):
    out = []
    for i in rt.range(rt.shape(x)[0]):
        out.append((i, x[i] ** 2))
    total = rt.constant(0.0)
    for i, row in out:
        total += rt.cast(i, rt.float32) * rt.reduce_sum(row)
    return total


def joined(x):
    out = []
    for i in rt.range(rt.shape(x)[0]):
        out.append(x[: i + 1, 0] ** 2)
    return rt.reduce_sum(rt.concat(out, 0) ** 2)


def written(x):
    count = rt.shape(x)[0]
    array = rt.TensorArray(rt.float32, size=count)
    for i in rt.range(count):
        array = array.write(i, x[i] ** 2)
    again = rt.TensorArray(rt.float32, size=count).unstack(x)
    return rt.reduce_sum(array.stack() ** 2) + rt.reduce_sum(again.gather([0, 0]) ** 2)


@pytest.mark.parametrize("read", (grown, moved, popped, replaced, pairs, joined, written))
@pytest.mark.parametrize("dims", ((None, 3), (None, None)))
def test_the_gradient_through_a_list_is_the_same(
    read: Callable[[Any], Any], dims: tuple[Any, ...], tmp_path: Path
) -> None:
    def slope(x):
        with rt.GradientTape() as tape:
            tape.watch(x)
            total = read(x)
        return tape.gradient(total, x)

    path = str(tmp_path / "slope.onnx")
    concrete = ag.function(slope).get_concrete_function(rt.TensorSpec(dims, rt.float32))
    ag.export(concrete, path, format="onnx")
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    x = np.array([[0.5, -1, 2], [3, 0.25, -0.5], [1, 1.5, -2], [0.3, 0.2, 0.1]], np.float32)
    (found,) = session.run(None, {"x": x})
    np.testing.assert_allclose(found, slope(rt.constant(x)), rtol=1e-4, atol=1e-5)


def curvature_of(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of the gradient of the squared gradient."""

    def curvature(x, *rest):
        with rt.GradientTape() as outer:
            outer.watch(x)
            with rt.GradientTape() as tape:
                tape.watch(x)
                total = read(x, *rest)
            slope = rt.reduce_sum(tape.gradient(total, x) ** 2)
        return outer.gradient(slope, x)

    return curvature


def inserted(x, i):
    out = [x * x, x**3]
    out.insert(-i, x**4)
    return out


def turned(x, i):
    out = [x * x, x**3, x**4]
    del out[i]
    return out[i:] + out[::-1] * (i + 1)


def set_between(x, i):
    out = [x * x, x**3, x**4]
    out[i:] = [x**5, x]
    return out


def pairs_inserted(x, i):
    out = [(x * x, i), (x**3, i)]
    out.insert(i, (x**4, i))
    return [out[0][0], out[1][0]]


@pytest.mark.parametrize("make", (inserted, turned, set_between, pairs_inserted))
def test_a_gradient_of_a_gradient_through_a_moved_list(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    def read(x, i):
        rows = rt.stack(make(x, i))
        return rt.reduce_sum(rows**2 * rt.range(rt.cast(len(rows), rt.float32))[:, rt.newaxis])

    curvature = curvature_of(read)
    specs = rt.TensorSpec((None,), rt.float32), rt.TensorSpec((), rt.int32)
    path = str(tmp_path / "curvature.onnx")
    ag.export(ag.function(curvature).get_concrete_function(*specs), path, format="onnx")
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    x = np.array([0.5, -1.0, 2.0], np.float32)
    for i in range(3):
        (found,) = session.run(None, {"x": x, "rest_0": np.array(i, np.int32)})
        np.testing.assert_allclose(found, curvature(rt.constant(x), rt.constant(i)), rtol=1e-4)


def test_gradients_of_lists_in_a_list_are_refused(tmp_path: Path) -> None:
    curvature = curvature_of(lambda x: rt.reduce_sum(moved(x) ** 2))
    concrete = ag.function(curvature).get_concrete_function(rt.TensorSpec((4, 3), rt.float32))
    with pytest.raises(UnimplementedError, match="keeps gradients of lists in a list"):
        ag.export(concrete, tmp_path / "f.onnx")

"""Convolutions and pools agree with TensorFlow 2.21 on these inputs.

Of each result: its sum, its sum weighted with a ramp, its first and its last element; the inputs
are ramps, too, and gradients are those of the weighted sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError
from runtime.executors.interpreter import run
from runtime.ops.neural.convolution import CONVOLUTION
from runtime.ops.neural.convolution_kernels import convolve, correlate, spread
from runtime.ops.neural.pooling import AVG_POOL, MAX_POOL
from runtime.ops.neural.windows import Sliding, sliding


def ramp(*shape: int) -> np.ndarray:
    return np.sin(np.arange(np.prod(shape)) * 0.7 + 1).reshape(shape).astype(np.float32)


X, F, EACH = ramp(2, 7, 6, 3), ramp(3, 2, 3, 4), ramp(3, 2, 3, 2)
PADS = [[0, 0], [1, 2], [0, 1], [0, 0]]
nn: Any = rt.nn

# fmt: off
CASES: dict[str, tuple[Callable[[], Any], tuple[int, ...], list[float]]] = {
    "same2": (
        lambda: nn.conv2d(X, F, 2, "SAME"),
        (2, 4, 3, 4),
        [-0.0006415248, -0.9624832, 0.07127789, -0.1143503],
    ),
    "valid": (
        lambda: nn.conv2d(X, F, [2, 1], "VALID"),
        (2, 3, 5, 4),
        [0.03033152, 0.09459896, -0.04802936, 0.04504846],
    ),
    "dil": (
        lambda: nn.conv2d(X, F, 1, "SAME", dilations=[2, 3]),
        (2, 7, 6, 4),
        [6.040895, 0.2495503, -0.3762632, -0.4562162],
    ),
    "expl": (
        lambda: nn.conv2d(X, F, 2, PADS),
        (2, 4, 3, 4),
        [-0.0006415248, -0.9624832, 0.07127789, -0.1143503],
    ),
    "conv1d": (
        lambda: nn.conv1d(ramp(2, 7, 3), ramp(4, 3, 5), 2, "SAME"),
        (2, 4, 5),
        [-0.6279935, 0.5050606, -0.001197331, -0.3948524],
    ),
    "conv3d": (
        lambda: nn.conv3d(ramp(1, 4, 5, 3, 2), ramp(2, 3, 2, 2, 3), [1, 2, 2, 1, 1], "SAME"),
        (1, 2, 3, 3, 3),
        [0.6138781, -0.2559402, -0.7122686, 0.2568502],
    ),
    "depth": (
        lambda: nn.depthwise_conv2d(X, EACH, [1, 2, 2, 1], "SAME"),
        (2, 4, 3, 6),
        [0.07866526, -8.573664, -0.6885651, 0.3985374],
    ),
    "sep": (
        lambda: nn.separable_conv2d(X, EACH, ramp(1, 1, 6, 4), [1, 1, 1, 1], "VALID"),
        (2, 5, 5, 4),
        [-0.4586443, -0.1339366, -0.06279969, -0.033273],
    ),
    "trans": (
        lambda: nn.conv2d_transpose(ramp(2, 4, 3, 4), F, [2, 7, 6, 3], 2),
        (2, 7, 6, 3),
        [-0.6198037, -0.9624843, -0.8013777, -1.237765],
    ),
    "max": (
        lambda: nn.max_pool(X, [3, 2], 2, "SAME"),
        (2, 4, 3, 3),
        [41.13126, 9.744228, 0.8591618, 0.6967175],
    ),
    "avg": (
        lambda: nn.avg_pool(X, [3, 2], 2, "SAME"),
        (2, 4, 3, 3),
        [0.1504467, -0.1942742, 0.4375442, -0.1451208],
    ),
    "avg3": (
        lambda: nn.avg_pool3d(ramp(1, 4, 5, 3, 2), 2, 2, "SAME"),
        (1, 2, 3, 2, 2),
        [0.7394253, -0.8797932, 0.181189, 0.4753581],
    ),
    "maxe": (
        lambda: nn.max_pool(X, 2, 2, [[0, 0], [1, 0], [1, 1], [0, 0]]),
        (2, 4, 4, 3),
        [36.65575, 1.107835, 0.841471, 0.6967175],
    ),
    "lrn": (
        lambda: nn.local_response_normalization(ramp(2, 3, 3, 7), 2, 1.5, 0.3, 0.6),
        (2, 3, 3, 7),
        [0.1359315, 40.2198, 0.5324339, 0.3634575],
    ),
    "gelu": (
        lambda: nn.gelu(X),
        (2, 7, 6, 3),
        [44.98565, 63.14793, 0.6731413, 0.5274222],
    ),
    "selu": (
        lambda: nn.selu(X),
        (2, 7, 6, 3),
        [-13.58684, 141.0801, 0.8841344, 0.7320418],
    ),
    "wce": (
        lambda: nn.weighted_cross_entropy_with_logits(rt.sigmoid(X[::-1]), X, 2.5),
        (2, 7, 6, 3),
        [281.8424, -12.76215, 0.9811503, 1.044568],
    ),
    "lpl": (
        lambda: nn.log_poisson_loss(3 + X[::-1], X, True),
        (2, 7, 6, 3),
        [658.3533, -80.39308, 2.074176, 2.005767],
    ),
    "bn": (
        lambda: nn.batch_normalization(X, ramp(3), 2 + ramp(3), ramp(3) * 2, ramp(3) + 1, 1e-3),
        (2, 7, 6, 3),
        [190.7998, 137.6937, 1.682942, 1.372694],
    ),
    "s2d": (
        lambda: nn.space_to_depth(ramp(2, 4, 6, 3), 2),
        (2, 2, 3, 12),
        [0.2763155, -0.2438622, 0.841471, 0.5388194],
    ),
    "d2s": (
        lambda: nn.depth_to_space(ramp(2, 2, 3, 8), 2),
        (2, 4, 6, 2),
        [0.7218883, 13.34697, 0.841471, -0.9990215],
    ),
    "emb": (
        lambda: nn.embedding_lookup(ramp(3, 4), [[1, 0], [2, 1]], max_norm=1.0),
        (2, 2, 4),
        [-0.1750676, -0.1382728, -0.4078861, -0.2492394],
    ),
}
# fmt: on


def digest(value: Any) -> list[float]:
    array = value.numpy()
    flat = array.ravel()
    return [float(array.sum()), float((array * ramp(*array.shape)).sum()), flat[0], flat[-1]]


@pytest.mark.parametrize("name", CASES)
def test_values_agree_with_tensorflow(name: str) -> None:
    call, shape, expected = CASES[name]
    result = call()
    assert shape == tuple(result.shape)
    np.testing.assert_allclose(digest(result), expected, rtol=2e-5, atol=3e-5)


UNKNOWN: dict[str, tuple[Callable[[Any, Any], Any], np.ndarray, np.ndarray]] = {
    "conv2d": (lambda x, f: nn.conv2d(x, f, 2, "SAME"), X, F),
    "depthwise": (lambda x, f: nn.depthwise_conv2d(x, f, 2, "SAME"), X, EACH),
    "transpose": (lambda x, f: nn.conv2d_transpose(x, f, [7, 6], 2), ramp(2, 4, 3, 4), F),
    "max_pool": (lambda x, f: nn.max_pool2d(x, 3, 2, "SAME"), X, F),
    "avg_pool": (lambda x, f: nn.avg_pool2d(x, 3, 2, "SAME"), X, F),
    "space_to_depth": (lambda x, f: nn.space_to_depth(x, 2), ramp(2, 4, 6, 3), F),
    "depth_to_space": (lambda x, f: nn.depth_to_space(x, 2), ramp(2, 2, 3, 8), F),
    "lrn": (lambda x, f: nn.lrn(x), X, F),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_graph_of_unknown_sizes_agrees_with_eager_results(name: str) -> None:
    call, *arrays = UNKNOWN[name]
    graph = rt.Graph("unknown")
    specs = [rt.TensorSpec((None,) * 4, "float32")] * 2
    inputs = [graph.add_input(spec, f"x{k}") for k, spec in enumerate(specs)]
    with graph.recording():
        graph.set_outputs([call(*inputs)])
    (found,) = run(graph, arrays)
    np.testing.assert_allclose(found, call(*arrays).numpy(), rtol=1e-6)


def gradients(op: Any, inputs: list[np.ndarray], **attrs: Any) -> list[Any]:
    tensors = [rt.constant(x) for x in inputs]
    output = rt.constant(0.0) if op.kernel is None else rt.constant(op.kernel(*inputs, **attrs))
    dy = rt.constant(ramp(*output.shape))
    return [digest(d) for d in op.grad([dy], [output], tensors, **attrs)]


GRADIENTS: dict[str, tuple[Any, list[np.ndarray], dict[str, Any], list[list[float]]]] = {
    "strides": (
        CONVOLUTION,
        [X, F],
        {"sliding": sliding(2, 2, "SAME")},
        [
            [-0.6198037, -0.9624843, -0.8013777, -1.237765],
            [-4.721671, -0.962482, -0.1029788, 0.1492405],
        ],
    ),
    "dilations": (
        CONVOLUTION,
        [X, F],
        {"sliding": sliding(2, 1, "SAME", [2, 3])},
        [
            [-0.4085393, 0.2495555, 1.019455, 1.510085],
            [-43.68273, 0.2495513, -0.8769525, -0.6986461],
        ],
    ),
    "largest": (
        MAX_POOL,
        [X],
        {"window": (3, 2), "sliding": sliding(2, 2, "SAME")},
        [[0.1288352, 9.744228, 0.0, 0.4209728]],
    ),
    "mean": (
        AVG_POOL,
        [X],
        {"window": (3, 2), "sliding": sliding(2, 2, "SAME")},
        [[0.1288352, -0.1942744, 0.2103677, 0.1052432]],
    ),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_agree_with_tensorflow(name: str) -> None:
    op, inputs, attrs, expected = GRADIENTS[name]
    np.testing.assert_allclose(gradients(op, inputs, **attrs), expected, rtol=2e-5, atol=3e-5)


def test_channels_first_agrees_with_channels_last() -> None:
    expected = nn.conv2d(X, F, 2, "SAME").numpy()
    turned = nn.conv2d(np.moveaxis(X, -1, 1), F, [1, 1, 2, 2], "SAME", data_format="NCHW")
    np.testing.assert_allclose(np.moveaxis(turned.numpy(), 1, -1), expected, rtol=1e-5, atol=1e-6)


def test_large_images_are_convolved_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = nn.conv2d(X, F, 1, "SAME").numpy()
    for most in (1, 200, 2000):
        monkeypatch.setattr("runtime.ops.neural.convolution_kernels.LAID", most)
        np.testing.assert_allclose(nn.conv2d(X, F, 1, "SAME").numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("window", [(3, 3), (1, 1), (2, 1), (1, 4)])
@pytest.mark.parametrize("laid", [1, 50, 1 << 18])
def test_images_of_one_channel_agree_with_others(
    window: Any, laid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runtime.ops.neural.convolution_kernels.LAID", laid)
    draw = np.random.default_rng(5)
    x, f = draw.normal(size=(2, 5, 6, 1)), draw.normal(size=(*window, 1, 3))
    for stride, padding in ((1, "SAME"), (1, "VALID"), (2, "SAME")):
        two = np.concatenate([x, np.zeros_like(x)], -1), np.concatenate([f, f], 2)
        how = sliding(2, stride, padding)
        expected = convolve(*two, how)
        np.testing.assert_allclose(convolve(x, f, how), expected, rtol=1e-12, atol=1e-12)
        back = correlate(two[0], expected, two[1].shape, how)[:, :, :1]
        np.testing.assert_allclose(correlate(x, expected, f.shape, how), back, rtol=1e-12)


@pytest.mark.parametrize("padding", ["SAME", "VALID", ((1, 0), (2, 2)), ((4, 0), (0, 0))])
def test_gradients_by_rotated_filters_agree_with_others(
    padding: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, how = np.random.default_rng(6), Sliding((1, 1), padding, (1, 1))
    x, f = draw.normal(size=(2, 24, 25, 4)), draw.normal(size=(3, 2, 4, 5))
    gradients = convolve(x, f, how)
    expected = spread(f, gradients, x.shape, how)
    monkeypatch.setattr("runtime.ops.neural.convolution_kernels._MANY", 1)
    np.testing.assert_allclose(spread(f, gradients, x.shape, how), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("depth", [1, 2])
def test_windows_larger_than_the_image_give_empty_results(depth: int) -> None:
    found = nn.conv2d(
        np.ones((1, 4, 4, 2), np.float32), np.ones((5, 5, depth, 2), "f4"), 1, "VALID"
    )
    assert found.shape == (1, 0, 0, 2)


def test_channels_with_several_filters_each_are_convolved_one_by_one() -> None:
    draw = np.random.default_rng(0)
    x, f = draw.normal(size=(2, 6, 7, 3)), draw.normal(size=(3, 2, 3, 4))
    for stride in (1, 2):
        whole = nn.depthwise_conv2d(x, f, [1, stride, stride, 1], "SAME").numpy()
        for channel in range(3):
            own = nn.conv2d(
                x[..., channel : channel + 1], f[:, :, channel : channel + 1], stride, "SAME"
            )
            np.testing.assert_allclose(whole[..., 4 * channel : 4 * channel + 4], own, rtol=1e-10)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32"])
def test_other_dtypes_are_preserved(dtype: str) -> None:
    x, f = (X * 4).astype(dtype), (F * 4).astype(dtype)
    exact = nn.conv2d(x.astype("float64"), f.astype("float64"), 1, "SAME").numpy()
    result = nn.conv2d(x, f, 1, "SAME")
    assert dtype == result.dtype.name
    np.testing.assert_allclose(result.numpy(), exact, rtol=2e-3, atol=2e-2)


def test_the_gradient_of_ties_goes_to_the_first() -> None:
    how = {"window": (2, 2), "sliding": sliding(2, 2, "VALID")}
    x = rt.ones([1, 2, 2, 1])
    (found,) = MAX_POOL.grad([rt.ones([1, 1, 1, 1])], [None], [x], **how)  # type: ignore[misc]
    assert [1.0, 0.0, 0.0, 0.0] == found.numpy().ravel().tolist()


WRONG: list[tuple[Callable[[], Any], type[OpError], str]] = [
    (lambda: nn.conv2d(X, ramp(3, 2, 2, 4), 1, "SAME"), ShapeError, r"\(2, 7, 6, 3\).*\(3, 2, 2"),
    (lambda: nn.conv2d(X[0], F, 1, "SAME"), ShapeError, "4 axes"),
    (lambda: nn.conv2d(X, F[0], 1, "SAME"), ShapeError, "filters must have 4 axes"),
    (lambda: nn.conv2d(X, ramp(9, 2, 3, 4), 1, "VALID"), ShapeError, "does not fit"),
    (lambda: nn.conv2d(X, F, 0, "SAME"), ArgumentValueError, "strides must be positive"),
    (lambda: nn.conv2d(X, F, [1, 2, 3], "SAME"), ArgumentValueError, "strides must be"),
    (lambda: nn.conv2d(X, F, [2, 1, 1, 1], "SAME"), ArgumentValueError, "of batch and channels"),
    (lambda: nn.conv2d(X, F, 1, "same"), ArgumentValueError, "padding must be"),
    (lambda: nn.conv2d(X, F, 1, [[0, 0]]), ArgumentValueError, "padding must be a pair"),
    (lambda: nn.conv2d(X, F, 1, "SAME", "NHCW"), ArgumentValueError, "data_format must be NHWC"),
    (lambda: nn.conv2d(X > 0, F > 0, 1, "SAME"), DTypeError, "floats or int32"),
    (lambda: nn.conv2d(X, F.astype("float64"), 1, "SAME"), DTypeError, "float"),
    (lambda: nn.conv2d(X, F[:0], 1, "SAME"), ShapeError, "must not be empty"),
    (
        lambda: nn.conv2d_transpose(ramp(2, 4, 3, 4), F, [2, 9, 6, 3], 2),
        ShapeError,
        "give shape",
    ),
    (lambda: nn.depthwise_conv2d(X, F[:, :, :2], 1, "SAME"), ShapeError, "are for 2"),
    (lambda: nn.max_pool2d(X[0], 2, 2, "SAME"), ShapeError, "4 axes"),
    (lambda: nn.max_pool(X, 9, 1, "VALID"), ShapeError, "does not fit"),
    (lambda: nn.max_pool(X, 2, 2, [[0, 0], [2, 1], [1, 1], [0, 0]]), ArgumentValueError, "smaller"),
    (lambda: nn.avg_pool(X, 2, 2, PADS), DTypeError, "padding of means"),
    (lambda: nn.avg_pool([[[1]]], 1, 1, "SAME"), DTypeError, "avg_pool works on float"),
    (lambda: nn.space_to_depth(X, 2), ShapeError, "multiple.* of 2"),
    (lambda: nn.in_top_k([1, 2], ramp(3, 3), 1), ShapeError, r"\(2,\).*\(3, 3\)"),
]


@pytest.mark.parametrize("call, kind, words", WRONG)
def test_wrong_arguments_are_refused_eagerly_and_in_graphs(
    call: Callable[[], Any], kind: type[OpError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        call()
    with rt.Graph("wrong").recording(), pytest.raises(kind, match=words):
        call()


def test_in_top_k_counts_ties_and_excludes_non_finite_values() -> None:
    predictions = [[1.0, 2, 2], [3, 3, 1], [1, 1, 1], [1, 1, 1], [np.nan, 1, 2]]
    found = nn.in_top_k([1, 0, 5, -1, 2], predictions, 1).numpy().tolist()
    assert [True, True, False, False, False] == found

"""NaN, tensors without elements and indices as here, or in the list of omissions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.export.report import ExportReport
from runtime.export.traces import Signature

ort = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

from runtime.export.onnx.writing import write_onnx  # noqa: E402

NAN, INF = float("nan"), float("inf")
# 1.23, the last onnxruntime for Python 3.10, gives wrong shapes and truths for no elements.
REDUCES_NOTHING = tuple(map(int, ort.__version__.split(".")[:2])) >= (1, 24)
REDUCTIONS = {
    "max": rt.reduce_max,
    "min": rt.reduce_min,
    "mean": rt.reduce_mean,
    "std": rt.math.reduce_std,
    "variance": rt.math.reduce_variance,
}


def export(function: Callable[..., Any], specs: Any, path: Path, **options: Any) -> ExportReport:
    graph = ag.function(function).get_concrete_function(*specs).graph
    return write_onnx(Signature.of(graph), path / "f.onnx", **options)


def run(path: Path, *arrays: Any) -> list[Any]:
    session = ort.InferenceSession(str(path / "f.onnx"), providers=["CPUExecutionProvider"])
    given = zip(session.get_inputs(), arrays)
    return session.run(None, {each.name: np.asarray(array) for each, array in given})


def check(function: Callable[..., Any], specs: Any, path: Path, *inputs: Any) -> None:
    """Check that onnxruntime computes our results."""
    report = export(function, specs, path)
    assert [] == report.omissions
    for arrays in inputs:
        if not REDUCES_NOTHING and not all(np.size(each) for each in arrays):
            continue
        (found,) = run(path, *arrays)
        expected = np.asarray(function(*map(rt.constant, arrays)))
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        np.testing.assert_array_equal(expected, found)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", (None, 0, -1, (0, 1), ()))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reductions_of_nan_and_of_nothing(name: str, axis: Any, tmp_path: Path) -> None:
    def f(x):
        return REDUCTIONS[name](x, axis=axis, keepdims=axis == -1)

    for dtype in (rt.float32, rt.float64, rt.float16):
        kind = dtype.np_dtype
        some = np.array([[1, NAN, 3], [3, 5, INF]], kind)
        arrays = [some, np.ones((2, 2), kind), *(np.ones(s, kind) for s in ((0, 2), (2, 0)))]
        check(f, [rt.TensorSpec((None, None), dtype)], tmp_path, *([each] for each in arrays))
        check(f, [rt.TensorSpec((0, 2), dtype)], tmp_path, [arrays[2]])


def test_known_sizes_need_no_test_for_nothing(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    export(lambda x: rt.reduce_mean(x, 1), [rt.TensorSpec((None, 3), rt.float32)], tmp_path)
    nodes = onnx.load(tmp_path / "f.onnx").graph.node
    assert ["ReduceMean", "Identity"] == [each.op_type for each in nodes]


@pytest.mark.parametrize("reduce", (rt.reduce_any, rt.reduce_all))
def test_any_and_all_of_nothing(reduce: Any, tmp_path: Path) -> None:
    for axis in (None, 0, 1):
        arrays = [np.zeros((0, 2), bool), np.zeros((2, 0), bool), np.eye(2, dtype=bool)]
        spec = rt.TensorSpec((None, None), rt.bool)
        check(lambda x: reduce(x, axis=axis), [spec], tmp_path, *([each] for each in arrays))


@pytest.mark.parametrize("find", (rt.argmax, rt.argmin))
def test_nan_is_no_extreme(find: Any, tmp_path: Path) -> None:
    arrays = [[NAN, 1, 2], [1, NAN, 3], [NAN, NAN], [NAN, INF, -INF]]
    spec = rt.TensorSpec((None,), rt.float32)
    check(find, [spec], tmp_path, *([np.array(each, np.float32)] for each in arrays))


def test_quotients_and_logarithms_of_infinity(tmp_path: Path) -> None:
    spec = rt.TensorSpec((None,), rt.float32)

    x = np.array([3, 3, -3, INF, -INF, NAN, 7, -7, 0.3], np.float32)
    y = np.array([INF, -INF, INF, 2, 2, 2, -2, 2, 0.1], np.float32)
    check(lambda x, y: x // y, [spec, spec], tmp_path, (x, y))
    check(lambda x, y: x % y, [spec, spec], tmp_path, (x, y))
    check(rt.math.log1p, [spec], tmp_path, (x[:-1],))


def test_the_place_of_nan_in_an_order_is_listed(tmp_path: Path) -> None:
    for order in (rt.sort, rt.argsort, lambda x: rt.math.top_k(x, 2)[0]):
        floats = export(order, [rt.TensorSpec((3,), rt.float32)], tmp_path)
        assert ["NaN"] == [each.subject for each in floats.omissions]
        assert [] == export(order, [rt.TensorSpec((3,), rt.int32)], tmp_path).omissions


# -- indices ---------------------------------------------------------------------------------------

ROW, INDEX, PLACE = (
    rt.TensorSpec((3,), rt.float32),
    rt.TensorSpec((1,), rt.int32),
    rt.TensorSpec((1, 1), rt.int32),
)
WIDE = rt.TensorSpec((None,), rt.float32)
held = rt.Variable([1.0, 2.0, 3.0], name="held")


def write_rows(i):
    held.scatter_nd_update(i, [9.0])
    return held * 1.0


BY_INDEX: dict[str, tuple[Callable[..., Any], Any]] = {
    "gather": (rt.gather, (ROW, INDEX)),
    "gather_nd": (rt.gather_nd, (ROW, PLACE)),
    "scatter_nd": (lambda i: rt.scatter_nd(i, [1.0], [3]), (PLACE,)),
    "tensor_scatter_nd_update": (
        lambda x, i: rt.tensor_scatter_nd_update(x, i, [9.0]),
        (ROW, PLACE),
    ),
    "tensor_scatter_nd_add": (lambda x, i: rt.tensor_scatter_nd_add(x, i, [9.0]), (ROW, PLACE)),
    "scatter_nd_variable": (write_rows, (PLACE,)),
    "slice": (lambda x, i: rt.slice(x, i, [1]), (ROW, INDEX)),
    "repeat": (lambda i: rt.repeat([1.0], i), (INDEX,)),
    "dynamic_partition": (lambda i: rt.dynamic_partition([1.0], i, 2)[0], (INDEX,)),
    "invert_permutation": (rt.math.invert_permutation, (INDEX,)),
    "segment_sum": (lambda i: rt.math.segment_sum([1.0], i), (INDEX,)),
    "sparse_softmax_cross_entropy": (
        lambda x, i: rt.nn.sparse_softmax_cross_entropy_with_logits(i, rt.reshape(x, (1, 3))),
        (ROW, INDEX),
    ),
}


@pytest.mark.parametrize("name", BY_INDEX)
def test_negative_indices_are_listed(name: str, tmp_path: Path) -> None:
    function, specs = BY_INDEX[name]
    assert [name] == [each.subject for each in export(function, specs, tmp_path).omissions]
    arrays = [np.full(each.shape, -1, each.dtype.np_dtype) for each in specs]
    with pytest.raises((rt.errors.ArgumentValueError, rt.errors.InvalidArgumentError)):
        function(*map(rt.constant, arrays))


def test_constant_indices_are_listed_only_if_negative(tmp_path: Path) -> None:
    for index, listed in ((2, []), (-1, ["gather"])):
        report = export(lambda x: rt.gather(x, [index]), [WIDE], tmp_path)
        assert listed == [each.subject for each in report.omissions]


def test_a_target_outside_of_the_classes_is_not_in_top_k(tmp_path: Path) -> None:
    def f(targets):
        return rt.math.in_top_k(targets, [[1.0, 2.0, 3.0]] * 4, 1)

    targets = np.array([-1, 2, 0, 3], np.int32)
    check(f, [rt.TensorSpec((4,), rt.int32)], tmp_path, [targets])


@pytest.mark.parametrize("dtype", "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
def test_a_count_of_bits_is_clipped_to_the_width(dtype: str, tmp_path: Path) -> None:
    limits = np.iinfo(dtype)
    least = [] if limits.min == 0 else [limits.min, -7, -1]
    pairs = np.meshgrid(
        np.array([*least, 0, 7, limits.max], dtype),
        np.array([*least, 0, 1, limits.bits - 1, limits.bits, 100, limits.max], dtype),
    )
    specs = [rt.TensorSpec((None,), dtype)] * 2
    check(lambda x, y: rt.stack([x << y, x >> y]), specs, tmp_path, [x.ravel() for x in pairs])
    check(lambda x: rt.stack([x << 9, x >> 9]), specs[:1], tmp_path, [pairs[0].ravel()])

"""TensorFlow Lite models in LiteRT: control flow, state, lists, signatures and refusals."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import UnimplementedError
from runtime.export.tflite.unsupported import NOT_KEEPING_NAN
from runtime.export.tflite.writing import LoweredModule, prepared
from runtime.export.traces import Signature

interpreter = pytest.importorskip("ai_edge_litert.interpreter")
pytest.importorskip("litert_converter")

INT = rt.TensorSpec((), rt.int32)


def export(what: Any, path: Path, *specs: Any, **options: Any) -> Any:
    """Write a function as a model; return the report."""
    concrete = ag.function(what).get_concrete_function(*specs)
    return ag.export(concrete, path, format="tflite", converter="litert", **options)


def signature(path: Path, name: str = "serving_default") -> Any:
    return interpreter.Interpreter(str(path)).get_signature_runner(name)


def run(path: Path, **arrays: Any) -> list[Any]:
    found = signature(path)(**{name: np.asarray(array) for name, array in arrays.items()})
    return [found[name].tolist() for name in sorted(found)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.tflite"


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def test_loops_and_branches(path: Path) -> None:
    report = export(collatz, path, INT)
    assert ("tflite", [str(path)]) == (report.format, report.files)
    assert ["integer overflow"] == [each.subject for each in report.omissions]
    assert [[111], [0]] == [run(path, n=np.int32(n)) for n in (27, 1)]


def test_the_command_line_writes_a_model(path: Path) -> None:
    target = f"{path.parent / 'model.py'}:collatz"
    source = inspect.getsource(collatz)
    (path.parent / "model.py").write_text(source, encoding="utf-8")
    words = ["export", target, "27", "--format", "tflite", "-o", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "autograph", *words], capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert f"tflite: {path}" == done.stdout.splitlines()[0]
    assert [9] == run(path, n=np.int32(12))


def last_of_range(start, stop, step):
    count, last = 0, -1
    for i in range(start, stop, step):
        count += 1
        last = i
    return count, last


def test_an_absent_bias_is_no_loop_variable(path: Path) -> None:
    def moved(points, centres):
        change = 1.0
        while change > 0.0001:
            distances = rt.reduce_sum((points[:, None] - centres[None]) ** 2, -1)
            nearest = rt.one_hot(rt.argmin(distances, 1), 2)
            counts = rt.reduce_sum(nearest, 0)[:, None]
            new = rt.math.divide_no_nan(rt.transpose(nearest) @ points, counts)
            change, centres = rt.reduce_max(rt.abs(new - centres)), new
        return centres

    export(moved, path, rt.TensorSpec((None, 2), rt.float32), rt.TensorSpec((2, 2), rt.float32))
    points = np.array([[0, 0], [0, 2], [4, 0], [4, 4]], np.float32)
    assert [[[0, 1], [4, 2]]] == run(path, points=points, centres=points[1:3])


def test_the_greatest_item_of_a_list_that_may_be_empty(path: Path) -> None:
    def greatest(n):
        kept = [v for v in [3, -5] if v > n]
        return max(kept, default=-1), min(kept, default=1)

    export(greatest, path, INT)
    for n in (-9, 0, 5):
        assert [each.numpy() for each in map(rt.constant, greatest(n))] == run(path, n=np.int32(n))


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16", "uint16"])
def test_narrow_integers_wrap_around_and_compare(kind: str, path: Path) -> None:
    def computed(x, y):
        least = rt.minimum(x, y), rt.reduce_max(x), rt.where(x == y, x, x // y), x % y
        return x + y, x - y, x * y, x > y, x <= y, x != y, *least

    spec = rt.TensorSpec((None,), kind)
    export(computed, path, spec, spec)
    x, y = np.array([120, 7, 3], kind), np.array([11, 7, 2], kind)
    found = signature(path)(x=x, y=y)
    for at, wanted in enumerate(computed(rt.constant(x), rt.constant(y))):
        made = found[f"output_{at}"]
        assert (wanted.numpy().dtype, wanted.numpy().tolist()) == (made.dtype, made.tolist()), at


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16", "uint16"])
@pytest.mark.parametrize(
    "move",
    (
        lambda x: rt.pad(x, [[1, 0], [0, 2]]),
        lambda x: rt.pad(x, [[1, 0], [0, 2]], "REFLECT"),
        lambda x: rt.tile(x, [2, 1]),
        lambda x: rt.transpose(rt.concat([x, x], 0)),
        lambda x: rt.stack([x[1:, ::2], x[:2, 1::2]], 1),
        lambda x: rt.reverse(rt.slice(x, [1, 0], [2, 2]), [1]),
        lambda x: rt.cumsum(rt.sign(x) + x, 1),
        lambda x: rt.argmax(x, 1),
        lambda x: rt.gather(x, [2, 0], axis=1),
        lambda x: rt.roll(x, [1, -1], [0, 1]),
        lambda x: rt.fill((2, 3), x[1, 1]),
        lambda x: rt.unique(x[0])[0],
    ),
)
def test_narrow_integers_are_moved(move: Any, kind: str, path: Path) -> None:
    x = np.arange(12).reshape(3, 4).astype(kind)
    export(move, path, rt.TensorSpec((3, 4), kind))
    (found,) = run(path, x=x)
    np.testing.assert_array_equal(found, move(rt.constant(x)).numpy())


def test_infinite_constants_stay_infinite(path: Path) -> None:
    ends = rt.constant([np.inf, -np.inf, 1.0], rt.float32)

    def infinite(x):
        chosen = rt.where(x > 0.0, x, -np.inf)
        return rt.math.is_inf(x), chosen, x + np.inf, ends, x / 0.0, x / rt.constant([0.0, 2, -4])

    x = np.array([0.0, np.inf, 2.0], np.float32)
    export(infinite, path, rt.TensorSpec((3,), rt.float32))
    for found, expected in zip(run(path, x=x), infinite(rt.constant(x)), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_elements_under_a_mask_of_several_axes(path: Path) -> None:
    def large(x):
        return rt.boolean_mask(x, x > 3.0), rt.boolean_mask(x[:, :, rt.newaxis], x > 3.0)

    x = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    export(large, path, rt.TensorSpec((3, 4), rt.float32))
    for found, expected in zip(run(path, x=x), large(rt.constant(x))):
        np.testing.assert_array_equal(found, expected)


def test_a_loop_variable_takes_the_former_value_of_another_one(path: Path) -> None:
    export(last_of_range, path, INT, INT, INT)
    for given in ((1, 10, 3), (5, 5, 1), (0, -7, -2)):
        arrays = dict(zip(("start", "stop", "step"), map(np.int32, given)))
        assert [int(x) for x in last_of_range(*given)] == run(path, **arrays)


def swapped(a, b, n):
    for _ in range(n):
        a, b = b, a
    return a, b


def test_loop_variables_are_swapped(path: Path) -> None:
    export(swapped, path, INT, INT, INT)
    for n in range(4):
        assert list(swapped(1, 2, n)) == run(path, a=np.int32(1), b=np.int32(2), n=np.int32(n))


def one_value_twice(x, y):
    if x > 0:
        x = x + y
        y = x
    return x, y


def test_a_branch_returns_a_value_twice(path: Path) -> None:
    export(one_value_twice, path, INT, INT)
    for given in ((3, 1), (-3, 1)):
        arrays = dict(zip("xy", map(np.int32, given)))
        assert list(one_value_twice(*given)) == run(path, **arrays)


def squares(n):
    found = []
    for i in range(n):
        found.append(i * i)
    if n > 2:
        found.pop()
        found[-1] = 7
    return found, len(found)


def test_a_list_grows(path: Path) -> None:
    graph = ag.function(squares).get_concrete_function(INT).graph
    found = LoweredModule([prepared(Signature.of(graph)._replace(name="serving_default"))])
    path.write_bytes(found.model())
    assert "the list 'output_0' is returned as tensors: output_0" in found.notes
    for n in range(1, 5):
        assert list(squares(n)) == run(path, n=np.int32(n))


def element_set(x, i):
    x[i] = 5.0
    x[:1] = -1.0
    return x


def test_elements_are_written(path: Path) -> None:
    export(element_set, path, rt.TensorSpec((3,), rt.float32), INT)
    x = np.ones(3, np.float32)
    assert [[-1, 1, 5]] == run(path, x=x, i=np.int32(2))
    assert [[-1, 5, 1]] == run(path, x=x, i=np.int32(-2))


def by_index(index, x):
    return rt.switch_case(index, [lambda: x, lambda: x + 1, lambda: x * 2])


def test_several_branches(path: Path) -> None:
    export(by_index, path, INT, INT)
    assert [[5], [6], [10]] == [run(path, index=np.int32(at), x=np.int32(5)) for at in range(3)]


# -- state -----------------------------------------------------------------------------------------


def test_a_written_variable_is_state_of_an_interpreter(path: Path) -> None:
    total = rt.Variable([1, 2], name="total")

    def add(n: Any) -> Any:
        if n > 0:
            for i in range(n):
                total.assign_add([i, 1])
        total[0].assign(total[0] * 2)
        return total + 0

    report = export(add, path, INT)
    assert "'total' begins with its present value" in report.notes[0]
    held = signature(path)
    other = signature(path)
    expected = [[4, 4], [10, 6], [20, 6]]
    found = [held(n=np.int32(n))["output_0"].tolist() for n in (2, 2, 0)]
    assert expected == found
    assert [4, 4] == other(n=np.int32(2))["output_0"].tolist()
    assert [1, 2] == total.numpy().tolist()


class Counter(rt.Module):
    """Two functions with one state."""

    def __init__(self) -> None:
        super().__init__()
        self.total = rt.Variable(3)
        self.step = rt.Variable(2)

    @ag.function(input_signature=[INT])
    def add(self, amount):
        return self.total.assign_add(amount * self.step)

    @ag.function(input_signature=[])
    def read(self):
        return {"total": self.total + 0}


def test_signatures_share_variables(path: Path) -> None:
    counter = Counter()
    functions = {"add": counter.add, "read": counter.read}
    ag.export(counter, path, "tflite", signatures=functions, converter="litert")
    model = interpreter.Interpreter(str(path))
    assert {"add", "read"} == set(model.get_signature_list())
    read, add = (model.get_signature_runner(name) for name in ("read", "add"))
    assert 3 == read()["total"] and 13 == add(amount=np.int32(5))["output_0"]
    assert 13 == read()["total"]


# -- what is left out ------------------------------------------------------------------------------


def checked(n):
    if n < 0:
        raise ValueError("negative")
    return n + 1


def test_raise_is_left_out_and_reported(path: Path) -> None:
    report = export(checked, path, INT)
    (omission,) = report.omissions
    assert "raise ValueError" == omission.subject and __file__ == omission.origin.filename
    assert [-4] == run(path, n=np.int32(-5))


def test_strict_refuses_it_and_writes_nothing(path: Path) -> None:
    with pytest.raises(UnimplementedError, match="raise ValueError"):
        export(checked, path, INT, strict=True)
    assert not path.exists()


def test_an_op_without_a_kernel_is_refused_at_its_line(path: Path) -> None:
    def halves(x: Any) -> Any:
        y = x + 1.0
        return y / 3.0

    with pytest.raises(UnimplementedError) as caught:
        export(halves, path, rt.TensorSpec((), rt.float64))
    assert "`return y / 3.0`" in str(caught.value) and "RealDiv" in str(caught.value)
    assert not path.exists()


# -- TensorFlow's names ----------------------------------------------------------------------------


def test_the_converter_of_a_model() -> None:
    rt.random.set_seed(2)
    layers = [rt.nn.layers.Dense(3, activation="relu", input_shape=(2,)), rt.nn.layers.Dense(1)]
    model = rt.nn.Sequential(layers)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    data = converter.convert()
    assert [] == converter.report.omissions
    runner = tf.lite.Interpreter(model_content=data).get_signature_runner("serving_default")
    x = np.array([[1.0, 2.0]], np.float32)
    (given,) = runner.get_input_details()
    np.testing.assert_allclose(runner(**{given: x})["output_0"], model(x).numpy(), rtol=1e-6)


def test_the_converter_of_functions() -> None:
    found = [ag.function(each).get_concrete_function(INT) for each in (collatz, checked)]
    data = tf.lite.TFLiteConverter.from_concrete_functions(found).convert()
    model = tf.lite.Interpreter(model_content=data)
    assert {"collatz", "checked"} == set(model.get_signature_list())
    assert 111 == model.get_signature_runner("collatz")(n=np.int32(27))["output_0"]


def test_the_converter_of_a_saved_model(tmp_path: Path) -> None:
    counter = Counter()
    functions = {"add": counter.add, "read": counter.read}
    tf.saved_model.save(counter, tmp_path / "counter", signatures=functions)
    make = tf.lite.TFLiteConverter.from_saved_model
    data = make(tmp_path / "counter", signature_keys=["add"]).convert()
    model = tf.lite.Interpreter(model_content=data)
    assert {"add": {"inputs": ["amount"], "outputs": ["output_0"]}} == model.get_signature_list()
    assert 13 == model.get_signature_runner("add")(amount=np.int32(5))["output_0"]
    with pytest.raises(ag.errors.ExportError, match="no signature 'none', only"):
        make(tmp_path / "counter", signature_keys=["none"])


def test_a_variable_that_grows_is_refused(path: Path) -> None:
    # LiteRT ends the process if a variable gets another shape.
    held = rt.Variable([1.0], shape=(None,), name="held")

    def grown(x):
        held.assign(rt.concat([held, x], 0))
        return held + 1.0

    with pytest.raises(UnimplementedError, match="keep their shapes, and 'held' does not") as error:
        export(grown, path, rt.TensorSpec((None,), rt.float32))
    assert "held.assign(rt.concat([held, x], 0))" in str(error.value)


def test_a_table_of_numbers(path: Path) -> None:
    pairs = rt.lookup.KeyValueTensorInitializer([3, 9, 4], [0.5, 1.5, 2.5])
    table = rt.lookup.StaticHashTable(pairs, -1.0)
    export(table.lookup, path, rt.TensorSpec((None,), rt.int32))
    assert [[1.5, -1.0, 0.5]] == run(path, keys=np.array([9, 1, 3], np.int32))


def test_a_list_of_items_of_unknown_sizes(path: Path) -> None:
    def rows(x, n):
        doubled, found = [x, x + 1.0], []
        for i in range(n):
            doubled[i % 2] = doubled[i % 2] * 2.0
            found.append(doubled[i % 2])
        if n > 2:
            found.append(x)
        return rt.stack([*found, x])

    export(rows, path, rt.TensorSpec((None, 2), rt.float32), INT)
    for size, count in [(3, 4), (1, 0), (0, 2)]:
        x = np.full((size, 2), 3.0, np.float32)
        expected = rows(rt.constant(x), count).numpy()
        assert [expected.tolist()] == run(path, x=x, n=np.int32(count))


def test_numbers_of_uint16_are_repeated(path: Path) -> None:
    export(lambda x: rt.broadcast_to(x, (2, 2)), path, rt.TensorSpec((2,), rt.uint16))
    assert [[[1, 65535]] * 2] == run(path, x=np.array([1, 65535], np.uint16))


@pytest.mark.parametrize("dims", [(2, 2, 3), (None, None, None)])
def test_main_diagonals(dims: tuple[int | None, ...], path: Path) -> None:
    def diagonals(x):
        return rt.linalg.diag_part(x), rt.linalg.trace(x)

    export(diagonals, path, rt.TensorSpec(dims, rt.float32))
    x = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    assert [[[0.0, 4.0], [6.0, 10.0]], [4.0, 16.0]] == run(path, x=x)


def test_a_loss_of_labels(path: Path) -> None:
    loss = rt.nn.sparse_softmax_cross_entropy_with_logits
    logits = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, np.inf], [2.0, 0.0, 2.0]], np.float32)
    labels = np.array([0, 2, 1], np.int32)
    specs = rt.TensorSpec((None,), rt.int32), rt.TensorSpec((None, 3), rt.float32)
    export(lambda labels, logits: loss(labels, logits), path, *specs)
    (found,) = run(path, labels=labels, logits=logits)
    np.testing.assert_allclose(found, loss(labels, logits).numpy(), rtol=1e-5)


def test_a_softplus_of_large_numbers(path: Path) -> None:
    export(rt.nn.softplus, path, rt.TensorSpec((None,), rt.float32))
    (found,) = run(path, features=np.array([-200.0, 0.0, 100.0, np.inf], np.float32))
    np.testing.assert_allclose(found, [0.0, np.log(2.0), 100.0, np.inf], rtol=1e-5)


def test_half_a_power_of_zero_and_infinity(path: Path) -> None:
    export(lambda x: (x**0.5, x**-0.5), path, rt.TensorSpec((None,), rt.float32))
    x = np.array([-np.inf, -1.0, -0.0, 0.0, 4.0, np.inf, np.nan], np.float32)
    for exponent, found in zip((0.5, -0.5), run(path, x=x)):
        expected = (rt.constant(x) ** exponent).numpy()
        np.testing.assert_allclose(np.abs(found), np.abs(expected), rtol=1e-6)
        assert np.signbit(expected).tolist() == np.signbit(found).tolist()


LOSE_NAN = {
    "argmax": lambda x: rt.argmax(x, 1),
    "argmin": lambda x: rt.argmin(x, 1),
    "avg_pool": lambda x: rt.nn.avg_pool(x[:, :, None], 2, 2, "VALID"),
    "exp": rt.exp,
    "expm1": rt.math.expm1,
    "max_pool": lambda x: rt.nn.max_pool(x[:, :, None], 2, 2, "VALID"),
    "maximum": lambda x: rt.maximum(x, [1.0, 2.0, 3.0, 4.0]),
    "minimum": lambda x: rt.minimum([1.0, 2.0, 3.0, 4.0], x),
    "reduce_max": lambda x: rt.reduce_max(x, 1),
    "reduce_min": lambda x: rt.reduce_min(x, 1),
    "top_k": lambda x: rt.math.top_k(x, 1)[0],
    "unsorted_segment_max": lambda x: rt.math.unsorted_segment_max(x, [0, 1], 2),
    "unsorted_segment_min": lambda x: rt.math.unsorted_segment_min(x, [0, 1], 2),
}
KEEP_NAN = {
    "sum": lambda x: rt.reduce_sum(x, 1),
    "mean": lambda x: rt.reduce_mean(x, 1),
    "cumsum": lambda x: rt.cumsum(x, 1),
    "log": rt.log,
    "tanh": rt.tanh,
    "sigmoid": rt.sigmoid,
    "relu": rt.nn.relu,
    "relu6": rt.nn.relu6,
    "elu": rt.nn.elu,
    "gelu": rt.nn.gelu,
    "softplus": rt.nn.softplus,
    "softmax": rt.nn.softmax,
    "log_softmax": rt.nn.log_softmax,
    "not": lambda x: rt.logical_not(x > 0.0),
    "where": lambda x: rt.where(x != x, 7.0, x),
    "times 0": lambda x: x * 0.0,
    "times zeros": lambda x: x * rt.zeros((2, 4)),
    "0 times": lambda x: 0.0 * (x + 1.0) + 1.0,
    "power 0": lambda x: x**0.0,
}


@pytest.mark.parametrize("length", [4, None])
def test_nan_is_kept_or_reported(length: int | None, path: Path) -> None:
    spec = rt.TensorSpec((None, length), rt.float32)
    report = export(lambda x: {name: f(x) for name, f in KEEP_NAN.items()}, path, spec)
    assert [] == report.omissions
    x = np.array([[np.nan, 3.0, 2.0, 1.0], [2.0, 1.0, np.nan, 4.0]], np.float32)
    for name, found in signature(path)(x=x).items():
        expected = KEEP_NAN[name](rt.constant(x)).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-3, equal_nan=True, err_msg=name)
    report = export(lambda x: {name: f(x) for name, f in LOSE_NAN.items()}, path, spec)
    assert {"NaN"} == {each.subject for each in report.omissions}
    told = {each.reason.split()[1] for each in report.omissions}
    assert set(LOSE_NAN) == told and len(NOT_KEEPING_NAN) == len(told)


def test_an_op_that_loses_nan_has_a_line(path: Path) -> None:
    def scores(x):
        y = rt.exp(x)
        return rt.exp(y) + rt.cast(rt.reduce_max(rt.cast(x, rt.int32)), rt.float32)

    report = export(scores, path, rt.TensorSpec((3,), rt.float32))
    (line,) = report.omissions
    assert "NaN: LiteRT's exp gives 0\n    y = rt.exp(x)" in str(line)
    with pytest.raises(UnimplementedError, match="NaN: LiteRT's exp gives 0"):
        export(scores, path, rt.TensorSpec((3,), rt.float32), strict=True)


NEW_AXES = {
    "last": lambda x, n: x[..., None],
    "middle": lambda x, n: x[:, None, 1:],
    "several": lambda x, n: x[None, 0, None, ::2, None],
    "counted": lambda x, n: x[n, ..., None],
    "both sides": lambda x, n: x[:, None, ..., None, ::-1],
}


@pytest.mark.parametrize("sizes", [(None, None), (None, 6), (4, 6)])
def test_new_axes_of_unknown_sizes(sizes: tuple[int | None, ...], path: Path) -> None:
    def axes(x, n):
        return {name: f(x, n) for name, f in NEW_AXES.items()}

    export(axes, path, rt.TensorSpec(sizes, rt.float32), INT)
    x, n = np.arange(24, dtype=np.float32).reshape(4, 6), np.int32(2)
    for name, found in signature(path)(x=x, n=n).items():
        assert NEW_AXES[name](x, n).tolist() == found.tolist(), name


def reversed_rows(x):
    rows = list(x)[::-1]
    rows[1] = rows[0] * 2.0
    total = x[0] * 0.0
    for row in rows:
        total = total * 0.5 + row
    return total


def test_items_are_rows_of_an_unknown_size(path: Path) -> None:
    export(reversed_rows, path, rt.TensorSpec((None, None), rt.float32))
    for x in (np.arange(6, dtype=np.float32).reshape(3, 2), np.ones((2, 1), np.float32)):
        assert [reversed_rows(x).tolist()] == run(path, x=x)


def test_an_item_of_another_size_fails(path: Path) -> None:
    def replaced(x, y):
        rows = list(x)
        rows[0] = y
        return rows[1]

    export(replaced, path, *[rt.TensorSpec((None,) * rank, rt.float32) for rank in (2, 1)])
    with pytest.raises(RuntimeError):
        run(path, x=np.ones((2, 3), np.float32), y=np.ones(1, np.float32))

"""Files of StableHLO: JAX alone loads them and computes the same, with batches of any size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.__main__ import main
from autograph.errors import ExportError
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.executors.jax.rules.jax_modules import with_64_bits

jax = pytest.importorskip("jax")
S = rt.TensorSpec


def _exported(what: Any, folder: Path, **options: Any) -> tuple[Any, Any]:
    path = folder / "f.stablehlo"
    report = ag.export(what, path, format="stablehlo", **options)
    return report, jax.export.deserialize(bytearray(path.read_bytes()))


def _assert_same(what: Any, loaded: Any, *arrays: np.ndarray) -> None:
    expected = rt.nest.flatten(what(*map(rt.constant, arrays)))
    with with_64_bits():
        found = loaded.call(*arrays)
    for a, b in zip(expected, found):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def _floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype("float32")


def _model(*layers: Any, shape: tuple[Any, ...]) -> Any:
    model = rt.nn.Sequential(list(layers))
    model.build(shape)
    return model


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_a_model_takes_batches_of_any_size(batch, tmp_path) -> None:
    layers = rt.nn.layers
    dense = _model(
        layers.Dense(8, activation="relu"),
        layers.Dropout(0.5),
        layers.BatchNormalization(),
        layers.Dense(4, activation="softmax"),
        shape=(None, 6),
    )
    images = _model(
        layers.Conv2D(4, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(3),
        shape=(None, 8, 8, 1),
    )
    for model, shape in ((dense, (6,)), (images, (8, 8, 1))):
        report, loaded = _exported(model, tmp_path)
        assert [] == report.omissions
        assert "batch" == str(loaded.in_avals[0].shape[0])
        _assert_same(model, loaded, _floats(batch, *shape))


ROWS, SEQUENCES = S((None, 3), rt.float32), S((None, None, 8), rt.float32)


def new_axis(x):
    return x[:, None] - x[None]


def ends_of_slices(x):
    return x[1:] - x[:-1], x[::-1], x[:2], x[::2], x[-2:], x[1]


def last_step(x):
    return x[:, -1], x[:, ::-1]


def heads(x):
    batch, steps = rt.shape(x)[0], rt.shape(x)[1]
    return rt.transpose(rt.reshape(x, [batch, steps, 2, 4]), [0, 2, 1, 3])


def joined_sizes(x):
    return rt.reshape(x, rt.concat([rt.shape(x)[:-1], [2, 4]], 0)), rt.size(x)


def merged_axes(x):
    rows = rt.shape(x)[0] * rt.shape(x)[1]
    return rt.reshape(x, [rows, 8]), rt.zeros([rows // 2, 4]), rt.ones_like(x)


def triangle(x):
    steps = rt.shape(x)[1]
    i = rt.range(steps)
    return rt.linalg.band_part(rt.ones([steps, steps]), -1, 0), i[:, None] >= i


def backwards(x):
    return rt.gather(x, rt.range(rt.shape(x)[0] - 1, -1, -1))


def cut_back(x):
    return rt.pad(x, [[0, 0], [0, 2], [0, 0]])[:, : rt.shape(x)[1]]


def mean_of_some(x):
    return rt.reduce_mean(rt.boolean_mask(x, x[:, 0] > 0), 0)


OF_SIZES = {
    new_axis: ROWS,
    ends_of_slices: ROWS,
    backwards: ROWS,
    mean_of_some: ROWS,
    last_step: SEQUENCES,
    heads: SEQUENCES,
    joined_sizes: SEQUENCES,
    merged_axes: SEQUENCES,
    triangle: SEQUENCES,
    cut_back: SEQUENCES,
}


@pytest.mark.parametrize("function", OF_SIZES, ids=lambda each: each.__name__)
def test_sizes_that_only_a_run_knows_are_symbols(function, tmp_path) -> None:
    staged = ag.function(function, input_signature=[OF_SIZES[function]])
    _, loaded = _exported(staged, tmp_path)
    for sizes in ((4, 6), (2, 3)):
        _assert_same(
            staged,
            loaded,
            _floats(*sizes[: len(OF_SIZES[function].shape) - 1], OF_SIZES[function].shape[-1]),
        )


def test_attention_takes_sequences_of_any_length(tmp_path) -> None:
    layer = rt.nn.layers.MultiHeadAttention(2, 4)
    attended = ag.function(lambda x: layer(x, x, use_causal_mask=True), input_signature=[SEQUENCES])
    _, loaded = _exported(attended, tmp_path)
    for shape in ((2, 5, 8), (1, 3, 8)):
        _assert_same(attended, loaded, _floats(*shape))


@ag.function(input_signature=[S((None,), rt.float32), S((None, None), rt.float32)])
def walked(xs, rows):
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        total += x
    while total > 10.0:
        total = total / 2.0
    return total, rt.shape(rows)[1], rt.concat([xs, xs], 0), rt.reduce_mean(rows, 1)


def test_loops_and_shapes_follow_the_sizes_of_the_inputs(tmp_path) -> None:
    report, loaded = _exported(walked, tmp_path)
    assert ["batch"] == [str(size) for size in loaded.in_avals[0].shape]
    assert ["batch", "rows_1"] == [str(size) for size in loaded.in_avals[1].shape]
    assert "inputs: xs, rows" in report.notes
    for rows, columns in ((1, 3), (4, 2)):
        _assert_same(walked, loaded, 5.0 * _floats(rows), _floats(rows, columns))


def test_variables_are_constants_or_inputs_and_results(tmp_path) -> None:
    w, n = rt.Variable([1.0, 2.0], name="w"), rt.Variable(3, name="n", dtype=rt.int64)

    @ag.function(input_signature=[S((None, 2), rt.float32)])
    def counted(x):
        n.assign_add(2)
        return {"y": x * w, "n": n.read_value()}

    report, loaded = _exported(counted, tmp_path)
    assert ["inputs: x, n", "results: n, y, n:out"] == [
        each for each in report.notes if each.startswith(("inputs", "results"))
    ]
    assert 3 == n.numpy()
    with with_64_bits():
        before, y, after = loaded.call(_floats(3, 2), np.int64(5))
    assert (7, 7) == (int(before), int(after))
    np.testing.assert_array_equal(_floats(3, 2) * [1.0, 2.0], y)


ALONE = """\
import sys
import numpy as np
from jax import export
loaded = export.deserialize(bytearray(open(sys.argv[1], "rb").read()))
print(int(loaded.call(np.int32(27))[0]))
assert not {"autograph", "runtime"} & set(sys.modules)
"""


@ag.function(input_signature=[S((), rt.int32)])
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_jax_alone_runs_a_file(tmp_path) -> None:
    _exported(collatz, tmp_path)
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "f.stablehlo")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "111\n" == ended.stdout, ended.stderr


@ag.function(input_signature=[S((None,), rt.int32), S((), rt.int32)])
def checked(xs, at):
    assert rt.reduce_all(xs > 0), "positive"
    if at > 5:
        raise ValueError("too far")
    return xs[at] // 2


def test_the_report_lists_the_exceptions_of_python(tmp_path) -> None:
    report, loaded = _exported(checked, tmp_path)
    subjects = [each.subject for each in report.omissions]
    assert {"assert", "raise ValueError", "strided_slice"} == set(subjects)
    lines = {each.origin.line_text() for each in report.omissions}
    assert {"if at > 5:", "return xs[at] // 2"} < lines
    _assert_same(checked, loaded, np.array([4, 6], np.int32), np.int32(1))
    with pytest.raises(UnimplementedError, match="raise ValueError: a file has no errors"):
        _exported(checked, tmp_path, strict=True)


@ag.function(input_signature=[S((None,), rt.float32)])
def listed(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(x)
    return rt.stack(found)


@ag.function(input_signature=[S((), rt.int32)])
def caught(n):
    try:
        if n > 3:
            raise ValueError("large")
        return 12 // n
    except ZeroDivisionError:
        return -1
    except ValueError:
        return -7


def test_a_try_is_in_the_file_as_branches(tmp_path) -> None:
    _, loaded = _exported(caught, tmp_path)
    assert [-1, 4, -7] == [int(loaded.call(np.int32(n))[0]) for n in (0, 3, 9)]


@ag.function(input_signature=[S((), rt.string)])
def text(x):
    return x + "!"


@ag.function(input_signature=[S((None,), rt.float32)])
def masked(xs):
    return xs[xs > 0]


@pytest.mark.parametrize(
    "function, message",
    [
        (listed, "its size does not follow from those of the inputs"),
        (text, "the input 'x' does not go into a StableHLO file"),
        (masked, "does not go into a StableHLO file"),
    ],
)
def test_what_a_file_cannot_have_is_refused(function, message, tmp_path) -> None:
    with pytest.raises(UnimplementedError, match=message):
        _exported(function, tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_platforms_are_chosen_by_name(tmp_path) -> None:
    _, loaded = _exported(collatz, tmp_path, platforms=("cpu", "cuda"))
    assert ("cpu", "cuda") == tuple(loaded.platforms)
    with pytest.raises(ArgumentValueError, match="platforms must be names"):
        _exported(collatz, tmp_path, platforms=3)
    for wrong, hint in (("gpux", "rocm, tpu"), ("gpu", ": cuda or rocm"), ("cuad", "'cuda'")):
        with pytest.raises(ArgumentValueError, match=f"among cpu, cuda, .*{hint}"):
            _exported(collatz, tmp_path, platforms=("cpu", wrong))
    with pytest.raises(ExportError, match="has no option 'opset'"):
        _exported(collatz, tmp_path, opset=3)


def test_the_command_line_writes_a_file(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "model.py").write_text("def double(x):\n    return x + x\n")
    monkeypatch.chdir(tmp_path)
    words = ["export", "model.py:double", "[1.5]", "--format", "stablehlo", "-o", "d.stablehlo"]
    assert 0 == main(words)
    assert capsys.readouterr().out.startswith("stablehlo: d.stablehlo\ninputs: x\n")
    loaded = jax.export.deserialize(bytearray((tmp_path / "d.stablehlo").read_bytes()))
    assert [3.0] == np.asarray(loaded.call(np.array([1.5], np.float32))[0]).tolist()


@pytest.mark.parametrize("kind", ("LSTM", "GRU", "SimpleRNN"))
@pytest.mark.parametrize("steps", (None, 5))
def test_recurrent_layers_take_any_number_of_steps(
    kind: str, steps: int | None, tmp_path: Path
) -> None:
    layers = rt.nn.layers
    first = layers.Bidirectional(getattr(layers, kind)(3, return_sequences=True))
    model = _model(first, getattr(layers, kind)(2), layers.Dense(1), shape=(None, steps, 2))
    concrete = ag.function(model).get_concrete_function(S((None, steps, 2), rt.float32))
    report, loaded = _exported(concrete, tmp_path, strict=True)
    assert [] == report.omissions
    _assert_same(model, loaded, _floats(3, 5, 2))
    _assert_same(model, loaded, _floats(1, steps or 2, 2))


def test_lists_grow_in_loops_over_an_axis(tmp_path: Path) -> None:
    def rows(x):
        out = [x[0]]
        for row in x:
            out.append(row * 2.0)
            out += [row, -row]
        return rt.stack(out)

    def positive(x):
        out = []
        for row in x:
            if rt.reduce_sum(row) > 0.0:
                out.append(row)
        total = rt.constant(0.0)
        for row in out:
            total += rt.reduce_sum(row) * rt.cast(len(out), rt.float32)
        return total

    for function in (rows, positive):
        concrete = ag.function(function).get_concrete_function(S((None, 2), rt.float32))
        _, loaded = _exported(concrete, tmp_path)
        for size in (1, 4):
            _assert_same(function, loaded, _floats(size, 2))


def test_lists_grow_on_paths_outside_of_loops(tmp_path: Path) -> None:
    def kept(x):
        out = []
        for v in x:
            if v > 0.0:
                out.append(v)
        if x[0] < 1.0:
            out.insert(0, x[0] * 3.0)
        total = rt.constant(0.0)
        for v in out:
            total = total * 2.0 + v
        return total, rt.constant(len(out))

    def until(x):
        out = []
        for v in x:
            if v > 3.0:
                break
            out.append(v)
        return rt.constant(len(out))

    for function in (kept, until):
        for size in (4, None):
            concrete = ag.function(function).get_concrete_function(S((size,), rt.float32))
            _, loaded = _exported(concrete, tmp_path)
            for first in (-2.0, 0.5, 2.0, 5.0):
                x = np.array([first, 1.0, -4.0, 8.0], np.float32)
                _assert_same(ag.function(function), loaded, x)


def test_lists_that_grow_as_only_a_run_knows_are_refused(tmp_path: Path) -> None:
    def collatz(n):
        found = []
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            found.append(n)
        return rt.stack(found)

    def twice(x):
        out = []
        for row in x:
            out.append(row)
        while rt.reduce_sum(out[-1]) < 9.0:
            out.append(out[-1] + 1.0)
        return rt.stack(out)

    for function, spec in ((collatz, S((), rt.int32)), (twice, S((None, 2), rt.float32))):
        concrete = ag.function(function).get_concrete_function(spec)
        with pytest.raises(UnimplementedError, match="a list whose length only a run knows"):
            _exported(concrete, tmp_path)


def test_parts_up_to_a_size_of_an_input(tmp_path: Path) -> None:
    table = rt.constant(_floats(16, 3))

    def placed(x):
        return x + table[1 : rt.shape(x)[1] + 1]

    concrete = ag.function(placed).get_concrete_function(S((None, None, 3), rt.float32))
    report, loaded = _exported(concrete, tmp_path)
    assert "sizes: x_1 + 1 <= 16" in report.notes
    _assert_same(placed, loaded, _floats(2, 15, 3))
    with pytest.raises(ValueError, match="shapes"):
        loaded.call(_floats(2, 16, 3))


def steepest(x):
    """Append in a loop that does not run for a single row."""
    slopes = []
    for row in x[1:] - x[:-1]:
        slopes.append(row * 2.0)
    return rt.reduce_max(rt.stack(slopes), 0)


@pytest.mark.parametrize(
    "function, specs, note, shapes, others",
    [
        (
            lambda x: rt.reshape(x, (-1, 4)),
            [S((None, None), rt.float32)],
            "sizes: mod(batch*x_1, 4) == 0",
            [(2, 6)],
            [(1, 6)],
        ),
        (
            lambda x: rt.reshape(x, (2, 3)) * 2.0,
            [S((None,), rt.float32)],
            "sizes: batch == 6",
            [(6,)],
            [(4,)],
        ),
        (
            steepest,
            [S((None, 2), rt.float32)],
            "sizes: batch - 1 >= 1",
            [(4, 2)],
            [(1, 2)],
        ),
        (
            lambda x, y: rt.where(x > y, x - y, 0.0),
            [S((None, None), rt.float32), S((None, None), rt.float32)],
            "sizes: x_1 == y_1",
            [(2, 3), (2, 3)],
            [(2, 3), (2, 4)],
        ),
        (
            lambda q, k, v: rt.nn.softmax(rt.matmul(q, k, transpose_b=True)) @ v,
            [S((None, None, None), rt.float32)] * 3,
            "sizes: q_2 == k_2",
            [(2, 3, 4), (2, 5, 4), (2, 5, 6)],
            [(2, 3, 4), (2, 5, 4), (2, 4, 6)],
        ),
        (
            lambda x, y: x @ y,
            [S((None, None), rt.float32)] * 2,
            "sizes: x_1 == y_0",
            [(2, 3), (3, 4)],
            [(2, 3), (4, 3)],
        ),
        (
            lambda x, y, z: (x + z) @ y,
            [S((None, None), rt.float32)] * 3,
            "sizes: x_0 == z_0",
            [(2, 3), (3, 4), (2, 3)],
            [(2, 3), (3, 4), (1, 3)],
        ),
    ],
)
def test_sizes_on_which_operands_fit(function, specs, note, shapes, others, tmp_path: Path) -> None:
    concrete = ag.function(function).get_concrete_function(*specs)
    report, loaded = _exported(concrete, tmp_path)
    assert note in report.notes
    assert [] == report.omissions
    _assert_same(function, loaded, *(_floats(*shape) for shape in shapes))
    with pytest.raises(ValueError, match="constraint|shape"):
        loaded.call(*(_floats(*shape) for shape in others))


def test_loops_over_ranges_of_tensors(tmp_path: Path) -> None:
    def pairs(n):
        total, last = rt.constant(0), rt.constant(0.0)
        for i in rt.range(1, n, 2):
            for _ in rt.range(i):
                total += i
        for x in rt.range(0.0, rt.cast(n, rt.float32), 0.5):
            last = x
        return total, last

    concrete = ag.function(pairs).get_concrete_function(S((), rt.int32))
    report, loaded = _exported(concrete, tmp_path)
    # The end of the range of floats may be infinite.
    assert 1 == [each.subject for each in report.omissions].count("range")
    for n in (0, 1, 6):
        _assert_same(pairs, loaded, np.array(n, np.int32))
    summed = ag.function(lambda n: rt.reduce_sum(rt.range(n)))
    with pytest.raises(UnimplementedError, match="a tensor whose length only a run knows"):
        _exported(summed.get_concrete_function(S((), rt.int32)), tmp_path)


def test_a_transform_along_an_unknown_axis_is_refused(tmp_path: Path) -> None:
    function = ag.function(rt.signal.rfft)
    _exported(function.get_concrete_function(S((None, 6), rt.float32)), tmp_path)
    concrete = function.get_concrete_function(S((2, None), rt.float32))
    with pytest.raises(UnimplementedError, match="no Fourier transform along an axis"):
        _exported(concrete, tmp_path)


def test_matrices_and_tiles_of_a_size_of_an_input(tmp_path: Path) -> None:
    def squares(x):
        count = rt.shape(x)[0]
        return rt.eye(count) * 2.0 + rt.tile(x[:, rt.newaxis], [1, count])

    concrete = ag.function(squares).get_concrete_function(S((None,), rt.float32))
    _, loaded = _exported(concrete, tmp_path)
    _assert_same(squares, loaded, _floats(4))


@pytest.mark.parametrize("kind", ("Conv1DTranspose", "Conv2DTranspose"))
def test_transposed_convolutions_take_batches_of_any_size(kind: str, tmp_path: Path) -> None:
    axes = 1 if kind == "Conv1DTranspose" else 2
    layer = getattr(rt.nn.layers, kind)(3, 3, strides=2, padding="same")
    size = (4,) * axes + (2,)
    layer(rt.zeros((1, *size)))
    staged = ag.function(lambda x: layer(x), input_signature=[S((None, *size), rt.float32)])
    _, loaded = _exported(staged, tmp_path)
    for batch in (1, 3):
        _assert_same(staged, loaded, _floats(batch, *size))


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("strides", [1, 2])
def test_convolutions_of_images_of_any_size(padding: str, strides: int, tmp_path: Path) -> None:
    filters = rt.constant(_floats(3, 3, 2, 4))

    def convolved(x):
        return rt.nn.conv2d(x, filters, strides, padding)

    concrete = ag.function(convolved).get_concrete_function(S((None, None, None, 2), rt.float32))
    _, loaded = _exported(concrete, tmp_path)
    for shape in ((2, 8, 9, 2), (1, 5, 4, 2)):
        _assert_same(convolved, loaded, _floats(*shape))


def test_each_result_of_a_narrow_float_is_rounded(tmp_path: Path) -> None:
    def product(x):
        b = rt.cast(x, rt.bfloat16)
        return rt.cast(b * b + b, rt.float32)

    concrete = ag.function(product).get_concrete_function(S((None,), rt.float32))
    _, loaded = _exported(concrete, tmp_path)
    x = _floats(20)
    assert np.array_equal(loaded.call(x)[0], product(rt.constant(x)))


def test_segments_of_as_many_as_the_rows_of_an_input(tmp_path: Path) -> None:
    def summed(x, ids):
        return rt.math.unsorted_segment_sum(x, ids, rt.shape(x)[0])

    concrete = ag.function(summed).get_concrete_function(
        S((None, 2), rt.float32), S((None,), rt.int32)
    )
    _, loaded = _exported(concrete, tmp_path)
    _assert_same(summed, loaded, _floats(4, 2), np.array([0, 3, 0, -1], np.int32))

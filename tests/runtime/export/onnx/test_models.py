"""Graphs as ONNX models: control flow, state, lists, files, and omissions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, GraphError, UnimplementedError
from runtime.export.traces import Signature

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from runtime.export.onnx.data_types import _KERNELS, _SHORT  # noqa: E402
from runtime.export.onnx.writing import write_onnx  # noqa: E402

INT = rt.TensorSpec((), rt.int32)


def signature_of(function: Any, *specs: Any) -> Signature:
    return Signature.of(ag.function(function).get_concrete_function(*specs).graph)


def run(path: Any, *arrays: Any) -> list[Any]:
    """Return the results of a model in onnxruntime."""
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    given = zip(session.get_inputs(), arrays)
    return session.run(None, {each.name: np.asarray(array) for each, array in given})


def operators(path: Any) -> set[str]:
    """Return the operators of a model, also of the graphs inside of nodes."""
    found, waiting = set(), [onnx.load(path, load_external_data=False).graph]
    while waiting:
        for node in waiting.pop().node:
            found.add(node.op_type)
            waiting += [each.g for each in node.attribute if each.HasField("g")]
    return found


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def test_a_loop_with_a_branch(tmp_path: Path) -> None:
    write_onnx(signature_of(collatz, INT), tmp_path / "f.onnx")
    assert {"If", "Loop"} <= operators(tmp_path / "f.onnx")
    for n in (1, 6, 27):
        assert [collatz(n)] == [int(x) for x in run(tmp_path / "f.onnx", np.int32(n))]


def test_quotients_and_remainders_round_as_python_does(tmp_path: Path) -> None:
    def f(x, y):
        return x // y, x % y

    for kind in (rt.int32, rt.int64, rt.float32, rt.float64):
        spec = rt.TensorSpec((), kind)
        write_onnx(signature_of(f, spec, spec), tmp_path / "f.onnx")
        for x, y in ((7, 3), (-7, 3), (7, -3), (-7, -3), (6, -3), (0, 5)):
            found = run(tmp_path / "f.onnx", *(np.array(each, kind.np_dtype) for each in (x, y)))
            assert [x // y, x % y] == [each.item() for each in found]


def test_the_least_integer_is_divided(tmp_path: Path) -> None:
    def f(x, y):
        return x // y

    write_onnx(signature_of(f, INT, INT), tmp_path / "f.onnx")
    least = np.int32(-(2**31))
    assert [2**30 * -1] == [x.item() for x in run(tmp_path / "f.onnx", least, np.int32(2))]
    assert [least] == [x.item() for x in run(tmp_path / "f.onnx", least, np.int32(-1))]
    assert [-715827883] == [x.item() for x in run(tmp_path / "f.onnx", least, np.int32(3))]


@pytest.mark.parametrize("kind", (rt.int64, rt.int32, rt.uint8))
def test_sums_of_integers_are_exact_and_wrap_around(kind: Any, tmp_path: Path) -> None:
    def sums(x):
        return rt.reduce_sum(x), rt.reduce_sum(x, 0), rt.reduce_sum(x, 1, keepdims=True)

    write_onnx(signature_of(sums, rt.TensorSpec((None, 3), kind)), tmp_path / "f.onnx")
    bounds = np.iinfo(kind.np_dtype)
    rows = [[bounds.max // 2 + 2, 3, 6], [bounds.max, bounds.max, 7], [bounds.min, bounds.min, 1]]
    x = np.array(rows, kind.np_dtype)
    for expected, found in zip(sums(rt.constant(x)), run(tmp_path / "f.onnx", x)):
        np.testing.assert_array_equal(expected.numpy(), found)


def test_unknown_dimensions_have_names(tmp_path: Path) -> None:
    signature = signature_of(lambda x: x * 2.0, rt.TensorSpec((None, 3), rt.float32, "x"))
    write_onnx(signature, tmp_path / "f.onnx")
    dims = onnx.load(tmp_path / "f.onnx").graph.input[0].type.tensor_type.shape.dim
    assert ["x_0", 3] == [each.dim_param or each.dim_value for each in dims]
    for rows in (1, 4):
        (found,) = run(tmp_path / "f.onnx", np.ones((rows, 3), np.float32))
        assert (rows, 3) == found.shape


def test_the_names_of_a_signature_are_those_of_the_model(tmp_path: Path) -> None:
    named = signature_of(collatz, INT)._replace(inputs=("number",), outputs={"count": 0})
    write_onnx(named, tmp_path / "f.onnx")
    model = onnx.load(tmp_path / "f.onnx").graph
    assert ["number"] == [each.name for each in model.input]
    assert ["count"] == [each.name for each in model.output]


def test_one_name_for_two_inputs_is_refused(tmp_path: Path) -> None:
    named = signature_of(lambda x, y: x + y, INT, INT)._replace(inputs=("x", "x"))
    with pytest.raises(ArgumentValueError, match="'x'"):
        write_onnx(named, tmp_path / "f.onnx")


def test_a_result_with_the_name_of_an_input_has_another(tmp_path: Path) -> None:
    @ag.function(input_signature=[rt.TensorSpec((), rt.int32, "loss")])
    def f(loss):
        return {"loss": loss + 1, "twice": loss * 2}

    path = str(tmp_path / "f.onnx")
    report = ag.export(f, path, format="onnx")
    assert ["the result 'loss' is 'loss:out', since an input is called 'loss'"] == report.notes
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert ["loss:out", "twice"] == [each.name for each in session.get_outputs()]
    assert [4, 6] == [int(x) for x in session.run(None, {"loss": np.array(3, np.int32)})]


def test_the_first_largest_item_is_that_of_python(tmp_path: Path) -> None:
    def f(xs):
        return max(xs), min(xs)

    write_onnx(signature_of(f, rt.TensorSpec((3,), rt.float32)), tmp_path / "f.onnx")
    nan = float("nan")
    for items in ([1.0, 3.0, 2.0], [1.0, nan, 3.0], [nan, 1.0, 2.0], [2.0, 1.0, nan]):
        found = [x.item() for x in run(tmp_path / "f.onnx", np.array(items, np.float32))]
        assert repr([max(items), min(items)]) == repr(found)


# -- state -----------------------------------------------------------------------------------------


def test_a_variable_that_is_read_is_a_constant(tmp_path: Path) -> None:
    weight = rt.Variable([1.0, 2.0], name="weight")
    signature = signature_of(lambda x: x * weight, rt.TensorSpec((2,), rt.float32))
    report = write_onnx(signature, tmp_path / "f.onnx")
    assert [] == report.notes
    (found,) = run(tmp_path / "f.onnx", np.array([3, 4], np.float32))
    assert [3.0, 8.0] == found.tolist()


def test_a_variable_that_is_written_is_an_input_and_a_result(tmp_path: Path) -> None:
    total = rt.Variable(0, name="total")

    def f(n):
        for i in range(n):
            if i % 2 == 1:
                total.assign_add(i)
        return total * 10

    report = write_onnx(signature_of(f, INT), tmp_path / "f.onnx")
    assert "'total:out'" in report.notes[0]
    model = onnx.load(tmp_path / "f.onnx").graph
    assert ["n", "total"] == [each.name for each in model.input]
    assert ["output_0", "total:out"] == [each.name for each in model.output]
    found = run(tmp_path / "f.onnx", np.int32(6), np.int32(5))
    assert [140, 14] == [int(each) for each in found]


def test_a_model_may_have_no_results(tmp_path: Path) -> None:
    write_onnx(signature_of(lambda n: [], INT), tmp_path / "f.onnx")
    session = ort.InferenceSession(tmp_path / "f.onnx", providers=["CPUExecutionProvider"])
    assert [] == session.get_outputs()


def test_all_constants_are_used(tmp_path: Path) -> None:
    """Engines warn of others."""

    def f(n):
        found = [n]
        while n > 1:
            n = n // 2
            found.append(n)
        return rt.stack(found)

    write_onnx(signature_of(f, INT), tmp_path / "f.onnx")
    model = onnx.load(tmp_path / "f.onnx")
    used, waiting = set(), [model.graph]
    while waiting:
        for node in waiting.pop().node:
            used.update(node.input)
            waiting += [each.g for each in node.attribute if each.HasField("g")]
    assert {each.name for each in model.graph.initializer} <= used


# -- lists -----------------------------------------------------------------------------------------


def test_a_list_is_a_tensor_that_grows(tmp_path: Path) -> None:
    def f(n):
        found = []
        for i in range(n):
            found.append(i * i)
        found[-1] = 7
        return found

    report = write_onnx(signature_of(f, INT), tmp_path / "f.onnx")
    assert "the list 'output_0' is returned as tensors: output_0" in report.notes
    assert [0, 1, 4, 7] == run(tmp_path / "f.onnx", np.int32(4))[0].tolist()


def test_a_list_of_lists_has_lengths(tmp_path: Path) -> None:
    def f(n):
        rows = []
        for i in range(n):
            row = []
            for j in range(i):
                row.append(j)
            rows.append(row)
        last = rows.pop()
        rows.insert(0, last)
        return rows

    write_onnx(signature_of(f, INT), tmp_path / "f.onnx")
    lengths, items = run(tmp_path / "f.onnx", np.int32(4))
    assert ([3, 0, 1, 2], [0, 1, 2, 0, 0, 1]) == (lengths.tolist(), items.tolist())


def test_items_of_several_sizes_have_shapes(tmp_path: Path) -> None:
    def f(x, n):
        parts = []
        for i in range(n):
            parts.append(x[i:])
        return parts[1], rt.concat([parts[0], parts[-1]], 0)

    spec = rt.TensorSpec((None,), rt.float32)
    write_onnx(signature_of(f, spec, INT), tmp_path / "f.onnx")
    found = run(tmp_path / "f.onnx", np.arange(4, dtype=np.float32), np.int32(3))
    assert [[1, 2, 3], [0, 1, 2, 3, 2, 3]] == [each.tolist() for each in found]


# -- what a model cannot have ----------------------------------------------------------------------


def checked(x):
    assert x < 100, "too large"
    if x < 0:
        raise ValueError("negative")
    return x + 1


def test_raises_are_left_out_and_listed(tmp_path: Path) -> None:
    report = write_onnx(signature_of(checked, INT), tmp_path / "f.onnx")
    lines = {each.subject: each.origin.line_text() for each in report.omissions if each.origin}
    assert 'assert x < 100, "too large"' == lines["assert"]
    assert "raise ValueError" in lines
    assert [6] == [int(x) for x in run(tmp_path / "f.onnx", np.int32(5))]


def explained(x, y):
    assert x != 5, f"{x} is {y}"
    text = f"{x} is not {x + y}"
    if x < 0:
        raise ValueError(text)
    for i in range(x):
        if i > y:
            raise ValueError(f"{i} is above {x} and {text}")
    rt.print(f"{y}", x * y)
    return x + y


def test_texts_of_messages_are_left_out_with_them(tmp_path: Path) -> None:
    report = write_onnx(signature_of(explained, INT, INT), tmp_path / "f.onnx")
    subjects = [each.subject for each in report.omissions]
    assert {"raise AssertionError", "raise ValueError", "print"} <= set(subjects)
    assert 2 == subjects.count("raise ValueError")
    assert "Mul" not in operators(tmp_path / "f.onnx")
    assert [7] == [int(x) for x in run(tmp_path / "f.onnx", np.int32(3), np.int32(4))]


def test_a_text_that_is_also_a_result_is_refused(tmp_path: Path) -> None:
    def f(x):
        text = f"{x:.3f}"
        if x < 0:
            raise ValueError(text)
        return text

    with pytest.raises(UnimplementedError, match="'format_values'"):
        write_onnx(signature_of(f, INT), tmp_path / "f.onnx")


def test_a_strict_export_refuses_them(tmp_path: Path) -> None:
    with pytest.raises(UnimplementedError, match="raise ValueError"):
        write_onnx(signature_of(checked, INT), tmp_path / "f.onnx", strict=True)
    assert [] == list(tmp_path.iterdir())


def test_all_ops_without_a_form_are_listed(tmp_path: Path) -> None:
    def f(x):
        if rt.reduce_sum(x) > 0.0:
            y = rt.linalg.inv(x)
        else:
            y = rt.constant([[1.0, 2.0]]) + rt.random.gamma((2, 2), 0.5)
        return y + rt.linalg.cholesky(x)

    spec = rt.TensorSpec((2, 2), rt.float32)
    with pytest.raises(UnimplementedError) as error:
        write_onnx(signature_of(f, spec), tmp_path / "f.onnx")
    for words in ("'matrix_inverse'", "'random_gamma'", "'cholesky'", "y = rt.linalg.inv(x)"):
        assert words in str(error.value)


def test_a_failed_export_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "f.onnx").write_bytes(b"before")
    with pytest.raises(UnimplementedError):
        spec = rt.TensorSpec((2, 2), rt.float32)
        write_onnx(signature_of(rt.linalg.inv, spec), tmp_path / "f.onnx")
    assert b"before" == (tmp_path / "f.onnx").read_bytes()


def test_an_input_of_any_rank_is_refused(tmp_path: Path) -> None:
    spec = rt.TensorSpec(None, rt.float32)
    with pytest.raises(UnimplementedError, match="any rank"):
        write_onnx(signature_of(lambda x: x + 1.0, spec), tmp_path / "f.onnx")


def test_a_branch_is_no_model(tmp_path: Path) -> None:
    region = rt.Graph("then", rt.Graph("f"))
    with pytest.raises(GraphError, match="'then'"):
        write_onnx(Signature.of(region), tmp_path / "f.onnx")


def test_the_extra_is_named_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = signature_of(checked, INT)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UnimplementedError, match=r"autograph-py\[onnx\]"):
        write_onnx(signature, tmp_path / "f.onnx")


# -- files -----------------------------------------------------------------------------------------


def test_large_weights_are_in_a_file_of_their_own(tmp_path: Path) -> None:
    weights = [rt.Variable(np.arange(k, k + 900, dtype=np.float32)) for k in (0, 7)]
    spec = rt.TensorSpec((900,), rt.float32)
    signature = signature_of(lambda x: x * weights[0] + weights[1], spec)
    path = tmp_path / "f.onnx"
    report = write_onnx(signature, path, largest_file=5000)
    assert [str(path), f"{path}.data"] == report.files
    assert 7200 == Path(report.files[1]).stat().st_size
    (found,) = run(path, np.full(900, 2, np.float32))
    np.testing.assert_array_equal(np.arange(900) * 3 + 7, found)
    assert {"f.onnx", "f.onnx.data"} == {each.name for each in tmp_path.iterdir()}


def test_the_opset_is_chosen(tmp_path: Path) -> None:
    signature = signature_of(collatz, INT)
    for opset in (None, 18, 20, 22):
        write_onnx(signature, tmp_path / "f.onnx", opset=opset)
        imports = onnx.load(tmp_path / "f.onnx").opset_import
        assert [opset or 21] == [each.version for each in imports]
        assert [8] == [int(x) for x in run(tmp_path / "f.onnx", np.int32(6))]
    for wrong in (9, "21", 21.0, True):
        with pytest.raises(ArgumentValueError, match="from 18 to"):
            write_onnx(signature, tmp_path / "f.onnx", opset=wrong)  # type: ignore[arg-type]


def test_an_operator_of_a_later_opset_is_refused(tmp_path: Path) -> None:
    def joined(x):
        return rt.strings.join([x, "!"])

    signature = signature_of(joined, rt.TensorSpec((None,), rt.string))
    with pytest.raises(UnimplementedError, match="opset 18 has no StringConcat .* choose 20 or"):
        write_onnx(signature, tmp_path / "f.onnx", opset=18)
    write_onnx(signature, tmp_path / "f.onnx", opset=20)


def test_older_operators_compute_the_same(tmp_path: Path) -> None:
    """Pools have no dilations before opset 19, and reductions no bool before opset 20."""
    pool = rt.nn.layers.AveragePooling2D(2)

    def pooled(x):
        means = pool(x)
        return means, rt.reduce_all(means > 0.0), rt.reduce_any(x < 0.0, axis=3)

    x = np.random.default_rng(0).normal(size=(1, 4, 4, 2)).astype(np.float32)
    write_onnx(signature_of(pooled, rt.TensorSpec((None, 4, 4, 2), rt.float32)),
               tmp_path / "f.onnx", opset=18)  # fmt: skip
    for mine, theirs in zip(pooled(rt.constant(x)), run(tmp_path / "f.onnx", x)):
        np.testing.assert_allclose(mine.numpy(), theirs, rtol=1e-6)


WRITES = [
    lambda x, i, m: rt.set_item(x, m, x[0]),
    lambda x, i, m: rt.set_item(x, m, 0.0),
    lambda x, i, m: rt.set_item(x, x > 5.0, x[x > 5.0] * 2.0),
    lambda x, i, m: rt.set_item(x, (0, i, slice(1, 3)), x[1, 0, :2]),
    lambda x, i, m: rt.set_item(x, (0, rt.stack([i, 0]), slice(1, 3)), 9.0),
    lambda x, i, m: rt.set_item(x, (slice(None), i, rt.stack([i, 3])), 1.0),
]


@pytest.mark.parametrize("write", WRITES)
def test_items_are_written_under_masks_and_beside_arrays(write: Any, tmp_path: Path) -> None:
    specs = [rt.TensorSpec((None, 2, 4), rt.float32), INT, rt.TensorSpec((None,), rt.bool)]
    write_onnx(signature_of(write, *specs), tmp_path / "f.onnx")
    x = np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    for chosen in ([True, False, True], [False] * 3):
        given = [x, np.int32(1), np.array(chosen)]
        (found,) = run(tmp_path / "f.onnx", *map(np.asarray, given))
        np.testing.assert_array_equal(write(*map(rt.constant, given)).numpy(), found)


def test_onnxruntime_has_the_kernels_of_the_table() -> None:
    state = ort.capi.onnxruntime_pybind11_state
    found: dict[str, set[str]] = {}
    for kernel in state.get_all_opkernel_def():
        if kernel.provider == "CPUExecutionProvider" and kernel.version_range[1] >= 21:
            kinds = found.setdefault(kernel.op_name, set())
            kinds.update(each for group in kernel.type_constraints.values() for each in group)
    names = {"float32": "float", "float64": "double"}
    missing = set[tuple[str, str]]()
    for operator, line in _KERNELS.items():
        dtypes = [_SHORT[each] for each in line.split()]
        wanted = {f"tensor({names.get(dtype, dtype)})" for dtype in dtypes}
        missing |= {(operator, each) for each in wanted - found[operator]}
    is_older = tuple(map(int, ort.__version__.split(".")[:2])) < (1, 24)
    # The page of ONNX says so: the table is that of 1.24 and later.
    assert bool(missing) is is_older, missing


def test_tables_of_texts_and_numbers(tmp_path: Path) -> None:
    lookup = rt.lookup
    words = lookup.KeyValueTensorInitializer(["a", "é"], ["one", "zwei"])
    table = lookup.StaticHashTable(words, "none")
    concrete = ag.function(table.lookup).get_concrete_function(rt.TensorSpec((None,), rt.string))
    report = ag.export(concrete, tmp_path / "words.onnx", format="onnx")
    (found,) = run(tmp_path / "words.onnx", np.array(["é", "z", "a"], object))
    assert ["zwei", "none", "one"] == found.tolist()
    assert [] == report.omissions
    changing = lookup.experimental.MutableHashTable(rt.int32, rt.float32, -1.0, name="seen")

    def seen(x):
        changing.insert(x, rt.cast(x, rt.float32) * 2.0)
        return changing[x + 1]

    ag.export(
        ag.function(seen).get_concrete_function(rt.TensorSpec((None,), rt.int32)),
        tmp_path / "seen.onnx",
        format="onnx",
    )
    session = ort.InferenceSession(str(tmp_path / "seen.onnx"))
    given = {"x": np.array([5, 6], np.int32), "seen/keys": np.array([7, 6], np.int32)}
    given["seen/values"] = np.array([0.5, 0.25], np.float32)
    names = [each.name for each in session.get_outputs()]
    found = dict(zip(names, session.run(None, given)))
    assert [12.0, 0.5] == found["output_0"].tolist()
    pairs = zip(found["seen/keys:out"].tolist(), found["seen/values:out"].tolist())
    assert {7: 0.5, 6: 12.0, 5: 10.0} == dict(pairs)

"""`ag.export`: the objects that may be exported, the names in the file, and the errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.__main__ import main
from autograph.errors import ExportError
from runtime.errors import ArgumentValueError, NotBuiltError, UnimplementedError
from runtime.export import formats
from runtime.export.report import ExportReport

COLLATZ = """
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
"""


def doubled(x: Any) -> Any:
    return x * 2.0


class Counter(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.total = rt.Variable(0, name="total")

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def add(self, amount: Any) -> Any:
        if amount < 0:
            raise ValueError("negative")
        return self.total.assign_add(amount)

    @ag.function(input_signature=[])
    def reset(self) -> Any:
        self.total.assign(0)
        return {"was": self.total + 0}


SPEC = rt.TensorSpec((None,), rt.float32)


@pytest.mark.parametrize(
    "what",
    [
        ag.function(doubled).get_concrete_function(SPEC),
        ag.function(doubled, input_signature=[SPEC]),
    ],
    ids=["concrete", "signature"],
)
def test_a_function_is_exported_under_its_name(what: Any, tmp_path: Path) -> None:
    report = ag.export(what, tmp_path)
    assert [str(tmp_path / "saved_model.pb")] == report.files[:1] and not report.omissions
    loaded = ag.saved_model.load(tmp_path)
    x = rt.constant([1.0, 2.0])
    assert [2.0, 4.0] == loaded.doubled(x).numpy().tolist() == loaded(x).numpy().tolist()
    assert [2.0, 4.0] == loaded.signatures["serving_default"](x=x)["output_0"].numpy().tolist()


def test_a_function_with_one_trace_keeps_its_state(tmp_path: Path) -> None:
    count = rt.Variable(3)

    @ag.function
    def grow(k: Any) -> Any:
        return count.assign_add(k)

    grow(rt.constant(1))
    ag.export(grow, tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    assert [6, 8] == [int(loaded.grow(rt.constant(2))) for _ in range(2)]
    assert 4 == int(count)


def test_a_model_is_exported_without_training(tmp_path: Path) -> None:
    layers = rt.nn.layers
    model = rt.nn.Sequential([layers.Dense(3, input_shape=(2,)), layers.Dropout(0.9)])
    x = np.ones((4, 2), np.float32)
    ag.export(model, tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    assert model(x).numpy().tolist() == loaded.serve(x).numpy().tolist()
    assert ["serving_default", "serve"] == sorted(loaded.signatures, reverse=True)


def test_an_object_is_exported_with_several_signatures(tmp_path: Path) -> None:
    counter = Counter()
    ag.export(counter, tmp_path, signatures={"add": counter.add, "reset": counter.reset})
    loaded = ag.saved_model.load(tmp_path)
    add, reset = loaded.signatures["add"], loaded.signatures["reset"]
    assert [5, 7] == [int(add(amount=rt.constant(n))["output_0"]) for n in (5, 2)]
    assert 7 == int(loaded.total) and 0 == int(reset()["was"]) and 0 == int(loaded.total)


@pytest.mark.parametrize("name", ["model.pt", "model.h5", "model.onx", "model.keras"])
def test_files_of_other_formats_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        ExportError, match="the formats are graph_def, onnx, saved_model, stablehlo, tflite"
    ):
        ag.export(Counter(), tmp_path / name)
    assert not (tmp_path / name).exists()
    assert "saved_model" == ag.export(Counter(), tmp_path / name, format="saved_model").format


@pytest.mark.parametrize("name", ["model.v2", "model.1", "model"])
def test_folders_may_end_in_versions(name: str, tmp_path: Path) -> None:
    assert "saved_model" == ag.export(Counter(), tmp_path / name).format


@pytest.mark.parametrize(
    "what, options, words",
    [
        (doubled, {}, "'doubled' is not a Function: decorate it"),
        (ag.function(doubled), {}, "doubled has 0 traces, and export takes one"),
        (3, {}, "export takes a model, a Function or a Module, not 3"),
        (Counter(), {"format": "pb"}, "no format 'pb': the formats are"),
    ],
    ids=["plain", "no trace", "number", "format"],
)
def test_wrong_arguments_are_refused(
    what: Any, options: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ExportError, match=words):
        ag.export(what, tmp_path / "out", **options)
    assert [] == list(tmp_path.iterdir())


def test_onnx_takes_one_signature_and_refuses_parts_if_strict(tmp_path: Path) -> None:
    counter, path = Counter(), tmp_path / "add.onnx"
    with pytest.raises(ArgumentValueError, match="one function, and the program has none"):
        ag.export(counter, path, format="onnx")
    offered = {"add": counter.add}
    with pytest.raises(UnimplementedError, match="raise ValueError"):
        ag.export(counter, path, format="onnx", signatures=offered, strict=True)
    assert not path.exists()
    report = ag.export(counter, path, format="onnx", signatures=offered)
    (omission,) = report.omissions
    assert "raise ValueError" == omission.subject and "if amount < 0" in str(report)
    assert "'total' is an input" in str(report) and path.exists()


def test_a_saved_model_does_not_check_whether_python_ints_fit(tmp_path: Path) -> None:
    def added_up(n: Any) -> Any:
        total = 0
        for i in range(n):
            total += i
        return total

    function = ag.function(added_up, input_signature=[rt.TensorSpec((), rt.int32)])
    with pytest.raises(UnimplementedError, match="integer overflow"):
        ag.export(function, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()
    report = ag.export(function, tmp_path / "model")
    assert ["integer overflow"] == [each.subject for each in report.omissions]
    assert "total += i" in str(report)


@pytest.mark.parametrize("format_, name", [("saved_model", "collatz"), ("onnx", "collatz.onnx")])
def test_the_command_line_exports(
    format_: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.py").write_text(COLLATZ)
    target = tmp_path / name
    words = [f"{tmp_path / 'model.py'}:collatz", "27", "--format", format_, "-o", str(target)]
    assert 0 == main(["export", *words])
    assert f"{format_}: {target}" in capsys.readouterr().out
    if format_ == "onnx":
        session = pytest.importorskip("onnxruntime").InferenceSession(str(target))
        assert [111] == [int(each) for each in session.run(None, {"n": np.array(27, np.int32)})]
    else:
        assert 111 == int(ag.saved_model.load(target).collatz(rt.constant(27)))


@pytest.mark.parametrize("version", [20, 23])
def test_the_command_line_chooses_the_operators_of_onnx(version: int, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(COLLATZ)
    onnx, target = pytest.importorskip("onnx"), str(tmp_path / "collatz.onnx")
    words = [f"{tmp_path / 'model.py'}:collatz", "27", "-o", target, "--opset", str(version)]
    assert 0 == main(["export", *words])
    assert [version] == [each.version for each in onnx.load(target).opset_import]


def test_the_command_line_has_operators_of_onnx_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.py").write_text(COLLATZ)
    words = [f"{tmp_path / 'model.py'}:collatz", "27", "-o", str(tmp_path / "saved")]
    assert 0 != main(["export", *words, "--opset", "21"])
    assert "opset" in capsys.readouterr().err


TOLD = """
import autograph as ag, runtime as rt

@ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
def plus_one(x):
    return x + 1

model = rt.nn.Sequential([rt.nn.layers.Dense(2, input_shape=(3,))])

class Steps(rt.Module):
    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def step(self, x):
        return x + 1

steps = Steps()
"""


@pytest.mark.parametrize("name", ["plus_one", "model", "steps"])
def test_the_command_line_needs_no_arguments_for_a_signature(name: str, tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(TOLD)
    words = [f"{tmp_path / 'told.py'}:{name}", "-o", str(tmp_path / "out")]
    assert 0 == main(["export", *words])
    assert "serving_default" in ag.saved_model.load(tmp_path / "out").signatures


def test_wrong_arguments_are_a_wrong_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "told.py").write_text(TOLD)
    words = [f"{tmp_path / 'told.py'}:plus_one", "1.5", "-o", str(tmp_path / "out")]
    assert 2 == main(["export", *words])
    assert capsys.readouterr().err.startswith("autograph: plus_one has an input signature")


class Grown(rt.nn.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = rt.nn.layers.Dense(1)

    def call(self, x: Any, training: bool = False) -> Any:
        for _ in rt.range(2):
            x = x + self.dense(x)
        return x if training else {"grown": x}


class Sum(rt.nn.Model):
    def call(self, x: Any, y: Any) -> Any:
        return x + y


def _models() -> list[rt.nn.Model]:
    layers, two = rt.nn.layers, [rt.nn.Input((3,), name=name) for name in "ab"]
    dropped = rt.nn.Sequential([layers.Dense(2), layers.BatchNormalization(), layers.Dropout(0.5)])
    added = rt.nn.Model(two, layers.Dense(1)(layers.Concatenate()(two)))
    return [rt.nn.Sequential([layers.Dense(2, input_shape=(3,))]), dropped, Grown(), added]


@pytest.mark.parametrize("save", [ag.saved_model.save, ag.saved_model.save_archive])
@pytest.mark.parametrize("at", range(4))
def test_a_saved_model_has_its_call(save: Any, at: int, tmp_path: Path) -> None:
    model, x = _models()[at], rt.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    given = [x, x] if at == 3 else x
    wanted = model(given)
    save(model, tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    rt.nest.map_structure(
        lambda *pair: np.testing.assert_allclose(*pair, 1e-6), wanted, loaded(given)
    )
    assert ["serving_default"] == list(loaded.signatures)
    if at < 2:
        (result,) = loaded.signatures["serving_default"](inputs=x).values()
        np.testing.assert_allclose(result, wanted, 1e-6)


def test_a_model_of_unknown_inputs_is_saved_without_its_call(tmp_path: Path) -> None:
    pair = Sum()
    pair(rt.ones(2), rt.ones(2))
    for model in (rt.nn.Sequential([rt.nn.layers.Dense(2)]), pair):
        report = ag.saved_model.save(model, tmp_path)
        assert "call the model before it is saved, or give signatures=" in str(report)
        assert [] == list(ag.saved_model.load(tmp_path).signatures)
    with pytest.raises(NotBuiltError, match="takes several arguments: give export"):
        pair.export(tmp_path)


# -- what is refused, and what is left out --------------------------------------------------------


def plus_one(x: Any) -> Any:
    return x + 1


class Two(rt.Module):
    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def told(self, x: Any) -> Any:
        return x + 1

    @ag.function
    def untold(self, x: Any) -> Any:
        return x


@pytest.mark.parametrize(
    "what",
    [{"a": ag.function(plus_one)}, [ag.function(plus_one)], rt.Module(), rt.nn.layers.Dense(2)],
)
def test_nothing_to_export_is_an_error(what: Any, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="there is nothing to export in"):
        ag.export(what, tmp_path / "model")
    assert [] == list(tmp_path.iterdir())


def test_a_function_without_a_trace_is_noted(tmp_path: Path) -> None:
    report = ag.export(Two(), tmp_path / "model")
    left = [("untold", "it has no input_signature and was not called", None)]
    assert left == list(map(tuple, report.omissions))


class Labelled(rt.nn.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = rt.nn.layers.Dense(2)
        self.shift = rt.nn.optimizers.SGD(0.5)  # not in the file unless a function uses it

    def call(self, x: Any) -> Any:
        return self.dense(x)

    @ag.function(input_signature=[rt.TensorSpec([None, 2])])
    def label(self, x: Any) -> Any:
        return rt.argmax(self(x), -1)

    @ag.function
    def untold(self, x: Any) -> Any:
        return x

    @ag.function(input_signature=[rt.TensorSpec([])])
    def serve(self, x: Any) -> Any:
        return x

    @ag.function(input_signature=[])
    def rate(self) -> Any:
        return self.shift.learning_rate + 0.0


@pytest.mark.parametrize("offered", [False, True])
def test_names_of_the_functions_of_a_model(offered: bool, tmp_path: Path) -> None:
    model = Labelled()
    x = rt.constant([[1.0, 2.0], [-3.0, 0.5]])
    expected = np.argmax(model(x).numpy(), -1).tolist()
    signatures = {"label": model.label} if offered else None
    report = ag.export(model, tmp_path / "model", signatures=signatures)
    loaded = ag.saved_model.load(tmp_path / "model")
    assert expected == loaded.label(x).numpy().tolist()
    assert 0.5 == loaded.rate().numpy()
    assert (["label"] if offered else ["serving_default", "serve"]) == list(loaded.signatures)
    assert {"serve", "untold"} == {each.subject for each in report.omissions}


def test_a_signature_that_was_not_called_is_traced(tmp_path: Path) -> None:
    model = Labelled()
    model(rt.zeros([1, 2]))
    report = ag.export(model, tmp_path / "m.onnx", "onnx", signatures={"label": model.label})
    assert {"serve", "untold"} == {each.subject for each in report.omissions}
    report = ag.export(model, tmp_path / "m.onnx", "onnx")
    assert {"serve", "untold", "label", "rate"} == {each.subject for each in report.omissions}


@pytest.mark.parametrize("format, has", [("saved_model", "none"), ("onnx", "opset")])
def test_unknown_options_are_refused(format: str, has: str, tmp_path: Path) -> None:
    told = f"the format {format} has no option 'level': it has {has}"
    with pytest.raises(ExportError, match=told):
        ag.export(Two(), tmp_path / "model", format, level=3)


def test_paths_that_are_no_files_are_refused() -> None:
    with pytest.raises(ExportError, match="path is empty"):
        ag.export(Two(), "")
    with pytest.raises(ExportError, match="is a device or a pipe"):
        ag.export(Two(), "/dev/null")


def test_a_model_of_several_inputs_has_a_signature(tmp_path: Path) -> None:
    left, right = rt.nn.Input((3,), name="left"), rt.nn.Input((2,), name="right")
    both = rt.nn.layers.Concatenate()([left, right])
    model = rt.nn.Model([left, right], rt.nn.layers.Dense(2)(both))
    ag.export(model, tmp_path / "model")
    loaded = ag.saved_model.load(tmp_path / "model")
    x, y = rt.ones([1, 3]), rt.ones([1, 2])
    served = loaded.signatures["serving_default"](left=x, right=y)["output_0"]
    assert model([x, y]).numpy().tolist() == served.numpy().tolist()
    ag.export(model, tmp_path / "model.onnx", "onnx")


@pytest.mark.parametrize("kind", ["sequential", "subclass"])
def test_a_model_that_was_called_with_integers_takes_integers(kind: str, tmp_path: Path) -> None:
    layers = [rt.nn.layers.Embedding(10, 3), rt.nn.layers.Flatten(), rt.nn.layers.Dense(2)]

    class Own(rt.nn.Model):
        def __init__(self) -> None:
            super().__init__()
            self.inner = layers

        def call(self, x: Any) -> Any:
            for layer in self.inner:
                x = layer(x)
            return x

    model = rt.nn.Sequential(layers) if kind == "sequential" else Own()
    x = rt.constant([[1, 2, 3], [4, 5, 6]])
    wanted = model(x).numpy().tolist()
    ag.export(model, tmp_path)
    served = ag.saved_model.load(tmp_path).signatures["serving_default"]
    ((name, spec),) = served.structured_input_signature[1].items()
    assert (rt.int32, [None, 3]) == (spec.dtype, list(spec.shape))
    assert wanted == served(**{name: x})["output_0"].numpy().tolist()


def test_a_model_that_begins_with_an_embedding_takes_integers_before_a_call(
    tmp_path: Path,
) -> None:
    layers = rt.nn.layers
    given = rt.nn.Sequential([layers.Embedding(10, 2), layers.Flatten()])
    given.build((None, 3))
    given.save(tmp_path / "model.keras")
    inner = rt.nn.Sequential([layers.TimeDistributed(layers.Embedding(10, 2))])
    nested = rt.nn.Sequential([inner, layers.Flatten()])
    nested.build((None, 3, 1))
    encoded = rt.nn.Sequential([layers.CategoryEncoding(4, input_shape=(3,))])
    told = rt.nn.Sequential([layers.Embedding(10, 2, input_length=3)])
    loaded = rt.nn.models.load_model(tmp_path / "model.keras")
    for number, model in enumerate((given, loaded, nested, encoded, told)):
        ag.export(model, tmp_path / str(number))
        served = ag.saved_model.load(tmp_path / str(number)).signatures["serving_default"]
        (spec,) = served.structured_input_signature[1].values()
        assert rt.int32 == spec.dtype, number


def test_the_only_function_of_a_file_is_not_left_out(tmp_path: Path) -> None:
    pytest.importorskip("onnx")

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def counted(n: Any) -> Any:
        found = []
        for i in rt.range(n):
            found.append(i)
        return found

    assert not ag.export(counted, tmp_path / "counted.onnx", "onnx").omissions


def test_a_parameter_called_self_has_another_name_in_files(tmp_path: Path) -> None:
    @ag.function(input_signature=[SPEC])
    def doubled(self: Any) -> Any:
        return self * 2.0

    ag.export(doubled, tmp_path)
    loaded, x = ag.saved_model.load(tmp_path), rt.constant([1.0, 2.0])
    served = loaded.signatures["serving_default"](self_1=x)["output_0"]
    assert [2.0, 4.0] == served.numpy().tolist() == loaded.doubled(x).numpy().tolist()


class Unnamed(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.sums = {"first": rt.Variable(0.0), "second": rt.Variable(0.0, name="given")}

    @ag.function(input_signature=[rt.TensorSpec((), rt.float32)])
    def add(self, x: Any) -> Any:
        return self.sums["first"].assign_add(x) + self.sums["second"].assign_add(x)


def test_a_variable_without_a_name_has_that_of_its_attribute(tmp_path: Path) -> None:
    onnx: Any = pytest.importorskip("onnx")
    one = Unnamed()
    ag.export(one, tmp_path / "f.onnx", "onnx", signatures=one.add)
    model = onnx.load(tmp_path / "f.onnx")
    assert {"x", "sums/first", "given"} == {each.name for each in model.graph.input}
    assert {"sums/first:out", "given:out"} < {each.name for each in model.graph.output}


def test_the_states_of_a_layer_that_keeps_them_are_in_the_file(tmp_path: Path) -> None:
    layers = [rt.nn.layers.Input(batch_shape=(2, 3, 2)), rt.nn.layers.LSTM(4, stateful=True)]
    model = rt.nn.Sequential(layers)
    x = rt.constant(np.linspace(-1, 2, 12, dtype=np.float32).reshape(2, 3, 2))
    ag.export(model, tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    first, second = ([each(x).numpy() for _ in range(2)] for each in (model, loaded.serve))
    np.testing.assert_allclose(second, first, rtol=1e-5, atol=1e-6)
    assert not np.allclose(first[0], first[1])


def counted(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_graph_def_has_the_report_of_other_formats(tmp_path: Path) -> None:
    concrete = ag.function(counted).get_concrete_function(rt.TensorSpec((), rt.int32))
    report = ag.export(concrete, tmp_path / "f.graph_def")
    assert ag.export(concrete, tmp_path / "f").omissions == report.omissions
    assert ["steps += 1"] == [each.origin.line_text() for each in report.omissions]
    data = (tmp_path / "f.graph_def").read_bytes()
    read = ag.function(lambda n: rt.export.import_graph_def(data, {"n:0": n}, ["Identity:0"]))
    assert [111] == read(rt.constant(27))
    with pytest.raises(UnimplementedError, match="a GraphDef cannot have these parts"):
        ag.export(concrete, tmp_path / "f.graph_def", strict=True)


def test_the_report_of_a_graph_def_names_variables(tmp_path: Path) -> None:
    counter = Counter()
    report = ag.export(counter, tmp_path / "f.graph_def", signatures={"add": counter.add})
    (note,) = report.notes
    assert "the variable 'total' is a placeholder of a handle" in note


def test_a_registered_format_is_found_by_name_and_by_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(formats.FORMATS, "op_names", None)  # it goes after the test

    def write(program: Any, path: str, strict: bool = False, end: str = "") -> ExportReport:
        names = [node.op.name for node in program.only_signature("it").graph.nodes]
        Path(path).write_text(" ".join(names) + end)
        return ExportReport("op_names", [path])

    formats.register_format(formats.Format("op_names", write, ("end",)))
    f = ag.function(lambda x: rt.sin(x) + x, input_signature=[rt.TensorSpec((), rt.float32)])
    ag.export(f, tmp_path / "f.op_names", end="!")
    ag.export(f, tmp_path / "g", format="op_names")
    found = [(tmp_path / name).read_text() for name in ("f.op_names", "g")]
    assert ["sin add!", "sin add"] == found
    with pytest.raises(ExportError, match="op_names has no option 'opset': it has end"):
        ag.export(f, tmp_path / "h", format="op_names", opset=20)
    for name in ("onnx", "no name"):
        with pytest.raises(ArgumentValueError, match="format"):
            formats.register_format(formats.Format(name, write))

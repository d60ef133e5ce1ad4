"""Objects in files: their variables, and the traces of their functions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from autograph.errors import ConversionError, SignatureError
from runtime.errors import DataLossError, GraphError, InvalidArgumentError, NotFoundError


class Model(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = rt.Variable(2.0, name="scale")
        self.parts = [rt.Variable([1.0, 2.0]), {"same": self.scale}]
        self.steps = rt.Variable(0, trainable=False)

    @ag.function
    def __call__(self, x: Any, times: int = 2, *, negate: bool = False) -> Any:
        total = self.scale * 0.0
        for _ in rt.range(times):
            if x > 1.0:
                total += x * self.scale
            else:
                total += 1.0
        self.steps.assign_add(1)
        return {"total": -total if negate else total, "rows": [self.parts[0] * x, None]}

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def mean(self, values: Any) -> Any:
        return rt.reduce_mean(values) * self.scale


class Saving:
    """How an object is saved: as a SavedModel, or as an archive."""

    save: Any = None


@pytest.fixture(params=["save", "save_archive"], autouse=True)
def both_formats(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Saving, "save", staticmethod(getattr(ag.saved_model, request.param)))


@pytest.fixture
def model() -> Model:
    made = Model()
    made(rt.constant(3.0))
    made(rt.constant(3.0), 4, negate=True)
    return made


def restored(model: Any, folder: Path, **options: Any) -> Any:
    Saving.save(model, folder, **options)
    return ag.saved_model.load(folder)


@pytest.mark.parametrize("x", [0.5, 3.0])
def test_loaded_functions_agree_with_the_saved_ones(model: Model, tmp_path: Path, x: float) -> None:
    loaded = restored(model, tmp_path)
    for args, kwargs in (((), {}), ((4,), {"negate": True})):
        expected = model(rt.constant(x), *args, **kwargs)
        got = loaded(rt.constant(x), *args, **kwargs)
        assert expected["total"].numpy() == got["total"].numpy()
        assert expected["rows"][0].numpy().tolist() == got["rows"][0].numpy().tolist()
        assert got["rows"][1] is None
    assert model.mean([1.0, 4.0]).numpy() == loaded.mean([1.0, 4.0]).numpy()
    assert loaded(x)["total"].numpy() == loaded(x=np.float32(x), times=2)["total"].numpy()


def test_loaded_variables_have_values_and_are_independent(model: Model, tmp_path: Path) -> None:
    loaded = restored(model, tmp_path)
    assert [2.0, 2] == [loaded.scale.numpy(), loaded.steps.numpy()]
    assert [True, False] == [loaded.scale.trainable, loaded.steps.trainable]
    assert loaded.parts[1]["same"] is loaded.scale
    loaded.scale.assign(10.0)
    assert 20.0 == loaded.mean([2.0]).numpy() and 4.0 == model.mean([2.0]).numpy()
    loaded(rt.constant(0.0))
    assert [3, 2] == [loaded.steps.numpy(), model.steps.numpy()]


def test_loaded_functions_have_gradients_and_can_be_called_in_functions(
    model: Model, tmp_path: Path
) -> None:
    loaded = restored(model, tmp_path)
    with rt.GradientTape() as tape:
        total = loaded(rt.constant(3.0))["total"]
    assert 6.0 == tape.gradient(total, loaded.scale).numpy()

    @ag.function
    def step(x: Any) -> Any:
        with rt.GradientTape() as tape:
            loss = loaded(x)["total"] ** 2
        return tape.gradient(loss, loaded.scale)

    assert 2 * 12.0 * 6.0 == step(rt.constant(3.0)).numpy()


def test_a_loaded_function_runs_while_functions_run_eagerly(model: Model, tmp_path: Path) -> None:
    loaded = restored(model, tmp_path)
    ag.run_functions_eagerly(True)
    try:
        assert 5.0 == loaded.mean([2.0, 3.0]).numpy()
    finally:
        ag.run_functions_eagerly(False)


def test_a_loaded_object_can_be_saved(model: Model, tmp_path: Path) -> None:
    once = restored(model, tmp_path / "a")
    once.scale.assign(5.0)
    twice = restored(once, tmp_path / "b")
    assert 30.0 == twice(rt.constant(3.0))["total"].numpy()


def test_signatures_take_tensors_by_name(model: Model, tmp_path: Path) -> None:
    loaded = restored(model, tmp_path, signatures=model.mean)
    serving = loaded.signatures["serving_default"]
    assert 5.0 == serving(values=rt.constant([2.0, 3.0]))["output_0"].numpy()
    assert ["values"] == list(serving.structured_input_signature[1])
    with pytest.raises(SignatureError, match="takes values by name, not x"):
        serving(x=rt.constant([2.0]))
    with pytest.raises(SignatureError, match=r"takes \(float32\(None,\)\), not \(int32\(1,\)\)"):
        serving(values=rt.constant([2]))


def test_other_arguments_are_refused_with_the_saved_signatures(
    model: Model, tmp_path: Path
) -> None:
    loaded = restored(model, tmp_path)
    with pytest.raises(SignatureError, match=r"takes \(float32\(\), 2, negate=False\)"):
        loaded(rt.constant(3.0), 3)
    with pytest.raises(SignatureError, match="__call__ was saved for other arguments"):
        loaded(rt.constant([3.0]))
    with pytest.raises(SignatureError):
        loaded()


def test_an_untraced_function_is_not_saved(tmp_path: Path) -> None:
    loaded = restored(Model(), tmp_path)
    assert not hasattr(loaded, "step") and 2.0 == loaded.mean([1.0]).numpy()
    with pytest.raises(SignatureError, match="saved without traces"):
        loaded(rt.constant(1.0))


def test_an_unsaveable_object_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    outside = rt.Variable(1.0, name="outside")

    class Leaking(rt.Module):
        @ag.function
        def __call__(self, x: Any) -> Any:
            return x * outside

    class Choosing(rt.Module):
        @ag.function
        def __call__(self, x: Any, how: Any) -> Any:
            return how(x)

    leaking, choosing = Leaking(), Choosing()
    leaking(rt.constant(1.0))
    choosing(rt.constant(1.0), rt.exp)
    with pytest.raises(GraphError, match="the variable 'outside:0' is used by a function"):
        Saving.save(leaking, tmp_path)
    with pytest.raises(SignatureError, match="cannot be saved: its parameter 'how' was given"):
        Saving.save(choosing, tmp_path)
    with pytest.raises(ConversionError, match="takes an object with attributes"):
        Saving.save(3, tmp_path)
    with pytest.raises(SignatureError, match="takes arguments of any kind"):
        Saving.save(Model(), tmp_path, signatures=ag.function(lambda x: x))
    assert [] == list(tmp_path.iterdir())


class Counting(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps, self.newest = rt.constant(0), rt.constant(0)

    @ag.function
    def step(self, by: Any) -> Any:
        self.steps = self.steps + by
        return self.steps

    @ag.function
    def seen(self, value: Any) -> Any:
        self.newest = value
        return value

    @ag.function
    def counted(self, limit: Any) -> Any:
        found = []
        for number in rt.range(limit):
            found.append(number)
        return found


@pytest.mark.parametrize(
    "name, words",
    [
        ("step", "step cannot be saved: it changes state of Python: 'self.steps'; make it"),
        ("seen", "seen cannot be saved: it changes state of Python: 'self.newest'"),
    ],
)
def test_a_function_of_python_state_is_refused(name: str, words: str, tmp_path: Path) -> None:
    counting = Counting()
    getattr(counting, name)(rt.constant(2))
    with pytest.raises(SignatureError, match=words):
        Saving.save(counting, tmp_path)


def test_the_graph_of_a_saved_model_has_no_values_of_variables(tmp_path: Path) -> None:
    module = rt.Module()
    module.table = rt.Variable(np.random.default_rng(0).normal(size=(500, 500)))
    module.rows = ag.function(
        lambda n: rt.gather(module.table, n), input_signature=[rt.TensorSpec((), rt.int32)]
    )
    ag.saved_model.save(module, tmp_path)
    graph = (tmp_path / "saved_model.pb").read_bytes()
    assert len(graph) < 10_000 and module.table.numpy()[7].tobytes()[:64] not in graph
    assert (
        module.table.numpy()[7].tolist() == ag.saved_model.load(tmp_path).rows(7).numpy().tolist()
    )


def test_damaged_files_are_refused(model: Model, tmp_path: Path) -> None:
    Saving.save(model, tmp_path)
    for file in [each for each in tmp_path.rglob("*") if each.is_file()]:
        whole = file.read_bytes()
        flipped = whole[:40] + b"x" + whole[41:]
        # A message of TensorFlow's has no checksum: another letter may be a valid message.
        flips = [] if file.suffix == ".pb" else [flipped]
        for damaged in (whole[:-1], whole[: len(whole) // 2], b"", *flips):
            file.write_bytes(damaged)
            with pytest.raises(DataLossError):
                ag.saved_model.load(tmp_path)
        file.write_bytes(whole)
    assert 4.0 == float(ag.saved_model.load(tmp_path).mean([2.0]))
    with pytest.raises(NotFoundError):
        ag.saved_model.load(tmp_path / "nowhere")


def test_tensorflows_names_are_the_same_functions(model: Model, tmp_path: Path) -> None:
    assert not tf.saved_model.contains_saved_model(tmp_path)
    tf.saved_model.save(model, str(tmp_path))
    assert tf.saved_model.contains_saved_model(str(tmp_path))
    assert 3.0 == tf.saved_model.load(str(tmp_path)).mean([1.5]).numpy()


class Line(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.noise = rt.random.Generator.from_seed(3)

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def __call__(self, x: Any) -> Any:
        return x * 2.0


def test_the_only_function_is_the_default_signature(tmp_path: Path) -> None:
    serving = restored(Line(), tmp_path).signatures["serving_default"]
    expected = [2.0, 4.0]
    assert expected == serving(rt.constant([1.0, 2.0]))["output_0"].numpy().tolist()
    assert expected == serving(x=rt.constant([1.0, 2.0]))["output_0"].numpy().tolist()
    with pytest.raises(SignatureError, match="by name, not by position"):
        serving(rt.constant([1.0]), rt.constant([1.0]))


def test_there_is_no_default_signature_among_several_functions(
    model: Model, tmp_path: Path
) -> None:
    assert restored(model, tmp_path).signatures == {}


class Named(rt.Module):
    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32, name="inputs")])
    def double(self, x: Any) -> Any:
        return 2.0 * x


def test_a_signature_has_names_of_specs_and_structured_outputs(tmp_path: Path) -> None:
    model = Named()
    loaded = restored(model, tmp_path, signatures={"double": model.double})
    signature = loaded.signatures["double"]
    spec = rt.TensorSpec([None], rt.float32, name="output_0")
    assert {"output_0": spec} == signature.structured_outputs
    assert [2.0] == signature(inputs=rt.constant([1.0]))["output_0"].numpy().tolist()


def test_missing_models_and_signatures_raise_tensorflows_errors(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="there is no saved model in '.*nothing'"):
        ag.saved_model.load(tmp_path / "nothing")
    with pytest.raises(ValueError, match="was saved for other arguments"):
        restored(Named(), tmp_path).double(rt.constant([1]))


class Ends(NamedTuple):
    last: Any
    first: Any


@ag.function
def ends(pair: Ends, scale: int = 2) -> Any:
    return {"k": Ends(pair.last * scale, pair.first - pair.last)}


def test_named_tuples_keep_their_names_and_the_order_of_their_fields(tmp_path: Path) -> None:
    given = Ends(rt.constant(3), rt.constant(10))
    if Saving.save is not ag.saved_model.save:
        return
    module = rt.Module()
    module.ends = ends
    concrete = ends.get_concrete_function(given)
    loaded = restored(module, tmp_path, signatures=concrete)
    found = loaded.ends(given)["k"]
    assert [6, 7] == [int(found.last), int(found.first)] and "Ends" == type(found).__name__
    named = loaded.signatures["serving_default"](pair_last=given.last, pair_first=given.first)
    assert [6, 7] == [int(named[f"output_{at}"]) for at in range(2)]


@dataclass
class Span:
    last: Any
    first: Any


@ag.function
def spans(span: Span, scale: int = 2) -> Any:
    return [Span(span.last * scale, Ends(span.first, span.last))]


def test_a_dataclass_is_a_named_tuple_in_files(tmp_path: Path) -> None:
    if Saving.save is not ag.saved_model.save:
        return
    given = Span(rt.constant(3), rt.constant(10))
    concrete = spans.get_concrete_function(given)
    report = ag.export(spans, tmp_path)
    assert ["in the result of spans, a Span is a named tuple"] == report.notes
    loaded = ag.saved_model.load(tmp_path)
    for value in (given, Ends(given.last, given.first)):
        (found,) = loaded.spans(value)
        assert ("Span", ("last", "first")) == (type(found).__name__, found._fields)
        assert [6, 10, 3] == [int(found.last), int(found.first.last), int(found.first.first)]
    assert [6, 10, 3] == [int(each) for each in rt.nest.flatten(concrete(given))]


def test_keys_that_are_no_texts_are_refused_by_the_name_of_the_parameter(tmp_path: Path) -> None:
    if Saving.save is not ag.saved_model.save:
        return

    @ag.function
    def first(table: Any) -> Any:
        return table[1]

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def by_number(x: Any) -> Any:
        return {1: x}

    first({1: rt.constant(1)})
    with pytest.raises(SignatureError, match=r"its parameter 'table' was given a dict .*: \[1\]"):
        ag.export(first, tmp_path)
    with pytest.raises(SignatureError, match=r"by_number .*: it returns a dict .*: \[1\]"):
        ag.export(by_number, tmp_path)


@ag.function(input_signature=[rt.TensorSpec((), rt.int32)] * 2)
def without(self: Any, other: Any) -> Any:
    return self - other


def test_a_parameter_called_self_keeps_its_place(tmp_path: Path) -> None:
    module = rt.Module()
    module.without = without
    loaded = restored(module, tmp_path)
    assert 4 == loaded.without(5, 1).numpy()
    # TensorFlow drops a first parameter of this name.
    name = "self_" if Saving.save is ag.saved_model.save else "self"
    assert 4 == loaded.without(**{name: 5, "other": 1}).numpy()


@pytest.mark.parametrize("path", [None, 3, b"bytes", "a\0b"])
def test_an_invalid_path_is_refused(path: Any) -> None:
    for use in (
        lambda: Saving.save(rt.Module(), path),
        lambda: ag.saved_model.load(path),
        lambda: ag.saved_model.contains_saved_model(path),
    ):
        with pytest.raises(rt.errors.InvalidArgumentError, match="export_dir"):
            use()


class Lazy(rt.Module):
    """Its function makes variables in its first call."""

    def __init__(self) -> None:
        super().__init__()
        self.scale: Any = None
        self.parts: dict[str, Any] = {}

    @ag.function
    def scaled(self, x: Any, times: int = 2) -> Any:
        if self.scale is None:
            self.scale = rt.Variable(3.0)
        return x * self.scale * times

    @ag.function(input_signature=[rt.TensorSpec([None], rt.float32)])
    def shifted(self, x: Any) -> Any:
        if "shift" not in self.parts:
            self.parts["shift"] = rt.Variable(0.5)
        return x + self.parts["shift"]


@pytest.mark.parametrize("calls", [1, 2])
def test_a_function_that_creates_variables_in_its_first_call_is_saved(
    calls: int, tmp_path: Path
) -> None:
    model = Lazy()
    for _ in range(calls):
        model.scaled(rt.constant(1.0))
    loaded = restored(model, tmp_path)
    assert 12.0 == float(loaded.scaled(rt.constant(2.0)))
    assert [1.5, 2.5] == loaded.shifted(rt.constant([1.0, 2.0])).numpy().tolist()
    assert 3.0 == float(loaded.scale)


def test_all_traces_are_saved_when_the_first_call_creates_variables(tmp_path: Path) -> None:
    model = Lazy()
    model.scaled(rt.constant(1.0))
    model.scaled(rt.constant([1.0]), 3)
    loaded = restored(model, tmp_path)
    assert 12.0 == float(loaded.scaled(rt.constant(2.0)))
    assert [18.0] == loaded.scaled(rt.constant([2.0]), 3).numpy().tolist()


class Trained(rt.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = rt.Variable(1.0)
        self.optimizer = rt.nn.optimizers.Adam(0.1)

    @ag.function
    def step(self, x: Any) -> Any:
        with rt.GradientTape() as tape:
            loss = (self.weight * x - 3.0) ** 2
        self.optimizer.apply_gradients(zip(tape.gradient(loss, [self.weight]), [self.weight]))
        return loss


def test_a_step_that_creates_slots_continues_after_loading(tmp_path: Path) -> None:
    trained = Trained()
    trained.step(rt.constant(2.0))
    loaded = restored(trained, tmp_path)
    for _ in range(3):
        assert float(trained.step(rt.constant(2.0))) == float(loaded.step(rt.constant(2.0)))


@ag.function(input_signature=[rt.TensorSpec((), rt.int32)] * 2)
def rest_of(n: Any, at: Any) -> Any:
    found = []
    for number in range(n):
        found.append(number)
    if at < 0:
        found.pop()
    else:
        found.pop(at)
    return len(found)


@pytest.mark.parametrize(("n", "at"), [(0, -1), (0, 0), (2, 5)])
def test_an_item_that_nothing_uses_is_taken_from_a_list_that_has_it(
    n: int, at: int, tmp_path: Path
) -> None:
    module = rt.Module()
    module.rest_of = rest_of
    loaded = restored(module, tmp_path)
    assert 1 == loaded.rest_of(2, at % 2).numpy() == loaded.rest_of(2, -1).numpy()
    for function in (rest_of, loaded.rest_of):
        with pytest.raises((IndexError, InvalidArgumentError)):
            function(n, at)


WEIGHTS = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_an_array_of_the_module_is_a_constant_of_the_file(tmp_path: Path) -> None:
    # The function is given a dict and returns one, so that its trace takes the array as state.
    @ag.function
    def weighted(batch: Any) -> Any:
        return {"rows": rt.gather(WEIGHTS, batch["ids"]) * batch["scale"]}

    spec = {"ids": rt.TensorSpec((None,), rt.int32), "scale": rt.TensorSpec((), rt.float32)}
    ag.export(weighted.get_concrete_function(spec), tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    found = loaded.weighted({"ids": rt.constant([2, 0]), "scale": rt.constant(2.0)})
    assert (WEIGHTS[[2, 0]] * 2).tolist() == found["rows"].numpy().tolist()
    (served,) = loaded.signatures["serving_default"](
        batch_ids=rt.constant([1]), batch_scale=rt.constant(1.0)
    ).values()
    assert WEIGHTS[[1]].tolist() == served.numpy().tolist()

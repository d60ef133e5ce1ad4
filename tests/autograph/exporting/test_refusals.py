"""Refused exports: each error has the user's line, names its variable and the code to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError, ExportError
from runtime.errors import AlreadyExistsError, DTypeError, OpError, UnimplementedError
from runtime.export.refusals import INSTEAD
from runtime.ops.op import REGISTRY

WHOLE, FLOAT = rt.TensorSpec((), rt.int32), rt.TensorSpec((), rt.float32)
ROW = rt.TensorSpec((None,), rt.float32)


class Point:
    def __init__(self, x: Any) -> None:
        self.x = x


class Counts:
    total = 0


counts = Counts()
seen: list[Any] = []


def numbered(n: Any) -> Any:
    table = {1: n, 2: n + 1}
    return table


def located(n: Any) -> Any:
    point = Point(n)
    return [point]


def counted(n: Any) -> Any:
    counts.total += n
    return n


def remembered(n: Any) -> Any:
    seen.append(n)
    return n


def configured(n: Any, place: Any) -> Any:
    return n if place is None else n + 1


def divided(n: Any) -> Any:
    try:
        share = 10 // n
    except ZeroDivisionError as error:
        share = len(str(error))
    return share


def fibonacci(n: Any) -> Any:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def noisy(x: Any) -> Any:
    return x + rt.random.gamma((), 2.0)


def shortened(x: Any) -> Any:
    return round(x, 2)


def over_a_dataset(n: Any) -> Any:
    for number in rt.data.Dataset.range(10):
        n += rt.cast(number, rt.int32)
    return n


def called(n: Any) -> Any:
    return rt.py_function(lambda value: value + 1, [n], rt.int32)


class Case(NamedTuple):
    """A function, its arguments, and parts of the error: the line, and the code to write."""

    function: Callable[..., Any]
    given: tuple[Any, ...]
    line: str
    instead: str


CASES = [
    Case(numbered, (WHOLE,), "return table", "{str(key): value"),
    Case(located, (WHOLE,), "return [point]", "return what it holds"),
    Case(counted, (WHOLE,), "counts.total += n", "counts.total'; make it an rt.Variable"),
    Case(remembered, (WHOLE,), "seen.append(n)", "seen[:]'; make it an rt.Variable"),
    Case(configured, (WHOLE, Point), "def configured(n: Any, place", "'place' was given"),
    Case(divided, (WHOLE,), "len(str(error))", "as in `if n != 0:`"),
    Case(fibonacci, (WHOLE,), "return fibonacci(n - 1)", "write a loop"),
    Case(noisy, (FLOAT,), "rt.random.gamma((), 2.0)", "give the numbers as an argument"),
    Case(shortened, (FLOAT,), "return round(x, 2)", "write it with functions of rt"),
    Case(over_a_dataset, (WHOLE,), "for number in rt.data", "export the function of one element"),
    Case(called, (WHOLE,), "return rt.py_function", "write it with functions of rt"),
]


@pytest.mark.parametrize("format", ["saved_model", "onnx"])
@pytest.mark.parametrize("case", CASES, ids=[each.function.__name__ for each in CASES])
def test_a_refusal_has_the_line_and_a_replacement(case: Case, format: str, tmp_path: Path) -> None:
    if format == "onnx":
        pytest.importorskip("onnx")
    concrete = ag.function(case.function).get_concrete_function(*case.given)
    with pytest.raises((OpError, AutographError)) as caught:
        ag.export(concrete, tmp_path / "file", format=format)
    lines = str(caught.value).splitlines()
    assert case.instead in lines[0]
    assert any(case.line in each for each in lines)
    assert f"test_refusals.py:{_line_of(case)}, in {case.function.__name__}" in str(caught.value)


def _line_of(case: Case) -> int:
    text = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(at for at, line in enumerate(text, 1) if case.line in line)


def test_a_line_is_reported_once(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    concrete = ag.function(over_a_dataset).get_concrete_function(WHOLE)
    with pytest.raises(OpError) as caught:
        ag.export(concrete, tmp_path / "file", format="onnx")
    assert 2 == len(str(caught.value).splitlines())


def test_a_function_with_several_results_shows_its_definition(tmp_path: Path) -> None:
    def either(n: Any) -> Any:
        if isinstance(n, int):
            return {0: n}
        return {1: n}

    with pytest.raises(AutographError, match=r"in either\n    def either\(n: Any\) -> Any:"):
        ag.export(ag.function(either).get_concrete_function(WHOLE), tmp_path)


def test_a_replacement_goes_into_the_file(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    instead = "or draw rt.random.stateless_normal(shape, seed)"
    normal = lambda x: x + rt.random.normal(())
    for function, format, is_told in ((normal, "saved_model", True), (noisy, "onnx", False)):
        concrete = ag.function(function).get_concrete_function(FLOAT)
        with pytest.raises(OpError) as caught:
            ag.export(concrete, tmp_path / "file", format=format)
        assert is_told == (instead in str(caught.value))


def test_the_replacements_are_of_ops_that_exist() -> None:
    assert set() == set(INSTEAD) - set(REGISTRY)


def test_an_op_of_a_layer_names_the_layer(tmp_path: Path) -> None:
    noise = rt.nn.layers.Lambda(
        lambda x: x + rt.random.stateless_normal((2,), (1, 2)), name="noise"
    )
    model = rt.nn.Sequential([rt.nn.Input((2,)), noise], name="model")
    with pytest.raises(UnimplementedError, match=r"`\) of model/noise does not go into"):
        ag.export(model, tmp_path / "f.onnx")


def test_an_omission_of_a_layer_names_the_layer(tmp_path: Path) -> None:
    checked = rt.nn.layers.Lambda(lambda x: rt.debugging.check_numerics(x, "no"), name="checked")
    model = rt.nn.Sequential([rt.nn.Input((2,)), checked], name="model")
    report = ag.export(model, tmp_path / "f.onnx")
    assert "check of model/checked: " in str(report)


def test_a_folder_of_something_else_is_not_replaced(tmp_path: Path) -> None:
    notes = tmp_path / "assets" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("mine")
    f = ag.function(lambda x: x + 1, input_signature=[WHOLE])
    with pytest.raises(ExportError, match="folder with other files: give a new folder"):
        ag.export(f, tmp_path, format="saved_model")
    with pytest.raises(AlreadyExistsError, match="assets' belongs to something other"):
        ag.saved_model.save(ag.saved_model.load(saved(f, tmp_path / "new")), tmp_path)
    assert "mine" == notes.read_text() and [] == list(tmp_path.glob("*.pb"))
    ag.export(f, tmp_path / "new")  # An earlier SavedModel is replaced.


def saved(f: Any, folder: Path) -> Path:
    ag.export(f, folder)
    return folder


@pytest.mark.parametrize("wrong", ["yes", 2, [True]])
def test_strict_is_a_boolean(wrong: Any, tmp_path: Path) -> None:
    f = ag.function(lambda x: x + 1, input_signature=[WHOLE])
    with pytest.raises(DTypeError, match="strict must be True or False"):
        ag.export(f, tmp_path, strict=wrong)


class Noted(rt.nn.Model):
    """A model that keeps a list of the inputs it saw."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = rt.Variable(2.0)
        self.seen: list[Any] = []

    def call(self, x: Any) -> Any:
        if rt.reduce_sum(x) > 0.0:
            self.seen.append(x)
        return x * self.scale


class Located(rt.nn.Model):
    """A model that returns an object."""

    def call(self, x: Any) -> Any:
        return Point(x)


SAVERS = [
    lambda model, path: ag.export(model, path),
    lambda model, path: model.export(path),
    lambda model, path: ag.saved_model.save(model, path),
]


@pytest.mark.parametrize("save", SAVERS, ids=["ag.export", "Model.export", "save"])
def test_a_model_that_cannot_be_saved_shows_the_line_of_its_call(save: Any, tmp_path: Path) -> None:
    lines = {Noted: "self.seen.append(x)", Located: "return Point(x)"}
    for kind, line in lines.items():
        model = kind()
        model(rt.ones([2, 3]))
        with pytest.raises(AutographError, match="model '.*' cannot be saved: it") as caught:
            save(model, tmp_path / "saved")
        assert line in str(caught.value)


def test_a_model_exports_to_other_formats_by_the_other_function(tmp_path: Path) -> None:
    model = rt.nn.Sequential([rt.nn.Input((2,)), rt.nn.layers.Dense(1)])
    with pytest.raises(OpError, match=r"write ag.export\(model, path, format='onnx'\)"):
        model.export(tmp_path / "f.onnx", format="onnx")


@pytest.mark.parametrize("format", ["onnx", "tflite", "graph_def"])
def test_a_file_does_not_take_the_place_of_a_folder(format: str, tmp_path: Path) -> None:
    f = ag.function(lambda x: x + 1, input_signature=[WHOLE])
    with pytest.raises(ExportError, match=f"give the name of a file, such as '.*model.{format}'"):
        ag.export(f, tmp_path, format=format)

"""The table of GraphDefs agrees with our results and with TensorFlow."""

from __future__ import annotations

import base64
import pickle
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt
from runtime.errors import UnimplementedError
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS, find
from tools import compare_graphdef as compare
from tools import graphdef_cases as cases
from tools.graphdef_worker import Answer, Request

KEPT = compare.stored(compare.PAGE.read_text(encoding="utf-8"))
FEW = (
    "documents/simple_relu", "conditionals/if_else", "joins/none_at_start", "returns/return_in_for",
    "errors/unused_failing_result", "joins/variable_or_tensor", "recursion/ackermann",
    "lists/deleted_inserted_reversed", "asserts/raise_in_branch",
)  # fmt: skip
FEW_OPS = ("add", "floordiv", "set_item", "strided_slice", "top_k", "random_uniform")


@pytest.fixture(scope="module")
def other() -> Iterator[compare.Other]:
    """TensorFlow in a process of its own."""
    pytest.importorskip("tensorflow")
    found = compare.Other()
    yield found
    found.close()


def test_the_page_has_every_program_that_is_staged() -> None:
    assert {program.id for program in STAGED_PROGRAMS} == KEPT[0].keys()


def test_the_page_has_no_wrong_result() -> None:
    for table in KEPT:
        kinds = {name: compare.kind_of(said) for name, said in table.items()}
        assert {} == {name: kind for name, kind in kinds.items() if kind == "other"}


@pytest.mark.parametrize("name", FEW)
def test_our_column_agrees_with_our_results(name: str) -> None:
    assert KEPT[0][name].here == compare.programs(None, [name])[name].here


@pytest.mark.parametrize("name", FEW_OPS)
def test_our_column_of_ops_agrees_with_our_results(name: str) -> None:
    assert KEPT[1][name].here == compare.ops(None, [name])[name].here


@pytest.mark.parametrize("name", FEW)
def test_their_column_agrees_with_tensorflow(other: compare.Other, name: str) -> None:
    assert KEPT[0][name] == compare.programs(other, [name])[name]


@pytest.mark.parametrize("name", FEW_OPS)
def test_their_column_of_ops_agrees_with_tensorflow(other: compare.Other, name: str) -> None:
    assert KEPT[1][name] == compare.ops(other, [name])[name]


def test_the_page_names_tensorflows_version(other: compare.Other) -> None:
    compare.programs(other, ["documents/simple_relu"])
    assert f"TensorFlow {other.version}" in compare.PAGE.read_text(encoding="utf-8")


def test_the_manual_has_the_totals() -> None:
    said = compare.totals(KEPT[0])
    text = " ".join((compare.ROOT / "docs" / "tensorflow.md").read_text(encoding="utf-8").split())
    assert f"{said['same']} of {len(KEPT[0])} load there and compute the same, and" in text
    assert f"and {said['not lowered']} are refused." in text


def test_the_page_is_read_as_it_was_written() -> None:
    programs = {"a/b": compare.Verdict("3 nodes", "same"), "a/c": compare.Verdict("x | y", "")}
    ops = {"add": compare.Verdict("not lowered: 'add': why", "")}
    assert (programs, ops) == compare.stored(compare.page(programs, ops, "2.21.0"))


def test_differences_are_listed() -> None:
    old = {"a": compare.Verdict("3 nodes", "same"), "b": compare.Verdict("4 nodes", "same")}
    new = {"a": compare.Verdict("3 nodes", ""), "b": compare.Verdict("5 nodes", "same")}
    assert ["b: 5 nodes; the page says 4 nodes"] == [*compare.differences(new, old, True)]
    assert 2 == len([*compare.differences(new, old, False)])
    assert ["c: None; the page says 1 nodes"] == [
        *compare.differences({}, {"c": compare.Verdict("1 nodes", "")}, True)
    ]


# -- cases -----------------------------------------------------------------------------------------


def one_case(name: str, case: int = 0) -> cases.Case:
    return [*cases.cases_of(find([name])[0])][case]


def answer(found: cases.Case, **changes: object) -> Answer:
    told = {"values": found.values, "variables": found.variables, **changes}
    return Answer(**told)  # type: ignore[arg-type]


def test_a_case_has_named_inputs_and_outputs() -> None:
    found = one_case("conditionals/if_else")
    assert ["x"] == list(found.request.inputs) and ("Identity",) == found.request.outputs
    assert ("int32",) == found.request.forms and found.error is None
    assert found.request.graph == found.graph.SerializeToString()


def test_an_answer_differs_in_value_dtype_shape_error_or_loading() -> None:
    found = one_case("conditionals/if_else")
    value = found.values[0]
    assert found.difference(answer(found)) is None
    assert "gives" in found.difference(answer(found, values=[value + 1]))
    assert "gives" in found.difference(answer(found, values=[value.astype(np.int64)]))
    assert "gives" in found.difference(answer(found, values=[value.reshape(1)]))
    assert "fails: E" == found.difference(answer(found, error="E"))
    assert "does not load: E" == found.difference(answer(found, error="E", is_loaded=False))


def test_a_case_that_raises_must_fail_in_tensorflow() -> None:
    found = one_case("errors/unused_failing_result", 1)
    assert isinstance(found.error, IndexError)
    assert found.difference(Answer([], [], "InvalidArgumentError")) is None
    assert "here IndexError" in found.difference(Answer([1], []))


def test_lists_are_compared_item_by_item() -> None:
    found = cases.Case(None, None, [[(np.int32(1), np.array(2.0))]], [], None)  # type: ignore[arg-type]
    assert found.difference(Answer([[(np.int32(1), np.array(2.0))]], [])) is None
    assert "gives" in found.difference(Answer([[(np.int32(3), np.array(2.0))]], []))
    assert "gives" in found.difference(Answer([[]], []))


def test_variables_are_part_of_the_result() -> None:
    v = rt.Variable(1.0, name="v")
    graph = rt.Graph("f")
    with graph.recording():
        v.assign_add(2.0)
    graph.set_outputs([])
    found = cases.case_of(graph, [])
    assert {"v": 1.0} == found.request.variables and [3.0] == found.variables
    assert "gives" in found.difference(Answer([], [np.float32(2.0)]))


def test_a_refusal_is_shown_without_its_line() -> None:
    error = UnimplementedError("'x' (`a; b`) does not go into a GraphDef: why; and why; leave it")
    assert "'x': why; and why" == cases.refusal(error)
    assert "'rows' is a list" == cases.refusal(UnimplementedError("'rows' is a list: make it"))


def test_samples_are_ops_on_tensors() -> None:
    assert set(KEPT[1]) < set(REGISTRY)
    assert "list_append" not in KEPT[1]


# -- commands --------------------------------------------------------------------------------------


def test_check_compares_the_existing_page(monkeypatch, capsys) -> None:
    monkeypatch.setattr(compare, "has_tensorflow", lambda: False)
    monkeypatch.setattr(compare, "_all", lambda other: KEPT)
    assert 0 == compare.main(["--check"])
    assert f"GraphDefs: {len(KEPT[0])} programs, 0 differences" in capsys.readouterr().out
    wrong = {**KEPT[0], "a/b": compare.Verdict("1 nodes", "")}
    monkeypatch.setattr(compare, "_all", lambda other: (wrong, KEPT[1]))
    assert 1 == compare.main(["--check"])


def test_the_page_is_not_written_without_tensorflow(monkeypatch, capsys) -> None:
    monkeypatch.setattr(compare, "has_tensorflow", lambda: False)
    assert 2 == compare.main([])
    assert "pip install" in capsys.readouterr().err


def test_the_page_is_written_and_wrong_rows_are_named(monkeypatch, capsys, tmp_path) -> None:
    table = {"a/b": compare.Verdict("1 nodes", "gives 1, here 2")}
    monkeypatch.setattr(compare, "has_tensorflow", lambda: True)
    monkeypatch.setattr(compare, "Other", lambda: SimpleNamespace(version="2"))
    monkeypatch.setattr(compare, "_all", lambda other: (table, {}))
    monkeypatch.setattr(compare, "PAGE", tmp_path / "page.md")
    assert 1 == compare.main([])
    assert "a/b\n1 rows, 1 that are wrong" in capsys.readouterr().out
    assert (table, {}) == compare.stored((tmp_path / "page.md").read_text())


def test_requests_and_answers_go_through_a_pipe() -> None:
    request = Request(b"", {"x": np.zeros(2)}, {}, ("Identity",), ("float64",))
    told = pickle.loads(base64.b64decode(base64.b64encode(pickle.dumps(request))))
    assert ("Identity",) == told.outputs and [0.0, 0.0] == told.inputs["x"].tolist()

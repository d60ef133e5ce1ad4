"""The table of ONNX models agrees with our results and with onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runtime.errors import UnimplementedError
from runtime.export.report import ExportReport, Omission
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS
from tools import model_pages as compare
from tools import onnx_cases as cases
from tools.compare_graphdef import Other
from tools.compare_onnx import MODELS
from tools.onnx_worker import Answer, Request

KEPT = compare.stored(MODELS.page.read_text(encoding="utf-8"))
FEW = (
    "documents/simple_relu", "conditionals/if_else", "joins/none_at_start", "returns/return_in_for",
    "errors/unused_failing_result", "recursion/ackermann", "lists/deleted_inserted_reversed",
    "asserts/raise_in_branch",
)  # fmt: skip
FEW_OPS = ("add", "floordiv", "set_item", "strided_slice", "top_k", "random_uniform", "cumprod")


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    """Return onnxruntime in a process of its own."""
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    found = MODELS.other()
    yield found
    found.close()


def test_the_page_has_every_program_that_is_staged() -> None:
    assert {program.id for program in STAGED_PROGRAMS} == KEPT[0].keys()


def test_the_page_names_ops_of_the_registry() -> None:
    assert set() == KEPT[1].keys() - set(REGISTRY)


def test_the_page_has_no_different_result() -> None:
    for table in KEPT:
        kinds = {name: compare.kind_of(said) for name, said in table.items()}
        assert {} == {name: kind for name, kind in kinds.items() if kind == "different"}


@pytest.mark.parametrize("name", FEW)
def test_a_program_agrees_with_the_page(other: Other, name: str) -> None:
    assert KEPT[0][name] == MODELS.programs(other, [name])[name]


@pytest.mark.parametrize("name", FEW_OPS)
def test_an_op_agrees_with_the_page(other: Other, name: str) -> None:
    assert KEPT[1][name] == MODELS.ops(other, [name])[name]


def test_a_page_is_read_as_it_was_written() -> None:
    tables = {"a/b": compare.Verdict("3 nodes", "same")}, {"x": compare.Verdict("1 | 2", "other")}
    assert tables == compare.stored(MODELS.text(*tables, "1.0"))


def case(error: Exception | None = None, omitted: bool = False, **values: Any) -> cases.Case:
    report = ExportReport("onnx", [], [], [Omission("raise", "it goes on")] if omitted else [])
    names = tuple(values)
    return cases.Case(report, 1, Request(b"", {}, names), values, {}, error)


def test_a_wrong_value_is_a_difference() -> None:
    mine = case(y=np.array([1, 2]))
    assert None is mine.difference(Answer([np.array([1, 2])]))
    for theirs in (np.array([1, 3]), np.array([1.0, 2.0]), np.array([[1, 2]])):
        assert "y is" in str(mine.difference(Answer([theirs])))
    assert "fails" in str(mine.difference(Answer([], "no kernel")))
    assert "fails" in str(mine.difference("the process ended"))


def test_a_list_is_compared_by_its_columns() -> None:
    mine = case(y=[(np.array(1), 2.5), (np.array(3), 4.5)])
    request = Request(b"", {}, ("y.0", "y.1"))
    mine = cases.Case(mine.report, 1, request, mine.values, {}, None)
    assert None is mine.difference(Answer([np.array([1, 3]), np.array([2.5, 4.5])]))
    assert "y.1 is" in str(mine.difference(Answer([np.array([1, 3]), np.array([2.5, 4.0])])))


def test_a_model_that_goes_on_must_have_said_so() -> None:
    raised = Answer([np.array(1)])
    assert str(case(ValueError(), True, y=0).difference(raised)).startswith(compare.GOES_ON)
    assert "without a word" in str(case(ValueError(), y=0).difference(raised))
    assert None is case(ValueError(), True, y=0).difference(Answer([], "failed"))


def test_a_refusal_is_the_verdict() -> None:
    def refused() -> Iterator[None]:
        raise UnimplementedError("'f' (`f()`) does not go into an ONNX model: it is a secret; ask")
        yield

    said = MODELS.verdict(refused(), SimpleNamespace())  # type: ignore[arg-type]
    assert compare.Verdict("not exported: 'f': it is a secret", "") == said
    assert "not exported" == compare.kind_of(said)


def test_differences_name_the_entry() -> None:
    new = {"a": compare.Verdict("3 nodes", "same"), "b": compare.Verdict("1 nodes", "same")}
    old = {"a": compare.Verdict("4 nodes", "same"), "b": compare.Verdict("1 nodes", "same")}
    (line,) = compare.differences(new, old)
    assert line == "a: 3 nodes; the page says 4 nodes"

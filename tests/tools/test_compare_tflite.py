"""The table of TensorFlow Lite models agrees with our results and with LiteRT."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runtime.export.report import Omission
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS
from tools import model_pages as compare
from tools import tflite_cases as cases
from tools.compare_graphdef import Other
from tools.compare_tflite import MODELS
from tools.tflite_worker import Answer, Request

KEPT = compare.stored(MODELS.page.read_text(encoding="utf-8"))
FEW = (
    "documents/simple_relu", "conditionals/if_else", "returns/return_in_for", "recursion/ackermann",
    "errors/unused_failing_result", "lists/deleted_inserted_reversed", "asserts/raise_in_branch",
    "for_loops/range_with_step", "corner_cases/parameter_in_branch",
)  # fmt: skip
FEW_OPS = ("add", "floordiv", "set_item", "strided_slice", "top_k", "random_uniform", "cumprod")


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    """Return LiteRT in a process of its own."""
    pytest.importorskip("litert_converter")
    pytest.importorskip("ai_edge_litert")
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


def case(*values: Any, names: tuple[str, ...] = ("y",), error: Any = None) -> cases.Case:
    omissions = [Omission("raise", "it goes on")] if isinstance(error, ValueError) else []
    request = Request({"module": ""}, {}, names)
    held: Any = SimpleNamespace()
    return cases.Case(held, omissions, request, [list(each) for each in values], error)


def test_a_wrong_value_of_any_run_is_a_difference() -> None:
    mine = case([np.array(1)], [np.array(2)])
    assert None is mine.difference(Answer([[np.array(1)], [np.array(2)]]))
    assert "y is" in str(mine.difference(Answer([[np.array(1)], [np.array(1)]])))
    assert "y is" in str(mine.difference(Answer([[np.array(1.0)], [np.array(2)]])))
    assert "fails: no kernel" == mine.difference(Answer([[np.array(1)]], "no kernel"))
    assert "fails: it ended" == mine.difference("it ended")


def test_a_list_is_compared_by_its_parts() -> None:
    items = [(np.array(1), np.array(2.5)), (np.array(3), np.array(4.5))]
    mine = case([items], names=("y.0", "y.1"))
    assert None is mine.difference(Answer([[np.array([1, 3]), np.array([2.5, 4.5])]]))
    assert "y.1 is" in str(mine.difference(Answer([[np.array([1, 3]), np.array([2.5, 4.0])]])))
    assert None is case([[]]).difference(Answer([[np.zeros((0, 2))]]))


def test_a_model_that_goes_on_must_have_said_so() -> None:
    goes_on = Answer([[np.array(1)]])
    assert str(case(error=ValueError()).difference(goes_on)).startswith(compare.GOES_ON)
    assert "without a word" in str(case(error=KeyError()).difference(goes_on))
    assert None is case(error=ValueError()).difference(Answer([], "failed"))


def test_an_op_may_be_refused_for_some_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([compare.Verdict("3 nodes", "same"), compare.Verdict("not exported: 'f': no", "")])
    monkeypatch.setattr(compare.Models, "_shown", lambda *_: next(said))
    found = MODELS._op("f", [(None, True), (None, False)], None)  # type: ignore[list-item, arg-type]
    assert ("3 nodes; 1 of 2 samples not exported: 'f': no", "same") == tuple(found)

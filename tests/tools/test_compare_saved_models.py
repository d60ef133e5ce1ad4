"""The table of SavedModels agrees with our results and with TensorFlow."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograph.errors import SignatureError
from tests.corpus import STAGED_PROGRAMS, find
from tools import compare_saved_models as compare
from tools import saved_model_cases as cases
from tools.compare_graphdef import Other, kind_of, verdict
from tools.graphdef_worker import Answer
from tools.verdict_tables import Verdict

KEPT = compare.stored(compare.PAGE.read_text(encoding="utf-8"))
FEW = (
    "documents/simple_relu", "conditionals/if_else", "returns/return_in_for",
    "errors/unused_failing_result", "joins/variable_or_tensor", "recursion/ackermann",
    "lists/deleted_inserted_reversed", "asserts/raise_in_branch",
)  # fmt: skip


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    """TensorFlow in a process of its own."""
    pytest.importorskip("tensorflow")
    found = Other(compare.SIDE)
    yield found
    found.close()


def test_the_page_has_every_program_that_is_staged() -> None:
    assert {program.id for program in STAGED_PROGRAMS} == KEPT.keys()


def test_the_page_has_no_wrong_result() -> None:
    kinds = {name: kind_of(said, compare.REFUSED) for name, said in KEPT.items()}
    assert {} == {name: kind for name, kind in kinds.items() if kind == "other"}


def test_the_manual_has_the_totals() -> None:
    said = compare.totals(KEPT)
    text = " ".join((compare.ROOT / "docs" / "export.md").read_text(encoding="utf-8").split())
    assert f"{said['same']} of its {len(KEPT)} programs load there and compute the same" in text
    assert f"{said[compare.REFUSED]} are refused" in text


@pytest.mark.parametrize("name", FEW)
def test_our_column_agrees_with_our_results(name: str) -> None:
    assert KEPT[name].here == compare.programs(None, [name])[name].here


@pytest.mark.parametrize("name", FEW)
def test_their_column_agrees_with_tensorflow(other: Other, name: str) -> None:
    assert KEPT[name] == compare.programs(other, [name])[name]


def test_a_page_is_read_as_it_was_written() -> None:
    table = {"a/b": Verdict("3 nodes", "same"), "a/c": Verdict("refused: 'x': why", "")}
    text = compare.page(table, "2.21.0")
    assert table == compare.stored(text)
    assert "| 'x': why | 1 |" in text and "| same | 1 |" in text


# -- cases -----------------------------------------------------------------------------------------


@pytest.fixture
def case(tmp_path: Any) -> cases.Case:
    (program,) = find(["conditionals/if_else"])
    return next(cases.cases_of(program, str(tmp_path)))


def answers(case: cases.Case, **changes: Any) -> tuple[Answer, Answer]:
    """Return answers as they should be, with changes in that of the signature."""
    served = {"values": [case.served], "variables": case.variables, **changes}
    return Answer([case.value], case.variables), Answer(**served)


def test_a_case_has_the_arguments_of_the_function_and_of_its_signature(case: cases.Case) -> None:
    request = case.request
    assert "if_else" == request.name and {"x"} == request.named.keys()
    assert request.named["x"] is request.args[0] and {} == request.kwargs
    assert case.value is case.served["output_0"]


def test_both_answers_are_compared_in_structure_value_error_and_loading(case: cases.Case) -> None:
    wrong = {"output_0": case.value + 1}
    assert case.difference(answers(case)) is None
    assert "gives" in str(case.difference(answers(case, values=[wrong])))
    assert "gives" in str(case.difference(answers(case, values=[case.value])))
    assert "fails: E" == case.difference(answers(case, error="E"))
    assert "does not load: E" == case.difference(answers(case, error="E", is_loaded=False))
    assert "the process ended" == case.difference("the process ended")
    assert "gives" in str(case.difference(answers(case)[::-1]))


def test_variables_are_compared() -> None:
    case = cases.Case("", SimpleNamespace(), None, {}, [np.array(1)], None)  # type: ignore[arg-type]
    assert "leaves" in str(case.difference(answers(case, variables=[np.array(2)])))


def test_a_program_that_raises_must_fail_there() -> None:
    case = cases.Case("", SimpleNamespace(), None, {}, [], ValueError())  # type: ignore[arg-type]
    failed = Answer([], [], "InvalidArgumentError")
    assert case.difference((failed, failed)) is None
    assert "here ValueError" in str(case.difference((failed, Answer([1], []))))


def test_a_refusal_is_the_verdict() -> None:
    def refused() -> Iterator[None]:
        raise SignatureError("f cannot be saved: it changes state of Python: 'self.n'; make it one")
        yield

    said = verdict(refused(), None, compare.REFUSED)
    assert Verdict("refused: it changes state of Python", "") == said
    assert "it changes state of Python" == compare.reason_of(said)


def test_structures_differ_in_kind() -> None:
    one, same = np.array(1), cases.is_same_structure
    assert same({"a": (one, None)}, {"a": (one, None)})
    assert not same([one], (one,)) and not same([one], [one, one]) and not same(None, one)
    assert not same({"a": one}, {"b": one})

"""The corpus loader refuses ambiguous programs."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import runtime as rt
from tests import corpus


def _module(**marks: Any) -> ModuleType:
    module = ModuleType("program", doc="Shows something.")
    vars(module).update({"f": abs, "CASES": [(1,)], "STAGES": (), **marks})
    return module


def test_a_complete_program_is_accepted() -> None:
    corpus._check(_module(), "theme/f", "f")


@pytest.mark.parametrize(
    ("marks", "complaint"),
    [
        ({"STAGE": ("cond",)}, "unknown marks"),
        ({"f": None}, "function named f"),
        ({"CASES": []}, "needs CASES"),
        ({"PYTHON_ONLY": "reason"}, "exactly one of"),
        ({"__doc__": None}, "docstring"),
        ({"DIFFERS": {"shape": "reason"}}, "DIFFERS may name"),
        ({"NAMES": "x"}, "NAMES is for"),
    ],
)
def test_an_incomplete_program_is_refused(marks: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        corpus._check(_module(**marks), "theme/f", "f")


def test_numbers_and_lists_of_numbers_are_lifted() -> None:
    for value in (1, True, 0.5, [1, 2], [[1.5], [2.5]]):
        assert isinstance(corpus.lifted(value), rt.Tensor)
    for value in ("a", None, [], ["a"], {"a": 1}):
        assert corpus.lifted(value) is value


def test_every_call_gets_new_arguments() -> None:
    program = corpus.find(["in_place_methods"])[0]
    program.arguments(0)[0].append(99)
    assert [3, 1, 2] == program.arguments(0)[0]


def test_every_theme_has_programs() -> None:
    themes = {program.theme for program in corpus.PROGRAMS}
    expected = {"conditionals", "while_loops", "for_loops", "breaks", "continues", "returns"}
    expected |= {"calls", "lists", "asserts", "classes", "exactness", "numerics", "documents"}
    assert expected <= themes
    assert len(corpus.PROGRAMS) == len({program.name for program in corpus.PROGRAMS})

"""Conversion in place, and the recorded outcomes of a module's tests."""

from __future__ import annotations

import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import runtime as rt
from runtime.graph.graph import Graph
from tests.parity.written import module_of
from tests.real_code import comparison
from tests.real_code.comparison import Comparison, Run, table
from tests.real_code.conversion import convert_in_place
from tests.real_code.modules import MODULES, Module
from tests.real_code.suite import Outcomes

TEXT = """
import functools

def absolute(x):
    if x > 0:
        return x
    return -x

class Shape:
    @functools.lru_cache
    def area(self): return 6

    @property
    def name(self): return "shape"

held = {"abs": absolute}

exec(compile("def unwritten(): pass", __file__, "exec"))

def closing():
    def inner(): return held
    return inner
inner = closing()
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    return module_of(TEXT, tmp_path / "sample_of_real_code.py")


def test_every_function_is_converted_or_refused_by_name_and_reason(module: Any) -> None:
    tally = convert_in_place({module.__file__})
    names = {name.partition(" ")[0] for name in tally.converted}
    assert {"absolute", "Shape.area", "Shape.name", "closing", "closing.<locals>.inner"} == names
    ((name, reason),) = tally.refused.items()
    assert name.startswith("unwritten (sample_of_real_code.py:")
    assert "changed since it was imported" in reason


def test_references_to_a_function_see_the_converted_code(module: Any) -> None:
    convert_in_place({module.__file__})
    assert 3 == module.held["abs"](-3)
    assert (6, "shape") == (module.Shape().area(), module.Shape().name)
    graph = Graph("probe")
    with graph.recording():
        x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
        assert isinstance(module.held["abs"](x), rt.Tensor)
    assert "cond" in [node.op.name for node in graph.nodes]


def _sample_tests() -> type[unittest.TestCase]:
    class Sample(unittest.TestCase):
        def test_passes(self) -> None:
            self.assertTrue(True)

        def test_fails(self) -> None:
            self.fail("why")

        def test_skips(self) -> None:
            self.skipTest("no")

        def test_parts(self) -> None:
            for part in range(3):
                with self.subTest(part=part):
                    self.assertNotEqual(1, part)

    return Sample


def test_test_outcomes_are_recorded_by_name() -> None:
    outcomes = Outcomes()
    unittest.defaultTestLoader.loadTestsFromTestCase(_sample_tests()).run(outcomes)
    ends = {name.partition("Sample.")[2]: end for name, end in outcomes.ends.items()}
    expected = {
        "test_passes": ["passed"],
        "test_fails": ["failed: AssertionError"],
        "test_skips": ["skipped: no"],
        "test_parts (part=1)": ["failed: AssertionError"],
    }
    assert expected == ends
    assert any("why" in text for text in outcomes.tracebacks.values())


def test_a_different_outcome_is_a_difference() -> None:
    before = Run({"a": ["passed"], "b": ["passed"], "c": ["passed"]}, {}, [], {}, [])
    after = Run({"a": ["passed"], "b": ["failed: E"]}, {"b": "because"}, ["f"], {"g": "no"}, [])
    row = Comparison(Module("sample", (), ()), "forced", before, after)
    assert ["b", "c"] == list(row.differences)
    assert "['passed'] became ['failed: E']\nbecause" == row.differences["b"]
    assert (2, 0.5) == (row.functions, row.share)
    *_, line, total, refused = table([row]).splitlines()
    assert ["sample", "forced", "2", "1", "50.0%", "3", "1"] == line.split()
    assert ["all", "2", "1", "50.0%", "3", "1"] == total.split()
    assert "refused: g: no" == refused


def test_a_python_without_its_tests_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match="without its own tests"):
        comparison.compared(Module("sample", (), ()), "forced")


def test_a_suite_that_does_not_run_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="did not end"):
        comparison.compared(Module("no such name", (), ()), "forced")


def test_the_names_of_modules_differ() -> None:
    assert len(MODULES) == len({module.name for module in MODULES})
    assert [] == [module.name for module in MODULES if module.is_there and not module.files()]

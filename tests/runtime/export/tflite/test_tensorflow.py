"""TensorFlow Lite models by TensorFlow's own converter compute the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

tensorflow = pytest.importorskip("tensorflow")

if importlib.util.find_spec("ai_edge_litert") is None:
    Interpreter: Any = tensorflow.lite.Interpreter
else:
    from ai_edge_litert.interpreter import Interpreter

INT = rt.TensorSpec((), rt.int32)


def last_of_range(start, stop, step):
    count, last = 0, -1
    for i in range(start, stop, step):
        count += 1
        last = i
    if count > 2:
        count = count + last
        last = count
    return count, last


def test_a_program_is_the_same(tmp_path: Path) -> None:
    total = rt.Variable(5, name="total")

    def program(start: Any, stop: Any, step: Any) -> Any:
        count, last = last_of_range(start, stop, step)
        total.assign_add(last)
        return count, last, total + 0

    concrete = ag.function(program).get_concrete_function(INT, INT, INT)
    path = tmp_path / "program.tflite"
    report = ag.export(concrete, path, format="tflite", converter="tensorflow")
    assert "'total' begins with its present value" in report.notes[0]
    told = ["a check that raises ValueError", "integer overflow", "integer overflow"]
    assert told == [each.subject for each in report.omissions]
    run = Interpreter(str(path)).get_signature_runner("serving_default")
    held = 5
    for given in ((1, 10, 3), (5, 5, 1), (0, -7, -2)):
        found = run(**dict(zip(("start", "stop", "step"), map(np.int32, given))))
        count, last = last_of_range(*given)
        held += last
        assert [count, last, held] == [int(found[f"output_{at}"]) for at in range(3)]

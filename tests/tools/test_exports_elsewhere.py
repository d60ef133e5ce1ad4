"""Exported programs give the results of the project where it is not installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from tools import exported_programs as programs
from tools import run_exported


@pytest.fixture(params=[programs.collatz_of_three, programs.counter])
def exported(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the file of the calls of a small program."""
    pytest.importorskip("onnxruntime")
    made = request.param()
    programs.write(made, tmp_path)
    return tmp_path / f"{made.name}.npz"


def test_the_calls_of_a_program_are_compared(exported: Path) -> None:
    assert 3 == run_exported.check(exported, run_exported.onnx)
    arrays = dict(np.load(exported))
    (name,) = [key for key in arrays if key.startswith("2/out/")]
    np.savez(exported, **{**arrays, name: arrays[name] + 1})
    with pytest.raises(AssertionError):
        run_exported.check(exported, run_exported.onnx)


def test_a_saved_model_is_compared_where_tensorflow_is(exported: Path) -> None:
    pytest.importorskip("tensorflow")
    assert 3 == run_exported.check(exported, run_exported.saved_model)


def test_models_have_dimensions_that_differ_between_calls() -> None:
    first, second = programs.lstm().inputs
    assert first.shape != second.shape
    assert (2, 3) == programs.lstm().call(rt.constant(second)).shape

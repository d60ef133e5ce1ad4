"""Errors that nothing catches are shown with the user's frames only."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.internal_files import is_internal_file
from runtime.core.uncaught_errors import users_part

LAYER = rt.nn.layers


class Doubling(rt.nn.layers.Layer):
    def call(self, x: Any) -> Any:
        return x @ rt.ones([9, 9])


def fitted(rows: int) -> Any:
    model = rt.nn.Sequential([LAYER.Dense(2)])
    model.compile(optimizer="adam", loss="mse")
    return model.fit(rt.ones([4, 3]), rt.ones([rows, 2]), verbose=0)


MISTAKES: dict[str, Callable[[], Any]] = {
    "operator": lambda: rt.ones([2]) + rt.ones([3]),
    "op": lambda: rt.reshape(rt.ones([4]), [3]),
    "index": lambda: rt.ones([3])[7],
    "numpy": lambda: np.ones(3) + rt.ones([4]),
    "layer": lambda: Doubling()(rt.ones([2, 2])),
    "constructor": lambda: LAYER.Dense("a"),
    "optimizer": lambda: rt.nn.optimizers.get("adma"),
    "fit": lambda: fitted(5),
    "variable": lambda: rt.Variable([1.0]).assign([1.0, 2.0]),
    "dataset": lambda: rt.data.Dataset.range(3).map(lambda v: v + 1.5),
    "kernel": lambda: rt.linalg.inv(rt.zeros([2, 2])),
    "file": lambda: rt.io.read_file("nowhere"),
    "explain": lambda: ag.explain(3),  # type: ignore[arg-type]
    "name": lambda: rt.conact([1], 0),  # type: ignore[attr-defined]
}


def shown(call: Callable[[], Any]) -> tuple[str, list[str]]:
    """Return the text of the error that a call raises, and the files of its frames."""
    try:
        call()
    except Exception as error:
        with users_part(error):
            frames = [each.filename for each in traceback.extract_tb(error.__traceback__)]
            return "".join(traceback.format_exception(type(error), error, None)), frames
    raise AssertionError("no error")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_traceback_ends_in_the_users_frame(name: str) -> None:
    _, files = shown(MISTAKES[name])
    assert files[-1] == __file__
    assert [] == [each for each in files if is_internal_file(each)]


def test_a_cause_of_the_projects_own_is_left_out() -> None:
    text, _ = shown(MISTAKES["operator"])
    assert "do not broadcast" in text and "direct cause" not in text

    def users() -> None:
        try:
            MISTAKES["operator"]()
        except ValueError as error:
            raise KeyError("mine") from error

    text, _ = shown(users)
    assert "direct cause" in text and "do not broadcast" in text and "runtime/ops" not in text


def test_a_cause_that_says_the_same_is_left_out() -> None:
    text, _ = shown(lambda: ag.function(lambda x, i: x[i])(rt.ones([2]), rt.constant(7)))
    assert "OutOfBoundsError: slice index 7" in text and "direct cause" not in text

    def users() -> None:
        raise rt.errors.InvalidArgumentError("mine") from ValueError("other")

    assert "direct cause" in shown(users)[0]


def test_the_error_is_the_same_afterwards() -> None:
    with pytest.raises(ValueError, match="do not broadcast") as found:
        MISTAKES["operator"]()
    error = found.value
    before = error.__traceback__, error.__cause__, error.__context__, error.__suppress_context__
    assert isinstance(before[1], ValueError)
    with users_part(error):
        assert error.__traceback__ is not before[0] and error.__cause__ is None
    after = error.__traceback__, error.__cause__, error.__context__, error.__suppress_context__
    assert before == after


def test_an_error_without_frames_of_the_users_keeps_its_frames() -> None:
    error = ValueError("no")
    with users_part(error):
        assert error.__traceback__ is None


@pytest.mark.parametrize("variables, inside", [({}, 0), ({"AUTOGRAPH_TRACEBACKS": "full"}, 3)])
def test_a_program_that_ends_with_an_error(variables: dict[str, str], inside: int) -> None:
    program = "import runtime as rt\nrt.reshape(rt.ones([4]), [3])"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path), **variables},
        capture_output=True,
        text=True,
    )
    assert run.stderr.splitlines()[-1].startswith("runtime.errors.ShapeError: reshape:")
    assert run.stderr.count("/runtime/ops/") >= inside and (inside or "/ops/" not in run.stderr)

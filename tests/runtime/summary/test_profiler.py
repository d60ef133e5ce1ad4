"""TensorFlow's profiler by name: calls run and warn that nothing is recorded."""

from __future__ import annotations

import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import AlreadyExistsError, UnavailableError

profiler = tf.profiler.experimental


def test_a_profile_starts_and_stops(tmp_path) -> None:
    options = profiler.ProfilerOptions(host_tracer_level=3)
    with pytest.warns(UserWarning, match="records nothing"):
        profiler.start(str(tmp_path), options)
    with pytest.raises(AlreadyExistsError):
        profiler.start(str(tmp_path))
    profiler.stop()
    with pytest.raises(UnavailableError):
        profiler.stop()


def test_parts_of_a_program_are_named(tmp_path) -> None:
    with pytest.warns(UserWarning), profiler.Profile(str(tmp_path)):
        for step in range(2):
            with profiler.Trace("train", step_num=step, _r=1) as trace:
                trace.set_metadata(loss=1.0)
    assert {"step_num": 1, "_r": 1, "loss": 1.0} == trace.metadata
    assert [] == list(tmp_path.iterdir())

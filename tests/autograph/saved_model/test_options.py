"""Options of saving and loading: accepted without an effect, or refused."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.executors.executor import _engines, register_engine
from tests.runtime.executors.toy_engine import Toy


def test_an_object_is_saved_and_loaded_with_options(tmp_path) -> None:
    module = tf.Module()
    module.v = tf.Variable(2.0)
    save = tf.saved_model.SaveOptions(experimental_io_device="/job:localhost")
    load = tf.saved_model.LoadOptions(experimental_io_device="/job:localhost")
    tf.saved_model.save(module, str(tmp_path / "m"), options=save)
    assert 2.0 == tf.saved_model.load(str(tmp_path / "m"), options=load).v.numpy()


@pytest.mark.parametrize("save", (ag.saved_model.save, ag.saved_model.save_archive))
def test_an_executor_runs_the_loaded_functions(save: Any, tmp_path: Any) -> None:
    engine = Toy()
    register_engine(engine)
    try:
        module = rt.Module()
        spec = rt.TensorSpec((), rt.float32)
        module.double = ag.function(lambda x: x * 2.0, input_signature=[spec])
        module.text = ag.function(lambda x: rt.strings.as_string(x), input_signature=[spec])
        save(module, str(tmp_path / "m"))
        engine.refused = ["as_string"]
        x = rt.constant(3.0)
        loaded = ag.saved_model.load(str(tmp_path / "m"), executor="toy")
        assert (float(loaded.double(x)), engine.runs) == (6.0, 1)
        with pytest.raises(UnimplementedError, match="'as_string' does not run in the engine toy"):
            loaded.text(x)
        loaded = ag.saved_model.load(str(tmp_path / "m"), executor="toy", fallback=True)
        assert loaded.text(x).numpy().startswith(b"3")
        assert float(ag.saved_model.load(str(tmp_path / "m")).double(x)) == 6.0
        assert engine.runs == 1
    finally:
        _engines.pop("toy")
    with pytest.raises(ArgumentValueError, match="executor must be one of .*, not 'toy'"):
        ag.saved_model.load(str(tmp_path / "m"), executor="toy")


def test_variables_without_values_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="experimental_skip_checkpoint is not supported"):
        tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)

"""Options of saving and loading: accepted without an effect, or refused."""

from __future__ import annotations

import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError


def test_an_object_is_saved_and_loaded_with_options(tmp_path) -> None:
    module = tf.Module()
    module.v = tf.Variable(2.0)
    save = tf.saved_model.SaveOptions(experimental_io_device="/job:localhost")
    load = tf.saved_model.LoadOptions(experimental_io_device="/job:localhost")
    tf.saved_model.save(module, str(tmp_path / "m"), options=save)
    assert 2.0 == tf.saved_model.load(str(tmp_path / "m"), options=load).v.numpy()


def test_variables_without_values_are_refused() -> None:
    with pytest.raises(ArgumentValueError, match="experimental_skip_checkpoint is not supported"):
        tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)

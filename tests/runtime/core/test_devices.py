"""The devices of this machine."""

from __future__ import annotations

import runtime as rt
from autograph.compat import tensorflow as tf


def test_there_is_one_processor() -> None:
    assert ["CPU"] == [each.device_type for each in rt.list_physical_devices()]
    assert rt.list_physical_devices() == tf.config.list_physical_devices("CPU")
    assert [] == tf.config.list_physical_devices("GPU") == rt.list_logical_devices("GPU")


def test_programs_may_name_it() -> None:
    (device,) = tf.config.list_logical_devices()
    with tf.device(device.name):
        x = tf.constant(1)
    assert device.name in x.device

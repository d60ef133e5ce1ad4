"""Settings of the process are read back; missing devices are refused."""

from __future__ import annotations

import pytest

from autograph.compat import tensorflow as tf
from runtime.distribute import config
from runtime.errors import ArgumentValueError

CPU = tf.config.list_physical_devices()[0]


@pytest.mark.parametrize(
    "get, put, first, other",
    [
        ("soft_device_placement", "soft_device_placement", True, False),
        ("log_device_placement", "log_device_placement", False, True),
        ("synchronous_execution", "synchronous_execution", True, False),
        ("device_policy", "device_policy", "silent", "warn"),
        ("jit", "jit", "", "autoclustering"),
    ],
)
def test_settings_are_read_back(get: str, put: str, first: object, other: object) -> None:
    look_up, change = getattr(config, f"get_{get}"), getattr(config, f"set_{put}")
    assert first == look_up()
    try:
        change(other)
        assert other == look_up()
    finally:
        change(first)


def test_the_only_device_can_be_hidden() -> None:
    assert [CPU] == tf.config.get_visible_devices()
    tf.config.set_visible_devices([], "GPU")
    assert [CPU] == tf.config.get_visible_devices()
    try:
        tf.config.set_visible_devices([], "CPU")
        assert [] == tf.config.get_visible_devices("CPU")
    finally:
        tf.config.set_visible_devices(CPU)
    assert [CPU] == tf.config.experimental.get_visible_devices()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.config.set_visible_devices(["GPU:0"]),
        lambda: tf.config.experimental.set_memory_growth(CPU, True),
        lambda: tf.config.experimental.get_memory_info("GPU:0"),
        lambda: tf.config.experimental.get_device_details("GPU:0"),
        lambda: tf.config.set_logical_device_configuration("GPU:0", [None]),
    ],
)
def test_missing_devices_are_refused(call) -> None:
    with pytest.raises(ArgumentValueError, match="there is no|has no memory|logical devices"):
        call()


def test_the_processor_is_divided() -> None:
    part = tf.config.LogicalDeviceConfiguration()
    try:
        tf.config.set_logical_device_configuration(CPU, [part] * 2)
        assert [part] * 2 == tf.config.get_logical_device_configuration(CPU)
        names = [each.name for each in tf.config.list_logical_devices("CPU")]
        assert ["/device:CPU:0", "/device:CPU:1"] == names
        assert [CPU] == tf.config.list_physical_devices("CPU")
    finally:
        tf.config.set_logical_device_configuration(CPU, [part])
    with pytest.raises(ArgumentValueError, match="at least one device"):
        tf.config.set_logical_device_configuration(CPU, [])


def test_one_part_of_a_device_is_the_device() -> None:
    tf.config.set_logical_device_configuration(CPU, [tf.config.LogicalDeviceConfiguration()])
    assert tf.config.get_logical_device_configuration(CPU) is None
    assert {} == tf.config.experimental.get_device_details(CPU)


def test_gpu_setup_code_runs() -> None:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.config.experimental.enable_op_determinism()
    tf.config.experimental.enable_tensor_float_32_execution(True)
    tf.config.optimizer.set_jit(False)
    tf.config.optimizer.set_experimental_options({"layout_optimizer": True})
    assert tf.config.optimizer.get_experimental_options()["layout_optimizer"]
    tf.debugging.set_log_device_placement(False)
    tf.debugging.disable_traceback_filtering()
    assert not tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.enable_traceback_filtering()
    with tf.device("/cpu:0"):
        assert 3 == tf.add(1, 2).numpy()
    built = (tf.test.is_built_with_cuda(), tf.test.is_gpu_available(), tf.test.gpu_device_name())
    assert (False, False, "") == built

"""Visible devices, their memory and other settings of devices, as functions of `tf.config`.

No setting changes a result here. A setting for a missing device, or for its memory, is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from runtime.core.argument_checks import choice, dict_argument, flag, listed, shown
from runtime.core.devices import (
    PhysicalDevice,
    divide_processor,
    list_logical_devices,
    list_physical_devices,
)
from runtime.errors import ArgumentValueError

_POLICIES = (None, "explicit", "silent", "silent_for_int32", "warn")
# The current settings by name; the initial values are TensorFlow's defaults.
_SETTINGS: dict[str, Any] = {
    "device_policy": "silent",
    "jit": "",
    "log_device_placement": False,
    "soft_device_placement": True,
    "synchronous_execution": True,
    "tensor_float_32": True,
    "traceback_filtering": True,
}
_OPTIMIZER_OPTIONS: dict[str, Any] = {
    "disable_model_pruning": False,
    "disable_meta_optimizer": False,
}
_HIDDEN: set[PhysicalDevice] = set()


class LogicalDeviceConfiguration(NamedTuple):
    """The settings of a part of a device; all parts of the processor have all the memory.

    >>> LogicalDeviceConfiguration(memory_limit=1024).memory_limit
    1024
    """

    memory_limit: Any = None
    experimental_priority: Any = None
    experimental_device_ordinal: Any = None


# -- devices ---------------------------------------------------------------------------------------


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices that a program has not hidden.

    >>> get_visible_devices("GPU")
    []
    """
    return [each for each in list_physical_devices(device_type) if each not in _HIDDEN]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Set the devices that the program uses; this only changes `get_visible_devices`.

    Args:
        devices: some of `list_physical_devices()`, or one of them.
        device_type: the type of the devices to choose from; all types by default.

    Raises:
        ArgumentValueError: there is no such device.

    >>> set_visible_devices([], "GPU")
    """
    chosen = [devices] if isinstance(devices, PhysicalDevice) else listed(devices, "devices")
    existing = list_physical_devices(device_type)
    for each in chosen:
        if each not in existing:
            raise ArgumentValueError(f"there is no device {shown(each)} here, only {existing}")
    _HIDDEN.difference_update(existing)
    _HIDDEN.update(each for each in existing if each not in chosen)


def get_device_details(device: Any) -> dict[str, Any]:
    """Return the details of a device; the processor has none.

    >>> get_device_details(list_physical_devices()[0])
    {}
    """
    _check_device(device)
    return {}


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """Return the parts of a device, None if it is not divided.

    Raises:
        ArgumentValueError: there is no such device.

    >>> get_logical_device_configuration(list_physical_devices()[0]) is None
    True
    """
    _check_device(device)
    parts = len(list_logical_devices())
    return None if parts == 1 else [LogicalDeviceConfiguration()] * parts


def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Divide the processor into logical devices, for strategies of several replicas.

    Args:
        device: the processor.
        logical_devices: the settings of each part, at least one.

    Raises:
        ArgumentValueError: there are no parts, or there is no such device.

    >>> cpu = list_physical_devices()[0]
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()] * 2)
    >>> len(list_logical_devices())
    2
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()])
    """
    _check_device(device)
    parts = listed(logical_devices, "logical_devices")
    if not parts:
        raise ArgumentValueError("logical_devices must have at least one device")
    divide_processor(len(parts))


def get_memory_growth(device: Any) -> bool:
    """Raise an error: only the memory of GPUs can be allocated in advance.

    Raises:
        ArgumentValueError: always, as in TensorFlow for a CPU.

    >>> get_memory_growth(list_physical_devices()[0])
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: there is no memory to set or ask about ...
    """
    raise _no_memory(device)


def set_memory_growth(device: Any, enable: bool) -> None:
    """Raise an error: only the memory of GPUs can be allocated in advance.

    Raises:
        ArgumentValueError: always, as in TensorFlow for a CPU.

    >>> set_memory_growth(list_physical_devices()[0], True)
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: there is no memory to set or ask about ...
    """
    raise _no_memory(device)


def get_memory_info(device: Any) -> dict[str, int]:
    """Raise an error: only the memory use of GPUs is measured.

    Raises:
        ArgumentValueError: always, as in TensorFlow for a CPU.

    >>> get_memory_info("CPU:0")
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: there is no memory to set or ask about ...
    """
    raise _no_memory(device)


def _no_memory(device: Any) -> ArgumentValueError:
    return ArgumentValueError(
        f"{shown(device)} has no memory limit and no memory information: ask only about GPUs, "
        "`for gpu in tf.config.list_physical_devices('GPU')`"
    )


def _check_device(device: Any) -> None:
    # `==` of an array is an array.
    if not any(type(device) is type(each) and device == each for each in list_physical_devices()):
        raise ArgumentValueError(
            f"there is no device {shown(device)} here, only {list_physical_devices()}"
        )


# -- settings that are stored and have no effect ---------------------------------------------------


def get_soft_device_placement() -> bool:
    """Return the setting, True at first: whether an op may run on another device than requested.

    >>> get_soft_device_placement()
    True
    """
    return bool(_SETTINGS["soft_device_placement"])


def set_soft_device_placement(enabled: bool) -> None:
    """Store the setting: there is only one device to place ops on.

    >>> set_soft_device_placement(True)
    """
    _SETTINGS["soft_device_placement"] = flag(enabled, "enabled")


def get_log_device_placement() -> bool:
    """Return whether TensorFlow would log the device of each op.

    >>> get_log_device_placement()
    False
    """
    return bool(_SETTINGS["log_device_placement"])


def set_log_device_placement(enabled: bool) -> None:
    """Store the setting: with one device there is nothing to log.

    >>> set_log_device_placement(False)
    """
    _SETTINGS["log_device_placement"] = flag(enabled, "enabled")


def get_jit() -> Any:
    """Return the setting of `set_jit` in TensorFlow's form: "" or "autoclustering".

    >>> set_jit(True)
    >>> get_jit()
    'autoclustering'
    >>> set_jit(False)
    """
    return _SETTINGS["jit"]


def set_jit(enabled: Any) -> None:
    """Store the setting: graphs are always compiled as far as possible.

    >>> set_jit(False)
    >>> get_jit()
    ''
    """
    wanted = choice(enabled, "enabled", ("", "autoclustering")) if isinstance(enabled, str) else ""
    is_on = not isinstance(enabled, str) and flag(enabled, "enabled")
    _SETTINGS["jit"] = "autoclustering" if is_on else wanted


def get_experimental_options() -> dict[str, Any]:
    """Return the set options of TensorFlow's graph optimizer.

    >>> get_experimental_options()["disable_meta_optimizer"]
    False
    """
    return dict(_OPTIMIZER_OPTIONS)


def set_experimental_options(options: Mapping[str, Any]) -> None:
    """Store the options: there is no such optimizer here.

    >>> set_experimental_options({"disable_meta_optimizer": False})
    >>> get_experimental_options()["disable_meta_optimizer"]
    False
    """
    _OPTIMIZER_OPTIONS.update(dict_argument(options, "options"))


def get_synchronous_execution() -> bool:
    """Return the setting, True at first: whether an op is done when its call returns.

    >>> get_synchronous_execution()
    True
    """
    return bool(_SETTINGS["synchronous_execution"])


def set_synchronous_execution(enable: bool) -> None:
    """Store the setting: an op is always done when its call returns.

    >>> set_synchronous_execution(True)
    """
    _SETTINGS["synchronous_execution"] = True if enable is None else flag(enable, "enable")


def get_device_policy() -> Any:
    """Return TensorFlow's policy for a tensor that is on another device.

    >>> get_device_policy()
    'silent'
    """
    return _SETTINGS["device_policy"]


def set_device_policy(device_policy: str | None) -> None:
    """Store the setting: there is no other device.

    Raises:
        ArgumentValueError: it is not "explicit", "silent", "silent_for_int32", "warn" or None.

    >>> set_device_policy("silent")
    """
    _SETTINGS["device_policy"] = choice(device_policy, "device_policy", _POLICIES) or "silent"


def tensor_float_32_execution_enabled() -> bool:
    """Return the setting, True at first: whether a GPU might compute float32 less exactly.

    >>> tensor_float_32_execution_enabled()
    True
    """
    return bool(_SETTINGS["tensor_float_32"])


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Store the setting: float32 is always computed as float32.

    >>> enable_tensor_float_32_execution(True)
    """
    _SETTINGS["tensor_float_32"] = flag(enabled, "enabled")


def enable_op_determinism() -> None:
    """Do nothing: ops are deterministic here.

    >>> enable_op_determinism()
    """


def enable_mlir_bridge() -> None:
    """Do nothing: there is no MLIR bridge.

    >>> enable_mlir_bridge()
    """


def disable_mlir_bridge() -> None:
    """Do nothing: there is no MLIR bridge.

    >>> disable_mlir_bridge()
    """


def enable_traceback_filtering() -> None:
    """Store the setting, for `is_traceback_filtering_enabled`.

    >>> enable_traceback_filtering()
    """
    _SETTINGS["traceback_filtering"] = True


def disable_traceback_filtering() -> None:
    """Store the setting, for `is_traceback_filtering_enabled`.

    >>> disable_traceback_filtering()
    >>> is_traceback_filtering_enabled()
    False
    >>> enable_traceback_filtering()
    """
    _SETTINGS["traceback_filtering"] = False


def is_traceback_filtering_enabled() -> bool:
    """Return the setting, which changes no traceback.

    >>> is_traceback_filtering_enabled()
    True
    """
    return bool(_SETTINGS["traceback_filtering"])


# -- properties of a TensorFlow build --------------------------------------------------------------


def is_built_with_cuda() -> bool:
    """Return False: there are no GPUs here.

    >>> is_built_with_cuda()
    False
    """
    return False


def is_built_with_rocm() -> bool:
    """Return False: there are no GPUs here.

    >>> is_built_with_rocm()
    False
    """
    return False


def is_built_with_gpu_support() -> bool:
    """Return False: there are no GPUs here.

    >>> is_built_with_gpu_support()
    False
    """
    return False


def is_built_with_xla() -> bool:
    """Return False: graphs are compiled to NumPy and to machine code, not by XLA.

    >>> is_built_with_xla()
    False
    """
    return False


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """Return False: there are no GPUs here.

    >>> is_gpu_available()
    False
    """
    return False


def gpu_device_name() -> str:
    """Return an empty text: there are no GPUs here.

    >>> gpu_device_name()
    ''
    """
    return ""

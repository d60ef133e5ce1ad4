"""The devices: one processor, with the names that TensorFlow gives it."""

from __future__ import annotations

from typing import NamedTuple

from runtime.core.argument_checks import plain_text


class PhysicalDevice(NamedTuple):
    """A device of the machine: its `name`, and its `device_type`, "CPU".

    >>> list_physical_devices()[0] == PhysicalDevice("/physical_device:CPU:0", "CPU")
    True
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs name it, for `device(...)`.

    >>> list_logical_devices()[0] == LogicalDevice("/device:CPU:0", "CPU")
    True
    """

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices of the machine, or those of one type: a single one, of type "CPU".

    >>> list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    >>> list_physical_devices("GPU")
    []
    """
    devices = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    wanted = plain_text(device_type, "device_type", "CPU")
    return [each for each in devices if each.device_type == wanted]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """Return the devices that programs may name, or those of one type.

    >>> list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    devices = [LogicalDevice("/device:CPU:0", "CPU")]
    wanted = plain_text(device_type, "device_type", "CPU")
    return [each for each in devices if each.device_type == wanted]

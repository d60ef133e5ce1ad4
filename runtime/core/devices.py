"""The devices: one processor, which may be divided, with the names that TensorFlow gives it."""

from __future__ import annotations

from typing import NamedTuple

from runtime.core.argument_checks import plain_text


class _Processor:
    """The number of logical devices of the processor."""

    parts = 1


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
    devices = [LogicalDevice(f"/device:CPU:{at}", "CPU") for at in range(_Processor.parts)]
    wanted = plain_text(device_type, "device_type", "CPU")
    return [each for each in devices if each.device_type == wanted]


def divide_processor(parts: int) -> None:
    """Set the number of logical devices of the processor.

    >>> divide_processor(2)
    >>> [each.name for each in list_logical_devices()]
    ['/device:CPU:0', '/device:CPU:1']
    >>> divide_processor(1)
    """
    _Processor.parts = parts


def device_number(name: str) -> int | None:
    """Return the number of a logical device by one of its names, None if there is no such device.

    >>> device_number("/cpu:0"), device_number("CPU"), device_number("/device:CPU:1")
    (0, 0, None)
    """
    kind, _, number = name.upper().replace("DEVICE:", "").rpartition("/")[2].partition(":")
    at = int(number or 0) if (number or "0").isdigit() else -1
    is_there = kind in ("", "CPU") and (kind or not number) and 0 <= at < _Processor.parts
    return at if is_there else None

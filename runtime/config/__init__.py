"""Settings of the process and its devices, by TensorFlow's names: the namespace `rt.config`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.config import threading as threading
    from runtime.core.devices import list_logical_devices as list_logical_devices
    from runtime.core.devices import list_physical_devices as list_physical_devices
    from runtime.distribute.config import LogicalDeviceConfiguration as LogicalDeviceConfiguration
    from runtime.distribute.config import get_visible_devices as get_visible_devices
    from runtime.distribute.config import (
        set_logical_device_configuration as set_logical_device_configuration,
    )
    from runtime.distribute.config import set_visible_devices as set_visible_devices
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.config": "threading",
            "runtime.core.devices": "list_logical_devices list_physical_devices",
            "runtime.distribute.config": (
                "LogicalDeviceConfiguration get_visible_devices set_logical_device_configuration "
                "set_visible_devices"
            ),
        },
    )

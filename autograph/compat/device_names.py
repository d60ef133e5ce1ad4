"""TensorFlow's names for devices, their settings and profiles: names, as data."""

from __future__ import annotations

_CONFIG = {
    "config": """
        LogicalDeviceConfiguration get_logical_device_configuration get_soft_device_placement
        get_visible_devices set_logical_device_configuration set_soft_device_placement
        set_visible_devices
    """,
    "config.experimental": """
        disable_mlir_bridge enable_mlir_bridge enable_op_determinism
        enable_tensor_float_32_execution get_device_details get_device_policy get_memory_growth
        get_memory_info get_synchronous_execution get_visible_devices set_device_policy
        set_memory_growth set_synchronous_execution set_visible_devices
        tensor_float_32_execution_enabled
    """,
    "config.optimizer": "get_experimental_options get_jit set_experimental_options set_jit",
    "config.threading": """
        get_inter_op_parallelism_threads get_intra_op_parallelism_threads
        set_inter_op_parallelism_threads set_intra_op_parallelism_threads
    """,
    "debugging": """
        disable_traceback_filtering enable_traceback_filtering get_log_device_placement
        is_traceback_filtering_enabled set_log_device_placement
    """,
    "test": """
        gpu_device_name is_built_with_cuda is_built_with_gpu_support is_built_with_rocm
        is_built_with_xla is_gpu_available
    """,
}
_DISTRIBUTE = """
    InputContext InputOptions OneDeviceStrategy ReduceOp ReplicaContext RunOptions Strategy
    experimental_set_strategy get_replica_context get_strategy has_strategy
    in_cross_replica_context
"""
_PROFILER = "Profile ProfilerOptions Trace start stop"
_AT = "rt.one_device"

ONE_DEVICE = {
    **{
        f"{space}.{name}": f"{_AT}.config.{name}"
        for space, names in _CONFIG.items()
        for name in names.split()
    },
    **{f"distribute.{name}": f"{_AT}.distribute.{name}" for name in _DISTRIBUTE.split()},
    **{f"profiler.experimental.{name}": f"{_AT}.profiler.{name}" for name in _PROFILER.split()},
    "config.LogicalDevice": "rt.core.devices.LogicalDevice",
    "config.PhysicalDevice": "rt.core.devices.PhysicalDevice",
    "config.experimental.VirtualDeviceConfiguration": f"{_AT}.config.LogicalDeviceConfiguration",
    "config.experimental.get_virtual_device_configuration": (
        f"{_AT}.config.get_logical_device_configuration"
    ),
    "config.experimental.list_logical_devices": "rt.list_logical_devices",
    "config.experimental.set_virtual_device_configuration": (
        f"{_AT}.config.set_logical_device_configuration"
    ),
    "profiler.experimental.server.start": f"{_AT}.profiler.start_server",
    "saved_model.LoadOptions": f"{_AT}.saving.LoadOptions",
    "saved_model.SaveOptions": f"{_AT}.saving.SaveOptions",
}

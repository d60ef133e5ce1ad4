"""Steps on several devices and processes, and TensorFlow's settings of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.distribute import config as config
    from runtime.distribute.options import InputContext as InputContext
    from runtime.distribute.options import InputOptions as InputOptions
    from runtime.distribute.options import RunOptions as RunOptions
    from runtime.distribute.per_replica import PerReplica as PerReplica
    from runtime.distribute.per_replica import ReduceOp as ReduceOp
    from runtime.distribute.strategy import MirroredStrategy as MirroredStrategy
    from runtime.distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
    from runtime.distribute.strategy import ReplicaContext as ReplicaContext
    from runtime.distribute.strategy import Strategy as Strategy
    from runtime.distribute.strategy import experimental_set_strategy as experimental_set_strategy
    from runtime.distribute.strategy import get_replica_context as get_replica_context
    from runtime.distribute.strategy import get_strategy as get_strategy
    from runtime.distribute.strategy import has_strategy as has_strategy
    from runtime.distribute.strategy import in_cross_replica_context as in_cross_replica_context
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.distribute": "config",
            "runtime.distribute.options": "InputContext InputOptions RunOptions",
            "runtime.distribute.per_replica": "PerReplica ReduceOp",
            "runtime.distribute.strategy": (
                "MirroredStrategy OneDeviceStrategy ReplicaContext Strategy "
                "experimental_set_strategy get_replica_context get_strategy has_strategy "
                "in_cross_replica_context"
            ),
        },
    )

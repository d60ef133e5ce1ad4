"""Strategies, as in `tf.distribute`, for one device: each step runs once, in the calling thread.

strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
loss = strategy.reduce("SUM", strategy.run(step, args=(batch,)), axis=None)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import Any

from runtime import nest
from runtime.core.argument_checks import function, plain_text, shown
from runtime.core.converter_hooks import staged
from runtime.errors import ArgumentValueError, GraphError
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


class ReduceOp(Enum):
    """The reduction of the values of replicas.

    >>> ReduceOp("SUM").name
    'SUM'
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """Return the reduction of an aggregation of variables, SUM or MEAN."""
        return _reduction(getattr(aggregation, "name", aggregation))


class RunOptions:
    """The options of a step on many devices; they have no effect here.

    >>> RunOptions().experimental_enable_dynamic_batch_size
    True
    """

    def __init__(
        self,
        experimental_enable_dynamic_batch_size: bool = True,
        experimental_bucketizing_dynamic_shape: bool = False,
        experimental_xla_options: Any = None,
    ) -> None:
        self.experimental_enable_dynamic_batch_size = experimental_enable_dynamic_batch_size
        self.experimental_bucketizing_dynamic_shape = experimental_bucketizing_dynamic_shape
        self.experimental_xla_options = experimental_xla_options


class InputOptions:
    """The options of data for many devices; they have no effect here.

    >>> InputOptions().experimental_per_replica_buffer_size
    1
    """

    def __init__(
        self,
        experimental_fetch_to_device: bool | None = None,
        experimental_replication_mode: Any = "PER_WORKER",
        experimental_place_dataset_on_device: bool = False,
        experimental_per_replica_buffer_size: int = 1,
    ) -> None:
        self.experimental_fetch_to_device = experimental_fetch_to_device
        self.experimental_replication_mode = experimental_replication_mode
        self.experimental_place_dataset_on_device = experimental_place_dataset_on_device
        self.experimental_per_replica_buffer_size = experimental_per_replica_buffer_size


class InputContext:
    """The argument of a function that makes a dataset: its pipeline, among those of all replicas.

    >>> InputContext().get_per_replica_batch_size(8)
    8
    """

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Return the size of the part of a batch that one replica gets.

        Raises:
            ArgumentValueError: the batch cannot be divided evenly.
        """
        if global_batch_size % self.num_replicas_in_sync:
            raise ArgumentValueError(
                f"a batch of {global_batch_size} cannot be divided by {self.num_replicas_in_sync}"
            )
        return global_batch_size // self.num_replicas_in_sync


class Strategy:
    """Distributes steps over devices: here a step runs once, on the only device.

    >>> strategy = OneDeviceStrategy("/cpu:0")
    >>> strategy.run(lambda x: x + 1, args=(to_tensor(2),))
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """

    num_replicas_in_sync = 1
    cluster_resolver = None

    @property
    def extended(self) -> Strategy:
        """The strategy itself, which has the extended methods."""
        return self

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The names of the devices that compute."""
        return (_CPU,)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The names of the devices that have the variables."""
        return (_CPU,)

    def scope(self) -> AbstractContextManager[Strategy]:
        """Return a context manager in which `get_strategy` is this one."""
        return _scope(self)

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """Return the result of `fn` for the arguments; a graph converts it like other calls."""
        function(fn, "fn")
        with _scope(self), _replica(self):
            return staged(fn)(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the values of all replicas reduced to one: on one device, the value itself.

        Args:
            reduce_op: "SUM", "MEAN" or a `ReduceOp`.
            value: a tensor, or a structure of them.
            axis: an axis of the value to reduce as well; by default none.

        >>> OneDeviceStrategy("/cpu:0").reduce("MEAN", to_tensor([1.0, 3.0]), axis=0)
        <rt.Tensor: shape=(), dtype=float32, numpy=2.0>
        """
        kind = _reduction(reduce_op)
        if axis is None:
            return value
        reduced = reduce_sum if kind is ReduceOp.SUM else _mean
        return nest.map_structure(lambda each: reduced(each, axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """Return the concatenated values of all replicas: on one device, the value as tensors."""
        return nest.map_structure(to_tensor, value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the values of all replicas: on one device, the value in a tuple."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Return the dataset unchanged: its batches go to one device."""
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Return the dataset that a function makes."""
        return function(dataset_fn, "dataset_fn")(InputContext())

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """Return the value that a function makes for the one replica."""
        return function(value_fn, "value_fn")(ReplicaContext(self, 0))

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """Return the result of `fn` for a variable and the arguments."""
        return staged(function(fn, "fn"))(var, *args, **(kwargs or {}))


class OneDeviceStrategy(Strategy):
    """The strategy of one device.

    Args:
        device: the name of the processor, "/cpu:0"; "" means it too.

    Raises:
        ArgumentValueError: it names another device.

    >>> strategy = OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     get_strategy() is strategy
    True
    """

    def __init__(self, device: str) -> None:
        name = plain_text(device, "device")
        kind = name.upper().replace("DEVICE:", "").rpartition("/")[2]
        if kind not in ("", "CPU", "CPU:0"):
            raise ArgumentValueError(f"there is no device {shown(name)} here: write '/cpu:0'")
        self.device = name


class ReplicaContext:
    """The position of a step among its replicas: it is the only one.

    >>> step = OneDeviceStrategy("/cpu:0").run(get_replica_context)
    >>> step.replica_id_in_sync_group, step.num_replicas_in_sync
    (0, 1)
    """

    num_replicas_in_sync = 1

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int = 0) -> None:
        self.strategy = strategy
        self.replica_id_in_sync_group = replica_id_in_sync_group

    @property
    def devices(self) -> tuple[str, ...]:
        """The names of the devices of the step."""
        return (_CPU,)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Return the values of all replicas reduced to one: the value, as tensors."""
        _reduction(reduce_op)
        return nest.map_structure(to_tensor, value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Return the concatenated values of all replicas: the value, as tensors."""
        return nest.map_structure(to_tensor, value)

    def merge_call(
        self,
        merge_fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the result of `merge_fn` for the strategy and the arguments."""
        with _replica(None):
            return staged(function(merge_fn, "merge_fn"))(self.strategy, *args, **(kwargs or {}))


_DEFAULT = Strategy()
_CURRENT: ContextVar[Strategy] = ContextVar("strategy", default=_DEFAULT)
# The strategy of the current step; None in the scope of a strategy, between its steps.
_REPLICA: ContextVar[Strategy | None] = ContextVar("replica", default=_DEFAULT)


@contextmanager
def _scope(strategy: Strategy) -> Iterator[Strategy]:
    is_same = _CURRENT.get() is strategy
    if not is_same and _CURRENT.get() is not _DEFAULT:
        raise GraphError("a strategy's scope is inside of another's: leave that one first")
    strategy_before = _CURRENT.set(strategy)
    replica_before = _REPLICA.set(_REPLICA.get() if is_same else None)
    try:
        yield strategy
    finally:
        _REPLICA.reset(replica_before)
        _CURRENT.reset(strategy_before)


@contextmanager
def _replica(strategy: Strategy | None) -> Iterator[None]:
    before = _REPLICA.set(strategy)
    try:
        yield
    finally:
        _REPLICA.reset(before)


def get_strategy() -> Strategy:
    """Return the strategy of the current scope, or the default strategy.

    >>> get_strategy().num_replicas_in_sync
    1
    """
    return _CURRENT.get()


def has_strategy() -> bool:
    """Return whether this is in the scope of a strategy.

    >>> has_strategy()
    False
    >>> with OneDeviceStrategy("/cpu:0").scope():
    ...     has_strategy()
    True
    """
    return _CURRENT.get() is not _DEFAULT


def experimental_set_strategy(strategy: Strategy | None) -> None:
    """Set the strategy of this thread, for all that follows; None sets the default one.

    >>> experimental_set_strategy(OneDeviceStrategy("/cpu:0"))
    >>> has_strategy()
    True
    >>> experimental_set_strategy(None)
    """
    _CURRENT.set(_DEFAULT if strategy is None else strategy)
    _REPLICA.set(_DEFAULT if strategy is None else None)


def get_replica_context() -> ReplicaContext | None:
    """Return the context of the running step; None in the scope of a strategy, between steps.

    >>> with OneDeviceStrategy("/cpu:0").scope():
    ...     get_replica_context() is None
    True
    """
    strategy = _REPLICA.get()
    return None if strategy is None else ReplicaContext(strategy)


def in_cross_replica_context() -> bool:
    """Return whether this is in the scope of a strategy, and in no step.

    >>> in_cross_replica_context()
    False
    """
    return _REPLICA.get() is None


def _mean(value: Any, axis: Any) -> Any:
    """Return the mean along an axis; that of integers is a float64."""
    tensor = to_tensor(value)
    return reduce_mean(cast(tensor, "float64") if tensor.dtype.is_integer else tensor, axis)


def _reduction(reduce_op: Any) -> ReduceOp:
    name = getattr(reduce_op, "value", reduce_op)
    if isinstance(name, str) and name.upper() in ReduceOp.__members__:
        return ReduceOp[name.upper()]
    raise ArgumentValueError(f"reduce_op is 'SUM' or 'MEAN', not {shown(reduce_op)}")

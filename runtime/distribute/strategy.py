"""Strategies, as in `tf.distribute`: a step runs once in each of several replicas.

strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for batch in strategy.experimental_distribute_dataset(dataset):
    loss = strategy.reduce("SUM", strategy.run(step, args=(batch,)), axis=None)

A variable has one value, which all replicas read. What they assign is merged as its `aggregation`
says, so a variable is the same in all of them at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from runtime import nest
from runtime.autodiff.custom_vjp import with_custom_vjp
from runtime.core.argument_checks import function, listed, plain_text, shown
from runtime.core.context import current_recorder, current_watchers
from runtime.core.converter_hooks import staged
from runtime.core.devices import device_number, list_logical_devices
from runtime.core.replica import current_replica
from runtime.core.weak_tables import IdentityTable
from runtime.distribute.distributed_dataset import distributed, distributed_batches
from runtime.distribute.lockstep import run_in_lockstep
from runtime.distribute.options import InputContext
from runtime.distribute.per_replica import (
    PerReplica,
    ReduceOp,
    gathered,
    mapped_per_replica,
    part_of,
    per_replica,
    reduced,
    reduced_along,
    reduction_of,
)
from runtime.errors import ArgumentValueError, GraphError
from runtime.ops.constant import identity
from runtime.ops.convert import to_tensor

_TASK = "/job:localhost/replica:0/task:0"


class Strategy:
    """Distributes steps over devices: each runs once, in this thread, unless there are several.

    >>> strategy = OneDeviceStrategy("/cpu:0")
    >>> strategy.run(lambda x: x + 1, args=(to_tensor(2),))
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """

    cluster_resolver = None
    _devices: tuple[str, ...] = (f"{_TASK}/device:CPU:0",)

    @property
    def num_replicas_in_sync(self) -> int:
        """The number of replicas."""
        return len(self._devices)

    @property
    def extended(self) -> Strategy:
        """The strategy itself, which has the extended methods."""
        return self

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The names of the devices that compute, one for each replica."""
        return self._devices

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The names of the devices that have the variables."""
        return self._devices

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
        """Return the result of `fn` for the arguments; a graph converts it like other calls.

        With several replicas it runs once in each, with that replica's part of each PerReplica in
        the arguments. The result has the same form, with a PerReplica for each value that is not
        the same object in all of them.

        Raises:
            GraphError: not all replicas take part in the same reductions and assignments, or they
                do so in a branch or loop of a graph.
        """
        function(fn, "fn")
        if self.num_replicas_in_sync == 1:
            with _scope(self), _replica(self):
                return staged(fn)(*args, **(kwargs or {}))
        if current_replica() is not None:
            raise GraphError("strategy.run is called in a replica: call it outside of the step")
        if current_recorder() is None and hasattr(fn, "with_python_function"):
            return self._as_graph(fn)(tuple(args), dict(kwargs or {}))
        return self._run_in_replicas(fn, tuple(args), dict(kwargs or {}))

    def _as_graph(self, fn: Any) -> Callable[..., Any]:
        """Return a Function that runs the step of another Function in all replicas."""
        known: IdentityTable[Any, Any] = vars(self).setdefault("_graphs", IdentityTable())
        made = known.get(fn)
        if made is None:
            step = partial(self._run_in_replicas, fn.python_function)
            made = known.get_or_put(fn, fn.with_python_function(step))
        return made

    def _run_in_replicas(
        self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        step = staged(getattr(fn, "python_function", fn))
        steps = []
        for index in range(self.num_replicas_in_sync):
            given = part_of(args, index)
            steps.append(partial(self._in_replica, step, given, part_of(kwargs, index)))
        with _scope(self), _replica(None):
            return per_replica(run_in_lockstep(steps, self._devices))

    def _in_replica(self, step: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        with _replica(self):
            return step(*args, **kwargs)

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the values of all replicas reduced to one.

        Args:
            reduce_op: "SUM", "MEAN" or a `ReduceOp`.
            value: a PerReplica, a tensor, or a structure of them. A tensor counts as the value of
                each replica, which has no sum without an axis.
            axis: an axis of the values to reduce as well, or several; by default none. The mean
                is that of all elements.

        Raises:
            ArgumentValueError: the sum of replicas is asked of a value that is none of theirs.
            ShapeError: values to be added have different shapes.

        >>> OneDeviceStrategy("/cpu:0").reduce("MEAN", to_tensor([1.0, 3.0]), axis=0)
        <rt.Tensor: shape=(), dtype=float32, numpy=2.0>
        """
        return mapped_per_replica(partial(self._reduced, reduction_of(reduce_op), axis), value)

    def _reduced(self, kind: ReduceOp, axis: Any, value: Any) -> Any:
        if axis is not None:
            return reduced_along(kind, self._values_of(value), axis)
        if isinstance(value, PerReplica):
            return reduced(kind, value.values)
        if kind is ReduceOp.SUM and self.num_replicas_in_sync > 1:
            raise ArgumentValueError(
                f"{shown(value)} is not a value of each replica: 'SUM' adds values that "
                "strategy.run returns; write 'MEAN', or x * n for the sum"
            )
        return value

    def _values_of(self, value: Any) -> tuple[Any, ...]:
        is_one = not isinstance(value, PerReplica)
        return (value,) * self.num_replicas_in_sync if is_one else value.values

    def gather(self, value: Any, axis: int) -> Any:
        """Return the values of all replicas one after the other along an axis."""
        return mapped_per_replica(
            lambda each: gathered(each.values if _is_part(each) else [each], axis), value
        )

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the values of all replicas as a tuple; a single value is one of one."""
        return tuple(part_of(value, index) for index in range(_count(value)))

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Return a dataset of the parts of batches, each a PerReplica.

        The first replicas get the larger parts; those of a last batch may be empty.

        Raises:
            ArgumentValueError: there are several replicas, and the dataset has no batches.
        """
        return distributed(dataset, self.num_replicas_in_sync)

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Return a dataset the elements of which are batches of all replicas.

        Args:
            dataset_fn: returns the dataset of batches of one replica each.
        """
        count = self.num_replicas_in_sync
        made = function(dataset_fn, "dataset_fn")(InputContext(num_replicas_in_sync=count))
        return distributed_batches(made, count)

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """Return the values that a function makes, one for each replica."""
        make = function(value_fn, "value_fn")
        count = self.num_replicas_in_sync
        values = [make(ValueContext(index, count)) for index in range(count)]
        return values[0] if count == 1 else PerReplica(tuple(values))

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


def _count(value: Any) -> int:
    counts = {len(each.values) for each in _parts_in(value)}
    return counts.pop() if counts else 1


def _parts_in(value: Any) -> list[PerReplica]:
    found: list[PerReplica] = []
    mapped_per_replica(lambda each: found.append(each) if _is_part(each) else None, value)
    return found


def _is_part(value: Any) -> bool:
    return isinstance(value, PerReplica)


class ValueContext:
    """The replica that a value is made for: its number, and the number of replicas.

    >>> ValueContext(1, 2).replica_id_in_sync_group
    1
    """

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync


class OneDeviceStrategy(Strategy):
    """The strategy of one device.

    Args:
        device: the name of the processor, "/cpu:0"; "" means it too.

    Raises:
        ArgumentValueError: there is no such device.

    >>> strategy = OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     get_strategy() is strategy
    True
    """

    def __init__(self, device: str) -> None:
        self.device = plain_text(device, "device")
        self._devices = (_full_name(self.device),)


class MirroredStrategy(Strategy):
    """The strategy of several devices of this machine: one replica on each.

    Args:
        devices: their names; by default the processor alone. `tf.config` divides it:
            `set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()] * 2)`.
        cross_device_ops: no effect here.

    Raises:
        ArgumentValueError: there is no such device, or one is named twice.

    >>> strategy = MirroredStrategy(["/cpu:0"])
    >>> strategy.num_replicas_in_sync
    1
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        names = ["/cpu:0"] if devices is None else listed(devices, "devices")
        full = tuple(_full_name(plain_text(each, "devices")) for each in names)
        if len(set(full)) < len(full) or not full:
            raise ArgumentValueError(f"devices must be distinct, and at least one, not {names}")
        self._devices = full


def _full_name(device: str) -> str:
    number = device_number(device)
    if number is None:
        there = ", ".join(each.name for each in list_logical_devices())
        raise ArgumentValueError(
            f"there is no device {shown(device)} here, only {there}: "
            "tf.config.set_logical_device_configuration(cpu, "
            "[tf.config.LogicalDeviceConfiguration()] * 2) makes two of the processor"
        )
    return f"{_TASK}/device:CPU:{number}"


class ReplicaContext:
    """The position of a step among its replicas.

    >>> step = OneDeviceStrategy("/cpu:0").run(get_replica_context)
    >>> int(step.replica_id_in_sync_group), step.num_replicas_in_sync
    (0, 1)
    """

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int = 0) -> None:
        self.strategy = strategy
        self.replica_id_in_sync_group = replica_id_in_sync_group

    @property
    def num_replicas_in_sync(self) -> int:
        """The number of replicas."""
        return self.strategy.num_replicas_in_sync

    @property
    def devices(self) -> tuple[str, ...]:
        """The name of the device of this replica, as a tuple."""
        return (self.strategy.worker_devices[self.replica_id_in_sync_group],)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Return the values of all replicas reduced to one, the same in all.

        Tapes of the step find its gradient: the same reduction of the gradients of all replicas.

        Args:
            reduce_op: "SUM", "MEAN" or a `ReduceOp`.
            value: a tensor, or a structure of them, of the same shapes in all replicas.

        Raises:
            ShapeError: the shapes differ between replicas.
            GraphError: other replicas are at another place, or this is in a branch or loop.
        """
        kind = reduction_of(reduce_op)
        tensors = [to_tensor(each) for each in nest.flatten(value)]
        replica = current_replica()
        if replica is None:
            return nest.unflatten(value, tensors)
        results = replica.meet(
            f"all_reduce of {len(tensors)} tensor(s) by {kind.name}",
            lambda parts: _for_all([reduced(kind, each) for each in zip(*parts)], replica.count),
            tensors,
        )
        if any(tape not in replica.outer_tapes for tape in current_watchers()):
            results = self._differentiable(kind, tensors, results)
        return nest.unflatten(value, results)

    def _differentiable(self, kind: ReduceOp, tensors: list[Any], results: list[Any]) -> list[Any]:
        """Return results with a gradient for the tapes of this step."""

        def gradients(*dys: Any) -> list[Any]:
            if current_replica() is None:
                raise GraphError(
                    "the gradient of all_reduce is computed in the step: open the tape, and ask "
                    "for the gradient, in the function that strategy.run takes"
                )
            return list(self.all_reduce(kind, list(dys)))

        found = with_custom_vjp(gradients, results, tensors, [])
        return list(found) if isinstance(found, (list, tuple)) else [found]

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Return the values of all replicas one after the other along an axis, the same in all."""
        tensors = [to_tensor(each) for each in nest.flatten(value)]
        replica = current_replica()
        if replica is None:
            return nest.unflatten(value, tensors)
        results = replica.meet(
            f"all_gather of {len(tensors)} tensor(s) along axis {axis}",
            lambda parts: _for_all([gathered(each, axis) for each in zip(*parts)], replica.count),
            tensors,
        )
        return nest.unflatten(value, results)

    def merge_call(
        self,
        merge_fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the result of `merge_fn` for the strategy and the arguments of all replicas.

        It is called once; arguments that differ between replicas are PerReplica, and each replica
        returns its part of the result.
        """
        merge, replica = function(merge_fn, "merge_fn"), current_replica()
        if replica is None:
            with _replica(None):
                return staged(merge)(self.strategy, *args, **(kwargs or {}))
        count = replica.count

        def merged(parts: Sequence[Any]) -> list[Any]:
            positional, named = per_replica([each[0] for each in parts]), [p[1] for p in parts]
            result = staged(merge)(self.strategy, *positional, **per_replica(named))
            return [part_of(result, index) for index in range(count)]

        return replica.meet("merge_call", merged, (tuple(args), dict(kwargs or {})))


def _for_all(results: list[Any], count: int) -> list[list[Any]]:
    """Return the same results for each replica, as tensors of its own."""
    return [results, *(list(map(identity, results)) for _ in range(count - 1))]


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
    strategy, replica = _REPLICA.get(), current_replica()
    if strategy is None:
        return None
    return ReplicaContext(strategy, 0 if replica is None else replica.index)


def in_cross_replica_context() -> bool:
    """Return whether this is in the scope of a strategy, and in no step.

    >>> in_cross_replica_context()
    False
    """
    return _REPLICA.get() is None

"""Strategies of one device: steps run once, and reductions agree with TensorFlow on one device."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime import distribute
from runtime.distribute import OneDeviceStrategy, ReduceOp, get_strategy
from runtime.errors import ArgumentValueError, GraphError


@pytest.fixture
def strategy() -> OneDeviceStrategy:
    return OneDeviceStrategy("/cpu:0")


@pytest.mark.parametrize("device", ["/cpu:0", "cpu", "CPU:0", "/device:CPU:0", ""])
def test_the_processor_has_several_names(device: str) -> None:
    assert 1 == OneDeviceStrategy(device).num_replicas_in_sync


@pytest.mark.parametrize("device", ["/gpu:0", "/cpu:1", "TPU"])
def test_an_unknown_device_is_refused(device: str) -> None:
    with pytest.raises(ArgumentValueError, match="there is no device"):
        OneDeviceStrategy(device)


def test_a_scope_is_where_its_strategy_is_the_current_one(strategy: OneDeviceStrategy) -> None:
    assert (False, False) == (distribute.has_strategy(), distribute.in_cross_replica_context())
    with strategy.scope() as entered:
        assert entered is strategy is get_strategy()
        assert distribute.has_strategy()
        assert distribute.in_cross_replica_context()
        assert distribute.get_replica_context() is None
        with strategy.scope():
            assert get_strategy() is strategy
        with pytest.raises(GraphError, match="inside of another"), OneDeviceStrategy("").scope():
            pass
    assert not distribute.has_strategy()
    assert distribute.get_replica_context().replica_id_in_sync_group == 0


def test_a_step_is_converted_in_a_graph(strategy: OneDeviceStrategy) -> None:
    def step(x, *, most):
        context = distribute.get_replica_context()
        assert context.strategy is strategy
        if rt.reduce_sum(x) > most:
            x = x / 2
        return context.all_reduce("SUM", x)

    @ag.function
    def whole(x):
        found = strategy.run(step, args=(x,), kwargs={"most": 3.0})
        return strategy.reduce("SUM", found, axis=None), strategy.reduce(ReduceOp.MEAN, found, 0)

    for values, expected in (([1.0, 2.0], [1.0, 2.0]), ([2.0, 4.0], [1.0, 2.0])):
        same, mean = whole(rt.constant(values))
        assert expected == same.numpy().tolist()
        assert 1.5 == mean.numpy()


@pytest.mark.parametrize(
    "values, op, axis, expected",
    [
        ([1, 2], "MEAN", 0, 1.5),
        ([1, 2], "sum", 0, 3),
        ([[1.0, 3.0], [5.0, 7.0]], ReduceOp.MEAN, (0, 1), 4.0),
        ([[1.0, 3.0], [5.0, 7.0]], ReduceOp.SUM, 1, [4.0, 12.0]),
        ([1, 2], "MEAN", None, [1, 2]),
    ],
)
def test_values_are_reduced_along_an_axis(strategy, values, op, axis, expected) -> None:
    assert np.array_equal(expected, strategy.reduce(op, rt.constant(values), axis))


def test_an_unknown_reduction_is_refused(strategy: OneDeviceStrategy) -> None:
    with pytest.raises(ArgumentValueError, match="'SUM' or 'MEAN'"):
        strategy.reduce("MAX", rt.constant([1]), 0)


def test_datasets_and_results_are_unchanged(strategy: OneDeviceStrategy) -> None:
    data = rt.data.Dataset.range(4).batch(2)
    assert strategy.experimental_distribute_dataset(data) is data
    made = strategy.distribute_datasets_from_function(
        lambda context: rt.data.Dataset.range(context.get_per_replica_batch_size(2))
    )
    assert [0, 1] == [int(each) for each in made]
    assert (3,) == strategy.experimental_local_results(3)
    assert [1] == strategy.gather(rt.constant([1]), 0).numpy().tolist()


def test_a_merge_is_called_with_the_strategy(strategy: OneDeviceStrategy) -> None:
    def step(x):
        return distribute.get_replica_context().merge_call(
            lambda given, y: (given, distribute.in_cross_replica_context(), y), args=(x,)
        )

    assert (strategy, True, 2) == strategy.run(step, (2,))


def test_a_model_is_trained_in_a_scope(strategy: OneDeviceStrategy) -> None:
    with strategy.scope():
        model = rt.nn.Sequential([rt.nn.layers.Dense(1, kernel_initializer="zeros")])
        model.compile(optimizer=rt.nn.optimizers.SGD(0.25), loss="mse")
    model.fit(np.ones((4, 1)), np.ones((4, 1)), epochs=1, verbose=0)
    assert 0.5 == float(model.layers[0].kernel.numpy()[0, 0])


def test_an_indivisible_batch_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="must be a multiple of 2"):
        distribute.InputContext(num_replicas_in_sync=2).get_per_replica_batch_size(3)

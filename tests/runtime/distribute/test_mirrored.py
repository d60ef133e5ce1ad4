"""Steps in two replicas: TensorFlow's results, and the errors of steps that do not go together."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.core.devices import divide_processor
from runtime.distribute import MirroredStrategy
from runtime.errors import (
    ArgumentValueError,
    FailedPreconditionError,
    GraphError,
    InvalidArgumentError,
    ShapeError,
    UnimplementedError,
)
from tests.runtime.distribute.mirrored_programs import (
    PROGRAMS,
    RESULTS,
    local,
    number,
    two_replicas,
)

EXPECTED = json.loads(RESULTS.read_text(encoding="utf-8"))


@pytest.fixture
def strategy() -> Iterator[MirroredStrategy]:
    yield two_replicas(tf)
    divide_processor(1)


def test_each_program_has_a_result() -> None:
    assert sorted(EXPECTED) == sorted(PROGRAMS)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_results_are_those_of_tensorflow(name: str, strategy: MirroredStrategy) -> None:
    assert EXPECTED[name] == json.loads(json.dumps(PROGRAMS[name](tf, strategy)))


# -- beyond TensorFlow -----------------------------------------------------------------------------


def _distributed(strategy, size=8, batch=4):
    dataset = rt.data.Dataset.range(size).map(lambda x: rt.cast(x, rt.float32)).batch(batch)
    return strategy.experimental_distribute_dataset(dataset)


def test_a_loop_is_left_by_break(strategy) -> None:
    @ag.function
    def total(dataset):
        result = 0.0
        last = 0
        for at, x in enumerate(dataset):
            last = at
            sums = strategy.run(lambda x: rt.reduce_sum(x), args=(x,))
            result += strategy.reduce("SUM", sums, axis=None)
            if result > 10.0:
                break
        return result, last

    result, last = total(_distributed(strategy, 16))
    assert (28.0, 1) == (float(result), int(last))


def test_a_loop_is_one_node_of_the_graph(strategy) -> None:
    def total(dataset):
        result = 0.0
        for x in dataset:
            result += strategy.reduce("SUM", strategy.run(lambda x: x * number(tf), (x,)), axis=0)
        return result

    function = ag.function(total)
    text = function.get_concrete_function(_distributed(strategy)).graph.as_text()
    assert 1 == text.count("while_loop(")
    assert total(_distributed(strategy)) == function(_distributed(strategy))


def test_a_step_may_have_any_number_of_replicas() -> None:
    divide_processor(3)
    try:
        strategy = MirroredStrategy([f"/cpu:{at}" for at in range(3)])
        found = strategy.run(
            lambda: tf.distribute.get_replica_context().all_reduce("SUM", number(tf))
        )
        assert [6.0] * 3 == local(strategy, found)
    finally:
        divide_processor(1)


def test_a_per_replica_value_is_shown_with_its_replicas(strategy) -> None:
    found = strategy.run(lambda: int(number(tf)))
    assert "PerReplica:{\n  0: 1,\n  1: 2\n}" == repr(found)


def test_no_thread_is_left(strategy) -> None:
    before = threading.active_count()
    strategy.run(lambda: number(tf))
    with pytest.raises(ValueError, match="mine"):
        strategy.run(_failing)
    assert before == threading.active_count()


def _failing():
    context = tf.distribute.get_replica_context()
    if context.replica_id_in_sync_group == 1:
        raise ValueError("mine")
    return context.all_reduce("SUM", number(tf))


# -- refused ---------------------------------------------------------------------------------------


def test_the_error_of_a_replica_is_raised(strategy) -> None:
    with pytest.raises(ValueError, match="mine"):
        strategy.run(_failing)
    assert [1.0, 2.0] == local(strategy, strategy.run(lambda: number(tf)))


def test_replicas_meet_at_the_same_places(strategy) -> None:
    def step():
        context = tf.distribute.get_replica_context()
        if context.replica_id_in_sync_group == 0:
            return context.all_reduce("SUM", number(tf))
        return number(tf)

    def other_step():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("MEAN" if context.replica_id_in_sync_group else "SUM", 1.0)

    ended = "replica 0 is at all_reduce of 1 tensor.s. by SUM, but replica 1 has ended its step"
    with pytest.raises(GraphError, match=ended):
        strategy.run(step)
    with pytest.raises(GraphError, match="by SUM, but replica 1 is at all_reduce .* by MEAN"):
        strategy.run(other_step)


def test_replicas_do_not_meet_in_a_branch_of_a_graph(strategy) -> None:
    def step(x):
        if x > 0:
            x = tf.distribute.get_replica_context().all_reduce("SUM", x)
        return x

    with pytest.raises(GraphError, match="in a branch, loop or function of the graph"):
        ag.function(lambda x: strategy.run(step, args=(x,)))(rt.constant(1))
    assert [2, 2] == local(strategy, strategy.run(step, args=(rt.constant(1),)))


def test_replicas_with_other_shapes_are_not_reduced(strategy) -> None:
    def step():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", rt.ones([context.replica_id_in_sync_group + 1]))

    with pytest.raises(ShapeError, match=r"different shapes, \(1,\) and \(2,\)"):
        strategy.run(step)


def test_a_sum_needs_values_of_replicas(strategy) -> None:
    with pytest.raises(ArgumentValueError, match="is not a value of each replica"):
        strategy.reduce("SUM", rt.constant(1.0), axis=None)


def test_a_step_runs_no_other_step(strategy) -> None:
    with pytest.raises(GraphError, match="outside of the step"):
        strategy.run(lambda: strategy.run(lambda: 1))


@pytest.mark.parametrize("is_graph", [False, True])
def test_a_variable_without_aggregation_gets_one_value(strategy, is_graph) -> None:
    v = rt.Variable(1.0, name="v")

    def same(x):
        v.assign_add(x)
        v.assign(v * 2.0)
        return None

    def other(x):
        v.assign_add(x * number(tf))
        return None

    def run(step):
        whole = ag.function if is_graph else lambda function: function
        return whole(lambda x: strategy.run(step, args=(x,)))(rt.constant(2.0))

    run(same)
    assert 6.0 == v.numpy()
    with pytest.raises(InvalidArgumentError, match="variable 'v': replicas assign different"):
        run(other)
    assert 6.0 == v.numpy()


def test_rows_are_not_changed_by_replicas(strategy) -> None:
    v = rt.Variable([1.0, 2.0], aggregation=rt.VariableAggregation.SUM, name="v")
    with pytest.raises(UnimplementedError, match="variable 'v': replicas change rows"):
        strategy.run(lambda: v.scatter_nd_add([[0]], [1.0]))


def test_a_sum_is_read_outside_of_steps(strategy) -> None:
    local_sum = rt.Variable(
        1.0,
        synchronization=rt.VariableSynchronization.ON_READ,
        aggregation=rt.VariableAggregation.SUM,
        name="n",
    )
    with pytest.raises(FailedPreconditionError, match="'n' is synchronized on reading"):
        strategy.run(lambda: local_sum + 1.0)
    plain = rt.Variable(1.0, synchronization=rt.VariableSynchronization.ON_READ, name="m")
    with pytest.raises(UnimplementedError, match="'m' is synchronized on reading and has no"):
        strategy.run(lambda: plain.assign_add(1.0))


def test_a_tape_around_a_step_sees_its_all_reduce(strategy) -> None:
    x = rt.Variable(3.0)
    with rt.GradientTape() as tape:
        found = strategy.run(
            lambda: tf.distribute.get_replica_context().all_reduce("SUM", x * number(tf))
        )
        total = strategy.reduce("SUM", found, axis=None)
    assert 6.0 == float(tape.gradient(total, x))


@pytest.mark.parametrize(
    "devices, message",
    [
        (["/cpu:0", "/cpu:0"], "devices must be distinct"),
        ([], "at least one"),
        (["/cpu:0", "/cpu:7"], "set_logical_device_configuration"),
        (["/gpu:0"], "there is no device '/gpu:0' here, only /device:CPU:0, /device:CPU:1"),
    ],
)
def test_unknown_devices_are_refused(devices, message, strategy) -> None:
    with pytest.raises(ArgumentValueError, match=message):
        MirroredStrategy(devices)


@pytest.mark.parametrize("dataset", [rt.data.Dataset.range(4), rt.constant([1])])
def test_a_dataset_without_batches_is_not_distributed(dataset, strategy) -> None:
    with pytest.raises(ArgumentValueError):
        strategy.experimental_distribute_dataset(dataset)
    with pytest.raises(ArgumentValueError, match="a dataset of batches"):
        strategy.distribute_datasets_from_function(lambda context: dataset)

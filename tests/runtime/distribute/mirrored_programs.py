"""Programs with two replicas that run under TensorFlow, too: each returns plain Python values.

`python tests/runtime/distribute/mirrored_programs.py` writes TensorFlow's results to the file that
`test_mirrored.py` compares with; it needs TensorFlow.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("mirrored_results.json")

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {}


def program(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Add a function of `tf` and a strategy to the programs."""
    PROGRAMS[function.__name__] = function
    return function


def local(strategy: Any, value: Any) -> list[Any]:
    """Return the values of all replicas as lists and numbers."""
    return [
        each if isinstance(each, (int, float, str)) else each.numpy().tolist()
        for each in strategy.experimental_local_results(value)
    ]


def number(tf: Any) -> Any:
    """Return the number of the replica, from 1 on."""
    context = tf.distribute.get_replica_context()
    return tf.cast(context.replica_id_in_sync_group, tf.float32) + 1.0


# -- datasets --------------------------------------------------------------------------------------


@program
def batches_are_cut(tf, strategy):
    found = []
    for size, batch in ((7, 4), (5, 4), (7, 5), (6, 5), (8, 3), (3, 1), (13, 8)):
        dataset = tf.data.Dataset.range(size).batch(batch)
        for each in strategy.experimental_distribute_dataset(dataset):
            found.append(local(strategy, each))
    return found


@program
def structures_are_cut(tf, strategy):
    rows = {"a": [[1, 2], [3, 4], [5, 6]], "b": [7, 8, 9]}
    dataset = tf.data.Dataset.from_tensor_slices((rows, [0, 1, 0])).batch(2).prefetch(1)
    return [
        [local(strategy, each) for each in (x["a"], x["b"], y)]
        for x, y in strategy.experimental_distribute_dataset(dataset)
    ]


@program
def whole_batches_only(tf, strategy):
    dataset = tf.data.Dataset.range(7).batch(4, drop_remainder=True)
    return [local(strategy, x) for x in strategy.experimental_distribute_dataset(dataset)]


@program
def datasets_from_a_function(tf, strategy):
    def made(context):
        return tf.data.Dataset.range(7).batch(context.get_per_replica_batch_size(4))

    return [local(strategy, x) for x in strategy.distribute_datasets_from_function(made)]


# -- steps and reductions --------------------------------------------------------------------------


@program
def a_step_in_each_replica(tf, strategy):
    def step(x, rate):
        return x * number(tf) * rate

    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(2)
    found = []
    for x in strategy.experimental_distribute_dataset(dataset):
        found.append(local(strategy, strategy.run(step, args=(x,), kwargs={"rate": 10.0})))
    return found


@program
def results_have_the_form_of_the_step(tf, strategy):
    def step():
        return {"a": [number(tf), None], "b": 3, "c": "x", "d": (number(tf) * 2.0,)}

    found = strategy.run(step)
    return [local(strategy, found["a"][0]), found["a"][1], found["b"], found["c"]] + [
        local(strategy, found["d"][0])
    ]


@program
def reductions(tf, strategy):
    whole = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant([context.replica_id_in_sync_group, 5])
    )
    found = []
    for kind in ("SUM", "MEAN"):
        for axis in (None, 0):
            reduced = strategy.reduce(kind, whole, axis)
            found.append([reduced.dtype.name, reduced.numpy().tolist()])
        found.append(strategy.reduce(kind, tf.constant([1.0, 4.0]), 0).numpy().tolist())
    found.append(strategy.reduce("MEAN", tf.constant([1.0, 4.0]), None).numpy().tolist())
    found.append(strategy.gather(whole, 0).numpy().tolist())
    found.append(strategy.gather(tf.constant([1]), 0).numpy().tolist())
    return found


@program
def the_mean_counts_rows_alike(tf, strategy):
    found = []
    for size, batch in ((5, 5), (5, 4), (7, 4)):
        dataset = tf.data.Dataset.range(size).map(lambda x: tf.cast(x, tf.float32)).batch(batch)
        for x in strategy.experimental_distribute_dataset(dataset):
            squares = strategy.run(lambda x: x * x, args=(x,))
            found.append(float(strategy.reduce("MEAN", squares, axis=0)))
            found.append(float(strategy.reduce("SUM", squares, axis=0)))
    return found


@program
def all_reduce_in_a_step(tf, strategy):
    def step():
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("SUM", number(tf))
        mean = context.all_reduce(tf.distribute.ReduceOp.MEAN, total + number(tf))
        a, b = context.all_reduce("SUM", [number(tf), tf.stack([total, mean])])
        return total, mean, a, b

    found = strategy.run(step)
    total = strategy.reduce("SUM", found[0], axis=None)
    return [local(strategy, each) for each in found] + [float(total)]


@program
def all_gather_in_a_step(tf, strategy):
    def step():
        context = tf.distribute.get_replica_context()
        rows = tf.fill([context.replica_id_in_sync_group + 1, 2], number(tf))
        return context.all_gather(rows, axis=0)

    return local(strategy, strategy.run(step))


@program
def merge_call_in_a_step(tf, strategy):
    def merged(strategy, x, factor):
        total = strategy.reduce("SUM", x, axis=None)
        return total * factor

    def passed(strategy, x):
        return x

    def step():
        context = tf.distribute.get_replica_context()
        ten = context.merge_call(merged, args=(number(tf),), kwargs={"factor": 10.0})
        return ten + number(tf), context.merge_call(passed, args=(number(tf),))

    return [local(strategy, each) for each in strategy.run(step)]


@program
def contexts(tf, strategy):
    def step():
        context = tf.distribute.get_replica_context()
        assert not tf.distribute.in_cross_replica_context()
        assert context.strategy is strategy and tf.distribute.get_strategy() is strategy
        inside = context.merge_call(lambda strategy: tf.distribute.in_cross_replica_context())
        return int(context.replica_id_in_sync_group), context.num_replicas_in_sync, inside

    found = strategy.run(step)
    with strategy.scope():
        outside = tf.distribute.in_cross_replica_context()
    return [local(strategy, found[0]), found[1], found[2], outside, strategy.num_replicas_in_sync]


@program
def the_gradient_of_all_reduce(tf, strategy):
    x = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(context.replica_id_in_sync_group + 1.0)
    )
    with strategy.scope():
        w = tf.Variable(2.0)
    found = []
    for kind in ("SUM", "MEAN"):

        def step(x, kind=kind):
            with tf.GradientTape() as tape:
                total = tf.distribute.get_replica_context().all_reduce(kind, w * w * x)
                loss = total * number(tf)
            return tape.gradient(loss, w)

        found.append(local(strategy, strategy.run(step, args=(x,))))
    return found


# -- variables -------------------------------------------------------------------------------------


@program
def variables_are_merged_by_their_aggregation(tf, strategy):
    found = []
    for name in ("SUM", "MEAN", "ONLY_FIRST_REPLICA"):
        with strategy.scope():
            aggregation = getattr(tf.VariableAggregation, name)
            v = tf.Variable([10.0, 20.0], aggregation=aggregation)
        for method in ("assign", "assign_add", "assign_sub"):
            v.assign([10.0, 20.0])

            def step(v=v, method=method):
                getattr(v, method)(tf.stack([number(tf), 2.0]))
                return v.read_value()

            found.append([local(strategy, strategy.run(step)), v.numpy().tolist()])
    return found


@program
def sums_that_are_read_outside(tf, strategy):
    found = []
    for name in ("SUM", "MEAN", "ONLY_FIRST_REPLICA"):
        with strategy.scope():
            v = tf.Variable(
                0.0,
                trainable=False,
                aggregation=getattr(tf.VariableAggregation, name),
                synchronization=tf.VariableSynchronization.ON_READ,
            )
        strategy.run(lambda v=v: (v.assign_add(number(tf)), None)[1])
        found.append(float(v.read_value()))
    return found


@program
def an_optimizer_adds_the_gradients(tf, strategy):
    with strategy.scope():
        w = tf.Variable([1.0, 2.0])
        optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.5)
        optimizer.build([w])

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w) * number(tf)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])

    for _ in range(3):
        strategy.run(step)
    return [[round(x, 5) for x in w.numpy().tolist()], int(optimizer.iterations.numpy())]


@program
def a_metric_counts_all_replicas(tf, strategy):
    with strategy.scope():
        mean = tf.keras.metrics.Mean()
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 6.0, 8.0]).batch(4)

    def step(x):
        mean.update_state(x)

    for x in strategy.experimental_distribute_dataset(dataset):
        strategy.run(step, args=(x,))
    return float(mean.result())


# -- graphs ----------------------------------------------------------------------------------------


@program
def a_loop_over_a_distributed_dataset(tf, strategy):
    @tf.function
    def total(dataset):
        result, count = 0.0, 0
        for x in dataset:
            sums = strategy.run(lambda x: tf.reduce_sum(x) * number(tf), args=(x,))
            result += strategy.reduce("SUM", sums, axis=None)
            count += 1
        return result, count

    dataset = tf.data.Dataset.range(7).map(lambda x: tf.cast(x, tf.float32)).batch(4)
    result, count = total(strategy.experimental_distribute_dataset(dataset))
    return [float(result), int(count)]


@program
def a_loop_over_an_iterator(tf, strategy):
    @tf.function
    def total(iterator):
        result = 0.0
        for _ in tf.range(2):
            x = next(iterator)
            sums = strategy.run(lambda x: tf.reduce_sum(x), args=(x,))
            result += strategy.reduce("MEAN", sums, axis=None)
        return result

    dataset = tf.data.Dataset.range(12).map(lambda x: tf.cast(x, tf.float32)).batch(4)
    iterator = iter(strategy.experimental_distribute_dataset(dataset))
    return [float(total(iterator)), local(strategy, next(iterator))]


@program
def a_for_loop_over_an_iterator(tf, strategy):
    @tf.function
    def total(iterator):
        result = 0.0
        for x, y in iterator:
            found = strategy.run(lambda x, y: x * y, args=(x, y))
            result += strategy.reduce("SUM", found, axis=0)
        return result

    rows = ([1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 1.0, 2.0, 2.0, 3.0])
    dataset = tf.data.Dataset.from_tensor_slices(rows).batch(2)
    return float(total(iter(strategy.experimental_distribute_dataset(dataset))))


@program
def a_condition_in_a_step(tf, strategy):
    def step(x):
        if tf.reduce_sum(x) > 4.0:
            x = x * 2.0
        total = 0.0
        for each in x:
            if each > 3.0:
                continue
            total += each
        return tf.distribute.get_replica_context().all_reduce("SUM", total), x

    @tf.function
    def run(x):
        return strategy.run(step, args=(x,))

    dataset = tf.data.Dataset.range(8).map(lambda x: tf.cast(x, tf.float32)).batch(4)
    found = []
    for x in strategy.experimental_distribute_dataset(dataset):
        found += [local(strategy, each) for each in run(x)]
    return found


@program
def a_step_that_is_a_function(tf, strategy):
    with strategy.scope():
        v = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)

    @tf.function
    def doubled(x):
        return x * number(tf)

    @tf.function
    def step(x):
        v.assign_add(tf.reduce_sum(x))
        return doubled(x)

    dataset = tf.data.Dataset.range(6).map(lambda x: tf.cast(x, tf.float32)).batch(4)
    found = []
    for x in strategy.experimental_distribute_dataset(dataset):
        found.append(local(strategy, strategy.run(step, args=(x,))))
    return [found, float(v.numpy())]


@program
def a_function_in_a_step(tf, strategy):
    @tf.function
    def scaled(x):
        return x * number(tf)

    def step(x):
        return scaled(x) + scaled(1.0)

    in_graph = tf.function(lambda x: strategy.run(step, args=(x,)))
    x = tf.constant(10.0)
    return [local(strategy, strategy.run(step, args=(x,))), local(strategy, in_graph(x))]


@program
def training_in_a_graph(tf, strategy):
    xs = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 3.0], [0.5, 0.5]]
    ys = [1.0, 2.0, 3.0, 4.0, 7.0, 1.5]
    dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(4)
    with strategy.scope():
        w, b = tf.Variable([[0.0], [0.0]]), tf.Variable(0.0)
        optimizer = tf.keras.optimizers.SGD(0.05)
        optimizer.build([w, b])

    def step(x, y):
        with tf.GradientTape() as tape:
            error = tf.reshape(tf.matmul(x, w), [-1]) + b - y
            loss = tf.reduce_sum(error * error) / 4.0
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
        return loss

    @tf.function
    def epoch(dataset):
        total = 0.0
        for x, y in dataset:
            total += strategy.reduce("SUM", strategy.run(step, args=(x, y)), axis=None)
        return total

    distributed = strategy.experimental_distribute_dataset(dataset)
    losses = [round(float(epoch(distributed)), 4) for _ in range(3)]
    return [losses, [round(x, 4) for x in w.numpy().ravel().tolist()], round(float(b.numpy()), 4)]


def two_replicas(tf: Any) -> Any:
    """Return a strategy of two replicas on the processor."""
    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration()] * 2
    tf.config.set_logical_device_configuration(cpu, parts)
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


if __name__ == "__main__":
    import tensorflow

    pair = two_replicas(tensorflow)
    found = {name: each(tensorflow, pair) for name, each in PROGRAMS.items()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in found)
    RESULTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")

"""Objects with variables that a traced function creates: new in each call, or refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import VariableCreationError

nn = rt.nn
ONES = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
weight = rt.Variable(1.5, name="weight")


class Tally:
    """A user's object with a metric inside."""

    def __init__(self) -> None:
        self.sum, self.count = nn.metrics.Sum(), 0

    def add(self, x: Any) -> None:
        self.sum.update_state(x)
        self.count += 1

    def result(self) -> Any:
        return self.sum.result() / self.count


class Halved(nn.layers.Layer):
    def build(self, input_shape: Any) -> None:
        self.half = self.add_weight(shape=(), initializer="ones", name="half")
        self.half.assign(0.5)

    def call(self, inputs: Any) -> Any:
        y = inputs * self.half
        self.half.assign_sub(0.25)
        return y


def fresh() -> Any:
    return nn.metrics.Mean()


def mean(x: Any) -> Any:
    m = nn.metrics.Mean()
    m.update_state(x)
    return m.result()


def counted_twice(x: Any) -> Any:
    m = nn.metrics.Sum()
    m.update_state(x)
    return m(x)


def accuracy(x: Any) -> Any:
    m = nn.metrics.BinaryAccuracy()
    m.update_state(rt.ones_like(x), x)
    return m.result()


def of_a_helper(x: Any) -> Any:
    m = fresh()
    m.update_state(x)
    m.update_state(x * 3.0)
    return m.result()


def several(x: Any) -> Any:
    return sum(m(x) for m in [nn.metrics.Mean(), nn.metrics.Sum()])


def in_an_object(x: Any) -> Any:
    tally = Tally()
    for row in rt.unstack(x):
        tally.add(row)
    return tally.result()


def in_a_branch(x: Any) -> Any:
    if rt.reduce_sum(x) > 10.0:
        m = nn.metrics.Mean()
        y = m(x) + m(x * 2.0)
    else:
        y = rt.reduce_sum(x)
    return y


def in_a_loop(x: Any) -> Any:
    y = rt.constant(0.0)
    for row in x:
        m = nn.metrics.Sum()
        m.update_state(row)
        y = y + m(row)
    return y


def through_a_loop(x: Any) -> Any:
    m = nn.metrics.Mean()
    for row in x:
        if row > 2.0:
            m.update_state(row)
    return m.result()


def with_momentum(x: Any) -> Any:
    weight.assign(1.5)
    optimizer = nn.optimizers.SGD(0.1, momentum=0.9)
    for _ in range(2):
        with rt.GradientTape() as tape:
            loss = rt.reduce_sum(x * weight * weight)
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    return weight.read_value()


def with_adam(x: Any) -> Any:
    weight.assign(1.5)
    optimizer = nn.optimizers.Adam(0.1)
    for _ in range(2):
        with rt.GradientTape() as tape:
            loss = rt.reduce_sum(x * weight * weight)
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    return weight + rt.cast(optimizer.iterations, rt.float32)


def normalized(x: Any) -> Any:
    layer = nn.layers.BatchNormalization()
    layer(x[:, None], training=True)
    return layer(x[:, None]) + layer.moving_mean


def recurrent(x: Any) -> Any:
    layer = nn.layers.SimpleRNN(2, stateful=True, **ONES)
    layer(x[:, None, None])
    return layer(x[:, None, None])


def layer_of_the_users(x: Any) -> Any:
    layer = Halved()
    return layer(layer(x))


def seeded(x: Any) -> Any:
    drop = nn.layers.Dropout(0.5, seed=3)
    return drop(x, training=True) + drop(x, training=True)


def in_a_local_function(x: Any) -> Any:
    m = nn.metrics.Mean()

    def update(y: Any) -> None:
        m.update_state(y)

    update(x)
    update(x * 2.0)
    return m.result()


def in_a_local_class(x: Any) -> Any:
    class Local:
        def __init__(self) -> None:
            self.m = nn.metrics.Sum()

        def __call__(self, y: Any) -> Any:
            return self.m(y)

    local = Local()
    return local(x) + local(x)


def slots_created_in_a_loop(x: Any) -> Any:
    weight.assign(1.5)
    optimizer = nn.optimizers.SGD(0.1, momentum=0.9)
    for row in x:
        optimizer.apply_gradients([(weight * row, weight)])
    return weight.read_value()


def slots_created_in_a_branch(x: Any) -> Any:
    weight.assign(1.5)
    optimizer = nn.optimizers.Adam(0.1)
    if rt.reduce_sum(x) > 10.0:
        optimizer.apply_gradients([(weight * 2.0, weight)])
    optimizer.apply_gradients([(weight * 3.0, weight)])
    return weight.read_value()


def optimizer_created_in_a_loop(x: Any) -> Any:
    weight.assign(1.5)
    for row in x:
        optimizer = nn.optimizers.SGD(0.1, momentum=0.9)
        optimizer.apply_gradients([(weight * row, weight)])
        optimizer.apply_gradients([(weight * row, weight)])
    return weight.read_value()


def layer_built_in_a_loop(x: Any) -> Any:
    layer = Halved()
    for _ in rt.range(2):
        x = layer(x)
    return x


def layer_created_in_a_loop(x: Any) -> Any:
    for _ in rt.range(2):
        x = Halved()(x)
    return x


def of_two_classes(x: Any) -> Any:
    m = nn.metrics.Mean() if rt.reduce_sum(x) > 10.0 else nn.metrics.Sum()
    m.update_state(x)
    return m.result()


def of_one_class_on_two_paths(x: Any) -> Any:
    if rt.reduce_sum(x) > 10.0:
        m = nn.metrics.Mean("large")
        m.update_state(x * 100.0)
    else:
        m = nn.metrics.Mean("small")
    m.update_state(x)
    return m.result()


def metric_replaced_on_one_path(x: Any) -> Any:
    m = nn.metrics.Sum()
    m.update_state(x)
    if rt.reduce_sum(x) > 10.0:
        m = nn.metrics.Mean()
    m.update_state(x)
    return m.result()


def on_paths_inside_of_paths(x: Any) -> Any:
    if rt.reduce_sum(x) > 10.0:
        if x[0] > x[1]:
            m = nn.metrics.Sum()
        else:
            m = nn.metrics.Mean()
    else:
        m = nn.metrics.Mean()
    m.update_state(x)
    return m.result()


def chosen_before_a_loop(x: Any) -> Any:
    if rt.reduce_sum(x) > 10.0:
        m = nn.metrics.Mean()
    else:
        m = nn.metrics.Sum()
    for row in x:
        m.update_state(row)
    return m.result()


def chosen_in_a_loop(x: Any) -> Any:
    y = rt.constant(0.0)
    for row in x:
        m = nn.metrics.Mean() if row > 2.0 else nn.metrics.Sum()
        m.update_state(row)
        y = y + m(x)
    return y


def chosen_by_a_helper(x: Any) -> Any:
    def chosen() -> Any:
        if rt.reduce_sum(x) > 10.0:
            return nn.metrics.Mean()
        return nn.metrics.Sum()

    m = chosen()
    m.update_state(x)
    return m.result()


def appended_on_each_path(x: Any) -> Any:
    kept = []
    if rt.reduce_sum(x) > 10.0:
        kept.append(nn.metrics.Mean())
    else:
        kept.append(nn.metrics.Sum())
    for m in kept:
        m.update_state(x)
    return kept[0].result()


def optimizers_of_two_classes(x: Any) -> Any:
    weight.assign(1.5)
    if rt.reduce_sum(x) > 10.0:
        optimizer: Any = nn.optimizers.Adam(0.1)
    else:
        optimizer = nn.optimizers.SGD(0.1, momentum=0.9)
    for row in x:
        optimizer.apply_gradients([(weight * row, weight)])
    return weight.read_value()


def layers_of_two_kinds(x: Any) -> Any:
    if rt.reduce_sum(x) > 10.0:
        layer: Any = nn.layers.Dense(2, **KERNEL)
    else:
        layer = Halved()
    for _ in rt.range(2):
        x = layer(rt.reshape(x, (1, 2)))
    return x


def created_in_a_try(x: Any) -> Any:
    try:
        layer = nn.layers.Dense(2, **KERNEL)
        y = rt.debugging.check_numerics(layer(rt.reshape(x, (1, 2))), "no number")
    except rt.errors.InvalidArgumentError:
        y = rt.zeros((1, 2))
    return y


ALL = [
    *(
        of_two_classes,
        of_one_class_on_two_paths,
        metric_replaced_on_one_path,
        on_paths_inside_of_paths,
    ),
    *(chosen_before_a_loop, chosen_in_a_loop, chosen_by_a_helper, appended_on_each_path),
    *(optimizers_of_two_classes, layers_of_two_kinds, created_in_a_try),
    *(mean, counted_twice, accuracy, of_a_helper, several, in_an_object, in_a_branch, in_a_loop),
    *(slots_created_in_a_loop, slots_created_in_a_branch, optimizer_created_in_a_loop),
    *(layer_built_in_a_loop, layer_created_in_a_loop, in_a_local_function, in_a_local_class),
    *(through_a_loop, with_momentum, with_adam, normalized, recurrent, layer_of_the_users, seeded),
]
GIVEN = [rt.constant([1.0, 3.0]), rt.constant([10.0, 30.0]), rt.constant([1.0, 3.0])]


@pytest.mark.parametrize("function", ALL)
def test_each_call_creates_new_variables(function: Callable[[Any], Any]) -> None:
    expected = [function(x).numpy() for x in GIVEN]
    staged = ag.function(function)
    actual = [staged(x).numpy() for x in GIVEN]
    np.testing.assert_allclose(actual, expected, rtol=1e-5)
    assert staged.experimental_get_tracing_count() == 1


def test_an_inner_function_creates_new_variables_in_each_call() -> None:
    inner = ag.function(mean)
    outer = ag.function(lambda x: inner(x) + inner(x * 2.0))
    assert [6.0, 60.0] == [float(outer(x)) for x in GIVEN[:2]]


def test_the_printed_function_creates_the_variables() -> None:
    concrete = ag.function(mean).get_concrete_function(rt.TensorSpec((2,), rt.float32))
    assert "OwnVariable(" in concrete.executable.source
    assert "new_variable(" in concrete.graph.as_text()
    assert [] == list(concrete.variables)


def test_gradients_agree_with_eager_calls() -> None:
    def scaled(x: Any) -> Any:
        return x * x + mean(x)

    found = []
    for f in (scaled, ag.function(scaled)):
        with rt.GradientTape() as tape:
            x = rt.constant([1.0, 3.0])
            tape.watch(x)
            y = f(x)
        found.append(tape.gradient(y, x).numpy().tolist())
    assert found[0] == found[1]


def test_each_thread_has_its_variables() -> None:
    @ag.function
    def many(x: Any) -> Any:
        m = nn.metrics.Mean()
        for _ in rt.range(200):
            m.update_state(x)
        return m.result()

    many(rt.constant(0.0))
    found: dict[int, float] = {}

    def run(number: int) -> None:
        found[number] = float(many(rt.constant(float(number))))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {number: float(number) for number in range(8)}


# -- what calls cannot make ------------------------------------------------------------------------


class Holder:
    def __init__(self) -> None:
        self.kept: Any = None


def test_an_object_stored_in_each_call_is_refused_in_the_second_call() -> None:
    holder = Holder()

    @ag.function
    def keeping(x: Any) -> Any:
        holder.kept = nn.metrics.Mean()
        return holder.kept(x)

    assert float(keeping(GIVEN[0])) == 2.0
    with pytest.raises(VariableCreationError, match="'total' again") as caught:
        keeping(GIVEN[1])
    assert "test_variables_created_in_calls.py" in str(caught.value)


def test_an_object_created_once_is_reused() -> None:
    holder = Holder()

    @ag.function
    def keeping(x: Any) -> Any:
        if holder.kept is None:
            holder.kept = nn.metrics.Mean()
        return holder.kept(x)

    assert [2.0, 11.0, 8.0] == [round(float(keeping(x)), 5) for x in GIVEN[:2] + [GIVEN[0]]][:3]


def test_random_weights_are_refused_in_the_second_call() -> None:
    step = ag.function(lambda x: nn.layers.Dense(2)(x))
    step(rt.ones((1, 2)))
    with pytest.raises(VariableCreationError, match="begins with random numbers"):
        step(rt.ones((1, 2)))


def test_random_weights_in_a_loop_are_refused() -> None:
    @ag.function
    def step(x: Any) -> Any:
        for _ in rt.range(2):
            x = nn.layers.Dense(2)(x)
        return x

    with pytest.raises(VariableCreationError, match="branch or loop"):
        step(rt.ones((1, 2)))


def test_random_weights_on_a_path_are_refused() -> None:
    @ag.function
    def step(x: Any) -> Any:
        layer = nn.layers.Dense(2) if rt.reduce_sum(x) > 1.0 else nn.layers.Dense(2)
        return layer(x)

    with pytest.raises(VariableCreationError, match="branch or loop .* begins with random numbers"):
        step(rt.ones((1, 2)))


def test_an_object_stored_on_one_path_is_refused() -> None:
    kept = SimpleNamespace(m=None)

    @ag.function
    def step(x: Any) -> Any:
        if rt.reduce_sum(x) > 1.0:
            kept.m = nn.metrics.Sum()
        return x

    with pytest.raises(VariableCreationError, match=r"'total' is made by a branch .* is kept by"):
        step(rt.ones((1, 2)))
    assert kept.m is None


def of_an_input() -> Any:
    return nn.Sequential([nn.Input((1,)), nn.layers.Dense(1, **KERNEL)])


def built() -> Any:
    model = nn.Sequential([nn.layers.Dense(1, **KERNEL)])
    model.build((None, 1))
    return model


def subclassed() -> Any:
    class Own(nn.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.layers.Dense(1, **KERNEL)

        def call(self, x: Any) -> Any:
            return self.dense(x)

    model = Own()
    model.build((None, 1))
    return model


def cloned() -> Any:
    return nn.models.clone_model(of_an_input())


def of_a_config() -> Any:
    return nn.Sequential.from_config(of_an_input().get_config())


KERNEL: Any = {"kernel_initializer": "ones"}
MODELS = [of_an_input, built, subclassed, cloned, of_a_config]


@pytest.mark.parametrize("make", MODELS, ids=lambda each: each.__name__)
def test_a_model_that_is_built_in_the_body_is_a_new_one_in_each_call(make: Any) -> None:
    @ag.function
    def called(x: Any) -> Any:
        model = make()
        model.weights[0].assign_add([[1.0]])
        return model(x)

    assert [[[2.0]]] * 3 == [called(rt.ones([1, 1])).numpy().tolist() for _ in range(3)]


@pytest.mark.parametrize("make", MODELS, ids=lambda each: each.__name__)
def test_a_model_that_is_built_in_the_first_call_is_kept(make: Any) -> None:
    held: list[Any] = []

    @ag.function
    def called(x: Any) -> Any:
        if not held:
            held.append(make())
            held[0].weights[0].assign([[5.0]])
        held[0].weights[0].assign_add([[1.0]])
        return held[0](x)

    found = [called(rt.ones([1, 1])).numpy().tolist() for _ in range(3)]
    assert [[[6.0]], [[7.0]], [[8.0]]] == found

"""Optimizers agree with Keras 3 (recorded: three steps of the gradients below)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, InvalidArgumentError, ShapeError
from runtime.nn import optimizers
from runtime.nn.modules import names
from runtime.nn.optimizers import SGD, Adagrad, Adam, Nadam, Optimizer, RMSprop

GRADIENTS = ([1.0, -2.0, 0.5], [0.1, 3.0, -1.0], [0.0, 0.2, 2.0])
# keras.Variable([1., 2., 3.]); for g in GRADIENTS: optimizer.apply_gradients([(g, v)])
RECORDED = [
    (lambda: Adam(0.1), [0.7686563730239868, 2.0525708198547363, 2.894645929336548]),
    (
        lambda: Adam(0.1, amsgrad=True, weight_decay=0.01),
        [0.7659620046615601, 2.0464015007019043, 2.8858182430267334],
    ),
    (lambda: SGD(0.1), [0.8899999856948853, 1.880000114440918, 2.8499999046325684]),
    (lambda: SGD(0.1, momentum=0.9), [0.7099999785423279, 1.9519999027252197, 2.8545000553131104]),
    (
        lambda: SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0),
        [0.8413442373275757, 2.0243101119995117, 2.8215527534484863],
    ),
    (lambda: SGD(0.1, clipvalue=0.4), [0.949999988079071, 1.9800000190734863, 2.9600000381469727]),
    (
        lambda: SGD(0.1, global_clipnorm=0.4),
        [0.9812783002853394, 1.9930064678192139, 2.9641125202178955],
    ),
]


@pytest.mark.parametrize(("make", "expected"), RECORDED)
def test_three_steps_agree_with_keras(make: object, expected: list[float]) -> None:
    variable, optimizer = rt.Variable([1.0, 2.0, 3.0]), make()  # type: ignore[operator]
    for gradient in GRADIENTS:
        optimizer.apply_gradients([(gradient, variable)])
    np.testing.assert_allclose(variable.numpy(), expected, rtol=2e-6)
    assert 3 == int(optimizer.iterations)


def test_a_graph_creates_slots_once_and_steps_in_each_run() -> None:
    variable, optimizer = rt.Variable([1.0, 2.0, 3.0]), Adam(0.1)
    graph = rt.Graph("step")
    with graph.recording():
        optimizer.apply_gradients([(rt.constant(GRADIENTS[0]), variable)])
    assert [(3,), (3,)] == [tuple(each.shape) for each in optimizer.variables[2:]]
    assert 0 == int(optimizer.iterations)
    assert [1.0, 2.0, 3.0] == variable.numpy().tolist()


def test_the_learning_rate_is_set_or_a_schedule() -> None:
    optimizer = SGD(0.1)
    optimizer.learning_rate = 0.5
    assert 0.5 == float(optimizer.learning_rate)
    scheduled = SGD(lambda step: 1.0 / (1.0 + rt.cast(step, "float32")))
    variable = rt.Variable(0.0)
    for _ in range(2):
        scheduled.apply_gradients([(1.0, variable)])
    assert -1.5 == float(variable)
    with pytest.raises(ArgumentValueError, match="schedule"):
        scheduled.learning_rate = 0.1


def test_missing_gradients_warn() -> None:
    one, other = rt.Variable(1.0, name="one"), rt.Variable(1.0, name="other")
    with pytest.warns(UserWarning, match="no gradient for other"):
        SGD(1.0).apply_gradients([(1.0, one), (None, other)])
    assert (0.0, 1.0) == (float(one), float(other))
    with pytest.raises(ArgumentValueError, match="no variable has a gradient"):
        SGD().apply_gradients([(None, one)])
    pairs = zip([1.0], [one])
    SGD().apply_gradients(pairs)
    with pytest.raises(ArgumentValueError, match="no gradients are given: the list is empty"):
        SGD().apply_gradients(pairs)
    with pytest.raises(ArgumentValueError, match="1 gradients are given for 2"):
        SGD().apply([1.0], [one, other])


def test_an_optimizer_is_restored_from_its_config() -> None:
    config = Adam(0.5, beta_1=0.8, name="adam").get_config()
    again = Adam.from_config(config)
    assert isinstance(again, Optimizer)
    assert config == again.get_config()
    assert ("adam", 0.5, 0.8) == (config["name"], config["learning_rate"], config["beta_1"])


def test_slots_created_in_a_trace_are_reused_and_saved(
    tmp_path: Path,
) -> None:
    def made() -> tuple[rt.Variable, Adam, Any]:
        variable, optimizer = rt.Variable([1.0, 2.0, 3.0]), Adam(0.1, weight_decay=0.1)

        @ag.function
        def step(gradient: Any) -> None:
            optimizer.apply_gradients([(gradient, variable)])

        return variable, optimizer, step

    variable, optimizer, step = made()
    for gradient in GRADIENTS:
        step(rt.constant(gradient))
    assert 4 == len(optimizer.variables)
    saved = rt.train.Checkpoint(v=variable, optimizer=optimizer).save(str(tmp_path / "c"))
    step(rt.constant(GRADIENTS[0]))
    # The slots of a new optimizer are made after the values are there.
    other, again, step_again = made()
    status = rt.train.Checkpoint(v=other, optimizer=again).restore(saved)
    assert 3 == int(again.iterations)
    step_again(rt.constant(GRADIENTS[0]))
    status.assert_consumed()
    for one, two in zip(optimizer.variables, again.variables):
        np.testing.assert_array_equal(one.numpy(), two.numpy())
    np.testing.assert_array_equal(variable.numpy(), other.numpy())


def test_a_checkpoint_restores_an_optimizer(tmp_path: Path) -> None:
    variable, optimizer = rt.Variable([1.0, 2.0]), Nadam(0.1)
    checkpoint = rt.train.Checkpoint(v=variable, optimizer=optimizer)
    optimizer.apply_gradients([([0.5, -1.0], variable)])
    saved = checkpoint.save(str(tmp_path / "c"))
    before = [each.numpy().copy() for each in optimizer.variables]
    optimizer.learning_rate = 0.5
    optimizer.apply_gradients([([0.5, -1.0], variable)])
    checkpoint.restore(saved).assert_consumed()
    for one, two in zip(before, optimizer.variables):
        np.testing.assert_array_equal(one, two.numpy())


def test_rows_of_a_gradient_are_added_up() -> None:
    for make in (SGD, Adam, lambda rate: SGD(rate, momentum=0.5, clipnorm=1.0)):
        found = []
        rows = rt.IndexedSlices([[1.0, 2.0], [0.5, 0.5], [1.0, 1.0]], [2, 0, 2])
        whole = [[0.5, 0.5], [0.0, 0.0], [2.0, 3.0]]
        for gradient in (rows, whole):
            variable, optimizer = rt.Variable(rt.ones([3, 2])), make(0.5)
            for _ in range(2):
                optimizer.apply_gradients([(gradient, variable)])
            found.append(variable.numpy())
        np.testing.assert_array_equal(found[0], found[1])


def test_an_embedding_learns_by_its_rows_in_a_graph() -> None:
    table, optimizer = rt.Variable(rt.zeros([4, 2])), SGD(1.0)

    @ag.function
    def step(ids: Any) -> None:
        with rt.GradientTape() as tape:
            loss = rt.reduce_sum(rt.gather(table, ids))
        optimizer.apply_gradients(zip(tape.gradient(loss, [table]), [table]))

    step(rt.constant([1, 3, 1]))
    assert [[0, 0], [-2, -2], [0, 0], [-1, -1]] == table.numpy().tolist()


def test_minimize_takes_a_function_or_a_loss_and_a_tape() -> None:
    variable, optimizer = rt.Variable(3.0), SGD(0.25)
    optimizer.minimize(lambda: variable * variable, [variable])
    assert 1.5 == float(variable)
    with rt.GradientTape() as tape:
        loss = variable * variable
    assert 2 == int(optimizer.minimize(loss, lambda: [variable], tape=tape))
    assert 0.75 == float(variable)
    with pytest.raises(ArgumentValueError, match="needs the tape"):
        optimizer.minimize(loss, [variable])


def test_weight_decay_excludes_variables() -> None:
    kernel, bias = rt.Variable(1.0, name="kernel"), rt.Variable(1.0, name="bias")
    gamma = rt.Variable(1.0, name="gamma")
    optimizer = SGD(0.5, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_list=[gamma], var_names=["bias"])
    optimizer.apply([0.0, 0.0, 0.0], [kernel, bias, gamma])
    assert [0.75, 1.0, 1.0] == [float(each) for each in (kernel, bias, gamma)]
    with pytest.raises(ArgumentValueError, match="before the optimizer is built"):
        optimizer.exclude_from_weight_decay(var_list=[kernel])


def test_a_constraint_is_applied_after_the_step() -> None:
    variable = rt.Variable([1.0, 1.0], constraint=rt.nn.constraints.NonNeg())
    SGD(1.0).apply([[2.0, 0.5]], [variable])
    assert [0.0, 0.5] == variable.numpy().tolist()


def test_a_gradient_of_another_shape_is_refused() -> None:
    variable = rt.Variable([1.0, 2.0], name="v")
    with pytest.raises(ShapeError, match=r"gradient of v must have its shape, \(2,\), not \(\)"):
        Adam().apply([1.0], [variable])
    with pytest.raises(ArgumentValueError, match="an optimizer takes variables"):
        SGD().apply_gradients([(1.0, rt.constant(1.0))])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: SGD(lr=0.1), "no argument 'lr'"),
        (lambda: SGD(clipnorm=1.0, clipvalue=1.0), "one of clipnorm"),
        (lambda: SGD(momentum=2.0), "momentum must be a number from 0 to 1"),
        (lambda: Adam(use_ema=True, ema_momentum=3.0), "ema_momentum must be a number"),
        (lambda: Adam(gradient_accumulation_steps=1), "at least 2, not 1"),
        (lambda: Adam(ema_overwrite_frequency=0.5), "at least 1, not 0.5"),
        (lambda: optimizers.AdamW(weight_decay=None), "needs a weight_decay"),
        (lambda: optimizers.Ftrl(beta=0.1, l1_regularization_strength=-1.0), "at least 0"),
        (lambda: optimizers.Lion(beta_1=0.0), "beta_1 must be above 0"),
        (lambda: optimizers.Adagrad(initial_accumulator_value=-1.0), "at least 0"),
        (lambda: Adam(epsilon=None), "epsilon must be a number of at least 0, not None"),
        (lambda: optimizers.RMSprop(rho="high"), "rho must be a number from 0 to 1, not 'high'"),
        (lambda: SGD(clipnorm=-1.0), "clipnorm must be a number of at least 0"),
        (lambda: optimizers.Ftrl(learning_rate_power=0.5), "from -inf to 0"),
        (lambda: SGD().apply([[1]], [rt.Variable([1])]), "changes floats"),
        (lambda: SGD().slot(3, "v"), "takes variables, not 3"),
        (lambda: SGD().apply(3, []), "grads must be a list, not 3"),
        (lambda: SGD().build(None), "var_list must be a list, not None"),
        (lambda: SGD().build([rt.constant(1.0)]), "an optimizer takes variables, not"),
        (lambda: SGD().minimize(lambda: 1.0, [], tape=3), "tape must be a GradientTape, not 3"),
        (lambda: optimizers.get("adm"), "did you mean 'adam'"),
        (lambda: optimizers.get(lambda: None), "is not an optimizer"),
        (lambda: optimizers.get(3), "is not an optimizer"),
    ],
)
def test_invalid_optimizers_are_refused(make: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        make()


def test_optimizers_are_found_by_name() -> None:
    for name in ("adam", "Adam", "sgd", "rmsprop", "adamw", "nadam", "ftrl", "lion", "adafactor"):
        found = optimizers.get(name)
        assert name.lower() == type(found).__name__.lower()
        assert found is optimizers.get(found)


def test_a_custom_optimizer_has_its_named_slots() -> None:
    class Heavy(Optimizer):
        slot_names = ("speed",)

        def update_step(self, gradient: Any, variable: rt.Variable, learning_rate: Any) -> None:
            speed = self.slot(variable, "speed")
            speed.assign(speed * 0.5 + gradient)
            variable.assign_sub(speed * learning_rate)

    variable, optimizer = rt.Variable(1.0, name="v"), Heavy(0.5)
    for _ in range(2):
        optimizer.apply([1.0], [variable])
    assert -0.25 == float(variable)
    assert ["iteration", "learning_rate", "v_speed"] == [v.name for v in optimizer.variables]
    again = optimizers.deserialize(optimizers.serialize(optimizer), {"Heavy": Heavy})
    assert isinstance(again, Heavy)


def test_a_custom_optimizer_creates_variables_in_build(tmp_path: Path) -> None:
    class Heavy(Optimizer):
        def build(self, variables: Any) -> None:
            super().build(variables)
            self.speeds = [self.add_variable_from_reference(v, name="speed") for v in variables]

        def update_step(self, gradient: Any, variable: rt.Variable, learning_rate: Any) -> None:
            speed = self.speeds[self._get_variable_index(variable)]
            if rt.reduce_sum(speed) > 0.0:
                self.assign(speed, speed * 0.5)
            self.assign_add(speed, gradient)
            self.assign_sub(variable, speed * learning_rate)

    one, other = rt.Variable([1.0], name="one"), rt.Variable([2.0, 2.0], name="other")
    optimizer = Heavy(0.5)
    for _ in range(2):
        optimizer.apply([[1.0], [2.0, 2.0]], [one, other])
    assert ([-0.25], [-0.5, -0.5]) == (one.numpy().tolist(), other.numpy().tolist())
    assert ["one_speed", "other_speed"] == [each.name for each in optimizer.variables[2:]]
    saved = rt.train.Checkpoint(o=optimizer).save(str(tmp_path / "c"))
    before = [each.numpy() for each in optimizer.variables]
    optimizer.apply([[1.0], [2.0, 2.0]])
    rt.train.Checkpoint(o=optimizer).restore(saved).assert_consumed()
    for expected, variable in zip(before, optimizer.variables):
        np.testing.assert_array_equal(expected, variable.numpy())
    with pytest.raises(ArgumentValueError, match="not built with third:0"):
        optimizer.apply([1.0], [rt.Variable(1.0, name="third")])


@pytest.mark.parametrize("kind", [SGD, Adam, RMSprop])
def test_an_unbuilt_variable_is_refused_before_any_change(kind: Any) -> None:
    known, other = rt.Variable([1.0, 2.0], name="known"), rt.Variable([1.0, 2.0], name="other")
    optimizer, gradient = kind(0.5), rt.constant([1.0, 1.0])
    optimizer.build([known])
    for pairs in ([(gradient, other)], [(gradient, known), (gradient, other)]):
        with pytest.raises(ArgumentValueError, match="not built with other:0: build it with all"):
            optimizer.apply_gradients(pairs)
    assert ([1.0, 2.0], [1.0, 2.0], 0) == (
        known.numpy().tolist(),
        other.numpy().tolist(),
        int(optimizer.iterations),
    )
    optimizer.apply([gradient])
    assert 1 == int(optimizer.iterations)


def test_optimizers_of_one_class_have_distinct_names() -> None:
    names.forget_names()
    made = SGD()
    assert ["sgd", "sgd_1", "q", "adam"] == [
        each.name for each in (made, SGD(), SGD(name="q"), Adam())
    ]
    assert "sgd/iteration" == made.variables[0].path


def test_gradients_of_repeated_rows_are_summed_before_squaring() -> None:
    # Where Keras 3.15 squares each of 1 and 3: 0.1 + 1 + 9 in the first row.
    layer, optimizer = rt.nn.layers.Embedding(3, 1), Adagrad(0.1)
    layer.build((None,))
    with rt.GradientTape() as tape:
        loss = rt.reduce_sum(layer(rt.constant([0, 0, 1])) * rt.constant([[1.0], [3.0], [2.0]]))
    optimizer.apply_gradients(zip(tape.gradient(loss, layer.weights), layer.weights))
    np.testing.assert_allclose([[16.1], [4.1], [0.1]], optimizer.variables[2], rtol=1e-6)


@pytest.mark.parametrize(
    "name, words", [("lr", "; write learning_rate="), ("learning_rte", "did you mean 'learning_")]
)
def test_a_keyword_that_there_is_not(name: str, words: str) -> None:
    with pytest.raises(
        rt.errors.ArgumentValueError, match=f"Adam has no argument '{name}'.*{words}"
    ):
        rt.nn.optimizers.Adam(**{name: 0.1})

"""The tape: watched tensors, gradients and refusals."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, TapeError, UnwatchedWarning


def test_the_gradient_of_a_square_is_twice_the_number() -> None:
    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert 6.0 == tape.gradient(y, x).numpy()


def test_variables_are_watched_when_they_are_read() -> None:
    v, frozen = rt.Variable(2.0), rt.Variable(5.0, trainable=False)
    with rt.GradientTape(persistent=True) as tape:
        y = v * v * frozen
    gradient, nothing = tape.gradient(y, [v, frozen])
    assert (20.0, None) == (gradient.numpy(), nothing)
    assert [True] == [each is v for each in tape.watched_variables()]


def test_watch_accessed_variables_can_be_disabled() -> None:
    v, w = rt.Variable(2.0), rt.Variable(3.0)
    with rt.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = v * w
    found = tape.gradient(y, {"v": v, "w": w})
    assert (None, 2.0) == (found["v"], found["w"].numpy())


def test_unconnected_gradients_are_none_or_zeros() -> None:
    x, other = rt.constant([1.0, 2.0]), rt.constant([3.0, 4.0])
    with rt.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = x * 2.0
    assert tape.gradient(y, other) is None
    zeros = tape.gradient(y, other, unconnected_gradients="zero")
    assert [0.0, 0.0] == zeros.numpy().tolist()


def test_a_tape_that_is_not_persistent_computes_gradients_once() -> None:
    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(TapeError, match="persistent=True"):
        tape.gradient(y, x)


def test_gradients_of_gradients_by_tapes_in_tapes() -> None:
    x = rt.constant(2.0)
    with rt.GradientTape() as third:
        third.watch(x)
        with rt.GradientTape() as second:
            second.watch(x)
            with rt.GradientTape() as first:
                first.watch(x)
                y = x * x * x * x
            gradient = first.gradient(y, x)
        curvature = second.gradient(gradient, x)
    assert (32.0, 48.0) == (gradient.numpy(), curvature.numpy())
    assert 48.0 == third.gradient(curvature, x).numpy()


def test_stop_recording_records_no_steps() -> None:
    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            hidden = x * 100.0
        z = y + hidden
    assert 6.0 == tape.gradient(z, x).numpy()


def test_output_gradients_replace_ones() -> None:
    x = rt.constant([1.0, 2.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert [20.0, 0.0] == tape.gradient(y, x, output_gradients=[10.0, 0.0]).numpy().tolist()


@pytest.mark.parametrize(
    "same",
    [
        ag.function(lambda x: x),
        lambda x: rt.ensure_shape(x, (2,)),
        rt.squeeze,
        rt.identity,
        rt.stop_gradient,
    ],
)
def test_an_equal_earlier_tensor_is_not_watched(same: Any) -> None:
    x = rt.constant([1.0, 2.0])
    y = same(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        z = x * y
    assert [1.0, 2.0] == tape.gradient(z, x).numpy().tolist()


def test_rows_iterated_by_python_are_connected() -> None:
    v = rt.Variable([1.0, 2.0])
    with rt.GradientTape(persistent=True) as tape:
        first, second = v.read_value()
        product, squares = first * second, sum(row * row for row in v)
    assert [2.0, 1.0] == tape.gradient(product, v).numpy().tolist()
    assert [2.0, 4.0] == tape.gradient(squares, v).numpy().tolist()


def test_several_targets_are_added() -> None:
    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        targets = {"square": x * x, "double": x + x}
    assert 8.0 == tape.gradient(targets, x).numpy()


def test_ops_before_the_tape_are_not_recorded() -> None:
    x = rt.constant(3.0)
    before = x * x
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = before * 2.0
    assert tape.gradient(y, x) is None


def test_integers_have_no_gradient_and_warn() -> None:
    x = rt.constant(3)
    with rt.GradientTape() as tape, pytest.warns(UserWarning, match="only floats"):
        tape.watch(x)
    with pytest.warns(UserWarning, match="only floats have gradients"):
        assert tape.gradient(x * x, x) is None


@pytest.mark.parametrize("source", [3.0, "x", None])
def test_a_source_is_a_tensor(source: object) -> None:
    with rt.GradientTape() as tape:
        y = rt.constant(1.0)
    with pytest.raises(ArgumentValueError, match="not"):
        tape.gradient(y, [source])


def test_an_assignment_is_where_gradients_end() -> None:
    v, x = rt.Variable(1.0), rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        v.assign(x * x)
        y = v * 2.0
    of_x, of_v = tape.gradient(y, [x, v])
    assert (None, 2.0) == (of_x, of_v.numpy())


def test_broadcast_operands_get_gradients_of_their_own_shape() -> None:
    a, b = rt.Variable(np.ones((2, 1), np.float32)), rt.Variable(np.ones(3, np.float32))
    with rt.GradientTape() as tape:
        y = a * b
    assert [(2, 1), (3,)] == [tuple(each.shape) for each in tape.gradient(y, [a, b])]


def test_unwatched_operands_have_no_gradient() -> None:
    c, x = rt.constant(3.0), rt.constant(2.0)
    v = rt.Variable(4.0, trainable=False)

    def product(c: Any, x: Any) -> Any:
        return c * x * v

    for f in (product, ag.function(product)):
        with rt.GradientTape(persistent=True) as tape:
            before = c * x
            tape.watch([x, before])
            y = f(c, x) * before
        assert [None, None] == tape.gradient(y, [c, v])
        assert 72.0 == tape.gradient(y, x).numpy()


def test_watched_variables_are_known_after_gradient() -> None:
    v = rt.Variable(3.0)
    with rt.GradientTape() as tape:
        y = v * v
    assert 6.0 == tape.gradient(y, v).numpy()
    assert (v,) == tape.watched_variables()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_tensor_is_connected(copied: Any) -> None:
    # As in TensorFlow, where it is the tensor itself.
    x = rt.constant([1.0, 2.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = copied({"x": x})["x"] * 2.0
    assert [2.0, 2.0] == tape.gradient(y, x).numpy().tolist()


@pytest.mark.parametrize("f", [rt.sqrt, rt.math.rsqrt, rt.math.reciprocal])
def test_an_infinite_gradient_of_an_unselected_element_is_zero(f: Any) -> None:
    # As in TensorFlow 2.21, for these three functions and what is made of them.
    x = rt.constant([0.0, 4.0])
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        chosen = rt.where(x > 0.0, f(x), 0.0)
        all_of_them = f(x)
    first, second = tape.gradient(chosen, x).numpy().tolist()
    assert 0.0 == first and np.isfinite(second) and second != 0.0
    assert np.isinf(tape.gradient(all_of_them, x).numpy()[0])


@pytest.mark.parametrize("f", [rt.norm, rt.math.reduce_std], ids=["norm", "reduce_std"])
def test_the_gradient_of_the_norm_of_zeros_is_zero(f: Any) -> None:
    x = rt.constant([0.0, 0.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = 0.0 * f(x)
    assert [0.0, 0.0] == tape.gradient(y, x).numpy().tolist()


def test_a_tape_that_was_never_opened_is_refused() -> None:
    x = rt.constant(3.0)
    tape = rt.GradientTape()
    tape.watch(x)
    with pytest.raises(TapeError, match="the tape was never open"):
        tape.gradient(x * x, x)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_tape_is_not_copied(copied: Any) -> None:
    with pytest.raises(TapeError, match="cannot be copied or pickled"):
        copied(rt.GradientTape())


def _twice_in_a_row(tape: Any, y: Any, x: Any) -> Any:
    return tape.gradient(y, x) + tape.gradient(y, x)


def _in_a_branch_and_after(tape: Any, y: Any, x: Any) -> Any:
    gradient = tape.gradient(y, x) if x > 0 else x
    return gradient + tape.gradient(y, x)


def _before_and_in_a_branch(tape: Any, y: Any, x: Any) -> Any:
    gradient = tape.gradient(y, x)
    return gradient + tape.gradient(y, x) if x > 0 else gradient


def _twice_in_a_branch(tape: Any, y: Any, x: Any) -> Any:
    return _twice_in_a_row(tape, y, x) if x > 0 else x


@pytest.mark.parametrize(
    "asking",
    [_twice_in_a_row, _in_a_branch_and_after, _before_and_in_a_branch, _twice_in_a_branch],
)
def test_two_gradients_in_one_run_need_a_persistent_tape(asking: Any) -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return asking(tape, y, x)

    with pytest.raises(TapeError, match="computes gradients only once"):
        ag.function(gradient)(rt.constant(2.0))


def test_gradients_in_two_branches_of_one_tape() -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x) if x > 0 else 3.0 * tape.gradient(y, x)

    for x in (2.0, -2.0):
        assert float(gradient(rt.constant(x))) == float(ag.function(gradient)(rt.constant(x)))


def test_an_unwatched_tensor_warns() -> None:
    x, w = rt.constant(3.0), rt.Variable(2.0)
    with rt.GradientTape() as tape:
        y = x * x * w
    with pytest.warns(UnwatchedWarning, match=r"of x is None.*write tape.watch\(x\) first") as told:
        assert tape.gradient(y, [w, x])[1] is None
    assert [__file__] == [each.filename for each in told]


def test_gradients_that_are_none_for_another_reason_do_not_warn() -> None:
    x, w, count = rt.constant(3.0), rt.Variable(2.0), rt.constant(3)
    for fill in ("none", "zero"):
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = w * w
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tape.gradient(y, [w, x, count], unconnected_gradients=fill)


def test_a_target_from_outside_of_the_tape_warns():
    x = rt.Variable(3.0)
    loss = x * x
    with rt.GradientTape() as tape:
        pass
    with pytest.warns(UnwatchedWarning, match="compute loss in its `with`"):
        assert tape.gradient(loss, x) is None

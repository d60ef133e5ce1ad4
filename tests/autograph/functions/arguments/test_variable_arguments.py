"""Variables as arguments: one trace for all of a spec, unless their identity matters."""

from __future__ import annotations

import gc
import weakref

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from runtime.errors import FailedPreconditionError, InvalidArgumentError


def value_of(*variables):
    return [v.numpy().tolist() for v in variables]


def test_one_trace_serves_all_variables_of_a_kind():
    seen = []

    @ag.function
    def step(v, x):
        seen.append(1)
        v.assign_add(x)
        if v > 3:
            v.assign(v * 2.0)
        return v + x

    a, b = rt.Variable(1.0), rt.Variable(10.0)
    assert [float(step(v, rt.constant(1.0))) for v in (a, b, a, b)] == [3.0, 23.0, 4.0, 47.0]
    assert value_of(a, b) == [3.0, 46.0]
    assert len(seen) == step.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (rt.Variable(1.0), rt.Variable(1)),
        (rt.Variable([1.0]), rt.Variable([1.0, 2.0])),
        (rt.Variable([1.0]), rt.Variable([1.0], shape=(None,))),
        (rt.Variable(1.0), rt.Variable(1.0, trainable=False)),
        (rt.Variable(1.0), rt.constant(1.0)),
    ],
)
def test_another_dtype_or_shape_retraces(first, second):
    double = ag.function(lambda v: v * 2)
    double(first), double(second), double(first), double(second)
    assert double.experimental_get_tracing_count() == 2


def test_a_variable_passed_twice_is_one_in_the_trace():
    @ag.function
    def step(p, q, rest):
        p.assign_add(1.0)
        q.assign(q * 10.0)
        rest[0].assign_sub(2.0)
        return p + q, p is q, rest[0] is p

    def plain(p, q, r):
        return [float(p), float(q), float(r)]

    for pattern in [(0, 1, 2), (0, 0, 1), (0, 1, 0), (1, 0, 0), (2, 2, 2), (2, 1, 0)]:
        ours = [rt.Variable(float(n)) for n in (1, 2, 3)]
        pythons = [rt.Variable(float(n)) for n in (1, 2, 3)]
        picked = [ours[at] for at in pattern]
        total, same, other = step(picked[0], picked[1], [picked[2]])
        picked = [pythons[at] for at in pattern]
        wanted = step.python_function(picked[0], picked[1], [picked[2]])
        assert float(total) == float(wanted[0]) and value_of(*ours) == value_of(*pythons)
        assert [bool(same), bool(other)] == list(wanted[1:])
    assert step.experimental_get_tracing_count() == 5


kept = rt.Variable(7.0)


def test_a_variable_argument_that_is_also_a_closure_variable():
    @ag.function
    def step(v):
        v.assign_add(1.0)
        kept.assign(kept * 2.0)
        return v + kept, v is kept

    other = rt.Variable(1.0)
    kept.assign(7.0)
    total, same = step(other)
    assert (float(total), bool(same)) == (16.0, False)
    total, same = step(kept)
    assert (float(total), bool(same), float(kept)) == (60.0, True, 30.0)
    total, same = step(rt.Variable(5.0))
    assert (float(total), bool(same)) == (66.0, False)
    assert step.experimental_get_tracing_count() == 2


def test_a_method_distinguishes_its_own_variables():
    class Model:
        def __init__(self):
            self.weight = rt.Variable(1.0)
            self.others = [rt.Variable(2.0)]

        @ag.function
        def update(self, v):
            v.assign_add(100.0 if v is self.weight else 10.0 if v is self.others[0] else 1.0)
            return v

    model = Model()
    given = [model.weight, model.others[0], rt.Variable(3.0), rt.Variable(4.0), model.weight]
    assert [float(model.update(v)) for v in given] == [101.0, 12.0, 4.0, 5.0, 201.0]
    assert model.update.experimental_get_tracing_count() == 3


def test_a_function_that_reads_identity_has_a_trace_per_variable():
    @ag.function
    def named(v):
        return v.name

    slots = {}
    first, second = rt.Variable(1.0, name="first"), rt.Variable(2.0, name="second")
    names = [named(v).numpy() for v in (first, second, first)]
    assert names == [b"first:0", b"second:0", b"first:0"]
    assert named.experimental_get_tracing_count() == 2
    slots[first.ref()], slots[second.ref()] = rt.Variable(10.0), rt.Variable(20.0)

    @ag.function
    def momentum(v, x):
        slot = slots[v.ref()]
        slot.assign_add(x)
        return v + slot

    results = [float(momentum(v, rt.constant(1.0))) for v in (first, second, first)]
    assert results == [12.0, 23.0, 13.0]


def test_a_function_that_stores_its_argument_stores_the_variable():
    holder = type("Holder", (), {})()

    @ag.function
    def keep(v):
        holder.last = v
        return v + 1.0

    first, second = rt.Variable(1.0), rt.Variable(2.0)
    assert float(keep(first)) == 2.0 and holder.last is first
    assert float(keep(second)) == 3.0 and holder.last is second


def test_a_variable_argument_has_no_value_while_tracing():
    @ag.function
    def peek(v):
        with rt.init_scope():
            return v.numpy()

    with pytest.raises(FailedPreconditionError, match="'w' stands for an argument"):
        peek(rt.Variable(1.0, name="w"))


def test_structures_of_variables():
    @ag.function
    def decay(named, pair):
        for v in (*named.values(), *pair):
            v.assign(v * 0.5)
        return sum(v.read_value() for v in named.values())

    def make(scale):
        a, b, c = (rt.Variable(scale * n) for n in (1.0, 2.0, 3.0))
        return {"a": a, "b": b}, (c, a)

    for scale in (4.0, 8.0):
        named, pair = make(scale)
        assert float(decay(named, pair)) == scale * 1.25
        assert value_of(*named.values(), *pair) == [scale / 4, scale, scale * 1.5, scale / 4]
    assert decay.experimental_get_tracing_count() == 1


def test_a_concrete_function_takes_variables_of_its_spec_only():
    @ag.function
    def step(v, x):
        v.assign_add(x)
        return v

    concrete = step.get_concrete_function(rt.Variable(1.0), rt.TensorSpec((), rt.float32))
    v = rt.Variable(5.0)
    assert float(concrete(v, rt.constant(2.0))) == 7.0 == float(v)
    assert float(concrete(x=rt.constant(2.0), v=v)) == 9.0
    for wrong, words in [
        (rt.constant(1.0), "'v' was expected to be a Variable"),
        (rt.Variable(1), "'v' was expected to be a float32 Variable but is an int32 Variable"),
        (rt.Variable([1.0]), r"'v' was expected to have shape \(\) but has shape \(1,\)"),
        (rt.Variable(1.0, trainable=False), "'v' was expected to have trainable=True"),
    ]:
        with pytest.raises(InvalidArgumentError, match=words):
            concrete(wrong, rt.constant(1.0))
    assert "v: float32 Variable, shape=()" in concrete.pretty_printed_signature()
    assert step.experimental_get_tracing_count() == 1


def test_a_concrete_function_for_one_variable_refuses_another():
    named = ag.function(lambda v: v.name)
    v = rt.Variable(1.0, name="v")
    concrete = named.get_concrete_function(v)
    assert concrete(v).numpy() == b"v:0"
    with pytest.raises(SignatureError, match="another Variable"):
        concrete(rt.Variable(1.0, name="w"))


def test_traces_do_not_keep_variables_alive():
    double = ag.function(lambda v: v * 2.0)
    v = rt.Variable(1.0)
    double(v)
    gone = weakref.ref(v)
    del v
    gc.collect()
    assert gone() is None
    assert float(double(rt.Variable(3.0))) == 6.0
    assert double.experimental_get_tracing_count() == 1


def test_a_failed_call_keeps_the_variable_and_the_trace():
    @ag.function
    def step(v, x):
        v.assign_add(x)
        return v

    v = rt.Variable(1.0)
    with pytest.raises(rt.errors.DTypeError):
        step(v, rt.constant(1))
    assert float(v) == 1.0 and step.experimental_get_tracing_count() == 0
    assert float(step(v, rt.constant(1.0))) == 2.0


def test_recursion_over_a_variable():
    @ag.function
    def add_up(v, n):
        if n <= 0:
            return v.read_value()
        v.assign_add(n)
        return add_up(v, n - 1)

    v = rt.Variable(1)
    assert int(add_up(v, rt.constant(3))) == 7 == int(v)


def test_a_variable_is_its_value_where_two_paths_join():
    @ag.function
    def either(v, w, flag):
        chosen = v if flag else w
        chosen.assign_add(1.0)
        return chosen

    v, w = rt.Variable(1.0), rt.Variable(2.0)
    with pytest.raises(AttributeError, match=r"v\.assign_add\(\.\.\.\) on each path"):
        either(v, w, rt.constant(True))
    assert float(either(v, w, True)) == 2.0

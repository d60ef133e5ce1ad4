"""The number of traces of random calls agrees with an independent model of the key."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from tests.suite_length import IS_LONG

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
EXAMPLES = 400 if IS_LONG else 30


class Thing:
    """Counts by being the very object."""


class Labelled:
    """Counts by its label."""

    def __init__(self, label):
        self.label = label

    def __trace_key__(self):
        return self.label


THINGS = [Thing(), Thing()]
LISTS = [[1], [1], [rt.constant(1)]]
VARIABLES = [rt.Variable(1.0), rt.Variable(2.0), rt.Variable([1.0]), rt.Variable(3)]
VARIABLES += [rt.Variable(4.0, trainable=False)]
DTYPES = [rt.int32, rt.float32]

numbers = st.sampled_from([0, 1, True, False, 1.0, 0.0, -0.0, float("nan"), 2, 1j, None, "1", b"1"])
shapes = st.lists(st.integers(0, 2), max_size=2).map(tuple)
tensors = st.builds(lambda shape, dtype: rt.zeros(shape, dtype), shapes, st.sampled_from(DTYPES))
arrays = st.builds(lambda shape: np.zeros(shape, np.float32), shapes)
objects = st.sampled_from([*THINGS, *LISTS, *VARIABLES])
sets = st.sampled_from([[1], [True], [1.0, 2], [2, 1.0]]).map(set)
labelled = st.sampled_from([1, True, "a"]).map(Labelled)
leaves = st.one_of(numbers, tensors, arrays, objects, labelled, sets)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["a", "b", 1, 2.0, 0.0]), inner, max_size=2),
        st.dictionaries(st.sampled_from(["a", True, -0.0, (1,)]), inner, max_size=2),
    ),
    max_leaves=4,
)
calls = st.tuples(
    values,
    st.one_of(st.just("left out"), values),
    st.lists(values, max_size=1),
    st.dictionaries(st.sampled_from(["flag", "more"]), values),
    st.booleans(),
)


def model(value, seen):
    """Return the key of a value in words; `seen` numbers the values that may be one object."""
    if isinstance(value, rt.Tensor):
        value = value.numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return f"tensor {value.dtype} {value.shape}"
    if isinstance(value, Thing):
        return f"thing {THINGS.index(value)}"
    if isinstance(value, Labelled):
        return f"labelled {model(value.label, [])}"
    if isinstance(value, (rt.Variable, list, dict, set)):
        if not any(value is each for each in seen):
            seen.append(value)
        number = next(at for at, each in enumerate(seen) if each is value)
        if isinstance(value, rt.Variable):
            return f"variable {value.dtype} {value.shape} {value.trainable} is {number}"
        if isinstance(value, set):
            return f"set is {number} {sorted(model(each, []) for each in value)}"
        if isinstance(value, list):
            return f"list is {number} [{', '.join([model(each, seen) for each in value])}]"
        named = {k: model(v, seen) for k, v in value.items()}
        kinds = [type(name).__name__ for name in value]
        return f"dict is {number} {named} {kinds}"
    if isinstance(value, tuple):
        return f"tuple ({', '.join([model(each, seen) for each in value])})"
    return f"{type(value).__name__} {value!r}"


def model_of_call(first, second, rest, named):
    seen = []
    flag, more = named.get("flag"), {k: v for k, v in named.items() if k != "flag"}
    parts = [first, 2 if isinstance(second, str) and second == "left out" else second]
    words = [model(each, seen) for each in parts]
    words += [model(each, seen) for each in rest] + ["*"]
    words += [model(flag, seen)] + [f"{k} {model(v, seen)}" for k, v in more.items()]
    return " ; ".join(words)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(calls, min_size=1, max_size=12))
def test_a_function_is_traced_once_for_each_kind_of_call(made):
    traced = []

    @ag.function
    def f(x, k=2, *rest, flag=None, **more):
        traced.append(1)
        return (x, k, rest, flag, more) and 0

    wanted = set()
    for first, second, rest, named, by_name in made:
        is_left_out = isinstance(second, str) and second == "left out"
        if is_left_out:
            rest = []
        wanted.add(model_of_call(first, second, rest, named))
        if by_name and not rest:
            given_names = {"x": first, **({} if is_left_out else {"k": second}), **named}
            f(**given_names)
        else:
            f(first, *(() if is_left_out else (second,)), *rest, **named)
        assert f.experimental_get_tracing_count() == len(traced) == len(wanted)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(shapes, st.sampled_from(DTYPES)), min_size=1, max_size=12))
def test_relaxed_traces_are_as_many_as_the_shapes_call_for(made):
    total = ag.function(lambda x: rt.reduce_sum(x), reduce_retracing=True)
    traces = []

    def covers(general, special):
        if general is None or general == special:
            return True
        fits = len(general) == len(special)
        return fits and all(a is None or a == b for a, b in zip(general, special))

    for shape, dtype in made:
        if not any(d is dtype and covers(known, shape) for known, d in traces):
            wider = shape
            latest = [known for known, d in traces if d is dtype]
            if latest:
                last = latest[-1]
                same_rank = last is not None and len(last) == len(shape)
                pairs = zip(last, shape) if same_rank else ()
                wider = tuple(a if a == b else None for a, b in pairs) if same_rank else None
            traces.append((wider, dtype))
        assert int(total(rt.ones(shape, dtype))) == int(np.prod(shape))
        assert total.experimental_get_tracing_count() == len(traces)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 2), tensors, st.sampled_from([1, 2])), max_size=15))
def test_each_object_has_separate_traces(made):
    class Layer:
        @ag.function
        def call(self, x, k):
            return x * k

    layers = [Layer() for _ in range(3)]
    wanted = [set(), set(), set()]
    for which, x, k in made:
        layers[which].call(x, rt.cast(k, x.dtype))
        wanted[which].add((x.dtype, x.shape.dims))
    counts = [layer.call.experimental_get_tracing_count() for layer in layers]
    assert counts == [len(each) for each in wanted]
    assert Layer.call.experimental_get_tracing_count() == 0

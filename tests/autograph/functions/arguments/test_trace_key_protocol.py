"""Objects that define their trace key: `__trace_key__`."""

from __future__ import annotations

import gc
import threading

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError

X = rt.constant(2)


class Scale:
    def __init__(self, factor, weight=None):
        self.factor = factor
        self.weight = weight
        self.inside = {"weight": weight}
        self.count = 0

    def __trace_key__(self):
        return self.factor


def test_objects_of_one_key_share_a_trace():
    seen = []

    @ag.function
    def times(x, scale):
        seen.append(1)
        return scale.factor

    factors = [2, 2, 3, 2, 3, True, 1, 1.0]
    results = [times(X, Scale(factor)) for factor in factors]
    assert [r.numpy().tolist() for r in results] == factors
    assert [r.dtype for r in results[-3:]] == [rt.bool, rt.int32, rt.float32]
    gc.collect()
    assert len(seen) == times.experimental_get_tracing_count() == 5
    assert len(times.traces.traces()) == 5


def test_the_class_is_part_of_the_key():
    class Other(Scale):
        pass

    named = ag.function(lambda s: type(s).__name__)
    assert named(Scale(1)).numpy() == b"Scale"
    assert named(Other(1)).numpy() == b"Other"


def test_keys_inside_of_a_structure():
    @ag.function
    def times(x, scales):
        return x * scales["a"][0].factor

    assert [int(times(X, {"a": [Scale(n)]})) for n in (2, 2, 5)] == [4, 4, 10]
    assert times.experimental_get_tracing_count() == 2


def test_objects_in_a_key_are_keyed_by_identity():
    class Thing: ...

    @ag.function
    def f(scale):
        return (1, scale)[0]

    thing = Thing()
    f(Scale((1, thing))), f(Scale((1, thing))), f(Scale((1, Thing())))
    assert f.experimental_get_tracing_count() == 2
    gc.collect()
    assert len(f.traces.traces()) == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (lambda x, s: x * s.weight, "a tensor of 's' is used"),
        (lambda x, s: x * s.inside["weight"], "a tensor of 's' is used"),
        (lambda x, s: setattr(s, "count", s.count + x), "'s.count' is written"),
        (lambda x, s: s.inside.update(weight=x), "is written"),
    ],
)
@pytest.mark.parametrize("weight", [rt.constant(3), rt.Variable(3)])
def test_reading_state_outside_of_the_key_is_refused(body, words, weight):
    scale = Scale(1, weight)
    with pytest.raises(SignatureError, match=words):
        ag.function(body)(X, scale)
    assert (scale.weight, scale.inside, scale.count) == (weight, {"weight": weight}, 0)


@pytest.mark.parametrize("key", [rt.constant(1), [1, rt.ones([2])], bytearray(b"a")])
def test_an_invalid_key_is_refused(key):
    with pytest.raises(SignatureError, match=r"Scale\.__trace_key__\(\) gives"):
        ag.function(lambda s: (1, s)[0])(Scale(key))


def test_an_exception_of_the_protocol_propagates():
    class Raising:
        def __trace_key__(self):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ag.function(lambda s: (1, s)[0])(Raising())


def test_a_class_itself_is_an_object_like_any_other():
    f = ag.function(lambda kind: kind.__name__)
    assert f(Scale).numpy() == b"Scale"


def test_explain_retrace_shows_the_key():
    f = ag.function(lambda s: (1, s)[0])
    f(Scale(2)), f(Scale(3))
    (change,) = ag.explain_retrace(f).traces[1].changes
    assert (change.old, change.new) == ("<Scale object, 2>", "<Scale object, 3>")


def test_threads_share_the_trace():
    times = ag.function(lambda x, s: x * s.factor)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(int(times(X, Scale(3))))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [6] * 8 and times.experimental_get_tracing_count() == 1

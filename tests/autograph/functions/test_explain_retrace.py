"""Reasons for retracing: the difference of two calls, and a covering signature."""

from __future__ import annotations

import gc
import warnings

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import RetracingWarning, SignatureError
from runtime.core.spec import TensorSpec

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")


class Settings:
    pass


def traced_with(*calls):
    """Return a Function after the calls, each given as arguments and keyword arguments."""

    @ag.function
    def f(x, k=2, *rest, flag=None, **more):
        return (rt.nest.flatten(x)[0], k, rest, flag, more)[0]

    for args, kwargs in calls:
        f(*args, **kwargs)
    return f


def changes_of(first, second):
    """Return the reported changes of the second of two calls with these arguments for `x`."""
    report = ag.explain_retrace(traced_with(((first,), {}), ((second,), {})))
    assert report.count == len(report.traces) == report.calls == 2
    return [(c.name, c.kind, c.old, c.new) for c in report.traces[1].changes]


settings = Settings()


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (rt.ones([2]), rt.ones([3]), ("x", "shape", "float32[2]", "float32[3]")),
        (rt.ones([2]), rt.ones([2, 1]), ("x", "shape", "float32[2]", "float32[2,1]")),
        (rt.constant(1), rt.constant(1.0), ("x", "dtype", "int32[]", "float32[]")),
        (1, 2, ("x", "value", "1", "2")),
        (0.0, -0.0, ("x", "value", "0.0", "-0.0")),
        (1, True, ("x", "type", "1", "True")),
        (1, 1.0, ("x", "type", "1", "1.0")),
        (2, rt.constant(2), ("x", "type", "2", "int32[]")),
        ([1, 2], [1, 3], ("x", "value", "[1, 2]", "[1, 3]")),
        ([1, 2], [1], ("x", "structure", "[1, 2]", "[1]")),
        ([1], (1,), ("x", "structure", "[1]", "(1,)")),
        ({"a": 1}, {"a": 2}, ("x['a']", "value", "1", "2")),
        ({"a": rt.ones([1])}, {"a": rt.ones([2])}, ("x['a']", "shape", "float32[1]", "float32[2]")),
        ({"a": 1}, {"b": 1}, ("x", "structure", "{'a': 1}", "{'b': 1}")),
        ([rt.constant(1), settings], [rt.constant(1), Settings], None),
    ],
)  # fmt: skip
def test_the_difference_of_two_calls_is_reported(first, second, told):
    found = changes_of(first, second)
    if told is None:
        told = ("x[1]", "object", "<Settings object>", "<Settings>")
    assert found == [told]


def test_a_call_is_compared_with_the_most_similar_one():
    f = traced_with(
        ((rt.ones([2]), 3), {}),
        ((rt.constant(1), "sum"), {}),
        ((rt.ones([5]), 3), {}),
        ((rt.ones([5]), 4), {"flag": True}),
    )
    report = ag.explain_retrace(f)
    assert [each.compared_with for each in report.traces] == [None, 1, 1, 3]
    assert [change.name for change in report.traces[3].changes] == ["k", "flag"]
    assert report.traces[3].call == "f(x: float32[5], k=4, flag=True)"


def test_the_line_of_the_call_is_reported():
    f = traced_with()
    f(rt.constant(1))  # this line
    (only,) = ag.explain_retrace(f).traces
    assert only.origin.line_text() == "f(rt.constant(1))  # this line"
    assert only.changes == () and only.compared_with is None


def test_a_freed_object_differs_from_a_new_one():
    f = traced_with(((rt.constant(1), Settings()), {}))
    gc.collect()
    f(rt.constant(1), Settings())
    (change,) = ag.explain_retrace(f).traces[1].changes
    assert change.kind == "object" and change.old == "<Settings object, gone by now>"
    assert "__trace_key__" in change.remedy


def test_a_change_of_state_is_a_cause():
    class Mean:
        total = None

        @ag.function
        def add(self, x):
            self.total = x if self.total is None else self.total + x
            return self.total

    mean = Mean()
    for value in (1, 2, 3):
        mean.add(rt.constant(value))
    report = ag.explain_retrace(mean.add)
    (change,) = report.traces[1].changes
    assert (change.name, change.kind, change.new) == ("self.total", "state", "int32[]")
    assert report.covering.specs is None and "self.total" in str(report.covering)
    assert (report.count, report.calls) == (2, 3)


def test_sharing_of_arguments_is_a_cause():
    @ag.function
    def add(a, b):
        return a[0] + b[0]

    one = [rt.constant(1)]
    add(one, one), add(one, [rt.constant(1)])
    (change,) = ag.explain_retrace(add).traces[1].changes
    assert (change.kind, change.old) == ("sharing", "one object twice, as in 0 0")


@pytest.mark.parametrize(
    "calls",
    [
        [(rt.ones([2, 3]),), (rt.ones([4, 3]),), (rt.ones([5, 3]),)],
        [(rt.ones([2]),), (rt.ones([4, 3]),)],
        [(1,), (2,), (rt.constant(3),)],
        [(1.5, 2), (rt.constant(2.5), 3)],
        [([1, 2],), ([1, 2, 3],)],
        [({"a": rt.ones([1]), "b": (1,)},), ({"a": rt.ones([2]), "b": (2,)},)],
        [(rt.constant(1), 2, 3, 4), (rt.constant(2), 2, 5, 6)],
        [(rt.constant(1), 2), (rt.constant(2), 3)],
        [([rt.constant(1), (rt.ones([2]),)],), ([rt.constant(2), (rt.ones([3]),)],)],
    ],
)
def test_the_suggested_signature_serves_all_calls_with_one_trace(calls):
    def f(x, k=2, *rest):
        if isinstance(x, dict):
            x = x["a"]
        if isinstance(x, list) and not isinstance(x[0], int):
            x = x[1][0]
        return [rt.reduce_sum(x), rt.shape(x), *(part * 2 for part in (k, *rest))]

    apart = ag.function(f)
    results = [apart(*args) for args in calls]
    covering = ag.explain_retrace(apart).covering
    assert covering.specs is not None
    text = str(covering).removeprefix("input_signature=")
    specs = eval(text, {"rt": rt})
    together = ag.function(f, input_signature=specs)
    for args, result in zip(calls, results):
        for a, b in zip(rt.nest.flatten(result), rt.nest.flatten(together(*args))):
            assert a.numpy().tolist() == b.numpy().tolist()
            # A whole number of Python's takes on the dtype of the tensors beside it.
            assert a.dtype == b.dtype or (a.dtype, b.dtype) == (rt.int32, rt.float32)
    assert together.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    ("calls", "name"),
    [
        ([(rt.constant(1),), (rt.constant(1.0),)], "'x': its tensors differ in dtype"),
        ([("a",), ("b",)], "'x'"),
        ([(Settings(),), (Settings(),)], "'x': it is an object"),
    ],
)
def test_the_parameter_without_a_covering_spec_is_named(calls, name):
    f = ag.function(lambda x: (1, x)[0])
    for args in calls:
        f(*args)
    covering = ag.explain_retrace(f).covering
    assert covering.specs is None and name in str(covering)


def test_the_report_reads_as_a_text():
    @ag.function
    def scale(x, k):
        return x * k

    for k in (2, 3):
        scale(rt.constant([1.0]), k)
    line = ag.explain_retrace(scale).traces[0].origin
    assert str(ag.explain_retrace(scale)) == "\n".join(
        [
            "scale: 2 traces for 2 calls",
            "",
            "1  scale(x: float32[1], k=2)",
            f"   at {line}",
            "     scale(rt.constant([1.0]), k)",
            "",
            "2  scale(x: float32[1], k=3)",
            f"   at {line}",
            "     scale(rt.constant([1.0]), k)",
            "   not as in trace 1:",
            "     k: value, 2 -> 3",
            "       pass a tensor: rt.constant(3), of the dtype that it meets",
            "",
            "one trace serves all of these with "
            "input_signature=[rt.TensorSpec((1,), rt.float32), rt.TensorSpec((), rt.float32)]",
        ]
    )


def test_a_plain_function_is_refused():
    with pytest.raises(SignatureError, match=r"decorate it with ag\.function"):
        ag.explain_retrace(len)


def warnings_of(run):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [str(w.message) for w in caught if w.category is RetracingWarning]


def test_a_function_that_is_traced_in_most_calls_warns_with_the_reason():
    @ag.function
    def scale(x, k):
        return x * k

    def run():
        for k in range(8):
            scale(rt.constant(1), k)

    first, second = warnings_of(run)
    assert "scale was traced anew by 5 of its last 5 calls" in first
    assert "k: value 3 -> 4; pass a tensor: rt.constant(4)" in first
    assert "input_signature=[rt.TensorSpec((), rt.int32), rt.TensorSpec((), rt.int32)]" in first
    assert "k: value 4 -> 5" in second
    assert warnings_of(lambda: scale(rt.constant(1), 100)) == []


def test_rare_traces_do_not_warn():
    @ag.function
    def scale(x, k):
        return x * k

    def run():
        for k in range(8):
            for _ in range(4):
                scale(rt.constant(1), k)

    assert warnings_of(run) == []


def test_asking_for_concrete_functions_does_not_warn():
    double = ag.function(lambda x: x + x)

    def run():
        for size in range(8):
            double.get_concrete_function(TensorSpec((size,)))

    assert warnings_of(run) == []


def test_a_function_created_for_each_call_warns():
    def double(x):
        return x + x

    def run():
        for _ in range(6):
            ag.function(double)(rt.constant(1))
            gc.collect()

    (first, *_) = warnings_of(run)
    assert "the last 5 Functions made of double were traced and thrown away" in first


def test_methods_of_objects_that_live_do_not_warn():
    class Layer:
        @ag.function
        def call(self, x):
            return x + 1

    layers = [Layer() for _ in range(8)]

    def run():
        for layer in layers:
            layer.call(rt.constant(1))

    assert warnings_of(run) == []


def test_the_suggested_signature_works():
    @ag.function
    def scale(x, k):
        return x * k

    def same(x, k):
        return x * k

    for k in (2, 3):
        scale(rt.constant([1.0]), k)
    specs = ag.explain_retrace(scale).covering.specs
    together = ag.function(same, input_signature=specs)
    assert [together([1.0], k).numpy().tolist() for k in (2, 3)] == [[2.0], [3.0]]


def test_reduce_retracing_reports_numbers_as_the_cause():
    @ag.function(reduce_retracing=True)
    def f(x, k):
        return (x, k)[0]

    for size, k in ((1, 1), (2, 1), (3, 1), (3, 2)):
        f(rt.ones([size]), k)
    report = ag.explain_retrace(f)
    assert [[c.name for c in each.changes] for each in report.traces] == [[], ["x"], ["k"]]
    assert "reduce_retracing=True is for" in report.traces[1].changes[0].remedy


def test_the_order_of_keys_is_a_cause():
    f = ag.function(lambda d: (1, d)[0])
    f({"a": 1, "b": 2}), f({"b": 2, "a": 1})
    (change,) = ag.explain_retrace(f).traces[1].changes
    assert (change.kind, change.old, change.new) == (
        "order",
        "dict of 'a', 'b'",
        "dict of 'b', 'a'",
    )


def test_long_values_are_shortened():
    f = ag.function(lambda x: (1, x)[0])
    f("a" * 10_000), f(list(range(5000)))
    (change,) = ag.explain_retrace(f).traces[1].changes
    assert len(str(change)) < 400


def test_often_called_functions_do_not_warn_when_they_are_freed():
    def double(x):
        return x + x

    def run():
        for _ in range(8):
            made = ag.function(double)
            for _ in range(5):
                made(rt.constant(1))
            del made
            gc.collect()

    assert warnings_of(run) == []


def test_recursion_by_numbers_does_not_warn():
    @ag.function
    def power(x, n):
        return x if n == 0 else x * power(x, n - 1)

    assert warnings_of(lambda: power(rt.constant(2), 9)) == []


def test_the_latest_traces_are_remembered():
    scale = ag.function(lambda x, k: x * k)
    for k in range(130):
        scale(rt.constant(1), k)
    report = ag.explain_retrace(scale)
    assert (report.count, len(report.traces), report.traces[-1].number) == (130, 100, 130)
    assert "the latest 100:" in str(report)

"""Functions: traces by arguments, and the attributes of the Python function."""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from autograph.functions.decorator import function
from autograph.functions.function import Function
from runtime.core.spec import TensorSpec


def counted(**options):
    """Return a Function that doubles, and the list of the shapes it was traced for."""
    seen = []

    @function(**options)
    def double(x, n=2, *rest, **more):
        seen.append(x.shape.dims)
        return x * n

    return double, seen


def test_one_trace_serves_all_tensors_of_a_dtype_and_shape():
    double, seen = counted()
    assert int(double(rt.constant(3))) == 6
    assert int(double(rt.constant(4))) == 8
    assert int(double(np.array(5, np.int32))) == 10
    assert len(seen) == 1 == double.experimental_get_tracing_count()


def test_another_dtype_or_shape_retraces():
    double, seen = counted()
    double(rt.constant(3)), double(rt.constant(3.0)), double(rt.constant([3.0]))
    assert double(np.array([[1, 2]])).numpy().tolist() == [[2, 4]]
    assert len(seen) == 4


def test_python_numbers_are_keyed_by_type_and_value():
    kind = function(lambda k: k)
    results = [kind(1), kind(True), kind(1.0), kind(2)]
    assert [r.dtype.name for r in results] == ["int32", "bool", "float32", "int32"]
    assert kind.experimental_get_tracing_count() == 4
    assert np.signbit(kind(-0.0).numpy()) and not np.signbit(kind(0.0).numpy())
    assert np.isnan(kind(float("nan")).numpy()) and np.isnan(kind(float("nan")).numpy())
    assert kind.experimental_get_tracing_count() == 7


def test_defaults_and_keywords_share_a_trace():
    double, seen = counted()
    x = rt.constant(3)
    assert [int(v) for v in (double(x), double(x, 2), double(x, n=2), double(n=2, x=x))] == [6] * 4
    assert len(seen) == 1


def test_an_object_is_keyed_by_identity_and_freed():
    class Settings:
        def __init__(self, scale):
            self.scale = scale

    scaled = function(lambda x, s: x * s.scale)
    first, second = Settings(2), Settings(3)
    x = rt.constant(1)
    assert [int(scaled(x, s)) for s in (first, second, first)] == [2, 3, 2]
    assert len(scaled._traces.traces()) == 2
    gone = weakref.ref(first)
    del first
    gc.collect()
    assert gone() is None
    assert len(scaled._traces.traces()) == 1
    assert int(scaled(x, second)) == 3
    assert list(scaled._traces.by_key.values()) == scaled._traces.traces()
    assert len(scaled._traces.traces()) == 1


def test_structures_are_passed_and_returned():
    @function
    def swap(d, pair):
        return {"pair": (pair[1], pair[0]), "sum": d["a"] + d["b"][0], "none": None, "n": 7}

    result = swap({"a": rt.constant(1), "b": [rt.constant(2)]}, (rt.constant(3), rt.constant(4)))
    assert [int(v) for v in result["pair"]] == [4, 3]
    assert (int(result["sum"]), result["none"], int(result["n"])) == (3, None, 7)
    assert list(result) == ["pair", "sum", "none", "n"]


def test_rest_and_keyword_only_parameters():
    @function
    def f(x, *rest, k, **more):
        for each in rest:
            x = x + each
        return x * k + more["z"]

    x = rt.constant(1)
    assert int(f(x, x, x, k=2, z=x)) == 7
    assert int(f(x, x, x, k=2, z=rt.constant(5))) == 11
    assert f.experimental_get_tracing_count() == 1


def test_the_name_signature_and_doc_are_the_users():
    def step(x, rate=0.1):
        """Take a step."""
        return x

    step.note = "kept"
    made = function(step)
    assert (made.__name__, made.__doc__, made.__module__) == ("step", "Take a step.", __name__)
    assert made.__qualname__ == step.__qualname__
    assert inspect.signature(made) == inspect.signature(step)
    assert made.python_function is step is made.__wrapped__
    assert made.note == "kept"
    assert repr(made) == "<Function step(x, rate=0.1)>"


def test_a_decorator_takes_options():
    @function(reduce_retracing=True, autograph=False)
    def f(x):
        return x

    assert isinstance(f, Function)


def test_lambdas_partials_callables_and_functions_of_functions():
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return x * self.factor

    def times(x, factor):
        return x * factor

    x = rt.constant(5)
    assert int(function(lambda v: v * 3)(x)) == 15
    assert int(function(functools.partial(times, factor=3))(x)) == 15
    assert int(function(Scale(3))(x)) == 15
    assert int(function(Scale(3).__call__)(x)) == 15
    assert int(function(function(lambda v: v * 3))(x)) == 15
    assert function(Scale(3)).__name__ == "Scale"
    assert function(functools.partial(times, factor=3)).__name__ == "times"


def test_wrapping_twice_traces_twice():
    seen = []

    def f():
        seen.append(1)
        return 0

    function(f)(), function(f)()
    assert seen == [1, 1]


def test_a_value_that_is_not_callable_is_refused():
    with pytest.raises(SignatureError, match="takes a function, not 3"):
        function(3)


class Layer:
    def __init__(self, weight):
        self.weight = weight

    @function
    def call(self, x, bias=0):
        return x * self.weight + bias

    @function(input_signature=[TensorSpec((None,), rt.float32)])
    def fixed(this, x):
        return x * this.weight

    @staticmethod
    @function
    def twice(x):
        return x * 2

    @function
    @staticmethod
    def thrice(x):
        return x * 3

    @classmethod
    @function
    def named(cls, x):
        return {cls.__name__: x}

    @property
    @function
    def doubled(self):
        return self.weight * 2


def test_methods_have_traces_for_each_instance():
    two, three, x = Layer(2), Layer(3), rt.constant(10)
    results = [two.call(x), three.call(x), two.call(x, 0), two.call(bias=1, x=x)]
    assert [int(v) for v in results] == [20, 30, 20, 21]
    assert two.call.experimental_get_tracing_count() == 2
    assert three.call.experimental_get_tracing_count() == 1
    assert int(Layer.call(three, x)) == 30
    assert inspect.signature(two.call) == inspect.signature(two.call.python_function)
    assert two.call.python_function.__self__ is two


def test_an_instance_is_freed_with_its_traces():
    layer = Layer(2)
    layer.call(rt.constant(1))
    gone = weakref.ref(layer)
    del layer
    gc.collect()
    assert gone() is None


def test_a_method_keeps_its_instance_alive_while_it_is_held():
    call = Layer(4).call
    gc.collect()
    assert int(call(rt.constant(2))) == 8


def test_static_class_and_property_functions():
    layer, x = Layer(rt.constant(2)), rt.constant(5)
    assert int(layer.twice(x)) == 10 == int(Layer.twice(x))
    assert int(layer.thrice(x)) == 15 == int(Layer.thrice(x))
    assert int(Layer.named(x)["Layer"]) == 5
    assert int(layer.doubled) == 4


def test_a_method_with_an_input_signature():
    layer = Layer(2.0)
    assert layer.fixed([1, 2]).numpy().tolist() == [2.0, 4.0]
    assert Layer.fixed(layer, [3]).numpy().tolist() == [6.0]
    assert layer.fixed.experimental_get_tracing_count() == 1
    assert layer.fixed.get_concrete_function().structured_outputs.shape.dims == (None,)


def test_an_instance_without_weak_references_is_refused():
    class Slotted:
        __slots__ = ()

        @function
        def go(self, x):
            return x

    with pytest.raises(SignatureError, match="__weakref__"):
        Slotted().go(1)


def test_a_symbolic_call_becomes_part_of_the_outer_trace():
    @function
    def inner(x):
        return {"y": x + 1, "k": 5}

    @function
    def outer(x):
        inside = inner(x)
        return inside["y"] * inside["k"]

    assert int(outer(rt.constant(1))) == 10
    assert [f.experimental_get_tracing_count() for f in (outer, inner)] == [1, 1]
    graph = outer.get_concrete_function(rt.constant(1)).graph
    assert ["function_call", "constant", "multiply"] == [node.op.name for node in graph]


def test_a_function_may_call_itself_with_python_numbers():
    @function
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    assert int(power(rt.constant(2), 5)) == 32


def test_reduce_retracing_relaxes_shapes_only():
    total, seen = counted(reduce_retracing=True)
    for size in (1, 2, 3, 4):
        assert total(rt.ones([size])).shape == (size,)
    assert seen == [(1,), (None,)]
    assert total(rt.ones([2, 2])).shape == (2, 2)
    assert total(rt.ones([5, 2, 1])).shape == (5, 2, 1)
    assert seen[2:] == [None]
    for n in (5, 6):
        total(rt.ones([1]), n)
    assert len(seen) == 5


def test_a_wider_trace_serves_narrower_calls():
    double, seen = counted()
    wide = double.get_concrete_function(TensorSpec((None,), rt.float32))
    assert double(rt.ones([3])).numpy().tolist() == [2, 2, 2]
    assert double.get_concrete_function(TensorSpec((2,), rt.float32)) is wide
    assert len(seen) == 1


def test_calling_with_a_spec_is_refused():
    double, _ = counted()
    with pytest.raises(SignatureError, match="get_concrete_function"):
        double(TensorSpec((), rt.int32))
    double.get_concrete_function(TensorSpec((), rt.int32))
    with pytest.raises(SignatureError, match="get_concrete_function"):
        double(TensorSpec((), rt.int32))


def test_wrong_arguments_raise_type_error():
    f = function(lambda x: x)
    for args, kwargs in [((), {}), ((1, 2), {}), ((), {"q": 1}), ((1,), {"x": 1})]:
        with pytest.raises(TypeError):
            f(*args, **kwargs)
    assert f.experimental_get_tracing_count() == 0


def test_concurrent_first_calls_trace_once():
    started = threading.Barrier(6)
    double, seen = counted()
    results = []

    def call():
        started.wait()
        results.append(int(double(rt.constant(21))))

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [42] * 6
    assert len(seen) == 1


def test_signatures_are_printed_in_the_order_of_tracing():
    @function
    def my_relu(x):
        return rt.maximum(0.0, x)

    my_relu(rt.constant(5.5)), my_relu([1, -1]), my_relu(rt.constant([3.0, -3.0]))
    assert my_relu.pretty_printed_concrete_signatures() == (
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    float32 Tensor, shape=()\n"
        "\n"
        "my_relu(x=[1, -1])\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(2,)\n"
        "\n"
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=(2,)\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(2,)"
    )
    assert my_relu.pretty_printed_concrete_signatures(verbose=False) == (
        "my_relu(x)\nmy_relu(x=[1, -1])\nmy_relu(x)"
    )


def test_a_copy_traces_for_itself():
    double, _ = counted()
    double(rt.constant(1))
    copied = copy.deepcopy(double)
    assert int(copied(rt.constant(4))) == 8
    assert (double.experimental_get_tracing_count(), copied.experimental_get_tracing_count()) == (
        1, 1,
    )  # fmt: skip


def test_variables_are_read_at_every_call_and_eager_tensors_once():
    v, t = rt.Variable(2), rt.constant(10)
    f = function(lambda x: x * v + t)
    assert int(f(rt.constant(3))) == 16
    v.assign(4)
    assert int(f(rt.constant(3))) == 22
    assert f.experimental_get_tracing_count() == 1


def test_an_assignment_happens_at_every_call():
    v = rt.Variable(0)

    @function
    def count(x):
        v.assign_add(x)
        return v.read_value()

    assert [int(count(rt.constant(5))) for _ in range(3)] == [5, 10, 15]
    assert int(v.numpy()) == 15


@pytest.mark.parametrize("name", ["autograph", "reduce_retracing", "strict"])
def test_options_that_are_flags_are_no_texts(name: str) -> None:
    with pytest.raises(rt.errors.DTypeError, match=f"{name} must be True or False, not 'yes'"):
        ag.function(lambda x: x, **{name: "yes"})
    with pytest.raises(rt.errors.DTypeError, match="run_eagerly must be True or False"):
        ag.run_functions_eagerly("no")  # type: ignore[arg-type]

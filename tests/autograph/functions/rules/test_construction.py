"""Construction of Functions, and the attributes they keep.

Where TensorFlow 2.21 does otherwise, a comment says why ours is right.
"""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import pickle
import weakref

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError


def plain(x, k=2):
    """Multiply."""
    return x * k


@ag.function
def decorated(x):
    return x + 1


of_plain = ag.function(plain)


class Scale:
    def __init__(self, factor=3):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor

    @ag.function
    def method(self, x):
        """Scale by a method."""
        return x * self.factor

    # TensorFlow refuses these three ("cannot create weak reference"), and takes them in the other
    # order only; here both mean the same.
    @ag.function
    @staticmethod
    def static(x):
        return x * 5

    @ag.function
    @classmethod
    def of_class(cls, x):
        return x * len(cls.__name__)

    @ag.function
    @property
    def value(self):
        return self.factor * 2

    @staticmethod
    @ag.function
    def static_too(x):
        return x * 5

    @classmethod
    @ag.function
    def of_class_too(cls, x):
        return x * len(cls.__name__)

    @property
    @ag.function
    def value_too(self):
        return self.factor * 2

    # TensorFlow asks for the name `self` here; any name will do.
    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def fixed(this, x):
        return x * this.factor


X = rt.constant(2)
FORMS = {
    "decorator": (decorated, 3),
    "decorator with options": (ag.function(autograph=False)(plain), 4),
    "wrapper": (ag.function(plain), 4),
    "lambda": (ag.function(lambda x: x - 1), 1),
    "partial": (ag.function(functools.partial(plain, k=5)), 10),
    "partial of a Function": (ag.function(functools.partial(of_plain, k=5)), 10),
    "callable object": (ag.function(Scale()), 6),
    "bound method": (ag.function(Scale().__call__), 6),
    "another Function": (ag.function(of_plain), 4),
    "a Function's method": (ag.function(Scale().method), 6),
    "operation": (ag.function(rt.negative), -2),
}


@pytest.mark.parametrize("form", FORMS)
def test_any_callable_can_become_a_function(form):
    function, wanted = FORMS[form]
    assert isinstance(function, ag.Function)
    assert int(function(X)) == wanted == int(function(X))
    assert int(function(x=X)) == wanted


def test_methods_of_every_kind():
    scale = Scale()
    assert [int(f(X)) for f in (scale.method, scale.static, scale.of_class, scale.fixed)] == [
        6, 10, 10, 6,
    ]  # fmt: skip
    assert [int(f(X)) for f in (scale.static_too, Scale.static, scale.of_class_too)] == [10] * 3
    assert int(scale.value) == 6 == int(scale.value_too)
    assert int(Scale.method(scale, X)) == 6 == int(Scale.fixed(scale, X))


def test_names_and_signature_are_the_users():
    assert inspect.signature(of_plain) == inspect.signature(plain)
    assert of_plain.__name__ == of_plain.name == "plain" == of_plain.__qualname__
    assert of_plain.__doc__ == inspect.getdoc(of_plain) == "Multiply."
    assert of_plain.python_function is of_plain.__wrapped__ is inspect.unwrap(of_plain) is plain
    assert of_plain.__module__ == __name__
    assert inspect.getsource(of_plain).startswith("def plain(x, k=2):")
    assert repr(of_plain) == "<Function plain(x, k=2)>"
    scale = Scale()
    assert inspect.signature(scale.method) == inspect.signature(Scale.__call__.__get__(scale))
    assert scale.method.__doc__ == "Scale by a method."


def test_every_wrapping_traces_for_itself():
    traced = []

    def f():
        traced.append(1)
        return 0

    ag.function(f)(), ag.function(f)()
    assert len(traced) == 2


def test_each_instance_has_its_traces_which_are_freed_with_it():
    class Shift(Scale):
        @ag.function
        def method(self, x):
            return x * self.factor

    first, second = Shift(3), Shift(4)
    assert [int(s.method(X)) for s in (first, second, first)] == [6, 8, 6]
    assert first.method.experimental_get_tracing_count() == 1
    # The class attribute is the Function before any object is known: it has no traces.
    assert Shift.method.experimental_get_tracing_count() == 0
    gone = weakref.ref(first)
    del first
    gc.collect()
    assert gone() is None
    assert int(second.method(X)) == 8


def test_a_bound_method_keeps_its_instance_alive():
    # TensorFlow holds it weakly: later traces see `self` as None.
    held = Scale(4).method
    gc.collect()
    assert int(held(X)) == 8 and int(held(rt.constant([1]))[0]) == 4


def test_a_method_is_equal_to_itself():
    scale = Scale()
    assert scale.method == scale.method and hash(scale.method) == hash(scale.method)
    assert scale.method != Scale().method and of_plain != ag.function(plain)
    use = ag.function(lambda f, x: f(x))
    for _ in range(3):
        assert int(use(scale.method, X)) == 6
    assert use.experimental_get_tracing_count() == 1


def test_pickled_by_reference():
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    again = pickle.loads(pickle.dumps(of_plain))
    assert again.python_function is plain and again != of_plain and int(again(X)) == 4
    options = ag.function(plain, input_signature=[rt.TensorSpec((None,), rt.float32)])
    assert pickle.loads(pickle.dumps(options)).input_signature == options.input_signature
    bound = pickle.loads(pickle.dumps(Scale(7).method))
    assert int(bound(X)) == 14


def test_a_function_without_an_importable_name_is_not_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(ag.function(lambda x: x))


def test_copies_trace_for_themselves():
    original = ag.function(plain)
    original(X)
    for copied in (copy.copy(original), copy.deepcopy(original)):
        assert int(copied(X)) == 4 and copied.experimental_get_tracing_count() == 1
        assert copied != original and inspect.signature(copied) == inspect.signature(original)
    scale = Scale(3)
    scale.method(X)
    other = copy.deepcopy(scale)
    other.factor = 5
    assert (int(scale.method(X)), int(other.method(X))) == (6, 10)


@pytest.mark.parametrize("thing", [3, "f", None.__class__()])
def test_values_that_are_not_callable_are_refused(thing):
    if thing is None:
        assert callable(ag.function(thing))  # the decorator with options
        return
    with pytest.raises(SignatureError, match="takes a function, not"):
        ag.function(thing)


def test_an_object_that_cannot_be_referred_to_weakly():
    class Slotted:
        __slots__ = ()

        @ag.function
        def go(self):
            return 1

    with pytest.raises(SignatureError, match="add '__weakref__' to its __slots__"):
        Slotted().go()


def test_tensorflows_options_are_accepted():
    made = ag.function(
        plain,
        jit_compile=True,
        experimental_implements="multiply",
        experimental_attributes={"a": 1},
        experimental_compile=None,
        experimental_relax_shapes=True,
        experimental_follow_type_hints=False,
    )
    for size in (1, 2, 3):
        made(rt.ones([size]))
    assert made.experimental_get_tracing_count() == 2
    with pytest.raises(SignatureError, match="input_signature="):
        ag.function(plain, experimental_follow_type_hints=True)
    with pytest.raises(TypeError, match="nonsense"):
        ag.function(plain, nonsense=1)


def test_run_functions_eagerly_runs_the_python_function(capsys):
    kinds = []

    @ag.function
    def f(x):
        kinds.append(type(x).__name__)
        print("x is", x)
        return x

    assert ag.functions_run_eagerly() is False
    ag.run_functions_eagerly(True)
    try:
        assert ag.functions_run_eagerly() is True
        assert f(1) == 1 and f(1) == 1
        assert kinds == ["int", "int"]
        assert capsys.readouterr().out == "x is 1\nx is 1\n"
        assert f.experimental_get_tracing_count() == 0
    finally:
        ag.run_functions_eagerly(False)
    assert int(f(1)) == 1 and f.experimental_get_tracing_count() == 1

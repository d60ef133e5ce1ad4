"""The code that a trace runs: converted code, or the original with a reason."""

from __future__ import annotations

import functools

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.tracing.trace_target import staged_form
from runtime.errors import SymbolicTensorError


def relu(x):
    if x > 0:
        return x
    return x * 0


def leaky(x, gradient):
    if x > 0:
        return x
    return x * gradient


class Clip:
    def __init__(self, most):
        self.most = most

    def __call__(self, x):
        if x > self.most:
            return x * 0 + self.most
        return x

    def method(self, x):
        return self(x)


CLIP = Clip(3)


@pytest.mark.parametrize(
    "python_function, expected",
    [
        (relu, [-0, 5]),
        (lambda x: x if x > 0 else -x, [4, 5]),
        (functools.partial(leaky, gradient=2), [-8, 5]),
        (CLIP, [-4, 3]),
        (CLIP.method, [-4, 3]),
        (ag.function(relu), [0, 5]),
        (ag.convert(relu), [0, 5]),
    ],
)
def test_branches_on_tensors_are_staged(python_function, expected):
    staged = ag.function(python_function)
    assert [int(staged(rt.constant(x))) for x in (-4, 5)] == expected
    assert staged.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("untouched", [rt.reduce_sum, rt.Variable, ag.do_not_convert(relu)])
def test_library_functions_are_not_converted(untouched):
    assert staged_form(untouched) is untouched


def test_ops_and_builtins_may_be_traced():
    assert int(ag.function(rt.reduce_sum)(rt.constant([1, 2, 3]))) == 6
    assert int(ag.function(abs)(rt.constant(-3))) == 3


LEFT_ALONE = [ag.do_not_convert(relu), functools.partial(ag.do_not_convert(leaky), gradient=2)]


@pytest.mark.parametrize("python_function", LEFT_ALONE)
def test_exempt_functions_stay_python(python_function):
    with pytest.raises(SymbolicTensorError):
        ag.function(python_function)(rt.constant(1))


def test_autograph_can_be_switched_off():
    with pytest.raises(SymbolicTensorError):
        ag.function(relu, autograph=False)(rt.constant(1))


def test_an_error_of_a_function_without_source_names_the_reason():
    namespace = {}
    exec("def hidden(x):\n    return x + 1 if x > 0 else x", namespace)
    hidden = ag.function(namespace["hidden"])
    with pytest.raises(SymbolicTensorError) as caught:
        hidden(rt.constant(1))
    assert "stayed Python: no source for 'hidden'" in str(caught.value)
    straight = {}
    exec("def double(x):\n    return x + x", straight)
    assert int(ag.function(straight["double"])(rt.constant(2))) == 4


def numbers(n):
    yield n


async def later(n):
    return n


@pytest.mark.parametrize("suspended, kind", [(numbers, "a generator"), (later, "a coroutine")])
def test_coroutines_and_generators_are_refused_at_their_line(suspended, kind):
    f = ag.function(suspended)
    for _ in range(2):
        with pytest.raises(ag.errors.ConversionError, match=f"is {kind}") as caught:
            f(rt.constant(1))
        line = suspended.__code__.co_firstlineno
        assert f"at {__file__}:{line}, in {suspended.__name__}" in str(caught.value)
    assert 0 == f.experimental_get_tracing_count()


@pytest.mark.parametrize(
    ("builtin", "args", "wanted"),
    [
        (max, (3, 5), 5),
        (sum, ([1, 2, 3],), 6),
        (int, (7,), 7),
        (abs, (-4,), 4),
        ("{}".format, (5,), b"5"),
        (len, ([1, 2],), 2),
    ],
)
def test_a_builtin_is_called_as_in_converted_code(builtin, args, wanted):
    tensors = rt.nest.map_structure(rt.constant, args)
    assert ag.function(builtin)(*tensors).numpy() == wanted

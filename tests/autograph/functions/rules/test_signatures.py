"""Input signatures and concrete functions: accepted arguments, and messages of refusals."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from runtime.errors import InvalidArgumentError

S, T = rt.TensorSpec, rt.constant


def two(x, y):
    return x


def keyword_only(*, x):
    return x


def test_a_wrong_number_of_specs_is_refused():
    for specs, words in [
        ([S(())] * 3, "1 spec.* more than two has parameters"),
        ([S(())], "no spec for 'y' of two; add one, or give the parameter a default"),
        (S(()), "must be a list or tuple of TensorSpecs, not TensorSpec.*put it in a list"),
        ([3, S(())], "holds 3, which is not a TensorSpec"),
        ([rt.int32], r"holds rt.int32, which is not .*: write rt.TensorSpec\(shape, rt.int32\)"),
    ]:
        with pytest.raises(TypeError, match=words):
            ag.function(two, input_signature=specs)
    with pytest.raises(TypeError, match="no spec for 'x' of keyword_only"):
        ag.function(keyword_only, input_signature=[])


@ag.function(input_signature=[S((None, 4), rt.int32)])
def rows(x):
    return x + 1


@ag.function(input_signature=[S((), rt.float32)])
def scalar(x, k=2):
    return x * k


@ag.function(input_signature=[{"a": S((), rt.int32), "b": [S(None, rt.float32)]}])
def nested(d):
    return d["a"], rt.reduce_sum(d["b"][0])


WRONG = {
    "shape": (
        lambda: rows(rt.zeros((2, 3), rt.int32)),
        r"'x' .*shape \(None, 4\) .*\(2, 3\)",
    ),
    "rank": (lambda: rows(rt.zeros((4,), rt.int32)), r"rows: 'x' .*shape \(None, 4\) .*\(4,\)"),
    "dtype": (lambda: rows(rt.ones((1, 4))), "'x' .*an int32 tensor but is a float32 tensor"),
    "missing": (lambda: rows(), "missing a required argument: 'x'"),
    "too many": (lambda: rows(1, 2), "too many positional arguments"),
    "unknown name": (lambda: rows(rt.zeros((1, 4), rt.int32), q=1), "unexpected keyword arg.* 'q'"),
    "twice": (lambda: rows(rt.zeros((1, 4), rt.int32), x=1), "multiple values for argument 'x'"),
    "another default": (lambda: scalar(1.0, 3), "'k' is 3, not the value it was traced with"),
    "another type of default": (lambda: scalar(1.0, 2.0), "'k' is 2.0, not the value"),
    "more keys": (lambda: nested({"a": T(1), "b": [T(1.0)], "c": 1}), "'d' .* the keys 'a', 'b'"),
    "a list as long": (lambda: nested({"a": T(1), "b": [T(1.0)] * 2}), "'d/b' .* a list of 1"),
    "inside": (lambda: nested({"a": T(1.0), "b": [T(1.0)]}), "'d/a' .* int32 tensor"),
    "lossy number": (lambda: rows([[1.5] * 4]), r"'x' cannot become an int32 tensor: .*rt\.cast"),
    "text": (lambda: scalar("a"), "'x' cannot become a float32 tensor"),
    "None": (lambda: scalar(None), "'x' cannot become a float32 tensor"),
    "NumPy's dtype": (lambda: rows(np.ones((1, 4))), "'x' cannot become an int32 tensor"),
}


@pytest.mark.parametrize("rule", WRONG)
def test_arguments_that_do_not_match_are_refused_by_name(rule):
    call, words = WRONG[rule]
    with pytest.raises(TypeError, match=words) as caught:
        call()
    assert isinstance(caught.value, SignatureError) and len(str(caught.value)) < 300


def test_arguments_are_converted_to_their_specs():
    assert rows([[1, 2, 3, 4]]).numpy().tolist() == [[2, 3, 4, 5]]
    assert rows(np.ones((2, 4), np.int64)).numpy().tolist() == [[2] * 4] * 2
    for value in (3, 3.0, np.float64(3), np.int32(3), rt.Variable(3.0), T(3.0)):
        assert scalar(value).dtype == rt.float32 and float(scalar(value)) == 6.0
    assert float(scalar(3.0, 2)) == float(scalar(x=3.0, k=2)) == 6.0
    for shape in ((), (2,), (2, 2)):
        a, total = nested({"b": [rt.ones(shape)], "a": 1})
        assert (int(a), float(total)) == (1, float(np.prod(shape)))
    counts = [f.experimental_get_tracing_count() for f in (rows, scalar, nested)]
    assert counts == [1, 1, 1]


def times(x, n=3, flag=True):
    return x * n if flag else x


@pytest.fixture
def function():
    return ag.function(times)


def test_concrete_functions_are_the_traces(function):
    get = function.get_concrete_function
    assert get(T(1)) is get(T(2)) is get(S([], rt.int32)) is get(T(1), 3) is get(x=T(5), flag=True)
    assert get(T(1), 1) is not get(T(1), 2)
    function(T(7))
    assert function.experimental_get_tracing_count() == 3


def test_attributes_of_a_concrete_function(function):
    concrete = function.get_concrete_function(S([2], rt.float32))
    assert concrete.name == "times" and len(concrete.graph) == len(list(concrete.graph)) == 2
    assert concrete.structured_input_signature == (
        (S((2,), rt.float32, name="x"), 3, True),
        {},
    )
    assert concrete.structured_outputs == S((2,), rt.float32)
    assert [tensor.name for tensor in concrete.inputs] == ["x:0"]
    assert concrete.captured_inputs == [] and concrete.variables == ()
    text = (
        "times(x, n=3, flag=True)\n  Args:\n    x: float32 Tensor, shape=(2,)\n"
        "  Returns:\n    float32 Tensor, shape=(2,)"
    )
    assert concrete.pretty_printed_signature() == text
    assert str(concrete) == f"ConcreteFunction {text}"
    assert repr(concrete) == "<ConcreteFunction times(x, n=3, flag=True)>"


def test_the_verbose_form_has_all_types():
    v, t = rt.Variable([1.0]), T(2.0)

    @ag.function
    def f(x, w, *rest, k=2, **more):
        return {"sum": x + v * t, "parts": [w.read_value(), (k, None)]}

    f(T([1.0]), rt.Variable(3), [T(1), "a"], more={"b": (1.5,)}, data=rt.data.Dataset.range(2))
    assert f.pretty_printed_concrete_signatures(verbose=True).splitlines() == [
        "Input Parameters:",
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(1,), dtype=rt.float32, name=None)",
        "  w (POSITIONAL_OR_KEYWORD): VariableSpec(shape=(), dtype=rt.int32, name=None)",
        "  rest (VAR_POSITIONAL): Tuple[List[TensorSpec(shape=(), dtype=rt.int32, name=None), "
        "Literal['a']]]",
        "  k (KEYWORD_ONLY): Literal[2]",
        "  more (VAR_KEYWORD): Dict[['data', DatasetSpec(element_spec=TensorSpec(shape=(), "
        "dtype=rt.int64, name=None))], ['more', Dict[['b', Tuple[Literal[1.5]]]]]]",
        "Output Type:",
        "  Dict[['sum', TensorSpec(shape=(1,), dtype=rt.float32, name=None)], ['parts', "
        "List[TensorSpec(shape=(), dtype=rt.int32, name=None), Tuple[TensorSpec(shape=(), "
        "dtype=rt.int32, name=None), None]]]]",
        "Captures:",
        "  Variable: VariableSpec(shape=(1,), dtype=rt.float32, name=None)",
        "  capture: TensorSpec(shape=(), dtype=rt.float32, name=None)",
    ]
    assert ag.function(lambda: 1).get_concrete_function().pretty_printed_signature(True) == (
        "Input Parameters:\n  None\nOutput Type:\n  TensorSpec(shape=(), dtype=rt.int32, name=None)"
        "\nCaptures:\n  None"
    )


def test_variables_of_a_concrete_function():
    trained, fixed, tensor = rt.Variable(1.0), rt.Variable(2.0, trainable=False), T(3.0)
    concrete = ag.function(lambda x: x * trained + fixed + tensor).get_concrete_function(T(1.0))
    assert concrete.variables == (trained, fixed)
    assert concrete.trainable_variables == (trained,)
    assert len(concrete.captured_inputs) == 3 and len(concrete.inputs) == 4
    trained.assign(10.0)
    assert float(concrete(T(2.0))) == 25.0


def test_how_a_concrete_function_is_called(function):
    concrete, x = function.get_concrete_function(S([2], rt.float32)), T([1.0, 2.0])
    for result in (
        concrete(x),
        concrete(x=x),
        concrete(x, 3),
        concrete(x, 3, True),
        concrete(x, flag=True),
        concrete([1.0, 2.0]),
        concrete(np.array([1, 2], np.float32)),
        concrete(rt.Variable([1.0, 2.0])),
    ):
        assert result.numpy().tolist() == [3.0, 6.0]


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((T([1, 2]),), {}, "'x' was expected to be a float32 tensor but is an int32 tensor"),
        # TensorFlow runs this, with the shape of the trace where the function asked for it.
        ((T([1.0, 2.0, 3.0]),), {}, r"'x' was expected to have shape \(2,\) but has shape \(3,\)"),
        ((np.array([1.0, 2.0]),), {}, "'x' was expected to be a float32 tensor but is a float64"),
    ],
)
def test_a_tensor_of_another_dtype_or_shape_is_refused(function, args, kwargs, words):
    concrete = function.get_concrete_function(S([2], rt.float32))
    with pytest.raises(InvalidArgumentError, match=f"^times: {words}"):
        concrete(*args, **kwargs)


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((T([1.0, 2.0]), 4), {}, "times was traced with another 'n' than 4"),
        ((T([1.0, 2.0]), 3.0), {}, "times was traced with another 'n' than 3.0"),
        ((T([1.0, 2.0]),), {"q": 4}, "times has no parameter 'q'"),
        ((T([1.0, 2.0]),), {"x": 4}, "times was given 'x' twice"),
        ((T([1.0, 2.0]), 3, True, 4), {}, "times takes 3 arguments here, 4 were given"),
        ((), {}, "times is missing the tensor 'x'"),
    ],
)
def test_wrong_arguments_of_a_concrete_function_are_refused(function, args, kwargs, words):
    concrete = function.get_concrete_function(S([2], rt.float32))
    with pytest.raises(TypeError, match=words) as caught:
        concrete(*args, **kwargs)
    assert isinstance(caught.value, SignatureError)


Pair = collections.namedtuple("Pair", "left right")


def test_results_keep_their_structure():
    def structured():
        return {"a": [1, (2.5, "text")], "n": None, "b": b"x", "p": Pair(True, {"k": T([1])})}

    result = ag.function(structured)()
    assert list(result) == ["a", "n", "b", "p"] and result["n"] is None
    assert isinstance(result["a"], list) and isinstance(result["a"][1], tuple)
    assert isinstance(result["p"], Pair) and list(result["p"].right) == ["k"]
    dtypes = [t.dtype.name for t in rt.nest.flatten(result) if t is not None]
    assert dtypes == ["int32", "float32", "string", "string", "bool", "int32"]


@pytest.mark.parametrize("value", [object(), len, iter([1])])
def test_results_that_are_no_tensors_are_refused(value):
    with pytest.raises(TypeError, match="returned a value of type"):
        ag.function(lambda: value)()
    # TensorFlow refuses a set; ours is the user's own object, and stays it.
    kept = {1}
    assert ag.function(lambda: kept)() is kept


def test_a_returned_variable_becomes_its_value():
    variable = rt.Variable(2.0)
    result = ag.function(lambda: variable)()
    assert isinstance(result, rt.Tensor) and float(result) == 2.0


def test_a_method_without_self_raises_an_error_with_advice():
    class Model:
        @ag.function
        def step(x):
            return x

    with pytest.raises(SignatureError, match=r"x is the object, so write def step\(self, x\)"):
        Model().step(T([1.0]))

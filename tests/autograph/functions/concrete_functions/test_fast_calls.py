"""Short keys distinguish the same calls as trace keys, and find the same traces."""

from __future__ import annotations

import gc
import math
import sys
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from autograph.functions.arguments.short_key import short_key
from autograph.functions.arguments.trace_key import key_of, sharing_of
from runtime.core.mesh import DISTRIBUTION

_ONE_LIST = [1]
_VARIABLE = rt.Variable([1.0, 2.0])
VALUES: list[Any] = [
    *(1, True, 1.0, 0, 0.0, -0.0, False, None, "1", b"1", math.nan, math.inf, 2**70, "", b""),
    *(rt.constant(1), rt.constant([1]), rt.constant(1.0), rt.constant([1.0, 2.0])),
    *(np.float32(1), np.float64(1), np.array([1.0, 2.0]), np.zeros((2, 0), np.int8)),
    *((), [], {}, (1,), [1], {"a": 1}, {"b": 1}, {"a": 1.0}, {"b": 1, "a": 2}, {"a": 2, "b": 1}),
    *((1, (2, 3)), (1, 2, 3), ((1, 2), 3), [[1], 2], [1, [2]], ([1], 2), rt.constant("s")),
    *(_VARIABLE, rt.Variable([1.0, 3.0]), rt.Variable([1.0, 3.0], trainable=False)),
    *(rt.Variable(1), [_VARIABLE], rt.constant(True), np.bool_(True)),
]


def _whole_key(*values: Any) -> Any:
    objects: list[object] = []
    key = tuple([key_of(value, [], objects) for value in values])
    return key + sharing_of(objects)


@pytest.mark.parametrize("x", VALUES, ids=lambda each: type(each).__name__)
def test_short_keys_distinguish_the_same_calls_as_trace_keys(x: Any) -> None:
    for y in VALUES:
        assert (short_key((x,), []) == short_key((y,), [])) == (_whole_key(x) == _whole_key(y))
        one, other = short_key((x, y), []), short_key((y, x), [])
        if one is not None and other is not None:
            assert (one == other) == (_whole_key(x, y) == _whole_key(y, x))


@pytest.mark.parametrize("x", VALUES, ids=lambda each: type(each).__name__)
def test_both_keys_collect_the_same_arrays(x: Any) -> None:
    short: list[Any] = []
    whole: list[Any] = []
    for each in ((1, x), ([x], "a"), (None, {"b": 1, "a": (x,)})):
        assert short_key(each, short) is not None
        for value in each:
            key_of(value, whole, [])
    assert len(short) == len(whole)
    assert all(np.array_equal(one, other) for one, other in zip(short, whole))


def test_an_argument_passed_twice_has_no_short_key() -> None:
    assert short_key((_ONE_LIST, _ONE_LIST), []) is None
    assert short_key((_VARIABLE, [_VARIABLE]), []) is None
    assert short_key((_ONE_LIST, [1]), []) is not None
    endless: list[Any] = [1]
    endless.append({"a": endless})
    assert short_key((endless,), []) is None
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": [deep]}
    assert short_key((deep,), []) is None


@pytest.mark.parametrize(
    "value",
    [
        *(np.array(["a"]), np.array([1.0]).astype(">f4"), np.ma.array([1]), np.datetime64("now")),
        *({1: 2}, {1}, slice(1), len, object(), 1j, rt.TensorSpec([]), np.array([None])),
    ],
    ids=lambda each: type(each).__name__,
)
def test_other_values_have_no_short_key(value: Any) -> None:
    assert short_key((value,), []) is None
    assert short_key(([value], 1), []) is None


def double(x: Any) -> Any:
    return x + x


def test_calls_are_counted_one_by_one() -> None:
    f = ag.function(double)
    for _ in range(5):
        f(rt.constant(1.0))
        f(np.float32(2.0))
        f(3.0)
    assert [10, 5] == [each.calls for each in f.traces.traces()]
    assert 15 == f.traces.calls


def test_an_array_argument_may_be_changed_later() -> None:
    f = ag.function(lambda x: x)
    given = np.zeros(2)
    for _ in range(3):
        got = f(given)
        given += 1
    assert [2.0, 2.0] == got.numpy().tolist()


def test_a_returned_argument_is_a_new_tensor() -> None:
    f = ag.function(lambda x: (x, x, [x]))
    x = rt.constant([1.0])
    f(x)
    arrays = [id(each._array) for each in rt.nest.flatten(f(x))]
    assert id(x._array) not in arrays  # type: ignore[attr-defined]
    assert 3 == len(set(arrays))


def test_a_tape_distinguishes_results_from_arguments() -> None:
    f = ag.function(lambda x: x)
    x = rt.constant(3.0)
    for _ in range(2):
        f(x)
    with rt.GradientTape() as tape:
        y = f(x)
        tape.watch(y)
        z = y * y
    assert tape.gradient(z, x) is None


def test_a_trace_that_is_dropped_is_not_called_by_its_short_key() -> None:
    f = ag.function(double)
    x = rt.constant(1.0)
    for _ in range(2):
        f(x)
    assert f.traces.by_short_key
    (trace,) = f.traces.traces()
    f.traces.forget(trace.key)
    assert not f.traces.by_short_key
    f(x)
    assert 2 == f.experimental_get_tracing_count()


def test_an_input_signature_casts_each_time() -> None:
    f = ag.function(double, input_signature=[rt.TensorSpec([None], rt.float32)])
    for _ in range(3):
        assert rt.float32 is f(np.array([1.0])).dtype
        assert rt.float32 is f(rt.constant([1.0])).dtype
        assert rt.float32 is f([1.0]).dtype
        with pytest.raises(SignatureError):
            f(rt.constant([1]))
    assert 1 == f.experimental_get_tracing_count()


def test_a_concrete_function_refuses_wrong_arguments_each_time() -> None:
    concrete = ag.function(double).get_concrete_function(rt.TensorSpec([None], rt.float32))
    for _ in range(3):
        assert [2.0, 4.0] == concrete(rt.constant([1.0, 2.0])).numpy().tolist()
        assert [2.0] == concrete(np.ones(1, np.float32)).numpy().tolist()
        with pytest.raises(rt.errors.InvalidArgumentError):
            concrete(rt.constant([1]))
        with pytest.raises(rt.errors.InvalidArgumentError):
            concrete(np.ones(1))
    assert 0 == concrete.calls


class Counter:
    """An object with a method of two parameters."""

    def __init__(self) -> None:
        self.count = rt.Variable(0)

    @ag.function
    def step(self, by: Any = 1, *, twice: bool = False) -> Any:
        """Count on."""
        self.count.assign_add(by + by if twice else by)
        return self.count.read_value()


def test_methods_keep_their_names_and_functions() -> None:
    counter = Counter()
    assert "Count on." == counter.step.__doc__
    assert counter.step == counter.step
    assert counter.step.python_function.__self__ is counter
    assert [1, 2, 4, 5] == [
        int(counter.step()),
        int(counter.step(1)),
        int(counter.step(twice=True)),
        int(counter.step(rt.constant(1))),
    ]
    gone = counter.step.traces
    del counter
    gc.collect()
    assert 4 == gone.calls


def test_keywords_and_defaults_bind_as_python_binds_them() -> None:
    f = ag.function(lambda a, /, b=2, *rest, c=3, **others: (a, b, *rest, c, *others.values()))

    def given(*args: Any, **kwargs: Any) -> list[float]:
        return [float(each) for each in f(*args, **kwargs)]

    for _ in range(2):
        assert [1, 2, 3] == given(1)
        assert [1, 5, 3] == given(1, b=5)
        assert [1, 5, 6, 7, 8] == given(1, 5, 6, c=7, d=8)
        assert [1, 2, 3, 9] == given(1, a=9)
        for wrong in (lambda: given(), lambda: given(1, 2, b=3)):
            with pytest.raises(SignatureError):
                wrong()


def positive(x: Any) -> Any:
    assert x > 0, "not positive"
    return x


@pytest.mark.parametrize("way", ["a function", "a concrete function", "two results"])
def test_an_error_has_only_user_frames(way: str) -> None:
    f = ag.function(positive if way != "two results" else lambda x: (positive(x), x))
    call = f.get_concrete_function(rt.constant(1)) if way == "a concrete function" else f
    for _ in range(3):
        call(rt.constant(1))
        with pytest.raises(AssertionError, match="not positive") as caught:
            call(rt.constant(-1))
        files = {str(entry.path) for entry in caught.traceback}
        # Python 3.10 keeps the entry of the frame that raises again what it caught.
        assert __file__ in files and len(files) == 1 + (sys.version_info < (3, 11))


def _calls_made_by(call: Any, x: Any) -> list[str]:
    """Return the names of the functions, of Python and of C, that a later call of one calls."""
    call(x)
    call(x)
    names: list[str] = []

    def profile(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            names.append(frame.f_code.co_name)
        elif event == "c_call":
            names.append(argument.__name__)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call(x)
    finally:
        sys.setprofile(before)
    return names


def test_a_usual_call_looks_up_two_context_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DISTRIBUTION, "is_used", False)
    names = _calls_made_by(ag.function(lambda x: x + x), rt.constant([1.0, 2.0]))
    # The recorder and the tapes; a mesh or replica only where the process has had one.
    assert names.count("get") == 2


def test_a_container_takes_two_calls_of_python_more() -> None:
    names = _calls_made_by(ag.function(lambda xs: xs[0]), [rt.constant(1.0), rt.constant(2.0)])
    assert [name for name in names if "key" in name or "inside" in name or "device" in name] == [
        "short_key",
        "_inside",
        "short_key",
    ]


def test_a_variable_is_not_taken_for_an_array_of_an_engine() -> None:
    names = _calls_made_by(ag.function(lambda v: v + v), rt.Variable([1.0, 2.0]))
    assert not [name for name in names if "device" in name or "known" in name]


def test_the_attributes_that_each_call_reads_are_slots() -> None:
    f = ag.function(lambda x: x)
    assert not {"_plain", "_by_short_key", "_to_device", "_traces"} & vars(f).keys()

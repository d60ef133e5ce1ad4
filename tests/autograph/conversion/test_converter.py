"""The options of converters: recursion, exempt functions, refusals."""

from __future__ import annotations

import functools
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as rt
from autograph.conversion.convert import (
    STANDARD_CONVERTER,
    conversion_reason,
    convert,
    converted,
    do_not_convert,
    is_converted,
    to_graph,
)
from autograph.errors import ConversionError, SourceError
from autograph.operators.frames import code_info_of
from runtime.graph.graph import Graph
from tests.autograph.recorded import recorded


def sample(a: int) -> str:
    if a > 1:
        return "big"
    return "small"


class Holder:
    def method(self, x: int) -> int:
        return x


@convert
def wrapped(n: int) -> int:
    return n


def logged(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def wrapper(*args: Any) -> Any:
        result = fn(*args)
        return ("logged", result, is_converted_frame())

    return wrapper


@logged
def decorated(x: int) -> bool:
    return is_converted_frame() and x > 0


@do_not_convert
def is_converted_frame() -> bool:
    """Tell whether the caller runs as generated code."""
    frame = sys._getframe(1)
    while "autograph" in frame.f_code.co_filename and "tests" not in frame.f_code.co_filename:
        frame = frame.f_back  # type: ignore[assignment]
    return code_info_of(frame.f_code) is not None


def test_a_decorator_and_its_function_both_run_converted() -> None:
    assert ("logged", False, False) == decorated(1)
    assert ("logged", True, True) == recorded(to_graph(decorated), 1)


def helper() -> bool:
    return is_converted_frame()


def calls_helper() -> tuple[bool, bool]:
    return is_converted_frame(), helper()


def test_recursive_decides_about_the_functions_called() -> None:
    assert (True, True) == recorded(to_graph(calls_helper))
    assert (True, False) == recorded(to_graph(calls_helper, recursive=False))


def test_calls_are_not_converted_outside_of_a_trace() -> None:
    assert (True, False) == to_graph(calls_helper)()


@do_not_convert
def exempt() -> tuple[bool, bool]:
    return is_converted_frame(), helper()


@do_not_convert()
def exempt_too() -> bool:
    return is_converted_frame()


def calls_exempt() -> object:
    return exempt(), exempt_too()


@pytest.mark.usefixtures("half")
def test_an_exempt_function_and_its_callees_are_not_converted() -> None:
    assert ((False, False), False) == to_graph(calls_exempt)()
    assert "exempt" == exempt.__name__
    assert not is_converted(exempt)


@pytest.mark.usefixtures("half")
def test_do_not_convert_keeps_methods_methods() -> None:
    class Kinds:
        @do_not_convert
        def method(self) -> object:
            return self, is_converted_frame()

        @do_not_convert
        @staticmethod
        def static() -> bool:
            return is_converted_frame()

        def run(self) -> object:
            return self.method(), self.static()

    it = Kinds()
    assert ((it, False), False) == to_graph(it.run)()


@pytest.mark.usefixtures("half")
def test_converted_generators_and_coroutines_keep_their_kind() -> None:
    @convert
    def stream(n: int) -> Iterator[int]:
        for i in range(n):
            if i % 2:
                yield i

    @convert
    async def wait(x: int) -> int:
        return x + 1

    assert inspect.isgeneratorfunction(stream)
    assert [1, 3] == list(stream(5))
    assert inspect.iscoroutinefunction(wait)
    coroutine = wait(1)
    with pytest.raises(StopIteration) as stop:
        coroutine.send(None)
    assert 2 == stop.value.value


class WithFunction:
    """A callable with the parts of a Function that conversion uses."""

    def __init__(self) -> None:
        self.python_function = sample

    def __call__(self, *args: object) -> str:
        return "graph"


def test_a_callable_object_converts_its_python_function() -> None:
    it = WithFunction()
    assert sample(2) == to_graph(it)(2)
    assert it is convert(it)


def test_a_callable_object_of_a_method_converts_to_a_bound_method() -> None:
    it, holder = WithFunction(), Holder()
    it.python_function = holder.method  # type: ignore[assignment]
    assert 4 == to_graph(it)(4)
    assert is_converted(to_graph(it))


def test_a_trace_converts_all_but_exempt_functions() -> None:
    assert exempt is converted(exempt)
    assert is_converted(converted(helper))
    assert is_converted(converted(Holder().method))
    assert (True, True) == recorded(converted(convert(calls_helper)))


@pytest.mark.usefixtures("half")
def test_class_and_static_methods_convert_before_they_are_bound() -> None:
    assert 3 == to_graph(staticmethod(lambda x: x + 1))(2)
    assert (int, 2) == to_graph(classmethod(lambda cls, x: (cls, x)))(int, 2)


def no_source() -> Callable[[], int]:
    space: dict[str, Any] = {"__name__": "elsewhere"}
    exec(compile("def hidden(): return 1", "<text>", "exec"), space)
    fn: Callable[[], int] = space["hidden"]
    return fn


BAD: list[tuple[object, type[Exception], str]] = [
    (len, ConversionError, "cannot convert `len`: it is not written in Python"),
    ([].append, ConversionError, "not written in Python"),
    (int, ConversionError, "cannot convert `int`: it is a class; convert its methods"),
    (Holder, ConversionError, "it is a class"),
    (3, ConversionError, "cannot convert 3: it is not a function"),
    (None, ConversionError, "cannot convert None: it is not a function"),
    (no_source(), SourceError, "hidden"),
]


@pytest.mark.parametrize(("value", "kind", "message"), BAD, ids=range(len(BAD)))
def test_values_that_cannot_be_converted_are_refused(
    value: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message.replace("(", r"\(")):
        to_graph(value)


def test_a_refusal_is_the_same_each_time_but_not_the_same_object() -> None:
    fn = no_source()
    errors = []
    for _ in range(2):
        with pytest.raises(SourceError) as caught:
            converted(fn)
        errors.append(caught.value)
    assert str(errors[0]) == str(errors[1])
    assert errors[0] is not errors[1]


@pytest.mark.parametrize("value", [int, 3])
def test_do_not_convert_refuses_values_that_are_no_functions(value: object) -> None:
    with pytest.raises(ConversionError, match="do_not_convert takes a function or method"):
        do_not_convert(value)


def test_a_bad_decoration_fails_where_it_is_written() -> None:
    with pytest.raises(ConversionError, match="is a class"):
        convert(Holder)


def test_without_user_requested_the_rules_apply_to_the_function() -> None:
    assert is_converted(STANDARD_CONVERTER.to_graph(textwrap.dedent))
    assert (
        textwrap.dedent(" a")
        == to_graph(textwrap.dedent)(" a")
        == convert(textwrap.dedent, user_requested=False)(" a")
    )


REASONS = [
    (sample, "`sample` is converted: it is Python code of yours"),
    (len, "`len` is left alone: it is not written in Python"),
    (inspect.getsource, "`getsource` is left alone: it is from the standard library"),
    (
        rt.reduce_sum,
        "`reduce_sum` is left alone: it is part of this package, which knows tensors already",
    ),
    (exempt, "`exempt` is left alone: it is marked with `do_not_convert`"),
    (wrapped, "`wrapped` is left alone: it converts itself, by `convert`"),
    (to_graph(sample), "`sample` is left alone: it is converted already"),
    (no_source(), "`hidden` is left alone: its source cannot be found"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "sentence"), REASONS, ids=lambda v: str(v)[:20])
def test_the_reason_is_a_sentence(value: object, sentence: str) -> None:
    assert sentence == conversion_reason(value)


def test_is_converted_recognises_converted_functions() -> None:
    assert is_converted(to_graph(sample))
    assert is_converted(convert(sample))
    assert is_converted(to_graph(Holder().method))
    assert not is_converted(sample)
    assert not is_converted(len)
    assert not is_converted(3)


def test_an_eager_condition_selects_one_branch() -> None:
    assert 3 == int(to_graph(lambda x: x if x > 0 else -x)(rt.constant(-3)))


def test_a_symbolic_condition_stages_both_branches() -> None:
    graph = Graph("probe")
    with graph.recording():
        x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        to_graph(lambda x: x if x > 0 else -x)(x)
    assert ["cond"] == [node.op.name for node in graph.nodes if node.regions]

"""Strict conversion: a statement that stays Python is an error, also in callees."""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ConversionError

IN_CLASS = "a class body runs in its own namespace"


def whole(x: Any) -> Any:
    with contextlib.nullcontext():
        return x * 2 if x > 0 else -x


def kept(x: Any) -> Any:
    class Parts:
        whole = x if x is not None else 0
        halves = {v // 2 for v in (2, 4)}

    return sum(Parts.halves) + Parts.whole


def caller(x: Any) -> Any:
    if x > 0:
        return kept(x)
    return x


def inner_caller(x: Any) -> Any:
    def inner() -> Any:
        return kept(x)

    return inner()


@ag.do_not_convert
def exempt(x: Any) -> Any:
    return [x for _ in range(2)][0]


def modest(x: Any) -> Any:
    json.dumps([1])
    return exempt(x) + len("ab")


class Layer:
    def call(self, x: Any) -> Any:
        return self.parts(x)

    def parts(self, x: Any) -> Any:
        class Negative:
            parts = [-v for v in (x,)]

        return Negative.parts[0]


def line_of(function: Callable[..., Any], below: int) -> int:
    return inspect.getsourcelines(function)[1] + below


def refusal(call: Callable[[], Any]) -> list[str]:
    with pytest.raises(ConversionError) as caught:
        call()
    return str(caught.value).splitlines()


def test_the_error_shows_the_first_kept_part_and_counts_the_others() -> None:
    function = ag.function(kept, strict=True)
    expected = [
        f"strict: this conditional expression stays Python: {IN_CLASS}; "
        f"1 more stays Python (line {line_of(kept, 3)})",
        f"  at {__file__}:{line_of(kept, 2)}, in kept",
        "    whole = x if x is not None else 0",
        "            ^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]
    assert expected == refusal(lambda: function(rt.constant(3)))
    assert expected == refusal(lambda: function(rt.constant(3)))


def test_to_graph_and_convert_refuse_as_well() -> None:
    said = refusal(lambda: ag.to_graph(kept, strict=True))
    assert said == refusal(lambda: ag.convert(strict=True)(kept)(3))
    assert said == refusal(lambda: ag.convert(kept, strict=True)(3))
    assert said == refusal(lambda: ag.function(strict=True)(kept)(rt.constant(3)))
    assert said == refusal(lambda: ag.function(functools.partial(kept, 3), strict=True)())


def test_only_strict_conversion_refuses() -> None:
    refusal(lambda: ag.to_graph(kept, strict=True))
    assert 6 == ag.to_graph(kept)(3)
    assert 6 == int(ag.function(kept)(rt.constant(3)))
    assert 6 == int(ag.function(caller)(rt.constant(3)))


def test_a_completely_converted_function_runs() -> None:
    function = ag.function(whole, strict=True)
    assert [8, 5] == [int(function(rt.constant(v))) for v in (4, -5)]
    assert 8 == ag.to_graph(whole, strict=True)(4) == ag.convert(strict=True)(whole)(4)


@pytest.mark.parametrize("outer", [caller, inner_caller, Layer().call])
def test_functions_that_are_called_are_refused_too(outer: Any) -> None:
    assert outer(5) == int(ag.function(outer)(rt.constant(5)))
    said = refusal(lambda: ag.function(outer, strict=True)(rt.constant(5)))
    assert said[0].startswith("strict: this ")
    name = "parts" if inspect.ismethod(outer) else "kept"
    assert said[1].endswith(f", in {name}")


def test_functions_left_alone_are_not_checked() -> None:
    assert 5 == int(ag.function(modest, strict=True)(rt.constant(3)))


def test_a_function_without_source_is_refused() -> None:
    namespace: dict[str, Any] = {}
    exec("def made(x):\n    return x", namespace)
    assert 3 == int(ag.function(namespace["made"])(rt.constant(3)))
    with pytest.raises(ag.errors.SourceError):
        ag.function(namespace["made"], strict=True)(rt.constant(3))


def test_strict_without_conversion_is_refused() -> None:
    assert ["strict=True asks for a conversion, which autograph=False turns off"] == refusal(
        lambda: ag.function(whole, autograph=False, strict=True)
    )


def test_strict_refuses_exactly_the_parts_explain_lists_as_kept() -> None:
    for function in (whole, kept, caller, inner_caller, modest, Layer.call, Layer.parts):
        if ag.explain(function).kept:
            first = ag.explain(function).kept[0]
            assert f"strict: this {first}" in refusal(lambda: ag.to_graph(function, strict=True))[0]
        else:
            ag.to_graph(function, strict=True)

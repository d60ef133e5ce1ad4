"""Functions that raise; pytest does not rewrite their assertions."""

from __future__ import annotations

import sys
from typing import Any

import runtime as rt


class Located(ValueError):
    def __init__(self, what: str, value: Any) -> None:
        super().__init__(what)
        self.value = value


class Detail:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Detail of {self.value}"


def with_values(x):
    if x > 0:
        raise Located("bad", [x, x + 1])
    return x


def from_another(x):
    if x > 0:
        try:
            raise KeyError("inner", x)
        except KeyError as inner:
            raise ValueError("outer", {"x": x}) from inner
    return x


def during_another(x):
    try:
        raise KeyError("inner")
    except KeyError:
        if x > 0:
            raise ValueError("outer", x)  # noqa: B904
    return x


def raised_again(x):
    try:
        raise KeyError("inner", x)
    except KeyError:
        if x > 0:
            raise
    return x


def in_a_loop(x):
    i = 0
    while i < x:
        if i * i > 5:
            raise ValueError("square", i, x)
        i += 1
    return i


def helper(y):
    if y > 3:
        raise ValueError("helper", y)
    return y


def in_a_helper(x):
    return helper(x + 1) * 2


def leaves(x):
    if x > 0:
        sys.exit(4)
    return x


def interrupts(x):
    if x > 0:
        raise KeyboardInterrupt("stop", x)
    return x


def of_the_runtime(x):
    if x > 0:
        raise rt.errors.OutOfRangeError("no more")
    return x


def unreachable(x):
    if x > 0:
        raise ValueError("positive")
        x = "never"
    return x


def asserts(x):
    assert x < 1
    return x


def asserts_with_value(x):
    assert x < 1, x + 1
    return x


def asserts_with_helper(x):
    assert x < 1, helper(x)
    return x


def with_an_object(x):
    if x > 0:
        detail = Detail(x)
        raise ValueError(detail, {"inside": [Detail([detail, x + 1])]})
    return x


def with_an_object_in_an_attribute(x):
    if x > 0:
        raise Located("bad", Detail(x * 2))
    return x


def with_an_object_again(x):
    try:
        if x > 0:
            raise Located("bad", Detail(x))
    except Located:
        raise
    return x


def with_an_object_in_a_loop(x):
    for i in range(x):
        if i > 2:
            raise ValueError(Detail(i))
    return x


def asserted_by_helpers(x):
    return asserts(x) + 1


def asserted_in_a_loop(x):
    for i in range(x + 1):
        if i > 3:
            x = asserted_by_helpers(x) + asserts_with_value(x)
    return x


def asserted_past_a_handler(x):
    try:
        y = asserted_by_helpers(x)
    except KeyError:
        y = x
    return y


def asserted_and_raised_again(x):
    try:
        y = asserts_with_value(x)
    except AssertionError:
        raise
    return y


def bare_from_a_helper(x):
    try:
        y = in_a_helper(x)
    except ValueError:
        if x > 3:
            raise
        y = x
    except (KeyError, TypeError):
        raise
    return y


def bare_in_a_handler(x):
    try:
        y = in_a_helper(x)
    except ValueError:
        try:
            y = in_a_helper(x + 1)
        except ValueError:
            y = x
        raise
    return y


def quotient(x, y):
    return x // y


def divides_in_a_helper(x):
    for i in range(x):
        if i > 1:
            x = x + quotient(x, i - 3)
    return x


def picks_in_a_helper(x):
    return pick(rt.constant([4, 5]), x) - 4


def pick(values, at):
    return values[at]


def gathers_in_a_function_given(x):
    at = rt.map_fn(lambda i: rt.gather(rt.constant([4, 5]), i), rt.stack([x, x]))
    return at[0] - 4


def checks_in_a_helper(x):
    return checked(x) + 1


def checked(x):
    rt.debugging.assert_less(x, 2)
    return x


FUNCTIONS = [
    asserted_by_helpers, asserted_in_a_loop, asserted_past_a_handler, asserted_and_raised_again,
    bare_from_a_helper, bare_in_a_handler,
    with_values, from_another, during_another, raised_again, in_a_loop, in_a_helper, leaves,
    interrupts, of_the_runtime, unreachable, asserts, asserts_with_value, asserts_with_helper,
    with_an_object, with_an_object_in_an_attribute, with_an_object_again, with_an_object_in_a_loop,
]  # fmt: skip

OF_OPS = [
    divides_in_a_helper, picks_in_a_helper, gathers_in_a_function_given, checks_in_a_helper,
]  # fmt: skip

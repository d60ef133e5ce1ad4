# ruff: noqa: C417  `map` is among what is tested.
"""Every builtin of Python in staged code, on a table of arguments, against the same call eagerly.

Each expression is staged twice: with shapes known while tracing, and with vectors of any length.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.suite_length import sample

VECTORS = [[3, -1, 2], [5], [0, 0], [2, 9, 9, -4]]
FLOATS = [[1.5, -2.5, 0.5], [0.0], [math.nan, 1.0], [1.0, math.nan, 3.0, 3.0]]
NUMBERS = [0, 7, -7]
REALS = [0.0, 2.5, -1.5, 3.5, 0.125, 1e6]

OF_A_VECTOR = {
    "sum": lambda v: sum(v),
    "sum from": lambda v: sum(v, 10),
    "sum by keyword": lambda v: sum(v, start=v[0]),
    "max": lambda v: max(v),
    "min": lambda v: min(v),
    "max by key": lambda v: max(v, key=lambda x: -x),
    "min by key": lambda v: min(v, key=abs),
    "max or else": lambda v: max(v, default=7),
    "any": lambda v: any(v),
    "all": lambda v: all(v),
    "any of mapped": lambda v: any(map(lambda x: x > 2, v)),
    "all of mapped": lambda v: all(map(lambda x: x > -9, v)),
    "sum of mapped": lambda v: sum(map(lambda x: x * x, v)),
    "max of mapped": lambda v: max(map(abs, v)),
    "len": lambda v: len(v),
    "number of numbers": lambda v: len(range(v[0])),
    "first": lambda v: next(iter(v)),
    "second or else": lambda v: (lambda it: (next(it), next(it, 42)))(iter(v))[1],
    "max of a list": lambda v: max([v[0], 2, v[-1]]),
    "min of many": lambda v: min(v[0], 1, v[-1]),
    "sum of a list": lambda v: sum([v[0], v[-1], 1]),
    "sum of a generator": lambda v: sum(v[0] * k for k in range(3)),
    "max of a generator": lambda v: max(v[0] * k for k in range(-1, 2)),
    "any of a list": lambda v: any([v[0] > 5, False, v[-1] < 0]),
    "all of a generator": lambda v: all(x > 1 for x in [v[0], v[-1]]),
    "sorted list": lambda v: sorted([v[0], v[-1], 1]),
    "sorted by key": lambda v: sorted([v[0], v[-1], 1], key=lambda x: -x),
    "sorted pairs": lambda v: sorted([(v[0], 1), (v[-1], 2)], key=lambda p: p[0], reverse=True),
    "best pair": lambda v: max([(v[0], 1), (v[-1], 2)], key=lambda p: p[0]),
}

OF_KNOWN_LENGTH = {
    "sorted": lambda v: sorted(v),
    "sorted reverse": lambda v: sorted(v, reverse=True),
    "sorted vector by key": lambda v: sorted(v, key=lambda x: -x),
    "list": lambda v: list(v),
    "tuple": lambda v: tuple(v),
    "reversed": lambda v: list(reversed(v)),
    "enumerate": lambda v: list(enumerate(v, 3)),
    "enumerate from a tensor": lambda v: list(enumerate(v, start=v[0])),
    "zip": lambda v: list(zip(v, v * 2)),
    "zip strictly": lambda v: list(zip(v, v, strict=True)),
    "zip with objects": lambda v: dict(zip("abcd", v)),
    "map": lambda v: list(map(lambda x: x + 1, v)),
    "map over two": lambda v: tuple(map(lambda x, y: x - y, v, reversed(v))),
    "nested": lambda v: list(enumerate(zip(v, map(abs, v)))),
    "pairs": lambda v: (lambda it: list(zip(it, it)))(iter(v)),
    "unpacked": lambda v: (lambda first, *rest: (first, rest))(*v),
    "starred": lambda v: [*v, *v],
}

OF_TWO_NUMBERS = {
    "divmod": lambda x, y: divmod(x, y),
    "divmod of Python's": lambda x, y: divmod(100, y),
    "pow": lambda x, y: pow(x, 2),
    "pow modulo": lambda x, y: pow(x, 3, y),
    "max": lambda x, y: max(x, y),
    "min": lambda x, y: min(x, y, 1),
    "max by key": lambda x, y: max(x, y, key=lambda v: v * v),
    "round down": lambda x, y: round(x, -1),
    "range": lambda x, y: len(range(x, y)),
    "item of a range": lambda x, y: range(0, 100 + y, 3)[4],
}

OF_A_NUMBER = {
    "abs": lambda x: abs(x),
    "int": lambda x: int(x),
    "float": lambda x: float(x),
    "bool": lambda x: bool(x),
    "round": lambda x: round(x),
    "round to digits": lambda x: round(x, 1),
    "complex": lambda x: complex(x, 2.0),
    "sum with a float": lambda x: float(x) + 1.0,
    "is an int": lambda x: isinstance(x, (int, float)),
    "is a tensor": lambda x: isinstance(x, rt.Tensor),
    "an int is one": lambda x: isinstance(int(x), int) and not isinstance(int(x), float),
    "max with an int": lambda x: max(x, 1),
}


def staged_and_eager(function, *values, vague=False):
    tensors = [rt.constant(value) for value in values]
    specs = [rt.TensorSpec([None] if t.ndim else [], t.dtype) for t in tensors]
    staged = ag.function(function, input_signature=specs if vague else None)
    return plain(staged(*tensors)), plain(function(*tensors))


def plain(value):
    """Return a result as Python numbers; bools stay apart from ints."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(plain(each) for each in value)
    array = np.asarray(value)
    if array.dtype.kind == "f":
        array = array.astype(np.float32)
    return [str(each) if each != each else each for each in array.ravel().tolist()]


@pytest.mark.parametrize("vague", [False, True])
@pytest.mark.parametrize("values", VECTORS)
@pytest.mark.parametrize("name", sample([*OF_A_VECTOR], 2))
def test_builtins_of_a_vector_of_ints(name, values, vague):
    staged, eager = staged_and_eager(OF_A_VECTOR[name], values, vague=vague)
    assert eager == staged


@pytest.mark.parametrize("vague", [False, True])
@pytest.mark.parametrize("values", FLOATS)
@pytest.mark.parametrize("name", sample([n for n in OF_A_VECTOR if n != "number of numbers"], 3))
def test_builtins_of_a_vector_of_floats(name, values, vague):
    staged, eager = staged_and_eager(OF_A_VECTOR[name], values, vague=vague)
    assert eager == staged


@pytest.mark.parametrize("values", [*VECTORS, FLOATS[0]])
@pytest.mark.parametrize("name", OF_KNOWN_LENGTH)
def test_builtins_of_a_vector_of_known_length(name, values):
    function = OF_KNOWN_LENGTH[name]
    if name == "enumerate from a tensor" and isinstance(values[0], float):
        return
    staged, eager = staged_and_eager(function, values)
    assert eager == staged


LISTS = {
    "sorted": lambda v: sorted(v),
    "sorted by key": lambda v: sorted(v, key=lambda x: x * x, reverse=True),
    "list": lambda v: list(v),
    "reversed": lambda v: list(reversed(v)),
    "enumerate": lambda v: list(enumerate(v, 3)),
    "zip": lambda v: list(zip(v, v * 2)),
    "map": lambda v: list(map(lambda x: x + 1, v)),
    "filter": lambda v: list(filter(lambda x: x > 1, v)),
    "filter mapped": lambda v: list(filter(lambda x: x > 1, map(lambda x: x * x - 3, v))),
    "sorted filtered": lambda v: sorted(filter(lambda x: x > 0, v)),
    "nested": lambda v: list(enumerate(zip(v, map(abs, v)))),
    "of a range": lambda v: list(range(v[0])),
}


@pytest.mark.parametrize("values", [*VECTORS, []])
@pytest.mark.parametrize("name", LISTS)
def test_builtins_of_lists_of_unknown_length(name, values):
    if not values and name == "of a range":
        return
    tensor = rt.constant(values, rt.int32)
    staged = ag.function(LISTS[name], input_signature=[rt.TensorSpec([None], rt.int32)])
    assert plain(LISTS[name](tensor)) == plain(staged(tensor))


@pytest.mark.parametrize("y", [3, -4])
@pytest.mark.parametrize("x", NUMBERS)
@pytest.mark.parametrize("name", OF_TWO_NUMBERS)
def test_builtins_of_two_numbers(name, x, y):
    staged, eager = staged_and_eager(OF_TWO_NUMBERS[name], x, y)
    assert eager == staged


@pytest.mark.parametrize("x", REALS)
@pytest.mark.parametrize("name", OF_A_NUMBER)
def test_builtins_of_a_number(name, x):
    staged, eager = staged_and_eager(OF_A_NUMBER[name], x)
    assert eager == staged

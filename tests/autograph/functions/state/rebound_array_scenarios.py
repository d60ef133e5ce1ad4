"""State scenarios: calls assign new arrays to attributes, items and variables."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from tests.autograph.functions.state.given_array_scenarios import Scenario, given, known


@known
def rebound_or_changed() -> Scenario:
    t = SimpleNamespace()
    t.n = np.zeros(2)

    def f(x):
        if x > 2:
            t.n = t.n + 1
        else:
            t.n[0] += x
        return x * t.n[0]

    return f, t


@given
def rebound_and_changed() -> Scenario:
    t = SimpleNamespace()
    t.n = np.zeros(2)

    def f(x):
        t.n = t.n + 1
        t.n[1] += t.n[0]
        return x * t.n[1]

    return f, t


@known
def rebound_in_every_other_call() -> Scenario:
    t = SimpleNamespace()
    t.n = np.zeros(2)
    t.k = 0

    def f(x):
        t.k += 1
        if t.k % 2:
            t.n = t.n * 2
        t.n[1] += 1
        return x * t.n[1]

    return f, t


@known
def two_attributes_that_are_one_array() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2)
    t.b = t.a

    def f(x):
        t.a = t.a + 1
        t.b = t.a
        t.b[0] += 1
        return x * t.a[0]

    return f, t


@known
def a_variable_rebound() -> Scenario:
    n = np.zeros(2)
    st = [0]

    def f(x):
        nonlocal n
        n = n * 0.5 + x
        st[0] = n
        return x * n[0]

    return f, st


@known
def the_previous_array_stored() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2)
    t.old = None

    def f(x):
        t.old = t.a
        t.a = t.a + 1
        return x * (t.a - t.old)[0] + t.old[1]

    return f, t


@given
def a_tuple_of_arrays() -> Scenario:
    t = SimpleNamespace()
    t.s = (np.zeros(2), np.ones(1))

    def f(x):
        a, b = t.s
        t.s = (a + 1, b * 2)
        return x * t.s[0][0] + t.s[1][0]

    return f, t


@given
def a_dict_of_arrays() -> Scenario:
    d = {"a": np.zeros(2), "b": np.ones(1)}

    def f(x):
        d["a"] = d["a"] + d["b"]
        d["b"] = d["b"] * 2
        return x * d["a"][0] + d["b"][0]

    return f, d


@known
def a_list_of_arrays() -> Scenario:
    d = [np.zeros(2), np.ones(1)]

    def f(x):
        d[0] = d[0] + d[1]
        d[1] = d[1] * 2
        return x * d[0][0] + d[1][0]

    return f, d


@known
def a_list_that_gets_arrays() -> Scenario:
    d = []

    def f(x):
        d.append(np.full(2, len(d)))
        return x * len(d) + d[-1][0]

    return f, d


@known
def an_attribute_that_changes_its_dtype() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2, np.int32)

    def f(x):
        t.a = t.a + 0.5
        return x * t.a[0]

    return f, t


@known
def an_array_that_becomes_a_tensor() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2, np.float32)

    def f(x):
        t.a = t.a + x
        return x * t.a[0]

    return f, t


@known
def scalars() -> Scenario:
    t = SimpleNamespace()
    t.m = np.float32(0)
    t.c = np.int64(0)

    def f(x):
        t.c += 1
        t.m = np.float32(t.m + t.c * 0.5)
        return x + t.m

    return f, t


@known
def a_truth_value() -> Scenario:
    t = SimpleNamespace()
    t.m = np.bool_(False)

    def f(x):
        t.m = ~t.m
        return x + (1 if t.m else 2)

    return f, t


@given
def a_field_of_a_dataclass() -> Scenario:
    @dataclass
    class S:
        a: object
        b: object

    s = S(np.zeros(2), 0)

    def f(x):
        s.a = s.a * 2 + 1
        s.b += 1
        return x + s.a[0] + s.b

    return f, s


@known
def two_attributes_swapped() -> Scenario:
    t = SimpleNamespace()
    t.cur = np.zeros(2)
    t.nxt = np.ones(2)

    def f(x):
        t.nxt[:] = t.cur + 1
        t.cur, t.nxt = t.nxt, t.cur
        return x + t.cur[0]

    return f, t


@known
def one_array_and_then_two() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2)
    t.b = t.a
    t.k = 0

    def f(x):
        t.a = t.a + 1
        if t.k == 0:
            t.b = t.a
        t.k += 1
        t.b[0] += 10
        return x * t.a[0] + t.b[0]

    return f, t


@given
def one_changed_and_one_rebound() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(2)
    t.b = np.ones(2)

    def f(x):
        t.a[0] += 1
        t.b = t.b * 2
        if x > 2:
            t.b = t.b + 1
        return x * t.a[0] + t.b[0]

    return f, t


@known
def a_view_in_an_attribute() -> Scenario:
    t = SimpleNamespace()
    t.a = np.zeros(4)
    t.b = t.a[1:3]

    def f(x):
        t.b[0] += 1
        t.a = t.a * 1
        return x * t.a[1] + t.b[0]

    return f, t


@known
def changed_through_another_name() -> Scenario:
    n = np.zeros(2)
    t = SimpleNamespace()
    t.a = None

    def f(x):
        n[0] += 1
        t.a = n
        t.a[1] += 2
        return x * t.a[1] + n[0]

    return f, (n, t)

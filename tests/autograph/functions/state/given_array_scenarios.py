"""State scenarios: calls change outer arrays; each maker returns a function and its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt

Scenario = tuple[Callable[[Any], object], object]
# One trace serves all calls.
INPUTS: dict[str, Callable[[], Scenario]] = {}
# Python has to know what is in the array: there is a trace for each content.
KNOWN: dict[str, Callable[[], Scenario]] = {}
G = np.zeros(2)


def given(make: Callable[[], Scenario]) -> Callable[[], Scenario]:
    INPUTS[make.__name__] = make
    return make


def known(make: Callable[[], Scenario]) -> Callable[[], Scenario]:
    KNOWN[make.__name__] = make
    return make


@given
def a_counter() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        return x + n[0]

    return f, n


@given
def a_float_counter() -> Scenario:
    n = np.zeros(2)

    def f(x):
        n[1] += 0.5
        return x * n[1]

    return f, n


@given
def added_to_as_a_whole() -> Scenario:
    n = np.zeros(3, np.float32)

    def f(x):
        nonlocal_ = n
        nonlocal_ += 1
        return x + n.sum()

    return f, n


@given
def an_attribute() -> Scenario:
    class T:
        def __init__(self):
            self.hist = np.zeros(4, int)

        def step(self, x):
            self.hist[2] += 1
            return x + self.hist[2]

    t = T()
    return t.step, t.hist


@given
def an_array_without_axes() -> Scenario:
    n = np.array(0)

    def f(x):
        n[...] = n + 1
        return x + n

    return f, n


@given
def changed_on_a_path() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        if x > 1:
            n[0] += 1
        return x + n[0]

    return f, n


@given
def written_only() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        return x

    return f, n


@given
def a_tensor_stored() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[1] = x
        return x + n[1]

    return f, n


@given
def a_place_counted_in_a_list() -> Scenario:
    n = np.zeros(8)
    i = [0]

    def f(x):
        n[i[0]] = x
        i[0] += 1
        return x + n.sum()

    return f, n


@given
def a_place_counted_in_an_array() -> Scenario:
    n = np.zeros(8)
    i = np.zeros((), int)

    def f(x):
        n[int(i)] = 3.0
        i[...] = i + 1
        return x + n.sum()

    return f, n


@given
def a_condition_on_it() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        if n[0] > 2:
            return x * 2
        return x + n[0]

    return f, n


@given
def shifted() -> Scenario:
    n = np.zeros(4)

    def f(x):
        n[1:] = n[:-1]
        n[0] += 1
        return x + n.sum()

    return f, n


@given
def filled() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n.fill(n[0] + 1)
        return x + n[2]

    return f, n


@given
def an_out_argument() -> Scenario:
    n = np.zeros(4)

    def f(x):
        np.add(n, 1, out=n)
        return x + n.sum()

    return f, n


@given
def in_a_dict() -> Scenario:
    d = {"n": np.zeros(1, int)}

    def f(x):
        d["n"][0] += 1
        return x + d["n"][0]

    return f, d


@given
def in_a_loop_of_python() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        for i in range(3):
            n[0] += i
        return x + n[0]

    return f, n


@given
def in_a_staged_loop() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        i = 0.0
        while i < x:
            n[0] += 1
            i += 1
        return x + n[0]

    return f, n


@given
def changed_by_a_helper() -> Scenario:
    n = np.zeros(2, int)

    def bump(a):
        a[0] += 1

    def f(x):
        bump(n)
        return x + n[0]

    return f, n


@given
def a_ring_of_rows() -> Scenario:
    ring = np.zeros((4, 2))
    pos = np.zeros(1, np.int64)

    def f(x):
        ring[pos[0] % 4] = [1, 2]
        pos[0] += 1
        return x + ring.sum()

    return f, ring


@given
def an_attribute_rebound() -> Scenario:
    class T:
        def __init__(self):
            self.n = np.zeros(2)

        def step(self, x):
            self.n = self.n + 1
            return x + self.n[0]

    t = T()
    return t.step, t


@given
def a_global() -> Scenario:
    G[:] = 0

    def f(x):
        G[0] += 1
        return x * G[0]

    return f, G


@given
def summed_as_a_tensor() -> Scenario:
    n = np.zeros(2, np.float32)

    def f(x):
        n[0] += 2
        return x + rt.reduce_sum(n)

    return f, n


@given
def stacked() -> Scenario:
    n = np.zeros(2, np.float32)

    def f(x):
        n[0] += 2
        return x + rt.reduce_sum(rt.stack([n, n]))

    return f, n


@given
def a_view_from_outside() -> Scenario:
    n = np.zeros(4)
    v = n[1:3]

    def f(x):
        v[0] += 1
        n[3] += v[0]
        return x + n.sum()

    return f, n


@given
def one_that_is_a_view() -> Scenario:
    n = np.arange(6.0).reshape(2, 3)

    def f(x):
        n[1] += 1
        return x + n[1, 2]

    return f, n


@given
def two_rows() -> Scenario:
    n = np.zeros((2, 2))
    a, b = n

    def f(x):
        a[0] += 1
        b[1] += a[0]
        return x + b[1] + a[0]

    return f, n


@given
def two_names() -> Scenario:
    n = np.zeros(2)
    m = n

    class T:
        pass

    t = T()
    t.n = n

    def f(x):
        m[0] += 1
        t.n[0] *= 2
        return x + n[0]

    return f, n


@given
def arrays_in_a_list() -> Scenario:
    l = [np.zeros(2), np.ones(2)]

    def f(x):
        l[0][0] += 1
        l[1] += l[0]
        return x + l[1][0]

    return f, l

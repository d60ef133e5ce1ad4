"""State scenarios: outer arrays that calls change, and whose elements Python knows."""

from __future__ import annotations

from collections import deque

import numpy as np

import autograph as ag
import runtime as rt
from tests.autograph.functions.state.given_array_scenarios import G, Scenario, known


@ag.do_not_convert
def second_of_global() -> float:
    return float(G[1])


@known
def read_by_unconverted_code() -> Scenario:
    n = np.zeros(2)

    @ag.do_not_convert
    def peek():
        return float(n[0])

    def f(x):
        n[0] += 1
        return x * peek()

    return f, n


@known
def a_view_read_by_unconverted_code() -> Scenario:
    n = np.zeros(4)
    v = n[1:3]

    class H:
        def __init__(self):
            self.v = v

    h = H()

    @ag.do_not_convert
    def peek(o):
        return float(o.v[0])

    def f(x):
        n[1] += 1
        return x * peek(h)

    return f, n


@known
def a_global_read_by_unconverted_code() -> Scenario:
    G[:] = 0

    def f(x):
        G[1] += 1
        return x * second_of_global()

    return f, G


@known
def an_element_stored() -> Scenario:
    n = np.zeros(1, int)

    class T:
        pass

    t = T()
    t.last = 0

    def f(x):
        n[0] += 1
        t.last = n[0]
        return x

    return f, t


@known
def a_copy_stored() -> Scenario:
    n = np.zeros(2)

    class T:
        pass

    t = T()
    t.last = None

    def f(x):
        n[0] += 1
        t.last = n.copy()
        return x

    return f, t


@known
def stored_under_another_name() -> Scenario:
    n = np.zeros(2)

    class T:
        pass

    t = T()
    t.last = None

    def f(x):
        n[0] += 1
        t.last = n
        return x

    return f, t


@known
def a_list_as_long() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        l = [x] * int(n[0])
        return rt.add_n(l)

    return f, n


@known
def a_key_of_a_dict() -> Scenario:
    n = np.zeros(1, int)
    d = {}

    def f(x):
        n[0] += 1
        d[int(n[0])] = x
        return x + len(d)

    return f, d


@known
def its_text() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[1] += 1
        s = str(n)
        return x + len(s)

    return f, n


@known
def dtype_and_itemsize_read() -> Scenario:
    n = np.array([0.0, 3.0, 1.0])

    def f(x):
        n[0] += 1
        return x + (1 if n.dtype == np.float64 else 2) + (n.itemsize)

    return f, n


@known
def swapped_in_a_list() -> Scenario:
    l = [np.zeros(2), np.ones(2)]

    def f(x):
        l[0], l[1] = l[1], l[0]
        l[0][0] += 1
        return x + l[0][0]

    return f, l


@known
def rotated_in_a_deque() -> Scenario:

    d = deque([np.zeros(1), np.ones(1)])

    def f(x):
        d.rotate(1)
        d[0][0] += 1
        return x + d[0][0]

    return f, d


@known
def of_objects() -> Scenario:
    n = np.array([0, None], object)

    def f(x):
        n[0] += 1
        return x + n[0]

    return f, n


@known
def of_records() -> Scenario:
    n = np.zeros(1, [("a", int)])

    def f(x):
        n["a"][0] += 1
        return x + n["a"][0]

    return f, n


@known
def in_memory_of_a_buffer() -> Scenario:
    n = np.frombuffer(bytearray(16), np.int64)

    def f(x):
        n[0] += 1
        return x + n[0]

    return f, n


@known
def an_attribute_that_grows() -> Scenario:
    class T:
        def __init__(self):
            self.n = np.zeros(0)

        def step(self, x):
            self.n = np.append(self.n, 1.0)
            return x + len(self.n)

    t = T()
    return t.step, t


@known
def a_view_of_bytes() -> Scenario:
    b = bytearray(4)
    m = memoryview(b)

    def f(x):
        m[0] += 1
        return x + m[0]

    return f, b


@known
def bytes_that_count() -> Scenario:
    b = bytearray(2)

    def f(x):
        b[0] += 1
        return x + b[0]

    return f, b


@known
def a_scalar_rebound() -> Scenario:
    class T:
        def __init__(self):
            self.n = np.int64(0)

        def step(self, x):
            self.n = self.n + 1
            return x + float(self.n)

    t = T()
    return t.step, t

"""State scenarios: calls change outer arrays and use them in many ways."""

from __future__ import annotations

import numpy as np

import autograph as ag
import runtime as rt
from tests.autograph.functions.state.given_array_scenarios import Scenario, given


@given
def functions_of_numpy() -> Scenario:
    n = np.zeros(2, np.float64)

    def f(x):
        n[0] += 2
        return x + np.sum(n) + np.max(n) + np.mean(n)

    return f, n


@given
def beside_a_tensor() -> Scenario:
    n = np.ones(2, np.float32)

    def f(x):
        n[0] += 2
        y = x * n
        return rt.reduce_sum(y)

    return f, n


@given
def converted_to_a_tensor() -> Scenario:
    n = np.ones(2, np.float32)

    def f(x):
        n[0] += 2
        y = rt.constant(n) * x
        return y[0]

    return f, n


@given
def arrays_in_a_tuple() -> Scenario:
    l = (np.zeros(2), np.ones(2))

    def f(x):
        l[0][0] += 1
        return x + l[0][0] + l[1][0]

    return f, l


@given
def small_numbers_that_wrap() -> Scenario:
    n = np.array([125], np.int8)

    def f(x):
        n[0] += np.int8(1)
        return x + n[0]

    return f, n


@given
def truth_values() -> Scenario:
    n = np.zeros(4, bool)

    def f(x):
        n[n.sum() % 4] = True
        return x + n.sum()

    return f, n


@given
def complex_numbers() -> Scenario:
    n = np.zeros(1, complex)

    def f(x):
        n[0] += 1j
        return x + n.imag[0]

    return f, n


@given
def columns_first() -> Scenario:
    n = np.zeros((2, 3), order="F")

    def f(x):
        n[1, 2] += 3
        n.T[0, 0] += 1
        return x + n.sum() + n.flat[5]

    return f, n


@given
def range_of_an_element() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        t = 0.0
        for _ in range(n[0]):
            t = t + x
        return t

    return f, n


@given
def gone_over() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[1] += 1
        t = x
        for v in n:
            t = t + v
        return t

    return f, n


@given
def iterated_and_changed() -> Scenario:
    n = np.zeros(3)

    def f(x):
        for i, v in enumerate(n):
            n[i] = v + i
        return x + n[2]

    return f, n


@given
def none_or_an_element() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[0] += 1
        best = None
        if n[0] > 1:
            best = n[0]
        return x if best is None else x + best

    return f, n


@given
def a_while_on_it() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        k = 0
        while k < n[0]:
            k += 1
            x = x + 1
        return x

    return f, n


@given
def an_early_return() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        if n[0] % 2:
            return x
        n[0] += 10
        return -x

    return f, n


@given
def changed_in_a_handler() -> Scenario:
    n = np.zeros(1, int)

    def f(x):
        n[0] += 1
        try:
            if x > 2:
                raise ValueError("a")
        except ValueError:
            n[0] += 100
        return x + n[0]

    return f, n


@given
def where() -> Scenario:
    n = np.array([0.0, 3.0, 1.0])

    def f(x):
        n[:] = np.where(n > 2, n - 1, n + 1)
        return x + n[0]

    return f, n


@given
def rolled() -> Scenario:
    n = np.array([0.0, 3.0, 1.0])

    def f(x):
        n[:] = np.roll(n, 1)
        return x + n[0]

    return f, n


@given
def as_a_list() -> Scenario:
    n = np.array([0.0, 3.0, 1.0])

    def f(x):
        n[0] += 1
        return x + sum(n.tolist())

    return f, n


@given
def without_elements() -> Scenario:
    n = np.zeros((0, 2))

    def f(x):
        n[:] = 1
        return x + len(n)

    return f, n


@given
def changed_by_a_function_inside() -> Scenario:
    n = np.zeros(1, int)

    @ag.function
    def inner(y):
        n[0] += 1
        return y + n[0]

    def f(x):
        return inner(x) + inner(x)

    return f, n


@given
def changed_by_both() -> Scenario:
    n = np.zeros(2)

    @ag.function
    def inner(y):
        n[1] = y
        return y + n[0]

    def f(x):
        n[0] += x
        return inner(x) + n[1]

    return f, n


@given
def read_by_a_generator() -> Scenario:
    n = np.zeros(3)

    def g():
        for i in range(3):
            yield n[i]

    def f(x):
        n[1] += 1
        for v in g():
            x = x + v
        return x

    return f, n


@given
def a_confusion_matrix() -> Scenario:
    class M:
        def __init__(self):
            self.cm = np.zeros((2, 2), int)

        def update(self, a, b):
            self.cm[a, b] += 1

        def acc(self):
            return np.trace(self.cm) / self.cm.sum()

    m = M()

    def f(x):
        m.update(int(x) % 2, 0)
        return x + m.acc()

    return f, m.cm


@given
def any_and_all() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[1] += 1
        if n.any() and not (n > 3).all():
            x = x + 1
        return x

    return f, n


@given
def looked_for() -> Scenario:
    n = np.zeros(3)

    def f(x):
        n[1] += 1
        return x + (5 if 2 in n else 1)

    return f, n


@given
def copied_by_a_helper() -> Scenario:
    n = np.zeros(3)

    def bump(a):
        a = a.copy()
        a[0] += 5
        return a

    def f(x):
        n[1] += 1
        b = bump(n)
        return x + b[0] + n[0]

    return f, n


@given
def the_place_of_the_largest() -> Scenario:
    n = np.array([0.0, 3.0, 1.0])

    def f(x):
        n[0] += 2
        return x + int(n.argmax())

    return f, n

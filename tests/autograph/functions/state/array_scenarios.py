"""State scenarios: outer arrays and bytes that functions change in place."""

from __future__ import annotations

import array
from types import SimpleNamespace

import numpy as np

import runtime as rt
from tests.autograph.functions.state.state_scenarios import scenario, t

CALLS = [(t(3.0),), (t(1.0),), (t(7.0),), (t(2.0),)]
TRAINED = [(t(3.0), True), (t(1.0), False), (t(7.0), True), (t(2.0), False), (t(5.0), True)]
HISTOGRAM = np.zeros(3, np.int64)


@scenario
def counts_in_an_array():
    counts = np.zeros(3)

    def f(x):
        counts[0] += 1
        return x * counts[0]

    return f, counts, [*CALLS, lambda: counts.fill(4.0), *CALLS]


@scenario
def counts_in_an_array_that_is_not_read():
    counts = np.zeros(3, np.int64)

    def f(x):
        counts[1] += 1
        return x

    return f, counts, CALLS


@scenario
def an_array_of_a_module():
    HISTOGRAM[:] = 0

    def f(x):
        HISTOGRAM[HISTOGRAM.sum() % 3] += 1
        return x + float(HISTOGRAM[0])

    return f, HISTOGRAM, CALLS


@scenario
def an_array_of_an_object():
    class Meter:
        def __init__(self):
            self.counts = np.zeros((2, 2))

        def step(self, x):
            self.counts[1] += [1.0, 2.0]
            return x * float(self.counts[1, 1])

    meter = Meter()
    return meter.step, meter, CALLS


@scenario
def arrays_deep_inside():
    d = {"rows": [np.zeros(2)], "pair": (np.ones(2), 1)}

    def f(x):
        d["rows"][0][1] += 1
        d["pair"][0][:] = d["rows"][0] * 2
        return x * float(d["pair"][0][1])

    return f, d, CALLS


@scenario
def an_array_changed_through_a_view():
    table = np.zeros((2, 3))
    row = table[1]

    def f(x):
        row[2] += 1
        return x * float(table.sum())

    return f, (table, row), CALLS


@scenario
def an_array_that_is_written_by_numpy():
    total = np.zeros(())

    def f(x):
        np.add(total, 1.5, out=total)
        return x + float(total)

    return f, total, CALLS


@scenario
def an_array_changed_in_training():
    counts = np.zeros(2)

    def f(x, training):
        if training:
            counts[0] += 1
        return x * float(counts[0])

    return f, counts, TRAINED


@scenario
def an_array_filled_in_training():
    counts = np.zeros(2)

    def f(x, training):
        if training:
            np.add(counts, 1, out=counts)
        return x * float(counts[0])

    return f, counts, TRAINED


@scenario
def a_large_array():
    table = np.zeros(200_000)

    def f(x):
        table[7] += 1
        return x * float(table[7])

    return f, SimpleNamespace(first=table[:10]), CALLS


@scenario
def bytes_that_change():
    m = SimpleNamespace(raw=bytearray(2), grown=bytearray(), numbers=array.array("i", [0]))

    def f(x):
        m.raw[0] += 1
        m.grown.append(len(m.grown))
        m.numbers[0] += 2
        return x * float(m.raw[0] + len(m.grown) + m.numbers[0])

    seen = lambda: SimpleNamespace(r=bytes(m.raw), g=bytes(m.grown), n=list(m.numbers))
    return f, [seen], CALLS


@scenario
def an_array_beside_a_tensor():
    m = SimpleNamespace(total=t(0.0), steps=np.zeros(1))

    def f(x):
        m.total = m.total + x
        m.steps[0] += 1
        return m.total / float(m.steps[0]) + rt.abs(x)

    return f, m, CALLS

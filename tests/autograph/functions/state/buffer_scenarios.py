"""State scenarios: functions write to outer TensorArrays."""

from __future__ import annotations

from types import SimpleNamespace

import runtime as rt
from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t

ONE_BY_ONE = [(t(i), t(10.0 + i)) for i in (0, 2, 1, 3)]
BUFFER = None


def buffer(size=4, **settings):
    return rt.TensorArray(rt.float32, size=size, element_shape=(), **settings)


def rows_of(*arrays):
    return Scenario(get=lambda: [each().stack() for each in arrays])


@scenario
def a_buffer_in_an_attribute():
    m = SimpleNamespace(buffer=buffer(), step=0)

    def remember(i, x):
        m.buffer = m.buffer.write(m.step % 4, x)
        m.step += 1
        return rt.reduce_sum(m.buffer.stack()) + m.step

    return remember, rows_of(lambda: m.buffer), ONE_BY_ONE


@scenario
def a_buffer_written_in_place():
    found = buffer()

    def remember(i, x):
        found.write(i, x)
        return found.read(0) + x

    return remember, rows_of(lambda: found), ONE_BY_ONE


@scenario
def a_buffer_in_a_global():
    global BUFFER
    BUFFER = buffer()

    def remember(i, x):
        global BUFFER
        BUFFER = BUFFER.write(i, x)
        return x

    return remember, rows_of(lambda: BUFFER), ONE_BY_ONE


@scenario
def a_buffer_of_a_closure():
    found = buffer()

    def remember(i, x):
        nonlocal found
        found = found.write(i, x)
        return found.read(i)

    return remember, rows_of(lambda: found), ONE_BY_ONE


@scenario
def buffers_in_a_list_and_a_dict():
    listed, named = [buffer(), buffer()], {"a": buffer()}

    def remember(i, x):
        listed[1] = listed[1].write(i, x)
        listed[0].write(i, -x)
        named["a"] = named["a"].write(i, 2.0 * x)
        return x

    return (
        remember,
        rows_of(*(lambda at=at: listed[at] for at in (0, 1)), lambda: named["a"]),
        (ONE_BY_ONE),
    )


@scenario
def a_buffer_written_in_a_branch():
    m = SimpleNamespace(buffer=buffer(), other=buffer())

    def remember(i, x):
        if x > 11.0:
            m.buffer = m.buffer.write(i, x)
            m.other.write(i, x)
        return x

    return remember, rows_of(lambda: m.buffer, lambda: m.other), ONE_BY_ONE


@scenario
def a_buffer_written_in_a_loop():
    m = SimpleNamespace(buffer=buffer(), other=buffer())

    def remember(i, x):
        for k in rt.range(i):
            m.buffer = m.buffer.write(k, x)
            m.other.write(k, x + m.buffer.read(0))
        return m.other.read(1)

    return remember, rows_of(lambda: m.buffer, lambda: m.other), ONE_BY_ONE


@scenario
def a_buffer_that_grows():
    found = buffer(0, dynamic_size=True)

    def remember(i, x):
        found.write(found.size(), x)
        return found.size()

    return remember, rows_of(lambda: found), ONE_BY_ONE


@scenario
def a_buffer_with_two_names():
    found = buffer()
    m = SimpleNamespace(buffer=found)

    def remember(i, x):
        m.buffer = m.buffer.write(i, x)
        return found.read(i)

    return remember, rows_of(lambda: m.buffer, lambda: found), ONE_BY_ONE


@scenario
def a_buffer_that_a_method_writes():
    class Memory:
        def __init__(self):
            self.buffer = buffer()

        def put(self, i, x):
            self.buffer = self.buffer.write(i, x)

        def step(self, i, x):
            self.put(i, x)
            return self.buffer.read(i)

    memory = Memory()
    return memory.step, rows_of(lambda: memory.buffer), ONE_BY_ONE


@scenario
def a_buffer_replaced():
    m = SimpleNamespace(buffer=buffer(0, dynamic_size=True))

    def remember(i, x):
        m.buffer = buffer().write(i, x)
        return x

    return remember, rows_of(lambda: m.buffer), ONE_BY_ONE

"""State scenarios: state of Python's own types: objects, records, functions, classes, bytes."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, replace
from enum import Enum
from types import SimpleNamespace

from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t

CALLS = [(t(value),) for value in (1, 2, 3, 4)]
Pair = namedtuple("Pair", "a b")


@dataclass(frozen=True)
class Frozen:
    """A record that does not change."""

    a: int


class Box:
    """An object with a number."""

    def __init__(self, a):
        self.a = a


class Light(Enum):
    """A state with a successor."""

    RED = "red"
    GREEN = "green"


@scenario
def object_replaced_in_each_call():
    s = SimpleNamespace(box=Box(1))

    def step(x):
        s.box = Box(s.box.a + 1)
        return x + s.box.a

    return step, s, CALLS


@scenario
def object_in_a_dict_replaced():
    s = {"box": Box(1)}

    def step(x):
        s["box"] = Box(s["box"].a * 2)
        return x + s["box"].a

    return step, Scenario(get=lambda: s["box"].a), CALLS


@scenario
def records_replaced():
    s = SimpleNamespace(pair=Pair(1, "b"), frozen=Frozen(1))

    def step(x):
        s.pair = s.pair._replace(a=s.pair.a + 1)
        s.frozen = replace(s.frozen, a=s.frozen.a + s.pair.a)
        return x + s.frozen.a

    return step, Scenario(get=lambda: (s.pair.a, s.frozen.a)), CALLS


@scenario
def state_machine_of_functions():
    s = SimpleNamespace(state=None)

    def idle(x):
        s.state = running
        return x

    def running(x):
        s.state = idle
        return -x

    s.state = idle

    def step(x):
        return s.state(x)

    return step, Scenario(get=lambda: s.state.__name__), CALLS


@scenario
def state_machine_of_methods():
    class Machine:
        def __init__(self):
            self.state = self.idle

        def idle(self, x):
            self.state = self.run
            return x

        def run(self, x):
            self.state = self.idle
            return -x

    machine = Machine()

    def step(x):
        return machine.state(x)

    return step, Scenario(get=lambda: machine.state.__name__), CALLS


@scenario
def members_of_an_enumeration():
    s = SimpleNamespace(light=Light.RED)

    def step(x):
        s.light = Light.GREEN if s.light is Light.RED else Light.RED
        return x if s.light is Light.RED else -x

    return step, Scenario(get=lambda: s.light.value), CALLS


@scenario
def bytes_that_grow():
    s = SimpleNamespace(text=b"a", z=1j, run=range(1))

    def step(x):
        s.text, s.z, s.run = s.text + b"z", s.z * 1j, range(len(s.run) + 1)
        return x + len(s.text) + len(s.run)

    return step, Scenario(get=lambda: (s.text, s.z.real, len(s.run))), CALLS


@scenario
def builtin_chosen():
    s = SimpleNamespace(reduce=max)

    def step(x):
        s.reduce = min if s.reduce is max else max
        return s.reduce(x, 2)

    return step, Scenario(get=lambda: s.reduce.__name__), CALLS

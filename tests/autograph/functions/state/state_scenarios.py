"""State scenarios: a function, its state, and a script of calls."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import runtime as rt

Step = namedtuple("Step", "value history")


class Scenario(SimpleNamespace):
    """Functions to call, by name, and in `seen` the objects to look at."""


# Each makes a scenario: the functions, what to look at, and a script of calls. A step of the script
# that is a function is run on the scenario between calls.
SCENARIOS = {}


def scenario(make):
    assert make.__name__ not in SCENARIOS, f"two scenarios are named {make.__name__}"
    SCENARIOS[make.__name__] = make
    return make


def t(value):
    return rt.constant(value)


@scenario
def best_from_none():
    class M:
        best = None

        def __init__(self):
            self.best = None

        def step(self, x):
            if self.best is None:
                self.best = x
            elif x > self.best:
                self.best = x
            return self.best

    m = M()
    return m.step, m, [(t(3),), (t(1),), (t(7),), (t(2),)]


@scenario
def total_from_number():
    m = SimpleNamespace(total=0)

    def add(x):
        m.total = m.total + x
        return m.total

    return add, m, [(t(3),), (t(1),), lambda: setattr(m, "total", 0), (t(7),), (t(2),)]


@scenario
def total_from_tensor():
    m = SimpleNamespace(total=t(10))

    def add(x):
        m.total = m.total + x

    return add, m, [(t(3),), (t(1),), lambda: setattr(m, "total", t(5)), (t(7),)]


@scenario
def total_that_is_a_constant_too():
    zero = t(0)
    m = SimpleNamespace(total=zero)

    def add(x):
        m.total = m.total + x + zero
        return m.total * zero

    return add, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def a_swap():
    m = SimpleNamespace(a=t(1), b=t(2))

    def swap(x):
        m.a, m.b = m.b + x, m.a
        return m.a

    return swap, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def reset_to_a_number():
    m = SimpleNamespace(total=t(1))

    def drain(x):
        total = m.total
        m.total = 0
        return total + x

    return drain, m, [(t(3),), lambda: setattr(m, "total", t(8)), (t(1),), (t(7),)]


@scenario
def absent_at_first():
    m = SimpleNamespace()

    def keep(x):
        if hasattr(m, "kept"):
            m.kept = m.kept + x
        else:
            m.kept = x
        return m.kept

    return keep, m, [(t(3),), (t(1),), lambda: delattr(m, "kept"), (t(7),), (t(7),)]


@scenario
def built_once():
    class Layer:
        def __init__(self):
            self.built = False

        def call(self, x):
            if not self.built:
                self.weight = x * 2
                self.built = True
            return self.weight + x

    m = Layer()
    return m.call, m, [(t(3),), (t(1),), lambda: setattr(m, "built", False), (t(7),), (t(2),)]


@scenario
def a_global():
    global LEVEL
    LEVEL = 0

    def add(x):
        global LEVEL
        LEVEL = LEVEL + x
        return LEVEL

    return add, Scenario(get=lambda: LEVEL), [(t(3),), (t(1),), (t(7),)]


LEVEL: Any = 0


@scenario
def a_cell():
    total = 0

    def add(x):
        nonlocal total
        total = total + x
        return total

    return add, [lambda: total], [(t(3),), (t(1),), (t(7),)]


@scenario
def a_cell_of_a_called_function():
    def counter():
        total = t(0)

        def add(x):
            nonlocal total
            total = total + x
            return total

        return add

    add = counter()

    def twice(x):
        add(x)
        return add(x) * 2

    return twice, add, [(t(3),), (t(1),), (t(7),)]


@scenario
def attribute_of_the_function():
    def count(x):
        count.total = getattr(count, "total", 0) + x
        return count.total

    return count, count, [(t(3),), (t(1),), (t(7),)]


@scenario
def a_mutable_default():
    def remember(x, known=[]):  # noqa: B006
        known.append(x)
        return x

    def call(x):
        return remember(x)

    return call, remember.__defaults__, [(t(3),), (t(1),), (t(7),)]


@scenario
def a_class_variable():
    class M:
        total = t(0)

        def add(self, x):
            M.total = M.total + x
            return type(self).total

    m = M()
    return m.add, Scenario(get=lambda: M.total), [(t(3),), (t(1),), (t(7),)]


@scenario
def slots_of_an_object():
    class M:
        __slots__ = ("total", "__weakref__")

        def add(self, x):
            self.total = self.total + x

    m = M()
    m.total = 1
    return m.add, Scenario(get=lambda: m.total), [(t(3),), (t(1),), (t(7),)]


@scenario
def a_new_object():
    @dataclasses.dataclass
    class Point:
        x: Any
        tags: list

    m = SimpleNamespace(point=None)

    def move(x):
        m.point = Point(x, [x * 2, "tag"])
        m.point.again = m.point
        m.same = m.point
        return x

    return (
        move,
        Scenario(get=lambda: (m.point.x, m.point.tags, m.same is m.point)),
        [(t(3),), (t(1),)],
    )


@scenario
def structures():
    m = SimpleNamespace(step=Step(t(0), [t(0)]), pair=(t(1), {"k": t(2)}))

    def move(x):
        step = m.step
        m.step = Step(step.value + x, [step.value, *step.history])
        (first, inner) = m.pair
        m.pair = (first + x, {"k": inner["k"] * 2})
        return step.value

    return move, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def in_a_branch():
    m = SimpleNamespace(best=t(0), count=0)

    def step(x):
        if x > m.best:
            m.best = x
            m.count = m.count + 1
        return m.best

    return step, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def in_a_loop():
    m = SimpleNamespace(total=t(0), stats={"n": 0})

    def bump(x):
        m.stats["n"] += x

    def step(n):
        for i in range(n):
            m.total = m.total + i
            bump(i)
        return m.total

    return step, m, [(t(3),), (t(0),), (t(4),)]


@scenario
def through_an_argument():
    class Box:
        pass

    box = Box()
    box.value = None

    def put(o, x):
        o.value = x if o.value is None else o.value + x
        return o.value

    return put, box, [(box, t(3)), (box, t(1)), (box, t(7))]


@scenario
def other_dtype():
    m = SimpleNamespace(last=None)

    def put(x):
        before = m.last
        m.last = x
        return x if before is None else before

    return put, m, [(t(3),), (t(1.5),), (t([1, 2]),), (t([1, 2, 3]),), (t(3),)]


@scenario
def changed_by_the_user():
    m = SimpleNamespace(total=0)

    def add(x):
        m.total = m.total + x
        return m.total

    return add, m, [(t(3),), lambda: setattr(m, "total", m.total * 2), (t(1),), (t(7),)]


@scenario
def counted_next_to_a_tensor():
    class Mean:
        def __init__(self):
            self.total, self.count, self.name = None, 0, "mean"

        def update(self, x):
            self.count += 1
            self.total = x if self.total is None else self.total + x
            return self.total / self.count

    m = Mean()
    script = [(t(3.0),), (t(1.0),), (t(7.0),), lambda: setattr(m, "count", 1), (t(2.0),)]
    return m.update, m, script


@scenario
def counted_and_needed_in_python():
    m = SimpleNamespace(last=None, turn=0)
    names = {0: 10, 1: 20, 2: 30, 3: 40}

    def step(x):
        m.last = x
        m.turn = m.turn + 1
        return x + [1] * m.turn + list(names)[: m.turn][-1]

    return step, m, [(t([1]),), (t([2, 2]),), (t([3, 3, 3]),), (t([4, 4, 4, 4]),)]


@scenario
def written_first_in_a_later_call():
    m = SimpleNamespace(count=0, last=None)

    def step(x):
        if m.last is not None and x > m.last:
            m.count += 1
        m.last = x
        return m.count

    return step, m, [(t(1),), (t(5),), (t(3),), (t(7),)]


@scenario
def variables_written_first_in_a_later_call():
    count, last = 0, None

    def step(x):
        nonlocal count, last
        if last is not None and x > last:
            count += 1
        last = x
        return count

    return step, [lambda: (count, last)], [(t(1),), (t(5),), (t(3),), (t(7),)]

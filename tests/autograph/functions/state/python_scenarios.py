"""State scenarios: Python values change from call to call, and results depend on them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from types import ModuleType, SimpleNamespace

import numpy as np

from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t

CALLS = [(t(value),) for value in (3, 1, 4, 1, 5)]


@scenario
def mean_in_variables():
    count, total = 0, 0.0

    def mean(x):
        nonlocal count, total
        count += 1
        total += x
        return total / count

    return mean, Scenario(get=lambda: (count, total)), [(t(1.0),), (t(3.0),), (t(8.0),)]


@scenario
def toggle():
    m = SimpleNamespace(on=False)

    def flip(x):
        m.on = not m.on
        return x if m.on else -x

    return flip, m, CALLS


@scenario
def round_robin():
    m = SimpleNamespace(at=0, weights=[10, 20, 30])

    def weigh(x):
        weight = m.weights[m.at]
        m.at = (m.at + 1) % len(m.weights)
        return x * weight

    return weigh, m, CALLS


@scenario
def random_numbers():
    m = SimpleNamespace(seed=7)

    def draw(x):
        m.seed = (m.seed * 1103515245 + 12345) % 2**31
        return x + m.seed % 100

    return draw, m, CALLS


@scenario
def mode_by_name():
    m = SimpleNamespace(mode=None)

    def step(x):
        if m.mode is None:
            m.mode = "up"
        elif m.mode == "up":
            m.mode = "down"
            return -x
        return x

    return step, m, CALLS


@scenario
def chain_of_nodes():
    class Node:
        def __init__(self, value, after):
            self.value, self.after = value, after

    m = SimpleNamespace(first=Node(1, Node(2, Node(3, None))))

    def pop(x):
        if m.first is None:
            return x
        value, m.first = m.first.value, m.first.after
        return x * value

    return pop, m, CALLS


@scenario
def list_of_numbers():
    m = SimpleNamespace(waiting=[1, 2, 3])

    def take(x):
        return x + m.waiting.pop(0) if m.waiting else x

    return take, m, CALLS


@scenario
def list_as_long_as_there_were_calls():
    m = SimpleNamespace(calls=[])

    def call(x):
        m.calls.append(len(m.calls))
        return x + len(m.calls)

    return call, m, CALLS


@scenario
def names_in_a_set():
    names: set[str] = set()
    m = Scenario(get=lambda: sorted(names))

    def double_but_the_first(x):
        if "first" in names:
            return x * 2
        names.add("first")
        return x

    return double_but_the_first, m, CALLS


@scenario
def rate_that_falls():
    m = SimpleNamespace(rate=0.1)

    def step(x):
        change = x * m.rate
        m.rate *= 0.5
        return change

    return step, m, [(t(1.0),), (t(2.0),), (t(4.0),)]


@scenario
def counted_and_read_in_an_item():
    counts = {}

    def count(x):
        counts["calls"] = counts.get("calls", 0) + 1
        return x * counts["calls"]

    return count, counts, CALLS


@scenario
def queue_that_is_empty_at_first():
    m = SimpleNamespace(items=[])

    def take(x):
        if not m.items:
            return -x
        return m.items.pop(0)

    script = [(t(1),), lambda: m.items.extend([t(7), t(8)]), (t(1),), (t(2),), (t(3),)]
    return take, m, script


@scenario
def held_back_for_the_next_call():
    class Held:
        value = None

    m = Held()

    def take(x):
        if m.value is not None:
            x = x + m.value
            m.value = None
        return x

    return take, m, [(t(1),), lambda: setattr(m, "value", t(5)), (t(2),), (t(3),)]


@scenario
def full_batches_appended():
    m = SimpleNamespace(batch=[], batches=[])

    def add(x):
        m.batch.append(x)
        if x > 3:
            m.batches.append(m.batch)
            m.batch = []
        return len(m.batches)

    return add, m, CALLS


@scenario
def list_under_two_names():
    items = []
    same = items

    def add(x):
        items.append(x)
        return len(same)

    return add, items, CALLS


@scenario
def steps_undone():
    m = SimpleNamespace(value=0, before=[])

    def step(back, x):
        if back == 0:
            m.before.append(m.value)
            m.value = m.value + x
        elif m.before:
            m.value = m.before.pop()
        return m.value

    script = [(t(0), t(5)), (t(0), t(7)), (t(1), t(0)), (t(1), t(0)), (t(1), t(0)), (t(0), t(3))]
    return step, m, [*script, (t(1), t(0)), (t(0), t(9))]


@scenario
def swapped_by_a_helper():
    m = SimpleNamespace(first=SimpleNamespace(n=0), second=SimpleNamespace(n=10))

    def swap():
        m.first, m.second = m.second, m.first

    def step(x):
        if x < 0:
            swap()
        else:
            m.first.n += x
        return m.first.n

    return step, m, [(t(1),), (t(3),), (t(-1),), (t(2),), (t(4),)]


@scenario
def replaced_by_a_helper():
    m = SimpleNamespace(peak=None)

    def make(x):
        m.peak = SimpleNamespace(value=x)

    def step(x):
        if x > 2:
            make(x)
        elif m.peak is not None:
            m.peak.value += 1
        return x

    return step, m, [(t(1),), (t(3),), (t(-1),), (t(2),), (t(4),)]


@scenario
def type_tested():
    m = SimpleNamespace(count=0)

    def step(x):
        m.count += 1
        return x if type(m.count) is int else -x

    return step, m, CALLS


@scenario
def item_counted_beside_another():
    counts, others = {"n": 0}, {"m": 0}

    def count(x):
        counts["n"] += 1
        others["m"] += 1
        return x * counts["n"]

    return count, counts, CALLS


@scenario
def item_counted_under_a_local_name():
    m = SimpleNamespace(counts={"n": 0})

    def count(x):
        counts = m.counts
        counts["n"] += 1
        return x * counts["n"]

    return count, m, CALLS


@scenario
def item_counted_and_handed_out():
    counts = {"n": 0}

    def count(x):
        counts["n"] += 1
        return counted(x)

    def counted(x):
        return x * shown()["n"]

    def shown():
        return counts

    return count, counts, CALLS


@scenario
def item_of_an_item_counted():
    m = SimpleNamespace(counts={"inner": {"n": 0}})

    def count(x):
        m.counts["inner"]["n"] += 1
        return x * m.counts["inner"]["n"]

    return count, m, CALLS


@scenario
def numbers_of_other_classes():
    m = SimpleNamespace(n=np.float32(0), f=Fraction(0), d=Decimal(0), s=timedelta(0))

    def step(x):
        m.n += 1
        m.f += Fraction(1, 3)
        m.d += Decimal("0.1")
        m.s += timedelta(seconds=2)
        return x * m.n + float(m.f) + float(m.d) + m.s.total_seconds()

    return step, m, [(t(1.0),), (t(3.0),), (t(8.0),)]


@scenario
def variables_of_a_module():
    m = SimpleNamespace(settings=ModuleType("settings"))
    m.settings.n, m.settings.last = 0, None

    def step(x):
        m.settings.n += 1
        if x > 2:
            m.settings.last = x
        return x * m.settings.n

    return step, Scenario(get=lambda: (m.settings.n, m.settings.last)), CALLS


@scenario
def popped_while_empty():
    m = SimpleNamespace(stack=[], errors=0)

    def step(x):
        try:
            if x > 2:
                m.stack.append(x)
            else:
                m.stack.pop()
        except IndexError:
            m.errors += 1
        return len(m.stack)

    return step, m, [(t(value),) for value in (3, 1, 1, 1, 5, 6)]


@scenario
def missing_on_one_path():
    m = SimpleNamespace(sums={}, errors=0)

    def step(x):
        try:
            if x > 3:
                m.errors += 1
            else:
                m.sums["odd"]
        except KeyError:
            m.errors += 10
        return m.errors

    return step, m, CALLS

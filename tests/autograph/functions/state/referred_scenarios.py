"""State scenarios: objects reached by weak references, proxies, sets, keys and object arrays."""

from __future__ import annotations

import weakref
from collections import UserList
from types import MappingProxyType, SimpleNamespace

import numpy as np

import autograph as ag
from tests.autograph.functions.state.state_scenarios import scenario, t

CALLS = [(t(value),) for value in (5.0, 2.0, 7.0)]


class Counter:
    """An object that counts, and is told apart from others by which one it is."""

    def __init__(self):
        self.n = 0

    def step(self):
        self.n += 1
        return self.n


@scenario
def behind_a_weak_reference():
    m = Counter()
    reference = weakref.ref(m)

    def f(x):
        reference().n += 1
        return x * reference().n

    return f, m, CALLS


@scenario
def behind_a_weak_reference_that_ends():
    m = SimpleNamespace(counter=Counter())
    reference = weakref.ref(m.counter)

    def f(x):
        counter = reference()
        return -x if counter is None else x * counter.step()

    return f, m, [(t(5.0),), (t(2.0),), lambda: setattr(m, "counter", None), (t(2.0),)]


@scenario
def a_parent_that_is_held_weakly():
    class Node:
        def __init__(self, parent):
            self.parent = parent and weakref.ref(parent)
            self.total = 0.0

        def add(self, x):
            self.total = self.total + x
            if self.parent is not None:
                self.parent().add(x)

    root = Node(None)
    leaf = Node(root)

    def f(x):
        leaf.add(x)
        return root.total

    return f, [lambda: root.total, lambda: leaf.total], CALLS


@scenario
def in_a_weak_dict():
    m = Counter()
    known = weakref.WeakValueDictionary(m=m)

    def f(x):
        return x * known["m"].step()

    return f, m, CALLS


@scenario
def in_a_weak_set():
    m = Counter()
    known = weakref.WeakSet([m])

    def f(x):
        for each in known:
            x = x * each.step()
        return x

    return f, m, CALLS


@scenario
def behind_a_proxy():
    m = Counter()
    proxy = weakref.proxy(m)

    def f(x):
        proxy.n += 1
        return x * proxy.n

    return f, m, CALLS


@scenario
def behind_a_proxy_on_one_path():
    m = Counter()
    proxy = weakref.proxy(m)

    def f(x):
        if x > 3.0:
            proxy.n += 2
        return x * proxy.n

    return f, m, CALLS


@scenario
def a_weak_method():
    m = Counter()
    method = weakref.WeakMethod(m.step)

    def f(x):
        return x * method()()

    return f, m, CALLS


@scenario
def objects_in_a_set():
    m = [Counter(), Counter()]
    members = set(m)

    def f(x):
        for each in members:
            each.n = each.n + x
        return sum(each.n for each in members)

    return f, m, CALLS


@scenario
def another_object_in_a_set():
    m = [Counter(), Counter()]
    members = {m[0]}

    def f(x):
        for each in members:
            each.n += 1
            x = x * each.n
        return x

    def exchange():
        members.clear()
        members.add(m[1])

    return f, m, [*CALLS, exchange, *CALLS]


@scenario
def objects_in_a_frozen_set():
    m = [Counter(), Counter()]
    members = frozenset(m)

    def f(x):
        for each in members:
            each.n += 1
        return x * sum(each.n for each in members)

    return f, m, CALLS


@scenario
def objects_that_are_keys():
    m = Counter()
    table = {m: 1, (m, 2): 3}

    def f(x):
        for key in table:
            counter = key[0] if isinstance(key, tuple) else key
            counter.n += table[key]
        return x * m.n

    return f, m, CALLS


@scenario
def items_behind_a_mapping_proxy():
    m = SimpleNamespace(items=[0], counter=Counter())
    shown = MappingProxyType({"items": m.items, "counter": m.counter})

    def f(x):
        shown["items"][0] += 2
        shown["counter"].n += 1
        return x * shown["items"][0] + m.counter.n

    return f, m, CALLS


@scenario
def lists_in_an_array_of_objects():
    m = SimpleNamespace(rows=[[0], [1, 2]])
    table = np.empty(2, object)
    table[:] = m.rows

    def f(x):
        table[0].append(len(table[0]))
        table[1][0] += 1
        return x * len(table[0]) + table[1][0]

    return f, m, CALLS


@scenario
def a_list_inside_of_a_list_of_the_library():
    m = UserList([1])

    def f(x):
        m.append(len(m))
        return x * len(m)

    return f, m, [*CALLS, *CALLS]


@scenario
def a_list_that_unconverted_code_looks_at():
    m = []
    size = ag.do_not_convert(lambda: len(m))

    def f(x):
        m.append(len(m))
        return x * size()

    return f, m, [*CALLS, *CALLS]


@scenario
def a_list_that_an_unconverted_property_looks_at():
    class Log:
        def __init__(self):
            self.items = []

        @property
        @ag.do_not_convert
        def size(self):
            return len(self.items)

    m = Log()

    def f(x):
        m.items.append(len(m.items))
        return x * m.size

    return f, m, [*CALLS, *CALLS]


@scenario
def a_length_that_is_a_lambda():
    class Log:
        def __init__(self):
            self.items = []

        __len__ = lambda self: len(self.items)

    m = Log()

    def f(x):
        m.items.append(x)
        return x * len(m) if m else x

    return f, m, CALLS


TOTAL = 0


@scenario
def a_global_by_its_text():
    globals()["TOTAL"] = 0

    def f(x):
        globals()["TOTAL"] += 1
        return x * globals()["TOTAL"]

    return f, [lambda: TOTAL], CALLS

"""State scenarios: the run decides whether a place holds its old container or another one.

Whoever has the old one under another name must see it change as in Python, and only it.
"""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t

CALLS = [(t(value),) for value in (1, 3, -1, 2, 4, 5, -2, 1)]


def beside(holder, *names):
    """Return a scenario that sees a place, and its first containers, by value and identity."""
    first = [getattr(holder, name) for name in names]

    def get():
        now = [getattr(holder, name) for name in names]
        return now, first, [[a is b for b in (*first, *now)] for a in now]

    return Scenario(get=get)


@scenario
def replaced_or_appended_to():
    s = SimpleNamespace(items=[])

    def push(x):
        if x < 0:
            s.items = []
        s.items.append(x)
        return len(s.items)

    return push, beside(s, "items"), CALLS


@scenario
def replaced_under_a_local_name():
    s = SimpleNamespace(items=[])

    def push(x):
        items = s.items
        if x < 0:
            items = []
        items.append(x)
        s.items = items
        return len(items)

    return push, beside(s, "items"), CALLS


@scenario
def replaced_before_an_early_return():
    s = SimpleNamespace(items=[])

    def push(x):
        if x < 0:
            s.items = []
            return 0
        s.items.append(x)
        return len(s.items)

    return push, beside(s, "items"), CALLS


@scenario
def only_replaced():
    s = SimpleNamespace(items=[1, 2])

    def clear(x):
        if x < 0:
            s.items = []
        return x

    return clear, beside(s, "items"), CALLS


@scenario
def list_replaced_by_a_helper():
    s = SimpleNamespace(items=[])

    def reset():
        s.items = []

    def push(x):
        if x < 0:
            reset()
        else:
            s.items.append(x)
        return x

    return push, beside(s, "items"), CALLS


@scenario
def begun_anew_in_a_loop():
    s = SimpleNamespace(items=[])

    def push(x):
        for i in range(x):
            if i == 3:
                s.items = []
        s.items.append(x)
        return len(s.items)

    return push, beside(s, "items"), CALLS


LOOPS = [(t([*values]),) for values in ((1, 2), (-1,), (3,), (2, -1, 1), (1, -1), (0, 4))]


@scenario
def begun_anew_or_changed_in_a_loop():
    s = SimpleNamespace(items=[0, 0])

    def fill(xs):
        for x in xs:
            if x < 0:
                s.items = [0, x]
            elif x > 1:
                s.items[0] += x
        return sum(s.items)

    return fill, [lambda: s.items], LOOPS


@scenario
def begun_anew_or_appended_to_in_a_loop():
    s = SimpleNamespace(items=[0])

    def fill(xs):
        for x in xs:
            if x < 0:
                s.items = []
            else:
                s.items.append(x)
        return len(s.items)

    return fill, [lambda: s.items], LOOPS


@scenario
def dict_begun_anew_or_changed_in_a_loop():
    s = SimpleNamespace(counts={"a": 0})

    def count(xs):
        for x in xs:
            if x < 0:
                s.counts = {"a": 1}
            else:
                s.counts["a"] += x
        return s.counts

    return count, [lambda: s.counts], LOOPS


@scenario
def assigned_in_a_while_loop():
    s = SimpleNamespace(items=[])

    def push(x):
        n = x
        while n > 0:
            n -= 1
            if n == 2:
                s.items = [n]
        return len(s.items)

    return push, beside(s, "items"), CALLS


@scenario
def replaced_by_an_exception_handler():
    s = SimpleNamespace(items=[])

    def push(x):
        try:
            if x > 3:
                raise ValueError(x)
            s.items.append(x)
        except ValueError:
            s.items = [x]
        return len(s.items)

    return push, beside(s, "items"), CALLS


@scenario
def filtered_or_changed():
    s = SimpleNamespace(items=[1, 2, 3])

    def drop(x):
        if x > 2:
            s.items = [v for v in s.items if v != x]
        else:
            s.items[0] = x
        return s.items[0]

    return drop, beside(s, "items"), CALLS


@scenario
def dict_replaced():
    s = SimpleNamespace(counts={"n": 0})

    def count(x):
        if x < 0:
            s.counts = {"n": 100}
        s.counts["n"] += x
        return s.counts["n"]

    return count, beside(s, "counts"), CALLS


@scenario
def object_replaced():
    s = SimpleNamespace(last=SimpleNamespace(n=0))

    def count(x):
        if x < 0:
            s.last = SimpleNamespace(n=100)
        s.last.n += x
        return s.last.n

    return count, beside(s, "last"), CALLS


@scenario
def object_changed_then_replaced():
    s = SimpleNamespace(last=SimpleNamespace(n=0))

    def count(x):
        s.last.n += x
        if x < 0:
            s.last = SimpleNamespace(n=100)
        return x

    return count, beside(s, "last"), CALLS


@scenario
def deque_replaced():
    s = SimpleNamespace(window=deque())

    def push(x):
        if x < 0:
            s.window = deque()
        s.window.append(x)
        return len(s.window)

    return push, beside(s, "window"), CALLS


@scenario
def one_of_two_lists_or_a_new_one():
    s = SimpleNamespace(a=[], b=[])

    def choose(x):
        if x < 0:
            s.a = s.b
        elif x > 3:
            s.a = [x]
        return len(s.a)

    return choose, beside(s, "a", "b"), CALLS


@scenario
def two_lists_swapped():
    s = SimpleNamespace(a=[], b=[])

    def swap(x):
        if x < 0:
            s.a, s.b = s.b, s.a
        s.a.append(x)
        return len(s.a)

    return swap, beside(s, "a", "b"), CALLS


@scenario
def one_list_in_two_places():
    s = SimpleNamespace(a=[], b=[])

    def share(x):
        if x < 0:
            s.a = []
        s.b = s.a
        s.a.append(x)
        return len(s.b)

    return share, beside(s, "a", "b"), CALLS


@scenario
def one_under_two_keys_on_a_path():
    d = {"a": [], "b": [1]}
    first = [*d.values()]

    def put(x):
        if x < 0:
            d["a"] = []
        elif x > 3:
            d["a"] = d["b"]
        d["a"].append(x)
        return len(d["a"])

    return put, Scenario(get=lambda: (d, first, [d["a"] is each for each in first])), CALLS


@scenario
def list_in_a_list_replaced():
    rows = [[], [1]]
    first = [*rows]

    def push(x):
        if x < 0:
            rows[0] = []
        rows[0].append(x)
        return len(rows[0])

    return push, Scenario(get=lambda: (rows, first, [rows[0] is each for each in first])), CALLS


@scenario
def variable_rebound():
    items: list[object] = []
    first = items

    def push(x):
        nonlocal items
        if x < 0:
            items = []
        items.append(x)
        return len(items)

    return push, Scenario(get=lambda: (items, first, items is first)), CALLS


@scenario
def outer_list_a_new_one_or_none():
    s = SimpleNamespace(all=[], current=None)

    def choose(x):
        if x > 3:
            s.current = s.all
        elif x > 1:
            s.current = [x]
        elif x < 0:
            s.current = None
        return x

    return choose, beside(s, "all", "current"), CALLS


@scenario
def attribute_created_by_a_helper():
    s = SimpleNamespace(n=0)

    def make(x):
        s.extra = SimpleNamespace(v=x)

    def count(x):
        if x > 2:
            make(x)
        elif hasattr(s, "extra"):
            s.extra.v += 1
        return x

    return count, s, CALLS

"""State scenarios: every call assigns a container or a string to a place, and others move."""

from __future__ import annotations

from types import SimpleNamespace

from tests.autograph.functions.state.identity_scenarios import CALLS, beside
from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t


@scenario
def replaced_in_every_call():
    d = SimpleNamespace(scratch=[1], total=t(0))

    def add(x):
        d.scratch = []
        d.total = d.total + x
        return d.total

    return add, Scenario(get=lambda: (d.scratch, d.total)), CALLS


@scenario
def undo_and_redo():
    d = SimpleNamespace(done=[], undone=[], value=t(0))

    def step(x):
        if x > 0:
            d.done.append(d.value)
            d.value = d.value + x
            d.undone = []
        elif len(d.done) > 0:
            d.undone.append(d.value)
            d.value = d.done.pop()
        return d.value

    return step, beside(d, "done", "undone"), CALLS


@scenario
def swapped_in_every_call():
    s = SimpleNamespace(a=[1], b=[2])

    def swap(x):
        s.a, s.b = s.b, s.a
        return x + s.a[0]

    return swap, beside(s, "a", "b"), CALLS


@scenario
def empty_lists_swapped_on_a_path():
    s = SimpleNamespace(a=[], b=[])

    def swap(x):
        if x < 0:
            s.a, s.b = s.b, s.a
        return x

    return swap, beside(s, "a", "b"), CALLS


@scenario
def spare_list_assigned():
    s = SimpleNamespace(items=[], spare=[])

    def use_spare(x):
        if x < 0:
            s.items = s.spare
        return x

    return use_spare, beside(s, "items", "spare"), CALLS


@scenario
def same_contents_assigned():
    s = SimpleNamespace(items=[], table={"k": 1})

    def clear(x):
        if x < 0:
            s.items, s.table = [], {"k": 1}
        return x

    return clear, beside(s, "items", "table"), CALLS


@scenario
def copied_in_every_call():
    s = SimpleNamespace(items=[1, 2], n=t(0))

    def copy(x):
        s.items = list(s.items)
        s.n = s.n + x
        return s.n

    return copy, beside(s, "items"), CALLS


@scenario
def list_in_a_rebound_tuple():
    s = SimpleNamespace(pair=(0, []))

    def push(x):
        if x > 0:
            s.pair = (x, s.pair[1])
        s.pair[1].append(x)
        return len(s.pair[1])

    return push, s, CALLS


@scenario
def set_back_by_one_function_alone():
    s = SimpleNamespace(total=0, mode="on")

    def reset(x):
        s.total = 0
        s.mode = "off"
        return x

    def change():
        s.total, s.mode = 7, "on"

    return reset, s, [(t(1),), change, (t(2),), change, (t(3),)]


@scenario
def dict_with_a_list_replaced():
    d = {"run": {"n": 0, "log": []}}
    first = d["run"], d["run"]["log"]

    def note(x):
        if x < 0:
            d["run"] = {"n": 10, "log": []}
        else:
            d["run"]["log"].append(x)
        return d["run"]["n"]

    def get():
        run = d["run"]
        return run, first, run is first[0], run["log"] is first[1]

    return note, Scenario(get=get), CALLS


@scenario
def rows_replaced():
    m = SimpleNamespace(rows=[[1], [2]])
    first = [m.rows, *m.rows]

    def clear(x):
        if x < 0:
            m.rows = [[5], [6]]
        return x

    return clear, Scenario(get=lambda: (first, [a is b for a, b in zip(first[1:], m.rows)])), CALLS


@scenario
def replaced_in_a_nested_branch():
    m = SimpleNamespace(items=[])

    def push(x):
        if x > 0:
            if x > 3:
                m.items = []
            m.items.append(x)
        return len(m.items)

    return push, beside(m, "items"), CALLS


@scenario
def two_names_of_one_object_parted():
    o = SimpleNamespace(p=SimpleNamespace(c=t(1)), q=SimpleNamespace(c=t(2)))

    def put(x):
        if x > 2:
            o.p.c = 3
        return x

    def share():
        o.p = o.q

    def part():
        o.p = SimpleNamespace(c=t(5))

    return put, o, [(t(1),), share, (t(2),), part, (t(2),), (t(5),)]

"""State scenarios: lists of objects between calls, with new objects among the old ones."""

from __future__ import annotations

from types import SimpleNamespace

from tests.autograph.functions.state.state_scenarios import Scenario, scenario, t

CALLS = [(t(value),) for value in (5, 2, 7, 1, 5)]


def rows_of(holder):
    """Return a scenario that sees a list and its first items, by value and identity."""
    first = [*holder.rows]

    def get():
        return holder, first, [[a is b for b in first] for a in holder.rows]

    return Scenario(get=get)


class Event:
    """Something that is to happen at a time."""

    def __init__(self, time):
        self.time = time


@scenario
def inserted_in_order():
    q = SimpleNamespace(events=[])

    def insert(time):
        at = 0
        while at < len(q.events) and q.events[at].time <= time:
            at += 1
        q.events.insert(at, Event(time))
        return time

    return insert, q, CALLS


@scenario
def inserted_at_a_symbolic_index():
    q = SimpleNamespace(events=[])

    def insert(time):
        q.events.insert(time, Event(time))
        return time

    return insert, q, CALLS


@scenario
def assigned_to_an_item():
    q = SimpleNamespace(events=[Event(t(1)), Event(t(2))])

    def put(time):
        q.events[time % 2] = Event(time)
        return time

    return put, q, CALLS


@scenario
def first_item_popped_on_a_path():
    q = SimpleNamespace(events=[Event(t(1)), Event(t(2))])

    def push(time):
        q.events.append(Event(time))
        if time > 2:
            q.events.pop(0)
        return len(q.events)

    return push, q, CALLS


@scenario
def one_of_two_lists_has_it():
    q = SimpleNamespace(early=[], late=[])

    def push(time):
        event = Event(time)
        if time > 2:
            q.late.append(event)
        else:
            q.early.append(event)
        return len(q.early)

    return push, q, [(t(value),) for value in (5, 1)]


@scenario
def row_chosen_by_the_run():
    m = SimpleNamespace(rows=[[1], [2], [3]])

    def push(x):
        m.rows[x % 3].append(x)
        return len(m.rows[0])

    return push, rows_of(m), CALLS


@scenario
def row_appended_on_a_path():
    m = SimpleNamespace(rows=[[1], [2]])

    def push(x):
        if x > 2:
            m.rows.append([x])
        return len(m.rows)

    return push, rows_of(m), CALLS


@scenario
def object_appended_on_a_path():
    m = SimpleNamespace(rows=[SimpleNamespace(v=1), SimpleNamespace(v=2)])

    def push(x):
        if x > 2:
            m.rows.append(SimpleNamespace(v=x))
        return len(m.rows)

    return push, rows_of(m), CALLS


@scenario
def full_rows_appended():
    m = SimpleNamespace(rows=[], row=[])

    def push(x):
        m.row.append(x)
        if len(m.row) > 1 and x > 0:
            m.rows.append(m.row)
            m.row = []
        return len(m.rows)

    return push, rows_of(m), CALLS


@scenario
def rows_sorted_or_turned():
    m = SimpleNamespace(rows=[[3, 0], [1, 0], [2, 0]])

    def step(x):
        if x > 2:
            m.rows.sort()
        else:
            m.rows.reverse()
        return x

    return step, rows_of(m), CALLS


@scenario
def objects_with_lists_among_new_ones():
    class Node:
        def __init__(self, value):
            self.value, self.around = value, [value]

    m = SimpleNamespace(rows=[Node(1), Node(2)])

    def push(x):
        if x > 2:
            m.rows.append(Node(x))
        m.rows = [each for each in m.rows if each.value > 0]
        return len(m.rows)

    return push, Scenario(get=lambda: [(each.value, each.around) for each in m.rows]), CALLS


@scenario
def known_object_inserted_at_a_symbolic_index():
    known = SimpleNamespace(taken=[t(0)])
    q = SimpleNamespace(rows=[SimpleNamespace(taken=[t(2)]), SimpleNamespace(taken=[])], q=known)

    def put(i):
        q.rows.insert(i % 3, q.q)
        for each in q.rows:
            each.taken.append(i)
        return i

    return put, rows_of(q), CALLS[:3]


@scenario
def place_that_leads_through_another_name():
    one, other = SimpleNamespace(p=SimpleNamespace(v=1)), SimpleNamespace(p=SimpleNamespace(v=2))
    m = SimpleNamespace(a=one, b=one, c=other, n=0)

    def step(x):
        if x > 4:
            m.a = m.b
        else:
            if x > 1:
                m.c.p.v = m.c.p.v + 4
            else:
                m.a.p = m.c.p
            m.b.p.v = m.b.p.v + 5
        return x

    return step, m, CALLS

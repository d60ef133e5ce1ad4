"""Worlds in which lists of objects are kept from call to call, new ones put among the old."""

from __future__ import annotations

from types import SimpleNamespace

from tests.autograph.function.state_worlds import t, world

CALLS = [(t(value),) for value in (5, 2, 7, 1, 5)]


class Event:
    """Something that is to happen at a time."""

    def __init__(self, time):
        self.time = time


@world
def put_in_order():
    q = SimpleNamespace(events=[])

    def insert(time):
        at = 0
        while at < len(q.events) and q.events[at].time <= time:
            at += 1
        q.events.insert(at, Event(time))
        return time

    return insert, q, CALLS


@world
def put_at_an_index_of_the_run():
    q = SimpleNamespace(events=[])

    def insert(time):
        q.events.insert(time, Event(time))
        return time

    return insert, q, CALLS


@world
def put_in_place_of_one():
    q = SimpleNamespace(events=[Event(t(1)), Event(t(2))])

    def put(time):
        q.events[time % 2] = Event(time)
        return time

    return put, q, CALLS


@world
def first_one_taken_on_a_path():
    q = SimpleNamespace(events=[Event(t(1)), Event(t(2))])

    def push(time):
        q.events.append(Event(time))
        if time > 2:
            q.events.pop(0)
        return len(q.events)

    return push, q, CALLS


@world
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

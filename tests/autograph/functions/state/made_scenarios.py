"""State scenarios: a call stores one new container in several places."""

from __future__ import annotations

from types import SimpleNamespace

from tests.autograph.functions.state.identity_scenarios import CALLS
from tests.autograph.functions.state.state_scenarios import Scenario, scenario


def ways_to(root):
    """Return a scenario that shows the contents of a root, and paths that lead to one container."""

    def get():
        ways = {}
        waiting = [("root", root)]
        while waiting:
            way, value = waiting.pop(0)
            parts = vars(value) if hasattr(value, "__dict__") else value
            pairs = enumerate(parts) if isinstance(parts, (list, tuple)) else None
            if isinstance(parts, dict):
                pairs = parts.items()
            if pairs is None or hasattr(value, "dtype"):
                continue
            ways.setdefault(id(value), []).append(way)
            if len(ways[id(value)]) == 1:
                waiting += [(f"{way}.{key}", part) for key, part in pairs]
        return root, sorted(ways.values())

    return Scenario(get=get)


class Node:
    def __init__(self, value):
        self.value, self.next = value, None


@scenario
def new_list_in_two_attributes():
    s = SimpleNamespace(a=[], b=[])

    def step(x):
        row = [x]
        if x > 0:
            s.a = row
            s.b = row
        else:
            s.a.append(x)

    return step, ways_to(s), CALLS


@scenario
def linked_nodes():
    s = SimpleNamespace(head=None, tail=None)

    def push(x):
        node = Node(x)
        if x > 0:
            if s.head is None:
                s.head = s.tail = node
            else:
                s.tail.next = node
                s.tail = node

    return push, ways_to(s), CALLS[:3]


@scenario
def new_dict_as_an_item_and_as_the_last():
    s = SimpleNamespace(items=[], last=None)

    def step(x):
        item = {"x": x}
        s.items.append(item)
        if x > 0:
            s.last = item

    return step, ways_to(s), CALLS


@scenario
def one_new_list_in_each_iteration():
    s = SimpleNamespace(a=[], b=[])

    def step(x):
        while x > 0:
            row = [x]
            if x > 1:
                s.a = s.b = row
            x = x - 1

    return step, ways_to(s), CALLS


@scenario
def new_list_from_before_a_loop():
    s = SimpleNamespace(a=[], b=[])

    def step(x):
        row = [x]
        while x > 0:
            if x > 1:
                s.a = row
            else:
                s.b = row
            x = x - 1

    return step, ways_to(s), CALLS


@scenario
def new_item_of_each_iteration_and_the_last():
    s = SimpleNamespace(items=[], last=None)

    def step(x):
        while x > 0:
            item = {"x": x}
            s.items.append(item)
            s.last = item
            x = x - 1

    return step, ways_to(s), CALLS


@scenario
def one_of_two_under_three_names():
    first, second = {"w": [1]}, {"w": [2]}
    s = SimpleNamespace(a=first, b=second, c=second)

    def step(x):
        if x > 2:
            s.a = s.b
        s.c["w"].append(x)

    return step, ways_to(s), CALLS


@scenario
def one_of_three_objects():
    s = SimpleNamespace(a=SimpleNamespace(w=[1]), b=SimpleNamespace(w=[2]))

    def step(x):
        made = SimpleNamespace(w=[x])
        if x < 0:
            s.a = s.b
        if x > 3:
            s.a = made
        s.a.w.append(x)

    return step, ways_to(s), CALLS


@scenario
def item_aliased_and_changed():
    first, second = [1], [2]
    s = SimpleNamespace(a=first, b=second, rows=[first, [3]])

    def step(x):
        if x > 1:
            if x < 3:
                s.a = s.b
            s.rows.append(s.b)
        s.a.append(x)

    return step, ways_to(s), CALLS[:5]


@scenario
def containers_from_outside_appended():
    s = SimpleNamespace(now=[1], other=[2], rows=[])

    def step(x):
        s.rows.append(s.now)
        s.now, s.other = s.other, s.now
        return x

    return step, ways_to(s), CALLS


@scenario
def numbers_of_python_appended():
    s = SimpleNamespace(numbers=[])

    def step(x):
        if x > 0:
            s.numbers.append(float(x) / 3)

    return step, Scenario(get=lambda: [repr(each) for each in s.numbers]), CALLS

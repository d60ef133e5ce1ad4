"""State scenarios: functions change lists, dicts and other containers."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from types import SimpleNamespace

from tests.autograph.functions.state.state_scenarios import scenario, t


@scenario
def a_dict():
    d = {"n": 0}

    def note(x):
        d["n"] = d["n"] + x
        d["last"] = x
        return d["n"]

    return note, d, [(t(3),), (t(1),), lambda: d.clear() or d.update(n=t(4)), (t(7),), (t(2),)]


@scenario
def popped_items():
    d = {"k": t(5)}

    def take(x):
        value = d.pop("k") if "k" in d else 0
        return value + x

    return take, d, [(t(3),), (t(1),), lambda: d.update(k=t(9)), (t(7),), (t(2),)]


@scenario
def counters_and_defaults():
    m = SimpleNamespace(c=Counter(), d=defaultdict(int), o=OrderedDict(b=1))

    def note(x):
        m.c["a"] = m.c["a"] + x
        m.d["a"] += x
        m.o["a"] = x
        return m.c["a"]

    return note, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def a_log():
    log = []

    def note(x):
        log.append(x)
        log.append(("twice", x * 2))
        return x

    return note, log, [(t(3),), (t(1),), (t([1, 2]),), log.clear, (t(7),)]


@scenario
def a_log_that_is_read():
    log = [t(1)]

    def note(x):
        log.append(log[-1] + x * len(log))
        return x

    return note, log, [(t(3),), (t(1),), lambda: log.pop(0), (t(7),)]


@scenario
def a_log_replaced():
    m = SimpleNamespace(log=[])

    def note(x):
        m.log.append(x)

    return note, m, [(t(3),), (t(1),), lambda: setattr(m, "log", []), (t(7),), (t(8),)]


@scenario
def rotated_list():
    m = SimpleNamespace(items=[t(1), t(2), t(3)])

    def rotate(x):
        m.items.append(m.items.pop(0) + x)
        return m.items[0]

    return rotate, m, [(t(3),), (t(1),), (t(7),)]


@scenario
def a_window():
    window = deque(maxlen=3)

    def push(x):
        window.append(x)
        return x

    return push, window, [(t(k),) for k in range(5)]


@scenario
def a_list_that_loses_its_first_item_from_the_fourth_call_on():
    items = []

    def average(x):
        items.append(x)
        if len(items) > 3:
            items.pop(0)
        return sum(items) / len(items)

    return average, items, [(t(float(k)),) for k in range(6)]


@scenario
def groups_that_begin_on_one_path_each():
    groups = defaultdict(list)

    def add(x):
        if x > 0:
            groups["more"].append(x)
        else:
            groups["less"].append(x)
        return len(groups)

    return add, groups, [(t(1),), (t(-1),), (t(2),), (t(-2),), groups.clear, (t(-3),), (t(3),)]


@scenario
def missing_groups_created():
    groups = {}

    def add(key, x):
        if key not in groups:
            groups[key] = []
        if x > 0:
            groups[key].append(x)
        return len(groups[key])

    return add, groups, [("a", t(1)), ("b", t(-1)), ("a", t(2)), ("b", t(3)), ("c", t(4))]


@scenario
def a_buffer_flushed_when_full():
    m = SimpleNamespace(buffer=[], flushed=[])

    def add(x):
        m.buffer.append(x)
        if len(m.buffer) == 2:
            m.flushed.append(sum(m.buffer))
            m.buffer = []
        return len(m.buffer)

    return add, m, [(t(k),) for k in range(7)]


@scenario
def a_buffer_in_a_variable_that_is_handed_on_when_full():
    buffer, pages = [], []

    def add(x):
        nonlocal buffer
        buffer.append(x)
        if len(buffer) == 2:
            pages.append(buffer)
            buffer = []
        return len(buffer) * 10 + len(pages)

    return add, [lambda: (buffer, pages)], [(t(k),) for k in range(7)]


@scenario
def a_dict_in_a_dict_that_is_replaced_when_full():
    pages = {"page": {}, "sum": 0}

    def add(x):
        pages["page"][len(pages["page"])] = x
        if len(pages["page"]) == 3:
            pages["sum"] = pages["sum"] + sum(pages["page"].values())
            pages["page"] = {}
        return pages["sum"]

    return add, pages, [(t(k),) for k in range(7)]


@scenario
def two_lists_that_change_places():
    m = SimpleNamespace(front=[], back=[])

    def add(x):
        m.front.append(x)
        m.front, m.back = m.back, m.front
        return len(m.front) * 10 + len(m.back)

    return add, m, [(t(k),) for k in range(5)]


@scenario
def an_object_replaced():
    class Sum:
        def __init__(self):
            self.all = 0

    m = SimpleNamespace(sum=Sum(), log=[])

    def add(x):
        m.sum.all = m.sum.all + x
        m.log.append(m.sum.all)
        if len(m.log) == 3:
            m.log = []
            m.sum = Sum()
        return m.sum.all

    return add, m, [(t(k),) for k in range(7)]


@scenario
def a_deque_that_loses_its_first_item():
    ring = deque()

    def push(x):
        if x > 0:
            ring.append(x)
        if len(ring) > 2:
            ring.popleft()
        return len(ring)

    return push, ring, [(t(k),) for k in range(6)]


@scenario
def a_filled_deque_of_a_length():
    m = SimpleNamespace(ring=deque([t(5)], maxlen=3), first=0)

    def push(x):
        m.first = m.first + m.ring[0]
        m.ring.append(x)
        return sum(m.ring)

    return push, m, [(t(1),), (t(2),), m.ring.pop, (t(3),), m.ring.clear, (t(4),)]


@scenario
def a_deque_replaced():
    m = {"ring": deque()}

    def push(x):
        m["ring"].append(x)
        if len(m["ring"]) == 2:
            m["ring"] = deque()
        return len(m["ring"])

    return push, m, [(t(k),) for k in range(6)]


@scenario
def a_class_of_deques():
    class Ring(deque):
        def push(self, x):
            self.append(x)
            return self[0]

    ring = Ring([t(7)])

    def push(x):
        return ring.push(x) + len(ring)

    return push, [lambda: list(ring)], [(t(k),) for k in range(6)]


@scenario
def keys_added_by_every_path_and_by_one():
    m = SimpleNamespace(plain={}, counted=Counter(), begun=defaultdict(int), ordered=OrderedDict())

    def count(x):
        for each in (m.plain, m.counted, m.begun, m.ordered):
            each["all"] = each.get("all", 0) + 1
            if x > 0:
                each["more"] = each.get("more", 0) + 1
        return len(m.plain)

    return count, m, [(t(1),), (t(-1),), m.plain.clear, (t(-2),), (t(3),)]


@scenario
def a_key_that_is_moved_to_the_end():
    used = {"a": t(1), "b": t(2), "c": t(3)}

    def use(key, x):
        used[key] = used.pop(key) + x
        return used[next(iter(used))]

    return use, used, [("a", t(1)), ("a", t(2)), ("c", t(3)), ("b", t(4)), ("a", t(5))]


@scenario
def the_oldest_key_is_removed():
    kept = OrderedDict()

    def keep(key, x):
        if key in kept:
            kept.move_to_end(key)
        else:
            kept[key] = x
        if len(kept) > 2:
            kept.popitem(last=False)
        return kept[key]

    return keep, kept, [(key, t(k)) for k, key in enumerate("abacdabb")]


@scenario
def an_item_written_first_in_a_later_call():
    d = {"n": 0, "last": None, "m": 0}

    def step(x):
        d["n"] += 1
        if d["last"] is None:
            d["last"] = x
        elif x > 2:
            d["m"] += 1
        return d["n"]

    return step, d, [(t(1),), (t(5),), (t(2),), (t(7),)]

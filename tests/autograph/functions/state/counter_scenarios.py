"""State scenarios: Python numbers in outer lists, dicts and deques."""

from __future__ import annotations

from collections import Counter, deque
from types import SimpleNamespace
from typing import NamedTuple

import runtime as rt
from tests.autograph.functions.state.state_scenarios import scenario, t

CALLS = [(t(3.0),), (t(1.0),), (t(7.0),), (t(2.0),)]
TRAINED = [(t(3.0), True), (t(1.0), False), (t(7.0), True), (t(2.0), False), (t(5.0), True)]
COUNTS = [0, 0]


@scenario
def a_count_in_a_list():
    n = [0]

    def f(x):
        n[0] += 1
        return x * n[0]

    return f, n, [*CALLS, lambda: n.__setitem__(0, 40), *CALLS]


@scenario
def a_count_that_is_not_looked_at():
    n = [0]

    def f(x):
        n[0] += 1
        return x

    return f, n, CALLS


@scenario
def counts_in_a_global():
    COUNTS[:] = [0, 0]

    def f(x):
        COUNTS[1] += 2
        COUNTS[0] = COUNTS[0] + COUNTS[1]
        return x + COUNTS[0]

    return f, COUNTS, CALLS


@scenario
def counts_deep_inside():
    d = {"rows": [[0, 1], [2, 3]], "n": {"all": [0]}}

    def f(x):
        d["n"]["all"][0] += 1
        for row in d["rows"]:
            row[0] += d["n"]["all"][0]
        return x * d["rows"][1][0]

    return f, d, CALLS


@scenario
def a_moving_average_in_a_list():
    m = SimpleNamespace(average=[0.0])

    def f(x):
        m.average[0] = 0.5 * m.average[0] + 0.5
        return x * m.average[0]

    return f, m, CALLS


@scenario
def a_number_counted_in_a_branch():
    n = [0]

    def f(x):
        if x > 2.0:
            n[0] += 1
        return x + n[0]

    return f, n, CALLS


@scenario
def numbers_counted_in_loops():
    n = [0, 10]

    def f(x):
        for i in range(3):
            n[0] += i
        while n[1] > 5:
            n[1] -= 2
        n[1] += 4
        return x + n[0] + n[1]

    return f, n, CALLS


@scenario
def a_deque_that_is_full():
    last = deque([0, 0], maxlen=2)

    def f(x):
        last.append(last[-1] + 1)
        return x * last[0]

    return f, last, CALLS


@scenario
def a_count_tested_in_python():
    n = [0]

    def f(x):
        n[0] += 1
        if n[0] % 2 == 0:
            return x * 10.0
        return x

    return f, n, CALLS


@scenario
def a_count_with_two_names():
    n = [0]
    m = SimpleNamespace(counts=n)

    def f(x):
        n[0] += 1
        return x * m.counts[0]

    return f, n, CALLS


@scenario
def a_list_read_under_another_name():
    log = []
    m = SimpleNamespace(history=log)

    def f(x):
        log.append(1)
        return x * len(m.history)

    return f, log, CALLS


@scenario
def an_attribute_read_by_its_text():
    m = SimpleNamespace(calls=0, seen=0)

    def f(x):
        m.calls += 1
        m.seen += 1
        return x * getattr(m, "calls") + vars(m)["seen"]  # noqa: B009

    return f, m, CALLS


@scenario
def an_item_counted_in_training():
    counts = [0]

    def f(x, training):
        if training:
            counts[0] += 1
        return x * counts[0]

    return f, counts, TRAINED


@scenario
def a_nested_item_counted_in_training():
    d = {"a": [0]}

    def f(x, training):
        if training:
            d["a"][0] += 1
        return x * d["a"][0]

    return f, d, TRAINED


@scenario
def keys_counted_by_mode():
    seen = Counter(a=0, b=0)

    def f(x, training):
        seen["a" if training else "b"] += 1
        return x * seen["a"] + seen["b"]

    return f, seen, TRAINED


@scenario
def a_key_created_by_get():
    seen = {}

    def f(x):
        seen["n"] = seen.get("n", 0) + 1
        return x * seen["n"]

    return f, seen, CALLS


@scenario
def a_method_that_counts_in_training():
    class Trainer:
        def __init__(self):
            self.n, self.rows = 0, [0]

        def count(self):
            self.n += 1
            self.rows[0] += 2

        def step(self, x, training):
            if training:
                self.count()
            return x * self.n + self.rows[0]

    trainer = Trainer()
    return trainer.step, trainer, TRAINED


@scenario
def a_function_that_counts_in_training():
    m = SimpleNamespace(n=0)

    def count():
        m.n += 1

    def f(x, training):
        if training:
            count()
        return x * m.n

    return f, m, TRAINED


@scenario
def a_count_that_python_needs():
    n = [0]

    def f(x):
        n[0] += 1
        return x + len("a" * n[0])

    return f, n, CALLS


@scenario
def a_long_table_of_counts():
    n = [0] * 300

    def f(x):
        n[7] += 1
        return x * n[7]

    return f, n, CALLS


@scenario
def a_log_that_sounds_like_a_function():
    log, sums = [], SimpleNamespace(reduce_sum=[], max=0)

    def f(x):
        log.append(x)
        sums.reduce_sum.append(x)
        sums.max += 1
        return rt.math.log(x) + rt.reduce_sum(x) + rt.math.maximum(x, 0.0) * sums.max

    return f, (log, sums), CALLS


class Progress(NamedTuple):
    """Numbers that are replaced together."""

    step: int
    rate: float


@scenario
def numbers_in_a_pair():
    m = SimpleNamespace(pair=(0, 1))

    def f(x):
        first, second = m.pair
        m.pair = (second, first + second)
        return x * second

    return f, m, CALLS


@scenario
def numbers_in_a_named_tuple():
    m = SimpleNamespace(progress=Progress(0, 0.5))

    def f(x):
        m.progress = m.progress._replace(step=m.progress.step + 1, rate=m.progress.rate * 0.5)
        return x * m.progress.step

    return f, m, CALLS


@scenario
def numbers_in_a_pair_inside_of_a_pair():
    m = SimpleNamespace(pair=(0, (1, "a")))

    def f(x):
        m.pair = (m.pair[0] + 1, (m.pair[1][0] * 2, m.pair[1][1]))
        return x * m.pair[0] * m.pair[1][0]

    return f, m, CALLS


@scenario
def pairs_in_a_list_and_a_dict():
    m = SimpleNamespace(rows=[(0, 1), (2, 3)], table={"a": (0, 1)})

    def f(x):
        m.rows[0] = (m.rows[0][0] + 1, m.rows[0][1])
        m.table["a"] = (m.table["a"][1], m.table["a"][0] + 2)
        return x * m.rows[0][0] + m.table["a"][0]

    return f, m, CALLS


@scenario
def a_pair_on_two_paths():
    m = SimpleNamespace(pair=(0, 0))

    def f(x):
        if x > 3:
            m.pair = (m.pair[0] + 1, m.pair[1])
        else:
            m.pair = (m.pair[0], m.pair[1] + 1)
        return x * m.pair[0] + m.pair[1]

    return f, m, CALLS


@scenario
def a_pair_that_is_a_key():
    m = SimpleNamespace(pair=(0, 0), seen={})

    def f(x):
        m.pair = (m.pair[0] + 1, m.pair[1])
        m.seen[m.pair] = m.pair[0]
        return x * len(m.seen)

    return f, m, CALLS


@scenario
def a_pair_of_a_number_too_large_for_a_graph():
    m = SimpleNamespace(pair=(1, 10**20))

    def f(x):
        m.pair = (m.pair[0] + 1, m.pair[1] + 1)
        return x * m.pair[0]

    return f, m, CALLS


@scenario
def a_pair_that_other_code_changes():
    m = SimpleNamespace(pair=(0, 0.5))

    def f(x):
        m.pair = (m.pair[0] + 1, m.pair[1])
        return x * m.pair[0]

    def exchange():
        m.pair = (7, 2) if m.pair[0] < 7 else ("seven", 2)

    return f, m, [*CALLS, exchange, *CALLS]

"""Functions in Functions, and their graphs: one test for each rule.

Where TensorFlow 2.21 does otherwise, a comment says why ours is right.
"""

from __future__ import annotations

import threading

import pytest

import autograph as ag
import runtime as rt

T = rt.constant


def counts(*functions):
    return [f.experimental_get_tracing_count() for f in functions]


def test_an_inner_function_is_traced_once_and_is_a_node_of_its_caller():
    traced = []

    @ag.function
    def inner(x):
        traced.append(1)
        return x * x

    @ag.function
    def outer(x):
        return inner(x) + inner(x + 1)

    assert int(outer(T(2))) == 13 and int(inner(T(5))) == 25
    assert traced == [1] and counts(outer, inner) == [1, 1]
    graph = outer.get_concrete_function(T(2)).graph
    assert len(graph.get_nodes_by_op("function_call")) == 2


def test_a_plain_function_is_a_part_of_its_caller():
    def inner(x):
        return x * x

    outer = ag.function(lambda x: inner(x) + 1)
    assert not outer.get_concrete_function(T(2)).graph.get_nodes_by_op("function_call")


def test_calls_with_effects_stay_in_order(capfd):
    v = rt.Variable(1)

    @ag.function
    def add(x):
        v.assign_add(x)
        rt.print_("added", x)

    @ag.function
    def outer(x):
        add(x)
        v.assign(v * 10)
        rt.print_("times ten")
        add(x)
        return v

    assert int(outer(T(2))) == 32 == int(v)
    assert capfd.readouterr().err == "added 2\ntimes ten\nadded 2\n"
    # A call that changes something runs though nobody uses what it gives.
    assert counts(outer, add) == [1, 1]


def test_an_unused_pure_call_is_removed():
    inner = ag.function(lambda x: x * 2)

    @ag.function
    def outer(x):
        inner(x)
        return x

    assert len(outer.get_concrete_function(T(1)).graph) == 0


def test_recursion_by_a_python_number():
    @ag.function
    def power(x, n):
        return T(1) if n == 0 else x * power(x, n - 1)

    assert int(power(T(2), 3)) == 8
    assert counts(power) == [4]
    assert int(power(T(3), 2)) == 9
    assert counts(power) == [4]


def test_recursion_ended_by_a_tensor():
    # TensorFlow traces it without an end.
    @ag.function
    def factorial(n):
        if n <= 1:
            return T(1)
        return n * factorial(n - 1)

    assert [int(factorial(T(n))) for n in (0, 1, 5)] == [1, 1, 120]


def test_captures():
    v, t = rt.Variable(2), T(10)

    @ag.function
    def inner(x):
        return x * v + t

    @ag.function
    def outer(x):
        local = x + 1

        @ag.function
        def closure(y):
            return y + local

        return closure(inner(x))

    assert int(outer(T(3))) == 20
    v.assign(5)
    assert int(outer(T(3))) == 29 and int(inner(T(1))) == 15
    concrete = outer.get_concrete_function(T(3))
    assert any(variable is v for variable in concrete.variables)


def test_a_concrete_function_in_a_trace():
    concrete = ag.function(lambda x, n=2: x * n).get_concrete_function(T(1))
    outer = ag.function(lambda x: concrete(x) + concrete(x=x))
    assert int(outer(T(3))) == 12
    with pytest.raises(rt.errors.InvalidArgumentError, match="int32 tensor but is a float32"):
        ag.function(lambda x: concrete(x))(T(1.0))


def test_an_error_inside_names_the_line_inside():
    @ag.function
    def inner(x, y):
        return x // y  # inside

    outer = ag.function(lambda x, y: inner(x, y) + 1)
    outer(T(1), T(1))
    with pytest.raises(ZeroDivisionError) as caught:
        outer(T(1), T(0))
    assert caught.value.origin.line_text().endswith("# inside")

    @ag.function
    def guarded(x, y):
        try:
            return inner(x, y)
        except ZeroDivisionError:
            return T(-1)

    assert [int(guarded(T(4), T(n))) for n in (2, 0)] == [2, -1]


def test_inner_functions_in_branches_and_loops():
    @ag.function
    def half(x):
        return x // 2

    @ag.function
    def steps(x):
        count = 0
        while x > 1:
            x = half(x) if x % 2 == 0 else x - 1
            count += 1
        return count

    def plain(x):
        count = 0
        while x > 1:
            x = x // 2 if x % 2 == 0 else x - 1
            count += 1
        return count

    assert [int(steps(T(n))) for n in (1, 2, 7, 100)] == [plain(n) for n in (1, 2, 7, 100)]
    assert counts(steps, half) == [1, 1]


def test_run_functions_eagerly_runs_inner_functions_as_python():
    seen = []

    @ag.function
    def inner(x):
        seen.append(int(x))
        return x + 1

    outer = ag.function(lambda x: inner(x) * 2)
    ag.run_functions_eagerly(True)
    try:
        assert int(outer(T(3))) == 8
    finally:
        ag.run_functions_eagerly(False)
    assert seen == [3]


def test_many_threads_that_trace_inner_and_outer_functions_at_once():
    inner = ag.function(lambda x, n: x * n)
    outer = ag.function(lambda x, n: inner(x, n) + inner(x, 1))
    started, results = threading.Barrier(8), []

    def work(at):
        started.wait()
        for n in range(1, 8):
            first, second = (inner, outer) if at % 2 else (outer, inner)
            results.append((n, int(first(T(2), n)) + int(second(T(2), n))))

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(results) == sorted([(n, 4 * n + 2) for n in range(1, 8)] * 8)
    assert counts(outer, inner) == [7, 7]


def test_the_graph_is_walked_in_order():
    def branching(x):
        if rt.reduce_sum(x) <= 1:
            return x * x
        else:
            return x - 1

    graph = ag.function(branching).get_concrete_function(rt.TensorSpec([2], rt.float32)).graph
    names = [(node.name, [tensor.node.name for tensor in node.inputs]) for node in graph]
    assert names == [
        ("reduce_sum", ["x"]),
        ("constant", []),
        ("less_equal", ["reduce_sum", "constant"]),
        ("cond", ["less_equal", "x"]),
    ]
    assert [region.name for region in graph.node("cond").regions] == ["then", "else"]

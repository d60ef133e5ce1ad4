"""Random streams of graph nodes: their seeds and their state."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.core.random_streams import using_streams
from runtime.executors import interpreter
from runtime.ops.random.eager_seeds import begin
from runtime.ops.random.graph_seeds import NodeSeeds, draws_by_seeds, seeded

draw = rt.random.uniform


@pytest.fixture(autouse=True)
def _without_a_seed() -> Iterator[None]:
    rt.random.set_seed(None)
    yield
    rt.random.set_seed(None)


def shown(*tensors: Any) -> list[Any]:
    return [tensor.numpy().tolist() for tensor in rt.nest.flatten(tensors)]


def test_a_stream_advances_and_restarts_with_a_seed() -> None:
    seeds = NodeSeeds(4, 2, is_given=False)
    first = begin(4, 2)
    assert [first, first.after(3)] == [seeds.reserve(3), seeds.reserve(5)]
    assert first.after(8) == seeds.reserve(0)
    rt.random.set_seed(9)
    assert first == seeds.reserve(1)


def test_streams_without_a_seed_are_unknown_until_one_is_set() -> None:
    seeds = NodeSeeds(None, 2, is_given=False)
    assert seeds.reserve(1) is None and not seeds.is_known and "None" == repr(seeds)
    rt.random.set_seed(4)
    assert begin(4, 2) == seeds.reserve(1) and begin(4, 2).after(1) == seeds.reserve(1)


def test_drawing_from_uses_other_streams() -> None:
    seeds, mine = NodeSeeds(4, 2, is_given=False), {}
    with using_streams(mine):
        assert [begin(4, 2), begin(4, 2).after(2)] == [seeds.reserve(2), seeds.reserve(2)]
    assert begin(4, 2) == seeds.reserve(1)
    with using_streams(mine):
        assert begin(4, 2).after(4) == seeds.reserve(2)


def test_a_function_traced_before_a_seed_was_set_can_be_had_again() -> None:
    function = ag.function(lambda: (draw([2]), draw([2])))
    assert shown(function()) != shown(function())
    runs = []
    for _ in range(2):
        rt.random.set_seed(6)
        runs.append([shown(function()) for _ in range(2)])
    assert runs[0] == runs[1] and runs[0][0] != runs[0][1] and runs[0][0][0] != runs[0][0][1]


def test_random_ops_are_numbered_per_region() -> None:
    rt.random.set_seed(1)

    def f(x: Any) -> Any:
        a = draw([])
        b = draw([]) if x > 0 else draw([]) + draw([])
        return a, b, draw([], seed=7), draw([])

    graph = ag.function(f).get_concrete_function(rt.constant(1)).graph

    def numbers(part: Any) -> list[Any]:
        held = [node.attrs["seed"] for node in part.nodes if "seed" in node.attrs]
        return [(each.graph_seed, each.op_seed, each.is_given) for each in held]

    (cond,) = [node for node in graph.nodes if node.op.name == "cond"]
    assert [(1, 0, False), (1, 7, True), (1, 1, False)] == numbers(graph)
    assert [[(1, 0, False)], [(1, 0, False), (1, 1, False)]] == list(map(numbers, cond.regions))
    assert draws_by_seeds(graph) and draws_by_seeds(cond.regions[0])


def test_a_node_recorded_again_keeps_its_seeds() -> None:
    graph = rt.Graph()
    first = seeded(graph, {"seed": None})
    assert first["seed"] is seeded(graph, first)["seed"]
    assert seeded(graph, {"seed": 5})["seed"].is_given


def test_seeded_inner_functions_are_inlined_into_the_outer_graph() -> None:
    inner = ag.function(lambda: draw([]))
    outer = ag.function(lambda: (inner(), inner()))

    def calls() -> list[str]:
        return [node.op.name for node in outer.get_concrete_function().graph.nodes]

    assert ["function_call"] * 2 == calls()
    rt.random.set_seed(1)
    inner, outer = ag.function(lambda: draw([])), ag.function(lambda: (inner(), inner()))
    assert ["random_uniform"] * 2 == calls()
    first, second = shown(outer())
    assert [first] == [second] == shown(inner())


def test_a_saved_function_draws_the_same_from_its_beginning(tmp_path: Any) -> None:
    class Model(rt.nn.Module):
        @ag.function(input_signature=[])
        def draws(self) -> Any:
            return draw([2]), rt.random.normal([2], seed=3), rt.random.shuffle(rt.range(9))

    rt.random.set_seed(4)
    model = Model()
    expected = [shown(model.draws()) for _ in range(2)]
    ag.saved_model.save_archive(model, str(tmp_path / "model"))
    rt.random.set_seed(5)
    loaded = ag.saved_model.load(str(tmp_path / "model"))
    assert expected == [shown(loaded.draws()) for _ in range(2)]


def test_the_interpreter_and_the_printed_function_draw_equal_numbers() -> None:
    def f(n: Any) -> Any:
        total = draw([])
        for _ in rt.range(n):
            total += rt.random.normal([]) * draw([])
        return total

    rt.random.set_seed(2)
    concrete = ag.function(f).get_concrete_function(rt.constant(4))
    printed = shown(concrete(rt.constant(4)))
    rt.random.set_seed(2)
    outputs = interpreter.run(concrete.graph, [rt.constant(4)._array])
    assert printed == [each.tolist() for each in outputs]


def test_threads_share_a_stream_without_a_gap() -> None:
    rt.random.set_seed(3)
    function = ag.function(lambda: draw([]))
    expected = sorted(shown(*[function() for _ in range(64)]))
    rt.random.set_seed(3)
    found: list[Any] = []
    work = lambda: found.extend(shown(*[function() for _ in range(16)]))
    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert expected == sorted(found)


def test_eager_calls_and_functions_have_separate_streams() -> None:
    rt.random.set_seed(8)
    eager = shown(draw([]), draw([]), draw([], seed=4))
    function = ag.function(lambda: (draw([]), draw([], seed=4)))
    rt.random.set_seed(8)
    mixed = [draw([]), function(), draw([]), function(), draw([], seed=4)]
    assert eager == shown(*mixed[::2]) and shown(mixed[1]) != shown(mixed[3])


def test_random_ops_in_and_after_a_try_are_numbered_through() -> None:
    def f(n):
        try:
            first = draw([]) * rt.cast(10 // n, rt.float32)
        except ZeroDivisionError:
            first = rt.constant(0.0)
        return first, draw([])

    rt.random.set_seed(3)
    through = shown(*ag.function(f)(rt.constant(10)))
    rt.random.set_seed(3)
    assert through == shown(*ag.function(lambda n: (draw([]), draw([])))(rt.constant(10)))

"""Engines: the runs of one that keeps the contract, and of some that break it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, DTypeError, EngineWarning, UnimplementedError
from runtime.executors.engine import Engine, Outcome, Program, Refusal, Status
from runtime.executors.executor import _engines, executor_names, register_engine
from runtime.graph.graph import Graph
from tests.runtime.executors.toy_engine import Change, Toy


@pytest.fixture
def register() -> Iterator[Callable[[Toy], Toy]]:
    def put(engine: Toy) -> Toy:
        register_engine(engine)
        return engine

    yield put
    _engines.pop("toy", None)


def scaled(executor: str = "toy", **options: Any) -> Any:
    @ag.function(executor=executor, **options)
    def f(x: Any) -> Any:
        total = x * 0.0
        while rt.reduce_sum(total) < 10.0:
            total = total + x
        return total, rt.reduce_sum(x)

    return f


def test_a_toy_keeps_the_protocol() -> None:
    assert isinstance(Toy(), Engine)
    assert isinstance(Toy().compile(Graph("f")), Program)


def test_an_engine_runs_a_function(register: Any) -> None:
    engine, x = register(Toy()), rt.constant([1.0, 2.5])
    f = scaled()
    results = [[each.numpy().tolist() for each in f(x)] for _ in range(3)]
    assert results == [[[3.0, 7.5], 3.5]] * 3
    assert engine.runs == 3
    assert f.get_concrete_function(x).executable.source == "toy f"


def test_variables_are_assigned_after_a_good_run(register: Any) -> None:
    register(Toy())
    steps, scale = rt.Variable(0), rt.Variable([1.0, 2.0])

    @ag.function(executor="toy")
    def f(x: Any) -> Any:
        steps.assign_add(1)
        scale.assign(scale * x)
        return scale.read_value()

    assert [f(rt.constant(2.0)).numpy().tolist() for _ in range(2)] == [[2.0, 4.0], [4.0, 8.0]]
    assert (int(steps), scale.numpy().tolist()) == (2, [4.0, 8.0])


def test_a_variable_argument_is_assigned(register: Any) -> None:
    engine = register(Toy())

    @ag.function(executor="toy")
    def add_to(v: Any, x: Any) -> Any:
        v.assign_add(x)
        return v * 2

    variables = [rt.Variable(1.0), rt.Variable(5.0)]
    found = [float(add_to(each, rt.constant(3.0))) for each in variables]
    assert (found, [float(each) for each in variables]) == ([8.0, 16.0], [4.0, 8.0])
    assert engine.runs == 2


def test_calls_of_threads_that_assign_one_variable_lose_no_update(register: Any) -> None:
    def late(outcome: Outcome) -> Outcome:
        time.sleep(0.001)  # The other threads have read the variable meanwhile.
        return outcome

    register(Toy(late))
    v = rt.Variable(0)
    one, other = (ag.function(lambda by=by: v.assign_add(by), executor="toy") for by in (1, 100))
    threads = [
        threading.Thread(target=lambda f=f: [f() for _ in range(5)])
        for f in (one, other, one, other)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert int(v) == 1010


def item_and_state(executor: str) -> list[Any]:
    """Return the items or errors of three calls, with the values of the variables after each."""
    total, count = rt.Variable([0.0, 0.0]), rt.Variable(0)

    @ag.function
    def add(x: Any) -> Any:
        total.assign_add(x)
        return total.read_value()

    @ag.function(executor=executor)
    def item(x: Any, i: Any) -> Any:
        count.assign_add(1)
        if i > 5:
            raise ValueError("too far")
        y = add(x) + add(x)
        return y[i]

    found = []
    for i in (1, 9, 4, 0):
        try:
            result: Any = float(item(rt.constant([1.0, 2.0]), rt.constant(i)))
        except (ValueError, IndexError) as error:
            result = repr(error)
        found.append((result, int(count), total.numpy().tolist()))
    return found


def test_errors_and_state_are_those_of_the_numpy_executor(register: Any) -> None:
    engine = register(Toy())
    assert item_and_state("toy") == item_and_state("numpy")
    assert engine.runs == 4


def test_room_runs_again(register: Any) -> None:
    register(Toy(lambda outcome: Outcome(Status.ROOM)))
    assert float(scaled()(rt.constant([1.0, 2.5]))[1]) == 3.5


def _raises(outcome: Outcome) -> Any:
    raise RuntimeError("device lost")


def _writes_input(outcome: Outcome) -> Any:
    return outcome._replace(values={0: np.zeros(2, np.float32)})


LIES: dict[str, tuple[Change, str]] = {
    "raises": (_raises, "raised a RuntimeError: device lost"),
    "no status": (lambda outcome: outcome.outputs, "returned a list without a status"),
    "a status of its own": (lambda o: o._replace(status="ok"), "without a status"),
    "too few": (lambda o: o._replace(outputs=o.outputs[:1]), "returned 1 of 2 outputs"),
    "too many": (lambda o: o._replace(outputs=[*o.outputs] * 2), "returned 4 of 2 outputs"),
    "another dtype": (
        lambda o: o._replace(outputs=[o.outputs[0].astype(np.float64), o.outputs[1]]),
        r"returned float64\[2\] as output 0, which is float32 of shape",
    ),
    "another shape": (
        lambda o: o._replace(outputs=[o.outputs[0], np.zeros(3, np.float32)]),
        r"returned float32\[3\] as output 1",
    ),
    "no array": (lambda o: o._replace(outputs=[None, 3.0]), "returned a NoneType as output 0"),
    "no outputs": (lambda o: o._replace(outputs=None), "raised a TypeError"),
    "a refusal of nothing": (lambda o: Outcome(Status.REFUSED), "refused no node"),
    "a text as refusals": (
        lambda o: Outcome(Status.REFUSED, refused="no"),  # type: ignore[arg-type]
        "returned a str in the place of refusals",
    ),
    "a write to an input": (_writes_input, "assigned input 0, which the graph does not assign"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_wrong_answer_warns_and_is_discarded(name: str, register: Any) -> None:
    lie, told = LIES[name]
    register(Toy(lie))
    with pytest.warns(EngineWarning, match=f"the engine toy .*{told}"):
        found = scaled()(rt.constant([1.0, 2.5]))
    assert [each.numpy().tolist() for each in found] == [[3.0, 7.5], 3.5]


WRONG_VALUES: dict[str, tuple[Any, str]] = {
    "dtype": (np.zeros(2, np.float64), r"assigned float64\[2\] to variable 'scale:0'"),
    "shape": (np.zeros((2, 2), np.float32), r"assigned float32\[2, 2\] to variable 'scale:0'"),
    "no array": (None, "assigned a NoneType to variable 'scale:0'"),
}


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_a_wrong_value_of_a_variable_changes_nothing(name: str, register: Any) -> None:
    value, told = WRONG_VALUES[name]
    register(Toy(lambda o: o._replace(values=dict.fromkeys(o.values, value))))
    scale, count = rt.Variable([1.0, 2.0], name="scale"), rt.Variable(0)

    @ag.function(executor="toy")
    def f(x: Any) -> Any:
        scale.assign(scale * x)
        return count + 1

    with pytest.warns(EngineWarning, match=told):
        assert int(f(rt.constant(2.0))) == 1
    assert scale.numpy().tolist() == [2.0, 4.0]


def test_a_run_without_the_value_of_an_assigned_variable_changes_nothing(register: Any) -> None:
    register(Toy(lambda o: o._replace(values={})))
    scale = rt.Variable([1.0, 2.0], name="scale")
    f = ag.function(lambda x: scale.assign(scale * x), executor="toy")
    with pytest.warns(EngineWarning, match="has no value for variable 'scale:0', which the graph"):
        f(rt.constant(2.0))
    assert scale.numpy().tolist() == [2.0, 4.0]


def test_a_variable_that_gets_its_old_value_again_is_assigned(register: Any) -> None:
    register(Toy())
    scale = rt.Variable([1.0, 2.0])

    @ag.function(executor="toy")
    def f(x: Any) -> Any:
        old = scale.read_value()
        scale.assign(scale * x)
        scaled = scale * 1.0
        scale.assign(old)
        return scaled

    with warnings.catch_warnings():
        warnings.simplefilter("error", EngineWarning)
        assert f(rt.constant(2.0)).numpy().tolist() == [2.0, 4.0]
    assert scale.numpy().tolist() == [1.0, 2.0]


def test_an_error_of_the_form_of_good_runs_is_an_error(register: Any) -> None:
    form, engine = object(), register(Toy())
    engine.lie = lambda o: o._replace(form=form)
    f, x = scaled(), rt.constant([1.0, 2.5])
    assert float(f(x)[1]) == 3.5
    engine.lie = lambda o: Outcome(Status.ERROR, form=form)
    assert float(f(x)[1]) == 3.5


def _boom(*args: Any) -> Any:
    raise RuntimeError("boom")


BROKEN: dict[str, tuple[str, Any, str]] = {
    "compile raises": ("compile", _boom, "raised a RuntimeError: boom"),
    "no program": ("compile", lambda graph: None, "compiled the graph to a NoneType, which is no"),
    "refusals raises": ("refusals", _boom, "raised a RuntimeError: boom"),
    "no refusals": ("refusals", lambda graph: None, "returned a NoneType in the place of refusals"),
    "texts": ("refusals", lambda graph: ["no"], "returned a str in the place of a refusal"),
    "no reason": (
        "refusals",
        lambda graph: [Refusal("add", None)],  # type: ignore[arg-type]
        "refused a node without the name of the op, or without a reason",
    ),
    "no line": (
        "refusals",
        lambda graph: [Refusal("add", "no", 3)],  # type: ignore[arg-type]
        "refused 'add' at an int, not a line",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("fallback", (False, True))
def test_an_engine_that_breaks_before_a_run_warns(name: str, fallback: bool, register: Any) -> None:
    method, lie, told = BROKEN[name]
    engine = register(Toy())
    setattr(engine, method, lie)
    f, x = scaled(fallback=fallback), rt.constant([1.0, 2.5])
    with pytest.warns(EngineWarning, match=f"the engine toy {told}.*: the NumPy executor runs"):
        assert float(f(x)[1]) == 3.5
    assert f"the engine toy {told.split(',')[0]}" in str(ag.explain(f, x))


@pytest.mark.parametrize(
    "lie, told",
    (
        (_boom, "raised a RuntimeError: boom"),
        (lambda array: "no copy", r"copied float32\[2\] to a str"),
        (lambda array: array.astype(np.float64), r"copied float32\[2\] to float64\[2\]"),
    ),
)
def test_a_copy_that_the_engine_does_not_make_warns(lie: Any, told: str, register: Any) -> None:
    engine = Toy()
    engine.array_types, engine.to_device = (), lie  # type: ignore[attr-defined]
    register(engine)
    v = rt.Variable([1.0, 2.0])
    for f in (scaled(), ag.function(lambda x: (x, rt.reduce_sum(x + v * 0.0)), executor="toy")):
        x = rt.constant([1.0, 2.5])
        with pytest.warns(
            EngineWarning, match=f"the engine toy {told}: it gets the array of NumPy"
        ):
            found = [float(f(x)[1]) for _ in range(4)]
        assert found == [3.5] * 4


class _Breaks:
    """A program whose other attributes break the contract."""

    def __init__(self, program: Any, name: str) -> None:
        self.run, self.name = program.run, name

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("boom") if name == self.name else AttributeError(name)


@pytest.mark.parametrize("name", ("source", "refusals", "direct", "changed"))
def test_an_attribute_of_a_program_that_raises_warns(name: str, register: Any) -> None:
    engine = register(Toy())
    compiled = engine.compile
    engine.compile = lambda graph: _Breaks(compiled(graph), name)
    f, x = scaled(), rt.constant([1.0, 2.5])
    with pytest.warns(EngineWarning, match="the engine toy raised a RuntimeError: boom"):
        assert float(f(x)[1]) == 3.5
        ag.explain(f, x)
        assert f.get_concrete_function(x).executable.source in ("", "toy f")


def test_an_engine_cannot_change_its_inputs(register: Any) -> None:
    class Overwrites(Toy):
        def compile(self, graph: Graph) -> Any:
            program = super().compile(graph)

            class Program:
                source = ""

                def run(self, inputs: Sequence[Array]) -> Outcome:
                    inputs[0][...] = 0
                    return program.run(inputs)

            return Program()

    register(Overwrites())
    total = ag.function(lambda x: rt.reduce_sum(x), executor="toy")
    x = rt.constant([1.0, 2.5])
    with pytest.warns(EngineWarning, match="read-only"):
        assert float(total(x)) == 3.5
    assert x.numpy().tolist() == [1.0, 2.5]


def test_one_variable_in_two_places_is_one_variable(register: Any) -> None:
    found = []
    for executor in ("numpy", "toy"):
        register(Toy())
        one, other = rt.Variable(1.0), rt.Variable(1.0)

        @ag.function(executor=executor)
        def f(v: Any, w: Any) -> Any:
            v.assign_add(1.0)
            w.assign_add(10.0)
            return v * 1.0

        executable = f.get_concrete_function(one, other).executable
        found.append((float(executable.run([one, one])[0]), float(one)))
    assert found == [(12.0, 12.0)] * 2


# -- graphs that an engine refuses -----------------------------------------------------------------


def test_a_refused_node_is_named_with_its_line(register: Any) -> None:
    register(Toy(refused=["reduce_sum"]))
    with pytest.raises(UnimplementedError) as caught:
        scaled()(rt.constant([1.0, 2.5]))
    told, place, advice = str(caught.value).splitlines()
    assert told == "'reduce_sum' does not run in the engine toy, which has no kernel for it"
    assert place.startswith(f"  at {__file__}:") and place.endswith(", in f")
    assert "fallback=True" in advice
    assert caught.value.origin is not None
    assert caught.value.origin.line_text() == "return total, rt.reduce_sum(x)"


def test_fallback_runs_a_refused_graph(register: Any) -> None:
    engine = register(Toy(refused=["reduce_sum"]))
    assert float(scaled(fallback=True)(rt.constant([1.0, 2.5]))[1]) == 3.5
    assert engine.runs == 0


def test_a_run_that_cannot_be_taken_back_is_refused(register: Any) -> None:
    register(Toy(refused=["print"]))

    @ag.function(executor="toy")
    def f(x: Any) -> Any:
        rt.print(x)
        return x + rt.random.uniform(())

    with pytest.raises(UnimplementedError) as caught:
        f(rt.constant(1.0))
    told = [line for line in str(caught.value).splitlines() if "does not run" in line]
    assert told == [
        f"'{op}' does not run in the engine toy, which has no way to take it back"
        for op in ("print", "random_uniform")
    ]


# -- the other users of graphs ---------------------------------------------------------------------


def test_gradients_run_in_the_engine(register: Any) -> None:
    engine = register(Toy())

    @ag.function(executor="toy")
    def cube(x: Any) -> Any:
        y = x
        for _ in range(2):
            y = y * x
        return y

    x = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = cube(x)
    runs = engine.runs
    assert (float(y), float(tape.gradient(y, x)), runs > 0) == (8.0, 12.0, True)
    assert engine.runs > runs


def test_a_graph_is_freed_with_its_function(register: Any) -> None:
    for executor in ("interpreter", "toy"):
        register(Toy())
        f = scaled(executor)
        f(rt.constant([1.0, 2.5]))
        graph = weakref.ref(f.get_concrete_function(rt.constant([1.0, 2.5])).graph)
        del f
        gc.collect()
        assert graph() is None, executor


# -- names -----------------------------------------------------------------------------------------


def test_the_interpreter_is_an_executor() -> None:
    f = scaled("interpreter")
    assert [each.numpy().tolist() for each in f(rt.constant([1.0, 2.5]))] == [[3.0, 7.5], 3.5]
    assert "while_loop" in f.get_concrete_function(rt.constant([1.0, 2.5])).executable.source


def test_names_are_checked() -> None:
    assert executor_names()[:2] == ["numpy", "interpreter"]
    with pytest.raises(ArgumentValueError, match="executor must be one of 'numpy', 'interpreter'"):
        scaled("no_such")
    toy = Toy()
    toy.name = "numpy"
    with pytest.raises(ArgumentValueError, match="cannot be called 'numpy'"):
        register_engine(toy)


def test_what_is_no_name_and_no_engine_is_named() -> None:
    with pytest.raises(ArgumentValueError, match=r"executor must be one of .*, not \['jax'\]"):
        scaled(["jax"])  # type: ignore[arg-type]
    with pytest.raises(DTypeError, match="fallback must be True or False, not 'yes'"):
        scaled("numpy", fallback="yes")
    for given in (3, None, Toy):
        with pytest.raises(ArgumentValueError, match="an engine must be an object with a name and"):
            ag.register_engine(given)  # type: ignore[arg-type]
    wrong = {
        "name": (5, "must be a text, not 5"),
        "array_types": ([int], "a tuple of classes, not"),
    }
    for name, (value, told) in wrong.items():
        toy = Toy()
        setattr(toy, name, value)
        with pytest.raises(ArgumentValueError, match=told):
            ag.register_engine(toy)
    toy = Toy()
    toy.array_types = (int,)  # type: ignore[attr-defined]
    with pytest.raises(ArgumentValueError, match="has array_types, and needs a method to_device"):
        ag.register_engine(toy)


def test_a_variable_of_the_environment_chooses(tmp_path: Any) -> None:
    text = (
        "import autograph as ag, runtime as rt\n"
        "f = ag.function(lambda x: x + 1)\n"
        "print(int(f(rt.constant(2))), f.get_concrete_function(rt.constant(2)).executable.source)\n"
    )
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    found = {}
    for name in ("interpreter", "numpy", "none"):
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")],
            env={**os.environ, "AUTOGRAPH_EXECUTOR": name},
            capture_output=True,
            text=True,
        )
        found[name] = done.stdout + done.stderr
    assert found["interpreter"].startswith("3 graph <lambda>(")
    assert found["numpy"].startswith("3 def _lambda_(x):")
    assert (
        "AUTOGRAPH_EXECUTOR must be one of 'numpy', 'interpreter', 'jax', not 'none'"
        in found["none"]
    )

"""The overhead of each way of calling a Function over running its graph, in plain Python calls.

The unit is one call of `f(x)` in plain Python in the same run, which reflects the current speed of
the machine. A function that makes as many arrays of the same kinds replaces the graph, and its own
time is subtracted: so only the overhead of the call remains. The last rows are eager ops, compared
with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from tools.bench import clock
from tools.bench.lines import Bar, Line, row

Run = Callable[[], object]

# On a machine with 25 ns per f(x), these are 1.5 and 4 microseconds.
ONE, MORE = Bar(60.0), Bar(160.0)


@dataclass(frozen=True)
class Call:
    """One way of calling.

    Attributes:
        name: the head of its row.
        call: makes the call.
        run: runs only the graph, on the arrays of the call; None if there is no graph.
        bar: the limit of the difference, in plain Python calls.
    """

    name: str
    call: Run
    run: Run | None = None
    bar: Bar | None = None


def add(x: Any, y: Any = 1.0) -> Any:
    return x + y


def double(x: Any) -> Any:
    return x + x


def three(x: Any, y: Any, z: Any) -> Any:
    return x + y


def keywords(x: Any, *, scale: Any = 2.0, shift: Any = 0.0) -> Any:
    return x * scale


def of_list(xs: Any) -> Any:
    return xs[0] + xs[1]


def of_dict(batch: Any) -> Any:
    return batch["x"] + batch["y"]


def pair(x: Any) -> Any:
    return x + x, x * x


def named(x: Any) -> Any:
    return {"sum": x + x, "product": x * x}


def nothing(x: Any) -> None:
    return None


class Model:
    """An object with a traced method."""

    def __init__(self) -> None:
        self.weight = rt.Variable(np.ones(100, np.float32))

    @ag.function
    def step(self, x: Any) -> Any:
        return x + self.weight

    @ag.function
    def plain(self, x: Any) -> Any:
        return x + x


def traced(function: Any, *args: Any, **kwargs: Any) -> tuple[Run, Run]:
    """Return one function that calls a Function, and one that runs the graph of that call."""
    return _called(ag.function(function), args, kwargs)


def _called(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Run, Run]:
    function(*args, **kwargs)
    (concrete,) = function.traces.traces()
    call = (lambda: function(*args, **kwargs)) if kwargs else _positional(function, args)
    return call, _stands_in(concrete)


def _positional(function: Any, args: Sequence[Any]) -> Run:
    if len(args) == 1:
        (x,) = args
        return lambda: function(x)
    if len(args) == 2:
        x, y = args
        return lambda: function(x, y)
    x, y, z = args
    return lambda: function(x, y, z)


def _stands_in(concrete: ag.ConcreteFunction) -> Run:
    """Replace a graph by another function, and return a function that calls only that."""
    specs: Any = [each.spec for each in concrete.graph.outputs]
    made = [np.zeros(tuple(spec.shape), spec.dtype.np_dtype) for spec in specs]
    copies = [array.copy for array in made]

    def function(*arrays: Any) -> tuple[Any, ...]:
        return tuple([copy() for copy in copies])

    concrete.executable.function = function
    concrete.executable.run = lambda arrays: function(*arrays)
    return lambda: function(made)


def _constant(value: Any) -> Any:
    return rt.constant(value)


def calls() -> list[Call]:
    """The ways of calling that are measured."""
    a = np.ones(100, np.float32)
    x, n = _constant(a), _constant(1.0)
    v, model = rt.Variable(a), Model()
    fixed = ag.function(double, input_signature=[rt.TensorSpec([100], rt.float32)])
    concrete = ag.function(double).get_concrete_function(x)
    run = _stands_in(concrete)
    return [
        Call("one tensor", *traced(double, x), ONE),
        Call("three tensors", *traced(three, x, x, x), MORE),
        Call("a scalar tensor", *traced(double, n), ONE),
        Call("a tensor and a Python number", *traced(add, x, 2.0), MORE),
        Call("a tensor, a default", *traced(add, x), MORE),
        Call("a tensor, a keyword", *traced(keywords, x, scale=3.0), MORE),
        Call("a NumPy array", *traced(double, a), MORE),
        Call("a Variable", *traced(double, v), MORE),
        Call("a list of tensors", *traced(of_list, [x, x]), MORE),
        Call("a dict of tensors", *traced(of_dict, {"x": x, "y": x})),
        Call("a method", *_method(Model.plain, model, x), MORE),
        Call("a method that reads a Variable", *_method(Model.step, model, x), MORE),
        Call("an input signature", *_called(fixed, (x,), {}), ONE),
        Call("a concrete function", lambda: concrete(x), run, ONE),
        Call("a tuple of results", *traced(pair, x), MORE),
        Call("a dict of results", *traced(named, x), MORE),
        Call("no result", *traced(nothing, x), ONE),
    ]


def _method(function: Any, model: Model, x: Any) -> tuple[Run, Run]:
    _, run = _called(function.__get__(model, Model), (x,), {})
    name = function.__name__
    return (lambda: model.plain(x)) if name == "plain" else (lambda: model.step(x)), run


def eager_calls() -> list[Call]:
    """Return the calls of eager ops."""
    a = np.ones(100, np.float32)
    x, n, v = _constant(a), _constant(1.0), rt.Variable(a)
    return [
        Call("x + x", lambda: x + x, lambda: np.add(a, a)),
        Call("x + 1.0", lambda: x + 1.0, lambda: np.add(a, 1.0)),
        Call("x + a, of NumPy", lambda: x + a, lambda: np.add(a, a)),
        Call("x < x", lambda: x < x, lambda: np.less(a, a)),
        Call("rt.exp(x)", lambda: rt.exp(x), lambda: np.exp(a)),
        Call("variable + x", lambda: v + x, lambda: np.add(a, a)),
        Call("variable.assign_add(x)", lambda: v.assign_add(x), lambda: np.add(a, a)),
        Call("x[0]", lambda: x[0], lambda: a[0]),
        Call("x.numpy()", lambda: x.numpy(), lambda: a.copy()),
        Call("bool(n)", lambda: bool(n), lambda: bool(n._array)),
        Call("float(n)", lambda: float(n), lambda: float(n._array)),
        Call("x.shape", lambda: x.shape, lambda: a.shape),
        Call("iter(x), all rows", lambda: list(x), lambda: list(a)),
        Call("rt.constant(1.0)", lambda: rt.constant(1.0), lambda: np.array(1.0, np.float32)),
    ]


def lines(repeats: int, rounds: int) -> Iterator[Line]:
    """Measure the calls, `repeats` times in each round, and yield the table."""
    a = np.ones(100, np.float32)
    unit, numpy = _measured([lambda: nothing(a), lambda: np.add(a, a)], repeats, rounds)
    yield Line(row("calls of plain Python: f(x)", clock.readable(unit)))
    yield Line(row("np.add of 100 floats", clock.readable(numpy)))
    for title, those in (("a call of a Function", calls()), ("at once", eager_calls())):
        yield Line(row(title, "time", "the work", "over it", "in f(x)"))
        for each in those:
            yield _line(each, repeats, rounds)


def _line(each: Call, repeats: int, rounds: int) -> Line:
    runs = [lambda: nothing(None), each.call, each.run or _no_work]
    unit, whole, work = _measured(runs, repeats, rounds)
    over = (whole - work) / unit
    cells = [clock.readable(seconds) for seconds in (whole, work, max(whole - work, 0.0))]
    missed = each.bar.missed(each.name, over) if each.bar is not None else ()
    return Line(row(f"  {each.name}", *cells, f"{over:.1f}"), missed)


def _no_work() -> None:
    return None


def _measured(runs: Sequence[Run], repeats: int, rounds: int) -> list[float]:
    """Return the shortest time of each run, in seconds; the runs take turns."""
    loop = [()] * repeats
    empty, *best = clock.best_in_turn(
        [lambda run=run: clock.cpu_seconds(run, loop) for run in (_no_work, *runs)],  # type: ignore[misc]
        rounds,
    )
    # The unit is measured inside a function: two calls less one.
    return [max((seconds - empty) / repeats, 1e-9) for seconds in best]

"""Random `try` statements, raises and functions that call themselves, as nodes of random graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import runtime as rt
from autograph import do_not_convert
from runtime.core.context import current_recorder
from runtime.core.variant import VARIANT
from runtime.graph import Graph
from runtime.graph.recursion import callee_of, record_call, record_recursion
from runtime.graph.try_region import TryGraph, record_try
from runtime.ops.effects.raising import raise_error
from runtime.ops.effects.try_ops import (
    NOTE,
    ExceptionParts,
    NotedVariables,
    Reraise,
    from_exception,
    leave_try,
    raise_again,
)
from runtime.ops.op import as_array

if TYPE_CHECKING:
    from tests.runtime.passes.random_graphs import _Maker

KINDS: tuple[tuple[type[BaseException], ...], ...] = (
    (ZeroDivisionError,),
    (ValueError,),
    (KeyError, IndexError),
    (AssertionError,),
    (Exception,),
    (BaseException,),
)
ERRORS = (ValueError, KeyError, RuntimeError, SystemExit)
TEXT = rt.TensorSpec((), rt.string)


class _Guard:
    """Is notified of nodes that may raise, and does nothing."""

    def before_node(self, *args: Any) -> None:
        pass

    def catches(self, kinds: Any) -> bool:
        return False


def raised(maker: _Maker) -> None:
    """Write a raise that is reached for some arguments, maybe with a value in it."""
    random = maker.random
    kind, number = random.choice(ERRORS), random.randrange(100)
    held = (maker.one(),) if random.random() < 0.4 else ()
    spec = rt.TensorSpec((), "int32")

    @do_not_convert
    def fails() -> Any:
        raise_error(kind(f"error {number}", *held))
        return [rt.constant(0, "int32")]

    @do_not_convert
    def handler_body() -> Any:
        return [rt.identity(maker.one(spec.dtype.name, ()))]

    ways = (fails, handler_body) if random.random() < 0.5 else (handler_body, fails)
    maker.keep(*rt.cond(maker.one("bool", ()), *ways))


def tried(maker: _Maker) -> None:
    """Write a `try`: notes between nodes that may raise, an `else`, handlers that do anything."""
    random, outer = maker.random, current_recorder()
    assert isinstance(outer, Graph)
    results = [_spec_of(maker.one()) for _ in range(random.randrange(3))]
    initial = [maker.one() for _ in range(random.randrange(3))]
    noted = [_spec_of(each) for each in initial]
    body = TryGraph("try", outer, _Guard())
    body.begin()
    maker.records.append((body.record_handle, noted))
    with body.recording():
        body.set_outputs(maker._inside(lambda: _ended(maker, body, results)))
    maker.records.pop()
    kinds = random.sample(KINDS, random.randrange(1, 4))
    handlers = [_handler(maker, outer, noted, results) for _ in kinds]
    maker.keep(*record_try(body, handlers, kinds, initial))


def _ended(maker: _Maker, body: TryGraph, specs: Sequence[Any]) -> list[Any]:
    if maker.random.random() < 0.4:
        maker.records.pop()
        leave_try(body.record_handle)
        maker.nodes(maker.random.randrange(4))
        maker.records.append((body.record_handle, ()))
    return [_one_like(maker, spec) for spec in specs]


def _handler(maker: _Maker, outer: Graph, noted: Sequence[Any], specs: Sequence[Any]) -> Graph:
    random, region = maker.random, Graph("except", outer)
    caught = region.add_input(VARIANT, "caught")
    found = [region.add_input(spec, "noted") for spec in noted]

    def results() -> list[Any]:
        if random.random() < 0.3:
            rt.print("caught", *from_exception(caught, ExceptionParts("str", _text_of), [TEXT]))
        if random.random() < 0.2:
            raise_again(caught, Reraise((BaseException,)))
        return [_one_like(maker, spec) for spec in specs]

    with region.recording():
        region.set_outputs(maker._inside(results, found))
    return region


def note(maker: _Maker) -> None:
    """Write a note of the values that the handlers of a `try` around are to find."""
    if not maker.records:
        return
    record, specs = maker.random.choice(maker.records)
    places = [at for at in range(len(specs)) if maker.random.random() < 0.8]
    values = [_one_like(maker, specs[at]) for at in places]
    graph = current_recorder()
    assert isinstance(graph, Graph)
    names = tuple(f"v{at}" for at in places)
    graph.record(NOTE, [record, *values], {"noted": NotedVariables(names, places)})


def recursed(maker: _Maker) -> None:
    """Write a function that calls itself a few times, with effects before and behind the call."""
    random, outer = maker.random, current_recorder()
    assert isinstance(outer, Graph)
    given = [rt.minimum(maker.one("int32", ()), 4), *(maker.one() for _ in range(2))]
    specs = [_spec_of(each) for each in given]
    maker.recursions += 1
    region = Graph(f"again_{maker.recursions}", outer)
    region.is_called = True
    inputs = [region.add_input(spec, f"p{at}") for at, spec in enumerate(specs)]
    captured = [*maker.variables, *(record for record, _ in maker.records)]
    for each in captured:
        region.capture(each)
    callee = callee_of(region, captured, specs, "write")
    # What is around would be captured, and calls are to know all that is.
    around, maker.pool = maker.pool, []
    called, maker.called = maker.called, maker.called[:1]

    @do_not_convert
    def deeper() -> Any:
        values = [_one_like(maker, spec) for spec in specs[1:]]
        found = record_call(callee, [inputs[0] - 1, *values], captured)
        maker.keep(*found)
        maker.nodes(random.randrange(3))
        return [rt.identity(_one_like(maker, spec)) for spec in specs]

    @do_not_convert
    def ended() -> Any:
        return [rt.identity(_one_like(maker, spec)) for spec in specs]

    def results() -> list[Any]:
        rt.print("level", inputs[0])
        maker.variables[0].assign_add(1.0)
        return list(rt.cond(inputs[0] > 0, deeper, ended))

    try:
        with region.recording():
            region.set_outputs(maker._inside(results, inputs))
        if len(region.captures) != len(captured):
            return
    finally:
        maker.pool, maker.called = around, called
    maker.keep(*record_recursion(region, given))


def _spec_of(tensor: Any) -> Any:
    return rt.TensorSpec(tensor.shape, tensor.dtype)


def _one_like(maker: _Maker, spec: Any) -> Any:
    return maker.one(spec.dtype.name, tuple(spec.shape.dims or ()))


def _text_of(error: BaseException) -> list[Any]:
    return [as_array(f"{type(error).__name__} {getattr(error, 'message', error)}".encode())]

"""Functions keep their signatures: plain ones, with options, methods, and concrete functions."""

from __future__ import annotations

from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor


@ag.function
def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


@ag.function(input_signature=[rt.TensorSpec((), rt.float32)], reduce_retracing=True)
def parts(x: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    return x, {"half": x / 2}


@ag.function(guards="warn", dtype_join="strict", include=["statistics"], parallel=False)
def clipped(x: Tensor, *, low: float = 0.0) -> Tensor:
    if x < low:
        return x * 0.0
    return x


class Scale:
    """An object with a method that runs as a graph."""

    def __init__(self, by: float) -> None:
        self.by = rt.Variable(by)

    @ag.function
    def step(self, x: Tensor, *, training: bool = False) -> Tensor:
        if training:
            self.by.assign_add(1.0)
        return x * self.by

    @ag.function(reduce_retracing=True)
    def both(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x * self.by, y * self.by

    @property
    @ag.function
    def doubled(self) -> Tensor:
        return self.by * 2.0


@ag.convert
def halved(x: Tensor) -> Tensor:
    return x // 2 if x > 1 else x


@ag.convert(recursive=False)
def kept(x: Tensor, n: int) -> Tensor:
    return x * n


@ag.do_not_convert
def shown(x: Tensor) -> str:
    return str(x.dtype.name)


x = rt.constant(3.0)
assert_type(scaled(x), Tensor)
assert_type(scaled(x, factor=3), Tensor)
assert_type(parts(x), tuple[Tensor, dict[str, Tensor]])
assert_type(clipped(x, low=1.0), Tensor)
assert_type(halved(rt.constant(4)), Tensor)
assert_type(kept(x, 2), Tensor)
assert_type(shown(x), str)

model = Scale(2.0)
assert_type(model.step(x), Tensor)
assert_type(model.step(x, training=True), Tensor)
assert_type(Scale.step(model, x), Tensor)
assert_type(model.both(x, y=x), tuple[Tensor, Tensor])
assert_type(model.doubled, Tensor)

concrete = scaled.get_concrete_function(rt.TensorSpec((), rt.float32))
assert_type(concrete(x), Tensor)
assert_type(model.step.get_concrete_function(x)(x), Tensor)
assert_type(concrete.graph, rt.Graph)
assert_type(concrete.name, str)
assert_type(concrete.pretty_printed_signature(), str)
assert_type(concrete.variables, tuple[rt.Variable, ...])
assert_type(scaled.experimental_get_tracing_count(), int)
assert_type(scaled.python_function(x, 2), Tensor)

assert_type(ag.to_code(scaled.python_function), str)
assert_type(ag.to_graph(scaled.python_function)(x), Tensor)
assert_type(str(ag.explain(scaled)), str)
assert_type(ag.explain(scaled, x).call, str)
assert_type(ag.explain(scaled, x).nodes, int)
assert_type(ag.check(halved, [(x,)]).cases[0].case.args, tuple[object, ...])
assert_type(ag.profile(scaled, x).seconds, float)
assert_type(ag.explain_retrace(scaled).count, int)
assert_type(ag.functions_run_eagerly(), bool)

named: ag.Function = scaled
kept_trace: ag.ConcreteFunction = concrete


def mistakes() -> None:
    scaled("a text")  # error
    scaled(x, n=3)  # error
    scaled(x, factor="3")  # error
    model.step(x, trainin=True)  # error
    model.step(model, x)  # error
    model.both(x)  # error
    clipped(x, 1.0)  # error
    ag.function(scaled, reduce_retracin=True)  # error
    ag.function(scaled, guards="of")  # error
    text: str = concrete(x)  # error
    scaled.get_concrete_functio(x)  # error
    ag.functio(scaled)  # error
    ag.to_code(3)  # error
    halved(x, x)  # error
    kept(x, "two")  # error
    print(text)

"""Results of a loop without a known bound: JAX has no reverse-mode gradient of `lax.while_loop`.

The results pass through an operation that returns them. Its forward derivative does the same; its
transposition, the first step of a reverse gradient through the loop, raises an error that names the
loop's line, where JAX's own error names none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import ReverseModeError


def loop_results(values: Sequence[Any], where: SourceLocation | None) -> list[Any]:
    """Return the results of a loop; a reverse gradient through them is refused.

    Raises:
        ReverseModeError: by `jax.grad`, `jax.vjp` and the like.

    >>> import jax
    >>> jax.grad(lambda x: loop_results([x], None)[0])(1.0)
    Traceback (most recent call last):
    ...
    autograph.errors.ReverseModeError: Reverse-mode differentiation does not work for ...
    """
    at = [k for k, each in enumerate(values) if jnp.issubdtype(jnp.result_type(each), jnp.inexact)]
    found = list(values)
    if at:
        for k, value in zip(at, _RESULTS.bind(*[values[k] for k in at], where=where)):
            found[k] = value
    return found


_RESULTS = Primitive("loop_results")
_RESULTS.multiple_results = True
_RESULTS.def_impl(lambda *values, where: list(values))
_RESULTS.def_abstract_eval(lambda *avals, where: list(avals))
batching.primitive_batchers[_RESULTS] = lambda values, axes, where: (
    _RESULTS.bind(*values, where=where),
    axes,
)
mlir.register_lowering(_RESULTS, lambda context, *values, where: list(values))


def _forward(
    primals: Sequence[Any], tangents: Sequence[Any], where: SourceLocation | None
) -> tuple[Any, Any]:
    dense = [ad.instantiate_zeros(tangent) for tangent in tangents]
    return _RESULTS.bind(*primals, where=where), _RESULTS.bind(*dense, where=where)


def _transposed(cotangents: Any, *values: Any, where: SourceLocation | None) -> NoReturn:
    raise ReverseModeError(
        "Reverse-mode differentiation does not work for lax.while_loop, which this loop becomes: "
        "say how many iterations it has at most, with autograph.set_loop_options("
        "maximum_iterations=...) in it or convert(maximum_iterations=...), or use jax.jvp",
        where,
    )


ad.primitive_jvps[_RESULTS] = _forward
ad.primitive_transposes[_RESULTS] = _transposed

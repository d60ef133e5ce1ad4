"""Results of a loop without a known bound, and of one that its bound may have ended.

JAX has no reverse-mode gradient of `lax.while_loop`. The results pass through an operation that
returns them. Its forward derivative does the same; its transposition, the first step of a reverse
gradient through the loop, raises an error that names the loop's line, where JAX's own error names
none.

The results of a loop with `maximum_iterations` pass through one that checks, under `checkify`, that
the loop has ended by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import ReverseModeError
from autograph.jax.internals import check_by_checkify


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


def bounded_results(
    values: Sequence[Any], is_over: Any, most: int, where: SourceLocation | None
) -> list[Any]:
    """Return the results of a loop with a bound; `checkify` finds one that goes on.

    Args:
        values: the results.
        is_over: whether the condition of the loop fails after the last iteration.
        most: the bound.
    """
    return _BOUNDED.bind(is_over, *values, most=most, where=where) if values else []


def _message_of_bound(most: int, where: SourceLocation | None) -> str:
    line = "" if where is None else f" ({where.filename}:{where.line})"
    return f"this loop goes on after maximum_iterations={most}{line}".replace("{", "{{")


_BOUNDED = Primitive("bounded_results")
_BOUNDED.multiple_results = True
_BOUNDED.def_impl(lambda is_over, *values, **_: list(values))
_BOUNDED.def_abstract_eval(lambda is_over, *avals, **_: list(avals))
batching.primitive_batchers[_BOUNDED] = lambda operands, axes, **parameters: (
    _BOUNDED.bind(*operands, **parameters),
    axes[1:],
)
mlir.register_lowering(_BOUNDED, lambda context, is_over, *values, **_: list(values))
ad.primitive_jvps[_BOUNDED] = lambda primals, tangents, **parameters: (
    _BOUNDED.bind(*primals, **parameters),
    tangents[1:],
)
check_by_checkify(_BOUNDED, _message_of_bound)

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

"""The ops that own regions: `cond`, `while_loop`, `switch_case`, `try_except`.

They have no kernel: executors run the regions. This module infers the results.

    cond         (pred, *captures)                 regions: then, orelse
    while_loop   (*loop variables, *captures)      regions: test, body
    switch_case  (index, *captures)                regions: one per branch; the last is the default
    try_except   (*noted values, *captures)        regions: body, one per handler
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from runtime.core import dtypes
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError, GraphError, ShapeError
from runtime.graph.graph import Graph
from runtime.ops.op import define

CONDITION_DTYPES = (dtypes.bool_,)
INDEX_DTYPES = (dtypes.int32, dtypes.int64)


# -- inference -------------------------------------------------------------------------------------


def _infer_cond(
    pred: TensorSpec,
    *operands: TensorSpec,
    regions: Sequence[Graph],
    exits: tuple[tuple[int, str], ...] = (),
) -> tuple[TensorSpec, ...]:
    _check_count("the node", len(regions), 2, "branches")
    check_scalar(pred, CONDITION_DTYPES, "the condition")
    return _infer_branches(operands, regions)


def _infer_switch(
    index: TensorSpec, *operands: TensorSpec, regions: Sequence[Graph]
) -> tuple[TensorSpec, ...]:
    check_scalar(index, INDEX_DTYPES, "the branch index")
    return _infer_branches(operands, regions)


def _infer_while(
    *operands: TensorSpec,
    regions: Sequence[Graph],
    variables: int,
    exits: tuple[tuple[int, str], ...] = (),
    maximum_iterations: int | None = None,
) -> tuple[TensorSpec, ...]:
    _check_count("the node", len(regions), 2, "regions")
    test, body = regions
    specs = tuple(tensor.spec for tensor in body.parameters)
    for region in regions:
        _check_count(f"'{region.name}'", len(region.parameters), variables, "loop variables")
    _check_count(f"'{test.name}'", len(test.outputs), 1, "outputs")
    _check_count(f"'{body.name}'", len(body.outputs), variables, "outputs")
    check_scalar(test.outputs[0].spec, (dtypes.bool_,), "the loop's test")
    if not 0 <= variables <= len(operands) or not all(0 <= at < variables for at, _ in exits):
        raise GraphError(f"the loop has no {variables} variables")
    for position, spec in enumerate(specs):
        name = body.parameters[position].node.name
        check_fits(operands[position], spec, f"loop variable '{name}'", "before the loop")
        check_fits(
            body.outputs[position].spec, spec, f"loop variable '{name}'", "after an iteration"
        )
    for region in regions:
        _check_operands(region, operands)
    return specs


def _infer_try(
    *operands: TensorSpec,
    regions: Sequence[Graph],
    kinds: tuple[tuple[type[BaseException], ...], ...],
    noted: int,
) -> tuple[TensorSpec, ...]:
    _check_count("the node", len(regions), 1 + len(kinds), "regions")
    if not 0 <= noted <= len(operands) or not kinds:
        raise GraphError(f"the node has {len(operands)} operands, and notes {noted}")
    body, *handlers = regions
    _check_count(f"'{body.name}'", len(body.parameters), 1, "parameters")
    for region in regions:
        if region.parameters and not region.parameters[0].dtype.is_variant:
            raise DTypeError(f"'{region.name}' takes a record or an exception first, a variant")
    for handler in handlers:
        _check_count(f"'{handler.name}'", len(handler.parameters), 1 + noted, "parameters")
        specs = [tensor.spec for tensor in handler.parameters[1:]]
        for position, (found, wanted) in enumerate(zip(operands, specs)):
            check_fits(found, wanted, f"noted value {position}", "before the `try`")
    for region in regions:
        _check_count(f"'{region.name}'", len(region.captures), len(operands) - noted, "captures")
        _check_count(f"'{region.name}'", len(region.outputs), len(body.outputs), "outputs")
    rows = zip(*(region.outputs for region in regions), strict=True)
    return tuple(_join_row(position, [t.spec for t in row]) for position, row in enumerate(rows))


def _infer_branches(
    operands: Sequence[TensorSpec], regions: Sequence[Graph]
) -> tuple[TensorSpec, ...]:
    if not regions:
        raise GraphError("the node has no branches")
    first = regions[0]
    for region in regions:
        _check_operands(region, operands)
        _check_count(f"'{region.name}'", len(region.outputs), len(first.outputs), "outputs")
    rows = zip(*(region.outputs for region in regions), strict=True)
    return tuple(_join_row(position, [t.spec for t in row]) for position, row in enumerate(rows))


def _join_row(position: int, specs: list[TensorSpec]) -> TensorSpec:
    names = [spec.dtype.name for spec in specs]
    if len(set(names)) > 1:
        raise DTypeError(
            f"the branches return different dtypes as result {position}: {', '.join(names)}; "
            "cast one of them (rt.cast)"
        )
    return TensorSpec(reduce(TensorShape.join, [spec.shape for spec in specs]), specs[0].dtype)


# -- checks ----------------------------------------------------------------------------------------


def check_fits(found: TensorSpec, wanted: TensorSpec, what: str, when: str) -> None:
    """Raise DTypeError or ShapeError unless each value of the spec `found` fits `wanted`.

    >>> check_fits(TensorSpec((2,), "int32"), TensorSpec((None,), "int32"), "x", "at first")
    """
    if found.dtype != wanted.dtype:
        raise DTypeError(
            f"{what} is {wanted.dtype.name} but {found.dtype.name} {when}; "
            f"write rt.cast(..., rt.{wanted.dtype.name})"
        )
    if not wanted.shape.contains(found.shape):
        raise ShapeError(
            f"{what} has shape {wanted.shape} but {found.shape} {when}; "
            "keep its shape or allow both with shape_invariants"
        )


def check_arguments(
    name: str, operands: Sequence[TensorSpec], wanted: Sequence[TensorSpec]
) -> None:
    """Raise GraphError, DTypeError or ShapeError unless operands fit the inputs of a callee.

    >>> check_arguments("f", [TensorSpec((2,), "int32")], [TensorSpec((None,), "int32")])
    """
    if len(operands) != len(wanted):
        raise GraphError(f"'{name}' takes {len(wanted)} inputs, got {len(operands)}")
    for position, (operand, spec) in enumerate(zip(operands, wanted)):
        check_fits(operand, spec, f"input {position} of '{name}'", "in a call")


def check_scalar(spec: TensorSpec, allowed: Sequence[dtypes.DType], what: str) -> None:
    """Raise DTypeError or ShapeError unless a spec is a scalar of an allowed dtype.

    >>> check_scalar(TensorSpec((), "bool"), (dtypes.bool_,), "the condition")
    """
    if spec.dtype not in allowed:
        wanted = " or ".join(dtype.name for dtype in allowed)
        raise DTypeError(f"{what} must be {wanted}, found {spec.dtype.name}")
    if spec.shape.rank not in (0, None):
        raise ShapeError(
            f"{what} must be one value, found shape {spec.shape}; "
            "write rt.reduce_any(...) or rt.reduce_all(...)"
        )


def _check_count(what: str, found: int, wanted: int, noun: str) -> None:
    if found != wanted:
        raise GraphError(f"{what} has {found} {noun}, expected {wanted}")


def _check_operands(region: Graph, operands: Sequence[TensorSpec]) -> None:
    inputs = region.inputs
    _check_count(f"'{region.name}'", len(inputs), len(operands), "inputs")
    for inner, spec in zip(inputs, operands, strict=True):
        if not inner.spec.contains(spec):
            raise GraphError(f"'{region.name}' takes {inner.spec} as '{inner.name}', got {spec}")


COND = define("cond", None, _infer_cond, n_outputs=None)
WHILE = define("while_loop", None, _infer_while, n_outputs=None)
TRY = define("try_except", None, _infer_try, n_outputs=None)
SWITCH = define("switch_case", None, _infer_switch, n_outputs=None)

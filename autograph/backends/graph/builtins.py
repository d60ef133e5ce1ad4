"""Builtin functions of Python on tensors.

Each gives what the builtin gives for the numbers the tensor holds; where Python would return an
int or float, the tensor returned adapts to others as such a number does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import runtime as rt
from autograph.backends.graph.iteration import (
    Enumerated,
    SymbolicRange,
    Zipped,
    as_weak,
    length,
)
from autograph.backends.graph.places import user_place
from autograph.backends.graph.truth import truth
from autograph.errors import StagingError

Builtin = Callable[..., object]


def call_builtin(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """Return `name(*args, **kwargs)` where an argument is a tensor.

    Raises:
        StagingError: if the builtin has no meaning on symbolic tensors, or not with these options.
    """
    builtin = BUILTINS.get(name)
    if builtin is None:
        raise StagingError(f"{name}() has no meaning on symbolic tensors", user_place())
    try:
        return builtin(*args, **kwargs)
    except _UnsupportedOption as error:
        raise StagingError(f"{name}() on tensors {error}", user_place()) from None


class _UnsupportedOption(Exception):
    pass


def _range(*bounds: object) -> object:
    if len(bounds) == 1:
        return SymbolicRange(0, bounds[0], 1)
    if len(bounds) == 2:
        return SymbolicRange(bounds[0], bounds[1], 1)
    return SymbolicRange(*bounds)


def _extreme(choose: Builtin, over_rows: Builtin) -> Builtin:
    def extreme(*values: object, **options: object) -> object:
        if options:
            raise _UnsupportedOption(f"takes no {', '.join(options)}: compute it with rt ops")
        if len(values) == 1:
            return over_rows(_vector(values[0]), axis=0)
        return reduce(choose, values)

    return extreme


def _sum(values: object, start: object = 0) -> object:
    total = rt.reduce_sum(_rows(values), axis=0)
    return total if start == 0 and not isinstance(start, rt.Tensor) else rt.add(total, start)


def _any(values: object) -> object:
    return rt.reduce_any(_truths(values), axis=0)


def _all(values: object) -> object:
    return rt.reduce_all(_truths(values), axis=0)


def _int(value: object, *base: object) -> object:
    if base:
        raise _UnsupportedOption("takes no base")
    tensor = _scalar(value)
    wide = tensor.dtype in (rt.int64, rt.uint32, rt.uint64, rt.float64)
    return as_weak(rt.cast(tensor, rt.int64 if wide else rt.int32))


def _float(value: object) -> object:
    tensor = _scalar(value)
    return as_weak(rt.cast(tensor, rt.float64 if tensor.dtype == rt.float64 else rt.float32))


def _round(value: object, digits: object = None) -> object:
    tensor = rt.convert_to_tensor(value)
    if digits is None:
        return _int(rt.round(tensor))
    scale = 10 ** rt.cast(digits, tensor.dtype) if isinstance(digits, rt.Tensor) else 10.0**digits  # type: ignore[operator]
    return rt.round(tensor * scale) / scale


def _pow(base: object, exponent: object, modulus: object = None) -> object:
    power = rt.pow(base, exponent)
    return power if modulus is None else rt.floormod(power, modulus)


def _sorted(values: object, *, key: object = None, reverse: bool = False) -> object:
    if key is not None:
        raise _UnsupportedOption("takes no key: use rt.gather(x, rt.argsort(keys))")
    return rt.sort(_vector(values), direction="DESCENDING" if reverse else "ASCENDING")


def _rows(values: object) -> rt.Tensor:
    tensor = values.tensor() if isinstance(values, SymbolicRange) else rt.convert_to_tensor(values)
    length(tensor)  # A scalar has no rows; this says so.
    return tensor


def _vector(values: object) -> rt.Tensor:
    tensor = _rows(values)
    if tensor.shape.rank not in (1, None):
        raise _UnsupportedOption(
            f"compares rows of shape {tensor.shape[1:]}, which have no one truth value: say which "
            "axis with rt.reduce_max, rt.reduce_min, rt.sort, ..."
        )
    return tensor


def _truths(values: object) -> rt.Tensor:
    tensor = _vector(values)
    return tensor if tensor.dtype == rt.bool else rt.not_equal(tensor, rt.cast(0, tensor.dtype))


def _scalar(value: object) -> rt.Tensor:
    tensor = rt.convert_to_tensor(value)
    if tensor.shape.rank in (0, None):
        return tensor
    if all(d in (1, None) for d in tensor.shape.dims or ()):
        return rt.reshape(tensor, ())
    raise _UnsupportedOption(f"needs one number, not shape {tensor.shape}: write rt.cast(x, ...)")


BUILTINS: Mapping[str, Builtin] = {
    "abs": rt.abs,
    "all": _all,
    "any": _any,
    "bool": truth,
    "divmod": lambda x, y: (rt.floordiv(x, y), rt.floormod(x, y)),
    "enumerate": Enumerated,
    "float": _float,
    "int": _int,
    "len": length,
    "max": _extreme(rt.maximum, rt.reduce_max),
    "min": _extreme(rt.minimum, rt.reduce_min),
    "pow": _pow,
    "range": _range,
    "reversed": lambda values: rt.reverse(_rows(values), [0]),
    "round": _round,
    "sorted": _sorted,
    "sum": _sum,
    "zip": lambda *parts: Zipped(parts),
}

"""Finds the input signature with which one trace serves several calls.

A Python number becomes a tensor. It gets the floating dtype of the tensors in the calls, which it
would adopt in an operation with them; an int that meets only ints, as in `n + 1` or `range(n)`,
gets int32.

f(rt.constant([1.0]), 3), f(rt.constant([1.0, 2.0]), 4)

    ->   input_signature=[rt.TensorSpec((None,), rt.float32), rt.TensorSpec((), rt.int32)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import numpy as np

from autograph.functions.arguments.copies import named_items, refill
from autograph.functions.arguments.key_relations import covering_key, key_of_spec, spec_of
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.signature_text import LiteralText
from autograph.functions.arguments.trace_key import CONTAINERS, UNREAD, Key, key_of
from autograph.functions.effect_analysis.parameter_uses import meeting_numbers
from autograph.functions.trace_cache.key_changes import Part
from runtime import nest
from runtime.core.dtypes import DType, as_dtype, float64
from runtime.core.spec import TensorSpec
from runtime.errors import OpError
from runtime.ops.constant import convert_to_tensor

_WHOLE = ("literal", int)
_FLOAT = ("literal", float)


@dataclass(frozen=True, slots=True)
class CoveringSignature:
    """The input signature with which one trace serves several calls.

    Attributes:
        specs: the input signature; None if no signature does.
        obstacle: the reason, with the name of a parameter, if there is none.
    """

    specs: tuple[Any, ...] | None
    obstacle: str = ""

    def __str__(self) -> str:
        if self.specs is None:
            return self.obstacle
        return f"input_signature=[{', '.join(map(_spec_text, self.specs))}]"


def covering(signature: CallSignature, calls: Sequence[Sequence[Part]]) -> CoveringSignature:
    """Return the narrowest input signature that fits all calls.

    Args:
        signature: the parameters.
        calls: one part per parameter for each call.
    """
    found: list[Any] = []
    held_back: list[Any] = []
    beside = _adopted_dtype(calls)
    alone = _alone(signature, calls) if beside is not None else ()
    for at, parameter in enumerate(signature.parameters):
        parts = [call[at] for call in calls]
        adopted = None if parameter.name in alone else beside
        if _is_left_out(parameter, parts):
            held_back.append(_joined(parts, adopted))
            continue
        if parameter.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
            return CoveringSignature(
                None, f"no signature covers {parameter.name!r}: it goes by keyword"
            )
        is_rest = parameter.kind is Parameter.VAR_POSITIONAL
        specs = [
            *held_back,
            *(_joined_rest(parts, adopted) if is_rest else [_joined(parts, adopted)]),
        ]
        if None in specs:
            return CoveringSignature(None, f"no signature covers {parameter.name!r}: {_why(parts)}")
        found, held_back = found + specs, []
    return CoveringSignature(tuple(found))


def _is_left_out(parameter: Parameter, parts: Sequence[Part]) -> bool:
    """Return whether a parameter has its default, or no argument, in every call."""
    if all(part[0] == UNREAD for part in parts):
        return parameter.default is not Parameter.empty
    if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        return all(not part[0][-1] for part in parts)
    if parameter.default is Parameter.empty:
        return False
    try:
        default = key_of(parameter.default, [], [])
    except (TypeError, OpError):
        return False
    return all(part[0] == default for part in parts)


def _adopted_dtype(calls: Sequence[Sequence[Part]]) -> DType | None:
    """Return the one floating dtype of the tensors in the calls; None if there is no such dtype."""
    found = {
        leaf[1] for call in calls for key, _ in call for leaf in _leaves(key) if leaf[0] == "tensor"
    }
    dtypes = [as_dtype(each) for each in found]
    return dtypes[0] if len(dtypes) == 1 and dtypes[0].is_floating else None


def _alone(signature: CallSignature, calls: Sequence[Sequence[Part]]) -> frozenset[str]:
    """Return the parameters of numbers that meet no tensors, so that they adopt no dtype."""
    kinds = [{call[at][0][:2] for call in calls} for at in range(len(signature.parameters))]
    pairs = list(zip(signature.parameters, kinds))
    whole = [each.name for each, kind in pairs if kind == {_WHOLE}]
    numbers = [each.name for each, kind in pairs if kind <= {_WHOLE, _FLOAT}]
    floats = meeting_numbers(signature.function, numbers, (int, float)) - {*whole}
    return floats | meeting_numbers(signature.function, whole, (int,))


def _joined(parts: Sequence[Part], adopted: DType | None) -> Any:
    """Return the spec, or structure of specs, that covers all parts; None if there is none."""
    keys = [_as_tensors(part, adopted) for part in parts]
    found: Key | None = keys[0]
    for key in keys[1:]:
        found = None if found is None or key is None else covering_key(found, key)
    return None if found is None else _specs(found, parts[0][1])


def _joined_rest(parts: Sequence[Part], adopted: DType | None) -> list[Any]:
    """Return the specs of the values in `*args`."""
    if len({len(key[-1]) for key, _ in parts}) > 1:
        return [None]
    rests = [list(zip(key[-1], value)) for key, value in parts]
    return [_joined(each, adopted) for each in zip(*rests)]


def _as_tensors(part: Part, adopted: DType | None) -> Key | None:
    """Return the key with tensors in place of Python numbers; None if that is impossible."""
    key, value = part
    if key[0] == "tensor":
        return key
    if key[0] in CONTAINERS and any(leaf[0] == "tensor" for leaf in _leaves(key)):
        names, items = named_items(value, key)
        below = [_as_tensors(each, adopted) for each in zip(key[-1], items)]
        return None if None in below else (*key[:-1], tuple(below))
    if not all(leaf[0] in ("literal", UNREAD[0]) for leaf in _leaves(key)) or value is None:
        return None
    if not isinstance(value, (bool, int, float, complex, list, tuple)):
        return None
    try:
        spec = convert_to_tensor(value).spec
        if adopted is not None and (spec.dtype.is_integer or spec.dtype.is_floating):
            spec = TensorSpec(spec.shape, adopted)
        elif spec.dtype.is_floating and np.any(np.isinf(np.asarray(convert_to_tensor(value)))):
            spec = TensorSpec(spec.shape, float64)
    except (OpError, TypeError, ValueError):
        return None
    return key_of_spec(spec)


def _leaves(key: Key) -> list[Key]:
    if key[0] not in CONTAINERS:
        return [key]
    return [leaf for part in key[-1] for leaf in _leaves(part)]


def _specs(key: Key, value: Any) -> Any:
    if key[0] == "tensor":
        return spec_of(key)
    names, items = named_items(value, key)
    return refill(value, key, names, [_specs(*each) for each in zip(key[-1], items)])


def _why(parts: Sequence[Part]) -> str:
    keys = [part[0] for part in parts]
    if all(key[0] == "tensor" for key in keys):
        return "its tensors differ in dtype"
    if any(leaf[0] == "dataset" for key in keys for leaf in _leaves(key)):
        return "a signature is for tensors, and it is a Dataset"
    if any(leaf[0] == "variable" for key in keys for leaf in _leaves(key)):
        return "a signature is for tensors, and it is a Variable"
    if all(key[0] in ("object", "method", "keyed") for key in keys):
        return "it is an object"
    return "its values are not tensors of one dtype"


def _spec_text(spec: Any) -> str:
    if isinstance(spec, TensorSpec):
        dims = spec.shape.dims
        return f"rt.TensorSpec({None if dims is None else tuple(dims)}, rt.{spec.dtype.name})"
    if isinstance(spec, dict):
        return f"{{{', '.join(f'{k!r}: {_spec_text(v)}' for k, v in spec.items())}}}"
    if type(spec) in (list, tuple):
        inside = ", ".join(map(_spec_text, spec))
        if isinstance(spec, list):
            return f"[{inside}]"
        return f"({inside}{',' if len(spec) == 1 else ''})"
    marks = [LiteralText(_spec_text(leaf)) for leaf in nest.flatten(spec)]
    return repr(nest.unflatten(spec, marks))

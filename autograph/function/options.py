"""What a user can ask of a Function."""

from __future__ import annotations

from typing import Any

from autograph.backends.graph.values.dtype_join import DtypeJoin
from autograph.features import Feature
from autograph.function.guards import Policy
from runtime.records import dataclass


@dataclass(frozen=True)
class FunctionOptions:
    """What the user asked of a Function.

    Attributes:
        input_signature: specs that fix the one trace there is, or None.
        autograph: convert Python control flow before tracing.
        reduce_retracing: on a second shape, trace for all shapes.
        include: names of modules whose functions are converted when called.
        strict: refuse to trace what cannot be converted as a whole.
        dtype_join: what becomes of tensors of two dtypes where two paths meet.
        features: extra features of the conversion.
        guards: what becomes of calls when something has changed that a trace has read outside.
    """

    input_signature: tuple[Any, ...] | None = None
    autograph: bool = True
    reduce_retracing: bool = False
    include: tuple[str, ...] = ()
    strict: bool = False
    dtype_join: DtypeJoin = "promote"
    features: tuple[Feature, ...] = ()
    guards: Policy = "off"

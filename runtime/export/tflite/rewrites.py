"""TensorFlow's ops that LiteRT lacks, as others that it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from runtime.export.graphdef.function_body import NodeFacts
from runtime.export.tflite.lines import Value

if TYPE_CHECKING:
    from runtime.export.tflite.module import FunctionText


def _inverted(step: FunctionText, facts: NodeFacts, given: Sequence[Value]) -> list[Value]:
    """Return `-1 - x`, which has the bits of `x` the other way round."""
    spec = given[0].spec
    ones = np.array(-1).astype(spec.dtype.np_dtype)
    return [step.one("Sub", [step.const(ones, spec.dtype), given[0]], spec)]


RULES: dict[str, Callable[[FunctionText, NodeFacts, Sequence[Value]], list[Value]]] = {
    "Invert": _inverted,
}

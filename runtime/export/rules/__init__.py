"""What becomes of each op in TensorFlow's files.

Every op of the registry is in one of three tables: `DIRECT`, where its declaration names the node
that does the same with the same inputs; `RULES`, where attributes or constants are made or several
nodes come out; `UNSUPPORTED`, with the reason. A law test holds them against the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.export.rules import (
    arithmetic,
    arranging,
    control,
    effects,
    factorizations,
    gates,
    images,
    indexing,
    linalg,
    list_tensors,
    lists,
    making,
    mathematics,
    optimizing,
    random,
    reduction,
    shape,
    sharing_out,
    state_places,
    strings,
)
from runtime.export.rules.names import DIRECT as DIRECT
from runtime.export.rules.unsupported import UNSUPPORTED as UNSUPPORTED
from runtime.export.step import Rule

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **arithmetic.RULES,
        **reduction.RULES,
        **shape.RULES,
        **making.RULES,
        **arranging.RULES,
        **indexing.RULES,
        **linalg.RULES,
        **strings.RULES,
        **lists.RULES,
        **list_tensors.RULES,
        **control.RULES,
        **effects.RULES,
        **mathematics.RULES,
        **images.RULES,
        **random.RULES,
        **state_places.RULES,
        **optimizing.RULES,
        **gates.RULES,
        **factorizations.RULES,
        **sharing_out.RULES,
    }
)

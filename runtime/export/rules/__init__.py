"""The lowering of each op to TensorFlow's files.

Every op of the registry is in one of three tables: `DIRECT`, where its declaration names the node
that does the same with the same inputs; `RULES`, where attributes or constants are made or several
nodes come out; `UNSUPPORTED`, with the reason. A law test holds them against the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.export.node_lowering import Rule
from runtime.export.rules import (
    arithmetic,
    control,
    creation,
    effects,
    factorizations,
    images,
    indexing,
    linalg,
    list_tensors,
    lists,
    manipulation,
    mathematics,
    optimizers,
    partition,
    random,
    recurrent_gates,
    reduction,
    shape,
    strings,
    variable_items,
)
from runtime.export.rules.direct_ops import DIRECT as DIRECT
from runtime.export.rules.unsupported import UNSUPPORTED as UNSUPPORTED

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **arithmetic.RULES,
        **reduction.RULES,
        **shape.RULES,
        **creation.RULES,
        **manipulation.RULES,
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
        **variable_items.RULES,
        **optimizers.RULES,
        **recurrent_gates.RULES,
        **factorizations.RULES,
        **partition.RULES,
    }
)

"""What becomes of each op in TensorFlow's files.

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
    effects,
    factorizations,
    images,
    indexing,
    linalg,
    list_tensors,
    lists,
    mathematics,
    random,
    reduction,
    shape,
    strings,
)
from runtime.export.rules import creation as making
from runtime.export.rules import manipulation as arranging
from runtime.export.rules import optimizers as optimizing
from runtime.export.rules import partition as sharing_out
from runtime.export.rules import recurrent_gates as gates
from runtime.export.rules import variable_items as state_places
from runtime.export.rules.direct_ops import DIRECT as DIRECT
from runtime.export.rules.unsupported import UNSUPPORTED as UNSUPPORTED

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

"""The rule of each op of TensorFlow that can be imported, by the op's name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.export.graphdef.importer.node_import import Rule
from runtime.export.graphdef.importer.rules import (
    arrays,
    control,
    effects,
    elementwise,
    files,
    gradients,
    images,
    indexing,
    linalg,
    lists,
    neural,
    ragged,
    random,
    reduction,
    resizing,
    strings,
    tables,
    variables,
)

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **elementwise.RULES,
        **arrays.RULES,
        **indexing.RULES,
        **reduction.RULES,
        **linalg.RULES,
        **neural.RULES,
        **images.RULES,
        **resizing.RULES,
        **gradients.RULES,
        **lists.RULES,
        **control.RULES,
        **variables.RULES,
        **effects.RULES,
        **files.RULES,
        **strings.RULES,
        **ragged.RULES,
        **tables.RULES,
        **random.RULES,
    }
)

"""The rule of each op of TensorFlow that can be imported, by the op's name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.export.graphdef.importer.node_import import Rule
from runtime.export.graphdef.importer.rules import (
    activations,
    arithmetic,
    control_flow,
    convolution,
    creation,
    effects,
    fft,
    files,
    gathering,
    gradients,
    indexing,
    linalg,
    lists,
    manipulation,
    normalization,
    ordering,
    pooling,
    ragged,
    random,
    reductions,
    resizing,
    segments,
    shapes,
    strings,
    tables,
    variables,
)

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **arithmetic.RULES,
        **creation.RULES,
        **shapes.RULES,
        **manipulation.RULES,
        **indexing.RULES,
        **ordering.RULES,
        **gathering.RULES,
        **segments.RULES,
        **reductions.RULES,
        **linalg.RULES,
        **fft.RULES,
        **normalization.RULES,
        **activations.RULES,
        **convolution.RULES,
        **pooling.RULES,
        **resizing.RULES,
        **gradients.RULES,
        **lists.RULES,
        **control_flow.RULES,
        **variables.RULES,
        **effects.RULES,
        **files.RULES,
        **strings.RULES,
        **ragged.RULES,
        **tables.RULES,
        **random.RULES,
    }
)

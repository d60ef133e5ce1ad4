"""Narrow integers, such as those of pictures, for which LiteRT lacks kernels: computed in int32.

LiteRT has no kernel for them, or takes them for quantized numbers and ends the process. A result
that is narrow wraps around, as it does here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_COMPUTED = frozenset(
    """
    AddV2 Sub Mul FloorDiv FloorMod Maximum Minimum Neg Abs Sign Sum Prod Max Min Cumsum SelectV2
    Equal NotEqual Greater GreaterEqual Less LessEqual ArgMax ArgMin TopKV2 OneHot OnesLike
    ScatterNd ZerosLike
    """.split()
)
# Ops that move elements, by the dtypes that they do not move.
_MOVED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "int8": frozenset("PadV2 ReverseV2 Tile".split()),
        "uint8": frozenset(),
        "int16": frozenset("MirrorPad PadV2 Slice Tile Transpose".split()),
        "uint16": frozenset(
            """
            ConcatV2 ExpandDims Fill GatherNd GatherV2 MirrorPad Pack PadV2 Reshape
            ReverseV2 Slice Split SplitV Squeeze StridedSlice Tile Transpose Unique Unpack
            """.split()
        ),
    }
)


def is_narrow(dtype: str) -> bool:
    """Return whether a dtype, by its name, is one of the narrow integers.

    >>> is_narrow("uint8"), is_narrow("int32")
    (True, False)
    """
    return dtype in _MOVED


def is_computed_wide(op: str, dtype: str) -> bool:
    """Return whether an op of TensorFlow's is computed in int32 for a dtype.

    >>> is_computed_wide("AddV2", "uint8"), is_computed_wide("Transpose", "uint8")
    (True, False)
    """
    return dtype in _MOVED and (op in _COMPUTED or op in _MOVED[dtype])

"""The types of arguments: the namespace `rt.typing`.

    from autograph.runtime.typing import TensorLike

    def norm(x: TensorLike) -> rt.Tensor:
        return rt.sqrt(rt.reduce_sum(rt.square(x)))

A union such as `TensorLike` has no docstring of its own; the text below each says what it takes.
"""

from runtime.core.dtypes import DTypeLike as DTypeLike
from runtime.core.shapes import AxisLike as AxisLike
from runtime.core.shapes import ShapeLike as ShapeLike
from runtime.core.tensor import IndexLike as IndexLike
from runtime.core.tensor import SupportsArray as SupportsArray
from runtime.core.tensor import TensorConvertible as TensorConvertible
from runtime.core.tensor import TensorLike as TensorLike

"""`Dataset` methods that batch, window and unbatch elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from runtime import nest
from runtime.core.argument_checks import flag
from runtime.core.shapes import TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.variant import VARIANT
from runtime.data.batching import Batched, PaddedBatched, Unbatched, Windowed, batch_size
from runtime.data.buffers import ItemsOfTensor
from runtime.data.dataset_base import DatasetBase, number
from runtime.data.element_spec import NONE, Element, with_rows
from runtime.data.plan import DatasetPlan
from runtime.data.sources import TensorSlices
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor

if TYPE_CHECKING:
    from typing_extensions import Self


class BatchingMethods(DatasetBase):
    """Dataset methods that batch, window and unbatch elements."""

    __slots__ = ()

    def batch(
        self,
        batch_size: SupportsIndex,
        drop_remainder: bool = False,
        num_parallel_calls: SupportsIndex | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Return batches of elements, as tensors with one more axis in front.

        Args:
            batch_size: the number of elements, above 0.
            drop_remainder: whether to omit a smaller batch at the end.

        >>> from runtime.data import Dataset
        >>> [batch.numpy().tolist() for batch in Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        count, own = _size(batch_size)
        refuse_datasets(self._plan, "batch")
        return self._then(Batched(self._plan, count, flag(drop_remainder, "drop_remainder")), *own)

    def padded_batch(
        self,
        batch_size: SupportsIndex,
        padded_shapes: Any = None,
        padding_values: TensorLike | None = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Return batches of elements that are padded to the largest of their batch.

        Args:
            padded_shapes: shapes in the structure of the elements: the sizes after padding; None or
                -1 means the largest size of the batch.
            padding_values: the values of the padding, in that structure, or one for all parts; by
                default 0, or an empty text.

        Raises:
            ShapeError: an element is larger than its shape; raised on use of the batch.

        >>> from runtime.data import Dataset
        >>> from runtime.ops.arrays.creation import range as numbers
        >>> rows = Dataset.range(1, 3).map(lambda n: numbers(n)).padded_batch(2, padding_values=9)
        >>> [batch.numpy().tolist() for batch in rows]
        [[[0, 9], [0, 1]]]
        """
        count, own = _size(batch_size)
        refuse_datasets(self._plan, "padded_batch")
        element = self._plan.element
        shapes = padded_shapes_of(element, padded_shapes)
        values = padding_values_of(element, padding_values)
        plan = PaddedBatched(self._plan, count, flag(drop_remainder, "drop_remainder"), shapes)
        return self._then(plan, *values, *own)

    def unbatch(self, name: str | None = None) -> Self:
        """Return the rows of each element.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.from_tensors([3, 4]).unbatch()]
        [3, 4]
        """
        refuse_datasets(self._plan, "unbatch")
        specs = self._plan.element.specs
        if any(spec.shape.rank == 0 for spec in specs) or not specs:
            raise ShapeError(f"unbatch: an element {self._plan.element} has no rows")
        known = sorted({int(spec.shape[0]) for spec in specs if spec.shape.rank and spec.shape[0]})
        if len(known) > 1:
            raise ShapeError(
                f"unbatch: the tensors of an element have different numbers of rows, {known}"
            )
        return self._then(Unbatched(self._plan))

    def rebatch(
        self, batch_size: SupportsIndex, drop_remainder: bool = False, name: str | None = None
    ) -> Self:
        """Return the rows of batches in batches of another size.

        >>> from runtime.data import Dataset
        >>> [batch.numpy().tolist() for batch in Dataset.range(5).batch(2).rebatch(3)]
        [[0, 1, 2], [3, 4]]
        """
        if isinstance(batch_size, (list, tuple)):
            raise DTypeError("rebatch: batch_size must be one number, not a list")
        return self.unbatch().batch(batch_size, drop_remainder)

    def window(
        self,
        size: SupportsIndex,
        shift: SupportsIndex | None = None,
        stride: SupportsIndex = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Return windows: each part of an element is a dataset of `size` consecutive values of it.

        Args:
            shift: the number of elements between the beginnings of windows; `size` by default.
            stride: the distance between the elements of a window.
            drop_remainder: whether to omit smaller windows at the end.

        Raises:
            ArgumentValueError: a number is less than 1.

        >>> from runtime.data import Dataset
        >>> windows = Dataset.range(4).window(3, shift=1, drop_remainder=True)
        >>> [[int(number) for number in window] for window in windows]
        [[0, 1, 2], [1, 2, 3]]
        """
        refuse_datasets(self._plan, "window")
        shift = size if shift is None else shift
        named = {"size": size, "shift": shift, "stride": stride}
        count, every, apart = (static_int(value, what) for what, value in named.items())
        for what, value in zip(named, (count, every, apart)):
            if value < 1:
                raise ArgumentValueError(f"window: {what} must be at least 1, not {value}")
        element = self._plan.element
        rows = [self._rows_placeholder(spec) for spec in element.specs]
        made = Element(element.packed(rows))
        plan = Windowed(
            self._plan, count, every, apart, flag(drop_remainder, "drop_remainder"), made
        )
        return self._then(plan)

    def _rows_placeholder(self, spec: TensorSpec) -> Any:
        """Return a placeholder dataset of rows with known specs."""
        made: Any = type(self)
        if not spec.shape.is_fully_defined():
            return made(ItemsOfTensor(Element(spec)), (VARIANT,))
        return made(TensorSlices(Element(spec)), (with_rows(None, spec),))


def _size(given: Any) -> tuple[int | None, tuple[Tensor, ...]]:
    count, own = number(given, "batch_size")
    return (None if count is None else batch_size(count)), own


def refuse_datasets(plan: DatasetPlan, method: str) -> None:
    """Raise DTypeError if elements contain datasets, which cannot be stacked as tensors."""
    leaves = _outer_leaves(plan.element.structure)
    if any(hasattr(leaf, "element_spec") for leaf in leaves):
        raise DTypeError(
            f"{method}: an element holds a dataset, which is not a tensor: use flat_map first, "
            "such as flat_map(lambda window: window.batch(n))"
        )


def _outer_leaves(structure: Any) -> list[Any]:
    children = None if hasattr(structure, "element_spec") else nest.children(structure)
    if children is None:
        return [structure]
    return [leaf for child in children for leaf in _outer_leaves(child)]


def padded_shapes_of(element: Element, given: Any) -> tuple[tuple[int | None, ...], ...]:
    """Return the user's `padded_shapes`, one for each tensor of an element.

    Raises:
        ShapeError, ArgumentValueError: they do not match these elements.
    """
    if given is None:
        if any(spec.shape.dims is None for spec in element.specs):
            raise ShapeError(
                "padded_batch: give padded_shapes, because the elements have an unknown rank"
            )
        return tuple([tuple(spec.shape.dims or ()) for spec in element.specs])
    shapes = _like(element.structure, given, "padded_shapes", _is_shape)
    found = [_dims(shape) for shape in shapes]
    for spec, dims in zip(element.specs, found):
        if spec.shape.rank not in (None, len(dims)):
            raise ShapeError(
                f"padded_batch: padded_shapes {dims} does not have the rank of shape {spec.shape}"
            )
        for size, known in zip(dims, spec.shape.dims or ()):
            if size is not None and known is not None and size < known:
                raise ShapeError(
                    f"padded_batch: elements of shape {spec.shape} are larger than padded_shapes "
                    f"{dims}"
                )
    return tuple(found)


def _is_shape(value: Any) -> bool:
    return isinstance(value, TensorShape) or (
        isinstance(value, (list, tuple))
        and all(each is None or isinstance(each, int) for each in value)
    )


def _dims(shape: Any) -> tuple[int | None, ...]:
    if not _is_shape(shape):
        raise ArgumentValueError(
            f"padded_batch: padded_shapes must hold shapes such as [None] or [], not {shape!r}"
        )
    if not isinstance(shape, TensorShape):
        shape = as_shape([None if each == -1 else each for each in shape])
    if shape.dims is None:
        raise ShapeError("padded_batch: a shape in padded_shapes must have a known rank")
    return tuple(shape.dims)


def padding_values_of(element: Element, given: Any) -> list[Tensor]:
    """Return the user's `padding_values`, one for each tensor of an element.

    Raises:
        ShapeError, DTypeError, ArgumentValueError: they do not match these elements.
    """
    values: Sequence[Any]
    if given is None or nest.children(given) is None:
        values = [given] * len(element.specs)
    else:
        values = _like(element.structure, given, "padding_values", lambda value: False)
    return [_padding_value(value, spec) for value, spec in zip(values, element.specs)]


def _padding_value(value: Any, spec: TensorSpec) -> Tensor:
    if value is None:
        value = {"O": "", "b": False}.get(spec.dtype.kind, 0)
    tensor = to_tensor(value, spec.dtype)
    if tensor.shape.rank not in (None, 0):
        raise ShapeError(f"padded_batch: a padding value must be a scalar, not of {tensor.shape}")
    return tensor


def _like(structure: Any, given: Any, what: str, is_leaf: Any) -> list[Any]:
    """Return the parts of a value at the positions of the specs in a structure."""
    if structure is NONE:
        return []
    wanted = nest.children(structure)
    if wanted is None:
        return [given]
    children = None if is_leaf(given) and wanted else nest.children(given)
    if children is None or len(children) != len(wanted):
        raise ArgumentValueError(
            f"padded_batch: {what} {given!r} must have the structure of the elements {structure}"
        )
    return [leaf for one, each in zip(wanted, children) for leaf in _like(one, each, what, is_leaf)]

"""The public class `Dataset`: a lazy sequence of elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, overload

from runtime import nest
from runtime.core.argument_checks import flag, shown
from runtime.core.context import current_recorder
from runtime.core.dtypes import DTypeLike, as_dtype, int64
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.data.base_types import ElementType
from runtime.data.combining import Zipped
from runtime.data.dataset_base import plain_seed, whole_number
from runtime.data.dataset_batching import BatchingMethods
from runtime.data.dataset_combining import CombiningMethods
from runtime.data.dataset_elementwise import ElementwiseMethods
from runtime.data.dataset_grouping import GroupingMethods
from runtime.data.element_spec import Element, as_components, without_rows
from runtime.data.generators import Generated, signature
from runtime.data.iterator import Iterator
from runtime.data.plan import INFINITE, UNKNOWN, DatasetPlan
from runtime.data.sources import (
    CountedNumbers,
    RandomNumbers,
    RangeSource,
    SingleItem,
    TensorSlices,
)
from runtime.errors import ArgumentValueError, DTypeError, GraphError, ShapeError
from runtime.ops.convert import to_tensor
from runtime.ops.data import datasets as ops
from runtime.ops.data.dataset_state import new_seeds

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")
name_operands = lazy_import("runtime.diagnostics.operand_names:name_operands")

if TYPE_CHECKING:
    A = TypeVar("A")
    B = TypeVar("B")
    C = TypeVar("C")
    D = TypeVar("D")
    Made = TypeVar("Made")


class Dataset(
    ElementwiseMethods, BatchingMethods, GroupingMethods, CombiningMethods, Generic[ElementType]
):
    """Elements of one structure, each a tensor or a tuple or dict of tensors.

    A dataset describes its elements and stores none: each `for` over it starts from the beginning.
    It never changes; its methods return other datasets. Create one with `from_tensor_slices`,
    `from_tensors`, `from_generator`, `range` or `zip`.

    >>> pairs = Dataset.from_tensor_slices([1, 2, 3]).map(lambda x: x * x).enumerate()
    >>> [(int(at), int(square)) for at, square in pairs]
    [(0, 1), (1, 4), (2, 9)]
    """

    __slots__ = ()

    # -- sources -----------------------------------------------------------------------------------

    @overload
    @staticmethod
    def from_tensor_slices(  # type: ignore[overload-overlap]
        tensors: tuple[TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(  # type: ignore[overload-overlap]
        tensors: tuple[TensorLike, TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(
        tensors: Mapping[str, TensorLike], name: str | None = None
    ) -> Dataset[dict[str, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensor_slices(tensors: TensorLike, name: str | None = None) -> Dataset[Tensor]: ...
    @overload
    @staticmethod
    def from_tensor_slices(tensors: object, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def from_tensor_slices(tensors: object, name: str | None = None) -> Dataset[Any]:
        """Return the rows of a tensor, or of a tuple or dict of tensors of equal length.

        Raises:
            ShapeError: a tensor is a scalar, or lengths differ.

        >>> rows = Dataset.from_tensor_slices({"x": [[1, 2], [3, 4]]})
        >>> [row["x"].numpy().tolist() for row in rows]
        [[1, 2], [3, 4]]
        """
        whole = as_components(tensors)
        parts = nest.flatten(whole)
        _check_rows(parts)
        rows = [without_rows(part.spec) for part in parts]
        return Dataset(TensorSlices(Element(nest.unflatten(whole, rows))), tuple(parts))

    @overload
    @staticmethod
    def from_tensors(  # type: ignore[overload-overlap]
        tensors: tuple[TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensors(  # type: ignore[overload-overlap]
        tensors: tuple[TensorLike, TensorLike, TensorLike], name: str | None = None
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensors(
        tensors: Mapping[str, TensorLike], name: str | None = None
    ) -> Dataset[dict[str, Tensor]]: ...
    @overload
    @staticmethod
    def from_tensors(tensors: TensorLike, name: str | None = None) -> Dataset[Tensor]: ...
    @overload
    @staticmethod
    def from_tensors(tensors: object, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def from_tensors(tensors: object, name: str | None = None) -> Dataset[Any]:
        """Return a dataset of one element: the tensors themselves."""
        whole = as_components(tensors)
        return Dataset(SingleItem(Element.of(whole)), tuple(nest.flatten(whole)))

    @staticmethod
    def range(
        *bounds: TensorLike, output_type: DTypeLike = int64, name: str | None = None
    ) -> Dataset[Tensor]:
        """Return whole numbers: `range(stop)`, `range(start, stop)` or `range(start, stop, step)`.

        >>> [int(number) for number in Dataset.range(1, 6, 2)]
        [1, 3, 5]
        """
        if not 1 <= len(bounds) <= 3:
            raise ArgumentValueError(f"range takes 1 to 3 numbers, not {len(bounds)}")
        start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) == 3 else 1
        dtype = as_dtype(output_type)
        if not (dtype.is_integer or dtype.is_floating):
            raise DTypeError(f"range: output_type must be a numeric dtype, not {dtype.name}")
        return Dataset(RangeSource(dtype), tuple(map(whole_number, (start, stop, step))))

    @staticmethod
    def counter(
        start: TensorLike = 0,
        step: TensorLike = 1,
        dtype: DTypeLike = int64,
        name: str | None = None,
    ) -> Dataset[Tensor]:
        """Return whole numbers from a start, by a step, without an end.

        >>> [int(number) for number in Dataset.counter(3, step=2).take(3)]
        [3, 5, 7]
        """
        kind = as_dtype(dtype)
        if not (kind.is_integer or kind.is_floating):
            raise DTypeError(f"counter: dtype must be a numeric dtype, not {kind.name}")
        numbers = (
            whole_number(start, "counter"),
            to_tensor(0, int64),
            whole_number(step, "counter"),
        )
        return Dataset(CountedNumbers(kind), numbers)

    @overload
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: None = None,
        output_shapes: None = None,
        args: Sequence[TensorLike] | None = None,
        *,
        output_signature: TensorSpec,
        name: str | None = None,
    ) -> Dataset[Tensor]: ...
    @overload
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: None = None,
        output_shapes: None = None,
        args: Sequence[TensorLike] | None = None,
        *,
        output_signature: tuple[TensorSpec, TensorSpec],
        name: str | None = None,
    ) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: None = None,
        output_shapes: None = None,
        args: Sequence[TensorLike] | None = None,
        *,
        output_signature: tuple[TensorSpec, TensorSpec, TensorSpec],
        name: str | None = None,
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: None = None,
        output_shapes: None = None,
        args: Sequence[TensorLike] | None = None,
        *,
        output_signature: Mapping[str, TensorSpec],
        name: str | None = None,
    ) -> Dataset[dict[str, Tensor]]: ...
    @overload
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: object = None,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
        output_signature: object = None,
        name: str | None = None,
    ) -> Dataset[Any]: ...
    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[object]],
        output_types: object = None,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
        output_signature: object = None,
        name: str | None = None,
    ) -> Dataset[Any]:
        """Return a dataset of a generator's elements; each iteration calls the generator anew.

        Args:
            generator: returns an iterable, such as a function with `yield`. It is neither converted
                nor traced; its exceptions propagate unchanged.
            output_signature: the spec of an element: a TensorSpec, or a tuple or dict of them.
            output_types, output_shapes: TensorFlow's older form of `output_signature`.
            args: tensors whose values are the arguments of the generator.

        Raises:
            InvalidArgumentError: an element does not match the signature; raised on its use.
            DTypeError: `generator` is not a function, or `args` not a tuple or list.

        >>> def countdown(start):
        ...     while start > 0:
        ...         yield start
        ...         start -= 1
        >>> from runtime.core.spec import TensorSpec
        >>> numbers = Dataset.from_generator(
        ...     countdown, args=(3,), output_signature=TensorSpec((), int64)
        ... )
        >>> [int(number) for number in numbers]
        [3, 2, 1]
        """
        if not callable(generator):
            raise DTypeError(f"from_generator takes a function, not {generator!r}")
        element = signature(output_types, output_shapes, output_signature)
        if not isinstance(args, (list, tuple)) and args is not None:
            raise DTypeError(f"from_generator: args must be a tuple of tensors, not {args!r}")
        tensors = tuple(map(to_tensor, args or ()))
        return Dataset(Generated(element, generator, len(tensors)), tensors)

    @staticmethod
    def random(
        seed: int | None = None,
        rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset[Tensor]:
        """Return random int64 numbers from 0 to 2**32 - 1, without an end.

        Args:
            seed: the numbers are the same for the same seed, and the same `rt.random.set_seed`.
            rerandomize_each_iteration: whether each iteration draws other numbers; not by default.
        """
        given = rerandomize_each_iteration
        changes = given is not None and flag(given, "rerandomize_each_iteration")
        return Dataset(RandomNumbers(), (new_seeds(plain_seed(seed), changes),))

    @overload
    @staticmethod
    def zip(
        one: Dataset[A], other: Dataset[B], /, *, name: str | None = None
    ) -> Dataset[tuple[A, B]]: ...
    @overload
    @staticmethod
    def zip(
        datasets: tuple[Dataset[A], Dataset[B]], name: str | None = None
    ) -> Dataset[tuple[A, B]]: ...
    @overload
    @staticmethod
    def zip(*args: object, datasets: object = None, name: str | None = None) -> Dataset[Any]: ...
    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset[Any]:
        """Return tuples of one element of each dataset, as many as the shortest dataset has.

        Args:
            args: datasets; or one tuple or dict of them, whose structure the elements have.
            datasets: an older name of that argument.

        >>> ones, tens = Dataset.range(3), Dataset.range(10, 40, 10)
        >>> [int(one + ten) for one, ten in Dataset.zip(ones, tens)]
        [10, 21, 32]
        """
        given = datasets if not args else args[0] if len(args) == 1 else args
        parts = _datasets_in(given)
        element = Element(_with_elements(given))
        plan = Zipped(tuple(part._plan for part in parts), element)
        return Dataset(plan, tuple(tensor for part in parts for tensor in part._tensors))

    # -- types of elements -------------------------------------------------------------------------

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def map(
            self: Dataset[tuple[A, B]],
            map_func: Callable[[A, B], Made],
            num_parallel_calls: SupportsIndex | None = None,
            deterministic: bool | None = None,
            synchronous: bool | None = None,
            use_unbounded_threadpool: bool = False,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        @overload
        def map(
            self: Dataset[tuple[A, B, C]],
            map_func: Callable[[A, B, C], Made],
            num_parallel_calls: SupportsIndex | None = None,
            deterministic: bool | None = None,
            synchronous: bool | None = None,
            use_unbounded_threadpool: bool = False,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        @overload
        def map(
            self,
            map_func: Callable[[ElementType], Made],
            num_parallel_calls: SupportsIndex | None = None,
            deterministic: bool | None = None,
            synchronous: bool | None = None,
            use_unbounded_threadpool: bool = False,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        @overload
        def map(
            self: Dataset[tuple[A, B, C, D]],
            map_func: Callable[[A, B, C, D], Made],
            num_parallel_calls: SupportsIndex | None = None,
            deterministic: bool | None = None,
            synchronous: bool | None = None,
            use_unbounded_threadpool: bool = False,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        def map(self, *args: Any, **options: Any) -> Any: ...
        def enumerate(  # type: ignore[override]
            self, start: TensorLike = 0, name: str | None = None
        ) -> Dataset[tuple[Tensor, ElementType]]: ...
        def flat_map(  # type: ignore[override]
            self, map_func: Callable[..., Dataset[Made]], name: str | None = None
        ) -> Dataset[Made]: ...
        def interleave(  # type: ignore[override]
            self,
            map_func: Callable[..., Dataset[Made]],
            cycle_length: SupportsIndex | None = None,
            block_length: SupportsIndex | None = None,
            num_parallel_calls: SupportsIndex | None = None,
            deterministic: bool | None = None,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        def scan(  # type: ignore[override]
            self,
            initial_state: object,
            scan_func: Callable[..., tuple[object, Made]],
            name: str | None = None,
        ) -> Dataset[Made]: ...
        def window(
            self,
            size: SupportsIndex,
            shift: SupportsIndex | None = None,
            stride: SupportsIndex = 1,
            drop_remainder: bool = False,
            name: str | None = None,
        ) -> Dataset[Any]: ...
        def group_by_window(  # type: ignore[override]
            self,
            key_func: Callable[..., TensorLike],
            reduce_func: Callable[..., Dataset[Made]],
            window_size: SupportsIndex | None = None,
            window_size_func: Callable[..., TensorLike] | None = None,
            name: str | None = None,
        ) -> Dataset[Made]: ...
        def get_single_element(self, name: str | None = None) -> ElementType: ...
        def apply(
            self,
            transformation_func: Callable[[Dataset[ElementType]], Made],
            name: str | None = None,
        ) -> Made: ...

    # -- properties --------------------------------------------------------------------------------

    @property
    def plan(self) -> DatasetPlan:
        """The plan: the source and the steps of the elements."""
        return self._plan

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors of the dataset."""
        return self._tensors

    @property
    def element_spec(self) -> Any:
        """The element spec: a TensorSpec, or a structure of them.

        >>> Dataset.range(3).batch(2).element_spec
        TensorSpec(shape=(None,), dtype=rt.int64, name=None)
        """
        return self._plan.element.described()

    def cardinality(self, name: str | None = None) -> Tensor:
        """Return the number of elements, an int64 scalar: -1 without an end, -2 unknown.

        While a graph is recorded, an op computes a number that is not known yet.
        """
        size = self._plan.size(self._tensors)
        if size == UNKNOWN and not all(isinstance(each, EagerTensor) for each in self._tensors):
            return ops.size_of(self._plan, self._tensors)
        return to_tensor(size, int64)

    def __len__(self) -> int:
        size = self._plan.size(self._tensors)
        if size == INFINITE:
            raise DTypeError("the dataset is infinite: it has no len()")
        if size == UNKNOWN:
            raise DTypeError("the length of the dataset is unknown: count it in a loop")
        return size

    def __bool__(self) -> bool:
        return True

    # -- iterating over it -------------------------------------------------------------------------

    def __iter__(self) -> Iterator[ElementType]:
        if current_recorder() is not None:
            raise GraphError(
                f"{self!r} is iterated over by Python while a graph is recorded: iterate over it "
                "with a `for` statement of converted code"
            )
        self._plan.warn_if_stale()
        return Iterator.over(self._plan, [_array(tensor) for tensor in self._tensors])

    def as_numpy_iterator(self) -> Iterable[Any]:
        """Return an iterator over the elements, with arrays in place of tensors."""
        return (nest.map_structure(_numpy, each) for each in self)

    def begin(self) -> Tensor:
        """Return a variant: the first position in the dataset, where each run of a graph starts.

        The ops in `runtime.ops.data.datasets` return its element and the next position.
        """
        return ops.begin(self._plan, self._tensors)

    if not TYPE_CHECKING:
        __reversed__ = None  # or `reversed` would take it for a sequence

        def __getitem__(self, place: object) -> Any:
            """Raise the error of a dataset that is used as a list."""
            text = name_of(self, name="__getitem__") or "dataset"
            raise DTypeError(
                f"a dataset has no index, since its elements are made one after the other: write "
                f"{text}.element_at({place!r}), or for each element `for x in {text}:`"
            )

    def element_at(self, place: SupportsIndex) -> ElementType:
        """Return the element at a position, in its structure."""
        element = self._plan.element
        found: ElementType = element.packed(list(ops.item_at(place, element.specs)))
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> Dataset[ElementType]:
        return self  # A dataset never changes.

    def _then(self, plan: DatasetPlan, *own: Tensor) -> Dataset:
        return Dataset(plan, (*self._tensors, *own))

    def __repr__(self) -> str:
        return f"<rt.data.Dataset: {self._plan}, element_spec={self.element_spec}>"

    _repr_html_ = lazy_import("runtime.display.values:dataset_html")


# As an argument or result of a function, a dataset is a structure: its plan and its tensors.
nest.register(
    Dataset,
    lambda dataset: dataset._tensors,
    lambda dataset, tensors: Dataset(dataset._plan, tuple(tensors)),
    form=lambda dataset: dataset._plan,
)


def _array(tensor: Any) -> Any:
    if not isinstance(tensor, EagerTensor):
        raise GraphError(f"the dataset is made of {tensor}, which has a value only in its graph")
    return tensor._array


def _numpy(tensor: Any) -> Any:
    return None if tensor is None else tensor.numpy()


def _check_rows(parts: list[Tensor]) -> None:
    if not parts:
        raise ArgumentValueError("from_tensor_slices: no tensor is given")
    if any(part.shape.rank == 0 for part in parts):
        raise ShapeError("from_tensor_slices: a scalar has no rows; from_tensors takes it whole")
    lengths = [part.shape[0] for part in parts if part.shape.rank]
    known = sorted({length for length in lengths if length is not None})
    if len(known) > 1:
        numbers = " and ".join(map(str, known))
        error = ShapeError(
            f"from_tensor_slices: all tensors need the same number of rows, not {numbers}"
        )
        name_operands(error)
        raise error


def _datasets_in(given: Any) -> list[Dataset]:
    if isinstance(given, Dataset):
        return [given]
    children = nest.children(given)
    if children is None or isinstance(given, list):
        advice = ": write Dataset.zip(*datasets)" if isinstance(given, list) else ""
        raise DTypeError(
            f"zip takes datasets, or a tuple or dict of them, not {shown(given)}{advice}"
        )
    return [dataset for child in children for dataset in _datasets_in(child)]


def _with_elements(given: Any) -> Any:
    if isinstance(given, Dataset):
        return given.plan.element.structure
    return nest.rebuild(given, list(map(_with_elements, nest.children(given) or ())))

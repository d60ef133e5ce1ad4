"""`Dataset` methods that combine several datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from runtime.core.argument_checks import flag
from runtime.core.spec import TensorSpec
from runtime.core.tensor import TensorLike
from runtime.data.combining import ChooseFrom, Concatenated, Interleaved
from runtime.data.dataset_base import DatasetBase, plain_seed
from runtime.data.element_spec import Element
from runtime.data.functions import ElementFunction, traced
from runtime.data.plan import DatasetPlan
from runtime.data.sampling import Weights
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.data.dataset_state import new_seeds

if TYPE_CHECKING:
    from typing_extensions import Self

# The number of datasets that `interleave` iterates over at once by default.
_CYCLE = 4


class CombiningMethods(DatasetBase):
    """Dataset methods that combine datasets."""

    __slots__ = ()

    def concatenate(self, dataset: DatasetBase, name: str | None = None) -> Self:
        """Return the elements of this dataset, followed by those of another one.

        Raises:
            DTypeError: its elements have another structure, or other dtypes.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.range(2).concatenate(Dataset.range(7, 9))]
        [0, 1, 7, 8]
        """
        if not isinstance(dataset, DatasetBase):
            raise DTypeError(f"concatenate takes a dataset, not {dataset!r}")
        parts: list[DatasetBase] = [self, dataset]
        plan = Concatenated(_plans(parts), _common(parts, "concatenate"))
        return self._over(plan, parts)

    def flat_map(self, map_func: Callable[..., object], name: str | None = None) -> Self:
        """Return the elements of the datasets that a function returns for the elements.

        >>> from runtime.data import Dataset
        >>> [int(number) for number in Dataset.range(4).flat_map(lambda n: Dataset.range(n))]
        [0, 0, 1, 0, 1, 2]
        """
        function, operands = traced(map_func, self._plan.element, "flat_map")
        inner = _inner(function, "flat_map")
        plan = Interleaved(self._plan, function, inner, 1, 1, "flat_map")
        return self._over(plan, [self], operands)

    def interleave(
        self,
        map_func: Callable[..., object],
        cycle_length: SupportsIndex | None = None,
        block_length: SupportsIndex | None = None,
        num_parallel_calls: SupportsIndex | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Return elements of the datasets that a function returns, of several in turn.

        Args:
            cycle_length: the number of datasets iterated over at once; 4 by default, on every
                machine.
            block_length: the number of consecutive elements from each; 1 by default.

        Raises:
            ArgumentValueError: a number is less than 1.

        >>> from runtime.data import Dataset
        >>> pairs = Dataset.range(2).interleave(lambda n: Dataset.range(10 * n, 10 * n + 2), 2)
        >>> [int(number) for number in pairs]
        [0, 10, 1, 11]
        """
        cycle = _CYCLE if cycle_length is None else static_int(cycle_length, "cycle_length")
        cycle = _CYCLE if cycle == -1 else cycle
        block = 1 if block_length is None else static_int(block_length, "block_length")
        for what, value in (("cycle_length", cycle), ("block_length", block)):
            if value < 1:
                raise ArgumentValueError(f"interleave: {what} must be at least 1, not {value}")
        function, operands = traced(map_func, self._plan.element, "interleave")
        inner = _inner(function, "interleave")
        plan = Interleaved(self._plan, function, inner, cycle, block, "interleave")
        return self._over(plan, [self], operands)

    @classmethod
    def choose_from_datasets(
        cls,
        datasets: Sequence[DatasetBase],
        choice_dataset: DatasetBase,
        stop_on_empty_dataset: bool = True,
    ) -> Self:
        """Return elements of several datasets, selected by a dataset of indices.

        Args:
            choice_dataset: int64 scalars: indices into `datasets`.
            stop_on_empty_dataset: whether the end of one dataset ends the result; else it is
                skipped.

        Raises:
            DTypeError: `choice_dataset` is not a dataset of int64 scalars.

        >>> import numpy as np
        >>> from runtime.data import Dataset
        >>> zeros, tens = Dataset.range(3), Dataset.range(10, 13)
        >>> numbers = Dataset.from_tensor_slices(np.array([0, 1, 1, 0]))
        >>> chosen = Dataset.choose_from_datasets([zeros, tens], numbers)
        >>> [int(number) for number in chosen]
        [0, 10, 11, 1]
        """
        parts = _datasets(datasets, "choose_from_datasets")
        if not isinstance(choice_dataset, DatasetBase):
            raise DTypeError(
                "choose_from_datasets: choice_dataset must be a dataset of int64 scalars, not "
                f"{choice_dataset!r}"
            )
        specs = choice_dataset._plan.element.specs
        if len(specs) != 1 or not specs[0].dtype.is_integer or specs[0].shape.rank not in (None, 0):
            raise DTypeError(
                "choose_from_datasets: choice_dataset must be a dataset of int64 scalars"
            )
        whole = _common(parts, "choose_from_datasets")
        stops = flag(stop_on_empty_dataset, "stop_on_empty_dataset")
        plan = ChooseFrom(
            (*_plans(parts), choice_dataset._plan),
            whole,
            stops,
        )
        chosen: Self = parts[0]._over(plan, [*parts, choice_dataset])
        return chosen

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Sequence[DatasetBase],
        weights: TensorLike | None = None,
        seed: TensorLike | None = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Self:
        """Return elements of datasets drawn at random.

        Args:
            weights: a number for each dataset; its share of their sum is the probability of the
                dataset. Equal by default.
            seed: the seed of the choices, together with that of `rt.random.set_seed`.
            stop_on_empty_dataset: whether the end of one dataset ends the result; else it is
                skipped.
            rerandomize_each_iteration: whether each iteration draws anew; not by default.

        >>> from runtime.data import Dataset
        >>> mixed = Dataset.sample_from_datasets([Dataset.range(2), Dataset.range(5, 7)], seed=1)
        >>> sorted(int(number) for number in mixed)
        [0, 1, 5, 6]
        """
        parts = _datasets(datasets, "sample_from_datasets")
        chances = _chances(weights, len(parts))
        whole = _common(parts, "sample_from_datasets")
        left = [part for part, chance in zip(parts, chances) if chance]
        changes = rerandomize_each_iteration or False
        numbers = Weights(tuple([chance for chance in chances if chance]))
        stops = flag(stop_on_empty_dataset, "stop_on_empty_dataset")
        plan = ChooseFrom((*_plans(left), numbers), whole, stops)
        seeds = new_seeds(plain_seed(seed), flag(changes, "rerandomize_each_iteration"))
        drawn: Self = parts[0]._over(plan, left, [seeds])
        return drawn


def _plans(parts: Sequence[DatasetBase]) -> tuple[DatasetPlan, ...]:
    return tuple([part._plan for part in parts])


def _datasets(given: Any, method: str) -> list[Any]:
    if not isinstance(given, (list, tuple)) or not given:
        raise DTypeError(f"{method} takes a list of datasets, not {given!r}")
    for each in given:
        if not isinstance(each, DatasetBase):
            raise DTypeError(f"{method} takes a list of datasets, and {each!r} is not a dataset")
    return list(given)


def _inner(function: ElementFunction, method: str) -> DatasetPlan:
    made = function.result.structure
    if not isinstance(made, DatasetBase):
        raise DTypeError(
            f"{method}: the function returns {function.result}, not a dataset: write "
            "Dataset.from_tensor_slices(rows) around it"
        )
    return made._plan


def _common(parts: Sequence[DatasetBase], method: str) -> Element:
    """Return the element spec that fits the elements of all datasets."""
    first, *others = [part._plan.element for part in parts]
    specs = list(first.specs)
    for other in others:
        if first.form() != other.form():
            raise DTypeError(
                f"{method}: the datasets must have elements of one structure, not {first} and "
                f"{other}"
            )
        for at, spec in enumerate(other.specs):
            if spec.dtype is not specs[at].dtype:
                raise DTypeError(
                    f"{method}: elements are of {specs[at].dtype.name} and {spec.dtype.name}"
                )
            specs[at] = _either(specs[at], spec)
    return Element(first.packed(specs))


def _either(one: TensorSpec, other: TensorSpec) -> TensorSpec:
    a, b = one.shape.dims, other.shape.dims
    if a is None or b is None or len(a) != len(b):
        return one.with_shape(None)
    return one.with_shape([size if size == same else None for size, same in zip(a, b)])


def _chances(weights: Any, count: int) -> list[float]:
    if weights is None:
        return [1 / count] * count
    tensor: Any = to_tensor(weights)
    if tensor.shape.rank != 1 or tensor.shape[0] != count or tensor.dtype.kind not in "fiu":
        raise ShapeError(f"sample_from_datasets: weights must be {count} numbers, not {weights!r}")
    found = [float(weight) for weight in tensor.numpy()]
    if not all(weight >= 0 for weight in found) or not any(found):
        raise ArgumentValueError(
            f"sample_from_datasets: weights must be at least 0 and not all 0, not {found}"
        )
    return [weight / sum(found) for weight in found]

"""Traced step functions of a model, one per kind of step and batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.converter_hooks import ConverterHooks, run
from runtime.core.device_tensor import DeviceTensor
from runtime.core.lazy_imports import lazy_import
from runtime.core.mesh import current_mesh
from runtime.core.tensor import EagerTensor, Tensor
from runtime.data import Dataset
from runtime.nn.training.batches import Batch, as_batch
from runtime.nn.training.data_adapters import specs_of
from runtime.nn.training.logs import in_one
from runtime.ops.convert import to_tensor

sharded_batch = lazy_import("runtime.distribute.mesh:sharded_batch")

KINDS = ("train", "test", "predict")
# NumPy's letters for kinds of dtypes: numbers and bools.
_PLAIN = "biufc"


class StepRunner:
    """Runs the training, evaluation and prediction steps of a model, as cached traces.

    Args:
        runs_eagerly: whether Python runs each step itself.

    Attributes:
        functions: by kind, the function that `make_train_function` and its like returned; it takes
            an iterator and runs a step with the next batch.
    """

    def __init__(self, runs_eagerly: bool = False) -> None:
        self.runs_eagerly = runs_eagerly
        self.functions: dict[str, Any] = {}
        self._traced: dict[Any, Callable[..., Any]] = {}
        # The traced steps by short keys, for one array or a tuple of arrays.
        self._by_short_key: dict[Any, Callable[..., Any]] = {}
        self._trained: list[tuple[Any, bool]] = []
        self._callbacks: list[Any] = []

    def run(self, kind: str, model: Any, batch: Batch) -> Any:
        """Return the result of `train_step`, `test_step` or `predict_step` for a batch."""
        function = self.functions.get(kind)
        if function is not None and not isinstance(function, StepFunction):
            return run(function, _single_batch(batch))
        if current_recorder() is not None:
            # The batch counts once per run of the graph, also in metrics that this trace creates.
            with _beginning(model, resets=True):
                return run_step(kind, model, nest.map_structure(_tensor, batch))
        if current_mesh() is not None:
            batch = as_batch(sharded_batch(nest.map_structure(_tensor, batch)))
        tensors, like = _with_short_key(batch)
        step = self._by_short_key.get((kind, like)) if like is not None else None
        if step is not None and not self.runs_eagerly:
            return step(tensors)
        batch = nest.map_structure(_tensor, batch)
        if self.runs_eagerly:
            with _beginning(model):
                return run_step(kind, model, batch)
        specs = specs_of(batch)
        leaves = nest.flatten(specs)
        key = (kind, _structure_key(specs), tuple((s.dtype, s.shape.dims) for s in leaves))
        step = self._traced.get(key)
        if step is None:
            step = ConverterHooks.function(functools.partial(run_step, kind, model), (specs,))
            self._traced[key] = step
            with _beginning(model):
                found = step(batch)
            self._trained = [(each, each.trainable) for each in model.variables]
            return found
        if like is not None:
            self._by_short_key[kind, like] = step
        return step(batch)

    def notice(self, callbacks: Sequence[Any] = ()) -> None:
        """Forget the traces if the trainable weights or other state have changed since then.

        Other state is Python values that steps read, such as `layer.rate`.

        Args:
            callbacks: the current callbacks; a new one may read values that a trace updates.
        """
        new = [each for each in callbacks if not any(each is known for known in self._callbacks)]
        if callbacks:
            self._callbacks = list(callbacks)
        if any(each.trainable is not was for each, was in self._trained) or any(
            getattr(step, "is_outdated", _never)(new) for step in self._traced.values()
        ):
            self.forget()

    @property
    def known(self) -> list[Any]:
        """The traced steps."""
        return list(self._traced.values())

    def forget(self) -> None:
        """Forget the traces: the next step is traced again."""
        self._traced.clear()
        self._by_short_key.clear()
        self._trained = []


class StepFunction:
    """A step of a model as a function of an iterator: it takes the next batch, and returns logs.

    Args:
        kind: "train", "test" or "predict".
        model: the model of the step.
    """

    def __init__(self, kind: str, model: Any) -> None:
        self._kind, self._model = kind, model

    def __call__(self, iterator: Iterator[Any]) -> Any:
        """Run `steps_per_execution` steps, each with a batch of the iterator.

        Raises:
            StopIteration: it has no batch.
        """
        training = self._model._training_state
        compiled = training.compiled
        found = self._run_step(training.steps, next(iterator))
        for _ in range(1, 1 if compiled is None else compiled.at_once):
            found = self._run_step(training.steps, next(iterator))
        return found if self._kind == "predict" else in_one(found)

    def _run_step(self, steps: StepRunner, item: Any) -> Any:
        return steps.run(self._kind, self._model, as_batch(item))


def prepare(model: Any, kind: str) -> StepRunner:
    """Return the step runner of a model, after `make_train_function` or its like was called."""
    steps: StepRunner = model._training_state.steps
    made = getattr(model, f"make_{kind}_function")()
    if steps.functions.get(kind) is None:
        steps.functions[kind] = made
    return steps


def step_function_property(kind: str) -> Any:
    """Return the property `train_function` or its like, None at first.

    >>> step_function_property("train").__doc__
    'The function that `make_train_function` has made or that was set here, None before.'
    """

    def get(model: Any) -> Any:
        return model._training_state.steps.functions.get(kind)

    def put(model: Any, value: Any) -> None:
        model._training_state.steps.functions[kind] = value

    words = f"The function that `make_{kind}_function` has made or that was set here, None before."
    return property(get, put, doc=words)


def _single_batch(batch: Batch) -> Iterator[Any]:
    """Return an iterator of one batch; its type is always the same, so it causes no retracing."""
    if current_recorder() is not None:
        return iter([batch])
    return iter(Dataset.from_tensors(nest.map_structure(_tensor, batch)))


def _never(callbacks: Sequence[Any]) -> bool:
    return False


def _structure_key(structure: Any) -> object:
    """Return a key of a structure that ignores its leaves.

    >>> _structure_key((1, [2, 3])) == _structure_key((4, [5, 6]))
    True
    >>> _structure_key((1, [2, 3])) == _structure_key((1, (2, 3)))
    False
    """
    inside = nest.children(structure)
    return None if inside is None else (nest.form_of(structure), *map(_structure_key, inside))


def _beginning(model: Any, resets: bool = False) -> AbstractContextManager[None]:
    compiled = model._training_state.compiled
    return nullcontext() if compiled is None else compiled.beginning(resets)


def run_step(kind: str, model: Any, data: Any) -> Any:
    """Run one step of a model, in the current recorder."""
    return run(getattr(model, f"{kind}_step"), data)


def _with_short_key(batch: Any) -> tuple[Any, object]:
    """Return a batch of one array or a tuple of arrays as tensors, with its short key.

    The key of any other batch is None.

    >>> _with_short_key((np.zeros((2, 3), np.float32), np.zeros(2)))[1]
    (dtype('float32'), (3,), dtype('float64'), ())
    >>> _with_short_key([1])
    ([1], None)
    """
    known: tuple[Any, ...] = ()
    tensors = []
    for leaf in batch if type(batch) is tuple else (batch,):
        tensor = leaf
        if type(leaf) is np.ndarray and leaf.dtype.kind in _PLAIN:
            tensor = EagerTensor(leaf)
        elif type(leaf) is not EagerTensor and type(leaf) is not DeviceTensor:
            return batch, None
        array = tensor._array
        if not array.shape:
            return batch, None
        tensors.append(tensor)
        known += (array.dtype, array.shape[1:])
    if type(batch) is not tuple:
        return tensors[0], (known,)
    return tuple(tensors), known


def _tensor(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return leaf
    # The tensor may share the memory of the array, since it lives only for the step.
    is_plain = type(leaf) is np.ndarray and leaf.dtype.kind in _PLAIN
    return EagerTensor(leaf) if is_plain else to_tensor(leaf)

"""Traced step functions of a model, one per kind of step and batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.converter_hooks import Staging, run
from runtime.core.tensor import EagerTensor, Tensor
from runtime.data import Dataset
from runtime.nn.training.batches import Batch, as_batch
from runtime.nn.training.data_adapters import specs_of
from runtime.nn.training.logs import in_one
from runtime.ops.convert import to_tensor

KINDS = ("train", "test", "predict")
# NumPy's letters for the kinds of numbers.
_PLAIN = "biufc"


class Steps:
    """Runs the steps of a model.

    Args:
        runs_eagerly: whether Python runs each step itself.

    Attributes:
        functions: by kind, a function of an iterator that runs a step with its next batch. A user's
            function replaces the step.
    """

    def __init__(self, runs_eagerly: bool = False) -> None:
        self.runs_eagerly = runs_eagerly
        self.functions: dict[str, Any] = {}
        self._known: dict[Any, Callable[..., Any]] = {}
        # A cache with cheaper keys, for simple batches of arrays.
        self._quick: dict[Any, Callable[..., Any]] = {}
        self._trained: list[tuple[Any, bool]] = []
        self._told: list[Any] = []

    def run(self, kind: str, model: Any, batch: Batch) -> Any:
        """Return the result of `train_step`, `test_step` or `predict_step` for a batch."""
        function = self.functions.get(kind)
        if function is not None and not isinstance(function, StepFunction):
            return run(function, _only(batch))
        if current_recorder() is not None:
            # A run of the graph counts one batch, also with metrics that are made for the first.
            with _beginning(model, resets=True):
                return taken(kind, model, nest.map_structure(_tensor, batch))
        tensors, like = _at_a_glance(batch)
        step = self._quick.get((kind, like)) if like is not None else None
        if step is not None and not self.runs_eagerly:
            return step(tensors)
        batch = nest.map_structure(_tensor, batch)
        if self.runs_eagerly:
            with _beginning(model):
                return taken(kind, model, batch)
        specs = specs_of(batch)
        leaves = nest.flatten(specs)
        key = (kind, _form(specs), tuple((s.dtype, s.shape.dims) for s in leaves))
        step = self._known.get(key)
        if step is None:
            step = Staging.function(functools.partial(taken, kind, model), (specs,))
            self._known[key] = step
            with _beginning(model):
                found = step(batch)
            self._trained = [(each, each.trainable) for each in model.variables]
            return found
        if like is not None:
            self._quick[kind, like] = step
        return step(batch)

    def notice(self, callbacks: Sequence[Any] = ()) -> None:
        """Trace again if the trained weights or other values have changed since the trace.

        Such values are Python values, such as `layer.rate`, which steps read but do not write.

        Args:
            callbacks: the current callbacks; a new one may read values that a trace updates.
        """
        new = [each for each in callbacks if not any(each is known for known in self._told)]
        if callbacks:
            self._told = list(callbacks)
        if any(each.trainable is not was for each, was in self._trained) or any(
            getattr(step, "is_outdated", _never)(new) for step in self._known.values()
        ):
            self.forget()

    @property
    def known(self) -> list[Any]:
        """The steps with graphs, made or planned."""
        return list(self._known.values())

    def forget(self) -> None:
        """Trace again when the next step is run."""
        self._known.clear()
        self._quick.clear()
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
        """Take the steps that are taken at once, each with a batch of the iterator.

        Raises:
            StopIteration: it has no batch.
        """
        training = self._model._training_state
        compiled = training.compiled
        found = self._taken(training.steps, next(iterator))
        for _ in range(1, 1 if compiled is None else compiled.at_once):
            found = self._taken(training.steps, next(iterator))
        return found if self._kind == "predict" else in_one(found)

    def _taken(self, steps: Steps, item: Any) -> Any:
        return steps.run(self._kind, self._model, as_batch(item))


def prepare(model: Any, kind: str) -> Steps:
    """Return the steps of a model, after asking it for its function for a kind of steps."""
    steps: Steps = model._training_state.steps
    made = getattr(model, f"make_{kind}_function")()
    if steps.functions.get(kind) is None:
        steps.functions[kind] = made
    return steps


def step_function_property(kind: str) -> Any:
    """Return the attribute of a model with its function for a kind of steps, None at first.

    >>> step_function_property("train").__doc__
    'The function that `make_train_function` has made or that was set here, None before.'
    """

    def get(model: Any) -> Any:
        return model._training_state.steps.functions.get(kind)

    def put(model: Any, value: Any) -> None:
        model._training_state.steps.functions[kind] = value

    words = f"The function that `make_{kind}_function` has made or that was set here, None before."
    return property(get, put, doc=words)


def _only(batch: Batch) -> Iterator[Any]:
    """Return an iterator of one batch, of a type that does not cause another trace."""
    if current_recorder() is not None:
        return iter([batch])
    return iter(Dataset.from_tensors(nest.map_structure(_tensor, batch)))


def _never(callbacks: Sequence[Any]) -> bool:
    return False


def _form(structure: Any) -> object:
    """Return a key that is equal for structures that differ in their leaves only.

    >>> _form((1, [2, 3])) == _form((4, [5, 6])), _form((1, [2, 3])) == _form((1, (2, 3)))
    (True, False)
    """
    inside = nest.children(structure)
    return None if inside is None else (nest.form_of(structure), *map(_form, inside))


def _beginning(model: Any, resets: bool = False) -> AbstractContextManager[None]:
    compiled = model._training_state.compiled
    return nullcontext() if compiled is None else compiled.beginning(resets)


def taken(kind: str, model: Any, data: Any) -> Any:
    """Run one step of a model, in the current recorder."""
    return run(getattr(model, f"{kind}_step"), data)


def _at_a_glance(batch: Any) -> tuple[Any, object]:
    """Return a batch of arrays, one or a tuple of them, as tensors, with its cache key.

    The key is None for any other batch.

    >>> _at_a_glance((np.zeros((2, 3), np.float32), np.zeros(2)))[1]
    (dtype('float32'), (3,), dtype('float64'), ())
    >>> _at_a_glance([1])
    ([1], None)
    """
    known: tuple[Any, ...] = ()
    tensors = []
    for leaf in batch if type(batch) is tuple else (batch,):
        tensor = leaf
        if type(leaf) is np.ndarray and leaf.dtype.kind in _PLAIN:
            tensor = EagerTensor(leaf)
        elif type(leaf) is not EagerTensor:
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
    # A tensor may share the memory of the array, since it is dropped after the step.
    is_plain = type(leaf) is np.ndarray and leaf.dtype.kind in _PLAIN
    return EagerTensor(leaf) if is_plain else to_tensor(leaf)

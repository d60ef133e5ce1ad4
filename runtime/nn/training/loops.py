"""The loops of `fit`, `evaluate` and `predict` over epochs and batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.argument_checks import flag, number, shown
from runtime.core.context import current_recorder
from runtime.data import Dataset
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.callbacks.callback_list import CallbackList
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.training.batches import Batch
from runtime.nn.training.data_adapters import Feed, feed_of, gives_batches, split
from runtime.nn.training.logs import Logs, as_numbers
from runtime.nn.training.step_functions import prepare
from runtime.ops.arguments import static_int


@dataclass(frozen=True)
class Data:
    """The data arguments of a loop; `steps` batches make an epoch."""

    x: Any
    y: Any = None
    sample_weight: Any = None
    batch_size: int | None = None
    steps: int | None = None
    shuffle: bool = False
    class_weight: Any = None

    @property
    def lacks_y(self) -> bool:
        """True if there are arrays without labels."""
        return self.y is None and not gives_batches(self.x)

    def feed(self) -> Feed:
        """Return the feed of its batches."""
        if self.steps is not None and (not isinstance(self.steps, int) or self.steps < 1):
            raise ArgumentValueError(
                "the number of steps of an epoch must be a whole number above 0, not "
                f"{self.steps!r}"
            )
        feed = feed_of(
            self.x,
            self.y,
            self.sample_weight,
            self.batch_size,
            _shuffles(self.shuffle),
            self.class_weight,
        )
        if self.steps is None and feed.size is None and _is_infinite(self.x):
            raise ArgumentValueError(
                "the Dataset is infinite: give the number of steps of an epoch"
            )
        return feed


def _shuffles(how: Any) -> bool:
    # Keras 2 has "batch" for data in files; here it means True.
    return (isinstance(how, str) and how == "batch") or flag(how, "shuffle")


def _is_infinite(x: Any) -> bool:
    return isinstance(x, Dataset) and int(x.cardinality()) == -1


@dataclass(frozen=True)
class Validation:
    """The validation data and its options."""

    data: Any
    split: float
    steps: int | None
    batch_size: int | None
    frequency: Any

    def split_from(self, data: Data) -> tuple[Data, Data | None]:
        """Return the data for training, and the data for evaluation or None."""
        size = data.batch_size if self.batch_size is None else self.batch_size
        if self.data is not None:
            given: Any = self.data
            if gives_batches(given):
                return data, Data(given, steps=self.steps)
            parts = tuple(given) if isinstance(given, (tuple, list)) else (given,)
            if not 1 <= len(parts) <= 3:
                raise ArgumentValueError(
                    "validation_data must be x, (x, y), (x, y, sample_weight) or a Dataset, not a "
                    f"{type(given).__name__} of {len(parts)}"
                )
            x, y, weights = (*parts, None, None)[:3]
            return data, Data(x, y, weights, size, self.steps)
        if not number(self.split, "validation_split"):
            return data, None
        if gives_batches(data.x):
            raise ArgumentValueError("validation_split needs arrays: give validation_data instead")
        first, last = split((data.x, data.y, data.sample_weight), self.split)
        kept = replace(data, x=first[0], y=first[1], sample_weight=first[2])
        return kept, Data(last[0], last[1], last[2], size, self.steps)

    def is_due(self, epoch: int) -> bool:
        """Return whether an evaluation follows an epoch, counted from 1."""
        if isinstance(self.frequency, Collection) and not isinstance(self.frequency, (str, bytes)):
            return epoch in self.frequency
        if not isinstance(self.frequency, int) or self.frequency < 1:
            raise ArgumentValueError(
                f"validation_freq must be a number of epochs or a list of epochs, not "
                f"{shown(self.frequency)}"
            )
        return epoch % self.frequency == 0


def fit(
    model: Any,
    data: Data,
    validation: Validation,
    epochs: int,
    initial_epoch: int,
    callbacks: Any,
    verbose: Any,
) -> Any:
    """Train a model; the arguments and errors are those of `Model.fit`."""
    _refuse_recording("fit")
    if not isinstance(epochs, (int, np.integer)) or isinstance(epochs, bool):
        raise ArgumentValueError(f"epochs must be a whole number, not {epochs!r}")
    initial_epoch = static_int(initial_epoch, "initial_epoch")
    state = model._training_state
    data, evaluated = validation.split_from(data)
    feed = data.feed()
    held_out = None
    if evaluated is not None:
        # Invalid validation data is rejected here, before any training.
        held_out = evaluated.feed()
        validation.is_due(1)
        if evaluated.lacks_y and not data.lacks_y and model._compares_with_y:
            raise ArgumentValueError(
                "validation_data has no y, and the loss compares with it: give (x, y)"
            )
    size = data.steps if data.steps is not None else feed.size
    callback_list = CallbackList.of(
        callbacks, model, verbose, with_history=True, epochs=epochs, steps=size
    )
    state.history, state.callbacks = callback_list.history, callback_list.callbacks
    state.should_stop, state.first_epoch = False, initial_epoch
    state.steps.notice(callback_list.callbacks)
    callback_list.on_train_begin()
    logs: Logs = {}
    for epoch in range(state.first_epoch, epochs):
        model.reset_metrics()
        callback_list.on_epoch_begin(epoch)
        state.steps.notice()
        logs = _run_epoch(model, "train", feed, data.steps, callback_list)
        if evaluated is not None and held_out is not None and validation.is_due(epoch + 1):
            held_out.rewind()  # All evaluations use the same items.
            found = _evaluated(model, held_out, evaluated.steps, callback_list)
            logs = {**logs, **{f"val_{name}": value for name, value in found.items()}}
        callback_list.on_epoch_end(epoch, logs)
        if state.should_stop:
            break
    if epochs > 0 and isinstance(model.optimizer, Optimizer):
        model.optimizer.finalize_variable_values(model.trainable_weights)
    callback_list.on_train_end(logs)
    return callback_list.history


def evaluate(model: Any, data: Data, callbacks: Any, verbose: Any) -> Logs:
    """Evaluate a model on data, and return the logs."""
    _refuse_recording("evaluate")
    feed = data.feed()
    callback_list = CallbackList.of(
        callbacks, model, verbose, epochs=1, steps=data.steps or feed.size
    )
    model._training_state.callbacks = callback_list.callbacks
    model._training_state.steps.notice(callback_list.callbacks)
    return _evaluated(model, feed, data.steps, callback_list)


def _evaluated(model: Any, feed: Feed, steps: int | None, callback_list: CallbackList) -> Logs:
    model._training_state.steps.notice()
    callback_list.on_test_begin()
    model.reset_metrics()
    logs = _run_epoch(model, "test", feed, steps, callback_list)
    callback_list.on_test_end(logs)
    return logs


def _run_epoch(
    model: Any, kind: str, feed: Feed, steps: int | None, callback_list: CallbackList
) -> Logs:
    """Run the steps of an epoch, and return the logs of the last one."""
    state = model._training_state
    prepare(model, kind)
    number, found = 0, None
    for group in _groups(feed.epoch(steps), _at_once(model)):
        callback_list.on_batch_begin(kind, number)
        if callback_list.may_change(kind):
            state.steps.notice()
        for batch in group:
            found = state.steps.run(kind, model, batch)
        number += len(group)
        callback_list.on_batch_end(kind, number - 1, found)
        if state.should_stop and kind == "train":
            break
    if found is None:
        raise ArgumentValueError("there is no data: x has no batches")
    return as_numbers(found)


def _at_once(model: Any) -> int:
    compiled = model._training_state.compiled
    return 1 if compiled is None else compiled.at_once


def _groups(batches: Iterator[Batch], size: int) -> Iterator[list[Batch]]:
    group: list[Batch] = []
    for batch in batches:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def predict(model: Any, data: Data, callbacks: Any, verbose: Any) -> Any:
    """Return the concatenated outputs of a model for all batches, as arrays."""
    _refuse_recording("predict")
    feed = data.feed()
    callback_list = CallbackList.of(
        callbacks, model, verbose, epochs=1, steps=data.steps or feed.size
    )
    steps, model._training_state.callbacks = prepare(model, "predict"), callback_list.callbacks
    steps.notice(callback_list.callbacks)
    callback_list.on_predict_begin()
    parts: list[Any] = []
    for at, batch in enumerate(feed.epoch(data.steps)):
        callback_list.on_batch_begin("predict", at)
        found = steps.run("predict", model, batch)
        parts.append(found)
        callback_list.on_batch_end("predict", at, {"outputs": found})
    callback_list.on_predict_end()
    if not parts:
        raise ArgumentValueError("there is no data: x has no batches")
    columns = zip(*(nest.flatten(part) for part in parts))
    arrays = [_joined(model, [each.numpy() for each in column]) for column in columns]
    return nest.unflatten(parts[0], arrays)


def _joined(model: Any, arrays: list[Any]) -> Any:
    shapes = {array.shape[1:] for array in arrays}
    if any(array.ndim == 0 for array in arrays) or len(shapes) > 1:
        raise ShapeError(
            f"model {model.name!r} gives outputs that are not alike for all batches, or have no "
            "axis of items: use predict_on_batch"
        )
    return np.concatenate(arrays)


def _refuse_recording(name: str) -> None:
    if current_recorder() is not None:
        raise ArgumentValueError(
            f"{name} makes its own graphs and cannot be part of one: call it outside of the "
            "function, or call the model in it"
        )

"""Training methods of models: `fit`, `evaluate`, `predict` and the `_on_batch` ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from runtime import nest
from runtime.core.argument_checks import flag
from runtime.core.context import current_recorder
from runtime.core.tensor import Array
from runtime.nn.training import loops
from runtime.nn.training.batches import as_batch
from runtime.nn.training.data_adapters import as_arrays, number_of_items
from runtime.nn.training.logs import as_numbers, in_one, in_order
from runtime.nn.training.step_functions import StepFunction, prepare, step_function_property
from runtime.nn.training.train_step import Learner

if TYPE_CHECKING:
    from runtime.nn.callbacks.callback import History


class Trainer(Learner):
    """A layer with `fit`, `evaluate` and `predict`, for data of all kinds."""

    # -- loops -------------------------------------------------------------------------------------

    def fit(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int | str = "auto",
        callbacks: object = None,
        validation_split: float = 0.0,
        validation_data: object = None,
        shuffle: bool = True,
        class_weight: Mapping[int, float] | None = None,
        sample_weight: object = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_batch_size: int | None = None,
        validation_freq: int | Sequence[int] = 1,
    ) -> History:
        """Train the model, and return the History with the logs of each epoch.

        Args:
            x: arrays or tensors, or a list or dict of them; or a Dataset, a generator or a sequence
                of batches (x, y) or (x, y, sample_weight).
            y: the labels, with arrays only.
            batch_size: the batch size for arrays; 32 by default. Other data have their own.
            epochs: the number of the last epoch, counted from 1.
            verbose: 0 for silence, 1 for a bar, 2 for a line an epoch, "auto" for 1.
            callbacks: called for epochs and batches.
            validation_split: the fraction of the arrays, from their end, that is used for
                evaluation instead of training.
            validation_data: the data of evaluations after epochs: (x, y), (x, y, sample_weight) or
                a Dataset.
            shuffle: whether arrays are shuffled in each epoch.
            class_weight: a dict from classes to the weights of their items.
            sample_weight: the weight of each item.
            initial_epoch: the number of finished epochs.
            steps_per_epoch, validation_steps: the number of batches in an epoch, and in an
                evaluation; all by default.
            validation_batch_size: by default batch_size.
            validation_freq: the number of epochs between evaluations, or a list of numbers of
                epochs.

        Raises:
            ArgumentValueError, ShapeError: the model is not compiled, there is no data, or the data
                do not match.
        """
        if self._training_state.compiled is None and type(self).train_step is Learner.train_step:
            self._training_state.needed(self.name)
        return loops.fit(
            self,
            loops.Data(x, y, sample_weight, batch_size, steps_per_epoch, shuffle, class_weight),
            loops.Validation(
                validation_data,
                validation_split,
                validation_steps,
                validation_batch_size,
                validation_freq,
            ),
            epochs,
            initial_epoch,
            callbacks,
            verbose,
        )

    @overload
    def evaluate(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        sample_weight: object = None,
        steps: int | None = None,
        callbacks: object = None,
        *,
        return_dict: Literal[True],
    ) -> dict[str, float]: ...
    @overload
    def evaluate(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        sample_weight: object = None,
        steps: int | None = None,
        callbacks: object = None,
        return_dict: bool = False,
    ) -> float | Any: ...
    def evaluate(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        sample_weight: object = None,
        steps: int | None = None,
        callbacks: object = None,
        return_dict: bool = False,
    ) -> Any:
        """Return the loss and the metrics for data, in the order of `metrics`, or as a dict.

        Args:
            steps: the number of batches; all by default.
            return_dict: whether to return a dict by their names.

        The others are those of `fit`.
        """
        self._training_state.needed(self.name)
        by_name = flag(return_dict, "return_dict")
        data = loops.Data(x, y, sample_weight, batch_size, steps)
        logs = loops.evaluate(self, data, callbacks, verbose)
        return logs if by_name else in_order(logs, self._names_in_order())

    def predict(
        self,
        x: object,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        steps: int | None = None,
        callbacks: object = None,
    ) -> Array | Any:
        """Return the model's output for data, as arrays; the arguments are those of `evaluate`."""
        data = loops.Data(x, None, None, batch_size, steps)
        return loops.predict(self, data, callbacks, verbose)

    # -- steps as functions of an iterator ---------------------------------------------------------

    def make_train_function(self, force: bool = False) -> Any:
        """Return a function that trains with the next batch of an iterator, and returns its logs.

        It is stored as `train_function`. A subclass may return its own function, which `fit` and
        `train_on_batch` then call for each batch.

        Args:
            force: whether to replace an existing one.
        """
        return self._step_function("train", force)

    def make_test_function(self, force: bool = False) -> Any:
        """Return a function that evaluates the next batch; see `make_train_function`."""
        return self._step_function("test", force)

    def make_predict_function(self, force: bool = False) -> Any:
        """Return a function that predicts for the next batch; see `make_train_function`."""
        return self._step_function("predict", force)

    def _step_function(self, kind: str, force: bool) -> Any:
        steps = self._training_state.steps
        if force:
            steps.forget()
        if force or steps.functions.get(kind) is None:
            steps.functions[kind] = StepFunction(kind, self)
        return steps.functions[kind]

    train_function = step_function_property("train")
    test_function = step_function_property("test")
    predict_function = step_function_property("predict")

    # -- single batches ----------------------------------------------------------------------------

    def train_on_batch(
        self,
        x: object,
        y: object = None,
        sample_weight: object = None,
        class_weight: Mapping[int, float] | None = None,
        return_dict: bool = False,
    ) -> Any:
        """Train with one batch; return its loss and metrics as `evaluate` does.

        While a graph is recorded it is a part of that, and the numbers are tensors.
        """
        return self._on_batch("train", (x, y, sample_weight), class_weight, return_dict)

    def test_on_batch(
        self,
        x: object,
        y: object = None,
        sample_weight: object = None,
        return_dict: bool = False,
    ) -> Any:
        """Return the loss and the metrics of one batch as `evaluate` does, or as tensors."""
        return self._on_batch("test", (x, y, sample_weight), None, return_dict)

    def predict_on_batch(self, x: object) -> Any:
        """Return the model's output for one batch, as arrays; as tensors in a graph."""
        steps = prepare(self, "predict")
        steps.notice()
        found = steps.run("predict", self, as_batch((x,), None, as_arrays))
        if current_recorder() is not None:
            return found
        return nest.map_structure(lambda leaf: leaf.numpy(), found)

    def _on_batch(self, kind: str, data: Any, class_weight: Any, return_dict: bool) -> Any:
        self._training_state.needed(self.name)
        by_name = flag(return_dict, "return_dict")
        self.reset_metrics()
        batch = as_batch(data, None, as_arrays)
        number_of_items(batch)
        batch = as_batch(batch, class_weight)
        steps = prepare(self, kind)
        steps.notice()
        logs = in_one(steps.run(kind, self, batch))
        if current_recorder() is None:
            logs = as_numbers(logs)
        return logs if by_name else in_order(logs, self._names_in_order())

"""The compiled loss of a model: weighted losses per output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.creation_hooks import creating_once
from runtime.errors import ArgumentValueError
from runtime.nn.metrics.mean import Mean
from runtime.nn.training.compile_arguments import loss_of
from runtime.nn.training.output_structure import for_each_output, output_names, outputs_of
from runtime.ops.arrays.shape import shape


class CompiledLoss:
    """The loss of labels and predictions as one number.

    Args:
        loss: a name, function or Loss for all outputs, or a list or dict of them.
        weights: the factor of each output's loss.

    Attributes:
        means: a metric for each output with a loss, if there are several.
        resets: whether these are reset when they are made.
    """

    resets = False

    def __init__(self, loss: Any, weights: Any = None) -> None:
        self._given, self._weights = _losses_as_objects(loss), weights
        self._losses: list[Any] | None = None
        self._factors: list[Any] = []
        self.means: list[Any] = []

    @property
    def has_begun(self) -> bool:
        """True if it has assigned the losses to outputs, with the first batch."""
        return self._losses is not None

    def forget(self) -> None:
        """Assign the losses anew with the next batch."""
        self._losses, self.means = None, []

    def __call__(self, names: Sequence[str] | None, y: Any, y_pred: Any, weights: Any) -> Any:
        """Return the loss of a batch, None if no output has one.

        Args:
            names: the names of the model's outputs.
            y: the labels.
            y_pred: the predictions.
            weights: the weights of items.
        """
        named = output_names(y_pred, names)
        if self._losses is None:
            self._begin(named)
        assert self._losses is not None
        truths = outputs_of(y, named, "y")
        predictions = outputs_of(y_pred, named, "y_pred")
        if isinstance(weights, (list, tuple, dict)):
            counted = outputs_of(weights, named, "sample_weight")
        else:
            counted = [weights] * len(named)
        found, means = [], iter(self.means)
        for at, loss in enumerate(self._losses):
            if loss is None:
                continue
            if truths[at] is None:
                raise ArgumentValueError(f"there is no y for the loss of output {named[at]!r}")
            value = loss(truths[at], predictions[at], sample_weight=counted[at])
            if self.means:
                next(means).update_state(value, sample_weight=shape(predictions[at])[0])
            found.append(value if self._factors[at] is None else value * self._factors[at])
        return sum(found[1:], found[0]) if found else None

    def _begin(self, names: Sequence[str]) -> None:
        losses = [loss_of(each) for each in for_each_output(self._given, names, "loss")]
        self._factors = for_each_output(self._weights, names, "loss_weights")
        # The mean of a single loss is that of the model.
        if sum(loss is not None for loss in losses) > 1:
            pairs = zip(names, losses)
            with creating_once(self):
                self.means = [Mean(name=f"{n}_loss") for n, loss in pairs if loss is not None]
        for mean in self.means if self.resets else ():
            mean.reset_state()
        self._losses = losses


def _losses_as_objects(loss: Any) -> Any:
    """Return losses as objects, so that unknown names raise in `compile`."""
    if isinstance(loss, dict) and "class_name" not in loss:
        return {name: loss_of(each) for name, each in loss.items()}
    if isinstance(loss, (list, tuple)):
        return [loss_of(each) for each in loss]
    return loss_of(loss)

"""The training state of a model: compile arguments and traced steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.context import caller_origin
from runtime.core.source_names import warn_at
from runtime.errors import ArgumentValueError
from runtime.nn.metrics.mean import Mean
from runtime.nn.models.serialization import serialize_keras_object as _serialized
from runtime.nn.training.compile_arguments import optimizer_of
from runtime.nn.training.compiled_loss import CompiledLoss
from runtime.nn.training.compiled_metrics import CompiledMetrics
from runtime.nn.training.step_functions import StepRunner


class CompileArguments:
    """The arguments of `compile`, as objects.

    Attributes:
        given: the original arguments.
        mean: the metric with the mean loss of the batches.
        at_once: `steps_per_execution`, the number of steps between calls of callbacks.
    """

    def __init__(self, **given: Any) -> None:
        self.given = given
        self.optimizer = optimizer_of(given["optimizer"])
        loss, weights = given["loss"], given["loss_weights"]
        self.loss = None if loss is None else CompiledLoss(loss, weights)
        self.metrics = CompiledMetrics(given["metrics"], given["weighted_metrics"])
        self.mean = Mean(name="loss")
        self.at_once = _steps_at_once(given["steps_per_execution"])
        if given["jit_compile"] is True:
            warn_at(
                caller_origin(),
                "jit_compile=True says nothing here: graphs run on NumPy, which compiles nothing",
                UserWarning,
            )

    def config(self, runs_eagerly: bool) -> dict[str, Any]:
        """Return the arguments of `compile` as plain values."""
        arguments = {
            **self.given,
            "optimizer": self.optimizer,
            "run_eagerly": runs_eagerly,
            "steps_per_execution": self.at_once,
            "jit_compile": self.given["jit_compile"] is True,
        }
        config: dict[str, Any] = _serialized(arguments)
        return config

    @contextmanager
    def beginning(self, resets: bool = False) -> Iterator[None]:
        """In a `with` block for a first batch: if it fails, losses and metrics are assigned anew.

        Args:
            resets: whether metrics that are created now are reset before the batch is counted.
        """
        parts = [each for each in (self.loss, self.metrics) if each and not each.has_begun]
        for each in parts:
            each.resets = resets
        try:
            yield
        except BaseException:
            for each in parts:
                each.forget()
            raise

    def counted(self, names: Callable[[], Any]) -> list[Any]:
        """Return all metrics in the order of `evaluate`, those of `compile` as one.

        Args:
            names: returns the names of the outputs.
        """
        means = [] if self.loss is None else self.loss.means
        return [self.mean, *self.metrics.as_one(names), *means]


def _steps_at_once(number: Any) -> int:
    if isinstance(number, str) and number == "auto":
        return 1
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ArgumentValueError(
            f"steps_per_execution must be a whole number above 0, not {shown(number)}"
        )
    return number


class Training:
    """The training state of a model.

    Attributes:
        compiled: the compiled arguments, None before.
        steps: its steps as graphs.
        should_stop: whether a callback has requested the end of the training.
        history: the History of the last `fit`.
        first_epoch: the first epoch of the current `fit`; callbacks may set it at its beginning.
        callbacks: the current callbacks; they may read values that steps change.
    """

    def __init__(self) -> None:
        self.compiled: CompileArguments | None = None
        self.optimizer: Any = None
        self.steps = StepRunner()
        self.should_stop = False
        self.first_epoch = 0
        self.history: Any = None
        self.callbacks: Sequence[Any] = ()

    def checkpoint_parts(self) -> dict[str, Any]:
        """Return the part for checkpoints: the optimizer."""
        return {"optimizer": self.optimizer}

    def begin(self, compiled: CompileArguments, runs_eagerly: bool) -> None:
        """Set the compile arguments, and forget the traced steps."""
        self.compiled, self.optimizer = compiled, compiled.optimizer
        self.steps = StepRunner(runs_eagerly)

    def needed(self, name: str) -> CompileArguments:
        """Return the compiled settings of the model; ArgumentValueError if it was not compiled."""
        if self.compiled is None:
            raise ArgumentValueError(
                f"model {name!r} does not know how to train: write "
                "model.compile(optimizer='adam', loss='mse') first"
            )
        return self.compiled

"""`compile` and the steps of training, evaluation and prediction, which a subclass may override."""

from __future__ import annotations

from inspect import signature
from typing import Any

from runtime import nest
from runtime.autodiff.tape import GradientTape
from runtime.core.argument_checks import flag
from runtime.core.context import caller_origin
from runtime.core.converter_hooks import run
from runtime.core.source_names import warn_at
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.layer import Layer
from runtime.nn.models.serialization import deserialize_keras_object as _deserialized
from runtime.nn.modules.traversal import each_once
from runtime.nn.training.batches import unpacked
from runtime.nn.training.compiled_metrics import MetricsAsOne
from runtime.nn.training.training_state import CompileArguments, Training
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import shape


class Learner(Layer):
    """A layer with `compile` and the steps for single batches."""

    # -- the arguments of compile ------------------------------------------------------------------

    @property
    def _training_state(self) -> Training:
        own: Any = self._own
        if own.training is None:
            own.training = Training()
        state: Training = own.training
        return state

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: TensorLike | None = None,
        loss_weights: Any = None,
        metrics: Any = None,
        weighted_metrics: Any = None,
        run_eagerly: bool = False,
        steps_per_execution: Any = 1,
        jit_compile: Any = "auto",
        auto_scale_loss: bool = True,
    ) -> None:
        """Set the optimizer, the losses and the metrics of the training.

        Args:
            optimizer: a name or an Optimizer.
            loss: a name, a function of y_true and y_pred, or a Loss; for several outputs a list, or
                a dict by their names.
            loss_weights: the factors of the losses of outputs.
            metrics: names, functions or metrics; lists of lists or a dict for several outputs.
                "accuracy" depends on the shapes.
            weighted_metrics: metrics that use the weights of items.
            run_eagerly: whether Python runs the steps, not graphs.
            steps_per_execution: the number of steps between calls of callbacks.
            jit_compile: no effect here, since graphs run on NumPy; True warns.
            auto_scale_loss: no effect here, since no dtype needs it.

        Raises:
            ArgumentValueError: a name is unknown, or an argument has a wrong type.
        """
        compiled = CompileArguments(
            optimizer=optimizer,
            loss=loss,
            loss_weights=loss_weights,
            metrics=metrics,
            weighted_metrics=weighted_metrics,
            steps_per_execution=steps_per_execution,
            jit_compile=jit_compile,
        )
        self._training_state.begin(compiled, flag(run_eagerly, "run_eagerly"))

    def get_compile_config(self) -> dict[str, Any] | None:
        """Return the arguments of `compile` as plain values, None if it was not compiled.

        A subclass whose `compile` takes other arguments overrides this, for files, together with
        `compile_from_config`.
        """
        compiled = self._training_state.compiled
        return None if compiled is None else compiled.config(self.run_eagerly)

    def compile_from_config(self, config: dict[str, Any]) -> None:
        """Compile the model with a result of `get_compile_config`."""
        if type(self).compile is not Learner.compile:
            kind = type(self).__name__
            warn_at(
                caller_origin(),
                f"the model is not compiled: {kind} has a `compile` of its own; let it have "
                "get_compile_config and compile_from_config, too",
                UserWarning,
            )
            return
        self.compile(**_deserialized(config))

    @property
    def compiled(self) -> bool:
        """True if `compile` was called."""
        return self._training_state.compiled is not None

    @property
    def optimizer(self) -> Any:
        """The optimizer from `compile`, or one that was set."""
        return self._training_state.optimizer

    @optimizer.setter
    def optimizer(self, value: TensorLike) -> None:
        self._training_state.optimizer = value
        self._training_state.steps.forget()

    @property
    def loss(self) -> Any:
        """The `loss` argument of `compile`."""
        compiled = self._training_state.compiled
        return None if compiled is None else compiled.given["loss"]

    @property
    def run_eagerly(self) -> bool:
        """True where Python runs the steps."""
        return self._training_state.steps.runs_eagerly

    @run_eagerly.setter
    def run_eagerly(self, value: bool) -> None:
        self._training_state.steps.runs_eagerly = bool(value)

    @property
    def jit_compile(self) -> bool:
        """The argument of `compile`; it has no effect here."""
        compiled = self._training_state.compiled
        return compiled is not None and compiled.given["jit_compile"] is True

    @property
    def steps_per_execution(self) -> int:
        """The number of steps between calls of callbacks."""
        compiled = self._training_state.compiled
        return 1 if compiled is None else compiled.at_once

    @property
    def stop_training(self) -> bool:
        """True if `fit` is to end after this epoch; callbacks set it."""
        return self._training_state.should_stop

    @stop_training.setter
    def stop_training(self, value: bool) -> None:
        self._training_state.should_stop = bool(value)

    @property
    def history(self) -> Any:
        """The History of the last `fit`."""
        return self._training_state.history

    # -- metrics -----------------------------------------------------------------------------------

    @property
    def metrics(self) -> list[Any]:
        """The metrics: of the loss, those of `compile` as one metric, and those in attributes."""
        compiled = self._training_state.compiled
        counted: list[Any] = []
        if compiled is not None:
            counted = compiled.counted(self._names_of_outputs)
        return each_once([*counted, *super().metrics])

    @property
    def metrics_names(self) -> list[str]:
        """The names of the metrics; those of `compile` have one name, "compile_metrics"."""
        return [each.name for each in self.metrics]

    def _names_in_order(self) -> list[str]:
        inside = ([*getattr(each, "metrics", (each,))] for each in self.metrics)
        return [one.name for some in inside for one in some]

    def reset_metrics(self) -> None:
        """Reset all metrics."""
        for each in self.metrics:
            run(each.reset_state)

    def get_metrics_result(self) -> dict[str, Any]:
        """Return the metrics' values so far, by their names."""
        found: dict[str, Any] = {}
        compiled = self._training_state.compiled
        known: list[Any] = []
        if compiled is not None:
            # The names of `compile` metrics in logs also depend on the outputs.
            known = compiled.metrics.metrics
        for each in self.metrics:
            if all(each is not one for one in known):
                value = run(each.result)
                found.update(value if isinstance(value, dict) else {each.name: value})
        return found

    # -- steps, which a subclass may override ------------------------------------------------------

    def compute_loss(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        y_pred: TensorLike | None = None,
        sample_weight: TensorLike | None = None,
        training: bool = True,
    ) -> Any:
        """Return the loss of a batch: that of `compile` and the losses of layers.

        Args:
            x, y, sample_weight: the batch.
            y_pred: the model's output for x.
            training: whether the batch trains the model.

        Raises:
            ArgumentValueError: there is no loss at all.
        """
        compiled = self._training_state.compiled
        losses: list[Any] = []
        if compiled is not None and compiled.loss is not None and y is not None:
            found = compiled.loss(self._names_of_outputs(), y, y_pred, sample_weight)
            losses = [] if found is None else [found]
        losses += [reduce_sum(each) for each in self.losses]
        if not losses:
            is_known = self.loss is not None
            missing = "no y is given: write fit(x, y)" if is_known else "it is compiled without one"
            raise ArgumentValueError(f"model {self.name!r} has no loss: {missing}")
        return sum(losses[1:], losses[0])

    def compiled_loss(
        self,
        y: TensorLike,
        y_pred: TensorLike,
        sample_weight: TensorLike | None = None,
        regularization_losses: Any = None,
    ) -> Any:
        """Return the loss of a batch and count it, for `train_step`s written for Keras 2.

        Args:
            y, y_pred, sample_weight: as for `compute_loss`.
            regularization_losses: additional losses, such as `model.losses`.

        Raises:
            ArgumentValueError: the model is not compiled, or without a loss.
        """
        compiled = self._training_state.needed(self.name)
        if compiled.loss is None:
            raise ArgumentValueError(f"model {self.name!r} is compiled without a loss")
        loss = compiled.loss(self._names_of_outputs(), y, y_pred, sample_weight)
        for each in regularization_losses or ():
            loss = loss + reduce_sum(each)
        self._count_loss(loss, y_pred)
        return loss

    @property
    def compiled_metrics(self) -> Any:
        """The metrics of `compile` as one; `update_state(y, y_pred)` counts a batch."""
        compiled = self._training_state.needed(self.name)
        found = compiled.metrics.as_one(self._names_of_outputs)
        return found[0] if found else MetricsAsOne(compiled.metrics, self._names_of_outputs)

    def compute_metrics(
        self,
        x: TensorLike,
        y: TensorLike,
        y_pred: TensorLike,
        sample_weight: TensorLike | None = None,
    ) -> dict[str, Any]:
        """Count a batch in the metrics of `compile`, and return the results of all metrics."""
        compiled = self._training_state.compiled
        if compiled is not None:
            compiled.metrics.update(self._names_of_outputs(), y, y_pred, sample_weight)
        return self.get_metrics_result()

    def train_step(self, data: TensorLike) -> dict[str, Any]:
        """Train with one batch, and return its logs.

        Args:
            data: the batch: x, (x,), (x, y) or (x, y, sample_weight).
        """
        x, y, weights = unpacked(data)
        with GradientTape() as tape:
            y_pred = self._predicted(x, True)
            loss = self._loss_of(x, y, y_pred, weights, True)
        self._count_loss(loss, x)
        trained = self.trainable_weights
        if trained:
            gradients = tape.gradient(loss, trained)
            self.optimizer.apply_gradients(list(zip(gradients, trained)))
        else:
            warn_at(caller_origin(), f"model {self.name!r} has no trainable weights", UserWarning)
        logs: dict[str, Any] = run(self.compute_metrics, x, y, y_pred, sample_weight=weights)
        return logs

    def test_step(self, data: TensorLike) -> dict[str, Any]:
        """Evaluate one batch, and return its logs; the argument is that of `train_step`."""
        x, y, weights = unpacked(data)
        y_pred = self._predicted(x, False)
        loss = self._loss_of(x, y, y_pred, weights, False)
        self._count_loss(loss, x)
        logs: dict[str, Any] = run(self.compute_metrics, x, y, y_pred, sample_weight=weights)
        return logs

    def predict_step(self, data: TensorLike) -> Any:
        """Return the model's output for a batch."""
        x, _, _ = unpacked(data)
        return self._predicted(x, False)

    def _predicted(self, x: Any, training: bool) -> Any:
        # If `call` has no parameter `training`, its layers do not get it either.
        takes, _ = parameters_of(self)
        return self(x, training=training) if "training" in takes else self(x)

    def _loss_of(self, x: Any, y: Any, y_pred: Any, weights: Any, training: bool) -> Any:
        # A user's override may lack the parameter `training`, which Keras 3 added.
        takes = signature(self.compute_loss).parameters
        various = any(each.kind is each.VAR_KEYWORD for each in takes.values())
        options = {"training": training} if "training" in takes or various else {}
        return run(self.compute_loss, x=x, y=y, y_pred=y_pred, sample_weight=weights, **options)

    def _count_loss(self, loss: Any, x: Any) -> None:
        compiled = self._training_state.compiled
        if compiled is not None:
            first = nest.flatten(x)[0]
            compiled.mean.update_state(loss, sample_weight=shape(first)[0])

    @property
    def _compares_with_y(self) -> bool:
        kind = type(self)
        is_standard = (
            kind.test_step is Learner.test_step and kind.compute_loss is Learner.compute_loss
        )
        return is_standard and self.loss is not None

    def _names_of_outputs(self) -> Any:
        return getattr(self, "output_names", None)

"""The compiled metrics of a model, per output, with and without sample weights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from runtime.core.converter_hooks import run
from runtime.core.creation_hooks import creating_once
from runtime.nn.layers.masks import mask_of
from runtime.nn.metrics.metric import Metric
from runtime.nn.training.compile_arguments import metric_for
from runtime.nn.training.output_structure import lists_for_outputs, output_names, outputs_of
from runtime.ops.constant import cast


@dataclass(frozen=True)
class _Counted:
    """A metric with its output.

    Attributes:
        label: its name in logs.
        at: the index of the output.
        is_weighted: whether items count by their weights.
    """

    metric: Any
    label: str
    at: int
    is_weighted: bool


class CompiledMetrics:
    """The metrics of a model, per output.

    Args:
        metrics: names, functions or metrics; a list or dict of lists for several outputs.
        weighted: further metrics, which use sample weights.

    Attributes:
        resets: whether metrics are reset when they are assigned to the outputs.
    """

    resets = False

    def __init__(self, metrics: Any = None, weighted: Any = None) -> None:
        self._given = (metrics, weighted)
        self._counted: list[_Counted] | None = None
        self._as_one: MetricsAsOne | None = None

    def as_one(self, names: Callable[[], Sequence[str] | None]) -> list[Any]:
        """Return one metric that stands for all, which exist only from the first batch on.

        Args:
            names: returns the names of the outputs.
        """
        if self._given == (None, None):
            return []
        if self._as_one is None:
            self._as_one = MetricsAsOne(self, names)
        return [self._as_one]

    @property
    def metrics(self) -> list[Any]:
        """The metrics; an empty list before the first batch."""
        return [each.metric for each in self._counted or ()]

    @property
    def has_begun(self) -> bool:
        """True if it has assigned the metrics to outputs, with the first batch."""
        return self._counted is not None

    def forget(self) -> None:
        """Assign the metrics anew with the next batch."""
        self._counted = None

    def update(self, names: Sequence[str] | None, y: Any, y_pred: Any, weights: Any) -> None:
        """Count a batch; the arguments are those of CompiledLoss."""
        if self._given == (None, None) or y is None:
            return
        named = output_names(y_pred, names)
        truths, predictions = outputs_of(y, named, "y"), outputs_of(y_pred, named, "y_pred")
        if self._counted is None:
            with creating_once(self):
                self._counted = self._begun(named, truths, predictions)
            for each in self._counted if self.resets else ():
                run(each.metric.reset_state)
        if isinstance(weights, (list, tuple, dict)):
            counted = outputs_of(weights, named, "sample_weight")
        else:
            counted = [weights] * len(named)
        for each in self._counted:
            weight = counted[each.at] if each.is_weighted else None
            _update(each.metric, truths[each.at], predictions[each.at], weight)

    def results(self) -> dict[str, Any]:
        """Return the metrics' values so far, by name."""
        found: dict[str, Any] = {}
        for each in self._counted or ():
            label = each.label
            if each.is_weighted and label in found:
                label = f"weighted_{label}"
            label = _unused(label, found)
            value = run(each.metric.result)
            found.update(value if isinstance(value, dict) else {label: value})
        return found

    def _begun(self, names: Sequence[str], truths: Any, predictions: Any) -> list[_Counted]:
        found = []
        for given, is_weighted in zip(self._given, (False, True)):
            what = "weighted_metrics" if is_weighted else "metrics"
            for at, wanted in enumerate(lists_for_outputs(given, names, what)):
                for each in wanted:
                    if truths[at] is None or each is None:
                        continue
                    metric = metric_for(each, truths[at], predictions[at])
                    label = metric.name if len(names) == 1 else f"{names[at]}_{metric.name}"
                    found.append(_Counted(metric, label, at, is_weighted))
        return found


def _unused(label: str, used: Collection[str]) -> str:
    """Return an unused name: the label, with a number if it is used.

    >>> _unused("mae", []), _unused("mae", ["mae", "mae_1"])
    ('mae', 'mae_2')
    """
    numbered = (f"{label}_{number}" for number in count(1))
    return label if label not in used else next(each for each in numbered if each not in used)


def _update(metric: Any, y_true: Any, y_pred: Any, weight: Any) -> None:
    mask = mask_of(y_pred)
    if mask is not None:
        weight = mask if weight is None else weight * cast(mask, weight.dtype)
    if weight is None:
        run(metric.update_state, y_true, y_pred)
    else:
        run(metric.update_state, y_true, y_pred, sample_weight=weight)


class MetricsAsOne(Metric):
    """All compiled metrics of a model as one, for a user's `train_step`.

    Args:
        compiled: the metrics.
        names: returns the names of the outputs.
    """

    def __init__(
        self, compiled: CompiledMetrics, names: Callable[[], Sequence[str] | None]
    ) -> None:
        super().__init__(name="compile_metrics")
        self._compiled, self._names = compiled, names

    @property
    def metrics(self) -> list[Any]:
        """The metrics inside; an empty list before the first batch."""
        return self._compiled.metrics

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count a batch."""
        self._compiled.update(self._names(), y_true, y_pred, sample_weight)

    def result(self) -> Any:
        """Return the metrics' values so far, by name."""
        return self._compiled.results()

    def reset_state(self) -> None:
        """Reset all metrics."""
        for each in self._compiled.metrics:
            each.reset_state()

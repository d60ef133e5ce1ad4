"""Per-output structures: losses, metrics and weights matched to outputs by name or position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.errors import ArgumentValueError


def output_names(y_pred: Any, names: Sequence[str] | None) -> list[str]:
    """Return the names of outputs: the keys of a dict, the model's names, or numbered ones.

    >>> output_names({"b": 1, "a": 2}, None), output_names([1, 2], None), output_names(1, ["d"])
    (['b', 'a'], ['output_1', 'output_2'], ['d'])
    """
    if isinstance(y_pred, Mapping):
        return list(y_pred)
    number = len(y_pred) if isinstance(y_pred, (list, tuple)) else 1
    if names is not None and len(names) == number:
        return list(names)
    return [f"output_{each + 1}" for each in range(number)]


def outputs_of(value: Any, names: Sequence[str], what: str) -> list[Any]:
    """Return the values of a structure with one value per output, as a list.

    Raises:
        ArgumentValueError: the number or the names are not those of the outputs.

    >>> outputs_of({"a": 1, "b": 2}, ["b", "a"], "y"), outputs_of(None, ["a", "b"], "y")
    ([2, 1], [None, None])
    """
    if value is None:
        return [None] * len(names)
    if isinstance(value, Mapping):
        _check_names(value, names, what)
        return [value.get(name) for name in names]
    if isinstance(value, (list, tuple)):
        if len(value) == len(names):
            return list(value)
        raise ArgumentValueError(
            f"{what} has {len(value)} parts, and the model {len(names)} outputs: {', '.join(names)}"
        )
    if len(names) > 1:
        raise ArgumentValueError(
            f"{what} is one, and the model has {len(names)} outputs: give a list, or a dict by "
            f"{', '.join(names)}"
        )
    return [value]


def for_each_output(given: Any, names: Sequence[str], what: str) -> list[Any]:
    """Return a value for each output; a single value is for all of them.

    >>> for_each_output("mse", ["a", "b"], "loss"), for_each_output({"b": 1}, ["a", "b"], "loss")
    (['mse', 'mse'], [None, 1])
    """
    if given is None or isinstance(given, (Mapping, list, tuple)):
        return outputs_of(given, names, what)
    return [given] * len(names)


def lists_for_outputs(given: Any, names: Sequence[str], what: str) -> list[list[Any]]:
    """Return a list for each output; the argument is a single value, a list or a dict by names.

    >>> lists_for_outputs(["mae", "mse"], ["a"], "metrics")
    [['mae', 'mse']]
    >>> lists_for_outputs({"b": "mae"}, ["a", "b"], "metrics")
    [[], ['mae']]
    """
    if isinstance(given, (list, tuple)) and len(names) == 1 and not _is_nested(given):
        return [list(given)]
    return [_listed(each) for each in for_each_output(given, names, what)]


def _is_nested(given: Any) -> bool:
    return len(given) == 1 and isinstance(given[0], (list, tuple))


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _check_names(given: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    for name in given:
        if name not in names:
            raise ArgumentValueError(
                f"{what} names the output {name!r}, and the model has {', '.join(names)}"
            )

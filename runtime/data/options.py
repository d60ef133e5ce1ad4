"""Dataset options, which are recorded for compatibility with TensorFlow and have no effect."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from runtime.core.context import caller_origin
from runtime.core.source_names import warn_at
from runtime.data.cursors import Cursor, Wrapping
from runtime.data.plan import UNKNOWN, Arrays, DatasetPlan, DatasetStep, InputPlan, Tensors
from runtime.data.random_access import RandomAccess
from runtime.data.stacked_items import StackedItems
from runtime.errors import MissingMethodError, is_refusal
from runtime.ops.data.datasets import Item

_PARTS = {
    "autotune": ("autotune_algorithm", "cpu_budget", "enabled", "initial_parallelism"),
    "experimental_distribute": ("auto_shard_policy", "num_devices"),
    "experimental_optimization": (
        *("apply_default_optimizations", "filter_fusion", "filter_parallelization"),
        *("inject_prefetch", "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion"),
        *("map_parallelization", "noop_elimination", "parallel_batch", "seq_interleave_prefetch"),
        "shuffle_and_repeat_fusion",
    ),
    "threading": ("max_intra_op_parallelism", "private_threadpool_size"),
}
_NAMES = (
    *("dataset_name", "deterministic", "experimental_deterministic", "experimental_slack"),
    *("experimental_external_state_policy", "experimental_symbolic_checkpoint"),
    *("experimental_warm_start", "framework_type"),
)


class _Choices:
    """Named options; None means that an option is not set."""

    def __init__(self, what: str, names: tuple[str, ...]) -> None:
        vars(self).update(_what=what, **dict.fromkeys(names))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self) or name == "_what":
            names = ", ".join(sorted({*vars(self)} - {"_what"}))
            raise MissingMethodError(f"{self._what} have no {name!r}: there are {names}")
        vars(self)[name] = value

    def __getattr__(self, name: str) -> Any:
        raise MissingMethodError(f"{self.__dict__.get('_what', 'options')} have no {name!r}")

    def _key(self) -> object:
        return tuple(
            (name, value._key() if isinstance(value, _Choices) else repr(value))
            for name, value in sorted(vars(self).items())
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Options(_Choices):
    """The options of a dataset, as in TensorFlow.

    >>> options = Options()
    >>> options.deterministic = True
    >>> options.threading.private_threadpool_size = 2
    >>> options.threading.private_threadpool_size
    2
    """

    def __init__(self) -> None:
        super().__init__("options of a dataset", (*_NAMES, *_PARTS))
        for part, names in _PARTS.items():
            setattr(self, part, _Choices(f"{part} options of a dataset", names))

    def copy(self) -> Options:
        """Return a copy."""
        made = Options()
        made.merge(self)
        return made

    def merge(self, options: Options) -> None:
        """Set the options that are set in other options."""
        for mine, theirs in [
            (self, options),
            *((getattr(self, p), getattr(options, p)) for p in _PARTS),
        ]:
            for name, value in vars(theirs).items():
                if name not in _PARTS and name != "_what" and value is not None:
                    vars(mine)[name] = copy.copy(value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Options:
        return self.copy()

    def __repr__(self) -> str:
        chosen = [f"{name}={value!r}" for name, value in vars(self).items() if name in _NAMES]
        return f"<rt.data.Options: {', '.join(each for each in chosen if '=None' not in each)}>"


@dataclass(frozen=True)
class WithOptions(DatasetStep):
    """The same items, with options."""

    options: Options

    @property
    def keeps_access(self) -> bool:
        return True

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        return access

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return below.start()

    def __str__(self) -> str:
        return str(self.source)

    def as_text(self) -> str:
        return ""


@dataclass(frozen=True)
class IgnoringErrors(DatasetStep):
    """The items whose computation raises no error."""

    warns: bool

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return IgnoringCursor(below.start(), self.warns)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return "ignore_errors()"


class IgnoringCursor(Wrapping):
    """Iterates over the items that raise no error of an operation or of Python code."""

    def __init__(self, source: Cursor, warns: bool) -> None:
        super().__init__(source)
        self._warns = warns

    def __next__(self) -> Item:
        while True:
            try:
                return next(self._source)
            except StopIteration:
                raise
            except Exception as error:
                if is_refusal(error):
                    raise
                if self._warns:
                    warn_at(caller_origin(), f"an element is left out: {error}", UserWarning)

    def rows(self, count: int) -> StackedItems | None:
        return None


def options_of(plan: DatasetPlan) -> Options:
    """Return the merged options of all steps of a plan; later steps override earlier ones."""
    chosen: list[Options] = []
    waiting = [plan]
    while waiting:
        each = waiting.pop()
        if isinstance(each, WithOptions):
            chosen.append(each.options)
        waiting.extend(getattr(each, "sources", ()))
        waiting.extend([each.source] if isinstance(each, DatasetStep) else [])
    made = Options()
    for options in reversed(chosen):
        made.merge(options)
    return made

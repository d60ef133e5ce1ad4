"""The ops inside a `try_except` node, which pass its state between its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import unboxed
from runtime.errors import GraphError
from runtime.ops.op import apply, define


class TryState:
    """The state of one execution of a `try`.

    Attributes:
        values: the values for the handlers, from before the last node that may raise.
        left: whether the body has ended, so that nothing is caught any more.
    """

    def __init__(self, initial: Sequence[Array]) -> None:
        self.initial = tuple(initial)
        self.values = list(initial)
        self.left = False

    def note(self, places: Sequence[int], values: Sequence[Array]) -> None:
        """Note values at their positions; the other positions get their initial values."""
        self.values = list(self.initial)
        for place, value in zip(places, values):
            self.values[place] = value


@dataclass(eq=False, repr=False)
class NotedVariables:
    """The variables that a `note_state` node notes, and the positions of their values.

    Attributes:
        names: the variables.
        places: the positions among the values that handlers get, one per value; set after
            recording.
    """

    names: tuple[str, ...]
    places: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return ", ".join(self.names)


@dataclass(eq=False, repr=False)
class ExceptionParts:
    """Values that are extracted from a caught exception.

    Attributes:
        text: the text that shows it.
        function: takes the exception, and returns one array per tensor.
    """

    text: str
    function: Callable[[BaseException], Sequence[Array]]

    def __str__(self) -> str:
        return self.text


def leave_try(record: Tensor) -> None:
    """Mark the end of the body: from here on no errors are caught."""
    apply(LEAVE, (record,))


def from_exception(caught: Tensor, extract: ExceptionParts, specs: Sequence[TensorSpec]) -> Any:
    """Return tensors extracted from a caught exception, one per spec."""
    return apply(FROM_EXCEPTION, (caught,), extract=extract, specs=tuple(specs))


@dataclass(eq=False, repr=False)
class Reraise:
    """The exception to raise again.

    Attributes:
        kinds: the classes that it may be an instance of.
        sources: facts about the nodes that may have raised it, used while tracing.
    """

    kinds: tuple[type[BaseException], ...]
    sources: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return " or ".join(dict.fromkeys(kind.__name__ for kind in self.kinds))


def raise_again(caught: Tensor, what: Reraise) -> None:
    """Raise a caught exception with its traceback."""
    apply(RAISE_AGAIN, (caught,), what=what)


def _note_kernel(record: Array, *values: Array, noted: NotedVariables) -> tuple[()]:
    unboxed(record).note(noted.places, values)
    return ()


def _leave_kernel(record: Array) -> tuple[()]:
    unboxed(record).left = True
    return ()


def _extract_kernel(
    caught: Array, *, extract: ExceptionParts, specs: tuple[TensorSpec, ...]
) -> tuple[Array, ...]:
    return tuple(extract.function(unboxed(caught)))


def _again_kernel(caught: Array, *, what: Reraise) -> tuple[()]:
    error = unboxed(caught)
    # Its traceback already has the origin.
    object.__getattribute__(error, "__dict__")["_located"] = True
    raise error


def _no_results(*specs: TensorSpec, **attrs: Any) -> tuple[()]:
    return ()


def _extracted(
    caught: TensorSpec, *, extract: ExceptionParts, specs: tuple[TensorSpec, ...]
) -> tuple[TensorSpec, ...]:
    return specs


def _note_infer(
    record: TensorSpec, *values: TensorSpec, noted: NotedVariables, regions: Sequence[Any] = ()
) -> tuple[()]:
    for region in regions[:1]:
        if [each.spec.dtype for each in region.inputs] != [each.dtype for each in values]:
            raise GraphError("the noted variables do not match the inputs of the region")
    count = len(regions[0].outputs) if regions else len(values)
    # The places are set after recording.
    if len(regions) > 1 or len(noted.places) not in (0, count) or min(noted.places, default=0) < 0:
        raise GraphError(f"{count} values are noted at {len(noted.places)} places")
    return ()


NOTE = define("note_state", _note_kernel, _note_infer, effects="io", n_outputs=0)
LEAVE = define("leave_try", _leave_kernel, _no_results, effects="io", n_outputs=0)
FROM_EXCEPTION = define("from_exception", _extract_kernel, _extracted, n_outputs=None)
RAISE_AGAIN = define("raise_again", _again_kernel, _no_results, effects="io", n_outputs=0)

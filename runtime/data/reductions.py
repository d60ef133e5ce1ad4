"""The functions of `reduce` and `scan`, of a state and an element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import nest
from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.data.element_spec import Element, as_components
from runtime.data.functions import ElementFunction, traced_call
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.convert import strong_cast, to_tensor

_MOST_TRIES = 4


class Fold:
    """The traced function of `reduce` or `scan`; the next state has the structure of the state.

    Args:
        function: returns the next state; for `scan` the next state and an output.
        initial: the first state. Python numbers in it take the dtype of the result.
        element: the Element of the dataset.
        method: `reduce` or `scan`.

    Attributes:
        state: the tensors of the first state.
        kind: the Element of every state.
        function, operands: the traced function, and the tensors it captures.
        made: the Element of the outputs of `scan`.
    """

    function: ElementFunction
    operands: list[Any]

    def __init__(
        self, function: Callable[..., Any], initial: Any, element: Element, method: str
    ) -> None:
        self._called, self._method = function, method
        whole = as_components(initial)
        self.state: list[Tensor] = nest.flatten(whole)
        leaves = nest.flatten(initial)
        self._plain = [type(each) in (bool, int, float) for each in leaves]
        if len(leaves) != len(self.state):
            self._plain = [False] * len(self.state)
        self.kind = Element.of(whole)
        for _ in range(_MOST_TRIES):
            if self._trace(element):
                return
        raise ArgumentValueError(
            f"{method}: the state must keep its shape, and each element changes it"
        )

    def _trace(self, element: Element) -> bool:
        """Trace the function; return whether its result fits the spec of the state."""
        both = Element((self.kind.structure, element.structure))
        given = lambda tensors: tuple(both.packed(tensors))  # noqa: E731
        numbers = [at for at, is_plain in enumerate(self._plain) if is_plain]
        try:
            self.function, self.operands = traced_call(self._called, both, given, self._method)
        except DTypeError:
            if not numbers:
                raise
            # Python numbers need another dtype; a trace with weak values shows which one.
            self.function, _ = traced_call(self._called, both, given, self._method, numbers)
            self._plain = [False] * len(self._plain)
            self._adopt_all(self._after(self.function.result), numbers)
            return False
        after = self._after(self.function.result)
        if len(after.specs) != len(self.kind.specs):
            raise ArgumentValueError(
                f"{self._method}: the function must return a state of {self.kind}, not {after}"
            )
        pairs = list(zip(self.kind.specs, after.specs))
        for at, (before, spec) in enumerate(pairs):
            if before.dtype is not spec.dtype:
                self._adopt(at, spec.dtype)
        specs = [_joined(self.state[at].spec, *pair) for at, pair in enumerate(pairs)]
        fits = specs == list(self.kind.specs)
        self.kind = Element(self.kind.packed(specs))
        return fits

    def _adopt_all(self, after: Element, numbers: list[int]) -> None:
        """Give Python numbers the dtypes of the values that the function returns for them."""
        specs = list(self.kind.specs)
        for at in numbers:
            if at < len(after.specs):
                self.state[at] = strong_cast(self.state[at], after.specs[at].dtype)
                specs[at] = self.state[at].spec.unnamed()
        self.kind = Element(self.kind.packed(specs))

    def _adopt(self, at: int, dtype: DType) -> None:
        found = self.state[at].dtype
        if not self._plain[at] or (found.is_floating and not dtype.is_floating):
            raise DTypeError(
                f"{self._method}: the state is {found.name} and the function returns "
                f"{dtype.name}: cast one"
            )
        self.state[at] = strong_cast(to_tensor(self.state[at]), dtype)

    def _after(self, result: Element) -> Element:
        if self._method == "reduce":
            return result
        structure = result.structure
        if not isinstance(structure, tuple) or len(structure) != 2:
            raise DTypeError(
                "scan: the function must return a tuple of the next state and an element"
            )
        self.made = Element(structure[1])
        return Element(structure[0])


def _joined(first: TensorSpec, before: TensorSpec, after: TensorSpec) -> TensorSpec:
    """Return the spec that fits the first state and all later ones."""
    a, b = before.shape.dims, after.shape.dims
    if a is None or b is None or len(a) != len(b):
        return TensorSpec(None, first.dtype)
    dims = tuple([one if one == other else None for one, other in zip(a, b)])
    return TensorSpec(dims, first.dtype)

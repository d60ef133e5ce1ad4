"""One op on numbers, as the expression rules receive it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType
from runtime.executors.numpy.numbers.expression import PRODUCT, Expression, called
from runtime.executors.numpy.numbers.intervals import Interval
from runtime.executors.numpy.numbers.representation import LIMITS, NumberNames
from runtime.executors.numpy.numbers.runtime_helpers import by_kernel, checked, wrap_of
from runtime.graph.node import Node
from runtime.ops.op import Op
from runtime.passes.node_traits import may_not_fit

# For each op and the position of its constant operand, texts that recompute the operands from the
# result; `c` is the constant.
_TAKEN_BACK = {
    ("add", 1): ("{name} - {c}", "{c}"),
    ("add", 0): ("{c}", "{name} - {c}"),
    ("subtract", 1): ("{name} + {c}", "{c}"),
    ("subtract", 0): ("{c}", "{c} - {name}"),
    ("multiply", 1): ("{name} // {c}", "{c}"),
    ("multiply", 0): ("{c}", "{name} // {c}"),
}

# The same for ops of one operand.
_TAKEN_BACK_ALWAYS = {"negative": "-{name}", "abs": "-{name}", "exact_cast": "{name}"}

# Python compares one-digit ints twice as fast. Numbers between these bounds and the limits of the
# dtype only enter the slower check, which does not change them.
_QUICK_LIMITS = {"int32": (1 - 2**30, 2**30 - 1)}


class RangeFacts(NamedTuple):
    """Range facts about the integers of a node.

    Attributes:
        operands: the intervals of the operands, in the form in which they are stored.
        result: the interval of Python's result, before it is wrapped.
        is_loose: whether the result may stay unwrapped.
    """

    operands: Sequence[Interval]
    result: Interval
    is_loose: bool = False


@dataclass(eq=False, repr=False)
class NumberOp:
    """A node with the expressions of its operands, and the facts about them.

    Attributes:
        twice: the operands that a form uses more than once in its text.
    """

    node: Node
    operands: Sequence[Expression]
    known: RangeFacts
    names: NumberNames
    twice: set[int] = field(default_factory=set)

    @property
    def op(self) -> Op:
        """The op of the node."""
        return self.node.op

    @property
    def dtype(self) -> DType:
        """The dtype of the result."""
        return self.node.outputs[0].dtype

    def __getitem__(self, position: int) -> Expression:
        return self.operands[position]

    def repeated(self, position: int) -> Expression:
        """Return an operand that the text will use more than once."""
        self.twice.add(position)
        return self.operands[position]

    def constant(self, position: int) -> int | None:
        """Return the constant value of an integer operand, None if it may have several values."""
        low, high = self.known.operands[position].ends
        return low if low == high else None

    def name(self, thing: Any, name: str) -> str:
        """Return the name of an object that the text uses."""
        return self.names.name_of(thing, name)

    def function(self, thing: Callable[..., Any], name: str, *operands: Expression) -> Expression:
        """Return a call of a function that does not raise."""
        return called(self.name(thing, name), *operands)

    def number(self, value: Any, dtype: DType | None = None) -> Expression:
        """Return a constant of a dtype, by default that of the result."""
        return self.names.literal(np.array(value, (dtype or self.dtype).np_dtype))

    def by_kernel(self, *operands: Expression, fails: bool = False) -> Expression:
        """Return a call of the op's kernel: slow, but always correct."""
        return called(self._made(by_kernel, self.op.name), *operands, fails=fails)

    def _made(self, make: Callable[..., Any], name: str) -> str:
        """Return the name of the function that `make` returns for the op."""
        dtypes = tuple(tensor.dtype for tensor in self.node.inputs)
        attrs = self.node.attrs
        key = (make, self.op, dtypes, tuple(sorted(attrs.items(), key=str)))
        full = f"{name}_{(dtypes[0] if dtypes else self.dtype).name}"
        return self.names.once(key, lambda: make(self.op, attrs, dtypes), full)

    def outlined(self, source: str, objects: dict[str, Any], *operands: Expression) -> Expression:
        """Return a call of the function `computed` that `source` defines."""
        space = dict(objects)
        name = f"{self.op.name}_{self.node.inputs[0].dtype.name}"

        def made() -> Any:
            exec(source, space)
            return space["computed"]

        return called(self.names.once((source, *sorted(objects)), made, name), *operands)

    # -- integers ------------------------------------------------------------------------------

    @property
    def is_exact(self) -> bool:
        """True if a result that does not fit is an error: it stands for a Python number."""
        return may_not_fit(self.node)

    def settled(self, expression: Expression) -> Expression:
        """Return an integer with a check that wraps it, or raises, if it may leave its dtype."""
        known, limits = self.known, LIMITS[self.dtype.name]
        if known.is_loose or known.result.is_within(limits):
            return expression
        sides = known.result.beyond(limits, _QUICK_LIMITS.get(self.dtype.name, limits))
        if self.is_exact:
            return self._refused(expression, sides)
        return replace(expression, check=f"if {sides}: {{name}} = {self.wrap()}({{name}})")

    def wrap(self) -> str:
        """Return the name of the function that wraps a number."""
        return self.name(wrap_of(self.dtype.name), f"wrap_{self.dtype.name}")

    def refused_or_kept(self) -> Expression:
        """Return a call that computes an integer and raises if it does not fit."""
        return called(self._made(checked, f"checked_{self.op.name}"), *self.operands, fails=True)

    def _refused(self, expression: Expression, sides: str) -> Expression:
        """Return an integer with a check that calls the kernel, which raises, for a misfit."""
        texts = self._taken_back()
        refuse = self._made(checked, f"checked_{self.op.name}")
        if texts is not None:
            check = f"if {sides}: {{name}} = {refuse}({', '.join(texts)})"
            return replace(expression, check=check, fails=True)
        slow = self.refused_or_kept()
        # The operands are repeated in the rarely executed call, so they must have no checks.
        if any(each.fails or "{" in each.text for each in self.operands):
            return slow
        check = f"if {sides}: {{name}} = {slow.text}"
        reads = frozenset().union(*(each.names for each in self.operands))
        quick = replace(expression, check=check, fails=True, reads=reads, quick=None)
        for kept, texts in self._taken_back_from():
            check = f"if {sides}: {{name}} = {refuse}({', '.join(texts)})"
            last = replace(expression, check=check, fails=True, reads=kept.names)
            quick = replace(quick, quick=replace(last, quick=quick.quick))
        return replace(slow, quick=quick)

    def _taken_back_from(self) -> Sequence[tuple[Expression, Sequence[str]]]:
        """Return texts that recompute two operands from the result and one unchanged operand."""
        if self.op.name not in ("add", "subtract") or len(self.operands) != 2:
            return ()
        first, second = self.operands
        x, y = (each.inside(PRODUCT) for each in self.operands)
        if self.op.name == "add":
            sums = ((f"{{name}} - {y}", second.text), (first.text, f"{{name}} - {x}"))
        else:
            sums = ((f"{{name}} + {y}", second.text), (first.text, f"{x} - {{name}}"))
        return tuple(zip((second, first), sums))

    def _taken_back(self) -> Sequence[str] | None:
        """Return texts that recompute the operands, which may be overwritten by then."""
        if self.op.name in _TAKEN_BACK_ALWAYS:
            return (_TAKEN_BACK_ALWAYS[self.op.name],)
        for position in range(len(self.operands)):
            texts = _TAKEN_BACK.get((self.op.name, position))
            if texts is None or self.constant(position) in (None, 0):
                continue
            value = self.constant(position)
            number = f"({value})" if value is not None and value < 0 else str(value)
            return [text.replace("{c}", number) for text in texts]
        return None

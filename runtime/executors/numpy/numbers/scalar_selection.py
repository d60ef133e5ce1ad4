"""Chooses the values of a graph that are stored as Python numbers, and their expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.core.tensor import Array, SymbolicTensor
from runtime.executors.numpy.numbers.expression import (
    AND,
    COMPARISON,
    NOT,
    OR,
    PRODUCT,
    Expression,
    binary,
    called,
    chosen,
)
from runtime.executors.numpy.numbers.floats import FLOAT, by_ufunc, python_math
from runtime.executors.numpy.numbers.integers import COMPARISONS, INTEGER, Form, infix, same
from runtime.executors.numpy.numbers.number_op import NumberOp
from runtime.executors.numpy.numbers.range_analysis import Ranges
from runtime.executors.numpy.numbers.representation import (
    LIMITS,
    NumberNames,
    is_number,
    unpacked,
    unpacked_element,
)
from runtime.executors.numpy.numbers.runtime_helpers import wrap_of
from runtime.graph.graph import Graph
from runtime.graph.node import Node

# Floats represent all integers up to this limit exactly.
_EXACT_FLOATS = 2**53


def cast(call: NumberOp) -> Expression | None:
    """Return the expression of a cast between dtypes."""
    source, target = call.node.inputs[0].dtype, call.dtype
    if source is target:
        return call.settled(call[0]) if target.is_integer else call[0]
    if source.kind == "b":
        return chosen(call[0], call.number(1), call.number(0))
    if target.kind == "b":
        return binary(call[0], "!=", call.number(0, source), COMPARISON)
    if target.is_integer:
        return call.settled(call[0]) if source.is_integer else whole(call, fails=False)
    return _as_float(call)


def _as_float(call: NumberOp) -> Expression:
    source = call.node.inputs[0].dtype
    if call.dtype.name == "float64":
        return called("float", call[0])
    exact = (-_EXACT_FLOATS, _EXACT_FLOATS)
    # The product with a float32 rounds a Python float to float32.
    if not source.is_integer:
        return binary(call.number(1), "*", call[0], PRODUCT)
    if call.known.operands[0].is_within(exact):
        return binary(call.number(1), "*", called("float", call[0]), PRODUCT)
    x = call.repeated(0)
    least = call.number(max(-_EXACT_FLOATS, LIMITS[source.name][0]), source)
    last = call.number(_EXACT_FLOATS, source)
    text = f"{least.inside(COMPARISON + 1)} <= {x.inside(COMPARISON + 1)} <= {last.text}"
    product = binary(call.number(1), "*", called("float", x), PRODUCT)
    return chosen(Expression(text, COMPARISON), product, call.by_kernel(x))


def whole(call: NumberOp, fails: bool) -> Expression:
    """Return a float truncated to an integer; the kernel computes values outside of the dtype."""
    low, high = LIMITS[call.dtype.name]
    source, x = call.node.inputs[0].dtype, call.repeated(0)
    least, above = call.number(float(low), source), call.number(float(high + 1), source)
    text = f"{least.inside(COMPARISON + 1)} <= {x.inside(COMPARISON + 1)} < {above.text}"
    return chosen(Expression(text, COMPARISON), called("int", x), call.by_kernel(x, fails=fails))


def _not(call: NumberOp) -> Expression:
    return Expression(f"not {call[0].inside(NOT)}", NOT, fails=call[0].fails)


def _select(call: NumberOp) -> Expression | None:
    test, x, y = (call[position] for position in range(3))
    chosen_one = chosen(test, x, y)
    return call.settled(chosen_one) if call.dtype.is_integer else chosen_one


_BOOL: Mapping[str, Form] = {
    "equal": COMPARISONS["equal"],
    "not_equal": COMPARISONS["not_equal"],
    "logical_and": infix("and", AND),
    "logical_or": infix("or", OR),
    "logical_xor": infix("!=", COMPARISON),
    "logical_not": _not,
    "select": _select,
    "identity": same,
    "stop_gradient": same,
    "zeros_like": lambda call: call.number(0),
    "ones_like": lambda call: call.number(1),
}


_FORMS: Mapping[str, Mapping[str, Form]] = {
    "b": _BOOL,
    "i": INTEGER,
    "u": INTEGER,
    "f": FLOAT,
}


def _as_it_is(call: NumberOp) -> Expression | None:
    """Return the operand: a scalar has only one shape."""
    if len(call.operands) > 1:
        return None
    return call.settled(call[0]) if call.dtype.is_integer else call[0]


_OF_ALL: Mapping[str, Form] = {
    "cast": cast,
    "exact_cast": cast,
    "ensure_shape": _as_it_is,
    "reshape": _as_it_is,
    "python_int": lambda call: whole(call, fails=True),
    "python_math": python_math,
}
_SAMPLE = tuple(map(Expression.of_name, "abcdefgh"))


class Numbers:
    """Facts about the numbers of a graph and of its regions.

    Args:
        graph: the graph; it must not change any more.
        name_of: returns the name of an object in the source text, similar to the given name; None
            to collect the objects in `names`.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> Numbers(graph).expression(graph.nodes[0], [Expression("x"), Expression("x")])
        Expression(text='x + x', binds=10, check=None, fails=False)
    """

    def __init__(self, graph: Graph, name_of: Callable[[Any, str], str] | None = None) -> None:
        self._names = NumberNames(name_of)
        self._ranges = Ranges(graph)
        # By the id of a node: its operands that are used twice, None if it has no expression.
        self._forms: dict[int, frozenset[int] | None] = {}

    @property
    def names(self) -> dict[str, Any]:
        """The objects that the texts so far use, by name."""
        return self._names.objects

    def use_names(self, name_of: Callable[[Any, str], str]) -> None:
        """Set the function that names objects from now on."""
        self._names.name_of = name_of

    def holds(self, tensor: SymbolicTensor) -> bool:
        """Return whether a value may be stored as a number."""
        return is_number(tensor.spec)

    def is_never_negative(self, tensor: SymbolicTensor) -> bool:
        """Return whether an integer is known to be non-negative."""
        return self.holds(tensor) and tensor.dtype.is_integer and self._ranges.of(tensor).low >= 0

    def is_loose(self, tensor: SymbolicTensor) -> bool:
        """Return whether a value may be outside of its dtype, since only its low bits are used."""
        return self._ranges.is_loose(tensor)

    def has_expression(self, node: Node) -> bool:
        """Return whether an expression on numbers computes a node."""
        return self._form_of(node) is not None

    def never_fails(self, node: Node) -> bool:
        """Return whether an expression computes a node and never raises."""
        if not self.has_expression(node):
            return False
        written = _written(self._call(node, _SAMPLE[: len(node.inputs)], NumberNames()))
        return written is not None and not written.fails

    def repeats(self, node: Node) -> frozenset[int]:
        """Return the operands that the expression uses more than once, so they should be names."""
        return self._form_of(node) or frozenset()

    def expression(self, node: Node, operands: Sequence[Expression]) -> Expression | None:
        """Return the expression of a node on numbers, None if there is none.

        Args:
            node: a node.
            operands: the expressions of its operands.
        """
        if not self.has_expression(node):
            return None
        return _written(self._call(node, operands, self._names))

    def constant(self, value: ArrayValue | Array) -> Expression:
        """Return the expression of a scalar constant."""
        return self._names.literal(value.array if isinstance(value, ArrayValue) else value)

    def from_array(self, tensor: SymbolicTensor, text: str) -> str:
        """Return the text that converts a scalar array to a number."""
        return unpacked(tensor.dtype, text)

    def from_element(self, tensor: SymbolicTensor, text: str) -> str:
        """Return the text that converts `array[indices]` to a number; all indices are ints."""
        return unpacked_element(tensor.dtype, text)

    def to_array(self, tensor: SymbolicTensor, text: str) -> str:
        """Return the text that converts a number to a scalar array."""
        return self._names.packed(tensor.dtype, self.wrapped(tensor, text))

    def wrapped(self, tensor: SymbolicTensor, text: str) -> str:
        """Return the text of a number, wrapped to its dtype if it may be outside of it."""
        if not self._ranges.is_loose(tensor):
            return text
        wrap = wrap_of(tensor.dtype.name)
        return f"{self._names.name_of(wrap, wrap.__name__)}({text})"

    def _form_of(self, node: Node) -> frozenset[int] | None:
        key = id(node)
        if key not in self._forms:
            self._forms[key] = self._tried(node)
        return self._forms[key]

    def _tried(self, node: Node) -> frozenset[int] | None:
        tensors = (*node.inputs, *node.outputs)
        if len(node.outputs) != 1 or node.regions or not all(map(self.holds, tensors)):
            return None
        if len(node.inputs) > len(_SAMPLE) or not node.inputs:
            return None
        call = self._call(node, _SAMPLE[: len(node.inputs)], NumberNames())
        return None if _written(call) is None else frozenset(call.twice)

    def _call(self, node: Node, operands: Sequence[Expression], names: NumberNames) -> NumberOp:
        return NumberOp(node, operands, self._ranges.known(node), names)


def _written(call: NumberOp) -> Expression | None:
    """Return a node's expression; a call of a function if an operand would be repeated."""
    name, first = call.op.name, call.node.inputs[0].dtype
    form = _OF_ALL.get(name) or _FORMS[first.kind].get(name)
    if form is None and first.kind == "f":
        form = by_ufunc
    found = None if form is None else form(call)
    if found is None or form is None or all(call[at].is_cheap for at in call.twice):
        return found
    return _outlined(call, form)


def _outlined(call: NumberOp, form: Form) -> Expression | None:
    names = NumberNames()
    operands = _SAMPLE[: len(call.operands)]
    found = form(replace(call, operands=operands, names=names, twice=set()))
    if found is None:
        return None
    lines = [*found.assigned_to("result"), "return result"]
    parameters = ", ".join(each.text for each in operands)
    source = "\n    ".join([f"def computed({parameters}):", *lines])
    return replace(call.outlined(source, names.objects, *call.operands), fails=found.fails)

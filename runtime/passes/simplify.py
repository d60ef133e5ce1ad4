"""Algebraic simplifications that are exact to the last bit, by name (`RULES`).

%multiply = multiply(%x, %one)           %greater_equal = greater_equal(%x, %y)
%less = less(%x, %y)                ->   return %x, %greater_equal
%not = logical_not(%less)
return %multiply, %not

Integers wrap around, and floats round and have nan and signed zeros; a rule must hold for all of
them. `x + 0.0` is not `x` for -0.0, and `not x < y` is not `x >= y` for nan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node, infer_specs
from runtime.ops.op import REGISTRY
from runtime.passes.constant_folding import folded
from runtime.passes.node_traits import is_compact
from runtime.passes.pattern import Form, Match, Rule, matched
from runtime.passes.rewriting import Rewriting, new_node


def _of_same_dtype(nodes: Sequence[Node]) -> bool:
    return nodes[0].attrs["dtype"] is nodes[0].inputs[0].dtype


def _there_and_back(nodes: Sequence[Node]) -> bool:
    outer, inner = nodes
    first, between = inner.inputs[0].dtype, inner.outputs[0].dtype
    return outer.outputs[0].dtype is first and _holds_all(between, first)


def _holds_all(wide: DType, narrow: DType) -> bool:
    """Return whether a dtype holds all values of another one, and casts them back unchanged."""
    if narrow.kind == "b":
        return wide.kind in "biuf"
    if wide.kind == "f" and narrow.kind in "iu":
        return 8 * narrow.np_dtype.itemsize <= np.finfo(wide.np_dtype).nmant + 1
    plain = narrow.kind in "iuf" and wide.kind in "iuf" and wide.np_dtype.kind in "iuf"
    return plain and np.can_cast(narrow.np_dtype, wide.np_dtype, "safe")


def _orders_cancel(nodes: Sequence[Node]) -> bool:
    outer, inner = [_order(node) for node in nodes]
    return outer is not None and inner is not None and [inner[a] for a in outer] == sorted(inner)


def _order(node: Node) -> list[int] | None:
    rank = node.inputs[0].shape.rank
    if rank is None:
        return None
    given: object = node.attrs.get("perm")
    order = range(rank)[::-1] if given is None else [axis % rank for axis in given]  # type: ignore[attr-defined]
    return list(order)


def _shapes_are_known(nodes: Sequence[Node]) -> bool:
    first = nodes[0]
    return all(each.shape.is_fully_defined() for each in (*first.inputs, *first.outputs))


def _both_ways(name: str, op: str, number: str, kinds: str) -> tuple[Rule, Rule]:
    return (
        Rule(name, f"{op}(x, {number})", "x", kinds),
        Rule(name, f"{op}({number}, x)", "x", kinds),
    )


def _is_spread_anyway(nodes: Sequence[Node]) -> bool:
    """Return whether the other operand of the outermost node has the shape of the result."""
    outer, *inner = nodes
    spread = inner[-1].inputs[0]
    for node in nodes:
        # A scalar has no axes, so it needs no additional one.
        is_number = node.op.name == "expand_dims" and spread.shape.rank == 0
        if not is_number and any(value is not None for value in node.attrs.values()):
            return False
    # The nodes in between would process single elements instead.
    if any(each.shape.rank != 0 for node in inner[:-1] for each in node.inputs[1:]):
        return False
    shape, whole = outer.outputs[0].shape, [e for e in outer.inputs if e.node is not inner[0]]
    return shape.is_fully_defined() and any(each.shape == shape for each in whole)


def _spread(op: str, inner: str = "{}") -> tuple[Rule, Rule]:
    """Return rules that drop a broadcast before an op that broadcasts itself."""
    spread, plain = inner.format("broadcast_like(x, z)"), inner.format("x")
    name = f"spread for {op}"
    return (
        Rule(name, f"{op}({spread}, y)", f"{op}({plain}, y)", when=_is_spread_anyway),
        Rule(name, f"{op}(y, {spread})", f"{op}(y, {plain})", when=_is_spread_anyway),
    )


_NEGATED = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
}

# fmt: off
RULES: tuple[Rule, ...] = (
    *_both_ways("sum with 0", "add", "0", "iu"),
    *_both_ways("sum with -0.0", "add", "-0.0", "f"),
    Rule("difference from 0", "subtract(x, 0)", "x", "iuf"),
    *_both_ways("product with 1", "multiply", "1", "iuf"),
    Rule("quotient by 1", "divide(x, 1)", "x", "f"),
    Rule("second power", "pow(x, 2)", "square(x)", "iuf"),
    Rule("whole quotient by 1", "floordiv(x, 1)", "x", "iu"),
    Rule("cut quotient by 1", "truncatediv(x, 1)", "x", "iu"),
    *_both_ways("bits or 0", "bitwise_or", "0", "iu"),
    *_both_ways("bits xor 0", "bitwise_xor", "0", "iu"),
    *_both_ways("bits and all", "bitwise_and", "-1", "i"),
    Rule("bits moved by 0", "left_shift(x, 0)", "x", "iu"),
    Rule("bits moved by 0", "right_shift(x, 0)", "x", "iu"),
    *_both_ways("and true", "logical_and", "True", "b"),
    *_both_ways("or false", "logical_or", "False", "b"),
    *_both_ways("xor false", "logical_xor", "False", "b"),
    Rule("and with itself", "logical_and(x, x)", "x", "b"),
    Rule("or with itself", "logical_or(x, x)", "x", "b"),
    Rule("bits and with itself", "bitwise_and(x, x)", "x", "iu"),
    Rule("bits or with itself", "bitwise_or(x, x)", "x", "iu"),
    Rule("larger of one", "maximum(x, x)", "x", "iuf"),
    Rule("smaller of one", "minimum(x, x)", "x", "iuf"),
    Rule("double negation", "negative(negative(x))", "x", "iuf"),
    Rule("sum with what is negated", "add(x, negative(y))", "subtract(x, y)", "iuf"),
    Rule("sum with what is negated", "add(negative(y), x)", "subtract(x, y)", "iuf"),
    Rule("difference from what is negated", "subtract(x, negative(y))", "add(x, y)", "iuf"),
    Rule("double inversion", "invert(invert(x))", "x", "iu"),
    Rule("double not", "logical_not(logical_not(x))", "x", "b"),
    Rule("not equal", "logical_not(equal(x, y))", "not_equal(x, y)"),
    Rule("equal", "logical_not(not_equal(x, y))", "equal(x, y)"),
    *[Rule(f"not {op}", f"logical_not({op}(x, y))", f"{other}(x, y)",
           when=lambda nodes: nodes[1].inputs[0].dtype.kind in "iu")
      for op, other in _NEGATED.items()],
    Rule("transposed back", "transpose(transpose(x))", "x", when=_orders_cancel, is_view=True),
    Rule("transposed back", "matrix_transpose(matrix_transpose(x))", "x", is_view=True),
    Rule("cast to its dtype", "cast(x)", "x", when=_of_same_dtype),
    Rule("cast there and back", "cast(cast(x))", "x", when=_there_and_back),
    Rule("the same", "identity(x)", "x", is_view=True),
    Rule("the same without slope", "stop_gradient(x)", "x", is_view=True),
    Rule("ensured already", "ensure_shape(x)", "x", when=_shapes_are_known, is_view=True),
    Rule("its own shape", "reshape(x)", "x", when=_shapes_are_known, is_view=True),
    Rule("spread to its own shape", "broadcast_to(x)", "x", when=_shapes_are_known, is_view=True),
    *[rule for op in ("add", "subtract", "multiply", "divide") for rule in _spread(op)],
    *_spread("multiply", "multiply({}, c)"),
    *_spread("multiply", "negative({})"),
    Rule("spread for multiply", "multiply(y, expand_dims(broadcast_like(x, z)))", "multiply(y, x)",
         when=_is_spread_anyway),
    Rule("spread for select", "select(c, broadcast_like(x, z), y)", "select(c, x, y)",
         when=_is_spread_anyway),
    Rule("spread for select", "select(c, y, broadcast_like(x, z))", "select(c, y, x)",
         when=_is_spread_anyway),
    Rule("chosen by true", "select(True, x, y)", "x", when=_shapes_are_known),
    Rule("chosen by false", "select(False, x, y)", "y", when=_shapes_are_known),
    Rule("either is the same", "select(c, x, x)", "x", when=_shapes_are_known),
)
# fmt: on


def simplify(graph: Graph, rules: Sequence[Rule] = RULES) -> bool:
    """Replace matches of rules by their results; return whether there was a match.

    Args:
        graph: the graph, changed in place.
        rules: the rules, tried in this order at each node.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([-(-x) * 1])
        >>> simplify(graph), graph.outputs[0] is x
        (True, True)
    """
    return _Simplifying(_looks(tuple(rules))).run(graph)


@cache
def by_op(rules: tuple[Rule, ...]) -> Mapping[str, Sequence[Rule]]:
    """Return rules by the op of the node that they replace.

    >>> [rule.name for rule in by_op(RULES)["invert"]]
    ['double inversion']
    """
    table: dict[str, list[Rule]] = {}
    for rule in rules:
        table.setdefault(rule.op, []).append(rule)
    return table


class _RulesOfOp(NamedTuple):
    """The rules of one op: by the op of an operand (these match few nodes), and all others."""

    inside: Mapping[tuple[int, str], Sequence[Rule]]
    others: Sequence[Rule]


@cache
def _looks(rules: tuple[Rule, ...]) -> Mapping[str, _RulesOfOp]:
    found: dict[str, _RulesOfOp] = {}
    for op, all_of_op in by_op(rules).items():
        inside: dict[tuple[int, str], list[Rule]] = {}
        for rule in all_of_op:
            inside.setdefault(_first_inside(rule.form), []).append(rule)
        others = inside.pop((0, ""), [])
        found[op] = _RulesOfOp(inside, others)
    return found


def _first_inside(form: Form) -> tuple[int, str]:
    assert isinstance(form, tuple)
    for at, operand in enumerate(form[1]):
        if isinstance(operand, tuple):
            return at, operand[0]
    return 0, ""


class _Simplifying(Rewriting):
    def __init__(self, rules: Mapping[str, _RulesOfOp]) -> None:
        super().__init__()
        self._rules = rules

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        looks = self._rules.get(node.op.name)
        if looks is None:
            return None
        found = self._tried(looks.others, node)
        if found is None and looks.inside:
            for at, each in enumerate(node.inputs):
                rules = looks.inside.get((at, each.node.op.name))
                if rules is not None and found is None:
                    found = self._tried(rules, node)
        return None if found is None else [found]

    def _tried(self, rules: Sequence[Rule], node: Node) -> SymbolicTensor | None:
        for rule in rules:
            match = matched(rule, node)
            found = None if match is None else self._result(rule, match, node)
            if found is not None:
                return found
        return None

    def _result(self, rule: Rule, match: Match, node: Node) -> SymbolicTensor | None:
        (old,) = node.outputs
        form = rule.result_form
        if isinstance(form, str):
            new = match.values[form]
            if not _may_stand_for(new, old):
                return None
            # If the rank is unknown, broadcasting with a constant may add axes.
            is_fit = rule.is_view or new.shape.rank is not None and is_compact(new)
            return new if is_fit else None
        return self._made(form, match, node, [old.spec], [old.weak])

    def _made(
        self, form: Form, match: Match, like: Node, specs: Sequence[TensorSpec], weak: list[bool]
    ) -> SymbolicTensor:
        """Add the nodes of a replacement; `specs` and `weak` are those of the outermost node."""
        assert isinstance(form, tuple)
        name, words = form
        inputs = [
            match.values[word] if isinstance(word, str) else self._inside(word, match, like)
            for word in words
        ]
        graph, op = like.outputs[0].graph, REGISTRY[name]
        node = new_node(graph, op, inputs, {}, specs, name, like.origin, weak)
        # A rule may combine constants: in `c * spread(d)`, both factors may be constants.
        constants = folded(graph, node)
        return self.emit(node if constants is None else constants[0]).outputs[0]

    def _inside(self, form: Form, match: Match, like: Node) -> SymbolicTensor:
        assert isinstance(form, tuple)
        inputs = [match.values[str(word)] for word in form[1]]
        specs = infer_specs(REGISTRY[form[0]], inputs, {})
        return self._made(form, match, like, specs, [False])


def _may_stand_for(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Return whether a value may replace another one without a change of weakly typed outputs.

    At run time nothing depends on whether operands are weak.
    """
    if new.spec != old.spec or new.graph is not old.graph:
        return False
    if new.weak == old.weak:
        return True
    return new.weak and not any(each is old for each in old.graph.outputs)

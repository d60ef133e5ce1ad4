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
from runtime.passes.constant_folding import fold_node
from runtime.passes.node_traits import is_compact
from runtime.passes.pattern import Match, Pattern, RewriteRule, match_rule
from runtime.passes.rewriting import Rewriting, new_node


def _have_same_dtype(nodes: Sequence[Node]) -> bool:
    return nodes[0].attrs["dtype"] is nodes[0].inputs[0].dtype


def _is_round_trip(nodes: Sequence[Node]) -> bool:
    outer, inner = nodes
    first, between = inner.inputs[0].dtype, inner.outputs[0].dtype
    return outer.outputs[0].dtype is first and _represents_all(between, first)


def _represents_all(wide: DType, narrow: DType) -> bool:
    """Return whether a dtype holds all values of another one, and casts them back unchanged."""
    if narrow.kind == "b":
        return wide.kind in "biuf"
    if wide.kind == "f" and narrow.kind in "iu":
        return 8 * narrow.np_dtype.itemsize <= np.finfo(wide.np_dtype).nmant + 1
    plain = narrow.kind in "iuf" and wide.kind in "iuf" and wide.np_dtype.kind in "iuf"
    return plain and np.can_cast(narrow.np_dtype, wide.np_dtype, "safe")


def _permutations_cancel(nodes: Sequence[Node]) -> bool:
    outer, inner = [_permutation(node) for node in nodes]
    return outer is not None and inner is not None and [inner[a] for a in outer] == sorted(inner)


def _permutation(node: Node) -> list[int] | None:
    rank = node.inputs[0].shape.rank
    if rank is None:
        return None
    perm: object = node.attrs.get("perm")
    order = range(rank)[::-1] if perm is None else [axis % rank for axis in perm]  # type: ignore[attr-defined]
    return list(order)


def _has_known_shapes(nodes: Sequence[Node]) -> bool:
    first = nodes[0]
    return all(each.shape.is_fully_defined() for each in (*first.inputs, *first.outputs))


def _commutative(name: str, op: str, number: str, kinds: str) -> tuple[RewriteRule, RewriteRule]:
    return (
        RewriteRule(name, f"{op}(x, {number})", "x", kinds),
        RewriteRule(name, f"{op}({number}, x)", "x", kinds),
    )


def _is_broadcast_anyway(nodes: Sequence[Node]) -> bool:
    """Return whether the outermost node broadcasts to its result's shape without the inner one."""
    outer, *inner = nodes
    broadcast = inner[-1].inputs[0]
    for node in nodes:
        # A scalar has no axes, so it needs no additional one.
        is_number = node.op.name == "expand_dims" and broadcast.shape.rank == 0
        if not is_number and any(value is not None for value in node.attrs.values()):
            return False
    # The nodes in between would process single elements instead.
    if any(each.shape.rank != 0 for node in inner[:-1] for each in node.inputs[1:]):
        return False
    shape, whole = outer.outputs[0].shape, [e for e in outer.inputs if e.node is not inner[0]]
    return shape.is_fully_defined() and any(each.shape == shape for each in whole)


def _broadcast_rules(op: str, inner: str = "{}") -> tuple[RewriteRule, RewriteRule]:
    """Return rules that drop a broadcast of an operand of an op, which broadcasts its operands."""
    broadcast, plain = inner.format("broadcast_like(x, z)"), inner.format("x")
    name = f"broadcast for {op}"
    return (
        RewriteRule(name, f"{op}({broadcast}, y)", f"{op}({plain}, y)", when=_is_broadcast_anyway),
        RewriteRule(name, f"{op}(y, {broadcast})", f"{op}(y, {plain})", when=_is_broadcast_anyway),
    )


_NEGATED = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
}

# fmt: off
RULES: tuple[RewriteRule, ...] = (
    *_commutative("sum with 0", "add", "0", "iu"),
    *_commutative("sum with -0.0", "add", "-0.0", "f"),
    RewriteRule("difference from 0", "subtract(x, 0)", "x", "iuf"),
    *_commutative("product with 1", "multiply", "1", "iuf"),
    RewriteRule("quotient by 1", "divide(x, 1)", "x", "f"),
    RewriteRule("second power", "pow(x, 2)", "square(x)", "iuf"),
    RewriteRule("floor division by 1", "floordiv(x, 1)", "x", "iu"),
    RewriteRule("truncating division by 1", "truncatediv(x, 1)", "x", "iu"),
    *_commutative("bitwise or 0", "bitwise_or", "0", "iu"),
    *_commutative("bitwise xor 0", "bitwise_xor", "0", "iu"),
    *_commutative("bitwise and all bits", "bitwise_and", "-1", "i"),
    RewriteRule("left shift by 0", "left_shift(x, 0)", "x", "iu"),
    RewriteRule("right shift by 0", "right_shift(x, 0)", "x", "iu"),
    *_commutative("and true", "logical_and", "True", "b"),
    *_commutative("or false", "logical_or", "False", "b"),
    *_commutative("xor false", "logical_xor", "False", "b"),
    RewriteRule("and with itself", "logical_and(x, x)", "x", "b"),
    RewriteRule("or with itself", "logical_or(x, x)", "x", "b"),
    RewriteRule("bitwise and with itself", "bitwise_and(x, x)", "x", "iu"),
    RewriteRule("bitwise or with itself", "bitwise_or(x, x)", "x", "iu"),
    RewriteRule("maximum with itself", "maximum(x, x)", "x", "iuf"),
    RewriteRule("minimum with itself", "minimum(x, x)", "x", "iuf"),
    RewriteRule("double negation", "negative(negative(x))", "x", "iuf"),
    RewriteRule("sum with a negation", "add(x, negative(y))", "subtract(x, y)", "iuf"),
    RewriteRule("sum with a negation", "add(negative(y), x)", "subtract(x, y)", "iuf"),
    RewriteRule("difference from a negation", "subtract(x, negative(y))", "add(x, y)", "iuf"),
    RewriteRule("double inversion", "invert(invert(x))", "x", "iu"),
    RewriteRule("double not", "logical_not(logical_not(x))", "x", "b"),
    RewriteRule("not equal", "logical_not(equal(x, y))", "not_equal(x, y)"),
    RewriteRule("equal", "logical_not(not_equal(x, y))", "equal(x, y)"),
    *[RewriteRule(f"not {op}", f"logical_not({op}(x, y))", f"{other}(x, y)",
           when=lambda nodes: nodes[1].inputs[0].dtype.kind in "iu")
      for op, other in _NEGATED.items()],
    RewriteRule("double transpose", "transpose(transpose(x))", "x",
         when=_permutations_cancel, is_view=True),
    RewriteRule("double transpose", "matrix_transpose(matrix_transpose(x))", "x", is_view=True),
    RewriteRule("cast to its dtype", "cast(x)", "x", when=_have_same_dtype),
    RewriteRule("cast there and back", "cast(cast(x))", "x", when=_is_round_trip),
    RewriteRule("identity", "identity(x)", "x", is_view=True),
    RewriteRule("stopped gradient", "stop_gradient(x)", "x", is_view=True),
    RewriteRule(
        "ensured shape is known", "ensure_shape(x)", "x", when=_has_known_shapes, is_view=True
    ),
    RewriteRule("reshape to its shape", "reshape(x)", "x", when=_has_known_shapes, is_view=True),
    RewriteRule(
        "broadcast to its shape", "broadcast_to(x)", "x", when=_has_known_shapes, is_view=True
    ),
    *[rule for op in ("add", "subtract", "multiply", "divide") for rule in _broadcast_rules(op)],
    *_broadcast_rules("multiply", "multiply({}, c)"),
    *_broadcast_rules("multiply", "negative({})"),
    RewriteRule("broadcast for multiply", "multiply(y, expand_dims(broadcast_like(x, z)))",
         "multiply(y, x)", when=_is_broadcast_anyway),
    RewriteRule("broadcast for select", "select(c, broadcast_like(x, z), y)", "select(c, x, y)",
         when=_is_broadcast_anyway),
    RewriteRule("broadcast for select", "select(c, y, broadcast_like(x, z))", "select(c, y, x)",
         when=_is_broadcast_anyway),
    RewriteRule("select true", "select(True, x, y)", "x", when=_has_known_shapes),
    RewriteRule("select false", "select(False, x, y)", "y", when=_has_known_shapes),
    RewriteRule("select of equal values", "select(c, x, x)", "x", when=_has_known_shapes),
)
# fmt: on


def simplify(graph: Graph, rules: Sequence[RewriteRule] = RULES) -> bool:
    """Replace matches of rules by their results; return whether there was a match.

    Args:
        graph: the graph, changed in place.
        rules: the rules, tried in this order at each node.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([-(-x) * 1])
        >>> simplify(graph), graph.outputs[0] is x
        (True, True)
    """
    return _Simplifying(_rule_index(tuple(rules))).run(graph)


@cache
def by_op(rules: tuple[RewriteRule, ...]) -> Mapping[str, Sequence[RewriteRule]]:
    """Return rules by the op of the node that they replace.

    >>> [rule.name for rule in by_op(RULES)["invert"]]
    ['double inversion']
    """
    table: dict[str, list[RewriteRule]] = {}
    for rule in rules:
        table.setdefault(rule.op, []).append(rule)
    return table


class _RulesOfOp(NamedTuple):
    """The rules of one op, by the position and op of the first inner pattern, and all others."""

    inside: Mapping[tuple[int, str], Sequence[RewriteRule]]
    others: Sequence[RewriteRule]


@cache
def _rule_index(rules: tuple[RewriteRule, ...]) -> Mapping[str, _RulesOfOp]:
    found: dict[str, _RulesOfOp] = {}
    for op, all_of_op in by_op(rules).items():
        inside: dict[tuple[int, str], list[RewriteRule]] = {}
        for rule in all_of_op:
            inside.setdefault(_first_inside(rule.form), []).append(rule)
        others = inside.pop((0, ""), [])
        found[op] = _RulesOfOp(inside, others)
    return found


def _first_inside(form: Pattern) -> tuple[int, str]:
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
        rules_of_op = self._rules.get(node.op.name)
        if rules_of_op is None:
            return None
        found = self._apply_first(rules_of_op.others, node)
        if found is None and rules_of_op.inside:
            for at, each in enumerate(node.inputs):
                rules = rules_of_op.inside.get((at, each.node.op.name))
                if rules is not None and found is None:
                    found = self._apply_first(rules, node)
        return None if found is None else [found]

    def _apply_first(self, rules: Sequence[RewriteRule], node: Node) -> SymbolicTensor | None:
        for rule in rules:
            match = match_rule(rule, node)
            found = None if match is None else self._result(rule, match, node)
            if found is not None:
                return found
        return None

    def _result(self, rule: RewriteRule, match: Match, node: Node) -> SymbolicTensor | None:
        (old,) = node.outputs
        form = rule.result_form
        if isinstance(form, str):
            new = match.values[form]
            if not _can_replace_result(new, old):
                return None
            # If the rank is unknown, broadcasting with a constant may add axes.
            is_fit = rule.is_view or new.shape.rank is not None and is_compact(new)
            return new if is_fit else None
        return self._build(form, match, node, [old.spec], [old.weak])

    def _build(
        self, form: Pattern, match: Match, like: Node, specs: Sequence[TensorSpec], weak: list[bool]
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
        # A rule may combine constants: in `c * broadcast(d)`, both factors may be constants.
        constants = fold_node(graph, node)
        return self.emit(node if constants is None else constants[0]).outputs[0]

    def _inside(self, form: Pattern, match: Match, like: Node) -> SymbolicTensor:
        assert isinstance(form, tuple)
        inputs = [match.values[str(word)] for word in form[1]]
        specs = infer_specs(REGISTRY[form[0]], inputs, {})
        return self._build(form, match, like, specs, [False])


def _can_replace_result(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Return whether `new` may replace `old`; only an output of the graph must stay strong.

    Kernels do not depend on whether operands are weak.
    """
    if new.spec != old.spec or new.graph is not old.graph:
        return False
    if new.weak == old.weak:
        return True
    return new.weak and not any(each is old for each in old.graph.outputs)

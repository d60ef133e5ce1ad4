"""Rewrite rules as data: a name, a pattern and a replacement.

    RewriteRule("double negation", "logical_not(logical_not(x))", "x")

A name matches any value, the same value at each occurrence; a number matches a constant whose
elements all equal it, in the constant's dtype and with the same sign of zero; `op(...)` matches the
result of a node of that op. The replacement is a matched value, or `op(...)` of such values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.core.fork_safety import cached_property
from runtime.core.tensor import SymbolicTensor
from runtime.graph.node import Node
from runtime.passes.constants import constant_of, is_all

# A name, a number, or an op with its operands.
Pattern: TypeAlias = "str | float | tuple[str, tuple[Pattern, ...]]"
# Called with the matched nodes, the replaced one first.
Condition: TypeAlias = Callable[[Sequence[Node]], bool]


@dataclass(eq=False, repr=False)
class RewriteRule:
    """A pattern and its replacement.

    Attributes:
        name: a description.
        pattern: the source of the pattern, `op(...)`.
        result: the source of the replacement.
        kinds: the dtype kinds that the first operand may have; all if empty.
        when: an additional condition; without one, no matched node may have attributes.
        is_view: whether the replaced value shares the memory of its operand.

    Example:
        >>> rule = RewriteRule("twice not", "logical_not(logical_not(x))", "x")
        >>> rule.op, rule.form
        ('logical_not', ('logical_not', (('logical_not', ('x',)),)))
    """

    name: str
    pattern: str
    result: str
    kinds: str = ""
    when: Condition | None = None
    is_view: bool = False

    @cached_property
    def form(self) -> Pattern:
        """The parsed pattern."""
        return parse_pattern(self.pattern)

    @cached_property
    def result_form(self) -> Pattern:
        """The parsed replacement."""
        return parse_pattern(self.result)

    def __repr__(self) -> str:
        return f"RewriteRule({self.name!r}, {self.pattern!r}, {self.result!r})"

    @property
    def op(self) -> str:
        """The op of the node that is replaced."""
        return self.pattern.partition("(")[0]


class Match:
    """A match of a rule.

    Attributes:
        values: the matched values by the pattern's names.
        nodes: the matched nodes, outermost first.
    """

    __slots__ = ("nodes", "values")

    def __init__(self) -> None:
        self.values: dict[str, SymbolicTensor] = {}
        self.nodes: list[Node] = []


def parse_pattern(text: str) -> Pattern:
    """Parse a pattern.

    >>> parse_pattern("add(x, -0.0)")
    ('add', ('x', -0.0))
    """
    return _form(ast.parse(text, mode="eval").body)


def match_rule(rule: RewriteRule, node: Node) -> Match | None:
    """Return the match of a rule at a node, None if it does not match."""
    if rule.kinds and node.inputs[0].dtype.kind not in rule.kinds:
        return None
    match = Match()
    if not _matches(rule.form, node.outputs[0], match):
        return None
    if rule.when is None:
        return match if not any(_has_attributes(each.attrs) for each in match.nodes) else None
    return match if rule.when(match.nodes) else None


def _form(tree: ast.expr) -> Pattern:
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        return tree.func.id, tuple(map(_form, tree.args))
    if isinstance(tree, ast.Name):
        return tree.id
    number: Any = ast.literal_eval(tree)
    return number


def _matches(form: Pattern, tensor: SymbolicTensor, match: Match) -> bool:
    if isinstance(form, str):
        return match.values.setdefault(form, tensor) is tensor
    if not isinstance(form, tuple):
        array = constant_of(tensor)
        return array is not None and is_all(array, form)
    name, operands = form
    node = tensor.node
    if node.op.name != name or len(node.inputs) != len(operands) or tensor.index:
        return False
    match.nodes.append(node)
    return all(_matches(each, given, match) for each, given in zip(operands, node.inputs))


def _has_attributes(attrs: Mapping[str, object]) -> bool:
    return any(value is not None for value in attrs.values())

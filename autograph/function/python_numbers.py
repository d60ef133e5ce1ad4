"""Parameters that only meet numbers of Python's: as tensors they keep their own dtype.

def f(x, n): return n + 1        n meets 1: an int32 keeps the dtype of the result
def f(x, n): return x * n        n meets x, and takes on its dtype
def f(x, r): return x * (r * 2)  so does r: a float32 beside float64 would change the result
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable


def meeting_numbers(
    function: Callable[..., object] | None, names: Iterable[str], kinds: tuple[type, ...]
) -> frozenset[str]:
    """Return those of some parameters, which are numbers, that meet nothing but numbers.

    Args:
        function: the user's; where its source cannot be read, none of them does.
        names: those of the parameters.
        kinds: the types of literals that count as numbers: int alone, or int and float.

    >>> sorted(meeting_numbers(None, ["n"], (int,)))
    []
    """
    names = frozenset(names)
    try:
        source = textwrap.dedent(inspect.getsource(function)) if function is not None else ""
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return frozenset()
    if function is None or not names:
        return frozenset()
    search = _Search(names, kinds)
    search.visit(tree)
    return names - search.met


class _Search(ast.NodeVisitor):
    """Follows names through assignments, in the order in which they are written."""

    def __init__(self, names: frozenset[str], kinds: tuple[type, ...]) -> None:
        self._kinds = kinds
        # The values that each variable is made of that is a number.
        self._made_of: dict[str, frozenset[str]] = {name: frozenset({name}) for name in names}
        self.met = set[str]()

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        made_of = self._parts(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                if made_of is None:
                    self._made_of.pop(target.id, None)
                else:
                    self._made_of[target.id] = made_of

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self._meet([node.target, node.value])

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        self._meet([node.left, node.right])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        self._meet([node.left, *node.comparators])

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if len(node.args) > 1:  # as `rt.maximum(x, n)`
            self._meet(node.args)

    def _meet(self, operands: list[ast.expr]) -> None:
        parts = [self._parts(each) for each in operands]
        if None in parts:
            self.met.update(*(each for each in parts if each is not None))

    def _parts(self, node: ast.expr) -> frozenset[str] | None:
        """Return the parameters that a number is made of; None of anything else."""
        if isinstance(node, ast.Constant):
            return frozenset() if type(node.value) in self._kinds else None
        if isinstance(node, ast.Name):
            return self._made_of.get(node.id)
        if isinstance(node, ast.UnaryOp):
            return self._parts(node.operand)
        if not isinstance(node, ast.BinOp):
            return None
        left, right = self._parts(node.left), self._parts(node.right)
        return None if left is None or right is None else left | right

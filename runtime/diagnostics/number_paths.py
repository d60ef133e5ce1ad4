"""Paths of numbers that were made of tensors, through the statements and calls after it.

penalty = float(w * w)                float(w * w) is in penalty,
loss = w + 0.1 * penalty              penalty in loss,
tape.gradient(loss, w)                and loss is the target

A path is read from the source alone: numbers do not know where they come from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeAlias

from runtime.core.context import Origin
from runtime.diagnostics.source_expressions import (
    expression_at,
    expression_in,
    position_of,
    text_of,
    tree_of,
)

_OURS = ("autograph", "runtime")
# The modules whose functions a variable calls to give its value.
_OF_VARIABLES = ("runtime.state.variable", "runtime.state.variable_operators")
_MOST_FRAMES = 16
_COMPREHENSIONS = ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")
# The results of these calls do not depend on a number by a gradient, or are no number.
_WITHOUT = frozenset("bool format int isinstance len print repr stop_gradient str type".split())
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class CallPlace(NamedTuple):
    """The place of a call in the user's code.

    Attributes:
        code: the code of the calling function.
        at: the offset of the instruction.
        filename: the file of the code.
        is_last: whether a function of this library has called the function.
    """

    code: CodeType
    at: int
    filename: str
    is_last: bool

    def origin(self) -> Origin:
        """Return the line of the place."""
        line = position_of(self.code, self.at).line or self.code.co_firstlineno
        return Origin(self.filename, line, self.code.co_name)


CallPath: TypeAlias = "tuple[CallPlace, ...]"


def path_from(frame: FrameType | None) -> CallPath:
    """Return the place at which `frame` makes a number of a tensor, and those of calls around it.

    It is empty if a function of this library makes the number.
    """
    while frame is not None and frame.f_globals.get("__name__") in _OF_VARIABLES:
        frame = frame.f_back
    found: list[CallPlace] = []
    while frame is not None and not _is_ours(frame) and len(found) < _MOST_FRAMES:
        code, outer = frame.f_code, frame.f_back
        is_last = outer is not None and _is_ours(outer)
        found.append(CallPlace(code, frame.f_lasti, code.co_filename, is_last))
        frame = outer
    return tuple(found)


def leads_to_target(path: CallPath, frame: FrameType) -> str | None:
    """Return the text of the conversion if its number is in the target of a gradient, else None.

    Args:
        path: the place of the conversion, and those of the calls around it.
        frame: the user's frame that asks for the gradient.
    """
    seed, text, is_inside = None, None, False
    for place in path:
        module = frame.f_globals if place.code is frame.f_code else None
        tree = tree_of(place.filename, module)
        if not is_inside:
            position = position_of(place.code, place.at)
            seed = expression_at(place.filename, position, None, module)
        if tree is None or not isinstance(seed, ast.Call):
            return None
        text = text or text_of(seed) or text_of(seed.func)
        # A comprehension is a function of its own before Python 3.12; its expression goes on.
        is_inside = place.code.co_name in _COMPREHENSIONS
        if is_inside:
            continue
        flow = _Flow(_scope_of(tree, seed), seed)
        if place.code is frame.f_code:
            call = expression_in(frame, "gradient")
            return text if isinstance(call, ast.Call) and flow.carries_first(call) else None
        if not flow.is_returned():
            return None
        if place.is_last:
            return text  # `rt.grad` and the like
    return None


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in _OURS


def _scope_of(tree: ast.AST, node: ast.expr) -> ast.AST:
    """Return the innermost function around an expression, or the module."""
    found = tree
    for each in ast.walk(tree):  # outer ones first
        if isinstance(each, _SCOPES) and any(inside is node for inside in ast.walk(each)):
            found = each
    return found


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of the functions in it."""
    body: Any = getattr(scope, "body", [])
    left = [*body] if isinstance(body, list) else [body]
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, _SCOPES):
            left.extend(ast.iter_child_nodes(node))


class _Flow:
    """The variables of a function that a number gets into.

    Args:
        scope: the function.
        seed: the expression that makes the number.
    """

    def __init__(self, scope: ast.AST, seed: ast.expr) -> None:
        self._scope, self._seed, self._names = scope, seed, set[str]()
        self._nodes = list(_own_nodes(scope))
        count = -1
        while count < len(self._names):
            count = len(self._names)
            for node in self._nodes:
                self._follow(node)

    def is_returned(self) -> bool:
        """Return whether the function returns the number, or something computed of it."""
        if isinstance(self._scope, ast.Lambda):
            return self._carries(self._scope.body)
        returned = (n for n in self._nodes if isinstance(n, (ast.Return, ast.Yield)))
        return any(each.value is not None and self._carries(each.value) for each in returned)

    def carries_first(self, call: ast.Call) -> bool:
        """Return whether the first argument of a call has the number in it."""
        named = [each.value for each in call.keywords if each.arg == "target"]
        return any(map(self._carries, [*call.args[:1], *named]))

    def _follow(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None:
                self._bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bind(node.target, node.iter)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "append" and any(map(self._carries, node.args)):
                self._bind(node.func.value, node.args[0])

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        several = (ast.Tuple, ast.List)
        if isinstance(target, several):
            pairs = isinstance(value, several) and len(value.elts) == len(target.elts)
            parts = value.elts if pairs else [value] * len(target.elts)  # type: ignore[attr-defined]
            for one, part in zip(target.elts, parts):
                self._bind(one, part)
        elif isinstance(target, ast.Name) and self._carries(value):
            self._names.add(target.id)

    def _carries(self, node: ast.AST) -> bool:
        """Return whether the value of an expression has the number in it."""
        if node is self._seed:
            return True
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, (ast.Compare, ast.JoinedStr, ast.Lambda)):
            return False
        if isinstance(node, ast.IfExp):
            return self._carries(node.body) or self._carries(node.orelse)
        if isinstance(node, ast.Subscript):
            return self._carries(node.value)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            return name not in _WITHOUT and any(map(self._carries, ast.iter_child_nodes(node)))
        return any(map(self._carries, ast.iter_child_nodes(node)))

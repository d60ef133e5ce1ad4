"""Finds parameters that a function never reads, that it changes, or that meet no tensors.

@ag.function
def episode(x, seed):       `seed` is never read: one trace for all seeds
    return play(x)

def note(log, x): log.append(x)
def f(x, log=[]): note(log, x)          both functions write to `log`

def f(x, n): return n + 1        n meets 1: an int32 keeps the dtype of the result
def f(x, n): return x * n        n meets x, and adopts its dtype
def f(x, r): return x * (r * 2)  so does r: a float32 beside float64 would change the result
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from inspect import getattr_static
from types import CodeType, FunctionType, MethodType
from typing import Any

from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.state.object_paths import function_inside
from autograph.errors import SourceError
from autograph.functions.effect_analysis.resolved_names import (
    UNKNOWN,
    all_instructions,
    codes_in,
    uses_in,
)
from autograph.functions.effect_analysis.state_uses import CHANGING, line_of_change
from autograph.syntax.source import source_of

# Code with one of these names may read any of its own variables.
_READING_ALL = frozenset(
    "locals vars dir eval exec super breakpoint set_trace _getframe currentframe stack f_locals "
    "f_back".split()
)
# Code with one of these names may read variables of its callers.
_READING_CALLERS = frozenset("_getframe currentframe stack f_back".split())
_STORING = ("STORE_FAST", "STORE_FAST_STORE_FAST")
_MOST_FUNCTIONS = 200


def unread_parameters(function: object) -> frozenset[str]:
    """Return the names of the parameters that the code of a function never reads.

    In a function that may inspect frames, all parameters count as read.

    >>> sorted(unread_parameters(lambda x, seed, *rest: x + len(rest)))
    ['seed']
    """
    function = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(function, FunctionType):
        return frozenset()
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    unread = set(code.co_varnames[:count]).difference(code.co_cellvars, read_locals(code))
    if not unread or any(not _READING_ALL.isdisjoint(c.co_names) for c in codes_in(code)):
        return frozenset()
    return frozenset() if _may_read_frames(function) else frozenset(unread)


def read_locals(code: CodeType) -> set[object]:
    """Return the names of the local variables that code reads or deletes, but for cells."""
    found = set[object]()
    targets: list[object] = []
    # Since Python 3.12 a comprehension is part of the function's code, and its loop variables are
    # local in it: each comes with the offset at which the outermost loop ends.
    ends: dict[object, int] = {}
    for each in all_instructions(code):
        if each.opname == "LOAD_FAST_AND_CLEAR":
            targets.append(each.argval)
        elif each.opname == "FOR_ITER" and targets:
            ends.update(dict.fromkeys(targets, each.argval))
            targets = []
        elif each.opcode in dis.haslocal and each.opname not in _STORING:
            names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
            found.update(name for name in names if each.offset >= ends.get(name, 0))
    return found.union(targets)


def _may_read_frames(function: FunctionType) -> bool:
    """Return whether a called function may read variables of its callers."""
    found, waiting = {id(function)}, [function]
    while waiting and len(found) < _MOST_FUNCTIONS:
        current = waiting.pop()
        if any(not _READING_CALLERS.isdisjoint(c.co_names) for c in codes_in(current.__code__)):
            return True
        for use in uses_in([current]):
            called = use.value
            if isinstance(called, FunctionType) and id(called) not in found:
                if not is_library_file(called.__code__.co_filename):
                    found.add(id(called))
                    waiting.append(called)
    return False


# -- written parameters ----------------------------------------------------------------------------


_DEEPEST = 4


def changes_parameter(function: FunctionType, name: str, depth: int = 0) -> bool:
    """Return whether a function may change the argument for a parameter.

    Without source, any line that reads the parameter and changes a value counts as a change.

    >>> from autograph.functions.effect_analysis.state_uses import line_of_change
    >>> changes_parameter(line_of_change, "code"), changes_parameter(_called, "function")
    (False, False)
    """
    try:
        nodes = list(ast.walk(source_of(function).definition))
    except SourceError:
        return line_of_change(function.__code__, name) is not None
    if any(_changed_name(each) == name for each in nodes):
        return True
    return depth < _DEEPEST and any(
        changes_parameter(each, parameter, depth + 1)
        for each, parameter in _given(function, nodes, name)
        if each is not function
    )


def _changed_name(node: ast.AST) -> str | None:
    """Return the variable whose value, or an item of it, a node changes."""
    target: Any = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in CHANGING else None
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        target = node.value
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _given(
    function: FunctionType, nodes: Iterable[ast.AST], name: str
) -> Iterator[tuple[FunctionType, str]]:
    """Yield the functions that get a variable as an argument, each with its parameter."""
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    passing = [(call, place) for call in calls for place in _places(call, name)]
    called = _called(function) if passing else {}
    for call, place in passing:
        for each, skipped in called.get(_last_name(call.func), ()):
            code = each.__code__
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            parameters = names[skipped : code.co_argcount]
            if isinstance(place, int) and place < len(parameters):
                yield each, parameters[place]
            elif place in names:
                yield each, str(place)


def _places(call: ast.Call, name: str) -> Iterator[int | str]:
    """Yield the positions and keywords at which a call passes a variable."""
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            break
        if isinstance(value, ast.Name) and value.id == name:
            yield at
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Name) and keyword.value.id == name and keyword.arg:
            yield keyword.arg


def _last_name(callee: ast.expr) -> str:
    return getattr(callee, "attr", getattr(callee, "id", ""))


def _called(function: FunctionType) -> dict[str, list[tuple[FunctionType, int]]]:
    """Return the user's functions and methods that a function may call, by their last names.

    Each comes with the number of parameters that are bound: 1 for a method, else 0.
    """
    found: dict[str, list[tuple[FunctionType, int]]] = {}
    uses = list(uses_in([function]))
    holders = [type(use.value) for use in uses if use.kind != "attribute"]
    methods = [(use, getattr_static(each, use.name, None)) for use in uses for each in holders]
    for use, value, is_method in (
        *((use, use.value, False) for use in uses if use.value is not UNKNOWN),
        *((use, value, True) for use, value in methods),
    ):
        inner: Any = function_inside(value) or value
        is_method = (is_method or type(inner) is MethodType) and type(value) is not staticmethod
        inner = inner.__func__ if type(inner) is MethodType else inner
        if type(inner) is FunctionType:
            found.setdefault(use.name, []).append((inner, int(is_method)))
    return found


# -- parameters that meet Python numbers -----------------------------------------------------------


def meeting_numbers(
    function: Callable[..., object] | None, names: Iterable[str], kinds: tuple[type, ...]
) -> frozenset[str]:
    """Return the parameters that meet only numbers in operations, and no other values.

    Args:
        function: the user's function; if its source cannot be read, the result is empty.
        names: the names of the parameters.
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
    """Follows names through assignments, in source order."""

    def __init__(self, names: frozenset[str], kinds: tuple[type, ...]) -> None:
        self._kinds = kinds
        # The parameters from which each number variable is computed.
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
        """Return the parameters from which a number is computed; None for other values."""
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

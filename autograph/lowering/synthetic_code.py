"""Line numbers and names of synthetic code.

Synthetic statements do not have the line of the function's `def`, so that debuggers and coverage
tools show only the user's statements.

`fix_positions` gives the nodes of a converted tree lines of the user's function. Two kinds of nodes
have others: a synthetic node that was copied from elsewhere, and a synthetic `ag__.operator` over
several lines, of which Python shows the last.

The functions of staged statements share a few names:

    def get_state_7(): ...    ->    def get_state(): ...

In the printed form, each name occurs once. Each is used only by the call after it, and the compiler
takes long for thousands of names: it passes all of them to each inner function.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any

from autograph.lowering.operator_calls import argument_names, drop_lines, find_staged, put
from autograph.lowering.versioning import split_docstring
from autograph.syntax.tree import CHILD_FIELDS, blocks_below, nodes


def off_its_line(function: Any, body: list[Any]) -> list[Any]:
    """Move synthetic statements off the line of `def`.

    Those before the user's first statement get its line, since code without a line at the beginning
    of a function has the line of `def`. The others get no line.
    """
    place = (function.lineno, function.col_offset)

    def is_synthetic(statement: ast.stmt) -> bool:
        if statement.lineno < 0:
            return not hasattr(statement, "body")  # a loop has no line, but its test has
        return (statement.lineno, statement.col_offset) == place

    _, rest = split_docstring(body)
    running = (each for each in rest if not isinstance(each, (ast.Global, ast.Nonlocal)))
    first = next((each for each in running if not is_synthetic(each)), None)
    is_beginning = True
    for each in body:
        is_beginning = is_beginning and each is not first
        if is_synthetic(each) and (is_beginning or each.lineno >= 0):
            if first is None or first.lineno < 0 or isinstance(each, ast.Return):
                drop_lines(each)
            else:
                _put_before(each, first)
    return body


def _put_before(statement: ast.stmt, following: ast.stmt) -> None:
    for node in nodes(statement):
        if "lineno" in node._attributes:
            put(node, following)
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset


# -- positions -------------------------------------------------------------------------------------


def fix_positions(definition: ast.stmt) -> ast.stmt:
    """Correct the positions below `definition`, in place, and return it.

    >>> tree = ast.parse("def f():\\n    pass").body[0]
    >>> tree.body[0].lineno = 99
    >>> fix_positions(tree).body[0].lineno
    1
    """
    first, last = definition.lineno, definition.end_lineno or definition.lineno
    waiting: list[tuple[Any, Any]] = [(definition, definition)]
    for node, around in waiting:
        values = node.__dict__
        line = values.get("lineno")
        if line is not None and line >= 0:  # others are meant to be on no line
            if not first <= line <= last:
                _put_at_start(ast.copy_location(node, around))
            elif line != values.get("end_lineno") and type(node) is ast.Attribute:
                if _is_synthetic(node):
                    _put_at_start(node)
            around = node
        for field in CHILD_FIELDS[type(node)]:
            value = values.get(field)
            if value.__class__ is list:
                waiting += [(item, around) for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append((value, around))
    return definition


def _is_synthetic(attribute: ast.Attribute) -> bool:
    """Return whether a node is synthetic: in the user's `o.x`, `o` ends before `x` does."""
    owner = attribute.value
    ends = (owner.end_lineno, owner.end_col_offset)
    return ends == (attribute.end_lineno, attribute.end_col_offset)


def _put_at_start(node: ast.expr) -> None:
    node.end_lineno, node.end_col_offset = node.lineno, node.col_offset


# -- name reuse ------------------------------------------------------------------------------------


_NUMBER = re.compile(r"_\d+$")


def with_reused_names(function: Any) -> Any:
    """Return the converted function with shared names of synthetic functions, in place."""
    first: dict[str, str] = {}
    for block in blocks_below(function):
        _rename(block, first)
    return function


def _rename(block: list[ast.stmt], first: dict[str, str]) -> None:
    staged = find_staged(block)
    for statement in block:
        parts = staged.by_call.get(id(statement))
        if parts:
            names = _shared([part.name for part in parts], first)
            for part in parts:
                part.name = names[part.name]
            for argument in argument_names(statement.value):  # type: ignore[attr-defined]
                argument.id = names.get(argument.id, argument.id)


def _shared(names: list[str], first: dict[str, str]) -> dict[str, str]:
    """Return the shared name for the name of each function of one statement."""
    counts: Counter[str] = Counter()
    shared: dict[str, str] = {}
    for name in names:
        base = _NUMBER.sub("", name)
        shared[name] = first.setdefault(f"{base} {counts[base]}", name)
        counts[base] += 1
    return shared

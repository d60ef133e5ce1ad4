"""Makes sure that a converted tree has lines of the user's function only, and the right ones.

What debuggers, coverage tools and tracebacks show is a line per instruction. Two things would give
them a line that Python itself does not run at that moment: a made-up node with a position from
elsewhere, and a made-up `ag__.word` that spans several lines, which Python counts to the last.
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.syntax.tree import CHILD_FIELDS


def settle_positions(definition: ast.stmt) -> ast.stmt:
    """Correct the positions below `definition`, in place, and return it.

    >>> tree = ast.parse("def f():\\n    pass").body[0]
    >>> tree.body[0].lineno = 99
    >>> settle_positions(tree).body[0].lineno
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
                if _is_made_up(node):
                    _put_at_start(node)
            around = node
        for field in CHILD_FIELDS[type(node)]:
            value = values.get(field)
            if value.__class__ is list:
                waiting += [(item, around) for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append((value, around))
    return definition


def _is_made_up(attribute: ast.Attribute) -> bool:
    """Of `o.x` as the user writes it, `o` ends before `x` does; of a made-up one it does not."""
    owner = attribute.value
    ends = (owner.end_lineno, owner.end_col_offset)
    return ends == (attribute.end_lineno, attribute.end_col_offset)


def _put_at_start(node: ast.expr) -> None:
    node.end_lineno, node.end_col_offset = node.lineno, node.col_offset

"""The words of generated code, as the trees say them: `ag__.if_stmt(...)`."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from autograph.syntax.tree import children

VOCABULARY = "ag__"
# What compares two values, and may be asked of two containers with tensors in them.
RELATIONS = {
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "unequal": "!=",
}
T = TypeVar("T", bound=ast.AST)


def word_of(node: Any) -> str | None:
    """Return the word a call says, or None for any other node.

    >>> word_of(ast.parse("ag__.ld(x)").body[0].value)
    'ld'
    """
    if type(node) is not ast.Call:
        return None
    function = node.func
    if type(function) is not ast.Attribute or type(function.value) is not ast.Name:
        return None
    return function.attr if function.value.id == VOCABULARY else None


def say(word: str, arguments: list[ast.expr], origin: Any) -> ast.Call:
    """Return the call `ag__.word(*arguments)` at the place of `origin`."""
    vocabulary = put(ast.Name(VOCABULARY, ast.Load()), origin)
    function = put_at_start(put(ast.Attribute(vocabulary, word, ast.Load()), origin))
    return put(ast.Call(function, arguments, []), origin)


def index_value(index: Any) -> Any:
    """Return what stands in brackets as an expression, with calls in the places of slices."""
    if isinstance(index, ast.Tuple):
        elements = [index_value(each) for each in index.elts]
        return put(ast.Tuple(elements, ast.Load()), index)
    if not isinstance(index, ast.Slice):
        return index
    nothing = put(ast.Constant(None), index)
    return say("slice_", [b or nothing for b in (index.lower, index.upper, index.step)], index)


def put(node: Any, origin: Any) -> Any:
    """Give a new node the place of `origin`, and return it."""
    node.lineno, node.col_offset = origin.lineno, origin.col_offset
    node.end_lineno, node.end_col_offset = origin.end_lineno, origin.end_col_offset
    return node


def put_at_start(attribute: Any) -> Any:
    """Let a made-up attribute end where it starts: of one over several lines Python counts the
    last.
    """
    if attribute.end_lineno != attribute.lineno:
        attribute.end_lineno, attribute.end_col_offset = attribute.lineno, attribute.col_offset
    return attribute


def read(name: str, origin: Any) -> ast.Name:
    """Return a variable that is read."""
    return put(ast.Name(name, ast.Load()), origin)


def unlined(node: T) -> T:
    """Take a node, with all in it, off the lines of the source, and return it.

    What only prepares or tidies up is then no line to stop at. It must not be able to fail.
    Functions in it stay where they are, since code has to begin somewhere.
    """
    if not isinstance(node, (ast.Lambda, ast.FunctionDef)):
        if "lineno" in node._attributes:
            put_off(node)
        for child in children(node):
            unlined(child)
    return node


def put_off(node: Any) -> Any:
    """Take a node itself off the lines of the source, and return it."""
    node.lineno = node.end_lineno = node.col_offset = node.end_col_offset = -1
    return node


def is_thunk(node: Any) -> bool:
    """Tell whether a node is `lambda: value`, as words take their operands."""
    return type(node) is ast.Lambda and not any(
        (node.args.args, node.args.posonlyargs, node.args.kwonlyargs, node.args.vararg)
    )

"""The user's expression at a position in the source, as a syntax tree.

From Python 3.11 on, an instruction has the columns of its expression. Before, it has a line only:
the expression is found if it is the only one of its kind on that line.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from types import CodeType, FrameType
from typing import Any, NamedTuple

# Expressions and statements with operands, such as calls, operators and conditions.
Expression = (
    ast.BinOp
    | ast.BoolOp
    | ast.UnaryOp
    | ast.Compare
    | ast.Assign
    | ast.AugAssign
    | ast.Subscript
    | ast.Call
    | ast.Attribute
    | ast.Name
    | ast.If
    | ast.While
    | ast.IfExp
    | ast.Assert
)
_KINDS = Expression.__args__
_CONDITIONALS = (ast.If, ast.While, ast.IfExp, ast.Assert)
_LONGEST_TEXT = 40
# The most files whose trees are cached.
_MOST = 8

# By the name of the special method, and by that of the op where it is another one.
_OPERATORS: dict[str, type[ast.AST]] = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and": ast.BitAnd,
    "or": ast.BitOr,
    "xor": ast.BitXor,
    "lshift": ast.LShift,
    "rshift": ast.RShift,
    "lt": ast.Lt,
    "le": ast.LtE,
    "gt": ast.Gt,
    "ge": ast.GtE,
    "eq": ast.Eq,
    "ne": ast.NotEq,
    "neg": ast.USub,
    "pos": ast.UAdd,
    "invert": ast.Invert,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "floormod": ast.Mod,
}


class SourceRange(NamedTuple):
    """A range of source; columns count UTF-8 bytes, and are None before Python 3.11."""

    line: int | None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None


class _ParsedSource(NamedTuple):
    lines: Sequence[str]
    tree: ast.Module
    by_position: dict[SourceRange, Expression]


_sources: dict[str, _ParsedSource] = {}


def position_of(code: CodeType, at: int) -> SourceRange:
    """Return the range of the instruction at an offset, such as `frame.f_lasti`.

    >>> code = compile("a + b", "model.py", "eval")
    >>> position_of(code, len(code.co_code) - 2).line
    1
    """
    positions: Callable[[], Iterator[Any]] | None = getattr(code, "co_positions", None)
    if positions is None:
        lines = (line for start, end, line in code.co_lines() if start <= at < end)
        return SourceRange(next(lines, None))
    found = next(islice(positions(), at // 2, None), (None,) * 4)
    return SourceRange(found[0], found[1], found[2], found[3])


def expression_in(frame: FrameType, name: str | None) -> Expression | None:
    """Return the expression that a frame is evaluating, None if it is not known.

    Args:
        name: the function or special method that it calls, such as `matmul` or `__add__`, the
            attribute that it reads, its op, or `test`; it decides where only the line is known.
    """
    found = expressions_in(frame, name)
    return found[0] if len(found) == 1 else None


def expressions_in(frame: FrameType, name: str | None) -> list[Expression]:
    """Return the expressions that a frame may be evaluating, several where its line is known."""
    code = frame.f_code
    position = position_of(code, frame.f_lasti)
    return expressions_at(code.co_filename, position, name, frame.f_globals)


def expression_at(
    filename: str, position: SourceRange, name: str | None, module: dict[str, Any] | None = None
) -> Expression | None:
    """Return the expression at a position, None if the source is not found or several fit."""
    found = expressions_at(filename, position, name, module)
    return found[0] if len(found) == 1 else None


def expressions_at(
    filename: str, position: SourceRange, name: str | None, module: dict[str, Any] | None = None
) -> list[Expression]:
    """Return the expressions that may be meant by a position, several where it is a line."""
    source = _source_of(filename, module)
    if source is None:
        return []
    if position.column is not None:
        known = source.by_position.get(position)
        return [] if known is None else [known]
    if position.line is None or name is None:
        return []
    found = [
        node
        for place, node in source.by_position.items()
        if place.line == position.line and _calls(node, name)
    ]
    functions = [node.func for node in found if isinstance(node, ast.Call)]
    found = [node for node in found if node not in functions]
    # Functions such as `sum` and classes run special methods of other names.
    return found or [
        node
        for place, node in source.by_position.items()
        if place.line == position.line and isinstance(node, (ast.Call, ast.BinOp, ast.Subscript))
    ]


def expressions_in_line(
    filename: str, line: int, module: dict[str, Any] | None = None
) -> list[Expression]:
    """Return the expressions that a line has a part of; none if the source is not found."""
    source = _source_of(filename, module)
    nodes = [] if source is None else list(source.by_position.values())
    return [node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]


def assignments_in(frame: FrameType) -> list[ast.Assign | ast.AugAssign]:
    """Return the assignments in the file of a frame, in the order of their lines."""
    source = _source_of(frame.f_code.co_filename, frame.f_globals)
    nodes = () if source is None else source.by_position.values()
    found = [node for node in nodes if isinstance(node, (ast.Assign, ast.AugAssign))]
    return sorted(found, key=lambda node: node.lineno)


def tree_of(filename: str, module: dict[str, Any] | None) -> ast.Module | None:
    """Return the syntax tree of a file, None if its source is not found."""
    source = _source_of(filename, module)
    return None if source is None else source.tree


def text_of(node: ast.AST) -> str | None:
    """Return the text of an expression in one line, None if it is long.

    >>> text_of(ast.parse("model . weights[ 0 ]", mode="eval").body)
    'model.weights[0]'
    """
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST_TEXT and "\n" not in text else None


def operand_nodes(node: Expression) -> list[ast.expr]:
    """Return the expressions of the operands, or of the arguments and the object of a method.

    >>> [text_of(each) for each in operand_nodes(ast.parse("f([a, b], axis=k)").body[0].value)]
    ['a', 'b', 'k']
    """
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Assign):
        return []
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators] if len(node.comparators) == 1 else []
    if isinstance(node, ast.Attribute):
        return [node.value]
    if isinstance(node, ast.Name):
        return [node]
    if isinstance(node, _CONDITIONALS):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.value, *_parts(node.slice)]
    given = [*node.args, *(each.value for each in node.keywords)]
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return [*receiver, *(part for each in given for part in _parts(each))]


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return the items of a list or tuple, or the parts of a slice."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, ast.Slice):
        return [part for part in (node.lower, node.upper, node.step) if part is not None]
    return [node]


def _calls(node: Expression, name: str) -> bool:
    """Return whether an expression calls a function or special method, or reads an attribute."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return name == "test"
    if isinstance(node, _CONDITIONALS):
        is_not = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        return name == "test" and not is_not  # whose operand is tested
    if isinstance(node, ast.Attribute):
        return node.attr == name
    if isinstance(node, ast.Call):
        called = node.func
        return name == getattr(called, "attr", getattr(called, "id", None))
    if isinstance(node, ast.Subscript):
        is_read = isinstance(node.ctx, ast.Load)
        return name in (("__getitem__", "strided_slice") if is_read else ("__setitem__",))
    short = name.strip("_")
    wanted = _OPERATORS.get(short) or _OPERATORS.get(short.removeprefix("r"))
    if wanted is None:
        return False
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], wanted)
    return isinstance(getattr(node, "op", None), wanted)


def _source_of(filename: str, module: dict[str, Any] | None) -> _ParsedSource | None:
    lines = linecache.getlines(filename, module)
    known = _sources.get(filename)
    if known is not None and known.lines is lines:
        return known
    if not lines:
        return None
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    source = _ParsedSource(lines, tree, {_range(node): node for node in _expressions(tree)})
    while len(_sources) >= _MOST:
        _sources.pop(next(iter(_sources)), None)
    _sources[filename] = source
    return source


def _expressions(tree: ast.AST) -> Iterator[Expression]:
    return (node for node in ast.walk(tree) if isinstance(node, _KINDS))


def _range(node: Expression) -> SourceRange:
    return SourceRange(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)

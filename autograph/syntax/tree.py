"""Makes, visits, copies and compares trees.

The trees of this package are gast, which is the same in every Python version; only `ast.parse` and
`compile` use `ast` trees.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import gast

from autograph.syntax.large_stack import with_large_stack
from autograph.syntax.translate import SourceRange, to_ast_node, to_gast

Tree = TypeVar("Tree")

POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_START = (1, 0, 1, 0)


def parse(text: str, filename: str = "<unknown>") -> gast.Module:
    """Return the gast module of `text`.

    Raises:
        SyntaxError: `text` is not Python.

    >>> type(parse("x = 1").body[0]).__name__
    'Assign'
    """
    return to_gast(ast.parse(text, filename))


def parse_expression(text: str) -> gast.expr:
    """Return the gast expression of `text`.

    >>> parse_expression("a + b").left.id
    'a'
    """
    return to_gast(ast.parse(text, mode="eval").body)


def to_ast(node: gast.AST | Sequence[gast.stmt]) -> ast.Module:
    """Return a module for `compile` from a gast module, statement(s) or expression.

    Nodes without a position get that of the node around them.

    >>> compile(to_ast(parse("x = 1").body), "<doc>", "exec").co_names
    ('x',)
    """
    if isinstance(node, gast.Module):
        return with_large_stack(lambda: to_ast_node(node, _START))
    nodes = node if isinstance(node, Sequence) else [node]
    body = with_large_stack(lambda: [_as_statement(to_ast_node(n, _START)) for n in nodes])
    return ast.Module(body=body, type_ignores=[])


def _as_statement(node: Any) -> ast.stmt:
    if isinstance(node, ast.stmt):
        return node
    return ast.copy_location(ast.Expr(value=node), node)


def fill_positions(tree: Tree) -> Tree:
    """Give each node without a position that of the node around it, in place."""
    stack: list[tuple[Any, SourceRange]] = [(tree, _START)]
    while stack:
        node, around = stack.pop()
        if "lineno" in node._attributes:
            around = _fill_position(node, around)
        stack.extend((child, around) for child in children(node))
    return tree


def _fill_position(node: Any, around: SourceRange) -> SourceRange:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", None)
    if line is None or column is None:
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = around
        return around
    if getattr(node, "end_lineno", None) is None or getattr(node, "end_col_offset", None) is None:
        node.end_lineno, node.end_col_offset = line, column
    return line, column, node.end_lineno, node.end_col_offset


# Fields of text, numbers, or nodes without fields: contexts and operators.
_NO_CHILDREN = frozenset(
    """arg attr conversion ctx id is_async kind kwd_attrs level module op ops simple tag
    type_comment""".split()
)
_LITERALS = (ast.Constant, gast.Constant)
# Fields with lists that may have text or None beside nodes.
MIXED = frozenset(("keys", "kw_defaults", "names"))


class _ChildFields(dict[type, tuple[str, ...]]):
    """For a node class the fields that may have child nodes."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        fields: tuple[str, ...] = () if kind in _LITERALS else getattr(kind, "_fields", ())
        row = self[kind] = tuple([name for name in fields if name not in _NO_CHILDREN])
        return row


CHILD_FIELDS = _ChildFields()


def children(node: Any) -> list[Any]:
    """Return the child nodes, also those in lists, in the order of the fields.

    Nodes without fields (`Load()`, `Add()`) are left out.

    >>> [type(c).__name__ for c in children(parse_expression("f(a, b=1)"))]
    ['Name', 'Name', 'keyword']
    """
    found: list[Any] = []
    values = node.__dict__
    for name in CHILD_FIELDS[type(node)]:
        value = values.get(name)
        if value.__class__ is list:
            if value:
                found += value if name not in MIXED else _nodes_among(value)
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def _nodes_among(items: list[Any]) -> list[Any]:
    return [item for item in items if isinstance(item, ast.AST)]


def walk(node: Any) -> Iterator[Any]:
    """Yield a node, or a list of nodes, and all below (see `children`), parents first.

    >>> [n.id for n in walk(parse_expression("a + b * c")) if isinstance(n, gast.Name)]
    ['a', 'b', 'c']
    """
    stack = list(reversed(node)) if isinstance(node, list) else [node]
    while stack:
        current = stack.pop()
        yield current
        stack += children(current)[::-1]


def nodes(tree: Any) -> list[Any]:
    """Return a node and all nodes below it, level by level, which takes less time than `walk`.

    >>> [n.id for n in nodes(parse_expression("a * b + c")) if isinstance(n, gast.Name)]
    ['c', 'a', 'b']
    """
    found = [tree]
    for node in found:
        values = node.__dict__
        for name in CHILD_FIELDS[type(node)]:
            value = values.get(name)
            if value.__class__ is list:
                if value:
                    found += value if name not in MIXED else _nodes_among(value)
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


class _BlockFields(dict[type, tuple[str, ...]]):
    """For a node class the fields that may have statements, or handlers and cases."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        fields: tuple[str, ...] = getattr(kind, "_fields", ())
        row = self[kind] = tuple([name for name in fields if name in _BLOCKS])
        return row


_BLOCKS = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))
BLOCK_FIELDS = _BlockFields()


def statements_in(tree: Any) -> list[Any]:
    """Return a statement and all statements, handlers and cases below it, level by level.

    It visits no expressions, and so takes much less time than `nodes`.

    >>> module = parse("try:\\n  x = 1\\nexcept E:\\n  y = 2")
    >>> [type(each).__name__ for each in statements_in(module.body[0])]
    ['Try', 'Assign', 'ExceptHandler', 'Assign']
    """
    found = [tree]
    for node in found:
        values = node.__dict__
        for name in BLOCK_FIELDS[type(node)]:
            value = values.get(name)
            if value.__class__ is list:
                found += value
    return found


def blocks_below(tree: Any) -> list[list[Any]]:
    """Return all lists of statements in a tree, level by level.

    >>> [len(block) for block in blocks_below(parse("if a:\\n  x\\n  y\\nz"))]
    [2, 2]
    """
    return [
        block
        for node in statements_in(tree)
        for name in BLOCK_FIELDS[type(node)]
        if name not in ("handlers", "cases")
        and (block := node.__dict__.get(name)).__class__ is list
        and block
    ]


def copy_tree(node: Tree) -> Tree:
    """Return a deep copy of a node or list of nodes (ast or gast), with their positions.

    Nodes without fields (`Load()`, `Add()`) are shared.

    >>> a = parse_expression("x[0]")
    >>> b = copy_tree(a)
    >>> b is not a and b.value is not a.value and same_tree(a, b)
    True
    """
    if isinstance(node, list):
        return [copy_tree(item) for item in node]  # type: ignore[return-value]
    if not isinstance(node, ast.AST) or not (node._fields or node._attributes):
        return node
    cls = type(node)
    new = cls.__new__(cls)
    new.__dict__.update(
        (name, copy_tree(value) if isinstance(value, (ast.AST, list)) else value)
        for name, value in node.__dict__.items()
    )
    return new


def same_tree(a: Any, b: Any) -> bool:
    """Return whether two trees are the same except for positions, with constants of the same types.

    >>> same_tree(parse("x  =  (1)"), parse("x = 1")), same_tree(parse("1"), parse("1.0"))
    (True, False)
    """
    stack = [(a, b)]
    while stack:
        x, y = stack.pop()
        if type(x) is not type(y):
            return False
        if isinstance(x, ast.AST):
            stack.extend((getattr(x, f, None), getattr(y, f, None)) for f in x._fields)
        elif isinstance(x, (list, tuple)):
            if len(x) != len(y):
                return False
            stack.extend(zip(x, y))
        elif x is not y and not _same_constant(x, y):
            return False
    return True


def _same_constant(x: object, y: object) -> bool:
    if isinstance(x, (float, complex)):
        return repr(x) == repr(y)
    return bool(x == y)


def name_node(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    """Return a gast `Name` with all of its fields; its context is a load by default.

    >>> name_node("x").annotation is None
    True
    """
    return gast.Name(name, ctx or gast.Load(), None, None)


def constant_node(value: object) -> gast.expr:
    """Return a gast `Constant` with all of its fields, or for a tuple a `Tuple` of constants.

    >>> len(constant_node(("a", "b")).elts)
    2
    """
    if isinstance(value, tuple):
        return gast.Tuple([constant_node(item) for item in value], gast.Load())
    return gast.Constant(value, None)


def split_docstring(body: list[gast.stmt]) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """Return the docstring of a body (a list of one or no statement), and the rest of the body.

    >>> doc, rest = split_docstring(parse("'hello'\\nx = 1").body)
    >>> len(doc), len(rest)
    (1, 1)
    """
    cut = 1 if body and _is_text(body[0]) else 0
    return body[:cut], body[cut:]


def _is_text(statement: gast.stmt) -> bool:
    value = statement.value if isinstance(statement, gast.Expr) else None
    return isinstance(value, gast.Constant) and isinstance(value.value, str)

"""Templates: Python source with holes, of which converters make generated code.

A hole is written `$name`:

    IF_BODY = Template('''
        def $name():
            nonlocal $state
            $body
    ''')
    statements = IF_BODY.statements(origin=node, name="if_body", state=["x", "y"], body=node.body)

The values for a hole depend on its position:

    position                            value
    ----------------------------------  ---------------------------------------------------------
    `$x` as an expression or target     a name, a QN, a gast expression, or a plain constant
    `$x` alone on a line                a list of statements, a statement, or an expression
    `*$x` in a call, tuple or list      a list spreads out; an expression stays starred
    `**$x` in a call                    a list of gast keywords spreads out
    `*$x` among parameters              a list of names spreads out; gast arguments replace them
    `@$x`                               an expression, or a list of decorators
    `nonlocal $x`, `global $x`          a name or a list of names; an empty list drops the line
    `def $x`, `a.$x`, `f($x=1)`, ...    an identifier
    `'$x'`                              the text of a string constant

A filled template is a copy of its tree with the values in place of the holes.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable
from typing import Any

import gast

from autograph.errors import TemplateError
from autograph.syntax.origin import position_of
from autograph.syntax.qualname import QN
from autograph.syntax.tree import POSITIONS, copy_tree, parse, walk

_HOLE = re.compile(r"\$([A-Za-z_]\w*)")


class Template:
    """Python source with `$holes`, which is parsed once.

    Args:
        source: Python statements, or one expression; common indentation is removed.

    Raises:
        TemplateError: the source, with names for its holes, is not Python.

    >>> from autograph.syntax.printer import print_tree
    >>> print_tree(Template("$x = ag__.ld($y) + 1").statements(x="a", y="b"))
    'a = (ag__.ld(b) + 1)'
    """

    def __init__(self, source: str) -> None:
        self.source = textwrap.dedent(source).strip("\n")
        self._body = _parsed(self.source)
        self.holes = frozenset(_holes_in(self._body, self.source))
        self._splits: FieldSplits = {}

    def statements(self, origin: Any = None, **holes: Any) -> list[gast.stmt]:
        """Return new gast statements with the holes filled.

        Args:
            origin: the node of the user's code whose position the new nodes get.
            holes: a value for every hole. Nodes become part of the tree (from the second use on,
                copies of them) and keep their positions; those without one get that of `origin`.

        Raises:
            TemplateError: a value is missing, or has an unknown name, or is wrong for its hole.
        """
        self._check(holes)
        return Filling(self.source, holes, position_of(origin), self._splits).body(self._body)

    def expression(self, origin: Any = None, **holes: Any) -> gast.expr:
        """Return a new gast expression; the template must be a single expression.

        >>> from autograph.syntax.printer import print_tree
        >>> print_tree(Template("f(*$args)").expression(args=[gast.Constant(1, None), "x"]))
        'f(1, x)'
        """
        if len(self._body) != 1 or not isinstance(self._body[0], gast.Expr):
            raise self._error("is not a single expression; use .statements()")
        self._check(holes)
        return Filling(self.source, holes, position_of(origin), self._splits).expression(
            self._body[0].value
        )

    def _check(self, holes: dict[str, Any]) -> None:
        if holes.keys() == self.holes:
            return
        missing, unknown = sorted(self.holes - holes.keys()), sorted(holes.keys() - self.holes)
        complaints = [f"needs ${', $'.join(missing)}"] if missing else []
        complaints += [f"has no ${', $'.join(unknown)}"] if unknown else []
        raise self._error(" and ".join(complaints))

    def _error(self, complaint: str) -> TemplateError:
        return TemplateError(f"template `{self.source.splitlines()[0]}` {complaint}")

    def __repr__(self) -> str:
        return f"Template({self.source!r})"


def _parsed(source: str) -> list[gast.stmt]:
    try:
        module = parse(_HOLE.sub(rf"{PREFIX}\1", source))
    except SyntaxError as error:
        raise TemplateError(f"template is not Python: {error.msg} in `{source}`") from error
    for node in walk(module):
        for name in node._attributes:
            node.__dict__.pop(name, None)
    return list(module.body)


def _holes_in(body: list[gast.stmt], source: str) -> set[str]:
    names = {name for node in walk(body) for name in _holes_of(node)}
    written = set(_HOLE.findall(source))
    if names != written:
        raise TemplateError(f"template holes cannot stand there: {sorted(written - names)}")
    if "origin" in names or "self" in names:
        raise TemplateError("a template's hole cannot be called $origin or $self")
    return names


def _holes_of(node: ast.AST) -> list[str]:
    values: list[Any] = []
    for field in node._fields:
        value = getattr(node, field, None)
        values.extend(value if isinstance(value, list) else [value])
    return [hole for value in values if (hole := hole_of(value)) is not None]


# -- filling holes ---------------------------------------------------------------------------------


PREFIX = "__hole_"
_CONSTANTS = (bool, int, float, complex, bytes, type(None), type(...))


# The fields of a node: those without holes, with their values, and the other ones.
FieldSplit = tuple[dict[str, Any], tuple[tuple[str, Any], ...]]
FieldSplits = dict[Any, FieldSplit]


def hole_of(value: object) -> str | None:
    """Return the name of the hole that an identifier or text is, or None."""
    if value.__class__ is str and value.startswith(PREFIX):
        return value[len(PREFIX) :]
    return None


class Filling:
    """Fills the holes of a template once.

    Args:
        source: the template's text, for errors.
        holes: a value for every hole.
        position: the four position attributes of new nodes, or None if they get none.
        splits: the fields of the template's nodes, from earlier fillings.
    """

    def __init__(
        self,
        source: str,
        holes: dict[str, Any],
        position: dict[str, int] | None,
        splits: FieldSplits,
    ) -> None:
        self._source = source
        self._splits = splits
        self._holes = holes
        self._position = position
        self._used: set[int] = set()

    def body(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """Return the filled statements."""
        return [new for statement in statements for new in self._statement(statement)]

    def expression(self, node: gast.expr) -> Any:
        """Return the filled expression."""
        hole = hole_of(node.id) if isinstance(node, gast.Name) else None
        if hole is None:
            return self._node(node)
        return self._expression_value(hole, self._holes[hole], node.ctx)

    # Statements

    def _statement(self, node: gast.stmt) -> list[gast.stmt]:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Name):
            hole = hole_of(node.value.id)
            if hole is not None:
                return self._statements_value(hole)
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            names = [new for name in node.names for new in self._names(name)]
            return [self._new(type(node), {"names": names})] if names else []
        return [self._node(node)]

    def _statements_value(self, hole: str) -> list[gast.stmt]:
        value = self._holes[hole]
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        return [self._as_statement(hole, item) for item in values]

    def _as_statement(self, hole: str, value: Any) -> gast.stmt:
        if isinstance(value, gast.stmt):
            return self._owned(value)
        expression = self._expression_value(hole, value, gast.Load())
        return self._new(gast.Expr, {"value": expression})

    def _block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return self.body(statements) or [self._new(gast.Pass, {})]

    # Nodes

    def _node(self, node: Any) -> Any:
        """Return a filled copy of a template's node."""
        if not node._fields and not node._attributes:
            return node
        special = _SPECIAL.get(type(node))
        fields = special(self, node) if special else self._fields(node)
        return fields if isinstance(fields, ast.AST) else self._new(type(node), fields)

    def _fields(self, node: Any) -> dict[str, Any]:
        same, others = self._splits.get(node) or self._split(node)
        return {**same, **{name: self._field(name, value) for name, value in others}}

    def _split(self, node: Any) -> FieldSplit:
        """Record the fields of a template's node that are the same in every filling."""
        fields = [(name, getattr(node, name)) for name in node._fields]
        same = {name: value for name, value in fields if _is_fixed(value)}
        others = tuple((name, value) for name, value in fields if name not in same)
        split = self._splits[node] = (same, others)
        return split

    def _field(self, name: str, value: Any) -> Any:
        if isinstance(value, list):
            return self._list(name, value)
        if isinstance(value, ast.AST):
            return self.expression(value) if isinstance(value, gast.expr) else self._node(value)
        hole = hole_of(value)
        return value if hole is None else self._identifier(hole)

    def _list(self, name: str, values: list[Any]) -> list[Any]:
        if not values:
            return []
        if name == "body" and values and isinstance(values[0], gast.stmt):
            return self._block(values)
        if name in ("orelse", "finalbody"):
            return self.body(values)
        return [new for value in values for new in self._item(name, value)]

    def _item(self, name: str, value: Any) -> list[Any]:
        """Return the replacements of an element of a list: a hole may become several elements."""
        hole, spreads = _spread_hole(name, value)
        if hole is not None and isinstance(self._holes[hole], (list, tuple)) and spreads:
            ctx = getattr(value, "ctx", None) or gast.Load()
            return [self._element(hole, item, ctx) for item in self._holes[hole]]
        return [self._field(name, value)]

    def _element(self, hole: str, item: Any, ctx: gast.expr_context) -> Any:
        if isinstance(item, gast.keyword):
            return self._owned(item)
        return self._expression_value(hole, item, ctx)

    def _new(self, cls: Any, fields: dict[str, Any]) -> Any:
        node = cls.__new__(cls)
        node.__dict__.update(fields)
        if self._position is not None and "lineno" in cls._attributes:
            node.__dict__.update(self._position)
        return node

    # Values

    def _identifier(self, hole: str) -> str:
        value = self._holes[hole]
        if isinstance(value, QN) and value.is_simple:
            return value.name
        if isinstance(value, gast.Name):
            return str(value.id)
        if isinstance(value, str) and value.isidentifier():
            return value
        raise self._wrong_value(hole, value, "an identifier")

    def _names(self, name: str) -> list[str]:
        hole = hole_of(name)
        if hole is None:
            return [name]
        value = self._holes[hole]
        if isinstance(value, str):
            return [value]
        return [n.name if isinstance(n, QN) else str(n) for n in value]

    def _expression_value(self, hole: str, value: Any, ctx: gast.expr_context) -> Any:
        if isinstance(value, str) and value.isidentifier():
            return self._new(gast.Name, _name_fields(value, ctx))
        if isinstance(value, QN):
            return self._positioned(value.ast(ctx))
        if isinstance(value, ast.AST) and not isinstance(value, gast.stmt):
            return self._in_context(value, ctx)
        if isinstance(value, _CONSTANTS):
            return self._new(gast.Constant, {"value": value, "kind": None})
        raise self._wrong_value(hole, value, "an expression")

    def _in_context(self, value: Any, ctx: gast.expr_context) -> Any:
        if not hasattr(value, "ctx") or isinstance(value.ctx, type(ctx)):
            return self._owned(value)
        new = copy_tree(value)
        _set_context(new, ctx)
        return self._positioned(new)

    def _owned(self, value: Any) -> Any:
        """Return a node that is the value of a hole: the first time the node, then a copy."""
        if id(value) in self._used:
            return self._positioned(copy_tree(value))
        self._used.add(id(value))
        return self._positioned(value)

    def _positioned(self, value: Any) -> Any:
        if self._position is None or not _lacks_position(value):
            return value
        for node in walk(value):
            if "lineno" in node._attributes and _lacks_position(node):
                node.__dict__.update(self._position)
        return value

    def _wrong_value(self, hole: str, value: object, wanted: str) -> TemplateError:
        first = self._source.splitlines()[0]
        return TemplateError(f"${hole} of template `{first}` must be {wanted}, not {value!r}")

    # Nodes whose holes are not expressions

    def _parameters(self, node: gast.arguments) -> Any:
        hole = hole_of(node.vararg.id) if node.vararg is not None else None
        value = self._holes[hole] if hole is not None else None
        if isinstance(value, gast.arguments):
            return self._owned(value)
        if not isinstance(value, (list, tuple)):
            return self._fields(node)
        fields = {name: self._field(name, getattr(node, name)) for name in node._fields[:2]}
        rest = {n: self._field(n, getattr(node, n)) for n in node._fields[2:] if n != "vararg"}
        fields["args"] += [self._element(str(hole), item, gast.Param()) for item in value]
        return {**fields, "vararg": None, **rest}

    def _text(self, node: gast.Constant) -> dict[str, Any]:
        hole = hole_of(node.value)
        return {"value": node.value if hole is None else str(self._holes[hole]), "kind": None}


_SPECIAL: dict[type, Callable[[Filling, Any], Any]] = {
    gast.arguments: Filling._parameters,
    gast.Constant: Filling._text,
}


def _is_fixed(value: Any) -> bool:
    """Return whether a field has text without a hole, a number, or a node without fields."""
    if isinstance(value, list):
        return False
    if isinstance(value, ast.AST):
        return not (value._fields or value._attributes)
    return hole_of(value) is None


def _spread_hole(name: str, value: Any) -> tuple[str | None, bool]:
    """Return the hole that an element of a list is, and whether a list may take its place."""
    if isinstance(value, gast.Starred) and isinstance(value.value, gast.Name):
        return hole_of(value.value.id), True
    if isinstance(value, gast.keyword) and value.arg is None and isinstance(value.value, gast.Name):
        return hole_of(value.value.id), True
    if isinstance(value, gast.Name):
        return hole_of(value.id), name == "decorator_list"
    return None, False


def _name_fields(name: str, ctx: gast.expr_context) -> dict[str, Any]:
    return {"id": name, "ctx": ctx, "annotation": None, "type_comment": None}


def _set_context(node: Any, ctx: gast.expr_context) -> None:
    node.ctx = ctx
    for child in [*getattr(node, "elts", ())]:
        _set_context(child, ctx)
    if isinstance(node, gast.Starred):
        _set_context(node.value, ctx)


def _lacks_position(node: Any) -> bool:
    return getattr(node, POSITIONS[0], None) is None

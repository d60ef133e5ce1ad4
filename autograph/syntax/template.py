"""Quoted code with holes: how converters write the code they generate.

A template is Python source in which `$name` stands for something filled in later:

    IF_BODY = Template('''
        def $name():
            nonlocal $state
            $body
    ''')
    statements = IF_BODY.statements(origin=node, name="if_body", state=["x", "y"], body=node.body)

What may fill a hole depends on where it stands:

    place                               value
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
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any

import gast

from autograph.errors import TemplateError
from autograph.syntax.filling import PREFIX, Filling, Plans, hole_of
from autograph.syntax.origin import position_of
from autograph.syntax.tree import parse, walk

_HOLE = re.compile(r"\$([A-Za-z_]\w*)")


class Template:
    """Source with `$holes`, parsed once, filled often.

    Args:
        source: Python statements, or one expression; common indentation is removed.

    Raises:
        TemplateError: when the source is not Python once its holes are names.

    >>> from autograph.syntax.printer import print_tree
    >>> print_tree(Template("$x = ag__.ld($y) + 1").statements(x="a", y="b"))
    'a = (ag__.ld(b) + 1)'
    """

    def __init__(self, source: str) -> None:
        self.source = textwrap.dedent(source).strip("\n")
        self._body = _parsed(self.source)
        self.holes = frozenset(_holes_in(self._body, self.source))
        self._plans: Plans = {}

    def statements(self, origin: Any = None, **holes: Any) -> list[gast.stmt]:
        """Return fresh gast statements with the holes filled.

        Args:
            origin: the user's node the new nodes stem from; they get its position.
            holes: a value for every hole. Nodes go into the tree as they are (copied from the
                second use on) and keep their own positions; those without one get `origin`'s.

        Raises:
            TemplateError: a hole is missing, unknown, or was given something it cannot hold.
        """
        self._check(holes)
        return Filling(self.source, holes, position_of(origin), self._plans).body(self._body)

    def expression(self, origin: Any = None, **holes: Any) -> gast.expr:
        """Return a fresh gast expression; the template must be a single expression.

        >>> from autograph.syntax.printer import print_tree
        >>> print_tree(Template("f(*$args)").expression(args=[gast.Constant(1, None), "x"]))
        'f(1, x)'
        """
        if len(self._body) != 1 or not isinstance(self._body[0], gast.Expr):
            raise self._error("is not a single expression; use .statements()")
        self._check(holes)
        return Filling(self.source, holes, position_of(origin), self._plans).expression(
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

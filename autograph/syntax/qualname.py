"""Qualified names: the variables, attributes and constant items that code reads and writes.

`x`, `x.y`, `d['k']` and `l[0].z` are qualified names; `f().y` and `l[i]` are not, since they may be
another place each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autograph.syntax.tree import parse_expression


@dataclass(unsafe_hash=True, repr=False)
class Attribute:
    """The step from `x` to `x.name`."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(unsafe_hash=True, repr=False)
class Item:
    """The step from `x` to `x[key]`; `kind` is the type of the key, as `1` and `True` differ."""

    key: int | str | bytes | float | None
    kind: str

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(unsafe_hash=True, repr=False)
class QN:
    """A qualified name: an identifier and the steps from it.

    >>> qn = QN("x", (Attribute("y"), Item(0, "int")))
    >>> str(qn), str(qn.parent), str(qn.root), qn.is_simple
    ('x.y[0]', 'x.y', 'x', False)
    """

    name: str
    steps: tuple[Attribute | Item, ...] = ()

    @property
    def is_simple(self) -> bool:
        """True if it is a variable."""
        return not self.steps

    @property
    def is_attribute(self) -> bool:
        """True if the last step is an attribute."""
        return bool(self.steps) and isinstance(self.steps[-1], Attribute)

    @property
    def is_item(self) -> bool:
        """True if the last step is an item."""
        return bool(self.steps) and isinstance(self.steps[-1], Item)

    @property
    def parent(self) -> QN | None:
        """The name without its last step; None for a variable."""
        return QN(self.name, self.steps[:-1]) if self.steps else None

    @property
    def root(self) -> QN:
        """The variable at its beginning; `.name` is its identifier."""
        return QN(self.name)

    @property
    def prefixes(self) -> tuple[QN, ...]:
        """The shorter names that it begins with, root first: `x`, `x.y` for `x.y.z`."""
        return tuple(QN(self.name, self.steps[:n]) for n in range(len(self.steps)))

    def attribute(self, name: str) -> QN:
        """Return the name of an attribute of this one."""
        return QN(self.name, (*self.steps, Attribute(name)))

    def item(self, key: int | str | bytes | float | None) -> QN:
        """Return the name of a constant item of this one."""
        return QN(self.name, (*self.steps, Item(key, type(key).__name__)))

    def ast(self, ctx: gast.expr_context | None = None) -> gast.expr:
        """Return the name as a gast expression without positions; only the last step has `ctx`.

        >>> from autograph.syntax.printer import print_tree
        >>> print_tree(named("a.b['k']").ast())
        "a.b['k']"
        """
        ctx = ctx or gast.Load()
        if not self.steps:
            return gast.Name(self.name, ctx, None, None)
        value = QN(self.name, self.steps[:-1]).ast()
        last = self.steps[-1]
        if isinstance(last, Attribute):
            return gast.Attribute(value, last.name, ctx)
        return gast.Subscript(value, _key_node(last.key), ctx)

    def __str__(self) -> str:
        return self.name + "".join(map(str, self.steps))

    def __repr__(self) -> str:
        return f"<QN {self}>"

    def __lt__(self, other: QN) -> bool:
        return str(self) < str(other)


def of(node: Any) -> QN | None:
    """Return the qualified name of a gast expression, or None if it has none.

    >>> str(of(parse_expression("x.y[-1]"))), of(parse_expression("x[i]"))
    ('x.y[-1]', None)
    """
    if isinstance(node, gast.Name):
        return QN(node.id)
    if isinstance(node, gast.Attribute):
        owner = of(node.value)
        return owner and owner.attribute(node.attr)
    if isinstance(node, gast.Subscript):
        owner, key = of(node.value), _key_of(node.slice)
        return owner.item(key[0]) if owner and key else None
    return None


def named(text: str) -> QN:
    """Return the qualified name that `text` spells.

    Raises:
        ValueError: the text is no qualified name.

    >>> named("a.b[0]").is_item
    True
    """
    qn = of(parse_expression(text))
    if qn is None:
        raise ValueError(f"'{text}' is not a qualified name: write x, x.y, x['k'] or x[0]")
    return qn


def _key_of(node: Any) -> tuple[int | str | bytes | float | None] | None:
    """Return the constant in a tuple, since the constant may be None."""
    if isinstance(node, gast.Constant):
        return (node.value,) if _is_key(node.value) else None
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        number = _key_of(node.operand)
        if number is not None and type(number[0]) in (int, float):
            return (-number[0],)  # type: ignore[operator]
    return None


def _is_key(value: object) -> bool:
    return value is None or isinstance(value, (int, str, bytes, float))


def _key_node(key: Any) -> gast.expr:
    if type(key) in (int, float) and repr(key).startswith("-"):
        return gast.UnaryOp(gast.USub(), gast.Constant(-key, None))
    return gast.Constant(key, None)

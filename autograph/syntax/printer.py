"""Prints trees as source, in the style of astunparse.

It prints a blank line before each nested `def`, brackets around every operation and tuple, and one
statement per line. astunparse supports Python up to 3.8; the support of newer syntax, and
corrections, are here. The mixins `DefinitionPrinter`, `PatternPrinter` and
`printer_strings.StringPrinter` are the parts for one kind of syntax each. The printer takes gast
and ast trees, which have the same names of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import astunparse

from autograph.syntax.large_stack import with_large_stack
from autograph.syntax.printer_strings import StringPrinter, number_text


class DefinitionPrinter:
    """The part of the printer for definitions."""

    fill: Callable[..., None]
    write: Callable[[str], None]
    dispatch: Callable[[Any], None]
    suite: Callable[[list[Any]], None]
    write_list: Callable[..., None]

    def _FunctionDef(self, t: Any) -> None:
        self._function("def ", t)

    def _AsyncFunctionDef(self, t: Any) -> None:
        self._function("async def ", t)

    def _function(self, keyword: str, t: Any) -> None:
        self._decorators(t)
        self.fill(keyword + t.name)
        self._type_parameters(t)
        self.write("(")
        self.dispatch(t.args)
        self.write(")")
        if getattr(t, "returns", None) is not None:
            self.write(" -> ")
            self.dispatch(t.returns)
        self.suite(t.body)

    def _ClassDef(self, t: Any) -> None:
        self._decorators(t)
        self.fill("class " + t.name)
        self._type_parameters(t)
        self.write("(")
        self.write_list([*t.bases, *t.keywords])
        self.write(")")
        self.suite(t.body)

    def _decorators(self, t: Any) -> None:
        self.write("\n")
        for decorator in t.decorator_list:
            self.fill("@")
            self.dispatch(decorator)

    def _arguments(self, t: Any) -> None:
        plain = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(plain) - len(t.defaults)) + t.defaults
        parts: list[tuple[str, Any, Any]] = [("", a, d) for a, d in zip(plain, defaults)]
        if t.posonlyargs:
            parts.insert(len(t.posonlyargs), ("/", None, None))
        if t.vararg or t.kwonlyargs:
            parts.append(("*", t.vararg, None))
        parts += [("", a, d) for a, d in zip(t.kwonlyargs, t.kw_defaults)]
        if t.kwarg:
            parts.append(("**", t.kwarg, None))
        self.write_list(parts, self._parameter)

    def _parameter(self, part: tuple[str, Any, Any]) -> None:
        prefix, parameter, default = part
        self.write(prefix)
        if parameter is not None:
            self.write(parameter.arg if hasattr(parameter, "arg") else parameter.id)
            if parameter.annotation is not None:
                self.write(": ")
                self.dispatch(parameter.annotation)
        if default is not None:
            self.write("=")
            self.dispatch(default)

    def _type_parameters(self, t: Any) -> None:
        parameters = getattr(t, "type_params", None)
        if parameters:
            self.write("[")
            self.write_list(parameters)
            self.write("]")

    def _TypeVar(self, t: Any) -> None:
        self.write(t.name)
        if getattr(t, "bound", None) is not None:
            self.write(": ")
            self.dispatch(t.bound)
        self._type_default(t)

    def _TypeVarTuple(self, t: Any) -> None:
        self.write("*" + t.name)
        self._type_default(t)

    def _ParamSpec(self, t: Any) -> None:
        self.write("**" + t.name)
        self._type_default(t)

    def _type_default(self, t: Any) -> None:
        if getattr(t, "default_value", None) is not None:
            self.write(" = ")
            self.dispatch(t.default_value)

    def _TypeAlias(self, t: Any) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self._type_parameters(t)
        self.write(" = ")
        self.dispatch(t.value)


# -- patterns --------------------------------------------------------------------------------------


_SIGNS = {"UAdd": "+", "USub": "-", "Add": " + ", "Sub": " - "}


class PatternPrinter:
    """The part of the printer for `match`."""

    fill: Callable[..., None]
    write: Callable[[str], None]
    dispatch: Callable[[Any], None]
    suite: Callable[[list[Any]], None]
    write_list: Callable[..., None]
    _indent: int

    def _Match(self, t: Any) -> None:
        self.fill("match ")
        self.dispatch(t.subject)
        self.suite(t.cases)

    def _match_case(self, t: Any) -> None:
        self.fill("case ")
        self.dispatch(t.pattern)
        if t.guard is not None:
            self.write(" if ")
            self.dispatch(t.guard)
        self.suite(t.body)

    def _MatchValue(self, t: Any) -> None:
        self._literal(t.value)

    def _literal(self, node: Any) -> None:
        """Write a literal without brackets: a pattern may have none around numbers."""
        kind = type(node).__name__
        if kind == "UnaryOp":
            self.write(_SIGNS[type(node.op).__name__])
            self._literal(node.operand)
        elif kind == "BinOp":
            self._literal(node.left)
            self.write(_SIGNS[type(node.op).__name__])
            self._literal(node.right)
        else:
            self.dispatch(node)

    def _MatchSingleton(self, t: Any) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: Any) -> None:
        self._enclosed("[", t.patterns, "]")

    def _MatchMapping(self, t: Any) -> None:
        items: list[tuple[Any, Any]] = list(zip(t.keys, t.patterns))
        rest = [(None, t.rest)] if t.rest is not None else []
        self._enclosed("{", items + rest, "}", self._mapping_item)

    def _mapping_item(self, item: tuple[Any, Any]) -> None:
        key, pattern = item
        if key is None:
            self.write("**" + pattern)
            return
        self._literal(key)
        self.write(": ")
        self.dispatch(pattern)

    def _MatchClass(self, t: Any) -> None:
        self.dispatch(t.cls)
        plain = [(None, pattern) for pattern in t.patterns]
        self._enclosed("(", [*plain, *zip(t.kwd_attrs, t.kwd_patterns)], ")", self._class_item)

    def _class_item(self, item: tuple[str | None, Any]) -> None:
        attribute, pattern = item
        self.write(f"{attribute}=" if attribute is not None else "")
        self.dispatch(pattern)

    def _MatchStar(self, t: Any) -> None:
        self.write("*" + (t.name or "_"))

    def _MatchAs(self, t: Any) -> None:
        if t.pattern is None:
            self.write(t.name or "_")
            return
        self.write("(")
        self.dispatch(t.pattern)
        self.write(f" as {t.name})")

    def _MatchOr(self, t: Any) -> None:
        self.write("(")
        for number, pattern in enumerate(t.patterns):
            self.write(" | " if number else "")
            self.dispatch(pattern)
        self.write(")")

    def _enclosed(
        self,
        opening: str,
        items: Iterable[Any],
        closing: str,
        show: Callable[[Any], None] | None = None,
    ) -> None:
        self.write(opening)
        self.write_list(items, show)
        self.write(closing)


# -- the printer -----------------------------------------------------------------------------------


# CPython refuses 200 nested brackets, so that a longer chain than this is printed without them.
_LONG_CHAIN = 60
_PRECEDENCE = {
    "BitOr": 1, "BitXor": 2, "BitAnd": 3, "LShift": 4, "RShift": 4, "Add": 5, "Sub": 5,
    "Mult": 6, "MatMult": 6, "Div": 6, "FloorDiv": 6, "Mod": 6, "Pow": 7,
}  # fmt: skip
_TRAILERS = {"Attribute": "_attribute", "Call": "_call", "Subscript": "_index"}


def print_tree(tree: Any) -> str:
    """Return the source of an ast or gast node, or of a list of statements.

    It parses to the same tree. It has no blank lines at its beginning and end.

    >>> from autograph.syntax.tree import parse
    >>> print_tree(parse("y = x[0, :]+1"))
    'y = (x[0, :] + 1)'
    """
    return with_large_stack(lambda: _Printer().text_of(tree).strip("\n"))


class _Printer(DefinitionPrinter, StringPrinter, PatternPrinter, astunparse.Unparser):
    """astunparse's Unparser with the current syntax; it writes into a list."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._indent = 0
        self._except = "except"

    # Writing

    def text_of(self, node: Any) -> str:
        """Return the text of a node, which is not added to the text so far."""
        outer, self._parts = self._parts, []
        try:
            self.dispatch(node)
            return "".join(self._parts)
        finally:
            self._parts = outer

    def write(self, text: str) -> None:
        self._parts.append(text)

    def fill(self, text: str = "") -> None:
        self._parts.append("\n" + "    " * self._indent + text)

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, list):
            for item in tree:
                self.dispatch(item)
        else:
            getattr(self, "_" + type(tree).__name__)(tree)

    def block(self, head: str, body: list[Any]) -> None:
        """Write `head:` as a line, and the body below it."""
        self.fill(head)
        self.suite(body)

    def suite(self, body: list[Any]) -> None:
        """Write `:` and the indented body."""
        self.enter()
        self.dispatch(body)
        self.leave()

    def write_list(self, items: Iterable[Any], show: Callable[[Any], None] | None = None) -> None:
        """Write items with commas between them."""
        show = show or self.dispatch
        for number, item in enumerate(items):
            if number:
                self.write(", ")
            show(item)

    # Statements

    def _If(self, t: Any) -> None:
        keyword = "if "
        while True:
            self.fill(keyword)
            self.dispatch(t.test)
            self.suite(t.body)
            if len(t.orelse) != 1 or type(t.orelse[0]).__name__ != "If":
                break
            t, keyword = t.orelse[0], "elif "
        if t.orelse:
            self.block("else", t.orelse)

    def _Try(self, t: Any, keyword: str = "except") -> None:
        self.block("try", t.body)
        for handler in t.handlers:
            # It is set again for each handler: a body may have the other kind of `try`.
            self._except = keyword
            self.dispatch(handler)
        if t.orelse:
            self.block("else", t.orelse)
        if t.finalbody:
            self.block("finally", t.finalbody)

    def _TryStar(self, t: Any) -> None:
        self._Try(t, "except*")

    def _ExceptHandler(self, t: Any) -> None:
        self.fill(self._except)
        if t.type is not None:
            self.write(" ")
            self.dispatch(t.type)
        if t.name is not None:
            self.write(" as ")
            self.write(t.name if isinstance(t.name, str) else t.name.id)
        self.suite(t.body)

    def _generic_With(self, t: Any, async_: bool = False) -> None:
        self.fill("async with " if async_ else "with ")
        if len(t.items) == 1 and _is_bare_tuple(t.items[0]):
            self.write("(")
            self.dispatch(t.items)
            self.write(")")
        else:
            self.write_list(t.items)
        self.suite(t.body)

    def _AnnAssign(self, t: Any) -> None:
        self.fill()
        bracketed = not t.simple and type(t.target).__name__ == "Name"
        self.write("(" if bracketed else "")
        self.dispatch(t.target)
        self.write("): " if bracketed else ": ")
        self.dispatch(t.annotation)
        if t.value is not None:
            self.write(" = ")
            self.dispatch(t.value)

    def _ImportFrom(self, t: Any) -> None:
        self.fill("from " + "." * (t.level or 0) + (t.module or "") + " import ")
        self.write_list(t.names)

    # Expressions

    def _Attribute(self, t: Any) -> None:
        self._write_trailers(t)

    def _Call(self, t: Any) -> None:
        self._write_trailers(t)

    def _Subscript(self, t: Any) -> None:
        self._write_trailers(t)

    def _write_trailers(self, t: Any) -> None:
        """Write `a.b(c)[d].e` from its left end, in a loop, since such chains may be long."""
        chain = []
        while type(t).__name__ in _TRAILERS:
            chain.append(t)
            t = t.func if type(t).__name__ == "Call" else t.value
        self.dispatch(t)
        for node in reversed(chain):
            getattr(self, _TRAILERS[type(node).__name__])(node)

    def _attribute(self, t: Any) -> None:
        if _is_constant(t.value) and isinstance(t.value.value, int):
            self.write(" ")
        self.write("." + t.attr)

    def _call(self, t: Any) -> None:
        self.write("(")
        self.write_list([*t.args, *t.keywords])
        self.write(")")

    def _index(self, t: Any) -> None:
        self.write("[")
        if _is_tuple_of_slices(t.slice):
            self.write_list(t.slice.elts)
            self.write("," if len(t.slice.elts) == 1 else "")
        else:
            self.dispatch(t.slice)
        self.write("]")

    def _Set(self, t: Any) -> None:
        self.write("{")
        if t.elts:
            self.write_list(t.elts)
        else:
            self.write("*()")
        self.write("}")

    def _BoolOp(self, t: Any) -> None:
        keyword = " and " if type(t.op).__name__ == "And" else " or "
        self.write("(")
        for number, value in enumerate(t.values):
            self.write(keyword if number else "")
            self.dispatch(value)
        self.write(")")

    def _BinOp(self, t: Any) -> None:
        chain = _equal_operations(t)
        self.write("(" * len(chain) if len(chain) <= _LONG_CHAIN else "(")
        self.dispatch(chain[-1].left)
        close = ")" if len(chain) <= _LONG_CHAIN else ""
        for node in reversed(chain):
            self.write(f" {self.binop[type(node.op).__name__]} ")
            self.dispatch(node.right)
            self.write(close)
        self.write("" if close else ")")

    def _UnaryOp(self, t: Any) -> None:
        self._write_chain(t, "operand", lambda n: self.write(f"{self.unop[type(n.op).__name__]} "))

    def _IfExp(self, t: Any) -> None:
        def head(node: Any) -> None:
            self.dispatch(node.body)
            self.write(" if ")
            self.dispatch(node.test)
            self.write(" else ")

        self._write_chain(t, "orelse", head)

    def _Lambda(self, t: Any) -> None:
        def head(node: Any) -> None:
            self.write("lambda ")
            self.dispatch(node.args)
            self.write(": ")

        self._write_chain(t, "body", head)

    def _write_chain(self, t: Any, field: str, head: Callable[[Any], None]) -> None:
        """Write a node that may end in one of its type, such as `a if b else c if d else e`."""
        chain = [t]
        while type(getattr(chain[-1], field)) is type(t):
            chain.append(getattr(chain[-1], field))
        bracketed = len(chain) <= _LONG_CHAIN
        for number, node in enumerate(chain):
            self.write("(" if bracketed or not number else "")
            head(node)
        self.dispatch(getattr(chain[-1], field))
        self.write(")" * (len(chain) if bracketed else 1))

    def _Constant(self, t: Any) -> None:
        self._value(t.value, getattr(t, "kind", None))

    def _value(self, value: Any, kind: str | None = None) -> None:
        if isinstance(value, (tuple, frozenset)):
            self._collection(value)
        elif isinstance(value, (str, bytes)):
            self.write(self.quoted(value, kind or ""))
        else:
            self.write("..." if value is ... else number_text(value))

    def _collection(self, value: Any) -> None:
        is_tuple = isinstance(value, tuple)
        items = value if is_tuple else sorted(value, key=repr)
        self.write("(" if is_tuple else "frozenset((")
        self.write_list(items, self._value)
        self.write("," if len(items) == 1 else "")
        self.write(")" if is_tuple else "))")


def _is_constant(node: Any) -> bool:
    return type(node).__name__ == "Constant"


def _is_bare_tuple(item: Any) -> bool:
    """Return whether a `with` item is a tuple, which without brackets would be several items."""
    return item.optional_vars is None and type(item.context_expr).__name__ == "Tuple"


def _is_tuple_of_slices(node: Any) -> bool:
    """Return whether an index is a tuple with slices, such as `i, :`, which allows no brackets."""
    return type(node).__name__ == "Tuple" and any(type(e).__name__ == "Slice" for e in node.elts)


def _equal_operations(t: Any) -> list[Any]:
    """Return the operations of equal precedence in `a + b - c`, outermost first."""
    chain = [t]
    rank = _PRECEDENCE[type(t.op).__name__]
    if rank == _PRECEDENCE["Pow"]:
        return chain
    while type(chain[-1].left).__name__ == "BinOp":
        if _PRECEDENCE[type(chain[-1].left.op).__name__] != rank:
            break
        chain.append(chain[-1].left)
    return chain

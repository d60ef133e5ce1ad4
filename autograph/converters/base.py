"""The base class of converters: a step from tree to tree with its place in the pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import DEFINITIONS, FUNCTIONS, blocks, is_function_scope
from autograph.converters.constructs import Outcome
from autograph.converters.report import Report
from autograph.errors import ConversionError
from autograph.options import ConversionOptions
from autograph.syntax import print_tree
from autograph.syntax.namer import Namer
from autograph.syntax.origin import origin_of, segment_of
from runtime.core.fork_safety import cached_property

Tree: TypeAlias = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda | gast.Assign


@dataclass
class Conversion:
    """One run of the pipeline: its source, and the names it has made so far.

    Attributes:
        source: the source, a `syntax.source.FunctionSource` (tests pass simpler ones).
        options: the options of the conversion.
        namer: makes names that the user does not use.
        namespace: the globals and closure of the function, when known.
        exits: flag names to the jump they stand for: `'break'`, `'continue'` or `'return'`.
        scopes: names of variables that hold a function scope.
        report: records the outcome of the user's constructs, if requested.
    """

    source: Any
    options: ConversionOptions
    namer: Namer
    namespace: Mapping[str, object] | None = None
    exits: dict[str, str] = field(default_factory=dict)
    scopes: set[str] = field(default_factory=set)
    report: Report | None = None

    def fresh_flag(self, base: str, jump: str) -> str:
        """Return a new name for the flag of a jump."""
        name = self.namer.fresh(base)
        self.exits[name] = jump
        return name

    @cached_property
    def values_name(self) -> str:
        """The parameter of every `set_state`."""
        return self.namer.fresh("vars_")

    @cached_property
    def item_name(self) -> str:
        """The parameter of every `loop_body` of a `for`."""
        return self.namer.fresh("itr")

    def fresh_item(self) -> str:
        """Return a name for an unpacked item."""
        return self.namer.fresh("item_")

    @cached_property
    def captures_name(self) -> str:
        """The parameter of functions that take the captures of a pattern."""
        return self.namer.fresh("captures_")

    @cached_property
    def caught_name(self) -> str:
        """The parameter of a handler whose own variable belongs to another scope."""
        return self.namer.fresh("caught_")

    @cached_property
    def take_name(self) -> str:
        """The parameter of a comprehension that takes its elements."""
        return self.namer.fresh("take")

    def text_of(self, node: Any) -> str:
        """Return an expression as the user wrote it, on one line."""
        segment = segment_of(node, self.source) or print_tree(node)
        return " ".join(segment.split())

    def staged(self, node: Any) -> None:
        """Report that a node can become part of a graph now."""
        if self.report is not None:
            self.report.note(node, Outcome.STAGED)

    def called(self, node: Any) -> None:
        """Report that a call goes through the converter now."""
        if self.report is not None:
            self.report.note(node, Outcome.CALL)

    def kept(self, node: Any, reason: str) -> None:
        """Report that Python runs a node, even if it depends on tensors, because "it ..."."""
        if self.report is not None:
            self.report.note(node, Outcome.PYTHON, reason)

    def left(self, node: Any, reason: str) -> None:
        """Report that Python runs a node and that this is no loss, because "it ..."."""
        if self.report is not None:
            self.report.note(node, Outcome.NOTE, reason)

    def error(self, message: str, node: Any) -> ConversionError:
        """Return an error that points at a node of the user's source."""
        return ConversionError(message, origin_of(node, self.source))


class Converter:
    """One step of the pipeline.

    Class data:
        after: converters that must have run before, each with the reason, a clause that completes
            "X must come after Y, for ...".
        needs: the facts it uses, attributes of `FunctionFacts`.
        handles: the kinds of nodes it converts; it does not run on a tree without any.
        removes: the kinds of nodes that are gone after it, except in code that stays Python.
        makes: the kinds of nodes it adds that a later converter handles.
    """

    after: ClassVar[Mapping[type[Converter], str]] = {}
    needs: ClassVar[tuple[str, ...]] = ()
    handles: ClassVar[tuple[type, ...]] = (gast.AST,)
    removes: ClassVar[tuple[type, ...]] = ()
    makes: ClassVar[tuple[type, ...]] = ()

    def made(self) -> tuple[type, ...]:
        """Return the kinds of nodes of `makes` that it may have added when it ran."""
        return self.makes

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        """Return whether there is anything to do."""
        return facts.inventory.has(*self.handles)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        """Return the converted tree; the given one may be changed on the way.

        Args:
            tree: the function after the earlier converters.
            facts: facts about that very tree.
            conversion: the run this belongs to.
        """
        raise TypeError(f"{type(self).__name__} does not say how it converts")

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        """Return nodes that should be gone but are not."""
        return ()


def functions_in(tree: Tree) -> Iterator[Any]:
    """Yield every function definition of a tree, outer before inner, in source order.

    >>> from autograph.syntax.tree import parse
    >>> [f.name for f in functions_in(parse("def f():\\n class C:\\n  def g(self): pass").body[0])]
    ['f', 'g']
    """
    if isinstance(tree, (gast.FunctionDef, gast.AsyncFunctionDef)):
        yield tree
        for statement in definitions_in(tree.body):
            yield from functions_in(statement)
    elif isinstance(tree, gast.ClassDef):
        for statement in definitions_in(tree.body):
            yield from functions_in(statement)


def definitions_in(statements: list[gast.stmt]) -> Iterator[Any]:
    """Yield the functions and classes defined in a list of statements, at any depth."""
    for statement in statements:
        if isinstance(statement, DEFINITIONS):
            yield statement
        else:
            for block in blocks(statement):
                yield from definitions_in(block)


def scope_of(function: Any) -> Any:
    """Return the function scope, the `with` around a converted body, or None without one."""
    last = function.body[-1] if isinstance(function.body, list) else None
    return last if is_function_scope(last) else None


def body_of(function: Any) -> list[gast.stmt]:
    """Return the statements of a function, those inside its scope where it has one."""
    return list((scope_of(function) or function).body)


def set_body(function: Any, statements: list[gast.stmt]) -> None:
    """Replace what `body_of` returns."""
    (scope_of(function) or function).body = statements


def main_function(tree: Tree) -> Any:
    """Return the function a tree defines: itself, or the lambda it assigns."""
    if isinstance(tree, FUNCTIONS):
        return tree
    return tree.value

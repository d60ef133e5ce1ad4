"""The base class of converters: a step from tree to tree with its place in the pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import DEFINITIONS, FUNCTIONS, blocks, is_function_scope
from autograph.converters.constructs import ConstructOutcome
from autograph.converters.report import Report
from autograph.errors import ConversionError
from autograph.options import ConversionOptions
from autograph.syntax import print_tree
from autograph.syntax.namer import Namer
from autograph.syntax.origin import origin_of, segment_of
from runtime.core.fork_safety import cached_property

Tree: TypeAlias = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda | gast.Assign


@dataclass(eq=False, repr=False)
class Conversion:
    """The state of one conversion of a function, which the converters share.

    Attributes:
        source: the source, a `syntax.source.FunctionSource` (tests pass simpler ones).
        options: the options of the conversion.
        namer: makes names that are not in use.
        namespace: the values of the function's globals and free variables, if known.
        exits: the jump of each flag, by the flag's name: "break", "continue" or "return".
        scopes: the names of the variables that are bound to a function scope.
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
        """The parameter of each `set_state`."""
        return self.namer.fresh("vars_")

    @cached_property
    def item_name(self) -> str:
        """The parameter of each `loop_body` of a `for`."""
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

    def report_staged(self, node: Any) -> None:
        """Report that a construct can be staged."""
        if self.report is not None:
            self.report.note(node, ConstructOutcome.STAGED)

    def report_call(self, node: Any) -> None:
        """Report that a call converts its callee."""
        if self.report is not None:
            self.report.note(node, ConstructOutcome.CALL)

    def report_python(self, node: Any, reason: str) -> None:
        """Report that Python runs a construct, even if it depends on tensors.

        Args:
            node: the construct.
            reason: a clause about "it".
        """
        if self.report is not None:
            self.report.note(node, ConstructOutcome.PYTHON, reason)

    def report_note(self, node: Any, reason: str) -> None:
        """Report that Python runs a construct, which need not be staged.

        Args:
            node: the construct.
            reason: a clause about "it".
        """
        if self.report is not None:
            self.report.note(node, ConstructOutcome.NOTE, reason)

    def error(self, message: str, node: Any) -> ConversionError:
        """Return an error that points at a node of the user's source."""
        return ConversionError(message, origin_of(node, self.source))


class Converter:
    """One step of the pipeline.

    Class data:
        after: the converters that must run before it, each with the reason: a clause that completes
            "X must come after Y, for ...".
        needs: the facts that it uses, attributes of `FunctionFacts`.
        handles: the types of nodes that it converts; without any in a tree, it does not run.
        removes: the types of nodes that it removes, except in code that stays Python.
        makes: the types of nodes that it adds and that later converters handle.
    """

    after: ClassVar[Mapping[type[Converter], str]] = {}
    needs: ClassVar[tuple[str, ...]] = ()
    handles: ClassVar[tuple[type, ...]] = (gast.AST,)
    removes: ClassVar[tuple[type, ...]] = ()
    makes: ClassVar[tuple[type, ...]] = ()

    def made(self) -> tuple[type, ...]:
        """Return the types in `makes` of which it may have added nodes."""
        return self.makes

    def applies(self, facts: FunctionFacts, conversion: Conversion) -> bool:
        """Return whether the tree may have something to convert."""
        return facts.inventory.has(*self.handles)

    def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
        """Return the converted tree; `tree` may be changed in place.

        Args:
            tree: the function after the earlier converters.
            facts: the facts about `tree`.
            conversion: the state of the conversion.
        """
        raise TypeError(f"{type(self).__name__} does not say how it converts")

    def leftovers(self, tree: Tree, facts: FunctionFacts) -> Iterable[Any]:
        """Return nodes of the types in `removes` that it should have removed."""
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
    """Yield the functions and classes defined in a list of statements, also in their blocks."""
    for statement in statements:
        if isinstance(statement, DEFINITIONS):
            yield statement
        else:
            for block in blocks(statement):
                yield from definitions_in(block)


def scope_of(function: Any) -> Any:
    """Return the `with` of the function scope around a body; None if there is none."""
    last = function.body[-1] if isinstance(function.body, list) else None
    return last if is_function_scope(last) else None


def body_of(function: Any) -> list[gast.stmt]:
    """Return the statements of a function; if it has a scope, those inside the scope."""
    return list((scope_of(function) or function).body)


def set_body(function: Any, statements: list[gast.stmt]) -> None:
    """Replace the statements that `body_of` returns."""
    (scope_of(function) or function).body = statements


def main_function(tree: Tree) -> Any:
    """Return the function that a tree defines: itself, or the lambda that it assigns."""
    if isinstance(tree, FUNCTIONS):
        return tree
    return tree.value

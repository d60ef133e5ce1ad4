"""The facts about one function of a tree, each computed on first access.

They hold for the tree as it is. Code that changes the tree has to make new facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.analysis.activity import Activity, activity_of
from autograph.analysis.cfg import Cfg, cfg_of
from autograph.analysis.grammar import FUNCTIONS, Function
from autograph.analysis.jumps import JumpFacts
from autograph.analysis.liveness import Liveness
from autograph.analysis.local_functions import HiddenWrites, local_functions
from autograph.analysis.occurrences import Occurrences, occurrences_of
from autograph.analysis.reaching_definitions import ReachingDefinitions
from autograph.errors import SourceError
from runtime.core.fork_safety import cached_property


class FunctionFacts:
    """Facts about a function.

    Args:
        function: a function definition or lambda.
        inventory: the occurrences in it, or in a tree around it; None if they are not known.

    Raises:
        SourceError: `function` is no tree.

    >>> from autograph.syntax.tree import parse
    >>> facts = FunctionFacts(parse("def f(x): return x").body[0])
    >>> facts.activity.parameters
    ('x',)
    """

    def __init__(self, function: Function, inventory: Occurrences | None = None) -> None:
        if not isinstance(function, FUNCTIONS):
            raise SourceError(
                f"FunctionFacts takes the tree of a function, not {function!r}: write "
                "FunctionFacts(source_of(f).node)"
            )
        self.function = function
        self._given = inventory

    @cached_property
    def inventory(self) -> Occurrences:
        """The kinds of nodes and the identifiers that occur."""
        return self._given or occurrences_of(self.function)

    @cached_property
    def exits(self) -> JumpFacts:
        """The jumps, and the statements that stay Python."""
        return JumpFacts(self.function, self.inventory)

    @cached_property
    def activity(self) -> Activity:
        """The names that each piece reads and binds."""
        return activity_of(self.function)

    @cached_property
    def cfg(self) -> Cfg:
        """The control flow graph."""
        return cfg_of(self.function)

    @cached_property
    def liveness(self) -> Liveness:
        """The live names of each statement."""
        return Liveness(self.cfg, self.activity)

    @cached_property
    def reaching_definitions(self) -> ReachingDefinitions:
        """The bindings that reach each statement."""
        return ReachingDefinitions(self.cfg, self.activity)

    @cached_property
    def local_functions(self) -> Mapping[str, tuple[Any, ...]]:
        """The functions that are defined in this one, by name."""
        return local_functions(self.function)

    @cached_property
    def hidden_writes(self) -> HiddenWrites:
        """The variables that calls of local functions may rebind."""
        return HiddenWrites(self.local_functions)

    def of(self, function: Function) -> FunctionFacts:
        """Return the facts about a function nested in this one."""
        return type(self)(function, self.inventory)

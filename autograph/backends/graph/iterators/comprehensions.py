"""Comprehensions and generator expressions over tensors, unrolled or staged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.control.boolean_operators import staged_and
from autograph.backends.graph.control.loop_source import Hidden, Indexed, Iteration, LoopSource
from autograph.backends.graph.iterators.dynamic_loops import rows
from autograph.backends.graph.iterators.iterator_parts import is_tensor
from autograph.backends.graph.iterators.staged_iterators import (
    StagedIterator,
    can_iterate_in_python,
    loop_source_of,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.iterables import static_length
from autograph.backends.graph.values.truth import has_dynamic_truth, truth
from autograph.backends.protocol import Thunk
from autograph.errors import StagedIterationError

# A comprehension over more rows than this becomes a loop of the graph.
_FEW = 32
_CONDITION = "a condition of this generator expression"


def rows_to_unroll(iterated: object) -> object:
    """Return the rows of a tensor as a list if they are few; other values themselves."""
    if not is_tensor(iterated) or not can_iterate_in_python(iterated):
        return iterated
    count = static_length(iterated)
    return rows(iterated) if isinstance(count, int) and count <= _FEW else iterated


class GeneratorExpression(StagedIterator):
    """The generator `(element for target in values if condition)`, staged when it is iterated.

    Args:
        values: an iterable of a staged loop, such as a tensor, a range or an iterator over those.
        over: creates the user's generator over other items.
    """

    name = "iter"
    is_indexed = False

    def __init__(self, values: object, over: Callable[..., Iterable[Any]]) -> None:
        super().__init__([values])
        self._over = over
        self.functions = (over,)

    def known(self) -> bool:
        return False

    def __next__(self) -> Any:
        raise self.unknown_length()

    def indexed(self) -> Indexed:
        raise StagedIterationError(
            "a generator expression over a tensor can be iterated over by a `for` statement, or by "
            "a builtin that uses it up: make a list of it first",
            user_location(),
        )

    def loop_source(self) -> LoopSource:
        """Return the loop source of a staged `for` over it."""
        self._refuse_elsewhere()
        self._begin_only_once()
        inner = loop_source_of(self.parts[0])

        def iteration(hidden: Hidden) -> Iteration:
            given, taken = inner.iteration(hidden), _ItemCallback()
            for _ in self._over([given.item()], taken):
                pass
            has_item = taken.has_item()
            if given.has_item is not None:
                has_item = (
                    given.has_item if has_item is None else rt.logical_and(given.has_item, has_item)
                )
            return Iteration(taken.element, given.following, has_item)

        return LoopSource(
            *(inner.hidden, inner.more, iteration, (*self.functions, *inner.functions)),
            *(inner.at_end, inner.draws),
        )


def _conjunction(tests: tuple[Thunk, ...]) -> object:
    for position, test in enumerate(tests):
        value = test()
        if has_dynamic_truth(value):
            told, following = truth(value, _CONDITION), tests[position + 1 :]
            return staged_and(told, partial(_conjunction, following), told) if following else told
        if not value:
            return False
    return True


class _ItemCallback:
    """The callback that gets the element and the conditions of one item."""

    def __call__(self, element: Thunk, *tests: Thunk) -> None:
        self.element, self._tests = element, tests

    def has_item(self) -> rt.Tensor | None:
        """Return whether all conditions hold; None if they do in any case.

        Each condition is evaluated only if those before it hold.
        """
        holds = _conjunction(self._tests)
        return None if holds is True else truth(holds, _CONDITION)

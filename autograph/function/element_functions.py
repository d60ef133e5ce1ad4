"""Functions that a dataset calls for each element: converted, and held to changing nothing.

dataset.map(f)    ->    f is converted and traced once; a run of it per element is a run of a graph
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.graph.aliases.at_the_end import noting_twins
from autograph.backends.graph.aliases.proxies import settle
from autograph.backends.graph.aliases.touching import look_at, touch_left, touched
from autograph.backends.graph.program.places import user_place
from autograph.backends.graph.recursion import traced
from autograph.backends.graph.watching import watch
from autograph.backends.graph.watching.watched import entry_name
from autograph.errors import ContainerMutationError
from autograph.function.eager import SWITCH
from autograph.function.function import Function
from autograph.function.staging import staged_form


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is traced in place of a function of the user's that is given to a dataset.

    The one returned raises a ContainerMutationError where the function changes what was there
    before: it is traced once, and would change it once.

    Example:
        >>> import runtime as rt
        >>> limited = rt.data.Dataset.range(4).map(lambda n: 2 if n > 2 else n)
        >>> [int(number) for number in limited]
        [0, 1, 2, 2]
    """
    if SWITCH.on and isinstance(function, Function):
        function = function.python_function  # It is called with tensors of a graph all the same.
    staged = staged_form(function)

    def traced_once(*elements: Any) -> Any:
        watched = watch.watch(function, staged)
        with noting_twins(look_at):
            result = traced(staged)(*elements)
            settle()
            touch_left()
            result = touched(result)
        _refuse_changes(watched)
        return result

    return traced_once


def _refuse_changes(watched: list[watch.Watched]) -> None:
    changes = watch.changed(watched)
    if not changes:
        return
    each, now = changes[0]
    keys = [key for key in {**each.contents, **now} if each.contents.get(key) is not now.get(key)]
    name = entry_name(each, keys[0]) if keys else each.name
    watch.restore(watched)
    raise ContainerMutationError(
        f"'{name}' is changed by a function of a dataset, which is traced once and not called for "
        "each element: return what is to be kept, and gather it in a `for` over the dataset",
        user_place(),
    )

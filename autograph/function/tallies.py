"""What Python alone changes while a function is traced, and whether anybody looks at that.

log.append("traced")      a list of what was traced, in which each trace appears once
items.append(2)           but where another function that is traced looks at the items, they are
                          a part of what it does, and each call of the first has to add one
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CellType

from autograph.backends.graph.program.contents import Contents, is_a, is_indexed
from autograph.backends.graph.watching.reach import Watched
from autograph.function.foresight import all_reached
from autograph.function.kinds import LISTS
from autograph.function.uses import only_logged


def names_of_changes(changes: Iterable[tuple[Watched, Contents]]) -> frozenset[str]:
    """Return what the user's code calls the places that a trace has changed.

    Args:
        changes: the objects that have them, with what they hold now.
    """
    return frozenset(name for each, now in changes for name in _names(each, now))


def _names(each: Watched, now: Contents) -> Iterator[str]:
    own = each.name.rpartition(".")[2].partition("[")[0]
    if type(each.value) is CellType or is_indexed(each.value) or is_a(each.value, (*LISTS, set)):
        yield own
        return
    keys = dict.fromkeys((*each.contents, *now))
    yield from (str(key) for key in keys if each.contents.get(key, keys) is not now.get(key, keys))


def are_tallies(names: Iterable[str], functions: Iterable[Callable[..., object]]) -> bool:
    """Tell whether the code that functions may run does not look at what goes by some names.

    >>> log = []
    >>> def noting(x): log.append(x)
    >>> def looking(x): return len(log)
    >>> are_tallies(["log"], [noting]), are_tallies(["log"], [noting, looking])
    (True, False)
    """
    found = [each for function in functions for each in all_reached(function)[1]]
    return all(name.isidentifier() and only_logged(name, found) for name in names)

"""Arrays that every turn of a loop puts into a list, and that a later turn changes.

kept.append(w)             Python has one array in the list, as often as it was put there
w += i                     which shows this in all places; the run has what it held in each turn
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import runtime as rt
from autograph.backends.graph.program.places import user_place
from autograph.errors import ContainerMutationError


def refuse_arrays_kept(runs: Iterable[object], changed: Sequence[object]) -> None:
    """Raise ContainerMutationError if lists take in an array in a turn that another turn changes.

    Args:
        runs: the items of lists at the end of a body.
        changed: the tensors that arrays from before the loop hold when a body begins, and then.
    """
    outputs = {
        (id(each.node), each.index) for each in changed if isinstance(each, rt.SymbolicTensor)
    }
    tensors = (tensor for run in runs for tensor in _tensors_in(run)) if outputs else ()
    if any((id(each.node), each.index) in outputs for each in tensors):
        raise ContainerMutationError(
            "a NumPy array is put into a list in each turn of a loop and changed in another, which "
            "Python would show in all items that are this array: put in a copy, as in "
            "items.append(a.copy())",
            user_place(),
        )


def _tensors_in(value: object) -> Iterator[rt.SymbolicTensor]:
    if isinstance(value, rt.SymbolicTensor):
        yield value
    else:
        for each in rt.nest.children(value) or ():
            yield from _tensors_in(each)

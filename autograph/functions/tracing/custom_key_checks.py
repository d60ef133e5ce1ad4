"""Objects with a `__trace_key__()`: one trace serves all with the same key.

class Scale:
    def __init__(self, factor):          f(x, Scale(2)), f(x, Scale(2))    one trace
        self.factor = factor             f(x, Scale(3))                    another

    def __trace_key__(self):
        return self.factor

A trace is made with one such object and serves others. So it must not write to the object, return
it or use a tensor of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograph.errors import SignatureError
from autograph.functions.arguments.copies import named_items
from autograph.functions.arguments.trace_key import CONTAINERS, Key
from autograph.functions.concrete_functions.call_effects import CallEffects
from autograph.functions.results.object_templates import leads_to
from autograph.functions.side_effects.external_changes import ExternalChanges
from autograph.functions.state.places import StatePlace
from runtime.graph.graph import Graph


def refuse_state_of_keyed(
    arguments: Iterable[tuple[str, Any, Key]],
    result: object,
    recorded: CallEffects,
    outside: ExternalChanges,
    graph: Graph,
) -> None:
    """Refuse a trace that depends on an object with a `__trace_key__()` by more than its key.

    Args:
        arguments: name, value and key of each parameter.
        result: the function's result.
        recorded: the writes of the trace.
        outside: the objects that it could reach.
        graph: its graph.

    Raises:
        SignatureError: it writes to such an object, returns it, or contains a tensor or variable
            of it.
    """
    names = {id(thing): name for each in arguments for name, thing in _keyed(*each)}
    if not names:
        return
    places: list[StatePlace] = [*(write.place for write in recorded.writes), *recorded.unwritten]
    for place in places:
        if id(place.root()) in names:
            raise SignatureError(
                f"'{place.name}' is written, and a trace serves all objects of the same "
                "__trace_key__(): return the new value, or leave __trace_key__ out"
            )
    if leads_to(result, names.keys()):
        raise SignatureError(
            f"{', '.join(names.values())} is returned, and a trace serves all objects of the same "
            "__trace_key__(): return what is needed of it, or leave __trace_key__ out"
        )
    for identity, name in names.items():
        parts = outside.parts_of({identity})
        if any(id(held.outer) in parts for held in graph.captures):
            raise SignatureError(
                f"a tensor of {name!r} is used, and a trace serves all objects of the same "
                "__trace_key__(), whatever their tensors: pass it as an argument of its own, or "
                "register the class with rt.nest.register"
            )


def _keyed(name: str, value: Any, key: Key) -> Iterator[tuple[str, Any]]:
    """Yield the objects in an argument that have their own trace key."""
    if key[0] == "keyed":
        yield name, value
    elif key[0] in CONTAINERS:
        names, items = named_items(value, key)
        for part, item, below in zip(names, items, key[-1]):
            yield from _keyed(f"{name}/{part}", item, below)

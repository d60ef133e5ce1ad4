"""A graph as one compiled Python function."""

from __future__ import annotations

import linecache
import threading
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary, finalize

from runtime.executors.coalesce import coalesce
from runtime.executors.exits import recover_exits
from runtime.executors.fusing import fuse
from runtime.executors.liveness import last_uses, without_dead_parts
from runtime.executors.numpy.block_loops import goes_by_element
from runtime.executors.numpy.buffers import written_over
from runtime.executors.numpy.failures import PLACES, told
from runtime.executors.numpy.forms import numbers_among
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.printing import Printed, computes, printed
from runtime.executors.plan import Slot, is_shallow, plan_of
from runtime.graph.graph import Graph
from runtime.passes.manager import optimise
from runtime.passes.prune import prune
from runtime.quiet import hush, unhush

_numbered = count()
# Numbers of functions that are gone: file names stay in many a table.
_free: list[int] = []
_lock = threading.RLock()
_compiled: WeakKeyDictionary[Graph, tuple[object, Compiled]] = WeakKeyDictionary()


class Compiled:
    """A graph as a Python function of arrays.

    Attributes:
        source: the function, as it is printed.
        function: the function: an array, or a variable, per parameter; gives a tuple of arrays. It
            is to be called while NumPy is hushed, and what it raises says little; see `run`.
    """

    def __init__(self, text: Printed) -> None:
        self.source = text.source
        self.function = _made(text)

    def run(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Run on one array per parameter.

        Raises:
            Exception: what a node raised, with the user's line of the node added.
        """
        asked = hush()
        try:
            return self.function(*arrays)
        except BaseException as error:
            meant = told(error)
            if meant is error:
                raise
            raise meant from meant.__cause__
        finally:
            unhush(asked)


def compiled(graph: Graph) -> Compiled:
    """Return a graph as a compiled function, made at the first call.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> print(compiled(graph).source, end="")
        def double(x):
            add = np_add(x, x)
            return (add,)
    """
    version = (len(graph.nodes), len(graph.parameters), tuple(map(id, graph.outputs)))
    known = _compiled.get(graph)
    if known is None or known[0] != version:
        with _lock:
            known = version, Compiled(_printed(graph))
            _compiled[graph] = known
    return known[1]


def _printed(graph: Graph) -> Printed:
    graph = optimise(graph) if is_shallow(graph) else prune(graph)
    numbers = Numbers(graph)
    plan = without_dead_parts(recover_exits(plan_of(graph)))
    held = numbers_among(plan, numbers, lambda run: computes(run, numbers))

    def may_join(target: Slot, source: Slot) -> bool:
        if target not in held or source not in held:
            return (target in held) == (source in held)
        return numbers.is_loose(target.tensor) == numbers.is_loose(source.tensor)

    plan = fuse(coalesce(plan, may_join), goes_by_element)
    last = last_uses(plan)
    return printed(plan, numbers, held, last, written_over(plan, held, last), compiled)


def _made(text: Printed) -> Callable[..., Any]:
    """Compile a function, and let its lines be found as long as it lives."""
    try:
        number = _free.pop()
    except IndexError:
        number = next(_numbered)
    filename = f"<plan {number} of {text.name}>"
    space = {"__name__": __name__, **text.objects}
    exec(compile(text.source, filename, "exec"), space)
    function: Callable[..., Any] = space.pop(text.name)
    PLACES[filename] = text.places
    lines = text.source.splitlines(keepends=True)
    linecache.cache[filename] = (len(text.source), None, lines, filename)
    finalize(function, _forget, filename, number)
    return function


def _forget(filename: str, number: int) -> None:
    _free.append(number)
    PLACES.pop(filename, None)
    linecache.cache.pop(filename, None)

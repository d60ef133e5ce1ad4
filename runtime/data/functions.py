"""User functions of datasets: traced once, executed for each element."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.converter_hooks import ConverterHooks
from runtime.core.dtypes import bool_
from runtime.core.fork_safety import cached_property
from runtime.core.tensor import Array
from runtime.data.element_spec import Element, as_components
from runtime.data.vectorization import Vectorized, vectorized
from runtime.errors import DTypeError, ShapeError
from runtime.executors.executor import run_graph
from runtime.graph.capture import align_captures
from runtime.graph.graph import Graph
from runtime.graph.inlining import inlined
from runtime.ops.data.datasets import Item

Function = Callable[..., Any]


class ElementFunction:
    """A user function as the graph of its trace; its name is for display only.

    Attributes:
        result: the Element it returns.
        captured: the number of tensors that it captures from the graph around it. They are among
            the tensors of the dataset; eager tensors and variables are in its graph.
        warn_if_stale: warns if values that the function read while traced are others now.
    """

    def __init__(self, graph: Graph, name: str, result: Element, captured: int) -> None:
        self._graph, self._name = graph, name
        self.result, self.captured = result, captured
        self.warn_if_stale: Callable[[], None] = lambda: None

    def __call__(self, item: Item, captured: Sequence[Array]) -> Item:
        """Return the function's result for an item."""
        return tuple(run_graph(self._graph, [*item, *captured]))

    def recorded(self, item: Sequence[Any]) -> Sequence[Any]:
        """Return the function's result for an item's tensors, recorded in the current graph."""
        into: Any = current_recorder()
        given = (*item, *(held.outer for held in self._graph.captures))
        return inlined(self._graph, list(map(into.capture, given)), into)

    @cached_property
    def at_once(self) -> Vectorized | None:
        """Return the vectorized function for many items at once, or None."""
        return vectorized(self._graph)

    @property
    def keeps_access(self) -> bool:
        """True if items may be computed in any order, or not at all: no difference is visible."""
        return self.at_once is not None and self.at_once.never_fails

    def __str__(self) -> str:
        return self._name


def traced(function: Function, element: Element, method: str) -> tuple[ElementFunction, list[Any]]:
    """Return a function as a graph, and the tensors of the current graph that it captures.

    Args:
        function: takes an element, a tuple as several arguments; returns tensors, tuples and dicts
            of them, or datasets. A list becomes a tuple; inside of a structure, and for `reduce`,
            it becomes a tensor.
        element: the Element of its argument.
        method: the dataset method, for errors.

    A named tuple is one argument; its fields are several if the function does not take just one.
    """

    def arguments(tensors: Sequence[Any]) -> tuple[Any, ...]:
        given = element.arguments(tensors)
        fields = given[0] if len(given) == 1 and isinstance(given[0], tuple) else given
        if len(given) > 1 and _takes_only_one(function, given):
            names = ", ".join(f"part_{at}" for at in range(len(given)))
            raise DTypeError(
                f"{method}: an element is a tuple of {len(given)}, and {_name_of(function)} takes "
                f"one argument: write lambda {names}: ..., with an argument for each"
            )
        given = tuple(fields) if _takes_only(function, fields) else given
        _check_takes(function, given, method)
        return given

    return traced_call(function, element, arguments, method)


def _check_takes(function: Function, given: tuple[Any, ...], method: str) -> None:
    """Raise a DTypeError that describes the element if a function does not take it."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*given)
    except TypeError:
        names = [f"part_{at}" for at in range(len(given))] if len(given) > 1 else ["x"]
        kind, read = "one tensor", ""
        if len(given) > 1:
            kind = f"a tuple of {len(given)}"
        elif isinstance(given[0], dict):
            kind, names = "one dict", ["row"]
            read = f", and read row[{next(iter(given[0]), '')!r}]"
        raise DTypeError(
            f"{method}: an element is {kind}, and {_name_of(function)}{signature} takes other "
            f"arguments: write lambda {', '.join(names)}: ...{read}"
        ) from None


def _takes_only(function: Function, several: tuple[Any, ...]) -> bool:
    """Return whether a function takes several arguments, and does not accept just one."""
    try:
        signature = inspect.signature(function)
        signature.bind(*several)
    except (TypeError, ValueError):
        return False
    try:
        signature.bind(several)
    except TypeError:
        return True
    return False


def _takes_only_one(function: Function, several: tuple[Any, ...]) -> bool:
    """Return whether a function takes one argument, and does not accept several."""
    try:
        signature = inspect.signature(function)
        signature.bind(several)
    except (TypeError, ValueError):
        return False
    try:
        signature.bind(*several)
    except TypeError:
        return True
    return False


def traced_call(
    function: Function,
    element: Element,
    arguments: Callable[[Sequence[Any]], tuple[Any, ...]],
    method: str,
    weak: Collection[int] = (),
) -> tuple[ElementFunction, list[Any]]:
    """Return a function as `traced` does, called with the result of `arguments` for the tensors.

    The tensors at the indices in `weak` stand for Python numbers.
    """
    if not callable(function):
        raise DTypeError(f"{method} takes a function, not {function!r}")
    outer: Any = current_recorder()
    graph = Graph(_name_of(function), outer)
    graph.is_self_contained, graph.try_scopes = outer is None, ()
    names = _names_of_inputs(function, len(element.specs))
    inputs = [
        graph.add_input(spec, name, at in weak)
        for at, (name, spec) in enumerate(zip(names, element.specs, strict=True))
    ]
    with graph.recording():
        prepared = ConverterHooks.element(function)
        returned = prepared(*arguments(inputs))
        result = _checked(returned, method)
    graph.set_outputs(nest.flatten(result))
    operands = [] if outer is None else list(align_captures(outer, [graph]))
    made = ElementFunction(graph, graph.name, Element.of(result), len(operands))
    check = getattr(prepared, "warn_if_stale", None)
    if check is not None and outer is None:
        made.warn_if_stale = partial(check, f"the function of {method}")
    return made, operands


def _names_of_inputs(function: Function, count: int) -> Sequence[str]:
    """Return the parameters of a function that has one for each tensor, else other names."""
    code = getattr(function, "__code__", None)
    names: Sequence[str] = () if code is None else code.co_varnames[: code.co_argcount]
    if len(names) == count:
        return names
    base = names[0] if len(names) == 1 else "element"
    return [f"{base}_{at}" for at in range(count)]


def traced_test(
    function: Function, element: Element, method: str = "filter"
) -> tuple[ElementFunction, list[Any]]:
    """Return a function that says whether an element is kept, as `traced` does.

    Raises:
        DTypeError, ShapeError: it returns something other than a scalar bool.
    """
    made, operands = traced(function, element, method)
    specs = made.result.specs
    is_one = made.result.structure is specs[0] if specs else False
    if not is_one or specs[0].dtype is not bool_:
        found = ", ".join(spec.dtype.name for spec in specs)
        found = found if is_one else f"({found})"
        raise DTypeError(
            f"{method}: the function must return one bool, not {found}: compare something"
        )
    if specs[0].shape.rank not in (None, 0):
        raise ShapeError(
            f"{method}: the function must return one bool, not shape {specs[0].shape}: "
            "say which elements must hold, with rt.reduce_all(...) or rt.reduce_any(...)"
        )
    return made, operands


def _checked(returned: Any, method: str) -> Any:
    if returned is None:
        raise DTypeError(f"{method}: the function returns None where a tensor is needed")
    # Functions such as `py_function` and `split` return several tensors in a list.
    several = type(returned) is list and method != "reduce"
    return as_components(tuple(returned) if several else returned)


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "lambda" if name == "<lambda>" else str(name)

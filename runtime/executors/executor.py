"""Executors: the registry of executors of graphs, and runs by the one that a graph is for.

numpy         a printed Python function over NumPy                 the default
interpreter   node by node, the reference                          slow
jax           an engine: XLA through JAX                           the extra `jax`
...           an engine, see `runtime.executors.engine`            ag.function(executor="...")
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from runtime.core.argument_checks import shown
from runtime.core.context import current_watchers
from runtime.core.device_tensor import ToDevice
from runtime.core.lazy_imports import lazy_import
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.executors import interpreter
from runtime.executors.compile_options import CompileOptions, compile_options_of
from runtime.executors.engine import Engine, EngineFunction, moves_to_device
from runtime.executors.numpy.printed_function import optimized, printed_function
from runtime.graph.derived_cache import DerivedCache
from runtime.graph.graph import Graph
from runtime.graph.text import graph_text

DEFAULT = "numpy"


class GraphFunction(Protocol):
    """A graph that can be called with arrays.

    Attributes:
        source: the printed function, or the form of another executor, as text.
        function: takes an array, or a variable, per parameter; call it while NumPy's warnings are
            off. `runtime.executors.numpy.runtime_errors` explains its errors.
    """

    @property
    def source(self) -> str: ...

    @property
    def function(self) -> Callable[..., Sequence[Any]]: ...

    def run(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run on one array, or variable, per parameter.

        Raises:
            Exception: the error of a node, with the user's line of the node added.
        """


class _Interpreted:
    """A graph that the interpreter runs; its caller owns the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = weakref.ref(graph)

    @property
    def source(self) -> str:
        return graph_text(self._graph())  # type: ignore[arg-type]

    def function(self, *arrays: Any) -> Sequence[Any]:
        return self.run(arrays)

    def run(self, arrays: Sequence[Any]) -> Sequence[Any]:
        return interpreter.run(self._graph(), arrays)  # type: ignore[arg-type]


_BUILT_IN: Mapping[str, Callable[[Graph], GraphFunction]] = {
    DEFAULT: printed_function,
    "interpreter": _Interpreted,
}
_engines: dict[str, Engine] = {}
# The engines that come with this package, which are made when they are first asked for.
_OPTIONAL: Mapping[str, Callable[[], Engine]] = {
    "jax": lazy_import("runtime.executors.jax.engine:JaxEngine"),
}


def register_engine(engine: Engine) -> None:
    """Make an engine known as `ag.function(executor=engine.name)`; it replaces one of that name.

    Args:
        engine: a library that runs graphs, as `runtime.executors.engine.Engine` describes it.

    Raises:
        ArgumentValueError: it is no engine, or its name is that of an executor of this package.

    Example:
        >>> class Refusing:
        ...     name = "refusing"
        ...     def refusals(self, graph):
        ...         return [Refusal(node.op.name, "no ops", node.origin) for node in graph.nodes]
        ...     def compile(self, graph):
        ...         return None
        >>> from runtime.executors.engine import Refusal
        >>> register_engine(Refusing())
        >>> import runtime as rt, autograph as ag
        >>> f = ag.function(lambda x: x + 1, executor="refusing", fallback=True)
        >>> int(f(rt.constant(2))), _engines.pop("refusing").name
        (3, 'refusing')
    """
    name = getattr(engine, "name", None)
    for method in ("refusals", "compile"):
        if not callable(getattr(engine, method, None)) or isinstance(engine, type):
            raise ArgumentValueError(
                "an engine must be an object with a name and the methods refusals(graph) and "
                f"compile(graph), not {shown(engine)}"
            )
    if not isinstance(name, str) or not name:
        raise ArgumentValueError(f"the name of an engine must be a text, not {shown(name)}")
    if name in _BUILT_IN:
        raise ArgumentValueError(f"an engine cannot be called {name!r}: that is an executor")
    kinds: Any = getattr(engine, "array_types", ())
    if not isinstance(kinds, tuple) or not all(isinstance(each, type) for each in kinds):
        raise ArgumentValueError(
            f"array_types of an engine must be a tuple of classes, not {shown(kinds)}"
        )
    if kinds and not callable(getattr(engine, "to_device", None)):
        raise ArgumentValueError(
            f"the engine {name!r} has array_types, and needs a method to_device(array)"
        )
    _engines[name] = engine


def executor_names() -> list[str]:
    """Return the names of the executors.

    >>> executor_names()[:2]
    ['numpy', 'interpreter']
    """
    return list(dict.fromkeys([*_BUILT_IN, *_OPTIONAL, *_engines]))


def checked_executor(name: Any) -> str:
    """Return the name of an executor, or the one for None: `AUTOGRAPH_EXECUTOR`, or "numpy".

    Raises:
        ArgumentValueError: there is no such executor.
        UnimplementedError: the package that it needs is not installed.

    >>> checked_executor("interpreter")
    'interpreter'
    """
    chosen = os.environ.get("AUTOGRAPH_EXECUTOR", DEFAULT) if name is None else name
    if isinstance(chosen, str):
        if chosen in _BUILT_IN or chosen in _engines:
            return chosen
        if chosen in _OPTIONAL:
            register_engine(_OPTIONAL[chosen]())
            return chosen
    known = ", ".join(map(repr, executor_names()))
    where = "AUTOGRAPH_EXECUTOR" if name is None else "executor"
    raise ArgumentValueError(f"{where} must be one of {known}, not {shown(chosen)}")


def to_device_of(name: str | None) -> ToDevice | None:
    """Return the function that copies an array to the device of an engine.

    Args:
        name: the name of an executor, None for the one of the environment.

    Returns:
        None if the executor computes with NumPy's arrays.

    >>> to_device_of("numpy") is None
    True
    """
    chosen = os.environ.get("AUTOGRAPH_EXECUTOR", DEFAULT) if name is None else name
    if chosen in _OPTIONAL and chosen not in _engines:
        # The engine is made before the first call that copies.
        return lambda array: to_device_of(chosen)(array)  # type: ignore[misc]
    return moves_to_device(_engines[chosen]) if chosen in _engines else None


def graph_function(graph: Graph) -> GraphFunction:
    """Return a graph as a function of its executor, which is made at the first call.

    Raises:
        UnimplementedError: an engine refuses the graph, and the options have no fallback.
    """
    return _graph_functions(graph)


def refusal_text(graph: Graph) -> str:
    """Return why the engine of a graph does not run it; an empty text if it does.

    >>> refusal_text(Graph("f"))
    ''
    """
    try:
        made = graph_function(graph)
    except UnimplementedError as error:
        return error.message
    return made.refusal_text if isinstance(made, EngineFunction) else ""


def run_graph(graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """Run a graph by its executor, as `interpreter.run` does; under tapes the interpreter runs it.

    Args:
        graph: a finished graph, which runs more than once.
        inputs: one array per parameter, or one per input (`graph.inputs`).

    Example:
        >>> import numpy as np, runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> run_graph(graph, [np.array([1, 2], np.int32)])
        [array([2, 4], dtype=int32)]
    """
    own = len(graph.parameters)
    if current_watchers() or len(inputs) not in (own, own + len(graph.captures)):
        return interpreter.run(graph, inputs)
    if len(inputs) == own:
        return list(graph_function(graph).run(inputs))
    return list(printed_function(graph, True).run(inputs))


def _made(graph: Graph) -> GraphFunction:
    options = compile_options_of(graph)
    name = checked_executor(options.executor)
    if name in _BUILT_IN:
        return _BUILT_IN[name](graph)
    return _by_engine(_engines[name], graph, options)


def _by_engine(engine: Engine, graph: Graph, options: CompileOptions) -> GraphFunction:
    held = weakref.ref(graph)  # a result that refers to the graph would keep it alive

    def run_again(arrays: Sequence[Any]) -> Sequence[Any]:
        return printed_function(held()).run(arrays)  # type: ignore[arg-type]

    own_passes = getattr(engine, "own_passes", None)
    return EngineFunction(engine, optimized(graph, own_passes), run_again, options.fallback)


_graph_functions = DerivedCache(_made)

"""What is made of a model's Python code where a graph is recorded; a converter may say so here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.context import current_recorder

Function = Callable[..., Any]


class Staging:
    """How functions of the user's become parts of graphs.

    Attributes:
        call: takes the `call` of a layer, a loss or the like to what is run while a graph records.
        function: takes a function, and the structures of TensorSpecs it is called with, to one that
            runs as graphs, traced when it is first called.
    """

    call: Callable[[Function], Function] = staticmethod(lambda function: function)
    function: Callable[[Function, tuple[Any, ...]], Function] = staticmethod(
        lambda function, specs: function
    )


def run(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """Call what may be a function of the user's: where a graph records, as `Staging.call` has it.

    >>> run(max, 1, 2)
    2
    """
    if current_recorder() is None:
        return function(*args, **kwargs)
    return Staging.call(function)(*args, **kwargs)

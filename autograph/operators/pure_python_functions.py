"""Compiled functions of the standard library, replaced by their pure-Python forms.

The compiled form of `heapq` and `bisect` fails on tensors of a graph, since it tests the truth of
comparisons; that of `operator` sees the stand-in for a list or dict, and not its contents. While a
graph is recorded, the pure-Python form is converted like the user's own code.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators import heap_functions
from autograph.operators.pure_python_modules import COMPILED, pure_python_module
from autograph.operators.tracebacks import drop_internal_frames

# The classes of functions that `operator` makes.
GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
# Functions with an error text of their own for an empty heap.
_WITH_OWN_ERRORS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (heap_functions.heappop, heap_functions.heapreplace)
}


class PurePythonFunctions:
    """The replacements of compiled functions.

    Args:
        backends: the backends that may be recording.
        convert: returns the converted form of a function.

    Attributes:
        by_name: the same for functions of these modules that are in Python already.
    """

    def __init__(self, backends: Backends, convert: Callable[[Any], Any]) -> None:
        self._backends = backends
        self._convert = convert
        self._answers: dict[Any, Any] = {}
        self.by_name = {
            ("heapq", each.__name__): self._while_recording(each)
            for each in (heap_functions.nsmallest, heap_functions.nlargest)
        }

    def function_for(self, function: Any) -> Any:
        """Return the replacement of a builtin function: itself, unless a graph is recorded."""
        if function.__module__ not in COMPILED or self._backends.recorder() is None:
            return function
        if function not in self._answers:
            self._answers[function] = self._replacement(function)
        return self._answers[function]

    def getter_for(self, getter: Any) -> Any:
        """Return the replacement of an `itemgetter` and the like: itself, unless recording.

        >>> PurePythonFunctions(Backends(()), lambda f: f).getter_for(operator.itemgetter(1))("ab")
        'b'
        """
        if self._backends.recorder() is None:
            return getter
        make, args = getter.__reduce__()
        keywords = getattr(make, "keywords", {})  # `make` is a partial of the class then.
        form = getattr(pure_python_module("operator"), type(getter).__name__)
        return form(*getattr(make, "args", ()), *args, **keywords)

    def _replacement(self, function: Any) -> Any:
        name = COMPILED[function.__module__]
        found = _WITH_OWN_ERRORS.get(function.__name__)
        try:
            found = found or getattr(pure_python_module(name), function.__name__)
            signature = inspect.signature(function)
        except (ImportError, AttributeError, ValueError):
            return function

        def answer(*args: Any, **kwargs: Any) -> object:
            try:
                # The compiled form raises its own error for a wrong call.
                applies = self._applies(name, signature, args, kwargs)
                return (self._convert(found) if applies else function)(*args, **kwargs)
            except BaseException as error:
                drop_internal_frames(error)
                raise

        return answer

    def _applies(self, name: str, signature: inspect.Signature, args: Any, kwargs: Any) -> bool:
        try:
            first = next(iter(signature.bind(*args, **kwargs).arguments.values()), None)
        except TypeError:
            return False
        if name == "operator":  # `call` calls the first argument.
            return callable(first) or self._backends.of_any(args) is not None
        # A heap is a list; `bisect` searches any sequence.
        is_found = name == "bisect" or isinstance(first, list)
        return is_found or self._backends.of(first) is not None

    def _while_recording(self, found: Any) -> Callable[[Any], Callable[..., object]]:
        def make_replacement(function: Any) -> Callable[..., object]:
            def answer(*args: Any, **kwargs: Any) -> object:
                is_recording = self._backends.recorder() is not None
                return (self._convert(found) if is_recording else function)(*args, **kwargs)

            return answer

        return make_replacement

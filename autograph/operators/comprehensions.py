"""Comprehensions and generator expressions as generated code calls them.

Generated code passes the iterable, and a function `over(items, take)` with the user's comprehension
over any items: all items in Python, or the symbolic item of a staged loop. For each element it
calls `take` with thunks of the element and of the conditions on it. `take` is a sink.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Backends
from autograph.operators.comprehension_sinks import (
    AnyAllSink,
    CollectSink,
    NextSink,
    Over,
    YieldSink,
)
from autograph.operators.lazy_filter import FilteredIterator
from autograph.operators.special_methods import SpecialMethodOperators

Options = Mapping[str, object]


class ComprehensionOperators:
    """The four kinds of comprehension.

    Args:
        backends: the possible owners of the iterables and conditions.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._iterable = SpecialMethodOperators(backends).iterable

    def list_comp(self, iterated: Any, over: Over, opts: Options) -> object:
        """Return `[element for target in iterated if condition]`."""
        return self._filled([], "list comprehension", iterated, over, opts)

    def set_comp(self, iterated: Any, over: Over, opts: Options) -> object:
        """Return `{element for target in iterated if condition}`."""
        return self._filled(set(), "set comprehension", iterated, over, opts)

    def dict_comp(self, iterated: Any, over: Over, opts: Options) -> object:
        """Return `{key: value for target in iterated if condition}`."""
        return self._filled({}, "dict comprehension", iterated, over, opts)

    def gen_exp(self, iterated: Any, over: Over, opts: Options) -> object:
        """Return an iterable for `(element for target in iterated if condition)`.

        It is a generator if Python can run one. Otherwise it is an iterator of a backend or a lazy
        filter; for a builtin that consumes it (`opts["consumer"]`) a list of all elements or of the
        result of `any` or `all`; for `next` in a trace, an iterator over at most one element.
        """
        consumer, iterated = opts.get("consumer"), self._iterable(iterated)
        if consumer in ("any", "all"):
            return [AnyAllSink(self._backends, consumer == "any").decided(iterated, over)]
        if consumer == "next" and self._backends.recorder() is not None:
            return self._iterator(NextSink(self._backends).found(iterated, over))
        iterated = self._few_items(iterated, opts)
        backend = self._backends.of(iterated)
        is_simple = not opts.get("filtered") and not opts.get("nested")
        is_filtered = opts.get("filtered") and not opts.get("nested")
        if backend is None and consumer is None and is_filtered and self._backends.recorder():
            return FilteredIterator(self._backends, "generator", iterated, over)
        if backend is None and (consumer is None or is_simple):
            return YieldSink().generator(iterated, over)
        if isinstance(iterated, LazyIterator) and consumer is None and not opts.get("nested"):
            return FilteredIterator(self._backends, "generator", iterated, over)
        if backend is not None and consumer is None and not opts.get("nested"):
            return backend.call("generator", (iterated, over), {})
        return self._filled([], "generator expression", iterated, over, opts)

    def _iterator(self, items: list[Any]) -> object:
        met = self._backends.operand(items)
        backend = self._backends.of(met)
        return iter(items) if backend is None else backend.call("iter", (met,), {})

    def _filled(self, empty: Any, what: str, iterated: Any, over: Over, opts: Options) -> object:
        sink = CollectSink(self._backends, what, empty)
        sink.over(self._few_items(self._iterable(iterated), opts), over)
        return sink.made

    def _few_items(self, iterated: Any, opts: Options) -> Any:
        """Return the items of an owned iterable if they are few and all of them are consumed."""
        backend = self._backends.of(iterated)
        if backend is None or opts.get("filtered") or opts.get("nested"):
            return iterated
        return backend.call("rows_to_unroll", (iterated,), {})

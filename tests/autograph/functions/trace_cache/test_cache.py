"""The cache of traces: exact hits, general traces, forgetting."""

from __future__ import annotations

import gc

from autograph.functions.arguments.key_relations import key_of_spec
from autograph.functions.concrete_functions.fast_runs import CallCounter
from autograph.functions.trace_cache import cache as trace_cache
from autograph.functions.trace_cache.cache import TraceCache
from runtime.core.spec import TensorSpec


class Trace:
    """Stands in for a concrete function."""

    def __init__(self):
        self.counter = CallCounter()


class Thing: ...


def key(*shapes):
    return tuple(key_of_spec(TensorSpec(shape)) for shape in shapes)


def test_the_narrowest_trace_that_covers_a_call_serves_it():
    cache, widest, wide, exact = TraceCache(), Trace(), Trace(), Trace()
    cache.add(key(None), widest, [])
    cache.add(key((None, 2)), wide, [])
    cache.add(key((5, 2)), exact, [])
    assert cache.find(key((5, 2))) is exact
    assert cache.find(key((4, 2))) is wide
    assert cache.find(key((4, 3))) is widest
    assert cache.find(key((4, 3), ())) is None
    assert cache.traces() == [widest, wide, exact]
    assert cache.by_key[key((4, 2))] is wide


def test_a_relaxed_key_joins_the_latest_trace_that_fits():
    cache = TraceCache()
    cache.add(key((1,)), Trace(), [])
    cache.add(key((1, 1)), Trace(), [])
    assert cache.relaxed(key((2, 1))) == key((None, 1))
    assert cache.relaxed(key((1,), ())) == key((1,), ())


def test_a_trace_is_freed_with_its_objects():
    cache, thing, other = TraceCache(), Thing(), Thing()
    general = (("tensor", "f4", None), ("object", id(thing)))
    cache.add(general, Trace(), [thing])
    cache.add((("object", id(other)),), Trace(), [other])
    special = (("tensor", "f4", (2,)), ("object", id(thing)))
    assert cache.find(special) is not None
    del thing
    gc.collect()
    assert not cache.by_key and not cache.by_short_key
    assert cache.find((("object", id(other)),)) is not None
    assert list(cache.by_key) == [(("object", id(other)),)]
    assert len(cache.traces()) == 1 and cache.dropped == 1


def test_the_number_of_remembered_keys_is_bounded(monkeypatch):
    monkeypatch.setattr(trace_cache, "_MOST_REMEMBERED", 3)
    cache = TraceCache()
    cache.add(key(None), Trace(), [])
    for size in range(10):
        assert cache.find(key((size,))) is not None
        assert len(cache.by_key) <= 4


def test_the_least_used_trace_is_dropped_first(monkeypatch):
    monkeypatch.setattr(trace_cache, "_MOST_TRACES", 4)
    cache = TraceCache()
    used = Trace()
    cache.add(key((0,)), used, [])
    used.counter.calls += 1
    for size in range(1, 20):
        cache.add(key((size,)), made := Trace(), [])
        made.counter.calls += 1
        used.counter.calls += 1
        assert cache.find(key((0,))) is used
        assert len(cache.traces()) == min(size + 1, 4)
    assert (cache.dropped, cache.calls) == (16, 39)
    assert len(cache.by_key) == 4


def test_dropped_traces_leave_no_keys(monkeypatch):
    monkeypatch.setattr(trace_cache, "_MOST_TRACES", 3)
    cache = TraceCache()
    for size in range(30):
        cache.add(key((None, size)), Trace(), [])
        for rows in range(5):
            assert cache.find(key((rows, size))) is not None
    tables = (cache.by_key, cache._traces, cache._served, cache._calls_seen, cache._watchers)
    assert [len(table) for table in tables[1:]] == [3, 3, 3, 3]
    assert len(cache.by_key) == 18

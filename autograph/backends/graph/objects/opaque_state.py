"""Objects that change without an assignment and that no graph can carry: arrays, files, iterators.

The contents of such an object are recorded as a snapshot, and compared with a later snapshot.
"""

from __future__ import annotations

import array
import gc
import io
import itertools
import os
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType, GeneratorType, MethodWrapperType
from typing import Any, NamedTuple

import numpy as np

from autograph.operators.user_classes import mro_of, own_attributes

# The size up to which a snapshot is a copy, which can be restored; above, it is a checksum.
_MOST_BYTES = 1 << 20
_DEEPEST = 6

Parts = tuple[object, ...]


class ContentsSnapshot:
    """The contents of an object at one moment; equal snapshots mean no change in between."""

    __slots__ = ("parts",)

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContentsSnapshot) and _same(self.parts, other.parts)

    __hash__ = None  # type: ignore[assignment]


class OpaqueKind(NamedTuple):
    """One kind of opaque objects.

    Attributes:
        word: its name in errors.
        read: returns the contents of an object.
        restore: restores recorded contents, as far as possible.
        remedy: the advice for programs that change it in a staged statement.
        is_state: whether a trace that changes one is used for its own call only, since a later
            call finds another value.
    """

    word: str
    read: Callable[[Any], Parts]
    restore: Callable[[Any, Parts], None]
    remedy: str
    is_state: bool = False

    @property
    def is_restorable(self) -> bool:
        """Return whether its former contents can be restored."""
        return self.restore is not _cannot_restore


@dataclass(slots=True, eq=False, repr=False)
class OpaqueObject:
    """An object whose contents are compared as a whole, not by attribute or item."""

    owner: object
    kind: OpaqueKind

    def snapshot(self) -> ContentsSnapshot:
        """Return a snapshot of its current contents."""
        return ContentsSnapshot(self.kind.read(self.owner))

    def restore(self, before: ContentsSnapshot) -> None:
        """Restore its contents from a snapshot, as far as possible."""
        self.kind.restore(self.owner, before.parts)


def opaque(value: object) -> OpaqueObject | None:
    """Return `value` as an opaque object; None if it is none.

    >>> opaque(bytearray(b"a")).kind.word
    'bytearray'
    >>> opaque([1]) is None
    True
    """
    for each in mro_of(type(value)):
        kind = _KINDS.get(id(each)) or _kind_by_name(each)
        if kind is not None:
            return OpaqueObject(value, kind)
    return OpaqueObject(value, _SHARED_KIND) if _is_shared(type(value)) else None


def is_buffer(value: object) -> bool:
    """Return whether a value is an array or a byte buffer, which can be changed in place.

    >>> is_buffer(np.zeros(1)), is_buffer(b"a")
    (True, False)
    """
    return any(id(each) in _BUFFERS for each in mro_of(type(value)))


def whole_snapshot(value: Any) -> ContentsSnapshot:
    """Return a snapshot of all bytes of a buffer of any size.

    >>> whole_snapshot(bytearray(b"ab")).parts
    (b'ab',)
    """
    if not isinstance(value, np.ndarray):
        return ContentsSnapshot((memoryview(value).tobytes(),))
    if value.dtype.hasobject:
        return ContentsSnapshot((*value.shape, *value.flat))
    return ContentsSnapshot((*value.shape, value.tobytes()))


def _kind_by_name(kind: type) -> OpaqueKind | None:
    return _GENERATORS.get((kind.__module__, kind.__name__)) if kind.__name__ in _NAMES else None


def _same(a: object, b: object) -> bool:
    if type(a) is tuple and type(b) is tuple:
        kinds = set(map(type, a))
        if len(kinds) == 1 and kinds <= _COMPARED and kinds == set(map(type, b)):
            return a == b  # fast: the 625 numbers of a random generator are compared often
        return len(a) == len(b) and all(map(_same, a, b))
    return a is b or (type(a) in _COMPARED and type(a) is type(b) and a == b)


_COMPARED = frozenset((int, float, str, bytes, type(None), bool))


# -- bytes -----------------------------------------------------------------------------------------


def _content(raw: Any) -> Parts:
    view = memoryview(raw).cast("B")
    if view.nbytes > _MOST_BYTES:
        return (view.nbytes, zlib.crc32(view), zlib.adler32(view))
    return (view.tobytes(),)


def _read_array(value: Any) -> Parts:
    if not value.flags.writeable:
        return ()
    if value.dtype.hasobject:
        return (*value.shape, *value.flat)
    return (*value.shape, *_content(np.ascontiguousarray(value).reshape(-1).view(np.uint8)))


def _restore_array(value: Any, before: Parts) -> None:
    items: Any = before[value.ndim :]
    if value.dtype.hasobject:
        value.flat = items
    elif len(items) == 1:
        value[...] = np.frombuffer(items[0], value.dtype).reshape(value.shape)


def _restore_bytes(value: Any, before: Parts) -> None:
    if len(before) == 1:
        value[:] = before[0]


def _read_view(value: memoryview) -> Parts:
    return () if value.readonly or not value.c_contiguous else _content(value)


def _restore_view(value: memoryview, before: Any) -> None:
    if len(before) == 1:
        value.cast("B")[:] = before[0]


def _restore_packed(value: Any, before: Any) -> None:
    if len(before) == 1:
        value[:] = array.array(value.typecode, before[0])


# -- files in memory, and context ------------------------------------------------------------------


def _read_file(value: Any) -> Parts:
    return () if value.closed else (value.tell(), value.getvalue())


def _restore_file(value: Any, before: Parts) -> None:
    position, text = before
    value.seek(0)
    value.truncate()
    value.write(text)
    value.seek(position)


def _read_environment(value: Any) -> Parts:
    # `os.environ` decodes each text that it is asked for, which took a tenth of a small trace.
    encoded = value._data
    names = sorted(encoded)
    return (*names, *(encoded[name] for name in names))


def _restore_environment(value: Any, before: Parts) -> None:
    names, texts = before[: len(before) // 2], before[len(before) // 2 :]
    kept = dict(zip(map(value.decodekey, names), map(value.decodevalue, texts)))
    for name in [name for name in value if name not in kept]:
        del value[name]
    value.update(kept)


# -- objects that threads share --------------------------------------------------------------------


_DEQUES = (list, deque)


def _read_shared(value: Any) -> Parts:
    """Return the counts, flags and items of a queue, event or lock, and of its parts."""
    held = getattr(value, "__dict__", None)
    if held is None:
        asked = (getattr(value, name, None) for name in ("qsize", "locked"))
        return tuple(each() for each in asked if each is not None)
    return tuple(_shared_part(part) for part in list(held.values()))


def _shared_part(part: Any) -> object:
    if type(part) in _DEQUES:
        return tuple(part)
    return _read_shared(part) if _is_shared(type(part)) else part


def _is_shared(kind: type) -> bool:
    return kind.__name__ in _SHARED_NAMES and kind.__module__ in _SHARED_MODULES


# -- random numbers --------------------------------------------------------------------------------


def _read_bits(value: Any) -> Parts:
    bits = value._bit_generator if hasattr(value, "_bit_generator") else value.bit_generator
    return _frozen(bits.state)


def _restore_bits(value: Any, before: Parts) -> None:
    bits = value._bit_generator if hasattr(value, "_bit_generator") else value.bit_generator
    bits.state = _thawed(bits.state, before)


def _thawed(like: Any, frozen: Any) -> Any:
    """Return the state from which `_frozen` made a tuple; `like` is a state of the same form."""
    if isinstance(like, dict):
        return {key: _thawed(like[key], part) for key, part in zip(frozen[::2], frozen[1::2])}
    if isinstance(like, np.ndarray):
        return np.frombuffer(frozen[0], like.dtype).reshape(like.shape).copy()
    return frozen[0]


def _frozen(state: Any) -> Parts:
    if isinstance(state, dict):
        return tuple(part for key in sorted(state) for part in (key, _frozen(state[key])))
    return (state.tobytes(),) if isinstance(state, np.ndarray) else (state,)


# -- iterators -------------------------------------------------------------------------------------


def remaining_length(iterator: Any) -> int | None:
    """Return the number of remaining items in a Python iterator; None if it is unknown.

    >>> remaining_length(iter([1, 2])), remaining_length(itertools.repeat(1))
    (2, None)
    """
    hint: Any = own_attributes(type(iterator)).get("__length_hint__")
    try:
        return None if hint is None else hint(iterator)
    except TypeError:
        return None  # `repeat` without an end


def _read_iterator(value: Any) -> Parts:
    return tuple(_steps(value, _DEEPEST))


def _steps(value: Any, depth: int) -> Iterable[object]:
    """Yield values that differ after an item is taken from an iterator or its sources."""
    yield value
    if type(value) is itertools.count:
        yield repr(value)
    elif type(value) in _WITHOUT_LENGTH:
        yield from _steps_without_length(value)
    elif type(value) is GeneratorType:
        yield from _steps_of_generator(value)
    elif (hint := remaining_length(value)) is not None:
        yield hint
    if depth:
        for each in source_iterators(value):
            yield from _steps(each, depth - 1)


def _steps_of_generator(value: GeneratorType[Any, Any, Any]) -> Iterable[object]:
    frame = value.gi_frame
    if frame is not None:
        yield frame.f_lasti
        yield from frame.f_locals.values()


def _steps_without_length(value: Any) -> Iterable[object]:
    """Yield the parts of the state with which `copy` would continue an iterator, except its items.

    To ask for them is deprecated since Python 3.12.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        _, arguments, *state = value.__reduce__()
    if type(value) is itertools.cycle:
        yield len(state[0][0])  # of the saved items
        yield remaining_length(arguments[0])
    else:
        yield repr(state)  # numbers, and the place of what `tee` shares


def source_iterators(value: Any) -> Iterable[object]:
    """Yield the Python iterators from which an iterator takes items."""
    referents = gc.get_referents(value)
    for each in referents:
        if id(type(each)) in _ITERATORS:
            yield each
        elif type(each) is MethodWrapperType and id(type(each.__self__)) in _ITERATORS:
            yield each.__self__  # `iter(iterator.__next__, last)`
        elif type(each) in (tuple, FrameType):
            yield from (e for e in gc.get_referents(each) if id(type(e)) in _ITERATORS)


def _cannot_restore(value: Any, before: Parts) -> None:
    """Do nothing: an iterator does not go back, and other threads may have used a queue."""


def _generator() -> Any:
    yield


_MADE: tuple[Any, ...] = ([], (), set(), {}, {}.values(), {}.items(), "", "é", b"")
_ITERATOR_TYPES: tuple[type, ...] = (
    *(type(iter(each)) for each in _MADE),
    type(iter(range(1))),
    type(iter(range(1 << 70))),
    type(reversed([])),
    type(reversed({})),
    type(iter(bytearray())),
    type(iter(deque())),
    type(reversed(deque())),
    type(iter(int, 1)),
    *(map, filter, zip, enumerate, reversed),
    *(each for each in vars(itertools).values() if isinstance(each, type)),
    GeneratorType,
)
_ITERATORS = frozenset(map(id, _ITERATOR_TYPES))
_WITHOUT_LENGTH = frozenset(
    (
        *(itertools.product, itertools.permutations, itertools.combinations, itertools.cycle),
        *(itertools.combinations_with_replacement, type(itertools.tee(())[0])),
    )
)

_ARRAY = OpaqueKind(
    "NumPy array", _read_array, _restore_array, "keep the values in a tensor, assign items of that"
)
_BYTES = "keep the values in a tensor"
_TEXT = "print with rt.print, or keep the text in a variable and write it after the statement"
_ITERATOR = OpaqueKind(
    "iterator",
    _read_iterator,
    _cannot_restore,
    "take its items before the statement, into a tensor or a list",
    is_state=True,
)
_DRAWN = "draw with rt.random, which draws each time the graph runs"
_KINDS: dict[int, OpaqueKind] = {
    id(np.ndarray): _ARRAY,
    id(bytearray): OpaqueKind("bytearray", lambda v: _content(v), _restore_bytes, _BYTES),
    id(memoryview): OpaqueKind("memoryview", _read_view, _restore_view, _BYTES),
    id(array.array): OpaqueKind("array", lambda v: _content(v), _restore_packed, _BYTES),
    id(io.StringIO): OpaqueKind("StringIO", _read_file, _restore_file, _TEXT, True),
    id(io.BytesIO): OpaqueKind("BytesIO", _read_file, _restore_file, _TEXT, True),
    id(type(os.environ)): OpaqueKind(
        "environment",
        _read_environment,
        _restore_environment,
        "change it before or after the statement",
        is_state=True,
    ),
    **{id(each): _ITERATOR for each in _ITERATOR_TYPES},
}
_BUFFERS = frozenset(map(id, (np.ndarray, bytearray, memoryview, array.array)))
_BITS = OpaqueKind("random generator", _read_bits, _restore_bits, _DRAWN)
# Looked up by name, since few programs import their large modules.
_GENERATORS: dict[tuple[str, str], OpaqueKind] = {
    ("random", "Random"): OpaqueKind(
        "random generator", lambda v: v.getstate(), lambda v, before: v.setstate(before), _DRAWN
    ),
    ("numpy.random.mtrand", "RandomState"): _BITS,
    ("numpy.random._generator", "Generator"): _BITS,
}
_NAMES = frozenset(name for _, name in _GENERATORS)
_SHARED_KIND = OpaqueKind(
    "object that threads share",
    _read_shared,
    _cannot_restore,
    "do that before or after the statement, or in an rt.py_function",
    is_state=True,
)
_SHARED_MODULES = frozenset(("queue", "_queue", "threading", "_thread"))
_SHARED_NAMES = frozenset(
    "Queue LifoQueue PriorityQueue SimpleQueue Semaphore BoundedSemaphore Event lock Lock".split()
)

"""Finds the differences between two trace keys, which are the reasons for a second trace.

f(rt.constant([1.0]), 3), then f(rt.constant([1.0, 2.0]), 3)   ->   x: float32[1] -> float32[2]
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from autograph.functions.arguments.copies import named_items
from autograph.functions.arguments.key_relations import spec_of
from autograph.functions.arguments.signature_text import short_spec, value_text
from autograph.functions.arguments.trace_key import CONTAINERS, Key

# A part of a key, and its value; None if only the key is known.
Part: TypeAlias = tuple[Key, Any]

_KINDS = {"mapping": "dict", "record": "object", "registered": "structure"}
_LONGEST = 80
_NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class KeyChange:
    """One difference between a call and an earlier one.

    Attributes:
        name: a parameter, an item in one as the user writes it, such as `d['a']`, or a state place.
        kind: "shape", "dtype", "value", "type", "object", "structure", "order", "sharing",
            "state" or "outside".
        old: the old value.
        new: the new value.
        remedy: the change of the program that makes one trace serve both calls.
    """

    name: str
    kind: str
    old: str
    new: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.name}: {self.kind} {self.old} -> {self.new}; {self.remedy}"


def changes_between(
    names: Sequence[str], old: Sequence[Part], new: Sequence[Part]
) -> list[KeyChange]:
    """Return the differences of two calls, in the order of the parameters.

    Args:
        names: one for each part that both have.
        old: the keys and values of the earlier call's arguments.
        new: the keys and values of the later call's arguments.
    """
    return [
        change
        for name, before, after in zip(names, old, new)
        for change in _changes(name, before, after)
    ]


def text_of(part: Part) -> str:
    """Return the text of a part of a call, shortened to `_LONGEST` characters."""
    text = _text_of(part)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _text_of(part: Part) -> str:
    key, value = part
    if key[0] == "tensor":
        return short_spec(spec_of(key))
    if key[0] in CONTAINERS and value is None:
        return f"{_KINDS.get(key[0], key[0])} of {len(key[-1])}"
    if value is not None or key[0] not in _BY_KEY:
        return value_text(value, key, short_spec)
    return _BY_KEY[key[0]](key)


_BY_KEY: dict[str, Any] = {
    "buffer": lambda key: f"a {key[1][0].__name__}",
    "absent": lambda key: "nothing",
    "default": lambda key: "the default",
    "unread": lambda key: "anything, as it is not read",
    "number": lambda key: f"a number of type {key[1].__name__}",
    "grows": lambda key: "a list",
    "run": lambda key: "a list",
    "order": lambda key: f"the keys {', '.join(map(repr, key[1]))}",
    "held": lambda key: f"a {type(key[1].value).__name__}",
    "set": lambda key: f"a set of {len(key[-1])}",
    "dataset": lambda key: f"Dataset of {key[1]}",
    "keyed": lambda key: f"<{key[1].__name__} object, {text_of((key[2], None))}>",
    "literal": lambda key: _literal_text(key),
}


def _literal_text(key: Key) -> str:
    kind, value = key[1], key[2]
    if issubclass(kind, float) and isinstance(value, str):
        return repr(float.fromhex(value))
    return repr(value)


def _changes(name: str, old: Part, new: Part) -> Iterator[KeyChange]:
    before, after = old[0], new[0]
    if before == after and not _is_collected(old):
        return
    if _are_alike(before, after) and not _holds_numbers(before):
        for (step, part), (_, other) in zip(_parts(old), _parts(new)):
            yield from _changes(f"{name}{step}", part, other)
        return
    kind, remedy = _reason(name, old, new)
    words = text_of(old), text_of(new)
    if kind == "structure" and words[0] == words[1] and before[0] == after[0] == "mapping":
        kind, remedy = "order", "make the dicts with their keys in one order, and of one class"
        words = _keys_text(old), _keys_text(new)
    yield KeyChange(name, kind, *words, remedy)


def _keys_text(part: Part) -> str:
    (kind, *_), value = part[0][2][0], part[1]
    return f"{kind.__name__} of {', '.join(map(repr, value or ()))}"


def _is_collected(part: Part) -> bool:
    """Return whether the object that a key has by identity is dead: a new one may have its `id`."""
    return isinstance(part[1], weakref.ref) and part[1]() is None


def _are_alike(before: Key, after: Key) -> bool:
    """Return whether two containers' keys differ only in the keys of the items."""
    if before[0] not in CONTAINERS or before[:-1] != after[:-1]:
        return False
    return len(before[-1]) == len(after[-1])


def _parts(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield the parts of a container, with the access path as the user writes it."""
    key, value = part
    if value is None:
        for at, below in enumerate(key[-1]):
            yield f"[{at}]", (below, None)
        return
    names, items = named_items(value, key)
    for name, item, below in zip(names, items, key[-1]):
        yield _step(key, name), (below, item)


def _step(key: Key, name: Any) -> str:
    if key[0] == "registered":
        return str(name)
    return f".{name}" if key[0] == "record" else f"[{name!r}]"


def _reason(name: str, old: Part, new: Part) -> tuple[str, str]:
    """Return the kind of a change, and the remedy."""
    before, after = old[0], new[0]
    kinds = before[0], after[0]
    if kinds == ("tensor", "tensor"):
        if before[1] == after[1]:
            return "shape", "leave the dimension open in input_signature, or reduce_retracing=True"
        return "dtype", f"cast before the call: rt.cast({name}, rt.{spec_of(before).dtype.name})"
    numbers = [_is_number(key) for key in (before, after)]
    if all(numbers):
        kind = "value" if before[1] is after[1] else "type"
        adapts = ", of the dtype that it meets" if issubclass(after[1], int) else ""
        return kind, f"pass a tensor: rt.constant({text_of(new)}){adapts}"
    if "tensor" in kinds and any(numbers):
        return "type", "pass a tensor in every call"
    if _holds_numbers(before) and _holds_numbers(after):
        kind = "value" if _are_alike(before, after) else "structure"
        return kind, f"pass a tensor: rt.constant({text_of(new)})"
    if kinds == ("literal", "literal"):
        kind = "value" if before[1] is after[1] else "type"
        return kind, "each such value has a trace of its own"
    if before[0] == after[0] and before[0] in ("set", "slice"):
        return "value", "each such value has a trace of its own"
    if kinds == ("keyed", "keyed"):
        return "value", "each __trace_key__() has a trace of its own"
    if before[0] == after[0] and before[0] in ("object", "method"):
        return "object", (
            "pass the same object in each call, or give its class __trace_key__() if such objects "
            "are alike"
        )
    if before[0] in CONTAINERS or after[0] in CONTAINERS:
        return "structure", "pass the same structure in each call, or a tensor: rt.stack(...)"
    return "type", "pass the same kind of value in each call"


def _is_number(key: Key) -> bool:
    return key[0] == "literal" and issubclass(key[1], _NUMBERS)


def _holds_numbers(key: Key) -> bool:
    """Return whether a list or tuple contains only Python numbers, at any depth."""
    if key[0] not in ("list", "tuple"):
        return False
    return all(_is_number(part) or _holds_numbers(part) for part in key[-1])

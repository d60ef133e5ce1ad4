"""One mutable object that code can reach, and the way to it."""

from __future__ import annotations

from types import CellType

from autograph.backends.graph.program.contents import Contents, is_indexed
from runtime.records import dataclass


@dataclass(frozen=True, slots=True)
class Path:
    """How an object is reached: from a variable or an object known by itself, by keys."""

    root: object
    keys: tuple[object, ...]

    def to(self, key: object) -> Path:
        """Return the path to what is under `key` of the object."""
        return Path(self.root, (*self.keys, key))


@dataclass(frozen=True, slots=True)
class Watched:
    """A mutable object the code can reach, and what it held before.

    Attributes:
        name: how the user writes it.
        value: the object, or what stands for some of its variables.
        contents: what it held, by key.
        path: how it was reached; None for a root.
    """

    name: str
    value: object
    contents: Contents
    path: Path | None = None


def entry_name(each: Watched, key: object) -> str:
    """Return how the user writes the place: `x`, `l[0]`, `d['k']`, `o.x`."""
    if type(each.value) is CellType:
        return each.name
    return f"{each.name}[{key!r}]" if is_indexed(each.value) else f"{each.name}.{key}"

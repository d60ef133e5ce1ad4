"""What a call knows of the function it calls, which is a region further out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runtime.spec import TensorSpec


@dataclass(frozen=True)
class Callee:
    """A region that is called from inside itself, as its calls see it.

    Attributes:
        name: the region's name, which no other recursion around the call has.
        inputs: what it takes: its parameters, then its captures.
        outputs: what it gives.
        effect: the strongest effect it has.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    effect: str = "none"

    def __str__(self) -> str:
        return self.name


def called_effect(attrs: Mapping[str, object]) -> Sequence[str]:
    """Return the effect of what a node calls, if it is one that calls.

    >>> called_effect({"callee": Callee("f", (), (), "io")}), called_effect({})
    (['io'], [])
    """
    callee = attrs.get("callee")
    return [callee.effect] if isinstance(callee, Callee) else []

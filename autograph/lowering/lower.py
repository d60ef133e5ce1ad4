"""The one way through this room: a converted definition in, what is compiled out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from autograph.lowering.calls import with_plain_calls
from autograph.lowering.constants import Constants
from autograph.lowering.expressions import with_fields
from autograph.lowering.halves import begins_to_record, with_both_halves
from autograph.lowering.statements import with_python_roads
from autograph.lowering.vocabulary import with_vocabulary
from autograph.options import ConversionOptions


@dataclass(frozen=True, slots=True)
class Lowered:
    """What is compiled for a function.

    Attributes:
        definition: a function definition, or the assignment of a lambda.
        constants: objects the code is to hold.
        has_both_halves: whether the user's own statements come first in it.
    """

    definition: Any
    constants: Constants
    has_both_halves: bool


class Words(Protocol):
    """What lowering needs of the vocabulary."""

    def scope(self, name: str, options: ConversionOptions) -> object:
        """Return the scope of a function; its `callee` finds what is called for a callable."""

    @property
    def recorder(self) -> Callable[[], object]:
        """What gives None while nothing is recorded."""


def lower(converted: Any, original: Any, words: Words, options: ConversionOptions) -> Lowered:
    """Return what is compiled for a converted function.

    Args:
        converted: an `ast` definition, or the assignment of a lambda; it is used up.
        original: the definition of the user's function, which is not changed.
        words: the `ag__` of the generated code.
        options: what the function was converted with.
    """
    constants = Constants()
    function = converted.value if isinstance(converted, ast.Assign) else converted
    function = with_plain_calls(function, lambda name: words.scope(name, options), constants)
    function = with_vocabulary(with_python_roads(function), words, constants)
    records = begins_to_record(original)
    if not records:
        function = with_both_halves(function, original, words, constants)
    if isinstance(converted, ast.Assign):
        function = with_fields(converted, {"value": function})
    return Lowered(function, constants, has_both_halves=not records)

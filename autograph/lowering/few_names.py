"""Functions made of statements share a few names.

    def get_state_7(): ...    ->    def get_state(): ...

In the listing every name is given once, so that it can be read. The compiler would pass all names
of a function on to each function in it, which takes long where there are thousands; and each is
only used by the call right after it.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autograph.lowering.staged import staged_in
from autograph.syntax.tree import nodes

_NUMBER = re.compile(r"_\d+$")


def with_few_names(function: Any) -> Any:
    """Return the converted function with the names of made-up functions reused, in place."""
    first: dict[str, str] = {}
    for node in nodes(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                _rename(block, first)
    return function


def _rename(block: list[ast.stmt], first: dict[str, str]) -> None:
    staged = staged_in(block)
    for statement in block:
        parts = staged.by_call.get(id(statement))
        if parts:
            names = {part.name: _shared(part.name, first) for part in parts}
            for part in parts:
                part.name = names[part.name]
            for argument in statement.value.args:  # type: ignore[attr-defined]
                if isinstance(argument, ast.Name):
                    argument.id = names.get(argument.id, argument.id)


def _shared(name: str, first: dict[str, str]) -> str:
    return first.setdefault(_NUMBER.sub("", name), name)

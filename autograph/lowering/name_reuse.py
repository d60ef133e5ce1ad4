"""Functions made of statements share a few names.

    def get_state_7(): ...    ->    def get_state(): ...

In the listing every name is given once, so that it can be read. The compiler would pass all names
of a function on to each function in it, which takes long where there are thousands; and each is
only used by the call right after it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any

from autograph.lowering.staged import names_given, staged_in
from autograph.syntax.tree import blocks_below

_NUMBER = re.compile(r"_\d+$")


def with_few_names(function: Any) -> Any:
    """Return the converted function with the names of made-up functions reused, in place."""
    first: dict[str, str] = {}
    for block in blocks_below(function):
        _rename(block, first)
    return function


def _rename(block: list[ast.stmt], first: dict[str, str]) -> None:
    staged = staged_in(block)
    for statement in block:
        parts = staged.by_call.get(id(statement))
        if parts:
            names = _shared([part.name for part in parts], first)
            for part in parts:
                part.name = names[part.name]
            for argument in names_given(statement.value):  # type: ignore[attr-defined]
                argument.id = names.get(argument.id, argument.id)


def _shared(names: list[str], first: dict[str, str]) -> dict[str, str]:
    """Return the names that stand for those of one statement, which may have several of a kind."""
    counts: Counter[str] = Counter()
    shared: dict[str, str] = {}
    for name in names:
        base = _NUMBER.sub("", name)
        shared[name] = first.setdefault(f"{base} {counts[base]}", name)
        counts[base] += 1
    return shared

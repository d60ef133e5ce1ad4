"""Reaching definitions: the bindings of a name that may be in force before a statement."""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.activity import Activity
from autograph.analysis.cfg import Cfg
from autograph.analysis.dataflow import Bits, solve_forward
from runtime.core.fork_safety import cached_property

# A name and the number of the node that binds it: -1 for a parameter, None for "not bound".
Definition = tuple[str, "int | None"]


class ReachingDefinitions:
    """The definitions that reach the statements of one function.

    At its beginning, only parameters are bound. `del x` and the end of `except E as x` leave a name
    unbound.
    """

    def __init__(self, cfg: Cfg, activity: Activity) -> None:
        self._cfg = cfg
        self._activity = activity

    @cached_property
    def _generated(self) -> list[tuple[Definition, ...]]:
        return [self._definitions_of(node) for node in range(len(self._cfg.pieces))]

    def _definitions_of(self, node: int) -> tuple[Definition, ...]:
        piece = self._cfg.pieces[node]
        access = self._activity.pieces.get(piece)
        unbinds = isinstance(piece, gast.Delete) or (
            isinstance(piece, gast.Name) and self._is_handler_name(piece)
        )
        return tuple((name, None if unbinds else node) for name in (access.binds if access else ()))

    def _is_handler_name(self, piece: gast.Name) -> bool:
        return piece in self._handler_names

    @cached_property
    def _handler_names(self) -> frozenset[Any]:
        pieces = self._cfg.pieces
        return frozenset(p.name for p in pieces if isinstance(p, gast.ExceptHandler) and p.name)

    @cached_property
    def _bits(self) -> Bits:
        unbound = [(name, None) for name in self._activity.order]
        parameters = [(name, -1) for name in self._activity.parameters]
        return Bits.of([*unbound, *parameters, *(d for ds in self._generated for d in ds)])

    @cached_property
    def _of_name(self) -> dict[str, int]:
        masks: dict[str, int] = {}
        for definition, place in self._bits.places.items():
            name = definition[0]  # type: ignore[index]
            masks[name] = masks.get(name, 0) | 1 << place
        return masks

    @cached_property
    def _before(self) -> list[int]:
        generated = [self._bits.mask(definitions) for definitions in self._generated]
        killed = [
            sum({self._of_name[name] for name, _ in definitions}) for definitions in self._generated
        ]
        parameters = set(self._activity.parameters)
        entry = self._bits.mask(
            (name, -1 if name in parameters else None) for name in self._activity.order
        )
        return solve_forward(
            self._cfg, entry, lambda node, before: generated[node] | (before & ~killed[node])
        )

    def definitions(self, statement: gast.stmt, name: str) -> frozenset[Any]:
        """Return the pieces whose binding of `name` may be in force before a statement.

        "parameter" stands for the argument, None for "not bound".

        >>> from autograph.syntax.tree import parse
        >>> from autograph.analysis.activity import activity_of
        >>> from autograph.analysis.cfg import cfg_of
        >>> function = parse("def f(a):\\n  if a: b = 1\\n  return b").body[0]
        >>> reaching = ReachingDefinitions(cfg_of(function), activity_of(function))
        >>> function.body[0].body[0] in reaching.definitions(function.body[1], "b")
        True
        >>> reaching.may_be_undefined(function.body[1], "b")
        True
        """
        mask = self._before[self._cfg.spans[statement].entry] & self._of_name.get(name, 0)
        return frozenset(self._source(d[1]) for d in self._bits.members(mask))  # type: ignore[index]

    def _source(self, node: int | None) -> Any:
        if node is None:
            return None
        return "parameter" if node < 0 else self._cfg.pieces[node]

    def may_be_undefined(self, statement: gast.stmt, name: str) -> bool:
        """Return whether `name` may be unbound before a statement."""
        return None in self.definitions(statement, name)

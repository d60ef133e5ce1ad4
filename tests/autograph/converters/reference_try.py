"""The operators of `try` in plain Python."""

from __future__ import annotations

from typing import Any


class Tries:
    """`try` in terms of Python's own; the rest of the vocabulary checks the state."""

    seen: list[Any]

    @staticmethod
    def handler(kinds: Any, body: Any, name: str | None) -> tuple[Any, Any, str | None]:
        return kinds, body, name

    def try_stmt(
        self,
        body: Any,
        handlers: Any,
        orelse: Any,
        final: Any,
        flags: Any,
        get: Any,
        put: Any,
        names: Any,
        nouts: int,
    ) -> None:
        self.seen.append(("try", names, nouts))
        assert set(flags) <= set(names)
        self._check_state(get, put, names)  # type: ignore[attr-defined]
        try:
            try:
                body()
            except BaseException as error:
                for kinds, clause, name in handlers:
                    if kinds is None or isinstance(error, kinds()):
                        clause(*([] if name is None else [error]))
                        break
                else:
                    raise
            else:
                if orelse is not None:
                    orelse()
        finally:
            if final is not None:
                final()
        self._destroy(get, put, names, nouts)  # type: ignore[attr-defined]

    def with_stmt(
        self,
        manager: Any,
        body: Any,
        target: str | None,
        flags: Any,
        get: Any,
        put: Any,
        names: Any,
        nouts: int,
    ) -> None:
        assert set(flags) <= set(names)
        self._check_state(get, put, names)  # type: ignore[attr-defined]
        with manager as value:
            body(*([] if target is None else [value]))
        self._destroy(get, put, names, nouts)  # type: ignore[attr-defined]

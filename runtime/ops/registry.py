"""The registry of ops by name, which imports the module of an op on first access."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, TypeVar, overload

from runtime.core.lazy_imports import load_module

Value = TypeVar("Value")
Default = TypeVar("Default")


class Registry(dict[str, Value]):
    """A dict that imports the module of an entry on access, and all modules on iteration.

    >>> known = Registry({"cmath": "phase polar"})
    >>> "polar" in known, "sqrt" in known
    (True, False)
    """

    def __init__(self, homes: Mapping[str, str]) -> None:
        super().__init__()
        self._homes = {name: home for home, names in homes.items() for name in names.split()}

    def has(self, name: str) -> bool:
        """Return whether an entry is loaded."""
        return super().__contains__(name)

    def complete(self) -> None:
        """Import all modules that declare entries."""
        for home in dict.fromkeys(self._homes.values()):
            load_module(home)

    def __missing__(self, name: str) -> Value:
        home = self._homes.get(name)
        if home is not None:
            load_module(home)
        if home is None or not self.has(name):
            raise KeyError(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._homes

    @overload
    def get(self, name: str, default: None = None, /) -> Value | None: ...

    @overload
    def get(self, name: str, default: Value | Default, /) -> Value | Default: ...

    def get(self, name: str, default: Any = None, /) -> Any:
        return self[name] if name in self else default

    def __iter__(self) -> Iterator[str]:
        self.complete()
        return super().__iter__()

    def __len__(self) -> int:
        self.complete()
        return super().__len__()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        self.complete()
        return super().keys()

    def values(self) -> ValuesView[Value]:  # type: ignore[override]
        self.complete()
        return super().values()

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        self.complete()
        return super().items()

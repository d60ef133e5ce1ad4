"""Python's operators on variables: they use the value, except the in-place ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from runtime.core.lazy_imports import lazy_import

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")

# The methods of tensors that variables have too, through their value.
_BINARY = "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split()
_OTHERS = "lt le gt ge eq ne neg pos abs invert iter len contains".split()
_CONVERSIONS = "bool int float complex index".split()

_SYMBOLS = "+ - * / // % ** @ & | ^".split()
_IN_PLACE = "add sub mul truediv floordiv mod pow matmul and or xor".split()


def install(cls: type) -> None:
    """Give a class the operators; it returns its value by `read_value()`."""
    for word in [*_BINARY, *(f"r{word}" for word in _BINARY), *_OTHERS, *_CONVERSIONS]:
        setattr(cls, f"__{word}__", _through_value(f"__{word}__"))
    for word, symbol in zip(_IN_PLACE, _SYMBOLS):
        setattr(cls, f"__i{word}__", _in_place(word, symbol))


def _through_value(name: str) -> Callable[..., Any]:
    def operator(self: Any, *args: Any) -> Any:
        return getattr(self.read_value(), name)(*args)

    operator.__name__ = name
    # A graph names nodes after the code names of the frames that record them.
    operator.__code__ = operator.__code__.replace(co_name=name)
    return operator


def _in_place(word: str, symbol: str) -> Callable[..., NoReturn]:
    method = {"add": "assign_add(x)", "sub": "assign_sub(x)"}.get(word)

    def operator(self: Any, other: object) -> NoReturn:
        name = name_of(self) or self._name
        change = f"{name}.{method}" if method else f"{name}.assign({name} {symbol} x)"
        raise TypeError(
            f"`{name} {symbol}= x` is ambiguous for a variable: write {change} "
            f"to change it, or y = {name} {symbol} x for a new tensor"
        )

    operator.__name__ = f"__i{word}__"
    return operator

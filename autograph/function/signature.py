"""The parameters of a Python function, and arguments brought into their order.

`f(x)`, `f(x, 1)`, `f(x, y=1)` and `f(y=1, x=x)` mean the same call of `def f(x, y=1)`: binding
gives one value per parameter, in the order they are written, and the same tuple for all four.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, Signature

from autograph.errors import SignatureError

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_ANYTHING = Signature(
    [Parameter("args", Parameter.VAR_POSITIONAL), Parameter("kwargs", Parameter.VAR_KEYWORD)]
)


class CallSignature:
    """How one Python function is called.

    Args:
        name: the function's name, for errors.
        signature: its parameters, without a bound `self`.
    """

    def __init__(self, name: str, signature: Signature) -> None:
        self.name = name
        self.signature = signature
        self.parameters = tuple(signature.parameters.values())
        self._only_positional = all(p.kind in _POSITIONAL for p in self.parameters)
        self._required = sum(p.default is Parameter.empty for p in self.parameters)

    @staticmethod
    def of(function: Callable[..., object], name: str) -> CallSignature:
        """Read the signature of any callable; one that has none takes `*args, **kwargs`."""
        try:
            return CallSignature(name, inspect.signature(function, follow_wrapped=False))
        except (TypeError, ValueError):
            return CallSignature(name, _ANYTHING)

    def without_first(self) -> CallSignature:
        """The signature that remains once the first parameter (`self`) is bound."""
        if not self.parameters or self.parameters[0].kind not in _POSITIONAL:
            return self
        return CallSignature(self.name, self.signature.replace(parameters=self.parameters[1:]))

    def bind(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[object, ...]:
        """Give one value per parameter; `*args` gives a tuple and `**kwargs` a dict.

        Raises:
            SignatureError: when Python itself would not take these arguments.
        """
        if self._only_positional:
            if not kwargs and len(args) == len(self.parameters):
                return args
            values = self._bind_quickly(args, kwargs)
            if values is not None:
                return values
        return self._bind_slowly(args, kwargs)

    def call_arguments(
        self, values: tuple[object, ...]
    ) -> tuple[tuple[object, ...], dict[str, object]]:
        """Turn bound values back into the `args` and `kwargs` of a Python call."""
        args: list[object] = []
        kwargs: dict[str, object] = {}
        for parameter, value in zip(self.parameters, values):
            if parameter.kind is Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            elif parameter.kind is Parameter.VAR_POSITIONAL:
                args.extend(value)  # type: ignore[arg-type]
            elif parameter.kind is Parameter.VAR_KEYWORD:
                kwargs.update(value)  # type: ignore[call-overload]
            else:
                args.append(value)
        return tuple(args), kwargs

    def named(self, values: tuple[object, ...]) -> Iterator[tuple[Parameter, object]]:
        """Pair every parameter with its bound value."""
        return zip(self.parameters, values)

    def _bind_quickly(
        self, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> tuple[object, ...] | None:
        """Bind without `inspect`; None where a slower look (or an error) is due."""
        given = len(args)
        if given > len(self.parameters) or given + len(kwargs) < self._required:
            return None
        values = list(args)
        used = 0
        for parameter in self.parameters[given:]:
            name = parameter.name
            if name in kwargs:
                if parameter.kind is Parameter.POSITIONAL_ONLY:
                    return None
                values.append(kwargs[name])
                used += 1
            elif parameter.default is not Parameter.empty:
                values.append(parameter.default)
            else:
                return None
        return tuple(values) if used == len(kwargs) else None

    def _bind_slowly(
        self, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> tuple[object, ...]:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise SignatureError(f"{self.name}{self.signature}: {error}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

"""Printing functions, classes and type aliases, with their parameters and type parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class DefinitionPrinter:
    """The part of the printer that knows definitions."""

    fill: Callable[..., None]
    write: Callable[[str], None]
    dispatch: Callable[[Any], None]
    suite: Callable[[list[Any]], None]
    listed: Callable[..., None]

    def _FunctionDef(self, t: Any) -> None:
        self._function("def ", t)

    def _AsyncFunctionDef(self, t: Any) -> None:
        self._function("async def ", t)

    def _function(self, word: str, t: Any) -> None:
        self._decorators(t)
        self.fill(word + t.name)
        self._type_parameters(t)
        self.write("(")
        self.dispatch(t.args)
        self.write(")")
        if getattr(t, "returns", None) is not None:
            self.write(" -> ")
            self.dispatch(t.returns)
        self.suite(t.body)

    def _ClassDef(self, t: Any) -> None:
        self._decorators(t)
        self.fill("class " + t.name)
        self._type_parameters(t)
        self.write("(")
        self.listed([*t.bases, *t.keywords])
        self.write(")")
        self.suite(t.body)

    def _decorators(self, t: Any) -> None:
        self.write("\n")
        for decorator in t.decorator_list:
            self.fill("@")
            self.dispatch(decorator)

    def _arguments(self, t: Any) -> None:
        plain = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(plain) - len(t.defaults)) + t.defaults
        parts: list[tuple[str, Any, Any]] = [("", a, d) for a, d in zip(plain, defaults)]
        if t.posonlyargs:
            parts.insert(len(t.posonlyargs), ("/", None, None))
        if t.vararg or t.kwonlyargs:
            parts.append(("*", t.vararg, None))
        parts += [("", a, d) for a, d in zip(t.kwonlyargs, t.kw_defaults)]
        if t.kwarg:
            parts.append(("**", t.kwarg, None))
        self.listed(parts, self._parameter)

    def _parameter(self, part: tuple[str, Any, Any]) -> None:
        prefix, parameter, default = part
        self.write(prefix)
        if parameter is not None:
            self.write(parameter.arg if hasattr(parameter, "arg") else parameter.id)
            if parameter.annotation is not None:
                self.write(": ")
                self.dispatch(parameter.annotation)
        if default is not None:
            self.write("=")
            self.dispatch(default)

    def _type_parameters(self, t: Any) -> None:
        parameters = getattr(t, "type_params", None)
        if parameters:
            self.write("[")
            self.listed(parameters)
            self.write("]")

    def _TypeVar(self, t: Any) -> None:
        self.write(t.name)
        if getattr(t, "bound", None) is not None:
            self.write(": ")
            self.dispatch(t.bound)
        self._type_default(t)

    def _TypeVarTuple(self, t: Any) -> None:
        self.write("*" + t.name)
        self._type_default(t)

    def _ParamSpec(self, t: Any) -> None:
        self.write("**" + t.name)
        self._type_default(t)

    def _type_default(self, t: Any) -> None:
        if getattr(t, "default_value", None) is not None:
            self.write(" = ")
            self.dispatch(t.default_value)

    def _TypeAlias(self, t: Any) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self._type_parameters(t)
        self.write(" = ")
        self.dispatch(t.value)

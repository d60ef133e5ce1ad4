"""The signatures of public callables as text, and the differences between two of them."""

from __future__ import annotations

import ast
import enum
import inspect
import re
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any

from runtime.core.lazy_imports import load

_RECEIVERS = ("self", "cls")
_VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_BY_KEYWORD_OR_ANY = (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL)
# A default without a text that is the same in every process.
_UNPRINTABLE = "..."


def signature_text(value: Callable[..., Any]) -> str | None:
    """Return the signature of a callable without annotations; None where Python has none.

    The arguments that a constructor hands on to its base class, as `*args` and `**kwargs`, are
    written out.

    >>> signature_text(lambda x, axis=None: x)
    '(x, axis=None)'
    """
    if inspect.isclass(value):
        return _text(_of_class(value))
    found = _signature(_behind(value))
    if found is None:
        return None
    # A method that is imported when it is called has its receiver among its parameters.
    is_lazy_method = _behind(value) is not value
    return _text(list(found.parameters.values())[is_lazy_method:])


def _signature(value: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def _behind(value: Any) -> Any:
    """Return the function that one made by `lazy_import` imports when it is called."""
    if getattr(value, "__qualname__", "") != "lazy_import.<locals>.call":
        return value
    return load(inspect.getclosurevars(value).nonlocals["reference"])


def _enumeration(
    value: Any,
    names: Any = None,
    *,
    module: Any = None,
    qualname: Any = None,
    type: Any = None,
    start: Any = 1,
    boundary: Any = None,
) -> None:
    """Have the signature of an `Enum`, which `inspect` gives in other words in each Python."""


def _of_class(value: type) -> list[Parameter]:
    if issubclass(value, enum.Enum):
        return list(inspect.signature(_enumeration).parameters.values())
    found: list[Parameter] = []
    # A metaclass with a `__call__` takes the arguments itself.
    is_made_otherwise = inspect.isfunction(vars(type(value)).get("__call__"))
    for constructor in () if is_made_otherwise else _constructors(value):
        if found and all(each.kind is not Parameter.VAR_KEYWORD for each in found):
            break
        found = _merged(found, list(inspect.signature(constructor).parameters.values()))
    if found:
        return found
    called = _signature(value)
    return [] if called is None else list(called.parameters.values())


def _constructors(value: type) -> list[Any]:
    """Return the constructors of a class and its bases; of a library's class, only its own."""
    found = [vars(each)["__init__"] for each in value.__mro__ if "__init__" in vars(each)]
    written = [each for each in found if inspect.isfunction(each)]
    return written if value.__module__.startswith("runtime") else written[:1]


def _merged(own: list[Parameter], base: list[Parameter]) -> list[Parameter]:
    """Replace the variable parameters of `own` by the parameters of `base`."""
    names = {each.name for each in own}
    is_positional = any(each.kind is Parameter.VAR_POSITIONAL for each in own)
    kept = [each for each in own if each.kind not in _VARIABLE]
    for each in base:
        if each.name in names and each.kind not in _VARIABLE:
            continue
        by_keyword = own and not is_positional and each.kind is Parameter.POSITIONAL_OR_KEYWORD
        kept.append(each.replace(kind=Parameter.KEYWORD_ONLY) if by_keyword else each)
    return kept


def _text(parameters: list[Parameter]) -> str:
    words: list[str] = []
    is_starred = False
    for each in parameters:
        if each.name in _RECEIVERS and each.default is each.empty and not words:
            continue
        if each.kind is Parameter.KEYWORD_ONLY and not is_starred:
            words, is_starred = [*words, "*"], True
        is_starred |= each.kind is Parameter.VAR_POSITIONAL
        words.append(_word(each))
        if each.kind is Parameter.POSITIONAL_ONLY:
            words = [*(word for word in words if word != "/"), "/"]
    return f"({', '.join(words)})"


def _word(parameter: Parameter) -> str:
    stars: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    name = stars.get(parameter.kind, "") + parameter.name
    if parameter.default is parameter.empty:
        return name
    return f"{name}={default_text(parameter.default)}"


def default_text(value: Any) -> str:
    """Return the text of a default: dtypes and functions by their names, `...` for other objects.

    >>> default_text((1, 2.0)), default_text(object()), default_text(default_text)
    ('(1, 2.0)', '...', 'default_text')
    """
    if inspect.isfunction(value):
        return value.__name__
    if hasattr(value, "as_numpy_dtype"):
        return str(value.name)
    text = re.sub(r"^<(\w+)\.(\w+): .*>$", r"\1.\2", repr(value))
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return _UNPRINTABLE
    return text.replace("|", "\\x7c")


def _parsed(text: str) -> tuple[list[Parameter], set[Any]]:
    """Return the parameters of a text without the variable ones, and the kinds of these."""
    tree = ast.parse(f"def f{text}: ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    found, args = [], tree.args
    places = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(places) - len(args.defaults)) + list(args.defaults)
    for place, default in zip(places, defaults):
        found.append(_parameter(place, default, Parameter.POSITIONAL_OR_KEYWORD))
    for place, default in zip(args.kwonlyargs, args.kw_defaults):
        found.append(_parameter(place, default, Parameter.KEYWORD_ONLY))
    kinds = ((args.vararg, Parameter.VAR_POSITIONAL), (args.kwarg, Parameter.VAR_KEYWORD))
    return found, {kind for argument, kind in kinds if argument}


def _parameter(place: ast.arg, default: ast.expr | None, kind: Any) -> Parameter:
    value = Parameter.empty if default is None else ast.unparse(default)
    return Parameter(place.arg, kind, default=value)


def differences(theirs: str, here: str) -> Iterator[str]:
    """Yield the ways in which our signature does not accept a call that the first one accepts.

    >>> list(differences("(x, axis=None, name=None)", "(x, keep=False, axis=0)"))
    ['axis is argument 3, not 2', 'axis=0, not None', 'no name']
    """
    (wanted, theirs_variable), (found, variable) = _parsed(theirs), _parsed(here)
    by_name = {each.name: each for each in found}
    places = [each.name for each in found if each.kind is not Parameter.KEYWORD_ONLY]
    for at, each in enumerate(wanted):
        own = by_name.get(each.name)
        if own is None:
            if Parameter.VAR_KEYWORD not in variable:
                yield f"no {each.name}"
            elif {each.kind, *variable}.isdisjoint(_BY_KEYWORD_OR_ANY):
                yield f"{each.name} by keyword only"
            continue
        if each.kind is not Parameter.KEYWORD_ONLY:
            yield from _moved(each.name, at, places)
        yield from _other_default(each, own)
    known = {each.name for each in wanted}
    is_open = bool(theirs_variable)
    for own in found:
        if own.name not in known and own.default is own.empty and not is_open:
            yield f"needs {own.name}"
    if Parameter.VAR_POSITIONAL in theirs_variable - variable and not places[len(wanted) :]:
        yield "no *args"


def _moved(name: str, at: int, places: list[str]) -> Iterator[str]:
    if name not in places:
        yield f"{name} by keyword only"
    elif places.index(name) != at:
        yield f"{name} is argument {places.index(name) + 1}, not {at + 1}"


def _other_default(theirs: Parameter, own: Parameter) -> Iterator[str]:
    if theirs.default is theirs.empty:  # a call that TensorFlow takes gives the argument
        return
    if own.default is own.empty:
        yield f"{own.name} has to be given"
    elif own.name != "name" and not _is_same_value(theirs.default, own.default):
        yield f"{own.name}={own.default}, not {theirs.default}"


def _is_same_value(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return bool(ast.literal_eval(one) == ast.literal_eval(other))
    except ValueError:
        return False

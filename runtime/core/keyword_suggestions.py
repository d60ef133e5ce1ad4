"""Suggestions for misspelled keywords of functions of this project, and for imported names.

reduce_sum() got an unexpected keyword argument 'axsi'; did you mean 'axis'?
cannot import name 'lineal' from 'autograph.runtime'; did you mean 'linalg'?

Python raises the error, and a call that raises none costs nothing: the message is completed where
the error is shown, or leaves a trace. Python 3.13 itself suggests keywords that are nearly right.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType, FunctionType, MethodType, ModuleType, TracebackType
from typing import Any

from runtime.core.lazy_imports import public_name
from runtime.core.name_suggestions import attribute_suggestion, did_you_mean
from runtime.diagnostics.source_expressions import expression_at, position_of, text_of

_UNEXPECTED = re.compile(r"([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'")
_TOO_MANY = re.compile(r"([\w.<>]+)\(\) takes .* positional arguments? but \d+ were given")
_MISSING = re.compile(r"([\w.<>]+)\(\) missing \d+ required .*")
_NOT_IMPORTED = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_PACKAGES = ("autograph", "runtime")
# Keywords of PyTorch, NumPy and old TensorFlow, and the ones here.
_SYNONYMS = {
    "dim": ("axis",),
    "dims": ("axis", "shape"),
    "keepdim": ("keepdims",),
    "lr": ("learning_rate",),
    "num_epochs": ("epochs",),
    "reduction_indices": ("axis",),
    "size": ("shape", "batch_size"),
}
_STATIC = "nothing: an argument is static if it is a Python number, a string or an object"
_DONATED = "nothing: a graph overwrites what nothing reads any more"
# Keywords of `jax.jit`, `torch.compile` and Numba for `ag.function`, and what to write instead.
_OF_COMPILERS = {
    **dict.fromkeys(("static_argnums", "static_argnames"), _STATIC),
    **dict.fromkeys(("donate_argnums", "donate_argnames"), _DONATED),
    **dict.fromkeys(("fullgraph", "nopython"), "nothing: what cannot be staged is an error"),
    "backend": 'executor="jax" for XLA',
    "device": "it around the call: with rt.device(name):",
    "dynamic": "reduce_retracing=True",
}
# Methods of PyTorch: the method that objects have here, and what to write.
_METHODS = {
    "eval": ("fit", "model(x, training=False)"),
    "grad": ("gradient", "tape.gradient(loss, variables)"),
    "load_state_dict": ("set_weights", "model.set_weights(values)"),
    "named_parameters": ("trainable_variables", "model.trainable_variables"),
    "parameters": ("trainable_variables", "model.trainable_variables"),
    "state_dict": ("get_weights", "model.get_weights()"),
    "step": ("apply_gradients", "optimizer.apply_gradients(zip(gradients, variables))"),
    "train": ("fit", "model(x, training=True), or model.fit(x, y)"),
    "zero_grad": ("apply_gradients", "nothing: no gradient is kept from step to step"),
}
# Arguments that are one list of values.
_LISTS = ("values", "shape", "dims", "perm", "multiples", "layers", "variables")
# The most steps from a variable of the caller to the function: `rt.nn.experimental.name`.
_STEPS = 4


def complete_message(error: BaseException) -> None:
    """Add a suggestion to an error about a keyword, too many arguments or a name.

    Nothing is changed if the function or module is not of this project, or no name is similar.

    >>> import autograph.runtime as rt
    >>> try:
    ...     rt.reduce_sum([1, 2], keepdmis=True)
    ... except TypeError as error:
    ...     complete_message(error)
    ...     print("did you mean 'keepdims'?" in str(error).lower())
    True
    """
    if type(error) is ImportError and len(error.args) == 1:
        _complete_import(error)
    if type(error) is AttributeError and len(error.args) == 1:
        _complete_attribute(error)
    if type(error) is not TypeError or len(error.args) != 1:
        return
    text = str(error.args[0])
    patterns = (_UNEXPECTED, _TOO_MANY, _MISSING)
    found = next(filter(None, (each.fullmatch(text) for each in patterns)), None)
    entry = _innermost(error)
    if found is None or entry is None:
        return
    function = next(_functions(entry.tb_frame, found[1]), None)
    if function is not None:
        called = _called(entry, found[1]) + text.removeprefix(found[1])
        error.args = (f"{called}{_instead(found, inspect.signature(function).parameters)}",)


def _called(entry: TracebackType, qualified_name: str) -> str:
    """Return the text of the function that a frame calls, or its name if that is not found.

    A method or constructor of a public class may be that of its base class, which no user names.
    """
    owner, _, name = qualified_name.rpartition(".")
    code = entry.tb_frame.f_code
    position = position_of(code, entry.tb_lasti)
    node = expression_at(code.co_filename, position, name, entry.tb_frame.f_globals)
    is_users = str(entry.tb_frame.f_globals.get("__name__")).partition(".")[0] not in _PACKAGES
    text = text_of(node.func) if owner and is_users and isinstance(node, ast.Call) else None
    return text or qualified_name


def _instead(found: re.Match[str], parameters: Mapping[str, object]) -> str:
    if found.re is _MISSING:
        return ""
    if found.re is _TOO_MANY:
        several = next((each for each in _LISTS if each in parameters), None)
        return f"; `{several}` is one list" if several else ""
    return keyword_suggestion(found[2], parameters)


def keyword_suggestion(name: str, parameters: Iterable[str]) -> str:
    """Return a hint with the keyword to write instead of one that a function does not have.

    >>> keyword_suggestion("lr", ["learning_rate"]), keyword_suggestion("axsi", ["axis"])
    ('; write learning_rate=', "; did you mean 'axis'?")
    """
    if name in _OF_COMPILERS and "input_signature" in parameters:
        return f"; write {_OF_COMPILERS[name]}"
    known = next((each for each in _SYNONYMS.get(name, ()) if each in parameters), None)
    return f"; write {known}=" if known else did_you_mean(name, parameters)


def _complete_import(error: ImportError) -> None:
    found = _NOT_IMPORTED.match(str(error.args[0]))
    module = None if found is None else sys.modules.get(found[2])
    if found is None or module is None or not _is_ours(module):
        return
    instead = attribute_suggestion(module.__name__, found[1], dir(module))
    if instead:
        text = f"cannot import name {found[1]!r} from {public_name(module.__name__)!r}{instead}"
        error.msg = text
        error.args = (text,)


def _complete_attribute(error: AttributeError) -> None:
    kind = type(error.obj)
    method, instead = _METHODS.get(error.name or "", ("", ""))
    if method in dir(kind) and any(map(_is_ours, kind.__mro__)):
        error.args = (f"{error.args[0]}; write {instead}",)
        error.name = ""  # Python itself would suggest a similar name


def _innermost(error: BaseException) -> TracebackType | None:
    """Return the entry of the frame in which an exception was raised."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry


def _functions(frame: FrameType, qualified_name: str) -> Iterator[Any]:
    """Yield the functions of this project that code of a frame names; nothing is evaluated."""
    names = (*frame.f_code.co_names, *frame.f_code.co_varnames, *frame.f_code.co_freevars)
    spaces = (frame.f_locals, frame.f_globals)
    values = [space[name] for name in names for space in spaces if name in space]
    for _ in range(_STEPS):
        for value in values:
            function = value.__func__ if isinstance(value, MethodType) else value
            if isinstance(function, FunctionType) and _is_ours(function):
                if inspect.unwrap(function).__qualname__ == qualified_name:
                    yield function
        values = [part for value in values for name in names for part in _parts(value, name)]
    owner, _, name = qualified_name.rpartition(".")
    if name in frame.f_code.co_names or name == "__init__":
        yield from _methods(owner, name)


def _parts(value: object, name: str) -> Iterator[object]:
    if isinstance(value, ModuleType) and _is_ours(value) and name in vars(value):
        yield vars(value)[name]


def _methods(owner: str, name: str) -> Iterator[Any]:
    """Yield the methods of a class of this project."""
    for module in list(sys.modules.values()):
        is_module = isinstance(module, ModuleType) and _is_ours(module)
        kind = vars(module).get(owner) if is_module else None
        if isinstance(kind, type) and _is_ours(kind) and name in vars(kind):
            yield getattr(kind, name)


def _is_ours(value: FunctionType | ModuleType | type) -> bool:
    module = value.__name__ if isinstance(value, ModuleType) else value.__module__
    return isinstance(module, str) and module.partition(".")[0] in _PACKAGES

"""Errors of JAX about values that only a run knows, told at the user's line with the remedy.

JAX raises them where code looks at the value of a tracer: code that is not converted, a shape, a
mask, an item of a set. Converted functions raise these in their place, from JAX's own.
"""

from __future__ import annotations

import linecache
import re
from inspect import CO_GENERATOR
from types import CodeType, FrameType, TracebackType

import jax

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import AutographError, StagingError, UnconvertedUseError
from autograph.jax.heap import is_users_file
from autograph.jax.internals import InconclusiveDimensionOperation
from autograph.jax.optional_values import TracedOptional
from autograph.operators.frames import code_info_of, is_internal_code
from runtime.core.lazy_imports import loaded_classes

_NOT_CONVERTED = "code that is not converted needs a value that only a run knows: "
# Python's own errors, which a program without JAX raises, too.
_OF_PYTHON = re.compile(r"'\w+' object (is|does) not|unsupported operand|bad operand")
_SLICE = (
    "a slice has a length, and of this one only a run knows it: write "
    "jax.lax.dynamic_slice_in_dim(x, start, length, axis), or jnp.where with a mask"
)
# JAX's error for an index that may be None.
_OF_OPTIONAL = "Triggering __jax_array__"
# JAX's error for an attribute that a member of an enum has, and a number has not.
_OF_MEMBER = re.compile(r"Tracer has no attribute '?(value|name)\b")
# Parts of the texts of JAX's errors and of Python's, and the messages in their places.
_BY_TEXT = {
    "item() method": "x.item() needs a value that only a run knows: write x, or float(x) or int(x)",
    "tolist() method": "x.tolist() needs values that only a run knows: write list(x)",
    "unhashable type": "an item of a set, a key of a dict and an argument of a cached function "
    "have a hash, which a value that only a run knows has not: write a list, or an array with the "
    "value as index",
    _OF_OPTIONAL: "this value may be None, and only a run knows: write `if x is not None:` around "
    "its use as an index, or begin with a number that stands for None",
    "Slice entries must be static": _SLICE,
    "slice indices must have static": _SLICE,  # before version 0.7
    "Shapes must be 1D": "a shape depends on a value that only a run knows: give a known number, "
    "as by static_argnums of jax.jit",
    "size argument": "the result has as many items as only a run knows: give the function size=",
}


def error_of_tracing(error: BaseException) -> AutographError | None:
    """Return the error to raise in the place of JAX's; None for other errors.

    >>> error_of_tracing(KeyError("k")) is None
    True
    """
    if isinstance(error, AutographError):
        return None
    is_open = isinstance(error, InconclusiveDimensionOperation)
    member = _OF_MEMBER.search(str(error)) if isinstance(error, AttributeError) else None
    is_other = is_open or _is_of_flax(error) or _OF_OPTIONAL in str(error)
    if not isinstance(error, (TypeError, IndexError)) and not is_other and member is None:
        return None
    found = _innermost(error.__traceback__)
    if found is None:
        return None
    code, line, frame = found
    message = (
        _message(error, code) if member is None else _enum_member_message(member[1], code, line)
    )
    if message is not None and _OF_OPTIONAL in str(error):
        message = _named(message, frame)
    if message is None:
        return None
    kind = UnconvertedUseError if isinstance(error, TypeError) else StagingError
    return kind(message, SourceLocation(code.co_filename, line, code.co_name))


def _is_of_flax(error: BaseException) -> bool:
    # NNX raises a ValueError where it takes a module apart.
    return "from different trace level" in str(error) or isinstance(
        error,
        loaded_classes("flax.errors:TraceContextError", "flax.errors:JaxTransformError"),
    )


def _innermost(traceback: TracebackType | None) -> tuple[CodeType, int, FrameType] | None:
    """Return the code and the line of the innermost of the user's frames."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_internal_code(code) and is_users_file(code.co_filename):
            found = code, traceback.tb_lineno, traceback.tb_frame
        traceback = traceback.tb_next
    return found


def _named(message: str, frame: FrameType) -> str:
    """Return the message about a value that may be None, with the variable that has it."""
    names = [name for name, each in frame.f_locals.items() if type(each) is TracedOptional]
    if len(names) != 1:
        return message
    return message.replace("this value", f"'{names[0]}'").replace("if x is", f"if {names[0]} is")


def _enum_member_message(attribute: str, code: CodeType, line: int) -> str:
    """Return the message about an attribute of a member of an enum, which JAX has as a number."""
    text = linecache.getline(code.co_filename, line)
    found = re.search(rf"(\w+)\.{attribute}\b", text)
    name = "x" if found is None else found[1]
    instead = f"`{name}`" if attribute == "value" else f"a table, as `names[{name}]`,"
    return (
        f"a number has no attribute '{attribute}', and of a member of an enum.IntEnum that a "
        f"condition chooses JAX has the number: write {instead} in the place of "
        f"`{name}.{attribute}`"
    )


def _message(error: BaseException, code: CodeType) -> str | None:
    text = str(error)
    if isinstance(error, jax.errors.NonConcreteBooleanIndexError):
        return (
            "a mask picks as many items as only a run knows: write jnp.where(mask, x, 0) to leave "
            "out the others, or jnp.nonzero(mask, size=...)"
        )
    if isinstance(error, InconclusiveDimensionOperation):
        return (
            "an array has a length here that jax.export leaves open, and Python needs the number: "
            "iterate by a `for` statement, and choose by jnp.where"
        )
    if _is_of_flax(error):
        return (
            "a module, or a variable of one, is changed on a path that only a run chooses, or in a "
            "loop, and Flax lets no statement of JAX do that: compute the value there, or change a "
            "state that nnx.split gives, and assign it after the statement"
        )
    is_of_jax = isinstance(error, _TRACER_ERRORS)
    if not is_of_jax and "Trace" not in text and _OF_OPTIONAL not in text:
        return None
    by_text = next((message for part, message in _BY_TEXT.items() if part in text), None)
    if by_text is not None:
        return by_text
    if isinstance(error, jax.errors.TracerBoolConversionError):
        return _truth_message(code)
    if isinstance(error, jax.errors.TracerIntegerConversionError):
        return _NOT_CONVERTED + "take an array of JAX in the place of a Python list, or jnp.take"
    if is_of_jax:
        return _NOT_CONVERTED + "call functions of jax.numpy with it"
    if _OF_PYTHON.match(text):
        return None
    return f"{_NOT_CONVERTED}call functions of jax.numpy with it ({text})"


_TRACER_ERRORS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
)


def _truth_message(code: CodeType) -> str:
    name = getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")
    if code.co_flags & CO_GENERATOR:
        return (
            f"{name}() is a generator, which stays Python, and a condition in it is known only "
            "when the program runs: write a loop that appends to a list"
        )
    if code_info_of(code) is None:
        return (
            f"{name}() is not converted, and a condition in it is known only when the program "
            "runs: write @autograph.jax.convert over it"
        )
    return _NOT_CONVERTED + "write jnp.where, jnp.any, or jax.lax.cond for its condition"

"""Frames of the call stack: the user's ones, and the function call of each.

A converted function is several code objects: its own, and the functions of branches and loop
bodies. On the stack, frames of these packages are between them:

    converted_call    (internal)
    if_body           (the user's file; a part of f)      <- f's frame as the user sees it
    if_stmt           (internal)
    f                 (the user's file)
    g                 (the user's file)                   <- g's frame as the user sees it
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from weakref import ref

from runtime.core.internal_files import is_internal_file

# The number of frames to which a `stacklevel` or an inspection of callers usually goes.
_NEAR = 8


def python_folder(kind: str) -> str:
    """Return a folder of this Python, as `sysconfig.get_path` does, but faster.

    >>> os.path.exists(os.path.join(python_folder("stdlib"), "json"))
    True
    """
    words = {
        "abi_thread": "t" if "t" in getattr(sys, "abiflags", "") else "",
        "base": sys.prefix,
        "implementation_lower": sys.implementation.name.replace("cpython", "python"),
        "installed_base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
        "platbase": sys.exec_prefix,
        "platlibdir": sys.platlibdir,
        "py_version_nodot": "".join(map(str, sys.version_info[:2])),
        "py_version_short": ".".join(map(str, sys.version_info[:2])),
    }
    try:
        return os.path.normpath(sysconfig.get_path(kind, expand=False).format_map(words))
    except KeyError:
        return sysconfig.get_path(kind)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class CodeInfo:
    """The description of a generated code object, which has it as its last constant.

    Attributes:
        names: all names of the user's own code; other names are synthetic.
        is_body: whether it is the function of a statement's body, and no user's function.
        start: for placeholder code, which runs until the first call: converts the function.
        original: the code of the user's function that was converted, referenced weakly.
        within: for nested code, the `original` of the outermost function.
    """

    names: frozenset[str]
    is_body: bool
    start: object = None
    original: ref[CodeType] | None = field(default=None, compare=False)
    within: ref[CodeType] | None = field(default=None, compare=False)

    def inside(self, is_body: bool) -> CodeInfo:
        """Return the description of code nested in this one."""
        return CodeInfo(self.names, is_body, within=self.within or self.original)


def code_info_of(code: CodeType) -> CodeInfo | None:
    """Return the description of `code` if it is generated, else None.

    >>> code_info_of(code_info_of.__code__) is None
    True
    """
    constants = code.co_consts
    last = constants[-1] if constants else None
    return last if type(last) is CodeInfo else None


def original_of(code: CodeType) -> CodeType:
    """Return the user's code from which `code` was converted; other code itself.

    >>> original_of(original_of.__code__) is original_of.__code__
    True
    """
    part = code_info_of(code)
    found = None if part is None or part.original is None else part.original()
    return code if found is None else found


def is_placeholder(code: CodeType) -> bool:
    """Return whether `code` is placeholder code, which converts a function at its first call."""
    part = code_info_of(code)
    return part is not None and part.start is not None


def is_internal_code(code: CodeType) -> bool:
    """Return whether a frame of `code` is internal to these packages."""
    return is_internal_file(code.co_filename) or is_placeholder(code)


def is_body(code: CodeType) -> bool:
    """Return whether `code` is the function of a statement's body."""
    part = code_info_of(code)
    return part is not None and part.is_body


def is_direct(frame: FrameType | None) -> bool:
    """Return whether each inner frame of the user's code is one call of the frame before it.

    Then a function that counts frames needs no replacement. The frames of these packages up to the
    user's innermost one, which calls the function, do not count.
    """
    has_users = False
    for _ in range(_NEAR):
        if frame is None:
            return True
        part = code_info_of(frame.f_code)
        if part is not None and (part.is_body or part.start is not None):
            return False
        is_internal = is_internal_file(frame.f_code.co_filename)
        if is_internal and has_users:
            return False
        has_users = has_users or not is_internal
        frame = frame.f_back
    return True


def user_frames(frame: FrameType | None) -> Iterator[tuple[int, FrameType]]:
    """Yield the frame of each call of a user's function, innermost call first, after its distance.

    Of several frames of one call, the innermost is yielded: it is at the current line. The distance
    is counted in frames from `frame`.
    """
    distance, inside = 0, False
    while frame is not None:
        code = frame.f_code
        if not is_internal_code(code):
            if not inside:
                yield distance, frame
            inside = is_body(code)
        frame, distance = frame.f_back, distance + 1


def frames_of_call(frame: FrameType) -> list[FrameType]:
    """Return all frames of the user's call to which `frame` belongs, innermost first."""
    found, current = [frame], frame.f_back
    while is_body(found[-1].f_code) and current is not None:
        if not is_internal_code(current.f_code):
            found.append(current)
        current = current.f_back
    return found

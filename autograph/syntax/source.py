"""From a function to its source: the text of its file and the tree of its definition.

The whole file is parsed. The definition is found by the line and name of the code object, and it is
used only if it compiles to that code: a file that has changed since its import is refused.
"""

from __future__ import annotations
import __future__ as future_statements

import linecache
import sys
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from autograph.errors import SourceError
from autograph.syntax.large_stack import RecursionDepthExceeded, with_large_stack
from autograph.syntax.locate import FoundDefinition, SourceFile, find_definition
from autograph.syntax.translate import to_gast
from runtime.core.fork_safety import cached_property, fork_safe_lock
from runtime.core.source_names import line_name
from runtime.core.weak_tables import weakref_removing

_MAX_FILES = 32
# Without those that are part of every Python 3, and whose flags have another meaning now.
_FUTURES = {
    name: getattr(future_statements, name).compiler_flag
    for name in future_statements.all_feature_names
    if name not in ("nested_scopes", "generators")
}
_C_FUNCTIONS = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)

_lock = fork_safe_lock()
_files: dict[str, SourceFile] = {}
# By the id of a code object, since code objects of different files may be equal.
_found: dict[int, tuple[weakref.ref[types.CodeType], LocatedDefinition]] = {}


class LocatedDefinition(NamedTuple):
    """A definition with the text of its file, without the tree of the file."""

    text: str
    lines: tuple[str, ...]
    found: FoundDefinition


@dataclass(eq=False, repr=False)
class FunctionSource:
    """The source of one function.

    Attributes:
        filename: the file, or the cell's name in a notebook or the interpreter.
        text: the whole file or cell; `lines` are its lines without line ends.
        name: the function's name as compiled: `f`, or `<lambda>`.
        class_name: the innermost class around it, by which private names are mangled, or None.
        node: gast FunctionDef, AsyncFunctionDef or Lambda with the positions of the file; it is
            made at its first use, and may be changed.
        definition: the `ast` node of the file, which is shared and must not be changed.
    """

    filename: str
    text: str
    lines: tuple[str, ...]
    name: str
    class_name: str | None
    definition: Any

    @cached_property
    def node(self) -> Any:
        """The definition as gast.

        Raises:
            SourceError: the definition nests too deeply.
        """
        try:
            return with_large_stack(lambda: to_gast(self.definition))
        except RecursionDepthExceeded:
            raise _too_deep(f"'{self.name}' ({line_name(self.filename, self.line)})") from None

    def fresh_copy(self) -> FunctionSource:
        """Return the same source, with an unchanged tree."""
        return replace(self)

    @property
    def line(self) -> int:
        """The line of `def` or `lambda`, not of a decorator."""
        return int(self.definition.lineno)


def source_of(fn: Any) -> FunctionSource:
    """Return the source of a Python function, method, class- or static method, or lambda.

    For a wrapper, this is the source of the wrapper, not of the wrapped function.

    Raises:
        SourceError: `fn` has no Python source, or its source cannot be found, or has changed.

    >>> from autograph.syntax.printer import print_tree
    >>> print_tree(source_of(print_tree).node).splitlines()[0]
    'def print_tree(tree: Any) -> str:'
    """
    function = _function_of(fn)
    code = function.__code__
    with _lock:
        located = _cached(code) or _locate(function, code)
    return FunctionSource(
        filename=code.co_filename,
        text=located.text,
        lines=located.lines,
        name=code.co_name,
        class_name=located.found.class_name,
        definition=located.found.node,
    )


def _function_of(fn: Any) -> Any:
    """Return the plain function of `fn`: of a method, the function that it binds.

    Raises:
        SourceError: it has no Python code.
    """
    if isinstance(fn, (types.MethodType, classmethod, staticmethod)):
        return _function_of(fn.__func__)
    if isinstance(getattr(fn, "__code__", None), types.CodeType):
        return fn
    raise SourceError(_no_code(fn))


def _no_code(fn: Any) -> str:
    name = getattr(fn, "__qualname__", None) or repr(fn)
    if isinstance(fn, type):
        return f"'{name}' is a class; convert one of its methods instead"
    if isinstance(fn, partial):
        return f"{fn!r} is a partial; convert its function, .func, instead"
    if hasattr(fn, "__wrapped__"):
        return f"'{name}' is a wrapper without Python code; convert its .__wrapped__ instead"
    if isinstance(fn, _C_FUNCTIONS):
        return f"'{name}' is written in C and has no Python source; call it unconverted"
    if callable(fn) and hasattr(type(fn).__call__, "__code__"):
        kind = type(fn).__qualname__
        return f"an object of class '{kind}' has no source of its own; convert its __call__ method"
    return f"{fn!r} has no Python source; pass a function written with def or lambda"


def _cached(code: types.CodeType) -> LocatedDefinition | None:
    entry = _found.get(id(code))
    return entry[1] if entry is not None and entry[0]() is code else None


def _locate(function: Any, code: types.CodeType) -> LocatedDefinition:
    """Find the definition in the text that `linecache` has, or else in the current file."""
    lines = _lines_of(function, code)
    located = _locate_in(lines, function, code)
    if located is None:
        linecache.checkcache(code.co_filename)
        fresh = _lines_of(function, code)
        located = _locate_in(fresh, function, code) if fresh != lines else None
        lines = lines or fresh
    if located is None:
        raise SourceError(_not_found(function, bool(lines)))
    _remember(code, located)
    return located


def _remember(code: types.CodeType, located: LocatedDefinition) -> None:
    key = id(code)
    _found[key] = (weakref_removing(code, _found, key), located)


def share_source(made: types.CodeType, code: types.CodeType) -> None:
    """Record that `made`, a code object made from `code`, has the same source."""
    located = _cached(code)
    if located is not None:
        with _lock:
            _remember(made, located)


# The names that IPython gives the code of a cell under a magic, whose text it does not keep.
_MAGICS = {"<timed exec>": "%%time", "<timed eval>": "%%time", "<magic-timeit>": "%%timeit"}


def _not_found(function: Any, has_text: bool) -> str:
    place = _described(function)
    if has_text and function.__code__.co_filename != "<string>":
        return f"the source of {place} has changed since it was imported; import it again"
    if (magic := _MAGICS.get(function.__code__.co_filename)) is not None:
        return f"no source for {place}, which {magic} keeps to itself; define it in another cell"
    return f"no source for {place}; put it into a file, or its text into linecache.cache"


def _lines_of(function: Any, code: types.CodeType) -> list[str]:
    """Return the lines that `linecache` has; from Python 3.13 on also those typed at the prompt."""
    typed = getattr(linecache, "_getlines_from_code", None)
    lines: list[str] = list(typed(code) or ()) if typed is not None else []
    lines = lines or linecache.getlines(code.co_filename, function.__globals__)
    return lines or _command_lines(code.co_filename)


def _command_lines(filename: str) -> list[str]:
    """Return the lines of `python -c "..."`, which `linecache` does not have."""
    arguments = sys.orig_argv[1:]
    if filename != "<string>" or "-c" not in arguments[:-1]:
        return []
    return arguments[arguments.index("-c") + 1].splitlines(keepends=True)


def _locate_in(lines: list[str], function: Any, code: types.CodeType) -> LocatedDefinition | None:
    if not lines:
        return None
    try:
        return with_large_stack(lambda: _search("".join(lines), function, code))
    except RecursionDepthExceeded:
        raise _too_deep(_described(function)) from None


def _search(text: str, function: Any, code: types.CodeType) -> LocatedDefinition | None:
    file = _file(code.co_filename, text)
    flags = sum(flag for flag in _FUTURES.values() if code.co_flags & flag)
    found = find_definition(file, code, flags, rewritten=_is_rewritten(function))
    return None if found is None else LocatedDefinition(file.text, file.lines, found)


def _too_deep(place: str) -> SourceError:
    message = f"an expression in {place} nests too deeply; split it into several statements"
    return SourceError(message)


def _described(function: Any) -> str:
    code = function.__code__
    return f"'{function.__qualname__}' ({line_name(code.co_filename, code.co_firstlineno)})"


def _file(filename: str, text: str) -> SourceFile:
    """Return the parsed file, from the cache if its text is the same."""
    file = _files.get(filename)
    if file is None or file.raw_text != text:
        if len(_files) >= _MAX_FILES:
            del _files[next(iter(_files))]
        file = _files[filename] = SourceFile.read(filename, text)
    return file


def _is_rewritten(function: Callable[..., Any]) -> bool:
    """Return whether an import hook may have rewritten the module.

    pytest, typeguard and beartype add their checks in this way, so that the code of a function is
    not that of its source.
    """
    loader = function.__globals__.get("__loader__")
    kind = loader if isinstance(loader, type) else type(loader)
    root = kind.__module__.partition(".")[0]
    return loader is not None and root not in ("_frozen_importlib", "_frozen_importlib_external",
                                               "importlib", "zipimport")  # fmt: skip

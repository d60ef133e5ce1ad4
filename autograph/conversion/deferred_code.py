"""Placeholder code of functions that are converted at their first call.

It has the signature, name, file, line and free variables of the user's function, so that converted
code can replace it:

    def f(x, *rest, k=1):
        try:
            return START.target()(x, *rest, k=k)
        except:
            START.drop_frames()
            raise
"""

from __future__ import annotations

import ast
import inspect
import sys
from types import CodeType, FunctionType
from typing import Any, Protocol

from autograph.lowering import Constants
from autograph.operators.frames import CodeInfo

_TEXT = """
def factory():
    def waiting():
        try:
            return START.target()()
        except:
            START.drop_frames()
            raise
        FREE
"""


class DeferredCode(Protocol):
    """Converts a function at its first call."""

    def target(self) -> Any:
        """Return the converted form."""

    def drop_frames(self) -> None:
        """Drop the frames of these packages from the exception that is being handled."""


def with_deferred_code(fn: FunctionType, start: DeferredCode) -> FunctionType:
    """Return a function like `fn` that calls `start.target()` with its arguments."""
    made = FunctionType(_code(fn, start), fn.__globals__, fn.__name__, closure=fn.__closure__)
    made.__defaults__, made.__kwdefaults__ = fn.__defaults__, fn.__kwdefaults__
    made.__qualname__ = fn.__qualname__
    return made


def _code(fn: FunctionType, start: DeferredCode) -> CodeType:
    user = fn.__code__
    module = ast.parse(_TEXT)
    constants = Constants()
    factory, waiting, call = _parts(module)
    factory.args.args = [ast.arg(name) for name in user.co_freevars]
    _PlaceholderFiller(start, constants, user.co_freevars).visit(waiting)
    waiting.args, call.args, call.keywords = _signature(user)
    _place(module, user.co_firstlineno)
    code = compile(module, user.co_filename, "exec", dont_inherit=True)
    code = _inside(_inside(code))
    held = (*map(constants.replaced, code.co_consts), CodeInfo(frozenset(), False, start))
    code = code.replace(co_name=user.co_name, co_consts=held, co_flags=user.co_flags)
    if sys.version_info >= (3, 11):
        return code.replace(co_qualname=user.co_qualname)
    return code


def _place(module: ast.Module, line: int) -> None:
    """Put all nodes of a module on the line of the user's function."""
    ast.fix_missing_locations(module)
    nodes: list[Any] = [node for node in ast.walk(module) if "lineno" in node._attributes]
    for node in nodes:
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0


def _parts(module: ast.Module) -> tuple[ast.FunctionDef, ast.FunctionDef, ast.Call]:
    factory = module.body[0]
    assert isinstance(factory, ast.FunctionDef)
    waiting = factory.body[0]
    assert isinstance(waiting, ast.FunctionDef)
    attempt = waiting.body[0]
    assert isinstance(attempt, ast.Try)
    result = attempt.body[0]
    assert isinstance(result, ast.Return) and isinstance(result.value, ast.Call)
    return factory, waiting, result.value


def _signature(user: CodeType) -> tuple[ast.arguments, list[ast.expr], list[ast.keyword]]:
    """Return the parameters of a code object, and the arguments of a call that passes them on."""
    names = list(user.co_varnames)
    positional = names[: user.co_argcount]
    keyword_only = names[user.co_argcount : user.co_argcount + user.co_kwonlyargcount]
    rest = names[user.co_argcount + user.co_kwonlyargcount :]
    several = rest.pop(0) if user.co_flags & inspect.CO_VARARGS else None
    others = rest.pop(0) if user.co_flags & inspect.CO_VARKEYWORDS else None
    only = user.co_posonlyargcount
    parameters = ast.arguments(
        posonlyargs=[ast.arg(name) for name in positional[:only]],
        args=[ast.arg(name) for name in positional[only:]],
        vararg=ast.arg(several) if several else None,
        kwonlyargs=[ast.arg(name) for name in keyword_only],
        kw_defaults=[None for _ in keyword_only],
        kwarg=ast.arg(others) if others else None,
        defaults=[],
    )
    given: list[ast.expr] = [_read(name) for name in positional]
    if several:
        given.append(ast.Starred(_read(several), ast.Load()))
    keywords = [ast.keyword(name, _read(name)) for name in keyword_only]
    if others:
        keywords.append(ast.keyword(None, _read(others)))
    return parameters, given, keywords


class _PlaceholderFiller(ast.NodeTransformer):
    """Replaces `START` by the object, and `FREE` by reads of the free variables."""

    def __init__(self, start: DeferredCode, constants: Constants, free: tuple[str, ...]) -> None:
        self._start = start
        self._constants = constants
        self._free = free

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Name) and node.value.id == "FREE":
            return ast.Expr(ast.Tuple([_read(name) for name in self._free], ast.Load()))
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._constants.node(self._start, node) if node.id == "START" else node


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _inside(code: CodeType) -> CodeType:
    return next(value for value in code.co_consts if isinstance(value, CodeType))

"""Creates function objects from converted trees without running any code.

The tree of `f` is compiled inside a function that binds its free variables. That of a method is
compiled inside a class with the name of its class, so that Python mangles private names:

    def <autograph>(scale):                 # scale is a free variable of the user's f
        def tf__f(x):
            if <nothing is recorded>:
                return scale * x
            else:
                return ag__.ld(scale) * ag__.ld(x)

The code object of `tf__f` is then extracted and combined with the user's own cells, so that `f` and
its converted form share `nonlocal` writes, names bound later, and `__class__`.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.conversion.renaming import rename
from autograph.errors import ConversionError
from autograph.lowering import Lowered
from autograph.operators.calls import Replacement
from autograph.syntax.recompile import ignoring_compiler_warnings
from runtime.core.weak_tables import IdentityTable

_FACTORY = "<autograph>"  # no user's name, so that it is found again in qualified names
_FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    _FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag

# Flags that are copied from the user's code: generated code is nested in the factory, and
# `types.coroutine` may have set the other flag.
_KEPT_FLAGS = inspect.CO_NESTED | inspect.CO_ITERABLE_COROUTINE

Cells = tuple[CellType, ...]
ReplacementTable = IdentityTable[FunctionType, Replacement]


@dataclass(slots=True, eq=False, repr=False)
class GeneratedCode:
    """Compiled converted code, without the cells and defaults of a function.

    Attributes:
        code: the code object, with the user's names, file and lines.
        close: returns the closure of the generated function for the user's cells.
        replacements: the table of the replacements of functions, to which converted forms are
            added.
    """

    code: CodeType
    close: Callable[[Cells], Cells]
    replacements: ReplacementTable = field(default_factory=IdentityTable)

    def instantiate(self, fn: FunctionType) -> FunctionType:
        """Return the converted form of `fn`: the code with its globals, cells and defaults."""
        known = self.replacements.get(fn)
        made: Any = None if known is None else known[2]
        if made is not None and self._is_still(made, fn):
            return made
        made = self.fresh(fn)
        if _can_be_kept(fn):
            # `callee` compares the code and the defaults, but no keyword-only defaults.
            code = None if fn.__code__.co_kwonlyargcount else fn.__code__
            self.replacements.put(fn, (code, fn.__defaults__, made, None))
        return made

    def _is_still(self, made: Any, fn: FunctionType) -> bool:
        """Return whether `made` is still the converted form of `fn`."""
        same = made.__code__ is self.code and made.__defaults__ is fn.__defaults__
        return same and made.__kwdefaults__ is fn.__kwdefaults__

    def fits(self, fn: FunctionType) -> bool:
        """Return whether the code can replace that of `fn`, with the same cells."""
        cells = fn.__closure__ or ()
        return self.close(cells) is cells

    def fresh(self, fn: FunctionType) -> FunctionType:
        """Return the converted form of `fn` as a new function object."""
        closure = self.close(fn.__closure__ or ())
        made = FunctionType(self.code, fn.__globals__, fn.__name__, fn.__defaults__, closure)
        made.__qualname__ = fn.__qualname__
        made.__kwdefaults__ = fn.__kwdefaults__
        return made


def _can_be_kept(fn: FunctionType) -> bool:
    """Return whether the converted form of `fn` may be cached for the next call.

    It keeps `fn` alive through its globals or cells. That is harmless for a function of a module;
    one made by another function, or by `exec`, would never be freed.
    """
    if fn.__closure__ is not None:
        return False
    module = sys.modules.get(fn.__module__)
    return module is not None and module.__dict__ is fn.__globals__


def load(
    lowered: Lowered,
    fn: FunctionType,
    class_name: str | None = None,
    replacements: ReplacementTable | None = None,
) -> GeneratedCode:
    """Compile the converted tree of `fn`.

    Args:
        lowered: the lowered form of the converted function.
        fn: the user's function.
        class_name: the class of a method, for its private names; None for other functions.
        replacements: the table of the replacements of functions; None for a new one.

    Raises:
        ConversionError: Python does not compile the tree.
    """
    definition = _without_signature(lowered.definition, fn.__code__.co_firstlineno)
    name = _name_of(definition)
    free = fn.__code__.co_freevars
    flags = fn.__code__.co_flags & _FUTURE_FLAGS
    module = _factory(definition, free, class_name)
    code = _compile(module, fn.__code__.co_filename, flags)
    for around in (class_name, _FACTORY, name):
        code = code if around is None else _inside(code, around)
    before = f"{f'{class_name}.' if class_name else ''}{_FACTORY}.<locals>.{name}"
    renamed = rename(code, fn.__code__, before, _qualname_of(fn), lowered)
    kept = fn.__code__.co_flags & _KEPT_FLAGS
    renamed = renamed.replace(co_flags=renamed.co_flags & ~_KEPT_FLAGS | kept)
    return GeneratedCode(
        renamed, _closer(renamed, free), IdentityTable() if replacements is None else replacements
    )


def _compile(module: ast.Module, filename: str, flags: int) -> CodeType:
    try:
        with ignoring_compiler_warnings():
            return compile(module, filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        # The compiler has rules beside the grammar, such as: a parameter must not be global.
        raise ConversionError(f"the converted code is not valid Python: {error}") from error


def dress(made: FunctionType, fn: FunctionType) -> FunctionType:
    """Copy the other attributes of the user's function to a converted one; return this one.

    Both share one `__dict__`.
    """
    for name in ("__module__", "__doc__", "__annotations__", "__type_params__"):
        if hasattr(fn, name):
            setattr(made, name, getattr(fn, name))
    made.__dict__ = fn.__dict__
    return made


def _without_signature(statement: ast.stmt, first_line: int) -> ast.stmt:
    """Drop the parts that are evaluated at the definition: the user's function has their values.

    If the user's code begins at a decorator, the statement gets a decorator, for its first line.
    """
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        _empty_defaults(statement.value.args)
        return statement
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise ConversionError(f"expected a converted function, not {ast.dump(statement)}")
    _empty_defaults(statement.args)
    for argument in _arguments(statement.args):
        argument.annotation = None
    first = ast.Constant(None, lineno=first_line, end_lineno=first_line)
    first.col_offset = first.end_col_offset = 0
    statement.decorator_list = [first] if first_line < statement.lineno else []
    statement.returns = None
    if hasattr(statement, "type_params"):
        statement.type_params = []
    return statement


def _empty_defaults(arguments: ast.arguments) -> None:
    arguments.defaults = [_nothing_at(node) for node in arguments.defaults]
    arguments.kw_defaults = [
        None if node is None else _nothing_at(node) for node in arguments.kw_defaults
    ]


def _nothing_at(node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Constant(None), node)


def _arguments(arguments: ast.arguments) -> Iterable[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (each for each in (arguments.vararg, arguments.kwarg) if each is not None)


def _factory(definition: ast.stmt, free: tuple[str, ...], class_name: str | None) -> ast.Module:
    """Return a module with the definition inside a function whose parameters are `free`."""
    parameters = ", ".join(f"_{position}" for position in range(len(free)))
    module = ast.parse(f"def factory({parameters}): pass")
    factory = module.body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.name, factory.body = _FACTORY, [definition]
    for argument, name in zip(factory.args.args, free):
        argument.arg = name
    if class_name is not None:
        around = ast.parse("class owner: pass")
        assert isinstance(around.body[0], ast.ClassDef)
        around.body[0].name, around.body[0].body = class_name, module.body
        return around
    return module


def _name_of(definition: ast.stmt) -> str:
    if isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return definition.name
    return "<lambda>"


def _inside(code: CodeType, name: str) -> CodeType:
    return next(
        value for value in code.co_consts if isinstance(value, CodeType) and value.co_name == name
    )


def _qualname_of(fn: FunctionType) -> str:
    # `functools.wraps` renames function objects, but not code objects (3.11+).
    name = getattr(fn.__code__, "co_qualname", fn.__qualname__)
    assert isinstance(name, str)
    return name


def _closer(code: CodeType, free: tuple[str, ...]) -> Callable[[Cells], Cells]:
    """Return a function that picks the closure of `code` from cells in the order of `free`."""
    known = {name: position for position, name in enumerate(free)}
    positions = [known.get(name) for name in code.co_freevars]
    if positions == list(range(len(free))):
        return lambda cells: cells
    if None not in positions and len(positions) > 1:
        return operator.itemgetter(*positions)

    def close(cells: Cells) -> Cells:
        return tuple([CellType() if at is None else cells[at] for at in positions])

    return close

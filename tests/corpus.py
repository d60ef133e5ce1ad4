"""The corpus: every program under `tests/programs/`, with its inputs, as one tuple of records.

A program is a module with a docstring, a function named like the file and `CASES`, a list of
argument tuples in plain Python terms. It also says one of three things about tensors:

    STAGES = ("cond",)       the control-flow nodes its trace must hold (`()`: straight ops)
    PYTHON_ONLY = "reason"   its arguments have no meaning as tensors
    REFUSED = "ErrorName"    staging it raises this error of `autograph.errors`

and, where needed,

    STATIC = (1,)            positions of arguments that stay Python values when it is staged
    STAGED_ONLY = "reason"   unconverted, it does not work on eager tensors
    NO_GRAPH = "reason"      its golden file leaves the graph out
    ARRAYS = True            lists are NumPy arrays when it runs without tensors
    NAMES = "items"          what the message of the refusal must name; without it the carets
                             must stand under one expression
    ALWAYS = {"while s:": "reason"}
                             lines of branches and loops that cannot go every way there is
    SIZED = "reason"         it needs to know while it is traced how long tensors are
    DIFFERS = {"rows": "reason"}
                             what staging gives in another form: a tensor for a list of numbers
                             ("rows"), a float for an int ("widened"), what is "printed"
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import runtime as rt

FOLDER = Path(__file__).parent / "programs"
MEANINGS = ("STAGES", "PYTHON_ONLY", "REFUSED")
MARKS = {
    "CASES",
    "STATIC",
    "STAGED_ONLY",
    "NO_GRAPH",
    "ARRAYS",
    "NAMES",
    "ALWAYS",
    "SIZED",
    "DIFFERS",
    *MEANINGS,
}
_DATA = (bool, int, float, str, type(None), list, dict, set)
DIFFERENCES = {"rows", "widened", "printed"}


@dataclass(frozen=True)
class Program:
    """One function of the corpus with everything a test needs to run it."""

    theme: str
    name: str
    doc: str
    function: Callable[..., Any]
    cases: tuple[tuple[Any, ...], ...]
    static: frozenset[int]
    stages: tuple[str, ...]
    python_only: str | None
    refused: str | None
    staged_only: str | None
    no_graph: str | None
    arrays: bool
    names: str | None
    differs: Mapping[str, str]
    always: Mapping[str, str]
    sized: str | None
    module: ModuleState

    @property
    def id(self) -> str:
        """The name tests and goldens know the program by: `theme/name`."""
        return f"{self.theme}/{self.name}"

    def arguments(self, case: int) -> list[Any]:
        """Fresh Python arguments of one case: a program may change them."""
        values = copy.deepcopy(list(self.cases[case]))
        return [_array(value) for value in values] if self.arrays else values

    def tensors(self, case: int) -> list[Any]:
        """The same arguments with numbers and lists of numbers as tensors.

        An empty list is a tensor without rows where another case has a list of numbers.
        """
        return [
            value if position in self.static else self._lifted(position, value)
            for position, value in enumerate(copy.deepcopy(self.cases[case]))
        ]

    @property
    def has_lengths(self) -> bool:
        """Whether a list of numbers is among its arguments."""
        return any(isinstance(each, rt.Tensor) and each.shape.rank for each in self.tensors(0))

    def unsized(self, case: int) -> list[Any]:
        """The same arguments with a spec for each tensor, which leaves all lengths unknown."""
        return [
            rt.TensorSpec([None] * value.shape.rank, value.dtype)
            if isinstance(value, rt.Tensor)
            else value
            for value in self.tensors(case)
        ]

    def _lifted(self, position: int, value: Any) -> Any:
        if isinstance(value, list) and not value:
            others = (lifted(case[position]) for case in self.cases if len(case) > position)
            return next((each[:0] for each in others if isinstance(each, rt.Tensor)), value)
        return lifted(value)


@contextlib.contextmanager
def undisturbed(program: Program) -> Iterator[None]:
    """Let a program find its module as it was imported, and leave it so for others."""
    program.module.restore()
    try:
        yield
    finally:
        program.module.restore()


class ModuleState:
    """The module variables of a program as they were after the import, and a way to restore them.

    Args:
        module: the module, just imported.
    """

    def __init__(self, module: ModuleType) -> None:
        self._variables = vars(module)
        own = [value for value in self._variables.values() if _is_own(value, module.__name__)]
        self._attributes = [(vars(value), vars(value).copy()) for value in own]
        values = self._variables.items()
        self._data = {name: value for name, value in values if type(value) in _DATA}
        self._parts = {name: copy.copy(value) for name, value in self._data.items()}

    def restore(self) -> None:
        """Give every module variable, and every own object in one, its first contents again."""
        self._variables.update(self._data)
        for name, value in self._data.items():
            if isinstance(value, list):
                value[:] = self._parts[name]
            elif isinstance(value, dict | set):
                value.clear()
                value.update(self._parts[name])
        for each, before in self._attributes:
            each.clear()
            each.update(before)


def _is_own(value: object, module: str) -> bool:
    own = type(value).__module__ == module
    has_attributes = type(getattr(value, "__dict__", None)) is dict
    return has_attributes and (own or type(value) is SimpleNamespace)


def lifted(value: Any) -> Any:
    """A number or a list of numbers as a tensor; anything else (a string, None) as it is.

    >>> lifted([1, 2]).shape.as_list()
    [2]
    >>> lifted("text")
    'text'
    """
    return rt.constant(value) if _is_numeric(value) else value


def _array(value: Any) -> Any:
    """A list of numbers as the NumPy array that `rt.constant` would make of it."""
    return rt.constant(value).numpy() if isinstance(value, list) else value


def _is_numeric(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_is_numeric(item) for item in value)
    return isinstance(value, bool | int | float)


def _program(path: Path) -> Program:
    theme, name = path.parent.name, path.stem
    module = importlib.import_module(f"tests.programs.{theme}.{name}")
    _check(module, f"{theme}/{name}", name)
    return Program(
        theme=theme,
        name=name,
        doc=inspect.cleandoc(module.__doc__ or ""),
        function=getattr(module, name),
        cases=tuple(module.CASES),
        static=frozenset(getattr(module, "STATIC", ())),
        stages=tuple(getattr(module, "STAGES", ())),
        python_only=getattr(module, "PYTHON_ONLY", None),
        refused=getattr(module, "REFUSED", None),
        staged_only=getattr(module, "STAGED_ONLY", None),
        no_graph=getattr(module, "NO_GRAPH", None),
        arrays=getattr(module, "ARRAYS", False),
        names=getattr(module, "NAMES", None),
        differs=getattr(module, "DIFFERS", {}),
        always=getattr(module, "ALWAYS", {}),
        sized=getattr(module, "SIZED", None),
        module=ModuleState(module),
    )


def _check(module: ModuleType, program: str, name: str) -> None:
    """Refuse a program that a test could misread."""
    unknown = {word for word in vars(module) if word.isupper()} - MARKS
    if unknown:
        raise ValueError(f"{program}: unknown marks {sorted(unknown)}; known are {sorted(MARKS)}")
    if not module.__doc__ or not callable(getattr(module, name, None)):
        raise ValueError(f"{program}: needs a docstring and a function named {name}")
    if not getattr(module, "CASES", None):
        raise ValueError(f"{program}: needs CASES, a list of argument tuples")
    if unknown := set(getattr(module, "DIFFERS", {})) - DIFFERENCES:
        raise ValueError(f"{program}: DIFFERS may name {sorted(DIFFERENCES)}, not {unknown}")
    if hasattr(module, "NAMES") and not hasattr(module, "REFUSED"):
        raise ValueError(f"{program}: NAMES is for a program that is refused")
    if sum(hasattr(module, mark) for mark in MEANINGS) != 1:
        raise ValueError(f"{program}: give exactly one of {', '.join(MEANINGS)}")


def _programs() -> tuple[Program, ...]:
    return tuple(_program(path) for path in sorted(FOLDER.glob("*/*.py")))


PROGRAMS: tuple[Program, ...] = _programs()
TENSOR_PROGRAMS = tuple(program for program in PROGRAMS if program.python_only is None)
STAGED_PROGRAMS = tuple(program for program in TENSOR_PROGRAMS if program.refused is None)
REFUSED_PROGRAMS = tuple(program for program in TENSOR_PROGRAMS if program.refused is not None)


def find(names: list[str]) -> tuple[Program, ...]:
    """The programs with these names (`theme/name` or `name`); all of them for an empty list."""
    chosen = tuple(p for p in PROGRAMS if not names or p.name in names or p.id in names)
    known = {p.name for p in chosen} | {p.id for p in chosen}
    missing = [name for name in names if name not in known]
    if missing:
        raise LookupError(f"no program named {', '.join(missing)} under {FOLDER.name}/")
    return chosen

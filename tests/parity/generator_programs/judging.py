"""Whether a traced program with generators agrees with eager execution, or is refused."""

from __future__ import annotations

import linecache
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from runtime.errors import OpError
from tests.corpus import lifted
from tests.parity.generator_programs.programs import CASES, GeneratorProgram

STATIC = (1,)


@dataclass(frozen=True)
class Verdict:
    """How a traced program is not as it should be.

    Attributes:
        seed: says which program it is.
        cause: what differs, or the words of a refusal.
        is_refusal: whether it was refused with an error of ours.
        text: the program.
    """

    seed: int
    cause: str
    is_refusal: bool
    text: str

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.cause}\n{self.text}"


def verdict(seed: int) -> Verdict | None:
    """Run a program on Python's values, and traced on tensors; None if they agree."""
    text = GeneratorProgram(seed).text
    function = _entry(text, f"<generators {seed}>")
    traced = ag.function(function)
    for case in CASES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected, actual = _outcome(function, case), _outcome(traced, _lifted(case))
        refused = isinstance(actual, (AutographError, OpError))
        if isinstance(expected, BaseException) and type(expected) is type(actual):
            continue
        if isinstance(actual, BaseException):
            words = f"{case}: {expected!r}, traced {type(actual).__name__}: {actual}"
            return Verdict(seed, words, refused, text)
        if expected != actual:
            return Verdict(seed, f"{case}: {expected!r}, traced {actual!r}", False, text)
    return None


def _entry(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = ModuleType("generator_program")
    exec(compile(text, name, "exec"), vars(module))
    return module.entry


def _lifted(case: tuple[Any, ...]) -> list[Any]:
    return [each if at in STATIC else lifted(each) for at, each in enumerate(case)]


def _outcome(function: Any, arguments: Any) -> Any:
    try:
        return _plain(function(*arguments))
    except Exception as error:
        return error


def _plain(value: Any) -> Any:
    """Return a result as Python's values alone."""
    if isinstance(value, rt.Tensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    return value

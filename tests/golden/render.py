"""A program of the corpus as one page of text: its results, and on full pages its other forms.

The page must not depend on anything but the project: no addresses, no hash order, no file names,
no wording that belongs to one version of Python.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.conversion.convert import compiled_code
from runtime.graph.text import graph_text
from tests.corpus import PROGRAMS, Program, undisturbed
from tests.golden.full_pages import FULL
from tests.parity.agreement import Outcome, outcome_of
from tests.traces import staged

_UNBOUND = re.compile(r'(\{error=UnboundLocalError), message="[^\n]*\}')
_UNBOUND_IN_CALL = re.compile(r'message="(?:cannot access )?local variable [^"\n]*"')


def page(program: Program) -> str:
    """The whole golden file of one program."""
    parts = [f"# {program.id}", program.doc, *_notes(program)]
    if program.id in FULL:
        parts += ["## Converted", _fenced("python", _code(program, ag.to_code))]
        parts += ["## Compiled", _fenced("python", _code(program, compiled_code))]
    with undisturbed(program):
        parts += _results(program)
    return _in_words_of_3_11("\n\n".join(parts)) + "\n"


def _in_words_of_3_11(text: str) -> str:
    return text.replace("() iterable argument is empty", "() arg is an empty sequence")


def _results(program: Program) -> list[str]:
    if program.python_only:
        return _results_on_python(program)
    return _refusal(program) if program.refused else _results_staged(program)


def _notes(program: Program) -> Iterator[str]:
    yield "inputs: " + ", ".join(f"`{_call(program, case)}`" for case in range(len(program.cases)))
    if program.python_only:
        yield f"Python values only: {program.python_only}."
    if program.static:
        places = ", ".join(str(place) for place in sorted(program.static))
        yield f"Arguments kept as Python values: {places}."


def _call(program: Program, case: int) -> str:
    return ", ".join(repr(argument) for argument in program.cases[case])


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"


def _module(program: Program) -> Any:
    return sys.modules[program.function.__module__]


def _code(program: Program, text_of: Callable[[Any], str]) -> str:
    """Return the text of every function and method of the program, in source order."""
    return "\n\n".join(text_of(function).strip() for function in functions(program))


def functions(program: Program) -> Iterator[Callable[..., Any]]:
    """Yield the functions and methods of a program, in source order."""
    module = _module(program)
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, FunctionType):
            yield value
        elif isinstance(value, type):
            yield from _methods(value)


def _methods(owner: type) -> Iterator[Callable[..., Any]]:
    for name, member in vars(owner).items():
        if not name.startswith("__") or name == "__call__":
            # A named tuple's class holds functions that come from elsewhere.
            if isinstance(member, FunctionType) and member.__module__ == owner.__module__:
                if member.__code__.co_filename == inspect.getsourcefile(owner):
                    yield member


def _results_on_python(program: Program) -> list[str]:
    outcomes = _outcomes(ag.to_graph(program.function), program.arguments, program)
    rows = [
        (f"`{_call(program, case)}`", _result(outcome)) for case, outcome in enumerate(outcomes)
    ]
    heading = "## Results of the converted function"
    return [heading, _table(("inputs", "result"), rows), *_printed(outcomes)]


def _outcomes(
    function: Callable[..., Any], arguments: Callable[[int], list[Any]], program: Program
) -> list[Outcome]:
    return [outcome_of(function, arguments(case)) for case in range(len(program.cases))]


def _printed(outcomes: list[Outcome]) -> list[str]:
    printed = "".join(outcome.printed for outcome in outcomes)
    return ["Printed:", _fenced("text", printed)] if printed else []


def _refusal(program: Program) -> list[str]:
    error = staged(program).calls[0].outcome.error
    if not isinstance(error, ag.errors.AutographError):
        raise AssertionError(f"{program.id} is not refused: {error!r}")
    # The line that names the file differs from machine to machine, and carets need Python 3.11.
    message, _, line, *_ = str(error).splitlines()
    text = f"{type(error).__name__}: {message}\n{line}"
    return [*_results_on_python(program), "## Refused when staged", _fenced("text", text)]


def _results_staged(program: Program) -> list[str]:
    calls = staged(program).calls
    rows = [
        (f"`{_call(program, case)}`", _result(call.outcome), "traced" if call.traced else "reused")
        for case, call in enumerate(calls)
    ]
    return [
        *(_graph(program) if program.id in FULL else ()),
        "## Results of the staged function",
        _table(("inputs", "result", "trace"), rows),
        *_printed([call.outcome for call in calls]),
    ]


def _graph(program: Program) -> list[str]:
    """Return the trace of the first case; earlier calls change nothing of it."""
    if program.no_graph:
        return ["## Graph", f"Not shown: {program.no_graph}."]
    concrete = staged(program).concrete
    # The wording of an unbound name changes from one version of Python to the next.
    text = _UNBOUND.sub(r"\1}", graph_text(concrete.graph))
    return [
        "## Graph",
        f"Traced for `{_call(program, 0)}`:",
        _fenced("text", text),
        "## Run as",
        _fenced("python", _UNBOUND_IN_CALL.sub("message=...", concrete.executable.source)),
    ]


def _result(outcome: Outcome) -> str:
    if outcome.error is None:
        return f"`{spelled(outcome.result)}`"
    if isinstance(outcome.error, NameError):
        # The wording of an unbound name changes from one version of Python to the next.
        return f"raises `{type(outcome.error).__name__}`"
    return f"raises `{_error(outcome.error)}`"


def _error(error: BaseException) -> str:
    """An exception as it was made; of one of ours the first line, since the others name a file."""
    if isinstance(error, rt.errors.OpError):
        # Python 3.10 has no columns: it leaves out the expression if several of the line fit.
        return f"{type(error).__name__}: {str(error).splitlines()[0].partition('; in ')[0]}"
    return f"{type(error).__name__}({', '.join(repr(part) for part in error.args)})"


def spelled(value: Any) -> str:
    """A result as text; a tensor as its dtype with its numbers, the same on every platform.

    >>> spelled((rt.constant(3), [rt.constant([0.5, 0.1])]))
    '(int32(3), [float32[0.5, 0.1]])'
    """
    if isinstance(value, rt.Tensor):
        numbers = _numbers(value.numpy())
        return f"{value.dtype.name}{numbers if numbers.startswith('[') else f'({numbers})'}"
    if isinstance(value, list):
        return "[" + ", ".join(spelled(item) for item in value) + "]"
    if isinstance(value, tuple):
        inside = ", ".join(spelled(item) for item in value)
        return f"{_name(value)}({inside}{',' if len(value) == 1 else ''})"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key!r}: {spelled(item)}" for key, item in value.items())
        return "{" + inside + "}"
    return repr(value)


def _name(value: tuple[Any, ...]) -> str:
    return "" if type(value) is tuple else type(value).__name__


def _numbers(array: Any) -> str:
    if np.ndim(array):
        return "[" + ", ".join(_numbers(row) for row in array) + "]"
    return str(np.asarray(array)[()])


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def pages(programs: Iterable[Program]) -> dict[str, str]:
    """The pages of some programs, by the programs' ids."""
    return {program.id: page(program) for program in programs}


if __name__ == "__main__":
    json.dump(pages(PROGRAMS[:: int(sys.argv[1])]), sys.stdout)

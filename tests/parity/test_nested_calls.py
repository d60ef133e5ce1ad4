"""Functions that call Functions: nodes, parts of one trace, and plain Python agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from autograph.functions import nested
from tests.parity.nested_programs import Program
from tests.parity.written import module_of
from tests.suite_length import IS_LONG

COUNT = 400 if IS_LONG else 5
Decorator = Callable[[Any], Any]


def plain(value: Any) -> Any:
    """A value with numbers for tensors and variables."""
    if isinstance(value, (rt.Tensor, rt.Variable)):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return {k: plain(each) for k, each in value.items()} if isinstance(value, dict) else value


def outcomes(program: Program, path: Path, decorator: Decorator) -> list[Any]:
    """Return the results or errors of calls, and the state after each; a refusal ends them."""
    module = module_of(program.source(), path, deco=decorator)
    found: list[Any] = []
    for argument in (1, 5, -3, 1, 9, 2):
        try:
            result = plain(getattr(module, program.main)(rt.constant(argument)))
        except (AutographError, rt.errors.SymbolicTensorError) as error:
            return [*found, type(error)]
        except Exception as error:
            result = type(error)
        thing = module.o
        state = (thing.total, thing.scale, thing.items, module.v, module.G)
        found.append((result, plain(state)))
    return found


@pytest.mark.parametrize("seed", range(COUNT))
def test_nested_calls_agree_with_python(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        as_nodes = outcomes(program, tmp_path / "as_nodes.py", ag.function)
        monkeypatch.setattr(nested, "_may_record", lambda: False)
        as_parts = outcomes(program, tmp_path / "as_parts.py", ag.function)
    assert as_parts == as_nodes, program.source()
    if not program.keeps_state and not any(isinstance(each, type) for each in as_nodes):
        in_python = outcomes(program, tmp_path / "in_python.py", lambda function: function)
        assert in_python == as_nodes, program.source()


def test_the_programs_have_calls_of_both_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded: list[bool] = []
    real = nested._NestedCall.found

    def found(call: Any) -> Any:
        concrete = real(call)
        recorded.append(concrete is not None)
        return concrete

    monkeypatch.setattr(nested._NestedCall, "found", found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(20):
            outcomes(Program(seed), tmp_path / "program.py", ag.function)
    assert {True, False} == set(recorded)

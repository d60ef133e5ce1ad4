"""This project's GraphDefs, imported again: programs and ops that compute the same afterwards.

    python tools/graphdef_round_trip.py               # all programs of the corpus, and all ops
    python tools/graphdef_round_trip.py collatz       # some programs

Every program of the corpus is staged on all its inputs and exported, and its GraphDef is imported
and run on the same inputs. Results and variables must be the same, bit for bit unless the export
computes with other nodes than the graph; where the graph raises, the imported one must raise.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.errors import OpError
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between
from runtime.export.graphdef.messages import GraphDef
from runtime.ops.containers.tensor_arrays import TensorArrayContents
from runtime.ops.op import REGISTRY
from tests.corpus import STAGED_PROGRAMS, Program, find
from tests.laws.op_samples import SAMPLES
from tools.graphdef_cases import Case, cases_of, sampled
from tools.graphdef_worker import Answer, Form

SAME, CLOSE, NOT_EXPORTED, OTHER = "same", "close", "not exported", "other"


def imported(case: Case) -> Answer:
    """Import the GraphDef of a case, run it on the case's inputs, and return the outcome."""
    request = case.request
    variables = {name: rt.Variable(array) for name, array in request.variables.items()}
    try:
        graph = _graph(request.graph, request.inputs, variables, request.outputs)
    except OpError as error:
        return Answer([], [], f"{type(error).__name__}: {error}", is_loaded=False)
    try:
        found = iter(run(graph, list(request.inputs.values())))
        values = [_value(found, form) for form in request.forms]
    except Exception as error:
        return Answer([], [], f"{type(error).__name__}: {error}")
    return Answer(values, [variable._array for variable in variables.values()])


def _graph(
    data: bytes, inputs: dict[str, np.ndarray], variables: dict[str, Any], outputs: Iterable[str]
) -> rt.Graph:
    nodes = {node.name: node for node in GraphDef.FromString(data).node}
    feeds: dict[str, Any] = {f"{name}:0": variable for name, variable in variables.items()}
    for name, array in inputs.items():
        dims = nodes[name].attr["shape"].shape
        sizes = None if dims.unknown_rank else [None if d.size < 0 else d.size for d in dims.dim]
        feeds[f"{name}:0"] = TensorSpec(sizes, TensorSpec.of_array(array).dtype)
    ends = [name for name, node in nodes.items() if node.op == "NoOp"]
    feeds = {name: feeds[name] for name in (*(f"{name}:0" for name in inputs), *feeds)}
    return graph_between(data, feeds, [*(f"{name}:0" for name in outputs), *ends])


def _value(found: Iterator[np.ndarray], form: Form) -> Any:
    if isinstance(form, str):
        return np.asarray(next(found))
    return _items([next(found) for _ in form], form)


def _items(parts: list[Any], form: Form) -> list[tuple[Any, ...]]:
    """Return a list as the items of a case; its parts are TensorArrays."""
    rows = [_slots(part) for part in parts]
    return [
        tuple(
            value if isinstance(each, str) else _items([value], each)
            for value, each in zip(row, form)
        )
        for row in zip(*rows, strict=True)
    ]


def _slots(part: Any) -> list[Any]:
    held = unboxed(np.asarray(part))
    assert isinstance(held, TensorArrayContents)
    return [item[0] for item in held.items]


def difference(case: Case) -> tuple[str, str]:
    """Return the verdict on a case, and its reason."""
    answer = imported(case)
    found = case.difference(answer)
    if found is not None:
        return OTHER, found
    if answer.error or _same_bits(
        [*case.values, *case.variables], [*answer.values, *answer.variables]
    ):
        return SAME, ""
    return CLOSE, "other bits"


def _same_bits(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, (list, tuple)):
        # A number stands for an item without parts.
        return all(map(_same_bits, ours, theirs))
    if ours.dtype.kind == "O":
        return True  # The comparison of cases is exact for texts.
    return bool(ours.tobytes() == np.asarray(theirs).tobytes() or _same_numbers(ours, theirs))


def _same_numbers(ours: Any, theirs: Any) -> bool:
    """Return whether floats are equal, with any NaN equal to another one."""
    return np.array_equal(ours, theirs, equal_nan=ours.dtype.kind in "fc")


def verdict(cases: Iterable[Case | None]) -> tuple[str, str]:
    """Return the worst verdict on some cases, and its reason."""
    found, reason = NOT_EXPORTED, "no case"
    try:
        for case in cases:
            if case is None:
                continue
            said, why = difference(case)
            if said == OTHER:
                return said, why
            if found != CLOSE:
                found, reason = said, why
    except rt.errors.UnimplementedError as error:
        return NOT_EXPORTED, error.message
    return found, reason


def of_programs(programs: Iterable[Program]) -> dict[str, tuple[str, str]]:
    """Return the verdict on each program."""
    return {program.id: verdict(cases_of(program)) for program in programs}


def of_ops(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the verdict on the samples of each op, with known sizes and with unknown ones."""
    found = {}
    for name in names:
        samples = [each for each in SAMPLES if each.op == name]
        cases = (sampled(each, known) for each in samples for known in (True, False))
        found[name] = verdict(cases)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the verdicts that are not `same`, and the counts; 1 if something differs."""
    parser = argparse.ArgumentParser(prog="graphdef_round_trip")
    parser.add_argument("names", nargs="*", help="programs, by default all of them and all ops")
    names = parser.parse_args(arguments).names
    with contextlib.suppress(BrokenPipeError):
        tables = [of_programs(find(names) if names else STAGED_PROGRAMS)]
        tables += [] if names else [of_ops(REGISTRY)]
        for table in tables:
            for name, (said, why) in table.items():
                if said not in (SAME, NOT_EXPORTED):
                    print(f"{said}: {name}: {why}")
            print(dict(Counter(said for said, _ in table.values())))
        return int(any(said == OTHER for table in tables for said, _ in table.values()))
    return 1


if __name__ == "__main__":
    sys.exit(main())

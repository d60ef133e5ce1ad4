"""The verdict on a program: plain numbers, eager tensors and the staged program must agree."""

from __future__ import annotations

import ast
import math
import pprint
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.parity.differential.shrinking import shrunk
from tests.parity.staged_differential.programs import CASES, StagedProgram
from tests.parity.staged_differential.running import (
    STAGES,
    Case,
    Entry,
    Outcome,
    outcomes_of_eager,
    outcomes_of_plain,
    outcomes_of_staged,
)

# Tensors hold 32 bits where Python has 64: that many digits are left of what both compute.
RELATIVE, ABSOLUTE = 1e-5, 1e-6
_WIDER = {"b": "bif", "i": "if", "f": "f"}


@dataclass(frozen=True)
class Verdict:
    """How the runs of one program went.

    Attributes:
        program: the program.
        mode: which run is not as it ought to be: "eager" or the way of staging.
        case: the arguments it was called with.
        part: what differs: "error", "result", "log", "objects", "printed"; "refused" or "crash".
        expected, actual: the outcomes.
        before: the cases that the traced function had been called with by then.
    """

    program: StagedProgram
    mode: str
    case: Case
    part: str
    expected: Outcome
    actual: Outcome
    before: tuple[Case, ...] = ()

    @property
    def is_refusal(self) -> bool:
        """Whether the program was refused, which is no divergence."""
        return self.part == "refused"

    @property
    def cause(self) -> str:
        """The key that groups findings: part, kinds of errors, and the words of a refusal."""
        if self.actual.raised is not None:
            words = str(self.actual.raised).splitlines() or [""]
            return f"{self.part}: {type(self.actual.raised).__name__}: {words[0][:150]}"
        return f"{self.part}: {self.expected.error and self.expected.error[0]} expected"

    def text(self) -> str:
        """Return the program and both outcomes."""
        wanted, given = (getattr(each, self.part, each) for each in (self.expected, self.actual))
        raised = self.actual.raised
        return "\n".join(
            [
                f"{self.part} differs ({self.mode}) for main{self.case}, after {self.before}",
                self.program.text,
                f"expected: {pprint.pformat(wanted, width=96)}",
                f"actual:   {pprint.pformat(given, width=96)}",
                *([f"raised:   {type(raised).__name__}: {raised}"] if raised else []),
            ]
        )

    def shrunk(self, stage: Callable[[Entry], Entry] | None = None, most: int = 600) -> Verdict:
        """Return the verdict on a smaller program that fails in the same way."""
        cases = (*self.before[-1:], self.case)

        def found(text: str) -> Verdict | None:
            try:
                program = replace(self.program, text=text)
                other = verdict(program, cases, {self.mode: stage or STAGES.get(self.mode)})
            except Exception:
                return None  # what is left of it cannot even be defined
            return other if other is not None and _alike(other, self) else None

        text = shrunk(self.program.text, lambda text: found(text) is not None, most, ends)
        return found(text) or self


def ends(loop: ast.While) -> bool:
    """Tell whether a loop counts: in its test, or in a statement of its own."""
    counts = any(isinstance(statement, ast.AugAssign) for statement in loop.body)
    return counts or any("fuel := fuel" in ast.unparse(part) for part in (loop.test, loop.body[0]))


def _alike(one: Verdict, other: Verdict) -> bool:
    same = (one.part, one.mode) == (other.part, other.mode)
    kinds = [(type(each.actual.raised), type(each.expected.raised)) for each in (one, other)]
    return same and kinds[0] == kinds[1]


def verdict(
    program: StagedProgram,
    cases: tuple[Case, ...] = CASES,
    stages: dict[str, Any] = STAGES,
) -> Verdict | None:
    """Return the first way in which runs of a program differ, or None where they agree."""
    expected = outcomes_of_plain(program, cases)
    eager = expected if program.assigns else outcomes_of_eager(program, cases)
    found = _first(program, "eager", cases, expected, eager)
    if found is not None:
        return found
    for mode, stage in stages.items():
        if stage is None:
            continue
        staged = outcomes_of_staged(program, cases, stage)
        found = _first(program, mode, cases, eager, staged)
        if found is not None:
            return found
    return None


def _first(
    program: StagedProgram,
    mode: str,
    cases: tuple[Case, ...],
    expected: list[Outcome],
    actual: list[Outcome],
) -> Verdict | None:
    for at, (wanted, given) in enumerate(zip(expected, actual)):
        if wanted.is_exhausted:
            return None
        failed = _has_uncommitted_changes(wanted, given)
        compared = replace(given, objects=wanted.objects) if failed else given
        part = _difference(wanted, compared, program.widens)
        if part is not None:
            return Verdict(program, mode, cases[at], part, wanted, given, cases[:at])
        if failed:
            return None
    return None


def _has_uncommitted_changes(wanted: Outcome, given: Outcome) -> bool:
    """Tell whether objects differ since a call failed: one of a graph writes nothing then.

    The calls after it begin with other values, so they are not compared.
    """
    return wanted.error is not None and not agree(wanted.objects, given.objects)


def _difference(wanted: Outcome, given: Outcome, widens: bool) -> str | None:
    if given.refusal is not None and wanted.refusal is None:
        return "refused"
    parts = given.parts()
    if wanted.error is not None and not given.log and not given.printed:
        # What always fails does so while it is traced, and then nothing runs.
        parts.update(log=wanted.log, printed=wanted.printed)
    for part, value in wanted.parts().items():
        if not agree(value, parts[part], widens):
            return "crash" if given.is_crash and wanted.error != given.error else part
    return None


def agree(wanted: Any, given: Any, widens: bool = False) -> bool:
    """Tell whether two spelled values are the same: integers exactly, floats to their precision.

    Args:
        widens: whether a number may stand for one of a narrower kind that it joined.
    """
    if isinstance(wanted, float) and isinstance(given, float | int):
        return math.isclose(wanted, given, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if _is_array(wanted) and _is_array(given):
        return _arrays_agree(wanted, given, widens)
    if isinstance(wanted, list | tuple) and type(wanted) is type(given):
        pairs = zip(wanted, given)
        return len(wanted) == len(given) and all(agree(x, y, widens) for x, y in pairs)
    return bool(wanted == given)


def _is_array(spelled: Any) -> bool:
    return isinstance(spelled, tuple) and len(spelled) == 3 and isinstance(spelled[1], tuple)


def _arrays_agree(wanted: Any, given: Any, widens: bool) -> bool:
    kinds = _WIDER.get(wanted[0], wanted[0]) if widens else wanted[0]
    if given[0] not in kinds or wanted[1] != given[1]:
        return False
    return agree(_floats(wanted), _floats(given)) if given[0] == "f" else wanted[2] == given[2]


def _floats(spelled: Any) -> Any:
    value = spelled[2]
    return [float(v) for v in value] if isinstance(value, list) else float(value)

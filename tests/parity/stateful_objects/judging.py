"""Whether a traced program agrees with eager execution: results, objects, output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.parity.stateful_objects.programs import StatefulProgram
from tests.parity.stateful_objects.running import Outcome, difference, outcomes_of


@dataclass(frozen=True)
class Verdict:
    """How a traced program is not as it should be.

    Attributes:
        program: the program.
        cause: what differs, or the words of a refusal.
        is_refusal: whether it was refused.
    """

    program: StatefulProgram
    cause: str
    is_refusal: bool = False

    def __str__(self) -> str:
        return f"{self.program.name}: {self.cause}\n{self.program.text}"


def verdict(program: StatefulProgram) -> Verdict | None:
    """Run a program both ways; None if they agree, or if it fails both ways."""
    expected, actual = (outcomes_of(program, is_traced) for is_traced in (False, True))
    for number, (one, other) in enumerate(zip(expected, actual), 1):
        if one.raised is not None:
            return None if type(one.raised) is type(other.raised) else _of(program, one, other)
        if other.raised is not None:
            words = f"{type(other.raised).__name__}: {other.raised}"
            return Verdict(program, words, other.is_refused)
        found = difference(one.result, other.result) or difference(one.state, other.state, "state")
        if found is not None:
            return Verdict(program, f"call {number}, {found}")
    cause = _prints(program.kind, expected, actual) if program.kind != "fitting" else None
    return None if cause is None else Verdict(program, cause)


def _of(program: StatefulProgram, one: Outcome, other: Outcome) -> Verdict:
    return Verdict(program, f"at once {one.raised!r}, traced {other.raised!r}", other.is_refused)


def _prints(kind: str, expected: Sequence[Outcome], actual: Sequence[Outcome]) -> str | None:
    one, other = expected[-1], actual[-1]
    # What each call makes it builds in each call, which a graph does not tell.
    if kind == "trainer" and one.built != other.built:
        return f"layers are built {one.built} at once, {other.built} traced"
    if other.runs != other.traces:
        return f"prints {other.runs} times in {other.traces} traces"
    return None

"""The report of an export: its files, and the parts of the program that they do not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from runtime.core.context import Origin
from runtime.errors import UnimplementedError

OTHER_NUMBERS = "other numbers than here: the engine draws its own"
"""The reason of an omission whose random numbers have the same distribution, but other values."""


class Omission(NamedTuple):
    """A part of the program that a file does not have.

    Attributes:
        subject: its op or statement, such as "raise".
        reason: why the format cannot have it, and what the file does in its place.
        origin: the user's line.
    """

    subject: str
    reason: str
    origin: Origin | None = None

    def __str__(self) -> str:
        if self.origin is None:
            return f"{self.subject}: {self.reason}"
        line, scope = self.origin.line_text(), self.origin.scope
        subject = f"{self.subject} of {scope}" if scope else self.subject
        return f"{self.origin}: {subject}: {self.reason}" + (f"\n    {line}" if line else "")


@dataclass
class ExportReport:
    """The result of an export: the files, and the parts of the program that they do not have.

    Attributes:
        format: the name of the format.
        files: the paths of the files that were written.
        notes: facts about the files that their users have to know, such as additional inputs.
        omissions: the parts of the program that the files do not have.

    >>> print(ExportReport("onnx", ["f.onnx"]))
    onnx: f.onnx
    nothing is left out
    """

    format: str
    files: Sequence[str]
    notes: list[str] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.format}: {', '.join(self.files)}", *self.notes]
        if not self.omissions:
            return "\n".join([*lines, "nothing is left out"])
        return "\n".join([*lines, "left out:", *(f"  {each}" for each in self.omissions)])


def refuse_omissions(kind: str, omissions: Sequence[Omission]) -> None:
    """Raise an error if something is left out, as `strict=True` wants it.

    Args:
        kind: the kind of file, with its article.
        omissions: the parts of the program that the file does not have.

    Raises:
        UnimplementedError: there are some; it lists them.

    >>> refuse_omissions("a model", [])
    """
    if omissions:
        listed = "\n".join(f"  {each}" for each in omissions)
        raise UnimplementedError(f"{kind} cannot have these parts of the program:\n{listed}")

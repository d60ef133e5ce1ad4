"""README.md and the pages of docs/: their Python blocks, console commands and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
LINK = re.compile(r"\]\(([^)#:]+)\)")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = "$ python -m autograph "


@dataclass(frozen=True)
class Block:
    """A Python block, and the output the `text` block below it promises (None without one)."""

    source: str
    output: str | None


@dataclass(frozen=True)
class Command:
    """The words after `python -m autograph` and the output shown below the command."""

    words: tuple[str, ...]
    output: str


def fences(text: str) -> list[tuple[str, str]]:
    """Every fenced block as (language, text), in order."""
    return FENCE.findall(text)


def python_blocks(text: str) -> list[Block]:
    """The Python blocks with the output that follows each."""
    found = fences(text)
    following = [*found[1:], ("", "")]
    return [
        Block(source, after if kind == "text" else None)
        for (language, source), (kind, after) in zip(found, following)
        if language == "python"
    ]


def commands(text: str) -> list[Command]:
    """The `python -m autograph` commands of all console blocks."""
    return [
        command
        for language, block in fences(text)
        if language == "console"
        for command in _commands_of(block)
    ]


def _commands_of(block: str) -> list[Command]:
    parts = re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    ours = [part for part in parts if part.startswith(COMMAND)]
    return [
        Command(tuple(head.removeprefix(COMMAND).split()), output)
        for head, _, output in (part.partition("\n") for part in ours)
    ]
